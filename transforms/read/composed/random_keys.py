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
    sizes = _shape(shape)
    count = 1
    for size in sizes:
        count = count * size
    numbers = np.arange(count)
    x, y = threefry(key, numbers >> 32, numbers & WORD)
    return np.reshape(x, sizes), np.reshape(y, sizes)


def _shape(shape: Any) -> Any:
    return (shape,) if isinstance(shape, int | np.integer) else tuple(shape)


# ---- keys ------------------------------------------------------------------------------------------------------------------


def key(seed: Any, *, impl: Any = None) -> Any:
    """The key of a seed, an integer.

    >>> key(7)
    array([0, 7])
    """
    if impl not in (None, "threefry2x32"):
        unsupported("random.key(…, impl=…)", "the default, threefry2x32")
    return np.array([seed >> 32 & WORD, seed & WORD])


def split(key: Any, num: Any = 2) -> Any:
    """New keys, along first axes of this number (or shape).

    >>> split(key(0)).shape
    (2, 2)
    """
    x, y = _words(key, num)
    return np.stack([x, y], axis=-1)


def fold_in(key: Any, data: Any) -> Any:
    """The key made of a key and an integer.

    >>> fold_in(key(0), 3).shape
    (2,)
    """
    x, y = threefry(key, data >> 32 & WORD, data & WORD)
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
    """Words of 32 random bits, as int64.

    >>> bits(key(0), (2,))
    array([4070199207, 4202968722])
    """
    x, y = _words(key, shape)
    return x ^ y


def uniform(key: Any, shape: Any = (), dtype: Any = np.float64, minval: Any = 0.0, maxval: Any = 1.0) -> Any:
    """Numbers from [minval, maxval), of 52 random bits each (float32: 23).

    >>> uniform(key(0), (2,)).round(3)
    array([0.418, 0.216])
    """
    numbers = unit(_words(key, shape), dtype)
    low, high = np.asarray(minval, dtype), np.asarray(maxval, dtype)
    return np.maximum(low, numbers * (high - low) + low)


def unit(words: Any, dtype: Any) -> Any:
    """Numbers from [0, 1) made of two words each."""
    x, y = words
    if np.dtype(dtype) == np.float32:
        return ((x ^ y) >> 9).astype(np.float32) * np.float32(2.0**-23)
    return (x * 2**20 + (y >> 12)) * 2.0**-52


def normal(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of mean 0 and variance 1: the inverse error function of uniform ones.

    >>> normal(key(0), (3,)).shape
    (3,)
    """
    return normal_of(unit(_words(key, shape), dtype), dtype)


def normal_of(numbers: Any, dtype: Any) -> Any:
    """Normal numbers made of those from [0, 1)."""
    from scipy.special import erfinv

    low = np.asarray(-1.0, dtype) + np.finfo(dtype).epsneg
    return np.asarray(math.sqrt(2.0), dtype) * erfinv(np.maximum(low, numbers * (np.asarray(1.0, dtype) - low) + low))


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None) -> Any:
    """True with probability p.

    >>> bernoulli(key(0), 1.0, (2,))
    array([ True,  True])
    """
    return uniform(key, np.shape(p) if shape is None else shape) < p


def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = np.int64) -> Any:
    """Integers from minval up to (not with) maxval, fewer than 2**31 of them.

    >>> randint(key(0), (3,), 5, 6)
    array([5, 5, 5])
    """
    keys = split(key)
    span = np.maximum(np.asarray(maxval) - np.asarray(minval), 1)
    if np.dtype(dtype) == np.int32:
        factor = ((2**16 % span) ** 2 & WORD) % span  # as words multiply
        offset = ((bits(keys[0], shape) % span * factor & WORD) + bits(keys[1], shape) % span & WORD) % span
    else:
        half = 2**32 % span
        factor = half * half % span
        offset = (_modulo(keys[0], shape, span, half) * factor + _modulo(keys[1], shape, span, half)) % span
    return (np.asarray(minval) + offset).astype(dtype)


def _modulo(key: Any, shape: Any, span: Any, half: Any) -> Any:
    """64 random bits modulo span; half is 2**32 modulo span."""
    x, y = _words(key, shape)
    return (x % span * half + y % span) % span


def exponential(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the exponential distribution with mean 1.

    >>> exponential(key(0), (3,)).shape
    (3,)
    """
    return -np.log1p(-uniform(key, shape, dtype))


def gumbel(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Gumbel distribution.

    >>> gumbel(key(0), (3,)).shape
    (3,)
    """
    return -np.log(-np.log(uniform(key, shape, dtype, np.finfo(dtype).tiny, 1.0)))


def laplace(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Laplace distribution.

    >>> laplace(key(0), (3,)).shape
    (3,)
    """
    u = uniform(key, shape, dtype, np.asarray(-1.0, dtype) + np.finfo(dtype).eps, 1.0)
    return np.sign(u) * np.log1p(-np.abs(u))


def logistic(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the logistic distribution.

    >>> logistic(key(0), (3,)).shape
    (3,)
    """
    u = uniform(key, shape, dtype, np.finfo(dtype).eps, 1.0)
    return np.log(u / (1.0 - u))


def cauchy(key: Any, shape: Any = (), dtype: Any = np.float64) -> Any:
    """Numbers of the Cauchy distribution.

    >>> cauchy(key(0), (3,)).shape
    (3,)
    """
    u = uniform(key, shape, dtype, np.finfo(dtype).eps, 1.0)
    return np.tan(np.asarray(math.pi, dtype) * (u - np.asarray(0.5, dtype)))


def rademacher(key: Any, shape: Any = (), dtype: Any = np.int64) -> Any:
    """-1 or 1.

    >>> np.abs(rademacher(key(0), (3,)))
    array([1, 1, 1])
    """
    return (2 * bernoulli(key, 0.5, shape).astype(np.int64) - 1).astype(dtype)


def truncated_normal(key: Any, lower: Any, upper: Any, shape: Any = None, dtype: Any = np.float64) -> Any:
    """Normal numbers between two bounds.

    >>> truncated_normal(key(0), -1.0, 1.0, (3,)).shape
    (3,)
    """
    from scipy.special import erf, erfinv

    sizes = np.broadcast_shapes(np.shape(lower), np.shape(upper)) if shape is None else shape
    root = np.asarray(math.sqrt(2.0), dtype)
    low, high = np.asarray(lower, dtype), np.asarray(upper, dtype)
    found = root * erfinv(uniform(key, sizes, dtype, erf(low / root), erf(high / root)))
    return np.clip(found, low + _step(low), high - _step(high))


def _step(x: Any) -> Any:
    """Something that leads from x to the next number of its dtype; 0 from infinity."""
    size = np.finfo(x.dtype)
    return np.where(np.isfinite(x), np.abs(x) * (size.epsneg * 1.001) + size.tiny, 0.0).astype(x.dtype)


def multivariate_normal(key: Any, mean: Any, cov: Any, shape: Any = None, dtype: Any = np.float64, method: str = "cholesky") -> Any:
    """Vectors with this mean and covariance.

    >>> multivariate_normal(key(0), np.zeros(2), np.eye(2), (3,)).shape
    (3, 2)
    """
    if method != "cholesky":
        unsupported("random.multivariate_normal(…, method=…)", 'method="cholesky"')
    sizes = np.broadcast_shapes(np.shape(mean)[:-1], np.shape(cov)[:-2]) if shape is None else _shape(shape)
    samples = normal(key, (*sizes, np.shape(mean)[-1]), dtype)
    return mean + np.einsum("...ij,...j->...i", np.linalg.cholesky(cov), samples)


# ---- orders ----------------------------------------------------------------------------------------------------------------


def permutation(key: Any, x: Any, axis: int = 0, independent: bool = False) -> Any:
    """An array's parts along an axis, or 0 … x - 1, in random order.

    >>> np.sort(permutation(key(0), 4))
    array([0, 1, 2, 3])
    """
    if independent:
        unsupported("random.permutation(…, independent=True)", "a loop over the rows")
    if np.ndim(x) == 0:
        return _shuffled(key, np.arange(x))
    return np.take(x, _shuffled(key, np.arange(x.shape[axis])), axis=axis)


def _shuffled(key: Any, x: Any) -> Any:
    """A vector in random order: sorted by random words, twice if some may be equal."""
    rounds = int(np.ceil(3 * np.log(max(len(x), 1)) / np.log(WORD)))
    for _ in range(rounds):
        keys = split(key)
        key = keys[0]
        x = x[np.argsort(bits(keys[1], (len(x),)), kind="stable")]
    return x


def choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0) -> Any:
    """Parts of an array along an axis, or of 0 … a - 1, with probabilities p.

    >>> choice(key(0), 5, (3,)).shape
    (3,)
    """
    sizes = _shape(shape)
    count = a if np.ndim(a) == 0 else a.shape[axis]
    wanted = 1
    for size in sizes:
        wanted = wanted * size
    if replace:
        if p is None:
            where = randint(key, sizes, 0, count)
        else:
            sums = np.cumsum(p)
            where = np.searchsorted(sums, sums[-1] * (1 - uniform(key, sizes)))
    else:
        if wanted > count:
            raise ValueError(f"Cannot take a larger sample (size {wanted}) than population (size {count}) when 'replace=False'")
        order = _shuffled(key, np.arange(count)) if p is None else np.argsort(-(gumbel(key, (count,)) + np.log(p)), kind="stable")
        where = np.reshape(order[:wanted], sizes)
    return where if np.ndim(a) == 0 else np.take(a, where, axis=axis)


def categorical(key: Any, logits: Any, axis: int = -1, shape: Any = None) -> Any:
    """Numbers of classes with the probabilities softmax(logits) along an axis.

    >>> categorical(key(0), np.array([-np.inf, 0.0]))
    np.int64(1)
    """
    if shape is not None:
        place = axis if axis < 0 else axis - logits.ndim
        sizes = list(_shape(shape))
        sizes.insert(len(sizes) + 1 + place, logits.shape[axis])
        return np.argmax(gumbel(key, tuple(sizes), logits.dtype) + logits, axis=place)
    return np.argmax(gumbel(key, logits.shape, logits.dtype) + logits, axis=axis)


EXPORTED = {
    function.__name__: function
    for function in (
        key, split, fold_in, key_data, key_impl, wrap_key_data, clone, bits, uniform, normal, bernoulli, randint, exponential, gumbel, laplace, logistic, cauchy, rademacher, truncated_normal,
        multivariate_normal, permutation, choice, categorical,
    )
}  # fmt: skip
"""By the names that they have in s2s.random."""
