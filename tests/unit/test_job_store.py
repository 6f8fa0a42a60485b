"""The job store by itself: states, events, keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from errors import ConflictError, JobCancelled, NotFoundError
from jobs.models import Problem
from jobs.progress import StageProgress
from jobs.store import JobStore
from settings import Settings


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    store = JobStore(Settings(home=tmp_path))
    yield store
    store.close()


def test_a_job_goes_from_queued_to_its_end_and_the_history_says_so(store: JobStore) -> None:
    job = store.submit("ingest", {"paths": ["/a"]})
    assert (job.state, job.attempt, job.params) == ("queued", 1, {"paths": ["/a"]})
    assert store.claim(job.id)
    assert not store.claim(job.id), "a job is claimed once"
    store.add_event(job.id, "ingest", 1, 2, "a.pdf")
    assert store.finish(job.id, "succeeded", result={"n": 1}, refused=2)
    assert not store.finish(job.id, "failed"), "the first end stands"
    done = store.get(job.id)
    assert (done.state, done.result, done.refused) == ("succeeded", {"n": 1}, 2)
    assert done.started is not None and done.ended is not None and done.started <= done.ended
    history = store.events(job.id)
    assert [event.state or (event.stage, event.done, event.total) for event in history] == [
        "queued",
        "running",
        ("ingest", 1, 2),
        "succeeded",
    ]
    assert [event.seq for event in store.events(job.id, after=history[1].seq)] == [
        event.seq for event in history[2:]
    ]
    assert {stage: event.message for stage, event in store.latest(job.id).items()} == {"ingest": "a.pdf"}


def test_an_idempotency_key_gives_back_its_job_and_refuses_another_request(store: JobStore) -> None:
    first = store.submit("ingest", {"paths": ["/a"]}, idempotency_key="k")
    assert store.submit("ingest", {"paths": ["/a"]}, idempotency_key="k").id == first.id
    with pytest.raises(ConflictError, match="belongs to " + first.id):
        store.submit("ingest", {"paths": ["/b"]}, idempotency_key="k")
    assert store.submit("ingest", {"paths": ["/a"]}).id != first.id
    assert len(store.find()) == 2


def test_cancel_retry_and_resume_only_from_the_states_they_are_for(store: JobStore) -> None:
    queued = store.submit("ingest", {})
    assert store.request_cancel(queued.id).state == "cancelled"
    with pytest.raises(ConflictError, match="is cancelled, not failed"):
        store.again(queued.id, ["failed"])
    again = store.again(queued.id, ["cancelled"])
    assert (again.state, again.attempt, again.cancel_requested, again.ended) == ("queued", 2, False, None)
    assert store.claim(queued.id)
    assert not store.cancel_wanted(queued.id)
    assert store.request_cancel(queued.id).state == "running"
    assert store.cancel_wanted(queued.id)
    store.finish(queued.id, "failed", error=Problem(slug="job-failed", title="t", detail="d"))
    with pytest.raises(ConflictError, match="has failed already"):
        store.request_cancel(queued.id)
    assert store.again(queued.id, ["failed"]).error is None
    with pytest.raises(NotFoundError, match="there is no job nope"):
        store.get("nope")


def test_lists_are_newest_first_and_go_on_after_the_last_one_seen(store: JobStore) -> None:
    ids = [store.submit("ingest", {"n": n}).id for n in range(5)]
    listed = store.find(limit=2)
    assert [job.id for job in listed] == [ids[4], ids[3]]
    last = listed[-1]
    rest = store.find(before=(last.created.isoformat(timespec="microseconds"), last.id))
    assert [job.id for job in rest] == [ids[2], ids[1], ids[0]]
    store.claim(ids[0])
    assert [job.id for job in store.find(states=["running"])] == [ids[0]]
    assert store.counts() == {"queued": 4, "running": 1}


def test_an_unfinished_job_is_found_by_its_parameters(store: JobStore) -> None:
    job = store.submit("ingest", {"b": 1, "a": ["x"]})
    found = store.unfinished_like("ingest", {"a": ["x"], "b": 1})
    assert found is not None and found.id == job.id
    assert store.unfinished_like("ingest", {"a": ["y"], "b": 1}) is None
    assert store.unfinished_like("report", {"b": 1, "a": ["x"]}) is None
    store.request_cancel(job.id)
    assert store.unfinished_like("ingest", {"b": 1, "a": ["x"]}) is None


def test_progress_is_written_at_most_every_quarter_second_and_a_cancel_bites(store: JobStore) -> None:
    job = store.submit("ingest", {})
    store.claim(job.id)
    now = [100.0]
    progress = StageProgress(store, job.id, "ingest", clock=lambda: now[0])
    for done in range(11):
        progress(done, 10)
        now[0] += 0.1
    written = [event.done for event in store.events(job.id) if event.stage == "ingest"]
    assert written == [0, 3, 6, 9, 10]
    store.request_cancel(job.id)
    now[0] += 1
    with pytest.raises(JobCancelled):
        progress(11, 12)


def test_an_error_reads_the_same_after_a_trip_through_the_store(store: JobStore) -> None:
    job = store.submit("ingest", {})
    store.claim(job.id)
    store.finish(job.id, "failed", error=Problem.of(NotFoundError("there is no run r1")))
    problem = store.get(job.id).error
    assert problem is not None
    error = problem.error()
    assert isinstance(error, NotFoundError) and str(error) == "there is no run r1"


def test_the_store_file_is_private(store: JobStore, tmp_path: Path) -> None:
    assert (tmp_path / "jobs.db").stat().st_mode & 0o077 == 0
