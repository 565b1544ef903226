"""Every page of the site, in every state that looks different, and how a visitor gets there.

Checks that apply to all pages (axe-core, Lighthouse, screenshots) use this table. A new address that answers
GET needs a row here, or a reason in NO_PAGE.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from playwright.sync_api import Page, expect

from tests.browser.board import Board, begin, begin_ranked, fill_in, post
from tests.browser.desk import at_the_desk, in_the_site
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.solves import at as moment_of
from tests.webapp.visitors import PASSWORD
from webapp.curation.reports import PuzzleReport
from webapp.models import Attempt, Daily, Player, Puzzle, Status
from webapp.models.daily import FIRST_DAY
from webapp.people import recovery
from webapp.play.lab.routes import EXAMPLE
from webapp.process.database import db, write_tx

ADDRESS = "ada@example.org"
GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# The same with two thirds solved: quick to search, for states where the position itself does not matter.
LATE = "...7..123...9..684......7958..456937...231856...897412127349568598672341634518279"
# And without two of its givens, so that it has two solutions.
SEVERAL = "......123......684......7958..456937...231856...897412127349568598672341634518279"

# Endpoints whose GET response is not a page, with the kind of response; beside those of the API.
NO_PAGE = {
    "accounts.export": "a file of one's own data",
    "enter.rating": "a part of the verdict, for htmx",
    "races.strip": "a part of a race, for htmx",
    **dict.fromkeys(("analysis.svg", "analysis.png", "analysis.gif"), "a picture"),
    "puzzles.find": "leads to a puzzle, or to the page for one's own",
    "admin.access.fresh": "a status for scripts",
    "admin.imports.table": "a file",
    **dict.fromkeys(("admin.exports.download", "admin.exports.as_pdf", "admin.exports.as_svg"), "a file"),
    "lab.save": "a file",
    "lab.read": "a text",
    **dict.fromkeys(
        ("cards.of_puzzle", "cards.of_daily", "cards.of_player", "cards.of_attempt"), "a picture"
    ),
    "cards.of_page": "a picture",
    "pages.usual": "what programs ask every site for",
    "health.alive": "one word for a load balancer",
    "health.ready": "JSON for operators",
    "metrics.show": "figures for Prometheus",
    "pages.service_worker": "a script",
    "pages.manifest": "JSON for browsers",
}


@dataclass(frozen=True)
class State:
    """One appearance of one page. `reach` leads a fresh visitor there and returns once the page has settled.

    It takes the shortest way: forms that other tests fill in are posted directly.
    """

    name: str
    endpoint: str | None  # of the URL map; None if it has no address of its own
    reach: Callable[[Page], object]


def at(address: str) -> Callable[[Page], object]:
    """The page at this address, for a new visitor."""
    return lambda page: page.goto(address)


def analyzed(address: str) -> Callable[[Page], object]:
    """A position on the analysis board with all steps found."""

    def reach(page: Page) -> None:
        page.goto(address)
        expect(page.locator("[hx-trigger^=load]")).to_have_count(0, timeout=120_000)

    return reach


def branched(page: Page) -> None:
    """The same after two tries from one position."""
    analyzed(f"/analysis?grid={LATE}")(page)
    page.locator("#c0 a").focus()
    page.keyboard.press("Digit9")
    expect(page.locator("#c0")).to_have_attribute("data-digit", "9")
    page.keyboard.press("Control+KeyZ")
    expect(page.locator("#c0")).not_to_have_attribute("data-digit", "9")
    page.keyboard.press("Shift+Digit4")
    expect(page.locator("#tree a")).to_have_count(3)
    expect(page.locator("[hx-trigger^=load]")).to_have_count(0, timeout=120_000)


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
    """A board with its hint open at the third depth."""
    Board(page).hint()


def checked(page: Page) -> None:
    """A board with a wrong digit, after a check."""
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
    """A board that can't send its moves."""
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


def with_games(address: str) -> Callable[[Page], object]:
    """The page at this address, for a player with one puzzle in play and one finished."""

    def reach(page: Page) -> None:
        begin(page, left=0)
        begin(page)
        page.goto(address)

    return reach


def elsewhere(page: Page) -> None:
    """A game in play, for other programs."""
    board = Board(page)
    board.write(board.empty[0])
    page.locator("[data-sheet=settings-panel]:visible").first.click()
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("link", name="SudokuPad")).to_be_visible()


def verdict_on(text: str) -> Callable[[Page], object]:
    """A player's own puzzle, with the site's verdict."""

    def reach(page: Page) -> None:
        page.goto("/enter")
        page.locator("#grid").fill(text)
        expect(page.locator("#verdict[data-playable]")).to_be_visible()

    return reach


def reported(page: Page) -> None:
    """Today at the desk, with a report."""
    puzzle = withdrawn().puzzle_id
    with in_the_site(), write_tx():
        if db.session.scalar(sa.select(PuzzleReport.id).limit(1)) is None:
            db.session.add(
                PuzzleReport(puzzle_id=puzzle, text="It has two solutions.", created_at=moment_of(FIRST_DAY))
            )
    at_the_desk()(page)


def withdrawn() -> Daily:
    """Return a past daily that a curator has withdrawn."""
    day = FIRST_DAY + timedelta(days=1)
    with in_the_site(), write_tx():
        found = db.session.scalar(sa.select(Daily.id).where(Daily.date == day)) or add_daily(day)
        daily = db.session.get_one(Daily, found)
        daily.withdrawn_at, daily.former_id = moment_of(day, hours=3), daily.puzzle_id
        daily.puzzle.status, daily.puzzle.reason = Status.WITHDRAWN, "It has two solutions."
        db.session.flush()
        db.session.refresh(daily)
        db.session.expunge(daily)
    return daily


def withdrawn_at_the_desk(page: Page) -> None:
    at_the_desk(f"/admin/withdrawals/{withdrawn().date}/2")(page)


def of_a_puzzle(page: Page) -> None:
    """The page of a puzzle of the bank."""
    page.goto("/print?level=1")
    caption = page.locator("figcaption").first.inner_text()
    page.goto(f"/puzzles/{caption.rpartition(' ')[2]}")
    expect(page.locator("h1")).to_contain_text("puzzle")


def inspected(page: Page) -> None:
    """The page of a puzzle on the desk."""
    with in_the_site():
        approved = sa.select(Puzzle.id).where(Puzzle.status == Status.APPROVED, Puzzle.level == 5)
        puzzle = db.session.scalars(approved.limit(1)).one()
    at_the_desk(f"/admin/puzzles/{puzzle}")(page)


def ordered(page: Page) -> None:
    """The orders of the desk, one of them placed."""
    at_the_desk("/admin/orders")(page)
    page.locator("#count").fill("1")
    with page.expect_navigation():
        page.locator("#place-order").click()
    expect(page.locator(".jobs__one").first).to_be_visible()


def imported(page: Page) -> None:
    """The report of an import with lines of every kind."""
    at_the_desk("/admin/import")(page)
    page.locator("#text").fill("\n".join([GRID, GRID, "." * 81, "x" + GRID[1:], "11" + "." * 79]))
    page.locator("#import").click()
    page.wait_for_url("**/admin/import/*")


def with_columns(page: Page) -> None:
    """A table whose header matches no format."""
    at_the_desk("/admin/import")(page)
    page.locator("#text").fill(f"No;Grid to solve;Name\n1;{GRID};First\n2;{LATE};Second")
    page.locator("#import").click()
    page.wait_for_url("**/admin/import/*")


def with_sheet(name: str) -> Callable[[Page], object]:
    """A board with one of its sheets open."""

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
    """A solved puzzle laid out with its solution."""
    reviewed(page)
    page.get_by_role("link", name="Print").click()
    expect(page.locator("figure")).to_have_count(2)


def named(page: Page) -> str:
    """Give a visitor a name. Returns it."""
    name = f"Ada {secrets.token_hex(4)}"
    post(page, "/register", name=name, password=PASSWORD)
    return name


def groups(page: Page) -> None:
    """An empty list of groups."""
    named(page)
    page.goto("/groups")


def a_group(page: Page) -> None:
    """A new group."""
    named(page)
    page.goto(post(page, "/groups", name="Class 4b"))
    expect(page.get_by_role("heading", name="Class 4b")).to_be_visible()


def invited(page: Page) -> None:
    """The page of that group's invitation."""
    a_group(page)
    page.goto(page.locator("#invitation-link").input_value())


def invited_without_a_name(page: Page) -> None:
    invited(page)
    page.context.clear_cookies()
    page.reload()


def account(page: Page) -> None:
    named(page)
    page.goto("/account")


def mailed(page: Page) -> None:
    """The page of a link that confirms a new address."""
    name = named(page)
    with in_the_site():
        _address, token = recovery.address_token(_player(name), ADDRESS, PASSWORD, datetime.now(UTC))
    page.goto(f"/account/email/{token}")
    expect(page.get_by_role("button", name="Confirm address")).to_be_visible()


def forgotten(page: Page) -> None:
    """The page of a link for a new password."""
    name, now = named(page), datetime.now(UTC)
    with in_the_site():
        player = _player(name)
        recovery.keep_address(player, recovery.address_token(player, ADDRESS, PASSWORD, now)[1], now)
        mail = recovery.ask(name, name, now)
    assert mail is not None
    page.goto(f"/recovery/{mail[1]}")
    expect(page.get_by_label("New password")).to_be_visible()


def _player(name: str) -> int:
    return db.session.scalars(sa.select(Player.id).where(Player.name == name)).one()


def guests_account(page: Page) -> None:
    begin(page)
    page.goto("/account")


def own_page(page: Page) -> None:
    """The page of a player with two solves slow enough to count, enough for a chart."""
    for level in (1, 2):
        begin(page, level, left=0)
    name = named(page)
    with in_the_site(), write_tx():
        db.session.execute(sa.update(Attempt).where(Attempt.player_id == _player(name)).values(doubts=None))
    page.goto(f"/players/{name}")
    expect(page.locator(".chart")).to_be_visible()


def with_long_board(own_name: str) -> str:
    """Return the address of a leaderboard of several pages, on which this player is last.

    Its day is long over, so a worker closes it as soon as it sees it: all rows are inserted at once.
    """
    on_time = {"named_at": moment_of(FIRST_DAY, hours=-1)}
    with in_the_site(), write_tx():
        daily = db.session.scalar(sa.select(Daily.id).where(Daily.date == FIRST_DAY))
        if daily is None:
            daily = add_daily(FIRST_DAY)
            for number in range(60):
                add_solve(add_player(f"Rival {number}", **on_time), daily, 100 + number // 2)
        db.session.execute(sa.update(Daily).where(Daily.id == daily).values(closed_at=None))
        own = db.session.scalars(sa.select(Player.id).where(Player.name == own_name)).one()
        db.session.execute(sa.update(Player).where(Player.id == own).values(**on_time))
        add_solve(own, daily, 3000)
    return f"/leaderboard?date={FIRST_DAY}&level=2"


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


def long_board(page: Page) -> None:
    """A leaderboard with the rows of others, further pages, and the player's own row pinned."""
    page.goto(with_long_board(named(page)))
    expect(page.locator(".ranking__pinned")).to_be_visible()


def puzzle_of_the_day(page: Page) -> None:
    """The public page of a daily."""
    begin_ranked(page)
    with in_the_site():
        newest = sa.select(Attempt.puzzle_id).where(Attempt.ranked).order_by(Attempt.started_at.desc())
        puzzle = db.session.scalars(newest.limit(1)).one()
    page.goto(f"/puzzles/{puzzle}")


def under_review(page: Page) -> None:
    """The end of a ranked solve that is too fast for a person."""
    page.goto(doubted(page))
    expect(page.locator("#flag-reason")).to_be_visible()


def refused_at(address: str) -> Callable[[Page], object]:
    """A rejected form with names and passwords."""

    def reach(page: Page) -> None:
        page.goto(address)
        page.get_by_label("Name").fill("Nobody at all")
        page.get_by_label("Password").fill("password1234")
        page.locator("main .button--primary").click()
        expect(page.locator("[aria-invalid]")).to_be_focused()

    return reach


def doubted(page: Page) -> str:
    """Play a ranked solve that the rules doubt, all digits at once. Returns its board's address."""
    named(page)
    return begin_ranked(page, left=0)


def to_be_judged(page: Page) -> None:
    """Such a solve on the desk."""
    at_the_desk(f"/admin/solves/{doubted(page).rpartition('/')[2]}")(page)
    expect(page.locator("#verdict")).to_be_attached()


def its_player(page: Page) -> None:
    """The player of such a solve."""
    attempt = doubted(page).rpartition("/")[2]
    with in_the_site():
        player = db.session.scalars(sa.select(Attempt.player_id).where(Attempt.id == attempt)).one()
    at_the_desk(f"/admin/people?player={player}")(page)


def refused_by_the_lab(page: Page) -> None:
    """A puzzle that the laboratory can't run, with the error at its field."""
    page.goto("/lab")
    page.locator("#grid").fill("11" + GRID[2:])
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#wrong-grid")).to_be_visible()


def drilled(page: Page) -> None:
    """A drill given up, with its explanation."""
    page.goto("/practice/x_wing")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#drill [data-outcome]")).to_be_visible()


def marked(page: Page) -> None:
    """The exercise of a lesson with a wrong mark, or only some of its marks."""
    page.goto("/learn/skyscraper?tab=try")
    page.locator(".pencil").first.click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#answer .marking__said")).to_be_visible()


def a_race(page: Page) -> None:
    """A race that waits for others."""
    page.goto("/races")
    page.locator("[name=name]").fill("Ada")
    page.get_by_role("button", name="Create race").click()
    expect(page.locator("#racer-1")).to_be_visible()


def a_countdown(page: Page) -> None:
    """A race that is about to start."""
    a_race(page)
    page.get_by_role("button", name="Start race").click()
    expect(page.locator(".race__countdown")).to_be_visible()


def racing(page: Page) -> None:
    """A board with its racers beside it, where the page starts by itself."""
    a_countdown(page)
    expect(page.locator(".play #race progress")).to_have_count(1, timeout=60_000)


def race_over(page: Page) -> None:
    """The page of a race that everybody has finished."""
    racing(page)
    race = page.locator("#race a").get_attribute("href")
    assert race
    fill_in(page, page.url)
    page.goto(race)
    expect(page.locator(".course__drawing")).to_be_visible()


IN_A_WEEK = datetime.now(UTC).date() + timedelta(days=7)

STATES = (
    State("home", "home.show", at("/")),
    State("home, with games", None, with_games("/")),
    State("board, with marks and a conflict", "play.show", with_marks),
    State("board, paused", "play.show", paused),
    State("board, offline", "play.show", offline),
    State("board, solved", "play.show", solved),
    State("board, the reasoning", "play.show", reasoned),
    State("board, checked", "play.show", checked),
    State("board, keys", "play.show", with_sheet("help")),
    State("board, settings", "play.show", with_sheet("settings-panel")),
    State("board, a clash", None, clashed),
    State("sign in, refused", "accounts.sign_in_form", refused_at("/login")),
    State("take a name", "accounts.register_form", at("/register")),
    State("account", "accounts.account", account),
    State("forgotten password", "recovery.form", at("/recovery")),
    State("forgotten password, asked", "recovery.form", at("/recovery?asked=1")),
    State("forgotten password, a new one", "recovery.choose", forgotten),
    State("an address to confirm", "recovery.confirm", mailed),
    State("account of a guest", "accounts.account", guests_account),
    State("player", "players.show", own_page),
    State("daily", "daily.show", at("/daily")),
    State("daily, of a day", "daily.of_day", lambda page: page.goto(f"/daily/{datetime.now(UTC):%Y-%m-%d}")),
    State(
        "daily, not begun", "daily.ready", lambda page: page.goto(f"/daily/{datetime.now(UTC):%Y-%m-%d}/3")
    ),
    State("daily, withdrawn", "daily.of_day", lambda page: page.goto(f"/daily/{withdrawn().date}")),
    State("archive", "daily.archive", at("/archive")),
    State("leaderboard, a long board", "leaderboard.show", long_board),
    State("daily, under review", None, under_review),
    State("a replay", "replays.watch", replayed),
    State("a replay, before it is watched", None, replay_asked),
    State("leaderboard of the week", None, at("/leaderboard?scope=week")),
    State("groups", "groups.index", groups),
    State("group", "groups.show", a_group),
    State("invitation", "groups.invitation", invited),
    State("invitation, without a name", None, invited_without_a_name),
    State("review", "play.review", reviewed),
    State("copy or open elsewhere", "play.exports", elsewhere),
    State("my games", "play.index", with_games("/attempts")),
    State("my games, none yet", "play.index", at("/attempts")),
    State("enter, playable", "enter.show", verdict_on(GRID)),
    State("enter, broken", "enter.show", verdict_on("11" + GRID[2:])),
    State("analysis", "analysis.show", at("/analysis")),
    State(
        "analysis, a position", "analysis.show", analyzed(f"/analysis?grid={LATE}&cell=0&colors=7{'.' * 80}")
    ),
    State("analysis, a step of the path", None, analyzed(f"/analysis?grid={LATE}&step=3")),
    State("analysis, several solutions", None, at(f"/analysis?grid={SEVERAL}")),
    State("analysis, a branch", None, branched),
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
    State(
        "report a puzzle", "reports.form", lambda page: page.goto(f"/puzzles/{withdrawn().puzzle_id}/report")
    ),
    State("puzzle, withdrawn", "puzzles.show", lambda page: page.goto(f"/puzzles/{withdrawn().puzzle_id}")),
    State("the path", "lessons.index", at("/learn")),
    State("all techniques", None, at("/learn?q=")),
    State("first steps", None, at("/learn/scanning")),
    State("lesson, the idea", "lessons.show", at("/learn/skyscraper")),
    State("lesson, marks checked", None, marked),
    State("reference", None, at("/learn/continuous_nice_loop")),
    State("races", "races.index", at("/races")),
    State("race, waiting", "races.show", a_race),
    State("race, countdown", None, a_countdown),
    State("race, on the board", None, racing),
    State("race, over", None, race_over),
    State("practice", "practice.index", at("/practice")),
    State("drill", "practice.drill", at("/practice/x_wing")),
    State("drill, name it", None, at("/practice/x_wing?kind=name")),
    State("drill, is it there", None, at("/practice/x_wing?kind=there")),
    State("drill, answered", None, drilled),
    State("print, what was solved, with its solution", "puzzles.on_paper", on_paper),
    State("print, six a page", "puzzles.on_paper", at("/print?level=1&count=7&per=6")),
    State("help", "guide.keys", at("/help")),
    State("rules", "guide.rules", at("/rules")),
    State("about", "guide.about", at("/about")),
    State("privacy", "guide.privacy", at("/privacy")),
    State("every other address, offline", "pages.offline", at("/offline")),
    State("desk, for others", None, at("/admin/")),
    State("desk, the way in", "admin.access.form", at_the_desk("/admin/sign-in")),
    State("desk, today", "admin.today.show", reported),
    State(
        "desk, calendar, a slot",
        "admin.calendar.show",
        at_the_desk(f"/admin/calendar?day={IN_A_WEEK}&level=2"),
    ),
    State("desk, a withdrawal", "admin.withdrawals.show", withdrawn_at_the_desk),
    State("desk, puzzles", "admin.puzzles.show", at_the_desk("/admin/puzzles?q=evil")),
    State("desk, no puzzles", None, at_the_desk("/admin/puzzles?q=evil+nobody")),
    State("desk, a puzzle", "admin.puzzles.puzzle", inspected),
    State("desk, orders", "admin.orders.show", ordered),
    State("desk, import", "admin.imports.begin", at_the_desk("/admin/import")),
    State("desk, an import", "admin.imports.report", imported),
    State("desk, columns", None, with_columns),
    State("desk, people", "admin.people.show", its_player),
    State("desk, a doubted solve", "admin.solves.show", to_be_judged),
    State("desk, settings", "admin.settings.show", at_the_desk("/admin/settings")),
    State("not found", None, at("/nothing-here")),
)
