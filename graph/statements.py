"""Loading of `cypher/`: every statement has a name, a comment and parameters, and no text in code.

A file with one statement is called by "folder/file". A file with several has blocks that begin
with a line `// :name block`; those are called by "folder/file.block". Every file begins with
comment lines that say what it does and which parameters it takes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from errors import EngineError

CYPHER = Path(__file__).resolve().parents[1] / "cypher"

_BLOCK = re.compile(r"^// :name (\S+)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
_PARAMETER = re.compile(r"\$(\w+)")
_MIGRATION = re.compile(r"\d{3}_\w+")


@dataclass(frozen=True)
class Statement:
    """One named statement. `text` has no comments; `parameters` are the names it takes."""

    name: str
    text: str
    parameters: frozenset[str]


def _parse(file: Path, root: Path) -> dict[str, Statement]:
    name = file.relative_to(root).with_suffix("").as_posix()
    content = file.read_text(encoding="utf-8")
    if not content.startswith("//"):
        raise EngineError(f"{file}: a statement file begins with comment lines that say what it does.")
    pieces = _BLOCK.split(content)
    blocks = {name: content} if len(pieces) == 1 else {}
    for block, text in zip(pieces[1::2], pieces[2::2], strict=True):
        if f"{name}.{block}" in blocks:
            raise EngineError(f"{file}: two blocks are called {block}.")
        blocks[f"{name}.{block}"] = text
    found = {}
    for full, text in blocks.items():
        bare = _COMMENT.sub("", text).strip()
        if not bare:
            raise EngineError(f"{file}: {full} has no statement.")
        found[full] = Statement(full, bare, frozenset(_PARAMETER.findall(bare)))
    return found


@lru_cache(maxsize=4)
def statements(root: Path = CYPHER) -> dict[str, Statement]:
    """All statements by name, without the numbered schema files (see `graph.migrations`)."""
    found: dict[str, Statement] = {}
    for file in sorted(root.rglob("*.cypher")):
        if not _MIGRATION.fullmatch(file.stem):
            found.update(_parse(file, root))
    return found


def statement(name: str) -> Statement:
    """The statement of this name. Raises EngineError where `cypher/` does not ship it."""
    try:
        return statements()[name]
    except KeyError:
        raise EngineError(f"There is no statement {name!r} in {CYPHER}.") from None


def migrations(root: Path = CYPHER) -> list[tuple[int, str, list[str]]]:
    """The numbered schema files in order: number, name, and their statements (each ends in `;`)."""
    found = []
    for file in sorted((root / "schema").glob("*.cypher")):
        if _MIGRATION.fullmatch(file.stem):
            bare = _COMMENT.sub("", file.read_text(encoding="utf-8"))
            found.append(
                (int(file.stem[:3]), file.stem, [part.strip() for part in bare.split(";") if part.strip()])
            )
    return found
