"""Lists in lists, and objects chosen at run time: who sees a change, as in Python; or refused at the user's line."""
from __future__ import annotations

import inspect

import numpy as np
import pool_programs
import pytest
from outcomes import check

ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2), (np.array([1.5, 1.25, -2.0, 0.25, 0.3]), -1.3, 1), (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 0),
)  # fmt: skip
OTHER_TYPE = {"edits", "obj_in_obj", "list_store"}
"""A Python number in a list or attribute that holds NumPy's is one of these (docs/design.md)."""
PROGRAMS = [value for value in vars(pool_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "y", "n"]]


@pytest.mark.parametrize("program", [pytest.param(each, id=each.__name__, marks=[] if k % 3 == 0 or "list_" in each.__name__ else pytest.mark.slow) for k, each in enumerate(PROGRAMS)])
def test_right_or_refused(program):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.parametrize("name", [pytest.param(each.__name__, marks=pytest.mark.slow) for each in PROGRAMS])
def test_compiled(name):
    check(getattr(pool_programs, name), "cpu", ARGUMENTS, (), OTHER_TYPE)
