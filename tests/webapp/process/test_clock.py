"""The two clocks: wall time, which can be set, and monotonic time."""

from __future__ import annotations

from datetime import timedelta

from tests.webapp.visitors import SetClock
from webapp import create_app
from webapp.process.clock import Watch, boottime, following, steady_between, steady_now
from webapp.process.config import Settings


def test_the_machines_steady_clock_runs_forward_and_names_its_start() -> None:
    start, end = boottime(), boottime()
    assert len(start) <= 60  # the column's width
    span = steady_between(start, end)
    assert span is not None and timedelta() <= span < timedelta(minutes=1)


def test_clocks_of_two_starts_cannot_be_compared() -> None:
    assert steady_between("a:5000", "a:7000") == timedelta(microseconds=2)
    assert steady_between("a:5000", "b:7000") is None
    assert steady_between(":5000", ":7000") is None  # the boot is unknown


def test_a_set_clock_is_believed_unless_another_is_given(settings: Settings) -> None:
    clock = SetClock()
    start = following(clock)()
    clock.advance(hours=1)
    assert steady_between(start, following(clock)()) == timedelta(hours=1)
    app = create_app(settings, clock=clock, steady=lambda: "boot:1")
    with app.app_context():
        assert steady_now() == "boot:1"


def test_a_clock_that_is_set_is_believed_once_it_has_run_evenly(settings: Settings) -> None:
    clock, steady = SetClock(), SetClock()
    app = create_app(settings, clock=clock, steady=following(steady))

    def pass_by(minutes: float) -> bool:
        clock.advance(minutes=minutes)
        steady.advance(minutes=minutes)
        return watch.even()

    with app.app_context():
        watch = Watch()
        assert pass_by(2)
        clock.advance(days=40)  # for a minute
        assert [pass_by(0), pass_by(1)] == [False, False]
        clock.advance(days=-40)
        assert [pass_by(1), pass_by(5), pass_by(5), pass_by(2)] == [False, False, True, True]
