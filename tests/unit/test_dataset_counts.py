"""Counts over our small data sets and over real records."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from qa.datasets import ImportReport, import_file
from qa.datasets.musique import PREFIXES
from qa.reasoning.shapes import GRAPH_TYPES
from samples.datasets.build import build
from settings import REPOSITORY

SAMPLES = REPOSITORY / "samples" / "datasets"
SHARED = REPOSITORY.parent / "shared" / "data"


async def dry(path: Path, source_format: str) -> ImportReport:
    return await import_file(None, format=source_format, path=path, dry_run=True)


# ---------------------------------------------------------------- our own small data sets


async def test_the_small_data_sets_show_all_twelve_types_without_a_fault() -> None:
    types: Counter[str] = Counter()
    files = {"hotpotqa": "hotpotqa.json", "musique": "musique.jsonl", "2wiki": "2wiki.json"}
    for source_format, name in {**files, "chemkg": "chemkg.json"}.items():
        report = await dry(SAMPLES / name, source_format)
        assert report.exit_code == 0
        assert report.read == report.imported
        assert not report.skipped
        assert not report.warnings
        types.update(report.graph_types)
    assert set(types) >= set(GRAPH_TYPES)


def test_the_small_data_sets_are_what_their_sources_build() -> None:
    for name, text in build().items():
        assert (SAMPLES / name).read_text(encoding="utf-8") == text, "run python -m samples.datasets.build"


def test_no_distractor_tells_an_answer_of_the_small_data_sets() -> None:
    for line in (SAMPLES / "musique.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        foreign = " ".join(p["paragraph_text"] for p in record["paragraphs"] if not p["is_supporting"])
        for step in record["question_decomposition"]:
            assert step["answer"].casefold() not in foreign.casefold()


# ---------------------------------------------------------------- real records


def real(name: str) -> Path:
    if not SHARED.is_dir():
        pytest.skip("the folder of real records is not there")
    return SHARED / name


# Counted by other code over the same files: records by their own `type` or id prefix, less what
# the faults of the table in docs/reasoning-graphs.md take away.
@pytest.mark.parametrize(
    ("source_format", "name", "types", "skipped", "warnings"),
    [
        (
            "hotpotqa",
            "hotpotqa/hotpot_train_100.json",
            {"bridge_2_1": 78, "comparison_2_1": 22},
            {},
            {"html_entity_in_title": 10, "empty_sentence": 2, "fewer_than_ten_paragraphs": 1},
        ),
        (
            "hotpotqa",
            "hotpotqa/hotpot_dev_distractor_120.json",
            {"bridge_2_1": 93, "comparison_2_1": 27},
            {},
            {"html_entity_in_title": 7, "fewer_than_ten_paragraphs": 2},
        ),
        (
            "2wiki",
            "2wiki/2wiki_train_300.json",
            {"comparison_2_1": 102, "bridge_2_1": 130 + 11 - 3, "bridge_comparison_4_1": 57},
            {"fewer_than_two_facts": 3},
            {"duplicate_title": 16, "supporting_fact_out_of_range": 3},
        ),
        (
            "2wiki",
            "2wiki/2wiki_entity_not_title.json",
            {"bridge_2_1": 31},
            {},
            {"duplicate_title": 1},
        ),
        (
            "chemkg",
            "chemkg/chemkg_format_sample.json",
            # Three of each length; in one of two hops and one of three the hops do not connect.
            {
                "bridge_1_1": 3,
                "bridge_2_1": 2,
                "comparison_2_1": 1,
                "bridge_3_1": 2,
                "other_3_558086": 1,
                "bridge_4_1": 3,
            },
            {},
            {
                "reversed_hop": 6,
                "answer_is_not_first_entity": 5,
                "hop_answer_is_no_entity": 1,
                "hops_do_not_connect": 2,
                "graph_type_differs_from_source": 2,
            },
        ),
    ],
)
async def test_real_records(
    source_format: str,
    name: str,
    types: dict[str, int],
    skipped: dict[str, int],
    warnings: dict[str, int],
) -> None:
    report = await dry(real(name), source_format)
    assert report.graph_types == types
    assert report.skipped == skipped
    assert report.warnings == warnings
    assert report.imported == sum(types.values())
    assert not report.errors


async def test_facts_out_of_range_in_real_records() -> None:
    report = await dry(real("2wiki/2wiki_sf_out_of_range.json"), "2wiki")
    assert report.warnings["supporting_fact_out_of_range"] == 6
    assert report.skipped == {"fewer_than_two_facts": 5}
    assert report.imported == 1  # four facts less one: kept, and said to differ from its source
    assert report.warnings["graph_type_differs_from_source"] == 1


@pytest.mark.parametrize(
    ("name", "unanswerable"),
    [
        ("musique_ans_train_100.jsonl", 0),
        ("musique_ans_dev_structures.jsonl", 0),
        ("musique_full_20.jsonl", 9),
    ],
)
async def test_musique_types_agree_with_the_id_in_all(name: str, unanswerable: int) -> None:
    path = real(f"musique/{name}")
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    expected = Counter(PREFIXES[one["id"].partition("__")[0]] for one in records if one["answerable"])
    report = await dry(path, "musique")
    assert report.graph_types == expected
    assert report.warnings["graph_type_differs_from_source"] == 0
    assert report.skipped == ({"unanswerable": unanswerable} if unanswerable else {})
