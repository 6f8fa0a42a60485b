// What is there, in one corpus or in all. $corpus: name, or null for all.

// :name documents
// Documents and chunks.
MATCH (d:Document)
WHERE $corpus IS NULL OR EXISTS { MATCH (d)-[:IN]->(:Corpus {name: $corpus}) }
OPTIONAL MATCH (d)<-[:PART_OF]-(c:Chunk)
RETURN count(DISTINCT d) AS documents, count(c) AS chunks

// :name mentions
// Mentions, and the entities that have any.
MATCH (d:Document)
WHERE $corpus IS NULL OR EXISTS { MATCH (d)-[:IN]->(:Corpus {name: $corpus}) }
MATCH (d)<-[:PART_OF]-(:Chunk)<-[m:MENTIONED_IN]-(e:Entity)
RETURN count(m) AS mentions, count(DISTINCT e) AS entities

// :name relations
// Relations (pieces of evidence), and distinct facts (subject, lemma, object).
MATCH (s:Entity)-[r:RELATES]->(o:Entity)
WHERE $corpus IS NULL OR $corpus IN r.corpora
WITH s, o, r.lemma AS lemma, count(r) AS evidence
RETURN sum(evidence) AS relations, count(*) AS facts

// :name paths
// Paths that questions and rejections are about.
MATCH (p:Path)
WHERE $corpus IS NULL OR p.corpus = $corpus
RETURN count(p) AS paths

// :name questions
// Accepted questions: our own of the corpus, or all, imported ones included.
MATCH (q:Question)
WHERE q.status = 'accepted' AND ($corpus IS NULL OR q.corpus = $corpus)
RETURN count(q) AS questions

// :name reasoning_graphs
// Reasoning graphs of those questions.
MATCH (g:ReasoningGraph)-[:FOR]->(q:Question)
WHERE $corpus IS NULL OR q.corpus = $corpus
RETURN count(g) AS reasoning_graphs

// :name edges
// Pairs of entities that stand in a relation, for the statistics of the paper's Table 1b.
MATCH (s:Entity)-[r:RELATES]->(o:Entity)
WHERE $corpus IS NULL OR $corpus IN r.corpora
RETURN DISTINCT s.id AS subject, o.id AS object

// :name nodes
// Ids and names of the entities, for the same.
MATCH (d:Document)
WHERE $corpus IS NULL OR EXISTS { MATCH (d)-[:IN]->(:Corpus {name: $corpus}) }
MATCH (d)<-[:PART_OF]-(:Chunk)<-[:MENTIONED_IN]-(e:Entity)
RETURN DISTINCT e.id AS id, e.name AS name

// :name labels
// How many nodes there are of each label. No parameters.
MATCH (n)
UNWIND labels(n) AS label
RETURN label, count(*) AS nodes
ORDER BY label
