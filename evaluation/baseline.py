"""The extractive baseline: an answerer without any model, to run everything without a key.

It picks one span of the context by word overlap with the question, its distance from the shared
words, and what the question word asks for; in a graph it prefers the steps that nothing follows.
It knows no field, reads nothing but the question and the context, and is deterministic. It is a
floor to compare with, never a language model's result, and is labelled so wherever it is shown.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.conditions import Context
from evaluation.spans import Sentence, Span, candidates, is_number, is_year, sentences, stem, words
from evaluation.words import (
    AUXILIARIES,
    LARGER,
    PLACE_NOUNS,
    SMALLER,
    STOPWORDS,
    TIME_NOUNS,
    VERBS,
)

NAME = "baseline"
VERSION = "extractive-1"  # part of a run's identity: another version is another run
LABEL = "extractive baseline, not a language model"

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
    options: tuple[str, str] | None = None


def understand(question: str) -> Asked:
    """Read the question: kind of answer, weights of its words, options of a choice."""
    line = words(question)
    low = [word.text.lower() for word in line]
    at = next((place for place, word in enumerate(low) if word in _WH), None)
    match = _OPTIONS.search(question) if " or " in question or "between" in question.lower() else None
    options = (match["a"].strip(), match["b"].strip()) if match else None
    kind, noun, start = _kind(low, at)
    if options and kind != "yes_no" and (at is None or set(low) & (SMALLER | LARGER) or " or " in question):
        kind = "choice"
    content = [p for p, word in enumerate(low) if word not in STOPWORDS]
    anchor = start if at is not None else 0
    stems: dict[str, float] = {}
    for place in content:
        weight = 1.0 / (1.0 + 0.08 * abs(place - anchor))
        stems[line[place].stem] = max(stems.get(line[place].stem, 0.0), 0.5 + weight)
    after = [p for p in content if p >= start][:3]
    subject = (
        at is not None
        and start < len(low)
        and low[start] not in {"did", "do", "does"}
        and not (low[at] in {"what", "who"} and start == at + 1 and low[start] in AUXILIARIES)
    )
    return Asked(kind, stems, noun, subject, tuple(line[p].stem for p in after), options)


def _kind(low: Sequence[str], at: int | None) -> tuple[str, str | None, int]:
    """The kind of answer, the noun after which/what, and where the rest of the question starts."""
    if at is None or (low and low[0] in AUXILIARIES):
        return ("yes_no" if low and low[0] in AUXILIARIES else "thing"), None, 0
    word = low[at]
    if word == "how":
        numeric = at + 1 < len(low) and low[at + 1] in {"many", "much", "old", "long", "far", "tall", "large"}
        return ("number" if numeric else "thing"), None, at + 2
    if word in {"when"}:
        return "date", None, at + 1
    if word in {"who", "whom", "whose", "where"}:
        return "name", None, at + 1
    # which/what: the noun phrase runs to the first function word or verb, its last word is the noun.
    end = at + 1
    while end < len(low) and low[end] not in STOPWORDS and low[end] not in VERBS and end - at < 4:
        end += 1
        if end < len(low) and low[end - 1] in PLACE_NOUNS | TIME_NOUNS:
            break
    if end == at + 1:
        return "thing", None, end
    noun = low[end - 1]
    if noun in TIME_NOUNS:
        return ("year" if noun == "year" else "date"), stem(noun), end
    return ("name" if noun in PLACE_NOUNS else "thing"), stem(noun), end


def answer(question: str, context: Context) -> str | None:
    """The answer, a span of the context (or yes, no, one of the options); None: it refuses.

    It refuses without a context (closed book), since there is nothing to extract from, and where
    the context holds no candidate.
    """
    if not context.passages:
        return None
    asked = understand(question)
    passages = [sentences(passage) for passage in context.passages]
    if asked.kind == "yes_no":
        return _yes_no(asked, passages)
    if asked.options is not None and asked.kind == "choice":
        return _choice(question, asked.options, passages)
    return _extract(asked, passages, _ends(context))


def _ends(context: Context) -> frozenset[int]:
    """Indices of the graph's steps that nothing follows, where there are edges."""
    if not context.edges:
        return frozenset()
    return frozenset(range(len(context.passages))) - {start for start, _ in context.edges}


def _rarity(passages: Sequence[Sequence[Sentence]]) -> dict[str, float]:
    """How much a shared word says: log(1 + sentences / sentences that hold it)."""
    every = [sentence for passage in passages for sentence in passage]
    counts = Counter(key for sentence in every for key in {word.stem for word in sentence.words})
    return {key: math.log(1 + len(every) / count) for key, count in counts.items()}


def _extract(asked: Asked, passages: Sequence[Sequence[Sentence]], ends: frozenset[int]) -> str | None:
    rarity = _rarity(passages)
    keep = frozenset({asked.noun} if asked.noun else ())
    best: tuple[float, str] | None = None
    for place, passage in enumerate(passages):
        for sentence in passage:
            shared = {
                at: rarity[word.stem] * asked.stems[word.stem]
                for at, word in enumerate(sentence.words)
                if word.stem in asked.stems
            }
            strength = sum({sentence.words[at].stem: value for at, value in shared.items()}.values())
            strength /= 1 + len(sentence.words) / 60
            if place in ends:
                strength *= 1.5
            predicate = [at for at, word in enumerate(sentence.words) if word.stem in asked.predicate]
            for span in candidates(sentence, asked.stems.keys(), keep):
                value = strength + _fit(asked, sentence, span, shared, predicate)
                if best is None or value > best[0] + 1e-9:
                    best = value, span.text
    return best[1] if best else None


def _fit(
    asked: Asked, sentence: Sentence, span: Span, shared: dict[int, float], predicate: Sequence[int]
) -> float:
    """How well a span fits: near the shared words, of the kind asked for, on the right side."""
    inside = sentence.words[span.first : span.last + 1]
    value = 0.0
    for at, weight in shared.items():
        if not span.first <= at <= span.last:
            distance = span.first - at if at < span.first else at - span.last
            value += weight / (1 + distance)
    if all(word.stem in asked.stems or word.text.lower() in STOPWORDS for word in inside):
        return value - 10.0  # the question names it already
    value += _kind_bonus(asked.kind, span)
    if asked.noun and inside[-1].stem == asked.noun and len(inside) > 1:
        value += 1.5
    if asked.subject and predicate:
        value += 1.0 if span.last < predicate[0] else -0.5
    return value


def _kind_bonus(kind: str, span: Span) -> float:
    if kind == "year":
        return 4.0 if is_year(span.text) else -2.0
    if kind in {"date", "number"}:
        return 3.0 if span.kind == kind else (1.0 if span.kind in {"date", "number"} else -2.0)
    if span.kind in {"date", "number"}:
        return -2.0
    if kind == "name":
        return 1.5 if span.kind == "name" else -1.0
    return 0.0


def _yes_no(asked: Asked, passages: Sequence[Sequence[Sentence]]) -> str:
    """yes where the two passages nearest to the question share a word that the question lacks."""
    rarity = _rarity(passages)
    lines = [[word for sentence in passage for word in sentence.words] for passage in passages]
    strengths = [sum(rarity[key] for key in {w.stem for w in line} & asked.stems.keys()) for line in lines]
    order = sorted(range(len(lines)), key=lambda at: (-strengths[at], at))[:2]
    if len(order) < 2:
        return "yes"
    first, second = (
        {w.stem for w in lines[at] if w.text.lower() not in STOPWORDS and w.stem not in asked.stems}
        for at in order
    )
    return "yes" if first & second else "no"


def _choice(question: str, options: tuple[str, str], passages: Sequence[Sequence[Sentence]]) -> str:
    """The option whose passage has the number that the question's comparative asks for.

    Without two numbers to compare: the option whose sentences share more words with the question.
    """
    low = {word.text.lower() for word in words(question)}
    found = [_about(option, passages) for option in options]
    numbers = [_first_number(lines) for lines in found]
    if numbers[0] is not None and numbers[1] is not None and numbers[0] != numbers[1]:
        smaller = bool(low & SMALLER) and not low & {"most", "more"}
        return options[(numbers[0] < numbers[1]) != smaller]
    asked = {stem(word) for word in low - STOPWORDS}
    shares = [len({word.stem for line in lines for word in line.words} & asked) for lines in found]
    return options[1] if shares[1] > shares[0] else options[0]


def _about(option: str, passages: Sequence[Sequence[Sentence]]) -> list[Sentence]:
    """The sentences of the passage that names most of the option's words."""
    wanted = {word.stem for word in words(option) if word.text.lower() not in STOPWORDS}
    held = [len(wanted & {w.stem for s in passage for w in s.words}) for passage in passages]
    best = max(range(len(passages)), key=lambda at: (held[at], -at))
    return list(passages[best]) if held[best] else []


def _first_number(lines: Sequence[Sentence]) -> float | None:
    """The first year in the sentences, else the first number."""
    texts = [word.text for line in lines for word in line.words]
    for text in [t for t in texts if is_year(t)] + [t for t in texts if is_number(t)]:
        digits = re.sub(r"[^\d.]", "", text.replace(",", "")).strip(".")
        if re.fullmatch(r"\d+(\.\d+)?", digits):
            return float(digits)
    return None
