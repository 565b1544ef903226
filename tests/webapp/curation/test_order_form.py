"""The order form and the progress of orders, from a curator's view."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.generation.methods import METHODS
from engine.generation.recipe import Recipe
from engine.generation.solved_grids import SOLVED_GRIDS
from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock
from webapp.curation.orders import lanes, orders
from webapp.curation.orders.orders import Wish
from webapp.curation.orders.routes import FIELDS
from webapp.models import AuditEntry, Order, OrderState, Puzzle
from webapp.process.database import db

FORM = {"count": "2", "budget": "1", "level": "1", "seed": "1000"}


def order_of(app: Flask) -> Order:
    with app.app_context():
        return db.session.scalars(sa.select(Order)).one()


def finish(app: Flask) -> None:
    with app.app_context():
        lanes.take_up(SetClock.time)
        (order,) = lanes.running()
        assert lanes.work(lanes.lanes(order, 1)[0], 60, lambda: False, lambda: SetClock.time) is None


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator) -> None:
    assert cora.get("/admin/orders").status_code == 200
    placed = cora.post("/admin/orders", FORM)
    assert (placed.status_code, placed.location) == (303, f"/admin/orders#job-{order_of(app).id}")
    cora.get("/admin/orders")
    job = cora.page.find(id=f"job-{order_of(app).id}")
    assert job["data-state"] == "queued"
    assert job["hx-trigger"] == "every 2s"
    finish(app)
    response = cora.get(job["hx-get"], **{"HX-Request": "true"})
    assert response.status_code == 200
    job = cora.page.find(id=f"job-{order_of(app).id}")
    assert job["data-state"] == "done"
    assert not job.has_attr("hx-trigger")  # it has stopped polling
    assert "2 of 2" in job.text
    with app.app_context():
        entry = db.session.scalars(sa.select(AuditEntry).where(AuditEntry.action == "order")).one()
        assert (entry.curator_name, json.loads(entry.after)["recipe"]) == ("Cora", {"level": 1})


def test_every_wish_of_the_form_arrives(app: Flask, cora: Curator) -> None:
    pattern = "x.......x" * 9
    wishes = {
        **FORM,
        "level": "4",
        "er_from": "2,5",
        "minutes_to": "12.5",
        "hardest": "x_wing",
        "must": ["pointing", "naked_pair"],
        "must_not": ["xy_wing"],
        "symmetry": "half_turn",
        "method": "propagation",
        "fewest_givens": "22",
        "most_givens": "30",
        "minimal": "1",
    }
    assert cora.post("/admin/orders", wishes).status_code == 303
    order = order_of(app)
    assert json.loads(order.recipe) == {
        "level": 4,
        "er": [2.5, 12.0],
        "minutes": [0.0, 12.5],
        "hardest": "x_wing",
        "must": ["pointing", "naked_pair"],
        "must_not": ["xy_wing"],
        "symmetry": "half_turn",
        "method": "propagation",
        "fewest_givens": 22,
        "most_givens": 30,
        "minimal": True,
    }
    assert (order.count, order.budget_seconds, order.seed) == (2, 60, "1000")
    cora.get(f"/admin/orders?like={order.id}")
    for name, value in wishes.items():
        chosen = cora.page.find(id=name) if name not in ("minimal",) else None
        if chosen is not None and chosen.name == "select":
            picked = [option["value"] for option in chosen.find_all("option", selected=True)]
            assert sorted(picked) == sorted([value] if isinstance(value, str) else value), name
    assert cora.page.find(id="er_from")["value"] == "2.5"
    refused = cora.post("/admin/orders", FORM | {"pattern": pattern})
    assert refused.status_code == 422  # a stack without a given
    assert cora.page.find(id="wrong-pattern") is not None
    assert cora.page.find(id="pattern").text == pattern


def test_each_level_in_turn_can_be_ordered_too(app: Flask, cora: Curator) -> None:
    assert cora.post("/admin/orders", FORM | {"level": "each"}).status_code == 303
    assert json.loads(order_of(app).recipe) == {"levels": [1, 2, 3, 4, 5]}


def test_cancel_and_resume_without_and_with_htmx(app: Flask, cora: Curator) -> None:
    cora.post("/admin/orders", FORM)
    number = order_of(app).id
    assert cora.post(f"/admin/orders/{number}/cancel").location == f"/admin/orders#job-{number}"
    assert order_of(app).state == OrderState.CANCELLED
    assert cora.post(f"/admin/orders/{number}/cancel").status_code == 409
    answer = cora.post(f"/admin/orders/{number}/resume", htmx=True)
    assert (answer.status_code, order_of(app).state) == (200, OrderState.QUEUED)
    assert cora.page.find(id=f"job-{number}")["data-state"] == "queued"
    finish(app)
    assert cora.post(f"/admin/orders/{number}/resume").status_code == 409


def test_an_order_that_is_none_is_not_found(cora: Curator) -> None:
    for number in ("1", str(2**40)):
        assert cora.get(f"/admin/orders/{number}/progress").status_code == 404
        assert cora.post(f"/admin/orders/{number}/cancel").status_code == 404
        assert cora.post(f"/admin/orders/{number}/resume").status_code == 404
    assert cora.get("/admin/orders?like=1").status_code == 404
    assert cora.get(f"/admin/orders?like={2**40}").status_code == 200


def test_the_form_begins_with_what_the_curator_ordered_last(app: Flask, cora: Curator) -> None:
    cora.post("/admin/orders", FORM | {"level": "4"})
    with app.app_context():
        orders.place(Wish({"level": 5}, 7, timedelta(minutes=1)), None, SetClock.time)  # automatic
    cora.get("/admin/orders?count=50")
    assert cora.page.find(id="count")["value"] == "50"
    assert cora.page.find(id="level").find("option", selected=True)["value"] == "4"
    assert cora.page.find(id="seed")["value"] == ""


def test_progress_without_htmx_leads_to_the_page(app: Flask, cora: Curator) -> None:
    cora.post("/admin/orders", FORM)
    number = order_of(app).id
    assert cora.get(f"/admin/orders/{number}/progress").location == f"/admin/orders#job-{number}"


PAPERS = [
    {"method": key, "paper_level": str(level) if level else ""}
    for key, method in METHODS.items()
    for level in range(1, method.level_count + 1) or (None,)
]


def test_each_method_and_each_of_its_levels_is_ordered_and_made(app: Flask, cora: Curator) -> None:
    """Two of each, and every puzzle keeps its order's recipe and has the paper's level."""
    assert len(PAPERS) == 5 + 5 + 1 + 4 + 3
    for number, fields in enumerate(PAPERS):
        form = {**FORM, "level": "", "seed": str(10 * number), **fields}
        assert cora.post("/admin/orders", form).status_code == 303, fields
    with app.app_context():
        lanes.take_up(SetClock.time)
        for order in lanes.running():
            assert lanes.work(lanes.lanes(order, 1)[0], 60, lambda: False, lambda: SetClock.time) is None
        made = list(db.session.scalars(sa.select(Puzzle).where(Puzzle.order_id.is_not(None))))
        stored = Counter(puzzle.recipe or "" for puzzle in made)
        wanted = {orders.recipe_text(_recipe(fields)): 2 for fields in PAPERS}
        assert len(wanted) == len(PAPERS)
        assert stored == wanted
        for puzzle in made:
            recipe = Recipe.of(json.loads(puzzle.recipe or ""))
            method = METHODS[recipe.method]
            assert puzzle.method == recipe.method
            if recipe.paper_level is not None and method.rating is not None:
                assert method.grade(engine.parse(puzzle.givens)) == recipe.paper_level
    cora.get("/admin/orders")
    names = cora.page.find_all(class_="job__name")
    assert sum("paper level 3" in job.text for job in names) == 4


def test_an_order_names_its_level(cora: Curator) -> None:
    cora.post("/admin/orders", FORM | {"level": "4"})
    cora.get("/admin/orders")
    assert cora.page.find(class_="job__name").text.startswith("Order 1: Hard")


def _recipe(fields: dict[str, str]) -> Recipe:
    level = fields["paper_level"]
    return Recipe(fields["method"], paper_level=int(level) if level else None)


def test_a_papers_parts_are_ordered_and_each_puzzle_stores_them(app: Flask, cora: Curator) -> None:
    wishes = {"paper_level": "4", "solved_grid": "las_vegas", "order": "interlaced", "cells": "4"}
    wishes |= {"transform": "no"}
    assert cora.post("/admin/orders", {**FORM, "level": "", **wishes}).status_code == 303
    finish(app)
    with app.app_context():
        recipes = list(db.session.scalars(sa.select(Puzzle.recipe).where(Puzzle.order_id.is_not(None))))
    wanted = {"paper_level": 4, "solved_grid": "las_vegas", "order": "interlaced", "cells": 4}
    wanted |= {"transform": False}
    assert [json.loads(recipe or "") for recipe in recipes] == [wanted] * 2
    cora.get(f"/admin/orders?like={order_of(app).id}")
    for name, value in wishes.items():
        field = cora.page.find(id=name)
        chosen = field if field.name == "input" else field.find("option", selected=True)
        assert chosen["value"] == value


PAPER = {"level": "", "method": "propagation", "paper_level": "1"}  # of 55 to 80 givens
REFUSED: list[tuple[dict[str, str | list[str]], str, str]] = [
    ({"count": ""}, "count", "Enter a whole number."),
    ({"count": "１２"}, "count", "Enter a whole number."),
    ({"budget": "nan"}, "budget", "Enter a number such as 2.5."),
    ({"budget": "1441"}, "budget", "Enter a time from one second to 24 hours."),
    ({"level": "x"}, "level", "Enter a whole number."),
    ({"minutes_from": "-1"}, "minutes_from", "Enter a number such as 2.5."),
    ({"symmetry": "spiral"}, "symmetry", "Choose one of the options."),
    ({"method": "guess"}, "method", "Choose one of the options."),
    ({"transform": "perhaps"}, "transform", "Expected one of “yes”, “no”, found “perhaps”."),
    ({"most_givens": "82"}, "most_givens", "Enter a number from 17 to 81."),
    ({"pattern": "xxx"}, "pattern", "Enter 81 cells. You entered 3."),
    ({"seed": "-1"}, "seed", "Enter a whole number."),
    ({"seed": "9" * 19}, "seed", f"Enter a whole number from 0 to {2**62}."),
    ({"er_from": "7", "er_to": "3"}, "er_from", "Use a number no higher than ER to."),
    ({"er_from": "12.5"}, "er_from", "Enter a number from 1 to 12."),
    ({"er_to": "0.5"}, "er_to", "Enter a number from 1 to 12."),
    (
        {"minutes_from": "9", "minutes_to": "3"},
        "minutes_from",
        "Use a number no higher than Expected minutes to.",
    ),
    (
        {"fewest_givens": "30", "most_givens": "22"},
        "fewest_givens",
        "Use a number no higher than Most givens.",
    ),
    ({"fewest_givens": "3"}, "fewest_givens", "Enter a number from 17 to 81."),
    ({"hardest": "x_wing"}, "hardest", "X-Wing isn’t one of the Beginner techniques."),
    ({"must": ["x_wing"]}, "must", "X-Wing is harder than Beginner."),
    (
        {"level": "", "hardest": "pointing", "must": ["x_wing"]},
        "must",
        "X-Wing is harder than Pointing Pair.",
    ),
    (
        {"level": "", "must": ["x_wing"], "must_not": ["x_wing"]},
        "must_not",
        "X-Wing is required above.",
    ),
    ({"er_from": "9"}, "er_from", "Use a range that overlaps ER 1 to 1.2, as Beginner needs."),
    ({"level": "5", "paper_level": "3"}, "paper_level", "Set the level above to Any."),
    (PAPER | {"method": "exact_cover"}, "paper_level", "This method has no levels of its own."),
    (PAPER | {"paper_level": "5"}, "paper_level", "Choose a level from 1 to 3."),
    (
        {"method": "min_candidates", "solved_grid": "uniform"},
        "solved_grid",
        "This method doesn’t start from a solved grid.",
    ),
    ({"method": "exact_cover", "cells": "4"}, "cells", "Only a Las Vegas grid begins with random cells."),
    ({"cells": "26"}, "cells", "Enter a number from 0 to 25."),
    ({"method": "min_candidates", "order": "random"}, "order", "This method digs nothing."),
    (PAPER | {"most_givens": "30"}, "most_givens", "This paper’s level has 55 to 80 givens."),
    (PAPER | {"minimal": "1"}, "minimal", "This paper’s level keeps more givens than it needs."),
    ({"pattern": "x" * 3 + "." * 78}, "pattern", "Mark 17 to 81 givens. You marked 3."),
    (
        {"pattern": "x" * 27 + "." * 54},
        "pattern",
        "Two empty rows or columns could be swapped. Put a given in one of them.",
    ),
    (
        {"pattern": "x" * 63 + "." * 9 + "x" * 9, "symmetry": "half_turn"},
        "pattern",
        "This pattern doesn’t have the symmetry “Half turn”.",
    ),
    ({"hardest": "no_such"}, "hardest", "Choose one of the options."),
]


@pytest.mark.parametrize(("fields", "field", "words"), REFUSED)
def test_a_refusal_says_at_its_field_what_to_change_and_nothing_is_ordered(
    app: Flask, cora: Curator, fields: dict[str, str | list[str]], field: str, words: str
) -> None:
    assert cora.post("/admin/orders", FORM | fields).status_code == 422
    assert cora.page.select_one(f".order [name={field}]")["aria-invalid"] == "true"
    said = [each for each in cora.page.find_all(class_="field__wrong") if each.text]
    assert [(each["id"], each.text) for each in said] == [(f"wrong-{field}", words)]
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Order)) == 0


@pytest.mark.parametrize("name", ["paper_levle", "self", "form", "x" * 10_000])
def test_a_field_that_the_form_does_not_know_is_an_error_that_names_it(
    app: Flask, cora: Curator, name: str
) -> None:
    assert cora.post("/admin/orders", {**FORM, name: "3"}).status_code == 422
    assert f"“{name[:40]}”" in cora.page.find(id="wrong-form").get_text()
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Order)) == 0


def test_the_form_has_every_field_that_it_knows_and_every_field_of_a_recipe(cora: Curator) -> None:
    cora.get("/admin/orders")
    form = cora.page.find("form", class_="order")
    shown = {tag["name"] for tag in form.find_all(["input", "select", "textarea"])}
    assert shown == FIELDS - {"desk_password", "desk_code"}
    ranges = {f"{name}_{end}" for name in ("er", "minutes") for end in ("from", "to")}
    # An order has a budget instead of an effort: it continues with the next seed.
    not_offered = {"effort", "search"}
    assert set(Recipe.__dataclass_fields__) - {"er", "minutes"} - not_offered == shown - ranges - {
        "csrf_token",
        "count",
        "budget",
        "seed",
    }


def test_the_form_shows_the_source_of_each_method(cora: Curator) -> None:
    cora.get("/admin/orders")
    about = cora.page.find(class_="order__about").get_text(" ")
    for method in METHODS.values():
        assert method.source in about
        assert all(f"{number} {name}" in about for number, name in enumerate(method.level_names, 1))
    offered = {option["value"] for option in cora.page.find(id="solved_grid").find_all("option")}
    assert offered == {"", *SOLVED_GRIDS}
