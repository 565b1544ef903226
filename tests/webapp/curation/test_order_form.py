"""The order form and the progress of orders, as a curator meets them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock, Visitor
from webapp.curation.orders import orders
from webapp.curation.orders.orders import Wish
from webapp.models import AuditEntry, Order, OrderState
from webapp.process.database import db

pytestmark = pytest.mark.one_database

FORM = {"count": "2", "budget": "1", "level": "1", "seed": "1000"}


def order_of(app: Flask) -> Order:
    with app.app_context():
        return db.session.scalars(sa.select(Order)).one()


def finish(app: Flask) -> None:
    with app.app_context():
        orders.take_up(SetClock.time)
        (order,) = orders.running()
        assert orders.work(orders.lanes(order, 1)[0], 60, lambda: False, lambda: SetClock.time) is None


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
    assert not job.has_attr("hx-trigger")  # it has stopped asking
    assert "2 of 2" in job.text
    with app.app_context():
        entry = db.session.scalars(sa.select(AuditEntry).where(AuditEntry.action == "order")).one()
        assert (entry.curator_name, json.loads(entry.after)["recipe"]) == ("Cora", {"level": 1})


def test_every_wish_of_the_form_arrives(app: Flask, cora: Curator) -> None:
    pattern = "x.......x" * 9
    wishes = {
        **FORM,
        "level": "each",
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
        "levels": [1, 2, 3, 4, 5],
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
    assert refused.status_code == 422  # a band of columns without a given
    assert cora.page.find(id="wrong-pattern") is not None
    assert cora.page.find(id="pattern").text == pattern


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("count", ""),
        ("count", "0"),
        ("count", "5001"),
        ("count", "many"),
        ("count", "１２"),
        ("budget", ""),
        ("budget", "0"),
        ("budget", "1441"),
        ("budget", "nan"),
        ("level", "6"),
        ("level", "x"),
        ("er_from", "13"),
        ("er_from", "1e3"),
        ("minutes_from", "-1"),
        ("hardest", "no_such"),
        ("must", "no_such"),
        ("must_not", "no_such"),
        ("symmetry", "spiral"),
        ("method", "guess"),
        ("fewest_givens", "16"),
        ("most_givens", "82"),
        ("pattern", "xxx"),
        ("pattern", "." * 81),
        ("seed", "-1"),
        ("seed", "9" * 19),
    ],
)
def test_a_bad_field_is_named_where_it_stands_and_nothing_is_ordered(
    app: Flask, cora: Curator, field: str, value: str
) -> None:
    assert cora.post("/admin/orders", FORM | {field: value}).status_code == 422
    assert cora.page.find(id=f"wrong-{field}") is not None, cora.page.find_all(class_="field__wrong")
    assert cora.page.find(id=field)["aria-invalid"] == "true"
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Order)) == 0


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
        orders.place(Wish({"level": 5}, 7, timedelta(minutes=1)), None, SetClock.time)  # by itself
    cora.get("/admin/orders?count=50")
    assert cora.page.find(id="count")["value"] == "50"
    assert cora.page.find(id="level").find("option", selected=True)["value"] == "4"
    assert cora.page.find(id="seed")["value"] == ""


def test_progress_without_htmx_leads_to_the_page(app: Flask, cora: Curator) -> None:
    cora.post("/admin/orders", FORM)
    number = order_of(app).id
    assert cora.get(f"/admin/orders/{number}/progress").location == f"/admin/orders#job-{number}"


def test_nobody_else_orders(app: Flask, ada: Visitor) -> None:
    assert ada.post("/admin/orders", FORM).status_code == 403
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Order)) == 0
