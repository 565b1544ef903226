"""Honest people who play unlike the usual: other hands, other habits, other days."""

from __future__ import annotations

from dataclasses import replace

from tests.players.honest import own_pace, settled
from tests.players.log import Account, Log, Past
from tests.players.newcomers.mind import Rounds, Way, anyone, bunched, timed
from tests.players.stage import Scene, player
from webapp.game.moves import Kind


def comes(scene: Scene) -> tuple[float, Account]:
    """Somebody's pace, and their account."""
    pace = own_pace(scene)
    return pace, settled(scene, pace)


@player(honest=True, levels=(1, 2, 3), paces=(1.6, 3.4))
def armchair_tablet(scene: Scene) -> Log:
    """Is over seventy, taps slowly and sometimes twice or beside, and pauses the game for the door."""
    rng = scene.rng
    way = Way("digits", rng.uniform(0.4, 0.65), rng.uniform(0.5, 0.8), rng.uniform(0.9, 1.8), 0.02)
    twice, beside, calls = rng.uniform(0.02, 0.12), rng.uniform(0.01, 0.05), rng.uniform(0, 0.02)
    pace, account = comes(scene)

    class Taps(Rounds):
        def placed(self) -> None:
            cell = self.last or 0
            near = [each for each in self.sight.empty if each in (cell - 1, cell + 1, cell - 9, cell + 9)]
            if rng.random() < twice:
                self.act(0.0, Kind.DIGIT, cell, self.answer[cell], 0.3)
            if near and rng.random() < beside:
                self.act(self.thought(0.2), Kind.DIGIT, rng.choice(near), self.answer[cell])
                self.act(self.thought(0.6), Kind.UNDO)
            if self.sight.empty and rng.random() < calls:
                self.act(self.thought(0.5), Kind.PAUSE)
                self.away += rng.uniform(30, 200)
                self.act(0.0, Kind.RESUME)

    return scene.log(timed(scene, Taps(scene, way).solve(), pace), account)


@player(honest=True, levels=(1, 2), paces=(1.1, 2.8))
def after_school(scene: Scene) -> Log:
    """Is ten, likes boxes that are nearly full, puts in what might fit, and finds out some digits later."""
    rng = scene.rng
    way = Way(
        "boxes", rng.uniform(0.35, 0.6), rng.uniform(0.7, 1.0), rng.uniform(0.4, 0.8), rng.uniform(0.04, 0.1)
    )
    hope, wanders = rng.uniform(0.04, 0.15), rng.uniform(0.0, 0.03)
    pace, account = comes(scene)
    mind = Rounds(scene, way)

    def each() -> None:
        if rng.random() < wanders:
            mind.away += rng.uniform(30, 200)
        if rng.random() < hope and len(mind.sight.empty) > 6:
            mind.guess(mind.thought(1.2), (1, 6))

    return scene.log(timed(scene, mind.run(mind.find, mind.stuck, each), pace), account)


@player(honest=True, paces=(0.25, 0.5))
def contest_trained(scene: Scene) -> Log:
    """Plays at championships: sees several digits ahead, types them in one go, and hardly ever errs."""
    rng = scene.rng
    way = Way("follows", rng.uniform(0.85, 0.96), rng.uniform(0.4, 0.6), rng.uniform(0.14, 0.26), 0.003)
    most, notes = rng.randint(2, 5), rng.uniform(0.2, 0.8)
    pace = own_pace(scene)
    account = scene.established(pace, (20, 150))

    class Racer(Rounds):
        def puzzled(self) -> None:
            if rng.random() < notes:
                for part in rng.sample(range(18, 27), 2):
                    for digit in range(1, 10):
                        cells = [cell for cell in self.area(part) if self.sight.open[cell] >> digit - 1 & 1]
                        if len(cells) == 2:
                            self.note(self.thought(0.3), cells, digit)

    return scene.log(timed(scene, bunched(Racer(scene, way).solve(), most, rng), pace), account)


@player(honest=True, levels=(2, 3, 4, 5), paces=(0.6, 1.7))
def center_marks_only(scene: Scene) -> Log:
    """Writes center marks into the cells of a house with few candidates, once nothing is left to see."""
    rng = scene.rng
    way = replace(anyone(rng), pen=Kind.CENTRE)
    most, wide = rng.randint(2, 4), rng.randint(1, 3)
    pace, account = comes(scene)

    class Center(Rounds):
        def puzzled(self) -> None:
            crowded = sorted(range(27), key=lambda part: len(self.area(part)) or 99)
            for part in crowded[: wide + 3][:: rng.choice((1, 2))][:wide]:
                for cell in self.area(part):
                    left = self.sight.left(cell)
                    for index, digit in enumerate(left if len(left) <= most else []):
                        self.note(self.thought(0.6 if index == 0 else 0.1), [cell], digit)

    return scene.log(timed(scene, Center(scene, way).solve(), pace), account)


@player(honest=True, levels=(3, 4, 5), paces=(0.7, 1.9))
def paints_the_board(scene: Scene) -> Log:
    """Writes nothing, but paints where a digit can go in one color and a doubtful pair in two others."""
    rng = scene.rng
    way = anyone(rng)
    first, cleans = rng.randint(1, 6), rng.uniform(0.5, 1)
    pace, account = comes(scene)

    class Painter(Rounds):
        def puzzled(self) -> None:
            stage = self.stage()
            if stage is None:
                return
            digit = (stage.placements or stage.eliminations)[0][1]
            area = self.area(26 + digit)
            self.act(self.thought(1.5), Kind.COLOUR, ",".join(map(str, area)), first)
            pair = [cell for cell in stage.cells if not self.sight.digits[cell]][:2]
            for color, cell in enumerate(pair if stage.tier >= 3 else (), first + 1):
                self.act(self.thought(2.0), Kind.COLOUR, cell, color)
            if rng.random() < cleans:
                self.act(self.thought(3.0), Kind.COLOUR, ",".join(map(str, {*area, *pair})))

    return scene.log(timed(scene, Painter(scene, way).solve(), pace), account)


@player(honest=True, paces=(0.7, 1.7))
def on_the_phone(scene: Scene) -> Log:
    """Talks on the phone for a part of the game: a digit now and then, then some while the other speaks."""
    rng = scene.rng
    way = anyone(rng)
    slower, begins, lasts = rng.uniform(1.6, 3.5), rng.uniform(0, 0.6), rng.uniform(0.2, 0.5)
    pace, account = comes(scene)
    mind, speaks = Rounds(scene, way), False

    def each() -> None:
        nonlocal speaks
        if begins < mind.done < begins + lasts:
            speaks = rng.random() < (0.8 if speaks else 0.25)
            if speaks:
                mind.carry += slower * mind.thought(2.0)
                mind.away += rng.uniform(0, 25)

    return scene.log(timed(scene, mind.run(mind.find, mind.stuck, each), pace), account)


@player(honest=True, paces=(0.9, 2.2))
def nodding_off(scene: Scene) -> Log:
    """Plays in bed: gets slower and slower, errs more and more, and sleeps for some minutes at the end."""
    rng = scene.rng
    way = replace(anyone(rng), tires=rng.uniform(0.8, 2.5), hand=rng.uniform(0.5, 0.9))
    worst, sleeps = rng.uniform(0.03, 0.12), rng.uniform(0, 0.06)
    pace, account = comes(scene)

    class Sleepy(Rounds):
        def placed(self) -> None:
            self.slips = worst * self.done**2
            if rng.random() < sleeps * self.done**3:
                self.away += rng.uniform(60, 400)

    return scene.log(timed(scene, Sleepy(scene, way).solve(), pace), account, begins=rng.uniform(72e3, 79e3))


@player(honest=True, levels=(1, 2, 3, 4), paces=(0.55, 1.6))
def from_another_app(scene: Scene) -> Log:
    """Has a habit from elsewhere: pencils a digit in first, and after a second look makes it big."""
    rng = scene.rng
    way = replace(anyone(rng), goes="digits")
    pencils, wipes = rng.uniform(0.25, 0.8), rng.uniform(0, 0.5)
    pace, account = comes(scene)

    class Pencils(Rounds):
        def put(self, cell: int) -> None:
            if rng.random() < pencils:
                self.note(self.thought(0.2), [cell], self.answer[cell])
                if rng.random() < wipes:
                    self.act(self.thought(0.5), Kind.ERASE, cell)
            super().put(cell)

    return scene.log(timed(scene, Pencils(scene, way).solve(), pace), account)


@player(honest=True, levels=(3, 4, 5), paces=(0.9, 2.2))
def practises_fish(scene: Scene) -> Log:
    """Learns fish: now and then marks a digit in all rows, and looks at it although singles are open."""
    rng = scene.rng
    way = replace(anyone(rng), pen=Kind.CORNER)
    every, patience = rng.randint(7, 16), rng.uniform(4, 12)
    pace, account = comes(scene)

    class Fisher(Rounds):
        def placed(self) -> None:
            left = len(self.sight.empty)
            if left % every == 0 and left > 12:
                digit = max(range(1, 10), key=lambda each: len(self.area(26 + each)))
                for row in range(9):
                    cells = [each for each in self.area(26 + digit) if each // 9 == row]
                    self.note(self.thought(0.7), cells, digit)
                self.carry += self.thought(patience)

    return scene.log(timed(scene, Fisher(scene, way).solve(), pace), account)


@player(honest=True, levels=(1, 2, 3, 4), paces=(0.8, 2.0))
def back_after_years(scene: Scene) -> Log:
    """Played for a winter years ago, and is back: has to find the way again and then gets going."""
    rng = scene.rng
    way = replace(anyone(rng), warms=rng.uniform(0.5, 2.0))
    ago, once = rng.randint(500, 1600), rng.uniform(0.6, 0.95)
    pace = own_pace(scene)
    scene.past = scene.past or tuple(
        Past(ago - day, rng.choice(scene.player.levels), round(once * pace * rng.lognormvariate(0, 0.22), 3))
        for day in range(90)
        if rng.random() < 0.6
    )
    account = scene.established(pace)
    return scene.log(timed(scene, Rounds(scene, way).solve(), pace), account)


@player(honest=True, levels=(1, 2, 3), paces=(1.8, 4.5))
def one_switch(scene: Scene) -> Log:
    """Cannot use the hands: a frame wanders over rows, columns and digits, and a switch stops it."""
    rng = scene.rng
    way = Way(rng.choice(("lines", "boxes")), rng.uniform(0.6, 0.85), 0.5)
    frame = rng.uniform(0.35, 0.9)
    misses = rng.uniform(0.02, 0.1)
    pace, account = comes(scene)

    class Switch(Rounds):
        def place(self, units: float, cell: int, hand: float | None = None) -> None:
            super().place(units, cell, hand or frame * (2 + cell // 9 + cell % 9 + self.answer[cell]))

        def put(self, cell: int) -> None:
            if rng.random() < misses and len(self.sight.empty) > 1:
                late = self.answer[cell] % 9 + 1
                self.act(self.thought(0.3), Kind.DIGIT, cell, late, frame * (12 + cell % 9))
                self.act(self.thought(0.5), Kind.UNDO, hand=6 * frame)
            super().put(cell)

    return scene.log(timed(scene, Switch(scene, way).solve(), pace), account)
