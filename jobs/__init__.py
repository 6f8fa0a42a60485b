"""Durable jobs: what is asked for, who runs it, how far it is, what came of it.

`run_job` is what a command calls, `Executor` what the service runs. Only `durable.py` knows the
job engine. The stages of the main job, each a kind of job, are in `stages/`.
"""

from jobs.models import Job, JobEvent, Problem, State
from jobs.run import Detached, run_job, run_submitted
from jobs.store import JobStore

__all__ = ["Detached", "Job", "JobEvent", "JobStore", "Problem", "State", "run_job", "run_submitted"]
