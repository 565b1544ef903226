"""Rivals in benchmarks: any command that the caller names runs beside ours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.peers import beyond_start, in_turns, peers, seconds, told

WORK = "import sys; [line for _ in range(300) for line in open(sys.argv[1]) for cell in line]"


def test_commands_are_read_by_task_from_the_file_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "peers.toml").write_text('[one]\nsolve = "solver -q {file}"\n[two]\nrate = "rater"\n')
    monkeypatch.setenv("NINEFOLD_PEERS", str(tmp_path / "peers.toml"))
    assert peers("solve")["one"] == ["solver", "-q", "{file}"]
    assert peers("rate") == {"two": ["rater"]}
    monkeypatch.delenv("NINEFOLD_PEERS")
    assert peers("rate") == {}


def test_a_command_gets_its_puzzles_and_is_timed_beyond_its_start() -> None:
    command = [sys.executable, "-c", WORK, "{file}"]
    assert 0 < beyond_start(command, [81 * "."] * 2000) < seconds(command, 2001 * (81 * "." + "\n")) + 1
    by_input = [sys.executable, "-c", "import sys; sys.exit(sys.stdin.read() != 'a\\n')"]
    assert seconds(by_input, "a\n") > 0
    with pytest.raises(RuntimeError, match="ended with status 1"):
        seconds(by_input, "b\n")


def test_ratios_are_told_with_their_range() -> None:
    turns = iter([2.0, 3.0, 6.0])
    ours, theirs = in_turns(3, lambda: 1.0, [lambda: next(turns)])
    assert told("rival", 6, ours, theirs[0]) == "rival 2 /s, ours 3.0 times as many (2.0 to 6.0)"
