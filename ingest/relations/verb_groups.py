"""Verb groups of a sentence: auxiliaries, adverbs and main verb, with voice, polarity and predicate words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from domain.verbs import Form, Verb, stem, third_person
from ingest.relations.grammar import (
    BE,
    CONJUNCTIONS,
    FINITE_BE,
    HAVE,
    MODALS,
    NEGATIONS,
    SPECULATIVE_MODALS,
    Grammar,
    is_adverb,
    is_hedge,
)
from ingest.relations.tokens import Token

Voice = Literal["active", "passive", "copula"]

# Participles that nobody listed are taken too, with the prepositions that say where something comes from.
_UNLISTED = Verb("", "", "", "", "", frozenset(), frozenset({"from", "by", "into", "onto"}))


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """Tokens `start` to `end` (exclusive). `words` begin the predicate, singular: ["is", "produced"]."""

    start: int
    end: int
    voice: Voice
    verb: Verb
    words: tuple[str, ...]
    finite: bool = True
    plural: bool | None = None  # None: the form does not tell
    negated: bool = False
    speculative: bool = False
    lemma: str = field(default="")


@dataclass(slots=True)
class _Auxiliaries:
    position: int
    words: list[str]
    plural: bool | None = None
    negated: bool = False
    speculative: bool = False

    def group(self, start: int, voice: Voice, verb: Verb, lemma: str, main: str | None = None) -> VerbGroup:
        """The verb group of these auxiliaries and the main verb that follows them, if one does."""
        return VerbGroup(
            start=start,
            end=self.position + (main is not None),
            voice=voice,
            verb=verb,
            words=(*self.words, main) if main else tuple(self.words),
            plural=self.plural,
            negated=self.negated,
            speculative=self.speculative,
            lemma=lemma,
        )


def find_verb_groups(tokens: Sequence[Token], grammar: Grammar) -> list[VerbGroup]:
    """All verb groups in the order of the sentence; the words in them belong to no other."""
    groups: list[VerbGroup] = []
    position = 0
    while position < len(tokens):
        group = _group_at(tokens, position, grammar, groups[-1] if groups else None)
        if group is None:
            position += 1
        else:
            groups.append(group)
            position = group.end
    return groups


def _group_at(
    tokens: Sequence[Token], position: int, grammar: Grammar, previous: VerbGroup | None
) -> VerbGroup | None:
    token = tokens[position]
    if not token.is_word:
        return None
    if (
        token.lower in MODALS
        or token.lower in HAVE
        or token.lower in FINITE_BE
        or token.lower in {"does", "do", "did"}
    ):
        return _with_auxiliaries(tokens, position, grammar)
    before = tokens[position - 1].lower if position else ""
    if before in {"to", "the", "a", "an", "of", "its", "their"} or token.lower in BE:
        return None
    return _bare(tokens, position, grammar, previous)


def _with_auxiliaries(tokens: Sequence[Token], start: int, grammar: Grammar) -> VerbGroup | None:
    aux = _auxiliaries(tokens, start)
    if aux.position >= len(tokens) or not aux.words:
        return None
    token = tokens[aux.position]
    last = aux.words[-1]
    if last in {"is", "was", "be", "been", "being"}:
        participle = grammar.verbs.reading(token.lower, Form.PARTICIPLE) if token.is_word else None
        if participle is None and _looks_like_participle(token):
            participle = _UNLISTED
        if participle is not None:
            lemma = participle.lemma or stem(token.lower)
            return aux.group(start, "passive", participle, lemma, token.text)
        return None if last == "being" else aux.group(start, "copula", _UNLISTED, "be")
    if last in {"has", "had"}:
        perfect = grammar.verbs.reading(token.lower, Form.PARTICIPLE) if token.is_word else None
        if perfect is None:
            return aux.group(start, "active", _UNLISTED, "have")
        return aux.group(start, "active", perfect, perfect.lemma, token.text)
    base = grammar.verbs.reading(token.lower, Form.BASE) if token.is_word else None
    return aux.group(start, "active", base, base.lemma, token.text) if base else None


def _auxiliaries(tokens: Sequence[Token], start: int) -> _Auxiliaries:
    """Auxiliaries and the adverbs between them: "has usually been", "can also be", "is not"."""
    aux = _Auxiliaries(start, [])
    position = start
    while position < len(tokens) and tokens[position].is_word:
        word = tokens[position].lower
        if word == "cannot":
            aux.words.append("can")
            aux.negated = True
        elif word in NEGATIONS:
            aux.negated = True
        elif word in MODALS:
            aux.speculative |= word in SPECULATIVE_MODALS
            aux.words.append(word)
        elif word in BE or word in HAVE or word in {"does", "do", "did"}:
            _add_auxiliary(aux, word)
        elif not is_adverb(word):
            break
        elif is_hedge(word):
            aux.speculative = True
        position += 1
    aux.position = position
    return aux


def _add_auxiliary(aux: _Auxiliaries, word: str) -> None:
    if not aux.words:
        aux.plural = {"is": False, "are": True, "was": False, "were": True, "has": False, "have": True}.get(
            word
        )
    singular = {"are": "is", "were": "was", "have": "has" if not aux.words else "have", "do": "does"}
    aux.words.append(singular.get(word, word))


def _looks_like_participle(token: Token) -> bool:
    return token.is_word and token.lower.endswith("ed") and len(token.lower) > 5 and token.lower != "indeed"


def _bare(
    tokens: Sequence[Token], position: int, grammar: Grammar, previous: VerbGroup | None
) -> VerbGroup | None:
    """A verb without auxiliaries: finite (catalyses), or a participle (obtained from, used as)."""
    token = tokens[position]
    readings = grammar.verbs.readings(token.lower)
    if not readings:
        return None
    following = next(
        (other for other in tokens[position + 1 :] if not (other.is_word and is_adverb(other.lower))), None
    )
    forms = {form: verb for verb, form in readings}
    participle = forms.get(Form.PARTICIPLE)
    coordinated = _continues_passive(tokens, position, previous)
    follows_mention = position > 0 and _may_follow(tokens, position)
    if participle and following is not None and following.lower in participle.passive | {"as", "in"}:
        if coordinated and previous is not None:
            words = (*previous.words[:-1], token.text)
            return VerbGroup(
                position,
                position + 1,
                "passive",
                participle,
                words,
                plural=previous.plural,
                negated=previous.negated,
                speculative=previous.speculative,
                lemma=participle.lemma,
            )
        if follows_mention and Form.BASE not in forms and following.lower in participle.passive:
            words = ("is", token.text)
            return VerbGroup(
                position, position + 1, "passive", participle, words, finite=False, lemma=participle.lemma
            )
    for form, plural in ((Form.THIRD, False), (Form.BASE, True), (Form.PAST, None)):
        if form in forms:
            if form is Form.BASE and not _may_be_plural_verb(tokens, position):
                continue
            verb = forms[form]
            if form is Form.PAST and coordinated:
                continue
            word = third_person(token.text) if form is Form.BASE else token.text
            return VerbGroup(position, position + 1, "active", verb, (word,), plural=plural, lemma=verb.lemma)
    return None


def _continues_passive(tokens: Sequence[Token], position: int, previous: VerbGroup | None) -> bool:
    """ "is oxidised and converted to": the second participle shares the auxiliary."""
    if previous is None or previous.voice != "passive" or not previous.finite:
        return False
    before = [
        token for token in tokens[previous.end : position] if not (token.is_word and is_adverb(token.lower))
    ]
    return (
        bool(before) and before[-1].lower in CONJUNCTIONS and not any(token.lower in BE for token in before)
    )


def _may_be_plural_verb(tokens: Sequence[Token], position: int) -> bool:
    """Whether a base form can be a verb here: behind a mention or a plural, not "a building block"."""
    while position and tokens[position - 1].is_word and is_adverb(tokens[position - 1].lower):
        position -= 1
    before = tokens[position - 1] if position else None
    return before is not None and (
        before.mention is not None
        or before.lower.endswith("s")
        or not before.is_word
        or before.lower in {"which", "that", "and", "or"}
    )


def _may_follow(tokens: Sequence[Token], position: int) -> bool:
    """Whether the participle stands behind a mention, a comma or a closing bracket."""
    before = tokens[position - 1]
    return before.mention is not None or before.lower in {",", ")"} or before.is_word
