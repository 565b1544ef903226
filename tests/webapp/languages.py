"""Pseudo-languages made from the messages: they show untranslated or overlong text.

Each stands in for a real one, from which it has dates, lists and direction: Greek, and Hebrew, which is
written from right to left.
"""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog

from webapp.web.i18n import catalogs
from webapp.web.i18n.messages import text_of

LONGER, FROM_THE_RIGHT = "el", "he"

# Parts that a translation must keep: values, tags, entities, and the patterns of dates.
_KEPT = re.compile(r"(%\(\w+\)s|%%|\{\w+\}|<[^>]*>|&\w+;|\n)")
_ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "áçéíñóšúýžÁÇÉÍÑÓŠÚÝŽ")
_OTHERS = str.maketrans("bdfghjklmpqrtvwxBDFGHJKLMPQRTVWX", "ƀđƒǥħĵķłɱƥʠřŧṽŵẋƁĐƑǤĦĴĶŁⱮƤɊŘŦṼŴẊ")


def longer(text: str) -> str:
    """Return the text in letters with accents, 40 % longer, in brackets."""
    said = "".join(
        part if _KEPT.fullmatch(part) else part.translate(_ACCENTS).translate(_OTHERS)
        for part in _KEPT.split(text)
    )
    return f"⟦{said}{'·' * (len(text) * 2 // 5)}⟧"


def write_catalogs(folder: Path) -> None:
    """Write the pseudo-languages into `folder`, beside copies of the complete catalogs."""
    # It has every message
    template = catalogs.catalog(catalogs.CATALOGS, catalogs.codes(catalogs.CATALOGS)[0])
    for code in (LONGER, FROM_THE_RIGHT):
        (folder / code / catalogs.FILE).parent.mkdir(parents=True)
        (folder / code / catalogs.FILE).write_text(text_of(_made(code, template)), encoding="utf-8")
    for code in catalogs.codes(catalogs.CATALOGS):
        if catalogs.completeness(code, catalogs.catalog(catalogs.CATALOGS, code)).complete:
            shutil.copytree(catalogs.CATALOGS / code, folder / code)


def _made(code: str, template: Catalog) -> Catalog:
    made = Catalog(code, catalogs.DOMAIN, fuzzy=False)
    for message in template:
        if message.id and message.context == "date pattern":
            made.add(message.id, message.id, context=message.context)
        elif isinstance(message.id, str):
            if message.id:
                made.add(message.id, longer(message.id), context=message.context)
        else:
            one, many = message.id
            forms = (longer(one), *[longer(many)] * (made.num_plurals - 1))
            made.add(message.id, forms, context=message.context)
    return made


class Said(HTMLParser):
    """Collect a page's texts, and the attributes that are read out.

    Text marked with a language of its own is left out.
    """

    SPOKEN: Final = frozenset(
        ("alt", "aria-label", "placeholder", "title", "aria-roledescription", "data-wrong")
    )
    EMPTY: Final = frozenset(("br", "hr", "img", "input", "link", "meta", "path", "rect", "circle", "wbr"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent: list[str] = []  # open elements inside of one that is skipped
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Record its attributes."""
        known = {name: value or "" for name, value in attributes}
        if self._silent:
            if tag not in self.EMPTY:
                self._silent.append(tag)
            return
        if tag not in self.EMPTY and (
            tag in ("script", "style", "code", "kbd", "bdi", "textarea", "pre")
            or ("lang" in known and tag != "html")
        ):
            self._silent.append(tag)
            return
        self.texts += [value for name, value in known.items() if name in self.SPOKEN]
        if tag == "meta" and known.get("name") == "description":
            self.texts.append(known.get("content", ""))

    def handle_endtag(self, tag: str) -> None:
        """Leave a skipped element."""
        if self._silent and tag in self._silent:
            while self._silent.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Record a text."""
        if not self._silent and data.strip():
            self.texts.append(" ".join(data.split()))
