"""Retrieval of evidence sentences: BM25 over the pool, and how well it finds the right ones.

The index (idf, lengths, parameters) is built by `rank_bm25.BM25Okapi`, the library the
reasoning-graph paper names (section 3.1); its scores are then read from a sparse term-by-sentence
matrix, which adds the same numbers in the same order and is many times as fast. Ties go by the
order of the pool (the library's own `argsort` is unstable).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi
from scipy.sparse import csr_array

from evaluation.conditions import TOP_K
from graph.models import EvaluationItem


def tokens(text: str) -> list[str]:
    """Lower case, split at white space: how the paper's library is used without further choices."""
    return text.lower().split()


def evidence(item: EvaluationItem) -> tuple[str, ...]:
    """The evidence sentences of one question, in order: what retrieval has to find.

    Imported sets: the supporting sentences of the context. Own sets: the sentences that state the
    hops (the steps of the positive graph). Else whatever the question's gold texts are.
    """
    supporting = tuple(sentence.text for sentence in item.context if sentence.supporting)
    if supporting:
        return supporting
    if item.positive is not None:
        return tuple(step.text for step in item.positive.steps)
    return item.gold


def pool(items: Iterable[EvaluationItem]) -> tuple[str, ...]:
    """Every unique evidence sentence of the questions, in order of first appearance."""
    return tuple(dict.fromkeys(text for item in items for text in evidence(item) if text.strip()))


class Hit(NamedTuple):
    """One retrieved sentence: its place in the pool and its score."""

    place: int
    score: float


class BM25Index:
    """BM25Okapi over a pool of sentences. Memory: one number a distinct word of a sentence.

    Args:
        sentences: the pool; may be empty, then nothing is found.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = tuple(sentences)
        self._rows: dict[str, int] = {}
        self._weights = csr_array((0, len(self.sentences)))
        corpus = [tokens(sentence) for sentence in self.sentences]
        if any(corpus):
            self._weights = self._matrix(BM25Okapi(corpus))

    def _matrix(self, model: BM25Okapi) -> csr_array:
        """Rows are words, columns sentences; a cell is what the word adds to the sentence's score."""
        postings: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for place, frequencies in enumerate(model.doc_freqs):
            for word, frequency in frequencies.items():
                places, counts = postings[word]
                places.append(place)
                counts.append(frequency)
        self._rows = {word: row for row, word in enumerate(postings)}
        lengths = np.array(model.doc_len)
        indices = np.concatenate([np.array(places) for places, _ in postings.values()])
        tf = np.concatenate([np.array(found) for _, found in postings.values()])
        sizes = np.array([len(places) for places, _ in postings.values()])
        idf = np.repeat([model.idf[word] or 0 for word in postings], sizes)
        # The library's own expression, term for term: it fixes the last bit.
        norm = model.k1 * (1 - model.b + model.b * lengths[indices] / model.avgdl)
        data = idf * (tf * (model.k1 + 1) / (tf + norm))
        pointers = np.concatenate(([0], np.cumsum(sizes)))
        return csr_array((data, indices, pointers), shape=(len(postings), len(self.sentences)))

    def scores(self, query: str) -> NDArray[np.float64]:
        """The score of every sentence; equal to `BM25Okapi.get_scores` of the query's tokens."""
        total = np.zeros(len(self.sentences))
        weights = self._weights
        for word in tokens(query):
            row = self._rows.get(word)
            if row is not None:
                start, end = weights.indptr[row], weights.indptr[row + 1]
                total[weights.indices[start:end]] += weights.data[start:end]
        return total

    def top(self, query: str, k: int = TOP_K) -> list[Hit]:
        """The k best sentences, best first, ties by their place in the pool; fewer if it is small.

        Sentences that share no word with the query can be among them, as in the library.
        """
        scores = self.scores(query)
        k = min(k, len(scores))
        if k <= 0:
            return []
        if k < len(scores):
            threshold = np.partition(scores, len(scores) - k)[len(scores) - k]
            candidates = np.flatnonzero(scores >= threshold)
        else:
            candidates = np.arange(len(scores))
        order = candidates[np.argsort(-scores[candidates], kind="stable")][:k]
        return [Hit(int(place), float(scores[place])) for place in order]


class Retrieval(NamedTuple):
    """How well the retrieved set covers the relevant one, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def retrieval_score(retrieved: Iterable[str], relevant: Iterable[str]) -> Retrieval:
    """Precision, recall and F1 over sets, so that a sentence found twice counts once."""
    found, wanted = set(retrieved), set(relevant)
    both = len(found & wanted)
    precision = both / len(found) if found else 0.0
    recall = both / len(wanted) if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return Retrieval(precision, recall, f1)
