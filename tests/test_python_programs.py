"""Python's whole language: each program is right (value, type, exception, what is printed, what becomes of the arguments), or refused at the user's line."""
from __future__ import annotations

import copy
import inspect

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
    "try_zero", "try_ok", "try_fail", "try_index", "try_else_finally", "try_effects", "try_own", "try_linalg", "try_cholesky_jitter", "try_key",
    "try_static_attr", "try_finally_only", "try_message", "try_tuple", "try_reraise", "try_bare_raise", "try_in_loop", "try_import", "try_float_conv",
    "try_return_finally", "try_helper", "try_overflow", "raise_coded", "raise_two_args", "raise_fstring_array", "global_number", "global_read",
    "global_dict", "with_nullcontext", "with_suppress", "with_warnings", "with_own", "with_contextmanager", "with_printoptions", "reduce_array",
    "it_comb", "it_accumulate_array", "it_chain_arrays", "it_pairwise", "it_islice", "it_count_break", "it_takewhile", "wraps_grad", "gen_simple",
    "gen_loop", "gen_module", "gen_yield_from", "gen_next", "gen_state_loop", "gen_zip", "gen_list", "gen_fib_runtime", "gen_minibatch",
    "gen_two_yields_loop", "gen_method", "deque_runtime_queue", "heap_dijkstra", "tuple_list_runtime", "tuple_list_max", "print_rt", "print_fstring",
    "print_loop", "print_array", "print_percent", "print_format", "del_runtime_index", "pop_runtime_index", "set_seen_runtime", "list_insert",
    "list_item_store", "list_of_lists", "alias_flag", "alias_other", "alias_loop", "alias_asfloat", "alias_caller", "star_args", "class_local",
    "counter_static",
}  # fmt: skip
"""Programs that s2s does not read; the others must be right."""
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
        assert same(found, wanted), f"{found} instead of {wanted}"


def test_an_exception_class_of_the_users_is_raised_by_compiled_code():
    for program in (python_programs.raise_own, python_programs.raise_own_value):
        run = s2s.jit(program)
        assert run(np.zeros(3), 200.0, 1) == 200.0
        with pytest.raises(Exception, match=r"residual too large|bad y = 0.25") as caught:
            run(np.zeros(3), 0.25, 1)
        assert type(caught.value) in (python_programs.NotConverged, python_programs.MyValue)
