"""The markup of a picture: a board and its overlay as SVG of 90 by 90 units. Decides nothing.

Uses presentation attributes only: no script, no `style=`, no external font or link.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from html import escape
from typing import Final

from ..geometry import Candidate
from . import themes
from .links import RING, Line, Point
from .overlay import Frame, Overlay, Ring, middle_of, place_of
from .themes import COLORS, Color

EDGE: Final = 0.6  # space around the board, for half of its frame
NAMES: Final = 4.4  # additional space for the numbers of rows and columns
FACE: Final = "Figtree, system-ui, sans-serif"
BASELINE: Final = 0.36  # from the middle of a digit down to its baseline, as a share of its size

_BY_ROLE: Final = (Color("ink", "surface"), *COLORS.values())
_THIN: Final = "".join(f"M0 {at}h90M{at} 0v90" for at in (10, 20, 40, 50, 70, 80))
_THICK: Final = "".join(f"M0 {at}h90M{at} 0v90" for at in (30, 60))


@dataclass(frozen=True, slots=True)
class Board:
    """The content of the board itself."""

    givens: Mapping[int, int]  # digit by cell
    own: Mapping[int, int]  # found digits
    candidates: Iterable[Candidate]  # those that nothing else draws


@dataclass(frozen=True, slots=True)
class Setting:
    """How to render a picture."""

    title: str
    description: str
    theme: str  # one of themes.THEMES
    size: int  # pixels of each side
    labels: bool  # whether rows and columns are numbered
    prefix: str  # of ids; empty: derived from the picture


def svg(board: Board, overlay: Overlay, setting: Setting) -> str:
    """Return the picture in one line."""
    body = "".join(_Painter(setting.theme).body(board, overlay, labels=setting.labels))
    texts = escape(setting.title, quote=False), escape(setting.description, quote=False)
    content = "\n".join((*texts, setting.theme, body)).encode()
    prefix = setting.prefix or f"n{blake2b(content, digest_size=6).hexdigest()}"
    low, side = (-NAMES, 90 + NAMES + EDGE) if setting.labels else (-EDGE, 90 + 2 * EDGE)
    face = f"var(--figures, {FACE})" if setting.theme == "page" else FACE
    sheet = f"<style>{themes.sheet(prefix)}</style>" if setting.theme == "auto" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" class="drawing"'
        f' viewBox="{low} {low} {side} {side}" width="{setting.size}" height="{setting.size}"'
        f' role="img" aria-labelledby="{prefix}-title" aria-describedby="{prefix}-desc"'
        f' fill="none" font-family="{face}" text-anchor="middle">'
        f'<title id="{prefix}-title">{texts[0]}</title><desc id="{prefix}-desc">{texts[1]}</desc>'
        f"{sheet}{body}</svg>"
    )


class _Painter:
    """Writes the parts of a picture in the colors of one theme."""

    def __init__(self, theme: str) -> None:
        self._paint = {token: themes.paint(theme, token) for token in themes.TOKENS}

    def body(self, board: Board, overlay: Overlay, *, labels: bool) -> Iterable[str]:
        """Yield the parts, from back to front."""
        paint = self._paint
        yield f'<rect width="90" height="90" rx="1.2" fill="{paint["surface"]}"/>'
        if board.givens:
            squares = "".join(f"M{cell % 9 * 10} {cell // 9 * 10}h10v10h-10z" for cell in board.givens)
            yield f'<path fill="{paint["given"]}" d="{squares}"/>'
        yield from (self._house(frame, bordered=not overlay.lines) for frame in overlay.houses)
        yield from map(self._sight, overlay.sights)
        yield from (self._cell(frame) for frame in overlay.cells)
        yield f'<path stroke="{paint["line"]}" stroke-width="0.2" d="{_THIN}"/>'
        yield f'<path stroke="{paint["line-strong"]}" stroke-width="0.5" d="{_THICK}"/>'
        yield f'<rect width="90" height="90" rx="1.2" stroke="{paint["line-strong"]}" stroke-width="0.9"/>'
        spots = ((middle_of(cell), digit) for cell, digit in board.givens.items())
        yield from self._figures(spots, "ink", 5.6, 650)
        spots = ((middle_of(cell), digit) for cell, digit in board.own.items())
        yield from self._figures(spots, "own", 5.6, 400)
        spots = ((place_of(cell, digit), digit) for cell, digit in board.candidates)
        yield from self._figures(spots, "ink-quiet", 2.2, 400)
        if labels:
            numbers = [((10.0 * at - 5, -2.4), at) for at in range(1, 10)]
            numbers += [((-2.4, 10.0 * at - 5), at) for at in range(1, 10)]
            yield from self._figures(numbers, "ink-quiet", 2.6, 400)
        yield from (self._group(frame) for frame in overlay.groups)
        yield from map(self._line, overlay.lines)
        yield from map(self._ring, overlay.rings)
        yield from map(self._removed, overlay.removed)
        yield from map(self._placed, overlay.placed)

    def _figures(
        self, spots: Iterable[tuple[Point, int]], token: str, size: float, weight: int
    ) -> Iterable[str]:
        texts = "".join(_text(x, y, digit, size) for (x, y), digit in spots)
        if texts:
            yield f'<g fill="{self._paint[token]}" font-size="{size}" font-weight="{weight}">{texts}</g>'

    def _stroke(self, color: Color, width: float) -> str:
        """Return the attributes of a border in its color's style."""
        text = f' stroke="{self._paint[color.stroke]}" stroke-width="{width}"'
        if color.dash:
            text += f' stroke-dasharray="{color.dash[0]:g} {color.dash[1]:g}"'
        return text + (' stroke-linecap="round"' if color.round else "")

    def _house(self, frame: Frame, *, bordered: bool) -> str:
        # Links show what the border would; more lines would only cross them.
        color = _BY_ROLE[frame.role]
        border = self._stroke(color, 0.5) if bordered else ""
        return f'<rect{_box(frame)} rx="0.8" fill="{self._paint[color.stroke]}" fill-opacity="0.07"{border}/>'

    def _sight(self, frame: Frame) -> str:
        color = self._paint[_BY_ROLE[frame.role].stroke]
        return f'<rect{_box(frame)} rx="0.7" fill="{color}" fill-opacity="0.3"/>'

    def _cell(self, frame: Frame) -> str:
        color = _BY_ROLE[frame.role]
        return f'<rect{_box(frame)} rx="0.8" fill="{self._paint[color.ground]}"{self._stroke(color, 0.5)}/>'

    def _group(self, frame: Frame) -> str:
        return f'<rect{_box(frame)} rx="2"{self._stroke(_BY_ROLE[frame.role], 0.3)}/>'

    def _line(self, line: Line) -> str:
        color = self._paint["green" if line.strong else "violet"]
        look = 'stroke-width="0.7"' if line.strong else 'stroke-width="0.6" stroke-dasharray="1.4 0.9"'
        head = f'<path fill="{color}" d="{line.head}"/>' if line.head else ""
        return f'<path stroke="{color}" {look} d="{line.path}"/>{head}'

    def _ring(self, ring: Ring) -> str:
        color = _BY_ROLE[ring.role]
        circle = f'<circle cx="{ring.x:g}" cy="{ring.y:g}" r="{RING}" fill="{self._paint[color.ground]}"'
        ink = f' fill="{self._paint[color.stroke]}" font-size="2.3" font-weight="700"'
        return f"{circle}{self._stroke(color, 0.34)}/>{_text(ring.x, ring.y, ring.digit, 2.3, ink)}"

    def _removed(self, ring: Ring) -> str:
        stroke = f'stroke="{self._paint["amber"]}" stroke-width="0.34" stroke-linecap="round"'
        return f'{self._ring(ring)}<path {stroke} d="M{ring.x - 1.5:.2f} {ring.y + 1.5:.2f}l3 -3"/>'

    def _placed(self, ring: Ring) -> str:
        ink = f' fill="{self._paint[_BY_ROLE[ring.role].stroke]}" font-size="5.6" font-weight="650"'
        return _text(ring.x, ring.y, ring.digit, 5.6, ink)


def _text(x: float, y: float, digit: int, size: float, look: str = "") -> str:
    return f'<text x="{x:g}" y="{round(y + BASELINE * size, 2):g}"{look}>{digit}</text>'


def _box(frame: Frame) -> str:
    return f' x="{frame.x:g}" y="{frame.y:g}" width="{frame.width:g}" height="{frame.height:g}"'
