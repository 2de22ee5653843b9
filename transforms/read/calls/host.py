"""Devices, meshes and specifications in the code that is read: they are known; how many devices there are is looked at again at each call."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import host_devices
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, ListRef, Outside, is_runtime


def _known(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What the function says now."""
    reader.session.guard((("object", host_devices), ("attribute", "COUNT")), host_devices.COUNT)
    found: Abstract = function(*args, **kwargs)
    return found


def _made(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A mesh, a specification, of what is known."""
    given = tuple(_plain(reader, function, arg) for arg in args)
    return Outside(_known(reader, function, given, {name: _plain(reader, function, arg) for name, arg in kwargs.items()}), None)


def _plain(reader: Reader, function: Callable[..., Any], value: Abstract) -> Any:
    if isinstance(value, ListRef):
        return [_plain(reader, function, item) for item in reader.heap[value]]
    if isinstance(value, tuple):
        return tuple(_plain(reader, function, item) for item in value)
    if is_runtime(value):
        raise reader.unsupported(f"{function.__name__} of what is known only at run time", "constants")
    return whole(reader, value)


HANDLERS = {
    **{f"s2s.{name}": _known for name in ("default_backend", "device_count", "local_device_count", "process_count", "process_index")},
    **{f"s2s.{name}": _made for name in ("sharding.Mesh", "sharding.PartitionSpec", "sharding.make_mesh", "devices", "local_devices")},
}  # fmt: skip
__all__ = ["HANDLERS"]
