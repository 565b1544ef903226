"""Simulated players, honest and not; `make bench NAME=fair` applies the rules of fair play to their logs.

Each kind is a function from a puzzle and a random generator to a game. The people are variations of the one
in `benchmarks/logs.py`; docs/fair-play/players.md describes them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import engine
from benchmarks.logs import (
    Act,
    Person,
    Script,
    Timed,
    openings,
    person,
    plan,
    played,
    puzzles,
    sent,
    solution,
)
from webapp.game.moves import Kind, Move

LOOKALIKE = {"6": "9", "9": "6", "1": "7", "7": "1", "3": "8", "8": "3", "2": "5", "5": "2", "4": "9"}


@dataclass(frozen=True)
class Game:
    """A finished game as the server received it, and the game it was copied from."""

    puzzle: Timed
    moves: list[Move]
    received: list[float]  # seconds from the start, one a move
    before: Game | None = None  # another player's, begun earlier


Make = Callable[[random.Random, Timed], Game]


@dataclass(frozen=True)
class Kind_:
    """A kind of player."""

    name: str
    honest: bool
    stopped: bool  # whether the rules must catch it
    make: Make


KINDS: list[Kind_] = []


def kind(*, honest: bool = False, stopped: bool = True) -> Callable[[Make], Make]:
    """Register a kind under the name of its function."""

    def enter(make: Make) -> Make:
        KINDS.append(Kind_(make.__name__, honest, not honest and stopped, make))
        return make

    return enter


def game(
    rng: random.Random, puzzle: Timed, script: Script, way: str = "outbox", before: Game | None = None
) -> Game:
    return Game(puzzle, script.moves(), sent(rng, script.times(), way), before)


def somebody(rng: random.Random, puzzle: Timed) -> Person:
    """Draw an ordinary person, who uses none of the site's help."""
    who = person(rng, puzzle)
    return replace(who, marking="all" if who.marking == "layer" else who.marking)


def solved(rng: random.Random, puzzle: Timed, who: Person) -> Game:
    return game(rng, puzzle, played(rng, puzzle, who, plan(rng, puzzle, who)), who.sending)


# honest


@kind(honest=True)
def ordinary(rng: random.Random, puzzle: Timed) -> Game:
    """Scans, notes and slips as most do."""
    return solved(rng, puzzle, somebody(rng, puzzle))


@kind(honest=True)
def champion(rng: random.Random, puzzle: Timed) -> Game:
    """Solves in a fifth to two fifths of the expected time, by keyboard, with hardly an error."""
    who = replace(somebody(rng, puzzle), speed=rng.uniform(0.2, 0.4), spread=rng.uniform(0.4, 0.6), rests=0.0)
    return solved(rng, puzzle, replace(who, hand=rng.uniform(0.15, 0.3), slips=0.003, sending="outbox"))


@kind(honest=True)
def marks_everything(rng: random.Random, puzzle: Timed) -> Game:
    """Writes all candidates once it gets hard, and eliminates them."""
    return solved(rng, puzzle, replace(somebody(rng, puzzle), marking="all"))


@kind(honest=True)
def row_by_row(rng: random.Random, puzzle: Timed) -> Game:
    """Scans the board in order, round after round, and misses some singles."""
    who = replace(somebody(rng, puzzle), scanning="rows", notices=rng.uniform(0.6, 0.95))
    return solved(rng, puzzle, who)


@kind(honest=True)
def stylus(rng: random.Random, puzzle: Timed) -> Game:
    """Writes digits by hand on a tablet: slowly, evenly, and often misread."""
    who = somebody(rng, puzzle)
    who = replace(who, hand=rng.uniform(1.2, 2.5), speed=max(who.speed, 0.9), slips=rng.uniform(0.04, 0.12))
    return solved(rng, puzzle, who)


@kind(honest=True)
def switch(rng: random.Random, puzzle: Timed) -> Game:
    """Uses one switch: a frame steps over rows, columns and digits at a fixed interval."""
    who, frame = somebody(rng, puzzle), rng.uniform(0.35, 0.9)

    def scanned(act: Act) -> Act:
        thought, _cost, made, cell, digit = act
        place = int(cell.partition(",")[0] or 0)
        return thought, frame * (2 + place // 9 + place % 9 + int(digit or 1)), made, cell, digit

    acts = [scanned(act) for act in plan(rng, puzzle, who)]
    return game(rng, puzzle, played(rng, puzzle, replace(who, speed=rng.uniform(1.6, 3.5)), acts))


@kind(honest=True)
def even_switch(rng: random.Random, puzzle: Timed) -> Game:
    """Uses a switch that enters a digit at every tick, once one is found, in about the expected time."""
    acts = plan(rng, puzzle, replace(somebody(rng, puzzle), marking="none", slips=0.01))
    script, tick = Script(), rng.uniform(0.8, 1.2) * puzzle.expected_seconds / len(acts)
    for _thought, _cost, made, cell, digit in acts:
        script.wait(tick)
        script.do(made, cell, digit)
    return game(rng, puzzle, script, "each")


@kind(honest=True)
def child_from_the_top(rng: random.Random, puzzle: Timed) -> Game:
    """Looks again from the top left after every digit, and takes the first single there."""
    return overlay(rng, puzzle, lambda framed, _last: framed[0], rng.uniform(3, 9))


@kind(honest=True)
def lone_marks(rng: random.Random, puzzle: Timed) -> Game:
    """Writes each digit as a lone mark before entering it."""
    who = replace(somebody(rng, puzzle), marking="none")
    acts: list[Act] = []
    for thought, cost, made, cell, digit in plan(rng, puzzle, who):
        if made is Kind.DIGIT:
            acts.append((thought, cost, Kind.CORNER, cell, digit))
            thought = rng.uniform(0.5, 2)
        acts.append((thought, cost, made, cell, digit))
    return game(rng, puzzle, played(rng, puzzle, who, acts), who.sending)


@kind(honest=True)
def dyslexic(rng: random.Random, puzzle: Timed) -> Game:
    """Confuses digits that look alike, and notices sooner or later."""
    who = replace(somebody(rng, puzzle), slips=rng.uniform(0.08, 0.2))
    answer = solution(puzzle)

    def confused(act: Act) -> Act:
        thought, cost, made, cell, digit = act
        wrong = made is Kind.DIGIT and digit != answer[int(cell)]
        return thought, cost, made, cell, LOOKALIKE[answer[int(cell)]] if wrong else digit

    acts = [confused(act) for act in plan(rng, puzzle, who)]
    return game(rng, puzzle, played(rng, puzzle, who, acts), who.sending)


@kind(honest=True)
def interrupted(rng: random.Random, puzzle: Timed) -> Game:
    """Is called away for minutes, comes back, and types the digits found meanwhile."""
    who = somebody(rng, puzzle)
    acts = plan(rng, puzzle, who)
    for at in rng.sample(range(1, len(acts)), 3):
        acts[at] = (acts[at][0], acts[at][1] + rng.uniform(60, 900), *acts[at][2:])
        for later in range(at + 1, min(len(acts), at + rng.randint(1, 6))):
            acts[later] = (0.2 * acts[later][0], *acts[later][1:])
    return game(rng, puzzle, played(rng, puzzle, who, acts), who.sending)


@kind(honest=True)
def offline_train(rng: random.Random, puzzle: Timed) -> Game:
    """Plays on a train that loses the connection, or has none until the end."""
    return solved(
        rng, puzzle, replace(somebody(rng, puzzle), sending=rng.choice(("spell", "spell", "offline")))
    )


@kind(honest=True)
def siblings(rng: random.Random, puzzle: Timed) -> Game:
    """Plays on the family's tablet a puzzle that a brother or sister has solved there before, each alone."""
    before = solved(rng, puzzle, somebody(rng, puzzle))
    return replace(solved(rng, puzzle, somebody(rng, puzzle)), before=before)


@kind(honest=True)
def tries_digits(rng: random.Random, puzzle: Timed) -> Game:
    """Tries digits that might fit, and takes them back if they don't."""
    who = somebody(rng, puzzle)
    return solved(rng, puzzle, replace(who, marking="none", slips=rng.uniform(0.1, 0.25)))


def typing(rng: random.Random, puzzle: Timed, cells: Sequence[int], start: float, key: float) -> Script:
    """Type the solution in that order, with that many seconds a digit."""
    script, spread = Script(), rng.uniform(0.2, 0.6)
    script.wait(start)
    for cell in cells:
        script.wait(key * rng.lognormvariate(0, spread))
        script.do(Kind.DIGIT, cell, solution(puzzle)[cell])
    return script


@kind(honest=True)
def from_paper(rng: random.Random, puzzle: Timed) -> Game:
    """Solves on paper in the usual time, then types rows or boxes."""
    cells = sorted(puzzle.empty, key=rng.choice((by_row, by_box)))
    start = puzzle.expected_seconds * rng.uniform(0.6, 1.8)
    return game(rng, puzzle, typing(rng, puzzle, cells, start, rng.uniform(0.4, 1.2)))


# typed solutions


def by_row(cell: int) -> tuple[int, ...]:
    return (cell,)


def by_column(cell: int) -> tuple[int, ...]:
    return cell % 9, cell


def by_box(cell: int) -> tuple[int, ...]:
    return cell // 27, cell % 9 // 3, cell


def to_and_fro(cell: int) -> tuple[int, ...]:
    return cell // 9, cell if cell // 9 % 2 else -cell


def hurried(rng: random.Random, puzzle: Timed, cells: Sequence[int]) -> Script:
    """Type after a while, in a fifth of the expected time or all of it."""
    key = rng.uniform(0.2, 1.0) * puzzle.expected_seconds / len(cells)
    return typing(rng, puzzle, cells, rng.uniform(1, 60), max(key, 0.3))


@kind()
def typed_in_order(rng: random.Random, puzzle: Timed) -> Game:
    """Types a solver's digits by rows, columns, boxes, to and fro, or one digit after the other."""
    answer = solution(puzzle)
    orders = (by_row, by_column, by_box, to_and_fro, lambda cell: (int(answer[cell]), cell))
    return game(rng, puzzle, hurried(rng, puzzle, sorted(puzzle.empty, key=rng.choice(orders))))


@kind()
def typed_at_random(rng: random.Random, puzzle: Timed) -> Game:
    """Types a solver's digits here and there."""
    return game(rng, puzzle, hurried(rng, puzzle, rng.sample(puzzle.empty, len(puzzle.empty))))


@kind()
def typed_with_marks(rng: random.Random, puzzle: Timed) -> Game:
    """Types a solver's digits by rows or at random, with a dozen marks for show."""
    cells = rng.choice((puzzle.empty, rng.sample(puzzle.empty, len(puzzle.empty))))
    script, out = hurried(rng, puzzle, cells), Script()
    marked = {*rng.sample(range(len(cells)), 12)}
    for at, (when, made, cell, digit) in enumerate(script.done):
        if at in marked:
            out.at = max(out.at, when - 1)
            out.do(Kind.CORNER, rng.choice(cells), rng.randint(1, 9))
        out.at = when
        out.do(made, cell, digit)
    return game(rng, puzzle, out)


# extensions that show singles


def overlay(
    rng: random.Random, puzzle: Timed, choose: Callable[[list[int], int], int], react: float | None = None
) -> Game:
    """Clicks the cells that an extension frames: those with a single, else the next of the path."""
    digits = [int(char) if char != "." else 0 for char in puzzle.givens]
    answer, script, last = solution(puzzle), Script(), 40
    react = react or rng.uniform(0.6, 2.5)
    way = [
        cell for step in engine.solve_path(engine.parse(puzzle.givens)).steps for cell, _ in step.placements
    ]
    script.wait(rng.uniform(1, 6))
    while 0 in digits:
        framed = [
            cell for cell, (digit, _ease) in sorted(openings(digits).items()) if digit == int(answer[cell])
        ]
        last = choose(framed, last) if framed else next(cell for cell in way if not digits[cell])
        script.wait(react * rng.lognormvariate(0, 0.3))
        script.do(Kind.DIGIT, last, answer[last])
        digits[last] = int(answer[last])
    return game(rng, puzzle, script)


@kind(stopped=False)
def overlay_in_order(rng: random.Random, puzzle: Timed) -> Game:
    """Has an extension frame the next single, and clicks it."""
    return overlay(rng, puzzle, lambda framed, _last: framed[0])


@kind(stopped=False)
def overlay_nearby(rng: random.Random, puzzle: Timed) -> Game:
    """Has an extension frame all singles, and clicks the nearest."""
    return overlay(
        rng,
        puzzle,
        lambda framed, last: min(framed, key=lambda c: abs(c // 9 - last // 9) + abs(c % 9 - last % 9)),
    )


# copies


def copied(rng: random.Random, puzzle: Timed, swaps: float = 0.0) -> Game:
    """Copy the digits of another player's game, with their waits shortened and shaken, and some neighbors
    swapped.
    """
    before = solved(rng, puzzle, replace(somebody(rng, puzzle), sending="each"))
    answer, when = solution(puzzle), dict[str, float]()
    for move, at in zip(before.moves, before.received, strict=True):
        if move.kind is Kind.DIGIT and str(move.digit) == answer[int(move.cell)]:
            when.setdefault(move.cell, at)
    cells = [*when]
    for at in range(0, len(cells) - 1, 2):
        if rng.random() < swaps:
            cells[at], cells[at + 1] = cells[at + 1], cells[at]
    script, was, pace, jitter = Script(), 0.0, rng.uniform(0.4, 1.0), rng.uniform(0.05, 0.3)
    for cell, received in zip(cells, when.values(), strict=True):
        script.wait(max(0.05, pace * (received - was) * rng.lognormvariate(0, jitter)))
        script.do(Kind.DIGIT, cell, answer[int(cell)])
        was = received
    return game(rng, puzzle, script, "each", before)


@kind()
def copy_retimed(rng: random.Random, puzzle: Timed) -> Game:
    """Sends another player's digits again, a little faster."""
    return copied(rng, puzzle)


@kind()
def copy_with_swaps(rng: random.Random, puzzle: Timed) -> Game:
    """Sends them again with a third of the neighbors in the order swapped."""
    return copied(rng, puzzle, 0.35)


@kind()
def copy_transformed(rng: random.Random, puzzle: Timed) -> Game:
    """Sends them again on a transformed board, as each player's ranked board is."""
    there = engine.Transformation.random(rng.randrange)
    found = copied(rng, puzzle)
    transformed = replace(puzzle, givens=str(there.apply(engine.parse(puzzle.givens))).replace("0", "."))
    moves = [
        Move(move.seq, move.kind, (there.target(move.cells[0]),), (), there.digits[(move.digit or 1) - 1])
        for move in found.moves
    ]
    return replace(found, puzzle=transformed, moves=moves)


# cheats that the rules can't catch


@kind(stopped=False)
def one_digit(rng: random.Random, puzzle: Timed) -> Game:
    """Takes the hardest digit from a solver, and plays the rest alone."""
    who = somebody(rng, puzzle)
    acts = plan(rng, puzzle, who)
    hardest = max(range(len(acts)), key=lambda at: acts[at][0])
    acts[hardest] = (1.0, *acts[hardest][1:])
    return game(rng, puzzle, played(rng, puzzle, who, acts), who.sending)


@kind(stopped=False)
def patient_program(rng: random.Random, puzzle: Timed) -> Game:
    """Is a program that looks, waits, marks and slips as a person does."""
    return solved(rng, puzzle, replace(somebody(rng, puzzle), sending="outbox", rests=0.0))


@kind(stopped=False)
def half_from_photo(rng: random.Random, puzzle: Timed) -> Game:
    """Plays alone to the middle, and copies the rest from a solver's picture."""
    who = somebody(rng, puzzle)
    acts = plan(rng, puzzle, replace(who, slips=0.0))
    digits = [at for at, act in enumerate(acts) if act[2] is Kind.DIGIT]
    script = played(rng, puzzle, who, acts[: digits[len(digits) // 2]])
    known = {int(cell) for _at, made, cell, _digit in script.done if made is Kind.DIGIT}
    script.wait(rng.uniform(10, 40))
    for cell in puzzle.empty:
        if cell not in known:
            script.wait(rng.uniform(0.5, 1.5))
            script.do(Kind.DIGIT, cell, solution(puzzle)[cell])
    return game(rng, puzzle, script)


def games(of: Kind_, count: int, seed: int) -> list[Game]:
    """Return that many games of a kind, cycling through the puzzles of all levels."""
    spread = sorted(range(len(puzzles())), key=lambda at: (at % 8, at))
    chances = (random.Random(f"{of.name} {seed + at}") for at in range(count))
    return [of.make(rng, puzzles()[spread[at % len(spread)]]) for at, rng in enumerate(chances)]
