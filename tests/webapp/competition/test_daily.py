"""The dailies over HTTP: visibility, starts, and the archive."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
import sqlalchemy as sa
from bs4 import Tag
from flask import Flask

import engine
from tests.webapp.conftest import EASY, bank_puzzle
from tests.webapp.statements import noted, one
from tests.webapp.visitors import SetClock, Visitor, givens_on
from webapp.bank import bank
from webapp.competition.daily import schedule, streaks
from webapp.models import Attempt, Daily, Peek, Player, Puzzle
from webapp.models.daily import opening
from webapp.process.database import db, write_tx

TODAY = "2026-03-01"  # by SetClock


@pytest.fixture
def guest(day: Flask) -> Visitor:
    """A visitor on a day with dailies."""
    return Visitor(day)


def givens_of(app: Flask, day: str = TODAY, level: int = 2) -> str:
    of_daily = Daily.date == date.fromisoformat(day), Daily.level == level
    return one(app, sa.select(Puzzle.givens).join(Daily).where(*of_daily))


def attempts(app: Flask) -> list[Attempt]:
    with app.app_context():
        return list(db.session.scalars(sa.select(Attempt).order_by(Attempt.started_at)))


def solve(visitor: Visitor, address: str, first: int = 1) -> None:
    assert visitor.finish(address, first).status_code == 200


def ranked(visitor: Visitor, level: int = 2) -> str:
    return visitor.start(daily=TODAY, level=level, ranked=1)


def card(visitor: Visitor, level: int = 2) -> Tag:
    return visitor.page.find(id=f"daily-card-{level}")


# Pages


@pytest.mark.parametrize("path", ["/daily", f"/daily/{TODAY}"])
def test_it_works(guest: Visitor, path: str) -> None:
    assert guest.get(path).status_code == 200
    assert guest.page.h1.text == "Daily 60"
    for level in (2, 3, 4):
        assert card(guest, level)["data-state"] == "new"
        assert card(guest, level).a["href"] == f"/daily/{TODAY}/{level}"
    assert guest.page.find(id="countdown")["datetime"] == "2026-03-02T00:00:00+00:00"
    assert guest.page.find(id="countdown")["data-left"] == str(15 * 3_600_000)


def starts(visitor: Visitor) -> list[str]:
    """Return the buttons of a daily's cover, the main one first."""
    return [button.text for button in visitor.page.select(".ready__do button")]


def test_a_daily_opens_on_a_cover_that_starts_nothing(day: Flask, guest: Visitor) -> None:
    guest.get(f"/daily/{TODAY}/2")
    assert guest.page.h1.text == "Today’s Easy"
    assert "One try, and the clock can’t be paused." in guest.page.text
    assert "Everyone gets the same grid." in guest.page.text
    assert not guest.page.select("#board, .ready text")
    assert starts(guest) == ["Play unranked", "Start ranked"], "for somebody who has solved nothing yet"
    assert attempts(day) == []
    solve(guest, guest.start(daily=TODAY, level=3))
    guest.get(f"/daily/{TODAY}/2")
    assert starts(guest) == ["Start", "Play unranked"]
    address = ranked(guest)
    assert guest.get(f"/daily/{TODAY}/2").location == address, "a running game needs no cover"


@pytest.mark.parametrize("path", [f"/daily/{TODAY}/5", f"/daily/{TODAY}/9", "/daily/yesterday/2"])
def test_what_is_not_there_has_no_cover(guest: Visitor, path: str) -> None:
    assert guest.get(path).status_code == 404


@pytest.mark.parametrize(
    ("minutes", "told"), [((4, 9, 14), True), ((4, 5, 14), False), ((4, 9, 9), False), ((9, 4, 14), False)]
)
def test_a_day_tells_times_where_they_rise_by_two_minutes(
    day: Flask, guest: Visitor, minutes: tuple[int, ...], told: bool
) -> None:
    with day.app_context(), write_tx():
        for level, expected in zip((2, 3, 4), minutes, strict=True):
            number = sa.select(Daily.puzzle_id).where(Daily.level == level).scalar_subquery()
            db.session.execute(
                sa.update(Puzzle).where(Puzzle.id == number).values(expected_seconds=60 * expected)
            )
    for path in ("/", "/daily", f"/daily/{TODAY}/3"):
        assert ("about" in guest.get(path).text.partition("<main")[2].partition("<footer")[0]) is told, path


def puzzle_number(app: Flask, day: str = TODAY) -> int:
    of_daily = Daily.date == date.fromisoformat(day), Daily.level == 2
    return one(app, sa.select(Daily.puzzle_id).where(*of_daily))


def test_a_card_goes_from_new_to_in_play_to_solved(guest: Visitor, clock: SetClock) -> None:
    address = ranked(guest)
    guest.get("/daily")
    assert card(guest)["data-state"] == "playing"
    assert card(guest).a["href"] == address
    clock.advance(minutes=7, seconds=42)
    solve(guest, address)
    guest.get("/")
    assert card(guest)["data-state"] == "solved"
    assert "Solved in 7:42, ranked" in card(guest).text


def test_home_shows_the_dailies_and_makes_none(app: Flask, other: Visitor) -> None:
    guest = other
    guest.get("/")
    assert guest.page.find(class_="dailies") is None
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Daily)) == 0
        list(schedule.schedule(SetClock.time, rated=False))
    guest.get("/")
    assert [link["href"] for link in guest.page.select(".dailies a")] == [
        f"/daily/{TODAY}/{n}" for n in (2, 3, 4)
    ]


@pytest.mark.both_databases
def test_the_day_changes_at_midnight_utc(guest: Visitor, clock: SetClock) -> None:
    clock.time = datetime(2026, 3, 1, 23, 59, 59, 999_999, UTC)
    guest.get("/daily")
    assert guest.page.h1.text == "Daily 60"
    clock.time = datetime(2026, 3, 2, tzinfo=UTC)
    guest.get("/daily")
    assert guest.page.h1.text == "Daily 61"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2026-02-30", "isn’t a date"),
        ("٢٠٢٦-٠٣-٠١", "isn’t a date"),
        ("2024-12-31", "no daily that day"),
        ("0001-01-01", "no daily that day"),
        ("2026-03-02", "opens in 15:00:00"),
    ],
)
def test_a_day_without_dailies_is_not_found_and_says_why(guest: Visitor, text: str, words: str) -> None:
    response = guest.get(f"/daily/{text}")
    assert response.status_code == 404
    assert words in response.text


def test_a_release_that_is_close_says_how_long_it_takes(guest: Visitor, clock: SetClock) -> None:
    clock.time = datetime(2026, 3, 1, 23, 59, 50, 500_000, UTC)
    response = guest.get("/daily/2026-03-02", **{"HX-Request": "true"})
    assert (response.status_code, response.headers["Retry-After"]) == (404, "10")
    assert "opens in 00:10" in response.text
    assert "<html" not in response.text


def test_a_gap_on_this_day_is_filled_on_request_and_logged(
    app: Flask, other: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    """Even with an empty bank."""
    with app.app_context(), write_tx():
        db.session.execute(sa.delete(Puzzle))
    assert other.get("/daily").status_code == 200
    assert [record.levelname for record in caplog.records].count("ERROR") == 3
    other.get(ranked(other))
    played, stored = (engine.parse(givens) for givens in (givens_on(other.page), givens_of(app)))
    # Each plays a transformation of their own
    assert engine.canonical_form(played) == engine.canonical_form(stored)


def test_what_is_shared_of_a_daily_is_its_number_and_a_page_without_givens(
    day: Flask, guest: Visitor, clock: SetClock
) -> None:
    address = ranked(guest)
    clock.advance(minutes=7, seconds=42)
    solve(guest, address)
    guest.get(address)
    text = guest.page.find(id="share-text").text
    assert text == f"Ninefold Sudoku #60 (Easy) 7:42, no hints\nhttp://localhost/puzzles/{puzzle_number(day)}"


# The archive


def cells(visitor: Visitor) -> list[str]:
    """Return the names of the days that can be opened, in order."""
    return [" ".join(cell.text.split()) for cell in visitor.page.select(".archive__table a")]


@pytest.mark.both_databases
def test_the_archive_is_a_grid_of_weeks_whose_cells_say_what_became_of_them(
    guest: Visitor, clock: SetClock
) -> None:
    address = ranked(guest)
    clock.advance(minutes=7, seconds=42)
    solve(guest, address)
    guest.start(daily=TODAY, level=3)
    clock.time = datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert guest.get("/archive", **{"Accept-Language": "en-GB"}).status_code == 200
    table = guest.page.table
    assert table.caption.text == "March 2026, Easy dailies"
    heads = [cell.text for cell in table.thead.find_all("th")]
    assert heads == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    weeks = [[cell.text.strip() for cell in row.find_all("td")] for row in table.tbody.find_all("tr")]
    assert weeks[0] == [""] * 6 + ["1 March 1, Easy, solved 7:42, ranked"]
    assert weeks[1] == ["2 March 2, Easy, new", "3", "4", "5", "6", "7", "8"]
    assert [len(week) for week in weeks] == [7] * 6
    assert table.select_one("[aria-current=date]").text.startswith("2 March 2")
    tabs = {tab.text: tab["href"] for tab in guest.page.select(".ranking__levels .chip")}
    assert list(tabs) == ["Easy 1, 1 day solved", "Medium", "Hard"]
    guest.get(tabs["Medium"])
    assert cells(guest)[0] == "1 March 1, Medium, in progress"


def test_every_day_of_the_last_year_can_be_opened(guest: Visitor) -> None:
    for month, days in (("2026-02", 28), ("2025-12", 31), ("2025-03", 31)):
        guest.get(f"/archive?month={month}&level=3")
        assert len(cells(guest)) == days
    first = guest.page.select_one(".archive__table a")
    assert first["href"] == "/daily/2025-03-01"
    assert guest.get(first["href"]).status_code == 200
    assert guest.page.h1.text == "March 1, 2025"
    assert "This day has no leaderboard" in guest.page.main.text
    guest.get(card(guest, 3).a["href"])
    assert starts(guest) == ["Play"]


@pytest.mark.both_databases
@pytest.mark.usefixtures("spare")
def test_looking_at_an_archived_day_or_its_picture_takes_no_puzzle(day: Flask, guest: Visitor) -> None:
    guest.get("/daily/2025-03-01")
    assert guest.get("/daily/2025-03-01/3/card.png").status_code == 200
    assert guest.get("/daily/2025-03-01/1/card.png").status_code == 404
    with day.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).where(Daily.date < date(2026, 3, 1))) == 0


@pytest.mark.usefixtures("spare")
def test_a_month_of_the_archive_takes_as_many_queries_with_one_daily_as_with_two(
    day: Flask, guest: Visitor, clock: SetClock
) -> None:
    with day.app_context():
        engine = db.engine

    def queries() -> int:
        with noted(engine) as counted:
            guest.get("/archive?month=2026-03&level=2")
        return len(counted)

    before = queries()
    clock.advance(days=1)
    assert queries() == before


@pytest.fixture
def spare(day: Flask) -> None:
    """The bank has one medium puzzle more than it reserves for players."""
    with day.app_context(), write_tx():
        puzzle = bank_puzzle(3)
        puzzle.givens, puzzle.rating_version, puzzle.shown_at = EASY[::-1], bank.RATED, None
        db.session.add(puzzle)


@pytest.mark.usefixtures("spare")
def test_an_archived_daily_is_given_a_puzzle_when_it_is_started_the_same_for_everyone(
    day: Flask, guest: Visitor, other: Visitor, clock: SetClock
) -> None:
    one = guest.start(daily="2025-03-01", level=3, ranked=0)
    two = other.start(daily="2025-03-01", level=3)
    guest.get(one)
    other.get(two)
    assert givens_on(guest.page) == givens_on(other.page) == givens_of(day, "2025-03-01", 3)
    assert guest.page.h1.text == "March 1, 2025, Medium"
    assert not attempts(day)[0].ranked
    clock.advance(minutes=7, seconds=42)
    solve(guest, one)
    guest.get("/archive?month=2025-03&level=3")
    assert cells(guest)[0] == "1 March 1, Medium, solved 7:42, practice"


@pytest.mark.usefixtures("spare")
def test_the_day_before_the_site_began_is_archived_at_once(day: Flask, guest: Visitor) -> None:
    assert guest.post("/attempts", {"daily": "2026-02-28", "level": 3, "ranked": 1}).status_code == 409
    solve(guest, guest.start(daily="2026-02-28", level=3))
    with day.app_context():
        assert not streaks.of(attempts(day)[0].player_id, SetClock.time).days


@pytest.mark.both_databases
@pytest.mark.usefixtures("spare")
def test_an_archived_daily_ends_no_streak(day: Flask, guest: Visitor, clock: SetClock) -> None:
    solve(guest, ranked(guest))
    clock.time = datetime(2026, 3, 5, 12, tzinfo=UTC)
    guest.start(daily="2026-03-03", level=3)
    with day.app_context():
        player = attempts(day)[0].player_id
        assert streaks.of(player, datetime(2026, 3, 2, 12, tzinfo=UTC)).current == 1
        assert streaks.of(player, clock()).longest == 1
        with write_tx():
            db.session.execute(sa.delete(Daily).where(Daily.date == date(2026, 3, 2)))
        assert streaks.of(player, clock()).current == 1


def test_where_the_bank_has_nothing_to_spare_an_archived_daily_is_made(guest: Visitor) -> None:
    assert guest.post("/attempts", {"daily": "2025-03-01", "level": 3}).status_code == 303


def test_months_are_swapped_in_and_their_addresses_pushed(guest: Visitor) -> None:
    guest.get("/archive")
    earlier = guest.page.find(id="month-earlier")
    assert earlier["href"] == earlier["hx-get"] == "/archive?month=2026-02&level=2"
    assert (earlier["hx-target"], earlier["hx-push-url"]) == ("#archive-month", "true")
    assert guest.page.find(id="month-later") is None
    fragment = guest.get(earlier["hx-get"], **{"HX-Request": "true"})
    assert fragment.text.lstrip().startswith('<section class="archive" id="archive-month"')
    assert guest.page.find(id="month-later")["href"] == "/archive?month=2026-03&level=2"
    whole = guest.get(earlier["href"], **{"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert "<html" in whole.text
    assert guest.get("/archive?month=2025-01").status_code == 200
    assert guest.page.find(id="month-earlier") is None


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        *((f"month={month}", 422, "month: expected") for month in ("2026-13", "2026-3", "march", "")),
        *((f"month={month}", 404, "no dailies that month") for month in ("2026-04", "2024-12")),
        *((f"level={level}", 422, "level: expected 1 to 5") for level in ("0", "6", "hard", "")),
    ],
)
def test_a_month_or_level_that_is_none_is_refused_and_named(
    guest: Visitor, query: str, status: int, words: str
) -> None:
    response = guest.get(f"/archive?{query}")
    assert response.status_code == status
    assert words in response.text


# A puzzle's page


@pytest.mark.both_databases
def test_a_dailys_page_shows_its_givens_to_players_who_have_started_it(
    day: Flask, guest: Visitor, other: Visitor
) -> None:
    number, givens = puzzle_number(day), givens_of(day)
    page = f"/puzzles/{number}"
    assert guest.get(page).status_code == 200
    assert guest.page.h1.text == "Daily 60, Easy"
    assert guest.page.select(".puzzle__board text") == []
    guest.get(ranked(guest))
    assert guest.givens == givens
    guest.get(page)
    assert len(guest.page.select(".puzzle__board text")) == 81 - givens.count(".")
    other.get(page)
    assert other.page.select(".puzzle__board text") == []
    other.get(ranked(other))
    assert other.givens == givens, "the same for everyone"


def test_a_puzzle_that_waits_for_its_day_has_no_page(day: Flask, guest: Visitor) -> None:
    number = puzzle_number(day, "2026-03-02")
    assert guest.get(f"/puzzles/{number}").status_code == 404
    assert guest.post("/attempts", {"puzzle": number}).status_code == 404
    assert "<figure" not in guest.get(f"/print?puzzle={number}").text


# Starting


def test_a_ranked_start_is_stored_with_the_steady_clock(day: Flask, guest: Visitor) -> None:
    guest.get(ranked(guest))
    assert guest.page.h1.text == "Daily 60, Easy"
    assert "Ranked" in guest.page.find(id="status").text
    (attempt,) = attempts(day)
    assert (attempt.ranked, attempt.level, attempt.started_at) == (True, 2, SetClock.time)
    assert attempt.daily_id is not None
    assert attempt.steady_start == f"set:{int(SetClock.time.timestamp()) * 10**9}"


def test_a_second_tab_joins_the_ranked_attempt_even_when_it_is_solved(day: Flask, guest: Visitor) -> None:
    address = ranked(guest)
    assert ranked(guest) == guest.start(daily=TODAY, level=2) == address
    solve(guest, address)
    assert ranked(guest) == address
    assert len(attempts(day)) == 1
    again = guest.start(daily=TODAY, level=2)
    assert again != address
    assert [attempt.ranked for attempt in attempts(day)].count(True) == 1


def test_many_tabs_that_start_together_get_one_ranked_attempt(day: Flask, guest: Visitor) -> None:
    guest.start(level=1)
    cookie = guest.cookie
    together = Barrier(16)

    def start(number: int) -> int:
        client = day.test_client()
        client.set_cookie("s", cookie)
        form = {"csrf_token": guest.token, "daily": TODAY, "level": 2, "ranked": 1 if number % 4 else ""}
        together.wait()
        for _again in range(100):  # sixteen at once can be too many for a busy machine: they retry
            if (status := client.post("/attempts", data=form).status_code) != 503:
                break
        return status

    with ThreadPoolExecutor(16) as tabs:
        answers = set(tabs.map(start, range(16)))
    assert answers <= {303, 409}  # 409 for those that came after a start as practice
    at_the_daily = [attempt for attempt in attempts(day) if attempt.daily_id is not None]
    assert len(at_the_daily) == 1


def test_after_its_window_a_daily_can_only_be_practised(guest: Visitor, clock: SetClock) -> None:
    clock.time = datetime(2026, 3, 2, 23, 59, 59, tzinfo=UTC)
    ranked(guest, 3)
    clock.time = datetime(2026, 3, 3, tzinfo=UTC)
    response = guest.post("/attempts", {"daily": TODAY, "level": 2, "ranked": 1})
    assert response.status_code == 409
    assert "closed" in response.text
    guest.get(f"/daily/{TODAY}/2")
    assert starts(guest) == ["Play"]
    guest.start(daily=TODAY, level=2)


@pytest.mark.parametrize("way", ["played", "seen"])
def test_nothing_can_be_ranked_once_the_puzzle_was_played_or_seen(
    day: Flask, guest: Visitor, way: str
) -> None:
    guest.start(level=1)
    if way == "played":
        guest.start(daily=TODAY, level=2)
    else:
        number = puzzle_number(day)
        with day.app_context(), write_tx():
            player = db.session.scalars(sa.select(Player.id)).one()
            db.session.add(Peek(player_id=player, puzzle_id=number, seen_at=SetClock.time))
    response = guest.post("/attempts", {"daily": TODAY, "level": 2, "ranked": 1})
    assert response.status_code == 409
    assert {"played": "already started", "seen": "seen this puzzle before"}[way] in response.text
    guest.start(daily=TODAY, level=2)
    ranked(guest, 3)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"daily": "today", "level": "2"}, 422, "daily: expected a date"),
        ({"daily": TODAY}, 422, "level: expected 1 to 5"),
        ({"daily": TODAY, "level": "6"}, 422, "level: expected 1 to 5"),
        ({"daily": TODAY, "level": "5"}, 404, "no daily at this level"),
        ({"daily": TODAY, "level": "2", "ranked": "yes"}, 422, "ranked: expected"),
        ({"daily": "2026-03-02", "level": "2", "ranked": "1"}, 404, "opens in"),
    ],
)
def test_a_start_that_cannot_be_is_refused_and_leaves_nothing(
    day: Flask, guest: Visitor, form: dict[str, Any], status: int, words: str
) -> None:
    response = guest.post("/attempts", form)
    assert response.status_code == status
    assert words in response.text
    assert attempts(day) == []


# Playing ranked


def test_a_ranked_solve_takes_no_pause(guest: Visitor) -> None:
    address = ranked(guest)
    refused = guest.move(address, 1, ("pause", "", ""))
    assert refused.status_code == 422
    assert "can’t pause a ranked game" in refused.text
    assert guest.post(f"{address}/clock", {"state": "paused"}).status_code == 422
    guest.get(address)
    assert not guest.page.main.has_attr("data-pausable")
    assert guest.page.find(id="pause") is None
    practice = guest.start(daily=TODAY, level=3)
    assert guest.move(practice, 1, ("pause", "", "")).status_code == 200


def test_the_clock_of_a_ranked_solve_counts_time_offline(day: Flask, guest: Visitor, clock: SetClock) -> None:
    address = ranked(guest)
    clock.advance(hours=20, minutes=1)
    solve(guest, address)
    (attempt,) = attempts(day)
    assert attempt.elapsed_ms == (20 * 60 + 1) * 60_000


@pytest.mark.parametrize(
    "help_",
    [("hint", "", 1), ("check", "", ""), ("fill", "", ""), ("fill", "", 5)],
    ids=lambda help_: help_[0],
)
def test_help_makes_a_ranked_solve_an_assisted_one(day: Flask, guest: Visitor, help_: Any) -> None:
    address = ranked(guest)
    assert guest.move(address, 1, help_).status_code == 200
    solve(guest, address, first=2)
    (attempt,) = attempts(day)
    assert attempt.assisted
    guest.get("/daily")
    assert "help used" in card(guest).text


def test_computed_candidates_are_no_help_outside_the_dailies(app: Flask, guest: Visitor) -> None:
    address = guest.start(level=1)
    guest.move(address, 1, ("fill", "", ""))
    assert not attempts(app)[0].assisted


@pytest.mark.parametrize("day_text", [TODAY, "2026-03-02"])
def test_a_puzzle_of_ones_own_that_comes_to_a_daily_is_refused_until_its_board_closes(
    day: Flask, guest: Visitor, clock: SetClock, day_text: str
) -> None:
    own = givens_of(day, day_text)[::-1]  # tests/webapp/competition/test_kept.py has all that it can be
    response = guest.post("/attempts", {"grid": own})
    assert response.status_code == 409
    assert "daily" in response.text
    clock.time = opening(date.fromisoformat(day_text)) + timedelta(hours=48)
    guest.start(grid=own)


@pytest.mark.both_databases
def test_earlier_games_are_shown_to_no_other_player(guest: Visitor, other: Visitor) -> None:
    solve(guest, ranked(guest))
    other.get("/daily")
    assert card(other)["data-state"] == "new"
    other.get("/archive")
    assert "solved" not in other.page.find(id="archive-month").text


# Streaks


def test_a_streak_is_shown_with_its_rule_and_its_calendar_with_a_day_in_it(
    guest: Visitor, clock: SetClock
) -> None:
    guest.register("Ada")
    guest.get("/players/Ada")
    assert guest.page.select(".calendar") == []
    solve(guest, guest.start(daily=TODAY, level=2))
    clock.advance(days=1)
    guest.get("/players/Ada")
    assert len(guest.page.select(".calendar__day--counts")) == 1
    guest.get("/daily")
    assert guest.page.select_one(".streak-block__words").text == "1-day streak Play one today to keep it."
    assert guest.page.select("section a[href='/rules#streaks']")
