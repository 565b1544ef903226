"""`flask serve` and a signal at an awkward moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from webapp.site import serve


@pytest.fixture
def stop() -> Iterator[serve.Stop]:
    """What hears signals, for this test alone."""
    before = {number: signal.getsignal(number) for number in serve.SIGNALS}
    stop = serve.Stop()
    yield stop
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_while_a_child_is_started_waits_until_the_child_is_known(
    stop: serve.Stop, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Started:
        def __init__(self, *_arguments: Any, **_options: Any) -> None:
            signal.raise_signal(signal.SIGINT)

        def poll(self) -> None:
            return None

    monkeypatch.setattr(serve.subprocess, "Popen", Started)
    stop.release()
    child = serve.Child(stop, "site")
    with pytest.raises(serve.Stopped):
        child.start()
    assert child.running


def test_a_signal_stops_once(stop: serve.Stop) -> None:
    stop.release()
    with pytest.raises(serve.Stopped):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGHUP)  # a terminal that closes sends two


def test_a_signal_before_the_start_is_not_forgotten(stop: serve.Stop) -> None:
    signal.raise_signal(signal.SIGTERM)
    with pytest.raises(serve.Stopped):
        stop.release()


def test_a_child_that_was_never_started_is_stopped_by_doing_nothing(stop: serve.Stop) -> None:
    child = serve.Child(stop, "site")
    child.tell_to_stop()
    child.wait(0)
    assert not child.running


def test_a_hangup_that_was_ignored_at_the_start_stays_ignored() -> None:
    """`nohup make run` outlives its terminal."""
    before = {number: signal.getsignal(number) for number in serve.SIGNALS}
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        serve.Stop().release()
        signal.raise_signal(signal.SIGHUP)  # would raise Stopped
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
