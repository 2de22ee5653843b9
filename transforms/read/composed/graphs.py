"""scipy.sparse.csgraph: distances between the nodes of a graph, what hangs together, Laplacians; of matrices of edges, sparse or not. Method of the distances: Floyd (1962)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.sparse_base import Sparse
from s2s.transforms.read.composed.sparse_matrices import Coordinates
from s2s.transforms.read.composed.sparse_patterns import everywhere
from s2s.transforms.read.installed import SCIPY_1_18

# ---- edges --------------------------------------------------------------------------------------------------------------------------------


def _edges(name, graph, directed=True, unweighted=False):
    """The length of each edge, infinite where there is none."""
    if isinstance(graph, Sparse):
        lengths, there = graph.toarray().astype(np.float64), graph.toarray() != 0
        if graph.exact == 1:  # what is stored is an edge, be it of length 0
            row, column = graph._coordinates()
            there = np.zeros(graph.shape, bool)
            there[row, column] = True
    else:
        lengths = np.asarray(graph)
        if lengths.dtype.kind == "c":
            unsupported(f"scipy.sparse.csgraph.{name} of complex numbers", "their absolute values")
        lengths = lengths.astype(np.float64)
        there = (lengths != 0) & np.isfinite(lengths)
    if lengths.ndim != 2 or lengths.shape[0] != lengths.shape[1]:
        raise ValueError(f"compressed-sparse graph must be shape (N, N); got {lengths.shape}")
    found = np.where(there, 1.0 if unweighted else np.where(there, lengths, 0.0), np.inf)
    return found if directed else np.minimum(found, found.T)


# ---- distances ----------------------------------------------------------------------------------------------------------------------------


def _distances(edges):
    """Between all nodes, over more and more of the nodes."""
    n = edges.shape[0]
    found = np.where(np.eye(n, dtype=bool), np.minimum(edges, 0.0), edges)
    for k in range(n):
        found = np.minimum(found, found[:, k][:, np.newaxis] + found[k])
    if np.any(np.diagonal(found) < 0):
        from scipy.sparse.csgraph import NegativeCycleError

        raise NegativeCycleError("Negative cycle in nodes of the graph")
    return found


def _between(name, csgraph, directed, return_predecessors, unweighted, indices, negative=True):
    edges = _edges(name, csgraph, directed, unweighted)
    if not negative and np.any(edges < 0):
        raise NotImplementedError(f"scipy.sparse.csgraph.{name} of edges of negative length is not supported")
    found = _distances(edges)
    if return_predecessors:
        before = _predecessors(name, constant(edges), constant(found))
        return (found, before) if indices is None else (found[np.asarray(indices)], before[np.asarray(indices)])
    return found if indices is None else found[np.asarray(indices)]


def _predecessors(name, edges, found):
    """Of each node the one before it on the shortest path from each node, -9999 where there is none."""
    n = edges.shape[0]
    own = np.eye(n, dtype=bool)
    if np.any((edges == 0) & ~own):
        raise NotImplementedError(f"scipy.sparse.csgraph.{name} with predecessors, of edges of length 0, is not supported")
    before = np.full((n, n), -9999, np.int32)
    for k in range(n):
        lengths = np.where(own, np.inf, found[k][:, np.newaxis] + edges)
        least = np.min(lengths, axis=0, initial=np.inf)
        reached = np.isfinite(least) & (np.arange(n) != k)
        if np.any(reached & (np.sum(lengths <= least + 1e-12 * np.abs(least), axis=0) > 1)):
            raise NotImplementedError(f"scipy.sparse.csgraph.{name} with predecessors, where two paths have the same length (which one is taken is SciPy's choice), is not supported")
        before[k] = np.where(reached, np.argmin(lengths, axis=0), -9999)
    return before


def floyd_warshall(csgraph, directed=True, return_predecessors=False, unweighted=False, overwrite=False):
    """scipy.sparse.csgraph.floyd_warshall: distances."""
    return _between("floyd_warshall", csgraph, directed, return_predecessors, unweighted, None)


def shortest_path(csgraph, method="auto", directed=True, return_predecessors=False, unweighted=False, overwrite=False, indices=None):
    """scipy.sparse.csgraph.shortest_path: distances."""
    if method not in ("auto", "FW", "D", "BF", "J"):
        raise ValueError(f"unrecognized method '{method}'")
    return _between("shortest_path", csgraph, directed, return_predecessors, unweighted, indices, method != "D")


def dijkstra(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False, limit=np.inf, min_only=False):
    """scipy.sparse.csgraph.dijkstra: distances."""
    if return_predecessors:
        if min_only:
            unsupported("scipy.sparse.csgraph.dijkstra(…, min_only=True, return_predecessors=True)", "min_only=False")
        found, before = _between("dijkstra", csgraph, directed, True, unweighted, indices, False)
        return np.where(found <= limit, found, np.inf), np.where(found <= limit, before, np.int32(-9999))
    found = _between("dijkstra", csgraph, directed, False, unweighted, indices, False)
    if min_only and found.ndim > 1:
        found = np.min(found, axis=0)
    return np.where(found <= limit, found, np.inf)


def bellman_ford(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    """scipy.sparse.csgraph.bellman_ford: distances."""
    return _between("bellman_ford", csgraph, directed, return_predecessors, unweighted, indices)


def johnson(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    """scipy.sparse.csgraph.johnson: distances."""
    return _between("johnson", csgraph, directed, return_predecessors, unweighted, indices)


# ---- others -------------------------------------------------------------------------------------------------------------------------------


def connected_components(csgraph, directed=True, connection="weak", return_labels=True):
    """scipy.sparse.csgraph.connected_components: how many there are, and which one each node belongs to."""
    if connection.lower() not in ("weak", "strong"):
        raise ValueError("connection must be 'weak' or 'strong'")
    if directed and connection.lower() == "strong":
        count, labels = _strong(np.isfinite(constant(_edges("connected_components", csgraph))))
        return (count, labels) if return_labels else count
    near = np.isfinite(constant(_edges("connected_components", csgraph, False)))
    n = near.shape[0]
    least, changing = np.arange(n), True
    while changing:
        other = np.minimum(least, np.min(np.where(near, least, n), axis=1, initial=n))
        changing = bool(np.any(other != least))
        least = other
    first = least == np.arange(n)
    count = int(np.count_nonzero(first))
    return (count, (np.cumsum(first) - 1)[least].astype(np.int32)) if return_labels else count


def _strong(near):
    """The nodes that reach each other, counted in the order in which a search that goes to the last neighbour first (to the first one since SciPy 1.18) leaves them."""
    n = near.shape[0]
    reached = near | np.eye(n, dtype=bool)
    for k in range(n):
        reached = reached | (reached[:, k][:, np.newaxis] & reached[k])
    ends = _left_at(near)
    last = np.max(np.where(reached & reached.T, ends, -1), axis=1, initial=-1)
    first = last == ends  # the node of each that is left last
    label = np.zeros(n, np.int64)
    label[ends] = first
    return int(np.count_nonzero(first)), (np.cumsum(label) - 1)[last].astype(np.int32)


def _left_at(near):
    """When a search in depth leaves each node."""
    n = near.shape[0]
    ends, seen = np.full(n, -1, np.int64), np.zeros(n, bool)
    path, following, step = np.zeros(n + 1, np.int64), np.full(n, 0 if SCIPY_1_18 else n - 1, np.int64), 1 if SCIPY_1_18 else -1
    count = 0
    for start in range(n):
        if seen[start]:
            continue
        depth, path[0], seen[start] = 1, start, True
        while depth > 0:
            node = path[depth - 1]
            other = following[node]
            if not 0 <= other < n:
                ends[node] = count
                count += 1
                depth -= 1
            else:
                following[node] = other + step
                if near[node, other] and not seen[other]:
                    seen[other] = True
                    path[depth] = other
                    depth += 1
    return ends


def laplacian(csgraph, normed=False, return_diag=False, use_out_degree=False, *, copy=True, form="array", dtype=None, symmetrized=False):
    """scipy.sparse.csgraph.laplacian."""
    if form != "array":
        unsupported(f"scipy.sparse.csgraph.laplacian(…, form={form!r})", "form='array'")
    if isinstance(csgraph, Sparse):
        if not copy:
            unsupported("scipy.sparse.csgraph.laplacian(…, copy=False) of a sparse matrix, of which some formats are overwritten", "copy=True")
        made = laplacian(csgraph.toarray(), normed, True, use_out_degree, dtype=dtype, symmetrized=symmetrized)
        found = Coordinates(made[0].ravel(), *everywhere(csgraph.shape), csgraph.shape, csgraph.starred, "coo", False)
        return (found, made[1]) if return_diag else found
    edges = np.asarray(csgraph)
    if edges.ndim != 2 or edges.shape[0] != edges.shape[1]:
        raise ValueError("csgraph must be a square matrix or array")
    if not copy and isinstance(csgraph, np.ndarray) and not (normed and edges.dtype.kind in "iu"):
        if dtype is not None:
            unsupported("scipy.sparse.csgraph.laplacian(…, copy=False, dtype=…)", "one of the two")
        made = laplacian(csgraph, normed, True, use_out_degree, symmetrized=symmetrized)
        csgraph[...] = made[0]
        return (csgraph, made[1]) if return_diag else csgraph
    if normed and edges.dtype.kind in "iu":
        edges = edges.astype(np.float64)
    edges = edges if dtype is None else edges.astype(dtype)
    edges = edges + np.conj(edges.T) if symmetrized else edges
    own = np.eye(edges.shape[0], dtype=bool)
    edges = np.where(own, np.zeros((), edges.dtype), edges)
    degrees = np.sum(edges, axis=1 if use_out_degree else 0, dtype=edges.dtype)
    if not normed:
        return (np.where(own, degrees, -edges), degrees) if return_diag else np.where(own, degrees, -edges)
    alone = degrees == 0
    roots = np.where(alone, 1.0, np.sqrt(np.where(alone, 1.0, degrees))).astype(edges.dtype)
    found = np.where(own, (1.0 - alone).astype(edges.dtype), -(edges / roots / roots[:, np.newaxis]))
    return (found, roots) if return_diag else found


GRAPHS: dict[str, Any] = {
    f"scipy.sparse.csgraph.{function.__name__}": function for function in (floyd_warshall, shortest_path, dijkstra, bellman_ford, johnson, connected_components, laplacian)
}
"""By qualified name."""
