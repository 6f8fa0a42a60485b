"""What an import and a building of negatives report, with the keys of the command line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from errors import RecordError

# A file may be broken in every record; what is kept of them must not grow with it.
MOST_ERRORS = 1000


@dataclass
class ImportReport:
    """Counts of one import.

    Attributes:
        dataset: its name.
        dry_run: nothing was written, `imported` is what would be.
        read: records seen, the broken ones included.
        imported: records of the file that are in the data set after the run.
        added: those of them that were new or had changed.
        skipped: sound records left out by a rule, and under `skip_bad` the broken ones, by reason.
        warnings: faults that were lived with, by kind.
        graph_types: imported questions by type of their positive graph.
        errors: broken records, at most the first 1,000; `bad` counts all.
        refused: the whole file was refused, or reading stopped at a broken record.
    """

    dataset: str
    source_format: str
    dry_run: bool = False
    read: int = 0
    imported: int = 0
    added: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    graph_types: Counter[str] = field(default_factory=Counter)
    errors: list[RecordError] = field(default_factory=list)
    bad: int = 0
    refused: bool = False

    def note(self, error: RecordError) -> None:
        """Count a broken record."""
        self.bad += 1
        if len(self.errors) < MOST_ERRORS:
            self.errors.append(error)

    @property
    def exit_code(self) -> int:
        """0 all is in, 1 the file was refused or reading stopped, 3 broken records were left out."""
        if self.refused:
            return 1
        return 3 if self.bad else 0

    def to_json(self) -> dict[str, Any]:
        """The document that `datasets import --json` prints."""
        return {
            "dataset": self.dataset,
            "format": self.source_format,
            "dry_run": self.dry_run,
            "read": self.read,
            "imported": self.imported,
            "added": self.added,
            "skipped": dict(sorted(self.skipped.items())),
            "warnings": dict(sorted(self.warnings.items())),
            "graph_types": dict(sorted(self.graph_types.items())),
            "errors": [
                {"record": error.record, "field": error.field, "reason": error.reason}
                for error in self.errors
            ],
        }


@dataclass
class NegativesReport:
    """Counts of what is there after negatives were built for a data set or question set.

    Attributes:
        questions: accepted questions that have a positive graph.
        negatives: their negatives.
        built: those of them that this run wrote.
        by_kind, by_hardness: the negatives split.
        shortfall: graphs asked for that do not exist, by reason.
        impossible: questions for which a kind cannot exist, by kind and reason.
    """

    dataset: str
    seed: int
    pool: str
    pool_sha256: str | None = None
    questions: int = 0
    negatives: int = 0
    built: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    by_hardness: Counter[str] = field(default_factory=Counter)
    shortfall: Counter[str] = field(default_factory=Counter)
    impossible: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """The document that `graphs negatives --json` prints."""
        return {
            "dataset": self.dataset,
            "seed": self.seed,
            "pool": self.pool,
            "pool_sha256": self.pool_sha256,
            "questions": self.questions,
            "negatives": self.negatives,
            "built": self.built,
            "by_kind": dict(sorted(self.by_kind.items())),
            "by_hardness": dict(sorted(self.by_hardness.items())),
            "shortfall": dict(sorted(self.shortfall.items())),
            "impossible": dict(sorted(self.impossible.items())),
        }
