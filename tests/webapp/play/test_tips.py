"""Every tool of the board has a tip with its function and key."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.webapp.visitors import Visitor
from webapp.web.assets import STATIC

KEYS = json.loads((Path(__file__).parents[2] / "data" / "keys.json").read_text())
MODES = {"digit", "corner", "centre", "colour"}


@pytest.fixture
def tips(guest: Visitor) -> dict[str, str]:
    """Return the name of each tip -> its key, or nothing."""
    guest.get(guest.start(level=1))
    found = {tip["data-tip"]: tip.kbd for tip in guest.page.select(".tip")}
    return {name: key.text if key else "" for name, key in found.items()}


def test_every_tool_and_mode_has_a_tip(guest: Visitor, tips: dict[str, str]) -> None:
    tools = {form["data-command"] for form in guest.page.select(".tools form, .play__tools form")}
    sheets = {
        button["data-sheet"].removesuffix("-panel")
        for button in guest.page.select(".play__tools [data-sheet]")
    }
    assert tools | sheets | MODES <= tips.keys()


def test_the_key_of_a_tip_does_what_the_tool_does(tips: dict[str, str]) -> None:
    commands = {entry["keys"]: entry["command"] for entry in KEYS}
    for name, key in tips.items():
        if key:
            assert commands[key] == (["mode", name] if name in MODES else [name, None]), name


def test_each_tip_stands_behind_its_own_button(guest: Visitor, tips: dict[str, str]) -> None:
    for name in tips:
        button = guest.page.select_one(f"button:has(+ [data-tip={name}])")
        form = button.parent
        sheet = button.get("data-sheet", "").removesuffix("-panel")
        assert name in (button.get("value"), form.get("data-command"), sheet)


def test_tips_show_under_a_mouse_by_keys_and_under_a_finger() -> None:
    sheet = (STATIC / "css" / "play" / "tips.css").read_text()
    assert re.findall(r"button:([\w-]+) \+ \.tip \{\s+visibility: visible", sheet) == [
        "focus-visible",
        "hover",
        "active",
    ]


def test_no_rule_asks_an_ancestor_where_the_pointer_or_the_focus_is() -> None:
    """:has() on these scans the whole board at every key and every step of the pointer."""
    order = (STATIC / "css" / "style.txt").read_text().split()
    for path in order:
        for argument in re.findall(r":has\(((?:[^()]|\([^()]*\))*)\)", (STATIC / "css" / path).read_text()):
            assert not re.search(r":(focus|hover|active)", argument), f"{path}: {argument}"


def test_tips_repeat_nothing_to_screen_readers(guest: Visitor, tips: dict[str, str]) -> None:
    assert tips
    assert all(tip["aria-hidden"] == "true" for tip in guest.page.select(".tip"))
