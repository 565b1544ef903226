"""`draw`: a picture of each position, or of a step in it, as SVG."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..drawing import draw
from ..drawing.picture import LARGEST, SMALLEST
from ..drawing.themes import THEMES
from ..errors import ArgumentError, PuzzleFormatError
from ..formats import Entry
from ..steps.logic import GaveUp, find, next_step
from ..techniques import TECHNIQUES
from ..text import position_of
from .command import Command, Outcome, number, puzzle
from .each import each


def _add_arguments(parser: ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--next", action="store_true", help="draw the next step of the solution path")
    which.add_argument(
        "--technique",
        choices=tuple(TECHNIQUES),
        metavar="TECHNIQUE",
        help="draw the first step of this technique; ninefold find --help lists them",
    )
    step = number("the number of a step, 1 or more", 1)
    parser.add_argument("--step", type=step, metavar="N", help="show only step N of a chain or net")
    parser.add_argument("--candidates", action="store_true", help="write candidates into the empty cells")
    parser.add_argument("--labels", action="store_true", help="number rows and columns")
    parser.add_argument("--theme", choices=THEMES, default="light", help="colors (default: light)")
    pixels = number(f"{SMALLEST} to {LARGEST} pixels", SMALLEST, LARGEST)
    parser.add_argument(
        "--size", type=pixels, default=450, metavar="PIXELS", help="length of each side (default: 450)"
    )
    parser.add_argument("--title", metavar="TEXT", help="title for screen readers (default: a description)")
    parser.add_argument("--output", metavar="FILE", help="write to FILE instead of stdout")


def _answer(options: Namespace, entry: Entry) -> Outcome:
    position = position_of(entry)
    marked = entry.candidates is not None or bool(entry.deleted)
    wanted = options.candidates or marked or options.next or options.technique is not None
    found = {
        "labels": options.labels,
        "theme": options.theme,
        "size": options.size,
        "title": options.title,
        "candidates": wanted,
    }
    try:
        if not options.next and options.technique is None:
            return {"puzzle": puzzle(entry, position), "svg": draw(position, step=options.step, **found)}
        steps = [next_step(position)] if options.next else find(position, options.technique)
        step = next(iter(steps), None)
        if step is None:
            raise LookupError(f"there is no {options.technique or 'next step'} here")
        svg = draw(step, on=position, step=options.step, **found)
    except (ArgumentError, GaveUp, LookupError) as error:
        return PuzzleFormatError(str(error), line=entry.line)
    return {"puzzle": puzzle(entry, position), "technique": step.technique, "svg": svg}


COMMAND = Command(
    examples="""\
  ninefold draw puzzle.txt --output puzzle.svg                one SVG per line and puzzle
  ninefold draw puzzle.txt --next --labels > step.svg         the next step
  ninefold draw position.txt --technique xy_chain --step 2    one step of a chain
  ninefold draw puzzles.txt --json                            {"puzzle", "technique" of a step, "svg"}""",
    answers=each(_answer),
    line=lambda answer: str(answer["svg"]),
    add_arguments=_add_arguments,
)
