"""Encodings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import InputError
from ingest.sources.decoding import decode

TEXT = "Die Löslichkeit von Ca(OH)2 beträgt 1,7 g/L bei 20 °C – für Chemiker “bekannt”. " * 4
GREEK = "Το διοξείδιο του άνθρακα είναι ένα αέριο που διαλύεται στο νερό και σχηματίζει οξύ. " * 4


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_needs_no_warning(encoding: str) -> None:
    assert decode("α-Fe₂O₃ and CO₂".encode(encoding)) == ("α-Fe₂O₃ and CO₂", [])


@pytest.mark.parametrize(("text", "encoding"), [(TEXT, "cp1252"), (GREEK, "cp1253"), (GREEK, "iso8859-7")])
def test_other_encodings_are_read_with_a_warning(text: str, encoding: str) -> None:
    decoded, warnings = decode(text.encode(encoding))
    assert decoded == text
    assert len(warnings) == 1 and "not UTF-8" in warnings[0]


def test_utf16_without_its_mark() -> None:
    decoded, warnings = decode("Water is H2O and it boils.".encode("utf-16-le"))
    assert decoded == "Water is H2O and it boils."
    assert "utf-16-le" in warnings[0]


def test_a_declared_encoding_is_tried_after_utf8() -> None:
    decoded, warnings = decode("Löslichkeit".encode("iso8859-15"), "iso-8859-15")
    assert decoded == "Löslichkeit"
    assert "iso-8859-15" in warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00" * 20,
        b"\xff\xfeA",  # half a character after a mark
        bytes(range(256)) * 8,
    ],
)
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(InputError):
        decode(content)


@given(st.binary(max_size=400))
def test_any_bytes_are_text_or_an_input_error(content: bytes) -> None:
    try:
        text, _ = decode(content)
    except InputError:
        return
    assert isinstance(text, str)
