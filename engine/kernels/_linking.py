"""How kernels are compiled: a short one is copied into those that call it, a long one is called.

Numba copies a kernel into each that calls it, then optimizes and translates every copy: five parts in seven
of the code it wrote for ours were copies. Here a long kernel is translated once and kept in files of its
own, and its callers refer to it by name.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar, Final

from llvmlite import binding
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_SHORT: Final = 100  # lines of LLVM; it inlines what costs up to fifty instructions, and some cost nothing

_SKIPPED: Final = {
    "InlineClosureLikes",
    "InlineInlinables",
    "InlineOverloads",
    "LiteralPropagationSubPipelinePass",
    "LiteralUnroll",
    "MakeFunctionToJitFunction",
    "NopythonRewrites",
    "WithLifting",
}
"""Numba's passes for what kernels have none of: closures, comprehensions, array expressions, `with`."""

Kernel = tuple[str, str, tuple[Any, ...]]
"""Module, name and argument types."""

_known: Final[dict[str, Kernel]] = {}
_answers: Final[dict[tuple[Any, ...], Any]] = {}


def know(result: Any) -> None:
    """Remember which kernel the symbol of a compilation stands for, compiled or loaded."""
    found = result.fndesc
    _known[found.llvm_func_name] = found.modname, found.qualname, tuple(result.signature.args)


def defined(library: Any) -> list[str]:
    """The symbols of functions that a library compiled here holds."""
    return [each.name for each in library._final_module.functions if not each.is_declaration]


def needed(library: Any) -> list[Kernel]:
    """The kernels that a library compiled here calls without holding their code."""
    functions = library._final_module.functions
    return [_known[each.name] for each in functions if each.is_declaration and each.name in _known]


def provide(kernels: list[Kernel]) -> None:
    """Load these kernels, or compile them: code that calls them can be loaded only then."""
    for module, name, arguments in kernels:
        getattr(import_module(module), name).compile(arguments)


class Library(JITCodeLibrary):
    """The code of one kernel, optimized once, together with the short ones that it calls."""

    symbol: str | None = None

    def add_ir_module(self, ir_module: Any) -> None:
        """Note the kernel's symbol: its module comes first, and the entry from Python after it."""
        if self.symbol is None:
            self.symbol = next(each.name for each in ir_module.functions if not each.is_declaration)
        super().add_ir_module(ir_module)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        if self._shared_module is None and self._is_long():
            empty = self._codegen._create_empty_module(self.name)
            self._shared_module = binding.parse_assembly(str(empty))
        return super()._get_module_for_linking()

    def _is_long(self) -> bool:
        return str(self._final_module.get_function(self.symbol)).count("\n") > _SHORT


class _Typing:
    """Numba's typing context, with a memory for how functions and operators answer to types.

    Numba asks all it knows of `+`, for arrays, lists and sets, whenever two ints are added: half of the time
    that finding types took.
    """

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, arguments: Any, named: Any) -> Any:
        """The signature of `function` for these types."""
        if type(function) is not types.Function or named or not all(each.is_precise() for each in arguments):
            return self._context.resolve_function_type(function, arguments, named)
        question = function, *arguments
        answer = _answers.get(question)
        if answer is None:
            answer = self._context.resolve_function_type(function, arguments, named)
            if answer is not None:
                _answers[question] = answer
        return answer


class Pipeline(Compiler):
    """Numba's compiler, with our library, and with symbols that are the same in every process."""

    version: ClassVar[Callable[[str], str]]
    """A hash of all that the code of a module depends on; it is part of its symbols."""

    def define_pipelines(self) -> list[Any]:
        """Numba's passes but those skipped."""
        managers = super().define_pipelines()
        for manager in managers:
            manager.passes = [each for each in manager.passes if each[0].__name__ not in _SKIPPED]
            manager.finalize()
        return list(managers)

    def _compile_bytecode(self) -> Any:
        state, function = self.state, self.state.func_id
        state.typingctx = _Typing(state.typingctx)
        if "<locals>" not in function.func_qualname:  # what `provide` could not find
            function.unique_id = type(self).version(function.modname)
            state.library = Library(state.targetctx.codegen(), function.func_qualname)
            state.library.enable_object_caching()
        collecting = gc.isenabled()
        gc.disable()  # Numba keeps nearly all that it makes: looking for garbage took a tenth of the time
        try:
            result = super()._compile_bytecode()
        finally:
            if collecting:
                gc.enable()
        know(result)
        return result
