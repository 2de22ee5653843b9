"""What a name can stand for while a function is read.

    an atom (Var, Literal)             a run-time scalar
    View(cell, steps)                  an array: a storage cell, or a part or rearrangement of one
    tuple (NamedTuple too)             as in Python, of such values
    ListRef, DictRef, ObjectRef        a mutable container; what it holds stands in the reader's heap
    Outside                            an object that lives outside of the function
    Closure, Method, Applied, …        functions (`callables.py`)
    Missing                            a name that can't be used (not bound on every path, or its statement failed)
    anything else                      itself: known while reading
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache, partial
from itertools import count
from typing import Any, Protocol, TypeGuard

import numpy as np

from s2s.errors import Location
from s2s.records import dataclass, field
from s2s.transforms.primitives.indexing import Index, Take
from s2s.types import Array, Atom, Dim, Literal, Opaque, Var, literal, refusing

Abstract = Any
"""A value as listed above."""


@refusing("eq ne hash format")
class StandIn(Opaque):
    """What stands for a value that Python can't compare, hash or write out either (`Var` and `Literal` are compared by the whole program)."""

    __slots__ = ()


Steps = tuple[tuple[str, Any], ...]
"""Steps of a `staged.Access`."""


_BIRTHS = count()


def moment() -> int:
    """What is made from here on is born later."""
    return next(_BIRTHS)


@dataclass(eq=False)
class Cell:
    """A storage of array elements. `owner`: None, or who else sees it ('the argument u'). `contiguous`: None if unknown."""

    name: str
    owner: str | None = None
    contiguous: bool = True
    follows: frozenset[Cell] = frozenset()
    """Storages of the caller: where these lie in C order, so does this one."""
    strides: tuple[int, ...] | None = None
    """Of an argument: how it lies in memory, where the call has told that."""
    like: tuple[str, tuple[Abstract, ...]] | None = None
    """The order in which it was made, and the array whose order that follows; "ufunc K" (or "ufunc A") and the operands of an elementwise function."""
    frozen: bool = False
    """Stores are refused: an item of a list, of which this is a copy."""
    of_list: bool = False
    """The items of a list of run-time length, which are copied in: a store of the list's own changes nothing else."""
    read_only: bool = False
    """NumPy raises when something is stored into it."""
    choice: Choice | None = None
    """Which array of the caller it is, where that depends on the path. Nothing is stored into any of them while it is in use."""
    initial: Var | None = None
    """What it holds unless something was stored: hidden inputs are found in the middle of reading."""
    selected: Selected | None = None
    """Which of others it is, as the run decides: it holds nothing itself, and the heap has a variable of its type only."""
    sites: frozenset[Any] = frozenset()
    """Where it was made, or the arrays that it holds or is a copy of; None among them where that is not known."""
    born: int = field(default_factory=moment)
    """Its number: those that are made later have higher ones."""
    merged: frozenset[Any] = frozenset()
    """Where paths or trips met that had different storages for it (`Session.apart`)."""


class Heap(dict[Any, Any]):
    """What cells and containers hold."""

    def __missing__(self, ref: Any) -> Any:
        if isinstance(ref, Cell) and ref.initial is not None:
            return ref.initial
        raise KeyError(ref)


@dataclass(frozen=True)
class Part:
    """A step into a basic index: array[…], or to a diagonal, whose positions are arrays. `where`: the user's index."""

    index: Index
    operands: tuple[Atom, ...]
    where: Location = field(compare=False)

    @property
    def is_diagonal(self) -> bool:
        """Whether it is what np.einsum("ii->i", array) sees."""
        return any(isinstance(item, Take) for item in self.index)


@dataclass(frozen=True)
class Transposed:
    """A step to transpose(array, axes)."""

    axes: tuple[int, ...]


@dataclass(frozen=True)
class Reshaped:
    """A step to reshape(array, dims) of storage that NumPy need not copy. `ravel`: by np.ravel, which copies what a reshape need not."""

    dims: tuple[Dim, ...]
    ravel: bool


@dataclass(frozen=True)
class Component:
    """A step to the real or the imaginary part of a complex array. It stands behind all others, so that a store of one element's part changes that element."""

    is_real: bool


Step = Part | Transposed | Reshaped | Component


@dataclass(frozen=True, eq=False)
class View(StandIn):
    """An array: cell, seen through steps."""

    cell: Cell
    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        """The parts of elements are the elements of the part."""
        object.__setattr__(self, "steps", tuple(sorted(self.steps, key=lambda step: isinstance(step, Component))))

    @property
    def key(self) -> tuple[Cell, tuple[Step, ...]]:
        """What two views of the same elements share."""
        return self.cell, self.steps


@dataclass(frozen=True)
class Selected:
    """The storage of `one` if the test holds, of `two` otherwise. The test is `place` itself, or that `place` is this number."""

    place: Atom
    number: int | None
    one: View
    two: View


def storages_of(cell: Cell) -> tuple[Cell, ...]:
    """The storages that a cell may be: itself, unless the run selects one."""
    if cell.selected is None:
        return (cell,)
    return tuple(dict.fromkeys((*storages_of(cell.selected.one.cell), *storages_of(cell.selected.two.cell))))


@dataclass(frozen=True)
class Choice:
    """The same storage as `one` if the test holds, as `two` otherwise; None is a new array."""

    test: Atom
    one: View | Choice | None
    two: View | Choice | None


@dataclass(eq=False)
class Ref(StandIn):
    """A mutable container. `owner`: None, or who else sees it and would see a change. A key of the heap: hashed by identity."""

    __hash__ = object.__hash__

    owner: str | None = None
    merged: bool = field(default=False, kw_only=True)
    """Which object it is depends on the path taken, or it is one of those that another name may stand for."""
    places: frozenset[Any] = field(default=frozenset(), kw_only=True)
    """Where paths met so: (place, name), as in `Cell.merged`."""
    born: int = field(default_factory=partial(next, _BIRTHS), kw_only=True)
    """Its number: those that are made later have higher ones."""


@dataclass(eq=False)
class ListRef(Ref):
    """A list; the heap holds a tuple of its items. `origins`: where it, or those that it may be, were made."""

    origins: frozenset[Any] = field(default=frozenset(), kw_only=True)
    columns: tuple[str, ...] = field(default=(), kw_only=True)
    """Of a list of tuples, what their parts are called in the program."""

    __hash__ = object.__hash__


@dataclass(eq=False)
class DequeRef(ListRef):
    """A collections.deque; the heap holds a tuple of its items."""

    maxlen: Any = field(default=None, kw_only=True)
    """None, or a number that the run may know only."""

    __hash__ = object.__hash__


@dataclass(eq=False)
class TupleRef(ListRef):
    """A tuple whose length only the run knows: the heap holds what it holds for such a list."""

    __hash__ = object.__hash__


@dataclass(eq=False)
class DictRef(Ref):
    """A dict; the heap holds a dict with static keys. `kind` is the class (dict, OrderedDict, …), `origin` where it was made (None: unknown)."""

    kind: type = dict
    origin: Any = field(default=None, kw_only=True)
    origins: frozenset[Any] = field(default=frozenset(), kw_only=True)
    """Where it, or those that it may be, were made, as of a list: a record, whose keys are texts from the start."""
    tables: frozenset[Any] = field(default=frozenset(), kw_only=True)
    """The same, of any other."""
    is_its_attributes: bool = field(default=False, kw_only=True)
    """Whether it is its own __dict__."""


@dataclass(eq=False)
class SetRef(DictRef):
    """A set: the heap holds a dict with its items, which are known, as keys."""

    kind: type = set


@dataclass(frozen=True, eq=False)
class DictView(StandIn):
    """d.keys(), d.values() or d.items(): sees what the dict holds later, too."""

    ref: DictRef
    part: str


def dict_kind(container: dict[Any, Any]) -> type:
    """The class of a dict; for a defaultdict one that makes such with its factory."""
    return default_kind(container.default_factory) if type(container) is defaultdict else type(container)


@lru_cache
def default_kind(factory: Any) -> type:
    """The class of defaultdicts with this factory, which may be a function that exists only while reading."""

    def make(cls: type, items: Any = ()) -> defaultdict[Any, Any]:
        return defaultdict(factory if callable(factory) else None, items)

    return type("defaultdict", (defaultdict,), {"__new__": make, STANDS_FOR: defaultdict, _FACTORY: factory})


_FACTORY = "__factory__"


def factory_of(kind: type) -> Any:
    """The factory of such a class; None for any other."""
    return vars(kind).get(_FACTORY)


STANDS_FOR = "__stands_for__"
"""Of a class of ours, the name of the one that a value has in Python."""


@dataclass(eq=False)
class ObjectRef(Ref):
    """An instance made from attributes: a dataclass instance in the arguments, or made while reading."""

    kind: type = object
    tables: frozenset[Any] = field(default=frozenset(), kw_only=True)
    """Of a dict or set of run-time keys: where it, or those that it may be, were made."""
    sites: frozenset[Any] = field(default=frozenset(), kw_only=True)
    """The same, of a dict whose keys were texts."""


@dataclass(frozen=True, eq=False)
class Pooled(StandIn):
    """A list or object of which only the run knows which one it is: the one of this number in a pool (`storage/pools.py`); none at -1."""

    pool: Any
    number: Atom


class Names(Protocol):
    """Where names are looked up: a frame."""

    def find(self, name: str) -> Abstract:
        """What a name stands for."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What something was made of: (frame, name, value) of names, and what storages and containers held."""

    names: tuple[tuple[Names, str, Abstract], ...]
    contents: dict[Any, Any]


@dataclass(eq=False)
class IteratorRef(Ref):
    """What is gone through once (`once.py`): the heap holds how many items were taken. `source` is what it goes through.

    `example`: an iterator of its class; `seen`: what its items were made of; `made_in`: the statement at which it must be gone
    through, as its items changed something when they were made; `changed`: what they changed; `made_at`: the place where it is made;
    `taken_from`: the iterators from which all its items were taken before they are asked for.
    """

    source: Abstract = field(default=None, kw_only=True)
    example: Any = field(default=None, kw_only=True)
    seen: Seen | None = field(default=None, kw_only=True)
    made_in: Any = field(default=None, kw_only=True)
    changed: tuple[Any, ...] = field(default=(), kw_only=True)
    made_at: Location | None = field(default=None, kw_only=True)
    taken_from: tuple[IteratorRef, ...] = field(default=(), kw_only=True)

    __hash__ = object.__hash__


@dataclass(frozen=True, eq=False)
class Outside(StandIn):
    """An object that exists outside of the function: found by these steps (None: it came as a static argument)."""

    object: Any
    steps: Steps | None


@dataclass(frozen=True, eq=False)
class Text(StandIn):
    """A text with run-time values in its {}."""

    template: str
    values: tuple[Abstract, ...]


@dataclass(frozen=True, eq=False)
class JoinedText(StandIn):
    """separator.join(items) of a list whose length only the run knows, and that nobody else changes. It can be given back, and printed, alone or among the values of a Text."""

    separator: str
    items: ListRef


AnyText = str | Text | JoinedText
"""A text, known or not."""


def as_part(text: Abstract) -> Abstract:
    """A text as a part of another one: a JoinedText is the value of its only field."""
    return Text("{}", (text,)) if isinstance(text, JoinedText) else text


@dataclass(frozen=True, eq=False)
class Arguments(StandIn):
    """What an exception is made with, where that is not one text: its class's (*args, **kwargs)."""

    args: tuple[Abstract, ...]
    kwargs: dict[str, Abstract]


@dataclass(frozen=True, eq=False)
class MadeError(StandIn):
    """An exception of which the run knows what it is made with: a Text, or Arguments."""

    kind: type[BaseException]
    message: Abstract

    @property
    def args(self) -> tuple[Abstract, ...]:
        """What it holds."""
        return self.message.args if isinstance(self.message, Arguments) else () if self.message is None else (self.message,)


@dataclass(frozen=True, eq=False)
class Missing(StandIn):
    """Using it is an error with this text; no text: an error was reported already, be silent."""

    what: str = ""
    why: str = ""
    unset: bool = False
    """It was not bound yet (otherwise, without a test: what it is bound to can't be used)."""
    test: Atom | None = None
    value: Abstract = None
    """Where `test` is given, the name has this value if the test holds, and is unbound otherwise."""
    unless: Abstract = None
    """The flag that says that what was caught kept it from being bound."""
    error: str = "UnboundLocalError"
    """What Python raises where it is used and is not bound."""
    keyed: frozenset[Any] = frozenset()
    """Where the dicts were made that it may be: as those of run-time keys it may be read."""
    pooled: tuple[Abstract, ...] = ()
    """The containers that it may be: in a pool it may be read."""
    instead: str = ""
    """What to write, where that is known of this one."""

    @property
    def failed(self) -> bool:
        """Whether the statement that would have bound it failed."""
        return not self.what


def unset_words(name: str) -> str:
    """What Python says of a name that is read and not bound."""
    return f"cannot access local variable {name!r} where it is not associated with a value"


@dataclass(frozen=True, eq=False)
class OneOf(StandIn):
    """One of several values of different kinds, of which only the run knows which: options[place] (`flow/options.py`)."""

    place: Atom
    options: tuple[Abstract, ...]


def is_atom(value: Abstract) -> bool:
    """Whether it is a run-time scalar."""
    return isinstance(value, (Var, Literal))


def is_runtime(value: Abstract) -> bool:
    """Whether it is a run-time scalar or an array."""
    return isinstance(value, (Var, Literal, View))


def is_number(value: Abstract) -> bool:
    """Whether it is a number known while reading (bool included)."""
    return isinstance(value, (bool, int, float, complex, np.number, np.bool_))


def is_text(value: Abstract) -> bool:
    """Whether it is a text, None or a member of an enumeration: known, and no number."""
    return isinstance(value, str | bytes | Enum | None) and not is_number(value)


def is_namedtuple(value: Abstract) -> bool:
    """Whether it is an instance of a NamedTuple."""
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def is_dict_of_fields(value: Abstract) -> bool:
    """Whether it is a NamedTuple that stands for a dict, as results of SciPy's do (`composed/keyed_results.py`)."""
    return is_namedtuple(value) and getattr(value, "KEYED", False)


class Packed(tuple[Abstract, ...]):  # noqa: SLOT001 - a subclass of tuple can't have slots
    """A list, dict or object that is being returned: its items, `keys` (None for a list) and `like`, a Ref of its kind."""

    like: Any
    keys: tuple[Any, ...] | None

    @property
    def kind(self) -> tuple[Any, ...]:
        """What it is made anew as: the sort of container, and its class or greatest length."""
        return type(self.like), getattr(self.like, "kind", None), getattr(self.like, "maxlen", None)

    def with_items(self, items: Any) -> Packed:
        """The same container with other items."""
        result = Packed(items)
        result.like, result.keys = self.like, self.keys
        return result


def same_structure(a: Abstract, b: Abstract) -> bool:
    """Whether two values are tuples (or packed containers) of the same class, length and keys."""
    if not isinstance(a, tuple) or type(a) is not type(b) or len(a) != len(b):
        return False
    return not (isinstance(a, Packed) and isinstance(b, Packed)) or (a.keys == b.keys and a.kind == b.kind)


def remake(original: tuple[Abstract, ...], items: list[Abstract] | tuple[Abstract, ...]) -> tuple[Abstract, ...]:
    """A tuple of the original's class with other items."""
    if isinstance(original, Packed):
        return original.with_items(items)
    if not is_namedtuple(original):
        return tuple(items)
    make = getattr(type(original), "_make", None)
    return make(items) if make is not None else type(original)(*items)  # SciPy's own have no _make


def number_literal(value: Any) -> Literal:
    """A number known while reading as a literal: Python's are weak, NumPy's have their dtype."""
    if isinstance(value, np.generic):
        return literal(value.item(), value.dtype)
    return literal(value)


def is_long(value: Abstract) -> bool:
    """Whether it is an integer of Python's that no array of integers holds."""
    return type(value) is int and not -(2**63) <= value < 2**63


def is_some_text(value: Abstract) -> TypeGuard[OneOf]:
    """Whether it is a text of which only the run knows which of several it is, and that is like any equal one: members of a `str, Enum` are others."""
    return isinstance(value, OneOf) and all(type(option) is str for option in value.options)


def scalar_type(value: Abstract) -> Array:
    """The type of a number or run-time scalar."""
    return value.type if is_atom(value) else number_literal(value).type


def join_text(parts: Sequence[Abstract]) -> Abstract:
    """Strings and Texts one after the other."""
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    template = ""
    values: list[Abstract] = []
    for part in map(as_part, parts):
        template += part.template if isinstance(part, Text) else part.replace("{", "{{").replace("}", "}}")
        values += part.values if isinstance(part, Text) else ()
    return Text(template, tuple(values))
