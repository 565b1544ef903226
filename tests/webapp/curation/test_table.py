"""The drawing table: sketches, how they are completed, and storing them."""

from __future__ import annotations

import pytest
from flask import Flask

import engine
from engine.generation.by_hand import check_shape
from tests.thorough import one_in
from tests.webapp.conftest import EASY
from tests.webapp.desk import Curator, log
from tests.webapp.processes import wait_until
from webapp.curation.table.shapes import FIGURES, shape_of
from webapp.curation.table.sketch import Sketch
from webapp.models import Puzzle, Status
from webapp.process.database import db
from webapp.process.errors import BadInput

DRAWN = "8..4...1..4......51...356....4..8.7..7.....8..8.2..4....531...86......9..1...9..6"


def field(cora: Curator, name: str) -> str:
    """Return the page's sketch field."""
    found = cora.page.find(id="table-finish").find("input", {"name": name})
    return str(found["value"]) if found else ""


def test_it_works(app: Flask, cora: Curator) -> None:
    """From an empty board to a candidate."""
    assert cora.get("/admin/table").status_code == 200
    assert "More than 1,000 solutions." in cora.page.find(id="verdict").text
    assert cora.get("/admin/table?set=0:8&cell=0").location == f"/admin/table?grid=8{'.' * 80}&cell=0"
    answer = cora.post("/admin/table", {"grid": "8" + "." * 80, "locked": "1", "how": "complete"})
    assert answer.status_code == 303
    cora.get(answer.location)
    grid = engine.parse(field(cora, "grid"))
    assert (grid[0], engine.verdict(grid)) == (8, engine.Verdict.UNIQUE)
    assert "Exactly one solution." in cora.page.find(id="verdict").text
    assert "The bank has nothing like it." in cora.page.find(id="ratings").text
    sent = {"grid": str(grid), "locked": "1", "title": " My  first "}
    kept = cora.post("/admin/table/candidates", sent)
    assert kept.status_code == 303
    with app.app_context():
        made = db.session.query(Puzzle).filter_by(givens=str(grid)).one()
        assert (made.status, made.method, made.author) == (Status.CANDIDATE, "drawn", "Cora")
        assert made.title == "My first"
    assert [action for _who, action, _number in log(app)] == ["draw"]
    assert cora.post("/admin/table/candidates", sent).status_code == 422
    cora.get(f"/admin/table?grid={grid}")
    assert "same as #" in cora.page.find(id="ratings").text


@pytest.mark.parametrize("how", ["thin", "minimal", "need", "complete"])
def test_what_is_locked_stays(cora: Curator, how: str) -> None:
    locked = f"{(1 << 0) | (1 << 80):x}"
    answer = cora.post(
        "/admin/table",
        {"grid": DRAWN, "locked": locked, "how": how, "technique": "x_wing", "symmetry": "half_turn"},
    )
    assert answer.status_code == 303
    cora.get(answer.location)
    grid = engine.parse(field(cora, "grid"))
    assert (grid[0], grid[80]) == (8, 6)
    assert field(cora, "locked") == locked
    assert field(cora, "symmetry") == "half_turn"
    assert engine.verdict(grid) is engine.Verdict.UNIQUE


@pytest.mark.parametrize(
    "sent",
    [
        {"how": "thin"},
        {"how": "minimal", "grid": "11" + "." * 79},
        {"how": "complete", "grid": "11" + "." * 79},
        {"how": "need", "technique": "x"},
        {"how": "fold"},
        {},
        {"how": "complete", "shape": "ff"},
    ],
)
def test_what_cannot_be_finished_says_why_and_keeps_the_sketch(cora: Curator, sent: dict[str, str]) -> None:
    assert cora.post("/admin/table", sent).status_code == 422
    assert cora.page.find(id="table-wrong").text.strip()
    assert field(cora, "grid") == sent.get("grid", "")
    assert field(cora, "shape") == sent.get("shape", "")


@pytest.mark.parametrize(
    "query",
    [
        *("grid=12x", "locked=xyz", "shape=" + "f" * 22, "shape=-1", "symmetry=round"),
        *("set=81:1", "set=0:10", "set=x", "cell=81", "lock=x", "mark=99"),
    ],
)
def test_an_address_that_cannot_be_is_refused(cora: Curator, query: str) -> None:
    assert cora.get(f"/admin/table?{query}").status_code == 422


def test_cells_are_locked_marked_and_erased_with_their_images(cora: Curator) -> None:
    cora.get(f"/admin/table?grid={EASY}&symmetry=half_turn")
    assert cora.get(f"/admin/table?grid={EASY}&lock=3").location.endswith("locked=8")
    assert cora.get(f"/admin/table?grid={EASY}&lock=0").location.endswith(EASY)  # nothing to lock
    assert "shape=100000000000000000001" in cora.get("/admin/table?symmetry=half_turn&mark=0").location
    sketch = Sketch(engine.parse(EASY), frozenset({77}), frozenset(), "half_turn")
    erased = sketch.placed(3, 0)
    assert (erased.grid[3], erased.grid[77]) == (0, engine.parse(EASY)[77])
    assert sketch.placed(77, 5) == sketch
    assert sketch.toggled_shape(0).toggled_shape(80).shape == frozenset()
    assert sketch.cleared().grid.givens == (1 if engine.parse(EASY)[77] else 0)


def test_free_cells_locks_and_the_shape_are_described_in_words(cora: Curator) -> None:
    grid = EASY.replace("7", ".", 1)
    cora.get(f"/admin/table?grid={grid}&locked=40&shape=1")
    assert "in the shape" in cora.page.find(id="c0").text
    assert "locked" in cora.page.find(id="c6").text
    if "Exactly one" not in cora.page.find(id="verdict").text:
        assert "free" in cora.page.find(id="verdict").text


def test_each_name_of_the_path_leads_to_its_step(cora: Curator) -> None:
    def worked_out() -> bool:
        cora.get(f"/admin/table?grid={DRAWN}")
        return cora.page.find(id="step-1") is not None

    wait_until(worked_out)
    second = cora.page.find(id="step-2").a
    assert cora.page.find(class_="stepper__told") is None
    cora.get(second["href"])
    chosen = cora.page.find(id="step-2").a
    assert (chosen.text, chosen["aria-current"]) == (second.text, "step")
    assert cora.page.find(class_="stepper__told").text.strip()


@pytest.mark.parametrize("text", one_in(5, [*FIGURES, *"ABEGHKMNRSXZ0235689"]))
def test_figures_and_most_letters_can_hold_a_puzzle(text: str) -> None:
    check_shape(shape_of(text))


@pytest.mark.parametrize("text", ["", "AB", "!", " "])
def test_only_figures_letters_and_digits_are_shapes(cora: Curator, text: str) -> None:
    with pytest.raises(BadInput):
        shape_of(text)
    if text.strip():
        assert cora.get(f"/admin/table?figure={text}").status_code == 422


def test_a_figure_replaces_the_shape_and_nothing_removes_it(cora: Curator) -> None:
    heart = cora.get("/admin/table?figure=heart").location
    assert "shape=" in heart
    assert cora.get(heart).status_code == 200
    assert "The shape has 31 cells." in cora.page.text
    assert cora.get(f"{heart}&figure=").location == "/admin/table"
