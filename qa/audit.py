"""An independent look at a stored question set: are sources reused, is an answer given away?

Nothing here is shared with the gates: it reads the nodes with statements of its own, cuts texts into
words by rules of its own and compares those. What the gates and this module agree on was seen twice.

A source is reused where two hops of one question stand in one document, in texts of the same words,
or where the text of one hop also holds the sentence of another. A leak is a name of the answer, or
of an entity between the two ends, in the question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple

from errors import NotFoundError
from graph.store import Graph

_DASHES = dict.fromkeys(map(ord, "‐‑‒–−⁻"), "-")
_PRIMES = dict.fromkeys(map(ord, "’‘′ʹ"), "'")
_OUTER = '.,;:?!"“”„'
_JOINTS = re.compile(r"[\s/…]+|—")
_LETTERS = re.compile(r"[^\W\d_]+")
_TAIL = re.compile(r"(?:'s|-(?:based|doped|rich|poor|free|containing|coated|supported|derived|type))+$")


class Fault(NamedTuple):
    """One thing that is wrong with one question."""

    question_id: str
    kind: Literal["reused_source", "leak", "broken_path"]
    detail: str


class Audit(NamedTuple):
    """How many questions were looked at, and how many of them have each fault.

    `details` also names questions whose path is no longer whole in the graph; those count as neither.
    """

    questions: int
    reused_sources: int
    leaks: int
    details: tuple[Fault, ...]


async def audit(graph: Graph, dataset: str) -> Audit:
    """Look at every accepted question of a set made from paths.

    Raises NotFoundError where the set has none: nothing was found wrong is then no finding.
    """
    asked = await graph.read("questions/audit.questions", dataset=dataset)
    if not asked:
        raise NotFoundError(f"There are no questions from paths in a set {dataset!r}.")
    relations = sorted({each for question in asked for each in question["relation_ids"]})
    stated = {row["id"]: row for row in await graph.read("questions/audit.stated", ids=relations)}
    entities = sorted({row[end] for row in stated.values() for end in ("subject_id", "object_id")})
    names = {
        row["id"]: [name for name in [*row["own"], *row["others"]] if name]
        for row in await graph.read("questions/audit.names", ids=entities)
    }
    faults: list[Fault] = []
    for question in asked:
        hops = [stated[each] for each in question["relation_ids"] if each in stated]
        if len(hops) != len(question["relation_ids"]) or not _joined(hops):
            faults.append(Fault(question["id"], "broken_path", f"relations {question['relation_ids']}"))
            continue
        faults += [Fault(question["id"], "reused_source", detail) for detail in _reused(hops)]
        faults += [Fault(question["id"], "leak", detail) for detail in _leaks(question, hops, names)]
    return Audit(
        questions=len(asked),
        reused_sources=_questions(faults, "reused_source"),
        leaks=_questions(faults, "leak"),
        details=tuple(faults),
    )


def _questions(faults: Iterable[Fault], kind: str) -> int:
    return len({fault.question_id for fault in faults if fault.kind == kind})


def _joined(rows: Sequence[dict[str, Any]]) -> bool:
    """Whether each hop ends where the next one begins."""
    return all(a["object_id"] == b["subject_id"] for a, b in pairwise(rows))


# ---------------------------------------------------------------- sources


def _reused(rows: Sequence[dict[str, Any]]) -> list[str]:
    found = []
    for (i, a), (j, b) in combinations(enumerate(rows, 1), 2):
        if a["document_id"] == b["document_id"]:
            found.append(f"hops {i} and {j} stand in document {a['document_id']}")
        elif _letters(a["chunk_text"]) == _letters(b["chunk_text"]):
            found.append(f"hops {i} and {j} stand in the same words in two documents")
        elif _letters(a["stated"]) in _letters(b["chunk_text"]):
            found.append(f"the text of hop {j} also states hop {i}: {a['stated']!r}")
        elif _letters(b["stated"]) in _letters(a["chunk_text"]):
            found.append(f"the text of hop {i} also states hop {j}: {b['stated']!r}")
    return found


def _letters(text: str) -> str:
    """The text without anything but its letters and digits."""
    return "".join(each for each in unicodedata.normalize("NFKC", text).casefold() if each.isalnum())


# ---------------------------------------------------------------- leaks


def _leaks(
    question: dict[str, Any], hops: Sequence[dict[str, Any]], names: dict[str, list[str]]
) -> list[str]:
    """Names of the answer (subject of the first hop) and of what lies between (subjects of the others)."""
    said = words(question["text"])
    found = []
    for hop, row in enumerate(hops, 1):
        role = "the answer" if hop == 1 else f"the answer of hop {hop}"
        called = names.get(row["subject_id"], []) + ([question["answer"]] if hop == 1 else [])
        for name in sorted(set(called)):
            if _holds(said, words(name)):
                found.append(f"{name!r}, {role}, is in: {question['text']}")
    return found


def words(text: str) -> list[str]:
    """The words of a text: what stands between spaces and slashes, without outer punctuation.

    One form for sub- and superscripts, dashes and primes. An ordinary word loses its case, a possessive
    s, and endings such as -based or -doped; what looks like a symbol keeps its case.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES).translate(_PRIMES)
    found = []
    for piece in _JOINTS.split(plain):
        word = _unwrapped(piece.strip(_OUTER))
        word = _TAIL.sub("", word)
        if word:
            found.append(_LETTERS.sub(_folded, word))
    return found


def _unwrapped(word: str) -> str:
    """Without a bracket or quote that its other half is missing from, or that encloses all of it."""
    for opening, closing in ("()", "[]", "''"):
        if word.startswith(opening) and (word.endswith(closing) or closing not in word[1:]):
            word = word[1:].removesuffix(closing)
        elif word.endswith(closing) and opening not in word[:-1]:
            word = word[:-1]
    return word.strip(_OUTER)


def _folded(match: re.Match[str]) -> str:
    """A run of letters; a word of prose (three or more, only the first a capital) without its case."""
    run = match[0]
    return run.casefold() if len(run) >= 3 and run[1:].islower() else run


def _holds(said: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the words of the name stand one after the other in what is said."""
    return bool(name) and any(
        list(said[start : start + len(name)]) == list(name) for start in range(len(said) - len(name) + 1)
    )
