"""Logs that owe their digits to another log: copies, second accounts, and teams."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from engine.geometry import PEERS
from tests.logs import Script, each_at_once, through_the_outbox
from tests.players.copies import original, placings, retimed
from tests.players.honest import anybody, pace_of, solve
from tests.players.log import Account, Log, Standing
from tests.players.others.mind import BOXES, any_mind, paced, regular
from tests.players.person import STUCK, acts, perform
from tests.players.puzzles import path
from tests.players.sight import Sight
from tests.players.stage import Scene, player, sender
from webapp.game.moves import Kind


def sensible(scene: Scene, cells: list[int], reach: int) -> list[int]:
    """The order of a copied log changed so that a single comes first among the next few."""
    sight, left, out = Sight(scene.puzzle.givens), list(cells), []
    while left:
        singles = sight.singles()
        near = [c for c in left[:reach] if c in singles] or left[:1]
        cell = scene.rng.choice(near)
        left.remove(cell)
        sight.place(cell, int(scene.puzzle.solution[cell]))
        out.append(cell)
    return out


@player(honest=False)
def leader_reordered(scene: Scene) -> Log:
    """Takes the order of the day's leader, moves cells within what logic allows, and draws all waits anew."""
    rng, copied = scene.rng, original(scene)
    order, _times = placings(copied)
    mind = any_mind(scene, slips=0.0, hand=rng.uniform(0.2, 0.4))
    for cell in sensible(scene, order, rng.randint(2, 7)):
        singles = mind.sight.singles()
        mind.place(mind.effort(singles, cell) if cell in singles else mind.thought(4.0), cell)
    pace = copied.pace * rng.uniform(0.7, 0.97)
    return scene.log(paced(scene, mind.acts, pace, 0.2), regular(scene, pace), sender(rng), (copied,))


@player(honest=False)
def two_logs_mixed(scene: Scene) -> Log:
    """Has two other logs: begins in the order of one, goes on in the other's, with the waits of the first."""
    rng = scene.rng
    one, two = original(scene), original(scene)
    first, times = placings(one)
    second, _times = placings(two)
    cut = rng.randint(len(first) // 3, 2 * len(first) // 3)
    order = first[:cut] + [cell for cell in second if cell not in set(first[:cut])]
    waits = [times[0], *(b - a for a, b in pairwise(times))]
    script = Script()
    for cell, wait in zip(order, waits, strict=True):
        script.wait(max(0.2, wait * rng.lognormvariate(0, 0.3)))
        script.do(Kind.DIGIT, cell, scene.puzzle.solution[cell])
    script = retimed(script, rng.uniform(0.5, 0.9), 0.1, rng)
    pace = script.at / scene.puzzle.expected_seconds
    before = (one,) if one is two else (one, two)
    return scene.log(script, regular(scene, pace), sender(rng), before)


@player(honest=False)
def copy_under_own_marks(scene: Scene) -> Log:
    """Notes the candidates of some boxes themselves, then fills in another's digits in the other's order."""
    rng, copied = scene.rng, original(scene)
    order, times = placings(copied)
    mind = any_mind(scene, hand=rng.uniform(0.2, 0.4), slips=0.0)
    for box in rng.sample(BOXES, rng.randint(2, 9)):
        mind.write_all([c for c in box if not mind.sight.digits[c]] or None, 0.02, 0.15)
    waits = [times[0], *(b - a for a, b in pairwise(times))]
    mean = max(times[-1], 1.0) / len(times)
    for cell, wait in zip(order, waits, strict=True):
        mind.place(max(0.1, wait / mean) * rng.lognormvariate(0, 0.4), cell)
        if mind.last is not None and rng.random() < 0.1:
            near = [c for c in PEERS[cell] if mind.sight.open[c].bit_count() == 2]
            for each in near[:1]:
                for digit in mind.sight.left(each):
                    mind.note(0.3, [each], digit, Kind.CENTRE)
    pace = copied.pace * rng.uniform(0.7, 0.95)
    return scene.log(paced(scene, mind.acts, pace, 0.3), regular(scene, pace), sender(rng), (copied,))


def as_guest(scene: Scene, account: Account, pace: float) -> Log:
    """The owner's honest solve as a guest on the same device."""
    who, _pace = anybody(scene)
    guest = Account(f"guest-{scene.rng.getrandbits(32):08x}", account.device, Standing.GUEST)
    log = scene.log(solve(scene, who, pace), guest)
    return replace(log, kind="own_guest", honest=True)


def after(scene: Scene, log: Log, script: Script, account: Account) -> Log:
    return scene.log(
        script, account, before=(log,), begins=log.begins + log.seconds + scene.rng.uniform(20, 3600)
    )


@player(honest=False)
def regular_via_guest(scene: Scene) -> Log:
    """Solves as a guest first, then with the account of many days: looks the same way, knows hard places."""
    rng = scene.rng
    pace = pace_of(rng, 0.6, 1.4)
    account = scene.established(0.6 * pace)
    guest = as_guest(scene, account, pace)
    mind = any_mind(scene, slips=rng.uniform(0, 0.01), hand=rng.uniform(0.22, 0.45))
    script = paced(scene, mind.run(stuck=lambda: mind.reason(0.15)), rng.uniform(0.4, 0.6) * pace, 0.3)
    return after(scene, guest, script, account)


@player(honest=False, levels=(3, 4, 5))
def keys_remembered(scene: Scene) -> Log:
    """Remembers from a guest's solve the few digits that opened the puzzle, and plays the rest as usual."""
    rng = scene.rng
    pace = pace_of(rng, 0.6, 1.4)
    account = scene.established(pace)
    guest = as_guest(scene, account, pace)
    mind = any_mind(scene)

    def stuck() -> None:
        best, most = mind.sight.empty[0], -1
        for cell in rng.sample(mind.sight.empty, min(12, len(mind.sight.empty))):
            head = mind.sight.copy()
            head.place(cell, mind.answer[cell])
            if (count := len(head.singles())) > most:
                best, most = cell, count
        mind.place(mind.thought(1.0), best)

    return after(scene, guest, paced(scene, mind.run(stuck=stuck), rng.uniform(0.5, 0.8) * pace), account)


@player(honest=False)
def rehearsed_for_the_main(scene: Scene) -> Log:
    """Solves with a throwaway account, learns its order by heart, and then wins with the real one."""
    rng = scene.rng
    who, pace = anybody(scene)
    main = scene.established(pace * rng.uniform(0.5, 0.8))
    first = scene.log(solve(scene, who, pace), scene.fresh(Standing.SECOND, main.device))
    first = replace(first, kind="throwaway", honest=True)
    order, _times = placings(first)
    mind = any_mind(scene, slips=0.004, hand=rng.uniform(0.2, 0.35), spread=0.5)
    for cell in sensible(scene, order, 3):
        if rng.random() < 0.05:
            near = [c for c in PEERS[cell] if mind.sight.open[c].bit_count() == 2]
            for each in near[:1]:
                for digit in mind.sight.left(each):
                    mind.note(0.3, [each], digit)
        mind.place(mind.thought(1.0), cell)
    return after(scene, first, paced(scene, mind.acts, rng.uniform(0.22, 0.45), 0.2), main)


@player(honest=False)
def two_at_one_board(scene: Scene) -> Log:
    """Two people on two devices with one account: one has the upper half, the other the lower."""
    rng, answer = scene.rng, scene.puzzle.solution
    sight = Sight(scene.puzzle.givens)
    free, ahead, done = [rng.uniform(0.5, 2), rng.uniform(0.5, 4)], list(path(scene.puzzle)), []
    last: list[int | None] = [None, None]
    while sight.empty:
        one = 0 if free[0] <= free[1] else 1
        singles = sight.singles()
        if not singles:
            while ahead and not any(sight.open[c] >> d - 1 & 1 for c, d in ahead[0].eliminations):
                ahead.pop(0)
            free = [max(free) + STUCK[ahead[0].tier if ahead else 5] * 0.6 * rng.lognormvariate(0, 0.6)] * 2
            if ahead:
                for cell, digit in ahead.pop(0).eliminations:
                    sight.strike(cell, digit)
            else:
                cell = sight.empty[0]
                sight.place(cell, int(answer[cell]))
                done.append((free[0], cell))
            continue
        weights = []
        for cell, (_digit, ease) in singles.items():
            own = ease * (1.0 if (cell < 41) == (one == 0) else 0.08)
            before = last[one]
            weights.append(own * (4.0 if before is not None and cell in PEERS[before] else 1.0))
        cell = rng.choices(list(singles), weights)[0]
        ease = sum(weights)
        free[one] += 0.3 + (0.5 + 4.0 / (0.7 + ease)) / (0.6 + singles[cell][1]) * rng.lognormvariate(0, 0.8)
        last[one] = cell
        sight.place(cell, int(answer[cell]))
        done.append((free[one], cell))
    done.sort()
    pace = pace_of(rng, 0.35, 0.8)
    factor = pace * scene.puzzle.expected_seconds / done[-1][0]
    script = Script()
    for at, cell in done:
        script.at = at * factor
        script.do(Kind.DIGIT, cell, answer[cell])
    return scene.log(script, regular(scene, pace), rng.choice((each_at_once, through_the_outbox)))


@player(honest=False)
def friends_on_the_phone(scene: Scene) -> Log:
    """Two friends play the same daily at once and tell each other what they find; each has an account."""
    rng = scene.rng
    who, pace = anybody(scene)
    other, other_pace = anybody(scene)
    mine = perform(acts(scene.puzzle, who, rng), 0.75 * pace * scene.puzzle.expected_seconds, rng)
    theirs = perform(acts(scene.puzzle, other, rng), 0.75 * other_pace * scene.puzzle.expected_seconds, rng)

    def first(script: Script) -> dict[int, float]:
        return {
            int(cell): at
            for at, kind, cell, digit in script.done
            if kind is Kind.DIGIT and scene.puzzle.solution[int(cell)] == digit
        }

    one, two = first(mine), first(theirs)

    def joined(own: dict[int, float], heard: dict[int, float]) -> Script:
        script = Script()
        rows = sorted((min(own[c], heard[c] + rng.uniform(1.5, 7)), c) for c in scene.puzzle.empty)
        for at, cell in rows:
            script.at = max(at, script.at + rng.uniform(0.3, 0.9))
            if own[cell] <= at and rng.random() < 0.12:
                near = [c for c in PEERS[cell] if c in own and own[c] > at + 8 and heard[c] > at + 8]
                for each in near[:1]:
                    script.do(Kind.CORNER, each, scene.puzzle.solution[each])
                    script.wait(0.5)
            script.do(Kind.DIGIT, cell, scene.puzzle.solution[cell])
        return script

    friend = scene.log(joined(two, one), scene.established(other_pace))
    friend = replace(friend, kind="friend_on_the_phone")
    script = joined(one, two)
    return scene.log(
        script, scene.established(pace), before=(friend,), begins=friend.begins + rng.uniform(0, 15)
    )


@player(honest=False)
def watcher_at_the_screen(scene: Scene) -> Log:
    """Somebody beside them is a few digits ahead on a bigger screen; they take what they are missing."""
    rng, friend = scene.rng, original(scene)
    order, _times = placings(friend)
    mind = any_mind(scene, slips=0.01)

    def peek() -> None:
        ahead = [c for c in order if not mind.sight.digits[c]]
        mind.place(mind.thought(1.2), rng.choice(ahead[:4]))

    def single(singles: dict[int, tuple[int, float]]) -> None:
        if sum(e for _d, e in singles.values()) < 2.0 and rng.random() < 0.6:
            peek()
        else:
            mind.fill(singles)

    pace = friend.pace * rng.uniform(0.85, 1.0)
    script = paced(scene, mind.run(single, peek), pace)
    return scene.log(
        script, regular(scene, pace), before=(friend,), begins=friend.begins + rng.uniform(5, 40)
    )
