"""Uploaded files: streamed into the home under the hash of their content, where a job reads them."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from pathlib import Path, PurePosixPath, PureWindowsPath

from fastapi import UploadFile

from errors import InputError
from settings import Settings

BLOCK = 1 << 20


async def keep(file: UploadFile, settings: Settings) -> Path:
    """Copy an upload to `<home>/spool/<hash>/<its name>`. The same content under the same name is one file.

    Raises:
        InputError: it has no name, so nobody could tell what it is.
    """
    name = safe_name(file.filename or "")
    folder = settings.home / "spool"
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    descriptor, temporary = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "wb") as out:
        while block := await file.read(BLOCK):
            digest.update(block)
            await asyncio.to_thread(out.write, block)
    target = folder / digest.hexdigest()[:24] / name
    target.parent.mkdir(exist_ok=True)
    Path(temporary).replace(target)
    return target


def safe_name(name: str) -> str:
    """The last part of a file name, whichever system it is from; never a way out of the folder."""
    last = PurePosixPath(PureWindowsPath(name).name).name.replace("\0", "").strip()
    if last in ("", ".", ".."):
        raise InputError("A file needs a name; its ending says what it is.")
    stem, suffix = Path(last).stem, "".join(Path(last).suffixes)[-20:]
    return f"{stem[:150]}{suffix}" if len(last) > 170 else last
