"""Dicts and sets in dicts, lists and objects whose keys only the run knows: values, types, order and exceptions as Python's, both derivatives."""
from __future__ import annotations

import inspect

import nested_table_programs
import numpy as np
import pytest
from outcomes import check
from turns import in_turn

import s2s

EDGES = np.array([[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [1, 2], [4, 0]])
FEW = np.array([[0, 2], [2, 3], [0, 3], [3, 1]])
MANY = np.concatenate((FEW[:3], EDGES, EDGES + 3, FEW + 2, np.arange(80).reshape(40, 2) % 17))
ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2, EDGES), (np.array([1.5, 1.25, -2.0, 0.25, 0.3, 0.9]), -1.3, 1, FEW),
    (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 0, MANY),
)  # fmt: skip
PROGRAMS = [value for value in vars(nested_table_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "y", "n", "edges"]]
OTHER_TYPE = {"popped", "deleted_keys"}
"""A number is of one type at a point of the program (docs/design.md)."""
FLOATS = ("graph_of_dicts", "dicts_in_a_list", "prim", "values_change_meanwhile", "graph_object", "matrix_product", "trie_of_objects", "nested_get", "tuple_keys_inside", "helper_changes_a_row")


_DEAR = ("prim", "transposed", "ordered_rows", "grows_while_gone_through", "trie_of_objects")
DEAR = [*_DEAR, *(getattr(nested_table_programs, name) for name in _DEAR)]
"""Those that take seconds to read."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", in_turn(PROGRAMS, 3, 1, DEAR), ids=lambda each: each.__name__)
def test_right(program):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", in_turn(PROGRAMS, 12, 1, DEAR), ids=lambda each: each.__name__)
def test_compiled(program):
    check(program, "cpu", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", in_turn(FLOATS, 5, 1, DEAR))
def test_derivatives(name):
    program = getattr(nested_table_programs, name)

    def total(x, y):
        found = program(x, y, 2, EDGES)
        return np.sum(found[0] if isinstance(found, tuple) else found)

    with s2s.disable_jit():
        s2s.check_grads(total, (ARGUMENTS[0][0], 0.7), order=1)
        x_bar, y_bar = s2s.grad(total, argnums=(0, 1))(ARGUMENTS[0][0], 0.7)
        _, total_dot = s2s.jvp(total, (ARGUMENTS[0][0], 0.7), (np.ones(5), 1.0))
    np.testing.assert_allclose(np.sum(x_bar) + y_bar, total_dot, rtol=1e-12)
