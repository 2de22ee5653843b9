"""s2s.lax's collectives: their signatures. What they are is built by `read/calls/collectives.py`, inside of what binds their axis; anywhere else their name is unbound.

Method: the contracts are those of JAX's `jax.lax`, parallel operators (documentation of version 0.10).
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NoReturn


def _unbound(axis_name: Any) -> NoReturn:
    name = next(iter(axis_name), None) if isinstance(axis_name, tuple | list) else axis_name
    raise NameError(f"unbound axis name: {name}")


def psum(x: Any, axis_name: Hashable, *, axis_index_groups: Sequence[Sequence[int]] | None = None) -> Any:
    """The sum of all examples' `x` along the axis, for each of them: `s2s.vmap(…, axis_name=…)` binds the name.

    Parameters
    ----------
    x
        An array, a number, or a container of them: each leaf is summed by itself. Bools are summed as integers.
    axis_name
        The axis, or a tuple of axes.
    axis_index_groups
        Positions along the axis in groups, each of which has its own sum; each position is in one of them.

    Raises
    ------
    NameError
        Nothing binds the name.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: x / psum(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    >>> s2s.vmap(s2s.grad(lambda x: psum(x * x, "i")), axis_name="i")(np.array([1.0, 3.0]))  # each x is in each sum
    array([ 4., 12.])
    """
    _unbound(axis_name)


def pmean(x: Any, axis_name: Hashable, *, axis_index_groups: Sequence[Sequence[int]] | None = None) -> Any:
    """The mean of all examples' `x` along the axis; arguments as `psum`'s.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: x - pmean(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([-1.,  1.])
    """
    _unbound(axis_name)


def pmax(x: Any, axis_name: Hashable, *, axis_index_groups: Sequence[Sequence[int]] | None = None) -> Any:
    """The largest of all examples' `x` along the axis; arguments as `psum`'s. Its derivative is that of the largest, ties share it.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: x - pmax(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([-2.,  0.])
    """
    _unbound(axis_name)


def pmin(x: Any, axis_name: Hashable, *, axis_index_groups: Sequence[Sequence[int]] | None = None) -> Any:
    """The smallest of all examples' `x` along the axis, as `pmax`.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: x - pmin(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([0., 2.])
    """
    _unbound(axis_name)


def all_gather(
    x: Any, axis_name: Hashable, *, axis_index_groups: Sequence[Sequence[int]] | None = None, axis: int = 0, tiled: bool = False, to: str = "varying",
) -> Any:  # fmt: skip
    """All examples' `x` along a new axis, or, `tiled`, end to end along the one that there is. `to` is accepted and not needed.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: all_gather(x, "i")[::-1], axis_name="i")(np.array([1.0, 3.0]))
    array([[3., 1.],
           [3., 1.]])
    """
    _unbound(axis_name)


def psum_scatter(
    x: Any, axis_name: Hashable, *, scatter_dimension: int = 0, axis_index_groups: Sequence[Sequence[int]] | None = None, tiled: bool = False,
) -> Any:  # fmt: skip
    """Of `psum(x, axis_name)` the part along `scatter_dimension` that is the example's own: one element, or, `tiled`, one of as many equal parts as there are examples.

    Raises
    ------
    ValueError
        The dimension is not as long as the axis, or, tiled, no multiple of that.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: psum_scatter(x, "i"), axis_name="i")(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([4., 6.])
    """
    _unbound(axis_name)


def all_to_all(
    x: Any, axis_name: Hashable, split_axis: int, concat_axis: int, *, axis_index_groups: Sequence[Sequence[int]] | None = None, tiled: bool = False,
) -> Any:  # fmt: skip
    """Each example sends its k-th part of `x` along `split_axis` to the k-th example; what it gets stands along `concat_axis`.

    Parts are single elements, so that `split_axis` goes and `concat_axis` is new; `tiled`: slices, of which those that come stand end to end.

    Raises
    ------
    ValueError
        `split_axis` is not as long as the axis of examples, or, tiled, no multiple of that.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: all_to_all(x, "i", 0, 0), axis_name="i")(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """
    _unbound(axis_name)


def ppermute(x: Any, axis_name: Hashable, perm: Sequence[tuple[int, int]]) -> Any:
    """Another example's `x`: `perm` are pairs (from, to). Where none leads there are zeros.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: ppermute(x, "i", [(0, 1), (1, 2), (2, 0)]), axis_name="i")(np.array([1.0, 2.0, 3.0]))
    array([3., 1., 2.])
    """
    _unbound(axis_name)


def pshuffle(x: Any, axis_name: Hashable, perm: Sequence[int]) -> Any:
    """Another example's `x`: that of example `perm[k]` for example k.

    Raises
    ------
    ValueError
        `perm` is no permutation.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: pshuffle(x, "i", [2, 0, 1]), axis_name="i")(np.array([1.0, 2.0, 3.0]))
    array([3., 1., 2.])
    """
    _unbound(axis_name)


def pswapaxes(x: Any, axis_name: Hashable, axis: int, *, axis_index_groups: Sequence[Sequence[int]] | None = None) -> Any:
    """`all_to_all(x, axis_name, axis, axis)`.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: pswapaxes(x, "i", 0), axis_name="i")(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 3.],
           [2., 4.]])
    """
    _unbound(axis_name)


def pcast(x: Any, axis_name: Hashable, *, to: str) -> Any:
    """`x`, as what may differ from device to device (`to="varying"`): for `shard_map`'s check of what is the same. The number is `x`'s.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: pcast(x, "i", to="varying"), axis_name="i")(np.array([1.0, 3.0]))
    array([1., 3.])
    """
    _unbound(axis_name)


def pbroadcast(x: Any, axis_name: Hashable, source: int) -> Any:
    """The `x` of example `source`, for each.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: pbroadcast(x, "i", 1), axis_name="i")(np.array([1.0, 3.0]))
    array([3., 3.])
    """
    _unbound(axis_name)


def axis_index(axis_name: Hashable) -> Any:
    """Which example this is; of a tuple of axes, counted with the last one running fastest.

    >>> import s2s
    >>> s2s.vmap(lambda: axis_index("i"), axis_size=3, axis_name="i")()
    array([0, 1, 2])
    """
    _unbound(axis_name)


def axis_size(axis_name: Hashable) -> Any:
    """How many examples there are along the axis, or the axes of a tuple.

    >>> import numpy as np, s2s
    >>> s2s.vmap(lambda x: x / axis_size("i"), axis_name="i")(np.array([1.0, 3.0]))
    array([0.5, 1.5])
    """
    _unbound(axis_name)


EXPORTED: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (psum, pmean, pmax, pmin, all_gather, psum_scatter, all_to_all, ppermute, pshuffle, pswapaxes, pbroadcast, pcast, axis_index, axis_size)
}
"""By the names that they have in s2s.lax."""
