"""No move is lost: failed networks, reloads, closed tabs, second devices."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.board import Board, another_tab, begin_ranked, started
from tests.browser.conftest import NewPage, Site, solution_on
from tests.browser.network import divert
from tests.browser.pages import named
from tests.webapp.processes import wait_until
from tests.webapp.visitors import PASSWORD


def moves_of(live: Site, attempt: str) -> list[tuple[Any, ...]]:
    """Return the stored log of an attempt."""
    return live.rows("SELECT seq, kind, cell, digit FROM move WHERE attempt_id = ? ORDER BY seq", attempt)


def fail(route: Route) -> None:
    route.abort("connectionfailed")


def test_a_failed_network_is_reported_and_the_moves_follow_when_it_is_back(page: Page, live: Site) -> None:
    board = Board(page)
    divert(page, "**/moves", fail)
    board.write(board.empty[0])
    expect(page.locator("#banner")).to_contain_text("You’re offline. 1 move is saved here.")
    board.write(board.empty[1])
    page.unroute("**/moves")
    board.stored(unasked=True)
    expect(page.locator("#banner")).to_be_hidden()
    assert len(moves_of(live, board.attempt)) == 2


def test_a_reload_restores_what_was_not_sent(page: Page, live: Site) -> None:
    board = Board(page)
    divert(page, "**/moves", fail)
    cell = board.empty[0]
    board.write(cell)
    board.press("Shift+ArrowRight")
    page.reload()
    expect(board.cell(cell)).to_have_attribute("data-digit", board.solution[cell])
    page.unroute("**/moves")
    board.stored()
    assert moves_of(live, board.attempt)[0][1] == "digit"


def test_an_expired_session_asks_to_sign_in_and_then_sends_what_was_kept(page: Page, live: Site) -> None:
    name = named(page)
    board = Board(page)
    attempt = board.attempt
    page.context.clear_cookies()
    board.write(board.empty[0])
    page.locator("#banner").get_by_role("button", name="Reload").click()
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main .button--primary").click()
    expect(board.cell(board.empty[0])).to_have_attribute("data-digit", board.solution[board.empty[0]])
    board.stored()
    assert moves_of(live, attempt)[0][1:3] == ("digit", str(board.empty[0]))


def test_a_closed_tab_leaves_its_moves_with_the_server(page: Page, live: Site) -> None:
    board = Board(page)
    attempt = board.attempt
    board.write(board.empty[0])
    page.goto("/")  # before the two seconds are over
    wait_until(lambda: [kind for _seq, kind, *_ in moves_of(live, attempt)][:2] == ["digit", "pause"])


def test_another_tab_of_this_browser_follows(new_page: NewPage) -> None:
    page = new_page(own=True)
    board = Board(page)
    second = another_tab(page)
    cell = board.empty[0]
    board.write(cell)
    expect(second.locator(f"#c{cell}")).to_have_attribute("data-digit", board.solution[cell])


def diverge(page: Page, new_page: NewPage, *, apart: bool = False) -> tuple[Board, int, int]:
    """Make two devices diverge. Returns the first board and the cells written here and there.

    Unless `apart`, another digit is written there in the cell that is written here, too. The other device
    leaves its page, which stops the clock.
    """
    board = Board(page)
    here, there = board.empty[0], board.empty[1]
    other = new_page()  # with the cookie and nothing else of the first
    for cookie in page.context.cookies():
        other.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": page.url}])
    other.goto(page.url)
    started(other)
    divert(page, "**/moves", fail)
    board.write(here)
    for cell in (there,) if apart else (there, here):
        other.locator(f"#c{cell}").click()
        other.keyboard.press(board.solution[there])
    other.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(other.locator("#board")).to_have_attribute("data-state", "paused")
    other.goto("/")
    page.unroute("**/moves")
    page.evaluate("dispatchEvent(new Event('online'))")
    return board, here, there


def test_moves_of_two_devices_in_different_cells_come_together_unasked(
    page: Page, new_page: NewPage, live: Site
) -> None:
    board, here, there = diverge(page, new_page, apart=True)
    for cell in (here, there):
        expect(board.cell(cell)).to_have_attribute("data-digit", board.solution[cell])
    expect(page.locator("#clash")).to_be_hidden()
    board.stored()
    assert [(kind, cell) for _seq, kind, cell, _digit in moves_of(live, board.attempt)] == [
        ("digit", str(there)),
        ("pause", ""),
        ("resume", ""),
        ("digit", str(here)),
    ]


def test_of_two_devices_both_boards_are_shown_and_moves_can_be_put_on_top(
    page: Page, new_page: NewPage, live: Site
) -> None:
    board, here, there = diverge(page, new_page)
    sheet = page.locator("#clash")
    expect(sheet).to_be_visible()
    expect(sheet.locator("svg.thumb")).to_have_count(2)
    for name, digit in (("theirs", board.solution[there]), ("ours", board.solution[here])):
        expect(sheet.locator(f"[data-board={name}] .thumb__other")).to_have_text([digit])
        expect(sheet.locator(f"[data-board={name}] .thumb__own")).to_have_text([board.solution[there]])
    expect(board.cell(there)).to_have_attribute("data-digit", board.solution[there])
    expect(board.cell(here)).to_have_attribute("data-digit", board.solution[there])
    page.reload()
    sheet.get_by_role("button", name="Add my moves").click()
    expect(board.cell(here)).to_have_attribute("data-digit", board.solution[here])
    board.stored()
    log = [(kind, cell) for _seq, kind, cell, _digit in moves_of(live, board.attempt)]
    theirs = [("digit", str(there)), ("digit", str(here)), ("pause", "")]
    assert log == [*theirs, ("resume", ""), ("digit", str(here))]


def test_of_two_devices_the_other_board_can_be_kept(page: Page, new_page: NewPage, live: Site) -> None:
    board, here, there = diverge(page, new_page)
    page.locator("#clash button[value=theirs]").click()
    expect(page.locator("#clash")).to_be_hidden()
    board.stored()
    assert [cell for _, _, cell, _ in moves_of(live, board.attempt)] == [str(there), str(here), ""]
    page.reload()
    expect(page.locator("#clash")).to_be_hidden()
    expect(board.cell(here)).to_have_attribute("data-digit", board.solution[there])


def test_no_swap_brings_back_an_older_state(page: Page) -> None:
    board = Board(page)
    held: list[Route] = []
    divert(page, "**/moves", lambda route: held.append(route) if not held else route.continue_())
    one, two = board.empty[:2]
    with page.expect_request("**/moves"):
        board.write(one)
    board.write(two)
    digit = board.solution[two]
    left = 9 - sum(cell == digit for cell in board.givens) - 1 - (board.solution[one] == digit)
    expect(page.locator(f"[data-left='{digit}']")).to_have_text(str(left))
    page.evaluate(
        """digit => {
            window.seen = [];
            const look = () => seen.push(document.querySelector(`[data-left='${digit}']`).innerText);
            const whole = { subtree: true, childList: true, characterData: true };
            new MutationObserver(look).observe(document.body, whole);
        }""",
        digit,
    )
    held[0].continue_()
    board.stored(unasked=True)
    assert set(page.evaluate("seen")) <= {str(left)}


def swallow(page: Page, pattern: str) -> None:
    """Leave a request without any response."""
    divert(page, pattern, lambda _route: None, times=1)


COME_BACK = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"


def test_moves_lost_on_one_connection_are_reported_and_sent_over_another(page: Page) -> None:
    board = Board(page)
    swallow(page, "**/moves")
    board.write(board.empty[0])
    expect(page.locator("#banner")).to_contain_text("slow")
    board.write(board.empty[1])
    board.stored()
    expect(page.locator("#banner")).to_be_hidden()


def test_what_was_under_way_as_a_page_was_left_is_thrown_away_when_it_comes_back(page: Page) -> None:
    board = Board(page)
    swallow(page, "**/moves")
    with page.expect_request("**/moves"):
        board.write(board.empty[0])
    page.evaluate(COME_BACK)
    board.stored(unasked=True)
    expect(page.locator("#banner")).to_be_hidden()


def test_a_hint_that_gets_no_answer_is_asked_for_again_and_stops_no_move(page: Page, live: Site) -> None:
    board = Board(page)
    swallow(page, "**/hints")
    with page.expect_request("**/hints"):
        board.press("h")
    board.write(board.empty[0])
    page.evaluate(COME_BACK)
    expect(page.locator("#hint-panel")).to_be_visible()
    board.stored(unasked=True)
    assert [kind for _seq, kind, *_ in moves_of(live, board.attempt)] == ["hint", "digit"]


def test_a_full_ranked_board_is_sent_until_it_is_answered_and_the_page_says_why_so_late(page: Page) -> None:
    page.goto(begin_ranked(page, left=1))
    swallow(page, "**/moves")
    solution = solution_on(page)
    (last,) = [cell for cell in range(81) if not page.locator(f"#c{cell}").get_attribute("data-digit")]
    page.locator(f"#c{last}").click()
    page.keyboard.press(solution[last])
    expect(page.locator("#banner")).to_contain_text("still waiting for the server")
    expect(page.locator("#finish-title")).to_be_visible()
    expect(page.locator("#banner")).to_contain_text("Your connection held up the finish")


HIDE = """() => {
    Object.defineProperty(document, "hidden", { value: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_tab_that_is_left_stops_no_clock_while_another_shows_the_game(new_page: NewPage) -> None:
    page = new_page(own=True)
    board = Board(page)
    second = another_tab(page)
    page.evaluate(HIDE)
    page.wait_for_function(
        "attempt => JSON.parse(localStorage.getItem(`ninefold:${attempt}`)).moves.length === 2",
        arg=board.attempt,
    )
    assert [move[1] for move in board.kept()["moves"]] == ["pause", "resume"]
    for tab in (page, second):
        expect(tab.locator("#board")).to_have_attribute("data-state", "playing")


def test_a_form_that_is_on_its_way_is_not_sent_again(page: Page, live: Site) -> None:
    page.goto("/attempts")
    button = page.locator("#new-game button[value='2']")
    before = live.rows("SELECT count(*) FROM attempt")[0][0]
    button.evaluate("button => { for (let time = 0; time < 3; time++) button.form.requestSubmit(button); }")
    started(page)
    assert live.rows("SELECT count(*) FROM attempt")[0][0] == before + 1


def test_the_clock_leaves_out_what_the_computer_slept(page: Page) -> None:
    page.clock.install()
    board = Board(page)
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # seconds
    page.clock.fast_forward(60_000)
    page.clock.resume()
    board.stored(unasked=True)
    wait_until(lambda: [move[1] for move in board.kept()["moves"]] == ["pause", "resume"])
    minutes, seconds = map(int, page.locator("[data-clock]").inner_text().split(":"))
    assert 60 * minutes + seconds < 50
