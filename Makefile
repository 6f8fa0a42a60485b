# Every target sets up what it needs by itself, in .venv/, and is quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CONSTRAINTS := constraints/base.txt
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev demo serve test check bench soak constraints samples clean

help: ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

# The base environment: what a user needs.
$(VENV)/.base: pyproject.toml $(CONSTRAINTS)
	@echo "Setting up $(VENV) (a minute the first time) ..." >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) --editable . >&2
	@touch $@

# What tests, checks and benchmarks need on top.
$(VENV)/.dev: $(VENV)/.base constraints/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints/dev.txt --editable '.[dev]' >&2
	@touch $@

setup: $(VENV)/.base ## set up the environment only
setup-dev: $(VENV)/.dev

demo: $(VENV)/.base ## the whole main job on the bundled papers; ARGS="--exit --json" and so on
	@$(BIN)/catenane demo $(ARGS)

serve: $(VENV)/.base ## the service
	@$(BIN)/catenane serve $(ARGS)

test: $(VENV)/.dev ## the tests, with the embedded engine really running
	@$(BIN)/python -m pytest -m "not soak and not browser and not modelserver and not walkthrough" $(ARGS)

check: $(VENV)/.dev ## ruff, mypy --strict, lint-imports
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

bench: $(VENV)/.dev ## the measured claims, as ratios
	@$(BIN)/python -m benchmarks $(ARGS)

soak: $(VENV)/.dev ## long fault trials; ARGS="--trials 3" for a few
	@$(BIN)/python -m tests.soak $(ARGS)

samples: $(VENV)/.dev ## build the bundled corpus anew from its sources
	@$(BIN)/python -m samples.build

constraints: ## compile the pinned versions anew (needs uv)
	uv pip compile --universal --python-version 3.11 --no-annotate --no-header --upgrade --extra postgres -o constraints/base.txt pyproject.toml
	uv pip compile --universal --python-version 3.11 --no-annotate --no-header --upgrade --extra postgres --extra dev --extra e2e -c constraints/base.txt -o constraints/dev.txt pyproject.toml
	uv pip compile --universal --python-version 3.11 --no-annotate --no-header --upgrade --extra models --extra dev -c constraints/dev.txt -o constraints/models.txt pyproject.toml

clean: ## remove what the other targets made here
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache
