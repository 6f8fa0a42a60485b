"""How the embedded engine is called: its runtime, class path and options."""

from __future__ import annotations

import importlib.util
import os
import platform
import socket
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from errors import EngineError
from graph.engine.folder import EngineFolder

DATABASE = "catenane"
USER = "root"
PACKAGE = "arcadedb-embedded"

# Longest a single command may run, in milliseconds: above the longest ingest statement, and what
# stops a runaway query, since the engine ignores the time-out a Bolt client sends.
COMMAND_TIMEOUT_MS = 600_000

# Wire protocols and tools we do not use: leaving them out opens no more ports and starts sooner.
_LEFT_OUT = (
    "arcadedb-console",
    "arcadedb-graphql",
    "arcadedb-integration",
    "arcadedb-mcp",
    "arcadedb-postgresw",
    "arcadedb-python-bridge",
    "arcadedb-redisw",
)


def engine_version() -> str:
    """Version of the installed engine package, empty where it is not installed."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return ""


def runtime() -> tuple[Path, list[Path]]:
    """The Java executable and the jars that the package brought.

    Raises EngineError, pointing to Neo4j, where there is no build for this machine.
    """
    spec = importlib.util.find_spec("arcadedb_embedded")
    root = Path(spec.origin).parent if spec and spec.origin else None
    java = root / "jre" / "bin" / ("java.exe" if os.name == "nt" else "java") if root else None
    if root is None or java is None or not java.exists():
        raise EngineError(
            f"The embedded engine ({PACKAGE}) is not installed: it has builds for Linux x86_64, macOS arm64 "
            f"and Windows x64, and this is {platform.system()} {platform.machine()}. "
            "Set NEO4J_URI, NEO4J_USER and NEO4J_PASSWORD to use a Neo4j server (5.26 or newer) instead."
        )
    jars = [jar for jar in sorted((root / "jars").glob("*.jar")) if not jar.name.startswith(_LEFT_OUT)]
    return java, jars


def free_ports(count: int) -> list[int]:
    """Ports of loopback that are free right now; somebody may still take one before the engine does."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_STREAM) for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()


def is_free(port: int) -> bool:
    """Whether nobody listens on this port of loopback right now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name != "nt":  # connections of before that linger do not count; on Windows this would mean more
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def command(folder: EngineFolder, memory: str, bolt_port: int, http_port: int) -> list[str]:
    """The argument list that starts the engine; it holds no secret, the password is read from its file."""
    java, jars = runtime()
    options = {
        "arcadedb.server.mode": "production",
        "arcadedb.server.name": "catenane",
        "arcadedb.server.rootPath": folder.data,
        "arcadedb.server.databaseDirectory": folder.data / "databases",
        "arcadedb.server.rootPasswordPath": folder.password_file,
        "arcadedb.server.httpIncomingHost": "127.0.0.1",
        "arcadedb.server.httpIncomingPort": http_port,
        "arcadedb.server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "arcadedb.bolt.host": "127.0.0.1",
        "arcadedb.bolt.port": bolt_port,
        "arcadedb.serverMetrics": "false",
        "arcadedb.opencypher.loadCsv.allowFileUrls": "false",
        "arcadedb.opencypher.loadCsv.allowRemoteUrls": "false",
        "arcadedb.command.timeout": COMMAND_TIMEOUT_MS,
        "arcadedb.queryMaxRangeSize": 1_000_000,
    }
    return [
        str(java),
        f"-Xmx{memory}",
        "-XX:+UseSerialGC",  # two thirds of the start-up time of the default on two cores
        "-XX:+ExitOnOutOfMemoryError",  # the supervisor starts it anew; half-alive helps nobody
        f"-XX:ErrorFile={folder.root / 'crash-%p.log'}",
        "--enable-native-access=ALL-UNNAMED",
        "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
        "--add-opens=java.base/java.nio.channels.spi=ALL-UNNAMED",
        "-Djava.awt.headless=true",
        *(f"-D{key}={value}" for key, value in options.items()),
        "-cp",
        os.pathsep.join(str(jar) for jar in jars),
        "com.arcadedb.server.ArcadeDBServer",
    ]


def environment() -> dict[str, str]:
    """Our environment without what would change the Java runtime's behaviour."""
    dropped = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"}
    return {key: value for key, value in os.environ.items() if key not in dropped}
