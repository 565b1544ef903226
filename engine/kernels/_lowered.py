"""How compiled code implements bits, lanes and the addresses of scans; imported together with Numba.

Numba has no type for a vector register, so this defines one from LLVM's vectors, and LLVM selects the
instructions of the target processor.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from inspect import signature
from types import SimpleNamespace
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import templates
from numba.extending import lower_builtin, models, register_model, type_callable

from . import bits, lanes
from ._numba import types_of
from .dispatch import ARGUMENTS, call_scan
from .lanes import COUNT, COUNTS_BITS, COUNTS_NIBBLES

_WORD: Final = ir.IntType(16)
_SCAN: Final = types_of(ARGUMENTS)
_numba: Any = SimpleNamespace(lower=lower_builtin, typed=type_callable)  # they have no types


def _lowered(
    plain: Callable[..., Any], answer: Callable[..., Any], emit: Callable[..., Any], count: int
) -> None:
    """Let compiled code run what `emit` writes instead of a call of `plain`.

    answer: the signature for the types of `count` arguments. emit: receives Numba's context, builder,
    signature and values.
    """
    typing: tuple[Callable[..., Any], ...] = (  # by the number of arguments, since Numba doesn't support *
        lambda one: answer(one),
        lambda one, two: answer(one, two),
        lambda one, two, three: answer(one, two, three),
        lambda one, two, three, four: answer(one, two, three, four),
        lambda one, two, three, four, five: answer(one, two, three, four, five),
    )
    _numba.typed(plain)(lambda _context: typing[count - 1])
    _numba.lower(plain, *[types.Any] * count)(emit)


def _instruction(plain: Callable[[int], int], count: Callable[[Any, Any], Any]) -> None:
    """Return an intp for one word of any width."""

    def emit(context: Any, builder: Any, wanted: Any, arguments: Any) -> Any:
        found = count(builder, arguments[0])
        return context.cast(builder, found, wanted.args[0], wanted.return_type)

    _lowered(plain, lambda word: types.intp(word), emit, 1)


_instruction(bits.trailing_zeros, lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))
_instruction(bits.count_ones, lambda builder, word: builder.ctpop(word))


def _call_scan(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    convention = context.call_conv
    pointer = builder.inttoptr(arguments[0], ir.PointerType(convention.get_function_type(types.none, _SCAN)))
    status, _ = convention.call_function(builder, pointer, types.none, _SCAN, arguments[1:])
    with builder.if_then(status.is_error):
        convention.return_status_propagate(builder, status)
    return context.get_dummy_value()


_lowered(call_scan, lambda *_: types.none(types.int64, *_SCAN), _call_scan, 5)


class LanesType(types.Type):
    """The Numba type of 16 or 32 lanes."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Lanes{count}")


class _LanesModel(models.PrimitiveModel):
    """Lanes are one LLVM vector, in registers and in memory."""

    def __init__(self, manager: Any, lanes: LanesType) -> None:
        initialise: Any = super().__init__  # Numba has no types
        initialise(manager, lanes, _vector(lanes.count))


def _vector(count: int) -> Any:
    return ir.VectorType(_WORD, count)


register_model(LanesType)(_LanesModel)
_ONE: Final = LanesType(COUNT)
_PAIR: Final = LanesType(2 * COUNT)


def _operator(symbol: Callable[..., Any], operands: int, emit: Callable[..., Any]) -> None:
    """Let compiled code apply Python's operator `symbol` to lanes."""

    numba: Any = SimpleNamespace(
        signature=templates.signature, lower=lower_builtin, known=templates.infer_global
    )

    class Typing(templates.ConcreteTemplate):
        cases = tuple(numba.signature(kind, *[kind] * operands) for kind in (_ONE, _PAIR))

    numba.known(symbol)(Typing)
    for kind in (_ONE, _PAIR):
        numba.lower(symbol, *[kind] * operands)(
            lambda _context, builder, _signature, given: emit(builder, *given)
        )


for _symbols, _emit in (
    ((operator.and_, operator.iand), ir.IRBuilder.and_),
    ((operator.or_, operator.ior), ir.IRBuilder.or_),
    ((operator.xor, operator.ixor), ir.IRBuilder.xor),
    ((operator.add, operator.iadd), ir.IRBuilder.add),
):
    for _symbol in _symbols:
        _operator(_symbol, 2, _emit)
_operator(operator.invert, 1, ir.IRBuilder.not_)


class _Writer:
    """Writes the LLVM of one operation: its types, its values, and vector instructions under plain names."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, kinds, values
        self.count = max((kind.count for kind in kinds if isinstance(kind, LanesType)), default=2 * COUNT)
        self.zero = self.constant(0)
        # Without this, registers that are saved on the stack straddle cache lines. llvmlite prints it only
        # beside a named attribute.
        builder.function.attributes.add("nounwind")
        builder.function.attributes.alignstack = 2 * COUNT

    def constant(self, *words: int) -> Any:
        """Return these words repeated for all lanes."""
        return ir.Constant(_vector(self.count), list(words) * (self.count // len(words)))

    def where(self, lanes: Any, relation: str, other: Any, yes: Any, no: Any) -> Any:
        return self.builder.select(self.builder.icmp_unsigned(relation, lanes, other), yes, no)

    def call(self, name: str, answer: Any, *given: Any) -> Any:
        kind = ir.FunctionType(answer, [each.type for each in given])
        declared: Any = cgutils.get_or_insert_function
        return self.builder.call(declared(self.builder.module, kind, f"llvm.{name}"), given)

    def ones(self, lanes: Any) -> Any:
        if COUNTS_NIBBLES and self.count == COUNT:
            ninth = self.builder.lshr(lanes, self.constant(12))
            return self.builder.add(self.by_nibble(lanes, 1, 1), ninth)
        return self.call(f"ctpop.v{self.count}i16", lanes.type, lanes)

    def by_nibble(self, lanes: Any, one: int, times: int) -> Any:
        """Count the lowest four bits of each byte, `one * times` for each bit; beyond 32767 is 32767."""
        kind = ir.VectorType(ir.IntType(8), 2 * COUNT)
        table = ir.Constant(kind, [one * nibble.bit_count() for nibble in range(16)] * 2)
        counts = self.call("x86.avx2.pshuf.b", kind, table, self.builder.bitcast(lanes, kind))
        return self.call("x86.avx2.pmadd.ub.sw", lanes.type, counts, ir.Constant(kind, [times] * 2 * COUNT))

    def fewer_ones(self, lanes: Any, than: int, yes: Any, no: Any) -> Any:
        """Return lane by lane `yes` if fewer than `than` bits are set, else `no`."""
        if COUNTS_BITS:
            return self.where(self.ones(lanes), "<", self.constant(than), yes, no)
        if COUNTS_NIBBLES and self.count == COUNT and than > 2:
            # Adding the word counts the ninth bit, 4096, as no less than each other; all the rest is less.
            total = self.call("sadd.sat.v16i16", lanes.type, self.by_nibble(lanes, 63, 65), lanes)
            few = self.builder.icmp_signed("<", total, self.constant(63 * 65 * than))
            return self.builder.select(few, yes, no)
        for _ in range(than - 1):
            lanes = self.all_but_least(lanes)
        return self.where(lanes, "==", self.zero, yes, no)

    def all_but_least(self, lanes: Any) -> Any:
        return self.builder.and_(lanes, self.builder.add(lanes, self.constant(0xFFFF)))

    def arranged(self, first: Any, second: Any, sources: list[int]) -> Any:
        """Return the lanes numbered `sources` of two concatenated vectors."""
        order = ir.Constant(ir.VectorType(ir.IntType(32), len(sources)), sources)
        return self.builder.shuffle_vector(first, second, order)

    def address(self, count: int, index: int) -> Any:
        """Return the address of the word in the first or last array argument at the index in argument
        `index`.
        """
        place = 0 if isinstance(self.kinds[0], types.Array) else 1
        array = self.context.make_array(self.kinds[place])(self.context, self.builder, self.values[place])
        at = self.context.cast(self.builder, self.values[index], self.kinds[index], types.intp)
        return self.builder.bitcast(self.builder.gep(array.data, [at]), _vector(count).as_pointer())


def _operation(plain: Callable[..., Any], answer: Any, write: Callable[..., Any]) -> None:
    """Lower `plain` to the LLVM code of `write`.

    answer: the Numba type of the result, or None for that of the lanes given.
    """

    def emit(context: Any, builder: Any, wanted: Any, values: Any) -> Any:
        written = write(_Writer(context, builder, wanted.args, values), *values)
        return context.get_dummy_value() if wanted.return_type == types.void else written

    count = len(signature(write).parameters) - 1
    _lowered(plain, lambda *given: (answer or given[0])(*given), emit, count)


def _turn(plain: Callable[..., Any], order: list[int]) -> None:
    _operation(plain, None, lambda writer, lanes: writer.arranged(lanes, lanes, order[: writer.count]))


def _write_nonzero(writer: _Writer, lanes: Any) -> Any:
    flags = writer.builder.icmp_unsigned("!=", lanes, writer.zero)
    flags = writer.builder.bitcast(flags, ir.IntType(writer.count))
    return writer.builder.zext(flags, ir.IntType(64))


def _write_spread(writer: _Writer, word: Any) -> Any:
    word = writer.builder.trunc(word, _WORD)
    lanes = writer.builder.insert_element(writer.zero, word, ir.Constant(ir.IntType(32), 0))
    return writer.arranged(lanes, lanes, [0] * writer.count)


def _write_least(writer: _Writer, lanes: Any) -> Any:
    least = writer.call(f"vector.reduce.umin.v{writer.count}i16", _WORD, lanes)
    return writer.builder.zext(least, ir.IntType(64))


_operation(
    lanes.load, _ONE, lambda writer, _words, _at: writer.builder.load(writer.address(COUNT, 1), align=2)
)
_operation(
    lanes.load_pair,
    _PAIR,
    lambda writer, _words, _at: writer.builder.load(writer.address(2 * COUNT, 1), align=2),
)
_operation(
    lanes.store,
    types.void,
    lambda writer, lanes, _words, _at: writer.builder.store(lanes, writer.address(writer.count, 2), align=2),
)
_operation(
    lanes.pair,
    _PAIR,
    lambda writer, first, second: writer.arranged(first, second, list(range(2 * COUNT))),
)
_operation(lanes.spread, _PAIR, _write_spread)
for _plain, _order in lanes.TURNS.items():
    _turn(_plain, _order)
_operation(lanes.ones, None, lambda writer, lanes: writer.ones(lanes))
_operation(lanes.lone, None, lambda writer, lanes: writer.fewer_ones(lanes, 2, lanes, writer.zero))
_operation(lanes.all_but_least, None, lambda writer, lanes: writer.all_but_least(lanes))
_operation(lanes.at_most_three, None, lambda writer, lanes: writer.fewer_ones(lanes, 4, lanes, writer.zero))
_operation(
    lanes.at_least_three,
    None,
    lambda writer, lanes, otherwise: writer.fewer_ones(lanes, 3, otherwise, lanes),
)
_operation(
    lanes.preferred,
    None,
    lambda writer, lanes, otherwise: writer.where(lanes, "==", writer.zero, otherwise, lanes),
)
_operation(lanes.lesser, None, lambda writer, left, right: writer.where(left, "<", right, left, right))
_operation(lanes.nonzero, types.int64, _write_nonzero)
_operation(lanes.least, types.int64, _write_least)
