"""The model answerer with a scripted client: prompts, outcomes, thinking text."""

from __future__ import annotations

from evaluation import prompts
from evaluation.answering import BaselineAnswerer, ModelAnswerer, messages
from evaluation.conditions import Context
from evaluation.scoring import Task, score
from graph.runs import AnswerKey
from tests.support.evaluating import ScriptedModel, item

GOLD = Context("passages", "[1] A. [2] B.", ("A.", "B."))


async def scored(outcome: str, text: str, **fields: str):  # type: ignore[no-untyped-def]
    model = ScriptedModel(lambda prompt, n: (outcome, text))  # type: ignore[arg-type,return-value]
    answerer = ModelAnswerer(model.client, {"temperature": 0.2})
    asked = item(1, **fields)  # type: ignore[arg-type]
    given = await answerer.answer(asked, GOLD, 1)
    assert model.parameters == [{"temperature": 0.2}]
    task = Task(AnswerKey(asked.question.id, "gold", "scripted", 1), asked, GOLD)
    return score("run", task, answerer, given, "auto")


async def test_outcomes_are_kept_apart() -> None:
    right = await scored("ok", " R1. ")
    assert (right.status, right.em, right.f1, right.text) == ("correct", 1.0, 1.0, "R1.")
    assert (right.model, right.tokens_in, right.tokens_out, right.latency_s) == ("scripted-1", 100, 10, 0.5)
    assert right.prompt_sha256 and right.dataset == "set" and right.hops == 2
    assert (await scored("ok", "R2")).status == "wrong"
    for outcome in ("refused", "unparsed", "error"):
        answer = await scored(outcome, "R1")
        # What the text says does not count: it was no answer.
        assert (answer.status, answer.em, answer.text, answer.raw) == (outcome, 0.0, "", "R1")
    assert (await scored("ok", "  ")).status == "refused"


async def test_thinking_is_no_part_of_the_answer() -> None:
    assert (await scored("ok", "<think>R2? no</think> R1")).status == "correct"
    assert (await scored("ok", "<think>R1 it seems")).status == "unparsed"


async def test_a_chemical_match_is_correct_in_chemistry_only() -> None:
    assert (await scored("ok", "R2", source_format="catenane")).chemical_match is False
    assert (await scored("ok", "R2")).chemical_match is None


def test_prompts_hold_question_and_context_once() -> None:
    question = "Which {{context}} is $this?"
    system, user = messages(question, GOLD)
    assert system["role"] == "system" and user["content"].count(question) == 1
    assert GOLD.text in user["content"]
    closed = messages(question, Context("none"))[1]["content"]
    assert question in closed and "{{question}}" not in closed
    graph = messages(question, Context("graph", "digraph { a; }", ("a",)))[1]["content"]
    assert "DOT" in graph and "digraph { a; }" in graph
    assert len(prompts.sha256()) == 64


async def test_the_baseline_refuses_without_a_context() -> None:
    given = await BaselineAnswerer().answer(item(1), Context("none"), 1)
    assert given.outcome == "refused" and "no context" in (given.error or "")
    assert "not a language model" in BaselineAnswerer.model


def test_another_prompt_model_or_parameter_is_another_answerer() -> None:
    def fingerprint(name: str, **parameters: float) -> str:
        return ModelAnswerer(ScriptedModel(lambda p, n: ("ok", ""), name=name).client, parameters).fingerprint

    assert fingerprint("a") == fingerprint("a")
    assert len({fingerprint("a"), fingerprint("b"), fingerprint("a", temperature=0.2)}) == 3
