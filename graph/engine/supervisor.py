"""The process between the users and the engine: `python -m graph.engine.supervisor HOME`.

It outlives whoever started it, holds the life lock, and goes when the last user is gone.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from types import FrameType

import psutil

from errors import CataneneError, EngineError
from graph.engine.command import command, environment, free_ports, is_free
from graph.engine.folder import EngineFolder, Timeout, Who
from graph.engine.http import answers, ensure_database

POLL_SECONDS = 0.25
READY_SECONDS = 120.0  # two seconds on a quiet machine
STOP_SECONDS = 30.0
LIFE_SECONDS = 60.0  # how long to wait for a predecessor that is stopping
PORT_TRIES = 5
PORT_TAKEN = ("already in use", "BindException", "Unable to listen")
GAVE_UP = 'Exception in thread "main"'  # the engine's own word; its process may stay nevertheless
RESTARTS, RESTART_WINDOW = 5, 120.0  # more deaths than this in the window: something is wrong


class Supervisor:
    """Keeps one engine running on one home for as long as it has users."""

    def __init__(self, folder: EngineFolder, memory: str, idle_seconds: float) -> None:
        self.folder, self.memory, self.idle_seconds = folder, memory, idle_seconds
        me = Who.of(os.getpid())
        assert me is not None, "a process can see itself"
        self.me = me
        self.engine: psutil.Process | None = None
        self.child: subprocess.Popen[bytes] | None = None  # None for an adopted engine
        self.ports = (0, 0)  # Bolt, HTTP
        self.asked_to_stop = False

    def run(self) -> int:
        """Until nobody needs the engine. Returns an exit code."""
        life = self.folder.life()
        try:
            life.acquire(timeout=LIFE_SECONDS, poll_interval=0.05)
        except Timeout:
            self._say("failed", reason="another supervisor holds this home and does not let go")
            return 1
        try:
            self._adopt_or_start()
            self._watch()
        except (CataneneError, OSError, psutil.Error) as error:
            self._stop_engine()
            self._say("failed", reason=str(error))
            return 1
        finally:
            life.release()
        return 0

    def _say(self, phase: str, reason: str = "") -> None:
        engine = Who.of(self.engine.pid) if self.engine else None
        self.folder.change_state(
            self.me,
            phase=phase,
            engine=engine,
            bolt_port=self.ports[0],
            http_port=self.ports[1],
            reason=reason,
        )

    # ------------------------------------------------------------ starting

    def _adopt_or_start(self) -> None:
        """Take over the engine a killed supervisor left behind, if it is well; else start one."""
        with self.folder.gate():
            state, password = self.folder.state(), self.folder.password()
        left = state.engine if state else None
        if state:
            self.ports = (state.bolt_port, state.http_port)
        if state and left and left.alive:
            self.engine = psutil.Process(left.pid)
            if answers(state.http_port, state.bolt_port, password, seconds=15):
                self._say("running")
                return
            self._stop_engine()
        self._start(password)

    def _start(self, password: str) -> None:
        """Start the engine, on the former ports where they are free, so that drivers find it again."""
        for attempt in range(PORT_TRIES):
            if attempt or len(set(self.ports)) < 2 or not all(map(is_free, self.ports)):
                bolt, http = free_ports(2)
                self.ports = (bolt, http)
            with self.folder.log.open("wb") as log:
                self.child = subprocess.Popen(
                    command(self.folder, self.memory, *self.ports),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    cwd=self.folder.root,
                    env=environment(),
                )
            self.engine = psutil.Process(self.child.pid)
            self._say("starting")
            if self._wait_ready(password):
                ensure_database(self.ports[1], password)
                self._say("running")
                return
            self._stop_engine(patient=False)
            if not any(words in self._log() for words in PORT_TAKEN):
                break
        raise EngineError(f"the engine did not start; {self.folder.log} ends with: {self._log()[-1500:]}")

    def _log(self) -> str:
        return self.folder.log.read_text(encoding="utf-8", errors="replace")

    def _wait_ready(self, password: str) -> bool:
        until = time.monotonic() + READY_SECONDS
        while time.monotonic() < until and not self.asked_to_stop and self._engine_alive():
            if answers(self.ports[1], self.ports[0], password):
                return True
            if GAVE_UP in self._log():
                break
            time.sleep(0.05)
        return False

    # ------------------------------------------------------------ watching

    def _engine_alive(self) -> bool:
        if self.child is not None:
            return self.child.poll() is None
        try:
            return (
                self.engine is not None
                and self.engine.is_running()
                and self.engine.status() != psutil.STATUS_ZOMBIE
            )
        except psutil.Error:
            return False

    def _watch(self) -> None:
        deaths: deque[float] = deque(maxlen=RESTARTS)
        last_used = time.monotonic()
        while True:
            if not self._engine_alive():
                now = time.monotonic()
                if len(deaths) == RESTARTS and now - deaths[0] < RESTART_WINDOW:
                    raise EngineError(
                        f"the engine died {RESTARTS + 1} times in two minutes, see {self.folder.log}"
                    )
                deaths.append(now)
                self._start(self.folder.password())
            used = bool(self.folder.live_users())
            last_used = time.monotonic() if used else last_used
            idle = not used and time.monotonic() - last_used >= self.idle_seconds
            if (self.asked_to_stop or idle) and self._leave():
                return
            time.sleep(POLL_SECONDS)

    def _leave(self) -> bool:
        """Stop, unless somebody came in the meantime."""
        with self.folder.gate():
            if not self.asked_to_stop and self.folder.live_users():
                return False
            state = self.folder.state()
            if state is not None and state.supervisor == self.me:
                self.folder.write_state(replace(state, phase="stopping"))
        self._stop_engine()
        self.folder.clear_state(self.me)
        return True

    def _stop_engine(self, *, patient: bool = True) -> None:
        """Stop the engine; one that never came up is not given time to close what it did not open."""
        if self.engine is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            if patient:
                self.engine.terminate()
            else:
                self.engine.kill()
            try:
                self._reap(STOP_SECONDS)
            except (psutil.TimeoutExpired, subprocess.TimeoutExpired):
                self.engine.kill()  # every acknowledged transaction is on disk
                self._reap(STOP_SECONDS)
        self.engine = None
        self.child = None

    def _reap(self, seconds: float) -> None:
        if self.child is not None:
            self.child.wait(seconds)
        elif self.engine is not None:
            self.engine.wait(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(prog="graph.engine.supervisor")
    parser.add_argument("home", type=Path)
    parser.add_argument("--memory", default="1g")
    parser.add_argument("--idle", type=float, default=0.0)
    arguments = parser.parse_args()
    supervisor = Supervisor(EngineFolder(arguments.home), arguments.memory, arguments.idle)

    def ask(_signal: int, _frame: FrameType | None) -> None:
        supervisor.asked_to_stop = True

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return supervisor.run()


if __name__ == "__main__":
    sys.exit(main())
