"""Bytes to text: UTF-8 first, then byte order marks, then detection with a warning."""

from __future__ import annotations

import codecs

from charset_normalizer import from_bytes

from errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = {code: None for code in range(32) if chr(code) not in "\t\n\r\f"}
_SAMPLE = 500_000  # bytes; detection tries every encoding on all it is given
_REFUSAL = "Its text encoding cannot be told; save it as UTF-8 and try again."


def decode(content: bytes, declared: str | None = None) -> tuple[str, list[str]]:
    """The text, and a warning if it was not UTF-8.

    Args:
        content: the file.
        declared: the encoding the file itself names (HTML does), tried after UTF-8.

    Raises:
        InputError: it is binary, or no encoding fits.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            text = _strictly(content, encoding)
            if text is None:
                raise InputError(
                    f"It begins like {encoding.upper()} and is damaged further on; save it as UTF-8."
                )
            return _checked(text.lstrip("\ufeff")), []
    text = None if _is_wide(content) else _strictly(content, "utf-8")
    if text is not None:
        return _checked(text), []
    if declared and (text := _strictly(content, declared)) is not None:
        return _checked(text), [f"It was read as {declared}, the encoding it names; UTF-8 is safer."]
    encoding = _detect(content)
    text = _strictly(content, encoding)
    if text is None:
        raise InputError(_REFUSAL)
    return _checked(text), [f"It is not UTF-8 and was read as {encoding}; look for wrong characters."]


def _strictly(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _is_wide(content: bytes) -> bool:
    """UTF-16 without its mark: every other byte of English is zero."""
    return content.count(0) > len(content) // 5


def _detect(content: bytes) -> str:
    if _is_wide(content):
        return "utf-16-le" if content[1::2].count(0) > content[::2].count(0) else "utf-16-be"
    best = from_bytes(content[:_SAMPLE]).best()
    if best is None:
        raise InputError(_REFUSAL)
    # Short texts with a few accents fit dozens of Western code pages; Windows-1252 is the one in use.
    if _is_latin(str(best)) and _strictly(content, "cp1252") is not None:
        return "cp1252"
    return best.encoding


def _is_latin(text: str) -> bool:
    """Whether the letters beyond ASCII are mostly Latin ones."""
    letters = [character for character in text if character > "\x7f" and character.isalpha()]
    latin = sum(1 for character in letters if character < "\u0250")
    return 2 * latin >= len(letters)


def _checked(text: str) -> str:
    controls = sum(1 for character in text if character < " " and character not in "\t\n\r\f\v\x1b")
    if controls > len(text) / 200:
        raise InputError("It is a binary file, not text.")
    return without_controls(text) if controls else text


def without_controls(text: str) -> str:
    """The text without control characters, which no store keeps; breaks of lines and pages stay."""
    return text.translate(_CONTROLS)
