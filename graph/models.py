"""What the graph holds, as typed records. Shapes and names follow the labels of the graph.

Offsets are characters into `ChunkRecord.text`, end exclusive. Ids are made by `domain.ids`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from graph.record import Page as Page  # noqa: PLC0414 - re-exported
from graph.record import Record as Record  # noqa: PLC0414 - re-exported

# ---------------------------------------------------------------- documents


class DocumentRecord(Record):
    """One source. `id` = stable_id("doc", version-less DOI, else content hash)."""

    id: str
    name: str  # short title, for captions
    title: str
    authors: tuple[str, ...] = ()
    doi: str | None = None
    version: str | None = None
    license: str | None = None
    url: str | None = None
    published: str | None = None  # ISO date
    source: str  # path or address it was read from
    format: str  # pdf, jats, html, markdown, text, jsonl
    content_sha256: str
    fingerprint: str  # content + recogniser, models, prompts, parameters
    warnings: tuple[str, ...] = ()


class ChunkRecord(Record):
    """A piece of an introduction. `id` = stable_id("chk", document id, ordinal, content_sha256)."""

    id: str
    name: str  # "<short document name> #<ordinal>"
    document_id: str
    ordinal: int  # from 0
    text: str
    words: int
    page: int | None = None  # from 1, where the source has pages
    content_sha256: str  # of the normalised text: equal in two papers = one source


class EntityRecord(Record):
    """A chemical entity. `id` = stable_id("ent", identifier or identity key)."""

    id: str
    name: str  # ASCII form for formulas, usual name for words
    kind: str  # of the domain pack: element, oxide, acid, solvent, polymer, material, compound ...
    key: str  # identity key of `name`
    aliases: tuple[str, ...] = ()
    inchikey: str | None = None
    cid: int | None = None
    smiles: str | None = None
    formula: str | None = None
    weight: float | None = None  # g/mol
    description: str | None = None
    variant_of: str | None = None  # entity id of the compound it is a phase or supported form of
    generic: bool = False  # no specific thing: "catalyst", "solution"


class AliasRecord(Record):
    """A surface that names an entity; two entities may share a key (the alias is then ambiguous)."""

    key: str
    surface: str
    entity_id: str


class MentionRecord(Record):
    """An entity seen in a chunk."""

    entity_id: str
    chunk_id: str
    start: int
    end: int
    surface: str
    recogniser: str


class RelationRecord(Record):
    """One piece of evidence that subject -[predicate]-> object. An edge is its evidence.

    `id` = stable_id("rel", subject surface key, predicate, object surface key, chunk id): neither
    it nor `draw` changes when entities merge. `start`/`end`: the sentence or clause that states it.
    """

    id: str
    subject_id: str
    object_id: str
    subject_surface: str
    object_surface: str
    predicate: str  # as written: "is produced from"
    lemma: str  # for comparison: "produce from (passive)" as domain.predicates makes it
    document_id: str
    chunk_id: str
    start: int
    end: int
    extractor: str
    model: str | None = None
    prompt_sha256: str | None = None
    run_id: str | None = None
    at: datetime | None = None


class DocumentBundle(Record):
    """All that one document says, written in one transaction in place of what it said before."""

    corpus: str
    document: DocumentRecord
    chunks: tuple[ChunkRecord, ...]
    entities: tuple[EntityRecord, ...]
    aliases: tuple[AliasRecord, ...]
    mentions: tuple[MentionRecord, ...]
    relations: tuple[RelationRecord, ...]


class Evidence(Record):
    """A RELATES edge with its text and its place, as `entities show`, gates and prompts need it."""

    relation: RelationRecord
    subject_name: str
    object_name: str
    chunk_text: str
    chunk_sha256: str
    page: int | None
    document_title: str
    document_doi: str | None

    @property
    def sentence(self) -> str:
        """The sentence or clause that states the relation."""
        return self.chunk_text[self.relation.start : self.relation.end]


class Counts(Record):
    """What is there, in one corpus or in all."""

    documents: int = 0
    chunks: int = 0
    mentions: int = 0
    entities: int = 0
    relations: int = 0  # pieces of evidence
    facts: int = 0  # distinct (subject, lemma, object)
    paths: int = 0
    questions: int = 0
    reasoning_graphs: int = 0


# ---------------------------------------------------------------- paths and questions


class PathRecord(Record):
    """(e1)-[r1]->(e2)-[r2]->...-[rK]->(eK+1). The answer is e1; eK+1 is the one entity named.

    `id` = stable_id("pth", *relation ids). `entity_ids` has hops + 1 members, in path order.
    """

    id: str
    hops: int
    entity_ids: tuple[str, ...]
    relation_ids: tuple[str, ...]
    seed: int
    corpus: str | None = None


class OneHop(Record):
    """The sub-question of one hop; its answer is the subject of the hop's relation."""

    question: str
    answer: str
    relation_id: str


GraphType = str  # one of qa.reasoning.shapes.GRAPH_TYPES, or a stable name beyond the twelve
Status = Literal["accepted", "rejected", "failed", "withdrawn", "unverified"]


class QuestionRecord(Record):
    """A question: our own (from a path) or an imported one.

    `dataset` is the name of the question set or of the imported data set. `supporting` are the ids
    of the chunks (own) or sentences (imported) that state the answer path, in hop order.
    """

    id: str
    name: str  # short, for captions
    text: str
    answer: str
    aliases: tuple[str, ...] = ()
    dataset: str
    source_format: str  # catenane, hotpotqa, musique, 2wiki, chemkg
    corpus: str | None = None
    split: str | None = None
    hops: int
    graph_type: GraphType
    declared_type: str | None = None  # what the source says
    source_id: str | None = None  # imported: the record's id in its source
    status: Status = "accepted"
    path_id: str | None = None
    answer_entity_id: str | None = None
    one_hops: tuple[OneHop, ...] = ()
    shortcuts: int = 0
    backend: str = "offline"  # "offline" or the endpoint's name
    notes: tuple[str, ...] = ()  # rules that fired, differences from the source


class Rejection(Record):
    """One entry of the ledger: what was tried and why it was not accepted."""

    id: str
    dataset: str
    stage: str  # path, gate, verification, import
    reason: str  # the gate's name, or the criterion
    detail: str
    path_id: str | None = None
    question_id: str | None = None
    cost: float = 0.0
    hops: int = 0
    failed: bool = False  # an attempt that broke off and may be tried again, not one that was refused


class Spent(Record):
    """What one attempt at a question took."""

    calls: int = 0  # model calls, cached ones not counted
    tokens_in: int = 0
    tokens_out: int = 0  # reasoning included
    cost: float = 0.0
    seconds: float = 0.0


class Yield(Record):
    """The ledger of one question set, summed. Rates per accepted question are None where none is."""

    dataset: str
    attempts: int
    accepted: int
    failed: int
    withdrawn: int
    rejected: dict[str, int]  # by reason
    spent: Spent

    @property
    def rate(self) -> float | None:
        """Accepted per attempt that came to an end."""
        ended = self.attempts - self.failed
        return self.accepted / ended if ended else None

    def per_accepted(self, amount: float) -> float | None:
        """An amount of `spent`, for one accepted question."""
        return amount / self.accepted if self.accepted else None


# ---------------------------------------------------------------- reasoning graphs


class Step(Record):
    """A node of a reasoning graph: a stated sentence (or paragraph), with where it stands."""

    id: str
    ordinal: int  # from 0, topological and stable
    text: str
    title: str = ""
    sentence_ordinal: int | None = None
    sub_question: str | None = None
    sub_answer: str | None = None
    relation_id: str | None = None
    chunk_id: str | None = None
    sentence_ids: tuple[str, ...] = ()  # imported: the sentences the text is made of


class ReasoningGraph(Record):
    """A positive or negative reasoning graph. Edges are pairs of step ordinals, from -> to.

    `perturbation` is None for a positive; else one of edge_added, edge_removed, edge_reversed,
    edges_rewired, node_added, node_removed, node_swapped, distractors.
    """

    id: str
    question_id: str
    polarity: Literal["positive", "negative"]
    perturbation: str | None = None
    hardness: Literal["hard", "easy"] | None = None
    graph_type: GraphType
    steps: tuple[Step, ...]
    edges: tuple[tuple[int, int], ...]
    seed: int | None = None
    pool_sha256: str | None = None
    rules: tuple[str, ...] = ()


class ContextSentence(Record):
    """A sentence or paragraph that came with a question (gold or distractor)."""

    id: str
    title: str
    ordinal: int  # within its paragraph, from 0
    text: str
    supporting: bool = False
    paragraph: int = 0  # of the question's context, from 0


class ImportedQuestion(Record):
    """A question of a known data set, with all that came with it.

    `content_sha256` is of the record as it was understood: another hash means that the question
    is written anew, with what was derived from the old one taken away.
    """

    question: QuestionRecord
    positive: ReasoningGraph
    context: tuple[ContextSentence, ...]
    content_sha256: str


class EvaluationItem(Record):
    """All that a condition needs of one question.

    `gold` are hop by hop the texts a `gold` prompt shows (own: chunk and metadata of the hop's
    answer entity; imported: the supporting sentences). `cluster` is the answer hop's document.
    """

    question: QuestionRecord
    positive: ReasoningGraph | None
    negatives: tuple[ReasoningGraph, ...] = ()
    gold: tuple[str, ...] = ()
    context: tuple[ContextSentence, ...] = ()
    cluster: str | None = None


# ---------------------------------------------------------------- runs


Outcome = Literal["correct", "wrong", "refused", "unparsed", "error"]


class RunRecord(Record):
    """One evaluation: which questions, conditions and endpoints, with which seed."""

    id: str
    name: str
    created: datetime
    datasets: tuple[str, ...]
    conditions: tuple[str, ...]
    endpoints: tuple[str, ...]
    seed: int
    per_type: int | None = None
    settings: dict[str, str] = Field(default_factory=dict)
    question_ids: tuple[str, ...] = ()
    finished: datetime | None = None


class AnswerRecord(Record):
    """One answer; unique by (run, question, condition, endpoint, epoch), from which `id` is made."""

    id: str
    run_id: str
    question_id: str
    condition: str
    endpoint: str
    model: str
    epoch: int = 1
    text: str
    raw: str = ""
    status: Outcome
    em: float = 0.0
    f1: float = 0.0
    chemical_match: bool | None = None
    latency_s: float = 0.0  # without waiting for a slot
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    tokens_reasoning: int = 0
    cost: float = 0.0
    error: str | None = None
    prompt_sha256: str | None = None
    graph_id: str | None = None  # the reasoning graph that was shown, where one was
    perturbation: str | None = None  # of that graph; None for a positive one
    # Of the question, as it was when it was asked: a report needs the answers alone.
    dataset: str = ""
    hops: int = 0
    graph_type: str = ""
    cluster: str | None = None  # see EvaluationItem
