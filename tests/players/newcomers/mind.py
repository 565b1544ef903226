"""Somebody who goes over the board part by part and remembers where they have looked in vain."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from engine.geometry import HOUSES, HOUSES_OF
from tests.logs import Script
from tests.players.honest import SPREAD, hand_of
from tests.players.log import Account
from tests.players.others.mind import Mind
from tests.players.person import Act, perform
from tests.players.sight import NAKED
from tests.players.stage import Scene
from webapp.game.moves import Kind

DIGITS = range(27, 36)  # a part of the board is a house, or where a digit can still go
ROUNDS: dict[str, tuple[int, ...]] = {
    "digits": tuple(DIGITS),
    "boxes": tuple(range(18, 27)),
    "lines": tuple(range(18)),
    "follows": (*range(18, 27), *DIGITS),  # first what the last digit touches
}


@dataclass(frozen=True, slots=True)
class Way:
    """How somebody plays."""

    goes: str = "follows"
    notice: float = 0.7  # how surely a single in a box is seen at a look
    spread: float = 0.6  # of a look, in ln seconds
    hand: float = 0.45  # seconds to reach and press
    slips: float = 0.01  # wrong digits a placement
    pen: Kind = Kind.CORNER
    tires: float = 0.0  # by how much they are slower at the end
    warms: float = 0.0  # by how much they are slower at first
    overlay: bool = False  # whether something else than the site shows them the candidates
    toil: float = 1.0  # times the usual thought at a hard step


class Rounds(Mind):
    """Somebody of that way at the puzzle of the scene."""

    def __init__(self, scene: Scene, way: Way) -> None:
        super().__init__(scene, way.goes, way.spread, way.hand, way.pen, way.slips)
        self.way, self.whole = way, len(scene.puzzle.empty)
        self.vain: set[int] = set()
        self.turn, self.care = 0, 1.0

    @property
    def done(self) -> float:
        """The share of the cells that are filled."""
        return 1 - len(self.sight.empty) / self.whole

    def act(
        self,
        units: float,
        kind: Kind,
        cell: int | str = "",
        digit: int | str = "",
        hand: float | None = None,
    ) -> None:
        tempo = 1 + self.way.tires * self.done**2 + self.way.warms * (1 - self.done) ** 2
        self.carry *= tempo
        super().act(units * tempo, kind, cell, digit, hand)

    def place(self, units: float, cell: int, hand: float | None = None) -> None:
        super().place(units, cell, hand)
        self.care = 1.0
        self.vain -= {*HOUSES_OF[cell], 26 + self.answer[cell]}
        self.placed()

    def placed(self) -> None:
        """What they do after every digit: by default nothing."""

    def puzzled(self) -> None:
        """What they do before they think about a hard step: by default nothing."""

    def find(self, singles: dict[int, tuple[int, float]]) -> None:
        """Look around until a single is seen, and place it."""
        while True:
            part = next((part for part in self.parts() if part not in self.vain), None)
            if part is None:
                self.vain.clear()
                self.care += 1
            elif (cell := self.glance(part, singles)) is not None:
                self.put(cell)
                return

    def put(self, cell: int) -> None:
        if self.rng.random() < self.slips and len(self.sight.empty) > 6:
            self.slip(self.thought(0.3), cell)
        else:
            self.place(self.thought(0.3), cell)

    def parts(self) -> list[int]:
        """The parts of the board in the order in which they would be looked at."""
        rounds = ROUNDS[self.way.goes]
        ahead = [*rounds[self.turn :], *rounds[: self.turn]]
        if self.way.goes == "follows" and self.last is not None:
            ahead = [*reversed(HOUSES_OF[self.last]), 26 + self.answer[self.last], *ahead]
        return ahead

    def area(self, part: int) -> list[int]:
        if part in DIGITS:
            return [cell for cell in self.sight.empty if self.sight.open[cell] >> part - 27 & 1]
        return [cell for cell in HOUSES[part] if not self.sight.digits[cell]]

    def glance(self, part: int, singles: dict[int, tuple[int, float]]) -> int | None:
        """The single that is seen at a look at this part."""
        rounds, area = ROUNDS[self.way.goes], self.area(part)
        self.turn = rounds.index(part) if part in rounds else self.turn
        if area:
            self.carry += self.thought(0.3 + 0.12 * len(area))
        seen = [cell for cell in area if cell in singles and (part < 27 or singles[cell][0] == part - 26)]
        for cell in self.rng.sample(seen, len(seen)):
            ease = singles[cell][1]
            noted = all(self.has(self.pen, cell, digit) for digit in self.sight.left(cell))
            if ease == NAKED and (noted or self.way.overlay):
                ease = 1.4
            if self.rng.random() < 1 - (1 - self.way.notice) ** (ease * self.care):
                return cell
        self.vain.add(part)
        return None

    def stuck(self) -> None:
        """Find that no single is left, and think."""
        for part in self.parts():
            if part not in self.vain:
                self.glance(part, {})
        self.puzzled()
        self.reason(self.way.toil)
        self.vain -= set(self.rng.sample(range(36), 12))

    def solve(self) -> list[Act]:
        """All that they do until the puzzle is solved."""
        return self.run(self.find, self.stuck)

    def guess(self, units: float, found_out: tuple[int, int], most: int = 3) -> None:
        """Try a digit in a cell with few candidates; a wrong one is found out so many digits later."""
        counts = {cell: self.sight.open[cell].bit_count() for cell in self.sight.empty}
        few = [cell for cell, count in counts.items() if 1 < count <= max(most, min(counts.values()))]
        cell = self.rng.choice(few or list(counts))
        digit = self.rng.choice(self.sight.left(cell))
        if digit == self.answer[cell]:
            self.place(units, cell)
            return
        self.act(units, Kind.DIGIT, cell, digit)
        later = self.rng.randint(*found_out)
        if later:
            self.wrong[cell] = later
        else:
            self.act(0.0, Kind.DIGIT, cell, self.answer[cell], self.rng.uniform(0.5, 1.1))
        self.know(cell)


def anyone(rng: random.Random) -> Way:
    """An ordinary way to play."""
    goes = rng.choice(tuple(ROUNDS))
    notice, spread, hand = rng.uniform(0.5, 0.85), rng.uniform(0.45, 0.8), hand_of(rng)
    return Way(goes, notice, spread, hand, rng.uniform(0, 0.03), rng.choice((Kind.CORNER, Kind.CENTRE)))


def bunched(acts: list[Act], most: int, rng: random.Random) -> list[Act]:
    """The same, but up to so many digits are found before they are typed in one go."""
    out: list[Act] = []
    at = 0
    while at < len(acts):
        group = acts[at : at + rng.randint(1, most)]
        if all(act.kind is Kind.DIGIT for act in group):
            sum_of = sum(act.thought for act in group)
            group = [
                act._replace(thought=0.9 * sum_of if index == 0 else 0.1 * sum_of / len(group))
                for index, act in enumerate(group)
            ]
        out += group
        at += len(group)
    return out


def timed(scene: Scene, acts: list[Act], pace: float, model: Iterable[Act] = ()) -> Script:
    """The acts at that pace on this day; those of the model would take as long, if there is one."""
    seconds = pace * scene.puzzle.expected_seconds * scene.rng.lognormvariate(0, SPREAD)
    return perform(acts, seconds, scene.rng, 0.35, list(model) or None)


def member(scene: Scene, pace: float) -> Account:
    """Mostly an account with weeks of games at about that pace; one in seven is new."""
    known = scene.rng.random() < 0.86 or scene.past
    return scene.established(pace, (15, 90)) if known else scene.fresh()
