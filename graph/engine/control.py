"""What users of the embedded engine do: attach to it, look at it, start it, stop it."""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from errors import ConflictError, EngineError
from graph.engine.command import DATABASE, USER, engine_version, runtime
from graph.engine.folder import EngineFolder, State, Who
from settings import Settings

START_SECONDS = 180.0  # two to three seconds on a quiet machine
STOP_SECONDS = 90.0
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class EngineStatus:
    """What `engine status` prints. States: running, starting, stopping, stopped, failed, neo4j."""

    state: str
    uri: str | None
    version: str | None
    pid: int | None
    data: str | None
    users: tuple[int, ...] = ()
    reason: str = ""


class Lease:
    """A user's hold on the engine: as long as it is not released the engine stays.

    Attributes:
        uri: Bolt address. http_port: port of the HTTP endpoint. user, password, database: for both.
    """

    def __init__(self, settings: Settings, folder: EngineFolder, ticket: Path, state: State) -> None:
        self._settings, self._folder, self._ticket = settings, folder, ticket
        self.user, self.database, self.version = USER, DATABASE, engine_version()
        self.password = folder.password()
        self.write_lock = folder.write_lock
        self._take(state)
        atexit.register(self.release)

    def _take(self, state: State) -> None:
        self.uri = f"bolt://127.0.0.1:{state.bolt_port}"
        self.http_port = state.http_port

    def renew(self) -> bool:
        """After a lost connection: have a running engine again. True where its address changed."""
        before = self.uri
        with self._folder.gate():
            if not self._ticket.exists():
                self._ticket = self._folder.register()
        self._take(_ensure_running(self._settings, self._folder))
        return self.uri != before

    def release(self) -> None:
        """Give it back; the engine stops with its last user. May be called twice."""
        atexit.unregister(self.release)
        with contextlib.suppress(OSError, EngineError):
            self._ticket.unlink(missing_ok=True)
            _end_orphan(self._folder)


def attach(settings: Settings) -> Lease:
    """Attach to the engine of this home; start it where nobody has.

    Raises EngineError where the machine, the home or the engine does not allow it.
    """
    runtime()
    folder = EngineFolder(settings.home)
    folder.prepare()
    with folder.gate():
        ticket = folder.register()
        folder.password()
    try:
        return Lease(settings, folder, ticket, _ensure_running(settings, folder))
    except BaseException:
        ticket.unlink(missing_ok=True)
        raise


def status(settings: Settings) -> EngineStatus:
    """How the engine of this home is; changes nothing."""
    if settings.neo4j_uri:
        return EngineStatus("neo4j", settings.neo4j_uri, None, None, None)
    folder = EngineFolder(settings.home)
    state = folder.state()
    engine_lives = bool(state and state.engine and state.engine.alive)
    known = "stopped"
    reason = ""
    if state is not None and (state.supervised or engine_lives or state.phase == "failed"):
        known, reason = state.phase, state.reason
    running = state is not None and engine_lives
    return EngineStatus(
        state=known,
        uri=f"bolt://127.0.0.1:{state.bolt_port}" if running and state else None,
        version=engine_version() or None,
        pid=state.engine.pid if running and state and state.engine else None,
        data=str(folder.data),
        users=tuple(folder.live_users()),
        reason=reason,
    )


def start(settings: Settings) -> EngineStatus:
    """Start the engine and keep it until `stop`, although nobody uses it."""
    if settings.neo4j_uri:
        raise ConflictError(
            "NEO4J_URI is set: that server is not ours to start. Unset it for the embedded engine."
        )
    lease = attach(settings)
    EngineFolder(settings.home).keep(True)
    lease.release()
    return status(settings)


def stop(settings: Settings, *, force: bool = False) -> EngineStatus:
    """Stop the engine of this home and wait until it is down.

    Raises ConflictError while other processes use it, unless `force`; EngineError where it does
    not go down.
    """
    if settings.neo4j_uri:
        raise ConflictError("NEO4J_URI is set: that server is not ours to stop.")
    folder = EngineFolder(settings.home)
    if not folder.exists:
        return status(settings)
    with folder.gate():
        others = sorted({pid for pid in folder.live_users() if pid not in (0, os.getpid())})
        if others and not force:
            pids = ", ".join(map(str, others))
            raise ConflictError(f"The engine is in use by process {pids}; end it first, or stop by force.")
        folder.keep(False)
        state = folder.state()
    if state is not None:
        _end(state.supervisor if state.supervised or state.phase == "stopping" else None)
        _end(state.engine)  # what a killed supervisor left behind
    return status(settings)


def _end_orphan(folder: EngineFolder) -> None:
    """Stop an engine that nobody uses and whose supervisor was killed: nobody else would."""

    def orphan() -> Who | None:
        state = folder.state()
        if state is None or state.supervisor is None or state.supervisor.alive:
            return None
        return state.engine

    if orphan() is not None:
        with folder.gate():
            if (engine := orphan()) is not None and not folder.live_users():
                _end(engine)


def _end(who: Who | None) -> None:
    """Ask a process of ours to end, and wait for it."""
    if who is None or not who.alive:
        return
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(who.pid)
        process.terminate()
        until = time.monotonic() + STOP_SECONDS
        while who.alive:
            if time.monotonic() > until:
                raise EngineError(f"The engine (process {who.pid}) does not stop.")
            time.sleep(0.05)


def _ensure_running(settings: Settings, folder: EngineFolder) -> State:
    """Start a supervisor where none lives, and wait until the engine is ready."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        with folder.gate():
            state = folder.state()
            if state is None or not state.supervised:
                state = _spawn(settings, folder, state)
        if (ready := _wait(folder, state.supervisor, until)) is not None:
            return ready
    raise EngineError(f"The embedded engine was not ready after {START_SECONDS:.0f} s; see {folder.log}.")


def _wait(folder: EngineFolder, supervisor: Who | None, until: float) -> State | None:
    """The state once this supervisor's engine is ready; None where the supervisor stopped or was replaced."""
    while time.monotonic() < until:
        alive = supervisor is not None and supervisor.alive  # looked at first: it writes before it ends
        state = folder.state()
        if state is None or state.supervisor != supervisor:
            return None
        if state.phase == "running" and state.engine and state.engine.alive:
            return state
        if state.phase == "failed":
            raise EngineError(f"The embedded engine could not be started: {state.reason}")
        if not alive:
            said = folder.supervisor_log.read_text(encoding="utf-8", errors="replace")[-800:]
            raise EngineError(f"The engine's supervisor ended unexpectedly. {said}")
        time.sleep(0.03)
    return None


def _spawn(settings: Settings, folder: EngineFolder, former: State | None) -> State:
    """Start a supervisor that outlives us, and say so in the state. Call with the gate held."""
    detached: dict[str, object] = {"start_new_session": True}
    if os.name == "nt":
        detached = {"creationflags": 0x00000008 | 0x00000200}  # DETACHED_PROCESS, NEW_PROCESS_GROUP
    python_path = os.pathsep.join([str(_ROOT), os.environ.get("PYTHONPATH", "")])
    with folder.supervisor_log.open("wb") as log:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "graph.engine.supervisor",
                str(settings.home.expanduser().absolute()),
                f"--memory={settings.engine_memory}",
                f"--idle={settings.engine_idle_seconds}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder.root,
            env={**os.environ, "PYTHONPATH": python_path},
            **detached,  # type: ignore[call-overload]
        )
    _children.append(process)
    who = Who.of(process.pid)
    assert who is not None, "our own child is visible until we wait for it"
    state = State(
        "starting",
        who,
        engine=former.engine if former else None,
        bolt_port=former.bolt_port if former else 0,
        http_port=former.http_port if former else 0,
    )
    folder.write_state(state)
    return state


_children: list[subprocess.Popen[bytes]] = []  # kept, so that Python reaps them when they end
