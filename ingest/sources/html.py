"""HTML pages of papers, from journals, preprint servers or converters."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lxml.html
from lxml import etree

from domain.formulas import citations_apart, from_latex
from errors import InputError
from ingest.models import BlockKind
from ingest.sources.assemble import assemble
from ingest.sources.decoding import decode
from ingest.sources.draft import Draft, Raw
from ingest.sources.inline import Element, child_text, citation, local_name, tex_text, text_of, with_citations
from ingest.sources.joining import unligature
from ingest.sources.metadata import clean_doi, find_date, find_license

_DROPPED = frozenset(
    "script style noscript template nav header footer aside form button iframe svg select table menu".split()  # noqa: SIM905
)
_BLOCK_NAMES = (
    "p div section article main body ul ol li dl dd dt blockquote figure figcaption "
    "h1 h2 h3 h4 h5 h6 pre center"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def read_html(content: bytes) -> Draft:
    """Blocks and metadata (`citation_*`, Dublin Core, `og:`) of an HTML page; nothing is fetched.

    Raises:
        InputError: it cannot be decoded, or there is no page in it.
    """
    charset = _CHARSET.search(content[:4096])
    text, warnings = decode(content, charset[1].decode("ascii") if charset else None)
    try:
        root = lxml.html.document_fromstring(_DECLARATION.sub("", text))
    except (etree.ParserError, ValueError) as error:
        raise InputError(f"No HTML page was found in it ({error}).") from error
    draft = Draft(warnings=warnings)
    _metadata(root, draft)
    body = root.find("body")
    raws = list(_raws(root if body is None else body, None))
    if draft.title:
        raws.insert(0, Raw(draft.title, level=1, kind="title"))
    return assemble(raws, draft)


def _metadata(root: Element, draft: Draft) -> None:
    fields: dict[str, list[str]] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").lower()
        value = " ".join((meta.get("content") or "").split())
        if name and value:
            fields.setdefault(name, []).append(value)

    def first(*names: str) -> str:
        return next((fields[name][0] for name in names if name in fields), "")

    title = first("citation_title", "dc.title", "og:title")
    draft.title = from_latex(title)
    draft.authors = tuple(
        fields.get("citation_author") or fields.get("dc.creator") or fields.get("author") or ()
    )
    draft.doi, draft.version = clean_doi(first("citation_doi", "dc.identifier", "prism.doi"))
    draft.published = find_date(
        first(
            "citation_publication_date", "citation_online_date", "dc.date", "article:published_time"
        ).replace("/", "-")
    )
    draft.url = first("citation_abstract_html_url", "og:url") or None
    draft.license = find_license(first("dc.rights", "license", "citation_license"))
    if not draft.license:
        links = [
            link.get("href") or "" for link in root.iter("a", "link") if "license" in (link.get("rel") or "")
        ]
        draft.license = next(filter(None, map(find_license, links)), None)


def _raws(element: Element, kind: BlockKind | None) -> Iterator[Raw]:
    """Paragraphs in order. Text that stands between block elements is a paragraph too."""
    name = local_name(element)
    if not name or name in _DROPPED or _is_hidden(element):
        return
    kind = _kind(element, kind)
    if name in ("h1", "h2", "h3", "h4", "h5", "h6"):
        text = _text(element)
        if text:
            yield Raw(text, level=int(name[1]))
    elif not any(local_name(child) in _BLOCKS for child in element):
        text = _text(element)
        if text:
            yield Raw(text, kind=kind)
    else:
        yield from _mixed(element, kind)


def _mixed(element: Element, kind: BlockKind | None) -> Iterator[Raw]:
    loose = [element.text or ""]
    for child in element:
        if local_name(child) in _BLOCKS or local_name(child) in _DROPPED:
            if text := _clean("".join(loose)):
                yield Raw(text, kind=kind)
            loose = [child.tail or ""]
            yield from _raws(child, kind)
        else:
            loose += [child_text(child, _special), child.tail or ""]
    if text := _clean("".join(loose)):
        yield Raw(text, kind=kind)


def _kind(element: Element, inherited: BlockKind | None) -> BlockKind | None:
    marks = (
        f"{element.get('class') or ''} {element.get('id') or ''} {element.get('role') or ''}".lower().split()
    )
    if local_name(element) == "figcaption" or "caption" in marks:
        return "caption"
    if any(
        mark.strip("-_") in ("abstract", "doc-abstract", "abstract-content", "abstracttext") for mark in marks
    ):
        return "abstract"
    if any(mark in ("references", "bibliography", "ref-list", "doc-bibliography") for mark in marks):
        return "reference"
    return inherited


def _is_hidden(element: Element) -> bool:
    return bool(_HIDDEN.search(element.get("style") or "")) or element.get("hidden") is not None


def _text(element: Element) -> str:
    return _clean(text_of(element, _special))


def _clean(text: str) -> str:
    return citations_apart(with_citations(" ".join(unligature(from_latex(text)).split())))


def _special(element: Element) -> str | None:
    name = local_name(element)
    if name in _DROPPED or _is_hidden(element):
        return " "
    if name == "img":  # formulas as pictures keep their source in the alternative text
        alternative = element.get("alt") or ""
        return tex_text(alternative) if "tex" in (element.get("class") or "") or "math" in alternative else ""
    if name == "math":
        for annotation in element.iter():
            if local_name(annotation) == "annotation" and "tex" in (annotation.get("encoding") or ""):
                return tex_text(annotation.text or "")
    if "katex-html" in (element.get("class") or "") or "mjx-assistive" in (element.get("class") or ""):
        return ""
    return citation(element)
