"""How many web processes a machine, a container or a unit gets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webapp.process.operation import machine

GB = 2**30


@pytest.mark.parametrize(
    ("cpus", "quota", "memory", "expected"),
    [
        (8, "max 100000", "max", 8),
        (8, "200000 100000", "max", 2),
        (8, "150000 100000", "max", 1),
        (8, "50000 100000", "max", 1),
        (8, "max 100000", str(GB), 2),
        (2, "400000 100000", str(4 * GB), 2),
        (8, "max 100000", str(256 * 2**20), 1),
    ],
)
def test_processes_fit_processors_quota_and_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cpus: int, quota: str, memory: str, expected: int
) -> None:
    monkeypatch.setattr(machine, "CGROUPS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(cpus)))
    monkeypatch.setattr(os, "sysconf", lambda name: 2**24 if name == "SC_PHYS_PAGES" else 4096)  # 64 GB
    (tmp_path / "cpu.max").write_text(f"{quota}\n")
    (tmp_path / "memory.max").write_text(f"{memory}\n")
    assert machine.processes() == expected


def test_the_memory_of_this_process_is_known_on_linux() -> None:
    assert machine.memory_of(os.getpid()) > 2**20
    assert machine.memory_of(2**22 + 1) == 0
    assert os.getppid() in machine.siblings() and os.getpid() in machine.siblings()
