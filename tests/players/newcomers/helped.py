"""People who play themselves and let something else see, know or finish for them."""

from __future__ import annotations

import random
from dataclasses import replace

import engine
from engine.geometry import BOX_OF
from tests.logs import Script
from tests.players.honest import pace_of
from tests.players.log import Account, Log, Past, Standing
from tests.players.newcomers.mind import Rounds, Way, anyone, bunched, member, timed
from tests.players.others.mind import NOW
from tests.players.person import STUCK, Act
from tests.players.puzzles import Puzzle
from tests.players.stage import PLAYERS, Scene, player
from webapp.game.board import Board
from webapp.game.moves import Kind, Move

NEIGHBORS = ("scanner_by_digit", "scanner_by_box", "guesser", "keyboard_racer")  # whose games come to hand


def game_of_another(scene: Scene) -> Log:
    """Somebody's game of this puzzle."""
    if scene.others:
        return scene.rng.choice(scene.others)
    return PLAYERS[scene.rng.choice(NEIGHBORS)].play(scene.puzzle, scene.rng.getrandbits(32))


def missing(puzzle: Puzzle, acts: list[Act]) -> list[int]:
    """The cells that do not have their digit after these acts."""
    board = Board.of(engine.parse(puzzle.givens))
    for seq, act in enumerate(acts, 1):
        board = board.after(Move.from_fields(str(seq), act.kind, act.cell, act.digit), NOW)
    return [cell for cell in puzzle.empty if board.digits[cell] != int(puzzle.solution[cell])]


def copying(
    puzzle: Puzzle, cells: list[int], rng: random.Random, hand: float, glance: float, most: int
) -> list[Act]:
    """Type the digits of these cells, at most so many after each glance at where they stand."""
    acts, kept = [], 0
    for cell in cells:
        seconds = hand * rng.lognormvariate(0, 0.3)
        if kept == 0:
            kept = rng.randint(1, most)
            seconds += glance * rng.lognormvariate(0, 0.35)
        kept -= 1
        acts.append(Act(0.0, seconds, Kind.DIGIT, str(cell), puzzle.solution[cell]))
    return acts


def cut(acts: list[Act], share: float) -> list[Act]:
    """The first acts, up to that share of the digits."""
    digits = [at for at, act in enumerate(acts) if act.kind is Kind.DIGIT]
    return acts[: digits[int(share * len(digits))]]


def by_box(cell: int) -> tuple[int, int]:
    return BOX_OF[cell], cell


@player(honest=False)
def autofill_extension(scene: Scene) -> Log:
    """Finds digits alone, while an extension fills in at once every cell that has one candidate left."""
    rng = scene.rng
    way, delay = anyone(rng), rng.uniform(0.05, 0.35)
    pace = pace_of(rng, 0.6, 1.4)
    account = member(scene, 0.55 * pace)

    class Assisted(Rounds):
        def placed(self) -> None:
            obvious = [each for each in self.sight.empty if self.sight.open[each].bit_count() == 1]
            if obvious:
                self.place(0.0, obvious[0], delay)

    alone = Rounds(scene, way).solve()
    return scene.log(timed(scene, Assisted(scene, way).solve(), pace, alone), account)


@player(honest=False)
def overlay_clicker(scene: Scene) -> Log:
    """Clicks the cells that a home-made overlay frames, one after the other, and reads the digit there."""
    rng = scene.rng
    react, sure, lapse = rng.uniform(0.6, 2.5), rng.uniform(0.2, 0.4), rng.uniform(0, 0.03)
    account = member(scene, react * 55 / scene.puzzle.expected_seconds)
    mind, script = Rounds(scene, Way()), Script()
    script.wait(rng.uniform(1, 6))
    while mind.sight.empty:
        singles = mind.sight.singles()
        step = mind.stage()
        ahead = [cell for cell, _digit in step.placements] if step else mind.sight.empty
        cell = min(singles) if singles else next((c for c in ahead if not mind.sight.digits[c]), None)
        if cell is None:  # the overlay works it out in an instant
            mind.ahead.pop(0)
            for each, digit in step.eliminations if step else ():
                mind.sight.strike(each, digit)
            continue
        script.wait(react * rng.lognormvariate(0, sure) + (rng.uniform(5, 40) if rng.random() < lapse else 0))
        script.do(Kind.DIGIT, cell, mind.answer[cell])
        mind.know(cell)
    return scene.log(script, account)


@player(honest=False, levels=(3, 4, 5))
def candidate_overlay(scene: Scene) -> Log:
    """Has an extension show all candidates, so that nothing is marked and naked singles leap to the eye."""
    rng = scene.rng
    way = replace(anyone(rng), overlay=True, toil=rng.uniform(0.4, 0.7))
    pace = pace_of(rng, 0.4, 1.0)
    account = member(scene, pace)
    return scene.log(timed(scene, Rounds(scene, way).solve(), pace), account)


@player(honest=False, levels=(2, 3, 4, 5))
def red_green(scene: Scene) -> Log:
    """Has a script color wrong digits red, so tries one where it is hard and changes it at once."""
    rng = scene.rng
    way = replace(anyone(rng), slips=0.0)
    whim = rng.uniform(0.02, 0.25)
    pace = pace_of(rng, 0.35, 0.9)
    account = member(scene, pace)

    class Tries(Rounds):
        def find(self, singles: dict[int, tuple[int, float]]) -> None:
            if rng.random() < whim:
                self.stuck()
            else:
                super().find(singles)

        def stuck(self) -> None:
            self.guess(self.thought(1.0), (0, 0), 2)

    return scene.log(timed(scene, Tries(scene, way).solve(), pace), account)


@player(honest=False, levels=(2, 3, 4, 5))
def photo_after_a_while(scene: Scene) -> Log:
    """Loses patience, takes a photo of the screen with a solver app, and copies what is missing from it."""
    rng = scene.rng
    way, patience, boxes = anyone(rng), rng.uniform(0.2, 0.65), rng.random() < 0.5
    glance, most, pace = rng.uniform(0.9, 2.0), rng.randint(2, 4), pace_of(rng, 0.7, 1.5)
    account = member(scene, pace * (patience + 0.12))
    alone = Rounds(scene, way).solve()
    own = cut(alone, patience)
    cells = sorted(missing(scene.puzzle, own), key=by_box if boxes else None)
    rest = copying(scene.puzzle, cells, rng, way.hand, glance, most)
    rest[0] = rest[0]._replace(handling=rest[0].handling + rng.uniform(12, 40))
    return scene.log(timed(scene, own + rest, pace, alone), account)


@player(honest=False, levels=(4, 5))
def hard_day_photo(scene: Scene) -> Log:
    """Is honest on easy days; on hard ones takes digits off a solver app when stuck, and waits a little."""
    rng = scene.rng
    way, weak, poses = anyone(rng), rng.uniform(0.4, 1.0), rng.uniform(0.1, 0.9)
    pace, eased = pace_of(rng, 0.6, 1.3), rng.uniform(0.35, 0.75)
    days = [(day, rng.choice((1, 2, 3, 4, 5))) for day in range(rng.randint(15, 90), 0, -1)]
    scene.past = scene.past or tuple(
        Past(day, level, round(pace * (eased if level > 3 else 1) * rng.lognormvariate(0, 0.22), 3))
        for day, level in days
    )
    account = scene.established(pace)

    class Peeks(Rounds):
        def stuck(self) -> None:
            coming = (c for step in self.ahead for c, _digit in step.placements if not self.sight.digits[c])
            cell = next(coming, None)
            if cell is None or rng.random() > weak:
                super().stuck()
                return
            self.carry += self.thought(poses * STUCK[3])
            self.place(0.0, cell, way.hand + rng.uniform(2, 8))

    alone = Rounds(scene, way).solve()
    return scene.log(timed(scene, Peeks(scene, way).solve(), pace, alone), account)


@player(honest=False)
def chat_answer(scene: Scene) -> Log:
    """Asks a chat assistant, types its rows, sees that some are wrong, asks again, and corrects them."""
    rng, puzzle = scene.rng, scene.puzzle
    hand, bad, patience = rng.uniform(0.35, 0.9), rng.randint(0, 3), rng.uniform(20, 90)
    account = member(scene, (2 * patience + 70 * hand) / puzzle.expected_seconds)
    told = {cell: puzzle.solution[cell] for cell in puzzle.empty}
    rows = [[cell for cell in puzzle.empty if cell // 9 == row] for row in range(9)]
    for row in rng.sample([row for row in rows if len(row) > 1], bad):
        one, other = rng.sample(row, 2)
        told[one], told[other] = told[other], told[one]
    script = Script()
    script.wait(patience * rng.uniform(0.7, 1.5))
    for row in rows:
        script.wait(rng.uniform(0.8, 2.5))
        for cell in row:
            script.wait(hand * rng.lognormvariate(0, 0.3))
            script.do(Kind.DIGIT, cell, told[cell])
    script.wait(patience * rng.uniform(0.5, 1.2))
    for cell in puzzle.empty:
        if told[cell] != puzzle.solution[cell]:
            script.wait(2 * hand * rng.lognormvariate(0, 0.4))
            script.do(Kind.DIGIT, cell, puzzle.solution[cell])
    return scene.log(script, account)


@player(honest=False)
def friends_screenshot(scene: Scene) -> Log:
    """Begins alone, is sent a friend's half-filled board, types what it has more, and ends alone."""
    rng = scene.rng
    way, begins, further = anyone(rng), rng.uniform(0.08, 0.3), rng.uniform(0.3, 0.5)
    pace = pace_of(rng, 0.7, 1.5)
    account = member(scene, pace * (1 - further))
    friend = game_of_another(scene)
    alone = Rounds(scene, way).solve()
    own = cut(alone, begins)
    sent = friend.order[: int((begins + further) * len(friend.order))]
    typed = copying(scene.puzzle, [c for c in missing(scene.puzzle, own) if c in sent], rng, way.hand, 1.2, 3)
    left = set(missing(scene.puzzle, own + typed))
    mind = Rounds(scene, way)
    for cell in scene.puzzle.empty:
        if cell not in left:
            mind.act(0.0, Kind.DIGIT, cell, mind.answer[cell])
            mind.know(cell)
    known = len(mind.acts)
    return scene.log(timed(scene, own + typed + mind.solve()[known:], pace, alone), account, before=(friend,))


@player(honest=False)
def rehearsed_as_guest(scene: Scene) -> Log:
    """Plays the puzzle as a guest until it is known, then ranked, about in the same order but at ease."""
    rng, puzzle = scene.rng, scene.puzzle
    way, window, forgets = anyone(rng), rng.randint(1, 4), rng.uniform(0.0, 0.12)
    pace, gain, private = pace_of(rng, 0.7, 1.5), rng.uniform(0.3, 0.6), rng.random() < 0.5
    account = member(scene, pace * gain)
    device = scene.device() if private else account.device
    guest = Account(f"guest-{rng.getrandbits(32):08x}", device, Standing.GUEST)
    first = scene.log(timed(scene, Rounds(scene, way).solve(), pace), guest)
    mind, ahead = Rounds(scene, way), first.order
    while ahead:
        cell = ahead.pop(min(rng.randrange(window), rng.randrange(window), len(ahead) - 1))
        mind.carry += mind.thought(6.0) if rng.random() < forgets else 0.0
        if rng.random() < way.slips and len(ahead) > 3:
            mind.act(mind.thought(1.0), Kind.DIGIT, cell, int(puzzle.solution[cell]) % 9 + 1)
        mind.place(mind.thought(1.0), cell)
    return scene.log(timed(scene, mind.acts, pace * gain), account, before=(first,))


@player(honest=False)
def printed_first(scene: Scene) -> Log:
    """Prints the puzzle before it counts, solves it at leisure, and types it later, digit by digit."""
    rng, puzzle = scene.rng, scene.puzzle
    hand, glance, most = rng.uniform(0.35, 0.9), rng.uniform(0.6, 2.5), rng.randint(2, 5)
    acts = rng.random() < 0.4  # they take their time, so as not to be too fast
    share = pace_of(rng, 0.3, 0.6)
    account = member(scene, share if acts else 60 * hand / puzzle.expected_seconds + 0.1)
    cells = sorted(puzzle.empty, key=lambda cell: (puzzle.solution[cell], cell))
    typing = copying(puzzle, cells, rng, hand, glance, most)
    slower = max(1.0, share * puzzle.expected_seconds / sum(act.handling for act in typing)) if acts else 1.0
    script = Script()
    script.wait(rng.uniform(2, 10))
    for act in typing:
        script.wait(slower * act.handling)
        script.do(act.kind, act.cell, act.digit)
    return scene.log(script, account)


@player(honest=False, levels=(3, 4, 5))
def lent_account(scene: Scene) -> Log:
    """Plays slowly, and today lets a sister play who wins championships."""
    rng = scene.rng
    slow = pace_of(rng, 1.1, 2.0)
    sister = Way("follows", rng.uniform(0.8, 0.95), rng.uniform(0.4, 0.6), rng.uniform(0.18, 0.3), 0.004)
    most, pace = rng.randint(1, 4), pace_of(rng, 0.3, 0.5)
    account = scene.established(slow, (15, 80))
    return scene.log(timed(scene, bunched(Rounds(scene, sister).solve(), most, rng), pace), account)
