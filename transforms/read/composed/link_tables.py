"""scipy.cluster.hierarchy: what is asked of a table of links, and other forms of it."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.hierarchies import _highest
from s2s.transforms.read.composed.marks import constant, unsupported


def _what_is_wrong(tree, name):
    """Of a table of links: what SciPy says against it, or nothing."""
    who, n = f"{name!r} " if name else "", tree.shape[0]
    links = constant(tree)
    ends = np.sort(np.ravel(links[:, :2]))
    said = ""
    if n > 1:
        for wrong, words in (  # the first that holds
            (np.any(ends[1:] == ends[:-1]), "uses the same cluster more than once."),
            (np.any(np.max(links[:, :2], axis=1) >= np.arange(n + 1, 2 * n + 1)), "uses non-singleton cluster before it is formed."),
            (np.any(links[:, 3] > n + 1), "contains excessive observations in a cluster"),
            (np.any(links[:, 3] < 0), "contains negative counts."),
            (np.any(links[:, 2] < 0), "contains negative distances."),
            (np.any(links[:, :2] < 0), "contains negative indices."),
        ):
            said = f"Linkage {who}{words}" if wrong else said
    return said


def is_valid_linkage(Z, warning=False, throw=False, name=None):
    """scipy.cluster.hierarchy.is_valid_linkage."""
    if warning:
        unsupported("scipy.cluster.hierarchy.is_valid_linkage(…, warning=True)", "throw=True")
    tree, who = np.asarray(Z), f"{name!r} " if name else ""
    if tree.dtype != np.float64:
        if throw:
            raise TypeError(f"Linkage matrix {who}must contain doubles.")
        return False
    shape = "have shape=2 (i.e. be two-dimensional)." if tree.ndim != 2 else "have 4 columns." if tree.shape[1] != 4 else ""
    said = f"Linkage matrix {who}must {shape}" if shape else "Linkage must be computed on at least two observations." if tree.shape[0] == 0 else _what_is_wrong(tree, name)
    if throw and said:
        raise ValueError(said)
    return said == ""


def is_valid_im(R, warning=False, throw=False, name=None):
    """scipy.cluster.hierarchy.is_valid_im."""
    if warning:
        unsupported("scipy.cluster.hierarchy.is_valid_im(…, warning=True)", "throw=True")
    table, who = np.asarray(R), f"{name!r} " if name else ""
    if table.dtype != np.float64:
        if throw:
            raise TypeError(f"Inconsistency matrix {who}must contain doubles (double).")
        return False
    shape = "have shape=2 (i.e. be two-dimensional)." if table.ndim != 2 else "have 4 columns." if table.shape[1] != 4 else "have at least one row." if table.shape[0] < 1 else ""
    said = f"Inconsistency matrix {who}must {shape}" if shape else ""
    if not said:
        for column, words in ((2, "link counts"), (1, "link height standard deviations"), (0, "link height means")):
            said = f"Inconsistency matrix {who}contains negative {words}." if np.any(table[:, column] < 0) else said
    if throw and said:
        raise ValueError(said)
    return said == ""


def maxRstat(Z, R, i):  # noqa: N802 - SciPy's name
    """scipy.cluster.hierarchy.maxRstat: of each link the largest number of a column among its own and those below it."""
    tree, table = np.asarray(Z, dtype=np.float64), np.asarray(R, dtype=np.float64)
    is_valid_linkage(tree, throw=True, name="Z")
    is_valid_im(table, throw=True, name="R")
    if not isinstance(i, int):
        raise TypeError("The third argument must be an integer.")
    if i < 0 or i > 3:
        raise ValueError("i must be an integer between 0 and 3 inclusive.")
    if tree.shape[0] != table.shape[0]:
        raise ValueError("The inconsistency matrix and linkage matrix each have a different number of rows.")
    return _highest(constant(tree)[:, :2].astype(np.int64), table[:, i])


def maxinconsts(Z, R):
    """scipy.cluster.hierarchy.maxinconsts."""
    return maxRstat(Z, R, 3)


def correspond(Z, Y):
    """scipy.cluster.hierarchy.correspond: whether a tree and a table of distances are of as many points."""
    import scipy.spatial.distance

    tree = np.asarray(Z)
    is_valid_linkage(tree, throw=True)
    return scipy.spatial.distance.num_obs_y(np.asarray(Y)) == tree.shape[0] + 1


def is_isomorphic(T1, T2):
    """scipy.cluster.hierarchy.is_isomorphic: whether clusters are the same, whatever they are numbered by; in SciPy's way, which looks at neighbours when the first are in order."""
    first, second = np.asarray(T1), np.asarray(T2)
    if first.ndim != 1:
        raise ValueError("T1 must be one-dimensional.")
    if second.ndim != 1:
        raise ValueError("T2 must be one-dimensional.")
    if first.shape != second.shape:
        raise ValueError("T1 and T2 must have the same number of elements.")
    order = np.argsort(first)
    first, second = first[order], second[order]
    return np.all((first != np.roll(first, -1)) == (second != np.roll(second, -1)))


def to_mlab_linkage(Z):
    """scipy.cluster.hierarchy.to_mlab_linkage: numbers from 1 on, without counts."""
    tree = np.asarray(Z, dtype=np.float64)
    if tree.shape in ((), (0,)):
        return tree.copy()
    is_valid_linkage(tree, throw=True, name="Z")
    return np.concatenate((tree[:, :2] + 1.0, tree[:, 2:3]), axis=1)


LINK_TABLES: dict[str, Any] = {f"scipy.cluster.hierarchy.{function.__name__}": function for function in (is_valid_linkage, is_valid_im, maxRstat, maxinconsts, correspond, is_isomorphic, to_mlab_linkage)}
"""By qualified name."""
