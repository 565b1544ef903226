"""Digits that came before anything on the board led to them, and before the player had prepared them.

A program that knows the solution leaps; so does a person who sees far, up to the hard steps that the puzzle
asks of everybody, and one who tries digits out, who errs as often. The last digits are often worked out in
the mind and typed in any order. A log is played again over what anybody could see (`Sight`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import zip_longest
from statistics import fmean, median

import engine
from engine.geometry import HOUSES, HOUSES_OF, PEERS
from webapp.game.evidence.sight import Sight
from webapp.game.evidence.solve import MOMENT, Solve
from webapp.game.moves import Kind, Move

OPEN = 2  # singles
HARD = 4  # tier: beyond pairs, triples and locked candidates
PROMPT = 0.6  # of the time that a single mostly takes
WEIGHED = 2  # marks in a cell that is being weighed
LAST = 14  # digits that people work out together, where singles lead to the end
IN_MIND = 9  # digits that they find before they type them in one go
PAUSE = 0.5  # of the mean wait before a digit: what is longer ends a go
MANY = 3  # candidates of a cell, and places of a digit in each house, between which no chain decides


@dataclass(frozen=True, slots=True)
class Way:
    """What the engine's path asks of whoever solves a puzzle."""

    order: tuple[int, ...]  # the cells as the path places them
    reached: dict[int, int]  # cell -> how many of `gone` the path has taken away when it places the cell
    gone: tuple[tuple[int, int], ...]  # candidates (cell, digit) that the path takes away, in order
    hard: int  # steps of tier HARD and above


@lru_cache(256)  # the puzzles of some days
def way(givens: str) -> Way:
    """The engine's path through a puzzle."""
    hard = 0
    order: list[int] = []
    gone: list[tuple[int, int]] = []
    reached: dict[int, int] = {}
    for step in engine.solve_path(engine.parse(givens)).steps:
        hard += engine.TECHNIQUES[step.technique].tier >= HARD
        gone += step.eliminations
        for cell, _digit in step.placements:
            order.append(cell)
            reached[cell] = len(gone)
    return Way(tuple(order), reached, tuple(gone), hard)


class How(StrEnum):
    """What led to a right digit."""

    SINGLE = "single"  # as the board stood
    CLOSE = "close"  # easy eliminations
    MARKS = "marks"  # the player's own, beyond these
    LEAP = "leap"  # nothing that can be seen


@dataclass(frozen=True, slots=True)
class Leaps:
    """How the right digits of a log came, and how the wrong ones went."""

    how: dict[int, How]  # by cell, in the order of the log
    leaps: int  # no single even after easy eliminations, and not prepared by marks
    bold: int  # such leaps while singles lay open
    bold_uncalled: int  # no single as the board stood, and not prepared, while singles lay open
    wild: int  # leaps to a cell with MANY candidates, of a digit with MANY places in each house
    quick: int  # leaps before which nobody thought longer than before other digits
    prompt: int  # hard digits, with no single left and nothing marked, that came sooner than singles do
    stalls: int  # digits that came when no single was left, but for those of a connection that came back
    stalled: float | None  # their middle wait over that of singles; None without either
    shortest: float | None  # the shortest of them, likewise
    halted: float | None  # the shortest where neither easy eliminations nor marks led to the digit, likewise
    prepared: int  # digits beyond easy eliminations that marks of the player led to
    weighed: int  # cells in which two marks or more stood at once
    written: int  # marks: a digit in a cell, once
    absurd: int  # of these, digits that a house of the cell held already
    lone: int  # of these, digits marked nowhere else in a house of the cell, in a cell without other marks
    posed: int  # of these, written just before the digit of their own cell
    meant: int  # of these, digits that were meant: marked alone, just before they were entered
    tried: int  # wrong digits that stayed until something else was played
    slips: int  # wrong digits taken back at once


def leaps(solve: Solve) -> Leaps:
    """Play the log again and count.

    Who has got through a hard step where no single was left knows what the path knows there.
    """
    answer, path = solve.answer, way(solve.givens)
    plain, closer, marks = Sight(solve.givens), Sight(solve.givens), _Marks(solve.givens, answer)
    how: dict[int, How] = {}
    jumped: list[int] = []
    bold = bold_uncalled = wild = prepared = tried = slips = 0
    ending = False
    stalls: list[int] = []
    halts: list[int] = []  # of these, digits that neither easy eliminations nor marks led to
    silent: list[int] = []  # hard digits, with no single left and nothing marked since the digit before
    noted = False
    moves, left = [move for move, _at in solve.log], set(solve.order)
    at_once = _at_once(solve)
    for at, move in enumerate(moves):
        if move.kind is Kind.DIGIT:
            assert move.digit is not None
            for cell in move.cells:
                if str(move.digit) != answer[cell]:
                    back = _taken_back(move, moves[at + 1 : at + 2])
                    slips, tried = slips + back, tried + (not back)
                    continue
                if cell in how:
                    continue
                left.discard(cell)
                ending = ending or (len(left) < LAST and len(plain.reach({cell, *left}, answer)) > len(left))
                if plain.single(cell, move.digit):
                    how[cell] = How.SINGLE
                elif ending or cell in plain.reach(at_once[cell], answer):
                    how[cell] = How.CLOSE
                else:
                    ready = marks.prepare(cell, move.digit)
                    known = path.gone[: path.reached.get(cell, 0)]
                    singles = len(plain.singles(answer))
                    stuck = singles < OPEN
                    if not singles:
                        stalls.append(cell)
                    bold_uncalled += not (ready or stuck)
                    how[cell] = How.CLOSE
                    if not closer.in_reach(cell, move.digit):
                        how[cell] = How.MARKS if ready else How.LEAP
                        if not (singles or noted):
                            silent.append(cell)
                        if not (singles or ready):
                            halts.append(cell)
                        prepared += ready
                        bold += not (ready or stuck)
                        if not ready:
                            jumped.append(cell)
                            wild += closer.choices(cell, move.digit) >= MANY
                        if stuck or ready:
                            closer.strike(known)
                    if stuck or ready:
                        plain.strike(known)
                plain.place(cell, move.digit)
                closer.place(cell, move.digit)
                noted = False
        else:
            noted = True
        marks.play(move)
    return Leaps(
        how,
        len(jumped),
        bold,
        bold_uncalled,
        wild,
        _quick(solve, jumped),
        _prompt(solve, silent, how),
        *_stalled(solve, stalls, how),
        _stalled(solve, halts, how)[2],
        prepared,
        len(marks.weighed),
        len(marks.ever),
        len(marks.absurd),
        marks.lone(),
        marks.posed,
        marks.meant,
        tried,
        slips,
    )


def _at_once(solve: Solve) -> dict[int, list[int]]:
    """Each cell with those that came after it in one go: found in the mind, they are typed in any order."""
    placings, waits = solve.placings, solve.thoughts
    pause = PAUSE * fmean(waits.values() or [0.0])
    found: dict[int, list[int]] = {}
    after: list[int] = []
    backwards = solve.order[::-1]
    for cell, before in zip_longest(backwards, backwards[1:]):
        found[cell] = [cell, *after][:IN_MIND]
        goes_on = before is not None and (placings[cell] == placings[before] or waits[cell] <= pause)
        after = found[cell] if goes_on else []
    return found


def _quick(solve: Solve, jumped: list[int]) -> int:
    """How many of these cells came no later after the receipt before than cells mostly did."""
    waits = solve.thoughts
    usual = median(waits.values()) if waits else 0.0
    return sum(waits[cell] <= usual for cell in jumped)


def _prompt(solve: Solve, silent: list[int], how: Mapping[int, How]) -> int:
    """How many of these cells came much sooner after the receipt before than singles mostly did.

    Nobody sees in less time that no single is left, let alone what a hard step leads to. Singles that came
    together share their wait: behind a bad connection many do, and every other wait looks short beside it.
    """
    waits, together = solve.thoughts, Counter(solve.came.values())
    shared = [wait / together[solve.came[cell]] for cell, wait in waits.items() if how[cell] is How.SINGLE]
    usual = median(shared or [0.0])
    return sum(waits[cell] <= PROMPT * usual for cell in silent)


def _stalled(
    solve: Solve, stalls: list[int], how: Mapping[int, How]
) -> tuple[int, float | None, float | None]:
    """How many of these cells have a wait of their own, and how long their middle and their shortest one is
    beside singles.
    """
    apart = MOMENT.total_seconds()  # less is between requests of one connection that came back
    waits = {
        cell: wait for cell, wait in solve.thoughts.items() if wait > apart and not solve.caught_up(cell)
    }
    hard = [waits[cell] for cell in stalls if cell in waits]
    usual = median([wait for cell, wait in waits.items() if how[cell] is How.SINGLE] or [0.0])
    if not (hard and usual):
        return len(hard), None, None
    return len(hard), median(hard) / usual, min(hard) / usual


def _taken_back(move: Move, following: list[Move]) -> bool:
    """Whether the next move takes this one back or overwrites it."""
    return any(
        after.kind is Kind.UNDO
        or (after.kind in (Kind.ERASE, Kind.DIGIT) and not set(after.cells).isdisjoint(move.cells))
        for after in following
    )


class _Marks:
    """The corner and center marks that stand, struck ones left out."""

    def __init__(self, givens: str, answer: str) -> None:
        self._answer = answer
        self._written: dict[Kind, list[set[int]]] = {
            kind: [set() for _cell in range(81)] for kind in (Kind.CORNER, Kind.CENTRE, Kind.STRIKE)
        }
        self.ever: set[tuple[int, int]] = set()  # (cell, digit) of every mark written
        self.absurd: set[tuple[int, int]] = set()
        self._digits = [int(char) if char != "." else 0 for char in givens]
        self.weighed: set[int] = set()  # cells that held WEIGHED marks or more
        self._latest: set[tuple[int, int]] = set()  # those of `ever` written since the last right digit
        self._entering = False  # whether the move at hand has a right digit for the first time
        self.posed = self.meant = 0

    def play(self, move: Move) -> None:
        if move.kind is Kind.DIGIT:
            for cell in move.cells:
                if str(move.digit) == self._answer[cell]:
                    self._entered(cell, move.digit or 0)
                for peer in PEERS[cell]:
                    for kind in (Kind.CORNER, Kind.CENTRE):
                        self._written[kind][peer].discard(move.digit or 0)
            if self._entering:
                self._latest.clear()
                self._entering = False
        elif move.kind in self._written:
            sets = [self._written[move.kind][cell] for cell in move.cells]
            if move.digit is None:
                for one in sets:
                    one.clear()
            elif all(move.digit in one for one in sets):
                for one in sets:
                    one.discard(move.digit or 0)
            else:
                for one in sets:
                    one.add(move.digit or 0)
                self._wrote(move.cells, move.digit or 0, corner_or_center=move.kind is not Kind.STRIKE)

    def prepare(self, cell: int, digit: int) -> bool:
        """Whether they lead to a digit: it was weighed there against another, or against another place."""
        here = self._in(cell)
        return digit in here and (
            len(here) > 1
            or any(
                digit in self._in(other)
                for house in HOUSES_OF[cell]
                for other in HOUSES[house]
                if other != cell
            )
        )

    def _wrote(self, cells: Iterable[int], digit: int, *, corner_or_center: bool) -> None:
        if not corner_or_center:
            return
        for cell in cells:
            if len(self._in(cell)) >= WEIGHED:
                self.weighed.add(cell)
            if (cell, digit) not in self.ever:
                self._latest.add((cell, digit))
            self.ever.add((cell, digit))
            if any(self._digits[peer] == digit for peer in PEERS[cell]):
                self.absurd.add((cell, digit))

    def _entered(self, cell: int, digit: int) -> None:
        """See what was marked just before a right digit, where it comes for the first time."""
        if self._digits[cell]:
            return
        self._digits[cell], self._entering = digit, True
        here = {mark for marked, mark in self._latest if marked == cell}
        if here == {digit} and self._in(cell) <= here:
            self.meant += 1
        else:
            self.posed += len(here)

    def lone(self) -> int:
        """How many marks never had company: another in their cell, or the same digit in a house."""
        marked = Counter(cell for cell, _digit in self.ever)
        return sum(
            marked[cell] == 1 and not any((peer, digit) in self.ever for peer in PEERS[cell])
            for cell, digit in self.ever
        )

    def _in(self, cell: int) -> set[int]:
        written = self._written
        return (written[Kind.CORNER][cell] | written[Kind.CENTRE][cell]) - written[Kind.STRIKE][cell]
