"""Drawn calls of lax, nn and random: functions, arguments, dtypes, shapes, faults of arguments among them. The same for JAX and for s2s, made of a seed.

A draw is (arrays, call): what differs by library is asked of `L`, which has `lax`, `nn` and `random`.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from lax_draws import Draw

Call = tuple[tuple[Any, ...], Callable[..., Any]]
DRAWS: dict[str, Callable[[Draw], Call]] = {}
FLOATS, INTS = ("float64", "float32"), ("int64", "int32", "int8", "uint8", "uint32")


def drawn(make: Callable[[Draw], Call]) -> Callable[[Draw], Call]:
    """Put into DRAWS."""
    DRAWS[make.__name__.strip("_")] = make
    return make


def floats(d: Draw, shape: tuple[int, ...], dtype: str = "", low: float = -3.0, high: float = 3.0) -> Any:
    return d.rng.uniform(low, high, size=shape).astype(dtype or d.one(*FLOATS))[()]


def ints(d: Draw, shape: tuple[int, ...], dtype: str = "") -> Any:
    dtype = dtype or d.one(*INTS)
    return d.rng.integers(0 if dtype[0] == "u" else -7, 8, size=shape).astype(dtype)[()]


def shape_of(d: Draw, low: int = 0) -> tuple[int, ...]:
    return tuple(d.number(low, 4) for _ in range(d.number(0, 3)))


def of_any(d: Draw, shape: tuple[int, ...]) -> Any:
    kind = d.one("f", "f", "i", "b", "c")
    if kind == "f":
        return floats(d, shape)
    if kind == "i":
        return ints(d, shape)
    return (d.rng.integers(0, 2, size=shape).astype(bool) if kind == "b" else (d.rng.normal(size=shape) + 1j * d.rng.normal(size=shape)))[()]


UNARY = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i0e", "bessel_i1e", "cbrt", "ceil", "cos", "cosh", "digamma", "erf", "erf_inv", "erfc", "exp", "exp2", "expm1",
    "floor", "lgamma", "log", "log1p", "logistic", "neg", "rsqrt", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "is_finite", "bitwise_not", "population_count", "clz", "conj",
    "real", "imag", "round", "reciprocal", "stop_gradient", "optimization_barrier",
)  # fmt: skip
BINARY = (
    "add", "sub", "mul", "div", "max", "min", "rem", "pow", "atan2", "nextafter", "eq", "ne", "lt", "le", "gt", "ge", "bitwise_and", "bitwise_or", "bitwise_xor", "shift_left",
    "shift_right_arithmetic", "shift_right_logical", "igamma", "igammac", "zeta", "polygamma", "complex", "random_gamma_grad",
)  # fmt: skip
POSITIVE = ("igamma", "igammac", "zeta", "polygamma", "random_gamma_grad")


@drawn
def _unary(d: Draw) -> Call:
    name, x = d.one(*UNARY), of_any(d, shape_of(d))
    if x.dtype.kind == "f" and d.one(True, False):
        x = (x / 3.2 if name in ("acos", "asin", "atanh", "erf_inv") else abs(x) + 1.1).astype(x.dtype)
    return (x,), lambda L, x: getattr(L.lax, name)(x)


@drawn
def _binary(d: Draw) -> Call:
    name, shape = d.one(*BINARY), shape_of(d)
    dtype = d.one(*FLOATS, *INTS)
    make = floats if dtype in FLOATS else ints
    x, y = make(d, shape, dtype), make(d, d.one(shape, shape, ()), dtype)
    if name in POSITIVE:
        x, y = (abs(x) + 1).astype(dtype), (abs(y) + 1).astype(dtype)
    if name.startswith("shift"):
        y = np.asarray(abs(y) % 8, dtype)[()]
    return (x, y), lambda L, x, y: getattr(L.lax, name)(x, y)


@drawn
def _more_elements(d: Draw) -> Call:
    shape, dtype = shape_of(d), d.one(*FLOATS)
    x, y, z = (floats(d, shape, dtype, 0.1, 0.9) for _ in range(3))
    which = d.number(0, 5)
    if which == 0:
        return (x, y, z), lambda L, x, y, z: L.lax.betainc(x, y, z)
    if which == 1:
        n = d.number(-3, 5)
        return (x,), lambda L, x: L.lax.integer_pow(x, n)
    if which == 2:
        new = d.one("float32", "float64", "int32", "int8", "uint8", "bool", "complex64")
        return (x * 10,), lambda L, x: L.lax.convert_element_type(x, np.dtype(new))
    if which == 3:
        rounding = d.one(0, 1)
        return (x * 10 - 5,), lambda L, x: L.lax.round(x, L.lax.RoundingMethod(rounding))
    if which == 4:
        bits = (d.number(2, 8), d.number(3, 20))
        return (x * 100,), lambda L, x: L.lax.reduce_precision(x, *bits)
    new = d.one("int32", "float32", "int64", "uint8", "int8", "uint16")
    return (x,), lambda L, x: L.lax.bitcast_convert_type(x, np.dtype(new))


@drawn
def _ternary(d: Draw) -> Call:
    shape = shape_of(d)
    which = d.one("clamp", "select", "select_n", "fma")
    x, y, z = (floats(d, shape, "float64") for _ in range(3))
    if which == "clamp":
        low, high = -abs(floats(d, d.one((), shape), "float64")), abs(floats(d, d.one((), shape), "float64"))
        return (low, x, high), lambda L, low, x, high: L.lax.clamp(low, x, high)
    test = d.rng.integers(0, 2, size=d.one(shape, ())).astype(d.one(bool, bool, np.int32))[()]
    if which == "select":
        return (test, x, y), lambda L, test, x, y: L.lax.select(test, x, y)
    return (test, x, y, z)[: 3 if test.dtype == bool else 4], lambda L, test, *cases: L.lax.select_n(test, *cases)


@drawn
def _shapes(d: Draw) -> Call:
    x = of_any(d, shape_of(d, 1))
    n, axis = x.ndim, d.number(-4, 3)
    axes, order = tuple(d.number(-n, max(n - 1, 0)) for _ in range(d.number(0, 2))), d.order(n)
    which = d.number(0, 11)
    return (x,), (
        lambda L, x: L.lax.expand_dims(x, axes), lambda L, x: L.lax.squeeze(x, axes), lambda L, x: L.lax.transpose(x, order), lambda L, x: L.lax.rev(x, axes),
        lambda L, x: L.lax.broadcast(x, (2, 3)), lambda L, x: L.lax.broadcast_to_rank(x, axis + 2), lambda L, x: L.lax.collapse(x, abs(axis), None), lambda L, x: L.lax.reshape(x, (x.size,), order if n else None),
        lambda L, x: L.lax.full_like(x, 2), lambda L, x: L.lax.concatenate([x, x], axis), lambda L, x: L.lax.split(x, (1, x.shape[0] - 1) if n else (1,), abs(axis)),
        lambda L, x: L.lax.unstack(x, axis) if hasattr(L.lax, "unstack") else x,
    )[which]  # fmt: skip


@drawn
def _made(d: Draw) -> Call:
    shape, dtype, axis = shape_of(d), np.dtype(d.one("float32", "int32", "float64", "int8", "bool")), d.number(-1, 3)
    which = d.number(0, 5)
    return (), (
        lambda L: L.lax.iota(dtype, shape[0] if shape else 3), lambda L: L.lax.broadcasted_iota(dtype, shape, axis), lambda L: L.lax.full(shape, 2, dtype),
        lambda L: L.lax.full(shape, 1.5), lambda L: L.lax.full_like(L.lax.empty(shape, dtype), 1), lambda L: L.lax.iota(dtype, -1) if axis < 0 else L.lax.iota(dtype, axis),
    )[which]  # fmt: skip


@drawn
def _parts(d: Draw) -> Call:
    x = of_any(d, shape_of(d, 1))
    n = x.ndim
    axis = d.number(-n, max(n - 1, 0)) if n else 0
    size = x.shape[axis] if n else 1
    first = d.number(-size, size)
    start, count, index, keep = d.number(-5, 5), d.number(0, size), d.number(-size - 1, size), d.one(True, False)
    which = d.number(0, 9)
    update = np.zeros(x.shape[:axis] + (count,) + x.shape[axis:][1:], x.dtype) if n and axis >= 0 else x
    return (x,), (
        lambda L, x: L.lax.dynamic_slice_in_dim(x, start, count, axis), lambda L, x: L.lax.dynamic_index_in_dim(x, index, axis, keep), lambda L, x: L.lax.index_in_dim(x, index, axis, keep),
        lambda L, x: L.lax.slice_in_dim(x, first, None, 1 + abs(start) % 3, axis), lambda L, x: L.lax.dynamic_update_slice_in_dim(x, update, start, axis),
        lambda L, x: L.lax.dynamic_update_index_in_dim(x, x[0] if n else x, index, 0), lambda L, x: L.lax.dynamic_slice(x, (start,) * n, (1,) * n),
        lambda L, x: L.lax.slice(x, (0,) * n, x.shape, None), lambda L, x: L.lax.slice(x, (0,) * n, tuple(each + start for each in x.shape)), lambda L, x: L.lax.pad(x, np.zeros((), x.dtype)[()], ((start, count, abs(index)),) * n),
    )[which]  # fmt: skip


@drawn
def _reductions(d: Draw) -> Call:
    x = of_any(d, shape_of(d))
    n = x.ndim
    axes = tuple(axis for axis in range(n) if d.number(0, 1)) + ((n,) if d.number(0, 12) == 0 else ())
    axis, reverse = d.number(-n - 1, n), d.one(True, False)
    name = d.one("reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_and", "reduce_or", "reduce_xor")
    running = d.one("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
    which = d.number(0, 2)
    return (x,), (
        lambda L, x: getattr(L.lax, name)(x, axes), lambda L, x: getattr(L.lax, running)(x, axis, reverse), lambda L, x: getattr(L.lax, "argmax" if reverse else "argmin")(x, axis, np.dtype("int64")),
    )[which]  # fmt: skip


@drawn
def _orders(d: Draw) -> Call:
    x = of_any(d, shape_of(d, 1))
    n = x.ndim
    axis, k = d.number(-n - 1, n), d.number(-1, 4)
    keys = ints(d, x.shape, "int64")
    which = d.number(0, 4)
    return ((x,), lambda L, x: L.lax.sort(x, axis)) if which == 0 else ((keys, x), lambda L, keys, x: L.lax.sort_key_val(keys, x, axis)) if which == 1 else (
        (x,), lambda L, x: L.lax.top_k(x, k)) if which == 2 else ((x,), lambda L, x: L.lax.approx_max_k(x, max(k, 1), axis)) if which == 3 else (
        (keys, x), lambda L, keys, x: L.lax.sort((keys, x), dimension=axis, num_keys=k))  # fmt: skip


@drawn
def _products(d: Draw) -> Call:
    n, m, k = (d.number(0, 4) for _ in range(3))
    make = d.one(floats, floats, ints)
    dtype = d.one(*FLOATS) if make is floats else d.one("int64", "int32")
    a, b = make(d, d.one((n, m), (m,), (2, n, m)), dtype), make(d, d.one((m, k), (m,), (2, m, k), (k, m)), dtype)
    which = d.number(0, 2)
    return (a, b), (
        lambda L, a, b: L.lax.dot(a, b), lambda L, a, b: L.lax.batch_matmul(a, b), lambda L, a, b: L.lax.dot_general(a, b, (((a.ndim - 1,), (0,)), ((), ())), preferred_element_type=np.dtype("float64") if a.dtype.kind == "f" else None),
    )[which]  # fmt: skip


ACTIVATIONS = (
    "relu", "relu6", "sigmoid", "softplus", "sparse_plus", "sparse_sigmoid", "soft_sign", "silu", "swish", "log_sigmoid", "leaky_relu", "hard_sigmoid", "hard_silu", "hard_swish",
    "hard_tanh", "elu", "celu", "selu", "gelu", "glu", "squareplus", "mish", "identity", "tanh", "softmax", "log_softmax", "standardize", "log1mexp", "logmeanexp", "logsumexp",
)  # fmt: skip


@drawn
def _activations(d: Draw) -> Call:
    name, shape = d.one(*ACTIVATIONS), shape_of(d, 1)
    x = floats(d, shape)
    if name == "log1mexp":
        x = abs(x) + np.asarray(0.1, x.dtype)
    return (x,), lambda L, x: getattr(L.nn, name)(x)


@drawn
def _of_axes(d: Draw) -> Call:
    x = floats(d, shape_of(d, 1))
    n = x.ndim
    axis = d.one(None, d.number(-n - 1, n), tuple(range(n))) if d.number(0, 1) else d.number(-n, max(n - 1, 0))
    where, keep, flag = d.rng.integers(0, 2, size=x.shape).astype(bool), d.one(True, False), d.one(True, False)
    given = d.one(None, where)
    b = d.one(None, floats(d, x.shape, str(x.dtype), 0.1, 2.0))
    which = d.number(0, 6)
    value, slope = float(d.number(1, 30)) / 10, float(d.number(-5, 5)) / 10
    return (x,), (
        lambda L, x: L.nn.softmax(x, axis, given), lambda L, x: L.nn.log_softmax(x, axis, given), lambda L, x: L.nn.logsumexp(x, axis, b, keep, flag, given if not flag else None),
        lambda L, x: L.nn.standardize(x, axis, epsilon=1e-3, where=given), lambda L, x: L.nn.logmeanexp(x, axis, given, keep), lambda L, x: L.nn.glu(x, axis),
        lambda L, x: (L.nn.celu(x, value), L.nn.elu(x, value), L.nn.leaky_relu(x, slope), L.nn.gelu(x, flag), L.nn.squareplus(x, value)),
    )[which]  # fmt: skip


@drawn
def _one_hot(d: Draw) -> Call:
    x, classes = ints(d, shape_of(d, 1), "int64"), d.number(0, 5)
    dtype, axis = np.dtype(d.one("float32", "int32", "bool")), d.number(-x.ndim - 1, x.ndim)
    return (x,), lambda L, x: L.nn.one_hot(x, classes, dtype=dtype, axis=axis)


@drawn
def _attention(d: Draw) -> Call:
    batch, heads, keys_heads = d.number(1, 2), d.one(2, 4), d.one(1, 2)
    t, s, h = (d.number(1, 4) for _ in range(3))
    dtype = "float32"  # in which JAX makes its sums
    shapes = ((batch, t, heads, h), (batch, s, keys_heads, h), (batch, s, keys_heads, h))
    q, k, v = (floats(d, shape if d.number(0, 9) else shape[1:], dtype) for shape in shapes)
    options: dict[str, Any] = {"is_causal": d.one(True, False), "scale": d.one(None, 0.7)}
    if d.number(0, 1):
        options["bias"] = floats(d, d.one((batch, heads, t, s), (1, 1, t, s)), dtype)
    if d.number(0, 1):
        options["mask"] = d.rng.integers(0, 2, size=d.one((batch, heads, t, s), (batch, 1, t, s))).astype(bool)
    if d.number(0, 2) == 0:
        options["local_window_size"] = d.one(1, (1, 0), (0, 2))
    if d.number(0, 2) == 0:
        options["query_seq_lengths"], options["key_value_seq_lengths"] = np.full(batch, d.number(0, t), np.int32), np.full(batch, d.number(1, s), np.int32)
    return (q, k, v), lambda L, q, k, v: L.nn.dot_product_attention(q, k, v, **options)


@drawn
def _random(d: Draw) -> Call:
    seed, shape, dtype = d.number(0, 99), d.shape(d.number(0, 2)), np.dtype(d.one(*FLOATS))
    whole = np.dtype(d.one("int32", "int64", "uint8", "int8", "uint32"))
    low, high = d.number(-5, 3), d.number(0, 9)
    a, b = d.rng.uniform(0.3, 4.0, size=d.one((), shape)).round(2), d.rng.uniform(0.3, 4.0, size=d.one((), shape)).round(2)
    p = d.rng.uniform(0.1, 1.0, size=4)
    options, replace, axis = (p / p.sum()).round(12), d.one(True, False), d.number(0, 1)
    which, count = d.number(0, 33), d.number(0, 4)
    table = d.array((4, 3), "f")
    table = table @ table.T + np.eye(4)
    bits = d.one("uint32", "uint8", "uint16", "uint64")
    call = (
        lambda L, key: L.random.uniform(key, shape, dtype, low, low + 2.0), lambda L, key: L.random.normal(key, shape, dtype), lambda L, key: L.random.bits(key, shape, np.dtype(bits)),
        lambda L, key: L.random.randint(key, shape, low, high, whole), lambda L, key: L.random.bernoulli(key, options[0], shape), lambda L, key: L.random.permutation(key, count),
        lambda L, key: L.random.permutation(key, table, axis, independent=replace), lambda L, key: L.random.choice(key, 4, (count,) if replace else (min(count, 4),), replace, options),
        lambda L, key: L.random.choice(key, table, shape, True, None, axis), lambda L, key: L.random.categorical(key, np.log(options), -1, shape), lambda L, key: L.random.gumbel(key, shape, dtype),
        lambda L, key: L.random.exponential(key, shape, dtype), lambda L, key: L.random.gamma(key, a, shape), lambda L, key: L.random.truncated_normal(key, -1.0, a, shape),
        lambda L, key: L.random.multivariate_normal(key, np.arange(4.0), table, shape), lambda L, key: L.random.beta(key, a, b, shape), lambda L, key: L.random.cauchy(key, shape, dtype),
        lambda L, key: L.random.chisquare(key, a, shape), lambda L, key: L.random.dirichlet(key, options, shape), lambda L, key: L.random.double_sided_maxwell(key, 0.0, a, shape),
        lambda L, key: L.random.f(key, a, b, shape), lambda L, key: L.random.generalized_normal(key, 1.5, shape), lambda L, key: L.random.geometric(key, options[1], shape),
        lambda L, key: L.random.laplace(key, shape, dtype), lambda L, key: L.random.loggamma(key, a, shape), lambda L, key: L.random.logistic(key, shape, dtype), lambda L, key: L.random.lognormal(key, a, shape),
        lambda L, key: L.random.maxwell(key, shape, dtype), lambda L, key: L.random.orthogonal(key, count, shape), lambda L, key: L.random.pareto(key, a, shape), lambda L, key: L.random.poisson(key, a * 3, shape),
        lambda L, key: L.random.rademacher(key, shape, np.dtype("int32")), lambda L, key: L.random.rayleigh(key, a, shape), lambda L, key: L.random.t(key, a, shape),
    )[which]  # fmt: skip
    return (), lambda L: call(L, L.random.key(seed))


BODIES: tuple[Callable[..., Any], ...] = (
    lambda x: x * 2.0, lambda x: x, lambda x: x + 1, lambda x: (x, x), lambda x: {"a": x}, lambda x: x[..., None], lambda x: x > 0, lambda x: x.astype(np.float32), lambda x: x.sum(), lambda x: 1.0,
    lambda x: (x * 0.5).astype(x.dtype), lambda x: -x, lambda x: x * x, lambda x: None, lambda x: [x],
)  # fmt: skip
"""What branches and carries become: of another type, shape or structure at times."""


@drawn
def _branches(d: Draw) -> Call:
    x = d.one(floats, floats, ints)(d, shape_of(d, 1))
    pred = d.one(True, False, np.float64(1.5), 0, np.array([True, False]), np.int64(3), "yes")
    one, two, three = (d.one(*BODIES[: d.one(3, 15, 15)]) for _ in range(3))
    same = d.number(0, 2)
    two, three = (one, one) if same == 0 else (two, three)
    index = d.one(-1, 0, 1, 2, 5, 1.5, np.array([1]))
    which = d.number(0, 3)
    return (x,), (
        lambda L, x: L.lax.cond(pred, one, two, x), lambda L, x: L.lax.switch(index, [one, two, three], x), lambda L, x: L.lax.cond(pred, x, one, x, two), lambda L, x: L.lax.switch(index, (one,), x),
    )[which]  # fmt: skip


@drawn
def _carries(d: Draw) -> Call:
    x = d.one(floats, floats, ints)(d, shape_of(d, 1))
    body = d.one(*BODIES)
    low, high = d.one(0, 1, -2, 3), d.one(0, 3, 2, 1.5, -1)
    which = d.number(0, 2)
    return (x,), (
        lambda L, x: L.lax.fori_loop(low, high, lambda i, x: body(x), x), lambda L, x: L.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, body(c[1])), (0, x)),
        lambda L, x: L.lax.fori_loop(low, high, lambda i, c: (c[1], body(c[0])), (x, x)),
    )[which]  # fmt: skip


@drawn
def _scans(d: Draw) -> Call:
    x = d.one(floats, floats, ints)(d, d.shape(d.number(1, 2), 0, 4))
    y = floats(d, d.shape(1, 0, 4))
    body, length, reverse, unroll = d.one(*BODIES), d.one(None, None, len(x), -1, 2), d.one(True, False), d.one(1, 2, True, 0)
    start = d.one(0.0, np.float64(1.0), (1.0, 2))
    which, some, axis = d.number(0, 6), d.one(None, 1, 2, 3), d.one(0, 0, 1, -1)
    return (x, y), (
        lambda L, x, y: L.lax.scan(lambda c, v: (c, body(v)), start, x, length, reverse, unroll), lambda L, x, y: L.lax.scan(lambda c, v: (body(c), c), x, None, length),
        lambda L, x, y: L.lax.scan(lambda c, v: (c, v[0].sum() + v[1]), 0.0, (x, y), reverse=reverse), lambda L, x, y: L.lax.map(body, x), lambda L, x, y: L.lax.map(lambda v: v * 2, (x, y) if reverse else x, batch_size=some),
        lambda L, x, y: L.lax.scan(lambda c, v: c + v.sum(), 0.0, x), lambda L, x, y: L.lax.associative_scan(lambda a, b: a + b, (x, y[: len(x)]) if length is None and axis == 0 and len(x) == len(y) else x, reverse=reverse, axis=axis),
    )[which]  # fmt: skip
