"""The one client. `ask` sends a conversation and returns a reply whose value passed its schema.

Order of one call: cache, slot, request, reading, one repair round, cache. Everything that can go
wrong becomes an outcome of the reply, but for what makes the whole job pointless: ModelError.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, NamedTuple, TypeVar, cast
from urllib.parse import urlsplit

import httpx2
import openai
from openai.types.chat import ChatCompletion
from pydantic import BaseModel

from errors import ModelError
from llm.cache import CachedReply, ReplyCache, cache_key
from llm.endpoints import Endpoint
from llm.limiter import Limiter, LimiterState, shared_limiter
from llm.replies import Message, Reply, ReplyOutcome, Usage
from llm.retry import Again, EmptyReply, Fatal, Final, backoff_s, judge
from llm.structured import Unreadable, read_reply, strict_schema

T = TypeVar("T", bound=BaseModel)

Mode = Literal["json_schema", "json_object", "text"]
_WEAKER: dict[Mode, Mode] = {"json_schema": "json_object", "json_object": "text"}


class _Form(NamedTuple):
    """What every request of one `ask` has in common."""

    wire: Mapping[str, Any]  # the JSON schema as sent
    name: str
    parameters: Mapping[str, Any]


class _Call:
    """What one `ask` has taken so far, over its attempts and its repair round."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.latency_s = 0.0
        self.wait_s = 0.0


class _Failed(Exception):
    """All attempts are spent, or no other can help."""


class ModelClient:
    """A client of one endpoint; one per process and event loop, used as an async context manager."""

    def __init__(self, endpoint: Endpoint, *, cache: ReplyCache | None = None) -> None:
        self.endpoint = endpoint
        self._cache = cache
        self._mode: Mode = "json_schema" if endpoint.structured == "auto" else endpoint.structured
        self._schemas: dict[type[BaseModel], dict[str, Any]] = {}
        self._client: openai.AsyncOpenAI | None = None
        self._limiter: Limiter | None = None

    async def __aenter__(self) -> ModelClient:
        self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; a later `ask` opens them anew."""
        if self._client is not None:
            await self._client.close()
            self._client = self._limiter = None

    def state(self) -> LimiterState | None:
        """Slots in use, and why and until when the endpoint makes us wait; None before the first call."""
        return self._limiter.state() if self._limiter else None

    def _open(self) -> tuple[openai.AsyncOpenAI, Limiter]:
        endpoint = self.endpoint
        if self._client is None or self._limiter is None:
            key = endpoint.api_key()
            loopback = urlsplit(endpoint.base_url).hostname in ("127.0.0.1", "localhost", "::1")
            most = endpoint.max_concurrency
            self._client = openai.AsyncOpenAI(
                base_url=endpoint.base_url,
                api_key=key,
                max_retries=0,  # retries are in one layer: llm.retry
                timeout=endpoint.timeout_s,
                http_client=httpx2.AsyncClient(
                    limits=httpx2.Limits(max_connections=most + 4, max_keepalive_connections=most),
                    timeout=endpoint.timeout_s,
                    trust_env=not loopback,
                ),
            )
            self._limiter = shared_limiter(endpoint.base_url, key, most, endpoint.requests_per_minute)
        return self._client, self._limiter

    async def ask(
        self,
        messages: Sequence[Message],
        schema: type[T],
        *,
        name: str = "reply",
        epoch: int = 1,
        parameters: Mapping[str, Any] | None = None,
        tag: str = "",
    ) -> Reply[T]:
        """Ask once, for a value of `schema`.

        Args:
            messages: the conversation, system message first.
            schema: the pydantic model that the reply must fit.
            name: what the schema is called in the request.
            epoch: repeats of one question are told apart by it, in the cache too.
            parameters: on top of the endpoint's own, over which they win.
            tag: what the reply is bought for; `ReplyCache.purge(tag)` forgets it.

        Returns:
            outcome "ok" with the value; "refused"; "unparsed" (also after the repair round);
            "error" (the call failed for good, or too often).

        Raises:
            ModelError: the endpoint cannot be used at all: key, model, access or quota.
        """
        wire = self._schemas.setdefault(schema, strict_schema(schema))
        merged = {**self.endpoint.parameters, **(parameters or {})}
        prompt_sha = _digest([list(messages), wire])
        key = cache_key(
            base_url=self.endpoint.base_url,
            model=self.endpoint.model,
            messages=messages,
            parameters=merged,
            schema=wire,
            epoch=epoch,
        )
        if self._cache is not None and (hit := self._cache.get(key)) is not None:
            return self._from_cache(hit, schema, prompt_sha)

        call = _Call()
        try:
            outcome, text, value, fault = await self._converse(
                list(messages), schema, _Form(wire, name, merged), call
            )
        except _Failed as error:
            outcome, text, value, fault = "error", "", None, str(error)
        if value is not None and self._cache is not None:
            kept = CachedReply(value.model_dump_json(), call.usage, call.latency_s)
            self._cache.put(key, kept, tag=tag)
        return Reply(
            value=value,
            outcome=outcome,
            text=text,
            error=fault,
            usage=call.usage,
            latency_s=call.latency_s,
            wait_s=call.wait_s,
            cost=self._cost(call.usage),
            cached=False,
            endpoint=self.endpoint.name,
            model=self.endpoint.model,
            prompt_sha256=prompt_sha,
        )

    def _from_cache(self, hit: CachedReply, schema: type[T], prompt_sha: str) -> Reply[T]:
        return Reply(
            value=schema.model_validate_json(hit.text),
            outcome="ok",
            text=hit.text,
            error=None,
            usage=hit.usage,
            latency_s=hit.latency_s,
            wait_s=0.0,
            cost=0.0,
            cached=True,
            endpoint=self.endpoint.name,
            model=self.endpoint.model,
            prompt_sha256=prompt_sha,
        )

    async def _converse(
        self,
        messages: list[Message],
        schema: type[T],
        form: _Form,
        call: _Call,
    ) -> tuple[ReplyOutcome, str, T | None, str | None]:
        """The question, and where the reply does not fit, one repair round."""
        text = ""
        fault: str | None = None
        for repair in (False, True):
            completion = await self._complete(messages, form, call)
            choice = completion.choices[0]
            text = choice.message.content or ""
            if choice.message.refusal or choice.finish_reason == "content_filter":
                return "refused", choice.message.refusal or text, None, "the model refused"
            try:
                return "ok", text, read_reply(text, schema), None
            except Unreadable as error:
                fault = str(error)
            if choice.finish_reason == "length":
                # Asking again would be cut again.
                return "unparsed", text, None, f"cut at the token limit; {fault}"
            if not repair:
                messages = [
                    *messages,
                    {"role": "assistant", "content": text},
                    {
                        "role": "user",
                        "content": f"That reply cannot be used: {fault}. Send the whole reply again, "
                        "as one JSON object that fits the schema, and nothing else.",
                    },
                ]
        return "unparsed", text, None, fault

    async def _complete(
        self,
        messages: Sequence[Message],
        form: _Form,
        call: _Call,
    ) -> ChatCompletion:
        """One completion, over as many attempts as the endpoint's settings allow."""
        _, limiter = self._open()
        attempt = 0
        while True:
            attempt += 1
            mode = self._mode
            queued = time.monotonic()
            async with limiter:
                started = time.monotonic()
                call.wait_s += started - queued
                try:
                    completion = await self._request(messages, form, mode)
                except (openai.OpenAIError, EmptyReply, json.JSONDecodeError) as error:
                    verdict = judge(error)
                    if isinstance(verdict, Again) and verdict.throttled:
                        limiter.throttled(verdict.after_s, verdict.reason)
                else:
                    limiter.succeeded()
                    call.latency_s += time.monotonic() - started
                    call.usage += _usage(completion)
                    return completion
            if isinstance(verdict, Fatal):
                raise ModelError(f"endpoint {self.endpoint.name}: {verdict.reason}")
            if isinstance(verdict, Final):
                if verdict.structure and self._weaken(mode):
                    attempt -= 1  # it was the format's fault, not the call's
                    continue
                raise _Failed(verdict.reason)
            if attempt >= self.endpoint.max_attempts:
                raise _Failed(f"given up after {attempt} attempts: {verdict.reason}")
            pause = backoff_s(attempt, verdict.after_s)
            call.wait_s += pause
            await asyncio.sleep(pause)

    def _weaken(self, failed: Mode) -> bool:
        """Step down from a response format that the endpoint does not know; False at the bottom."""
        if self.endpoint.structured != "auto" or failed not in _WEAKER:
            return False
        if self._mode == failed:  # another call may have stepped down already
            self._mode = _WEAKER[failed]
        return True

    async def _request(
        self,
        messages: Sequence[Message],
        form: _Form,
        mode: Mode,
    ) -> ChatCompletion:
        client, _ = self._open()
        extra: dict[str, Any] = dict(form.parameters)
        if mode == "json_schema":
            extra["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": form.name, "strict": True, "schema": form.wire},
            }
        else:
            messages = _with_schema(messages, form.wire)
            if mode == "json_object":
                extra["response_format"] = {"type": "json_object"}
        completion = await client.chat.completions.create(
            model=self.endpoint.model, messages=cast(Any, list(messages)), **extra
        )
        # The SDK returns a str for text/html, and no choices for {} or {"error": ...}.
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            raise EmptyReply(str(completion)[:200])
        return completion

    def _cost(self, usage: Usage) -> float:
        prices = self.endpoint.prices
        cached_price = prices.input if prices.cached is None else prices.cached
        fresh = usage.tokens_in - usage.tokens_cached
        return (
            fresh * prices.input + usage.tokens_cached * cached_price + usage.tokens_out * prices.output
        ) / 1e6


def _with_schema(messages: Sequence[Message], wire: Mapping[str, Any]) -> list[Message]:
    """For endpoints without JSON schema: the schema goes into the last user message."""
    note = "\n\nReply with one JSON object that fits this JSON schema, and nothing else:\n"
    out = list(messages)
    last = max(i for i, message in enumerate(out) if message["role"] == "user")
    out[last] = {"role": "user", "content": out[last]["content"] + note + json.dumps(dict(wire))}
    return out


def _usage(completion: ChatCompletion) -> Usage:
    usage = completion.usage
    if usage is None:
        return Usage()
    details_in, details_out = usage.prompt_tokens_details, usage.completion_tokens_details
    return Usage(
        tokens_in=usage.prompt_tokens or 0,
        tokens_cached=(details_in.cached_tokens or 0) if details_in else 0,
        tokens_out=usage.completion_tokens or 0,
        tokens_reasoning=(details_out.reasoning_tokens or 0) if details_out else 0,
    )


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
