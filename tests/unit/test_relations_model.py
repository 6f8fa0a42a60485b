"""Model-backed entities and relations: the same rules, whatever the model says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import pytest
from pydantic import BaseModel

from domain.packs import load_pack
from errors import CataneneError, ModelError
from ingest.analysis import analyse
from ingest.entities import make_recogniser
from ingest.models import Block, SourceDocument
from ingest.options import IngestOptions, fingerprint
from ingest.pipeline import ingest_source
from ingest.relations.model import Fact, Facts, Verdict, Verdicts, relate, verify_entities
from llm import Endpoint, Reply, Usage
from settings import Settings

PACK = load_pack()
UNION = make_recogniser("union", Settings(), PACK)
TEXT = (
    "Copper catalyses the hydrogenation of carbon dioxide. Methanol is made from carbon monoxide. "
    "Ammonia and {{text}} play no part; urea stands apart."
)
T = TypeVar("T", bound=BaseModel)


class FakeClient:
    """Answers from a function of the schema, and remembers what it was asked."""

    def __init__(self, answer: Callable[[type[BaseModel], str], BaseModel | None]) -> None:
        self.endpoint = Endpoint(name="fake", base_url="http://127.0.0.1:1/v1", model="fake-1")
        self._answer = answer
        self.asked: list[str] = []

    async def ask(
        self, messages: Sequence[Mapping[str, str]], schema: type[T], *, name: str = "reply", **_: Any
    ) -> Reply[T]:
        content = messages[0]["content"]
        self.asked.append(content)
        value = self._answer(schema, content)
        return Reply(
            value=value,  # type: ignore[arg-type]
            outcome="ok" if value is not None else "unparsed",
            text="",
            error=None if value is not None else "no JSON",
            usage=Usage(),
            latency_s=0.0,
            wait_s=0.0,
            cost=0.0,
            cached=False,
            endpoint="fake",
            model="fake-1",
            prompt_sha256="0" * 64,
        )


def facts(*rows: tuple[str, str, str, str]) -> Facts:
    return Facts(facts=[Fact(subject=s, predicate=p, object=o, sentence=text) for s, p, o, text in rows])


def run_relate(reply: Facts, most: int = 12) -> tuple[list[tuple[str, str, str, str]], dict[str, int]]:
    mentions = UNION.recognise(TEXT)
    client = FakeClient(lambda schema, _: reply)
    result = asyncio.run(relate(TEXT, mentions, PACK, client, most))  # type: ignore[arg-type]
    found = [
        (
            mentions[one.subject].surface,
            one.predicate,
            mentions[one.object].surface,
            TEXT[one.start : one.end],
        )
        for one in result.triples
    ]
    return found, result.rejected


FIRST = "Copper catalyses the hydrogenation of carbon dioxide."


def test_a_true_fact_gets_its_span() -> None:
    found, rejected = run_relate(facts(("copper", "catalyses the hydrogenation of", "carbon dioxide", FIRST)))
    assert found == [("Copper", "catalyses the hydrogenation of", "carbon dioxide", FIRST)]
    assert rejected == {}


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (("iron", "catalyses", "carbon dioxide", FIRST), "unknown_entity"),
        (("Copper", "catalyses", "oxygen", FIRST), "unknown_entity"),
        (("Copper", "is alloyed with", "Copper", FIRST), "same_entity"),
        (("Copper", "relates to", "carbon dioxide", FIRST), "weak_predicate"),
        (("Copper", "is", "carbon dioxide", FIRST), "weak_predicate"),
        (("Copper", " ", "carbon dioxide", FIRST), "bad_predicate"),
        (
            ("Copper", "is one of the many metals that can be used to make", "carbon dioxide", FIRST),
            "bad_predicate",
        ),
        (("Copper", "reduces", "carbon monoxide", FIRST), "not_in_chunk"),
        (("urea", "is made from", "Ammonia", "Urea is made from ammonia."), None),
    ],
)
def test_what_the_text_does_not_bear_out_is_rejected(
    fact: tuple[str, str, str, str], reason: str | None
) -> None:
    found, rejected = run_relate(facts(fact))
    if reason is None:  # the sentence was invented, but one of the chunk holds both
        assert found[0][3].startswith("Ammonia")
    else:
        assert found == []
        assert rejected == {reason: 1}


def test_repetitions_and_more_than_asked_for_are_counted() -> None:
    row = ("Copper", "catalyses the hydrogenation of", "carbon dioxide", FIRST)
    other = ("Methanol", "is made from", "carbon monoxide", "")
    found, rejected = run_relate(facts(row, row, other), most=1)
    assert len(found) == 1
    assert rejected == {"repeated": 1, "max_facts": 1}


def test_silence_about_a_candidate_is_no_yes() -> None:
    mentions = UNION.recognise(TEXT)
    verdicts = Verdicts(
        verdicts=[
            Verdict(name="copper", is_entity=True),
            Verdict(name="carbon dioxide", is_entity=True),
            Verdict(name="Methanol", is_entity=False),
            Verdict(name="unobtainium", is_entity=True),
        ]
    )
    client = FakeClient(lambda schema, _: verdicts)
    kept, refused = asyncio.run(verify_entities(TEXT, mentions, PACK, client))  # type: ignore[arg-type]
    assert [one.surface for one in kept] == ["Copper", "carbon dioxide"]
    assert refused == len(mentions) - 2


def test_the_prompt_holds_text_and_candidates_as_they_are() -> None:
    mentions = UNION.recognise(TEXT)
    client = FakeClient(lambda schema, _: Verdicts(verdicts=[]))
    asyncio.run(verify_entities(TEXT, mentions, PACK, client))  # type: ignore[arg-type]
    (prompt,) = client.asked
    assert TEXT in prompt  # braces in the text are no placeholders
    assert "- Copper\n- carbon dioxide\n" in prompt


def test_an_unusable_reply_fails_the_chunk() -> None:
    mentions = UNION.recognise(TEXT)
    client = FakeClient(lambda schema, _: None)
    with pytest.raises(CataneneError, match="unparsed: no JSON"):
        asyncio.run(relate(TEXT, mentions, PACK, client, 12))  # type: ignore[arg-type]


def document() -> SourceDocument:
    return SourceDocument(
        source="/papers/a.txt",
        format="text",
        title="On copper",
        blocks=(Block(kind="heading", text="Introduction", level=1), Block(kind="paragraph", text=TEXT)),
        content_sha256="c" * 64,
    )


def test_a_document_through_the_model() -> None:
    def answer(schema: type[BaseModel], content: str) -> BaseModel:
        if schema is Verdicts:
            names = ("Copper", "carbon dioxide", "urea")
            return Verdicts(verdicts=[Verdict(name=name, is_entity=True) for name in names])
        return facts(("Copper", "catalyses the hydrogenation of", "carbon dioxide", FIRST))

    client = FakeClient(answer)
    options = IngestOptions.make(Settings(), client=client)  # type: ignore[arg-type]
    analysis = asyncio.run(analyse(document(), options))
    (relation,) = analysis.bundle.relations
    assert (relation.extractor, relation.model) == ("model:fake", "fake-1")
    assert relation.prompt_sha256 == PACK.prompt("extract_relations").sha256
    assert {entity.name for entity in analysis.bundle.entities} == {"copper", "carbon dioxide", "urea"}
    assert analysis.rejected["refused_entity"] == 3
    assert len(client.asked) == 2


def test_model_and_parameters_change_the_fingerprint() -> None:
    offline = IngestOptions.make(Settings())
    client = FakeClient(lambda schema, _: None)
    modelled = IngestOptions.make(Settings(), client=client)  # type: ignore[arg-type]
    wider = IngestOptions.make(Settings(chunk_words=64))
    dictionary = IngestOptions.make(Settings(), recogniser="dictionary")
    prints = {fingerprint("c" * 64, options) for options in (offline, modelled, wider, dictionary)}
    assert len(prints) == 4
    assert fingerprint("c" * 64, offline) == fingerprint("c" * 64, IngestOptions.make(Settings()))
    assert fingerprint("d" * 64, offline) != fingerprint("c" * 64, offline)


def test_a_document_whose_model_fails_is_failed_and_can_be_tried_again() -> None:
    failing = IngestOptions.make(Settings(), client=FakeClient(lambda schema, _: None))  # type: ignore[arg-type]
    outcome = asyncio.run(ingest_source(None, document(), corpus="x", options=failing))
    assert outcome.status == "failed"
    assert outcome.failure is not None and outcome.failure.stage == "extract"
    good = FakeClient(lambda schema, _: Verdicts(verdicts=[]) if schema is Verdicts else Facts(facts=[]))
    options = IngestOptions.make(Settings(), client=good)  # type: ignore[arg-type]
    assert asyncio.run(ingest_source(None, document(), corpus="x", options=options)).status == "added"


def test_an_endpoint_that_cannot_be_used_stops_the_job() -> None:
    def refuse(schema: type[BaseModel], content: str) -> BaseModel:
        raise ModelError("wrong key")

    options = IngestOptions.make(Settings(), client=FakeClient(refuse))  # type: ignore[arg-type]
    with pytest.raises(ModelError):
        asyncio.run(ingest_source(None, document(), corpus="x", options=options))
