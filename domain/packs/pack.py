"""A domain pack: what the stages know of a field. Another field is another folder, not other code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

from domain.composition import parse_formula
from domain.identity import display_name, identity_key, is_formula
from domain.ids import sha256
from domain.packs.lexicon import Lexicon, load_lexicon
from errors import InputError, NotFoundError

FOLDER = Path(__file__).parent
STEREO = re.compile(r"^\((?:[RSEZ]|\d[RSEZ](?:,\d[RSEZ])*|±|[+-]|rac)\)-|^(?:rac|meso|cis|trans)-")


class HasFormula(Protocol):
    """What `kind_of` needs of a compound."""

    @property
    def formula(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: its text, and the hash that is kept with everything it produced."""

    name: str
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """A property that two entities can be compared by; `name` is the key of the metadata."""

    name: str
    label: str
    unit: str


@dataclass(frozen=True, slots=True)
class KindRule:
    """When a name that no table holds is of a kind; see pack.toml."""

    kind: str
    name: re.Pattern[str] | None
    exact: re.Pattern[str] | None
    made_of: tuple[str, ...]
    organic: bool | None
    charged: bool


@dataclass(frozen=True)
class DomainPack:
    """One field: kinds and their nouns, generic words, weak predicates, terms, prompts, attributes."""

    name: str
    title: str
    folder: Path
    default_kind: str
    nouns: Mapping[str, str]
    rules: tuple[KindRule, ...]
    generic_heads: frozenset[str]
    generic_modifiers: frozenset[str]
    weak_verbs: frozenset[str]
    weak_phrases: frozenset[str]
    attributes: tuple[Attribute, ...]
    recogniser: str
    enrichers: tuple[str, ...]
    lexicon: Lexicon = field(repr=False)
    undefined_abbreviations: frozenset[str]
    never_entities: frozenset[str]
    stop_phrases: frozenset[str]
    stop_names: frozenset[str]
    ambiguous_names: frozenset[str]
    form_words: frozenset[str]
    transparent_heads: frozenset[str]

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds, in the order of the pack."""
        return tuple(self.nouns)

    def noun(self, kind: str) -> str:
        """Singular noun for a question, e.g. "oxide"; for a kind the pack does not have, the default's."""
        return self.nouns.get(kind, self.nouns[self.default_kind])

    def kind_of(self, name: str, compound: HasFormula | None = None) -> str:
        """The kind of an entity: as curated, else by the first rule that fits, else the default kind.

        Args:
            name: its name, or any surface of it.
            compound: the compound it was resolved to, whose formula the rules may use.
        """
        term = self.lexicon.find(name) or self.lexicon.find(STEREO.sub("", name))
        if term is not None:
            return term.kind
        shown = display_name(name)
        formula = shown if is_formula(shown) else (compound.formula if compound else None)
        atoms = parse_formula(formula) if formula else None
        charged = bool(formula) and bool(re.search(r"[+-]\d*$", str(formula)))
        for rule in self.rules:
            if rule.charged <= charged and self._fits(rule, shown, atoms):
                return rule.kind
        return self.default_kind

    def _fits(self, rule: KindRule, shown: str, atoms: Mapping[str, float] | None) -> bool:
        if rule.name and not rule.name.search(shown.lower()):
            return False
        if rule.exact and not rule.exact.search(shown):
            return False
        if rule.organic is not None and self._is_organic(shown, atoms) is not rule.organic:
            return False
        return not rule.made_of or (atoms is not None and self._is_made_of(rule.made_of, atoms))

    def _is_organic(self, shown: str, atoms: Mapping[str, float] | None) -> bool | None:
        if atoms:
            return atoms.get("C", 0) > 0 and atoms.get("H", 0) > 0
        first = self.lexicon.find(re.sub(r"\(.*", "", shown.split(maxsplit=1)[0]))
        return False if first and first.symbol else None

    def _is_made_of(self, classes: tuple[str, ...], atoms: Mapping[str, float]) -> bool:
        left = set(atoms)
        metals = {symbol for symbol in left if symbol in self._metals}
        for symbol in classes:
            if symbol == "metal":
                continue
            if symbol not in left:
                return False
            left.discard(symbol)
        wanted = classes.count("metal")
        return left == metals and (len(metals) >= wanted if wanted else not metals)

    @cached_property
    def _metals(self) -> frozenset[str]:
        return frozenset(symbol for symbol, term in self.lexicon.elements().items() if term.kind == "metal")

    def is_generic(self, name: str) -> bool:
        """Whether the name stands for no specific thing: "catalyst", "aqueous solution", "metal oxides"."""
        if self.lexicon.find(name):
            return False
        words = [word for word in re.split(r"[\s/]+", identity_key(name).lower()) if word]
        words = [
            part
            for word in words
            for part in ([word] if word in self.generic_modifiers else word.split("-"))
            if part
        ]
        if not words or not self._is_generic_head(words[-1]):
            return False
        return all(word in self.generic_modifiers or self._is_generic_head(word) for word in words[:-1])

    def _is_generic_head(self, word: str) -> bool:
        if word in self.generic_heads:
            return True
        singulars = (word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word))
        return any(singular in self.generic_heads for singular in singulars)

    def prompt(self, name: str) -> Prompt:
        """The prompt `prompts/<name>.md`. Raises NotFoundError if the pack has no such prompt."""
        path = self.folder / "prompts" / f"{name}.md"
        if not path.is_file():
            raise NotFoundError(f"The domain pack {self.name} has no prompt {name!r}.")
        text = path.read_text(encoding="utf-8")
        return Prompt(name, text, sha256(text))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the pack's data (prompts have their own), so that a changed list extracts anew."""
        files = sorted([*self.folder.glob("*.t*"), *self.folder.glob("*.toml")])
        return sha256("".join(path.name + sha256(path.read_bytes()) for path in dict.fromkeys(files)))[:16]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(phrase for part in text.split("|") if (phrase := " ".join(part.split())))


def _word_file(path: Path) -> frozenset[str]:
    if not path.exists():
        return frozenset()
    lines = path.read_text(encoding="utf-8").splitlines()
    # An underscore stands for the blank inside a name.
    return frozenset(
        word.replace("_", " ") for line in lines if not line.startswith("#") for word in line.split()
    )


def _rule(raw: Mapping[str, Any]) -> KindRule:
    return KindRule(
        kind=raw["kind"],
        name=re.compile(raw["name"]) if "name" in raw else None,
        exact=re.compile(raw["exact"]) if "exact" in raw else None,
        made_of=tuple(raw.get("made_of", ())),
        organic=raw.get("organic"),
        charged=raw.get("charged", False),
    )


@lru_cache(maxsize=8)
def load_pack(name: str = "chemistry") -> DomainPack:
    """The pack of that name. Raises InputError, with the names that there are, if it is missing or broken."""
    folder = FOLDER / name
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name) or not (folder / "pack.toml").is_file():
        known = ", ".join(sorted(path.parent.name for path in FOLDER.glob("*/pack.toml")))
        raise InputError(f"There is no domain pack {name!r}; there are: {known}.")
    raw = tomllib.loads((folder / "pack.toml").read_text(encoding="utf-8"))
    recognition = raw.get("recognition", {})
    try:
        pack = DomainPack(
            name=raw["name"],
            title=raw["title"],
            folder=folder,
            default_kind=raw["default_kind"],
            nouns=raw["nouns"],
            rules=tuple(_rule(rule) for rule in raw.get("rules", ())),
            generic_heads=_words(raw["generic"]["heads"]),
            generic_modifiers=_words(raw["generic"]["modifiers"]),
            weak_verbs=_words(raw["weak"]["verbs"]),
            weak_phrases=_phrases(raw["weak"]["phrases"]),
            attributes=tuple(Attribute(**attribute) for attribute in raw.get("attributes", ())),
            recogniser=raw.get("recogniser", "dictionary"),
            enrichers=tuple(raw.get("enrichers", ())),
            lexicon=load_lexicon(folder),
            undefined_abbreviations=_words(recognition.get("undefined", "")),
            never_entities=_words(recognition.get("never", "")),
            stop_phrases=_phrases(recognition.get("phrases", "")),
            stop_names=_word_file(folder / "stop_names.txt"),
            ambiguous_names=_word_file(folder / "ambiguous_names.txt"),
            form_words=_words(recognition.get("forms", "")),
            transparent_heads=_words(recognition.get("transparent", "")),
        )
    except (KeyError, ValueError, re.error) as error:
        raise InputError(f"The domain pack {name} cannot be used: {error}") from error
    unknown = {rule.kind for rule in pack.rules} | {term.kind for term in pack.lexicon.terms.values()}
    if missing := sorted(unknown - set(pack.nouns)):
        raise InputError(f"The domain pack {name} has no noun for: {', '.join(missing)}.")
    return pack
