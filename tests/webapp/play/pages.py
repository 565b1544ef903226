"""Pages of boards, games, puzzles and the laboratory."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from playwright.sync_api import Page, expect

from tests.browser.board import Board, begin, begin_ranked
from tests.browser.desk import in_the_site
from tests.browser.pages import GRID, State, at, named, with_games
from tests.webapp.competition.pages import with_long_board, withdrawn
from webapp.models import Attempt, Player
from webapp.play.lab.routes import EXAMPLE
from webapp.process.database import db, write_tx

NO_PAGE = {"enter.rating", "puzzles.find", "lab.save", "lab.read"}


def with_marks(page: Page) -> Board:
    """A board with every kind of mark, a color, a conflict, and computed candidates."""
    board = Board(page)
    one, two, three, four = board.empty[:4]
    board.write(one, board.givens[board.given[0]])
    board.cell(two).click()
    board.press("Shift+Digit3", "Shift+Digit4", "Control+Digit4")
    board.cell(three).click()
    board.press("Control+Shift+Digit5", "Control+Shift+Digit2")
    board.press("f")
    board.cell(four).click()
    board.press(f"Shift+Digit{board.pencilled(four, 'open')[0]}")
    board.stored()
    return board


def reasoned(page: Page) -> None:
    Board(page).hint()


def checked(page: Page) -> None:
    board = Board(page)
    board.write(board.empty[0], next(d for d in "123456789" if d != board.solution[board.empty[0]]))
    board.press("Enter")
    expect(page.locator("#check-result")).to_have_attribute("data-wrong", "1")


def paused(page: Page) -> None:
    board = Board(page)
    board.cell(40).click()
    board.press("p")
    expect(page.locator("#board")).to_have_attribute("data-state", "paused")


def offline(page: Page) -> None:
    board = Board(page)
    page.context.set_offline(True)
    board.write(board.empty[0])
    expect(page.locator("#banner")).to_be_visible()


def solved(page: Page) -> Board:
    board = Board(page, left=2)
    board.solve()
    expect(page.locator("#finish-panel")).to_be_visible()
    board.stored()
    return board


def reviewed(page: Page) -> None:
    page.goto(f"{begin(page, left=0)}/review")
    expect(page.locator("#move")).to_be_visible()


def elsewhere(page: Page) -> None:
    board = Board(page)
    board.write(board.empty[0])
    page.locator("[data-sheet=settings-panel]:visible").first.click()
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("link", name="SudokuPad")).to_be_visible()


def verdict_on(text: str) -> Callable[[Page], object]:

    def reach(page: Page) -> None:
        page.goto("/enter")
        page.locator("#grid").fill(text)
        expect(page.locator("#verdict[data-playable]")).to_be_visible()

    return reach


def of_a_puzzle(page: Page) -> None:
    page.goto("/print?level=1")
    caption = page.locator("figcaption").first.inner_text()
    page.goto(f"/puzzles/{caption.rpartition(' ')[2]}")
    expect(page.locator("h1")).to_contain_text("puzzle")


def with_sheet(name: str) -> Callable[[Page], object]:

    def reach(page: Page) -> None:
        Board(page)
        opener = page.locator(f"[data-sheet={name}]").first
        if not opener.is_visible():
            page.locator("[data-sheet=settings-panel]:visible").first.click()
        opener.click()
        expect(page.locator(f"#{name}")).to_be_visible()

    return reach


def clashed(page: Page) -> None:
    """The response to a plain form whose move has another number than the next."""
    Board(page)
    page.evaluate(
        """() => {
            const { form } = document.querySelector("#erase");
            [form.seq.value, form.cell.value] = [9, 0];
            form.submit();
        }"""
    )
    page.wait_for_url("**/moves")


def on_paper(page: Page) -> None:
    reviewed(page)
    page.get_by_role("link", name="Print").click()
    expect(page.locator("figure")).to_have_count(2)


def shown(page: Page, own_name: str) -> str:
    """Return the address of another player's solve of a closed daily, shared by them."""
    address = with_long_board(own_name)
    with in_the_site(), write_tx():
        rival = sa.select(Attempt.id).join(Attempt.player).where(Player.name == "Rival 3")
        attempt = db.session.scalars(rival).one()
        db.session.execute(sa.update(Attempt).where(Attempt.id == attempt).values(replay_shown=True))
    page.goto(address)
    expect(page.locator("#first-replay")).to_be_visible()
    return f"/replays/{attempt}"


def replayed(page: Page) -> None:
    """Another player's replay, for a player who has solved the puzzle."""
    page.goto(shown(page, named(page)))
    expect(page.locator("#path .review__step").first).to_be_attached(timeout=120_000)


def replay_asked(page: Page) -> None:
    """The question before it, for a player who has not."""
    address = shown(page, named(page))
    page.context.clear_cookies()
    named(page)
    page.goto(address)
    expect(page.locator("#watch")).to_be_visible()


def puzzle_of_the_day(page: Page) -> None:
    begin_ranked(page)
    with in_the_site():
        newest = sa.select(Attempt.puzzle_id).where(Attempt.ranked).order_by(Attempt.started_at.desc())
        puzzle = db.session.scalars(newest.limit(1)).one()
    page.goto(f"/puzzles/{puzzle}")


def refused_by_the_lab(page: Page) -> None:
    """A puzzle that the laboratory can't run, with the error at its field."""
    page.goto("/lab")
    page.locator("#grid").fill("11" + GRID[2:])
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#wrong-grid")).to_be_visible()


STATES = (
    State("board, with marks and a conflict", "play.show", with_marks),
    State("board, paused", "play.show", paused),
    State("board, offline", "play.show", offline),
    State("board, solved", "play.show", solved),
    State("board, the reasoning", "play.show", reasoned),
    State("board, checked", "play.show", checked),
    State("board, keys", "play.show", with_sheet("help")),
    State("board, settings", "play.show", with_sheet("settings-panel")),
    State("board, a clash", None, clashed),
    State("a replay", "replays.watch", replayed),
    State("a replay, before it is watched", None, replay_asked),
    State("review", "play.review", reviewed),
    State("copy or open elsewhere", "play.exports", elsewhere),
    State("my games", "play.index", with_games("/attempts")),
    State("my games, none yet", "play.index", at("/attempts")),
    State("enter, playable", "enter.show", verdict_on(GRID)),
    State("enter, broken", "enter.show", verdict_on("11" + GRID[2:])),
    State("laboratory", "lab.show", at("/lab")),
    State("laboratory, making", "lab.make", at("/lab/make?seed=1&step=40")),
    State("laboratory, matrix", "lab.make", at("/lab/make?system=c&step=4")),
    State("laboratory, final layouts", "lab.make", at("/lab/make?system=d&level=3&seed=3&step=23")),
    State("laboratory, refused", None, refused_by_the_lab),
    *(
        State(f"laboratory, system {letter}", "lab.show", at(f"/lab?grid={EXAMPLE}&system={letter}&step=25"))
        for letter in "abcde"
    ),
    State("laboratory, cut off", None, at(f"/lab?grid={'.' * 81}&system=d&step=100")),
    State("puzzle", "puzzles.show", of_a_puzzle),
    State("puzzle, withdrawn", "puzzles.show", lambda page: page.goto(f"/puzzles/{withdrawn().puzzle_id}")),
    State("print, what was solved, with its solution", "puzzles.on_paper", on_paper),
    State("print, six a page", "puzzles.on_paper", at("/print?level=1&count=7&per=6")),
)
