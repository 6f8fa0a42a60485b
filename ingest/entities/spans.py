"""Where a name may begin and end in a text.

Names of compounds hold hyphens, commas, brackets and primes, so words are what stands between
spaces, and the marks around a word are taken off as far as they do not belong to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_OPENING = "([{\"'“‘«<"
_CLOSING = ".,;:!?\"'”’»>"
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_CITATION = re.compile(r"(?<=[a-z)])[⁰¹²³⁴-⁹][⁰¹²³⁴-⁹˒,–-]*$")
_BRACKET_CITATION = re.compile(r"\[\d[\d,\s–-]*\]$")
_FACE = re.compile(r"\((?:\d{3,4}|[hkl\d ]{5})\)$")

# What may follow a name behind a hyphen without being part of it: "TiO2-supported", "glucose-derived".
ATTRIBUTE = re.compile(
    r"[-–—](?:based|derived|rich|poor|free|containing|(?:co-?)?doped|supported|modified|coated|decorated|loaded|"
    r"catalys?z?ed|mediated|assisted|induced|promoted|saturated|stabilis?z?ed|functionalis?z?ed|terminated|to|like|"
    r"bound|capped|treated|sensitis?z?ed|selective|resistant|soluble|insoluble|reduced|oxidis?z?ed|exchanged|"
    r"intercalated|substituted|deficient|tolerant|dependent|binding|producing|forming|free|storage|evolution|"
    r"bearing|activated|driven|fed|fired|ligated|coordinated|centred|centered|bridged|encapsulated|embedded)\b"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word between spaces: where a name may begin in it, and where one may end."""

    start: int
    end: int
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def words(text: str) -> list[Word]:
    """All words of the text with their possible beginnings and ends of names."""
    return [_word(text, match.start(), match.end()) for match in re.finditer(r"\S+", text)]


def _word(text: str, start: int, end: int) -> Word:
    inner_start, inner_end = start, end
    while inner_start < inner_end and text[inner_start] in _OPENING and not _is_own(text, inner_start, end):
        inner_start += 1
    ends = list(_ends(text, inner_start, inner_end))
    starts = [inner_start]
    # a slash or a dash parts names: "methanol/water", "MoS2–graphene"
    for match in re.finditer(r"[/–—=]|(?<=[a-z\d])-(?=[A-Z][a-z]?\d|[a-z]{4})", text[inner_start:inner_end]):
        if inner_start + match.end() < inner_end:
            starts.append(inner_start + match.end())
        ends += _ends(text, inner_start, inner_start + match.start())
    return Word(start, end, tuple(dict.fromkeys(starts)), tuple(sorted(set(ends), reverse=True)))


def _is_own(text: str, position: int, end: int) -> bool:
    """Whether an opening bracket belongs to the name: "(R)-BINAP", "[Ru(bpy)3]2+"."""
    match = re.match(
        r"\((?:[RSEZ±+-]|[\dRSEZ,]+|rac|meso)\)-|\[[^\]\s]+\](?:\d*[+-]|[²³⁺⁻]+|\d)", text[position:end]
    )
    return match is not None


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    """Possible ends, the longest first: without marks, citations, crystal faces, attributes."""
    while end > start:
        piece = text[start:end]
        if piece[-1] in _CLOSING:
            end -= 1
            continue
        yield end
        shorter = end
        suffixes = (_BRACKET_CITATION, _CITATION, _FACE, ATTRIBUTE)
        match = next((found for pattern in suffixes if (found := pattern.search(piece))), None)
        if piece[-1] in _BRACKETS and piece.count(piece[-1]) > piece.count(_BRACKETS[piece[-1]]):
            shorter = end - 1
        elif match:
            shorter = start + match.start()
        elif piece.endswith(("-", "–", "—")):
            shorter = end - 1
        elif match := re.search(r"[’']s$", piece):
            shorter = start + match.start()
        if shorter == end:
            return
        end = shorter


def is_sentence_start(text: str, position: int) -> bool:
    """Whether a sentence (or a line) begins at the position."""
    before = text[:position].rstrip(" \t\"'“‘([")
    return not before or before[-1] in ".!?\n:;"


def balanced(surface: str) -> bool:
    """Whether every bracket of the surface is closed in it, in order."""
    stack: list[str] = []
    for character in surface:
        if character in "([{":
            stack.append(character)
        elif character in _BRACKETS and (not stack or stack.pop() != _BRACKETS[character]):
            return False
    return not stack
