"""All numbers of a report, as one document: what `report.json` holds and the page shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, Field

from evaluation import baseline
from evaluation.items import ItemReader
from evaluation.report.samples import Sample, choose, make_sample
from evaluation.retrieval import BM25Index, Retrieval, evidence, pool, retrieval_score
from evaluation.summary import SMALL, Cell, Comparison, against_positive, cells, comparisons
from graph.models import AnswerRecord, EvaluationItem, RunRecord
from graph.store import Graph

FORMAT = "catenane-report-1"


class EndpointInfo(BaseModel):
    """Who answered. `label` says in words that the baseline is no model."""

    name: str
    model: str
    baseline: bool
    label: str


class Composition(BaseModel):
    """One data set, as far as the run asked its questions. Words are split at white space."""

    dataset: str
    source_format: str
    templates: bool  # own questions written offline, from templates
    questions: int
    by_hops: dict[str, int]
    by_type: dict[str, int]
    question_words: float
    answer_words: float
    gold_words: float
    negatives: float  # mean number of negative graphs of a question


class RetrievalRow(BaseModel):
    """Mean retrieval scores of the questions of one graph type, or of all."""

    group: str
    n: int
    small: bool
    precision: float
    recall: float
    f1: float


class ReportData(BaseModel):
    """A report. Keys are added over time, never renamed."""

    format: str = FORMAT
    run: RunRecord
    endpoints: list[EndpointInfo]
    offline: bool  # only the baseline answered
    label: str | None  # of every table and figure, where only the baseline answered
    questions: int
    answers: int
    errors: int
    gone: int  # questions of the run that are no longer in the graph
    cost: float
    composition: list[Composition]
    by_condition: list[Cell]
    by_dataset: list[Cell]
    by_hops: list[Cell]
    by_type: list[Cell]
    by_perturbation: list[Cell]
    perturbations: list[Comparison]  # positive graph less negative ones, on the same questions
    comparisons: list[Comparison]
    retrieval: list[RetrievalRow]
    samples: list[Sample]
    small_below: int = SMALL
    texts: dict[str, tuple[str, str]] = Field(default_factory=dict, exclude=True)  # question and answer by id


class _Gathered(BaseModel):
    """What one pass over the questions gives."""

    composition: list[Composition] = []
    retrieval: list[RetrievalRow] = []
    samples: list[EvaluationItem] = []
    texts: dict[str, tuple[str, str]] = {}


async def gather(graph: Graph, run_id: str) -> ReportData:
    """Read a run and work out everything its report shows.

    Raises:
        NotFoundError: there is no such run.
    """
    run = await graph.runs.get(run_id)
    answers = await graph.runs.answers(run_id)
    reader = ItemReader(graph)
    found = await _gather_questions(reader, run)
    by_question: dict[str, list[AnswerRecord]] = defaultdict(list)
    for answer in answers:
        by_question[answer.question_id].append(answer)
    relations = await graph.relations.by_ids(
        sorted({hop.relation_id for item in found.samples for hop in item.question.one_hops})
    )
    endpoints = [_endpoint(name, run) for name in run.endpoints]
    offline = all(endpoint.baseline for endpoint in endpoints)
    with_graphs = [a for a in answers if a.condition.startswith(("positive_graph", "negative_graph"))]
    seed = run.seed
    return ReportData(
        run=run,
        endpoints=endpoints,
        offline=offline,
        label=baseline.LABEL if offline else None,
        questions=len(run.question_ids),
        answers=len(answers),
        errors=sum(answer.status == "error" for answer in answers),
        gone=len(run.question_ids) - len(found.texts),
        cost=sum(answer.cost for answer in answers),
        composition=found.composition,
        by_condition=cells(answers, ("endpoint", "condition"), seed=seed),
        by_dataset=cells(answers, ("endpoint", "dataset", "condition"), seed=seed),
        by_hops=cells(answers, ("endpoint", "condition", "hops"), seed=seed),
        by_type=cells(answers, ("endpoint", "graph_type", "condition"), seed=seed),
        by_perturbation=cells(with_graphs, ("endpoint", "perturbation"), seed=seed),
        perturbations=against_positive(with_graphs, seed=seed),
        comparisons=comparisons(answers, seed=seed),
        retrieval=found.retrieval,
        samples=[make_sample(item, by_question[item.question.id], relations) for item in found.samples],
        texts=found.texts,
    )


def _endpoint(name: str, run: RunRecord) -> EndpointInfo:
    mine = name == baseline.NAME
    model = run.settings.get(f"model {name}", name)
    return EndpointInfo(
        name=name, model=model, baseline=mine, label=baseline.LABEL if mine else f"{name} ({model})"
    )


async def _gather_questions(reader: ItemReader, run: RunRecord) -> _Gathered:
    """One pass a data set, a page at a time; a second one over its own pool where BM25 was asked for."""
    asked = set(run.question_ids)
    found = _Gathered()
    scores: dict[str, list[Retrieval]] = defaultdict(list)
    picked = _Picker(run)
    for dataset in run.datasets:
        tally = _Tally(dataset)
        sentences: dict[str, None] = {}
        mine: list[str] = []
        async for item in reader.all(dataset, run.settings.get("corpus")):
            sentences.update(dict.fromkeys(pool([item])))
            if item.question.id in asked:
                mine.append(item.question.id)
                tally.add(item)
                picked.offer(item)
                found.texts[item.question.id] = (item.question.text, item.question.answer)
        if tally.questions:
            found.composition.append(tally.composition())
        if "bm25" in run.conditions:
            index = BM25Index(tuple(sentences))
            async for item in reader.some(mine):
                hits = index.top(item.question.text, int(run.settings["top_k"]))
                retrieved = [index.sentences[hit.place] for hit in hits]
                scores[item.question.graph_type].append(retrieval_score(retrieved, evidence(item)))
    found.retrieval = _retrieval(scores)
    found.samples = picked.chosen()
    return found


class _Tally:
    """Counts and mean lengths of one data set."""

    def __init__(self, dataset: str) -> None:
        self.dataset, self.questions, self.source_format, self.templates = dataset, 0, "", False
        self.hops: Counter[str] = Counter()
        self.types: Counter[str] = Counter()
        self.words: Counter[str] = Counter()

    def add(self, item: EvaluationItem) -> None:
        question = item.question
        self.questions += 1
        self.source_format = question.source_format
        self.templates |= question.source_format == "catenane" and question.backend == "offline"
        self.hops[str(question.hops)] += 1
        self.types[question.graph_type] += 1
        self.words["question"] += len(question.text.split())
        self.words["answer"] += len(question.answer.split())
        self.words["gold"] += sum(len(text.split()) for text in item.gold)
        self.words["negatives"] += len(item.negatives)

    def composition(self) -> Composition:
        def mean(what: str) -> float:
            return self.words[what] / self.questions

        return Composition(
            dataset=self.dataset,
            source_format=self.source_format,
            templates=self.templates,
            questions=self.questions,
            by_hops=dict(sorted(self.hops.items(), key=lambda entry: int(entry[0]))),
            by_type=dict(sorted(self.types.items())),
            question_words=mean("question"),
            answer_words=mean("answer"),
            gold_words=mean("gold"),
            negatives=mean("negatives"),
        )


class _Picker:
    """Keeps one question, or a few, of every data set, type and number of hops for the samples."""

    def __init__(self, run: RunRecord) -> None:
        self._run = run
        self._kept: dict[tuple[str, str, int], list[EvaluationItem]] = defaultdict(list)

    def offer(self, item: EvaluationItem) -> None:
        question = item.question
        group = self._kept[question.dataset, question.graph_type, question.hops]
        if len(group) < 3:
            group.append(item)

    def chosen(self) -> list[EvaluationItem]:
        return choose(list(self._kept.values()))


def _retrieval(scores: dict[str, list[Retrieval]]) -> list[RetrievalRow]:
    rows = [_row(group, scores[group]) for group in sorted(scores)]
    every = [score for group in scores.values() for score in group]
    if not every:
        return []
    means = [Retrieval(row.precision, row.recall, row.f1) for row in rows]
    over_types = _row("mean over types", means).model_copy(update={"n": len(every), "small": False})
    return [*rows, _row("mean over questions", every), over_types]


def _row(group: str, scores: Sequence[Retrieval]) -> RetrievalRow:
    def mean(values: Iterable[float]) -> float:
        return sum(values) / len(scores)

    return RetrievalRow(
        group=group,
        n=len(scores),
        small=len(scores) < SMALL,
        precision=mean(score.precision for score in scores),
        recall=mean(score.recall for score in scores),
        f1=mean(score.f1 for score in scores),
    )
