"""Structure in replies: the schema that is sent, and the reading of what comes back.

Reading is lenient where meaning is safe (fences, prose around the JSON, a Python literal, a bare
array where the schema has one list) and strict in the end: pydantic decides. Nothing is evaluated.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

T = TypeVar("T", bound=BaseModel)

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<(think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


class Unreadable(ValueError):
    """A reply that does not fit its schema; `str()` says why, for the repair round."""


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a pydantic model in the strict form that OpenAI's endpoint demands.

    Every object closed, every property required, no defaults.
    """
    schema = model.model_json_schema()
    _tighten(schema)
    return schema


def _tighten(node: Any) -> None:
    if isinstance(node, list):
        for item in node:
            _tighten(item)
    elif isinstance(node, dict):
        if isinstance(node.get("properties"), dict):
            node["additionalProperties"] = False
            node["required"] = list(node["properties"])
            for child in node["properties"].values():
                child.pop("default", None)
                child.pop("title", None)
        for value in node.values():
            _tighten(value)


def strip_thinking(text: str) -> str:
    """The reply without its thinking.

    Raises:
        Unreadable: a thinking block was opened and never closed: there is no answer in it.
    """
    rest = _THINKING.sub("", text)
    if _OPEN_THINKING.search(rest):
        raise Unreadable("the thinking block was never closed, so there is no answer")
    return rest.strip()


def read_reply(text: str, model: type[T]) -> T:
    """Validate a reply.

    Raises:
        Unreadable: nothing in it fits the schema; says what is wrong.
    """
    body = strip_thinking(text)
    if not body:
        raise Unreadable("the reply is empty")
    fault = "there is no JSON object in the reply"
    for candidate in _candidates(body):
        value = _wrap(candidate, model)
        try:
            return model.model_validate(value)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the object"
            fault = f"{where}: {first['msg']}"
    raise Unreadable(fault)


def _candidates(body: str) -> list[Any]:
    """Values that could be meant, most likely first: the whole, fenced blocks, embedded JSON."""
    found: list[Any] = []
    for text in [body, *_FENCE.findall(body)]:
        value = _literal(text.strip())
        if value is not None:
            found.append(value)
    decoder = json.JSONDecoder()
    position = 0
    while not found and (match := re.compile(r"[{\[]").search(body, position)):
        try:
            value, end = decoder.raw_decode(body, match.start())
            found.append(value)
            position = end
        except json.JSONDecodeError:
            position = match.end()
    return found


def _literal(text: str) -> Any:
    """A JSON value or a Python literal (`{'a': True}`), else None. `literal_eval` runs no code."""
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        pass
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _wrap(value: Any, model: type[BaseModel]) -> Any:
    """A bare array is taken as the schema's only field, and a one-element array as its object."""
    if isinstance(value, list):
        fields = list(model.model_fields)
        if len(fields) == 1:
            return {fields[0]: value}
        if len(value) == 1 and isinstance(value[0], dict):
            return value[0]
    return value
