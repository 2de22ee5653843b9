"""Loops whose test is known before they begin: what it raises, and what it changes, is as in Python."""
from __future__ import annotations

import pytest

import s2s


def always(n):
    raise ValueError(f"no {n}")


def small(n):
    if n < 2:
        raise ValueError("small")
    return n // 3


def never_equal(n):
    while not always(n) != n:
        n += 1
    return n


def of_a_number_that_is_known(n):
    while small(1) == n:
        n += 1
    return n


def and_false(n):
    while small(n) and False:
        n += 1
    return n


def and_false_behind_a_count(n):
    total, k = 0, 0
    while k < 3 and small(n) == n and False:
        k += 1
    else:
        total += 10
    return total + k


def beside_a_list(n):
    seen = [0]
    while seen.pop() and small(n):
        n += 1
    return n, len(seen)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", [never_equal, of_a_number_that_is_known, and_false, and_false_behind_a_count, beside_a_list])
def test_as_in_python(fun, target):
    compiled = s2s.jit(fun, target=target)
    for n in (0, 1, 2, 7):
        try:
            wanted = fun(n)
        except ValueError as error:
            with pytest.raises(ValueError, match=f"^{error}"):
                compiled(n)
        else:
            assert compiled(n) == wanted
