"""Methods of NumPy's binary functions (reduce, accumulate, reduceat, outer, at), and `where`, `initial` and `out` of functions and reductions: NumPy's."""
from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2s
from s2s.transforms.read.composed import ufunc_methods

RNG = np.random.default_rng(0)
X = RNG.uniform(0.5, 3.0, size=(3, 4))
N = RNG.integers(1, 5, size=(3, 4))
MASK = X > 1.5
ROW = np.array([True, False, True, True])
OPERANDS = (X, N, N.astype(np.int32), N > 2, X.astype(np.float32))


def compare(f: Callable[..., Any], *args: Any) -> None:
    """The same number, type and dtype as NumPy, or an exception of the same class."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            want = f(*args)
        except (TypeError, ValueError, IndexError) as error:
            with pytest.raises((type(error).__mro__[-3] if isinstance(error, TypeError) else type(error), s2s.errors.UnsupportedError)):
                s2s.jit(f, target="numpy")(*args)
            return
        try:
            got = s2s.jit(f, target="numpy")(*args)
        except s2s.errors.UnsupportedError:
            assert any(isinstance(arg, np.ndarray) and arg.dtype == bool for arg in args)  # NumPy makes int8 of them, or float16
            return
    if isinstance(want, tuple):
        got, want = np.stack(got), np.stack(want)
    assert type(got) is type(want)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=1e-5 if want.dtype == np.float32 else 1e-14)


def _stored(op: Any, place: Any, value: Any) -> Callable[[Any], Any]:
    def f(x):
        y = x.copy()
        op.at(y, place, value)
        return y

    def g(x):
        y = x.copy()
        op.at(y, place)
        return y

    return g if op.nin == 1 else f


def _uses(op: Any, method: str) -> tuple[Callable[[Any], Any], ...]:
    ways: dict[str, tuple[Callable[[Any], Any], ...]] = {
        "reduce": (lambda x: op.reduce(x), lambda x: op.reduce(x, axis=1, keepdims=True), lambda x: op.reduce(x, axis=-1, initial=1, where=x > 1),
                   lambda x: op.reduce(x, axis=None), lambda x: op.reduce(x[:0]), lambda x: op.reduce(x[0])),
        "accumulate": (lambda x: op.accumulate(x), lambda x: op.accumulate(x, 1)),
        "reduceat": (lambda x: op.reduceat(x, [0, 2, 1], axis=1), lambda x: op.reduceat(x[:, 1], np.array([0, 2]))),
        "outer": (lambda x: op.outer(x[0], x[1, :2]),),
        "at": (_stored(op, [0, 0, 1], 2), _stored(op, (np.array([0, 0, 1]), 2), 2), _stored(op, (slice(None), 1), 1)),
    }  # fmt: skip
    return ways[method]


def _folds(op: Any) -> bool:
    """Whether NumPy's own loops give what the function gives from element to element."""
    folded = {axis: functools.reduce(op, np.moveaxis(X, axis, 0)) for axis in (0, 1)}
    loops = all(np.array_equal(op.reduce(X, axis=axis), found, equal_nan=True) for axis, found in folded.items())
    return loops and np.array_equal(op.accumulate(X.ravel()), list(itertools.accumulate(X.ravel(), op)), equal_nan=True)


@pytest.mark.parametrize("name", ufunc_methods.METHODS)
def test_methods(name: str) -> None:
    _, function, method = name.split(".")
    if function in ufunc_methods.PAIRED and method in ("reduce", "accumulate", "reduceat"):
        op = getattr(np, function)
        if not _folds(op):
            pytest.skip("NumPy's own loop gives another number than the function from element to element on this machine")
    for k, f in enumerate(_uses(getattr(np, function), method)):
        compare(f, OPERANDS[k % len(OPERANDS)] if function != "reciprocal" else X)  # of integers it is refused
        compare(f, OPERANDS[(k + len(name)) % len(OPERANDS)] if function != "reciprocal" else X)


REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": lambda x, m: np.sum(x, where=m), "sum of columns": lambda x, m: np.sum(x, axis=0, where=m, keepdims=True, initial=3.0), "row": lambda x, m: np.sum(x, where=ROW),
    "integers": lambda x, m: np.sum(N, axis=1, where=m), "prod": lambda x, m: np.prod(x, axis=1, where=m), "max": lambda x, m: np.max(x, axis=1, where=m, initial=-0.5),
    "min": lambda x, m: np.min(x, where=m, initial=9.0), "max of bools": lambda x, m: np.max(m, axis=0, where=m, initial=False), "any": lambda x, m: np.any(x > 2, axis=0, where=m),
    "all": lambda x, m: np.all(x > 2, axis=0, where=m), "mean": lambda x, m: np.mean(x, axis=1, where=m), "mean of a row": lambda x, m: np.mean(x, where=ROW),
    "var": lambda x, m: np.var(x, axis=0, where=m), "std": lambda x, m: np.std(x, axis=1, where=m, ddof=1, keepdims=True), "x.mean": lambda x, m: x.mean(axis=1, where=m),
    "x.sum": lambda x, m: x.sum(where=m), "nansum": lambda x, m: np.nansum(x, axis=0, where=m), "nanprod": lambda x, m: np.nanprod(x, where=m, initial=2.0),
    "add.reduce": lambda x, m: np.add.reduce(x, where=m, initial=1.0), "maximum.reduce": lambda x, m: np.maximum.reduce(x, where=m, initial=1.0),
    "divide": lambda x, m: np.divide(1.0, x, out=np.zeros_like(x), where=m), "log": lambda x, m: np.log(x, out=np.full_like(x, 7.0), where=x > 1),
    "out of more axes": lambda x, m: np.sqrt(x[0], out=np.ones((3, 4)), where=ROW), "add": lambda x, m: np.add(x, ROW, out=np.ones((3, 4)), where=ROW),
}  # fmt: skip
REFUSED_BY_NUMPY: dict[str, Callable[..., Any]] = {
    "no mask": lambda x, m: np.sum(x, where=N), "no identity": lambda x, m: np.max(x, where=m), "no mask of a function": lambda x, m: np.sqrt(x, where=N, out=x.copy()),
    "too big": lambda x, m: np.sum(x[:, :1], where=m),
}  # fmt: skip


@pytest.mark.parametrize("name", [*REDUCTIONS, *REFUSED_BY_NUMPY])
def test_masks(name: str) -> None:
    f = {**REDUCTIONS, **REFUSED_BY_NUMPY}[name]
    none = MASK.copy()
    none[1] = False
    for mask in (MASK, none):
        compare(f, X, mask)


@pytest.mark.parametrize("name", [name for name in REDUCTIONS if name not in ("integers", "max of bools", "any", "all")])
def test_derivatives_of_masked_functions(name: str) -> None:
    f = REDUCTIONS[name]
    s2s.check_grads(lambda x: f(x, X > 0.6), (X,), order=2)


def test_what_is_not_computed_has_no_derivative() -> None:
    def f(x):
        return np.sum(np.divide(1.0, x, out=np.zeros_like(x), where=x != 0.0) + np.log(x, out=np.zeros_like(x), where=x > 0.0) + np.arccosh(x, out=np.zeros_like(x), where=x > 2.0))

    x = np.array([0.0, -1.0, 3.0])
    np.testing.assert_allclose(s2s.jit(s2s.grad(f), target="numpy")(x), [0.0, -1.0, -1.0 / 9.0 + 1.0 / 3.0 + 1.0 / np.sqrt(8.0)], rtol=1e-14)


def test_a_mask_needs_an_out() -> None:
    with pytest.raises(s2s.errors.UnsupportedError, match="NumPy leaves what is left out as the memory was"):
        s2s.jit(lambda x: np.sqrt(x, where=x > 1.0))(X)


def test_derivatives_of_methods() -> None:
    def f(x):
        y = x.copy()
        np.multiply.at(y, (np.array([0, 0, 1]), 2), x[0, :3])
        return np.subtract.reduce(y, axis=1), np.logaddexp.accumulate(x, 1), np.hypot.reduceat(x, [0, 2, 1], axis=1), np.arctan2.outer(x[0], x[1]), np.fmax.reduce(x, axis=None)

    s2s.check_grads(f, (X,), order=2)
    s2s.check_vmap(f, (np.stack([X, X + 0.1]),))


@pytest.mark.parametrize("number", [np.array([1, 0, 3], np.uint8), np.uint16(3), np.array([2, 5, 1], np.uint64), np.array([True, False, True])], ids=str)
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex128])
def test_subtracting_unsigned_numbers(dtype, number) -> None:
    """Minus an unsigned number is another one: the number is of the array's dtype first."""
    def f(x, i, n):
        np.subtract.at(x, i, n)
        return x

    x, i = np.arange(4).astype(dtype), np.array([0, 2, 2])
    if np.can_cast(np.result_type(x, number), x.dtype, "same_kind"):
        with np.errstate(over="ignore"):  # minus one unsigned number, which emitted code takes of a scalar
            np.testing.assert_array_equal(s2s.jit(f, target="numpy")(x.copy(), i, number), f(x.copy(), i, number))


@pytest.mark.parametrize("initial", [0, 1, False, 2.5, None])
@pytest.mark.parametrize("axis", [0, 1, None, (0, 1)])
def test_logical_reductions_that_begin_with_something(initial, axis) -> None:
    compare(lambda x, m: np.logical_and.reduce(m, axis=axis, initial=initial), X, MASK)
    compare(lambda x, m: np.logical_or.reduce(x > 1.0, axis, bool, initial=initial), X, MASK)


def test_logical_reductions_have_one_dtype() -> None:
    with pytest.raises(TypeError, match="No loop matching the specified signature and casting was found for ufunc logical_or"):
        s2s.jit(lambda x: np.logical_or.reduce(x, dtype=float), target="numpy")(X)


def test_compiled() -> None:
    def f(x, n, m):
        y = n.copy()
        np.maximum.at(y, [0, 0, 2], 3)
        return y, np.bitwise_xor.reduce(n, axis=1), np.divide.accumulate(x), np.sum(x, where=m), np.sqrt(x, out=np.zeros_like(x), where=m), np.subtract.reduceat(x, [0, 1])

    for got, want in zip(s2s.jit(f)(X, N, MASK), f(X, N, MASK), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-14)


def test_hypot_of_one_number_and_outs_of_another_shape():
    """hypot.reduce begins with its identity; NumPy writes a method's result elsewhere into an out of more axes."""
    for x, axis in ((np.array([-3.0]), 0), (np.array([[-3.0], [2.0]], np.float32), 1), (np.zeros(0), 0)):
        found = s2s.jit(lambda x: np.hypot.reduce(x, axis=axis), target="numpy")(x)  # noqa: B023
        np.testing.assert_array_equal(found, np.hypot.reduce(x, axis=axis))
    for whole in (np.array([-4]), np.array(-4), np.array([[-4], [6]])):
        np.testing.assert_array_equal(s2s.jit(lambda x: np.gcd.reduce(x), target="numpy")(whole), np.gcd.reduce(whole))
    summed = s2s.jit(lambda x, out: np.add.reduceat(x, [0, 1], out=out), target="numpy")
    np.testing.assert_array_equal(summed(np.ones(3), np.zeros(2)), [1.0, 2.0])
    with pytest.raises(NotImplementedError, match="an out of 2 axes"):
        summed(np.ones(3), np.zeros((2, 2)))


def test_what_where_leaves_out_has_no_derivative():
    """A division by zero that is left out is not computed: its derivative is 0, not nan."""
    for rank in (1, 2):
        x = np.array([2.0, 0.0, 4.0]).reshape(3, *(1,) * (rank - 1))
        found = s2s.grad(lambda x, start: np.sum(np.divide.reduce(x, initial=start, where=x != 0.0)), (0, 1))(x, 3.0)  # noqa: B023
        np.testing.assert_allclose(found[0].ravel(), [-3.0 / 16.0, 0.0, -3.0 / 32.0])
        assert found[1] == 0.125
