"""if and for: regions where the test or the range is of run time, read through where it is known.

break, continue and return inside a region set flags (`%broke`, …); what follows them runs under `If(not flag)`.
    if c: return a      the rest of the block is read inside the other branch, so that no flag is needed
    rest
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import libcst as cst

from s2s.errors import InternalError, S2SError, UnsupportedError
from s2s.records import replace
from s2s.transforms.ir.program import Block, For, If, While
from s2s.transforms.primitives.arithmetic import less
from s2s.transforms.read.callables import FlatArray
from s2s.transforms.read.calls.none_words import check_special
from s2s.transforms.read.calls.special_methods import iterator
from s2s.transforms.read.failures import ChangedMeanwhile, Suppressed
from s2s.transforms.read.flow import in_place
from s2s.transforms.read.flow.by_trips import LEFT_EARLY_LIMIT, NotByTrips, known_count, unrolled
from s2s.transforms.read.flow.caught import settle
from s2s.transforms.read.flow.conditions import add_raising, both, either, is_safe, negated, splice
from s2s.transforms.read.flow.iteration import iterate
from s2s.transforms.read.flow.joining import finish_if, unless_left
from s2s.transforms.read.flow.loops.carry import Carry
from s2s.transforms.read.flow.many_numbers import FEW, are_many_numbers, through_array
from s2s.transforms.read.flow.once import looped, refuse_changed
from s2s.transforms.read.flow.options import is_at, narrowed, possible
from s2s.transforms.read.flow.own_iterators import for_loop, iterator_of, lists_behind, noticing
from s2s.transforms.read.flow.spreading import attempted
from s2s.transforms.read.iterations import Endless, Iteration, Pulled
from s2s.transforms.read.made_of import move_to
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.syntax.frame import BROKE, CONTINUED, RAISED, SIGNALS
from s2s.transforms.read.syntax.scope import NONE, Names, assigned, blocks_of, names_read, orelse_of, walruses
from s2s.transforms.read.syntax.source import statements_of
from s2s.transforms.read.values import Abstract, IteratorRef, OneOf, moment
from s2s.types import BOOL, SIZE, Array, Atom, Literal, Var, size_literal

LONG = 256
"""Trips from which a list that grows is made an array, though their number is known."""
MUCH = 600
"""Nodes that the trips of a loop through more items make until it becomes one through an array of them."""


# ---- if ----------------------------------------------------------------------------------------------------------------


def if_statement(reader: Reader, node: cst.If, rest: list[Any]) -> bool:
    """Read an if. True if the statements behind it (`rest`) were read too."""
    then, orelse = list(statements_of(node.body)), orelse_of(node)
    with reader.at(node.test):
        test = reader.rules.test(node.test)
    if isinstance(test, bool):
        reader.rules.execute(then if test else orelse)
        return False
    return if_else(reader, node.test, test, lambda: reader.rules.execute(then), lambda: reader.rules.execute(orelse), rest)


def if_else(reader: Reader, place: cst.CSTNode, test: Atom, then: Callable[[], None], orelse: Callable[[], None], rest: list[Any]) -> bool:
    """Read both sides of a test. True if the statements behind (`rest`) were read too."""
    live = reader.frame.live
    one = reader.fork()
    with reader.inside(one):
        narrowed(reader, test, holds=True)
        then()
    if one.state.raised:
        add_raising(reader, test, one)
        narrowed(reader, test, holds=False)
        orelse()
        return False
    two = reader.fork()
    with reader.inside(two):
        narrowed(reader, test, holds=False)
        orelse()
    consumed = False
    open_one, open_two = not _left(one), not _left(two)
    if rest and open_one != open_two:
        consumed = True
        with reader.inside(one if open_one else two):
            reader.rules.execute(rest)
        live = reader.frame.scope.after.get(rest[-1], live)
    with reader.at(place):
        finish_if(reader, test, one, two, live)
    return consumed


def _left(branch: Branch) -> bool:
    """Whether a branch surely leaves its block."""
    return branch.state.raised or any(branch.state.names[signal] is True for signal in SIGNALS)


def guarded(reader: Reader, statements: list[Any]) -> None:
    """Read statements that run only if no flag is set."""
    live = reader.frame.scope.after.get(statements[-1], reader.frame.live)
    unless_left(reader, SIGNALS, lambda: reader.rules.execute(statements), live)


def failed_before(reader: Reader) -> S2SError:
    """Stands for an error that was reported already."""
    return InternalError("a statement failed, but no error was reported", where=reader.builder.where)


# ---- loops -------------------------------------------------------------------------------------------------------------


def contains(statements: list[Any], kinds: tuple[type, ...], *, into_loops: bool) -> bool:
    """Whether statements hold one of these kinds, nested loops looked into or not (nested functions never)."""
    for statement in statements:
        kind = type(statement)  # libcst's classes are abstract ones: each isinstance asks a registry
        if kind in kinds:
            return True
        if kind in (cst.FunctionDef, cst.ClassDef) or kind in (cst.For, cst.While) and not into_loops:
            continue
        if any(contains(block, kinds, into_loops=into_loops) for block in blocks_of(statement)):
            return True
    return False


def leaves_early(body: list[Any]) -> bool:
    """Whether a loop's body has a break or return of this loop."""
    return contains(body, (cst.Break,), into_loops=False) or contains(body, (cst.Return,), into_loops=True)


def for_statement(reader: Reader, node: cst.For) -> None:
    """Read a for loop."""
    if node.asynchronous is not None:
        raise reader.unsupported("`async for` is not supported", "a plain for")
    with reader.at(node.iter):
        if in_place.for_loop(reader, node):
            return
        over = in_place.gone_through(reader, node)
    if over is not None:
        _loop_over(reader, node, over[0])


def _loop_over(reader: Reader, node: cst.For, over: Abstract) -> None:
    if isinstance(over, OneOf):
        first, *others = possible(reader, over)
        loop = partial(_loop_over, reader, node)
        if not others:
            loop(over.options[first])
        else:  # on the other path it is one of the others
            if_else(reader, node.iter, is_at(reader, over, first), lambda: attempted(reader, loop, over.options[first]), lambda: attempted(reader, loop, over), [])
        return
    with reader.at(node.iter):
        check_special(reader, over, "__iter__")
        if in_place.for_loop_of_object(reader, node, over):
            return
        if (own := iterator_of(reader, over)) is not None:
            for_loop(reader, node, own)
            return
        given = over
        over = over.iterator if isinstance(over, FlatArray) else own if (own := iterator(reader, over)) is not None else over
        if isinstance(over, IteratorRef) and _takes_from(reader, node, over):
            for_loop(reader, node, over)
            return
        iteration = looped(reader, over, whole=not leaves_early(list(statements_of(node.body)))) if isinstance(over, IteratorRef) else iterate(reader, over)
    body = list(statements_of(node.body))
    lists = lists_behind(reader, given, over)

    def bind(item: Abstract) -> None:
        reader.rules.assign(node.target, item)

    def run() -> None:
        if iteration.items is not None:
            _through_items(reader, node, body, iteration, bind)
        else:
            _runtime_or_unrolled(reader, node, body, iteration, bind)
            if isinstance(over, IteratorRef):
                refuse_changed(reader, over)
            if isinstance(over, IteratorRef) and not leaves_early(body):
                move_to(reader, over, None)

    held, reader.frame.held = reader.frame.held, (*reader.frame.held, *iteration.views)
    try:
        if _changes_meanwhile(reader, run, lists):
            for_loop(reader, node, noticing(reader, given))
            return
    finally:
        reader.frame.held = held
    after_loop(reader, node)


def _changes_meanwhile(reader: Reader, run: Callable[[], None], lists: tuple[Any, ...]) -> bool:
    """Whether reading a loop was taken back, as one of these lists grows or shrinks meanwhile."""
    if not lists:
        run()
        return False
    before, known = reader.checkpoint(), len(reader.errors)
    try:
        run()
        errors = reader.errors[known:]
    except ChangedMeanwhile as error:
        errors = [error]
    changed = [error for error in errors if isinstance(error, ChangedMeanwhile) and any(error.of is each for each in lists)]
    if changed:
        del reader.errors[known:]
        reader.rollback(before)
    elif len(errors) > len(reader.errors[known:]):
        raise errors[0]
    return bool(changed)


def _takes_from(reader: Reader, node: cst.For, ref: IteratorRef) -> bool:
    """Whether the body of a loop through an iterator, of which only the run knows how much is left, takes items from it, too."""
    if not any(reader.frame.names.get(name) is ref for name in names_read(node.body)) or isinstance(ref.source, Pulled):
        return False
    return isinstance(ref.source, Endless) or iterate(reader, ref.source).items is None


def _runtime_or_unrolled(reader: Reader, node: cst.For, body: list[Any], iteration: Iteration, bind: Any) -> None:
    """A region; if that fails and the trip count is known, trip by trip. The other way round where an earlier reading needed what each trip makes."""
    if iteration.static is None:
        reader.errors.extend(refused(reader, partial(runtime_for, reader, node, body, iteration, bind)))
        return
    items = iteration.static
    as_region = partial(_region_on_trial, reader, node, body, iteration, bind)
    either_way(reader, node, as_region, lambda: _short_or_much(reader, node, body, iteration, Iteration(items()), bind), lambda: True)


def _short_or_much(reader: Reader, node: cst.For, body: list[Any], iteration: Iteration, given: Iteration, bind: Any) -> None:
    """Trip by trip; as a region in which lists may grow, where few trips make much."""
    by_trips = partial(unrolled, reader, body, given, bind)
    if reader.session.by_trips or not _is_short(iteration) or known_count(iteration) <= FEW:
        by_trips()
        return
    before = reader.checkpoint()
    errors = failures(reader, partial(by_trips, most=MUCH))
    if any(isinstance(error, NotByTrips) for error in errors):
        reader.rollback(before)
        with unrollable(reader):
            errors = failures(reader, partial(runtime_for, reader, node, body, replace(iteration, static=None), bind))
        if errors:
            reader.rollback(before)
            errors = failures(reader, by_trips)
    reader.errors.extend(errors)


def _through_items(reader: Reader, node: cst.For, body: list[Any], iteration: Iteration, bind: Any) -> None:
    """Trip by trip; as a loop through an array of the items, if they are numbers, where many trips make much or only the run knows which is the last."""
    given, content = iteration.items or (), _content(reader, iteration)
    most = MUCH if are_many_numbers(reader, given) else None
    by_trips = partial(unrolled, reader, body, iteration, bind)
    if most is None and (len(given) <= LEFT_EARLY_LIMIT or not leaves_early(body)):
        by_trips()
        return
    before = reader.checkpoint()
    errors = failures(reader, partial(by_trips, most=most))
    if any(isinstance(error, NotByTrips) for error in errors):
        reader.rollback(before)
        if (table := through_array(reader, given)) is not None:
            errors = failures(reader, partial(runtime_for, reader, node, body, table, bind))
            if not _are_the_same(content, _content(reader, iteration)):
                errors.append(ChangedMeanwhile(reader, iteration.container))
        if errors and most is not None:
            reader.rollback(before)
            errors = failures(reader, by_trips)
    reader.errors.extend(errors)


def _content(reader: Reader, iteration: Iteration) -> Any:
    return () if iteration.container is None else reader.heap[iteration.container]


def _are_the_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) is tuple and len(one) == len(other) and all(map(operator.is_, one, other))


def either_way(reader: Reader, node: cst.For | cst.While, as_region: Callable[[], None], by_trips: Callable[[], None], is_known: Callable[[], bool]) -> None:
    """Read a loop as a region, else trip by trip, if its trips are known; or first trip by trip, where an earlier reading needed that (`Session.by_trips`)."""
    before, session = reader.checkpoint(), reader.session
    session.has_known_trips = True
    if session.by_trips and node not in session.as_regions and is_known():
        if not failures(reader, by_trips):
            return
        session.as_regions.add(node)
        reader.rollback(before)
    errors = failures(reader, as_region)
    if errors and node not in session.as_regions and is_known():
        reader.rollback(before)
        others = failures(reader, by_trips)
        if not any(isinstance(error, NotByTrips) for error in others):
            errors = others  # what keeps it from being a loop is what the user can change
    reader.errors.extend(errors)


def read_either(reader: Reader, one: Callable[[], None], other: Callable[[], None]) -> None:
    """Read it in one way; in the other one where that is refused."""
    before = reader.checkpoint()
    errors = failures(reader, one)
    if errors:
        reader.rollback(before)
        errors = failures(reader, other)
    reader.errors.extend(errors)


def failures(reader: Reader, way: Callable[[], None]) -> list[S2SError]:
    """What is refused where a loop is read in this way, beside which there is another one."""
    with reader.alternative():
        return refused(reader, way)


def refused(reader: Reader, way: Callable[[], None]) -> list[S2SError]:
    """What is refused where a loop is read in this way, the only one."""
    with reader.trial() as errors:
        try:
            way()
        except S2SError as error:
            errors.append(error)
        except Suppressed:
            errors.extend(errors or [failed_before(reader)])
    return errors


def _region_on_trial(reader: Reader, node: cst.For, body: list[Any], iteration: Iteration, bind: Any) -> None:
    with unrollable(reader, by=_is_short(iteration)):
        runtime_for(reader, node, body, iteration, bind)


@contextmanager
def unrollable(reader: Reader, *, by: bool = True) -> Iterator[None]:
    """Read what can be read trip by trip instead."""
    reader.unrollable += by
    try:
        yield
    finally:
        reader.unrollable -= by


def after_loop(reader: Reader, node: cst.For | cst.While) -> None:
    """The else clause, and the end of `break`."""
    names = reader.frame.names
    orelse = orelse_of(node)
    if orelse and names[BROKE] is not True and not reader.raised:
        reader.rules.execute(orelse)  # under If(not broke), as any statement while a flag is set
    reader.frame.names[BROKE] = False


def runtime_for(reader: Reader, node: Any, body: Any, iteration: Iteration, bind: Any, fills: Grown | None = None) -> None:
    """A For, or a While with the index carried if the body may leave it early. What is refused in it may be read where the call tells how many trips it has.
    `fills`: the list into which each trip puts an item.
    """
    known = len(reader.errors)
    try:
        _runtime_for(reader, node, body, iteration, bind, fills)
    except UnsupportedError as error:
        error.sizes += (iteration.hi,)
        raise
    finally:
        for each in reader.errors[known:]:
            if isinstance(each, UnsupportedError):
                each.sizes += (iteration.hi,)


def _runtime_for(reader: Reader, node: Any, body: Any, iteration: Iteration, bind: Any, fills: Grown | None) -> None:
    early = not callable(body) and leaves_early(body)
    names = _bound_by(reader, node, body)
    carry = Carry(reader, node, names, early, own=callable(body), may_grow=iteration.static is None or not _is_short(iteration), fills=fills)
    where = reader.where(node)
    lo, hi, step = iteration.lo, iteration.hi, iteration.step
    assert lo is not None and hi is not None and step is not None and iteration.item is not None
    while True:
        carry.prepare()
        branch = reader.fork()
        with reader.inside(branch), carry.round():
            index = Var("index", Array(SIZE.dtype, (), weak=True))
            variables = carry.begin(index, counts=early)
            reader.builder.know_index(index, lo, hi, step)
            with reader.trial() as errors:
                trip(reader, partial(_bind_item, bind, iteration, index), body)
            raises = not early and reader.frame.names[RAISED] is not False
            following = reader.plus(index, step) if early else None
            done = not raises and ended(carry, following, errors)
        if done:
            break
        if raises:  # what a `try` around it catches ends the loop
            early, carry = True, Carry(reader, node, names, early=True, own=callable(body))
    reader.errors.extend(errors)
    if errors:
        return
    if isinstance(step, Literal):
        low, high = (lo, hi) if step.value > 0 else (hi, lo)  # type: ignore[operator]
        carry.runs_once = reader.builder.proves_at_least(high, reader.plus(low, 1))
    init = carry.init(lo if early else None)
    outs = carry.outs()
    if early:
        test = early_test(reader, carry, lambda: _in_range(reader, index, hi, step))
        reader.builder.add(While(outs, variables, init, test, branch.builder.block(*carry.results), where))
    else:
        reader.builder.add(For(outs, index, lo, hi, step, variables, init, branch.builder.block(*carry.results), where, reverse=False))
    carry.finish()
    if early and iteration.left_at is not None:
        iteration.left_at(outs[0])


def _bound_by(reader: Reader, node: Any, body: Any) -> Names:
    """The names that a loop's body binds, and that are live in a later trip or behind it."""
    if callable(body):
        return walruses(node) if isinstance(node, cst.BaseComp) else NONE
    return assigned([node]) & reader.frame.scope.header.get(node, assigned([node]))


def _bind_item(bind: Any, iteration: Iteration, index: Var) -> None:
    assert iteration.item is not None
    bind(iteration.item(index))


def ended(carry: Carry, following: Atom | None, errors: list[S2SError]) -> bool:
    """Whether the body need not be read again."""
    if carry.must_prepare():
        return False
    if errors and carry.forget_guess(wrong=True):  # they may follow from it
        return False
    try:
        return not carry.must_prepare() and carry.end(following, whole=not errors) or bool(errors and not carry.leaves.changed)
    except Suppressed:
        if not errors:
            raise
        return True


def _is_short(iteration: Iteration) -> bool:
    """Whether there are few trips, by their bounds."""
    return known_count(iteration) <= LONG


def trip(reader: Reader, bind: Any, body: Any) -> None:
    """Read a loop's body once: bind what the loop goes through, then the statements (or call `body`)."""
    before, reader.trip_began = reader.trip_began, moment()
    try:
        _trip(reader, bind, body)
    finally:
        reader.trip_began = before


def _trip(reader: Reader, bind: Any, body: Any) -> None:
    pending = len(reader.pending)
    try:
        bind()
    except S2SError as error:
        reader.errors.append(error)
        return
    except Suppressed:
        return
    settle(reader, pending)
    if callable(body):
        try:
            body()
        except Suppressed:
            if not reader.errors:
                raise
            return  # what it calls was not read, and that is told
        settle(reader, pending)
    else:
        reader.rules.execute(body)
    reader.frame.names[CONTINUED] = False


def _in_range(reader: Reader, index: Atom, hi: Atom, step: Atom) -> Atom:
    if isinstance(step, Literal):
        pair = (index, hi) if step.value > 0 else (hi, index)  # type: ignore[operator]
        return reader.builder.equation(less, pair)[0]
    (up,) = reader.builder.equation(less, (size_literal(0), step))
    (below,) = reader.builder.equation(less, (index, hi))
    (above,) = reader.builder.equation(less, (hi, index))
    return either(reader, both(reader, up, below), both(reader, negated(reader, up), above))


def early_test(reader: Reader, carry: Carry, test: Any) -> Block:
    """The block of a While's test: no flag is set, and the loop's own test holds."""
    branch = reader.fork()
    with reader.inside(branch):
        flags = carry.flags()
        stay: Atom | None = None
        for flag in flags:
            stay = negated(reader, flag) if stay is None else both(reader, stay, negated(reader, flag))
        result = _and_test(reader, stay, test)
        return reader.builder.block(result)


def _and_test(reader: Reader, stay: Atom | None, test: Any) -> Atom:
    if stay is None:
        return test()
    one = reader.fork()
    with reader.inside(one):
        own = test()
    if is_safe(one.builder.nodes):
        splice(reader, one)
        return both(reader, stay, own)
    out = Var("test", Array(BOOL))
    reader.builder.add(If((out,), stay, one.builder.block(own), Block((), (Literal(False, Array(BOOL)),)), reader.builder.where))
    return out
