"""Pictures of a position: SVG from the engine, and with Pillow a PNG and the solution path as a GIF.

The PNG draws the same elements as the engine's SVG, in the light theme of tokens.css.
"""

from __future__ import annotations

from io import BytesIO
from typing import Final

from PIL import Image, ImageColor, ImageDraw

import engine
from engine.drawing import (
    COLORS,
    CONSEQUENCE,
    LIGHT,
    PATTERN,
    THIRD,
    Overlay,
    Ring,
    cell_frame,
    overlay_of,
    place_of,
    ring,
)
from webapp.identity.aside import Aside
from webapp.learn.analysis.states import State
from webapp.learn.path import path_of
from webapp.web.canvas import GIVEN, INK, LINE, OWN, PAPER, QUIET, SURFACE, face, rule

SCALE: Final = 12  # pixels of a unit while drawing, ten units a cell; reduced afterwards
EDGE: Final = 4  # units around the board
FRAMES: Final = 90  # in an animated path; a longer one skips to its last step
FRAME_MS, LAST_MS = 1_100, 4_000
PNG_SIDE, GIF_SIDE = 588, 441  # pixels
MOST_KEPT: Final = 16  # cached animations, up to 1 MB each

_BY_ROLE: Final = dict(enumerate(COLORS.values(), 1))
_ROLES: Final = {name: role for role, name in enumerate(COLORS, 1)}

_Draw = ImageDraw.ImageDraw


def svg(state: State, step: engine.Step | None = None) -> str:
    """Return a position with its colors, or with a step, as an SVG that follows the viewer's theme."""
    if step is None:
        return engine.draw(state.position, theme="auto", cells=_cells(state), marks=_candidates(state))
    return engine.draw(step, on=state.position, theme="auto")


def png(state: State, step: engine.Step | None = None) -> bytes:
    """Return the same as a PNG, in the light theme."""
    written = BytesIO()
    if step is None:
        overlay = Overlay(
            cells=tuple(cell_frame(cell, _ROLES[colour]) for cell, colour in _cells(state).items()),
            rings=tuple(ring(*spot, _ROLES[colour]) for spot, colour in _candidates(state).items()),
        )
    else:
        overlay = overlay_of(step, state.position)
    _image(state.position, overlay, PNG_SIDE).quantize(64, Image.Quantize.FASTOCTREE).save(written, "PNG")
    return written.getvalue()


def _cells(state: State) -> dict[int, str]:
    return {cell: colour for cell, colour in enumerate(state.colours) if colour != "."}


def _candidates(state: State) -> dict[tuple[int, int], str]:
    """Return the colors of the remaining candidates."""
    return {
        (cell, digit): colour
        for cell, digit, colour in sorted(state.candidate_colours)
        if digit in state.position.candidates(cell)
    }


def animated(position: engine.Position) -> bytes | None:
    """Return the solution path as a looping GIF, a frame for each step; None while it is being drawn."""
    return _animated.ask(position)


def _draw_path(position: engine.Position) -> bytes:
    path = path_of(position, 600) or ()
    shown = [*path[: FRAMES - 1], path[-1]] if len(path) > FRAMES else path
    frames = [_image(at, overlay_of(step, at), GIF_SIDE) for step, at in shown]
    end = path[-1][1].after(path[-1][0]) if path else position
    frames.append(_image(end, Overlay(), GIF_SIDE))
    palette = _palette()
    drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    written = BytesIO()
    times = [FRAME_MS] * (len(drawn) - 1) + [LAST_MS]
    drawn[0].save(
        written, "GIF", save_all=True, append_images=drawn[1:], duration=times, loop=0, optimize=False
    )
    return written.getvalue()


def _palette() -> Image.Image:
    """Return the colors of all frames: those of the theme, and blends of ink and paper for antialiasing."""
    of_steps = [_BY_ROLE[role] for role in (PATTERN, CONSEQUENCE, THIRD)]
    grounds = [PAPER, SURFACE, GIVEN, *(LIGHT[color.ground] for color in of_steps)]
    inks = [INK, QUIET, LINE, OWN, *(LIGHT[color.stroke] for color in of_steps)]
    white = ImageColor.getrgb(SURFACE)
    colors: list[tuple[int, ...]] = [ImageColor.getrgb(color)[:3] for color in (*grounds, *inks)]
    for ink in map(ImageColor.getrgb, inks):
        for share in (0.3, 0.6):
            colors.append(tuple(round(a + share * (b - a)) for a, b in zip(ink[:3], white[:3], strict=True)))
    image = Image.new("P", (1, 1))
    flat = [level for color in colors for level in color]
    image.putpalette(flat + flat[:3] * (256 - len(colors)))
    return image


_animated: Aside[engine.Position, bytes] = Aside(_draw_path, MOST_KEPT)


def _image(position: engine.Position, overlay: Overlay, reduced: int) -> Image.Image:
    side = SCALE * (90 + 2 * EDGE)
    image = Image.new("RGB", (side, side), PAPER)
    draw = ImageDraw.Draw(image)
    origin = SCALE * EDGE
    draw.rectangle((origin, origin, origin + 90 * SCALE, origin + 90 * SCALE), SURFACE)
    for cell in range(81):
        if position.givens[cell]:
            x, y = _spot(10 * (cell % 9), 10 * (cell // 9))
            draw.rectangle((x, y, x + 10 * SCALE, y + 10 * SCALE), GIVEN)
    for frame in (*overlay.houses, *overlay.cells, *overlay.groups):
        corner, other = _spot(frame.x, frame.y), _spot(frame.x + frame.width, frame.y + frame.height)
        shades = _BY_ROLE[frame.role]
        draw.rounded_rectangle((*corner, *other), 8, LIGHT[shades.ground], LIGHT[shades.stroke], 5)
    rule(draw, origin, origin, 10 * SCALE, 2, 8)
    rim = (origin - 4, origin - 4, origin + 90 * SCALE + 4, origin + 90 * SCALE + 4)
    draw.rounded_rectangle(rim, 12, None, INK, 9)
    placed = {(each.cell, each.digit) for each in overlay.placed}
    marked = {(each.cell, each.digit) for each in (*overlay.rings, *overlay.removed)}
    for cell in range(81):
        if digit := position.grid[cell]:
            given = position.givens[cell] == digit
            middle = _spot(10 * (cell % 9) + 5, 10 * (cell // 9) + 5)
            _write(draw, middle, digit, 6.2, 650 if given else 450, INK if given else OWN)
        elif not any(cell == where for where, _digit in placed):
            for digit in position.candidates(cell):
                if (cell, digit) not in marked:
                    _write(draw, _spot(*place_of(cell, digit)), digit, 2.4, 450, QUIET)
    for line in overlay.lines:
        color = LIGHT["green" if line.strong else "violet"]
        points = [_spot(x, y) for x, y in line.curve]
        draw.line(points, color, 7 if line.strong else 5, "curve")
        if line.head:
            _arrow(draw, points, color)
    for each in overlay.rings:
        _ring(draw, each)
    for each in overlay.removed:
        _ring(draw, each)
        x, y = _spot(each.x, each.y)
        reach = 1.5 * SCALE
        draw.line((x - reach, y + reach, x + reach, y - reach), LIGHT["amber"], 4)
    for each in overlay.placed:
        _write(draw, _spot(each.x, each.y), each.digit, 6.2, 650, LIGHT["amber"])
    return image.resize((reduced, reduced), Image.Resampling.LANCZOS)


def _spot(x: float, y: float) -> tuple[float, float]:
    return SCALE * (EDGE + x), SCALE * (EDGE + y)


def _write(
    draw: _Draw, middle: tuple[float, float], digit: int, size: float, weight: int, color: str
) -> None:
    draw.text(middle, str(digit), color, face(round(SCALE * size), weight), anchor="mm")


def _ring(draw: _Draw, at: Ring) -> None:
    x, y = _spot(at.x, at.y)
    reach, color = 1.55 * SCALE, _BY_ROLE[at.role]
    box = (x - reach, y - reach, x + reach, y + reach)
    draw.ellipse(box, LIGHT[color.ground], LIGHT[color.stroke], 4)
    _write(draw, (x, y), at.digit, 2.3, 700, LIGHT[color.stroke])


def _arrow(draw: _Draw, points: list[tuple[float, float]], color: str) -> None:
    (from_x, from_y), (x, y) = points[-3], points[-1]
    length = max(((x - from_x) ** 2 + (y - from_y) ** 2) ** 0.5, 1.0)
    along, across = (x - from_x) / length, (y - from_y) / length
    size = 2.2 * SCALE

    def off(back: float, aside: float) -> tuple[float, float]:
        return x - back * along - aside * across, y - back * across + aside * along

    draw.polygon([(x, y), off(size, 0.42 * size), off(size, -0.42 * size)], color)
