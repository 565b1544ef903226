"""The picture of a puzzle: each cell once, in its place, without digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webapp.web.squares import squares


def places_of(path: str) -> Iterator[tuple[int, int]]:
    """The places that a path goes to, one relative step after the other."""
    x = y = 0
    for step in re.findall(r"m(\S+) (\d+)", path.replace("h4v4h-4z", "").replace("m2 2h0m-2-2", "")):
        x, y = x + int(step[0]), y + int(step[1])
        yield x, y


GIVENS = "1" + "." * 79 + "9"


def test_every_cell_is_drawn_once_with_more_space_between_boxes() -> None:
    picture = squares(GIVENS, "." + "5" * 3 + "." * 77)
    places = [list(places_of(path)) for path in (picture.empty, picture.givens, picture.own)]
    assert [len(each) for each in places] == [76, 2, 3]
    assert len({place for each in places for place in each}) == 81
    assert places[1] == [(0, 0), (86, 86)]
    assert places[2] == [(10, 0), (20, 0), (33, 0)]


def test_other_digits_in_the_same_places_make_the_same_picture() -> None:
    assert squares(GIVENS) == squares("7" + "." * 79 + "2")
