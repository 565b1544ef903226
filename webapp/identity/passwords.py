"""Passwords: the rules for new ones, and argon2id hashing, one at a time.

Parameters from OWASP's ASVS 5.0, appendix C: t=2, m=19 MiB, p=1. Measured on two cores: 17 ms of one core, an
eighth of the library's default. A process computes one hash at a time, in a low-priority thread, because
moves come first. Callers take a token of `HASHES` first, so that a flood of guesses is rejected before it
costs anything.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from webapp.identity.limits import Limit
from webapp.identity.names import fold
from webapp.process.database import Busy
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

SHORTEST, LONGEST = 12, 256  # characters
HASHES = Limit("hash", 300, timedelta(minutes=1))  # over all processes: 5 s of one core per minute
WAIT = 2.0  # seconds to wait for the hasher

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16)
# Only one more may wait: threads waiting for the hasher cannot serve moves.
_room = threading.BoundedSemaphore(2)
_RUNS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "azertyuiop",
)
_LEET = str.maketrans("0134578@$!", "oieastbasi")


def checked(password: str, name: str) -> str:
    """Return the password unchanged. Raises BadInput if it is too short, too long or too easy to guess."""
    if len(password) < SHORTEST:
        raise BadInput(password=_("Use at least %(count)s characters.", count=SHORTEST))
    if len(password) > LONGEST:
        raise BadInput(password=_("Use at most %(count)s characters.", count=LONGEST))
    if is_common(password) or fold(name) in (fold(password), fold(password.rstrip("0123456789!?.*#_-"))):
        raise BadInput(password=_("That password is too easy to guess. Try a few random words."))
    return password


def is_common(password: str) -> bool:
    """Whether it is made of listed words, alone, repeated or decorated, or runs along the keyboard."""
    lower = password.casefold()
    if len(set(lower)) < 4:
        return True
    undecorated = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", lower)
    for form in (lower, undecorated, lower.translate(_LEET), undecorated.translate(_LEET)):
        text = re.sub(r"[\W_]", "", form)
        unit = _unit(text)
        if text and ({unit, unit.strip("0123456789")} & _words() or unit in _runs()):
            return True
        if any(first in _words() and second in _words() for first, second in _halves(text)):
            return True
    return False


NICENESS: Final = 10  # of the hashing thread: a tenth of the processor when others need it
Result = TypeVar("Result")


def _give_way() -> None:
    if sys.platform == "linux":  # elsewhere threads have no niceness
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_one_at_a_time = ThreadPoolExecutor(1, "passwords", _give_way)


def hashed(password: str) -> str:
    """Return the argon2id hash with salt and parameters. Raises Busy if the hasher is not free in time."""
    return _computed(lambda: _hasher.hash(password))


def matches(password_hash: str | None, password: str) -> bool:
    """Whether this is the password. Without a hash the answer is no and takes as long."""
    try:
        verified = _computed(lambda: _hasher.verify(password_hash or _dummy(), password))
    except (VerificationError, InvalidHashError):
        return False
    return verified and password_hash is not None


def is_outdated(password_hash: str) -> bool:
    """Whether the hash was made with outdated parameters."""
    return _hasher.check_needs_rehash(password_hash)


def _computed(work: Callable[[], Result]) -> Result:
    """Run `work` on the hashing thread. Raises Busy if the queue is full or the wait too long."""
    if not _room.acquire(blocking=False):
        raise Busy("passwords are being checked one at a time")
    try:
        answer = _one_at_a_time.submit(work)
        return answer.result(WAIT)
    except Late:
        answer.cancel()
        raise Busy("passwords are being checked one at a time") from None
    finally:
        _room.release()


def _unit(text: str) -> str:
    """Return the shortest unit the text repeats: `ab` for `abab`."""
    for length in range(1, len(text) // 2 + 1):
        if len(text) % length == 0 and text[:length] * (len(text) // length) == text:
            return text[:length]
    return text


def _halves(text: str) -> list[tuple[str, str]]:
    return [(text[:cut], text[cut:]) for cut in range(1, len(text))]


@cache
def _dummy() -> str:
    return _hasher.hash("nobody has this password")


@cache
def _words() -> frozenset[str]:
    lines = (Path(__file__).parent / "common_passwords.txt").read_text().splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def _runs() -> frozenset[str]:
    """Return every substring of four or more characters of a run, in both directions."""
    ways = [way for run in _RUNS for way in (run, run[::-1])]
    return frozenset(
        way[start:end] for way in ways for start in range(len(way)) for end in range(start + 4, len(way) + 1)
    )
