"""The command line: `catenane NOUN VERB ...`.

Standard output carries the answer and nothing else. An error is one line on standard error and
an exit code: 1 failed, 2 wrong usage, 3 finished with some inputs refused, 130 interrupted.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from errors import CataneneError

# One file of `commands/` for each noun, in the order of the help; the name is the file's.
GROUPS = (
    "engine",
    "corpora",
    "documents",
    "entities",
    "relations",
    "graph",
    "paths",
    "questions",
    "datasets",
    "graphs",
    "evaluate",
    "jobs",
)
# Files that hold one command without a noun: its function has the name of the file.
SINGLES = ("demo", "serve", "ingest", "recognise", "report", "stats", "reset", "doctor")

app = typer.Typer(
    name="catenane",
    help="From scientific papers to a knowledge graph, multi-hop questions and an evaluation.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from settings import program_version

        print(program_version())
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """From scientific papers to a knowledge graph, multi-hop questions and an evaluation."""


def _assemble() -> None:
    for name in SINGLES:
        module = import_module(f"commands.{name}")
        app.command(name, epilog=module.EPILOG)(getattr(module, name))
    for name in GROUPS:
        app.add_typer(import_module(f"commands.{name}").app, name=name, no_args_is_help=True)


_assemble()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(message)s")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code: Any = app(args=arguments, prog_name="catenane", standalone_mode=False)
    except TyperException as error:
        return _wrong_usage(error, as_json="--json" in arguments)
    except CataneneError as error:
        return _failed(error, as_json="--json" in arguments)
    except typer.Abort:
        print("Not done.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read our output has seen enough; do not complain when Python flushes it again.
        sys.stdout = open("/dev/null", "w", encoding="utf-8")  # noqa: PTH123, SIM115
        return 1
    return code if isinstance(code, int) else 0


def _failed(error: CataneneError, as_json: bool) -> int:
    print(f"catenane: {_one_line(str(error))}", file=sys.stderr)
    if as_json:
        problem = {"type": error.slug, "title": error.title, "detail": str(error)}
        print(json.dumps({"error": problem}, ensure_ascii=False))
    return error.exit_code


def _wrong_usage(error: TyperException, *, as_json: bool = False) -> int:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        # The help was asked for by saying nothing; it is no answer, so it goes to standard error.
        print(error.format_message(), file=sys.stderr)
        return error.exit_code
    where = context.command_path if context is not None else "catenane"
    message = _one_line(error.format_message()).removesuffix(".")
    print(f"{where}: {message}. See `{where} --help`.", file=sys.stderr)
    if as_json:
        problem = {"type": "wrong-usage", "title": "The command was not understood", "detail": message}
        print(json.dumps({"error": problem}, ensure_ascii=False))
    return error.exit_code


def _one_line(text: str) -> str:
    return " ".join(text.split())


def main() -> None:
    """The console script."""
    sys.exit(run())


if __name__ == "__main__":
    main()
