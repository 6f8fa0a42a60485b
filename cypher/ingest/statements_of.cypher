// What one document says: reading it before a replacement, and taking it back.
// Relations are found by the index of their own property; the embedded engine uses it only where the
// ends of the pattern are bare and the pattern comes first.

// :name relations
// Its relations with their ends. $id: of the document.
MATCH (s)-[r:RELATES]->(o)
WHERE r.document_id = $id
RETURN r.id AS id, s.id AS subject, o.id AS object
ORDER BY id

// :name entities
// Ids of the entities it mentions. $id: of the document.
MATCH (d:Document {id: $id})<-[:PART_OF]-(:Chunk)<-[:MENTIONED_IN]-(e:Entity)
RETURN DISTINCT e.id AS id
ORDER BY id

// :name claim
// Take the write locks of entities in a fixed order, so that none gets new support while we look for
// those without any. $ids: sorted list.
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
SET e.id = e.id
RETURN count(e) AS claimed

// :name drop_relations
// Remove relations. $ids: list.
MATCH ()-[r:RELATES]->()
WHERE r.id IN $ids
DELETE r

// :name drop_mentions
// Remove all mentions in its chunks. $id: of the document.
MATCH (d:Document {id: $id})<-[:PART_OF]-(:Chunk)<-[m:MENTIONED_IN]-(:Entity)
DELETE m

// :name drop_chunks
// Remove its chunks except some. $id: of the document, $keep: list of chunk ids.
MATCH (d:Document {id: $id})<-[:PART_OF]-(c:Chunk)
WHERE NOT c.id IN $keep
DETACH DELETE c

// :name drop_names
// Take its support from the names of entities. $ids: of the entities, $document: its id.
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
MATCH (e)<-[n:NAMES]-(:Alias)
WHERE $document IN n.documents
SET n.documents = [each IN n.documents WHERE each <> $document]

// :name prune_names
// Remove names that no document supports. $ids: of the entities.
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
MATCH (e)<-[n:NAMES]-(a:Alias)
WHERE size(n.documents) = 0
DELETE n
RETURN DISTINCT a.id AS alias

// :name prune_aliases
// Remove those aliases that name nothing any more. $ids: of the aliases.
UNWIND $ids AS wanted
MATCH (a:Alias {id: wanted})
WHERE NOT EXISTS { MATCH (a)-[:NAMES]->(:Entity) }
DETACH DELETE a

// :name prune_entities
// Remove those entities that no mention, no relation and no question's answer uses. $ids: of the entities.
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
WHERE NOT EXISTS { MATCH (e)-[:MENTIONED_IN]->(:Chunk) }
  AND NOT EXISTS { MATCH (e)-[:RELATES]-(:Entity) }
  AND NOT EXISTS { MATCH (:Question)-[:ANSWER]->(e) }
DETACH DELETE e

// :name withdraw_questions
// Mark accepted questions whose path rests on relations that are gone. $ids: of the relations.
MATCH (q:Question)-[:FROM]->(p:Path)
WHERE q.status = 'accepted' AND any(id IN p.relation_ids WHERE id IN $ids)
SET q.status = 'withdrawn'
RETURN q.id AS id
