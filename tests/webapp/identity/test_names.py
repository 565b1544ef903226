"""Names: which are valid, and which look alike."""

from __future__ import annotations

import unicodedata

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from webapp.identity import names
from webapp.process.errors import BadInput

# Injections into an undefended page: markup, attributes, htmx, SVG, templates, addresses, encodings,
# directions and invisible characters. Each would be a valid name if a rule were missing.
PAYLOADS = [
    "<script>alert(1)",
    "javascript:alert(1)",
    "{{7*7}}",
    "%3Cscript%3E",
    "＜script＞alert",
    "ada\x00bcd",
    "ada\u2028bcd",
    "ada\u200bbcd",
    "ada\u202ebcd",
    "ada\u3164bcd",
    "ada\u115fbcd",
    "ada\ufe0fbcd",
    "a\u0301\u0302\u0303\u0304da",
    "ada\ue000bcd",
    "ada\ud800bcd",
    "ada' OR 1=1",
    "ada 🙂 bcd",
]


@pytest.mark.parametrize("name", PAYLOADS, ids=range(len(PAYLOADS)))
def test_nothing_but_letters_digits_and_separators_is_a_name(app: Flask, name: str) -> None:
    with app.test_request_context(), pytest.raises(BadInput):
        names.checked(name)


@pytest.mark.parametrize("name", ["ab", "a" * 21, "", "   ", "---", "_ -", "x" * 100_000])
def test_a_name_has_three_to_twenty_characters_and_one_to_read(app: Flask, name: str) -> None:
    with app.test_request_context(), pytest.raises(BadInput):
        names.checked(name)


@pytest.mark.parametrize(
    "name", ["admin", "Adm1n", "ＡＤＭＩＮ", "a-d-m-i-n", "Аdmin", "Ninef0ld", "anonymous"]
)
def test_the_sites_own_names_are_not_to_be_had(app: Flask, name: str) -> None:
    with app.test_request_context(), pytest.raises(BadInput, match="the site’s own"):
        names.checked(name)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),
        ("José_9", "José_9"),
        ("Jose\u0301", "José"),
        ("北京数独", "北京数独"),
        ("한국어이름", "한국어이름"),
        ("سودوكو", "سودوكو"),
        ("Αθηνά", "Αθηνά"),
    ],
)
def test_letters_of_every_script_make_names(app: Flask, typed: str, kept: str) -> None:
    with app.test_request_context():
        assert names.checked(typed) == kept


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Ada", "A d-a"),
        ("Ada", "Аdа"),  # Cyrillic
        ("Jose", "José"),
        ("Bill", "BiII"),
        ("Bill", "B1l1"),
        ("Zoo", "Z00"),
        ("Morner", "Momer"),
        ("Strasse", "Straße"),
        ("Toto", "Τοτο"),  # Greek
        ("Lukasz", "Łukasz"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert names.fold(one) == names.fold(other)


@pytest.mark.parametrize(("one", "other"), [("Ada", "Eda"), ("Ada 1", "Ada 2"), ("北京数独", "上海数独")])
def test_other_names_are_others(one: str, other: str) -> None:
    assert names.fold(one) != names.fold(other)


@given(st.text(min_size=1, max_size=40))
def test_folding_is_stable_and_fits_its_column(text: str) -> None:
    name = names.clean(text)
    assert names.fold(name) == names.fold(names.clean(name))
    try:
        kept = names.checked(text)
    except BadInput:
        return
    assert unicodedata.is_normalized("NFKC", kept)
    assert 1 <= len(names.fold(kept)) <= 40
