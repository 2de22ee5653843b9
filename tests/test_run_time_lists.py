"""Lists whose length only the run knows: returned, grown on one path, sliced; of numbers, arrays, tuples and lists."""
import bisect
import copy
import dataclasses
import itertools
import operator

import numpy as np
import pytest
from fuzz.object_check import differs
from reading import loaded

import s2s
from s2s.errors import UnsupportedError

X = np.array([0.3, -1.0, 2.0, 0.75])


def check(fun, *args, target="numpy"):
    """Python and s2s give the same, and leave the same in the arguments."""
    ours = copy.deepcopy(args)
    wanted, found = fun(*args), s2s.jit(fun, target=target)(*ours)
    assert not differs(found, wanted, "result")
    assert not differs(ours, args, "arguments")


def positives(x, n):
    out = []
    for v in x:
        if v > 0:
            out.append(v)
    return out, len(out)


def counted(x, n):
    out = [0]
    for k in range(n):
        out.append(2 * k)
    return {"a": out, "x": x[0]}


def rows_of_arrays(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return out, sum(out) if n > 1 else x


def on_one_path(x, n):
    out = []
    if n > 1:
        out.append(x[0])
    out.append(x[1])
    if n > 2:
        out.extend([x[2], x[3]])
    return out, len(out), out[-1], sum(out)


def another_list(x, n):
    out = [x[0]] if n > 1 else [x[1], x[2]]
    return out, sum(out), out[0]


def in_few_trips(x, n):
    out = []
    for k in range(3):
        if n > k:
            out.append(k)
    return out


def in_a_loop_on_one_path(x, n):
    out = []
    if n > 1:
        for v in x:
            out.append(v + 1.0)
    else:
        out.append(x[0])
    return out, len(out)


def popped(x, n):
    out = [v for v in x]
    if n > 1:
        out.pop()
    return out


def arrays_on_one_path(x, n):
    out = []
    if n > 1:
        out.append(x)
    if n > 2:
        out.append(x * 2)
    return np.sum(np.array(out)) if n > 1 else 0.0, out, len(out)


def parts(x, n):
    out = [v for v in x if v > -5 * n]
    return out[1:], out[::-1], out[:-1], out[n:], out[1:][0]


def path(x, n):
    out, at = [], n
    while at >= 0:
        out.append(at)
        at -= 1
    return out[::-1]


def rows(x, n):
    pairs = [(v, v * 2) for v in x if v > 0]
    total = 0.0
    for a, b in pairs:
        total += a * b
    return total, pairs[0], len(pairs), pairs[-1][1]


def integer_rows(x, n):
    pairs = [[k, 2 * k] for k in range(n + 2)]
    return pairs[1], x[pairs[1][0]], pairs[0] + pairs[1]


def with_parts_of_an_array(x, n):
    near, places = [], []
    order = np.argsort(x)
    for k, start in enumerate(np.searchsorted(x[order], x - 0.1)):
        near.extend(order[start:])
        places += [k] * start
        places.extend(np.arange(start)[::2])
    return np.array(near), sum(near), places


FUNCTIONS = (
    with_parts_of_an_array,
    positives, counted, rows_of_arrays, on_one_path, another_list, in_few_trips, in_a_loop_on_one_path, popped, arrays_on_one_path, parts, path, rows, integer_rows,
)  # fmt: skip


@pytest.mark.parametrize("fun", FUNCTIONS, ids=lambda fun: fun.__name__)
def test_as_in_python(fun):
    for n in range(4):
        check(fun, X, n)


def test_compiled():
    def several(x, n):
        ints = [k for k in range(n)]
        if x[0] > 0:
            ints.append(n)
        floats, mats = [], []
        for v in x:
            if v > 0:
                floats.append(v * 0.5)
            mats.append(np.outer(x, x) * v)
        return ints, {"floats": floats}, mats

    for n in (0, 2):
        check(several, X, n, target="cpu")


def test_derivatives():
    def loss(x, n):
        out = []
        for k, v in enumerate(x):
            if v > 0:
                out.append(v * v)
            if n > k:
                out.append(v)
        return sum(out), out

    (value, aux), x_bar = s2s.value_and_grad(loss, has_aux=True)(X, 2)
    assert not differs((value, aux), loss(X, 2), "result")
    np.testing.assert_allclose(x_bar, 2 * X * (X > 0) + np.array([1, 1, 0, 0]))
    for derivative in (lambda f: s2s.jvp(f, (X,), (X,)), lambda f: s2s.vjp(f, X), lambda f: s2s.jacrev(f)(X)):
        with pytest.raises(UnsupportedError, match="a list whose length is known only at run time"):
            derivative(lambda x: positives(x, 1)[0])


def test_called_by_another():
    inner = s2s.jit(positives)

    def outer(x, n):
        found, count = inner(x, n)
        found.append(1.0)
        return found, count, found[0]

    check(outer, X, 1)


def mixed(x, n):
    pairs = [(v, k) for k, v in enumerate(x)]
    return pairs[0][1]


def smallest(x, n):
    return min((v, k) for k, v in enumerate(x))


def stored(x, n):
    pairs = [[k * 1.0, 1.0] for k in range(n)]
    first = pairs[0]
    pairs[0][1] = 5.0
    return first[1]


def changed_later(x, n):
    out = []
    if n > 1:
        out.append(x)
    x[0] = 100.0
    return out


@pytest.mark.parametrize("fun", [mixed, smallest, stored, changed_later])
def test_of_tuples(fun):
    check(fun, X, 2)


# ---- parts between run-time bounds, run-time conditions over what is known -----------------------------------------------------------


def parts(x, n):
    values = [x[0], x[1], x[2]]
    return values[n:], values[:n], values[-n:], values[n:0:-1], values[::n], sum(values[:n]), len(values[n:])


def neighbours(x, n):
    near = [x[j] for j in (n - 1, n + 1) if 0 <= j < len(x)]
    return near, sum(x[j] for j in (n - 1, n + 1) if j >= 0 if j < len(x)), len(near)


def pairs_of(x, n):
    return [a * b for a in (1, 2, 3) if a < n + 1 for b in (4.0, x[2]) if b > a if a != 2]


def extremes(x, n):
    return max(v * v for v in (x[0], x[1], x[2]) if v < n), any(v > 1 for v in (x[0], x[2]) if v != 2.0)


def kept(x, n):
    return [v * 2 for v in (x[:2], x[2:]) if v.sum() > 0]


def merged(x, n):
    a, b = [x[0], x[2]], [x[1], x[3]]
    i, j, out = 0, 0, []
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return out


@pytest.mark.parametrize("fun", [parts, neighbours, pairs_of, extremes, kept, merged])
def test_what_only_the_run_decides(fun):
    for n in (1, 2, 3):
        check(fun, X, n)


def test_derivatives_of_what_only_the_run_decides():
    def fun(x, n):
        values = [v * v for v in (x[0], x[1], x[2] * x[3])]
        return sum(values[n:]) + sum(v**3 for v in values[:n] if v > 0.5) * max(v for v in values if v < 3.0)

    for target in ("numpy", "cpu"):
        run = s2s.jit(fun, target=target)
        for n in (0, 1, 2):
            s2s.check_grads(lambda x, run=run, n=n: run(x, n), (X,), order=2)


def test_parts_of_several_types():
    """The whole numbers of a call decide; of a length that floats decide it is refused."""
    for fun in (lambda x, n: [1, x[0]][n:], lambda x, n: (x[0], x[1])[n:]):
        assert s2s.jit(fun, target="numpy")(X, 1) == fun(X, 1)
        with pytest.raises(UnsupportedError):
            s2s.jit(lambda x, y, fun=fun: fun(x, int(y)), target="numpy")(X, 1.0)


# ---- bisect, operator's getters ----------------------------------------------------------------------------------------------------


def places(x, n):
    rising = np.sort(x)
    return bisect.bisect(rising, x[n]), bisect.bisect_left(rising, x[n]), bisect.bisect_right([1, 2, 2, 3], n, 1), bisect.bisect_left([3.0, 1.0], -n, key=lambda v: -v), bisect.bisect((0.5, 1.5), 1.0)


def inserted(x, n):
    out = []
    for v in x:
        bisect.insort(out, v)
    found = [5, 4]
    bisect.insort_left(found, n, key=lambda v: -v)
    return out, found


def gotten(x, n):
    pairs = [(n, x[0]), (1, x[1])]
    return operator.itemgetter(1)(pairs)[1], operator.itemgetter(1, 0)((n, 2.0)), sorted(pairs, key=operator.itemgetter(0)), operator.attrgetter("T.shape")(x), operator.methodcaller("sum", axis=0)(x)


@pytest.mark.parametrize("fun", [places, inserted, gotten])
@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_of_bisect_and_operator(fun, target):
    for n in (0, 2, 3):
        check(fun, X, n, target=target)


def test_bisect_from_a_negative_place():
    with pytest.raises(ValueError, match="lo must be non-negative"):
        s2s.jit(lambda x, n: bisect.bisect(x, 1.0, n), target="numpy")(X, -1)


def made_of_a_number(a, v, n):
    b = [a] * n
    b[0] = v
    return sum(b)


def made_of_items(a, v):
    b = [c for c in a]
    b[0] = v
    return sum(b)


def test_a_list_that_is_made_of_other_numbers_in_each_call():
    """Where a list gets numbers of another type, those that are made there in other calls keep their own."""

    def f(n, y):
        return made_of_a_number(0, y, n), made_of_a_number(1j, 2.0, n), made_of_a_number(0.5, 1.5, n), made_of_items(range(n), y), made_of_items(range(n), 2)

    assert s2s.jit(f, target="numpy")(4, 0.75) == f(4, 0.75)


def test_parts_of_lists_of_tuples():
    def f(x, y):
        pairs = sorted([(v, v + abs(y)) for v in x])
        joined = [pairs[0]]
        for a, b in pairs[1:]:
            if a <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(joined[-1][1], b))
            else:
                joined.append((a, b))
        return joined, pairs[-2:], pairs[::2], len(pairs[9:])

    x = np.array([0.5, -1.25, 2.0, 0.75, -0.3])
    assert s2s.jit(f, target="numpy")(x, 0.7) == f(x, 0.7)


def test_a_list_of_a_range_gets_items_of_an_array():
    def f(n, edges):
        parent = list(range(n))
        for u, v in edges:
            while parent[u] != u:
                u = parent[u]
            parent[v] = u
        return sum(parent)

    edges = np.array([[0, 1], [1, 2], [3, 4]])
    assert s2s.jit(f, target="numpy")(6, edges) == f(6, edges)


@dataclasses.dataclass(order=True)
class Tagged:
    key: float
    tags: list = dataclasses.field(default_factory=list, compare=False)


def test_objects_whose_lists_grow_are_sorted():
    """What the comparisons make stands in another heap than the one before them."""

    def program(x):
        items = [Tagged(value) for value in x]
        items.sort()
        items[0].tags.append(3.0)
        return len(items[1].tags) + sum(items[0].tags)

    for x in (np.array([0.7, 1.4, -0.6]), np.array([-0.7, 0.4])):
        assert s2s.jit(program, target="numpy")(x) == program(x)


ITERTOOLS = (
    "itertools.accumulate({xs})", "itertools.accumulate({xs}, lambda p, q: p * q)", "itertools.accumulate({xs}, max, initial=y)", "itertools.pairwise({xs})", "itertools.islice({xs}, 1, None)",
    "itertools.islice({xs}, n)", "itertools.islice({xs}, 0, n, 2)", "itertools.chain({xs}, {xs}, [y])", "itertools.combinations({xs}, 2)", "itertools.combinations({xs}, 3)", "itertools.permutations({xs}, 2)",
    "itertools.combinations_with_replacement({xs}, 2)", "itertools.product({xs}, [1.0, y])", "itertools.product({xs}, {xs})", "itertools.zip_longest({xs}, x, fillvalue=y)", "itertools.zip_longest([1.0], {xs}, fillvalue=0.0)",
    "itertools.starmap(lambda p, q: p * q, itertools.product({xs}, {xs}))", "itertools.takewhile(lambda p: p < y, itertools.accumulate({xs}))",
)  # fmt: skip
USES = ("list({0})", "sum(p if not isinstance(p, tuple) else p[0] - p[-1] for p in {0})", "len([1 for p in {0}])")


@pytest.mark.parametrize("made", ITERTOOLS)
def test_itertools_of_lists_of_run_time_length(made, tmp_path):
    """As of known items: every use, of none, one and several items; the derivative by both modes."""
    for number, (use, xs) in enumerate(itertools.product(USES, ("[v for v in x if v > y]", "[v * v for v in x]"))):
        text = f"import itertools\n\n\ndef program(x, y, n):\n    return {use.format(made.format(xs=xs))}\n"
        program = loaded(tmp_path / f"program_{number}.py", text).program
        for y in (-2.0, 0.5, 1.0, 5.0):
            wanted, found = program(X, y, 2), s2s.jit(program, target="numpy")(X, y, 2)
            assert np.shape(found) == np.shape(wanted)
            assert np.allclose(found, wanted, rtol=1e-14), (text, y)
        if use.startswith("sum"):
            _, slope = s2s.jvp(lambda x, program=program: program(x, 0.5, 2), (X,), (np.ones(4),))
            assert np.sum(s2s.grad(lambda x, program=program: program(x, 0.5, 2))(X)) == pytest.approx(slope, rel=1e-12, abs=1e-12)


def test_a_generator_that_binds_a_name_of_the_function():
    """What `:=` binds is the function's; where not all items are asked for at once, Python would bind fewer."""

    def gone_through(x, y):
        total = sum(w for v in x if (w := v * y) > 0.2)
        return total, w, max(z for v in x if (z := v + y) < 9.0)

    check(gone_through, X, 0.7)

    def sought(x, y):
        return any((w := v) > y for v in x), w

    assert s2s.jit(sought, target="numpy")(X, 0.7) == sought(X, 0.7)

    def asked_for(x, y):
        items = ((w := v) > y for v in x)
        return any(items), w

    with pytest.raises(UnsupportedError, match="not gone through at once"):
        s2s.jit(asked_for, target="numpy")(X, 0.7)


class Curve:
    def __init__(self):
        self.times, self.rates = [0.0], [0.02]

    def add(self, time, rate):
        place = bisect.bisect(self.times, time)
        self.times.insert(place, time)
        self.rates.insert(place, rate)


def bootstrapped(quotes, times):
    """Each rate is sought on a deep copy of the curve so far."""
    curve = Curve()
    for time, quote in zip(times, quotes, strict=True):
        def price(rate, time=time, quote=quote):
            tried = copy.deepcopy(curve)
            tried.add(time, rate)
            return sum(tried.rates) - 3.0 * quote

        low, high = -1.0, 1.0
        for _ in range(20):
            middle = 0.5 * (low + high)
            if price(middle) < 0.0:
                low = middle
            else:
                high = middle
        curve.add(time, low - price(low))
    return sum(curve.rates) + curve.times[-1] + len(curve.times)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_deep_copies_of_lists_that_grow(target):
    """An error before, where the items are numbers: the copy has items of its own, and the list stays as it was."""
    quotes = np.array([0.021, 0.024, 0.03])
    check(bootstrapped, quotes, [1, 2, 3], target=target)
    slope = s2s.grad(s2s.jit(bootstrapped, target=target))(quotes, [1, 2, 3])
    assert np.allclose(slope, s2s.jacfwd(s2s.jit(bootstrapped, target=target))(quotes, [1, 2, 3]), rtol=1e-12)


def rolled_out(start, steps, rounds):
    """Whole trajectories take turns; their states are arrays of the size of the start."""
    steps = list(steps)

    def states(steps):
        found = [start]
        for step in steps:
            found.append(np.array([found[-1][0] + step[0], found[-1][1] * 0.5]))
        return found

    path = states(steps)
    for _ in range(rounds):
        for factor in (1.5, 0.5):
            tried = [step * factor for step in steps]
            other = states(tried)
            if other[-1][0] < path[-1][0]:
                path, steps = other, tried
                break
    return path[-1][0] + path[-1][1] * path[1][0]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_arrays_whose_sizes_the_call_knows_in_lists_that_take_turns(target):
    """Where only the call knows that all items have one size, it is asked at once: no other reading for any sizes would know it."""
    args = np.array([1.0, 2.0]), np.array([[0.5], [-0.25], [1.0]]), 2
    check(rolled_out, *args, target=target)
    slope = s2s.grad(s2s.jit(rolled_out, target=target))(*args)
    assert np.allclose(slope, s2s.jacfwd(s2s.jit(rolled_out, target=target))(*args), rtol=1e-12)


def flooded(field, level):
    """From all places above a level to their neighbours: a stack of places of which only the run knows how many it starts with."""
    stack = [tuple(place) for place in np.argwhere(field > level)]
    seen = set()
    while stack:
        place = stack.pop()
        if place in seen:
            continue
        seen.add(place)
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = (place[0] + down, place[1] + right)
            if 0 <= near[0] < field.shape[0] and 0 <= near[1] < field.shape[1] and field[near] > 0.3:
                stack.append(near)
    total = 0.0
    for place in sorted(seen):
        total += field[place]
    return total + len(seen)


def with_pairs(field, level):
    pairs = [(value, 2.0 * value) for value in field[0] if value > level]
    pairs.append((field[1, 0], field[1, 1]))
    first, second = pairs[-1]
    return first * second + sum(one * other for one, other in pairs)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", [flooded, with_pairs])
def test_tuples_behind_those_of_a_comprehension(fun, target, rng):
    """An error before: tuples of one type stand in the rows of an array."""
    field = rng.random((4, 5))
    for level in (0.7, 2.0):
        wanted, found = fun(field, level), s2s.jit(fun, target=target)(field, level)
        assert np.allclose(found, wanted, rtol=1e-14)
        slope = s2s.grad(s2s.jit(fun, target=target))(field, level)
        assert np.allclose(slope, s2s.jacfwd(s2s.jit(fun, target=target))(field, level), rtol=1e-12)


def test_longer_tuples_are_refused_behind_those_of_a_comprehension():
    def longer(x):
        pairs = [(value, value) for value in x if value > 0.0]
        pairs.append((x[0], x[0], x[1]))
        return len(pairs)

    with pytest.raises(UnsupportedError, match=r"pairs\.append"):
        s2s.jit(longer, target="numpy")(X)


def pairs_or_none(x, n):
    found = [(v, k) if v > 0.5 else None for k, v in enumerate(x)]
    for v in x:
        found.append(None if v > n else (v * 2.0, n))
    return found, sum(v is None for v in found), [each for each in found if each is not None], found[1:3], [None for v in x if v > n]


def stored_beside_none(x, n):
    back, flags, deep = [None] * (n + 4), [None] * (n + 4), [(0, None)] * (n + 4)
    for k, v in enumerate(x):
        if v > 0:
            back[k] = (k, v)
            flags[k + n] = True
            deep[k] = (k + 1, (v, (k, n)))
    return back, flags, deep, back[n] is None, flags[n] is None, [pair[1] for each in deep if (pair := each[1]) is not None]


def on_paths_beside_none(x, n):
    found, other = [None], [(1, 2.5)]
    for v in x:
        if v > n:
            found.append((n, v))
            other.append(None)
        else:
            found.append(None)
    return found, other, found[-1], other[-1]


def keyed_beside_none(x, n):
    came, here = {(0, 0): None}, (0, 0)
    for v in x:
        there = (here[0] + int(v > n), here[1] + n + 1)
        came[there] = here
        here = there
    path = []
    while here is not None:
        path.append(here)
        here = came[here]
    return came, path


def numbers_and_pairs_beside_none(x, n):
    found = [None for v in x if v < 5 * n + 1]
    found[0] = 1.5
    found[n] = (1, 2)
    return len(found), found[n][1], found.count(None), None in found, 7 in found


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", [pairs_or_none, stored_beside_none, on_paths_beside_none, keyed_beside_none, numbers_and_pairs_beside_none])
def test_tuples_beside_none(fun, target):
    for n in (0, 1, 2):
        check(fun, X, n, target=target)


@dataclasses.dataclass
class Place:
    x: float
    y: float


class Modulo:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number % 3 == other.number % 3


def objects_by_what_they_hold(x, n):
    places = [Place(v, 2 * v) for v in x]
    wanted = Place(x[n], 2 * x[n])
    return places.index(wanted), places.count(wanted), wanted in places, Place(x[n], 0.0) in places


def objects_removed(x, n):
    places = [Place(v, 2 * v) for v in x]
    places.remove(Place(x[n], 2 * x[n]))
    return [place.x for place in places]


def objects_that_are_not_there(x, n):
    return [Place(v, 2 * v) for v in x].index(Place(x[n] + 1, 0.0))


def an_object_of_the_list(x, n):
    places = [Place(v, 2 * v) for v in x]
    return places.index(places[n])


def by_their_own_equality(x, n):
    numbers = [Modulo(k) for k in range(n + 5)]
    return numbers.index(Modulo(3 * n + 4)), numbers.count(Modulo(n)), Modulo(7) in numbers


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("fun", [objects_by_what_they_hold, objects_removed, an_object_of_the_list, by_their_own_equality])
def test_objects_are_found_by_their_own_equality(fun, target):
    for n in (0, 1, 2):
        check(fun, X, n, target=target)


def test_objects_that_are_not_found():
    with pytest.raises(ValueError, match="is not in list"):
        s2s.jit(objects_that_are_not_there, target="numpy")(X, 1)
    with pytest.raises(NotImplementedError, match="with nan"):
        s2s.jit(an_object_of_the_list, target="numpy")(np.array([0.5, np.nan]), 1)
