"""A model that answers by schema from a list of facts, and fails where it is told to.

To be served by `tests.support.model_server.scripted_server(model)`. It knows nothing: its entities are the
candidates it is given, its facts those whose sentence stands in the prompt, its questions their words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.model_server import Act, Turn, completion, failure, raw

Fact = tuple[str, str, str]  # subject, predicate, object, as in the sentence "Subject predicate object."

YES = {"met": "yes", "why": "The passage says so."}


def throttled(after_s: float) -> Turn:
    """429 with Retry-After."""
    return failure(429, headers={"retry-after": str(after_s)}, message="slow down")


def broken_json() -> Turn:
    """A completion that breaks off inside its JSON."""
    return completion('{"answer": ["br')


def refusal() -> Turn:
    return completion(None, refusal="I would rather not.")


def server_error() -> Turn:
    return failure(500, message="out of order")


def silence(seconds: float) -> Turn:
    """Longer than the caller waits."""
    return raw("{}", delay_s=seconds)


@dataclass
class Fault:
    """What happens to requests of this schema whose last message holds `holding` (any, if empty).

    `turns` are served one after the other, and then the model answers; `always` goes on for ever.
    """

    schema: str
    holding: str
    turns: Sequence[Turn]
    always: bool = False
    served: int = 0

    def next(self, schema: str, prompt: str) -> Turn | None:
        if schema not in (self.schema, "") or self.holding not in prompt:
            return None
        if self.served >= len(self.turns) and not self.always:
            return None
        self.served += 1
        return self.turns[(self.served - 1) % len(self.turns)]


@dataclass
class ScriptedModel:
    """Give it to `scripted_server` as its one turn."""

    facts: Sequence[Fact]
    no_entities: frozenset[str] = frozenset()
    extra_facts: Sequence[Fact] = ()  # claimed for every text, whatever it says
    answers: Callable[[str], str] = lambda prompt: "unknown"
    faults: list[Fault] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)  # schema, last message

    def __call__(self, request: Mapping[str, Any]) -> Act:
        messages = request["messages"]
        schema = request["response_format"]["json_schema"]["name"]
        prompt = next(one["content"] for one in messages[:2][::-1] if one["role"] == "user")
        self.asked.append((schema, prompt))
        for fault in self.faults:
            if (turn := fault.next(schema, prompt)) is not None:
                return turn(request)
        value = getattr(self, f"_{schema}")(prompt, len(messages) > 2)
        return completion(json.dumps(value))(request)

    def count(self, schema: str, holding: str = "") -> int:
        """How many requests of this schema there were."""
        return sum(one == schema and holding in prompt for one, prompt in self.asked)

    # ------------------------------------------------------------ ingest

    def _verdicts(self, prompt: str, again: bool) -> dict[str, Any]:
        listed = prompt.rsplit("Candidates:\n", 1)[1].split("\n\nText:", maxsplit=1)[0]
        names = [line[2:] for line in listed.splitlines()]
        return {"verdicts": [{"name": n, "is_entity": n.lower() not in self.no_entities} for n in names]}

    def _facts(self, prompt: str, again: bool) -> dict[str, Any]:
        text = prompt.rsplit("Text:\n", 1)[1]
        stated = [fact for fact in self.facts if sentence(fact) in text]
        return {
            "facts": [
                {"subject": subject, "predicate": predicate, "object": obj, "sentence": sentence(fact)}
                for fact in [*stated, *self.extra_facts]
                for subject, predicate, obj in [fact]
            ]
        }

    # ------------------------------------------------------------ questions

    def _one_hop_question(self, prompt: str, again: bool) -> dict[str, Any]:
        given = json.loads(prompt)
        start = "Which thing" if again else "What"
        text = f"{start} {given['relation']} {given['object']}?"
        return {"question": text, "answer": given["answer"], "descriptor": ""}

    def _multi_hop_question(self, prompt: str, again: bool) -> dict[str, Any]:
        given = json.loads(prompt)
        text = given["questions"][-1]["question"]
        for outer, inner in zip(given["questions"][-2::-1], given["questions"][:0:-1], strict=True):
            clause = re.sub(r"^(What|Which thing) ", "what ", text).rstrip("?")
            text = re.sub(rf"{re.escape(inner['answer'])}\?$", f"{clause}?", outer["question"])
        return {"question": text, "answer": given["answer"]}

    def _one_hop_verdict(self, prompt: str, again: bool) -> dict[str, Any]:
        return dict.fromkeys(("factual", "single_answer", "answerable", "of_the_domain"), YES)

    def _path_verdict(self, prompt: str, again: bool) -> dict[str, Any]:
        return dict.fromkeys(("factual", "connected", "leads_to_answer"), YES)

    def _question_verdict(self, prompt: str, again: bool) -> dict[str, Any]:
        return dict.fromkeys(("grammatical", "faithful", "needs_every_step", "single_answer"), YES)

    # ------------------------------------------------------------ evaluation

    def _short_answer(self, prompt: str, again: bool) -> dict[str, Any]:
        return {"answer": self.answers(prompt)}


def sentence(fact: Fact) -> str:
    """How a paper states it."""
    return f"{' '.join(fact)}."
