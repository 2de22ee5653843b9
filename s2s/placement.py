"""Where arrays shall lie: `jax.sharding`'s shardings. Arrays here are whole and in one place, so that a sharding says what is checked, and moves nothing.

    NamedSharding(mesh, PartitionSpec("i", None))      the first axis in as many blocks as the mesh has devices along "i"
"""
from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from s2s import host_devices as host
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.sharding import CONTEXT, Mesh, PartitionSpec
from s2s.tree_util import parts_like, tree_flatten, tree_leaves

Index = tuple[slice, ...]


class Sharding:
    """Which device would hold which block of an array."""

    memory_kind = "device"
    is_fully_addressable = True
    has_addressable_devices = True

    @property
    def devices(self) -> tuple[host.Device, ...]:
        """In the order of their blocks."""
        raise NotImplementedError

    def cuts(self, ndim: int) -> tuple[int, ...]:
        """Into how many blocks each axis of an array is cut."""
        raise NotImplementedError

    def devices_indices_map(self, global_shape: Sequence[int]) -> dict[host.Device, Index]:
        """The block of each device in an array of this shape."""
        raise NotImplementedError

    @property
    def num_devices(self) -> int:
        return len(self.devices)

    @property
    def device_set(self) -> set[host.Device]:
        return set(self.devices)

    addressable_devices = device_set

    @property
    def is_fully_replicated(self) -> bool:
        """Whether each device would hold the whole array."""
        return True

    def shard_shape(self, global_shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of a block of an array of this shape; ArgumentValueError where it can't be cut evenly."""
        self.check_compatible_aval(tuple(global_shape))
        return tuple(size // count for size, count in zip(global_shape, self.cuts(len(global_shape)), strict=True))

    def addressable_devices_indices_map(self, global_shape: Sequence[int]) -> dict[host.Device, Index]:
        """The same: all devices are this process's."""
        return self.devices_indices_map(global_shape)

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Whether each device would hold the same block of any array of this rank."""
        shape = tuple(np.lcm(one, two) for one, two in zip(self.cuts(ndim), other.cuts(ndim), strict=True))
        return self.devices_indices_map(shape) == other.devices_indices_map(shape)

    def with_memory_kind(self, kind: str) -> Sharding:
        """Itself: there is one kind of memory."""
        _check_memory(kind)
        return self

    def check_rank(self, ndim: int) -> str | None:
        """What is wrong with arrays of this rank, in JAX's words."""
        return None

    def check_compatible_aval(self, aval_shape: tuple[Any, ...]) -> None:
        """ArgumentValueError: a size that can't be cut evenly (only the run knows those that are no ints)."""
        wrong = self.check_rank(len(aval_shape))
        if wrong is not None:
            raise ArgumentValueError(wrong)
        cuts = self.cuts(len(aval_shape))
        for axis, (size, count) in enumerate(zip(aval_shape, cuts, strict=True)):
            if isinstance(size, int) and size % count:
                raise ArgumentValueError(
                    f"Sharding {self} implies that array axis {axis} is partitioned {count} times, but the dimension size is {size} (full shape: {aval_shape}, "
                    f"per-dimension tiling factors: {list(cuts)} should evenly divide the shape)"
                )


class SingleDeviceSharding(Sharding):
    """The whole array on one device.

    >>> SingleDeviceSharding(host.devices()[0])
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """

    def __init__(self, device: host.Device, *, memory_kind: str | None = None) -> None:
        _check_memory(memory_kind)
        self.device = device

    @property
    def devices(self) -> tuple[host.Device, ...]:
        return (self.device,)

    def cuts(self, ndim: int) -> tuple[int, ...]:
        return (1,) * ndim

    def devices_indices_map(self, global_shape: Sequence[int]) -> dict[host.Device, Index]:
        return {self.device: (slice(None),) * len(global_shape)}

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self.device}, memory_kind={self.memory_kind})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SingleDeviceSharding) and other.device == self.device

    def __hash__(self) -> int:
        return hash((SingleDeviceSharding, self.device))


class NamedSharding(Sharding):
    """An array in blocks on a mesh.

    >>> NamedSharding(Mesh(host.devices()[:1], "i"), PartitionSpec("i"))
    NamedSharding(mesh=Mesh('i': 1, axis_types=(Auto,)), spec=P('i',), memory_kind=device)
    """

    def __init__(self, mesh: Mesh, spec: PartitionSpec, memory_kind: str | None = None) -> None:
        _check_memory(memory_kind)
        if not isinstance(mesh, Mesh) or not isinstance(spec, PartitionSpec):
            raise ArgumentTypeError(f"NamedSharding of {mesh!r} and {spec!r}", instead="a Mesh and a PartitionSpec")
        named = [name for names in spec.names.values() for name in names]
        for name, count in Counter(named).items():
            if name not in mesh.axis_names:
                raise ArgumentValueError(f"Resource axis: {name} of {spec} is not found in mesh: {mesh.axis_names}.")
            if count > 1:
                raise ArgumentValueError(
                    f"A single NamedSharding spec specification can map every mesh axis to at most one positional dimension, but {spec} has duplicate entries for `{name}`"
                )
        self.mesh, self.spec = mesh, spec

    @property
    def devices(self) -> tuple[host.Device, ...]:
        return tuple(self.mesh.devices.flat)

    @property
    def is_fully_replicated(self) -> bool:
        return all(count == 1 for count in self.cuts(len(self.spec)))

    def cuts(self, ndim: int) -> tuple[int, ...]:
        names = self.spec.names
        return tuple(math.prod(self.mesh.shape[name] for name in names.get(axis, ())) for axis in range(ndim))

    def devices_indices_map(self, global_shape: Sequence[int]) -> dict[host.Device, Index]:
        blocks, names, sizes = self.shard_shape(global_shape), self.spec.names, self.mesh.shape
        found: dict[host.Device, Index] = {}
        for place in itertools.product(*map(range, sizes.values())):
            at = dict(zip(sizes, place, strict=True))
            found[self.mesh.devices[place]] = tuple(_block(names.get(axis, ()), at, sizes, block) for axis, block in enumerate(blocks))
        return found

    def update(self, **changed: Any) -> NamedSharding:
        """The same with another mesh or spec."""
        return NamedSharding(**{"mesh": self.mesh, "spec": self.spec, **changed})

    def check_rank(self, ndim: int) -> str | None:
        if ndim >= len(self.spec):
            return None
        return f"Sharding {self} is only valid for values of rank at least {len(self.spec)}, but was applied to a value of rank {ndim}."

    def __repr__(self) -> str:
        return f"NamedSharding(mesh={self.mesh}, spec={self.spec}, memory_kind={self.memory_kind})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedSharding) and (other.mesh, other.spec) == (self.mesh, self.spec)

    def __hash__(self) -> int:
        return hash((self.mesh, self.spec))


def _block(names: tuple[Hashable, ...], at: dict[Hashable, int], sizes: Any, block: int) -> slice:
    number = 0
    for name in names:
        number = number * sizes[name] + at[name]
    return slice(number * block, (number + 1) * block, None) if math.prod(sizes[name] for name in names) > 1 else slice(None)


def _check_memory(kind: str | None) -> None:
    if kind not in (None, "device"):
        raise UnsupportedError(f"memory_kind={kind!r}", why="emitted code runs in the host's memory", instead="no memory_kind")


# ---- arrays that are told where to lie -------------------------------------------------------------------------------------


def shardings_of(of: str, name: str, given: Any) -> Any:
    """A container of shardings with those that a `PartitionSpec` stands for in the mesh of `set_mesh`; `of`, `name`: "jit", "in_shardings", for messages."""
    leaves, treedef = _flat(given)
    return treedef.unflatten([_sharding(of, name, leaf) for leaf in leaves])


def _flat(shardings: Any) -> tuple[list[Any], Any]:
    return tree_flatten(shardings, lambda leaf: leaf is None)


def _sharding(of: str, name: str, leaf: Any) -> Sharding | None:
    if leaf is None or isinstance(leaf, Sharding):
        return leaf
    if isinstance(leaf, host.Device) and of == "device_put":
        return SingleDeviceSharding(leaf)
    if of == "device_put" and not isinstance(leaf, PartitionSpec):
        raise ArgumentValueError(f"`s2s.device_put` only accepts `None`, `s2s.sharding.Sharding`, `s2s.Device` or a pytree of these values. Received invalid value: {leaf}")
    if not isinstance(leaf, PartitionSpec):
        raise ArgumentTypeError(f"{name} leaf specifications are expected to be PartitionSpec instances or None, but got {leaf}")
    if CONTEXT[0] is None and of == "device_put":
        raise ArgumentValueError("Please set a mesh via `s2s.set_mesh` if a PartitionSpec is passed to device_put")
    if CONTEXT[0] is None:
        raise RuntimeError(
            f"{of} requires a non-empty mesh in context if you are passing `PartitionSpec`s to {name}. You can define a context mesh via `s2s.set_mesh(mesh)`. "
            f"Alternatively, provide `Sharding`s to {name} and then the mesh context manager is not required."
        )
    return NamedSharding(CONTEXT[0], leaf)


_OF = {
    "device_put": ("device_put args", "device"), "with_sharding_constraint": ("with_sharding_constraint arguments", "shardings"), "jit": ("pjit arguments", "in_shardings"),
       "results of jit": ("pjit outputs", "out_shardings")}  # fmt: skip
"""What arrays are told where to lie by -> what JAX calls the arrays, and the argument that says it."""


def check_placed(of: str, tree: Any, shardings: Any) -> None:
    """ArgumentValueError, in JAX's words, unless the arrays of a container can lie as the shardings say, which begin like it. `of`: "device_put", "with_sharding_constraint"."""
    given, parts = parts_of(of, tree, shardings)
    check_leaves(of, [(sharding, np.shape(leaf)) for sharding, part in zip(given, parts, strict=True) for leaf in tree_leaves(part)])


def parts_of(of: str, tree: Any, shardings: Any) -> tuple[list[Sharding | None], list[Any]]:
    """The shardings, and the part of the container that each speaks of."""
    shardings = shardings_of(of, _OF[of][1], shardings)
    given, treedef = _flat(shardings)
    return given, parts_like(f"{of} {_OF[of][1]}", shardings, treedef, tree, lambda leaf: leaf is None)


def check_leaves(of: str, placed: Sequence[tuple[Sharding | None, tuple[Any, ...]]]) -> None:
    """The same for each array's sharding and shape."""
    for sharding, shape in placed:
        if sharding is None:
            continue
        wrong = sharding.check_rank(len(shape))
        if wrong is not None:
            raise ArgumentValueError(f"One of {_OF[of][0]} is incompatible with its sharding annotation {sharding}: {wrong}")
        if of != "with_sharding_constraint":  # a wish: blocks need not be of one size
            sharding.check_compatible_aval(shape)


def check_arguments(shardings: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """What `jit(in_shardings=…)` demands of a call's arguments (without the static ones)."""
    if kwargs:
        raise ArgumentValueError("pjit does not support kwargs when in_shardings is specified.")
    if isinstance(shardings, tuple | list) and len(shardings) != len(args):
        raise ArgumentValueError(
            "pjit in_shardings specification must be a tree prefix of the positional arguments tuple. In particular, pjit in_shardings must either be a Sharding, a PartitionSpec, "
            f"or a tuple of length equal to the number of positional arguments. But pjit in_shardings is the wrong length: got a tuple or list of length {len(shardings)} for an args tuple of length {len(args)}."
        )
    check_placed("jit", args, tuple(shardings) if isinstance(shardings, list) else shardings)


__all__ = ["NamedSharding", "Sharding", "SingleDeviceSharding", "check_arguments", "check_leaves", "check_placed", "parts_of", "shardings_of"]
