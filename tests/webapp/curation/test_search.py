"""Search over the bank: criteria, tags, saved searches, all results at once."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

import engine
from tests.webapp.conftest import new_puzzle
from tests.webapp.curation.test_team import of_role
from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock
from webapp.bank import bank, finding, traits
from webapp.curation import curation
from webapp.models import Puzzle, PuzzleTrait, Role, SavedSearch, Status
from webapp.process.database import db, write_tx


def stored(count: int, **values: Any) -> list[int]:
    """Store rated candidates with these values, traced. Returns their numbers."""
    with write_tx():
        made = [new_puzzle(3) for _number in range(count)]
        for puzzle in made:
            puzzle.status = Status.CANDIDATE
            for name, value in (bank.rating_of(engine.parse(puzzle.givens)) | values).items():
                setattr(puzzle, name, value)
        db.session.add_all(made)
    list(traits.trace())
    return [puzzle.id for puzzle in made]


def shown(cora: Curator, query: str) -> list[int]:
    """Return the puzzles that a search lists, in order."""
    assert cora.get(f"/admin/?{query}").status_code == 200
    return [int(row["id"].removeprefix("puzzle-")) for row in cora.page.find_all("tr", class_="queue__row")]


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator) -> None:
    """Each property of a puzzle finds it, and finds none that lacks it."""
    with app.app_context():
        one, two = stored(2)
        with write_tx():
            db.session.get_one(Puzzle, one).author = "Ann  Example"
            db.session.get_one(Puzzle, one).traced = False
        list(traits.trace())
        first, second = db.session.get_one(Puzzle, one), db.session.get_one(Puzzle, two)
        own = {row.trait for row in db.session.query(PuzzleTrait).filter_by(puzzle_id=one)}
        used = {trait.removeprefix(traits.USES) for trait in own if trait.startswith(traits.USES)}
        rating = engine.rate(engine.parse(first.givens))
        assert used == {key for key, times in rating.counts.items() if times}
        count = 81 - first.givens.count(".")
        other = 81 - second.givens.count(".")
        like = engine.parse(first.givens)
        transformed = engine.Transformation(True, tuple(range(8, -1, -1)), tuple(range(9))).apply(like)
    both = [one, two]
    for key in used:
        assert one in shown(cora, f"uses={key}")
    assert shown(cora, f"givens_from={count}&givens_to={count}") == (both if other == count else [one])
    assert shown(cora, "told=ann example") == [one]
    assert shown(cora, f"like={transformed}") == [one]
    assert shown(cora, "made=dig_hole") == both
    assert shown(cora, "made=import") == []
    assert shown(cora, "status=all&made=dig_hole")[-2:] == both


def test_a_technique_that_is_not_the_hardest_is_found(app: Flask, cora: Curator) -> None:
    with app.app_context():
        (one,) = stored(1)
        rating = engine.rate(engine.parse(db.session.get_one(Puzzle, one).givens))
        key = next(key for key, times in rating.counts.items() if times and key != rating.hardest)
    assert shown(cora, f"uses={key}") == [one]
    assert shown(cora, f"hardest={key}") == []


def test_a_new_rating_is_found_by_after_the_next_run(app: Flask, cora: Curator) -> None:
    with app.app_context():
        (one,) = stored(1)
        with write_tx():
            puzzle = db.session.get_one(Puzzle, one)
            puzzle.breakdown, puzzle.traced = '{"counts": {"x_wing": 1, "xy_wing": 0}}', False
            traits.tag([one], "kept")
        assert list(traits.trace()) == [one]
    assert shown(cora, "uses=x_wing") == [one]
    assert shown(cora, "uses=xy_wing") == []
    assert shown(cora, "tag=kept") == [one]


def test_a_twin_is_found_whichever_of_the_two_was_traced_first(app: Flask, cora: Curator) -> None:
    with app.app_context():
        one, two, alone = stored(3)
        with write_tx():
            first, second = db.session.get_one(Puzzle, one), db.session.get_one(Puzzle, two)
            first.status, first.solution_class = Status.APPROVED, second.solution_class
            second.traced = False
        assert shown(cora, "twins=1") == [two]  # not traced yet
        assert list(traits.trace()) == [two]
        assert set(db.session.scalars(traits.sharing())) == {one, two}
    assert shown(cora, "twins=1") == [two]
    with app.app_context(), write_tx():
        db.session.get_one(Puzzle, one).status = Status.REJECTED
    assert shown(cora, "twins=1") == []
    assert alone in shown(cora, "")


def test_a_symmetry_that_another_implies_is_found(app: Flask, cora: Curator) -> None:
    with app.app_context():
        (one,) = stored(1)
        row = {"givens": "1" * 81, "rating": None, "told": ()}  # a pattern with every symmetry
        assert {f"symmetry:{name}" for name in ("half_turn", "full")} <= traits._derived(**row)
        with write_tx():
            db.session.add(PuzzleTrait(trait="symmetry:diagonal", puzzle_id=one))
    assert shown(cora, "symmetry=diagonal") == [one]


@pytest.mark.both_databases
@pytest.mark.parametrize("sort", ["number", "level", "er", "time", "givens"])
def test_every_status_together_is_in_order_and_what_lacks_a_value_comes_last(
    app: Flask, cora: Curator, sort: str
) -> None:
    with app.app_context():
        numbers = stored(2, status=Status.APPROVED) + stored(2)
        bare = stored(1, explainer=None, expected_seconds=None, status=Status.REJECTED)
        rows = {
            row.id: (row.explainer or 99, row.expected_seconds or 9e9, row.level, 81 - row.givens.count("."))
            for row in db.session.query(Puzzle)
        }
    place = {"er": 0, "time": 1, "level": 2, "givens": 3}
    for down in (False, True):
        found = [each for each in shown(cora, f"status=all&sort={'-' * down}{sort}") if each in numbers]
        key = (
            (lambda number: number)
            if sort == "number"
            else (lambda number: (rows[number][place[sort]], number))
        )
        assert found == sorted(numbers, key=key, reverse=down)
    if sort in ("er", "time"):
        listed = shown(cora, f"status=all&sort=-{sort}")
        assert listed.index(bare[0]) > max(map(listed.index, numbers))


def test_many_results_are_counted_up_to_a_limit(
    app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curation, "MOST_COUNTED", 2)
    monkeypatch.setattr(curation, "PER_PAGE", 1)
    with app.app_context():
        stored(4)
        page = curation.queue(curation.Filters(status=Status.CANDIDATE), "number", 99)
        assert (page.pages, page.number, page.more) == (2, 2, True)
    cora.get("/admin/")
    assert "More than" in cora.page.find(class_="queue__all").text


@pytest.mark.both_databases
def test_tags_are_given_found_and_taken(app: Flask, cora: Curator) -> None:
    with app.app_context():
        one, two, three = stored(3)
    chosen = {"puzzle": [f"{one}:0", f"{two}:0"], "action": "tag", "tag": " Best of the  Sunday Papers "}
    assert cora.post("/admin/decisions", chosen).status_code == 303
    assert shown(cora, "tag=best of the sunday papers") == [one, two]
    assert cora.post(f"/admin/puzzles/{three}/tags", {"tag": "other"}).status_code == 303
    assert (
        cora.post(f"/admin/puzzles/{one}/tags", {"tag": "best of the sunday papers", "off": "1"}).status_code
        == 303
    )
    assert shown(cora, "tag=Best of the Sunday Papers") == [two]
    with app.app_context():
        assert traits.all_tags() == ["best of the sunday papers", "other"]
    cora.get("/admin/audit")
    logged = cora.page.find("table").text
    assert "Tagged 2 puzzles “best of the sunday papers”." in logged
    assert f"Removed the tag “best of the sunday papers” from #{one}." in logged


@pytest.mark.parametrize("text", ["", "  ", "x" * 31, "<b>", "a:b", "%"])
def test_a_tag_that_cannot_be_is_refused(app: Flask, cora: Curator, text: str) -> None:
    with app.app_context():
        (one,) = stored(1)
    assert cora.post(f"/admin/puzzles/{one}/tags", {"tag": text}).status_code == 422
    fields = {"puzzle": f"{one}:0", "action": "tag", "tag": text}
    assert cora.post("/admin/decisions", fields).status_code == 422
    assert cora.post("/admin/puzzles/999999/tags", {"tag": "fine"}).status_code == 404


def test_all_results_of_a_search_are_tagged_or_decided_at_once(app: Flask, cora: Curator) -> None:
    with app.app_context():
        numbers = stored(4)
        others = stored(1, status=Status.APPROVED)
    every = {"all": "1", "query": "made=dig_hole&status=candidate"}
    assert cora.post("/admin/decisions", every | {"action": "tag", "tag": "lot"}).status_code == 303
    assert shown(cora, "tag=lot&status=all") == numbers
    previewed = every | {"action": "reject", "preview": "1"}
    assert cora.post("/admin/decisions", previewed).status_code == 200
    choices = [field["value"] for field in cora.page.find_all("input", {"name": "puzzle"})]
    assert [int(choice.partition(":")[0]) for choice in choices] == numbers
    sent = {"action": "reject", "puzzle": choices, "reason": "Too many"}
    assert cora.post("/admin/decisions", sent).status_code == 303
    assert shown(cora, "status=rejected") == numbers
    assert shown(cora, "status=approved")[-1:] == others
    assert cora.post("/admin/decisions", previewed | {"query": "like=x"}).status_code == 422


def test_a_search_is_kept_and_deleted(app: Flask, cora: Curator, clock: SetClock) -> None:
    sent = {"name": "Hard ones", "query": "er_from=5.0&status=all&nonsense=1&sort=-er"}
    assert cora.post("/admin/searches", sent).location == "/admin/?status=all&er_from=5"
    cora.get("/admin/")
    assert cora.page.find("a", string="Hard ones")["href"] == "/admin/?status=all&er_from=5"
    with app.app_context():
        number = db.session.query(SavedSearch).one().id
    robin = of_role(app, clock, Role.EDITOR, "Robin")
    robin.get("/admin/")
    assert robin.page.find("a", string="Hard ones") is None
    assert robin.post(f"/admin/searches/{number}/removal").status_code == 404
    assert cora.post(f"/admin/searches/{number}/removal").status_code == 303
    odd = ({"query": "like=x"}, {"query": "told=%00"}, {"query": "&".join(["level=1"] * 1001)})
    for wrong in ({"name": ""}, {"name": "x" * 61}, *odd):
        assert cora.post("/admin/searches", sent | wrong).status_code == 422


@pytest.mark.both_databases
@pytest.mark.parametrize("query", ["uses=hidden_single", "uses=hidden_single&level=3&er_from=1", "tag=best"])
def test_a_rare_trait_is_found_as_a_common_one_is(
    app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    """Few puzzles are looked up and sorted; for many the list walks along an index."""
    with app.app_context():
        numbers = stored(4)
    chosen = {"puzzle": [f"{number}:0" for number in numbers[1:]], "action": "tag", "tag": "best"}
    assert cora.post("/admin/decisions", chosen).status_code == 303
    addresses = [f"{query}&sort={sort}" for sort in ("number", "-er", "time", "givens", "-level")]
    few = [shown(cora, address) for address in addresses]
    monkeypatch.setattr(finding, "FEW", 0)
    assert [shown(cora, address) for address in addresses] == few
