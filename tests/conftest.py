"""Fixtures that more than one room needs."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.thorough import amount

if TYPE_CHECKING:
    from tests.webapp.furnished import Originals

# A busy machine is no reason to fail: neither an example nor drawing it has a time limit.
settings.register_profile(
    "ninefold",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=amount("EXAMPLES", 50, 100),
)
settings.load_profile("ninefold")

# In the background SIGINT is ignored, under nohup SIGHUP too, and children inherit that: a process that a
# test interrupts would never end. Once a signal has a handler here, children start with its default again.
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """The tests of a file stay in one process, which reads and makes what they share once, not four times.

    Those on PostgreSQL are apart, since a process makes its site anew for each database. They come first,
    then the files with slow tests: what is short comes last, when the processes are to end together.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}

    def turn(item: pytest.Item) -> int:
        if item.path.parent.name == "browser":
            return 0
        return 1 if "[postgresql" in item.name else 2 if item.path in slow else 3

    for item in items:
        if turn(item) and item.get_closest_marker("xdist_group") is None:
            name = f"{item.path.parent.name}/{item.path.stem}"
            item.add_marker(pytest.mark.xdist_group(f"{name} on PostgreSQL" if turn(item) == 1 else name))
    yield
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=turn)


def pytest_collection_finish() -> None:
    """What is there before the first test stays, so the garbage collector need not look at it any more."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the shared data sets, which are not part of this repository."""
    folder = os.environ.get("NINEFOLD_DATA")
    if not folder:
        pytest.skip("NINEFOLD_DATA names no folder of shared data sets")
    return Path(folder)


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Originals:
    """Instances that are made once for all processes of this run, to be copied."""
    from tests.webapp import furnished  # the engine's tests do without the site

    return furnished.originals(tmp_path_factory, worker_id)
