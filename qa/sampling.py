"""Seeded sampling of paths (chemistry paper, sections 3.2 and S7.2.1).

The statements in `cypher/paths` hold every rule of a valid path: distinct entities, distinct
documents, distinct chunk contents, directions kept. This module only decides which starts they
are asked for, how wide the beam is, and when to stop. Starts come in slices of `Entity.draw`,
taken in the order of the seed, so that a large graph is never sorted as a whole; within a slice
the first path of every start comes before the second of any, so that answers vary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import floor

from domain.ids import draw, multiplier, stable_id
from domain.predicates import lemma
from errors import InputError
from graph.models import PathRecord
from graph.paths import LONGEST, Filters, Found, Start
from graph.store import Graph

SLICE = 512  # entities of one slice of the first pass
BEAM = (4, 8, 8, 8, 8, 8)  # partial paths kept of one start, hop by hop
WIDE_SLICE = 128  # of the exhaustive pass, whose rows an embedded engine must hold in memory
BOUND = 500  # partial paths of one start and hop that the exhaustive pass looks at
WIDE_STARTS = 20_000  # entities the exhaustive pass begins at


Round = tuple[tuple[float, float], Sequence[int]]  # a slice of Entity.draw and the beam


@dataclass(frozen=True)
class SampleOptions:
    """What may be on a path, and how often one entity may be on the paths of a set.

    kinds: every entity of a path is of one of these kinds.
    predicates, without_predicates: as written or as lemmas; compared by lemma.
    documents: ids of the documents the evidence comes from.
    include: id of an entity that every path holds, anywhere.
    max_per_answer: most paths with the same answer.
    hub_cap: most paths on which one entity is the answer or a bridge.
    """

    kinds: tuple[str, ...] | None = None
    predicates: tuple[str, ...] | None = None
    without_predicates: tuple[str, ...] = ()
    documents: tuple[str, ...] | None = None
    include: str | None = None
    max_per_answer: int | None = None
    hub_cap: int | None = None

    def filters(self, corpus: str | None) -> Filters:
        """The part of the options that the statements hold."""
        return Filters(
            corpus=corpus,
            documents=self.documents,
            kinds=self.kinds,
            lemmas=None if self.predicates is None else sorted({lemma(each) for each in self.predicates}),
            without=sorted({lemma(each) for each in self.without_predicates}),
            include=self.include,
        )


@dataclass(frozen=True)
class Sampled:
    """Paths, and why there are fewer than asked for: `requested - returned` is the sum of `shortfall`.

    Reasons: `max_per_answer`, `hub_cap` (valid paths left out by an option), `same_source` (paths that
    would need one document or one chunk content twice), `bounded` (the search stopped at its bound, so
    there may be more), `no_more_paths`.
    """

    paths: list[PathRecord]
    requested: int
    returned: int
    shortfall: dict[str, int]


class Quota:
    """How often an entity is answer or bridge in a set, against the caps of the options."""

    def __init__(self, options: SampleOptions) -> None:
        self._options = options
        self._answers: Counter[str] = Counter()
        self._inner: Counter[str] = Counter()

    def copy(self) -> Quota:
        """One that counts on by itself."""
        twin = Quota(self._options)
        twin._answers, twin._inner = self._answers.copy(), self._inner.copy()
        return twin

    def refuses(self, path: PathRecord) -> str | None:
        """The cap that this path would break, if any."""
        most = self._options.max_per_answer
        if most is not None and self._answers[path.entity_ids[0]] >= most:
            return "max_per_answer"
        cap = self._options.hub_cap
        if cap is not None and any(self._inner[each] >= cap for each in path.entity_ids[:-1]):
            return "hub_cap"
        return None

    def add(self, path: PathRecord) -> None:
        """Count a path that is in the set."""
        self._answers[path.entity_ids[0]] += 1
        self._inner.update(path.entity_ids[:-1])


@dataclass
class PathStream:
    """All valid paths of one length, in the order of the seed, as far as the bounds of the search go.

    `take` gives the next ones; fewer than asked means that it is at its end. `bounded` then says
    whether a bound cut the search.
    """

    graph: Graph
    hops: int
    seed: int
    corpus: str | None = None
    options: SampleOptions = SampleOptions()
    bounded: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if not 1 <= self.hops <= LONGEST:
            raise InputError(f"Paths have 1 to {LONGEST} hops, not {self.hops}.")
        self._filters = self.options.filters(self.corpus)
        self._m = multiplier(self.seed)
        self._starts: list[str] | None = None
        self._todo: list[Round] | None = None
        self._ready: list[PathRecord] = []
        self._given: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()  # entities, lemmas
        self._over = False

    async def take(self, count: int) -> list[PathRecord]:
        """The next `count` paths, or what is left of them."""
        if self._todo is None:
            self._todo = await self._plan()
        while len(self._ready) < count and self._todo:
            within, beam = self._todo.pop(0)
            self._ready += self._new(await self._read(within, beam))
        if len(self._ready) < count and not self._over:
            self._over = True
            self.bounded = self.bounded or await self._was_cut()
        taken, self._ready = self._ready[:count], self._ready[count:]
        return taken

    async def without_sources(self, count: int) -> int:
        """How many more paths, up to `count`, there were if sources could repeat. Call it at the end."""
        if self.hops == 1:
            return 0
        more: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
        loose = self._filters._replace(repeat=True)
        for within in await self._slices(WIDE_SLICE):
            for start in await self._ask(self.hops, within, loose):
                more.update(path[:2] for path in start.found if path[:2] not in self._given)
            if len(more) >= count:
                return count
        return len(more)

    # ------------------------------------------------------------ the search

    async def _plan(self) -> list[Round]:
        """Slices with their beams: the narrow pass, then the exhaustive one."""
        if self.options.include is not None:
            self._starts = await self.graph.paths.upstream(self.options.include, self.hops, self.corpus)
        wide = await self._slices(WIDE_SLICE)
        most = -(-WIDE_STARTS // WIDE_SLICE)
        self.bounded = len(wide) > most
        exhaustive: list[Round] = [(within, self._bound(self.hops)) for within in wide[:most]]
        if self.options.include is not None:  # a beam would lose most of the paths through one entity
            return exhaustive
        narrow: list[Round] = [(within, BEAM[: self.hops]) for within in await self._slices(SLICE)]
        return narrow + exhaustive

    async def _slices(self, size: int) -> list[tuple[float, float]]:
        """[0, 1) in equal parts of about `size` entities, in the order of the seed."""
        entities = len(self._starts) if self._starts is not None else await self.graph.paths.entities()
        number = max(1, -(-entities // size))
        edges = [index / number for index in range(number + 1)]

        def turn(index: int) -> float:
            x = draw(f"slice {index}") * self._m
            return x - floor(x)

        parts = list(pairwise(edges))
        return [parts[index] for index in sorted(range(number), key=lambda index: (turn(index), index))]

    @staticmethod
    def _bound(hops: int) -> Sequence[int]:
        return (BOUND + 1,) * hops

    async def _ask(self, hops: int, within: tuple[float, float], filters: Filters) -> list[Start]:
        return await self.graph.paths.candidates(
            hops,
            multiplier=self._m,
            within=within,
            beam=self._bound(hops),
            filters=filters,
            starts=self._starts,
        )

    async def _read(self, within: tuple[float, float], beam: Sequence[int]) -> list[Start]:
        starts = await self.graph.paths.candidates(
            self.hops,
            multiplier=self._m,
            within=within,
            beam=beam,
            filters=self._filters,
            starts=self._starts,
        )
        if beam[-1] > BOUND:
            self.bounded = self.bounded or any(start.seen > BOUND for start in starts)
        return starts

    async def _was_cut(self) -> bool:
        """Whether the exhaustive pass lost partial paths on the way.

        The partial paths after hop i are what the statement of length i finds (without the entity
        that only a whole path must hold), so its counts tell.
        """
        loose = self._filters._replace(include=None)
        for within in (await self._slices(WIDE_SLICE))[: -(-WIDE_STARTS // WIDE_SLICE)]:
            for hops in range(1, self.hops):
                if any(start.seen > BOUND for start in await self._ask(hops, within, loose)):
                    return True
        return False

    def _new(self, starts: Sequence[Start]) -> list[PathRecord]:
        """Paths not given before: first paths of all starts, then second ones, and so on."""
        fresh = []
        for rank in range(max((len(start.found) for start in starts), default=0)):
            for start in starts:
                if rank < len(start.found):
                    path = start.found[rank]
                    if path[:2] not in self._given:
                        self._given.add(path[:2])
                        fresh.append(self._record(path))
        return fresh

    def _record(self, path: Found) -> PathRecord:
        return PathRecord(
            id=stable_id("pth", *path.relation_ids),
            hops=self.hops,
            entity_ids=path.entity_ids,
            relation_ids=path.relation_ids,
            seed=self.seed,
            corpus=self.corpus,
        )


async def sample_paths(
    graph: Graph,
    *,
    hops: int,
    count: int,
    seed: int,
    corpus: str | None = None,
    options: SampleOptions | None = None,
) -> Sampled:
    """`count` valid paths of `hops` hops (1 to 6), or as many as there are, with the shortfall by reason.

    The same seed over the same graph gives the same paths in the same order, on every engine.
    Raises InputError for a length or a count that makes no sense.
    """
    if count < 0:
        raise InputError(f"The number of paths cannot be {count}.")
    options = options or SampleOptions()
    stream = PathStream(graph, hops, seed, corpus, options)
    quota = Quota(options)
    paths: list[PathRecord] = []
    refused: Counter[str] = Counter()
    while len(paths) < count:
        wanted = count - len(paths)
        taken = await stream.take(wanted)
        for path in taken:
            reason = quota.refuses(path)
            if reason is None:
                quota.add(path)
                paths.append(path)
            else:
                refused[reason] += 1
        if len(taken) < wanted:
            break
    shortfall = await _shortfall(stream, count - len(paths), refused)
    return Sampled(paths, count, len(paths), shortfall)


async def _shortfall(stream: PathStream, missing: int, refused: Counter[str]) -> dict[str, int]:
    """Where the missing paths went: each is counted once, under the first reason that explains it."""
    reasons: dict[str, int] = {}
    for reason in ("max_per_answer", "hub_cap"):
        if missing and refused[reason]:
            reasons[reason] = min(missing, refused[reason])
            missing -= reasons[reason]
    if missing and (repeated := await stream.without_sources(missing)):
        reasons["same_source"] = repeated
        missing -= repeated
    if missing:
        reasons["bounded" if stream.bounded else "no_more_paths"] = missing
    return reasons
