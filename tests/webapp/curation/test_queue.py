"""The queue: its contents, a curator's decisions, and that curators never overwrite each other."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest
from bs4 import Tag
from flask import Flask
from sqlalchemy import select, update

import engine
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.desk import Curator, appoint, log
from tests.webapp.visitors import SetClock
from webapp.bank import bank, breakdown, likeness
from webapp.curation import curation
from webapp.models import Import, ImportLine, LineState, Order, Peek, Player, Puzzle, Status
from webapp.models.puzzle import UNRATED
from webapp.process.database import db, write_tx

LINES = (Path(__file__).parents[2] / "data" / "timed_puzzles.txt").read_text().split()
OTHERS = [line for line in LINES if len(line) == 81][:6]
TWO_SOLUTIONS = EASY.replace("7", ".")


def candidate(givens: str, **columns: object) -> Puzzle:
    """Return a puzzle that waits for a curator, rated as by the worker."""
    grid = engine.parse(givens)
    unique = engine.verdict(grid) is engine.Verdict.UNIQUE
    return Puzzle(
        **{
            "givens": str(grid),
            "canonical": str(engine.canonical_form(grid)) if unique else None,
            "level": 3,
            "rating_version": "test",
            "status": Status.CANDIDATE,
            "engine_version": "test",
            "created_at": SetClock.time,
            **columns,
        }
    )


def stored(app: Flask, *puzzles: Puzzle) -> list[int]:
    """Store them. Returns their ids in order."""
    with app.app_context():
        with write_tx():
            db.session.add_all(puzzles)
        return [puzzle.id for puzzle in puzzles]


def row_of(app: Flask, puzzle_id: int) -> Puzzle:
    with app.app_context():
        found = db.session.get_one(Puzzle, puzzle_id)
        db.session.expunge(found)
        return found


@pytest.fixture
def waiting(app: Flask) -> list[int]:
    """Six candidates of different classes."""
    puzzles = [
        candidate(givens, level=1 + number % 5, explainer=1.5 + number, expected_seconds=300.0 + 60 * number)
        for number, givens in enumerate(OTHERS)
    ]
    puzzles[0].hardest = "x_wing"
    puzzles[0].breakdown = breakdown.text_of(
        breakdown.Breakdown({"hidden_single": 40, "x_wing": 2}, {"explainer": 3.2}, (4.0,), (200.0, 500.0))
    )
    return stored(app, *puzzles)


@pytest.fixture
def ben(app: Flask, clock: SetClock) -> Curator:
    """Another curator at the desk."""
    other = appoint(Curator(app, clock=clock, name="Ben"))
    assert other.prove().status_code == 303
    return other


def shown(curator: Curator) -> list[int]:
    return [int(row["id"].removeprefix("puzzle-")) for row in curator.page.select(".queue__row")]


def test_it_works(cora: Curator, waiting: list[int]) -> None:
    assert cora.get("/admin/").status_code == 200
    assert shown(cora) == waiting
    row = cora.page.find(id=f"puzzle-{waiting[0]}")
    words = " ".join(row.get_text(" ", strip=True).split())
    assert f"{81 - OTHERS[0].count('.')} givens" in words
    assert "X-Wing" in words and "Hidden Single 40" in words and "about 5 min (3 to 8)" in words
    assert len(row.select("rect.bar__part")) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"level": 5}, "Evil"),
        ({"relabelled": True}, "set by a curator"),
        ({"rating_version": UNRATED}, "not rated yet"),
        ({"explainer": 7.3}, "7.3"),
        ({"expected_seconds": 1200.0}, "about 20 min"),
        ({"hardest": "jellyfish"}, "Jellyfish"),
        (
            {"breakdown": breakdown.text_of(breakdown.Breakdown({"swordfish": 3}, {}, (), None))},
            "Swordfish 3",
        ),
    ],
)
def test_a_row_shows_its_puzzle_as_it_is_now(
    app: Flask, cora: Curator, waiting: list[int], change: dict[str, object], words: str
) -> None:
    """Although rendered boards are cached across pages."""
    assert words not in message_on(cora, waiting[0])
    with app.app_context(), write_tx():
        db.session.execute(update(Puzzle).where(Puzzle.id == waiting[0]).values(change))
    assert words in message_on(cora, waiting[0])


def message_on(curator: Curator, puzzle_id: int, **headers: str) -> str:
    """Return the queue's message about a puzzle."""
    curator.get("/admin/", **headers)
    row = curator.page.find(id=f"puzzle-{puzzle_id}")
    assert isinstance(row, Tag)
    return " ".join(row.get_text(" ", strip=True).split())


def test_a_row_is_in_the_language_of_its_reader(cora: Curator, waiting: list[int]) -> None:
    assert "not minimal" in message_on(cora, waiting[0])
    assert "nicht minimal" in message_on(cora, waiting[0], **{"Accept-Language": "de"})
    assert "not minimal" in message_on(cora, waiting[0], **{"Accept-Language": "en"})


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("level=2", [1]),
        ("hardest=x_wing", [0]),
        ("er_from=3&er_to=4.6", [2, 3]),
        ("minutes_from=9", [4, 5]),
        ("sort=-er", [5, 4, 3, 2, 1, 0]),
        ("sort=time&level=1", [0, 5]),
        ("twins=1", []),
        ("status=approved&level=9", None),
    ],
)
def test_filters_and_sorting_stand_in_the_address(
    cora: Curator, waiting: list[int], query: str, places: list[int] | None
) -> None:
    assert cora.get(f"/admin/?{query}").status_code == 200
    if places is not None:
        assert shown(cora) == [waiting[place] for place in places]
    else:
        assert not set(shown(cora)) & set(waiting)


@pytest.mark.parametrize(
    "query",
    [
        *("level=x", "level=9", "level=2.7", "er_from=nan", "er_to=-1"),
        *("order=99999999999", "order=1e3", "batch=2147483648", "page=x", "sort=x", "status=x"),
        *("uses=x", "symmetry=round", "made=hand", "like=12", f"like={'.' * 81}", "givens_from=-1"),
    ],
)
def test_what_cannot_be_read_in_the_address_is_left_out_and_named(
    cora: Curator, waiting: list[int], query: str
) -> None:
    assert cora.get(f"/admin/?{query}").status_code == 200
    assert shown(cora) == waiting
    named = query.partition("=")[0] not in ("page", "sort")
    assert bool(cora.page.find(id="wrong-filters").text) == named


@pytest.mark.both_databases
@pytest.mark.usefixtures("waiting")
@pytest.mark.parametrize("query", ["", "level=2", "er_from=3&er_to=4.6&sort=-er", "minutes_from=9"])
def test_what_the_queue_shows_is_what_its_export_has(cora: Curator, query: str) -> None:
    cora.get(f"/admin/?{query}")
    expected = sorted(shown(cora))
    assert expected
    cora.get(cora.page.find(id="queue-export")["href"])
    assert cora.page.find(id="fitting").text.split()[0] == str(len(expected))
    assert exported(cora) == expected


@pytest.mark.usefixtures("waiting")
def test_an_export_of_very_many_is_not_counted_to_the_end(
    app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curation, "MOST_COUNTED", 3)
    monkeypatch.setitem(app.jinja_env.globals, "most_counted", 3)
    cora.get("/admin/import?minutes_from=0.1")
    assert cora.page.find(id="fitting").text.startswith("More than 3 puzzles from the queue.")


def sent(form: Tag) -> list[tuple[str, str]]:
    """Return the fields of an unchanged form."""
    fields = [(each["name"], each["value"]) for each in form.select("input:not([type=checkbox])")]
    fields += [(each["name"], each["value"]) for each in form.select("input[checked]")]
    for choice in form.select("select"):
        fields.append((choice["name"], (choice.select_one("option[selected]") or choice.option)["value"]))
    return fields


def exported(curator: Curator) -> list[int]:
    """Return the numbers of the puzzles that the form of the export page leads to."""
    fields = [
        each for each in sent(curator.page.select_one("form[action='/admin/export']")) if each[0] != "format"
    ]
    answer = curator.get(f"/admin/export?{urlencode([*fields, ('format', 'json')])}")
    return [int(json.loads(line)["number"]) for line in answer.text.splitlines()]


@pytest.fixture
def narrowed(app: Flask, waiting: list[int]) -> dict[str, list[int]]:
    """Puzzles of an order with a long number and of an import, and two named by number: query -> ids."""
    with app.app_context(), write_tx():
        db.session.add(
            Order(id=1_234_567, recipe="{}", seed="1", count=2, budget_seconds=60, created_at=SetClock.time)
        )
        db.session.add(Import(id=7, name="it", created_at=SetClock.time))
        db.session.flush()
        chosen = update(Puzzle).where(Puzzle.id.in_(waiting[:2]))
        db.session.execute(chosen.values(order_id=1_234_567))
        for number, puzzle_id in enumerate(waiting[1:3], 1):
            line = ImportLine(import_id=7, line=number, state=LineState.NEW, puzzle_id=puzzle_id, detail="")
            db.session.add(line)
    named = urlencode([("puzzle", number) for number in waiting[3:5]])
    return {"order=1234567": waiting[:2], "batch=7": waiting[1:3], named: waiting[3:5]}


@pytest.mark.both_databases
def test_the_forms_of_queue_and_export_keep_what_they_have_no_field_for(
    cora: Curator, narrowed: dict[str, list[int]]
) -> None:
    for query, expected in narrowed.items():
        cora.get(f"/admin/?{query}")
        assert shown(cora) == expected
        export = cora.page.find(id="queue-export")["href"]
        cora.get(f"/admin/?{urlencode(sent(cora.page.find(id='queue-filters')))}")
        assert shown(cora) == expected
        cora.get(export)
        assert cora.page.find(id="fitting").text.split()[0] == "2"
        assert exported(cora) == expected


@pytest.mark.parametrize("query", ["", "hello=1", "page=2", "er_from=x", "batch=x", "puzzle=x&level=3"])
def test_the_export_speaks_of_the_queue_only_where_its_filters_were_read(cora: Curator, query: str) -> None:
    cora.get(f"/admin/import?{query}")
    assert cora.page.find(id="fitting") is None
    assert (cora.page.find(id="wrong-filters") is not None) == ("=x" in query)


def test_an_approval_makes_a_candidate_a_puzzle_for_players(
    app: Flask, cora: Curator, waiting: list[int]
) -> None:
    answer = cora.post("/admin/decisions", {"action": "approve", "puzzle": f"{waiting[0]}:0"})
    assert answer.status_code == 303
    found = row_of(app, waiting[0])
    assert (found.status, found.version) == (Status.APPROVED, 1)
    assert log(app) == [("Cora", "approve", str(waiting[0]))]
    cora.get(answer.location)
    assert "One puzzle approved." in cora.page.find(id="toast").text
    assert shown(cora) == waiting[1:]


def test_a_rejection_keeps_its_reason(app: Flask, cora: Curator, waiting: list[int]) -> None:
    fields = {"reject": f"{waiting[0]}:0", "words": "  Too   dull "}
    assert cora.post("/admin/decisions", fields).status_code == 303
    found = row_of(app, waiting[0])
    assert (found.status, found.reason, found.version) == (Status.REJECTED, "Too dull", 1)
    cora.get("/admin/?status=rejected")
    assert "Too dull" in cora.page.find(id=f"puzzle-{waiting[0]}").text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 422),
        ({"action": "approve"}, 422),
        ({"action": "approve", "puzzle": "x"}, 422),
        ({"action": "approve", "puzzle": "1"}, 422),
        ({"action": "approve", "puzzle": "1:-1"}, 422),
        ({"action": "approve", "puzzle": "999999999:0"}, 404),
        ({"action": "delete", "puzzle": "1:0"}, 422),
        ({"action": "approve", "puzzle": [f"{n}:0" for n in range(501)]}, 422),
        ({"action": "reject", "puzzle": "1:0"}, 422),
        ({"action": "reject", "puzzle": "1:0", "reason": "x" * 201}, 422),
    ],
)
def test_a_bad_decision_is_refused_and_nothing_is_done(
    app: Flask, cora: Curator, waiting: list[int], fields: dict[str, str], status: int
) -> None:
    assert cora.post("/admin/decisions", fields).status_code == status
    assert [row_of(app, number).version for number in waiting] == [0] * 6
    assert log(app) == []


def test_htmx_gets_the_row_and_the_offer_to_undo(cora: Curator, waiting: list[int]) -> None:
    answer = cora.post("/admin/decisions", {"action": "approve", "puzzle": f"{waiting[0]}:0"}, htmx=True)
    targets = [part["hx-target"] for part in cora.page.find_all("hx-partial")]
    assert targets == [
        f"#puzzle-{waiting[0]}",
        "#toast",
        "#queue-candidate",
        "#queue-approved",
        "#queue-rejected",
        "#queue-daily",
        "#queue-withdrawn",
    ]
    assert cora.page.find(id="undo") is not None
    assert cora.page.find("hx-partial", attrs={"hx-target": "#queue-candidate"}).text.strip() == "5"
    assert answer.status_code == 200


def entries_of(curator: Curator) -> list[str]:
    return [field["value"] for field in curator.page.select("#undo input[name=entry]")]


@pytest.mark.parametrize("action", ["approve", "reject"])
def test_a_decision_is_undone_within_ten_seconds(
    app: Flask, cora: Curator, clock: SetClock, waiting: list[int], action: str
) -> None:
    fields = {"action": action, "puzzle": f"{waiting[0]}:0", "reason": "dull"}
    cora.post("/admin/decisions", fields, htmx=True)
    clock.advance(seconds=10)
    undone = cora.post("/admin/undos", {"entry": entries_of(cora)})
    assert undone.status_code == 303
    found = row_of(app, waiting[0])
    assert (found.status, found.reason, found.version) == (Status.CANDIDATE, None, 2)
    assert [entry[1] for entry in log(app)] == [action, "undo"]
    cora.get("/admin/")
    assert shown(cora) == waiting


@pytest.mark.parametrize("form", ["act", "reject-form"])
def test_without_htmx_what_keys_send_and_its_undoing_lead_back_to_the_list(
    cora: Curator, waiting: list[int], form: str
) -> None:
    """A curator may press U before htmx has processed the form: it is then sent as a plain one."""
    cora.get("/admin/?sort=-number")
    (back,) = cora.page.select(f"input[name=back][form={form}]")
    decision = {"action": "approve", "puzzle": f"{waiting[0]}:0", "back": back["value"]}
    cora.post("/admin/decisions", decision, htmx=True)
    field = cora.page.select_one("#undo input[name=back]")
    assert field is not None
    undone = cora.post("/admin/undos", {"entry": entries_of(cora), "back": field["value"]})
    assert undone.headers["Location"].startswith("/admin/?sort=-number&done=undo:1")


def test_later_it_is_not_undone_any_more(
    app: Flask, cora: Curator, clock: SetClock, waiting: list[int]
) -> None:
    cora.post("/admin/decisions", {"action": "approve", "puzzle": f"{waiting[0]}:0"}, htmx=True)
    clock.advance(seconds=16)
    assert cora.post("/admin/undos", {"entry": entries_of(cora)}).status_code == 404
    assert row_of(app, waiting[0]).status == Status.APPROVED


def test_nothing_is_undone_twice(app: Flask, cora: Curator, waiting: list[int]) -> None:
    cora.post("/admin/decisions", {"action": "approve", "puzzle": f"{waiting[0]}:0"}, htmx=True)
    entries = {"entry": entries_of(cora)}
    assert cora.post("/admin/undos", entries).status_code == 303
    assert cora.post("/admin/undos", entries).status_code == 409
    assert row_of(app, waiting[0]).version == 2


def test_nobody_undoes_what_another_has_decided(
    app: Flask, cora: Curator, ben: Curator, waiting: list[int]
) -> None:
    cora.post("/admin/decisions", {"action": "approve", "puzzle": f"{waiting[0]}:0"}, htmx=True)
    assert ben.post("/admin/undos", {"entry": entries_of(cora)}).status_code == 404
    assert row_of(app, waiting[0]).status == Status.APPROVED


@pytest.mark.both_databases
@pytest.mark.parametrize("entry", [[], ["x"], ["999"], ["-1"]])
def test_an_undo_of_nothing_is_refused(cora: Curator, entry: list[str]) -> None:
    assert cora.post("/admin/undos", {"entry": entry}).status_code == 404


def test_what_became_a_daily_is_not_undone(app: Flask, cora: Curator, waiting: list[int]) -> None:
    cora.post("/admin/decisions", {"action": "approve", "puzzle": f"{waiting[0]}:0"}, htmx=True)
    with app.app_context(), write_tx():
        db.session.get_one(Puzzle, waiting[0]).status = Status.DAILY
    assert cora.post("/admin/undos", {"entry": entries_of(cora)}).status_code == 409
    assert row_of(app, waiting[0]).status == Status.DAILY


@pytest.mark.parametrize("htmx", [False, True])
def test_two_curators_never_overwrite_each_other(
    app: Flask, cora: Curator, ben: Curator, waiting: list[int], htmx: bool
) -> None:
    choice = f"{waiting[0]}:0"
    assert (
        ben.post("/admin/decisions", {"action": "reject", "puzzle": choice, "reason": "dull"}).status_code
        == 303
    )
    answer = cora.post("/admin/decisions", {"action": "approve", "puzzle": choice}, htmx=htmx)
    assert answer.status_code == 409
    assert "Ben" in answer.text and "rejected" in answer.text and "dull" in answer.text
    assert row_of(app, waiting[0]).status == Status.REJECTED
    assert log(app) == [("Ben", "reject", str(waiting[0]))]


def test_several_are_previewed_and_then_decided_together(
    app: Flask, cora: Curator, waiting: list[int]
) -> None:
    fields = {"action": "approve", "puzzle": [f"{number}:0" for number in waiting[:3]], "preview": "1"}
    answer = cora.post("/admin/decisions", fields)
    assert (answer.status_code, "Approve 3 puzzles?" in answer.text) == (200, True)
    assert log(app) == []
    again = {"action": "approve", "puzzle": [tag["value"] for tag in cora.page.select("[name=puzzle]")]}
    assert cora.post("/admin/decisions", again, htmx=True).status_code == 200
    assert [entry[1] for entry in log(app)] == ["approve"] * 3
    cora.post("/admin/undos", {"entry": entries_of(cora)})
    assert [row_of(app, number).status for number in waiting[:3]] == [Status.CANDIDATE] * 3


def test_of_several_none_is_decided_where_one_has_changed(
    app: Flask, cora: Curator, ben: Curator, waiting: list[int]
) -> None:
    ben.post("/admin/decisions", {"action": "approve", "puzzle": f"{waiting[1]}:0"})
    fields = {"action": "reject", "reason": "dull", "puzzle": [f"{number}:0" for number in waiting[:3]]}
    assert cora.post("/admin/decisions", fields).status_code == 409
    assert [row_of(app, number).version for number in waiting[:3]] == [0, 1, 0]


def transformed(givens: str) -> str:
    """Rotate by 90 degrees and relabel the digits."""
    grid = [givens[9 * (8 - cell % 9) + cell // 9] for cell in range(81)]
    return "".join(grid).translate(str.maketrans("123456789", "234567891"))


def test_a_puzzle_that_players_have_transformed_is_not_approved(app: Flask, cora: Curator) -> None:
    with app.app_context():
        list(bank.fill_canonical())
        first = db.session.scalars(select(Puzzle.id).order_by(Puzzle.id)).first()
    (number,) = stored(app, candidate(transformed(EASY)))
    cora.get("/admin/")
    assert f"same as #{first}, rotated a quarter turn" in cora.page.find(id=f"puzzle-{number}").text
    answer = cora.post("/admin/decisions", {"action": "approve", "puzzle": f"{number}:0"})
    assert (answer.status_code, f"equivalent to #{first}" in answer.text) == (422, True)
    assert row_of(app, number).status == Status.CANDIDATE


def test_of_two_equivalent_candidates_one_is_approved(app: Flask, cora: Curator) -> None:
    one, other = stored(app, candidate(OTHERS[0]), candidate(transformed(OTHERS[0])))
    fields = {"action": "approve", "puzzle": [f"{one}:0", f"{other}:0"]}
    assert cora.post("/admin/decisions", fields).status_code == 422
    assert cora.post("/admin/decisions", {"approve": f"{one}:0"}).status_code == 303
    assert cora.post("/admin/decisions", {"approve": f"{other}:0"}).status_code == 422


def test_a_puzzle_without_one_solution_is_not_approved(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(TWO_SOLUTIONS))
    answer = cora.post("/admin/decisions", {"approve": f"{number}:0"})
    assert (answer.status_code, "exactly one solution" in answer.text) == (422, True)


def test_a_daily_and_a_players_own_puzzle_are_not_for_the_queue(app: Flask, cora: Curator) -> None:
    daily, own = stored(
        app, candidate(OTHERS[0], status=Status.DAILY), candidate(OTHERS[1], status=Status.ENTERED)
    )
    assert cora.post("/admin/decisions", {"reject": f"{daily}:0", "reason": "x"}).status_code == 409
    assert cora.post("/admin/decisions", {"reject": f"{own}:0", "reason": "x"}).status_code == 404


@pytest.mark.both_databases
def test_a_curator_who_sees_the_queue_cannot_play_it_ranked(
    app: Flask, cora: Curator, waiting: list[int]
) -> None:
    cora.get("/admin/")
    with app.app_context():
        curator = db.session.scalars(select(Player.id).where(Player.curator)).one()
        seen = set(db.session.scalars(select(Peek.puzzle_id).where(Peek.player_id == curator)))
    assert seen == set(waiting)


@pytest.mark.both_databases
def test_the_audit_log_shows_before_and_after(cora: Curator, waiting: list[int]) -> None:
    cora.post("/admin/decisions", {"reject": f"{waiting[0]}:0", "reason": "<b>dull</b>"})
    cora.get("/admin/audit?action=reject&subject=puzzle&curator=Cora")
    (row,) = cora.page.select("table.audit > tbody > tr")
    cells = [cell.get_text(" ", strip=True) for cell in row.select(".changes td")]
    assert cells == ["candidate", "rejected", "nothing", "<b>dull</b>"]
    assert "<b>dull</b>" in row.get_text()
    cora.get("/admin/audit?curator=Nobody")
    assert cora.page.select("table.audit") == []


@pytest.mark.both_databases
def test_the_audit_log_turns_pages(app: Flask, cora: Curator) -> None:
    from webapp.identity import audit

    with app.app_context(), write_tx():
        for number in range(120):
            audit.record(None, "test", ("nothing", number), at=SetClock.time + timedelta(seconds=number))
    cora.get("/admin/audit?subject=nothing&page=3")
    assert len(cora.page.select("table.audit > tbody > tr")) == 20
    cora.get("/admin/audit?subject=nothing&page=99")
    assert len(cora.page.select("table.audit > tbody > tr")) == 20


def test_how_one_puzzle_becomes_another_is_named(app: Flask) -> None:
    quarter = [9 * (8 - cell % 9) + cell // 9 for cell in range(81)]  # clockwise
    half = [80 - cell for cell in range(81)]
    mirrored = [9 * (cell // 9) + 8 - cell % 9 for cell in range(81)]
    across = [9 * (cell % 9) + cell // 9 for cell in range(81)]
    swapped = [9 * (cell // 9) + (1, 0, *range(2, 9))[cell % 9] for cell in range(81)]
    given = OTHERS[0]

    def image(cells: list[int]) -> str:
        return "".join(given[cell] for cell in cells)

    with app.test_request_context():
        assert likeness.how(given, given) == ""
        assert likeness.how(given, image(quarter)) == "rotated a quarter turn"
        assert likeness.how(given, image(half)) == "rotated a half turn"
        assert likeness.how(given, image(mirrored)) == "mirrored left to right"
        assert likeness.how(given, image(across)) == "mirrored along the diagonal"
        renamed = image(half).translate(str.maketrans("12", "21"))
        assert likeness.how(given, renamed) == "rotated a half turn, digits renamed"
        assert likeness.how(given, image(swapped)).startswith("rows and columns reordered")


def test_the_time_to_undo_is_that_of_the_offer() -> None:
    script = (Path(__file__).parents[3] / "static" / "js" / "desk-toast.js").read_text()
    assert f"OFFER = {curation.UNDO // timedelta(milliseconds=1):_};" in script


@pytest.mark.both_databases
def test_a_candidate_without_a_rating_shows_no_level_and_waits_for_one(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(OTHERS[0], rating_version=bank.BY_GIVENS))
    cora.get("/admin/")
    row = cora.page.find(id=f"puzzle-{number}")
    assert row.select_one(".queue__level").text == "not rated yet"
    assert row.find(attrs={"data-act": "approve"}) is None
    assert cora.get("/admin/?level=3").status_code == 200
    assert cora.page.find(id=f"puzzle-{number}") is None
    cora.get(f"/admin/puzzles/{number}")
    assert cora.page.h1.text == f"Puzzle {number}, not rated yet"
    assert cora.post("/admin/decisions", {"approve": f"{number}:0"}).status_code == 422
    assert row_of(app, number).status == Status.CANDIDATE


@pytest.mark.both_databases
def test_a_puzzle_with_the_solution_of_another_is_named_but_can_be_approved(
    app: Flask, cora: Curator
) -> None:
    one = OTHERS[0]
    cell = one.replace("0", ".").index(".")
    more = one[:cell] + solution_of(one)[cell] + one[cell + 1 :]
    first, second = stored(app, candidate(one, status=Status.APPROVED), candidate(more))
    cora.get("/admin/?twins=1")
    twin = cora.page.find(id=f"puzzle-{second}").select_one(".queue__twin")
    assert twin.text == f"same solution as #{first}, one more given (approved)"
    assert cora.post("/admin/decisions", {"approve": f"{second}:0"}).status_code == 303
    assert row_of(app, second).status == Status.APPROVED
