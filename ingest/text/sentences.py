"""Sentences of scientific English: sentencex, and a layer of rules for what it gets wrong.

sentencex ends a sentence in "Eq. (3)" and "Refs. 3", and misses one after a unit ("5 g. No
change was seen."). So its boundaries and those of a pattern are both taken as candidates, and
the rules below throw out the ones that end no sentence.
"""

from __future__ import annotations

import re

import sentencex

_CANDIDATE = re.compile(
    r"(?<=[^\s.])(?:[.!?]|\.{3})[\"”’)]?(?:\s?\[\d[\d,–\-\s]*\]|\d{1,3}(?:[,–-]\d{1,3})*|[⁰¹²³⁴-⁹][⁰¹²³⁴-⁹,–⁻]*)?\s+(?=\S)"
)
_ENDS = re.compile(
    r"[.!?…][\"”’)\]]*(?:\s?\[\d[\d,–\-\s]*\]|\d{1,3}(?:[,–-]\d{1,3})*|[⁰¹²³⁴-⁹][⁰¹²³⁴-⁹,–⁻]*)?\s*$"
)

# After these a sentence goes on whatever follows.
_GOES_ON = re.compile(
    r"(?:^|[\s(\[“\"])(?:Eqs?|Eqns?|Figs?|Refs?|Secs?|Tabs?|Chs?|Vols?|pp?|e\.\s?g|i\.\s?e|cf|viz|vs|ca|approx|resp"
    r"|incl|Dr|Prof|Mr|Mrs|Ms|St|Sch|Suppl|Supp|eq|eqs|fig|figs|ref|refs|sp|spp|abbr|Inc\.,? \w+)\.$"
)
# After these it goes on before a digit only ("No. 5", "Nos. 3 and 4"), or before a small letter.
_BEFORE_DIGIT = re.compile(r"(?:^|[\s(\[])(?:[Nn]os?|[Ee]x|[Ss]cheme|[Vv]ol|[Cc]ompd|[Cc]mpd|[Ss]t)\.$")
# After these it goes on before a small letter or a bracket, and may end before a capital.
_MAY_END = re.compile(
    r"(?:^|[\s(\[])(?:et al|etc|equiv|aq|conc|wt|vol|temp|calcd|max|min|co|Co|Ltd|Inc|dil|sat)\.$"
)
_INITIAL = re.compile(r"(?:^|[\s(.])[A-Z]\.$")
_UNIT = re.compile(r"(?:\d|°) ?[A-Z]\.$")  # "300 K.", "25 °C."
_OPENER = re.compile(
    r"(?:The|This|These|Those|That|We|In|It|Its|However|An?|For|Here|As|At|On|To|Such|Although|Moreover|Thus|By|With"
    r"|When|While|Since|Because|From|Our|They|Their|Both|Each|If|Under|After|Upon|One|Two|No|There|Hence|Then"
    r"|Therefore|Furthermore|Among|Despite|Recently|Many|Most|Some|Several|Unlike|Using)\b"
)
# What begins with a small letter and may still head a sentence: p-xylene, α-Fe₂O₃, pH, tert-Butanol.
_SMALL_HEAD = re.compile(
    r"(?:[a-z]{1,5}-(?:[A-Z0-9]|[a-z]{4})|[α-ω]|pH\b|pK|m?RNA|i?PrOH|nBu|tBu|iPr|mCPBA|spiro-)"
)
_OPENS = re.compile(r"[A-Z0-9α-ωΑ-Ω(\[“\"⁰¹²³⁴-⁹'‘+\-–~≈]")


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences, without the blanks around them, in order and without overlap.

    Everything but blanks is in exactly one span. A blank line always ends a sentence.
    """
    spans: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"\S(?:.*?\S)?(?=\s*\n\s*\n|\s*\Z)", text, re.DOTALL):
        spans += _in_paragraph(text, paragraph.start(), paragraph.end())
    return spans


def _in_paragraph(text: str, start: int, end: int) -> list[tuple[int, int]]:
    paragraph = text[start:end]
    candidates = {match.end() for match in _CANDIDATE.finditer(paragraph)}
    position = 0
    for segment in sentencex.segment("en", paragraph):
        position += len(segment)
        candidates.add(position)
    cuts = [cut for cut in sorted(candidates) if 0 < cut < len(paragraph) and _is_end(paragraph, cut)]
    spans = []
    for left, right in zip([0, *cuts], [*cuts, len(paragraph)], strict=True):
        piece = paragraph[left:right]
        if piece.strip():
            lead = len(piece) - len(piece.lstrip())
            spans.append((start + left + lead, start + left + len(piece.rstrip())))
    return spans


def _is_end(paragraph: str, cut: int) -> bool:
    """Whether a sentence ends before `cut`."""
    before = paragraph[max(0, cut - 60) : cut].rstrip()
    after = paragraph[cut:].lstrip()
    if not after or not paragraph[cut - 1].isspace() or not _ENDS.search(before):
        return False
    if _inside_brackets(paragraph, cut) or _GOES_ON.search(before):
        return False
    if after[0].islower() and not _SMALL_HEAD.match(after):
        return False
    if not (after[0].islower() or _OPENS.match(after)):
        return False
    return not _abbreviates(before, after)


def _abbreviates(before: str, after: str) -> bool:
    """Whether the stop belongs to an abbreviation or initial that the sentence goes on after."""
    if _BEFORE_DIGIT.search(before):
        return after[0].isdigit() or after[0] == "("
    if _MAY_END.search(before):
        return not (after[0].isupper() or after[0] in '[“"')
    if _INITIAL.search(before) and not _UNIT.search(before):
        return not _OPENER.match(after)
    return False


def _inside_brackets(paragraph: str, cut: int) -> bool:
    """Whether a round bracket opened within the last 300 characters closes only after the cut."""
    depth = 0
    for character in reversed(paragraph[max(0, cut - 300) : cut]):
        depth += {")": 1, "(": -1}.get(character, 0)
        if depth < 0:
            closing = paragraph.find(")", cut)
            return 0 <= closing - cut < 300
    return False
