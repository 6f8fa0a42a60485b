"""What it is done to: objects of a verb group, with the words between verb and object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domain.verbs import Form
from ingest.relations.grammar import CONJUNCTIONS, DETERMINERS, PREPOSITIONS
from ingest.relations.noun_phrases import PhraseReader
from ingest.relations.verb_groups import VerbGroup
from ingest.relations.words import WordReader

_WITH = frozenset({"exchange", "reaction", "treatment", "contact"})
_SKIPPED = frozenset(
    """on in at under over during via through with without above below between near for since until after
    before by upon within across despite besides from into""".split()  # noqa: SIM905 - reads as the list it is
)


@dataclass(frozen=True, slots=True)
class Object:
    """A mention (token `head`), and the predicate's words behind the verb: "by the oxidation of"."""

    words: tuple[str, ...]
    head: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """Objects that begin at one place, and where reading goes on; `closed`: no more belong to the verb."""

    objects: tuple[Object, ...]
    end: int
    closed: bool = False


class ObjectFinder:
    """Finds objects in one sentence."""

    def __init__(self, reader: PhraseReader, groups: Sequence[VerbGroup]) -> None:
        self._reader, self._tokens, self._grammar = reader, reader.tokens, reader.grammar
        self._words = WordReader(reader, groups)
        self._group_starts = self._words.group_starts

    def objects(self, group: VerbGroup) -> list[Object]:
        """All objects of the verb group that its verb may take, in the order of the sentence."""
        if group.voice == "copula":
            return list(self._of_copula(group))
        if group.voice == "active":
            direct = self._of_active(group)
            if direct is not None:
                return list(direct)
            licensed = group.verb.active - {"o", "p"}
        else:
            licensed = group.verb.passive
        return list(self._prepositional(group, licensed))

    # ------------------------------------------------------------ active voice

    def _of_active(self, group: VerbGroup) -> tuple[Object, ...] | None:
        """Direct objects; None where a preposition follows the verb at once."""
        first = self._words.skip_adverbs(group.end)
        if first >= len(self._tokens):
            return ()
        if self._tokens[first].lower in PREPOSITIONS:
            return None
        if not group.verb.takes_process:
            return ()
        if group.verb.takes_object:
            reading = self._direct(first, ())
            if reading:
                return reading.objects
        reading = (
            self._process(first, (), group)
            or self._partner(first)
            or self._through_plain_object(first, group)
        )
        return reading.objects if reading else ()

    def _through_plain_object(self, first: int, group: VerbGroup) -> _Reading | None:
        """ "extracts electrons from X": an object that is no entity, then a preposition the verb takes."""
        for position in range(first + 1, min(first + 3, len(self._tokens))):
            if not self._tokens[position - 1].is_word or self._tokens[position - 1].lower in DETERMINERS:
                return None
            word = self._tokens[position].lower
            if word in PREPOSITIONS:
                words = self._words.plain_words(first, position + 1)
                return self._direct(position + 1, words) if words and word in group.verb.active else None
        return None

    def _partner(self, first: int) -> _Reading | None:
        """ "forms a complex with X"."""
        position = first
        while position < len(self._tokens) and self._tokens[position].is_word:
            if self._tokens[position].lower in self._grammar.partners:
                break
            if self._tokens[position].lower in PREPOSITIONS | CONJUNCTIONS:
                return None
            position += 1
        else:
            return None
        preposition = position + 1
        if preposition >= len(self._tokens) or self._tokens[preposition].lower != "with":
            return None
        words = self._words.plain_words(first, preposition + 1)
        return self._direct(preposition + 1, words) if words else None

    # ------------------------------------------------------------ prepositions

    def _prepositional(self, group: VerbGroup, licensed: frozenset[str]) -> Iterator[Object]:
        position, skipped = self._words.skip_adverbs(group.end), 0
        found: str | None = None  # the preposition of the first object
        while position < len(self._tokens):
            word = self._tokens[position].lower
            if word == "to" and (purpose := self._purpose(position, group)):
                yield from purpose.objects
                return
            if word not in PREPOSITIONS:
                return
            reading = self._after_preposition(position, group, licensed)
            if reading and (found is None or self._may_add(found, word, reading)):
                yield from reading.objects
                found = found or word
                if reading.closed:
                    return
                position = reading.end
                continue
            if found is not None or skipped == 2 or word not in _SKIPPED:
                return
            end = self._end_of_plain_phrase(position + 1)
            if end is None:
                return
            position, skipped = end, skipped + 1

    @staticmethod
    def _may_add(first: str, second: str, reading: _Reading) -> bool:
        """A second phrase counts if it is short: "is extracted by X into Y", "is reduced to X by Y"."""
        agent = second == "by" and first in {"to", "into"}
        return (agent or second in {"to", "into", "from", "onto"}) and all(
            not item.words[1:] for item in reading.objects
        )

    def _after_preposition(
        self, position: int, group: VerbGroup, licensed: frozenset[str]
    ) -> _Reading | None:
        word = self._tokens[position].lower
        if word == "as" and "as" in licensed:
            return self._role(position)
        if word == "by" and "by" in licensed and (reading := self._gerund(position)):
            return reading
        if word in licensed and (reading := self._direct(position + 1, (word,))):
            # an agent that is no listed verb's own could be a method or an author
            return reading if group.verb.lemma or word != "by" else None
        if word in licensed or (
            word in {"by", "in", "for", "through"} and group.voice == "passive" and word in licensed | {"in"}
        ):
            return self._process(position + 1, (word,), group)
        return None

    def _end_of_plain_phrase(self, position: int) -> int | None:
        """Behind a prepositional phrase that is not wanted: "on a large scale", "at 500 °C"."""
        start = position
        while position < len(self._tokens):
            token = self._tokens[position]
            if token.lower in PREPOSITIONS and position > start:
                return position if token.lower != "of" else self._end_of_plain_phrase(position + 1)
            if (
                token.lower in {",", ";", ":", ".", "(", ")"}
                or token.lower in CONJUNCTIONS
                or position in self._group_starts
            ):
                return None
            position += 1
        return None

    # ------------------------------------------------------------ what follows

    def _direct(self, first: int, words: tuple[str, ...]) -> _Reading | None:
        """One mention, or a list of them, straight after the verb or preposition."""
        phrase = self._reader.starting_at(first)
        if phrase is None:
            return self._container(first, words)
        heads, end = [phrase.head], phrase.end
        heads += self._listed(end)
        objects = tuple(Object(words, head) for head in heads)
        return _Reading(objects, self._words.skip_adverbs(end), closed=len(heads) > 1)

    def _container(self, first: int, words: tuple[str, ...]) -> _Reading | None:
        """ "from solutions of X", "with an excess of X", "from a mixture of X and Y"."""
        of = self._words.find_of(first)
        if of is None:
            return None
        noun = self._tokens[of - 1].lower
        if noun in self._grammar.dropped_containers:
            return self._direct(of + 1, words)
        if noun not in self._grammar.kept_containers:
            return None
        between = self._words.plain_words(first, of + 1)
        return self._direct(of + 1, (*words, *between)) if between else None

    def _listed(self, position: int) -> list[int]:
        """Further mentions of a list "X, Y and Z" that goes on here; none if a new clause begins instead."""
        heads: list[int] = []
        pending: list[int] = []
        while position < len(self._tokens):
            word = self._tokens[position].lower
            comma = word == ","
            if (
                comma
                and position + 1 < len(self._tokens)
                and self._tokens[position + 1].lower in {"and", "or"}
            ):
                position, word, comma = position + 1, self._tokens[position + 1].lower, False
            if not comma and word not in {"and", "or"}:
                break
            phrase = self._reader.starting_at(position + 1)
            if phrase is None or self._starts_clause(phrase.end):
                break
            pending.append(phrase.head)
            position = phrase.end
            if not comma:
                heads += pending
                break
        return heads

    def _starts_clause(self, position: int) -> bool:
        position = self._words.skip_adverbs(position)
        if position in self._group_starts:
            return True
        return position < len(self._tokens) and self._tokens[position].lower in {"which", "that", "whose"}

    def _process(  # noqa: PLR0911 - one reason to refuse a line
        self, first: int, words: tuple[str, ...], group: VerbGroup
    ) -> _Reading | None:
        """ "the partial oxidation of X": the process noun and its modifiers become part of the predicate."""
        of = self._words.find_of(first) or self._words.find_of(first, "with")
        if of is None:
            return None
        noun = self._tokens[of - 1].lower
        if self._tokens[of].lower == "with":  # "is enriched by isotopic exchange with X"
            return (
                self._direct(of + 1, (*words, *between))
                if (noun in _WITH and (between := self._words.plain_words(first, of + 1)))
                else None
            )
        is_process = self._grammar.is_process(noun)
        is_property = (
            group.voice == "active" and "p" in group.verb.active | {"p"} and noun in self._grammar.properties
        )
        if not (is_process or is_property):
            return None
        phrase = self._reader.starting_at(of + 1)
        between = self._words.plain_words(first, of + 1, drop_mentions=True)
        if phrase is None or not between:
            return None
        # "the reaction of X with Y" says too little about X alone; a named reaction says more
        vague = noun in self._grammar.binary and not any(word[:1].isupper() for word in between)
        if vague and self._has_partner(phrase.end):
            return None
        heads = [phrase.head, *self._listed(phrase.end)]
        if vague and len(heads) > 1:
            return None
        # "is made by the oxidation of X" closes: what follows belongs to the process
        return _Reading(tuple(Object((*words, *between), head) for head in heads), phrase.end, closed=True)

    def _has_partner(self, position: int) -> bool:
        return position < len(self._tokens) and self._tokens[position].lower in {"with", "and", "between"}

    def _gerund(self, position: int) -> _Reading | None:
        """ "by heating X", "by oxidising X with ...": the gerund becomes part of the predicate."""
        first = self._words.skip_adverbs(position + 1)
        if first >= len(self._tokens):
            return None
        verb = self._grammar.verbs.reading(self._tokens[first].lower, Form.ING)
        if verb is None or not verb.takes_object or verb.lemma in {"combine", "mix", "blend", "use"}:
            return None
        phrase = self._reader.starting_at(first + 1)
        if phrase is None:
            return None
        return _Reading((Object(("by", self._tokens[first].text), phrase.head),), phrase.end, closed=True)

    def _role(self, position: int) -> _Reading | None:
        """ "as a solvent for X", "as a catalyst for the oxidation of X"."""
        found = self._words.role_and_preposition(position + 1)
        if found is None:
            return None
        words, first = found
        words = ("as", *words)
        reading = self._direct(first, words)
        if reading:
            return _Reading(reading.objects, reading.end, closed=True)
        of = self._words.find_of(first)
        if of is None or not self._grammar.is_process(self._tokens[of - 1].lower):
            return None
        phrase = self._reader.starting_at(of + 1)
        between = self._words.plain_words(first, of + 1, drop_mentions=True)
        if phrase is None or not between:
            return None
        return _Reading((Object((*words, *between), phrase.head),), phrase.end, closed=True)

    def _purpose(self, position: int, group: VerbGroup) -> _Reading | None:
        """ "is used to produce X"."""
        if group.lemma not in {"use", "employ", "utilise", "apply"} or position + 1 >= len(self._tokens):
            return None
        verb = self._grammar.verbs.reading(self._tokens[position + 1].lower, Form.BASE)
        if verb is None or not verb.takes_process:
            return None
        words = ("to", self._tokens[position + 1].text)
        reading = self._direct(position + 2, words) if verb.takes_object else None
        return reading or self._process(position + 2, words, group)

    # ------------------------------------------------------------ copula

    def _of_copula(self, group: VerbGroup) -> Iterator[Object]:
        """ "is a precursor of X", "is soluble in X"."""
        first = self._words.skip_adverbs(group.end)
        if first >= len(self._tokens):
            return
        token = self._tokens[first]
        following = self._tokens[first + 1].lower if first + 1 < len(self._tokens) else ""
        if token.lower in self._grammar.adjectives and following in {
            "in",
            "with",
            "to",
            "towards",
            "toward",
            "from",
        }:
            reading = self._direct(first + 2, (token.text, following))
            yield from reading.objects if reading else ()
            return
        if token.lower not in {"a", "an", "the"}:
            return
        found = self._words.role_and_preposition(first)
        if found:
            words, start = found
            reading = self._direct(start, words) or (
                self._process(start, words, group) if words[-1] in {"for", "in"} else None
            )
            yield from reading.objects if reading else ()
