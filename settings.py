"""Settings: read from the environment, each one documented in `docs/settings.md`.

Anyone may import this module; it imports nothing of ours but the errors.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from errors import InputError

REPOSITORY = Path(__file__).resolve().parent


class Settings(BaseSettings):
    """Everything that can be set. Names without an alias are read as `CATENANE_<NAME>`."""

    model_config = SettingsConfigDict(env_prefix="CATENANE_", extra="ignore", populate_by_name=True)

    home: Path = Field(
        default_factory=lambda: user_data_path("catenane", appauthor=False),
        description="Folder that holds everything of one installation; two homes never meet.",
    )
    endpoints: Path | None = Field(
        default=None, description="TOML file of model endpoints; by default endpoints.toml in the home."
    )
    host: str = Field(default="127.0.0.1", description="Address the service listens on.")
    port: int = Field(default=8080, description="Port of the service; 0 takes a free one.")
    allowed_hosts: str = Field(
        default="",
        description="Further host names the service answers to, with commas between; * for any.",
    )
    max_upload_mb: int = Field(
        default=1024, ge=1, description="Requests to the service with more MB are refused."
    )
    database_url: str | None = Field(
        default=None,
        description="Job store; by default SQLite in the home. Postgres: postgresql+psycopg://...",
    )
    job_workers: int = Field(default=2, ge=1, description="Jobs that run at the same time.")
    document_workers: int = Field(default=2, ge=1, description="Documents ingested at the same time.")
    introduction_words: int = Field(
        default=500, ge=1, description="Words kept of an introduction (chemistry paper, section 3.1)."
    )
    chunk_words: int = Field(
        default=128, ge=1, description="Most words of a chunk (chemistry paper, section 3.1)."
    )
    max_facts: int = Field(default=12, ge=1, description="Most relations taken from one chunk.")
    max_file_mb: int = Field(default=200, ge=1, description="Files above this many MB are refused.")
    domain_pack: str = Field(default="chemistry", description="Name of the domain pack.")
    engine_memory: str = Field(default="1g", description="Java heap of the embedded engine.")
    engine_idle_seconds: int = Field(
        default=20,
        ge=0,
        description="Stop the embedded engine this long after its last user, so that the next command "
        "finds it running; 0: at once.",
    )

    neo4j_uri: str | None = Field(
        default=None,
        validation_alias=AliasChoices("NEO4J_URI", "neo4j_uri"),
        description="Bolt address of a Neo4j server; unset: the embedded engine.",
    )
    neo4j_user: str = Field(
        default="neo4j",
        validation_alias=AliasChoices("NEO4J_USER", "neo4j_user"),
        description="User of the Neo4j server.",
    )
    neo4j_password: SecretStr = Field(
        default=SecretStr(""),
        validation_alias=AliasChoices("NEO4J_PASSWORD", "neo4j_password"),
        description="Password of the Neo4j server.",
    )
    neo4j_database: str = Field(
        default="neo4j",
        validation_alias=AliasChoices("NEO4J_DATABASE", "neo4j_database"),
        description="Database on the Neo4j server; always named, which saves a round trip.",
    )

    @property
    def endpoints_file(self) -> Path:
        """The TOML file of model endpoints, whether or not it exists."""
        return self.endpoints or self.home / "endpoints.toml"


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process. Tests build their own `Settings(home=tmp_path)`.

    Raises InputError, naming the variable, where one cannot be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        fault = error.errors()[0]
        name = "_".join(str(part) for part in fault["loc"]).upper()
        variable = name if name.startswith("NEO4J_") else f"CATENANE_{name}"
        raise InputError(f"{variable}={fault['input']}: {fault['msg']}") from error


def program_version() -> str:
    """The version of this program, also where it runs from a checkout that was never installed."""
    try:
        return version("catenane")
    except PackageNotFoundError:
        project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
        return str(project["project"]["version"])
