// Corpora: named sets of documents that sampling and statistics keep apart.

// :name ensure
// Make a corpus where it is missing. $name.
MERGE (c:Corpus {name: $name})
RETURN c.name AS name

// :name list
// Corpora with the number of their documents and chunks. No parameters.
MATCH (c:Corpus)
OPTIONAL MATCH (d:Document)-[:IN]->(c)
OPTIONAL MATCH (k:Chunk)-[:PART_OF]->(d)
RETURN c.name AS name, count(DISTINCT d) AS documents, count(k) AS chunks
ORDER BY name

// :name documents
// Ids of the documents of a corpus. $name.
MATCH (d:Document)-[:IN]->(:Corpus {name: $name})
RETURN d.id AS id
ORDER BY id

// :name remove
// Remove a corpus that holds no document any more. $name.
MATCH (c:Corpus {name: $name})
WHERE NOT EXISTS { MATCH (:Document)-[:IN]->(c) }
DETACH DELETE c
