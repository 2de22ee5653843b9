"""The cpu target's reductions and products: accumulators in loop nests, BLAS for large matrices."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2s.codegen.language.expressions import Expr, Load, Name, Number, Op, Operation, as_int, integer
from s2s.codegen.language.notation import operation
from s2s.codegen.language.operations import ADD, BIT_AND, BIT_OR, GREATER, MULTIPLY, OR, apply
from s2s.codegen.language.statements import Assign, CallKernel, IfElse, Store
from s2s.codegen.lowering.elementwise import in_its_dtype
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.lowering.storage import is_free
from s2s.codegen.runtime.small_products import CALLS, WIDEST
from s2s.codegen.targets.cpu.elements import Index
from s2s.codegen.targets.cpu.target import Cpu, times, typed
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.contract import letters
from s2s.transforms.primitives.row import Primitive
from s2s.tuning import TUNING
from s2s.types import FLOAT16, FLOAT32, Atom, Dim, Var, literal


def reduction(start: int | float | bool, step: Operation) -> Callable[[Cpu, Equation], None]:
    """A row that folds elements into an accumulator that begins with `start`."""

    def lower(low: Cpu, node: Equation) -> None:
        (source,), (out,) = node.ins, node.outs
        axes = node.params["axes"]
        if not source.type.shape or not axes:
            low.same(out, source)
            return
        fold(low, out, source.type.shape, tuple(range(source.type.ndim)), axes, low.elements.reader(source), typed(low, start, out.type), step, low.places.reads(source))

    return lower


def fold(
    low: Cpu, out: Var, shape: tuple[Dim, ...], order: tuple[int, ...], axes: tuple[int, ...], read: Callable[[Index], Expr],
    start: Expr, step: Operation, reads: dict[Slot, int],
) -> None:
    """out = the elements read(index) of a space of this shape, folded along `axes`; loops nested in this order.

    If the folded axes are the innermost loops, each result has a scalar accumulator; otherwise results accumulate in storage.
    """
    kept = tuple(axis for axis in range(len(shape)) if axis not in axes)
    lengths = [low.dim(dim) for dim in shape]
    inner_first = all(axis in axes for axis in order[len(kept):]) and tuple(order[:len(kept)]) == kept
    if not kept:
        slot = low.places.scalar_slot(out, consumed=True)
        low.flush(slot, except_for=(out,))
        low.out.emit(Assign((slot.name,), (start,), low.out.where))
        _note_sum(low, slot.name, out, step)
        _accumulate(low, slot.name, out.type.dtype, {}, order, lengths, read, step)
        low.places.occupy(slot, out)
        return
    if inner_first:
        where = low.out.where

        def element(index: Index) -> Expr:
            name = low.names.fresh(low.naming.hint(out))
            outer, low.out.where = low.out.where, where
            low.out.emit(Assign((name,), (start,), low.out.where))
            _note_sum(low, name, out, step)
            _accumulate(low, name, out.type.dtype, dict(zip(kept, index, strict=True)), order[len(kept):], lengths, read, step)
            low.out.where = outer
            return Name(name)

        low.lazy(out, element, reads, free=False, heavy=True, cheap=False)
        return
    slot = low.allocate(out)
    low.nest([lengths[axis] for axis in kept], lambda index: low.out.emit(Store(slot.name, index, start, where=low.out.where)))

    def body(index: Index) -> None:
        at = {axis: index[number] for number, axis in enumerate(order)}
        element = read(tuple(at[axis] for axis in range(len(shape))))
        target = tuple(at[axis] for axis in kept)
        low.out.emit(Store(slot.name, target, apply(step, Load(slot.name, target), _simple_if_repeated(low, element, step)), where=low.out.where))

    low.nest([lengths[axis] for axis in order], body)
    slot.written = True
    low.places.occupy(slot, out)


def _note_sum(low: Cpu, name: str, out: Var, step: Operation) -> None:
    if step is ADD and out.type.dtype.kind in "fc":
        low.accumulators.add(name)


def _simple_if_repeated(low: Cpu, expr: Expr, step: Operation) -> Expr:
    if 1 not in step.repeated or is_free(expr):
        return expr
    name = low.names.fresh("element")
    low.out.emit(Assign((name,), (expr,), low.out.where))
    return Name(name)


def _accumulate(low: Cpu, name: str, dtype: np.dtype, at: dict[int, Expr], order: tuple[int, ...], lengths: list[Expr], read: Callable[[Index], Expr], step: Operation) -> None:
    def body(index: Index) -> None:
        full = {**at, **dict(zip(order, index, strict=True))}
        element = read(tuple(full[axis] for axis in range(len(lengths))))
        found = apply(step, Name(name), _simple_if_repeated(low, element, step))
        low.out.emit(Assign((name,), (in_its_dtype(dtype, found) if step in (ADD, MULTIPLY) else found,), low.out.where))

    low.nest([lengths[axis] for axis in order], body)


def _contract(low: Cpu, node: Equation) -> None:
    (a, b), (out,) = node.ins, node.outs
    first, second, result = letters(node.params["spec"])
    sizes: dict[str, Dim] = {}
    for letters_, atom in ((first, a), (second, b)):
        sizes.update(zip(letters_, atom.type.shape, strict=True))
    summed = "".join(letter for letter in sizes if letter not in result)
    for letters_, atom in ((first, a), (second, b)):
        if not atom.type.shape:
            low.elements.scalar_name(atom)
        elif set(letters_) != set(sizes):
            low.elements.settled(atom)
    matrices = (len(first), len(second), len(summed), len(result)) == (2, 2, 1, 2) and out.type.dtype.kind in "fc"
    if matrices:
        for atom in (a, b):
            _matrix(low, atom)
    reads = low.places.reads(a, b)
    read_a, read_b = low.elements.reader(a), low.elements.reader(b)
    letters_all = result + summed

    def element(index: Index) -> Expr:
        at = dict(zip(letters_all, index, strict=True))
        return apply(MULTIPLY, read_a(tuple(at[letter] for letter in first)), read_b(tuple(at[letter] for letter in second)))

    if not summed:
        cheap = low.elements.is_cheap(a) and low.elements.is_cheap(b)
        if not result:
            low.define(out, element(()), reads)
        else:
            low.lazy(out, element, reads, free=False, cheap=cheap, heavy=_is_heavy(low, a) or _is_heavy(low, b))
        return
    if matrices:
        _matmul(low, node, out, (first, second, result, summed), sizes)
        return
    order = loop_order(first, second, result, summed)
    numbers = tuple(letters_all.index(letter) for letter in order)
    axes = tuple(range(len(result), len(letters_all)))
    fold(low, out, tuple(sizes[letter] for letter in letters_all), numbers, axes, element, typed(low, 0, out.type), ADD, reads)


def blas_kind(dtype: np.dtype) -> Expr:
    """The letter by which BLAS and LAPACK know a dtype, as they are told it."""
    return integer(ord({"f4": "s", "f8": "d", "c8": "c", "c16": "z"}[dtype.str[1:]]))


def _gemm(low: Cpu, node: Equation) -> None:
    (a, b), (out,) = node.ins, node.outs
    _matmul(low, node, out, ("ik", "kj", "ij", "k"), dict(zip("ikj", (*a.type.shape, b.type.shape[1]), strict=True)), surely_by_blas=True)


def _matmul(low: Cpu, node: Equation, out: Var, names: tuple[str, str, str, str], sizes: dict[str, Dim], *, surely_by_blas: bool = False) -> None:
    """A product of two matrices, stored or added where it is needed: by BLAS if it is large, or made once in a call; else by sums in registers, within a loop the smallest in place."""
    first, second, result, summed = names
    left, right = (_matrix(low, atom) for atom in node.ins)
    letters_ = (first, second)
    if result[0] not in first:  # out = (a b).T = b.T a.T
        left, right, letters_ = right, left, (second, first)
    height, width, inner = (low.dim(sizes[letter]) for letter in (result[0], result[1], summed))
    kind = blas_kind(out.type.dtype)
    flags = _flag((letters_[0][0] == summed) != left[1]), _flag((letters_[1][0] != summed) != right[1])
    in_loop, column = low.places.loops[-1] is not None, sizes[result[1]] == 1
    small = "" if surely_by_blas else "product_with_column" if column else "small_product" if in_loop else "" if low.name == low.module.entry else "product_in_blocks"
    for helper in ("matmul", *CALLS.get(small, ())):
        low.module.helpers.setdefault(helper)
    zero = (typed(low, 0, out.type),) if small else ()

    def emit(slot: Slot, part: Index, accumulate: bool) -> None:
        place = Load(slot.name, part) if part else Name(slot.name)
        given = (left[0], flags[0], right[0], flags[1], place, _flag(accumulate))
        large = _is_large(times(times(height, width), inner), width, in_place=small == "small_product")
        by_blas = CallKernel((), "matmul", (kind, height, inner, width, *given), low.out.where, (slot.name,))
        if not small:
            low.out.emit(by_blas)
            return
        if large is None:
            low.out.emit(by_blas)
            return
        in_registers = CallKernel((), small, (*given, *zero), low.out.where, (slot.name,))
        low.out.emit(IfElse(large, (by_blas,), (in_registers,), low.out.where))

    low.lazy_product(out, emit, low.places.reads(*node.ins))


def _is_large(multiplications: Expr, width: Expr, *, in_place: bool) -> Expr | None:
    """Whether BLAS makes a product; None: surely. What is written in place of its call is for few columns."""
    if not in_place:
        return Op(GREATER, (multiplications, integer(TUNING.blas_from)))
    many, known = Op(GREATER, (multiplications, integer(TUNING.blas_in_loops))), as_int(width)
    if known is not None:
        return many if known <= WIDEST else None
    return Op(OR, (Op(GREATER, (width, integer(WIDEST))), many))


def _matrix(low: Cpu, atom: Atom) -> tuple[Expr, bool]:
    """Where a matrix is stored, and whether what is there is its transpose."""
    binding = low.array(atom)
    if isinstance(binding, Lazy) and binding.turned is not None:
        return binding.turned, True
    return low.array_argument(atom), False


def _flag(value: bool) -> Expr:
    return Number(value)


def _is_heavy(low: Cpu, atom: Atom) -> bool:
    binding = low.places.env.get(atom) if isinstance(atom, Var) and atom.type.shape else None
    return isinstance(binding, Lazy) and binding.heavy


def loop_order(first: str, second: str, result: str, summed: str) -> str:
    """The order of a product's loops: innermost the letter that walks most operands along their last axis."""

    def cost(letter: str) -> int:
        strided = sum(letter in named and not named.endswith(letter) for named in (first, second))
        return 4 * strided + (3 if letter in result and not result.endswith(letter) else 0) + (1 if letter in result else 0)

    inner = min(summed + result, key=cost)
    if inner in summed:
        return result + "".join(letter for letter in summed if letter != inner) + inner
    outer = "".join(letter for letter in result if letter != inner)
    return outer + summed + inner


def _of_halves(start: int, step: Operation) -> Callable[[Cpu, Equation], None]:
    """A sum or product of float16 as NumPy makes it of an array in C order: what lies along the last axes in float32, rounded where another axis goes on."""

    def lower(low: Cpu, node: Equation) -> None:
        (source,), (out,), axes = node.ins, node.outs, node.params["axes"]
        shape, rank, dtype = source.type.shape, source.type.ndim, out.type.dtype
        if not axes:
            low.same(out, source)
            return
        rounded = operation(f"np.float16({step.name})") if dtype == FLOAT16 else step
        wider = FLOAT32 if dtype == FLOAT16 else dtype
        if rank - 1 not in axes:
            fold(low, out, shape, tuple(range(rank)), axes, low.elements.reader(source), typed(low, start, out.type), rounded, low.places.reads(source))
            return
        last = next(axis for axis in reversed(range(rank)) if axis not in axes or axis == 0)
        inner = tuple(range(last + 1, rank))
        low.stored(source)
        read, lengths = low.elements.reader(source), [low.dim(dim) for dim in shape]
        kept = tuple(axis for axis in range(rank) if axis not in axes)
        outer = tuple(axis for axis in axes if axis not in inner)
        slot = low.allocate(out) if kept else low.places.scalar_slot(out, consumed=True)
        whole, part = low.names.fresh(low.naming.hint(out)), low.names.fresh("part")

        def result(at_kept: Index) -> None:
            def addition(at_outer: Index) -> None:
                at = {**dict(zip(kept, at_kept, strict=True)), **dict(zip(outer, at_outer, strict=True))}
                low.out.emit(Assign((part,), (low.number(literal(start, wider)),), low.out.where))
                _accumulate(low, part, wider, at, inner, lengths, read, step)
                low.out.emit(Assign((whole,), (apply(rounded, Name(whole), Name(part)),), low.out.where))

            low.out.emit(Assign((whole,), (typed(low, start, out.type),), low.out.where))
            low.nest([lengths[axis] for axis in outer], addition)
            if kept:
                low.out.emit(Store(slot.name, at_kept, Name(whole), where=low.out.where))

        low.nest([lengths[axis] for axis in kept], result)
        if not kept:
            low.out.emit(Assign((slot.name,), (Name(whole),), low.out.where))
        slot.written = True
        low.places.occupy(slot, out)

    return lower


PRODUCTS: dict[Primitive, Callable[[Cpu, Equation], None]] = {
    rows.reduce_sum: reduction(0, ADD), rows.reduce_prod: reduction(1, MULTIPLY), rows.reduce_any: reduction(False, BIT_OR),
    rows.reduce_all: reduction(True, BIT_AND), rows.sum_of_halves: _of_halves(0, ADD), rows.prod_of_halves: _of_halves(1, MULTIPLY), rows.contract: _contract, rows.gemm: _gemm,
}
