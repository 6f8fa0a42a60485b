"""Import of the four known data sets: read, understand, check, store.

Memory does not grow with the file: records go through in batches, and the ids seen are kept in a
temporary database on disk.
"""

from __future__ import annotations

import json
import sqlite3
import string
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domain.ids import sha256, stable_id
from domain.progress import Progress, silent
from errors import ConflictError, InputError, RecordError
from graph.models import ContextSentence, ImportedQuestion, QuestionRecord
from qa.datasets import chemkg, hotpotqa, musique, wiki2
from qa.datasets.reader import STDIN, Records
from qa.datasets.records import ParsedRecord, Skipped
from qa.datasets.report import ImportReport
from qa.reasoning.positive import Node, build_positive
from qa.reasoning.shapes import classify

if TYPE_CHECKING:  # a dry run needs no engine, and not the time to load its driver
    from graph.store import Graph

Parser = Callable[[Any, str, str], ParsedRecord | Skipped]

FORMATS: dict[str, Parser] = {
    "hotpotqa": hotpotqa.parse,
    "musique": musique.parse,
    "2wiki": wiki2.parse,
    "chemkg": chemkg.parse,
}

# How the sources' units became nodes and edges, kept with the data set (see docs/reasoning-graphs.md).
CHOICES: dict[str, tuple[str, ...]] = {
    "hotpotqa": (
        "A node is a gold title with its supporting sentences.",
        "A bridge ends in the title that holds the answer; the rule that told so is on each graph.",
    ),
    "musique": (
        "A node is the paragraph that supports a sub-question, with that and its answer.",
        "An edge is a reference to an earlier sub-question.",
    ),
    "2wiki": (
        "A node is one supporting fact; facts of one title follow each other in a chain.",
        "An edge joins an evidence's object to another's subject; the rule needed is on each graph.",
    ),
    "chemkg": (
        "A node is the text of a hop, with the metadata of its answer beside it.",
        "An edge leads from a hop to the hop whose entity2 it answers.",
    ),
}

_VERSION = 1  # of what is stored; another number makes every question be written anew
_BATCH = 100
_LOOKED_AT = 200  # records after which the fullwiki setting is recognised
_TITLED = ("hotpotqa", "2wiki")
_ARTICLES = ("a", "an", "the")


def default_name(source_format: str, path: Path | str) -> str:
    """Format and file stem."""
    stem = "stdin" if str(path) == STDIN else Path(path).name.removesuffix(".gz")
    return f"{source_format}-{stem if stem == 'stdin' else Path(stem).stem}"


async def import_file(
    graph: Graph | None,
    *,
    format: str,
    path: Path | str,
    name: str | None = None,
    dry_run: bool = False,
    skip_bad: bool = False,
    progress: Progress = silent,
) -> ImportReport:
    """Import one file (`-` is standard input) as the data set `name`.

    A broken record stops the import unless `skip_bad`; the good ones before it are kept either
    way. What is left out by a rule is counted and stops nothing. Importing again writes nothing.
    `progress` counts bytes of the file, or records where its size is not known.

    Args:
        graph: where to store; may be None for a dry run, which needs no engine.

    Raises InputError where the format is unknown or the file cannot be opened, ConflictError
    where the data set exists in another format, JobCancelled from `progress`.
    """
    if format not in FORMATS:
        raise InputError(f"There is no format {format!r}; known are {', '.join(FORMATS)}.")
    if graph is None and not dry_run:
        raise InputError("An import needs the graph; only a dry run does without.")
    run = _Import(None if dry_run else graph, format, path, name or default_name(format, path), skip_bad)
    run.report.dry_run = dry_run
    await run.run(progress)
    return run.report


class _Import:
    """One import under way."""

    def __init__(
        self, graph: Graph | None, source_format: str, path: Path | str, name: str, skip_bad: bool
    ) -> None:
        self.graph, self.skip_bad = graph, skip_bad
        self.records = Records(path)
        self.report = ImportReport(name, source_format)
        self._parse = FORMATS[source_format]
        self._looking = source_format in _TITLED
        self._held: list[ParsedRecord] = []

    async def run(self, progress: Progress) -> None:
        if self.graph is not None:
            await self._begin(self.graph)
        with closing(_Seen()) as seen:
            for parsed in self._parsed(seen):
                if isinstance(parsed, Skipped):
                    self.report.skipped[parsed.reason] += 1
                    self.report.warnings.update(parsed.warnings)
                else:
                    self._held.append(parsed)
                if self._looking and self.report.read >= _LOOKED_AT and not self._look():
                    return
                if len(self._held) >= _BATCH and not self._looking:
                    await self._flush()
                if self.report.read % _BATCH == 0:
                    self._tell(progress)
        if self._looking and not self._look():
            return
        await self._flush()
        self._tell(progress)

    async def _begin(self, graph: Graph) -> None:
        name, source_format = self.report.dataset, self.report.source_format
        known = await graph.datasets.get(name)
        if known is not None and known["source_format"] != source_format:
            raise ConflictError(
                f"The data set {name} holds {known['source_format']} records; "
                f"give another name for {source_format}."
            )
        if known is None and any(each["name"] == name for each in await graph.questions.names()):
            raise ConflictError(f"{name} is a question set of our own; name {source_format} otherwise.")

    def _parsed(self, seen: _Seen) -> Iterator[ParsedRecord | Skipped]:
        """Usable and skipped records; broken ones are noted here, and end it unless they are skipped."""
        records = iter(self.records)
        while True:
            try:
                position, raw = next(records)
            except StopIteration:
                return
            except RecordError as error:  # nothing after it can be read
                self.report.note(error)
                self.report.refused = self.report.refused or not self.skip_bad
                return
            self.report.read += 1
            try:
                if isinstance(raw, RecordError):
                    raise raw
                parsed = self._parse(raw, self.records.source, position)
                self._check(parsed, raw, position, seen)
            except RecordError as error:
                self.report.note(error)
                if not self.skip_bad:
                    self.report.refused = True
                    return
                self.report.skipped["bad_record"] += 1
                continue
            yield parsed

    def _check(self, parsed: ParsedRecord | Skipped, raw: Any, position: str, seen: _Seen) -> None:
        """Raises RecordError where the id was there before, or a text cannot be stored."""
        # MuSiQue-Full has every id twice by design: once answerable and once not.
        key = f"{parsed.key}\x1f{raw.get('answerable', True) if isinstance(raw, dict) else ''}"
        earlier = seen.before(key, position)
        if earlier is not None:
            field = next((name for name in ("_id", "id") if name in raw), "")
            reason = "the id" if field else "the same record"
            raise RecordError(
                self.records.source,
                f"{position} ({parsed.key})",
                field,
                f"{reason} was there before, as record {earlier}; remove one of them",
            )
        if isinstance(parsed, ParsedRecord):
            try:
                parsed.whole_text().encode()
            except UnicodeEncodeError:
                raise RecordError(
                    self.records.source,
                    f"{position} ({parsed.key})",
                    "",
                    "a text holds half of a surrogate pair (a broken \\ud... escape)",
                ) from None

    def _look(self) -> bool:
        """Whether this is a data set whose contexts hold the gold paragraphs; decided once.

        One record without a gold title is a fault of that record. When they are more than a tenth
        of the first 200 (or of all, in a shorter file), the contexts were retrieved.
        """
        self._looking = False
        missing = self.report.skipped["missing_gold_title"]
        if missing < 2 or missing * 10 <= min(self.report.read, _LOOKED_AT):
            return True
        self._held.clear()
        self.report.refused = True
        reason = (
            f"{missing} of {self.report.read} records lack a gold paragraph: this is the fullwiki setting, "
            "whose paragraphs were retrieved. Import the distractor setting instead, which has them "
            "(hotpot_dev_distractor_v1.json, or the train file)"
        )
        self.report.note(RecordError(self.records.source, f"1 to {self.report.read}", "context", reason))
        return False

    async def _flush(self) -> None:
        """Count the records held, and store them unless this is a dry run."""
        records, self._held = self._held, []
        report = self.report
        judged = [(parsed, *_judged(parsed)) for parsed in records]
        for _, graph_type, warnings in judged:
            report.imported += 1
            report.graph_types[graph_type] += 1
            report.warnings.update(warnings)
        if self.graph is None or not records:
            return
        report.added += await self.graph.datasets.store(
            [
                understood(report.dataset, report.source_format, parsed, warnings)
                for parsed, _, warnings in judged
            ]
        )
        await self.graph.datasets.merge(
            report.dataset,
            {
                "source_format": report.source_format,
                "choices": list(CHOICES[report.source_format]),
                "source": Path(self.records.source).name,
            },
        )

    def _tell(self, progress: Progress) -> None:
        message = f"{self.report.read} records"
        if self.records.size:
            progress(min(self.records.done, self.records.size), self.records.size, message)
        else:
            progress(self.report.read, None, message)


class _Seen:
    """The keys seen so far, on disk as soon as they are many."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # a temporary file, removed on closing
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, position TEXT) WITHOUT ROWID")

    def before(self, key: str, position: str) -> str | None:
        """Where the key was seen before; else remembers it."""
        digest = bytes.fromhex(sha256(key.encode("utf-8", "surrogatepass"))[:32])
        added = self._database.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (digest, position))
        if added.rowcount:
            return None
        row = self._database.execute("SELECT position FROM seen WHERE key = ?", (digest,)).fetchone()
        return str(row[0])

    def close(self) -> None:
        self._database.close()


def _judged(parsed: ParsedRecord) -> tuple[str, list[str]]:
    """The type of the record's graph, and all faults that were lived with."""
    graph_type = classify(len(parsed.nodes), parsed.edges)
    warnings = list(parsed.warnings)
    if parsed.expected and graph_type not in parsed.expected:
        warnings.append("graph_type_differs_from_source")
    if not _normalised(parsed.answer):
        warnings.append("answer_normalises_to_nothing")
    return graph_type, warnings


def understood(
    dataset: str, source_format: str, parsed: ParsedRecord, warnings: Sequence[str]
) -> ImportedQuestion:
    """The record as it is stored."""
    question_id = stable_id("qst", dataset, source_format, parsed.key)
    context, ids = _context(dataset, parsed)
    nodes = [_node(parsed, number, ids) for number in range(len(parsed.nodes))]
    positive = build_positive(question_id, nodes, parsed.edges, rules=parsed.rules)
    question = QuestionRecord(
        id=question_id,
        name=_short(parsed.question),
        text=parsed.question,
        answer=parsed.answer,
        aliases=parsed.aliases,
        dataset=dataset,
        source_format=source_format,
        hops=len(parsed.nodes),
        graph_type=positive.graph_type,
        declared_type=parsed.declared_type,
        source_id=parsed.key,
        notes=(*parsed.rules, *sorted(set(warnings))),
    )
    content = json.dumps(
        [_VERSION, question.model_dump(), positive.model_dump(), [one.model_dump() for one in context]],
        ensure_ascii=False,
        sort_keys=True,
    )
    return ImportedQuestion(
        question=question, positive=positive, context=context, content_sha256=sha256(content)
    )


def _context(
    dataset: str, parsed: ParsedRecord
) -> tuple[tuple[ContextSentence, ...], dict[tuple[int, int], str]]:
    """All sentences of the record's paragraphs in order, and the id of each by its place."""
    ids = {
        (number, ordinal): stable_id("sen", dataset, paragraph.title, ordinal, text)
        for number, paragraph in enumerate(parsed.paragraphs)
        for ordinal, text in enumerate(paragraph.sentences)
    }
    # By id: where a paragraph stands twice in a context, its sentence supports in both places.
    supporting = {ids[node.paragraph, sentence] for node in parsed.nodes for sentence in node.sentences}
    context = tuple(
        ContextSentence(
            id=identifier,
            title=parsed.paragraphs[number].title,
            ordinal=ordinal,
            text=parsed.paragraphs[number].sentences[ordinal],
            supporting=identifier in supporting,
            paragraph=number,
        )
        for (number, ordinal), identifier in ids.items()
    )
    return context, ids


def _node(parsed: ParsedRecord, number: int, ids: dict[tuple[int, int], str]) -> Node:
    source = parsed.nodes[number]
    paragraph = parsed.paragraphs[source.paragraph]
    return Node(
        text=" ".join(paragraph.sentences[sentence].strip() for sentence in source.sentences),
        title=paragraph.title,
        sentence_ordinal=source.sentences[0],
        sub_question=source.sub_question,
        sub_answer=source.sub_answer,
        sentence_ids=tuple(ids[source.paragraph, sentence] for sentence in source.sentences),
    )


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _normalised(answer: str) -> str:
    """The answer as the official scripts compare it: for seeing that nothing is left of it."""
    bare = answer.lower().translate(str.maketrans("", "", string.punctuation))
    return " ".join(word for word in bare.split() if word not in _ARTICLES)
