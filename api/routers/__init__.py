"""A router for each resource under /v1."""

from __future__ import annotations

from fastapi import APIRouter

from api.routers import (
    corpora,
    datasets,
    documents,
    endpoints,
    entities,
    evaluations,
    jobs,
    look,
    paths,
    questions,
    reasoning_graphs,
    relations,
    reports,
    stats,
)

ROUTERS: tuple[APIRouter, ...] = (
    corpora.router,
    documents.router,
    entities.router,
    relations.router,
    look.router,
    paths.router,
    questions.router,
    datasets.router,
    reasoning_graphs.router,
    evaluations.router,
    reports.router,
    jobs.router,
    stats.router,
    endpoints.router,
)
