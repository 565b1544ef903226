"""Forked children, the signals that stop them together with this process, and its end."""

from __future__ import annotations

import ctypes
import logging
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.context import ForkProcess
from typing import Any, NoReturn

from flask import Flask
from flask.globals import app_ctx

from webapp.process.database import close

log = logging.getLogger(__name__)

# SIGHUP (a closed terminal) too: gunicorn would treat it as "reload" and keep running alone.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15  # constants of prctl(2)
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)


class Stopped(Exception):
    """SIGINT, SIGTERM or SIGHUP was received."""


class Stop:
    """Raise Stopped once when one of SIGNALS arrives; deferred while held, as it is initially.

    `pause` releases it for a sleep alone: raised in a finalizer, Stopped would be printed and lost.
    """

    def __init__(self) -> None:
        self._asked, self._held = False, True
        for number in SIGNALS:
            # Under `nohup`, SIGHUP is ignored, so that the site outlives its terminal.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._ask)

    def _ask(self, _signal: int, _frame: Any) -> None:
        first, self._asked = not self._asked, True
        if first and not self._held:
            raise Stopped

    def pause(self, seconds: float) -> None:
        """Sleep; a signal before or meanwhile raises."""
        self.release()
        time.sleep(seconds)
        self._held = True

    def release(self) -> None:
        """Let signals raise again; a deferred one raises immediately."""
        self._held = False
        if self._asked:
            raise Stopped


class Child:
    """A forked process of the same group that does one thing and exits."""

    def __init__(self, name: str, work: Callable[[], object]) -> None:
        """`name`, at most 15 bytes, is shown by `top` and `ps -o comm`."""
        self._name, self._work = name, work
        self._process: ForkProcess | None = None

    def start(self) -> None:
        """Start it. Signals are deferred here until it is recorded, and there until it can handle them."""
        close()  # connections must not cross a fork
        process = multiprocessing.get_context("fork").Process(target=self._run)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            process.start()
            self._process = process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _run(self) -> None:
        if _PRCTL is not None:  # on Linux, the kernel ends it when its parent has ended, even by `kill -9`
            _PRCTL(PR_SET_NAME, self._name.encode())
            _PRCTL(PR_SET_PDEATHSIG, signal.SIGTERM)
        # Ctrl-C reaches the whole process group. A child without a handler yet would die with a traceback,
        # and must not handle a signal as the parent.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        random.seed()
        try:
            self._work()
        except Exception:
            log.critical("%s failed", self._name, exc_info=True)  # one line: multiprocessing prints many
            sys.exit(1)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def status(self) -> int:
        """Its exit status, once it has ended; negative if a signal killed it."""
        return 0 if self._process is None else self._process.exitcode or 0

    def tell_to_stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def wait(self, until: float) -> None:
        """Wait for the process to exit; kill it after `until` (monotonic)."""
        if self._process is not None:
            self._process.join(max(0.0, until - time.monotonic()))
            self._process.kill()
            self._process.join()


def this_app() -> Flask:
    """Return the application itself, for threads and calls that outlive its context."""
    return app_ctx.app


def leave(app: Flask, status: int = 0) -> NoReturn:
    """Exit this process immediately, after closing the database and flushing its output.

    Python's teardown takes half a second of processor time per process: on a busy
    machine, most of the ten seconds in which everything must exit.
    """
    with app.app_context():
        close()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
