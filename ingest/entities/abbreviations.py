"""Abbreviations that a document defines for itself: "N,N-dimethylformamide (DMF)", or the other way round."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from domain.identity import identity_key, is_formula
from ingest.entities.base import merge
from ingest.models import Mention

_AFTER = re.compile(r"\s?\((?P<short>[A-Za-z][\w·′'+/-]{1,11})(?:[;,] [^)]{1,40})?\)")
_BEFORE = re.compile(r"(?<![\w-])(?P<short>[A-Za-z][\w·′'/-]{1,11})\s\($")
_RECOGNISER = "abbreviation"

Definitions = Mapping[str, str]
"""Abbreviation as written -> the name it stands for, as written."""


def definitions(text: str, mentions: Sequence[Mention]) -> dict[str, str]:
    """Abbreviations that the text defines beside one of the mentions.

    The letters of the abbreviation must occur in the name in their order, the first ones alike.
    """
    found: dict[str, str] = {}
    for mention in mentions:
        after = _AFTER.match(text, mention.end)
        before = _BEFORE.search(text[max(0, mention.start - 14) : mention.start])
        closed = text[mention.end : mention.end + 1] == ")"
        match = after or (before if closed else None)
        if match and is_abbreviation_of(match["short"], mention.surface):
            found.setdefault(match["short"], mention.surface)
    return found


def is_abbreviation_of(short: str, name: str) -> bool:
    """DMF of N,N-dimethylformamide, PAN of polyacrylonitrile; not CO2 of carbon dioxide."""
    letters = re.sub(r"[^A-Za-z]", "", short)
    if is_formula(short) and any(character.isdigit() for character in short):
        return False
    capitals = [letter for letter in letters if letter.isupper()]
    if (
        len(capitals) < 2
        or not 2 <= len(letters) <= 8
        or len(name) < len(short) + 3
        or identity_key(short) == identity_key(name)
    ):
        return False
    spelled = re.sub(r"[^a-z]", "", re.sub(r"^(?:[A-Zα-ω\d](?:,[A-Z\d])*'*-)+", "", name).lower())
    position = 0
    for letter in letters.lower():
        position = spelled.find(letter, position) + 1
        if position == 0:
            return False
    return spelled.startswith(letters[0].lower()) or letters[0].lower() in {
        part[:1] for part in re.split(r"[\s-]", name.lower())
    }


def with_abbreviations(text: str, mentions: Sequence[Mention], known: Definitions) -> list[Mention]:
    """The mentions, and those of the abbreviations that the document defines."""
    if not known:
        return list(mentions)
    pattern = "|".join(re.escape(short) for short in sorted(known, key=len, reverse=True))
    occurrences = [
        Mention(start=match.start(), end=match.end(), surface=match[0], recogniser=_RECOGNISER)
        for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w]|-\d)", text)
    ]
    return merge([mentions, occurrences])
