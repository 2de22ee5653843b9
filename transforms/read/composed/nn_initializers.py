"""s2s.nn.initializers: what parameters start with, equal to JAX's bits (`jax.nn.initializers`, version 0.10). Each makes a function init(key, shape, dtype)."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed import random_keys, random_samplers
from s2s.transforms.read.composed.marks import unsupported


def zeros(key: Any, shape: Any, dtype: Any = None) -> Any:
    """Zeros.

    >>> zeros(None, (2,))
    array([0., 0.])
    """
    return np.zeros(shape, np.float64 if dtype is None else dtype)


def ones(key: Any, shape: Any, dtype: Any = None) -> Any:
    """Ones.

    >>> ones(None, (2,))
    array([1., 1.])
    """
    return np.ones(shape, np.float64 if dtype is None else dtype)


def constant(value: Any, dtype: Any = None) -> Callable[..., Any]:
    """One value.

    >>> constant(7)(None, (2,))
    array([7., 7.])
    """
    default = np.float64 if dtype is None else dtype

    def init(key: Any, shape: Any, dtype: Any = default) -> Any:
        return np.full(shape, value, dtype)

    return init


def uniform(scale: Any = 0.01, dtype: Any = None) -> Callable[..., Any]:
    """Numbers from [0, scale).

    >>> uniform()(np.array([0, 7]), (2,)).shape
    (2,)
    """
    default = np.float64 if dtype is None else dtype

    def init(key: Any, shape: Any, dtype: Any = default) -> Any:
        return random_keys.uniform(key, shape, dtype) * np.asarray(scale, dtype)

    return init


def normal(stddev: Any = 0.01, dtype: Any = None) -> Callable[..., Any]:
    """Normal numbers.

    >>> normal()(np.array([0, 7]), (2,)).shape
    (2,)
    """
    default = np.float64 if dtype is None else dtype

    def init(key: Any, shape: Any, dtype: Any = default) -> Any:
        return random_keys.normal(key, shape, dtype) * np.asarray(stddev, dtype)

    return init


def truncated_normal(stddev: Any = 0.01, dtype: Any = None, lower: Any = -2.0, upper: Any = 2.0) -> Callable[..., Any]:
    """Normal numbers between two bounds, then scaled.

    >>> truncated_normal()(np.array([0, 7]), (2,)).shape
    (2,)
    """
    default = np.float64 if dtype is None else dtype

    def init(key: Any, shape: Any, dtype: Any = default) -> Any:
        return random_keys.truncated_normal(key, lower, upper, shape, dtype) * np.asarray(stddev, dtype)

    return init


def variance_scaling(scale: Any, mode: str, distribution: str, in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
    """Numbers whose variance is scale / n, n the number of inputs ("fan_in"), outputs ("fan_out"), their mean ("fan_avg") or geometric mean ("fan_geo_avg").

    >>> variance_scaling(1.0, "fan_in", "normal")(np.array([0, 7]), (3, 2)).shape
    (3, 2)
    """
    default = np.float64 if dtype is None else dtype

    def init(key: Any, shape: Any, dtype: Any = default) -> Any:
        if np.dtype(dtype).kind == "c":
            unsupported("a complex dtype of an initializer", "two real arrays")
        fan_in, fan_out = _fans(tuple(shape), in_axis, out_axis, batch_axis)
        if mode == "fan_in":
            count = fan_in
        elif mode == "fan_out":
            count = fan_out
        elif mode == "fan_avg":
            count = (fan_in + fan_out) / 2
        elif mode == "fan_geo_avg":
            count = (fan_in * fan_out) ** 0.5
        else:
            raise ValueError(f"invalid mode for variance scaling initializer: {mode}")
        variance = np.asarray(scale / count, dtype)
        if distribution == "truncated_normal":
            return random_keys.truncated_normal(key, -2, 2, shape, dtype) * (np.sqrt(variance) / np.asarray(0.87962566103423978, dtype))
        if distribution == "normal":
            return random_keys.normal(key, shape, dtype) * np.sqrt(variance)
        if distribution == "uniform":
            return random_keys.uniform(key, shape, dtype, -1) * np.sqrt(3 * variance)
        raise ValueError(f"invalid distribution for variance scaling initializer: {distribution}")

    return init


def _fans(shape: Any, in_axis: Any, out_axis: Any, batch_axis: Any) -> Any:
    """How many inputs and outputs there are, windows counted."""
    if in_axis == -2 and len(shape) <= 1:
        raise ValueError(
            f"Can't compute input and output sizes of a {len(shape)}-dimensional weights tensor with default in_axis. Must be at least 2D or specify in_axis explicitly."
        )
    ins, outs, batches = _size(shape, in_axis), _size(shape, out_axis), _size(shape, batch_axis)
    window = math.prod(shape) / ins / outs / batches
    return ins * window, outs * window


def _size(shape: Any, axes: Any) -> Any:
    return shape[axes] if isinstance(axes, int) else math.prod([shape[axis] for axis in axes])


def glorot_uniform(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
    """variance_scaling(1, "fan_avg", "uniform").

    >>> glorot_uniform()(np.array([0, 7]), (3, 2)).shape
    (3, 2)
    """
    return variance_scaling(1.0, "fan_avg", "uniform", in_axis, out_axis, batch_axis, dtype)


def glorot_normal(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
    """variance_scaling(1, "fan_avg", "truncated_normal").

    >>> glorot_normal()(np.array([0, 7]), (3, 2)).shape
    (3, 2)
    """
    return variance_scaling(1.0, "fan_avg", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def lecun_uniform(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
    """variance_scaling(1, "fan_in", "uniform").

    >>> lecun_uniform()(np.array([0, 7]), (3, 2)).shape
    (3, 2)
    """
    return variance_scaling(1.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


def lecun_normal(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
    """variance_scaling(1, "fan_in", "truncated_normal").

    >>> lecun_normal()(np.array([0, 7]), (3, 2)).shape
    (3, 2)
    """
    return variance_scaling(1.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def he_uniform(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
    """variance_scaling(2, "fan_in", "uniform").

    >>> he_uniform()(np.array([0, 7]), (3, 2)).shape
    (3, 2)
    """
    return variance_scaling(2.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


def he_normal(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Callable[..., Any]:
    """variance_scaling(2, "fan_in", "truncated_normal").

    >>> he_normal()(np.array([0, 7]), (3, 2)).shape
    (3, 2)
    """
    return variance_scaling(2.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


def orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Callable[..., Any]:
    """Orthogonal matrices, times `scale`: of other shapes the columns lie along `column_axis`.

    >>> q = orthogonal()(np.array([0, 7]), (3, 3))
    >>> bool(np.allclose(q @ q.T, np.eye(3)))
    True
    """
    default = np.float64 if dtype is None else dtype

    def init(key: Any, shape: Any, dtype: Any = default) -> Any:
        if len(shape) < 2:
            raise ValueError("orthogonal initializer requires at least a 2D shape")
        columns = shape[column_axis]
        others = [size for axis, size in enumerate(shape) if axis != column_axis % len(shape)]
        q = random_samplers.orthogonal(key, math.prod(others), (), dtype, columns)
        return np.asarray(scale, dtype) * np.moveaxis(np.reshape(q, (*others, columns)), -1, column_axis)

    return init


def delta_orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Callable[..., Any]:
    """Kernels of 1, 2 or 3 axes of space that are zero but for an orthogonal matrix in the middle.

    >>> delta_orthogonal()(np.array([0, 7]), (3, 2, 2))[0]
    array([[0., 0.],
           [0., 0.]])
    """
    default = np.float64 if dtype is None else dtype

    def init(key: Any, shape: Any, dtype: Any = default) -> Any:
        if len(shape) not in (3, 4, 5):
            raise ValueError("Delta orthogonal initializer requires a 3D, 4D or 5D shape.")
        if shape[-1] < shape[-2]:
            raise ValueError("`fan_in` must be less or equal than `fan_out`. ")
        out = np.zeros(shape, dtype)
        out[tuple([(size - 1) // 2 for size in shape[:-2]])] = orthogonal(scale, column_axis, dtype)(key, tuple(shape[-2:]), dtype)
        return out

    return init


EXPORTED: dict[str, Callable[..., Any]] = {function.__name__: function for function in (
    zeros, ones, constant, uniform, normal, truncated_normal, variance_scaling, glorot_uniform, glorot_normal, lecun_uniform, lecun_normal, he_uniform, he_normal,
    orthogonal, delta_orthogonal,
)}  # fmt: skip
"""By the names that they have in s2s.nn.initializers."""
