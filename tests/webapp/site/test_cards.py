"""Pictures to share: access, content, and what they must not reveal."""

from __future__ import annotations

from io import BytesIO

import pytest
import sqlalchemy as sa
from flask import Flask
from PIL import Image

from tests.webapp.conftest import EASY
from tests.webapp.statements import change, one
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.daily import dailies, schedule
from webapp.models import Listing, Player, Puzzle, Status
from webapp.process.database import write_tx
from webapp.site import drawing

TODAY = SetClock.time.date().isoformat()
END_OF_WORDS = drawing.MARGIN + drawing.TEXT_WIDTH + 4  # pixels from the left


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Clear pictures of other tests."""
    drawing.card.cache_clear()


@pytest.fixture
def daily(app: Flask) -> int:
    """The puzzle of today's easiest daily."""
    with app.app_context():
        list(schedule.schedule(SetClock.time, rated=False))
        return dailies.today_entries(None, SetClock.time)[0].daily.puzzle_id


def bank_puzzle(app: Flask, level: int = 1) -> Puzzle:
    return one(app, sa.select(Puzzle).where(Puzzle.status == Status.APPROVED, Puzzle.level == level))


def written_in(picture: bytes, cell: int) -> bool:
    """Tell whether there is ink in this cell of the board."""
    image = Image.open(BytesIO(picture)).convert("L")
    x, y = drawing.LEFT + drawing.CELL * (cell % 9), drawing.TOP + drawing.CELL * (cell // 9)
    darkest, _lightest = image.crop((x + 8, y + 8, x + 40, y + 40)).getextrema()
    return darkest < 128


def test_it_works(app: Flask, guest: Visitor) -> None:
    puzzle = bank_puzzle(app)
    answer = guest.get(f"/puzzles/{puzzle.id}/card.png")
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    image = Image.open(BytesIO(answer.data))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert len(answer.data) < 30_000
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_a_puzzle_of_the_bank_shows_its_givens_and_nothing_of_its_solution(
    app: Flask, guest: Visitor
) -> None:
    puzzle = bank_puzzle(app)
    picture = guest.get(f"/puzzles/{puzzle.id}/card.png").data
    assert [written_in(picture, cell) for cell in range(81)] == [digit != "." for digit in puzzle.givens]


@pytest.mark.parametrize("address", ["/puzzles/{}/card.png", f"/daily/{TODAY}/2/card.png"])
def test_a_daily_shows_no_given_to_anybody(daily: int, guest: Visitor, address: str) -> None:
    before = guest.get(address.format(daily)).data
    assert not any(written_in(before, cell) for cell in range(81))
    guest.start(daily=TODAY, level=2, ranked=1)
    assert guest.get(address.format(daily)).data == before


@pytest.mark.usefixtures("daily")
def test_no_bit_of_a_dailys_picture_depends_on_its_digits(app: Flask, guest: Visitor) -> None:
    before = guest.get(f"/daily/{TODAY}/2/card.png").data
    with app.app_context(), write_tx():
        entry = dailies.today_entries(None, SetClock.time)[0]
        entry.daily.puzzle.givens = entry.daily.puzzle.givens[::-1]
    drawing.card.cache_clear()
    assert guest.get(f"/daily/{TODAY}/2/card.png").data == before


@pytest.mark.usefixtures("daily")
@pytest.mark.parametrize(
    "address",
    [
        f"/daily/{TODAY}/5",  # no daily at this level
        f"/daily/{TODAY}/9",
        "/daily/2026-03-02/2",  # not released yet
        "/daily/yesterday/2",
        "/daily/2026-13-01/2",
        "/puzzles/999999",
        "/puzzles/x",
        "/players/Nobody",
        "/attempts/nothing",
    ],
)
def test_what_is_not_there_has_no_picture(guest: Visitor, address: str) -> None:
    assert guest.get(f"{address}/card.png").status_code == 404


def test_an_entered_puzzle_has_no_picture(app: Flask, guest: Visitor) -> None:
    guest.start(grid=EASY[::-1])
    number = one(app, sa.select(Puzzle.id).where(Puzzle.status == Status.ENTERED))
    assert guest.get(f"/puzzles/{number}/card.png").status_code == 404


def test_a_player_has_one_while_the_profile_is_public(app: Flask, ada: Visitor, guest: Visitor) -> None:
    assert guest.get("/players/Ada/card.png").status_code == 200
    change(app, sa.update(Player).values(listing=Listing.NONE))
    assert guest.get("/players/Ada/card.png").status_code == 404
    assert ada.get("/players/Ada/card.png").status_code == 404  # it shows only what others may see


def test_a_solve_is_a_picture_for_its_player_alone(guest: Visitor, other: Visitor, clock: SetClock) -> None:
    address = guest.start(grid=EASY)
    assert guest.get(f"{address}/card.png").status_code == 404
    clock.advance(minutes=7)
    guest.finish(address)
    picture = guest.get(f"{address}/card.png")
    assert picture.status_code == 200
    assert not any(written_in(picture.data, cell) for cell in range(81))
    assert other.get(f"{address}/card.png").status_code == 404
    guest.client.set_cookie("ui", "timer-off")
    assert guest.get(f"{address}/card.png").data != picture.data


def test_a_picture_that_the_browser_has_is_not_sent_again(app: Flask, guest: Visitor) -> None:
    address = f"/puzzles/{bank_puzzle(app).id}/card.png"
    first = guest.get(address)
    again = guest.get(address, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert first.cache_control.private
    assert drawing.card.cache_info().hits == 1


@pytest.mark.usefixtures("daily")
def test_pages_name_their_picture_for_other_sites(app: Flask, ada: Visitor, daily: int) -> None:
    pages = {
        f"/puzzles/{bank_puzzle(app).id}": f"/puzzles/{bank_puzzle(app).id}/card.png",
        f"/puzzles/{daily}": f"/puzzles/{daily}/card.png",
        f"/daily/{TODAY}": f"/daily/{TODAY}/2/card.png",
        "/players/Ada": "/players/Ada/card.png",
    }
    for page, picture in pages.items():
        ada.get(page)
        found = {tag["property"]: tag["content"] for tag in ada.page.select("meta[property^='og:']")}
        assert found["og:image"] == f"http://localhost{picture}"
        assert found["og:title"]
        assert ada.page.find("meta", attrs={"name": "twitter:card"})["content"] == "summary_large_image"
        assert ada.get(picture).status_code == 200


@pytest.mark.parametrize("day", [TODAY, "2025-03-01"])
@pytest.mark.usefixtures("daily")
def test_a_day_is_shared_under_the_name_of_its_page(guest: Visitor, day: str) -> None:
    guest.get(f"/daily/{day}")
    assert guest.page.find("meta", property="og:title")["content"] == guest.page.h1.text


def test_a_long_name_stays_beside_the_board() -> None:
    picture = drawing.card("W" * 20)
    image = Image.open(BytesIO(picture)).convert("RGB")
    strip = image.crop((END_OF_WORDS, 300, drawing.LEFT - 8, drawing.HEIGHT))
    assert len(strip.getcolors() or ()) == 1
