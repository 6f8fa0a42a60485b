// Keys and indexes of the graph. Every command stands alone and ends in a semicolon.
// Uniqueness is what makes MERGE by id safe and quick.

CREATE CONSTRAINT corpus_name IF NOT EXISTS FOR (n:Corpus) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT document_id IF NOT EXISTS FOR (n:Document) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT chunk_id IF NOT EXISTS FOR (n:Chunk) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT alias_id IF NOT EXISTS FOR (n:Alias) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT path_id IF NOT EXISTS FOR (n:Path) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT question_id IF NOT EXISTS FOR (n:Question) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT rejection_id IF NOT EXISTS FOR (n:Rejection) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT reasoning_graph_id IF NOT EXISTS FOR (n:ReasoningGraph) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT step_id IF NOT EXISTS FOR (n:Step) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT sentence_id IF NOT EXISTS FOR (n:Sentence) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT run_id IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT answer_id IF NOT EXISTS FOR (n:Answer) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT schema_version_number IF NOT EXISTS FOR (n:SchemaVersion) REQUIRE n.number IS UNIQUE;

CREATE INDEX document_source IF NOT EXISTS FOR (n:Document) ON (n.source);
CREATE INDEX chunk_content IF NOT EXISTS FOR (n:Chunk) ON (n.content_sha256);
CREATE INDEX entity_key IF NOT EXISTS FOR (n:Entity) ON (n.key);
CREATE INDEX entity_draw IF NOT EXISTS FOR (n:Entity) ON (n.draw);
CREATE INDEX alias_key IF NOT EXISTS FOR (n:Alias) ON (n.key);
CREATE INDEX question_dataset IF NOT EXISTS FOR (n:Question) ON (n.dataset);
CREATE INDEX relates_id IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.id);
CREATE INDEX relates_chunk IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.chunk_id);
CREATE INDEX relates_document IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.document_id);
CREATE INDEX relates_lemma IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.lemma);
CREATE INDEX relates_draw IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.draw);
CREATE CONSTRAINT dataset_name IF NOT EXISTS FOR (n:Dataset) REQUIRE n.name IS UNIQUE;
CREATE INDEX entity_variant IF NOT EXISTS FOR (n:Entity) ON (n.variant_of);
CREATE INDEX sentence_dataset IF NOT EXISTS FOR (n:Sentence) ON (n.dataset);
CREATE INDEX reasoning_graph_question IF NOT EXISTS FOR (n:ReasoningGraph) ON (n.question_id);
CREATE INDEX reasoning_graph_dataset IF NOT EXISTS FOR (n:ReasoningGraph) ON (n.dataset);
CREATE INDEX rejection_dataset IF NOT EXISTS FOR (n:Rejection) ON (n.dataset);
CREATE INDEX document_name IF NOT EXISTS FOR (n:Document) ON (n.name);
CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.name);
