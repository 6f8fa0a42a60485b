"""Entities verified and relations stated by a model, under the same rules as the patterns'.

The model never decides what is in the text: an entity it did not get is ignored, a relation whose
entities or sentence are not in the chunk is rejected and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from domain.identity import identity_key
from domain.packs.pack import DomainPack
from domain.predicates import is_weak
from errors import CataneneError
from ingest.models import Mention, Triple
from ingest.relations.patterns import RelationResult
from ingest.text import sentences

if TYPE_CHECKING:
    from llm import Message, ModelClient

VERIFY_PROMPT, RELATE_PROMPT = "verify_entities", "extract_relations"
PROMPTS = (VERIFY_PROMPT, RELATE_PROMPT)
_LONGEST_PREDICATE = 9  # words


class Verdict(BaseModel):
    """Whether one candidate is a chemical entity in this text."""

    name: str = Field(description="The candidate, exactly as it was given.")
    is_entity: bool = Field(description="Whether it names one specific substance or material here.")


class Verdicts(BaseModel):
    verdicts: list[Verdict]


class Fact(BaseModel):
    """One relation as a model states it."""

    subject: str = Field(description="One of the entities, exactly as it was given.")
    predicate: str = Field(description="A verb phrase of at most nine words that reads between the two.")
    object: str = Field(description="Another of the entities, exactly as it was given.")
    sentence: str = Field(description="The sentence of the text that states it, copied.")


class Facts(BaseModel):
    facts: list[Fact]


async def verify_entities(
    text: str, mentions: Sequence[Mention], pack: DomainPack, client: ModelClient
) -> tuple[list[Mention], int]:
    """The mentions that the model takes for entities, and how many it refused.

    A candidate the model says nothing about is refused too: silence is no yes.
    Raises CataneneError if no valid reply came: the document fails and can be tried again.
    """
    names = list(dict.fromkeys(mention.surface for mention in mentions))
    if not names:
        return [], 0
    prompt = pack.prompt(VERIFY_PROMPT).text
    content = _fill(prompt, entities=_listed(names), text=text)
    reply = await client.ask(_conversation(content), Verdicts, name="verdicts")
    if reply.value is None:
        raise CataneneError(_failure("verify the entities", reply.outcome, reply.error))
    accepted = {identity_key(verdict.name) for verdict in reply.value.verdicts if verdict.is_entity}
    kept = [mention for mention in mentions if identity_key(mention.surface) in accepted]
    return kept, len(mentions) - len(kept)


async def relate(
    text: str, mentions: Sequence[Mention], pack: DomainPack, client: ModelClient, max_facts: int
) -> RelationResult:
    """Relations that the model states, those kept that the text bears out.

    Reasons of rejection, besides those of the patterns: `unknown_entity` (not among the entities
    given), `not_in_chunk` (no sentence of the chunk has both), `bad_predicate` (empty, or too long).
    Raises CataneneError if no valid reply came: the document fails and can be tried again.
    """
    names = list(dict.fromkeys(mention.surface for mention in mentions))
    if len(names) < 2:
        return RelationResult()
    prompt = pack.prompt(RELATE_PROMPT).text
    content = _fill(prompt, entities=_listed(names), text=text, max_facts=str(max_facts))
    reply = await client.ask(_conversation(content), Facts, name="facts")
    if reply.value is None:
        raise CataneneError(_failure("state the relations", reply.outcome, reply.error))
    checker = _Checker(text, mentions, pack, f"model:{client.endpoint.name}")
    return checker.check(reply.value.facts, max_facts)


class _Checker:
    """Holds what a chunk's facts are checked against."""

    def __init__(self, text: str, mentions: Sequence[Mention], pack: DomainPack, extractor: str) -> None:
        self._text, self._mentions, self._pack, self._extractor = text, mentions, pack, extractor
        self._spans = sentences(text)
        self._keys = [identity_key(mention.surface) for mention in mentions]

    def check(self, facts: Sequence[Fact], most: int) -> RelationResult:
        """The facts that stand, at most `most`, and the others by reason."""
        found: list[Triple] = []
        rejected: Counter[str] = Counter()
        seen: set[tuple[str, str, str]] = set()
        for fact in facts:
            triple = self._triple(fact)
            if isinstance(triple, str):
                rejected[triple] += 1
                continue
            identity = (self._keys[triple.subject], triple.predicate, self._keys[triple.object])
            if identity in seen:
                rejected["repeated"] += 1
            elif len(found) == most:
                rejected["max_facts"] += 1
            else:
                seen.add(identity)
                found.append(triple)
        return RelationResult(tuple(found), dict(rejected))

    def _triple(self, fact: Fact) -> Triple | str:
        """The triple with its span, or why it is rejected."""
        subject, item = identity_key(fact.subject), identity_key(fact.object)
        predicate = " ".join(fact.predicate.split()).rstrip(".")
        if subject not in self._keys or item not in self._keys:
            return "unknown_entity"
        if subject == item:
            return "same_entity"
        if not predicate or len(predicate.split()) > _LONGEST_PREDICATE:
            return "bad_predicate"
        if is_weak(predicate, self._pack):
            return "weak_predicate"
        for start, end in _in_order(fact.sentence, self._text, self._spans):
            first, second = self._inside(subject, start, end), self._inside(item, start, end)
            if first is not None and second is not None:
                return Triple(
                    subject=first,
                    predicate=predicate,
                    object=second,
                    start=start,
                    end=end,
                    extractor=self._extractor,
                )
        return "not_in_chunk"

    def _inside(self, key: str, start: int, end: int) -> int | None:
        """The first mention with that key between the two places."""
        for index, mention in enumerate(self._mentions):
            if self._keys[index] == key and start <= mention.start and mention.end <= end:
                return index
        return None


def _in_order(sentence: str, text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences of the text, the one that the model quotes first."""
    quoted = " ".join(sentence.split())
    return sorted(spans, key=lambda span: quoted == "" or " ".join(text[slice(*span)].split()) not in quoted)


def _fill(prompt: str, **values: str) -> str:
    """Values in place of `{{name}}`; braces in the text itself stay as they are."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values.get(match[1], match[0]), prompt)


def _listed(names: Sequence[str]) -> str:
    return "\n".join(f"- {name}" for name in names)


def _conversation(content: str) -> list[Message]:
    return [{"role": "user", "content": content}]


def _failure(task: str, outcome: str, error: str | None) -> str:
    return f"The model did not {task} of a chunk ({outcome}{': ' + error if error else ''})."
