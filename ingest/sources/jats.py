"""JATS XML, as journals, PubMed Central and preprint servers give it."""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterator

from lxml import etree

from domain.formulas import citations_apart
from errors import InputError
from ingest.models import Block, BlockKind
from ingest.sources.draft import Draft
from ingest.sources.inline import Element, citation, local_name, math_text, tex_text, text_of, with_citations
from ingest.sources.joining import unligature
from ingest.sources.metadata import clean_doi, find_license

_SKIPPED = frozenset(
    (
        "table-wrap",
        "table",
        "graphic",
        "media",
        "supplementary-material",
        "label",
        "object-id",
        "fn",
        "tex-math",
    )
)
_OTHER_ABSTRACTS = frozenset(
    ("graphical", "toc", "teaser", "key-points", "plain-language-summary", "executive-summary")
)


def read_jats(content: bytes) -> Draft:
    """Blocks and metadata of a JATS article.

    The parser loads no DTD and nothing from the network, and expands no entity but named characters.

    Raises:
        InputError: it is no well-formed XML, or no JATS article.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(_with_characters(content.lstrip()), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"It is no well-formed XML ({error}).") from error
    article = root if local_name(root) == "article" else next(iter(_all(root, "article")), None)
    if article is None:
        raise InputError(f"It is XML but no JATS article: its root is <{local_name(root)}>, not <article>.")
    return _article(article)


def _with_characters(content: bytes) -> bytes:
    """Named characters (&beta;) as numbers, in a file that brings no declarations of its own."""
    if b"<!ENTITY" in content:
        return content

    def number(match: re.Match[bytes]) -> bytes:
        name = match[1].decode("ascii")
        if name in ("amp", "lt", "gt", "quot", "apos"):
            return match[0]
        return "".join(
            f"&#{ord(character)};" for character in html.entities.html5.get(f"{name};", "")
        ).encode()

    return re.sub(rb"&([A-Za-z][A-Za-z0-9]{1,30});", number, content)


def _article(article: Element) -> Draft:
    draft = Draft()
    meta = next(iter(_all(article, "article-meta")), None)
    if meta is not None:
        _metadata(meta, draft)
    if draft.title:
        draft.blocks.append(Block(kind="title", text=draft.title))
    if meta is not None:
        for abstract in _children(meta, "abstract"):
            if abstract.get("abstract-type") not in _OTHER_ABSTRACTS:
                draft.blocks += [
                    Block(kind="abstract", text=block.text)
                    for block in _blocks(abstract, 1)
                    if block.kind != "heading"
                ]
    for body in _children(article, "body"):
        draft.blocks += _blocks(body, 0)
    if draft.blocks and not any(block.kind == "paragraph" for block in draft.blocks):
        draft.warnings.append("It holds the abstract only, no body.")
    return draft


def _metadata(meta: Element, draft: Draft) -> None:
    draft.title = _text(next(iter(_all(meta, "article-title")), None))
    draft.authors = tuple(filter(None, map(_name, _authors(meta))))
    for identifier in _children(meta, "article-id"):
        if identifier.get("pub-id-type") == "doi":
            draft.doi, draft.version = clean_doi(text_of(identifier))
    version = next(iter([*_all(meta, "article-version"), *_all(meta, "version")]), None)
    if draft.version is None and version is not None:
        draft.version = _text(version).lower().removeprefix("version").strip(" v") or None
    for licence in _all(meta, "license"):
        links = " ".join(str(value) for node in licence.iter() for value in dict(node.attrib).values())
        draft.license = draft.license or find_license(f"{links} {text_of(licence)}")
    for date in [*_all(meta, "pub-date"), *_all(meta, "date")]:
        draft.published = draft.published or _date(date)
    uri = next(iter(_children(meta, "self-uri")), None)
    if uri is not None:
        draft.url = next(
            (str(value) for value in dict(uri.attrib).values() if str(value).startswith("http")), None
        )


def _authors(meta: Element) -> Iterator[Element]:
    for contributor in _all(meta, "contrib"):
        if contributor.get("contrib-type", "author") == "author":
            yield contributor


def _name(contributor: Element) -> str:
    surname = _text(next(iter(_all(contributor, "surname")), None))
    given = _text(next(iter(_all(contributor, "given-names")), None))
    if surname:
        return f"{given} {surname}".strip()
    other = next(iter([*_all(contributor, "string-name"), *_all(contributor, "collab")]), None)
    return _text(other)


def _date(date: Element) -> str | None:
    parts = [_text(next(iter(_children(date, name)), None)) for name in ("year", "month", "day")]
    if all(part.isdigit() for part in parts):
        return f"{int(parts[0]):04}-{int(parts[1]):02}-{int(parts[2]):02}"
    return None


def _blocks(parent: Element, level: int) -> Iterator[Block]:
    """Blocks of a body, section or abstract, in order. `level` is that of the section."""
    for child in parent:
        name = local_name(child)
        if name == "sec":
            yield from _blocks(child, level + 1)
        elif name == "title":
            label = _text(next(iter(_children(parent, "label")), None))
            yield from _block("heading", " ".join(filter(None, (label, _text(child)))), max(level, 1))
        elif name == "p":
            yield from _block("paragraph", _text(child))
            for figure in [*_all(child, "fig"), *_all(child, "list")]:
                yield from _figure(figure) if local_name(figure) == "fig" else _blocks(figure, level)
        elif name in ("fig", "fig-group", "boxed-text", "table-wrap"):
            yield from _figure(child)
        elif name in ("list", "list-item", "disp-quote", "statement", "def-list", "def-item", "def"):
            yield from _blocks(child, level)


def _figure(figure: Element) -> Iterator[Block]:
    for caption in _all(figure, "caption"):
        label = _text(next(iter(_children(figure, "label")), None))
        yield from _block("caption", " ".join(filter(None, (label, _text(caption)))))


def _block(kind: BlockKind, text: str, level: int = 0) -> Iterator[Block]:
    if text:
        yield Block(kind=kind, text=text, level=level)


def _text(element: Element | None) -> str:
    if element is None:
        return ""
    return citations_apart(with_citations(" ".join(unligature(text_of(element, _special)).split())))


def _special(element: Element) -> str | None:
    """What is printed for elements that are no plain text."""
    name = local_name(element)
    if name in ("fig", "list") or (name in _SKIPPED and name != "tex-math"):
        return " "
    if name == "tex-math":
        return tex_text(element.text or "")
    return _alternative(element) if name == "alternatives" else citation(element)


def _alternative(element: Element) -> str:
    """One of the renderings of a formula: MathML where there is one, else TeX, else its text."""
    for child in element:
        if local_name(child) == "math":
            return math_text(child)
    for child in element:
        if local_name(child) == "tex-math":
            return tex_text(child.text or "")
    return next((text_of(child) for child in element if local_name(child) == "textual-form"), "")


def _all(element: Element, name: str) -> list[Element]:
    """Descendants by local name, whatever their namespace, in document order."""
    return [node for node in element.iter() if node is not element and local_name(node) == name]


def _children(element: Element, name: str) -> list[Element]:
    return [child for child in element if local_name(child) == name]
