"""What a loop carried in another reading of what is around it: the same program in fewer readings, of storages and objects that each of these makes anew, too."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.transforms.read.flow.loops.carry import Carry
from s2s.transforms.read.flow.loops.last_arrays import LastArrays
from s2s.transforms.read.flow.loops.last_time import LastTime
from s2s.transforms.read.flow.loops.list_growth import LoopLists

X = np.linspace(0.1, 1.2, 7)
N = np.array([3, 1, 2, 3])


def collected(x):
    out, sizes = [0.0], [0]
    for i in range(len(x)):
        for j in range(i):
            out.append(x[i] * x[j] + out[-1])
            sizes.append(j)
    return np.array(out), np.array(sizes)


class Counter:
    def __init__(self):
        self.count, self.last = 0, 0.0

    def add(self, value):
        self.count += 1
        self.last = value


def of_an_object(x):
    counter, total = Counter(), 0.0
    for i in range(len(x)):
        for j in range(i):
            for k in range(j):
                counter.add(x[i] * x[k])
                total += counter.last * x[j]
    return counter.count, total


def of_one_made_in_a_trip(x):
    total = 0.0
    for i in range(len(x)):
        counter = Counter()
        for j in range(i):
            for k in range(j):
                counter.add(x[i] * x[k])
        total += counter.count * counter.last
    return total


class Ends:
    """A union-find of run-time keys, as people write it."""

    def __init__(self):
        self.parent = {}

    def find(self, x):
        if x not in self.parent:
            self.parent[x] = x
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x


def joined(n):
    ends, joins = Ends(), 0
    for k in range(len(n) - 1):
        one, two = ends.find(n[k]), ends.find(n[k + 1])
        if one != two:
            ends.parent[one] = two
            joins += 1
    return joins


def other_lists(x):
    one, two = [1.0], [2.0]
    for i in range(len(x)):
        taken = one if x[i] > 0.5 else two
        for j in range(i):
            taken.append(x[j])
    return sum(one) - sum(two)


def swapped(x):
    u, v = x.copy(), np.zeros(len(x))
    for _ in range(len(x)):
        for j in range(1, len(x)):
            v[j] = 0.5 * (u[j] + u[j - 1])
            v[0] += v[j]
        u, v = v, u
    return u, v


def shrinking(x):
    y = x.copy()
    total = 0.0
    for i in range(3):
        while len(y) > 3 - i:
            y = y[1:] * 1.5
            y[0] += i
        total += np.sum(y)
    return total


def best_of_three(x):
    """Kinds of values: what is None until it is found, in the innermost of several loops."""
    best, where, word = None, None, None
    for i in range(len(x)):
        for j in range(i):
            for k in range(j):
                if best is None or x[i] * x[j] - x[k] > best:
                    best, where, word = x[i] * x[j] - x[k], (i, x[k]), "found"
    return best, where, word


def bound_inside(x):
    """What a trip binds first, and tuples: of numbers, of a number that becomes another type, in each other."""
    pair, last = (0.0, 1), ((1, 0.5), 2)
    for i in range(len(x)):
        for j in range(i):
            for k in range(j):
                pair = (pair[1] + x[k], pair[0] * 0.5)
                last = ((last[1], pair[0]), k)
                found = x[k] * pair[1]
                places = (i, x[j])
    return pair, last, found, places


def bound_by_one_loop_only(x):
    """What an inner loop leaves unbound where it has no trips, and is of another type behind it."""
    for i in range(len(x)):
        for j in range(i - 2):
            found = x[j] if i < 5 else j
            if x[j] > 0.5:
                found = 0.5
        if i > 5:
            found = 1.0 + found
    return found


def kinds_that_differ(x):
    """What an outer loop makes of another kind than the inner one finds."""
    best = None
    for i in range(len(x)):
        for j in range(i):
            if x[i] > 3.0 * x[j]:
                best = x[j]
        if i > 4 and x[i] > 2.0:
            best = "none"
    return best


def two_steps(x):
    """Arrays made anew in the innermost of several loops: what one trip made comes to another name in the next."""
    u, v = x.copy(), x * 2.0
    for i in range(3):
        for _ in range(i):
            for _ in range(2):
                u, v = v, (u + x) * 0.5
    return u, v


def stored_after_two_steps(x):
    """Which array is held by which name after a loop: stores go into it, and into what it was before, where there were no trips."""
    u, v = x.copy(), x * 2.0
    first = v
    for i in range(3):
        for j in range(i):
            for k in range(j):
                u, v = v, u + x
                v[0] += k
        u[1] = i * x[2]
        first[2] += u[0]
    return u, v, first


def tuples_of_arrays(x):
    pair = (x.copy(), x * 2.0)
    for i in range(3):
        for _ in range(i):
            for _ in range(2):
                pair = (pair[1], pair[0] * 0.5 + x)
        pair[0][i] += 1.5
    return pair[0], pair[1]


def longer_and_longer(x):
    u = x.copy()
    for i in range(3):
        for j in range(i):
            for k in range(2):
                u = np.append(u, u[j] * x[k])
    return u


def computed_inside(x):
    u = x
    for i in range(len(x)):
        for j in range(i):
            for k in range(j):
                u = x * u[k]
    return u


def left_alone_by_later_trips(x):
    """What a loop makes anew in the first reading of what is around it, and only hands on in others."""
    u, v, w = x.copy(), x * 2.0, x * 3.0
    kept = w
    for i in range(4):
        for j in range(i):
            u = v + x[j]
        v = w
        u[0] += 1.0
        w = u
    return u, v, w, kept


PROGRAMS = [
    (two_steps, (X,)), (stored_after_two_steps, (X,)), (tuples_of_arrays, (X,)), (longer_and_longer, (X,)), (computed_inside, (X,)), (left_alone_by_later_trips, (X,)),
    (best_of_three, (X,)), (bound_inside, (X,)), (bound_by_one_loop_only, (X,)), (kinds_that_differ, (X,)), (collected, (X,)), (of_an_object, (X,)), (of_one_made_in_a_trip, (X,)), (joined, (N,)), (other_lists, (X,)), (swapped, (X,)), (shrinking, (X,)),
]  # fmt: skip
NAMED = {"argnames": ("function", "args"), "argvalues": PROGRAMS, "ids": lambda each: getattr(each, "__name__", "")}


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(**NAMED)
def test_as_python(function, args, target):
    """Values."""
    got, want = s2s.jit(function, target=target)(*args), function(*args)
    for one, other in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,), strict=True):
        if isinstance(other, str | tuple):
            assert str(one) == str(other)
        else:
            np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize(("function", "at"), [(of_an_object, 1), (of_one_made_in_a_trip, None), (other_lists, None), (swapped, 0), (shrinking, None), (two_steps, 1), (stored_after_two_steps, 0), (tuples_of_arrays, 1), (longer_and_longer, None), (computed_inside, None)])
def test_gradients(function, at):
    """Against differences."""
    s2s.check_grads(lambda x: np.sum(function(x) if at is None else function(x)[at]), (X + 0.01,), order=1)


def readings_of(function, args, monkeypatch):
    """How many bodies of loops are read, and the lines of the program, whatever its variables are called."""
    readings = []
    with monkeypatch.context() as patch:
        begin = Carry.begin
        patch.setattr(Carry, "begin", lambda self, index, **how: readings.append(self) or begin(self, index, **how))
        program = s2s.jit(lambda *given: function(*given), target="numpy").program(*args)
    return len(readings), len(str(program).splitlines())


@pytest.mark.parametrize(**NAMED)
def test_the_program_is_that_of_more_readings(function, args, monkeypatch):
    """As if each loop had forgotten; never in more readings."""
    count, text = readings_of(function, args, monkeypatch)
    monkeypatch.setattr(LastTime, "still_carried", lambda self, reader, before: {})
    monkeypatch.setattr(LastTime, "still_kinds", lambda self, before: ())
    monkeypatch.setattr(LastArrays, "still_carried", lambda self, before, fixed, place: LastArrays())
    forgetful, other = readings_of(function, args, monkeypatch)
    assert text == other
    assert count <= forgetful


@pytest.mark.parametrize(("function", "args", "most"), [(collected, (X,), 9), (of_an_object, (X,), 9), (of_one_made_in_a_trip, (X,), 9), (joined, (N,), 210), (best_of_three, (X,), 9), (bound_inside, (X,), 10), (two_steps, (X,), 20), (tuples_of_arrays, (X,), 30), (longer_and_longer, (X,), 19), (computed_inside, (X,), 18)])
def test_loops_in_loops_are_read_few_times(function, args, most, monkeypatch):
    """Each once in each reading of what is around it, but for the first one."""
    count, _ = readings_of(function, args, monkeypatch)
    assert count <= most


def chosen_of_two(a, k):
    u, w = a[::-1], np.zeros_like(a)
    for _ in range(k):
        for j in range(1, len(a) - 1):
            w[j] = 0.4 * u[j - 1] + a[j]
        u, w = w, u
    return u * 1


def test_a_storage_that_is_chosen_of_others_holds_nothing_itself():
    x = np.stack([X, X[::-1]])
    for k in range(3):
        assert np.array_equal(s2s.jit(chosen_of_two, target="numpy")(X.copy(), k), chosen_of_two(X.copy(), k))
        assert np.array_equal(s2s.vmap(chosen_of_two, in_axes=(0, None))(x.copy(), k), [chosen_of_two(row.copy(), k) for row in x])


# ---- lists that grow ------------------------------------------------------------------------------------------------------------


def lists_of_trips(x):
    found, total = [], 0.0
    for i in range(len(x)):
        inner, places = [], []
        for j in range(i):
            inner.append(x[i] * x[j])
            places.append((j, x[j]))
        found.append(sum(inner))
        total += len(places)
    return found, total


def other_types_in_trips(x):
    found = []
    for value in (1, 0.5, 2):
        items = []
        for _ in range(len(x)):
            items.append(value)
        found.append(items[0])
    return found


def other_types_in_later_rounds(x):
    s, kept = 0, 0
    for i in range(len(x)):
        items = []
        for j in range(i):
            items.append(s + j)
        kept += len(items)
        s = items[0] if items else s + x[i]
    return s, kept


def grown_in_first_rounds_only(x):
    items, made, done = [], 0, False
    for i in range(len(x)):
        items = []
        for j in range(i):
            if not done:
                items.append(j)
            items.append(x[j])
        done = i > 2
        made += len(items)
    return made, items


def stack_of_trips(x):
    taken = 0.0
    for i in range(len(x)):
        stack = [i]
        while stack:
            k = stack.pop()
            taken += x[k]
            for j in range(k):
                if (j + k) % 3 == 0:
                    stack.append(j)
    return taken


def rows_of_trips(x, m):
    rows, total = [], 0.0
    for i in range(m):
        parts = []
        for j in range(i):
            parts.append(x * j)
        rows.append(x + i)
        total += sum(float(part[0]) for part in parts)
    return np.array(rows), total


def arrays_in_later_rounds(x):
    s, total = 0.5, 0.0
    for i in range(len(x)):
        items = []
        for j in range(i):
            items.append(s * j)
        total += len(items)
        s = x * i
    return total


def dicts_of_trips(x):
    total = 0
    for i in range(len(x)):
        seen = {}
        for j in range(i):
            key = (j * j) % 3
            if key not in seen:
                seen[key] = []
            seen[key].append(j)
        total += len(seen)
    return total


LISTS = [
    (lists_of_trips, (X,)), (other_types_in_trips, (X,)), (other_types_in_later_rounds, (X,)), (grown_in_first_rounds_only, (X,)), (stack_of_trips, (X,)), (rows_of_trips, (X, 4)),
    (dicts_of_trips, (X,)), (arrays_in_later_rounds, (X,)),
]  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("function", "args"), LISTS, ids=lambda each: getattr(each, "__name__", ""))
def test_lists_as_in_python(function, args, target):
    """Values, and the types of numbers; what gets items of two types is refused, with and without memory."""
    want = function(*args)
    try:
        got = s2s.jit(function, target=target)(*args)
    except s2s.errors.UnsupportedError:
        assert function in (grown_in_first_rounds_only, arrays_in_later_rounds)  # items of two types
        return
    assert [type(each) for each in np.atleast_1d(np.array(got, object)).ravel()] == [type(each) for each in np.atleast_1d(np.array(want, object)).ravel()] or function is rows_of_trips
    for one, other in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize(("function", "args"), LISTS, ids=lambda each: getattr(each, "__name__", ""))
def test_lists_of_more_readings(function, args, monkeypatch):
    """The same program as if each loop had forgotten its lists, in fewer readings where it has remembered the right thing."""
    try:
        count, text = readings_of(function, args, monkeypatch)
    except s2s.errors.UnsupportedError:
        assert function in (grown_in_first_rounds_only, arrays_in_later_rounds)
        return
    monkeypatch.setattr(LoopLists, "remember", lambda self, start: None)
    forgetful, other = readings_of(function, args, monkeypatch)
    assert text == other
    assert count <= forgetful or function in (arrays_in_later_rounds, other_types_in_later_rounds)  # what was remembered was wrong


@pytest.mark.parametrize(("function", "args", "most"), [(lists_of_trips, (X,), 10), (stack_of_trips, (X,), 12)])
def test_lists_in_loops_are_read_few_times(function, args, most, monkeypatch):
    """Once to see that they grow, and once as arrays."""
    assert readings_of(function, args, monkeypatch)[0] <= most


@pytest.mark.parametrize(("function", "at"), [(lists_of_trips, 0), (stack_of_trips, None)])
def test_gradients_of_lists(function, at):
    s2s.check_grads(lambda x: sum(function(x)[at]) if at is not None else function(x), (X + 0.01,), order=1)
