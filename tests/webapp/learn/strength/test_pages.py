"""Ratings on players' own pages and others', and who may turn one off."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.competition.test_leaderboard import play
from tests.webapp.desk import Curator
from tests.webapp.learn.strength.played import NOW, add_game, add_puzzles, games
from tests.webapp.people.test_accounts import solve
from tests.webapp.solves import add_daily, add_player
from tests.webapp.visitors import SetClock, Visitor
from webapp.learn.strength import history, strength
from webapp.learn.strength.history import Figure
from webapp.learn.strength.views import FAMILIES, Plot, change_text, rating_text
from webapp.models import Attempt, Player, PlayerRating, Puzzle
from webapp.process.database import db, write_tx


@pytest.fixture
def rated(app: Flask) -> Flask:
    """The site whose puzzles the engine has rated."""
    with app.app_context(), write_tx():
        values = {"expected_seconds": 400.0, "explainer": 2.0, "hardest": "x_wing"}
        db.session.execute(sa.update(Puzzle).values(values))
    return app


def known(app: Flask) -> None:
    """Give all players small deviations."""
    with app.app_context(), write_tx():
        db.session.execute(sa.update(PlayerRating).values(deviation=62.4))


# Words


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure(1540.4, 62.4, 30, provisional=False), "1540 ± 80"),
        (Figure(1540.4, 200, 3, provisional=True), "1540?"),
        (Figure(900, 1, 3000, provisional=False), "900 ± 10"),
    ],
)
def test_a_rating_shows_how_well_it_is_known(figure: Figure, text: str) -> None:
    assert rating_text(figure) == text


@pytest.mark.parametrize(("change", "text"), [(12.4, "+12"), (-5.5, "−6"), (0.3, "±0")])
def test_a_change_has_a_sign(change: float, text: str) -> None:
    assert change_text(change) == text


def test_every_family_of_the_engine_has_a_name() -> None:
    assert list(FAMILIES) == list(dict.fromkeys(each.family for each in engine.TECHNIQUES.values()))


# Finish card, puzzle page, profile


def test_the_finish_card_says_it_in_one_line(rated: Flask, ada: Visitor, clock: SetClock) -> None:
    ada.get(solve(ada, clock, minutes=8, level=2))
    line = ada.page.select_one(".finish__rating").text
    with rated.app_context():
        rating = round(games(db.session.scalars(sa.select(Player.id)).one())[0].rating)
    assert line == f"Your rating: {rating}? (+{rating - 1500})"


def test_a_game_that_does_not_count_has_no_line(ada: Visitor, clock: SetClock) -> None:
    ada.get(solve(ada, clock, minutes=8, level=2))  # the puzzle has no expected time
    assert ada.page.select_one(".finish__rating") is None


def test_a_puzzles_page_shows_its_rating(rated: Flask, guest: Visitor) -> None:
    with rated.app_context():
        (puzzle,) = add_puzzles(1, expected_seconds=1440.0)
    guest.get(f"/puzzles/{puzzle}")
    shown = {row.dt.text.strip(): row.dd.text for row in guest.page.select(".learned div")}
    assert shown["Puzzle rating"] == "1700?"


def test_a_profile_has_a_plot_and_the_same_as_a_table(rated: Flask, ada: Visitor, clock: SetClock) -> None:
    for level in (1, 2, 3):
        solve(ada, clock, minutes=8, level=level)
        clock.advance(days=1)
    known(rated)
    ada.get("/players/Ada")
    section = ada.page.select_one(".strength")
    assert "± 80" in section.select_one(".strength__figure").text
    assert len(section.select_one(".strength__line")["points"].split()) == 3
    assert len(section.select_one(".strength__band")["points"].split()) == 6
    rows = section.select("#rating-history tbody tr")
    assert [row.find_all("td")[1].text for row in rows] == ["solved"] * 3
    assert [row.th.text for row in section.select("#rating-families tbody tr")] == ["Fish"]
    assert section.select("[style]") == []


def test_others_see_no_families(rated: Flask, ada: Visitor, other: Visitor, clock: SetClock) -> None:
    del rated
    solve(ada, clock, minutes=8, level=2)
    for visitor, path in ((other, "/players/Ada"), (ada, "/players/Ada?view=public")):
        visitor.get(path)
        assert visitor.page.select_one(".strength__figure") is not None
        assert visitor.page.find(id="rating-families") is None


def test_before_the_first_game_there_is_no_rating_to_see(ada: Visitor) -> None:
    ada.get("/players/Ada")
    assert ada.page.select_one(".strength") is None


def test_a_rating_gets_less_certain_while_its_player_is_away(rated: Flask) -> None:
    with rated.app_context():
        player, (puzzle,) = add_player(), add_puzzles(1)
        add_game(player, puzzle)
        strength.settle(player, NOW)
        with write_tx():
            db.session.execute(sa.update(PlayerRating).values(deviation=60.0))
        now, later = (history.of_player(player, NOW + timedelta(days=days)) for days in (0, 100))
    assert now is not None
    assert later is not None
    assert (now.overall.provisional, later.overall.provisional) == (False, True)
    assert now.overall.rating == later.overall.rating


def test_what_each_game_changed_adds_up(rated: Flask) -> None:
    with rated.app_context():
        player, puzzles = add_player(), add_puzzles(6)
        attempts = [
            add_game(player, puzzle, minutes=(5, 90)[day % 2], ended=NOW + timedelta(days=day))
            for day, puzzle in enumerate(puzzles)
        ]
        for day in range(6):
            strength.settle(player, NOW + timedelta(days=day))
        found = history.of_player(player, NOW + timedelta(days=5))
        last = history.of_attempt(attempts[-1])
    assert found is not None
    assert 1500 + sum(point.change for point in found.games) == pytest.approx(found.overall.rating)
    assert last == found.games[-1]
    plot = Plot(found)
    places = [float(part) for pair in (plot.line + " " + plot.band).split() for part in pair.split(",")]
    assert all(0 <= place <= 100 for place in places)
    assert all(0 <= y <= 100 for y, _points in plot.ticks)


# Turning it off


def test_a_player_turns_the_rating_off_and_on(rated: Flask, ada: Visitor, clock: SetClock) -> None:
    del rated
    address = solve(ada, clock, minutes=8, level=2)
    assert ada.post("/account/rating", {"rated": "0"}).location == "/account?done=unrated"
    ada.get("/account?done=unrated")
    assert ada.page.select_one(".account__done").text == "Your games aren’t rated anymore."
    assert ada.page.select_one("[name=rated][checked]")["value"] == "0"
    ada.get("/players/Ada")
    assert ada.page.select_one(".strength") is None
    ada.get(address)
    assert ada.page.select_one(".finish__rating") is None
    ada.post("/account/rating", {"rated": "1"})
    ada.get("/players/Ada")
    assert ada.page.select_one(".strength") is not None


def test_a_guest_may_turn_it_off_too(app: Flask, guest: Visitor) -> None:
    guest.start()
    assert guest.post("/account/rating", {"rated": "0"}).status_code == 303
    guest.get("/account?done=unrated")
    assert guest.page.select_one("[name=rated][checked]")["value"] == "0"
    with app.app_context():
        assert db.session.scalars(sa.select(Player.rated_since)).all() == [None]


def test_an_anonymous_visitor_has_nothing_to_turn_off(guest: Visitor) -> None:
    assert guest.post("/account/rating", {"rated": "0"}).location.startswith("/login")


@pytest.mark.parametrize("value", ["", "2", "yes"])
def test_anything_else_is_refused(ada: Visitor, value: str) -> None:
    assert ada.post("/account/rating", {"rated": value}).status_code == 422
    assert "Choose whether you want a rating." in ada.page.text


def test_the_export_holds_ratings_and_their_games(rated: Flask, ada: Visitor, clock: SetClock) -> None:
    del rated
    solve(ada, clock, minutes=8, level=2)
    data = json.loads(ada.get("/account/export").text)
    assert [one["family"] for one in data["ratings"]] == ["", "alone", "fish"]
    assert [game["score"] for game in data["rated_games"]] == [1]


# The desk


def test_a_solve_counts_once_a_curator_clears_it_and_no_longer_once_removed(
    app: Flask, ada: Visitor, cora: Curator, clock: SetClock
) -> None:
    with app.app_context():
        add_daily()
    attempt_id = play(ada, clock, minutes=0.2).rpartition("/")[2]  # implausibly fast
    with app.app_context():
        player = db.session.get_one(Attempt, attempt_id).player_id
    for standing, counted in (("verified", 1), ("removed", 0), ("verified", 1)):
        cora.get(f"/admin/flags/{attempt_id}")
        seen = cora.page.find("input", attrs={"name": "seen"})["value"]
        verdict = {"seen": seen, "standing": standing, "note": "looked at it"}
        assert cora.post(f"/admin/flags/{attempt_id}/verdict", verdict).status_code == 303
        with app.app_context():
            assert len(games(player)) == counted
