"""while: a region, or trip by trip where the test is known and a region is not possible."""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import libcst as cst

from s2s.errors import S2SError
from s2s.transforms.ir.program import Block, While
from s2s.transforms.read.failures import Suppressed
from s2s.transforms.read.flow.by_trips import UNROLL_LIMIT, NotByTrips
from s2s.transforms.read.flow.caught import Unwound
from s2s.transforms.read.flow.control_flow import (
    after_loop,
    contains,
    early_test,
    either_way,
    ended,
    leaves_early,
    refused,
    trip,
)
from s2s.transforms.read.flow.joining import finish_if
from s2s.transforms.read.flow.loops.carry import Carry
from s2s.transforms.read.flow.options import narrowed
from s2s.transforms.read.flow.written_loops import names_taken
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.frame import BROKE, CONTINUED, RAISED, RETURNED
from s2s.transforms.read.syntax.in_place import fresh
from s2s.transforms.read.syntax.scope import Names, assigned, orelse_of, widened
from s2s.transforms.read.syntax.source import statements_of
from s2s.types import BOOL, Array, Atom, Literal


def while_statement(reader: Reader, node: cst.While) -> None:
    """Read a while loop: a region, or trip by trip where the test is known (`either_way`)."""
    body = list(statements_of(node.body))
    if not orelse_of(node):
        _read(reader, node, body)
    elif assigned([node.test]):
        _with_a_flag(reader, node)
    else:
        before = reader.checkpoint()
        try:
            _read(reader, node, body)
        except _Assigns:
            reader.rollback(before)
            _with_a_flag(reader, node)


def _read(reader: Reader, node: cst.While, body: list[Any]) -> None:
    is_known = partial(_is_known, reader, node, reader.checkpoint())
    if _is_endless(node):
        reader.errors.extend(refused(reader, partial(runtime_while, reader, node, body)))
    else:
        either_way(reader, node, partial(_region_on_trial, reader, node, body, is_known), partial(_unrolled_while, reader, node, body), is_known)
    after_loop(reader, node)


def _with_a_flag(reader: Reader, node: cst.While) -> None:
    """Read a loop with an `else` whose test binds names as a loop that its test leaves, and an if behind it."""
    frame = reader.frame
    statements, ended_, origins = _written_out(node, names_taken(frame))
    frame.tree.locations.update((new, reader.where(old)) for new, old in origins.items())
    scope, statement = frame.scope, frame.statement
    frame.scope = widened(scope, list(statements), frozenset((ended_,)), frame.live)
    try:
        reader.rules.execute(list(statements))
    finally:
        frame.scope, frame.statement = scope, statement
        frame.names.pop(ended_, None)


@lru_cache(maxsize=256)
def _written_out(node: cst.While, taken: Names) -> tuple[tuple[Any, ...], str, dict[Any, Any]]:
    """while True: if test: body, else: ended = True; break. Then: if ended: orelse. The new name, and where the new nodes come from."""
    name = fresh("ended", taken)
    last, body = orelse_of(node), list(statements_of(node.body))
    loop = cst.While(nodes.name("True"), nodes.suite([nodes.branch(node.test, body, [nodes.assign(name, nodes.name("True")), cst.Break()])]))
    statements = (nodes.assign(name, nodes.name("False")), loop, nodes.branch(nodes.name(name), last, []))
    users = {part for each in (node.test, *body, *last) for part in nodes.inside(each)}
    return statements, name, {part: node for each in statements for part in nodes.inside(each) if part not in users}


def _region_on_trial(reader: Reader, node: cst.While, body: list[Any], is_known: Callable[[], bool]) -> None:
    over_text = any(isinstance(value, str) and len(value) > 1 for value in reader.frame.names.values()) and is_known()
    reader.over_text += over_text
    try:
        runtime_while(reader, node, body)
    finally:
        reader.over_text -= over_text


def _is_endless(node: cst.While) -> bool:
    return isinstance(node.test, cst.Integer) or isinstance(node.test, cst.Name) and node.test.value in ("True", "False")


def _is_known(reader: Reader, node: cst.While, before: Any) -> bool:
    """Whether the test is known at the start; the state is put back there."""
    reader.rollback(before)
    known = isinstance(reader.rules.test(node.test), bool)
    reader.rollback(before)
    return known


def _unrolled_while(reader: Reader, node: cst.While, body: list[Any]) -> None:
    failed = len(reader.errors)
    for _ in range(UNROLL_LIMIT):
        with reader.at(node.test):
            test = reader.rules.test(node.test)
        if not isinstance(test, bool):
            raise NotByTrips("a while loop whose test is known in its first trips only", where=reader.builder.where, instead="make the test depend on run-time values only")
        if reader.session.is_spent():
            break
        if not test:
            return
        reader.rules.execute(body)
        names = reader.frame.names
        names[CONTINUED] = False
        if reader.raised or any(names[signal] is True for signal in (BROKE, RETURNED, RAISED)) or len(reader.errors) > failed:
            return
        if not all(isinstance(names[signal], bool) for signal in (BROKE, RETURNED, RAISED)):
            raise NotByTrips("a run-time break or return in a while loop that is read trip by trip", where=reader.builder.where, instead="for … in range(…)")
    raise NotByTrips(f"a while loop of more than {UNROLL_LIMIT} trips that must be read one by one", where=reader.builder.where, instead="a test on run-time values")


class _Assigns(Exception):
    """The test of a loop changes something, or raises what a `try` around catches."""


def runtime_while(reader: Reader, node: cst.While, body: list[Any]) -> None:
    """A While region."""
    before = reader.checkpoint()
    assigns = bool(assigned([node.test]))
    try:
        _region(reader, node, body, assigns=assigns)
    except _Assigns:
        if orelse_of(node):
            raise
        reader.rollback(before)
        _region(reader, node, body, assigns=True)


def _region(reader: Reader, node: cst.While, body: list[Any], *, assigns: bool) -> None:
    early = leaves_early(body) or assigns or bool(reader.catching)
    carry = Carry(reader, node, assigned([node]) & reader.frame.scope.header.get(node, assigned([node])), early)
    where = reader.where(node)
    whole: Any = partial(_tested_trip, reader, node, body) if assigns else body
    while True:
        carry.prepare()
        branch = reader.fork()
        errors: list[S2SError] = []
        with reader.inside(branch), carry.round():
            variables = carry.begin(None)
            test = _trip_on_trial(reader, node, whole, carry, errors, assigns=assigns)
            done = test is False or ended(carry, None, errors)
        if done:
            break
    reader.errors.extend(errors)
    if errors:
        return
    if test is False:  # it is asked once all the same, and may raise
        carry.lists.forget()
        with reader.at(node.test):
            reader.rules.test(node.test)
        return
    outs = carry.outs()
    reader.builder.add(While(outs, variables, carry.init(None), test, branch.builder.block(*carry.results), where))
    carry.finish()
    if not early and isinstance(test, Block) and test.results[0] in reader.session.tests:
        with reader.at(node.test):
            behind = reader.rules.test(node.test)
        if not isinstance(behind, bool):
            narrowed(reader, behind, holds=False)
    if _ends_by_return_only(node, body):
        reader.frame.names[RETURNED] = True


def _trip_on_trial(reader: Reader, node: cst.While, whole: Any, carry: Carry, errors: list[S2SError], *, assigns: bool) -> Any:
    """The test of a loop, behind which a trip was read, of what is carried so far; False where there is no trip. `errors`: gets what could not be read."""
    found: list[S2SError] = []
    try:
        with reader.trial() as found:
            test = early_test(reader, carry, lambda: Literal(True, Array(BOOL))) if assigns else _while_test(reader, node, carry)
            if isinstance(test, Block):
                narrowed(reader, test.results[0], holds=True)
            if test is not False:
                trip(reader, lambda: None, whole)
    except Suppressed:  # a function that the test calls was not read
        reader.errors.extend(found)
        raise
    errors.extend(found)
    return test


def _ends_by_return_only(node: cst.While, body: list[Any]) -> bool:
    """Whether what follows the loop is never reached: `while True` without a break."""
    endless = isinstance(node.test, cst.Name) and node.test.value == "True" or isinstance(node.test, cst.Integer) and int(node.test.value, 0) != 0
    return endless and contains(body, (cst.Return,), into_loops=True) and not contains(body, (cst.Break,), into_loops=False)


def _tested_trip(reader: Reader, node: cst.While, body: list[Any]) -> None:
    """A trip of a while loop whose test assigns: `while True: if not test: break; body`."""
    try:
        with reader.at(node.test):
            test = reader.rules.test(node.test)
    except Unwound:
        return
    if isinstance(test, bool):
        reader.frame.names[BROKE] = not test
        reader.rules.execute(body)
        return
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        reader.rules.execute(body)
    two.state.names[BROKE] = True
    finish_if(reader, test, one, two, reader.frame.scope.header.get(node, reader.frame.live) | reader.frame.live)


def _while_test(reader: Reader, node: cst.While, carry: Carry) -> Any:
    """The block of the test, read with what is carried; False if it is known not to hold."""
    known: list[bool] = []

    def own() -> Atom:
        with reader.at(node.test):
            before, pending = reader.state().copy(), len(reader.pending)
            try:
                value = reader.rules.test(node.test)
            except Unwound:
                raise _Assigns from None
            if len(reader.pending) > pending:
                raise _Assigns
            changed = any(reader.heap[ref] is not content for ref, content in before.heap.items())
            if changed or any(reader.frame.names.get(name) is not old for name, old in before.names.items()):
                raise _Assigns
        if isinstance(value, bool):
            known.append(value)
            return Literal(value, Array(BOOL))
        return value

    block = early_test(reader, carry, own)
    carry.runs_once = known == [True]
    return False if known == [False] else block
