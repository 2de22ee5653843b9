"""The choice of what is kept."""
import itertools
import random

from s2s.transforms.derivatives.reverse.mincut import cheapest_cut


def test_one_cheap_source_beats_two_results():
    assert cheapest_cut({"x": 8, "y": 8, "z": 8}, [("x", "y"), ("x", "z")], {"x"}, {"y", "z"}) == {"x"}


def test_nothing_lost_nothing_kept():
    assert cheapest_cut({"y": 8}, [], set(), {"y"}) == set()


def test_of_equal_cuts_the_one_nearest_the_demand():
    assert cheapest_cut({"x": 8, "y": 8}, [("x", "y")], {"x"}, {"y"}) == {"y"}


def separates(kept, edges, lost, demanded):
    reached = {vertex for vertex in lost if vertex not in kept}
    for _ in range(len(edges) + 1):
        reached |= {b for a, b in edges if a in reached and b not in kept}
    return not reached & demanded


def test_against_all_subsets():
    draw = random.Random(0)
    for _ in range(60):
        vertices = list(range(6))
        costs = {vertex: draw.randint(1, 9) for vertex in vertices}
        edges = [(a, b) for a, b in itertools.combinations(vertices, 2) if draw.random() < 0.4]
        lost, demanded = set(draw.sample(vertices[:3], 2)), set(draw.sample(vertices[3:], 2))
        kept = cheapest_cut(costs, edges, lost, demanded)
        best = min(
            sum(costs[vertex] for vertex in subset)
            for size in range(7) for subset in itertools.combinations(vertices, size) if separates(set(subset), edges, lost, demanded)
        )
        assert separates(kept, edges, lost, demanded)
        assert sum(costs[vertex] for vertex in kept) == best
