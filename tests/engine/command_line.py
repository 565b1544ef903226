"""The command line in this process, with input that stays open and interrupts, which `capsys` lacks."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TextIO

import pytest

from engine.cli import main


@dataclass(frozen=True)
class Talk:
    """Our ends of a command's pipes, and its exit status once it ends."""

    ask: TextIO
    answer: TextIO
    status: Future[int]


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Redirect standard output to a pipe."""
    ours, theirs = os.pipe()
    with os.fdopen(ours) as answer, os.fdopen(theirs, "w") as out, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        yield answer


@contextmanager
def talking(*arguments: str) -> Iterator[Talk]:
    """Run a command on a pipe that stays open; the file is named after the command."""
    name, *options = arguments
    with ExitStack() as opened:
        theirs, ours = os.pipe()
        opened.callback(os.close, theirs)
        answer = opened.enter_context(_standard_output())
        pool = opened.enter_context(ThreadPoolExecutor(1))
        ask = opened.enter_context(os.fdopen(ours, "w"))  # closed first, which ends the command
        yield Talk(ask, answer, pool.submit(main, [name, f"/dev/fd/{theirs}", *options]))


def interrupted(*arguments: str) -> int:
    """Return the exit status of a command that is interrupted, as by Ctrl-C, after its first answer."""

    def interrupt(answer: TextIO) -> None:
        if answer.readline():
            os.kill(os.getpid(), signal.SIGINT)
        answer.read()

    with ThreadPoolExecutor(1) as pool, _standard_output() as answer:
        heard = pool.submit(interrupt, answer)
        status = main(arguments)
        sys.stdout.close()
        heard.result()
    return status
