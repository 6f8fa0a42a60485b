"""Negative reasoning graphs: the content kept and the structure changed, or the structure kept
and the content foreign (reasoning-graph paper, section 2.2 and appendix A).

By default up to 20 a question: five hard sets of two (one graph with an extra sentence of the
question's context, one with altered edges) and five easy sets of two made of sentences from its
distractor paragraphs (one with the positive's edges, one with altered ones). No negative equals
the positive or another negative as a labelled graph. What does not exist is counted with its
reason and never made up by a copy: a graph of two nodes, for example, has only three other sets
of edges.

Nothing here draws from Python's generator, whose choices may change between versions: every
order is that of hashes of the seed, the question and the thing ordered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Literal, TypeVar

from domain.ids import sha256, stable_id
from graph.models import ReasoningGraph
from qa.reasoning.positive import Node, steps_of
from qa.reasoning.shapes import Edge, classify

EDGE_KINDS = ("edge_reversed", "edge_removed", "edge_added", "edges_rewired")
NODE_KINDS = ("node_added", "node_removed", "node_swapped")
KINDS = (*EDGE_KINDS, *NODE_KINDS, "distractors")

# Most edges changed at once, and most candidates looked at before a slot is given up.
_MOST_CHANGES = 3
_MOST_CANDIDATES = 400

T = TypeVar("T")
Edges = frozenset[Edge]
Hardness = Literal["hard", "easy"]


@dataclass(frozen=True)
class NegativeOptions:
    """How many negatives of which kind; the defaults are the paper's (appendix A).

    Attributes:
        hard_sets: sets of one `node_added` and one graph with altered edges.
        easy_sets: sets of two `distractors` graphs.
        edge_kinds: kinds of altered edges, taken in turn.
        extra: further graphs by kind, beyond the sets (`node_removed`, `node_swapped`, ...).
        pool: where foreign sentences come from: the question's own context, or the data set.
    """

    hard_sets: int = 5
    easy_sets: int = 5
    edge_kinds: tuple[str, ...] = EDGE_KINDS
    extra: Mapping[str, int] = field(default_factory=dict)
    pool: Literal["context", "dataset"] = "context"

    def __post_init__(self) -> None:
        unknown = [kind for kind in (*self.edge_kinds, *self.extra) if kind not in KINDS]
        if unknown or not set(self.edge_kinds) <= set(EDGE_KINDS):
            raise ValueError(f"no such kind of negative: {', '.join(unknown) or self.edge_kinds}")


@dataclass(frozen=True)
class Pool:
    """The foreign sentences of one question.

    Attributes:
        near: sentences that may be added or swapped in; never one of the positive graph.
        far: those of paragraphs without any supporting sentence, for the easy sets.
        sha256: of what the pool was drawn from, so that a change of it is seen.
    """

    near: tuple[Node, ...]
    far: tuple[Node, ...]
    sha256: str


@dataclass(frozen=True)
class Negatives:
    """What was built for one question, how many of what was asked for are missing and why
    (`shortfall`), and which kinds cannot exist for its graph at all (`impossible`)."""

    graphs: tuple[ReasoningGraph, ...]
    shortfall: Mapping[str, int]
    impossible: tuple[str, ...] = ()


def graph_key(labels: Sequence[tuple[str, str]], edges: Iterable[Edge]) -> str:
    """A hash that is equal for graphs that are equal as labelled graphs, however they are numbered.

    Two nodes of one label are not told apart: such graphs count as equal sooner than they are.
    """
    nodes = sorted(labels)
    arrows = sorted((labels[source], labels[target]) for source, target in edges)
    return sha256(repr((nodes, arrows)))


def pool_hash(nodes: Iterable[Node]) -> str:
    """The hash of a pool, whatever its order."""
    return sha256(repr(sorted(node.label for node in nodes)))


class _Order:
    """Seeded orders for one question, the same on every version of Python."""

    def __init__(self, seed: int, question_id: str) -> None:
        self._base = f"{seed}\x1f{question_id}"

    def shuffled(self, things: Sequence[T], *salt: object) -> list[T]:
        key = "\x1f".join([self._base, *map(str, salt)])
        places = sorted(range(len(things)), key=lambda place: sha256(f"{key}\x1f{place}"))
        return [things[place] for place in places]


# ---------------------------------------------------------------- altered edges


def altered_edges(kind: str, n: int, edges: Edges, order: _Order) -> Iterator[Edges]:
    """Every set of edges of one kind over the same `n` nodes, the smallest changes first.

    `edge_added` has all edges and more, `edge_removed` some of the edges, `edge_reversed` the same
    pairs of nodes joined with some the other way round, `edges_rewired` as many edges between
    other pairs of nodes.
    """
    present = sorted(edges)
    if kind == "edge_added":
        absent = [(s, t) for s in range(n) for t in range(n) if s != t and (s, t) not in edges]
        for chosen in _few(absent, kind, order):
            yield edges | set(chosen)
    elif kind == "edge_removed":
        for chosen in _few(present, kind, order):
            yield edges - set(chosen)
    elif kind == "edge_reversed":
        turnable = [(s, t) for s, t in present if (t, s) not in edges]
        for chosen in _few(turnable, kind, order):
            yield (edges - set(chosen)) | {(t, s) for s, t in chosen}
    else:
        free = [(s, t) for s in range(n) for t in range(n) if s != t and not {(s, t), (t, s)} & edges]
        for dropped in _few(present, kind, order):
            for taken in order.shuffled([*combinations(free, len(dropped))], kind, dropped):
                if len({frozenset(edge) for edge in taken}) == len(taken):  # not both ways at once
                    yield (edges - set(dropped)) | set(taken)


def _few(things: Sequence[T], kind: str, order: _Order) -> Iterator[tuple[T, ...]]:
    """One of them, then two, then three, each size in a seeded order."""
    for size in range(1, min(_MOST_CHANGES, len(things)) + 1):
        yield from order.shuffled([*combinations(things, size)], kind, size)


def _impossible(kind: str, n: int, edges: Edges) -> str:
    """Why there is no graph of this kind of altered edges."""
    if kind in ("edge_removed", "edge_reversed", "edges_rewired") and not edges:
        return f"{kind}: the graph has no edge"
    return f"{kind}: no such graph over {n} node{'s' if n > 1 else ''}"


# ---------------------------------------------------------------- the builder


class _Builder:
    """Collects the negatives of one question and refuses what is there already."""

    def __init__(self, positive: ReasoningGraph, pool: Pool, seed: int) -> None:
        self.positive, self.pool, self.seed = positive, pool, seed
        self.nodes = [Node.of(step) for step in positive.steps]
        self.edges: Edges = frozenset(positive.edges)
        self.order = _Order(seed, positive.question_id)
        self.graphs: list[ReasoningGraph] = []
        self.shortfall: Counter[str] = Counter()
        self._seen = {graph_key([node.label for node in self.nodes], self.edges)}

    def add(
        self, kind: str, hardness: Hardness, nodes: Sequence[Node], edges: Iterable[Edge], *rules: str
    ) -> bool:
        """Keep the graph unless it equals one that is there; says whether it was kept."""
        pairs = tuple(sorted(edges))
        key = graph_key([node.label for node in nodes], pairs)
        if key in self._seen:
            return False
        self._seen.add(key)
        graph_id = stable_id("rgr", self.positive.question_id, "negative", self.seed, kind, hardness, key)
        self.graphs.append(
            ReasoningGraph(
                id=graph_id,
                question_id=self.positive.question_id,
                polarity="negative",
                perturbation=kind,
                hardness=hardness,
                graph_type=classify(len(nodes), pairs),
                steps=steps_of(graph_id, nodes),
                edges=pairs,
                seed=self.seed,
                pool_sha256=self.pool.sha256,
                rules=rules,
            )
        )
        return True

    def first(
        self,
        kind: str,
        hardness: Hardness,
        candidates: Iterable[tuple[Sequence[Node], Iterable[Edge]]],
        *rules: str,
    ) -> bool:
        """Keep the first candidate that is new; says whether there was one."""
        return any(
            self.add(kind, hardness, nodes, edges, *rules)
            for nodes, edges in islice(candidates, _MOST_CANDIDATES)
        )

    # Candidates of each kind: an endless or finite stream of (nodes, edges).

    def edge_candidates(self, kind: str) -> Iterator[tuple[Sequence[Node], Iterable[Edge]]]:
        for edges in altered_edges(kind, len(self.nodes), self.edges, self.order):
            yield self.nodes, edges

    def added_candidates(self, turn: object) -> Iterator[tuple[Sequence[Node], Iterable[Edge]]]:
        """One more node of the near pool, joined to one of the others by an edge either way."""
        new = len(self.nodes)
        joints = [edge for old in range(new) for edge in ((old, new), (new, old))]
        spread = self.order.shuffled(self.pool.near, "node_added")
        start = int(turn) if isinstance(turn, int) else 0
        for place in range(len(spread)):  # another sentence for each turn, while there are any
            node = spread[(start + place) % len(spread)]
            for joint in self.order.shuffled(joints, "joint", turn, place):
                yield [*self.nodes, node], self.edges | {joint}

    def removed_candidates(self) -> Iterator[tuple[Sequence[Node], Iterable[Edge]]]:
        if len(self.nodes) == 1:
            return
        for gone in self.order.shuffled(range(len(self.nodes)), "node_removed"):
            kept = [place for place in range(len(self.nodes)) if place != gone]
            places = {old: new for new, old in enumerate(kept)}
            edges = {(places[s], places[t]) for s, t in self.edges if gone not in (s, t)}
            yield [self.nodes[place] for place in kept], edges

    def swapped_candidates(self, turn: object) -> Iterator[tuple[Sequence[Node], Iterable[Edge]]]:
        pairs = [(place, node) for place in range(len(self.nodes)) for node in self.pool.near]
        for place, node in self.order.shuffled(pairs, "node_swapped", turn):
            yield [*self.nodes[:place], node, *self.nodes[place + 1 :]], self.edges

    def distractor_candidates(
        self, turn: object, *, altered: bool, kinds: Sequence[str]
    ) -> Iterator[tuple[Sequence[Node], Iterable[Edge]]]:
        """As many distractors as the positive has nodes, in its structure or an altered one."""
        n = len(self.nodes)
        others = [e for kind in kinds for e in islice(altered_edges(kind, n, self.edges, self.order), 8)]
        if len(self.pool.far) < n or (altered and not others):
            return
        for attempt in range(_MOST_CANDIDATES):
            salt = ("distractors", altered, turn, attempt)
            nodes = _apart(self.order.shuffled(self.pool.far, *salt), n)
            yield nodes, self.order.shuffled(others, *salt)[0] if altered else self.edges


def _apart(nodes: Sequence[Node], n: int) -> list[Node]:
    """The first `n` of them, from `n` different titles where there are as many."""
    taken: list[Node] = []
    left: list[Node] = []
    titles: set[str] = set()
    for node in nodes:
        (left if node.title in titles else taken).append(node)
        titles.add(node.title)
    return (taken + left)[:n]


def make_negatives(
    positive: ReasoningGraph, pool: Pool, *, seed: int, options: NegativeOptions | None = None
) -> Negatives:
    """The negatives of one question: the same for the same graph, pool, seed and options.

    Each carries its kind (`perturbation`), its hardness, the seed, the pool's hash and, in
    `rules`, the set it belongs to. Where a kind of altered edges is impossible, another stands in.
    """
    options = options or NegativeOptions()
    builder = _Builder(positive, pool, seed)
    n = len(builder.nodes)
    possible = [kind for kind in options.edge_kinds if any(True for _ in builder.edge_candidates(kind))]
    impossible = [_impossible(kind, n, builder.edges) for kind in options.edge_kinds if kind not in possible]
    turns = builder.order.shuffled(possible, "kinds")
    for number in range(options.hard_sets):
        _hard_set(builder, number, turns)
    for number in range(options.easy_sets):
        _easy_set(builder, number, turns)
    for kind, count in options.extra.items():
        for number in range(count):
            if not builder.first(kind, *_extra(builder, kind, number, turns)):
                builder.shortfall[f"{kind}: no further graph of this kind"] += 1
    return Negatives(tuple(builder.graphs), dict(builder.shortfall), tuple(impossible))


def _hard_set(builder: _Builder, number: int, turns: Sequence[str]) -> None:
    """One extra node from the context; altered edges, the kinds in turn."""
    mark = f"hard set {number + 1}"
    if not builder.first("node_added", "hard", builder.added_candidates(number), mark):
        reason = "no further graph" if builder.pool.near else "no other sentence in the pool"
        builder.shortfall[f"node_added: {reason}"] += 1
    start = number % len(turns) if turns else 0
    for kind in (*turns[start:], *turns[:start]):
        if builder.first(kind, "hard", builder.edge_candidates(kind), mark):
            return
    nodes = len(builder.nodes)
    builder.shortfall[f"altered edges: no further set of edges over {nodes} nodes"] += 1


def _easy_set(builder: _Builder, number: int, turns: Sequence[str]) -> None:
    """Two graphs of distractors: the positive's structure, and an altered one."""
    for altered in (False, True):
        candidates = builder.distractor_candidates(number, altered=altered, kinds=turns)
        if not builder.first("distractors", "easy", candidates, f"easy set {number + 1}"):
            short = len(builder.pool.far) < len(builder.nodes)
            reason = "fewer distractor sentences than nodes" if short else "no further graph"
            builder.shortfall[f"distractors: {reason}"] += 1


def _extra(
    builder: _Builder, kind: str, number: int, turns: Sequence[str]
) -> tuple[Hardness, Iterator[tuple[Sequence[Node], Iterable[Edge]]], str]:
    """Hardness, candidates and mark of one graph beyond the sets."""
    mark = f"extra {number + 1}"
    if kind == "distractors":
        return "easy", builder.distractor_candidates(f"extra{number}", altered=False, kinds=turns), mark
    if kind == "node_removed":
        return "hard", builder.removed_candidates(), mark
    if kind == "node_swapped":
        return "hard", builder.swapped_candidates(number), mark
    if kind == "node_added":
        return "hard", builder.added_candidates(f"extra{number}"), mark
    return "hard", builder.edge_candidates(kind), mark
