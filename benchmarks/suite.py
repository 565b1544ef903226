"""Where the processor time of the tests goes, by kind of process.

`python -m benchmarks suite` runs `make test` and prints a table; `python -m benchmarks.suite COMMAND...` does
the same with another command, such as `.venv/bin/python -m pytest tests/browser -n 2 --dist loadgroup`.
Processes are looked at every second; what a parent has reaped and nobody saw counts as its children's.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

EVERY = 1.0  # seconds
TICKS = os.sysconf("SC_CLK_TCK")
TESTS, STARTED = "tests", "servers, workers and commands that tests start"
# The first that is found in its command line says what a process is.
KINDS = (
    (r"playwright/driver", "the driver of Chromium"),
    (r"chrom", "Chromium"),
    (r"mypy|ruff|lint-imports|eslint", "lint"),
    (r"node\b.* --test", "tests of JavaScript"),
    (r"forkserver|resource_tracker", STARTED),
    (r"sys\.stdin\.readline|-m pytest", TESTS),
    (r"^postgres", "PostgreSQL"),
)
OF_TESTS = re.compile(r"postgres: .*\bninefold_\w+_(\d+) ")  # the database of the test process of this id


@dataclass
class Seen:
    """A process when it was seen last."""

    parent: int
    kind: str
    own: float  # seconds
    reaped: float  # of its children that have ended, and of theirs


Key = tuple[int, int]  # id and start, since ids come again


def processes() -> dict[int, tuple[int, int, float, float]]:
    """Of each process: its parent, its start, its own seconds and those of the children it has reaped."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):  # it has ended
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                own, reaped = (int(fields[at]) + int(fields[at + 1]) for at in (11, 13))
                found[int(folder.name)] = int(fields[1]), int(fields[19]), own / TICKS, reaped / TICKS
    return found


def command_of(pid: int) -> str:
    """Its command line, which PostgreSQL rewrites."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""


def kind_of(command: str, parent: str) -> str:
    """What a process is; one that says nothing is what its parent is, or what that starts."""
    named = next((kind for pattern, kind in KINDS if re.search(pattern, command)), "")
    return named or (STARTED if parent in (TESTS, STARTED) else parent or "make and what it starts")


def look(root: int, seen: dict[Key, Seen]) -> None:
    """Note all processes below `root`, and those of PostgreSQL that work for them."""
    now = processes()
    below: dict[int, str] = {root: ""}
    waiting = [root]
    children = defaultdict(list)
    for pid, (parent, *_) in now.items():
        children[parent].append(pid)
    while waiting:
        parent = waiting.pop()
        for pid in children[parent]:
            below[pid] = kind_of(command_of(pid), below[parent])
            waiting.append(pid)
    for pid in now.keys() - below.keys():
        found = OF_TESTS.match(command_of(pid))
        if found and int(found[1]) in below:
            below[pid] = "PostgreSQL"
    for pid, kind in below.items():
        if pid in now and pid != root:
            parent, started, own, reaped = now[pid]
            seen[pid, started] = Seen(parent, kind, own, reaped)


def by_kind(seen: dict[Key, Seen]) -> dict[str, float]:
    """Seconds of each kind."""
    seconds: dict[str, float] = defaultdict(float)
    known: dict[int, float] = defaultdict(float)  # what children that were seen have used, by parent
    for each in seen.values():
        seconds[each.kind] += each.own
        known[each.parent] += each.own + each.reaped
    for (pid, _started), each in seen.items():
        seconds[STARTED if each.kind == TESTS else each.kind] += max(0.0, each.reaped - known[pid])
    return seconds


def main(command: Sequence[str] = ("make", "test")) -> None:
    """Run the command, then print the table."""
    began = time.monotonic()
    seen: dict[Key, Seen] = {}
    running = subprocess.Popen(command)
    while running.poll() is None:
        look(os.getpid(), seen)
        time.sleep(EVERY)
    elapsed = time.monotonic() - began
    seconds = by_kind(seen)
    print(f"\n| {' '.join(command)} | processor time |\n|---|---|")
    for kind, spent in sorted(seconds.items(), key=lambda each: -each[1]):
        print(f"| {kind} | {spent:.0f} s |")
    print(f"| all, in {elapsed / 60:.1f} minutes | {sum(seconds.values()):.0f} s |")
    sys.exit(running.returncode)


if __name__ == "__main__":
    main(sys.argv[1:] or ("make", "test"))
