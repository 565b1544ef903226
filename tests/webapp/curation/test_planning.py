"""Planning: minutes by weekday, themes, notes, a year, a day before it opens, past days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_schedule import scheduled
from tests.webapp.conftest import new_puzzle, solution_of
from tests.webapp.desk import Curator, entries
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.competition.daily import dailies, plan
from webapp.curation.calendar import filling
from webapp.curation.calendar.planning import planning, results
from webapp.curation.orders import orders, stock
from webapp.identity.players import Identity
from webapp.models import Attempt, Daily, DayNote, Order, Player, Standing, Theme, WeekdayTarget
from webapp.process.database import db, write_tx

NOW = SetClock.time
TODAY = NOW.date()  # a Sunday
MONDAY = TODAY + timedelta(days=22)


ORDINARY = ("pointing", "claiming", "hidden_pair", "naked_triple", "hidden_triple")


def curator_of() -> Identity:
    player = db.session.scalars(sa.select(Player).where(Player.curator)).one()
    return Identity(player.id, player.key, player.name, player.epoch, "administrator")


def in_the_bank(minutes: list[float], hardest: str | None = None, level: int = 3) -> list[int]:
    """Add puzzles that may become dailies. Returns their numbers."""
    with write_tx():
        made = [new_puzzle(level) for _minutes in minutes]
        for puzzle, each in zip(made, minutes, strict=True):
            puzzle.expected_seconds = 60 * each
            puzzle.hardest = hardest or ORDINARY[int(each) % len(ORDINARY)]
            db.session.add(puzzle)
        db.session.flush()
        return [puzzle.id for puzzle in made]


def in_stock(app: Flask, count: int = 1) -> list[int]:
    """Add that many of them, no two neighbors with one technique."""
    with app.app_context():
        return in_the_bank([5 + number for number in range(count)])


def test_it_works(app: Flask, cora: Curator) -> None:
    assert cora.get("/admin/plan?year=2026").status_code == 200
    assert len(cora.page.find_all(class_="year__month")) == 12
    assert len(cora.page.find_all("li", class_="year__day")) == 365
    sent = {"minutes-0-3": "12,5", "minutes-6-4": "30", "year": "2026"}
    assert cora.post("/admin/plan/weekdays", sent).status_code == 303
    with app.app_context():
        planned = db.session.scalars(sa.select(WeekdayTarget).order_by(WeekdayTarget.weekday)).all()
        assert [(row.weekday, row.level, row.minutes) for row in planned] == [(0, 3, 12.5), (6, 4, 30)]
    cora.get("/admin/plan")
    assert cora.page.find("input", {"name": "minutes-0-3"})["value"] == "12.5"
    assert [entry.action for entry in entries(app, "weekday_target")] == ["plan"]


@pytest.mark.parametrize("text", ["x", "0", "601", "nan", "-3"])
def test_minutes_that_cannot_be_change_nothing(app: Flask, cora: Curator, text: str) -> None:
    assert cora.post("/admin/plan/weekdays", {"minutes-0-3": text}).status_code == 422
    assert cora.page.find(id="wrong-minutes-0-3") is not None
    assert cora.page.find("input", {"name": "minutes-0-3"})["value"] == text
    with app.app_context():
        assert not db.session.scalars(sa.select(WeekdayTarget)).all()


@pytest.mark.usefixtures("cora")
def test_filling_keeps_to_the_minutes_of_the_weekday(app: Flask) -> None:
    """The nearest within a quarter; without one the gap stays."""
    with app.app_context():
        numbers = in_the_bank([5, 10.5, 9, 20, 6])
        planning.set_minutes(curator_of(), {(0, 3): 10.0, (1, 3): 40.0}, NOW)
        filling.fill(curator_of(), MONDAY, MONDAY + timedelta(days=1), NOW)
        chosen = db.session.execute(
            sa.select(Daily.date, Daily.puzzle_id).where(Daily.level == 3, Daily.date >= MONDAY)
        ).all()
        assert [tuple(row) for row in chosen] == [(MONDAY, numbers[1])]


@pytest.mark.usefixtures("cora")
def test_the_worker_rather_deviates_than_leaves_a_gap(app: Flask) -> None:
    with app.app_context():
        numbers = in_the_bank([5, 6, 8])
        day = TODAY + timedelta(days=1)
        planning.set_minutes(curator_of(), {(day.weekday(), 3): 60.0}, NOW)
        bank_first = dailies._candidates(day, 3, NOW, rated=False)
        assert next(bank_first).level == 3
        assert next(iter(dailies._to_spare(3, plan.wish(day, 3)))).id == numbers[2]


def test_a_deviation_is_shown_at_its_slot(app: Flask, cora: Curator) -> None:
    with app.app_context():
        planning.set_minutes(curator_of(), {(0, 3): 10.0}, NOW)
        for week, minutes in enumerate([14.0, 11.0]):
            puzzle = new_puzzle(3)
            puzzle.expected_seconds = 60 * minutes
            scheduled(MONDAY + timedelta(weeks=week), 3, puzzle)
    cora.get(f"/admin/calendar?month={MONDAY:%Y-%m}")
    assert "40% longer than planned" in cora.page.find(id=f"slot-{MONDAY}-3").text
    assert "planned" not in cora.page.find(id=f"slot-{MONDAY + timedelta(weeks=1)}-3").text


def test_a_theme_takes_only_its_technique_and_may_repeat_it(app: Flask, cora: Curator) -> None:
    sent = {"first": str(MONDAY), "last": str(MONDAY + timedelta(days=4)), "technique": "naked_pair"}
    assert cora.post("/admin/plan/themes", sent | {"title": "A week of pairs"}).status_code == 303
    with app.app_context():
        assert plan.level_of("naked_pair") == 3
        on_theme = set(in_the_bank([5, 6, 7, 8], "naked_pair"))
        in_the_bank([5, 6, 7])
        filling.fill(curator_of(), MONDAY, MONDAY + timedelta(days=4), NOW)
        chosen = set(
            db.session.scalars(sa.select(Daily.puzzle_id).where(Daily.level == 3, Daily.date >= MONDAY))
        )
        assert chosen <= on_theme
        assert len(chosen) == 4  # all there are, on consecutive days
        theme = db.session.scalars(sa.select(Theme.id)).one()
    cora.get(f"/admin/calendar?month={MONDAY:%Y-%m}")
    assert cora.page.text.count("A week of pairs") == 5
    assert cora.post(f"/admin/plan/themes/{theme}/removal").status_code == 303
    assert cora.post(f"/admin/plan/themes/{theme}/removal").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"technique": "x"}, "technique"),
        ({"last": "2026-01-01"}, "last"),
        ({"last": "2027-01-01"}, "last"),
        ({"title": " "}, "title"),
        ({"first": "soon"}, "first"),
    ],
)
def test_a_theme_that_cannot_be_is_refused(cora: Curator, wrong: dict[str, str], field: str) -> None:
    sent = {"first": str(MONDAY), "last": str(MONDAY), "technique": "x_wing", "title": "T"}
    assert cora.post("/admin/plan/themes", sent | wrong).status_code == 422
    assert cora.page.find(id=f"wrong-{field}") is not None


def test_a_note_stands_at_its_day_until_it_is_emptied(app: Flask, cora: Curator) -> None:
    for text, kept in [("Easter", 1), ("Easter Sunday", 1), ("", 0)]:
        assert cora.post("/admin/plan/notes", {"day": "2026-04-05", "text": text}).status_code == 303
        with app.app_context():
            assert len(db.session.scalars(sa.select(DayNote)).all()) == kept
        cora.get("/admin/calendar?month=2026-04")
        assert (text in cora.page.find("tbody").text) or not text
    assert len(entries(app, "day")) == 3
    assert cora.post("/admin/plan/notes", {"day": "x", "text": "y"}).status_code == 422


def test_days_beyond_the_horizon_are_calm(cora: Curator) -> None:
    near, far = TODAY + dailies.AHEAD, TODAY + dailies.AHEAD + timedelta(days=1)
    cora.get(f"/admin/calendar?month={near:%Y-%m}")
    cells = {day: cora.page.find(id=f"slot-{day}-3").parent for day in (near, far)}
    assert "schedule__cell--gap" in cells[near]["class"]
    assert "schedule__cell--gap" not in cells[far]["class"]
    assert "open" in cells[far].text


def test_a_day_is_shown_as_players_will_see_it(app: Flask, cora: Curator, guest: Visitor) -> None:
    with app.app_context():
        for level in dailies.LEVELS:
            scheduled(MONDAY, level, new_puzzle(level))
    assert cora.get(f"/admin/calendar/{MONDAY}/preview").status_code == 200
    assert cora.get("/admin/calendar/x/preview").status_code == 404
    assert cora.get("/admin/calendar/2026-06-01/preview").status_code == 404
    cora.get(f"/admin/calendar/{MONDAY}/preview")
    seen = [card.text for card in cora.page.find(class_="dailies").find_all("h2")]
    assert cora.clock is not None
    cora.clock.time = NOW + (MONDAY - TODAY)
    guest.get(f"/daily/{MONDAY}")
    shown = [card.text for card in guest.page.find(class_="dailies").find_all("h2")]
    assert shown == seen
    assert len(shown) == 3


def test_past_dailies_say_how_they_went(app: Flask, cora: Curator) -> None:
    day = date(2026, 2, 27)
    with app.app_context():
        daily = add_daily(day, 3)
        for number, seconds in enumerate([200, 400, 800]):
            add_solve(add_player(f"P{number}"), daily, seconds)
        found = results.results(TODAY, NOW)
        (ours,) = [each for each in found if each.day == day]
        assert (ours.starts, ours.finished, ours.finish_rate) == (3, 3, 1.0)
        assert ours.against_expected == pytest.approx(1.0)
    cora.get("/admin/results")
    assert cora.page.find("svg", class_="desk__drawing").find("circle") is not None
    assert "6:40" in cora.page.find("tbody").text
    assert cora.get("/admin/results?until=2026-01-01").status_code == 200
    assert cora.get("/admin/results?until=x").status_code in (400, 404, 422)
    assert cora.get("/admin/results").status_code == 200
    assert [option["value"] for option in cora.page.select("form [name=level] option")] == ["3"]
    cora.get(cora.post("/admin/plan/easier", {"level": "3"}).location)
    message = "Friday, Medium: no limit → 6 minutes. Dailies already picked stay."
    assert cora.page.find(id="toast").text.strip() == message
    assert cora.post("/admin/plan/easier", {"level": "4"}).status_code == 422
    with app.app_context():
        assert [(row.weekday, row.minutes) for row in db.session.scalars(sa.select(WeekdayTarget))] == [
            (day.weekday(), 6.0)
        ]


def test_nothing_is_made_easier_that_nobody_has_finished(app: Flask, cora: Curator) -> None:
    with app.app_context():
        add_daily(date(2026, 2, 27), 3)
    cora.get("/admin/results")
    assert cora.page.find("form", action="/admin/plan/easier") is None
    assert cora.post("/admin/plan/easier", {"level": "3"}).status_code == 422
    with app.app_context():
        assert db.session.scalars(sa.select(WeekdayTarget)).all() == []


@pytest.mark.parametrize("year", ["1", "2025", "2028", "x"])
def test_a_year_that_the_calendar_lacks_is_not_found(cora: Curator, year: str) -> None:
    assert cora.get(f"/admin/plan?year={year}").status_code in (404, 422)


def undone(cora: Curator) -> str:
    """Press Undo on the page shown. Returns the address it leads to."""
    form = cora.page.find(id="calendar-undo")
    fields = {field["name"]: field["value"] for field in form.find_all("input")}
    answer = cora.post(form["action"], fields)
    assert answer.status_code == 303, cora.page.text
    cora.get(answer.location)
    return answer.location


def standing(app: Flask) -> dict[date, int]:
    with app.app_context():
        query = sa.select(Daily.date, Daily.puzzle_id).where(Daily.level == 3, Daily.date > TODAY)
        return {row.date: row.puzzle_id for row in db.session.execute(query)}


def test_every_change_of_the_calendar_can_be_undone(app: Flask, cora: Curator) -> None:
    """Scheduling, replacing, removing, moving, swapping and filling."""
    one, two, *_others = in_stock(app, 4)
    slot = {"date": str(MONDAY), "level": "3"}
    next_day = MONDAY + timedelta(days=1)
    steps = [
        ("/admin/calendar", {**slot, "puzzle": str(one), "instead": ""}, {MONDAY: one}),
        ("/admin/calendar", {**slot, "puzzle": str(two), "instead": str(one)}, {MONDAY: two}),
        ("/admin/calendar/moves", {**slot, "instead": str(two), "to": str(next_day)}, {next_day: two}),
        (
            "/admin/calendar",
            {**slot, "puzzle": str(one), "instead": ""},
            {MONDAY: one, next_day: two},
        ),
        (
            "/admin/calendar/moves",
            {**slot, "instead": str(one), "to": str(next_day), "there": str(two)},
            {MONDAY: two, next_day: one},
        ),
        ("/admin/calendar/removals", {**slot, "instead": str(two)}, {next_day: one}),
    ]
    before: dict[date, int] = {}
    for address, fields, after in steps:
        for last in (False, True):
            answer = cora.post(address, fields)
            assert answer.status_code == 303, cora.page.text
            cora.get(answer.location)
            assert standing(app) == after
            if not last:
                undone(cora)
                assert standing(app) == before
        before = after
    cora.get(cora.post("/admin/calendar/fillings", {"month": f"{MONDAY:%Y-%m}"}).location)
    filled = standing(app)
    assert len(filled) > len(before)
    undone(cora)
    assert standing(app) == before
    assert cora.page.find(id="calendar-undo") is None


@pytest.mark.both_databases
def test_a_theme_without_enough_in_stock_is_ordered_once(app: Flask, cora: Curator) -> None:
    sent = {"first": str(MONDAY), "last": str(MONDAY + timedelta(days=6)), "technique": "naked_pair"}
    assert cora.post("/admin/plan/themes", sent | {"title": "A week of pairs"}).status_code == 303
    with app.app_context():
        in_the_bank([5, 6, 7], "naked_pair")
        (number,) = stock.order_for_themes(NOW)
        order = db.session.get_one(Order, number)
        assert orders.recipe_of(order.recipe)["hardest"] == "naked_pair"
        assert order.count == 6  # four are missing, and half as many again
        assert not stock.order_for_themes(NOW)
        with write_tx():
            order.state = "cancelled"
        assert not stock.order_for_themes(NOW)  # not again on the same day
        assert stock.order_for_themes(NOW + timedelta(days=2))


@pytest.mark.parametrize("level", [3, 5])
def test_a_theme_with_enough_in_stock_or_of_no_daily_level_orders_nothing(
    app: Flask, cora: Curator, level: int
) -> None:
    technique = {3: "naked_pair", 5: "aic"}[level]
    sent = {"first": str(MONDAY), "last": str(MONDAY), "technique": technique, "title": "A day"}
    assert cora.post("/admin/plan/themes", sent).status_code == 303
    with app.app_context():
        in_the_bank([5], "naked_pair")
        assert stock.order_for_themes(NOW) == []


def test_where_players_got_stuck_is_shown_by_cell_and_technique(
    app: Flask, cora: Curator, ada: Visitor
) -> None:
    day = date(2026, 2, 27)
    with app.app_context():
        puzzle = new_puzzle(3)
        daily = scheduled(day, 3, puzzle)
        daily_id, givens = daily.id, puzzle.givens
        number = puzzle.id
    game = ada.start(daily=str(day), level=3)
    assert cora.clock is not None
    moves = solving_moves(givens, solution_of(givens))
    for at, move in enumerate(moves, 1):
        cora.clock.advance(seconds=45 if at == 3 else 2)
        assert ada.move(game, at, move).status_code == 200
    with app.app_context(), write_tx():  # moves at such regular intervals may be doubted
        db.session.execute(sa.update(Attempt).values(doubts=None, standing=Standing.VERIFIED))
    with app.app_context():
        found = results.stuck(day, 3, cora.clock.time)
        assert (found.daily.id, found.games) == (daily_id, 1)
        assert [(cell, games) for cell, games, _seconds in found.cells] == [(moves[2][1], 1)]
        assert found.cells[0][2] == 45
        assert sum(count for _key, count in found.techniques) == 1
    cora.get(f"/admin/results/{day}/3")
    assert cora.page.find("a", href=f"/admin/puzzles/{number}") is not None
    assert "0:45" in cora.page.find("tbody").text
    cora.get("/admin/results")
    assert cora.page.find("a", href=f"/admin/results/{day}/3") is not None


def test_solves_that_are_removed_or_under_review_say_nothing_of_a_past_daily(app: Flask) -> None:
    day = date(2026, 2, 27)
    with app.app_context():
        daily = add_daily(day, 3)
        standings = [Standing.VERIFIED, Standing.REVIEW, Standing.REMOVED, Standing.REVIEW, Standing.ASSISTED]
        for number, standing in enumerate(standings):
            add_solve(add_player(f"P{number}"), daily, 400 if number == 0 else 20, standing=standing)
        (ours,) = [each for each in results.results(TODAY, NOW) if each.day == day]
        assert (ours.finished, ours.minutes) == (5, pytest.approx(400 / 60))
        assert results.stuck(day, 3, NOW).games == 1


@pytest.mark.parametrize("address", ["x/3", "2026-02-01/3", "2027-01-01/3", "2026-02-01/9"])
def test_days_without_a_daily_have_no_waits(cora: Curator, address: str) -> None:
    assert cora.get(f"/admin/results/{address}").status_code == 404
