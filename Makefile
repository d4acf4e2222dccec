# Works on a bare machine with Python 3.11 or newer, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test setup lint clean

run: setup  ## set up and run the main job
	$(BIN)/uctlab bench

test: $(VENV)/.test-ready lint  ## set up and run all tests
	$(BIN)/pytest -n auto --dist loadfile

setup: $(VENV)/.ready  ## set up only; the program is then .venv/bin/uctlab

lint: $(VENV)/.test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "uctlab needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	@touch $@

$(VENV)/.test-ready: $(VENV)/.ready
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@

clean:  ## remove the environment and all compiled code
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
	find src tests examples -name __pycache__ -prune -exec rm -rf {} +
