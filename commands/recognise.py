"""`catenane recognise`: chemical entities in a text."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.console import emit, table
from commands.options import AsJson, example

EPILOG = example('echo "CO2 is reduced to methanol." | catenane recognise -')


def recognise(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="Text; - is standard input.")] = "-",
    recogniser: Annotated[
        str, typer.Option("--recogniser", help="union, dictionary, formula or transformers:MODEL.")
    ] = "union",
    as_json: AsJson = False,
) -> None:
    """Print the mentions of chemical entities in a text. Starts no engine."""
    emit(_document(_text(file), recogniser), as_json, _show)


def _text(file: str) -> str:
    from errors import InputError

    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text: {error}") from error


def _document(text: str, spec: str) -> dict[str, Any]:
    """As an ingest finds them: abbreviations that the text defines, and the kind of the entity."""
    from domain.identity import identity_key
    from domain.packs import load_pack
    from ingest.entities import Resolver, make_recogniser, recognise_document
    from settings import get_settings

    settings = get_settings()
    pack = load_pack(settings.domain_pack)
    (found,), known = recognise_document([text], make_recogniser(spec, settings, pack))
    resolver = Resolver(pack)
    mentions = []
    for mention in found:
        entity = resolver.resolve(mention.surface, known)
        mentions.append(
            {
                "start": mention.start,
                "end": mention.end,
                "surface": mention.surface,
                "kind": entity.kind,
                "key": identity_key(mention.surface),
                "entity": entity.name,
            }
        )
    return {"mentions": mentions}


def _show(document: Mapping[str, Any]) -> None:
    rows = (
        (one["start"], one["end"], one["surface"], one["kind"], one["entity"]) for one in document["mentions"]
    )
    table(("start", "end", "surface", "kind", "entity"), rows, empty="No chemical entity was found.")
