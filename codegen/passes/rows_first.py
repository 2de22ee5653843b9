"""Sums down the columns of an array, made for a whole row at once.

    for i in range(n):                                for i in range(n):
        for j in range(p):                                for j in range(p):
            total = 0.0                                       c[i, j] = 0.0
            for k in range(m):                            for k in range(m):
                total += a[i, k] * b[k, j]      ->            factor = a[i, k]
            c[i, j] = total                                   for j in range(p):
                                                                  c[i, j] += factor * b[k, j]

A column's elements lie apart in memory: each takes a line of the cache for one number, and vector units can't load them. A row's lie
side by side. Each element is the same sum in the same order. Where the sum is not simply stored (`c[i, j] += total`), or the terms read the
array that it goes into, it waits in an array of a row's length: no column reads another one, so that nothing is read too late.

A derivative's loops that only add to elements change places, too, where more of them then lie side by side:

    for j in range(p):                            for k in range(m):
        for k in range(m):                            total = 0.0
            b_bar[k, j] += a[i, k] * c_bar[i, j]      factor = a[i, k]
            a_bar[i, k] += b[k, j] * c_bar[i, j]      for j in range(p):
                                              ->          b_bar[k, j] += factor * c_bar[i, j]
                                                          total += b[k, j] * c_bar[i, j]
                                                      a_bar[i, k] += total

Numbers that such loops make before wait in rows, too.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from operator import is_

import numpy as np

from s2s.codegen.language.effects import effects, term_added
from s2s.codegen.language.expressions import Expr, Load, Name, Number, Op, Sum, as_int, names_read
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.names import Names
from s2s.codegen.language.operations import ADD, MULTIPLY, NEGATE, SUBTRACT, added
from s2s.codegen.language.ranges import Ranges
from s2s.codegen.language.statements import (
    Alloc,
    Assign,
    Body,
    Loop,
    Statement,
    Store,
    expressions,
    of_kind,
    ranges_read,
    walk,
    with_bodies,
)
from s2s.codegen.lowering.lowered import Lowered
from s2s.codegen.passes.fuse import with_names
from s2s.codegen.passes.reassociate import carried
from s2s.codegen.passes.tidy import hoisted, possible
from s2s.records import cached_property, dataclass, replace
from s2s.tuning import TUNING
from s2s.types import FLOAT64


def rows_first(kernel: Lowered) -> Lowered:
    """The kernel with such sums; itself where there are none."""
    if not any(kernel.derived and _holds_loops(each) or _columns_of(each) for each in of_kind(kernel.body, Loop)):
        return kernel
    rows = _Rows(kernel)
    body = rows.block(kernel.body, kernel.ranges)
    if body is kernel.body:
        return kernel
    return replace(kernel, body=hoisted(body, kernel.swaps, kernel.size_names), accumulators=kernel.accumulators | rows.totals)


def _holds_loops(statement: Loop) -> bool:
    return any(isinstance(each, Loop) for each in statement.body)


def _reads(body: Iterable[Statement]) -> list[str]:
    """Each variable as often as it is read."""
    return [part.id for each in walk(body) for expr in expressions(each) for part in parts(expr) if isinstance(part, Name)]


@dataclass(frozen=True, eq=False)
class _Columns:
    """for columns: total = first; for terms: total += term (or -=); what is done with it, array[…, column] = total or += total among it."""

    columns: Loop
    first: Assign
    terms: Loop
    sum: Op
    behind: Body
    store: Store

    @property
    def total(self) -> Name:
        return Name(self.first.targets[0])

    @property
    def term(self) -> Expr:
        return self.sum.operands[1]

    @property
    def waits(self) -> bool:
        """Whether more is done with the sum than to store it, or the array must hold what it does until the sum is made."""
        array = self.store.array
        return self.behind != (self.store,) or self.store.value != self.total or self.store.op is not None or any(each.array == array for each in _loads(self.term))


class _Rows:
    def __init__(self, kernel: Lowered) -> None:
        self.kernel = kernel
        self.derived = kernel.derived
        self.totals: set[str] = set()

    @cached_property
    def fresh(self) -> Callable[[str], str]:
        """Makes a name that nothing else has."""
        return Names(self.kernel.taken).fresh

    @cached_property
    def dtypes(self) -> dict[str, np.dtype]:
        """Of the arrays."""
        return {slot.name: slot.type.dtype for slot in self.kernel.params} | {each.name: each.dtype for each in of_kind(self.kernel.body, Alloc)}

    @cached_property
    def reads(self) -> Counter[str]:
        """How often each variable is read; what is kept, once more."""
        return Counter([*self.kernel.kept, *_reads(self.kernel.body)])

    def block(self, body: Body, ranges: Ranges) -> Body:
        done: list[Statement] = []
        for statement in body:
            if Loop not in statement.by_kind:
                done.append(statement)
                ranges.after(statement)
                continue
            found = _columns_of(statement)
            if found is not None and _pays(found) and self._may_change(found, ranges):
                done += self._by_rows(found, ranges)
            elif (exchanged := self.exchanged(statement)) is not None:
                done.append(self._with_totals(exchanged))
            elif (parted := self.parted(statement, ranges)) is not None:
                done += parted
            elif statement.bodies:
                done.append(with_bodies(statement, tuple(self.block(inner, ranges.within(statement)) for inner in statement.bodies)))
            else:
                done.append(statement)
            ranges.after(statement)
        return body if len(done) == len(body) and all(map(is_, done, body)) else tuple(done)

    def _may_change(self, found: _Columns, ranges: Ranges) -> bool:
        """Whether each column is its own, and the sum is needed nowhere else."""
        total, loop = found.total.id, found.columns
        own = {total, *(target for each in found.behind if isinstance(each, Assign) for target in each.targets)}
        if ranges_read(loop, found.terms) & {loop.index, found.terms.index, *own, *effects([loop]).stores} or own & carried(loop.body):
            return False
        if found.waits and not (found.store.array in self.dtypes and ranges.nonnegative(loop.lo)):
            return False
        reads = Counter(_reads([loop]))
        return all(self.reads[name] == reads[name] for name in own) and _keeps_to_columns(loop, own)

    def _by_rows(self, found: _Columns, ranges: Ranges) -> list[Statement]:
        """The loops that take the place of one over columns."""
        columns, store = found.columns, found.store
        begun: list[Statement] = []
        ended: list[Statement] = []
        row = Store(store.array, store.index, found.first.values[0], where=found.first.where)
        if found.waits:
            name = self.fresh(f"{found.total.id}_row")
            begun.append(possible(Alloc(name, (columns.hi,), self.dtypes[store.array], found.first.where), ranges))
            row = Store(name, (Name(columns.index),), found.first.values[0], where=found.first.where)
            ended = [replace(columns, body=tuple(with_names(each, {found.total: Load(name, row.index)}) for each in found.behind))]
        if row.value != Load(row.array, row.index):
            begun.append(replace(columns, body=(row,)))
        return [*begun, replace(found.terms, body=self._of_a_row(found, row)), *ended]

    def _of_a_row(self, found: _Columns, row: Store) -> Body:
        """What one trip adds to a whole row: what is the same for all of its columns is read once."""
        (statement,) = found.terms.body
        added_to = replace(row, value=found.term, op=found.sum.operation, where=statement.where)
        return self._with_factors(replace(found.columns, body=(added_to,), where=statement.where))

    def _with_factors(self, columns: Loop) -> Body:
        """A loop over columns, what is the same for all of them read before it."""
        stored = effects(columns.body).stores
        values = [expr for each in columns.body for expr in expressions(each)]
        same = [each for each in dict.fromkeys(_loads(*values)) if columns.index not in names_read(each) and each.array not in stored]
        by: dict[Expr, Expr] = {each: Name(self.fresh("factor")) for each in same}
        factors = [Assign((name.id,), (load,), columns.where) for load, name in by.items() if isinstance(name, Name)]
        return (*factors, replace(columns, body=tuple(with_names(each, by) for each in columns.body)))

    def exchanged(self, statement: Statement) -> Loop | None:
        """Of a derivative's two loops that only add to elements, the inner one around the outer one, where that makes more of them lie side by side."""
        match statement:
            case Loop(body=(Loop(body=body) as inner,)) if self.derived and body and all(term_added(each) is not None for each in body):
                found = effects(body)
            case _:
                return None
        if any(_is_short(loop) or loop.example for loop in (statement, inner)) or found.raises or found.opaque or found.used & found.stores.keys():
            return None
        if ranges_read(statement, inner) & {statement.index, inner.index, *found.stores}:
            return None
        places = [place for of in (found.loads, found.stores) for each in of.values() for place in each]
        apart = {index: sum(_at_column(place[:-1], index) for place in places) for index in (statement.index, inner.index)}
        return replace(inner, body=(replace(statement, body=body),)) if apart[statement.index] < apart[inner.index] else None

    def parted(self, loop: Statement, ranges: Ranges) -> list[Statement] | None:
        """Of a derivative's loop over columns, which makes some numbers and then adds them to elements in loops: a loop that makes the numbers
        of all columns, and those loops, each around the columns.
        """
        found = _numbers_then_loops(loop) if self.derived else None
        if found is None or not isinstance(loop, Loop) or not ranges.nonnegative(loop.lo):
            return None
        numbers, inner = found
        own = dict.fromkeys(each.targets[0] for each in numbers if isinstance(each, Assign))
        reads, read_inside = Counter(_reads([loop])), set(_reads(inner))
        needed = [name for name in own if name in read_inside]
        if carried(loop.body) or any(reads[name] != self.reads[name] for name in own) or not self._doubles(numbers).issuperset(needed):
            return None
        if not _keeps_to_columns(loop, own.keys()):
            return None
        rows = {name: Load(self.fresh(f"{name}_row"), (Name(loop.index),)) for name in needed}
        by: dict[Expr, Expr] = {Name(name): row for name, row in rows.items()}
        exchanged = [self.exchanged(replace(loop, body=(with_names(each, by),))) for each in inner]
        if None in exchanged:
            return None
        where = numbers[-1].where
        kept = tuple(Store(row.array, row.index, Name(name), where=where) for name, row in rows.items())
        arrays: list[Statement] = [possible(Alloc(row.array, (loop.hi,), FLOAT64, where), ranges) for row in rows.values()]
        return [*arrays, replace(loop, body=(*numbers, *kept)), *(self._with_totals(each) for each in exchanged if each is not None)]

    def _doubles(self, numbers: Body) -> set[str]:
        """Which of the numbers are surely float64s."""
        found: set[str] = set()
        for each in numbers:
            if isinstance(each, Assign) and self._is_double(each.values[0], found):
                found.add(each.targets[0])
            elif isinstance(each, Assign):
                found.discard(each.targets[0])
        return found

    def _is_double(self, value: Expr, known: set[str]) -> bool:
        """Whether it is an element of a float64 array, or what others make by arithmetic."""
        match value:
            case Load(array=array):
                return self.dtypes.get(array) == FLOAT64
            case Name(id=name):
                return name in known
            case Op(operation=operation, operands=operands):
                return operation in (ADD, SUBTRACT, MULTIPLY, NEGATE) and all(self._is_double(each, known) for each in operands)
            case Number(value=number):
                return type(number) is float
            case _:
                return False

    def _with_totals(self, loop: Loop) -> Loop:
        """What the inner loop adds to one element, summed up before."""
        (inner,) = loop.body
        assert isinstance(inner, Loop)
        before: list[Statement] = []
        body: list[Statement] = []
        behind: list[Statement] = []
        for statement in inner.body:
            term = term_added(statement)
            assert isinstance(statement, Store) and term is not None
            if _at_column(statement.index, inner.index) or self.dtypes.get(statement.array) != FLOAT64:
                body.append(statement)
                continue
            name = self.fresh("total")
            self.totals.add(name)
            before.append(Assign((name,), (Number(0.0),), statement.where))
            body.append(Assign((name,), (Op(ADD, (Name(name), term)),), statement.where))
            behind.append(replace(statement, value=Name(name), op=ADD))
        return replace(loop, body=(*before, *self._with_factors(replace(inner, body=tuple(body), where=loop.body[0].where)), *behind))


def _numbers_then_loops(statement: Statement) -> tuple[Body, Body] | None:
    """What a loop does before its inner loops, and those, where there is nothing else."""
    if not isinstance(statement, Loop) or as_int(statement.step) != 1 or statement.example:
        return None
    first = next((number for number, each in enumerate(statement.body) if isinstance(each, Loop)), 0)
    numbers, inner = statement.body[:first], statement.body[first:]
    return (numbers, inner) if numbers and _simple(numbers) and all(isinstance(each, Loop) for each in inner) else None


def _keeps_to_columns(loop: Loop, own: Collection[str]) -> bool:
    """Whether each trip reads of what the loop changes only its own column, but for elements that are only added to."""
    found = effects([loop])
    if found.raises or found.opaque:
        return False
    places = [(array, place) for of in (found.loads, found.stores) for array, each in of.items() for place in each]
    if any(not names_read(item).isdisjoint({*found.stores, *own}) for _, place in places for item in place):
        return False
    changed = found.stores.keys() & found.used
    return all(place[-1] == Name(loop.index) and not _at_column(place[:-1], loop.index) for array, place in places if array in changed)


def _columns_of(statement: Statement) -> _Columns | None:
    """A loop of this shape."""
    match statement:
        case Loop(body=(Assign(targets=(total,)) as first, Loop(body=(Assign(targets=(summed,), values=(Op() as sum_,)),)) as terms, *behind)):
            adds = summed == total and added(sum_, Name(total)) is not None and total not in names_read(sum_.operands[1])
            if not adds or as_int(statement.step) != 1 or statement.example or not _simple(behind):
                return None
            stores = (each for each in behind if isinstance(each, Store) and Name(total) in (each.value if each.op is None else None, term_added(each)))
            store = next((each for each in stores if each.index[-1] == Name(statement.index) and not _at_column(each.index[:-1], statement.index)), None)
            return None if store is None else _Columns(statement, first, terms, sum_, tuple(behind), store)
        case _:
            return None


def _simple(body: Iterable[Statement]) -> bool:
    """Whether it only makes numbers and stores them."""
    return all(isinstance(each, Store) or isinstance(each, Assign) and len(each.targets) == 1 and not each.move for each in body)


def _pays(found: _Columns) -> bool:
    """Whether the terms go down columns, and along nothing that lies side by side for one column only."""
    column, row = found.columns.index, found.terms.index
    if _is_short(found.columns) or _is_short(found.terms):
        return False
    loads = list(_loads(found.term))
    moving = [each for each in loads if column in names_read(each)]
    together = all(_is_next(each.index[-1], column) and not _at_column(each.index[:-1], column) and not _far(each) for each in moving)
    return together and any(row in names_read(item) for each in moving for item in each.index[:-1])


def _is_short(loop: Loop) -> bool:
    """Whether a compiler writes it out."""
    trips = as_int(loop.hi)
    return trips is not None and trips <= TUNING.unrolled_trips


def _loads(*values: Expr) -> Iterable[Load]:
    return [part for value in values for part in parts(value) if isinstance(part, Load)]


def _far(load: Load) -> bool:
    """Whether its place is read from an array."""
    return any(isinstance(part, Load) for item in load.index for part in parts(item))


def _at_column(items: Iterable[Expr], column: str) -> bool:
    return any(column in names_read(item) for item in items)


def _is_next(item: Expr, column: str) -> bool:
    """Whether an index grows by one from column to column."""
    terms = item.terms if isinstance(item, Sum) else ((item, 1),)
    return [(term, factor) for term, factor in terms if column in names_read(term)] == [(Name(column), 1)]
