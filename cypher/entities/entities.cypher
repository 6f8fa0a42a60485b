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
// Entities by name, after a place in the list. $corpus: name or null, $after_name, $after_id: null at first.
MATCH (e:Entity)
WHERE ($corpus IS NULL
       OR EXISTS { MATCH (e)-[:MENTIONED_IN]->(:Chunk)-[:PART_OF]->(:Document)-[:IN]->(:Corpus {name: $corpus}) })
  AND ($after_name IS NULL OR e.name > $after_name OR (e.name = $after_name AND e.id > $after_id))
RETURN e.id AS id
ORDER BY e.name, e.id

// :name page
// The same, at most so many: the embedded engine makes room for all that LIMIT allows, so `list` has none.
// Entities by name, after a place in the list. $corpus: name or null, $after_name, $after_id: null at first, $limit.
MATCH (e:Entity)
WHERE ($corpus IS NULL
       OR EXISTS { MATCH (e)-[:MENTIONED_IN]->(:Chunk)-[:PART_OF]->(:Document)-[:IN]->(:Corpus {name: $corpus}) })
  AND ($after_name IS NULL OR e.name > $after_name OR (e.name = $after_name AND e.id > $after_id))
RETURN e.id AS id
ORDER BY e.name, e.id
LIMIT $limit

// :name evidence
// Ids of the relations that an entity is subject or object of. $id, $corpus: name or null.
MATCH (e:Entity {id: $id})-[r:RELATES]-(:Entity)
WHERE $corpus IS NULL OR $corpus IN r.corpora
RETURN DISTINCT r.id AS id
ORDER BY id

// :name mentions
// Where an entity stands. $id.
MATCH (e:Entity {id: $id})-[m:MENTIONED_IN]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN e.id AS entity_id, c.id AS chunk_id, m.start AS start, m.end AS end,
       m.surface AS surface, m.recogniser AS recogniser
ORDER BY d.id, c.ordinal, start, end

// :name variants
// Phases and supported forms of compounds. $ids: of the compounds.
UNWIND $ids AS wanted
MATCH (v:Entity)-[:VARIANT_OF]->(c:Entity {id: wanted})
RETURN v.id AS id, v.name AS name, c.id AS compound
ORDER BY compound, name, id
