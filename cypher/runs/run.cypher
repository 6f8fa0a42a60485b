// Runs: one evaluation each. A run's id is made from everything that determines its prompts.

// :name create
// Write the run unless it is there; what is there stays as it is. $id, $properties.
// Returns a row: added (whether it is new).
OPTIONAL MATCH (old:Run {id: $id})
WITH count(old) AS there
MERGE (run:Run {id: $id})
ON CREATE SET run = $properties
RETURN there = 0 AS added

// :name get
// One run. $id.
MATCH (run:Run {id: $id})
RETURN properties(run) AS run

// :name list
// Runs, newest first, ties by id. $created, $id: of the last run of the page before, or null; $limit.
MATCH (run:Run)
WHERE $created IS NULL OR run.created < $created OR (run.created = $created AND run.id > $id)
RETURN properties(run) AS run
ORDER BY run.created DESC, run.id
LIMIT $limit

// :name finish
// Note when the last answer was there. $id, $finished: ISO time, or null to open the run again.
MATCH (run:Run {id: $id})
SET run.finished = $finished
RETURN run.id AS id

// :name delete
// Remove a run that has no answers left. $id.
MATCH (run:Run {id: $id})
WHERE NOT EXISTS { MATCH (run)-[:HAS]->(:Answer) }
DETACH DELETE run
RETURN count(*) AS removed
