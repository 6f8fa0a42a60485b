"""Sentences, words and candidate spans of a passage, for the extractive baseline.

No recogniser and no knowledge of any field: a candidate is a run of words between function words,
verbs, punctuation and the question's own words; or capitalised words; or a number or date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal, NamedTuple

from evaluation.words import MONTHS, STOPWORDS, VERBS

MOST_WORDS = 7  # of a candidate

# A mark of citation may stand behind the full stop: "... from benzene.[1] Aniline ..."
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’)]*(?:\s*\[[\d,;–\s-]+\])?\s+(?=[\"“‘(\[]?[A-Z0-9Α-Ωα-ω])|\n{2,}")
_ABBREVIATED = re.compile(
    r"(?:\b(?:al|ca|cf|Co|Dr|e\.g|etc|Fig|i\.e|Inc|Jr|Ltd|Mr|Mrs|Ms|No|ref|Sr|St|vs)|\b[A-Z])\.$"
)
_CHUNK = re.compile(r"\S+")
_OPENING, _CLOSING = "\"'“‘([{<«", "\"'”’)]}>»,.;:!?…"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_NUMBER = re.compile(r"[-−]?\d[\d,.]*(?:st|nd|rd|th|s|%)?$")


Kind = Literal["date", "number", "name", "phrase"]


class Word(NamedTuple):
    """A word of a sentence; offsets count from the sentence's start."""

    text: str
    start: int
    end: int
    stem: str
    broken: bool  # punctuation stands between this word and the next


class Span(NamedTuple):
    """A candidate: words `first` to `last`, inclusive."""

    text: str
    first: int
    last: int
    kind: Kind


class Sentence(NamedTuple):
    """A sentence with its words."""

    text: str
    words: tuple[Word, ...]


def stem(word: str) -> str:
    """Lower case without a plural or verb ending; crude, the same for question and passage."""
    low = word.lower()
    if low.endswith(("’s", "'s")):
        low = low[:-2]
    if not low.isalpha() or len(low) < 4:
        return low
    for ending, rest, least in (("ies", "y", 5), ("ing", "", 6), ("ed", "", 5), ("es", "", 5), ("s", "", 4)):
        if low.endswith(ending) and len(low) >= least and not low.endswith("ss"):
            low = low[: -len(ending)] + rest
            break
    return low[:-1] if low.endswith("e") and len(low) > 3 else low


def _bare(raw: str) -> tuple[int, int]:
    """Where the word stands in a run of non-space, without the punctuation around it.

    A closing bracket that was opened inside stays ("poly(lactic", "copper(II)"); so do the signs
    of a charge.
    """
    start, end = 0, len(raw)
    while start < end and raw[start] in _OPENING:
        start += 1
    while end > start and raw[end - 1] in _CLOSING:
        opening = _PAIRS.get(raw[end - 1])
        if opening and raw.count(opening, start, end) >= raw.count(raw[end - 1], start, end):
            break
        end -= 1
    return start, end


def words(text: str) -> tuple[Word, ...]:
    """The words of a text."""
    found: list[Word] = []
    for match in _CHUNK.finditer(text):
        raw = match.group()
        start, end = _bare(raw)
        if start == end:  # punctuation alone, as " – "
            if found:
                found[-1] = found[-1]._replace(broken=True)
            continue
        if start and found:
            found[-1] = found[-1]._replace(broken=True)
        word = raw[start:end]
        found.append(Word(word, match.start() + start, match.start() + end, stem(word), end < len(raw)))
    return tuple(found)


@lru_cache(maxsize=20_000)
def sentences(passage: str) -> tuple[Sentence, ...]:
    """The sentences of a passage; abbreviations and initials do not end one."""
    cuts, begin = [], 0
    for match in _SENTENCE_END.finditer(passage):
        if not _ABBREVIATED.search(passage[begin : match.start()]):
            cuts.append(passage[begin : match.start()])
            begin = match.end()
    cuts.append(passage[begin:])
    return tuple(Sentence(cut, words(cut)) for cut in cuts if cut.strip())


def is_number(word: str) -> bool:
    """Digits, with separators and an ordinal or per cent sign at most."""
    return bool(_NUMBER.match(word))


def is_year(word: str) -> bool:
    """Four digits from 1000 to 2099, maybe with an s."""
    return bool(re.fullmatch(r"(1\d|20)\d\ds?", word))


def _capital(word: str) -> bool:
    if word.lower() in MONTHS:
        return False
    return word[0].isupper() or (len(word) > 1 and word[0].isdigit() and any(c.isupper() for c in word))


def candidates(sentence: Sentence, breaks: AbstractSet[str]) -> list[Span]:
    """Candidate spans, in order of their start.

    Args:
        sentence: where they stand.
        breaks: stems that end a phrase as verbs do: the verbs of the question.
    """
    found: dict[tuple[int, int], Span] = {}

    def add(first: int, last: int, kind: Kind) -> None:
        inside = sentence.words[first : last + 1]
        if all(is_number(word.text) or word.text.lower() in MONTHS for word in inside):
            dated = any(is_year(word.text) or word.text.lower() in MONTHS for word in inside)
            kind = "date" if dated else "number"
        span = sentence.text[inside[0].start : inside[-1].end]
        found.setdefault((first, last), Span(span, first, last, kind))

    for first, last in _names(sentence.words):
        if last - first < MOST_WORDS:
            add(first, last, "name")
    for first, last in _runs(sentence.words, breaks):
        _from_run(sentence.words, first, last, add)
    return [found[place] for place in sorted(found)]


def _runs(line: tuple[Word, ...], breaks: AbstractSet[str]) -> list[tuple[int, int]]:
    """Longest runs of words that no function word, verb or punctuation interrupts."""
    runs, first = [], None
    for place, word in enumerate(line):
        low = word.text.lower()
        if low in STOPWORDS or low in VERBS or word.stem in breaks or low.endswith("ly"):
            if first is not None:
                runs.append((first, place - 1))
            first = None
            continue
        if first is None:
            first = place
        if word.broken:
            runs.append((first, place))
            first = None
    if first is not None:
        runs.append((first, len(line) - 1))
    return runs


def _from_run(line: tuple[Word, ...], first: int, last: int, add: Callable[[int, int, Kind], None]) -> None:
    """The run itself, and the numbers and dates in it (with the year of a date apart)."""
    if last - first < MOST_WORDS:
        add(first, last, "phrase")
    place = first
    while place <= last:
        end = place
        while end <= last and (is_number(line[end].text) or line[end].text.lower() in MONTHS):
            end += 1
        if end > place:
            add(place, end - 1, "number")
            if is_year(line[end - 1].text):
                add(end - 1, end - 1, "date")
        place = max(end, place + 1)


def _names(line: tuple[Word, ...]) -> list[tuple[int, int]]:
    """Runs of capitalised words, over "of", "the", "de" and the like between two of them."""
    joins = {"of", "the", "de", "von", "van", "der", "la", "and", "&", "del", "di"}
    names, place = [], 0
    while place < len(line):
        if not _capital(line[place].text) or (place == 0 and line[place].text.lower() in STOPWORDS):
            place += 1
            continue
        end = place
        while not line[end].broken and end + 1 < len(line):
            step = end + 1
            while step < len(line) and line[step].text.lower() in joins and not line[step].broken:
                step += 1
            if step < len(line) and _capital(line[step].text) and step - end <= 3:
                if line[end + 1].text.lower() == "and" and end == place:
                    break  # "Paris and London" are two names
                end = step
            else:
                break
        if place or end or not line[0].text[1:].islower():  # a sentence begins with a capital anyway
            names.append((place, end))
        place = end + 1
    return names
