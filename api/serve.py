"""Run the service under uvicorn."""

from __future__ import annotations

import errno
import signal
import socket
import sys
from collections.abc import Callable

from errors import ConflictError, InputError
from jobs.run import attach_early
from jobs.service import ServicePlace
from settings import Settings

# Requests under way when the service is told to stop may take this long; event streams would go on.
GRACE_S = 3


def bind(host: str, port: int, *, or_free: bool = False) -> socket.socket:
    """A listening socket.

    Args:
        host: address to listen on.
        port: 0 takes a free one.
        or_free: where the port is taken, take a free one instead of failing.

    Raises:
        ConflictError: the port is taken.
        InputError: the address is none of this machine, or the port may not be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two processes share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(256)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            if or_free:
                return bind(host, 0)
            raise ConflictError(f"port {port} of {host} is taken; --port 0 takes a free one") from None
        raise InputError(f"cannot listen on {host}, port {port}: {error.strerror}") from None
    except OverflowError:
        listening.close()
        raise InputError(f"{port} is no port; they go from 0 to 65535") from None
    return listening


def address(listening: socket.socket) -> str:
    """The address a browser opens."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def serve(
    settings: Settings, listening: socket.socket, on_ready: Callable[[str], None] | None = None
) -> None:
    """Serve on a bound socket until SIGINT or SIGTERM.

    Args:
        settings: of the home.
        listening: what `bind` gave; closed at the end.
        on_ready: told the address once requests are answered.

    Raises:
        ConflictError: another service runs on this home.
    """
    place = ServicePlace(settings)
    place.take(address(listening))
    attach_early(settings)
    try:
        _run(settings, listening, on_ready)
    finally:
        place.leave()
        listening.close()


def _run(settings: Settings, listening: socket.socket, on_ready: Callable[[str], None] | None) -> None:
    import uvicorn

    from api.app import create_app

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if on_ready is not None and not self.should_exit:
                on_ready(address(listening))

    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
    )
    # Once it has stopped, uvicorn raises the signal again; here being told to stop is a normal end.
    handlers = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        Server(config).run(sockets=[listening])
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)
