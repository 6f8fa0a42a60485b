"""The positive reasoning graph of a question from a path."""

from __future__ import annotations

from graph.models import ReasoningGraph
from qa.gates import Case, Draft
from qa.reasoning.positive import Node, build_positive


def positive_graph(case: Case, draft: Draft, question_id: str) -> ReasoningGraph:
    """The stating sentences, from the hop of the named entity to the hop of the answer.

    A path of K hops gives K steps and K - 1 edges, `bridge_K_1`: step 0 states the last hop, whose
    object the question names, and the last step states the first hop, whose subject is the answer.
    """
    nodes = [
        Node(
            text=stated.sentence,
            title=stated.document_title,
            sub_question=asked.question,
            sub_answer=asked.answer,
            relation_id=stated.relation.id,
            chunk_id=stated.relation.chunk_id,
        )
        for stated, asked in zip(reversed(case.hops), reversed(draft.one_hops), strict=True)
    ]
    edges = [(step, step + 1) for step in range(len(nodes) - 1)]
    return build_positive(question_id, nodes, edges)
