"""What a paper says about itself: DOI, version, licence, date, authors."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>{}|\\^~\[\]`,;]+")
_VERSION = re.compile(r"(?:[-/.]v|(?<=\d)v)(\d{1,2})$")
_LABELLED_DOI = re.compile(r"(?:doi\.org/|doi\s*:?\s*)(10\.\d{4,9}/[^\s\"<>{}|\\^~\[\]`,;]+)", re.IGNORECASE)


def clean_doi(text: str) -> tuple[str | None, str | None]:
    """The DOI in small letters without its version, and the version: (10.26434/chemrxiv-2024-2v5l6, "3")."""
    match = _DOI.search(text)
    if not match:
        return None, None
    doi = match[0].rstrip(".)*'\u201d").lower()
    version = _VERSION.search(doi)
    return (doi[: version.start()], version[1]) if version else (doi, None)


def find_doi(lines: Iterable[str]) -> tuple[str | None, str | None]:
    """The paper's own DOI among its first lines: one that is labelled as such, else a line that is one."""
    for line in lines:
        if match := _LABELLED_DOI.search(line):
            return clean_doi(match[1])
        if _DOI.fullmatch(line.strip()):
            return clean_doi(line)
    return None, None


_LICENCE_URL = re.compile(
    r"creativecommons\.org/(?:licenses/([a-z-]+)/(\d\.\d)|publicdomain/zero/(\d\.\d))", re.I
)
_LICENCE = re.compile(r"\bCC[- ]?(0|BY(?:[- ]NC)?(?:[- ](?:ND|SA))?)\b(?:[- ]?(\d\.\d))?")
_LICENCE_WORDS = re.compile(
    r"Creative Commons Attribution"
    r"(?P<terms>(?:[- ](?:NonCommercial|NoDerivatives|NoDerivs|ShareAlike|Non-Commercial))*)"
    r"(?:\s+(?P<version>\d\.\d))?",
    re.IGNORECASE,
)


def find_license(text: str) -> str | None:
    """The Creative Commons licence as "CC BY 4.0", or None where the text names none."""
    if match := _LICENCE_URL.search(text):
        return f"CC0 {match[3]}" if match[3] else f"CC {match[1].upper()} {match[2]}"
    if match := _LICENCE.search(text):
        name = "CC0" if match[1] == "0" else "CC " + match[1].replace(" ", "-")
        return f"{name} {match[2]}" if match[2] else name
    if match := _LICENCE_WORDS.search(text):
        terms = match["terms"].lower()
        parts = ["BY"] + ["NC"] * ("noncommercial" in terms or "non-commercial" in terms)
        parts += ["ND"] * ("noderiv" in terms) + ["SA"] * ("sharealike" in terms)
        return f"CC {'-'.join(parts)}" + (f" {match['version']}" if match["version"] else "")
    return None


_MONTHS = {
    month: number
    for number, month in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_MONTH = r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATES = (
    (re.compile(r"\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b"), "ymd"),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH},?\s+((?:19|20)\d\d)\b"), "dmy"),
    (re.compile(rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b"), "mdy"),
)


def find_date(text: str) -> str | None:
    """The first full date of the text in ISO form."""
    for pattern, order in _DATES:
        if match := pattern.search(text):
            parts = dict(zip(order, match.groups(), strict=True))
            month = _MONTHS.get(parts["m"][:3].lower()) or int(parts["m"] if parts["m"].isdigit() else 0)
            if 1 <= month <= 12 and 1 <= int(parts["d"]) <= 31:
                return f"{parts['y']}-{month:02}-{int(parts['d']):02}"
    return None


def is_date(text: str) -> bool:
    """Whether the text is a date and nothing else."""
    return any(pattern.fullmatch(text.strip(" .")) for pattern, _ in _DATES)


_MARKS = re.compile(r"[\d⁰¹²³⁴-⁹*†‡§¶#∥‖✉⊥,]+$|\s*\[[\d,\s]+\]|[†‡§¶#∥‖✉*]|[⁰¹²³⁴-⁹]+|ᵃ|ᵇ|ᶜ")
_NAME = re.compile(
    r"(?:(?:[A-Z][\w'’.-]*|[A-Z]\.(?:-?[A-Z]\.)*|van|von|de|der|den|del|della|di|da|la|le|ten|bin|al|el|Mc\w+)\s+)*"
    r"[A-ZÀ-Þ][\w'’-]+(?:,? (?:Jr|Sr|II|III)\.?)?"
)
_NO_NAME = re.compile(
    r"\b(?:University|Institute?|Department|Laboratory|School|College|Faculty|Center|Centre|Academy|GmbH|Inc|Ltd"
    r"|Chemistry|Physics|Materials|Science|Engineering|Research|Received|Accepted|Abstract|Keywords|Supporting"
    r"|Article|Letter|Communication|Preprint|Journal|Group|Division|Ministry|Hospital|Company)\b"
)


def parse_authors(text: str) -> tuple[str, ...]:
    """Names of a line of authors, without marks: "A. One¹*, B. van Two² and C. Three"; else empty."""
    if len(text) > 1500 or _NO_NAME.search(text) or "@" in text:
        return ()
    bare = re.sub(r"\(.*?\)|\[[\d,\s]+\]", "", text)
    # marks end a name, with or without a comma: "Jane Doe,1,2* John Roe2"
    bare = re.sub(r"(?<=[a-zà-þ.]),?[\d⁰¹²³⁴-⁹]+(?:,[\d⁰¹²³⁴-⁹]+)*[,*†‡§]*", ", ", bare)
    names = []
    for part in re.split(r"\s*[,;]\s*|\s+(?:and|&)\s+", bare):
        name = _MARKS.sub("", part.strip()).strip(" .*,")
        name = re.sub(r"^(?:and|&)\s+", "", name)
        if not name or (len(name) == 1 and name.islower()):
            continue
        if not _NAME.fullmatch(name) or not 2 <= len(name.split()) <= 6:
            return ()
        names.append(name)
    return tuple(dict.fromkeys(names))
