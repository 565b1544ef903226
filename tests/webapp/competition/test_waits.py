"""Waits: which times have a rank at once, which don't yet, and what ends the wait."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import sqlalchemy as sa

from tests.webapp.solves import (
    DAY,
    add_daily,
    add_player,
    add_solve,
    assert_counts_are_true,
    at,
    board_of,
    crowd,
    verdict,
)
from tests.webapp.visitors import Visitor
from webapp.competition.leaderboard import days, places, rows
from webapp.competition.ranking import freezing, placing, waits
from webapp.models import Attempt, Leaderboard, Listing, Player, Puzzle, Standing, Status
from webapp.process.database import db, write_tx

pytestmark = [pytest.mark.both_databases, pytest.mark.usefixtures("inside")]


def settled(name: str) -> int:
    return add_player(name, settled_at=at(days=-1))


def busy(day: date = DAY) -> int:
    """A daily that enough established players have solved, in 3000 s."""
    daily = add_daily(day)
    crowd(daily)
    return daily


def times(daily: int, *, established: bool = False) -> list[tuple[int | None, str | None]]:
    """Return ranks and names as the day's leaderboard lists them, without the crowd's."""
    db.session.rollback()
    page = days.day(daily, Leaderboard.DAY, None, established=established).page
    return [(row.rank, row.name) for row in page.rows if not (row.name or "").startswith("crowd")]


def board(attempt_id: str) -> str | None:
    return board_of(attempt_id)[0]


# Small sites


def test_everybody_has_a_rank_at_once_until_enough_established_players_are_there() -> None:
    daily = add_daily()
    solves = [add_solve(add_player(f"P{number}"), daily, 150 + 60 * number) for number in range(5)]
    assert [board(solve) for solve in solves] == ["day"] * 5
    assert [rank for rank, _name in times(daily)] == [1, 2, 3, 4, 5]
    freezing.estimate()
    assert db.session.scalars(sa.select(Attempt.provisional).order_by(Attempt.elapsed_ms)).all() == [
        100, 75, 50, 25, 0
    ]  # fmt: skip


@pytest.mark.parametrize(("missing", "new", "fast"), [(1, "day", "day"), (0, "trial", "trial")])
def test_waits_begin_with_the_last_of_enough_established_players(missing: int, new: str, fast: str) -> None:
    daily = add_daily()
    crowd(daily, waits.ENOUGH - missing)
    assert board(add_solve(add_player("Neo"), daily, 300)) == new
    assert board(add_solve(settled("Ada"), daily, 190)) == fast


def test_times_are_looked_at_again_as_established_players_come_and_go() -> None:
    daily = add_daily()
    neo, fast = add_solve(add_player("Neo"), daily, 300), add_solve(settled("Ada"), daily, 190)
    crowd(daily, waits.ENOUGH - 1)  # with Ada they are enough
    freezing.estimate()
    assert (board(neo), board(fast)) == ("trial", "trial")
    assert_counts_are_true()
    with write_tx():
        placing.unlist(db.session.scalars(sa.select(Player.id).where(Player.name == "crowd 0")).one())
    freezing.freeze(at(hours=48, minutes=2))
    assert (board(neo), board(fast)) == ("day", "day")
    assert_counts_are_true()


def test_a_rank_on_a_closed_leaderboard_stays_and_so_does_a_wait() -> None:
    daily, other = add_daily(), busy(DAY + timedelta(days=1))
    ranked = add_solve(add_player("Neo"), daily, 300)
    waiting = add_solve(add_player("New"), other, 300, starts=at(days=1, hours=8))
    freezing.freeze(at(days=3, minutes=2))
    crowd(daily)
    with write_tx():
        placing.unlist(db.session.scalars(sa.select(Player.id).where(Player.name == "crowd 0")).one())
    for solve in (ranked, waiting):
        with write_tx():
            placing.settle_player(db.session.get_one(Attempt, solve).player_id)
    assert (board(ranked), board(waiting)) == ("day", "trial")


# New players


def test_a_new_players_time_is_shown_without_a_rank_and_earns_no_points() -> None:
    daily = busy()
    for number, name in enumerate(("Ada", "Bob", "Cy")):
        add_solve(settled(name), daily, 300 + number)
    new = add_solve(add_player("Neo"), daily, 400)
    add_solve(settled("Dee"), daily, 500)
    assert board_of(new)[0] == Leaderboard.TRIAL
    assert times(daily) == [(1, "Ada"), (2, "Bob"), (3, "Cy"), (None, "Neo"), (4, "Dee")]
    assert times(daily, established=True) == [(1, "Ada"), (2, "Bob"), (3, "Cy"), (4, "Dee")]
    freezing.freeze(at(hours=48, minutes=2))
    assert db.session.scalar(sa.select(Attempt.percentile).where(Attempt.id == new)) is None
    assert board_of(new)[0] == Leaderboard.TRIAL
    assert_counts_are_true()


def test_a_new_players_time_among_the_first_three_waits() -> None:
    daily = busy()
    neo = add_player("Neo")
    new = add_solve(neo, daily, 100)
    add_solve(settled("Ada"), daily, 300)
    assert times(daily) == [(1, "Ada")]
    assert places.place(db.session.get_one(Attempt, new)).waiting
    add_solve(settled("Bob"), daily, 290)
    assert times(daily) == [(1, "Bob"), (2, "Ada")]


def test_a_curators_word_lists_a_new_players_time_in_full() -> None:
    daily = busy()
    add_solve(settled("Ada"), daily, 300)
    new = add_solve(add_player("Neo"), daily, 100)
    verdict(new, Standing.VERIFIED, "We looked at it.", at(hours=10))
    assert times(daily) == [(1, "Neo"), (2, "Ada")]
    assert_counts_are_true()


def test_pages_of_times_with_new_players_among_them_have_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "PAGE", 3)
    monkeypatch.setattr(rows, "PAGE", 3)
    daily = add_daily()
    crowd(daily, seconds=200)
    for number in range(9):
        name = f"P{number}"
        add_solve(add_player(name) if number in (4, 5, 8) else settled(name), daily, 300 + number)
    seen, cursor = [], None
    while True:
        db.session.rollback()
        page = days.day(daily, Leaderboard.DAY, None, cursor).page
        seen += [row.name for row in page.rows]
        if page.after is None:
            break
        key = days.day_key(page.after)
        assert key is not None
        cursor = rows.Cursor(key)
    assert seen[waits.ENOUGH :] == [f"P{number}" for number in range(9)]
    assert page.before is not None
    key = days.day_key(page.before)
    assert key is not None
    back = days.day(daily, Leaderboard.DAY, None, rows.Cursor(key, backwards=True)).page
    assert [row.name for row in back.rows] == ["P4", "P5", "P6"]


def test_the_sixth_verified_daily_settles_a_player_and_earlier_days_are_ranked_then() -> None:
    neo, other = add_player("Neo"), settled("Ada")
    dailies = [busy(DAY + timedelta(days=number)) for number in range(6)]
    solves = []
    for number, daily in enumerate(dailies):
        starts = at(DAY + timedelta(days=number), hours=8)
        add_solve(other, daily, 400, starts=starts)
        placing.promote(neo, starts)
        solves.append(add_solve(neo, daily, 300, starts=starts))
    assert {board_of(solve)[0] for solve in solves} == {Leaderboard.TRIAL}
    freezing.freeze(at(hours=48, minutes=2))  # the first day
    placing.promote(neo, at(days=5, hours=9))
    assert {board_of(solve)[0] for solve in solves} == {Leaderboard.DAY}
    assert db.session.scalar(sa.select(Attempt.percentile).where(Attempt.id == solves[0])) > 99
    assert_counts_are_true()


# Times much faster than a player's others


def before(count: int) -> list[int]:
    return [add_daily(DAY - timedelta(days=number)) for number in range(1, count + 1)]


def solved(player: int, dailies: list[int], seconds: float) -> None:
    for number, daily in enumerate(dailies, 1):
        add_solve(player, daily, seconds, starts=at(DAY - timedelta(days=number), hours=8))


def test_a_very_fast_time_takes_no_rank_and_no_place_on_the_podium() -> None:
    daily = busy()  # 400 s are expected
    add_solve(settled("Ada"), daily, 300)
    fast = add_solve(settled("Bob"), daily, 190)
    assert board_of(fast)[0] == Leaderboard.TRIAL
    assert times(daily) == [(1, "Ada")]
    place = places.place(db.session.get_one(Attempt, fast))
    assert (place.waiting, place.wait, place.backing) == (True, waits.Wait.FAST, waits.BACKING)


@pytest.mark.parametrize(("seconds", "board"), [(218, Leaderboard.DAY), (219, Leaderboard.TRIAL)])
def test_a_very_fast_time_takes_its_rank_at_once_if_enough_others_were_as_fast(
    seconds: float, board: Leaderboard
) -> None:
    """seconds: 1.147 and 1.153 times as long."""
    ada, earlier, daily = settled("Ada"), before(waits.BACKING), busy()
    solved(ada, earlier, seconds)
    assert board_of(add_solve(ada, daily, 190))[0] == board


def test_doubted_solves_back_no_very_fast_time() -> None:
    ada, earlier, daily = settled("Ada"), before(waits.BACKING), busy()
    solved(ada, earlier[1:], 210)
    add_solve(ada, earlier[0], 210, standing=Standing.REVIEW)
    assert board_of(add_solve(ada, daily, 190))[0] == Leaderboard.TRIAL


def test_a_time_of_half_the_expected_one_needs_no_others() -> None:
    assert board_of(add_solve(settled("Ada"), busy(), 200))[0] == Leaderboard.DAY


def test_the_last_solve_that_was_missing_ranks_a_very_fast_time_on_a_closed_day_too() -> None:
    ada, first = settled("Ada"), busy()
    fast = add_solve(ada, first, 190)
    freezing.freeze(at(hours=48, minutes=2))
    assert board_of(fast)[0] == Leaderboard.TRIAL
    for number in range(1, waits.BACKING + 1):
        day = DAY + timedelta(days=number)
        add_solve(ada, add_daily(day), 210, starts=at(day, hours=8))
        placing.promote(ada, at(day, hours=9))
        assert board_of(fast)[0] == (Leaderboard.DAY if number == waits.BACKING else Leaderboard.TRIAL)
    assert_counts_are_true()


def test_a_curators_word_ranks_a_very_fast_time() -> None:
    fast = add_solve(settled("Ada"), busy(), 190)
    verdict(fast, Standing.VERIFIED, "We looked at it.", at(hours=10))
    assert board_of(fast)[0] == Leaderboard.DAY


@pytest.mark.parametrize(("between", "board"), [(0, Leaderboard.DAY), (1, Leaderboard.TRIAL)])
def test_a_very_fast_time_is_backed_by_the_latest_solves_only(between: int, board: Leaderboard) -> None:
    """between: slower solves after those that confirm it, until not all ten are among the latest."""
    ada, old, daily = settled("Ada"), before(waits.BACKING), busy()
    solved(ada, old, 210)
    numbers = range(10_000, 10_000 + waits.HISTORY - waits.BACKING + between)
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
    return [attempt.id for attempt in waits.for_curators(at(hours=12), 100)]


def test_very_fast_times_wait_for_a_curator_the_latest_day_first() -> None:
    today, yesterday = busy(), busy(DAY - timedelta(days=1))
    ada, bob, neo = settled("Ada"), settled("Bob"), add_player("Neo")
    first = add_solve(ada, today, 190)
    later = add_solve(bob, today, 199)
    new = add_solve(neo, yesterday, 150, starts=at(days=-1, hours=8))
    add_solve(settled("Cy"), today, 200)
    add_solve(add_player("New"), today, 300)
    add_solve(settled("Dee"), today, 190, standing=Standing.REVIEW)
    add_solve(add_player(), today, 190)
    assert waiting() == [later, first, new]


def test_a_very_fast_time_that_others_confirm_or_a_curator_decides_waits_no_more() -> None:
    daily = busy()
    counted, removed = (add_solve(settled(name), daily, 190) for name in ("Ada", "Bob"))
    backed, earlier = settled("Cy"), before(waits.BACKING)
    solved(backed, earlier, 210)
    add_solve(backed, daily, 190)
    assert set(waiting()) == {counted, removed}
    verdict(counted, Standing.VERIFIED, "We looked at it.", at(hours=10))
    verdict(removed, Standing.REMOVED, "A robot.", at(hours=10))
    assert waiting() == []


def test_who_hides_until_a_day_has_closed_is_ranked_there_by_nothing() -> None:
    eve, daily = settled("Eve"), add_daily()
    with write_tx():
        db.session.get_one(Player, eve).listing = Listing.NONE
    hidden = add_solve(eve, daily, 300)
    freezing.freeze(at(hours=48, minutes=2))
    with write_tx():
        db.session.get_one(Player, eve).listing = Listing.NAMED
        placing.settle_player(eve)
    with write_tx():
        placing.readmit(eve)
    assert board(hidden) == "archive"
    assert_counts_are_true()


def test_a_leaderboard_of_established_players_only(guest: Visitor) -> None:
    daily = add_daily()
    crowd(daily, seconds=200)
    add_solve(add_player("Neo"), daily, 300)
    address = f"/leaderboard?date={DAY.isoformat()}&level=2&players="
    assert guest.get(address + "rich").status_code == 422
    for players in ("all", "established"):
        guest.get(address + players)
        assert ("Neo" in guest.page.select_one("#leaderboard").text) == (players == "all")
        assert guest.page.select_one("#other-players") is not None


def test_a_leaderboard_without_provisional_times_offers_no_other_players(guest: Visitor) -> None:
    add_solve(add_player("Neo"), add_daily(), 300)
    guest.get(f"/leaderboard?date={DAY.isoformat()}&level=2")
    assert guest.page.select_one("#other-players") is None
