"""Text of a document: its introduction, chunks of whole paragraphs, sentences with exact offsets."""

from __future__ import annotations

from ingest.text.chunks import chunk
from ingest.text.introduction import introduction
from ingest.text.sentences import sentences

__all__ = ["chunk", "introduction", "sentences"]
