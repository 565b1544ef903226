"""Feedback on mistakes: none, conflicts, or every wrong digit, which is help."""

from __future__ import annotations

from engine.geometry import PEERS
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.visitors import Visitor

SOLUTION = solution_of(EASY)
EMPTY = [cell for cell in range(81) if EASY[cell] == "."]
# A digit that is wrong without a conflict yet, in the first empty cell that has one.
WRONG = next(
    (cell, digit)
    for cell in EMPTY
    for digit in "123456789"
    if digit != SOLUTION[cell] and all(EASY[other] != digit for other in PEERS[cell])
)


def wrong(visitor: Visitor) -> str:
    return str(visitor.page.find(id="wrong")["data-pairs"])


def test_by_default_the_server_reports_no_wrong_digit(guest: Visitor, address: str) -> None:
    guest.move(address, 1, ("digit", *WRONG))
    assert wrong(guest) == ""
    guest.get(address)
    assert wrong(guest) == ""
    assert guest.page.find(attrs={"data-wrong": True}) is None


def test_on_request_every_batch_reports_wrong_digits_and_counts_as_help(guest: Visitor, address: str) -> None:
    guest.client.set_cookie("ui", "feedback-solution")
    right = next(cell for cell in EMPTY if cell != WRONG[0])
    guest.move(address, 1, ("check", "", ""), ("digit", *WRONG), ("digit", right, SOLUTION[right]))
    assert wrong(guest) == f"{WRONG[0]}:{WRONG[1]}"
    guest.get(address)
    cell = guest.page.find(attrs={"data-wrong": True})
    assert cell["id"] == f"c{WRONG[0]}"
    assert cell["aria-invalid"] == "true"
    assert cell.find(class_="visually-hidden").text.endswith(", wrong")
    assert guest.page.find(class_="status__note").text == "Help used"


def test_a_cookie_alone_reveals_nothing_before_the_log_has_help(guest: Visitor, address: str) -> None:
    guest.client.set_cookie("ui", "feedback-solution")
    guest.move(address, 1, ("digit", *WRONG))
    assert wrong(guest) == ""


def test_never_leaves_clashes_unmarked(guest: Visitor, address: str) -> None:
    row = next(cell for cell in EMPTY if any(EASY[9 * (cell // 9) + column] != "." for column in range(9)))
    taken = next(digit for digit in EASY[9 * (row // 9) : 9 * (row // 9) + 9] if digit != ".")
    guest.move(address, 1, ("digit", row, taken))
    guest.get(address)
    assert guest.page.find(attrs={"data-conflict": True}) is not None
    guest.client.set_cookie("ui", "feedback-never")
    guest.get(address)
    assert guest.page.find(attrs={"data-conflict": True}) is None
    assert guest.page.find(attrs={"aria-invalid": True}) is None
