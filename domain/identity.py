"""When two written names are one chemical name.

Forms of writing never matter: sub- and superscripts, kinds of dash, prime, dot and space,
composed or decomposed letters. Case (in formulas and abbreviations), charge, locants,
isotopes, stereo labels, primes, Greek letters, water of crystallisation and oxidation states
always do. Names are compared by `identity_key` and by nothing vaguer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from domain.composition import (
    ELEMENTS,
    GROUPS,
    looks_like_formula,
    parse_formula,
    reads_as_monatomic,
)

__all__ = ["composition", "display_name", "identity_key", "is_formula", "names_in", "normalise"]

# ---------------------------------------------------------------- forms of writing

_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_TRANSLATION = str.maketrans(
    {
        **dict.fromkeys(_INVISIBLE, ""),
        # hyphens, en dash, minus; the em dash separates and stays
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d\u207b\u208b", "-"),
        **dict.fromkeys("\u2018\u2019\u201b\u2032\u02b9\u02bc\u00b4`\uff07", "'"),
        **dict.fromkeys("\u2033\u02ba\u3003", "''"),
        "\u2034": "'''",
        "\u2057": "''''",
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u2022\u2219\u22c5\u2027\u30fb\uff65\u2e31\u25cf\u0387\u2024", "·"),
        **dict.fromkeys("\u2044\u2215", "/"),
        "\u2236": ":",
        "\u02da": "°",
        "\u00ba": "°",
        "\u03d1": "θ",
        "\u03d5": "φ",
        "\u03f5": "ε",
        "\u03f0": "κ",
        "\u03f1": "ρ",
        "\u03d6": "π",
    }
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
# O₂⁻ is superoxide and O²⁻ is oxide; both would be "O2-" in ASCII, so the first becomes [O2]-.
_MOLECULAR_ION = re.compile(r"(?<![A-Za-z0-9₀-₉)\]])([A-Z][a-z]?)([₂-₉])([⁺⁻])")
_DOUBLE_PRIME = re.compile(r'(?<=\d)"(?=[-,:])')


def _molecular_ion(match: re.Match[str]) -> str:
    element, number, sign = match[1], match[2].translate(_SUBSCRIPTS), "+" if match[3] == "⁺" else "-"
    if reads_as_monatomic(element, int(number), sign):
        return f"[{element}{number}]{sign}"
    return match[0]


def normalise(text: str) -> str:
    """The text with one form of writing for each character, and single spaces.

    CO₂ becomes CO2, Fe³⁺ Fe3+, every short dash a hyphen, every prime an apostrophe, every
    centred dot `·`, µ and 𝜇 the Greek μ. Meaning is kept: nothing that tells two substances
    apart is dropped, and case stays. Applying it again changes nothing.
    """
    if text.isascii():
        unified = text
    else:
        unified = _MOLECULAR_ION.sub(_molecular_ion, unicodedata.normalize("NFC", text))
        unified = unicodedata.normalize("NFKC", unified.translate(_TRANSLATION)).translate(_TRANSLATION)
    return " ".join(_DOUBLE_PRIME.sub("''", unified.replace("`", "'")).split())


# ---------------------------------------------------------------- formulas


def is_formula(token: str) -> bool:
    """Whether the token reads as a chemical formula, an ion or an element symbol (see domain.composition)."""
    return looks_like_formula(display_name(token))


def composition(formula: str) -> dict[str, float] | None:
    """Atoms of one formula unit, e.g. `{"Ca": 1.0, "H": 2.0}`; None for what is no complete formula."""
    return parse_formula(display_name(formula))


# ---------------------------------------------------------------- keys

_PIECE = re.compile(r"[^\W_]+")
_ROMAN = r"(?:0|I{1,3}|IV|V|VI{0,3}|IX)"
_SPACED_STATE = re.compile(rf"(?<=[A-Za-z]) (?=\({_ROMAN}(?:[,/]{_ROMAN})?\))")
_SPACED_DOT = re.compile(r"(?<=[A-Za-z0-9)\]]) ?· ?(?=\d*(?:\.\d+)?[xn]?[A-Z(\[])")
_HYDRATE_DOT = re.compile(  # not the decimal point of "·0.5H2O"
    r"(?<=[A-Za-z0-9)\]])(?<!·\d)(?<!· \d)(?<![.*][01])[.*](?=(?:\d+(?:\.\d+)?|[xn])?[HD]2O(?![A-Za-z0-9]))"
)
_SPACED_LOCANT = re.compile(r"(?<=\d'),? (?=\d+'*-[a-z])|(?<=(?<!\d)\d,) (?=\d'*-[a-z])")
_SPELLED_GREEK = re.compile(
    r"(?<![^\W_])\.?(alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|omega)\.?(?=-[A-Za-z0-9(])",
    re.IGNORECASE,
)
_GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "omega": "ω",
}
_EDGE = " \t,;:\"'"


def _canonical(text: str) -> str:
    """Normalised, with the spacing that names are written with in one form."""
    text = normalise(text)
    text = _SPACED_STATE.sub("", text)
    text = _SPACED_LOCANT.sub("", text)
    text = _HYDRATE_DOT.sub("·", text)
    return _SPACED_DOT.sub("·", text)


def _fold_piece(match: re.Match[str]) -> str:
    """A piece in lower case, unless its case is meaning."""
    piece = match[0]
    if (
        len(piece) == 1  # locants, stereo labels, elements
        or piece in ELEMENTS
        or piece in GROUPS
        or any(character.isdigit() or character.isupper() for character in piece[1:])
    ):
        return piece
    return piece[0].lower() + piece[1:] if len(piece[0].lower()) == 1 else piece


def _keyed(text: str) -> str:
    spelled = _SPELLED_GREEK.sub(lambda match: _GREEK[match[1].lower()], _canonical(text))
    return _PIECE.sub(_fold_piece, spelled)


@lru_cache(maxsize=65536)
def identity_key(surface: str) -> str:
    """What names are compared by: equal keys, one name.

    Each run of letters and digits keeps its case if it is an element symbol, a single letter,
    has a digit or a capital after its first character (Co, CO, ZIF, NMC811, pH); other words
    fold (Methanol, 1-Butanol). Marks around the name (commas, quotes, a closing stop) go.
    """
    key = _keyed(surface).rstrip(".").strip(_EDGE)
    if re.fullmatch(r"\([^()]*\)", key):
        key = key[1:-1].strip(_EDGE)
    return key or normalise(surface)


@lru_cache(maxsize=65536)
def display_name(surface: str) -> str:
    """The name to show: ASCII for formulas (CO₂ is CO2, Ca²⁺ is Ca2+), words as they are spelled.

    Greek letters and the dot of hydrates have no ASCII form of their own and stay.
    """
    name = _canonical(surface).strip(_EDGE)
    return name or normalise(surface)


# ---------------------------------------------------------------- names in a text

# What stands before a name that it belongs to, by the last character before the name.
_DESCRIPTOR = re.compile(
    r"(?:(?<![^\s(\[,/])(?:[\d',:]*\d'*[a-zH]?|[A-Za-z]'*|[α-ωΑ-Ω]|(?:[\dNOCSPα-ω]'*,)+[\dNOCSPα-ω]'*[a-z]?"
    r"|tert|sec|iso|neo|cis|trans|meso|rac|syn|anti|endo|exo|ortho|meta|para|poly|mono|bi|di|tri|tetra"
    r"|\S*(?:yl|oxy|chloro|bromo|fluoro|iodo|nitro|amino|cyano|hydroxy|hydro|thio|oxo|aza|azo|cyclo))"
    r"|\((?:[\dRSEZrs,+\-±'α-ωdlDLM]+|rac|meso)\))-$"
)
_BELONGS_BEFORE = {
    "-": _DESCRIPTOR,
    # "N,N-dimethyl..." and "1,2-..." go on; "H2,CO2" is a careless list
    ",": re.compile(r"(?<![^\s(\[,-])(?:\d+'*|[A-Za-zα-ω]'*),$"),
    **dict.fromkeys("([{", re.compile(r"[\w)\]][(\[{]$")),
    **dict.fromkeys("':", re.compile(r"[\d'][':]$")),
}
# What stands after a name that it belongs to: letters, digits, a charge, a prime, "(III)", a closing
# bracket with a subscript. State labels, Miller indices and citations in brackets do not belong to it.
_BELONGS_AFTER = re.compile(
    r"[\w^·]"
    r"|\+(?![^\W_])|\+\d*[+-]"
    r"|'(?=[\d-])|(?<=\d)'(?!s\b)"
    r"|(?!\((?:s|l|g|aq|\d{3,4}|-?\d \d \d|[a-z])\)|\[[\d,\s-]+\])[(\[]"
    r"|[\])]+(?:\d|[+-](?![A-Za-z]))"
    r"|(?<=\d),\d[\d',]*-"
)
_ATTRIBUTE = re.compile(
    r"-(?:(?:co)?doped|rich|poor|containing|based|free|deficient|modified|functionali[sz]ed|terminated"
    r"|bearing|vacanc(?:y|ies)|atoms?|ions?|sites?|donors?|centred|centered|coordinated|substituted)\b"
)
_ORDINARY = frozenset({"He", "I", "In", "As", "At", "No", "Be", "Am"})
_UNITS = frozenset({"K", "V", "W", "F", "C", "N", "S", "H", "B", "Pa"})
_LABELLED = re.compile(
    r"\b(?:vitamins?|types?|phases?|class|forms?|groups?|steps?|stages?|parts?|routes?|paths?|sites?|models?|panels?"
    r"|points?|samples?|structures?|compounds?|sections?|tables?|figs?\.?|figures?|schemes?|photosystem) $",
    re.IGNORECASE,
)
_LEAD_AS_VERB = re.compile(
    r"(?:\b(?:to|can|may|might|could|will|would|should|which|that|they|and|often|not) lead"
    r"|\blead (?:to|us|towards?|compounds?|author))\b"
)


def names_in(text: str, keys: Iterable[str]) -> set[str]:
    """Which of the identity keys are named in the text, each as a whole name.

    "CO" is not named in CO2, "iron" not in environment or iron(III), "Li" not in Li+, "butanol"
    not in 1-butanol or 2-chloro-butanol, "CuSO4" not in CuSO4·5H2O; "ZIF-8" is named in
    ZIF-8/graphene and "Fe2O3" in Fe2O3-based. A name that is a word of a longer one ("sodium"
    in "sodium chloride") counts. At the head of a sentence In, As, No, I and the like are words.

    Pass the same frozenset again and its index is not built again.
    """
    index = _index(keys if isinstance(keys, frozenset) else frozenset(keys))
    folded = _keyed(text)
    found: set[str] = set()
    for piece in _PIECE.finditer(folded):
        for (offset, length), candidates in index.get(piece[0], {}).items():
            start = piece.start() - offset
            end = start + length
            key = folded[max(0, start) : end]
            if key not in candidates or key in found:
                continue
            if _opens(folded, start) and _closes(folded, start, end) and not _is_word(folded, start, key):
                found.add(key)
    return found


@lru_cache(maxsize=16)
def _index(keys: frozenset[str]) -> dict[str, dict[tuple[int, int], set[str]]]:
    """Keys by their longest piece (the rarest), then by where in the key it stands and the key's length."""
    index: dict[str, dict[tuple[int, int], set[str]]] = {}
    for key in keys:
        longest = max(_PIECE.finditer(key), key=lambda piece: len(piece[0]), default=None)
        if longest:
            places = index.setdefault(longest[0], {})
            places.setdefault((longest.start(), len(key)), set()).add(key)
    return index


def _opens(text: str, start: int) -> bool:
    """Whether a name can begin here."""
    before = text[start - 1] if start else " "
    if before.isalnum() or before in "_^·°":
        return False
    belongs = _BELONGS_BEFORE.get(before)
    return belongs is None or not belongs.search(text, max(0, start - 40), start)


def _closes(text: str, start: int, end: int) -> bool:
    """Whether the name that began at start can end here."""
    if _BELONGS_AFTER.match(text, end):
        return False
    return not text.startswith("-", end) or _closes_at_hyphen(text, start, end)


def _closes_at_hyphen(text: str, start: int, end: int) -> bool:
    following = text[end + 1 : end + 2]
    name = text[start:end]
    if not following.isalpha():  # a charge, a locant or a number of the name; or "methanol- and ..."
        return following == " " and name[-4:].isalpha() and name.islower()
    if len(name) == 1:  # N-doped, but N-methyl
        return bool(_ATTRIBUTE.match(text, end))
    # "ZIF-L" is one name, "Fe2O3-C" two
    single = re.match(r"-([A-Z])(?![A-Za-z])", text[end : end + 3])
    return single is None or single[1] in ELEMENTS


def _is_word(text: str, start: int, key: str) -> bool:
    """Whether an element symbol stands where a word, a unit, a label or an initial would."""
    if key == "lead":
        return bool(_LEAD_AS_VERB.search(text[max(0, start - 8) : start + 18]))
    if len(key) > 2:
        return False
    before, after = text[max(0, start - 16) : start], text[start + len(key) : start + len(key) + 3]
    if key in _UNITS and re.search(r"\d ?$", before):
        return True  # 300 K, 1.5 V
    if len(key) == 1 and (
        _LABELLED.search(before) or (after[:1] == "." and re.search(r"\b[A-Z]\. ?$", before))
    ):
        return True  # vitamin C, type I; J. S. Smith
    if key not in _ORDINARY:
        return False
    head = before.rstrip("\"'( ")
    return not head or head[-1] in ".!?:;" or after.startswith(". ")
