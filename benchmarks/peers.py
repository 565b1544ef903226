"""Rival programs built by the caller: the TOML file in NINEFOLD_PEERS says how to run them.

[tdoku] built = "clang 14, -O3 -march=native" solve = "/opt/tdoku/solve {file}" make = "/opt/tdoku/make
{count}"

["Sukaku Explainer"] rate = "java -cp SukakuExplainer.jar diuf.sudoku.test.serate --input={file}"

`solve` proves that each puzzle has exactly one solution, `make` makes that many minimal puzzles, `rate` rates
each puzzle. Puzzles have 81 characters and a line each, in `{file}` or else on standard input; the output is
discarded. If a program is built more than once, [tdoku.gcc] and [tdoku.clang], the faster build is shown.
Nothing is downloaded. QQWing, a package of Debian and Ubuntu, is found without the file.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

_FILE: Final = "{file}"
_MOST_TIMES: Final = 256


@dataclass(frozen=True, slots=True)
class Build:
    """A program as it was built once."""

    built: str  # compiler and flags, or the version of a package
    commands: dict[str, list[str]]  # by task: "solve", "make" or "rate"


def rivals() -> dict[str, list[Build]]:
    """Read the builds of each rival, by its name."""
    found: dict[str, list[Build]] = {}
    if qqwing := shutil.which("qqwing"):
        commands = {"solve": [qqwing, "--solve", "--one-line"]}
        commands["make"] = [qqwing, "--one-line", "--generate", "{count}"]
        found["QQWing"] = [Build("Debian's package", commands)]
    if path := os.environ.get("NINEFOLD_PEERS"):
        for name, table in tomllib.loads(Path(path).read_text()).items():
            tables = [table] if any(isinstance(value, str) for value in table.values()) else table.values()
            found[name] = [_build(each) for each in tables]
    return found


def _build(table: dict[str, str]) -> Build:
    commands = {task: shlex.split(command) for task, command in table.items() if task != "built"}
    return Build(table.get("built", ""), commands)


def peers(task: str) -> dict[str, list[Build]]:
    """Keep the builds that do a task, by the name of the rival."""
    builds = {
        name: [each for each in all_of_it if task in each.commands] for name, all_of_it in rivals().items()
    }
    return {name: those for name, those in builds.items() if those}


def seconds(command: Sequence[str], given: str = "") -> float:
    """Time one run of `command`: processor seconds, those of the processes it waits for included."""
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
    """Time a run over `lines`, less a run over the first one.

    Repeats the lines until they outweigh the start, which varies by 0.1 s for a virtual machine.
    """
    text, times = "".join(f"{line}\n" for line in lines), 1
    start = seconds(command, f"{lines[0]}\n")
    while (spent := seconds(command, times * text) - start) < 4 * start and times < _MOST_TIMES:
        times *= 4
    return max(spent, 1e-9) / times


def making(command: Sequence[str], count: int) -> float:
    """Time the making of one puzzle of `count`, without the program's start."""
    one, many = ([word.replace("{count}", str(number)) for word in command] for number in (1, count + 1))
    return max(seconds(many) - seconds(one), 1e-9) / count


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Format a rival's time relative to ours: the median of all runs, and their range."""
    ratios = sorted(their / mine for mine, their in zip(ours, theirs, strict=True))
    return f"{median(ratios):,.2f} ({ratios[0]:,.2f} to {ratios[-1]:,.2f})"


def alternated(
    turns: int, ours: Callable[[], float], theirs: Sequence[Callable[[], float]]
) -> tuple[list[float], list[list[float]]]:
    """Time ours and each rival's in alternation, `turns` times."""
    mine: list[float] = []
    others: list[list[float]] = [[] for _ in theirs]
    for _ in range(turns):
        mine.append(ours())
        for spent, their in zip(others, theirs, strict=True):
            spent.append(their())
    return mine, others


def beside(
    task: str, turns: int, ours: Callable[[], float], timed: Callable[[Sequence[str]], float]
) -> tuple[list[float], list[tuple[str, str, list[float]]]]:
    """Time ours in alternation with the rivals of a task; of each rival's builds the fastest is kept.

    timed: the seconds that a command takes for the same work.
    """
    builds = [(name, each) for name, all_of_it in peers(task).items() for each in all_of_it]
    commands = [each.commands[task] for _name, each in builds]
    mine, others = alternated(turns, ours, [partial(timed, command) for command in commands])
    best: dict[str, tuple[str, list[float]]] = {}
    for (name, each), spent in zip(builds, others, strict=True):
        if name not in best or median(spent) < median(best[name][1]):
            best[name] = each.built, spent
    return mine, [(name, built, spent) for name, (built, spent) in best.items()]
