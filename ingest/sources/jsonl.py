"""JSON Lines: one document a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from domain.formulas import plain_unicode
from errors import InputError
from ingest.sources.assemble import assemble
from ingest.sources.decoding import decode, without_controls
from ingest.sources.draft import Draft, Raw
from ingest.sources.metadata import clean_doi, find_date, find_license
from ingest.sources.plain_text import text_raws

_TEXTS = ("id", "title", "doi", "version", "license", "url", "published", "text")
_LISTS = ("authors", "paragraphs")
_EITHER = ("abstract", "introduction")  # a text, or a list of paragraphs


@dataclass(frozen=True)
class Record:
    """One line: a draft, or the reason why there is none. `name` stands in for a missing title."""

    line: int
    name: str
    content: bytes
    outcome: Draft | str


def read_jsonl(content: bytes) -> Iterator[Record]:
    """The records of the file, blank lines left out.

    Fields: `title`, `authors`, `doi`, `version`, `license`, `url`, `published`, `id`; and the text as
    `text`, `paragraphs`, `sections` (objects with `heading` and `paragraphs` or `text`), or `abstract`
    and `introduction`. Unknown fields are ignored.

    Raises:
        InputError: the file cannot be decoded.
    """
    text, warnings = decode(content)
    for number, line in enumerate(text.splitlines() if "\n" not in text else text.split("\n"), start=1):
        if line.strip():
            yield _record(number, line.strip(), warnings)


def _record(number: int, line: str, warnings: list[str]) -> Record:
    raw = line.encode()
    try:
        fields = _clean(json.loads(line), number)
        draft = _draft(fields, number, warnings)
    except json.JSONDecodeError as error:
        reason = (
            f"line {number}: it is no JSON ({error.msg} at column {error.colno}); "
            "each line must be one object."
        )
        return Record(number, f"line {number}", raw, reason)
    except RecursionError:
        return Record(number, f"line {number}", raw, f"line {number}: it is nested too deeply.")
    except InputError as error:
        return Record(number, f"line {number}", raw, str(error))
    return Record(number, fields.get("id") or f"line {number}", raw, draft)


def _clean(value: Any, number: int) -> Any:
    """The value without control characters; half a character (a lone surrogate) is refused."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"line {number}: it holds half a character (\\u{ord(value[error.start]):04x})."
            ) from error
        return without_controls(value)
    if isinstance(value, list):
        return [_clean(item, number) for item in value]
    if isinstance(value, dict):
        return {_clean(key, number): _clean(item, number) for key, item in value.items()}
    return value


def _draft(fields: Any, number: int, warnings: list[str]) -> Draft:
    if not isinstance(fields, dict):
        raise InputError(f"line {number}: it is {_what(fields)}, not an object.")
    _check(fields, number)
    draft = Draft(warnings=list(warnings))
    draft.title = plain_unicode(fields.get("title") or "").strip()
    draft.authors = tuple(fields.get("authors") or ())
    draft.doi, draft.version = clean_doi(fields.get("doi") or "")
    draft.version = fields.get("version") or draft.version
    draft.license = find_license(fields.get("license") or "") or fields.get("license")
    draft.url = fields.get("url")
    draft.published = find_date(fields.get("published") or "")
    raws = [Raw(plain_unicode(text), kind="abstract") for text in _paragraphs(fields.get("abstract"))]
    if introduction := _paragraphs(fields.get("introduction")):
        # given as such it is what is wanted; the whole text may hold it a second time
        raws += [Raw("Introduction", level=1), *(Raw(plain_unicode(text)) for text in introduction)]
    else:
        raws += [raw for section in fields.get("sections") or () for raw in _section(section)]
        raws += [Raw(plain_unicode(text), kind="paragraph") for text in _paragraphs(fields.get("paragraphs"))]
        raws += text_raws(fields.get("text") or "", has_title=True)
    if not raws:
        raise InputError(
            f"line {number}, field text: there is none; give text, paragraphs, sections, or abstract "
            "and introduction."
        )
    return assemble(raws, draft)


def _section(section: dict[str, Any]) -> list[Raw]:
    heading = plain_unicode(section.get("heading") or "").strip()
    texts = [*_paragraphs(section.get("paragraphs")), *_paragraphs(section.get("text"))]
    raws = [Raw(plain_unicode(text), kind="paragraph") for text in texts]
    return [Raw(heading, level=1), *raws] if heading else raws


def _paragraphs(value: str | list[str] | None) -> list[str]:
    values = [value] if isinstance(value, str) else value or []
    return [text.strip() for text in values if text.strip()]


def _check(fields: dict[str, Any], number: int) -> None:
    """The types of the fields that are read; a wrong one is named."""

    def wrong(field: str, wanted: str) -> InputError:
        return InputError(
            f"line {number}, field {field}: it is {_what(fields[field])}, and must be {wanted}."
        )

    for field, value in fields.items():
        is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if value is None:
            continue
        if field in _TEXTS and not isinstance(value, str):
            raise wrong(field, "a text")
        if field in _LISTS and not is_list:
            raise wrong(field, "a list of texts")
        if field == "sections" and not (isinstance(value, list) and all(map(_is_section, value))):
            raise wrong(field, "a list of objects with heading and paragraphs")
        if field in _EITHER and not (isinstance(value, str) or is_list):
            raise wrong(field, "a text or a list of texts")


def _what(value: Any) -> str:
    """The JSON type of a value, in words."""
    words = {bool: "true or false", str: "a text", list: "a list", dict: "an object", type(None): "null"}
    return words.get(type(value), "a number")


def _is_section(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    paragraphs = value.get("paragraphs") or []
    texts = isinstance(paragraphs, list) and all(isinstance(text, str) for text in paragraphs)
    return texts and all(isinstance(value.get(key) or "", str) for key in ("heading", "text"))
