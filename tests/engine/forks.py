"""Run code in processes that know Numba and nothing of the engine, whose import would cost more than the
code.

All are forks of one process, which has a single thread and runs no code of ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_PARENT = """
import json, os, sys, traceback
import numba, numpy
numba.njit(lambda items: items[0])(numpy.arange(9))  # what Numba makes at its first compilation
for line in sys.stdin:
    begun = []
    for code, folder, environment in json.loads(line):
        output, write = os.pipe()
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.dup2(write, 1)
                os.dup2(write, 2)
                os.chdir(folder)
                os.environ.update(environment)
                exec(code, {"__name__": "__main__"})
                status = 0
            except BaseException:
                traceback.print_exc()
            sys.stdout.flush()
            os._exit(status)
        os.close(write)
        begun.append((pid, open(output)))
    ended = [(output.read(), os.waitpid(pid, 0)[1]) for pid, output in begun]
    for _, output in begun:
        output.close()
    print(json.dumps(ended), flush=True)
"""


class Code(NamedTuple):
    """Code for a fork, its folder, and its settings beyond the common ones."""

    text: str
    folder: Path
    environment: Mapping[str, str]


class Forks:
    """Runs code in forks."""

    def __init__(self, parent: subprocess.Popen[str]) -> None:
        self._parent = parent

    def said(self, *codes: Code) -> list[str]:
        """Return the output of each, run at the same time; raises AssertionError if one fails."""
        assert self._parent.stdin is not None and self._parent.stdout is not None
        asked = [(code.text, str(code.folder), dict(code.environment)) for code in codes]
        print(json.dumps(asked), file=self._parent.stdin, flush=True)
        ended = json.loads(self._parent.stdout.readline())
        for output, status in ended:
            assert status == 0, output
        return [output.strip() for output, _ in ended]


@contextmanager
def forks(**environment: str) -> Iterator[Forks]:
    """Yield a runner of forks that share these settings."""
    with subprocess.Popen(
        [sys.executable, "-c", _PARENT],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        yield Forks(parent)
