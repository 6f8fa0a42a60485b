// The ledger: every attempt at a question, with the path it was about.

// :name merge_paths
// Write the paths. $rows: list of {id, properties: map}.
UNWIND $rows AS row
MERGE (p:Path {id: row.id})
SET p += row.properties

// :name link_questions
// Say which path a question is from and which entity answers it. $rows: list of {id, path_id, answer_id}.
UNWIND $rows AS row
MATCH (q:Question {id: row.id})
MATCH (p:Path {id: row.path_id})
MATCH (e:Entity {id: row.answer_id})
MERGE (q)-[:FROM]->(p)
MERGE (q)-[:ANSWER]->(e)

// :name merge_rejections
// Write what was not accepted. $rows: list of {id, path_id, properties: map}.
UNWIND $rows AS row
MATCH (p:Path {id: row.path_id})
MERGE (r:Rejection {id: row.id})
SET r += row.properties
MERGE (r)-[:OF]->(p)

// :name clear
// Remove entries that a later attempt has made good. $ids: of rejections.
UNWIND $ids AS id
MATCH (r:Rejection {id: id})
DETACH DELETE r

// :name accepted
// The questions of a set with the facts they ask by. $dataset.
MATCH (q:Question {dataset: $dataset})
MATCH (q)-[:FROM]->(p:Path)
RETURN q.id AS id, q.text AS text, q.status AS status, q.hops AS hops, p.id AS path_id,
       p.entity_ids AS entity_ids, p.relation_ids AS relation_ids, p.lemmas AS lemmas, p.seed AS seed,
       p.corpus AS corpus
ORDER BY id

// :name rejected
// The paths of a set that were refused, or whose attempt broke off. $dataset.
MATCH (r:Rejection {dataset: $dataset})
RETURN r.path_id AS path_id, r.failed AS failed
ORDER BY path_id

// :name sums
// What the attempts of a set came to, by outcome. $dataset.
MATCH (q:Question {dataset: $dataset})
RETURN q.status AS outcome, q.hops AS hops, q.graph_type AS graph_type, count(q) AS attempts,
       sum(coalesce(q.calls, 0)) AS calls, sum(coalesce(q.tokens_in, 0)) AS tokens_in,
       sum(coalesce(q.tokens_out, 0)) AS tokens_out, sum(coalesce(q.cost, 0.0)) AS cost,
       sum(coalesce(q.seconds, 0.0)) AS seconds
ORDER BY outcome, hops, graph_type

// :name rejection_sums
// The same of what was not accepted, by reason. $dataset.
MATCH (r:Rejection {dataset: $dataset})
RETURN r.reason AS reason, r.failed AS failed, r.hops AS hops, count(r) AS attempts,
       sum(coalesce(r.calls, 0)) AS calls, sum(coalesce(r.tokens_in, 0)) AS tokens_in,
       sum(coalesce(r.tokens_out, 0)) AS tokens_out, sum(coalesce(r.cost, 0.0)) AS cost,
       sum(coalesce(r.seconds, 0.0)) AS seconds
ORDER BY reason, failed, hops

// :name list
// Entries of the ledger, after a place in the list. $dataset, $reason, $hops: or null; $after: id or ''; $limit.
MATCH (r:Rejection)
WHERE ($dataset IS NULL OR r.dataset = $dataset)
  AND ($reason IS NULL OR r.reason = $reason)
  AND ($hops IS NULL OR r.hops = $hops)
  AND r.id > $after
RETURN properties(r) AS rejection
ORDER BY r.id
LIMIT $limit
