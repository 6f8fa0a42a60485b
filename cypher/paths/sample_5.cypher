// Seeded paths of five hops, (e1)-[r1]->(e2)-[r2]->(e3)-[r3]->(e4)-[r4]->(e5)-[r5]->(e6): candidates of every start in a slice.
// A path has distinct entities, distinct documents and distinct chunk contents; edges keep their direction.
// Where several pieces of evidence state one fact, the combination that comes first in the seed's order stands
// for it. Order is draw * m - floor(draw * m) of the summed draws, ties by id; each hop keeps a beam.
//
// $low, $high: slice of Entity.draw the starts are taken from. $starts: their ids, or null for all.
// $m: domain.ids.multiplier(seed). $corpus, $documents: where the evidence stands, or null for anywhere.
// $kinds: kinds every entity must have, or null. $lemmas, $without: predicates in (or null) and out.
// $include: id of an entity the path must hold, or null. $repeat: let sources repeat (to explain a shortfall).
// $beam1, $beam2, $beam3, $beam4, $beam5: most partial paths kept of one start after each hop.
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
  WITH e1, r1, e2, r1.draw * $m AS x
  WITH e1, r1, e2, x - floor(x) AS turn
  ORDER BY turn, r1.id LIMIT $beam1
  MATCH (e2)-[r2:RELATES]->(e3:Entity)
  WHERE ($corpus IS NULL OR $corpus IN r2.corpora)
    AND ($documents IS NULL OR r2.document_id IN $documents)
    AND ($lemmas IS NULL OR r2.lemma IN $lemmas)
    AND NOT r2.lemma IN $without
    AND ($kinds IS NULL OR e3.kind IN $kinds)
    AND NOT e3.id IN [e1.id, e2.id]
    AND ($repeat OR (NOT r2.document_id IN [r1.document_id]
      AND NOT r2.chunk_sha256 IN [r1.chunk_sha256]))
  WITH e1, r1, e2, r2, e3, (r1.draw + r2.draw) * $m AS x
  WITH e1, r1, e2, r2, e3, x - floor(x) AS turn
  ORDER BY turn, r1.id, r2.id LIMIT $beam2
  MATCH (e3)-[r3:RELATES]->(e4:Entity)
  WHERE ($corpus IS NULL OR $corpus IN r3.corpora)
    AND ($documents IS NULL OR r3.document_id IN $documents)
    AND ($lemmas IS NULL OR r3.lemma IN $lemmas)
    AND NOT r3.lemma IN $without
    AND ($kinds IS NULL OR e4.kind IN $kinds)
    AND NOT e4.id IN [e1.id, e2.id, e3.id]
    AND ($repeat OR (NOT r3.document_id IN [r1.document_id, r2.document_id]
      AND NOT r3.chunk_sha256 IN [r1.chunk_sha256, r2.chunk_sha256]))
  WITH e1, r1, e2, r2, e3, r3, e4, (r1.draw + r2.draw + r3.draw) * $m AS x
  WITH e1, r1, e2, r2, e3, r3, e4, x - floor(x) AS turn
  ORDER BY turn, r1.id, r2.id, r3.id LIMIT $beam3
  MATCH (e4)-[r4:RELATES]->(e5:Entity)
  WHERE ($corpus IS NULL OR $corpus IN r4.corpora)
    AND ($documents IS NULL OR r4.document_id IN $documents)
    AND ($lemmas IS NULL OR r4.lemma IN $lemmas)
    AND NOT r4.lemma IN $without
    AND ($kinds IS NULL OR e5.kind IN $kinds)
    AND NOT e5.id IN [e1.id, e2.id, e3.id, e4.id]
    AND ($repeat OR (NOT r4.document_id IN [r1.document_id, r2.document_id, r3.document_id]
      AND NOT r4.chunk_sha256 IN [r1.chunk_sha256, r2.chunk_sha256, r3.chunk_sha256]))
  WITH e1, r1, e2, r2, e3, r3, e4, r4, e5, (r1.draw + r2.draw + r3.draw + r4.draw) * $m AS x
  WITH e1, r1, e2, r2, e3, r3, e4, r4, e5, x - floor(x) AS turn
  ORDER BY turn, r1.id, r2.id, r3.id, r4.id LIMIT $beam4
  MATCH (e5)-[r5:RELATES]->(e6:Entity)
  WHERE ($corpus IS NULL OR $corpus IN r5.corpora)
    AND ($documents IS NULL OR r5.document_id IN $documents)
    AND ($lemmas IS NULL OR r5.lemma IN $lemmas)
    AND NOT r5.lemma IN $without
    AND ($kinds IS NULL OR e6.kind IN $kinds)
    AND NOT e6.id IN [e1.id, e2.id, e3.id, e4.id, e5.id]
    AND ($repeat OR (NOT r5.document_id IN [r1.document_id, r2.document_id, r3.document_id, r4.document_id]
      AND NOT r5.chunk_sha256 IN [r1.chunk_sha256, r2.chunk_sha256, r3.chunk_sha256, r4.chunk_sha256]))
    AND ($include IS NULL OR $include IN [e1.id, e2.id, e3.id, e4.id, e5.id, e6.id])
  WITH e1, r1, e2, r2, e3, r3, e4, r4, e5, r5, e6, (r1.draw + r2.draw + r3.draw + r4.draw + r5.draw) * $m AS x
  WITH e1, r1, e2, r2, e3, r3, e4, r4, e5, r5, e6, x - floor(x) AS turn
  ORDER BY turn, r1.id, r2.id, r3.id, r4.id, r5.id LIMIT $beam5
  WITH [e1.id, e2.id, e3.id, e4.id, e5.id, e6.id] AS entities, [r1.lemma, r2.lemma, r3.lemma, r4.lemma, r5.lemma] AS lemmas,
       collect([r1.id, r2.id, r3.id, r4.id, r5.id]) AS evidence, min(turn) AS turn
  ORDER BY turn, evidence[0][0]
  RETURN collect([entities, lemmas, evidence[0]]) AS found, sum(size(evidence)) AS seen
}
WITH e1, found, seen, e1.draw * $m AS x
RETURN e1.id AS start, x - floor(x) AS turn, found, seen
ORDER BY turn, start
