"""The stages of the main job, each one a kind of job: its parameters, and what it does.

A stage module imports the rooms it uses inside its functions: knowing which jobs there are
must cost nothing.
"""

from __future__ import annotations

from jobs.stages.registry import STAGES, Params, Refused, Stage, register, stage_of

__all__ = ["STAGES", "Params", "Refused", "Stage", "register", "stage_of"]
