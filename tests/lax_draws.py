"""Drawn calls of lax's functions: shapes, axes, strides, paddings, dtypes. The same for JAX and for s2s, made of a seed."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Draw:
    """What one call is made of."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def number(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))

    def one(self, *options: Any) -> Any:
        return options[self.number(0, len(options) - 1)]

    def shape(self, ndim: int | None = None, low: int = 1, high: int = 4) -> tuple[int, ...]:
        return tuple(self.number(low, high) for _ in range(self.number(1, 3) if ndim is None else ndim))

    def array(self, shape: tuple[int, ...], kind: str = "") -> Any:
        return self.rng.integers(-5, 6, size=shape) if (kind or self.one("f", "f", "i")) == "i" else self.rng.normal(size=shape).round(2)

    def any(self, kind: str = "") -> Any:
        return self.array(self.shape(), kind)

    def axis(self, x: Any) -> int:
        return self.number(0, x.ndim - 1)

    def axes(self, x: Any) -> tuple[int, ...]:
        return tuple(axis for axis in range(x.ndim) if self.number(0, 1))

    def order(self, n: int) -> tuple[int, ...]:
        return tuple(int(each) for each in self.rng.permutation(n))


Call = tuple[tuple[Any, ...], Callable[..., Any]]
"""The arrays, and what is done with them: function(lax, *arrays)."""
DRAWS: dict[str, Callable[[Draw], Call]] = {}


def drawn(make: Callable[[Draw], Call]) -> Callable[[Draw], Call]:
    """Put into DRAWS."""
    DRAWS[make.__name__.strip("_")] = make
    return make


@drawn
def _slice(d: Draw) -> Call:
    x = d.any()
    starts = [d.number(0, size) for size in x.shape]
    limits = [d.number(start, size) for start, size in zip(starts, x.shape, strict=True)]
    steps = d.one(None, [d.number(1, 3) for _ in starts])
    return (x,), lambda lax, x: lax.slice(x, starts, limits, steps)


@drawn
def _slice_in_dim(d: Draw) -> Call:
    x = d.any()
    axis = d.axis(x)
    start, step = d.number(-x.shape[axis], x.shape[axis]), d.number(1, 2)
    return (x,), lambda lax, x: lax.slice_in_dim(x, start, None, step, axis)


@drawn
def _dynamic_slice(d: Draw) -> Call:
    x = d.any()
    starts, sizes = [d.number(-6, 6) for _ in x.shape], [d.number(1, size) for size in x.shape]
    return (x,), lambda lax, x: lax.dynamic_slice(x, starts, sizes)


@drawn
def _dynamic_update_slice(d: Draw) -> Call:
    x = d.any("f")
    update, starts = d.array(tuple(d.number(1, size) for size in x.shape), "f"), [d.number(-6, 6) for _ in x.shape]
    return (x, update), lambda lax, x, update: lax.dynamic_update_slice(x, update, starts)


@drawn
def _pad(d: Draw) -> Call:
    x = d.array(d.shape(None, 4, 5), "f")
    config = [(d.number(-2, 2), d.number(-2, 2), d.number(0, 2)) for _ in x.shape]
    return (x,), lambda lax, x: lax.pad(x, 1.0, config)


@drawn
def _rev_and_transpose(d: Draw) -> Call:
    x = d.any()
    axes, order = d.axes(x), d.order(x.ndim)
    return (x,), lambda lax, x: lax.transpose(lax.rev(x, axes), order)


@drawn
def _broadcast_in_dim(d: Draw) -> Call:
    x = d.array(d.shape(d.number(0, 2)), "f")
    shape = [d.number(1, 4) for _ in range(x.ndim + d.number(0, 2))]
    places = sorted(d.order(len(shape))[: x.ndim])
    for size, place in zip(x.shape, places, strict=True):
        shape[place] = size if size != 1 else shape[place]
    return (x,), lambda lax, x: lax.broadcast_in_dim(x, tuple(shape), tuple(places))


@drawn
def _running(d: Draw) -> Call:
    x = d.any("f")
    name, axis, reverse = d.one("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"), d.axis(x), d.one(True, False)
    return (x,), lambda lax, x: getattr(lax, name)(x, axis, reverse)


@drawn
def _reductions(d: Draw) -> Call:
    x = d.any()
    name, axes = d.one("reduce_sum", "reduce_prod", "reduce_max", "reduce_min"), d.axes(x)
    return (x,), lambda lax, x: getattr(lax, name)(x, axes)


@drawn
def _sort(d: Draw) -> Call:
    shape = d.shape()
    arrays = [d.array(shape, "i") // 2, d.array(shape, "i") // 2, d.array(shape, "f")]
    dimension, keys = d.number(-len(shape), len(shape) - 1), d.number(1, 3)
    return tuple(arrays), lambda lax, *arrays: lax.sort(arrays, dimension=dimension, num_keys=keys)


@drawn
def _top_k(d: Draw) -> Call:
    x = d.any()
    x = x.astype(d.one(np.uint8, np.int8, np.int64)) if x.dtype.kind == "i" else np.where(x > 1.5, np.nan, x)
    axis = d.axis(x)
    count = d.number(0, x.shape[axis])
    return (x,), lambda lax, x: lax.top_k(x, count, axis=axis)


@drawn
def _dot_general(d: Draw) -> Call:
    batch, summed = d.shape(d.number(0, 1)), d.shape(d.number(0, 2))
    left, right = d.array(batch + summed + d.shape(d.number(0, 1)), "f"), d.array(batch + summed + d.shape(d.number(0, 1)), "f")
    one, two = d.order(left.ndim), d.order(right.ndim)
    n, m = len(batch), len(batch) + len(summed)
    numbers = (([one.index(k) for k in range(n, m)], [two.index(k) for k in range(n, m)]), ([one.index(k) for k in range(n)], [two.index(k) for k in range(n)]))
    return (left.transpose(one), right.transpose(two)), lambda lax, left, right: lax.dot_general(left, right, numbers)


@drawn
def _conv_general_dilated(d: Draw) -> Call:
    space, groups = d.number(1, 2), d.one(1, 1, 2)
    batches = d.one(1, 1, 2) if groups == 1 else 1
    features, outs = d.number(1, 2) * groups, d.number(1, 2) * groups * batches
    x, kernel = d.array((2 * batches, features, *d.shape(space, 4, 6)), "f"), d.array((outs, features // groups, *d.shape(space, 1, 3)), "f")
    padding = d.one("SAME", "VALID", "SAME_LOWER", [(d.number(-1, 2), d.number(-1, 2)) for _ in range(space)])
    options: dict[str, Any] = {"rhs_dilation": d.one(None, d.shape(space, 1, 2)), "feature_group_count": groups, "batch_group_count": batches}
    if not isinstance(padding, str):
        options["lhs_dilation"] = d.shape(space, 1, 2)
    if d.one(True, False):
        texts = d.one(("NHWC", "HWIO", "NHWC"), ("NWHC", "IHOW", "CNHW"), ("CNWH", "WHIO", "NHCW")) if space == 2 else d.one(("NWC", "WIO", "NWC"), ("WCN", "OWI", "CWN"))
        own = ("NCHW", "OIHW") if space == 2 else ("NCW", "OIW")
        x, kernel = x.transpose([own[0].index(each) for each in texts[0]]), kernel.transpose([own[1].index(each) for each in texts[1]])
        options["dimension_numbers"] = texts
    strides = d.shape(space, 1, 2)
    return (x, kernel), lambda lax, x, kernel: lax.conv_general_dilated(x, kernel, strides, padding, **options)


@drawn
def _reduce_window(d: Draw) -> Call:
    x = d.array(d.shape(d.number(1, 2), 3, 5), "f")
    name, start = d.one(("add", 0.0), ("max", -np.inf), ("min", np.inf), ("mul", 1.0))
    padding = d.one("SAME", "VALID", [(d.number(0, 2), d.number(0, 2)) for _ in x.shape])
    window, strides, gaps, holes = d.shape(x.ndim, 1, 3), d.shape(x.ndim, 1, 2), d.shape(x.ndim, 1, 2), d.shape(x.ndim, 1, 2)
    return (x,), lambda lax, x: lax.reduce_window(x, start, getattr(lax, name), window, strides, padding, base_dilation=gaps, window_dilation=holes)


@drawn
def _reduce(d: Draw) -> Call:
    x = d.any("f")
    (name, start), axes = d.one(("add", 0.0), ("max", -np.inf), ("mul", 1.0)), d.axes(x)
    return (x,), lambda lax, x: lax.reduce(x, start, getattr(lax, name), axes)


@drawn
def _gather_and_scatter(d: Draw) -> Call:
    x, updates, width = d.array((4, 5), "f"), d.array((3, 2), "f"), 2
    places, mode = np.array([[d.number(-2, 6)] for _ in range(3)]), d.one("clip", "fill")
    name = d.one("scatter_add", "scatter_min", "scatter_max", "scatter_sub")

    def call(lax: Any, x: Any, updates: Any) -> Any:
        taken = lax.gather(x, places, lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, width), mode="clip")
        return getattr(lax, name)(x, places, updates + taken, lax.ScatterDimensionNumbers((1,), (0,), (0,)), mode=mode)

    return (x, updates), call


@drawn
def _associative_scan(d: Draw) -> Call:
    x = d.any("f")
    name, reverse, axis = d.one("add", "mul", "max"), d.one(True, False), d.axis(x)
    return (x,), lambda lax, x: lax.associative_scan(getattr(lax, name), x, reverse=reverse, axis=axis)


@drawn
def _choosing(d: Draw) -> Call:
    shape = d.shape()
    which = d.rng.integers(0, 3, size=d.one(shape, ()))
    cases = [d.array(shape, "f") for _ in range(3)]
    return tuple(cases), lambda lax, a, b, c: lax.clamp(-1.0, lax.select_n(which, a, b, c), lax.max(a, b))


CASES = [(name, number) for name in DRAWS for number in range(6)]
"""Name and seed."""


def call_of(name: str, number: int) -> Call:
    """One drawn call."""
    return DRAWS[name](Draw(1000 * list(DRAWS).index(name) + number))
