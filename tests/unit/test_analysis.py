"""What one document says, without a graph: ids, hashes, bundles, dry runs."""

from __future__ import annotations

import asyncio

import pytest

from domain.ids import stable_id
from errors import InputError
from graph.models import DocumentBundle
from ingest.analysis import analyse, chunk_sha256, document_id
from ingest.models import Block, SourceDocument
from ingest.options import IngestOptions
from ingest.pipeline import ingest_source
from settings import Settings

OPTIONS = IngestOptions.make(Settings())
PARAGRAPH = (
    "Styrene is made by the dehydrogenation of ethylbenzene [1]. TiO₂ and titanium dioxide are one compound, "
    "rutile is a phase of it. Styrene dissolves polystyrene (PS), and PS is made from styrene."
)


def document(text: str = PARAGRAPH, **fields: object) -> SourceDocument:
    values: dict[str, object] = {
        "source": "/papers/a.txt",
        "format": "text",
        "title": "On styrene and what is made of it, with a title much too long for the caption of a node",
        "blocks": (
            Block(kind="heading", text="Introduction", level=1),
            Block(kind="paragraph", text=text),
        ),
        "content_sha256": "a" * 64,
        **fields,
    }
    return SourceDocument.model_validate(values)


def bundle_of(one: SourceDocument) -> DocumentBundle:
    return asyncio.run(analyse(one, OPTIONS)).bundle


def test_a_source_is_its_doi_without_version_else_its_content() -> None:
    doi = document_id(document(doi="10.26434/chemrxiv-2024-abcde"))
    assert doi == stable_id("doc", "10.26434/chemrxiv-2024-abcde")
    assert doi == document_id(document(doi="10.26434/ChemRxiv-2024-abcde-v4", content_sha256="b" * 64))
    assert doi == document_id(document(doi="https://doi.org/10.26434/chemrxiv-2024-abcde"))
    assert document_id(document()) == stable_id("doc", "a" * 64)


@pytest.mark.parametrize(
    "other",
    [
        "Zinc oxide absorbs CO₂ and light.",
        "Zinc oxide  absorbs\nCO2 and light.",
        "Zinc oxide absorbs CO2 [12,13] and light [4].",
        "Zinc oxide absorbs CO2 and light.⁷",
        "Zinc oxide absorbs CO2 and light³.",
    ],
)
def test_how_a_paragraph_is_set_does_not_change_its_hash(other: str) -> None:
    assert chunk_sha256(other) == chunk_sha256("Zinc oxide absorbs CO2 and light.")


def test_what_a_paragraph_says_does() -> None:
    assert chunk_sha256("Zinc oxide absorbs CO.") != chunk_sha256("Zinc oxide absorbs CO2.")
    assert chunk_sha256("Zinc oxide absorbs Co.") != chunk_sha256("Zinc oxide absorbs CO.")


def test_the_bundle_of_a_paragraph_worked_out_by_hand() -> None:
    """Mentions: Styrene (3), ethylbenzene, TiO₂, titanium dioxide, rutile, polystyrene, PS (2)."""
    bundle = bundle_of(document())
    assert len(bundle.chunks) == 1
    assert len(bundle.mentions) == 10
    names = {entity.name for entity in bundle.entities}
    assert names == {"styrene", "ethylbenzene", "titanium dioxide", "rutile", "polystyrene"}
    by_id = {entity.id: entity.name for entity in bundle.entities}
    facts = {(by_id[one.subject_id], one.predicate, by_id[one.object_id]) for one in bundle.relations}
    assert facts == {
        ("styrene", "is made by the dehydrogenation of", "ethylbenzene"),
        ("styrene", "dissolves", "polystyrene"),
        ("polystyrene", "is made from", "styrene"),
    }


def test_every_offset_and_id_of_the_bundle_holds() -> None:
    bundle = bundle_of(document())
    texts = {chunk.id: chunk.text for chunk in bundle.chunks}
    surfaces = {alias.surface for alias in bundle.aliases}
    for mention in bundle.mentions:
        assert texts[mention.chunk_id][mention.start : mention.end] == mention.surface
    for relation in bundle.relations:
        sentence = texts[relation.chunk_id][relation.start : relation.end]
        assert relation.subject_surface in sentence and relation.object_surface in sentence
        assert relation.at is not None and relation.model is None
    assert {"PS", "TiO2"} <= surfaces
    assert len(bundle.document.name) <= 60


def test_a_variant_points_to_its_compound() -> None:
    bundle = bundle_of(document())
    entities = {entity.name: entity for entity in bundle.entities}
    assert entities["rutile"].variant_of == entities["titanium dioxide"].id


def test_the_same_document_gives_the_same_ids() -> None:
    first, second = bundle_of(document()), bundle_of(document())
    assert [one.id for one in first.relations] == [one.id for one in second.relations]
    assert [one.id for one in first.chunks] == [one.id for one in second.chunks]
    assert first.document == second.document


def test_ids_of_relations_do_not_depend_on_what_else_is_said() -> None:
    longer = document(PARAGRAPH + " Zinc dissolves in nitric acid.", doi="10.1/x")
    ids = {one.predicate: one.id for one in bundle_of(document(doi="10.1/x")).relations}
    again = {one.predicate: one.id for one in bundle_of(longer).relations}
    # the chunk is another one, so its relations are; within one chunk only surfaces and predicate count
    assert set(ids) < set(again)
    assert not set(ids.values()) & set(again.values())


def test_no_introduction_is_a_failure_of_the_document() -> None:
    empty = document(blocks=())
    with pytest.raises(InputError, match="introduction"):
        asyncio.run(analyse(empty, OPTIONS))
    outcome = asyncio.run(ingest_source(None, empty, corpus="x", options=OPTIONS))
    assert outcome.status == "failed"
    assert outcome.failure is not None and outcome.failure.stage == "introduction"


def test_a_dry_run_counts_and_stores_nothing() -> None:
    outcome = asyncio.run(ingest_source(None, document(), corpus="x", options=OPTIONS))
    assert (outcome.status, outcome.chunks, outcome.mentions, outcome.entities, outcome.relations) == (
        "added",
        1,
        10,
        5,
        3,
    )
