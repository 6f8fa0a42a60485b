"""A real service for tests: uvicorn in a thread, on a free port of loopback."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import httpx
import uvicorn

from api.app import create_app
from api.serve import address, bind
from settings import Settings


@contextlib.contextmanager
def service(settings: Settings) -> Iterator[httpx.Client]:
    """A client of the service of this home, which is up."""
    listening = bind("127.0.0.1", 0)
    server = uvicorn.Server(
        uvicorn.Config(create_app(settings), log_level="warning", timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        with httpx.Client(base_url=address(listening), timeout=60, trust_env=False) as client:
            while not server.started:
                assert thread.is_alive(), "the service did not start"
                time.sleep(0.02)
            yield client
    finally:
        server.should_exit = True
        thread.join(timeout=40)
        listening.close()
    assert not thread.is_alive(), "the service did not stop"


def finished(client: httpx.Client, location: str, timeout_s: float = 120) -> dict[str, object]:
    """The job at this address, once it has ended."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        job: dict[str, object] = client.get(location).json()
        if job["state"] in ("succeeded", "failed", "cancelled"):
            return job
        time.sleep(0.1)
    raise AssertionError(f"{location} did not end")
