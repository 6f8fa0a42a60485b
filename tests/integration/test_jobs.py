"""Jobs as they run: through the job engine, across processes, killed and resumed."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from errors import InputError, JobCancelled, JobError
from jobs.executor import Executor
from jobs.lock import ExecutorLock, holder
from jobs.models import JobEvent
from jobs.run import Detached, run_job, run_submitted
from jobs.stages import Stage, register
from jobs.store import JobStore
from settings import REPOSITORY, Settings
from tests.support import toy_jobs

KIND = "toy.count"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


@pytest.fixture
def store(settings: Settings) -> Iterator[JobStore]:
    store = JobStore(settings)
    yield store
    store.close()


def command(settings: Settings, **params: Any) -> subprocess.Popen[str]:
    """A second process that runs a toy job on the home."""
    return subprocess.Popen(
        [sys.executable, "-m", toy_jobs.__name__, str(settings.home), KIND, json.dumps(params)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_lines(file: Path, count: int, timeout_s: float = 60.0) -> None:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if file.exists() and len(file.read_text().split()) >= count:
            return
        time.sleep(0.02)
    raise AssertionError(f"{file} has not got {count} lines")


def test_a_job_runs_with_its_steps_and_its_progress_in_order(settings: Settings, tmp_path: Path) -> None:
    events: list[JobEvent] = []
    job = run_job(KIND, {"file": str(tmp_path / "out"), "units": 5, "workers": 2}, settings, events.append)
    assert job.result == {"squares": [0, 1, 4, 9, 16], "refused": 0}
    assert sorted((tmp_path / "out").read_text().split()) == ["0", "1", "2", "3", "4"]
    assert [event.state for event in events if event.state] == ["queued", "running", "succeeded"]
    last = [event for event in events if event.stage == "count"][-1]
    assert (last.done, last.total, last.message) == (5, 5, "counted")
    assert holder(settings) is None, "the lock is free again"


def test_wrong_parameters_are_refused_before_anything_is_queued(settings: Settings, store: JobStore) -> None:
    with pytest.raises(InputError, match="units"):
        run_job(KIND, {"file": "x", "units": "many"}, settings)
    with pytest.raises(InputError, match=r"no job of kind 'toy\.unknown'"):
        run_job("toy.unknown", {}, settings)
    assert store.find() == []


def test_a_failed_job_says_why_and_a_retry_repeats_only_what_failed(
    settings: Settings, store: JobStore, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(InputError, match="unit 3 is bad"):
        run_job(KIND, {"file": str(out), "units": 5, "fail_at": 3}, settings)
    (failed,) = store.find()
    assert failed.state == "failed"
    assert failed.error is not None and failed.error.slug == "invalid-input"
    Path(str(out) + ".mended").touch()
    store.again(failed.id, ["failed"])
    job = run_submitted(failed.id, settings, store)
    assert job.attempt == 2 and job.result is not None and job.result["squares"] == [0, 1, 4, 9, 16]


def test_an_error_of_the_program_fails_the_job_visibly_and_the_next_one_runs(
    settings: Settings, store: JobStore, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(Exception, match="ZeroDivisionError: a bug"):
        run_job(KIND, {"file": str(out), "units": 2, "fail_at": 1, "bug": True}, settings)
    (failed,) = store.find()
    assert "in unit" in (store.trace(failed.id) or "")
    assert run_job(KIND, {"file": str(out), "units": 1}, settings).state == "succeeded"


@pytest.mark.parametrize("kills", [1, 3])
def test_killed_with_9_and_started_again_it_goes_on_where_it_was(
    settings: Settings, store: JobStore, tmp_path: Path, kills: int
) -> None:
    out = tmp_path / "out"
    params = {"file": str(out), "units": 12, "pause_s": 0.3}
    for kill in range(kills):
        process = command(settings, **params)
        wait_for_lines(out, 2 * kill + 2)
        process.send_signal(signal.SIGKILL)
        process.wait()
    (job,) = store.find()
    assert job.state == "running", "nothing else is known of a killed one"
    process = command(settings, **params)
    output, problems = process.communicate(timeout=120)
    assert process.returncode == 0, problems
    assert json.loads(output)["squares"] == [n * n for n in range(12)]
    (job,) = store.find()
    assert (job.state, job.attempt) == ("succeeded", 1)
    written = [int(line) for line in out.read_text().split()]
    # Only the unit in flight at a kill may have run twice.
    assert sorted(set(written)) == list(range(12))
    assert len(written) <= 12 + kills


def test_a_command_hands_its_job_to_the_executor_there_is(
    settings: Settings, store: JobStore, tmp_path: Path
) -> None:
    with ExecutorLock(settings, "service") as lock:
        assert lock.try_acquire()
        with Executor(settings, store):
            process = command(settings, file=str(tmp_path / "out"), units=3)
            output, problems = process.communicate(timeout=60)
    assert process.returncode == 0, problems
    assert json.loads(output)["squares"] == [0, 1, 4]


def test_a_follower_takes_over_when_the_executor_is_killed(
    settings: Settings, store: JobStore, tmp_path: Path
) -> None:
    first_out, second_out = tmp_path / "first", tmp_path / "second"
    first = command(settings, file=str(first_out), units=100, pause_s=0.2)
    wait_for_lines(first_out, 1)
    second = command(settings, file=str(second_out), units=30, pause_s=0.2)
    wait_for_lines(second_out, 1)
    assert holder(settings) == (first.pid, "command"), "the first runs both"
    first.send_signal(signal.SIGKILL)
    first.wait()
    interrupted = store.find()[-1]
    wait_for_lines(second_out, 3)
    store.request_cancel(interrupted.id)
    output, problems = second.communicate(timeout=120)
    assert second.returncode == 0, problems
    assert json.loads(output)["squares"] == [n * n for n in range(30)]
    assert store.get(interrupted.id).state == "cancelled"
    written = second_out.read_text().split()
    assert len(written) <= 31 and len(set(written)) == 30


def test_cancel_stops_between_units_and_resume_goes_on(
    settings: Settings, store: JobStore, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    params = {"file": str(out), "units": 20, "pause_s": 0.2}

    def cancel() -> None:
        wait_for_lines(out, 2)
        store.request_cancel(store.find()[0].id)

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(JobCancelled):
        run_job(KIND, params, settings)
    thread.join()
    (job,) = store.find()
    assert job.state == "cancelled"
    assert len(out.read_text().split()) < 20
    store.again(job.id, ["cancelled"])
    assert run_submitted(job.id, settings, store).state == "succeeded"


def test_an_interrupt_cancels_the_own_job_and_a_follower_only_lets_go(
    settings: Settings, store: JobStore, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = command(settings, file=str(out), units=50, pause_s=0.2)
    wait_for_lines(out, 1)
    job = store.find()[0]

    def interrupt(event: JobEvent) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Detached, match=f"{job.id} goes on in another command"):
        run_submitted(job.id, settings, store, interrupt)
    assert store.get(job.id).state == "running"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == JobCancelled.exit_code
    assert store.get(job.id).state == "cancelled"


def test_a_job_left_behind_by_the_engine_ends_as_failed(settings: Settings, store: JobStore) -> None:
    job = store.submit("toy.vanished", {})
    with pytest.raises(InputError, match="no job of kind"):
        run_submitted(job.id, settings, store)
    assert store.get(job.id).state == "failed"


def test_jobs_wait_for_a_free_worker_and_all_end(settings: Settings, store: JobStore, tmp_path: Path) -> None:
    ids = [store.submit(KIND, {"file": str(tmp_path / str(n)), "units": 2}).id for n in range(5)]
    with ExecutorLock(settings, "service") as lock:
        assert lock.try_acquire()
        with Executor(settings, store):
            deadline = time.monotonic() + 60
            while store.counts().get("succeeded", 0) < 5 and time.monotonic() < deadline:
                assert store.counts().get("running", 0) <= settings.job_workers
                time.sleep(0.05)
    assert [store.get(one).state for one in ids] == ["succeeded"] * 5


async def test_a_job_that_computes_does_not_hold_up_this_loop(settings: Settings, store: JobStore) -> None:
    """The service answers while a stage keeps its own loop busy."""

    async def busy(context: object, params: toy_jobs.CountParams) -> dict[str, Any]:
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            sum(range(1000))
        return {}

    register(Stage("toy.busy", "Busy", toy_jobs.CountParams, busy))
    job = store.submit("toy.busy", {"file": ""})
    executor = Executor(settings, store)
    await asyncio.to_thread(executor.start)
    slowest = 0.0
    try:
        while not store.get(job.id).finished:
            began = time.monotonic()
            await asyncio.sleep(0.01)
            slowest = max(slowest, time.monotonic() - began)
    finally:
        await asyncio.to_thread(executor.stop)
    assert store.get(job.id).state == "succeeded"
    assert slowest < 1.0


def test_an_executor_that_stops_leaves_its_job_for_the_next(
    settings: Settings, store: JobStore, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    job = store.submit(KIND, {"file": str(out), "units": 8, "pause_s": 0.2})
    with Executor(settings, store) as executor:
        executor.take(job.id)
        wait_for_lines(out, 2)
    assert store.get(job.id).state == "running"
    assert run_submitted(job.id, settings, store).result == {
        "squares": [n * n for n in range(8)],
        "refused": 0,
    }


def test_more_recoveries_than_allowed_end_a_job_as_failed(
    settings: Settings, store: JobStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = store.submit(KIND, {"file": str(tmp_path / "out"), "units": 1})
    store.claim(job.id)
    executor = Executor(settings, store)
    monkeypatch.setattr(executor._engine, "begin", lambda job, attempt: None)  # as if the engine lost it
    with executor:
        deadline = time.monotonic() + 30
        while not store.get(job.id).finished and time.monotonic() < deadline:
            time.sleep(0.1)
    ended = store.get(job.id)
    assert ended.state == "failed"
    assert ended.error is not None and isinstance(ended.error.error(), JobError)
