"""Word lists of the extractive baseline, from `words.toml` beside this file."""

from __future__ import annotations

import tomllib
from pathlib import Path

_LISTS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_LISTS[name].split())


AUXILIARIES = _words("auxiliaries")
STOPWORDS = AUXILIARIES | _words("function_words")
VERBS = _words("verbs")
MONTHS = _words("months")
PLACE_NOUNS = _words("place_nouns")
TIME_NOUNS = _words("time_nouns")
SMALLER = _words("smaller")
