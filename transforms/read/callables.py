"""Functions that exist only while reading: what they hold and see.

    f = lambda v: v * x       Closure, which sees the frame of x
    p.norm, partial(f, 2)     Method, Applied
    s2s.grad(f)               Derived
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from s2s.records import cached_property, dataclass, field, replace
from s2s.transforms.ir.staged import Staged
from s2s.transforms.read.syntax.frame import Frame
from s2s.transforms.read.syntax.source import Tree
from s2s.transforms.read.values import Abstract, IteratorRef, StandIn, View, is_number, number_literal


@dataclass(eq=False)
class Closure(StandIn):
    """A def or lambda inside the function that is read; it sees its frame's names."""

    tree: Tree
    node: Any
    frame: Frame
    name: str
    defaults: dict[str, Abstract] = field(default_factory=dict)
    method_of: type | None = None
    """The class in whose body it stands."""

    __hash__ = object.__hash__

    @cached_property
    def own_tree(self) -> Tree:
        """Its own part of the tree that it stands in."""
        return replace(self.tree, node=self.node)


@dataclass(frozen=True, eq=False)
class Method(StandIn):
    """A function with its first argument."""

    function: Abstract
    first: Abstract


@dataclass(frozen=True, eq=False)
class Applied(StandIn):
    """functools.partial of a function."""

    function: Abstract
    args: tuple[Abstract, ...]
    kwargs: dict[str, Abstract]


@dataclass(frozen=True, eq=False)
class Derived(StandIn):
    """grad(f), jit(f), … of a function that exists only while reading: `maker(f, *args, **kwargs)`, made of a stand-in when it is called."""

    maker: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    function: Abstract


@dataclass(frozen=True, eq=False)
class SecondHalf(StandIn):
    """What vjp and linearize return to be called: a staged program, with the values of its first parameter that were `kept` for it.

    `shapes`: those of its other parameters' arrays, as numbers and integer atoms (None: the program checks them). `hidden`: the
    values of its hidden inputs.
    """

    maker: Any
    program: Staged
    kept: tuple[Abstract, ...]
    shapes: tuple[tuple[Abstract, ...], ...] | None
    hidden: tuple[Abstract, ...] = ()


def half_of(thing: Any, residuals: Iterable[Abstract]) -> SecondHalf:
    """What stands for such an object that holds these."""
    return SecondHalf(thing.maker, thing.program(), tuple(number_literal(each) if is_number(each) else each for each in residuals), thing.shapes)


@dataclass(frozen=True, eq=False)
class ArrayMethod(StandIn):
    """x.sum, not yet called."""

    array: Abstract
    name: str


@dataclass(frozen=True, eq=False)
class AtArray(StandIn):
    """x.at, of an array."""

    array: Abstract


@dataclass(frozen=True, eq=False)
class FlatArray(StandIn):
    """x.flat, of an array: an iterator, too."""

    array: View
    iterator: IteratorRef


@dataclass(frozen=True, eq=False)
class AtPlace(StandIn):
    """x.at[index]; with the name of what is done there x.at[index].set, not yet called."""

    array: Abstract
    index: Abstract
    name: str = ""


@dataclass(frozen=True, eq=False)
class ContainerMethod(StandIn):
    """A method of a list, dict, tuple or string that is called with abstract values."""

    container: Abstract
    name: str


@dataclass(eq=False)
class Ruled(StandIn):
    """A function with custom derivative rules (`maker`: custom_jvp, …). `fun` and `rules` are functions, None where not set yet."""

    maker: Any
    name: str
    fun: Abstract
    rules: dict[str, Abstract]
    nondiff: tuple[int, ...] = ()
    symbolic: bool = False
    outside: bool = False
    """It exists outside of the function that is read: no rule can be set while reading."""

    __hash__ = object.__hash__


@dataclass(frozen=True, eq=False)
class Converted(StandIn):
    """What closure_convert makes: the function with a `Slot` in the place of each float that it captured."""

    function: Abstract
    count: int


@dataclass(frozen=True)
class Slot:
    """The place of a captured value in a converted function."""

    number: int


@dataclass(frozen=True, eq=False)
class DispatchedMethod(StandIn):
    """A functools.singledispatchmethod with its object: which function it is the class of the next argument says."""

    dispatcher: Any
    steps: Any
    first: Abstract


@dataclass(frozen=True, eq=False)
class Parent:
    """super() in a method of `kind`, of this object; `method`: what of it is called where that is Python's own; also what makes NamedTuples of `kind`."""

    kind: type
    instance: Abstract
    method: Any = None


@dataclass(frozen=True, eq=False)
class IteratorMethod(StandIn):
    """A method of an iterator: send, close, __next__."""

    iterator: Abstract
    name: str


FUNCTIONS = (Closure, Method, IteratorMethod, Applied, Derived, SecondHalf, ArrayMethod, AtArray, FlatArray, AtPlace, ContainerMethod, Ruled, Converted, DispatchedMethod, Parent)
"""Functions that hold values of the program that is read."""
