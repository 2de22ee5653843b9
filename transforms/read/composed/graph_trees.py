"""scipy.sparse.csgraph: the order of a search in breadth or depth, and trees: of a search, of least weight (Kruskal 1956)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.graphs import _edges
from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.composed.sparse_matrices import Compressed, Coordinates

NOBODY = -9999
"""The predecessor of a node that has none."""


def _neighbours(name, csgraph):
    """Which nodes an edge leads to from each; those of compressed rows must stand in their order, in which they are gone through."""
    if isinstance(csgraph, Compressed) and not csgraph.turned:
        row, column = csgraph._coordinates()
        if np.any((row[1:] == row[:-1]) & (column[1:] <= column[:-1])):
            raise NotImplementedError(f"scipy.sparse.csgraph.{name} of compressed rows whose columns are not in order is not supported")
    return np.isfinite(constant(_edges(name, csgraph)))


def _searched(name, csgraph, i_start, directed, deep):
    """The nodes in the order in which they are reached, and the one before each."""
    near = _neighbours(name, csgraph)
    n = near.shape[0]
    choices = near if directed else np.concatenate((near, near.T), axis=1)
    nodes, before, seen = np.zeros(n, np.int32), np.full(n, NOBODY, np.int32), np.zeros(n, bool)
    path, following = np.zeros(n, np.int64), np.zeros(n, np.int64)
    nodes[0], path[0] = i_start, i_start
    seen[nodes[0]] = True
    count, first, last = 1, 0, 1
    while last > first:
        node = path[last - 1] if deep else path[first]
        if following[node] == choices.shape[1]:
            first, last = (first, last - 1) if deep else (first + 1, last)
        else:
            place = following[node]
            following[node] = place + 1
            other = place % n
            if choices[node, place] and not seen[other]:
                seen[other] = True
                nodes[count], before[other], path[last] = other, node, other
                count += 1
                last += 1
    return nodes[:count], before


def breadth_first_order(csgraph, i_start, directed=True, return_predecessors=True):
    """scipy.sparse.csgraph.breadth_first_order: nodes in the order in which they are reached, nearest ones first."""
    nodes, before = _searched("breadth_first_order", csgraph, i_start, directed, False)
    return (nodes, before) if return_predecessors else nodes


def depth_first_order(csgraph, i_start, directed=True, return_predecessors=True):
    """scipy.sparse.csgraph.depth_first_order."""
    nodes, before = _searched("depth_first_order", csgraph, i_start, directed, True)
    return (nodes, before) if return_predecessors else nodes


def _sparse(kept, lengths, csgraph):
    """The edges that are kept, in compressed rows."""
    row, column = np.nonzero(kept)
    return Coordinates(lengths[row, column], row, column, lengths.shape, isinstance(csgraph, Sparse) and csgraph.starred, "coo", True).tocsr()


def reconstruct_path(csgraph, predecessors, directed=True):
    """scipy.sparse.csgraph.reconstruct_path: the tree that is told by the node before each."""
    lengths = _edges("reconstruct_path", csgraph, directed)
    before = np.asarray(predecessors)
    nodes = np.arange(lengths.shape[0])
    kept = (nodes[:, np.newaxis] == before) & (before >= 0)
    return _sparse(constant(kept & np.isfinite(lengths)), lengths, csgraph)


def breadth_first_tree(csgraph, i_start, directed=True):
    """scipy.sparse.csgraph.breadth_first_tree."""
    return reconstruct_path(csgraph, _searched("breadth_first_tree", csgraph, i_start, directed, False)[1], directed)


def depth_first_tree(csgraph, i_start, directed=True):
    """scipy.sparse.csgraph.depth_first_tree."""
    return reconstruct_path(csgraph, _searched("depth_first_tree", csgraph, i_start, directed, True)[1], directed)


def _kruskal(lengths, order, n):
    """The places of the edges that join what is not joined yet, taken in an order."""
    part, kept = np.arange(n), np.zeros(n * n, bool)
    for k in range(order.shape[0]):
        place = order[k]
        one, other = part[place // n], part[place % n]
        if one != other and np.isfinite(lengths[place]):
            kept[place] = True
            part = np.where(part == other, one, part)
    return kept


def minimum_spanning_tree(csgraph, overwrite=False):
    """scipy.sparse.csgraph.minimum_spanning_tree."""
    edges = _edges("minimum_spanning_tree", csgraph)
    n = edges.shape[0]
    lengths = constant(edges).ravel()
    order = np.argsort(lengths, kind="stable")
    kept = _kruskal(lengths, order, n).reshape(n, n)
    backwards = (n * n - 1 - np.argsort(lengths[::-1], kind="stable"))
    other = _kruskal(lengths, backwards, n).reshape(n, n)
    if np.any((kept | kept.T) != (other | other.T)):
        raise NotImplementedError("scipy.sparse.csgraph.minimum_spanning_tree of a graph with several (which one is given is SciPy's choice) is not supported")
    return _sparse(kept, edges, csgraph)


def csgraph_to_dense(csgraph, null_value=0):
    """scipy.sparse.csgraph.csgraph_to_dense."""
    if not isinstance(csgraph, Sparse):
        raise ValueError("csgraph must be sparse")  # noqa: TRY004 - SciPy's class
    found = _edges("csgraph_to_dense", csgraph)
    return np.where(np.isfinite(found), found, null_value)


GRAPH_TREES: dict[str, Any] = {
    f"scipy.sparse.csgraph.{function.__name__}": function
    for function in (breadth_first_order, depth_first_order, reconstruct_path, breadth_first_tree, depth_first_tree, minimum_spanning_tree, csgraph_to_dense)
}
"""By qualified name."""
