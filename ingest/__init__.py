"""Documents in: sources, text, entities, relations, and the pipeline that stores what they say.

`pipeline.ingest_source` takes one document through all of it. This room imports graph, llm and domain.
"""
