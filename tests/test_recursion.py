"""Functions that call themselves with a depth that only the run knows: as loops with stacks, right in values and derivatives, or refused at the user's line."""
from __future__ import annotations

import copy
import functools
import heapq
import inspect
import random
import re
from collections import defaultdict

import libcst as cst
import numpy as np
import pytest
import recursive_programs
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError
from s2s.transforms.read import entry
from s2s.transforms.read.composed import marks
from s2s.transforms.read.syntax.recursion.loop import Member, looped
from s2s.transforms.read.syntax.source import tree_of

ARGUMENTS = ((np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2), (np.array([1.5, 1.25, -2.0, 0.25, 0.3, 0.9]), -1.3, 1))
PROGRAMS = [each for each in vars(recursive_programs).values() if inspect.isfunction(each) and list(inspect.signature(each).parameters) == ["x", "y", "n"]]
FLOATS = ("polynomial", "powers", "legendre", "chebyshev", "quickselect", "knapsack", "newton", "quadrature", "to_a_depth", "branches", "splines", "game", "parsed", "parsed_by_an_object", "by_keywords", "by_map", "by_symmetry", "by_nested_functions", "by_halves", "weights")
IN_TURN = 3
"""Of the programs each third is run each time."""


def outcome(function, args):
    args = copy.deepcopy(args)
    try:
        result = function(*args)
    except ValueError as error:
        return ValueError, str(error)
    return jsoned(result), args[0].tolist()


def jsoned(value):
    if isinstance(value, tuple | list):
        return [jsoned(each) for each in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def same(one, two):
    if isinstance(one, tuple | list):
        return type(one) is type(two) and len(one) == len(two) and all(map(same, one, two))
    return one == two or type(one) is type(two) and bool(np.isclose(one, two, rtol=1e-12))


@pytest.mark.parametrize("program", in_turn(PROGRAMS, IN_TURN), ids=lambda each: each.__name__)
def test_right(program):
    for args in ARGUMENTS:
        assert same(outcome(s2s.jit(program, target="numpy"), args), outcome(program, args))


@pytest.mark.parametrize("name", in_turn(["legendre", "subsets", "tree", "queens", "parsed", "rewritten"], 4))
def test_compiled(name):
    program = getattr(recursive_programs, name)
    for args in ARGUMENTS:
        assert same(outcome(s2s.jit(program), args), outcome(program, args))


@pytest.mark.parametrize("name", in_turn(FLOATS, IN_TURN, 1))
def test_derivatives(name):
    program = getattr(recursive_programs, name)
    x, y, n = ARGUMENTS[0]
    direction, step = np.linspace(0.3, -0.7, len(x)), 1e-6
    run = s2s.jit(lambda x, y: program(x, y, n), target="numpy")
    wanted = (program(x + step * direction, y + step * 0.4, n) - program(x - step * direction, y - step * 0.4, n)) / (2.0 * step)
    x_bar, y_bar = s2s.grad(run, argnums=(0, 1))(x, y)
    tangent = s2s.jvp(run, (x, y), (direction, 0.4))[1]
    assert np.isclose(x_bar @ direction + 0.4 * y_bar, tangent, rtol=1e-12, atol=1e-12)
    assert np.isclose(tangent, wanted, rtol=1e-5, atol=1e-7)


def test_batch():
    ys = np.array([0.3, -0.8, 1.1])
    run = s2s.jit(s2s.vmap(lambda y: recursive_programs.newton(None, y, 0)), target="numpy")
    np.testing.assert_allclose(run(ys), [recursive_programs.newton(None, y, 0) for y in ys], rtol=1e-14)


# ---- syntax to syntax: the loop is Python, and does what the function does --------------------------------------------------------


def fact(n):
    if n < 2:
        return 1
    return n * fact(n - 1)


def find(tree, value):
    for k, each in enumerate(tree[1]):
        if each[0] == value:
            return k
        found = find(each, value)
        if found >= 0:
            return found + 10
    return -1


def depth(tree):
    return 1 + max([depth(each) for each in tree[1]], default=0)


def has(tree, value):
    return tree[0] == value or any(has(each, value) for each in tree[1])


def quick(items):
    if len(items) <= 1:
        return items
    p = items[0]
    return quick([v for v in items[1:] if v < p]) + [p] + quick([v for v in items[1:] if v >= p])


def collatz(n, steps=0):
    while n % 2 == 0:
        n //= 2
        steps += 1
        if n == 0:
            return -1
    if n == 1:
        return steps
    return collatz(3 * n + 1, steps + 1)


def chosen(n):
    return (n and chosen(n - 1)) or n * 2 + (chosen(n // 2) if n > 3 else 0)


TREE = (1, ((2, ()), (3, ((4, ()), (5, ())))))
CALLS = [
    (fact, (7,)), (find, (TREE, 5)), (find, (TREE, 9)), (depth, (TREE,)), (has, (TREE, 5)), (has, (TREE, 9)), (quick, ([3, 1, 2, 5, 4, 9, 0],)), (collatz, (27,)),
    (collatz, (0,)), (chosen, (9,)), (recursive_programs.gcd, (84, 36)), (recursive_programs.power, (3, 9)), (recursive_programs.ackermann, (2, 3)),
    *((recursive_programs._by_steps, (v, 2.0)) for v in (-2.0, 2.25, 2.5, 3.0, 5.0)), *((recursive_programs._kept_on, (v, n)) for v in (-2.5, -0.5, 0.0, 0.5, 1.5) for n in (2, 4)),
    *((recursive_programs._found_before, ([0.5, 2.0, 1.25], k, y)) for k in (1, 2, 7) for y in (0.5, 3.0)), (recursive_programs._ended, (1.5, 2)), (recursive_programs._ended, (0.25, 2)),
]  # fmt: skip


def as_loop(function):
    made = looped(lambda name: True, Member(tree_of(function), frozenset({function.__name__})))
    names = {}
    exec(cst.Module([made.tree.node]).code, function.__globals__, names)  # noqa: S102 it is the rewritten function
    return functools.partial(names[function.__name__], **{made.sequence: marks.sequence, **dict.fromkeys(made.receivers, marks.receiver)}), made


@pytest.mark.parametrize(("function", "args"), [pytest.param(*each, id=f"{each[0].__name__}{k}") for k, each in enumerate(CALLS)])
def test_the_loop_does_what_the_function_does(function, args):
    assert as_loop(function)[0](*copy.deepcopy(args)) == function(*copy.deepcopy(args))


def test_another_function_of_a_circle(monkeypatch):
    """What a function calls in a circle is looked at in each call."""
    run = s2s.jit(lambda x: other(int(x)), target="numpy")
    assert run(5.0) == other(5) == 1
    monkeypatch.setitem(globals(), "other_again", lambda n: other(n) + 2)
    assert run(5.0) == other(5) == 11


def test_what_the_loop_looks_like():
    text = cst.Module([as_loop(recursive_programs.gcd)[1].tree.node]).code
    assert "append" not in text  # nothing is left to do after a call
    assert 'raise RecursionError("maximum recursion depth exceeded")' in text


def test_nested_functions_are_made_anew_behind_a_call():
    text = cst.Module([as_loop(recursive_programs._area)[1].tree.node]).code
    assert text.count("def width(t):") == 2 and "width_stack" not in text
    assert re.search(r"h = h_stack.pop\(\)\n +called = result\n +def width\(t\):\n", text)


# ---- refused --------------------------------------------------------------------------------------------------------------------------


def other(n):
    return 1 if n == 0 else other_again(n - 1)


def other_again(n):
    return other(n)


def in_a_try(n):
    try:
        return 1.0 if n < 1 else in_a_try(n - 1)
    except ValueError:
        return 0.0


def raises_again(n):
    try:
        return 6 // (n - 3)
    except ZeroDivisionError:
        less = raises_again(n - 1)
        if n > 4:
            raise
        return less


def in_the_end(n):
    try:
        return 6 // (n - 3)
    except ZeroDivisionError:
        return in_the_end(n - 1)
    finally:
        n += 1


def generates(n):
    if n > 0:
        yield n
        yield from generates(n - 1)


def sees(n):
    if n == 0:
        return []
    return [lambda: n, *sees(n - 1)]


def hands_on(n, call=None):
    def own(v):
        return v * n

    if n <= 0:
        return 1.0 if call is None else call(2.0)
    return hands_on(n - 1, own) + own(3.0)


def keeps(n):
    def own(v, w):
        return v * n + w

    later = functools.partial(own, w=1.0)
    return later(1.0) if n <= 0 else keeps(n - 1) + later(2.0)


def wraps(n):
    def own(v):
        return v * n

    later = _twice(own)
    return later(1.0) if n <= 0 else wraps(n - 1) + later(2.0)


def _twice(function):
    return lambda v: 2.0 * function(v)


def on_a_path(n):
    if n != 1:
        def own(v):
            return v * n
    return 0.0 if n <= 1 else on_a_path(n - 1) + own(2.0)


@pytest.mark.parametrize(
    ("program", "words"),
    [*((each, "a nested function that sees names") for each in (hands_on, keeps, on_a_path)), (wraps, "a list that grows on one path"), (in_a_try, "a call of itself in the body of a try"), (raises_again, "what was caught"), (in_the_end, "a try with a finally"), (lambda n: sum(generates(n)), "calls itself"), (lambda n: len(sees(n)), "a lambda that sees names"), (recursive_programs.overridden, "a method value that calls the"), (recursive_programs.overridden_at_the_end, "another class")],
    ids=["handed on", "kept", "on a path", "wrapped", "try", "raised again", "finally", "generator", "closure", "overridden", "overridden-tail"],
)
def test_refused(program, words):
    """Where only floats decide how deep it goes; with a number of the call it is read call by call."""
    assert s2s.jit(program, target="numpy")(3) == program(3)
    with pytest.raises(UnsupportedError, match="calls itself without an end that is known") as caught:
        s2s.jit(lambda x: program(int(x)), target="numpy")(3.0)
    assert re.search(words, str(caught.value))
    assert caught.value.where.line


def test_lists_of_arrays_of_several_sizes():
    """Each item has the size of the first, as far as a list is an array; else the call's sizes say how many there are."""

    def f(x):
        out, v = [], x
        while len(v) > 1:
            out.append(v)
            v = v[1:]
        return out[0]

    np.testing.assert_array_equal(s2s.jit(f, target="numpy")(np.ones(4)), f(np.ones(4)))


def leaf(x):
    return x * 2.0


def halves(x):
    x = leaf(x)
    try:
        return x if np.sum(x) < 1.0 else halves(x / 4.0)
    except ValueError:
        return x


def test_told_is_the_function_that_calls_itself():
    """Not the one that is called where the reading ends."""
    with pytest.raises(UnsupportedError, match="halves calls itself"):
        s2s.jit(lambda x: halves(x), target="numpy")(np.ones(3))  # noqa: PLW0108 - a frame more


def endless(n):
    try:
        return n if n < 2 else endless(n - 1) + endless(n - 2)
    except ValueError:
        return 0


def test_too_many_calls_to_read():
    with pytest.raises(UnsupportedError, match="calls itself without an end that is known"):
        s2s.jit(endless, target="numpy")(40)


def test_objects_of_a_class_made_inside():
    """The same class in each reading, so that they stand in a pool."""

    def f(x):
        class Link:
            def __init__(self, value, following):
                self.value, self.following = value, following

        head = None
        for v in x:
            head = Link(v, head)
        return head.value

    assert s2s.jit(f, target="numpy")(np.arange(3.0)) == 2.0
    assert s2s.jit(lambda x, y: f(x[: int(y)]), target="numpy")(np.arange(3.0), 2.0) == 1.0


def _is_safe(board, row, column):
    for k in range(row):
        if board[k] == column or abs(board[k] - column) == row - k:
            return False
    return True


def _placed(board, row, size):
    if row == size:
        return 1
    total = 0
    for column in range(size):
        if _is_safe(board, row, column):
            board[row] = column
            total += _placed(board, row + 1, size)
            board[row] = -1
    return total


def queens_on_an_array(size):
    return _placed(np.full(size, -1), 0, size)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_a_function_outside_that_calls_itself_in_a_loop_is_read_in_time(target):
    read = s2s.jit(queens_on_an_array, target=target)
    assert [read(size) for size in (4, 5, 6)] == [2, 10, 4]


def filled(g):
    """A little sudoku: three loops inside of each other around the call, each read in another place than it begins in."""
    for r in range(4):
        for c in range(4):
            if g[r, c] == 0:
                for v in range(1, 5):
                    if not (np.any(g[r] == v) or np.any(g[:, c] == v) or np.any(g[r // 2 * 2 : r // 2 * 2 + 2, c // 2 * 2 : c // 2 * 2 + 2] == v)):
                        g[r, c] = v
                        if filled(g):
                            return True
                        g[r, c] = 0
                return False
    return True


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_loops_inside_of_each_other_around_the_call(target):
    f = s2s.jit(filled, target=target)
    for begin in ([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]], [[1, 2, 3, 4], [3, 4, 0, 0], [0, 1, 4, 0], [0, 0, 0, 1]], [[1, 2, 0, 0], [0, 0, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0]]):
        ours, theirs = np.array(begin), np.array(begin)
        assert f(ours) == filled(theirs)
        np.testing.assert_array_equal(ours, theirs)


# ---- lists that change places with the caller's ------------------------------------------------------------------------


def quick(a):
    if len(a) <= 1:
        return a
    pivot = a[0]
    less = [x for x in a if x < pivot]
    same = [x for x in a if x == pivot]
    more = [x for x in a if x > pivot]
    return quick(less) + same + quick(more)


def quick_by_chance(a):
    if len(a) <= 1:
        return a
    pivot = random.choice(a)
    less = [x for x in a if x < pivot]
    more = [x for x in a if x > pivot]
    return [*quick_by_chance(less), pivot, *quick_by_chance(more)]


def sorted_by(a, seed):
    random.seed(seed)
    return quick_by_chance(a), random.random(), a


def merged(a):
    if len(a) < 2:
        return a
    left, right = merged(a[: len(a) // 2]), merged(a[len(a) // 2 :])
    found = []
    while left and right:
        found.append(left.pop(0) if left[0] <= right[0] else right.pop(0))
    return found + left + right


@pytest.mark.parametrize("function", [lambda a: quick(a), lambda a: sorted_by(a, 3), lambda a: (merged(a[1:]), a)])
def test_sorted_lists(function):
    run = s2s.jit(function, target="numpy")
    for values in ([3.0, 1.0, 2.0, 5.0, 4.0, 2.5], [2.5, -1.0, 7.0, 3.0, 0.0, 2.0]):
        assert run(list(values)) == function(list(values))


def sorted_by_parts(v):
    return recursive_programs.by_parts(list(v))


def degrees(pairs):
    links = defaultdict(list)
    for a, b in pairs:
        links[a].append(b)
        links[b].append(a)
    return [len(links[k]) for k in range(3)]


@pytest.mark.parametrize(("program", "args", "readings"), [(sorted_by_parts, ([0.5, -1.0, 2.0],), 3), (recursive_programs.from_nothing, ([0.5, -1.0, 2.0],), 3), (degrees, (np.array([(0, 1), (1, 2)]),), 3)])
def test_lists_that_meet_are_found_at_once(program, args, readings, monkeypatch):
    """A first reading finds the recursion or the table, the second one the lists of which the next would each find another one."""
    read, begun = entry._read_with, []

    def counted(*given):
        begun.append(None)
        return read(*given)

    monkeypatch.setattr(entry, "_read_with", counted)
    assert s2s.jit(program, target="numpy")(*copy.deepcopy(args)) == program(*args)
    assert len(begun) == readings


def _queens(n):
    found = []

    def place(row, columns, up, down, line):
        if row == n:
            found.append(tuple(line))
            return
        for q in range(n):
            if q in columns or row - q in up or row + q in down:
                continue
            place(row + 1, columns | {q}, up | {row - q}, down | {row + q}, [*line, q])

    place(0, frozenset(), frozenset(), frozenset(), [])
    return len(found), found[0]


def test_what_whole_numbers_decide_is_not_read_for_any_first():
    """Neither as a loop nor call by call for any n: its first reading that knows n ends at once (it took minutes)."""
    assert s2s.jit(_queens, target="numpy")(5) == _queens(5)


def joined_in_a_heap(x):
    heap = [(x[k], k, None) for k in range(5)]
    heapq.heapify(heap)
    count = 5
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], count, (a, b)))
        count += 1
    return heap[0][0]


@pytest.mark.slow
def test_trees_of_tuples_are_refused_by_name():
    with pytest.raises(UnsupportedError, match="hold others like themselves"):
        s2s.jit(joined_in_a_heap, target="numpy")(np.array([0.5, 1.25, 2.0, 0.75, 0.3]))
