"""Programs that lean on Python's objects: values of calls one after the other, both derivatives; or refused at the user's line."""
from __future__ import annotations

import copy
import importlib.util
import inspect
import itertools
import sys
from functools import partial
from pathlib import Path

import laboratory_programs
import numpy as np
import pytest
from outcomes import outcome, same
from turns import in_turn

import s2s
from s2s.errors import UnsupportedError

ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2), (np.array([1.5, 1.25, -2.0, 0.25, 0.3]), -1.3, 1),
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 2.1, 0), (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 2),
)  # fmt: skip
REFUSED = {
    "class_list_shared",
    "mutable_default",
    "phases_by_a_table", "shape_of_the_callers_array", "shape_that_another_name_sees", "number_of_an_id",
}  # fmt: skip
"""Programs that s2s does not read; the others must be right."""
OTHER_TYPE = {"descriptors_that_check"}
"""Programs that give NumPy's number on one path and Python's on another."""
PROGRAMS = [name for name, value in vars(laboratory_programs).items() if inspect.isfunction(value) and list(inspect.signature(value).parameters)[:3] == ["x", "y", "n"]]
NUMBERS = itertools.count()


def fresh(name):
    """The function in a module of its own, with what stands outside as it is at first."""
    spec = importlib.util.spec_from_file_location(f"laboratory_{next(NUMBERS)}", Path(laboratory_programs.__file__))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_right_or_refused(name):
    ours, plain = s2s.jit(fresh(name), target="numpy"), fresh(name)
    if name in REFUSED:
        with pytest.raises(UnsupportedError) as caught:
            ours(*copy.deepcopy(ARGUMENTS[0]))
        assert caught.value.where.file == laboratory_programs.__file__
        return
    for args in ARGUMENTS:
        found, wanted = outcome(ours, args), outcome(plain, args)
        assert same(found, wanted) if name not in OTHER_TYPE else all(map(partial(same, types=False), found, wanted)), f"{found} instead of {wanted}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", in_turn([name for name in PROGRAMS if name not in REFUSED], 3, 2))
def test_derivatives(name):
    x, y, n = ARGUMENTS[1]
    step, direction = 1e-6, np.array([0.3, -0.2, 0.5, 1.0, 0.7])
    ends = [outcome(fresh(name), (x + sign * step * direction, y + sign * step * 0.4, n)) for sign in (1.0, -1.0)]
    if isinstance(ends[0][0][1], str):
        return
    slope = (ends[0][0][1] - ends[1][0][1]) / (2.0 * step)
    x_bar, y_bar = s2s.grad(s2s.jit(fresh(name), target="numpy"), argnums=(0, 1))(x, y, n)
    function = fresh(name)
    tangent = s2s.jvp(lambda x, y: function(x, y, n), (x, y), (direction, 0.4))[1]
    assert np.isclose(x_bar @ direction + 0.4 * y_bar, tangent, rtol=1e-10, atol=1e-10)
    assert np.isclose(tangent, slope, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("wrong", [
    lambda x: len(x, 1), lambda x: sorted(x, foo=2), lambda x: isinstance(x), lambda x: list(1, 2), lambda x: hash(), lambda x: enumerate(), lambda x: getattr(x),
    lambda x: zip(x, foo=1), lambda x: reversed(), lambda x: len(obj=x),
])  # fmt: skip
def test_wrong_calls_of_builtins_have_pythons_words(wrong):
    with pytest.raises(TypeError) as said:
        wrong(np.ones(3))
    with pytest.raises(TypeError) as found:
        s2s.jit(wrong, target="numpy")(np.ones(3))
    assert found.value.what == str(said.value)


def test_a_call_that_only_python_takes_is_refused():
    with pytest.raises(UnsupportedError, match="type of 3 arguments"):
        s2s.jit(lambda x: type("B", (), {}), target="numpy")(np.ones(3))
