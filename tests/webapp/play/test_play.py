"""Playing over HTTP: access, accepted moves, errors. A player's way through a game."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.conftest import EASY, new_puzzle, solution_of
from tests.webapp.statements import change, one
from tests.webapp.visitors import SetClock, Visitor, givens_on, solving_moves
from webapp.bank import breakdown
from webapp.game import moves as moves_log
from webapp.game.board import Board
from webapp.models import Attempt, Move, Player, Puzzle, Status
from webapp.play import play
from webapp.play.batches import Seen
from webapp.process.database import db, write_tx

TWO_SOLUTIONS = EASY.replace("7", ".", 1).replace("8", ".", 1).replace("3", ".", 1)


def count(app: Flask, model: Any) -> int:
    return int(one(app, sa.select(sa.func.count()).select_from(model)) or 0)


def last_seq(app: Flask) -> int:
    return one(app, sa.select(Attempt.last_seq))


def attempt_level(app: Flask, address: str) -> int:
    return one(app, sa.select(Attempt.level).where(Attempt.id == address.rpartition("/")[2]))


def rate(app: Flask, hardest: dict[int, str]) -> None:
    """Set the hardest technique of the puzzle of each level."""
    with app.app_context(), write_tx():
        for level, key in hardest.items():
            db.session.execute(sa.update(Puzzle).where(Puzzle.level == level).values(hardest=key))


# Starting


def test_a_level_starts_an_attempt_with_its_board(guest: Visitor) -> None:
    address = guest.start(level=3)
    response = guest.get(address)
    assert response.status_code == 200
    assert givens_on(guest.page).count(".") == EASY.count(".")
    board = guest.page.find(id="board")
    assert (board["data-state"], board["data-seq"]) == ("playing", "0")


def test_a_guest_has_no_row_before_the_first_start(app: Flask, guest: Visitor) -> None:
    for path in ("/", "/attempts", "/enter", "/print"):
        assert guest.get(path).status_code == 200
    assert count(app, Player) == 0
    guest.start(level=1)
    guest.start(level=2)
    assert count(app, Player) == 1


@pytest.mark.both_databases
def test_an_attempt_keeps_the_level_of_its_start(app: Flask, guest: Visitor) -> None:
    guest.start(level=4)
    with app.app_context():
        assert (
            db.session.scalars(sa.select(Puzzle.first_started_at).where(Puzzle.level == 4)).one()
            == SetClock.time
        )
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(level=1))
        assert db.session.scalars(sa.select(Attempt.level)).one() == 4


def test_nobody_gets_a_puzzle_twice(guest: Visitor, other: Visitor, clock: SetClock) -> None:
    guest.start(level=2)
    clock.advance(minutes=1)
    assert guest.post("/attempts", {"level": 2}).status_code == 503
    other.start(level=2)


@pytest.mark.both_databases
@pytest.mark.parametrize("known", [False, True], ids=["first visit", "player"])
@pytest.mark.parametrize("form", [{"level": "1"}, {"hardest": "naked_single"}, {"grid": EASY}])
def test_a_form_that_comes_three_times_at_once_starts_one_game(
    app: Flask, guest: Visitor, clock: SetClock, form: dict[str, str], known: bool
) -> None:
    rate(app, dict.fromkeys(range(1, 6), "naked_single"))
    with app.app_context(), write_tx():
        db.session.add_all(new_puzzle(1) for _ in range(3))
    guest.get("/login")
    if known:
        guest.start(level=5)
        clock.advance(minutes=1)
    cookie = guest.cookie
    together = Barrier(3)

    def start(_form: int) -> str:
        client = app.test_client()
        client.set_cookie("s", cookie)
        together.wait()
        address: str = client.post("/attempts", data={"csrf_token": guest.token} | form).location
        assert client.get(address).status_code == 200, "each answer's cookie is that of the one player"
        return address

    with ThreadPoolExecutor(3) as forms:
        assert len(set(forms.map(start, range(3)))) == 1
    assert (count(app, Attempt), count(app, Player)) == (1 + known, 1)


def test_the_same_form_starts_another_game_after_a_move_or_a_moment(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    with app.app_context(), write_tx():
        db.session.add_all(new_puzzle(1) for _ in range(2))
    address = guest.start(level=1)
    assert guest.start(level=1) == address
    guest.get(address)
    cell = guest.givens.index(".")
    guest.move(address, 1, ("corner", cell, 1))
    second = guest.start(level=1)
    clock.advance(seconds=2)
    assert len({address, second, guest.start(level=1)}) == 3


@pytest.mark.both_databases
def test_the_hardest_puzzle_within_a_technique_is_started(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    rate(app, {1: "naked_single", 2: "claiming", 3: "x_wing", 4: "unique_loop"})
    for level in (3, 2, 1):
        assert attempt_level(app, guest.start(hardest="xy_wing")) == level
        clock.advance(minutes=1)


def use(app: Flask, level: int, hardest: str, *techniques: str) -> None:
    """Set the techniques on the path of a level's puzzle."""
    counts = dict.fromkeys((*techniques, hardest), 1)
    details = breakdown.text_of(breakdown.Breakdown(counts, {"explainer": 1.5}, (), None))
    with app.app_context(), write_tx():
        values = {"hardest": hardest, "breakdown": details}
        db.session.execute(sa.update(Puzzle).where(Puzzle.level == level).values(values))


@pytest.mark.both_databases
def test_a_puzzle_that_must_include_a_technique_has_it_on_its_path(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    use(app, 2, "swordfish", "x_wing")
    use(app, 3, "x_wing")
    use(app, 4, "finned_x_wing", "claiming")
    for level in (3, 2):
        assert attempt_level(app, guest.start(must="x_wing")) == level, "nothing harder first"
        clock.advance(minutes=1)


def test_a_puzzle_within_a_limit_can_be_asked_to_include_a_technique(app: Flask, guest: Visitor) -> None:
    use(app, 2, "swordfish", "naked_pair")
    use(app, 3, "jellyfish", "naked_pair")
    use(app, 4, "claiming")
    assert attempt_level(app, guest.start(must="naked_pair", hardest="swordfish")) == 2


@pytest.mark.both_databases
def test_without_a_wish_any_puzzle_is_started(app: Flask, guest: Visitor, clock: SetClock) -> None:
    started = set()
    for _again in range(5):
        started.add(attempt_level(app, guest.start(must="", hardest="")))
        clock.advance(minutes=1)
    assert started == {1, 2, 3, 4, 5}
    response = guest.post("/attempts", {"must": "", "hardest": ""})
    assert response.status_code == 503
    assert "every puzzle we have" in response.text


def test_a_technique_beyond_the_limit_is_refused(app: Flask, guest: Visitor) -> None:
    response = guest.post("/attempts", {"must": "swordfish", "hardest": "naked_pair"})
    assert response.status_code == 422
    assert "Swordfish is harder than Naked Pair" in response.text
    assert count(app, Attempt) == 0


def test_where_the_bank_has_none_left_a_puzzle_is_made(app: Flask, guest: Visitor) -> None:
    for wish in ({"must": "pointing"}, {"hardest": "pointing"}):
        response = guest.post("/attempts", wish)
        while response.status_code == 503:  # it is made meanwhile
            assert "making a puzzle for you: Pointing Pair" in response.text
            response = guest.post("/attempts", wish)
        with app.app_context():
            puzzle = db.session.scalars(sa.select(Puzzle).order_by(Puzzle.id.desc()).limit(1)).one()
            assert (puzzle.hardest, puzzle.status) == ("pointing", Status.APPROVED)
            assert '"pointing":' in (puzzle.breakdown or "")


def test_techniques_are_offered_as_limit_and_as_wish_by_tier(guest: Visitor) -> None:
    guest.get("/attempts")
    for name in ("must", "hardest"):
        groups = guest.page.select(f"#{name} optgroup")
        offered = [[str(option["value"]) for option in group.select("option")] for group in groups]
        assert {"naked_pair", "x_wing"} <= set().union(*offered)
        tiers = [{engine.TECHNIQUES[key].tier for key in group} for group in offered]
        assert [len(tier) for tier in tiers] == [1] * len(tiers)
        assert tiers == sorted(tiers, key=min)
        for group in offered:
            assert group == [key for key in engine.TECHNIQUES if key in group]


@pytest.mark.both_databases
def test_a_grid_of_ones_own_can_be_played(app: Flask, guest: Visitor) -> None:
    grid = EASY.replace("7", "x").replace("1", "7").replace("x", "1")
    guest.get(guest.start(grid=grid))
    assert givens_on(guest.page) == grid
    assert one(app, sa.select(Puzzle.status).where(Puzzle.givens == grid)) == "entered"


@pytest.mark.both_databases
def test_a_known_grid_is_no_second_puzzle(app: Flask, guest: Visitor) -> None:
    givens = one(app, sa.select(Puzzle.givens).where(Puzzle.level == 2))
    before = count(app, Puzzle)
    guest.start(grid=givens)
    assert count(app, Puzzle) == before


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ({"level": "0"}, "level"),
        ({"level": "6"}, "level"),
        ({"level": "easy"}, "level"),
        ({"hardest": "guessing"}, "hardest"),
        ({"must": "guessing"}, "must"),
        ({"puzzle": "one"}, "puzzle"),
        ({"grid": "123"}, "81"),
        ({"grid": EASY.replace("7", "?", 1)}, "row 1, column 4"),
        ({"grid": "." * 81}, "at least 17"),
        ({"grid": TWO_SOLUTIONS}, "more than one solution"),
        ({"grid": "77" + EASY[2:]}, "no solution"),
        ({"grid": solution_of(EASY)}, "nothing to solve"),
        ({}, "Choose"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_reason(
    app: Flask, guest: Visitor, choice: dict[str, str], named: str
) -> None:
    response = guest.post("/attempts", choice)
    assert response.status_code == 422
    assert named in response.text
    assert count(app, Attempt) == count(app, Player) == 0


def test_an_unknown_puzzle_is_not_found(guest: Visitor) -> None:
    assert guest.post("/attempts", {"puzzle": "999999"}).status_code == 404


def test_an_entered_puzzle_is_nobody_elses(app: Flask, guest: Visitor, other: Visitor) -> None:
    guest.start(grid=EASY.replace("7", "x").replace("1", "7").replace("x", "1"))
    entered = one(app, sa.select(Puzzle.id).where(Puzzle.status == "entered"))
    assert other.post("/attempts", {"puzzle": entered}).status_code == 404


# Moves


@pytest.mark.both_databases
def test_moves_are_stored_and_answered_with_status_and_counts(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    response = guest.move(address, 1, ("corner", 0, 4), ("digit", 1, 5))
    assert response.status_code == 200
    assert guest.page.find(id="status")["data-seq"] == "2"
    assert guest.page.find(id="counts")["data-seq"] == "2"
    with app.app_context():
        stored = db.session.scalars(sa.select(Move).order_by(Move.seq)).all()
        assert [(move.seq, move.kind, move.cell, move.digit) for move in stored] == [
            (1, "corner", "0", 4),
            (2, "digit", "1", 5),
        ]
        assert all(move.received_at == SetClock.time for move in stored)


def test_the_board_comes_back_as_it_was_left(guest: Visitor, address: str) -> None:
    guest.move(address, 1, ("digit", 0, 9), ("digit", 8, 3), ("undo", "", ""))
    guest.get(address)
    assert guest.page.find(id="c0")["data-digit"] == "9"
    assert not guest.page.find(id="c8").has_attr("data-digit")
    assert guest.page.find(id="board")["data-seq"] == "3"


def test_the_same_move_again_is_skipped(app: Flask, guest: Visitor, address: str) -> None:
    for _ in range(3):
        assert guest.move(address, 1, ("digit", 0, 9)).status_code == 200
    assert guest.move(address, 1, ("digit", 0, 9), ("digit", 1, 4)).status_code == 200
    assert count(app, Move) == 2


def test_another_move_at_a_taken_number_is_a_conflict_and_shows_the_board(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("digit", 0, 9))
    response = guest.move(address, 1, ("digit", 0, 4), ("digit", 1, 5))
    assert response.status_code == 409
    assert guest.page.find(id="board")["data-seq"] == "1"
    assert guest.page.find(id="c0")["data-digit"] == "9"
    assert guest.page.find(id="c80") is not None
    assert count(app, Move) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("elsewhere", "status", "kinds"),
    [
        (("corner", 0, 5), 409, ["corner"]),  # another move at the number
        (("corner", 0, 4), 200, ["corner", "digit"]),  # the very same one: only the rest is added
    ],
)
def test_a_batch_overtaken_while_it_was_looked_at_is_looked_at_again(
    app: Flask,
    guest: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    elsewhere: tuple[str, int, int],
    status: int,
    kinds: list[str],
) -> None:
    address = guest.start(grid=EASY)
    append = play._append

    def overtaken(seen: Seen, board: Board, moves: Any, length: int, now: datetime, waited_ms: int) -> bool:
        monkeypatch.undo()
        kind, cell, digit = elsewhere
        other = moves_log.Move.from_fields("1", kind, str(cell), str(digit))
        play.make_moves(seen.attempt.player_id, seen.attempt.id, [other], now)
        return append(seen, board, moves, length, now, waited_ms)

    monkeypatch.setattr(play, "_append", overtaken)
    assert guest.move(address, 1, ("corner", 0, 4), ("digit", 1, 5)).status_code == status
    with app.app_context():
        stored = db.session.execute(sa.select(Move.seq, Move.kind).order_by(Move.seq)).all()
    assert stored == list(enumerate(kinds, 1))


def test_a_gap_is_a_conflict_that_says_what_to_do(app: Flask, guest: Visitor, address: str) -> None:
    guest.move(address, 1, ("digit", 0, 9))
    response = guest.move(address, 3, ("digit", 1, 5))
    assert response.status_code == 409
    assert "moves before it are missing. Continue from here" in response.text
    assert count(app, Move) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "bad",
    [
        ("digit", 3, 1),  # r1c4 is a given
        ("corner", "0,3", 1),
        ("erase", 3, ""),
        ("digit", 0, "five"),
    ],
)
def test_a_bad_move_is_refused_and_nothing_of_its_batch_is_stored(
    app: Flask, guest: Visitor, bad: tuple[Any, ...], address: str
) -> None:
    response = guest.move(address, 1, ("digit", 0, 9), bad)
    assert response.status_code == 422
    assert "move 2" in response.text
    assert count(app, Move) == last_seq(app) == 0


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"seq": "1", "kind": "digit", "cell": "0"},
        {"seq": ["1", "2"], "kind": "digit", "cell": "0", "digit": "1"},
        {"seq": ["1", "3"], "kind": ["undo"] * 2, "cell": [""] * 2, "digit": [""] * 2},
        {"seq": "0", "kind": "digit", "cell": "0", "digit": "1"},
        {"seq": "1e3", "kind": "digit", "cell": "0", "digit": "1"},
    ],
)
def test_a_batch_whose_fields_do_not_fit_is_refused(guest: Visitor, form: dict[str, Any]) -> None:
    address = guest.start(grid=EASY)
    assert guest.post(f"{address}/moves", form, htmx=True).status_code == 422


def test_a_batch_of_too_many_moves_is_refused(app: Flask, guest: Visitor, address: str) -> None:
    assert guest.move(address, 1, *[("undo", "", "")] * 1001).status_code == 422
    assert count(app, Move) == 0


def test_a_paused_board_takes_nothing_but_resume(guest: Visitor, address: str) -> None:
    guest.move(address, 1, ("pause", "", ""))
    assert guest.move(address, 2, ("digit", 0, 9)).status_code == 422
    guest.get(address)
    assert guest.page.find(id="board")["data-state"] == "paused"
    assert guest.move(address, 2, ("resume", "", ""), ("digit", 0, 9)).status_code == 200


# Finishing


def test_a_full_board_without_a_conflict_is_solved_in_the_servers_time(
    app: Flask, guest: Visitor, clock: SetClock, address: str
) -> None:
    moves = solving_moves(EASY, solution_of(EASY))
    clock.advance(seconds=90)
    guest.move(address, 1, *moves[:-1], ("pause", "", ""))
    clock.advance(hours=1)
    guest.move(address, len(moves) + 1, ("resume", "", ""))
    clock.advance(seconds=30.25)
    response = guest.move(address, len(moves) + 2, moves[-1])
    assert response.status_code == 200
    assert guest.page.find(id="status")["data-state"] == "solved"
    assert guest.page.find(id="finish-panel") is not None
    with app.app_context():
        attempt = db.session.scalars(sa.select(Attempt)).one()
        assert (attempt.finished_at, attempt.elapsed_ms) == (clock.time, 120_250)
    guest.get(address)
    assert guest.page.find(id="board")["data-state"] == "solved"


def test_the_clock_stops_when_the_computer_fell_asleep_and_not_before_the_latest_move(
    guest: Visitor, clock: SetClock, address: str
) -> None:
    clock.advance(seconds=6)
    asleep = {"kind": "pause", "cell": "", "digit": "", "asleep": 20_000}
    clock.advance(seconds=20)
    guest.post(f"{address}/moves", {"seq": 1, **asleep}, htmx=True)
    assert guest.page.find(id="status")["data-elapsed-ms"] == "6000"
    guest.move(address, 2, ("resume", "", ""))
    clock.advance(seconds=10)
    guest.post(f"{address}/moves", {"seq": 3, **asleep}, htmx=True)
    assert guest.page.find(id="status")["data-elapsed-ms"] == "6000"


def test_a_full_board_with_a_conflict_is_not_solved(app: Flask, guest: Visitor, address: str) -> None:
    *moves, (kind, cell, digit) = solving_moves(EASY, solution_of(EASY))
    wrong = int(digit) % 9 + 1
    assert guest.move(address, 1, *moves, (kind, cell, wrong)).status_code == 200
    assert one(app, sa.select(Attempt.finished_at)) is None


@pytest.mark.both_databases
def test_a_clock_that_was_set_back_keeps_nobody_from_finishing(
    app: Flask, guest: Visitor, clock: SetClock, address: str
) -> None:
    clock.advance(hours=-1)
    assert guest.finish(address).status_code == 200
    assert one(app, sa.select(Attempt.elapsed_ms)) == 0


def test_a_finished_attempt_takes_nothing_more_but_what_it_has(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    moves = solving_moves(EASY, solution_of(EASY))
    guest.move(address, 1, *moves)
    assert guest.move(address, 1, *moves).status_code == 200
    for kind, cell, digit in (("digit", 0, 1), ("undo", "", ""), ("check", "", "")):
        assert guest.move(address, len(moves) + 1, (kind, cell, digit)).status_code == 409
    assert count(app, Move) == len(moves)


def test_finishing_cannot_be_claimed(app: Flask, guest: Visitor, address: str) -> None:
    claims = {"finished_at": "2026-03-01", "elapsed_ms": 1, "state": "solved", "solution": solution_of(EASY)}
    guest.post(f"{address}/moves", {"seq": 1, "kind": "digit", "cell": 0, "digit": 9, **claims}, htmx=True)
    guest.post(address, claims)
    assert one(app, sa.select(Attempt.finished_at)) is None


def test_a_best_time_is_the_first_unassisted_one_at_a_puzzle_of_the_bank(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    number = one(app, sa.select(Puzzle.id).where(Puzzle.level == 2))
    for minutes in (9, 1):
        address = guest.start(puzzle=number)
        clock.advance(minutes=minutes)
        guest.finish(address)
    guest.get("/attempts")
    assert [time.text for time in guest.page.select("#new-game .tile__best")] == ["best 9:00"]


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("columns", "remark", "best"),
    [
        ({}, "", "7:42"),
        ({"doubts": '["floor"]'}, "doesn’t count", ""),  # no curator reviews what is no daily
        ({"doubts": '["floor"]', "standing": "review"}, "under review", ""),
        ({"doubts": '["floor"]', "standing": "verified"}, "", "7:42"),
        ({"standing": "removed"}, "removed", ""),
        ({"assisted": True}, "help used", ""),
    ],
)
def test_what_is_no_best_time_is_listed_with_the_reason(
    app: Flask, guest: Visitor, clock: SetClock, columns: dict[str, Any], remark: str, best: str
) -> None:
    address = guest.start(level=2)
    clock.advance(minutes=7, seconds=42)
    guest.finish(address)
    if columns:
        change(app, sa.update(Attempt).values(**columns))
    guest.get("/attempts")
    shown = "".join(time.text for time in guest.page.select("#new-game .tile__best"))
    assert shown == (best and f"best {best}")
    (time,) = guest.page.select("td.table__figure")
    assert time.text.strip().removeprefix("7:42").strip() == remark


# Routes for plain forms


def test_a_plain_form_comes_back_to_its_cell(guest: Visitor, address: str) -> None:
    response = guest.post(f"{address}/moves", {"seq": 1, "kind": "digit", "cell": 30, "digit": 4})
    assert (response.status_code, response.location) == (303, f"{address}?cell=30")
    guest.get(response.location)
    assert guest.page.find(id="c30")["data-digit"] == "4"


def test_undo_redo_and_clock_have_routes_of_their_own(guest: Visitor, address: str) -> None:
    guest.move(address, 1, ("digit", 0, 9))
    routes: list[tuple[str, dict[str, Any]]] = [
        ("undos", {"seq": 2}),
        ("redos", {"seq": 3}),
        ("clock", {"seq": 4, "state": "paused"}),
        ("clock", {"state": "running"}),
    ]
    for route, form in routes:
        assert guest.post(f"{address}/{route}", form).status_code == 303
    guest.get(address)
    assert guest.page.find(id="c0")["data-digit"] == "9"
    assert guest.page.find(id="board")["data-seq"] == "5"


def test_the_clock_has_two_states(guest: Visitor, address: str) -> None:
    assert guest.post(f"{address}/clock", {"state": "stopped"}).status_code == 422


# Access


def test_a_lost_cookie_starts_anew(app: Flask, guest: Visitor) -> None:
    guest.start()
    stranger = Visitor(app)
    stranger.client.set_cookie("s", "forged.cookie.value")
    stranger.start()
    assert count(app, Player) == 2


@pytest.mark.parametrize("route", ["", "/undos"])
def test_where_a_session_has_ended_a_board_asks_to_sign_in_and_comes_back(
    app: Flask, ada: Visitor, route: str
) -> None:
    address = ada.start()
    again = Visitor(app)
    response = again.post(address + route) if route else again.get(address)
    assert response.status_code == 404
    (link,) = again.page.select("main a[href^='/login']")
    back = parse_qs(urlsplit(str(link["href"])).query)["next"]
    assert again.sign_in(next=back[0]).location == address


def test_a_signed_in_player_is_not_asked_again(ada: Visitor, guest: Visitor) -> None:
    assert ada.get(guest.start()).status_code == 404
    assert not ada.page.select("main a[href^='/login']")


# No solution before the end


def test_no_response_distinguishes_right_from_wrong(guest: Visitor, address: str) -> None:
    right = solution_of(EASY)[0]
    wrong = next(digit for digit in "123456789" if digit not in right + "7128365")
    answers = [guest.move(address, seq, ("digit", 0, digit)) for seq, digit in ((1, right), (2, wrong))]
    assert len(answers[0].data) == len(answers[1].data)
    assert all(solution_of(EASY) not in answer.text for answer in answers)


def test_the_first_reason_that_names_cells_explains_their_names(guest: Visitor) -> None:
    """Reasons for beginners don't name them, and neither does a hint that stops at the technique."""

    def hinted(address: str, depth: int = 3) -> str:
        for each in range(1, depth + 1):
            text = guest.post(f"{address}/hints", {"depth": each}, htmx=True).text
        return text

    words = "r4c7 is the cell in row 4, column 7."
    assert words not in hinted(guest.start(level=1))
    other, address = guest.start(level=3), guest.start(level=4)
    assert words not in hinted(other, depth=2)
    assert words in hinted(address)
    assert words in guest.get(address).text
    guest.post(f"{address}/hints", {"depth": 4}, htmx=True)
    assert words not in hinted(address)
    assert words not in hinted(other)


def test_levels_say_their_minutes_what_they_need_and_what_they_compare_to(guest: Visitor) -> None:
    guest.get("/attempts")
    facts = [
        fact.text for fact in guest.page.select("#new-game .tile[name=level] .tile__facts:not(.tile__best)")
    ]
    assert len(facts) == 5 and all(re.match(r"about \d+ min|40 min or more", fact) for fact in facts)
    assert [fact.partition(", ")[2] for fact in facts] == ["", "", "", "needs wings", "needs chains"]
    assert "To compare: " in guest.page.text


def test_a_hint_for_beginners_is_a_question_before_its_reason(guest: Visitor) -> None:
    """Others name the technique. The reason is two taps away for everybody."""
    said = {}
    for level in (1, 2, 3):
        address = guest.start(level=level)
        guest.post(f"{address}/hints", {"depth": 1}, htmx=True)
        assert guest.page.select_one('#hint-panel .note__other[name="depth"]')["value"] == "3"
        guest.post(f"{address}/hints", {"depth": 2}, htmx=True)
        said[level] = guest.page.select_one("#hint-panel .note__body p").text.strip()
    assert said[1].endswith("?") and said[2].endswith("?")
    assert said[3].startswith("Look for this technique")
