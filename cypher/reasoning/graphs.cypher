// Reasoning graphs with their steps: writing, reading and removing them. A step is in one graph only.

// :name merge
// Write graphs of questions that are there. $rows: list of {id, question_id, properties: map}.
UNWIND $rows AS row
MATCH (q:Question {id: row.question_id})
MERGE (g:ReasoningGraph {id: row.id})
SET g += row.properties, g.question_id = q.id, g.dataset = q.dataset
MERGE (g)-[:FOR]->(q)

// :name merge_steps
// Write their steps. $rows: list of {id, graph_id, properties: map}.
UNWIND $rows AS row
MATCH (g:ReasoningGraph {id: row.graph_id})
MERGE (s:Step {id: row.id})
SET s += row.properties
MERGE (s)-[:IN]->(g)

// :name merge_edges
// Which step leads to which. $rows: list of {source, target}, ids of steps.
UNWIND $rows AS row
MATCH (a:Step {id: row.source})
MATCH (b:Step {id: row.target})
MERGE (a)-[:LEADS_TO]->(b)

// :name state_sentences
// Which sentences of an imported data set a step states. $rows: list of {step, sentence}, ids.
UNWIND $rows AS row
MATCH (s:Step {id: row.step})
MATCH (t:Sentence {id: row.sentence})
MERGE (s)-[:STATES]->(t)

// :name state_chunks
// Which chunk of a document a step is stated in. $rows: list of {step, chunk}, ids.
UNWIND $rows AS row
MATCH (s:Step {id: row.step})
MATCH (c:Chunk {id: row.chunk})
MERGE (s)-[:STATES]->(c)

// :name get
// Some graphs. $ids: list.
UNWIND $ids AS wanted
MATCH (g:ReasoningGraph {id: wanted})
RETURN properties(g) AS graph
ORDER BY graph.id

// :name of_questions
// The graphs of questions, positives first. $ids: of the questions; $polarity: positive, negative or null.
UNWIND $ids AS wanted
MATCH (g:ReasoningGraph {question_id: wanted})
WHERE $polarity IS NULL OR g.polarity = $polarity
RETURN properties(g) AS graph, g.id AS id
ORDER BY g.polarity DESC, id

// :name steps
// Steps of graphs, each with the places of the steps it leads to. $ids: of the graphs.
UNWIND $ids AS wanted
MATCH (g:ReasoningGraph {id: wanted})<-[:IN]-(s:Step)
OPTIONAL MATCH (s)-[:LEADS_TO]->(t:Step)
RETURN g.id AS graph_id, properties(s) AS step, collect(t.ordinal) AS leads_to

// :name remove
// Remove graphs with their steps. $ids: of the graphs.
UNWIND $ids AS wanted
MATCH (g:ReasoningGraph {id: wanted})
OPTIONAL MATCH (s:Step)-[:IN]->(g)
DETACH DELETE s, g

// :name note
// Note properties on graphs: what a positive was made from, and what its negatives were built with.
// $rows: list of {id, properties: map}.
UNWIND $rows AS row
MATCH (g:ReasoningGraph {id: row.id})
SET g += row.properties

// :name positives
// Positives of the accepted questions of a data set, after a place in the list.
// $dataset, $after: question id or '', $limit.
MATCH (g:ReasoningGraph {dataset: $dataset})-[:FOR]->(q:Question {status: 'accepted'})
WHERE g.polarity = 'positive' AND g.question_id > $after
RETURN g.question_id AS question_id, g.id AS id, g.negatives_of AS negatives_of
ORDER BY question_id
LIMIT $limit

// :name dataset_steps
// Steps of the positives of a data set, after a place in the list. $dataset, $after: step id or '', $limit.
MATCH (g:ReasoningGraph {dataset: $dataset})<-[:IN]-(s:Step)
WHERE g.polarity = 'positive' AND s.id > $after
RETURN properties(s) AS step
ORDER BY s.id
LIMIT $limit

// :name counts
// Graphs of a data set by polarity, kind, hardness and type. $dataset.
MATCH (g:ReasoningGraph {dataset: $dataset})
RETURN g.polarity AS polarity, g.perturbation AS perturbation, g.hardness AS hardness,
       g.graph_type AS graph_type, count(*) AS graphs
ORDER BY polarity, perturbation, hardness, graph_type
