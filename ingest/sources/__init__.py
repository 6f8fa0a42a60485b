"""Sources: files in, documents out. What cannot be read is reported with its reason; the others go on."""

from __future__ import annotations

from ingest.sources.files import discover, printable, read_documents

__all__ = ["discover", "printable", "read_documents"]
