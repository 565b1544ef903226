"""Background work: requested once, waited for briefly, cached; errors are reported."""

from __future__ import annotations

from threading import Event

import pytest

from webapp.identity.aside import MOST_WAITING, Aside

pytestmark = pytest.mark.usefixtures("patient")


def test_what_is_quick_is_answered_at_once_and_done_once() -> None:
    done: list[int] = []
    aside = Aside(lambda key: done.append(key) or 2 * key)
    assert [aside.ask(7), aside.ask(7)] == [14, 14]
    assert done == [7]


def test_what_is_slow_is_not_waited_for_and_there_the_next_time() -> None:
    go = Event()
    aside = Aside(lambda key: go.wait(10) and key)
    assert aside.ask("a", patience=0.01) is None
    go.set()
    assert aside.ask("a", patience=10) == "a"


def test_a_full_queue_takes_no_more_and_forgets_nothing() -> None:
    go = Event()
    aside = Aside(lambda key: go.wait(10) and key)
    assert [aside.ask(key, patience=0.01) for key in range(1, MOST_WAITING + 5)] == [None] * (
        MOST_WAITING + 4
    )
    go.set()
    assert aside.ask(1, patience=10) == 1


def test_a_failure_reaches_its_caller() -> None:
    aside: Aside[int, float] = Aside(lambda key: 1 / key)
    with pytest.raises(ZeroDivisionError):
        aside.ask(0)
    assert aside.ask(2) == 0.5
