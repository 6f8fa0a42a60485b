"""Which kinds of job there are."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from errors import InputError, JobError
from jobs.context import StageContext


class Params(BaseModel):
    """Base of what a job is asked for. An unknown name is an error; JSON in the job store."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Refused(JobError):
    """The job came to its end, but could not use what it was given. `result` is its document all the same."""

    def __init__(self, message: str, result: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.result = result


def _none_refused(result: Mapping[str, Any]) -> int:
    return 0


@dataclass(frozen=True)
class Stage:
    """A kind of job.

    Args:
        kind: its name in the store and in the API.
        params: the model of its parameters.
        run: does the work, and gives the JSON document of the job.
        refused: how many inputs that document says were refused (exit code 3).
        uses_graph: whether the graph engine may as well be started early.
        title: a few words, for progress and the start page.
    """

    kind: str
    title: str
    params: type[BaseModel]
    run: Callable[[StageContext, Any], Awaitable[dict[str, Any]]]
    refused: Callable[[Mapping[str, Any]], int] = _none_refused
    uses_graph: bool = True

    def validate(self, params: Mapping[str, Any]) -> BaseModel:
        """The parameters, checked.

        Raises:
            InputError: one is missing, unknown or out of range; the sentence names it.
        """
        try:
            return self.params.model_validate(dict(params))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or self.kind
            raise InputError(f"{where}: {first['msg']}") from error


STAGES: dict[str, Stage] = {}

# Where each kind is defined: the module is imported with the first job of that kind.
MODULES = {
    "ingest": "ingest",
    "paths.sample": "questions",
    "questions.generate": "questions",
    "datasets.import": "datasets",
    "graphs.negatives": "datasets",
    "evaluate": "evaluation",
    "report": "evaluation",
    "demo": "demo",
}


def register(stage: Stage) -> Stage:
    """Make a kind of job known."""
    STAGES[stage.kind] = stage
    return stage


def stage_of(kind: str) -> Stage:
    """The stage of this kind.

    Raises:
        InputError: there is none.
    """
    if kind not in STAGES and kind in MODULES:
        importlib.import_module(f"jobs.stages.{MODULES[kind]}")
    if kind not in STAGES:
        raise InputError(f"there is no job of kind {kind!r}; there are {', '.join(MODULES)}")
    return STAGES[kind]
