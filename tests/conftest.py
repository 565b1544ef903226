"""Fixtures of several packages."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.thorough import amount

if TYPE_CHECKING:
    from tests.webapp.stocked import Originals

# A busy machine is no reason to fail: neither an example nor drawing it has a time limit.
settings.register_profile(
    "ninefold",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=amount("EXAMPLES", 25, 100),
)
settings.load_profile("ninefold")

# A background process ignores SIGINT, and SIGHUP under nohup. Its children inherit that, so a test could not
# interrupt them. Once a signal has a handler here, children start with its default again.
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Keep the tests of a file in one process, so that their shared fixtures are made once.

    Those on PostgreSQL form a group of their own, since a process makes its site anew for each database. They
    come first, then the files with slow tests; short ones come last, so that the processes end together.
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
    """Freeze the objects that exist before the first test, so that the garbage collector skips them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of the shared data sets, which are not part of this repository."""
    folder = os.environ.get("NINEFOLD_DATA")
    if not folder:
        pytest.skip("NINEFOLD_DATA names no folder of shared data sets")
    return Path(folder)


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Originals:
    """Instances that are made once for all processes of this run, to be copied."""
    from tests.webapp import stocked  # the engine's tests do without the site

    return stocked.originals(tmp_path_factory, worker_id)


@pytest.fixture(scope="session")
def kernels(originals: Originals) -> None:
    """Compile every kernel, as `make setup` does: once for all processes of this run."""
    from engine import warm  # loads the engine, which tests of documents don't need

    if not warm.ready():
        originals.made("kernels", _compile)


def _compile(done: Path) -> None:
    subprocess.run([sys.executable, "-m", "engine.warm"], check=True, stdout=subprocess.DEVNULL)
    done.touch()
