"""Import and export: every line accounted for, nothing half done, bombs rejected."""

from __future__ import annotations

import csv
import io
import json
from datetime import date

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.test import stream_encode_multipart

import engine
from engine import formats
from tests.webapp.competition.test_schedule import scheduled
from tests.webapp.conftest import EASY, new_puzzle, solution_of
from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock
from webapp.bank import bank, exporting
from webapp.curation.importing import importing, parts, reading, uploads
from webapp.models import AuditEntry, Import, ImportLine, LineState, Peek, Puzzle, Status
from webapp.process.database import db, write_tx

NOW = SetClock.time

# Werkzeug's test client leaves the temporary file of a large form to the collector.
pytestmark = [pytest.mark.filterwarnings("ignore::ResourceWarning"), pytest.mark.usefixtures("collected")]


def puzzles(count: int) -> list[str]:
    return [
        str(engine.generate(engine.Recipe(fewest_givens=34, most_givens=40), seed).grid)
        for seed in range(count)
    ]


def brought(app: Flask, text: str) -> tuple[int, list[ImportLine]]:
    with app.app_context():
        batch = importing.take(io.BytesIO(text.encode()), "test", None, NOW)
        assert batch is not None
        lines = db.session.scalars(sa.select(ImportLine).order_by(ImportLine.line)).all()
        return batch, list(lines)


def in_the_bank(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) or 0


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator) -> None:
    first, second = puzzles(2)
    text = f"{first}\n{second} # a comment\n{first}\n"
    answer = cora.post("/admin/import", {"text": text})
    assert answer.status_code == 303
    assert cora.get(answer.location).status_code == 200
    states = [row.find_all("td")[0].text for row in cora.page.find("tbody").find_all("tr")]
    assert states == ["New", "New", "Duplicate"]
    with app.app_context():
        stored = db.session.scalars(sa.select(Puzzle).where(Puzzle.status == Status.CANDIDATE)).all()
        assert {puzzle.givens for puzzle in stored} == {first, second}
        assert {puzzle.rating_version for puzzle in stored} == {bank.BY_GIVENS}
        entry = db.session.scalars(sa.select(AuditEntry).where(AuditEntry.action == "import")).one()
        assert json.loads(entry.after)["new"] == 2
        list(bank.rate_anew())
        assert importing.report(int(entry.subject_id)).rated == 2


def test_every_line_is_accounted_for(app: Flask) -> None:
    one, two = puzzles(2)
    transformed = engine.parse(one).digits[::-1]
    lines = [
        one,  # 1: new
        str(engine.Grid(transformed)),  # 2: the same, transformed
        "",  # a blank line doesn't count
        "11" + "." * 79,  # 4: breaks the rules
        "." * 81,  # 5: many solutions
        one[:40],  # 6: too short
        "y" + one[1:],  # 7: a wrong character
        two,  # 8: new
        "5" + "." * 80,  # 9: many solutions
        "twelve hard ones",  # 10: words
    ]
    _batch, found = brought(app, "\n".join(lines))
    states = {line.line: line.state for line in found}
    assert states == {
        1: LineState.NEW,
        2: LineState.DUPLICATE,
        4: LineState.INVALID,
        5: LineState.NOT_UNIQUE,
        6: LineState.INVALID,
        7: LineState.INVALID,
        8: LineState.NEW,
        9: LineState.NOT_UNIQUE,
        10: LineState.INVALID,
    }
    details = {line.line: line.detail for line in found}
    assert details[2] == "same as line 1"
    assert "at least 17" in details[5]
    assert details[7].startswith("r1c1: ")
    assert "'y'" in details[7]
    assert details[10] == "line 10 isn’t a puzzle of 81 cells"


@pytest.mark.both_databases
def test_a_puzzle_of_the_bank_is_named(app: Flask) -> None:
    with app.app_context():
        list(bank.fill_canonical())
        known = db.session.scalars(sa.select(Puzzle.id).order_by(Puzzle.id)).first()
    _batch, found = brought(app, EASY)
    assert [(line.state, line.puzzle_id) for line in found] == [(LineState.DUPLICATE, known)]


@pytest.mark.parametrize("kind", sorted(formats.FORMATS))
def test_every_format_that_is_written_is_read(app: Flask, kind: str) -> None:
    (one,) = puzzles(1)
    form = formats.FORMATS[kind]
    text = form.write(formats.Entry(engine.parse(one)))
    _batch, found = brought(app, f"{form.header}\n{text}\n" if form.header else f"{text}\n")
    with app.app_context():
        stored = db.session.get(Puzzle, found[0].puzzle_id)
        assert stored is not None
        assert stored.givens == one


def test_many_games_in_one_line_are_lines_of_their_own(app: Flask) -> None:
    games = "".join(f'<game data="{one}"/>' for one in puzzles(3))
    _batch, found = brought(app, f'<opensudoku version="2"><folder name="f">{games}</folder></opensudoku>')
    assert [(line.line, line.state) for line in found] == [(number, LineState.NEW) for number in (1, 2, 3)]


DOCTYPE = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "{}">]><opensudoku version="1">&b;</opensudoku>'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\n",
        "no puzzle at all",
        "PK\x03\x04",
        DOCTYPE.format("c" * 1000),
        "<a>" * 100_000,
        "<opensudoku version='1'>" + "<game data='" + "1" * 900_000,
    ],
)
def test_what_is_none_is_refused_and_leaves_nothing(app: Flask, cora: Curator, text: str) -> None:
    before = in_the_bank(app)
    answer = cora.post("/admin/import", {"text": text})
    assert answer.status_code == 422, answer.location
    assert cora.page.find(id="wrong-text") is not None
    answer = cora.post("/admin/import", {"file": (io.BytesIO(text.encode()), "it.txt")})
    assert answer.status_code == 422
    assert in_the_bank(app) == before
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Import)) == 0


def test_too_large_a_form_is_refused_unread(cora: Curator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST", 1 << 20)
    cora.get("/admin/import")
    text = {"text": "5" * (uploads.LARGEST + 100_000)}
    body, _length, boundary = stream_encode_multipart(text, use_tempfile=False)  # it would never be closed
    kind = f"multipart/form-data; boundary={boundary}"
    token = {"X-CSRFToken": cora.token}
    assert cora.client.post("/admin/import", data=body, content_type=kind, headers=token).status_code == 413
    declared = cora.client.post(
        "/admin/import",
        data=b"x",
        content_type="multipart/form-data; boundary=x",
        headers=token,
        environ_overrides={"CONTENT_LENGTH": str(2 << 30)},
    )
    assert declared.status_code == 413
    # Other forms have a small limit.
    assert cora.post("/admin/orders", {"pattern": "." * 100_000}).status_code == 413


def test_just_a_mebibyte_is_read(cora: Curator) -> None:
    text = "x" * (importing.SMALL - 100)
    assert cora.post("/admin/import", {"text": text}).status_code == 422


def test_nothing_is_stored_where_one_thing_cannot_be(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    before = in_the_bank(app)

    def broken(*_args: object) -> dict[str, object]:
        raise RuntimeError

    with app.app_context():
        monkeypatch.setattr(parts, "_row", broken)
        with pytest.raises(RuntimeError):
            importing.take(io.BytesIO("\n".join(puzzles(3)).encode()), "x", None, NOW)
    assert in_the_bank(app) == before
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Import)) == 0


@pytest.mark.both_databases
def test_a_report_is_paged_filtered_and_downloaded(app: Flask, cora: Curator) -> None:
    lines = [f"{'5' + '.' * 80}"] * 150 + puzzles(2)
    batch, _found = brought(app, "\n".join(lines))
    cora.get(f"/admin/import/{batch}?page=2")
    assert len(cora.page.find("tbody").find_all("tr")) == 52
    cora.get(f"/admin/import/{batch}?state=new&page=9")
    assert len(cora.page.find("tbody").find_all("tr")) == 2
    answer = cora.get(f"/admin/import/{batch}.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert answer.mimetype == "text/csv"
    assert [row["line"] for row in rows] == [str(number) for number in range(1, 153)]
    assert [row["state"] for row in rows[-2:]] == ["new", "new"]


def test_a_report_that_is_none_is_not_found(cora: Curator) -> None:
    for number in (1, 2**40):
        assert cora.get(f"/admin/import/{number}").status_code == 404
        assert cora.get(f"/admin/import/{number}.csv").status_code == 404


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["sdm", "csv", "json", "opensudoku"])
def test_what_is_exported_can_be_imported(app: Flask, cora: Curator, kind: str) -> None:
    batch, _found = brought(app, "\n".join(puzzles(5)))
    answer = cora.get(f"/admin/export?format={kind}&batch={batch}")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]
    entries = list(formats.read(io.BytesIO(answer.data)))
    assert sorted(str(entry.givens) for entry in entries) == sorted(puzzles(5))  # some formats group them


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_an_export_has_number_level_er_and_hardest_technique(app: Flask, cora: Curator, kind: str) -> None:
    with app.app_context():
        list(bank.rate_anew())
        expected = [
            (str(puzzle.id), str(puzzle.level), f"{puzzle.explainer:.1f}", puzzle.hardest)
            for puzzle in db.session.scalars(sa.select(Puzzle).order_by(Puzzle.id))
        ]
    answer = cora.get(f"/admin/export?format={kind}")
    facts = [entry.facts for entry in formats.read(io.BytesIO(answer.data))]
    names = ("number", "level", "rating", "hardest")
    assert [tuple(each[name] for name in names) for each in facts] == expected


@pytest.mark.both_databases
def test_a_selection_is_by_number_or_by_filter(app: Flask, cora: Curator) -> None:
    with app.app_context():
        ids = db.session.scalars(sa.select(Puzzle.id).order_by(Puzzle.id.desc())).all()
        expected = [db.session.get(Puzzle, number).givens for number in ids[:2]]
    numbers = "&".join(f"puzzle={number}" for number in ids[:2])
    answer = cora.get(f"/admin/export?{numbers}")
    assert answer.text.replace("0", ".").split() == expected
    assert len(cora.get("/admin/export?status=approved&level=3").text.split()) == 1
    assert cora.get("/admin/export?status=rejected").status_code == 404


def test_what_players_entered_is_not_exported(app: Flask, cora: Curator) -> None:
    (one,) = puzzles(1)
    with app.app_context(), write_tx():
        puzzle = bank.entered(engine.parse(one), NOW, None)
        db.session.flush()
        number = puzzle.id
    assert cora.get(f"/admin/export?puzzle={number}").status_code == 404


@pytest.mark.parametrize(
    "query",
    ["format=exe", "puzzle=x", "status=entered", "level=x", "er_from=nan", "hardest=no", "order=99999999999"],
)
def test_a_selection_that_cannot_be_is_refused(cora: Curator, query: str) -> None:
    assert cora.get(f"/admin/export?{query}").status_code == 422


@pytest.mark.both_databases
def test_a_selection_is_laid_out_to_print(cora: Curator) -> None:
    assert cora.get("/admin/export/print?status=approved&per=4").status_code == 200
    assert len(cora.page.find_all("figure")) == 5


def one_given_more(givens: str) -> str:
    """Return the same puzzle with the first empty cell given."""
    cell = givens.index(".")
    return givens[:cell] + solution_of(givens)[cell] + givens[cell + 1 :]


@pytest.mark.both_databases
@pytest.mark.parametrize("transformed", [False, True])
def test_a_puzzle_that_a_player_has_entered_blocks_no_import(app: Flask, transformed: bool) -> None:
    """The same puzzle becomes a candidate and stays its player's; of an equivalent there are two then."""
    (one,) = puzzles(1)
    with app.app_context(), write_tx():
        own = bank.entered(engine.parse(one[::-1] if transformed else one), NOW, None)
        db.session.flush()
        own.first_started_at = NOW
        number = own.id
    _batch, (line,) = brought(app, one)
    assert line.state == LineState.NEW
    assert (line.puzzle_id == number) is not transformed
    with app.app_context():
        found = db.session.get_one(Puzzle, line.puzzle_id)
        assert (found.status, found.givens) == (Status.CANDIDATE, one)
        assert (found.first_started_at == NOW) is not transformed


def test_a_puzzle_with_the_solution_of_another_is_new_and_says_so(app: Flask) -> None:
    one, two = puzzles(2)
    brought(app, one)
    more = one_given_more(one)
    _batch, found = brought(app, "\n".join([more[::-1], two, one_given_more(two)]))
    with app.app_context():
        first = db.session.scalars(sa.select(Puzzle.id).where(Puzzle.givens == one)).one()
    lines = [(line.state, line.detail) for line in found if line.import_id == _batch]
    assert lines == [
        (LineState.NEW, f"same solution as #{first}, one more given"),
        (LineState.NEW, ""),
        (LineState.NEW, "same solution as line 2, one more given"),
    ]


def test_an_export_has_no_end_and_stands_in_the_log(
    app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts of two; afterwards the curator can play none of them ranked."""
    monkeypatch.setattr(exporting, "AT_ONCE", 2)
    brought(app, "\n".join(puzzles(5)))
    rows = [json.loads(line) for line in cora.get("/admin/export?format=json").text.splitlines()]
    assert len(rows) == 10
    assert [row["number"] for row in rows] == sorted(row["number"] for row in rows)
    assert rows[0]["level"] == 1
    assert "level" not in rows[-1]  # it is not rated yet
    assert rows[0]["created"].startswith("2026-03-01T")
    with app.app_context():
        entry = db.session.scalars(sa.select(AuditEntry).where(AuditEntry.action == "export")).one()
        assert (entry.subject_id, json.loads(entry.after)) == ("json", {"puzzles": 10})
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Peek)) == 10


def test_an_export_says_when_a_puzzle_is_a_daily(app: Flask, cora: Curator) -> None:
    with app.app_context():
        daily = scheduled(date(2026, 3, 4), 3, new_puzzle(3))
        number = daily.puzzle_id
    (row,) = csv.DictReader(io.StringIO(cora.get(f"/admin/export?format=csv&puzzle={number}").text))
    assert (row["number"], row["daily"], row["status"]) == (str(number), "2026-03-04", "daily")


def test_titles_of_a_spreadsheet_in_windows_1252_are_kept(app: Flask, cora: Curator) -> None:
    """With its columns chosen by a curator too."""
    one, two = puzzles(2)
    for text, fields in (
        (f"puzzle;title\n{one};Rätsel für Köln\n", {}),
        (f"Titel;Gitter\nStraßenbahn;{two}\n", {"choose": "1"}),
    ):
        sent = cora.post("/admin/import", {"file": (io.BytesIO(text.encode("cp1252")), "a.csv"), **fields})
        if fields:
            chosen = {"delimiter": ";", "header": "1", "puzzle": "2", "title": "1"}
            assert "Straßenbahn" in cora.get(sent.location).text
            cora.post(sent.location, chosen)
            with app.app_context():
                for batch in importing.take_up():
                    assert importing.work(batch, lambda: False, lambda: NOW)
    with app.app_context():
        assert set(db.session.scalars(sa.select(Puzzle.title))) >= {"Rätsel für Köln", "Straßenbahn"}


def test_a_row_in_an_unknown_encoding_is_rejected_by_its_line() -> None:
    (one,) = puzzles(1)
    table = f"puzzle,title\n{one},数独パズル\n{one},Plain\n".encode("shift-jis")
    columns = reading.Columns(",", header=True, puzzle=0, title=1)
    for chosen in (None, columns):
        lines = list(reading.Reading(io.BytesIO(table), chosen).lines())
        assert [(line.number, line.state) for line in lines] == [(2, LineState.INVALID), (3, LineState.NEW)]
        assert "another encoding" in lines[0].detail


def test_a_table_in_utf_16_keeps_its_chosen_columns() -> None:
    (one,) = puzzles(1)
    columns = reading.Columns("\t", header=True, puzzle=1, title=0)
    table = f"Titel\tGitter\n数独\t{one}\n".encode("utf-16")
    (line,) = reading.Reading(io.BytesIO(table), columns).lines()
    assert (str(line.grid), line.facts) == (one, {"title": "数独"})
