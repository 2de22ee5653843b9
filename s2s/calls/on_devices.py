"""What is demanded of a call of pmap or shard_map before it is read."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError
from s2s.transforms.batching.axes import Axes, axes_of_arguments, mapped_sizes, shape_of
from s2s.transforms.batching.specs import Plan, misfit
from s2s.tree_util import tree_leaves
from s2s.types import Literal, Var


def check_call(
    args: tuple[Any, ...], kwargs: dict[str, Any], in_axes: Axes, axis_size: int | None, names: tuple[str, ...], static: tuple[int, ...], devices: int | None,
) -> None:
    """ArgumentValueError, in JAX's words: static arguments that are not there or can't be hashed, nothing mapped, sizes that differ, more examples than devices."""
    if static and max(static) >= len(args):
        raise ArgumentValueError(
            f"pmapped function has static_broadcasted_argnums={static} but was called with only {len(args)} positional argument{'s' if len(args) > 1 else ''}. "
            "All static broadcasted arguments must be passed positionally."
        )
    for number in static:
        _check_hashable(args[number], number)
    axes = axes_of_arguments(in_axes, args, kwargs, static)
    if all(axis is None for axis in axes) or not tree_leaves((args, kwargs)):
        raise ArgumentValueError("pmap requires at least one argument with a mapped axis.")
    (size,) = mapped_sizes(args, kwargs, axes, None, names, "pmap")
    if axis_size is not None and size != axis_size:
        raise ArgumentValueError(f"Specified axis_size {axis_size} doesn't match received axis_size {size}.")
    if devices is not None and isinstance(size, int) and size > devices:
        raise ArgumentValueError(
            f"pmap requires {size} replicas, but only {devices} XLA devices are available",
            instead='s2s.config.update("jax_num_cpu_devices", …), XLA_FLAGS=--xla_force_host_platform_device_count=…, or vmap inside of pmap: several examples for each device',
        )


def _check_hashable(value: Any, number: int) -> None:
    try:
        hash(value)
    except TypeError:
        raise ArgumentValueError(
            "Non-hashable static arguments are not supported, as this can lead to unexpected cache-misses. "
            f"Static argument (index {number}) of type {type(value)} is non-hashable.", instead="a tuple instead of a list",
        ) from None


def check_blocks(args: tuple[Any, ...], kwargs: dict[str, Any], plan: Plan) -> None:
    """What is demanded of a call of shard_map: arguments by position, that can be cut as in_specs say."""
    if kwargs:
        raise TypeError(f"a function that shard_map made got an unexpected keyword argument {next(iter(kwargs))!r}")
    words = misfit(plan, args, shape_of, _dtype_of)
    if words is not None:
        raise ArgumentValueError(words)


def _dtype_of(leaf: Any) -> str:
    dtype: np.dtype[Any] = leaf.type.dtype if isinstance(leaf, Var | Literal) else np.asarray(leaf).dtype
    return dtype.name


__all__ = ["check_blocks", "check_call"]
