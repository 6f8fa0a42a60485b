// Seeded paths of one hop, (e1)-[r1]->(e2): candidates of every start in a slice.
// A path has distinct entities, distinct documents and distinct chunk contents; edges keep their direction.
// Where several pieces of evidence state one fact, the combination that comes first in the seed's order stands
// for it. Order is draw * m - floor(draw * m) of the summed draws, ties by id; each hop keeps a beam.
//
// $low, $high: slice of Entity.draw the starts are taken from. $starts: their ids, or null for all.
// $m: domain.ids.multiplier(seed). $corpus, $documents: where the evidence stands, or null for anywhere.
// $kinds: kinds every entity must have, or null. $lemmas, $without: predicates in (or null) and out.
// $include: id of an entity the path must hold, or null.
// $beam1: most partial paths kept of one start after each hop.
// Returns a row a start: start, turn, found [[entity ids, lemmas, relation ids]], seen (paths before facts were merged).
MATCH (e1:Entity)
WHERE e1.draw >= $low AND e1.draw < $high
  AND ($starts IS NULL OR e1.id IN $starts)
  AND ($kinds IS NULL OR e1.kind IN $kinds)
  AND EXISTS { MATCH (e1)-[:RELATES]->(:Entity) }
CALL (e1) {
  MATCH (e1)-[r1:RELATES]->(e2:Entity)
  WHERE ($corpus IS NULL OR $corpus IN r1.corpora)
    AND ($documents IS NULL OR r1.document_id IN $documents)
    AND ($lemmas IS NULL OR r1.lemma IN $lemmas)
    AND NOT r1.lemma IN $without
    AND ($kinds IS NULL OR e2.kind IN $kinds)
    AND NOT e2.id IN [e1.id]
    AND ($include IS NULL OR $include IN [e1.id, e2.id])
  WITH e1, r1, e2, r1.draw * $m AS x
  WITH e1, r1, e2, x - floor(x) AS turn
  ORDER BY turn, r1.id LIMIT $beam1
  WITH [e1.id, e2.id] AS entities, [r1.lemma] AS lemmas,
       collect([r1.id]) AS evidence, min(turn) AS turn
  ORDER BY turn, evidence[0][0]
  RETURN collect([entities, lemmas, evidence[0]]) AS found, sum(size(evidence)) AS seen
}
WITH e1, found, seen, e1.draw * $m AS x
RETURN e1.id AS start, x - floor(x) AS turn, found, seen
ORDER BY turn, start
