"""`draw`: a grid, a position or a step as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ..arguments import MOST_CANDIDATES, bounded, candidate, flag, one_of, shown, whole
from ..errors import ArgumentError, EngineError
from ..geometry import Candidate, cell_name
from ..given import Given
from ..grid import Grid
from ..position import Position
from ..steps.branches import displayed
from ..steps.step import Step
from ..techniques import TECHNIQUES
from ..text import puzzle_of
from . import links as curves
from . import overlay as parts
from . import words
from .links import Arrow
from .of_step import overlay_of
from .overlay import CONSEQUENCE, Overlay
from .svg import Board, Setting, svg
from .themes import COLORS, THEMES

Link = tuple[Candidate, Candidate, bool]  # from, to, whether it is strong

SMALLEST, LARGEST = 16, 8192  # pixels
LONGEST = 2000  # characters of a text
MOST_LINKS_GIVEN = 1000

_ROLES: Final = {color: number for number, color in enumerate(COLORS, 1)}
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def draw(
    what: Step | Given,
    *,
    on: Given | None = None,
    step: int | None = None,
    candidates: bool | None = None,
    cells: Mapping[int, str] | None = None,
    marks: Mapping[Candidate, str] | None = None,
    struck: Iterable[Candidate] = (),
    houses: Mapping[int, str] | None = None,
    links: Iterable[Link] = (),
    labels: bool = False,
    size: int = 450,
    theme: str = "light",
    title: str | None = None,
    description: str | None = None,
    prefix: str = "",
) -> str:
    """Draw as SVG: well-formed XML in one line, the same for the same arguments.

    what: a grid, all of whose digits are printed as givens; a position; or a step.
    on: for a step, its position or a grid; without it the board is empty.
    step: for a chain or net, the only step of its proof to show, from 1 through all branches. Without it, a
    proof of more than 40 links shows only where its branches begin and end.
    candidates: whether to write them into the empty cells; by default, for all but a grid.
    cells, marks, houses: colors of cells 0..80, of candidates (cell, digit), which get a ring, and of houses
    0..26: "green", "amber", "violet", "blue", "red", each with a border of its own, or a tint "1" to "9".
    struck: candidates to cross out. links: arrows from candidate to candidate, (from, to, strong); a weak
    link is dashed.
    labels: number rows and columns. size: pixels of each side, 16..8192; the picture scales.
    theme: "light" and "dark" have fixed colors. "auto" follows the system by an embedded style sheet, for a
    standalone file. "page" uses the custom properties of the surrounding page (themes.TOKENS).
    title, description: for screen readers, by default in English.
    prefix: of all ids, by default derived from the content. Set it if a page shows the same picture twice.

    Raises ArgumentError, which names the argument.

    >>> from engine import draw, parse
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> draw(grid)[:4]
    '<svg'
    """
    if not isinstance(what, Step):
        what = puzzle_of("what", what)
    grid, position, found = _taken(what, None if on is None else puzzle_of("on", on))
    one_of("theme", theme, THEMES)
    whole("size", size, SMALLEST, LARGEST)
    if not isinstance(prefix, str) or (prefix and not _PREFIX.fullmatch(prefix)):
        raise ArgumentError(
            "prefix", f"expected a letter, then letters, digits, - or _, found {shown(prefix)}"
        )
    if found is None:
        if step is not None:
            raise ArgumentError("step", "only a chain or net has steps to show")
        overlay = Overlay()
        texts = words.texts_of_grid(grid)
    else:
        overlay, texts = _of_step(found, position, step)
    flag("labels", labels)
    if candidates is not None:
        flag("candidates", candidates)
    for name, each in (("cells", cells), ("marks", marks), ("houses", houses)):
        if each is not None and not isinstance(each, Mapping):
            raise ArgumentError(name, f"expected colors by place, found {shown(each)}")
    crossed, arrows = bounded("struck", struck, MOST_CANDIDATES), bounded("links", links, MOST_LINKS_GIVEN)
    overlay = _with(overlay, grid, cells or {}, marks or {}, crossed, houses or {}, arrows)
    wanted = not isinstance(what, Grid) if candidates is None else candidates
    if wanted and position is None and (isinstance(what, Grid) or on is not None):
        position = Position.from_grid(grid)
    setting = Setting(
        _checked("title", texts[0] if title is None else title),
        _checked("description", texts[1] if description is None else description),
        theme,
        size,
        labels,
        prefix,
    )
    return svg(_board(grid, position, overlay, candidates=wanted), overlay, setting)


def _taken(
    what: Grid | Position | Step, on: Position | Grid | None
) -> tuple[Grid, Position | None, Step | None]:
    """Return the digits on the board, the position and the step, as far as given."""
    step, board = (what, on) if isinstance(what, Step) else (None, what)
    if on is not None and step is None:
        raise ArgumentError("on", "only a step is drawn on a position")
    if isinstance(board, Position):
        return board.grid, board, step
    if isinstance(board, Grid):
        return board, Position.from_grid(board) if step else None, step
    return Grid(bytes(81)), None, step


def _of_step(step: Step, position: Position | None, number: int | None) -> tuple[Overlay, tuple[str, str]]:
    """Return a step's overlay, title and description."""
    try:
        _check(step, position, number)
        overlay = overlay_of(step, position, number or 0)
        return overlay, (words.title_of_step(step), words.description_of_step(step, number))
    except EngineError:
        raise
    except Exception as error:  # a handmade step's fields may raise anything
        raise ArgumentError("what", f"expected a step the engine found: {error}") from error


def _check(step: Step, position: Position | None, number: int | None) -> None:
    """Reject a step that no position has, or that this position doesn't have, or a number that it hasn't."""
    if step.technique not in TECHNIQUES:
        raise ArgumentError("what", f"there is no technique {shown(step.technique)}")
    for cell, digit in sorted(step.placements | step.eliminations):
        candidate("what", (cell, digit))
        if position is not None and digit not in position.candidates(cell):
            raise ArgumentError(
                "on", f"{cell_name(cell)} has no candidate {digit}, so the step is of another position"
            )
    for fact in step.cells:
        for digit in fact.digits:
            candidate("what", (fact.cell, digit))
    if number is None:
        return
    count = sum(len(branch.inferences) for branch in displayed(step.branches()))
    if not count:
        raise ArgumentError("step", "only a chain or net has steps to show")
    whole("step", number, 1, count)


def _checked(argument: str, text: str) -> str:
    if not isinstance(text, str):
        raise ArgumentError(argument, f"expected text, found {type(text).__name__}")
    if len(text) > LONGEST:
        raise ArgumentError(argument, f"expected at most {LONGEST} characters, found {len(text)}")
    if found := _NO_XML.search(text):
        raise ArgumentError(argument, f"XML has no character {found[0]!r}")
    return text


def _role(argument: str, color: str) -> int:
    """Return the number of a color in overlays."""
    one_of(argument, color, _ROLES)
    return _ROLES[color]


def _with(
    overlay: Overlay,
    grid: Grid,
    cells: Mapping[int, str],
    marks: Mapping[Candidate, str],
    struck: list[Candidate],
    houses: Mapping[int, str],
    links: list[Link],
) -> Overlay:
    """Return the overlay with the arguments of `draw` added on top."""
    gone = {candidate("struck", spot) for spot in struck}
    ringed = {candidate("marks", spot): _role("marks", color) for spot, color in marks.items()}
    arrows = []
    for link in links:
        if not isinstance(link, tuple) or len(link) != 3:
            raise ArgumentError("links", f"expected (from, to, strong), found {shown(link)}")
        flag("links", link[2])
        one, other = (candidate("links", end) for end in link[:2])
        if one == other:
            raise ArgumentError(
                "links", f"expected two candidates, found {cell_name(one[0])} = {one[1]} twice"
            )
        arrows.append(Arrow(parts.place_of(*one), parts.place_of(*other), link[2]))
    for argument, spots in (("struck", gone), ("marks", ringed)):
        for cell, _ in sorted(spots):
            if grid[cell]:
                raise ArgumentError(argument, f"{cell_name(cell)} holds a digit, so it has no candidates")
    rings = tuple(parts.ring(*spot, role) for spot, role in ringed.items() if spot not in gone)
    removed = tuple(parts.ring(*spot, ringed.get(spot, CONSEQUENCE)) for spot in sorted(gone))
    around = [(ring.x, ring.y) for ring in (*overlay.rings, *overlay.removed, *rings, *removed)]
    printed = [parts.middle_of(cell) for cell, digit in enumerate(grid.digits) if digit]
    return Overlay(
        houses=(
            *overlay.houses,
            *(
                parts.house_frame(whole("houses", house, 0, 26), _role("houses", color))
                for house, color in houses.items()
            ),
        ),
        sights=overlay.sights,
        cells=(
            *overlay.cells,
            *(
                parts.cell_frame(whole("cells", cell, 0, 80), _role("cells", color))
                for cell, color in cells.items()
            ),
        ),
        groups=overlay.groups,
        lines=(*overlay.lines, *curves.lines(arrows, around, printed)),
        rings=(*(ring for ring in overlay.rings if (ring.cell, ring.digit) not in {*ringed, *gone}), *rings),
        removed=(*(ring for ring in overlay.removed if (ring.cell, ring.digit) not in gone), *removed),
        placed=overlay.placed,
    )


def _board(grid: Grid, position: Position | None, overlay: Overlay, *, candidates: bool) -> Board:
    """Return the content of the board, except candidates that the overlay draws."""
    printed = grid if position is None else position.givens
    drawn = {(ring.cell, ring.digit) for ring in (*overlay.rings, *overlay.removed)}
    placed = {ring.cell for ring in overlay.placed}
    left: list[Candidate] = []
    if position is not None and candidates:
        left = [
            (cell, digit)
            for cell in range(81)
            if cell not in placed
            for digit in position.candidates(cell)
            if (cell, digit) not in drawn
        ]
    digits = {cell: digit for cell, digit in enumerate(grid.digits) if digit}
    return Board(
        givens={cell: digit for cell, digit in digits.items() if printed[cell]},
        own={cell: digit for cell, digit in digits.items() if not printed[cell]},
        candidates=left,
    )
