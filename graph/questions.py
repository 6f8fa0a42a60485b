"""Questions and the ledger of the attempts at them: our own sets and imported ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from domain.ids import stable_id
from graph import rows
from graph.connection import Call, Connection
from graph.models import (
    EvaluationItem,
    OneHop,
    Page,
    PathRecord,
    QuestionRecord,
    ReasoningGraph,
    Rejection,
    Spent,
    Yield,
)

if TYPE_CHECKING:
    from graph.reasoning import ReasoningRepository  # which imports this module

_BATCH = 500  # questions read at a time, with all that belongs to them
_SUBS = ("sub_questions", "sub_answers", "sub_relations")


def question_properties(record: QuestionRecord) -> dict[str, Any]:
    """The node's properties: flat, the one-hop questions as three lists; a null removes what was there."""
    flat = record.model_dump(mode="json", exclude={"one_hops"})
    parts = zip(*((hop.question, hop.answer, hop.relation_id) for hop in record.one_hops), strict=True)
    lists = [list(part) for part in parts] or [[], [], []]
    return {**flat, **dict(zip(_SUBS, lists, strict=True))}


def question_record(properties: Mapping[str, Any]) -> QuestionRecord:
    """The record of a node; properties it does not know are left out."""
    known = {key: value for key, value in properties.items() if key in QuestionRecord.model_fields}
    subs = zip(*(properties.get(name) or [] for name in _SUBS), strict=True)
    one_hops = tuple(OneHop(question=q, answer=a, relation_id=r) for q, a, r in subs)
    return QuestionRecord.model_validate({**known, "one_hops": one_hops})


@dataclass(frozen=True)
class Attempt:
    """One attempt at a question from a path: accepted (`question`), or refused or failed (`rejection`).

    `lemmas` are the predicates of the path and `name` its caption.
    """

    path: PathRecord
    name: str
    lemmas: tuple[str, ...]
    spent: Spent
    question: QuestionRecord | None = None
    rejection: Rejection | None = None


@dataclass(frozen=True)
class Asked:
    """An accepted question of a set, as a later attempt must know it."""

    text: str
    lemmas: tuple[str, ...]
    path: PathRecord


@dataclass
class Ledger:
    """What became of the paths of a set so far.

    accepted: by path id. refused: path ids that are done with. failed: path ids that may be tried again.
    """

    accepted: dict[str, Asked] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)

    def done(self, path_id: str) -> bool:
        """Whether an attempt at this path came to its end."""
        return path_id in self.accepted or path_id in self.refused


def rejection_id(dataset: str, path_id: str) -> str:
    """The one entry that a path has in the ledger of a set."""
    return stable_id("rej", dataset, path_id)


class QuestionsRepository:
    """Reads and writes (:Question), (:Rejection) and the (:Path) they are about."""

    def __init__(self, connection: Connection, reasoning: ReasoningRepository) -> None:
        self._connection, self._reasoning = connection, reasoning

    # ------------------------------------------------------------ writing

    async def save(self, attempts: Sequence[Attempt], graphs: Sequence[ReasoningGraph] = ()) -> None:
        """Write attempts, with the positive graphs of the accepted ones, in one transaction."""
        if attempts:
            calls = [*self.statements(attempts), *self._reasoning.statements(graphs)]
            await self._connection.write_all(calls)

    def statements(self, attempts: Sequence[Attempt]) -> list[Call]:
        """The writes of `save` without the graphs, in order."""
        paths, questions, links, entries, cleared = [], [], [], [], []
        for attempt in sorted(attempts, key=lambda each: each.path.id):
            path, spent = attempt.path, attempt.spent.model_dump()
            properties = {
                **path.model_dump(mode="json"),
                "name": attempt.name,
                "lemmas": list(attempt.lemmas),
            }
            paths.append({"id": path.id, "properties": properties})
            if attempt.question is not None:
                asked = attempt.question
                questions.append({"id": asked.id, "properties": {**question_properties(asked), **spent}})
                links.append({"id": asked.id, "path_id": path.id, "answer_id": path.entity_ids[0]})
                cleared.append(rejection_id(asked.dataset, path.id))
            if attempt.rejection is not None:
                entry = attempt.rejection
                properties = {**entry.model_dump(mode="json"), "name": entry.reason, **spent}
                entries.append({"id": entry.id, "path_id": path.id, "properties": properties})
        return [
            ("questions/ledger.merge_paths", {"rows": paths}),
            ("questions/merge", {"rows": questions}),
            ("questions/ledger.link_questions", {"rows": links}),
            ("questions/ledger.clear", {"ids": cleared}),
            ("questions/ledger.merge_rejections", {"rows": entries}),
        ]

    # ------------------------------------------------------------ the ledger

    async def ledger(self, dataset: str) -> Ledger:
        """What was tried for a set. Withdrawn questions do not count: their paths may be tried again."""
        ledger = Ledger()
        for row in await self._connection.read("questions/ledger.accepted", dataset=dataset):
            if row["status"] == "accepted":
                path = PathRecord(
                    id=row["path_id"],
                    hops=row["hops"],
                    entity_ids=tuple(row["entity_ids"]),
                    relation_ids=tuple(row["relation_ids"]),
                    seed=row["seed"],
                    corpus=row["corpus"],
                )
                ledger.accepted[path.id] = Asked(row["text"], tuple(row["lemmas"]), path)
        for row in await self._connection.read("questions/ledger.rejected", dataset=dataset):
            (ledger.failed if row["failed"] else ledger.refused).add(row["path_id"])
        return ledger

    async def rejections(
        self,
        dataset: str | None = None,
        *,
        reason: str | None = None,
        hops: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Rejection]:
        """Entries of the ledger by id: all, or a page of at most `limit`. InputError on a broken cursor."""
        (after,) = rows.place(cursor, 1)
        items: list[Rejection] = []
        while True:
            wanted = _BATCH if limit is None else limit + 1
            found = await self._connection.read(
                "questions/ledger.list",
                dataset=dataset,
                reason=reason,
                hops=hops,
                after=after or "",
                limit=wanted,
            )
            items += [_rejection(row["rejection"]) for row in found[:limit]]
            if limit is not None or len(found) < wanted:
                more = limit is not None and len(found) > limit and bool(items)
                return Page(items=items, next=rows.cursor(items[-1].id) if more else None)
            after = items[-1].id

    async def yield_of(self, dataset: str) -> Yield:
        """Attempts, accepted, by reason, and what they took, of one set."""
        counts: Counter[str] = Counter()
        rejected: Counter[str] = Counter()
        spent = dict.fromkeys(Spent.model_fields, 0.0)
        failed = 0
        for row in await self._connection.read("questions/ledger.sums", dataset=dataset):
            counts[row["outcome"]] += row["attempts"]
            _add(spent, row)
        for row in await self._connection.read("questions/ledger.rejection_sums", dataset=dataset):
            if row["failed"]:
                failed += row["attempts"]
            else:
                rejected[row["reason"]] += row["attempts"]
            _add(spent, row)
        return Yield(
            dataset=dataset,
            attempts=sum(counts.values()) + sum(rejected.values()) + failed,
            accepted=counts["accepted"],
            failed=failed,
            withdrawn=counts["withdrawn"],
            rejected=dict(sorted(rejected.items())),
            spent=Spent(
                calls=int(spent["calls"]),
                tokens_in=int(spent["tokens_in"]),
                tokens_out=int(spent["tokens_out"]),
                cost=spent["cost"],
                seconds=spent["seconds"],
            ),
        )

    # ------------------------------------------------------------ reading

    async def get(self, question_id: str) -> QuestionRecord | None:
        """One question, None where it is not there."""
        found = await self._connection.read("questions/read.get", ids=[question_id])
        return question_record(found[0]["question"]) if found else None

    async def names(self) -> list[dict[str, Any]]:
        """The sets by name: `{name, source_format, questions, accepted, by_hops, by_structure}`.

        `by_hops` and `by_structure` count accepted questions.
        """
        sets: dict[str, dict[str, Any]] = {}
        for row in await self._connection.read("questions/read.names"):
            entry = sets.setdefault(
                row["name"],
                {
                    "name": row["name"],
                    "source_format": row["source_format"],
                    "questions": 0,
                    "accepted": 0,
                    "by_hops": Counter(),
                    "by_structure": Counter(),
                },
            )
            entry["questions"] += row["questions"]
            if row["status"] == "accepted":
                entry["accepted"] += row["questions"]
                entry["by_hops"][row["hops"]] += row["questions"]
                entry["by_structure"][row["graph_type"]] += row["questions"]
        for entry in sets.values():
            entry["by_hops"] = {str(hops): n for hops, n in sorted(entry["by_hops"].items())}
            entry["by_structure"] = dict(sorted(entry["by_structure"].items()))
        return list(sets.values())

    async def accepted_ids(self, dataset: str | None = None, corpus: str | None = None) -> list[str]:
        """Ids of accepted questions, sorted; what was withdrawn is not among them."""
        found = await self._connection.read("questions/read.accepted_ids", dataset=dataset, corpus=corpus)
        return [row["id"] for row in found]

    async def items(
        self,
        dataset: str | None = None,
        corpus: str | None = None,
        *,
        ids: Sequence[str] | None = None,
    ) -> list[EvaluationItem]:
        """Accepted questions with all that a condition needs, by id; with `ids` just those of them.

        `gold` goes in the order of the positive graph, from the named entity to the answer. Own: the
        chunk of each hop, then what is known of the entity that answers the hop. Imported: the steps'
        texts. `cluster` is the document of the answer's hop, or the title it stands under.
        """
        wanted = await self.accepted_ids(dataset, corpus)
        if ids is not None:
            chosen = set(ids)
            wanted = [each for each in wanted if each in chosen]
        items: list[EvaluationItem] = []
        for first in range(0, len(wanted), _BATCH):
            items += await self._items(wanted[first : first + _BATCH])
        return items

    async def _items(self, ids: Sequence[str]) -> list[EvaluationItem]:
        found = await self._connection.read("questions/read.get", ids=list(ids))
        records = [question_record(row["question"]) for row in found]
        graphs = await self._reasoning.of_questions(list(ids))
        contexts = await self._reasoning.contexts(list(ids))
        relations = sorted({hop.relation_id for record in records for hop in record.one_hops})
        stated = {row["id"]: row for row in await self._connection.read("questions/read.gold", ids=relations)}
        items = []
        for record in records:
            positives: list[ReasoningGraph] = []
            negatives: list[ReasoningGraph] = []
            for graph in graphs.get(record.id, []):
                (positives if graph.polarity == "positive" else negatives).append(graph)
            positive = positives[0] if positives else None
            own = [stated[hop.relation_id] for hop in record.one_hops if hop.relation_id in stated]
            if own:
                gold = tuple(_gold(row) for row in reversed(own))
                cluster: str | None = own[0]["document_id"]
            else:
                gold = tuple(step.text for step in positive.steps) if positive else ()
                cluster = (positive.steps[-1].title or None) if positive else None
            items.append(
                EvaluationItem(
                    question=record,
                    positive=positive,
                    negatives=tuple(negatives),
                    gold=gold,
                    context=tuple(contexts.get(record.id, ())),
                    cluster=cluster,
                )
            )
        return items

    # Last in the class: after it, `list` would mean this method.
    async def list(
        self,
        dataset: str | None = None,
        *,
        corpus: str | None = None,
        hops: int | None = None,
        graph_type: str | None = None,
        status: str | None = None,
        split: str | None = None,
        backend: str | None = None,
        text: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[QuestionRecord]:
        """Questions by set, hops and id: all that pass the filters, or a page of at most `limit`.

        `text` is looked for in question and answer, whatever its case. Raises InputError on a broken cursor.
        """
        after_dataset, after_hops, after_id = rows.place(cursor, 3)
        items: list[QuestionRecord] = []
        while True:
            wanted = _BATCH if limit is None else limit + 1
            found = await self._connection.read(
                "questions/read.list",
                dataset=dataset,
                corpus=corpus,
                hops=hops,
                graph_type=graph_type,
                status=status,
                split=split,
                backend=backend,
                text=text.lower() if text else None,
                after_dataset=after_dataset or "",
                after_hops=int(after_hops or -1),
                after_id=after_id or "",
                limit=wanted,
            )
            items += [question_record(row["question"]) for row in found[:limit]]
            last = items[-1] if items else None
            if last is None or limit is not None or len(found) < wanted:
                more = last is not None and limit is not None and len(found) > limit
                place = rows.cursor(last.dataset, str(last.hops), last.id) if last and more else None
                return Page(items=items, next=place)
            after_dataset, after_hops, after_id = last.dataset, str(last.hops), last.id


def _rejection(properties: Mapping[str, Any]) -> Rejection:
    return Rejection.model_validate(
        {key: value for key, value in properties.items() if key in Rejection.model_fields}
    )


def _add(spent: dict[str, float], row: Mapping[str, Any]) -> None:
    for name in Spent.model_fields:
        spent[name] += row[name] or 0


def _gold(row: Mapping[str, Any]) -> str:
    """The chunk, then a line on the entity that answers the hop."""
    subject = row["subject"]
    known = [
        f"{label} {subject[name]}{unit}"
        for name, label, unit in (
            ("kind", "kind", ""),
            ("formula", "formula", ""),
            ("weight", "molar mass", " g/mol"),
            ("smiles", "SMILES", ""),
            ("description", "description", ""),
        )
        if subject.get(name) is not None
    ]
    lines = [row["text"], f"{subject['name']}: {'; '.join(known)}." if known else "", *row["metadata"]]
    return "\n\n".join(line for line in lines if line)
