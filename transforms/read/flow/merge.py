"""Where two paths meet: the values of names and storages that differ become the outs of an If.

    if c:            if c:                one: x = y1        pairs: (y1, x), (s1, s)
        x = y + 1        y1 = add(y, 1)   two: x = x         outs:  x2, s2
        s = 2        -> x2, s2 = If(c, …)

Containers are merged leaf by leaf. What can't be merged becomes a `Missing`: an error only if it is used later.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from s2s.transforms.integers.affine import Affine
from s2s.transforms.ir.build import Builder
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import Method
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import note, types_of
from s2s.transforms.read.flow.agreement import converted, differs_in_precision, joined_type, plain, same_static, same_steps, shown
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch, Exchange, bound_in
from s2s.transforms.read.storage.access import is_zero_dim, load, new_array
from s2s.transforms.read.storage.cells import content_of, dissolve, note_aliases
from s2s.transforms.read.storage.exchange import (
    Group,
    agree,
    apart,
    frame_of,
    has_place,
    innermost,
    label,
    made_since,
    may_be,
    may_become_bases,
    moved_arrays,
    permuted,
    place_among,
)
from s2s.transforms.read.storage.growing import unite
from s2s.transforms.read.storage.visibility import matters
from s2s.transforms.read.syntax.frame import RESULT, SIGNALS
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    Choice,
    DictRef,
    ListRef,
    Missing,
    ObjectRef,
    Part,
    Ref,
    Reshaped,
    Step,
    View,
    is_atom,
    is_number,
    remake,
    same_structure,
    scalar_type,
)
from s2s.transforms.read.wrapping import as_atom
from s2s.transforms.read.zero_dim import is_member
from s2s.types import SIZE, Array, Atom, Dim, Literal, Var, atom_dim, dim_atom, size_literal


def atom_of_form(builder: Builder, form: Affine) -> Atom:
    """An atom for a normal form, built from its Vars."""
    total: Atom = size_literal(form.constant)
    for var, coefficient in sorted(form.terms, key=lambda term: term[0].name):
        total = sizes.plus(builder, total, sizes.times(builder, var, coefficient))
    return total


def scalar_in(reader: Reader, branch: Branch, value: Abstract, type_: Array) -> Atom:
    """A number or scalar as an atom of this type, converted at the end of the branch."""
    with reader.inside(branch):
        return converted(reader, value, type_)


class Merge:
    """Joins the states of two branches; `pairs` and `outs` are the results and outs of the If to come."""

    def __init__(self, reader: Reader, one: Branch, two: Branch) -> None:
        self.reader, self.one, self.two = reader, one, two
        self.local = (bound_in(one.builder), bound_in(two.builder))
        self.pairs: list[tuple[Atom, Atom]] = []
        self.outs: list[Var] = []
        self.cells: dict[tuple[Any, Any], Cell] = {}
        self.sources: dict[Cell, tuple[View | Choice | None, View | Choice | None]] = {}
        self.lifts: dict[tuple[int, Atom], Var] = {}

    def pair(self, a: Atom, b: Atom, out: Var) -> Var:
        self.pairs.append((a, b))
        self.outs.append(out)
        return out

    def states(self, names: frozenset[str]) -> None:
        """Join both branches' names (those that are live) and heaps into the reader's state."""
        one, two, reader = self.one.state, self.two.state, self.reader
        hidden = (ref for ref in (*one.heap, *two.heap) if isinstance(ref, Cell) and ref.initial is not None)
        base = dict.fromkeys((*reader.heap, *hidden))  # in order: the program is the same each time
        for ref in {**one.heap, **two.heap}:
            if ref not in base:
                reader.heap[ref] = one.heap.get(ref, two.heap.get(ref))
        for state in (one, two):
            for cell, group in state.aliases.items():
                reader.aliases[cell] = reader.aliases.get(cell, frozenset()) | group
        before = dict(reader.frame.names)
        kept = names | set(SIGNALS) | {RESULT}
        self.exchanges(kept, base)
        reader.frame.names = {
            name: self.join(one.names.get(name, _unbound(name)), two.names.get(name, _unbound(name)), name)
            if name in kept else before.get(name, _unbound(name))
            for name in {**one.names, **two.names}
        }
        for ref in base:
            if ref in reader.parked:
                continue
            if one.heap[ref] is not two.heap[ref]:
                reader.heap[ref] = self.contents(ref, one.heap[ref], two.heap[ref])
            else:
                reader.heap[ref] = one.heap[ref]

    def exchanges(self, names: frozenset[str], refs: Iterable[Any]) -> None:
        """Arrays that both paths have in another order, where somebody else sees them too: for each pair of them one cell."""
        reader, parked, (one, two) = self.reader, dict(self.reader.parked), (self.one.state, self.two.state)
        moved = moved_arrays(one, two, sorted(names), [ref for ref in refs if isinstance(ref, Ref) and ref in one.heap and ref in two.heap])
        first = {cells: path for path, cells in reversed(moved.items())}
        consumed: set[Cell] = set()
        for group, storages in permuted({path: cells for cells, path in first.items()}, one, two):
            cells = innermost(storages, parked)
            pairs = [moved[path] for path in group]
            but = frozenset(path for path, pair in moved.items() if pair in pairs)
            if self._may_exchange(cells) and matters(reader, cells, but, names, (one, two)):
                frame = frame_of(reader, cells, but, names, (one, two))
                known = all(has_place(cell, frame, state.parked) for pair in pairs for cell, state in zip(pair, (one, two), strict=True))
                if known and may_become_bases(frame, parked):
                    consumed.update(frame)
                    self.exchange(group, pairs, cells, frame)
        for branch in (self.one, self.two):
            with reader.inside(branch):
                for exchange in dict.fromkeys(made_since(branch.state.parked, parked).values()):
                    if consumed.isdisjoint(exchange.bases):
                        dissolve(reader, exchange)

    def _may_exchange(self, cells: tuple[Cell, ...]) -> bool:
        """Whether these arrays of before the branches are surely separate, and alike."""
        heap, branches = self.reader.heap, (self.one, self.two)
        if not all(cell in heap for cell in cells) or not all(apart(branch.state, cells) for branch in branches):
            return False
        return len({(type_.dtype, type_.ndim) for type_ in (heap[cell].type for cell in cells)}) == 1

    def exchange(self, group: Group, pairs: list[tuple[Cell, Cell]], cells: tuple[Cell, ...], frame: tuple[Cell, ...]) -> None:
        """What is at these paths is a slot each from here on."""
        reader = self.reader
        agree(reader.builder, [reader.heap[cell].type for cell in cells])
        slots, places = [], []
        for path, pair in zip(group, pairs, strict=True):
            contents, numbers = [], []
            for branch, cell in zip((self.one, self.two), pair, strict=True):
                with reader.inside(branch):
                    contents.append(content_of(reader, cell))
                    numbers.append(place_among(reader, cell, frame))
            slot = Cell(plain(label(path)), contiguous=False)
            reader.heap[slot] = self.content(contents[0], contents[1], slot.name)
            self.cells[(View(pair[0]).key, View(pair[1]).key)] = slot
            slots.append(slot)
            places.append(self.pair(numbers[0], numbers[1], self.out(f"{slot.name}_place", SIZE)))
        reader.parked.update(dict.fromkeys(frame, Exchange(frame, tuple(slots), tuple(places))))
        for other in {also for cell in (*cells, *frame) for also in reader.aliases.get(cell, ())} - {*cells, *frame}:
            for slot in slots:
                note_aliases(reader, slot, other)

    def contents(self, ref: Any, a: Any, b: Any) -> Any:
        """What a storage or container holds afterwards."""
        if isinstance(ref, Cell):
            return self.content(a, b, ref.name) if a is not b else a
        if isinstance(ref, ListRef):
            if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
                return a if a is b else self._grown(ref, a, b)
            return tuple(self.join(x, y, "item") for x, y in zip(a, b, strict=True))
        if set(a) != set(b):
            raise self.reader.unsupported("a dict that gets a key on one path only", "set the key on both paths")
        return {key: self.join(a[key], b[key], str(key)) for key in a}

    def _grown(self, ref: ListRef, a: Any, b: Any) -> Any:
        """A list of another length on each path: an array, also for a loop around where it was made before that."""
        found = unite(self, a, b)
        if found is None:
            raise self.reader.unsupported("a list that grows on one path only", "items of one type and shape, or an array")
        self.reader.session.growing[ref] = found.item_type
        return found

    def join(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        """One abstract value for a on the first path and b on the second."""
        if same_static(self.reader, a, b):
            return a
        zero_dim = self.is_zero_dim(a, b)
        if (is_atom(a) or is_number(a) or zero_dim[0]) and (is_atom(b) or is_number(b) or zero_dim[1]) and not all(zero_dim):
            return self.scalar(a, b, name)
        if isinstance(a, View) and isinstance(b, View):
            return self.view(a, b, name)
        if same_structure(a, b):
            return remake(a, [self.join(x, y, name) for x, y in zip(a, b, strict=True)])
        if isinstance(a, Missing) or isinstance(b, Missing):
            return self.missing(a, b, name)
        if isinstance(a, ListRef | DictRef | ObjectRef) and type(a) is type(b):
            return self.container(a, b, name)
        if isinstance(a, Method) and isinstance(b, Method) and same_static(self.reader, a.function, b.function) and same_static(self.reader, a.first, b.first):
            return a
        return Missing(f"{shown(name)} is {self.one_is(a)} on one path and {self.two_is(b)} on the other")

    def is_zero_dim(self, a: Abstract, b: Abstract) -> tuple[bool, bool]:
        """Whether each is an array without axes, on its path."""
        with self.reader.inside(self.one):
            first = is_zero_dim(self.reader, a)
        with self.reader.inside(self.two):
            return first, is_zero_dim(self.reader, b)

    def one_is(self, a: Abstract) -> str:
        with self.reader.inside(self.one):
            return describe(self.reader, a)

    def two_is(self, b: Abstract) -> str:
        with self.reader.inside(self.two):
            return describe(self.reader, b)

    def scalar(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        either = self.reader.session.either
        mixed = isinstance(a, View) or isinstance(b, View) or any(isinstance(each, Var) and each in either for each in (a, b))
        member = is_member(self.reader, a) or is_member(self.reader, b)
        a, b = self.loaded(self.one, a), self.loaded(self.two, b)
        types = scalar_type(a), scalar_type(b)
        if differs_in_precision(*types):
            return Missing(
                f"{shown(name)} is {types[0]} on one path and {types[1]} on the other", "its dtype would be known only at run time"
            )
        type_ = joined_type(*types)
        assert type_ is not None
        pair = scalar_in(self.reader, self.one, a, type_), scalar_in(self.reader, self.two, b, type_)
        if pair[0] == pair[1] and not mixed and not member:
            return pair[0]
        out = self.pair(*pair, self.out(name, type_))
        builder = self.reader.builder
        note(builder, out, (each for value in (a, b) for each in types_of(builder, as_atom(self.reader, value))))
        if mixed:
            either.add(out)
        if member:
            self.reader.session.members.add(out)
        return out

    def loaded(self, branch: Branch, value: Abstract) -> Abstract:
        """What an array without axes holds at the end of a branch; other values: themselves."""
        if not isinstance(value, View):
            return value
        with self.reader.inside(branch):
            return load(self.reader, value).atom

    def out(self, name: str, type_: Array) -> Var:
        out = Var(plain(name), type_)
        self.reader.named.add(out)
        return out

    def view(self, a: View, b: View, name: str) -> Abstract:
        if a.cell is b.cell and same_steps(a.steps, b.steps):
            return View(a.cell, tuple(self.step(x, y) for x, y in zip(a.steps, b.steps, strict=True)))
        key = (a.key, b.key)
        if key not in self.cells:
            with self.reader.inside(self.one):
                first = load(self.reader, a)
            with self.reader.inside(self.two):
                second = load(self.reader, b)
            misfit = _misfit(first, second)
            if misfit:
                return Missing(f"{shown(name)} is {first.type} on one path and {second.type} on the other", misfit)
            cell = Cell(plain(name), contiguous=a.cell.contiguous and b.cell.contiguous and not a.steps and not b.steps)
            self.reader.heap[cell] = self.content(first.atom, second.atom, cell.name)
            self._note_aliases(cell, a.cell, b.cell)
            self.cells[key] = cell
            sources = self.source(0, a), self.source(1, b)
            if any(source is not None for source in sources):
                self.sources[cell] = sources
        return View(self.cells[key])

    def _note_aliases(self, cell: Cell, a: Cell, b: Cell) -> None:
        """What may be the same storage as a cell that is a on the first path and b on the second."""
        ones, twos = (
            {also for same in (each, *branch.state.aliases.get(each, ())) for also in may_be(same, branch.state.parked)}
            for each, branch in ((a, self.one), (b, self.two))
        )
        for other in ones | twos:
            exchange = self.reader.parked.get(other)
            for same in (other, *(exchange.slots if exchange is not None else ())):
                note_aliases(self.reader, cell, same)
        for ((one, _), (two, _)), other in self.cells.items():
            if one in ones or two in twos:
                note_aliases(self.reader, cell, other)

    def note_choices(self, test: Atom) -> None:
        """Note for each array which one of the caller's it is on which path."""
        for cell, (one, two) in self.sources.items():
            cell.choice = Choice(test, one, two)

    def source(self, side: int, view: View) -> View | Choice | None:
        """Which array of the caller one branch has, said with what is known behind the If."""
        found = view if view.cell.owner is not None else view.cell.choice if not view.steps else None
        return None if found is None else self.lifted(side, found)

    def lifted(self, side: int, source: View | Choice) -> View | Choice:
        if isinstance(source, View):
            return View(source.cell, tuple(self.lifted_step(side, step) for step in source.steps))
        one, two = (None if each is None else self.lifted(side, each) for each in (source.one, source.two))
        return Choice(self.lifted_atom(side, source.test), one, two)

    def lifted_step(self, side: int, step: Step) -> Step:
        if isinstance(step, Part):
            return Part(step.index, tuple(self.lifted_atom(side, atom) for atom in step.operands), step.where)
        if isinstance(step, Reshaped):
            return Reshaped(tuple(atom_dim(self.lifted_atom(side, dim_atom(dim))) for dim in step.dims), step.ravel)
        return step

    def lifted_atom(self, side: int, atom: Atom) -> Atom:
        """An integer or bool that a branch computes, as it is behind the If."""
        if atom not in self.local[side]:
            return atom
        if (side, atom) not in self.lifts:
            other = Literal(atom.type.dtype.type(0).item(), atom.type)
            self.lifts[side, atom] = self.pair(atom if side == 0 else other, other if side == 0 else atom, self.out(atom.name, atom.type))
        return self.lifts[side, atom]

    def step(self, a: Step, b: Step) -> Step:
        if a == b:
            return a
        if isinstance(a, Part) and isinstance(b, Part):
            return Part(a.index, tuple(x if x == y else dim_atom(self.dim(x, y)) for x, y in zip(a.operands, b.operands, strict=True)), a.where)
        assert isinstance(a, Reshaped) and isinstance(b, Reshaped)
        return Reshaped(tuple(self.dim(dim_atom(x), dim_atom(y)) for x, y in zip(a.dims, b.dims, strict=True)), a.ravel)

    def content(self, a: Atom, b: Atom, name: str) -> Atom:
        """One array for two of a dtype and rank."""
        if a.type == b.type and a is b:
            return a
        dims = tuple(self.dim(dim_atom(x), dim_atom(y)) for x, y in zip(a.type.shape, b.type.shape, strict=True))
        outs = set(self.outs)
        parts = []
        for branch, atom in ((self.one, a), (self.two, b)):
            wanted = tuple(own if isinstance(dim, Var) and dim in outs else dim for dim, own in zip(dims, atom.type.shape, strict=True))
            with self.reader.inside(branch), building(self.reader.builder):
                parts.append(retyped(self.reader.value(atom), wanted).atom)
        return self.pair(parts[0], parts[1], self.out(name, Array(a.type.dtype, dims)))

    def dim(self, a: Atom, b: Atom) -> Dim:
        """One dimension for two: known to be equal, or an out."""
        x, y = atom_dim(a), atom_dim(b)
        if x is y or (isinstance(x, int) and x == y):
            return x
        for known, branch in ((x, self.two), (y, self.one)):
            if self._outer(known) and branch.builder.same_size(x, y):
                return known
        forms = [branch.builder.known_form(atom) for branch, atom in ((self.one, a), (self.two, b))]
        if forms[0] == forms[1] and all(self._outer(var) for var, _ in forms[0].terms):
            return atom_dim(atom_of_form(self.reader.builder, forms[0]))
        for (one, two), out in zip(self.pairs, self.outs, strict=True):
            if one is a and two is b:
                return out
        out = self.pair(a, b, self.out("size", SIZE))
        self.reader.builder.know_size(out)
        return out

    def _outer(self, dim: Dim) -> bool:
        return isinstance(dim, int) or not (dim in self.local[0] or dim in self.local[1] or dim in self.outs)

    def container(self, a: Any, b: Any, name: str) -> Abstract:
        one, two = self.one.state.heap[a], self.two.state.heap[b]
        message = Missing(f"{shown(name)} is a {type(a).__name__[:-3].lower()} of another structure on each path")
        ref: Any
        if isinstance(a, ListRef):
            same = one is two or isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two)
            found = None if same else unite(self, one, two)
            if not same and found is None:
                return message
            ref = ListRef(owner="another list, on one path")
            self.reader.heap[ref] = self.contents(ref, one, two) if found is None else found
        elif set(one) != set(two) or a.kind is not b.kind:
            return message
        else:
            ref = type(a)(owner="another one, on one path", kind=a.kind)
            self.reader.heap[ref] = self.contents(ref, one, two)
        for each in (ref, a, b):
            each.merged = True
        return ref

    def missing(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        """A name that is bound on one path only: a flag says whether it is."""
        for value in (a, b):
            if isinstance(value, Missing) and not value.unset and value.test is None:
                return value
        bound = [_bound(value) for value in (a, b)]
        values = [value.value if isinstance(value, Missing) else value for value in (a, b)]
        if all(value is None for value in values):
            return a
        if values[0] is None:
            values[0] = self.placeholder(self.one, self.two, values[1])
        elif values[1] is None:
            values[1] = self.placeholder(self.two, self.one, values[0])
        if any(value is None for value in values):
            return Missing(_unbound(name).what, "what it would be on the other paths is not known")
        joined = self.join(values[0], values[1], name)
        if name == RESULT or isinstance(joined, Missing):
            return joined
        flag = self.scalar(bound[0], bound[1], f"{name}_is_set")
        return Missing(f"{shown(name)} is not assigned on every path", test=as_atom(self.reader, flag), value=joined)

    def placeholder(self, empty: Branch, full: Branch, value: Abstract) -> Abstract:
        """Zeros for a value that the other branch has."""
        return placeholder(self.reader, empty, full, value, self._outer)


def placeholder(reader: Reader, empty: Branch, full: Branch, value: Abstract, outer: Any) -> Abstract:
    """Zeros of the type of a value that `full` has, for `empty` (none where a size is unknown there); None for what is no number or array."""
    if is_number(value):
        return type(value)(0)
    if is_atom(value):
        return Literal({"b": False, "i": 0, "f": 0.0, "c": 0j}[value.type.dtype.kind], value.type)
    if isinstance(value, tuple):
        items = [placeholder(reader, empty, full, item, outer) for item in value]
        return None if any(item is None for item in items) else remake(value, items)
    if isinstance(value, View):
        with reader.inside(full):
            type_ = load(reader, value).type
        with reader.inside(empty):
            zero = Value(reader.builder, Literal({"b": False, "i": 0, "f": 0.0, "c": 0j}[type_.dtype.kind], Array(type_.dtype)))
            return new_array(reader, zero.broadcast_to(tuple(dim if outer(dim) else 0 for dim in type_.shape), ()).atom)
    return None


def _bound(value: Abstract) -> Abstract:
    if not isinstance(value, Missing):
        return True
    return False if value.test is None else value.test


def _unbound(name: str) -> Missing:
    return Missing(f"{shown(name)} is not assigned on every path", unset=True)


def _misfit(a: Value, b: Value) -> str:
    if a.ndim != b.ndim:
        return "its number of dimensions would be known only at run time"
    return "its dtype would be known only at run time" if a.dtype != b.dtype else ""
