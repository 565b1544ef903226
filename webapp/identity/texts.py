"""Texts that people store and others read: titles, notes, comments, reasons, names of files.

Allowed is what prints: letters of every script, marks, digits, punctuation, symbols and single spaces.
Refused are control characters, those that turn the direction of what follows, unassigned ones, more than a
few marks on a letter, and texts of which nothing can be seen.
"""

from __future__ import annotations

import re
import unicodedata

from webapp.identity.names import INVISIBLE
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

MOST_MARKS = 4  # in a row; Vietnamese has two, Tibetan four
JOINERS = "\u200c\u200d"  # Persian and emoji need them between two visible characters


def checked(
    field: str, text: str, most: int | None = None, *, missing: str | None = None, lines: bool = False
) -> str:
    """Return a text as it is stored, with line breaks or with spaces for them. Raises BadInput by field.

    most: the longest text allowed. missing: what to say of an empty text, unless that is allowed.
    """
    text = laid_out(text, lines=lines)
    wrong = next((place for place in range(len(text)) if not _fits(text, place)), None)
    if wrong is not None:
        found = f"U+{ord(text[wrong]):04X}"
        raise BadInput(**{field: _("Remove the character %(found)s, which doesn’t print.", found=found)})
    if text and not any(map(_visible, text)):
        raise BadInput(**{field: _("Enter something that can be read.")})
    if not text and missing is not None:
        raise BadInput(**{field: missing})
    if most is not None and len(text) > most:
        raise BadInput(**{field: _("Use at most %(most)s characters.", most=most)})
    return text


def cleaned(text: str) -> str:
    """Return a text of a file without what `checked` refuses."""
    text = laid_out(text, lines=False)
    kept = "".join(text[place] for place in range(len(text)) if _fits(text, place))
    return kept.strip() if any(map(_visible, kept)) else ""


def laid_out(text: str, *, lines: bool) -> str:
    """Return a text composed, with single spaces, and with at most one empty line between two."""
    text = unicodedata.normalize("NFC", text)
    if not lines:
        return " ".join(text.split())
    rows = [" ".join(row.split(" ")).rstrip() for row in re.split("\r\n|[\r\n]", text)]
    return re.sub("\n{3,}", "\n\n", "\n".join(rows)).strip()


def _fits(text: str, place: int) -> bool:
    mark = text[place]
    if mark in INVISIBLE:
        return False
    if mark in JOINERS:
        around = text[max(0, place - 1) : place], text[place + 1 : place + 2]
        return all(other and not other.isspace() and other not in JOINERS for other in around)
    kind = unicodedata.category(mark)
    if kind[0] == "M":
        before = text[max(0, place - MOST_MARKS) : place]
        return len(before) < MOST_MARKS or not all(unicodedata.category(other)[0] == "M" for other in before)
    return mark == "\n" or kind == "Zs" or kind[0] in "LNPS"


def _visible(mark: str) -> bool:
    return unicodedata.category(mark)[0] in "LNPS" and mark not in INVISIBLE
