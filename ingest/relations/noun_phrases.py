"""Noun phrases with a mention as head, read to the left of a verb and to the right of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.packs.pack import DomainPack
from domain.verbs import Form
from ingest.relations.grammar import (
    BE,
    CONDITIONAL,
    CONJUNCTIONS,
    DETERMINERS,
    HAVE,
    MODALS,
    NEGATIONS,
    PREPOSITIONS,
    RELATIVES,
    SUBORDINATORS,
    Grammar,
    is_adverb,
)
from ingest.relations.tokens import Token

_BOUNDARIES = (
    PREPOSITIONS | CONJUNCTIONS | SUBORDINATORS | CONDITIONAL | RELATIVES | BE | HAVE | MODALS | NEGATIONS
)
_FEW = frozenset({"no", "neither", "nor", "none"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase whose head is the mention in token `head`; it begins at `start` and ends before `end`."""

    head: int
    start: int
    end: int


class PhraseReader:
    """Reads phrases in one sentence."""

    def __init__(self, tokens: Sequence[Token], grammar: Grammar, pack: DomainPack) -> None:
        self.tokens, self.grammar, self._pack = tokens, grammar, pack

    # ------------------------------------------------------------ to the left

    def ending_at(self, last: int) -> Phrase | None:
        """The phrase ending with token `last`: its head is a mention, and nothing makes it another thing."""
        head = self._head_at(last)
        if head is None:
            return None
        start = head
        while start > 0 and self._is_modifier(start - 1):
            start -= 1
        if start > 0 and self.tokens[start - 1].lower in DETERMINERS - {"that"}:  # "it is known that X ..."
            start -= 1
        if start > 0 and self._refuses(start - 1):
            return None
        return Phrase(head, start, last + 1)

    def _head_at(self, last: int) -> int | None:
        tokens = self.tokens
        if last < 0:
            return None
        if tokens[last].lower == ")":
            opening = self._opening(last)
            return self._head_at(opening - 1) if opening is not None else None
        if tokens[last].mention is not None:
            if tokens[last].part:
                return None
            # two mentions side by side are a compound noun: the second one alone says something else
            return None if last > 0 and tokens[last - 1].mention is not None else last
        if (
            last > 0
            and tokens[last].lower in self._pack.transparent_heads
            and tokens[last - 1].mention is not None
        ):
            return None if tokens[last - 1].part else last - 1
        return None

    def _opening(self, closing: int) -> int | None:
        depth = 0
        for position in range(closing, -1, -1):
            if self.tokens[position].lower == ")":
                depth += 1
            elif self.tokens[position].lower == "(":
                depth -= 1
                if depth == 0:
                    return position
        return None

    def _is_modifier(self, position: int) -> bool:
        """An adjective or noun that may stand before a mention: "metallic gold", "the ligand SPhos"."""
        token = self.tokens[position]
        if not token.is_word or token.lower in _BOUNDARIES or token.lower in DETERMINERS:
            return False
        if token.lower in self.grammar.refused_modifiers or is_adverb(token.lower):
            return False
        if token.lower in self.grammar.modifiers:
            return True
        if token.lower.endswith(("ed", "ing")) or (token.text[0].isupper() and position > 0):
            return False
        if not self._is_known_modifier(token.lower):
            return False
        forms = {form for _, form in self.grammar.verbs.readings(token.lower)}
        return not forms & {Form.THIRD, Form.PAST} and not (
            forms
            and position > 0
            and self.tokens[position - 1].lower in {"to", "can", "and", "which", "that"}
        )

    def _is_known_modifier(self, word: str) -> bool:
        """Another word before a mention may be the beginning of a longer name: "acesulfame potassium"."""
        return (
            word in self.grammar.modifiers
            or word in self._pack.generic_modifiers
            or self._pack.is_generic(word)
            or word in self.grammar.roles
        )

    def _refuses(self, position: int) -> bool:
        """Whether what stands before the phrase changes it: "no", "doped", "burning", another mention."""
        token = self.tokens[position]
        if token.lower in _FEW or token.lower in self.grammar.refused_modifiers:
            return True
        if token.mention is not None or token.lower[:1].isdigit():
            return True
        if (
            not token.is_word
            or token.lower in _BOUNDARIES
            or is_adverb(token.lower)
            or token.lower in DETERMINERS
        ):
            return False
        return not any(
            form in {Form.THIRD, Form.PAST, Form.BASE} for _, form in self.grammar.verbs.readings(token.lower)
        )

    # ------------------------------------------------------------ to the right

    def starting_at(self, first: int) -> Phrase | None:
        """The phrase that begins at `first` and whose head is a mention."""
        tokens, position = self.tokens, first
        if position < len(tokens) and tokens[position].lower in DETERMINERS:
            position += 1
        while position < len(tokens) and self._is_modifier_ahead(position):
            position += 1
        if position >= len(tokens) or tokens[position].mention is None or tokens[position].part:
            return None
        end = self._after_head(position)
        return None if end is None else Phrase(position, first, end)

    def _is_modifier_ahead(self, position: int) -> bool:
        token = self.tokens[position]
        if not token.is_word or token.lower in _BOUNDARIES or token.lower in DETERMINERS:
            return False
        if (
            token.lower in self.grammar.refused_modifiers
            or token.lower.endswith("ed")
            or token.text[0].isupper()
        ):
            return False
        return not is_adverb(token.lower) and self._is_known_modifier(token.lower)

    def _after_head(self, head: int) -> int | None:
        """Where the phrase ends; None if the mention modifies the noun behind it ("methanol synthesis")."""
        tokens, position = self.tokens, head + 1
        if position < len(tokens) and tokens[position].lower in self._pack.transparent_heads:
            position += 1
        if position < len(tokens) and tokens[position].mention is not None:
            return None
        if position < len(tokens) and tokens[position].is_word and not self.ends_phrase(position):
            return None
        return self.after_brackets(position)

    def after_brackets(self, position: int) -> int:
        """Behind any "( ... )" that begins here."""
        tokens = self.tokens
        while position < len(tokens) and tokens[position].lower == "(":
            depth, inside = 1, position + 1
            while inside < len(tokens) and depth:
                depth += {"(": 1, ")": -1}.get(tokens[inside].lower, 0)
                inside += 1
            position = inside
        return position

    def ends_phrase(self, position: int) -> bool:
        """Whether the word here cannot be a noun that the mention before it modifies."""
        token = self.tokens[position]
        if token.lower in _BOUNDARIES or token.lower in DETERMINERS or is_adverb(token.lower):
            return True
        forms = {form for _, form in self.grammar.verbs.readings(token.lower)}
        if not forms:
            return False
        if forms & {Form.PARTICIPLE, Form.PAST} and Form.BASE not in forms:
            return True
        following = self.tokens[position + 1] if position + 1 < len(self.tokens) else None
        # "copper forms ..." is a verb, "copper oxides, ..." a noun: a verb is followed by its object
        return (
            bool(forms & {Form.THIRD, Form.BASE})
            and following is not None
            and following.lower not in {",", ".", ")"} | BE
        )
