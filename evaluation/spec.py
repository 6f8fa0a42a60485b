"""What a run is to do, and what doing it would cost."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from evaluation.baseline import NAME as BASELINE
from evaluation.conditions import CONDITIONS, TOP_K
from evaluation.metrics import ScorerName


class RunSpec(BaseModel):
    """One evaluation. The same spec over the same questions is the same run.

    `name`, `budget` and `concurrency` say how it is carried out and do not make another run.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "datasets": ["demo"],
                    "conditions": ["closed_book", "gold", "bm25"],
                    "endpoints": ["baseline"],
                    "seed": 1,
                }
            ]
        },
    )

    datasets: tuple[str, ...] = Field(min_length=1, description="Question sets and imported data sets.")
    corpus: str | None = Field(default=None, description="Only questions of this corpus; None: all.")
    conditions: tuple[str, ...] = Field(default=CONDITIONS, description="What the answerer sees.")
    endpoints: tuple[str, ...] = Field(default=(BASELINE,), min_length=1, description="Who answers.")
    seed: int = Field(
        default=0, description="Of the sample, the order of texts, the negatives, the intervals."
    )
    per_type: int | None = Field(
        default=None, ge=1, description="Most questions of a graph type (the paper: 100); None: all."
    )
    epochs: int = Field(default=1, ge=1, description="How often each question is asked.")
    scorer: ScorerName = Field(default="auto", description="Official metric; auto: the source's own.")
    temperature: float | None = Field(default=None, ge=0, description="Of the models; None: as configured.")
    parameters: dict[str, Any] = Field(default_factory=dict, description="Further model parameters.")
    top_k: int = Field(default=TOP_K, ge=1, description="Sentences that bm25 shows.")
    name: str | None = Field(default=None, description="What the run is called.")
    budget: float | None = Field(default=None, ge=0, description="Most it may cost, in the prices' currency.")
    concurrency: int | None = Field(default=None, ge=1, description="Most questions at once for an endpoint.")

    @property
    def model_parameters(self) -> dict[str, Any]:
        """Parameters sent with every model call."""
        temperature = {} if self.temperature is None else {"temperature": self.temperature}
        return {**self.parameters, **temperature}


class Estimate(BaseModel):
    """What is left to do, before doing it. Tokens and time are guesses from the prompts' lengths."""

    run_id: str
    questions: int
    calls: int  # to models; the baseline's answers cost nothing
    answers: int  # still to be given, the baseline's included
    answered: int  # stored already
    not_applicable: dict[str, int]  # by condition: questions that have no such context
    tokens_in: int
    tokens_out: int
    cost: float
    seconds: float
    by_endpoint: dict[str, dict[str, float]]
