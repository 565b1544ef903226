"""Values in words: lists joined as in the reader's language, and times as precise as they are known."""

from __future__ import annotations

import pytest
from flask import Flask
from markupsafe import Markup

from webapp.process.words import colon, comma, format_percent, speaking
from webapp.web.i18n import about_text, key_name
from webapp.web.i18n.lists import listed, listed_lists


@pytest.mark.parametrize(
    ("language", "items", "alternative", "text"),
    [
        ("en", [], False, ""),
        ("en", ["1"], False, "1"),
        ("en", ["1", "2"], False, "1 and 2"),
        ("en", ["1", "2", "3", "4"], False, "1, 2, 3 and 4"),
        ("en", ["1", "2", "3"], True, "1, 2 or 3"),
        ("de", ["1", "2", "3"], True, "1, 2 oder 3"),
        ("ja", ["1", "2", "3"], False, "1、2、3"),
        ("zh_Hans", ["1", "2", "3"], False, "1、2和3"),
        ("es", ["1", "3"], True, "1 o 3"),
        ("es", ["7", "8"], True, "7 u 8"),
        ("es", ["fila", "intersección"], False, "fila e intersección"),
    ],
)
def test_a_list_is_joined_as_its_language_does(
    inside: Flask, language: str, items: list[str], alternative: bool, text: str
) -> None:
    with inside.test_request_context(), speaking(language):
        assert listed(items, alternative) == text


@pytest.mark.usefixtures("inside")
def test_markup_stays_and_text_is_escaped() -> None:
    assert listed([Markup("<b>1</b>"), "<2>"]) == Markup("<b>1</b> and &lt;2&gt;")
    assert listed([Markup("<b>7</b>"), Markup("{0}")]) == "<b>7</b> and {0}"


@pytest.mark.usefixtures("inside")
def test_nested_lists_are_distinguished() -> None:
    assert listed_lists(["1, 2", "3", "4 and 5"]) == "1, 2, 3, and 4 and 5"
    assert listed_lists(["1, 2"]) == "1, 2"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "57%, Ctrl Shift Z: 3"),
        ("de", "57\xa0%, Strg Umschalt Z: 3"),
        ("es", "57\xa0%, Ctrl Mayús Z: 3"),
        ("ja", "57%、Ctrl Shift Z: 3"),
        ("zh_Hans", "57%，Ctrl Shift Z：3"),
    ],
)
def test_shares_keys_and_what_joins_them_are_written_as_the_language_does(
    inside: Flask, language: str, text: str
) -> None:
    with inside.test_request_context(), speaking(language):
        assert f"{format_percent(0.567)}{comma()}{key_name('Ctrl Shift Z')}{colon()}3" == text


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
