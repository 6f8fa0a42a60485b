// Reading questions.

// :name get
// Some questions. $ids: list.
UNWIND $ids AS id
MATCH (q:Question {id: id})
RETURN properties(q) AS question
ORDER BY question.id

// :name list
// Questions by set, hops and id, after a place in the list. $dataset, $corpus, $hops, $graph_type, $status,
// $split, $backend: a value or null; $text: in lower case, part of question or answer, or null;
// $after_dataset, $after_hops, $after_id: the place, '' and -1 at first; $limit.
MATCH (q:Question)
WHERE ($dataset IS NULL OR q.dataset = $dataset)
  AND ($corpus IS NULL OR q.corpus = $corpus)
  AND ($hops IS NULL OR q.hops = $hops)
  AND ($graph_type IS NULL OR q.graph_type = $graph_type)
  AND ($status IS NULL OR q.status = $status)
  AND ($split IS NULL OR q.split = $split)
  AND ($backend IS NULL OR q.backend = $backend)
  AND ($text IS NULL OR toLower(q.text) CONTAINS $text OR toLower(q.answer) CONTAINS $text)
  AND (q.dataset > $after_dataset
       OR (q.dataset = $after_dataset
           AND (q.hops > $after_hops OR (q.hops = $after_hops AND q.id > $after_id))))
RETURN properties(q) AS question
ORDER BY q.dataset, q.hops, q.id
LIMIT $limit

// :name names
// The sets of questions there are, with what is accepted in them, by hops and type. No parameters.
MATCH (q:Question)
WHERE q.dataset IS NOT NULL
RETURN q.dataset AS name, q.source_format AS source_format, q.status AS status, q.hops AS hops,
       q.graph_type AS graph_type, count(q) AS questions
ORDER BY name, source_format, status, hops, graph_type

// :name accepted_ids
// Accepted questions of a set. $dataset, $corpus: or null.
MATCH (q:Question)
WHERE ($dataset IS NULL OR q.dataset = $dataset)
  AND ($corpus IS NULL OR q.corpus = $corpus)
  AND q.status = 'accepted'
RETURN q.id AS id
ORDER BY id

// :name gold
// The text that states each relation, and what is known of its subject. $ids: of relations.
MATCH (s)-[r:RELATES]->(o)
WHERE r.id IN $ids
MATCH (c:Chunk {id: r.chunk_id})
OPTIONAL MATCH (s)<-[:DESCRIBES]-(m:Metadata)
RETURN r.id AS id, r.document_id AS document_id, c.text AS text, properties(s) AS subject,
       collect(m.text) AS metadata
ORDER BY id
