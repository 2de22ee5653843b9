"""Python's whole numbers where they are not NumPy's: those of more than 64 bits, what `math` makes of integers, powers modulo a number."""
from __future__ import annotations

import enum
import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from outcomes import outcome

import s2s
from s2s.errors import UnsupportedError

LONG = 2**70


def long_item(k: int) -> Any:
    return [LONG, 1, 3][k], [1, 2, 3, LONG, 5, 6][k], (LONG, "a", 2)[k]


def long_value(k: int) -> Any:
    return {0: LONG, 1: 5, 2: 3}[k]


def long_on_one_path(k: int) -> Any:
    y = LONG if k > 0 else 1
    return y, k


def long_in_a_loop(k: int) -> Any:
    y = LONG
    for _ in range(k):
        y -= 1
    return y


def long_operands(k: int) -> Any:
    return LONG % (k + 1), LONG * k, max(LONG, k), min(k, LONG), abs(LONG - k), -LONG < k


def long_in_a_try(k: int) -> Any:
    try:
        return [LONG, 3, 4][k]
    except OverflowError:
        return 0


@pytest.mark.parametrize("function", [long_item, long_value, long_on_one_path, long_in_a_loop, long_operands, long_in_a_try])
def test_integers_of_more_than_64_bits(function: Any) -> None:
    """Python's text has them; compiled code only where the program is of the call's own number, or they are refused, and nothing catches that."""
    for k in range(3):
        assert outcome(s2s.jit(function, target="numpy"), (k,)) == outcome(function, (k,))
        try:
            assert outcome(s2s.jit(function, target="cpu"), (k,)) == outcome(function, (k,))
        except UnsupportedError as error:
            assert "64 bits" in str(error)  # noqa: PT017


def long_appended(k: int) -> Any:
    items = []
    for _ in range(k):
        items.append(LONG)
    return items


def long_stored(k: int) -> Any:
    items = [1] * k
    try:
        items[0] = LONG
    except OverflowError:
        return 0
    return 1


def long_under_a_key(k: int) -> Any:
    found = {}
    for i in range(k):
        found[i] = LONG
    return found


@pytest.mark.parametrize("function", [long_appended, long_stored, long_under_a_key])
def test_none_in_lists_that_grow(function: Any) -> None:
    """The call goes on with lists of the length that it has: arrays, which hold the items of others, have none."""
    assert s2s.jit(function, target="numpy")(2) == function(2)


def of_integers(k: int) -> Any:
    n = np.int64(k)
    return math.lcm(n, 4), math.gcd(n, 4), math.isqrt(n), math.comb(n, 2), math.perm(n, 2), math.factorial(n), math.gcd(k > 0, 4), math.lcm(np.array([k])[0], 4)


def common_of_bool(k: int) -> Any:
    return math.gcd(np.bool_(k > 0), 4)


def multiple_of_bool(k: int) -> Any:
    return math.lcm(4, np.bool_(k > 0))


def root_of_bool(k: int) -> Any:
    return math.isqrt(np.bool_(k > 0))


def ways_of_bool(k: int) -> Any:
    return math.comb(np.bool_(k > 0), 1)


def product_of_bool(k: int) -> Any:
    return math.factorial(np.bool_(k > 0))


def modulo(k: int) -> Any:
    return pow(2, k, 7), pow(k, True, 3), pow(k, 3, k > 0)


def modulo_of_numpys(k: int) -> Any:
    return pow(np.int64(k), 3, 7)


def modulo_a_number_of_numpys(k: int) -> Any:
    return pow(2, k, np.int64(7))


def modulo_of_a_float(k: int) -> Any:
    return pow(k * 1.0, 3, 7)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", [of_integers, common_of_bool, multiple_of_bool, root_of_bool, ways_of_bool, product_of_bool, modulo, modulo_of_numpys, modulo_a_number_of_numpys, modulo_of_a_float])
def test_what_takes_whole_numbers(function: Any, target: str) -> None:
    """`math` gives ints for NumPy's integers and takes none of its bools; pow modulo a number takes Python's alone."""
    for k in (2, 5):
        assert outcome(s2s.jit(function, target=target), (k,)) == outcome(function, (k,))


class Text(str, enum.Enum):  # noqa: UP042 - as users still write it
    A = "a"
    B = "b"

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


class Number(enum.IntEnum):
    A = 1
    B = 2

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = int.__hash__


class Pair(NamedTuple):
    a: int
    b: int

    def __eq__(self, other: object) -> bool:
        return False


def unequal_texts(k: int) -> Any:
    member = [Text.A, Text.B][k]
    return "a" != member, member != "a", member == "a", "a" == member, Text.A != "a", Text.A == "a"  # noqa: SIM300


def unequal_numbers(k: int) -> Any:
    return Number.A != 1, Number.A != k, Number.A == 1, k != Number.A, Number.A != 2.5  # noqa: SIM300


def unequal_pairs(k: int) -> Any:
    pair = Pair(1, k)
    return pair != (1, k), pair != Pair(1, 0), pair == (1, k), (1, k) != pair


@pytest.mark.parametrize("function", [unequal_texts, unequal_numbers, unequal_pairs])
def test_unequal_by_what_the_class_inherits(function: Any) -> None:
    """`!=` asks a class's own `__eq__` only where it has the `__ne__` of `object`: texts, numbers and tuples have another."""
    for k in (0, 1):
        assert outcome(s2s.jit(function, target="numpy"), (k,)) == outcome(function, (k,))


def doubled(x: float) -> Any:
    return int(x) * 2


def of_an_item(x: float) -> Any:
    return round(np.array([x]).item(0)) + int(x) + 1


def summed_by_hand(x: float) -> Any:
    total = 0
    for v in (x, x, 0.5):
        total += int(v)
    return total


def times_a_truth(x: float) -> Any:
    return int(x > 1.0) * 2**40 * int(x)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function", [doubled, of_an_item, summed_by_hand, times_a_truth])
def test_integers_that_floats_become(function: Any, target: Any) -> None:
    """Python's are exact; NumPy's, which stand for them in its text too, do not wrap."""
    compiled = s2s.jit(function, target=target)
    for x in (2.75, -1e6, 4194303.5):
        assert compiled(x) == function(x)
    assert function(6e18) >= 2**63
    with pytest.raises(OverflowError, match="64 bits"):
        compiled(6e18)
