"""What headings of a paper say: numbering, and which part of it they open."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"^(?:section\s+)?(?P<number>\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4}|[A-H](?=[.)]))"
    r"(?:\s*[.):|]\s*|\s+[|–—-]\s+|\s+)(?=\S)",
    re.IGNORECASE,
)
_SPACED = re.compile(r"^(?:\S )+\S$")
_FRONT = re.compile(
    r"(?:graphical |visual )?abstract(?: graphic)?|(?:plain language )?summary|key ?words?(?: and phrases)?"
    r"|highlights?|toc(?: graphic| entry)?|(?:table of )?contents(?: graphic| entry)?|synopsis|abbreviations"
    r"|significance(?: statement)?|nomenclature|ccs concepts|authors?|author information|affiliations?"
    r"|corresponding authors?|article (?:info|history)|citation|index terms|pacs(?: numbers)?|dates?"
)
_BACK = re.compile(
    r"(?:results?|methods?|methodology|materials? and methods?|experimental|experiments?|computational"
    r"|discussions?|conclusions?|theory|acknowledge?ments?|references|supporting|supplementary|appendix"
    r"|author contributions?|conflicts?|competing|declaration|data availability|notes|bibliography|funding"
    r"|outlook|literature cited)\b.*"
)
_ABSTRACT = re.compile(r"abstract|summary")
_INTRODUCTION = re.compile(r"(?:general |brief )?introduction\b.*|introductory remarks")
_BACKGROUND = re.compile(r"background(?: and .*)?|motivation(?: and .*)?|introductory .*")


def split_number(heading: str) -> tuple[str, str]:
    """`("1.1", "Background")` of "1.1 Background"; roman and "1 |" too; no number is the empty string."""
    text = " ".join(heading.split())
    if _SPACED.match(text):  # I N T R O D U C T I O N
        text = text.replace(" ", "")
    match = _NUMBER.match(text)
    if not match or (match["number"].isalpha() and not match["number"].isupper()):
        return "", text
    return match["number"], text[match.end() :]


def _words(heading: str) -> str:
    return split_number(heading)[1].strip(" .:|*_–—-").casefold()


def is_abstract(heading: str) -> bool:
    """The heading of the abstract."""
    return bool(_ABSTRACT.fullmatch(_words(heading)))


def is_introduction(heading: str) -> bool:
    """A heading that names the introduction, numbered or not, in any case."""
    words = _words(heading)
    return bool(_INTRODUCTION.fullmatch(words)) and len(words.split()) <= 8


def is_background(heading: str) -> bool:
    """A heading that often stands for the introduction where none is called so."""
    words = _words(heading)
    return bool(_BACKGROUND.fullmatch(words)) and len(words.split()) <= 8


def is_front(heading: str) -> bool:
    """A heading of the front matter (abstract, keywords, highlights), which opens no section."""
    return bool(_FRONT.fullmatch(_words(heading)))


def is_back(heading: str) -> bool:
    """A heading that can only follow the introduction: methods, results, references and so on."""
    return bool(_BACK.fullmatch(_words(heading)))


def is_keywords(heading: str) -> bool:
    """A heading of front matter whose text is no prose."""
    return is_front(heading) and not is_abstract(heading)
