"""Colors of the light and the dark theme, by the names of the site's style sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

_TINTS: Final = {
    1: ("#fbdcd9", "#4f2523", "#c2382e", "#ff8f86"),
    2: ("#fbe2c8", "#4b2d10", "#b3560a", "#f2a65a"),
    3: ("#f6ecb5", "#3f350c", "#8a6d00", "#d9bb3c"),
    4: ("#ddf0c9", "#26391a", "#4a7d1f", "#93c95f"),
    5: ("#cdf1e3", "#123b30", "#0b7f62", "#5fd3b3"),
    6: ("#cfecf8", "#143746", "#0f749c", "#66c1e8"),
    7: ("#e6e0fc", "#362b58", "#6d4fd1", "#b7a2ff"),
    8: ("#f8dcf0", "#4a2340", "#b0378c", "#f08fd0"),
    9: ("#e5e3dd", "#35383e", "#66655f", "#b4b6bb"),
}

# Each token's values in the light and in the dark theme.
TOKENS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "paper": ("#f7f3ea", "#151417"),
        "surface": ("#fffdf9", "#1f1e22"),
        "given": ("#f3efe3", "#302f35"),
        "ink": ("#1a1c20", "#eeece6"),
        "ink-quiet": ("#5d5f66", "#aeabb0"),
        "line": ("#8d887c", "#74727a"),
        "line-strong": ("#23262c", "#a09ea6"),
        "own": ("#2447c6", "#9fb6ff"),
        "same": ("#bfd1ff", "#2e417a"),
        "conflict": ("#b3261e", "#ff8f86"),
        "conflict-ground": ("#fbe1de", "#4b1f1d"),
        "green": ("#0a6b53", "#5fd3b3"),
        "green-ground": ("#d9f2ea", "#14382e"),
        "amber": ("#9a4a06", "#f2b36b"),
        "amber-ground": ("#fbe9d3", "#3d2a12"),
        "violet": ("#6d28d9", "#c4a2ff"),
        "violet-ground": ("#ece2fd", "#32234f"),
        **{f"tint-{tint}": (light, dark) for tint, (light, dark, _, _) in _TINTS.items()},
        **{f"shape-{tint}": (light, dark) for tint, (_, _, light, dark) in _TINTS.items()},
    }
)

LIGHT: Final[Mapping[str, str]] = MappingProxyType({token: light for token, (light, _) in TOKENS.items()})
DARK: Final[Mapping[str, str]] = MappingProxyType({token: dark for token, (_, dark) in TOKENS.items()})

THEMES: Final = ("light", "dark", "auto", "page")


@dataclass(frozen=True, slots=True)
class Color:
    """How one color is drawn; its border distinguishes it without color."""

    stroke: str  # a token
    ground: str  # a token
    dash: tuple[float, float] | None = None
    round: bool = False  # dots instead of dashes


_DASHED: Final = (1.3, 0.7)
_DOTTED: Final = (0.0, 0.9)

# The colors of cells, candidates and houses. The first three are PATTERN, CONSEQUENCE and THIRD of a step.
COLORS: Final[Mapping[str, Color]] = MappingProxyType(
    {
        "green": Color("green", "green-ground"),
        "amber": Color("amber", "amber-ground", _DASHED),
        "violet": Color("violet", "violet-ground", _DOTTED, round=True),
        "blue": Color("own", "same"),
        "red": Color("conflict", "conflict-ground", (2.4, 0.6)),
        **{str(tint): Color(f"shape-{tint}", f"tint-{tint}") for tint in _TINTS},
    }
)


def paint(theme: str, token: str) -> str:
    """Return a token as the value of an SVG attribute: a color, or a custom property for a style sheet."""
    if theme == "light":
        return LIGHT[token]
    if theme == "dark":
        return DARK[token]
    if theme == "auto":  # readable even if a content security policy blocks its style sheet
        return f"var(--{token}, {LIGHT[token]})"
    return f"var(--{token})"


def sheet(scope: str) -> str:
    """Return the style sheet of a picture that follows the system's theme: custom properties within
    `#scope`.
    """
    light, dark = (
        ";".join(f"--{token}:{color}" for token, color in theme.items()) for theme in (LIGHT, DARK)
    )
    return f"#{scope}{{{light}}}@media(prefers-color-scheme:dark){{#{scope}{{{dark}}}}}"
