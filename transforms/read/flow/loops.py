"""`Carry`: what a loop carries from trip to trip, found by a fixed point on structure and types.

    s = 0                     first guess: nothing carried that is known (s is the number 0)
    for i in range(n):        the body gives s = f8: so s must be carried, as f8
        s = s + x[i]          second reading, with s: f8, gives f8: done

A leaf is found by its path: ('s',) for a name, (cell,) for a storage that exists before the loop, with the numbers of
tuple items, view operands and dimensions behind. What can't be carried becomes a `Missing`: an error only if used.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import libcst as cst

from s2s.errors import Location
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import note, types_of
from s2s.transforms.read.flow.merge import _plain, _same_kind, _shown, atom_of_form, converted, joined_type, same_static
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import retyped
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import State, bound_in
from s2s.transforms.read.storage.access import is_zero_dim, load
from s2s.transforms.read.storage.cells import note_aliases
from s2s.transforms.read.storage.exchange import label, separate
from s2s.transforms.read.storage.growing import grown, item_type
from s2s.transforms.read.storage.loop_exchanges import PLACE, LoopExchanges
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.syntax.frame import BROKE, RESULT, RETURNED, SIGNALS
from s2s.transforms.read.syntax.scope import Names
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DictRef,
    ListRef,
    Missing,
    ObjectRef,
    Part,
    Ref,
    View,
    is_atom,
    is_number,
    remake,
    same_structure,
    scalar_type,
)
from s2s.transforms.read.wrapping import as_atom
from s2s.transforms.read.zero_dim import is_member, kinds
from s2s.types import BOOL, SIZE, Array, Atom, Dim, Literal, Var, dim_atom


@dataclass(frozen=True)
class Leaf:
    """How a leaf is carried. `kind`: 'scalar', 'array' (a name's whole content), 'content' (a storage's), 'maybe' (not yet bound).

    A dimension given by a path is carried itself.
    """

    kind: str
    name: str
    type: Array
    shape: tuple[Dim | Path, ...] = ()
    either: bool = False
    """A scalar that is an array without axes in some trips, a NumPy scalar in others."""
    member: bool = False
    """A number that is a member of an enumeration in some trips."""


class Carry:
    """The plan of one loop. `begin` a reading of the body, `end` it (False: read again), then `init`, `outs`, `finish`."""

    def __init__(self, reader: Reader, node: cst.CSTNode, names: Names, early: bool) -> None:
        self.reader, self.node, self.early = reader, node, early
        self.before: State = reader.state().copy()
        signals = (RETURNED, RESULT, BROKE) if early else ()
        self.names = tuple(sorted(names - reader.frame.scope.shared)) + signals
        self.refs = tuple(reader.heap)
        self.plan: dict[Path, Leaf] = dict(reader.session.attempts.get((node, reader.frame.name), {}))
        self.plan = {path: leaf for path, leaf in self.plan.items() if not any(isinstance(part, Cell | Ref) for part in path) and leaf.kind == "scalar"}
        self.plan = {path: self._with_initial(path, leaf) for path, leaf in self.plan.items() if self._fits_initial(path)}
        self.may_grow = True
        self.runs_once = False
        """Whether there surely is a first trip: what each trip binds is bound behind the loop then."""
        self.sure: frozenset[Path] = frozenset()
        self.poison: dict[Path, str] = {}
        self.templates: dict[Path, Abstract] = {}
        """For a name that is first bound in the loop, a value of its structure."""
        self.cells: dict[Path, Cell] = {}
        self.containers: set[Path] = set()
        """Names that are bound to another list, dict or object of the same structure in each trip."""
        self.exchanges = LoopExchanges(self)
        self.groups: list[tuple[Cell, ...]] = []
        self.vars: dict[Path, Var] = {}
        self.found: dict[Path, Abstract] = {}
        self.results: tuple[Atom, ...] = ()
        self.changed = False
        self.index: Var | None = None
        self.heads: dict[Path, Abstract] = {}
        self.rounds = 0

    def _fits_initial(self, path: Path) -> bool:
        if len(path) != 1:
            return False
        value = self.before.names.get(path[0])
        return is_atom(value) or is_number(value)

    def _with_initial(self, path: Path, leaf: Leaf) -> Leaf:
        return replace(leaf, type=self._joined(scalar_type(self.before.names[path[0]]), leaf.type))

    def prepare(self) -> None:
        """Before the body is read (again): lists that were seen to grow become arrays."""
        self.exchanges.agree_on_sizes()
        if not self.may_grow:
            return
        growing = [(k, ref) for k, ref in enumerate(self.refs) if ref in self.reader.session.growing and isinstance(self.reader.heap[ref], tuple)]
        for number, ref in growing:
            origin = (self.reader.builder.where, number)
            self.reader.heap[ref] = grown(self.reader, self.reader.heap[ref], self.reader.session.growing[ref], origin=origin)
        if growing:
            self.before, self.refs = self.reader.state().copy(), tuple(self.reader.heap)

    def forbid_growth(self) -> None:
        """Its trips are known and few: a list that grows is better read trip by trip."""
        self.may_grow = False

    def must_prepare(self) -> bool:
        """Whether a list was seen to grow that is no array yet."""
        growing = self.reader.session.growing
        return self.may_grow and any(ref in growing and isinstance(self.before.heap[ref], tuple) for ref in self.refs)

    # ---- a reading of the body ------------------------------------------------------------------------------------------

    def begin(self, index: Var | None) -> tuple[Var, ...]:
        """Set the state at the start of a trip; the carried variables."""
        self.index, self.rounds = index, self.rounds + 1
        self.vars, self.found = {}, {}
        self.start_place: Location = self.reader.builder.where
        self._make_vars(self.vars, bound=False)
        self._install(self.vars)
        for path, var in self.vars.items():
            self._doubt(path, var, {self.plan[path].type})
        for signal in SIGNALS:
            self.reader.frame.names[signal] = False  # the test of the While has seen to that
        for var in self.vars.values():
            if var.type == SIZE and any(var in other.type.shape for other in self.vars.values()):
                self.reader.builder.know_size(var)
        self.start = self.reader.state().copy()
        return (*((index,) if index is not None else ()), *self.vars.values())

    def _make_vars(self, into: dict[Path, Var], *, bound: bool) -> None:
        for path, leaf in self.plan.items():
            shape = tuple(into[dim] if isinstance(dim, tuple) else dim for dim in leaf.shape)
            into[path] = Var(_plain(leaf.name), Array(leaf.type.dtype, shape, leaf.type.weak))
            self.reader.named.add(into[path])
            if leaf.either:
                self.reader.session.either.add(into[path])
            if leaf.member:
                self.reader.session.members.add(into[path])

    def _install(self, variables: dict[Path, Var]) -> None:
        """Put the carried variables where the names and storages of before the loop stand."""
        reader = self.reader
        for ref in self.refs:
            content = self.before.heap[ref]
            reader.heap[ref] = variables.get((ref,), content) if isinstance(ref, Cell) else self._contents((ref,), ref, content, variables)
        for name in self.names:
            reader.frame.names[name] = self._head(self.before.names.get(name, _unbound(name)), (name,), variables)
        for cells in self.groups:
            note_aliases(reader, *cells)
        reader.parked = self.exchanges.parked(variables)

    def _contents(self, path: Path, ref: Ref, content: Any, variables: dict[Path, Var]) -> Any:
        if isinstance(ref, ListRef):
            if not isinstance(content, tuple):
                return content
            return tuple(self._head(item, (*path, k), variables) for k, item in enumerate(content))
        return {key: self._head(item, (*path, key), variables) for key, item in content.items()}

    def _head(self, value: Abstract, path: Path, variables: dict[Path, Var]) -> Abstract:
        """A value with its carried leaves replaced."""
        if path in self.poison:
            return Missing(self.poison[path])
        leaf = self.plan.get(path)
        if leaf is not None:
            if leaf.kind == "scalar":
                return variables[path]
            if leaf.kind == "array":
                cell = self.cells.setdefault(path, Cell(leaf.name, contiguous=False))
                self.reader.heap[cell] = variables[path]
                return View(cell)
            inner = (*path, "value")
            first = value.value if isinstance(value, Missing) and value.test is not None else self.templates[inner]
            bound = self._head(first, inner, variables)
            return bound if path in self.sure else Missing(_unbound(str(path[-1])).what, test=variables[path], value=bound)
        if path in self.templates:
            value = self.templates[path]
        if path in self.containers:
            ref = type(value)("another container, in some trip") if isinstance(value, ListRef) else type(value)("another container, in some trip", value.kind)
            self.reader.heap[ref] = self._contents(path, value, self.before.heap[value], variables)
            return ref
        if isinstance(value, tuple):
            return remake(value, [self._head(item, (*path, k), variables) for k, item in enumerate(value)])
        if isinstance(value, View):
            return View(value.cell, tuple(self._head_step(step, (*path, k), variables) for k, step in enumerate(value.steps)))
        return value

    def _head_step(self, step: Any, path: Path, variables: dict[Path, Var]) -> Any:
        if not isinstance(step, Part):
            return step
        return Part(step.index, tuple(variables.get((*path, k), atom) for k, atom in enumerate(step.operands)), step.where)

    # ---- the end of a reading --------------------------------------------------------------------------------------------

    def end(self, following: Atom | None) -> bool:
        """Compare with the start; True if nothing more must be carried, and `results` are the next trip's values."""
        reader, self.changed = self.reader, False
        if reader.raised:
            reader.restore(self.start)  # such a trip never ends
        locals_ = bound_in(reader.builder)
        self.outer = lambda dim: isinstance(dim, int) or (dim not in locals_ and dim not in self.vars.values())
        self._find_hidden()
        self.exchanges.find()
        exchanged = self.exchanges.all_bases()
        for ref in self.refs:
            if ref not in reader.parked and ref not in exchanged:
                self._compare_content(ref)
        for name in self.names:
            if name in reader.frame.names:
                self._compare(self.start.names[name], reader.frame.names[name], (name,), name)
        self._group_aliases()
        if self.changed:
            if self.rounds > 20:
                raise reader.unsupported("a loop whose variables change their structure or size in every trip", "keep their shapes the same")
            return False
        results = [self._result(path) for path in self.plan]
        self.results = (*((following,) if following is not None else ()), *results)
        reader.session.attempts[(self.node, reader.frame.name)] = dict(self.plan)
        return True

    def _find_hidden(self) -> None:
        """Arrays from outside that the body was the first to store into."""
        found = tuple(ref for ref in self.reader.heap if isinstance(ref, Cell) and ref.initial is not None and ref not in self.refs)
        if found:
            self.refs += found
            self.changed = True

    def add_place(self, path: Path) -> None:
        """Carry which of the arrays that change places is at a path."""
        self._add((*path, PLACE), Leaf("scalar", f"{label(path)}_place", SIZE))

    def _compare_content(self, ref: Any) -> None:
        now, head = self.reader.heap[ref], self.start.heap[ref]
        if now is head:
            if (ref,) in self.plan:
                self.found[(ref,)] = now
            elif isinstance(ref, ListRef | DictRef | ObjectRef):
                for path in self.plan:
                    if path[0] is ref and len(path) == 2:
                        self.found[path] = head[path[1]]
            return
        if isinstance(ref, Cell):
            if (ref,) not in self.plan:
                self._add((ref,), Leaf("content", ref.name, head.type, head.type.shape))
            else:
                self.found[(ref,)] = now
                self._same_dims((ref,), now, ref.name)
            return
        if not isinstance(now, tuple | dict):  # a list that grows: its storages are carried, if it is one from the start
            if isinstance(head, tuple) and not self.may_grow:
                raise self.reader.unsupported("a list that grows in a loop in a loop of few trips", "np.zeros(n) before the loops, and stores into it")
            self.changed |= isinstance(head, tuple)
            return
        keys = _keys(now)
        if keys != _keys(head):
            type_ = item_type(self.reader, now) if isinstance(ref, ListRef) and self.may_grow else None
            if type_ is not None and all(self.outer(dim) for dim in type_.shape):
                self.reader.session.growing[ref] = type_
                self.changed = True
                return
            raise self.reader.unsupported(
                "a list or dict that grows in a loop whose trip count is known only at run time",
                "allocate an array before the loop (np.empty(n)) and store into it",
            )
        for key in keys:
            self._compare(head[key], now[key], (ref, key), str(key) if isinstance(key, str) else "item")

    def _add(self, path: Path, leaf: Leaf) -> None:
        self.plan.pop(path, None)
        self.plan[path] = leaf
        self.changed = True

    def _compare(self, head: Abstract, end: Abstract, path: Path, name: str) -> None:
        """Note what must be carried for a value that was `head` at the start of the trip and is `end` at its end."""
        if path in self.poison or (isinstance(end, Missing) and end.failed):
            return  # a failed statement is reported, or read again with what is carried by then
        leaf = self.plan.get(path)
        if leaf is not None:
            self._compare_carried(leaf, head, end, path)
        elif same_static(self.reader, head, end):
            return
        elif self._is_scalar(head) and self._is_scalar(end) and not (isinstance(head, View) and isinstance(end, View)):
            type_ = self._joined(self._scalar_type(head), self._scalar_type(end))
            self._add(path, Leaf("scalar", name, type_, either=self._is_either(head) or self._is_either(end), member=self._is_member(head, end)))
        elif isinstance(head, View) and isinstance(end, View):
            self._compare_views(head, end, path, name)
        elif isinstance(head, Ref) and type(head) is type(end) and self._same_keys(head, end):
            self._compare_containers(head, end, path, name)
        elif same_structure(head, end):
            for k, (x, y) in enumerate(zip(head, end, strict=True)):
                self._compare(x, y, (*path, k), name)
        elif isinstance(end, Missing) and end.test is None and not end.unset:
            self._poison(path, end.what)
        elif isinstance(head, Missing):
            bound = end.value if isinstance(end, Missing) else end
            if head.test is not None and end is not head:
                self._add(path, Leaf("maybe", f"{name}_is_set", Array(BOOL)))
                self._compare(head.value, bound, (*path, "value"), name)
            elif head.unset and not (isinstance(end, Missing) and end.unset):
                self._compare_unbound(bound, path, name)
        elif isinstance(end, Missing):
            self._poison(path, end.what)
        else:
            self._poison(path, f"{name!r} changes from {describe(self.reader, head)} to {describe(self.reader, end)} in a loop")

    def _is_scalar(self, value: Abstract) -> bool:
        return is_atom(value) or is_number(value) or is_zero_dim(self.reader, value)

    def _scalar_type(self, value: Abstract) -> Array:
        return load(self.reader, value).type if isinstance(value, View) else scalar_type(value)

    def _is_member(self, *values: Abstract) -> bool:
        return any(is_member(self.reader, value) for value in values)

    def _is_either(self, value: Abstract) -> bool:
        """Whether a scalar may be an array without axes."""
        return True in kinds(self.reader, value)

    def _same_keys(self, head: Ref, end: Ref) -> bool:
        same_kind = isinstance(head, ListRef) or head.kind is end.kind  # type: ignore[attr-defined]
        return same_kind and _keys(self._content_of(head)) == _keys(self.reader.heap[end])

    def _content_of(self, head: Ref) -> Any:
        """What a container held at the start of the trip."""
        return self.start.heap.get(head, self.reader.heap.get(head))

    def _compare_containers(self, head: Ref, end: Ref, path: Path, name: str) -> None:
        if path not in self.containers:
            self.containers.add(path)
            self.changed = True
        old, new = self._content_of(head), self.reader.heap[end]
        for key in _keys(new):
            self._compare(old[key], new[key], (*path, key), str(key) if isinstance(key, str) else name)

    def _poison(self, path: Path, what: str) -> None:
        self.poison[path] = what
        self.changed = True

    def _doubt(self, path: Path, var: Var, types: Iterable[Array]) -> None:
        """Note the types that a carried scalar may have: that of before the loop, unless there surely is a trip, and those of trips' ends."""
        if self.plan[path].kind != "scalar" or len(path) != 1 or path[0] in SIGNALS:
            return
        before = self.value_before(path)
        if not (is_atom(before) or is_number(before)):
            return
        sure = self.runs_once and var is not self.vars.get(path)
        first = frozenset() if sure else types_of(self.reader.builder, as_atom(self.reader, before))
        note(self.reader.builder, var, first | frozenset(types))

    def _joined(self, a: Array, b: Array) -> Array:
        joined = joined_type(a, b)
        assert joined is not None
        return joined

    def _compare_views(self, head: View, end: View, path: Path, name: str) -> None:
        if head.cell is end.cell and _same_kind(head.steps, end.steps):
            for k, (x, y) in enumerate(zip(head.steps, end.steps, strict=True)):
                if isinstance(x, Part) and isinstance(y, Part):
                    for j, (a, b) in enumerate(zip(x.operands, y.operands, strict=True)):
                        if (*path, k, j) in self.plan or a != b:
                            self._compare(a, b, (*path, k, j), name)
            return
        type_ = load(self.reader, head).type
        self._add(path, Leaf("array", name, type_, type_.shape))

    def _compare_unbound(self, end: Abstract, path: Path, name: str) -> None:
        """A name that is bound in the loop for the first time: carried with a flag, from zeros."""
        inner = path if name == RESULT else (*path, "value")
        if not self._add_template(end, inner, name):
            self._poison(path, f"{_shown(name)} is first assigned inside a loop, and used after it or in a later trip")
            return
        self.templates[inner] = end
        if name != RESULT:
            self._add(path, Leaf("maybe", f"{name}_is_set", Array(BOOL)))

    def _add_template(self, end: Abstract, path: Path, name: str) -> bool:
        """Carry every leaf of a value that the loop makes; False if that is not possible."""
        if is_atom(end) or is_number(end):
            self._add(path, Leaf("scalar", name, scalar_type(end), either=self._is_either(end), member=self._is_member(end)))
            return True
        if isinstance(end, View):
            type_ = load(self.reader, end).type
            shape = tuple(dim if self.outer(dim) else (*path, "dim", axis) for axis, dim in enumerate(type_.shape))
            for place in shape:
                if isinstance(place, tuple):
                    self._add(place, Leaf("scalar", f"{name}_size", SIZE))
            self._add(path, Leaf("array", name, type_, shape))
            return True
        if isinstance(end, tuple):
            return min(map(bool, [self._add_template(item, (*path, k), name) for k, item in enumerate(end)]), default=True)
        return isinstance(end, str | type(None))

    def _compare_carried(self, leaf: Leaf, head: Abstract, end: Abstract, path: Path) -> None:
        if leaf.kind == "maybe":
            self._compare_maybe(head, end, path, leaf)
            return
        if isinstance(end, Missing):
            if not end.unset and end.test is None:
                self._poison(path, end.what)
            self.found[path] = end.value if end.test is not None else head
            return
        if leaf.kind == "scalar":
            if not self._is_scalar(end):
                self._poison(path, f"{leaf.name!r} changes from a number to {describe(self.reader, end)} in a loop")
                return
            type_, either = self._joined(leaf.type, self._scalar_type(end)), leaf.either or self._is_either(end)
            member = leaf.member or self._is_member(end)
            if type_ != leaf.type or either != leaf.either or member != leaf.member:
                self._add(path, replace(leaf, type=type_, either=either, member=member))
            self.found[path] = end
            return
        if leaf.kind == "array" and not leaf.type.shape and (is_atom(end) or is_number(end)):
            self._add(path, Leaf("scalar", leaf.name, self._joined(leaf.type, scalar_type(end)), either=True))
            self.found[path] = end
            return
        loaded = load(self.reader, end) if isinstance(end, View) else None
        if loaded is None or loaded.ndim != leaf.type.ndim or loaded.dtype != leaf.type.dtype:
            self._poison(path, f"{leaf.name!r} changes from {leaf.type} to {describe(self.reader, end)} in a loop")
            return
        self.found[path] = end
        self._same_dims(path, loaded.atom, leaf.name)

    def _compare_maybe(self, head: Abstract, end: Abstract, path: Path, leaf: Leaf) -> None:
        inner = (*path, "value")
        if isinstance(end, Missing):
            self.found[path] = end.test if end.test is not None else False
            value = end.value if end.test is not None else head.value
        else:
            self.found[path], value = True, end
        self._compare(head.value, value, inner, leaf.name)

    def _same_dims(self, path: Path, now: Atom, name: str) -> None:
        """A dimension that is another one at the end of the trip is carried."""
        leaf = self.plan[path]
        shape = list(leaf.shape)
        for axis, (dim, own) in enumerate(zip(shape, now.type.shape, strict=True)):
            if isinstance(dim, tuple):
                self.found[dim] = dim_atom(own)
            elif not self.reader.builder.same_size(dim, own):
                shape[axis] = (*path, "dim", axis)
                self._add((*path, "dim", axis), Leaf("scalar", f"{name}_size", SIZE))
        if tuple(shape) != leaf.shape:
            self._add(path, replace(leaf, shape=tuple(shape)))

    def _group_aliases(self) -> None:
        """What may be the same storage at the start of a trip: what was so before the loop, or at the end of a trip."""
        tracked: list[tuple[Cell, Cell, Cell]] = [(ref, ref, ref) for ref in self.refs if isinstance(ref, Cell)]
        for path, cell in self.cells.items():
            before, end = self.value_before(path), self.found.get(path)
            if isinstance(before, View) or isinstance(end, View):
                first = before.cell if isinstance(before, View) else cell
                tracked.append((cell, first, end.cell if isinstance(end, View) else cell))

        before = frozenset(self.refs)

        def other_known(one: Cell, two: Cell) -> bool:
            return one in before and two in before and not separate(one, two, self.before)

        now = self.reader.state()
        for number, (one, first, last) in enumerate(tracked):
            for two, other_first, other_last in tracked[:number]:
                if one is two or other_known(one, two) or self.exchanges.know(one, two):
                    continue
                met = not separate(first, other_first, self.before) or not separate(last, other_last, now)
                if met and (two, one) not in self.groups:
                    self.groups.append((two, one))
                    self.changed = True

    def _result(self, path: Path) -> Atom:
        """The next trip's value of a leaf, as an atom of its type."""
        leaf, end = self.plan[path], self.found.get(path)
        if leaf.kind in ("scalar", "maybe"):
            if end is None:
                end = self.vars[path]
            return converted(self.reader, end, leaf.type)
        value = load(self.reader, end) if isinstance(end, View) else self.reader.value(self.vars[path] if end is None else end)
        return self._fitted(value, leaf)

    def _fitted(self, value: Any, leaf: Leaf) -> Atom:
        wanted = tuple(own if isinstance(dim, tuple) else dim for dim, own in zip(leaf.shape, value.shape, strict=True))
        with building(self.reader.builder):
            return retyped(value, wanted).atom

    # ---- the loop itself -----------------------------------------------------------------------------------------------

    def flags(self) -> list[Atom]:
        """The carried flags that end the loop."""
        return [self.vars[(signal,)] for signal in (BROKE, RETURNED) if (signal,) in self.vars]

    def init(self, index: Atom | None) -> tuple[Atom, ...]:
        """What is carried into the first trip."""
        reader, result = self.reader, [index] if index is not None else []
        for path, leaf in self.plan.items():
            result.append(self._initial(path, leaf))
        del reader
        return tuple(result)

    def _initial(self, path: Path, leaf: Leaf) -> Atom:
        reader = self.reader
        if path[-1] == PLACE:
            return self.exchanges.initial_place(path[:-1])
        if leaf.kind == "maybe":
            before = self.value_before(path)
            return as_atom(reader, False if not isinstance(before, Missing) or before.test is None else before.test)
        if len(path) > 2 and path[-2] == "dim":
            if isinstance(self.value_before(path[:-2]), Missing):
                return Literal(0, SIZE)
            return dim_atom(self._array_before(path[:-2]).shape[path[-1]])
        before = self.value_before(path)
        if leaf.kind == "scalar":
            if isinstance(before, Missing):
                return Literal({"b": False, "i": 0, "f": 0.0, "c": 0j}[leaf.type.dtype.kind], leaf.type)
            return converted(reader, before, leaf.type)
        if isinstance(before, Missing):
            zero = reader.value(Literal({"b": False, "i": 0, "f": 0.0, "c": 0j}[leaf.type.dtype.kind], Array(leaf.type.dtype)))
            return zero.broadcast_to(tuple(0 if isinstance(dim, tuple) else dim for dim in leaf.shape), ()).atom
        return self._fitted(self._array_before(path), leaf)

    def _array_before(self, path: Path) -> Any:
        before = self.value_before(path)
        return load(self.reader, before) if isinstance(before, View) else self.reader.value(before)

    def value_before(self, path: Path) -> Abstract:
        """The value at a path before the loop."""
        first, *rest = path
        if isinstance(first, str):
            value = self.before.names.get(first, _unbound(first))
        elif isinstance(first, Cell):
            return self.before.heap[first]
        else:
            value = self.before.heap[first]
        while rest:
            key = rest.pop(0)
            if isinstance(value, Missing) and value.test is None:
                return value  # not bound before the loop: zeros
            if key == "value":
                value = value.value if isinstance(value, Missing) and value.test is not None else _unbound(str(first))
            elif isinstance(value, Ref):
                value = self.before.heap[value][key]
            elif isinstance(value, View):
                value = value.steps[key].operands[rest.pop(0)]  # type: ignore[union-attr]
            else:
                value = value[key]
        return value

    def outs(self) -> tuple[Var, ...]:
        """The loop's outs."""
        self.out_vars: dict[Path, Var] = {}
        self._make_vars(self.out_vars, bound=True)
        index = (Var("index", self.index.type),) if self.index is not None else ()
        return (*index, *self.out_vars.values())

    def finish(self, outs: tuple[Var, ...]) -> None:
        """The state behind the loop."""
        del outs
        if self.runs_once:
            self.sure = frozenset(path for path, leaf in self.plan.items() if leaf.kind == "maybe" and self.found.get(path) is True)
        self._install(self.out_vars)
        for path, var in self.out_vars.items():
            end = self.found.get(path)
            if is_atom(end) or is_number(end):
                self._doubt(path, var, types_of(self.reader.builder, as_atom(self.reader, end)))
        for var in self.out_vars.values():
            if var.type == SIZE and any(var in other.type.shape for other in self.out_vars.values()):
                self.reader.builder.know_size(var)


def _keys(content: Any) -> list[Any]:
    return list(content) if isinstance(content, dict) else list(range(len(content)))


def _unbound(name: str) -> Missing:
    return Missing(f"{name!r} is not assigned on every path" if not name.startswith("%") else "the function may end without a return", unset=True)


__all__ = ["SIGNALS", "Carry", "Leaf", "atom_of_form"]
