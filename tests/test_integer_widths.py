"""Integers of 8, 16, 32 and 64 bits, with a sign and without: NumPy's promotion, wrap-around, exceptions and casts.

uint8 in every run; each of the others in its share of a week's (`slow`). What is drawn: `python -m tests.fuzz.run --calls --narrow`.
"""
from __future__ import annotations

import itertools
import warnings
from dataclasses import replace

import nodes
import numpy as np
import pytest
from codegen_kernels import check_results, load, run
from test_rules import Point

import s2s
from s2s.codegen.emit import emit_kernels, prepared
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.primitives.table import TABLE
from s2s.types import SUPPORTED_DTYPES, is_integer

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
WIDTHS = tuple(str(dtype) for dtype in SUPPORTED_DTYPES if is_integer(dtype))
NEW = tuple(width for width in WIDTHS if width not in ("int32", "int64"))
by_width = pytest.mark.parametrize("width", [width if width == "uint8" else pytest.param(width, marks=pytest.mark.slow) for width in NEW])


def drawn(width, shape, seed):
    """Small numbers and the ends of a dtype."""
    rng = np.random.default_rng(seed)
    if width == "bool":
        return rng.random(shape) < 0.5
    if np.dtype(width).kind == "f":
        return rng.choice([0.0, 1.5, -2.5, 3.0, 100.25, -7.0], shape).astype(width)
    limits = np.iinfo(width)
    ends = np.array([limits.min, limits.max, limits.max - 1, limits.max // 2 + 1, 0, 1, 2, 3, 7, 9, 63, 64, 65, 100], width)
    return ends[rng.integers(0, len(ends), shape)]


def agree(found, wanted, what):
    assert len(found) == len(wanted)
    for number, (one, other) in enumerate(zip(found, wanted, strict=True)):
        assert np.asarray(one).dtype == np.asarray(other).dtype, (what, number, one, other)
        np.testing.assert_allclose(one, other, rtol=1e-6 if np.asarray(other).dtype == np.float32 else 1e-14, err_msg=f"{what}, result {number}")


def arithmetic(a, b):
    return (
        a + b, a - b, a * b, a / b, a // b, a % b, np.fmod(a, b), -a, abs(a), np.sign(a), np.square(a), a**3, np.power(a, b % 5), np.maximum(a, b), np.minimum(a, b),
        np.where(a < b, a, b), np.divmod(a, b)[1], a * 2.5, a + b * a - b, np.float32(3) * a, np.clip(a, 1, 3),
    )  # fmt: skip


def comparisons(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b, a < 300, a == -1, a >= 2**40, a > -1


def bits(a, b):
    return a & b, a | b, a ^ b, a << b, a >> b, ~a, a << 70, a >> 70, a >> 1


def reductions(a, b):
    return (
        np.sum(a), np.prod(a), np.mean(a), np.max(a), np.min(a), np.cumsum(a), np.cumprod(a), np.argmax(a), np.argmin(a), np.sort(a), np.unique(a), np.median(a),
        np.sum(a, dtype=np.uint8), np.sum(a, dtype=np.int16), np.dot(a, b), np.outer(a, b), np.diff(a), np.ptp(a), np.var(a), np.any(a), np.count_nonzero(a), sum(a),
        np.searchsorted(np.sort(a), b), np.bincount((a & np.asarray(7, a.dtype)).astype(np.uint16)),
    )  # fmt: skip


def casts(a, b):
    kinds = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float32, np.float64, np.bool_)
    return tuple(a.astype(kind) for kind in kinds) + tuple((b * 1.0).astype(kind) for kind in kinds[:3])


def indexed(a, b):
    x = np.arange(12.0)
    places = a % 12
    y = np.zeros(12)
    y[places] = 1.0
    z = np.zeros(3, a.dtype)
    z[0] = a[1]
    z[1:] += a[2]
    return x[places], x[places[2]], y, z, np.concatenate((a, b)), np.full(3, a[0]), np.zeros_like(a), np.arange(3, dtype=a.dtype), a[::-1], np.repeat(a, 2)


PARTS = (arithmetic, comparisons, bits, reductions, casts, indexed)


def as_numpy(function, a, b):
    try:
        with np.errstate(all="ignore"):
            return function(a, b)
    except (TypeError, OverflowError):
        return None


@by_width
def test_operations_on_arrays(width):
    seed = NEW.index(width)
    for other in (width, "int64", "uint8", "bool", "float64", "uint64"):
        a, b = drawn(width, 6, seed), drawn(other, 6, seed + 1)
        for part in PARTS:
            wanted = as_numpy(part, a, b)
            if wanted is not None:
                agree(s2s.jit(part, target="numpy")(a, b), wanted, (part.__name__, width, other))


@by_width
def test_operations_on_scalars(width):
    for seed, (other, part) in enumerate(itertools.product((width, "int64", "int8"), (arithmetic, comparisons, bits))):
        a, b = drawn(width, 1, seed)[0], drawn(other, 1, seed + 9)[0]
        wanted = as_numpy(part, a, b)
        if wanted is not None:
            agree(s2s.jit(part, target="numpy")(a, b), wanted, (part.__name__, width, other))


@by_width
def test_compiled(width):
    a, b = drawn(width, 7, 3), drawn(width, 7, 4)
    for part in PARTS:
        wanted = as_numpy(part, a, b)
        if wanted is not None:
            agree(s2s.jit(part)(a, b), wanted, (part.__name__, width))


REDUCTIONS = (rows.reduce_sum, rows.reduce_prod, rows.reduce_max, rows.reduce_min, rows.cumsum, rows.cumprod, rows.argmax, rows.argmin, rows.sort, rows.argsort)


def points(width):
    """The rows of one element and along axes, at their samples of integers."""
    for row in TABLE:
        if row.name.endswith("_of_bits"):
            continue  # of as many bits as their results
        for sample in row.samples if isinstance(row.emission, Elementwise) or row in REDUCTIONS else ():
            numbers = sample.make(np.random.default_rng(0))
            if all(isinstance(number, np.ndarray) and number.dtype == np.int64 for number in numbers):
                yield Point(row, replace(sample, make=lambda rng, sample=sample: tuple(np.abs(each).astype(width) for each in sample.make(rng))))


@by_width
def test_rows(width):
    """Each in the text of both targets, the compiled one as the Python that it is; all of them compiled at once."""
    for target in ("numpy", "cpu"):
        chosen = [point for point in points(width) if target == "numpy" or point.numbers[0].ndim == 1]
        for part in (chosen[start : start + 24] for start in range(0, len(chosen), 24)):
            builder = new_builder()
            results = [out for point in part for out in builder.equation(point.row, tuple(point.atoms), point.sample.params)]
            params = tuple(param for point in part for param in point.params)
            args = tuple(point.arguments[param] for point in part for param in point.params)
            function = nodes.Function("group", params, builder.block(*results))
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                wanted = interpret(function, *args)
                kernels = emit_kernels(prepared(function, target), name="_kernel", target=target)
                got = run(kernels, load(kernels, compiled=target == "cpu"), args)
            check_results(got, wanted, kernels.text, exact_dtype=target == "numpy")


SMALL = np.array([1, 2, 3], np.uint8)
BEYOND = {
    "a sum": (lambda x, n: x + n, 300), "a negative number": (lambda x, n: x * n, -1), "the smaller": (lambda x, n: np.minimum(x, n), 256), "a store": (lambda x, n: _stored(x, n), 256),
    "a number": (lambda x, n: np.uint8(n), -1), "an array": (lambda x, n: np.array([n, 1], np.uint8), 300), "a bound": (lambda x, n: np.clip(x, n, None), 300),
    "initial": (lambda x, n: np.sum(x, initial=n), -1), "a full array": (lambda x, n: np.full_like(x, n), 300), "in place": (lambda x, n: _added(x.copy(), n), 300),
    "a uint64": (lambda x, n: x.astype(np.uint64) + n, -1),
}  # fmt: skip


def _stored(x, n):
    y = x.copy()
    y[0] = n
    return y


def _added(x, n):
    x += n
    return x


@pytest.mark.parametrize("name", BEYOND)
def test_python_ints_that_do_not_fit_raise_as_in_numpy(name):
    function, n = BEYOND[name]
    with pytest.raises(OverflowError) as wanted:
        function(SMALL, n)
    with pytest.raises(OverflowError) as found:
        s2s.jit(function, target="numpy")(SMALL, n)
    assert str(wanted.value) in str(found.value)


def test_python_ints_are_compared_and_chosen_without_complaint():
    def compared(x, n):
        return x < n, x == n, x != -n, np.where(x > 1, x, 300), np.where(x > 1, -1, x), np.clip(x, -5, 300), np.clip(x, -n, n), np.uint64(7) > n - 400, np.int64(-1) < x.astype(np.uint64)

    for n in (300, 2):
        agree(s2s.jit(compared, target="numpy")(SMALL, n), compared(SMALL, n), n)


def test_stores_wrap_or_raise_as_in_numpy():
    def stored(x, value):
        x[1] = value
        return x

    for width, value in itertools.product(NEW, (np.int64(300), np.int64(-1), np.float64(2.5), np.uint8(200), np.True_, np.array([70000])[0])):
        x = np.zeros(2, width)
        try:
            wanted = stored(x.copy(), value)
        except OverflowError as error:
            with pytest.raises(OverflowError, match=str(error)):
                s2s.jit(stored, target="numpy")(x.copy(), value)
        else:
            agree((s2s.jit(stored, target="numpy")(x.copy(), value),), (wanted,), (width, value))


def test_casting_in_place_has_numpys_words():
    def added(x, y):
        x += y
        return x

    for x, y in ((SMALL.copy(), np.ones(3)), (SMALL.copy(), np.ones(3, np.int8))):
        with pytest.raises(TypeError) as wanted:
            added(x.copy(), y)
        with pytest.raises(TypeError) as found:
            s2s.jit(added, target="numpy")(x, y)
        assert str(wanted.value) in str(found.value)


def test_floats_of_short_integers():
    """NumPy computes functions of two bytes in float32, of one byte in float16."""
    for width in ("int16", "uint16"):
        x = drawn(width, 4, 0)
        agree((s2s.jit(lambda x: np.sqrt(np.abs(x)), target="numpy")(x),), (np.sqrt(np.abs(x)),), width)
    for function in (lambda x: np.sqrt(x), lambda x: np.arctan2(x, x), lambda x: np.modf(x)[0], lambda x: np.exp(x > 1)):
        agree((s2s.jit(function, target="numpy")(SMALL),), (function(SMALL),), "float16")


def test_derivatives_begin_where_integers_become_floats():
    def brightness(image, gain):
        return np.sum((image / 255.0 * gain) ** 2)

    image = np.array([[0, 128], [255, 3]], np.uint8)
    grad = s2s.grad(brightness, argnums=1)(image, 2.0)
    np.testing.assert_allclose(grad, 2 * 2.0 * np.sum((image / 255.0) ** 2))
    with pytest.raises(TypeError):
        s2s.grad(brightness)(image, 2.0)
    batched = s2s.vmap(brightness, in_axes=(0, None))(image, 2.0)
    np.testing.assert_allclose(batched, [brightness(row, 2.0) for row in image])


def test_a_uint64_as_a_python_int_has_63_bits():
    def half(x):
        return int(x) // 2, x.item()

    assert s2s.jit(half, target="numpy")(np.uint64(2**63 - 1)) == (2**62 - 1, 2**63 - 1)
    with pytest.raises(OverflowError, match="64 bits"):
        s2s.jit(half, target="numpy")(np.uint64(2**63))


def test_constants_wrap_as_arrays_do():
    """NumPy's scalars would raise: np.int8(300)."""

    def filled(x):
        return np.full(x.shape, 300).astype(np.int8), np.full(x.shape, -1).astype(np.uint8), np.full(x.shape, True).astype(complex), np.full(x.shape, -1.5).astype(np.int16)

    x = np.ones(2)
    for target in ("numpy", "cpu"):
        for found, wanted in zip(s2s.jit(filled, target=target)(x), filled(x), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)
