"""Methods of NumPy's random generators that give integers, orders and choices: they have no derivatives."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.drawing import drawn
from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.random import require, shape_of


def count_of(x, size):
    """Without a size and with numbers only Python's int."""
    if np.ndim(x):
        return x
    return int(x) if size is None else np.asarray(x)


def poisson(rng, lam=1.0, size=None):
    """rng.poisson."""
    require(np.asarray(lam) >= 0, "lam < 0 or lam is NaN")
    require(np.asarray(lam) <= 9.223372006484771e18, "lam value too large")
    return count_of(drawn(rng, "poisson", shape_of(size, lam), lam), size)


def binomial(rng, n, p, size=None):
    """rng.binomial."""
    require(np.asarray(n) >= 0, "n < 0")
    require((np.asarray(p) >= 0) & (np.asarray(p) <= 1), "p < 0, p > 1 or p is NaN")
    return count_of(drawn(rng, "binomial", shape_of(size, n, p), n, p), size)


def geometric(rng, p, size=None):
    """rng.geometric."""
    require((np.asarray(p) > 0) & (np.asarray(p) <= 1), "p <= 0, p > 1 or p contains NaNs")
    return count_of(drawn(rng, "geometric", shape_of(size, p), p), size)


# ---- integers, orders, choices -------------------------------------------------------------------------------------------------


def integers(rng, low, high=None, size=None, dtype=np.int64, endpoint=False):
    """rng.integers."""
    return integers_of(rng, low, high, size, dtype, endpoint, False)


def integers_of(rng, low, high, size, dtype, endpoint, masked):
    """Integers from low to high; `masked`: as RandomState takes them out of random bits."""
    if high is None:
        low, high = 0, low
    low, high = _bound(low), _bound(high)
    name = np.dtype(dtype).name
    last = high if endpoint else high - 1
    require(np.asarray(low <= last), "low > high" if endpoint else "low >= high")
    if np.ndim(low) or np.ndim(high):
        if name != "int64":
            unsupported(f"random integers of the dtype {name} with bounds that are arrays", "dtype=np.int64, and astype")
        return drawn(rng, "integers_each", shape_of(size, low, high), low, last - low, masked)
    found = _of_dtype(rng, name, shape_of(size), low, last, masked)
    if size is not None or dtype not in (int, bool):
        return found
    return int(found) if dtype is int else bool(found)


def _bound(x):
    return np.asarray(x) if np.ndim(x) else x


def _of_dtype(rng, name, shape, low, last, masked):
    if name in ("int64", "uint64"):
        found = drawn(rng, "integers", shape, low, last - low, masked)
        return found if name == "int64" else found.astype(np.uint64)
    least, most = LIMITS[name]
    require(np.asarray(low >= least), f"low is out of bounds for {name}")
    require(np.asarray(last <= most), f"high is out of bounds for {name}")
    found = drawn(rng, DRAWN[name], shape or (1,), low, last - low, masked)
    found = found if name in ("bool", "int8", "int16", "int32") else found.astype(name)
    return found if shape else found[0]


DRAWN = {"bool": "bools", "int8": "integers_8", "uint8": "integers_8", "int16": "integers_16", "uint16": "integers_16", "int32": "integers_32", "uint32": "integers_32"}
"""By dtype: what is drawn of as many bits."""
LIMITS = {"bool": (0, 1), "int8": (-(2**7), 2**7 - 1), "uint8": (0, 2**8 - 1), "int16": (-(2**15), 2**15 - 1), "uint16": (0, 2**16 - 1), "int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1)}


def permutation(rng, x, axis=0):
    """rng.permutation."""
    if isinstance(x, int | np.integer):
        return drawn(rng, "permutation", (x,))
    x = np.asarray(x)
    return np.take(x, drawn(rng, "permutation", (_length(x, axis),)), axis=axis)


def shuffle(rng, x, axis=0):
    """rng.shuffle."""
    if isinstance(x, np.ndarray):
        if x.ndim == 0:
            raise TypeError("len() of unsized object")
        x[...] = np.take(x, drawn(rng, "permutation", (_length(x, axis),)), axis=axis)
        return
    count = len(x)
    if axis != 0:
        raise NotImplementedError("Axis argument is only supported on ndarray objects")
    if isinstance(x, dict):
        unsupported("a dict to shuffle", "a list")
    if isinstance(x, list) or count > 1:  # what can't be stored into raises
        places, before = drawn(rng, "permutation", (count,)), [x[k] for k in range(count)]
        for k in range(count):
            x[k] = before[places[k]]


def _length(x, axis):
    if axis < -x.ndim or axis >= x.ndim:
        raise np.exceptions.AxisError(f"axis {axis} is out of bounds for array of dimension {x.ndim}")
    return x.shape[axis]


def is_count(a, message):
    """ValueError with this message unless it is a whole number."""
    if np.asarray(a).dtype.kind not in "iub":
        raise ValueError(message)


def choice(rng, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    """rng.choice."""
    if np.ndim(a) == 0:
        is_count(a, "a must be a sequence or an integer")
    count = a if np.ndim(a) == 0 else np.asarray(a).shape[axis]
    shape = shape_of(size)
    if p is not None:
        places = weighted(rng, count, shape, replace, p)
    elif replace:
        require(np.asarray(count) > 0, "a cannot be empty unless no samples are taken")
        places = drawn(rng, "integers", shape, 0, count - 1, False)
        places = places if shape else int(places)
    else:
        total = np.prod(np.asarray(shape, dtype=np.int64)) if shape else 1
        require(np.asarray(total) <= count, "Cannot take a larger sample than population when replace is False")
        found = drawn(rng, "chosen", (int(total),), count, shuffle)
        places = found.reshape(shape) if shape else int(found[0])
    return places if np.ndim(a) == 0 else np.take(np.asarray(a), places, axis=axis)


def weighted(rng, count, shape, replace, p):
    """Places, of which each is as likely as p says."""
    p = np.asarray(p, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if p.shape[0] != count:
        raise ValueError("a and p must have same size")
    require(~np.isnan(p), "Probabilities contain NaN")
    require(p >= 0, "Probabilities are not non-negative")
    require(np.abs(np.sum(p) - 1.0) <= 1.4901161193847656e-08, "Probabilities do not sum to 1. See Notes section of docstring for more information.")
    if replace:
        places = np.searchsorted(_steps(p), drawn(rng, "uniform", shape), side="right")
    else:
        places = _different(rng, p.copy(), int(np.prod(np.asarray(shape, dtype=np.int64)))).reshape(shape)
    return places if shape else int(places)


def _steps(p):
    sums = np.cumsum(p)
    return sums / sums[-1]


def _different(rng, p, size):
    """As many different places: as many as are missing are drawn, and those that are new are taken, until there are enough."""
    require(np.count_nonzero(p > 0) >= size, "Fewer non-zero entries in p than size")
    found = np.zeros(size, dtype=np.int64)
    count = 0
    while count < size:
        steps = _steps(p)
        numbers = drawn(rng, "uniform", (size - count,))
        for number in numbers:
            place = np.searchsorted(steps, number, side="right")
            if p[place] > 0:
                found[count] = place
                count += 1
                p[place] = 0.0
    return found


def permuted(rng, x, *, axis=None, out=None):
    """rng.permuted: each line along an axis in an order of its own."""
    x = np.array(x)
    if x.ndim == 0:
        raise TypeError("len() of unsized object")
    if axis is None:
        found = x.reshape(-1)[drawn(rng, "permutation", (x.size,))].reshape(x.shape)
    else:
        lines = np.moveaxis(x, axis, -1)
        for place in np.ndindex(lines.shape[:-1]):
            lines[place] = lines[place][drawn(rng, "permutation", (lines.shape[-1],))]
        found = x
    if out is None:
        return found
    out[...] = found
    return out


# ---- counts of several kinds ---------------------------------------------------------------------------------------------------


def negative_binomial(rng, n, p, size=None):
    """rng.negative_binomial."""
    require(np.asarray(n) > 0, "n <= 0")
    require((np.asarray(p) > 0) & (np.asarray(p) <= 1), "p <= 0, p > 1 or p contains NaNs")
    return count_of(drawn(rng, "negative_binomial", shape_of(size, n, p), n, p), size)


def logseries(rng, p, size=None):
    """rng.logseries."""
    require((np.asarray(p) >= 0) & (np.asarray(p) < 1), "p < 0, p >= 1 or p is NaN")
    return count_of(drawn(rng, "logseries", shape_of(size, p), p), size)


def zipf(rng, a, size=None):
    """rng.zipf."""
    require(np.asarray(a) > 1, "a <= 1 or a is NaN")
    return count_of(drawn(rng, "zipf", shape_of(size, a), a), size)


def hypergeometric(rng, ngood, nbad, nsample, size=None):
    """rng.hypergeometric."""
    check_things(ngood, nbad, nsample)
    return count_of(drawn(rng, "hypergeometric", shape_of(size, ngood, nbad, nsample), ngood, nbad, nsample), size)


def check_things(ngood, nbad, nsample):
    """hypergeometric's errors."""
    require(np.asarray(ngood) + np.asarray(nbad) >= np.asarray(nsample), "ngood + nbad < nsample")
    require(np.asarray(ngood) >= 0, "ngood < 0")
    require(np.asarray(nbad) >= 0, "nbad < 0")
    require(np.asarray(nsample) >= 0, "nsample < 0")


def multinomial(rng, n, pvals, size=None):
    """rng.multinomial."""
    return of_kinds(rng, "binomial", n, pvals, size)


def of_kinds(rng, name, n, pvals, size):
    """A binomial number for each kind but the last, of what the ones before leave."""
    pvals = np.asarray(pvals, dtype=np.float64)
    require(np.asarray(n) >= 0, "n < 0")
    require((pvals >= 0) & (pvals <= 1), "pvals < 0, pvals > 1 or pvals contains NaNs")
    require(np.sum(pvals[..., :-1], axis=-1) <= 1.0 + 1e-12, "sum(pvals[:-1]) > 1.0")
    shape = shape_of(size, n, pvals[..., 0])
    kinds = pvals.shape[-1]
    totals, shares = np.broadcast_to(n, shape), np.broadcast_to(pvals, (*shape, kinds))
    found = np.zeros((*shape, kinds), dtype=np.int64)
    for place in np.ndindex(shape):
        left, rest = int(totals[place]), 1.0
        for k in range(kinds - 1):
            count = drawn(rng, name, (), left, shares[(*place, k)] / rest)
            found[(*place, k)] = count
            left -= count
            if left <= 0:
                break
            rest -= shares[(*place, k)]
        if left > 0:
            found[(*place, -1)] = left
    return found


def multivariate_hypergeometric(rng, colors, nsample, size=None, method="marginals"):
    """rng.multivariate_hypergeometric: a hypergeometric number for each kind but the last."""
    if method != "marginals":
        unsupported(f"rng.multivariate_hypergeometric(method={method!r})", "method='marginals'")
    colors = np.asarray(colors)
    if colors.ndim != 1:
        raise ValueError("colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.")
    require(colors >= 0, "colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.")
    if colors.dtype.kind not in "iu":
        raise ValueError("colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.")
    total = np.sum(colors)
    require(np.asarray(nsample >= 0), "nsample must be nonnegative.")
    require(np.asarray(nsample <= total), "nsample > sum(colors)")
    shape = shape_of(size)
    found = np.zeros((*shape, len(colors)), dtype=np.int64)
    most = nsample > total // 2
    wanted = int(total - nsample) if most else int(nsample)
    for place in np.ndindex(shape):
        left, rest = wanted, int(total)
        for k in range(len(colors) - 1):
            if left <= 0:
                break
            rest -= colors[k]
            count = drawn(rng, "hypergeometric", (), colors[k], rest, left)
            found[(*place, k)] = count
            left -= count
        if left > 0:
            found[(*place, -1)] = left
        if most:
            found[place] = colors - found[place]
    return found


COUNTS = (
    poisson, binomial, geometric, negative_binomial, logseries, zipf, hypergeometric, multinomial, multivariate_hypergeometric, integers, permutation, shuffle, permuted, choice,
)  # fmt: skip
"""Generator's methods that give integers, or change the order."""
