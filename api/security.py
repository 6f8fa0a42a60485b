"""Who may talk to the service, and how much they may send.

It listens on loopback and has no passwords yet, so what must be kept out are pages in the user's
own browser: one that reaches it under a name of its own (DNS rebinding) fails the check of the
Host header, one that posts a form to it from elsewhere fails the check of the Origin header.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import problem
from settings import Settings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_JSON_BYTES = 1_000_000
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def allowed_hosts(settings: Settings) -> frozenset[str]:
    """Host names the service answers to: loopback, its own address, and those of the settings."""
    more = {name.strip().lower() for name in settings.allowed_hosts.split(",") if name.strip()}
    own = set() if settings.host in ("0.0.0.0", "::", "") else {settings.host.lower()}  # noqa: S104
    return LOOPBACK | own | more


class GuardMiddleware:
    """Refuses requests under foreign names or from foreign pages, and bodies that are too large."""

    def __init__(self, app: ASGIApp, settings: Settings, upload_paths: Collection[str]) -> None:
        self._app = app
        self._hosts = allowed_hosts(settings)
        self._upload_paths = upload_paths
        self._max_upload = settings.max_upload_mb * 1_000_000

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if reason := self._foreign(scope["method"], headers):
            await problem("forbidden-host", "Forbidden", 403, reason, scope["path"])(scope, receive, send)
            return
        limit = self._max_upload if scope["path"] in self._upload_paths else MAX_JSON_BYTES
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > limit:
            detail = f"The body has {length} bytes; at most {limit} are taken here."
            await problem("too-large", "Content Too Large", 413, detail, scope["path"])(scope, receive, send)
            return
        await self._app(scope, _counted(receive, limit), send)

    def _foreign(self, method: str, headers: dict[str, str]) -> str | None:
        if "*" in self._hosts:
            return None
        host = _host_name(headers.get("host", ""))
        if host not in self._hosts:
            return f"This service does not answer under the name {host!r}; see CATENANE_ALLOWED_HOSTS."
        origin = headers.get("origin")
        if method not in SAFE and origin is not None and _origin_name(origin) not in self._hosts:
            return f"Pages of {origin} may not change anything here."
        return None


def _host_name(host: str) -> str:
    return (urlsplit(f"//{host}").hostname or "").lower()


def _origin_name(origin: str) -> str:
    return (urlsplit(origin).hostname or "").lower()


def _counted(receive: Receive, limit: int) -> Receive:
    """Count the body as it comes in: a chunked one says no length."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise HTTPException(413, f"The body has more than the {limit} bytes that are taken here.")
        return message

    return counted
