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

from evaluation.asked import Asked, understand
from evaluation.conditions import Context
from evaluation.spans import Sentence, Span, candidates, is_number, is_year, sentences, stem, words
from evaluation.words import SMALLER, STOPWORDS

NAME = "baseline"
VERSION = "extractive-1"  # part of a run's identity: another version is another run
LABEL = "extractive baseline, not a language model"


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
            for span in candidates(sentence, asked.verbs):
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
    known = {*asked.stems, asked.noun}
    if all(word.stem in known or word.text.lower() in STOPWORDS for word in inside):
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
    strengths = [
        sum(rarity[key] for key in sorted({w.stem for w in line} & asked.stems.keys())) for line in lines
    ]
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
