"""shard_map, smap, set_mesh."""
from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from s2s.api.jit import Jitted
from s2s.calls import making
from s2s.calls.signature import signature_of
from s2s.calls.transformations import SHARD_MAP, offered
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.hidden import innermost
from s2s.sharding import CONTEXT, Mesh, PartitionSpec
from s2s.transforms.batching.axes import axes_of
from s2s.transforms.batching.specs import Plan, specs_of
from s2s.tree_util import tree_unflatten


class _Infer:
    """No in_specs are given."""

    def __repr__(self) -> str:
        return "s2s.sharding.Infer"


Infer = _Infer()


class set_mesh:  # noqa: N801 - JAX's name
    """The mesh of shard_maps that are given none, from now on, or in a `with`.

    >>> from s2s.sharding import make_mesh
    >>> with set_mesh(make_mesh((1,), ("i",))):
    ...     double = shard_map(lambda x: 2 * x, in_specs=PartitionSpec("i"), out_specs=PartitionSpec("i"))
    """

    def __init__(self, mesh: Mesh) -> None:
        if not isinstance(mesh, Mesh):
            raise ArgumentTypeError(f"set_mesh requires a `s2s.sharding.Mesh`, but got {mesh!r}")
        self.before, CONTEXT[0] = CONTEXT[0], mesh

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        CONTEXT[0] = self.before


@offered(SHARD_MAP)
def shard_map(
    f: Callable[..., Any] | None = None,
    /,
    *,
    out_specs: Any,
    in_specs: Any = Infer,
    mesh: Mesh | None = None,
    axis_names: Any = frozenset(),
    check_vma: bool = True,
) -> Any:
    """`f` for each device of a mesh, on its blocks of the arguments: results are put together of what the devices give.

    Parameters
    ----------
    f
        What each device runs, on blocks. Without it, shard_map makes a decorator.
    mesh
        The devices. None: those of `set_mesh`.
    in_specs, out_specs
        A `PartitionSpec` for each argument (result), or containers of them that are prefixes of the arguments (results). Where an axis of the array names an axis of the
        mesh, it is cut into as many blocks as there are devices along that; arrays whose spec does not name an axis are the same for all devices along it. None in in_specs: the argument as it is.
    axis_names
        The axes of the mesh that are mapped. Empty: all.
    check_vma
        Whether results that must be the same for several devices are known to be, and derivatives inside of `f` take what is the same for all devices for one variable.
        False: the first device's result is taken, and derivatives inside are those of pmap.

    Returns
    -------
    A function of whole arrays.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        In JAX's words: specs that are none, that name other axes, don't fit the arguments or results, sizes that can't be cut evenly, results that are not known to be the same.

    >>> import numpy as np
    >>> from s2s import lax
    >>> from s2s.sharding import make_mesh
    >>> mesh = make_mesh((1,), ("i",))
    >>> total = shard_map(lambda x: lax.psum(np.sum(x), "i"), mesh=mesh, in_specs=PartitionSpec("i"), out_specs=PartitionSpec())
    >>> total(np.array([1.0, 2.0, 3.0, 4.0]))
    np.float64(10.0)
    """
    if f is None:
        return lambda function: shard_map(function, out_specs=out_specs, in_specs=in_specs, mesh=mesh, axis_names=axis_names, check_vma=check_vma)
    if not callable(f):
        raise ArgumentTypeError(f"shard_map requires a callable for its first argument, but got {f} of type {type(f)}.")
    chosen = _mesh(mesh)
    manual = _manual(chosen, axis_names)
    if in_specs is Infer:
        raise ArgumentTypeError(f"shard_map in_specs argument must be a pytree of `s2s.sharding.PartitionSpec` instances, but it was `None` when axis_names={frozenset(manual)} are of type AxisType.Auto")
    in_specs = tuple(in_specs) if isinstance(in_specs, list) else in_specs
    signature, plain = signature_of(f), innermost(f)
    plan = Plan(
        str(getattr(plain, "__name__", type(plain).__name__)), tuple((name, size) for name, size in chosen.shape.items() if name in manual), specs_of("in", in_specs, manual), specs_of("out", out_specs, manual), bool(check_vma),
        () if signature is None else tuple(signature.parameters), f"The mesh given has shape {chosen.axis_sizes} with corresponding axis names {chosen.axis_names}.",
    )  # fmt: skip
    return making.transformed(f, SHARD_MAP.made(plan=plan), making.options(f), Jitted)


def _mesh(given: Any) -> Mesh:
    mesh = CONTEXT[0] if given is None else given
    if mesh is None:
        raise ArgumentValueError("The context mesh cannot be empty. Use `s2s.set_mesh(mesh)` to enter into a mesh context")
    if not isinstance(mesh, Mesh):
        raise ArgumentTypeError(f"shard_map requires a `s2s.sharding.Mesh` instance for its second argument, but got {mesh} of type {type(mesh)}.")
    if mesh.empty:
        raise ArgumentValueError(f"shard_map requires a non-empty mesh. Got {mesh}")
    return mesh


def _manual(mesh: Mesh, axis_names: Any) -> frozenset[Hashable]:
    """The axes of the mesh that are mapped."""
    if not isinstance(axis_names, frozenset | set):
        raise ArgumentTypeError(f"`axis_names` argument of shard_map should be of type `frozenset` or `set`. Got type: {type(axis_names)}")
    if not frozenset(axis_names) <= frozenset(mesh.axis_names):
        raise ArgumentValueError(f"s2s.shard_map requires axis_names={frozenset(axis_names)} to be a subset of mesh.axis_names={frozenset(mesh.axis_names)}")
    return frozenset(axis_names) or frozenset(mesh.axis_names)


def smap(f: Callable[..., Any] | None = None, /, *, in_axes: Any = Infer, out_axes: Any, axis_name: Hashable) -> Any:
    """shard_map along one axis of the mesh of `set_mesh`, with axes as vmap's in place of specs.

    >>> import numpy as np
    >>> from s2s.sharding import make_mesh
    >>> with set_mesh(make_mesh((1,), ("i",))):
    ...     smap(lambda x: 2 * x, in_axes=0, out_axes=0, axis_name="i")(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    if f is None:
        return lambda function: smap(function, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)
    if isinstance(axis_name, list | tuple):
        raise ArgumentTypeError(f"smap axis_name should be a `str` or a `Hashable`, but got {axis_name}")
    if in_axes is Infer:
        raise ArgumentTypeError(f"in_axes was not specified when axis_name={frozenset((axis_name,))} was of type Auto")

    def specs(name: str, given: Any) -> Any:
        axes = axes_of("smap", name, given)
        return tree_unflatten(axes.treedef, [PartitionSpec() if axis is None else PartitionSpec(*(None,) * axis, axis_name) for axis in axes.leaves])

    return shard_map(f, in_specs=specs("in_axes", in_axes), out_specs=specs("out_axes", out_axes), axis_names={axis_name})


__all__ = ["Infer", "set_mesh", "shard_map", "smap"]
