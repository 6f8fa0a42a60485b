"""The commands that README and docs show: every `catenane` and `make` line of their shell blocks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer.main

import cli
from settings import REPOSITORY

_BLOCK = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Shown(NamedTuple):
    """One command, and where it stands."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"


def pages() -> list[Path]:
    """Every page that may show a command."""
    return [
        REPOSITORY / "README.md",
        REPOSITORY / "CONTRIBUTING.md",
        *sorted(REPOSITORY.glob("docs/**/*.md")),
    ]


def shown_commands() -> Iterator[Shown]:
    """All commands in order; pipes and redirections end a command, `$ ` and paths before it are dropped."""
    for page in pages():
        for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="|&;<>")
                lexer.whitespace_split = True
                lexer.commenters = "#"
                words: list[str] = []
                for word in lexer:
                    if set(word) <= set("|&;<>"):
                        break
                    words.append(word)
                while words and re.fullmatch(r"[A-Z_][A-Z0-9_]*=.*", words[0]):
                    words.pop(0)  # VARIABLE=value before the command
                if words and Path(words[0]).name in ("catenane", "make"):
                    yield Shown(page.name, (Path(words[0]).name, *words[1:]))


def parse(words: tuple[str, ...]) -> Any:
    """Parse `catenane ...` against the real command line, without running it.

    Returns the innermost context; raises the parser's own error on a wrong option or argument.
    """
    command: Any = typer.main.get_command(cli.app)
    arguments = list(words[1:])
    context: Any = None
    name = "catenane"
    while True:
        context = command.make_context(name, arguments, parent=context)
        if not hasattr(command, "commands"):
            return context
        rest = [*getattr(context, "_protected_args", ()), *context.args]
        name, command, arguments = command.resolve_command(context, rest)
