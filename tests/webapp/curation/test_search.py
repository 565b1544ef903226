"""The line of search: what words mean, and what they find."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.curation.bank import OTHERS, candidate, stored
from tests.webapp.desk import Curator
from tests.webapp.solves import add_player
from tests.webapp.visitors import SetClock
from webapp.bank import selection, traits
from webapp.bank.selection import Filters
from webapp.curation.puzzles import search
from webapp.models import Peek, Puzzle, PuzzleVote, Status
from webapp.process.database import db, write_tx


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("hard x-wing symmetrical", {"level": 4, "hardest": "x_wing", "symmetry": "any"}),
        ("X-Wing  HARD", {"level": 4, "hardest": "x_wing"}),
        ("two-string kite", {"hardest": "two_string_kite"}),
        ("new", {"status": "candidate"}),
        ("#77", {"ids": (77,)}),
        ("#77 78", {"ids": (77, 78)}),
        ("half turn", {"symmetry": "half_turn"}),
        ("order:3 favorite", {"order": 3, "favorite": True}),
        ("liked", {"liked": True}),
        ("easy Guardian weekend", {"level": 2, "told": "Guardian weekend"}),
        (EASY, {"like": EASY}),
        ("", {}),
    ],
)
@pytest.mark.usefixtures("inside")
def test_a_search_is_read(text: str, values: dict[str, Any]) -> None:
    filters, chips = search.read(text)
    assert filters == Filters(**values)
    assert len(chips) == len(values) + (text == "#77 78")


@pytest.mark.usefixtures("inside")
def test_a_chip_leads_to_the_search_without_it() -> None:
    _filters, chips = search.read("hard x-wing new")
    assert [chip.without for chip in chips] == ["x-wing new", "hard new", "hard x-wing"]


@pytest.mark.usefixtures("inside")
def test_a_search_is_read_in_the_readers_language_and_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "level_name", lambda level: f"Stufe {level}")
    assert (
        search.read("stufe 4 x-wing")[0]
        == search.read("hard x-wing")[0]
        == Filters(level=4, hardest="x_wing")
    )


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator) -> None:
    found, other = stored(app, candidate(OTHERS[0], level=4), candidate(OTHERS[1], level=2))
    assert cora.get("/admin/puzzles?q=hard+new").status_code == 200
    assert [card["id"] for card in cora.page.select(".found")] == [f"puzzle-{found}"]
    assert "1 puzzle" in cora.page.select_one(".search__count").text
    with app.app_context():
        seen = set(db.session.scalars(sa.select(Peek.puzzle_id)))
    assert found in seen
    assert other not in seen


@pytest.mark.both_databases
def test_the_newest_come_first_and_pages_hold_two_dozen(app: Flask, cora: Curator) -> None:
    with app.app_context(), write_tx():
        db.session.execute(sa.delete(Puzzle))
    ids = stored(app, *(candidate(line) for line in OTHERS))
    cora.get("/admin/puzzles")
    assert [card["id"] for card in cora.page.select(".found")] == [f"puzzle-{one}" for one in reversed(ids)]


@pytest.mark.both_databases
def test_a_symmetry_is_found_and_any(app: Flask) -> None:
    (number,) = stored(app, candidate(EASY))
    with app.app_context():
        list(traits.trace())
        symmetric = set(selection.listed(Filters(symmetry="any"), 1000))
        half = set(selection.listed(Filters(symmetry="half_turn"), 1000))
        cells = {cell for cell in range(81) if EASY[cell] != "."}
        assert (number in half) is all(80 - cell in cells for cell in cells)
        assert half <= symmetric


@pytest.mark.both_databases
def test_a_puzzle_is_found_by_an_equivalent_grid(app: Flask) -> None:
    (number,) = stored(app, candidate(EASY))
    renamed = EASY.translate(str.maketrans("123456789", "987654321"))
    with app.app_context():
        assert selection.listed(Filters(like=renamed), 10) == [number]
        assert selection.listed(Filters(like=renamed, status=str(Status.APPROVED)), 10) == []


@pytest.mark.both_databases
def test_the_best_liked_come_first(app: Flask) -> None:
    good, mixed, bad = stored(app, *(candidate(line, status=Status.APPROVED) for line in OTHERS[:3]))
    with app.app_context(), write_tx():
        players = [add_player(f"Player{number}") for number in range(4)]
        for number, likes in ((good, 4), (mixed, 2), (bad, 0)):
            for at, player in enumerate(players):
                vote = {"player_id": player, "puzzle_id": number, "good": at < likes}
                db.session.add(PuzzleVote(**vote, at=SetClock.time))
        db.session.flush()
        assert selection.listed(Filters(liked=True), 10) == [good, mixed, bad]
