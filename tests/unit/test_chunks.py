"""Packing of paragraphs: counted by hand on paragraphs of known length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ingest.models import Block
from ingest.text.chunks import chunk, cut_paragraph


def paragraph(words: int, *, page: int | None = None) -> Block:
    return Block(kind="paragraph", text=" ".join(["word"] * (words - 1) + ["end."]), page=page)


def test_whole_paragraphs_up_to_the_limit() -> None:
    chunks = chunk([paragraph(50), paragraph(70), paragraph(8), paragraph(1), paragraph(127)], words=128)
    assert [(part.ordinal, part.words) for part in chunks] == [(0, 128), (1, 128)]
    assert chunks[0].text.count("\n\n") == 2


def test_a_paragraph_that_does_not_fit_opens_a_chunk() -> None:
    assert [part.words for part in chunk([paragraph(100), paragraph(29), paragraph(100)], words=128)] == [
        100,
        29,
        100,
    ]
    assert [part.words for part in chunk([paragraph(100), paragraph(29), paragraph(90)], words=128)] == [
        100,
        119,
    ]


def test_a_longer_paragraph_is_cut_at_sentences() -> None:
    # sentences of 6, 6 and 4 words; at most 12 fit
    text = "Iron is found in many ores. Copper is found in some ores. Gold is rare here."
    assert cut_paragraph(text, 12) == [
        "Iron is found in many ores. Copper is found in some ores.",
        "Gold is rare here.",
    ]
    assert [part.words for part in chunk([Block(kind="paragraph", text=text)], words=12)] == [12, 4]


def test_the_rest_of_a_cut_paragraph_shares_its_chunk_with_the_next() -> None:
    long = Block(kind="paragraph", text="One two three four. Five six.")
    chunks = chunk([long, paragraph(2)], words=4)
    assert [part.text for part in chunks] == ["One two three four.", "Five six.\n\nword end."]


def test_a_sentence_beyond_the_limit_is_cut_at_a_clause() -> None:
    text = "a b c d e f, g h i j k l m n"
    assert cut_paragraph(text, 8) == ["a b c d e f,", "g h i j k l m n"]


def test_formulas_and_spacing_inside_sentences_stay() -> None:
    text = "Use Pd(PPh3)4. Use Cs₂CO₃ in 1,2-dichloroethane."
    assert " ".join(cut_paragraph(text, 4)) == text


def test_the_page_is_that_of_the_first_paragraph() -> None:
    chunks = chunk([paragraph(5, page=1), paragraph(5, page=2), paragraph(120, page=2)], words=128)
    assert [part.page for part in chunks] == [1, 2]


def test_nothing_gives_nothing() -> None:
    assert chunk([]) == []
    assert chunk([Block(kind="paragraph", text="  ")]) == []


@given(st.lists(st.integers(1, 60), max_size=12), st.integers(5, 50))
def test_no_word_is_lost_and_no_chunk_too_long(lengths: list[int], words: int) -> None:
    blocks = [paragraph(max(length, 2)) for length in lengths]
    chunks = chunk(blocks, words=words)
    assert " ".join(part.text for part in chunks).split() == " ".join(block.text for block in blocks).split()
    assert all(part.words == len(part.text.split()) <= words for part in chunks)
    assert [part.ordinal for part in chunks] == list(range(len(chunks)))
