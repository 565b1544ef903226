"""An empty page says so in a line and offers at most one action."""

from __future__ import annotations

import pytest

from tests.webapp.visitors import Visitor


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/leaderboard?scope=week", "/daily"),
        ("/leaderboard?scope=all", "/daily"),
        ("/leaderboard?date=2026-01-05", "/archive"),
        ("/groups", None),
        ("/players/Ada", "/"),
    ],
)
def test_a_page_without_content_has_one_way_on_at_most(ada: Visitor, path: str, to: str | None) -> None:
    assert ada.get(path).status_code == 200
    (empty,) = ada.page.select(".empty")
    assert [link["href"] for link in empty.select("a")] == ([] if to is None else [to])
    assert empty.select_one(".empty__words").text


def test_on_somebody_elses_page_there_is_nothing_to_begin(ada: Visitor, guest: Visitor) -> None:
    ada.get("/players/Ada")
    guest.get("/players/Ada")
    assert guest.page.select(".empty") and guest.page.select(".empty a") == []
