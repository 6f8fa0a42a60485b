"""What the first lines of a paper say about it, before page furniture is dropped."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.sources.draft import Draft
from ingest.sources.furniture import is_furniture
from ingest.sources.metadata import find_date, find_doi, find_license


def read_notices(lines: Sequence[str], draft: Draft) -> None:
    """Fill in DOI, version, licence and date that the draft lacks."""
    if not draft.doi:
        draft.doi, version = find_doi(lines)
        draft.version = draft.version or version
    draft.license = draft.license or next(filter(None, map(find_license, lines)), None)
    dated = (find_date(line) for line in lines if is_furniture(line))
    draft.published = draft.published or next(filter(None, dated), None)
