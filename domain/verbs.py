"""English verb forms, with the verbs of chemistry and what may follow each.

Regular verbs are inflected by rule. Verbs that nobody listed are still taken apart well enough
to compare predicates; only listed ones are used to find relations in text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from domain.packs.lexicon import CHEMISTRY, read_table


class Form(Enum):
    """An inflected form of a verb."""

    BASE = "base"
    THIRD = "third"  # catalyses
    PAST = "past"
    PARTICIPLE = "participle"
    ING = "ing"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with its forms. `active`, `passive`: what may follow, see verbs.tsv."""

    lemma: str
    past: str
    participle: str
    third: str
    ing: str
    active: frozenset[str] = frozenset()
    passive: frozenset[str] = frozenset()

    @property
    def takes_object(self) -> bool:
        return "o" in self.active

    @property
    def takes_process(self) -> bool:
        """Whether "<verb>s the oxidation of X" says something about X."""
        return "p" in self.active or "o" in self.active


_DOUBLING = frozenset(
    """trap strip transfer emit embed distil wet plug tap stop slip permit submit occur swap scrub drop fit
    ship tag dip cut run begin refer confer repel expel control propel spin pin""".split()  # noqa: SIM905 - reads as the list it is
)
_IRREGULAR = {  # past, participle
    "be": ("was", "been"),
    "have": ("had", "had"),
    "do": ("did", "done"),
    "become": ("became", "become"),
    "begin": ("began", "begun"),
    "bind": ("bound", "bound"),
    "break": ("broke", "broken"),
    "bring": ("brought", "brought"),
    "build": ("built", "built"),
    "burn": ("burnt", "burnt"),
    "choose": ("chose", "chosen"),
    "come": ("came", "come"),
    "cut": ("cut", "cut"),
    "draw": ("drew", "drawn"),
    "drive": ("drove", "driven"),
    "eat": ("ate", "eaten"),
    "fall": ("fell", "fallen"),
    "find": ("found", "found"),
    "freeze": ("froze", "frozen"),
    "get": ("got", "got"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "grow": ("grew", "grown"),
    "hold": ("held", "held"),
    "keep": ("kept", "kept"),
    "know": ("knew", "known"),
    "lead": ("led", "led"),
    "leave": ("left", "left"),
    "let": ("let", "let"),
    "lose": ("lost", "lost"),
    "make": ("made", "made"),
    "mean": ("meant", "meant"),
    "meet": ("met", "met"),
    "overcome": ("overcame", "overcome"),
    "pay": ("paid", "paid"),
    "put": ("put", "put"),
    "rise": ("rose", "risen"),
    "run": ("ran", "run"),
    "say": ("said", "said"),
    "see": ("saw", "seen"),
    "send": ("sent", "sent"),
    "set": ("set", "set"),
    "show": ("showed", "shown"),
    "sink": ("sank", "sunk"),
    "spin": ("spun", "spun"),
    "spread": ("spread", "spread"),
    "stand": ("stood", "stood"),
    "take": ("took", "taken"),
    "undergo": ("underwent", "undergone"),
    "withstand": ("withstood", "withstood"),
    "write": ("wrote", "written"),
}
_VOWELS = "aeiou"


def third_person(base: str) -> str:
    """catalyse -> catalyses, supply -> supplies, quench -> quenches, undergo -> undergoes."""
    special = {"be": "is", "have": "has"}
    if base in special:
        return special[base]
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    return base + "s"


def past_form(base: str) -> str:
    """The regular past: produced, supplied, trapped, reacted."""
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    return (base + base[-1] if base in _DOUBLING else base) + "ed"


def ing_form(base: str) -> str:
    """producing, supplying, trapping, dyeing."""
    if base.endswith(("ye", "oe", "ee")):
        return base + "ing"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and base != "be":
        return base[:-1] + "ing"
    return (base + base[-1] if base in _DOUBLING else base) + "ing"


def _verb(
    base: str,
    irregular: str = "",
    active: frozenset[str] = frozenset(),
    passive: frozenset[str] = frozenset(),
    *,
    lemma: str | None = None,
) -> Verb:
    past, participle = irregular.split() if irregular else _IRREGULAR.get(base, (past_form(base),) * 2)
    return Verb(lemma or base, past, participle, third_person(base), ing_form(base), active, passive)


@dataclass(frozen=True)
class VerbLexicon:
    """Verbs by each of their written forms; one form may be of several (bound, found)."""

    forms: Mapping[str, tuple[tuple[Verb, Form], ...]]

    def readings(self, word: str) -> tuple[tuple[Verb, Form], ...]:
        """What the word can be as a form of a listed verb."""
        return self.forms.get(word.lower(), ())

    def reading(self, word: str, *wanted: Form) -> Verb | None:
        """The listed verb of which the word is one of the wanted forms."""
        for verb, form in self.readings(word):
            if form in wanted:
                return verb
        return None


@lru_cache(maxsize=4)
def load_verbs(folder: Path = CHEMISTRY) -> VerbLexicon:
    """The verbs of a pack's `verbs.tsv`, in British and American spelling."""
    forms: dict[str, list[tuple[Verb, Form]]] = {}
    for row in read_table(folder / "verbs.tsv"):
        active, passive = frozenset(row["active"].split()), frozenset(row["passive"].split())
        spellings = [_verb(row["verb"], row["irregular"], active, passive)]
        if row["american"]:
            spellings.append(_verb(row["american"], "", active, passive, lemma=row["verb"]))
        if row["verb"] == "burn":
            spellings.append(Verb("burn", "burned", "burned", "burns", "burning", active, passive))
        for verb, base in zip(spellings, (row["verb"], row["american"], row["verb"]), strict=False):
            for word, form in (
                (base, Form.BASE),
                (verb.third, Form.THIRD),
                (verb.past, Form.PAST),
                (verb.participle, Form.PARTICIPLE),
                (verb.ing, Form.ING),
            ):
                entry = (verb, form)
                if entry not in forms.setdefault(word, []):
                    forms[word].append(entry)
    return VerbLexicon({word: tuple(entries) for word, entries in forms.items()})


# ---------------------------------------------------------------- verbs that nobody listed

_BASE_OF = {
    **{base: base for base in _IRREGULAR},
    **{past: base for base, (past, _) in _IRREGULAR.items()},
    **{participle: base for base, (_, participle) in _IRREGULAR.items()},
    "is": "be",
    "are": "be",
    "were": "be",
    "has": "have",
    "does": "do",
}


def stem(word: str) -> str:  # noqa: PLR0911 - one ending a line
    """What the forms of one verb have in common, listed or not: reused, reuses and reusing are "reus".

    A listed verb gives its lemma. The American ending -ize, -yze counts as the British one.
    """
    word = word.lower()
    readings = load_verbs().readings(word)
    if readings:
        return readings[0][0].lemma
    if word in _BASE_OF:
        return _BASE_OF[word]
    word = re.sub(r"(?<=[a-z]{2})(i|y)z(e|es|ed|ing)$", r"\1s\2", word)
    for ending, base in (("ies", "y"), ("ied", "y"), ("ying", "y")):
        if word.endswith(ending) and len(word) > 5:
            return word[: -len(ending)] + base
    if word.endswith("ing") and len(word) > 5:
        return _undouble(word[:-3])
    if word.endswith("ed") and len(word) > 4:
        return _undouble(word[:-2])
    if word.endswith(("ses", "zes", "xes", "ches", "shes", "oes")):
        return word[:-2].removesuffix("e")
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        word = word[:-1]
    return word.removesuffix("e")


def _undouble(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" + _VOWELS:
        return word[:-1]
    return word.removesuffix("e")
