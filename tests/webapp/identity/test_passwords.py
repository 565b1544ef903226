"""Passwords: which are rejected, and how the others are stored."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha512
from statistics import median

import pytest
from argon2 import extract_parameters
from argon2.low_level import Type
from flask import Flask

from tests.webapp.visitors import PASSWORD
from webapp.identity import passwords
from webapp.process.database import Busy
from webapp.process.errors import BadInput

pytestmark = pytest.mark.usefixtures("real_hasher")


@pytest.mark.parametrize(
    "password",
    [
        "1q2w3e4r5t6y",
        "elevenchars",
        sha512(b"a").hexdigest() + sha512(b"b").hexdigest() + "c",
        "aaaaaaaaaaaaaa",
        "passwordpassword",
        "P@ssw0rd2024!!",
        "1234567890123",
        "abcdefghijkl",
        "correcthorsebatterystaple",
        "sudokuninefold",
    ],
)
def test_what_is_guessed_first_is_refused(app: Flask, password: str) -> None:
    with app.test_request_context(), pytest.raises(BadInput):
        passwords.checked(password, "Ada")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has niceness by thread")
def test_hashing_gives_way_to_moves_but_little() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert passwords._computed(niceness) == max(niceness(), 3)


@pytest.mark.parametrize("decoration", ["", "123", "!!", "2026"])
def test_ones_own_name_is_no_password(app: Flask, decoration: str) -> None:
    with app.test_request_context(), pytest.raises(BadInput):
        passwords.checked("Ada of the Hills" + decoration, "Ada of the Hills")


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        "all lower case words",
        "839201748265",
        "%$#@!&*()^_+",
        "北京的猫喜欢吃鱼和数独游戏",
        "x8#kQ!2vLp0z",
        sha512(b"a").hexdigest() + sha512(b"b").hexdigest(),  # as long as can be
    ],
)
def test_nobody_asks_for_capitals_digits_or_signs(app: Flask, password: str) -> None:
    with app.test_request_context():
        assert passwords.checked(password, "Ada") == password


def test_a_password_is_kept_as_argon2id_with_the_parameters_of_asvs() -> None:
    parameters = extract_parameters(passwords.hashed(PASSWORD))
    kept = (parameters.type, parameters.time_cost, parameters.memory_cost, parameters.parallelism)
    assert kept == (Type.ID, 2, 19 * 1024, 1)


def test_only_the_very_password_matches() -> None:
    kept = passwords.hashed(PASSWORD)
    assert passwords.matches(kept, PASSWORD)
    assert not passwords.matches(kept, PASSWORD + " ")
    assert not passwords.matches(kept, PASSWORD.upper())
    assert not passwords.matches(None, "nobody has this password")
    assert not passwords.matches("no hash", PASSWORD)


def test_an_older_hash_is_known_as_outdated() -> None:
    assert not passwords.is_outdated(passwords.hashed(PASSWORD))
    older = passwords.PasswordHasher(time_cost=1, memory_cost=8 * 1024, parallelism=1).hash(PASSWORD)
    assert passwords.is_outdated(older)


def test_a_name_nobody_has_takes_as_long() -> None:
    """Medians within 10 %, of processor time, so that a busy machine does not matter."""
    kept = passwords.hashed(PASSWORD)
    passwords.matches(None, "x")  # creates the dummy hash, once

    def seconds(password_hash: str | None) -> float:
        started = time.process_time()
        passwords.matches(password_hash, "not this one")
        return time.process_time() - started

    known, unknown = zip(*((seconds(kept), seconds(None)) for _ in range(15)), strict=True)
    assert median(unknown) == pytest.approx(median(known), rel=0.1)


def test_one_password_at_a_time_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work: list[int] = [0]
    most: list[int] = []
    real = passwords.hasher.hash

    class Counting:
        def hash(self, password: str) -> str:
            at_work[0] += 1
            most.append(at_work[0])
            try:
                return real(password)
            finally:
                at_work[0] -= 1

    monkeypatch.setattr(passwords, "hasher", Counting())
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(passwords.hashed, [PASSWORD] * 2))
    assert most == [1, 1]


def test_no_more_than_eight_threads_wait_for_the_hasher(monkeypatch: pytest.MonkeyPatch) -> None:
    started, go_on = threading.Event(), threading.Event()

    class Slow:
        def hash(self, _password: str) -> str:
            started.set()
            go_on.wait(60)
            return ""

    monkeypatch.setattr(passwords, "hasher", Slow())
    with ThreadPoolExecutor(8) as threads:
        for _ in range(8):
            threads.submit(passwords.hashed, PASSWORD)
        started.wait(60)
        while passwords._slots._value:
            time.sleep(0.001)
        with pytest.raises(Busy):
            passwords.hashed(PASSWORD)
        go_on.set()


def test_a_password_is_the_same_however_its_letters_are_typed() -> None:
    typed, decomposed = "caf\u00e9 au lait forever", "cafe\u0301\u00a0au lait forever"
    for one, other in ((typed, decomposed), (decomposed, typed)):
        assert passwords.matches(passwords.hashed(one), other)
    old = passwords.hasher.hash(decomposed)
    assert passwords.matches(old, decomposed), "a hash of the password as it was typed"
    assert not passwords.matches(passwords.hashed(typed), "cafe au lait forever")
