"""Gates on whether the path is the one way to one answer: `unique`, `shortcut`, `duplicate`."""

from __future__ import annotations

from qa.gates.case import Case, Draft, Finding, Rules, Taken


def unique(case: Case, rules: Rules, taken: Taken) -> Finding | None:
    """Another entity holds the same relation (by lemma) to the same object, in any document.

    The chemistry paper names several right answers first among its reasons for rejection (S7.3).
    """
    for hop, (rivals, stated) in enumerate(zip(case.rivals, case.hops, strict=True), 1):
        if rivals:
            first, more = rivals[0], len(rivals) - 1
            others = f" and {more} more" if more else ""
            return Finding(
                f"{first.name!r}{others} also fits {stated.relation.lemma!r} of "
                f"{stated.object_name!r} ({first.relation_id} in {first.document_id})",
                hop,
            )
    return None


def shortcut(case: Case, rules: Rules, taken: Taken) -> Finding | None:
    """An edge joins entities that are no neighbours on the path, or one chunk mentions both ends."""
    if case.path.hops < 2 or rules.allow_shortcuts:
        return None
    named = {entity.id: entity.name for entity in case.nodes}
    if case.links:
        link = case.links[0]
        return Finding(
            f"edge: {named[link.subject_id]!r} {link.predicate} {named[link.object_id]!r} "
            f"({link.relation_id})"
        )
    if case.together:
        chunk, chunks = case.together
        more = f" and {chunks - 1} more" if chunks > 1 else ""
        return Finding(
            f"one text: {case.nodes[0].name!r} and {case.nodes[-1].name!r} are both in {chunk}{more}"
        )
    return None


def duplicate(case: Case, rules: Rules, taken: Taken) -> Finding | None:
    """An accepted question of the set has the same answer and the same set of facts."""
    if (case.path.entity_ids[0], case.facts) in taken.facts:
        return Finding(f"the set already asks for {case.nodes[0].name!r} by these facts")
    return None


def same_text(case: Case, draft: Draft, taken: Taken) -> Finding | None:
    """An accepted question of the set reads the same (counted as `duplicate`)."""
    if draft.text in taken.texts:
        return Finding(f"the set already asks: {draft.text}")
    return None
