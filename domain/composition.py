"""Chemical formulas in ASCII: which tokens are one, and what they are made of.

A token is judged by its letters alone, so `In`, `As` and `No` are formulas here; whether
the word on the page means indium is the recogniser's business, which sees the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

ELEMENTS: frozenset[str] = frozenset(
    """H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr
    Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu
    Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr
    Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og""".split()  # noqa: SIM905 - reads as the table it is
)

# Groups that formulas are written with, by composition. The first stand anywhere in a formula;
# ligands in lower case only inside brackets, or "Been" would be a complex of beryllium.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "tBu": "C4H9",
        "nBu": "C4H9",
        "iBu": "C4H9",
        "iPr": "C3H7",
        "nPr": "C3H7",
        "OAc": "C2H3O2",
        "OTf": "CF3SO3",
        "OTs": "C7H7SO3",
        "OMs": "CH3SO3",
        "Me": "CH3",
        "Et": "C2H5",
        "Bu": "C4H9",
        "Ph": "C6H5",
        "Bn": "C7H7",
        "Cp": "C5H5",
        "Cy": "C6H11",
        "Mes": "C9H11",
        "Tf": "CF3SO2",
    }
)
LIGANDS: Mapping[str, str] = MappingProxyType(
    {
        "bpy": "C10H8N2",
        "bipy": "C10H8N2",
        "phen": "C12H8N2",
        "acac": "C5H7O2",
        "py": "C5H5N",
        "cod": "C8H12",
        "dba": "C17H14O",
        "tpy": "C15H11N3",
        "ppy": "C11H8N",
        "salen": "C16H14N2O2",
        "dppe": "C26H24P2",
        "dppf": "C34H28FeP2",
        "en": "C2H8N2",
    }
)

# All capitals and no digit: PVC, COF, UV and IV parse as formulas too, so here only what is one counts.
_CAPITALS: frozenset[str] = frozenset(
    """CO NO HF HI HD DF KI KF KH BN BP CN OH OD NH CH SH SO UC UN VN VC VO WC WO WS WN YN IF HCN DCN COS OCS
    KCN KOH KOD HOF HOI HNO KSCN KOCN KNCS HNCO HSCN HOCN SCN NCO NCS OCN CNO NOH COH CHO COOH NOF SNO
    HCO HCOOH HCHO HCOH HNCS INCO PN NS YH YB UB VB""".split()  # noqa: SIM905
)
_SUPERHEAVY_CLASH = frozenset({"Ts", "Cn", "Cp", "Mc", "Mt", "Md", "Lv"})  # tosyl and the like, in practice
_ABBREVIATIONS = re.compile(r"(?:[A-Z][a-z]N[PCWS]|HeLa|NHC|PCN|CoSP|NaN|PhOH\d)")

_NUMBER = r"\d+(?:\.\d+)?"
_TOKEN = re.compile(
    r"(?P<open>[(\[{])|(?P<close>[)\]}])"
    rf"|(?P<variable>(?:{_NUMBER})?(?:[-+±](?:{_NUMBER})?)?[xyzδn](?![a-z]))"
    rf"|(?P<number>{_NUMBER})"
    r"|(?P<group>tBu|nBu|iBu|iPr|nPr|OAc|OTf|OTs|OMs|Mes)"
    r"|(?P<symbol>[A-Z][a-z]?)"
    r"|(?P<ligand>[a-z]{2,5})"
)
_OXIDATION = re.compile(r"\((?:0|I{1,3}|IV|V|VI{1,3}|IX)\)|(?<=[a-z])(?:II|III|IV)(?![A-Za-z0-9])")
_HYDRATE = re.compile(r"[·*]|(?<=[A-Za-z0-9)\]])(?<![·*.][01])\.(?=\d*(?:\.\d+)?(?:H2O|D2O|xH2O|nH2O)$)")
_LEADING = re.compile(rf"({_NUMBER})|[xn](?=H2O|D2O)")
_CHARGES = (
    re.compile(r"(?P<body>\[.*\])(?P<charge>\d*[+-])"),
    re.compile(r"(?P<body>.+)\((?P<charge>\d?[+-])\)"),
    re.compile(r"(?P<body>.*[A-Za-z0-9)\]])(?P<charge>\+{2,4}|-{2,4})"),
    re.compile(r"(?P<body>.*[A-Za-z)\]}]\d+)(?P<charge>\d[+-])"),
    re.compile(r"(?P<body>.*[A-Za-z)\]}]\d*)(?P<charge>[+-])"),
)

Counts = dict[str, float]


class _NotAFormula(Exception):
    """The text does not follow the grammar of formulas."""


def split_charge(formula: str) -> tuple[str, str]:
    """`("Fe", "3+")` of "Fe3+", `("SO4", "2-")` of "SO42-"; no charge is the empty string.

    In ASCII the digit before a sign is the charge of a monatomic ion and the subscript of
    anything else that has one digit only: NO3-, NH4+, but Ca2+, and SO42- with two.
    """
    if monatomic := re.fullmatch(r"([A-Z][a-z]?)(\d)([+-])", formula):
        element, number, sign = monatomic.groups()
        if reads_as_monatomic(element, int(number), sign):
            return element, number + sign
    for pattern in _CHARGES:
        if match := pattern.fullmatch(formula):
            return match["body"], match["charge"]
    return formula, ""


_NONMETALS = frozenset(
    "H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Te I Xe At Rn".split()  # noqa: SIM905
)
_ANIONS = {"N": 3, "P": 3, "As": 3, "Sb": 3, "O": 2, "S": 2, "Se": 2, "Te": 2, "C": 4, "Si": 4}


def reads_as_monatomic(element: str, number: int, sign: str) -> bool:
    """Whether ASCII `<element><number><sign>` means one atom with that charge: O2- and Fe3+, not I3-."""
    if element not in ELEMENTS:
        return False
    if sign == "-":
        return _ANIONS.get(element) == number
    return element not in _NONMETALS or (element, number) in {("C", 4), ("Si", 4), ("P", 5), ("S", 6)}


@lru_cache(maxsize=65536)
def _parse(token: str) -> tuple[tuple[tuple[str, float], ...], bool]:
    """Composition and whether it is complete (no variable). Raises _NotAFormula."""
    if not token or len(token) > 120 or not re.search(r"[A-Z]", token):
        raise _NotAFormula
    total: Counts = {}
    complete = True
    for index, part in enumerate(_HYDRATE.split(token)):
        body, multiplier = part, 1.0
        if leading := _LEADING.match(part):
            body = part[leading.end() :]
            if leading[1] is None:
                complete = False
            elif index:
                multiplier = float(leading[1])
            # in front of the first part it is a mass number or a coefficient: of the unit it says nothing
        counts, whole = _parse_part(body)
        complete &= whole
        for element, count in counts.items():
            total[element] = total.get(element, 0.0) + multiplier * count
    return tuple(sorted(total.items())), complete


def _parse_part(part: str) -> tuple[Counts, bool]:
    body, _ = split_charge(_OXIDATION.sub("", part))
    if not body:
        raise _NotAFormula
    stack: list[Counts] = [{}]
    pending: Counts = {}  # what the next number multiplies
    complete, position = True, 0
    while position < len(body):
        match = _TOKEN.match(body, position)
        if not match:
            raise _NotAFormula
        kind, text, position = str(match.lastgroup), match[0], match.end()
        if kind in ("number", "variable"):
            if not pending or text in ("0", "1"):
                raise _NotAFormula
            _add(stack[-1], pending, 1.0 if kind == "variable" else float(text))
            complete &= kind == "number"
            pending = {}
            continue
        _add(stack[-1], pending, 1.0)
        pending = {}
        if kind == "open":
            stack.append({})
        elif kind == "close":
            if len(stack) == 1 or not stack[-1]:
                raise _NotAFormula
            pending = stack.pop()
        else:
            pending, position = _unit(kind, text, match.start(), inside=len(stack) > 1)
    if len(stack) != 1:
        raise _NotAFormula
    _add(stack[0], pending, 1.0)
    return stack[0], complete


def _unit(kind: str, text: str, start: int, *, inside: bool) -> tuple[Counts, int]:
    """Composition of an element, a group or a ligand, and where it ends."""
    if kind == "ligand":
        if inside and text in LIGANDS:
            return dict(_parse(LIGANDS[text])[0]), start + len(text)
        raise _NotAFormula
    if text in GROUPS:
        return dict(_parse(GROUPS[text])[0]), start + len(text)
    if text in ELEMENTS or text == "D":
        return {text: 1.0}, start + len(text)
    if text[0] in ELEMENTS or text[0] == "D":  # "Cx" is carbon and a variable
        return {text[0]: 1.0}, start + 1
    raise _NotAFormula


def _add(total: Counts, part: Mapping[str, float], times: float) -> None:
    for element, count in part.items():
        total[element] = total.get(element, 0.0) + times * count


def parse_formula(token: str) -> Counts | None:
    """Atoms of one formula unit of an ASCII token, or None if it is no formula or has variables.

    Charge and oxidation state carry no atoms; a number in front (a mass number, a coefficient)
    is left out; the water of a hydrate counts: CuSO4·5H2O has ten hydrogen atoms.
    """
    if not looks_like_formula(token):
        return None
    counts, complete = _parse(token)
    return dict(counts) if complete else None


def looks_like_formula(token: str) -> bool:
    """Whether an ASCII token reads as a formula: NaCl, Fe3+, [Ru(bpy)3]2+, CuSO4·5H2O, LiNi0.8Co0.1Mn0.1O2.

    Abbreviations that merely consist of element symbols (PVC, COF, UV, IV) are none.
    """
    letters = re.sub(r"[^A-Za-z]", "", token)
    if token in GROUPS or _ABBREVIATIONS.fullmatch(token) or token in _SUPERHEAVY_CLASH:
        return False
    if len(letters) > 1 and letters.isupper() and not re.search(r"[\d(\[·]", token):
        return split_charge(token)[0] in _CAPITALS
    try:
        counts, _ = _parse(token)
    except _NotAFormula:
        return False
    return bool(counts)
