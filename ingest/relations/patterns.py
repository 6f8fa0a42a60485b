"""Subject, predicate, object from sentences, without a model: the offline extractor.

A wrong triple costs more than a missed one. So a subject must be found beyond doubt, the verb must
be known to take what follows it, and sentences that deny, doubt or ask are left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from domain.identity import identity_key
from domain.packs.pack import DomainPack
from domain.predicates import is_weak
from ingest.models import Mention, Triple
from ingest.relations.grammar import NEGATIONS, grammar_of, is_adverb, is_hedge
from ingest.relations.noun_phrases import PhraseReader
from ingest.relations.objects import ObjectFinder
from ingest.relations.subjects import SubjectFinder
from ingest.relations.tokens import Token, tokenise
from ingest.relations.verb_groups import VerbGroup, find_verb_groups
from ingest.text import sentences

EXTRACTOR = "patterns-1"


@dataclass(frozen=True)
class RelationResult:
    """What was found, and how many were refused for which reason.

    Reasons: `weak_predicate`, `negated`, `speculative`, `same_entity`, `max_facts`.
    """

    triples: tuple[Triple, ...] = ()
    rejected: dict[str, int] = field(default_factory=dict)


def extract_relations(
    text: str, mentions: Sequence[Mention], pack: DomainPack, max_facts: int
) -> RelationResult:
    """Triples that the sentences of the text state, at most `max_facts`, in the order of the text."""
    found: list[Triple] = []
    rejected: Counter[str] = Counter()
    seen: set[tuple[str, str, str]] = set()
    for span in sentences(text):
        for triple in _of_sentence(text, span, mentions, pack, rejected):
            key = (
                identity_key(mentions[triple.subject].surface),
                triple.predicate,
                identity_key(mentions[triple.object].surface),
            )
            if key in seen:
                continue
            seen.add(key)
            if len(found) < max_facts:
                found.append(triple)
            else:
                rejected["max_facts"] += 1
    return RelationResult(tuple(found), dict(rejected))


def _of_sentence(
    text: str, span: tuple[int, int], mentions: Sequence[Mention], pack: DomainPack, rejected: Counter[str]
) -> Iterator[Triple]:
    start, end = span
    tokens = tokenise(text, start, end, mentions)
    if sum(token.mention is not None for token in tokens) < 2 or tokens[-1].lower == "?":
        return
    grammar = grammar_of(pack)
    groups = find_verb_groups(tokens, grammar)
    reader = PhraseReader(tokens, grammar, pack)
    subject_finder, object_finder = SubjectFinder(reader, groups), ObjectFinder(reader, groups)
    for index, group in enumerate(groups):
        subjects = subject_finder.subjects(index)
        if not subjects:
            continue
        if group.lemma in pack.weak_verbs and _has_object(reader, group):
            rejected["weak_predicate"] += 1
        doubt = (
            "negated"
            if group.negated or _is_denied(tokens, group)
            else "speculative"
            if _is_doubtful(tokens, group)
            else None
        )
        for item in object_finder.objects(group):
            predicate = " ".join((*group.words, *item.words))
            for subject in subjects:
                reason = doubt or _reason(tokens, subject, item.head, predicate, pack)
                if reason:
                    rejected[reason] += 1
                    continue
                yield Triple(
                    subject=_mention(tokens, subject),
                    predicate=predicate,
                    object=_mention(tokens, item.head),
                    start=start,
                    end=end,
                    extractor=EXTRACTOR,
                )


def _mention(tokens: Sequence[Token], position: int) -> int:
    index = tokens[position].mention
    assert index is not None
    return index


def _has_object(reader: PhraseReader, group: VerbGroup) -> bool:
    return reader.starting_at(group.end) is not None


def _reason(tokens: Sequence[Token], subject: int, item: int, predicate: str, pack: DomainPack) -> str | None:
    if identity_key(tokens[subject].text) == identity_key(tokens[item].text):
        return "same_entity"
    return "weak_predicate" if is_weak(predicate, pack) else None


def _is_denied(tokens: Sequence[Token], group: VerbGroup) -> bool:
    """ "hardly adsorbs", "never reacts": a denial between subject and verb."""
    position = group.start - 1
    while position >= 0 and tokens[position].is_word and is_adverb(tokens[position].lower):
        if tokens[position].lower in NEGATIONS:
            return True
        position -= 1
    return position >= 0 and tokens[position].lower in NEGATIONS


def _is_doubtful(tokens: Sequence[Token], group: VerbGroup) -> bool:
    """Whether the clause up to its verb says that it may not be so."""
    if group.speculative:
        return True
    start = 0
    for position in range(group.start - 1, -1, -1):
        if tokens[position].lower in {";", ":"}:
            start = position + 1
            break
    before = [token.lower for token in tokens[start : group.start] if token.is_word]
    return any(is_hedge(word) for word in before) or _denies(before)


def _denies(before: Sequence[str]) -> bool:
    """ "no catalyst is known that ...", "it is not known that ..."."""
    return "no" in before or ("not" in before and "that" in before)
