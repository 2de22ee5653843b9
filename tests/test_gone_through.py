"""What goes through an iterator of which only the run knows how many items it gives: each use of each maker gives what Python gives, asking how long it is takes nothing of it."""
from __future__ import annotations

import collections
import itertools

import numpy as np
import pytest
from reading import loaded

import s2s

MAKERS = (
    "(w * 2 for w in x if w > b)", "(w for w in x)", "filter(lambda w: w > b, x)", "map(lambda w: w * 2, [w for w in x if w > b])", "iter([w for w in x if w > b])", "reversed([w for w in x if w > b])",
    "zip([w for w in x if w > b], x)", "enumerate([w for w in x if w > b])", "itertools.takewhile(lambda w: w > b, x)", "itertools.accumulate([w for w in x if w > b])", "kept(x, b)", "iter(x)",
    "(w for w in (v + 1 for v in x if v > b))",
)  # fmt: skip
USES = (
    "list({0})", "tuple({0})", "sorted({0})", "sum(number(v) for v in {0})", "max({0})", "min({0}, default=1.0)", "len([*{0}])", "[1.0, *{0}][-1]", "any(number(v) > 1 for v in {0})", "of_any(*{0})", "of_any(b, *{0})",
    "list(itertools.chain({0}, {0}))", "[u for u, v in zip({0}, {0})]", "list(enumerate({0}))", "functools.reduce(lambda u, v: u if number(u) > number(v) else v, {0})", "list(filter(lambda v: number(v) > 0, {0}))",
    "extended({0})", "added({0})", "stored({0})", "queued({0})", "collections.deque({0}, maxlen=2)[-1]", "heapq.nlargest(2, {0})", "np.array([number(v) for v in {0}]).sum()", "np.fromiter(map(number, {0}), float).sum()",
    "b in {0}", "split({0})", "list(itertools.islice({0}, 2))", "list(itertools.pairwise({0}))", "looped({0})", "math.fsum(map(number, {0}))", "math.prod(map(number, {0}))", "len(set({0}))", "left({0})",
)  # fmt: skip
HEAD = '''"""Makers of iterators, and what goes through them."""
import collections
import functools
import heapq
import itertools
import math

import numpy as np


def number(v):
    return v[0] if isinstance(v, tuple) else v


def kept(x, b):
    for w in x:
        if w > b:
            yield w * 2


def of_any(*items):
    return sum(number(item) for item in items) + 0.1 * len(items)


def extended(items):
    found = []
    found.extend(items)
    return found


def added(items):
    found = []
    found += items
    return found


def stored(items):
    found = [1.0, 2.0, 3.0]
    found[1:2] = items
    return found


def queued(items):
    queue = collections.deque([1.0])
    queue.extend(items)
    return list(queue)


def split(items):
    first, *rest = items
    return first, rest


def looped(items):
    total = 0.0
    for item in items:
        total = total * 0.5 + number(item)
    return total


def left(items):
    total = 0.0
    for item in items:
        total += number(item)
        break
    for item in items:
        total += 10 * number(item)
    return total


'''
PAIRS = {maker for maker in MAKERS if maker.startswith(("zip", "enumerate"))}
REFUSED = {(use, maker) for use in ("[1.0, *{0}][-1]", "of_any(b, *{0})", "stored({0})", "queued({0})") for maker in PAIRS}
"""Lists of run-time length whose items are numbers and tuples."""
X = np.array([0.3, -0.8, 1.4, 0.9])


def flat(value):
    return [each for item in value for each in flat(item)] if isinstance(value, tuple | list) else [float(value)]


@pytest.mark.parametrize("use", USES)
def test_as_python(use, tmp_path):
    makers = [maker for maker in MAKERS if (use, maker) not in REFUSED]
    module = loaded(tmp_path / "programs.py", HEAD + "".join(f"def program_{number}(x, b):\n    return {use.format(maker)}\n\n\n" for number, maker in enumerate(makers)))
    for (number, maker), b in itertools.product(enumerate(makers), (0.0, -5.0, 5.0)):
        program = getattr(module, f"program_{number}")
        try:
            wanted = program(X, b)
        except (ValueError, TypeError, IndexError) as error:
            with pytest.raises(type(error)):
                s2s.jit(program, target="numpy")(X, b)
            continue
        found = s2s.jit(program, target="numpy")(X, b)
        assert flat(found) == pytest.approx(flat(wanted), rel=1e-14), (maker, b)


def test_a_number_is_in_no_list_of_tuples():
    def among(x, b):
        return b in [(i, w) for i, w in enumerate(x) if w > 0], b in [[w, w] for w in x if w > 0]

    for b in (0.3, 0.0, 1.0):
        assert tuple(map(bool, s2s.jit(among, target="numpy")(X, b))) == (False, False)

    with pytest.raises(NotImplementedError, match="`in` of a run-time Python float and a list"):
        s2s.jit(lambda x, b: b in [w * np.ones(2) for w in x if w > 0], target="numpy")(X, 0.3)


def test_a_list_and_an_array_make_an_array():
    """NumPy's + comes before the list's own +=, which other names would see."""

    def added(x, y):
        found = same = [1.0]
        found += x
        other = [2.0, 3.0]
        other += np.sin(y)
        return found, same, other

    wanted, found = added(X, 0.5), s2s.jit(added, target="numpy")(X, 0.5)
    assert [type(each) for each in found] == [np.ndarray, list, np.ndarray]
    for mine, theirs in zip(found, wanted, strict=True):
        assert np.allclose(mine, theirs)


def test_a_list_that_is_added_to_itself():
    def doubled(x):
        found = [w for w in x if w > 0]
        found += found
        found.extend(found)
        return found

    assert s2s.jit(doubled, target="numpy")(X) == doubled(X)


@pytest.mark.parametrize("use", ["sum([i for i, w in enumerate(x) if w > 0], ())", "{i for i, w in enumerate(x) if w > 0} != x", "x in [w for w in x if w > 0]"])
def test_where_python_asks_item_by_item_it_is_refused(use, tmp_path):
    module = loaded(tmp_path / "program.py", f"def program(x):\n    return {use}\n")
    with pytest.raises(NotImplementedError):
        s2s.jit(module.program, target="numpy")(X)


def test_a_deque_has_no_parts():
    def part(x):
        queue = collections.deque(w for w in x if w > 0)
        return queue[1:]

    with pytest.raises(TypeError, match="sequence index must be integer, not 'slice'"):
        s2s.jit(part, target="numpy")(X)


@pytest.mark.parametrize("maxlen", [None, 2])
def test_a_deque_holds_an_iterator_as_an_item(maxlen):
    """append takes it as it is, whatever it gives."""

    def held(x, b):
        queue = collections.deque([1.0], maxlen)
        queue.append(w for w in x if w > b)
        return len(queue), sum(queue.pop())

    assert s2s.jit(held, target="numpy")(X, 0.0) == held(X, 0.0)


def searched_by_parts(x, k):
    seen = []

    def low(v):
        seen.append(v)
        return v < k

    found = any(low(v) for v in x)
    return found, all(low(2.0 * v) for v in x), seen, any(v in seen or seen.append(v) for v in x)


def searched_in_a_lambda(x, k):
    seen = []
    search = lambda z: any(seen.append(v) or v < k for v in z)  # noqa: E731
    return search(x), search(x[1:]), seen


def searched_in_a_while(x, k):
    asked, trips = 0, 0

    def high(v):
        nonlocal asked
        asked += 1
        return v * asked > 6.0

    while not any(high(v) for v in x) and trips < 3:
        trips += 1
    return asked, trips


def extremes_of_what_counts(x, k):
    count = 0

    def seen(v):
        nonlocal count
        count += 1
        return v * k

    return max(map(seen, x)), count, sorted(map(seen, x)), count, min(map(seen, x), key=lambda v: -v), count


def weight_of_what_was_seen(x, k):
    seen = []

    def low(v):
        seen.append(v * k)
        return v < 0

    any(low(v) for v in x)
    return sum(seen)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [searched_by_parts, searched_in_a_lambda, searched_in_a_while, extremes_of_what_counts])
def test_items_that_change_something_are_made_as_often_as_python_makes_them(f, target):
    for seed in range(3):
        x = np.random.default_rng(seed).normal(size=5)
        assert s2s.jit(f, target=target)(x, 0.3) == f(x, 0.3)


def test_the_gradient_of_what_a_search_came_to():
    x = np.array([3.0, 1.0, -2.0, 4.0])
    np.testing.assert_array_equal(s2s.grad(weight_of_what_was_seen)(x, 0.5), [0.5, 0.5, 0.5, 0.0])


@pytest.mark.parametrize("use", ["any(map(low, x))", "0.5 in map(low, x)", "all(map(low, x))"])
def test_no_more_items_are_made_than_python_makes(use, tmp_path):
    f = loaded(tmp_path / "searching.py", f"def f(x, k):\n    seen = []\n    def low(v):\n        seen.append(v)\n        return v\n    return {use}, len(seen)\n").f
    for x in (np.array([3.0, 0.5, 0.0]), np.array([0.0, 2.0]), np.zeros(0)):
        assert s2s.jit(f, target="numpy")(x, 1.0) == f(x, 1.0)
