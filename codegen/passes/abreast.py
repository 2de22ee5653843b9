"""Four trips of a derivative's loop at once, where each adds a row to the same array.

    for i in range(m):                                part = m // 4
        dot = 0.0                                     for i in range(part):
        for j in range(n):                                i_1, i_2, i_3 = i + part, i + 2 * part, i + 3 * part
            dot = plus(dot, a[i, j] * x[j])     ->        dot, dot_1, dot_2, dot_3 = 0.0, 0.0, 0.0, 0.0
        for j in range(n):                                for j in range(n):
            x_bar[j] += a[i, j] * dot                         dot = plus(dot, a[i, j] * x[j])
                                                              dot_1 = plus(dot_1, a[i_1, j] * x[j])
                                                              dot_2 = plus(dot_2, a[i_2, j] * x[j])
                                                              dot_3 = plus(dot_3, a[i_3, j] * x[j])
                                                          for j in range(n):
                                                              x_bar[j] += a[i, j] * dot + a[i_1, j] * dot_1 + a[i_2, j] * dot_2 + a[i_3, j] * dot_3
                                                      for i in range(4 * part, m):
                                                          dot = 0.0
                                                          for j in range(n):
                                                              dot = plus(dot, a[i, j] * x[j])
                                                          for j in range(n):
                                                              x_bar[j] += a[i, j] * dot

A trip alone reads and writes all of x_bar for one multiplication an element: memory ports, not arithmetic, set the pace. Four
trips share that, and what else the trips read in common. They are taken from four parts of the range, not from neighbouring
rows: each part is then one stream through memory, which processors fetch ahead; four short rows side by side are not.
The sums of a derivative may be added in any order; everything else that the trips do must not depend on their order.
"""
from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

from s2s.codegen.language.effects import Effects, effects, term_added
from s2s.codegen.language.expressions import Expr, Load, Name, Op, Pace, as_int, children, integer, names_read, total
from s2s.codegen.language.expressions import walk as parts
from s2s.codegen.language.operations import ADD, FLOOR_DIVIDE, LARGEST, apply
from s2s.codegen.language.ranges import Ranges
from s2s.codegen.language.searching import substitute
from s2s.codegen.language.statements import (
    ONE,
    ZERO,
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Statement,
    Store,
    WhileLoop,
    expressions,
    ranges_read,
    walk,
    with_bodies,
)
from s2s.codegen.passes.fuse import one_for_each_trip, with_names
from s2s.codegen.passes.reassociate import carried, sums_of
from s2s.records import cached_property, replace
from s2s.tuning import TUNING


def abreast(body: Body, ranges: Ranges, *, kept: frozenset[str], sums: frozenset[str], taken: frozenset[str]) -> Body:
    """The statements of a derivative with such loops. `ranges`: what is known where they start; `kept`: variables that are
    needed behind them; `sums`: scalars that may be summed in any order; `taken`: names in use.
    """
    return _Abreast(body, kept, sums, set(taken)).block(body, ranges)


class _Abreast:
    def __init__(self, body: Body, kept: frozenset[str], sums: frozenset[str], taken: set[str]) -> None:
        self.source = body
        self.kept, self.sums, self.taken = kept, sums, taken

    @cached_property
    def reads(self) -> list[tuple[str, tuple[Loop, ...]]]:
        """Each variable that is read, with the loops around."""
        return list(_reads(self.source))

    def block(self, body: Body, ranges: Ranges) -> Body:
        done: list[Statement] = []
        for statement in body:
            if isinstance(statement, Loop) and self._may_run_abreast(statement, ranges):
                before, loop = self._with_factors(statement)
                done += [*before, *self._in_parts(loop, ranges)]
            elif Loop not in statement.by_kind or _is_small_product(statement):
                done.append(statement)
            else:
                done.append(with_bodies(statement, tuple(self.block(inner, ranges.within(statement)) for inner in statement.bodies)))
            ranges.after(statement)
        return tuple(done)

    def _may_run_abreast(self, loop: Loop, ranges: Ranges) -> bool:
        """Whether the trips gain by it, and don't depend on each other but for sums that they add to."""
        if (loop.lo, loop.step) != (ZERO, ONE) or as_int(loop.hi) is not None or not _is_nest_of_two(loop) or not self._is_worth_it(loop):
            return False
        found = effects(loop.body)
        inner = {each.index for each in loop.body if isinstance(each, Loop)}
        bounds = ranges_read(loop, *(each for each in loop.body if isinstance(each, Loop)))
        if found.raises or found.opaque or bounds & (found.changed | inner | {loop.index}) or loop.index in inner | found.writes:
            return False
        local = self._local(loop)
        outside = self.kept | {name for name, loops in self.reads if not any(each is loop for each in loops)}
        if local & (outside | carried(loop.body)):
            return False
        return all(_is_free(array, found, loop, found.changed | inner, ranges.loop(loop)) for array in found.stores)

    def _is_worth_it(self, loop: Loop) -> bool:
        """Whether a row is added to one array in each trip, and no inner loop stores rows that differ from trip to trip."""
        own = {loop.index} | self._local(loop)
        inner = [each for each in loop.body if isinstance(each, Loop)]
        return any(map(_sweeps, inner)) and not any(_names(store.index) & own for each in inner for store in each.body if isinstance(store, Store))

    def _in_parts(self, loop: Loop, ranges: Ranges) -> list[Statement]:
        part = self._fresh("part")
        trips = loop.hi if ranges.nonnegative(loop.hi) else Op(LARGEST, (loop.hi, ZERO))
        local = sorted(self._local(loop))
        copies = [{name: name for name in (loop.index, *local)}]
        copies += [{name: self._fresh(name) for name in (loop.index, *local)} for _ in range(TUNING.trips_abreast - 1)]
        rows = tuple(total((Name(loop.index), 1), (Name(part), number)) for number in range(1, TUNING.trips_abreast))
        first = Assign(tuple(names[loop.index] for names in copies[1:]), rows, loop.where)
        body = (first, *_side_by_side(loop.body, copies))
        return [
            Assign((part,), (Op(FLOOR_DIVIDE, (trips, integer(TUNING.trips_abreast))),), loop.where),
            replace(loop, hi=Name(part), body=body),
            replace(loop, lo=total((Name(part), TUNING.trips_abreast))),
        ]

    def _with_factors(self, loop: Loop) -> tuple[list[Statement], Loop]:
        """The loop with what the sums' terms compute from scalars only in scalars of their own, before the inner loops; before the loop itself, what is the same in all its trips."""
        same: list[Statement] = []
        body: list[Statement] = []
        own = {loop.index} | self._local(loop)
        for statement in loop.body:
            if isinstance(statement, Loop):
                varying = _varying(statement)
                outer = (part for each in statement.body if term_added(each) is not None for part in _largest_outside(each.value, varying))  # type: ignore[union-attr]
                by: dict[Expr, Expr] = {each: Name(self._fresh("factor")) for each in dict.fromkeys(outer)}
                for value, name in by.items():
                    assert isinstance(name, Name)
                    varies = names_read(value) & own or any(isinstance(part, Load) for part in parts(value))
                    (body if varies else same).append(Assign((name.id,), (value,), statement.where))
                statement = replace(statement, body=tuple(with_names(each, by) for each in statement.body))
            body.append(statement)
        return same, replace(loop, body=tuple(body))

    def _local(self, loop: Loop) -> set[str]:
        """The scalars of which each trip has its own: all but those that the trips only add to."""
        assigned = {target for each in walk(loop.body) if isinstance(each, Assign) for target in each.targets}
        return assigned - (self.sums & sums_of(loop.body))

    def _fresh(self, name: str) -> str:
        new = next(each for each in chain((name,), (f"{name}_{number}" for number in count(1))) if each not in self.taken)
        self.taken.add(new)
        return new


# ---- which loops ------------------------------------------------------------------------------------------------------


def _is_nest_of_two(loop: Loop) -> bool:
    """Whether the body is scalars and innermost loops, and short."""
    simple = all(isinstance(each, Assign | Store | Loop) for each in walk(loop.body))
    flat = not any(isinstance(each, Loop | WhileLoop) for inner in loop.body if isinstance(inner, Loop) for each in walk(inner.body))
    return simple and flat and sum(1 for _ in walk(loop.body)) < TUNING.body_abreast


def _is_small_product(statement: Statement) -> bool:
    """Whether it is a product of matrices by BLAS, or in loops if it is small: not worth more text."""
    return isinstance(statement, IfElse) and any(isinstance(each, CallKernel) and each.kernel == "matmul" for each in statement.then)


def _sweeps(loop: Loop) -> bool:
    """Whether an inner loop adds to all elements of an array, and does nothing else that takes long or stores."""
    if not all(isinstance(each, Assign) or term_added(each) is not None for each in loop.body):
        return False
    varying = _varying(loop)
    operations = [
        part.operation for each in loop.body for expr in expressions(each) for part in parts(expr) if isinstance(part, Op) and names_read(part) & varying
    ]
    return all(each.pace is Pace.ARITHMETIC for each in operations) and any(isinstance(each, Store) and Name(loop.index) == each.index[-1] for each in loop.body)


def _varying(loop: Loop) -> set[str]:
    """What is not the same in all trips of an innermost loop."""
    stored = {name for each in loop.body for name in ((each.array,) if isinstance(each, Store) else each.targets if isinstance(each, Assign) else ())}
    return {loop.index} | stored


def _largest_outside(expr: Expr, varying: set[str]) -> Iterator[Expr]:
    """The largest computations in an expression that read nothing of this, and may be made where the loop has no trip: they read
    no element whose place is read from an array.
    """
    far = any(isinstance(part, Load) and any(isinstance(each, Load) for item in part.index for each in parts(item)) for part in parts(expr))
    if isinstance(expr, Op) and names_read(expr) and not names_read(expr) & varying and not far:
        yield expr
    else:
        for part in children(expr):
            yield from _largest_outside(part, varying)


def _is_free(array: str, found: Effects, loop: Loop, changed: frozenset[str], ranges: Ranges) -> bool:
    """Whether the order of the trips' stores into an array does not matter: they add to it, or each has elements of its own."""
    if array not in found.used:
        return True
    accesses = [*found.loads.get(array, ()), *found.stores[array]]
    return any(map(ranges.nonnegative, one_for_each_trip(accesses, loop.index, (changed,))))


def _reads(body: Body, loops: tuple[Loop, ...] = ()) -> Iterator[tuple[str, tuple[Loop, ...]]]:
    """Each variable that is read, with the loops around."""
    for statement in body:
        for expr in expressions(statement):
            for name in names_read(expr):
                yield name, loops
        for inner in statement.bodies:
            yield from _reads(inner, (*loops, statement) if isinstance(statement, Loop) else loops)


# ---- the trips side by side -------------------------------------------------------------------------------------------


def _side_by_side(body: Body, copies: list[dict[str, str]]) -> Iterator[Statement]:
    """Each statement once for every trip; what they add to one element or scalar, at once. `copies`: each trip's own names."""
    own = copies[0].keys()
    for statement in body:
        if isinstance(statement, Loop):
            yield replace(statement, body=tuple(_side_by_side(statement.body, copies)))
        elif isinstance(statement, Store) and (term := term_added(statement)) is not None and not _names(statement.index) & own:
            yield replace(statement, value=_of_all(term, copies), op=ADD)
        elif isinstance(statement, Assign) and not own & set(statement.targets):
            (value,) = statement.values
            assert isinstance(value, Op)
            yield replace(statement, values=(Op(value.operation, (value.operands[0], _of_all(value.operands[1], copies))),))
        elif isinstance(statement, Assign) and len(statement.targets) == 1 and not _names(statement.values) & own:
            yield replace(statement, targets=tuple(names[statement.targets[0]] for names in copies), values=statement.values * len(copies))
        else:
            yield from (_of_trip(statement, names) for names in copies)


def _names(items: tuple[Expr, ...]) -> set[str]:
    return {name for item in items for name in names_read(item)}


def _of_all(term: Expr, copies: list[dict[str, str]]) -> Expr:
    """The sum of what each trip adds."""
    first, *others = (substitute(term, _renaming(names)) for names in copies)
    for other in others:
        first = apply(ADD, first, other)
    return first


def _of_trip(statement: Statement, names: dict[str, str]) -> Statement:
    new = with_names(statement, _renaming(names))
    return replace(new, targets=tuple(names[target] for target in new.targets)) if isinstance(new, Assign) else new


def _renaming(names: dict[str, str]) -> dict[Expr, Expr]:
    return {Name(old): Name(new) for old, new in names.items()}
