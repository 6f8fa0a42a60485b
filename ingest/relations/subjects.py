"""Who does it: the subject mentions of a verb group, found to its left. In doubt, none."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.relations.grammar import (
    CONDITIONAL,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    SUBORDINATORS,
    is_adverb,
)
from ingest.relations.noun_phrases import Phrase, PhraseReader
from ingest.relations.verb_groups import VerbGroup

_CLAUSE_MARKS = frozenset({";", ":", "—", "–"})
_ATTRIBUTIVE = frozenset({"from", "in", "on", "with", "at", "for"})
_DESCRIBING = frozenset({"of", "with", "in", "from", "at", "for"})
_INSERTIONS = frozenset(
    {"in", "for", "like", "also", "however", "on", "at", "by", "as", "together", "under", "with"}
)


class SubjectFinder:
    """Finds subjects in one sentence, from left to right, since a later verb may share an earlier subject."""

    def __init__(self, reader: PhraseReader, groups: Sequence[VerbGroup]) -> None:
        self._reader, self._tokens = reader, reader.tokens
        self._groups = groups
        self._found: dict[int, list[int]] = {}

    def subjects(self, index: int) -> list[int]:
        """Tokens of the mentions that are the subject of verb group `index`; several if coordinated."""
        if index not in self._found:
            self._found[index] = []  # a verb is never its own subject's verb
            self._found[index] = self._find(index)
        return self._found[index]

    def _find(self, index: int) -> list[int]:
        group = self._groups[index]
        position = group.start - 1
        while position >= 0 and self._tokens[position].is_word and is_adverb(self._tokens[position].lower):
            position -= 1
        if position < 0:
            return []
        if not group.finite:
            return self._of_participle(position)
        word = self._tokens[position].lower
        if word in RELATIVES:
            return self._of_relative(position, group) if word in {"which", "that"} else []
        if word in CONJUNCTIONS:
            return self._shared(index, position)
        if word == ",":
            return self._across_insertion(position, group) or self._in_series(index)
        return self._of_phrase_at(position, group)

    # ------------------------------------------------------------ kinds of subject

    def _of_participle(self, position: int) -> list[int]:
        """ "ethylene obtained from naphtha", "ammonia, produced from ...,": the mention just before."""
        if self._tokens[position].lower == ",":
            position -= 1
        phrase = self._reader.ending_at(position)
        if phrase is None or self._before(phrase) in CONJUNCTIONS:
            return []
        return [phrase.head]

    def _of_relative(self, position: int, group: VerbGroup) -> list[int]:
        """ "acrolein, which is formed by": the mention before, unless another noun may be meant."""
        last = position - 1
        comma = last >= 0 and self._tokens[last].lower == ","
        phrase = self._reader.ending_at(last - 1 if comma else last)
        if phrase is None:
            return []
        before = self._before(phrase)
        ambiguous = comma and before == "of"
        listed = before in CONJUNCTIONS or (before == "," and phrase.start > 1)
        if ambiguous or (listed and (group.plural is not False or before == ",")):
            return []
        return [phrase.head]

    def _shared(self, index: int, position: int) -> list[int]:
        """ "X is made from Y and is used ...": the subject of the verb before."""
        previous = next((i for i in range(index - 1, -1, -1) if self._groups[i].end <= position), None)
        if previous is None:
            return []
        between = self._tokens[self._groups[previous].end : position]
        if any(token.lower in _CLAUSE_MARKS or token.lower in CONDITIONAL for token in between):
            return []
        return self.subjects(previous)

    def _in_series(self, index: int) -> list[int]:
        """ "X reduces A, dissolves B and ...": the same, across a comma."""
        group = self._groups[index]
        if index == 0 or group.plural is True or group.voice != "active" or group.words[0] in {"is", "was"}:
            return []
        previous = self._groups[index - 1]
        if previous.voice != "active" or previous.plural is True or not previous.finite:
            return []
        between = self._tokens[previous.end : group.start]
        stops = RELATIVES | SUBORDINATORS | CONDITIONAL | _CLAUSE_MARKS
        return [] if any(token.lower in stops for token in between) else self.subjects(index - 1)

    def _across_insertion(self, closing: int, group: VerbGroup) -> list[int]:
        """ "formaldehyde, the product, is made ...": the mention before the first of the two commas."""
        for opening in range(closing - 1, 0, -1):
            if self._tokens[opening].lower != ",":
                continue
            if not self._is_insertion(opening + 1, closing, listed=group.plural is not False):
                continue
            subjects = self._of_phrase_at(opening - 1, group)
            if subjects:
                return subjects
        return []

    def _is_insertion(self, start: int, end: int, *, listed: bool) -> bool:
        """Whether tokens between two commas say something in passing and hold no clause of their own.

        `listed`: the verb may have several subjects, so that "the B and C" may be two of them.
        """
        if start >= end:
            return False
        first = self._tokens[start]
        if end - start == 1 and first.mention is not None:  # "uranium tetrafluoride, UF4, is ..."
            return True
        inner = [group for group in self._groups if start <= group.start < end]
        if first.lower in RELATIVES or (start + 1 < end and self._tokens[start + 1].lower in RELATIVES):
            return True
        if any(group.finite for group in inner):
            return False
        if first.lower in DETERMINERS:
            return not (listed and any(token.lower in CONJUNCTIONS for token in self._tokens[start:end]))
        starts_participle = bool(inner) and inner[0].start == start
        return first.lower in _INSERTIONS or is_adverb(first.lower) or starts_participle

    # ------------------------------------------------------------ a phrase and what stands before it

    def _of_phrase_at(self, last: int, group: VerbGroup) -> list[int]:  # noqa: PLR0911 - one case a line
        phrase = self._reader.ending_at(last) or self._described(last)
        if phrase is None:
            return []
        before = self._before(phrase)
        if before in CONJUNCTIONS:
            return self._coordinated(phrase, group)
        if self._is_example(phrase):
            return [phrase.head] if group.plural is True else []
        if before in PREPOSITIONS:
            return self._governing(phrase, group)
        if not self._opens_clause(phrase):
            return []
        if group.plural is True and not self._is_plural(phrase):
            return []
        return [phrase.head]

    def _is_example(self, phrase: Phrase) -> bool:
        """ "oxides such as X ...": what is said of the class is said of its example."""
        before = [token.lower for token in self._tokens[max(0, phrase.start - 2) : phrase.start]]
        return before == ["such", "as"]

    def _described(self, last: int) -> Phrase | None:
        """ "carbon black of high conductivity is made ...": the mention that the words describe."""
        for position in range(last, max(0, last - 6), -1):
            token = self._tokens[position]
            if token.lower in _DESCRIBING and position < last:
                return self._reader.ending_at(position - 1)
            if not token.is_word or token.lower in PREPOSITIONS | CONJUNCTIONS | RELATIVES | SUBORDINATORS:
                return None
            if any(group.start <= position < group.end and group.finite for group in self._groups):
                return None
        return None

    def _before(self, phrase: Phrase) -> str:
        """The word or mark before the phrase, adverbs aside: "only rhodium ..."."""
        position = phrase.start - 1
        while position >= 0 and self._tokens[position].is_word and is_adverb(self._tokens[position].lower):
            position -= 1
        return self._tokens[position].lower if position >= 0 else ""

    def _opens_clause(self, phrase: Phrase) -> bool:
        """Whether a clause can begin with the phrase."""
        before = self._before(phrase)
        if before == "":
            return True
        if before == "which":  # "in which sulfuric acid protonates ..."
            return phrase.start > 1 and self._tokens[phrase.start - 2].lower in PREPOSITIONS
        opening = SUBORDINATORS | CONDITIONAL | {",", "that", "("}  # what is conditional is counted, not kept
        return before in _CLAUSE_MARKS or before in opening

    def _is_plural(self, phrase: Phrase) -> bool:
        last = self._tokens[phrase.end - 1] if phrase.end - 1 > phrase.head else self._tokens[phrase.head]
        return last.lower.endswith("s") and not last.lower.endswith("ss")

    def _governing(self, phrase: Phrase, group: VerbGroup) -> list[int]:
        """ "zinc from sphalerite is ...": the mention that the prepositional phrase describes."""
        preposition = phrase.start - 1
        if self._tokens[preposition].lower not in _ATTRIBUTIVE or preposition == 0:
            return []
        outer = self._reader.ending_at(preposition - 1)
        return self._of_phrase_at(outer.end - 1, group) if outer else []

    def _coordinated(self, phrase: Phrase, group: VerbGroup) -> list[int]:
        """A list "A, B and C" that opens a clause; or, after "and", a new clause with one subject."""
        listed = self._list_ending_at(phrase) if group.plural is not False else []
        return listed or self._after_conjunction(phrase, group)

    def _after_conjunction(self, phrase: Phrase, group: VerbGroup) -> list[int]:
        conjunction = phrase.start - 1
        new_clause = any(other.finite and other.end <= conjunction for other in self._groups)
        return [phrase.head] if new_clause and group.plural is not True else []

    def _list_ending_at(self, phrase: Phrase) -> list[int]:
        heads = [phrase.head]
        position = phrase.start - 2
        while position >= 0:
            if self._tokens[position].lower == ",":
                position -= 1
            element = self._reader.ending_at(position)
            if element is None:
                return []
            heads.append(element.head)
            before = self._before(element)
            if before == "both":
                return list(reversed(heads))
            if before == "," and self._list_goes_on(element):
                position = element.start - 2
                continue
            opens = self._opens_clause(element) or self._is_example(element)
            return list(reversed(heads)) if opens else []
        return []

    def _list_goes_on(self, element: Phrase) -> bool:
        """Whether the comma before the element parts it from another one, not from an opening phrase."""
        earlier = self._reader.ending_at(element.start - 2)
        return earlier is not None and (earlier.start == 0 or self._before(earlier) in {",", *_CLAUSE_MARKS})
