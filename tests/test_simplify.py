"""Simplification: what it removes, and what it must keep."""
import numpy as np
import pytest
import scipy.stats
from staging import stage

import s2s
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Call, Check, Equation, If, Literal, walk, with_each_changed
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.simplify.simplification import simplify


def simple(fun, *args):
    return simplify(stage(fun, args).function)


def primitives(function):
    return [node.primitive.name for node in walk(function.body) if isinstance(node, Equation)]


def unused(x):
    y = 0.0
    for i in range(3):
        y = y + np.sin(x) + i
    return x * 2.0 if y is not None else x


def test_dead_loops_go():
    assert primitives(simple(unused, 1.0)) == ["mul"]


def flagged(x, limit):
    """Flags that are the opposite of a test, or of another flag."""
    total, missed = 0.0, 0
    for v in x:
        if v < limit:
            is_over = False
        else:
            is_over = True
        is_under = not is_over
        if is_under:
            total = total + v
        if is_over:
            missed = missed + 1
        if not is_under:
            total = total - limit
    return total, missed


def test_flags_are_the_tests_that_they_were_set_by():
    function = simple(flagged, np.ones(3), 2.0)
    assert len({node.test for node in walk(function.body) if isinstance(node, If)}) == 1
    assert "logical_not" not in primitives(function)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_branches_on_a_test_and_its_opposite_are_one(target):
    run, x = s2s.jit(flagged, target=target), np.array([0.5, 3.0, 1.0, 2.0, np.nan])
    text = run.lower(x, 2.0).as_text()
    loop = [line.strip() for line in text[text.index("    for index_1") :].partition("    return")[0].splitlines()]
    assert [line for line in loop if line.startswith(("if ", "else:"))] == ["if less:", "else:"]
    for values, limit in ((x[:4], 2.0), (x[:4], -1.0), (x[:0], 1.0)):
        assert run(values, limit) == flagged(values, limit)
    assert np.isnan(run(x, 2.0)[0]) == np.isnan(flagged(x, 2.0)[0])
    assert np.array_equal(s2s.grad(lambda x: flagged(x, 2.0)[0])(x[:4]), [1.0, 0.0, 1.0, 0.0])


def checked(x):
    if x < 0.0:
        raise ValueError("negative")
    return 1.0


def test_what_can_raise_stays():
    function = simple(checked, 1.0)
    assert any(isinstance(node, Check) for node in walk(function.body))
    with pytest.raises(ValueError, match="negative"):
        interpret(function, -1.0)


def repeated(x):
    return np.sin(x) * 2.0 + np.sin(x)


def test_common_subexpressions_are_computed_once():
    assert primitives(simple(repeated, 1.0)).count("sin") == 1


def zero_added(x):
    return x + 0.0


def test_adding_zero_is_kept_for_its_sign():
    assert primitives(simple(zero_added, 1.0)) == ["add"]
    assert not np.signbit(interpret(simple(zero_added, 1.0), -0.0)[0])


def accumulate(a, v):
    a[1] = a[1] - v
    return a[1]


def test_a_read_and_store_of_one_element_is_an_addition():
    function = simple(accumulate, np.ones(3), 2.0)
    assert "additem" in primitives(function)
    assert interpret(function, np.ones(3), 2.0)[0] == -1.0


def repeated_positions(a, k):
    a[k] = a[k] + 1.0
    return a


def test_repeated_positions_keep_numpys_last_write():
    k = np.array([0, 0, 2])
    assert interpret(simple(repeated_positions, np.zeros(3), k), np.zeros(3), k)[0].tolist() == [1.0, 0.0, 1.0]


def helper(x, y):
    return x * x, np.sin(y)


def one_result(x, y):
    return helper(x, y)[0]


def test_calls_lose_what_nobody_reads():
    function = simple(one_result, 2.0, 3.0)
    call = next(node for node in function.body.nodes if isinstance(node, Call))
    assert len(call.outs) == len(call.ins) == 1
    assert not any(isinstance(atom, Literal) for atom in call.ins)


def looked_up(i, x):
    bc = {0: 1.0, 3: 2.0}
    return bc[i] * x if i in bc else x


def both(i, x):
    ends = {0: 1.0, 3: 2.0}
    if i in ends and x > 0.0:
        if x > 0.0:
            return ends[i] * x
        return -1.0
    return x


def neither(i, x):
    ends = {0: 1.0, 3: 2.0}
    if not (i in ends or x > 0.0):
        return x if i in ends else -x
    return x + 1.0


def unguarded(i, x):
    bc = {0: 1.0, 3: 2.0}
    return bc[i] * x if x > 0.0 else bc[i]


def twice(i, x):
    bc = {0: 1.0, 3: 2.0}
    return bc[i] * x + bc[i]


@pytest.mark.parametrize(("fun", "checks"), [(looked_up, 0), (both, 0), (neither, 0), (unguarded, 2), (twice, 1)])
def test_what_a_branch_proves_is_not_checked_again(fun, checks):
    """A check of what the branch around it, or a check before it, has shown."""
    function = simple(fun, 0, 2.0)
    assert sum(isinstance(node, Check) for node in walk(function.body)) == checks
    for i in (0, 3, 1):
        for x in (2.0, -2.0):
            try:
                wanted = fun(i, x)
            except KeyError as error:
                with pytest.raises(KeyError, match=str(error)):
                    interpret(function, i, x)
                continue
            assert interpret(function, i, x)[0] == wanted


def loops_and_branches(x, a):
    total = 0.0
    for i in range(len(a)):
        if a[i] > x:
            total = total + np.sin(a[i]) * scaled(x, a[i])
        while total > 10.0:
            total = total / 2.0
    return total


def scaled(x, y):
    for _ in range(3):
        y = y * x
    return y


@pytest.mark.parametrize("fun, args", [(loops_and_branches, (1.0, np.ones(3))), (unused, (1.0,)), (checked, (1.0,)), (repeated, (1.0,))])
def test_what_is_simple_stays_the_very_same(fun, args):
    """What rewrites leave alone is the same object, so that nobody looks at it again."""
    function = simple(fun, *args)
    assert simplify(function) is function
    assert with_each_changed(function, lambda each: each) is function
    assert Substitution(renew=False).block(function.body) is function.body


CONSTANTS = (0.0, -0.0, 1.0, -1.0, 2.0)
OPERATIONS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "where": lambda a, b: np.where(a > 0.0, a, b), "and": lambda a, b: np.where(np.logical_and(a > 0.5, b > 0.5), a, b),
    "or": lambda a, b: np.where(np.logical_or(a > 0.5, b > 0.5), b, a),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", OPERATIONS)
def test_constants_change_no_number(name, dtype):
    """With each constant on each side, of zeros of both signs, inf and nan: the bits."""
    operation = OPERATIONS[name]
    x = np.array([0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan], dtype)
    for value in CONSTANTS:
        constant = dtype(value)
        for function in (lambda x, c=constant: operation(x, c), lambda x, c=constant: operation(c, x), lambda x, c=constant: operation(operation(c, c), x)):
            with np.errstate(all="ignore"):
                wanted, found = function(x), s2s.jit(function, target="numpy")(x)
            np.testing.assert_array_equal(found, wanted)
            numbers = ~np.isnan(wanted)
            assert np.array_equal(np.signbit(found)[numbers], np.signbit(wanted)[numbers])
            assert found.dtype == wanted.dtype


def test_what_constants_give_is_written_as_a_number():
    """np.gradient's steps are 1.0 and 2.0, a distribution's location 0.0 and its scale 1.0."""
    x = np.linspace(0.1, 2.0, 7)
    text = s2s.grad(lambda x: np.sum(np.gradient(x))).source(x) + s2s.grad(lambda x: np.sum(scipy.stats.gamma.logpdf(x, 2.0))).source(x)
    for spurious in ("1.0 / 2.0", "/ 1.0", "* 1.0", "True &", "& True", "if True", "- 0.0", "pack"):
        assert spurious not in text, spurious
