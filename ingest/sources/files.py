"""Files and folders: which ones there are, and what stands in them."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from domain.ids import sha256
from errors import InputError
from ingest.models import SourceDocument, SourceFailure
from ingest.sources.draft import Draft
from ingest.sources.html import read_html
from ingest.sources.jats import read_jats
from ingest.sources.jsonl import Record, read_jsonl
from ingest.sources.markdown import read_markdown
from ingest.sources.pdf import read_pdf
from ingest.sources.plain_text import read_text
from settings import Settings

Format = Literal["pdf", "jats", "html", "markdown", "text", "jsonl"]

FORMATS: dict[str, Format] = {
    ".pdf": "pdf",
    ".xml": "jats",
    ".nxml": "jats",
    ".jats": "jats",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
# Papers all the same: named as failures where a folder holds them, while a Makefile is passed over.
_PAPERS_ELSEWHERE = frozenset({".doc", ".docx", ".odt", ".rtf", ".tex", ".epub", ".ps", ".djvu"})
_READERS: dict[Format, Callable[[bytes], Draft]] = {
    "pdf": read_pdf,
    "jats": read_jats,
    "html": read_html,
    "markdown": read_markdown,
    "text": read_text,
}
_MEGABYTE = 1_000_000


def discover(paths: Sequence[Path], settings: Settings) -> list[Path]:
    """The files to read, each once: files as named, folders with all that is below them, sorted.

    In folders hidden files and what is no paper is passed over; papers in a format that is not
    read (Word, TeX) are kept, so that `read_documents` can say so. A path that does not exist
    is kept for the same reason.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        files = _below(path) if path.is_dir() else [path]
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _below(folder: Path) -> list[Path]:
    files: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            suffix = _suffix(Path(name))
            if not name.startswith(".") and (suffix in FORMATS or suffix in _PAPERS_ELSEWHERE):
                files.append(Path(where) / name)
    return sorted(files)


def read_documents(path: Path, settings: Settings) -> Iterator[SourceDocument | SourceFailure]:
    """The document of a file, or the documents of a JSON Lines file, in order; lazily.

    Whatever is wrong with the file (or a line) becomes a SourceFailure whose reason tells its owner
    what to do; nothing is raised.
    """
    source = printable(path.resolve())
    try:
        if source != str(path.resolve()):
            raise InputError("Its name is not valid UTF-8; rename it.")
        kind = _format(path)
        content = _content(path, settings)
        if kind == "jsonl":
            for record in read_jsonl(content):
                yield _from_record(record, source)
            return
        name = Path(path.stem).stem if path.suffix.lower() == ".gz" else path.stem
        yield _complete(_READERS[kind](content), source, kind, content, name)
    except InputError as error:
        yield SourceFailure(source=source, stage="read", reason=str(error))


def printable(path: Path) -> str:
    """The path as text that can be stored and printed: bytes of a name that are no UTF-8 as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _suffix(path: Path) -> str:
    return Path(path.stem).suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def _format(path: Path) -> Format:
    suffix = _suffix(path)
    if suffix in FORMATS:
        return FORMATS[suffix]
    readable = "PDF, JATS XML, HTML, Markdown, text or JSON Lines"
    if suffix in _PAPERS_ELSEWHERE:
        raise InputError(f"{suffix} files are not read; export it as {readable}.")
    raise InputError(f"Files named {suffix or 'without a suffix'} are not read; it must be {readable}.")


def _content(path: Path, settings: Settings) -> bytes:
    """The bytes of the file, unpacked, or an InputError that says why there are none to use."""
    limit = settings.max_file_mb * _MEGABYTE
    try:
        if path.is_dir():
            raise InputError("It is a folder, not a file.")
        size = path.stat().st_size
        if not path.is_file():
            raise InputError("It is no regular file (a pipe, a socket or a device).")
        if size > limit:
            raise InputError(_too_large(size, settings))
        content = _unpacked(path, limit, settings) if path.suffix.lower() == ".gz" else path.read_bytes()
    except FileNotFoundError as error:
        raise InputError("There is no such file.") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError("It is no complete gzip file; pack it again or give it unpacked.") from error
    except OSError as error:
        raise InputError(f"It cannot be opened: {error.strerror or error}.") from error
    if not content:
        raise InputError("The file is empty.")
    if not content.strip():
        raise InputError("The file holds nothing but blanks.")
    return content


def _unpacked(path: Path, limit: int, settings: Settings) -> bytes:
    with gzip.open(path) as packed:
        content = packed.read(limit + 1)
    if len(content) > limit:
        raise InputError(_too_large(len(content), settings, unpacked=True))
    return content


def _too_large(size: int, settings: Settings, *, unpacked: bool = False) -> str:
    what = "Unpacked it is larger than" if unpacked else f"It has {size / _MEGABYTE:.0f} MB, more than"
    return f"{what} the {settings.max_file_mb} MB allowed; raise CATENANE_MAX_FILE_MB to read it."


def _complete(draft: Draft, source: str, kind: Format, content: bytes, name: str) -> SourceDocument:
    if not any(block.kind in ("paragraph", "abstract") for block in draft.blocks):
        raise InputError("No paragraph of text was found in it.")
    return SourceDocument(
        source=source,
        format=kind,
        title=draft.title or name,
        authors=draft.authors,
        doi=draft.doi,
        version=draft.version,
        license=draft.license,
        url=draft.url,
        published=draft.published,
        blocks=tuple(draft.blocks),
        content_sha256=sha256(content),
        warnings=tuple(draft.warnings),
    )


def _from_record(record: Record, source: str) -> SourceDocument | SourceFailure:
    place = f"{source}#{record.line}"
    if isinstance(record.outcome, str):
        return SourceFailure(source=place, stage="read", reason=record.outcome)
    try:
        return _complete(record.outcome, place, "jsonl", record.content, record.name)
    except InputError as error:
        return SourceFailure(source=place, stage="read", reason=f"line {record.line}: {error}")
