"""scipy.spatial's trees of points, answered by looking at all of them: the same neighbours and distances, in time that grows with the number of points. Read like a user's own class.

Among points at the same distance the first is taken, and places and pairs come in ascending order, where SciPy's order is that of its tree.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.keyed_sets import KeyedSet
from s2s.transforms.read.composed.marks import unsupported


class Tree:
    """scipy.spatial.KDTree and cKDTree: points along the first axis of `data`."""

    def __init__(self, data, name):
        self.data, self.name = data, name

    def __given_back__(self):
        """SciPy's own object."""
        from scipy import spatial

        return getattr(spatial, self.name)(self.data)

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.spatial.KDTree", "query(…), query_ball_point(…), query_pairs(…), count_neighbors(…), or scipy.spatial.distance.cdist and a test")

    @property
    def n(self):
        return self.data.shape[0]

    @property
    def m(self):
        return self.data.shape[1]

    def query(self, x, k=1, eps=0, p=2.0, distance_upper_bound=np.inf, workers=1):
        """Distances and places of the k nearest points."""
        if not isinstance(k, int):
            unsupported("scipy.spatial.KDTree.query of chosen ranks", "k as a number, and those columns of the results")
        if k < 1:
            raise ValueError("k must be an integer or a sequence of integers")
        x = np.asarray(x, np.float64)
        if x.ndim == 0 or x.shape[-1] != self.data.shape[1]:
            raise ValueError(f"x must consist of vectors of length {self.data.shape[1]} but has shape {x.shape}")
        _need_norm(p)
        far, finish = _powers(np.reshape(x, (-1, 1, x.shape[-1])) - self.data, p)
        count = self.data.shape[0]
        places = np.argmin(far, axis=1)[:, np.newaxis] if k == 1 else np.argsort(far, axis=1, kind="stable")[:, :k]
        distances = finish(np.take_along_axis(far, places, axis=1))
        if k > count:
            distances = np.concatenate((distances, np.full((distances.shape[0], k - count), np.inf)), axis=1)
            places = np.concatenate((places, np.full((distances.shape[0], k - count), count)), axis=1)
        near = distances < distance_upper_bound
        distances, places = np.where(near, distances, np.inf), np.where(near, places, count)
        sizes = x.shape[:-1] if k == 1 else (*x.shape[:-1], k)
        if k == 1 and x.ndim == 1:
            return float(distances[0, 0]), int(places[0, 0]) if self.name == "cKDTree" else places[0, 0]
        return np.reshape(distances, sizes), np.reshape(places, sizes)

    def query_ball_point(self, x, r, p=2.0, eps=0, workers=1, return_sorted=None, return_length=False):
        """Which points lie within a distance, or how many."""
        x = np.asarray(x, np.float64)
        if x.ndim == 0 or x.shape[-1] != self.data.shape[1]:
            raise ValueError(f"Searching for a {x.shape[-1] if x.ndim else 1}-dimensional point in a {self.data.shape[1]}-dimensional KDTree")
        reach = np.reshape(np.broadcast_to(np.asarray(r, np.float64), x.shape[:-1]), (-1, 1))
        near = _within(np.reshape(x, (-1, x.shape[-1])), self.data, reach, p)
        if return_length:
            return np.reshape(np.sum(near, axis=1), x.shape[:-1])[()]
        if x.ndim > 2:
            unsupported("scipy.spatial.KDTree.query_ball_point of points in an array of more than two axes", "a list of points, or return_length=True")
        return np.nonzero(near[0])[0].tolist() if x.ndim == 1 else ListArray(_places(near))

    def query_ball_tree(self, other, r, p=2.0, eps=0):
        """For each point, which points of the other tree lie within a distance."""
        return _places(_within(self.data, other.data, r, p))

    def query_pairs(self, r, p=2.0, eps=0, output_type="set"):
        """The pairs of points within a distance, the smaller place first."""
        if output_type not in ("set", "ndarray"):
            raise ValueError(f"Invalid output type '{output_type}'")
        first, second = np.nonzero(np.triu(_within(self.data, self.data, r, p), 1))
        if output_type == "ndarray":
            return np.stack((first, second), axis=1)
        found = KeyedSet()
        for k in range(first.shape[0]):
            found.add((int(first[k]), int(second[k])))
        return found

    def count_neighbors(self, other, r, p=2.0, weights=None, cumulative=True):
        """How many pairs of points of two trees lie within a distance."""
        if weights is not None or not cumulative or np.ndim(r) != 0:
            unsupported("scipy.spatial.KDTree.count_neighbors with weights, several distances or cumulative=False", "scipy.spatial.distance.cdist and a sum")
        return int(np.sum(_within(self.data, other.data, r, p)))


class ListArray:
    """NumPy's array of lists, along one axis."""

    def __init__(self, lists):
        self.lists = lists

    def __given_back__(self):
        made = np.empty(len(self.lists), dtype=object)
        for place, items in enumerate(self.lists):
            made[place] = items
        return made

    def __getattr__(self, name):
        unsupported(f"{name} of an array of lists", "its items, or .tolist()")

    def __len__(self):
        return len(self.lists)

    def __iter__(self):
        return iter(self.lists)

    def __getitem__(self, place):
        if not isinstance(place, int | np.integer):
            unsupported("several items of an array of lists", "a loop over them")
        return self.lists[place]

    @property
    def shape(self):
        return (len(self.lists),)

    @property
    def size(self):
        return len(self.lists)

    @property
    def ndim(self):
        return 1

    def tolist(self):
        """The list of lists."""
        return self.lists


def _within(x, points, reach, p):
    """Which of the points lie within reach of which of the places x."""
    _need_norm(p)
    far, finish = _powers(x[:, np.newaxis] - points, p)
    return finish(far) <= reach


def _places(near):
    return [np.nonzero(near[k])[0].tolist() for k in range(near.shape[0])]


def _need_norm(p):
    if p < 1:
        raise ValueError("Only p-norms with 1<=p<=infinity permitted")


def _powers(gaps, p):
    """What distances of the norm p grow with, and what makes distances of it."""
    if p == 2:
        return np.sum(gaps * gaps, axis=-1), _root
    if p == 1:
        return np.sum(np.abs(gaps), axis=-1), _same
    if p == np.inf:
        return np.max(np.abs(gaps), axis=-1), _same
    return np.sum(np.abs(gaps) ** p, axis=-1), lambda far: far ** (1.0 / p)


def _same(far):
    return far


def _root(far):
    """With slope 0 where it is 0."""
    none = far == 0
    return np.where(none, 0.0, np.sqrt(np.where(none, 1.0, far)))


def _made(name):
    def tree(data, leafsize=10, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None):
        if boxsize is not None:
            unsupported(f"scipy.spatial.{name}(…, boxsize=…)", "points beside their images")
        data = np.asarray(data, np.float64)
        if data.ndim != 2:
            raise ValueError("data must be 2 dimensions")
        if not np.all(np.isfinite(data)):
            raise ValueError("data must be finite, check for nan or inf values")
        return Tree(data + 0.0, name)

    return tree


def from_outside(name, data):
    """A tree that the function found outside."""
    return Tree(np.asarray(data), name)


NEIGHBOURS: dict[str, Callable[..., Any]] = {f"scipy.spatial.{name}": _made(name) for name in ("KDTree", "cKDTree")}
"""By qualified name."""
