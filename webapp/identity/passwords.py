"""Passwords: the rules for new ones, and argon2id hashing, one at a time.

Parameters from OWASP's ASVS 5.0, appendix C: t=2, m=19 MiB, p=1. A process computes one hash at a time, in a
thread of lower priority, because moves come first. Callers take the tokens of `for_stranger` or `for_known`
first, so that a flood of guesses is rejected before it costs anything. It locks out no known device, and no
range that hasn't asked lately.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from webapp.identity import limits
from webapp.identity.limits import Taker
from webapp.identity.names import fold
from webapp.process.database import Busy, write_tx
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

SHORTEST, LONGEST = 12, 256  # characters
LEAST_WAIT, MOST_WAIT = 10.0, 25.0  # seconds to wait for the hasher
WORK = 1.0  # seconds of processor time that it gets in any case: other programs may keep the machine busy

hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16)
_slots = threading.BoundedSemaphore(8)  # the queue: more than a process has threads
# Words that guessers would try on this site, in addition to the library's lists.
_OF_THE_SITE = ("ninefold", "sudoku", "correcthorsebatterystaple")
FEWEST_GUESSES = 10**9  # lowest number of guesses by zxcvbn's estimate: two rare words, or ten random digits
LOOKED_AT = 48  # characters; more make no password weaker


def for_stranger(address: str, now: datetime) -> list[Taker]:
    """Return the limits that a hash counts against for a stranger at this address, from limits.network().

    As many again are for ranges of addresses that have asked for nothing in the last minute.
    """
    own = Taker(limits.HASHES_FROM, limits.place(address))
    asked = limits.lacks([replace(own, amount=own.capacity)], now)
    return [own, Taker(limits.HASHES, "", reserve=not asked)]


def for_known(who: str) -> list[Taker]:
    """Return the same for a known account or a device of it, which a flood from strangers leaves alone."""
    return [Taker(limits.HASHES_FROM, who)]


def checked(password: str, name: str) -> str:
    """Return the password unchanged. Raises BadInput if it is too short, too long or too easy to guess."""
    if len(password) < SHORTEST:
        raise BadInput(password=_("Use at least %(count)s characters.", count=SHORTEST))
    if len(password) > LONGEST:
        raise BadInput(password=_("Use at most %(most)s characters.", most=LONGEST))
    if is_guessable(password, name) or fold(name) in (
        fold(password),
        fold(password.rstrip("0123456789!?.*#_-")),
    ):
        raise BadInput(password=_("That password is too easy to guess. Try a few random words."))
    return password


def is_guessable(password: str, name: str = "") -> bool:
    """Whether an attacker who tries common passwords, words, names, dates and keyboard runs finds it soon.

    zxcvbn knows 30,000 common passwords and as many words and names, decorated, reversed, in capitals or in
    leet. Imported when first needed, for its memory.
    """
    from zxcvbn import zxcvbn

    estimate = zxcvbn(password[:LOOKED_AT], user_inputs=[*_OF_THE_SITE, name] if name else list(_OF_THE_SITE))
    return int(estimate["guesses"]) < FEWEST_GUESSES


NICENESS: Final = 3  # of the hashing thread: half of the processor that a move's thread gets
Result = TypeVar("Result")


def _give_way() -> None:
    if sys.platform == "linux":  # only Linux has niceness by thread
        thread = threading.get_native_id()
        # Without privileges, to ask for less niceness than the process has is an error.
        os.setpriority(os.PRIO_PROCESS, thread, max(NICENESS, os.getpriority(os.PRIO_PROCESS, thread)))


_one_at_a_time = ThreadPoolExecutor(1, "passwords", _give_way)


def normal(password: str) -> str:
    """Return the form of a password that is hashed: some keyboards type its letters or spaces differently."""
    return unicodedata.normalize("NFKC", password)


def hashed(password: str) -> str:
    """Return the argon2id hash with salt and parameters. Raises Busy if the hasher is not free in time."""
    return _computed(lambda: hasher.hash(normal(password)))


@contextmanager
def hashed_first(password: str) -> Iterator[str]:
    """Hash a password, then begin a transaction to store the hash."""
    password_hash = hashed(password)
    with write_tx():
        yield password_hash


def matches(password_hash: str | None, password: str) -> bool:
    """Whether this is the password. Without a hash the answer is no and takes as long."""
    for form in dict.fromkeys((normal(password), password)):  # older hashes are of the password as typed
        with suppress(VerificationError, InvalidHashError):
            _computed(partial(hasher.verify, password_hash or dummy(), form))
            return password_hash is not None
    return False


def is_outdated(password_hash: str) -> bool:
    """Whether the hash was made with outdated parameters."""
    return hasher.check_needs_rehash(password_hash)


_spent = 0.0  # seconds of processor time that the hashing thread has used


def _computed(work: Callable[[], Result]) -> Result:
    """Run `work` on the hashing thread. Raises Busy if the queue is full or the wait too long."""

    def measured() -> Result:
        global _spent
        try:
            return work()
        finally:
            _spent = time.thread_time()

    if not _slots.acquire(blocking=False):
        raise Busy("passwords are being checked one at a time")
    try:
        answer, began, spent = _one_at_a_time.submit(measured), time.monotonic(), _spent
        wait = LEAST_WAIT
        while True:
            try:
                return answer.result(wait)
            except Late:
                wait = 1.0
                if _spent - spent >= WORK or time.monotonic() - began >= MOST_WAIT:
                    answer.cancel()
                    raise Busy("passwords are being checked one at a time") from None
    finally:
        _slots.release()


@cache
def dummy() -> str:
    """Return a hash that matches no password, so that an unknown name takes as long as a known one."""
    return hasher.hash("nobody has this password")
