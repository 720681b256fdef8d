# What a developer, a user from source and the checks all call; `make help` lists it.
# Needed on the machine: make and Python 3.11 or later (make PYTHON=... names another one than those tried).

PYTHON ?= $(shell for name in python3.11 python3; do $$name $(FIT) 2>/dev/null && echo $$name && break; done)
FIT := -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'
WORKERS ?= 2
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq
READY := $(VENV)/ready
READY_DEV := $(VENV)/ready-dev
WHEEL_VENV := .venv-wheel
WHEELS := build/wheel
SUITE := build/suite
COVERAGE := build/coverage
COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet
INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python --link-mode copy --compile-bytecode --require-hashes
PURELIB := -c 'import sysconfig; print(sysconfig.get_path("purelib"))'

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore
# The tests mean the wheel, or the tree; never what somebody's environment happens to name. What Python compiles
# it keeps, or every worker, and every process that a test starts, would do it anew.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run bench test lint types contracts test-source test-wheel suite wheel format reference lock clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS='	' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

setup: $(READY) ## make .venv with the command .venv/bin/croupier
	@echo "ready: $(BIN)/croupier --help"

run: $(READY) ## start the service with a demonstration table, its data in data/ (ARGS=... adds options)
	@exec $(BIN)/croupier serve --demo --data data $(ARGS)

bench: $(READY) ## measure the service against the yardstick on this machine (ARGS=... adds options)
	@exec $(BIN)/croupier bench $(ARGS)

test: lint types contracts test-wheel ## everything that has to pass: checks, then the whole suite against the built wheel

# The checks go beside each other and beside what the suite needs, and all of them before it.
ifneq ($(filter test,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=$(WORKERS)
test-wheel: | lint types contracts
endif

lint: $(READY_DEV) ## rules of style, the formatter's opinion, and the Dockerfile
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/hadolint Dockerfile

types: $(READY_DEV) ## mypy, strict
	@$(BIN)/mypy

contracts: $(READY_DEV) ## who may import whom
	@$(BIN)/lint-imports --no-logo

test-source: $(READY_DEV) ## the suite against this tree, for work in progress (ARGS=... goes to pytest)
	@$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

test-wheel: suite ## the suite against the built wheel, with branch coverage (ARGS=... goes to pytest)
	@cd $(SUITE) && TREE_UNDER_TEST="$(CURDIR)" COVERAGE_FILE="$(CURDIR)/$(COVERAGE)/data" \
		"$(CURDIR)/$(WHEEL_VENV)/bin/python" -m coverage run -m pytest -n $(WORKERS) $(ARGS)
	@COVERAGE_FILE=$(COVERAGE)/data $(BIN)/coverage combine --quiet
	@COVERAGE_FILE=$(COVERAGE)/data $(BIN)/coverage report

# The virtual environment sees the installed dependencies but not this tree: what the wheel lacks, the tests miss.
# Collected once without being counted, the tests are compiled for all workers; what is wrong with them, these say.
suite: wheel ## lay out the suite beside the built wheel
	@rm -rf $(WHEEL_VENV) $(SUITE) $(COVERAGE)
	@mkdir -p $(SUITE) $(COVERAGE)
	@$(BIN)/python -m venv --without-pip $(WHEEL_VENV)
	@$(PIP) --python $(WHEEL_VENV)/bin/python install --no-index --no-deps $(WHEELS)/*.whl
	@dependencies="$$($(BIN)/python $(PURELIB))" && site="$$($(WHEEL_VENV)/bin/python $(PURELIB))" && \
		echo "$$dependencies" > "$$site/dependencies.pth" && cp "$$dependencies/a1_coverage.pth" "$$site"
	@cp -R tests pyproject.toml $(SUITE)
	@cd $(SUITE) && TREE_UNDER_TEST="$(CURDIR)" "$(CURDIR)/$(WHEEL_VENV)/bin/python" \
		-m pytest -n 0 --collect-only >/dev/null || true

wheel: $(READY_DEV) ## build the wheel into build/wheel
	@rm -rf $(WHEELS)
	@$(BIN)/python -m build -qq --wheel --no-isolation --outdir $(WHEELS) .

format: $(READY_DEV) ## let the formatter and the safe fixes loose on the tree
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

reference: $(READY_DEV) ## write the reference pages of docs/ that follow from the program
	@$(BIN)/python -m ops.reference docs
	@$(BIN)/python -m tests.docs.make

lock: $(READY_DEV) ## resolve the lock files anew (ARGS=--upgrade takes newer versions)
	@$(COMPILE) pyproject.toml --output-file requirements.lock $(ARGS)
	@$(COMPILE) pyproject.toml --group dev --constraints requirements.lock --output-file requirements-dev.lock $(ARGS)
	@printf 'editables\nhatchling\n' | $(COMPILE) - --constraints requirements-dev.lock --output-file requirements-build.lock $(ARGS)

clean: ## remove what make made, except data/
	@rm -rf $(VENV) $(WHEEL_VENV) build dist .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find dealer shoe ops tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(or $(PYTHON),false) $(FIT) 2>/dev/null || { \
		echo 'croupier needs Python 3.11 or later that can make virtual environments (on Debian: python3-venv);' >&2; \
		echo '$(or $(PYTHON),neither python3.11 nor python3) is not one; name another with make PYTHON=...' >&2; exit 1; }
	@echo 'making $(VENV)'
	@$(PYTHON) -m venv --clear $(VENV)

# The build backend comes from a lock of its own, so that nothing is installed unhashed and pip fetches nothing itself.
$(READY): requirements.lock requirements-build.lock pyproject.toml | $(BIN)/python
	@echo 'installing what croupier runs on'
	@$(PIP) install --require-hashes -r requirements.lock -r requirements-build.lock
	@$(PIP) install --no-index --no-deps --no-build-isolation --editable .
	@touch $@

# uv takes a third of pip's time, but is told of a mirror in ways of its own; where it finds nothing, pip goes on.
$(READY_DEV): $(READY) requirements-dev.lock
	@echo 'installing what the checks need'
	@awk '/^uv==/ { found = 1; print; next } /^[^ ]/ { found = 0 } found' requirements-dev.lock > $(VENV)/uv.lock
	@$(PIP) install --require-hashes -r $(VENV)/uv.lock
	@$(INSTALL) -r requirements-dev.lock || $(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@
