"""The one decorator that holds every Numba option, and where compiled code is kept.

Numba's own cache looks only at the file a function stands in, so a changed callee in another file leaves
a stale caller behind. Here a kernel's cache folder is named by a hash of its module and of every engine
module that one imports, of the Numba version and of the processor: any change of those is another folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

import llvmlite
import numba
from numba.core import config, types

P = ParamSpec("P")
R = TypeVar("R")

COMPILED: Final = not vars(config)["DISABLE_JIT"]
"""Whether kernels are compiled at all; without it they are plain Python."""

_ENGINE = Path(__file__).resolve().parents[1]
_IMPORT = re.compile(r"^(?:from|import) (engine[.\w]*)(?: import (?:\(([^)]*)\)|([^\n#]*)))?", re.MULTILINE)


@functools.cache
def _source(module: str) -> tuple[bytes, tuple[str, ...]]:
    """A module's source and the engine modules it imports; empty where there is no such module."""
    path = _ENGINE.joinpath(*module.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.is_file():
        return b"", ()
    source = file.read_bytes()
    imported = []
    for found in _IMPORT.finditer(source.decode()):
        package, names = found[1], found[2] or found[3] or ""
        imported += [package, *(f"{package}.{name.split()[0]}" for name in names.split(",") if name.strip())]
    return source, tuple(imported)


@functools.cache
def _fingerprint(module: str) -> str:
    """A hash of everything the compiled code of `module` can depend on."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += _source(name)[1]
    digest = hashlib.sha256()
    for name in sorted(seen):
        digest.update(name.encode() + b"\0" + _source(name)[0] + b"\0")
    target = (numba.__version__, llvmlite.__version__, sys.version, vars(config)["CPU_NAME"], _processor())
    digest.update(repr(target).encode())
    return digest.hexdigest()[:16]


@functools.cache
def _processor() -> str:
    """The processor's name and features, since Numba emits code for exactly this one."""
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


@functools.cache
def cache_folder() -> Path:
    """The first writable of NINEFOLD_CACHE, the user's cache folder and the temporary folder."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    wanted = [os.environ.get("NINEFOLD_CACHE"), f"{home}/ninefold"]
    for name in filter(None, wanted):
        folder = Path(name).expanduser()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.gettempdir()) / f"ninefold-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` with Numba: no Python objects, the GIL released, kept on disk.

    With NUMBA_DISABLE_JIT=1 the function is left as it is, which is how coverage and debugging work.
    """
    if not COMPILED:
        return function
    vars(config)["CACHE_DIR"] = str(cache_folder() / _fingerprint(function.__module__))
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    _widen(compiled)
    return cast("Callable[P, R]", compiled)


def _widen(dispatcher: Any) -> None:
    """Let other kernels call `dispatcher` with 64-bit ints wherever they have signed ones.

    Numba otherwise compiles a kernel anew for int32, int64 and each literal that can reach it, in every
    mixture: one kernel of the fish was compiled sixteen times, and all of them took 21.6 s instead of 5.7.
    """
    template = dispatcher.get_call_template

    def widened(arguments: Any, named: Any) -> Any:
        return template([_wide(argument) for argument in arguments], named)

    dispatcher.get_call_template = widened


def _wide(kind: Any) -> Any:
    plain = getattr(kind, "literal_type", kind)
    return types.int64 if getattr(plain, "signed", False) else plain
