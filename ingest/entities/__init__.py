"""Entities of a text: recognisers, their union, abbreviations, and which entity a mention is."""

from __future__ import annotations

from domain.packs.pack import DomainPack
from errors import InputError
from ingest.entities.abbreviations import Definitions, definitions, with_abbreviations
from ingest.entities.base import Recogniser, UnionRecogniser
from ingest.entities.dictionary import DictionaryRecogniser
from ingest.entities.formulas import FormulaRecogniser
from ingest.entities.resolve import Resolver
from ingest.entities.transformer import TransformerRecogniser
from ingest.models import Mention
from settings import Settings

__all__ = [
    "Definitions",
    "Recogniser",
    "Resolver",
    "definitions",
    "make_recogniser",
    "recognise_document",
    "with_abbreviations",
]


def make_recogniser(spec: str, settings: Settings, pack: DomainPack) -> Recogniser:
    """The recogniser that `spec` names.

    `dictionary`, `formula`, `union` (both, the default of the chemistry pack), `transformers:MODEL`
    (a checkpoint's name or folder), or several joined by a plus sign: `union+transformers:MODEL`.
    Raises InputError for anything else.
    """
    parts = [part.strip() for part in spec.split("+") if part.strip()]
    if not parts:
        raise InputError(
            "No recogniser is named; there are dictionary, formula, union and transformers:MODEL."
        )
    members: list[Recogniser] = []
    for part in parts:
        members.extend(_members(part, pack))
    return members[0] if len(members) == 1 else UnionRecogniser(members, spec)


def _members(part: str, pack: DomainPack) -> list[Recogniser]:
    if part == "dictionary":
        return [DictionaryRecogniser(pack)]
    if part == "formula":
        return [FormulaRecogniser(pack)]
    if part == "union":
        return [DictionaryRecogniser(pack), FormulaRecogniser(pack)]
    scheme, _, model = part.partition(":")
    if scheme == "transformers" and model:
        return [TransformerRecogniser(model)]
    raise InputError(
        f"There is no recogniser {part!r}; there are dictionary, formula, union and transformers:MODEL."
    )


def recognise_document(
    texts: list[str], recogniser: Recogniser
) -> tuple[list[list[Mention]], dict[str, str]]:
    """Mentions of each text of one document, and the abbreviations that the document defines.

    An abbreviation counts in the whole document once it is defined anywhere in it.
    """
    recognised = [recogniser.recognise(text) for text in texts]
    known: dict[str, str] = {}
    for text, mentions in zip(texts, recognised, strict=True):
        for short, name in definitions(text, mentions).items():
            known.setdefault(short, name)
    return [
        with_abbreviations(text, mentions, known) for text, mentions in zip(texts, recognised, strict=True)
    ], known
