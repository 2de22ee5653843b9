"""The order of sets of integers that only the run knows: CPython's, whatever came in and went out before."""
from __future__ import annotations

import random

import numpy as np
import pytest
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.read.composed.keyed_sets import KeyedSet

X = np.array([5.0, 3.0, 12.0, 3.0, 40.0, -1.0, 5.0, 7.0])


def ordered(x):
    seen = {int(v) for v in x}
    seen.discard(3)
    return list(seen), [(k, v) for k, v in enumerate(seen)]


def first_two(x):
    seen = {int(v) for v in x}
    return next(iter(seen)), max(seen, key=lambda v: v % 4), np.array(list(seen.copy()))


def popped(x):
    waiting, order = {0}, []
    while waiting:
        u = waiting.pop()
        order.append(u)
        for w in (2 * u + 1, u + int(x[0])):
            if w < 40 and w not in order:
                waiting.add(w)
    return order


def both(x):
    a, b = {int(v) for v in x}, {int(v) * 8 - 16 for v in x}
    a.update([3, 99], range(4))
    return list(a | b)


def several(x):
    found = []
    for k in range(3):
        found.append(sum((i + 1) * v for i, v in enumerate({int(v) * k for v in x})))
    return found, list({v > 3 for v in x})


def begun(x):
    seen = {0, 3} if x[0] > 0 else {int(x[1])}
    for v in x:
        seen.add(int(v) * 2**40 - 1)
    return list(seen)


def without(x):
    return list({int(v) for v in x} - {3})


def first_of(x):
    for v in {int(v) for v in x}:
        if v > 4:
            return v
    return -1


def changed(x):
    seen = {int(v) for v in x}
    for v in seen:
        if v == 7:
            seen.add(100)
    return len(seen)


def emptied(x):
    seen = {int(v) for v in x if v > 100}
    return seen.pop()


def of_floats(x):
    return list(set((x * 0.3).tolist()))


def of_tuples(x):
    return [v for v in {(int(v), 1) for v in x}]


def in_a_list(x):
    found = [set(), set()]
    for v in x:
        found[int(v) % 2].add(int(v))
    return [list(each) for each in found]


def many_known(x):
    seen = {0, 3, 4, 8, 11}
    seen.add(int(x[0]))
    return list(seen)


def outcome(function, x):
    try:
        return repr(function(x))
    except (KeyError, RuntimeError) as error:
        return repr(error)


@pytest.mark.parametrize("function", in_turn([ordered, first_two, popped, both, several, first_of, changed, emptied], 3), ids=lambda each: each.__name__)
def test_right(function):
    run = s2s.jit(function, target="numpy")
    for x in (X, X[::-1] * 3.0, np.arange(40.0) * 3.0):
        assert outcome(run, x) == outcome(function, x)


def test_compiled():
    assert repr(s2s.jit(ordered)(X)) == repr(ordered(X))
    assert s2s.jit(popped)(X) == popped(X)


@pytest.mark.parametrize("function", [of_floats, of_tuples, in_a_list, many_known, without, begun], ids=lambda each: each.__name__)
def test_refused(function):
    with pytest.raises(UnsupportedError, match="the order of a set") as caught:
        s2s.jit(function, target="numpy")(X)
    assert "sorted" in str(caught.value)


def drawn(choose, most, reach):
    return [choose.choice((choose.randrange(-reach, reach), 8 * choose.randrange(-reach, reach), 32 * choose.randrange(reach))) for _ in range(choose.randrange(most))]


STEPS = {
    "add": lambda a, b, items: a.add(items[0]), "discard": lambda a, b, items: a.discard(min(a, default=0)), "pop": lambda a, b, items: a.pop() if len(a) else None,
    "union": lambda a, b, items: a.union(b), "update": lambda a, b, items: a.update(b), "copy": lambda a, b, items: a.copy(), "of_list": lambda a, b, items: a.update(items),
    "without_list": lambda a, b, items: [a.discard(each) for each in items] and None, "swap": lambda a, b, items: b,
}  # fmt: skip
"""By name: a new set, or what changes the first one."""


@pytest.mark.parametrize("seed", range(6))
def test_as_in_cpython(seed):
    """The class that stands for sets, run as it stands."""
    choose = random.Random(seed)
    for _ in range(60):
        reach = choose.choice((5, 20, 100, 10**6, 2**40, 2**56))
        pairs = []
        for _ in range(2):
            items, made = drawn(choose, choose.choice((6, 30, 80)), reach), KeyedSet()
            made.update(items)
            pairs.append((made, set(items)))
        names = [choose.choice(list(STEPS)) for _ in range(8)]
        for name in names:
            items = [1, *drawn(choose, 30, reach)]
            made = [STEPS[name](pairs[0][k], pairs[1][k], items) for k in range(2)]
            if name == "swap":
                pairs.reverse()
            elif name != "pop" and made[1] is not None:
                pairs[0] = tuple(made)
            assert name != "pop" or made[0] == made[1]
            assert pairs[0][0].listed() == list(pairs[0][1]), (seed, names)


OUTSIDE = {9, 1, 17, 33}


def known(x):
    seen = {33, 1, 17}
    seen.add(9)
    seen.discard(1)
    seen.update([65, 1])
    a, b = set(range(0, 100, 8)), {8, 0, 16, 24, 200}
    for k in range(0, 100, 16):
        a.remove(k)
    c = a.copy()
    c |= b
    c.symmetric_difference_update({0, 2, 24})
    c -= {8}
    return list(seen), list(a | b), list(a & b), list(a - b), list(a ^ b), list(a.union([1, 2], b)), list(c), a.pop(), list(a), x[0]


def of_constants(x):
    return [v for v in {33, 1, 17, 65}], list({33, 1, 17, 65, 129}), [v for v in frozenset((33, 1, 17))], list(OUTSIDE), list(OUTSIDE | {8}), list(OUTSIDE.copy()), x[0]


FROZEN = frozenset((33, 1, 17, 9, 65))


def of_others(x):
    a, d = {k * 8 % 61 for k in range(30)}, {k * 8 % 61: k for k in range(30)}
    for k in range(0, 60, 8):
        a.discard(k)
    found = [set(a), frozenset(a), set(d), set(d.keys()), d.keys() | {100}, d.keys() & {8, 16, 24, 200}, d.keys() - {8}, set(FROZEN), set(OUTSIDE), OUTSIDE ^ FROZEN, FROZEN & OUTSIDE]
    c = set(FROZEN)
    c.add(97)
    c -= {9}
    return [list(each) for each in found], list(c), list(set(range(50)).difference({1}, {2})), x[0]


def begun_with_known(x):
    seen = {5, 9, 1}
    for v in x:
        seen.add(int(v))
    return sum(i * v for i, v in enumerate(seen))


def operators(x):
    a, b = {int(v) for v in x}, {int(v) + 1 for v in x}
    return list(a & b), list(a - b), list(a ^ b), list(a | b)


def pairs(x):
    seen = set()
    for v in x:
        seen.add((int(v), int(v) % 2))
    return list(seen)


@pytest.mark.parametrize("function", [known, of_constants, of_others], ids=lambda each: each.__name__)
def test_known(function):
    assert repr(s2s.jit(function, target="numpy")(X)) == repr(function(X))


@pytest.mark.parametrize("function", [pytest.param(begun_with_known, marks=pytest.mark.slow), pytest.param(operators, marks=pytest.mark.slow), pairs], ids=lambda each: each.__name__)
def test_of_the_calls_numbers(function):
    k = np.array([3, 1, 2, 1, 1, 5, 2, 17, 9])
    assert repr(s2s.jit(function, target="numpy")(k)) == repr(function(k))


@pytest.mark.parametrize("seed", range(6))
def test_drawn_history(seed):
    draws = np.random.default_rng(seed).integers(0, 60, 40).tolist()

    def history(x):
        seen = set()
        for k in draws:
            if k % 3:
                seen.add(k * 8 % 61)
            else:
                seen.discard(k * 8 // 3 % 61)
            if k % 7 == 0 and seen:
                seen.pop()
        return list(seen), list(seen | {k // 2 for k in draws[:5]}), x[0]

    assert repr(s2s.jit(history, target="numpy")(X)) == repr(history(X))


def other_order_on_a_path(x):
    seen = {0, 8} if x[0] > 0 else {8, 0}
    return list(seen), x[0]


def test_the_order_of_one_path_is_not_the_others():
    try:
        assert repr(s2s.jit(other_order_on_a_path, target="numpy")(-X)) == repr(other_order_on_a_path(-X))
    except UnsupportedError as error:
        assert "order of a set" in str(error)  # noqa: PT017

