// Writing what a document says, in batches sorted by id: two writers then lock in the same order.

// :name chunks
// Its chunks. $document: its id, $rows: list of {id, properties}.
MATCH (d:Document {id: $document})
UNWIND $rows AS row
MERGE (c:Chunk {id: row.id})
SET c += row.properties
MERGE (c)-[:PART_OF]->(d)

// :name entities
// Entities. Of two spellings of a name the one later in code point order stays, whichever document
// comes first: that is the one in lower case. $rows: list of {id, name, properties}.
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
SET e += row.properties,
    e.name = CASE WHEN e.name IS NULL OR row.name > e.name THEN row.name ELSE e.name END

// :name variants
// Link phases and supported forms to their compound, whichever of the two came first. $ids: of entities.
UNWIND $ids AS wanted
MATCH (v:Entity)
WHERE v.id = wanted AND v.variant_of IS NOT NULL
MATCH (c:Entity {id: v.variant_of})
MERGE (v)-[:VARIANT_OF]->(c)

// :name variants_of
// The same from the compound's side. $ids: of entities.
UNWIND $ids AS wanted
MATCH (v:Entity {variant_of: wanted})
MATCH (c:Entity {id: wanted})
MERGE (v)-[:VARIANT_OF]->(c)

// :name aliases
// Surfaces that name entities, and which documents say so.
// $document: its id, $rows: list of {id, entity, properties}.
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity})
MERGE (a:Alias {id: row.id})
SET a += row.properties
MERGE (a)-[n:NAMES]->(e)
SET n.documents = [each IN coalesce(n.documents, []) WHERE each <> $document] + [$document]

// :name mentions
// Where entities stand in chunks. $rows: list of {entity, chunk, properties}.
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity})
MATCH (c:Chunk {id: row.chunk})
CREATE (e)-[m:MENTIONED_IN]->(c)
SET m = row.properties

// :name relations
// Relations: one edge for each subject, predicate, object and chunk. Properties replace those of before.
// $rows: list of {id, subject, object, properties}.
UNWIND $rows AS row
MATCH (s:Entity {id: row.subject})
MATCH (o:Entity {id: row.object})
MERGE (s)-[r:RELATES {id: row.id}]->(o)
SET r = row.properties
