"""Compiling ahead leaves the calling process as it was."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

from engine import warm


@pytest.fixture
def collecting() -> Iterator[None]:
    """Restore the collector's state after a test."""
    before = gc.isenabled()
    yield
    (gc.enable if before else gc.disable)()


@pytest.mark.usefixtures("collecting")
@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_rests_meanwhile_and_is_left_as_it_was(
    monkeypatch: pytest.MonkeyPatch, enabled: bool
) -> None:
    (gc.enable if enabled else gc.disable)()
    met = []
    monkeypatch.setitem(warm.GROUPS, "a group", lambda: met.append(gc.isenabled()))
    warm.compile_group("a group")
    assert met == [False]
    assert gc.isenabled() == enabled


@pytest.mark.usefixtures("collecting")
def test_a_group_that_fails_says_so_and_leaves_the_collector_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("no space left")

    gc.enable()
    monkeypatch.setitem(warm.GROUPS, "a group", fail)
    with pytest.raises(OSError, match="no space left"):
        warm.compile_group("a group")
    assert gc.isenabled()


def test_a_group_may_call_as_deep_as_python_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(left: int) -> int:
        return 1 + deep(left - 1) if left else 0

    depth = sys.getrecursionlimit() // 2
    met = []
    monkeypatch.setitem(warm.GROUPS, "a group", lambda: met.append(deep(depth)))
    warm.compile_group("a group")
    assert met == [depth]
