"""Rivals in benchmarks: any command that the caller names runs beside ours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.peers import Build, alternated, beside, beyond_start, peers, ratio, seconds

WORK = "import sys; [line for _ in range(300) for line in open(sys.argv[1]) for cell in line]"


BUILDS = """
[one]
built = "cc -O3"
solve = "solver -q {file}"
[two.slow]
rate = "slow"
[two.fast]
rate = "fast"
"""


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a file of rivals."""
    (tmp_path / "peers.toml").write_text(BUILDS)
    monkeypatch.setenv("NINEFOLD_PEERS", str(tmp_path / "peers.toml"))


@pytest.mark.usefixtures("named")
def test_builds_are_read_by_task_from_the_file_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert peers("solve")["one"] == [Build("cc -O3", {"solve": ["solver", "-q", "{file}"]})]
    assert list(peers("rate")) == ["two"]
    monkeypatch.delenv("NINEFOLD_PEERS")
    assert peers("rate") == {}


@pytest.mark.usefixtures("named")
def test_of_a_rivals_builds_the_fastest_is_kept() -> None:
    _ours, others = beside("rate", 3, lambda: 1.0, lambda command: {"slow": 3.0, "fast": 2.0}[command[0]])
    assert others == [("two", "", [2.0, 2.0, 2.0])]


def test_a_command_gets_its_puzzles_and_is_timed_beyond_its_start() -> None:
    command = [sys.executable, "-c", WORK, "{file}"]
    assert 0 < beyond_start(command, [81 * "."] * 2000) < seconds(command, 2001 * (81 * "." + "\n")) + 1
    by_input = [sys.executable, "-c", "import sys; sys.exit(sys.stdin.read() != 'a\\n')"]
    assert seconds(by_input, "a\n") > 0
    with pytest.raises(RuntimeError, match="ended with status 1"):
        seconds(by_input, "b\n")


def test_a_ratio_has_its_range() -> None:
    turns = iter([2.0, 3.0, 6.0])
    ours, theirs = alternated(3, lambda: 1.0, [lambda: next(turns)])
    assert ratio(ours, theirs[0]) == "3.00 (2.00 to 6.00)"
