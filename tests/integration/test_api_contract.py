"""The HTTP contract that needs no graph: errors, guards, jobs, event streams, the OpenAPI document.

The service runs without an engine here (its Neo4j address leads nowhere), which it must survive.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from jobs.lock import holder
from jobs.service import running_service
from jobs.store import JobStore
from settings import REPOSITORY, Settings
from tests.support import toy_jobs  # noqa: F401 - makes the toy kind of job known
from tests.support.service import finished, service

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"bolt://127.0.0.1:{free.getsockname()[1]}"
    return Settings(home=tmp_path_factory.mktemp("home"), neo4j_uri=nowhere, max_upload_mb=1)


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[httpx.Client]:
    with service(settings) as client:
        yield client


@pytest.fixture
def store(settings: Settings) -> Iterator[JobStore]:
    store = JobStore(settings)
    yield store
    store.close()


def is_problem(response: httpx.Response, status: int, slug: str) -> dict[str, Any]:
    """The body, which is problem details of this kind."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == PROBLEM
    body: dict[str, Any] = response.json()
    assert body["type"] == f"/problems/{slug}"
    assert body["status"] == status
    assert body["title"] and body["detail"]
    return body


def test_the_process_is_healthy_while_the_engine_is_not_there(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    response = client.get("/ready")
    assert response.status_code == 503
    assert response.json()["ready"] is False
    assert "NEO4J_URI" in response.json()["engine"]
    body = is_problem(client.get("/v1/documents"), 503, "engine-unavailable")
    assert body["instance"] == "/v1/documents"


def test_the_start_page_says_what_is_wrong_instead_of_failing(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "NEO4J_URI" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("method", "path", "status", "slug"),
    [
        ("GET", "/nothing/here", 404, "not-found"),
        ("GET", "/v1/jobs/job_x", 404, "not-found"),
        ("GET", "/v1/jobs/job_x/events", 404, "not-found"),
        ("GET", "/v1/reports/run_x", 404, "not-found"),
        ("GET", "/v1/reports/..%2F..%2Fetc", 404, "not-found"),
        ("GET", "/reports/run_x/..%2F..%2Fjobs.db", 404, "not-found"),
        ("GET", "/static/none.css", 404, "not-found"),
        ("PUT", "/v1/jobs", 405, "http"),
        ("GET", "/v1/jobs?limit=0", 422, "invalid-request"),
        ("GET", "/v1/jobs?cursor=%21", 422, "invalid-input"),
    ],
)
def test_every_error_is_problem_details(
    client: httpx.Client, method: str, path: str, status: int, slug: str
) -> None:
    is_problem(client.request(method, path), status, slug)


def test_an_invalid_body_is_told_field_by_field(client: httpx.Client) -> None:
    body = is_problem(client.post("/v1/paths", json={"hops": 9, "colour": "red"}), 422, "invalid-request")
    assert {fault["field"] for fault in body["errors"]} == {"body.hops", "body.colour"}
    is_problem(
        client.post("/v1/paths", content=b"{", headers={"content-type": "application/json"}),
        422,
        "invalid-request",
    )


def test_each_type_of_problem_is_told_in_words(client: httpx.Client) -> None:
    for slug in ("not-found", "invalid-request", "engine-unavailable", "too-large", "forbidden-host"):
        assert slug in client.get(f"/problems/{slug}").text


def test_foreign_host_names_and_pages_are_refused(client: httpx.Client) -> None:
    is_problem(client.get("/health", headers={"host": "evil.example"}), 403, "forbidden-host")
    is_problem(client.get("/health", headers={"host": "127.0.0.1.evil.example:80"}), 403, "forbidden-host")
    assert client.get("/health", headers={"host": "localhost:1234"}).status_code == 200
    assert client.get("/health", headers={"host": "[::1]:80"}).status_code == 200
    foreign = {"origin": "https://evil.example"}
    is_problem(client.post("/v1/paths", json={}, headers=foreign), 403, "forbidden-host")
    is_problem(client.post("/v1/paths", json={}, headers={"origin": "null"}), 403, "forbidden-host")
    own = {"origin": str(client.base_url).rstrip("/")}
    assert client.post("/v1/paths", json={}, headers=own).status_code == 202
    assert "access-control-allow-origin" not in client.get("/health", headers=foreign).headers


def test_bodies_above_the_limit_are_refused_with_and_without_a_length(client: httpx.Client) -> None:
    large = b"x" * 1_200_000
    is_problem(client.post("/v1/documents", files={"files": ("a.txt", large)}), 413, "too-large")

    def chunked() -> Iterator[bytes]:
        boundary = b"--b\r\nContent-Disposition: form-data; name=files; filename=a.txt\r\n\r\n"
        yield boundary
        for _ in range(12):
            yield large[:100_000]
        yield b"\r\n--b--\r\n"

    response = client.post(
        "/v1/documents", content=chunked(), headers={"content-type": "multipart/form-data; boundary=b"}
    )
    is_problem(response, 413, "too-large")
    is_problem(
        client.post("/v1/paths", content=large, headers={"content-type": "application/json"}),
        413,
        "too-large",
    )


def test_long_work_is_accepted_once_for_an_idempotency_key(client: httpx.Client) -> None:
    key = {"Idempotency-Key": "once"}
    first = client.post("/v1/paths", json={"hops": 2}, headers=key)
    assert first.status_code == 202
    assert first.headers["location"] == f"/v1/jobs/{first.json()['id']}"
    second = client.post("/v1/paths", json={"hops": 2}, headers=key)
    assert second.json()["id"] == first.json()["id"]
    is_problem(client.post("/v1/paths", json={"hops": 3}, headers=key), 409, "conflict")
    job = finished(client, first.headers["location"])
    assert job["state"] == "failed"
    assert job["error"]["slug"] == "engine-unavailable"  # type: ignore[index]


def test_jobs_are_listed_page_by_page(client: httpx.Client, store: JobStore, tmp_path: Path) -> None:
    ids = [store.submit("toy.count", {"file": str(tmp_path / "x"), "units": n}).id for n in range(3)]
    page = client.get("/v1/jobs", params={"kind": "toy.count", "limit": 2})
    assert [job["id"] for job in page.json()["items"]] == ids[:0:-1]
    link = page.headers["link"]
    assert link.endswith('rel="next"')
    rest = client.get(link[1 : link.index(">")])
    assert rest.json()["items"][0]["id"] == ids[0]
    assert client.get("/v1/jobs", params={"state": "cancelled"}).json()["items"] == []


def events(text: str) -> list[dict[str, str]]:
    """The events of a stream, as their fields."""
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append(fields)
    return found


def test_events_stream_to_the_end_and_resume_after_the_last_one_seen(
    client: httpx.Client, store: JobStore, tmp_path: Path
) -> None:
    job = store.submit("toy.count", {"file": str(tmp_path / "x"), "units": 5, "pause_s": 0.2})
    seen: list[str] = []
    with client.stream("GET", f"/v1/jobs/{job.id}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        for line in response.iter_lines():
            if line.startswith("id: "):
                seen.append(line[4:])
            if len(seen) == 3:
                break  # the connection is lost
    rest = client.get(f"/v1/jobs/{job.id}/events", headers={"Last-Event-ID": seen[-1]})
    got = events(rest.text)
    all_ids = [int(one) for one in seen] + [int(one["id"]) for one in got]
    assert all_ids == [event.seq for event in store.events(job.id)], "none is missed, none comes twice"
    assert got[-1]["event"] == "state"
    assert json.loads(got[-1]["data"])["message"] == "succeeded"
    assert {one["event"] for one in got} == {"state", "progress"}


def test_jobs_are_cancelled_resumed_and_retried(
    client: httpx.Client, store: JobStore, tmp_path: Path
) -> None:
    job = store.submit("toy.count", {"file": str(tmp_path / "x"), "units": 40, "pause_s": 0.2, "fail_at": 39})
    where = f"/v1/jobs/{job.id}"
    is_problem(client.post(f"{where}/resume"), 409, "conflict")
    assert client.post(f"{where}/cancel").status_code == 200
    assert finished(client, where)["state"] == "cancelled"
    is_problem(client.post(f"{where}/retry"), 409, "conflict")
    resumed = client.post(f"{where}/resume")
    assert (resumed.status_code, resumed.json()["attempt"]) == (202, 2)
    client.post(f"{where}/cancel")
    assert finished(client, where)["state"] == "cancelled"


def test_an_upload_has_no_way_out_of_its_folder(client: httpx.Client, settings: Settings) -> None:
    files = {"files": ("../../../evil\\..\\paper.txt", b"text")}
    response = client.post("/v1/documents", files=files, data={"corpus": "mine"})
    assert response.status_code == 202
    (path,) = response.json()["params"]["paths"]
    assert Path(path).name == "paper.txt"
    assert Path(path).is_relative_to(settings.home / "spool")
    assert Path(path).read_bytes() == b"text"


def test_the_openapi_document_is_3_1_and_its_examples_work(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    tried = 0
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation.get("summary"), f"{method} {path}"
            if "422" in operation["responses"]:
                assert list(operation["responses"]["422"]["content"]) == [PROBLEM]
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                example = _example(document, content["application/json"])
                response = client.request(method, path, json=example)
                assert response.status_code == 202, f"{method} {path} {example}: {response.text}"
                tried += 1
    assert tried >= 4


def _example(document: dict[str, Any], media: dict[str, Any]) -> Any:
    """The example of a request body: its own, or put together from the examples of its fields."""
    schema = media["schema"]
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if "examples" in schema:
        return schema["examples"][0]
    fields = schema["properties"]
    return {name: field["examples"][0] for name, field in fields.items() if "examples" in field}


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_service_stops_when_it_is_told_to(
    settings: Settings, tmp_path: Path, sent: signal.Signals
) -> None:
    home = tmp_path / "home"
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "serve", "--port", "0"],
        cwd=REPOSITORY,
        env={**os.environ, "CATENANE_HOME": str(home), "NEO4J_URI": str(settings.neo4j_uri)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    url = process.stderr.readline().split()[-1]
    mine = Settings(home=home)
    assert running_service(mine) == url
    assert httpx.get(f"{url}health", trust_env=False).status_code == 200
    process.send_signal(sent)
    _, problems = process.communicate(timeout=60)
    assert process.returncode == 0, problems
    assert running_service(mine) is None
    assert holder(mine) is None
