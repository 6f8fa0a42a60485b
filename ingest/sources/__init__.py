"""Sources: files in, documents out. What cannot be read is reported with its reason; the others go on."""

from __future__ import annotations

from ingest.sources.files import discover, read_documents

__all__ = ["discover", "read_documents"]
