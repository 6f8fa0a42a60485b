"""The bundled papers as Markdown, text, HTML, JATS XML and JSONL. Every function is pure."""

from __future__ import annotations

import json
import textwrap
from xml.sax.saxutils import escape

from samples.markup import (
    SUPERSCRIPTS,
    Paper,
    latex_formula,
    plain,
    tagged_formula,
    tokens,
    unicode_formula,
)

FOOTER = "Content not peer-reviewed by ChemRxiv. License: CC BY 4.0"


def number(paper: Paper, ordinal: int, heading: str) -> str:
    """The heading with its number, where the paper numbers its sections (`numbers:` arabic, roman)."""
    style = paper.meta.get("numbers", "no")
    if style == "arabic":
        return f"{ordinal}. {heading}"
    if style == "roman":
        return f"{('I', 'II', 'III', 'IV', 'V', 'VI')[ordinal - 1]}. {heading}"
    return heading


def headed(paper: Paper) -> list[tuple[str | None, tuple[str, ...]]]:
    """Introduction and the sections after it, with printed headings."""
    rows: list[tuple[str | None, tuple[str, ...]]] = []
    heading = paper.heading
    rows.append((number(paper, 1, heading) if heading else None, paper.introduction))
    first = 2 if heading else 1
    for ordinal, section in enumerate(paper.rest, start=first):
        rows.append((number(paper, ordinal, section.heading), section.paragraphs))
    return rows


def inline(paper: Paper, paragraph: str) -> str:
    """A paragraph with the paper's own style of formulas (`formulas:`) and citations (`cite:`)."""
    formulas = paper.meta.get("formulas", "unicode")
    superscript = paper.meta.get("cite") == "super"
    latex = formulas == "latex"
    out = []
    for token in tokens(paragraph):
        if token.role == "formula":
            out.append(
                latex_formula(token.text)
                if latex
                else unicode_formula(token.text)
                if formulas == "unicode"
                else token.text.replace("^", "")
            )
        elif token.role == "cite":
            if superscript and latex:
                out.append(f"{token.stop}$^{{{token.text}}}$")
            elif superscript:
                out.append(token.stop + token.text.translate(SUPERSCRIPTS))
            else:
                out.append(f" [{token.text}]{token.stop}")
        else:
            out.append(token.text)
    return "".join(out)


def markdown(paper: Paper) -> str:
    """Front matter in YAML or as a printed title block, then headings with #."""
    lines = []
    if paper.meta.get("front") == "yaml":
        lines += ["---", f'title: "{paper.title}"', "authors:"]
        lines += [f"  - {name}" for name in paper.names]
        lines += [
            f"doi: {paper.doi}",
            f"version: {paper.version}",
            f"date: {paper.meta['date']}",
            "license: CC BY 4.0",
            "---",
            "",
            f"# {paper.title}",
            "",
        ]
    else:
        marks = ", ".join(f"{name}$^{{{mark}}}$" for name, mark in paper.authors)
        lines += [f"# {paper.title}", "", marks, ""]
        lines += [f"{ordinal}. {text}" for ordinal, text in enumerate(paper.affiliations, 1)]
        lines += [
            "",
            f"Posted on {paper.meta['date']} — https://doi.org/{paper.versioned_doi} — CC BY 4.0 — "
            "This is a preprint and has not been peer reviewed.",
            "",
        ]
    lines += ["## Abstract", ""]
    for paragraph in paper.abstract:
        lines += [inline(paper, paragraph), ""]
    if paper.meta.get("front") != "yaml":
        lines += [f"https://doi.org/{paper.versioned_doi} {FOOTER}", ""]
    for heading, paragraphs in headed(paper):
        if heading:
            lines += [f"## {heading}", ""]
        for paragraph in paragraphs:
            lines += [inline(paper, paragraph), ""]
    lines += ["## References", ""]
    lines += [f"{ordinal}. {text}" for ordinal, text in enumerate(paper.references, 1)]
    return "\n".join(lines) + "\n"


def text(paper: Paper) -> str:
    """Wrapped lines, headings in capitals; with `pages: yes` running heads, footers and form feeds."""
    lines: list[str] = [paper.title.upper() if paper.meta.get("caps") else paper.title, ""]
    lines += [", ".join(paper.names), *paper.affiliations, ""]
    lines += [f"Preprint, version {paper.version}, {paper.meta['date']}"]
    lines += [f"https://doi.org/{paper.versioned_doi}", "Licence: CC BY 4.0", ""]
    caps = bool(paper.meta.get("caps"))

    def heading(words: str) -> list[str]:
        return [words.upper() if caps else words, ""]

    lines += heading("Abstract")
    for paragraph in paper.abstract:
        lines += [*textwrap.wrap(inline(paper, paragraph), 78, break_on_hyphens=False), ""]
    for words, paragraphs in headed(paper):
        if words:
            lines += heading(words)
        for paragraph in paragraphs:
            lines += [*textwrap.wrap(inline(paper, paragraph), 78, break_on_hyphens=False), ""]
    lines += heading("References")
    for ordinal, reference in enumerate(paper.references, 1):
        lines += textwrap.wrap(f"[{ordinal}] {reference}", 78, subsequent_indent="    ")
    if paper.meta.get("pages") != "yes":
        return "\n".join(lines) + "\n"
    size, pages = 32, []
    for page, start in enumerate(range(0, len(lines), size), 1):
        head = [] if page == 1 else [f"{paper.meta['short']:<70}{page:>8}", ""]
        foot = ["", f"https://doi.org/{paper.versioned_doi}  {FOOTER}", f"{page:>40}"]
        pages.append("\n".join(head + lines[start : start + size] + foot))
    return "\n\f".join(pages) + "\n"


def marked(paper: Paper, paragraph: str, cite: str) -> str:
    """A paragraph with tags; `cite` is a format of a citation with {n} (numbers) and {stop}."""
    out = []
    for token in tokens(paragraph):
        if token.role == "formula":
            if paper.meta.get("formulas") == "tex":
                tex = latex_formula(token.text)
                out.append(f"<inline-formula><tex-math>{escape(tex)}</tex-math></inline-formula>")
            else:
                out.append(tagged_formula(token.text))
        elif token.role == "cite":
            out.append(cite.format(n=token.text, stop=token.stop, first=token.text.split(",")[0]))
        else:
            out.append(escape(token.text))
    return "".join(out)


def html(paper: Paper) -> str:
    """A page as a preprint server shows it: navigation, article, footer."""
    superscript = paper.meta.get("cite") == "super"
    cite = (
        '{stop}<sup><a href="#ref{first}">{n}</a></sup>'
        if superscript
        else ' [<a href="#ref{first}">{n}</a>]{stop}'
    )
    out = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>{escape(paper.title)} | Preprints of the sample corpus</title>",
        f'<meta name="citation_title" content="{escape(paper.title)}">',
    ]
    out += [f'<meta name="citation_author" content="{escape(name)}">' for name in paper.names]
    out += [
        f'<meta name="citation_doi" content="{paper.versioned_doi}">',
        f'<meta name="citation_publication_date" content="{paper.meta["date"].replace("-", "/")}">',
        '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">',
        "<style>body { font-family: serif; } nav { float: right; }</style>",
        "</head>",
        "<body>",
        '<nav><ul><li><a href="#abstract">Abstract</a></li><li><a href="#s1">Text</a></li>'
        '<li><a href="#references">References</a></li></ul></nav>',
        "<article>",
        f"<h1>{escape(paper.title)}</h1>",
        '<p class="authors">'
        + ", ".join(f"{escape(name)}<sup>{mark}</sup>" for name, mark in paper.authors)
        + "</p>",
    ]
    out += [f'<p class="affiliation">{escape(text_)}</p>' for text_ in paper.affiliations]
    out += ['<section id="abstract"><h2>Abstract</h2>']
    out += [f"<p>{marked(paper, paragraph, cite)}</p>" for paragraph in paper.abstract]
    out += ["</section>"]
    for ordinal, (heading, paragraphs) in enumerate(headed(paper), 1):
        out.append(f'<section id="s{ordinal}">')
        if heading:
            out.append(f"<h2>{escape(heading)}</h2>")
        out += [f"<p>{marked(paper, paragraph, cite)}</p>" for paragraph in paragraphs]
        out.append("</section>")
    out += ['<section id="references"><h2>References</h2><ol>']
    out += [f'<li id="ref{n}">{escape(reference)}</li>' for n, reference in enumerate(paper.references, 1)]
    out += [
        "</ol></section>",
        "</article>",
        f"<footer><p>https://doi.org/{paper.versioned_doi} {FOOTER}</p><p>Share this page</p>"
        "<script>window.loaded = true;</script></footer>",
        "</body>",
        "</html>",
    ]
    return "\n".join(out) + "\n"


def jats(paper: Paper) -> str:
    """JATS 1.3, the subset that journals deliver: front, body, back."""
    superscript = paper.meta.get("cite") == "super"
    link = '<xref ref-type="bibr" rid="b{first}">{n}</xref>'
    cite = "{stop}<sup>" + link + "</sup>" if superscript else " [" + link + "]{stop}"
    year, month, day = paper.meta["date"].split("-")
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.3'
        ' 20210610//EN" "JATS-archivearticle1-3.dtd">',
        '<article article-type="preprint" dtd-version="1.3" xml:lang="en"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink">',
        "<front>",
        "<journal-meta><journal-title-group><journal-title>Preprints of the sample corpus</journal-title>"
        "</journal-title-group></journal-meta>",
        "<article-meta>",
        f'<article-id pub-id-type="doi">{paper.versioned_doi}</article-id>',
        f"<article-version>{paper.version}</article-version>",
        f"<title-group><article-title>{escape(paper.title)}</article-title></title-group>",
        "<contrib-group>",
    ]
    for name, marks in paper.authors:
        given, _, surname = name.rpartition(" ")
        refs = "".join(f'<xref ref-type="aff" rid="aff{m}"/>' for m in marks.split(","))
        out.append(
            f'<contrib contrib-type="author"><name><surname>{escape(surname)}</surname>'
            f"<given-names>{escape(given)}</given-names></name>{refs}</contrib>"
        )
    out.append("</contrib-group>")
    out += [f'<aff id="aff{n}">{escape(place)}</aff>' for n, place in enumerate(paper.affiliations, 1)]
    out += [
        f'<pub-date pub-type="epub" iso-8601-date="{paper.meta["date"]}"><day>{int(day)}</day>'
        f"<month>{int(month)}</month><year>{year}</year></pub-date>",
        '<permissions><license license-type="open-access"'
        ' xlink:href="https://creativecommons.org/licenses/by/4.0/">'
        "<license-p>CC BY 4.0</license-p></license></permissions>",
        "<abstract>",
    ]
    out += [f"<p>{marked(paper, paragraph, cite)}</p>" for paragraph in paper.abstract]
    out += ["</abstract>", "</article-meta>", "</front>", "<body>"]
    for ordinal, (heading, paragraphs) in enumerate(headed(paper), 1):
        kind = ' sec-type="intro"' if ordinal == 1 and heading and paper.meta.get("sec-type") else ""
        if heading:
            label, dot, words = heading.partition(". ")
            title = (
                f"<label>{label}.</label><title>{escape(words)}</title>"
                if dot
                else f"<title>{escape(heading)}</title>"
            )
            out.append(f'<sec id="s{ordinal}"{kind}>{title}')
        out += [f"<p>{marked(paper, paragraph, cite)}</p>" for paragraph in paragraphs]
        if heading:
            out.append("</sec>")
    out += ["</body>", "<back><ref-list><title>References</title>"]
    out += [
        f'<ref id="b{n}"><label>{n}</label><mixed-citation>{escape(reference)}</mixed-citation></ref>'
        for n, reference in enumerate(paper.references, 1)
    ]
    out += ["</ref-list></back>", "</article>"]
    return "\n".join(out) + "\n"


def json_line(paper: Paper) -> str:
    """One record; with `layout: text` the body is one string, else sections with paragraphs."""
    record: dict[str, object] = {
        "doi": paper.versioned_doi,
        "version": paper.version,
        "title": paper.title,
        "authors": paper.names,
        "license": "CC BY 4.0",
        "published": paper.meta["date"],
        "url": f"https://doi.org/{paper.versioned_doi}",
        "abstract": " ".join(inline(paper, paragraph) for paragraph in paper.abstract),
    }
    if paper.meta.get("layout") == "text":
        parts = []
        for heading, paragraphs in headed(paper):
            parts += ([heading] if heading else []) + [inline(paper, p) for p in paragraphs]
        parts += ["References", *(f"[{n}] {r}" for n, r in enumerate(paper.references, 1))]
        record["text"] = "\n\n".join(parts)
    else:
        record["sections"] = [
            {"heading": heading or "", "paragraphs": [inline(paper, p) for p in paragraphs]}
            for heading, paragraphs in headed(paper)
        ]
        record["references"] = list(paper.references)
    return json.dumps(record, ensure_ascii=False)


def words(paper: Paper) -> int:
    """Words of the introduction."""
    return sum(len(plain(paragraph).split()) for paragraph in paper.introduction)
