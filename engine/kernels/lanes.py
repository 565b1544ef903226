"""Lanes: sixteen 16-bit words side by side, or two such sets, worked on at once. They know the boxes.

In compiled code a value is a vector register: Numba has no such type, so one is made here of LLVM's vectors,
and LLVM finds the instructions of the processor at hand. With the JIT off it is a uint16 array. `&`, `|`,
`^`, `~` and `+` work lane by lane, `+` modulo 2**16. Lane 4*b + s stands for the box in band b and stack s;
lanes with b or s = 3 belong to no box. In a pair, lanes 16..31 are the same for a second grid.

Two things depend on the processor: how many lanes fill a register, and how bits are counted.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from inspect import signature
from types import SimpleNamespace
from typing import Any, Final, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import templates
from numba.extending import intrinsic, lower_builtin, models, register_model
from numpy.typing import NDArray

from engine.kernels._jit import COMPILED, features

Lanes = Any  # a vector register in compiled code, uint16[16] or uint16[32] with the JIT off
Words = NDArray[np.uint16]

COUNT: Final = 16

REGISTER: Final = 2 * COUNT if "avx512bw" in features() else COUNT
"""How many lanes to work on at once: a pair where it fits a register of the processor, else one half."""

_COUNTS_BITS: Final = not features().isdisjoint({"avx512bitalg", "neon"})  # of all lanes at once

_WORD: Final = ir.IntType(16)


class LanesType(types.Type):
    """The Numba type of 16 or 32 lanes."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Lanes{count}")


class _LanesModel(models.PrimitiveModel):
    """Lanes are one LLVM vector, in registers and in memory."""

    def __init__(self, manager: Any, lanes: LanesType) -> None:
        initialise: Any = super().__init__  # Numba carries no types
        initialise(manager, lanes, _vector(lanes.count))


def _vector(count: int) -> Any:
    return ir.VectorType(_WORD, count)


register_model(LanesType)(_LanesModel)
_ONE: Final = LanesType(COUNT)
_PAIR: Final = LanesType(2 * COUNT)


def _operator(symbol: Callable[..., Any], operands: int, emit: Callable[..., Any]) -> None:
    """Let compiled code apply Python's `symbol` to lanes."""

    numba: Any = SimpleNamespace(
        signature=templates.signature, lower=lower_builtin, known=templates.infer_global
    )

    class Typing(templates.ConcreteTemplate):
        cases = tuple(numba.signature(lanes, *[lanes] * operands) for lanes in (_ONE, _PAIR))

    numba.known(symbol)(Typing)
    for lanes in (_ONE, _PAIR):
        numba.lower(symbol, *[lanes] * operands)(
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
    """Writes the LLVM of one operation: its types, its values, and vector instructions by plain names."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, kinds, values
        self.count = max((kind.count for kind in kinds if isinstance(kind, LanesType)), default=2 * COUNT)
        self.zero = self.constant(0)

    def constant(self, *words: int) -> Any:
        """These words over and over, as many as there are lanes."""
        return ir.Constant(_vector(self.count), list(words) * (self.count // len(words)))

    def where(self, lanes: Any, relation: str, other: Any, yes: Any, no: Any) -> Any:
        return self.builder.select(self.builder.icmp_unsigned(relation, lanes, other), yes, no)

    def call(self, name: str, answer: Any, lanes: Any) -> Any:
        kind = ir.FunctionType(answer, [lanes.type])
        name = f"llvm.{name}.v{lanes.type.count}i16"
        declared: Any = cgutils.get_or_insert_function
        return self.builder.call(declared(self.builder.module, kind, name), [lanes])

    def ones(self, lanes: Any) -> Any:
        return self.call("ctpop", lanes.type, lanes)

    def fewer_ones(self, lanes: Any, than: int, yes: Any, no: Any) -> Any:
        """Lane by lane `yes` where fewer than `than` bits are set, else `no`."""
        if _COUNTS_BITS:
            return self.where(self.ones(lanes), "<", self.constant(than), yes, no)
        for _ in range(than - 1):  # takes away the lowest bit
            lanes = self.builder.and_(lanes, self.builder.add(lanes, self.constant(0xFFFF)))
        return self.where(lanes, "==", self.zero, yes, no)

    def arranged(self, first: Any, second: Any, sources: list[int]) -> Any:
        """The lanes numbered `sources` of two vectors laid end to end."""
        order = ir.Constant(ir.VectorType(ir.IntType(32), len(sources)), sources)
        return self.builder.shuffle_vector(first, second, order)

    def address(self, count: int, index: int) -> Any:
        """Where in the first or last array argument the word stands that argument `index` numbers."""
        place = 0 if isinstance(self.kinds[0], types.Array) else 1
        array = self.context.make_array(self.kinds[place])(self.context, self.builder, self.values[place])
        at = self.context.cast(self.builder, self.values[index], self.kinds[index], types.intp)
        return self.builder.bitcast(self.builder.gep(array.data, [at]), _vector(count).as_pointer())


def _operation(plain: Callable[..., Any], answer: Any, write: Callable[..., Any]) -> Callable[..., Any]:
    """The intrinsic that `write` writes out in LLVM, or with the JIT off its twin `plain`.

    answer: the Numba type of the result, or None for that of the lanes given.
    """
    if not COMPILED:
        return plain

    def typed(*given: Any) -> Any:
        def emit(context: Any, builder: Any, wanted: Any, values: Any) -> Any:
            written = write(_Writer(context, builder, wanted.args, values), *values)
            return context.get_dummy_value() if wanted.return_type == types.void else written

        return (answer or given[0])(*given), emit

    typing: tuple[Callable[..., Any], ...] = (  # by the number of arguments, since Numba allows no *
        lambda _context, one: typed(one),
        lambda _context, one, two: typed(one, two),
        lambda _context, one, two, three: typed(one, two, three),
    )
    return cast("Callable[..., Any]", intrinsic(typing[len(signature(write).parameters) - 2]))


def _turn(source: Callable[[int, int], tuple[int, int]]) -> Callable[..., Any]:
    """The operation by which each box takes the word of the box that `source` names by band and stack."""
    order = []
    for band in range(4):
        for stack in range(4):
            from_band, from_stack = source(band, stack)
            order.append(4 * (from_band % 3 if band < 3 else 3) + (from_stack % 3 if stack < 3 else 3))
    both = [*order, *(lane + COUNT for lane in order)]
    return _operation(
        lambda lanes: lanes[both[: len(lanes)]],
        None,
        lambda writer, lanes: writer.arranged(lanes, lanes, both[: writer.count]),
    )


def _plain_ones(lanes: Lanes) -> Lanes:
    return np.bitwise_count(lanes).astype(np.uint16)


def _plain_store(lanes: Lanes, words: Words, at: int) -> None:
    words[at : at + len(lanes)] = lanes


def _plain_nonzero(lanes: Lanes) -> int:
    return sum(1 << int(lane) for lane in np.flatnonzero(lanes))


def _write_nonzero(writer: _Writer, lanes: Any) -> Any:
    flags = writer.builder.icmp_unsigned("!=", lanes, writer.zero)
    flags = writer.builder.bitcast(flags, ir.IntType(writer.count))
    return writer.builder.zext(flags, ir.IntType(64))


def _write_spread(writer: _Writer, word: Any) -> Any:
    word = writer.builder.trunc(word, _WORD)
    lanes = writer.builder.insert_element(writer.zero, word, ir.Constant(ir.IntType(32), 0))
    return writer.arranged(lanes, lanes, [0] * writer.count)


def _write_least(writer: _Writer, lanes: Any) -> Any:
    return writer.builder.zext(writer.call("vector.reduce.umin", _WORD, lanes), ir.IntType(64))


load = _operation(
    lambda words, at: words[at : at + COUNT].copy(),
    _ONE,
    lambda writer, _words, _at: writer.builder.load(writer.address(COUNT, 1), align=2),
)
"""`load(words, at)`: 16 lanes from the words at `at` on."""

load_pair = _operation(
    lambda words, at: words[at : at + 2 * COUNT].copy(),
    _PAIR,
    lambda writer, _words, _at: writer.builder.load(writer.address(2 * COUNT, 1), align=2),
)
"""`load_pair(words, at)`: 32 lanes from the words at `at` on."""

load_register = load_pair if REGISTER == 2 * COUNT else load
"""`load_register(words, at)`: REGISTER lanes from the words at `at` on."""

store = _operation(
    _plain_store,
    types.void,
    lambda writer, lanes, _words, _at: writer.builder.store(lanes, writer.address(writer.count, 2), align=2),
)
"""`store(lanes, words, at)`: mutates the words at `at` and on."""

pair = _operation(
    lambda first, second: np.concatenate((first, second)),
    _PAIR,
    lambda writer, first, second: writer.arranged(first, second, list(range(2 * COUNT))),
)
"""`pair(first, second)`: 16 lanes and 16 lanes side by side."""

spread = _operation(lambda word: np.full(2 * COUNT, word, np.uint16), _PAIR, _write_spread)
"""`spread(word)`: a word, 0..65535, in all lanes of a pair."""

right = _turn(lambda band, stack: (band, stack + 1))
"""Each box takes the word of the next box in its band. Lanes without a box trade words among themselves."""
right_two = _turn(lambda band, stack: (band, stack + 2))
below = _turn(lambda band, stack: (band + 1, stack))
"""Each box takes the word of the next box in its stack."""
below_two = _turn(lambda band, stack: (band + 2, stack))

ones = _operation(_plain_ones, None, lambda writer, lanes: writer.ones(lanes))
"""How many bits are set, lane by lane."""

lone = _operation(
    lambda lanes: np.where(_plain_ones(lanes) < 2, lanes, 0).astype(np.uint16),
    None,
    lambda writer, lanes: writer.fewer_ones(lanes, 2, lanes, writer.zero),
)
"""Lanes with a single bit; 0 for the others."""

at_most_three = _operation(
    lambda lanes: np.where(_plain_ones(lanes) < 4, lanes, 0).astype(np.uint16),
    None,
    lambda writer, lanes: writer.fewer_ones(lanes, 4, lanes, writer.zero),
)
"""Lanes with up to three bits; 0 for the others."""

at_least_three = _operation(
    lambda lanes, otherwise: np.where(_plain_ones(lanes) < 3, otherwise, lanes),
    None,
    lambda writer, lanes, otherwise: writer.fewer_ones(lanes, 3, otherwise, lanes),
)
"""`at_least_three(lanes, otherwise)`: lane by lane the first, where it has under three bits the second."""

preferred = _operation(
    lambda lanes, otherwise: np.where(lanes != 0, lanes, otherwise),
    None,
    lambda writer, lanes, otherwise: writer.where(lanes, "==", writer.zero, otherwise, lanes),
)
"""`preferred(lanes, otherwise)`: lane by lane the first, where it is 0 the second."""

lesser = _operation(
    np.minimum, None, lambda writer, left, right_: writer.where(left, "<", right_, left, right_)
)
"""`lesser(left, right)`: the lesser word, lane by lane, unsigned."""

nonzero = _operation(_plain_nonzero, types.int64, _write_nonzero)
"""A bit for each lane that is not 0, as a signed 64-bit int."""

least = _operation(lambda lanes: int(lanes.min()), types.int64, _write_least)
"""The least word of all lanes, unsigned, as a signed 64-bit int."""
