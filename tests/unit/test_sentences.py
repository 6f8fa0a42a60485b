"""Sentences of scientific English. Each case is written as its sentences, parted by bars."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.text.sentences import sentences

CASES = [
    "As shown by Smith et al. the yield rises.|Fig. 2 shows Eq. (3).|Next is here.",
    "It was found by Smith and co-workers.12|Next we use Pd(PPh3)4.|The yield, i.e. 90%, is high.",
    "Use a base, e.g. Cs₂CO₃, at ca. 80 °C.|Sample No. 5 is best.",
    "Refs. 3 and 4 agree.|In 2020, Prof. Smith (vs. J. Doe) found it at 25 °C.|α-Fe2O3 forms.",
    "It holds at 300 K.|The next was made by Smith et al.|We see it.",
    "We agree (cf. Ref. 3. Not here) with it.|It uses vitamin C.|The end!",
    "[Ru(bpy)3]2+ emits.|1,2-Dichloroethane is used.|Is it so?|Yes.",
    "p-Xylene is oxidised.|pH is 5.|n-Butyl lithium reacts.",
    "Storage is hard.[4–6]|Next ones are easier. [7]|So it is.",
    "This is CO₂.¹²|Next comes H₂O.|It weighs 5 g.|No change was seen.",
    "A. B. Smith made it in the U.S. and sold it.|The end came.",
    "Values of approx. 3.5 eV vs. 2.1 eV are given in Tab. 1 and Secs. 2–4.|See also Scheme 2.",
    "The alloy LaNi5.|It stores H2.",
    "Zeolites (Figs. 1 and 2), MOFs, etc. are porous.|Others, etc.|They differ.",
]


@pytest.mark.parametrize("case", CASES)
def test_cases(case: str) -> None:
    expected = case.split("|")
    text = " ".join(expected)
    assert [text[start:end] for start, end in sentences(text)] == expected


def test_offsets_are_exact_over_paragraphs() -> None:
    text = "  First one.  Second one\n\n Third without a stop\n\nFourth.\n"
    spans = sentences(text)
    assert [text[start:end] for start, end in spans] == [
        "First one.",
        "Second one",
        "Third without a stop",
        "Fourth.",
    ]
    assert spans[0] == (2, 12)


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_no_text_no_sentences(text: str) -> None:
    assert sentences(text) == []


@given(st.text(alphabet=st.sampled_from("aB1 .?!()[]\n₂αé,;-"), max_size=120))
def test_spans_hold_all_but_blanks_in_order(text: str) -> None:
    spans = sentences(text)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
    for start, end in spans:
        assert text[start:end] == text[start:end].strip() != ""
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
