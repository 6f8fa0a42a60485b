"""Records of a file one after the other, in memory that does not grow with the file.

A file is a JSON array or JSON lines, plain or gzip (told by its first bytes, not by its name),
UTF-8 with or without a byte order mark; `-` is standard input. What is wrong is raised as
`RecordError` when the reader gets there, so every record before it has been handed out.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from errors import InputError, RecordError

STDIN = "-"
_BUFFER = 1 << 20
_LONGEST_LINE = 64 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"


class Records:
    """The records of one file, to be gone through once.

    Yields `(position, record)`: the record's number from 1 in an array, `line N` in a file of
    lines. Where one line alone is broken and the rest can still be read, it yields a `RecordError`
    in the record's place; where nothing after the fault can be read, it raises one.

    Attributes:
        source: what messages call the file.
        size: its size in bytes, None where it is not known.
    """

    def __init__(self, path: Path | str) -> None:
        self.source = "standard input" if str(path) == STDIN else str(path)
        self.size: int | None = None
        self._number = 0
        if str(path) == STDIN:
            self._raw: BinaryIO = sys.stdin.buffer
            return
        try:
            self._raw = Path(path).open("rb")  # noqa: SIM115 - closed when the records are through
        except IsADirectoryError:
            raise InputError(f"{path} is a folder; name the file in it") from None
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
        self.size = Path(path).stat().st_size

    @property
    def done(self) -> int:
        """Bytes of the file taken so far (compressed ones, of a gzip file)."""
        if self._raw.closed:
            return self.size or 0
        return self._raw.tell() if self.size is not None else 0

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        try:
            stream = _peekable(self._raw)
            if stream.peek(2)[:2] == _GZIP:
                stream = _peekable(gzip.GzipFile(fileobj=stream))
            if stream.peek(3)[:3] == _BYTE_ORDER_MARK:
                stream.read(3)
            first = _first_byte(stream)
            if first == b"[":
                yield from self._array(stream)
            elif first:
                yield from self._lines(stream)
            else:
                raise RecordError(self.source, 1, "", "the file is empty")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise RecordError(
                self.source,
                self._number + 1,
                "",
                f"the gzip file is damaged or cut short ({error}); fetch it again",
            ) from None
        finally:
            if self._raw is not sys.stdin.buffer:
                self._raw.close()

    def _array(self, stream: BinaryIO) -> Iterator[tuple[str, Any]]:
        try:
            for record in ijson.items(_OneRead(stream), "item", use_float=True, buf_size=_BUFFER):
                self._number += 1
                yield str(self._number), record
        except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
            raise self._broken(str(self._number + 1), error) from None

    def _broken(self, position: str, error: Exception) -> RecordError:
        first = error.args[0] if error.args else ""
        words = " ".join(
            (first.decode("utf-8", "replace") if isinstance(first, bytes) else str(error)).split()
        )
        if isinstance(error, ijson.IncompleteJSONError) and ("premature EOF" in words or not words):
            reason = "the file is cut short here: the array is not closed; fetch it again"
        elif "UTF8" in words or isinstance(error, UnicodeDecodeError):
            reason = "the text is not UTF-8; nothing after this point can be read"
        elif "trailing garbage" in words:
            reason = "something follows the end of the array; it is left out"
        else:
            reason = f"this is not valid JSON ({words[:80]}); nothing after this point can be read"
        return RecordError(self.source, position, "", reason)

    def _lines(self, stream: BinaryIO) -> Iterator[tuple[str, Any]]:
        while line := stream.readline(_LONGEST_LINE):
            self._number += 1
            position = f"line {self._number}"
            if len(line) == _LONGEST_LINE:
                raise RecordError(self.source, position, "", "the line is longer than 64 MB")
            if not line.strip():
                continue
            try:
                yield position, json.loads(line)
            except UnicodeDecodeError:
                yield position, RecordError(self.source, position, "", "the text is not UTF-8")
            except (json.JSONDecodeError, RecursionError) as error:
                yield position, RecordError(self.source, position, "", _line_reason(line, error))


def _line_reason(line: bytes, error: Exception) -> str:
    if not line.endswith(b"\n") and isinstance(error, json.JSONDecodeError):
        return "the last line is not complete JSON: the file is cut short here; fetch it again"
    return (
        f"the line is not valid JSON ({error}); expected one JSON array, or one record a line "
        "(a record written over several lines is neither)"
    )


class _OneRead:
    """Hands on what one read gives: waiting for more would lose it where the file turns out cut short."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._stream.read1(size)
        return data


def _peekable(stream: Any) -> Any:
    return io.BufferedReader(stream, _BUFFER) if not hasattr(stream, "peek") else stream


def _first_byte(stream: Any) -> bytes:
    """The first byte that is no white space, still unread; empty at the end of the file."""
    while True:
        ahead: bytes = stream.peek(1)
        if not ahead:
            return b""
        rest = ahead.lstrip()
        if rest:
            stream.read(len(ahead) - len(rest))
            return rest[:1]
        stream.read(len(ahead))
