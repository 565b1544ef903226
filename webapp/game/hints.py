"""Hints on a player's board: its mistakes, the next logical step, and the moves that apply it.

Pure except for the engine: reads a board, proposes moves, stores nothing. The result is only for the
attempt's owner, and only on request, which makes the attempt assisted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import engine
from engine.geometry import PEERS
from engine.steps import effort, witnesses
from webapp.game.board import ALL_DIGITS, Board, Layers
from webapp.game.moves import Kind, Move

SINGLES = frozenset({"full_house", "hidden_single", "naked_single"})
WHERE, TECHNIQUE, REASONING, APPLY = 1, 2, 3, 4  # the depths of a hint


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Cells whose digits or marks contradict the solution, in ascending order."""

    digits: tuple[int, ...]  # the player's digits that differ from the solution
    marks: tuple[int, ...]  # center marks or strikes that exclude the solution's digit

    def __bool__(self) -> bool:
        return bool(self.digits or self.marks)


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for a board: its mistakes or, without any, the easiest step, if there is one."""

    mistakes: Mistakes
    step: engine.Step | None
    gave_up: bool = False  # a search hit its limit, so a step may have been missed
    others: int = 0  # number of other steps of the same tier


def mistakes(board: Board, layers: Layers | None = None) -> Mistakes:
    """Return the mistakes on a board, or on earlier layers of it."""
    layers = layers or board.layers
    solution = engine.solution(engine.Grid(board.givens))
    assert solution is not None, "a puzzle in play has one solution"
    digits, marks = [], []
    for cell, right in enumerate(solution.digits):
        digit = layers.digits[cell]
        if digit:
            if digit != right:
                digits.append(cell)
        elif not _noted(layers, cell) >> right - 1 & 1:
            marks.append(cell)
    return Mistakes(tuple(digits), tuple(marks))


def _noted(layers: Layers, cell: int) -> int:
    """Return the digits that the player's marks allow: center marks list all candidates, corner marks
    don't.
    """
    return (layers.centre[cell] or ALL_DIGITS) & ~layers.struck[cell]


def position_of(board: Board) -> engine.Position:
    """Return the player's position: their digits, and the candidates left by these and their marks."""
    layers = board.layers
    text = []
    for cell in range(81):
        seen = sum({1 << layers.digits[peer] - 1 for peer in PEERS[cell] if layers.digits[peer]})
        left = 0 if layers.digits[cell] else _noted(layers, cell) & ~seen
        text.append("".join(str(digit) if left >> digit - 1 & 1 else "." for digit in range(1, 10)))
    placed = engine.Grid.from_digits(layers.digits)
    return engine.Position.from_pencilmarks("".join(text), placed=placed, givens=engine.Grid(board.givens))


def hint(board: Board) -> Hint:
    """Return the hint for this board; skipped hints come around again after all were shown."""
    found = mistakes(board)
    if found:
        return Hint(found, None)
    try:
        steps = _steps(board)
    except engine.GaveUp:
        return Hint(found, None, gave_up=True)
    if not steps:
        return Hint(found, None)
    return Hint(found, steps[board.passed % len(steps)], others=len(steps) - 1)


def _steps(board: Board) -> list[engine.Step]:
    """Return the steps to hint: sole candidates on the board first, and steps from digits before marks."""
    position, layers = position_of(board), board.layers
    found = engine.choices(position, near=board.last)
    all_shown = layers.fill == ALL_DIGITS
    if (
        not found
        or found[0].technique not in SINGLES
        or not (all_shown or any(layers.centre + layers.struck))
    ):
        return found
    alone = {cell for cell, marks in enumerate(layers.centre) if all_shown or marks.bit_count() == 1}
    written = [step for step in engine.find(position, "naked_single") if step.cells[0].cell in alone]
    written.sort(key=lambda step: effort(step, position, board.last))
    by_digits = [step for step in found if _rests_on_digits(step, position)]
    if not by_digits:
        singles = chain.from_iterable(engine.find(position, key) for key in ("hidden_single", "naked_single"))
        by_digits = sorted(
            (step for step in singles if _rests_on_digits(step, position)),
            key=lambda step: effort(step, position, board.last),
        )
    ordered: dict[frozenset[tuple[int, int]], engine.Step] = {}
    for step in (*written, *by_digits, *found):
        ordered.setdefault(step.placements, step)
    return list(ordered.values())


def _rests_on_digits(single: engine.Step, position: engine.Position) -> bool:
    """Whether the digits on the board prove a single without any marks."""
    return single.technique == "full_house" or bool(witnesses(single, position))


def moves_for(board: Board, advice: Hint) -> list[Move]:
    """Return the moves that apply a hint, numbered from the board's next; empty for an empty hint.

    Candidates leave the center marks if they are there, else they are struck.
    """
    layers = board.layers
    made: list[tuple[Kind, tuple[int, ...], int | None]] = []
    if advice.mistakes.digits:
        made.append((Kind.ERASE, advice.mistakes.digits, None))
    elif cells := advice.mistakes.marks:
        if marked := tuple(cell for cell in cells if layers.centre[cell]):
            made.append((Kind.CENTRE, marked, None))
        for digit in range(1, 10):
            if struck := tuple(cell for cell in cells if layers.struck[cell] >> digit - 1 & 1):
                made.append((Kind.STRIKE, struck, digit))
    elif advice.step is not None:
        made += [(Kind.DIGIT, (cell,), digit) for cell, digit in sorted(advice.step.placements)]
        by_move: dict[tuple[Kind, int], list[int]] = defaultdict(list)
        for cell, digit in sorted(advice.step.eliminations):
            kind = Kind.CENTRE if layers.centre[cell] >> digit - 1 & 1 else Kind.STRIKE
            by_move[kind, digit].append(cell)
        made += [(kind, tuple(cells), digit) for (kind, digit), cells in by_move.items()]
    return [Move(seq, kind, cells, (), digit) for seq, (kind, cells, digit) in enumerate(made, board.seq + 1)]


def last_made(log: Sequence[Move]) -> Kind | None:
    """Return the help that made a log's last moves; None if the player did."""
    asked = next((move for move in reversed(log) if move.kind in (Kind.HINT, Kind.CHECK)), None)
    if asked is None:
        return None
    since = {move.kind for move in log[asked.seq :]}
    if asked.kind is Kind.CHECK:
        return Kind.CHECK if since == {Kind.UNDO} else None
    return Kind.HINT if since and asked.digit == APPLY else None


@dataclass(frozen=True, slots=True)
class RuledOut:
    """The effect of an applied hint."""

    candidates: tuple[tuple[int, int], ...]  # (cell, digit), ascending
    shown: bool  # whether the board shows any of them, or there are none
    unseen: bool  # none of them is visible on the board, for the first time


def ruled_out(board: Board, log: Sequence[Move]) -> RuledOut:
    """Return what the hint at the end of a log ruled out; `board` is the log's result."""
    asked = max((move.seq for move in log if move.kind is Kind.HINT), default=len(log))
    layers = board.layers
    found = [
        (cell, move.digit, move.kind)
        for move in log[asked:]
        if move.digit and move.kind in (Kind.STRIKE, Kind.CENTRE)
        for cell in move.cells
        if move.kind is Kind.CENTRE or layers.struck[cell] >> move.digit - 1 & 1
    ]
    shown = not found or any(
        kind is Kind.CENTRE
        or (layers.corner[cell] or (0 if layers.centre[cell] else layers.fill)) >> digit - 1 & 1
        for cell, digit, kind in found
    )
    first = not any(move.kind is Kind.STRIKE for move in log[:asked])
    candidates = tuple(sorted((cell, digit) for cell, digit, _ in found))
    return RuledOut(candidates, shown, unseen=first and not shown and not board.revealed)


def steps_back(board: Board) -> int:
    """Return how many undos lead to the last state without a mistake; 0 if there is no mistake."""
    steps, layers, earlier = 0, board.layers, board.done
    while mistakes(board, layers) and earlier is not None:
        steps, layers, earlier = steps + 1, earlier.layers, earlier.older
    return steps
