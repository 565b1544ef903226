"""The list of a solve, its rank as a query, and points given once, when the day closes."""

from __future__ import annotations

import random
import threading
from datetime import date, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.processes import wait_until
from tests.webapp.solves import DAY, add_daily, add_player, add_solve, at, board_of, close, points_of, verdict
from webapp.competition import points, standing, suspensions
from webapp.competition.daily import closing
from webapp.competition.leaderboard import days
from webapp.competition.leaderboard.rows import Ranks
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
        standing.relist(player_id)


def sums(player_id: int, scope: str = "week", level: int = 0) -> list[tuple[int, int]]:
    """Return points and solves of a player over several days."""
    db.session.rollback()
    query = sa.select(Score.points, Score.solves).where(
        Score.player_id == player_id, Score.scope == scope, Score.level == level
    )
    return [(given, solves) for given, solves in db.session.execute(query.order_by(Score.starts_on))]


# Lists


@pytest.mark.parametrize("state", [Standing.ASSISTED, Standing.REMOVED, Standing.PAPER])
def test_a_solve_with_help_removed_or_from_paper_is_not_listed(daily: int, state: Standing) -> None:
    assert board_of(add_solve(add_player("Ada"), daily, 300, standing=state)) is None


@pytest.mark.parametrize(
    ("state", "doubts"), [(Standing.REVIEW, '["order"]'), (Standing.VERIFIED, '["paper"]')]
)
def test_what_is_under_review_or_typed_in_one_go_is_listed_without_a_rank(
    daily: int, state: Standing, doubts: str
) -> None:
    solve = add_solve(add_player("Ada"), daily, 60, standing=state, doubts=doubts)
    add_solve(add_player("Bob"), daily, 100)
    assert board_of(solve) == Leaderboard.UNRANKED
    page = days.day(daily, Leaderboard.DAY, None)
    assert [(row.rank, row.name) for row in page.rows] == [(None, "Ada"), (1, "Bob")]
    assert page.total == 1
    close(CLOSED)
    assert points_of(solve) is None


@pytest.mark.parametrize(("hours", "board"), [(20, Leaderboard.DAY), (48, Leaderboard.ARCHIVE)])
def test_a_guest_is_listed_once_they_take_a_name_and_apart_after_the_window(
    daily: int, hours: int, board: Leaderboard
) -> None:
    guest = add_player()
    solve = add_solve(guest, daily, 300)
    assert board_of(solve) is None
    change(guest, name="Ada", name_key="ada", password_hash="x", named_at=at(hours=hours))
    assert board_of(solve) == board


@pytest.mark.parametrize(("seconds", "board"), [(-1, Leaderboard.DAY), (0, Leaderboard.ARCHIVE)])
def test_the_window_ends_48_hours_after_the_release(daily: int, seconds: float, board: Leaderboard) -> None:
    starts = at(hours=48, seconds=seconds - 300)
    assert board_of(add_solve(add_player("Ada"), daily, 300, starts=starts)) == board


def test_practice_and_the_archive_are_listed_apart(daily: int) -> None:
    assert board_of(add_solve(add_player("Ada"), daily, 300, ranked=False)) == Leaderboard.ARCHIVE
    late = add_solve(add_player("Bob"), daily, 300, ranked=False, starts=at(days=9))
    assert board_of(late) == Leaderboard.ARCHIVE


def test_only_the_first_attempt_at_a_puzzle_is_listed(daily: int) -> None:
    ada = add_player("Ada")
    first = add_solve(ada, daily, 300)
    again = add_solve(ada, daily, 90, ranked=False, starts=at(hours=9))
    assert (board_of(first), board_of(again)) == (Leaderboard.DAY, None)


@pytest.mark.parametrize(
    ("seen_at", "board"),
    [(at(hours=-3), None), (at(hours=8, seconds=299), None), (at(hours=9), Leaderboard.DAY)],
)
def test_who_has_seen_the_puzzle_before_the_end_is_not_listed(
    daily: int, seen_at: object, board: Leaderboard | None
) -> None:
    grace = add_player("Grace")
    with write_tx():
        seen = db.session.get_one(Daily, daily).puzzle_id
        db.session.add(Peek(player_id=grace, puzzle_id=seen, seen_at=seen_at))
    assert board_of(add_solve(grace, daily, 300)) == board


def test_who_opts_out_leaves_every_board_and_may_come_back(daily: int) -> None:
    ada = add_player("Ada")
    solve = add_solve(ada, daily, 300)
    change(ada, listing=Listing.NONE)
    assert board_of(solve) is None
    change(ada, listing=Listing.ANONYMOUS)
    assert board_of(solve) == Leaderboard.DAY


# Ranks


def test_a_rank_is_one_more_than_the_solves_in_fewer_whole_seconds(daily: int) -> None:
    ranks = {60: 1, 90: 2, 90.9: 2, 200: 4, 300: 5}
    for seconds in ranks:
        add_solve(add_player(f"{seconds}"), daily, seconds)
    page = days.day(daily, Leaderboard.DAY, None)
    assert [(row.rank, row.name) for row in page.rows] == [(rank, f"{each}") for each, rank in ranks.items()]
    assert days.ranks(daily, Leaderboard.DAY, 90_500) == [Ranks(5, 1, 2)]
    assert days.by_second(daily) == {60: 1, 90: 2, 200: 1, 300: 1}


@pytest.mark.parametrize("seed", range(3))
def test_every_page_and_place_agrees_with_a_count_by_hand(
    daily: int, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever order solves come in, and wherever pages end."""
    monkeypatch.setattr("webapp.competition.leaderboard.rows.PAGE", 4)
    rng = random.Random(seed)
    solves = {}
    for number in range(15):
        seconds, state = (
            rng.choice((60, 60.5, 61, 61.9, 70)),
            rng.choice((Standing.VERIFIED, Standing.REVIEW)),
        )
        name = f"P{number}"
        add_solve(add_player(name), daily, seconds, standing=state)
        solves[name] = (int(seconds), state == Standing.VERIFIED)
    expected = {
        name: 1 + sum(ranked and other < second for other, ranked in solves.values()) if counts else None
        for name, (second, counts) in solves.items()
    }
    found: dict[str | None, int | None] = {}
    cursor = None
    while True:
        page = days.day(daily, Leaderboard.DAY, None, cursor)
        found |= {row.name: row.rank for row in page.rows}
        if page.after is None:
            break
        key = days.day_key(page.after)
        assert key is not None
        cursor = days.Cursor(key)
    assert found == expected
    key = days.day_key(page.before or "")
    assert key is not None
    back = days.day(daily, Leaderboard.DAY, None, days.Cursor(key, backwards=True))
    assert all(expected[row.name or ""] == row.rank for row in back.rows)


# Points


def test_points_fall_in_equal_steps_from_a_hundred_and_ties_share_them(daily: int) -> None:
    given = {60: 100, 90: 80, 90.9: 80, 200: 40, 300: 20}
    players = [add_player(f"{seconds}") for seconds in given]
    solves = [add_solve(player, daily, seconds) for player, seconds in zip(players, given, strict=True)]
    assert close(CLOSED) == 1
    assert [points_of(solve) for solve in solves] == [*given.values()]
    assert [sums(player) for player in players] == [[(each, 1)] for each in given.values()]


def test_a_day_closes_once_and_not_before_its_window_is_over(daily: int) -> None:
    solve = add_solve(add_player("Ada"), daily, 300)
    assert close(at(hours=47, minutes=59)) == 0
    assert close(at(hours=48, seconds=30)) == 0  # the last ones are still being stored
    assert points_of(solve) is None
    assert close(CLOSED) == 1
    assert points_of(solve) == 100
    assert close(CLOSED) == 0


def test_a_worker_killed_between_points_and_sums_goes_on(daily: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "STEP", 1)
    players = [add_player(name) for name in "abc"]
    for player in players:
        add_solve(player, daily, 60)
    assert len(list(closing.close(CLOSED))) == 1
    next(iter(closing.settle()))
    assert [sums(player) for player in players] == [[(100, 1)], [], []]
    list(closing.settle())
    assert [sums(player) for player in players] == [[(100, 1)]] * 3
    assert not db.session.get_one(Daily, daily).unsettled


def test_who_comes_to_the_board_as_it_closes_has_points_or_none(app: Flask, daily: int) -> None:
    """Whichever transaction is first, no solve is ranked without points on a closed day."""
    add_solve(add_player("Bob"), daily, 90)
    ada = add_player("Ada", listing=Listing.NONE)
    solve = add_solve(ada, daily, 60)
    other = threading.Thread(target=closed_elsewhere, args=(app,))
    with write_tx():
        db.session.get_one(Player, ada).listing = Listing.NAMED
        standing.relist(ada)  # on the leaderboard, but not stored yet
        other.start()
    other.join()
    list(closing.settle())
    assert (board_of(solve) == Leaderboard.DAY) is (points_of(solve) is not None)


def test_a_solve_cleared_as_its_day_closes_has_points(app: Flask, daily: int) -> None:
    add_solve(add_player("Bob"), daily, 90)
    solve = add_solve(add_player("Ada"), daily, 60, standing=Standing.REVIEW)
    other = threading.Thread(target=closed_elsewhere, args=(app,))
    with write_tx():
        standing.verdict(solve, Standing.VERIFIED, "looked at", CLOSED)
        other.start()
        waits_for_a_lock()
    other.join()
    close(CLOSED)
    assert (board_of(solve), points_of(solve)) == (Leaderboard.DAY, 100)


def closed_elsewhere(app: Flask) -> None:
    with app.app_context():
        close(CLOSED)


def waits_for_a_lock() -> None:
    """Wait until a transaction blocks on PostgreSQL; on SQLite none can begin."""
    if db.engine.dialect.name != "postgresql":
        return
    waiting = sa.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")

    def somebody_waits() -> bool:
        with db.engine.connect() as connection:
            return bool(connection.scalar(waiting))

    wait_until(somebody_waits)


def test_nothing_moves_a_closed_board_but_leaving_it(daily: int) -> None:
    ada, bob = add_player("Ada"), add_player("Bob", listing=Listing.NONE)
    first, hidden = add_solve(ada, daily, 300), add_solve(bob, daily, 200)
    close(CLOSED)
    change(bob, listing=Listing.NAMED)
    assert board_of(hidden) == Leaderboard.ARCHIVE
    change(ada, listing=Listing.NONE)
    assert (board_of(first), sums(ada)) == (None, [])
    change(ada, listing=Listing.NAMED)
    assert (board_of(first), sums(ada)) == (Leaderboard.DAY, [(100, 1)])


def test_a_curator_clears_a_solve_and_removes_one(daily: int) -> None:
    solve = add_solve(add_player("Ada"), daily, 300, standing=Standing.REVIEW, doubts='["order"]')
    verdict(solve, Standing.VERIFIED, "a musician", at(hours=30))
    assert board_of(solve) == Leaderboard.DAY
    verdict(solve, Standing.REMOVED, "a robot", at(hours=31))
    assert board_of(solve) is None
    with pytest.raises(NotFound):
        verdict("no such attempt", Standing.VERIFIED, "", at(hours=31))


def test_a_solve_removed_after_closing_gives_its_points_to_those_behind(daily: int) -> None:
    players = [add_player(name) for name in ("Ada", "Bob", "Cy")]
    solves = [add_solve(player, daily, 60 + place) for place, player in enumerate(players)]
    close(CLOSED)
    assert [points_of(solve) for solve in solves] == [100, 67, 33]
    verdict(solves[0], Standing.REMOVED, "a robot", at(days=4))
    close(at(days=4))
    assert [points_of(solve) for solve in solves] == [None, 100, 50]
    assert [sums(player) for player in players] == [[], [(100, 1)], [(50, 1)]]


def test_a_solve_cleared_after_closing_gets_the_points_of_its_rank(daily: int) -> None:
    others = [add_solve(add_player(name), daily, seconds) for name, seconds in (("Bob", 100), ("Cy", 400))]
    ada = add_player("Ada")
    solve = add_solve(ada, daily, 300, standing=Standing.REVIEW)
    close(CLOSED)
    verdict(solve, Standing.VERIFIED, "", at(days=4))
    close(at(days=4))
    assert [points_of(each) for each in (others[0], solve, others[1])] == [100, 67, 33]
    assert sums(ada) == [(67, 1)]


@pytest.mark.parametrize(("state", "ranked"), [("verified", True), ("verified", False), ("removed", True)])
def test_a_suspended_players_solve_of_a_day_that_closed_meanwhile_is_ranked_in_the_end(
    daily: int, state: str, ranked: bool
) -> None:
    bob, ada = add_solve(add_player("Bob"), daily, 90), add_player("Ada")
    solve = add_solve(ada, daily, 60, standing=Standing(state), ranked=ranked)
    with write_tx():
        suspensions.begin(db.session.get_one(Player, ada), None, "A robot.")
    close(CLOSED)
    assert points_of(bob) == 100
    with write_tx():
        suspensions.end(db.session.get_one(Player, ada))
    close(CLOSED)
    back = state == "verified" and ranked
    assert (board_of(solve) == Leaderboard.DAY, points_of(solve)) == (back, 100 if back else None)
    assert sums(ada) == ([(100, 1)] if back else [])
    assert points_of(bob) == (50 if back else 100)


def test_a_week_is_the_sum_of_its_points_from_monday_to_sunday() -> None:
    monday = date(2026, 3, 2)
    ada, bob = add_player("Ada"), add_player("Bob")
    for offset in (-1, 0, 6, 7):  # Sunday before, Monday, Sunday, Monday after
        for level in (2, 5):
            number = add_daily(monday + timedelta(days=offset), level)
            add_solve(ada, number, 100)
            add_solve(bob, number, 200)
    close(at(monday, days=20))
    weeks = sa.select(Score.starts_on, Score.level, Score.points, Score.solves).where(
        Score.player_id == ada, Score.scope == "week"
    )
    rows = {(start, level): (total, solves) for start, level, total, solves in db.session.execute(weeks)}
    assert rows[monday, 0] == (400, 4)
    assert rows[monday, 2] == rows[monday, 5] == (200, 2)
    assert rows[monday - timedelta(days=7), 0] == rows[monday + timedelta(days=7), 0] == (200, 2)
    assert sums(bob) == [(100, 2), (200, 4), (100, 2)]


def test_all_time_is_the_mean_of_the_last_hundred_from_twenty_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "MOST_SCORED", 4)
    monkeypatch.setattr(points, "FEWEST_SCORED", 3)
    ada, bob = add_player("Ada"), add_player("Bob")
    means = []
    for number, wins in enumerate((False, True, True, False, True, True)):
        daily = add_daily(DAY + timedelta(days=number))
        add_solve(ada, daily, 100 if wins else 300)
        add_solve(bob, daily, 200)
        close(at(DAY + timedelta(days=number), days=3))
        means.append(sums(ada, "all"))
    assert means[:2] == [[], []]
    assert means[2] == [(83, 3)]
    assert means[3:] == [[(75, 4)], [(88, 4)], [(88, 4)]]
    assert sums(ada, "all", 2) == [(88, 4)]
    assert sums(ada, "all", 3) == []


def test_a_merged_guests_solve_counts_for_the_account(daily: int) -> None:
    guest, ada = add_player(), add_player("Ada")
    solve = add_solve(guest, daily, 60)
    with write_tx():
        db.session.execute(sa.update(Attempt).where(Attempt.id == solve).values(player_id=ada))
        standing.relist(ada)
    close(CLOSED)
    assert (board_of(solve), sums(ada)) == (Leaderboard.DAY, [(100, 1)])
