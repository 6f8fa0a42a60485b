// Looking around: names that begin or contain a text, and what stands next to an entity.

// :name containing
// Entities one of whose names contains a text, shortest name first. $text: in lower case, $limit.
MATCH (a:Alias)-[:NAMES]->(e:Entity)
WHERE toLower(a.surface) CONTAINS $text
WITH e, min(size(a.surface)) AS length
RETURN e.id AS id
ORDER BY length, e.name, e.id
LIMIT $limit

// :name neighbours
// Relations of an entity in both directions, in a fixed order. $id, $corpus: name or null, $limit.
MATCH (e:Entity {id: $id})
MATCH (e)-[r:RELATES]-(:Entity)
WHERE $corpus IS NULL OR $corpus IN r.corpora
WITH DISTINCT r
RETURN r.id AS id
ORDER BY r.draw, id
LIMIT $limit
