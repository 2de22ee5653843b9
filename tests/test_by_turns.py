"""Iterators from which several take, a number of the run of items at a time; generators that are read in the loop of a comprehension."""
from __future__ import annotations

import contextlib
import functools
import itertools
import operator
import re
import typing
from functools import partial

import numpy as np
import pytest
from outcomes import check
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError

X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
ARGUMENTS = [(X, 1.5), (X[::-1], 4.5), (X[:3], 0.5), (X[:1], 2.0), (X[:0], 2.0)]


def head_and_rest(x, bound):
    it = iter(x)
    head = list(itertools.takewhile(lambda v: v < bound + 2.0, it))
    return head, list(it)


def two_searches(x, bound):
    it = enumerate(x)
    first = next((k for k, v in it if v > bound), -1)
    second = next((k for k, v in it if v > bound), -1)
    return first, second, [v for _, v in it]


def chunks(x, bound):
    it, found = iter(x), []
    while True:
        chunk = tuple(itertools.islice(it, 3))
        if not chunk:
            break
        found.append(sum(chunk) * bound)
    return found


def searched(x, bound):
    it = iter(x)
    return (4.0 in it), any(v > bound for v in it), list(it)


def pairs_of_a_list(x, bound):
    it = iter(x)
    return [(v, next(it, 0.0)) for v in it if v > bound]


def pairs_of_a_sum(x, bound):
    it = iter(x)
    return sum(v * next(it, 1.0) for v in it)


def pairs_of_a_map(x, bound):
    it = iter(x)
    return list(map(lambda v: v - next(it, bound), it))


def dropped(x, bound):
    it = iter(x)
    rest = itertools.dropwhile(lambda v: v < bound, it)
    return next(rest, -1.0), next(it, -2.0), next(rest, -3.0), list(it)


def counted(x, bound):
    return sum(itertools.compress(itertools.repeat(1), x > bound)), list(itertools.compress(itertools.count(), x > bound))


def unseen(x, bound):
    seen, found = set(), []
    for v in itertools.filterfalse(seen.__contains__, x):
        seen.add(v)
        found.append(v)
    return found


def sums_up_to(x, bound):
    sums = itertools.accumulate(x)
    first = next((v for v in sums if v > 2.0 * bound), 0.0)
    return first, list(sums)


def made_later(x, bound):
    y = x + 0.0
    found = (v * y[0] for v in y if v > bound)
    first = next(found, -1.0)
    y[:1] = 7.0
    return first, list(found)


def two_ways(x, bound):
    one, other = itertools.tee(v for v in x if v > bound)
    return sum(one), list(other)


def round_robin(*iterables):
    iterators = map(iter, iterables)
    for active in range(len(iterables), 0, -1):
        iterators = itertools.cycle(itertools.islice(iterators, active))
        yield from map(next, iterators)


def in_turns(x, bound):
    return list(round_robin(x, [bound, 2.0]))


def numbers_above(items, bound):
    for v in items:
        if v > bound:
            break
        yield v


def both_parts(x, bound):
    it = iter(x)
    return list(numbers_above(it, bound)), sum(it)


# ---- generators whose items are looked at before they go on ------------------------------------------------------------------------


def totals(x, bound):
    """The same array each time."""
    held = np.zeros(2)
    for v in x:
        if v > bound:
            held[0] += v
            yield held


def lists(x, bound):
    """The same list each time."""
    held = []
    for v in x:
        if v > bound:
            held.append(v)
            yield held


def runs(x, bound):
    """A new list for each run that rises."""
    it = iter(x)
    try:
        last = next(it)
    except StopIteration:
        return
    run = [last]
    for v in it:
        if v < last:
            yield run
            run = []
        run.append(v)
        last = v
    yield run


def of_one_array(x, bound):
    return [float(each[0]) * 2.0 for each in totals(x, bound)], sum(each[0] for each in totals(x, bound)), list(map(np.sum, totals(x, bound)))


def of_one_list(x, bound):
    return [len(each) for each in lists(x, bound) if each], sum(len(each) for each in lists(x, bound)), [list(each) for each in lists(x, bound)]


def of_runs(x, bound):
    return [sum(run) for run in runs(x, bound)], list(runs(x, bound)), {len(run) for run in runs(x, bound)}


def counts(x, out, bound):
    for v in x:
        if v > bound:
            out[0] += v
            yield v


def what_it_changes(x, bound):
    out = np.zeros(1)
    return [v * out[0] for v in counts(x, out, bound)], out


# ---- iterators of the user's own -----------------------------------------------------------------------------------------------------


class Through:
    def __init__(self, items):
        self.items, self.at = items, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.items):
            raise StopIteration
        self.at += 1
        return self.items[self.at - 1]


def doubled(items, bound):
    for v in items:
        if v > bound:
            yield v * 2.0


def own_in_functions(x, bound):
    it = Through(x)
    pairs = list(zip(it, it))
    return pairs, list(itertools.chain(Through(x), x)), list(map(lambda v: v + bound, Through(x))), list(enumerate(Through(x))), dict(zip(range(3), Through(x)))


def own_in_part(x, bound):
    it = Through(x)
    return list(itertools.islice(it, 2)), any(v > bound for v in it), list(it)


def own_sought(x, bound):
    it = Through(x)
    return 4.0 in it, list(itertools.takewhile(lambda v: v < bound + 4.0, it)), list(it)


def own_in_a_generator(x, bound):
    return list(doubled(Through(x), bound)), sum(v for v in doubled(Through(x), bound))


def own_and_next(x, bound):
    it, other, third = Through(x), Through(x), Through(x)
    return [v - next(it, bound) for v in it], {k: 1.0 * k - next(other, bound) for k in other}, [v + w for v in third if v > 1.0 for w in third]


def through_an_expression(x, bound):
    it = iter(x)
    return [v - next(it, bound) for v in (w * 2.0 for w in it)]


def changed_behind_it(x, bound):
    """What goes through an iterator depends on what that one's items depend on."""
    held, y = x + 0.0, x + 0.0
    mapped, zipped, numbered = map(abs, (v * 2.0 for v in held)), zip(y, (v * 2.0 for v in y)), enumerate(doubled(held, bound))
    held[:1], y[:1] = 7.0, 7.0
    return list(mapped), list(zipped), list(numbered)


def never_begun(x, bound):
    """A generator does nothing before its first item is asked for."""
    seen = {"n": 0}
    held = tallied(x, seen)
    return seen["n"], held is None


def tallied(items, seen):
    for v in items:
        seen["n"] += 1
        yield v * 1.0
    seen["n"] += 100


def round_again(x, bound):
    """The first round sees the array as it is, the others what the first one gave."""
    y = x + 0.0
    once, again = itertools.islice(itertools.cycle(y), len(y) + 3), itertools.cycle(y)
    first = next(again, bound)
    y[:2] += 10.0
    return list(once), first, [next(again, bound) for _ in range(len(y) + 2)]


def asked_after_another(x, bound):
    """What was made of the iterator is not gone through."""
    first = map(lambda v: v + bound, x)
    itertools.chain(x, first)
    second = map(lambda v: v * bound, x)
    head = next(second, bound)
    itertools.islice(second, 3)
    return list(first), head, list(second)


PROGRAMS = [
    own_and_next, through_an_expression, changed_behind_it, never_begun, head_and_rest, two_searches, chunks, searched, pairs_of_a_list, pairs_of_a_sum, pairs_of_a_map, dropped, counted, unseen, sums_up_to, made_later, two_ways, in_turns, both_parts, of_one_array,
    of_one_list, of_runs, what_it_changes, own_in_functions, own_in_part, own_sought, own_in_a_generator,
]  # fmt: skip

OTHER_TYPE = {"asked_after_another", "both_parts", "dropped", "made_later", "of_one_array", "own_in_a_generator", "pairs_of_a_list", "pairs_of_a_sum", "sums_up_to", "two_ways"}
"""Programs whose results are Python's 0 or NumPy's numbers."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_as_python_takes_them(program):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.slow
@pytest.mark.parametrize("program", in_turn(PROGRAMS, 3), ids=lambda each: each.__name__)
def test_compiled(program):
    check(program, "cpu", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.parametrize("program", [pairs_of_a_sum, lambda x, bound: sum(pairs_of_a_map(x, bound)), lambda x, bound: sum(of_one_array(x, bound)[0])])
def test_gradients(program):
    gradient = s2s.grad(s2s.jit(program, target="numpy"))(X, 1.5)
    steps = 1e-6 * np.eye(X.size)
    assert np.allclose(gradient, [(program(X + step, 1.5) - program(X - step, 1.5)) / 2e-6 for step in steps], rtol=1e-6)


# ---- arrays that are put in a list, and changed --------------------------------------------------------------------------------------


def one_array_of_a_map(x, bound):
    held = np.zeros(2)

    def total(v):
        held[0] += v
        return held

    return [total(v) for v in x], list(map(total, x))


def one_array_of_some(x, bound):
    held = np.zeros(2)

    def total(v):
        held[0] += v
        return held

    return [total(v) for v in x if v > bound]


def all_of_a_generator(x, bound):
    return list(totals(x, bound))


@pytest.mark.parametrize("program", [one_array_of_a_map, one_array_of_some, all_of_a_generator], ids=lambda each: each.__name__)
def test_one_array_many_times(program):
    """All items are the array as it is in the end, or it is refused; never what it was at the time."""
    try:
        found = s2s.jit(program, target="numpy")(X, 1.5)
    except UnsupportedError as error:
        assert "may or may not be the same" in str(error)  # noqa: PT017
        return
    assert str(found) == str(program(X, 1.5))


# ---- what holds an iterator ---------------------------------------------------------------------------------------------------------


def taken(n, it):
    return list(itertools.islice(it, n))


def by_partial(x, n):
    take = partial(taken, 3, iter(x))
    return take(), take(), list(iter(partial(taken, 3, iter(x)), []))


def by_context(x, n):
    with contextlib.nullcontext(iter(x)) as it:
        return next(it), next(it)


def by_operators(x, n):
    held = [0.0]
    operator.setitem(held, 0, iter(x))
    return operator.call(next, held[0]), next(held[0]), operator.is_(held[0], held[0]), next(typing.cast(object, held[0]))


def by_reduce(x, n):
    it = functools.reduce(lambda it, k: (next(it), it)[1], range(2), iter(x))
    other = dict.fromkeys("ab", iter(x))
    return next(it), next(other["a"]), next(other["b"])


@pytest.mark.parametrize("program", [by_partial, by_context, by_operators, by_reduce], ids=lambda each: each.__name__)
def test_what_is_given_an_iterator_keeps_it(program):
    """partial(next, iter(x)) went through it, and gave its first item each time."""
    check(program, "numpy", [(X, 2), (X[:4], 2)], ())


class Counted:
    def __init__(self, items):
        self.items, self.taken = items, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.taken >= len(self.items):
            raise StopIteration
        self.taken += 1
        return self.items[self.taken - 1]


def of_one_length(x, y, z):
    total = 0.0
    for p, q, r in zip(Counted(x), Counted(y), z, strict=True):
        total += p * q - r
    return total


def test_zip_of_own_iterators_is_strict():
    """It had not known the word."""
    run = s2s.jit(of_one_length, target="numpy")
    for lengths in ((3, 3, 3), (0, 0, 0), *np.random.default_rng(5).integers(1, 4, (6, 3))):
        args = tuple(np.linspace(0.5, 2.0, k) for k in lengths)
        try:
            wanted = of_one_length(*args)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                run(*args)
        else:
            assert np.isclose(run(*args), wanted)


def pairs_of_a_changed_array(x):
    pairs = itertools.product(x[:2], x[:2])
    x[1] += 10.0
    return list(pairs)


def test_a_product_keeps_what_it_was_made_of():
    with pytest.raises(UnsupportedError, match="has changed"):
        s2s.jit(pairs_of_a_changed_array, target="numpy")(X.copy())
