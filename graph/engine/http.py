"""The engine's HTTP endpoint: is it ours and ready, and make the database.

Only what Bolt cannot do on the embedded engine goes this way.
"""

from __future__ import annotations

import base64
import json
import socket
import urllib.error
import urllib.request
from typing import Any

from errors import EngineError
from graph.engine.command import DATABASE, USER

# "Bolt, please; I speak 4.4": enough to see that a Bolt server answers.
_BOLT_HELLO = bytes.fromhex("6060b017" + "00000404" + "00000000" * 3)


def call(
    http_port: int, password: str, path: str, body: dict[str, Any] | None = None, *, seconds: float = 30.0
) -> dict[str, Any]:
    """One call as root. Raises OSError where nothing answers, EngineError on a refusal."""
    token = base64.b64encode(f"{USER}:{password}".encode()).decode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{http_port}/api/v1/{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Basic {token}", "Content-Type": "application/json"},
    )
    # No proxies: a proxy set in the environment must not be asked for loopback.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=seconds) as reply:
            content = reply.read()
    except urllib.error.HTTPError as error:
        detail = error.read().decode(errors="replace")[:500]
        raise EngineError(f"The embedded engine answered {error.code}: {detail}") from error
    return dict(json.loads(content)) if content else {}


def answers(http_port: int, bolt_port: int, password: str, *, seconds: float = 2.0) -> bool:
    """Whether our engine listens on both ports (another's would refuse our password, or say nothing)."""
    try:
        call(http_port, password, "databases", seconds=seconds)
        with socket.create_connection(("127.0.0.1", bolt_port), timeout=seconds) as connection:
            connection.sendall(_BOLT_HELLO)
            return len(connection.recv(4)) == 4  # the version it chose
    except (OSError, ValueError, EngineError):
        return False


def ensure_database(http_port: int, password: str) -> None:
    """Create our database where it is missing."""
    if DATABASE not in call(http_port, password, "databases").get("result", []):
        call(http_port, password, "server", {"command": f"create database {DATABASE}"})
