"""s2s.lax's loops and branches: as the plain Python that they stand for, in both modes, and JAX's errors."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reading import run

import s2s
from s2s import lax
from s2s.tree_util import tree_leaves, tree_map

RNG = np.random.default_rng(3)
X = RNG.normal(size=5)
M = RNG.normal(size=(4, 3))


def logistic(x: Any, n: int) -> Any:
    return lax.fori_loop(0, n, lambda i, v: (v[0] * x * (1 - v[0]), v[1] + i * v[0]), (0.3, 0.0))


def power_iteration(a: np.ndarray) -> Any:
    def step(v: Any) -> Any:
        vector, last, trips = v
        new = a @ vector
        size = np.sqrt(np.sum(new**2))
        return new / size, size, trips + 1

    return lax.while_loop(lambda v: v[2] < 6, step, (np.ones(len(a)), 0.0, 0))[1]


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda x: lax.cond(x[0] > 0.0, lambda a: np.sin(a), lambda a: a * a, x), (X,)),
    (lambda x: lax.cond(x[0] < 0.0, lambda a, b: a + b, lambda a, b: a * b, x, 2.0), (X,)),
    (lambda x: lax.cond(x[0] > 0.0, x, lambda a: a * 2.0, x + 1.0, lambda a: a * 3.0), (X,)),
    (lambda x: lax.cond(x[0] > 0.0, lambda a: {"u": a, "v": (a[0], 1.0)}, lambda a: {"u": 2.0 * a, "v": (0.0, a[1])}, x), (X,)),
    (lambda k, x: lax.switch(k, [np.sin, np.cos, lambda a: a**3], x), (1, X)),
    (lambda k, x: lax.switch(k, [np.sin, np.cos, lambda a: a**3], x), (-4, X)),
    (lambda k, x: lax.switch(k, (np.sin, lambda a: a * x), x), (9, X)),
    (logistic, (2.5, 6)),
    (logistic, (2.5, 0)),
    (power_iteration, (M.T @ M + np.eye(3),)),
    (lambda x: lax.scan(lambda c, a: (c * a + 1.0, c - a), 0.5, x), (X,)),
    (lambda x: lax.scan(lambda c, a: (c * a + 1.0, c - a), 0.5, x, reverse=True), (X,)),
    (lambda x: lax.scan(lambda c, a: (c + a @ a, a * c), 0.0, x), (M,)),
    (lambda x: lax.scan(lambda c, a: ({"s": c["s"] + a[0], "p": (c["p"][0] * a[1],)}, {"y": c["s"], "z": [a[1] * 2.0]}), {"s": 0.0, "p": (x,)}, (x, x * x)), (X,)),
    (lambda x: lax.scan(lambda c, _: (np.cos(c), c[:2]), x, None, length=4), (X,)),
    (lambda x: lax.scan(lambda c, _: (np.cos(c), None), x, length=3), (X,)),
    (lambda x: lax.scan(lambda c, a: (c + lax.scan(lambda d, b: (d * b, d), 1.0, a)[0], c), 0.0, x), (M,)),
    (lambda x: lax.map(lambda a: (a * 2.0, np.sum(a) * a), x), (M,)),
    (lambda x: lax.associative_scan(np.add, x), (X,)),
    (lambda x: lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, x * 2.0), reverse=True), (X,)),
    (lambda x: lax.associative_scan(np.multiply, x, axis=1), (M,)),
    (lambda x: lax.scan(lambda c, a: (c + a, c * a), 0.0, x), (np.zeros(0),)),
]  # fmt: skip


def floats(tree: Any) -> Any:
    """A number from all floats of a result."""
    return sum(np.sum(np.sin(leaf)) for leaf in tree_leaves(tree))


@pytest.mark.parametrize(("fun", "args"), PROGRAMS)
def test_reads_as_what_it_stands_for(fun, args):
    wanted = fun(*args)
    found, _ = run(fun, *args)
    tree_map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-13), wanted, found)
    compiled = s2s.jit(fun, target="numpy")(*args)
    tree_map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-13), wanted, compiled)


@pytest.mark.parametrize(("fun", "args"), [(fun, args) for fun, args in PROGRAMS if np.size(args[-1])])
def test_derivatives(fun, args):
    number = next(k for k, arg in enumerate(args) if not isinstance(arg, int))
    wrt = args[number]

    def total(x: Any) -> Any:
        return floats(fun(*args[:number], x, *args[number + 1 :]))

    scalar = s2s.jit(lambda x: floats(fun(*args[:number], x, *args[number + 1 :])), target="numpy")
    direction = RNG.normal(size=np.shape(wrt)) if np.shape(wrt) else 0.7
    value, slope = s2s.jvp(scalar, (wrt,), (direction,))
    gradient = s2s.grad(scalar)(wrt)
    assert value == pytest.approx(total(wrt), rel=1e-12)
    assert slope == pytest.approx(float(np.sum(gradient * direction)), rel=1e-11, abs=1e-12)
    step = 1e-6
    assert slope == pytest.approx(float(total(wrt + step * direction) - total(wrt - step * direction)) / (2 * step), rel=1e-6, abs=1e-7)


def test_compiled_scan_is_the_loop_that_a_user_would_write():
    def by_scan(x):
        return lax.scan(lambda total, a: (total + np.sin(a), total * a), 0.0, x)

    def by_hand(x):
        total, ys = 0.0, np.empty(len(x))
        for k in range(len(x)):
            ys[k] = total * x[k]
            total = total + np.sin(x[k])
        return total, ys

    for one, two in zip(s2s.jit(by_scan)(X), by_hand(X), strict=True):
        np.testing.assert_array_equal(one, two)
    lines = [text for text in s2s.jit(by_scan).source(X).splitlines() if "for k in range(n)" in text or "np.empty" in text]
    assert len(lines) == 2


def test_only_one_branch_runs():
    seen: list[str] = []
    assert lax.cond(True, lambda: seen.append("true") or 1, lambda: seen.append("false") or 2) == 1
    assert seen == ["true"]
    assert s2s.jit(lambda x: lax.cond(x > 0.0, lambda: np.log(x), lambda: 0.0), target="numpy")(-1.0) == 0.0


@pytest.mark.parametrize(
    ("fun", "args", "words"),
    [
        (lambda x: lax.scan(lambda c, a: ((c[0] + a, c[1] + x), c[0]), (0.0, 1.0), x), (X,), r"The input carry component c\[1\] has type float64\[\] but the corresponding output carry component has type float64\[\w+\], so the shapes do not match"),
        (lambda x: lax.scan(lambda c, a: (c, c, a), 0.0, x), (X,), "scan body output must be a pair"),
        (lambda x: lax.fori_loop(0, 3, lambda i, c: c.astype(np.float32), x), (X,), "float64.* float32.*dtypes do not match"),
        (lambda x: lax.fori_loop(0, 3, lambda i, c: (c, c), x), (X,), "same pytree structure"),
        (lambda x: lax.fori_loop(0, 2.5, lambda i, c: c, x), (X,), "fori_loop's bounds must be integers"),
        (lambda x: lax.while_loop(lambda v: v > 0.0, lambda v: v - 1.0, x), (X,), r"cond_fun must return a boolean scalar, but got output type\(s\) \[bool"),
        (lambda x: lax.cond(x[0] > 3, lambda a: a, lambda a: (a, a), x), (X,), "true_fun output is a pytree leaf but false_fun output is a <class 'tuple'>, so their Python types differ"),
        (lambda x: lax.cond(x[0] > 3, lambda a: a, lambda a: a[0], x), (X,), "The output of true_fun has type .* but the corresponding output of false_fun has type"),
        (lambda x: lax.cond(x > 3, lambda a: a, lambda a: a, x), (X,), r"Pred must be a scalar, got bool\[\w+\]"),
        (lambda k, x: lax.switch(k, [lambda a: a, lambda a: a[0]], x), (1, X), "The output of branch 0 has type .* but the corresponding output of branch1 has type"),
        (lambda x: lax.switch(x[0], [lambda a: a, lambda a: a[0]], x), (X,), "Index type must be an integer"),
        (lambda x: lax.cond(x[0] > 3, lambda: x, lambda: x[:2]), (X,), r"has type float64\[5\] but the corresponding output of false_fun has type float64\[2\]"),
        (lambda x: lax.cond(x[0] > 3, lambda: {"a": (x,)}, lambda: {"a": (x[:2],)}), (X,), r"The output of true_fun at path \['a'\]\[0\] has type"),
        (lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1][:2]), (0, x)), (X,), r"component c\[1\] has type float64\[5\] but .* float64\[2\]"),
        (lambda x: lax.fori_loop(0, 3, lambda i, c: c[1:], x), (X,), "so the shapes do not match"),
        (lambda x: lax.while_loop(lambda c: c, lambda c: c + 1.0, x[0]), (X,), r"cond_fun must return a boolean scalar, but got output type\(s\) \[float64\[\]\]"),
        (lambda x: lax.while_loop(lambda c: (True, True), lambda c: c + 1.0, x[0]), (X,), "cond_fun must return a boolean scalar, but got pytree"),
        (lambda x: lax.scan(lambda c, a: c, 0.0, x), (X,), r"scan body output must be a pair, got float64\[\]"),
        (lambda x: lax.scan(3, 0.0, x), (X,), "lax.scan: f argument should be a callable."),
        (lambda x: lax.cond(True, 1, 2, x), (X,), "lax.cond: true_fun and false_fun arguments should be callable."),
        (lambda x: lax.scan(lambda c, a: (c, a), 0.0, x, unroll=-1), (X,), "`unroll` must be a `bool` or a non-negative `int`"),
    ],
)  # fmt: skip
def test_type_errors(fun, args, words):
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        s2s.jit(fun, target="numpy")(*args)
    assert getattr(caught.value, "where", None) is None or caught.value.where.file == __file__


@pytest.mark.parametrize(
    ("fun", "args", "words"),
    [
        (lambda x, y: lax.scan(lambda c, a: (c + a[0], a[1]), 0.0, (x, y)), (X, X[1:]), "scan got values with different leading axis sizes: 5, 4"),
        (lambda x: lax.scan(lambda c, a: (c + a, a), 0.0, x, length=3), (X,), r"scan got `length` argument of 3 which disagrees with leading axis sizes \[5\]"),
        (lambda x: lax.scan(lambda c, a: (c, c), x), (1.0,), "scan got no values to scan over and `length` not provided"),
        (lambda x: lax.scan(lambda c, a: (c, c), x, length=-1), (1.0,), "negative length"),
        (lambda x: lax.scan(lambda c, a: (c, c), x, x), (1.0,), "scan got value with no leading axis to scan over"),
        (lambda x: lax.switch(1, [], x), (X,), "Empty branch sequence"),
    ],
)  # fmt: skip
def test_value_errors_here_and_in_plain_python(fun, args, words):
    for each in (fun, s2s.jit(fun, target="numpy")):
        with pytest.raises(ValueError, match=words):
            each(*args)


# ---- carries that start as Python numbers ----------------------------------------------------------------------------------

BODIES: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda c, v: (c + v, c), "half": lambda c, v: (c + 1.5, c), "product": lambda c, v: (c * 2, c * v), "pair": lambda c, v: (c + 0.5, (c * v, c)),
    "choice": lambda c, v: (np.where(c > 1, c, v), (c, v + c)), "sine": lambda c, v: (np.sin(c), c), "quotient": lambda c, v: (c / 2, (c, c * v)), "complex": lambda c, v: (c * 1j, c),
}  # fmt: skip


@pytest.mark.parametrize("start", [0, 1, 2.0])
@pytest.mark.parametrize("name", BODIES)
def test_rows_of_a_scan_have_the_type_that_the_carry_comes_to_have(name: str, start: float) -> None:
    """As in JAX, where a Python 0 that floats are added to is a float from the first trip on: rows were cut to integers."""
    body = BODIES[name]

    def scanned(xs: Any) -> Any:
        return s2s.lax.scan(body, start, xs)

    def summed(xs: Any) -> Any:
        return s2s.lax.scan(lambda c, v: ((c[0] + v, c[1] + 1), {"a": c[0], "b": c[1]}), (start, 0), xs)

    for xs in (np.array([1.5, 2.5, 3.5]), np.array([1.5, 2.5], np.float32), np.arange(3), np.array([1.5 + 1j])):
        for fun in (scanned, summed):
            wanted, found = s2s.tree_util.tree_leaves(fun(xs)), s2s.tree_util.tree_leaves(s2s.jit(fun, target="numpy")(xs))
            for one, two in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, two, rtol=1e-6)


THREE, TRUE, HALF, NOTHING = np.int64(3), np.True_, np.float32(0.5), np.uint8(0)


def test_what_decides_may_be_a_known_number_of_numpy_s():
    def f(x):
        return [lax.cond(pred, lambda a: a + 1.0, lambda a: -a, x) for pred in (THREE, TRUE, HALF, NOTHING, 2, True)]

    assert s2s.jit(f, target="numpy")(2.0) == f(2.0) == [3.0, 3.0, 3.0, -2.0, 3.0, 3.0]


def counted_down(x: Any) -> Any:
    """What a branch and a loop carry is a number of its own: `n -= 1` is no store into an array that another name has."""
    n = np.where(x[0] > 0, 4, 5)

    def step(state: Any) -> Any:
        left, total = state
        left -= 1
        return left, total + x[left]

    def two(state: Any) -> Any:
        return lax.cond(state[0] > 2, step, lambda given: (given[0] - 1, given[1]), state)

    found = lax.while_loop(lambda state: state[0] > 0, two, (n, 0.0))
    return found, lax.fori_loop(0, 2, lambda _, state: step(state), (n, np.asarray(0.5))), n


@pytest.mark.parametrize("first", [1.0, -1.0])
def test_numbers_that_count_down(first: float) -> None:
    x = np.array([first, 2.0, 3.0, 5.0, 7.0])
    for target in ("numpy", "cpu"):
        for one, two in zip(s2s.tree_util.tree_leaves(s2s.jit(counted_down, target=target)(x)), s2s.tree_util.tree_leaves(counted_down(x)), strict=True):
            np.testing.assert_array_equal(one, two)


def test_an_operand_that_is_none_is_an_operand() -> None:
    def f(x: Any) -> Any:
        return lax.cond(x > 0, lambda _: x, lambda _: -x, operand=None) + lax.switch(1, [lambda _: 1.0, lambda none: 2.0 if none is None else 3.0], operand=None)

    for x in (1.5, -2.0):
        assert s2s.jit(f, target="numpy")(x) == f(x) == abs(x) + 2.0
        assert s2s.grad(f)(x) == np.sign(x)
    for called in (lambda g: g(), lambda g: s2s.jit(g, target="numpy")()):
        with pytest.raises(TypeError, match="takes 0 positional arguments but 1 was given|too many positional arguments"):
            called(lambda: lax.cond(True, lambda: 1.0, lambda: 2.0, operand=None))


def until_done(x: Any) -> Any:
    """`~done` of a bool that is carried is "not done", as of JAX's arrays."""
    def step(state: Any) -> Any:
        i, total, _ = state
        total = total + x[i]
        return i + 1, total, (total > 2.0) | (i >= 3)

    found = lax.while_loop(lambda state: ~state[-1], step, (0, 0.0, False))
    return found, lax.fori_loop(0, 3, lambda _, is_odd: ~is_odd, True), lax.cond(x[0] > 0, lambda b: ~b, lambda b: b, False)


def test_bools_that_are_carried() -> None:
    for x in (np.array([0.5, 1.0, 2.0, 3.0]), -np.ones(4)):
        wanted = s2s.tree_util.tree_leaves(until_done(x))
        for target in ("numpy", "cpu"):
            for one, two in zip(s2s.tree_util.tree_leaves(s2s.jit(until_done, target=target)(x)), wanted, strict=True):
                assert one == two and np.result_type(one) == np.result_type(two)


@pytest.mark.parametrize("start", [False, np.asarray(False), np.bool_(False)])
def test_a_flag_that_starts_as_known_is_numpys_bool(start):
    def program(x):
        def halved(state):
            return (state[1] < 0.1) & ~state[0], state[1] * 0.5

        return lax.while_loop(lambda state: ~state[0], halved, (start, x))

    done, x = s2s.jit(program, target="numpy")(np.float64(5.0))
    assert done and x == program(np.float64(5.0))[1] == 0.0390625
