"""Lists over HTTP: `limit`, an opaque `cursor`, and a Link header to the next page."""

from __future__ import annotations

from typing import Annotated, TypeVar

from fastapi import Query, Request, Response

from graph.models import Page

T = TypeVar("T")

LimitQuery = Annotated[int, Query(ge=1, le=1000, description="Most items of this page.")]
CursorQuery = Annotated[str | None, Query(description="`next` of the page before, as it stands there.")]
CorpusQuery = Annotated[str | None, Query(description="Only what is in this corpus; all by default.")]


def linked(page: Page[T], request: Request, response: Response) -> Page[T]:
    """The page, with `Link: <...>; rel="next"` where there is another one."""
    if page.next is not None:
        following = request.url.include_query_params(cursor=page.next)
        response.headers["Link"] = f'<{following.path}?{following.query}>; rel="next"'
    return page
