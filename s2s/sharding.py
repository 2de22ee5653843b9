"""Where blocks of arrays are computed: meshes of devices, and which axes of an array lie along which axes of a mesh. `jax.sharding`'s names.

    mesh = Mesh(np.array(devices()).reshape(4, 2), ("i", "j"))        8 devices, 4 by 2
    PartitionSpec("i", None)                                          the first axis in 4 blocks, the second one whole
"""
from __future__ import annotations

import importlib
import math
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from enum import Enum
from typing import Any, Self

import numpy as np

from s2s import host_devices as host
from s2s.errors import ArgumentTypeError, ArgumentValueError, UnsupportedError
from s2s.not_here import not_here

Entry = Any
"""None: the whole axis; a name, or several."""
CONTEXT: list[Any] = [None]
"""The mesh of `set_mesh`."""


class PartitionSpec:
    """For each axis of an array the axes of the mesh along which its blocks lie.

    >>> PartitionSpec("i", None, ("j", "k")), PartitionSpec()
    (P('i', None, ('j', 'k')), P())
    """

    __slots__ = ("partitions",)
    partitions: tuple[Entry, ...]

    def __init__(self, *partitions: Entry, unreduced: Any = frozenset(), reduced: Any = frozenset()) -> None:
        if unreduced or reduced:
            raise UnsupportedError("PartitionSpec(unreduced=…, reduced=…)", why="arrays are whole where they are not in blocks", instead="a psum inside")
        object.__setattr__(self, "partitions", tuple(map(_entry, partitions)))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a PartitionSpec can't be changed: {name}")

    @property
    def names(self) -> dict[int, tuple[Hashable, ...]]:
        """For each axis of the array that is cut the axes of the mesh."""
        return {axis: each if isinstance(each, tuple) else (each,) for axis, each in enumerate(self.partitions) if each is not None}

    def __repr__(self) -> str:
        return f"P({repr(self.partitions)[1:-1]})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PartitionSpec) and self.partitions == other.partitions

    def __hash__(self) -> int:
        return hash((PartitionSpec, self.partitions))

    def __len__(self) -> int:
        return len(self.partitions)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.partitions)

    def __getitem__(self, place: Any) -> Any:
        return self.partitions[place]

    def __add__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*self, *other) if isinstance(other, tuple | PartitionSpec) else NotImplemented

    def __radd__(self, other: Any) -> PartitionSpec:
        return PartitionSpec(*other, *self) if isinstance(other, tuple) else NotImplemented

    def index(self, value: Entry) -> int:
        """Which axis of the array lies along this."""
        return self.partitions.index(_entry(value))

    def count(self, value: Entry) -> int:
        """How many axes of the array lie along this."""
        return self.partitions.count(_entry(value))


def _entry(given: Any) -> Entry:
    """A list as a tuple; one name as itself, none as None."""
    if not isinstance(given, list | tuple):
        hash(given)  # Python's TypeError
        return given
    return None if not given else given[0] if len(given) == 1 else tuple(given)


class AxisType(Enum):
    """How JAX's compiler treats an axis of a mesh; here all are alike.

    >>> import s2s
    >>> s2s.make_mesh((1,), ("x",), axis_types=(AxisType.Explicit,)).axis_types
    (Explicit,)
    """

    Auto = 1
    Explicit = 2
    Manual = 3

    def __repr__(self) -> str:
        return self.name


class Mesh:
    """Devices in an array whose axes have names.

    >>> from s2s.host_devices import devices
    >>> mesh = Mesh(devices()[:1], "i")
    >>> mesh, mesh.shape["i"], mesh.size
    (Mesh('i': 1, axis_types=(Auto,)), 1, 1)
    """

    def __init__(self, devices: Any, axis_names: Any, axis_types: Sequence[AxisType] | None = None) -> None:
        self.devices = np.asarray(devices, object)
        self.axis_names: tuple[Hashable, ...] = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        if self.devices.ndim != len(self.axis_names):
            raise ArgumentValueError(
                "Mesh requires the ndim of its first argument (`devices`) to equal the length of its second argument (`axis_names`), "
                f"but got devices.ndim == {self.devices.ndim} and len(axis_names) == {len(self.axis_names)}."
            )
        if len(set(self.axis_names)) < len(self.axis_names):
            raise ArgumentValueError(f"a mesh with two axes of one name: {self.axis_names}")
        if not all(isinstance(each, host.Device) for each in self.devices.flat):
            raise ArgumentTypeError("a mesh of what is no device", instead="those of s2s.devices(), in a NumPy array")
        if len(set(self.devices.flat)) < self.devices.size:
            raise ArgumentValueError("a mesh in which a device stands twice")
        self.axis_types = tuple(axis_types) if axis_types is not None else (AxisType.Auto,) * len(self.axis_names)

    @property
    def axis_sizes(self) -> tuple[int, ...]:
        """How many devices stand along each axis."""
        return tuple(self.devices.shape)

    @property
    def shape(self) -> OrderedDict[Hashable, int]:
        """The same by name."""
        return OrderedDict(zip(self.axis_names, self.devices.shape, strict=True))

    @property
    def size(self) -> int:
        """How many devices there are."""
        return math.prod(self.devices.shape)

    @property
    def empty(self) -> bool:
        """Whether it has no axes."""
        return not self.devices.ndim

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name!r}: {size}" for name, size in self.shape.items())
        types = ", ".join(each.name for each in self.axis_types)
        return f"Mesh({sizes}, axis_types=({types}{',' if len(self.axis_types) == 1 else ''}))"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Hashable:
        return self.axis_names, self.axis_sizes, tuple(each.id for each in self.devices.flat)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """JAX's `with mesh:` says which mesh is meant where none is given; here it is given."""


def make_mesh(
    axis_shapes: Sequence[int], axis_names: Sequence[Hashable], axis_types: Sequence[AxisType] | None = None, *, devices: Sequence[Any] | None = None
) -> Mesh:
    """A mesh of the first of the devices.

    >>> make_mesh((1,), ("i",))
    Mesh('i': 1, axis_types=(Auto,))
    """
    found = host.devices() if devices is None else list(devices)
    wanted = math.prod(axis_shapes)
    if len(found) < wanted:
        raise ArgumentValueError(
            f"Number of devices {len(found)} must be >= the product of mesh_shape {tuple(axis_shapes)}",
            instead='s2s.config.update("jax_num_cpu_devices", …), or XLA_FLAGS=--xla_force_host_platform_device_count=…',
        )
    placed = np.empty(wanted, object)
    placed[:] = found[:wanted]
    return Mesh(placed.reshape(tuple(axis_shapes)), axis_names, axis_types)


LATER = ("NamedSharding", "Sharding", "SingleDeviceSharding")
"""Names of `s2s.placement`, which is imported when they are asked for."""


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(importlib.import_module("s2s.placement"), name)
    raise not_here(__name__, name)


__all__ = ["AxisType", "Mesh", "PartitionSpec", "make_mesh"]
