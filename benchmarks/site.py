"""The real site for a benchmark: an empty instance, gunicorn as `make run` starts it, a port of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.tables import SMALLEST
from tests.webapp.processes import ROOT, WEB, Caller, Process, free_port, running, wait_until

# Twenty puzzles of each level would take as long to dig as all the rest: one imported puzzle will do.
GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


def site(**environment: str) -> AbstractContextManager[tuple[int, Process]]:
    """Start a site. Yields the port and the process.

    environment: additional variables.
    """
    return site_of(ROOT, **environment)


@contextmanager
def site_of(root: Path, **environment: str) -> Iterator[tuple[int, Process]]:
    """Start a site of another checkout."""
    with tempfile.TemporaryDirectory() as folder:
        port, instance = free_port(), Path(folder) / "instance"
        settings: dict[str, Any] = {"instance": instance, "log": Path(folder) / "log", "forked": False}
        settings |= {"root": root, **environment}
        migrate = Process("flask", "--app", "wsgi", "db", "upgrade", **settings)
        if migrate.popen.wait():
            raise SystemExit(migrate.output())
        with running(*WEB, PORT=str(port), **settings) as process:
            caller = Caller(port)
            wait_until(lambda: caller.answers("/healthz"))
            yield port, process


def processor_seconds(process: Process) -> float:
    """Return the processor seconds of the process and its descendants, which other load hardly changes."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # ended meanwhile
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == process.popen.pid:  # its session is its own
                ticks += sum(map(int, fields[11:15]))  # its own, and those of children that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


def compiled() -> None:
    """Compile the kernels of hints, which takes minutes, unless `claims` has done so for all."""
    if SMALLEST:
        return
    subprocess.run([sys.executable, "-m", "engine.warm"], cwd=ROOT, check=True)
