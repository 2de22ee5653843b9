"""Iterators are gone through once, in part or as a whole, as in Python; what can't be followed is refused."""
import itertools
import math
from typing import Any

import numpy as np
import pytest
from fuzz.bounds import Tally
from outcomes import outcome
from reading import run
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError

ITERATORS = [
    "map(abs, xs)", "map(lambda v: v * a, xs)", "zip(xs, xs[1:])", "enumerate(xs)", "reversed(xs)", "(v * a for v in xs)", "(v for v in xs if v < 3.0)",
    "(v * w for v in xs for w in xs[:2])", "iter(xs)", "iter(tuple(xs))", "filter(None, xs)", "filter(lambda v: v > 1.0, xs)", "iter({1.0: a, 2.0: 3.0})",
    "itertools.chain(xs, xs)", "itertools.islice(xs, 3)", "map(lambda v: v * a, map(abs, xs))", "iter(range(5))", "iter(x)", "map(lambda v: v * a, x)",
    "(v * a for v in x)", "zip(x, xs)", "enumerate(x)", "itertools.accumulate(xs)", "itertools.pairwise(xs)",
]  # fmt: skip
USES = [
    "return list(m), list(m)", "return sum(first(v) for v in m), sum(first(v) for v in m)", "return next(m), [v for v in m], list(m)", "return next(m), next(m), list(m)",
    "return [v for v in m], next(m, 7.0)", "return total(m), list(m)", "a, *rest = m\n    return rest, list(m)", "k = iter(m)\n    return next(k), next(m), list(k), list(m)",
    "for v in m:\n        break\n    return list(m)", "out = []\n    for v in m:\n        out.append((v, next(m, None) is None))\n    return out, list(m)",
    "return list(zip(m, [1.0, 2.0]))", "return [*m], (*m,), tuple(m)", "return list(enumerate(m, 1)), len(list(m))", "return bool(m), list(m)",
    "out = []\n    for v in m:\n        out.append(v)\n    for v in m:\n        out.append(v)\n    return out",
]  # fmt: skip
HELPERS = """
def first(v):
    return v[-1] if isinstance(v, tuple) else v

def total(items):
    return sum(first(v) for v in items)
"""


def function(body: str, params: str = "x, a", known: dict[str, Any] | None = None) -> Any:
    import linecache

    text = f"{HELPERS}\ndef f({params}):\n    xs = [1.0, 2.0, 3.0, 4.0]\n    {body}\n"
    name = f"<once {abs(hash(text))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {"np": np, "itertools": itertools, **(known or {})}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list | tuple):
        return type(found) is type(wanted) and len(found) == len(wanted) and all(map(same, found, wanted))
    return bool(found == wanted)


def check(body: str) -> bool:
    """Whether it was read; what was gives what Python gives, exceptions too."""
    f, x = function(body), np.array([0.5, 1.5, 2.5])
    try:
        wanted: Any = f(x.copy(), 2.0)
    except Exception as error:  # noqa: BLE001
        wanted = error
    try:
        found = run(f, x.copy(), 2.0, exact=True)[0]
    except UnsupportedError:
        return False
    except Exception as error:  # noqa: BLE001
        assert isinstance(wanted, Exception), (body, error)
        assert str(error).split("\n")[0] == str(wanted), body
        assert isinstance(error, type(wanted)), body
        return True
    assert same(found, wanted), (body, found, wanted)
    return True


@pytest.mark.parametrize("made", ITERATORS)
def test_each_use_of_each_iterator(made: str) -> None:
    read = [check(f"m = {made}\n    {use}") for use in USES]
    assert sum(read) >= (6 if " x" in made or "(x" in made else 10), [use for use, done in zip(USES, read, strict=True) if not done]


RIGHT = [
    "it = iter(xs)\n    return list(zip(it, it))", "m = iter(xs)\n    return 2.0 in m, list(m), 2.0 in m",
    "m = iter(xs)\n    return all(v < 2.5 for v in [1.0]), next(m)", "m = iter([False, True, False])\n    return any(m), list(m)", "m = iter([True, False, True])\n    return all(m), list(m), all(m)",
    "m = map(abs, xs)\n    return len(m)", "m = map(abs, xs)\n    return m[0]", "return len(v for v in xs)", "return zip(xs, xs)[0]", "return len(zip(xs))", "return reversed(map(abs, xs))",
    "return next(xs)", "return next(iter([]))", "return next(iter([]), a)", "c = itertools.count(3)\n    return next(c), next(c), list(zip(c, xs))", "return map(abs, xs) + 1",
    "m = map(abs, xs)\n    return m is m, m is iter(m), m is None", "m = iter(x)\n    return next(m) * a, next(m), [v for v in m]",
    "return dict(zip('ab', xs)), max(map(abs, xs)), sorted(v for v in xs), min((v * a for v in xs), default=a)",
    "return any(v > 1 for v in x), all(v < 5 for v in x), sum(v for v in x)", "m = zip(xs, xs)\n    p, q = zip(*m)\n    return p, list(m)", "return ','.join(str(v) for v in xs), sum((v * a for v in xs), a)",
]  # fmt: skip


@pytest.mark.parametrize("body", RIGHT)
def test_read_as_python_does(body: str) -> None:
    assert check(body)


@pytest.mark.parametrize("body", [
    "m = itertools.groupby(iter([]))\n    return [k for k, g in m], [k for k, g in m], next(m, a)",
    "return {k: sum(v * a for v in g) for k, g in itertools.groupby([1, 1, 2])}", "return [(k, sum(1 for _ in g)) for k, g in itertools.groupby('aabbb')], a",
    "m = iter(xs)\n    return sum(v * a for v in m), next(m, 7.0)", "m = iter(xs)\n    return sum(v * next(m) for v in m), list(m)", "m = iter(x)\n    return max((v for v in m), default=a), next(m, 7.0)",
    "out = []\n    for k, g in itertools.groupby([('a', 1.0), ('a', a), ('b', 2.0)], key=lambda p: p[0]):\n        out.append(max(v for _, v in g))\n    return out",
])  # fmt: skip
def test_a_generator_expression_that_a_function_takes_whole(body: str) -> None:
    run(function(body), np.arange(1.0, 6.0), 2.0)


def test_generators_over_arrays_of_any_length() -> None:
    f = function("return any(v > 1 for v in x), all(v < 5 for v in x), sum(v * a for v in x)")
    x = np.array([0.5, 1.5, 2.5])
    assert same(run(f, x, 2.0)[0], f(x, 2.0))


# ---- iterators of iterators: who took what ---------------------------------------------------------------------------------------

SOURCES = ("iter(xs)", "iter(range(6))", "iter('aabca')", "iter([2.0, a, 2.0])", "iter([[1.0, 2.0], [], [3.0]])", "iter(x)", "map(abs, xs)", "itertools.chain(xs, [a])")
MAKERS = (
    "zip({0}, {1})", "map(lambda p, q: (p, q), {0}, {1})", "enumerate({0})", "enumerate({0}, 1)", "filter(lambda v: v is not None, {0})", "itertools.islice({0}, 2)",
    "itertools.islice({0}, 1, None, 2)", "itertools.islice({0}, 1, 4)", "itertools.chain({0}, {1})", "itertools.takewhile(small, {0})", "itertools.dropwhile(small, {0})",
    "itertools.filterfalse(small, {0})", "itertools.pairwise({0})", "itertools.zip_longest({0}, {1}, fillvalue=0.5)", "itertools.accumulate({0}, lambda p, q: (p, q))",
    "itertools.accumulate({0}, lambda p, q: (p, q), initial=0.0)", "itertools.compress({0}, [1, 0, 1])", "itertools.islice(itertools.cycle({0}), 5)", "itertools.tee({0})[0]",
    "itertools.chain.from_iterable([{0}, {1}, [a]])", "itertools.starmap(lambda p, q: (q, p), zip({0}, {1}))", "(p for p in {0})", "iter({0})", "zip({0}, xs)", "zip(x, {0})",
)  # fmt: skip
TAKES = (
    "out.append(next({0}, None))", "out.append(next({0}, None))", "out.append(list({0}))", "out.append(list(itertools.islice({0}, 2)))", "out.append([v for v in {0}])", "out.append(2.0 in {0})",
    "out.append(list(zip({0}, [0.0])))", "out.append(tuple({0})[:1])", "for v in {0}:\n        out.append(v)\n        break", "for v in {0}:\n        out.append((v, next({1}, None)))",
    "m, n = itertools.tee({0})", "if a > 1.0:\n        out.append(next({0}, None))", "out.append([(p, q) for p, q in zip({0}, {0})])", "out.append(any(v == 2.0 for v in [1.0] if next({0}, None)))",
    "out.append([(v, next({0}, None)) for v in {0}])", "out.append(sum(1 for v in {0} if next({1}, None) is not None))",
    "m = itertools.groupby({0}, kind)\n    out.append([(k, list(g)) for k, g in m])", "m = itertools.groupby({0}, kind)\n    out.append([(k, list(g)) for k, g in list(m)])",
    "m = itertools.groupby({0}, kind)\n    out.append([(k, next(g)) for k, g in m])", "m = itertools.groupby({0})\n    k, g = next(m, (None, iter([])))\n    out.append((k, next(g, None), next({0}, None), list(g)))",
    "m = itertools.groupby({0}, kind)\n    k, g = next(m, (None, iter([])))\n    l, h = next(m, (None, iter([])))\n    out.append((k, list(g), l, next(h, None), [k for k, _ in m], list(h)))",
    "m = {{k: g for k, g in itertools.groupby({0}, kind)}}\n    out.append([(k, list(g)) for k, g in m.items()])\n    m = iter(xs)",
)  # fmt: skip
CHAINED = """    small = lambda v: isinstance(v, float) and v < 3.0
    kind = lambda v: v == 2.0 if isinstance(v, (int, float)) else v == 'a'
    out = []
"""


def drawn(rng: Any) -> str:
    """A program of some iterators, one over the other, and what takes items from them."""
    lines = [f"i = {rng.choice(SOURCES)}", f"j = {rng.choice(SOURCES)}", "m = i", "n = j"]
    for _ in range(rng.integers(1, 4)):
        names = rng.choice(["i", "j", "m", "n"], 2)
        lines.append(f"{rng.choice(['m', 'n', 'j'])} = {rng.choice(MAKERS).format(*names)}")
    for _ in range(rng.integers(2, 5)):
        lines.append(rng.choice(TAKES).format(*rng.choice(["i", "j", "m", "n"], 2)))
    return CHAINED.lstrip() + "".join(f"    {line}\n" for line in lines) + "    return out"


@pytest.mark.parametrize("seed", range(4))
def test_iterators_of_iterators(seed: int) -> None:
    rng, tally = np.random.default_rng(seed), Tally("iterators")
    for _ in range(30):
        tally.add("right" if check(drawn(rng)) else "refused")
    tally.check()


@pytest.mark.parametrize("body", [
    "k = iter(xs)\n    m = (next(k) for v in xs[:2])\n    return next(k), list(m)",
    "c = [0.0]\n    def bump(v):\n        c[0] += v\n        return v\n    m = map(bump, xs)\n    b = c[0]\n    return list(m), b",
    "c = [0.0]\n    def bump(v):\n        c[0] += v\n        return v\n    out = []\n    for v in map(bump, xs):\n        out.append(c[0])\n    return out",
])  # fmt: skip
def test_items_that_change_something_are_made_when_they_are_asked_for(body: str) -> None:
    assert check(body)


@pytest.mark.parametrize("body", ["return None in [1.0, x]", "return 'a' in (x, 'a')", "return None in [x[:1], 1.0], None in [x[:1], None]", "return 1.0 in [x]", "return [x] == [x], x in (a, x)",
                                  "a = a * np.nan\n    return a in (1.0, a), [a] == [a], a == a, {1: a} == {1: a}, [a].index(a)"])  # fmt: skip
def test_items_are_the_same_or_equal(body: str) -> None:
    """Identity first, as Python: for NaN and for arrays."""
    assert check(body)


FAILS = ["1.0 / (len(xs) - 4)", "int('x')", "xs[9]", "{'a': 1.0}['b']", "7 // (len(xs) - 4)"]


@pytest.mark.parametrize("way", ["y = 1.0\n    if a > {}:\n        y = {}\n    return y", "return {1} if a > {0} else 2.0", "y = 0.0\n    for i in range(int(a - {})):\n        y += {}\n    return y",
                                 "def h(v):\n        return v * {1}\n    y = a\n    if a > {0}:\n        y = h(a)\n    return y", "return (a > {}) and {} > 0"])  # fmt: skip
def test_known_values_that_fail_raise_where_the_path_is_taken(way: str) -> None:
    for fails in FAILS:
        for bound in ("0.5", "2.5"):
            assert check(way.format(bound, fails)), (bound, fails)


# ---- how far an iterator came is known only at run time ---------------------------------------------------------------------------


TAKEN = ["for v in m:\n        if first(v) > n: break", "for v in m:\n        if first(v) > 2.0 * n: break\n    for v in m:\n        if first(v) > 3.0 * n: break", "if n > 1.0:\n        next(m)",
         "for k in range(int(n)):\n        next(m, 0.0)", "try:\n        for k in range(int(n) + 1):\n            next(m)\n    except StopIteration:\n        pass",
         "for v in m:\n        if first(v) > n:\n            next(m, 0.0)\n            break", "while first(next(m, 99.0)) < n: pass"]  # fmt: skip
LEFT = [
    "for v in m: t += first(v)", "t += sum(first(v) for v in m)", "for k, v in enumerate(m): t += k * first(v)", "t += first(next(m, 50.0)) + sum(first(v) for v in m)",
    "for v in m:\n        if first(v) > 3.0: break\n        t += first(v)\n    t += sum(10.0 * first(v) for v in m)",
    "while (v := next(m, None)) is not None: t += 2.0 * first(v)", "t += 1.0 if 4.0 in m else 2.0", "t += sum([first(v) * 3.0 for v in m])", "for v, w in zip(m, x): t += first(v) * w",
]  # fmt: skip
THROUGH = ["iter(x)", "x.flat", "zip(x, x)", "map(lambda v: v * 1.5, x)", "(v * 1.5 for v in x)", "reversed(x)", "iter(list(x))", "iter([v * 1.5 for v in x])", "iter(xs)", "iter(tuple(xs))",
           "iter(range(5))", "Held(x)", "np.broadcast(x, x[::-1])"]  # fmt: skip


class Held:
    """Goes through an array, once."""

    def __init__(self, x: Any) -> None:
        self.rest = iter(x)

    def __iter__(self) -> Any:
        return self.rest

    def __next__(self) -> Any:
        return next(self.rest)


@pytest.mark.parametrize("made", in_turn(THROUGH, 4))
def test_iterators_of_which_the_run_knows_how_far_they_came(made: str) -> None:
    """What was left by a break, or advanced on one path, goes on where it stands."""
    refused = 0
    for number, (taken, left) in enumerate(itertools.product(TAKEN, LEFT)):
        f = function(f"m = {made}\n    t = 0.0\n    {taken}\n    {left}\n    return t", "x, n", {"Held": Held})
        for x, n in ((np.array([1.0, 4.0, 2.0, 5.0, 3.0, 0.5]), 1.5), (np.array([1.0, 4.0, 2.0, 5.0, 3.0, 0.5]), 0.5), (np.array([2.0]), 1.0), (np.zeros(0), 2.0))[number % 4 : number % 4 + 2]:
            try:
                wanted: Any = f(x.copy(), n)
            except StopIteration as error:
                wanted = error
            try:
                found = run(f, x.copy(), n)[0]
            except UnsupportedError:
                refused += 1
                continue
            except StopIteration as error:
                assert isinstance(wanted, StopIteration), (taken, left, error)  # noqa: PT017
                continue
            assert not isinstance(wanted, Exception), (taken, left)
            assert np.allclose(found, wanted), (taken, left, x, n, found, wanted)
    assert refused <= (80 if "xs" in made else 30)


def quotients_decide(x, items):
    found = []
    try:
        found.append(any(1.0 / v > x for v in items))
    except ZeroDivisionError:
        found.append(False)
    try:
        found.append(all(1.0 / v < x for v in items))
    except ZeroDivisionError:
        found.append(True)
    return found


def a_quotient_decides(x, items):
    return any(1.0 / v > x for v in items)


def test_items_that_may_raise_are_made_up_to_the_one_that_decides():
    """The items of a list that the call passes are known one by one."""
    for f in (quotients_decide, a_quotient_decides):
        run = s2s.jit(f, target="numpy")
        for args in ((1.0, [0.5, 1.0]), (1.0, [0.5, 0.0]), (3.0, [0.5, 0.0]), (3.0, [0.0, 0.5])):
            assert outcome(run, args) == outcome(f, args)


def leaves_a_loop(x, items):
    try:
        for u in (1.0 / v for v in items):
            if u > x:
                return u
    except ZeroDivisionError:
        return 7.0
    return 0.0


def test_a_loop_need_not_come_to_an_item_that_raises_what_is_caught():
    run = s2s.jit(leaves_a_loop, target="numpy")
    for args in ((1.0, [0.5, 0.0]), (3.0, [0.5, 0.0]), (3.0, [0.0, 0.5]), (3.0, [0.5, 1.0])):
        assert outcome(run, args) == outcome(leaves_a_loop, args)


def shown(v):
    print("shown", v)
    return v


def left_early(x):
    total = 0.0
    for u in (1.0 / v for v in [int(w) for w in x] if v < 3):
        total += u
        if total > 0.5:
            break
    return total


def between(x):
    for u in (10 // int(v) for v in x if v != 3):
        print("body", u)
    return 0.0


def of_two_loops(x):
    items = 3.0
    for a, b in ((v, w * items) for v in x if v > 0 for w in x[:2] if 1 // int(v + 0.5) >= 0):
        if a * b < 0:
            return a + b
    else:
        return 7.0


def goes_on(x):
    v = 5.0
    for u in (10 // int(v) for v in x if v > 1):
        if u > 5:
            continue
        v += u
    else:
        print("else")
    return v


def in_each_other(x):
    for u in (10 // int(v) for v in x):
        for w in (3 // int(q) for q in x if q != 9):
            if w < 0:
                break
        if u < 0:
            break
    return u, w


def printed(x):
    for u in (shown(v) for v in x if shown(v) > 0):
        if u < 1:
            break
    return u


def caught(x):
    try:
        for u in (10 // int(v) for v in x if v > 0):
            print(u)
    except ZeroDivisionError:
        return -1
    return 0


def counted(x):
    total = 0
    for k, u in enumerate(10 // int(v) for v in x if v < 9):
        if u < 0:
            break
        total += u * k
    for k, u in enumerate((10 // int(v) for v in x if v < 9), 3):
        if k == 3:
            continue
        if u < 0:
            return k, u, total
    return total


def sought_in_items(x):
    return 10 in (10 // int(u) for u in x if u < 9), -5 not in (10 // int(u) for u in x), [v in (10 // int(u) for u in x[:2]) for v in (10, 11, -5)]


def not_found(x):
    return 4 not in (10 // int(u) for u in x)


def sought_and_printed(x):
    return shown(0.5) in (shown(v) for v in x), 3.0 in (v for v in x), 3.0 not in (v for v in x if v < 1)


def sought_in_a_while(x):
    if (k := x[3]) in (10 // int(u) for u in x[:2]):
        return 1.0
    while k not in (int(u) / int(u - 9) for u in x[:2]) and k > 0:
        k -= 1
    return k


def grows_while_counted(x):
    items, total = [1.0, 2.0], 0.0
    for k, v in enumerate(items, 1):
        total += v * k
        if len(items) < 6:
            items.append(v + x[0])
    return total, items


def shrinks_while_counted(x):
    items = list(x)
    for k, v in enumerate(items):
        if v < 0:
            items.remove(v)
        print(k)
    return items


MADE_WHEN_ASKED = [left_early, between, of_two_loops, goes_on, in_each_other, printed, caught, counted, sought_in_items, not_found, sought_and_printed, sought_in_a_while, grows_while_counted, shrinks_while_counted]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", MADE_WHEN_ASKED)
def test_items_of_generator_expressions_are_made_when_the_loop_comes_to_them(program, target, capsys) -> None:
    outcomes = []
    for function in (program, s2s.jit(program, target=target)):
        for x in (np.array([1.5, -2.0, 0.5, 3.0]), np.array([2.5, 1.0, 4.0, -3.0])):
            try:
                found = function(x)
            except ZeroDivisionError as error:
                found = str(error)
            outcomes.append((found, capsys.readouterr().out))
    assert outcomes[:2] == outcomes[2:]


def all_caught(x):
    try:
        return all(map(lambda v: math.sqrt(v) > 1, [abs(x[0]), abs(x[1]), x[2], x[3]]))
    except ValueError as error:
        return str(error)


def any_caught(x):
    def is_large(v):
        if v < -1:
            raise KeyError("small")
        return v > 0.3

    try:
        return 1 if any(is_large(v) for v in [x[0], x[1], x[2], x[3]]) else 2
    except KeyError:
        return 3


def any_counted(x):
    seen = []

    def is_large(v):
        seen.append(v)
        return v > 0.3

    return any(map(is_large, [x[0], x[1], x[2], x[3]])), seen


@pytest.mark.parametrize("fun", [all_caught, any_caught, any_counted])
def test_up_to_the_item_that_decides(fun):
    for x in np.random.default_rng(2).normal(size=(12, 4)) * 1.5:
        assert outcome(fun, (x,)) == outcome(s2s.jit(fun, target="numpy"), (x,))
