"""A sentence as tokens: mentions are one token each, citations are gone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.models import Mention

_TOKEN = re.compile(r"[^\W\d_][\w'’–-]*|\d[\d.,]*\w*|\S")
_CITATION = re.compile(
    r"\[\d[\d,;\s–-]*\]|[⁰¹²³⁴-⁹][⁰¹²³⁴-⁹˒,–-]*|\((?:refs?\.|see|cf\.|Figs?\.|Scheme|Table|Eq\.)[^)]*\)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a mark, or a mention (`mention` is its index).

    `part`: the mention is only a part of a longer word ("silver-catalysed"), so it stands for no thing.
    """

    text: str
    lower: str
    start: int
    end: int
    mention: int | None = None
    part: bool = False

    @property
    def is_word(self) -> bool:
        return self.mention is None and self.text[:1].isalpha()


def tokenise(text: str, start: int, end: int, mentions: Sequence[Mention]) -> list[Token]:
    """Tokens of `text[start:end]`; `mentions` are all of the text, of which those inside are used."""
    skipped = [match.span() for match in _CITATION.finditer(text, start, end)]
    inside = [
        (index, mention)
        for index, mention in enumerate(mentions)
        if start <= mention.start and mention.end <= end
    ]
    tokens: list[Token] = []
    position = start
    for index, mention in inside:
        tokens += _plain(text, position, mention.start, skipped)
        tokens.append(
            Token(
                mention.surface,
                mention.surface.lower(),
                mention.start,
                mention.end,
                mention=index,
                part=_is_part(text, mention),
            )
        )
        position = mention.end
    return tokens + _plain(text, position, end, skipped)


def _is_part(text: str, mention: Mention) -> bool:
    before = text[mention.start - 1 : mention.start] if mention.start else " "
    after, following = text[mention.end : mention.end + 1], text[mention.end + 1 : mention.end + 2]
    joined_before = before.isalnum() or (
        before in "-–/" and not text[mention.start - 2 : mention.start - 1].isspace()
    )
    joined_after = (after in "-–/" and following.isalnum()) or after in {"'", "’"} or after.isalpha()
    return joined_before or (joined_after and after != "")


def _plain(text: str, start: int, end: int, skipped: Sequence[tuple[int, int]]) -> list[Token]:
    tokens = []
    for match in _TOKEN.finditer(text, start, end):
        if any(first <= match.start() < last for first, last in skipped):
            continue
        word = match[0]
        tokens.append(Token(word, word.lower().replace("’", "'"), match.start(), match.end()))
    return tokens
