// What the audit of a question set reads: from the nodes themselves, not from what generation noted down.

// :name questions
// Accepted questions that are from a path, with its relations in order. $dataset.
MATCH (q:Question {dataset: $dataset})
WHERE q.status = 'accepted'
MATCH (q)-[:FROM]->(p:Path)
RETURN q.id AS id, q.text AS text, q.answer AS answer, p.relation_ids AS relation_ids
ORDER BY id

// :name stated
// Who is related to whom, and the text it stands in. $ids: of relations.
MATCH (s)-[r:RELATES]->(o)
WHERE r.id IN $ids
MATCH (c:Chunk {id: r.chunk_id})
MATCH (c)-[:PART_OF]->(d:Document)
RETURN r.id AS id, s.id AS subject_id, o.id AS object_id, d.id AS document_id, c.text AS chunk_text,
       substring(c.text, r.start, r.end - r.start) AS stated
ORDER BY id

// :name names
// Everything an entity is called. $ids: list.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
OPTIONAL MATCH (e)<-[:NAMES]-(a:Alias)
RETURN e.id AS id, [e.name, e.formula, e.smiles, e.inchikey] AS own, collect(a.surface) AS others
ORDER BY id
