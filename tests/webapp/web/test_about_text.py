"""The precision of an expected time's text reflects its uncertainty."""

from __future__ import annotations

import pytest
from flask import Flask

from webapp.web.i18n import about_text


@pytest.mark.parametrize(
    ("seconds", "interval", "said"),
    [
        (10, None, "about 1 min"),
        (400, None, "about 7 min"),
        (705, None, "about 12 min"),
        (1434, None, "about 25 min"),
        (2399, None, "40 min or more"),
        (90_000, (900, 900_000), "40 min or more"),
        (705, (480, 1150), "about 12 min (8 to 20)"),
        (705, (480, 5000), "about 12 min (8 to 40 or more)"),
        (400, (395, 405), "about 7 min"),
    ],
)
def test_an_expected_time_is_round(
    app: Flask, seconds: float, interval: tuple[float, float] | None, said: str
) -> None:
    with app.test_request_context():
        assert about_text(seconds, interval) == said
