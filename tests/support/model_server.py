"""A scripted server that speaks the OpenAI protocol, on loopback, in its own thread.

It answers request n with the n-th turn of its script, and the last turn for ever. A turn is made by
one of the functions below: a reply, an HTTP error, a body that is no JSON, silence.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response

Turn = Callable[[Mapping[str, Any]], "Act"]


@dataclass(frozen=True)
class Act:
    """What the server does: wait, then answer."""

    status: int = 200
    body: str | bytes = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0


def completion(
    content: str | None,
    *,
    refusal: str | None = None,
    finish: str = "stop",
    delay_s: float = 0.0,
    usage: Mapping[str, Any] | None = None,
) -> Turn:
    """A chat completion with that content."""

    def act(request: Mapping[str, Any]) -> Act:
        body = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": request.get("model", "scripted"),
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": content, "refusal": refusal},
                }
            ],
            "usage": usage or {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
        return Act(body=json.dumps(body), delay_s=delay_s)

    return act


def failure(
    status: int, *, headers: Mapping[str, str] | None = None, code: str | None = None, message: str = "no"
) -> Turn:
    """An HTTP error in the shape OpenAI gives it."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": code}})
    return lambda request: Act(status=status, body=body, headers=headers or {})


def raw(
    body: str, *, status: int = 200, content_type: str = "application/json", delay_s: float = 0.0
) -> Turn:
    """Any body at all."""
    return lambda request: Act(
        status=status, body=body, headers={"content-type": content_type}, delay_s=delay_s
    )


@dataclass
class Scripted:
    """A running server: its address, and what it was asked."""

    base_url: str
    turns: list[Turn]
    requests: list[dict[str, Any]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    most_at_once: int = 0
    at_once: int = 0


@contextmanager
def scripted_server(turns: Sequence[Turn] | Turn) -> Iterator[Scripted]:
    """Serve the script until the block ends."""
    script = [turns] if callable(turns) else list(turns)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server_state = Scripted(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", script)
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        body = json.loads(await request.body())
        number = len(server_state.requests)
        server_state.requests.append(body)
        server_state.times.append(time.monotonic())
        server_state.at_once += 1
        server_state.most_at_once = max(server_state.most_at_once, server_state.at_once)
        try:
            act = script[min(number, len(script) - 1)](body)
            if act.delay_s:
                await asyncio.sleep(act.delay_s)
        finally:
            server_state.at_once -= 1
        headers = {"content-type": "application/json", **act.headers}
        return Response(content=act.body, status_code=act.status, headers=headers)

    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not server.started:
        if time.monotonic() > deadline:
            raise RuntimeError("the scripted server did not start")
        time.sleep(0.01)
    try:
        yield server_state
    finally:
        server.should_exit = server.force_exit = True  # idle keep-alive connections would hold it
        thread.join(timeout=5)
        listener.close()
