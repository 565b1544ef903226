"""Passwords: the rules for new ones, and argon2id hashing, one at a time.

Parameters from OWASP's ASVS 5.0, appendix C: t=2, m=19 MiB, p=1. Measured on two cores: 17 ms of one core, an
eighth of the library's default. A process computes one hash at a time, in a low-priority thread, because
moves come first. Callers take the tokens of `for_stranger` or `for_known` first, so that a flood of guesses
is rejected before it costs anything and locks out no known device.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from datetime import timedelta
from functools import cache
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from webapp.identity import limits
from webapp.identity.limits import Limit, Taker
from webapp.identity.names import fold
from webapp.process.database import Busy
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

SHORTEST, LONGEST = 12, 256  # characters
HASHES = Limit(
    "hash", 300, timedelta(minutes=1)
)  # for strangers, over all processes: 5 s of one core per minute
# For strangers, from one network.
HASHES_FROM = Limit("hash-from", 2, timedelta(minutes=1), shared=True)
# For known callers: an account on a device where it has signed in before, or with a session or a link. A
# flood from strangers doesn't use these up.
HASHES_KNOWN = Limit("hash-known", 60, timedelta(minutes=1))
WAIT = 2.0  # seconds to wait for the hasher

hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16)
# Only one more may wait: threads waiting for the hasher can't serve moves.
_slots = threading.BoundedSemaphore(2)
# Words that guessers would try on this site, in addition to the library's lists.
_OF_THE_SITE = ("ninefold", "sudoku", "correcthorsebatterystaple")
FEWEST_GUESSES = 10**9  # lowest number of guesses by zxcvbn's estimate: two rare words, or ten random digits
LOOKED_AT = 48  # characters: 6 ms at most, and more make no password weaker


def for_stranger(address: str) -> list[Taker]:
    """Return the limits that a hash counts against for a stranger at this address, from limits.network()."""
    return [Taker(HASHES_FROM, limits.place(address)), Taker(HASHES, "")]


def for_known(who: str) -> list[Taker]:
    """Return the limits that a hash counts against for a known account, or a device of it."""
    return [Taker(HASHES_KNOWN, who)]


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
    leet. Imported when first needed: 14 MB and 0.02 s of processor time.
    """
    from zxcvbn import zxcvbn

    estimate = zxcvbn(password[:LOOKED_AT], user_inputs=[*_OF_THE_SITE, name] if name else list(_OF_THE_SITE))
    return int(estimate["guesses"]) < FEWEST_GUESSES


NICENESS: Final = 10  # of the hashing thread: a tenth of the processor when others need it
Result = TypeVar("Result")


def _give_way() -> None:
    if sys.platform == "linux":  # only Linux has niceness by thread
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_one_at_a_time = ThreadPoolExecutor(1, "passwords", _give_way)


def hashed(password: str) -> str:
    """Return the argon2id hash with salt and parameters. Raises Busy if the hasher is not free in time."""
    return _computed(lambda: hasher.hash(password))


def matches(password_hash: str | None, password: str) -> bool:
    """Whether this is the password. Without a hash the answer is no and takes as long."""
    try:
        verified = _computed(lambda: hasher.verify(password_hash or dummy(), password))
    except (VerificationError, InvalidHashError):
        return False
    return verified and password_hash is not None


def is_outdated(password_hash: str) -> bool:
    """Whether the hash was made with outdated parameters."""
    return hasher.check_needs_rehash(password_hash)


def _computed(work: Callable[[], Result]) -> Result:
    """Run `work` on the hashing thread. Raises Busy if the queue is full or the wait too long."""
    if not _slots.acquire(blocking=False):
        raise Busy("passwords are being checked one at a time")
    try:
        answer = _one_at_a_time.submit(work)
        return answer.result(WAIT)
    except Late:
        answer.cancel()
        raise Busy("passwords are being checked one at a time") from None
    finally:
        _slots.release()


@cache
def dummy() -> str:
    """Return a hash that matches no password, so that an unknown name takes as long as a known one."""
    return hasher.hash("nobody has this password")
