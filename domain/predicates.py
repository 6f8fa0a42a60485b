"""Predicates as English: compared by lemma, and turned into clauses of a question.

A predicate reads between its subject and its object: "is produced by the oxidation of",
"catalyses the hydrogenation of". Who does what to whom is in its voice, which is never lost.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from domain.identity import normalise
from domain.packs.pack import DomainPack
from domain.verbs import Form, load_verbs, stem, third_person

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am"})
_HAVE = frozenset({"has", "have", "had", "having"})
_MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
_ARTICLES = frozenset({"a", "an", "the", "its", "their", "some"})
_PREPOSITIONS = frozenset(
    """of from to into by with in on onto over for as at via through between against under upon towards toward
    within without during per across out off than around along near above below after before about""".split()  # noqa: SIM905 - reads as the list it is
)
_ADVERBS = frozenset(
    """also thus therefore then however further furthermore often usually commonly typically mainly mostly
    generally normally already still now only even both first later again always almost nearly very more
    most well so thereby either just alone together widely readily directly""".split()  # noqa: SIM905 - reads as the list it is
)
_NOT_ADVERBS = frozenset(
    {"supply", "apply", "rely", "multiply", "imply", "comply", "fly", "ally", "assembly"}
)
_NOUN_ENDING = re.compile(
    r"(?:tion|sion|ment|ness|ity|ance|ence|ist|yst|ant|ent|or|er|ode|ule|ide|ure|ism|age|ship)s?$"
)
_NOUNS = frozenset(
    """source part form kind type site salt acid base oxide isomer analogue analog member example salt ore
    allotrope polymorph phase surface basis route way step agent alloy host guest fuel feed feedstock
    feedstuff building block starting material raw material""".split()  # noqa: SIM905 - reads as the list it is
)
_MODIFIER = re.compile(
    r".+(?:ive|ic|ical|ous|al|ed|ary|able|ible|ful|less|ar|ing|ern|thermic)$|.*-.*|partial|direct|main|major|"
    r"strong|weak|key|common|large|small|new|high|low|pure|dry|wet|slow|fast|rapid|mild|clean|final|whole|total|"
    r"aerobic|steam|vapour|vapor|gas|liquid|melt|hydrogen|alkali|acid|thermal|hot|cold|light|crossed|aldol"
)


_ADJECTIVE = re.compile(r"(?:ible|uble|able|ic|ive|ous|rich|free|poor|stable|active|inert)$")


class Voice(Enum):
    ACTIVE = "active"
    PASSIVE = "passive"
    COPULA = "copula"  # is soluble in, is a precursor of


@lru_cache(maxsize=16384)
def lemma(predicate: str) -> str:
    """A form to compare predicates by, the same in any tense, number and spelling.

    "is produced from", "was produced from" and "can be produced from" are all
    "produce from (passive)"; "produces" is "produce". Articles, adverbs and modifiers of a noun
    go: "catalyzes the selective oxidation of" is "catalyse oxidation of".
    """
    voice, words = _analyse(predicate)
    rest = _without_modifiers(words[1:]) if words else []
    head = words[0] if words else ""
    if voice is Voice.PASSIVE:
        return " ".join([stem(head), *rest]) + " (passive)"
    if voice is Voice.COPULA:
        return " ".join(["be", *_without_modifiers(words)])
    return " ".join([stem(head), *rest]).strip()


def is_weak(predicate: str, pack: DomainPack) -> bool:
    """Whether the predicate says only that two things are there ("is", "has", "relates to")."""
    text = " ".join(predicate.lower().split())
    singular = re.sub(r"^(?:are|was|were|has been|have been|can be)\b", "is", text)
    if not text or singular in pack.weak_phrases or text in pack.weak_phrases:
        return True
    voice, words = _analyse(predicate)
    if voice is Voice.COPULA:
        return not [word for word in words if word not in _PREPOSITIONS and word not in _ARTICLES]
    return (
        not words or stem(words[0]) in {stem(verb) for verb in pack.weak_verbs} or words[0] in pack.weak_verbs
    )


def relative_clause(predicate: str) -> str:
    """The predicate as a clause about one thing: "reduce" -> "that reduces"."""
    return f"that {question_clause(predicate)}"


@lru_cache(maxsize=16384)
def question_clause(predicate: str) -> str:
    """The predicate after "Which solvent ...": third person singular, tense kept.

    "are produced from" and "produced from" -> "is produced from"; "reduce" -> "reduces"; "containing" ->
    "contains"; "a precursor of" -> "is a precursor of"; "soluble in" -> "is soluble in".
    """
    words = _PLURAL_ROLE.sub(_one_role, predicate).split()
    while len(words) > 1 and words[0].lower() in _ADVERBS and words[1].lower() not in _PREPOSITIONS:
        words = words[1:]
    if not words:
        return ""
    first, rest = words[0].lower(), words[1:]
    agreeing = {"are": "is", "is": "is", "be": "is", "am": "is", "were": "was", "have": "has", "do": "does"}
    if first in agreeing:
        return " ".join([agreeing[first], *rest])
    if first in _MODALS or first in {"was", "has", "had", "does", "did", "cannot"}:
        return " ".join([first, *rest])
    if first in {"been", "being"}:
        return " ".join(["is", *rest])
    if first == "to":
        return question_clause(" ".join(rest)) if rest else ""
    return _from_bare(words, first, rest)


_PLURAL_ROLE = re.compile(r"\bas ((?:[a-z-]+ )?[a-z-]+[^s\W])s (?=for|of|in|to|with)")


def _one_role(match: re.Match[str]) -> str:
    """as catalysts for -> as a catalyst for."""
    return f"as {'an' if match[1][0] in 'aeiou' else 'a'} {match[1]} "


def _from_bare(words: list[str], first: str, rest: list[str]) -> str:  # noqa: PLR0911 - one case a line
    """A predicate that begins with no auxiliary."""
    if first in _ARTICLES or first in _PREPOSITIONS:
        return " ".join(["is", *words])
    forms = {form for _, form in load_verbs().readings(first)} or _guessed_forms(first)
    follower = rest[0].lower() if rest else ""
    if Form.THIRD in forms:
        return " ".join([first, *rest])
    if {Form.PARTICIPLE, Form.PAST} & forms and Form.BASE not in forms:
        passive = follower in _PREPOSITIONS and _is_transitive(first)
        return " ".join(["is", *words] if passive else words)
    if Form.ING in forms:
        verb = load_verbs().reading(first, Form.ING)
        return " ".join([third_person(verb.lemma if verb else _base_of_ing(first)), *rest])
    if Form.BASE in forms and not (_is_noun(first) and not load_verbs().readings(first)):
        return " ".join([third_person(first), *rest])
    if _is_noun(first) or _is_noun(
        rest[0].lower() if rest and rest[0].lower() not in _PREPOSITIONS else first
    ):
        article = "an" if first[0] in "aeiou" else "a"
        return " ".join(["is", article, *words])
    if follower in _PREPOSITIONS and not first.endswith("s"):
        return " ".join(["is", *words])  # soluble in
    return " ".join([first if first.endswith("s") else third_person(first), *rest])


def _is_transitive(word: str) -> bool:
    verb = load_verbs().reading(word, Form.PARTICIPLE, Form.PAST)
    return verb is None or bool(verb.passive)


def _guessed_forms(word: str) -> set[Form]:
    if _is_noun(word) or word in _ADVERBS:
        return set()
    if word.endswith("ed"):
        return {Form.PARTICIPLE, Form.PAST}
    if word.endswith("ing"):
        return {Form.ING}
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return {Form.THIRD}
    return set()


def _base_of_ing(word: str) -> str:
    base = word.removesuffix("ing")
    if len(base) > 2 and base[-1] == base[-2] and base[-1] not in "ls":
        return base[:-1]
    return (
        base + "e" if re.search(r"(?:[aiou][tscgvz]|[yu]s|[lr][vg]|nc|rc|duc|at|iz|ur|ir)$", base) else base
    )


def _is_noun(word: str) -> bool:
    return word in _NOUNS or (bool(_NOUN_ENDING.search(word)) and not load_verbs().readings(word))


def _analyse(predicate: str) -> tuple[Voice, list[str]]:
    """Voice, and the words from the main verb on (for a copula: from the complement on), without adverbs."""
    predicate = _PLURAL_ROLE.sub(_one_role, normalise(predicate))
    words = [word for word in re.findall(r"[\w'()-]+", predicate.lower()) if not _is_adverb(word)]
    be = False
    while words and (
        words[0] in _BE
        or words[0] in _HAVE
        or words[0] in _MODALS
        or words[0] in {"to", "does", "do", "did", "not"}
    ):
        if words[0] in _HAVE and not (len(words) > 1 and (words[1] in _BE or _is_participle(words[1]))):
            break
        be |= words[0] in _BE
        words = words[1:]
    if not be:
        bare = bool(words) and _is_participle(words[0]) and len(words) > 1 and words[1] in _PREPOSITIONS
        if bare and _is_transitive(words[0]) and not load_verbs().reading(words[0], Form.BASE, Form.THIRD):
            return Voice.PASSIVE, words
        noun = bool(words) and (
            words[0] in _ARTICLES or (_is_noun(words[0]) and not load_verbs().readings(words[0]))
        )
        adjective = len(words) > 1 and words[1] in _PREPOSITIONS and not words[0].endswith("s")
        adjective = adjective and not load_verbs().readings(words[0]) and bool(_ADJECTIVE.search(words[0]))
        return (Voice.COPULA if noun or adjective else Voice.ACTIVE), words
    if words and _is_participle(words[0]):
        return Voice.PASSIVE, words
    if words and words[0].endswith("ing") and load_verbs().reading(words[0], Form.ING):
        return Voice.ACTIVE, words
    return Voice.COPULA, words


def _is_participle(word: str) -> bool:
    if load_verbs().readings(word):
        return load_verbs().reading(word, Form.PARTICIPLE) is not None
    return stem(word) != word and (
        word.endswith(("ed", "en", "wn"))
        or word in {"found", "made", "built", "held", "bound", "led", "kept"}
    )


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and word not in _NOT_ADVERBS and len(word) > 4)


def _without_modifiers(words: list[str]) -> list[str]:
    """Without articles, and without modifiers where a noun follows them."""
    kept: list[str] = []
    for index, word in enumerate(words):
        if word in _ARTICLES or _is_adverb(word):
            continue
        follower = next((other for other in words[index + 1 :] if other not in _ARTICLES), "")
        if follower and follower not in _PREPOSITIONS and follower != "and" and _MODIFIER.fullmatch(word):
            continue
        kept.append(_american(word))
    return kept


def _american(word: str) -> str:
    return re.sub(r"(?<=[a-z]{2})(i|y)z(e|es|ed|ing|ation|ations)$", r"\1s\2", word)
