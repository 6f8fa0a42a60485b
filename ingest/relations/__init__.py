"""Relations between the entities of a text: patterns over English sentences, or a model."""

from __future__ import annotations

from ingest.relations.patterns import EXTRACTOR, RelationResult, extract_relations

__all__ = ["EXTRACTOR", "RelationResult", "extract_relations"]
