"""Lines into paragraphs: what to do with a hyphen at the end of a line.

"synthe-" + "sis" is one word, "metal-" + "organic" keeps its hyphen, and so does all that is
not two runs of small letters: "1-" + "butanol", "ZIF-" + "8", "Fe-" + "based".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_SOFT_HYPHEN = "\u00ad"

# Words that commonly stand before or after the hyphen of a compound, for what the document does not show.
_FIRST_WORDS = (
    "metal non self co high low long short well solid liquid gas two three four one multi single "
    "double triple cross first second third visible near mid far ultra wide narrow half semi quasi "
    "hydrogen oxygen nitrogen carbon lithium sodium copper iron nickel cobalt palladium platinum "
    "water air acid base light heat room band large small rate cost state post organic inorganic "
    "electron hole proton charge transition main rare all"
)
_SECOND_WORDS = (
    "organic inorganic based free rich poor like doped containing dependent independent induced "
    "driven catalyzed catalysed mediated assisted supported coated ion ions state temperature "
    "pressure dimensional performance cost energy density power scale range order step phase metal "
    "type level known defined assembled assembly healing efficiency bond bonds bonded bonding "
    "coupling stable resistant sensitive selective active soluble insoluble covered modified "
    "functionalized functionalised terminated substituted coordinated oxide light infrared violet gap "
    "term area volume air water acid base earth group atom"
)
_BEFORE, _AFTER = frozenset(_FIRST_WORDS.split()), frozenset(_SECOND_WORDS.split())
# Endings that are no word of their own: "hydrogen-" + "ation", "metal-" + "lic".
_SUFFIX = re.compile(
    r"(?:l?ic|ics|l?ation|ations|tion|tions|ally|ly|er|ers|est|ing|ed|ify|ified|l?ity|ness|ment|ments|ary|age|ages"
    r"|able|ible|al|als|ous|ive|ism|ist|ize|ized|ise|ised|ate|ates|ated|ide|ides|ene|enes|ance|ence|yl|yls|ase"
    r"|ases|ium|ine|ines|ite|ites|ol|ols|one|ones|ize|izes|ization|isation|ous|oid|oids|ish|ural|tive)"
)

# "tert-" + "butanol" keeps its hyphen, "trans-" + "formation" does not.
_DESCRIPTORS = frozenset(
    (
        "tert",
        "sec",
        "cis",
        "trans",
        "meso",
        "rac",
        "syn",
        "anti",
        "endo",
        "exo",
        "ortho",
        "meta",
        "para",
        "spiro",
    )
)
_PARENT = re.compile(r"(?:ol|ane|ene|yne|one|yl|amine|oxide|ether|acid)s?$")


@dataclass
class Vocabulary:
    """The words of a document that no line end cut: the best witness of how it writes a word."""

    words: set[str] = field(default_factory=set)
    hyphenated: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, lines: Iterable[str]) -> Vocabulary:
        """Collect from lines; the last word of a line that ends in a hyphen is left out."""
        vocabulary = cls()
        for line in lines:
            whole = re.sub(r"\S+-\s*$", "", line).lower()
            # the first word may be the second half of a cut one, so it proves nothing
            whole = re.sub(r"^\s*\S+", "", whole)
            vocabulary.words.update(re.findall(r"(?<![\w-])[^\W\d_]{2,}(?![\w-])", whole))
            vocabulary.hyphenated.update(re.findall(r"(?<![\w-])[^\W\d_]+-[^\W\d_]+", whole))
        return vocabulary

    def keeps_hyphen(self, left: str, right: str) -> bool:
        """Whether `left-right` is written with its hyphen, both in small letters."""
        if f"{left}-{right}" in self.hyphenated:
            return True
        if left + right in self.words or (_SUFFIX.fullmatch(right) and right not in self.words):
            return False
        if left in _BEFORE or right in _AFTER:
            return True
        return left in self.words and right in self.words


def unligature(text: str) -> str:
    """Printers' ligatures as letters; nothing else changes."""
    return text.translate(_LIGATURES)


def join_lines(lines: Sequence[str], vocabulary: Vocabulary) -> str:
    """One paragraph of its lines."""
    text = ""
    for line in lines:
        text = join_two(text, " ".join(unligature(line).split()), vocabulary)
    return text.replace(_SOFT_HYPHEN, "")


_ANION = re.compile(r"(?:^|[\s(])(?:F|Cl|Br|I|H|OH|S?CN|[A-Z][A-Za-z]*\d+)-$")


def join_two(before: str, after: str, vocabulary: Vocabulary) -> str:
    """Two lines, or two halves of a paragraph, as one text."""
    if not before or not after:
        return before or after
    last, inner = before[-1], not before[-2:-1].isspace()
    if last == _SOFT_HYPHEN:
        return before[:-1] + after
    if last in "-\u2010\u2011" and inner:
        return _across_hyphen(before, after, vocabulary)
    # an en dash between names, a slash inside one
    tight = inner and after[:1].isalnum() and (last == "–" or (last == "/" and before[-2:-1].isalnum()))
    return before + after if tight else f"{before} {after}"


def _across_hyphen(before: str, after: str, vocabulary: Vocabulary) -> str:
    if _ANION.search(before) and re.match(r"(?:ions?|anions?)\b", after):
        return f"{before} {after}"
    left = re.search(r"([^\W\d_]{2,})$", before[:-1])
    right = re.match(r"[^\W\d_]{2,}", after)
    if left and right and left[0][1:].islower() and right[0].islower():
        descriptor = left[0] in _DESCRIPTORS and _PARENT.search(right[0])
        if not descriptor and not vocabulary.keeps_hyphen(left[0].lower(), right[0]):
            return before[:-1] + after  # names of one word too: 1,2-dichloro-ethane has no second hyphen
    return before + after
