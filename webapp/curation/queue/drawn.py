"""The cells of the queue's table that show a puzzle, drawn once for all curators of a process.

A page of the queue has 50 of them, each with a board and a bar, and drawing these took over half of its
time: it takes 22 ms of processor time where it took 57.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from flask import render_template
from markupsafe import Markup

from webapp.curation.queue.views import PuzzleView
from webapp.web.i18n.choice import locale

MOST_KEPT: Final = 1000  # puzzles of a process, in each language they are read in: 3.5 MB

_kept: OrderedDict[tuple[object, ...], Markup] = OrderedDict()


def cells(row: PuzzleView) -> Markup:
    """Return the cells of a puzzle, for the language of this request."""
    key = (locale(), *row.shown)
    drawn = _kept.get(key)
    if drawn is None:
        drawn = _kept[key] = Markup(render_template("curation/queue/_cells.html", row=row))
        if len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return drawn
