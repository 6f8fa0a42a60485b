"""The words between a verb and its object: where they end, and what of them the predicate keeps."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.relations.grammar import CONJUNCTIONS, DETERMINERS, PREPOSITIONS, is_adverb
from ingest.relations.noun_phrases import PhraseReader
from ingest.relations.verb_groups import VerbGroup

_MOST_WORDS = 9  # of a predicate


class WordReader:
    """Reads short noun phrases without a mention in one sentence."""

    def __init__(self, reader: PhraseReader, groups: Sequence[VerbGroup]) -> None:
        self._reader, self._tokens, self._grammar = reader, reader.tokens, reader.grammar
        self.group_starts = frozenset(group.start for group in groups if group.finite)

    def role_and_preposition(self, first: int) -> tuple[tuple[str, ...], int] | None:
        """The words of "a solvent for", and where the object begins."""
        position = first
        while position < len(self._tokens) and self._tokens[position].is_word and position - first < 6:
            token = self._tokens[position]
            if token.lower in {"for", "of", "to", "in"}:
                if self._tokens[position - 1].lower not in self._grammar.roles:
                    return None
                words = self.plain_words(first, position + 1)
                return (words, position + 1) if words else None
            if token.lower in PREPOSITIONS | CONJUNCTIONS:
                return None
            position += 1
        return None

    def skip_adverbs(self, position: int) -> int:
        while (
            position < len(self._tokens)
            and self._tokens[position].is_word
            and is_adverb(self._tokens[position].lower)
        ):
            position += 1
        return self._reader.after_brackets(position)

    def find_of(self, first: int, wanted: str = "of") -> int | None:
        """The "of" that ends a short noun phrase beginning at `first`."""
        for position in range(first, min(first + 7, len(self._tokens))):
            token = self._tokens[position]
            if token.lower == wanted:
                return position if position > first else None
            if position in self.group_starts and position > first + 1:
                return None
            if token.lower in {",", ";", ":", ".", ")"} or token.lower in PREPOSITIONS | CONJUNCTIONS:
                return None
        return None

    def plain_words(self, first: int, end: int, *, drop_mentions: bool = False) -> tuple[str, ...]:
        """The words from `first` to `end`, adverbs dropped; empty where they make no clean predicate.

        A mention between them ("hydrogen reduction of") is dropped if `drop_mentions`, else refuses.
        """
        words: list[str] = []
        for token in self._tokens[first:end]:
            if token.mention is not None:
                if not drop_mentions:
                    return ()
                continue
            if not token.is_word:
                if token.text[:1] in "-–":
                    continue
                return ()
            if is_adverb(token.lower):
                continue
            words.append(
                token.text if token.text[:1].isupper() and token.lower not in DETERMINERS else token.lower
            )
        if len(words) > _MOST_WORDS - 2:
            kept = [
                word for index, word in enumerate(words) if index >= len(words) - 2 or word in DETERMINERS
            ]
            words = kept
        return tuple(words)
