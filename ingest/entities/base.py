"""What every recogniser offers, and how two recognisers are joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from ingest.models import Mention


@runtime_checkable
class Recogniser(Protocol):
    """Finds the names of chemical entities in a text.

    `fingerprint` changes with anything that changes the result, so that what was extracted with
    another recogniser is extracted anew.
    """

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    def recognise(self, text: str) -> list[Mention]:
        """Mentions in the order of the text, none overlapping another."""
        ...


class UnionRecogniser:
    """All mentions of several recognisers; where they overlap the longest wins, then the earlier recogniser.

    A span found by more than one says so in its `recogniser`: "dictionary+formula".
    """

    def __init__(self, members: Sequence[Recogniser], name: str = "union") -> None:
        self.members = tuple(members)
        self.name = name

    @property
    def fingerprint(self) -> str:
        return f"{self.name}({','.join(member.fingerprint for member in self.members)})"

    def recognise(self, text: str) -> list[Mention]:
        return merge([member.recognise(text) for member in self.members])


def merge(results: Sequence[Sequence[Mention]]) -> list[Mention]:
    """One list without overlaps out of several, see `UnionRecogniser`."""
    by_span: dict[tuple[int, int], Mention] = {}
    rank: dict[tuple[int, int], int] = {}
    for order, mentions in enumerate(results):
        for mention in mentions:
            span = (mention.start, mention.end)
            known = by_span.get(span)
            if known is None:
                by_span[span], rank[span] = mention, order
            elif mention.recogniser not in known.recogniser.split("+"):
                by_span[span] = known.model_copy(
                    update={"recogniser": f"{known.recogniser}+{mention.recogniser}"}
                )
    chosen: list[Mention] = []
    for mention in sorted(by_span.values(), key=lambda m: (m.start - m.end, rank[m.start, m.end], m.start)):
        if all(mention.end <= other.start or other.end <= mention.start for other in chosen):
            chosen.append(mention)
    return sorted(chosen, key=lambda mention: mention.start)
