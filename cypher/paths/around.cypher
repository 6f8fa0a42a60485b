// What the sampling of paths needs to know around the paths.

// :name starts
// How many entities there are to start from. No parameters.
MATCH (e:Entity)
RETURN count(e) AS entities

// :name upstream
// Entities with a relation to one of these, which a path through those can begin at. $ids: entity ids;
// $corpus: where the evidence stands, or null for anywhere.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
MATCH (e)<-[r:RELATES]-(p:Entity)
WHERE $corpus IS NULL OR $corpus IN r.corpora
RETURN DISTINCT p.id AS id
ORDER BY id

// :name get
// One path that a question or a rejection is about. $id.
MATCH (p:Path {id: $id})
RETURN p AS path

// :name tell
// The facts of many paths, a row a relation. $relation_ids.
MATCH (s)-[r:RELATES]->(o)
WHERE r.id IN $relation_ids
OPTIONAL MATCH (d:Document {id: r.document_id})
RETURN r.id AS id, s.name AS subject, r.predicate AS predicate, o.name AS object,
       r.document_id AS document_id, d.name AS document, r.chunk_id AS chunk_id
