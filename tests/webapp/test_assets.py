"""What a page makes a browser fetch: each module where it is needed, and no more in sum than was promised."""

from __future__ import annotations

import gzip
import re

import pytest
from flask import Flask

import engine
from engine import warm
from tests.webapp.site import Visitor
from webapp.assets import STATIC

pytestmark = pytest.mark.one_database

SCRIPTS = 20_000  # bytes of our own JavaScript on the board page, gzipped
FIRST_LOAD = 60_000  # bytes, gzipped; browsers that take brotli get less
REQUESTS = 20
OF_OTHER_PAGES = ("countdown", "desk", "entry", "refresh", "review")


def files_of(app: Flask, guest: Visitor, address: str) -> dict[str, bytes]:
    """Everything this page names to be fetched: module name or path -> content as it is served."""
    page = guest.get(address)
    names = re.findall(r'(?:href|src)="/static/\w+/([^"]+)"', page.text)
    folder = app.extensions["assets"].folder
    return {address: page.data} | {name: (folder / name).read_bytes() for name in names}


def gzipped(content: bytes) -> int:
    return len(gzip.compress(content, 9))


@pytest.fixture
def board(app: Flask, guest: Visitor) -> dict[str, bytes]:
    files = files_of(app, guest, guest.start(level=1))
    return files | {"sw.js": guest.get("/sw.js").data}


def test_the_boards_own_javascript_keeps_to_its_budget(board: dict[str, bytes]) -> None:
    scripts = {name: gzipped(text) for name, text in board.items() if name.startswith(("js/", "sw"))}
    assert {"js/main.js", "js/play.js", "sw.js"} < set(scripts)
    assert sum(scripts.values()) < SCRIPTS, scripts


def test_the_first_load_of_the_board_keeps_to_its_budget(board: dict[str, bytes]) -> None:
    sizes = {name: gzipped(content) for name, content in board.items() if "touch-180" not in name}
    assert sum(sizes.values()) <= FIRST_LOAD, sizes
    assert len(sizes) <= REQUESTS, sorted(sizes)


def test_a_module_that_main_imports_is_loaded_beforehand_and_one_of_another_page_is_not(
    app: Flask, board: dict[str, bytes]
) -> None:
    todo, needed = ["main.js"], set()
    while todo:
        name = todo.pop()
        needed.add(f"js/{name}")
        imported = re.findall(rb'^import .* from "\./([\w-]+\.js)"', board[f"js/{name}"], re.MULTILINE)
        todo += [other for other in map(bytes.decode, imported) if f"js/{other}" not in needed]
    assert {name for name in board if name.startswith("js/")} == needed
    others = {name for name in app.extensions["assets"].names if name.startswith("js/")} - needed
    assert others
    assert all(name.startswith(tuple(f"js/{other}" for other in OF_OTHER_PAGES)) for name in others)


def test_patterns_shows_a_component_of_every_style_sheet(guest: Visitor) -> None:
    """Themes have no block of their own, home.css is the layout of one page."""
    guest.get("/patterns")
    shown = {name.partition("__")[0] for tag in guest.page.find_all(class_=True) for name in tag["class"]}
    unseen = {}
    for sheet in (STATIC / "css" / "order.txt").read_text().split():
        rules = re.sub(r"/\*.*?\*/", "", (STATIC / "css" / sheet).read_text(), flags=re.DOTALL)
        blocks = {name.partition("__")[0] for name in re.findall(r"^\.([a-z][\w-]*)", rules, re.MULTILINE)}
        if sheet != "home.css" and blocks and not blocks & shown:
            unseen[sheet] = blocks
    assert unseen == {}


def test_patterns_wait_for_no_technique(guest: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "ready", lambda: False)
    monkeypatch.setattr(engine, "next_step", lambda _position: pytest.fail("it would be compiled here"))
    assert guest.get("/patterns").status_code == 200
    assert guest.page.find(id="hint-title") is None


def test_all_hand_written_javascript_together_keeps_to_its_budget(app: Flask, guest: Visitor) -> None:
    """Every module of every page, the desk's too, and the service worker, compressed as one."""
    assets = app.extensions["assets"]
    modules = [(assets.folder / name).read_bytes() for name in assets.names if name.startswith("js/")]
    assert gzipped(b"".join([*modules, guest.get("/sw.js").data])) < SCRIPTS
