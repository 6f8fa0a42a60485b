"""Imports without an engine: reading, faults, counts, memory."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errors import InputError, JobCancelled
from qa.datasets import ImportReport, default_name, import_file
from qa.datasets.reader import Records
from settings import REPOSITORY

SAMPLES = REPOSITORY / "samples" / "datasets"

Raw = dict[str, Any]


def hotpot(number: int, **changes: Any) -> Raw:
    return {
        "_id": f"h{number}",
        "question": f"Which {number}?",
        "answer": "tin",
        "type": "bridge",
        "level": "easy",
        "supporting_facts": [["A", 0], ["B", 0]],
        "context": [[title, [f"{title} is tin.", f"More {number}."]] for title in "ABCDEFGHIJ"],
        **changes,
    }


def write(path: Path, records: list[Any]) -> Path:
    path.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    return path


async def dry(path: Path | str, source_format: str = "hotpotqa", **options: Any) -> ImportReport:
    return await import_file(None, format=source_format, path=path, dry_run=True, **options)


# ---------------------------------------------------------------- files


async def test_arrays_lines_gzip_marks_and_standard_input_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [hotpot(number) for number in range(5)]
    text = json.dumps(records).encode()
    lines = "\n\n".join(json.dumps(one) for one in records).encode() + b"\n"
    files = {
        "array.json": text,
        "spaced.json": b" \n\t " + json.dumps(records, indent=2).encode(),
        "marked.json": b"\xef\xbb\xbf" + text,
        "lines.jsonl": lines,
        "lines.jsonl.gz": gzip.compress(lines),
        "plain-name.gz.json": gzip.compress(text),  # told by its content
    }
    reports = []
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        reports.append(await dry(tmp_path / name))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(text))))
    reports.append(await dry("-"))
    assert {(one.read, one.imported, one.exit_code) for one in reports} == {(5, 5, 0)}


def test_names_by_default() -> None:
    assert default_name("hotpotqa", Path("/data/dev.v1.json")) == "hotpotqa-dev.v1"
    assert default_name("musique", "x/ans.jsonl.gz") == "musique-ans"
    assert default_name("2wiki", "-") == "2wiki-stdin"


@pytest.mark.parametrize(
    ("content", "record", "words"),
    [
        (b"", 1, "empty"),
        (b" \n ", 1, "empty"),
        (b"[", "1", "cut short"),
        (b'[{"_id": "a", "quest', "1", "cut short"),
        (b'[{"_id": "a"} {"_id": "b"}]', None, "not valid JSON"),
        (b'{"_id": "a", "quest', "line 1", "cut short"),
        (b'{\n  "_id": "a",\n  "question": "q"\n}\n', "line 1", "several lines"),
        (b"plain text\n", "line 1", "not valid JSON"),
        ('[{"_id": "é"}]'.encode("latin-1"), "1", "not UTF-8"),
        (b'{"_id": "\xe9"}\n', "line 1", "not UTF-8"),
        (gzip.compress(b"[]" * 5000)[:-30], None, "gzip"),
    ],
)
async def test_files_that_cannot_be_read_say_why(
    tmp_path: Path, content: bytes, record: str | int | None, words: str
) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    report = await dry(path)
    assert report.exit_code == 1
    assert report.imported == 0
    assert words in report.errors[0].reason
    assert report.errors[0].source == str(path)
    if record is not None:
        assert report.errors[0].record == record


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize("compressed", [False, True])
async def test_good_records_before_the_cut_of_a_file_are_kept(
    tmp_path: Path, skip_bad: bool, compressed: bool
) -> None:
    text = json.dumps([hotpot(number) for number in range(300)]).encode()
    path = tmp_path / "cut.json"
    path.write_bytes(gzip.compress(text)[:-400] if compressed else text[:-100])
    report = await dry(path, skip_bad=skip_bad)
    assert 250 <= report.imported == report.read < 300
    assert len(report.errors) == 1
    assert "fetch it again" in report.errors[0].reason
    assert report.exit_code == (3 if skip_bad else 1)


async def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        await dry(tmp_path / "nothing.json")
    with pytest.raises(InputError, match="folder"):
        await dry(tmp_path)
    with pytest.raises(InputError, match="no format 'squad'"):
        await dry(tmp_path / "nothing.json", "squad")
    with pytest.raises(InputError, match="dry run"):
        await import_file(None, format="chemkg", path=SAMPLES / "chemkg.json")


# ---------------------------------------------------------------- bad records


def broken(records: list[Raw]) -> list[Raw]:
    del records[2]["context"]
    records[4]["_id"] = "h1"
    return records


async def test_a_bad_record_stops_the_import_and_keeps_what_was_good(tmp_path: Path) -> None:
    report = await dry(write(tmp_path / "f.json", broken([hotpot(number) for number in range(7)])))
    assert report.to_json() == {
        "dataset": "hotpotqa-f",
        "format": "hotpotqa",
        "dry_run": True,
        "read": 3,
        "imported": 2,
        "added": 0,
        "skipped": {},
        "warnings": {},
        "graph_types": {"bridge_2_1": 2},
        "errors": [{"record": "3 (h2)", "field": "context", "reason": "is missing"}],
    }
    assert report.exit_code == 1


async def test_bad_records_are_skipped_and_counted_as_asked(tmp_path: Path) -> None:
    path = write(tmp_path / "f.json", broken([hotpot(number) for number in range(7)]))
    report = await dry(path, skip_bad=True)
    assert report.imported == 5
    assert report.read == report.imported + sum(report.skipped.values())
    assert report.skipped == {"bad_record": 2}
    assert [(error.record, error.field) for error in report.errors] == [
        ("3 (h2)", "context"),
        ("5 (h1)", "_id"),
    ]
    assert "was there before, as record 2" in report.errors[1].reason
    assert str(report.errors[1]).startswith(f"{path}, record 5 (h1), field _id:")
    assert report.exit_code == 3


async def test_a_broken_line_is_one_bad_record(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    lines = [json.dumps(hotpot(number)) for number in range(4)]
    lines[1] = lines[1][:-20]
    path.write_text("\n".join(lines) + "\n")
    report = await dry(path, skip_bad=True)
    assert report.imported == 3
    assert report.errors[0].record == "line 2"


async def test_half_a_surrogate_pair_is_a_bad_record(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(json.dumps(hotpot(0, answer="\ud83d")))  # as an escape: the file itself is sound
    report = await dry(path)
    assert "surrogate" in report.errors[0].reason


async def test_musique_full_has_every_id_twice_by_design(tmp_path: Path) -> None:
    record = json.loads((SAMPLES / "musique.jsonl").read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "full.jsonl"
    path.write_text("\n".join(json.dumps({**record, "answerable": each}) for each in (True, False)))
    report = await dry(path, "musique")
    assert (report.imported, report.skipped, report.bad) == (1, {"unanswerable": 1}, 0)
    path.write_text("\n".join(json.dumps(record) for _ in range(2)))
    assert (await dry(path, "musique")).errors[0].field == "id"


async def test_no_more_than_a_thousand_errors_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text("nonsense\n" * 1500)
    report = await dry(path, skip_bad=True)
    assert report.bad == report.skipped["bad_record"] == 1500
    assert len(report.errors) == 1000


async def test_an_answer_of_which_nothing_is_left_is_counted(tmp_path: Path) -> None:
    path = write(
        tmp_path / "f.json", [hotpot(0, answer="!!!"), hotpot(1, answer="A"), hotpot(2, answer="C++")]
    )
    assert (await dry(path)).warnings == {"answer_normalises_to_nothing": 2}


# ---------------------------------------------------------------- the fullwiki setting


def without_gold(number: int) -> Raw:
    return hotpot(number, supporting_facts=[["A", 0], ["Nowhere", 0]])


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize("count", [8, 200, 350])
async def test_a_fullwiki_file_is_refused(tmp_path: Path, skip_bad: bool, count: int) -> None:
    records = [without_gold(n) if n % 4 == 0 else hotpot(n) for n in range(count)]
    report = await dry(write(tmp_path / "f.json", records), skip_bad=skip_bad)
    assert report.exit_code == 1
    assert report.imported == 0
    assert report.graph_types == {}
    assert report.read == min(count, 200)
    assert report.errors[0].field == "context"
    assert "fullwiki" in report.errors[0].reason
    assert "distractor" in report.errors[0].reason


@pytest.mark.parametrize(
    ("count", "missing"),
    [
        (200, range(20)),  # exactly a tenth
        (300, range(200, 300)),  # later ones do not matter
        (3, [0]),  # a single record tells nothing of the setting
    ],
)
async def test_a_tenth_without_gold_titles_is_no_fullwiki_file(
    tmp_path: Path, count: int, missing: range | list[int]
) -> None:
    records = [without_gold(n) if n in missing else hotpot(n) for n in range(count)]
    report = await dry(write(tmp_path / "f.json", records))
    assert report.exit_code == 0
    assert report.skipped == {"missing_gold_title": len(missing)}
    assert report.imported == count - len(missing)


# ---------------------------------------------------------------- progress and memory


async def test_progress_goes_up_to_the_size_of_the_file_and_can_cancel(tmp_path: Path) -> None:
    path = write(tmp_path / "f.json", [hotpot(number) for number in range(450)])
    seen: list[tuple[int, int | None]] = []
    await dry(path, progress=lambda done, total, message="": seen.append((done, total)))
    size = path.stat().st_size
    assert seen[-1] == (size, size)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    def cancel(done: int, total: int | None, message: str = "") -> None:
        raise JobCancelled("enough")

    with pytest.raises(JobCancelled):
        await dry(path, progress=cancel)


def test_the_file_is_closed_when_reading_stops_early(tmp_path: Path) -> None:
    records = Records(write(tmp_path / "f.json", [hotpot(0), hotpot(1)]))
    stream = iter(records)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert records.done == records.size


# The high-water mark of its own address space: ru_maxrss would carry over what this test run took.
_MEASURE = """
import asyncio, re, sys
from pathlib import Path
from qa.datasets import import_file
report = asyncio.run(import_file(None, format="hotpotqa", path=sys.argv[1], dry_run=True))
print(report.imported, re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


@pytest.fixture
def peak_kb(tmp_path: Path) -> Callable[[int], int]:
    """Peak memory of a dry run over a file of so many records, in a process of its own."""

    def measure(count: int) -> int:
        path = tmp_path / f"{count}.json"
        with path.open("w") as file:
            for number in range(count):
                file.write("," if number else "[")
                file.write(json.dumps(hotpot(number, filler="x" * 6000)))
            file.write("]")
        result = subprocess.run(
            [sys.executable, "-c", _MEASURE, str(path)],
            cwd=REPOSITORY,
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        )
        imported, peak = map(int, result.stdout.split())
        assert imported == count
        return peak

    return measure


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory as Linux tells it")
def test_memory_does_not_grow_with_the_file(peak_kb: Callable[[int], int]) -> None:
    small, large = peak_kb(300), peak_kb(6000)  # 2 MB and 40 MB
    assert large - small < 12_000
    assert large < 300_000
