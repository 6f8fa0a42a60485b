"""Build the small data sets from their records: `python -m samples.datasets.build`.

Each record gets distractor paragraphs out of the same collection: never one of its own, never
one that names its answer or a sub-answer. Choice and order come from hashes of its id, so the
built files do not change unless their sources do.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from domain.ids import sha256

FOLDER = Path(__file__).resolve().parent
_TITLED = 10  # paragraphs of a record in the formats of HotpotQA and 2WikiMultiHopQA
_MUSIQUE = 12

Paragraphs = dict[str, list[str]]


def _order(identifier: str, titles: Sequence[str]) -> list[str]:
    return sorted(titles, key=lambda title: sha256(f"{identifier}\x1f{title}"))


def context(
    paragraphs: Paragraphs, identifier: str, gold: Sequence[str], told: Sequence[str], most: int
) -> list[str]:
    """Titles of a record's context: the gold ones and distractors that do not tell what is asked."""
    silent = [
        title
        for title, sentences in paragraphs.items()
        if title not in gold
        and not any(word.casefold() in f"{title} {' '.join(sentences)}".casefold() for word in told)
    ]
    chosen = [*dict.fromkeys(gold), *_order(identifier, silent)]
    return _order(f"{identifier} place", chosen[:most])


def titled(record: dict[str, Any], paragraphs: Paragraphs) -> dict[str, Any]:
    """A record in the format of HotpotQA, or of 2WikiMultiHopQA where it has evidences."""
    gold = [title for title, _ in record["gold"]]
    told = [] if record["answer"] in ("yes", "no") else [record["answer"]]
    told += [triple[2] for triple in record.get("evidences", [])]
    titles = context(paragraphs, record["id"], gold, told, _TITLED)
    built = {
        "_id": record["id"],
        "type": record["kind"],
        "question": record["question"],
        "context": [[title, paragraphs[title]] for title in titles],
        "supporting_facts": record["gold"],
        "answer": record["answer"],
    }
    if "evidences" in record:
        return built | {
            "evidences": record["evidences"],
            "evidences_id": [],
            "answer_id": None,
            "entity_ids": "",
        }
    return built | {"level": "medium"}


def musique(record: dict[str, Any], paragraphs: Paragraphs) -> dict[str, Any]:
    """A record in the format of MuSiQue."""
    gold = [title for title, _, _ in record["steps"]]
    told = [answer for _, _, answer in record["steps"]]
    titles = context(paragraphs, record["id"], gold, told, _MUSIQUE)
    numbers = record["id"].partition("__")[2].split("_")
    return {
        "id": record["id"],
        "paragraphs": [
            {
                "idx": number,
                "title": title,
                "paragraph_text": " ".join(paragraphs[title]),
                "is_supporting": title in gold,
            }
            for number, title in enumerate(titles)
        ],
        "question": record["question"],
        "question_decomposition": [
            {
                "id": int(number),
                "question": question,
                "answer": answer,
                "paragraph_support_idx": titles.index(title),
            }
            for number, (title, question, answer) in zip(numbers, record["steps"], strict=True)
        ],
        "answer": record["answer"],
        "answer_aliases": [],
        "answerable": True,
    }


def chemkg(record: dict[str, Any]) -> dict[str, Any]:
    """A record in the format of ChemKGMultiHopQA."""
    names = ("entity1", "relation", "entity2", "text", "meta1", "q")
    path = [dict(zip(names, hop, strict=True)) for hop in record["hops"]]
    return {
        "q": record["question"],
        "a": path[0]["entity1"],
        "path": [{**hop, "a": hop["entity1"]} for hop in path],
    }


def build() -> dict[str, str]:
    """The text of each built file, by its name."""
    paragraphs = tomllib.loads((FOLDER / "paragraphs.toml").read_text(encoding="utf-8"))
    records = tomllib.loads((FOLDER / "records.toml").read_text(encoding="utf-8"))
    lines = [json.dumps(musique(one, paragraphs), ensure_ascii=False) for one in records["musique"]]
    return {
        "hotpotqa.json": _array([titled(one, paragraphs) for one in records["hotpotqa"]]),
        "2wiki.json": _array([titled(one, paragraphs) for one in records["2wiki"]]),
        "chemkg.json": _array([chemkg(one) for one in records["chemkg"]]),
        "musique.jsonl": "\n".join(lines) + "\n",
    }


def _array(records: Sequence[dict[str, Any]]) -> str:
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for name, text in build().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(name)
