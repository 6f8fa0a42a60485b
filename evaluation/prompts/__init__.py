"""The prompts of the model answerer, as files; their hashes are part of a run's identity."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

NAMES = ("system", "closed_book", "passages", "graph")

_PLACE = re.compile(r"\{\{(\w+)\}\}")


@lru_cache
def text(name: str) -> str:
    """The prompt file `name.md`, without the white space around it."""
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8").strip()


def fill(name: str, values: Mapping[str, str]) -> str:
    """The prompt with `{{word}}` replaced, in one pass: what is put in is never read as a place."""
    return _PLACE.sub(lambda place: values[place[1]], text(name))


def sha256() -> str:
    """One hash over all prompts of the answerer."""
    return hashlib.sha256("\x1f".join(text(name) for name in NAMES).encode()).hexdigest()
