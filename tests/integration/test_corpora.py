"""Corpora by name: one that is not there is told, with those that are."""

from __future__ import annotations

import pytest

from errors import NotFoundError
from graph.store import Graph

pytestmark = pytest.mark.engine


async def test_a_corpus_that_is_not_there_is_told(graph: Graph) -> None:
    await graph.corpora.require(None)
    with pytest.raises(NotFoundError, match="none yet"):
        await graph.corpora.require("nope")
    await graph.corpora.ensure("mine")
    await graph.corpora.require("mine")
    with pytest.raises(NotFoundError, match="there is mine"):
        await graph.corpora.require("nope")
    with pytest.raises(NotFoundError, match="nope"):
        await graph.corpora.delete("nope")
