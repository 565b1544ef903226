"""Every tool of the board says what it does and which key does it too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.webapp.visitors import Visitor
from webapp.web.assets import STATIC

pytestmark = pytest.mark.one_database

KEYS = json.loads((Path(__file__).parents[2] / "data" / "keys.json").read_text())
MODES = {"digit", "corner", "centre", "colour"}


@pytest.fixture
def tips(guest: Visitor) -> dict[str, str]:
    """Name of a tip -> its key, or nothing."""
    guest.get(guest.start(level=1))
    found = {tip["class"][1].removeprefix("tip--"): tip.kbd for tip in guest.page.select(".tip")}
    return {name: key.text if key else "" for name, key in found.items()}


def test_every_tool_and_mode_has_a_tip(guest: Visitor, tips: dict[str, str]) -> None:
    tools = {form["data-command"] for form in guest.page.select(".tools form, .play__tools form")}
    sheets = {button["data-sheet"] for button in guest.page.select(".play__tools [data-sheet]")}
    assert tools | sheets | MODES <= tips.keys()


def test_the_key_of_a_tip_does_what_the_tool_does(tips: dict[str, str]) -> None:
    commands = {entry["keys"]: entry["command"] for entry in KEYS}
    for name, key in tips.items():
        if key:
            assert commands[key] == (["mode", name] if name in MODES else [name, None]), name


def test_each_tip_is_shown_by_its_own_button_under_a_mouse_by_keys_and_under_a_finger(
    tips: dict[str, str],
) -> None:
    sheet = (STATIC / "css" / "play" / "tips.css").read_text()
    for name in tips:
        states = re.findall(rf"\.play:has\([^)]*:([\w-]+)\) \.tip--{name}\b", sheet)
        assert states == ["focus-visible", "hover", "active"], name


def test_tips_repeat_nothing_to_screen_readers(guest: Visitor, tips: dict[str, str]) -> None:
    assert tips
    assert all(tip["aria-hidden"] == "true" for tip in guest.page.select(".tip"))
