"""Objects of the user's classes, enums and identity: what Python gives, or a refusal at the user's line; nothing else."""
from __future__ import annotations

import copy
import inspect
import warnings

import numpy as np
import object_programs
import pytest

import s2s
from s2s.errors import S2SError, UnsupportedError

ARGUMENTS = ((1.5, np.array([1.0, 2.0, 3.0]), 2), (-0.5, np.array([-1.0, 2.0, 3.0]), 5))
PROGRAMS = [value for value in vars(object_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "a", "n"]]
REFUSED = {
    "of_enum_rt", "of_getall", "of_if_is", "of_is_elem", "of_is_int", "of_is_list", "of_is_npbool", "of_is_view2", "of_is_view4", "of_is_view5", "of_meta", "of_mylist", "of_new",
    "of_v_and", "of_v_arr_right", "of_v_np_right",
}  # fmt: skip
"""Programs that s2s does not read; the others must be right."""


def outcome(function, args):
    """What a call gives, or raises, and its arguments afterwards."""
    mine = copy.deepcopy(args)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*mine), mine
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001 whatever Python raises, s2s must raise it too
        kinds = [cls for cls in type(error).__mro__ if not issubclass(cls, S2SError)]
        return kinds[0], getattr(error, "what", str(error))


def same(found, wanted):
    if type(found) is not type(wanted):
        return False
    if isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if type(wanted).__module__ == "object_programs" and hasattr(wanted, "__dict__"):
        return same(list(vars(found).items()), list(vars(wanted).items())) if not isinstance(wanted, object_programs.enum.Enum) else found is wanted
    return np.array_equal(found, wanted) if isinstance(wanted, np.ndarray) else found == wanted


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right_or_refused(program):
    for args in ARGUMENTS:
        run = s2s.jit(program, target="numpy")
        if program.__name__ in REFUSED:
            with pytest.raises(UnsupportedError) as caught:
                run(*copy.deepcopy(args))
            assert caught.value.where.line
            for name in ("ObjectRef", "ListRef", "Var", "View", "Outside", "Closure", "Literal"):
                assert name not in str(caught.value)
        else:
            found, wanted = outcome(run, args), outcome(program, args)
            assert same(found, wanted), (found, wanted)
