"""When a transaction is tried again, and how long to wait before.

Every write of ours is idempotent (MERGE by id, replace, delete), so trying one again is safe even
where the first try was applied and only its acknowledgement was lost.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from neo4j.exceptions import ClientError, Neo4jError, ServiceUnavailable, SessionExpired, TransientError

# Two clients that MERGE one new key at once: Neo4j lets the second wait, the embedded engine
# refuses it with this code. The next try finds the node.
CONSTRAINT = "Neo.ClientError.Schema.ConstraintValidationFailed"


@dataclass
class Backoff:
    """Waiting times that double from `first` up to `most` seconds, each cut by up to half at random."""

    tries: int = 12
    first: float = 0.02
    most: float = 2.0
    _rng: random.Random = field(default_factory=random.Random)

    def wait(self, attempt: int) -> float:
        """Seconds to wait after attempt number `attempt` (from 0) failed."""
        longest = min(self.most, self.first * 2.0**attempt)
        return longest * (0.5 + self._rng.random() / 2)


def lost(error: BaseException) -> bool:
    """Whether the engine went away, so that we must find it again first."""
    return isinstance(error, ServiceUnavailable | SessionExpired | OSError)


def worth_retrying(error: BaseException) -> bool:
    """Whether the same transaction may succeed on another try."""
    if isinstance(error, TransientError) or lost(error):
        return True
    if isinstance(error, ClientError):
        return error.code == CONSTRAINT
    return isinstance(error, Neo4jError) and error.is_retryable()
