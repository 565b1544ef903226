"""A model of its own of how a person solves: look by look, and the more crowded a house, the less is seen."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.geometry import BOX_OF, COL_OF, HOUSES, HOUSES_OF, PEERS, ROW_OF
from tests.logs import Script
from tests.players.honest import SPREAD
from tests.players.log import Account
from tests.players.person import Act
from tests.players.puzzles import Puzzle, Stage, path
from tests.players.sight import Sight
from tests.players.stage import Scene
from webapp.game.moves import Kind

TOLL = {1: 3.0, 2: 6.0, 3: 11.0, 4: 18.0, 5: 26.0}  # units of thought for a step without a digit, by tier


def apart(one: int, other: int) -> int:
    """How many steps of an arrow key lie between two cells."""
    return abs(ROW_OF[one] - ROW_OF[other]) + abs(COL_OF[one] - COL_OF[other])


def named(cells: Iterable[int]) -> str:
    return ",".join(map(str, cells))


class Logic:
    """A board and the engine's path, to go on along it where no single is open."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.answer = [int(char) for char in puzzle.solution]
        self.sight = Sight(puzzle.givens)
        self.ahead = list(path(puzzle))

    def stage(self) -> Stage | None:
        """The next step of the path that says something new; it is used up."""
        while self.ahead:
            stage = self.ahead.pop(0)
            if any(not self.sight.digits[cell] for cell, _digit in stage.placements) or self.news(stage):
                return stage
        return None

    def news(self, stage: Stage) -> list[tuple[int, int]]:
        """The candidates that a step takes away and that are still there."""
        return [(cell, digit) for cell, digit in stage.eliminations if self.sight.open[cell] >> digit - 1 & 1]

    def fewest(self) -> int:
        """The empty cell with the fewest candidates."""
        return min(self.sight.empty, key=lambda cell: self.sight.open[cell].bit_count())

    def crowd(self, house: Sequence[int]) -> int:
        return sum(not self.sight.digits[cell] for cell in house)


@dataclass(frozen=True, slots=True)
class Habit:
    """How somebody plays."""

    eye: str = "roam"  # roam: around the last digit; digit, row, box: one after the other
    notes: str = "none"  # none: thinks in silence; house: all of one house; pairs: of a box; all
    pen: Kind = Kind.CORNER
    keen: float = 0.7  # how surely a single in a box is seen by who looks at the box
    spread: float = 0.5  # of the thoughts, in ln seconds
    hand: float = 0.45  # seconds a press takes
    travel: float = 0.0  # seconds for each cell on the way, with arrow keys
    tires: float = 0.3  # how much slower the thoughts are at the end
    slips: float = 0.01  # wrong digits a placement
    late: float = 0.3  # share of them that is found only later
    burst: int = 1  # up to how many digits are found before they are typed
    sweep: int = 0  # with how many cells left all is clear, and typed in reading order
    breaks: float = 0.0  # a placement, of up to some minutes
    takes: int = 0  # digits taken from a solver
    whim: float = 0.0  # how often one is taken although a single is open
    hints: float = 0.0  # how often the site is asked


class Mind(Logic):
    """Somebody at work on a puzzle."""

    def __init__(self, puzzle: Puzzle, habit: Habit, rng: random.Random) -> None:
        super().__init__(puzzle)
        self.habit, self.rng, self.whole = habit, rng, len(puzzle.empty)
        self.focus = self.cursor = rng.randrange(81)
        self.turn = 0  # of the digit, row or box that is looked at
        self.marks: set[tuple[int, int]] = set()
        self.effort = self.away = 0.0  # since the last act
        self.held: list[int] = []  # found, not yet typed
        self.room = rng.randint(1, habit.burst)
        self.taken = 0
        self.acts: list[Act] = []

    def think(self, units: float) -> None:
        tired = 1 + self.habit.tires * (1 - len(self.sight.empty) / self.whole)
        self.effort += units * tired * self.rng.lognormvariate(0, self.habit.spread)

    def act(self, kind: Kind, cells: Sequence[int] = (), digit: int | str = "") -> None:
        self.type_held()
        handling = self.habit.hand * self.rng.lognormvariate(0, 0.3) + self.away
        if cells:
            handling += self.habit.travel * apart(self.cursor, cells[0])
            self.cursor = cells[-1]
        self.acts.append(Act(self.effort, handling, kind, named(cells), str(digit)))
        self.effort = self.away = 0.0

    def run(self) -> list[Act]:
        """What they do, in order."""
        habit, rng, vain = self.habit, self.rng, 0
        if habit.notes == "all":
            self.note_all()
        while empty := self.sight.empty:
            if len(empty) <= habit.sweep and self.clear():
                self.sweep()
                break
            singles = self.sight.singles()
            if self.taken < habit.takes and (not singles or rng.random() < habit.whim):
                self.take()
            elif rng.random() < habit.hints:
                self.ask()
            elif not singles:
                self.stuck()
            elif (cell := self.look(singles)) is not None or vain > 30:
                self.put(rng.choice(list(singles)) if cell is None else cell)
                vain = 0
            else:
                vain += 1
                if vain % 8 == 0 and habit.notes == "house":
                    self.note_house(min(HOUSES, key=lambda house: self.crowd(house) or 9))
        self.type_held()
        return self.acts

    # looking

    def look(self, singles: dict[int, tuple[int, float]]) -> int | None:
        """One look at a part of the board, and the single that was seen there."""
        rng, eye, digits = self.rng, self.habit.eye, self.sight.digits
        if eye == "digit":
            digit = self.turn % 9 + 1
            area = [cell for cell in range(81) if self.sight.open[cell] >> digit - 1 & 1]
            seen = [cell for cell in area if singles.get(cell, (0,))[0] == digit]
        else:
            area = [cell for cell in self.house() if not digits[cell]]
            seen = [cell for cell in area if cell in singles]
        if not area:  # done already
            self.turn += 1
            self.focus = rng.choice(self.sight.empty)
            return None
        self.think(0.3 + 0.1 * len(area))
        if self.habit.notes == "pairs" and rng.random() < 0.12:
            self.note_pair(HOUSES[18 + BOX_OF[rng.choice(area)]])
        for cell in rng.sample(seen, len(seen)):
            noted = (cell, singles[cell][0]) in self.marks
            ease = max(singles[cell][1], 1.2 if noted else 0.0)
            crowd = min(self.crowd(HOUSES[house]) for house in HOUSES_OF[cell])
            if rng.random() < min(0.97, self.habit.keen * ease) * 0.93 ** (crowd - 1):
                return cell
        self.turn += 1
        self.focus = rng.choice(area if rng.random() < 0.7 else self.sight.empty)
        return None

    def house(self) -> Sequence[int]:
        if self.habit.eye == "row":
            return HOUSES[self.turn % 9]
        if self.habit.eye == "box":
            return HOUSES[18 + self.turn % 9]
        return HOUSES[self.rng.choice(HOUSES_OF[self.focus])]

    def clear(self) -> bool:
        """Whether singles lead to the end."""
        ahead = self.sight.copy()
        while singles := ahead.singles():
            for cell, (digit, _ease) in singles.items():
                ahead.place(cell, digit)
        return not ahead.empty

    # digits

    def know(self, cell: int) -> None:
        self.sight.place(cell, self.answer[cell])
        self.marks -= {(peer, self.answer[cell]) for peer in PEERS[cell]}
        self.focus = cell

    def put(self, cell: int) -> None:
        rng, habit = self.rng, self.habit
        if rng.random() < habit.breaks:
            self.away += 20 * rng.uniform(1, 3.5) ** 2
        if rng.random() < habit.slips and len(self.sight.empty) > 10:
            self.slip(cell)
            return
        self.think(0.25)
        self.held.append(cell)
        self.know(cell)
        if len(self.held) >= self.room:
            self.type_held()

    def type_held(self) -> None:
        held, self.held = self.held, []
        for cell in held:
            self.act(Kind.DIGIT, [cell], self.answer[cell])
            self.think(0.1)
        if held:
            self.room = self.rng.randint(1, self.habit.burst)

    def sweep(self) -> None:
        self.think(0.8 * len(self.sight.empty))
        for cell in self.sight.empty:
            self.act(Kind.DIGIT, [cell], self.answer[cell])
            self.know(cell)
            self.think(0.06)

    def slip(self, cell: int) -> None:
        """A wrong digit, or the right one next to its cell; taken back at once, or only much later."""
        rng, right = self.rng, self.answer[cell]
        beside = [peer for peer in PEERS[cell] if not self.sight.digits[peer] and apart(peer, cell) == 1]
        wrong = rng.choice([digit for digit in range(1, 10) if digit != right])
        where, digit = (rng.choice(beside), right) if beside and rng.random() < 0.4 else (cell, wrong)
        self.act(Kind.DIGIT, [where], digit)
        if rng.random() < self.habit.late:
            self.astray(where, digit)
            return
        self.think(0.8)
        if where == cell and rng.random() < 0.5:
            self.act(Kind.DIGIT, [cell], right)
            self.know(cell)
        else:
            self.act(Kind.UNDO)

    def astray(self, cell: int, digit: int) -> None:
        """Go on from a wrong digit until something does not fit, then find what was wrong."""
        rng, imagined, trail = self.rng, self.sight.copy(), [(cell, digit)]
        imagined.place(cell, digit)
        for _further in range(rng.randint(1, 12)):
            singles = imagined.singles()
            if imagined.broken or not singles or len(imagined.empty) < 5:
                break
            near = sorted(singles, key=lambda each: apart(each, trail[-1][0]))[:4]
            cell, digit = (each := rng.choice(near)), singles[each][0]
            self.think(1.5)
            self.act(Kind.DIGIT, [cell], digit)
            imagined.place(cell, digit)
            trail.append((cell, digit))
        self.think(8.0)
        wrong = [cell for cell, digit in trail if digit != self.answer[cell]]
        for some in [wrong] if rng.random() < 0.4 else [[cell] for cell in reversed(wrong)]:
            self.act(Kind.ERASE, some)
            self.think(0.4)
        for cell, _digit in trail:
            if cell not in wrong:
                self.know(cell)
        self.marks = {  # those a wrong digit wiped out are gone
            (cell, digit)
            for cell, digit in self.marks
            if not any(digit == each and cell in PEERS[where] for where, each in trail)
        }

    # where it gets hard

    def stuck(self) -> None:
        """No single is left: think, and note what may help."""
        stage = self.stage()
        if stage is None:
            self.think(TOLL[5])
            self.put(self.fewest())
            return
        notes = self.habit.notes
        if notes == "house":
            about = [HOUSES[house] for cell in stage.cells for house in HOUSES_OF[cell]]
            self.note_house(max(about or HOUSES, key=self.crowd))
        elif notes == "pairs":
            self.note_pair(HOUSES[18 + BOX_OF[self.rng.choice(self.sight.empty)]])
        self.think(TOLL[stage.tier])
        for cell, _digit in stage.placements:
            if not self.sight.digits[cell]:
                self.put(cell)
        for digit in range(1, 10):
            cells = [cell for cell, each in self.news(stage) if each == digit]
            struck = [cell for cell in cells if (cell, digit) in self.marks]
            for cell in cells:
                self.sight.strike(cell, digit)
            if struck:
                self.toggle(struck, digit)
                self.think(0.3)

    def take(self) -> None:
        """A digit off a solver in another window."""
        self.taken += 1
        self.away += self.rng.uniform(3, 10)
        self.think(2.0)
        cell = self.rng.choice(sorted(self.sight.empty, key=lambda each: apart(each, self.focus))[:6])
        self.act(Kind.DIGIT, [cell], self.answer[cell])
        self.know(cell)

    def ask(self) -> None:
        """A hint of the site, in depth, and what it says."""
        cell = self.fewest()
        for depth in range(1, self.rng.randint(2, 4) + 1):
            self.think(0.5)
            self.act(Kind.HINT, digit=depth)
        self.think(0.5)
        self.act(Kind.DIGIT, [cell], self.answer[cell])
        self.know(cell)

    # marks

    def toggle(self, cells: list[int], digit: int) -> None:
        self.act(self.habit.pen, cells, digit)
        self.marks ^= {(cell, digit) for cell in cells}

    def note_all(self) -> None:
        """Every candidate, digit by digit and for many cells at once."""
        parts = self.rng.choice((1, 3, 9))  # the board at once, by bands, or by rows
        for digit in range(1, 10):
            for part in range(parts):
                here = range(81 * part // parts, 81 * (part + 1) // parts)
                cells = [cell for cell in here if self.sight.open[cell] >> digit - 1 & 1]
                if cells:
                    self.think(0.25 + 0.12 * len(cells))
                    self.away += 0.18 * len(cells)
                    self.toggle(cells, digit)

    def note_house(self, house: Sequence[int]) -> None:
        for cell in house:
            for digit in self.sight.left(cell):
                if (cell, digit) not in self.marks:
                    self.think(0.25)
                    self.toggle([cell], digit)

    def note_pair(self, house: Sequence[int]) -> None:
        for digit in self.rng.sample(range(1, 10), 9):
            cells = [cell for cell in house if self.sight.open[cell] >> digit - 1 & 1]
            if len(cells) == 2 and not {(cell, digit) for cell in cells} & self.marks:
                self.think(0.8)
                for some in [cells] if self.rng.random() < 0.3 else [[cell] for cell in cells]:
                    self.toggle(some, digit)
                return


def perform(acts: list[Act], seconds: float, rng: random.Random, model: list[Act] | None = None) -> Script:
    """The acts in about that many seconds, or at the speed at which `model` takes these."""
    like = model or acts
    handling = sum(act.handling for act in like)
    unit = max(seconds - handling, 0.4 * seconds) / sum(act.thought for act in like)
    script = Script()
    script.wait(rng.uniform(1, 4))
    for act in acts:
        script.wait(act.thought * unit + act.handling)
        script.do(act.kind, act.cell, act.digit)
    return script


def drawn(scene: Scene) -> float:
    """A pace that the player's skill allows."""
    assert scene.player.paces is not None
    low, high = scene.player.paces
    return float(low * (high / low) ** scene.rng.betavariate(2.2, 2.2))


def account(scene: Scene, pace: float) -> Account:
    """Four in five have a history of that pace; the others are new."""
    known = scene.past or scene.rng.random() < 0.8
    return scene.established(pace, (12, 120)) if known else scene.fresh()


def today(scene: Scene, pace: float) -> float:
    """The seconds of somebody of that pace on this day."""
    return pace * scene.puzzle.expected_seconds * scene.rng.lognormvariate(0, SPREAD)
