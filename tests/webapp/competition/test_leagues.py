"""Leagues: taking part, live standings, settled once, promotion and relegation, past seasons and records."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.webapp.solves import add_daily, add_player, add_solve, at
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.leagues import arranging, leagues, seasons
from webapp.competition.leagues.arranging import Entrant
from webapp.competition.ranking import freezing
from webapp.models import League, LeagueMember, LeaguePlayer, Listing, Period, Player, PlayerRating
from webapp.process.database import db, write_tx

MONDAY = date(2026, 3, 2)
WEEK = Period.WEEK

# Members of a league


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 6), st.floats(800, 2400)), max_size=300))
def test_each_player_has_one_place_in_a_league_of_about_thirty(found: list[tuple[int, float]]) -> None:
    entrants = [Entrant(number, *each) for number, each in enumerate(found)]
    leagues_made = arranging.leagues_of(entrants)
    assert sorted(player for league in leagues_made for player in league) == list(range(len(found)))
    assert all(len(league) <= arranging.MOST for league in leagues_made)
    assert len(leagues_made) < 2 or all(len(league) >= arranging.FEWEST for league in leagues_made)


def test_large_tiers_are_split_by_rating() -> None:
    first, second = arranging.leagues_of(Entrant(number, 1, number) for number in range(60))
    assert (min(first), max(second)) == (30, 29)


@settings(max_examples=30)
@given(st.lists(st.sampled_from([0.0, 10.0, 20.0, 35.5, 80.0]), max_size=45), st.integers(1, 3))
def test_the_best_go_up_the_last_down_and_ties_together(points: list[float], number: int) -> None:
    moved = arranging.moves(points, number, 3)
    for own, move in zip(points, moved, strict=True):
        assert {other for value, other in zip(points, moved, strict=True) if value == own} == {move}
        assert not (own == 0 and move < 0)
    assert number > 1 or -1 not in moved
    assert number < 3 or 1 not in moved


@pytest.mark.parametrize(
    ("period", "day", "first", "last"),
    [
        (Period.WEEK, date(2026, 3, 8), MONDAY, date(2026, 3, 8)),
        (Period.MONTH, date(2026, 2, 28), date(2026, 2, 1), date(2026, 2, 28)),
        (Period.MONTH, date(2027, 1, 1), date(2027, 1, 1), date(2027, 1, 31)),
    ],
)
def test_a_season_is_a_week_or_a_month(period: Period, day: date, first: date, last: date) -> None:
    assert arranging.start_of(period, day) == first
    assert arranging.last_of(period, first) == last


# Seasons


def member(name: str, tier: int = 1, rating: float | None = None) -> int:
    player = add_player(name)
    with write_tx():
        db.session.add(LeaguePlayer(player_id=player, period=WEEK, tier=tier, joined_at=at(MONDAY, hours=-1)))
        if rating is not None:
            values = {"rating": rating, "deviation": 60.0, "volatility": 0.06, "games": 9}
            db.session.add(PlayerRating(player_id=player, family="", rated_at=at(MONDAY), **values))
    return player


def two_leagues() -> tuple[list[int], list[int]]:
    """A week of two leagues of 15, and a daily of Monday that all but the last of each have solved."""
    upper = [member(f"A{number}", 1) for number in range(15)]
    lower = [member(f"B{number}", 2) for number in range(15)]
    assert seasons.draw(WEEK, at(MONDAY, hours=1)) == 2
    daily = add_daily(MONDAY)
    with write_tx():
        for number in range(14):
            add_solve(upper[number], daily, 300 + number)
            add_solve(lower[number], daily, 400 + number)
    return upper, lower


OVER = at(MONDAY, days=9, minutes=5)  # the window of Sunday's dailies is over


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_a_season_is_settled_once_and_the_next_one_drawn() -> None:
    upper, lower = two_leagues()
    freezing.freeze(OVER)
    assert seasons.turn(OVER) == 4  # two settled, two drawn
    assert seasons.turn(OVER) == 0
    moved = dict(
        db.session.execute(
            sa.select(LeagueMember.player_id, LeagueMember.moved).where(LeagueMember.moved != 0)
        ).all()
    )
    assert moved == {upper[-1]: 1, upper[-2]: 1, lower[0]: -1, lower[1]: -1}
    drawn = db.session.scalars(sa.select(League).where(League.settled_at.is_(None)).order_by(League.number))
    first, second = drawn.all()
    assert (first.starts_on, second.starts_on) == (MONDAY + timedelta(days=7),) * 2
    members = {line.player_id for line in leagues.standings(first).lines}
    assert members == {*upper[:-2], *lower[:2]}
    assert [season.rank for season in leagues.past(lower[0])] == [1]


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_nothing_is_settled_while_a_leaderboard_of_the_season_is_open() -> None:
    two_leagues()
    assert seasons.turn(at(MONDAY, days=7, hours=1)) == 0
    assert seasons.turn(OVER) == 0  # Monday's leaderboard has not been frozen
    number = db.session.scalars(sa.select(sa.func.min(League.id))).one()
    assert seasons.settle(number, OVER)
    assert not seasons.settle(number, OVER)


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_standings_are_there_at_once_and_stay_as_they_were_settled() -> None:
    _upper, lower = two_leagues()
    freezing.estimate()
    running = db.session.scalars(sa.select(League).where(League.number == 2)).one()
    so_far = leagues.standings(running)
    assert [line.rank for line in so_far.lines] == [*range(1, 15), 14]  # the slowest has no points either
    assert so_far.lines[0].player_id == lower[0] and so_far.lines[-1].solves == 0
    freezing.freeze(OVER)
    seasons.turn(OVER)
    db.session.expire_all()
    final = leagues.standings(running)
    assert final.final and [line.player_id for line in final.lines] == [
        line.player_id for line in so_far.lines
    ]


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_a_new_member_is_placed_among_players_of_similar_rating() -> None:
    for number in range(15):
        member(f"A{number}", 1, 2000)
        member(f"B{number}", 2, 1200)
    seasons.draw(WEEK, at(MONDAY, hours=1))
    joined = add_player("New")
    leagues.join(joined, WEEK, at(MONDAY, days=2))
    leagues.join(joined, WEEK, at(MONDAY, days=2))  # twice counts once
    (taking, _monthly) = leagues.of_player(joined)
    assert [each.league.number for each in taking.standings] == [2]
    leagues.leave(joined, WEEK)
    (taking, _monthly) = leagues.of_player(joined)
    assert (taking.member, taking.standings) == (False, [])


@pytest.mark.both_databases
@pytest.mark.parametrize("settled_first", [False, True])
@pytest.mark.usefixtures("inside")
def test_who_leaves_and_comes_back_belongs_where_the_season_put_them(settled_first: bool) -> None:
    """Leaving at the season's end, and returning before or after it is settled, evades no relegation."""
    upper, _lower = two_leagues()
    last = upper[-1]
    first = db.session.scalars(sa.select(League).where(League.number == 1)).one()
    leagues.leave(last, WEEK)
    assert last not in {line.player_id for line in leagues.standings(first).lines}
    freezing.freeze(OVER)
    if settled_first:
        assert seasons.turn(OVER)
    leagues.join(last, WEEK, OVER)
    if not settled_first:
        assert seasons.turn(OVER)
    assert db.session.get_one(LeaguePlayer, (last, WEEK)).tier == 2


@pytest.mark.usefixtures("inside")
def test_a_season_sat_out_evades_no_relegation_either() -> None:
    upper, _lower = two_leagues()
    leagues.leave(upper[-1], WEEK)
    later = OVER + timedelta(days=7)
    for over in (OVER, later):
        freezing.freeze(over)
        assert seasons.turn(over)
    leagues.join(upper[-1], WEEK, later)
    assert db.session.get_one(LeaguePlayer, (upper[-1], WEEK)).tier == 2


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_a_member_who_returns_in_the_same_season_has_the_old_place_again() -> None:
    upper, _lower = two_leagues()
    leagues.leave(upper[3], WEEK)
    leagues.join(upper[3], WEEK, at(MONDAY, days=2))
    (taking, _monthly) = leagues.of_player(upper[3])
    assert [each.league.number for each in taking.standings] == [1]


@pytest.mark.usefixtures("inside")
def test_who_is_on_no_leaderboard_is_in_no_league() -> None:
    hidden = member("Hidden")
    with write_tx():
        db.session.get_one(Player, hidden).listing = Listing.NONE
    assert seasons.draw(WEEK, at(MONDAY, hours=1)) == 0


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_who_is_suspended_or_hidden_leaves_the_standings_and_is_settled_all_the_same() -> None:
    upper, _lower = two_leagues()
    suspended, hidden = upper[1], upper[3]
    with write_tx():
        db.session.get_one(Player, suspended).suspended = True
        db.session.get_one(Player, hidden).listing = Listing.NONE
    first = db.session.scalars(sa.select(League).where(League.number == 1)).one()
    freezing.freeze(OVER)
    shown = [each for each in upper if each not in (suspended, hidden)]
    for _when in ("running", "settled"):
        assert [line.player_id for line in leagues.standings(first).lines] == shown
        seasons.turn(OVER)
        db.session.expire_all()
    assert first.settled_at is not None
    seats = sa.select(sa.func.count()).where(
        LeagueMember.league_id == first.id, LeagueMember.rank.is_not(None)
    )
    assert db.session.scalar(seats) == len(upper)


# Pages


def test_it_works(ada: Visitor, app: Flask, clock: SetClock) -> None:
    assert ada.get("/leagues").status_code == 200
    assert ada.post("/leagues/membership", {"period": "week", "member": "yes"}).status_code == 303
    with app.app_context():
        add_daily()
        assert seasons.turn(clock()) == 1
    ada.get("/leagues")
    assert "Ada" in ada.page.find(id="league-week").find("table").text
    assert ada.post("/leagues/membership", {"period": "week", "member": "no"}).status_code == 303
    ada.get("/leagues")
    assert ada.page.find(id="league-week").find("table") is None


def test_guests_see_leagues_and_join_with_an_account(guest: Visitor) -> None:
    assert guest.get("/leagues").status_code == 200
    answer = guest.post("/leagues/membership", {"period": "week", "member": "yes"})
    assert (answer.status_code, "/login" in str(answer.location)) in ((303, True), (401, False))


@pytest.mark.parametrize(
    "fields", [{}, {"period": "year", "member": "yes"}, {"period": "week"}, {"period": "week", "member": "x"}]
)
def test_a_bad_choice_is_refused(ada: Visitor, fields: dict[str, str]) -> None:
    answer = ada.post("/leagues/membership", fields)
    assert answer.status_code == 422 and "Choose" in answer.text


def test_hidden_players_see_why_they_cannot_join(app: Flask, ada: Visitor) -> None:
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Player).values(listing=Listing.NONE))
    answer = ada.post("/leagues/membership", {"period": "week", "member": "yes"})
    assert answer.status_code == 422 and "show yourself" in answer.text


def test_a_league_that_is_none_is_not_found(guest: Visitor) -> None:
    assert guest.get("/leagues/999").status_code == 404


@pytest.mark.both_databases
def test_past_seasons_and_records_are_kept(app: Flask, guest: Visitor) -> None:
    guest.get("/leagues/records")
    assert "No records yet" in guest.page.find(id="main").text
    with app.app_context():
        two_leagues()
        freezing.freeze(OVER)
        seasons.turn(OVER)
        number = db.session.scalars(sa.select(League.id).where(League.number == 2)).first()
    guest.get(f"/leagues/{number}")
    assert "Final." in guest.page.find(id="main").text
    assert len(guest.page.select(".league__move--up")) == 2
    guest.get("/leagues/records")
    times = [row.find_all("td")[-1].text for row in guest.page.select("#level-2 tbody tr")]
    assert times[:2] == ["5:00", "5:01"] and len(times) == leagues.RECORDS
