// Documents: writing one, placing it in corpora, reading and removing it.

// :name merge
// Write a document's own properties and put it in a corpus; null properties are removed.
// $id, $properties: map, $corpus: name.
MERGE (d:Document {id: $id})
SET d += $properties
MERGE (c:Corpus {name: $corpus})
MERGE (d)-[:IN]->(c)
RETURN d.id AS id

// :name claim
// Take the write lock of a document, so that no other transaction changes it. $id.
MATCH (d:Document {id: $id})
SET d.id = d.id
RETURN d.id AS id

// :name corpora
// Names of the corpora a document is in. $id.
MATCH (:Document {id: $id})-[:IN]->(c:Corpus)
RETURN c.name AS name
ORDER BY name

// :name attach
// Put a document in a corpus. $id, $corpus.
MATCH (d:Document {id: $id})
MERGE (c:Corpus {name: $corpus})
MERGE (d)-[:IN]->(c)
RETURN d.id AS id

// :name detach
// Take a document out of a corpus. $id, $corpus.
MATCH (:Document {id: $id})-[i:IN]->(:Corpus {name: $corpus})
DELETE i

// :name mark
// Repeat on a document's relations which corpora it is in, so that sampling needs no join. $id, $corpora: list.
MATCH ()-[r:RELATES]->()
WHERE r.document_id = $id
SET r.corpora = $corpora
RETURN count(r) AS relations

// :name remove
// Remove the node of a document. What it said is removed by the other statements. $id.
MATCH (d:Document {id: $id})
DETACH DELETE d

// :name get
// One document. $id.
MATCH (d:Document {id: $id})
RETURN properties(d) AS document

// :name fingerprints
// Fingerprints of those documents that are there. $ids: list.
UNWIND $ids AS wanted
MATCH (d:Document {id: wanted})
RETURN d.id AS id, d.fingerprint AS fingerprint

// :name at_source
// Documents of a corpus that were read from a path or address. $corpus, $source.
MATCH (d:Document {source: $source})-[:IN]->(:Corpus {name: $corpus})
RETURN d.id AS id
ORDER BY id

// :name list
// Documents by name, after a place in the list. $corpus: name or null, $after_name, $after_id: null at first.
MATCH (d:Document)
WHERE ($corpus IS NULL OR EXISTS { MATCH (d)-[:IN]->(:Corpus {name: $corpus}) })
  AND ($after_name IS NULL OR d.name > $after_name OR (d.name = $after_name AND d.id > $after_id))
RETURN properties(d) AS document
ORDER BY d.name, d.id

// :name page
// The same, at most $limit of them: the embedded engine makes room for all that LIMIT allows.
// Documents by name, after a place in the list. $corpus: name or null, $after_name, $after_id: null at first, $limit.
MATCH (d:Document)
WHERE ($corpus IS NULL OR EXISTS { MATCH (d)-[:IN]->(:Corpus {name: $corpus}) })
  AND ($after_name IS NULL OR d.name > $after_name OR (d.name = $after_name AND d.id > $after_id))
RETURN properties(d) AS document
ORDER BY d.name, d.id
LIMIT $limit

// :name chunks
// Chunks of a document in reading order. $id.
MATCH (c:Chunk)-[:PART_OF]->(d:Document {id: $id})
RETURN properties(c) AS chunk, d.id AS document_id
ORDER BY c.ordinal
