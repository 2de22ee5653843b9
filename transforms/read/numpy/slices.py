"""Where slices start, and how long they are.

    x[a:b]      start min(max(a, 0), n), length max(min(b, n) - start, 0): simplified by what is known of a, b and n

Bounds are clamped exactly as Python does.
"""
from __future__ import annotations

from typing import Any

from s2s.errors import ArgumentTypeError, ShapeError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import rows, sizes
from s2s.transforms.primitives.arithmetic import less, select
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.arithmetic import add, multiply
from s2s.transforms.read.numpy.building import Operand, builder_of
from s2s.transforms.read.numpy.common import as_integer, cast, lift
from s2s.types import BOOL, INT64, Atom, Dim, Literal, Var, atom_dim, dim_atom, is_integer, size_literal


def slice_bounds(builder: Builder, dim: Dim, item: slice) -> tuple[Atom, Atom, int] | None:
    """(start, length, step) of a slice of an axis, exactly as Python clamps them; None for the whole axis.

    The start is meaningless (but never negative when there are elements) where the length is 0.
    """
    step, n = _static_step(item.step), dim_atom(dim)
    lower, upper = (None if bound is None else _bound(bound) for bound in (item.start, item.stop))
    key = ("slice", builder.form(n), *(None if bound is None else builder.form(bound) for bound in (lower, upper)), step, builder.facts.learned)
    if key not in builder.numbered:  # a stencil takes the same slices of many arrays
        builder.numbered[key] = _slice_bounds(builder, n, lower, upper, step)
    found: tuple[Atom, Atom, int] | None = builder.numbered[key]
    return found


def _slice_bounds(builder: Builder, n: Atom, lower: Atom | None, upper: Atom | None, step: int) -> tuple[Atom, Atom, int] | None:
    if step > 0:
        start = size_literal(0) if lower is None else _from_front(builder, lower, n)
        stop = n if upper is None else _stop(builder, upper, n, start)
        extent = sizes.minus(builder, stop, start)
    else:
        start = sizes.minus(builder, n, 1) if lower is None else _last(builder, lower, n)
        stop = size_literal(-1) if upper is None else _past(builder, upper, n)
        extent = sizes.minus(builder, start, stop)
    length = _trips(builder, extent, abs(step))
    if step == 1 and isinstance(start, Literal) and start.value == 0 and builder.same_size(atom_dim(length), atom_dim(n)):
        return None
    if isinstance(length, Var):
        builder.facts.know(length, lower=(builder.form(0),), upper=(builder.form(n),))
    return start, length, step


def run_time_steps(builder: Builder, dim: Dim, item: slice) -> Value:
    """The positions start, start + step, … of a slice whose step is known only at run time."""
    n, step = dim_atom(dim), as_integer(item.step)
    if builder.proves_at_least(step, 1):
        start, extent = _forwards(builder, n, item)
    else:
        (test,) = builder.equation(rows.not_equal, (step, size_literal(0)), name="fits")
        builder.check(test, "ValueError", "slice step cannot be zero")
        start, extent = _either_way(builder, n, item, step)
        (step,) = builder.equation(select, (test, step, size_literal(1)), name="step")  # lengths are computed before a check
    length = sizes.larger(builder, sizes.quotient(builder, extent, step), 0)
    if isinstance(length, Var):
        builder.facts.know(length, lower=(builder.form(0),), upper=(builder.form(n),))
    steps = multiply(rows.iota(Value(builder, length)), Value(builder, step))
    return add(steps, Value(builder, start))


def _forwards(builder: Builder, n: Atom, item: slice) -> tuple[Atom, Atom]:
    """(start, what is divided by the step for the length) where the step is positive."""
    start = size_literal(0) if item.start is None else _from_front(builder, _bound(item.start), n)
    stop = n if item.stop is None else _stop(builder, _bound(item.stop), n, start)
    extent = sizes.plus(builder, sizes.minus(builder, stop, start), sizes.minus(builder, as_integer(item.step), 1))
    return start, sizes.larger(builder, extent, 0)


def _either_way(builder: Builder, n: Atom, item: slice, step: Atom) -> tuple[Atom, Atom]:
    """The same for a step of either sign: bounds are clamped to [0, n] on the way up, to [-1, n - 1] on the way down."""
    (down,) = builder.equation(less, (step, size_literal(0)), name="down")
    shift = builder.equation(select, (down, size_literal(-1), size_literal(0)), name="shift")[0]

    def chosen(one: Atom, two: Atom) -> Atom:
        return builder.equation(select, (down, one, two), name="bound")[0]

    def clamped(bound: Atom) -> Atom:
        if not builder.proves_at_least(bound, 0):
            (negative,) = builder.equation(less, (bound, size_literal(0)), name="negative")
            bound = builder.equation(select, (negative, sizes.plus(builder, bound, n), bound), name="bound")[0]
        return sizes.smaller(builder, sizes.larger(builder, bound, shift), sizes.plus(builder, n, shift))

    first, end = sizes.minus(builder, n, 1), size_literal(-1)
    start = chosen(first, size_literal(0)) if item.start is None else clamped(_bound(item.start))
    stop = chosen(end, n) if item.stop is None else clamped(_bound(item.stop))
    rounding = chosen(size_literal(1), size_literal(-1))  # to whole steps, away from 0
    extent = sizes.plus(builder, sizes.minus(builder, stop, start), sizes.plus(builder, step, rounding))
    return start, extent


def _static_step(step: Any) -> int:
    if step is None:
        return 1
    atom = as_integer(step)
    assert isinstance(atom, Literal)
    if atom.value == 0:
        raise ShapeError("slice step cannot be zero", where=builder_of(step).where)
    return int(atom.value)  # type: ignore[arg-type]


def _bound(bound: Operand) -> Atom:
    if type(bound) is int and -(2**63) <= bound < 2**63:
        return size_literal(bound)
    value = lift(bound)
    if value.dtype == BOOL and value.type.weak and not value.ndim:  # Python's are integers, NumPy's are not
        value = cast(value, INT64)
    if value.ndim or not is_integer(value.dtype):
        raise ArgumentTypeError("slice indices must be integers or None or have an __index__ method", where=value.builder.where, instead="int(…)")
    return as_integer(value)


def _trips(builder: Builder, extent: Atom, step: int) -> Atom:
    """How many steps fit: max(ceil(extent / step), 0)."""
    if step == 1:
        return sizes.larger(builder, extent, 0)
    return sizes.quotient(builder, sizes.larger(builder, sizes.plus(builder, extent, step - 1), 0), size_literal(step))


def _below_zero_by(builder: Builder, bound: Atom, n: Atom) -> int | None:
    """c if bound is known to be n - c with a constant c >= 0."""
    form = builder.known_form(n) - builder.known_form(bound)
    return form.constant if not form.terms and form.constant >= 0 else None


def _from_front(builder: Builder, bound: Atom, n: Atom) -> Atom:
    """A start, step > 0, clamped below (not above: the length is then 0 anyway)."""
    if builder.proves_at_least(bound, 0):
        return bound
    if builder.proves_at_least(-1, bound):
        return sizes.larger(builder, sizes.plus(builder, bound, n), 0)
    if _below_zero_by(builder, bound, n) in (1, 2):
        return sizes.larger(builder, bound, 0)
    return _wrapped(builder, bound, n, 0, n)


def _stop(builder: Builder, bound: Atom, n: Atom, start: Atom) -> Atom:
    """A stop, step > 0. Only max(stop - start, 0) is used of it, so that it need not be clamped where start excludes the difference."""
    if builder.proves_at_least(bound, 0):
        return sizes.smaller(builder, bound, n)
    if builder.proves_at_least(-1, bound):
        return sizes.plus(builder, bound, n)
    short = _below_zero_by(builder, bound, n)
    if short is not None and builder.proves_at_least(start, short - 2):
        return bound
    return _wrapped(builder, bound, n, 0, n)


def _last(builder: Builder, bound: Atom, n: Atom) -> Atom:
    """A start, step < 0, clamped to [-1, n - 1]."""
    last = sizes.minus(builder, n, 1)
    if builder.proves_at_least(bound, 0):
        return sizes.smaller(builder, bound, last)
    if builder.proves_at_least(-1, bound):
        return sizes.larger(builder, sizes.plus(builder, bound, n), -1)
    if _below_zero_by(builder, bound, n) == 1:
        return bound
    return _wrapped(builder, bound, n, -1, last)


def _past(builder: Builder, bound: Atom, n: Atom) -> Atom:
    """A stop, step < 0, clamped below at -1."""
    if builder.proves_at_least(bound, 0):
        return bound
    if builder.proves_at_least(-1, bound):
        return sizes.larger(builder, sizes.plus(builder, bound, n), -1)
    return _wrapped(builder, bound, n, -1, sizes.minus(builder, n, 1))


def _wrapped(builder: Builder, bound: Atom, n: Atom, lowest: int, highest: Atom) -> Atom:
    """A bound of unknown sign: max(bound + n, lowest) if bound < 0 else min(bound, highest)."""
    key = ("wrapped", builder.form(bound), builder.form(n), lowest)
    if key not in builder.numbered:
        (negative,) = builder.equation(less, (bound, size_literal(0)), name="negative")
        from_end = sizes.larger(builder, sizes.plus(builder, bound, n), lowest)
        (out,) = builder.equation(select, (negative, from_end, sizes.smaller(builder, bound, highest)), name="bound")
        builder.facts.know(out, lower=(builder.form(lowest),), upper=(builder.form(highest),))
        builder.numbered[key] = out
    return builder.numbered[key]
