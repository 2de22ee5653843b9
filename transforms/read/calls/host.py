"""Devices, meshes, specifications and policies in the code that is read: they are known; how many devices there are is looked at again at each call."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import host_devices, placement
from s2s.transforms.read.calls import trees
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Outside, View, is_runtime
from s2s.tree_util import tree_leaves


@asks_python
def _known(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What the function says now."""
    reader.session.guard((("object", host_devices), ("attribute", "COUNT")), host_devices.COUNT)
    found: Abstract = function(*args, **kwargs)
    return found


def _made(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A mesh, a specification, of what is known."""
    given = tuple(_plain(reader, function, arg) for arg in args)
    return Outside(_known(reader, function, given, {name: _plain(reader, function, arg) for name, arg in kwargs.items()}), None)


@asks_python
def _policy(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A checkpoint policy of names and policies that are known."""
    return Outside(function(*(_plain(reader, function, arg) for arg in args), **{name: _plain(reader, function, arg) for name, arg in kwargs.items()}), None)


def _plain(reader: Reader, function: Callable[..., Any], value: Abstract) -> Any:
    if isinstance(value, ListRef):
        return [_plain(reader, function, item) for item in reader.heap[value]]
    if isinstance(value, DictRef):
        return {key: _plain(reader, function, item) for key, item in reader.heap[value].items()}
    if isinstance(value, tuple):
        return tuple(_plain(reader, function, item) for item in value)
    if is_runtime(value):
        raise reader.unsupported(f"{function.__name__} of what is known only at run time", "constants")
    return whole(reader, value)


def _check_placed(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    """Whether arrays can lie as a sharding says: sizes that only the run knows are not looked at."""
    of, tree, shardings = args
    leaves, treedef = trees.flatten(reader, tree)
    numbered = treedef.unflatten(range(len(leaves)))
    with trees.pythons_errors(reader):
        given, parts = placement.parts_of(str(of), numbered, _plain(reader, function, shardings))
        shapes = [load(reader, leaf).shape if isinstance(leaf, View) else () for leaf in leaves]
        placement.check_leaves(str(of), [(sharding, shapes[number]) for sharding, part in zip(given, parts, strict=True) for number in tree_leaves(part)])


HANDLERS = {
    "s2s.placement.check_placed": _check_placed,
    **{f"s2s.{name}": _known for name in ("default_backend", "device_count", "local_device_count", "process_count", "process_index")},
    **{f"s2s.{name}": _made for name in ("sharding.Mesh", "sharding.PartitionSpec", "sharding.make_mesh", "placement.NamedSharding", "placement.SingleDeviceSharding", "devices", "local_devices")},
    **{f"s2s.checkpoint_policies.{name}": _policy for name in ("save_only_these_names", "save_any_names_but_these", "save_anything_except_these_names", "save_from_both_policies")},
}  # fmt: skip
__all__ = ["HANDLERS"]
