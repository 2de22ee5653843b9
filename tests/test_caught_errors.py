"""What raises at run time × where a `try` catches it: results, exceptions with their words and effects are Python's; derivatives are those of the path that is taken."""
# ruff: noqa: TRY203, TRY301 (a program raises where it catches, and raises again)
from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import math
import re
from pathlib import Path

import numpy as np
import pytest
from outcomes import check, outcome, same
from reading import loaded

import s2s
from s2s.transforms.read.installed import NUMPY_2_5

RAISING: dict[str, tuple[str, str, str]] = {
    "index": ("", "x[n]", "IndexError"), "index_from_the_end": ("", "x[-n-1]", "IndexError"), "index_2d": ("A = np.outer(x, x)", "A[n, 0]", "IndexError"),
    "list_index": ("xs = [y, 2*y, 3*y]", "xs[n]", "IndexError"), "grown_index": ("xs = [y] * n", "xs[1]", "IndexError"), "pop": ("xs = [y] * n", "xs.pop()", "IndexError"),
    "pop_first": ("xs = [v for v in x if v > y]", "xs.pop(0)", "IndexError"), "popleft": ("xs = deque()\nfor v in x[:n]: xs.append(v)", "xs.popleft()", "IndexError"),
    "key": ("d = {0: y, 2: 2*y}", "d[n]", "KeyError"), "floor_divide": ("", "10 // n", "ZeroDivisionError"), "mod": ("", "10 % n", "ZeroDivisionError"),
    "float_divide": ("", "1.0 / y", "ZeroDivisionError"), "float_mod": ("", "7.5 % y", "ZeroDivisionError"), "divmod": ("", "divmod(7, n)[1]", "ZeroDivisionError"),
    "zero_power": ("", "0.0 ** (n - 2)", "ZeroDivisionError"), "power": ("", "y ** -n", "ZeroDivisionError"), "large_power": ("", "(1e200 * y) ** (n + 1)", "OverflowError"),
    "int_of_nan": ("z = float('nan') if n == 0 else y", "int(z)", "ValueError"), "int_of_infinity": ("z = float('inf') if n == 0 else y", "int(z)", "OverflowError"),
    "round": ("z = float('nan') if n == 0 else y", "round(z)", "ValueError"), "sqrt": ("", "math.sqrt(y)", "ValueError"), "log": ("", "math.log(x[1])", "ValueError"),
    "exp": ("", "math.exp(800.0 * y)", "OverflowError"), "math_pow": ("", "math.pow(y, -1.5)", "ValueError"), "gamma": ("", "math.gamma(y)", "ValueError"),
    "factorial": ("", "math.factorial(n - 1)", "ValueError"), "inv": ("A = np.array([[y, 0.0], [0.0, 1.0]])", "np.linalg.inv(A)[1, 1]", "np.linalg.LinAlgError"),
    "dot": ("", "np.dot(x[:n], x[:2])", "ValueError"), "reshape": ("", "x.reshape(n, -1)[0, 0]", "ValueError"), "stack": ("", "np.stack([x[:n], x[:2]])[0, 0]", "ValueError"),
    "next": ("it = iter(x[:n])", "next(it)", "StopIteration"), "find": ("xs = [k for k in range(n)]", "xs.index(1)", "ValueError"),
    "min_of_nothing": ("xs = [v for v in x if v > y]", "min(xs)", "ValueError"), "max_of_nothing": ("", "np.max(x[:n])", "ValueError"), "argmax": ("", "np.argmax(x[:n])", "ValueError"),
    "shift": ("", "1 << (n - 1)", "ValueError"), "text": ("", "float('abc' if n else '1.5')", "ValueError"),
    "letter": ("", "len('abc'[n])", "IndexError"),
    "none": ("", "(None if n == 0 else y) + 1.0", "TypeError"), "negative_size": ("", "np.zeros(n - 1).sum()", "ValueError"),
    "heappop": ("h = []\nfor v in x[:n]: heapq.heappush(h, v)", "heapq.heappop(h)", "IndexError"), "lengths": ("", "sum(a * b for a, b in zip(x[:n], x[:2], strict=True))", "ValueError"),
}  # fmt: skip
"""By name: statements before, an expression of x: f8[3], y: float and n: int, what it may raise."""
PLACES = {
    "plain": "def plain(x, y, n):\n{before}    r = {of}\n    return r + 0.5\n",
    "effects": (
        "def effects(x, y, n):\n    r = c = 0.0\n{before}    try:\n        c = c + 1.0\n        x[0] = 3.0\n        r = float({of})\n        c = c + 2.0\n        x[1] = 4.0\n"
        "    except {error}:\n        c = c + 10.0\n        x[2] = 7.0\n    return r * 0.5 + c\n"
    ),
    "orelse": (
        "def orelse(x, y, n):\n{before}    try:\n        r = {of}\n    except Exception:\n        r = -1.0\n    else:\n        r = r * 2.0\n    finally:\n        q = 3.0\n    return r + q\n"
    ),
    "another": "def another(x, y, n):\n    r = 1.0\n{before}    try:\n        r = float({of})\n    except MemoryError:\n        r = -5.0\n    return r\n",
    "helper": (
        "def called(x, y, n):\n{before}    return float({of})\ndef helper(x, y, n):\n    try:\n        r = called(x, y, n) * 2.0\n    except {error}:\n        r = -1.0\n    return r\n"
    ),
    "loop": (
        "def loop(x, y, n):\n    s = 0.0\n    try:\n        for k in range(3):\n            n = 2 - k\n            y = x[k] - 1.0\n{deep}            s += float({of})\n"
        "    except {error}:\n        s += 100.0\n    return s\n"
    ),
    "test": "def test(x, y, n):\n    s = 0.0\n{before}    try:\n        while s < float({of}) and s < 3.0:\n            s += 1.0\n    except {error}:\n        s += 100.0\n    return s\n",
    "items": "def items(x, y, n):\n{before}    try:\n        r = sum([float({of}) for k in range(2)])\n    except {error}:\n        r = -1.0\n    return r\n",
    "side": (
        "def side(x, y, n):\n{before}    try:\n        r = float({of}) if n != 1 else y\n        if x[0] > 0 and float({of}) > 0: r += 1.0\n    except {error}:\n        r = -1.0\n    return r\n"
    ),
    "yielded": (
        "def yielding(x, y, n):\n    yield 1.0\n{before}    yield float({of})\ndef yielded(x, y, n):\n    s = 0.0\n    try:\n        for v in yielding(x, y, n):\n            s += v\n"
        "    except {error}:\n        s += 100.0\n    return s\n"
    ),
}  # fmt: skip
ARGUMENTS = (
    (np.array([0.5, 1.25, 2.0]), 0.7, 2), (np.array([1.0, 0.5, -2.0]), 0.0, 1), (np.array([-1.0, 0.0, 3.0]), -1.3, 0), (np.array([0.1, 1.0, 2.5]), 1e9, 3),
)  # fmt: skip
HEAD = "import heapq, math\nfrom collections import deque\nimport numpy as np\n"
NOT_THERE = {
    ("inv", "side"), ("next", "items"), ("next", "yielded"), ("text", "plain"), ("lengths", "test"), ("yielded", "next"), ("none", "plain"), ("next", "test"),
}  # fmt: skip
"""What Python makes another error of (a StopIteration in a generator), or s2s refuses."""


def placed(name: str, place: str, folder: Path):
    before, of, error = RAISING[name]
    parts = {f: "".join(f"{' ' * by}{line}\n" for line in before.split("\n") if line) for f, by in (("before", 4), ("deep", 12))}
    file = folder / f"{name}_{place}.py"
    file.write_text(HEAD + PLACES[place].format(of=of, error=error, **parts))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, place)


PAIRS = [(name, place) for k, name in enumerate(RAISING) for p, place in enumerate(PLACES) if (p - k) % 4 == 0 and (name, place) not in NOT_THERE]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "place"), PAIRS)
def test_it_is_caught_as_in_python(name, place, tmp_path):
    check(placed(name, place, tmp_path), "numpy", ARGUMENTS, (), PLACES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "place"), PAIRS[::12])
def test_it_is_caught_in_compiled_code(name, place, tmp_path):
    check(placed(name, place, tmp_path), "cpu", ARGUMENTS, (), PLACES)


def root(v):
    return math.sqrt(v)


def by_a_helper(x, y):
    s = 0.0
    for v in x:
        try:
            s += root(v * y) * v
        except ValueError:
            s += v * v * y
    return s


def by_popping(x, y):
    xs = [v * y for v in x]
    s = 0.0
    try:
        while True:
            s = s * 0.5 + math.log(xs.pop() + 1.5) * y
    except (IndexError, ValueError):
        s = s * y
    return s


def by_a_test(x, y):
    try:
        while math.sqrt(y) > 0.1:
            y = y - 0.3 * x[0]
            x = x * 1.5
    except ValueError:
        return np.sum(x) * y
    return np.sum(x ** 2) * y


def by_items(x, y):
    try:
        r = [math.log(v) * y for v in x]
        t = sum(r) + r[0]
    except ValueError:
        t = np.sum(x) * y * y
    else:
        t = t * y
    finally:
        y = y + 1.0
    return t * y


@pytest.mark.parametrize("function", [by_a_helper, by_popping, by_a_test, by_items], ids=lambda each: each.__name__)
def test_what_is_caught_is_differentiated_and_batched(function):
    x, y = np.array([0.75, -0.5, 1.25]), 1.3
    s2s.check_grads(function, (x, y), order=2)
    s2s.check_grads(function, (np.abs(x), 0.7), order=2)
    xs, ys = np.stack([x, np.abs(x)[::-1] * 0.9]), np.array([1.3, 0.4])
    one = [function(each, float(other)) for each, other in zip(xs, ys, strict=True)]
    assert np.allclose(s2s.vmap(function)(xs, ys), one, rtol=1e-13)
    slopes = [s2s.grad(function)(each, float(other)) for each, other in zip(xs, ys, strict=True)]
    assert np.allclose(s2s.vmap(s2s.grad(function))(xs, ys), slopes, rtol=1e-13)


# ---- None behind what was caught ------------------------------------------------------------------------------------------------


def none_or_number(x, n):
    try:
        if n > 2:
            raise ValueError
        v = x[n]
    except ValueError:
        v = None
    return 100.0 if v is None else v


def none_or_parts(x, n):
    try:
        if n > 2:
            raise ValueError
        first, rest = x[0], x[1:]
    except ValueError:
        first = rest = None
    return -1.0 if first is None else first + rest.sum()


def none_or_text(x, n):
    try:
        if x[n] > 2.0:
            raise ValueError
        way = "up"
    except ValueError:
        way = None
    return x[0] if way == "up" else -x[0] if way is None else 3.0


def none_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            if x[k] > 2.0:
                raise ValueError
            v = x[k] * x[k]
        except ValueError:
            v = None
        total += 100.0 if v is None else v
    return total


def none_returned(x, n):
    try:
        if x[0] > 2.0:
            return None
        if n > 2:
            raise ValueError
        v = x[1]
    except ValueError:
        return -1.0
    return v


def none_on_one_path(x, n):
    if n > 2:
        v = None
    return 1.0 if v is None else x[0]


def none_on_the_other(x, n):
    if n > 2:
        pass
    else:
        v = None
    return 1.0 if v is None else x[0]


@pytest.mark.parametrize("f", [none_or_number, none_or_parts, none_or_text, none_in_a_loop, none_returned, none_on_one_path, none_on_the_other])
def test_none_is_a_value_also_where_a_name_may_be_unbound(f):
    for x in (np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 2.0, 3.0, 4.0]), np.array([2.0, 2.0, 2.0, 1.0])):
        for n in range(4):
            try:
                wanted = f(x.copy(), n)
            except UnboundLocalError:
                with pytest.raises(UnboundLocalError):
                    s2s.jit(f, target="numpy")(x, n)
                continue
            found = s2s.jit(f, target="numpy")(x, n)
            assert found == wanted, (n, x)
            if wanted is not None and f not in (none_returned, none_on_one_path, none_on_the_other):
                _, pull = s2s.vjp(f, x, n)
                direction = np.array([0.3, -0.2, 0.7, 0.1])
                forward = s2s.jvp(lambda x, n=n: f(x, n), (x,), (direction,))[1]
                assert abs(pull(1.0)[0] @ direction - forward) < 1e-12


def bound_before(x, n):
    v = None
    try:
        v = x[n]
    except IndexError:
        pass
    return 100.0 if v is None else v


def two_bound_before(x, n):
    v, w = None, None
    try:
        w = 1.0
        v, w = x[n], 2.0
    except IndexError:
        pass
    return (100.0 if v is None else v), (50.0 if w is None else w)


def next_behind_a_raise(x, n):
    total, it = 0.0, iter(x)
    try:
        if n > 2:
            raise KeyError
        try:
            w = next(it, None)
        except (ValueError, KeyError):
            total += 1.0 if w is None else w
    except KeyError:
        return -1.0
    return total + (5.0 if w is None else w)


@pytest.mark.parametrize("f", [bound_before, two_bound_before, next_behind_a_raise])
def test_none_that_a_name_had_before(f):
    for x in (np.array([1.0, 2.0, 3.0]), np.array([1.0])):
        for n in range(4):
            assert s2s.jit(f, target="numpy")(x, n) == f(x, n), (x, n)


# ---- what a handler reads ----------------------------------------------------------------------------------------------------------


def read_behind_a_loop(x, t, n):
    u, v = 0.5, 1.0
    try:
        for _ in range(n):
            u = None
            if t > 1:
                raise ValueError
        u = x[0]
    except ValueError:
        v = u
    return -1.0 if v is None else v


def read_in_a_later_trip(x, t, n):
    u, v = 0.5, 1.0
    for _ in range(3):
        if v is None:
            return -1.0
        try:
            for _ in range(n):
                u = None
                if t > 1:
                    raise ValueError
            u = x[0]
        except ValueError:
            v = u
    return t


def where_it_failed(x, t, n):
    try:
        for i in range(n):
            if x[i] > t:
                raise ValueError
    except ValueError:
        return x[i] + i
    return -1.0


def read_in_each_clause(x, t, n):
    a = 1.0
    try:
        if n > 1:
            a = 2.0
        if t > 1:
            raise ValueError
        a = 3.0
    except ValueError:
        t = t + a
    else:
        t = a * 10
    finally:
        t = t + a
    return t


def read_at_the_end_of_an_inner_one(x, t, n):
    a = 1.0
    try:
        try:
            if n > 1:
                a = 2.0
            if t > 1:
                raise ValueError
            a = 3.0
        finally:
            t = t + 100 * a
    except ValueError:
        return t
    return -t


def read_behind_a_context(x, t, n):
    a = 1.0
    with contextlib.suppress(ValueError):
        for i in range(n):
            a = x[i] * 2.0
            if a > t:
                raise ValueError
        a = 7.0
    return a


def made_in_each_trip(x, t, n):
    """What no handler goes on with is not carried from trip to trip: a list could not be, from before the loop."""
    at = 0
    while at < 9:
        try:
            parts = [10.0 / (t - 1.3), float(x[0])]
        except ZeroDivisionError as error:
            raise ValueError("no parts") from error
        t = t + parts[0] + parts[1]
        if t > 4.0 + n:
            return t
        at += 1
    return -t


def kept_from_an_earlier_trip(x, t, n):
    kept, at = 1.0, 0
    while at < n:
        try:
            kept = float(x[at]) / (t - 1.3)
        except ZeroDivisionError:
            t = t + 1.0
        finally:
            t = t + kept
        at += 1
    return t + kept


@pytest.mark.parametrize("f", [
    read_behind_a_loop, read_in_a_later_trip, where_it_failed, read_in_each_clause, read_at_the_end_of_an_inner_one, read_behind_a_context, made_in_each_trip, kept_from_an_earlier_trip,
])
def test_what_is_read_where_an_exception_leads_is_live(f):
    x = np.array([0.2, 0.7, 5.0])
    for t in (0.5, 0.6, 1.3, 100.0):
        for n in range(4):
            try:
                wanted = f(x.copy(), t, n)
            except UnboundLocalError:
                continue
            except ValueError as error:
                with pytest.raises(ValueError, match=str(error)):
                    s2s.jit(f, target="numpy")(x, t, n)
                continue
            assert s2s.jit(f, target="numpy")(x, t, n) == wanted, (t, n)
            _, pull = s2s.vjp(f, x, t, n)
            forward = s2s.jvp(lambda x, t, n=n: f(x, t, n), (x, t), (np.array([0.3, -0.2, 0.7]), 0.4))[1]
            x_bar, t_bar, _ = pull(1.0)
            assert abs(x_bar @ np.array([0.3, -0.2, 0.7]) + 0.4 * t_bar - forward) < 1e-12


# ---- what a later error of the statement kept from being bound ---------------------------------------------------------------------


def unbound_behind_a_later_error(x, y, n):
    try:
        a, b = x[0], x[3 * n]
    except IndexError:
        return a
    return a + b


def unbound_of_a_sum(x, y, n):
    try:
        a = x[0] + x[3 * n] * math.sqrt(y)
    except (IndexError, ValueError):
        return a if n < 9 else y
    return a


@pytest.mark.parametrize("f", [unbound_behind_a_later_error, unbound_of_a_sum])
def test_a_name_is_bound_only_where_its_whole_statement_ran(f):
    x, run = np.array([0.2, 0.7, 5.0, 1.0]), s2s.jit(f, target="numpy")
    for y in (2.0, -1.0):
        for n in (0, 1, 2, 9):
            try:
                wanted = f(x, y, n)
            except UnboundLocalError:
                with pytest.raises(UnboundLocalError):
                    run(x, y, n)
            else:
                assert run(x, y, n) == wanted
    assert np.isclose(s2s.grad(f)(x, 2.0, 1) @ [1.0, 1.0, 1.0, 1.0], 2.0 if f is unbound_behind_a_later_error else 1.0 + 2.0**0.5)


# ---- functions that are called inside of a try ---------------------------------------------------------------------------------------


class TooLow(ValueError):
    pass


def reciprocal(v):
    return 1.0 / v


def logarithm(v):
    if v > 4.0:
        return None
    if v < -4.0:
        raise TooLow(f"{v} is too low")
    return math.log(v)


def size_named(v):
    if v < 0.0:
        raise ValueError("negative")
    return "large" if v > 1.0 else "small"


def filled(x, v, n):
    x[0] = 5.0
    x[n] = reciprocal(v)
    x[1] = 7.0


def on_from_there(v):
    try:
        return reciprocal(v)
    except ZeroDivisionError:
        raise


def called_twice(x, y, n):
    try:
        return reciprocal(y) + reciprocal(float(x[n] - x[1])) + 0.5
    except ArithmeticError:
        return -y


def one_of_several(x, y, n):
    try:
        r = logarithm(y * (n - 1))
    except TooLow:
        return -10.0
    except ValueError:
        return -20.0
    return 100.0 + y if r is None else r


def a_text(x, y, n):
    try:
        size = size_named(y)
    except ValueError as error:
        size = str(error)
    return {"large": 1.0, "small": 2.0, "negative": 3.0}[size] * y


def with_stores(x, y, n):
    try:
        filled(x, y, n)
    except ZeroDivisionError:
        x[2] = 9.0
    return x.sum()


def its_words(x, y, n):
    try:
        return logarithm(8.0 * y)
    except TooLow as error:
        raise RuntimeError(f"no: {error}") from error


def each_of_many(x, y, n):
    total, failed = 0.0, 0
    for v in x:
        try:
            total += reciprocal(float(v) - y)
        except ZeroDivisionError:
            failed += 1
            continue
        total *= 1.5
    return total + failed


def raised_again(x, y, n):
    try:
        return on_from_there(y)
    except ZeroDivisionError as error:
        return 4.0 if "zero" in str(error) else 5.0


CALLED_INSIDE = (called_twice, one_of_several, a_text, with_stores, its_words, each_of_many, raised_again)


@pytest.mark.parametrize("f", CALLED_INSIDE)
def test_functions_that_are_called_inside_of_a_try_raise_what_it_catches(f):
    check(f, "numpy", tuple((np.array([0.7, 3.0, 5.0]), y, n) for y in (0.7, 0.0, -0.7, 3.0, 9.0) for n in range(3)), ())


def test_functions_that_are_called_inside_of_a_try_are_functions_of_the_program():
    text = s2s.jit(called_twice).source(np.ones(3), 1.0, 2)
    assert text.count("def _reciprocal(") == 1
    assert text.count("_reciprocal(") == 3


@pytest.mark.parametrize("f", [called_twice, one_of_several, each_of_many])
def test_derivatives_of_functions_that_are_called_inside_of_a_try(f):
    x = np.array([0.7, 3.0, 5.0])
    for y in (0.6, 2.0, 4.5):
        for n in (0, 2):
            x_bar, y_bar = s2s.grad(f, argnums=(0, 1))(x, y, n)
            forward = s2s.jvp(lambda x, y, n=n: f(x, y, n), (x, y), (np.array([0.3, -0.2, 0.7]), 0.4))[1]
            h = 1e-6
            assert abs((f(x, y + h, n) - f(x, y - h, n)) / (2 * h) - y_bar) < 1e-5
            assert abs(x_bar @ np.array([0.3, -0.2, 0.7]) + 0.4 * y_bar - forward) < 1e-12


# ---- what surely fails, on a path that some calls take ------------------------------------------------------------------------

SURE = {
    "attribute": "x.rows", "attribute_of_a_number": "y.rows", "name": "nowhere", "operands": "1 + 'a'", "call": "y()", "length": "len(3)", "argument": "of_two(1)", "unknown_argument": "of_two(1, 2, w=3)",
    "text_of_math": "math.sqrt('y')", "number": "float(np.ones(3))", "product": "(np.ones((2, 3)) @ np.ones(4))[0]", "broadcast": "(np.ones(3) + np.ones(4))[0]", "reshape": "np.reshape(np.ones(4), (3, 2))[0, 0]",
    "axis": "np.ones(2).max(axis=3)", "solve": "np.linalg.solve(np.ones((2, 3)), np.ones(2))[0]", "iteration": "sum(v for v in 3)", "unpacked": "of_two(*3)", "subscript": "y[0]", "too_many": "x[0, 0]", "key": "{'a': y}['b']",
    "position": "(y, y)[5]", "integer": "int('abc')", "quotient": "1 // 0", "order": "(1j < y) + 0.0", "stack": "np.stack([np.ones(2), np.ones(3)])[0, 0]",
}  # fmt: skip
"""Expressions that raise for all x: f8[3], y: float."""
PATHS = {
    "branch": "    if y < 0:\n        return {of} + 1.0\n    return y\n",
    "assigned": "    r = y\n    if y < 0:\n        r = {of}\n    return r * 2.0\n",
    "expression": "    return y if y > 0 else {of}\n",
    "both": "    return y > 0 or {of} > 0\n",
    "loop": "    s = 0.0\n    for v in x:\n        if v > y:\n            s += {of}\n        else:\n            s += v * y\n    return s\n",
    "helper": "    def helper(x, y):\n        return {of}\n    return helper(x, y) if y < 0 else x[0] * y\n",
    "stores": "    x[0] = 2.0 * y\n    if y < 0:\n        x[1] = {of}\n        x[2] = 5.0\n    return x[0]\n",
    "caught": "    try:\n        if y < 0:\n            return {of}\n    except Exception:\n        return 7.0 * y\n    return y\n",
}


@pytest.mark.parametrize("path", PATHS)
def test_what_surely_fails_is_raised_where_the_path_is_taken(path, tmp_path):
    """The other paths give their numbers and derivatives; where every call comes to it, reading tells."""
    text = "import math\nimport numpy as np\n\ndef of_two(a, b): return a\n"
    module = loaded(tmp_path / f"sure_{path}.py", text + "".join(f"\ndef {name}(x, y):\n{PATHS[path].format(of=of)}" for name, of in SURE.items()))
    for number, name in enumerate(SURE):
        f = getattr(module, name)
        for target in ("numpy", "cpu") if number % 8 == list(PATHS).index(path) else ("numpy",):
            run = s2s.jit(f, target=target)
            for y in (3.5, -1.0):
                found, wanted = outcome(run, (np.array([0.5, 1.0, 2.0]), y)), outcome(f, (np.array([0.5, 1.0, 2.0]), y))
                assert found[0][0] == wanted[0][0], (name, target, y, found, wanted)
                assert same(found, wanted) or wanted[0][0] is not float, (name, target, y, found, wanted)
        if path not in ("both", "stores"):
            assert np.isclose(s2s.grad(f, argnums=1)(np.array([0.5, 1.0, 2.0]), 3.5), (f(np.array([0.5, 1.0, 2.0]), 3.5001) - f(np.array([0.5, 1.0, 2.0]), 3.5)) / 1e-4, rtol=1e-6)


def test_what_surely_fails_in_every_call_is_told_by_reading(tmp_path):
    module = loaded(tmp_path / "surely.py", "import numpy as np\n\ndef f(x, y):\n    z = y * 2.0\n    return z + x.rows\n")
    with pytest.raises(AttributeError, match="rows") as caught:
        s2s.jit(module.f)(np.ones(3), 1.0)
    assert "surely.py:5" in "".join(caught.value.__notes__)


def test_a_name_that_is_not_bound_yet_is_caught():
    def f(x, n):
        s = 0.0
        for _ in range(int(n)):
            try:
                last += x
            except NameError:
                last = 1.0
            s += last
        try:
            if x > 1:
                return other + x  # noqa: F821
            other = 2.0
        except UnboundLocalError:
            other = 5.0
        return s * x + other

    for x, n in ((1.5, 3.2), (0.5, 3.2), (1.5, 0.2)):
        assert s2s.jit(f, target="numpy")(x, n) == f(x, n)
        np.testing.assert_allclose(s2s.grad(f)(x, n), (f(x + 1e-6, n) - f(x - 1e-6, n)) / 2e-6, rtol=1e-7)


def test_scipys_cholesky_factors():
    import scipy.linalg

    def factors(a):
        try:
            upper = scipy.linalg.cholesky(a)
        except scipy.linalg.LinAlgError as error:
            if a[0, 1] > 5.0:
                raise ValueError(f"no factor: {error}") from None
            upper = 0.0 * a
        try:
            solved = scipy.linalg.cho_solve(scipy.linalg.cho_factor(a, lower=True), a[0])
        except np.linalg.LinAlgError:
            solved = scipy.linalg.cholesky(a + 9.0 * np.eye(2), lower=True)[1]
        return upper, solved

    definite = np.array([[2.0, 0.3], [0.3, 1.0]])
    run = s2s.jit(factors, target="numpy")
    for a in (definite, -definite, np.array([[1.0, 3.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [3.0, 1.0]])):
        for found, wanted in zip(run(a), factors(a), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15)
    with pytest.raises(ValueError, match="no factor: ") as wanted:
        factors(np.array([[1.0, 6.0], [0.0, 1.0]]))
    with pytest.raises(ValueError, match=re.escape(str(wanted.value))):
        run(np.array([[1.0, 6.0], [0.0, 1.0]]))
    with pytest.raises(ValueError, match="infs or NaNs"):
        run(np.array([[-1.0, np.nan], [np.nan, 1.0]]))
    s2s.test_util.check_grads(lambda a: factors(a @ a.T)[1], (definite,), order=1)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_scipys_singular_matrices(target):
    import scipy.linalg

    def solutions(a):
        found = np.zeros(3)
        for i in range(3):
            try:
                found[i] = scipy.linalg.solve(a, a[i % 2])[1] if i == 0 else scipy.linalg.inv(a)[0, 1] if i == 1 else scipy.linalg.solve_triangular(a, a[0], lower=True)[1]
            except np.linalg.LinAlgError:
                found[i] = 100.0 * (i + 1)
        try:
            scipy.linalg.solve_triangular(a, a[1])
        except np.linalg.LinAlgError as error:
            if a[0, 0] > 5.0:
                raise ValueError(f"no solution: {error}") from None
        return found

    run = s2s.jit(solutions, target=target)
    for a in (np.array([[2.0, 0.3], [0.3, 1.0]]), np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([[0.0, 2.0], [3.0, 0.5]])):
        np.testing.assert_allclose(run(a), solutions(a), rtol=1e-13, atol=1e-15)
    with pytest.raises(ValueError, match="no solution: singular matrix: resolution failed at diagonal 1"):
        run(np.array([[6.0, 1.0], [2.0, 0.0]]))


OF_MATRICES = {
    "eigh": "np.linalg.eigh(a)[0]", "eigvalsh": "np.linalg.eigvalsh(a, 'U')", "svd": "np.linalg.svd(a, False)[1]", "singular_values": "np.linalg.svd(a, compute_uv=False)", "pinv": "np.linalg.pinv(a)[0]",
    "cond": "np.linalg.cond(a) * a[0]", "cond_by_norms": "np.linalg.cond(a, 1) * a[0]", "matrix_rank": "np.linalg.matrix_rank(a) * a[0]", "norm": "np.linalg.norm(a, 2) * a[0]", "nuclear": "np.linalg.norm(a, 'nuc') * a[0]",
    "eigvals": "np.sort(np.abs(np.linalg.eigvals(a)))", "eig": "np.sort(np.real(np.linalg.eig(a)[0]))", "lstsq": "np.linalg.lstsq(a, a[0], rcond=None)[0]", "scipys_eigh": "scipy.linalg.eigh(a)[0]",
    "scipys_svdvals": "scipy.linalg.svdvals(a)", "scipys_lstsq": "scipy.linalg.lstsq(a, a[0])[0]", "scipys_pinv": "scipy.linalg.pinv(a)[0]", "inv_of_lstsq": "np.linalg.inv(a)[0] + np.linalg.lstsq(a, a[0], rcond=None)[0]",
}  # fmt: skip
"""By name: what is not found of every matrix of floats."""


@np.errstate(all="ignore")
@pytest.mark.parametrize("name", OF_MATRICES)
def test_decompositions_that_do_not_converge(name, tmp_path):
    """Of nan they are caught; SciPy's raise ValueError through it. NumPy's lstsq of nan does not end."""
    text = f"import numpy as np\nimport scipy.linalg\n\ndef {name}(a):\n    try:\n        found = {OF_MATRICES[name]}\n    except np.linalg.LinAlgError:\n        found = 7.0 * a[0]\n    return found\n"
    f = getattr(loaded(tmp_path / f"decomposed_{name}.py", text), name)
    regular = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 3.0]])
    missing = regular.copy()
    missing[0, 1] = missing[1, 0] = np.nan
    infinite = regular + np.diag([np.inf, 0.0, 0.0])
    for target in ("numpy", "cpu"):
        run = s2s.jit(f, target=target)
        for a in (regular, regular[:2, :2], -np.eye(2), np.array([[1.0, 2.0], [2.0, 4.0]]), missing, missing[:2, :2]):
            if name.startswith("scipys") and np.isnan(a).any():
                with pytest.raises(ValueError, match="must not contain infs or NaNs"):
                    run(a)
            else:
                wanted = 7.0 * a[0] if "lstsq" in name and np.isnan(a).any() or name == "inv_of_lstsq" and abs(np.linalg.det(a)) < 1e-9 else f(a)
                np.testing.assert_allclose(run(a), wanted, rtol=1e-11, atol=1e-14)
        if name in ("eigh", "eigvalsh", "svd", "pinv", "lstsq"):
            with pytest.raises(NotImplementedError, match="of a matrix with an infinity"):
                run(infinite)
        elif name in ("eigvals", "cond", "norm", "singular_values"):
            np.testing.assert_allclose(run(infinite), f(infinite))
    if name not in ("matrix_rank", "eig", "eigvals", "cond_by_norms"):
        s2s.test_util.check_grads(lambda a: f(a + a.T), (regular[::-1] @ regular / 3.0,), order=1)
        if not name.startswith(("scipys", "inv")) and not (NUMPY_2_5 and name == "cond"):  # which is nan there
            np.testing.assert_array_equal(s2s.grad(lambda a: f(a)[0])(missing), np.eye(1, 9).reshape(3, 3) * 7.0)


def test_decompositions_of_infinities_are_raised_through_a_try_for_everything():
    def f(a):
        try:
            return np.linalg.eigvalsh(a)
        except (np.linalg.LinAlgError, RuntimeError):
            return a[0]

    run = s2s.jit(f, target="numpy")
    np.testing.assert_allclose(run(np.eye(2)), [1.0, 1.0])
    with pytest.raises(NotImplementedError, match="of a matrix with an infinity"):
        run(np.diag([np.inf, 1.0]))


def test_a_helper_is_looked_at_for_each_matrix():
    """The second call's matrix is not looked at before."""

    def solutions(a, b):
        return np.linalg.lstsq(a, b, rcond=None)[0]

    def f(a):
        try:
            return solutions(a, a[0]) + solutions(2.0 * a, a[1])
        except np.linalg.LinAlgError:
            return a[0]

    for a in (np.eye(3) + 0.1, np.full((3, 3), np.nan)):
        np.testing.assert_allclose(s2s.jit(f, target="numpy")(a), a[0] if np.isnan(a[0, 0]) else f(a), rtol=1e-11)


def stores_where_it_returns(x, i):
    try:
        x[0] = 10.0
        return x[i] * 2.0
    finally:
        x[1] = 20.0


def stores_in_a_loop(x, i):
    total = 0.0
    for k in range(3):
        try:
            total += x[k + i]
        finally:
            x[k] = 7.0
    return total


class Marking:
    """A context that stores into the caller's array."""

    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x

    def __exit__(self, kind, error, trace):
        self.x[1] = 20.0 if kind is None else 30.0


def stores_where_a_context_ends(x, i):
    with Marking(x) as marked:
        return marked[i] * 2.0


@contextlib.contextmanager
def marking(x):
    try:
        yield x
    finally:
        x[0] = 9.0


def stores_in_a_generators_finally(x, i):
    with marking(x) as marked:
        return marked[i] * 2.0


def stores_through_a_helper(x, i):
    return stores_where_it_returns(x, i) + stores_where_it_returns(x, i - 1)


@pytest.mark.parametrize("f", [stores_where_it_returns, stores_in_a_loop, stores_where_a_context_ends, stores_in_a_generators_finally, stores_through_a_helper])
def test_what_finally_stores_into_the_callers_array_is_there_whatever_ended_the_call(f):
    for i in (1, 3, 5, -5):
        mine, other = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
        try:
            wanted = f(mine, i)
        except IndexError as error:
            with pytest.raises(IndexError, match=str(error)):
                s2s.jit(f, target="numpy")(other, i)
        else:
            assert s2s.jit(f, target="numpy")(other, i) == wanted
        np.testing.assert_array_equal(mine, other)


def prints_at_the_end(x, i):
    try:
        return x[i]
    finally:
        print("done")


def test_what_finally_prints_is_printed_whatever_ended_the_call(capsys):
    with pytest.raises(IndexError):
        s2s.jit(prints_at_the_end, target="numpy")(np.zeros(3), 5)
    assert capsys.readouterr().out == "done\n"


class Elapsed:
    """A context that changes itself at its end."""

    def __init__(self):
        self.done = 0.0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.done = self.done + 1.0


def returns_an_array_on_a_path(y):
    found = np.zeros(2)
    try:
        if y > 0:
            return found
        found[1] = 2.0
    finally:
        found[0] = y
    return found


def returns_a_list_on_a_path(y):
    found = [2.0]
    try:
        if y > 0:
            return found, 1
        found.append(5.0)
    finally:
        found.append(y)
    return found, 2


def returns_a_context_on_a_path(y):
    with Elapsed() as elapsed:
        if y > 0:
            return elapsed.done, elapsed
    return 0.0, elapsed


@contextlib.contextmanager
def appending(found):
    yield found
    found.append(4.0)


def returns_a_list_in_a_generators_context(y):
    found = []
    with appending(found):
        if y > 0:
            return found, 1
    return found, 2


@pytest.mark.parametrize("f", [returns_an_array_on_a_path, returns_a_list_on_a_path, returns_a_context_on_a_path, returns_a_list_in_a_generators_context])
def test_a_result_of_one_path_that_finally_changes_is_no_copy_of_what_it_was(f):
    with pytest.raises(s2s.UnsupportedError, match="changes what has been returned on one path"):
        s2s.jit(f, target="numpy")(1.0)


def returns_what_finally_changes(y):
    found = [y]
    try:
        return found
    finally:
        found.append(2.0 * y)


def test_a_result_that_finally_changes_is_changed():
    assert s2s.jit(returns_what_finally_changes, target="numpy")(1.5) == [1.5, 3.0]


def stores_and_raises(x):
    x[0] = 5.0
    raise ValueError("never")


def prints_and_raises(x):
    print("on the way")
    raise ValueError("never")


def test_what_was_done_before_an_exception_that_every_call_raises_is_done(capsys):
    x = np.zeros(2)
    for f in (stores_and_raises, prints_and_raises):
        with pytest.raises(ValueError, match="never"):
            s2s.jit(f, target="numpy")(x)
    assert x.tolist() == [5.0, 0.0]
    assert capsys.readouterr().out == "on the way\n"


def lacks_a_key(x, n):
    if n <= x:
        raise ValueError(f"{n} is too small")
    return x * {"a": x}["b"]


def lacks_a_position(x, n):
    found = {1: x, 2: 2.0 * x}[n]
    return found * [x, 1.0][5]  # noqa: PLE0643


def lacks_an_item(x, n):
    for _ in range(int(n)):
        x, n = [x]
    z, *_, n = [x]
    return z


def lacks_an_attribute(x, n):
    values = [v for v in (x, n) if v > 1.0]
    last = values.pop()
    return last * x.missing


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [lacks_a_key, lacks_a_position, lacks_an_item, lacks_an_attribute])
def test_what_may_raise_before_an_exception_that_every_call_raises_comes_first(f, target):
    jitted = s2s.jit(f, target=target)
    for x, n in [(0.5, 0), (1.0, 2), (0.5, 1), (3.0, 3)]:
        wanted = outcome(f, (x, n))
        assert issubclass(wanted[0][0], Exception)
        for g in (jitted, s2s.grad(jitted), lambda x, n: s2s.jvp(lambda x: jitted(x, n), (x,), (1.0,))):  # noqa: B023
            assert outcome(g, (x, n)) == wanted


def halved(x, n):
    z, k = n * 2, 0
    while k < min(n, 3):
        z = z * 0.5 + x
        k += 1
    return z


def catches_everything_of_a_call(x, n):
    try:
        return halved(x, n)
    except Exception:  # noqa: BLE001
        return -1.0


def catches_everything_in_a_loop(x, n):
    try:
        z, k = n * 2, 0
        while k < min(n, 3):
            z = z * 0.5 + x
            k += 1
    except Exception:  # noqa: BLE001
        z = -1.0
    return z


def raises_its_own(n):
    if n == 2:
        raise NotImplementedError("two")
    return n * 1.0


def catches_its_own(x, n):
    z = x
    try:
        for k in range(min(n, 5)):
            z += raises_its_own(k)
    except NotImplementedError as error:
        return str(error), z
    return "none", z


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_what_is_not_supported_is_raised_through_what_catches_everything(target):
    for f in (catches_everything_of_a_call, catches_everything_in_a_loop, catches_its_own):
        g = s2s.jit(f, target=target)
        for n in (1, 2, 7):
            assert same(outcome(g, (0.5, n)), outcome(f, (0.5, n)))
        if f is not catches_its_own:
            with pytest.raises(NotImplementedError, match="an int too large for the float"):
                g(0.5, 2**61 + 1)


@dataclasses.dataclass(frozen=True)
class Fixed:
    """Can't be changed."""

    a: float


def changes_what_is_frozen(y):
    fixed = Fixed(y)
    if y < 0:
        fixed.a = 2.0
    return fixed.a


def test_what_is_frozen_fails_where_a_path_changes_it():
    assert s2s.jit(changes_what_is_frozen, target="numpy")(1.5) == 1.5
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'a'"):
        s2s.jit(changes_what_is_frozen, target="numpy")(-1.5)


def told(y):
    fixed = Fixed(y)
    try:
        fixed.a = 2.0
    except AttributeError as error:
        return str(error)
    return fixed.a


def test_a_text_that_its_own_quotes_end_stands_in_the_module():
    assert s2s.jit(told, target="numpy")(1.0) == "cannot assign to field 'a'"


class Own(Exception):
    """With a message that the run decides about."""


def kind_of(y):
    if y > 0.5:
        return "large"
    return "small" if y > -0.5 else "low"


def fails_by(word):
    if word == "large":
        raise Own("too large")
    raise ValueError(word)


def raises_one_of_several_texts(y):
    found = [y]
    try:
        raise Own(kind_of(y))
    finally:
        found.append(1.0)


def raises_on_every_path(y):
    m = 1.0
    try:
        m = fails_by(kind_of(y)) + 1
    except ValueError:
        m = 2.0
    finally:
        m += 0.5
    return m


def converts_a_text(y):
    try:
        return float(kind_of(y)) + 1
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("f", [raises_one_of_several_texts, raises_on_every_path, converts_a_text])
def test_what_raises_for_each_of_several_values_raises_its_own(f, target):
    g = s2s.jit(f, target=target)
    for y in (1.0, 0.0, -1.0):
        assert ended(g, y) == ended(f, y)


def ended(f, y):
    try:
        return f(y)
    except (Own, ValueError) as error:
        return type(error), str(error)


STRUCTURED = ["gen", "diagonal", "tridiagonal", "banded", "upper triangular", "lower triangular", "sym", "her", "pos"]
MATRICES_OF_ALL_KINDS = [
    np.array([[4.0, 1.0, 0.5], [0.3, 3.0, 1.0], [0.2, 0.7, 5.0]]), np.zeros((3, 3)), -np.eye(3), np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 1.0, 1.0]]), np.diag([1.0, 0.0, 2.0]),
    np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 2.0], [0.0, 2.0, 0.0]]), np.eye(2), np.array([[0.0, 5.0], [5.0, 2.0]]),
]  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("structure", STRUCTURED)
def test_solves_of_told_structures_are_caught(structure, target):
    """Where SciPy's solve and inv raise LinAlgError of a matrix that is told to have a structure, its words are looked at."""
    import scipy.linalg

    def solutions(a, b):
        try:
            found = scipy.linalg.solve(a, b, lower=True, assume_a=structure)
        except scipy.linalg.LinAlgError as error:
            found = -b
            if a[0, 0] == 1.0:
                raise ValueError(f"singular: {error}") from None
        try:
            other = np.diagonal(scipy.linalg.inv(a, assume_a=structure)) if structure not in ("tridiagonal", "banded") else a[0]
        except scipy.linalg.LinAlgError:
            other = 100.0 * b
        return found + other

    run = s2s.jit(solutions, target=target)
    for a in MATRICES_OF_ALL_KINDS:
        b = np.arange(1.0, 1.0 + len(a))
        try:
            wanted = solutions(a, b)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                run(a, b)
        else:
            np.testing.assert_allclose(run(a, b), wanted, rtol=1e-12, atol=1e-14)
    for a in MATRICES_OF_ALL_KINDS[:2] if target == "cpu" else ():
        symmetric = a + a.T if structure in ("sym", "her", "pos") else a
        s2s.test_util.check_grads(lambda b, symmetric=symmetric: solutions(symmetric, b), (np.arange(1.0, 4.0),), order=1)
    with pytest.raises(ValueError, match="infs or NaNs"):
        run(np.full((3, 3), np.nan), np.ones(3))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_triangles_and_pairs_of_matrices_are_caught(target):
    import scipy.linalg

    def solutions(a, b):
        found = np.zeros(4)
        try:
            found[0] = scipy.linalg.solve_triangular(a, a[0], 1, True)[1]
        except np.linalg.LinAlgError:
            found[0] = -100.0
        try:
            found[1] = scipy.linalg.solve_triangular(a, a[0], unit_diagonal=False)[1] + scipy.linalg.solve_triangular(a, a[1], unit_diagonal=True)[0]
        except np.linalg.LinAlgError:
            found[1] = -200.0
        try:
            found[2] = scipy.linalg.eigvalsh(a + a.T, b)[0]
        except np.linalg.LinAlgError as error:
            if b[0, 0] > 5.0:
                raise ValueError(f"no values: {error}") from None
        try:
            found[3] = np.abs(scipy.linalg.eigh(a + a.T, b, lower=False)[1][0, 0])
        except np.linalg.LinAlgError:
            found[3] = -400.0
        return found

    run = s2s.jit(solutions, target=target)
    regular = np.array([[2.0, 0.3], [0.1, 1.0]])
    for a in (regular, np.zeros((2, 2)), np.array([[1.0, 2.0], [3.0, 0.0]])):
        for b in (regular + regular.T, -np.eye(2), np.array([[1.0, 9.0], [0.0, 1.0]])):
            np.testing.assert_allclose(run(a, b), solutions(a, b), rtol=1e-12)
    with pytest.raises(ValueError, match="no values: The leading minor of order 2 of B is not positive definite. The factorization of B could not"):
        run(regular, np.array([[6.0, 0.0], [9.0, 1.0]]))


@pytest.mark.parametrize("call", ["np.linalg.inv(a[:2])", "np.linalg.solve(a[:2], b)", "np.linalg.solve(a, b[:2])", "np.linalg.cholesky(a[:2])", "scipy.linalg.inv(a[:2])", "scipy.linalg.solve_triangular(a, b[:2])", "scipy.linalg.cho_factor(a[:2])"])
def test_shapes_are_looked_at_before_elements(call, tmp_path):
    """A singular matrix whose shape fits nothing: NumPy's words for the shape, or its ValueError through an `except LinAlgError`."""
    text = f"import numpy as np\nimport scipy.linalg\n\ndef f(a, b):\n    try:\n        return float(np.sum({call}[0]))\n    except np.linalg.LinAlgError:\n        return -1.0\n"
    module = loaded(tmp_path / "shaped.py", text)
    a, b = np.ones((3, 3)), np.ones(3)
    try:
        wanted = module.f(a, b)
    except ValueError as error:
        with pytest.raises(ValueError, match=re.escape(str(error))):
            s2s.jit(module.f, target="numpy")(a, b)
    else:
        assert s2s.jit(module.f, target="numpy")(a, b) == wanted


AT_POSITIONS = {
    "array": "x[np.array([0, n])]", "columns": "x.reshape(2, 2)[:, np.array([n])][:, 0]", "pairs": "x.reshape(2, 2)[np.array([0, n]), 1]", "taken": "np.take(x, n) * np.ones(2)", "taken_along": "np.take(x.reshape(2, 2), n, axis=1)",
    "method": "x.take(n) + np.zeros(2)", "item": "x.item(n) + np.zeros(2)", "narrow": "x[np.array([0, n], np.int8)]", "none": "x[np.zeros(0, int) + n]",
    "no_axes": "x[np.array(n)] * np.ones(2)", "behind_dots": "x.reshape(2, 2)[..., n]", "behind_a_new_axis": "x[None, n] * np.ones(2)", "behind_a_new_axis_and_dots": "x[None, ..., n] * np.ones(2)", "beside_others": "x.reshape(2, 2)[np.array([0, 1]), n]",
}  # fmt: skip


@pytest.mark.parametrize("name", AT_POSITIONS)
def test_positions_out_of_bounds_are_caught(name, tmp_path):
    text = (
        f"import numpy as np\n\ndef read(x, n):\n    try:\n        return {AT_POSITIONS[name]}\n    except IndexError as error:\n        if x[0] > 5.0:\n            raise ValueError(f'no: {{error}}') from None\n        return x[:2] * 3.0\n"
        "\ndef stored(x, n):\n    y = x.copy()\n    try:\n        y[0] = 9.0\n        y[np.array([n, 1])] = 2.0 * x[:2]\n        y[2] = 8.0\n    except IndexError:\n        y[3] = x[0]\n    return y\n"
    )
    module = loaded(tmp_path / "positions.py", text)
    for f in (module.read, module.stored):
        run = s2s.jit(f, target="cpu" if name in ("array", "item") else "numpy")
        for x in (np.array([1.0, 2.0, 3.0, 4.0]), np.array([6.0, 2.0, 3.0, 4.0])):
            for n in (1, 3, 4, -2, -4, -5):
                try:
                    wanted = f(x, n)
                except ValueError as error:
                    with pytest.raises(ValueError, match=re.escape(str(error))):
                        run(x, n)
                else:
                    np.testing.assert_array_equal(run(x, n), wanted)
        for n in (1, 4):
            s2s.test_util.check_grads(lambda x, f=f, n=n: f(x, n), (np.array([1.0, 2.0, 3.0, 4.0]),), order=1)


SIZES_THAT_FIT_OR_NOT = {
    "added": "x + np.ones(n)", "broadcast": "np.broadcast_to(x[:2], (n, 2)[n % 2 :]).sum() + x", "stored": "store(x.copy(), slice(n), np.ones(3))", "stored_by_counts": "store(x.copy(), slice(int(np.sum(k))), np.ones(3))",
    "stacked": "np.stack([x, np.ones(n)])[0]", "in_place": "add(x.copy(), np.ones(n))", "loop": "sum(x + np.ones(n) * i for i in range(n))",
    "fewer_than_none": "np.sum(np.zeros(n - 2)) + x", "a_table_of_fewer": "np.sum(np.ones((2, n - 3))) + x", "samples": "np.sum(np.linspace(0.0, 1.0, n - 2)) + x", "resized": "np.sum(np.resize(x, (n - 1, 2))) + x",
}  # fmt: skip


@pytest.mark.parametrize("name", SIZES_THAT_FIT_OR_NOT)
def test_sizes_by_whole_numbers_of_a_call_are_caught(name, tmp_path):
    text = (
        "import numpy as np\n\ndef store(y, where, values):\n    y[where] = values\n    return y\n\ndef add(y, other):\n    y += other\n    return y\n"
        f"\ndef f(x, n, k):\n    try:\n        y = {SIZES_THAT_FIT_OR_NOT[name]}\n    except ValueError as error:\n        if x[0] > 5.0:\n            raise ValueError(f'no: {{error}}') from None\n        return x * 2.0\n    return y * x\n"
    )
    f = loaded(tmp_path / "fitting.py", text).f
    run = s2s.jit(f, target="cpu" if name in ("added", "stored") else "numpy")
    for x in (np.arange(1.0, 6.0), np.arange(6.0, 11.0)):
        for n in (5, 3, 1, 0, 2, 7):
            k = np.array([n, 1 - n % 2])
            try:
                wanted = f(x, n, k)
            except ValueError as error:
                with pytest.raises(ValueError, match=re.escape(str(error))):
                    run(x, n, k)
            else:
                np.testing.assert_array_equal(run(x, n, k), wanted)
    for n in (1, 3, 5):
        s2s.test_util.check_grads(f, (np.arange(1.0, 6.0), n, np.array([n, 0])), order=1)


def whole(x, n):
    try:
        return int(x) + n
    except OverflowError:
        return -1


def ways(x, n):
    try:
        return math.factorial(n) // math.comb(n, 2)
    except Exception:  # noqa: BLE001
        return -1


def all_of(x, n):
    try:
        return sum([int(v) for v in (x, x)])
    except (OverflowError, ValueError):
        return -1


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("function, args", [(whole, (1e19, 3)), (ways, (1.0, 25)), (all_of, (6e18, 3))])
def test_what_python_does_not_raise_is_not_caught(function, args, target):
    """That an integer has more than 64 bits is no error of Python's: no `except` takes another path there."""
    compiled = s2s.jit(function, target=target)
    assert function(*args) > 2**63
    with pytest.raises(OverflowError, match="64 bits"), np.errstate(over="ignore"):
        compiled(*args)
    for x in (2.5, math.inf):
        assert compiled(x, 5) == function(x, 5)
