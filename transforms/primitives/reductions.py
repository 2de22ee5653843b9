"""Reductions over axes, running sums and products, sorting.

`axes` is a sorted tuple of non-negative ints, `axis` one. Results keep the operand's dtype (the reader converts first).
At ties of reduce_max and reduce_min the derivative is split evenly, as in JAX; reduce_prod is right at zeros too.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.conversion import converted
from s2s.transforms.primitives.families import linear_structural, repeat
from s2s.transforms.primitives.indexing import take_along
from s2s.transforms.primitives.row import NEW, NOT_LINEAR, STRUCTURAL, ZERO, Cost, Jvp, Nothing, NotYet, Primitive, Sample, Transpose
from s2s.transforms.primitives.sizes import times
from s2s.transforms.primitives.structural import complex_draws, draws, permuted, reshape, sample
from s2s.transforms.primitives.value import Value, Values
from s2s.types import BOOL, INT64, Array, Atom, Dim

# ---- over several axes ----------------------------------------------------------------------------------------------


def _infer_reduced(ins: tuple[Atom, ...], *, axes: tuple[int, ...]) -> tuple[Array, ...]:
    type_ = ins[0].type
    if axes != tuple(sorted(set(axes))) or not all(0 <= axis < type_.ndim for axis in axes):
        raise ShapeError(f"{type_} can't be reduced over axes {axes}")
    return (type_.strong().with_shape(tuple(dim for axis, dim in enumerate(type_.shape) if axis not in axes)),)


def _infer_bool(ins: tuple[Atom, ...], *, axes: tuple[int, ...]) -> tuple[Array, ...]:
    return (_infer_reduced(ins, axes=axes)[0].with_dtype(BOOL),)


def _batch_axes(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, axes: tuple[int, ...]) -> Any:
    return (primitive(ins[0], axes=tuple(axis + 1 for axis in axes)),), (True,)


def spread(reduced: Value, shape: tuple[Dim, ...], axes: tuple[int, ...]) -> Value:
    """A reduced value repeated along the reduced axes."""
    return reduced.broadcast_to(shape, tuple(axis for axis in range(len(shape)) if axis not in axes))


def _samples(draw: Callable[..., Any] = draws, wrt: tuple[int, ...] = (0,)) -> tuple[Sample, ...]:
    return (
        sample(draw(4), axes=(0,), wrt=wrt), sample(draw(2, 3), axes=(0, 1), wrt=wrt), sample(draw(2, 3, 4), axes=(1,), wrt=wrt),
        sample(draw(2, 3, 4), axes=(0, 2), wrt=wrt), sample(draw(2, 3), axes=(), wrt=wrt), sample(draw(), axes=(), wrt=wrt),
        sample(draw(1, 3), axes=(0,), wrt=wrt), sample(draw(0, 3), axes=(1,), wrt=wrt),
    )


def _integers(*shape: int) -> Callable[..., Any]:
    return lambda rng: rng.integers(-3, 4, shape)


def _bools(*shape: int) -> Callable[..., Any]:
    return lambda rng: rng.uniform(0, 1, shape) < 0.6


def _reduction(
    name: str, evaluate: Callable[..., Any], *, jvp: Jvp | Nothing, samples: tuple[Sample, ...], infer: Any = _infer_reduced,
    transpose: Transpose | Nothing = NOT_LINEAR,
) -> Primitive:
    return Primitive(name, infer, evaluate, jvp, transpose, _batch_axes, Cost.HEAVY, STRUCTURAL, NEW, samples)


def _jvp_sum(dots: Any, ins: Values, outs: Values, *, axes: tuple[int, ...]) -> tuple[Value | None, ...]:
    return (reduce_sum(dots[0], axes=axes) if dots[0] is not None else None,)


def _transpose_sum(bars: Any, ins: Values, linear: tuple[bool, ...], *, axes: tuple[int, ...]) -> Any:
    return (spread(bars[0], ins[0].shape, axes),)


reduce_sum = _reduction(
    "reduce_sum", lambda x, *, axes: np.sum(x, axis=axes, dtype=np.asarray(x).dtype), jvp=_jvp_sum, transpose=_transpose_sum,
    samples=(*_samples(), sample(draws(0, 3), axes=(0,)), *_samples(_integers, ()), *_samples(complex_draws)),
)
"""reduce_sum(x; axes): over the sorted tuple of non-negative axes, in x's dtype."""


def _jvp_prod(dots: Any, ins: Values, outs: Values, *, axes: tuple[int, ...]) -> tuple[Value | None, ...]:
    """The sum of x_dot times the product of the other elements: those before, and those behind."""
    if dots[0] is None:
        return (None,)
    x, dot = _one_axis(ins[0], axes), _one_axis(dots[0], axes)
    last = x.ndim - 1
    others = cumprod(x, axis=last, reverse=False, exclusive=True) * cumprod(x, axis=last, reverse=True, exclusive=True)
    return (reduce_sum(others * dot, axes=(last,)),)


def _one_axis(x: Value, axes: tuple[int, ...]) -> Value:
    """x with these axes as its one last axis."""
    kept = tuple(axis for axis in range(x.ndim) if axis not in axes)
    ordered = permuted(x, (*kept, *axes))
    if len(axes) == 1:
        return ordered
    total = x.size(1)
    for axis in axes:
        total = x.with_atom(times(x.builder, total.atom, x.dim(axis).atom))
    return reshape(ordered, *(x.dim(axis) for axis in kept), total)


def _with_zero(*shape: int) -> Callable[..., Any]:
    def make(rng: np.random.Generator) -> Any:
        drawn = rng.uniform(-2.0, 2.0, shape)
        drawn[..., :1] = 0.0
        return drawn

    return make


reduce_prod = _reduction(
    "reduce_prod", lambda x, *, axes: np.prod(x, axis=axes, dtype=np.asarray(x).dtype), jvp=_jvp_prod,
    samples=(*_samples(), *_samples(_integers, ()), sample(complex_draws(3), axes=(0,)), sample(_with_zero(4), axes=(0,)),
             sample(_with_zero(2, 3), axes=(0, 1)), sample(draws(0, 2), axes=(0,))),
)


def _halves(*shape: int) -> Callable[..., Any]:
    return lambda rng: rng.uniform(0.5, 1.5, shape).astype(np.float16)


def _in_order(name: str, evaluate: Any, reduction: Primitive, *, transpose: Transpose | Nothing = NOT_LINEAR) -> Primitive:
    """A reduction of float16 that rounds as NumPy does, which adds along the last axes in float32 and rounds wherever another axis goes on."""
    samples = (*_samples(), sample(_halves(4), axes=(0,), wrt=()), sample(_halves(2, 3, 4), axes=(0,), wrt=()), sample(_halves(2, 3, 4), axes=(0, 2), wrt=()), sample(_halves(0, 3), axes=(0,), wrt=()))
    return _reduction(name, lambda x, *, axes: evaluate(np.asarray(x, order="C"), axis=axes), jvp=reduction.jvp, transpose=transpose, samples=samples)  # type: ignore[arg-type]


sum_of_halves = _in_order("sum_of_halves", np.sum, reduce_sum, transpose=_transpose_sum)
prod_of_halves = _in_order("prod_of_halves", np.prod, reduce_prod)


def _jvp_chosen(dots: Any, ins: Values, outs: Values, *, axes: tuple[int, ...]) -> tuple[Value | None, ...]:
    """The mean of x_dot over the elements that equal the result."""
    (x,), (ans,), (dot,) = ins, outs, dots
    if dot is None:
        return (None,)
    chosen = converted(x.equals(spread(ans, x.shape, axes)), x.dtype)
    return (reduce_sum(chosen * dot, axes=axes) / reduce_sum(chosen, axes=axes),)


reduce_max = _reduction("reduce_max", lambda x, *, axes: np.max(x, axis=axes), jvp=_jvp_chosen, samples=(*_samples(), *_samples(_integers, ())))
reduce_min = _reduction("reduce_min", lambda x, *, axes: np.min(x, axis=axes), jvp=_jvp_chosen, samples=(*_samples(), *_samples(_integers, ())))
reduce_any = _reduction("reduce_any", lambda x, *, axes: np.any(x, axis=axes), jvp=ZERO, infer=_infer_bool, samples=_samples(_bools, ()))
reduce_all = _reduction("reduce_all", lambda x, *, axes: np.all(x, axis=axes), jvp=ZERO, infer=_infer_bool, samples=_samples(_bools, ()))

# ---- along one axis -------------------------------------------------------------------------------------------------


def _infer_along(ins: tuple[Atom, ...], *, axis: int, **_: Any) -> tuple[Array, ...]:
    type_ = ins[0].type
    if not 0 <= axis < type_.ndim or any((atom.type.dtype, atom.type.shape) != (type_.dtype, type_.shape) for atom in ins):
        raise ShapeError(f"{', '.join(str(atom.type) for atom in ins)} along axis {axis}")
    return (type_.strong(),)


def _infer_position(ins: tuple[Atom, ...], *, axis: int) -> tuple[Array, ...]:
    return (_infer_reduced(ins, axes=(axis,))[0].with_dtype(INT64),)


def _batch_axis(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, axis: int, **params: Any) -> Any:
    full = [x if is_batched else repeat(x, size) for x, is_batched in zip(ins, batched, strict=True)]
    return (primitive(*full, axis=axis + 1, **params),), (True,)


def _position(name: str, evaluate: Callable[..., Any]) -> Primitive:
    return Primitive(
        name, _infer_position, lambda x, *, axis: np.asarray(evaluate(x, axis=axis), np.int64), ZERO, NOT_LINEAR, _batch_axis, Cost.HEAVY,
        STRUCTURAL, NEW, tuple(sample(make, axis=axis, wrt=()) for make, axis in ((draws(4), 0), (draws(2, 3), 1), (_integers(4, 3), 0), (draws(2, 0, 3), 2))),
    )


argmax, argmin = _position("argmax", np.argmax), _position("argmin", np.argmin)
"""argmax(x; axis): the position of the first largest element (of the first nan, if there is one)."""


def _along(*operands: Callable[..., Any], **params: Any) -> tuple[Sample, ...]:
    """Samples of a row along an axis, whose operands are all drawn alike."""
    wrt = tuple(range(len(operands)))
    cases = (((4,), 0), ((2, 3), 0), ((2, 3), 1), ((0,), 0), ((1, 2), 0))
    return tuple(sample(*(draw(*shape) for draw in operands), axis=axis, wrt=wrt, **params) for shape, axis in cases)


def _flipped(x: Any, axis: int, reverse: bool) -> Any:
    return np.flip(x, axis) if reverse else x


def _cumsum(x: Any, *, axis: int, reverse: bool) -> Any:
    return _flipped(np.cumsum(_flipped(x, axis, reverse), axis=axis, dtype=x.dtype), axis, reverse).copy()


cumsum: Primitive = linear_structural(
    "cumsum", _cumsum, infer=_infer_along, linear_in=(0,), batch=_batch_axis, cost=Cost.HEAVY,
    transpose=lambda bars, ins, linear, *, axis, reverse: (cumsum(bars[0], axis=axis, reverse=not reverse),),
    samples=(*_along(draws, reverse=False), *_along(draws, reverse=True), sample(_integers(4), axis=0, reverse=False, wrt=())),
)
"""cumsum(x; axis, reverse): running sums, from the last element backwards if `reverse`."""


def _cumprod(x: Any, *, axis: int, reverse: bool, exclusive: bool) -> Any:
    result = np.cumprod(_flipped(x, axis, reverse), axis=axis, dtype=x.dtype)
    if exclusive:
        result = np.insert(result, 0, 1, axis=axis).take(range(x.shape[axis]), axis=axis)
    return _flipped(result, axis, reverse).copy()


def _jvp_cumprod(dots: Any, ins: Values, outs: Values, *, axis: int, reverse: bool, exclusive: bool) -> tuple[Value | None, ...]:
    """before' = recurrence(x, x_dot * before); of the inclusive one (before * x)'."""
    (x,), (dot,) = ins, dots
    if dot is None:
        return (None,)
    before = outs[0] if exclusive else cumprod(x, axis=axis, reverse=reverse, exclusive=True)
    change = before * dot
    before_dot = recurrence(x, change, axis=axis, reverse=reverse)
    return (before_dot if exclusive else x * before_dot + change,)


cumprod = Primitive(
    "cumprod", _infer_along, _cumprod, _jvp_cumprod, NOT_LINEAR, _batch_axis, Cost.HEAVY, STRUCTURAL, NEW,
    (
        *(each for reverse in (False, True) for exclusive in (False, True) for each in _along(draws, reverse=reverse, exclusive=exclusive)),
        sample(_with_zero(4), axis=0, reverse=False, exclusive=False), sample(_integers(4), axis=0, reverse=False, exclusive=False, wrt=()),
    ),
)
"""cumprod(x; axis, reverse, exclusive): running products, backwards if `reverse`; if `exclusive`, of the elements strictly
before each (the first is 1).
"""


def _recurrence(a: Any, b: Any, *, axis: int, reverse: bool) -> Any:
    factors, terms = (np.moveaxis(_flipped(x, axis, reverse), axis, 0) for x in (a, b))
    result = np.zeros(terms.shape, terms.dtype)
    for k in range(len(terms) - 1):
        result[k + 1] = factors[k] * result[k] + terms[k]
    return _flipped(np.moveaxis(result, 0, axis), axis, reverse).copy()


def _jvp_recurrence(dots: Any, ins: Values, outs: Values, *, axis: int, reverse: bool) -> tuple[Value | None, ...]:
    terms = [] if dots[0] is None else [outs[0] * dots[0]]
    terms += [] if dots[1] is None else [dots[1]]
    if not terms:
        return (None,)
    return (recurrence(ins[0], terms[0] + terms[1] if len(terms) == 2 else terms[0], axis=axis, reverse=reverse),)


recurrence: Primitive = Primitive(
    "recurrence", _infer_along, _recurrence, _jvp_recurrence,
    lambda bars, ins, linear, *, axis, reverse: (None, recurrence(ins[0], bars[0], axis=axis, reverse=not reverse)),
    _batch_axis, Cost.HEAVY, STRUCTURAL, NEW, (*_along(draws, draws, reverse=False), *_along(draws, draws, reverse=True)),
)
"""recurrence(a, b; axis, reverse): out[0] = 0, out[k + 1] = a[k] * out[k] + b[k]; backwards if `reverse`. Linear in b, and
its transpose is the same backwards. Derivatives of running products are made of it.
"""

# ---- sorting --------------------------------------------------------------------------------------------------------

argsort = Primitive(
    "argsort", lambda ins, *, axis: (_infer_along(ins, axis=axis)[0].with_dtype(INT64),),
    lambda x, *, axis: np.argsort(x, axis=axis, kind="stable"), ZERO, NOT_LINEAR, _batch_axis, Cost.HEAVY, STRUCTURAL, NEW,
    tuple(sample(make, axis=axis, wrt=()) for make, axis in ((draws(5), 0), (draws(2, 3), 0), (_integers(2, 6), 1), (draws(0), 0))),
)
"""argsort(x; axis): stable, nan last."""


def _jvp_sort(dots: Any, ins: Values, outs: Values, *, axis: int) -> tuple[Value | None, ...]:
    return (take_along(dots[0], argsort(ins[0], axis=axis), axis) if dots[0] is not None else None,)


sort = Primitive(
    "sort", _infer_along, lambda x, *, axis: np.sort(x, axis=axis), _jvp_sort, NOT_LINEAR, _batch_axis, Cost.HEAVY, STRUCTURAL, NEW,
    (*_along(draws), sample(_integers(5), axis=0, wrt=())),
)


def _rising(rng: np.random.Generator) -> Any:
    return np.sort(rng.normal(size=5))


def _rising_integers(rng: np.random.Generator) -> Any:
    return np.sort(rng.integers(-3, 4, 6))


searchsorted = Primitive(
    "searchsorted", lambda ins, *, side: (ins[1].type.with_dtype(INT64),),
    lambda points, wanted, *, side: np.searchsorted(points, wanted, side), ZERO, NOT_LINEAR,
    NotYet("each example has a bisection of its own"), Cost.HEAVY, STRUCTURAL, NEW,
    tuple(sample(points, wanted, side=side, wrt=()) for side in ("left", "right") for points, wanted in ((_rising, draws(4)), (_rising_integers, _integers(7)))),
)
"""searchsorted(points, wanted; side): for each of a vector the position among points, found as NumPy finds it: by bisection
between bounds that go by the element before, so that the result is NumPy's also where points don't rise (until NumPy 2.4: since 2.5 it halves otherwise).
"""

ROWS: tuple[Primitive, ...] = (
    searchsorted, reduce_sum, reduce_prod, sum_of_halves, prod_of_halves, reduce_max, reduce_min, reduce_any, reduce_all, argmax, argmin, cumsum, cumprod, recurrence, argsort, sort,
)
