"""What vjp and linearize return to be called: the residuals of the first half, with the module of the second one.

It runs the second module; in a function that s2s reads it is a call of that module's program with the residuals as hidden
inputs, so that pullbacks and linearized functions can be compiled, differentiated and called by other functions.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from s2s.calls.specialisation import Half
from s2s.calls.specialise import building
from s2s.calls.switch import is_slow, what_is_wrong
from s2s.calls.transformed import Transformed
from s2s.errors import UnsupportedError
from s2s.records import cached_property, dataclass
from s2s.transformation import Calling
from s2s.tree_util import register_pytree_node, tree_leaves
from s2s.types import is_float

if TYPE_CHECKING:
    from s2s.transforms.ir.staged import Staged

__all__ = ["SecondHalf"]

Shapes = tuple[tuple[int, ...], ...]
_OF_A_PULLBACK = inspect.Signature([inspect.Parameter("out_bar", inspect.Parameter.POSITIONAL_ONLY)])
_OF_A_JVP = inspect.Signature([inspect.Parameter("tangents", inspect.Parameter.VAR_POSITIONAL)])


class SecondHalf:
    """A pullback, or a linearized function. `maker`: s2s.vjp or s2s.linearize; `run(residuals, *args)`: what a call does.

    It is a container of its residuals, as in JAX. `key`, `module` and `shapes` (those of the arguments' floats) tell which program a call of it stands for.
    """

    def __init__(self, maker: Any, run: Callable[..., Any], second: Transformed, half: Half, residuals: tuple[Any, ...], like: Any) -> None:
        self.maker, self.run, self.second, self.shape, self.residuals = maker, run, second, half.shape, residuals
        self.made, self.module = half.made, half.made.path.name
        self.shapes: Shapes = tuple(leaf.shape for leaf in tree_leaves(like) if is_float(leaf.dtype))
        self.fun = second.root
        is_pullback = maker.transformation.calling is Calling.PULLED
        kind = "pullback" if is_pullback else "jvp"
        self.__name__ = self.__qualname__ = f"{second.name}_{kind}"
        self.__signature__ = _OF_A_PULLBACK if is_pullback else _OF_A_JVP
        self._program: Staged | None = None

    @cached_property
    def key(self) -> str:
        """The types of what it was made for."""
        return f"{[str(getattr(leaf, 'type', leaf)) for leaf in tree_leaves((self.shape.args, self.shape.kwargs))]} {self.shapes}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.run(self.residuals, *args, **kwargs)
        if is_slow() and (found := what_is_wrong(result)):
            from s2s.calls import finite  # the interpreter: no call needs it but those that are looked at

            raise finite.explained_half(self.program(), (self.residuals, *args), self.__name__, found)
        return result

    def __repr__(self) -> str:
        return f"<s2s {self.__name__}>"

    def holding(self, residuals: tuple[Any, ...]) -> SecondHalf:
        """The same function of other residuals of these types."""
        other = object.__new__(SecondHalf)
        vars(other).update(vars(self))
        other.residuals = residuals
        return other

    def program(self) -> Staged:
        """The program (residuals, *args) -> what a call gives."""
        if self._program is None:
            if not self.made.valid():
                raise UnsupportedError(
                    f"{self.__name__}, which was made before something that {self.second.name} reads from outside changed",
                    why="its program would be read as it is now, and was not read before the change", instead=f"call s2s.{self.maker.__name__} again",
                )  # fmt: skip
            self._program = building().as_it_ran(self.second, self.shape)  # the residuals are those of the first half as it ran
        return self._program


@dataclass(frozen=True, eq=False)
class _Kind:
    """What two of one module have in common: a structure's data."""

    half: SecondHalf

    def _key(self) -> tuple[Any, ...]:
        return self.half.maker, self.half.second, self.half.key, self.half.module

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kind) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return repr(self.half)


register_pytree_node(SecondHalf, lambda half: (half.residuals, _Kind(half)), lambda kind, residuals: kind.half.holding(tuple(residuals)))
