"""Answer metrics against values worked out by hand from the official scripts' definitions."""

from __future__ import annotations

import unicodedata

import pytest

from evaluation.metrics import SCORERS, chemical_match, hotpot, musique, scorer_of, wiki2
from graph.models import QuestionRecord


def question(answer: str, source_format: str = "hotpotqa", aliases: tuple[str, ...] = ()) -> QuestionRecord:
    return QuestionRecord(
        id="q",
        name="q",
        text="?",
        answer=answer,
        aliases=aliases,
        dataset="d",
        source_format=source_format,
        hops=2,
        graph_type="bridge_2_1",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Aspirin.", "aspirin"),
        ("aspirin", "aspirin"),
        ("C++", "c"),  # the official normaliser equates C++ and C
        ("3.5", "35"),
        ("1,2-dichloroethane", "12dichloroethane"),
        ("1914–1918", "1914–1918"),  # an en dash is no ASCII punctuation
        ("‘the’ Beatles", "‘ ’ beatles"),  # curly quotes survive; the article between them goes
        ("CO²", "co²"),
        ("A", ""),
        ("!!!", ""),
        ("an a the", ""),
        ("U.S.A.", "usa"),
        ("a.b", "ab"),  # punctuation goes first, so no article is left to remove
        ("the-best", "thebest"),
        ("Theatre and another", "theatre and another"),
        ("one\ttwo\n three", "one two three"),
    ],
)
def test_normaliser(text: str, expected: str) -> None:
    assert hotpot.normalise(text) == expected


def test_composed_and_decomposed_letters_differ() -> None:
    assert hotpot.normalise("Poincaré") != hotpot.normalise(unicodedata.normalize("NFD", "Poincaré"))


def test_aspirin_with_a_full_stop_is_an_exact_match() -> None:
    assert hotpot.score("Aspirin", "aspirin.") == (1.0, 1.0, 1.0, 1.0)


def test_partial_overlap() -> None:
    # "new york city" against "york city council": 2 shared of 3 and 3, F1 = 2/3.
    assert hotpot.score("The New York City", "York City Council") == pytest.approx((0.0, 2 / 3, 2 / 3, 2 / 3))
    # Words count as often as they occur: one shared "x" of 3 predicted and 1 expected.
    assert hotpot.score("x x x", "x") == pytest.approx((0.0, 0.5, 1 / 3, 1.0))


def test_nothing_left_after_normalising() -> None:
    assert hotpot.score("!!!", "A")[:2] == (1.0, 0.0)
    assert wiki2.score("!!!", "A")[:2] == (1.0, 0.0)
    assert musique.score("!!!", "A")[:2] == (1.0, 1.0)
    assert musique.score("!!!", "word")[:2] == (0.0, 0.0)
    assert hotpot.score("", "word")[:2] == (0.0, 0.0)


def test_yes_against_yes_it_is() -> None:
    assert hotpot.score("yes it is", "yes")[:2] == (0.0, 0.0)
    assert wiki2.score("yes it is", "yes")[:2] == (0.0, 0.0)
    # One shared word of three predicted and one expected: 2 * (1/3) * 1 / (4/3) = 0.5.
    assert musique.score("yes it is", "yes")[:2] == pytest.approx((0.0, 0.5))
    assert hotpot.score("no", "no way")[:2] == (0.0, 0.0)
    assert hotpot.score("Yes.", "yes")[:2] == (1.0, 1.0)
    assert hotpot.score("noanswer", "no answer")[:2] == (0.0, 0.0)


def test_musique_takes_the_best_alias_for_each_measure() -> None:
    assert musique.score("Soviet Union", "USSR", ("the Soviet Union",))[:2] == (1.0, 1.0)
    assert musique.score("Union", "USSR", ("Soviet Union",))[:2] == pytest.approx((0.0, 2 / 3))


def test_2wiki_takes_aliases_only_where_given() -> None:
    assert wiki2.score("United Kingdom", "UK")[:2] == (0.0, 0.0)
    assert wiki2.score("United Kingdom", "UK", ("United Kingdom",))[:2] == (1.0, 1.0)


def test_hotpot_has_one_gold_answer() -> None:
    aliased = question("USSR", aliases=("Soviet Union",))
    assert SCORERS["hotpot"]("Soviet Union", aliased).em == 0.0
    assert SCORERS["musique"]("Soviet Union", aliased).em == 1.0


def test_auto_is_the_script_the_set_was_published_with() -> None:
    for source, expected in [("hotpotqa", 0.0), ("musique", 0.5), ("2wiki", 0.0), ("catenane", 0.0)]:
        item = question("yes", source)
        assert scorer_of(item)("yes it is", item).f1 == expected
    assert scorer_of(question("yes"), "musique")("yes it is", question("yes")).f1 == 0.5


def test_chemical_match_is_kept_apart_from_the_official_score() -> None:
    carbon = question("C", "catenane")
    assert hotpot.score("C++", "C").em == 1.0
    assert chemical_match("C++", carbon) is False
    dioxide = question("carbon dioxide", "catenane")
    assert hotpot.score("CO2", "carbon dioxide").em == 0.0
    assert chemical_match("CO₂", dioxide) is True
    assert chemical_match("CO", dioxide) is False
    assert chemical_match("Li+", question("Li", "catenane")) is False
    assert chemical_match("", dioxide) is False
    assert chemical_match("OSO", question("SO2 gas", "catenane", ("sulfur dioxide",))) is False


def test_chemical_match_knows_aliases() -> None:
    assert chemical_match("MeOH", question("methanol", "catenane", ("MeOH",))) is True


def test_no_chemical_match_in_general_sets() -> None:
    assert chemical_match("CO2", question("carbon dioxide", "hotpotqa")) is None
