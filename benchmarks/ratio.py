"""A measured claim: ours against a named peer, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Ratio:
    """`ratio` = ours / peer in `unit` (higher is better). `least` is what is claimed, if anything is."""

    name: str
    ours: float
    peer: float
    peer_name: str
    unit: str
    least: float | None = None

    @property
    def ratio(self) -> float:
        return self.ours / self.peer if self.peer else float("inf")

    @property
    def holds(self) -> bool:
        return self.least is None or self.ratio >= self.least

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio, "holds": self.holds}

    def __str__(self) -> str:
        claim = (
            ""
            if self.least is None
            else f"  (claimed >= {self.least:g}: {'holds' if self.holds else 'MISSED'})"
        )
        return (
            f"{self.name}: {self.ratio:.2f} x {self.peer_name}"
            f"  [{self.ours:,.1f} against {self.peer:,.1f} {self.unit}]{claim}"
        )


def seconds(work: Callable[[], object], *, repeat: int = 3) -> float:
    """The best wall time of `repeat` runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best
