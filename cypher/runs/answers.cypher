// Answers of a run: (:Run)-[:HAS]->(:Answer)-[:TO]->(:Question). An answer's id is made from run,
// question, condition, endpoint and epoch, so that writing it again replaces it.

// :name save
// Write answers. $run_id; $rows: [{id, question_id, properties}].
// Returns a row an answer: id, and whether its question is in the graph.
MATCH (run:Run {id: $run_id})
UNWIND $rows AS row
MERGE (answer:Answer {id: row.id})
SET answer = row.properties
MERGE (run)-[:HAS]->(answer)
WITH answer, row
OPTIONAL MATCH (question:Question {id: row.question_id})
FOREACH (found IN CASE WHEN question IS NULL THEN [] ELSE [question] END | MERGE (answer)-[:TO]->(found))
RETURN answer.id AS id, question IS NOT NULL AS linked

// :name answered
// What need not be asked again: all but errors. $run_id.
MATCH (:Run {id: $run_id})-[:HAS]->(answer:Answer)
WHERE answer.status <> 'error'
RETURN answer.question_id AS question_id, answer.condition AS condition,
       answer.endpoint AS endpoint, answer.epoch AS epoch

// :name of_run
// Answers by id. $run_id; $question_id, $status: of these only, or null; $after: id of the last
// answer of the page before, or an empty string; $limit.
MATCH (:Run {id: $run_id})-[:HAS]->(answer:Answer)
WHERE answer.id > $after
  AND ($question_id IS NULL OR answer.question_id = $question_id)
  AND ($status IS NULL OR answer.status = $status)
RETURN properties(answer) AS answer
ORDER BY answer.id
LIMIT $limit

// :name spent
// What the answers of a run have cost so far. $run_id.
MATCH (:Run {id: $run_id})-[:HAS]->(answer:Answer)
RETURN count(answer) AS answers, coalesce(sum(answer.cost), 0.0) AS cost

// :name delete
// Remove up to $limit answers of a run. $run_id, $limit. Returns a row: removed.
MATCH (:Run {id: $run_id})-[:HAS]->(answer:Answer)
WITH answer LIMIT $limit
DETACH DELETE answer
RETURN count(*) AS removed
