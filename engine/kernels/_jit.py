"""The one decorator of all kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, ParamSpec, TypeVar, cast

from ..errors import missing
from ._cache import COMPILED

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function that is compiled, or loaded, when it is first called from Python or from another kernel.

    Numba is only imported then, so that code without kernels starts without it.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._part = function.__name__.startswith("_")
        self._run: Callable[P, R] = self._first_call

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        return self._run(*arguments, **named)

    def __repr__(self) -> str:
        return f"<kernel {self._function.__name__}>"

    def _first_call(self, *arguments: P.args, **named: P.kwargs) -> R:
        if self._part:
            raise TypeError(f"{self._function.__name__} can be called by kernels only")
        self._run = self.dispatcher
        return self._run(*arguments, **named)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Return Numba's object for the function."""
        return _numba().dispatcher_of(self._function, part=self._part)

    @functools.cached_property
    def type(self) -> Any:
        """Return Numba's type of the kernel in other kernels."""
        return _numba().KernelType(self.dispatcher)

    def address(self, arguments: tuple[tuple[str, bool], ...]) -> int:
        """Return the code's address for such arguments, each a type name and whether it is an array."""
        return int(_numba().address_of(self.dispatcher, arguments))


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` with Numba: no Python objects, the GIL released, cached on disk.

    A kernel whose name starts with an underscore can be called by kernels only: it gets no Python entry
    point, no machine code of its own and no files, since it is inlined into its callers. That saves a quarter
    of the time to compile them all. No kernel can raise, assert, define functions, use list comprehensions or
    compare with None. With NUMBA_DISABLE_JIT=1 the function stays as it is, for coverage and debugging.
    """
    return cast("Callable[P, R]", Kernel(function)) if COMPILED else function


@functools.cache
def _numba() -> Any:
    """Import Numba, register kernels as a type, and lower operations that it doesn't have."""
    try:
        from numba.extending import typeof_impl
    except ModuleNotFoundError as error:
        raise missing(error) from None

    from . import _numba as internals

    typeof_impl.register(Kernel)(lambda kernel, _context: kernel.type)
    # By name, since it imports modules with kernels, and so this one
    import_module(f"{__package__}._lowered")
    return internals
