"""The dictionary recogniser: curated terms, names of the compound database, names built by rule."""

from __future__ import annotations

import re
from functools import cached_property

from domain.identity import is_formula, normalise
from domain.packs.lexicon import Term
from domain.packs.pack import STEREO, DomainPack
from ingest.entities.names import is_inorganic_name, is_known_name, is_systematic_name, may_end_name
from ingest.entities.spans import Word, balanced, is_sentence_start, words
from ingest.models import Mention

_LONGEST = 6  # words of a name
_VERSION = "1"


class DictionaryRecogniser:
    """Longest match over word sequences; what is ambiguous in English is decided by its neighbours."""

    name = "dictionary"

    def __init__(self, pack: DomainPack) -> None:
        self._pack = pack
        self._seen: dict[str, bool] = {}

    @cached_property
    def fingerprint(self) -> str:
        return f"{self.name}-{_VERSION}-{self._pack.fingerprint}"

    def recognise(self, text: str) -> list[Mention]:
        """See `Recogniser`. The compound database is loaded on first use, about two seconds."""
        found: list[Mention] = []
        sequence = words(text)
        taken = 0
        for index, word in enumerate(sequence):
            for start in word.starts:
                if start < taken:
                    continue
                end = self._longest(text, sequence, index, start)
                if end:
                    found.append(Mention(start=start, end=end, surface=text[start:end], recogniser=self.name))
                    taken = end
        return found

    def _longest(self, text: str, sequence: list[Word], index: int, start: int) -> int | None:
        last = min(len(sequence), index + _LONGEST) - 1
        for position in range(index, last + 1):  # a name does not run over the end of a sentence or a line
            word = sequence[position]
            if position > index and "\n" in text[sequence[position - 1].end : word.start]:
                last = position - 1
                break
            if position < last and text[word.end - 1] in ".;:!?," and not text[word.end - 2].isdigit():
                last = position
                break
        for position in range(last, index - 1, -1):
            for end in sequence[position].ends:
                if end > start + 1 and self._is_name(text, start, end):
                    return end
        return None

    def _is_name(self, text: str, start: int, end: int) -> bool:
        surface = text[start:end]
        if not balanced(surface) or surface[0] in "-–,;.)" or surface[-1] in "(-–,":
            return False
        parts = surface.split()
        if len(parts) > 1 and not self._may_be_name(parts):
            return False
        key = " ".join(parts)
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = self._is_known(key)
        return known and self._fits(text, start, end, key)

    def _may_be_name(self, parts: list[str]) -> bool:
        """A quick refusal of most word sequences, so that few need to be looked up."""
        if parts[0].lower() in self._first_words:
            return True
        return may_end_name(parts[-1].lower()) or parts[-1].lower() in self._pack.form_words

    @cached_property
    def _elements(self) -> frozenset[str]:
        """Names of the elements."""
        return frozenset(term.name.lower() for term in self._pack.lexicon.elements().values())

    @cached_property
    def _first_words(self) -> frozenset[str]:
        """First words of curated names of several words."""
        surfaces = (surface for term in self._pack.lexicon.terms.values() for surface in term.surfaces)
        return frozenset(surface.split()[0].lower() for surface in surfaces if " " in surface)

    def _is_known(self, surface: str) -> bool:
        pack, name = self._pack, normalise(surface)
        if name in pack.never_entities or name in pack.undefined_abbreviations:
            return False
        term = pack.lexicon.find(name)
        if term is not None:
            return not is_formula(name) or _is_material(term)
        lowered = name.lower()
        if lowered in pack.stop_phrases or lowered in pack.stop_names or pack.is_generic(name):
            return False
        stereo = STEREO.match(name)
        if stereo and pack.lexicon.find(name[stereo.end() :]):
            return True
        if _is_written_as_abbreviation(name):
            return False
        return (
            self._singular_term(lowered) is not None
            or is_inorganic_name(lowered, pack)
            or is_known_name(name, pack.stop_names)
            or is_systematic_name(lowered)
            or _is_form(name, pack)
            or (lowered in pack.ambiguous_names)
            or bool(_FAMILY.fullmatch(name))
            or self._is_isotope(name)
            or bool(_ENZYME.fullmatch(lowered))
            or bool(_DRUG.fullmatch(lowered))
        )

    def _is_isotope(self, name: str) -> bool:
        """uranium-235, carbon-14."""
        element, _, mass = name.rpartition("-")
        term = self._pack.lexicon.find(element) if mass.isdigit() and len(mass) <= 3 else None
        return term is not None and term.symbol is not None and len(element) > 2

    def _singular_term(self, lowered: str) -> Term | None:
        if not lowered.endswith("s") or lowered.endswith("ss") or len(lowered) < 6:
            return None
        if lowered[:-1] in _CLASS_ANIONS:
            return None  # "ethers and carbonates": a class of compounds
        term = self._pack.lexicon.find(lowered[:-1])
        return term if term and (term.kind in _COUNTABLE or lowered.endswith(" ions")) else None

    def _fits(  # noqa: PLR0911 - one reason to refuse a line
        self, text: str, start: int, end: int, surface: str
    ) -> bool:
        """Whether the word means the substance where it stands."""
        following = text[end : end + 24]
        if following.startswith(("(", "-", "·")) and re.match(
            r"\((?:I{1,3}|IV|V|VI)\)|-\d|·\d*H2O", following
        ):
            return False  # "iron" in "iron(III) ...", of which the longer name is not known
        lowered = surface.lower()
        phrase = lowered + "".join(re.findall(r"^ [a-z]+", following.lower()))
        if phrase in self._pack.stop_phrases:
            return False
        before = re.findall(r"([\w'-]+)\W*$", text[max(0, start - 24) : start])
        previous = before[0].lower() if before else ""
        if previous in _ARTICLES and lowered in _CLASS_ANIONS:
            return False  # "the iodide": some iodide of which the text spoke before
        if text[start - 1 : start] == "-" and previous.rstrip("-") in _COUNTS:
            return False  # "one-carbon chemistry", "six-carbon sugars": so many atoms, not the element
        if lowered in self._elements and _CLASS_OF_SALTS.match(following):
            return False  # "sodium alkoxides", "iron oxides": a class of compounds, not the element
        if lowered == "lead":
            if surface == "Lead" and not is_sentence_start(text, start):
                return False
            return _is_metal_lead(previous, following, at_start=is_sentence_start(text, start))
        if lowered in {"tin", "gold", "silver", "nickel", "air", "iron"} and surface.isupper():
            return False
        return not (lowered in _TITLE_WORDS and surface[:1].isupper() and not is_sentence_start(text, start))


_ARTICLES = frozenset({"a", "an", "the", "this", "its", "their", "each", "every", "another", "one"})
_CLASS_ANIONS = frozenset(
    """chloride bromide iodide fluoride nitrate nitrite sulfate sulphate sulfide sulfite carbonate bicarbonate
    phosphate acetate cyanide azide hydride nitride carbide oxalate citrate formate triflate
    perchlorate""".split()  # noqa: SIM905
)
_COUNTS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "multi", "single"})
_CLASS_OF_SALTS = re.compile(
    r" (?:salts|carbonyls|halogenides|(?:alkyl|amin|carboxyl)ates|"
    r"[a-z]*(?:oxides|halides|chlorides|bromides|iodides|fluorides|sulfides|nitrides|hydrides|carbides))\b"
)
_TITLE_WORDS = frozenset(
    {"air", "steel", "coal", "wood", "cotton", "brass", "bronze", "marble", "chalk", "diamond"}
)
_COUNTABLE = frozenset({"material", "mineral", "polymer", "enzyme", "mixture", "oil"})
_FAMILY = re.compile(
    r"(?:[A-Z][a-z]?-)?(?:MOF|IRMOF|ZIF|UiO|MIL|NU|PCN|CAU|DUT|NOTT|CPO|MFM|COF|ZSM|SSZ|SAPO|AlPO|ITQ|MCM|SBA|"
    r"KIT|EMM)-\d{1,4}[A-Za-z]{0,3}(?:\([A-Z][a-z]?\))?(?:-(?:NH2|NO2|OH|Br|F|CH3))?"
)
# International names of drugs by their stems; the database is older than many of them.
_DRUG = re.compile(
    r"[a-z]{3,}(?:floxacin|conazole|prazole|sartan|azepam|azolam|statin|cillin|mycin|micin|triptan|dipine|tinib|"
    r"profen|oxicam|gliptin|gliflozin|lukast|setron|tidine|fentanil|pamil|zosin|parin|navir|ciclovir|buvir|tegravir|"
    r"semide|peridone|oxetine|triptyline|ipramine|barbital|curonium)"
)
_ENZYME = re.compile(
    r"(?:(?:[a-z]+(?:ate|ose|ol|ine|ic acid|al|ide|one|ene)|alcohol|carbonic|horseradish|nitric oxide) )?"
    r"[a-z-]*(?:dehydrogenase|oxidase|reductase|synthase|transferase|peroxidase|hydrolase|isomerase|decarboxylase|"
    r"carboxylase|dismutase|oxygenase)"
)


def _is_material(term: Term) -> bool:
    """Formulas are the formula recogniser's business; these are names with digits and capitals."""
    return term.kind in {"metal-organic framework", "zeolite", "molecular sieve", "ligand", "catalyst"} or (
        term.formula is None and term.symbol is None
    )


def _is_written_as_abbreviation(name: str) -> bool:
    letters = [character for character in name if character.isalpha()]
    return len(letters) < 12 and sum(letter.isupper() for letter in letters) * 2 > len(letters)


def _is_form(name: str, pack: DomainPack) -> bool:
    """gold nanoparticles, TiO2 nanotubes: another thing than the element or compound in bulk."""
    parts = name.split()
    if len(parts) != 2 or parts[1].lower() not in pack.form_words:
        return False
    return pack.lexicon.find(parts[0]) is not None or (is_formula(parts[0]) and len(parts[0]) > 2)


def _is_metal_lead(previous: str, following: str, *, at_start: bool) -> bool:
    """Lead the metal: after a preposition, or before what is said of a substance; not the verb."""
    nxt = (re.findall(r"^\W*([\w'-]+)", following) or [""])[0].lower()
    if nxt in {
        "to",
        "us",
        "time",
        "times",
        "author",
        "compound",
        "compounds",
        "structure",
        "candidate",
        "optimisation",
    }:
        return False
    if previous in {
        "can",
        "may",
        "might",
        "will",
        "could",
        "would",
        "should",
        "that",
        "which",
        "they",
        "not",
        "to",
        "the",
    }:
        return False
    if previous in {
        "of",
        "from",
        "with",
        "by",
        "and",
        "in",
        "into",
        "as",
        "or",
        "for",
        "molten",
        "metallic",
        "tin",
    }:
        return True
    verbs = {
        "is",
        "was",
        "has",
        "melts",
        "dissolves",
        "reacts",
        "forms",
        "and",
        "or",
        "can",
        "metal",
        "catalyses",
    }
    return nxt in verbs and (at_start or bool(previous))
