"""The cache of validated replies: one SQLite file in the home, shared by all processes.

Only a reply that passed its schema is kept, so a bad reply is asked again. The key holds all that
could change the reply: address, model, messages, parameters, schema and epoch. `tag` names what a
reply was bought for (a document), so that deleting that purges it here too.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from llm.replies import Message, Usage

_SCHEMA = """
CREATE TABLE IF NOT EXISTS reply (
    key TEXT PRIMARY KEY, tag TEXT NOT NULL, text TEXT NOT NULL, latency_s REAL NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_cached INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL, tokens_reasoning INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reply_tag ON reply (tag);
"""


class CachedReply(NamedTuple):
    """A stored reply: the JSON text that passed the schema, and what it took."""

    text: str
    usage: Usage
    latency_s: float


def cache_key(
    *,
    base_url: str,
    model: str,
    messages: Sequence[Message],
    parameters: Mapping[str, Any],
    schema: Mapping[str, Any],
    epoch: int,
) -> str:
    """SHA-256 over everything that could change the reply."""
    parts = [base_url, model, list(messages), dict(parameters), dict(schema), epoch]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


class ReplyCache:
    """Open on a file; safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=30.0, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.executescript(_SCHEMA)

    def get(self, key: str) -> CachedReply | None:
        """The stored reply, or None."""
        with self._lock:
            row = self._db.execute(
                "SELECT text, latency_s, tokens_in, tokens_cached, tokens_out, tokens_reasoning"
                " FROM reply WHERE key = ?",
                (key,),
            ).fetchone()
        return None if row is None else CachedReply(row[0], Usage(*row[2:]), row[1])

    def put(self, key: str, reply: CachedReply, *, tag: str = "") -> None:
        """Keep a validated reply; committed when this returns."""
        usage = reply.usage
        with self._lock:
            self._db.execute(
                "INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    key,
                    tag,
                    reply.text,
                    reply.latency_s,
                    usage.tokens_in,
                    usage.tokens_cached,
                    usage.tokens_out,
                    usage.tokens_reasoning,
                ),
            )

    def purge(self, tag: str) -> int:
        """Forget what was bought for `tag`; returns how many replies went."""
        with self._lock:
            return self._db.execute("DELETE FROM reply WHERE tag = ?", (tag,)).rowcount

    def close(self) -> None:
        with self._lock:
            self._db.close()
