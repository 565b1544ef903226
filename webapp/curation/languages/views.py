"""The missing and outdated messages of each catalog."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Message

from webapp.process.words import current_locale
from webapp.web.i18n import catalogs
from webapp.web.i18n.names import own_name, tag_of


@dataclass(frozen=True, slots=True)
class Lacking:
    """A message to translate: its English, and the translation of an earlier version; empty for none."""

    text: str
    before: str


@dataclass(frozen=True, slots=True)
class LanguageView:
    """A catalog as the desk shows it."""

    code: str
    tag: str
    own_name: str
    name: str
    total: int
    missing: tuple[Lacking, ...]
    changed: tuple[Lacking, ...]

    @property
    def done(self) -> int:
        """The number of translated messages."""
        return self.total - len(self.missing) - len(self.changed)

    @property
    def offered(self) -> bool:
        """Whether players can choose it."""
        return self.done == self.total > 0


def language_views(folder: Path) -> list[LanguageView]:
    """Return every language with a catalog, complete or not."""
    return [_view(folder, code) for code in catalogs.codes(folder)]


def _view(folder: Path, code: str) -> LanguageView:
    changed = (folder / code / catalogs.FILE).stat().st_mtime_ns
    return _read(folder, code, changed, current_locale())


@lru_cache(maxsize=32)
def _read(folder: Path, code: str, _changed: int, here: str) -> LanguageView:
    """Read a catalog, cached by its time of change and the page's language: reading takes 50 ms."""
    found = catalogs.catalog(folder, code)
    messages = [message for message in found if message.id]
    name = Locale.parse(code).get_display_name(here) or code
    return LanguageView(
        code,
        tag_of(code),
        own_name(code),
        name,
        len(messages),
        tuple(_lacking(each) for each in messages if not each.fuzzy and not catalogs.said(each)),
        tuple(_lacking(each) for each in messages if each.fuzzy),
    )


def _lacking(message: Message) -> Lacking:
    text = message.id if isinstance(message.id, str) else message.id[0]
    before = message.string
    return Lacking(text, before if isinstance(before, str) else next(iter(before or ()), ""))
