"""A puzzle's page on the desk: its contents, and that opening it counts as seeing the puzzle."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from sqlalchemy import select

import engine
from engine.formats import FORMATS
from engine.generation.symmetry import Symmetry
from tests.webapp.conftest import EASY
from tests.webapp.curation.test_queue import OTHERS, candidate, row_of, stored
from tests.webapp.desk import Curator, log
from tests.webapp.processes import wait_until
from tests.webapp.visitors import Visitor
from webapp.bank import breakdown
from webapp.curation.queue.puzzle_views import openings_chart
from webapp.curation.queue.views import segments
from webapp.models import Peek, Status
from webapp.process.database import db


@pytest.fixture
def puzzle(app: Flask) -> int:
    return stored(app, candidate(OTHERS[0]))[0]


def opened(cora: Curator, puzzle: int, query: str = "") -> None:
    """Open the page and wait for scores and path, which a busy machine may not have ready at once."""

    def whole() -> bool:
        assert cora.get(f"/admin/puzzles/{puzzle}{query}").status_code == 200
        return bool(cora.page.select("#ratings table") and cora.page.select("#path .review__step"))

    wait_until(whole)


def test_it_works(app: Flask, cora: Curator, puzzle: int) -> None:
    opened(cora, puzzle)
    names = [cell.get_text() for cell in cora.page.select("#ratings tbody th")]
    assert sum(word in " ".join(names) for word in ("Explainer", "HoDoKu", "rules", "search", "tree")) == 5
    assert len(cora.page.select("#path .review__step")) > 20
    assert len(cora.page.select("pre.format")) == len(FORMATS)
    kept = breakdown.read(row_of(app, puzzle).breakdown)
    assert kept is not None and kept.whole
    rated = engine.rate(engine.parse(OTHERS[0]), schemes="all")
    assert kept == breakdown.of_rating(rated)
    assert [int(count.text) for count in cora.page.select(".used dd")] == list(rated.counts.values())
    assert cora.page.select_one(".openings__bar--least") is not None


def test_a_step_of_the_path_is_drawn_on_the_board(cora: Curator, puzzle: int) -> None:
    opened(cora, puzzle, "?step=2")
    assert cora.page.find(id="overlay") is not None
    assert cora.page.select_one(".stepper__told .step") is not None
    filled = len(cora.page.select("#board [data-digit]"))
    cora.get(f"/admin/puzzles/{puzzle}?step=999")
    assert cora.page.find(id="overlay") is None
    assert len(cora.page.select("#board [data-digit]")) < filled


@pytest.mark.parametrize("number", ["999999", "99999999999", "x"])
def test_a_puzzle_that_is_not_there_is_not_found(cora: Curator, number: str) -> None:
    assert cora.get(f"/admin/puzzles/{number}").status_code == 404


def test_a_players_own_puzzle_is_not_for_curators(app: Flask, cora: Curator) -> None:
    (own,) = stored(app, candidate(OTHERS[1], status=Status.ENTERED))
    assert cora.get(f"/admin/puzzles/{own}").status_code == 404


def test_the_decision_is_made_and_reported_here(app: Flask, cora: Curator, puzzle: int) -> None:
    cora.get(f"/admin/puzzles/{puzzle}")
    fields = {"approve": f"{puzzle}:0", "back": f"/admin/puzzles/{puzzle}"}
    answer = cora.post("/admin/decisions", fields)
    assert answer.location.startswith(f"/admin/puzzles/{puzzle}?done=approve")
    cora.get(answer.location)
    assert "One puzzle approved." in cora.page.find(id="toast").text
    assert f"Approved #{puzzle}." in cora.page.find("ol", class_="history").text
    entries = [field["value"] for field in cora.page.select("#undo input[name=entry]")]
    undone = cora.post("/admin/undos", {"entry": entries, "back": f"/admin/puzzles/{puzzle}"})
    assert undone.location.startswith(f"/admin/puzzles/{puzzle}?done=undo")
    assert row_of(app, puzzle).status == Status.CANDIDATE


def test_real_solves_are_counted_once_it_is_live(app: Flask, cora: Curator, ada: Visitor) -> None:
    (number,) = stored(app, candidate(OTHERS[2], status=Status.APPROVED))
    cora.get(f"/admin/puzzles/{number}")
    assert "No one has started it yet." in cora.page.text
    ada.start(puzzle=number)
    cora.get(f"/admin/puzzles/{number}")
    assert "Started once." in cora.page.text


def test_openings_are_drawn_to_scale() -> None:
    chart = openings_chart([10.0, 5.0, 2.5])
    assert chart is not None and chart.least is chart.bars[2]
    heights = [bar.height for bar in chart.bars]
    assert heights == pytest.approx([140, 70, 35])
    assert openings_chart([]) is None


def test_the_bar_is_full_and_every_technique_has_its_place(app: Flask) -> None:
    with app.test_request_context():
        drawn = segments({"x_wing": 1, "hidden_single": 99, "aic": 2})
    assert [part.count for part in drawn] == [99, 1, 2]
    assert sum(part.width for part in drawn) == pytest.approx(240, abs=0.1)
    assert min(part.width for part in drawn) >= 6


def test_the_symmetry_of_a_pattern_is_the_strongest_it_has() -> None:
    full = "".join("1" if symmetric in (0, 8, 72, 80, 40) else "." for symmetric in range(81))
    half = "".join("1" if cell in (1, 79) else "." for cell in range(81))
    assert breakdown.symmetries(full) == (Symmetry.FULL,)
    assert breakdown.symmetries(half) == (Symmetry.HALF_TURN,)
    assert breakdown.symmetries(EASY) == (Symmetry.HALF_TURN,)
    assert breakdown.symmetries("." + "1" + "." * 79) == ()


def test_a_variation_becomes_a_candidate_that_knows_where_it_came_from(app: Flask, cora: Curator) -> None:
    (original,) = stored(app, candidate(OTHERS[0]))
    response = cora.post(f"/admin/puzzles/{original}/vary")
    assert response.status_code == 303
    number = int(response.location.rpartition("/")[2])
    made, known = row_of(app, number), row_of(app, original)
    assert made.givens != known.givens
    form = engine.canonical_form(engine.parse(known.givens))
    assert made.canonical == str(form) == str(engine.canonical_form(engine.parse(made.givens)))
    assert (made.status, made.method, made.level) == (Status.CANDIDATE, "vary", known.level)
    assert made.seed is not None
    assert json.loads(made.recipe or "")["vary"] == original
    cora.get(response.location)
    assert f"same as #{original}" in cora.page.find(id="decision").get_text()
    assert "Variation" in cora.page.get_text()
    assert [(action, subject) for _who, action, subject in log(app)] == [("vary", str(number))]
    with app.app_context():
        assert number in db.session.scalars(select(Peek.puzzle_id)).all()  # varying a puzzle reveals it


def test_a_variation_keeps_the_symmetry_of_the_givens(app: Flask, cora: Curator) -> None:
    grid = engine.generate(engine.Recipe(symmetry="half_turn"), seed=5).grid
    (original,) = stored(app, candidate(str(grid)))
    number = int(cora.post(f"/admin/puzzles/{original}/vary").location.rpartition("/")[2])
    pattern = [digit != "." for digit in row_of(app, number).givens]
    assert pattern == pattern[::-1]


def test_a_daily_and_a_players_own_puzzle_are_not_varied(app: Flask, cora: Curator, ada: Visitor) -> None:
    daily, own = stored(
        app, candidate(OTHERS[0], status=Status.DAILY), candidate(OTHERS[1], status=Status.ENTERED)
    )
    assert cora.post(f"/admin/puzzles/{daily}/vary").status_code == 409
    assert cora.post(f"/admin/puzzles/{own}/vary").status_code == 404
    assert cora.post("/admin/puzzles/999999/vary").status_code == 404
    assert ada.post(f"/admin/puzzles/{daily}/vary").status_code == 403


def test_a_puzzle_leads_to_the_laboratory(cora: Curator, puzzle: int) -> None:
    cora.get(f"/admin/puzzles/{puzzle}")
    assert cora.page.select_one('a[href^="/lab?grid="]')["href"] == f"/lab?grid={OTHERS[0]}"
