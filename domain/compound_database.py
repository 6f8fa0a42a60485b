"""The 76,000 compounds of the `chemicals` package, by name, formula and PubChem CID.

The package's own index keeps one compound a name and so hides that a name is ambiguous; it
also loads numerical libraries that nobody here needs. So its data files are read directly:
about two seconds and 250 MB once a process, when something first asks.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from errors import CataneneError

# The later file is the better curated one, as in the package.
FILES = (
    "chemical identifiers pubchem large.tsv",
    "chemical identifiers pubchem small.tsv",
    "chemical identifiers example user db.tsv",
    "Cation db.tsv",
    "Anion db.tsv",
    "Inorganic db.tsv",
)
_CID, _CAS, _FORMULA, _WEIGHT, _SMILES, _, _KEY, _IUPAC, _COMMON = range(9)
_LONGEST_NAME = 90  # characters; longer ones are systematic names that no text spells out


class Row(NamedTuple):
    """One compound as the package has it. `formula` is in Hill order with the charge behind: O4S-2."""

    cid: int | None
    cas: str
    formula: str
    weight: float
    smiles: str
    inchikey: str
    iupac: str
    common: str
    synonyms: tuple[str, ...]


class Database:
    """Rows by lower-case name, by Hill formula and by CID. Build it through `database()`."""

    def __init__(self, folder: Path) -> None:
        self._lines: list[str] = []
        self._names: dict[str, int | tuple[int, ...]] = {}
        self._cids: dict[int, int] = {}
        self._formulas: dict[str, list[int]] = {}
        self._keys: list[str] = []
        for name in FILES:
            with (folder / name).open(encoding="utf-8") as file:
                self._load(file)

    def _load(self, lines: Iterator[str]) -> None:
        names, keys = self._names, self._keys
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            index = len(self._lines)
            self._lines.append(line)
            key = fields[_KEY]
            keys.append(key)
            self._formulas.setdefault(fields[_FORMULA], []).append(index)
            cid = int(fields[_CID])
            if cid > 0:  # the package numbers what PubChem lacks from -1 downwards
                self._cids[cid] = index
            for field in fields[_IUPAC:]:
                if len(field) > _LONGEST_NAME:
                    continue
                name = field.lower()
                known = names.get(name)
                if known is None:
                    names[name] = index
                elif isinstance(known, int):
                    names[name] = index if keys[known] == key else (known, index)
                else:
                    names[name] = (*(other for other in known if keys[other] != key), index)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def row(self, index: int) -> Row:
        fields = self._lines[index].rstrip("\n").split("\t")
        cid = int(fields[_CID])
        return Row(
            cid=cid if cid > 0 else None,
            cas=fields[_CAS],
            formula=fields[_FORMULA],
            weight=float(fields[_WEIGHT]),
            smiles=fields[_SMILES],
            inchikey=fields[_KEY],
            iupac=fields[_IUPAC],
            common=fields[_COMMON],
            synonyms=tuple(dict.fromkeys(name for name in fields[_IUPAC:] if name)),
        )

    def by_name(self, name: str) -> list[Row]:
        """All compounds of which the lower-case `name` is a name or synonym."""
        found = self._names.get(name)
        if found is None:
            return []
        return [self.row(index) for index in ((found,) if isinstance(found, int) else found)]

    def by_formula(self, hill: str) -> list[Row]:
        """All compounds with that formula, the better curated row of one compound only."""
        rows = {self._keys[index]: index for index in self._formulas.get(hill, ())}
        return [self.row(index) for index in rows.values()]

    def by_cid(self, cid: int) -> Row | None:
        index = self._cids.get(cid)
        return None if index is None else self.row(index)


_lock = threading.Lock()


@lru_cache(maxsize=1)
def _open() -> Database:
    specification = importlib.util.find_spec("chemicals")
    if specification is None or not specification.submodule_search_locations:
        raise CataneneError(
            "The package `chemicals`, which holds the dictionary of compounds, is not installed."
        )
    return Database(Path(specification.submodule_search_locations[0]) / "Identifiers")


def database() -> Database:
    """The one index of this process, built on first use."""
    with _lock:
        return _open()
