"""Every catalog matches the source: the same messages, values, markup and plurals.

A language is offered once it is complete. Those of IN_PROGRESS need not be yet; all others must be.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cache
from typing import Final

import pytest
from babel.dates import format_date
from babel.messages.catalog import Catalog, Message

from tests.messages import extracted, source
from webapp.process.config import ROOT
from webapp.web.i18n import catalogs
from webapp.web.i18n.messages import seen, updated

LANGUAGES: Final = catalogs.codes(catalogs.CATALOGS)
IN_PROGRESS: Final[frozenset[str]] = frozenset()

VALUE: Final = re.compile(r"%\((\w+)\)s|%%|\{(\w+)\}")
MARKUP: Final = re.compile(r"</?\w[^>]*>|&\w+;")
OPTIONAL: Final = frozenset(("num", "count"))  # of one plural: "One solve", "Two solves"


pytestmark = pytest.mark.xdist_group("catalogs")  # they are read once


@cache
def catalog(code: str) -> Catalog:
    return catalogs.catalog(catalogs.CATALOGS, code)


def messages(found: Catalog) -> list[Message]:
    return [message for message in found if message.id]


def translated(code: str) -> list[tuple[str, str]]:
    """Return every translation with its English; of plurals, each form with the English of many."""
    pairs = []
    for message in messages(catalog(code)):
        if not catalogs.said(message):
            continue
        if isinstance(message.id, str):
            pairs.append((message.id, str(message.string)))
        else:
            pairs += [(message.id[-1], form) for form in message.string]
    return pairs


def values(text: str) -> set[str]:
    return {found[0] for found in VALUE.finditer(text)} - {"%%"}


def test_a_sentence_of_a_lesson_neither_begins_with_a_numeral_nor_puts_an_article_before_a_digit() -> None:
    wrong = [
        text
        for found in extracted()
        if found.file.startswith(
            ("templates/game/steps/", "webapp/learn/exercises/", "webapp/learn/lessons/")
        )
        for text in ([found.text] if isinstance(found.text, str) else found.text)
        if re.search(r"\b[Aa]n? %\(\w*digits?\)s|(?:^|[.!?] )%\((?:count|num|digits?)\)s [^%]*[.!?]", text)
    ]
    assert wrong == []


def test_no_two_plurals_have_the_same_singular() -> None:
    """Catalogs find a message by its context and its singular, so one would replace the other."""
    found: dict[tuple[str | None, str], set[object]] = {}
    for each in extracted():
        one = each.text if isinstance(each.text, str) else each.text[0]
        found.setdefault((each.context, one), set()).add(each.text)
    assert [messages for messages in found.values() if len(messages) > 1] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_catalog_has_the_messages_of_the_source(code: str) -> None:
    """`make messages` brings it up to them."""
    ours = {(message.context, str(message.id)) for message in messages(catalog(code))}
    assert ours == {(message.context, str(message.id)) for message in messages(source())}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_is_complete_or_in_progress(code: str) -> None:
    state = catalogs.completeness(code, catalog(code))
    assert state.complete == (code not in IN_PROGRESS), state


@pytest.mark.parametrize("code", LANGUAGES)
def test_messages_stand_in_the_order_in_which_players_see_them(code: str) -> None:
    """A translator begins with what most players read."""
    places = [seen(message) for message in messages(catalog(code))]
    assert places == sorted(places)
    assert places[0][1].startswith("templates/base")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_on_offer_is_approved(code: str) -> None:
    """Its glossary says who read it, and when."""
    glossary = ROOT / "docs" / "languages" / f"{code}.md"
    approval = re.search(r"^Approved \d{4}-\d\d-\d\d: \w", glossary.read_text("utf-8"), re.MULTILINE)
    assert (approval is None) == (code in IN_PROGRESS)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_has_the_values_of_its_english(code: str) -> None:
    wrong = []
    for message in messages(catalog(code)):
        if not catalogs.said(message):
            continue
        many = not isinstance(message.id, str)
        wanted = values(message.id[-1] if many else message.id)
        may_lack = {f"%({name})s" for name in OPTIONAL} if many else set()
        for form in message.string if many else (message.string,):
            if values(form) - wanted or wanted - values(form) - may_lack:
                wrong.append((message.id, form))
    assert wrong == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_has_the_markup_of_its_english(code: str) -> None:
    assert [
        (english, text)
        for english, text in translated(code)
        if Counter(MARKUP.findall(english)) != Counter(MARKUP.findall(text))
    ] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_percent_sign_is_written_as_in_its_english(code: str) -> None:
    """Doubled if values are filled in, else single: Python would not accept it otherwise."""
    wrong = []
    for english, text in translated(code):
        if "%(" in english or "%%" in english:
            rest = VALUE.sub("", text)
            if "%" in rest:
                wrong.append((english, text))
    assert wrong == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_plural_of_a_language_is_there(code: str) -> None:
    forms = catalog(code).num_plurals
    assert [
        message.id
        for message in messages(catalog(code))
        if not isinstance(message.id, str) and catalogs.said(message) and len(message.string) != forms
    ] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_has_no_space_at_its_ends(code: str) -> None:
    assert [text for _english, text in translated(code) if text != text.strip()] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_pattern_of_dates_writes_the_fields_of_its_english(code: str) -> None:
    for message in messages(catalog(code)):
        if message.context == "date pattern" and catalogs.said(message):
            pattern = re.sub(r"'[^']*'", "", str(message.string))
            assert {*re.findall("[A-Za-z]", pattern.replace("L", "M").replace("c", "E"))} == {
                *re.findall("[A-Za-z]", str(message.id))
            }, message.string
            assert format_date(date(2026, 3, 1), str(message.string), locale=code)


# English phrases taken over word by word, which no player of the language says.
CALQUES: Final = {
    "de": r"\bräumt\b.*\bab\b|Der Fisch räumt",
    "es": r"\blimpian?\b|\bun inicial\b",
    "ja": r"色を見て|マスを見ている|マスを見ています|集合を見て|マスに渡|マスにしか渡|遠い端|自由な?端",
    "zh_Hans": "远端|自由端",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_has_no_known_calque(code: str) -> None:
    calque = re.compile(CALQUES.get(code, "(?!)"))
    assert [text for _english, text in translated(code) if calque.search(text)] == []


def test_changed_english_keeps_its_translation_to_be_looked_at_again() -> None:
    old, source = Catalog("de"), Catalog()
    old.add("Save your game", "Spiel speichern")
    old.add("Share this puzzle", "Rätsel teilen")
    for text in ("Save your games", "Share this puzzle", "Share that puzzle"):
        source.add(text)
    found = {message.id: (message.string, message.fuzzy) for message in messages(updated(old, source))}
    assert found["Save your games"] == ("Spiel speichern", True)
    assert found["Share this puzzle"] == ("Rätsel teilen", False)
    assert found["Share that puzzle"] == (None, False)  # a sentence still in use is no suggestion for another


def test_a_language_takes_no_translation_from_another() -> None:
    """The same messages go into every catalog, one after the other."""
    source = Catalog()
    source.add("Save your games")
    found = []
    for code, text in (("de", "Spiel speichern"), ("es", "Guardar partida")):
        old = Catalog(code)
        old.add("Save your game", text)
        found += [message.string for message in messages(updated(old, source))]
    assert found == ["Spiel speichern", "Guardar partida"]
