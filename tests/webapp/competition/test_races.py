"""Races: created, joined by link, started, played on transformed boards, progress in tenths, and
rematches.
"""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock, Visitor, givens_on, solving_moves
from webapp.bank import to_order
from webapp.competition.races import races, standings
from webapp.competition.races.tables import Race, Racer
from webapp.models import Attempt, Player, Puzzle, Status
from webapp.process.database import db, write_tx


@pytest.fixture
def bob(app: Flask) -> Visitor:
    """Another visitor, without an account."""
    return Visitor(app, address="127.0.0.2")


def made(visitor: Visitor, **form: str) -> str:
    """Return the address of a new race."""
    response = visitor.post("/races", {"level": "1", "name": "Zoe", **form})
    assert response.status_code == 303, response.text
    return response.location


def joined(visitor: Visitor, race: str, name: str = "Bob") -> None:
    assert visitor.post(f"{race}/racers", {"name": name}).status_code == 303


@pytest.fixture
def race(ada: Visitor, bob: Visitor) -> str:
    """A race of Ada's that Bob has joined."""
    race = made(ada)
    joined(bob, race)
    return race


def begun(clock: SetClock, race: str, *visitors: Visitor) -> list[str]:
    """Start a race, wait for the end of the countdown, and return each player's board."""
    assert visitors[0].post(f"{race}/start").status_code == 303
    clock.advance(seconds=races.COUNTDOWN.total_seconds())
    return [visitor.post(f"{race}/games").location for visitor in visitors]


def moves_to_solve(visitor: Visitor, board: str) -> list[tuple[str, int, str]]:
    visitor.get(board)
    givens = givens_on(visitor.page)
    return solving_moves(givens, str(engine.solution(engine.parse(givens))))


def solve(visitor: Visitor, board: str, clock: SetClock) -> None:
    """Solve it as a person: some digits come at once, some take long."""
    waits = random.Random(board)
    for seq, move in enumerate(moves_to_solve(visitor, board), 1):
        clock.advance(seconds=waits.lognormvariate(1.5, 0.8))
        assert visitor.move(board, seq, move).status_code == 200


def bars(visitor: Visitor, race: str) -> list[int]:
    """Return the racers' progress, as the page shows it."""
    visitor.get(race)
    return [int(str(bar["value"])) for bar in visitor.page.select("#race progress")]


def places(visitor: Visitor, race: str) -> list[str]:
    """Return the racers in order, each with the place."""
    visitor.get(race)
    return [
        " ".join(entry.get_text(" ").split()).partition(" (")[0]
        for entry in visitor.page.select(".race__entry")
    ]


@pytest.mark.both_databases
def test_it_works(clock: SetClock, ada: Visitor, bob: Visitor) -> None:
    race = made(ada)
    page = ada.get(race)
    assert page.status_code == 200
    assert ada.page.find(id="race-link").text == f"http://localhost{race}"
    joined(bob, race)
    first, second = begun(clock, race, ada, bob)
    assert first.startswith("/attempts/")
    solve(bob, second, clock)
    assert places(bob, race)[1] == "Ada 0% done 0%"
    solve(ada, first, clock)
    assert [text.split()[-1] for text in places(ada, race)] == ["Bob", "Ada"]
    assert ada.page.select_one("#race[data-stage=over]") is not None


def test_racers_have_transformations_of_one_puzzle(
    clock: SetClock, ada: Visitor, bob: Visitor, race: str
) -> None:
    boards = begun(clock, race, ada, bob)
    seen = []
    for visitor, board in zip((ada, bob), boards, strict=True):
        visitor.get(board)
        seen.append(givens_on(visitor.page))
    assert seen[0] != seen[1]
    one, other = (engine.canonical_form(engine.parse(givens)) for givens in seen)
    assert one == other


def test_nobody_has_a_board_before_the_start(app: Flask, clock: SetClock, ada: Visitor) -> None:
    race = made(ada)
    assert ada.post(f"{race}/games").location == race
    ada.post(f"{race}/start")
    clock.advance(seconds=races.COUNTDOWN.total_seconds() - 1)
    assert ada.post(f"{race}/games").location == race
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Attempt)) == 0


def test_the_clock_runs_from_the_start_whenever_the_board_is_opened(
    clock: SetClock, ada: Visitor, bob: Visitor, race: str
) -> None:
    begun(clock, race, ada)
    clock.advance(seconds=30)
    late = bob.post(f"{race}/games").location
    bob.get(late)
    assert bob.page.find(id="status")["data-elapsed-ms"] == "30000"


def test_a_race_survives_a_reload(clock: SetClock, ada: Visitor) -> None:
    race = made(ada)
    (board,) = begun(clock, race, ada)
    assert ada.move(board, 1, moves_to_solve(ada, board)[0]).status_code == 200
    assert ada.post(f"{race}/games").location == board
    assert ada.get(board).status_code == 200
    assert ada.page.find(id="race") is not None


def test_bars_move_in_tenths_and_never_back(clock: SetClock, ada: Visitor) -> None:
    race = made(ada)
    (board,) = begun(clock, race, ada)
    moves = moves_to_solve(ada, board)
    enough = -(-len(moves) // 10)  # cells of a tenth, rounded up
    assert ada.move(board, 1, *moves[: enough - 1]).status_code == 200
    assert bars(ada, race) == [0]
    assert ada.move(board, enough, moves[enough - 1]).status_code == 200
    assert bars(ada, race) == [1]
    assert ada.move(board, enough + 1, ("erase", moves[0][1], "")).status_code == 200
    assert bars(ada, race) == [1]


def test_a_wrong_digit_is_no_progress() -> None:
    puzzle = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    givens = engine.parse(puzzle).digits
    solution = engine.solution(engine.parse(puzzle))
    wrong = [found if given else found % 9 + 1 for given, found in zip(givens, solution.digits, strict=True)]
    assert standings.tenths(givens, wrong) == 0
    assert standings.tenths(givens, solution.digits) == 10


def test_who_had_help_finishes_without_a_place(
    clock: SetClock, ada: Visitor, bob: Visitor, race: str
) -> None:
    first, second = begun(clock, race, ada, bob)
    moves = moves_to_solve(bob, second)
    bob.post(f"{second}/checks")
    clock.advance(minutes=5)
    assert bob.move(second, 2, *moves).status_code == 200
    solve(ada, first, clock)
    listed = places(ada, race)
    assert listed[0].startswith("1 . Ada")
    assert listed[1].startswith("Bob")


def test_a_doubted_solve_is_not_placed_and_its_racer_alone_reads_why(
    app: Flask, clock: SetClock, ada: Visitor, bob: Visitor
) -> None:
    race = made(ada)
    (board,) = begun(clock, race, ada)
    moves = moves_to_solve(ada, board)
    clock.advance(seconds=2)
    ada.move(board, 1, *moves)
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.doubts)).one()
    why = "Why your finish isn’t placed: The digits came faster than a hand can type them."
    assert "not placed" in ada.get(race).text and why in ada.page.find(id="race").text
    assert "review" not in ada.page.find(id="race").text
    assert "not placed" in bob.get(race).text and "Why your" not in bob.page.find(id="race").text


def test_a_race_cannot_be_paused_or_taken_to_other_programs(clock: SetClock, ada: Visitor) -> None:
    (board,) = begun(clock, made(ada), ada)
    assert ada.post(f"{board}/clock", {"state": "paused"}).status_code == 422
    ada.get(board)
    assert ada.page.find(id="elsewhere") is None


def test_a_racing_puzzle_is_checked_and_solved_nowhere_before_help(clock: SetClock, ada: Visitor) -> None:
    (board,) = begun(clock, made(ada), ada)
    ada.get(board)
    givens = givens_on(ada.page)
    empty = givens.index(".")
    for grid in (givens, givens[:empty] + "5" + givens[empty + 1 :]):
        assert ada.get(f"/lab?grid={grid}").status_code in (409, 422)
        ada.get(f"/enter?grid={grid}")
        assert "still playing" in ada.page.find(id="verdict").text
        assert ada.post("/attempts", {"grid": grid}).status_code == 409
    ada.move(board, 1, ("hint", "", "1"))
    assert ada.get(f"/lab?grid={givens}").status_code == 200


def test_nobody_gets_a_puzzle_they_have_met(
    app: Flask, clock: SetClock, ada: Visitor, bob: Visitor, race: str
) -> None:
    with app.app_context():
        with write_tx():
            db.session.execute(sa.update(Puzzle).where(Puzzle.level == 2).values(level=1))
        ids = list(db.session.scalars(sa.select(Puzzle.id).where(Puzzle.level == 1).order_by(Puzzle.id)))
    assert bob.post("/attempts", {"puzzle": ids[0]}).status_code == 303
    begun(clock, race, ada, bob)
    with app.app_context():
        assert db.session.scalars(sa.select(Race.puzzle_id)).one() in ids[1:]


def test_racers_who_have_met_every_puzzle_get_a_new_one(
    app: Flask, clock: SetClock, cora: Curator, bob: Visitor
) -> None:
    """For example, a player who has exported the bank has seen every puzzle."""
    race = made(cora)
    joined(bob, race)
    with app.app_context():
        known = set(db.session.scalars(sa.select(Puzzle.id)))
    assert len(cora.get("/admin/puzzles/export?format=json").text.splitlines()) == len(known)
    begun(clock, race, cora, bob)
    with app.app_context():
        puzzle = db.session.scalars(sa.select(Puzzle).join(Race)).one()
        assert puzzle.id not in known
        assert (puzzle.level, puzzle.status) == (1, Status.APPROVED)
        assert puzzle.first_started_at is not None


def test_a_race_whose_puzzle_is_still_being_made_does_not_start(
    app: Flask, ada: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = made(ada)
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Puzzle).values(offered=False))
    monkeypatch.setattr(to_order, "made_at", lambda *_: None)
    assert ada.post(f"{race}/start").status_code == 503
    with app.app_context():
        assert db.session.scalars(sa.select(Race.starts_at)).one() is None


@pytest.mark.both_databases
def test_the_strip_is_sent_once_for_each_change(clock: SetClock, ada: Visitor, bob: Visitor) -> None:
    race = made(ada)
    ada.get(race)
    asked = str(ada.page.select_one("#race")["hx-get"])
    assert ada.get(asked, **{"HX-Request": "true"}).status_code == 204
    assert ada.get(f"{race}/strip").location == race, "without htmx"
    joined(bob, race)
    clock.advance(seconds=2)
    answer = ada.get(asked, **{"HX-Request": "true"})
    assert answer.status_code == 200
    assert "Bob" in answer.text
    assert "(you)" in answer.text
    (board, *_rest) = begun(clock, race, ada, bob)
    moves = moves_to_solve(ada, board)
    ada.get(race)
    asked = str(ada.page.select_one("#race")["hx-get"])
    ada.move(board, 1, moves[0])  # less than a tenth
    clock.advance(seconds=2)
    assert ada.get(asked, **{"HX-Request": "true"}).status_code == 204


def test_a_rematch_is_one_race_for_all(clock: SetClock, ada: Visitor, bob: Visitor, race: str) -> None:
    begun(clock, race, ada, bob)
    again = ada.post(f"{race}/rematch").location
    assert again != race
    assert bob.post(f"{race}/rematch").location == again
    assert [text.split()[0] for text in places(ada, again)] == ["Ada", "Bob"]


def test_a_name_that_is_taken_in_a_rematch_can_be_changed(
    app: Flask, clock: SetClock, ada: Visitor, bob: Visitor, race: str
) -> None:
    begun(clock, race, ada, bob)
    again = ada.post(f"{race}/rematch").location
    joined(Visitor(app, address="127.0.0.3"), again, "Bob")
    assert bob.post(f"{race}/rematch").status_code == 422
    assert bob.page.select_one("[name=name][aria-invalid]") is not None
    clock.advance(seconds=1)
    joined(bob, again, "Rob")
    assert places(bob, again) == ["Ada", "Bob", "Rob"]


def test_a_guest_gives_a_name_of_their_own(app: Flask, ada: Visitor, bob: Visitor) -> None:
    Visitor(app, address="127.0.0.4").register("Grace")
    race = made(ada)
    for wrong in ("", "  ", "ada", "Аda", "A da", "Ada\u3164", "Grace", "x" * 21, "a\u202eb"):
        assert bob.post(f"{race}/racers", {"name": wrong}).status_code == 422, wrong
    assert bob.page.select_one("[name=name][aria-invalid]") is not None
    joined(bob, race, "Bob")
    assert places(bob, race) == ["Ada", "Bob"]


def test_an_account_races_under_its_own_name_and_is_renamed_in_its_races(
    app: Flask, ada: Visitor, bob: Visitor
) -> None:
    race = made(ada, name="Grace")
    joined(bob, race, "Ada2")
    assert places(ada, race) == ["Ada", "Ada2"]
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Player).where(Player.name == "Ada").values(name="Player 7"))
        key = race.rpartition("/")[2]
        assert [entry.name for entry in standings.of(races.of_key(key)).entries] == ["Player 7", "Ada2"]


def test_the_eleventh_and_the_late_are_rejected(
    app: Flask, clock: SetClock, ada: Visitor, bob: Visitor
) -> None:
    race = made(ada)
    with app.app_context():
        for number in range(races.MOST_RACERS - 1):
            races.join(race.removeprefix("/races/"), None, f"guest {number}", clock())
    assert bob.post(f"{race}/racers", {"name": "Bob"}).status_code == 422
    begun(clock, race, ada)
    answer = bob.post(f"{race}/racers", {"name": "Bob"})
    assert answer.status_code == 422
    assert "already started" in answer.text


def test_only_racers_start_play_and_ask_for_a_rematch(clock: SetClock, ada: Visitor, bob: Visitor) -> None:
    race = made(ada)
    for route in ("start", "games", "rematch"):
        assert bob.post(f"{race}/{route}").status_code == 404, route
    (board,) = begun(clock, race, ada)
    assert bob.get(board).status_code == 404
    assert bob.get(race).status_code == 200


@pytest.mark.parametrize("level", ["", "0", "6", "x", "12345678901234"])
def test_bad_level(ada: Visitor, level: str) -> None:
    assert ada.post("/races", {"level": level}).status_code == 422


@pytest.mark.parametrize("key", ["x", "x" * 22, "x" * 200])
def test_unknown_race(ada: Visitor, key: str) -> None:
    assert ada.get(f"/races/{key}").status_code == 404
    assert ada.get(f"/races/{key}/strip").status_code == 404
    for route in ("racers", "start", "games", "rematch"):
        assert ada.post(f"/races/{key}/{route}").status_code == 404


def test_a_race_is_over_after_an_hour(clock: SetClock, ada: Visitor, bob: Visitor, race: str) -> None:
    begun(clock, race, ada)
    clock.advance(hours=1)
    assert bob.post(f"{race}/games").status_code == 409
    bob.get(race)
    assert bob.page.select_one("#race[data-stage=over]") is not None


def test_how_it_went_is_drawn_once_it_is_over(clock: SetClock, ada: Visitor, bob: Visitor, race: str) -> None:
    def ends(visitor: Visitor) -> list[tuple[list[str], list[float]]]:
        visitor.get(race)
        lines = visitor.page.select("polyline.course__line")[::-1]  # the first is drawn last, on top
        points = [line["points"].split()[-1].split(",") for line in lines]
        return [(line["class"][1:], [*map(float, at)]) for line, at in zip(lines, points, strict=True)]

    first, second = begun(clock, race, ada, bob)
    started = clock.time
    moves = moves_to_solve(bob, second)
    clock.advance(minutes=5)
    half = 1 + len(moves) // 2
    assert bob.move(second, 1, *moves[:half]).status_code == 200
    solve(ada, first, clock)
    assert ends(ada) == []
    taken, there = clock.time - started, 10 * half // len(moves)
    clock.time = started + races.LASTS
    across, up = 320 * timedelta(minutes=5) / taken, 96 - 9 * there
    won, lost = [320.0, 6.0], pytest.approx([across, up], abs=0.06)  # written with one decimal
    assert ends(ada) == [(["course__line--mine"], won), (["hue--2"], lost)]
    assert ends(bob) == [(["hue--1"], won), (["course__line--mine"], lost)]
    assert ada.page.select_one(".course__names").text.split() == ["Ada", "Bob"]


@pytest.mark.both_databases
def test_a_guest_who_signs_in_keeps_the_race(app: Flask, clock: SetClock, ada: Visitor) -> None:
    race = made(ada)
    guest = Visitor(app, address="127.0.0.3")
    joined(guest, race, "Guest")
    (board,) = begun(clock, race, guest)
    assert guest.register("Carl").status_code == 303
    assert guest.post(f"{race}/games").location == board
    other = Visitor(app, address="127.0.0.4")
    joined_again = made(other, name="Nobody")
    assert other.sign_in("Carl").status_code == 303
    assert "(you)" in other.get(joined_again).text


@pytest.mark.both_databases
def test_old_races_are_forgotten_and_their_games_stay(app: Flask, clock: SetClock, ada: Visitor) -> None:
    (board,) = begun(clock, made(ada), ada)
    with app.app_context():
        assert races.forget(clock() + timedelta(days=29)) == 0
        assert races.forget(clock() + timedelta(days=31)) == 1
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Racer)) == 0
    assert ada.get(board).status_code == 200
