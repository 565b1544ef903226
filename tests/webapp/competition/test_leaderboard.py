"""Leaderboard pages: listing, ranks, ties, pages, filters, the player's own place, errors."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import solution_of
from tests.webapp.solves import DAY, add_daily, add_player, add_points, add_solve, at, close, play, verdict
from tests.webapp.statements import player_id
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.competition.leaderboard import charts, rows
from webapp.models import Attempt, Daily, Listing, Peek, Player, Role, Standing
from webapp.process.database import db, write_tx

BOARD = "/leaderboard?date=2026-03-01&level=2"


@pytest.fixture
def daily(app: Flask) -> int:
    with app.app_context():
        return add_daily()


def solved(app: Flask, *seconds: float) -> None:
    """Create solves of the daily by players P0, P1, ..."""
    with app.app_context():
        number = db.session.scalars(sa.select(Daily.id)).one()
        for index, time in enumerate(seconds):
            add_solve(add_player(f"P{index}"), number, time)


def lines(visitor: Visitor, table: str = "#board-rows .ranking__table") -> list[list[str]]:
    rows = visitor.page.select(f"{table} tbody tr")
    return [
        [
            " ".join((cell.select_one(".ranking__name") or cell).text.split())
            for cell in row.select("td:not(.ranking__scale), th")
        ]
        for row in rows
    ]


@pytest.mark.usefixtures("daily")
def test_it_works(app: Flask, guest: Visitor) -> None:
    solved(app, 301.9, 62.4)
    response = guest.get(BOARD)
    assert response.status_code == 200
    assert lines(guest) == [["1", "P1", "1:02"], ["2", "P0", "5:01"]]
    assert guest.page.select_one("table.ranking__table").caption.text == "Daily times, Easy"
    assert guest.page.select_one("#board-rules time")["datetime"] == "2026-03-03T00:00:00+00:00"
    assert "first place earns 100 points" in guest.page.find(id="board-rules").text


@pytest.mark.usefixtures("daily")
def test_an_empty_board_shows_the_puzzle_and_leads_to_it(guest: Visitor) -> None:
    guest.get("/leaderboard")
    empty = guest.page.select_one("#board-rows .empty")
    assert "No one’s solved it yet" in empty.text
    assert empty.select_one(".squares__given")["d"]
    assert empty.find("a").text == "Play today’s Easy"


@pytest.mark.usefixtures("daily")
def test_ones_own_row_says_how_far_the_next_rank_is(app: Flask, ada: Visitor, clock: SetClock) -> None:
    solved(app, 300, 460)
    play(ada, clock)
    ada.get("/leaderboard")
    assert ada.page.select_one(".ranking__mine .ranking__goal").text == "0:20 to 2nd"


@pytest.mark.parametrize("scope", ["day", "week", "all"])
@pytest.mark.parametrize("level", [1, 5])
def test_every_board_is_there_without_a_daily(guest: Visitor, scope: str, level: int) -> None:
    response = guest.get(f"/leaderboard?scope={scope}&level={level}&date=2026-02-27")
    assert response.status_code == 200
    assert guest.page.select_one("#board-rows .empty .squares__given") is not None


def test_names_lead_to_their_players_but_an_anonymous_one_has_a_row_without_a_name(
    app: Flask, daily: int, guest: Visitor, ada: Visitor
) -> None:
    own = player_id(app, "Ada")
    with app.app_context():
        add_solve(own, daily, 90)
        add_solve(add_player("Shy", listing=Listing.ANONYMOUS), daily, 100)
        add_solve(add_player("Gone", listing=Listing.NONE), daily, 95)
    text = guest.get(BOARD).text
    assert lines(guest) == [["1", "Ada", "1:30"], ["2", "anonymous", "1:40"]]
    assert "Shy" not in text
    assert "Gone" not in text
    links = [link["href"] for link in guest.page.select(".ranking__table tbody a")]
    assert links == ["/players/Ada"]
    assert ada.get(links[0]).status_code == 200


@pytest.mark.usefixtures("daily")
def test_a_solve_over_http_comes_to_the_board(ada: Visitor, clock: SetClock) -> None:
    """It shows its place at its end; the only one has no rank yet."""
    address = play(ada, clock)
    ada.get(address)
    strip = " ".join(ada.page.find(id="rank-strip").text.split())
    assert "On the leaderboard · 8:00" in strip
    assert "1 of 1" not in strip
    assert "rank" not in shared(ada, address)
    ada.get(BOARD)
    assert lines(ada) == [["", "Ada You", "8:00"]]


def test_a_curator_hears_why_a_puzzle_seen_at_the_desk_is_not_listed(
    app: Flask, daily: int, ada: Visitor
) -> None:
    number = player_id(app, "Ada")
    with app.app_context():
        with write_tx():
            puzzle_id = db.session.get_one(Daily, daily).puzzle_id
            db.session.add(Peek(player_id=number, puzzle_id=puzzle_id, seen_at=at(hours=8, minutes=1)))
        add_solve(number, daily, 100)
    ada.get(BOARD)
    words = " ".join(ada.page.find(id="my-rank").text.split())
    assert "you’d seen this puzzle before" in words
    assert "played this puzzle before" not in words


@pytest.mark.both_databases
@pytest.mark.usefixtures("daily")
def test_a_doubted_solve_says_why_to_its_player_alone(
    app: Flask, ada: Visitor, other: Visitor, clock: SetClock
) -> None:
    """It promises a check if somebody could do it."""
    address = play(ada, clock, minutes=0.1)
    for path in (address, BOARD):
        ada.get(path)
        reason = ada.page.find(id="flag-reason").text
        assert "Under review" in reason
        assert "faster than a hand can type" in reason
        assert "It has no rank." in reason
    assert "review" not in other.get(BOARD).text.replace("A time without a rank is under review", "")
    other.register("Mod")
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Player).where(Player.name == "Mod").values(role=Role.MODERATOR))
    ada.get(BOARD)
    assert "A curator will check it." in ada.page.find(id="flag-reason").text


def test_a_curators_word_is_shown(app: Flask, daily: int, ada: Visitor) -> None:
    own = player_id(app, "Ada")
    with app.app_context():
        solve = add_solve(own, daily, 100)
        verdict(solve, Standing.REMOVED, "Twelve cells a second.", at(hours=20))
    ada.get(BOARD)
    assert "Removed" in ada.page.text
    assert "Twelve cells a second." in ada.page.text


@pytest.mark.both_databases
@pytest.mark.usefixtures("daily")
def test_pages_follow_each_other_without_gap_or_repetition(
    app: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 3)
    solved(app, 50, 60, 60.1, 60.5, 60.9, 61, 70, 80)
    seen, path = [], BOARD
    while True:
        guest.get(path)
        seen.append(lines(guest))
        after = guest.page.find(id="page-after")
        if after is None:
            break
        path = str(after["href"])
    assert [len(page) for page in seen] == [3, 3, 2]
    ranks = [line[0] for page in seen for line in page]
    assert ranks == ["1", *["2"] * 4, "6", "7", "8"]
    assert len({line[1] for page in seen for line in page}) == 8
    guest.get(str(guest.page.find(id="page-before")["href"]))
    assert lines(guest) == seen[1]


def test_ones_own_row_is_pinned_where_it_is_on_another_page(
    app: Flask, daily: int, ada: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 2)
    solved(app, 50, 60, 70, 5000)
    own = player_id(app, "Ada")
    with app.app_context():
        add_solve(own, daily, 4000)
    ada.get(BOARD)
    assert lines(ada)[0] == ["4", "Ada You", "1:06:40"]
    assert len(lines(ada)) == 3
    assert "Rank 4 of 5" in " ".join(ada.page.find(id="my-rank").text.split())


def test_late_times_stand_apart(app: Flask, daily: int, guest: Visitor) -> None:
    solved(app, 100)
    with app.app_context():
        add_solve(add_player("Late"), daily, 50, ranked=False, starts=at(days=5))
    guest.get(BOARD)
    assert [line[1] for line in lines(guest)] == ["P0"]
    guest.get(f"{BOARD}&list=archive")
    assert [line[1] for line in lines(guest)] == ["Late"]


def test_the_first_three_of_yesterday_stand_beside_todays_board(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    with app.app_context():
        before, today, _next = [add_daily(DAY + timedelta(days=days)) for days in (-1, 0, 1)]
        for name, seconds in (("Ada", 90), ("Bo", 61.2), ("Cy", 61.9), ("Di", 400), ("Ed", 70)):
            add_solve(add_player(name), before, seconds)
        add_solve(add_player("Flo"), today, 50)
    guest.get("/leaderboard?level=2")
    first, second, third = lines(guest, "#yesterday")
    assert (first[1:], second[1:], third) == (["Bo", "1:01"], ["Cy", "1:01"], ["3", "Ed", "1:10"])
    assert [line[1] for line in lines(guest)] == ["Flo"]
    guest.get("/leaderboard?level=2&date=2026-02-28")
    assert lines(guest, "#yesterday") == []
    clock.advance(days=1)
    guest.get("/leaderboard?level=2")
    assert [line[1:] for line in lines(guest, "#yesterday")] == [["Flo", "0:50"]]


@pytest.mark.both_databases
def test_points_of_week_and_all_time_have_ranks_ties_and_pages(
    app: Flask, ada: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 2)
    monday, own = date(2026, 2, 23), player_id(app, "Ada")
    with app.app_context(), write_tx():
        for number, points in enumerate((90, 80, 80, 70)):
            player = add_player(f"P{number}")
            for scope, start in (("week", monday), ("all", date(2026, 1, 1))):
                add_points(player, scope, start, points, 3)
        add_points(own, "week", monday, 70, 1)
    ada.get("/leaderboard?scope=week&date=2026-03-01")
    assert ada.page.select_one(".ranking__day").text.split() == ["Feb", "23", "–", "Mar", "1,", "2026"]
    assert lines(ada) == [
        ["4", "Ada You", "1", "70"],
        ["1", "P0", "3", "90"],
        ["2", "P2", "3", "80"],
    ]
    ada.get(str(ada.page.find(id="page-after")["href"]))
    assert [line[0] for line in lines(ada)][-2:] == ["2", "4"]
    ada.get("/leaderboard?scope=all")
    assert len(lines(ada)) == 2
    assert "All-time points" in ada.page.text


def test_the_chart_marks_ones_own_time_and_has_a_table(app: Flask, daily: int, ada: Visitor) -> None:
    solved(app, *[100, 200, 210, 300, 300] * 3, *[200] * 4)
    own = player_id(app, "Ada")
    ada.get(BOARD)
    assert ada.page.select_one(".spread") is None, "for nineteen"
    with app.app_context():
        add_solve(own, daily, 215)
    ada.get(BOARD)
    assert len(ada.page.select("rect.chart__bar--mine")) == 1
    assert ada.page.select_one("#spread-own") is not None
    counts = [int(cell.text) for cell in ada.page.select(".spread__table td")]
    assert sum(counts) == 20
    assert "style=" not in str(ada.page.select_one(".spread"))


@pytest.mark.usefixtures("daily")
@pytest.mark.parametrize("minutes", [8, 10, 60])
@pytest.mark.parametrize("listing", ["guest", "none"])
def test_the_chart_marks_the_time_of_an_unlisted_player(
    app: Flask, ada: Visitor, guest: Visitor, clock: SetClock, minutes: int, listing: str
) -> None:
    solved(app, *[500, 550, 601, 640, 700] * 4)
    visitor = guest if listing == "guest" else ada
    ada.post("/account/listing", {"listing": "none"})
    play(visitor, clock, minutes=minutes)
    with app.app_context():
        assert set(db.session.scalars(sa.select(Attempt.standing))) == {Standing.VERIFIED}
    visitor.get(BOARD)
    assert visitor.page.select_one("#spread-own").text.startswith("You: ")
    rows = visitor.page.select(".spread__table tbody tr")
    assert len(rows) <= charts.MOST_BARS + 1
    assert sum(int(row.select("td")[0].text) for row in rows) == 20
    (own,) = (row for row in rows if row.select_one(".ranking__you"))
    assert len(visitor.page.select("path.chart__bar--mine")) == 2
    assert {8: "8:00", 10: "10:00", 60: "11:"}[minutes] in own.text
    assert Visitor(app).get(BOARD).text.count("You: ") == 0


@pytest.mark.both_databases
@pytest.mark.usefixtures("daily")
def test_htmx_gets_the_board_and_its_count_for_the_status_region(app: Flask, guest: Visitor) -> None:
    solved(app, 100, 200)
    text = guest.get(BOARD, **{"HX-Request": "true"}).text
    assert "<html" not in text
    assert 'hx-swap-oob="innerHTML"' in text
    assert "Daily times, Easy: 2 results" in text


@pytest.mark.usefixtures("daily")
def test_only_todays_board_is_fetched_anew(guest: Visitor) -> None:
    for query, fetched in (("", True), ("?date=2026-02-28", False)):
        guest.get(f"/leaderboard{query}")
        assert guest.page.find(id="leaderboard").has_attr("data-open") is fetched


@pytest.mark.parametrize(
    ("query", "named_field"),
    [
        ("scope=year", "scope"),
        ("date=yesterday", "date"),
        ("level=6", "level"),
        ("scope=week&level=-1", "level"),
        ("list=all", "list"),
        ("after=x", "after"),
        ("before=1.2", "before"),
        ("after=1.2.%7Fabc", "after"),
        ("scope=week&after=1", "after"),
    ],
)
def test_a_bad_address_is_refused_and_names_what_is_wrong(
    guest: Visitor, query: str, named_field: str
) -> None:
    response = guest.get(f"/leaderboard?{query}")
    assert response.status_code == 422
    assert named_field in guest.page.text


@pytest.mark.parametrize("day", ["2026-03-02", "2025-12-31", "9999-12-31"])
def test_a_day_without_a_board_is_not_found(guest: Visitor, day: str) -> None:
    assert guest.get(f"/leaderboard?date={day}").status_code == 404


def shared(visitor: Visitor, address: str) -> str:
    """Return what the finish page of an attempt shares."""
    visitor.get(address)
    return str(visitor.page.find(id="share-text").text)


@pytest.mark.parametrize(("hours", "words"), [(1, "2:00, no hints, rank 2 of 3"), (100, "no hints\n")])
def test_a_rank_is_shared_of_the_board_of_the_day_alone(
    app: Flask, daily: int, ada: Visitor, hours: float, words: str
) -> None:
    solved(app, 90, 300)
    number = player_id(app, "Ada")
    with app.app_context():
        own = add_solve(number, daily, 120, starts=at(hours=hours))
    assert words in shared(ada, f"/attempts/{own}")


@pytest.mark.usefixtures("daily")
def test_a_solve_with_computed_candidates_is_unranked_and_says_so(ada: Visitor, clock: SetClock) -> None:
    address = ada.start(daily=DAY.isoformat(), level=2, ranked=1)
    ada.move(address, 1, ("fill", "", ""))
    clock.advance(minutes=9)
    ada.finish(address, 2)
    assert "9:00, help used\n" in shared(ada, address)
    ada.get(BOARD)
    assert "Unranked" in ada.page.text
    assert ada.page.select("tbody th") == []


@pytest.mark.both_databases
def test_an_attempt_that_is_no_daily_has_no_place(guest: Visitor, app: Flask, clock: SetClock) -> None:
    address = guest.start(level=1)
    clock.advance(minutes=5)
    guest.finish(address)
    guest.get(address)
    assert guest.page.find(id="rank-strip") is None
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.standing)).all() == [None]


@pytest.mark.both_databases
@pytest.mark.usefixtures("daily")
def test_a_guest_hears_that_a_name_lists_them_and_takes_one_at_the_finish(
    guest: Visitor, clock: SetClock
) -> None:
    address = play(guest, clock)
    guest.get(BOARD)
    assert "Only players with an account are listed" in guest.page.text
    assert guest.page.select("tbody th") == []
    guest.get(address)
    assert "Only players with an account are listed" in guest.page.text
    form = guest.page.select_one("#finish-panel #take-name form")
    assert form.select_one("[name=next]")["value"] == address
    assert form.find("a", href=f"/login?next={address}") is not None
    assert guest.register("Nova", next=address).location == address
    guest.get(address)
    assert "On the leaderboard" in guest.page.select_one("#rank-strip").text
    assert guest.page.select_one("#take-name") is None


def test_the_page_of_a_week_says_which_days_it_holds(app: Flask, guest: Visitor, clock: SetClock) -> None:
    with app.app_context():
        for number, back in enumerate((5, 4)):  # Tuesday and Wednesday
            day = DAY - timedelta(days=back)
            starts = at(day, hours=8)
            add_solve(add_player(f"P{number}", named_at=at(days=-9)), add_daily(day), 300, starts=starts)
    guest.get("/leaderboard?scope=week")
    assert guest.page.find(id="days-counted").text == "No day of this week has closed yet."
    with app.app_context():
        close(clock.time)
    clock.advance(seconds=2)  # for which a page is cached
    guest.get("/leaderboard?scope=week")
    assert guest.page.find(id="days-counted").text == "Days counted: Tue and Wed"
    assert "Your weekly score adds up your points" in guest.page.find(id="board-rules").text
    assert [line[-1] for line in lines(guest)] == ["100", "100"]


@pytest.mark.usefixtures("daily")
def test_who_has_played_is_not_invited_to(ada: Visitor, guest: Visitor, clock: SetClock) -> None:
    ada.post("/account/listing", {"listing": "none"})
    play(ada, clock)
    assert "Play today’s Easy" not in ada.get(BOARD).text
    assert "Play today’s Easy" in guest.get(BOARD).text


@pytest.mark.usefixtures("daily")
def test_a_ranked_finish_that_waited_for_the_connection_says_so(ada: Visitor, clock: SetClock) -> None:
    address = ada.start(daily=DAY.isoformat(), level=2, ranked=1)
    ada.get(address)
    clock.advance(minutes=8)
    moves = solving_moves(ada.givens, solution_of(ada.givens))
    assert ada.move(address, 1, *moves, waited=18_000).status_code == 200
    ada.get(address)
    late = (
        "Your clock stood at 7:42, but there was no connection. "
        "The time that counts is 8:00, when we received your last digit."
    )
    assert ada.page.find(id="sent-late").text == late
    assert late in ada.page.select_one(".finish__facts").text, "the details"
