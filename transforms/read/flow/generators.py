"""Generators: a function with `yield` is read piece by piece, each time an item is asked for.

    def g(u):                  it = g(x)            an iterator; its state: where it stands (statements, loops), its names
        while True:            next(it), next(it)   the statements up to the next yield are read in its own frame
            yield u
            u = u * 0.5

What is sent is the value of the yield at which it stands (`x = yield v`; through `x = yield from g()` it goes on to g, whose result x is then).
Where it stands must be known while reading: loops around a yield go through items that are known one by one, ifs have known tests. One loop that does
nothing but yield is a generator expression, and goes through arrays of any length. Where only the run knows which yields there are, all of it is read
when it is called, and each yield appends to a list, which is gone through then: what it is made of may not change meanwhile, and it must have an end.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import libcst as cst

from s2s.errors import ArgumentTypeError, Location, S2SError, UnsupportedError
from s2s.transforms.read import made_of
from s2s.transforms.read.bound_names import is_local
from s2s.transforms.read.describing import describe
from s2s.transforms.read.failures import MayBeAnother, Suppressed, TakenByTurns, ToBePooled
from s2s.transforms.read.flow import once, own_iterators
from s2s.transforms.read.flow.comprehensions import comprehension
from s2s.transforms.read.flow.control_flow import leaves_early
from s2s.transforms.read.flow.once import END
from s2s.transforms.read.flow.packing import unpacked
from s2s.transforms.read.flow.pulled import is_pullable, new, started
from s2s.transforms.read.iterations import Pulled
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.plans import joined_plans
from s2s.transforms.read.syntax import collecting, nodes
from s2s.transforms.read.syntax.frame import BROKE, CONTINUED, RESULT, RETURNED, SIGNALS, YIELDED, Frame
from s2s.transforms.read.syntax.scope import assigned, names_read, orelse_of, yields
from s2s.transforms.read.syntax.source import statements_of
from s2s.transforms.read.values import Abstract, IteratorRef, Missing, Seen, unset_words

_EXAMPLE = (each for each in range(0))
_BLOCK, _FOR, _WHILE, _FROM, _SENT = "block", "for", "while", "from", "sent"


def generator(reader: Reader, statements: list[Any], collect: Callable[[], Abstract] | None = None) -> Abstract:
    """What a call of a generator gives: the reader's frame is that of the call. `collect`: what gives a list of all that it yields, other than its own statements."""
    if (node := _as_expression(reader, statements)) is not None:
        return comprehension(reader, node)
    if any(map(_has_loop, statements)) and not any(map(_is_endless, statements)) and _needs_run(reader, statements):
        return _or_by_turns(reader, partial(_whole, reader, statements, collect, reader.builder.where))
    return _piecewise(reader, reader.frame, statements)


class NeedsRun(UnsupportedError):
    """Only the run knows which yields there are."""


def _needs_run(reader: Reader, statements: list[Any]) -> bool:
    """Whether only the run knows which of the first yields there are."""
    before, frame, caller = reader.checkpoint(), reader.frame, reader.frame.caller
    assert caller is not None
    reader.frame = caller
    try:
        with reader.trial(), reader.alternative():
            items = _piecewise(reader, frame, statements)
            for _ in range(_FIRST):
                if once.pull(reader, items) is END:
                    break
    except NeedsRun:
        return True
    except (S2SError, Suppressed, ArithmeticError, LookupError, ValueError, AttributeError, TypeError):
        return False  # it is said when the items are asked for
    finally:
        reader.frame, frame.caller = frame, caller
        reader.rollback(before)
    return False


_FIRST = 3
"""Items that are looked at."""


def _or_by_turns(reader: Reader, whole: Callable[[], IteratorRef]) -> IteratorRef:
    """What a generator yields, read as a whole; where that is refused, what goes through it may be read as a loop that the generator stands in."""
    place, known = reader.builder.where, len(reader.errors)
    if place in reader.session.by_turns:
        return whole()
    try:
        items = whole()
    except UnsupportedError as error:
        raise _by_turns(reader, error, place) from None
    reader.errors[known:] = [_by_turns(reader, error, place) for error in reader.errors[known:]]
    return items


def _by_turns(reader: Reader, error: S2SError, place: Location) -> S2SError:
    """A refusal that no other reading changes, but that in which the generator is read in its loop's place."""
    session = reader.session
    tells_nothing = (
        type(error) is UnsupportedError
        or isinstance(error, MayBeAnother) and error.places <= session.apart
        or isinstance(error, ToBePooled) and joined_plans(session.pooled, error.plans) == session.pooled
    )  # fmt: skip
    return TakenByTurns(error, frozenset((place,))) if isinstance(error, UnsupportedError) and tells_nothing else error


def _whole(reader: Reader, statements: list[Any], collect: Callable[[], Abstract] | None, place: Location) -> IteratorRef:
    """All that a generator yields that is called at this place, in a list."""
    frame = reader.frame
    own = assigned(statements)
    read = frozenset[str]().union(*map(names_read, statements)) - own
    found = {name: frame.find(name) for name in sorted(read) if is_local(frame, name)}
    behind = made_of.seen_by(reader, *found.values(), *frame.names.values())
    seen = Seen((*((frame, name, value) for name, value in found.items()), *behind.names), behind.contents)
    before = {ref: content for ref, content in reader.heap.items() if isinstance(ref, IteratorRef)}
    with made_of.effects(reader) as changed:
        if collect is not None:
            collected = reader.rules.call(list, (collect(),))  # of which it is known that it is no other one
        else:
            collected = frame.names[YIELDED] = reader.new_list(())
            frame.held = (*frame.held, collected)
            reader.rules.execute(statements)
        is_harmless = collect is not None and collecting.is_harmless(frame.tree.node)  # what holds its own lists changes all the same
        taken_from = tuple(ref for ref, content in before.items() if not made_of.same_content(reader.heap[ref], content))
        left = tuple(reader.heap[ref][made_of.POSITION] for ref in taken_from)
        changes = () if is_harmless else changed()
        if all(isinstance(each, IteratorRef) for each in changes):  # Python takes their items later: nobody else may ask for them
            for each in changes:
                made_of.move_to(reader, each, made_of.UNKNOWN)
            changes = ()
        items = made_of.new_iterator(reader, collected, _EXAMPLE, seen, changed=changes, taken_from=taken_from, made_at=place)
    if items.made_in is not None and frame.caller is not None:
        frame.caller.at_once.append(items)  # where nobody goes through it, Python does nothing
    reader.heap[items] = {**reader.heap[items], made_of.LEFT: left, made_of.GIVEN_BACK: None if collect is not None else _result(reader, frame)}
    return items


def _result(reader: Reader, frame: Frame) -> Abstract:
    """What a generator returns that was read as a whole."""
    returned = frame.names[RETURNED]
    if isinstance(returned, bool):
        return unpacked(reader, frame.names.get(RESULT)) if returned else None
    return Missing("what a generator returns on some paths", "only the run knows which")


def _has_loop(node: Any) -> bool:
    """Whether a yield stands in a loop or block that is read as a whole, or goes through what another one yields."""
    if isinstance(node, cst.From):
        return True
    if isinstance(node, cst.For | cst.While | cst.Try | cst.With | cst.Match):
        return yields(node)
    return not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Lambda) and any(map(_has_loop, node.children))


def _is_endless(node: Any) -> bool:
    """Whether a loop may have no end of its own: `while True` that nothing leaves."""
    if isinstance(node, cst.While) and (isinstance(node.test, cst.Integer) or isinstance(node.test, cst.Name) and node.test.value == "True") and not leaves_early(list(statements_of(node.body))):
        return True
    return not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Lambda) and any(map(_is_endless, node.children))


def _needs(reader: Reader, what: str, instead: str) -> NeedsRun:
    error = reader.unsupported(what, instead)
    return NeedsRun(error.what, where=error.where, instead=error.instead)


def _piecewise(reader: Reader, frame: Frame, statements: list[Any]) -> IteratorRef:
    """A generator that is read up to the next yield each time."""

    def step(reader: Reader, state: Any, held: Any) -> Any:
        stack, names = list(state[0]), dict(zip(state[1], held, strict=True))
        sent, reader.sent = reader.sent, None
        before, frame.caller = reader.frame, reader.frame
        frame.names, reader.frame = names, frame
        try:
            _resume(reader, stack, sent)
            item = _advanced(reader, stack)
            names = reader.frame.names
            reader.given_back = unpacked(reader, names.get(RESULT)) if item is END and names[RETURNED] is True else None
        finally:
            reader.frame = before
        return None if item is END else (item, (tuple(stack), tuple(names)), tuple(names.values()))

    setattr(step, made_of.GIVEN_BACK, True)
    start = (_BLOCK, tuple(statements), 0)
    unset = {name: Missing(unset_words(name), unset=True) for name in sorted(assigned(statements)) if name not in frame.scope.shared}
    names = {**unset, **frame.names}  # all of them from the start: loops that go on with the generator carry them
    return new(reader, (), step, ((start,), tuple(names)), tuple(names.values()), _EXAMPLE)


# ---- send, close ---------------------------------------------------------------------------------------------------------------


def send(reader: Reader, ref: Abstract, value: Abstract) -> Abstract:
    """ref.send(value)."""
    _check_piecewise(reader, ref, "send")
    if once.is_over(reader, ref):
        once.stop(reader, ref, is_over=True)
        return None
    if value is not None and _is_new(once.state(reader, ref)[0]):
        raise ArgumentTypeError("can't send non-None value to a just-started generator", where=reader.builder.where)
    reader.sent, reader.given_back = value, None
    item = once.pull(reader, ref)
    if item is not END:
        return item
    once.stop(reader, ref, is_over=False)
    return None


def close(reader: Reader, ref: Abstract) -> None:
    """ref.close(): nothing of it is run any more."""
    _check_piecewise(reader, ref, "close")
    made_of.move_to(reader, ref, None)


def _check_piecewise(reader: Reader, ref: Abstract, name: str) -> None:
    if not isinstance(ref, IteratorRef) or ref.example is not _EXAMPLE or not isinstance(ref.source, Pulled):
        raise reader.unsupported(f".{name} of {describe(reader, ref)}", "a generator of which the next yield is known while reading")


def _is_new(stack: tuple[Any, ...]) -> bool:
    """Whether nothing of the generator was run."""
    return len(stack) == 1 and stack[0][0] == _BLOCK and stack[0][2] == 0


def _resume(reader: Reader, stack: list[Any], sent: Abstract) -> None:
    """What is sent is the value of the yield at which the generator stands, or goes to the generator that it takes items from."""
    if stack and stack[-1][0] == _SENT:
        _bind(reader, stack.pop()[1], sent)
    elif stack and stack[-1][0] == _FROM:
        reader.sent = sent


def _bind(reader: Reader, statement: Any, value: Abstract) -> None:
    """The statement around a yield, whose value is known now."""
    match statement:
        case cst.Assign(targets=targets):
            for each in targets:
                reader.rules.assign(each.target, value)
        case cst.AnnAssign(target=target):
            reader.rules.assign(target, value)
        case cst.Return():
            reader.frame.names.update({RESULT: value, RETURNED: True})


def _value_of(statement: Any) -> Any:
    """The yield whose value a statement binds or returns; None where it is another statement."""
    is_one = isinstance(statement, cst.Assign | cst.AnnAssign | cst.Return) and isinstance(statement.value, cst.Yield)
    return statement.value if is_one else None


def _as_expression(reader: Reader, statements: list[Any]) -> cst.GeneratorExp | None:
    """for target in items: [if test:] yield element  as  (element for target in items [if test]), over what only the run knows the length of."""
    if len(statements) != 1 or not isinstance(statements[0], cst.For) or statements[0].orelse is not None:
        return None
    loop, tests = statements[0], []
    body = list(statements_of(loop.body))
    while len(body) == 1 and isinstance(body[0], cst.If) and body[0].orelse is None:
        tests.append(cst.CompIf(body[0].test))
        body = list(statements_of(body[0].body))
    if len(body) != 1 or not isinstance(body[0], cst.Expr) or not isinstance(body[0].value, cst.Yield) or not isinstance(body[0].value.value, cst.BaseExpression):
        return None
    node = cst.GeneratorExp(elt=body[0].value.value, for_in=cst.CompFor(target=loop.target, iter=loop.iter, ifs=tests))
    reader.frame.tree.locations.update(dict.fromkeys((node, node.for_in), reader.where(loop)))
    return node


def _advanced(reader: Reader, stack: list[Any]) -> Abstract:
    """The next item; END behind the last one. `stack`: the blocks and loops around, innermost last."""
    while stack:
        kind, node, place = stack.pop()
        if kind == _BLOCK:
            item = _in_block(reader, stack, node, place)
        elif kind == _FOR:
            item = _in_for(reader, stack, node, place)
        elif kind == _WHILE:
            item = _in_while(reader, stack, node)
        else:
            reader.given_back = None
            item = once.pull(reader, place)
            if item is not END:
                stack.append((_FROM, node, place))
            elif node is not None:
                _bind(reader, node, reader.given_back)
        if item is not END:
            return item
        if reader.raised or reader.frame.names[RETURNED] is True:
            break
    return END


def _in_block(reader: Reader, stack: list[Any], statements: tuple[Any, ...], place: int) -> Abstract:
    if place == len(statements):
        return END
    statement = statements[place]
    stack.append((_BLOCK, statements, place + 1))
    if not yields(statement):
        reader.rules.execute([statement])
        _leave(reader, stack)
        return END
    with reader.at(statement):
        return _yielding(reader, stack, statement)


def _leave(reader: Reader, stack: list[Any]) -> None:
    """What break, continue and return do to the blocks around."""
    names = reader.frame.names
    if not all(isinstance(names[signal], bool) for signal in SIGNALS):
        raise _needs(reader, "a generator that is left, or whose loop is left, by a run-time condition", "a loop that appends to a list")
    if names[BROKE] or names[CONTINUED]:
        while stack and stack[-1][0] == _BLOCK:
            stack.pop()
        if names[BROKE] and stack:
            stack.pop()
        names[BROKE] = names[CONTINUED] = False


def _yielding(reader: Reader, stack: list[Any], statement: Any) -> Abstract:
    """A statement with a yield in it."""
    match statement:
        case cst.Expr(value=cst.Yield(value=cst.From(item=source))):
            stack.append((_FROM, None, _taken_from(reader, reader.rules.evaluate(source))))
            return END
        case _ if (found := _value_of(statement)) is not None:
            if isinstance(found.value, cst.From):
                stack.append((_FROM, statement, _taken_from(reader, reader.rules.evaluate(found.value.item))))
                return END
            stack.append((_SENT, statement, None))
            return None if found.value is None else reader.rules.evaluate(found.value)
        case cst.Expr(value=cst.Yield(value=value)):
            return None if value is None else reader.rules.evaluate(value)
        case cst.If():
            test = reader.rules.test(statement.test)
            if not isinstance(test, bool):
                raise _needs(reader, "a yield under a run-time condition", "a generator that is one loop: for … in …: if …: yield …; or a list")
            stack.append((_BLOCK, tuple(statements_of(statement.body) if test else orelse_of(statement)), 0))
            return END
        case cst.For():
            stack.append((_FOR, statement, _taken_from(reader, reader.rules.evaluate(statement.iter))))
            return END
        case cst.While():
            stack.append((_WHILE, statement, None))
            return END
        case cst.Try(finalbody=cst.Finally() as last) if _closes(reader, statement):
            stack.append((_BLOCK, (*statements_of(statement.body), *statements_of(last.body)), 0))
            return END
        case cst.Try() | cst.With() | cst.Match():
            raise _needs(reader, "a yield in a try, with or match of a generator that is gone through piece by piece", "a loop over the whole generator")
    raise reader.unsupported("a yield in such a statement", "a plain `yield value`")


def _closes(reader: Reader, node: cst.Try) -> bool:
    """Whether it is try: yield name, finally: … of a contextmanager, which goes through all of it: nothing is raised there."""
    body = list(statements_of(node.body))
    is_plain = not node.handlers and node.orelse is None and node.finalbody is not None and len(body) == 1
    found = body[0].value if is_plain and isinstance(body[0], cst.Expr) and isinstance(body[0].value, cst.Yield) else None
    return found is not None and (found.value is None or isinstance(found.value, cst.Name)) and any(node in nodes.inside(each) for each in reader.session.managed)


def _taken_from(reader: Reader, value: Abstract) -> IteratorRef:
    if own_iterators.iterator_of(reader, value) is not None or not is_pullable(reader, value):
        raise _needs(reader, "a generator whose loop has a length that only the run knows", "a generator that does nothing but yield in one loop; a list; or a function that is given what to do with each item")
    return started(reader, value)


def _in_for(reader: Reader, stack: list[Any], node: cst.For, items: IteratorRef) -> Abstract:
    item = once.pull(reader, items)
    if item is END:
        stack.append((_BLOCK, tuple(orelse_of(node)), 0))
        return END
    reader.rules.assign(node.target, item)
    stack.extend(((_FOR, node, items), (_BLOCK, tuple(statements_of(node.body)), 0)))
    return END


def _in_while(reader: Reader, stack: list[Any], node: cst.While) -> Abstract:
    with reader.at(node.test):
        test = reader.rules.test(node.test)
    if not isinstance(test, bool):
        raise _needs(reader, "a yield in a loop whose test only the run knows", "a list that the loop appends to")
    if test:
        stack.extend(((_WHILE, node, None), (_BLOCK, tuple(statements_of(node.body)), 0)))
    else:
        stack.append((_BLOCK, tuple(orelse_of(node)), 0))
    return END


__all__ = ["close", "generator", "send"]
