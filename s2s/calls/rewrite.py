"""What a transformation does to a program (`Rewrite`), and what the modules that serve a call ask of a rewritten function."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from s2s.codegen.modules.call import CallShape, Static
from s2s.records import dataclass, field
from s2s.transformation import Transformation
from s2s.tree_util import tree_flatten, tree_unflatten
from s2s.types import Var

if TYPE_CHECKING:
    from s2s.transforms.ir.staged import Staged

Stage = Callable[[tuple[Var, ...], tuple[Any, ...], dict[str, Any]], "Staged"]
"""Stages a function for (params, args, kwargs)."""
Watch = Callable[[str, str], None]
"""Told the name of each step and the text of what it made."""


def _all_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwargs


@dataclass(frozen=True)
class Rewrite:
    """How a staged program becomes the transformed one: a step of a transformation. `apply(staged, args)` (None: the program stays as
    it is: jit); `check(args, kwargs)` looks at the call's arguments first; `staged_arguments` picks those that the user's own function gets (jvp: the primals).
    """

    of: Transformation
    part: int
    params: Mapping[str, Any]
    apply: Callable[[Staged, tuple[Any, ...]], Staged] | None
    check: Callable[[tuple[Any, ...], dict[str, Any]], None] = lambda args, kwargs: None
    staged_arguments: Callable[..., tuple[tuple[Any, ...], dict[str, Any]]] = _all_arguments
    around: Callable[[Stage, tuple[Var, ...], tuple[Any, ...], dict[str, Any]], Staged] | None = None
    """Of a rewrite whose function has other arguments than the call (vmap: those of one example): what stages it with those, and is the rewrite."""
    takes_residuals: bool = False
    """A pullback: its module takes the staged program's own parameters, not the call's arguments."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """The options of the transformation, as it was asked for: what makes it again in another process."""

    @property
    def is_jit(self) -> bool:
        return self.apply is None and self.around is None

    @property
    def is_shown(self) -> bool:
        """Whether a jaxpr shows what it makes as a call: jit, pmap."""
        return self.is_jit or self.of.on_devices

    @property
    def name(self) -> str:
        return self.of.steps[self.part].name

    @property
    def title(self) -> str:
        return self.of.steps[self.part].title


@dataclass(frozen=True)
class Options:
    """jit's options. The static arguments are those of `static_argnums` and of `static_argnames`."""

    target: str = "cpu"
    static_argnums: tuple[int, ...] = ()
    static_argnames: tuple[str, ...] = ()
    background: bool = False
    """Whether another process compiles, and NumPy runs the calls meanwhile."""


class Rewritten(Protocol):
    """What requests, the index, building and describing ask of a `Transformed`, which is made of them."""

    rewrite: Rewrite
    root: Any
    target: str
    name: str
    signature: inspect.Signature | None
    static_names: frozenset[str]

    @property
    def public_name(self) -> str: ...

    def chain(self) -> tuple[Rewrite, ...]: ...

    def derivatives(self) -> tuple[Rewrite, ...]: ...

    def statics_of(self, args: tuple[Any, ...]) -> frozenset[str]: ...

    def mark_static(self, args: tuple[Any, ...], kwargs: dict[str, Any], static: frozenset[str]) -> tuple[tuple[Any, ...], dict[str, Any]]: ...

    def stage(self, params: tuple[Var, ...], args: tuple[Any, ...], kwargs: dict[str, Any], watch: Watch | None = None) -> Staged: ...


def program_of(transformed: Rewritten, shape: CallShape, watch: Watch | None = None) -> Staged:
    """The transformed program for a call of this shape, as it is."""
    leaves, treedef = tree_flatten((shape.args, shape.kwargs))
    params = tuple(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, Var)))
    args, kwargs = tree_unflatten(treedef, [leaf.value if isinstance(leaf, Static) else leaf for leaf in leaves])
    return transformed.stage(params, args, kwargs, watch)
