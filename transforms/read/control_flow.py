"""if, for and while: regions where the test or the range is of run time, read through where it is known.

break, continue and return inside a region set flags (`%broke`, …); what follows them runs under `If(not flag)`.
    if c: return a      the rest of the block is read inside the other branch, so that no flag is needed
    rest
"""
from __future__ import annotations

from functools import partial
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import InternalError, S2SError
from s2s.transforms.build import Builder
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import less
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.program import Block, Check, Equation, For, If, Node, While
from s2s.transforms.read.frame import BROKE, CONTINUED, RETURNED, SIGNALS
from s2s.transforms.read.growing import append, filled_list, grown, item_type
from s2s.transforms.read.loops import Carry
from s2s.transforms.read.merge import bound_in, finish_if
from s2s.transforms.read.numpy_functions_arithmetic import logical, logical_not
from s2s.transforms.read.numpy_functions_common import building, truth
from s2s.transforms.read.reader import Branch, Reader, Suppressed
from s2s.transforms.read.scope import assigned, orelse_of
from s2s.transforms.read.source import statements_of
from s2s.transforms.read.values import Abstract, DictRef, Iteration, ListRef, ObjectRef, Outside, View, is_runtime
from s2s.types import BOOL, SIZE, Array, Atom, Dim, Literal, Var, size_literal

LONG = 256
"""Trips from which a list that grows is made an array, though their number is known."""
UNROLL_LIMIT = 4096
"""Trips of a loop that is read trip by trip."""


# ---- conditions --------------------------------------------------------------------------------------------------------


def truth_of(reader: Reader, value: Abstract) -> bool | Atom:
    """bool(value): known, or a bool atom."""
    if isinstance(value, ListRef | DictRef):
        return bool(reader.heap[value])
    if isinstance(value, ObjectRef):
        return True
    if isinstance(value, Outside):
        return bool(value.object)
    if not is_runtime(value):
        return bool(reader.wrap(value))
    with building(reader.builder):
        result = truth(reader.wrap(value))
    return result if isinstance(result, bool) else result.atom


def negated(reader: Reader, test: Atom) -> Atom:
    """not test."""
    if isinstance(test, Literal):
        return Literal(not test.value, test.type)
    with building(reader.builder):
        return logical_not(reader.value(test)).atom


def both(reader: Reader, a: Atom, b: Atom) -> Atom:
    """a and b, both computed."""
    for known, other in ((a, b), (b, a)):
        if isinstance(known, Literal):
            return other if known.value else known
    with building(reader.builder):
        return logical("logical_and")(reader.value(a), reader.value(b)).atom


def either(reader: Reader, a: Atom, b: Atom) -> Atom:
    """a or b, both computed."""
    with building(reader.builder):
        return logical("logical_or")(reader.value(a), reader.value(b)).atom


def is_safe(nodes: list[Node]) -> bool:
    """Whether nodes may run where the user's code would not run them: cheap, and they can't fail."""
    return all(
        isinstance(node, Equation) and isinstance(node.primitive.emission, Elementwise) and not any(out.type.shape for out in node.outs)
        for node in nodes
    )


def splice(reader: Reader, branch: Branch) -> None:
    """Append a branch's nodes to this block."""
    reader.builder.nodes.extend(branch.builder.nodes)


# ---- if ----------------------------------------------------------------------------------------------------------------


def if_statement(reader: Reader, node: cst.If, rest: list[Any]) -> bool:
    """Read an if. True if the statements behind it (`rest`) were read too."""
    then, orelse = list(statements_of(node.body)), orelse_of(node)
    with reader.at(node.test):
        test = truth_of(reader, reader.evaluate(node.test))
    if isinstance(test, bool):
        reader.execute(then if test else orelse)
        return False
    live = reader.frame.live
    one = reader.fork()
    with reader.inside(one):
        reader.execute(then)
    if one.state.raised:
        add_raising(reader, test, one)
        reader.execute(orelse)
        return False
    two = reader.fork()
    with reader.inside(two):
        reader.execute(orelse)
    consumed = False
    open_one, open_two = not _left(one), not _left(two)
    if rest and open_one != open_two:
        consumed = True
        with reader.inside(one if open_one else two):
            reader.execute(rest)
        live = reader.frame.scope.after.get(rest[-1], live)
    with reader.at(node.test):
        finish_if(reader, test, one, two, live)
    return consumed


def _left(branch: Branch) -> bool:
    """Whether a branch surely leaves its block."""
    return branch.state.raised or any(branch.state.names[signal] is True for signal in SIGNALS)


def add_raising(reader: Reader, test: Atom, branch: Branch) -> None:
    """Append what a branch that always raises does: a Check where that is all."""
    nodes = branch.builder.nodes
    last = nodes[-1]
    if isinstance(last, Check) and isinstance(last.test, Literal) and is_safe(nodes[:-1]):
        reader.builder.nodes.extend(nodes[:-1])
        with reader.builder.at(last.where):
            reader.builder.check(negated(reader, test), last.exception, last.message, *last.values)
        return
    reader.builder.add(If((), test, Block(tuple(nodes)), Block(()), last.where))


def guarded(reader: Reader, statements: list[Any]) -> None:
    """Read statements that run only if no flag is set."""
    flags = [signal for signal in SIGNALS if not isinstance(reader.frame.names[signal], bool)]
    leaving = reader.frame.names[flags[0]]
    for flag in flags[1:]:
        leaving = either(reader, leaving, reader.frame.names[flag])
    test = negated(reader, leaving)
    one, two = reader.fork(), reader.fork()
    for flag in flags:
        one.state.names[flag] = False
    if len(flags) == 1:
        two.state.names[flags[0]] = True
    with reader.inside(one):
        reader.execute(statements)
    finish_if(reader, test, one, two, reader.frame.scope.after.get(statements[-1], reader.frame.live))


def failed_before(reader: Reader) -> S2SError:
    """Stands for an error that was reported already."""
    return InternalError("a statement failed, but no error was reported", where=reader.builder.where)


# ---- loops -------------------------------------------------------------------------------------------------------------


def contains(statements: list[Any], kinds: tuple[type, ...], *, into_loops: bool) -> bool:
    """Whether statements hold one of these kinds, nested loops looked into or not (nested functions never)."""
    for statement in statements:
        if isinstance(statement, kinds):
            return True
        if isinstance(statement, cst.FunctionDef | cst.ClassDef) or (isinstance(statement, cst.For | cst.While) and not into_loops):
            continue
        body = getattr(statement, "body", None)
        inner = [*(statements_of(body) if isinstance(body, cst.BaseSuite) else ())]
        if isinstance(statement, cst.If | cst.For | cst.While):
            inner += orelse_of(statement)
        if contains(inner, kinds, into_loops=into_loops):
            return True
    return False


def leaves_early(body: list[Any]) -> bool:
    """Whether a loop's body has a break or return of this loop."""
    return contains(body, (cst.Break,), into_loops=False) or contains(body, (cst.Return,), into_loops=True)


def for_statement(reader: Reader, node: cst.For) -> None:
    """Read a for loop."""
    from s2s.transforms.read.iteration import iterate

    if node.asynchronous is not None:
        raise reader.unsupported("`async for` is not supported", "a plain for")
    with reader.at(node.iter):
        iteration = iterate(reader, reader.evaluate(node.iter))
    body = list(statements_of(node.body))

    def bind(item: Abstract) -> None:
        from s2s.transforms.read.statements import assign

        assign(reader, node.target, item)

    held, reader.frame.held = reader.frame.held, (*reader.frame.held, *iteration.views)
    try:
        if iteration.items is not None:
            unrolled(reader, body, iteration.items, bind)
        else:
            _runtime_or_unrolled(reader, node, body, iteration, bind)
    finally:
        reader.frame.held = held
    _after_loop(reader, node)


def _runtime_or_unrolled(reader: Reader, node: cst.For, body: list[Any], iteration: Iteration, bind: Any) -> None:
    """A region; if that fails and the trip count is known, trip by trip."""
    before = reader.checkpoint()
    with reader.trial() as errors:
        try:
            runtime_for(reader, node, body, iteration, bind)
        except S2SError as error:
            errors.append(error)
        except Suppressed:
            errors.extend(errors or [failed_before(reader)])
    if not errors:
        return
    if iteration.static is not None:
        reader.rollback(before)
        with reader.trial() as others:
            try:
                unrolled(reader, body, iteration.static(), bind)
            except S2SError as error:
                others.append(error)
            except Suppressed:
                others.extend(others or [failed_before(reader)])
        if not others:
            return
        errors = others
    reader.errors.extend(errors)


def unrolled(reader: Reader, body: list[Any], items: tuple[Abstract, ...], bind: Any) -> None:
    """Read the body once for each item."""
    from s2s.transforms.read.iteration import settled

    if len(items) > UNROLL_LIMIT:
        raise reader.unsupported(f"a loop of {len(items)} trips that must be read one by one", "loop over range(…) and index an array")
    live, failed = reader.frame.live, len(reader.errors)
    for number, item in enumerate(items):
        reader.frame.live = live | reader.frame.scope.header.get(_loop_of(reader, body), live)
        bind(settled(reader, item))
        reader.execute(body)
        names = reader.frame.names
        names[CONTINUED] = False
        if reader.raised or names[BROKE] is True or names[RETURNED] is True or len(reader.errors) > failed:
            break  # what fails in one trip fails in the next one too
        if not isinstance(names[BROKE], bool) or not isinstance(names[RETURNED], bool):
            _rest_of_trips(reader, body, items[number + 1 :], bind)
            break
    reader.frame.live = live


def _loop_of(reader: Reader, body: list[Any]) -> Any:
    """The loop whose body this is."""
    for loop in reader.frame.scope.header:
        if body and next(iter(statements_of(loop.body)), None) is body[0]:  # type: ignore[attr-defined]
            return loop
    return None


def _rest_of_trips(reader: Reader, body: list[Any], items: tuple[Abstract, ...], bind: Any) -> None:
    """The trips behind one that may have left the loop."""
    if not items:
        return
    flags = [signal for signal in (BROKE, RETURNED) if not isinstance(reader.frame.names[signal], bool)]
    leaving = reader.frame.names[flags[0]]
    for flag in flags[1:]:
        leaving = either(reader, leaving, reader.frame.names[flag])
    one, two = reader.fork(), reader.fork()
    for flag in flags:
        one.state.names[flag] = False
    if len(flags) == 1:
        two.state.names[flags[0]] = True
    with reader.inside(one):
        unrolled(reader, body, items, bind)
    finish_if(reader, negated(reader, leaving), one, two, reader.frame.live | assigned(body))


def _after_loop(reader: Reader, node: cst.For | cst.While) -> None:
    """The else clause, and the end of `break`."""
    names = reader.frame.names
    orelse = orelse_of(node)
    if orelse and names[BROKE] is not True and not reader.raised:
        reader.execute(orelse)  # under If(not broke), as any statement while a flag is set
    reader.frame.names[BROKE] = False


def runtime_for(reader: Reader, node: Any, body: Any, iteration: Iteration, bind: Any) -> None:
    """A For, or a While with the index carried if the body may leave it early."""
    early = not callable(body) and leaves_early(body)
    names = frozenset() if callable(body) else assigned([node]) & reader.frame.scope.header.get(node, assigned([node]))
    carry = Carry(reader, node, names, early)
    where = reader.where(node)
    if iteration.static is not None and _is_short(iteration):
        carry.forbid_growth()
    lo, hi, step = iteration.lo, iteration.hi, iteration.step
    assert lo is not None and hi is not None and step is not None and iteration.item is not None
    while True:
        carry.prepare()
        branch = reader.fork()
        with reader.inside(branch):
            index = Var("index", Array(SIZE.dtype, (), weak=True))
            variables = carry.begin(index if early else None)
            reader.builder.know_index(index, lo, hi, step)
            with reader.trial() as errors:
                _trip(reader, partial(_bind_item, bind, iteration, index), body)
            following = reader.plus(index, step) if early else None
            done = _ended(carry, following, errors)
        if done:
            break
    reader.errors.extend(errors)
    if errors:
        return
    if isinstance(step, Literal):
        low, high = (lo, hi) if step.value > 0 else (hi, lo)  # type: ignore[operator]
        carry.runs_once = reader.builder.proves_at_least(high, reader.plus(low, 1))
    init = carry.init(lo if early else None)
    outs = carry.outs()
    if early:
        test = _early_test(reader, carry, lambda: _in_range(reader, index, hi, step))
        reader.builder.add(While(outs, variables, init, test, branch.builder.block(*carry.results), where))
    else:
        reader.builder.add(For(outs, index, lo, hi, step, variables, init, branch.builder.block(*carry.results), where))
    carry.finish(outs)


def _bind_item(bind: Any, iteration: Iteration, index: Var) -> None:
    assert iteration.item is not None
    bind(iteration.item(index))


def _ended(carry: Carry, following: Atom | None, errors: list[S2SError]) -> bool:
    """Whether the body need not be read again."""
    if carry.must_prepare():
        return False
    try:
        return not carry.must_prepare() and carry.end(following) or bool(errors and not carry.changed)
    except Suppressed:
        if not errors:
            raise
        return True


def _is_short(iteration: Iteration) -> bool:
    """Whether there are few trips, by their bounds."""
    bounds = iteration.lo, iteration.hi, iteration.step
    if not all(isinstance(bound, Literal) for bound in bounds):
        return True
    return len(range(*(int(bound.value) for bound in bounds))) <= LONG  # type: ignore[union-attr,arg-type]


def run_time_items(reader: Reader, node: Any, loop: cst.CompFor, iteration: Iteration) -> Abstract:
    """A comprehension over a run-time iteration: an array that a loop fills, or a list that grows where there is a condition."""
    from s2s.transforms.read.expressions import own_names
    from s2s.transforms.read.iteration import counted
    from s2s.transforms.read.statements import assign
    from s2s.transforms.read.subscripts import set_item

    count, item = counted(reader, iteration)
    count = sizes.larger(reader.builder, count, 0)
    counting = Iteration(None, size_literal(0), count, size_literal(1), lambda k: k)
    with own_names(reader, node):
        trial = reader.fork()
        with reader.inside(trial):
            index = Var("index", Array(SIZE.dtype, (), weak=True))
            reader.builder.know_index(index, size_literal(0), count, size_literal(1))
            assign(reader, loop.target, item(index))
            type_ = item_type(reader, (_as_item(reader, reader.evaluate(node.elt)),))
        known = type_ is not None and all(hoisted(reader, trial.builder, dim) for dim in type_.shape)
        if type_ is None or not known:
            raise reader.unsupported("a comprehension of run-time length whose items are neither numbers nor arrays of one size", "a loop that fills an array")
        tests = [test.test for test in loop.ifs]
        if not tests:

            def fill(array: View) -> None:
                def body() -> None:
                    position = reader.frame.names["%index"]
                    assign(reader, loop.target, item(position))
                    set_item(reader, array, position, _as_item(reader, reader.evaluate(node.elt)))

                _comprehension_loop(reader, node, counting, body)

            return filled_list(reader, count, type_, fill)
        ref = ListRef()
        reader.heap[ref] = grown(reader, (), type_)

        def body() -> None:
            assign(reader, loop.target, item(reader.frame.names["%index"]))
            test: Atom | None = None
            for each in tests:
                if test is not None:
                    raise reader.unsupported("two conditions in a comprehension of run-time length", "one condition, joined by `and`")
                value = truth_of(reader, reader.evaluate(each))
                test = Literal(value, Array(BOOL)) if isinstance(value, bool) else value
            one, two = reader.fork(), reader.fork()
            with reader.inside(one):
                append(reader, reader.heap[ref], _as_item(reader, reader.evaluate(node.elt)))
            finish_if(reader, test, one, two, frozenset())  # type: ignore[arg-type]

        _comprehension_loop(reader, node, counting, body)
        return ref


def hoisted(reader: Reader, inner: Builder, dim: Dim) -> bool:
    """Make a size that a block computed known in this one: move its integer arithmetic here. False if that is not possible."""
    if isinstance(dim, int) or dim not in bound_in(inner):
        return True
    node = next(node for node in inner.nodes if dim in node.outs)
    if not is_safe([node]) or not all(isinstance(atom, Literal) or hoisted(reader, inner, atom) for atom in node.ins):  # type: ignore[union-attr]
        return False
    if dim in bound_in(reader.builder):
        return True
    reader.builder.add(node)
    if dim in inner.normal.maps[0]:
        reader.builder.normal[dim] = inner.normal.maps[0][dim]
    reader.builder.numbered.update({key: value for key, value in inner.numbered.maps[0].items() if value is dim})
    reader.builder.facts.know(dim, lower=inner.facts.lower.get(dim, ()), upper=inner.facts.upper.get(dim, ()))
    return True


def _as_item(reader: Reader, value: Abstract) -> Abstract:
    """An item of a list of arrays: a list or tuple of numbers is a row."""
    if isinstance(value, tuple | ListRef):
        from s2s.transforms.read.calls import numpy_call

        return numpy_call(reader, np.array, (value,), {})
    return value


def _comprehension_loop(reader: Reader, node: Any, iteration: Iteration, body: Any) -> None:
    def bind(index: Abstract) -> None:
        reader.frame.names["%index"] = index

    before = len(reader.errors)
    runtime_for(reader, node, body, iteration, bind)
    reader.frame.names.pop("%index", None)
    if len(reader.errors) > before:
        raise Suppressed


def _trip(reader: Reader, bind: Any, body: Any) -> None:
    try:
        bind()
    except S2SError as error:
        reader.errors.append(error)
        return
    except Suppressed:
        return
    if callable(body):
        body()
    else:
        reader.execute(body)
    reader.frame.names[CONTINUED] = False


def _in_range(reader: Reader, index: Atom, hi: Atom, step: Atom) -> Atom:
    if isinstance(step, Literal):
        pair = (index, hi) if step.value > 0 else (hi, index)  # type: ignore[operator]
        return reader.builder.equation(less, pair)[0]
    (up,) = reader.builder.equation(less, (size_literal(0), step))
    (below,) = reader.builder.equation(less, (index, hi))
    (above,) = reader.builder.equation(less, (hi, index))
    return either(reader, both(reader, up, below), both(reader, negated(reader, up), above))


def _early_test(reader: Reader, carry: Carry, test: Any) -> Block:
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


def while_statement(reader: Reader, node: cst.While) -> None:
    """Read a while loop: a region; if that fails and the test is known, trip by trip."""
    body = list(statements_of(node.body))
    before = reader.checkpoint()
    with reader.trial() as errors:
        try:
            runtime_while(reader, node, body)
        except S2SError as error:
            errors.append(error)
        except Suppressed:
            errors.extend(errors or [failed_before(reader)])
    if errors and _is_known(reader, node, before):
        with reader.trial() as others:
            try:
                _unrolled_while(reader, node, body)
            except S2SError as error:
                others.append(error)
            except Suppressed:
                others.extend(others or [failed_before(reader)])
        errors = others if not others else errors
    reader.errors.extend(errors)
    _after_loop(reader, node)


def _is_known(reader: Reader, node: cst.While, before: Any) -> bool:
    """Whether the test is known at the start; the state is put back there."""
    reader.rollback(before)
    known = isinstance(truth_of(reader, reader.evaluate(node.test)), bool)
    reader.rollback(before)
    return known and not isinstance(node.test, cst.Name | cst.Integer)


def _unrolled_while(reader: Reader, node: cst.While, body: list[Any]) -> None:
    failed = len(reader.errors)
    for _ in range(UNROLL_LIMIT):
        with reader.at(node.test):
            test = truth_of(reader, reader.evaluate(node.test))
        if not isinstance(test, bool):
            raise reader.unsupported("a while loop whose test is known in its first trips only", "make the test depend on run-time values only")
        if not test:
            return
        reader.execute(body)
        names = reader.frame.names
        names[CONTINUED] = False
        if reader.raised or names[BROKE] is True or names[RETURNED] is True or len(reader.errors) > failed:
            return
        if not isinstance(names[BROKE], bool) or not isinstance(names[RETURNED], bool):
            raise reader.unsupported("a run-time break or return in a while loop that is read trip by trip", "for … in range(…)")
    raise reader.unsupported(f"a while loop of more than {UNROLL_LIMIT} trips that must be read one by one", "a test on run-time values")


def runtime_while(reader: Reader, node: cst.While, body: list[Any]) -> None:
    """A While region."""
    assigns = bool(assigned([node]) - assigned(body))
    early = leaves_early(body) or assigns
    carry = Carry(reader, node, assigned([node]) & reader.frame.scope.header.get(node, assigned([node])), early)
    where = reader.where(node)
    trip: Any = partial(_tested_trip, reader, node, body) if assigns else body
    while True:
        carry.prepare()
        branch = reader.fork()
        errors: list[S2SError] = []
        with reader.inside(branch):
            variables = carry.begin(None)
            with reader.trial() as errors:
                test = _early_test(reader, carry, lambda: Literal(True, Array(BOOL))) if assigns else _while_test(reader, node, carry)
                if test is False:
                    break
                _trip(reader, lambda: None, trip)
            done = _ended(carry, None, errors)
        if done:
            break
    reader.errors.extend(errors)
    if errors or test is False:
        return
    outs = carry.outs()
    reader.builder.add(While(outs, variables, carry.init(None), test, branch.builder.block(*carry.results), where))
    carry.finish(outs)


def _tested_trip(reader: Reader, node: cst.While, body: list[Any]) -> None:
    """A trip of a while loop whose test assigns: `while True: if not test: break; body`."""
    if orelse_of(node):
        raise reader.unsupported("an `else` of a while loop whose test assigns", "a flag, and an if behind the loop")
    with reader.at(node.test):
        test = truth_of(reader, reader.evaluate(node.test))
    if isinstance(test, bool):
        reader.frame.names[BROKE] = not test
        reader.execute(body)
        return
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        reader.execute(body)
    two.state.names[BROKE] = True
    finish_if(reader, test, one, two, reader.frame.scope.header.get(node, reader.frame.live) | reader.frame.live)


def _while_test(reader: Reader, node: cst.While, carry: Carry) -> Any:
    """The block of the test, read with what is carried; False if it is known not to hold."""
    known: list[bool] = []

    def own() -> Atom:
        with reader.at(node.test):
            before = reader.state().copy()
            value = truth_of(reader, reader.evaluate(node.test))
            changed = any(reader.heap[ref] is not content for ref, content in before.heap.items())
            if changed or any(reader.frame.names.get(name) is not old for name, old in before.names.items()):
                raise reader.unsupported("an assignment in the test of a while loop", "assign before the loop and at the end of its body")
        if isinstance(value, bool):
            known.append(value)
            return Literal(value, Array(BOOL))
        return value

    block = _early_test(reader, carry, own)
    carry.runs_once = known == [True]
    return False if known == [False] else block
