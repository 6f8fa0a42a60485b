"""Reports: complete, self-contained, labelled, and with the numbers of the answers."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from errors import NotFoundError
from evaluation.baseline import LABEL
from evaluation.report import write_report
from evaluation.report.labels import condition_label, perturbation_label, signed
from evaluation.run import execute_run
from evaluation.spec import RunSpec
from graph.models import EvaluationItem
from tests.support.evaluating import ScriptedModel, item, memory_graph

NASTY = 'Which <b>salt</b> & "acid" is </script><script>alert(1)</script>?'


class Page(HTMLParser):
    """What a page would load, and whether its tags match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.captions: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            loads = name in {"src", "srcset", "action", "data", "poster"} or (name.endswith("href"))
            if loads and value and not value.startswith("#"):
                self.loads.append(value)
        if tag in {"caption", "figcaption"}:
            self._open = tag
            self.captions.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._open:
            self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.captions[-1] += data


def items() -> list[EvaluationItem]:
    own = [item(n, dataset="own", source_format="catenane", cluster=f"doc{n // 2}") for n in range(16)]
    hops = [
        each.model_copy(update={"question": each.question.model_copy(update={"hops": 1 + n % 3})})
        for n, each in enumerate(own)
    ]
    few = [item(n, dataset="few", graph_type="comparison_2_1") for n in range(3)]
    odd = few[0].model_copy(update={"question": few[0].question.model_copy(update={"text": NASTY})})
    return [*hops, odd, *few[1:]]


@pytest.fixture(scope="module")
async def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    graph = memory_graph(items())
    result = await execute_run(graph, RunSpec(datasets=("own", "few"), seed=1))
    return await write_report(graph, result.run_id, tmp_path_factory.mktemp("out") / "new" / "folder")


def page_of(written: list[Path]) -> str:
    return written[0].read_text(encoding="utf-8")


def test_three_files_and_nothing_else(written: list[Path]) -> None:
    assert [path.name for path in written] == ["report.html", "report.json", "answers.csv"]
    assert sorted(path.name for path in written[0].parent.iterdir()) == sorted(path.name for path in written)


def test_it_loads_nothing_from_elsewhere(written: list[Path]) -> None:
    text = page_of(written)
    page = Page(text)
    assert page.loads == []
    assert not {"script", "link", "iframe", "img", "object", "embed", "base"} & set(page.tags)
    assert "@import" not in text and not re.search(r"url\((?!#)", text)
    # Addresses occur as the names of XML namespaces only.
    assert set(re.findall(r"https?://[^\s\"'<>]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_every_table_and_figure_of_the_baseline_says_so(written: list[Path]) -> None:
    captions = Page(page_of(written)).captions
    of_data = ("BM25 retrieval", "Data sets, as far", "Questions by type")
    assert sum(caption.startswith("Figure") for caption in captions) == 5
    for caption in captions:
        assert LABEL in caption or any(each in caption for each in of_data), caption
    numbers = [re.match(r"(Table|Figure) (\d+)\.", caption) for caption in captions]
    for kind in ("Table", "Figure"):
        found = [int(match[2]) for match in numbers if match and match[1] == kind]
        assert found == list(range(1, len(found) + 1))


def test_what_questions_hold_is_shown_as_text(written: list[Path]) -> None:
    text = page_of(written)
    assert "<script>alert" not in text and "<b>salt</b>" not in text
    assert "&lt;b&gt;salt&lt;/b&gt;" in text


def test_small_cells_are_marked(written: list[Path]) -> None:
    document = json.loads(written[1].read_text(encoding="utf-8"))
    small = {cell["keys"]["graph_type"]: cell["small"] for cell in document["by_type"]}
    assert small == {"bridge_2_1": False, "comparison_2_1": True}
    assert "†" in page_of(written)


def test_the_numbers_are_those_of_the_answers(written: list[Path]) -> None:
    document = json.loads(written[1].read_text(encoding="utf-8"))
    with written[2].open(encoding="utf-8", newline="") as file:
        answers = list(csv.DictReader(file))
    assert document["format"] == "catenane-report-1" and document["label"] == LABEL and document["offline"]
    assert document["answers"] == len(answers) == 19 * 5
    for cell in document["by_condition"]:
        mine = [a for a in answers if a["condition"] == cell["keys"]["condition"]]
        assert cell["n"] == len(mine) == 19
        assert cell["em"] == pytest.approx(sum(float(a["em"]) for a in mine) / 19)
        assert f"{cell['em']:.2f}" in page_of(written)
    assert {a["label"] for a in answers} == {LABEL}
    assert {a["question"] for a in answers if a["question_id"] == "few-0000"} == {NASTY}
    assert {"own", "few"} == {part["dataset"] for part in document["composition"]}
    kinds = {cell["keys"]["perturbation"] for cell in document["by_perturbation"]}
    assert kinds == {"", "edge_reversed", "edge_removed"}


def test_retrieval_by_hand(written: list[Path]) -> None:
    document = json.loads(written[1].read_text(encoding="utf-8"))
    rows = {row["group"]: row for row in document["retrieval"]}
    # The three questions of "few" have a pool of six sentences, all of which are found: 2 of 6 are right.
    few = rows["comparison_2_1"]
    assert (few["n"], few["recall"]) == (3, 1.0)
    assert few["precision"] == pytest.approx(1 / 3) and few["f1"] == pytest.approx(0.5)
    every = rows["mean over questions"]
    assert every["recall"] == pytest.approx((16 * rows["bridge_2_1"]["recall"] + 3) / 19)
    assert rows["mean over types"]["recall"] == pytest.approx((rows["bridge_2_1"]["recall"] + 1) / 2)


def test_samples_show_path_and_answers(written: list[Path]) -> None:
    document = json.loads(written[1].read_text(encoding="utf-8"))
    samples = document["samples"]
    assert 4 <= len(samples) <= 12 and samples[0]["dataset"] == "own"
    assert {(s["dataset"], s["hops"]) for s in samples} == {("own", 1), ("own", 2), ("own", 3), ("few", 2)}
    first = samples[0]
    assert [a["condition"] for a in first["answers"]] == [
        "closed_book",
        "bm25",
        "gold",
        "positive_graph",
        "negative_graph",
    ]
    assert first["path"][0]["sentence"].startswith("Mayor")
    assert page_of(written).count('role="img"') == len(samples)


async def test_a_model_beside_the_baseline(tmp_path: Path) -> None:
    graph = memory_graph(items())
    model = ScriptedModel(lambda prompt, n: ("ok", "R1") if n % 9 else ("error", ""), cost=0.01)
    spec = RunSpec(datasets=("own", "few"), seed=1, endpoints=("scripted", "baseline"))
    result = await execute_run(graph, spec, clients={"scripted": model.client})
    html, numbers, _ = await write_report(graph, result.run_id, tmp_path)
    document = json.loads(numbers.read_text(encoding="utf-8"))
    assert document["offline"] is False and document["label"] is None
    assert [e["baseline"] for e in document["endpoints"]] == [False, True]
    text = html.read_text(encoding="utf-8")
    # No caption claims that all is the baseline's; every row of the baseline says what it is.
    assert not any(LABEL in caption for caption in Page(text).captions)
    assert f"baseline ({LABEL})" in text and "tokens in" in text and "not finished" in text


async def test_questions_that_went_are_counted(tmp_path: Path) -> None:
    graph = memory_graph(items())
    result = await execute_run(graph, RunSpec(datasets=("own", "few"), seed=1))
    del graph.questions.held["few-0001"]  # type: ignore[attr-defined]
    html, numbers, table = await write_report(graph, result.run_id, tmp_path)
    assert json.loads(numbers.read_text(encoding="utf-8"))["gone"] == 1
    assert "no longer accepted" in html.read_text(encoding="utf-8")
    assert table.read_text(encoding="utf-8").count(",few-0001,") == 5


async def test_there_is_no_report_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        await write_report(memory_graph([]), "run_none", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_labels() -> None:
    assert condition_label("negative_graph:edge_added") == "negative graph (edge added)"
    assert condition_label("closed_book") == "closed book"
    assert [signed(x) for x in (-0.001, 0.0, 0.004, -0.25, 0.5)] == ["0.00", "0.00", "0.00", "−0.25", "+0.50"]
    assert perturbation_label("") == "none (positive graph)"
