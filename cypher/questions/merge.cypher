// Write question nodes, our own and imported ones. $rows: list of {id, properties: map}.
UNWIND $rows AS row
MERGE (q:Question {id: row.id})
SET q += row.properties
