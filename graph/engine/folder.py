"""The engine's folder in a home: paths, state, password and users.

Imports nothing heavy: the supervisor is a process of its own and should start quickly.
"""

from __future__ import annotations

import json
import os
import secrets
import uuid
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import psutil
from filelock import FileLock, Timeout

from errors import EngineError

GATE_SECONDS = 60.0  # the gate is held for moments; longer means a stuck file system
START_TOLERANCE = 2.0  # seconds two readings of one process' start time may differ


@dataclass(frozen=True)
class Who:
    """A process: its pid and when it started, since pids are used again."""

    pid: int
    started: float

    @classmethod
    def of(cls, pid: int) -> Who | None:
        """The process that has this pid now, None where there is none."""
        try:
            return cls(pid, psutil.Process(pid).create_time())
        except psutil.Error:
            return None

    @property
    def alive(self) -> bool:
        """Whether this very process still runs (a zombie does not)."""
        try:
            process = psutil.Process(self.pid)
            return (
                abs(process.create_time() - self.started) < START_TOLERANCE
                and process.status() != psutil.STATUS_ZOMBIE
            )
        except psutil.Error:
            return False


@dataclass(frozen=True)
class State:
    """What state.json says. Phases: starting, running, stopping, failed."""

    phase: str
    supervisor: Who | None = None
    engine: Who | None = None
    bolt_port: int = 0
    http_port: int = 0
    reason: str = ""

    @property
    def supervised(self) -> bool:
        """Whether its supervisor lives and means to go on."""
        return self.phase in ("starting", "running") and self.supervisor is not None and self.supervisor.alive


class EngineFolder:
    """`home/engine` and everything in it."""

    def __init__(self, home: Path) -> None:
        self.root = home.expanduser().absolute() / "engine"
        self.data = self.root / "data"
        self.users = self.root / "users"
        self.log = self.root / "engine.log"
        self.supervisor_log = self.root / "supervisor.log"
        self.password_file = self.root / "password"
        self.write_lock = self.root / "write.lock"
        self._state_file = self.root / "state.json"
        self._keep = self.users / "keep"

    @property
    def exists(self) -> bool:
        """Whether an engine was ever started here."""
        return self._state_file.exists() or self.data.exists()

    def prepare(self) -> None:
        """Make the folders. Raises EngineError where the home cannot be written."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self.root.chmod(0o700)
            self.users.mkdir(exist_ok=True)
            self.data.mkdir(exist_ok=True)
            probe = self.root / f".probe-{uuid.uuid4().hex[:8]}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise EngineError(
                f"The embedded engine keeps its data in {self.root}, which cannot be written "
                f"({error.strerror or error}). Set CATENANE_HOME to a folder of yours, "
                "or NEO4J_URI to use a Neo4j server."
            ) from error

    def gate(self) -> FileLock:
        """The short lock around looking and deciding. Use as a context manager."""
        return FileLock(self.root / "gate.lock", timeout=GATE_SECONDS)

    def life(self) -> FileLock:
        """The lock the supervisor holds while it lives."""
        return FileLock(self.root / "life.lock")

    # ------------------------------------------------------------ state

    def state(self) -> State | None:
        """What the state file says, None where it is missing or unreadable."""
        try:
            raw: dict[str, Any] = json.loads(self._state_file.read_text(encoding="utf-8"))
            who = {key: Who(**raw[key]) if raw.get(key) else None for key in ("supervisor", "engine")}
            return State(**{**raw, **who})
        except (OSError, ValueError, TypeError):
            return None

    def write_state(self, state: State) -> None:
        """Replace the state file in one step."""
        draft = self._state_file.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(json.dumps(asdict(state)), encoding="utf-8")
        draft.replace(self._state_file)

    def change_state(self, supervisor: Who, **changes: Any) -> bool:
        """Change the state if it is still this supervisor's; False where another took over."""
        with self.gate():
            state = self.state()
            if state is None or state.supervisor != supervisor:
                return False
            self.write_state(replace(state, **changes))
            return True

    def clear_state(self, supervisor: Who) -> None:
        """Remove the state file if it is still this supervisor's."""
        with self.gate():
            state = self.state()
            if state is not None and state.supervisor == supervisor:
                self._state_file.unlink(missing_ok=True)

    # ------------------------------------------------------------ password

    def password(self) -> str:
        """The root password, made at first use. Call with the gate held, or after a start."""
        if not self.password_file.exists():
            draft = self.password_file.with_suffix(f".{os.getpid()}.tmp")
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(secrets.token_urlsafe(32))
            draft.replace(self.password_file)
        return self.password_file.read_text(encoding="utf-8").strip()

    # ------------------------------------------------------------ users

    def register(self) -> Path:
        """Note this process as a user; the file returned is its ticket."""
        me = Who.of(os.getpid())
        assert me is not None, "a process can see itself"
        ticket = self.users / f"{me.pid}-{uuid.uuid4().hex[:8]}"
        ticket.write_text(json.dumps(asdict(me)), encoding="utf-8")
        return ticket

    def keep(self, wanted: bool) -> None:
        """Keep the engine although nobody uses it (`engine start`), or no longer."""
        if wanted:
            self._keep.touch()
        else:
            self._keep.unlink(missing_ok=True)

    def live_users(self) -> list[int]:
        """Pids of the live users, one for each ticket; 0 stands for `engine start`.

        Tickets of dead processes are removed.
        """
        found = []
        for ticket in sorted(self.users.glob("*")) if self.users.exists() else ():
            if ticket == self._keep:
                found.append(0)
                continue
            who = _holder(ticket)
            if who is not None and who.alive:
                found.append(who.pid)
            else:
                ticket.unlink(missing_ok=True)
        return found


def _holder(ticket: Path) -> Who | None:
    """The process a ticket is for."""
    try:
        return Who(**json.loads(ticket.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        # Being written right now, or cut off by a full disk: its name still has the pid.
        pid = ticket.name.split("-")[0]
        return Who.of(int(pid)) if pid.isdigit() else None


__all__ = ["EngineFolder", "State", "Timeout", "Who"]
