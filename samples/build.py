"""Build `samples/papers/` from `samples/source/`: `python -m samples.build`, byte-identical each time.

Each source names its format; some are written twice (`also:`), and papers with the same `file:` are
lines of one JSONL file. The traps (see samples/README.md) are made here too.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF
from PIL import Image, ImageDraw

from samples.markup import Paper, papers
from samples.render_pdf import pdf
from samples.render_text import html, jats, json_line, markdown, text

PAPERS = Path(__file__).resolve().parent / "papers"
SUFFIX = {"pdf": ".pdf", "jats": ".xml", "html": ".html", "markdown": ".md", "text": ".txt"}


def render(paper: Paper, form: str) -> bytes:
    """One paper in one format (pdf, jats, html, markdown, text)."""
    if form == "pdf":
        return pdf(paper)
    written = {"jats": jats, "html": html, "markdown": markdown, "text": text}[form](paper)
    return written.encode(paper.meta.get("encoding", "utf-8"))


def image_only_pdf() -> bytes:
    """A scanned page: a picture of text, no text layer."""
    picture = Image.new("L", (620, 877), 255)
    pen = ImageDraw.Draw(picture)
    for row, line in enumerate(
        (
            "A scanned page without a text layer",
            "",
            "Introduction",
            "Copper is smelted from its sulfide ores, and",
            "whoever wants to read this needs optical",
            "character recognition.",
        )
    ):
        pen.text((60, 80 + 26 * row), line, fill=0)
    sheet = FPDF()
    sheet.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
    sheet.set_producer("samples.build")
    sheet.set_title("A scanned page")
    sheet.add_page()
    sheet.image(picture, x=0, y=0, w=210)
    return bytes(sheet.output())


def build() -> dict[str, bytes]:
    """All files of samples/papers/, by name."""
    files: dict[str, bytes] = {}
    lines: dict[str, list[str]] = {}
    for paper in papers():
        if paper.meta["format"] == "jsonl":
            lines.setdefault(paper.meta["file"], []).append(json_line(paper))
            continue
        for form in [paper.meta["format"], *paper.meta.get("also", "").split()]:
            files[f"{paper.id}-{paper.meta['slug']}{SUFFIX[form]}"] = render(paper, form)
    for name, rows in lines.items():
        files[name] = ("\n".join(rows) + "\n").encode()
    cut = sorted(lines)[-1] if lines else None
    if cut:  # a line that a broken download left
        files[cut] += (lines[cut][0][:180]).encode() + b"\n"
    files["trap-empty.txt"] = b""
    files["trap-scanned.pdf"] = image_only_pdf()
    return files


def main() -> int:
    """Write the files that changed, remove what no source makes any more."""
    files = build()
    PAPERS.mkdir(exist_ok=True)
    for old in PAPERS.iterdir():
        if old.name not in files:
            old.unlink()
    changed = 0
    for name, data in sorted(files.items()):
        path = PAPERS / name
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
            changed += 1
    print(f"{len(files)} files in {PAPERS.name}/, {changed} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
