"""Page furniture: what printers, preprint servers and converters put between the paragraphs."""

from __future__ import annotations

import re

from ingest.sources.metadata import is_date

_LONGEST = 70  # words; nothing longer is taken for furniture

_WHOLE = re.compile(
    r"(?:page\s+|p\.\s*|[-–—|]\s*)?\d{1,4}(?:\s*(?:/|of|\|)\s*\d{1,4})?(?:\s*[-–—|])?"  # page numbers
    r"|s\d{1,3}|[ivxl]{1,6}"
    r"|!\[[^\]]*\]\([^)]*\)(?:\{[^}]*\})?"  # an image
    r"|https?://\S+|doi\s*:?\s*\S+|(?:https?://)?(?:www\.)?[\w.-]+\.(?:org|com|net|edu)(?:/\S*)?"
    r"|<!--.*-->|[-*_=~\s]{3,}|\W+"
    r"|(?:research |original |review )?(?:article|letter|communication|paper|preprint|review)"
    r"|working paper|full paper|open access|cite this:? .*|read online|access|article recommendations"
    r"|metrics & more|supporting information",
    re.IGNORECASE | re.DOTALL,
)
_BEGINS = re.compile(
    r"(?:posted on\b.*\b(?:preprint|cc|license)|arxiv:\d|\W*e-?mails?\b|\W*to whom correspondence"
    r"|\W*correspond(?:ing author|ence)\b|\W*these authors (?:contributed|share)|\W*equal contribution"
    r"|orcids?\b|https?://(?:dx\.)?doi\.org/\S+\s+(?:orcid|content|license|this|\(which|$)"
    r"|downloaded (?:from|by|on|via)|(?:copyright )?©|copyright \d{4}|all rights reserved"
    r"|(?:received|accepted|submitted|revised|published(?: online)?|available online"
    r"|posted|version \d+ posted)\b[ :,].{0,60}\b(?:19|20)\d\d"
    r"|this (?:article|work|journal|preprint|version|open access article) is"
    r" (?:licensed|distributed|made available|©|the author)"
    r"|electronic supplementary (?:information|material)|this is a preprint"
    r"|preprint,? (?:submitted|doi|version|–|-|—)|(?:bio|chem|med)rxiv preprint"
    r"|licen[sc]ed? (?:under|:)|licen[sc]e:|cite as\b|how to cite\b)",
    re.IGNORECASE | re.DOTALL,
)
_CONTAINS = re.compile(
    r"not (?:been )?(?:certified by )?peer[- ]review|orcid\.org/\d{4}-|content not peer"
    r"|preprint and has not been",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:\.\s?){6,}")  # dots of a table of contents
_KEYWORDS = re.compile(r"\W{0,3}(?:key ?words?(?: and phrases)?|index terms)\W{0,3}\s*[:.—–-]", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")

# A converter may leave the footer of ChemRxiv in the middle of a paragraph that crosses a page.
_INLINE = re.compile(
    r"\s*https?://doi\.org/10\.26434/\S+\s+ORCID:?\s*(?:https?://orcid\.org/\S+\s+)?"
    r"Content not peer-reviewed by ChemRxiv\.?\s*License:?\s*"
    r"CC[ -](?:0|BY)(?:[ -](?:NC|ND|SA))*(?:\s\d\.\d)?\s*"
)


def is_furniture(text: str) -> bool:
    """Whether the whole line or paragraph is no text of the paper."""
    line = " ".join(text.split())
    if not line:
        return True
    if len(line.split()) > _LONGEST:
        return False
    bare = line.strip("*_ ")
    return bool(
        _LEADERS.search(line)
        or _WHOLE.fullmatch(bare)
        or _BEGINS.match(bare)
        or _CONTAINS.search(line)
        or _KEYWORDS.match(line)
        or is_date(bare)
        or _is_address(line)
    )


def _is_address(line: str) -> bool:
    """A line that gives an e-mail address, and says nothing in a sentence of its own."""
    return bool(_EMAIL.search(line)) and len(_EMAIL.sub("", line).split()) < 25


def without_inline_furniture(text: str) -> str:
    """The paragraph without a preprint server's footer inside it."""
    return _INLINE.sub(" ", text).strip() if "ChemRxiv" in text else text
