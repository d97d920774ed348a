# Everything a fresh machine with Python 3.11 or newer, pip and make needs. `make help` lists the targets.

VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
SIZE ?= 0.5b

# One environment. `synthesize` needs the package alone; `test` and `check` add the dev tools, which then stay.
CORE := $(VENV)/.installed-core
DEV := $(VENV)/.installed-dev
MODEL := $(VENV)/.installed-test-model
RUNNABLE := $(if $(wildcard $(DEV)),$(DEV),$(CORE))
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help synthesize test test-model check lint types imports clean

help: ## list every target
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / {printf "%-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

synthesize: $(RUNNABLE) ## run the whole pipeline against the sandbox; ARGS="--target 500 --seed 7" passes options on
	@$(BIN)/python -m edge.cli synthesize $(ARGS)

# A file's tests go to one process, so that what they share is started once; tests/conftest.py puts the long ones first.
test: $(DEV) ## run the tests; ARGS="-k sandbox" passes options on
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

test-model: $(MODEL) ## run the pipeline with a real small model (fetches 0.5 GB once); SIZE=1.5b takes the larger one
	@$(BIN)/python benchmarks/real_model.py --size $(SIZE) $(ARGS)

check: lint types imports test ## what CI runs: lint, types, import contracts, tests

lint: $(DEV) ## ruff
	@$(BIN)/python -m ruff check .

types: $(DEV) ## pyright
	@$(BIN)/python -m pyright --warnings

imports: $(DEV) ## import contracts
	@$(BIN)/lint-imports --no-logo

clean: ## remove the environment and caches; outputs/ stays
	@rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache *.egg-info
	@find edge flows tasks tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The first interpreter that runs and is new enough; a shim that answers "not installed" is passed over.
# Distributions that split off ensurepip still have pip, which can install itself into a bare environment.
$(BIN)/python:
	@for python in python3.11 python3 python3.12 python3.13 python3.14; do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then echo "Python 3.11 or newer is needed: none of python3.11, python3 on PATH is one." >&2; exit 1; fi; \
	$$found -m venv --clear $(VENV) >/dev/null 2>&1 || \
	{ $$found -m venv --clear --without-pip $(VENV) && $$found -m pip --python $(BIN)/python install --quiet pip; }

$(CORE): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing (once, a minute or two) ..."
	@$(INSTALL) -e .
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing with the development tools (once, a minute or two) ..."
	@$(INSTALL) -e '.[dev]'
	@touch $(CORE) $@

$(MODEL): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing with a model server (once, a minute or two) ..."
	@$(INSTALL) -e '.[test-model]'
	@touch $(CORE) $@
