"""Exceptions of any class, made with anything of numbers and texts: class, arguments and attributes are Python's, compiled, in batches and in modules that stand alone."""
# ruff: noqa: BLE001, TRY301
from __future__ import annotations

import numpy as np
import pytest
from staging import stage

import s2s
from s2s.errors import S2SError
from s2s.transforms.ir.interpret import interpret


class Plain(Exception):
    pass


class Coded(Exception):
    def __init__(self, message, code, *, where=None):
        super().__init__(message)
        self.code, self.where = code, where

    def __str__(self):
        return f"{self.args[0]} [{self.code}]"


class Both(Coded, ValueError):
    pass


class n(Plain):  # noqa: N801 (a size of an array would be called so)
    pass


def made(n):
    return Coded("made", n)


def number(x, n):
    if n > 2:
        raise Plain(n)
    if n > 1:
        raise Plain((n, 2.5))
    if n > 0:
        raise KeyError(n)
    return x[0]


def several(x, n):
    if n > 1:
        raise ValueError("no", n, float(x[1]), True, None, "it's {}", [n, 1])
    return x[0]


def with_an_init(x, n):
    if n > 1:
        raise Coded(f"bad {n} {{", float(x[1]) * float("inf"), where=n)
    return x[0]


def quoted(x, n):
    if n > 1:
        raise Coded(f"it's {n}\n \\ \"{x[0]:.3f}\" {{}} é", "{}", where=(x[1], [n, x[0] > x[1]], -np.inf))
    return x[0]


def of_many_dtypes(x, k):
    if k > 1:
        raise Plain(k, x[0], x[1] * 1j, np.float32(x[0]), np.int8(k), k > 2, float(x[1]), complex(x[0], 2), len(x), np.argmax(x), np.float32(0.1), np.complex64(1 - 2j))
    return x[0]


def of_a_size(x, k):
    for i in range(len(x)):
        if x[i] > k:
            raise n(i, len(x), *[x[0]] * 30)
    return x[0]


def of_numpy(x, n):
    if n > 1:
        raise np.linalg.LinAlgError("singular", n)
    return x[0]


def of_exception(x, n):
    if n > 1:
        raise Exception(f"plain {n}")  # noqa: TRY002
    return x[0]


def on_two_paths(x, n):
    error = Both("late", n) if n > 2 else Both("early", 5)
    if n > 1:
        raise error
    return x[0]


def without_arguments(x, n):
    if n > 1:
        raise Plain
    if n == 1:
        raise Plain
    return x[0]


def by_a_helper(x, n):
    if n > 1:
        raise made(n) from None
    return x[0]


def always(x, n):
    raise Both("always", n)


def caught(x, n):
    try:
        if n > 2:
            raise Coded("too", n)
        if n > 1:
            raise Coded("too", 7)
        if n > 0:
            raise ValueError(1, 2)
    except Coded:
        return x[0] * 2
    except ValueError as error:
        return x[0] * 3 + error.args[1]
    return x[0]


def outcome(function, *args):
    """The result, or class, arguments and attributes of what is raised."""
    try:
        return function(*args)
    except Exception as error:
        kind = next(cls for cls in type(error).__mro__ if not issubclass(cls, S2SError))
        return kind, [(type(each), each) for each in error.args], {name: vars(error)[name] for name in ("code", "where") if name in vars(error)}, str(error)


PROGRAMS = (number, several, with_an_init, quoted, of_many_dtypes, of_a_size, of_numpy, of_exception, on_two_paths, without_arguments, by_a_helper, always, caught)
X = np.array([1.5, 2.0])


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_they_are_those_of_python(program, target):
    run = s2s.jit(program, target=target)
    for number in range(4):
        assert outcome(run, X, number) == outcome(program, X, number)
    assert "eval(" not in run.source(X, 3)


@pytest.mark.parametrize("program", [several, with_an_init, quoted], ids=lambda each: each.__name__)
def test_they_are_those_of_python_without_emitted_code(program):
    staged = stage(program, (X, 3))
    assert outcome(interpret, staged.function, X, 3) == outcome(program, X, 3)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e300, -0.0])
def test_numbers_that_have_no_digits(value, target):
    x = np.array([value, 2.0])
    assert repr(outcome(s2s.jit(quoted, target=target), x[::-1].copy(), 2)) == repr(outcome(quoted, x[::-1], 2))
    assert repr(outcome(s2s.jit(quoted, target=target), x, 2)) == repr(outcome(quoted, x, 2))


@pytest.mark.parametrize("program", [several, with_an_init, number], ids=lambda each: each.__name__)
def test_they_are_those_of_python_in_batches(program):
    wanted = outcome(program, X, np.int64(3))
    assert outcome(s2s.vmap(program, in_axes=(None, 0)), X, np.array([0, 3])) == wanted


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_they_are_those_of_python_in_modules_that_stand_alone(target, tmp_path):
    text = s2s.jit(several, target=target).source(X, 3)
    assert "eval(" not in text
    namespace = {}
    exec(compile(text.replace("cache=True, ", ""), tmp_path / "alone.py", "exec"), namespace)
    assert outcome(namespace["several_jit"], X, 3) == outcome(several, X, 3)
