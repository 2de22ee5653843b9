"""Programs with containers of run-time values: values, types, exceptions and arguments as Python's, both derivatives."""
from __future__ import annotations

import inspect

import container_programs
import heap_programs
import list_programs
import numpy as np
import pytest
from outcomes import check
from turns import in_turn

import s2s

CALLS = (
    {
        "A": [[2.0, -1.0, 0.5], [4.0, 3.0, -2.0], [-1.0, 0.7, 5.0]], "v": [0.3, -1.2, 2.2], "x": np.array([0.5, -1.25, 2.0, 0.75, -0.3]), "u": np.array([0.4, 1.9, -0.2, 0.7]),
        "y": 0.7, "n": 2, "edges": np.array([[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [1, 2]]), "k": np.array([3, 1, 2, 1, 1, 5, 2]),
    },
    {
        "A": [[0.1, 3.0, 1.5], [2.0, -3.0, 2.0], [1.0, 1.7, -5.0]], "v": [3.3, 1.2, -0.2], "x": np.array([1.5, 1.25, -2.0, 0.25, 0.3, 0.9]), "u": np.array([1.4, 0.9, 1.2]),
        "y": -1.3, "n": 1, "edges": np.array([[0, 2], [2, 3], [0, 3], [3, 1]]), "k": np.array([2, 2, 2, 4, 0, 1]),
    },
    {
        "A": [[1.0, 1.0, 1.0], [2.0, 1.0, 0.0], [3.0, 1.0, 4.0]], "v": [1.0, 1.0, 1.0], "x": np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), "u": np.array([1.4, 0.9, 1.2, 0.0, 2.0]),
        "y": 2.1, "n": 0, "edges": np.array([[0, 2], [2, 3], [0, 4]]), "k": np.array([1, 7]),
    },
)  # fmt: skip
REFUSED = {"columns_of_rows_that_change"}
"""Programs that s2s does not read; the others must be right."""
OTHER_TYPE = {"c6", "c12", "r3", "inventory_of_texts", "rows_from_second", "coin_change", "topo_sort", "deque_of_found", "found_lists_compared", "best_or_default", "columns_as_lists", "records_changed", "records_sorted", "records_filtered", "record_used_as_dict", "records_moved", "cells_counted", "events_by_enumeration", "parents_or_none", "events_in_dicts"}
"""A number is of one type at a point of the program (docs/design.md)."""
PROGRAMS = [each for module in (container_programs, list_programs, heap_programs) for each in vars(module).values() if inspect.isfunction(each) and each.__module__ == module.__name__ and inspect.signature(each).parameters.keys() <= CALLS[0].keys()]
DIFFERENTIATED = ("c6", "c9", "c11", "c19", "det_gauss", "run_time_cell", "fn_table", "max_pair", "dijkstra_heap_static", "balls_pairs", "weights_in_lists", "moments_updated", "particles_in_dicts", "groups_of_records", "events_by_enumeration", "places_in_a_heap", "bodies_as_an_array", "best_in_a_dict", "bests_of_rounds", "prices_by_two_texts", "actions_in_a_table")


def arguments(program, call):
    return tuple(call[name] for name in inspect.signature(program).parameters)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", in_turn(PROGRAMS, 2, 1), ids=lambda each: each.__name__)
def test_right_or_refused(program):
    check(program, "numpy", tuple(arguments(program, call) for call in CALLS), REFUSED, OTHER_TYPE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", in_turn(PROGRAMS, 16, 5), ids=lambda each: each.__name__)
def test_compiled(program):
    check(program, "cpu", tuple(arguments(program, call) for call in CALLS), REFUSED, OTHER_TYPE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", in_turn(DIFFERENTIATED, 3, 1))
def test_derivatives(name):
    program = next(each for each in PROGRAMS if each.__name__ == name)
    s2s.check_grads(program, arguments(program, CALLS[0]), order=1)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize("program", [list_programs.printed_containers, list_programs.printed_containers_that_hold_themselves])
def test_containers_look_as_in_python(program, target, capsys):
    x = np.array([0.5, -1.25, 2.0])
    result = program(x)
    wanted = capsys.readouterr().out
    assert s2s.jit(program, target=target)(x) == result
    assert capsys.readouterr().out == wanted
