"""`canon`: the canonical form of each puzzle, shared by exactly its equivalents."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

import numpy as np

from ..canonical import canonical_forms
from ..formats import Entry
from ..grid import Grid
from ..text import position_of
from .command import Command, Outcome, is_sukaku, no_sukaku
from .each import answer_together


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    def answer(batch: list[Entry]) -> Iterator[Outcome]:
        givens = np.frombuffer(b"".join(entry.givens.digits for entry in batch), np.uint8).reshape(-1, 81)
        for entry, form in zip(batch, canonical_forms(givens, options.jobs), strict=True):
            canonical = str(Grid(form.tobytes())) if form.any() else None
            if canonical is None and is_sukaku(entry, position_of(entry)):
                yield no_sukaku(entry, "candidates have no canonical form")
                continue
            yield {"puzzle": str(entry.givens), "canonical": canonical}

    return answer_together(batches, answer)


COMMAND = Command(
    examples="""\
  ninefold canon puzzles.txt                 one form per line, or '# not one solution'
  ninefold canon puzzles.txt --json          {"puzzle", "canonical"} per line
  ninefold canon puzzles.txt | sort -u       list the essentially different puzzles""",
    answers=_answers,
    line=lambda answer: answer["canonical"] or f"{answer['puzzle']} # not one solution",
)
