"""Loops that run over the same range are joined, branches on the same test too, and arrays that only one trip needs become scalars.

    z = np.empty(n)                 total = 0.0
    for i in range(n):              for i in range(n):
        z[i] = x[i] * 2.0     ->        z = x[i] * 2.0
    total = 0.0                         total += z
    for i in range(n):
        total += z[i]
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from s2s.codegen.language.effects import Effects, Remembered, depends, effects, effects_of, effects_within, grown, together
from s2s.codegen.language.expressions import Expr, Invoke, Length, Load, Name, Op, Part, Sum, names_read
from s2s.codegen.language.expressions import walk as walk_expr
from s2s.codegen.language.operations import NOT
from s2s.codegen.language.ranges import Ranges
from s2s.codegen.language.searching import may_hold, substitute
from s2s.codegen.language.statements import (
    Alloc,
    Assign,
    Body,
    CallKernel,
    IfElse,
    Loop,
    Raise,
    Return,
    Statement,
    Store,
    WhileLoop,
    expressions,
    of_kind,
    ranges_read,
    with_bodies,
    with_each_body,
)
from s2s.records import dataclass, replace
from s2s.tuning import TUNING

# ---- joining loops --------------------------------------------------------------------------------------------------


def fused(body: Body, params: frozenset[str], ranges: Ranges, *, free: bool) -> Body:
    """A body with its loops joined where that changes nothing, inside of them too. `params`: the caller's arrays, which
    must hold the same if an exception is raised; `ranges`: what is known where the body starts; `free`: the order of sums is ours.
    """
    if not any(statement.bodies for statement in body):
        return body
    done: list[Statement] = []
    for statement in body:
        if not _joins_branch(done, statement) and not (isinstance(statement, Loop) and _join(done, statement, params, ranges, free=free)):
            done.append(statement)
        ranges.after(statement)
    return tuple(with_bodies(statement, tuple(fused(inner, params, ranges.within(statement), free=free) for inner in statement.bodies)) if statement.bodies else statement for statement in done)


def branches_joined(body: Body) -> Body:
    """A body whose neighbouring branches on the same test are one, inside of its statements too."""
    done: list[Statement] = []
    for statement in body:
        if not _joins_branch(done, statement):
            done.append(statement)
    return tuple(with_each_body(statement, branches_joined) for statement in done)


def _joins_branch(done: list[Statement], statement: Statement) -> bool:
    """Put a branch into the one before it, if it is on the same test, or on its opposite."""
    first = done[-1] if done else None
    if not isinstance(statement, IfElse) or not isinstance(first, IfElse):
        return False
    asked, other = _asked(statement.test, done[:-1]), _asked(first.test, done[:-1])
    if asked[0] != other[0] or not _is_asked_again(first, {statement.test, asked[0]}):
        return False
    then, orelse = (statement.then, statement.orelse) if asked[1] == other[1] else (statement.orelse, statement.then)
    done[-1] = replace(first, then=(*first.then, *then), orelse=(*first.orelse, *orelse))
    return True


def _is_asked_again(first: IfElse, tests: Collection[Expr]) -> bool:
    """Whether a branch changes nothing that these tests read."""
    parts = [part for test in tests for part in walk_expr(test)]
    names = {part.id for part in parts if isinstance(part, Name)}
    return not any(isinstance(part, (Load, Length, Part, Invoke)) for part in parts) and not effects([first]).writes & names


def _asked(test: Expr, before: Sequence[Statement]) -> tuple[Expr, bool]:
    """What a test asks, and whether it must hold: of a name for `not name` in the statements just before that name."""
    holds = True
    for statement in reversed(before[-NEAR:]):
        test, holds = (test.operands[0], not holds) if isinstance(test, Op) and test.operation is NOT else (test, holds)
        if not isinstance(test, Name):
            break
        if isinstance(statement, Assign) and statement.targets == (test.id,) and not statement.move and isinstance(value := statement.values[0], Op) and value.operation is NOT:
            written = {name for each in before[before.index(statement) + 1 :] for name in effects_of(each).writes}
            if written & names_read(value):
                break
            test = value
        elif test.id in effects_of(statement).writes:
            break
    return (test.operands[0], not holds) if isinstance(test, Op) and test.operation is NOT else (test, holds)


NEAR = 8
"""So many statements before a branch may say of which other test its own is the opposite."""


def _join(done: list[Statement], loop: Loop, params: frozenset[str], ranges: Ranges, *, free: bool) -> bool:
    """Join a loop with an earlier one in `done`, moving what stands between before or behind; False if there is none."""
    second = effects_of(loop)
    if second.raises or second.opaque:
        return False
    for position in range(len(done) - 1, max(-1, len(done) - 1 - TUNING.fusion_reach), -1):
        candidate = done[position]
        if isinstance(candidate, Loop) and _same_range(candidate, loop):
            parted = _parted(candidate, done[position + 1 :], second, params, free=free)
            if parted is None:
                continue
            body = _renamed(loop.body, loop.index, candidate.index)
            within = effects_within(loop) if body is loop.body else effects(body)
            if _independent(candidate, effects_within(candidate), within, ranges):
                before, behind = parted
                done[position:] = [*before, _longer(candidate, body, within), *behind]
                return True
    return False


def _longer(loop: Loop, more: Body, effects_of_more: Effects) -> Loop:
    """A loop with more statements behind its own. What it reads and writes is not found again, but grows: else a loop of many would be looked through for each."""
    joined = replace(loop, body=(*loop.body, *more))
    effects_within.remember(joined, grown(effects_within(loop), effects_of_more))
    whole = grown(effects_of(loop), effects_of_more)
    whole.indices.add(loop.index)
    whole.reads.discard(loop.index)
    effects_of.remember(joined, whole)
    return joined


def _same_range(a: Loop, b: Loop) -> bool:
    return (a.lo, a.hi, a.step) == (b.lo, b.hi, b.step)


def _parted(
    first: Loop, between: list[Statement], second: Effects, params: frozenset[str], *, free: bool,
) -> tuple[list[Statement], list[Statement]] | None:
    """The statements between two loops as those that may run before both and those that may run behind; None: some can't."""
    loop = effects([first])
    if loop.raises or loop.opaque:
        return None
    before: list[Statement] = []
    behind: list[Statement] = []
    rest = Effects()
    for statement in between:
        own = effects([statement])
        if isinstance(statement, Return) or (own.opaque and not isinstance(statement, Alloc)):
            return None
        if own.raises and set(loop.stores) & params:
            return None
        if not depends(loop, own) and not depends(rest, own):
            before.append(statement)
        elif own.raises or depends(own, second, free=free):
            return None
        else:
            behind.append(statement)
            rest = together((rest, own))
    return before, behind


def independent_trips(a: Loop, b: Loop, ranges: Ranges) -> bool:
    """Whether trip k of b needs of a's trips only trip k. `ranges`: what is known where they stand."""
    return _independent(a, effects_within(a), effects_within(b) if a.index == b.index else effects(_renamed(b.body, b.index, a.index)), ranges)


def _independent(loop: Loop, first: Effects, second: Effects, ranges: Ranges) -> bool:
    """Whether trip k of a body behind the loop's own, over the same range, needs of the loop's trips only trip k. `first`, `second`: the effects of both bodies."""
    if not first.writes.isdisjoint(second.reads) or not second.writes.isdisjoint(first.writes) or not second.writes.isdisjoint(first.reads):
        return False
    if any(name in first.writes or name in second.writes for name in (loop.index, *ranges_read(loop))) or loop.index in first.indices or loop.index in second.indices:
        return False
    shared = [array for array in second.accessed if array in first.stores or array in second.stores and array in first.loads]
    if not shared:
        return True
    inside: Ranges | None = None
    changed = (first.writes, first.stores.keys(), second.writes, second.stores.keys(), first.indices, second.indices)
    from_zero = ranges.from_zero(loop)
    for array in shared:
        accesses = [index for found in (first, second) for part in (found.loads, found.stores) for index in part.get(array, ())]
        found = one_for_each_trip(accesses, loop.index, changed)
        if not from_zero or Name(loop.index) not in found:
            inside = inside or ranges.loop(loop)
            if not any(map(inside.nonnegative, found)):
                return False
    return not any(array in first.writes or array in second.writes for array in shared)


def one_for_each_trip(accesses: Sequence[tuple[Expr, ...]], index: str, changed: Iterable[AbstractSet[str]]) -> list[Expr]:
    """The positions that all accesses have in common along an axis and that are another one in each trip, the index and what stays the same, if they are not counted from
    the end. `changed`: what does not stay the same.
    """
    first = accesses[0]
    others = [each for each in accesses if each is not first and each != first]
    common = [position for axis, position in enumerate(first) if all(axis < len(each) and each[axis] == position for each in others)]
    return [position for position in common if _moves_along(position, index) and all(each.isdisjoint(names_read(position)) for each in changed)]


def _moves_along(position: Expr, index: str) -> bool:
    """Whether a position is the index and what does not hang on it."""
    terms = position.terms if isinstance(position, Sum) else ((position, 1),)
    return [term for term, _ in terms if index in names_read(term)] == [Name(index)]


def _renamed(body: Body, old: str, new: str) -> Body:
    """A body with a loop index renamed."""
    return body if old == new else tuple(with_names(statement, {Name(old): Name(new)}) for statement in body)


def with_names(statement: Statement, by: dict[Expr, Expr]) -> Statement:
    """A statement with expressions replaced, in its blocks too; assigned names are not changed."""
    if not may_hold(statement.names_used, by):
        return statement
    match statement:
        case Assign() | Return():
            statement = replace(statement, values=tuple(substitute(value, by) for value in statement.values))
        case Store():
            statement = replace(statement, index=tuple(substitute(item, by) for item in statement.index), value=substitute(statement.value, by))
        case Alloc():
            statement = replace(statement, shape=tuple(substitute(item, by) for item in statement.shape))
        case Loop():
            statement = replace(statement, lo=substitute(statement.lo, by), hi=substitute(statement.hi, by), step=substitute(statement.step, by))
        case WhileLoop() | IfElse():
            statement = replace(statement, test=substitute(statement.test, by))
        case CallKernel():
            statement = replace(statement, args=tuple(substitute(item, by) for item in statement.args))
        case Raise():
            args, examples = (tuple(substitute(item, by) for item in items) for items in (statement.args, statement.examples))
            statement = replace(statement, args=args, examples=examples)
    return with_each_body(statement, lambda body: tuple([with_names(inner, by) for inner in body]))


# ---- arrays that become scalars ---------------------------------------------------------------------------------------


def contracted(body: Body, kept: frozenset[str]) -> Body:
    """Arrays (not those in `kept`) whose elements are stored and read within one trip of a loop become scalars."""
    return _contracted(body, candidates(body, kept))[0]


def _contracted(body: Body, names: Collection[str]) -> tuple[Body, set[str]]:
    """The body with those of these arrays as scalars that can be, and their names. One's being a scalar changes nothing for another."""
    found = effects(body)
    indices = {name: {*found.loads.get(name, ()), *found.stores.get(name, ())} for name in names}
    single = {name: next(iter(each)) for name, each in indices.items() if len(each) == 1}
    done: set[str] = set()
    body = _contracted_in(body, single, frozenset(), done)
    return (without_allocs(body, done) if done else body), done


def without_allocs(body: Body, names: set[str]) -> Body:
    """The body without the allocations of these arrays."""
    result = []
    for statement in body:
        if isinstance(statement, Alloc) and statement.name in names:
            continue
        result.append(statement if names.isdisjoint(effects_of(statement).writes) else with_each_body(statement, lambda inner: without_allocs(inner, names)))
    return tuple(result)


def candidates(body: Body, kept: frozenset[str], *, lent: bool = False) -> list[str]:
    """Arrays allocated once, and only ever read or stored by element; with `lent`, or given to kernels that hand back none."""
    allocs = of_kind(body, Alloc)
    allocated = Counter([statement.name for statement in allocs])
    if not allocated:
        return []
    ranks = {statement.name: len(statement.shape) for statement in allocs}
    whole: set[str] = set(kept)
    for statement in body:
        found = _whole(statement)
        whole |= found.kept if lent else found.names
        whole.update(array for array, axes in found.rows if axes < ranks.get(array, 0))
    return [name for name, count in allocated.items() if count == 1 and name not in whole]


def lent_by(statement: Statement) -> frozenset[str]:
    """What a statement itself gives a kernel whole that hands back no array."""
    if not isinstance(statement, CallKernel) or statement.targets:
        return frozenset()
    return frozenset((*(arg.id for arg in statement.args if isinstance(arg, Name)), *statement.writes))


@dataclass(frozen=True)
class _Whole:
    """The names that a statement binds, or reads otherwise than by an element, those in its blocks among them; `kept`: without what is lent (`lent_by`); the arrays of
    which it reads elements or rows, with how many axes are told.
    """

    names: frozenset[str]
    kept: frozenset[str]
    rows: frozenset[tuple[str, int]]


def _whole_of(statement: Statement) -> _Whole:
    names: set[str] = set()
    rows: set[tuple[str, int]] = set()
    if isinstance(statement, Assign):
        names.update(statement.targets)
    if isinstance(statement, CallKernel):
        names.update((*statement.targets, *statement.writes))
    for expr in expressions(statement):
        for part in walk_expr(expr):
            if type(part) is Name:
                names.add(part.id)
            elif type(part) is Length:
                names.add(part.array)
            elif type(part) is Load:
                rows.add((part.array, len(part.index)))
    inner = [_whole(each) for body in statement.bodies for each in body]
    every, lent = frozenset(names).union(*[each.names for each in inner]), lent_by(statement)
    none_lent = not lent and all(each.kept is each.names for each in inner)
    kept = every if none_lent else frozenset(names - lent).union(*[each.kept for each in inner])
    return _Whole(every, kept, frozenset(rows).union(*[each.rows for each in inner]))


_whole = Remembered(_whole_of)


def contract(body: Body, name: str) -> Body | None:
    """The body with the array `name` made a scalar, where one trip stores and reads each element, or None."""
    changed, done = _contracted(body, (name,))
    return changed if done else None


Indices = dict[str, tuple[Expr, ...]]
"""Array -> the one index of all its accesses."""


def _contracted_in(body: Body, arrays: Indices, loops: frozenset[str], done: set[str]) -> Body:
    """A block with those of the arrays as scalars that can be. They are accessed nowhere else; `done` is told of what has become one."""
    users: dict[str, list[int]] = {name: [] for name in arrays}
    places = {name: {each for item in index for each in names_read(item)} for name, index in arrays.items()}
    watched = set[str]().union(*places.values())
    last_set: dict[str, int] = {}
    for number, statement in enumerate(body):
        found = effects_of(statement)
        for name in found.accessed & arrays.keys():
            users[name].append(number)
        last_set.update(dict.fromkeys((found.writes | found.indices) & watched, number))
    here: Indices = {}
    below: dict[int, Indices] = {}
    for name, index in arrays.items():
        first = body[users[name][0]] if users[name] else None
        if isinstance(first, Store) and first.array == name and not first.op:
            lasting = places[name] <= loops and all(last_set.get(each, -1) < users[name][0] for each in places[name])
            if lasting and not any(True for _ in _accesses_of_value(first, name)):
                here[name] = index
        elif len(users[name]) == 1:
            below.setdefault(users[name][0], {})[name] = index
    new = list(body)
    for number, inside in below.items():
        new[number] = _contracted_below(body[number], inside, loops, done)
    if not here:
        return tuple(new) if below else body
    done.update(here)
    return _without_copies(_scalars(tuple(new), here), here)


def _contracted_below(statement: Statement, arrays: Indices, loops: frozenset[str], done: set[str]) -> Statement:
    """The same in a statement's blocks, for arrays of which only one block accesses elements."""
    blocks = statement.bodies
    loops = loops | {statement.index} if isinstance(statement, Loop) else loops
    used = [effects(block).accessed for block in blocks]
    alone = {name: index for name, index in arrays.items() if sum(name in each for each in used) == 1}
    mine = [{name: index for name, index in alone.items() if name in each} for each in used]
    inner = tuple(_contracted_in(block, own, loops, done) if own else block for block, own in zip(blocks, mine, strict=True))
    return statement if all(new is old for new, old in zip(inner, blocks, strict=True)) else with_bodies(statement, inner)


def _accesses_of_value(statement: Store, name: str) -> Iterator[Load]:
    return (part for part in walk_expr(statement.value) if isinstance(part, Load) and part.array == name)


def _scalars(body: Body, arrays: Indices) -> Body:
    """The statements with name[index] as the scalar `name`."""
    by: dict[Expr, Expr] = {Load(name, index): Name(name) for name, index in arrays.items()}
    result: list[Statement] = []
    for statement in body:
        if effects_of(statement).accessed.isdisjoint(arrays):
            result.append(statement)
            continue
        new = with_names(statement, by) if not statement.bodies else statement
        if isinstance(new, Store) and new.array in arrays:
            value = Op(new.op, (Name(new.array), new.value)) if new.op else new.value
            result.append(Assign((new.array,), (value,), new.where))
        elif new.bodies:
            outer = with_names(replace_bodies_empty(new), by)
            result.append(with_bodies(outer, tuple(_scalars(inner, arrays) for inner in statement.bodies)))
        else:
            result.append(new)
    return tuple(result)


def replace_bodies_empty(statement: Statement) -> Statement:
    """The statement with empty blocks."""
    return with_each_body(statement, lambda _: ())


def _without_copies(body: Body, names: Iterable[str]) -> Body:
    copied = {each.targets[0] for each in body if isinstance(each, Assign) and len(each.targets) == 1 and isinstance(each.values[0], Name)}
    for name in names:
        if name in copied:
            body = _without_copy(body, name)
    return body


def _without_copy(body: Body, name: str) -> Body:
    """`name = z_1` where z_1 was only an accumulator for it: the accumulator is called `name` from the start."""
    for number, statement in enumerate(body):
        if isinstance(statement, Assign) and statement.targets == (name,) and isinstance(statement.values[0], Name):
            source = statement.values[0].id
            before = body[:number]
            later = effects(body[number + 1:])
            if _defines_first(before, source) and source not in later.touched and name not in effects(before).touched:
                renamed = tuple(_with_targets(with_names(each, {Name(source): Name(name)}), source, name) for each in before)
                return (*renamed, *body[number + 1:])
    return body


def _defines_first(statements: Iterable[Statement], name: str) -> bool:
    """Whether the first of the statements that touches a name assigns it anew (a running sum starts outside, and does not)."""
    first = next((each for each in statements if name in effects([each]).touched), None)
    return isinstance(first, Assign) and name in first.targets and not any(name in names_read(value) for value in first.values)


def _with_targets(statement: Statement, old: str, new: str) -> Statement:
    if isinstance(statement, Assign):
        return replace(statement, targets=tuple(new if target == old else target for target in statement.targets))
    return with_each_body(statement, lambda body: tuple(_with_targets(inner, old, new) for inner in body))
