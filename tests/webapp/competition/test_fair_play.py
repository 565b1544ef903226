"""Fair play with a database: new players' times, copies among other games, solves from paper, retention."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.players import PLAYERS, Log, puzzles
from tests.webapp.competition.test_leaderboard import explained
from tests.webapp.solves import DAY, add_daily, add_player, add_solve, assert_counts_are_true, at, board_of
from tests.webapp.visitors import Visitor
from webapp.competition import ranking
from webapp.competition.fair_play import footprints, lately, traces
from webapp.competition.leaderboard import leaderboard
from webapp.curation.moderation import moderation
from webapp.game import plausibility
from webapp.game.evidence import score
from webapp.game.plausibility import PAPER
from webapp.models import (
    Attempt,
    Daily,
    Footprint,
    Leaderboard,
    Listing,
    Player,
    Puzzle,
    Standing,
    Status,
    Trace,
    TraceKey,
)
from webapp.play import play
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound

pytestmark = pytest.mark.both_databases

NEW_FOR = 5


@pytest.fixture(autouse=True)
def context(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings = replace(app.extensions["settings"], provisional_dailies=NEW_FOR)
    monkeypatch.setitem(app.extensions, "settings", settings)
    with app.app_context():
        yield
        db.session.remove()


def settled(name: str) -> int:
    return add_player(name, settled_at=at(days=-1))


def times(daily: int, *, established: bool = False) -> list[tuple[int | None, str | None]]:
    """Ranks and names as the day's leaderboard lists them."""
    db.session.rollback()
    page = leaderboard.day(daily, Leaderboard.DAY, None, established=established).page
    return [(row.rank, row.name) for row in page.rows]


def standing_of(attempt_id: str) -> tuple[str | None, list[str]]:
    db.session.rollback()
    attempt = db.session.get_one(Attempt, attempt_id)
    return attempt.standing, json.loads(attempt.doubts or "[]")


# New players


def test_a_new_players_time_is_shown_without_a_rank_and_earns_no_points() -> None:
    daily = add_daily()
    for number, name in enumerate(("Ada", "Bob", "Cy")):
        add_solve(settled(name), daily, 300 + number)
    new = add_solve(add_player("Neo"), daily, 400)
    add_solve(settled("Dee"), daily, 500)
    assert board_of(new)[0] == Leaderboard.TRIAL
    assert times(daily) == [(1, "Ada"), (2, "Bob"), (3, "Cy"), (None, "Neo"), (4, "Dee")]
    assert times(daily, established=True) == [(1, "Ada"), (2, "Bob"), (3, "Cy"), (4, "Dee")]
    ranking.freeze(at(hours=48, minutes=2))
    assert db.session.scalar(sa.select(Attempt.percentile).where(Attempt.id == new)) is None
    assert board_of(new)[0] == Leaderboard.TRIAL
    assert_counts_are_true()


def test_a_new_players_time_among_the_first_three_waits() -> None:
    daily = add_daily()
    neo = add_player("Neo")
    new = add_solve(neo, daily, 100)
    assert times(daily) == [(None, "Neo")]  # nobody is before them who could lose a place
    add_solve(settled("Ada"), daily, 300)
    assert times(daily) == [(1, "Ada")]
    assert leaderboard.place(db.session.get_one(Attempt, new)).waiting
    add_solve(settled("Bob"), daily, 290)
    assert times(daily) == [(1, "Bob"), (2, "Ada")]


def test_a_curators_word_lists_a_new_players_time_in_full() -> None:
    daily = add_daily()
    add_solve(settled("Ada"), daily, 300)
    new = add_solve(add_player("Neo"), daily, 100)
    ranking.judge(new, Standing.VERIFIED, "We looked at it.", at(hours=10))
    assert times(daily) == [(1, "Neo"), (2, "Ada")]
    assert_counts_are_true()


def test_pages_of_times_with_new_players_among_them_have_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard, "PAGE", 3)
    daily = add_daily()
    for number in range(9):
        name = f"P{number}"
        add_solve(add_player(name) if number in (4, 5, 8) else settled(name), daily, 300 + number)
    seen, cursor = [], None
    while True:
        db.session.rollback()
        page = leaderboard.day(daily, Leaderboard.DAY, None, cursor).page
        seen += [row.name for row in page.rows]
        if page.after is None:
            break
        key = leaderboard.day_key(page.after)
        assert key is not None
        cursor = leaderboard.Cursor(key)
    assert seen == [f"P{number}" for number in range(9)]
    assert page.before is not None
    key = leaderboard.day_key(page.before)
    assert key is not None
    back = leaderboard.day(daily, Leaderboard.DAY, None, leaderboard.Cursor(key, backwards=True)).page
    assert [row.name for row in back.rows] == ["P3", "P4", "P5"]


def test_the_sixth_verified_daily_settles_a_player_and_earlier_days_are_ranked_then() -> None:
    neo, other = add_player("Neo"), settled("Ada")
    days = [add_daily(DAY + timedelta(days=number)) for number in range(6)]
    solves = []
    for number, daily in enumerate(days):
        starts = at(DAY + timedelta(days=number), hours=8)
        add_solve(other, daily, 400, starts=starts)
        ranking.promote(neo, starts)
        solves.append(add_solve(neo, daily, 300, starts=starts))
    assert {board_of(solve)[0] for solve in solves} == {Leaderboard.TRIAL}
    ranking.freeze(at(hours=48, minutes=2))  # the first day
    ranking.promote(neo, at(days=5, hours=9))
    assert {board_of(solve)[0] for solve in solves} == {Leaderboard.DAY}
    assert db.session.scalar(sa.select(Attempt.percentile).where(Attempt.id == solves[0])) == 100
    assert_counts_are_true()


# Times much faster than a player's others


def days(count: int) -> list[int]:
    return [add_daily(DAY - timedelta(days=number)) for number in range(1, count + 1)]


def solved(player: int, dailies: list[int], seconds: float) -> None:
    for number, daily in enumerate(dailies, 1):
        add_solve(player, daily, seconds, starts=at(DAY - timedelta(days=number), hours=8))


def test_a_very_fast_time_takes_no_rank_and_no_place_on_the_podium() -> None:
    daily = add_daily()  # 400 s are expected
    add_solve(settled("Ada"), daily, 300)
    fast = add_solve(settled("Bob"), daily, 190)
    assert board_of(fast)[0] == Leaderboard.TRIAL
    assert times(daily) == [(1, "Ada")]
    place = leaderboard.place(db.session.get_one(Attempt, fast))
    assert (place.waiting, place.wait, place.backing) == (True, ranking.Wait.FAST, ranking.BACKING)


def test_a_very_fast_time_takes_its_rank_at_once_if_enough_others_were_as_fast() -> None:
    ada, earlier, daily = settled("Ada"), days(ranking.BACKING), add_daily()
    solved(ada, earlier, 218)  # 1.147 times as long
    assert board_of(add_solve(ada, daily, 190))[0] == Leaderboard.DAY


def test_slower_solves_back_no_very_fast_time() -> None:
    ada, earlier, daily = settled("Ada"), days(ranking.BACKING), add_daily()
    solved(ada, earlier, 219)  # 1.153 times as long
    assert board_of(add_solve(ada, daily, 190))[0] == Leaderboard.TRIAL


def test_doubted_solves_back_no_very_fast_time() -> None:
    ada, earlier, daily = settled("Ada"), days(ranking.BACKING), add_daily()
    solved(ada, earlier[1:], 210)
    add_solve(ada, earlier[0], 210, standing=Standing.REVIEW)
    assert board_of(add_solve(ada, daily, 190))[0] == Leaderboard.TRIAL


def test_a_time_of_half_the_expected_one_needs_no_others() -> None:
    assert board_of(add_solve(settled("Ada"), add_daily(), 200))[0] == Leaderboard.DAY


def test_the_last_solve_that_was_missing_ranks_a_very_fast_time_on_a_closed_day_too() -> None:
    ada, first = settled("Ada"), add_daily()
    fast = add_solve(ada, first, 190)
    ranking.freeze(at(hours=48, minutes=2))
    assert board_of(fast)[0] == Leaderboard.TRIAL
    for number in range(1, ranking.BACKING + 1):
        day = DAY + timedelta(days=number)
        add_solve(ada, add_daily(day), 210, starts=at(day, hours=8))
        ranking.promote(ada, at(day, hours=9))
        assert board_of(fast)[0] == (Leaderboard.DAY if number == ranking.BACKING else Leaderboard.TRIAL)
    assert_counts_are_true()


def test_a_curators_word_ranks_a_very_fast_time() -> None:
    fast = add_solve(settled("Ada"), add_daily(), 190)
    ranking.judge(fast, Standing.VERIFIED, "We looked at it.", at(hours=10))
    assert board_of(fast)[0] == Leaderboard.DAY


@pytest.mark.parametrize(("between", "board"), [(0, Leaderboard.DAY), (1, Leaderboard.TRIAL)])
def test_a_very_fast_time_is_backed_by_the_latest_solves_only(between: int, board: Leaderboard) -> None:
    """between: slower solves since those that back it, beyond what leaves all ten among the latest."""
    ada, old, daily = settled("Ada"), days(ranking.BACKING), add_daily()
    solved(ada, old, 210)
    numbers = range(10_000, 10_000 + ranking.HISTORY - ranking.BACKING + between)
    puzzle = {"level": 2, "rating_version": "test", "status": Status.DAILY, "engine_version": "test"}
    puzzle |= {"expected_seconds": 400.0, "created_at": at()}
    solve = {"player_id": ada, "level": 2, "ranked": True, "standing": Standing.VERIFIED}
    solve |= {"started_at": at(), "updated_at": at(), "finished_at": at(hours=1), "elapsed_ms": 300_000}
    with write_tx():
        db.session.execute(sa.insert(Puzzle), [{"id": n, "givens": f"{n:081}", **puzzle} for n in numbers])
        db.session.execute(sa.insert(Attempt), [{"puzzle_id": n, **solve} for n in numbers])
    assert board_of(add_solve(ada, daily, 190))[0] == board


def waiting() -> list[str]:
    db.session.rollback()
    return [attempt.id for attempt in ranking.waiting(at(hours=12), 100)]


def test_very_fast_times_wait_for_a_curator_the_latest_day_first() -> None:
    today, yesterday = add_daily(), add_daily(DAY - timedelta(days=1))
    ada, bob, neo = settled("Ada"), settled("Bob"), add_player("Neo")
    first = add_solve(ada, today, 190)
    later = add_solve(bob, today, 199)
    new = add_solve(neo, yesterday, 150, starts=at(days=-1, hours=8))
    add_solve(settled("Cy"), today, 200)
    add_solve(add_player("New"), today, 300)
    add_solve(settled("Dee"), today, 190, standing=Standing.REVIEW)
    add_solve(add_player(), today, 190)
    assert waiting() == [later, first, new]


def test_a_very_fast_time_that_others_back_or_a_curator_judged_waits_no_more() -> None:
    daily = add_daily()
    counted, removed = (add_solve(settled(name), daily, 190) for name in ("Ada", "Bob"))
    backed, earlier = settled("Cy"), days(ranking.BACKING)
    solved(backed, earlier, 210)
    add_solve(backed, daily, 190)
    assert set(waiting()) == {counted, removed}
    ranking.judge(counted, Standing.VERIFIED, "We looked at it.", at(hours=10))
    ranking.judge(removed, Standing.REMOVED, "A robot.", at(hours=10))
    assert waiting() == []


def test_very_fast_times_that_wait_are_found_by_the_index_of_leaderboards() -> None:
    add_solve(settled("Ada"), add_daily(), 190)
    plan = explained(ranking._WAITING.limit(100), {"today": DAY})
    if db.engine.dialect.name == "sqlite":
        assert "USING INDEX ix_attempt_board (daily_id=? AND board=? AND board_ms<?)" in plan
    else:
        assert "Index Scan using ix_attempt_board on attempt" in plan


def test_a_rank_on_a_closed_leaderboard_stays(monkeypatch: pytest.MonkeyPatch, app: Flask) -> None:
    ada, daily = settled("Ada"), add_daily()
    rule = app.extensions["settings"]
    monkeypatch.setitem(app.extensions, "settings", replace(rule, provisional_dailies=0))
    fast = add_solve(ada, daily, 190)
    ranking.freeze(at(hours=48, minutes=2))
    monkeypatch.setitem(app.extensions, "settings", rule)
    with write_tx():
        ranking.settle_player(ada)
    assert board_of(fast)[0] == Leaderboard.DAY


# Times among the first that something speaks against

EVIDENCE = json.dumps({"shares": {"prompt": 0.4}, "nearest": None, "values": {"pace": 0.8}})


def board(attempt_id: str) -> str | None:
    return board_of(attempt_id)[0]


def three_before(daily: int) -> list[str]:
    """Solves that nothing speaks against, and that take 300, 301 and 302 s."""
    return [add_solve(settled(name), daily, 300 + n) for n, name in enumerate(("Ada", "Bob", "Cy"))]


@pytest.mark.parametrize(
    ("share", "pace", "on"), [(0.29, 0.8, "day"), (0.3, 0.8, "trial"), (0.16, 0.5, "trial")]
)
def test_a_time_among_the_first_waits_while_something_speaks_against_it(
    share: float, pace: float, on: str
) -> None:
    evidence = json.dumps({"shares": {"quick": share}, "nearest": None, "values": {"pace": pace}})
    assert board(add_solve(settled("Eve"), add_daily(), 290, evidence=evidence)) == on


@pytest.mark.parametrize(("seconds", "on"), [(302.9, "trial"), (303, "day")])
def test_a_time_in_question_is_ranked_behind_the_third(seconds: float, on: str) -> None:
    """Who took as many whole seconds as the third would share the rank."""
    daily = add_daily()
    three_before(daily)
    assert board(add_solve(settled("Eve"), daily, seconds, evidence=EVIDENCE)) == on


def test_a_player_with_two_solves_in_doubt_is_not_among_the_first() -> None:
    eve, earlier, daily = settled("Eve"), days(2), add_daily()
    add_solve(eve, earlier[0], 300, standing=Standing.REMOVED)
    once = add_solve(eve, daily, 300)
    assert board(once) == "day"
    add_solve(eve, earlier[1], 300, standing=Standing.REVIEW)
    ranking.regroup(daily)
    assert board(once) == "trial"
    place = leaderboard.place(db.session.get_one(Attempt, once))
    assert (place.wait, place.against, place.lately) == (ranking.Wait.QUESTION, [], [])


@pytest.mark.parametrize(
    ("doubted", "spoken_against", "on"),
    [(0, ranking.DISPUTED - 1, "day"), (0, ranking.DISPUTED, "trial"), (1, ranking.DISPUTED - 2, "trial")],
)
def test_a_player_whose_latest_solves_look_unusual_is_not_among_the_first(
    doubted: int, spoken_against: int, on: str
) -> None:
    eve, earlier, daily = settled("Eve"), days(doubted + spoken_against), add_daily()
    for number, each in enumerate(earlier):
        if number < doubted:
            add_solve(eve, each, 300, standing=Standing.REVIEW)
        else:
            add_solve(eve, each, 300, evidence=EVIDENCE)
    assert board(add_solve(eve, daily, 300)) == on


def test_whoever_waits_for_their_latest_solves_reads_what_was_unusual_about_them() -> None:
    eve, earlier, daily = settled("Eve"), days(ranking.DISPUTED - 1), add_daily()
    add_solve(eve, earlier[0], 300, standing=Standing.REVIEW, doubts='["leaps"]')
    for each in earlier[1:]:
        add_solve(eve, each, 300, evidence=EVIDENCE)
    waits = add_solve(eve, daily, 300)
    db.session.rollback()
    place = leaderboard.place(db.session.get_one(Attempt, waits))
    unusual = [plausibility.words(key) for key in ("prompt", "leaps")]
    assert (place.against, place.lately) == ([], unusual)
    assert moderation.wait(place.attempt)[1:-1] == unusual


def test_help_that_was_shown_and_a_curators_word_are_not_held_against_later_solves() -> None:
    eve, earlier, daily = settled("Eve"), days(ranking.DISPUTED + 1), add_daily()
    for each in earlier[:-2]:
        add_solve(eve, each, 300, evidence=EVIDENCE)
    add_solve(eve, earlier[-2], 300, standing=Standing.ASSISTED, evidence=EVIDENCE)
    add_solve(eve, earlier[-1], 300, evidence=EVIDENCE, verdict="We looked at it.")
    assert board(add_solve(eve, daily, 300)) == "day"


def test_solves_in_doubt_are_forgotten_after_the_latest_ten() -> None:
    eve, earlier, daily = settled("Eve"), days(ranking.RECENT + 1), add_daily()
    for old in earlier[-2:]:
        add_solve(eve, old, 300, standing=Standing.REMOVED)
    waits = add_solve(eve, daily, 300)
    for number, later in enumerate(earlier[:-2]):
        assert board(waits) == "trial", number
        add_solve(eve, later, 300)
        ranking.promote(eve, at(hours=10))
    assert board(waits) == "day"
    assert_counts_are_true()


def test_a_time_in_question_is_ranked_once_three_others_are_faster() -> None:
    daily = add_daily()
    asked = add_solve(settled("Eve"), daily, 350, evidence=EVIDENCE)
    three_before(daily)
    assert board(asked) == "trial"
    ranking.estimate()
    assert times(daily) == [(1, "Ada"), (2, "Bob"), (3, "Cy"), (4, "Eve")]
    assert_counts_are_true()


def test_times_in_question_wait_again_when_they_move_up_among_the_first() -> None:
    daily = add_daily()
    first = three_before(daily)
    asked = [add_solve(settled(name), daily, 310, evidence=EVIDENCE) for name in ("Eve", "Fay")]
    add_solve(settled("Gus"), daily, 320)
    ranking.judge(first[1], Standing.REMOVED, "A robot.", at(hours=10))
    ranking.regroup(daily)
    assert {board(each) for each in asked} == {"trial"}
    assert times(daily) == [(1, "Ada"), (2, "Cy"), (3, "Gus")]
    assert_counts_are_true()


def test_a_freeze_regroups_first_and_ranks_stay_from_then_on() -> None:
    daily = add_daily()
    first = three_before(daily)
    ahead, behind = (
        add_solve(settled(name), daily, seconds, evidence=EVIDENCE)
        for name, seconds in (("Eve", 290), ("Fay", 310))
    )
    ranking.freeze(at(hours=48, minutes=2))
    ranking.judge(first[0], Standing.REMOVED, "A robot.", at(hours=50))
    ranking.regroup(daily)
    assert (board(ahead), board(behind)) == ("trial", "day")
    assert times(daily)[-1] == (3, "Fay")


def test_a_curators_word_ranks_a_time_in_question_on_a_closed_day_too() -> None:
    daily = add_daily()
    three_before(daily)
    asked = add_solve(settled("Eve"), daily, 290, evidence=EVIDENCE)
    assert waiting() == [asked]
    ranking.freeze(at(hours=48, minutes=2))
    ranking.judge(asked, Standing.VERIFIED, "We looked at it.", at(hours=50))
    assert times(daily)[0] == (1, "Eve")
    assert waiting() == []
    assert db.session.scalar(sa.select(Attempt.percentile).where(Attempt.id == asked)) == 100
    assert_counts_are_true()


def test_a_new_players_times_in_question_behind_the_first_are_ranked_with_the_others() -> None:
    neo, daily = add_player("Neo"), add_daily()
    three_before(daily)
    behind = add_solve(neo, daily, 310, evidence=EVIDENCE)
    ranking.freeze(at(hours=48, minutes=2))
    for number in range(1, NEW_FOR + 1):
        day = DAY + timedelta(days=number)
        add_solve(neo, add_daily(day), 300, starts=at(day, hours=8))
    ranking.promote(neo, at(days=NEW_FOR, hours=9))
    assert board(behind) == "day"
    assert_counts_are_true()


def test_a_time_in_question_tells_its_player_why() -> None:
    asked = add_solve(settled("Eve"), add_daily(), 300, evidence=EVIDENCE)
    db.session.rollback()
    place = leaderboard.place(db.session.get_one(Attempt, asked))
    assert (place.wait, place.waiting) == (
        ranking.Wait.QUESTION,
        False,
    )  # nobody is before whom it could pass
    assert place.against == ["Hard digits came sooner than anyone can see that nothing easy is left."]


def test_who_hides_until_a_day_has_closed_is_ranked_there_by_nothing() -> None:
    eve, daily = settled("Eve"), add_daily()
    with write_tx():
        db.session.get_one(Player, eve).listing = Listing.NONE
    hidden = add_solve(eve, daily, 300)
    ranking.freeze(at(hours=48, minutes=2))
    with write_tx():
        db.session.get_one(Player, eve).listing = Listing.NAMED
        ranking.settle_player(eve)
    with write_tx():
        ranking.readmit(eve)
    assert board(hidden) == "archive"
    assert_counts_are_true()


# What solves show together


# Waits that grew by nothing where digits were harder to find.
HABITS = {"waits": 30, "efforts": 12.0, "grown": -2.0, "varied": 20.0, "linked": 3.0, "choices": 30}
EARLIER = json.dumps({"shares": {}, "nearest": None, "values": {}, "habits": HABITS})


def earlier(player: int, count: int, **columns: object) -> list[str]:
    """A ranked solve on each of so many days before, the latest first."""
    return [
        add_solve(player, daily, 400, starts=at(DAY - timedelta(days=number), hours=8), **columns)
        for number, daily in enumerate(days(count), 1)
    ]


def known(player: int) -> list[str]:
    return [each.attempt_id for each in lately.before(player, at(hours=9))]


@pytest.mark.slow
@pytest.mark.parametrize(("before", "standing"), [(0, Standing.VERIFIED), (12, Standing.REVIEW)])
def test_what_earlier_solves_showed_is_weighed(
    before: int, standing: Standing, story: tuple[Log, Log]
) -> None:
    log, _copy = story
    eve = settled("Eve")
    earlier(eve, before, evidence=EARLIER)
    a_daily_of(log)
    attempt = finish(eve, start(eve, log, at(hours=1)), log, at(hours=1))
    assert standing_of(attempt) == (standing, ["searched"] if standing == Standing.REVIEW else [])
    stored = db.session.get_one(Attempt, attempt)
    kept = json.loads(stored.evidence or "")["habits"]
    assert 0 < kept["waits"] < len(log.puzzle.empty)
    assert 0 < kept["harder"] < kept["choices"]
    assert stored.against is not None
    assert stored.against < score.TOLD  # nothing speaks against the solve by itself


def test_the_latest_nineteen_ranked_solves_are_weighed_doubted_ones_too() -> None:
    eve = settled("Eve")
    solves = earlier(eve, 21, evidence=EARLIER)
    assert known(eve) == solves[:19]
    changes = {"standing": Standing.REVIEW}, {"standing": Standing.REMOVED}, {"standing": Standing.PAPER}
    for attempt, change in zip(solves, (*changes, {"ranked": False}, {"evidence": None}), strict=False):
        with write_tx():
            db.session.execute(sa.update(Attempt).where(Attempt.id == attempt).values(change))
    assert known(eve) == [*solves[:2], *solves[5:]]
    assert known(settled("Ada")) == []


def test_habits_are_cleared_by_the_moment_of_a_curators_word() -> None:
    """The solve of five days ago is counted three days ago."""
    eve = settled("Eve")
    solves = earlier(eve, 8, evidence=EARLIER)
    with write_tx():
        counted = {"verdict": "Fine.", "updated_at": at(days=-3)}
        db.session.execute(sa.update(Attempt).where(Attempt.id == solves[4]).values(counted))
    assert known(eve) == solves[:3]
    with write_tx():
        removed = sa.update(Attempt).where(Attempt.id == solves[4])
        db.session.execute(removed.values(standing=Standing.REMOVED))
    assert known(eve) == solves


# Copies


def a_daily_of(log: Log) -> int:
    with write_tx():
        puzzle = Puzzle(
            givens=log.puzzle.givens,
            level=log.puzzle.level,
            rating_version="test",
            expected_seconds=log.puzzle.expected_seconds,
            status="daily",
            engine_version="test",
            created_at=at(days=-14),
        )
        daily = Daily(date=DAY, level=log.puzzle.level, puzzle=puzzle, created_at=at(days=-14))
        db.session.add(daily)
        db.session.flush()
        return daily.id


def start(player_id: int, log: Log, begins: datetime, *, ranked: bool = True, device: str = "d") -> str:
    attempt = play.start_at_daily(
        player_id, DAY, log.puzzle.level, begins, "1:test", ranked=ranked, device=device
    )
    return attempt.id


def finish(player_id: int, attempt_id: str, log: Log, begins: datetime) -> str:
    """Play a log to its end, in one request a receipt."""
    by_receipt: dict[float, list[int]] = {}
    for number, received in enumerate(log.received):
        by_receipt.setdefault(received, []).append(number)
    for received, numbers in by_receipt.items():
        moves = [log.moves[number] for number in numbers]
        play.make_moves(player_id, attempt_id, moves, begins + timedelta(seconds=received))
    return attempt_id


@pytest.fixture(scope="module")
def story() -> tuple[Log, Log]:
    """A log and its copy."""
    puzzle = next(each for each in puzzles() if each.level == 2)
    first = PLAYERS["scanner_by_box"].play(puzzle, 5)
    return first, PLAYERS["replay_with_jitter"].play(puzzle, 5, others=[first])


@pytest.mark.slow
def test_a_copy_of_a_guests_game_is_doubted_and_the_guest_is_not(story: tuple[Log, Log]) -> None:
    first, copy = story
    a_daily_of(first)
    guest, neo = add_player(), settled("Neo")
    original = finish(guest, start(guest, first, at(hours=1)), first, at(hours=1))
    copied = finish(neo, start(neo, copy, at(hours=3)), copy, at(hours=3))
    assert standing_of(original) == (Standing.VERIFIED, [])
    standing, doubts = standing_of(copied)
    assert standing == Standing.REVIEW
    assert "alike" in doubts
    evidence = json.loads(db.session.get_one(Attempt, copied).evidence or "")
    assert evidence["nearest"]["attempt"] == original
    assert board_of(copied) == (None, None)


@pytest.mark.slow
def test_a_copy_that_is_finished_first_is_the_one_that_is_doubted(story: tuple[Log, Log]) -> None:
    first, copy = story
    a_daily_of(first)
    ada, neo = settled("Ada"), settled("Neo")
    original = start(ada, first, at(hours=1))
    copied = finish(neo, start(neo, copy, at(hours=1, minutes=1)), copy, at(hours=1, minutes=1))
    assert board_of(copied)[0] == Leaderboard.DAY
    finish(ada, original, first, at(hours=1) + timedelta(seconds=first.received[-1]))
    assert standing_of(original) == (Standing.VERIFIED, [])
    assert standing_of(copied) == (Standing.REVIEW, ["alike"])
    assert board_of(copied) == (None, None)
    assert_counts_are_true()


def test_who_started_from_where_is_known_for_three_days(story: tuple[Log, Log]) -> None:
    first, _copy = story
    a_daily_of(first)
    guest, neo, far = add_player(), add_player("Neo"), add_player("Far")
    start(guest, first, at(hours=1), device="here")
    here, there = (
        start(neo, first, at(hours=2), device="here"),
        start(far, first, at(hours=2), device="there"),
    )
    assert footprints.shared(db.session.get_one(Attempt, here))
    assert not footprints.shared(db.session.get_one(Attempt, there))
    assert footprints.prune(at(hours=73, minutes=30)) == 1
    assert footprints.prune(at(hours=75)) == 2
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Footprint)) == 0


def test_traces_go_after_three_days_with_their_keys(story: tuple[Log, Log]) -> None:
    first, _copy = story
    daily = a_daily_of(first)
    solve = add_solve(settled("Ada"), daily, 300)
    trace = traces.likeness.Trace(bytes(range(50)), bytes(50), by_logic=False)
    with write_tx():
        attempt = db.session.get_one(Attempt, solve)
        assert attempt.finished_at is not None
        traces.keep(db.session.connection(), attempt, attempt.finished_at, trace)
        puzzle_id, player_id = attempt.puzzle_id, attempt.player_id
    like = traces.nearest(puzzle_id, 0, trace)
    assert like is not None
    assert (like.attempt_id, like.nearness) == (solve, 1.0)
    assert traces.nearest(puzzle_id, player_id, trace) is None  # their own
    assert traces.prune(at(hours=79)) == 0
    assert traces.prune(at(hours=81)) == 1
    assert db.session.scalar(sa.select(sa.func.count()).select_from(TraceKey)) == 0
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Trace)) == 0


# From paper


def test_a_solve_from_paper_counts_unranked_once_the_player_says_so() -> None:
    daily = add_daily()
    ada, bob = settled("Ada"), settled("Bob")
    solve = add_solve(ada, daily, 300, standing=Standing.REVIEW, doubts=json.dumps([PAPER]))
    other = add_solve(bob, daily, 300, standing=Standing.REVIEW, doubts=json.dumps(["pace"]))
    assert leaderboard.place(db.session.get_one(Attempt, solve)).asked
    with pytest.raises(NotFound):
        ranking.from_paper(other, at(hours=9))
    with pytest.raises(NotFound):
        play.from_paper(bob, solve, at(hours=9))
    play.from_paper(ada, solve, at(hours=9))
    assert standing_of(solve) == (Standing.PAPER, [PAPER])
    assert board_of(solve) == (None, None)
    with pytest.raises(NotFound):
        play.from_paper(ada, solve, at(hours=9))


def test_the_button_of_a_solve_from_paper(guest: Visitor) -> None:
    guest.register("Ada")
    player = db.session.scalar(sa.select(Player.id).where(Player.name == "Ada"))
    assert player is not None
    solve = add_solve(player, add_daily(), 300, standing=Standing.REVIEW, doubts=json.dumps([PAPER]))
    guest.get(f"/leaderboard?date={DAY.isoformat()}&level=2")
    form = guest.page.select_one("#from-paper").find_parent("form")
    assert guest.get(form["action"]).status_code == 405
    assert guest.post(form["action"]).status_code == 303
    assert standing_of(solve)[0] == Standing.PAPER
    assert guest.post(form["action"]).status_code == 404


@pytest.mark.parametrize(("players", "status"), [("established", 200), ("all", 200), ("rich", 422)])
def test_a_leaderboard_of_established_players_only(guest: Visitor, players: str, status: int) -> None:
    add_solve(add_player("Neo"), add_daily(), 300)
    address = f"/leaderboard?date={DAY.isoformat()}&level=2&players={players}"
    assert guest.get(address).status_code == status
    if status == 200:
        assert ("Neo" in guest.page.select_one("#leaderboard").text) == (players == "all")
        assert guest.page.select_one("#other-players") is not None
