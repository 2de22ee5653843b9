"""`Reader`: reads one program Function. It holds the state (builder, heap, frame); the modules beside it hold the rules.

    expressions.evaluate(reader, node) -> abstract value        statements.execute(reader, statements)
    control_flow: if, for, while                                calls.call(reader, function, args, kwargs)
"""
from __future__ import annotations

import operator
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import ArgumentValueError, InternalError, Location, S2SError, UnknownSizeError, UnsupportedError, UnsupportedErrors
from s2s.outside import Access
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import sizes, structural
from s2s.transforms.primitives.indexing import At, getitem, setitem
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import Applied, ArrayMethod, Closure, ContainerMethod, Converted, Derived, Method, Ruled, SecondHalf
from s2s.transforms.read.storage.exchange import Parked, content_of_base, matters, note_written, separate, store_in_base
from s2s.transforms.read.syntax.frame import Frame, Session
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DictRef,
    DictView,
    Heap,
    Iteration,
    IteratorRef,
    Later,
    ListRef,
    Missing,
    ObjectRef,
    Outside,
    Part,
    Ref,
    Reshaped,
    RunRange,
    SetRef,
    Step,
    Steps,
    Text,
    Transposed,
    View,
    is_number,
    number_literal,
    remake,
)
from s2s.types import BOOL, FLOAT0, INT64, SIZE, Array, Atom, Dim, Literal, Opaque, Var, atom_dim, dim_atom

DICT_PARTS: dict[str, Any] = {"keys": tuple, "values": lambda items: tuple(items.values()), "items": lambda items: tuple(items.items())}
"""What a view of a dict goes through, of what the heap holds."""


class Suppressed(Exception):
    """A name is used whose assignment failed: the failure was reported already."""


class NeedsInline(Exception):
    """This helper can't be a function of the program (it returns an alias, changes a container, …): read it in place."""


class OtherItems(UnsupportedError):
    """A list that was made of numbers of one type gets a number of another type: to be read again with items of the type of both."""

    def __init__(self, origin: Hashable, type_: Array, where: Location) -> None:
        super().__init__(f"items of several types in a list (not only {type_})", where=where, instead="one type of items")
        self.origin, self.type = origin, type_


@dataclass(eq=False)
class State:
    """What a path through the function has done so far."""

    names: dict[str, Abstract]
    heap: Heap
    aliases: dict[Cell, frozenset[Cell]]
    parked: Parked
    """Arrays that have changed places with others, so that the heap doesn't say what they hold."""
    raised: bool = False

    def copy(self) -> State:
        """An independent copy."""
        return State(dict(self.names), Heap(self.heap), dict(self.aliases), dict(self.parked), self.raised)


@dataclass(eq=False)
class Checkpoint:
    """A place in a block to which reading can go back."""

    state: State
    nodes: int
    notes: tuple[Any, Any, Any]


@dataclass(eq=False)
class Branch:
    """A block being read beside others: its builder and its state."""

    builder: Builder
    state: State


@dataclass(eq=False)
class Reader:
    """Reads one program Function; `hidden` are its extra parameters by the steps to their objects."""

    session: Session
    builder: Builder
    frame: Frame
    heap: Heap = field(default_factory=Heap)
    aliases: dict[Cell, frozenset[Cell]] = field(default_factory=dict)
    parked: Parked = field(default_factory=dict)
    written: set[Cell] = field(default_factory=set)
    """Storages into which there was a store, on any path."""
    in_order: dict[Cell, bool] = field(default_factory=dict)
    """The caller's arrays that are taken to lie in C order; True: whether or not they are written into."""
    raised: bool = False
    errors: list[S2SError] = field(default_factory=list)
    hidden: dict[Access, Var] = field(default_factory=dict)
    hidden_views: dict[Access, Abstract] = field(default_factory=dict)
    regions: int = 0
    """How many run-time regions are open: 0 means that what is read here runs in every call."""
    is_helper: bool = False
    can_be_inlined: bool = False
    """A helper that is read in place after a NeedsInline."""
    named: set[Var] = field(default_factory=set)
    unrollable: int = 0
    """How many of the loops around are read as loops on trial: if that fails, their few trips are read one by one."""
    recursion_guard: int = 0
    """How many calls are being read in place."""

    # ---- the rules --------------------------------------------------------------------------------------------------

    def evaluate(self, node: cst.CSTNode) -> Abstract:
        """The value of an expression."""
        from s2s.transforms.read.flow.expressions import evaluate  # the rules need Reader: each module needs the other

        return evaluate(self, node)

    def execute(self, statements: list[Any]) -> None:
        """Read statements in order."""
        from s2s.transforms.read.flow.statements import execute

        execute(self, statements)

    def call(self, function: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract] | None = None) -> Abstract:
        """The result of a call."""
        from s2s.transforms.read.calls.calls import call

        return call(self, function, args, kwargs or {})

    # ---- places and errors ------------------------------------------------------------------------------------------

    def where(self, node: cst.CSTNode) -> Location:
        return self.frame.tree.where(node)

    @contextmanager
    def at(self, node: cst.CSTNode) -> Iterator[None]:
        """Put the node's location on what is built and raised inside."""
        before = self.builder.where
        self.builder.where = self.where(node)
        try:
            yield
        finally:
            self.builder.where = before

    def unsupported(self, what: str, instead: str = "", why: str = "") -> UnsupportedError:
        """An error at the current place."""
        return UnsupportedError(what, where=self.builder.where, why=why, instead=instead)

    def fail_if_errors(self) -> None:
        """Raise what was collected."""
        if not self.errors:
            return
        reported = [error for error in self.errors if not isinstance(error, InternalError)]  # the others only follow from these
        for error in reported:
            if isinstance(error, UnknownSizeError | OtherItems):  # read again, all may be well
                raise error
        first = {str(error): error for error in reported or self.errors}
        errors = tuple(first.values())
        if len(errors) == 1 or not all(isinstance(error, UnsupportedError) for error in errors):
            raise next((error for error in errors if not isinstance(error, UnsupportedError)), errors[0])
        raise UnsupportedErrors(self.frame.name, errors)

    # ---- state ------------------------------------------------------------------------------------------------------

    def state(self) -> State:
        return State(self.frame.names, self.heap, self.aliases, self.parked, self.raised)

    def restore(self, state: State) -> None:
        self.frame.names, self.heap, self.aliases, self.parked, self.raised = state.names, state.heap, state.aliases, state.parked, state.raised

    def fork(self) -> Branch:
        """A branch that starts from the current state."""
        return Branch(self.builder.inside(), self.state().copy())

    @contextmanager
    def inside(self, branch: Branch) -> Iterator[None]:
        """Read in a branch; what it did is in the branch afterwards, and this state is as before."""
        before, builder, where = self.state(), self.builder, self.builder.where
        self.restore(branch.state)
        self.builder = branch.builder
        self.builder.where = where
        self.regions += 1
        try:
            yield
        finally:
            branch.state = self.state()
            self.restore(before)
            self.builder = builder
            self.regions -= 1

    @contextmanager
    def trial(self) -> Iterator[list[S2SError]]:
        """Collect errors apart."""
        before, self.errors = self.errors, []
        try:
            yield self.errors
        finally:
            self.errors = before

    def checkpoint(self) -> Checkpoint:
        """What `rollback` needs."""
        builder = self.builder
        notes = (dict(builder.normal.maps[0]), dict(builder.numbered.maps[0]), builder.facts.copy())
        return Checkpoint(self.state().copy(), len(builder.nodes), notes)

    def rollback(self, checkpoint: Checkpoint) -> None:
        """Forget what was read in this block since the checkpoint."""
        builder = self.builder
        self.restore(checkpoint.state.copy())
        del builder.nodes[checkpoint.nodes :]
        mappings: tuple[dict[Any, Any], ...] = (builder.normal.maps[0], builder.numbered.maps[0])  # type: ignore[assignment]
        for mapping, before in zip(mappings, checkpoint.notes, strict=False):
            mapping.clear()
            mapping.update(before)
        builder.facts = checkpoint.notes[2].copy()

    # ---- storage ----------------------------------------------------------------------------------------------------

    def value(self, atom: Atom | int) -> Value:
        """An atom as a Value of the current block."""
        return Value(self.builder, dim_atom(atom) if isinstance(atom, int) else atom)

    def new_array(self, atom: Atom, name: str = "") -> View:
        """A new storage cell with this content."""
        cell = Cell(name, contiguous=len(atom.type.shape) < 2)
        self.heap[cell] = atom
        return View(cell)

    def is_zero_dim(self, value: Abstract) -> bool:
        """Whether it is an array without axes: a storage that holds a scalar, where a NumPy scalar is an atom."""
        if not isinstance(value, View):
            return False
        match value.steps[-1:]:
            case (Part(index=index),):
                return all(isinstance(item, At) for item in index)
            case (Transposed(axes=each) | Reshaped(dims=each),):
                return not each
        return not self.heap[value.cell].type.shape

    def scalar(self, value: Abstract) -> Abstract:
        """What an array without axes holds, as a NumPy scalar; other values: themselves."""
        return self.unwrap_atom(self.load(value).atom) if self.is_zero_dim(value) else value

    def is_contiguous(self, value: Abstract) -> bool:
        """Whether an operand is surely in C order: NumPy's results have their operands' order."""
        if isinstance(value, View):
            return value.cell.contiguous and all(isinstance(step, Reshaped) for step in value.steps)
        if isinstance(value, tuple | ListRef):
            content = value if isinstance(value, tuple) else self.heap[value]
            return not isinstance(content, tuple) or all(self.is_contiguous(item) for item in content)
        return True

    def ordered(self, result: Abstract, *operands: Abstract) -> Abstract:
        """The result, known to be in C order if all operands are."""
        if isinstance(result, View) and not result.steps and result.cell.owner is None and all(self.is_contiguous(each) for each in operands):
            result.cell.contiguous = True
        return result

    def content(self, cell: Cell) -> Atom:
        """What a storage holds now."""
        return content_of_base(self, cell) if cell in self.parked else self.heap[cell]

    def put(self, cell: Cell, new: Atom) -> None:
        """Give a storage another content."""
        note_written(self, cell)
        if cell in self.parked:
            store_in_base(self, cell, new)
        else:
            self.heap[cell] = new

    def load(self, view: View) -> Value:
        """What a view sees now."""
        content = self.content(view.cell)
        value = self.value(content)
        for number, step in enumerate(view.steps):
            key = ("view", content, view.steps[: number + 1])
            if key not in self.builder.numbered:
                self.builder.numbered[key] = self._forward(value, step).atom
            value = self.value(self.builder.numbered[key])
        return value

    def _forward(self, value: Value, step: Step) -> Value:
        match step:
            case Part():
                with self.builder.at(step.where):  # where it was made: the caller's own arrays are looked at as late as they are needed
                    return getitem(value, *(self.value(atom) for atom in step.operands), index=step.index)
            case Transposed():
                return structural.transpose(value, axes=step.axes)
            case Reshaped() if step.dims == value.shape:
                return value
            case Reshaped():
                return structural.reshape(value, *(self.value(dim_atom(dim)) for dim in step.dims))

    def _back(self, old: Value, new: Value, step: Step) -> Value:
        """The array before a step, from the one behind it."""
        match step:
            case Part():
                return setitem(old, new, *(self.value(atom) for atom in step.operands), index=step.index)
            case Transposed():
                return structural.transpose(new, axes=tuple(int(axis) for axis in np.argsort(step.axes)))
            case Reshaped():
                return structural.reshape(new, *old.dims())

    def shape_of(self, view: View) -> tuple[Dim, ...]:
        """The dimensions of a view (nothing is built that stays)."""
        return self.load(view).shape

    def store(self, view: View, new: Value) -> None:
        """Make a view hold `new` (of its dtype and shape) from here on: every alias sees it."""
        self.check_writable(view.cell)
        olds = [self.value(self.content(view.cell))]
        for number in range(1, len(view.steps)):
            olds.append(self.load(View(view.cell, view.steps[:number])))
        for old, step in zip(reversed(olds), reversed(view.steps), strict=False):
            new = self._back(old, new, step)
        content = self.heap[view.cell]
        if content.type.shape != new.shape:
            new = structural.retype(new, *(self.value(dim_atom(dim)) for dim in content.type.shape))
        self.name_var(new.atom, view.cell.name)
        self.put(view.cell, new.atom)

    def check_writable(self, cell: Cell) -> None:
        """Refuse to write where it is not known which arrays would change."""
        if cell.owner is not None and not self.content(cell).type.shape:
            raise self.unsupported(f"a store into {cell.owner}, an array without axes", "an array of one element: np.zeros(1)")
        if cell.read_only:
            raise ArgumentValueError("assignment destination is read-only", where=self.builder.where)
        if cell.frozen:
            raise self.unsupported(
                "a store into an item of a list whose length is known only at run time",
                "one array (np.zeros((n, m))) instead of a list of arrays or lists, or put a changed copy into a new list",
            )
        for other in self.aliases.get(cell, ()):
            if other is not cell and self.reachable(other):
                if self.can_be_inlined:
                    raise NeedsInline  # the caller may know more about its arrays
                one, two = cell.name or "this array", other.owner or other.name or "another array"
                raise self.unsupported(
                    f"a store into {one}, which may or may not be the same array as {two}",
                    why="which of the two it is depends on the path taken or on the memory layout",
                    instead=f"make it an array of its own first, for example {one if one.isidentifier() else 'x'} = np.copy(…)",
                )

    def note_aliases(self, *cells: Cell) -> None:
        """Note that these may be the same storage."""
        group = frozenset(cells)
        if len(group) > 1:
            for cell in group:
                self.aliases[cell] = self.aliases.get(cell, frozenset()) | (group - {cell})

    def may_share(self, one: Cell, two: Cell) -> bool:
        """Whether two storages are, or may be, the same."""
        return not separate(one, two, self.state())

    def reachable(self, cell: Cell) -> bool:
        """Whether anything that is still used later, or the caller, can see this storage."""
        return matters(self, (cell,), frozenset(), self.frame.live, (self.state(),))

    def is_held(self, frame: Frame, cell: Cell) -> bool:
        """Whether what a frame goes through, or shares with nested functions, is in this storage."""
        return any(self.refers(value, cell) for value in (*frame.held, frame.box))

    def refers(self, value: Abstract, cell: Cell) -> bool:
        """Whether a value is in a storage, or holds what is."""
        match value:
            case View():
                return value.cell is cell
            case tuple():
                return any(self.refers(item, cell) for item in value)
            case DictRef() | ObjectRef():
                return any(self.refers(item, cell) for item in self.heap[value].values())
            case ListRef():
                content = self.heap[value]
                return any(self.refers(item, cell) for item in content) if isinstance(content, tuple) else content.cell is cell
            case Method():
                return self.refers((value.function, value.first), cell)
            case DictView():
                return self.refers(value.ref, cell)
            case IteratorRef():
                return self.refers(value.source, cell)
            case Iteration():
                return any(view.cell is cell for view in value.views) or self.refers(value.items or (), cell)
            case Later():
                return self.refers(value.container, cell)
            case Applied() | Derived():
                return self.refers((value.function, *value.args, *value.kwargs.values()), cell)
            case ArrayMethod():
                return self.refers(value.array, cell)
            case Closure() if value.frame is not self.frame:
                return any(self.refers(item, cell) for item in value.frame.names.values() if not isinstance(item, Closure))
        return False

    # ---- between abstract values and what NumPy functions take ---------------------------------------------------------

    def wrap(self, value: Abstract) -> Any:
        """An abstract value as NumPy functions take it."""
        match value:
            case Var() | Literal():
                return self.value(value)
            case View():
                loaded = self.load(value)
                return self.unwrap_atom(loaded.atom) if isinstance(loaded.atom, Literal) else loaded
            case tuple():
                return remake(value, [self.wrap(item) for item in value])
            case ListRef():
                content = self.heap[value]
                if isinstance(content, tuple):
                    return [self.wrap(item) for item in content]
                from s2s.transforms.read.storage.growing import as_array

                return as_array(self, content)
            case SetRef():
                return set(self.heap[value])
            case DictView():
                return self.wrap(DICT_PARTS[value.part](self.heap[value.ref]))
            case DictRef():
                return {key: self.wrap(item) for key, item in self.heap[value].items()}
            case slice():
                return slice(self.wrap(value.start), self.wrap(value.stop), self.wrap(value.step))
            case Missing():
                raise self.missing(value)
        return value

    def unwrap(self, result: Any, name: str = "", *, arrays: bool = False) -> Abstract:
        """What a NumPy function gave, as an abstract value: arrays are new storage. `arrays`: it gives arrays also where there are no axes."""
        match result:
            case Value():
                return self.new_array(result.atom, name) if arrays else self.unwrap_atom(result.atom, name)
            case tuple():
                return remake(result, [self.unwrap(item, arrays=arrays) for item in result])
            case list():
                return self.new_list([self.unwrap(item) for item in result])
            case dict():
                return self.new_dict({key: self.unwrap(item) for key, item in result.items()})
            case np.ndarray():
                return np.zeros((), FLOAT0) if result.dtype == FLOAT0 else self.constant_array(result)
        return result

    def unwrap_atom(self, atom: Atom, name: str = "") -> Abstract:
        if atom.type.shape:
            return self.new_array(atom, name)
        if isinstance(atom, Literal):
            weak = atom.type.weak or atom.type.dtype == BOOL
            return atom.value if weak else atom.type.dtype.type(atom.value)
        return atom

    def constant_array(self, array: np.ndarray) -> Abstract:
        """An array known while reading as a new array of the program."""
        from s2s.transforms.read.calls.calls import numpy_call

        return numpy_call(self, np.array, (self.nested_list(array.tolist()),), {"dtype": array.dtype})

    def nested_list(self, nested: Any) -> Abstract:
        return self.new_list([self.nested_list(item) for item in nested]) if isinstance(nested, list) else nested

    def new_list(self, items: Any) -> ListRef:
        ref = ListRef()
        self.heap[ref] = tuple(items)
        return ref

    def new_dict(self, items: dict[Any, Abstract], kind: type = dict) -> DictRef:
        ref = DictRef(kind=kind)
        self.heap[ref] = dict(items)
        return ref

    def new_set(self, items: Any) -> SetRef:
        """A set of items that are known, as Python's own objects."""
        ref = SetRef()
        self.heap[ref] = dict.fromkeys(items)
        return ref

    def missing(self, value: Missing) -> Exception:
        """The exception for the use of a Missing."""
        if not value.what:
            return Suppressed()
        bound = value.unset or value.test is not None
        instead = "assign it on every path before it is used" if bound else "give it one dtype, rank and structure on all paths"
        return UnsupportedError(value.what, where=self.builder.where, why=value.why, instead=instead)

    def atom(self, value: Abstract, name: str = "value") -> Atom:
        """A number or run-time scalar as an atom; an error for anything else."""
        if isinstance(value, Var | Literal):
            return value
        if is_number(value):
            return number_literal(value)
        if isinstance(value, Missing):
            raise self.missing(value)
        if self.is_zero_dim(value):
            return self.load(value).atom
        raise self.unsupported(f"{name} must be a number here, not {self.describe(value)}")

    def size(self, value: Abstract, what: str = "a size") -> Atom:
        """An integer as an int64 atom."""
        atom = self.atom(value, what)
        if atom.type.dtype.kind not in "ib" or atom.type.shape:
            from s2s.transforms.read.numpy.python_checks import refuse_as_python

            refuse_as_python(operator.index, self.value(atom))
            raise self.unsupported(f"{what} must be an integer, not {self.describe(value)}", "int(…)")
        if isinstance(atom, Literal):
            return Literal(int(atom.value), SIZE)  # type: ignore[arg-type]
        if atom.type.dtype != INT64:
            from s2s.transforms.read.numpy.common import cast

            return cast(self.value(atom), INT64).atom
        return atom

    def describe(self, value: Abstract) -> str:
        """What an abstract value is, for error messages."""
        if self.is_zero_dim(value):
            return f"an array without axes, of {self.load(value).dtype}"
        match value:
            case Var() | Literal():
                return f"a run-time {value.type}"
            case View():
                return f"an array {self.heap[value.cell].type}" if not value.steps else f"a view {self.load(value).type}"
            case ListRef():
                return "a list"
            case SetRef():
                return "a set"
            case DictView():
                return f"the {value.part} of a dict"
            case Iteration() | IteratorRef():
                return "an iterator"
            case slice():
                return "a slice"
            case DictRef():
                return "a dict"
            case ObjectRef():
                return f"a {value.kind.__name__}"
            case Closure() | Method() | Applied() | Derived() | SecondHalf() | ArrayMethod() | ContainerMethod() | Ruled() | Converted():
                return "a function"
            case Outside():
                return f"{type(value.object).__name__} {getattr(value.object, '__name__', '')}".strip()
            case Text():
                return "a text with run-time values"
            case tuple():
                return f"a tuple of {len(value)}"
            case RunRange():
                return "a range"
            case Opaque():
                return "a value"
        return f"{type(value).__name__} {value!r:.60}"

    # ---- names ------------------------------------------------------------------------------------------------------

    def bind(self, name: str, value: Abstract) -> None:
        """name = value, in this frame or, where the name is declared nonlocal, in the one that it belongs to."""
        frame: Frame | None = self.frame
        while frame is not None and name not in frame.scope.bound:
            frame = frame.outer
        if frame is None or (frame is not self.frame and frame.box is None):
            raise self.unsupported(
                f"an assignment of {name}, which is not local to the function that is read or transformed", "return the value, and let the caller store it"
            )
        if name in frame.scope.shared:
            self.heap[frame.box] = {**self.heap[frame.box], name: value}
        else:
            frame.names[name] = value

    def open_box(self) -> None:
        """At the start of a function: put the names that nested functions bind too where all of them find them."""
        frame = self.frame
        if frame.scope.shared and frame.box is None:
            frame.reader, frame.box = self, DictRef()
            unset = (Missing(f"{name!r} is used before it is assigned", unset=True) for name in sorted(frame.scope.shared))
            content = dict(zip(sorted(frame.scope.shared), unset, strict=True))
            self.heap[frame.box] = {name: frame.names.pop(name, value) for name, value in content.items()}

    def name_var(self, atom: Atom, name: str) -> None:
        """Give a Var the user's name, unless it has one."""
        if isinstance(atom, Var) and name and atom not in self.named:
            self.named.add(atom)
            atom.name = name

    def weak_dim(self, dim: Dim) -> Abstract:
        """A dimension as the user sees it: a Python int."""
        if isinstance(dim, int):
            return dim
        if dim.type.weak:
            return dim
        from s2s.transforms.read.numpy.building import building
        from s2s.transforms.read.numpy.common import shape_value

        with building(self.builder):
            return shape_value(dim).atom  # type: ignore[union-attr]

    def plus(self, a: Atom | int, b: Atom | int) -> Atom:
        """a + b of sizes."""
        return sizes.plus(self.builder, a, b)


__all__ = ["Array", "Branch", "NeedsInline", "Reader", "Ref", "State", "Steps", "Suppressed", "atom_dim"]
