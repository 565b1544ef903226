"""Kernels that become part of others: compiled to machine code inside their callers only.

Numba optimizes every function by itself, makes machine code of it, and does both once more in each caller it
is copied into. Nobody runs that first machine code of a kernel that only kernels call, and LLVM optimizes the
copies no worse for starting from plain ones. Leaving out both takes a quarter off the time to compile all
kernels (benchmarks/README.md, Compiling) and costs nothing when they run.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode


class Part(JITCodeLibrary):
    """The code of one kernel in LLVM's language, for callers to copy. It has no address."""

    def _optimize_functions(self, module: Any) -> None:
        """Tidy up only, so that less is copied: a caller has all of it optimized."""
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
        """Return 0, which Numba takes for a function that is not defined here."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Part:
        """Itself, since all that Numba asks of it is to `set_env`."""
        return self

    def set_env(self, name: str, env: object) -> None:
        """Do nothing: only code that handles Python objects reads its environment, and no kernel does."""


@register_pass(mutates_CFG=False, analysis_only=False)
class _AsPart(LoweringPass):
    """Has what is lowered next gathered in a Part."""

    _name = "as_part"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


class KernelCompiler(CompilerBase):
    """Numba's compiler without its passes for what no kernel has, such as closures, `with` and `raise`.

    Each of them scans every function for it. What they would have made of it, kernels can't have.
    """

    _lowering: tuple[Any, ...] = (NativeLowering,)

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
    """The same, with a Part for its result."""

    _lowering = (_AsPart, NativeLowering)
