"""Lists of run-time length whose items are of several kinds: numbers, None, texts, texts with numbers of the run, tuples."""
from __future__ import annotations

import inspect
import sys

import numpy as np
import pytest
from outcomes import check

import s2s

X = np.array([1.5, -0.5, 0.05, 0.2])
ARGUMENTS = ((X, 2, True), (-X, 3, False), (X[::-1].copy(), 0, True), (-X[:2], 1, True))


def numbers_and_texts(x, n, c):
    found = [1, "a"]
    if c:
        found.append(None)
    if x[0] > 0:
        found.append((n, x[0]))
    return found, len(found), found[-1]


def texts_of_several_forms(x, n, c):
    lines = ["head"]
    for v in x:
        if v > 1:
            lines.append("large")
        elif v < 0:
            lines.append(f"{v:.1f}")
        elif v < 0.1:
            lines.append(f"<{v}>")
    return lines, lines[0], lines[1:], lines[::-1]


def told_on_some_paths(x, n, c):
    errors = []
    if x[0] > 0:
        errors.append(f"bad {x[0]}")
    if x[1] > 0:
        errors.append("worse")
    return errors, len(errors), bool(errors)


def numbers_then_others(x, n, c):
    found = []
    if x[0] > 0:
        found.append(x[0])
    if x[1] > 0:
        found.append("small")
    if x[0] > 1:
        found.append((n, "k"))
    return found


def asked_for_what_they_are(x, n, c):
    held, total = [1, "a", None], 0.0
    for v in x:
        if v > 0:
            held.append((1, v))
    for v in held:
        if isinstance(v, str):
            total += 10
        elif v is None:
            total += 100
        elif isinstance(v, tuple):
            total += v[1]
        else:
            total += v
    return total, held.index("a"), "a" in held, 7 in held, held.count(1)


def changed(x, n, c):
    held = ["a", n]
    for k in range(n):
        if x[0] > k:
            held.append(None)
        held.insert(0, f"{k}")
    held.reverse()
    last = held.pop()
    held[-1] = (n, 0.5)
    del held[0]
    held += [3, "b"]
    return held, last, [(v, v) for v in held], [v for v in held if v is not None]


def parts_of_rows(x, n, c):
    rows = [("n", x[0]), (2, x[1])]
    for v in x:
        if v > 0:
            rows.append((None, v))
    return rows, [r[0] for r in rows], sum(r[1] for r in rows)


def one_of_several_kinds(x, n, c):
    found = []
    for v in x:
        what = None if v < 0 else f"{v:.2f}" if v < 1 else "one"
        if v != 0.2:
            found.append(what)
    return found


def numbers_of_two_types(x, n, c):
    found = []
    if x[0] > 0:
        found.append(n)
    if x[1] > 0:
        found.append(2.5)
    return sum(found), len(found)


def arrays_behind_none_alone(x, n, c):
    rows = [None for k in range(n)]
    rows.append(2 * x)
    cells = [None] * n
    for k in range(n):
        if k % 2:
            cells[k] = x + k
    return rows, cells, len(rows)


def lists_in_a_copy_of_each_trip(x, n, c):
    found, old = [[n], [n]], [[n], [1]]
    kept = old
    for k in range(n):
        found[-1] = []
        found = [v for v in found]
        old[-1].append(k)
        old = list(old)
        old[0] = [k] * k
    return found, old, kept


PROGRAMS = [each for each in vars(sys.modules[__name__]).values() if inspect.isfunction(each) and list(inspect.signature(each).parameters) == ["x", "n", "c"]]


@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_as_in_python(program, target):
    check(program, target, ARGUMENTS, (), ("numbers_of_two_types",))  # the numbers of a list are of one type (docs/design.md)


def test_items_that_hold_items_are_refused():
    def f(x):
        held = ["a", 1]
        for v in x:
            if v > 0:
                held.append((held[-1], 0.5))
        return held

    with pytest.raises(s2s.errors.UnsupportedError, match="a list that grows on one path only|items of several kinds"):
        s2s.jit(lambda x: f(x[x > 0.1]), target="numpy")(X)


def test_derivatives_go_through_the_numbers():
    def f(x):
        held = ["start", None]
        for k in range(len(x)):
            if x[k] > 0:
                held.append(x[k] ** 2)
            else:
                held.append((k, 3.0 * x[k]))
        total = 0.0
        for v in held:
            if isinstance(v, tuple):
                total += v[1]
            elif v is not None and not isinstance(v, str):
                total += v
        return total

    on_numpy = s2s.jit(f, target="numpy")
    assert on_numpy(X) == f(X)
    np.testing.assert_allclose(s2s.grad(on_numpy)(X), np.where(X > 0, 2 * X, 3.0))
    assert s2s.jvp(on_numpy, (X,), (np.ones(4),))[1] == pytest.approx(np.where(X > 0, 2 * X, 3.0).sum())


def _outcome(program, *args):
    try:
        return repr(program(*args))
    except ValueError as error:
        return f"{type(error).__name__}: {error}"


ITEMS = {"None and numbers": (None, 1.5), "numbers and texts": ("a", 1.5), "None, texts and pairs": (None, "a", (1.5, 2.0)), "pairs and None": ((1.5, 2.0), None)}
ASKED = {
    "in": lambda held, t: t in held, "not in": lambda held, t: t not in held, "in a slice": lambda held, t: t in held[1:], "count": lambda held, t: held.count(t),
    "index": lambda held, t: held.index(t), "remove": lambda held, t: (held.remove(t), len(held)), "in a copy": lambda held, t: t in [v for v in held],  # noqa: C416
}  # fmt: skip
"""What Python finds by what it is equal to."""


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("items", ITEMS)
def test_numbers_are_found_among_others(items, asked):
    held_first, ask = ITEMS[items], ASKED[asked]

    def chosen(c, t):
        held = [*held_first, 1.0]
        if c > 0:
            held = [*held_first, 2.0, held_first[0]]
        held.append(t)
        return ask(held, t), ask(held, t + 1.0)

    def grown(c, t):
        held = [*held_first, 1.0]
        for k in range(int(abs(c) * 2)):
            held.append(t + k)
        return ask(held, t)

    for program in (chosen, grown):
        found = s2s.jit(program, target="numpy")
        for c, t in ((1.0, 1.5), (-1.0, 2.5), (2.5, 0.5)):
            assert _outcome(found, c, t) == _outcome(program, c, t)


def test_nan_is_not_looked_for_among_others():
    def f(c, t):
        held = [None, 1.5]
        if c > 0:
            held = [None]
        held.append(t)
        return t in held

    with pytest.raises(NotImplementedError, match="nan is looked for"):
        s2s.jit(f, target="numpy")(1.0, np.nan)


def emptied_and_sorted(x, y, n):
    held = [None if y > 1 else x[0] for _ in range(n)]
    held.clear()
    kept = sorted(held, key=str, reverse=True)
    held.sort(key=str)
    held.append(y)
    return held, kept


def test_lists_that_were_emptied_are_sorted():
    for n in (0, 1, 3):
        assert s2s.jit(emptied_and_sorted, target="numpy")(np.ones(2), 0.5, n) == emptied_and_sorted(np.ones(2), 0.5, n)
