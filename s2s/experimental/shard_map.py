"""shard_map under its old name, with its old arguments."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.api.sharded import shard_map as _shard_map
from s2s.errors import ArgumentValueError
from s2s.sharding import Mesh


def shard_map(f: Callable[..., Any], mesh: Mesh, in_specs: Any, out_specs: Any, check_rep: bool = True, auto: Any = frozenset()) -> Any:
    """`s2s.shard_map(f, mesh=…, in_specs=…, out_specs=…, check_vma=check_rep)`; `auto`: the axes of the mesh that are not mapped."""
    if frozenset(auto) - frozenset(mesh.axis_names):
        raise ArgumentValueError(f"shard_map requires auto={frozenset(auto)} to be a subset of mesh.axis_names={mesh.axis_names}")
    return _shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_rep, axis_names=frozenset(mesh.axis_names) - frozenset(auto))


__all__ = ["shard_map"]
