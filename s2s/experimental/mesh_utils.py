"""Devices in an array, for a `Mesh`: all are alike, so that they stand in order."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from s2s.sharding import make_mesh


def create_device_mesh(mesh_shape: Sequence[int], devices: Sequence[Any] | None = None) -> Any:
    """The first devices, in an array of this shape.

    >>> create_device_mesh((1, 1))
    array([[CpuDevice(id=0)]], dtype=object)
    """
    return make_mesh(mesh_shape, tuple(range(len(mesh_shape))), devices=devices).devices


__all__ = ["create_device_mesh"]
