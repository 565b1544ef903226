"""Rivals that the caller has built: the TOML file that NINEFOLD_PEERS names says how to run them.

    [tdoku]
    solve = "/opt/tdoku/run_benchmark {file}"

    [explainer]
    rate = "java -cp SukakuExplainer.jar diuf.sudoku.test.serate --input={file}"

A command gets puzzles of 81 characters a line, in `{file}` or else by its standard input; what it prints is
thrown away. Nothing is downloaded. QQWing, a package of Debian and Ubuntu, is found without the file.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

_FILE: Final = "{file}"
_MOST_TIMES: Final = 256


def peers(task: str) -> dict[str, list[str]]:
    """The commands for a task, "solve" or "rate", by the name of the rival."""
    found: dict[str, list[str]] = {}
    if task == "solve" and (qqwing := shutil.which("qqwing")):
        found["qqwing"] = [qqwing, "--solve", "--one-line"]
    if path := os.environ.get("NINEFOLD_PEERS"):
        for name, commands in tomllib.loads(Path(path).read_text()).items():
            if task in commands:
                found[name] = shlex.split(commands[task])
    return found


def seconds(command: Sequence[str], given: str = "") -> float:
    """Processor seconds of one run of `command`, those of the processes it waits for included."""
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as text:
        text.write(given)
        text.seek(0)
        named = [word.replace(_FILE, text.name) for word in command]
        process = subprocess.Popen(named, stdin=text, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def beyond_start(command: Sequence[str], lines: Sequence[str]) -> float:
    """Processor seconds of a run over `lines`, without what a run over the first one takes.

    Repeats the lines until they outweigh the start, which varies by 0.1 s for a virtual machine.
    """
    text, times = "".join(f"{line}\n" for line in lines), 1
    start = seconds(command, f"{lines[0]}\n")
    while (spent := seconds(command, times * text) - start) < 4 * start and times < _MOST_TIMES:
        times *= 4
    return max(spent, 1e-9) / times


def told(name: str, jobs: int, ours: Sequence[float], theirs: Sequence[float]) -> str:
    """A rival's throughput and how many times it ours is: the median of all turns, and their range."""
    ratios = sorted(their / mine for mine, their in zip(ours, theirs, strict=True))
    return (
        f"{name} {jobs / median(theirs):,.0f} /s, ours {median(ratios):,.1f} times as many"
        f" ({ratios[0]:,.1f} to {ratios[-1]:,.1f})"
    )


def in_turns(
    turns: int, ours: Callable[[], float], theirs: Sequence[Callable[[], float]]
) -> tuple[list[float], list[list[float]]]:
    """The seconds of `turns` turns: ours, and those of each rival."""
    mine: list[float] = []
    others: list[list[float]] = [[] for _ in theirs]
    for _ in range(turns):
        mine.append(ours())
        for spent, their in zip(others, theirs, strict=True):
            spent.append(their())
    return mine, others
