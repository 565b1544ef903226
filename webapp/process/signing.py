"""The keys that sign cookies: those of SECRET_KEY, else those in a file of INSTANCE_PATH."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from webapp.process.errors import SettingError
from webapp.process.operation import machine

FILE = "secret_key"  # in INSTANCE_PATH, with one key a line; the first signs
LEAST = 32  # characters; ASVS 5.0 asks for 128 bits or more
HOW = "make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
# Different characters, and different steps from one to the next, of a key that isn't made by hand. 32 random
# hexadecimal digits have 14 and 19.
LEAST_VARIED = 8
# Parts of keys that documentation shows and people forget to replace
PLACEHOLDERS = re.compile("changeme|secretkey|yoursecret|mysecret|password|example|insecure|default")


def keys(text: str, instance_path: Path) -> tuple[str, ...]:
    """Return all keys, the signing one first: those given, else those of the instance's file."""
    given = [key.strip() for key in text.split(",") if key.strip()]
    if text and not given:
        raise ValueError("it is blank; leave it out to use the key in INSTANCE_PATH")
    found = given or _kept(instance_path / FILE).splitlines()
    if (shortest := min(map(len, found), default=0)) < LEAST:
        raise ValueError(f"expected at least {LEAST} characters, found {shortest}; {HOW}")
    if given:
        _refuse_weak(given[0])  # not the older ones: guests need them
    return tuple(dict.fromkeys(found))


def _refuse_weak(key: str) -> None:
    """Raise ValueError for a key that somebody could guess; never quote it."""
    if PLACEHOLDERS.search(re.sub(r"[^a-z0-9]", "", key.lower())):
        raise ValueError(f"it looks like a placeholder; {HOW}")
    steps = {ord(after) - ord(before) for before, after in pairwise(key)}
    if key in (key + key)[1:-1] or min(len(set(key)), len(steps)) < LEAST_VARIED:
        raise ValueError(f"it is too regular to be secret; {HOW}")


def rotate(file: Path) -> int:
    """Add a new signing key to `file`; the others stay accepted. Returns the number of keys."""
    keys = [secrets.token_urlsafe(48), *_kept(file).splitlines()]
    keep(file, keys)
    return len(keys)


def _kept(file: Path) -> str:
    """Return the instance's secret keys from its file; the first start creates it with mode 0600."""
    if not file.exists():
        keep(file, [secrets.token_urlsafe(48)], replace=False)
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise SettingError("INSTANCE_PATH", f"cannot read {file}: {reason}") from None


def keep(file: Path, keys: Sequence[str], *, replace: bool = True) -> None:
    """Write these keys to `file` atomically, synced to disk and readable only by its owner.

    replace: whether an existing file is replaced; else it stays.
    """
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        fresh.touch(mode=0o600)
        fresh.write_text("\n".join(keys))
        if replace:
            if os.geteuid() == 0:  # root may rotate the key of a site that runs as another user
                owner = file.stat()
                os.chown(fresh, owner.st_uid, owner.st_gid)
            machine.sync(fresh)
            fresh.replace(file)
            machine.sync(file.parent)
        else:
            with suppress(FileExistsError):  # of two processes that start at once exactly one wins
                os.link(fresh, file)
    except OSError as error:
        raise SettingError("INSTANCE_PATH", f"cannot write {file}: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)
