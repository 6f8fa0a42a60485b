"""What every source format is brought into before it is stored, and typed access to raw fields."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from errors import RecordError
from qa.reasoning.shapes import Edge


class Paragraph(NamedTuple):
    """A titled paragraph of a question's context, as the source divides it."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceNode:
    """A node to be: some sentences of one paragraph, with the sub-question they answer."""

    paragraph: int
    sentences: tuple[int, ...]
    sub_question: str | None = None
    sub_answer: str | None = None


@dataclass(frozen=True, slots=True)
class ParsedRecord:
    """One usable record.

    Attributes:
        key: what identifies it in its data set.
        expected: the graph types that fit what the source says; empty where it says nothing.
        paragraphs: the whole context, in the source's order.
        nodes, edges: the positive graph; edges are indices into `nodes`.
        rules: which rule fired for each choice.
        warnings: faults that were lived with, one entry a fault.
    """

    key: str
    question: str
    answer: str
    aliases: tuple[str, ...]
    declared_type: str | None
    expected: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    nodes: tuple[SourceNode, ...]
    edges: tuple[Edge, ...]
    rules: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def whole_text(self) -> str:
        """Every text of it that will be stored, joined."""
        return "".join(
            [
                self.key,
                self.question,
                self.answer,
                *self.aliases,
                *(paragraph.title for paragraph in self.paragraphs),
                *chain.from_iterable(paragraph.sentences for paragraph in self.paragraphs),
                *(node.sub_question or "" for node in self.nodes),
                *(node.sub_answer or "" for node in self.nodes),
            ]
        )


@dataclass(frozen=True, slots=True)
class Skipped:
    """A sound record that is left out by a rule; the faults seen in it are counted all the same."""

    key: str
    reason: str
    warnings: tuple[str, ...] = ()


class Fields:
    """One raw record with typed access; what is missing or of another shape raises `RecordError`."""

    def __init__(self, raw: Any, source: str, position: str, keys: Sequence[str] = ("_id", "id")) -> None:
        self.source, self.position = source, position
        if not isinstance(raw, Mapping):
            raise RecordError(source, position, "", f"expected a JSON object, found {_shape(raw)}")
        self.raw: Mapping[str, Any] = raw
        key = next((raw[name] for name in keys if isinstance(raw.get(name), str) and raw[name]), None)
        if key is not None:
            self.position = f"{position} ({key})"

    def wrong(self, field: str, reason: str) -> RecordError:
        return RecordError(self.source, self.position, field, reason)

    def has(self, field: str) -> bool:
        """Whether the field is there and holds something."""
        return self.raw.get(field) not in (None, "", [], {})

    def text(self, *names: str) -> str:
        """The first of the fields that is there, as text that is not blank."""
        for name in names:
            if name in self.raw:
                value = self.raw[name]
                if not isinstance(value, str):
                    raise self.wrong(name, f"expected text, found {_shape(value)}")
                if not value.strip():
                    raise self.wrong(name, "is empty")
                return value
        raise self.missing(*names)

    def list(self, name: str) -> Sequence[Any]:
        if name not in self.raw:
            raise self.missing(name)
        return self.listed(name, self.raw[name])

    def listed(self, field: str, value: Any) -> Sequence[Any]:
        """The value, which must be a list."""
        if not isinstance(value, list):
            raise self.wrong(field, f"expected a list, found {_shape(value)}")
        return value

    def missing(self, *names: str) -> RecordError:
        other = _looks_like(self.raw)
        hint = f"; the record looks like {other}" if other else ""
        return self.wrong(names[0], f"is missing{hint}")


_MARKS = {
    "hotpotqa": ("supporting_facts", "context", "level"),
    "2wiki": ("supporting_facts", "context", "evidences"),
    "musique": ("paragraphs", "question_decomposition"),
    "chemkg": ("q", "a", "path"),
}


def _looks_like(raw: Mapping[str, Any]) -> str | None:
    return next((name for name, marks in _MARKS.items() if all(mark in raw for mark in marks)), None)


def _shape(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return f"an object with {', '.join(sorted(map(str, value))[:4]) or 'nothing'}"
    return {list: "a list", bool: "true or false"}.get(type(value), "a number")


def matched(text: str) -> str:
    """The text for matching names only: entities unescaped, Unicode forms unified, case and
    punctuation gone, white space single."""
    plain = unicodedata.normalize("NFKC", html.unescape(text)).casefold()
    return " ".join(re.sub(r"[^\w\s]|_", " ", plain).split())


def stripped(text: str) -> str:
    """As `matched`, without a parenthesis at the end, closed or not."""
    return matched(re.sub(r"\s*\([^()]*\)?\s*$", "", html.unescape(text)))
