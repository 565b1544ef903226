"""Tables of figures as Markdown: a document holds what a program printed, and `make claims` compares.

The columns that name a row are aligned to the left, its figures to the right.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import llvmlite.binding

from engine.kernels._cache import features
from engine.version import __version__

ROOT: Final = Path(__file__).parents[1]
SIZES: Final[dict[str, str]] = {}  # sizes from the environment that differ from the full ones
SMALLEST: Final = os.environ.get("SMALLEST") == "1"  # whether only the rows count: one trial each


def sized(name: str, full: int, smallest: int = 1) -> int:
    """Read a size from the environment: by default `full`, or `smallest` where SMALLEST is 1."""
    if name in os.environ:
        SIZES[name] = os.environ[name]
    return int(os.environ.get(name, smallest if SMALLEST else full))


def names() -> list[str]:
    """List the benchmarks: the modules here with a `main`."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return [file.stem for file in files if "\ndef main(" in file.read_text()]


def missed(what: str) -> None:
    """End the program because a limit is missed. The smallest run never does, since it has no figures."""
    if not SMALLEST:
        raise SystemExit(what)


class Table:
    """A table that is printed row by row."""

    def __init__(self, keys: Sequence[str], figures: Sequence[str]) -> None:
        self.width = len(keys) + len(figures)
        print("\n| " + " | ".join([*keys, *figures]) + " |")
        print("|" + "---|" * len(keys) + "---:|" * len(figures), flush=True)

    def row(self, *cells: object) -> None:
        """Print a row: its keys, then its figures."""
        if len(cells) != self.width:
            raise ValueError(f"a row of {self.width} cells was expected, not {len(cells)}")
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def measured_on() -> str:
    """Name the version, the day, the processor and its vectors, what compiled the kernels, and sizes."""
    if SMALLEST:
        return "The smallest size, for the rows alone: its figures belong in no document."
    llvm = ".".join(map(str, llvmlite.binding.llvm_version_info))
    target = f"{llvmlite.binding.get_host_cpu_name()}, {os.cpu_count()} cores, {_vectors()}"
    load, sizes = os.getloadavg()[0], " ".join(f"{name}={value}" for name, value in SIZES.items())
    busy = ", a busy machine" if load > (os.cpu_count() or 1) else ""
    return (
        f"Ninefold {__version__}, {datetime.now(UTC):%Y-%m-%d}. {_processor()} ({target}). Python "
        f"{platform.python_version()}, Numba {version('numba')} with LLVM {llvm}, NumPy {version('numpy')}. "
        f"Load {load:.1f}{busy}." + (f" With {sizes}." if sizes else "")
    )


def _vectors() -> str:
    """Name the widest vectors that kernels use."""
    return "AVX-512" if "avx512bw" in features() else "AVX2" if "avx2" in features() else "128 bits"


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()
