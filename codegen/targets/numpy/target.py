"""The numpy target: array equations as NumPy expressions, everything else as in Python.

A lazy array has an expression, which may be `narrow`: of a shape that NumPy stretches to the array's. A broadcast is left
to NumPy as long as only elementwise operations and stores read it. The structural rows are in numpy_rows.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2s.codegen.language.expressions import (
    Constant,
    Expr,
    Filled,
    Formatted,
    Invoke,
    Load,
    Name,
    Number,
    Op,
    Part,
    Slice,
    Tuple,
    Type,
    integer,
    total,
)
from s2s.codegen.language.operations import conversion, method
from s2s.codegen.language.statements import Assign, Store
from s2s.codegen.lowering.elementwise import array_expression, array_operation, helpers_of_arrays, libraries, only_weakened, picks
from s2s.codegen.lowering.lowered import Slot
from s2s.codegen.lowering.places import Lazy
from s2s.codegen.lowering.printing import effect_call, print_call
from s2s.codegen.lowering.storage import Storage
from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.transforms.ir.program import Check, Equation, Print
from s2s.transforms.primitives.index import At, Full, Span, Take
from s2s.transforms.primitives.row import Elementwise
from s2s.types import BOOL, COMPLEX128, FLOAT64, INT64, Atom, Dim, Literal, Var

PLAIN = (BOOL, INT64, FLOAT64, COMPLEX128)
NONE, ALL, WHOLE = Constant(None), Slice(None, None), Constant(...)
COPY = method("copy")


class Arrays(Storage):
    """Array equations as NumPy expressions."""

    def __init__(self, *args: object, **keywords: object) -> None:
        super().__init__(*args, **keywords)  # type: ignore[arg-type]
        self.narrow: dict[Var, frozenset[int]] = {}
        """The lazy arrays whose expression NumPy has yet to stretch."""
        self.reshaped: dict[Var, Atom] = {}
        """Each reshaped array -> what it was reshaped from."""
        self.kept_axes: dict[Var, tuple[Dim, ...]] = {}
        """Each array that was reduced -> its shape, had it kept the axes that it was reduced along."""

    # ---- values -------------------------------------------------------------------------------------------------------

    def number(self, value: Literal) -> Expr:
        """A constant of its dtype."""
        plain = Number(value.value)
        return plain if value.type.dtype in PLAIN else Op(conversion(value.type.dtype), (plain,))

    def is_view(self, array: Atom) -> bool:
        """Whether an array's expression is one that is in storage or looks at what is."""
        binding = self.array(array)
        return isinstance(binding, Slot) or binding.free

    def readable(self, atom: Atom) -> bool:
        """Whether a value is still where it was, although the program does not use it any more."""
        binding = self.places.env.get(atom)  # type: ignore[arg-type]
        if isinstance(binding, Slot):
            return binding.occupant is atom
        return binding is not None and all(slot.version == version for slot, version in binding.reads.items())

    def operand(self, atom: Atom, others: Sequence[Atom]) -> Expr:
        """An operand of an elementwise expression: constants stay Python's beside an operand that has the dtype."""
        if isinstance(atom, Literal):
            typed = any(isinstance(other, Var) and other.type.dtype == atom.type.dtype for other in others)
            return Number(atom.value) if typed else self.number(atom)
        return self.scalar(atom)

    def whole(self, atom: Atom) -> Expr:
        """An array's expression with its full shape."""
        expr = self.scalar(atom)
        if atom in self.narrow and isinstance(self.places.env[atom], Lazy):
            return Invoke("np.broadcast_to", (expr, self.shape(atom)))
        return expr

    def full(self, atom: Atom) -> frozenset[int]:
        """The axes that an array's expression has at their length."""
        narrow = atom in self.narrow and isinstance(self.places.env[atom], Lazy)
        return self.narrow[atom] if narrow else frozenset(range(atom.type.ndim))  # type: ignore[index]

    def shape(self, atom: Atom) -> Expr:
        """An array's shape as an argument."""
        dims = self.dims(atom)
        return dims[0] if len(dims) == 1 else Tuple(dims)

    def bind(self, var: Var, expr: Expr, reads: dict[Slot, int], *, view: bool, full: frozenset[int] | None = None) -> None:
        """Bind an out: views and narrow values lazily, else as a scalar would be. `full`: which axes the expression has at their length; None: all."""
        narrow = full is not None and len(full) < var.type.ndim
        if full is not None and narrow:
            self.narrow[var] = full
        if isinstance(expr, Load | Part | Invoke):
            expr = replace(expr, where=self.out.where)
        if not var.type.shape:
            self.define(var, expr, reads)
        elif view or (narrow and isinstance(expr, Name | Number)):
            self.places.bind_lazily(Lazy(var, self.out.where, reads, True, expr=expr))
        elif narrow and self.live.counts[var] > 1:
            lazy = Lazy(var, self.out.where, reads, False, expr=expr)
            self.places.bind_lazily(lazy)
            self.materialise(lazy)
        else:
            self.define(var, expr, reads)

    def assign(self, var: Var, expr: Expr, *, consumed: bool = False) -> Slot:
        """Put a value into a variable."""
        if var in self.narrow:
            expr = self.filled(var, expr)
        slot = super().assign(var, expr, consumed=consumed)
        slot.rebound = slot.rebound or bool(var.type.shape) and slot.param
        return slot

    def materialise_array(self, lazy: Lazy, slot: Slot | None) -> Slot:
        """name = expression, a copy where it is a view."""
        self.places.binding(lazy.var)
        expr = lazy.expr
        assert expr is not None
        if lazy.free and lazy.var not in self.narrow:
            expr = Op(COPY, (expr,))
        if slot is None:
            return self.assign(lazy.var, expr)
        if lazy.var in self.narrow:
            expr = self.filled(lazy.var, expr)
        self.flush(slot, except_for=(lazy.var,))
        self.out.emit(Assign((slot.name,), (expr,), self.out.where, move=True))
        slot.rebound = True
        self.places.occupy(slot, lazy.var)
        return slot

    def filled(self, var: Var, expr: Expr) -> Expr:
        """New storage of var's shape with a narrow expression's elements."""
        dtype = () if var.type.dtype == FLOAT64 else (Type(var.type.dtype),)
        if isinstance(expr, Op) and expr.operation is conversion(var.type.dtype) and isinstance(number := expr.operands[0], Number):
            expr = _converted(number, var.type.dtype)
        if expr in (Number(0), Number(0.0), Number(False), Number(0j)):
            return Invoke("np.zeros", (self.shape(var), *dtype))
        if expr in (Number(1.0), Number(1), Number(True), Number(1 + 0j)):
            return Invoke("np.ones", (self.shape(var), *dtype))
        if not self.narrow[var]:  # a number
            dtype = dtype if not isinstance(expr, Number) or isinstance(expr.value, float) else (Type(var.type.dtype),)  # else it has the number's own
            return Invoke("np.full", (self.shape(var), expr, *dtype))
        return Op(COPY, (Invoke("np.broadcast_to", (expr, self.shape(var))),))

    def copied(self, array: Var, source: Slot) -> Slot:
        """name = array.copy()."""
        slot = self.places.slot(array)
        self.out.emit(Assign((slot.name,), (Op(COPY, (Name(source.name),)),), self.out.where))
        return slot

    def rename_lazily(self, out: Var, source: Atom, same: Slot | None) -> None:
        self.bind(out, self.scalar(source), self.places.reads(source), view=self.is_view(source), full=self.full(source))
        binding = self.places.env[out]
        if isinstance(binding, Lazy):
            binding.same = same

    def copy_into(self, slot: Slot, var: Var) -> None:
        """A fresh slot gets a copy, another one new elements."""
        if slot.fresh:
            self.out.emit(Assign((slot.name,), (Op(COPY, (self.scalar(var),)),), self.out.where))
            slot.fresh = False
        else:
            super().copy_into(slot, var)

    def refill(self, home: Slot, array: Var) -> None:
        """home[...] = array."""
        self.out.emit(Store(home.name, (WHOLE,), self.scalar(array), where=self.out.where))

    def message(self, node: Check) -> tuple[Expr, ...]:
        """The message with the values put in, as an f-string; the arguments of an exception that is made of more."""
        if not node.message:
            return ()
        if not node.made and not node.values:
            return (Constant(node.message.format()),)
        return ((Filled if node.made else Formatted)(node.message, tuple(self.scalar(value) for value in node.values)),)

    def print(self, node: Print) -> None:
        """A print of an f-string."""
        if node.calls_back:
            self.out.emit(effect_call(self.module, tuple(map(self.whole, node.values)), node))
            return
        shown: Expr = Formatted(node.text, tuple(map(self.whole, node.values))) if node.values else Constant(node.text.format())
        self.out.emit(print_call(self.module, shown, node))

    def array_argument(self, array: Atom) -> Expr:
        """Any expression can be passed."""
        return self.whole(array)

    # ---- equations ----------------------------------------------------------------------------------------------------

    def scalar_equation(self, node: Equation) -> None:
        """As for arrays."""
        self.array_equation(node)

    def array_equation(self, node: Equation) -> None:
        """Elementwise rows here, the others by name."""
        if isinstance(node.primitive.emission, Elementwise):
            beside = () if picks(node) else node.ins
            operands = tuple(self.operand(atom, beside) for atom in node.ins)
            (out,) = node.outs
            if only_weakened(node):
                self.places.bind_lazily(Lazy(out, self.out.where, self.places.reads(*node.ins), True, expr=operands[0]))
                return
            self.module.imports.update(f"import {library}" for library in libraries(node))
            self.module.helpers.update(dict.fromkeys(helpers_of_arrays(node)))
            full = frozenset(axis for atom in node.ins for axis in self.full(atom))
            narrow = len(full) < out.type.ndim
            again = array_operation(node, narrow=narrow).repeated  # what its text repeats is put into a variable first
            operands = tuple(self.simple(operand, atom) if k in again else operand for k, (operand, atom) in enumerate(zip(operands, node.ins, strict=True)))
            self.bind(out, array_expression(node, operands, narrow=narrow), self.places.reads(*node.ins), view=False, full=full)
            return
        lowering = self.rows.get(node.primitive)
        if lowering is None:
            raise UnsupportedError(f"{node.primitive.name} can't be written for the numpy target yet", where=node.where)
        lowering(self, node)

    def index(self, operands: Sequence[Atom], index: tuple[object, ...], array: Atom) -> tuple[tuple[Expr, ...], bool]:
        """The items of a NumPy index, and whether some need a reversal behind (descending slices)."""
        rest = iter(operands)
        items: list[Expr] = []
        reversals: list[Expr] = []
        for axis, item in enumerate(index):
            match item:
                case At():
                    items.append(self.scalar(next(rest)))
                case Take():
                    items.append(self.whole(next(rest)))
                    reversals.append(ALL)
                case Full():
                    items.append(ALL)
                    reversals.append(ALL)
                case Span(step):
                    start, length = self.scalar(next(rest)), self.scalar(next(rest))
                    items.append(_slice(start, length, step, self.dim(array.type.shape[axis])))
                    reversals.append(Slice(None, None, -1) if step < 0 else ALL)
        self.reversals = tuple(reversals)
        while len(items) > 1 and items[-1] == ALL:
            items.pop()
        return tuple(items), any(item != ALL for item in reversals)


def _converted(number: Number, dtype: np.dtype) -> Number:
    """The number as an array's astype makes it: integers wrap, where NumPy's scalars would be too large."""
    with np.errstate(all="ignore"):
        return Number(np.asarray(number.value).astype(dtype).item())


def _slice(start: Expr, length: Expr, step: int, dim: Expr) -> Slice:
    """start, start + step, …: ascending, the elements of a descending one in reverse order."""
    if step < 0:
        start, step = total((start, 1), (length, step), constant=-step), -step
        return Slice(None if start == integer(0) else start, total((start, 1), (length, step)), step)  # no less than start where it is empty: never from the end
    stop = total((start, 1), (length, step))
    return Slice(None if start == integer(0) else start, None if stop == dim else stop, step)
