"""The formula recogniser: element symbols, formulas, ions, hydrates, complexes, supported catalysts."""

from __future__ import annotations

import re
from functools import cached_property

from domain.composition import ELEMENTS, parse_formula
from domain.identity import display_name, is_formula
from domain.packs.pack import DomainPack
from ingest.entities.spans import balanced, is_sentence_start, words
from ingest.models import Mention

_VERSION = "1"
_PREFIX = re.compile(r"(?:[α-ω][′″']{0,2}|[htmcglo]|[1-4][THR]['′]?)-(?=[A-Z])")
_COEFFICIENT = re.compile(r"\d+(?=[A-Z(\[])")
_WORDLIKE = frozenset(
    {"In", "As", "At", "No", "He", "Be", "Am", "La", "Ho", "Po", "Pa", "Ra", "Es", "Md", "Re"}
)
_LONE = frozenset({"H2", "D2", "O2", "N2", "F2", "O3", "S8", "P4", "C60", "C70", "Cl2", "Br2", "I2"})
_ENGLISH = frozenset(
    {"Box", "Fox", "Bin", "Hon", "Con", "Coin", "Hen", "Cox", "Bi-", "Os-", "Cosy", "Ni-", "Sic"}
)
_ASCII_ANIONS = frozenset(
    {"F-", "Cl-", "Br-", "I-", "OH-", "HO-", "CN-", "NO3-", "NO2-", "HCO3-", "ClO4-", "BF4-", "PF6-"}
)
_SUPERHEAVY = frozenset("Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og Fm Md No Es".split())  # noqa: SIM905
_NONMETALS = frozenset("H C N O F P S Cl Br I Se Te Si B".split())  # noqa: SIM905
_CAPITALS = frozenset("CO NO HF HI KI KF BN BP WC HCN KCN COS OCS KOH KSCN KOCN HOF HNO HNCO HOCN".split())  # noqa: SIM905
_DEUTERATED = re.compile(r"D2O?|CDCl3|CD3OD|CD3CN|C6D6|C7D8|CD2Cl2|NaBD4|LiAlD4|ND3|DCl|D2SO4|LiD")
_SUPPORT = re.compile(
    r"(?:[A-Z][a-z]?\d*[OCNS]\d*(?:\.\d+)?|C|[A-Z][a-z]?[A-Z]?[a-z]?O\d?|(?:[α-ω]-)?Al2O3|SBA-15|MCM-41|ZSM-5|"
    r"TiO2|SiO2|CeO2|ZrO2|MgO|ZnO|La2O3|Nb2O5|carbon|graphene|zeolite)$"
)


class FormulaRecogniser:
    """Tokens that read as formulas and are not words or labels where they stand."""

    name = "formula"

    def __init__(self, pack: DomainPack) -> None:
        self._pack = pack

    @cached_property
    def fingerprint(self) -> str:
        return f"{self.name}-{_VERSION}-{self._pack.fingerprint}"

    def recognise(self, text: str) -> list[Mention]:
        found: list[Mention] = []
        taken = 0
        for word in words(text):
            for start in self._starts(text, word.starts):
                if start < taken:
                    continue
                end = next(
                    (end for end in word.ends if end > start and self._is_entity(text, start, end)), None
                )
                if end:
                    surface = text[start:end]
                    found.append(Mention(start=start, end=end, surface=surface, recogniser=self.name))
                    taken = end
        return found

    @staticmethod
    def _starts(text: str, starts: tuple[int, ...]) -> list[int]:
        """Also behind a stoichiometric coefficient, as in "2H2 + O2"."""
        all_starts = list(starts)
        for start in starts:
            if coefficient := _COEFFICIENT.match(text, start):
                all_starts.append(coefficient.end())
        return all_starts

    def _is_entity(self, text: str, start: int, end: int) -> bool:
        surface = text[start:end]
        if len(surface) > 60 or not balanced(surface) or surface[0].isdigit():
            return False
        prefix = _PREFIX.match(surface)
        body = surface[prefix.end() :] if prefix else surface
        if "/" in body:
            return _is_supported(body)
        shown = display_name(body)
        if not is_formula(shown) or shown in self._pack.never_entities or shown in _ENGLISH:
            return False
        return self._reads_as_formula(text, start, end, shown)

    def _reads_as_formula(  # noqa: PLR0911 - one reason to refuse a line
        self, text: str, start: int, end: int, shown: str
    ) -> bool:
        symbols = re.findall(r"[A-Z][a-z]?", shown)
        if shown == "Hg" and re.search(r"mm ?$", text[max(0, start - 4) : start]):
            return False  # a unit of pressure
        if len(symbols) > 1 and _is_label(shown, symbols):
            return False
        if shown in ELEMENTS:
            return _is_symbol(text, start, end, shown)
        if shown[-1] in "+-" and not _is_charge(text[start:end], shown, text[end : end + 1]):
            return False
        if len(symbols) == 1:
            return (
                shown in _LONE
                or shown[-1] in "+-"
                or bool(re.search(r"\((?:0|I{1,3}|IV|V|VI{1,3})\)$", shown))
            )
        if shown.isalpha() and parse_formula(shown) is None and not re.search(r"[a-z]O[xyδ]$|O[xyδ]$", shown):
            return False  # "Cons" and the like: letters only, with a variable in them
        return not (shown.isalpha() and is_sentence_start(text, start) and shown[1:].islower())


def _is_label(shown: str, symbols: list[str]) -> bool:
    """Abbreviations and labels that happen to consist of element symbols: NK2, IC50, CDs, VSDs, BeBe."""
    if any(symbol in _SUPERHEAVY for symbol in symbols):
        return True
    if "D" in symbols and not _DEUTERATED.fullmatch(shown):
        return True
    if shown.isalpha():
        repeated = len(set(symbols)) == 1 or bool(re.fullmatch(r"[A-Z]{2,}s", shown))  # BPCs, VSDs
        single = shown.isupper() and shown not in _CAPITALS
        carbon_first = (
            len(symbols) == 2 and symbols[0] in {"C", "O", "N", "S"} and symbols[1] not in _NONMETALS
        )
        return repeated or single or carbon_first
    if re.fullmatch(r"[A-Z\d]+", shown):
        return any(symbol in {"K", "V", "W", "U", "Y"} for symbol in symbols[1:]) or symbols[0] == "I"
    return False


def _is_symbol(text: str, start: int, end: int, symbol: str) -> bool:
    """A bare element symbol: two letters, and no word, unit or label where it stands."""
    if len(symbol) == 1:
        return False
    if symbol not in _WORDLIKE:
        return True
    following = text[end : end + 12]
    if re.match(r"(?:\(I{1,3}\)|\s(?:atoms?|ions?|cations?|metal|nanoparticles?|oxide)\b|/[A-Z])", following):
        return True
    before = text[max(0, start - 12) : start]
    return not is_sentence_start(text, start) and bool(
        re.search(r"(?:[A-Z][a-z]?(?:,| and| or) |\bof |/)$", before)
    )


def _is_charge(surface: str, shown: str, following: str) -> bool:
    """A sign at the end is a charge, not a hyphen ("CO- and") or a sum ("Cu+ ...")."""
    if shown[-1] == "+" or surface[-1] in "⁻−⁺":
        return not following.isalnum()
    return display_name(surface) in _ASCII_ANIONS or bool(
        re.search(r"\d-$", shown) and re.search(r"\d.*\d-$", shown)
    )


def _is_supported(body: str) -> bool:
    """Pd/C, Pt-Sn/Al2O3, Cu/ZnO/Al2O3: metals on a support, one thing; CO/H2 and TiO2/SiO2 are two."""
    parts = body.split("/")
    metals = re.fullmatch(r"[A-Z][a-z](?:\d*(?:\.\d+)?-?[A-Z][a-z]){0,2}\d*", parts[0])
    if not metals or not all(symbol in ELEMENTS for symbol in re.findall(r"[A-Z][a-z]", parts[0])):
        return False
    supports = [display_name(part) for part in parts[1:]]
    return all(
        _SUPPORT.fullmatch(part)
        and (part == "C" or is_formula(re.sub(r"^[α-ω]-", "", part)) or part[0].islower() or "-" in part)
        for part in supports
    )
