"""How a person solves: where they look, what they note, when they get stuck, and how they slip.

The path of a solve comes first, as acts with thoughts in units of their own; `perform` then stretches the
thoughts so that the whole takes the time this person needs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.geometry import BOX_OF, HOUSES, PEERS, ROW_OF
from tests.logs import Script
from tests.players.puzzles import Puzzle, Stage, path
from tests.players.sight import Sight
from webapp.game.moves import Kind

STUCK = {1: 1.5, 2: 2.5, 3: 5.0, 4: 9.0, 5: 14.0}  # units of thought for a step without a digit, by tier
PROGRAM = 2.0  # seconds to read a program's answer off another window


@dataclass(frozen=True, slots=True)
class Person:
    """How somebody plays."""

    look: str = "near"  # digit, box, row, near: what they look at next; path: as the engine would
    marks: str = "none"  # none; pairs (digits with two places in a box); bivalue; full; layer (computed ones)
    pen: Kind = Kind.CORNER  # the marks they write
    spread: float = 0.8  # of the thoughts, in ln seconds
    hand: float = 0.5  # seconds it takes to reach and press
    slips: float = 0.01  # wrong digits a placement
    rests: float = 0.0  # distractions a placement
    rest: tuple[float, float] = (20.0, 90.0)  # seconds of one
    guesses: float = 0.0  # how often they try a digit where they are stuck
    whims: float = 0.0  # how often they try a digit before a placement, stuck or not
    back: Kind = Kind.UNDO  # how they take a wrong try back
    colors: float = 0.0  # how often they color where they are stuck
    asks: str = ""  # what a program outside answers: each or hardest of the moments where they are stuck
    answers: int = 1  # how many of the hardest it answers
    poses: bool = False  # whether they wait with an answer as long as they think at a middling step
    hints: float = 0.0  # how often they ask the site for the next step


class Act(NamedTuple):
    """Something a person does."""

    thought: float  # in units
    handling: float  # seconds
    kind: Kind
    cell: str
    digit: str
    away: float = 0.0  # of these seconds, those that are no part of a person's usual time


def perform(
    acts: list[Act],
    seconds: float,
    rng: random.Random,
    shortest: float = 0.35,
    model: list[Act] | None = None,
) -> Script:
    """The acts within about that many seconds, of which thoughts fill at least the share `shortest`.

    model: the acts that would take these seconds, where those done leave some of their thoughts out.
    """
    effort = sum(act.thought for act in model or acts)
    handling = sum(act.handling - act.away for act in model or acts)
    stretch = max(seconds - handling, shortest * seconds) / effort
    script = Script()
    script.wait(rng.uniform(0.8, 3))
    for act in acts:
        script.wait(act.thought * stretch + act.handling)
        script.do(act.kind, act.cell, act.digit)
    return script


def acts(puzzle: Puzzle, who: Person, rng: random.Random) -> list[Act]:
    """What this person does to solve a puzzle, in order."""
    if who.asks != "hardest":
        return _Solving(puzzle, who, rng).run()
    state = rng.getstate()
    alone = _Solving(puzzle, replace(who, asks=""), rng)  # to learn where it gets hardest
    alone.run()
    rng.setstate(state)
    return _Solving(puzzle, who, rng, alone.met).run()


class _Solving:
    """A puzzle being solved by somebody."""

    def __init__(self, puzzle: Puzzle, who: Person, rng: random.Random, ask_at: int = 0) -> None:
        self.who, self.rng = who, rng
        self.answer = [int(char) for char in puzzle.solution]
        self.sight = Sight(puzzle.givens)
        self.ahead = list(path(puzzle))
        self.rank = {cell: at for at, stage in enumerate(self.ahead) for cell, _digit in stage.placements}
        self.marked: set[tuple[int, int]] = set()  # marks that stand on the board
        self.wrong: dict[int, int] = {}  # cell -> placements until it is noticed
        self.last: int | None = None
        self.pause = 0.0  # seconds away, before the next act
        self.acts: list[Act] = []
        self.met = 0  # the highest tier at which they were stuck
        self.ask_at = ask_at  # the tier from which a program is asked
        self.asked = 0

    def act(self, units: float, kind: Kind, cell: int | str = "", digit: int | str = "") -> None:
        handling = self.who.hand * self.rng.lognormvariate(0, 0.25) + self.pause
        self.acts.append(Act(units, handling, kind, str(cell), str(digit), self.pause))
        self.pause = 0.0

    def thought(self, units: float) -> float:
        return units * self.rng.lognormvariate(0, self.who.spread)

    def run(self) -> list[Act]:
        who, rng = self.who, self.rng
        if who.marks == "layer":
            self.act(self.thought(0.5), Kind.FILL)
        elif who.marks == "full":
            self.write_all()
        while any(not digit for digit in self.sight.digits):
            self.notice()
            if rng.random() < who.rests:
                self.pause += rng.uniform(*who.rest)
            if who.marks == "pairs" and rng.random() < 0.2:
                self.write_pair()
            if rng.random() < who.hints:
                self.hinted()
                continue
            if rng.random() < who.whims and len(self.sight.empty) > 8:
                self.guess(self.thought(2.0))
                continue
            singles = self.sight.singles()
            if singles:
                self.fill_single(singles)
            else:
                self.stuck()
        self.notice(all_of_them=True)
        return self.acts

    # placing

    def place(self, units: float, cell: int) -> None:
        digit = self.answer[cell]
        self.act(units, Kind.DIGIT, cell, digit)
        self.know(cell, digit)

    def know(self, cell: int, digit: int) -> None:
        self.sight.place(cell, digit)
        self.marked -= {(peer, digit) for peer in PEERS[cell]}
        self.last = cell

    def fill_single(self, singles: dict[int, tuple[int, float]]) -> None:
        rng = self.rng
        cell = self.choose(singles)
        ease = sum(one for _digit, one in singles.values())
        units = self.thought((0.5 + 4.0 / (0.7 + ease)) / (0.6 + singles[cell][1]))
        if rng.random() < self.who.slips and len(self.sight.empty) > 6:
            self.slip(units, cell)
        else:
            self.place(units, cell)

    def choose(self, singles: dict[int, tuple[int, float]]) -> int:
        """The single that meets the eye next."""
        cells = list(singles)
        look, last = self.who.look, self.last
        if look == "path":
            return min(cells, key=lambda cell: self.rank.get(cell, 99))
        weights = []
        for cell in cells:
            digit, ease = singles[cell]
            if last is not None:
                if look == "digit":
                    on = (digit - self.answer[last]) % 9
                    ease *= 12.0 if on == 0 else 2.5 if on == 1 else 0.4
                elif look == "box":
                    on = (BOX_OF[cell] - BOX_OF[last]) % 9
                    ease *= 12.0 if on == 0 else 2.5 if on == 1 else 0.5
                elif look == "row":
                    on = (ROW_OF[cell] - ROW_OF[last]) % 9
                    ease *= 10.0 if on == 0 else 2.5 if on == 1 else 0.5
                elif cell in PEERS[last]:
                    ease *= 5.0
            weights.append(ease)
        return self.rng.choices(cells, weights)[0]

    # slips

    def slip(self, units: float, cell: int) -> None:
        rng, right = self.rng, self.answer[cell]
        near = [digit for digit in self.sight.left(cell) if digit != right]
        self.act(units, Kind.DIGIT, cell, rng.choice(near or [right % 9 + 1]))
        how = rng.random()
        if how < 0.4:
            self.act(self.thought(0.3), Kind.UNDO)
        elif how < 0.7:
            self.act(self.thought(0.3), Kind.DIGIT, cell, right)
            self.know(cell, right)
        else:  # they go on as if it were right, until they see it
            self.wrong[cell] = rng.randint(1, 8)
            self.know(cell, right)

    def notice(self, all_of_them: bool = False) -> None:
        for cell in list(self.wrong):
            self.wrong[cell] -= 1
            if all_of_them or self.wrong[cell] <= 0:
                del self.wrong[cell]
                if self.rng.random() < 0.4:
                    self.act(self.thought(1.5), Kind.ERASE, cell)
                self.act(self.thought(1.5), Kind.DIGIT, cell, self.answer[cell])

    # being stuck

    def next_stage(self) -> Stage | None:
        """The next step of the path that says something new."""
        sight = self.sight
        while self.ahead:
            stage = self.ahead[0]
            if any(not sight.digits[cell] for cell, _digit in stage.placements) or any(
                sight.open[cell] >> digit - 1 & 1 for cell, digit in stage.eliminations
            ):
                return stage
            self.ahead.pop(0)
        return None

    def stuck(self) -> None:
        who, rng = self.who, self.rng
        stage = self.next_stage()
        if stage is None:  # logic has come to its end
            cell = min(self.sight.empty, key=lambda each: self.sight.open[each].bit_count())
            self.place(self.thought(STUCK[5]), cell)
            return
        self.met = max(self.met, stage.tier)
        if who.asks and stage.tier >= self.ask_at:
            self.ask()
            return
        if rng.random() < who.guesses:
            self.guess(self.thought(0.5 * STUCK[stage.tier]))
            return
        if who.marks == "bivalue":
            self.write_bivalue(stage)
        units = self.thought(STUCK[stage.tier])
        colored = stage.tier >= 3 and rng.random() < who.colors and self.color(stage, units)
        self.take_away(stage, units * (0.3 if colored else 1.0))
        if colored and (self.sight.empty or self.wrong):  # nothing follows the digit that solves it
            self.act(self.thought(0.3), Kind.COLOUR, colored)

    def take_away(self, stage: Stage, units: float) -> None:
        """Use a step of the path: what it takes away leaves the marks, too."""
        self.ahead.pop(0)
        for cell, _digit in stage.placements:
            if not self.sight.digits[cell]:
                self.place(units, cell)
                units = self.thought(0.5)
        struck: dict[int, list[int]] = {}
        for cell, digit in stage.eliminations:
            if self.sight.open[cell] >> digit - 1 & 1:
                self.sight.strike(cell, digit)
                if self.who.marks == "layer" or (cell, digit) in self.marked:
                    struck.setdefault(digit, []).append(cell)
        kind = Kind.STRIKE if self.who.marks == "layer" else self.who.pen
        for digit, cells in struck.items():
            self.marked -= {(cell, digit) for cell in cells}
            self.act(units, kind, ",".join(map(str, cells)), digit)
            units = self.thought(0.2)
        if not struck and not stage.placements:
            # Nothing shows on the board: the thought goes before whatever comes next.
            self.carry(units)

    def carry(self, units: float) -> None:
        """Think without touching anything."""
        singles = self.sight.singles()
        if not singles:
            following = self.next_stage()
            if following is None:
                self.place(units, self.sight.empty[0])
            else:
                self.take_away(following, units + self.thought(STUCK[following.tier]))
            return
        self.place(units, self.choose(singles))

    def ask(self) -> None:
        """Take one digit from a program: the next that the path places."""
        self.asked += 1
        if self.who.asks == "hardest" and self.asked == self.who.answers:
            self.ask_at = 9  # never again
        hard = next(
            cell for stage in self.ahead for cell, _d in stage.placements if not self.sight.digits[cell]
        )
        digit = self.answer[hard]
        self.pause += PROGRAM * self.rng.uniform(0.7, 1.4)
        self.act(self.thought(STUCK[3]) if self.who.poses else 0.0, Kind.DIGIT, hard, digit)
        self.know(hard, digit)

    def hinted(self) -> None:
        """Ask the site, deeper and deeper, and do what it says."""
        cell = next(
            (cell for stage in self.ahead for cell, _d in stage.placements if not self.sight.digits[cell]),
            self.sight.empty[0],
        )
        for depth in range(1, self.rng.choice((2, 3, 4, 4)) + 1):
            self.act(self.thought(0.6), Kind.HINT, "", depth)
        self.place(self.thought(0.6), cell)

    def guess(self, units: float) -> None:
        """Try a digit in the cell with the fewest candidates; go on with it until something breaks."""
        rng, sight = self.rng, self.sight
        fewest = min(
            (count for cell in sight.empty if (count := sight.open[cell].bit_count()) > 1), default=1
        )
        cell = rng.choice([each for each in sight.empty if sight.open[each].bit_count() == fewest])
        digit = rng.choice(sight.left(cell))
        if digit == self.answer[cell]:
            self.place(units, cell)
            return
        imagined, tried = sight.copy(), [cell]
        self.act(units, Kind.DIGIT, cell, digit)
        imagined.place(cell, digit)
        for _further in range(rng.randint(1, 12)):
            singles = imagined.singles()
            if imagined.broken or not singles or len(imagined.empty) < 4:
                break
            cell = rng.choice(list(singles))
            self.act(self.thought(0.8), Kind.DIGIT, cell, singles[cell][0])
            imagined.place(cell, singles[cell][0])
            tried.append(cell)
        if self.who.back is Kind.UNDO:
            for index in range(len(tried)):
                self.act(self.thought(2.0 if index == 0 else 0.05), Kind.UNDO)
        else:
            for index, each in enumerate(reversed(tried)):
                self.act(self.thought(2.0 if index == 0 else 0.15), Kind.ERASE, each)
        self.sight.strike(tried[0], digit)

    def color(self, stage: Stage, units: float) -> str:
        """Color the cells of a pattern by turns; return them all, to clear the colors later."""
        cells = [cell for cell in stage.cells if not self.sight.digits[cell]]
        if len(cells) < 2:
            return ""
        for color, part in ((1, cells[::2]), (2, cells[1::2])):
            if self.rng.random() < 0.5 and stage.eliminations:
                digit = stage.eliminations[0][1]
                named = ",".join(f"{cell}:{digit}" for cell in part)
            else:
                named = ",".join(map(str, part))
            self.act(0.5 * units, Kind.COLOUR, named, color)
        return ",".join(map(str, cells))

    # marks

    def write(self, units: float, cells: list[int], digit: int) -> None:
        self.marked |= {(cell, digit) for cell in cells}
        self.act(units, self.who.pen, ",".join(map(str, cells)), digit)

    def write_all(self) -> None:
        """All candidates: cell by cell, or digit by digit with many cells chosen at once."""
        sight = self.sight
        if self.rng.random() < 0.3:
            for digit in range(1, 10):
                for house in HOUSES[18:]:
                    cells = [cell for cell in house if sight.open[cell] >> digit - 1 & 1]
                    if cells:
                        self.write(self.thought(0.5), cells, digit)
            return
        for cell in sight.empty:
            for index, digit in enumerate(sight.left(cell)):
                self.write(self.thought(0.6 if index == 0 else 0.12), [cell], digit)

    def write_pair(self) -> None:
        """Note the two places a digit has in some box."""
        for house in self.rng.sample(HOUSES[18:], 4):
            for digit in self.rng.sample(range(1, 10), 9):
                cells = [cell for cell in house if self.sight.open[cell] >> digit - 1 & 1]
                if len(cells) == 2 and (cells[0], digit) not in self.marked:
                    if self.rng.random() < 0.5:
                        self.write(self.thought(0.8), cells, digit)
                    else:
                        self.write(self.thought(0.8), cells[:1], digit)
                        self.write(self.thought(0.1), cells[1:], digit)
                    return

    def write_bivalue(self, stage: Stage) -> None:
        """Note cells with two candidates, those of the step that is looked for among them."""
        sight = self.sight
        seen = [*(cell for cell, _digit in stage.eliminations), *stage.cells, *sight.empty]
        left = 8
        for cell in dict.fromkeys(seen):
            if left and sight.open[cell].bit_count() == 2:
                for digit in sight.left(cell):
                    if (cell, digit) not in self.marked:
                        self.write(self.thought(0.3), [cell], digit)
                        left -= 1 if digit == sight.left(cell)[-1] else 0


def quick(who: Person) -> Person:
    """The same person once they know how the puzzle goes: no slips, no rests, nothing to ponder."""
    return replace(who, slips=0.0, rests=0.0, spread=min(who.spread, 0.5), guesses=0.0)
