"""Making question sets on the running engine: what is accepted, the ledger, going on after a stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from domain.packs import load_pack
from errors import InputError, JobCancelled
from graph.models import Spent
from graph.store import Graph
from qa import generate
from qa.generate import GenerateReport, generate_questions
from qa.sampling import SampleOptions
from tests.support.asker import Ask, ScriptedAsker
from tests.support.facts import Row, bundles, store_facts

pytestmark = pytest.mark.engine
PACK = load_pack("chemistry")

# What must come of each path, worked out by hand:
#   nitric acid -> nitrogen dioxide -> nitric oxide -> ammonia: three good facts in three documents
#   urea, hydrazine <- ammonia: two things "is made from" ammonia, so hop "is made from ammonia" is not unique
#   titanium is reduced from titanium tetrachloride: the answer is a word of the question
#   catalyst: no specific thing
FACTS: list[Row] = [
    ("D1", "nitric acid", "is produced from", "nitrogen dioxide"),
    ("D2", "nitrogen dioxide", "is formed by the oxidation of", "nitric oxide"),
    ("D3", "nitric oxide", "is obtained by the oxidation of", "ammonia"),
    ("D4", "urea", "is made from", "ammonia"),
    ("D5", "hydrazine", "is made from", "ammonia"),
    ("D6", "titanium", "is made by the reduction of", "titanium tetrachloride"),
    ("D7", "catalyst", "decomposes", "hydrogen peroxide"),
]
KINDS = {"nitric acid": "acid", "nitrogen dioxide": "gas", "nitric oxide": "gas", "titanium": "metal"}


async def make(graph: Graph, **options: Any) -> GenerateReport:
    chosen: dict[str, Any] = {"name": "set", "hops": [1, 2, 3], "count": 10, "seed": 4, "pack": PACK}
    return await generate_questions(graph, **{**chosen, **options})


async def test_every_path_ends_in_the_ledger(graph: Graph) -> None:
    await store_facts(graph, FACTS, kinds=KINDS)
    report = await make(graph)
    assert {question.text: question.answer for question in report.questions} == {
        "Which acid is produced from nitrogen dioxide?": "nitric acid",
        "Which gas is formed by the oxidation of nitric oxide?": "nitrogen dioxide",
        "Which gas is obtained by the oxidation of ammonia?": "nitric oxide",
        "Which acid is produced from the gas that is formed by the oxidation of nitric oxide?": "nitric acid",
        "Which gas is formed by the oxidation of the gas that is obtained by the oxidation of ammonia?": (
            "nitrogen dioxide"
        ),
        "Which acid is produced from the gas that is formed by the oxidation of the gas that is obtained by "
        "the oxidation of ammonia?": "nitric acid",
    }
    assert report.by_hops == {1: 3, 2: 2, 3: 1}
    assert report.by_structure == {"bridge_1_1": 3, "bridge_2_1": 2, "bridge_3_1": 1}
    assert report.rejected == {"answer_leak": 1, "generic": 1, "unique": 2}
    assert (report.accepted, report.failed, report.added, report.attempts) == (6, 0, 6, 10)
    assert report.backend == "offline"
    assert report.shortfall == {
        1: {"no_more_paths": 7},
        2: {"no_more_paths": 8},
        3: {"no_more_paths": 9},
    }
    entries = {entry.reason: entry for entry in (await graph.questions.rejections("set")).items}
    assert entries["generic"].detail == "the answer 'catalyst' is no specific thing"
    assert entries["generic"].stage == "gate"
    assert "also fits 'make from (passive)' of 'ammonia'" in entries["unique"].detail
    summed = await graph.questions.yield_of("set")
    assert (summed.attempts, summed.accepted, summed.failed) == (10, 6, 0)
    assert summed.rejected == report.rejected
    assert summed.rate == 0.6
    assert summed.per_accepted(summed.spent.seconds) == pytest.approx(summed.spent.seconds / 6)
    assert summed.spent.seconds > 0


async def test_again_adds_nothing_and_says_so(graph: Graph) -> None:
    await store_facts(graph, FACTS, kinds=KINDS)
    first = await make(graph)
    counts = await graph.stats.counts()
    entries = await graph.questions.rejections("set")
    again = await make(graph)
    assert (again.added, again.attempts) == (0, 0)
    assert again.says == "set already holds its 6 questions: nothing to add."
    assert again.questions == first.questions
    assert (again.by_hops, again.rejected) == (first.by_hops, first.rejected)
    assert await graph.stats.counts() == counts
    assert await graph.questions.rejections("set") == entries


async def test_the_count_is_per_hop_and_the_seed_decides(graph: Graph) -> None:
    await store_facts(graph, FACTS, kinds=KINDS)
    report = await make(graph, count=1, hops=[1, 2])
    assert report.by_hops == {1: 1, 2: 1}
    assert report.shortfall == {}
    assert report.accepted == 2
    twin = await make(graph, count=1, hops=[1, 2], name="twin")
    assert [question.text for question in twin.questions] == [question.text for question in report.questions]
    # Asking for more fills the set up; what is there stays.
    more = await make(graph, count=2, hops=[1, 2])
    assert {question.id for question in report.questions} < {question.id for question in more.questions}
    assert (more.by_hops, more.added) == ({1: 2, 2: 2}, 2)


async def test_a_rival_in_another_document_rejects(graph: Graph) -> None:
    good: list[Row] = [("D1", "acetone", "dissolves", "cellulose acetate")]
    await store_facts(graph, good, corpus="mine")
    assert (await make(graph, hops=[1], corpus="mine")).accepted == 1
    await store_facts(graph, [("D2", "ethyl acetate", "dissolved", "cellulose acetate")], corpus="mine")
    await store_facts(graph, [("D3", "camphor", "dissolves", "nitrocellulose")], corpus="theirs")
    report = await make(graph, name="later", hops=[1], corpus="mine")
    assert report.accepted == 0
    assert report.rejected == {"unique": 2}  # by lemma: dissolves, dissolved
    # a rival that stands in another corpus only is none
    await store_facts(graph, [("D4", "ether", "dissolves", "nitrocellulose")], corpus="fourth")
    assert (await make(graph, name="apart", hops=[1], corpus="theirs")).accepted == 1
    assert (await make(graph, name="all", hops=[1])).accepted == 0


async def test_shortcuts(graph: Graph) -> None:
    facts: list[Row] = [
        ("D1", "nitric acid", "is produced from", "nitrogen dioxide"),
        ("D2", "nitrogen dioxide", "is formed by the oxidation of", "nitric oxide"),
        ("D3", "nitric oxide", "reduces", "nitric acid"),
    ]
    await store_facts(graph, facts)
    report = await make(graph, hops=[2])
    assert report.rejected == {"shortcut": 3}  # each side of the triangle is a shortcut of the other two
    allowed = await make(graph, hops=[2], name="allowed", allow_shortcuts=True)
    assert allowed.accepted == 3
    assert {question.shortcuts for question in allowed.questions} == {1}
    assert all("a shortcut was allowed" in question.notes for question in allowed.questions)


async def test_one_text_with_both_ends_is_a_shortcut(graph: Graph) -> None:
    await store_facts(graph, FACTS[:2])
    assert (await make(graph, hops=[2], name="before")).accepted == 1
    # A third paper mentions both ends in one chunk, without relating them.
    unrelated: list[Row] = [("D3", "nitric acid", "is no product of", "nitric oxide")]
    mentions = bundles(unrelated)[0].model_copy(update={"relations": ()})
    await graph.documents.store(mentions)
    report = await make(graph, hops=[2], name="after")
    assert report.rejected == {"shortcut": 1}
    entry = (await graph.questions.rejections("after")).items[0]
    assert entry.detail == "one text: 'nitric acid' and 'nitric oxide' are both in chk_D3_0"


async def test_caps_hold_for_the_whole_set(graph: Graph) -> None:
    facts: list[Row] = [(f"D{n}", "acetone", "dissolves", f"polymer {n}") for n in range(4)]
    facts += [("D8", "ethanol", "dissolves", "shellac")]
    await store_facts(graph, facts)
    report = await make(graph, hops=[1], options=SampleOptions(max_per_answer=2))
    assert Counter(question.answer for question in report.questions) == {"acetone": 2, "ethanol": 1}
    assert report.shortfall == {1: {"max_per_answer": 2, "no_more_paths": 5}}
    again = await make(graph, hops=[1], options=SampleOptions(max_per_answer=2))
    assert again.added == 0


async def test_a_set_goes_on_where_it_was_stopped(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "BATCH", 16)
    facts: list[Row] = [(f"D{n}", f"salt{n}x", "dissolves", f"resin{n}y") for n in range(60)]
    await store_facts(graph, facts)

    def stop_at(done: int, total: int | None, message: str = "") -> None:
        if done >= 30:
            raise JobCancelled("stopped")

    with pytest.raises(JobCancelled):
        await make(graph, hops=[1], count=50, progress=stop_at)
    kept = await graph.questions.accepted_ids("set")
    assert len(kept) == 32  # two batches were stored, and stay
    report = await make(graph, hops=[1], count=50)
    assert report.added == 18
    whole = await make(graph, hops=[1], count=50, name="whole")
    assert {question.text for question in report.questions} == {question.text for question in whole.questions}


async def test_withdrawn_questions_are_made_up_for(graph: Graph) -> None:
    await store_facts(graph, FACTS[:3], kinds=KINDS)
    report = await make(graph, hops=[1], count=2)
    gone = report.questions[0]
    path = await graph.paths.get(gone.path_id or "")
    assert path is not None
    stated = (await graph.relations.by_ids(path.relation_ids))[path.relation_ids[0]]
    await graph.documents.delete(stated.relation.document_id)
    assert len(await graph.questions.accepted_ids("set")) == 1
    again = await make(graph, hops=[1], count=2)
    assert (again.added, again.accepted) == (1, 2)
    assert gone.id not in {question.id for question in again.questions}
    # The document comes back with the same facts: its question may stand again.
    await store_facts(graph, FACTS[:3], kinds=KINDS)
    back = await make(graph, hops=[1], count=3)
    assert gone.id in {question.id for question in back.questions}
    assert (await graph.questions.yield_of("set")).withdrawn == 0


# ---------------------------------------------------------------- with a model


def script(answers: Mapping[str, Any]) -> Any:
    """A model that writes what the templates would, but for what `answers` says by form name."""

    def say(ask: Ask) -> Mapping[str, Any] | str:
        if ask.name in answers:
            said = answers[ask.name]
            chosen: Mapping[str, Any] | str = said(ask) if callable(said) else said
            return chosen
        if ask.name == "one_hop_question":
            told = ask.payload
            question = f"What {told['relation']} {told['object']}?"
            return {"question": question, "answer": told["answer"], "descriptor": ""}
        if ask.name == "multi_hop_question":
            told = ask.payload
            return {"question": f"What comes of {told['start']}?", "answer": told["answer"]}
        names = {
            "one_hop_verdict": ("factual", "single_answer", "answerable", "of_the_domain"),
            "path_verdict": ("factual", "connected", "leads_to_answer"),
            "question_verdict": ("grammatical", "faithful", "needs_every_step", "single_answer"),
        }[ask.name]
        return {name: {"met": "yes", "why": "it does"} for name in names}

    return say


CHAIN = FACTS[:2]


async def test_a_set_by_a_model(graph: Graph) -> None:
    await store_facts(graph, CHAIN)
    writer, judge = ScriptedAsker(script({}), name="writer"), ScriptedAsker(script({}), name="judge")
    report = await make(graph, hops=[1, 2], writer=writer, verifier=judge)
    assert report.backend == "writer"
    assert report.by_hops == {1: 2, 2: 1}
    assert {question.backend for question in report.questions} == {"writer"}
    two = next(question for question in report.questions if question.hops == 2)
    assert (two.text, two.answer) == ("What comes of nitric oxide?", "nitric acid")
    assert "verified by judge" in two.notes
    # one hop: 1 to write, 1 to verify; two hops: 2 + 1 to write, 2 + 1 + 1 to verify
    assert len(writer.asked) == 2 + 3
    assert len(judge.asked) == 2 + 4
    spent = (await graph.questions.yield_of("set")).spent
    assert spent.model_dump(exclude={"seconds"}) == {
        "calls": 11,
        "tokens_in": 110,
        "tokens_out": 55,
        "cost": 11.0,
    }
    assert report.spent == spent.model_copy(update={"seconds": report.spent.seconds})
    assert (await make(graph, hops=[1, 2], writer=writer, verifier=judge)).attempts == 0


async def test_without_another_model_the_writer_verifies(graph: Graph) -> None:
    await store_facts(graph, CHAIN[:1])
    writer = ScriptedAsker(script({}), name="only")
    report = await make(graph, hops=[1], writer=writer)
    assert "verified by only" in report.questions[0].notes


async def test_gates_come_before_anything_is_paid(graph: Graph) -> None:
    await store_facts(graph, FACTS[3:5])  # not unique, both
    writer = ScriptedAsker(script({}))
    report = await make(graph, hops=[1], writer=writer)
    assert report.rejected == {"unique": 2}
    assert writer.asked == []


async def test_one_rewrite_round_then_rejected(graph: Graph) -> None:
    await store_facts(graph, CHAIN[:1])
    leak = {
        "question": "Does nitric acid come from nitrogen dioxide?",
        "answer": "nitric acid",
        "descriptor": "",
    }
    writer = ScriptedAsker(script({"one_hop_question": leak}))
    report = await make(graph, hops=[1], writer=writer)
    assert report.rejected == {"answer_leak": 1}
    assert [len(ask.later) for ask in writer.asked] == [0, 2]  # written, rewritten, never verified

    def second_time(ask: Ask) -> Mapping[str, Any]:
        good = {**leak, "question": "Which acid comes from nitrogen dioxide?"}
        return good if ask.later else leak

    writer = ScriptedAsker(script({"one_hop_question": second_time}))
    report = await make(graph, hops=[1], writer=writer, name="better")
    assert [question.text for question in report.questions] == ["Which acid comes from nitrogen dioxide?"]
    assert report.spent.model_copy(update={"seconds": 0.0}) == Spent(
        calls=3, tokens_in=30, tokens_out=15, cost=3.0
    )


async def test_what_the_verifier_refuses(graph: Graph) -> None:
    await store_facts(graph, CHAIN[:1])
    no = {name: {"met": "yes", "why": "so"} for name in ("factual", "single_answer", "of_the_domain")}
    refusal = {**no, "answerable": {"met": "no", "why": "the text does not say"}}
    judge = ScriptedAsker(script({"one_hop_verdict": refusal}))
    writer = ScriptedAsker(script({}))
    report = await make(graph, hops=[1], writer=writer, verifier=judge)
    assert report.rejected == {"answerable": 1}
    entry = (await graph.questions.rejections("set")).items[0]
    assert entry.stage == "verification"
    assert "the text does not say" in entry.detail
    assert entry.detail.endswith("[What is produced from nitrogen dioxide?]")
    assert len(judge.asked) == 2  # the rewritten one was judged as well
    assert entry.cost == 4.0


async def test_a_verdict_off_the_form_is_never_a_yes(graph: Graph) -> None:
    await store_facts(graph, CHAIN[:1])
    judge = ScriptedAsker(script({"one_hop_verdict": {"verdict": "yes"}}))
    report = await make(graph, hops=[1], writer=ScriptedAsker(script({})), verifier=judge)
    assert report.rejected == {"unverified": 1}
    assert report.accepted == 0


async def test_failed_attempts_are_tried_again(graph: Graph) -> None:
    await store_facts(graph, CHAIN[:1])
    report = await make(graph, hops=[1], writer=ScriptedAsker(script({"one_hop_question": "error"})))
    assert (report.accepted, report.failed, report.rejected) == (0, 1, {})
    judge = ScriptedAsker(script({"one_hop_verdict": "error"}))
    report = await make(graph, hops=[1], writer=ScriptedAsker(script({})), verifier=judge)
    assert (report.accepted, report.failed) == (0, 1)
    report = await make(graph, hops=[1], writer=ScriptedAsker(script({})))
    assert (report.accepted, report.failed, report.rejected) == (1, 0, {})
    summed = await graph.questions.yield_of("set")
    assert (summed.attempts, summed.accepted) == (1, 1)


async def test_two_written_side_by_side_may_be_one(graph: Graph) -> None:
    await store_facts(graph, [FACTS[0], ("D9", "nitric acid", "oxidises", "nitrogen dioxide")])
    same = {"question": "Which acid meets nitrogen dioxide?", "answer": "nitric acid", "descriptor": ""}
    report = await make(graph, hops=[1], writer=ScriptedAsker(script({"one_hop_question": same})))
    assert report.accepted == 1
    assert report.rejected == {"duplicate": 1}


async def test_requests_that_make_no_sense(graph: Graph) -> None:
    with pytest.raises(InputError, match="name"):
        await make(graph, name=" ")
    with pytest.raises(InputError, match="how many"):
        await make(graph, count=-1)
    with pytest.raises(InputError, match="how many"):
        await make(graph, hops=[])
    with pytest.raises(InputError, match="1 to 6 hops"):
        await make(graph, hops=[9])
    nothing = await make(graph, hops=[2], count=3)
    assert (nothing.accepted, nothing.shortfall) == (0, {2: {"no_more_paths": 3}})
    assert set(nothing.to_json()) >= {"accepted", "rejected", "failed", "questions"}
