"""The leaderboard of a solve, percentiles and points, and the consistency of stored counts."""

from __future__ import annotations

import random
import threading
from datetime import date, datetime, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.processes import wait_until
from tests.webapp.solves import (
    DAY,
    add_daily,
    add_player,
    add_solve,
    assert_counts_are_true,
    at,
    board_of,
    verdict,
)
from tests.webapp.statements import noted
from webapp.competition import suspensions
from webapp.competition.ranking import counts, freezing, placing, points, verdicts
from webapp.models import Attempt, Daily, Leaderboard, Listing, Peek, Player, Score, Standing
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound

pytestmark = [pytest.mark.both_databases, pytest.mark.usefixtures("inside")]

CLOSED = at(hours=48, minutes=2)


@pytest.fixture
def daily(inside: Flask) -> int:
    del inside
    return add_daily()


def change(player_id: int, **columns: object) -> None:
    """Change a player, as the account page would."""
    with write_tx():
        player = db.session.get_one(Player, player_id)
        for name, value in columns.items():
            setattr(player, name, value)
        placing.settle_player(player_id)


def percentile_of(attempt_id: str) -> float | None:
    db.session.rollback()
    return db.session.scalar(sa.select(Attempt.percentile).where(Attempt.id == attempt_id))


def points_of(player_id: int, scope: str, level: int = 0) -> list[tuple[float, int]]:
    db.session.rollback()
    query = sa.select(Score.points, Score.solves).where(
        Score.player_id == player_id, Score.scope == scope, Score.level == level
    )
    return [(points, solves) for points, solves in db.session.execute(query)]


@pytest.mark.parametrize("standing", [Standing.ASSISTED, Standing.REVIEW, Standing.REMOVED])
def test_only_a_verified_solve_is_listed(daily: int, standing: Standing) -> None:
    assert board_of(add_solve(add_player("Ada"), daily, 300, standing=standing)) == (None, None)


def test_a_guest_is_not_listed_until_they_take_a_name(daily: int) -> None:
    guest = add_player()
    solve = add_solve(guest, daily, 300)
    assert board_of(solve) == (None, None)
    change(guest, name="Ada", name_key="ada", password_hash="x", named_at=at(hours=20))
    assert board_of(solve) == (Leaderboard.DAY, 300_000)
    assert_counts_are_true()


def test_a_name_taken_after_the_window_lists_the_solve_apart(daily: int) -> None:
    guest = add_player()
    solve = add_solve(guest, daily, 300)
    change(guest, name="Ada", name_key="ada", password_hash="x", named_at=at(hours=48))
    assert board_of(solve)[0] == Leaderboard.ARCHIVE


@pytest.mark.parametrize(("seconds", "board"), [(-1, Leaderboard.DAY), (0, Leaderboard.ARCHIVE)])
def test_the_window_ends_48_hours_after_the_release(daily: int, seconds: float, board: Leaderboard) -> None:
    starts = at(hours=48, seconds=seconds - 300)
    assert board_of(add_solve(add_player("Ada"), daily, 300, starts=starts))[0] == board


def test_practice_and_the_archive_are_listed_apart(daily: int) -> None:
    assert board_of(add_solve(add_player("Ada"), daily, 300, ranked=False))[0] == Leaderboard.ARCHIVE
    late = add_solve(add_player("Bob"), daily, 300, ranked=False, starts=at(days=9))
    assert board_of(late)[0] == Leaderboard.ARCHIVE
    assert_counts_are_true()


def test_only_the_first_attempt_at_a_puzzle_is_listed(daily: int) -> None:
    ada = add_player("Ada")
    first = add_solve(ada, daily, 300)
    again = add_solve(ada, daily, 90, ranked=False, starts=at(hours=9))
    assert board_of(first)[0] == Leaderboard.DAY
    assert board_of(again)[0] is None


def test_a_player_who_has_seen_the_puzzle_is_not_listed(daily: int) -> None:
    grace = add_player("Grace")
    saw(grace, daily, at(hours=-3))
    assert board_of(add_solve(grace, daily, 300, ranked=False))[0] is None


def test_a_player_who_sees_the_puzzle_afterwards_stays_listed(daily: int) -> None:
    grace = add_player("Grace")
    solve = add_solve(grace, daily, 300)
    freezing.freeze(CLOSED)
    saw(grace, daily, at(hours=9))
    change(grace, listing=Listing.ANONYMOUS)
    assert board_of(solve)[0] == Leaderboard.DAY
    assert_counts_are_true()


def test_a_player_who_sees_the_puzzle_while_playing_is_not_listed(daily: int) -> None:
    grace = add_player("Grace")
    saw(grace, daily, at(hours=8, seconds=299))
    assert board_of(add_solve(grace, daily, 300))[0] is None


def saw(player_id: int, daily_id: int, seen_at: datetime) -> None:
    """Record that a player has looked at the puzzle of a daily at the desk."""
    with write_tx():
        puzzle_id = db.session.get_one(Daily, daily_id).puzzle_id
        db.session.add(Peek(player_id=player_id, puzzle_id=puzzle_id, seen_at=seen_at))


def test_who_opts_out_leaves_every_board_and_may_come_back(daily: int) -> None:
    ada = add_player("Ada")
    solve = add_solve(ada, daily, 300)
    change(ada, listing=Listing.NONE)
    assert board_of(solve) == (None, None)
    assert_counts_are_true()
    change(ada, listing=Listing.ANONYMOUS)
    assert board_of(solve)[0] == Leaderboard.DAY
    assert_counts_are_true()


def test_the_points_of_a_deleted_player_no_longer_count(daily: int) -> None:
    ada, bob = add_player("Ada"), add_player("Bob")
    add_solve(ada, daily, 300)
    add_solve(bob, daily, 400)
    freezing.freeze(CLOSED)
    with write_tx():
        placing.unlist(ada)
        db.session.execute(sa.delete(Player).where(Player.id == ada))
    assert_counts_are_true()


@pytest.mark.parametrize("step", [freezing.STEP, 2], ids=["at once", "in steps"])
def test_a_percentile_is_the_share_of_the_others_that_were_slower_ties_half(
    daily: int, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(freezing, "STEP", step)
    shares = {60: 100, 90: 62.5, 90.9: 62.5, 200: 25, 300: 0}
    players = [add_player(f"{seconds}") for seconds in shares]
    solves = [add_solve(player, daily, seconds) for player, seconds in zip(players, shares, strict=True)]
    assert freezing.freeze(CLOSED) == 1
    assert [percentile_of(solve) for solve in solves] == [*shares.values()]
    assert counts.around(daily, "day", 90).percentile == 62.5
    assert [points_of(player, "week") for player in players] == [[(share, 1)] for share in shares.values()]
    assert_counts_are_true()


def test_a_board_freezes_once_and_not_before_its_window_is_over(daily: int) -> None:
    add_solve(add_player("Ada"), daily, 300)
    assert freezing.freeze(at(hours=47, minutes=59)) == 0
    assert freezing.freeze(at(hours=48, seconds=30)) == 0  # the last ones are still being stored
    assert freezing.freeze(CLOSED) == 1
    assert freezing.freeze(CLOSED) == 0


def test_solves_of_one_second_may_fall_into_several_steps(
    daily: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freezing, "STEP", 2)
    solves = [add_solve(add_player(name), daily, 60) for name in "abcde"]
    assert freezing.freeze(CLOSED) == 1
    assert [percentile_of(solve) for solve in solves] == [50] * 5
    assert_counts_are_true()


def test_a_freeze_cut_off_half_way_is_gone_through_again(daily: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freezing, "STEP", 1)
    fast, slow = (add_solve(add_player(f"{seconds}"), daily, seconds) for seconds in (60, 90))
    turns = iter((False, True))
    assert freezing.freeze(CLOSED, lambda: next(turns)) == 0
    assert (percentile_of(fast), percentile_of(slow)) == (100, None)
    between = add_solve(add_player("Cora"), daily, 70)
    assert board_of(between)[0] == Leaderboard.DAY  # the leaderboard is still open
    assert freezing.freeze(CLOSED) == 1
    assert [percentile_of(solve) for solve in (fast, between, slow)] == [100, 50, 0]
    assert_counts_are_true()


def test_who_comes_to_the_board_while_it_freezes_has_a_percentile_too(
    daily: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freezing, "STEP", 1)
    for seconds in (60, 90):
        add_solve(add_player(f"{seconds}"), daily, seconds)
    ada, late = add_player("Ada"), []

    def arrives() -> bool:
        if not late:
            late.append(add_solve(ada, daily, 30))
        return False

    assert freezing.freeze(CLOSED, arrives) == 1
    assert percentile_of(late[0]) == 100
    assert points_of(ada, "week") == [(100, 1)]
    assert_counts_are_true()


def test_who_is_coming_to_the_board_as_it_closes_is_waited_for(app: Flask, daily: int) -> None:
    add_solve(add_player("Bob"), daily, 90)
    ada = add_player("Ada", listing=Listing.NONE)
    solve = add_solve(ada, daily, 60)
    other = threading.Thread(target=frozen_elsewhere, args=(app,))
    with write_tx():
        db.session.get_one(Player, ada).listing = Listing.NAMED
        placing.settle_player(ada)  # on the leaderboard, but not stored yet
        other.start()
        waits_for_a_lock()
    other.join()
    assert board_of(solve)[0] == Leaderboard.DAY
    assert percentile_of(solve) == 100
    assert points_of(ada, "week") == [(100, 1)]
    assert_counts_are_true()


def test_a_solve_cleared_as_its_board_closes_has_a_percentile(app: Flask, daily: int) -> None:
    add_solve(add_player("Bob"), daily, 90)
    ada = add_player("Ada")
    solve = add_solve(ada, daily, 60, standing=Standing.REVIEW)
    other = threading.Thread(target=frozen_elsewhere, args=(app,))
    with write_tx():
        verdicts.give_verdict(solve, Standing.VERIFIED, "looked at", CLOSED)
        other.start()
        waits_for_a_lock()
    other.join()
    assert (board_of(solve)[0], percentile_of(solve)) == (Leaderboard.DAY, 100)
    assert_counts_are_true()


def test_who_leaves_the_board_while_it_freezes_takes_no_percentile_along(
    daily: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freezing, "STEP", 1)
    ada = add_player("Ada")
    solve, _slower = add_solve(ada, daily, 60), add_solve(add_player("Bob"), daily, 90)
    shown = []

    def leaves() -> bool:
        if percentile_of(solve) is not None and not shown:
            shown.append(percentile_of(solve))
            change(ada, listing=Listing.NONE)
        return False

    assert freezing.freeze(CLOSED, leaves) == 1
    assert (shown, percentile_of(solve)) == ([100], None)
    change(ada, listing=Listing.NAMED)
    assert board_of(solve)[0] == Leaderboard.ARCHIVE
    assert points_of(ada, "week") == []
    assert_counts_are_true()


def test_two_that_renew_the_points_of_one_player_count_them_once(app: Flask, daily: int) -> None:
    ada = add_player("Ada")
    first, _equal = add_solve(ada, daily, 60), add_solve(add_player("Bob"), daily, 60)
    freezing.freeze(CLOSED)
    add_solve(ada, add_daily(DAY, 3), 60)
    other = threading.Thread(target=frozen_elsewhere, args=(app,))
    with write_tx():
        verdicts.give_verdict(first, Standing.REMOVED, "a robot", CLOSED)
        other.start()
        waits_for_a_lock()
    other.join()
    assert points_of(ada, "week") == [(50, 1)]
    assert_counts_are_true()


@pytest.mark.parametrize(("standing", "ranked"), [("verified", True), ("verified", False), ("removed", True)])
def test_a_suspended_players_solve_of_a_day_that_froze_meanwhile_is_ranked_in_the_end(
    daily: int, standing: str, ranked: bool
) -> None:
    bob, ada = add_solve(add_player("Bob"), daily, 90), add_player("Ada")
    solve = add_solve(ada, daily, 60, standing=Standing(standing), ranked=ranked)
    with write_tx():
        suspensions.begin(db.session.get_one(Player, ada), None, "A robot.")
    assert freezing.freeze(CLOSED) == 1
    with write_tx():
        suspensions.end(db.session.get_one(Player, ada))
    back = standing == "verified" and ranked
    assert (board_of(solve)[0] == Leaderboard.DAY, percentile_of(solve)) == (back, 100 if back else None)
    assert points_of(ada, "week") == ([(100, 1)] if back else [])
    assert percentile_of(bob) == counts.ALONE
    assert_counts_are_true()


def frozen_elsewhere(app: Flask) -> None:
    with app.app_context():
        freezing.freeze(CLOSED)


def waits_for_a_lock() -> None:
    """Wait until a transaction blocks on PostgreSQL; on SQLite none can begin."""
    if db.engine.dialect.name != "postgresql":
        return
    waiting = sa.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")

    def somebody_waits() -> bool:
        with db.engine.connect() as connection:
            return bool(connection.scalar(waiting))

    wait_until(somebody_waits)


def test_points_are_counted_in_one_order_and_only_where_they_change(daily: int) -> None:
    """Transactions that subtract first and add afterwards would deadlock with one that does the opposite."""
    ada = add_player("Ada")
    solves = [add_solve(ada, number, 60) for number in (daily, add_daily(DAY, 3), add_daily(DAY, 5))]
    add_solve(add_player("Bob"), daily, 90)
    freezing.freeze(CLOSED)
    counts = ("INSERT INTO point_count", "UPDATE point_count")
    with noted(db.engine) as sent:
        change(ada, name="Adah")
        assert not any(statement.startswith(counts) for statement, _rows in sent)
        verdict(solves[0], Standing.REMOVED, "a robot", CLOSED)
    counted = [parameters for statement, parameters in sent if statement.startswith(counts)]
    (rows,) = counted
    keys = [tuple(row.values() if isinstance(row, dict) else row)[:4] for row in rows]
    assert len(keys) > 2
    assert keys == sorted(keys)
    assert_counts_are_true()


def test_nothing_moves_a_frozen_board_but_leaving_it(daily: int) -> None:
    ada, bob = add_player("Ada"), add_player("Bob", listing=Listing.NONE)
    first, hidden = add_solve(ada, daily, 300), add_solve(bob, daily, 200)
    freezing.freeze(CLOSED)
    change(bob, listing=Listing.NAMED)
    assert board_of(hidden)[0] == Leaderboard.ARCHIVE
    change(ada, listing=Listing.NONE)
    assert board_of(first)[0] is None
    assert points_of(ada, "week") == []
    change(ada, listing=Listing.NAMED)
    assert board_of(first)[0] == Leaderboard.DAY
    assert percentile_of(first) == 50
    assert points_of(ada, "week") == [(50, 1)]
    assert_counts_are_true()


def test_a_curator_clears_a_solve_and_removes_one(daily: int) -> None:
    ada = add_player("Ada")
    solve = add_solve(ada, daily, 300, standing=Standing.REVIEW, doubts='["cadence"]')
    verdict(solve, Standing.VERIFIED, "a musician", at(hours=30))
    assert board_of(solve)[0] == Leaderboard.DAY
    verdict(solve, Standing.REMOVED, "a robot", at(hours=31))
    assert board_of(solve)[0] is None
    assert_counts_are_true()
    with pytest.raises(NotFound):
        verdict("no such attempt", Standing.VERIFIED, "", at(hours=31))


def test_a_solve_cleared_after_the_freeze_gets_the_percentile_it_would_have_had(daily: int) -> None:
    for name, seconds in (("Bob", 100), ("Charlie", 400)):
        add_solve(add_player(name), daily, seconds)
    ada = add_player("Ada")
    solve = add_solve(ada, daily, 300, standing=Standing.REVIEW)
    freezing.freeze(CLOSED)
    verdict(solve, Standing.VERIFIED, "", at(days=4))
    assert board_of(solve)[0] == Leaderboard.DAY
    assert percentile_of(solve) == 50
    assert points_of(ada, "week") == [(50, 1)]
    assert_counts_are_true()


def test_a_week_is_the_sum_of_its_percentiles_from_monday_to_sunday() -> None:
    monday = date(2026, 3, 2)
    ada, bob = add_player("Ada"), add_player("Bob")
    for offset in (-1, 0, 6, 7):  # Sunday before, Monday, Sunday, Monday after
        for level in (2, 5):
            number = add_daily(monday + timedelta(days=offset), level)
            add_solve(ada, number, 100)
            add_solve(bob, number, 200)
    freezing.freeze(at(monday, days=20))
    weeks = sa.select(Score.starts_on, Score.level, Score.points, Score.solves).where(
        Score.player_id == ada, Score.scope == "week"
    )
    rows = {(start, level): (total, solves) for start, level, total, solves in db.session.execute(weeks)}
    assert rows[monday, 0] == (400, 4)
    assert rows[monday, 2] == rows[monday, 5] == (200, 2)
    assert rows[monday - timedelta(days=7), 0] == rows[monday + timedelta(days=7), 0] == (200, 2)
    assert points_of(bob, "week", 0) == [(0, 2), (0, 4), (0, 2)]


def test_all_time_is_the_mean_of_the_last_hundred_from_twenty_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "MOST_SCORED", 4)
    monkeypatch.setattr(points, "FEWEST_SCORED", 3)
    ada, bob = add_player("Ada"), add_player("Bob")
    means = []
    for number, wins in enumerate((False, True, True, False, True, True)):
        daily = add_daily(DAY + timedelta(days=number))
        add_solve(ada, daily, 100 if wins else 300)
        add_solve(bob, daily, 200)
        freezing.freeze(at(DAY + timedelta(days=number), days=3))
        means.append(points_of(ada, "all"))
    assert means[:2] == [[], []]
    assert means[2] == [(pytest.approx(66.667), 3)]
    assert means[3:] == [[(50, 4)], [(75, 4)], [(75, 4)]]
    assert points_of(ada, "all", 2) == [(75, 4)]
    assert points_of(ada, "all", 3) == []


def test_the_counts_stay_true_whatever_happens() -> None:
    rng = random.Random(7)
    dailies = [add_daily(DAY + timedelta(days=number)) for number in range(3)]
    players = [add_player(f"Player {number}" if number % 3 else None) for number in range(9)]
    solves = []
    for player in players:
        for number in dailies:
            seconds = rng.choice((60, 61, 61.5, 300))
            standing = rng.choice((Standing.VERIFIED, Standing.VERIFIED, Standing.REVIEW))
            solves.append(add_solve(player, number, seconds, standing=standing, ranked=rng.random() < 0.8))
    for turn in range(40):
        match rng.randrange(4):
            case 0:
                change(rng.choice(players), listing=rng.choice(list(Listing)))
            case 1:
                standing = rng.choice((Standing.VERIFIED, Standing.REMOVED))
                verdict(rng.choice(solves), standing, "", at(days=1))
            case 2:
                number = rng.randrange(0, 9, 3)
                name = f"Player {number}"
                change(
                    players[number], name=name, name_key=name.lower(), password_hash="x", named_at=at(days=1)
                )
            case 3 if turn > 20:
                freezing.freeze(at(days=rng.randrange(2, 6)))
        assert_counts_are_true()


# Provisional points


def provisional(player_id: int, scope: str = "week") -> list[tuple[float, bool]]:
    db.session.rollback()
    query = sa.select(Score.points, Score.provisional).where(
        Score.player_id == player_id, Score.scope == scope, Score.level == 0
    )
    return [(points, whether) for points, whether in db.session.execute(query)]


def test_points_are_provisional_from_the_first_solve_on_until_the_board_freezes(daily: int) -> None:
    ada, bob = add_player("Ada"), add_player("Bob")
    solve = add_solve(ada, daily, 100)
    assert freezing.estimate() == 1
    assert provisional(ada) == [(counts.ALONE, True)]
    add_solve(bob, daily, 200)
    assert freezing.estimate() == 1
    assert (provisional(ada), provisional(bob)) == ([(100, True)], [(0, True)])
    assert percentile_of(solve) is None
    assert_counts_are_true()
    freezing.freeze(CLOSED)
    assert (provisional(ada), provisional(bob)) == ([(100, False)], [(0, False)])
    assert_counts_are_true()


def test_a_board_without_new_solves_is_left_alone(daily: int) -> None:
    add_solve(add_player("Ada"), daily, 100)
    assert [freezing.estimate(), freezing.estimate()] == [1, 0]


def test_a_week_adds_open_boards_to_frozen_ones() -> None:
    monday = date(2026, 3, 2)
    ada, bob = add_player("Ada"), add_player("Bob")
    for offset in (0, 3):
        number = add_daily(monday + timedelta(days=offset))
        add_solve(ada, number, 100)
        add_solve(bob, number, 200)
    freezing.freeze(at(monday, days=3))
    freezing.estimate()
    assert (provisional(ada), provisional(bob)) == ([(200, True)], [(0, True)])


def test_provisional_solves_count_for_all_time(daily: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "FEWEST_SCORED", 1)
    ada = add_player("Ada")
    add_solve(ada, daily, 100)
    freezing.estimate()
    assert provisional(ada, "all") == [(counts.ALONE, True)]


def test_who_leaves_the_boards_takes_their_provisional_points_along(daily: int) -> None:
    ada = add_player("Ada")
    add_solve(ada, daily, 100)
    freezing.estimate()
    change(ada, listing="none")
    assert provisional(ada) == []
    change(ada, listing="named")
    assert provisional(ada) == []
    assert freezing.estimate() == 1
    assert provisional(ada) == [(counts.ALONE, True)]
    assert_counts_are_true()


def test_a_long_board_is_estimated_in_steps(daily: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freezing, "STEP", 2)
    players = [add_player(f"Player {number}") for number in range(5)]
    for number, player in enumerate(players):
        add_solve(player, daily, 100 + number)
    freezing.estimate()
    assert [provisional(player) for player in players] == [[(share, True)] for share in (100, 75, 50, 25, 0)]


def test_a_worker_that_stops_leaves_the_rest_for_the_next(daily: int) -> None:
    ada = add_player("Ada")
    add_solve(ada, daily, 100)
    assert freezing.estimate(lambda: True) == 0
    assert provisional(ada) == []
    assert freezing.estimate() == 1
