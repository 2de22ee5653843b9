"""Temporaries that outlive the joining of loops are made smaller, or computed again where that is cheaper than memory.

    z = np.empty((n, m))                        for i in range(n):
    for i in range(n):                              z = np.empty(m)
        total = 0.0                                 total = 0.0
        for j in range(m):                          for j in range(m):
            z[i, j] = exp(x[i, j])        ->            z[j] = exp(x[i, j])
            total += z[i, j]                            total += z[j]
        for j in range(m):                          for j in range(m):
            y[i, j] = z[i, j] / total                   y[i, j] = z[j] / total
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from s2s.codegen.language.effects import Remembered, Users, accesses, effects, effects_of, touches
from s2s.codegen.language.expressions import Expr, Load, Name, Op, Pace, as_int, names_read
from s2s.codegen.language.expressions import walk as walk_expr
from s2s.codegen.language.ranges import Ranges, ranges_of
from s2s.codegen.language.searching import substitute
from s2s.codegen.language.statements import (
    ONE,
    Alloc,
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Statement,
    Store,
    WhileLoop,
    expressions,
    of_kind,
    walk,
    with_bodies,
    with_each_body,
)
from s2s.codegen.passes.fuse import candidates, contract, lent_by, with_names, without_allocs
from s2s.codegen.passes.tables import tables
from s2s.records import dataclass, replace
from s2s.tuning import TUNING


def _used(statement: Statement) -> frozenset[str]:
    """The arrays of which a statement accesses elements, or which it gives to kernels."""
    return effects_of(statement).accessed.union(*map(lent_by, of_kind([statement], CallKernel)))


_used_by = Remembered(_used)


# ---- axes that one trip of a loop fills and reads --------------------------------------------------------------------


def narrowed(body: Body, kept: frozenset[str]) -> Body:
    """A body whose temporaries have no axis along a loop whose every trip reads only what that trip stored."""
    index = Users()
    for name in candidates(body, kept):
        body = _narrowed_in(body, name, index)
    return body


def _narrowed_in(body: Body, name: str, index: Users) -> Body:
    number = index.binder(body, name)
    if number is None:
        return body
    statement = body[number]
    if isinstance(statement, Alloc):
        return _at_alloc(body, number, index)
    inner = tuple(_narrowed_in(each, name, index) for each in statement.bodies)
    if all(new is old for new, old in zip(inner, statement.bodies, strict=True)):
        return body
    return (*body[:number], with_bodies(statement, inner), *body[number + 1:])


def _at_alloc(body: Body, number: int, index: Users) -> Body:
    """The array of body[number] is new whenever the body runs; if only one loop uses it, each trip may have a new one."""
    alloc = body[number]
    assert isinstance(alloc, Alloc)
    users = index.users(body, alloc.name)
    if len(users) != 1 or len(alloc.shape) < 2:
        return body
    loop = body[users[0]]
    if not isinstance(loop, Loop):
        return body
    within = effects(loop.body)
    changed, inner = within.writes, within.indices
    if loop.index in changed | inner or any(names_read(length) & (changed | inner | {loop.index}) for length in alloc.shape):
        return body
    positions = list(accesses(loop.body, alloc.name))
    if any(isinstance(part, Load) and part.array == alloc.name for position in positions for item in position for part in walk_expr(item)):
        return body
    axis = next((axis for axis in range(len(alloc.shape)) if all(position[axis] == Name(loop.index) for position in positions)), None)
    if axis is None:
        return body
    smaller = replace(alloc, shape=(*alloc.shape[:axis], *alloc.shape[axis + 1:]))
    renamed = tuple(_without_axis(each, alloc.name, axis) if touches(each, alloc.name) else each for each in loop.body)
    new = replace(loop, body=_narrowed_in((smaller, *renamed), alloc.name, index))
    return tuple(new if k == users[0] else each for k, each in enumerate(body) if k != number)


def _without_axis(statement: Statement, name: str, axis: int) -> Statement:
    def shorter(index: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return (*index[:axis], *index[axis + 1:])

    by: dict[Expr, Expr] = {
        part: Load(name, shorter(part.index))
        for expr in (expr for each in walk([statement]) for expr in expressions(each))
        for part in walk_expr(expr) if isinstance(part, Load) and part.array == name
    }
    return _stores_mapped(with_names(statement, by), name, shorter)


def _stores_mapped(statement: Statement, name: str, shorter: Callable[[tuple[Expr, ...]], tuple[Expr, ...]]) -> Statement:
    if isinstance(statement, Store) and statement.array == name:
        return replace(statement, index=shorter(statement.index))
    return with_each_body(statement, lambda body: tuple(_stores_mapped(each, name, shorter) for each in body))


# ---- what is cheaper to compute again than to keep in memory -----------------------------------------------------------



def recomputed(body: Body, kept: frozenset[str], sizes: frozenset[str]) -> Body:
    """A body without temporaries whose elements are little arithmetic on what is still there when they are read. `sizes`: names of lengths.

    Not if a position may count from the end: x[-1] * 3 is not what was stored last.
    """
    names = candidates(body, kept)
    from_end = _FromEnd(body, sizes, frozenset(names))
    index = Users()
    gone: set[str] = set()
    for name in names:
        again = _Again(index, name)
        if again.found(body) and name not in from_end.arrays(body):
            body = again.body(body)
            gone.add(name)
    return without_allocs(body, gone) if gone else body


class _FromEnd:
    """Those of some arrays that are read at a position that may be negative; asked again, it looks only at what has changed."""

    def __init__(self, body: Body, sizes: frozenset[str], names: frozenset[str]) -> None:
        self.start = ranges_of(body, sizes)
        self.names = names
        self.known: dict[int, tuple[Statement, frozenset[str]]] = {}

    def arrays(self, body: Body) -> frozenset[str]:
        """Those of a kernel's statements."""
        return self._of(body, self.start.inside())

    def _of(self, body: Body, ranges: Ranges) -> frozenset[str]:
        parts = []
        for statement in body:
            known = self.known.get(id(statement))
            if known is None:
                inner = (self._of(each, ranges.within(statement)) for each in statement.bodies) if not self.names.isdisjoint(effects_of(statement).accessed) else ()
                known = self.known[id(statement)] = (statement, self._own(statement, ranges).union(*inner))  # the statement is kept, so that its id stays its own
            if known[1]:
                parts.append(known[1])
            if isinstance(statement, Assign):
                ranges.after(statement)
        return frozenset[str]().union(*parts)

    def _own(self, statement: Statement, ranges: Ranges) -> frozenset[str]:
        loads = (part for expr in expressions(statement) for part in walk_expr(expr) if isinstance(part, Load) and part.array in self.names)
        return frozenset(load.array for load in loads if not all(map(ranges.nonnegative, load.index)))


class _Again:
    """The array `name`, which one statement stores, computed anew by those that read it. Its allocation stays, for others to keep their numbers."""

    def __init__(self, index: Users, name: str) -> None:
        self.index, self.name = index, name
        self.path: list[tuple[int, int]] = []
        """The way to the block that allocates it: numbers of statements, and of their blocks."""
        self.new: dict[int, Statement] = {}
        """What takes the places of that block's statements."""

    def found(self, body: Body) -> bool:
        """Whether it can be, and pays."""
        number = self.index.binder(body, self.name)
        if number is None:
            return False
        if isinstance(body[number], Alloc):
            self.new = self._read_anew(body, self.index.users(body, self.name))
            return bool(self.new)
        for which, inner in enumerate(body[number].bodies):
            self.path.append((number, which))
            if self.found(inner):
                return True
            self.path.pop()
        return False

    def body(self, body: Body, depth: int = 0) -> Body:
        """The body without the array."""
        if depth == len(self.path):
            return self.index.with_replaced(body, self.new)
        number, which = self.path[depth]
        inner = list(body[number].bodies)
        inner[which] = self.body(inner[which], depth + 1)
        return self.index.with_replaced(body, {number: with_bodies(body[number], tuple(inner))})

    def _read_anew(self, body: Body, users: list[int]) -> dict[int, Statement]:
        """What takes the places of statements, if one stores the array and later ones may compute its elements. `users`: which access it."""
        name = self.name
        stores = [each for k in users for each in _stores_of(body[k], name, self.index)]
        if len(users) < 2 or len(stores) != 1 or stores[0].op or not _stores(body[users[0]], name):
            return {}
        store, first, *later = stores[0], *(body[k] for k in users)
        sites = {part for each in later for part in _loads(each, name, self.index)}
        if not _is_little(store, sites) or not all(_read_in_innermost(each, name, "", self.index) for each in later) or any(_is_compared(each, name) for each in (first, *later)):
            return {}
        place = {item for item in store.index if isinstance(item, Name)}
        outside = {each.array for each in walk_expr(store.value) if isinstance(each, Load)} | {
            each.id for each in walk_expr(store.value) if isinstance(each, Name) and each not in place}
        if len(place) != len(store.index) or name in outside:
            return {}
        by: dict[Expr, Expr] = {site: substitute(store.value, dict(zip(store.index, site.index, strict=True))) for site in sites}
        changed = {each for each in outside if self.index.changes(body, each, users[0], users[-1])}
        if not changed:
            new = {number: with_names(body[number], by) for number in users[1:]}
        elif len(users) == 2 and not any(outside & effects_of(each).changed for each in body[users[0]:users[1]]) and _is_read_before(later[0], by, changed):
            new = {users[1]: _read_at_the_start(later[0], by, name)}
        else:
            return {}
        rest = contract((first,), name)
        return {} if rest is None else {users[0]: rest[0], **new}


def _is_read_before(loop: Statement, by: dict[Expr, Expr], changed: set[str]) -> bool:
    """Whether an element that is computed when a trip of an innermost loop starts does not depend on what earlier trips stored:
    of the `changed` arrays each trip stores, and the element reads, one place along an axis, and that is the loop's index.
    """
    if not isinstance(loop, Loop) or len(by) != 1 or loop.step != ONE or (lo := as_int(loop.lo)) is None or lo < 0:
        return False
    (value,) = by.values()
    found = effects(loop.body)
    if found.opaque or any(each.bodies for each in loop.body) or loop.index in found.writes or not changed <= found.stores.keys() or found.writes & changed:
        return False
    here = Name(loop.index)
    for array in changed:
        indices = [*found.stores[array], *(part.index for part in walk_expr(value) if isinstance(part, Load) and part.array == array)]
        if not any(all(index[axis] == here for index in indices) for axis in range(min(map(len, indices)))):
            return False
    return True


def _read_at_the_start(loop: Statement, by: dict[Expr, Expr], name: str) -> Statement:
    """The loop with the element in a scalar from the start of each trip."""
    assert isinstance(loop, Loop)
    ((site, value),) = by.items()
    return replace(loop, body=(Assign((name,), (value,), loop.body[0].where), *(with_names(each, {site: Name(name)}) for each in loop.body)))


def _stores(statement: Statement, name: str) -> bool:
    return name in effects_of(statement).stores


def _stores_of(statement: Statement, name: str, index: Users) -> Iterator[Store]:
    if isinstance(statement, Store) and statement.array == name:
        yield statement
    for body in statement.bodies:
        for number in index.users(body, name):
            yield from _stores_of(body[number], name, index)


def _loads(statement: Statement, name: str, index: Users) -> Iterator[Load]:
    for expr in expressions(statement):
        yield from (part for part in walk_expr(expr) if isinstance(part, Load) and part.array == name)
    for body in statement.bodies:
        for number in index.users(body, name):
            yield from _loads(body[number], name, index)


def _is_little(store: Store, sites: set[Load]) -> bool:
    """Whether computing an element costs no more than the memory traffic of keeping it: few operations, loads along the same rows."""
    parts = list(walk_expr(store.value))
    paces = [part.operation.pace for part in parts if isinstance(part, Op) and part.operation.pace is not Pace.NONE]
    reads = {part for part in parts if isinstance(part, Load)}
    if len(paces) > TUNING.operations_again or Pace.DEAR in paces or len(reads) * len(sites) > 2:
        return False
    if any(isinstance(part, Load) for read in reads for item in read.index for part in walk_expr(item)):
        return False
    last = store.index[-1]
    return all(last not in read.index[:-1] for read in reads)


def _read_in_innermost(statement: Statement, name: str, along: str, index: Users) -> bool:
    """Whether every element is read in a loop along which it changes: else keeping it costs little."""
    for expr in expressions(statement):
        for part in walk_expr(expr):
            if isinstance(part, Load) and part.array == name and not any(along in names_read(item) for item in part.index):
                return False
    inner = statement.index if isinstance(statement, Loop) else along
    return all(_read_in_innermost(body[number], name, inner, index) for body in statement.bodies for number in index.users(body, name))


def _is_compared(statement: Statement, name: str) -> bool:
    """Whether a comparison may depend on an element of the array: computed twice, it may differ in the last digit."""
    if name not in effects_of(statement).touched:
        return False
    flows = _flows_of(statement)
    tainted, left = {name}, [name]
    while left:
        new = flows.into.get(left.pop(), set()) - tainted
        tainted |= new
        left += new
    return not flows.compared.isdisjoint(tainted)


@dataclass
class _Flows:
    """Where values go within a statement: name -> the names that are assigned from it; and the names that comparisons read."""

    into: dict[str, set[str]]
    compared: set[str]


def _find_flows(statement: Statement) -> _Flows:
    found = _Flows({}, set())
    for part in (_flows_of(inner) for body in statement.bodies for inner in body):
        found.compared |= part.compared
        for name, targets in part.into.items():
            found.into.setdefault(name, set()).update(targets)
    if isinstance(statement, Assign):
        for name in {name for value in statement.values for name in names_read(value)}:
            found.into.setdefault(name, set()).update(statement.targets)
    if isinstance(statement, IfElse | WhileLoop):
        found.compared |= names_read(statement.test)
    for expr in expressions(statement):
        for part_of in walk_expr(expr):
            if isinstance(part_of, Op) and part_of.operation.compares:
                found.compared |= names_read(part_of)
    return found


_flows_of = Remembered(_find_flows)


# ---- temporaries whose storage a later array takes over ------------------------------------------------------------------


def shared(body: Body, kept: frozenset[str]) -> Body:
    """A body in which arrays of one shape and dtype are one, if the second is first stored when the first is last read."""
    by_text = tables(body, kept).keys()
    return _shared_in(body, set(candidates(body, kept, lent=True)) - by_text, set(candidates(body, frozenset(), lent=True)) - by_text)


def _shared_in(body: Body, local: set[str], both: set[str]) -> Body:
    if all(both.isdisjoint(effects_of(each).writes) for each in body):
        return body
    body = tuple([with_each_body(each, lambda inner: _shared_in(inner, local, both)) for each in body])
    return _Sharing(body, local, both).body() if sum(isinstance(each, Alloc) for each in body) > 1 else body


class _Sharing:
    """A block's statements, in which one array after the other takes over another one's storage. Statements that go leave None, so
    that the others keep their numbers; what is known of all arrays stays right, but for the pair in question.
    """

    def __init__(self, body: Body, local: set[str], both: set[str]) -> None:
        self.statements: list[Statement | None] = list(body)
        self.local, self.both = local, both
        self.accessing: dict[str, set[int]] = {}
        """For each array the numbers of the statements that use it."""
        for number, each in enumerate(body):
            for name in _used_by(each):
                self.accessing.setdefault(name, set()).add(number)
        self.used = {name: (min(numbers), max(numbers)) for name, numbers in self.accessing.items()}
        self.allocs = {number: each for number, each in enumerate(body) if isinstance(each, Alloc)}
        alike: dict[tuple[tuple[Expr, ...], np.dtype], list[int]] = {}
        for number, each in self.allocs.items():
            alike.setdefault((each.shape, each.dtype), []).append(number)
        self.alike = {number: numbers for numbers in alike.values() for number in numbers}
        self.started: dict[int, set[int]] = {}
        """For a statement's number where the arrays are allocated that it is the first to access."""
        for number, each in self.allocs.items():
            if each.name in self.used:
                self.started.setdefault(self.used[each.name][0], set()).add(number)
        self.written = _written_at(body, {name for shape, _ in alike for length in shape for name in names_read(length)})

    def body(self) -> Body:
        """The block with all sharing done."""
        while (pair := self.first_pair()) is not None:
            self.join(*pair)
        return tuple(each for each in self.statements if each is not None)

    def first_pair(self) -> tuple[int, int] | None:
        """The first two arrays of one shape and dtype of which the second can take over the first one's storage: where they are allocated."""
        for place, old in self.allocs.items():
            if old.name in self.local and old.name in self.used:
                other = next((other for other in self.may_follow(place, old) if self.follows(place, other)), None)
                if other is not None:
                    return place, other
        return None

    def may_follow(self, place: int, old: Alloc) -> Iterable[int]:
        """Where the arrays of the same shape and dtype are allocated that may be stored next; of one axis, in the statement that reads `old` last."""
        alike = self.alike[place]
        if len(old.shape) > 1:
            return alike
        started = self.started.get(self.used[old.name][1], set())
        return sorted(number for number in started if self.alike[number] is alike)

    def follows(self, place: int, other: int) -> bool:
        """Whether the array allocated at `other` is first stored when the one allocated at `place` is last read."""
        old, new = self.allocs[place], self.allocs[other]
        if new.name not in self.used:
            return False
        (first_read, last_read), first = self.used[old.name], self.used[new.name][0]
        if last_read > first or first_read == first or other == place or new.name not in self.both:
            return False
        if _length_changes(self.written, min(place, other), max(place, other), new):
            return False
        meeting = self.statements[first]
        assert meeting is not None
        return last_read < first and len(new.shape) > 1 or last_read == first and _in_step(meeting, old.name, new.name)

    def join(self, place: int, other: int) -> None:
        """`new` takes the place of `old`, allocated where the first of them was."""
        old, new = self.allocs[place], self.allocs[other]
        first, second = min(place, other), max(place, other)
        self.allocs[first] = self.statements[first] = replace(new, where=self.allocs[first].where)
        self.statements[second] = None
        del self.allocs[second]
        self.alike[place].remove(second)
        by: dict[Expr, Expr] = {Name(old.name): Name(new.name)}
        for number in self.accessing[old.name]:
            each = self.statements[number]
            assert each is not None
            self.statements[number] = _stores_renamed(with_names(each, by), old.name, new.name)
        self.accessing[new.name] |= self.accessing.pop(old.name)
        for name, number in ((old.name, place), (new.name, other)):
            self.started[self.used[name][0]].discard(number)
        self.used[new.name] = (self.used.pop(old.name)[0], self.used[new.name][1])
        self.started[self.used[new.name][0]].add(first)
        self.local = self.local - {old.name}


def _written_at(body: Body, names: set[str]) -> dict[str, list[int]]:
    """For each of the names the numbers of the statements that give it another value."""
    found: dict[str, list[int]] = {name: [] for name in names}
    for number, statement in enumerate(body):
        for name in names & effects_of(statement).writes:
            found[name].append(number)
    return found


def _length_changes(written: dict[str, list[int]], start: int, stop: int, new: Alloc) -> bool:
    """Whether one of the statements from start to stop gives another value to what an array's lengths read."""
    lengths = {name for length in new.shape for name in names_read(length)}
    return any(bisect_left(written[name], start) < bisect_left(written[name], stop) for name in lengths)


def _in_step(statement: Statement, old: str, new: str) -> bool:
    """Whether a nest of loops reads each element of `old` before it stores that element of `new`, and then never again."""
    path: list[Expr] = []
    while isinstance(statement, Loop):
        path.append(Name(statement.index))
        users = [each for each in statement.body if not _used_by(each).isdisjoint((old, new))]
        if len(users) == 1 and isinstance(users[0], Loop):
            statement = users[0]
            continue
        if not all(isinstance(each, Store | Assign) for each in users):
            return False
        index = next(accesses(users, new))
        if len(index) != len(path) or set(index) != set(path) or any(each != index for name in (old, new) for each in accesses(users, name)):
            return False
        first = next(k for k, each in enumerate(users) if touches(each, new))
        return not _stores(users[first], old) and not any(touches(each, old) for each in users[first + 1:]) and not any(
            _stores(each, old) for each in users)
    return False


def _stores_renamed(statement: Statement, old: str, new: str) -> Statement:
    if isinstance(statement, Store) and statement.array == old:
        return replace(statement, array=new)
    if isinstance(statement, CallKernel) and old in statement.writes:
        return replace(statement, writes=tuple(new if name == old else name for name in statement.writes))
    return with_each_body(statement, lambda body: tuple(_stores_renamed(each, old, new) for each in body))
