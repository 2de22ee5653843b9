"""Indexing against NumPy: every combination of slice bounds and steps, static and run-time; index arrays, masks, stores."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from traced_numpy import check, run, unwrap, wrap

from s2s.errors import S2SError
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.keys import is_basic, read_index
from s2s.transforms.read.numpy.parts import get, store
from s2s.transforms.read.numpy.slices import slice_bounds
from s2s.transforms.read.numpy.table import UPDATES
from s2s.types import INT64, SIZE, Array, Literal, Var

BOUNDS = [None, 0, 1, 2, 4, 6, -1, -2, -4, -6]


@pytest.mark.parametrize("step", [None, 1, 2, 3, -1, -2, -3])
@pytest.mark.parametrize("static", [False, True])
def test_static_bounds(step: int | None, static: bool) -> None:
    keys = [slice(lo, hi, step) for lo, hi in itertools.product(BOUNDS, BOUNDS)]
    for n in (0, 1, 2, 3, 5):
        check(lambda np, a: [a[key] for key in keys], np.arange(float(n)), static=static)


@pytest.mark.parametrize("step", [1, 2, -1, -2])
def test_run_time_bounds(step: int) -> None:
    for n in (0, 1, 2, 3, 5):
        for lo, hi in itertools.product(range(-4, 5), range(-4, 5)):
            check(lambda np, a, i, j: [a[i:j:step], a[i::step], a[:j:step], a[i:2:step], a[-2:j:step]], np.arange(float(n)), lo, hi, static=False)


@pytest.mark.parametrize("step", [1, 2, -1])
def test_bounds_from_the_length(step: int) -> None:
    """a[k:n - m], as users write them, for every small length."""
    def parts(np: Any, a: Any) -> list[Any]:
        n = a.shape[0]
        return [a[lo : n - hi : step] for lo in range(4) for hi in range(5)] + [a[n - lo :: step] for lo in range(5)] + [
            a[n - lo : n - hi : step] for lo in range(4) for hi in range(4)] + [a[n - lo : hi : step] for lo in range(4) for hi in range(4)]  # fmt: skip

    for n in range(7):
        check(parts, np.arange(float(n)), static=False)


def test_run_time_steps() -> None:
    for n in (0, 1, 4, 9):
        for step in (1, 2, 5, -1, -2, -4):
            check(lambda np, a, k: [a[::k], a[1::k], a[-3::k], a[:-1:k], a[k * k :: k], a[5:1:k], a[-1:-4:k]], np.arange(float(n)), step, static=False)
            for lo, hi in itertools.product((-6, -1, 0, 2, 9), repeat=2):
                check(lambda np, a, k, i, j: [a[i:j:k], a[i::k], a[:j:k]], np.arange(float(n)), step, lo, hi, static=False)
    for step in (3, -2):
        check(lambda np, a, k: a[:, ::k], np.arange(12.0).reshape(3, 4), step)
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        run(lambda np, a, k: a[::k], np.arange(3.0), 0)


def _symbolic(builder: Builder, *names: str) -> list[Var]:
    sizes = [Var(name, SIZE) for name in names]
    for size in sizes:
        builder.know_size(size)
    return sizes


def _length(builder: Builder, n: Var, key: slice) -> Any:
    with building(builder):
        return slice_bounds(builder, n, key)[1]  # type: ignore[index]


def test_equal_lengths_are_the_same() -> None:
    builder = new_builder()
    (n,) = _symbolic(builder, "n")
    with building(builder):
        lower = Value(builder, n)
        from s2s.transforms.read.numpy.operators import binary

        keys = [slice(1, -1), slice(2, None), slice(None, -2), slice(1, binary("-", lower, 1)), slice(0, binary("-", lower, 2)), slice(2, lower)]
    lengths = {id(_length(builder, n, key)) for key in keys}
    assert len(lengths) == 1
    assert len(builder.nodes) <= 4  # n - 1, n - 2 and max(n - 2, 0)


def test_lengths_from_loop_indices() -> None:
    builder = new_builder()
    (n,) = _symbolic(builder, "n")
    j = Var("j", SIZE)
    builder.know_index(j, Literal(0, SIZE), n, Literal(1, SIZE))
    with building(builder):
        assert slice_bounds(builder, n, slice(None, Value(builder, j)))[1] is j  # type: ignore[index]
        start, length, _ = slice_bounds(builder, n, slice(Value(builder, j), None))  # type: ignore[misc]
        assert start is j
        assert builder.form(length) == builder.form(n) - builder.form(j)
        assert slice_bounds(builder, n, slice(0, None)) is None
        assert slice_bounds(builder, n, slice(None, Value(builder, n))) is None


GETS: list[tuple[Callable[..., Any], tuple[int, ...]]] = [
    (lambda np, a: a[0], (3,)), (lambda np, a: a[-1], (3,)), (lambda np, a: a[1, 2], (2, 3)), (lambda np, a: a[-1, -2], (2, 3)), (lambda np, a: a[1], (2, 3)),
    (lambda np, a: a[:, 1], (2, 3)), (lambda np, a: a[..., 1], (2, 3, 4)), (lambda np, a: a[1, ..., 2], (2, 3, 4)), (lambda np, a: a[...], (2, 3)), (lambda np, a: a[()], ()),
    (lambda np, a: a[None], (3,)), (lambda np, a: a[:, None], (3,)), (lambda np, a: a[None, :, None], (3,)), (lambda np, a: a[1, None], (2, 3)), (lambda np, a: a[None, 1], (2, 3)),
    (lambda np, a: a[1:, None, ::-1], (3, 4)), (lambda np, a: a[0:1], (3,)), (lambda np, a: a[1:2, 0], (3, 2)), (lambda np, a: a[::2, 1::2], (3, 4)), (lambda np, a: a[:, :], (2, 3)),
    (lambda np, a: a[[0, 2]], (3,)), (lambda np, a: a[[0, -1, 0]], (3,)), (lambda np, a: a[[[0, 1], [2, 0]]], (3,)), (lambda np, a: a[[0, 1], [2, 0]], (2, 3)), (lambda np, a: a[:, [2, 0]], (2, 3)),
    (lambda np, a: a[[1, 0], 2], (2, 3)), (lambda np, a: a[1, [2, 0]], (2, 3)), (lambda np, a: a[[0, 1], :, [1, 2]], (2, 3, 4)), (lambda np, a: a[:, [0, 1], [1, 2]], (2, 3, 4)),
    (lambda np, a: a[0, :, [1, 2]], (2, 3, 4)), (lambda np, a: a[[[0], [1]], [0, 2]], (2, 3)), (lambda np, a: a[[0, 1], None], (3,)), (lambda np, a: a[None, [0, 1]], (3, 2)),
    (lambda np, a: a[1:, [0, 1]], (3, 2)), (lambda np, a: a[:, None, [0, 1]], (3, 2)), (lambda np, a: a[[0, 1], ..., None], (3, 2)), (lambda np, a: a[np.arange(2)], (3,)),
    (lambda np, a: a[a > 0], (5,)), (lambda np, a: a[a > 0], (2, 3)), (lambda np, a: a[a[:, 0] > -1], (3, 2)), (lambda np, a: a[:, a[0] > -1], (2, 3)), (lambda np, a: a[[True, False, True]], (3,)),
    (lambda np, a: a[..., (0, 2)], (2, 3)), (lambda np, a: a[(0, 1), (1, 2)], (2, 3)), (lambda np, a: a[:, ((0, 1), (1, 2))], (2, 3)), (lambda np, a: a[0, (True, False, True)], (2, 3)),
    (lambda np, a: a[[1, 0], None, [0, 2]], (2, 3)), (lambda np, a: a[None, [[1], [0]], None, None, [0, 2], ::-1], (2, 3, 4)), (lambda np, a: a[1, None, [0, 2], None], (2, 3, 2)), (lambda np, a: a[[1, 0], None, 1], (2, 3)),
    (lambda np, a: a[0, ()], (2, 3)), (lambda np, a: a[[1, 0], (2, 0)], (2, 3)),
    (lambda np, a: a[a[:, 0] > -1, 1], (3, 2)), (lambda np, a: a[a > 100], (4,)), (lambda np, a: a[np.argmax(a)], (4,)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(GETS)))
def test_get(number: int) -> None:
    function, shape = GETS[number]
    rng = np.random.default_rng(number)
    for dtype in (np.float64, np.int32):
        check(function, np.asarray(np.round(rng.normal(0, 3, shape), 1), dtype)[()])


def test_run_time_positions() -> None:
    a = np.arange(12.0).reshape(3, 4)
    for i in (np.int64(1), np.int32(2), 1, -1):
        check(lambda np, a, i: [a[i], a[i, 1:], a[:, i], a[i, i], a[i, None], a[-i]], a, i)
    check(lambda np, a, i: a[i], a, np.array([0, 2, 1]))
    check(lambda np, a, i: a[i, i + 1], a, np.array([[0, 2], [1, 0]], np.int32))
    check(lambda np, a, i: a[i], a, np.array([True, False, True]))


def _stored(key: Callable[[Any], Any], value: Callable[[Any], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def expected(np: Any, a: Any, b: Any) -> Any:
        result = a.copy()
        result[key(a)] = value(b)
        return result

    return expected, lambda np, a, b: wrap(store(a.value, unwrap(key(a)), unwrap(value(b))))


STORES: list[tuple[Callable[[Any], Any], Callable[[Any], Any], tuple[int, ...], tuple[int, ...]]] = [
    (lambda a: 1, lambda b: b, (3,), ()), (lambda a: (1, 2), lambda b: 7.9, (2, 3), ()), (lambda a: 1, lambda b: b, (2, 3), (3,)), (lambda a: slice(None), lambda b: b, (3,), (3,)),
    (lambda a: slice(None), lambda b: 5, (3,), ()), (lambda a: slice(1, None), lambda b: b, (3,), (2,)), (lambda a: slice(None, None, -1), lambda b: b, (3,), (3,)),
    (lambda a: (slice(None), 1), lambda b: b, (2, 3), (2,)), (lambda a: ..., lambda b: b, (2, 3), (3,)), (lambda a: (slice(1, 3), slice(0, 2)), lambda b: b, (4, 3), (2, 1)),
    (lambda a: 0, lambda b: b, (2, 3), (1, 3)), (lambda a: None, lambda b: b, (3,), (1, 3)), (lambda a: (slice(None), None), lambda b: b, (3,), (3, 1)),
    (lambda a: [0, 2], lambda b: b, (3,), (2,)), (lambda a: [0, 0, 1], lambda b: b, (3,), (3,)), (lambda a: ([0, 1], [1, 2]), lambda b: 5, (2, 3), ()), (lambda a: (slice(None), [0, 2]), lambda b: b, (2, 3), (2,)), (lambda a: (..., (0, 2)), lambda b: b, (2, 3), (2,)),
    (lambda a: a > 0, lambda b: 7, (5,), ()), (lambda a: a > 0, lambda b: 7, (2, 3), ()), (lambda a: a[:, 0] > -1, lambda b: b, (3, 2), (2,)), (lambda a: a[:, 0] > -1, lambda b: 3, (3, 2), ()),
    (lambda a: (a[:, 0] > -100, 1), lambda b: b, (3, 2), (3,)), (lambda a: a > -100, lambda b: b, (4,), (4,)), (lambda a: ([True, False, True],), lambda b: b, (3,), (2,)), (lambda a: (), lambda b: 3, (), ()),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(STORES)))
def test_store(number: int) -> None:
    key, value, shape, of_value = STORES[number]
    expected, found = _stored(key, value)
    rng = np.random.default_rng(number)
    for dtype, other in ((np.float64, np.float64), (np.int64, np.float64), (np.float32, np.int32), (np.complex128, np.float64), (np.bool_, np.int64)):
        a, b = np.asarray(rng.normal(0, 3, shape)).astype(dtype), np.asarray(rng.normal(0, 3, of_value)).astype(other)
        if dtype == np.complex128 and number > 16:
            continue
        want = expected(np, a, b)
        for static in (False, True):
            got = run(found, a, b, static=static)[0]
            assert got.type.dtype == want.dtype
            np.testing.assert_array_equal(got.value, want)


def test_errors() -> None:
    a = np.ones((2, 3))
    for function, error, message in (
        (lambda np, a: a[2], IndexError, "index 2 is out of bounds for axis 0 with size 2"), (lambda np, a: a[0, 0, 0], IndexError, "too many indices"),
        (lambda np, a: a[1.0], IndexError, "only integers"), (lambda np, a: a["x"], IndexError, "only integers"), (lambda np, a: a[..., ...], IndexError, "single ellipsis"),
        (lambda np, a: a[::0], ValueError, "slice step cannot be zero"), (lambda np, a: a[[True, False, True]], IndexError, "boolean index did not match"),
        (lambda np, a: a[[0.5]], IndexError, "integer"), (lambda np, a: a[[0, 1], [0, 1, 2]], IndexError, "shape mismatch: indexing arrays could not be broadcast"), (lambda np, a: a[1.5:], TypeError, "slice indices"),
    ):  # fmt: skip
        with pytest.raises(error, match=message):
            run(function, a, static=True)
    for value, error in ((np.ones(2), ValueError), (np.ones((2, 3)), ValueError), (1j, TypeError)):
        with pytest.raises(error):
            run(lambda np, a, value=value: wrap(store(a.value, 0, value)), a, static=True)
    with pytest.raises(ValueError, match="could not broadcast input array"):
        run(lambda np, a, b: wrap(store(a.value, 0, b.value)), a, np.ones(2))
    with pytest.raises(IndexError, match="boolean index did not match"):
        run(lambda np, a, b: a[b > 0], a, np.ones(5))
    with pytest.raises(S2SError):
        run(lambda np, a: a[True], a)


def test_views_are_known() -> None:
    builder = new_builder()
    i, mask = Value(builder, Var("i", Array(INT64))), Value(builder, Var("m", Array(np.dtype(bool), (3,))))
    assert is_basic(slice(1, None)) and is_basic((i, ..., None)) and is_basic(3)
    assert not is_basic([0, 1]) and not is_basic(mask) and not is_basic((0, mask))
    with building(builder):
        reading = read_index(builder, (3, 4), (i, 2))
        assert reading.element and reading.basic
        assert not read_index(builder, (3, 4), (i,)).element
        assert not read_index(builder, (3, 4), ([0, 1], 2)).basic


def test_add_at() -> None:
    a, b = np.arange(12.0).reshape(3, 4), np.array([0, 1, 0])
    expected = a.copy()
    np.add.at(expected, (b, 1), [1.0, 2.0, 3.0])
    found = run(lambda _, a, b: wrap(UPDATES[np.add.at](a.value, (b.value, 1), [1.0, 2.0, 3.0])), a, b)
    np.testing.assert_array_equal(found[0].value, expected)


def test_get_of_a_value_is_what_the_operator_gives() -> None:
    check(lambda np, a: wrap(get(a.value, 1)) if hasattr(a, "value") else a[1], np.arange(3.0))


def test_tuples_inside_of_an_index_are_arrays():
    """As lists are, in NumPy."""
    import s2s

    x = np.arange(6.0).reshape(2, 3)

    def stored(x, i):
        y = x.copy()
        y[:, (0, 2)] = 7.0
        y[(1, i), (0, 2)] += 1.0
        return y, x[:, (2, i)], x[(1, 0), :], x[((0, 1), (1, 0)), :], x[..., (0, 1)], x[:, ()], x[((True, False),)]

    for one, two in zip(s2s.jit(stored, target="numpy")(x, 0), stored(x, 0), strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("static", [False, True])
def test_masks_without_elements_take_nothing(static: bool) -> None:
    rng = np.random.default_rng(8)
    for _ in range(4):
        a = rng.normal(size=rng.integers(1, 4, 2))
        n = a.shape[1]
        check(lambda np, a: [a[np.zeros(0, bool)], a[np.zeros((0, n), bool)], a[:, np.zeros(0, bool)], a[np.zeros((0, 0), bool)], a[0][np.zeros(0, bool)]], a, static=static)  # noqa: B023
