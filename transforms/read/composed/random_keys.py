"""s2s.random: random numbers from explicit keys, equal to JAX's bits.

The generator is Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011); how numbers are made of its bits follows the
documentation of `jax.random` (version 0.10, `jax_threefry_partitionable`): element k of an array comes from the counter k. A key is an int64 array of two words
of 32 bits, all arithmetic on words is done in int64.
"""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported
from s2s.transforms.read.composed.random_checks import fitting, floats, single, sizes_of

WORD = 0xFFFFFFFF


def threefry(key: Any, high: Any, low: Any) -> Any:
    """Two words for each pair of counters."""
    first, second = key[0], key[1]
    third = first ^ second ^ 0x1BD11BDA
    x = (high + first) & WORD
    y = (low + second) & WORD
    x, y = _rounds(x, y, 13, 15, 26, 6, second, third + 1)
    x, y = _rounds(x, y, 17, 29, 16, 24, third, first + 2)
    x, y = _rounds(x, y, 13, 15, 26, 6, first, second + 3)
    x, y = _rounds(x, y, 17, 29, 16, 24, second, third + 4)
    return _rounds(x, y, 13, 15, 26, 6, third, first + 5)


def _rounds(x: Any, y: Any, one: int, two: int, three: int, four: int, more_x: Any, more_y: Any) -> Any:
    """Four rounds, and a part of the key added."""
    x, y = _round(x, y, one)
    x, y = _round(x, y, two)
    x, y = _round(x, y, three)
    x, y = _round(x, y, four)
    return (x + more_x) & WORD, (y + more_y) & WORD


def _round(x: Any, y: Any, rotation: int) -> Any:
    x = (x + y) & WORD
    return x, ((y << rotation) & WORD | y >> (32 - rotation)) ^ x


def _words(key: Any, shape: Any) -> Any:
    """Two words for each element of an array of this shape."""
    sizes = sizes_of(shape)
    count = 1
    for size in sizes:
        count = count * size
    numbers = np.arange(count)
    x, y = threefry(key, numbers >> 32, numbers & WORD)
    return np.reshape(x, sizes), np.reshape(y, sizes)


# ---- keys ------------------------------------------------------------------------------------------------------------------


def key(seed: Any, *, impl: Any = None) -> Any:
    """The key of a seed, an integer.

    >>> key(7)
    array([0, 7])
    """
    if impl not in (None, "threefry2x32"):
        unsupported("random.key(…, impl=…)", "the default, threefry2x32")
    if np.ndim(seed) > 0:
        raise TypeError(f"key accepts a scalar seed, but was given an array of shape {np.shape(seed)} != (). Use jax.vmap for batching")
    if np.asarray(seed).dtype.kind not in "iu":
        raise TypeError(f"PRNG key seed must be an integer; got {np.asarray(seed).dtype}")
    return np.array([seed >> 32 & WORD, seed & WORD])


def split(key: Any, num: Any = 2) -> Any:
    """New keys, along first axes of this number (or shape).

    >>> split(key(0)).shape
    (2, 2)
    """
    single("split", key)
    x, y = _words(key, num)
    return np.stack([x, y], axis=-1)


def fold_in(key: Any, data: Any) -> Any:
    """The key made of a key and an integer, of which the last 32 bits count.

    >>> fold_in(key(0), 3).shape
    (2,)
    """
    single("fold_in", key)
    if np.ndim(data) > 0:
        raise TypeError(f"fold_in accepts a scalar, but was given an array of shape {np.shape(data)} != (). Use jax.vmap for batching.")
    x, y = threefry(key, 0, data & WORD)
    return np.array([x, y])


def key_data(keys: Any) -> Any:
    """The words of keys: the keys themselves.

    >>> key_data(key(7))
    array([0, 7])
    """
    return keys


def wrap_key_data(key_bits_array: Any, *, impl: Any = None) -> Any:
    """Keys of their words: the words themselves.

    >>> wrap_key_data(key(7))
    array([0, 7])
    """
    if impl not in (None, "threefry2x32"):
        unsupported("random.wrap_key_data(…, impl=…)", "the default, threefry2x32")
    return key_bits_array


def key_impl(keys: Any) -> Any:
    """The generator's name.

    >>> key_impl(key(7))
    'threefry2x32'
    """
    return "threefry2x32"


def clone(key: Any) -> Any:
    """The same key.

    >>> clone(key(7))
    array([0, 7])
    """
    return key


# ---- numbers ---------------------------------------------------------------------------------------------------------------


def bits(key: Any, shape: Any = (), dtype: Any = None) -> Any:
    """Random bits, as unsigned integers of this dtype (uint64).

    >>> bits(key(0), (2,), np.uint32)
    array([4070199207, 4202968722], dtype=uint32)
    """
    single("bits", key)
    kind = np.dtype(np.uint64 if dtype is None else dtype)
    if kind.kind != "u":
        raise ValueError(f"dtype argument to `bits` must be an unsigned int dtype, got {kind}")
    x, y = _words(key, shape)
    if kind == np.uint64:
        return x.astype(np.uint64) << np.uint64(32) | y.astype(np.uint64)
    return (x ^ y).astype(kind)


def words_of_32(key: Any, shape: Any) -> Any:
    """32 random bits, as int64."""
    x, y = _words(key, shape)
    return x ^ y


def uniform(key: Any, shape: Any = (), dtype: Any = np.float64, minval: Any = 0.0, maxval: Any = 1.0) -> Any:
    """Numbers from [minval, maxval), of 52 random bits each (float32: 23, float16: 10).

    >>> uniform(key(0), (2,)).round(3)
    array([0.418, 0.216])
    """
    single("uniform", key)
    floats("uniform", dtype)
    numbers = unit(_words(key, fitting("uniform", shape, np.shape(minval), np.shape(maxval))), dtype)
    low, high = np.asarray(minval, dtype), np.asarray(maxval, dtype)
    return np.maximum(low, numbers * (high - low) + low)


def unit(words: Any, dtype: Any) -> Any:
    """Numbers from [0, 1) made of two words each."""
    x, y = words
    if np.dtype(dtype) == np.float32:
        return ((x ^ y) >> 9).astype(np.float32) * np.float32(2.0**-23)
    if np.dtype(dtype) == np.float16:
        return (((x ^ y) & 0xFFFF) >> 6).astype(np.float16) * np.float16(2.0**-10)
    return (x * 2**20 + (y >> 12)) * 2.0**-52


def normal(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of mean 0 and variance 1: the inverse error function of uniform ones.

    >>> normal(key(0), (3,)).shape
    (3,)
    """
    single("normal", key)
    kind = np.dtype(dtype)
    if kind.kind not in "fc":
        raise ValueError(f"dtype argument to `normal` must be a float or complex dtype, got {kind}")
    if kind.kind == "c":
        keys = split(key)
        part = np.float32 if kind == np.complex64 else np.float64
        real, imag = normal(keys[0], shape, part), normal(keys[1], shape, part)
        return ((real + 1j * imag) / np.asarray(math.sqrt(2.0))).astype(kind)
    return normal_of(unit(_words(key, shape), dtype), dtype)


def normal_of(numbers: Any, dtype: Any) -> Any:
    """Normal numbers made of those from [0, 1)."""
    from scipy.special import erfinv

    low = np.asarray(-1.0, dtype) + np.finfo(np.dtype(dtype)).epsneg
    return np.asarray(math.sqrt(2.0), dtype) * erfinv(np.maximum(low, numbers * (np.asarray(1.0, dtype) - low) + low)).astype(dtype)


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, mode: str = "low") -> Any:
    """True with probability p. mode="high": of twice as many bits, for small p.

    >>> bernoulli(key(0), 1.0, (2,))
    array([ True,  True])
    """
    single("bernoulli", key)
    if mode not in ("high", "low"):
        raise ValueError(f"got mode={mode!r}, expected 'high' or 'low'")
    kind = np.asarray(p).dtype
    if kind.kind != "f":
        raise TypeError(f"bernoulli probability `p` must have a floating dtype, got {kind}.")
    sizes = np.shape(p) if shape is None else fitting("bernoulli", shape, np.shape(p))
    if mode == "high":
        both = uniform(key, (2, *sizes), kind)
        return both[1] * np.asarray(2.0 ** -np.finfo(kind).nmant, kind) < p - both[0]
    return uniform(key, sizes, kind) < p


def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None) -> Any:
    """Integers from minval up to (not with) maxval, fewer than 2**31 of them.

    >>> randint(key(0), (3,), 5, 6)
    array([5, 5, 5])
    """
    single("randint", key)
    kind = np.dtype(np.int64 if dtype is None else dtype)
    if kind.kind not in "iu":
        raise TypeError(f"randint only accepts integer dtypes, got {kind}")
    sizes = fitting("randint", shape, np.shape(minval), np.shape(maxval))
    keys = split(key)
    if kind.itemsize == 8:
        return _of_64(keys, sizes, _whole(minval), _whole(maxval), kind)
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    low, high = np.clip(_whole(minval).astype(np.int64), least, most), np.clip(_whole(maxval).astype(np.int64), least, most + 1)
    span = np.maximum(high - low, 1)
    factor = ((2**16 % span) ** 2 & WORD) % span  # as words multiply
    offset = ((words_of_32(keys[0], sizes) % span * factor & WORD) + words_of_32(keys[1], sizes) % span & WORD) % span
    return (low + offset).astype(kind)


def _whole(x: Any) -> Any:
    """Integers; floats are cut off."""
    x = np.asarray(x)
    return x if x.dtype.kind in "iu" else x.astype(np.int64)


def _of_64(keys: Any, sizes: Any, minval: Any, maxval: Any, kind: Any) -> Any:
    """Such integers of 64 bits: 128 random ones modulo their number, as words of 64 bits multiply."""
    if kind.kind == "u":
        minval, maxval = np.maximum(minval, 0), np.maximum(maxval, 0)
    low, high = np.atleast_1d(minval.astype(kind)), np.atleast_1d(maxval.astype(kind))  # NumPy's numbers would warn that they wrap around
    one, half = np.uint64(1), np.uint64(2**32)
    span = np.where(high > low, (high - low).astype(np.uint64), one)
    factor = half % span * (half % span) % span
    offset = (bits(keys[0], sizes) % span * factor + bits(keys[1], sizes) % span) % span
    return np.reshape(low + offset.astype(kind), sizes)[()]


def exponential(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the exponential distribution with mean 1.

    >>> exponential(key(0), (3,)).shape
    (3,)
    """
    single("exponential", key)
    floats("exponential", dtype)
    return -np.log1p(-uniform(key, shape, dtype))


def gumbel(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Gumbel distribution.

    >>> gumbel(key(0), (3,)).shape
    (3,)
    """
    single("gumbel", key)
    floats("gumbel", dtype)
    return -np.log(-np.log(uniform(key, shape, dtype, np.finfo(np.dtype(dtype)).tiny, 1.0)))


def laplace(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Laplace distribution.

    >>> laplace(key(0), (3,)).shape
    (3,)
    """
    single("laplace", key)
    floats("laplace", dtype)
    u = uniform(key, shape, dtype, np.asarray(-1.0, dtype) + np.finfo(np.dtype(dtype)).eps, 1.0)
    return np.sign(u) * np.log1p(-np.abs(u))


def logistic(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the logistic distribution.

    >>> logistic(key(0), (3,)).shape
    (3,)
    """
    single("logistic", key)
    floats("logistic", dtype)
    u = uniform(key, shape, dtype, np.finfo(np.dtype(dtype)).eps, 1.0)
    return np.log(u / (1.0 - u))


def cauchy(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Cauchy distribution.

    >>> cauchy(key(0), (3,)).shape
    (3,)
    """
    single("cauchy", key)
    floats("cauchy", dtype)
    u = uniform(key, shape, dtype, np.finfo(np.dtype(dtype)).eps, 1.0)
    return np.tan(np.asarray(math.pi, dtype) * (u - np.asarray(0.5, dtype)))


def rademacher(key: Any, shape: Any = (), dtype: Any = None) -> Any:
    """-1 or 1.

    >>> np.abs(rademacher(key(0), (3,)))
    array([1, 1, 1])
    """
    return (2 * bernoulli(key, 0.5, shape).astype(np.int64) - 1).astype(np.int64 if dtype is None else dtype)


def truncated_normal(key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Normal numbers between two bounds.

    >>> truncated_normal(key(0), -1.0, 1.0, (3,)).shape
    (3,)
    """
    single("truncated_normal", key)
    floats("truncated_normal", dtype)
    from scipy.special import erf, erfinv

    sizes = np.broadcast_shapes(np.shape(lower), np.shape(upper)) if shape is None else fitting("truncated_normal", shape, np.shape(lower), np.shape(upper))
    root = np.asarray(math.sqrt(2.0), dtype)
    low, high = np.asarray(lower, dtype), np.asarray(upper, dtype)
    found = root * erfinv(uniform(key, sizes, dtype, erf(low / root), erf(high / root))).astype(dtype)
    return np.clip(found, low + _step(low), high - _step(high))


def _step(x: Any) -> Any:
    """Something that leads from x to the next number of its dtype; 0 from infinity."""
    size = np.finfo(x.dtype)
    return np.where(np.isfinite(x), np.abs(x) * (size.epsneg * 1.001) + size.tiny, 0.0).astype(x.dtype)


def multivariate_normal(key: Any, mean: Any, cov: Any, shape: Any = None, dtype: Any = None, method: str = "cholesky") -> Any:
    """Vectors with this mean and covariance, of their dtype unless told otherwise.

    >>> multivariate_normal(key(0), np.zeros(2), np.eye(2), (3,)).shape
    (3, 2)
    """
    single("multivariate_normal", key)
    if dtype is None:
        own = np.result_type(np.asarray(mean), np.asarray(cov))
        dtype = own if own.kind == "f" else np.float64
    floats("multivariate_normal", dtype)
    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'svd', 'eigh', 'cholesky'}")
    if np.ndim(mean) < 1:
        raise ValueError(f"multivariate_normal requires mean.ndim >= 1, got mean.ndim == {np.ndim(mean)}")
    if np.ndim(cov) < 2:
        raise ValueError(f"multivariate_normal requires cov.ndim >= 2, got cov.ndim == {np.ndim(cov)}")
    n = np.shape(mean)[-1]
    if np.shape(cov)[-2] != n or np.shape(cov)[-1] != n:
        raise ValueError(f"multivariate_normal requires cov.shape == (..., n, n) for n={n}, but got cov.shape == {np.shape(cov)}.")
    around = np.broadcast_shapes(np.shape(mean)[:-1], np.shape(cov)[:-2])
    sizes = around if shape is None else fitting("normal", shape, around)
    samples = normal(key, (*sizes, n), dtype)
    return mean + np.einsum("...ij,...j->...i", _root(cov, method), samples)


def _root(cov: Any, method: str) -> Any:
    """A matrix of which the square, it times its transpose, is this one."""
    if method == "svd":
        u, s, _ = np.linalg.svd(cov)
        return u * np.sqrt(s)[..., None, :]
    if method == "eigh":
        w, v = np.linalg.eigh(cov)
        return v * np.sqrt(w)[..., None, :]
    return np.linalg.cholesky(cov)


EXPORTED = {
    function.__name__: function
    for function in (
        key, split, fold_in, key_data, key_impl, wrap_key_data, clone, bits, uniform, normal, bernoulli, randint, exponential, gumbel, laplace, logistic, cauchy, rademacher, truncated_normal,
        multivariate_normal,
    )
}  # fmt: skip
"""By the names that they have in s2s.random."""
