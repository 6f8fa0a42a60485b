// Entities: by id, by name, in lists, and what is said about them.

// :name by_ids
// Entities with their aliases. $ids: list.
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
OPTIONAL MATCH (a:Alias)-[:NAMES]->(e)
WITH e, collect(DISTINCT a.surface) AS aliases
RETURN properties(e) AS entity, aliases

// :name find
// Ids of the entities that are named so. $id: an id, $key: an identity key.
MATCH (e:Entity)
WHERE e.id = $id OR e.key = $key
RETURN e.id AS id
UNION
MATCH (:Alias {key: $key})-[:NAMES]->(e:Entity)
RETURN e.id AS id

// :name list
// Entities by name, after a place in the list. $after_name, $after_id: null at first.
MATCH (e:Entity)
WHERE ($after_name IS NULL OR e.name > $after_name OR (e.name = $after_name AND e.id > $after_id))
RETURN e.id AS id
ORDER BY e.name, e.id

// :name page
// The same, at most $limit of them: the embedded engine makes room for all that LIMIT allows, so `list` has none.
MATCH (e:Entity)
WHERE ($after_name IS NULL OR e.name > $after_name OR (e.name = $after_name AND e.id > $after_id))
RETURN e.id AS id
ORDER BY e.name, e.id
LIMIT $limit

// :name list_of
// The same for one corpus. $corpus, $after_name, $after_id.
MATCH (:Corpus {name: $corpus})<-[:IN]-(:Document)<-[:PART_OF]-(:Chunk)<-[:MENTIONED_IN]-(e:Entity)
WHERE ($after_name IS NULL OR e.name > $after_name OR (e.name = $after_name AND e.id > $after_id))
WITH DISTINCT e
RETURN e.id AS id
ORDER BY e.name, e.id

// :name page_of
// The same for one corpus, at most so many. $corpus, $after_name, $after_id, $limit.
MATCH (:Corpus {name: $corpus})<-[:IN]-(:Document)<-[:PART_OF]-(:Chunk)<-[:MENTIONED_IN]-(e:Entity)
WHERE ($after_name IS NULL OR e.name > $after_name OR (e.name = $after_name AND e.id > $after_id))
WITH DISTINCT e
RETURN e.id AS id
ORDER BY e.name, e.id
LIMIT $limit

// :name evidence
// Ids of the relations that an entity is subject or object of. $id, $corpus: name or null.
MATCH (e:Entity {id: $id})
MATCH (e)-[r:RELATES]-(:Entity)
WHERE $corpus IS NULL OR $corpus IN r.corpora
RETURN DISTINCT r.id AS id
ORDER BY id

// :name mentions
// Where an entity stands. $id.
MATCH (e:Entity {id: $id})
MATCH (e)-[m:MENTIONED_IN]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN e.id AS entity_id, c.id AS chunk_id, m.start AS start, m.end AS end,
       m.surface AS surface, m.recogniser AS recogniser
ORDER BY d.id, c.ordinal, start, end

// :name variants
// Phases and supported forms of compounds. $ids: of the compounds.
UNWIND $ids AS wanted
MATCH (c:Entity {id: wanted})
MATCH (c)<-[:VARIANT_OF]-(v:Entity)
RETURN v.id AS id, v.name AS name, c.id AS compound
ORDER BY compound, name, id
