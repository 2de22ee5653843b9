"""`TripEnd`: the end of a trip beside its start. What differs is carried from the next reading of the body on.

    s = 0                     start: s is the number 0
    for i in range(n):
        s = s + x[i]          end: s is an f8, so that ('s',) is carried, as f8
"""
from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from s2s.transforms.read.composed.records import Record
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import RunTimeKeys, ToBePooled
from s2s.transforms.read.flow.agreement import (
    converted,
    is_scalar,
    may_be_boxed,
    may_be_member,
    same_static,
    same_steps,
    shown,
    type_of_scalar,
)
from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.leaves import KIND, NUMBER, OPTION, PLACE, VALUE, Leaf, Leaves, fitted
from s2s.transforms.read.flow.loops.lists import Carried, as_carried, as_view, can_be_carried, is_list, type_of_list
from s2s.transforms.read.flow.loops.selections import LoopSelections
from s2s.transforms.read.flow.loops.widening import Widening, joined
from s2s.transforms.read.flow.options import ABSENT, MOST, alternatives, is_runtime_kind, place_among
from s2s.transforms.read.known_sets import stand_alike
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import places_of, refuse_growth
from s2s.transforms.read.state import State, bound_in
from s2s.transforms.read.storage import pools, ragged
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.plans import of_any_length, refused
from s2s.transforms.read.storage.shapes_of_items import common, types_in
from s2s.transforms.read.storage.tables import note_kept
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.syntax.frame import ERROR_PARTS, RESULT
from s2s.transforms.read.unset_attributes import in_one_order, with_unset
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DictRef,
    IteratorRef,
    ListRef,
    Missing,
    ObjectRef,
    OneOf,
    Part,
    Pooled,
    Ref,
    SetRef,
    View,
    is_atom,
    is_number,
    is_text,
    same_structure,
    scalar_type,
    storages_of,
)
from s2s.types import BOOL, SIZE, Array, Atom, Dim, Var


class TripEnd:
    """One reading's end. `index`: what a For counts; `found`: what each leaf is there. `may_grow`: a list that grows may become an array."""

    def __init__(self, reader: Reader, before: Before, leaves: Leaves, start: State, variables: dict[Path, Var], *, index: Var | None, may_grow: bool) -> None:
        self.reader, self.before, self.leaves, self.start, self.variables, self.may_grow = reader, before, leaves, start, variables, may_grow
        self.found: dict[Path, Abstract] = {}
        self.around: set[tuple[Ref, Ref]] = set()
        """The pairs of containers that are being compared, each in the one before it."""
        self.widening = Widening(reader, before, leaves, self.found)
        self._is_outer = partial(_is_outer, bound_in(reader.builder) | set(variables.values()) | ({index} if index is not None else set()))
        self.selections = LoopSelections(reader, leaves, before.cells, self.found, self._is_outer)

    def compare(self, exchanged: set[Cell]) -> None:
        """All names and storages, but for those of which exchanges tell."""
        now, head, planned = self.reader.heap, self.start.heap, {path[0] for path in self.leaves.plan}
        for ref in self.before.refs:
            if (now[ref] is not head[ref] or ref in planned) and ref not in self.reader.parked and ref not in exchanged:
                self._compare_content(ref)
        for name in self.before.names:
            if name in self.reader.frame.names:
                self._compare(self.start.names[name], self.reader.frame.names[name], (name,), name)

    def next(self, path: Path) -> Atom:
        """The next trip's value of a leaf, as an atom of its type."""
        leaf, end = self.leaves.plan[path], self.found.get(path)
        if end is None:
            end = self.variables[path]
        if leaf.kind in ("scalar", "maybe"):
            return converted(self.reader, end, leaf.type)
        return fitted(self.reader, load(self.reader, end) if isinstance(end, View) else self.reader.value(end), leaf)

    # ---- containers and storages ---------------------------------------------------------------------------------------

    def _compare_content(self, ref: Any) -> None:
        now, head = self.reader.heap[ref], self.start.heap[ref]
        if now is head:
            self._note_unchanged(ref, now)
        elif isinstance(ref, Cell):
            if (ref,) not in self.leaves.plan:
                self.leaves.add((ref,), Leaf("content", ref.name, head.type, head.type.shape))
            self.found[(ref,)] = now
            self.widening.dims((ref,), now, ref.name)
        elif not isinstance(now, tuple | dict):  # a list that grows: its storages are carried, if it is one from the start
            if isinstance(head, tuple) and not self.may_grow:
                raise self.reader.unsupported("a list that grows in a loop in a loop of few trips", "np.zeros(n) before the loops, and stores into it")
            self.leaves.changed |= isinstance(head, tuple)
        elif isinstance(ref, ObjectRef):
            self._compare_attributes(ref, head, now)
        elif keys_of(now) != keys_of(head) or isinstance(ref, SetRef) and not stand_alike(head, now):
            self._grow(ref, head, now)
        else:
            self._compare_items(head, now, (ref,), "item")

    def _compare_attributes(self, ref: ObjectRef, head: Any, now: Any) -> None:
        """What an object holds; what a trip is the first to set was not set before."""
        new = {name: None for name in now if name not in head}
        if new:
            self.reader.session.unset[ref] = self.reader.session.unset.get(ref, {}) | new
            self.leaves.changed = True
        if ref.kind is Record and in_one_order(head, now) is None:
            raise self.reader.unsupported("a dict whose keys change their order in a loop", "stores into keys that stay")
        now = with_unset(ref.kind, now, head)
        self._compare_items(head, {name: now[name] for name in head}, (ref,), "item")

    def _note_unchanged(self, ref: Any, now: Any) -> None:
        """What a storage or container holds that the trip left alone."""
        if (ref,) in self.leaves.plan:
            self.found[(ref,)] = now
        elif isinstance(ref, ListRef | DictRef | ObjectRef):
            for path in [path for path in self.leaves.plan if path[0] is ref and len(path) == 2]:
                item = now[path[1]]
                if path not in self.leaves.lists or not self._is_other_list(item, item, path, self.leaves.plan[path].name):
                    self.found[path] = item

    def _grow(self, ref: Any, head: Any, now: Any) -> None:
        """A container with other keys: a list whose items are of one type becomes an array."""
        type_ = common(self.reader, now or head, mixed=True) if isinstance(ref, ListRef) and self.may_grow else None
        if type_ is None or not all(self._is_outer(dim) for each in types_in(type_) for dim in each.shape):
            refusal = self.reader.unsupported(
                "a list or dict that grows in a loop whose trip count is known only at run time",
                "allocate an array before the loop (np.empty(n)) and store into it",
            )
            if isinstance(ref, ListRef) and self.may_grow:
                items = [each for content in (head, now) if isinstance(content, tuple) for each in content]
                refusal = of_any_length(self.reader, refused(self.reader, refusal, *items), ragged.types_of_arrays(self.reader, *items))
            raise refuse_growth(self.reader, ref, (*head, *now) if isinstance(ref, DictRef) else (), refusal)
        self.reader.session.growing[ref] = type_
        note_kept(self.reader, *now)
        self.leaves.changed = True

    def _compare_containers(self, head: Ref, end: Ref, path: Path, name: str) -> None:
        if (head, end) in self.around:
            raise refused(self.reader, self.reader.unsupported(f"{name!r}, which holds itself, and is another one in each trip", "arrays, and the number of each"), head, end)
        self.leaves.add_container(path)
        self.around.add((head, end))
        self._compare_items(self._content_of(head), self.reader.heap[end], path, name)
        self.around.remove((head, end))

    def _compare_items(self, old: Any, new: Any, path: Path, name: str) -> None:
        for key in keys_of(new):
            self._compare(old[key], new[key], (*path, key), str(key) if isinstance(key, str) else name)

    def _same_keys(self, head: Ref, end: Ref) -> bool:
        if isinstance(head, IteratorRef):
            return head is end
        same_kind = isinstance(head, ListRef) or head.kind is end.kind  # type: ignore[attr-defined]
        contents = self._content_of(head), self.reader.heap[end]
        return same_kind and all(isinstance(each, tuple | dict) for each in contents) and keys_of(contents[0]) == keys_of(contents[1])

    def _content_of(self, head: Ref) -> Any:
        """What a container held at the start of the trip."""
        return self.start.heap.get(head, self.reader.heap.get(head))

    # ---- values --------------------------------------------------------------------------------------------------------

    def _compare(self, head: Abstract, end: Abstract, path: Path, name: str) -> None:
        """Note what must be carried for a value that was `head` at the start of the trip and is `end` at its end."""
        if path in self.leaves.spoiled or (isinstance(end, Missing) and end.failed):
            return  # a failed statement is reported, or read again with what is carried by then
        if self._is_selected(head, end, path, name) or self._is_other_list(head, end, path, name):
            return
        if self._is_pooled(head, end, path, name):
            return
        leaf = self.leaves.plan.get(path)
        if path in self.leaves.kinds.found or isinstance(end, OneOf) and not isinstance(head, Missing):
            self._compare_kinds(head, end, path, name)
        elif leaf is not None:
            self._note_exchange(end, path, leaf.name)
            self._compare_carried(leaf, head, end, path)
        elif same_static(self.reader, head, end):
            return
        elif is_scalar(self.reader, head) and is_scalar(self.reader, end) and not (isinstance(head, View) and isinstance(end, View)):
            type_ = joined(type_of_scalar(self.reader, head), type_of_scalar(self.reader, end), head, end)
            self.leaves.add(path, Leaf("scalar", name, type_, either=may_be_boxed(self.reader, head, end), member=may_be_member(self.reader, head, end)))
        elif isinstance(head, View) and isinstance(end, View):
            self._compare_views(head, end, path, name)
        elif isinstance(head, Ref) and type(head) is type(end) and self._same_keys(head, end):
            self._compare_containers(head, end, path, name)
        elif same_structure(head, end):
            for k, (x, y) in enumerate(zip(head, end, strict=True)):
                self._compare(x, y, (*path, k), name)
        elif isinstance(end, Missing) and end.test is None and not end.unset:
            self.leaves.spoil_as(path, end)
        elif isinstance(head, Missing):
            self._compare_missing(head, end, path, name)
        elif isinstance(end, Missing):  # it is set before the loop, and deleted in some trips
            self.leaves.missing[path] = end
            self._compare_unbound(head, path, name)
        else:
            self._compare_kinds(head, end, path, name)

    def _is_selected(self, head: Abstract, end: Abstract, path: Path, name: str) -> bool:
        """Whether it is carried which of several storages an array is."""
        if path in self.leaves.fixed or (*path, PLACE) in self.leaves.plan:
            return False
        if path not in self.leaves.selected:
            differ = isinstance(head, View) and isinstance(end, View) and (head.cell is not end.cell or not same_steps(head.steps, end.steps))
            return differ and (self.leaves.place, name) in self.reader.session.apart and self.selections.begin(path, self.before.value(path), name)
        if isinstance(end, View) and self.selections.compare(path, head, end, name):
            return True
        self.leaves.select_no_more(path)
        return True

    def _is_pooled(self, head: Abstract, end: Abstract, path: Path, name: str) -> bool:
        """Whether it is a list or object of a pool, of which it is carried which one it is."""
        if path in self.leaves.pools and isinstance(end, Missing) or isinstance(head, Missing):
            return False
        pair = pools.beside(self.reader, head, end)
        if pair is None:
            return False
        if path not in self.leaves.pools and not (isinstance(head, Pooled) and isinstance(end, Pooled)):
            self.leaves.pools[path] = pair[0].pool
            self.leaves.add((*path, NUMBER), Leaf("scalar", name, SIZE))
        else:
            self._compare(pair[0].number, pair[1].number, (*path, NUMBER), name)
        return True

    def _is_other_list(self, head: Abstract, end: Abstract, path: Path, name: str) -> bool:
        """Whether it is a list of numbers of another length than at the start of the trip, which is carried as an array."""
        if not is_list(end) or path not in self.leaves.lists and (not is_list(head) or head is end):
            return False
        now, old = self.reader.heap[end], self._content_of(head)
        if path not in self.leaves.lists and not can_be_carried(self.reader, old, now):
            return False
        type_ = type_of_list(self.reader, old, now)
        if type_ is None:
            self.leaves.plan.pop(path, None)
            self.leaves.spoil(path, f"{name!r} changes from a list to another one of other items in a loop")
            return True
        carried = self.leaves.lists.get(path)
        origins = end.origins | (head.origins if isinstance(head, ListRef) else frozenset())
        if carried is None or carried.type != type_ or not origins <= carried.origins:
            self._carry_list(path, Carried(type_, origins), name)
        self.widening.array(self.leaves.plan[path], as_view(self.reader, as_carried(self.reader, now, self.leaves.lists[path])), path)
        return True

    def _carry_list(self, path: Path, carried: Carried, name: str) -> None:
        """Carry a list of numbers as an array."""
        self.leaves.forget_parts(path)
        self.leaves.lists[path] = self.before.lists[path] = carried
        self.leaves.add(path, Leaf("array", name, Array(carried.type.dtype, (0,)), (self.leaves.add_size(path, 0, name),)))

    def _compare_kinds(self, head: Abstract, end: Abstract, path: Path, name: str) -> None:
        """A value that is of one kind in some trips, and of another one in others."""
        leaf_kinds = self.leaves.kinds
        if not leaf_kinds.can_stand(path, head, end, self.before.refs):
            one, two = describe(self.reader, head), describe(self.reader, end)
            error = self.reader.unsupported(f"{name!r}, which is {one} or {two} in a loop", "arrays, and the number of each")
            made = places_of(self.reader, *((each, self._content_of(each)) for each in (head, end) if isinstance(each, Ref)))
            pooled = refused(self.reader, error, head, end)
            if made and not (isinstance(pooled, ToBePooled) and self._is_record_or_none(head, end)):
                raise RunTimeKeys(error, made)
            if isinstance(pooled, ToBePooled):
                raise pooled
            self.leaves.spoil(path, f"{name!r} changes from {one} to {two if one != two else 'another one of other items'} in a loop")
            return
        if path not in leaf_kinds.found:
            self.leaves.plan.pop(path, None)
            self.leaves.add((*path, KIND), Leaf("scalar", f"{name}_kind", SIZE))
            leaf_kinds.found[path] = ()
            for each in alternatives(head):
                self._add_kind(path, each, name)
        slots, places = leaf_kinds.beside(path, end)
        for number, (old, new) in enumerate(slots):
            if old is ABSENT:
                self._add_kind(path, new, name)
            elif new is not ABSENT and is_runtime_kind(old) and isinstance(head, OneOf) and number < len(head.options):
                self._compare(head.options[number], new, (*path, OPTION, number), name)
        self.found[(*path, KIND)] = place_among(self.reader, end, places)

    def _is_record_or_none(self, *values: Abstract) -> bool:
        """Whether it is None in some trips, and a dict of texts in others: `if best is None or …: best = {"loss": loss, "place": k}`."""
        dicts = [self._content_of(each) for each in values if type(each) is DictRef]
        return any(each is None for each in values) and len(dicts) == 1 and isinstance(dicts[0], dict) and bool(dicts[0]) and all(isinstance(key, str) for key in dicts[0])

    def _add_kind(self, path: Path, value: Abstract, name: str) -> None:
        inner = self.leaves.add_kind(path, value)
        if len(self.leaves.kinds.found[path]) > MOST or is_runtime_kind(value) and not self._add_template(value, inner, name):
            self.leaves.spoil(path, f"{name!r} changes its kind in a loop")
        elif is_runtime_kind(value):
            self.leaves.templates[inner] = value

    def _note_exchange(self, end: Abstract, path: Path, name: str) -> None:
        """Note that an array that somebody else sees stands here before the loop or comes here in a trip: what stands here behind it is a copy."""
        first = self.before.value(path)
        cells = [*storages_of(end.cell)] if isinstance(end, View) else []
        outer = [cell for cell in cells if cell in self.before.cells or cell.initial is not None]
        if isinstance(first, View) and (first.cell.owner is not None or first.cell.merged or self.reader.aliases.get(first.cell)):
            outer.append(first.cell)
        if any(not self._is_places_own(path, cell) for cell in outer):
            self.reader.session.exchanged.add((self.leaves.place, name))

    def _is_places_own(self, path: Path, cell: Cell) -> bool:
        """Whether it is what an attribute or item outside holds at the start of the call: the copy takes its place."""
        taken = next((each for each in self.reader.session.taken.values() if each.ref is path[0]), None)
        before = taken.before.get(path[1]) if taken is not None and isinstance(taken.before, dict) and len(path) == 2 else None
        return isinstance(before, View) and before.cell is cell

    def _compare_views(self, head: View, end: View, path: Path, name: str) -> None:
        if head.cell is not end.cell or not same_steps(head.steps, end.steps):
            self._note_exchange(end, path, name)
            type_ = load(self.reader, head).type
            self.leaves.add(path, Leaf("array", name, type_, type_.shape))
            return
        for k, (x, y) in enumerate(zip(head.steps, end.steps, strict=True)):
            if isinstance(x, Part) and isinstance(y, Part):
                for j, (a, b) in enumerate(zip(x.operands, y.operands, strict=True)):
                    if (*path, k, j) in self.leaves.plan or a != b:
                        self._compare(a, b, (*path, k, j), name)

    def _compare_missing(self, head: Missing, end: Abstract, path: Path, name: str) -> None:
        """A name that may be unbound at the start of the trip."""
        bound = end.value if isinstance(end, Missing) else end
        if head.test is not None and end is not head:
            self.leaves.add(path, Leaf("maybe", f"{name}_is_set", Array(BOOL)))
            self._compare(head.value, bound, (*path, VALUE), name)
        elif head.unset and not (isinstance(end, Missing) and end.unset):
            if name == RESULT and isinstance(bound, OneOf) and all(map(is_text, bound.options)):
                self._compare_kinds(bound.options[0], bound, path, name)  # nobody asks for it where nothing was returned
            else:
                self._compare_unbound(bound, path, name)

    def _compare_unbound(self, end: Abstract, path: Path, name: str) -> None:
        """A name that is bound in the loop for the first time: carried with a flag, from zeros."""
        inner = path if name in (RESULT, ERROR_PARTS) else (*path, VALUE)
        if not self._add_template(end, inner, name):
            self.leaves.spoil(path, f"{shown(name)} is first assigned inside a loop, and used after it or in a later trip", *((end,) if isinstance(end, Ref) else ()))
            return
        self.leaves.templates[inner] = end
        if name not in (RESULT, ERROR_PARTS):
            self.leaves.add(path, Leaf("maybe", f"{name}_is_set", Array(BOOL)))

    def _add_template(self, end: Abstract, path: Path, name: str) -> bool:
        """Carry every leaf of a value that the loop makes; False if that is not possible."""
        if is_atom(end) or is_number(end):
            self.leaves.add(path, Leaf("scalar", name, scalar_type(end), either=may_be_boxed(self.reader, end), member=may_be_member(self.reader, end)))
            return True
        if isinstance(end, View):
            type_ = load(self.reader, end).type
            shape = (dim if self._is_outer(dim) else self.leaves.add_size(path, axis, name) for axis, dim in enumerate(type_.shape))
            self.leaves.add(path, Leaf("array", name, type_, tuple(shape)))
            return True
        if isinstance(end, Pooled):
            return self._add_template(end.number, (*path, NUMBER), name)
        if isinstance(end, tuple):
            return min([self._add_template(item, (*path, k), name) for k, item in enumerate(end)], default=True)
        if isinstance(end, Ref):
            return self._add_container(end, path, name)
        if isinstance(end, OneOf):
            self._compare_kinds(end.options[0], end, path, name)
            return path not in self.leaves.spoiled
        return end is None or is_text(end)

    def _add_container(self, end: Ref, path: Path, name: str) -> bool:
        """The same, of a container: of a list of run-time length as an array, of another one what it holds."""
        content = self.reader.heap[end]
        if not isinstance(content, tuple | dict):
            type_ = type_of_list(self.reader, content, ()) if is_list(end) else None
            if type_ is not None:
                self._carry_list(path, Carried(type_, end.origins), name)  # type: ignore[attr-defined]
            return type_ is not None
        if type(end) not in (ListRef, DictRef, ObjectRef):
            return False
        self.leaves.contents[path] = content
        self.leaves.add_container(path)
        items = {key: content[key] for key in keys_of(content)}
        self.leaves.templates.update({(*path, key): item for key, item in items.items() if not isinstance(item, Missing)})
        return min([self._add_template(item, (*path, key), str(key) if isinstance(key, str) else name) for key, item in items.items()], default=True)

    # ---- what is carried already ---------------------------------------------------------------------------------------

    def _compare_carried(self, leaf: Leaf, head: Abstract, end: Abstract, path: Path) -> None:
        if leaf.kind == "maybe":
            self._compare_maybe(head, end, path, leaf)
        elif isinstance(end, Missing):
            if not end.unset and end.test is None:
                self.leaves.spoil_as(path, end)
            self.found[path] = end.value if end.test is not None else head
        elif leaf.kind == "scalar" and not is_scalar(self.reader, end):
            self._compare_kinds(head, end, path, leaf.name)
        elif leaf.kind == "scalar":
            self.widening.scalar(leaf, end, path)
        elif leaf.kind == "array" and not leaf.type.shape and (is_atom(end) or is_number(end)):
            self.leaves.add(path, Leaf("scalar", leaf.name, joined(leaf.type, scalar_type(end), end), either=True))
            self.found[path] = end
        else:
            self.widening.array(leaf, end, path)

    def _compare_maybe(self, head: Abstract, end: Abstract, path: Path, leaf: Leaf) -> None:
        if isinstance(end, Missing):
            if not end.unset and end.test is None:
                self.leaves.spoil_as(path, end)
            self.found[path] = end.test if end.test is not None else False
            value = end.value if end.test is not None else head.value
        else:
            self.found[path], value = True, end
        self._compare(head.value, value, (*path, VALUE), leaf.name)


def _is_outer(inner: set[Var], dim: Dim) -> bool:
    """Whether a size is known before the loop in which `inner` are bound."""
    return isinstance(dim, int) or dim not in inner

def keys_of(content: Any) -> Iterable[Any]:
    """What the items of a container are found by."""
    return list(content) if isinstance(content, dict) else list(range(len(content)))
