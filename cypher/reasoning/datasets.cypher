// Imported data sets: the set itself, its questions' sentences, and taking a question back.

// :name merge
// Write what is known of a data set. $name, $properties: map.
MERGE (d:Dataset {name: $name})
SET d += $properties

// :name list
// All imported data sets. No parameters.
MATCH (d:Dataset)
RETURN properties(d) AS dataset
ORDER BY d.name

// :name get
// One data set. $name.
MATCH (d:Dataset {name: $name})
RETURN properties(d) AS dataset

// :name contents
// What content the positives of questions were made from. $ids: of the positive graphs.
UNWIND $ids AS wanted
MATCH (g:ReasoningGraph {id: wanted})
RETURN g.id AS id, g.content_sha256 AS content_sha256

// :name merge_sentences
// Write sentences. $rows: list of {id, properties: map}.
UNWIND $rows AS row
MERGE (s:Sentence {id: row.id})
SET s += row.properties

// :name merge_context
// Which sentences came with a question, and where. $rows: list of {question, sentence, ordinal, paragraph, supporting}.
UNWIND $rows AS row
MATCH (q:Question {id: row.question})
MATCH (s:Sentence {id: row.sentence})
MERGE (q)-[c:CONTEXT {ordinal: row.ordinal}]->(s)
SET c.paragraph = row.paragraph, c.supporting = row.supporting

// :name contexts
// The context of questions in its order. $ids: of the questions.
UNWIND $ids AS wanted
MATCH (q:Question {id: wanted})-[c:CONTEXT]->(s:Sentence)
RETURN q.id AS question_id, s.id AS id, s.title AS title, s.ordinal AS ordinal, s.text AS text,
       c.supporting AS supporting, c.paragraph AS paragraph, c.ordinal AS place
ORDER BY question_id, place

// :name drop_context
// Take the context from questions, and remove sentences that stand in no other's. $ids: of the questions.
UNWIND $ids AS wanted
MATCH (q:Question {id: wanted})-[c:CONTEXT]->(s:Sentence)
DELETE c
WITH DISTINCT s
WHERE NOT EXISTS { MATCH (:Question)-[:CONTEXT]->(s) }
DETACH DELETE s

// :name sentences
// Sentences of a data set, after a place in the list. $dataset, $after: sentence id or '', $limit.
MATCH (s:Sentence {dataset: $dataset})
WHERE s.id > $after
RETURN s.id AS id, s.title AS title, s.ordinal AS ordinal, s.text AS text
ORDER BY s.id
LIMIT $limit
