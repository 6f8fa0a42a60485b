"""The service over a real graph: what was stored comes back, long work runs, the start page shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from graph.store import Graph
from settings import Settings
from tests.support.facts import store_facts
from tests.support.service import finished, service

pytestmark = pytest.mark.engine

# Two hops from hydrazine to nitrogen, by way of ammonia; urea leads to ammonia as well, by another relation.
FACTS = [
    ("D1", "hydrazine", "is made from", "ammonia"),
    ("D2", "ammonia", "is produced from", "nitrogen"),
    ("D3", "urea", "decomposes to", "ammonia"),
]


@pytest.fixture(scope="module")
def client(settings: Settings, open_graph: Graph) -> Iterator[httpx.Client]:
    with service(settings) as client:
        yield client


@pytest.fixture
async def filled(graph: Graph) -> None:
    await store_facts(graph, FACTS, corpus="chem")
    await store_facts(graph, [("D9", "zirconia", "contains", "oxygen")], corpus="other")


def got(client: httpx.Client, path: str, **query: Any) -> Any:
    response = client.get(path, params=query)
    assert response.status_code == 200, response.text
    return response.json()


def run(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Ask for long work; the document it came to."""
    accepted = client.post(path, json=body)
    assert accepted.status_code == 202, accepted.text
    job = finished(client, accepted.headers["location"])
    assert job["state"] == "succeeded", job["error"]
    result: dict[str, Any] = job["result"]  # type: ignore[assignment]
    return result


def test_it_is_ready(client: httpx.Client) -> None:
    body = got(client, "/ready")
    assert body["ready"] is True
    assert body["jobs"] in ("executing", "starting")


@pytest.mark.usefixtures("filled")
def test_resources_show_what_was_stored(client: httpx.Client) -> None:
    assert got(client, "/v1/corpora")["items"] == [
        {"name": "chem", "documents": 3, "chunks": 3},
        {"name": "other", "documents": 1, "chunks": 1},
    ]
    assert {one["id"] for one in got(client, "/v1/documents", corpus="chem")["items"]} == {
        "doc_D1",
        "doc_D2",
        "doc_D3",
    }
    shown = got(client, "/v1/documents/doc_D1")
    assert shown["corpora"] == ["chem"]
    assert [chunk["text"] for chunk in shown["chunks"]] == ["Hydrazine is made from ammonia."]
    assert got(client, "/v1/chunks", document="doc_D1")["items"] == shown["chunks"]
    (found,) = got(client, "/v1/graph/search", text="hydraz")["items"]
    entity = got(client, f"/v1/entities/{found['id']}")
    (fact,) = entity["facts"]
    assert (fact["subject"], fact["predicate"], fact["object"]) == ("hydrazine", "is made from", "ammonia")
    (evidence,) = fact["evidence"]
    chunk = shown["chunks"][0]
    assert evidence["chunk"] == chunk["id"]
    assert chunk["text"][evidence["start"] : evidence["end"]] == evidence["text"]
    around = got(client, "/v1/graph/neighbours", entity="ent_ammonia")
    assert {node["name"] for node in around["nodes"]} == {"ammonia", "hydrazine", "nitrogen", "urea"}
    assert len(around["relationships"]) == 3
    (between,) = got(client, "/v1/graph/between", first="ent_ammonia", second="ent_urea")["items"]
    assert (between["subject"], between["object"]) == ("urea", "ammonia")
    assert got(client, f"/v1/relations/{between['id']}") == between
    assert got(client, "/v1/graph/evidence", relation=between["id"])["items"] == [between]
    counts = got(client, "/v1/stats", corpus="chem")["counts"]
    assert (counts["documents"], counts["chunks"], counts["entities"], counts["relations"]) == (3, 3, 4, 3)
    mentions = got(client, "/v1/entities/ent_ammonia/mentions")["items"]
    assert {mention["surface"].lower() for mention in mentions} == {"ammonia"}
    assert len(mentions) == 3


@pytest.mark.usefixtures("filled")
def test_lists_go_on_from_page_to_page(client: httpx.Client) -> None:
    for path in ("/v1/documents", "/v1/entities", "/v1/relations"):
        every = [one["id"] for one in got(client, path)["items"]]
        paged: list[str] = []
        following: str | None = f"{path}?limit=2"
        while following is not None:
            response = client.get(following)
            paged += [one["id"] for one in response.json()["items"]]
            link = response.headers.get("link")
            following = link[1 : link.index(">")] if link else None
        assert paged == every, path


@pytest.mark.usefixtures("filled")
def test_documents_and_corpora_are_deleted(client: httpx.Client) -> None:
    assert client.delete("/v1/documents/doc_D1").status_code == 204
    assert client.delete("/v1/documents/doc_D1").status_code == 404
    assert client.get("/v1/entities/ent_hydrazine").status_code == 404
    assert client.delete("/v1/corpora/other").json()["documents"] == 1
    assert [one["name"] for one in got(client, "/v1/corpora")["items"]] == ["chem"]
    assert client.delete("/v1/corpora/other").status_code == 404


@pytest.mark.usefixtures("filled")
def test_from_paths_to_a_report_over_http(client: httpx.Client) -> None:
    sampled = run(client, "/v1/paths", {"hops": 2, "count": 10, "corpus": "chem"})
    assert sampled["returned"] == 2  # from hydrazine, and from urea
    assert {path["entities"][0] for path in sampled["paths"]} == {"hydrazine", "urea"}
    assert sum(sampled["shortfall"].values()) == 8

    made = run(client, "/v1/questions", {"name": "api", "hops": [2], "count": 5, "corpus": "chem"})
    assert made["accepted"] == 2
    listed = got(client, "/v1/questions", dataset="api", hops=2)["items"]
    assert {one["answer"] for one in listed} == {"hydrazine", "urea"}
    question = next(one for one in listed if one["answer"] == "hydrazine")
    shown = got(client, f"/v1/questions/{question['id']}")
    assert [hop["object"] for hop in shown["path"]] == ["ammonia", "nitrogen"]
    (positive,) = shown["reasoning_graphs"]
    assert positive["polarity"] == "positive"
    path = got(client, f"/v1/paths/{question['path_id']}")
    assert path["entity_ids"] == ["ent_hydrazine", "ent_ammonia", "ent_nitrogen"]

    negatives = run(client, "/v1/reasoning-graphs", {"dataset": "api"})
    assert negatives["negatives"] > 0
    graphs = got(client, "/v1/reasoning-graphs", question=question["id"])["items"]
    assert graphs[0]["id"] == positive["id"]
    assert client.get(f"/v1/reasoning-graphs/{positive['id']}/dot").text.startswith("digraph")
    assert client.get(f"/v1/reasoning-graphs/{positive['id']}/svg").text.startswith("<svg")

    evaluated = run(client, "/v1/evaluations", {"datasets": ["api"], "conditions": ["closed_book", "gold"]})
    assert {cell["keys"]["condition"] for cell in evaluated["results"]} == {"closed_book", "gold"}
    assert all(cell["n"] == 2 for cell in evaluated["results"])
    answers = got(client, f"/v1/evaluations/{evaluated['run']}/answers", limit=10)["items"]
    assert len(answers) == 4

    run(client, "/v1/reports", {"run": evaluated["run"]})
    report = got(client, f"/v1/reports/{evaluated['run']}")
    page = next(file for file in report["files"] if file["name"].endswith(".html"))
    assert "baseline" in client.get(page["url"]).text

    start = client.get("/").text
    for shown_there in (question["text"], "Open the report", page["url"], "closed_book", "<svg", "succeeded"):
        assert shown_there in start


def test_the_start_page_works_when_nothing_is_there(client: httpx.Client, graph: Graph) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "Nothing is here yet" in page.text
    assert 'src="http' not in page.text and 'href="http' not in page.text, "nothing from outside"
