"""The two tables of the job store, and how its database is opened.

SQLite in the home by default (write-ahead log, so that a reader never waits for the
executor), Postgres where `CATENANE_DATABASE_URL` says so. The job engine keeps its own
tables beside ours: in a second SQLite file, or in its own schema of the same Postgres.
"""

from __future__ import annotations

import os
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.schema import CreateIndex, CreateTable

from errors import JobError
from settings import Settings

metadata = sa.MetaData()

job = sa.Table(
    "catenane_job",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("params", sa.Text, nullable=False),  # JSON
    sa.Column("params_sha256", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("created", sa.Text, nullable=False),  # ISO 8601, UTC: sorts as text
    sa.Column("started", sa.Text),
    sa.Column("ended", sa.Text),
    sa.Column("result", sa.Text),  # JSON
    sa.Column("error", sa.Text),  # JSON
    sa.Column("trace", sa.Text),  # traceback of an error nobody raised on purpose
    sa.Column("refused", sa.Integer, nullable=False),
    sa.Column("cancel_requested", sa.Boolean, nullable=False),
    sa.Column("idempotency_key", sa.Text, unique=True),
)
job_by_state = sa.Index("catenane_job_state", job.c.state, job.c.created)

job_event = sa.Table(
    "catenane_job_event",
    metadata,
    # AUTOINCREMENT, so that a number is never given twice: a stream resumes from it.
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("job", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("stage", sa.Text, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer),
    sa.Column("message", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)
event_by_job = sa.Index("catenane_job_event_job", job_event.c.job, job_event.c.seq)


def open_engine(settings: Settings, file: str) -> sa.Engine:
    """The database engine: Postgres if set, else the SQLite file of this name in the home."""
    if settings.database_url:
        return sa.create_engine(settings.database_url, pool_pre_ping=True)
    settings.home.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(f"sqlite:///{settings.home / file}")
    event.listen(engine, "connect", _tune_sqlite)
    return engine


def _tune_sqlite(connection: Any, _record: object) -> None:
    # IMMEDIATE: a writer waits at the start of its transaction instead of failing in its middle.
    # NORMAL is safe against a killed process with a write-ahead log, and a third faster.
    connection.isolation_level = "IMMEDIATE"
    for pragma in ("busy_timeout=30000", "foreign_keys=ON", "journal_mode=WAL", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def create_tables(engine: sa.Engine) -> None:
    """Make the tables where they are missing; safe when two processes do it at once."""
    try:
        with engine.begin() as connection:
            for table in (job, job_event):
                connection.execute(CreateTable(table, if_not_exists=True))
            for index in (job_by_state, event_by_job):
                connection.execute(CreateIndex(index, if_not_exists=True))
    except sa.exc.SQLAlchemyError as error:
        where = engine.url.render_as_string(hide_password=True)
        raise JobError(f"the job store {where} cannot be opened: {error.__cause__ or error}") from error
    if engine.dialect.name == "sqlite" and engine.url.database and os.name == "posix":
        os.chmod(engine.url.database, 0o600)  # noqa: PTH101 - parameters may name private files
