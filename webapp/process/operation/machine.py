"""Differences between the systems that the site runs on: Linux, macOS, containers."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_SHARED_MEMORY = Path("/dev/shm")
CGROUPS = Path("/sys/fs/cgroup")
WORKER_MEMORY = 350 * 2**20  # bytes of a web process after its first requests: 180 to 350 MB


def processors() -> int:
    """Return the number of processors this process may use: at most its container's or unit's quota."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quotas = [text.split() for text in _limits("cpu.max")]  # microseconds of processor time, and of time
    shares = [int(each[0]) // int(each[1]) for each in quotas if each[0].isdigit()]
    return max(1, min([found, *shares]))


def memory() -> int:
    """Return the bytes of memory this process may use: those of the machine, or the limit of its container
    or unit.
    """
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([there, *(int(text) for text in _limits("memory.max") if text.isdigit())])


def processes() -> int:
    """Return how many web processes this machine, container or unit has processors and memory for."""
    return max(1, min(processors(), memory() // WORKER_MEMORY))


def _limits(name: str) -> Iterator[str]:
    """Yield the values of a file of cgroups (version 2): in this process's group and those above it."""
    try:
        own = Path("/proc/self/cgroup").read_text().rpartition("0::/")[2].partition("\n")[0]
    except OSError:
        return
    folder = CGROUPS / own
    while folder.is_relative_to(CGROUPS):
        with suppress(OSError):
            yield (folder / name).read_text().strip()
        folder = folder.parent


def memory_of(pid: int) -> int:
    """Return the bytes of memory of a process on Linux, its part of what it shares; 0 if unknown."""
    with suppress(OSError):
        found = re.search(r"^Pss: +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        return 1024 * int(found[1]) if found else 0
    return 0


def siblings() -> list[int]:
    """Return the processes with the same parent as this one on Linux, and the parent."""
    parent, found = os.getppid(), [os.getppid()]
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(file.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(file.parent.name))
    return found


def memory_folder() -> Path:
    """Return a folder in memory, or the one for temporary files if there is none."""
    usable = _SHARED_MEMORY.is_dir() and os.access(_SHARED_MEMORY, os.W_OK)
    return _SHARED_MEMORY if usable else Path(tempfile.gettempdir())


@contextmanager
def built_aside(target: Path) -> Iterator[Path]:
    """Yield a temporary folder that becomes `target`, unless another process has made that meanwhile."""
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(dir=target.parent))
    yield aside
    aside.chmod(0o755)
    try:
        aside.rename(target)
    except OSError:
        shutil.rmtree(aside)
        if not target.is_dir():
            raise


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def lock(file: IO[str] | int) -> bool:
    """Lock a file, or an open folder, until it is closed; False if another process holds the lock.

    Only this process holds a file's lock; its children don't inherit it if it is killed.
    """
    try:
        (fcntl.flock if isinstance(file, int) else fcntl.lockf)(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
