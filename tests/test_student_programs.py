"""Programs with lists of lists, objects chosen at run time, linked structures, queues and tables: values, types, exceptions and arguments as Python's, both derivatives; or refused at the user's line."""
from __future__ import annotations

import inspect

import numpy as np
import pytest
import student_programs
from outcomes import check

import s2s

EDGES = np.array([[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [1, 2], [4, 0]])
FEW = np.array([[0, 2], [2, 3], [0, 3], [3, 1]])
ARGUMENTS = (
    (np.array([0.5, -1.25, 2.0, 0.75, -0.3]), 0.7, 2, EDGES), (np.array([1.5, 1.25, -2.0, 0.25, 0.3, 0.9]), -1.3, 1, FEW),
    (np.array([-1.0, 0.1, 0.2, 3.0, 2.5]), 2.1, 0, FEW[:3].copy()),
)  # fmt: skip
PROGRAMS = [value for value in vars(student_programs).values() if inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["x", "y", "n", "edges"]]
POOLED = (
    "adjacency_degrees", "adjacency_sums", "breadth_first", "depth_first_stack", "dijkstra_weights", "topological_order", "page_rank", "groups_by_floor", "group_means", "buckets_in_lists",
    "ragged_rows", "row_is_an_alias", "inverted_index", "compressed_rows", "k_means_lists", "append_pairs", "lists_in_tuple", "particles_of_an_array", "particles_with_springs",
    "chosen_object", "heaviest", "cells_with_members", "accounts", "linked_list", "reversed_linked_list", "linked_queue", "search_tree", "tree_in_order", "welford_groups", "batches", "pools_of_two",
    "queue_of_jobs", "neighbours_as_sets", "nested_counts", "nested_defaults", "sparse_product", "trie",
)  # fmt: skip
"""What stands in pools: tested in each run, the others in turn."""
OTHER_TYPE = {"game_of_life_lists", "match_numbers", "run_lengths", "topological_order"}
"""A number is of one type at a point of the program, as of `int` on one path and `np.int64` on another (docs/design.md)."""
FLOATS = ("adjacency_sums", "group_means", "buckets_in_lists", "k_means_lists", "particles_with_springs", "chosen_object", "linked_list", "linked_queue", "search_tree", "welford_groups", "pools_of_two", "page_rank", "dijkstra_weights")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", [pytest.param(each, id=each.__name__, marks=[] if each.__name__ in POOLED[::3] else [pytest.mark.slow]) for each in PROGRAMS])
def test_right_or_refused(program):
    check(program, "numpy", ARGUMENTS, (), OTHER_TYPE)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", POOLED)
def test_compiled(name):
    check(getattr(student_programs, name), "cpu", ARGUMENTS, (), OTHER_TYPE)


def scalar(value):
    """The first float of a result."""
    return next(each for each in value if isinstance(each, float)) if isinstance(value, tuple) else value


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name if k % 4 == 1 else pytest.param(name, marks=pytest.mark.slow) for k, name in enumerate(FLOATS)])
def test_derivatives(name):
    program = getattr(student_programs, name)
    x, y, n, edges = ARGUMENTS[0]
    direction, step = np.linspace(0.3, -0.7, len(x)), 1e-6
    run = s2s.jit(lambda x, y: scalar(program(x, y, n, edges)), target="numpy")
    ends = [scalar(program(x + sign * step * direction, y + sign * step * 0.4, n, edges)) for sign in (1.0, -1.0)]
    x_bar, y_bar = s2s.grad(run, argnums=(0, 1))(x, y)
    tangent = s2s.jvp(run, (x, y), (direction, 0.4))[1]
    assert np.isclose(x_bar @ direction + 0.4 * y_bar, tangent, rtol=1e-10, atol=1e-12)
    assert np.isclose(tangent, (ends[0] - ends[1]) / (2.0 * step), rtol=1e-5, atol=1e-7)
