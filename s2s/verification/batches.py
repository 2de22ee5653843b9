"""vmap against a loop over the examples: what `check_vmap` and `s2s verify --modes vmap` compare."""
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s import tree_util
from s2s.calls import making
from s2s.calls.transformations import JIT, VMAP, of
from s2s.errors import BatchCheckError
from s2s.transforms.batching.axes import axes_of_arguments, in_axes_of, mapped_sizes, normal_axis, out_axes_of
from s2s.types import is_float
from s2s.verification.gradient_checks import Row

EXAMPLES = 3


def batch_off(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], in_axes: Any, out_axes: Any, target: str) -> tuple[float, float]:
    """The largest difference between vmap(f) and the loop over the examples, and the largest number of the loop.

    Raises
    ------
    BatchCheckError
        The results have other containers, shapes or dtypes.
    """
    jitted = making.transformed(f, JIT.made(), making.options(f, target))
    batched = of(VMAP, jitted, in_axes=in_axes, out_axes=out_axes, axis_size=None, axis_name=None, names=())
    found = batched(*copy.deepcopy(args), **copy.deepcopy(kwargs))
    wanted = looped(f, copy.deepcopy(args), copy.deepcopy(kwargs), in_axes, out_axes)
    if tree_util.tree_structure(found) != tree_util.tree_structure(wanted):
        raise BatchCheckError(f"vmap returns {tree_util.tree_structure(found)}, a loop {tree_util.tree_structure(wanted)}")
    off = size = 0.0
    for one, other in zip(map(np.asarray, tree_util.tree_leaves(found)), map(np.asarray, tree_util.tree_leaves(wanted)), strict=True):
        if one.shape != other.shape or one.dtype != other.dtype:
            raise BatchCheckError(f"vmap returns {one.dtype}{one.shape}, a loop {other.dtype}{other.shape}")
        same = (one == other) | (np.isnan(one) & np.isnan(other))
        with np.errstate(invalid="ignore"):
            off = max(off, float(np.max(np.abs(np.where(same, 0, one.astype(complex) - other)), initial=0.0)))
        size = max(size, float(np.max(np.abs(other[np.isfinite(other)]), initial=0.0)))
    return off, size


def looped(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], in_axes: Any, out_axes: Any) -> Any:
    """The results of Python's own calls, one for each example, stacked."""
    leaves, treedef = tree_util.tree_flatten((args, kwargs))
    ins = axes_of_arguments(in_axes_of(in_axes), args, kwargs)
    (size,) = mapped_sizes(args, kwargs, ins, None, ())
    assert isinstance(size, int)
    results = []
    for number in range(size):
        own = [leaf if axis is None else np.moveaxis(leaf, normal_axis(leaf, axis), 0)[number] for leaf, axis in zip(leaves, ins, strict=True)]
        own_args, own_kwargs = tree_util.tree_unflatten(treedef, own)
        results.append(copy.deepcopy(f(*own_args, **own_kwargs)))
    columns = zip(*map(tree_util.tree_leaves, results), strict=True)
    outs = out_axes_of(out_axes).over("vmap out_axes", results[0])
    stacked = [column[0] if axis is None else np.stack(column, axis) for column, axis in zip(columns, outs, strict=True)]
    return tree_util.tree_unflatten(tree_util.tree_structure(results[0]), stacked)


def batch_row(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], target: str | None, seed: int) -> Row:
    """The check at a few examples near a point: floats differ from example to example, integers are held."""
    rng = np.random.default_rng(seed)

    def is_mapped(leaf: Any) -> bool:
        return isinstance(leaf, np.ndarray | np.generic | float | complex) and is_float(np.asarray(leaf).dtype)

    def spread(leaf: Any) -> Any:
        if not is_mapped(leaf):
            return leaf
        array = np.asarray(leaf)
        return np.stack([array * (1.0 + 0.01 * rng.uniform(-1.0, 1.0, array.shape)) for _ in range(EXAMPLES)]).astype(array.dtype)

    in_axes = tuple(tree_util.tree_map(lambda leaf: 0 if is_mapped(leaf) else None, arg) for arg in args)
    many = tuple(tree_util.tree_map(spread, arg) for arg in args)
    name = getattr(f, "__name__", "f")
    single = any(np.asarray(leaf).dtype in (np.float32, np.complex64) for leaf in tree_util.tree_leaves(args) if is_mapped(leaf))
    comparison = f"vmap of {name}"
    off, size = batch_off(lambda *given: f(*given, **kwargs), many, {}, in_axes, 0, target or "numpy")
    allowed = (1e-4 if single else 1e-10) * (1.0 + size)
    failure = None if off <= allowed else _failure(comparison, off)
    return Row(comparison, f"{EXAMPLES} examples against a loop", off, allowed, failure)


def check(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], in_axes: Any, out_axes: Any, target: str, rtol: float, atol: float) -> None:
    """BatchCheckError unless vmap gives what the loop gives."""
    off, size = batch_off(f, args, kwargs, in_axes, out_axes, target)
    if not off <= atol + rtol * size:
        raise _failure(f"vmap of {getattr(f, '__name__', 'f')}", off)


def _failure(comparison: str, off: float) -> BatchCheckError:
    return BatchCheckError(f"{comparison} differs from the loop over the examples by {off:.3g}", why="the function depends on more than its arguments, or s2s has a fault")
