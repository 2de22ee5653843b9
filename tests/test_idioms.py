"""Idioms of Python: each program does what Python does (value, type, exception, what is printed, what becomes of its array), and its two derivatives are one."""
from __future__ import annotations

import contextlib
import copy
import inspect

import idiom_programs
import numpy as np
import pytest
from outcomes import check

import s2s
from s2s.errors import UnsupportedError

ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2), (np.array([1.5, 1.25, -2.0, 0.25, 0.3]), -1.3, 1), (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 0),
)  # fmt: skip
PROGRAMS = [value for value in vars(idiom_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters)[:3] == ["x", "y", "n"]]
GENERATORS = [program for program in PROGRAMS if program.__name__.startswith(("w_", "m_", "z_", "l_", "g_group"))]
OTHER_TYPE = {"w_return", "m_return", "m_raise", "c_contextmanager_raise", "g_next_default", "g_next_index", "w_two_sites", "w_try", "w_else_break", "z_inside_loop"}
"""A number is Python's on one path and NumPy's on the other, or there is none."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right_or_refused(program, capsys):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)
    for args in ARGUMENTS:
        printed = []
        for each in (program, s2s.jit(program, target="numpy")):
            capsys.readouterr()
            with contextlib.suppress(ValueError, KeyError):
                each(*copy.deepcopy(args))
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]


@pytest.mark.parametrize("program", GENERATORS, ids=lambda each: each.__name__)
def test_both_derivatives_are_one(program):
    x, y, n = ARGUMENTS[0]
    with s2s.disable_jit():
        x_bar, y_bar = s2s.grad(program, argnums=(0, 1))(x.copy(), y, n)
        _, dot = s2s.jvp(lambda v, w: program(v, w, n), (x.copy(), y), (np.cos(x), 0.3))
    assert np.isclose(np.sum(x_bar * np.cos(x)) + 0.3 * y_bar, dot, rtol=1e-11)


@pytest.mark.parametrize("program", [idiom_programs.w_break, idiom_programs.w_nested, idiom_programs.m_loop])
def test_compiled(program):
    check(program, "cpu", ARGUMENTS[:2], (), OTHER_TYPE)


def mutual(x, y, n):
    def one(k):
        return 1 if k == 0 else k - two(one(k - 1))

    def two(k):
        return 0 if k == 0 else k - one(two(k - 1))

    return one(int(x[0]) + 3) * y


def sizes_in_a_try(x, y, n):
    some = x[x > y]
    try:
        return (some + np.ones(4)).sum()
    except ValueError:
        return y


def cause_of_an_exception(x, y, n):
    try:
        raise KeyError("a") from ValueError("b")  # noqa: TRY301
    except KeyError as error:
        return 1.0 if error.__cause__ else 2.0


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_functions_that_call_each_other_inside_of_a_call(target):
    check(mutual, target, (*ARGUMENTS[:3], *((np.array([k + 0.2]), 2.0, 1) for k in (-2, 0, 5, 9))), ())


@pytest.mark.parametrize(("program", "words"), [(cause_of_an_exception, "__cause__")])
def test_refused_at_the_line(program, words):
    with pytest.raises(UnsupportedError, match=words) as caught:
        s2s.jit(program, target="numpy")(*ARGUMENTS[0])
    assert caught.value.where.file == __file__


def test_sizes_that_only_the_run_knows_are_no_error_of_the_users_in_a_try():
    run = s2s.jit(sizes_in_a_try, target="numpy")
    x = np.arange(6.0)
    assert run(x, 1.5, 4) == sizes_in_a_try(x, 1.5, 4)
    with pytest.raises(NotImplementedError, match="does not know these sizes"):
        run(x, 2.5, 4)


def failing_in_the_body(x, y, n):
    total = 0.0
    for _, value in idiom_programs.gens(x):
        total += value
        total += x[n + 9]
    return total


def test_an_error_in_the_body_is_told_at_its_own_line():
    with pytest.raises(IndexError) as caught:
        s2s.jit(failing_in_the_body, target="numpy")(*ARGUMENTS[0])
    line = caught.traceback[-1]
    assert "x[n + 9]" in str(line.statement)
