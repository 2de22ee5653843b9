"""Python's whole language: each program is right (value, type, exception, what is printed, what becomes of the arguments), or refused at the user's line."""
from __future__ import annotations

import copy
import inspect
import math

import numpy as np
import pytest
import python_programs

import s2s
from s2s.errors import S2SError, UnsupportedError

ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2), (np.array([1.5, 1.25, -2.0, 0.25, 0.3]), -1.3, 1), (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 0),
)  # fmt: skip
PROGRAMS = [value for value in vars(python_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters)[:3] == ["x", "y", "n"]]
REFUSED = {
    "lambdas_in_a_generator", "a_list_extended_by_what_changes_it", "a_star_in_front_of_a_grown_list_that_changes", "an_iterator_that_changes_the_list_that_it_extends", "an_iterator_that_changes_the_list_that_it_is_stored_into",
}
"""Programs that s2s does not read; the others must be right."""
OTHER_WORDS = {"raise_fstring_array": "x = <float64 array of shape (5,)>"}
"""Arrays in the text of an exception are told by dtype and shape (docs/kinks.md)."""
SUM_OF_NOTHING = {"gen_fib_runtime", "it_takewhile"}
"""The sum over nothing is a float where the items would be (docs/kinks.md)."""
GLOBALS = {name: value for name, value in vars(python_programs).items() if name.isupper()}


@pytest.fixture(autouse=True)
def same_globals():
    """Each call begins with the module's globals as they were."""
    yield from _restored()


def _restored():
    before = copy.deepcopy(GLOBALS)
    yield
    vars(python_programs).update(before)


def outcome(function, args, capsys):
    """What a call gives or raises, prints, and its array afterwards; the globals are put back."""
    before, mine = copy.deepcopy(GLOBALS), copy.deepcopy(args)
    capsys.readouterr()
    try:
        result = function(*mine)
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001 whatever Python raises, s2s must raise it too
        kinds = [cls for cls in type(error).__mro__ if not issubclass(cls, S2SError)]
        result = kinds[0], getattr(error, "what", str(error))
    vars(python_programs).update(before)
    return result, mine[0], capsys.readouterr().out


def same(found, wanted):
    (result, array, printed), (other, afterwards, said) = found, wanted
    alike = result == other if isinstance(other, tuple) else type(result) is type(other) and np.allclose(result, other, equal_nan=True)
    return alike and np.array_equal(array, afterwards) and printed == said


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right_or_refused(program, capsys):
    run = s2s.jit(program, target="numpy")
    for args in ARGUMENTS:
        if program.__name__ in REFUSED:
            with pytest.raises(UnsupportedError) as caught:
                outcome(run, args, capsys)
            assert caught.value.where.line
            continue
        wanted = outcome(program, args, capsys)
        found = outcome(run, args, capsys)
        if program.__name__ in SUM_OF_NOTHING and wanted[0] == 0 == found[0]:
            continue
        if program.__name__ in OTHER_WORDS and wanted[0][0] is ValueError:
            wanted = ((ValueError, OTHER_WORDS[program.__name__]), *wanted[1:])
        assert same(found, wanted), f"{found} instead of {wanted}"


def test_an_exception_class_of_the_users_is_raised_by_compiled_code():
    for program in (python_programs.raise_own, python_programs.raise_own_value):
        run = s2s.jit(program)
        assert run(np.zeros(3), 200.0, 1) == 200.0
        with pytest.raises(Exception, match=r"residual too large|bad y = 0.25") as caught:
            run(np.zeros(3), 0.25, 1)
        assert type(caught.value) in (python_programs.NotConverged, python_programs.MyValue)


def try_smooth(x, y):
    s = 0.0
    for v in x:
        try:
            s += math.log(v * y)
        except ValueError:
            s += v * v
    try:
        lower = np.linalg.cholesky(np.array([[y, x[0]], [x[0], 1.0]]))
    except np.linalg.LinAlgError:
        lower = np.array([[y * y, 0.0], [x[1], 1.0]])
    return s + np.sum(lower)


@pytest.mark.parametrize("y", [2.0, 0.25])
def test_what_a_try_catches_is_differentiated_and_compiled(y):
    x = np.array([0.75, -0.5, 1.25])
    run = s2s.jit(try_smooth)
    assert np.allclose(run(x, y), try_smooth(x, y), rtol=1e-13)
    s2s.check_grads(try_smooth, (x, y), order=1)
    value, (x_bar, _) = s2s.value_and_grad(try_smooth, argnums=(0, 1))(x, y)
    step = 1e-6 * np.array([1.0, -2.0, 0.5])
    assert np.isclose((try_smooth(x + step, y) - try_smooth(x - step, y)) / 2, x_bar @ step, rtol=1e-6)
    assert np.isclose(value, try_smooth(x, y))
