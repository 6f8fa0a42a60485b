"""Closed classes of English words, and the open ones that a pack brings in its `grammar.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from domain.packs.pack import DomainPack
from domain.verbs import VerbLexicon, load_verbs


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS = _set("a an the its their this that these those both")
PREPOSITIONS = _set(
    """of from to into by with in on onto over for as at via through between against under upon towards
    toward within without during per across out off around along near above below after before until
    besides despite among using like unlike throughout beyond behind than since"""
)
CONJUNCTIONS = _set("and or but yet nor &")
SUBORDINATORS = _set(
    "because since whereas while although though that so where when as once before after until thus hence"
)
CONDITIONAL = _set("if whether unless")
RELATIVES = _set("which that who whose whom")
BE = _set("is are was were be been being")
FINITE_BE = _set("is are was were")
HAVE = _set("has have had")
MODALS = _set("can could may might must shall should will would cannot")
SPECULATIVE_MODALS = _set("may might could would should shall must")
NEGATIONS = _set("not never cannot n't hardly scarcely rarely seldom barely neither nor no")
ADVERBS = _set(
    """also thus therefore then however often usually commonly typically mainly mostly generally normally
    already still now only even first later again always almost nearly widely readily directly slowly
    rapidly easily well once today best industrially commercially finally simply thereby instead
    together alone sometimes here there soon too so formerly originally traditionally currently hardly
    scarcely rarely seldom barely never perhaps maybe"""
)
_NOT_ADVERBS = _set(
    "supply apply rely multiply imply comply fly ally assembly family anomaly poly july italy"
)
HEDGES = (
    "suggest",
    "propos",
    "hypothes",
    "assum",
    "believ",
    "thought",
    "claim",
    "speculat",
    "predict",
    "expect",
    "unclear",
    "unknown",
    "uncertain",
    "doubt",
    "question",
    "whether",
    "perhaps",
    "maybe",
    "possibl",
    "probabl",
    "presumabl",
    "unlikely",
    "likely",
    "apparent",
    "seeming",
    "suppos",
    "alleg",
    "potentiall",
    "hope",
    "fail",
    "seem",
    "appear",
    "conceiv",
    "controvers",
    "disput",
    "contrary",
    "wrongly",
    "myth",
    "if",
    "unless",
)


def is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _NOT_ADVERBS)


def is_hedge(word: str) -> bool:
    """Whether the word makes a statement of what follows it uncertain."""
    return any(word == hedge if len(hedge) < 4 else word.startswith(hedge) for hedge in HEDGES)


@dataclass(frozen=True)
class Grammar:
    """The words of a field, with its verbs."""

    verbs: VerbLexicon
    processes: frozenset[str]
    process_endings: tuple[str, ...]
    process_exceptions: frozenset[str]
    binary: frozenset[str]
    properties: frozenset[str]
    kept_containers: frozenset[str]
    dropped_containers: frozenset[str]
    roles: frozenset[str]
    adjectives: frozenset[str]
    partners: frozenset[str]
    modifiers: frozenset[str]
    refused_modifiers: frozenset[str]

    def is_process(self, word: str) -> bool:
        """A noun for what is done to a substance: oxidation, Beckmann rearrangement, leaching."""
        if word in self.processes:
            return True
        return len(word) > 6 and word not in self.process_exceptions and word.endswith(self.process_endings)


def _words_of(raw: Mapping[str, Any], table: str, key: str = "nouns") -> frozenset[str]:
    return _set(raw.get(table, {}).get(key, ""))


@lru_cache(maxsize=4)
def _load(folder: Path) -> Grammar:
    path = folder / "grammar.toml"
    raw: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return Grammar(
        verbs=load_verbs(folder) if (folder / "verbs.tsv").exists() else load_verbs(),
        processes=_words_of(raw, "process"),
        process_endings=tuple(raw.get("process", {}).get("endings", ())),
        process_exceptions=_words_of(raw, "process", "exceptions"),
        binary=_words_of(raw, "process", "binary"),
        properties=_words_of(raw, "property"),
        kept_containers=_words_of(raw, "container", "kept"),
        dropped_containers=_words_of(raw, "container", "dropped"),
        roles=_words_of(raw, "role"),
        adjectives=_words_of(raw, "adjective"),
        partners=_words_of(raw, "partner"),
        modifiers=_words_of(raw, "modifier", "allowed"),
        refused_modifiers=_words_of(raw, "modifier", "refused"),
    )


def grammar_of(pack: DomainPack) -> Grammar:
    """The grammar of the pack; the verbs of chemistry where it brings none."""
    return _load(pack.folder)
