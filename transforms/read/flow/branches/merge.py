"""Where two paths meet: the values of names and storages that differ become the outs of an If.

    if c:            if c:                one: x = y1        pairs: (y1, x), (s1, s)
        x = y + 1        y1 = add(y, 1)   two: x = x         outs:  x2, s2
        s = 2        -> x2, s2 = If(c, …)

Containers are merged leaf by leaf. What can't be merged becomes a `Missing`: an error only if it is used later.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from s2s.records import replace
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.callables import Method
from s2s.transforms.read.composed.records import Record
from s2s.transforms.read.describing import describe
from s2s.transforms.read.doubts import note, types_of
from s2s.transforms.read.flow.agreement import common_type, differs_in_precision, plain, same_static, same_steps, shown
from s2s.transforms.read.flow.branches.choices import Choices
from s2s.transforms.read.flow.branches.exchanges import BranchExchanges
from s2s.transforms.read.flow.branches.handed import Handed
from s2s.transforms.read.flow.branches.kinds import BranchKinds
from s2s.transforms.read.flow.branches.outs import Outs, placeholder
from s2s.transforms.read.flow.branches.selections import Selections
from s2s.transforms.read.flow.packing import unpacked
from s2s.transforms.read.iterations import RunRange
from s2s.transforms.read.known_sets import stand_alike
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import places_of, refuse_growth
from s2s.transforms.read.state import Branch
from s2s.transforms.read.storage import pools
from s2s.transforms.read.storage.access import is_zero_dim, load
from s2s.transforms.read.storage.cells import note_aliases
from s2s.transforms.read.storage.exchange import (
    may_be,
)
from s2s.transforms.read.storage.grown import Grown, Lengths, Table
from s2s.transforms.read.storage.plans import holds_others, pool_of_rows, refused
from s2s.transforms.read.storage.united_lists import unite
from s2s.transforms.read.syntax.frame import CODE, ERROR, HELD_SIGNALS, RAISED, RESULT, RETURNED, SIGNALS
from s2s.transforms.read.unset_attributes import in_one_order, with_unset
from s2s.transforms.read.values import (
    Abstract,
    Cell,
    DequeRef,
    DictRef,
    ListRef,
    Missing,
    ObjectRef,
    OneOf,
    Packed,
    Part,
    Pooled,
    Ref,
    Reshaped,
    SetRef,
    Step,
    View,
    is_atom,
    is_number,
    is_text,
    remake,
    same_structure,
    scalar_type,
    unset_words,
)  # fmt: skip
from s2s.transforms.read.wrapping import as_atom
from s2s.transforms.read.zero_dim import is_member
from s2s.types import Var, dim_atom


def _array_left(branch: Branch, value: Abstract, *, beside: Abstract) -> Abstract:
    """Beside an array, the one that a value is where its path has ruled out all that it may be besides: `if a is None: a = y`."""
    if not isinstance(value, OneOf) or not isinstance(beside, View):
        return value
    ruled_out = branch.state.excluded.get(value.place, frozenset())
    left = [option for number, option in enumerate(value.options) if number not in ruled_out]
    return left[0] if len(left) == 1 and isinstance(left[0], View) else value


_ANOTHER_ORDER = "a dict that gets its keys in another order on some paths than on others", "the same order on all paths"
_OF_FLOW = frozenset((*SIGNALS, *HELD_SIGNALS.values(), RESULT, CODE, ERROR))
"""Names of how a path was left: joined whatever is live."""


class Merge:
    """Joins the states of two branches. `outs`: what the If to come hands out; `choices`: which of the caller's arrays is which."""

    def __init__(self, reader: Reader, one: Branch, two: Branch) -> None:
        self.reader, self.one, self.two = reader, one, two
        self.outs = Outs(reader, one, two)
        self.choices = Choices(self.outs)
        self.selections = Selections(self.outs)
        self.kinds = BranchKinds(self.outs, Handed(self.outs, self.selections, self.join))
        self.cells: dict[tuple[Any, Any], Cell] = {}
        self.objects: dict[tuple[ObjectRef, ObjectRef], Abstract] = {}

    def states(self, names: frozenset[str], value: Callable[[], Abstract] | None = None) -> Abstract:
        """Join both branches' names (those that are live) and heaps into the reader's state. `value`: joins what an expression is on both paths, and is
        asked before the long arrays of lists are joined; what it gives is the result.
        """
        one, two, reader = self.one.state, self.two.state, self.reader
        hidden = (ref for ref in (*one.heap, *two.heap) if isinstance(ref, Cell) and ref.initial is not None)
        base = dict.fromkeys((*reader.heap, *hidden))  # in order: the program is the same each time
        self.selections.before = frozenset(base)
        for ref in {**one.heap, **two.heap}:
            if ref not in base:
                reader.heap[ref] = one.heap.get(ref, two.heap.get(ref))
        self._join_aliases()
        before = dict(reader.frame.names)
        kept = names | _OF_FLOW
        exchanges = BranchExchanges(self.outs)
        exchanges.find(kept, base)
        self._join_aliases()  # an exchange that is given up leaves arrays that may be each other
        self.cells.update({(View(one).key, View(two).key): slot for (one, two), slot in exchanges.slots.items()})
        reader.frame.names = {
            name: self._named(name) if name in kept else before[name] if name in before else _unbound(name) for name in {**one.names, **two.names}
        }
        self._note_left()
        last = dict.fromkeys(ref for ref in self._long_arrays() if ref in base)  # joined lists may have put arrays there
        self._heaps(ref for ref in base if ref not in last)
        joined = None if value is None else value()
        self._heaps(last)
        self._join_aliases()  # what joined lists have put into the long arrays are copies
        return joined

    def _heaps(self, refs: Iterable[Any]) -> None:
        """Join what is in these storages and containers of before the branches."""
        reader, one, two = self.reader, self.one.state, self.two.state
        for ref in refs:
            if ref in reader.parked:
                continue
            if one.heap[ref] is not two.heap[ref]:
                reader.heap[ref] = self._contents(ref, one.heap[ref], two.heap[ref])
            else:
                reader.heap[ref] = one.heap[ref]

    def _long_arrays(self) -> Iterator[Any]:
        """The storages of arrays of several sizes: all of each, what stands in it and where it ends."""
        for rows in (pool.rows for pool in self.reader.session.pools if pool.kind is Lengths):
            for content in (self.one.state.heap.get(rows), self.two.state.heap.get(rows)):
                if isinstance(content, Grown):
                    yield from (content.cell, content.counter)
            yield rows

    def _named(self, name: str) -> Abstract:
        """What a name stands for behind both branches."""
        one, two = (branch.state.names[name] if name in branch.state.names else _unbound(name) for branch in (self.one, self.two))
        return one if one is two else self.join(one, two, name)

    def _join_aliases(self) -> None:
        """What may be the same array on a path may be it behind both."""
        aliases = self.reader.aliases
        for branch in (self.one, self.two):
            for cell, group in branch.state.aliases.items():
                aliases[cell] = aliases.get(cell, frozenset()) | group

    def _note_left(self) -> None:
        """Note where each path has either returned or raised what is caught: behind both, what has not raised has returned."""
        reader = self.reader
        if not reader.catching:
            return
        sides = [(branch.state.names[RETURNED], branch.state.names[RAISED]) for branch in (self.one, self.two)]
        returned, raised = reader.frame.names[RETURNED], reader.frame.names[RAISED]
        if isinstance(returned, Var) and isinstance(raised, Var) and all(_either_way(reader, *side) for side in sides):
            reader.session.left[returned] = raised

    def _contents(self, ref: Any, a: Any, b: Any) -> Any:
        """What a storage or container holds afterwards."""
        if isinstance(ref, Cell):
            return self.outs.content(a, b, ref.name) if a is not b else a
        if isinstance(ref, ListRef):
            if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
                return a if a is b else self._grown(ref, a, b)
            join = self.join if pool_of_rows(self.reader, ref) is None else self._row
            return tuple(join(x, y, "item") for x, y in zip(a, b, strict=True))
        if isinstance(ref, ObjectRef):
            order = self._order(ref, a, b)
            a, b = with_unset(ref.kind, a, b), with_unset(ref.kind, b, a)
            a = {name: a[name] for name in order}
        elif set(a) != set(b):
            raise refuse_growth(self.reader, ref, {**a, **b}, self.reader.unsupported("a dict that gets a key on one path only", "set the key on both paths"))
        elif type(ref) is DictRef and list(a) != list(b) or isinstance(ref, SetRef) and not stand_alike(a, b):
            raise refuse_growth(self.reader, ref, a, self.reader.unsupported(*_ANOTHER_ORDER))
        return a if isinstance(ref, SetRef) else {key: self.join(a[key], b[key], str(key)) for key in a}

    def _order(self, ref: ObjectRef, a: Any, b: Any) -> Iterable[str]:
        """In which order an object holds what either path set: of a dict, in that of both."""
        if ref.kind is not Record:
            return {**a, **b}
        order = in_one_order(a, b)
        if order is None:
            raise self.reader.unsupported(*_ANOTHER_ORDER)
        return order

    def _grown(self, ref: ListRef, a: Any, b: Any) -> Any:
        """A list of another length on each path: an array, also for a loop around where it was made before that."""
        found = unite(self.outs, ref, a, b)
        if found is None:
            refusal = self.reader.unsupported("a list that grows on one path only", "items of one type and shape, or an array")
            raise refused(self.reader, refusal, *(a if isinstance(a, tuple) else ()), *(b if isinstance(b, tuple) else ()))
        self.reader.session.growing[ref] = found.template if isinstance(found, Table) else found.item_type
        return found

    def join(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        """One abstract value for a on the first path and b on the second."""
        if same_static(self.reader, a, b):
            return a
        a, b = _array_left(self.one, a, beside=b), _array_left(self.two, b, beside=a)
        zero_dim = self._is_zero_dim(a, b)
        if (is_atom(a) or is_number(a) or zero_dim[0]) and (is_atom(b) or is_number(b) or zero_dim[1]) and not all(zero_dim):
            return self._scalar(a, b, name)
        if isinstance(a, View) and isinstance(b, View):
            return self._view(a, b, name)
        if (pair := pools.beside(self.reader, a, b)) is not None:
            return Pooled(pair[0].pool, as_atom(self.reader, self.join(pair[0].number, pair[1].number, name)))
        if same_structure(a, b):
            tagged = self._tagged(a, b, name)
            return tagged if tagged is not None else remake(a, [self.join(x, y, name) for x, y in zip(a, b, strict=True)])
        if isinstance(a, Missing) or isinstance(b, Missing):
            return self._missing(a, b, name)
        if isinstance(a, Packed) is not isinstance(b, Packed) and isinstance(a, Packed | Ref) and isinstance(b, Packed | Ref):
            return self.join(self._opened(self.one, a), self._opened(self.two, b), name)
        if isinstance(a, ListRef | DictRef | ObjectRef) and type(a) is type(b) and getattr(a, "kind", list) is getattr(b, "kind", list):
            return self._object(a, b, name) if isinstance(a, ObjectRef) else self._container(a, b, name)
        if isinstance(a, Method) and isinstance(b, Method) and same_static(self.reader, a.function, b.function) and same_static(self.reader, a.first, b.first):
            return a
        if isinstance(a, range | RunRange) and isinstance(b, range | RunRange):
            one, two = RunRange.of(a), RunRange.of(b)
            return RunRange(*(as_atom(self.reader, self.join(x, y, name)) for x, y in ((one.lo, two.lo), (one.hi, two.hi), (one.step, two.step))))
        return self._apart(a, b, name)

    def _apart(self, a: Abstract, b: Abstract, name: str, told: tuple[Any, Any] | None = None, why: str = "") -> Abstract:
        """Two values of which no one value can be made, as one of several; a `Missing` where they can't be that. `told`: what is said of each then, and `why`."""
        found = self.kinds.joined(a, b, name, self.join)
        if found is not None:
            return found
        one, two = told or (self._described(self.one, a), self._described(self.two, b))
        return Missing(f"{shown(name)} is {one} on one path and {two} on the other", why, pooled=(*_objects(a), *_objects(b)))

    def _tagged(self, a: tuple[Abstract, ...], b: tuple[Abstract, ...], name: str) -> Abstract | None:
        """Two tuples of which one item says what kind another one is: one of the two, so that a question of the first tells the second."""
        if isinstance(a, Packed) or sum(x is not y and not self.kinds.are_alike(x, y) for x, y in zip(a, b, strict=True)) < 2:
            return None
        return self.kinds.joined(a, b, name, self.join)

    def _row(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        """What the columns of a pool hold of an object: of each of its own, whatever the others do."""
        if not same_structure(a, b):
            return self.join(a, b, name)
        return a if a is b else remake(a, [self.join(x, y, name) for x, y in zip(a, b, strict=True)])

    def _opened(self, branch: Branch, value: Abstract) -> Abstract:
        """What a path returns, as the container that it is."""
        with self.reader.inside(branch):
            return unpacked(self.reader, value)

    def _is_zero_dim(self, a: Abstract, b: Abstract) -> tuple[bool, bool]:
        """Whether each is an array without axes, on its path."""
        with self.reader.inside(self.one):
            first = is_zero_dim(self.reader, a)
        with self.reader.inside(self.two):
            return first, is_zero_dim(self.reader, b)

    def _described(self, branch: Branch, value: Abstract) -> str:
        with self.reader.inside(branch):
            return describe(self.reader, value)

    def _scalar(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        either = self.reader.session.either
        mixed = isinstance(a, View) or isinstance(b, View) or any(isinstance(each, Var) and each in either for each in (a, b))
        member = is_member(self.reader, a) or is_member(self.reader, b)
        a, b = self._loaded(self.one, a), self._loaded(self.two, b)
        types = scalar_type(a), scalar_type(b)
        if differs_in_precision(*types):
            return self._apart(a, b, name, types, "its dtype would be known only at run time")
        type_ = common_type(*types, a, b)
        assert type_ is not None
        pair = self.outs.scalars(a, b, type_)
        if pair[0] == pair[1] and types[0] == types[1] and not mixed and not member:
            return pair[0]
        out = self.outs.add(*pair, name, type_)
        builder = self.reader.builder
        note(builder, out, (each for value in (a, b) for each in types_of(builder, as_atom(self.reader, value))))
        if mixed:
            either.add(out)
        if member:
            self.reader.session.members.add(out)
        return out

    def _loaded(self, branch: Branch, value: Abstract) -> Abstract:
        """What an array without axes holds at the end of a branch; other values: themselves."""
        if not isinstance(value, View):
            return value
        with self.reader.inside(branch):
            return load(self.reader, value).atom

    def _view(self, a: View, b: View, name: str) -> Abstract:
        if a.cell is b.cell and same_steps(a.steps, b.steps):
            return View(a.cell, tuple(self._step(x, y) for x, y in zip(a.steps, b.steps, strict=True)))
        key = (a.key, b.key)
        if key not in self.cells:
            with self.reader.inside(self.one):
                first = load(self.reader, a)
            with self.reader.inside(self.two):
                second = load(self.reader, b)
            misfit = _misfit(first, second)
            if misfit:
                return self._apart(a, b, name, (first.type.words, second.type.words), misfit)
            place = self.reader.builder.where, name
            cell = Cell(
                plain(name), contiguous=a.cell.contiguous and b.cell.contiguous and not a.steps and not b.steps,
                merged=frozenset((place,)) | a.cell.merged | b.cell.merged,
            )  # fmt: skip
            if place in self.reader.session.apart:
                self.selections.add(cell, (a, first.type), (b, second.type))
            else:
                self.reader.heap[cell] = self.outs.content(first.atom, second.atom, cell.name)
                self._note_aliases(cell, a.cell, b.cell)
            self.cells[key] = cell
            self.choices.note(cell, a, b)
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

    def _step(self, a: Step, b: Step) -> Step:
        if a == b:
            return a
        if isinstance(a, Part) and isinstance(b, Part):
            return Part(a.index, tuple(x if x == y else dim_atom(self.outs.dim(x, y)) for x, y in zip(a.operands, b.operands, strict=True)), a.where)
        assert isinstance(a, Reshaped) and isinstance(b, Reshaped)
        return Reshaped(tuple(self.outs.dim(dim_atom(x), dim_atom(y)) for x, y in zip(a.dims, b.dims, strict=True)), a.ravel)

    def _object(self, a: ObjectRef, b: Any, name: str) -> Abstract:
        """The same two are one object behind both paths, wherever they meet; where they do so among what they hold (neighbours of each other), in a pool."""
        if (a, b) not in self.objects:
            self.objects[a, b] = Missing(f"{shown(name)} is one object on one path and another one on the other", pooled=(a, b))
            self.objects[a, b] = self._container(a, b, name)
        return self.objects[a, b]

    def _container(self, a: Any, b: Any, name: str) -> Abstract:
        one, two = self.one.state.heap[a], self.two.state.heap[b]
        kinds = self._described(self.one, a), self._described(self.two, b)
        differ = "of another structure on each path" if kinds[0] == kinds[1] else f"on one path and {kinds[1]} on the other"
        message = Missing(f"{shown(name)} is {kinds[0]} {differ}")
        place = self.reader.builder.where, name
        apart = place in self.reader.session.apart or isinstance(a, DictRef) and {a, b} <= self.selections.before and set(one) != set(two)  # picked, not made
        if apart and (either := self.kinds.joined(a, b, name, self.join)) is not None:
            return either
        ref: Any
        if isinstance(a, ListRef):
            if isinstance(a, DequeRef) and a.maxlen != b.maxlen:
                return message
            same = one is two or isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two)
            found = None if same else unite(self.outs, a, one, two)
            if not same and found is None:
                return replace(message, pooled=(a, b))
            other = "another list, on one path"
            ref = DequeRef(owner=other, maxlen=a.maxlen) if isinstance(a, DequeRef) else type(a)(owner=other, origins=a.origins | b.origins)
            self.reader.heap[ref] = self._contents(ref, one, two) if found is None else found
        elif isinstance(a, DictRef) and set(one) != set(two) and (holds_others(one) or holds_others(two)):
            return replace(message, pooled=(a, b))
        elif a.kind is not b.kind or set(one) != set(two) and not isinstance(a, ObjectRef) or isinstance(a, SetRef) and not stand_alike(one, two):
            return replace(message, keyed=places_of(self.reader, (a, one), (b, two)))
        else:
            ref = type(a)(owner="another one, on one path", kind=a.kind)
            if isinstance(ref, DictRef):
                ref.origins = a.origins | b.origins
            if isinstance(ref, DictRef | ObjectRef):
                ref.tables = a.tables | b.tables
            if isinstance(ref, ObjectRef):
                ref.sites = a.sites | b.sites
            self.reader.heap[ref] = self._contents(ref, one, two)
        met = frozenset((place,)).union(a.places, b.places)
        for each in (ref, a, b):
            each.merged, each.places = True, met
        return ref

    def _returned_on_one(self, a: Abstract, b: Abstract) -> tuple[Abstract] | None:
        """A text that one path has returned, where the other goes on: only the first asks for it."""
        for side, (value, other) in enumerate(((a, b), (b, a))):
            if isinstance(other, Missing) and other.unset and other.test is None:
                if is_text(value):
                    return (value,)
                if isinstance(value, OneOf) and all(map(is_text, value.options)):
                    return (OneOf(self.outs.lifted(side, value.place), value.options),)
        return None

    def _missing(self, a: Abstract, b: Abstract, name: str) -> Abstract:
        """A name that is bound on one path only: a flag says whether it is."""
        if self.reader.frame.tree.given and isinstance(self.reader.frame.names.get(name, _unbound(name)), Missing):  # a recursion that became a loop: what failed of one place, since another had not been read, is read again
            a, b = (_unbound(name) if _failed(value) and not _failed(other) else value for value, other in ((a, b), (b, a)))
        for value in (a, b):
            if isinstance(value, Missing) and not value.unset and value.test is None:
                return value
        if name == RESULT and (result := self._returned_on_one(a, b)) is not None:
            return result[0]
        bound = [_bound(value) for value in (a, b)]
        values = [value.value if isinstance(value, Missing) else value for value in (a, b)]
        nowhere = [isinstance(value, Missing) and value.test is None for value in (a, b)]
        if all(nowhere):
            return a
        other = nowhere.index(True) if any(nowhere) else None
        stands_in = None if other is None else placeholder(self.outs, other, values[1 - other])
        if other is not None and stands_in is not None:
            values[other] = stands_in
        if other is not None and stands_in is None:
            if name not in (RESULT, ERROR) and self.reader.frame.tree.given:  # of a recursion that became a loop: what a call gave is not what another one gives
                return Missing(_unbound(name).what, "what it would be on the other paths is not known", pooled=(values[1 - other],))
            joined = self.kinds.handed.behind(1 - other, values[1 - other], name)
        else:
            joined = self.join(values[0], values[1], name)
        if name in (RESULT, ERROR) or isinstance(joined, Missing):  # what is returned or raised is asked for behind the path that does
            return joined
        flag = self._scalar(bound[0], bound[1], f"{name}_is_set")
        missing = next((value for value in (a, b) if isinstance(value, Missing) and value.error == "AttributeError"), _unbound(name))
        return Missing(missing.what, test=as_atom(self.reader, flag), value=joined, error=missing.error)


def _either_way(reader: Reader, returned: Abstract, raised: Abstract) -> bool:
    """Whether a path surely has returned or raised."""
    if isinstance(returned, Var):
        return reader.session.left.get(returned) is raised
    return returned is True or raised is True


def _bound(value: Abstract) -> Abstract:
    if not isinstance(value, Missing):
        return True
    return False if value.test is None else value.test


def _failed(value: Abstract) -> bool:
    """Whether the statement failed that would have bound a name."""
    return isinstance(value, Missing) and value.test is None and value.failed


def _unbound(name: str) -> Missing:
    return Missing(unset_words(name) if name != RESULT else f"{shown(name)} is not assigned on every path", unset=True)


def _objects(value: Abstract) -> tuple[ObjectRef, ...]:
    """The objects that a value may be, which would be numbers in a pool of their class: that takes None beside them."""
    options = value.options if isinstance(value, OneOf) else (value,)
    held = (each.like if isinstance(each, Packed) else each for each in options)
    return tuple(each for each in held if type(each) is ObjectRef)


def _misfit(a: Value, b: Value) -> str:
    if a.ndim != b.ndim:
        return "its number of dimensions would be known only at run time"
    return "its dtype would be known only at run time" if a.dtype != b.dtype else ""
