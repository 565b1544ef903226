"""The service worker: an opened board stays playable with the server stopped, for its own player alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import Board, started
from tests.browser.conftest import NewPage, Site, serving
from tests.webapp.processes import Caller, wait_until
from tests.webapp.stocked import Originals


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A browser with an empty cache."""
    return new_page(own=True)


@pytest.fixture
def mortal(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Site]:
    """A site of this test alone, to be stopped and started."""
    with serving(tmp_path_factory.mktemp("mortal"), originals) as site:
        yield site


ONLY_NOBODYS = (
    "caches.keys().then(names => names.every(name => /^board:-[^:]+:\\d+:\\/(offline)?$/.test(name)))"
)


def kept(page: Page) -> list[str]:
    """Return the addresses of the pages that this browser keeps."""
    names: list[str] = page.evaluate("caches.keys()")
    return sorted(name.rpartition(":")[2] for name in names if name.startswith("board:"))


def wait_for(page: Page, script: str, *arguments: str) -> None:
    """Wait until a promise resolves to true; wait_for_function takes the promise itself for true."""
    wait_until(lambda: bool(page.evaluate(script, *arguments)))


def seconds(text: str) -> int:
    """A time of less than an hour on the clock."""
    minutes, rest = text.split(":")
    return 60 * int(minutes) + int(rest)


def wait_for_kept(page: Page, path: str) -> None:
    wait_for(page, "path => caches.match(path).then(Boolean)", path)


def test_an_opened_board_is_played_and_loaded_again_with_the_server_stopped(
    mortal: Site, new_page: NewPage
) -> None:
    page = new_page(base_url=mortal.url)
    board = Board(page, level=1)
    path = f"/attempts/{board.attempt}"
    wait_for_kept(page, path)
    one, two, three = board.empty[:3]
    board.write(one)
    board.stored()
    mortal.process.kill()
    board.write(two)
    expect(page.locator("#banner")).to_contain_text("You’re offline. 1 move is saved here.")
    clock = page.locator("[data-clock]")
    expect(clock).not_to_have_text("0:00")
    shown = seconds(clock.inner_text())
    page.reload()
    started(page)
    assert seconds(clock.inner_text()) >= shown, "the clock doesn't run back"
    for cell in (one, two):
        expect(board.cell(cell)).to_have_attribute("data-digit", board.solution[cell])
    assert page.evaluate("getComputedStyle(document.querySelector('.cell')).position") == "relative"
    board.write(three)
    # Leaving the page stopped the clock and returning started it, which are no moves of the test.
    assert [move[1] for move in board.kept()["moves"]] == ["digit", "digit", "pause", "resume", "digit"]
    expect(page.locator("#banner")).to_contain_text("You’re offline. 2 moves are saved here.")
    for name in ("hint", "check"):
        button = page.locator(f"#{name}")
        expect(button).to_have_attribute("aria-disabled", "true")
        expect(button).to_have_accessible_description(
            "Hints need a connection. Your moves are saved on this device."
        )
    page.locator("#hint").click(force=True)
    board.says("Hints need a connection")
    expect(page.locator("#hint-panel")).to_be_hidden()
    mortal.process.start()
    wait_until(Caller(int(mortal.url.rpartition(":")[2])).answers)
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#hint")).to_have_attribute("aria-disabled", "false")
    stored = mortal.rows("SELECT seq, kind, cell FROM move WHERE kind = 'digit' ORDER BY seq")
    assert [cell for _seq, _kind, cell in stored] == [str(one), str(two), str(three)]


def test_the_start_page_is_there_as_last_seen_with_the_server_stopped(
    mortal: Site, new_page: NewPage
) -> None:
    page = new_page(base_url=mortal.url)
    page.goto("/")
    wait_for_kept(page, "/")
    note = page.locator(".site__kept")
    expect(note).to_be_hidden()
    title = page.locator("h1").inner_text()
    mortal.process.kill()
    # The last of its processes may still start a response.
    wait_until(lambda: not Caller(int(mortal.url.rpartition(":")[2])).answers())
    page.goto("/")
    expect(page.locator("h1")).to_have_text(title)
    expect(note).to_contain_text("You’re seeing the page from your last visit.")
    assert page.evaluate("getComputedStyle(document.querySelector('.site')).display") == "flex"


def test_after_the_first_game_every_address_leads_to_it_with_the_server_stopped(
    mortal: Site, new_page: NewPage
) -> None:
    page = new_page(base_url=mortal.url)
    page.goto("/")
    wait_for_kept(page, "/")
    game = f"/attempts/{Board(page, level=1).attempt}"
    for kept_path in (game, "/", "/offline"):
        wait_for_kept(page, kept_path)
    mortal.process.kill()
    wait_until(lambda: not Caller(int(mortal.url.rpartition(":")[2])).answers())
    for path in ("/", "/learn", "/attempts", "/offline"):
        page.goto(path)
        page.locator(f'main a[href="{game}"]').first.click()
        expect(page.locator("#board")).to_have_attribute("data-state", "playing")


def test_only_the_start_page_and_opened_boards_are_kept(page: Page) -> None:
    board = Board(page)
    first = f"/attempts/{board.attempt}"
    wait_for_kept(page, first)
    for path in ("/", "/attempts", "/enter", "/print", first + "?cell=3"):
        page.goto(path)
        page.wait_for_load_state("load")
    second = f"/attempts/{Board(page, level=2).attempt}"
    wait_for_kept(page, second)
    wait_for_kept(page, "/offline")
    assert kept(page) == sorted(["/", "/offline", first, second])
    held = page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async name =>
            (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat()"""
    )
    assert {path for path in held if not path.startswith("/static/")} == {"/", "/offline", first, second}


def test_a_page_of_nobody_or_of_somebody_else_empties_what_was_kept(page: Page) -> None:
    board = Board(page)
    path = f"/attempts/{board.attempt}"
    wait_for_kept(page, path)
    page.context.clear_cookies(name="s")  # as signing out does
    page.goto("/")
    wait_for(page, ONLY_NOBODYS)
    other = f"/attempts/{Board(page).attempt}"
    wait_for_kept(page, other)
    assert set(kept(page)) - {"/", "/offline"} == {other}


def test_a_board_that_is_no_longer_this_players_is_not_kept(page: Page) -> None:
    board = Board(page)
    path = f"/attempts/{board.attempt}"
    wait_for_kept(page, path)
    page.context.clear_cookies(name="s")
    response = page.context.new_page().goto(path)
    assert response is not None
    assert response.status == 404
    wait_for(page, ONLY_NOBODYS)


def test_no_more_than_twenty_boards_are_kept_and_the_oldest_go(page: Page) -> None:
    board = Board(page)
    path = f"/attempts/{board.attempt}"
    wait_for_kept(page, path)
    page.evaluate(
        """async () => {
            const own = (await caches.keys()).find((name) => name.includes(":/attempts/"));
            for (let number = 0; number < 25; number++) await caches.open(`${own}${number}`);
        }"""
    )
    page.reload()
    wait_for(
        page, "caches.keys().then(names => names.filter(name => name.includes(':/attempts/')).length === 20)"
    )
    wait_for_kept(page, path)
