"""Comprehensions, and loops that make a list grow, of many trips whose number is known: a loop where the trips make much, else item by item."""
import itertools
import random
from collections import namedtuple

import numpy as np
import pytest
from fuzz.object_check import differs

import s2s

X = np.random.default_rng(5).normal(size=30)
MOST_LINES = 250
"""Of the text of a program: one that is read item by item has thousands."""


def choices(x):
    rng = np.random.default_rng(0)
    return np.array([rng.choice(x, 20).mean() for _ in range(200)]), rng.random()


def choices_of_all(x):
    rng = np.random.default_rng(1)
    means = [np.mean(rng.choice(x, size=len(x), replace=True)) for _ in range(1000)]
    return np.percentile(means, [2.5, 97.5])


def of_places(x):
    rng = np.random.default_rng(2)
    return np.array([x[rng.integers(0, len(x), len(x))].mean() for _ in range(200)])


def permutations(x):
    rng = np.random.default_rng(3)

    def difference(order):
        return order[:10].mean() - order[10:].mean()

    found = np.array([difference(rng.permutation(x)) for _ in range(300)])
    return np.mean(np.abs(found) >= 0.1)


def of_the_state(x):
    np.random.seed(3)
    return [np.random.randn(10).std(ddof=1) for _ in range(100)], np.random.rand()


def numbers(x):
    rng = np.random.default_rng(4)
    return [rng.normal() for _ in range(300)]


def rows(x):
    rng = np.random.default_rng(5)
    return np.array([rng.normal(size=4) for _ in range(300)])


def inside(x):
    rng = np.random.default_rng(6)
    return sum(1 for _ in range(500) if rng.random() ** 2 + rng.random() ** 2 < 1) * 4 / 500


def dice(x):
    rng = np.random.default_rng(7)
    rolls = [int(rng.integers(1, 7)) + int(rng.integers(1, 7)) for _ in range(300)]
    return rolls.count(7), rolls


def appended(x):
    rng = np.random.default_rng(8)
    found = []
    for _ in range(200):
        order = rng.permutation(x)
        found.append(order[:10].mean() - order[10:].mean())
    return np.mean(np.abs(np.array(found)) >= 0.1), found


def shuffled(x):
    rng = np.random.default_rng(9)
    found = []
    for _ in range(100):
        rng.shuffle(x)
        found.append((x[:10].mean(), x[10:].mean()))
    first, second = zip(*found, strict=True)
    return first, np.array(second), x


def pairs_drawn(x):
    rng = np.random.default_rng(0)
    return [rng.normal() * x[i] for i in range(30) for _ in range(20)], rng.random()


def mapped(x):
    rng = np.random.default_rng(1)
    def f(k): return rng.choice(x, 20).mean()
    return list(map(f, range(400))), rng.random()


def under_keys(x):
    rng = np.random.default_rng(2)
    d = {k: rng.choice(x, 20).mean() for k in range(400)}
    return d[3] + d[399], len(d), rng.random()


def set_of_draws(x):
    rng = np.random.default_rng(3)
    s = {int(rng.integers(0, 50)) for _ in range(300)}
    return len(s), sorted(s), rng.random()


def dict_of_draws(x):
    rng = np.random.default_rng(3)
    s = {int(rng.integers(0, 50)): rng.random() for _ in range(300)}
    return len(s), sum(s.values()), s.get(3, 0.0)


def any_mapped(x):
    rng = np.random.default_rng(3)
    return any(map(lambda k: rng.choice(x, 20).mean() > 1, range(400))), rng.random()


def all_drawn(x):
    rng = np.random.default_rng(3)
    return all(rng.choice(x, 20).mean() < 0.4 for _ in range(400)), rng.random()


def under_pairs(x):
    random.seed(1)
    return {(i, j): random.random() * x[i] for i in range(15) for j in range(15)}[3, 4], random.random()


DRAWS = [choices, choices_of_all, of_places, permutations, of_the_state, numbers, rows, inside, dice, appended, shuffled, pairs_drawn, mapped, under_keys, set_of_draws, dict_of_draws, any_mapped, all_drawn, under_pairs]


SLOW = [dict_of_draws, set_of_draws, shuffled, choices]


@pytest.mark.parametrize("fun", [pytest.param(fun, marks=pytest.mark.slow) if fun in SLOW else fun for fun in DRAWS])
def test_draws(fun):
    wanted, found = fun(X.copy()), s2s.jit(fun, target="numpy")(X.copy())
    assert not differs(found, wanted, "result")


@pytest.mark.parametrize("fun", [permutations, inside])
def test_draws_compiled(fun):
    np.testing.assert_allclose(s2s.jit(fun, target="cpu")(X), fun(X), rtol=1e-13)


@pytest.mark.parametrize("fun", [choices, permutations, rows, inside, appended, pairs_drawn, mapped, under_keys, any_mapped])
def test_text_is_short(fun):
    assert s2s.jit(fun, target="numpy").source(X).count("\n") < MOST_LINES


def first_is_an_int(x):
    return [x[k % 30] * 2 if k else 0 for k in range(300)]


def of_python(x):
    return [int(x[k % 30] * 10) for k in range(300)], [bool(np.sin(x[k % 30]) > 0) for k in range(300)], [f"{np.sin(x[k % 30]):.2f}" for k in range(200)]


def of_several_sizes(x):
    parts = [x[: k % 5 + 1] * 2 for k in range(300)]
    return [part.sum() for part in parts], parts[7]


def unzipped(x):
    pairs = [(np.sin(x[k % 30]), k * 0.5) for k in range(300)]
    first, second = zip(*pairs, strict=True)
    return np.array(first), np.array(second)


def sizes_of_arrays(x):
    sizes = [int(len(x[: k + 1]) * 1) for k in range(300)]
    return np.zeros(sizes[3])


def bound_inside(x):
    found = [(y := np.sin(x[k % 30])) + y for k in range(300)]
    return found, y


def appended_to(x):
    found = []
    nothing = [found.append(np.sin(x[k % 30])) for k in range(300)]
    return found, nothing[4]


def beyond_the_end(x):
    return [np.sin(x[k]) for k in range(300)]


def caught(x):
    try:
        return [np.sin(x[k]) for k in range(300)]
    except IndexError:
        return [x[0]]


Pair = namedtuple("Pair", "a b")  # noqa: PYI024


def tuples_with_names(x):
    pairs = [Pair(np.sin(x[k % 30]), x[k % 30] + 1) for k in range(300)]
    return sum(pair.a * pair.b for pair in pairs), pairs[3].a


def dicts(x):
    found = [{"a": np.sin(x[k % 30]), "b": k} for k in range(300)]
    return found[4]["a"], found[299]["b"]


def one_in_another(x):
    return np.array([[np.sin(x[i]) * np.cos(x[j]) for j in range(30)] for i in range(30)])


def with_conditions(x):
    return [np.sin(x[k % 30]) for k in range(400) if x[k % 30] > 0], [np.sin(x[k % 30]) for k in range(400) if k % 3 == 0]


def changes_an_array(x):
    def step(k):
        x[k % 30] += np.sin(x[(k + 1) % 30])
        return x.sum()

    return [step(k) for k in range(300)]


def rows_that_are_views(x):
    table = np.zeros((30, 2))
    found = [table[k % 30] for k in range(700)]
    found[0][1] = x[0]
    return table, found[30][1]


def unpacked(x):
    first, second, *others = [np.sin(v) * np.cos(v) + v * v for v in [x[k % 30] + k for k in range(100)]]
    return first, second, len(others)


def of_single_precision(x):
    y = x.astype(np.float32)
    return np.array([y[k % 30] * 2.0 + 1 for k in range(300)]), [y[k % 30] * 2.0 + 1 for k in range(300)]


def some_are_none(x):
    return [None if x[k % 30] > 0 else np.sin(x[k % 30]) for k in range(300)]


def downwards(x):
    return [np.sin(x[k % 30]) * k for k in range(900, 3, -3)]


def two_at_once(x):
    return [np.sin(a) * k for k, (a, _) in enumerate(zip(np.arange(300.0), itertools.repeat(1)))]


def kinds_differ(x):
    found = [0, "a"]
    for k in range(100):
        found.append(np.sin(x[k % 30]) * np.cos(x[k % 30]) * k + x[k % 7] / 2)
    return found


def asked_behind(x):
    found = {}
    lists = []
    for k in range(100):
        lists.append(np.sin(x[k % 30]) * np.cos(x[k % 30]) * k + x[k % 7] / 2)
        found[k] = lists[-1]
    return found, lists


def left_early(x):
    found = []
    for k in range(200):
        found.append(np.sin(x[k % 30]) * np.cos(x[k % 30]) * k + x[k % 7] / 2)
        if found[-1] > 3:
            break
    return found, k


def two_for(x):
    return [np.sin(x[i]) * np.cos(x[j]) for i in range(30) for j in range(30)]


def two_for_if(x):
    return [np.sin(x[i]) * np.cos(x[j]) for i in range(30) for j in range(30) if x[i] > x[j]]


def two_for_if_first(x):
    return [np.sin(x[i]) * np.cos(x[j]) for i in range(30) if x[i] > 0 for j in range(30) if i != j]


def two_for_tri(x):
    return [np.sin(x[i]) * np.cos(x[j]) for i in range(30) for j in range(i)]


def map_two(x):
    return list(map(lambda a, b: np.sin(x[a % 30]) * np.cos(x[b % 30]) + a, range(400), range(400)))


def filtered(x):
    return list(filter(lambda k: np.sin(x[k % 30]) * np.cos(x[(k + 1) % 30]) > 0, range(400)))


def dict_store(x):
    d = {k: np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]) + k for k in range(200)}
    d[3] += 1
    d["a"] = x[0]
    del d[5]
    return d


def dict_mixed(x):
    return {k: (np.sin(x[k % 30]) * 10 if k else 0) for k in range(200)}


def dict_mod(x):
    return {k % 7: np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]) + k for k in range(200)}


def dict_lists(x):
    d = {k: [np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]), k * 1.0] for k in range(200)}
    d[3].append(1.0)
    d[4][0]=2.0
    return d


def dict_arrays(x):
    d = {k: np.sin(x[:3] * k) * np.cos(x[:3] + k) for k in range(200)}
    d[4][0]=2.0
    return d[3], d[4]


def dict_if(x):
    return {k: np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]) + k for k in range(200) if k % 3}


def two_app(x):
    found = []
    lengths = [found.append(np.sin(x[i]) * j) or len(found) for i in range(20) for j in range(20)]
    return found, lengths


def two_dep(x):
    c = [0]
    def f(i, j):
        c[0] += 1
        return np.sin(x[i]) * j + c[0]
    return [f(i, j) for i in range(20) for j in range(20)], c


def two_growing(x):
    c = [0, 1, 2]
    return [(np.sin(x[i]), c.append(i))[0] for i in range(3) for j in range(len(c))], c


def two_walrus(x):
    n = 5
    return [np.sin(x[i]) * (n:=i + j) for i in range(20) for j in range(20)], n


def two_tuple(x):
    return [(i, j) for i in range(20) for j in range(20) if x[i] * x[j] > 0.5]


def two_zip(x):
    a, b=zip(*[(np.sin(x[i]) * x[j], i + j) for i in range(20) for j in range(20)])
    return a, sum(b)


def two_step(x):
    return [np.sin(x[i]) * np.cos(x[j]) * i for i in range(29, 3,-2) for j in range(2, 30, 3)]


def two_none(x):
    return [None if x[i] > x[j] else np.sin(x[i]) * np.cos(x[j]) for i in range(20) for j in range(20)]


def two_caught(x):
    try:
        return [np.sin(x[i]) * np.cos(x[i + j]) for i in range(20) for j in range(20)]
    except IndexError:
        return [x[0]]


def set_two(x):
    return sorted({int(x[i] * x[j] * 4) for i in range(20) for j in range(20)})


def dict_two_run(x):
    d = {int(x[i] * x[j] * 4): i * j for i in range(20) for j in range(20)}
    return sorted(d.items())


def map_list_after(x):
    m = map(lambda k: np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]) + k, range(200))
    a = next(m)
    others = list(m)
    return a, others, len(list(m))


def map_later(x):
    s = [1.0]
    m = map(lambda k: np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]) + s[0], range(200))
    s[0] = x[2]
    return sum(m), list(m)


def map_minmax(x):
    return min(map(lambda k: np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]) + k, range(200))), tuple(map(lambda k: np.sin(x[k % 30]) * np.cos(x[(k + 3) % 30]) + k, range(200)))[3]


def two_caught_effects(x):
    c = np.zeros(1)
    def f(i, j):
        c[0] += 1
        return np.sin(x[i]) * np.cos(x[i + j])
    try:
        return [f(i, j) for i in range(20) for j in range(20)], c
    except IndexError:
        return [x[0]], c


def by_place(x):
    return sorted(range(60), key=lambda k: np.sin(x[k % 30]) * k), sorted(range(20), key=lambda k: (int(x[k] * 2), -x[k]))


def in_order(x):
    return sorted([x[k] for k in range(30)]), sorted([x[k] for k in range(25)], key=lambda v: -abs(v)), sorted([(int(x[k] * 3), k) for k in range(25)], key=lambda pair: pair[0], reverse=True)


class Body:
    def __init__(self, name, mass):
        self.name, self.mass = name, mass


def objects_in_order(x):
    bodies = [Body(k, x[k]) for k in range(20)]
    found = sorted(bodies, key=lambda body: body.mass)
    found[0].mass = 100.0
    found[1].name = -1
    return [body.mass for body in bodies], [body.name for body in found]


def sorted_in_place(x):
    found = [x[k] for k in range(20)]
    other = found
    found.sort()
    found.append(3.0)
    records = [{"id": k, "v": x[k]} for k in range(20)]
    records.sort(key=lambda record: record["v"])
    return other, found[0], [record["id"] for record in records], records[0]["v"]


def items_in_order(x):
    found = {k: x[k] for k in range(25)}
    return sorted(found.items(), key=lambda item: item[1])[:3], sorted(found, key=found.get)


def texts_in_order(x):
    return sorted([f"n{k}" for k in range(20)], key=lambda name: x[int(name[1:])]), sorted([(f"s{k % 3}", x[k]) for k in range(20)])[:6]


def keys_of_what_grows(x):
    found = []
    return {len(found): (found.append(np.sin(x[k % 30]) * np.cos(x[3])), found[-1] * 2)[1] for k in range(200)}, len(found)


def keys_that_are_counted(x):
    n = 0

    def next_one(v):
        nonlocal n
        n += 1
        return np.sin(v) * np.cos(v) + v * v

    return {n: next_one(x[k % 30]) for k in range(200)}  # noqa: B035


def bounds_that_change(x):
    n = 1

    def more(v):
        nonlocal n
        n = min(n + 1, 20)
        return np.sin(v) * np.cos(v) + v * v

    return [more(x[i]) * j for i in range(20) for j in range(n)], n


def state_of_a_map(x):
    n = 0

    def next_one(k):
        nonlocal n
        n += 1
        return n * np.sin(x[k % 30])

    return sum(map(next_one, range(200))), n


PROGRAMS = [
    kinds_differ, asked_behind, left_early,
    first_is_an_int, of_python, of_several_sizes, unzipped, sizes_of_arrays, bound_inside, appended_to, beyond_the_end, caught, tuples_with_names, dicts, one_in_another,
    with_conditions, changes_an_array, rows_that_are_views, unpacked, of_single_precision, some_are_none, downwards, two_at_once,
    two_for, two_for_if, two_for_if_first, two_for_tri, map_two, filtered, dict_store, dict_mixed, dict_mod, dict_lists, dict_arrays, dict_if, two_app, two_dep, two_growing, two_walrus, two_tuple, two_zip, two_step, two_none, two_caught, set_two, dict_two_run, map_list_after, map_later, map_minmax, two_caught_effects,
    keys_of_what_grows, keys_that_are_counted, bounds_that_change, state_of_a_map, by_place, in_order, objects_in_order, sorted_in_place, items_in_order, texts_in_order,
]  # fmt: skip


def _outcome(fun, x):
    try:
        return fun(x), x
    except IndexError as error:
        return str(error), x


@pytest.mark.parametrize("fun", PROGRAMS)
def test_items(fun):
    wanted, found = _outcome(fun, X.copy()), _outcome(s2s.jit(fun, target="numpy"), X.copy())
    assert not differs(found, wanted, "result")


def smooth(x):
    return sum([np.sin(x[k % 4]) * x[(k + 1) % 4] * k for k in range(300)])


def test_derivative():
    x = np.array([0.3, -1.0, 2.0, 0.75])
    step = 1e-6
    wanted = [(smooth(x + step * e) - smooth(x - step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(s2s.jit(s2s.grad(smooth), target="numpy")(x), wanted, rtol=1e-5)
    np.testing.assert_allclose(s2s.jit(s2s.jacfwd(smooth), target="numpy")(x), wanted, rtol=1e-5)


def smooth_pairs(x):
    return sum([np.sin(x[i % 4]) * x[j % 4] * i for i in range(30) for j in range(30)])


def smooth_keys(x):
    found = {k: np.sin(x[k % 4]) * np.cos(x[(k + 3) % 4]) + k for k in range(200)}
    return found[3] * found[5] + sum(found.values())


def smooth_map(x):
    return sum(map(lambda k: np.sin(x[k % 4]) * np.cos(x[(k + 3) % 4]) * k, range(200)))


@pytest.mark.parametrize("fun", [smooth_pairs, pytest.param(smooth_keys, marks=pytest.mark.slow), smooth_map])
def test_derivatives(fun):
    x = np.array([0.3, -1.0, 2.0, 0.75])
    step = 1e-6
    wanted = [(fun(x + step * e) - fun(x - step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(s2s.jit(s2s.grad(fun), target="numpy")(x), wanted, rtol=1e-5)
    np.testing.assert_allclose(s2s.jit(s2s.grad(fun), target="cpu")(x), wanted, rtol=1e-5)
