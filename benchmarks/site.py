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

from tests.webapp.processes import ROOT, WEB, Caller, Process, free_port, running, wait_until

# Twenty puzzles of each level would take as long to dig as everything else: one of one's own will do.
GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


def site(**environment: str) -> AbstractContextManager[tuple[int, Process]]:
    """The port and the process; gone at the end.  environment: further variables of it."""
    return site_of(ROOT, **environment)


@contextmanager
def site_of(root: Path, **environment: str) -> Iterator[tuple[int, Process]]:
    """The same of another checkout."""
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
    """What the process and all it started have used of the processors; a busy machine changes it little."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # ended meanwhile
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == process.popen.pid:  # its session is its own
                ticks += sum(map(int, fields[11:15]))  # its own, and those of children that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


def compiled() -> None:
    """Compile what hints need, once and for minutes, unless that has been done."""
    subprocess.run([sys.executable, "-m", "engine.warm"], cwd=ROOT, check=True)
