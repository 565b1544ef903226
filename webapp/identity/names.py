"""Rules for player names, and when two names look alike. Independent of the database."""

from __future__ import annotations

import re
import unicodedata

from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

SHORTEST, LONGEST = 3, 20  # characters, after normalization
SEPARATORS = " _-"
ALLOWED = frozenset(("Lu", "Ll", "Lt", "Lo", "Nd"))  # categories of Unicode
# Invisible characters that Unicode classifies as letters: Hangul fillers.
INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0")
RESERVED = (
    "admin",
    "administrator",
    "anonymous",
    "curator",
    "deleted",
    "guest",
    "moderator",
    "ninefold",
    "player",
    "root",
    "somebody",
    "support",
    "system",
)

# Letters of other scripts, and digits, that look like a Latin letter (from Unicode's confusables, those
# that a keyboard of the script can type), after case folding; i, l and 1 look alike in many fonts.
_ALIKE = {
    **dict(zip("авгезікмнорстухѕјԁԛԝһьбч", "abre31kmhopctyxsjdqwhb64", strict=True)),
    **dict(zip("αβγεηικνορτυχωϲϳ", "abyen1kvoptuxwcj", strict=True)),
    **dict(zip("օոսցհքզ", "onughqq", strict=True)),
    **dict(zip("0il1ıøđłħ", "o1111od1h", strict=True)),
}
_ALIKE_TABLE = str.maketrans(_ALIKE)


def clean(text: str) -> str:
    """Return the name as stored: NFKC, stripped, with runs of spaces collapsed."""
    return re.sub(" +", " ", unicodedata.normalize("NFKC", text)).strip(" ")


def checked(text: str) -> str:
    """Return the cleaned name. Raises BadInput with the reason if it is not allowed."""
    if len(text) > 10 * LONGEST:  # before doing any work on it
        raise BadInput(name=_too_long())
    name = clean(text)
    if len(name) < SHORTEST:
        raise BadInput(name=_("Use at least %(count)s characters.", count=SHORTEST))
    if len(name) > LONGEST:
        raise BadInput(name=_too_long())
    for character in name:
        hidden = character in INVISIBLE
        if hidden or (character not in SEPARATORS and unicodedata.category(character) not in ALLOWED):
            raise BadInput(
                name=_(
                    "Use only letters, digits, spaces, _ and -. “%(found)s” isn’t one of them.",
                    found=character if character.isprintable() and not hidden else f"U+{ord(character):04X}",
                )
            )
    key = fold(name)
    if not key:
        raise BadInput(name=_("Use at least one letter or digit."))
    if key in _RESERVED_KEYS:
        raise BadInput(name=_("That name could be mistaken for the site’s own. Choose another."))
    return name


def fold(name: str) -> str:
    """Return a key that names share if they look alike: no case, accents or separators. At most 40 long."""
    apart = unicodedata.normalize("NFKD", clean(name).casefold())
    bare = "".join(
        character
        for character in apart
        if unicodedata.category(character)[0] not in "MC" and character not in SEPARATORS
    )
    whole = unicodedata.normalize("NFKC", bare).casefold()  # recompose Hangul
    return whole.translate(_ALIKE_TABLE).replace("rn", "m").replace("vv", "w")


def _too_long() -> str:
    return _("Use at most %(most)s characters.", most=LONGEST)


_RESERVED_KEYS = frozenset(map(fold, RESERVED))


def initials(name: str | None) -> str:
    """Return two letters of a name: those of two words, or the first two."""
    first, _space, rest = (name or "").replace("_", " ").strip().partition(" ")
    return (first[:1] + rest[:1] if rest else first[:2]).upper()
