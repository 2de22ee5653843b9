"""pmap: a batch whose examples are devices, so that there are no more of them than devices.

    pmap(pmap(f))(x)   of x[2, 3]   needs 6 devices
"""
from __future__ import annotations

from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.named_axes import levels
from s2s.transforms.primitives import collectives
from s2s.transforms.primitives.sizes import times
from s2s.transforms.primitives.value import Value
from s2s.types import Atom, Dim, dim_atom


def check_count(builder: Builder, size: Dim, devices: int, name: str) -> None:
    """Append the check that a pmap of `size` examples, and those around it, find enough devices."""
    needed = dim_atom(size)
    for level in levels():
        if level.on_devices:
            needed = times(builder, needed, _length(builder, level.size, level), "replicas")
    enough = Value(builder, needed) <= devices
    builder.check(enough.atom, "ValueError", f"pmap of {name} requires {{}} replicas, but only {devices} XLA devices are available", needed)


def _length(builder: Builder, size: int | None, level: object) -> Atom:
    return dim_atom(size) if size is not None else builder.equation(collectives.axis_size, (), {"axis": level}, name="size")[0]


__all__ = ["check_count"]
