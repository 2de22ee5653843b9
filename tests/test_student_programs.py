"""Programs with lists of lists, objects chosen at run time, linked structures, queues and tables: values, types, exceptions and arguments as Python's, both derivatives; or refused at the user's line."""
from __future__ import annotations

import copy
import inspect

import numpy as np
import pytest
import student_programs

import s2s
from s2s.errors import S2SError, UnsupportedError

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
    "queue_of_jobs",
)  # fmt: skip
"""What stands in pools: tested in each run, the others in turn."""
REFUSED = {
    "union_find", "neighbours_as_sets", "path_back", "floyd_warshall", "greedy_colouring", "bucket_sort", "triangle_of_pascal", "text_keys", "text_keys_counted",
    "text_groups", "nested_counts", "nested_defaults", "sparse_product", "linked_cells", "sort_by_count", "transposed_lists", "tree_recursively", "trie", "optimiser",
    "counted_states", "merged_intervals", "merged_intervals_lists", "game_of_life_sets", "fibonacci_memo", "fibonacci_recursive", "factorial_recursive",
    "power_by_squaring", "euclid", "ackermann", "adaptive_simpson", "quicksort_in_place", "collatz", "flood_fill", "decision_tree", "own_iterator", "own_iterator_loop",
    "iterates_by_generator", "iterates_by_getitem", "generator_with_send", "value_of_yield_from", "context_manager", "suppressing_context", "match_shapes", "dispatched",
    "grouped_runs", "run_lengths", "minimum_pair", "any_all", "set_operations", "bank_of_queues", "priority_classes", "subsets", "newton_history", "records_changed",
    "split_runs",
}  # fmt: skip
"""Programs that s2s does not read; the others must be right."""
OTHER_TYPE = {"game_of_life_lists", "match_numbers", "topological_order"}
"""A number is of one type at a point of the program, as of `int` on one path and `np.int64` on another (docs/design.md)."""
FLOATS = ("adjacency_sums", "group_means", "buckets_in_lists", "k_means_lists", "particles_with_springs", "chosen_object", "linked_list", "linked_queue", "search_tree", "welford_groups", "pools_of_two", "page_rank", "dijkstra_weights")


def shown(value):
    """A result with the classes in it, in order."""
    if isinstance(value, dict):
        return type(value), [(shown(key), shown(item)) for key, item in value.items()]
    if isinstance(value, tuple | list):
        return type(value), [shown(item) for item in value]
    if isinstance(value, np.ndarray):
        return np.ndarray, value.dtype, value.tolist()
    return type(value), value


def outcome(function, args):
    """What a call gives or raises, and its arrays afterwards."""
    args = copy.deepcopy(args)
    try:
        result = shown(function(*args))
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001 whatever Python raises, s2s must raise it too
        kind = next(cls for cls in type(error).__mro__ if not issubclass(cls, S2SError))
        result = kind, str(getattr(error, "what", error)).strip("'")
    return result, args[0].tolist(), args[3].tolist()


def same(one, two, *, types=True):
    if not types and isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], type) and not isinstance(one[1], list):
        return bool(np.isclose(one[1], two[1], rtol=1e-12))
    if isinstance(one, tuple | list):
        return type(one) is type(two) and len(one) == len(two) and all(same(a, b, types=types) for a, b in zip(one, two, strict=True))
    return one == two or isinstance(one, float) and bool(np.isclose(one, two, rtol=1e-12, equal_nan=True))


def check(program, target):
    run = s2s.jit(program, target=target)
    for args in ARGUMENTS:
        if program.__name__ in REFUSED:
            with pytest.raises(UnsupportedError) as caught:
                run(*copy.deepcopy(args))
            assert caught.value.where.line
            return
        found, wanted = outcome(run, args), outcome(program, args)
        assert same(found, wanted, types=program.__name__ not in OTHER_TYPE), f"{found} instead of {wanted}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", [pytest.param(each, id=each.__name__, marks=[] if each.__name__ in POOLED[::3] else [pytest.mark.slow]) for each in PROGRAMS])
def test_right_or_refused(program):
    check(program, "numpy")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", POOLED)
def test_compiled(name):
    check(getattr(student_programs, name), "cpu")


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
