// What the gates need to know about many paths at once.

// :name rivals
// Other subjects with the same relation to the same object. $facts: rows {lemma, object_id};
// $corpus: where the evidence stands, or null for anywhere. The subject asked for is among the rows.
UNWIND $facts AS fact
MATCH (o:Entity {id: fact.object_id})
MATCH (o)<-[r:RELATES]-(s:Entity)
WHERE r.lemma = fact.lemma AND ($corpus IS NULL OR $corpus IN r.corpora)
RETURN fact.lemma AS lemma, fact.object_id AS object_id, s.id AS subject_id, s.name AS subject,
       min(r.id) AS relation_id, min(r.document_id) AS document_id
ORDER BY lemma, object_id, subject_id

// :name links
// Relations among the entities of each path. $paths: rows {id, entity_ids}; $corpus as above.
UNWIND $paths AS path
UNWIND path.entity_ids AS id
MATCH (a:Entity {id: id})
MATCH (a)-[r:RELATES]->(b:Entity)
WHERE b.id IN path.entity_ids AND ($corpus IS NULL OR $corpus IN r.corpora)
RETURN path.id AS path_id, a.id AS subject_id, b.id AS object_id, min(r.predicate) AS predicate,
       min(r.id) AS relation_id
ORDER BY path_id, subject_id, object_id

// :name together
// Chunks that mention both ends. $pairs: rows {a, b} of entity ids; $corpus as above.
UNWIND $pairs AS pair
MATCH (a:Entity {id: pair.a})
MATCH (b:Entity {id: pair.b})
MATCH (a)-[:MENTIONED_IN]->(c:Chunk)<-[:MENTIONED_IN]-(b)
WHERE $corpus IS NULL OR EXISTS { MATCH (c)-[:PART_OF]->(:Document)-[:IN]->(:Corpus {name: $corpus}) }
RETURN pair.a AS a, pair.b AS b, min(c.id) AS chunk_id, count(DISTINCT c.id) AS chunks
ORDER BY a, b

// :name spread
// In how many documents and with how many predicates an entity occurs. $ids; $corpus as above.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
MATCH (e)-[r:RELATES]-(:Entity)
WHERE $corpus IS NULL OR $corpus IN r.corpora
RETURN id, count(DISTINCT r.document_id) AS documents, count(DISTINCT r.lemma) AS lemmas
ORDER BY id

// :name documents
// How many documents there are. $corpus as above.
MATCH (d:Document)
WHERE $corpus IS NULL OR EXISTS { MATCH (d)-[:IN]->(:Corpus {name: $corpus}) }
RETURN count(d) AS documents
