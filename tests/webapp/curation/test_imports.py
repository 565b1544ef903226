"""Imports: one job over one file; every line gets a result, and a killed worker loses none."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.generation import vary
from tests.webapp.conftest import EASY
from tests.webapp.curation.bank import OTHERS, RENAMED, TWO_SOLUTIONS, candidate, stored
from tests.webapp.desk import Curator, entries
from tests.webapp.visitors import SetClock
from webapp.curation.puzzles import imports, reading, storing
from webapp.curation.puzzles.tables import Import, JobState
from webapp.models import Peek, Player, Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput

NOW = SetClock.time


def accept(text: str | bytes, *, ask: bool = True) -> int:
    data = text if isinstance(text, bytes) else text.encode()
    return imports.accept(data, "file.txt", None, NOW, ask=ask)


def work(number: int) -> bool:
    with write_tx():
        batch = imports.of_id(number)
        if batch.state == JobState.QUEUED:
            batch.state = JobState.RUNNING
    return imports.work(number, 0, lambda: False, lambda: NOW)


def imported(text: str | bytes) -> Import:
    """Import a text to its end."""
    number = accept(text, ask=False)
    assert work(number)
    return db.session.get_one(Import, number, populate_existing=True)


def rows(batch: Import) -> list[list[str]]:
    return [[str(value) for value in row] for row in imports.report(batch).rows]


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_it_works() -> None:
    batch = imported("\n".join([OTHERS[0], "# a comment", OTHERS[1], TWO_SOLUTIONS, "5" * 81]))
    assert (batch.state, batch.taken, batch.new) == (JobState.DONE, 4, 2)
    assert batch.data is None
    assert [row[:2] for row in rows(batch)] == [
        ["1", "new"],
        ["3", "new"],
        ["4", "not_unique"],
        ["5", "invalid"],
    ]
    found = db.session.scalars(sa.select(Puzzle).where(Puzzle.givens.in_(OTHERS[:2]))).all()
    assert {puzzle.status for puzzle in found} == {Status.CANDIDATE}


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_duplicates_are_found_through_renamed_digits() -> None:
    batch = imported("\n".join([EASY, RENAMED, EASY]))
    assert [row[1] for row in rows(batch)] == ["new", "duplicate", "duplicate"]
    assert rows(batch)[1][3] == "same as line 1"
    turned = str(vary(engine.parse(EASY), 3, "none").grid)
    again = imported(turned)
    assert (again.duplicate, rows(again)[0][3] != "") == (1, True)


@pytest.mark.usefixtures("inside")
def test_a_puzzle_with_the_solution_of_another_is_new_and_says_so() -> None:
    solution = str(engine.solution(engine.parse(EASY)))
    cell = EASY.index(".")
    batch = imported(f"{EASY}\n{EASY[:cell]}{solution[cell]}{EASY[cell + 1 :]}")
    assert [row[1] for row in rows(batch)] == ["new", "new"]
    assert "same solution as line 1" in rows(batch)[1][3]


@pytest.mark.usefixtures("inside")
def test_a_puzzle_that_a_player_has_entered_becomes_a_candidate() -> None:
    with write_tx():
        db.session.add(candidate(EASY, status=Status.ENTERED))
    assert imported(EASY).new == 1
    found = db.session.scalars(sa.select(Puzzle).where(Puzzle.givens == EASY)).one()
    assert found.status == Status.CANDIDATE


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_a_killed_import_is_repeated_and_ends_with_the_same_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "PART", 2)
    number = accept("\n".join([*OTHERS[:5], OTHERS[0]]), ask=False)
    with write_tx():
        imports.of_id(number).state = JobState.RUNNING
    store, parts = imports._store, []

    def killed(batch_id: int, part: list[reading.Line], _now: object) -> object:
        if len(parts) == 2:
            raise KeyboardInterrupt
        parts.append(part)
        return store(batch_id, part, NOW)

    monkeypatch.setattr(imports, "_store", killed)
    with pytest.raises(KeyboardInterrupt):
        imports.work(number, 0, lambda: False, lambda: NOW)
    monkeypatch.setattr(imports, "_store", store)
    db.session.rollback()
    assert work(number)
    batch = db.session.get_one(Import, number, populate_existing=True)
    assert (batch.taken, batch.new, batch.duplicate) == (6, 5, 1)
    assert [row[1] for row in rows(batch)] == 5 * ["new"] + ["duplicate"]


@pytest.mark.usefixtures("inside")
def test_too_many_puzzles_are_refused_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "MOST", 3)
    before = db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle))
    batch = imported("\n".join(OTHERS[:4]))
    assert (batch.state, batch.taken) == (JobState.FAILED, 0)
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) == before


@pytest.mark.parametrize("text", ["", " \n ", "x" * (imports.LARGEST + 1)])
@pytest.mark.usefixtures("inside")
def test_what_is_no_file_of_puzzles_is_refused_at_once(text: str) -> None:
    with pytest.raises(BadInput):
        accept(text)


@pytest.mark.usefixtures("inside")
def test_a_file_without_puzzles_fails_and_says_why() -> None:
    batch = imported("Dear editors, here are my puzzles.")
    assert (batch.state, batch.taken) == (JobState.FAILED, 0)
    assert batch.message


def test_a_cancelled_import_stops_and_forgets_its_file(app: Flask, cora: Curator) -> None:
    with app.app_context():
        number = accept("\n".join(OTHERS))
    assert cora.post(f"/admin/import/{number}", {"cancel": "1"}).status_code == 303
    with app.app_context():
        assert work(number)
        batch = db.session.get_one(Import, number)
        assert (batch.state, batch.new, batch.data) == (JobState.CANCELLED, 0, None)


# Tables


@pytest.mark.parametrize(
    "header",
    [
        "Titel;Rätsel;Autor",
        "título;puzle;autor",
        "タイトル;問題;作者",
        "标题;题目;作者",
        "title;puzzle;author",
    ],
)
@pytest.mark.usefixtures("inside")
def test_a_header_is_read_in_five_languages(header: str) -> None:
    batch = imported(f"{header}\nSunday;{EASY};Ada\n")
    assert batch.new == 1
    puzzle = db.session.scalars(sa.select(Puzzle).where(Puzzle.givens == EASY)).one()
    assert (puzzle.title, puzzle.author) == ("Sunday", "Ada")


@pytest.mark.usefixtures("inside")
def test_a_column_of_numbers_holds_no_titles() -> None:
    imported(f"name,puzzle\n17,{EASY}\n18,{OTHERS[0]}\n")
    assert db.session.scalar(sa.select(Puzzle.title).where(Puzzle.givens == EASY)) is None


def test_an_unknown_header_is_asked_about(app: Flask, cora: Curator) -> None:
    table = f"wen,grille\nAda,{EASY}\n"
    address = cora.post("/admin/import", {"text": table}).location
    assert cora.get(address).status_code == 200
    assert cora.page.select_one("#puzzle") is not None
    chosen = {"delimiter": ",", "header": "1", "puzzle": "2", "author": "1"}
    assert cora.post(address, chosen).status_code == 303
    with app.app_context():
        assert work(int(address.rpartition("/")[2]))
        puzzle = db.session.scalars(sa.select(Puzzle).where(Puzzle.givens == EASY)).one()
        assert puzzle.author == "Ada"
    assert cora.post(address, chosen).status_code == 409


def test_a_file_whose_columns_nobody_chose_is_forgotten_after_a_day(app: Flask, clock: SetClock) -> None:
    with app.app_context():
        number = accept(f"wen,grille\nAda,{EASY}\n")
        assert imports.of_id(number).state == JobState.WAITING
        clock.advance(days=1, seconds=1)
        assert imports.forget_waiting(clock()) == 1


@pytest.mark.usefixtures("inside")
def test_titles_in_windows_1252_and_utf_16_are_kept() -> None:
    for encoding, line in (("cp1252", EASY), ("utf-16", OTHERS[0])):
        imported(f"title;puzzle\nGrüße;{line}\n".encode(encoding))
        assert db.session.scalar(sa.select(Puzzle.title).where(Puzzle.givens == line)) == "Grüße"


# At the desk


@pytest.mark.both_databases
def test_a_curator_imports_reads_the_report_and_finds_the_puzzles(app: Flask, cora: Curator) -> None:
    address = cora.post("/admin/import", {"text": f"{EASY}\n{TWO_SOLUTIONS}"}).location
    cora.get(address)
    assert cora.page.find(id="report")["data-state"] == "queued"
    number = int(address.rpartition("/")[2])
    with app.app_context():
        work(number)
        (puzzle,) = db.session.scalars(sa.select(Puzzle.id).where(Puzzle.givens == EASY))
        cora_id = db.session.scalars(sa.select(Player.id).where(Player.name == "Cora")).one()
        assert db.session.get(Peek, (cora_id, puzzle)) is not None
    cora.get(f"{address}?state=not_unique")
    assert [row.th.text for row in cora.page.select("tbody tr")] == ["2"]
    whole = list(csv.DictReader(io.StringIO(cora.get(f"{address}.csv").text)))
    assert [(row["line"], row["state"]) for row in whole] == [("1", "new"), ("2", "not_unique")]
    cora.get(f"/admin/puzzles?q=import:{number}")
    assert [card["id"] for card in cora.page.select(".found")] == [f"puzzle-{puzzle}"]
    assert [entry.action for entry in entries(app, "import")] == ["import"]


def test_the_command_imports_at_once(app: Flask, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(f"id,puzzle\n1,{EASY}\n")
    done = app.test_cli_runner().invoke(args=["desk", "import", str(file)])
    assert (done.exit_code, "1 new" in done.output) == (0, True)
    with app.app_context():
        assert db.session.scalar(sa.select(Puzzle.title).where(Puzzle.givens == EASY)) is None


@pytest.mark.usefixtures("inside")
def test_nothing_of_a_part_is_stored_where_one_line_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "_result", lambda *_: 1 / 0)
    number = accept("\n".join(OTHERS[:3]))
    with pytest.raises(ZeroDivisionError):
        work(number)
    db.session.rollback()
    assert db.session.scalars(sa.select(Puzzle.id).where(Puzzle.givens.in_(OTHERS[:3]))).all() == []


def test_what_is_exported_can_be_imported(app: Flask, cora: Curator) -> None:
    numbers = stored(app, *(candidate(line, status=Status.APPROVED) for line in OTHERS[:3]))
    chosen = "&".join(f"puzzle={number}" for number in numbers)
    for kind in ("sdm", "csv", "json", "opensudoku"):
        text = cora.get(f"/admin/puzzles/export?{chosen}&format={kind}").data
        with app.app_context():
            assert imported(text).duplicate == 3
    assert len(entries(app, "export")) == 4
    assert cora.get("/admin/puzzles/export?puzzle=99999").status_code == 404
    assert cora.get(f"/admin/puzzles/export?{chosen}&format=exe").status_code == 422
