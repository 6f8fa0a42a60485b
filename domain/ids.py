"""Stable ids, and the fixed pseudo-random number each node and edge carries.

An id is a hash of what identifies the thing, so that ingesting again changes
nothing. `draw` is made from the id, so that one seed gives one order on every
engine (`rand()` cannot be seeded in Cypher).
"""

from __future__ import annotations

import hashlib
import math

_SEPARATOR = "\x1f"


def stable_id(prefix: str, *parts: object) -> str:
    """`prefix_` and 24 hex digits of the SHA-256 of the parts, which no joining can confuse."""
    text = _SEPARATOR.join(str(part).replace(_SEPARATOR, " ") for part in parts)
    return f"{prefix}_{hashlib.sha256(text.encode()).hexdigest()[:24]}"


def sha256(content: str | bytes) -> str:
    """Hex SHA-256 of text (as UTF-8) or bytes."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def draw(identifier: str) -> float:
    """The fixed number in [0, 1) of a node or edge: 30 bits, so that `draw * m` stays exact enough."""
    return int(hashlib.sha256(identifier.encode()).hexdigest()[:15], 16) % 2**30 / 2**30


def multiplier(seed: int) -> float:
    """The `m` that sampling orders by: `draw * m - floor(draw * m)`.

    An odd multiple of the square root of two, between about 1.4e6 and 2e9 for any seed:
    large enough that neighbouring draws part, small enough that 53 bits of mantissa keep
    more than 20 bits of the fraction on every engine.
    """
    hashed = int(hashlib.sha256(str(seed).encode()).hexdigest()[:8], 16)
    return (2 * (hashed % 700_000_000 + 500_000) + 1) * math.sqrt(2)
