"""One Bolt client for both engines: named statements in, plain rows out.

Only names of statements go in (see `graph.statements`); values are parameters, always. A write is
one transaction and is tried again on a transient error, on the embedded engine's answer to two
writers of one new key, and after the engine was lost and found again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from neo4j import (
    READ_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncTransaction,
    Query,
)
from neo4j.exceptions import AuthError, DriverError, Neo4jError
from neo4j.graph import Node, Path, Relationship

from errors import ConflictError, EngineError
from graph.engine import Lease, attach
from graph.retry import CONSTRAINT, Backoff, lost, worth_retrying
from graph.statements import Statement, statement
from graph.turns import WriteTurns
from settings import Settings

# What the driver logs when the engine goes away is handled here, by trying again or by an error of ours.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")
Rows = list[dict[str, Any]]
Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class EngineInfo:
    """Which engine we talk to. `kind` is "embedded" or "neo4j"."""

    kind: Literal["embedded", "neo4j"]
    uri: str
    version: str
    database: str


def plain(value: Any) -> Any:
    """A value as Python's own types: a node or relationship becomes the dict of its properties."""
    if isinstance(value, Node | Relationship):
        return dict(value)
    if isinstance(value, Path):
        return [dict(part) for part in value.relationships]
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


class Transaction:
    """One transaction: statements see what earlier ones wrote, and all of it happens or none."""

    def __init__(self, transaction: AsyncTransaction) -> None:
        self._transaction = transaction

    async def run(self, name: str, /, **parameters: Any) -> Rows:
        """Rows of a statement, each a dict."""
        wanted = _checked(name, parameters)
        result = await self._transaction.run(wanted.text, parameters)
        return [_row(record) async for record in result]


class Connection:
    """A connection to the graph, bound to the event loop it was opened on."""

    def __init__(self, driver: AsyncDriver, engine: EngineInfo, lease: Lease | None = None) -> None:
        self._driver, self._lease = driver, lease
        self.engine = engine
        self._backoff = Backoff()
        self._finding = asyncio.Lock()
        self._turns = WriteTurns(lease.write_lock) if lease is not None else None

    async def close(self) -> None:
        """Close the driver and give the engine back; it stops with its last user."""
        await self._driver.close()
        if self._lease is not None:
            self._lease.release()

    # ------------------------------------------------------------ statements

    async def read(self, name: str, /, **parameters: Any) -> Rows:
        """Rows of a reading statement, each a dict. Not a snapshot across statements."""
        wanted = _checked(name, parameters)

        async def once() -> Rows:
            async with self._driver.session(
                database=self.engine.database, default_access_mode=READ_ACCESS
            ) as session:
                result = await session.run(_query(wanted), parameters)
                return [_row(record) async for record in result]

        return await self._tried(name, once)

    async def write(self, name: str, /, **parameters: Any) -> Rows:
        """Rows of a writing statement, run in a transaction of its own."""
        return (await self.write_all([(name, parameters)]))[0]

    async def write_all(self, batch: Sequence[Call]) -> list[Rows]:
        """All statements in one transaction, in order: all of it happens, or none."""
        for name, parameters in batch:
            _checked(name, parameters)

        async def work(transaction: Transaction) -> list[Rows]:
            return [await transaction.run(name, **parameters) for name, parameters in batch]

        return await self.transact(", ".join(dict.fromkeys(name for name, _ in batch)), work)

    async def transact(self, what: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work` in one transaction and commit it; `what` names it in errors.

        It may run several times, so it must have no effect but on the graph.
        """

        async def once() -> T:
            turn = self._turns.turn() if self._turns is not None else nullcontext()
            async with turn, self._driver.session(database=self.engine.database) as session:
                transaction = await session.begin_transaction()
                async with transaction:
                    result = await work(Transaction(transaction))
                    await transaction.commit()
                return result

        return await self._tried(what, once)

    async def command(self, text: str) -> None:
        """A schema command, which stands in a transaction of its own. Only for `graph.migrations`."""

        async def once() -> None:
            async with self._driver.session(database=self.engine.database) as session:
                await (await session.run(Query(text))).consume()

        await self._tried("schema", once)

    async def explain(self, name: str, parameters: Mapping[str, Any]) -> None:
        """Let the engine compile a statement without running it. Only for tests.

        The embedded engine executes schema commands even so: use it on reading and writing
        statements only.
        """
        text = Query("EXPLAIN " + statement(name).text)
        async with self._driver.session(database=self.engine.database) as session:
            await (await session.run(text, dict(parameters))).consume()

    # ------------------------------------------------------------ trying again

    async def _tried(self, what: str, once: Callable[[], Awaitable[T]]) -> T:
        attempt = 0
        while True:
            try:
                return await once()
            except (Neo4jError, DriverError, OSError) as error:
                attempt += 1
                if attempt >= self._backoff.tries or not worth_retrying(error):
                    raise _readable(what, error) from error
                await asyncio.sleep(self._backoff.wait(attempt - 1))
                if lost(error):
                    await self._find_again()

    async def _find_again(self) -> None:
        """The embedded engine died or moved: have it started, and follow it to a new address."""
        if self._lease is None:
            return
        async with self._finding:
            if await asyncio.to_thread(self._lease.renew):
                former, self._driver = (
                    self._driver,
                    _driver(self._lease.uri, self._lease.user, self._lease.password),
                )
                self.engine = EngineInfo(
                    self.engine.kind, self._lease.uri, self.engine.version, self.engine.database
                )
                await former.close()


def _checked(name: str, parameters: Mapping[str, Any]) -> Statement:
    found = statement(name)
    if missing := found.parameters - parameters.keys():
        raise EngineError(f"Statement {name} needs the parameters {', '.join(sorted(missing))}.")
    if surplus := parameters.keys() - found.parameters:
        raise EngineError(f"Statement {name} takes no parameters {', '.join(sorted(surplus))}.")
    return found


def _query(wanted: Statement) -> Query:
    return Query(wanted.text)


def _row(record: Any) -> dict[str, Any]:
    return {key: plain(value) for key, value in record.items()}


def _readable(what: str, error: BaseException) -> EngineError | ConflictError:
    if isinstance(error, Neo4jError) and error.code == CONSTRAINT:
        return ConflictError(f"The graph refused {what}: {error.message}")
    return EngineError(f"The graph engine failed on {what}: {error}")


def _driver(uri: str, user: str, password: str) -> AsyncDriver:
    return AsyncGraphDatabase.driver(
        uri,
        auth=(user, password),
        max_connection_pool_size=32,
        max_transaction_retry_time=0,  # one retry layer, ours
        connection_acquisition_timeout=120,
        notifications_min_severity="OFF",
        telemetry_disabled=True,
    )


async def open_driver(settings: Settings) -> tuple[AsyncDriver, EngineInfo, Lease | None]:
    """A verified driver for these settings, what it talks to, and the lease of an embedded engine."""
    if settings.neo4j_uri:
        uri, database = settings.neo4j_uri, settings.neo4j_database
        driver = _driver(uri, settings.neo4j_user, settings.neo4j_password.get_secret_value())
        try:
            info = await driver.get_server_info()
        except AuthError as error:
            await driver.close()
            raise EngineError(f"{uri} refused user {settings.neo4j_user}: check NEO4J_PASSWORD.") from error
        except (Neo4jError, DriverError, OSError, ValueError) as error:
            await driver.close()
            raise EngineError(f"No Neo4j server answers at {uri} (NEO4J_URI): {error}") from error
        return driver, EngineInfo("neo4j", uri, str(info.agent).removeprefix("Neo4j/"), database), None
    lease = await asyncio.to_thread(attach, settings)
    driver = _driver(lease.uri, lease.user, lease.password)
    return driver, EngineInfo("embedded", lease.uri, lease.version, lease.database), lease
