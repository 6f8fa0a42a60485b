"""Named endpoints, read from one TOML file.

[endpoints.local]
base_url = "http://127.0.0.1:8000/v1"
model = "SmolLM2-135M-Instruct"

[endpoints.big]
base_url = "https://api.example.org/v1"
api_key_env = "BIG_API_KEY"          # the key itself never stands in the file
model = "big-1"
reasoning = true
parameters = { temperature = 0.2, max_tokens = 2000 }
prices = { input = 1.1, cached = 0.55, output = 4.4 }
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errors import InputError, ModelError
from settings import Settings

StructuredMode = Literal["auto", "json_schema", "json_object", "text"]


class Prices(BaseModel):
    """Price of a million tokens, in any one currency. `cached` defaults to `input`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(default=0.0, ge=0)
    cached: float | None = Field(default=None, ge=0)
    output: float = Field(default=0.0, ge=0)


class Endpoint(BaseModel):
    """One model behind one OpenAI-compatible address."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    base_url: str
    model: str
    api_key_env: str | None = None
    structured: StructuredMode = "auto"  # auto: JSON schema, else JSON mode, else parsed text
    reasoning: bool = False  # whether it thinks before it answers
    parameters: dict[str, Any] = Field(default_factory=dict)  # temperature, max_tokens, seed ...
    prices: Prices = Prices()
    max_concurrency: int = Field(default=16, ge=1)
    requests_per_minute: float | None = Field(default=None, gt=0)
    timeout_s: float = Field(default=120.0, gt=0)
    max_attempts: int = Field(default=6, ge=1)

    def api_key(self) -> str:
        """The key from the environment.

        Raises:
            ModelError: the variable is named but not set.
        """
        if self.api_key_env is None:
            return "none"  # the client refuses an empty key; local servers ignore it
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise ModelError(
                f"endpoint {self.name}: the environment variable {self.api_key_env} holds no key"
            )
        return key


def load_endpoints(settings: Settings) -> dict[str, Endpoint]:
    """All endpoints of the settings' file; none where there is no file.

    Raises:
        InputError: the file is no TOML, or an endpoint in it is wrong; names the field.
    """
    path = settings.endpoints_file
    if not path.exists():
        if settings.endpoints is not None:
            raise InputError(f"{path}: no such file (CATENANE_ENDPOINTS names it)")
        return {}
    return parse_endpoints(path)


def parse_endpoints(path: Path) -> dict[str, Endpoint]:
    """Read one TOML file of endpoints; see `load_endpoints`."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not valid TOML: {error}") from error
    tables = data.get("endpoints", {})
    if not isinstance(tables, dict) or set(data) - {"endpoints"}:
        raise InputError(f"{path}: endpoints stand in tables named [endpoints.NAME], and nothing else does")
    endpoints: dict[str, Endpoint] = {}
    for name, table in tables.items():
        if name == "baseline":
            raise InputError(f"{path}: 'baseline' is the name of the built-in extractive answerer")
        if not isinstance(table, dict):
            raise InputError(f"{path}: endpoints.{name} is not a table; write [endpoints.{name}]")
        try:
            endpoints[name] = Endpoint(name=name, **table)
        except (ValidationError, TypeError) as error:
            raise InputError(f"{path}: endpoint {name}: {_first_fault(error)}") from error
    return endpoints


def pick_endpoint(settings: Settings, name: str) -> Endpoint:
    """The endpoint of that name.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    endpoints = load_endpoints(settings)
    if name not in endpoints:
        known = ", ".join(sorted(endpoints)) or f"none: write them into {settings.endpoints_file}"
        raise InputError(f"no endpoint is named {name!r} (there is {known})")
    return endpoints[name]


def _first_fault(error: ValidationError | TypeError) -> str:
    if isinstance(error, TypeError):
        return str(error)
    fault = error.errors()[0]
    return f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
