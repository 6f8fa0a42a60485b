// What the audit of a question set reads: from the nodes themselves, not from what generation noted down.

// :name hops
// A row for each hop of each accepted question: who is related to whom, and the text it stands in. $dataset.
MATCH (q:Question {dataset: $dataset})-[:FROM]->(p:Path)
WHERE q.status = 'accepted'
UNWIND range(0, size(p.relation_ids) - 1) AS place
MATCH (s:Entity)-[r:RELATES {id: p.relation_ids[place]}]->(o:Entity)
MATCH (c:Chunk {id: r.chunk_id})-[:PART_OF]->(d:Document)
RETURN q.id AS question_id, q.text AS question, q.answer AS answer, place, s.id AS subject_id,
       o.id AS object_id, d.id AS document_id, c.text AS chunk_text,
       substring(c.text, r.start, r.end - r.start) AS stated
ORDER BY question_id, place

// :name sizes
// How many hops each accepted question has by its path. $dataset.
MATCH (q:Question {dataset: $dataset})-[:FROM]->(p:Path)
WHERE q.status = 'accepted'
RETURN q.id AS question_id, size(p.relation_ids) AS hops
ORDER BY question_id

// :name names
// Everything an entity is called. $ids: list.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
OPTIONAL MATCH (a:Alias)-[:NAMES]->(e)
RETURN e.id AS id, [e.name, e.formula, e.smiles, e.inchikey] AS own, collect(a.surface) AS others
ORDER BY id
