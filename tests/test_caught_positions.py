"""Positions that are out of bounds and matrices that are singular, inside of a `try` that catches their exceptions: masks among the indices, np.add.at, several matrices, single precision."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from outcomes import outcome, same

import s2s
from s2s.errors import UnsupportedError

VECTOR, MATRIX = np.arange(3.0), np.arange(6.0).reshape(3, 2)
MASKS = (np.array([True, False, True]), np.array([True, False]), np.array([False, False, True, True]))
PLACES = (np.array([0, 1, 1]), np.array([0, 5, -4]))


def added_at(x: Any, i: Any) -> Any:
    try:
        np.add.at(x, i, 1.0)
    except IndexError as error:
        print(error)
        return x.sum()
    return x.sum()


def largest_at(x: Any, i: Any) -> Any:
    try:
        np.maximum.at(x, i, np.array([7.0, 3.0, 9.0]))
    except IndexError as error:
        print(error)
        return x.sum()
    return x.sum()


def stored(x: Any, i: Any) -> Any:
    try:
        x[i] = np.arange(3)
    except IndexError as error:
        print(error)
        return x.sum()
    return x.sum()


def mask_and_number(x: Any, m: Any, j: int) -> Any:
    try:
        x[m, j] += 5.0
        return x[m, j].sum(), x[m].sum()
    except IndexError as error:
        print(error)
        return -1.0, x.sum()


def mask_of_any_axis(x: Any, m: Any, j: int) -> Any:
    try:
        return x[:, m].sum(), x[..., m].sum(), x[None, j, m].sum()
    except IndexError as error:
        print(error)
        return -1.0, -1.0, -1.0


def mask_of_both_axes(x: Any, m: Any, j: int) -> Any:
    try:
        return x[x > j].sum() + x[m].sum()
    except IndexError as error:
        print(error)
        return -1.0


def found(x: Any, m: Any, j: int) -> Any:
    try:
        return x[np.nonzero(m)].sum() + x[np.where(m)[0], j].sum()
    except IndexError as error:
        print(error)
        return -1.0


CALLS = [
    *((function, (VECTOR, i)) for function in (added_at, largest_at, stored) for i in PLACES),
    *((function, (MATRIX, m, j)) for function in (mask_and_number, mask_of_any_axis, mask_of_both_axes, found) for m in MASKS for j in (1, 4)),
]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("function", "args"), CALLS, ids=lambda each: getattr(each, "__name__", ""))
def test_positions(function: Any, args: Any, target: str, capsys: Any) -> None:
    """NumPy looks at all positions before it reads or writes at one, and at the lengths of masks before."""
    wanted = outcome(function, args), capsys.readouterr().out
    result = outcome(s2s.jit(function, target=target), args), capsys.readouterr().out
    assert result[1] == wanted[1]
    assert same(result[0], wanted[0], types=False)


def mask_and_positions(x: Any, m: Any, i: Any) -> Any:
    try:
        return x[m, i].sum()
    except IndexError:
        return -1.0


def test_a_mask_beside_positions_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="an array as an index"):
        s2s.jit(mask_and_positions)(MATRIX, MASKS[0], np.array([0, 1]))


def inverse(a: Any, b: Any) -> Any:
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return 0 * a


def solved(a: Any, b: Any) -> Any:
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError as error:
        print(error)
        return 0 * b


REGULAR = np.random.default_rng(3).normal(size=(3, 2, 2)) + 2 * np.eye(2)
SINGULAR = np.array([REGULAR[0], [[1.0, 2.0], [2.0, 4.0]], REGULAR[2]])
SEVERAL = [REGULAR, SINGULAR, REGULAR[:0], SINGULAR * np.nan, np.ones((2, 3, 2))]
SINGLE = [each.astype(np.float32) for each in (REGULAR, SINGULAR, REGULAR[0], SINGULAR[1])]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", [inverse, solved])
@pytest.mark.parametrize("a", [*SEVERAL, *SINGLE], ids=lambda a: f"{a.dtype}{a.shape}")
def test_matrices(function: Any, a: Any, target: str, capsys: Any) -> None:
    """One singular matrix among several is enough, in any precision."""
    b = np.ones((*a.shape[:-1], 1), a.dtype)
    wanted = function(a, b), capsys.readouterr().out
    result = s2s.jit(function, target=target)(a, b), capsys.readouterr().out
    assert result[1] == wanted[1]
    assert result[0].dtype == wanted[0].dtype
    np.testing.assert_allclose(result[0], wanted[0], rtol=1e-5 if a.dtype == np.float32 else 1e-12)


def of_both(a: Any, b: Any) -> Any:
    return np.sum(inverse(a, b) * a[0, 0]) + np.sum(solved(a, b))


@pytest.mark.parametrize("a", [REGULAR, SINGULAR], ids=["regular", "singular"])
def test_derivatives(a: Any) -> None:
    b = np.ones((3, 2, 1))
    gradient = s2s.grad(of_both)(a, b)
    if a is SINGULAR:
        assert not np.any(gradient)
        return
    steps = 1e-6 * np.eye(a.size).reshape(-1, *a.shape)
    differences = [(of_both(a + step, b) - of_both(a - step, b)) / 2e-6 for step in steps]
    np.testing.assert_allclose(gradient.ravel(), differences, rtol=1e-5)
