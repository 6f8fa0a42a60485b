"""Import data sets, and build negative reasoning graphs, as jobs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, Field

from domain.progress import Progress
from jobs.context import StageContext
from jobs.stages.registry import Params, Refused, Stage, register

Format = Literal["hotpotqa", "musique", "2wiki", "chemkg"]


class ImportParams(Params):
    """Which file to import as what."""

    format: Format = Field(description="Whose format the file has.")
    path: str = Field(description="The file, as an absolute path.")
    name: str | None = Field(default=None, description="Name of the data set: format and file stem if unset.")
    skip_bad: bool = Field(default=False, description="Go on after a record that cannot be used.")


async def import_dataset(
    context: StageContext, params: ImportParams, progress: Progress | None = None
) -> dict[str, Any]:
    """The document of `datasets import`.

    Raises:
        Refused: the file as a whole, or from a broken record on; what was good before it is kept.
    """
    from qa.datasets import import_file

    graph = await context.graph()

    async def work() -> dict[str, Any]:
        report = await import_file(
            graph,
            format=params.format,
            path=Path(params.path),
            name=params.name,
            skip_bad=params.skip_bad,
            progress=progress or context.progress("import"),
        )
        return {**report.to_json(), "bad": report.bad, "refused": report.refused}

    document = await context.step("import", work)
    if document["refused"]:
        reasons = document["errors"]
        first = f": record {reasons[0]['record']}: {reasons[0]['reason']}" if reasons else ""
        raise Refused(f"{params.path} was not imported to its end{first}", document)
    return document


def _bad(result: Mapping[str, Any]) -> int:
    return int(result["bad"])


class NegativesParams(Params):
    """For which questions to build negatives."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"dataset": "demo", "seed": 1}]})

    dataset: str = Field(min_length=1, description="Question set or imported data set.", examples=["first"])
    seed: int = Field(default=1, description="The same seed gives the same negatives.")


async def negatives(
    context: StageContext, params: NegativesParams, progress: Progress | None = None
) -> dict[str, Any]:
    """The document of `graphs negatives`."""
    from qa.datasets import build_negatives

    graph = await context.graph()

    async def work() -> dict[str, Any]:
        report = await build_negatives(
            graph,
            params.dataset,
            seed=params.seed,
            progress=progress or context.progress("negatives"),
        )
        return report.to_json()

    return await context.step("negatives", work)


register(Stage("datasets.import", "Import a data set", ImportParams, import_dataset, refused=_bad))
register(Stage("graphs.negatives", "Build negative graphs", NegativesParams, negatives))
