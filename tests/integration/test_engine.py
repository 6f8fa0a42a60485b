"""The embedded engine's life: started, shared, killed, found again, stopped. Each test has its own home."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from errors import ConflictError, EngineError
from graph.engine import Lease, attach, start, status, stop
from graph.engine.command import free_ports
from graph.engine.folder import EngineFolder, State, Who
from graph.engine.supervisor import Supervisor
from graph.store import Graph
from settings import REPOSITORY, Settings

pytestmark = pytest.mark.engine

USER = """
import sys, time
from pathlib import Path
from graph.engine import attach
from settings import Settings
lease = attach(Settings(home=Path(sys.argv[1])))
print(lease.uri, flush=True)
sys.stdin.read()  # until the test closes it, or kills us
lease.release()
"""


def user(home: Path) -> subprocess.Popen[str]:
    """Another process that uses the engine of a home until its standard input is closed."""
    return subprocess.Popen(
        [sys.executable, "-c", USER, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    )


def wait_until(condition: object, seconds: float = 60.0) -> None:
    assert callable(condition)
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not come to that in time"
        time.sleep(0.05)


@pytest.fixture
def mine(home: Path) -> Iterator[Settings]:
    """Settings of a home of this test, whose engine is stopped in the end."""
    settings = Settings(home=home)
    yield settings
    stop(settings, force=True)


def engine_of(settings: Settings) -> psutil.Process:
    state = EngineFolder(settings.home).state()
    assert state is not None and state.engine is not None
    return psutil.Process(state.engine.pid)


def supervisor_of(settings: Settings) -> psutil.Process:
    state = EngineFolder(settings.home).state()
    assert state is not None and state.supervisor is not None
    return psutil.Process(state.supervisor.pid)


def kill(*processes: psutil.Process) -> None:
    """As kill -9, and wait until they are gone."""
    for each in processes:
        each.kill()
    psutil.wait_procs(processes, timeout=30)


def test_it_starts_with_its_first_user_and_stops_with_its_last(mine: Settings) -> None:
    assert status(mine).state == "stopped"
    first, second = attach(mine), attach(mine)
    assert first.uri == second.uri
    found = status(mine)
    assert (found.state, found.uri, found.users) == ("running", first.uri, (os.getpid(), os.getpid()))
    engine = engine_of(mine)
    listening = {each.laddr for each in engine.net_connections() if each.status == psutil.CONN_LISTEN}
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
    assert first.password not in " ".join(engine.cmdline())
    password = mine.home / "engine" / "password"
    assert stat.S_IMODE(password.stat().st_mode) == 0o600
    first.release()
    time.sleep(1)
    assert status(mine).state == "running"
    second.release()
    second.release()
    wait_until(lambda: status(mine).state == "stopped" and not engine.is_running())


def test_two_processes_start_at_once_and_share_one_engine(mine: Settings) -> None:
    users = [user(mine.home) for _ in range(2)]
    addresses = set()
    for each in users:
        assert each.stdout is not None
        addresses.add(each.stdout.readline())
    assert len(addresses) == 1 and "bolt://127.0.0.1:" in addresses.pop()
    with pytest.raises(ConflictError, match="in use by process"):
        stop(mine)
    users[0].kill()  # as kill -9: it cannot say goodbye
    assert users[1].stdin is not None
    users[1].stdin.close()
    for each in users:
        each.wait(30)
    wait_until(lambda: status(mine).state == "stopped")


def test_a_stale_state_and_lock_are_no_hindrance(mine: Settings) -> None:
    """After a crash of the machine: files of processes that are gone, pids perhaps taken by others."""
    folder = EngineFolder(mine.home)
    folder.prepare()
    for name in ("gate.lock", "life.lock"):
        (folder.root / name).touch()
    (folder.users / "1-stale").write_text('{"pid": 1, "started": 12.5}')
    (folder.users / "999999-cut").write_text('{"pid": 9')
    folder.write_state(State("running", Who(os.getpid(), 12.5), Who(1, 12.5), bolt_port=1, http_port=1))
    assert status(mine).state == "stopped"
    lease = attach(mine)
    assert status(mine).users == (os.getpid(),)
    lease.release()


async def test_a_killed_engine_is_started_anew_under_an_open_graph(mine: Settings) -> None:
    async with await Graph.open(mine) as graph:
        await graph.corpora.ensure("before")
        before = engine_of(mine)
        kill(before)
        await graph.corpora.ensure("after")  # waits for the new one
        assert [each["name"] for each in await graph.corpora.list()] == ["after", "before"]
        assert engine_of(mine).pid != before.pid


async def test_a_killed_supervisor_leaves_an_engine_that_the_next_one_adopts(mine: Settings) -> None:
    async with await Graph.open(mine) as graph:
        await graph.corpora.ensure("kept")
        engine = engine_of(mine)
        kill(supervisor_of(mine))
        lease = await asyncio.to_thread(attach, mine)
        assert engine_of(mine).pid == engine.pid
        assert [each["name"] for each in await graph.corpora.list()] == ["kept"]
        lease.release()
    wait_until(lambda: not engine.is_running())


async def test_supervisor_and_engine_killed_together(mine: Settings) -> None:
    async with await Graph.open(mine) as graph:
        await graph.corpora.ensure("kept")
        kill(supervisor_of(mine), engine_of(mine))
        assert [each["name"] for each in await graph.corpora.list()] == ["kept"]


def test_a_port_taken_in_the_meantime_is_given_up(mine: Settings) -> None:
    """The former ports are tried first, so that drivers find the engine again; here another took them."""
    lease = attach(mine)
    taken = int(lease.uri.rsplit(":", 1)[1])
    kill(supervisor_of(mine), engine_of(mine))
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", taken))
        other.listen()
        assert lease.renew() is True
        assert not lease.uri.endswith(f":{taken}")
    lease.release()


def test_a_port_taken_between_choosing_and_starting_costs_one_try(
    mine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = EngineFolder(mine.home)
    folder.prepare()
    supervisor = Supervisor(folder, "512m", 0)
    folder.write_state(State("starting", supervisor.me))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        choices = iter([[taken, free_ports(1)[0]], [free_ports(1)[0], taken], free_ports(2)])
        monkeypatch.setattr("graph.engine.supervisor.free_ports", lambda count: next(choices))
        supervisor._start(folder.password())
    state = folder.state()
    assert state is not None and state.phase == "running"
    assert taken not in (state.bolt_port, state.http_port)
    supervisor._stop_engine()
    folder.clear_state(supervisor.me)


def test_an_engine_whose_supervisor_was_killed_goes_with_its_last_user(mine: Settings) -> None:
    first, second = attach(mine), attach(mine)
    engine = engine_of(mine)
    kill(supervisor_of(mine))
    first.release()
    assert engine.is_running()
    second.release()
    assert status(mine).state == "stopped"


def test_two_homes_have_two_engines(mine: Settings, tmp_path: Path) -> None:
    other = Settings(home=tmp_path / "other home, with a comma")
    first, second = attach(mine), attach(other)
    try:
        assert first.uri != second.uri
        assert first.password != second.password
        assert status(other).data == str(tmp_path / "other home, with a comma" / "engine" / "data")
    finally:
        first.release()
        second.release()
        stop(other)


def test_started_on_request_it_stays_until_stopped(mine: Settings) -> None:
    assert start(mine).state == "running"
    time.sleep(1)
    assert status(mine).users == (0,)
    pid = status(mine).pid
    assert start(mine).pid == pid
    assert stop(mine).state == "stopped"
    assert pid is not None and not psutil.pid_exists(pid)
    assert stop(mine).state == "stopped"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc takes no folders, not even from root")
def test_a_read_only_home_is_refused() -> None:
    with pytest.raises(EngineError, match="CATENANE_HOME"):
        attach(Settings(home=Path("/proc/catenane")))


def test_a_home_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EngineError, match="CATENANE_HOME"):
        attach(Settings(home=tmp_path / "file"))


def test_a_machine_without_a_build_is_pointed_to_neo4j(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(EngineError, match="NEO4J_URI"):
        attach(Settings(home=home))


def test_an_engine_that_cannot_start_says_why(mine: Settings) -> None:
    impossible = mine.model_copy(update={"engine_memory": "lots"})
    with pytest.raises(EngineError, match="heap size"):
        attach(impossible)
    assert status(mine).state == "failed"
    lease = attach(mine)  # mended, it starts
    assert isinstance(lease, Lease)
    lease.release()


async def test_a_neo4j_that_is_not_there_is_named(home: Path) -> None:
    with pytest.raises(EngineError, match=r"bolt://127\.0\.0\.1:9"):
        await Graph.open(Settings(home=home, neo4j_uri="bolt://127.0.0.1:9"))
    assert not home.exists()
