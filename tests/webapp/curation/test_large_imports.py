"""Imports by the workers: stored in pieces, read in parts, exact however often they are interrupted."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.curation.test_importing import puzzles
from tests.webapp.desk import Curator, entries
from tests.webapp.visitors import SetClock, Visitor
from webapp.curation.importing import importing, large, parts, reading, uploads
from webapp.curation.importing.reading import Columns
from webapp.models import (
    Import,
    ImportLine,
    ImportPiece,
    ImportState,
    LineState,
    Peek,
    Player,
    Puzzle,
)
from webapp.process.database import db, write_tx
from webapp.process.errors import BadStart

NOW = SetClock.time

# Werkzeug's test client leaves the temporary file of a large form to the collector.
pytestmark = [pytest.mark.filterwarnings("ignore::ResourceWarning"), pytest.mark.usefixtures("collected")]
WRONG = "5" + "." * 80


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of 300 bytes and parts of two lines."""
    monkeypatch.setattr(uploads, "PIECE", 300)
    monkeypatch.setattr(importing, "PART", 2)


def text() -> str:
    """Return ten lines that hold a puzzle or an error, two blank ones, a comment, and three puzzles in a
    line.
    """
    one, two, three, four = puzzles(4)
    transformed = str(engine.Grid(engine.parse(one).digits[::-1]))
    lines = [one, "", transformed, "# a comment", WRONG, one[:40], two, f"{three} {four} {one}"]
    return "\n".join([*lines, "", WRONG, two, four, one])


RESULTS = ["new", "duplicate", "not_unique", "invalid", "new", "new", "new", "duplicate", "not_unique"]
RESULTS += ["duplicate"] * 3


def kept(app: Flask, content: str, columns: Columns | None = None) -> int:
    with app.app_context():
        batch = uploads.keep(io.BytesIO(content.encode()), "big.txt", None, NOW, waits=columns is not None)
        if columns is not None:
            uploads.begin(batch, columns)
        return batch


def worked(app: Flask, batch: int, parts: int = 10**6) -> bool:
    """Work on an import, for at most that many parts."""
    with app.app_context():
        importing.take_up()
        taken = db.session.get_one(Import, batch).taken
        db.session.rollback()
        more = taken + 2 * parts

        def stopping() -> bool:
            now_taken = db.session.scalar(sa.select(Import.taken).where(Import.id == batch)) or 0
            db.session.rollback()
            return now_taken >= more

        return importing.work(batch, stopping, lambda: NOW)


def results(app: Flask, batch: int) -> list[str]:
    with app.app_context():
        query = sa.select(ImportLine.state).where(ImportLine.import_id == batch).order_by(ImportLine.line)
        return [str(state) for state in db.session.scalars(query)]


def row(app: Flask, batch: int) -> Import:
    with app.app_context():
        found = db.session.get_one(Import, batch)
        db.session.expunge(found)
        return found


def test_it_works(app: Flask) -> None:
    batch = kept(app, text())
    assert row(app, batch).state == ImportState.QUEUED
    assert worked(app, batch)
    assert results(app, batch) == RESULTS
    end = row(app, batch)
    assert (end.state, end.read, end.ended_at) == (ImportState.DONE, end.size, NOW)
    assert {str(each): getattr(end, each) for each in LineState} == Counter(RESULTS)
    assert (end.lines, end.held, end.beyond) == (13, 10, 0)  # the other three are blank or a comment
    with app.app_context():
        assert not db.session.scalar(sa.select(sa.func.count()).select_from(ImportPiece))
    (entry,) = entries(app, "import")
    assert json.loads(entry.after or "")["new"] == 4


def test_between_parts_others_can_write(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []

    def rest(seconds: float) -> None:
        with write_tx():  # rejected inside another transaction
            rests.append(seconds)

    monkeypatch.setattr(importing, "sleep", rest)
    assert worked(app, kept(app, text()))
    assert len(rests) == len(RESULTS) // 2
    assert min(rests) > 0


def test_a_line_of_the_file_is_named_where_one_before_held_several(app: Flask) -> None:
    batch = kept(app, text())
    worked(app, batch)
    with app.app_context():
        query = sa.select(ImportLine).where(ImportLine.import_id == batch).order_by(ImportLine.line)
        lines = db.session.scalars(query).all()
        assert [line.file_line or line.line for line in lines] == [1, 3, 5, 6, 7, 8, 8, 8, 10, 11, 12, 13]
        assert [line.detail for line in lines if line.state == "duplicate"][1:] == [
            "same as line 1",
            "same as line 7",
            "same as line 9",
            "same as line 1",
        ]


@pytest.mark.parametrize("stops", [1, 2, 5])
def test_an_import_that_breaks_off_goes_on_behind_its_last_part(app: Flask, stops: int) -> None:
    batch = kept(app, text())
    for _stop in range(stops):
        assert not worked(app, batch, 1)
    assert row(app, batch).taken == 2 * stops
    assert worked(app, batch)
    assert results(app, batch) == RESULTS
    assert (row(app, batch).new, row(app, batch).held) == (4, 10)
    assert len(entries(app, "import")) == 1


def test_a_part_that_cannot_be_stored_is_not_counted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = kept(app, text())
    worked(app, batch, 2)

    def broken(*_args: object) -> dict[str, object]:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(parts, "_row", broken)
        with pytest.raises(RuntimeError):
            worked(app, batch)
    assert (row(app, batch).taken, len(results(app, batch))) == (4, 4)
    assert worked(app, batch)
    assert results(app, batch) == RESULTS


def test_a_worker_that_comes_late_stores_nothing_twice(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker has continued the import while this one was checking its lines."""
    batch = kept(app, text())
    with_forms = parts.with_forms

    def slowly(lines: list[reading.Line]) -> list[reading.Line]:
        monkeypatch.setattr(importing, "with_forms", with_forms)
        importing.work(batch, lambda: False, lambda: NOW)
        return with_forms(lines)

    monkeypatch.setattr(importing, "with_forms", slowly)
    assert worked(app, batch)
    assert results(app, batch) == RESULTS


def test_what_is_beyond_the_limit_is_counted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST", 4)
    batch = kept(app, text())
    assert worked(app, batch)
    end = row(app, batch)
    assert (end.taken, end.lines, end.beyond) == (4, 13, 7)
    assert results(app, batch) == RESULTS[:4]


def test_a_file_without_puzzles_has_failed(app: Flask) -> None:
    batch = kept(app, "\n \n# nothing\n")
    assert worked(app, batch)
    assert (row(app, batch).state, row(app, batch).taken) == (ImportState.FAILED, 0)


def test_a_cancelled_import_keeps_its_puzzles_and_ends(app: Flask) -> None:
    batch = kept(app, text())
    worked(app, batch, 1)
    with app.app_context():
        uploads.cancel(batch, None, NOW)
        with pytest.raises(BadStart):
            uploads.cancel(batch, None, NOW)
        assert not db.session.scalar(sa.select(sa.func.count()).select_from(ImportPiece))
    assert worked(app, batch)
    assert (row(app, batch).state, results(app, batch)) == (ImportState.CANCELLED, RESULTS[:2])


def test_the_curator_of_a_file_knows_its_puzzles(app: Flask, cora: Curator) -> None:
    body = {"file": (io.BytesIO(text().encode()), "mine.txt")}
    batch = int(cora.post("/admin/import", body | {"choose": "1"}).location.split("/")[3])
    cora.post(f"/admin/import/{batch}/columns", {"auto": "1"})
    worked(app, batch)
    with app.app_context():
        cora_id = db.session.scalars(sa.select(Player.id).where(Player.curator)).one()
        known = sa.select(sa.func.count()).select_from(Peek).where(Peek.player_id == cora_id)
        assert db.session.scalar(known) == 4
    assert entries(app, "import")[-1].curator_name == "Cora"


# Tables


def table(delimiter: str = ";") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(["Nr", "Rätsel", "Name", "Autor", "Stufe"])
    for number, line in enumerate(puzzles(3), 1):
        writer.writerow([number, line, f'The {number}{delimiter} "big" one', "Ann", "schwer"])
    return out.getvalue()


@pytest.mark.parametrize("delimiter", reading.DELIMITERS)
def test_the_columns_of_any_dialect_are_found(delimiter: str) -> None:
    preview = reading.preview(table(delimiter).encode())
    assert preview is not None
    columns = preview.columns
    assert (columns.delimiter, columns.header, columns.puzzle, columns.title) == (delimiter, True, 1, 2)
    assert preview.found == ["", "", ""]


@pytest.mark.parametrize("end", ["\r\n", ""])
def test_a_small_table_is_laid_out_to_its_last_row(end: str) -> None:
    preview = reading.preview(table().rstrip().encode() + end.encode())
    assert preview is not None
    assert [row[0] for row in preview.rows] == ["Nr", "1", "2", "3"]


def test_what_a_table_says_is_kept(app: Flask, cora: Curator) -> None:
    """A header that matches no format leads to the preview, which shows the chosen columns."""
    answer = cora.post("/admin/import", {"text": table()})
    assert answer.status_code == 303
    cora.get(answer.location)
    rows = cora.page.find("tbody").find_all("tr")
    assert [each.find("td").text for each in rows] == ["Header", "Puzzle", "Puzzle", "Puzzle"]
    cora.get(f"{answer.location}?delimiter=%3B&header=1&puzzle=3")
    assert "expected 1-9" in cora.page.find("tbody").find_all("tr")[1].find("td").text
    chosen = {
        "delimiter": ";",
        "header": "1",
        "puzzle": "2",
        "title": "3",
        "author": "4",
        "stated_level": "5",
    }
    started = cora.post(answer.location, chosen)
    batch = int(started.location.rsplit("/", 1)[1])
    cora.get(started.location)
    assert cora.page.find("progress") is not None
    assert worked(app, batch)
    assert results(app, batch) == ["new"] * 3
    with app.app_context():
        stored = db.session.scalars(sa.select(Puzzle).where(Puzzle.title == 'The 1; "big" one')).one()
        assert (stored.author, stored.source, stored.stated_level) == ("Ann", None, "schwer")
        number = stored.id
    assert row(app, batch).lines == 4
    cora.get(f"/admin/puzzles/{number}")
    assert "Ann" in cora.page.find(class_="facts").text
    exported = json.loads(cora.get(f"/admin/export?format=json&puzzle={number}").text)
    assert (exported["author"], exported["stated_level"]) == ("Ann", "schwer")
    assert cora.post(answer.location, chosen).status_code == 409  # it has started


def test_a_row_that_is_none_is_counted_in_its_place(app: Flask) -> None:
    lines = ["name,grid"]
    lines += [f'"over\ntwo lines",{puzzles(1)[0]}', "only one field", f"x,{puzzles(1)[0][:50]}", "", "y,"]
    batch = kept(app, "\n".join(lines), Columns(",", header=True, puzzle=1, title=0))
    assert worked(app, batch)
    assert results(app, batch) == ["new", "invalid", "invalid", "invalid"]
    end = row(app, batch)
    assert (end.lines, end.held) == (7, 4)


@pytest.mark.parametrize("wrong", [{"puzzle": ""}, {"puzzle": "99"}, {"delimiter": "x"}, {"title": "x"}])
def test_columns_that_cannot_be_are_refused(cora: Curator, wrong: dict[str, str]) -> None:
    address = cora.post("/admin/import", {"text": table()}).location
    assert cora.post(address, {"delimiter": ";", "puzzle": "2"} | wrong).status_code == 422
    assert cora.get(address).status_code == 200


def test_a_puzzle_of_the_bank_counts_as_seen_in_a_preview(app: Flask, cora: Curator) -> None:
    known = puzzles(3)[1]
    with app.app_context():
        importing.take(io.BytesIO(known.encode()), "before", None, NOW)
        number = db.session.scalars(sa.select(Puzzle.id).where(Puzzle.givens == known)).one()
    cora.get(cora.post("/admin/import", {"text": table()}).location)
    with app.app_context():
        assert db.session.scalars(sa.select(Peek.puzzle_id)).all() == [number]


@pytest.mark.parametrize("level", ["json", "csv"])
def test_what_a_small_file_says_is_kept_too(app: Flask, cora: Curator, level: str) -> None:
    (one,) = puzzles(1)
    facts = {"puzzle": one, "title": "T", "author": "A", "source": "S", "level": "Hard"}
    files = {"json": json.dumps([facts], indent=1), "csv": ",".join(facts) + "\n" + ",".join(facts.values())}
    assert cora.post("/admin/import", {"text": files[level]}).status_code == 303
    with app.app_context():
        stored = db.session.scalars(sa.select(Puzzle).where(Puzzle.givens == one)).one()
        assert (stored.title, stored.author, stored.source, stored.stated_level) == ("T", "A", "S", "Hard")


# Pages


def test_many_puzzles_go_to_the_workers(app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "AT_WEB", 3)
    address = cora.post("/admin/import", {"text": text()}).location
    cora.get(address)
    assert cora.page.find("progress")["value"] == "0"
    batch = int(address.rsplit("/", 1)[1])
    worked(app, batch, 2)
    part = cora.client.get(f"{address}/progress", headers={"HX-Request": "true"})
    assert "4 lines so far" in part.text
    assert cora.get(f"{address}/progress").status_code == 303
    worked(app, batch)
    cora.get(address)
    assert cora.page.find("progress") is None
    assert "3 lines have no puzzle of their own" in cora.page.find(id="import-report").text
    assert [line["line"] for line in csv.DictReader(io.StringIO(cora.get(f"{address}.csv").text))][-1] == "13"


def test_a_waiting_file_can_be_discarded_and_is_forgotten_after_a_day(app: Flask, cora: Curator) -> None:
    address = cora.post("/admin/import", {"text": table()}).location
    batch = int(address.split("/")[3])
    assert cora.get(f"/admin/import/{batch}").location == address
    assert cora.post(f"/admin/import/{batch}/cancel").status_code == 303
    assert row(app, batch).state == ImportState.CANCELLED
    cora.post("/admin/import", {"text": table()})
    with app.app_context():
        assert uploads.forget_waiting(NOW) == 0
        assert uploads.forget_waiting(NOW + timedelta(days=2)) == 1


def test_nobody_else_sends_a_large_file(ada: Visitor) -> None:
    too_large = {"file": (io.BytesIO(bytes(importing.SMALL + 200_000)), "x")}
    assert ada.post("/admin/import", too_large).status_code == 413


def test_a_large_file_is_stored_in_pieces(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LARGEST", 1000)
    content = text()[:1000]
    batch = kept(app, content)
    with app.app_context():
        assert io.BufferedReader(uploads.Stored(batch)).read() == content.encode()
        assert uploads.sample(batch, 500) == content.encode()[:500]
        with pytest.raises(importing.BadInput):
            uploads.keep(io.BytesIO(bytes(1001)), "x", None, NOW)
        assert db.session.scalars(sa.select(Import.id)).all() == [batch]


@pytest.mark.both_databases
def test_one_large_file_at_a_time_holds_a_thread(app: Flask, cora: Curator) -> None:
    file = {"file": (io.BytesIO(b"\n" * 100_000), "many.txt")}
    sending = app.test_request_context("/", method="POST", headers={"Content-Length": "1000000"})
    with sending:
        large.begin()
        busy = cora.post("/admin/import", file)
        assert (busy.status_code, busy.headers["Retry-After"]) == (503, "1")
        assert cora.post("/admin/import", {"text": "nothing"}).status_code == 422
        large.end(None)
    file = {"file": (io.BytesIO(b"\n" * 100_000), "many.txt")}
    assert cora.post("/admin/import", file).status_code == 422
