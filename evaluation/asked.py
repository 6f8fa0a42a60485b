"""What a question asks for, read off its words, for the extractive baseline.

Plain English cues only: the question word and its noun, the clause that asks, the places where
verbs stand, the options of a choice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.spans import Word, stem, words
from evaluation.words import AUXILIARIES, PLACE_NOUNS, STOPWORDS, TIME_NOUNS, VERBS

NEAR, FAR = 2.0, 0.5  # weight of a word in the clause that asks, and in the rest of the question

_OPTIONS = re.compile(
    r"(?:,|\bbetween\b|:)\s*(?P<a>[^,?:]+?),?\s+(?:or|and)\s+(?P<b>[^,?:]+?)\s*\?", re.IGNORECASE
)
_WH = frozenset({"who", "whom", "whose", "when", "where", "which", "what", "how"})


@dataclass(frozen=True)
class Asked:
    """What a question asks for, as its words show."""

    kind: str  # yes_no, choice, year, date, number, name, thing
    stems: dict[str, float]  # content words and their weight: those near the question word count more
    noun: str | None  # stem of the noun after which/what
    subject: bool  # the answer is the subject of the question's first verb
    predicate: tuple[str, ...]  # stems right after the question word and its noun
    verbs: frozenset[str]  # stems that stand where verbs do
    options: tuple[str, str] | None = None


def understand(question: str) -> Asked:
    """Read the question: kind of answer, weights of its words, options of a choice."""
    line = words(question)
    low = [word.text.lower() for word in line]
    at = next((place for place, word in enumerate(low) if word in _WH), None)
    kind, noun, start = _kind(low, at)
    options = _choices(question)
    if options and kind != "yes_no":
        kind = "choice"
    stems: dict[str, float] = {}
    clause = _clause_end(line, start)
    for place, word in enumerate(line):
        if low[place] not in STOPWORDS and word.stem != noun:
            weight = NEAR if start <= place < clause else FAR
            stems[word.stem] = max(stems.get(word.stem, 0.0), weight)
    after = [place for place in range(start, len(low)) if low[place] not in STOPWORDS][:3]
    return Asked(
        kind,
        stems,
        noun,
        _asks_for_subject(low, at, start),
        tuple(line[place].stem for place in after),
        frozenset(line[place].stem for place in _verbs(low, start)),
        options,
    )


def _asks_for_subject(low: Sequence[str], at: int | None, start: int) -> bool:
    """Whether the answer does what the first verb says: not "which did", not "what is"."""
    if at is None or start >= len(low) or low[start] in {"did", "do", "does"}:
        return False
    return not (low[at] in {"what", "who"} and start == at + 1 and low[start] in AUXILIARIES)


def _clause_end(line: Sequence[Word], start: int) -> int:
    """Where the clause that asks ends: before a relative pronoun, or after punctuation."""
    for place in range(start, len(line)):
        if line[place].text.lower() in {"that", "which", "who", "whose"}:
            return place
        if line[place].broken:
            return place + 1
    return len(line)


def _kind(low: Sequence[str], at: int | None) -> tuple[str, str | None, int]:
    """The kind of answer, the noun after which/what, and where the rest of the question starts."""
    if at is None or (low and low[0] in AUXILIARIES):
        return ("yes_no" if low and low[0] in AUXILIARIES else "thing"), None, 0
    word = low[at]
    if word == "how":
        numeric = at + 1 < len(low) and low[at + 1] in {"many", "much", "old", "long", "far", "tall", "large"}
        return ("number" if numeric else "thing"), None, at + 2
    if word in {"when", "who", "whom", "whose", "where"}:
        return ("date" if word == "when" else "name"), None, at + 1
    end = _noun_end(low, at + 1)
    if end == at + 1:
        return "thing", None, end
    noun = low[end - 1]
    if noun in TIME_NOUNS:
        return ("year" if noun == "year" else "date"), stem(noun), end
    return ("name" if noun in PLACE_NOUNS else "thing"), stem(noun), end


def _noun_end(low: Sequence[str], start: int) -> int:
    """Where the noun phrase after which/what ends: at a function word, a verb, or what looks like one.

    A word in -s that is not the phrase's first and has another word after it is taken for a verb
    ("which solvent dissolves lithium salts").
    """
    end = start
    while end < len(low) and end - start < 5 and low[end] not in STOPWORDS and low[end] not in VERBS:
        verbal = low[end].endswith("s") and not low[end].endswith(("ss", "us", "is"))
        if end > start and verbal and end + 1 < len(low) and low[end + 1] not in AUXILIARIES:
            break
        end += 1
        if low[end - 1] in PLACE_NOUNS | TIME_NOUNS:
            break
    return end


def _verbs(low: Sequence[str], start: int) -> list[int]:
    """Places of the words that stand where verbs do: after the noun asked for, and after "that"."""
    found = []
    relative = [place + 1 for place in range(start, len(low)) if low[place] in {"that", "which", "who"}]
    for clause in [start, *relative]:
        place = clause
        while place < len(low) and (low[place] in AUXILIARIES or low[place].endswith("ly")):
            place += 1
        if place < len(low) and low[place] not in STOPWORDS:
            found.append(place)
    return found


def _choices(question: str) -> tuple[str, str] | None:
    """The two options of "..., A or B?" or "Between A and B, ...", where it gives them."""
    match = _OPTIONS.search(question)
    if match is None or not (" or " in question or "between" in question.lower()):
        return None
    return match["a"].strip(), match["b"].strip()
