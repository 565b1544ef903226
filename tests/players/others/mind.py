"""A person (or a program that plays one) at a board: what they know, what stands there, what they do next."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import engine
from engine.geometry import BOX_OF, HOUSES, PEERS, ROW_OF
from tests.logs import Script
from tests.players.honest import SPREAD, hand_of, own_pace, settled
from tests.players.log import Account, Log
from tests.players.person import STUCK, Act, perform
from tests.players.puzzles import Stage, path
from tests.players.sight import Sight
from tests.players.stage import Scene
from webapp.game.board import Board
from webapp.game.moves import Kind, Move

NOW = datetime(2026, 1, 1, tzinfo=UTC)  # the board wants to know when; nothing comes of it
BOXES = HOUSES[18:]


class Mind:
    """Somebody (or something) at a board: what it knows, what stands there, and the acts so far."""

    def __init__(
        self,
        scene: Scene,
        look: str = "near",
        spread: float = 0.8,
        hand: float = 0.4,
        pen: Kind = Kind.CORNER,
        slips: float = 0.0,
    ) -> None:
        self.rng, self.puzzle = scene.rng, scene.puzzle
        self.look, self.spread, self.hand, self.pen, self.slips = look, spread, hand, pen, slips
        self.answer = [int(char) for char in scene.puzzle.solution]
        self.board = Board.of(engine.parse(scene.puzzle.givens))
        self.acts: list[Act] = []
        self.carry = self.away = 0.0
        self.wrong: dict[int, int] = {}
        self.last: int | None = None
        self.forget()

    def forget(self) -> None:
        """Look at the puzzle as at the start."""
        self.sight = Sight(self.puzzle.givens)
        self.ahead = list(path(self.puzzle))

    def thought(self, units: float) -> float:
        return units * self.rng.lognormvariate(0, self.spread)

    def act(
        self,
        units: float,
        kind: Kind,
        cell: int | str = "",
        digit: int | str = "",
        hand: float | None = None,
    ) -> None:
        if self.board.solved:
            return
        move = Move.from_fields(str(len(self.acts) + 1), kind, str(cell), str(digit))
        self.board = self.board.after(move, NOW)
        handling = (self.hand if hand is None else hand) * self.rng.lognormvariate(0, 0.25) + self.away
        self.acts.append(Act(units + self.carry, handling, kind, str(cell), str(digit), self.away))
        self.carry = self.away = 0.0

    # marks

    def has(self, kind: Kind, cell: int, digit: int) -> bool:
        layer = self.board.layers.corner if kind is Kind.CORNER else self.board.layers.centre
        return bool(layer[cell] >> digit - 1 & 1)

    def note(
        self, units: float, cells: list[int], digit: int, kind: Kind | None = None, hand: float | None = None
    ) -> None:
        """Write a mark where it is missing."""
        kind = kind or self.pen
        cells = [c for c in cells if not self.board.digits[c] and not self.has(kind, c, digit)]
        if cells:
            self.act(units, kind, ",".join(map(str, cells)), digit, hand)

    def unnote(self, units: float, cells: list[int], digit: int) -> None:
        """Take a mark away where it stands."""
        cells = [c for c in cells if not self.board.digits[c] and self.has(self.pen, c, digit)]
        if cells:
            self.act(units, self.pen, ",".join(map(str, cells)), digit)

    # digits

    def place(self, units: float, cell: int, hand: float | None = None) -> None:
        self.act(units, Kind.DIGIT, cell, self.answer[cell], hand)
        self.know(cell)

    def know(self, cell: int) -> None:
        if not self.sight.digits[cell]:
            self.sight.place(cell, self.answer[cell])
        self.last = cell

    def pick(self, singles: dict[int, tuple[int, float]], naked: float = 1.0) -> int:
        last, weights = self.last, []
        for cell, (digit, ease) in singles.items():
            if self.sight.open[cell].bit_count() == 1:
                ease *= naked
            if last is not None:
                if self.look == "digit":
                    on = (digit - self.answer[last]) % 9
                    ease *= 12.0 if on == 0 else 2.5 if on == 1 else 0.4
                elif self.look == "box":
                    ease *= 10.0 if BOX_OF[cell] == BOX_OF[last] else 0.7
                elif self.look == "row":
                    on = (ROW_OF[cell] - ROW_OF[last]) % 9
                    ease *= 10.0 if on == 0 else 2.5 if on == 1 else 0.5
                elif cell in PEERS[last]:
                    ease *= 5.0
            weights.append(ease)
        return self.rng.choices(list(singles), weights)[0]

    def effort(self, singles: dict[int, tuple[int, float]], cell: int) -> float:
        ease = sum(one for _digit, one in singles.values())
        return self.thought((0.5 + 4.0 / (0.7 + ease)) / (0.6 + singles[cell][1]))

    def fill(self, singles: dict[int, tuple[int, float]], naked: float = 1.0) -> None:
        """Place one of the singles, or slip."""
        cell = self.pick(singles, naked)
        units = self.effort(singles, cell)
        if self.rng.random() < self.slips and len(self.sight.empty) > 6:
            self.slip(units, cell)
        else:
            self.place(units, cell)

    def slip(self, units: float, cell: int) -> None:
        rng, right = self.rng, self.answer[cell]
        near = [digit for digit in self.sight.left(cell) if digit != right]
        bad = rng.choice(near or [right % 9 + 1, (right + 7) % 9 + 1])
        self.act(units, Kind.DIGIT, cell, bad)
        how = rng.random()
        if how < 0.35:
            self.act(self.thought(0.4), Kind.UNDO)
            return
        if how < 0.75:
            self.act(self.thought(0.4), Kind.DIGIT, cell, right)
        else:
            self.wrong[cell] = rng.randint(1, 9)
        self.know(cell)

    def mend(self, all_of_them: bool = False) -> None:
        """Find digits that were wrong."""
        for cell in list(self.wrong):
            self.wrong[cell] -= 1
            if all_of_them or self.wrong[cell] <= 0:
                del self.wrong[cell]
                if self.rng.random() < 0.4:
                    self.act(self.thought(1.5), Kind.ERASE, cell)
                self.act(self.thought(1.2), Kind.DIGIT, cell, self.answer[cell])

    # hard steps

    def stage(self) -> Stage | None:
        while self.ahead:
            step = self.ahead[0]
            if any(not self.sight.digits[c] for c, _d in step.placements) or any(
                self.sight.open[c] >> d - 1 & 1 for c, d in step.eliminations
            ):
                return step
            self.ahead.pop(0)
        return None

    def reason(self, factor: float = 1.0, show: bool = True, apart: bool = False) -> None:
        """Use the next step of the path; what it strikes leaves the marks, if there are any."""
        step = self.stage()
        if step is None:
            cell = min(self.sight.empty, key=lambda each: self.sight.open[each].bit_count())
            self.place(factor * self.thought(STUCK[5]), cell)
            return
        self.ahead.pop(0)
        units = factor * self.thought(STUCK[step.tier])
        for cell, _digit in step.placements:
            if not self.sight.digits[cell]:
                self.place(units, cell)
                units = self.thought(0.5)
        struck: dict[int, list[int]] = {}
        for cell, digit in step.eliminations:
            if self.sight.open[cell] >> digit - 1 & 1:
                self.sight.strike(cell, digit)
                if show and self.has(self.pen, cell, digit):
                    struck.setdefault(digit, []).append(cell)
        if not struck and not step.placements:
            self.carry += units
        for digit, cells in struck.items():
            for group in [[cell] for cell in cells] if apart else [cells]:
                self.unnote(units, group, digit)
                units = self.thought(0.25)

    def proof(self, limit: int = 16) -> tuple[int, int] | None:
        """A cell with two candidates of which one soon breaks: (the cell, how many digits that takes)."""
        found: list[tuple[float, int, int]] = []
        for cell in self.sight.empty:
            left = self.sight.left(cell)
            if len(left) != 2:
                continue
            bad = next(d for d in left if d != self.answer[cell])
            tried, steps = self.sight.copy(), 1
            tried.place(cell, bad)
            while steps < limit and not tried.broken:
                singles = tried.singles()
                if not singles:
                    break
                each = next(iter(singles))
                tried.place(each, singles[each][0])
                steps += 1
            if tried.broken:
                found.append((steps * self.rng.uniform(0.6, 1.6), cell, steps))
        if not found:
            return None
        _cost, cell, steps = min(found)
        return cell, steps

    def run(
        self,
        single: Callable[[dict[int, tuple[int, float]]], None] | None = None,
        stuck: Callable[[], None] | None = None,
        each: Callable[[], None] | None = None,
    ) -> list[Act]:
        """Solve to the end."""
        while self.sight.empty and not self.board.solved:
            self.mend()
            if each is not None:
                each()
            singles = self.sight.singles()
            if singles:
                (single or self.fill)(singles)
            else:
                (stuck or self.reason)()
        self.mend(all_of_them=True)
        for cell in range(81):
            if self.board.digits[cell] != self.answer[cell]:
                self.place(self.thought(1.5), cell)
        assert self.board.solved
        return self.acts

    def write_all(self, order: list[int] | None, forgets: float, key: float) -> None:
        for cell in order or self.sight.empty:
            for index, digit in enumerate(self.sight.left(cell)):
                if self.rng.random() >= forgets or digit == self.answer[cell]:
                    self.note(
                        self.thought(0.5 if index == 0 else 0.08),
                        [cell],
                        digit,
                        hand=None if index == 0 else key,
                    )

    def pairs_of(self, house: tuple[int, ...], digit: int) -> list[int]:
        return [cell for cell in house if self.sight.open[cell] >> digit - 1 & 1]


def any_mind(
    scene: Scene,
    *,
    look: str | None = None,
    spread: float | None = None,
    hand: float | None = None,
    pen: Kind | None = None,
    slips: float | None = None,
) -> Mind:
    """An ordinary person at the board, but for what is said of them."""
    rng = scene.rng
    any_look = rng.choice(("digit", "box", "row", "near"))
    any_spread, any_hand = rng.uniform(0.6, 1.0), hand_of(rng)
    any_pen, any_slips = rng.choice((Kind.CORNER, Kind.CENTRE)), rng.uniform(0, 0.03)
    return Mind(
        scene,
        any_look if look is None else look,
        any_spread if spread is None else spread,
        any_hand if hand is None else hand,
        any_pen if pen is None else pen,
        any_slips if slips is None else slips,
    )


def paced(scene: Scene, done: list[Act], pace: float, shortest: float = 0.35) -> Script:
    """What was done, at about that pace on this day."""
    seconds = pace * scene.puzzle.expected_seconds * scene.rng.lognormvariate(0, SPREAD)
    return perform(done, seconds, scene.rng, shortest)


def played(scene: Scene, done: list[Act]) -> Log:
    """The log of somebody honest who did that, sent by the site's page."""
    pace = own_pace(scene)
    return scene.log(paced(scene, done, pace), settled(scene, pace))


def regular(scene: Scene, pace: float) -> Account:
    """Mostly an account with a history, about as fast or slower; one in five is new."""
    rng = scene.rng
    return scene.fresh() if rng.random() < 0.2 else scene.established(pace * rng.uniform(1.0, 1.35))
