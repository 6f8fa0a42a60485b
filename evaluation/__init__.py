"""Evaluation: conditions, retrieval, answering, metrics, statistics, runs and reports.

A run asks questions under conditions (`conditions.py`: what the answerer sees), of the extractive
baseline (`baseline.py`, offline) or of models (`answering.py`), scores the answers as the official
scripts do (`metrics/`), and keeps every answer in the graph (`run.py`, resumable). `summary.py`
makes means with intervals and paired comparisons of them; `report/` writes the page.

Import from the modules: `evaluation.spec.RunSpec`, `evaluation.run.execute_run`,
`evaluation.report.write_report`. This package imports nothing itself, since reports and retrieval
load slow libraries that naming a run does not need.
"""
