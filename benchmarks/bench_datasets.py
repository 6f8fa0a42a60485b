"""Dry-run import of a HotpotQA-shaped file against `json.load` of the same file."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path

from benchmarks.ratio import Ratio, seconds
from qa.datasets import import_file
from settings import REPOSITORY

MEGABYTES = 20


def run() -> list[Ratio]:
    """MB a second. The claim of half of json.load's rate is a later issue's; here it is measured."""
    records = json.loads((REPOSITORY / "samples" / "datasets" / "hotpotqa.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hotpot.json"
        size = 0
        with path.open("w", encoding="utf-8") as out:
            out.write("[")
            number = 0
            while size < MEGABYTES * 1_000_000:
                record = {**records[number % len(records)], "_id": f"bench-{number}"}
                size += out.write(("," if number else "") + json.dumps(record))
                number += 1
            out.write("]")

        def load() -> None:
            with path.open(encoding="utf-8") as file:
                assert len(json.load(file)) == number

        def dry_run() -> None:
            report = asyncio.run(import_file(None, format="hotpotqa", path=path, dry_run=True))
            assert report.to_json()["imported"] == number

        peer = seconds(load)
        mine = seconds(dry_run, repeat=1)
    megabytes = size / 1e6
    return [Ratio("dry-run import, HotpotQA", megabytes / mine, megabytes / peer, "json.load", "MB/s")]
