"""Files as arguments: made absolute for a job, and standard input kept where the job can read it."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

STDIN = "-"

# What a spooled document is, by how it begins; the reader of sources goes by the ending.
_BEGINNINGS = (
    (b"%PDF", ".pdf"),
    (b"<?xml", ".xml"),
    (b"<!DOCTYPE html", ".html"),
    (b"<html", ".html"),
    (b"{", ".jsonl"),
)


def readable(path: str, suffix: str = "") -> Path:
    """The absolute path of a file; `-` is standard input, copied into the home under its hash.

    A job may be run by another process, or after this one has died, so it cannot read our input.

    Args:
        path: as the user gave it.
        suffix: the ending of a spooled file; by default it follows from how the content begins.

    Raises:
        InputError: there is no such file.
    """
    from errors import InputError
    from settings import get_settings

    if path == STDIN:
        return _spooled(get_settings().home / "spool", suffix)
    absolute = Path(path).expanduser().absolute()
    try:
        there = absolute.exists()
    except OSError as error:
        raise InputError(f"{path[:200]}: {error.strerror}") from error
    if not there:
        raise InputError(f"{path}: no such file or folder")
    return absolute


def _spooled(folder: Path, suffix: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    descriptor, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "wb") as out:
        first = b""
        while block := sys.stdin.buffer.read(1 << 20):
            first = first or block[:64]
            digest.update(block)
            out.write(block)
    target = folder / f"stdin-{digest.hexdigest()[:16]}{suffix or _suffix(first)}"
    Path(name).replace(target)
    return target


def _suffix(first: bytes) -> str:
    start = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((ending for begin, ending in _BEGINNINGS if start.lower().startswith(begin.lower())), ".txt")
