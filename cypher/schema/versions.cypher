// Which numbered schema files were applied, and emptying the graph.

// :name applied
// Numbers of the files applied so far. No parameters.
MATCH (v:SchemaVersion)
RETURN v.number AS number
ORDER BY number

// :name record
// Note that a file was applied. $number, $name, $at: ISO time.
MERGE (v:SchemaVersion {number: $number})
SET v.name = $name, v.at = $at
RETURN v.number AS number

// :name empty
// Remove up to $limit nodes with their relationships; the schema and its versions stay.
MATCH (n)
WHERE NOT n:SchemaVersion
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
