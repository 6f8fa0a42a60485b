"""The start page in a real browser, over what the main job left behind.

`.ci/run` runs `make demo` on a home, names it in CATENANE_TEST_DEMO_HOME, and the browser in
CATENANE_CHROMIUM. The service is started on that home and looked at as a person would.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from settings import REPOSITORY

CHROMIUM = os.environ.get("CATENANE_CHROMIUM", "")
HOME = os.environ.get("CATENANE_TEST_DEMO_HOME", "")
# Without these, Chromium looks for hosts outside at every start.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="CATENANE_CHROMIUM names no browser; .ci/run installs one"),
    pytest.mark.skipif(not HOME, reason="CATENANE_TEST_DEMO_HOME names no home of a demo; .ci/run makes one"),
]


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """The service on the demo's home, as `catenane serve` starts it."""
    environment = {**os.environ, "CATENANE_HOME": HOME, "CATENANE_PORT": "0"}
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "serve"],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = ""
        while not address:
            line = process.stdout.readline()
            assert line, "the service ended before it told its address"
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            address = found.group(0) if found else ""
        deadline = time.monotonic() + 60
        while True:
            try:
                if httpx.get(f"{address}/ready", timeout=5).status_code == 200:
                    break
            except httpx.TransportError:
                pass
            assert time.monotonic() < deadline, "the service did not become ready"
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed; .ci/run installs it"
    )
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()


def test_the_start_page_shows_counts_jobs_a_question_and_the_report(
    service: str, browser: Any, tmp_path: Path
) -> None:
    page = browser.new_page()
    faults: list[str] = []
    outside: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith((service, "data:")) else outside.append(r.url))
    page.goto(service + "/")
    text = page.inner_text("body")

    counts = httpx.get(f"{service}/v1/stats", timeout=30).json()["counts"]
    for noun in ("documents", "chunks", "entities", "relations"):
        shown = re.search(rf"([\d,]+)\s*{noun}", text)
        assert shown is not None, f"no count of {noun} on the page"
        assert int(shown.group(1).replace(",", "")) == counts[noun]
    assert "demo" in text  # the job that ran
    questions = httpx.get(f"{service}/v1/questions", params={"limit": 500}, timeout=30).json()["items"]
    shown_questions = [question for question in questions if question["text"] in text]
    assert shown_questions, "no question on the page"
    assert any(question["answer"] in text for question in shown_questions)
    drawing = page.locator("svg", has=page.locator("title")).first
    box = drawing.bounding_box()
    assert box is not None
    assert box["width"] > 200
    assert box["height"] > 50
    assert "not a language model" in text.lower() or "extractive baseline" in text.lower()
    assert faults == []
    assert outside == []
    page.screenshot(path=str(tmp_path / "start.png"), full_page=True)
    page.close()


def test_the_report_opens_from_the_start_page_and_offline(service: str, browser: Any) -> None:
    page = browser.new_page()
    page.goto(service + "/")
    page.get_by_role("link", name=re.compile("report", re.IGNORECASE)).first.click()
    page.wait_for_load_state()
    assert "extractive baseline" in page.inner_text("body").lower()
    page.close()

    job = next(
        job for job in httpx.get(f"{service}/v1/jobs", timeout=30).json()["items"] if job["kind"] == "demo"
    )
    file = Path(job["result"]["report"])
    context = browser.new_context(offline=True)
    page = context.new_page()
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.goto(file.as_uri())
    assert page.locator("svg").count() >= 3
    assert page.locator("table").count() >= 3
    assert failed == []
    context.close()
    assert json.loads((file.parent / "report.json").read_text(encoding="utf-8"))
