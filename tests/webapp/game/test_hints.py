"""Hints and checks: correct on any board, from the player's own marks, mistakes first."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import warm
from engine.geometry import HOUSES, HOUSES_OF
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.visitors import Visitor
from webapp.game import hints
from webapp.game.board import Board
from webapp.game.moves import Move
from webapp.models import Attempt
from webapp.play import play

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SOLUTION = solution_of(EASY)
SINGLES = ("full_house", "hidden_single", "naked_single")
EMPTY = [cell for cell in range(81) if EASY[cell] == "."]
RIGHT, WRONG = int(SOLUTION[0]), next(d for d in range(1, 10) if str(d) not in SOLUTION[0] + "712")


def board_after(*moves: tuple[Any, ...]) -> Board:
    board = Board.of(engine.parse(EASY))
    for kind, cell, digit in moves:
        board = board.after(Move.from_fields(str(board.seq + 1), kind, str(cell), str(digit)), NOW)
    return board


def test_a_wrong_digit_is_said_before_any_step() -> None:
    advice = hints.hint(board_after(("digit", 0, WRONG)))
    assert (advice.mistakes.digits, advice.step) == ((0,), None)


@pytest.mark.parametrize(
    "moves",
    [
        [("centre", 0, WRONG)],
        [("fill", "", ""), ("strike", 0, RIGHT)],
        [("strike", 0, RIGHT)],
    ],
)
def test_marks_that_rule_the_solution_out_are_said_before_any_step(moves: list[tuple[Any, ...]]) -> None:
    advice = hints.hint(board_after(*moves))
    assert (advice.mistakes.marks, advice.step) == ((0,), None)


def test_corner_marks_rule_nothing_out() -> None:
    assert not hints.mistakes(board_after(("corner", 0, WRONG)))


def test_the_players_own_marks_count_as_the_candidates() -> None:
    cell = EMPTY[5]
    position = hints.position_of(board_after(("centre", cell, SOLUTION[cell])))
    assert position.candidates(cell) == (int(SOLUTION[cell]),)


def test_a_digit_the_player_wrote_alone_in_a_cell_is_hinted_first() -> None:
    cell = EMPTY[-1]
    step = hints.hint(board_after(("centre", cell, int(SOLUTION[cell])))).step
    assert step is not None
    assert (step.technique, step.placements) == ("naked_single", {(cell, int(SOLUTION[cell]))})


def test_with_all_candidates_shown_a_cell_with_one_is_hinted_first() -> None:
    board = board_after(("fill", "", ""))
    position = hints.position_of(board)
    alone = {cell for cell in EMPTY if len(position.candidates(cell)) == 1}
    assert alone
    for passed in range(len(alone)):
        step = hints.hint(replace(board, passed=passed)).step
        assert step is not None
        assert (step.technique, step.cells[0].cell in alone) == ("naked_single", True)


def test_singles_that_the_digits_prove_come_before_those_of_notes() -> None:
    plain = hints.position_of(board_after())
    by_digits = {step.placements for key in SINGLES for step in engine.find(plain, key)}
    cell, digit = next(
        (cell, int(SOLUTION[cell])) for cell in EMPTY if {(cell, int(SOLUTION[cell]))} not in by_digits
    )
    ruled_out = [place for place in HOUSES[HOUSES_OF[cell][2]] if place in EMPTY and place != cell]
    board = board_after(("fill", "", ""), *(("strike", place, digit) for place in ruled_out))
    shown, position = [], hints.position_of(board)
    for passed in range(hints.hint(board).others + 1):
        step = hints.hint(replace(board, passed=passed)).step
        assert step is not None
        if len(position.candidates(step.cells[0].cell)) > 1:  # what stands alone comes first
            shown.append(step.placements in by_digits)
    assert shown == sorted(shown, reverse=True)
    assert {True, False} == {*shown}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["digit", "centre", "strike", "corner"]),
            st.sampled_from(EMPTY),
            st.integers(1, 9),
        ),
        max_size=12,
    )
)
def test_carrying_hints_out_mends_every_board_and_never_spoils_one(drawn: list[tuple[str, int, int]]) -> None:
    board = board_after(*drawn)
    for _ in range(200):
        if board.solved:
            break
        before = hints.mistakes(board)
        advice = hints.hint(board)
        after = board
        for move in hints.moves_for(board, advice):
            after = after.after(move, NOW)
        assert after.layers != board.layers, "a hint that is carried out changes something"
        if not before:
            assert not hints.mistakes(after)
        board = after
    assert board.solved


def asked(board: Board, *digits: int | str) -> Board:
    for digit in digits:
        board = board.after(Move.from_fields(str(board.seq + 1), "hint", "", str(digit)), NOW)
    return board


def test_another_hint_shows_every_step_of_the_tier_once_before_the_first_again() -> None:
    board = asked(board_after(), 3)
    first = hints.hint(board)
    assert first.others
    seen = [first.step]
    for _ in range(first.others):
        board = asked(board, "")
        seen.append(hints.hint(board).step)
    assert None not in seen
    assert len({(step.placements, step.eliminations) for step in seen if step}) == len(seen)
    assert len({engine.TECHNIQUES[step.technique].tier_of(step.variant) for step in seen if step}) == 1
    assert hints.hint(asked(board, "")).step == first.step


def test_another_hint_keeps_the_depth_and_counts_as_one_of_its_own() -> None:
    board = asked(board_after(), 1, 2, "")
    assert board.asked is not None
    assert (board.asked.digit, board.hints, board.passed) == (2, 2, 1)
    assert asked(board, 3).hints == 2


def test_what_was_passed_over_is_forgotten_once_the_board_changes() -> None:
    board = asked(board_after(), 1, "", "")
    assert board.after(Move.from_fields(str(board.seq + 1), "corner", "8", "3"), NOW).passed == 0


def test_the_hint_stays_near_the_last_move() -> None:
    def away(cell: int) -> int:
        board = board_after(("digit", cell, SOLUTION[cell]))
        (step,) = [hints.hint(board).step]
        assert step is not None
        return min(max(abs(cell // 9 - spot // 9), abs(cell % 9 - spot % 9)) for spot, _ in step.placements)

    assert away(EMPTY[0]) < 8 and away(EMPTY[-1]) < 8
    first, last = (hints.hint(board_after(("corner", cell, 1))).step for cell in (EMPTY[0], EMPTY[-1]))
    assert first != last


def test_going_back_leads_to_the_last_state_without_a_mistake() -> None:
    board = board_after(
        ("digit", 0, RIGHT), ("digit", 1, int(SOLUTION[1])), ("digit", 4, WRONG), ("corner", 8, 3)
    )
    assert hints.steps_back(board) == 2


def test_going_back_without_a_mistake_goes_nowhere() -> None:
    assert hints.steps_back(board_after(("digit", 0, RIGHT))) == 0


# Over HTTP


def test_each_depth_says_more(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    for seq, depth in enumerate(("1", "2", "3"), 1):
        response = guest.post(f"{address}/hints", {"seq": seq, "depth": depth}, htmx=True)
        assert response.status_code == 200
        panel = guest.page.find(id="hint-panel")
        assert panel["data-depth"] == depth
        assert guest.page.find(id="status")["data-seq"] == str(seq)


def test_the_deepest_hint_carries_itself_out_and_a_lost_answer_does_not_repeat_it(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    form = {"seq": 1, "depth": 4}
    guest.post(f"{address}/hints", form, htmx=True)
    seq = guest.page.find(id="status")["data-seq"]
    assert int(seq) > 1
    guest.post(f"{address}/hints", form, htmx=True)
    assert guest.page.find(id="status")["data-seq"] == seq


def test_another_hint_is_another_step_and_is_what_gets_applied(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    shown = []
    for seq, form in enumerate(({"depth": 3}, {"another": 1}), 1):
        guest.post(f"{address}/hints", {"seq": seq, **form}, htmx=True)
        panel = guest.page.find(id="hint-panel")
        assert panel["data-depth"] == "3"
        shown.append(panel.find(attrs={"class": "spot--consequence"})["data-cells"])
    assert shown[0] != shown[1]
    guest.post(f"{address}/hints", {"seq": 3, "depth": 4})
    guest.get(address)
    assert guest.page.find(id=f"c{shown[1]}")["data-digit"] == SOLUTION[int(shown[1])]
    assert guest.page.find(id=f"c{shown[0]}").get("data-digit", "") != SOLUTION[int(shown[0])]


def test_a_mistake_leaves_no_other_hint(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("digit", EMPTY[0], WRONG))
    guest.post(f"{address}/hints", {"seq": 2, "depth": 1}, htmx=True)
    assert guest.page.find("button", attrs={"name": "another"}) is None


def test_where_to_look_is_free_outside_ranked_games_and_races(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.post(f"{address}/hints", {"depth": 1})
    guest.get(address)
    assert guest.page.select(".status__note") == []
    assert "Free so far." in guest.page.find(id="hint-panel").text
    guest.post(f"{address}/hints", {"depth": 2})
    guest.get(address)
    assert guest.page.select_one(".status__note").text == "1 hint used"
    board = board_after(("hint", "", 1))
    assert (board.assisted, board.pointed, board.hints) == (False, True, 0)
    assert not play.helped(Attempt(daily_id=1, ranked=False), board)
    assert play.helped(Attempt(daily_id=1, ranked=True), board)
    assert play.helped(Attempt(turn=engine.Transformation(), ranked=False), board)


def test_a_hint_makes_the_attempt_assisted_and_keeps_it_out_of_the_best_times(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.post(f"{address}/hints", {"depth": 2})
    guest.finish(address, 2)
    guest.get("/attempts")
    assert guest.page.find(attrs={"data-best": True}) is None
    assert "help used" in guest.page.text


def ruled_out(*moves: tuple[Any, ...]) -> hints.RuledOut:
    """Return the candidates that an applied hint of these moves has ruled out."""
    log = [
        Move.from_fields(str(seq), kind, str(cell), str(digit))
        for seq, (kind, cell, digit) in enumerate(moves, 1)
    ]
    return hints.ruled_out(board_after(*moves), log)


APPLIED = ("hint", "", 4)


def test_an_applied_hint_reports_what_it_has_struck(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    assert ruled_out(APPLIED, ("strike", "0,1", WRONG)).candidates == ((0, WRONG), (1, WRONG))
    assert ruled_out(("centre", 0, WRONG), APPLIED, ("centre", 0, WRONG)).candidates == ((0, WRONG),)
    assert ruled_out(APPLIED, ("digit", 0, RIGHT)).candidates == ()
    assert ruled_out(("strike", 0, RIGHT), APPLIED, ("strike", 0, RIGHT)).candidates == (), "a mark put right"
    guest.move(address, 1, APPLIED, ("strike", "0", WRONG))
    guest.get(f"{address}?done=2")
    assert guest.page.find(id="hint-panel").find(attrs={"data-cells": "0"}) is not None
    assert len(guest.page.select("#overlay .overlay__strike")) == 1
    assert guest.page.select_one("#hint-panel [data-command=fill]") is not None


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        ((), True),
        ((("fill", "", ""), ("fill", "", "")), False),  # the player has them
        ((("fill", "", ""),), False),
        ((("corner", 0, WRONG),), False),
        ((APPLIED, ("strike", 1, WRONG)), False),  # available then
    ],
)
def test_candidates_are_offered_once_where_nothing_struck_shows(
    before: tuple[tuple[Any, ...], ...], offered: bool
) -> None:
    assert ruled_out(*before, APPLIED, ("strike", 0, WRONG)).unseen == offered


@pytest.mark.parametrize(("before", "shown"), [((), True), ((("centre", 0, RIGHT),), False)])
def test_a_computed_candidate_that_is_struck_shows_unless_center_marks_hide_it(
    before: tuple[tuple[Any, ...], ...], shown: bool
) -> None:
    assert ruled_out(("fill", "", ""), *before, APPLIED, ("strike", 0, WRONG)).shown == shown


def test_a_corner_mark_that_is_struck_is_shown_crossed_out(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("corner", 0, WRONG), ("strike", 0, WRONG))
    guest.get(address)
    assert [mark["data-kind"] for mark in guest.page.select("#c0 .pencil")] == ["struck"]


def test_a_hint_stays_on_the_page_until_the_board_changes(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    response = guest.post(f"{address}/hints", {"depth": 2})
    assert response.status_code == 303
    guest.get(response.location)
    assert guest.page.find(id="hint-panel").has_attr("data-depth")
    guest.move(address, 2, ("digit", 0, RIGHT))
    guest.get(address)
    assert not guest.page.find(id="hint-panel").has_attr("data-depth")


@pytest.mark.parametrize(
    ("route", "form", "note"),
    [("hints", {"depth": 4}, "hint-panel"), ("checks", {"back": 1}, "check-result")],
)
def test_a_plain_form_reports_the_effect_of_help(
    guest: Visitor, route: str, form: dict[str, int], note: str
) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("digit", EMPTY[0], WRONG))
    after = guest.post(f"{address}/{route}", form).location
    guest.get(after)
    assert guest.page.find(id=note).p
    guest.get(address)
    assert not guest.page.find(id=note).p
    guest.move(address, int(after.partition("done=")[2]) + 1, ("corner", EMPTY[0], 1))
    guest.get(after)
    assert not guest.page.find(id=note).p


@pytest.mark.parametrize("done", ["check", "hint", "1", "2", "x"])
def test_no_address_makes_a_page_say_that_help_was_carried_out(guest: Visitor, done: str) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("check", "", ""), ("digit", EMPTY[0], WRONG))
    guest.get(f"{address}?done={done}")
    assert not guest.page.find(id="hint-panel").p
    assert not guest.page.find(id="check-result").p


@pytest.mark.parametrize("depth", ["0", "5", "deep"])
def test_a_depth_that_is_none_is_refused(guest: Visitor, depth: str) -> None:
    address = guest.start(grid=EASY)
    assert guest.post(f"{address}/hints", {"depth": depth}).status_code == 422


def test_a_check_counts_and_shows_what_is_wrong(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("digit", 0, WRONG))
    guest.post(f"{address}/checks", {"seq": 2}, htmx=True)
    result = guest.page.find(id="check-result")
    assert result["data-wrong"] == "1"
    assert result.find(attrs={"data-cells": "0"}) is not None


def test_a_check_goes_back_when_asked(guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.move(
        address, 1, ("digit", 0, RIGHT), ("digit", 1, SOLUTION[1]), ("digit", 0, WRONG), ("corner", 8, 3)
    )
    guest.post(f"{address}/checks", {"seq": 5, "back": 1})
    guest.get(address)
    assert guest.page.find(id="c0")["data-digit"] == str(RIGHT)
    assert guest.page.find(id="c1")["data-digit"] == SOLUTION[1]


@pytest.mark.parametrize("route", ["hints", "checks"])
def test_a_solved_board_needs_no_help(guest: Visitor, route: str) -> None:
    address = guest.start(grid=EASY)
    guest.finish(address)
    assert guest.post(f"{address}/{route}", {"depth": 1}, htmx=True).status_code == 409


def test_a_hint_that_would_have_to_be_compiled_first_is_put_off(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = guest.start(grid=EASY)
    monkeypatch.setattr(warm, "ready", lambda *_: False)
    response = guest.post(f"{address}/hints", {"depth": 1}, htmx=True)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "60")
    guest.get(address)
    assert guest.page.find(id="board")["data-seq"] == "0"
