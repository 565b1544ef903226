"""Call a compiled scan through its address, so that one kernel can iterate over any list of scans.

Naming every scan in the kernel would link all their code into it, and each change of a technique would
recompile everything. With addresses the kernel knows none of them and compiles in a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ._cache import COMPILED
from .state import State

# The types of a scan's arguments, and whether they are arrays: position, limits, mode, out.
ARGUMENTS: Final = (("int32", True), ("int32", True), ("int64", False), ("int32", True))
_PLAIN: Final[list[Callable[..., None]]] = []


def address_of(scan: Callable[..., None]) -> int:
    """Return the address of the scan in this process for `call_scan`; compiles or loads it if necessary.

    scan: a kernel of position, limits, mode and out that returns nothing.
    """
    if not COMPILED:
        if scan not in _PLAIN:
            _PLAIN.append(scan)
        return _PLAIN.index(scan)
    kernel: Any = scan
    return int(kernel.address(ARGUMENTS))


def call_scan(address: int, position: State, limits: State, mode: int, out: State) -> None:
    """Call the scan at an address from a kernel (compiled code: _lowered.py)."""
    _PLAIN[address](position, limits, mode, out)
