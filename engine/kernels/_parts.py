"""Kernels that become part of others: compiled to machine code inside their callers only.

Numba optimizes every function by itself, makes machine code of it, and does both once more in each caller it
is copied into. Nobody runs that first machine code of a kernel that only kernels call, and LLVM optimizes the
copies no worse for starting from plain ones. Leaving out both takes a quarter off the time to compile all
kernels (benchmarks/README.md, Compiling) and costs nothing when they run.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import IRLegalization


class Part(JITCodeLibrary):
    """The code of one kernel in LLVM's language, for callers to copy. It has no address."""

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


class PartCompiler(CompilerBase):
    """Numba's compiler with a Part for its result."""

    def define_pipelines(self) -> list[Any]:
        """Return Numba's one list of passes, with ours before the code is written."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_AsPart, IRLegalization)
        passes.finalize()
        return [passes]
