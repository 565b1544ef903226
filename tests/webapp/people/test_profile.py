"""A player's page: the figures, their visibility, the chart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.people.test_accounts import solve
from tests.webapp.statements import change
from tests.webapp.visitors import SetClock, Visitor
from webapp.game import tour
from webapp.models import Attempt, Puzzle
from webapp.people.profile_routes import time_chart
from webapp.process.database import db, write_tx


def test_it_works(ada: Visitor, other: Visitor) -> None:
    for visitor in (ada, other):
        assert visitor.get("/players/Ada").status_code == 200
        assert visitor.page.find("h1").text == "Ada"
        assert visitor.page.select_one("#times .empty") is not None
        assert visitor.page.find("table") is None


def figures(visitor: Visitor, path: str = "/players/Ada") -> dict[str, list[str]]:
    """Return the table of levels: name -> solved, median, best."""
    visitor.get(path)
    rows = visitor.page.select("[aria-labelledby=levels-title] tbody tr")
    return {row.th.text.strip(): [cell.text.strip() for cell in row.find_all("td")] for row in rows}


@pytest.mark.both_databases
def test_medians_and_bests_are_of_first_solves_without_help(
    app: Flask, ada: Visitor, other: Visitor, clock: SetClock
) -> None:
    solve(ada, clock, minutes=4, level=2)
    with app.app_context(), write_tx():
        one = db.session.scalars(sa.select(Puzzle).where(Puzzle.level == 2)).one()
        one.hardest = "x_wing"
        number = one.id
        for level in (3, 4):  # more puzzles of the same level
            db.session.scalars(sa.select(Puzzle).where(Puzzle.level == level)).one().level = 2
    solve(ada, clock, minutes=8, level=2)
    solve(ada, clock, minutes=1, puzzle=number)  # solved from memory
    solve(ada, clock, minutes=1, grid=EASY.replace("7", "x").replace("1", "7").replace("x", "1"))
    helped = ada.start(level=1)
    ada.post(f"{helped}/checks", {"seq": "1"})
    assert figures(other)["Easy"] == ["2", "6:00", "4:00"]
    assert "Beginner" not in figures(other)
    assert "X-Wing" in other.page.find(class_="profile__techniques").text


def test_an_hour_claimed_as_sleep_makes_no_best(ada: Visitor, other: Visitor, clock: SetClock) -> None:
    address = ada.start(level=2)
    clock.advance(minutes=65)
    pause = {"seq": 1, "kind": "pause", "cell": "", "digit": "", "asleep": 3_600_000}
    ada.post(f"{address}/moves", pause, htmx=True)
    ada.move(address, 2, ("resume", "", ""))
    assert ada.finish(address, 3).status_code == 200
    assert figures(other)["Easy"] == ["1", "5:00", "–"]


@pytest.mark.both_databases
@pytest.mark.parametrize("standing", ["review", "removed"])
def test_a_solve_in_doubt_does_not_count(
    app: Flask, ada: Visitor, other: Visitor, clock: SetClock, standing: str
) -> None:
    solve(ada, clock, level=2)
    change(app, sa.update(Attempt).values(standing=standing))
    assert figures(other) == {}


def test_a_solve_that_a_rule_doubts_does_not_count(ada: Visitor, other: Visitor, clock: SetClock) -> None:
    """Also for puzzles that are not dailies, which are never put under review."""
    solve(ada, clock, minutes=0.2, level=2)
    assert figures(other) == {}


def test_the_player_sees_more_than_others_and_can_look_with_their_eyes(ada: Visitor, other: Visitor) -> None:
    ada.start()
    assert "Only you can see this" in ada.get("/players/Ada").text
    assert "Only you can see this" not in ada.get("/players/Ada?view=public").text
    assert "Only you can see this" not in other.get("/players/Ada").text


def test_the_guided_puzzle_is_not_one_that_the_player_entered(ada: Visitor, clock: SetClock) -> None:
    solve(ada, clock, grid=tour.GIVENS)
    solve(ada, clock, grid=EASY)
    assert "1 entered by you" in ada.get("/players/Ada").text


@pytest.mark.parametrize("listing", ["anonymous", "none"])
def test_who_stands_nowhere_by_name_has_no_page_for_others(
    ada: Visitor, other: Visitor, listing: str
) -> None:
    ada.post("/account/listing", {"listing": listing})
    assert ada.get("/players/Ada").status_code == 200
    assert other.get("/players/Ada").status_code == 404


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["Nobody", "x" * 3000, "<script>", "..", "None", "---"])
def test_a_name_nobody_has_is_not_found(ada: Visitor, guest: Visitor, name: str) -> None:
    guest.start()  # and has no name
    for visitor in (ada, guest):
        response = visitor.get(f"/players/{name}")
        assert response.status_code == 404
        assert "<script>" not in response.text.partition("<main")[2]


def test_a_level_chooses_what_the_chart_shows(ada: Visitor, clock: SetClock) -> None:
    for level in (1, 2):
        solve(ada, clock, level=level)
    ada.get("/players/Ada")
    assert len(ada.page.find_all("use")) == len(ada.page.find(id="times").find("tbody").find_all("tr"))
    response = ada.get("/players/Ada?level=2", **{"HX-Request": "true"})
    assert ada.page.find("h1") is None
    assert ada.page.find_all("use") == []  # a lone dot is no chart
    assert "HX-Request" in response.headers["Vary"]
    assert ada.get("/players/Ada?level=x").status_code == 200
    assert ada.get("/players/Ada?level=9").status_code == 200


def test_days_are_those_of_the_reader(ada: Visitor, clock: SetClock) -> None:
    """Every date of a moment is marked for static/js/time.js, which knows the reader's zone."""
    for level in (1, 2):
        solve(ada, clock, level=level)
        clock.advance(days=2)
    ada.get("/players/Ada")
    places = [ada.page.select_one(".lead"), *ada.page.select(".chart__ends span")]
    assert [place.time["datetime"][:10] for place in places] == ["2026-03-01", "2026-03-01", "2026-03-03"]
    assert all(place.time.has_attr("data-day") for place in places)
    assert "2026" not in ada.page.find(id="chart-title").text


def solves(*minutes: float) -> list[Any]:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    return [
        SimpleNamespace(level=3, elapsed_ms=int(60_000 * length), finished_at=start + timedelta(days=day))
        for day, length in enumerate(minutes)
    ]


def test_fewer_than_two_solves_are_not_drawn() -> None:
    assert time_chart([], None) is None
    assert time_chart(solves(3), 4) is None
    assert time_chart(solves(3), None) is None, "a lone dot is no chart"


def test_half_and_double_are_equally_far_away() -> None:
    chart = time_chart(solves(2, 4, 8), 3)
    assert chart is not None
    slow, middle, fast = (point.y for point in reversed(chart.points))
    assert middle - slow == pytest.approx(fast - middle, abs=0.02)
    assert slow < fast  # slower is higher up
    assert [point.x for point in chart.points] == [3, 50, 97]


def test_everything_lies_within_the_drawing() -> None:
    chart = time_chart(solves(0, 0.2, 30, 600, 5, 7), 3)
    assert chart is not None
    assert all(0 <= point.x <= 100 and 0 <= point.y <= 100 for point in chart.points)
    assert all(0 <= y <= 100 for y, _ms in chart.ticks)
    assert len(chart.trend) == 6


@pytest.mark.parametrize(("count", "level", "drawn"), [(5, 3, 5), (4, 3, 0), (5, None, 0)])
def test_a_trend_is_of_one_level_and_of_five_solves(count: int, level: int | None, drawn: int) -> None:
    chart = time_chart(solves(*range(1, count + 1)), level)
    assert chart is not None
    assert len(chart.trend) == drawn


def test_the_running_median_is_of_the_last_five() -> None:
    chart = time_chart(solves(8, 2, 2, 2, 2, 8, 8), 3)
    assert chart is not None
    height = {point.solve.elapsed_ms: point.y for point in chart.points}
    assert [y for _x, y in chart.trend][-3:] == [height[120_000]] * 3


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "query", ["name=x", "endpoint=x", "_method=POST", "level=3&level=4", "_anchor=a%26b"]
)
def test_another_spelling_of_a_name_keeps_the_query_whatever_its_names(ada: Visitor, query: str) -> None:
    response = ada.get(f"/players/A-d-A?{query}")
    assert response.status_code == 303
    assert response.headers["Location"] == f"/players/Ada?{query}"
