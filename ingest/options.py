"""How documents are ingested: pack, recogniser, extractor, limits. What changes them, extracts anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from domain.ids import sha256
from domain.packs import DomainPack, load_pack
from ingest.entities import Recogniser, Resolver, make_recogniser
from ingest.relations import EXTRACTOR
from ingest.relations.model import PROMPTS
from settings import Settings, get_settings

if TYPE_CHECKING:
    from llm import ModelClient

_VERSION = "1"  # of reading, chunking and resolving; counts as a parameter


@dataclass(frozen=True)
class IngestOptions:
    """Everything that an ingest depends on besides the document. Build it with `make`.

    With `client` a model verifies the entities and states the relations; without one, patterns do.
    `run_id` is kept with each relation.
    """

    pack: DomainPack
    recogniser: Recogniser
    introduction_words: int = 500
    chunk_words: int = 128
    max_facts: int = 12
    client: ModelClient | None = None
    run_id: str | None = None
    resolver: Resolver = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolver", Resolver(self.pack))

    @classmethod
    def make(
        cls,
        settings: Settings | None = None,
        *,
        recogniser: str | None = None,
        client: ModelClient | None = None,
        pack: DomainPack | None = None,
        run_id: str | None = None,
    ) -> IngestOptions:
        """Options from the settings; `recogniser` is a spec of `make_recogniser`, by default the pack's.

        Raises InputError for an unknown pack or recogniser.
        """
        settings = settings or get_settings()
        pack = pack or load_pack(settings.domain_pack)
        return cls(
            pack=pack,
            recogniser=make_recogniser(recogniser or pack.recogniser, settings, pack),
            introduction_words=settings.introduction_words,
            chunk_words=settings.chunk_words,
            max_facts=settings.max_facts,
            client=client,
            run_id=run_id,
        )

    @property
    def extractor(self) -> str:
        """Who states the relations: the patterns, or the endpoint's name."""
        return EXTRACTOR if self.client is None else f"model:{self.client.endpoint.name}"

    @property
    def model(self) -> str | None:
        return None if self.client is None else self.client.endpoint.model

    @cached_property
    def parameters_sha256(self) -> str:
        """Hash of recogniser, pack, model, prompts and limits."""
        parts = [
            _VERSION,
            self.recogniser.fingerprint,
            self.pack.fingerprint,
            self.extractor,
            str(self.introduction_words),
            str(self.chunk_words),
            str(self.max_facts),
        ]
        if self.client is not None:
            endpoint = self.client.endpoint
            parts += [endpoint.base_url, endpoint.model, repr(sorted(endpoint.parameters.items()))]
            parts += [self.pack.prompt(name).sha256 for name in PROMPTS]
        return sha256("\x1f".join(parts))


def fingerprint(content_sha256: str, options: IngestOptions) -> str:
    """What a document's extraction depends on: its content, and all of the options."""
    return sha256(f"{content_sha256}\x1f{options.parameters_sha256}")
