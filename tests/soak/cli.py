"""Run the command line of this checkout on a home of its own, and kill it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


class Home:
    """One data folder, and the commands that run on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("CATENANE_", "NEO4J_"))}
        self.environment = {**kept, "CATENANE_HOME": str(path)}

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A command in its own session, so that killing it kills nothing else."""
        return subprocess.Popen(
            [sys.executable, "-m", "cli", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, allowed: Sequence[int] = (0, 3)) -> Any:
        """A command to its end; its JSON document."""
        process = self.start(*arguments, "--json")
        out, err = process.communicate(timeout=600)
        if process.returncode not in allowed:
            raise RuntimeError(f"{arguments} ended with {process.returncode}: {err[-2000:]}")
        return json.loads(out)

    def kill_after(self, seconds: float, *arguments: str) -> bool:
        """Start a command and kill it with -9 after that long. False: it had ended before."""
        process = self.start(*arguments)
        try:
            process.communicate(timeout=seconds)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return True

    def kill_engine(self) -> bool:
        """Kill the embedded engine's process with -9. False where none was running."""
        pid = self.run("engine", "status").get("pid")
        if not pid:
            return False
        os.kill(int(pid), signal.SIGKILL)
        return True

    def stop(self) -> None:
        """Stop the engine of this home."""
        self.run("engine", "stop", allowed=(0, 1))
        time.sleep(0.1)
