"""`Helper`: a function of the program that serves calls of one signature; how its results are packed, and a call appended."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from s2s.outside import Access
from s2s.records import dataclass
from s2s.transforms.ir.program import Call, Equation, Function
from s2s.transforms.ir.staged import (
    Chosen,
    Cut,
    Indexed,
    Operand,
    Origins,
    PartOfNumbers,
    Permuted,
    Result,
    Rows,
    Seen,
    SeenStep,
    Shaped,
    options_of,
)
from s2s.transforms.primitives.sizes import ARITHMETIC, arithmetic
from s2s.transforms.read.callables import FUNCTIONS
from s2s.transforms.read.calls.hidden import hidden_input
from s2s.transforms.read.doubts import note
from s2s.transforms.read.failures import NeedsInline
from s2s.transforms.read.flow.options import possible
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, new_array, shape_of, store_view
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.storage.growing import listed
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    Choice,
    Component,
    DictRef,
    DictView,
    IteratorRef,
    JoinedText,
    ListRef,
    MadeError,
    Missing,
    ObjectRef,
    OneOf,
    Part,
    Pooled,
    Ref,
    Reshaped,
    Step,
    Text,
    Transposed,
    View,
    is_atom,
    is_runtime,
    remake,
)  # fmt: skip
from s2s.transforms.read.wrapping import unwrap_atom
from s2s.transforms.read.zero_dim import is_member, kinds
from s2s.types import BOOL, Array, Atom, Dim, Literal, Var, atom_dim, dim_atom, is_integer

NOT_PASSED = (*FUNCTIONS, DictView, Missing, Grown, RunRange, Iteration, IteratorRef, Text, JoinedText, MadeError, OneOf, Pooled)
"""What holds values of a block in other ways than as arrays and numbers in containers: it is neither passed nor returned."""


@dataclass(frozen=True, eq=False)
class Helper:
    """A user's function as read for one signature. `result` is the tree with Result leaves; `mutated`: (operand, result) numbers;
    `sizes`: results that are the dimensions of other results. None for `function`: it does nothing at run time.
    """

    function: Function | None
    result: Abstract
    mutated: tuple[tuple[int, int], ...]
    hidden: tuple[Access, ...]
    sizes: dict[Var, int]
    params: tuple[Var, ...]
    arrays: int
    origins: Origins = ()
    """Results that are arrays of the caller, or share storage with each other."""
    equal: tuple[tuple[Var, Dim], ...] = ()
    """Dimensions of its parameters that are one once it was called: it checks that."""
    raising: Any = None
    """What it may raise of what is caught where it is called (`caught_calls.Raising`)."""
    told: tuple[tuple[int, Any], ...] = ()
    """Results of whole numbers that are known, whatever it is called with, and what they are."""
    doubts: tuple[tuple[int, tuple[Array, ...]], ...] = ()
    """Results whose type in Python depends on the path, with the types that they may have."""


@dataclass(frozen=True)
class ReadOnly(Result):
    """An array that nothing may be stored into."""


class ResultPacker:
    """Turns a returned value into a tree with Result leaves; `results` are the atoms, sizes of arrays before them."""

    def __init__(self, reader: Reader, params: set[Var], cells: list[Cell | None], refs: dict[Any, Any]) -> None:
        self.reader, self.params = reader, params
        self.param_cells = {cell for cell in cells if cell is not None} | {view.cell for view in reader.hidden_views.values() if isinstance(view, View)}
        self.given = {ref: number for number, ref in enumerate(refs.values())}
        self.results: list[Atom] = []
        self.sizes: dict[Var, int] = {}
        self.seen: set[Cell] = set()
        self.known = set(params) | {dim for param in params for dim in param.type.shape if isinstance(dim, Var)}

    def pack(self, value: Abstract) -> Abstract:
        if True in kinds(self.reader, value) or is_atom(value) and is_member(self.reader, value):
            raise NeedsInline
        if is_atom(value):
            return Result(self.add(value))
        if isinstance(value, View):
            storages = {value.cell} | self.reader.aliases.get(value.cell, frozenset())
            if any(cell in self.param_cells or cell in self.seen or cell.initial is not None for cell in storages):
                raise NeedsInline
            self.seen.add(value.cell)
            leaf = ReadOnly if value.cell.read_only else Result
            return leaf(self.add(load(self.reader, value).atom))
        if isinstance(value, tuple):
            return remake(value, [self.pack(item) for item in value])
        if isinstance(value, ListRef | DictRef | ObjectRef):
            return self._pack_ref(value)
        if isinstance(value, OneOf):
            ruled_out = frozenset(range(len(value.options))).difference(possible(self.reader, value))
            return Kinds(self.pack(value.place), tuple(map(self.pack, value.options)), ruled_out)
        if isinstance(value, NOT_PASSED):
            raise NeedsInline
        if isinstance(value, type) and value in self.reader.session.made:
            raise NeedsInline  # its methods see the frame of the call, and what its body binds stands in the heap
        if isinstance(value, slice) and any(map(is_runtime, (value.start, value.stop, value.step))):
            raise NeedsInline  # read in place, its length is seen: slice(k * 4, k * 4 + 4) has four elements
        return value

    def _pack_ref(self, ref: Any) -> Abstract:
        if ref in self.given:
            return Given(self.given[ref])
        if ref.owner is not None or isinstance(ref, ObjectRef) and ref.kind in self.reader.session.made:
            raise NeedsInline
        content = self.reader.heap[ref]
        if isinstance(content, NOT_PASSED):
            raise NeedsInline
        if is_atom(getattr(ref, "maxlen", None)):
            raise NeedsInline
        if isinstance(ref, ListRef):
            return Container(ref, [self.pack(item) for item in content])
        return Container(ref, {key: self.pack(item) for key, item in content.items()})

    def add(self, atom: Atom) -> int:
        for dim in atom.type.shape:
            if isinstance(dim, Var) and dim not in self.known and dim not in self.sizes:
                self.sizes[dim] = len(self.results)
                self.results.append(dim)
        self.results.append(atom)
        return len(self.results) - 1


@dataclass(frozen=True, eq=False)
class Container:
    """A list, dict or object that a helper returns: `like` it, made anew by each call."""

    like: Any
    content: Any


@dataclass(frozen=True, eq=False)
class Given:
    """A list, dict or object that a helper hands back as it was given: the so manieth of those."""

    number: int


@dataclass(frozen=True, eq=False)
class Kinds:
    """A value of one of several kinds that a helper returns (`OneOf`); `ruled_out`: the options that it is not."""

    place: Abstract
    options: tuple[Abstract, ...]
    ruled_out: frozenset[int]


def hidden_value(reader: Reader, access: Access, captured: Mapping[Access, Abstract]) -> Abstract:
    """What a hidden input of a helper is in the program that calls it."""
    return captured[access] if access in captured else hidden_input(reader, access, reader.session.hidden_types[access])


def append_call(reader: Reader, helper: Helper, leaves: list[Abstract], captured: Mapping[Access, Abstract] = MappingProxyType({}), given: Iterable[Ref] = ()) -> Abstract:
    """Append the call of a helper with these leaves; what it returns. `captured`: hidden inputs that are values of this program. `given`: the containers among the arguments."""
    if helper.function is None:  # nothing of the run is in it
        return _Unpacked(reader, [], tuple(given)).unpacked(helper.result)
    operands = [*leaves, *(hidden_value(reader, access, captured) for access in helper.hidden)]
    atoms: list[Atom] = [load(reader, operand).atom if isinstance(operand, View) else operand for operand in operands]
    dims: dict[Var, Dim] = {}
    for param, atom in zip(helper.params, atoms, strict=True):
        if isinstance(param.type.dtype.kind, str) and not param.type.shape and is_integer(param.type.dtype):
            dims.setdefault(param, int(atom.value) if isinstance(atom, Literal) else atom)  # type: ignore[arg-type]
        for dim, own in zip(param.type.shape, atom.type.shape, strict=True):
            if isinstance(dim, Var):
                dims.setdefault(dim, own)
    sizes_of_params = {dim for param in helper.params for dim in param.type.shape}
    atoms = [dim_atom(dims[param]) if param in sizes_of_params else _with_dims(reader, atom, tuple(dims[dim] if isinstance(dim, Var) else dim for dim in param.type.shape)) for param, atom in zip(helper.params, atoms, strict=True)]
    outs: list[Var] = []
    sizes, told, doubts = {number: dim for dim, number in helper.sizes.items()}, dict(helper.told), dict(helper.doubts)
    for number, result in enumerate(helper.function.body.results):
        shape = tuple(dims.get(dim, dim) if isinstance(dim, Var) else dim for dim in result.type.shape)
        out = Var(result.name if isinstance(result, Var) else helper.function.name, Array(result.type.dtype, shape, result.type.weak))
        outs.append(out)
        if number in told:
            reader.builder.told[out] = told[number]
        note(reader.builder, out, doubts.get(number, (out.type,)))
        if number in sizes:
            dims[sizes[number]] = out
            reader.builder.know_size(out)
    reader.builder.add(Call(tuple(outs), helper.function, tuple(atoms), reader.builder.where))
    for one, other in helper.equal:
        reader.builder.unify(dims.get(other, other) if isinstance(other, Var) else other, dims[one])
    outs = _with_known_sizes(reader, helper, dims, outs)
    for operand, number in helper.mutated:
        view = operands[operand]
        assert isinstance(view, View)
        with building(reader.builder):
            changed = retyped(reader.value(outs[number]), shape_of(reader, view))  # the callee may know it by an equal size
        store_view(reader, view, changed)
    if helper.origins:
        return _Sharing(reader, dict(zip(helper.params, operands, strict=True)), outs, dict(helper.origins)).unpacked(helper.result)
    return _Unpacked(reader, outs, tuple(given)).unpacked(helper.result)


def _with_known_sizes(reader: Reader, helper: Helper, dims: dict[Var, Dim], outs: list[Var]) -> list[Var]:
    """The outs of a call, their sizes told by what the caller knows: the sizes of its operands."""
    assert helper.function is not None
    made = {node.outs[0]: node for node in helper.function.body.nodes if isinstance(node, Equation) and node.primitive in ARITHMETIC} if helper.sizes else {}
    known = {dim: dims[dim] for param in helper.params for dim in (param, *param.type.shape) if dim in dims}
    for dim, number in helper.sizes.items():
        with building(reader.builder):
            told = arithmetic(reader.builder, dim, made, known)
        if told is not None:
            reader.builder.unify(atom_dim(told), outs[number])
    with building(reader.builder):
        settled = [retyped(reader.value(out), tuple(map(reader.builder.settled, out.type.shape))).atom if out.type.shape else out for out in outs]
    return [out for out in settled if isinstance(out, Var)]


class _Unpacked:
    """The results of a call, at the leaves of a result tree; `given`: the containers that it was given."""

    def __init__(self, reader: Reader, outs: list[Var], given: tuple[Ref, ...] = ()) -> None:
        self.reader, self.outs, self.given = reader, outs, given

    def unpacked(self, tree: Any) -> Abstract:
        reader = self.reader
        if isinstance(tree, Result):
            return _result(reader, tree, self.result(tree.number))
        if isinstance(tree, Rows | Cut) or isinstance(tree, Result) and tree.listed == "lists":
            raise reader.unsupported("a transformed function that returns a list of tuples, lists or objects, or a dict, as long as the run makes it", "the function itself, or arrays")
        if isinstance(tree, tuple):
            return remake(tree, [self.unpacked(item) for item in tree])
        if isinstance(tree, Kinds):
            return self._one_of(tree)
        if isinstance(tree, Given):
            return self.given[tree.number]
        if isinstance(tree, Container):
            if isinstance(tree.like, ListRef):
                return reader.new_like(tree.like, [self.inner(item) for item in tree.content])
            ref = type(tree.like)(None, tree.like.kind)
            reader.heap[ref] = {key: self.inner(item) for key, item in tree.content.items()}
            return ref
        return tree

    def inner(self, tree: Any) -> Abstract:
        """What is part of a result: a dict is one of those that were made where it was, as a whole one is one of those of the call."""
        found = self.unpacked(tree)
        if isinstance(tree, Container) and isinstance(found, DictRef):
            found.origins = tree.like.origins
        return found

    def result(self, number: int) -> Abstract:
        return unwrap_atom(self.reader, self.outs[number])

    def _one_of(self, tree: Kinds) -> OneOf:
        """A value of one of several kinds: which one it is, and what it is of each."""
        place: Any = self.unpacked(tree.place)
        if tree.ruled_out:
            self.reader.excluded = {**self.reader.excluded, place: tree.ruled_out}
        return OneOf(place, tuple(map(self.inner, tree.options)))


class _Sharing(_Unpacked):
    """The results of a call, of which some are arrays of the caller: they are what they are in Python."""

    def __init__(self, reader: Reader, operands: dict[Var, Abstract], outs: list[Var], origins: dict[int, Seen]) -> None:
        super().__init__(reader, outs)
        self.operands, self.origins = operands, origins
        self.made: dict[int, Abstract] = {}

    def result(self, number: int) -> Abstract:
        if number not in self.made:
            origin = self.origins.get(number)
            self.made[number] = super().result(number) if origin is None else self.seen(origin, number)
        return self.made[number]

    def seen(self, origin: Seen, number: int) -> Abstract:
        """A view; where it depends on the path which array it is, an array that may be each of them."""
        source = self.source(origin)
        if isinstance(source, View):
            return source
        made = unwrap_atom(self.reader, self.outs[number])
        if isinstance(source, Choice):
            made.cell.choice = source
        for option in options_of(origin):
            if isinstance(option.base, Var):
                note_made_of(self.reader, made.cell, self.operands[option.base].cell)
        return made

    def source(self, origin: Seen) -> View | Choice | None:
        base = origin.base
        if isinstance(base, Chosen):
            place = self.atom(base.place)
            if place.type.dtype != BOOL or origin.steps:
                return None
            one, two = (None if option is None else self.source(option) for option in base.options)
            return Choice(place, one, two)
        array = self.operands[base] if isinstance(base, Var) else self.result(base.number)
        assert isinstance(array, View)
        return View(array.cell, (*array.steps, *map(self.step, origin.steps)))

    def step(self, step: SeenStep) -> Step:
        match step:
            case Indexed():
                return Part(step.index, tuple(map(self.atom, step.operands)), step.where)
            case Permuted():
                return Transposed(step.axes)
            case PartOfNumbers():
                return Component(step.is_real)
            case Shaped():
                return Reshaped(tuple(atom_dim(self.atom(dim)) for dim in step.dims), step.ravel)

    def atom(self, operand: Operand) -> Atom:
        return self.outs[operand.number] if isinstance(operand, Result) else operand


def _with_dims(reader: Reader, atom: Atom, shape: tuple[Dim, ...]) -> Atom:
    """An operand with the dimensions that the callee's signature says are equal."""
    with building(reader.builder):
        return retyped(reader.value(atom), shape).atom


def _result(reader: Reader, tree: Result, value: Abstract) -> Abstract:
    if tree.options:
        return OneOf(value, tree.options)
    if tree.either and is_atom(value):
        reader.session.either.add(value)
    if tree.listed:
        return listed(reader, value, weak=tree.listed == "tolist")
    if isinstance(tree, ReadOnly) and isinstance(value, View):
        value.cell.read_only = True
    return new_array(reader, value) if tree.boxed and is_atom(value) else value


def unpacked(reader: Reader, tree: Any, outs: list[Var]) -> Abstract:
    """A result tree with a call's outs at its leaves."""
    return _Unpacked(reader, outs).unpacked(tree)
