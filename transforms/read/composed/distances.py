"""scipy.spatial.distance: distances of vectors, and of the rows of matrices. All in double precision, as SciPy computes them."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.installed import SCIPY_1_18

_NAMES = {
    **dict.fromkeys(("euclidean", "euclid", "eu", "e"), "euclidean"), **dict.fromkeys(("sqeuclidean", "sqe", "sqeuclid"), "sqeuclidean"),
    **dict.fromkeys(("cityblock", "cblock", "cb", "c"), "cityblock"), **dict.fromkeys(("chebyshev", "chebychev", "cheby", "cheb", "ch"), "chebyshev"),
    **dict.fromkeys(("minkowski", "mi", "m", "pnorm"), "minkowski"), **dict.fromkeys(("cosine", "cos"), "cosine"), **dict.fromkeys(("correlation", "co"), "correlation"),
    "canberra": "canberra", "braycurtis": "braycurtis", **dict.fromkeys(("mahalanobis", "mahal", "mah"), "mahalanobis"), **dict.fromkeys(("seuclidean", "se", "s"), "seuclidean"),
    **dict.fromkeys(("hamming", "hamm", "ha", "h", "matching"), "hamming"), **dict.fromkeys(("jensenshannon", "js"), "jensenshannon"),
    **dict.fromkeys(("jaccard", "jacc", "ja", "j"), "jaccard"), "dice": "dice", "rogerstanimoto": "rogerstanimoto", "russellrao": "russellrao", "sokalsneath": "sokalsneath", "yule": "yule",
}  # fmt: skip
"""SciPy's names of the metrics that are here."""


def cdist(XA, XB, metric="euclidean", *, out=None, **kwargs):
    """scipy.spatial.distance.cdist."""
    a, b = _rows(XA, "XA"), _rows(XB, "XB")
    if a.shape[1] != b.shape[1]:
        raise ValueError("XA and XB must have the same number of columns (i.e. feature dimension.)")
    if callable(metric):
        found = np.zeros((a.shape[0], b.shape[0]))
        for i in range(a.shape[0]):
            for j in range(b.shape[0]):
                found[i, j] = metric(a[i], b[j], **kwargs)
        return found
    name = _metric("cdist", metric, out, kwargs)
    if name in _OF_TRUTHS:
        _check_truths(name, XA, XB)
    return _between(name, a[:, np.newaxis, :], b[np.newaxis, :, :], kwargs if name not in _OF_ALL else _with_spread(name, kwargs, np.concatenate((a, b))))


def pdist(X, metric="euclidean", *, out=None, **kwargs):
    """scipy.spatial.distance.pdist."""
    if np.ndim(X) != 2:
        raise ValueError("A 2-dimensional array must be passed.")
    x = _rows(X, "X")
    rows, columns = np.triu_indices(x.shape[0], 1)
    if callable(metric):
        found = np.zeros(rows.shape[0])
        for k in range(rows.shape[0]):
            found[k] = metric(x[rows[k]], x[columns[k]], **kwargs)
        return found
    name = _metric("pdist", metric, out, kwargs)
    if name in _OF_TRUTHS:
        _check_truths(name, X)
    return _between(name, x[rows], x[columns], kwargs if name not in _OF_ALL else _with_spread(name, kwargs, x))


def _with_spread(name, kwargs, rows):
    """With the variances of all rows, or the inverse of their covariances, where none are given."""
    if _WORDS[name][0] in kwargs:
        return kwargs
    if name == "seuclidean":
        return {"V": np.var(rows, axis=0, ddof=1)}
    if rows.shape[0] <= rows.shape[1]:
        raise ValueError(f"The number of observations ({rows.shape[0]}) is too small; the covariance matrix is singular. For observations with {rows.shape[1]} dimensions, at least {rows.shape[1] + 1} observations are required.")
    return {"VI": np.linalg.inv(np.atleast_2d(np.cov(rows.T))).T}


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


_WORDS = {"minkowski": ("p", "w"), "mahalanobis": ("VI",), "seuclidean": ("V",), **dict.fromkeys(("euclidean", "sqeuclidean", "cityblock", "hamming"), ("w",))}
_OF_ALL = ("seuclidean", "mahalanobis")
_OF_TRUTHS = ("jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
"""What a metric takes; which of them know it of all rows; which only ask what is true."""


def _check_truths(name, *rows):
    if name == "dice" and any(np.asarray(each).dtype.kind != "b" for each in rows):
        unsupported("scipy.spatial.distance's 'dice' of rows of numbers", "rows of bools")


def _metric(function, metric, out, kwargs):
    if out is not None:
        unsupported(f"scipy.spatial.distance.{function}(…, out=…)", "a store into it: out[...] = …")
    if metric.lower() not in _NAMES:
        unsupported(f"scipy.spatial.distance.{function} by {metric!r}", "'euclidean', 'sqeuclidean', 'cityblock', 'chebyshev', 'minkowski', 'cosine', …")
    name = _NAMES[metric.lower()]
    for word in kwargs:
        if word not in _WORDS.get(name, ()):
            unsupported(f"scipy.spatial.distance.{function} by {name!r} with {word}=…", "scaled columns")
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
    if name == "jensenshannon":
        return _divergence(a, b)
    if name in _OF_TRUTHS:
        return _of_truths(name, np.where(a != 0, 1.0, 0.0), np.where(b != 0, 1.0, 0.0), 1.0)
    gaps = a - b
    if kwargs.get("w") is not None:
        return _weighted(name, gaps, np.asarray(kwargs["w"], np.float64), kwargs.get("p", 2))
    if name == "hamming":
        return np.mean(gaps != 0, axis=-1)
    if name == "euclidean":
        return _length(gaps)
    if name == "sqeuclidean":
        return np.sum(gaps * gaps, axis=-1)
    if name == "cityblock":
        return np.sum(np.abs(gaps), axis=-1)
    if name == "chebyshev" or name == "minkowski" and kwargs.get("p", 2) == np.inf:
        return np.max(np.where(np.isnan(gaps), 0.0, np.abs(gaps)), axis=-1, initial=0.0)  # in a table what is nan is never the largest
    if name == "minkowski":
        return _minkowski(gaps, kwargs.get("p", 2))
    if name == "seuclidean":
        variances = np.asarray(kwargs["V"], np.float64)
        if variances.shape[-1] != gaps.shape[-1]:
            raise ValueError("Variance vector V must be of the same dimension as the vectors on which the distances are computed.")
        return _length(gaps / np.sqrt(variances))
    return _root(np.sum((gaps @ np.asarray(kwargs["VI"], np.float64)) * gaps, axis=-1), 2)


def _length(gaps):
    return _root(np.sum(gaps * gaps, axis=-1), 2)


def _root(total, p):
    """A distance of its power: where it is 0, as of a point and itself, its derivative is 0."""
    some = total != 0
    total = np.where(some, total, 1.0)
    return np.where(some, np.sqrt(total) if p == 2 else total ** (1.0 / p), 0.0)


def _weighted(name, gaps, w, p):
    if w.shape[-1] != gaps.shape[-1]:
        raise ValueError("Weights must have same size as input vector.")
    if np.any(w < 0):
        raise ValueError("Input weights should be all non-negative")
    if name == "hamming":
        return np.sum(np.where(gaps != 0, w, 0.0), axis=-1) / np.sum(w)
    if name == "cityblock" or name == "minkowski" and p == 1:
        return np.sum(w * np.abs(gaps), axis=-1)
    if name == "sqeuclidean":
        return np.sum(w * gaps * gaps, axis=-1)
    return _length(np.sqrt(w) * gaps) if name == "euclidean" or p == 2 else _minkowski(w ** (1.0 / p) * gaps, p)


def _of_truths(name, u, v, w):
    """By how often both are true, one of them, none, along the last axis; numbers count as that much truth."""
    both, first, second = np.sum(w * u * v, axis=-1), np.sum(w * u * (1.0 - v), axis=-1), np.sum(w * (1.0 - u) * v, axis=-1)
    none, apart = np.sum(w * (1.0 - u) * (1.0 - v), axis=-1), first + second
    if name == "jaccard":
        return np.where(both + apart == 0, 0.0, apart / np.where(both + apart == 0, 1.0, both + apart))
    if name == "dice":
        return apart / (2.0 * both + apart)
    if name == "rogerstanimoto":
        return 2.0 * apart / (both + none + 2.0 * apart)
    if name == "russellrao":
        count = np.sum(w + 0.0 * u, axis=-1)
        return (count - both) / count
    if name == "sokalsneath":
        return 2.0 * apart / (both + 2.0 * apart)
    mixed = first * second
    return np.where(mixed == 0, 0.0, 2.0 * mixed / np.where(mixed == 0, 1.0, both * none + mixed))


def _divergence(a, b):
    """Jensen's and Shannon's; that of a row with a negative number, or of which nothing is to be divided by, is infinite."""
    first, second = np.sum(a, axis=-1, keepdims=True), np.sum(b, axis=-1, keepdims=True)
    none = (first == 0) | (second == 0) | np.any(a < 0, axis=-1, keepdims=True) | np.any(b < 0, axis=-1, keepdims=True)
    p, q = np.where(none, 0.5, a / np.where(first == 0, 1.0, first)), np.where(none, 0.25, b / np.where(second == 0, 1.0, second))
    middle = (p + q) / 2
    total = (np.sum(_entropies(p, middle), axis=-1) + np.sum(_entropies(q, middle), axis=-1)) / 2
    return np.where(none[..., 0], np.inf, np.sqrt(np.maximum(total, 0.0)))


def _entropies(p, q):
    there = p > 0
    return np.where(there, p * np.log(np.where(there, p, 1.0) / np.where(there, q, 1.0)), 0.0)


def _minkowski(gaps, p):
    if p <= 0:
        raise ValueError("p must be greater than 0")
    if p == 1:
        return np.sum(np.abs(gaps), axis=-1)
    if p == 2:
        return _length(gaps)
    if p == np.inf:
        return np.max(np.abs(gaps), axis=-1, initial=0.0)
    return _root(np.sum(np.abs(gaps) ** p, axis=-1), p)


def _cosine(a, b):
    """Of the angle between vectors, not beyond 1."""
    found = np.sum(a * b, axis=-1) / np.sqrt(np.sum(a * a, axis=-1) * np.sum(b * b, axis=-1))
    return np.where(np.abs(found) > 1, np.copysign(1.0, found), found)


# ---- of two vectors -------------------------------------------------------------------------------------------------------------


def _floats(x):
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _vectors(u, v, w):
    """Two vectors as they are, and the weights of their elements."""
    u, v = np.asarray(u), np.asarray(v)
    if u.ndim != 1 or v.ndim != 1:
        raise ValueError("Input vector should be 1-D.")
    if u.dtype.kind == "c" or v.dtype.kind == "c":
        unsupported("distances of complex numbers", "their real and imaginary parts one behind the other")
    if u.shape[0] != v.shape[0]:
        raise ValueError("the vectors have different lengths")
    if u.dtype.kind == "b" or v.dtype.kind == "b":
        unsupported("distances of bools as of numbers", "astype(float)")
    return u, v, None if w is None else _weights(w)


def _weights(w):
    w = np.asarray(w, np.float64)
    if np.any(w < 0):
        raise ValueError("Input weights should be all non-negative")
    return w


def _gaps(u, v, scales):
    """Differences as SciPy takes them: of integers in their own dtype, where they may wrap."""
    gaps = _floats(u - v)
    gaps = gaps if scales is None else scales * gaps
    if not np.all(np.isfinite(gaps)):
        raise ValueError("array must not contain infs or NaNs")
    return gaps


def minkowski(u, v, p=2, w=None):
    """scipy.spatial.distance.minkowski."""
    u, v, w = _vectors(u, v, w)
    if p <= 0:
        raise ValueError("p must be greater than 0")
    if p == 2:
        return euclidean(u, v, w)
    return _minkowski(_gaps(u, v, None if w is None else (w != 0) if p == np.inf else w ** (1.0 / p)), p)[()]


def euclidean(u, v, w=None):
    """scipy.spatial.distance.euclidean: a Python float, of whole numbers NumPy's."""
    whole = w is None and np.asarray(u).dtype.kind not in "fc" and np.asarray(v).dtype.kind not in "fc"
    u, v, w = _vectors(u, v, w)
    gaps = _gaps(u, v, None if w is None else np.sqrt(w))
    if SCIPY_1_18 or whole:
        return _length(gaps)[()]
    return float(_length(gaps.astype(np.float64)))


def sqeuclidean(u, v, w=None):
    """scipy.spatial.distance.sqeuclidean."""
    u, v, w = _vectors(u, v, w)
    gaps = _floats(u) - _floats(v)
    return np.sum(gaps**2 if w is None else w * gaps**2)


def cityblock(u, v, w=None):
    """scipy.spatial.distance.cityblock."""
    u, v, w = _vectors(u, v, w)
    return np.sum(np.abs(u - v) if w is None else w * np.abs(u - v))


def chebyshev(u, v, w=None):
    """scipy.spatial.distance.chebyshev: Python's max of the elements, which is nan only where the first one is."""
    u, v, w = _vectors(u, v, w)
    gaps = np.abs(u - v) if w is None else (w > 0) * np.abs(u - v)
    return np.max(gaps if gaps.dtype.kind != "f" else np.where(np.isnan(gaps), gaps[0], gaps))


def canberra(u, v, w=None):
    """scipy.spatial.distance.canberra."""
    u, v, w = _vectors(u, v, w)
    u, v = u.astype(np.float64), v.astype(np.float64)
    sizes = np.abs(u) + np.abs(v)
    parts = np.where(sizes == 0, 0.0, np.abs(u - v) / np.where(sizes == 0, 1.0, sizes))
    return np.nansum(parts if w is None else w * parts)  # what is nan is left out


def braycurtis(u, v, w=None):
    """scipy.spatial.distance.braycurtis."""
    u, v, w = _vectors(u, v, w)
    u, v = u.astype(np.float64), v.astype(np.float64)
    own = np.ones_like(u) if w is None else w
    return np.sum(own * np.abs(u - v)) / np.sum(own * np.abs(u + v))


def correlation(u, v, w=None, centered=True):
    """scipy.spatial.distance.correlation: products of integers are sums in their own dtype, where they may wrap."""
    u, v, w = _vectors(u, v, w)
    own = None if w is None else w / np.sum(w)
    if centered:
        u, v = (u - np.mean(u), v - np.mean(v)) if own is None else (u - np.dot(u, own), v - np.dot(v, own))
    of_u, of_v = (u, v) if own is None else (u * own, v * own)
    size = np.dot(u, of_u) * np.dot(v, of_v)
    return np.clip(1.0 - np.dot(u, of_v) / math.sqrt(size), 0.0, 2.0)


def cosine(u, v, w=None):
    """scipy.spatial.distance.cosine."""
    return correlation(u, v, w, False)


def mahalanobis(u, v, VI):
    """scipy.spatial.distance.mahalanobis."""
    u, v, _ = _vectors(u, v, None)
    gaps = u - v if u.dtype.kind == "f" and v.dtype.kind == "f" else (u - v).astype(np.float64)
    return _root(gaps @ np.atleast_2d(VI) @ gaps, 2)[()]


def seuclidean(u, v, V):
    """scipy.spatial.distance.seuclidean."""
    u, v, _ = _vectors(u, v, None)
    variances = np.asarray(V, np.float64)
    if variances.ndim != 1:
        raise ValueError("Input vector should be 1-D.")
    if variances.shape[0] != u.shape[0]:
        raise TypeError("V must be a 1-D array of the same dimension as u and v.")
    return euclidean(u, v, 1.0 / variances)


def hamming(u, v, w=None):
    """scipy.spatial.distance.hamming."""
    u, v, w = _vectors(u, v, w)
    if w is not None and w.shape != u.shape:
        raise ValueError("'w' should have the same length as 'u' and 'v'.")
    return np.mean(u != v) if w is None else np.sum((u != v) * (w / np.sum(w)))


def jaccard(u, v, w=None):
    """scipy.spatial.distance.jaccard."""
    u, v, w = _vectors(np.where(np.asarray(u) != 0, 1.0, 0.0), np.where(np.asarray(v) != 0, 1.0, 0.0), w)
    return _of_truths("jaccard", u, v, 1.0 if w is None else w)[()]


def dice(u, v, w=None):
    """scipy.spatial.distance.dice."""
    return _of_two("dice", u, v, w)


def rogerstanimoto(u, v, w=None):
    """scipy.spatial.distance.rogerstanimoto."""
    return _of_two("rogerstanimoto", u, v, w)


def russellrao(u, v, w=None):
    """scipy.spatial.distance.russellrao."""
    return _of_two("russellrao", u, v, w)


def yule(u, v, w=None):
    """scipy.spatial.distance.yule."""
    return _of_two("yule", u, v, w)


def _of_two(name, u, v, w):
    """As a Python float, as SciPy gives them; russellrao with weights as NumPy's."""
    if np.asarray(u).dtype.kind == "c" or np.asarray(v).dtype.kind == "c":
        unsupported(f"scipy.spatial.distance.{name} of complex numbers", "bools")
    u, v, w = _vectors(np.asarray(u).astype(np.float64), np.asarray(v).astype(np.float64), w)
    found = _of_truths(name, u, v, 1.0 if w is None else w)
    return found if name == "russellrao" and w is not None else float(found)


def jensenshannon(p, q, base=None, *, axis=0, keepdims=False):
    """scipy.spatial.distance.jensenshannon."""
    import scipy.special

    p, q = _floats(np.asarray(p)), _floats(np.asarray(q))
    p, q = p / np.sum(p, axis=axis, keepdims=True), q / np.sum(q, axis=axis, keepdims=True)
    middle = (p + q) / 2.0
    found = np.sum(scipy.special.rel_entr(p, middle), axis=axis, keepdims=keepdims) + np.sum(scipy.special.rel_entr(q, middle), axis=axis, keepdims=keepdims)
    if base is not None:
        found = (found / np.log(base)).astype(found.dtype) if found.ndim > 0 else found / np.log(base)
    return np.sqrt(found / 2.0)


def distance_matrix(x, y, p=2.0, threshold=1000000):
    """scipy.spatial.distance_matrix."""
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise ValueError("x and y contain vectors of different lengths")
    return _minkowski(a[:, np.newaxis, :] - b[np.newaxis, :, :], p)


def minkowski_distance(x, y, p=2.0):
    """scipy.spatial.minkowski_distance: along the last axis."""
    return _minkowski(np.asarray(x, np.float64) - np.asarray(y, np.float64), p)


PAIRS = {
    **{f"scipy.spatial.distance.{function.__name__}": function for function in (
        minkowski, euclidean, sqeuclidean, cityblock, chebyshev, canberra, braycurtis, correlation, cosine, mahalanobis, seuclidean, hamming, jensenshannon,
        jaccard, dice, rogerstanimoto, russellrao, yule,
    )}, "scipy.spatial.distance_matrix": distance_matrix, "scipy.spatial.minkowski_distance": minkowski_distance,
}  # fmt: skip
"""Of two vectors, by qualified name: `tests/test_scipy_forms.py`."""
DISTANCES = {f"scipy.spatial.distance.{function.__name__}": function for function in (cdist, pdist, squareform)}
"""By qualified name."""
