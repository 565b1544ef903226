"""Web servers and workers as forks of a process that has imported the site already.

An import costs each of them two seconds of processor time, the kernels half a second more. After the fork
they are real processes: `python -m` of their command in a session of its own. One test each also starts a web
server, a worker and `flask serve` from nothing, as operators do.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import runpy
import signal
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.webapp.imported"])
PR_SET_PDEATHSIG = 1  # of prctl(2)
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)


def end_with_parent() -> None:
    """Have the kernel kill this process, in its session of its own, once an interrupted run has ended."""
    if _PRCTL is not None:
        _PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL)


def as_command(command: Sequence[str], environment: Mapping[str, str], folder: Path, log: Path) -> None:
    """Become `python -m` of this command; runs in the fork."""
    end_with_parent()
    with log.open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    warnings.simplefilter("error", ResourceWarning)
    sys.argv = ["", *command[1:]]
    os.setsid()  # last, because signals may arrive from here on
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


class Fork:
    """A forked process, with the interface of `subprocess.Popen`."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path, log: Path
    ) -> None:
        self._process = FORKS.Process(target=as_command, args=(command, environment, folder, log))
        self._process.start()
        self.pid = self._process.pid or 0
        while not self._apart() and self.poll() is None:
            time.sleep(0.005)

    def _apart(self) -> bool:
        """Tell whether it has a session of its own, so that a signal to its group reaches no other."""
        try:
            return os.getsid(self.pid) == self.pid
        except ProcessLookupError:  # it has ended
            return False

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        """Wait for the exit status; TimeoutError after `seconds`."""
        self._process.join(seconds)
        if (status := self.poll()) is None:
            raise TimeoutError(f"{self.pid} still runs after {seconds} s")
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)
