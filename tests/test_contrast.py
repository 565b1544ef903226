"""Contrast of every pair of colors that meet on a page, in every theme: text 4.5:1, lines 3:1, more in
high contrast.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from engine.drawing.themes import DARK, LIGHT

CSS = Path(__file__).parent.parent / "static" / "css"
TOKENS = (CSS / "web" / "tokens.css").read_text() + (CSS / "web" / "contrast.css").read_text()

Theme = dict[str, str]


def block(selector: str) -> dict[str, str]:
    """Return the custom properties that the tokens set for `selector`."""
    found = re.search(rf"^{re.escape(selector)} \{{(.*?)^\}}", TOKENS, re.DOTALL | re.MULTILINE)
    assert found, selector
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", found[1]))


def scheme(tokens: dict[str, str], dark: bool) -> Theme:
    """Return the plain colors among these tokens, with light-dark() resolved."""
    colours: Theme = {}
    for name, value in tokens.items():
        pair = re.fullmatch(r"light-dark\((#\w{6}), (#\w{6})\)", value)
        colour = pair[1 + dark] if pair else value
        if re.fullmatch(r"#\w{6}", colour):
            colours[name.removeprefix("--")] = colour
    return colours


ROOT = block(":root")
CONTRAST = ROOT | block(':root[data-ui~="theme-contrast"]')
THEMES: dict[str, Theme] = {
    "light": scheme(ROOT, dark=False),
    "dark": scheme(ROOT, dark=True),
    "contrast light": scheme(CONTRAST, dark=False),
    "contrast dark": scheme(CONTRAST, dark=True),
}

TINTS = [f"tint-{number}" for number in range(1, 10)]
GROUNDS = ["surface", "given", "peer", "peer-given", "same", "selected", *TINTS]
TEXT = [
    *product(["ink", "ink-quiet"], ["paper", "surface", "key", "key-down"]),
    *product(["ink", "own"], GROUNDS),  # givens, corner marks, your digits, center marks
    *product(["ink-quiet"], ["surface", "peer", "selected", *TINTS]),  # computed candidates
    ("conflict", "conflict-ground"),
    ("conflict", "paper"),
    ("conflict", "surface"),
    ("own", "paper"),
    ("on-own", "own"),
    ("surface", "ink"),  # pressed controls are inverted
    *(
        (f"{role}", ground)
        for role in ("green", "amber", "violet")
        for ground in ("paper", "surface", f"{role}-ground")
    ),
    *product(["ink", "own"], ["green-ground", "amber-ground", "violet-ground", "mine"]),
    ("ink-quiet", "mine"),
]
SHAPES = [
    *product(["line", "line-strong"], ["surface", "paper", "key"]),
    *product(["line-strong"], ["given", "peer", "peer-given"]),
    *((f"shape-{number}", f"tint-{number}") for number in range(1, 10)),
    *product(["own"], ["paper", *GROUNDS, "conflict-ground"]),  # the ring of the selected cell
]


def luminance(colour: str) -> float:
    """Return the relative luminance (WCAG 2.2)."""
    channels = (int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5))
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio (WCAG 2.2), 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def failures(theme: Theme, pairs: list[tuple[str, str]], least: float) -> list[str]:
    return [
        f"{ink} on {ground}: {contrast(theme[ink], theme[ground]):.2f}"
        for ink, ground in pairs
        if contrast(theme[ink], theme[ground]) < least
    ]


@pytest.mark.parametrize("name", THEMES)
def test_text_stands_out_from_every_ground_it_meets(name: str) -> None:
    assert failures(THEMES[name], TEXT, 7 if name.startswith("contrast") else 4.5) == []


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("name", ["light", "dark"])  # high contrast has no hues
def test_text_stands_out_from_the_hue_of_its_level(name: str, level: int) -> None:
    theme = THEMES[name] | scheme(block(f".hue--{level}"), dark=name == "dark")
    assert failures(theme, [("ink", "hue"), ("hue-text", "hue")], 5) == []


@pytest.mark.parametrize("name", THEMES)
def test_lines_and_shapes_stand_out_from_every_ground_they_meet(name: str) -> None:
    assert failures(THEMES[name], SHAPES, 4.5 if name.startswith("contrast") else 3) == []


@pytest.mark.parametrize("name", THEMES)
def test_a_given_differs_from_your_digit_and_a_peer_from_its_neighbour(name: str) -> None:
    theme = THEMES[name]
    assert theme["own"] != theme["ink"]
    assert len({theme[ground] for ground in ("surface", "given", "peer", "same", "selected")}) == 5


def test_in_dark_themes_givens_tints_and_empty_cells_differ_in_lightness() -> None:
    theme = THEMES["dark"]
    pairs = [("given", "surface"), ("peer", "surface"), ("peer-given", "peer"), ("selected", "peer")]
    assert failures(theme, pairs, 1.15) == []


def test_colours_stand_in_the_tokens_and_in_print_alone() -> None:
    order = {name for part in CSS.glob("*.txt") for name in part.read_text().split()}
    assert sorted(order) == sorted(path.relative_to(CSS).as_posix() for path in CSS.rglob("*.css"))
    for name in sorted(order):
        if name not in ("web/tokens.css", "web/contrast.css", "web/print.css"):
            rules = re.sub(r"/\*.*?\*/", "", (CSS / name).read_text(), flags=re.DOTALL)
            assert not re.search(r"#[0-9a-f]{3,8}\b|\brgb|\bhsl|\boklch", rules), name


def test_pictures_of_the_engine_have_the_colors_of_the_pages() -> None:
    for theme, colors in (("light", LIGHT), ("dark", DARK)):
        assert colors.items() <= THEMES[theme].items()
