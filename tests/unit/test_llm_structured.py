"""Replies as models really send them (PITFALLS 1), and the strict schema."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from llm.structured import Unreadable, read_reply, strict_schema


class Fact(BaseModel):
    subject: str
    weight: float | None = None


class Facts(BaseModel):
    facts: list[Fact]


WANTED = Facts(facts=[Fact(subject="Co", weight=58.9)])


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": [{"subject": "Co", "weight": 58.9}]}',
        '```json\n{"facts": [{"subject": "Co", "weight": 58.9}]}\n```',
        'Here you are:\n```\n{"facts": [{"subject": "Co", "weight": 58.9}]}\n```\nAnything else?',
        'Sure! {"facts": [{"subject": "Co", "weight": 58.9}]} I hope this helps {really}.',
        "{'facts': [{'subject': 'Co', 'weight': 58.9}]}",
        '[{"subject": "Co", "weight": 58.9}]',
        '<think>The set {Co} ...</think>{"facts": [{"subject": "Co", "weight": 58.9}]}',
    ],
    ids=["json", "fence", "fence in prose", "prose", "python literal", "array", "thinking"],
)
def test_replies_that_mean_the_same_are_read_alike(text: str) -> None:
    assert read_reply(text, Facts) == WANTED


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("I cannot help with that.", "no JSON object"),
        ('{"facts": [{"weight": 1}]}', "facts.0.subject"),
        ('<think>let me see {"facts": []}', "never closed"),
        ('{"facts": __import__("os").getpid()}', "no JSON object"),
        ('{"facts": [{"subject": "Co"', "no JSON object"),
    ],
)
def test_replies_that_do_not_fit_say_why(text: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says.replace("(", r"\(")) as caught:
        read_reply(text, Facts)
    assert str(caught.value)


def test_a_fact_alone_may_come_in_an_array_of_one() -> None:
    assert read_reply('[{"subject": "CO", "weight": null}]', Fact) == Fact(subject="CO")


def test_strict_schema_closes_every_object_and_requires_every_property() -> None:
    schema = strict_schema(Facts)
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["facts"]
    fact = schema["$defs"]["Fact"]
    assert fact["additionalProperties"] is False
    assert fact["required"] == ["subject", "weight"]
    assert "default" not in fact["properties"]["weight"]
