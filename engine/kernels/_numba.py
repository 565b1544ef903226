"""The internals of Numba that kernels depend on: undocumented parts of Numba are only used here.

- Kernels that only kernels call are inlined. Numba optimizes every function by itself, generates its machine
  code, and does both again in each caller it is copied into. That first machine code never runs, and LLVM
  optimizes the copies equally well from unoptimized ones. Skipping both saves a quarter of the time to
  compile all kernels and costs nothing at run time.
- The others are optimized once, by NUMBA_OPT=2's passes without loop vectorization. Numba does so three
  times, which takes a fifth longer and makes the code no faster.
- Ints are widened before a kernel is selected, else Numba compiles one for each mixture of widths and
  literals.
- Code is cached in our folders, with checksums, since Numba would run a damaged or changed file.

tests/engine/test_numba.py fails when Numba changes any of this, and says what to do then.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import logging
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numba
from numba.core import types
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.serialize import dumps
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.extending import models, register_model

from . import _cache

log: Final = logging.getLogger(__name__)

_SUM: Final = 16  # bytes in a checksum


def dispatcher_of(function: Callable[..., Any], *, part: bool) -> Any:
    """Return Numba's dispatcher of a kernel. part: whether only kernels call it."""
    options: dict[str, Any] = {"no_cpython_wrapper": part, "no_cfunc_wrapper": True}
    options["pipeline_class"] = PartCompiler if part else KernelCompiler
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if part:

        def remember(result: Any) -> None:
            dispatcher.overloads[tuple(result.signature.args)] = result

        dispatcher.add_overload = remember
    else:
        dispatcher._cache = Kept(function)  # as `njit(cache=True)` does, with our own cache
        dispatcher.compile = _soon(dispatcher.compile)
    return dispatcher


def _soon(compile_for: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compile in three quarters of the time: without collecting garbage, since nearly all is kept."""

    def compiled(signature: Any) -> Any:
        if not gc.isenabled():  # by a caller that is being compiled
            return compile_for(signature)
        gc.disable()
        try:
            return compile_for(signature)
        finally:
            gc.enable()

    return compiled


def types_of(arguments: tuple[tuple[str, bool], ...]) -> tuple[Any, ...]:
    """Return Numba's types of arguments, each a type name and whether it is an array."""
    return tuple(getattr(types, kind)[::1] if array else getattr(types, kind) for kind, array in arguments)


def address_of(dispatcher: Any, arguments: tuple[tuple[str, bool], ...]) -> int:
    """Return the code's address for such arguments, compiling or loading it if necessary."""
    key = types_of(arguments)
    dispatcher.compile(key)
    compiled = dispatcher.overloads[key]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


class KernelType(types.Dispatcher):
    """The type of a kernel in other kernels, which pass 64-bit ints for all signed ones.

    Numba otherwise recompiles a kernel for int32, int64 and each literal that can reach it, in every
    combination: one kernel of the fish was compiled sixteen times, and all of them took 21.6 s instead of
    5.7.
    """

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher)
        self._known: dict[Any, Any] = {}

    def get_call_type(self, context: Any, arguments: Any, named: Any) -> Any:
        """Return the signature of a call."""
        wide = tuple(map(_wide, arguments))
        key = wide, tuple(named.items())
        if key not in self._known:
            self._known[key] = super().get_call_type(context, wide, named)
        return self._known[key]


register_model(KernelType)(models.OpaqueModel)


def _wide(kind: Any) -> Any:
    plain = getattr(kind, "literal_type", kind)
    return types.int64 if getattr(plain, "signed", False) else plain


class Part(JITCodeLibrary):
    """The LLVM code of one kernel, for callers to copy. It has no address."""

    def _optimize_functions(self, module: Any) -> None:
        """Only simplify, so that less is copied: the caller optimizes all of it."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            passes, builder = self._codegen._function_pass_manager(opt=1)
            passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0, which Numba takes for a function that isn't defined here."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Part:
        """Itself, since Numba only calls its `set_env`."""
        return self

    def set_env(self, name: str, env: object) -> None:
        """Do nothing: only code that handles Python objects reads its environment, and no kernel does."""


class Whole(JITCodeLibrary):
    """The code of one kernel and of all parts it calls, optimized once."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager(opt=2, loop_vectorize=False)
        passes.run(self._final_module, builder)


@register_pass(mutates_CFG=False, analysis_only=False)
class _AsWhole(LoweringPass):
    """Has what is lowered next collected in a Whole."""

    _name = "as_whole"
    _library: type[JITCodeLibrary] = Whole

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = self._library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()  # as NativeLowering does with the one that it makes
        return False


@register_pass(mutates_CFG=False, analysis_only=False)
class _AsPart(_AsWhole):
    """Has what is lowered next collected in a Part."""

    _name = "as_part"
    _library = Part


class KernelCompiler(CompilerBase):
    """Numba's compiler without its passes for what no kernel has, such as closures, `with` and `raise`.

    Each pass would scan every function.
    """

    _lowering: tuple[Any, ...] = (_AsWhole, NativeLowering)

    def define_pipelines(self) -> list[Any]:
        """Return one list of passes."""
        passes = PassManager("kernel")
        for each in (
            TranslateByteCode,
            FixupArgs,
            IRProcessing,
            ReconstructSSA,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            AnnotateTypes,
            *self._lowering,
            NoPythonBackend,
        ):
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class PartCompiler(KernelCompiler):
    """The same, with a Part as its result."""

    _lowering = (_AsPart, NativeLowering)


class Kept(NullCache):
    """A cache of one function's code in files, one for each signature, with a checksum of name and content.

    The content is unpickled and run. A damaged, changed or exchanged file counts as missing: it is recompiled
    and rewritten, and on a full disk nothing is cached. No call fails because of it. The checksum has no key:
    anyone who can write to the folder, which is private, could write a valid one.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def _folders(self) -> list[Path]:
        """Return the folders to search, writable ones first; empty if nothing can be cached."""
        module = self._function.__module__
        found = _cache.fingerprint(module)
        places = (_cache.cache_folder(), _cache.packaged()) if found is not None else ()
        return [place / f"{module}-{found}" for place in places if place is not None]

    def _name(self, signature: Any) -> str:
        digest = hashlib.sha256(repr(signature).encode()).hexdigest()[:16]
        return f"{self._function.__qualname__}-{digest}.kernel".replace("<", "").replace(">", "")

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code compiled for these types of arguments; None if it must be compiled."""
        context.refresh()  # as in Numba's own cache: its target may not be ready yet
        for folder in self._folders:
            with suppress(Exception):  # a foreign file can raise any exception in pickle
                content = read_checked(folder / self._name(signature))
                if content is not None:
                    return CompileResult._rebuild(context, *pickle.loads(content))
        _announce()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Cache the compiled code, if a folder is writable."""
        if not self._folders or result.lifted or result.library.has_dynamic_globals:
            return
        with suppress(OSError):
            write_checked(self._folders[0] / self._name(signature), dumps(result._reduce()))


def read_checked(file: Path) -> bytes | None:
    """Return the content of a file; None if it is missing or damaged."""
    try:
        whole = file.read_bytes()
    except OSError:
        return None
    content = whole[_SUM:]
    return content if whole[:_SUM] == _checksum(file.name, content) else None


def write_checked(file: Path, content: bytes) -> None:
    """Write a file after its checksum, atomically."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
        try:
            unfinished.write(_checksum(file.name, content) + content)
            unfinished.close()
            Path(unfinished.name).replace(file)
        except OSError:
            Path(unfinished.name).unlink(missing_ok=True)
            raise


def _checksum(name: str, content: bytes) -> bytes:
    """Return a checksum that includes the name, so that functions can't be confused. 1 ms per megabyte."""
    return hashlib.blake2b(content, digest_size=_SUM, key=name.encode()[-64:]).digest()


@functools.cache
def _announce() -> None:
    """Warn once per process that calls will be slow, and why."""
    log.warning(
        "compiling kernels for this machine, once; it can take minutes, and `ninefold compile` does it ahead"
    )
