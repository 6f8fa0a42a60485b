"""The schema and its versions: numbered files in `cypher/schema/`, each applied once.

What was applied is recorded in the graph, as `(:SchemaVersion {number, name, at})`. All commands
are `IF NOT EXISTS`, so two processes that apply the same file at once do no harm.
"""

from __future__ import annotations

from datetime import UTC, datetime

from errors import EngineError
from graph.connection import Connection
from graph.statements import migrations


async def migrate(connection: Connection) -> list[str]:
    """Bring the schema up to date; the names of the files applied now.

    Raises EngineError where the graph was written by a newer version of the code.
    """
    shipped = migrations()
    newest = shipped[-1][0]
    applied = {row["number"] for row in await connection.read("schema/versions.applied")}
    if beyond := [number for number in applied if number > newest]:
        raise EngineError(
            f"This graph has schema version {max(beyond)} and this code knows {newest}: "
            "it was written by a newer version of Catenane. Update the code, or use another home."
        )
    done = []
    for number, name, commands in shipped:
        if number in applied:
            continue
        for text in commands:
            await connection.command(text)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        await connection.write("schema/versions.record", number=number, name=name, at=at)
        done.append(name)
    return done
