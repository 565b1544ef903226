"""Simulated move logs, as a server would receive them, of people who play a puzzle.

Times are seconds from the start of the attempt to the receipt of a move.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import engine
from benchmarks.tables import ROOT
from engine.geometry import BOX_OF, HOUSES, HOUSES_OF, PEERS
from webapp.game.moves import Kind, Move

FILE = ROOT / "tests" / "data" / "timed_puzzles.txt"
SOON, AT_ONCE, MOST = 2.0, 10, 50  # how the board module in the browser sends moves


@dataclass(frozen=True, slots=True)
class Timed:
    """A puzzle with its rating."""

    level: int
    givens: str
    explainer: float
    hardest: str
    expected_seconds: float

    @property
    def empty(self) -> list[int]:
        return [cell for cell in range(81) if self.givens[cell] == "."]


@dataclass(frozen=True, slots=True)
class Placing:
    """A digit in the order of the engine's path."""

    cell: int
    digit: int
    steps: int  # steps right before it that only remove candidates


@dataclass(frozen=True)
class Log:
    """A solved attempt: its player, and when the server received each move."""

    maker: str
    human: bool
    puzzle: Timed
    moves: list[Move]
    received: list[float]  # seconds from the start, ascending, one a move


@dataclass
class Script:
    """A player's actions, in order: (seconds from the start, kind, cell, digit)."""

    at: float = 0.0
    done: list[tuple[float, Kind, str, str]] = field(default_factory=list)

    def wait(self, seconds: float) -> None:
        self.at += seconds

    def do(self, kind: Kind, cell: int | str = "", digit: int | str = "") -> None:
        self.done.append((self.at, kind, str(cell), str(digit)))

    def moves(self) -> list[Move]:
        return [
            Move.from_fields(str(seq), kind, cell, digit)
            for seq, (_at, kind, cell, digit) in enumerate(self.done, 1)
        ]

    def times(self) -> list[float]:
        return [at for at, *_ in self.done]


@cache
def puzzles() -> tuple[Timed, ...]:
    """Return the puzzles that logs are made for."""
    rows = (line.split() for line in FILE.read_text().splitlines() if not line.startswith("#"))
    return tuple(
        Timed(int(level), givens, float(er), hardest, float(expected))
        for level, givens, er, hardest, expected in rows
    )


@cache
def solution(puzzle: Timed) -> str:
    solved = engine.solution(engine.parse(puzzle.givens))
    assert solved is not None
    return str(solved)


@cache
def path(puzzle: Timed) -> tuple[Placing, ...]:
    """Return the digits of a puzzle in the order of the engine's path."""
    placings, waiting = [], 0
    placed = {cell for cell in range(81) if puzzle.givens[cell] != "."}
    for step in engine.solve_path(engine.parse(puzzle.givens)).steps:
        if not step.placements:
            waiting += 1
        for cell, digit in sorted(step.placements):
            if cell not in placed:
                placed.add(cell)
                placings.append(Placing(cell, digit, waiting))
                waiting = 0
    answer = solution(puzzle)
    placings += [Placing(cell, int(answer[cell]), 0) for cell in range(81) if cell not in placed]
    return tuple(placings)


# how moves travel


def each_at_once(times: list[float], rng: random.Random) -> list[float]:
    """Send every move in a request of its own."""
    return _ascending(at + _latency(rng) for at in times)


def through_the_outbox(
    times: list[float], rng: random.Random, offline: tuple[float, float] = (0, 0)
) -> list[float]:
    """Send as the browser does: two seconds after the first unsent move or with the tenth, and the last at
    once.

    offline: when no request gets through; moves played then arrive together.
    """
    received: list[float] = []
    first = 0
    for index, at in enumerate(times):
        last = index == len(times) - 1
        count = index - first + 1
        if last or count == AT_ONCE or times[index + 1] > times[first] + SOON:
            sent = at if last or count == AT_ONCE else times[first] + SOON
            if offline[0] <= sent < offline[1]:
                sent = offline[1] + 0.1 * (count // MOST)
            received += [sent + _latency(rng)] * count
            first = index + 1
    return _ascending(received)


def all_together(times: list[float], _rng: random.Random) -> list[float]:
    """Send in as few requests as hold them, when the last has been played."""
    return _ascending(times[-1] + 0.15 * (index // MOST) + 0.02 for index in range(len(times)))


def _latency(rng: random.Random) -> float:
    return rng.lognormvariate(math.log(0.06), 0.6)


def _ascending(times: Iterable[float]) -> list[float]:
    latest, out = 0.0, []
    for at in times:
        latest = max(latest, at)
        out.append(latest)
    return out


# people


def openings(digits: list[int]) -> dict[int, tuple[int, float]]:
    """Return the singles of a board: cell -> (digit, ease). A place in a box is seen most easily."""
    possible = {
        cell: {digit for digit in range(1, 10) if all(digits[peer] != digit for peer in PEERS[cell])}
        for cell in range(81)
        if not digits[cell]
    }
    found: dict[int, tuple[int, float]] = {}

    def note(cell: int, digit: int, ease: float) -> None:
        if cell not in found or found[cell][1] < ease:
            found[cell] = (digit, ease)

    for cell, candidates in possible.items():
        if len(candidates) == 1:
            seen = min(sum(not digits[other] for other in HOUSES[house]) for house in HOUSES_OF[cell])
            note(cell, next(iter(candidates)), 2.0 if seen == 1 else 1.0 if seen == 2 else 0.35)
    for index, house in enumerate(HOUSES):
        for digit in range(1, 10):
            places = [cell for cell in house if digit in possible.get(cell, ())]
            if len(places) == 1:
                note(places[0], digit, 1.0 if index >= 18 else 0.5)
    return found


@dataclass(frozen=True, slots=True)
class Person:
    """How a simulated person plays; drawn for every log."""

    speed: float  # times the expected time; 1 is average
    spread: float  # of the thinking times, in ln seconds
    hand: float  # seconds a digit takes at least, to reach and press
    scanning: str  # digit, box or near: where they look next; rows, boxes or digits: those in order
    notices: float  # share of the singles noticed by a player who scans in order
    marking: str  # none, some (pairs in boxes), all (every candidate), layer (computed ones, with strikes)
    slips: float  # wrong digits a placement
    rests: float  # long thoughts or distractions a placement
    sending: str  # outbox, each, offline, spell


def person(rng: random.Random, puzzle: Timed) -> Person:
    """Draw a person who can solve this puzzle."""
    hard = puzzle.level >= 4
    marking = rng.choices(
        ("none", "some", "all", "layer"),
        (0, 4, 4, 2) if hard else (1, 5, 3, 2) if puzzle.level == 3 else (7, 3, 0.7, 0.3),
    )[0]
    expert = rng.random() < 0.2
    speed = rng.uniform(0.22, 0.45) if expert else min(3.5, max(0.4, rng.lognormvariate(-0.05, 0.5)))
    return Person(
        speed=speed,
        spread=rng.uniform(0.6, 1.05),
        hand=rng.uniform(0.3, 0.5) if rng.random() < 0.6 else rng.uniform(0.5, 0.9),  # keyboard, thumb
        scanning=rng.choice(("digit", "digit", "box", "near", *ROUNDS)),
        notices=rng.choice((1.0, rng.uniform(0.6, 1.0))),
        marking=marking,
        slips=0.0 if rng.random() < 0.4 else rng.uniform(0.002, 0.05),
        rests=0.0 if expert else rng.uniform(0.0, 0.05),
        sending=rng.choices(("outbox", "each", "offline", "spell"), (84, 6, 4, 6))[0],
    )


def human(rng: random.Random, puzzle: Timed) -> Log:
    """Return the log of a person who solves a puzzle."""
    who = person(rng, puzzle)
    maker = f"{who.scanning}, {who.marking} marks, x{who.speed:.2f}, {who.sending}"
    script = played(rng, puzzle, who, plan(rng, puzzle, who))
    return Log(maker, True, puzzle, script.moves(), sent(rng, script.times(), who.sending))


def played(rng: random.Random, puzzle: Timed, who: Person, acts: Sequence[Act]) -> Script:
    """Pace actions for a person: thoughts are stretched to the time that this person needs."""
    effort = sum(thought for thought, *_ in acts)
    handling = sum(cost for _thought, cost, *_ in acts)
    wanted = puzzle.expected_seconds * who.speed * rng.lognormvariate(0, 0.15)
    stretch = max(wanted - handling, 0.35 * wanted) / effort
    script = Script()
    script.wait(rng.uniform(0.8, 4))
    for thought, cost, kind, cell, digit in acts:
        script.wait(thought * stretch + cost)
        script.do(kind, cell, digit)
    return script


def sent(rng: random.Random, times: list[float], way: str) -> list[float]:
    """Return when the server receives moves played at these times."""
    if way == "offline":
        return all_together(times, rng)
    if way == "each":
        return each_at_once(times, rng)
    if way == "spell":
        begins = rng.uniform(0.1, 0.7) * times[-1]
        return through_the_outbox(times, rng, (begins, begins + rng.uniform(0.1, 0.3) * times[-1]))
    return through_the_outbox(times, rng)


Act = tuple[float, float, Kind, str, str]  # units of thought, seconds of handling, kind, cell, digit


def plan(rng: random.Random, puzzle: Timed, who: Person) -> list[Act]:
    answer = solution(puzzle)
    digits = [int(char) if char != "." else 0 for char in puzzle.givens]
    ahead = list(path(puzzle))
    acts: list[Act] = []
    last: tuple[int, int] | None = None
    wrong: dict[int, int] = {}  # cell -> placements until it is noticed
    marked = False

    def thought(units: float) -> float:
        return units * rng.lognormvariate(0, who.spread)

    def act(units: float, kind: Kind, cell: int | str = "", digit: int | str = "") -> None:
        acts.append((units, who.hand * rng.lognormvariate(0, 0.25), kind, str(cell), str(digit)))

    def place(units: float, cell: int) -> None:
        nonlocal last
        act(units, Kind.DIGIT, cell, answer[cell])
        digits[cell] = int(answer[cell])
        last = (cell, digits[cell])

    if who.marking == "layer":
        act(thought(0.5), Kind.FILL)
        marked = True
    while 0 in digits:
        for cell in [cell for cell, left in wrong.items() if left <= 0]:
            del wrong[cell]
            if rng.random() < 0.5:
                act(thought(1.5), Kind.ERASE, cell)
            place(thought(0.4), cell)
        if 0 not in digits:
            break
        for cell in wrong:
            wrong[cell] -= 1
        open_now = {
            cell: ease for cell, (digit, ease) in openings(digits).items() if digit == int(answer[cell])
        }
        if who.marking == "some" and rng.random() < 0.12 and 0 in digits:
            _pair_marks(rng, digits, act, thought)
            marked = True
        rest = thought(8.0) if rng.random() < who.rests else 0.0
        if open_now and who.scanning in ROUNDS:
            cell, passed = _next_in_order(rng, who, open_now, digits, answer, last)
            units = thought(0.4 + 0.1 * passed)
        elif open_now:
            cell = _choose(rng, who, open_now, answer, last)
            ease = sum(open_now.values())
            units = thought((0.5 + 4.0 / (0.7 + ease)) / (0.6 + open_now[cell]))
        else:
            if who.marking == "all" and not marked:
                _all_marks(rng, digits, act)
                marked = True
            ahead = [placing for placing in ahead if not digits[placing.cell]]
            cell, steps = ahead[0].cell, ahead[0].steps + 1
            if who.marking != "none" and marked:
                _strikes(rng, who, digits, answer, steps, act, thought)
            elif who.marking == "some":
                _pair_marks(rng, digits, act, thought)
                marked = True
            units = thought(5.0 * min(steps, 6))
        if rng.random() < who.slips and digits.count(0) > 6:
            bad = rng.choice([digit for digit in range(1, 10) if str(digit) != answer[cell]])
            act(units + rest, Kind.DIGIT, cell, bad)
            if rng.random() < 0.4:
                act(thought(0.3), Kind.UNDO)
                continue
            digits[cell] = int(answer[cell])  # they continue as if it were right, until they notice
            wrong[cell] = rng.randint(0, 6)
            last = (cell, bad)
        else:
            place(units + rest, cell)
    for cell in wrong:
        act(thought(3.0), Kind.DIGIT, cell, answer[cell])
    return acts


def _choose(
    rng: random.Random,
    who: Person,
    open_now: dict[int, float],
    answer: str,
    last: tuple[int, int] | None,
) -> int:
    """Return the single that they notice next."""

    def pull(cell: int) -> float:
        weight = open_now[cell]
        if last is None:
            return weight
        if who.scanning == "digit":
            ahead = (int(answer[cell]) - last[1]) % 9
            return weight * (6.0 if ahead == 0 else 1.5 if ahead <= 2 else 0.5)
        if who.scanning == "box":
            return weight * (5.0 if BOX_OF[cell] == BOX_OF[last[0]] else 1.0)
        return weight * (4.0 if cell in PEERS[last[0]] else 1.0)

    cells = list(open_now)
    return rng.choices(cells, [pull(cell) for cell in cells])[0]


# How a player may scan the board, round after round: by the rows, by the boxes, or digit by digit.
ROUNDS: dict[str, Callable[[str, int], tuple[int | str, int]]] = {
    "rows": lambda _answer, cell: (0, cell),
    "boxes": lambda _answer, cell: (BOX_OF[cell], cell),
    "digits": lambda answer, cell: (answer[cell], cell),
}


def _next_in_order(
    rng: random.Random,
    who: Person,
    open_now: dict[int, float],
    digits: list[int],
    answer: str,
    last: tuple[int, int] | None,
) -> tuple[int, int]:
    """Return the next single they notice on their round, and how many empty cells they pass before it."""

    def place(cell: int) -> tuple[int | str, int]:
        return ROUNDS[who.scanning](answer, cell)

    ahead = sorted((cell for cell in range(81) if not digits[cell]), key=place)
    if last is not None:
        ahead.sort(key=lambda cell: place(cell) < place(last[0]))
    passed = 0
    while True:
        for cell in ahead:
            if cell in open_now and rng.random() < who.notices:
                return cell, passed
            passed += 1


def _candidates(digits: list[int], cell: int) -> list[int]:
    return [digit for digit in range(1, 10) if all(digits[peer] != digit for peer in PEERS[cell])]


def _pair_marks(
    rng: random.Random, digits: list[int], act: Callable[..., None], thought: Callable[[float], float]
) -> None:
    """Mark the two places of a digit in some box."""
    boxes = rng.sample(range(18, 27), 9)
    for house in boxes:
        cells = [cell for cell in HOUSES[house] if not digits[cell]]
        for digit in rng.sample(range(1, 10), 9):
            places = [cell for cell in cells if digit in _candidates(digits, cell)]
            if len(places) == 2:
                if rng.random() < 0.5:
                    act(thought(0.8), Kind.CORNER, f"{places[0]},{places[1]}", digit)
                else:
                    act(thought(0.8), Kind.CORNER, places[0], digit)
                    act(thought(0.05), Kind.CORNER, places[1], digit)
                return


def _all_marks(rng: random.Random, digits: list[int], act: Callable[..., None]) -> None:
    """Write all candidates, cell by cell; some people only in cells with few."""
    most = rng.choice((3, 4, 9))
    kind = rng.choice((Kind.CENTRE, Kind.CORNER))
    for cell in range(81):
        candidates = _candidates(digits, cell) if not digits[cell] else []
        if candidates and len(candidates) <= most:
            for index, digit in enumerate(candidates):
                act(0.3 * rng.lognormvariate(0, 0.5) if index == 0 else 0.02, kind, cell, digit)


def _strikes(
    rng: random.Random,
    who: Person,
    digits: list[int],
    answer: str,
    steps: int,
    act: Callable[..., None],
    thought: Callable[[float], float],
) -> None:
    """Remove candidates that a pattern rules out."""
    kind = Kind.STRIKE if who.marking == "layer" else Kind.CENTRE
    for _ in range(min(steps, 5)):
        cell = rng.choice([cell for cell in range(81) if not digits[cell]])
        false = [digit for digit in _candidates(digits, cell) if str(digit) != answer[cell]]
        if false:
            act(thought(2.0), kind, cell, rng.choice(false))
