"""What a call passes: its arguments as leaves, equal keys for calls that one program function serves, copies as parameters."""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.transforms.read.callables import SecondHalf
from s2s.transforms.read.doubts import doubted, note, types_of
from s2s.transforms.read.flow.options import possible
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DequeRef,
    DictRef,
    ListRef,
    ObjectRef,
    OneOf,
    Outside,
    View,
    is_atom,
    is_namedtuple,
    is_number,
    remake,
)
from s2s.transforms.read.zero_dim import is_either, is_member
from s2s.types import Array, Atom, Dim, Var, is_integer


def _told(reader: Reader, atom: Atom) -> np.ndarray | None:
    """The elements of a small array of whole numbers, where they are known and the reading asks for that (`Session.settles`)."""
    told = reader.builder.told.get(atom) if isinstance(atom, Var) else None
    if told is not None and not reader.session.settles:
        reader.session.would_settle = True
        return None
    return told


class Same:
    """An object as part of a key: equal to itself only, and alive as long as the key is."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class Signature:
    """The arguments of a call as leaves; equal keys can be served by the same program function."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.leaves: list[Abstract] = []
        self.numbers: dict[Any, int] = {}
        self.refs: dict[Any, int] = {}

    def key(self, value: Abstract) -> Any:
        if isinstance(value, View):
            loaded = load(self.reader, value)
            self.leaves.append(value)
            told = _told(self.reader, loaded.atom)
            return ("array", loaded.type.dtype.str, tuple(self.dim(dim) for dim in loaded.type.shape), None if told is None else told.tobytes())
        if is_atom(value):
            self.leaves.append(value)
            number = self.dim(value) if isinstance(value, Var) and is_integer(value.type.dtype) else None
            doubts = tuple((each.dtype.str, each.weak) for each in doubted(self.reader.builder, value))
            return ("scalar", value.type.dtype.str, value.type.weak, number, is_either(self.reader, value), is_member(self.reader, value), doubts)
        if isinstance(value, tuple):
            return (type(value), *(self.key(item) for item in value))
        if isinstance(value, ListRef | DictRef | ObjectRef):
            return self._key_of_ref(value)
        if isinstance(value, OneOf):
            left = possible(self.reader, value)
            return self.key(value.options[left[0]]) if len(left) == 1 else ("one of", tuple(left), self.key(value.place), *map(self.key, value.options))
        if isinstance(value, slice):
            return ("slice", *(self.key(bound) for bound in (value.start, value.stop, value.step)))
        if isinstance(value, SecondHalf):
            return ("second half", Same(value.program), self.key((value.kept, value.shapes, value.hidden)))
        if isinstance(value, Outside):
            return ("outside", Same(value.object), value.steps)
        if is_number(value):
            return (type(value), repr(value))
        return (type(value), value) if _hashable(value) else Same(value)

    def dim(self, dim: Dim) -> Any:
        if isinstance(dim, int):
            return ("size", dim)
        if dim not in self.numbers:
            same = next((known for known in self.numbers if self.reader.builder.same_size(known, dim)), None)
            self.numbers[dim] = len(self.numbers) if same is None else self.numbers[same]
        return self.numbers[dim]

    def _key_of_ref(self, ref: Any) -> Any:
        if ref in self.refs:
            return ("again", self.refs[ref])
        self.refs[ref] = len(self.refs)
        content = self.reader.heap[ref]
        if isinstance(ref, ListRef):
            return (type(ref), self.key(getattr(ref, "maxlen", None)), *(self.key(item) for item in content))
        return (type(ref), ref.kind, *((name, self.key(item)) for name, item in content.items()))


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


class Copier:
    """Makes a helper's parameters: the caller's arguments with fresh Vars for atoms and dimensions."""

    def __init__(self, caller: Reader, inner: Reader) -> None:
        self.caller, self.inner = caller, inner
        self.params: list[Var] = []
        self.cells: list[Cell | None] = []
        self.dims: dict[Var, Var] = {}
        self.refs: dict[Any, Any] = {}
        self.name = ""

    def callers_sizes(self, error: UnsupportedError) -> tuple[Any, ...]:
        """What the caller knows the numbers as that may decide what was refused."""
        own = {theirs: size for size, theirs in self.dims.items()}
        return tuple(own[size] for size in error.sizes if size in own)

    def copy(self, value: Abstract, name: str) -> Abstract:
        if isinstance(value, View):
            loaded = load(self.caller, value)
            type_, told = loaded.type, _told(self.caller, loaded.atom)
            param = self._param(name, Array(type_.dtype, tuple(self.dim(dim) for dim in type_.shape), boxed=not type_.shape, told=None if told is None else told.tolist()))
            if told is not None:
                self.inner.builder.told[param] = told
            cell = Cell(name, owner=f"the argument {name}", contiguous=False)
            self.inner.heap[cell] = param
            self.cells[-1] = cell
            return View(cell)
        if is_atom(value):
            return self._scalar(value, name)
        if isinstance(value, tuple):
            fields = type(value)._fields if is_namedtuple(value) else range(len(value))  # type: ignore[attr-defined]
            return remake(value, [self.copy(item, f"{name}_{field}") for field, item in zip(fields, value, strict=True)])
        if isinstance(value, ListRef | DictRef | ObjectRef):
            return self._ref(value, name)
        if isinstance(value, OneOf):
            return self._one_of(value, name)
        if isinstance(value, slice):
            return slice(*(self.copy(getattr(value, bound), f"{name}_{bound}") for bound in ("start", "stop", "step")))
        if isinstance(value, SecondHalf):
            kept, shapes, hidden = self.copy(value.kept, name), self.copy(value.shapes, f"{name}_size"), self.copy(value.hidden, name)
            return replace(value, kept=kept, shapes=shapes, hidden=hidden)
        return value

    def _one_of(self, value: OneOf, name: str) -> Abstract:
        """One of several kinds: which one it is, and what it is of each."""
        left = possible(self.caller, value)
        if len(left) == 1:
            return self.copy(value.options[left[0]], name)
        place: Any = self.copy(value.place, f"{name}_kind")
        ruled_out = frozenset(range(len(value.options))).difference(left)
        if ruled_out:
            self.inner.excluded = {**self.inner.excluded, place: ruled_out}
        return OneOf(place, tuple(self.copy(option, name) for option in value.options))

    def _scalar(self, value: Atom, name: str) -> Var:
        if isinstance(value, Var) and value in self.dims:
            param = self.dims[value]
            if param not in self.params:
                self.params.append(param)
                self.cells.append(None)
                return param
        param = self._param(name, Array(value.type.dtype, (), value.type.weak))
        note(self.inner.builder, param, types_of(self.caller.builder, value))
        if is_either(self.caller, value):
            self.inner.session.either.add(param)
        if is_member(self.caller, value):
            self.inner.session.members.add(param)
        if isinstance(value, Var) and is_integer(value.type.dtype):
            if value in self.dims:
                self.inner.builder.unify(self.dims[value], param)
            else:
                self.dims[value] = param
        return param

    def _param(self, name: str, type_: Array) -> Var:
        param = Var(name, type_)
        self.inner.named.add(param)
        self.params.append(param)
        self.cells.append(None)
        return param

    def dim(self, dim: Dim) -> Dim:
        if isinstance(dim, int):
            return dim
        if dim not in self.dims:
            same = next((known for known in self.dims if self.caller.builder.same_size(known, dim)), None)
            if same is not None:
                self.dims[dim] = self.dims[same]
        if dim not in self.dims:
            self.dims[dim] = Var(dim.name, Array(dim.type.dtype, (), weak=True))
            self.inner.builder.know_size(self.dims[dim])
        return self.dims[dim]

    def _empty(self, value: Any, name: str) -> Any:
        if isinstance(value, DequeRef):
            return DequeRef("the caller", maxlen=self.copy(value.maxlen, f"{name}_maxlen"))
        return ListRef("the caller") if isinstance(value, ListRef) else type(value)("the caller", value.kind)

    def _ref(self, value: Any, name: str) -> Any:
        if value in self.refs:
            return self.refs[value]
        content = self.caller.heap[value]
        copy = self.refs[value] = self._empty(value, name)
        if isinstance(value, ListRef | DictRef):
            copy.origins = value.origins
        if value.owner is not None:
            copy.owner = value.owner
            if value in self.caller.session.containers:
                self.inner.session.containers[copy] = self.caller.session.containers[value]
        if isinstance(value, ListRef):
            self.inner.heap[copy] = tuple(self.copy(item, f"{name}_{number}") for number, item in enumerate(content))
        else:
            self.inner.heap[copy] = {key: self.copy(item, f"{name}_{key}") for key, item in content.items()}
        return copy
