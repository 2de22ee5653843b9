"""What tests of other compilers of NumPy programs ask, as programs of our own: right as in Python, or its exception."""
from __future__ import annotations

import copy
import heapq
from collections import Counter

import numpy as np
import pytest
from contained_programs import two_sum
from reading import same

import s2s

pytestmark = pytest.mark.filterwarnings("ignore")
X = np.array([0.5, -1.0, 2.0, 0.25])
MANY = [k * 7 % 5 for k in range(40)]
FLOATS = [float(np.cos(k)) for k in range(24)]


def outcome(function, args):
    """What a call gives, or raises; and its arguments behind it."""
    args = copy.deepcopy(args)
    try:
        return function(*args), None, args
    except Exception as error:  # noqa: BLE001 - any that Python raises
        return None, error, args


def agree(function, *args, target="numpy"):
    """The same value of the same kind, the same exception, the same changes."""
    (wanted, expected, mine), (found, error, other) = outcome(function, args), outcome(s2s.jit(function, target=target), args)
    assert (expected is None) == (error is None), (expected, error)
    assert expected is None or isinstance(error, type(expected))
    same(found, wanted)
    same(other, mine)


# ---- sizes that are a loop's index -----------------------------------------------------------------------------------------------


def slices_up_to_a_trip(x):
    parts = []
    for k in range(len(x)):
        parts.append(x[:k])
    return parts


def ranges_of_trips(n):
    parts = []
    for k in range(n):
        parts.append(np.arange(k).astype(np.intp))
    return parts, sum(part.sum() for part in parts)


def last_slice(x):
    part = x
    for k in range(len(x)):
        part = x[:k]
        part[:] = k
    return part, x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program, args", [(slices_up_to_a_trip, (X,)), (ranges_of_trips, (5,)), (last_slice, (X,))])
def test_sizes_of_trips(program, args, target):
    """What is as long as the trip's number was not made before the loop, with a size that no one knew there."""
    agree(program, *args, target=target)


# ---- numpy.arange ----------------------------------------------------------------------------------------------------------------

RANGES = {
    "None for the stop": lambda n: (np.arange(n, None), np.arange(n, None, 2), np.arange(n, stop=None, step=3), np.arange(n + 0.5, None), np.arange(start=n, stop=None)),
    "a dtype by its place": lambda n: (np.arange(1, n, 2, np.float32), np.arange(0, n, 1, None), np.arange(n, None, 1, "f4")),
    "by name": lambda n: (np.arange(step=2, stop=n), np.arange(n, step=2), np.arange(n, step=None), np.arange(stop=n)),
    "a start alone": lambda n: np.arange(start=n), "no stop": lambda n: np.arange(stop=None), "nothing": lambda n: np.arange(),
    "twice": lambda n: np.arange(n, start=2), "five": lambda n: np.arange(1, n, 3, None, 4), "None for the start": lambda n: np.arange(None, n),
}  # fmt: skip


@pytest.mark.parametrize("given", RANGES)
def test_arguments_of_arange(given):
    """A start without a stop, or with None for it, is the stop."""
    agree(RANGES[given], 5)


@pytest.mark.parametrize("value", [3, 2.5, 2j, True, np.float32(2), np.complex64(1j), np.array(2.0), np.arange(3), [1.0, 2j]])
def test_bools_of_complex_numbers(value):
    """np.iscomplex makes an array of what it is given, np.isreal asks the number for its imaginary part."""
    agree(lambda x: (np.iscomplex(x), np.isreal(x)), value)


def test_a_known_bool_of_numpy_is_compared_as_one():
    agree(lambda n: (np.zeros((), bool) != 0, np.asanyarray(n > 2).imag != 0), 3)


# ---- many numbers ----------------------------------------------------------------------------------------------------------------


def counts(values):
    found = {}
    for v in values:
        found[v] = found.get(v, 0) + 1
    return found


def uniques(values):
    seen, found = set(), []
    for v in values:
        if v not in seen:
            seen.add(v)
            found.append(v)
    return found


def positions(values):
    found = {}
    for k, v in enumerate(values):
        if v in found:
            found[v].append(k)
        else:
            found[v] = [k]
    return found


def all_pairs(values):
    total = 0
    for v in values:
        for w in values:
            if v < w:
                total += v * w
            elif v > w:
                total -= 1
    return total


def a_key_raises(values):
    found = {}
    for v in values:
        if v == 3:
            raise ValueError(f"three {v}")
        found[v] = 1
    return found


def squares(values):
    total = 0.0
    for v in values:
        for w in values:
            total += v * np.sin(w) * w
    return total


PROGRAMS = [
    (counts, (MANY,)), (uniques, (MANY,)), (two_sum, (MANY, 5)), (positions, (MANY,)), (all_pairs, (MANY,)), (a_key_raises, (MANY,)),
    (lambda values: (set(values), {v: v * 2 for v in values}, {v for v in values if v > 1}, dict(zip(values, values[1:], strict=False))), (MANY,)),
    (lambda values: dict(Counter(values)), (MANY,)), (squares, (FLOATS,)), (uniques, (FLOATS,)),
]  # fmt: skip


@pytest.mark.parametrize("program, args", PROGRAMS)
def test_loops_through_many_numbers(program, args):
    """A loop through a list of them, whose trips make much, is one through an array of them."""
    agree(program, *args)


@pytest.mark.parametrize("program, most", [(counts, 1.5), (uniques, 1.5), (all_pairs, 2.5)])
def test_reading_does_not_grow_with_the_list(program, most):
    """Twice as many numbers are no more to read but for a check of each argument; trip by trip each would add its part, each pair of them."""
    text = {count: str(s2s.jit(program).program([k * 7 % 5 for k in range(count)])).count("\n") for count in (40, 80)}
    assert text[80] < text[40] * most


def test_the_gradient_of_a_loop_through_many_numbers():
    gradient, step = s2s.grad(squares)(FLOATS), 1e-6
    for k in (0, 7, 23):
        up, down = ([v + sign * step * (j == k) for j, v in enumerate(FLOATS)] for sign in (1, -1))
        assert gradient[k] == pytest.approx((squares(up) - squares(down)) / (2 * step), abs=1e-5)


# ---- heaps -----------------------------------------------------------------------------------------------------------------------


def in_place(values):
    heapq.heapify(values)
    first = heapq.heappop(values)
    heapq.heappush(values, first + 2)
    return first, heapq.heappushpop(values, first + 5), heapq.heapreplace(values, first + 6)


def pushed(values):
    heap = []
    for v in values:
        heapq.heappush(heap, (v, -v))
    return heap, heap[2], list(heap)


@pytest.mark.parametrize("program", [in_place, pushed, heapq.heappop, lambda values: heapq.heapify(values)])
@pytest.mark.parametrize("values", [[5.0, 3.0, 8.0, 1.0, 9.0, 2.0], [1, 3, 2, 7, 5, 9], [4, 2, 3]])
def test_the_items_of_a_heap_stand_where_python_has_them(program, values):
    agree(lambda heap: (program(heap), heap), values)
    agree(program if program is not heapq.heappop else lambda heap: heapq.heappop(heap), values)


# ---- what is no dtype, no pair ---------------------------------------------------------------------------------------------------

REFUSED_BY_PYTHON = {
    "an int as a dtype": lambda n: np.array(5, n), "as that of a cast": lambda n: np.ones(3).astype(n), "as that of a sum": lambda n: np.sum(np.ones(3), dtype=n),
    "three for a pair": lambda n: dict([(1, n), (2, n, 3)]), "one for a pair": lambda n: {0: n}.update([(1, n), (2,)]),
}  # fmt: skip


@pytest.mark.parametrize("given", REFUSED_BY_PYTHON)
def test_what_python_raises(given):
    agree(REFUSED_BY_PYTHON[given], 4)


def a_pair_too_short(n):
    try:
        return dict([(1, n), (2,)])
    except ValueError as error:
        return str(error)


def test_a_pair_too_short_is_caught():
    agree(a_pair_too_short, 4)


def test_old_noncentral_chi_squares_of_nan():
    """NumPy draws first, so that the stream goes on as for any other number."""

    def drawn(df, nonc):
        np.random.seed(3)  # noqa: NPY002
        return np.random.noncentral_chisquare(df, nonc), np.random.normal()  # noqa: NPY002

    for df in (0.5, 3.0):
        agree(drawn, df, float("nan"))


# ---- parts of lists, sets and dicts of run time ----------------------------------------------------------------------------------


def stored_into_a_part(n, start, stop, step, count):
    items = list(range(n))
    try:
        items[start:stop:step] = [100 + k for k in range(count)]
    except ValueError as error:
        return str(error), items
    return items


@pytest.mark.parametrize("step", [1, 2, -1, -2, 0])
@pytest.mark.parametrize(("start", "stop"), [(2, 5), (7, 2), (-1, -20), (30, 0), (-30, 30)])
def test_what_is_stored_into_a_part_of_a_list(step, start, stop):
    for count in {len(range(10)[start:stop:step]) if step else 1, 3}:
        agree(stored_into_a_part, 10, start, stop, step, count)


def test_and_compiled():
    for step, count in ((1, 9), (-2, 3), (-2, 2)):
        agree(stored_into_a_part, 10, 7, 2, step, count, target="cpu")


def turned(n, step):
    items = list(range(n))
    items[::-1] = items
    parts = items[:]
    parts[n::-2] = [9] * len(parts[n::-2])
    items[::step] = items[:]
    return items, parts


def test_a_list_that_is_stored_into_itself_backwards():
    for step in (-1, 1):
        agree(turned, 6, step)


def pairs_or_nothing(x):
    high = [v for v in x if v > 1]
    if len(high) == 0:
        return []
    return [(v, -v) for v in high]


def rows_or_nothing(x):
    rows = [] if x[0] > 1 else [[v, v * 2] for v in x if v > 0.2]
    rows.append([9.0, 8.0])
    return rows, len(rows), [row[1] for row in rows]


def ends_of_parts(x):
    parts = np.split(x, np.where(np.diff(x) > 1)[0] + 1)
    return [] if len(parts) == 7 else [(part[0], part[-1]) for part in parts]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [pairs_or_nothing, rows_or_nothing, ends_of_parts])
def test_a_list_of_pairs_on_one_path_and_of_nothing_on_the_other(program, target):
    for x in (np.array([0.5, 3.0, 2.0]), np.array([0.5, 0.25]), np.array([2.0, 7.5])):
        agree(program, x, target=target)


def updated(a, b):
    s, t = set(a), set(b)
    s.difference_update(t, {1.0})
    first = sorted(s)
    s.update(a)
    s.intersection_update(t, a)
    t.symmetric_difference_update(a)
    second = sorted(s)
    s.difference_update(s)
    return first, second, len(s), sorted(t)


def neighbours(n, edges):
    beside = {k: set() for k in range(n)}
    for a, b in edges:
        beside[a].add(b)
        beside[b].add(a)
    for k in range(n):
        beside[k].difference_update({0})
        beside[k].symmetric_difference_update({k})
    for k in range(n):
        beside[k].intersection_update(beside[0] | {2})
    return [sorted(beside[k]) for k in range(n)]


def test_sets_of_run_time_that_are_updated():
    agree(updated, [1.5, 2.0, 3.0], [3.0, 2.0, 5.0])
    agree(updated, [1.5, 2.5, 3.0], [7.0])
    agree(neighbours, 4, [(0, 1), (1, 2), (0, 2), (1, 2)])


FROM_KEYS = {
    "of a list": lambda x: dict.fromkeys(x, 1), "without a value": lambda x: dict.fromkeys(x), "in the order of the list": lambda x: list(dict.fromkeys(x)),
    "of a generator": lambda x: list(dict.fromkeys(v * 2 for v in x)), "of numbers": lambda x: dict.fromkeys([x[0], x[1], x[0] + 1.0], 0),
    "of pairs": lambda x: dict.fromkeys([(v, 1) for v in x], 0.5), "of a range": lambda x: dict.fromkeys(range(len(x)), x[0]), "of an array": lambda x: list(dict.fromkeys(np.array(x))),
}  # fmt: skip


@pytest.mark.parametrize("program", FROM_KEYS)
def test_dicts_from_keys_of_run_time(program):
    agree(FROM_KEYS[program], [3.5, 1.5, 3.5, 2.5])


def counted(x):
    sums = dict.fromkeys(x, 0.0)
    for v in x:
        sums[v] += v * v
    return sum(sums.values())


def test_the_gradient_of_sums_under_keys():
    x = [0.5, 2.0, 0.5]
    assert s2s.grad(counted)(x) == pytest.approx([2 * v for v in x])


NO_OUT = {
    "clip": lambda x, out: np.clip(x, 0.0, 1.0, out=out), "clip by place": lambda x, out: np.clip(x, 0.0, None, out), "without bounds": lambda x, out: np.clip(x, None, None, out),
    "sum": lambda x, out: np.sum(x, 0, None, out), "round": lambda x, out: np.round(x, 1, out), "median": lambda x, out: np.median(x, out=out), "take": lambda x, out: np.take(x, [0, 1], 0, out),
    "no such argument": lambda x, out: np.sort(x, out=out),
}  # fmt: skip


@pytest.mark.parametrize("program", NO_OUT)
def test_an_out_that_is_none(program):
    agree(NO_OUT[program], X, None)
