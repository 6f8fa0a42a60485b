// Relations: the evidence that subject -[predicate]-> object.
// The embedded engine finds relations by their index only where the ends of the pattern are bare.

// :name by_ids
// Relations with their text and place. $ids: list.
MATCH (s)-[r:RELATES]->(o)
WHERE r.id IN $ids
MATCH (c:Chunk {id: r.chunk_id})
MATCH (c)-[:PART_OF]->(d:Document)
RETURN properties(r) AS relation, s.id AS subject_id, o.id AS object_id,
       s.name AS subject_name, o.name AS object_name,
       c.text AS chunk_text, c.content_sha256 AS chunk_sha256, c.page AS page,
       d.title AS document_title, d.doi AS document_doi

// :name list
// Ids of relations in order, after one. $corpus: name or null, $after: id or null.
MATCH ()-[r:RELATES]->()
WHERE ($corpus IS NULL OR $corpus IN r.corpora)
  AND ($after IS NULL OR r.id > $after)
RETURN r.id AS id
ORDER BY id

// :name page
// The same, at most $limit of them: the embedded engine makes room for all that LIMIT allows.
// Ids of relations in order, after one. $corpus: name or null, $after: id or null, $limit.
MATCH ()-[r:RELATES]->()
WHERE ($corpus IS NULL OR $corpus IN r.corpora)
  AND ($after IS NULL OR r.id > $after)
RETURN r.id AS id
ORDER BY id
LIMIT $limit

// :name rivals
// Other subjects that stand in the same relation to an object. $lemma, $object, $subject: ids, $corpus: name or null.
MATCH (o:Entity {id: $object})
MATCH (o)<-[r:RELATES]-(s:Entity)
WHERE r.lemma = $lemma AND s.id <> $subject
  AND ($corpus IS NULL OR $corpus IN r.corpora)
RETURN s.id AS entity, s.name AS name, r.id AS relation
ORDER BY entity, relation

// :name between
// Relations with both ends in a set of entities. $ids: list, $corpus: name or null.
MATCH (s:Entity)-[r:RELATES]->(o:Entity)
WHERE s.id IN $ids AND o.id IN $ids
  AND ($corpus IS NULL OR $corpus IN r.corpora)
RETURN properties(r) AS relation, s.id AS subject_id, o.id AS object_id
ORDER BY r.id

// :name co_mentions
// Ids of the chunks in which two entities both stand. $a, $b: ids, $corpus: name or null.
MATCH (a:Entity {id: $a})-[:MENTIONED_IN]->(c:Chunk)
MATCH (c)<-[:MENTIONED_IN]-(b:Entity)
WHERE b.id = $b AND ($corpus IS NULL
   OR EXISTS { MATCH (c)-[:PART_OF]->(:Document)-[:IN]->(:Corpus {name: $corpus}) })
RETURN DISTINCT c.id AS chunk
ORDER BY chunk

// :name spread
// In how many documents and with how many distinct predicates entities stand in relations. $ids: list.
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
OPTIONAL MATCH (e)-[r:RELATES]-(:Entity)
RETURN e.id AS id, count(DISTINCT r.document_id) AS documents, count(DISTINCT r.lemma) AS lemmas
