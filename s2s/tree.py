"""The functions of `s2s.tree_util` under the names of jax.tree."""
import dataclasses
from typing import Any

from s2s.tree_util import tree_all as all
from s2s.tree_util import tree_broadcast as broadcast
from s2s.tree_util import tree_flatten as flatten
from s2s.tree_util import tree_flatten_with_path as flatten_with_path
from s2s.tree_util import tree_leaves as leaves
from s2s.tree_util import tree_leaves_with_path as leaves_with_path
from s2s.tree_util import tree_map as map
from s2s.tree_util import tree_map_with_path as map_with_path
from s2s.tree_util import tree_reduce as reduce
from s2s.tree_util import tree_reduce_associative as reduce_associative
from s2s.tree_util import tree_structure as structure
from s2s.tree_util import tree_transpose as transpose
from s2s.tree_util import tree_unflatten as unflatten

__all__ = [
    "all", "broadcast", "flatten", "flatten_with_path", "leaves", "leaves_with_path", "map", "map_with_path", "reduce", "reduce_associative", "static", "structure", "transpose", "unflatten",
]


def static(*, metadata: dict[Any, Any] | None = None, **kwargs: Any) -> Any:
    """dataclasses.field of a static attribute: part of the structure, no leaf.

    >>> @dataclasses.dataclass
    ... class Layer:
    ...     weights: object
    ...     kind: str = static(default="dense")
    >>> leaves(Layer(1.0))
    [1.0]
    """
    return dataclasses.field(metadata={"static": True, **(metadata or {})}, **kwargs)
