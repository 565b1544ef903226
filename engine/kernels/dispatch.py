"""Calling a compiled scan through its address, so that one kernel can walk through any list of scans.

Naming every scan in the kernel would link all their code into it: each change of a technique would compile
the lot again. Through addresses the kernel knows none of them and compiles in a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.kernels._jit import COMPILED
from engine.kernels.state import State

_ARGUMENTS: Final = (types.int32[::1], types.int32[::1], types.int64, types.int32[::1])
_PLAIN: Final[list[Callable[..., None]]] = []


def address_of(scan: Callable[..., None]) -> int:
    """By what `call_scan` finds the scan in this process; compiles it, or loads it, if need be.

    scan: a kernel of position, limits, mode and out that returns nothing.
    """
    if not COMPILED:
        if scan not in _PLAIN:
            _PLAIN.append(scan)
        return _PLAIN.index(scan)
    dispatcher: Any = scan
    dispatcher.compile(_ARGUMENTS)
    compiled = dispatcher.overloads[_ARGUMENTS]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _typing(_: Any, _address: Any, _position: Any, _limits: Any, _mode: Any, _out: Any) -> Any:
    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        convention = context.call_conv
        function = convention.get_function_type(types.none, _ARGUMENTS)
        pointer = builder.inttoptr(arguments[0], ir.PointerType(function))
        status, _ = convention.call_function(builder, pointer, types.none, _ARGUMENTS, arguments[1:])
        with builder.if_then(status.is_error):
            convention.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.none(types.int64, *_ARGUMENTS), emit


def _plain_call_scan(address: int, position: State, limits: State, mode: int, out: State) -> None:
    _PLAIN[address](position, limits, mode, out)


def _compiled() -> Any:
    return intrinsic(_typing)


call_scan: Callable[[int, State, State, int, State], None] = _compiled() if COMPILED else _plain_call_scan
"""Call the scan of an address from a kernel: call_scan(address, position, limits, mode, out)."""
