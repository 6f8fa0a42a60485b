"""Sample paths, and make questions of them, as jobs."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from jobs.context import StageContext
from jobs.stages.registry import Params, Stage, register


class SampleParams(Params):
    """What paths to sample."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"hops": 3, "count": 10, "seed": 1, "corpus": "demo"}]}
    )

    hops: int = Field(default=2, ge=1, le=6, description="Relations on a path.", examples=[2])
    count: int = Field(default=10, ge=1, le=100_000, description="How many paths.", examples=[10])
    seed: int = Field(default=1, description="The same seed over the same graph gives the same paths.")
    corpus: str | None = Field(default=None, description="Only evidence of this corpus.")


async def sample(context: StageContext, params: SampleParams) -> dict[str, Any]:
    """The document of `paths sample`."""
    from qa.sampling import sample_paths

    progress = context.progress("paths")
    progress(0, params.count)
    graph = await context.graph()
    await graph.corpora.require(params.corpus)

    async def work() -> dict[str, Any]:
        found = await sample_paths(
            graph, hops=params.hops, count=params.count, seed=params.seed, corpus=params.corpus
        )
        return {
            "paths": await graph.paths.tell(found.paths),
            "requested": found.requested,
            "returned": found.returned,
            "shortfall": found.shortfall,
        }

    document = await context.step("sample", work)
    progress(params.count, params.count, f"{document['returned']} paths")
    return document


class GenerateParams(Params):
    """What questions to make."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"name": "first", "hops": [1, 2, 3], "count": 20, "seed": 1, "corpus": "demo"}]
        }
    )

    name: str = Field(min_length=1, description="Name of the question set.", examples=["first"])
    hops: tuple[int, ...] = Field(
        default=(1, 2, 3, 4), min_length=1, description="Numbers of hops.", examples=[[1, 2]]
    )
    count: int = Field(default=10, ge=0, le=100_000, description="Questions for each number of hops.")
    seed: int = Field(default=1, description="The same seed over the same graph gives the same questions.")
    corpus: str | None = Field(default=None, description="Only evidence of this corpus.")
    endpoint: str | None = Field(default=None, description="Model that writes; templates by default.")
    verifier: str | None = Field(default=None, description="Model that verifies; the writer by default.")


async def generate(context: StageContext, params: GenerateParams) -> dict[str, Any]:
    """The document of `questions generate`."""
    from domain.packs import load_pack
    from qa.generate import generate_questions

    writer, verifier = await context.client(params.endpoint), await context.client(params.verifier)
    graph = await context.graph()
    await graph.corpora.require(params.corpus)

    async def work() -> dict[str, Any]:
        report = await generate_questions(
            graph,
            name=params.name,
            hops=params.hops,
            count=params.count,
            seed=params.seed,
            corpus=params.corpus,
            pack=load_pack(context.settings.domain_pack),
            writer=writer,
            verifier=verifier,
            progress=context.progress("questions"),
        )
        return report.to_json()

    return await context.step("generate", work)


register(Stage("paths.sample", "Sample paths", SampleParams, sample))
register(Stage("questions.generate", "Make questions", GenerateParams, generate))
