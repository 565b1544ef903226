"""`compile`: compile every kernel for this processor, if the wheel has none or only portable ones."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator

from .. import warm
from ..formats import Entry
from ..kernels._cache import cache_folder
from .command import Answer, Command, Outcome


def _answers(_options: Namespace, _batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    os.environ["NINEFOLD_KERNELS"] = "native"  # inherited by the compiling processes
    warm.main()
    folder = cache_folder()
    yield {"folder": None if folder is None else str(folder)}


def _line(answer: Answer) -> str:
    if answer["folder"] is None:
        return "no folder can be written to: each process compiles for itself"
    return f"compiled to {answer['folder']}"


COMMAND = Command(
    examples="""\
  ninefold compile            shows what is compiled, then the folder
  ninefold compile --json     {"folder"}""",
    answers=_answers,
    line=_line,
    one_by_one=True,
    reads=False,
    takes_jobs=False,
)
