"""Temporaries that outlive the joining of loops are made smaller, or computed again where that is cheaper than memory.

    z = np.empty((n, m))                      z = np.empty(m)
    for i in range(n):                        for i in range(n):
        for j in range(m):                        for j in range(m):
            z[i, j] = exp(x[i, j])      ->            z[j] = exp(x[i, j])
            total += z[i, j]                          total += z[j]
        for j in range(m):                        for j in range(m):
            y[i, j] = z[i, j] / total                 y[i, j] = z[j] / total
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from s2s.codegen.expressions import Expr, Invoke, Load, Name, Op, names_read, size, substitute
from s2s.codegen.expressions import walk as walk_expr
from s2s.codegen.fuse import accesses, candidates, effects, with_names
from s2s.codegen.loops import Alloc, Assign, Body, IfElse, Loop, Statement, Store, WhileLoop, bodies, expressions, walk, with_bodies
from s2s.codegen.templates import free_names

# ---- axes that one trip of a loop fills and reads --------------------------------------------------------------------


def narrowed(body: Body, kept: frozenset[str]) -> Body:
    """A body whose temporaries have no axis along a loop whose every trip reads only what that trip stored."""
    for name in candidates(body, kept):
        body = _narrowed_in(body, name)
    return body


def _narrowed_in(body: Body, name: str) -> Body:
    for number, statement in enumerate(body):
        if isinstance(statement, Alloc) and statement.name == name:
            return _at_alloc(body, number)
        if bodies(statement) and any(isinstance(each, Alloc) and each.name == name for each in walk([statement])):
            changed = with_bodies(statement, tuple(_narrowed_in(inner, name) for inner in bodies(statement)))
            return (*body[:number], changed, *body[number + 1:])
    return body


def _at_alloc(body: Body, number: int) -> Body:
    """The array of body[number] is new whenever the body runs; if only one loop uses it, each trip may have a new one."""
    alloc = body[number]
    assert isinstance(alloc, Alloc)
    users = [k for k, each in enumerate(body) if k != number and _touches(each, alloc.name)]
    if len(users) != 1 or len(alloc.shape) < 2:
        return body
    loop = body[users[0]]
    if not isinstance(loop, Loop):
        return body
    changed = {target for each in walk(loop.body) if isinstance(each, Assign) for target in each.targets}
    inner = {each.index for each in walk(loop.body) if isinstance(each, Loop)}
    if loop.index in changed | inner or any(names_read(length) & (changed | inner | {loop.index}) for length in alloc.shape):
        return body
    indices = list(accesses(loop.body, alloc.name))
    axis = next((axis for axis in range(len(alloc.shape)) if all(index[axis] == Name(loop.index) for index in indices)), None)
    if axis is None:
        return body
    smaller = replace(alloc, shape=(*alloc.shape[:axis], *alloc.shape[axis + 1:]))
    renamed = tuple(_without_axis(each, alloc.name, axis) for each in loop.body)
    new = replace(loop, body=_narrowed_in((smaller, *renamed), alloc.name))
    return tuple(new if k == users[0] else each for k, each in enumerate(body) if k != number)


def _touches(statement: Statement, name: str) -> bool:
    return any(True for _ in accesses([statement], name))


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
    inner = bodies(statement)
    return with_bodies(statement, tuple(tuple(_stores_mapped(each, name, shorter) for each in body) for body in inner)) if inner else statement


# ---- what is cheaper to compute again than to keep in memory -----------------------------------------------------------

OPERATIONS = 6
"""Operations from which memory is cheaper than doing them again."""
_ARITHMETIC = frozenset({"a + b", "a - b", "a * b", "-a", "np.float64(a)", "a == b"})
_COMPARING = ("=", "<", ">")


def recomputed(body: Body, kept: frozenset[str]) -> Body:
    """A body without temporaries whose elements are little arithmetic on what is still there when they are read."""
    writes = Counter(target for each in walk(body) if isinstance(each, Assign | CallKernel) for target in each.targets)
    for name in candidates(body, kept):
        body = _recomputed_in(body, name, writes)
    return body


def _recomputed_in(body: Body, name: str, writes: Counter[str]) -> Body:
    for number, statement in enumerate(body):
        if isinstance(statement, Alloc) and statement.name == name:
            return _read_anew(body, number, writes)
        if bodies(statement) and any(isinstance(each, Alloc) and each.name == name for each in walk([statement])):
            changed = with_bodies(statement, tuple(_recomputed_in(inner, name, writes) for inner in bodies(statement)))
            return (*body[:number], changed, *body[number + 1:])
    return body


def _read_anew(body: Body, number: int, writes: Counter[str]) -> Body:
    """Without the array that body[number] allocates, if a loop stores it and later loops may compute its elements."""
    name = body[number].name  # type: ignore[union-attr]
    users = [k for k, each in enumerate(body) if k != number and _touches(each, name)]
    stores = [each for each in walk(body) if isinstance(each, Store) and each.array == name]
    if len(users) < 2 or len(stores) != 1 or stores[0].op:
        return body
    store, first, later = stores[0], users[0], users[1:]
    loops = _loops_around(body[first], store)
    if loops is None or not _is_worth_it(store, [body[k] for k in later]) or any(_compares(body[k], name) for k in users):
        return body
    indices = {loop.index for loop in loops}
    if any(index not in [Name(each) for each in indices] for index in store.index) or len(set(store.index)) != len(store.index):
        return body
    inside = effects([body[first]])
    for part in walk_expr(store.value):
        if isinstance(part, Name) and part not in store.index and (part.id in indices | inside.writes or writes[part.id] > 1):
            return body
        if isinstance(part, Load) and any(part.array in effects([each]).changed for each in body[first:later[-1] + 1]):
            return body
    if any(_reads_within(body[k], name, store.value) for k in later):
        return body
    scalar = tuple(_as_scalar(each, name, store) for each in (body[first],))
    new = {first: scalar[0], **{k: _computed(body[k], name, store) for k in later}}
    return tuple(new.get(k, each) for k, each in enumerate(body) if k != number)
