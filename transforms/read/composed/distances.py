"""scipy.spatial.distance: distances of vectors, and of the rows of matrices. All in double precision, as SciPy computes them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

_NAMES = {
    **dict.fromkeys(("euclidean", "euclid", "eu", "e"), "euclidean"), **dict.fromkeys(("sqeuclidean", "sqe", "sqeuclid"), "sqeuclidean"),
    **dict.fromkeys(("cityblock", "cblock", "cb", "c"), "cityblock"), **dict.fromkeys(("chebyshev", "chebychev", "cheby", "cheb", "ch"), "chebyshev"),
    **dict.fromkeys(("minkowski", "mi", "m", "pnorm"), "minkowski"), **dict.fromkeys(("cosine", "cos"), "cosine"), **dict.fromkeys(("correlation", "co"), "correlation"),
    "canberra": "canberra", "braycurtis": "braycurtis", **dict.fromkeys(("mahalanobis", "mahal", "mah"), "mahalanobis"), **dict.fromkeys(("seuclidean", "se", "s"), "seuclidean"),
}  # fmt: skip
"""SciPy's names of the metrics that are here."""


def cdist(XA, XB, metric="euclidean", *, out=None, **kwargs):
    """scipy.spatial.distance.cdist of a metric by its name."""
    a, b = _rows(XA, "XA"), _rows(XB, "XB")
    if a.shape[1] != b.shape[1]:
        raise ValueError("XA and XB must have the same number of columns (i.e. feature dimension.)")
    name = _metric("cdist", metric, out, kwargs)
    return _between(name, a[:, np.newaxis, :], b[np.newaxis, :, :], kwargs)


def pdist(X, metric="euclidean", *, out=None, **kwargs):
    """scipy.spatial.distance.pdist of a metric by its name."""
    if np.ndim(X) != 2:
        raise ValueError("A 2-dimensional array must be passed.")
    x = _rows(X, "X")
    name = _metric("pdist", metric, out, kwargs)
    rows, columns = np.triu_indices(x.shape[0], 1)
    return _between(name, x[rows], x[columns], kwargs)


def squareform(X, force="no", checks=True):
    """scipy.spatial.distance.squareform: of a vector of distances the symmetric matrix, and back."""
    x = np.asarray(X)
    if force not in ("no", "tomatrix", "tovector"):
        unsupported(f"squareform(…, force={force!r})", "leave it out")
    if force == "tomatrix" and x.ndim != 1:
        raise ValueError("Forcing 'tomatrix' but input X is not a distance vector.")
    if force == "tovector" and x.ndim != 2:
        raise ValueError("Forcing 'tovector' but input X is not a distance matrix.")
    if x.ndim == 1:
        n = int(np.ceil(np.sqrt(x.shape[0] * 2)))
        if x.shape[0] == 0:
            return np.zeros((1, 1), x.dtype)
        if n * (n - 1) != x.shape[0] * 2:
            raise ValueError("Incompatible vector size. It must be a binomial coefficient n choose 2 for some integer n >= 2.")
        rows, columns = np.triu_indices(n, 1)
        found = np.zeros((n, n), x.dtype)
        found[rows, columns] = x
        found[columns, rows] = x
        return found
    if x.ndim != 2:
        raise ValueError(f"The first argument must be one or two dimensional array. A {x.ndim}-dimensional array is not permitted")
    if x.shape[0] != x.shape[1]:
        raise ValueError("The matrix argument must be square.")
    if checks:
        if np.any(x != x.T):
            raise ValueError("Distance matrix 'X' must be symmetric.")
        if np.any(np.diagonal(x) != 0):
            raise ValueError("Distance matrix 'X' diagonal must be zero.")
    return x[np.triu_indices(x.shape[0], 1)]


def _rows(x, name):
    x = np.asarray(x)
    if x.ndim != 2:
        raise ValueError(f"{name} must be a 2-dimensional array.")
    if x.dtype.kind == "c":
        unsupported("distances of complex numbers", "their real and imaginary parts as columns")
    return x.astype(np.float64)


_WORDS = {"minkowski": ("p",), "mahalanobis": ("VI",), "seuclidean": ("V",)}


def _metric(function, metric, out, kwargs):
    if out is not None:
        unsupported(f"scipy.spatial.distance.{function}(…, out=…)", "a store into it: out[...] = …")
    if not isinstance(metric, str):
        unsupported(f"scipy.spatial.distance.{function} of a function as the metric", "loops over the rows")
    if metric.lower() not in _NAMES:
        unsupported(f"scipy.spatial.distance.{function} by {metric!r}", "'euclidean', 'sqeuclidean', 'cityblock', 'chebyshev', 'minkowski', 'cosine', …")
    name = _NAMES[metric.lower()]
    for word in kwargs:
        if word not in _WORDS.get(name, ()):
            unsupported(f"scipy.spatial.distance.{function} by {name!r} with {word}=…", "scaled columns")
    if name in ("mahalanobis", "seuclidean") and _WORDS[name][0] not in kwargs:
        unsupported(f"scipy.spatial.distance.{function} by {name!r} without {_WORDS[name][0]}=…", f"{_WORDS[name][0]}=…: the covariances of all rows are its default")
    return name


def _between(name, a, b, kwargs):
    """The distances along the last axis."""
    if name == "cosine":
        return 1.0 - _cosine(a, b)
    if name == "correlation":
        return 1.0 - _cosine(a - np.mean(a, axis=-1, keepdims=True), b - np.mean(b, axis=-1, keepdims=True))
    if name == "canberra":
        gaps, sizes = np.abs(a - b), np.abs(a) + np.abs(b)
        return np.sum(np.where(sizes == 0, 0.0, gaps / np.where(sizes == 0, 1.0, sizes)), axis=-1)
    if name == "braycurtis":
        return np.sum(np.abs(a - b), axis=-1) / np.sum(np.abs(a + b), axis=-1)
    gaps = a - b
    if name == "euclidean":
        return np.linalg.norm(gaps, axis=-1)
    if name == "sqeuclidean":
        return np.sum(gaps * gaps, axis=-1)
    if name == "cityblock":
        return np.sum(np.abs(gaps), axis=-1)
    if name == "chebyshev":
        return np.max(np.abs(gaps), axis=-1, initial=0.0)
    if name == "minkowski":
        return _minkowski(gaps, kwargs.get("p", 2))
    if name == "seuclidean":
        return np.linalg.norm(gaps / np.sqrt(np.asarray(kwargs["V"], np.float64)), axis=-1)
    return np.sqrt(np.sum((gaps @ np.asarray(kwargs["VI"], np.float64)) * gaps, axis=-1))


def _minkowski(gaps, p):
    if p <= 0:
        raise ValueError("p must be greater than 0")
    if p == 1:
        return np.sum(np.abs(gaps), axis=-1)
    if p == 2:
        return np.linalg.norm(gaps, axis=-1)
    if p == np.inf:
        return np.max(np.abs(gaps), axis=-1, initial=0.0)
    return np.sum(np.abs(gaps) ** p, axis=-1) ** (1.0 / p)


def _cosine(a, b):
    """Of the angle between vectors, not beyond 1."""
    found = np.sum(a * b, axis=-1) / np.sqrt(np.sum(a * a, axis=-1) * np.sum(b * b, axis=-1))
    return np.where(np.abs(found) > 1, np.copysign(1.0, found), found)


DISTANCES = {f"scipy.spatial.distance.{function.__name__}": function for function in (cdist, pdist, squareform)}
"""By qualified name."""
