"""BM25: our sparse scorer against rank_bm25's own, over one pool, with equal scores."""

from __future__ import annotations

import random

import numpy as np
from rank_bm25 import BM25Okapi

from benchmarks.ratio import Ratio, seconds
from evaluation.retrieval import BM25Index, tokens

SENTENCES = 20_000
WORDS = 30_000
QUERIES = 10


def _text(rng: random.Random, words: int) -> str:
    """Words whose frequencies fall off as in real text (a Zipf-like law)."""
    return " ".join(f"w{int(WORDS ** rng.random())}" for _ in range(words))


def run() -> list[Ratio]:
    """Queries a second."""
    rng = random.Random(1)
    pool = [_text(rng, 20) for _ in range(SENTENCES)]
    queries = [_text(rng, 15) for _ in range(QUERIES)]
    index = BM25Index(pool)
    library = BM25Okapi([tokens(sentence) for sentence in pool])
    for query in queries:
        assert np.allclose(index.scores(query), library.get_scores(tokens(query)), rtol=0, atol=1e-12)
    mine = seconds(lambda: [index.top(query) for query in queries])
    peer = seconds(lambda: [library.get_top_n(tokens(query), pool, n=20) for query in queries], repeat=1)
    return [
        Ratio("BM25 top 20 of 20,000 sentences", QUERIES / mine, QUERIES / peer, "rank_bm25", "queries/s", 10)
    ]
