"""s2s.random's orders and choices: JAX's own algorithms, number by number (`jax.random`, version 0.10), so that its bits come out."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.random_checks import fitting, single, sizes_of
from s2s.transforms.read.composed.random_keys import WORD, gumbel, key, randint, split, uniform, words_of_32


def permutation(key: Any, x: Any, axis: int = 0, independent: bool = False) -> Any:
    """An array's parts along an axis, or 0 … x - 1, in random order.

    >>> np.sort(permutation(key(0), 4))
    array([0, 1, 2, 3])
    """
    single("permutation", key)
    if np.ndim(x) == 0 and np.asarray(x).dtype.kind not in "iu":
        raise TypeError("x must be an integer or at least 1-dimensional")
    if np.ndim(x) > 1 and independent:
        return _each_shuffled(key, x, axis)
    if np.ndim(x) == 0:
        return _shuffled(key, np.arange(x))
    return np.take(x, _shuffled(key, np.arange(x.shape[axis])), axis=axis)


def _shuffled(key: Any, x: Any) -> Any:
    """A vector in random order: sorted by random words, twice if some may be equal."""
    rounds = int(np.ceil(3 * np.log(max(len(x), 1)) / np.log(WORD)))
    for _ in range(rounds):
        keys = split(key)
        key = keys[0]
        x = x[np.argsort(words_of_32(keys[1], (len(x),)), kind="stable")]
    return x


def _each_shuffled(key: Any, x: Any, axis: int) -> Any:
    """Each vector along an axis in an order of its own."""
    rounds = int(np.ceil(3 * np.log(max(x.size, 1)) / np.log(WORD)))
    for _ in range(rounds):
        keys = split(key)
        key = keys[0]
        x = np.take_along_axis(x, np.argsort(words_of_32(keys[1], x.shape), axis=axis, kind="stable"), axis=axis)
    return x


def choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0) -> Any:
    """Parts of an array along an axis, or of 0 … a - 1, with probabilities p.

    >>> choice(key(0), 5, (3,)).shape
    (3,)
    """
    single("choice", key)
    if isinstance(shape, int | np.integer):
        raise TypeError(f"shape argument of jax.random.choice must be a sequence, got {shape}")
    sizes = sizes_of(shape)
    count = a if np.ndim(a) == 0 else a.shape[axis]
    if p is not None:
        if np.ndim(p) != 1 or np.shape(p)[0] != count:
            raise ValueError(f"p must be None or a 1D vector with the same size as a.shape[axis]. p has shape {np.shape(p)} and a.shape[axis] is {count}.")
        p = np.asarray(p)
        p = p if p.dtype.kind == "f" else p.astype(np.float64)
    wanted = 1
    for size in sizes:
        wanted = wanted * size
    if wanted > 0 and count <= 0:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if replace:
        if p is None:
            where = randint(key, sizes, 0, count)
        else:
            sums = np.cumsum(p)
            where = np.searchsorted(sums, sums[-1] * (1 - uniform(key, sizes, sums.dtype)))
    else:
        if wanted > count:
            raise ValueError(f"Cannot take a larger sample (size {wanted}) than population (size {count}) when 'replace=False'")
        order = _shuffled(key, np.arange(count)) if p is None else np.argsort(-(gumbel(key, (count,), p.dtype) + np.log(p)), kind="stable")
        where = np.reshape(order[:wanted], sizes)
    return where if np.ndim(a) == 0 else np.take(a, where, axis=axis)


def categorical(key: Any, logits: Any, axis: int = -1, shape: Any = None, replace: bool = True) -> Any:
    """Numbers of classes with the probabilities softmax(logits) along an axis; without replacement none is drawn twice.

    >>> categorical(key(0), np.array([-np.inf, 0.0]))
    np.int64(1)
    """
    single("categorical", key)
    logits = np.asarray(logits)
    place = axis if axis < 0 else axis - logits.ndim
    batch = list(logits.shape)
    classes = batch.pop(place)
    sizes = tuple(batch) if shape is None else fitting("categorical", shape, tuple(batch))
    if not replace:
        return _without_replacement(key, logits, place, sizes, len(sizes) - len(batch), classes)
    drawn = list(sizes)
    drawn.insert(len(drawn) + 1 + place, classes)
    return np.argmax(gumbel(key, tuple(drawn), logits.dtype) + logits, axis=place)


def _without_replacement(key: Any, logits: Any, place: int, sizes: Any, before: int, classes: Any) -> Any:
    """The largest ones of logits and Gumbel numbers."""
    count = 1
    for size in sizes[:before]:
        count = count * size
    if count > classes:
        raise ValueError(f"Number of samples without replacement ({count}) cannot exceed number of categories ({classes}).")
    order = np.argsort(-np.moveaxis(logits + gumbel(key, logits.shape, logits.dtype), place, -1), axis=-1, kind="stable")
    return np.reshape(np.moveaxis(order[..., :count], -1, 0), sizes)


EXPORTED = {function.__name__: function for function in (permutation, choice, categorical)}
"""By the names that they have in s2s.random."""
__all__ = ["EXPORTED", "categorical", "choice", "key", "permutation"]
