"""Every page, mail and error in every language on offer, and in two pseudo-languages.

`tests/test_languages.py` checks the catalogs; hints are in `tests/webapp/game/test_steps.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.thorough import THOROUGH, one_in
from tests.webapp.languages import LONGER, Said, write_catalogs
from tests.webapp.solves import play
from tests.webapp.statements import one
from tests.webapp.visitors import SetClock, Visitor
from tests.webapp.web.test_inputs import Parts, noted, path_of, rules, values
from webapp import create_app
from webapp.models import Player
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.site import cards, drawing
from webapp.web import i18n
from webapp.web.i18n import catalogs, choice
from webapp.web.i18n.choice import COOKIE, tag_of
from webapp.web.i18n.lists import closed_up

__all__ = ["noted", "values"]  # fixtures

# Text that stays English in every language: names, and texts by people or programs.
NAMES = re.compile(
    r"Ninefold|Sudoku ?(Pad|Wiki|Cue)|sudoku\.coach|HoDoKu|OpenSudoku|SadMan|Simple Sudoku|f-puzzles|"
    r"Atom|Ctrl|Shift|Alt|Esc|Tab|Enter|Space|Home|End|PageUp|PageDown|Backspace|Delete|"
    r"Ada|Cora|Class 4b|Pasted text|localhost|UTC|KiB|\bER\b|r\dc\d|https?://\S+|/\S+|"
    r"\{\w+\}|(?<!\w)\.\w+|^test$|\(sdm\)"
)


@pytest.fixture(scope="module")
def polyglot(
    site: Flask, settings: Settings, clock: SetClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Flask]:
    """The site with the pseudo-languages beside those on offer, on the same database."""
    folder = tmp_path_factory.mktemp("translations")
    write_catalogs(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(i18n, "CATALOGS", folder)
        url = site.config["SQLALCHEMY_DATABASE_URI"]
        # One visitor reads every page at one moment.
        app = create_app(replace(settings, database_url=url, crowd=10_000), clock=clock)
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


def reads(visitor: Visitor, app: Flask, code: str) -> Visitor:
    """Return the visitor, in a language of `app`."""
    visitor.client.application = app
    visitor.client.set_cookie(COOKIE, code)
    return visitor


def addresses(app: Flask, values: Parts, *, desk: bool) -> Iterator[str]:
    for rule in rules(app, desk=desk):
        if "GET" in (rule.methods or ()) and not rule.rule.startswith(("/static", "/metrics", "/healthz")):
            yield path_of(rule, values)


def english(code: str) -> frozenset[str]:
    """Return the messages whose translation differs from the English."""
    catalog = catalogs.catalog(catalogs.CATALOGS, code)
    found = [message for message in catalog if message.id and isinstance(message.id, str)]
    return frozenset(str(message.id) for message in found) - {str(message.string) for message in found}


def leaks(text: str) -> list[str]:
    """Return the words of a text that are still English."""
    return re.findall(r"[A-Za-z]{2,}", NAMES.sub("", text))


@pytest.mark.slow
@pytest.mark.parametrize("who", one_in(2, ["ada", "guest", "cora"]))
def test_no_page_says_anything_that_is_not_translated(
    polyglot: Flask, noted: Flask, values: Parts, who: str, request: pytest.FixtureRequest
) -> None:
    """Each in a pseudo-language, and in one of those on offer in alternation; all with THOROUGH=1."""
    visitor: Visitor = request.getfixturevalue(who)
    pages = [*addresses(noted, values, desk=who == "cora"), "/nowhere"]
    offered = noted.extensions["languages"][1:]
    for number, code in enumerate((LONGER, *offered)):
        reads(visitor, polyglot, code)
        known = frozenset() if code == LONGER else english(code)
        found: dict[str, list[str]] = {}
        for address in pages if THOROUGH or code == LONGER else pages[number - 1 :: len(offered)]:
            answer = visitor.get(address)
            assert answer.status_code < 500 or address == "/readyz", address
            if answer.mimetype == "text/html" and answer.status_code // 100 != 3:
                assert f'lang="{tag_of(code)}"' in answer.text or "<html" not in answer.text, address
                texts = Said(answer.text).texts
                texts = [text for text in texts if "%(" in text or text in known]
                texts += [text for text in texts if code == LONGER and leaks(text)]
                if texts:
                    found[address] = texts
            answer.close()
        assert found == {}, code


def test_sentences_of_chinese_meet_without_a_space() -> None:
    page = "<span><button>r1c1</button>。</span> 它是3。<span> 好。</span> <b>5</b>不行。\n<a>好</a> A. B"
    assert closed_up(page) == (
        "<span><button>r1c1</button>。</span>它是3。<span>好。</span><b>5</b>不行。<a>好</a> A. B"
    )
    assert closed_up("<p>好。 \n<span>好。</span></p>") == "<p>好。<span>好。</span></p>"
    assert closed_up("<p>\n  好。\n    \n    好。</p>") == "<p>\n  好。好。</p>"
    assert closed_up("<textarea>一。\n二</textarea>") == "<textarea>一。\n二</textarea>"


@pytest.mark.parametrize("code", ["ja", "zh_Hans"])
def test_no_page_of_chinese_and_japanese_has_a_space_after_a_stop(reader: Visitor, code: str) -> None:
    reader.client.set_cookie(COOKIE, code)
    for address in ("/", "/rules", "/privacy"):
        assert re.findall(r"[。，、：？！][ \n]+[^ \n]{9}", reader.get(address).text) == []


@pytest.fixture
def reader(polyglot: Flask, app: Flask) -> Visitor:
    """A new visitor to the site with the pseudo-languages."""
    visitor = Visitor(app)  # whose database is empty
    visitor.app = visitor.client.application = polyglot
    return visitor


def language_of(visitor: Visitor) -> str:
    (page,) = visitor.page.select("html")
    return str(page["lang"])


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("el, en;q=0.5", "el"),
        ("el-CY", "el"),
        ("fr, he;q=0.3", "he"),
        ("en, el;q=0.9", "en"),
        ("el;q=0, he;q=0.1", "he"),
        ("fr", "en"),
        ("*", "en"),
        ("nonsense-;;q=x", "en"),
    ],
)
def test_the_browser_chooses_until_the_reader_does(reader: Visitor, accepted: str, language: str) -> None:
    answer = reader.get("/learn", **{"Accept-Language": accepted})
    assert language_of(reader) == language
    assert {"Accept-Language", "Cookie"} <= {name.strip() for name in answer.headers["Vary"].split(",")}


@pytest.mark.parametrize(
    ("accepted", "weekday"),
    [("en-US", 6), ("en-GB", 0), ("de", 0), ("ja, en-GB;q=0.5", 6), ("ar-EG", 5), ("*", 6), ("", 6)],
)
def test_weeks_begin_as_the_readers_region_does(polyglot: Flask, accepted: str, weekday: int) -> None:
    with polyglot.test_request_context(headers={"Accept-Language": accepted}):
        assert choice.first_weekday() == weekday


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN", "zh_Hans"),
        ("zh", "zh_Hans"),
        ("zh-Hans-SG", "zh_Hans"),
        ("zh-TW", "en"),
        ("zh-Hant, de", "de"),
    ],
)
def test_chinese_goes_by_its_script(
    polyglot: Flask, monkeypatch: pytest.MonkeyPatch, accepted: str, language: str
) -> None:
    monkeypatch.setitem(polyglot.extensions, "languages", ["en", "de", "zh_Hans"])
    with polyglot.test_request_context(headers={"Accept-Language": accepted}):
        assert i18n.locale() == language


def test_a_choice_holds_against_the_browser_and_can_be_taken_back(reader: Visitor) -> None:
    answer = reader.post("/language", {"language": "he", "next": "/learn?x=1"})
    assert (answer.status_code, answer.location) == (303, "/learn?x=1")
    reader.get("/learn", **{"Accept-Language": "el"})
    (page,) = reader.page.select("html")
    assert (page["lang"], page["dir"]) == ("he", "rtl")
    (chosen,) = reader.page.select("select[name=language] option[selected]")
    assert chosen["value"] == "he"
    reader.post("/language", {"language": ""})
    reader.get("/learn", **{"Accept-Language": "el"})
    assert language_of(reader) == "el"


def test_a_choice_comes_along_with_the_account(polyglot: Flask, reader: Visitor) -> None:
    reader.register()
    reader.post("/language", {"language": "el"})
    elsewhere = Visitor(polyglot)
    elsewhere.sign_in()
    elsewhere.get("/learn", **{"Accept-Language": "he"})
    assert language_of(elsewhere) == "el"


def test_a_choice_made_before_there_is_an_account_is_kept_in_it(polyglot: Flask, reader: Visitor) -> None:
    reader.post("/language", {"language": "el"})
    reader.register()
    assert one(polyglot, sa.select(Player.language)) == "el"


@pytest.mark.parametrize("code", ["xx", "../../etc", "EL", "x" * 3000, "\u202e"])
def test_a_language_that_is_not_offered_is_refused(reader: Visitor, code: str) -> None:
    assert reader.post("/language", {"language": code}).status_code == 422
    assert reader.client.get_cookie(COOKIE) is None


def test_a_cookie_with_a_language_that_is_not_offered_says_nothing(reader: Visitor) -> None:
    reader.client.set_cookie(COOKIE, "xx")
    assert reader.get("/learn").status_code == 200
    assert language_of(reader) == "en"


def test_an_address_can_name_its_language(reader: Visitor) -> None:
    """It overrides the choice, and propagates to addresses of its kind; all others are unchanged."""
    reader.client.set_cookie(COOKIE, "he")
    reader.get("/el/learn")
    assert language_of(reader) == "el"
    links = {str(link["href"]) for link in reader.page.select("header a, footer a")}
    assert {"/el/", "/el/learn", "/el/help", "/attempts", "/leaderboard"} <= links
    reader.get("/learn")
    assert language_of(reader) == "he"


def test_public_pages_name_their_addresses_in_every_language(reader: Visitor) -> None:
    reader.get("/el/learn/x_wing?tab=example")
    found = {str(link["hreflang"]): str(link["href"]) for link in reader.page.select("link[hreflang]")}
    assert found["el"] == "http://localhost/el/learn/x_wing"
    assert found["en"] == found["x-default"] == "http://localhost/learn/x_wing"
    (own,) = reader.page.select("link[rel=canonical]")
    assert own["href"] == found["el"]
    reader.get("/leaderboard")
    assert not reader.page.select("link[hreflang], link[rel=canonical]")
    reader.get("/el/learn/nothing")
    assert not reader.page.select("link[hreflang], link[rel=canonical]")


@pytest.mark.parametrize(
    ("address", "status", "location"),
    [
        ("/el/leaderboard?scope=day", 302, "/leaderboard?scope=day"),
        ("/el/nowhere", 404, None),
        ("/el", 200, None),
        ("/en/learn", 404, None),
        ("/el//example.org/", 404, None),
        ("/EL/learn?q=x", 301, "/el/learn?q=x"),
    ],
)
def test_no_other_address_has_a_language(
    reader: Visitor, address: str, status: int, location: str | None
) -> None:
    answer = reader.get(address)
    assert (answer.status_code, answer.location) == (status, location)


def test_nothing_is_sent_to_an_address_with_a_language(reader: Visitor) -> None:
    assert reader.post("/el/attempts", {"level": 1}).status_code == 404


@pytest.mark.usefixtures("day")
def test_what_programs_read_is_translated(reader: Visitor) -> None:
    reader.client.set_cookie(COOKIE, LONGER)
    assert "⟦" in reader.get("/manifest.webmanifest").text


def test_a_fragment_is_in_the_language_of_its_page(reader: Visitor) -> None:
    reader.client.set_cookie(COOKIE, LONGER)
    attempt = reader.start(level=1)
    answer = reader.post(f"{attempt}/hints", {"depth": 1, "seq": 1}, htmx=True)
    assert answer.status_code == 200
    assert [text for text in Said(answer.text).texts if leaks(text)] == []


@pytest.mark.parametrize("text", ["12", "x" * 82, "{", "http://f-puzzles.com/?load=x", "1" * 81])
def test_errors_of_a_text_are_in_the_readers_language(reader: Visitor, text: str) -> None:
    reader.client.set_cookie(COOKIE, LONGER)
    answer = reader.post("/enter", {"text": text})
    assert [said for said in Said(answer.text).texts if leaks(said) and text not in said] == []


def test_a_card_is_in_english_where_no_face_has_the_letters(
    polyglot: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "_other_face", lambda: None)
    with polyglot.test_request_context(headers={"Cookie": f"{COOKIE}={LONGER}"}):
        title, lines = cards._written(lambda: (i18n.level_name(1), (i18n.level_name(2),)))
    assert (title, lines) == ("Beginner", ("Easy",))


@pytest.mark.slow
def test_a_daily_is_played_to_its_end_in_every_language(polyglot: Flask, day: Flask, clock: SetClock) -> None:
    """The language comes from the browser alone: zh-CN where Chinese is offered."""
    for code in (LONGER, *day.extensions["languages"][1:]):
        clock.time = SetClock.time
        visitor = Visitor(day)
        visitor.app = visitor.client.application = polyglot
        visitor.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "zh-CN" if code == "zh_Hans" else tag_of(code)
        known = frozenset() if code == LONGER else english(code)
        said = []
        for address in ("/", "/daily"):
            visitor.get(address)
            said += Said(str(visitor.page)).texts
        attempt = play(visitor, clock, minutes=6)
        for address in (attempt, f"{attempt}/review", "/leaderboard", "/daily"):
            answer = visitor.get(address)
            assert answer.status_code == 200, address
            assert language_of(visitor) == tag_of(code)
            said += Said(answer.text).texts
        assert [text for text in said if "%(" in text or text in known] == []
        assert code != LONGER or [text for text in said if leaks(text)] == []
