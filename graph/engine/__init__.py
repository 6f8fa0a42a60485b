"""The embedded engine: ArcadeDB as a supervised child on loopback, one per home.

    home/engine/
        password      random, mode 0600
        state.json    phase, pids, ports (written by whoever starts and by the supervisor)
        gate.lock     held for moments: registering a user, starting, deciding to stop
        life.lock     held by the supervisor for as long as it lives: never two on a home
        write.lock    held by whoever writes, for a transaction (graph.turns)
        users/        one file a user (its pid and start time), and `keep` after `engine start`
        engine.log    what the engine says; supervisor.log: what its supervisor says
        data/         its databases

A user (`attach`) registers and starts a supervisor where none lives. The supervisor starts the
engine, starts it anew when it dies, drops users whose process is gone (also by kill -9), and
stops the engine once nobody is left. Locks are the operating system's, so a dead holder's lock
is free at once; what the state file says is believed only while its processes live.
"""

from __future__ import annotations

from graph.engine.control import EngineStatus, Lease, attach, start, status, stop

__all__ = ["EngineStatus", "Lease", "attach", "start", "status", "stop"]
