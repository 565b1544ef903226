"""The undocumented parts of Numba that `engine/kernels/_numba.py` uses are unchanged.

If a test here fails with a new release of Numba: read what it changed in the part that the test names, adapt
`_numba.py`, run tests/engine/test_jit.py, and compare the time of `ninefold compile` on an empty cache with
that in benchmarks/README.md. Then write the digests of the release here and raise the bound on numba in
pyproject.toml.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
from typing import Any

import numba
import pytest
from numba.core import types
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, DefaultPassBuilder
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from engine.kernels._numba import KernelCompiler, dispatcher_of

# The functions called or replaced, with a digest of their source in the releases that were read.
READ: dict[Any, str] = {
    JITCodeLibrary._optimize_functions: "9439219fa946",
    JITCodeLibrary._optimize_final_module: "e405bd473752",
    JITCodeLibrary._finalize_final_module: "95bbf4fcbb90",
    JITCodeLibrary.get_pointer_to_function: "1bce3f385d25",
    JITCodeLibrary.finalize: "4b4c34b83488",
    CompileResult._reduce: "5f86eacfa520",
    CompileResult._rebuild: "44fa9dc22558",
    Dispatcher.compile: "0ab4aee15e79",
    Dispatcher.add_overload: "3cd1a5150786",
    Dispatcher.get_overload: "7dd56f622edd",
    Dispatcher.get_call_template: "f15b62d0e9c0",
    NullCache: "4405257989b1",
    dumps: "7b264fbf25a2",
    types.Dispatcher: "f996f96835d8",
}


@pytest.mark.parametrize("read", READ, ids=lambda read: read.__qualname__)
def test_what_numba_does_not_document_is_as_it_was_read(read: Any) -> None:
    found = hashlib.sha256(inspect.getsource(read).encode()).hexdigest()[:12]
    assert found == READ[read], f"Numba {numba.__version__} changed {read.__qualname__}; {__doc__}"


def test_a_dispatcher_has_the_cache_that_is_exchanged() -> None:
    dispatcher = dispatcher_of(lambda number: number, part=False)
    assert isinstance(vars(numba.njit(lambda number: number))["_cache"], NullCache)
    assert isinstance(vars(dispatcher)["_cache"], NullCache)


def test_compiling_leaves_the_collector_as_it_was() -> None:
    assert dispatcher_of(lambda number: number + 1, part=False)(1) == 2
    assert gc.isenabled()


# Numba's passes for functions that kernels can't be, and for decorators that none of them has.
LEFT_OUT = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteSemanticConstants",
    "DeadBranchPrune",
    "GenericRewrites",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "InlineOverloads",
    "NopythonRewrites",
    "NoPythonSupportedFeatureValidation",
    "DumpParforDiagnostics",
}


def test_kernels_go_through_numbas_passes_but_for_those_known_to_be_of_no_use() -> None:
    """A release of Numba with another pass must be examined before kernels are compiled without it."""
    lists: list[list[str]] = []

    class Spy(KernelCompiler):
        def define_pipelines(self) -> list[Any]:
            ours = super().define_pipelines()
            for each in (*ours, DefaultPassBuilder.define_nopython_pipeline(self.state)):
                lists.append([one.__name__ for one, _ in each.passes])
            return ours

    assert numba.njit(pipeline_class=Spy)(lambda number: number + 1)(1) == 2
    ours, numbas = lists
    ours.remove("_AsWhole")  # ours, before the one that lowers
    assert [name for name in numbas if name not in LEFT_OUT] == ours
