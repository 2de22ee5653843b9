"""Lists in lists, and objects chosen at run time: who sees a change, as in Python; or refused at the user's line."""
from __future__ import annotations

import copy
import inspect

import numpy as np
import pool_programs
import pytest

import s2s
from s2s.errors import S2SError, UnsupportedError

ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2), (np.array([1.5, 1.25, -2.0, 0.25, 0.3]), -1.3, 1), (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 0),
)  # fmt: skip
REFUSED = {
    "shallow", "arr_inplace", "arr_inplace2", "shared_arr", "arr_alias", "in_list", "out_of_range", "edits", "three", "grow_in_loop", "len_in_loop", "ints", "row_read",
}  # fmt: skip
"""Programs that s2s does not read; the others must be right."""
OTHER_TYPE = {"obj_in_obj", "list_store"}
"""A Python number in a list or attribute that holds NumPy's is one of these (docs/design.md)."""
PROGRAMS = [value for value in vars(pool_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "y", "n"]]


def outcome(function, args):
    """What a call gives or raises, and its array afterwards."""
    args = copy.deepcopy(args)
    try:
        result = function(*args)
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001 whatever Python raises, s2s must raise it too
        result = next(cls.__name__ for cls in type(error).__mro__ if not issubclass(cls, S2SError)), str(getattr(error, "what", error))
    return result, args[0].tolist()


def same(one, two, *, types):
    if isinstance(one, tuple | list):
        return type(one) is type(two) and len(one) == len(two) and all(same(a, b, types=types) for a, b in zip(one, two, strict=True))
    if isinstance(one, str):
        return one == two
    return (type(one) is type(two) or not types) and bool(np.isclose(one, two, rtol=1e-12))


def check(program, target):
    run = s2s.jit(program, target=target)
    for args in ARGUMENTS:
        if program.__name__ in REFUSED:
            with pytest.raises(UnsupportedError):
                run(*copy.deepcopy(args))
            return
        found, wanted = outcome(run, args), outcome(program, args)
        assert same(found, wanted, types=program.__name__ not in OTHER_TYPE), f"{found} instead of {wanted}"


@pytest.mark.parametrize("program", [pytest.param(each, id=each.__name__, marks=[] if k % 3 == 0 or "list_" in each.__name__ else pytest.mark.slow) for k, each in enumerate(PROGRAMS)])
def test_right_or_refused(program):
    check(program, "numpy")


@pytest.mark.parametrize("name", [pytest.param(each.__name__, marks=pytest.mark.slow) for each in PROGRAMS if each.__name__ not in REFUSED])
def test_compiled(name):
    check(getattr(pool_programs, name), "cpu")
