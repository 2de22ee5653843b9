"""Calls of the user's functions: as functions of the program, one per signature, or read in place where that is not possible.

In place: lambdas and nested functions (they see the frame around them), functions that return an alias of an argument or
change a container of the caller, and calls where two arguments share storage and one is changed.
"""
from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import partial
from types import FunctionType
from typing import Any, TypeVar

import libcst as cst

from s2s.errors import S2SError, SourceError, UnknownSizeError, UnsupportedError
from s2s.records import replace
from s2s.transforms.ir.program import Function
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.read.bound_names import open_box
from s2s.transforms.read.callables import Closure, SecondHalf
from s2s.transforms.read.calls.caught_calls import Catching, catch_in, catching_of, packed_with_raised, result_and_raised
from s2s.transforms.read.calls.helpers import NOT_PASSED, Helper, ResultPacker, append_call, hidden_value
from s2s.transforms.read.calls.kept import kept_helper
from s2s.transforms.read.calls.recursion import DEPTH_LIMIT, is_first_call, loop_of_closure, loop_of_frame, loop_of_function, no_end, watch
from s2s.transforms.read.calls.signatures import Copier, Signature
from s2s.transforms.read.composed import (
    attribute_dicts,
    in_memory,
    key_slots,
    keyed,
    keyed_sets,
    keyed_views,
    pooled_dicts,
    pooled_lists,
    pooled_rows,
    pooled_tables,
    set_slots,
)
from s2s.transforms.read.describing import missing_error
from s2s.transforms.read.doubts import doubted
from s2s.transforms.read.failures import NeedsInline, Suppressed
from s2s.transforms.read.flow.binding import bind_closure, bind_python, signature_of_closure
from s2s.transforms.read.flow.caught import raised_in_call, settle, settled, what_was_raised
from s2s.transforms.read.flow.joining import unless_left
from s2s.transforms.read.flow.packing import packed
from s2s.transforms.read.flow.packing import unpacked as unpacked_result
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import may_share
from s2s.transforms.read.syntax.collecting import collected
from s2s.transforms.read.syntax.frame import RAISED, RESULT, RETURNED, SIGNALS, Frame, scope_for
from s2s.transforms.read.syntax.scope import blocks_of, parameter_names, yields
from s2s.transforms.read.syntax.source import FunctionNode, Tree, statements_of, tree_of
from s2s.transforms.read.values import Abstract, DictRef, ListRef, Missing, ObjectRef, OneOf, Ref, Steps, View, is_atom, moment
from s2s.transforms.read.zero_dim import kinds
from s2s.types import Dim, Var

_T = TypeVar("_T")

# ---- reading a body ------------------------------------------------------------------------------------------------------------


def read_body(reader: Reader, node: FunctionNode) -> Abstract:
    """Read a function's statements in the reader's frame; what it returns."""
    if isinstance(node, cst.Lambda):
        return _lambda_body(reader, node)
    statements = list(statements_of(node.body))
    if node.asynchronous is not None:
        reader.builder.where = reader.where(node)
        raise reader.unsupported("a coroutine", "a function that returns its results")
    if any(map(yields, statements)):
        return _generator(reader, node, statements)
    open_box(reader)
    reader.frame.began = moment()
    reader.rules.execute(statements)
    _fall_off(reader, statements)
    returned = reader.frame.names[RETURNED]
    if returned is True:
        result = reader.frame.names.get(RESULT)
        if isinstance(result, Missing) and reader.errors:
            return None  # it was refused
        if isinstance(result, Missing):
            raise missing_error(reader, result)
        return unpacked_result(reader, result)
    if reader.frame.names[RAISED] is not False and not isinstance(returned, bool) and RESULT in reader.frame.names:
        return _result_unless_raised(reader)
    assert reader.raised or returned is False or reader.errors or not _returns_values(statements)
    return None


def _fall_off(reader: Reader, statements: list[Any]) -> None:
    """Paths that come to the end of a function return None."""
    returned, raised = reader.frame.names[RETURNED], reader.frame.names[RAISED]
    if reader.raised or reader.errors or isinstance(returned, bool) or raised is True or not _returns_values(statements):
        return
    if raised is False or reader.session.left.get(returned) is not raised:
        unless_left(reader, SIGNALS, lambda: reader.frame.names.update({RESULT: None, RETURNED: True}), reader.frame.live)
        if isinstance(raised, Var) and isinstance(reader.frame.names[RETURNED], Var):
            reader.session.left[reader.frame.names[RETURNED]] = reader.frame.names[RAISED]


def _lambda_body(reader: Reader, node: cst.Lambda) -> Abstract:
    pending = len(reader.pending)
    result = reader.rules.evaluate(node.body)
    if len(reader.pending) == pending:
        return result
    reader.frame.names.update({RESULT: packed(reader, result), RETURNED: True})
    settle(reader, pending)
    return _result_unless_raised(reader)


def _generator(reader: Reader, node: FunctionNode, statements: list[Any]) -> Abstract:
    """A call of a generator: it is read when items are asked for, in the reader of the caller."""
    if reader.can_be_inlined:
        raise NeedsInline
    if reader.frame.caller is None:
        reader.builder.where = reader.where(node)
        raise reader.unsupported("a generator as the function that is transformed", "a function that goes through it")
    open_box(reader)
    frame = reader.frame
    tree = collected(frame.tree)
    tree = None if tree is None else loop_of_frame(reader, frame, tree)
    if tree is not None and _stands_for(frame.caller, frame):
        return _collect(reader, frame, tree)  # it puts all of it into its own list
    return reader.rules.generator(statements, None if tree is None else partial(_collect, reader, frame, tree))


def _stands_for(other: Frame | None, frame: Frame) -> bool:
    """Whether it is of the function that gives a list of all that a generator yields."""
    return other is not None and (other.python, other.name) == (frame.python, frame.name) and other.outer is frame.outer and other.tree.node is not frame.tree.node


def _collect(reader: Reader, frame: Frame, tree: Tree) -> Abstract:
    """The list of what a generator yields that calls itself; `tree`: of the function that gives it."""
    own = Frame(tree, scope_for(tree.node), frame.name, frame.python, frame.steps, module=frame.module, outer=frame.outer, method_of=frame.method_of)
    own.names.update({name: frame.names[name] for name in parameter_names(tree.node.params) if name in frame.names})
    return call_inline(reader, own, tree.node, frame.name)


def _result_unless_raised(reader: Reader) -> Abstract:
    """What a function returns that raises what is caught on other paths."""
    result = reader.frame.names[RESULT]
    if isinstance(result, Missing):
        raise missing_error(reader, result)
    return unpacked_result(reader, result)


def _returns_values(statements: list[Any]) -> bool:
    """Whether there is a return of anything but None."""
    values = (each.value for each in _inside(statements) if isinstance(each, cst.Return))
    return not all(value is None or isinstance(value, cst.Name) and value.value == "None" for value in values)


def _inside(statements: list[Any]) -> Iterator[Any]:
    """Statements and those inside of them, without those of nested functions."""
    for statement in statements:
        yield statement
        if isinstance(statement, cst.FunctionDef | cst.ClassDef):
            continue
        for block in blocks_of(statement):
            yield from _inside(block)


def call_inline(reader: Reader, frame: Frame, node: FunctionNode, name: str) -> Abstract:
    """Read a call in place: in a new frame, in the caller's block."""
    outer, around = reader.frame, _frames_around(reader.frame)
    if len(around) > DEPTH_LIMIT:
        raise _no_end_of(reader, frame, around)
    watch(reader, frame, name)
    frame.caller = outer
    where = frame.called_at = reader.builder.where
    reader.frame = frame
    reader.recursion_guard += 1
    known = len(reader.errors)
    raised: dict[str, Abstract] = {}
    try:
        result = settled(reader, lambda: read_body(reader, node))
        raised = what_was_raised(reader)
    except RecursionError:
        if reader.session.reading and not _repeats(frame, around):  # what calls itself is a function around the one that is read here
            raise
        raise _no_end_of(reader, frame, around) from None
    finally:
        reader.recursion_guard -= 1
        reader.frame = outer
        reader.builder.where = where
    if raised[RAISED] is not False:
        raised_in_call(reader, raised)
    if result is None and len(reader.errors) > known:
        raise Suppressed  # what it returns is not known, rather than None
    return result


def _no_end_of(reader: Reader, frame: Frame, around: list[Frame]) -> S2SError:
    """What is raised where calls are read inside calls without an end."""
    frames = {each.tree.node: each for each in (*around, frame)}
    again = frames[_calling_itself(frame.tree.node, [each.tree.node for each in around])]
    return no_end(reader, again.tree, again.name)


def _repeats(frame: Frame, around: list[Frame]) -> bool:
    """Whether any function is inside of itself in these frames."""
    nodes = [each.tree.node for each in (*around, frame)]
    return len(set(nodes)) < len(nodes)


def _calling_itself(last: _T, around: list[_T]) -> _T:
    """Which function calls itself, where calls are read inside calls without an end: what it calls at last may be another one."""
    return last if last in around or not around else max(around, key=around.count)


def _frames_around(frame: Frame | None) -> list[Frame]:
    """A frame and those from which it was called."""
    found: list[Frame] = []
    while frame is not None:
        found.append(frame)
        frame = frame.caller
    return found


def call_closure(reader: Reader, function: Closure, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A nested function or lambda: in place."""
    names = bind_closure(reader, function, args, kwargs)
    tree = loop_of_closure(reader, function)
    frame = Frame(tree, scope_for(tree.node), function.name, None, None, outer=function.frame, method_of=function.method_of)
    frame.names.update(names)
    return call_inline(reader, frame, tree.node, function.name)


def call_user(reader: Reader, function: FunctionType, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A Python function."""
    where = reader.builder.where
    try:
        return _call_user(reader, function, steps, args, kwargs)
    except SourceError as error:
        raise error if error.where.line else SourceError(error.what, where=where, why=error.why, instead=error.instead) from None


def _call_user(reader: Reader, function: FunctionType, steps: Steps | None, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    names = bind_python(reader, function, steps, args, kwargs)
    is_ours = function.__module__ in _OURS and function not in _OF_NUMBERS
    if not is_ours and function.__name__ != "<lambda>" and _can_be_function(reader, names):
        try:
            return _call_function(reader, function, steps, names)
        except NeedsInline:
            pass
    tree = tree_of(function)
    is_apart = not is_ours and is_first_call(reader, tree, function, names)
    if not is_ours and not is_apart:
        tree = loop_of_function(reader, tree, function)
    if is_ours or _is_composed(function):
        tree = replace(tree, at=reader.builder.where)
    frame = Frame(tree, scope_for(tree.node), function.__name__, function, steps, module=reader.frame.of_function(function, steps), is_apart=is_apart)
    frame.names.update(names)
    return call_inline(reader, frame, tree.node, function.__name__)


_OURS = tuple(each.__name__ for each in (attribute_dicts, in_memory, key_slots, keyed, keyed_sets, keyed_views, pooled_lists, pooled_rows, pooled_dicts, pooled_tables, set_slots))
"""Modules of what stands for Python's own: it is read in place, at the user's line."""
_OF_NUMBERS: frozenset[Any] = frozenset((key_slots.hash_of, key_slots.place_among, key_slots.fill_with, key_slots.give_slot, set_slots.hash_of, set_slots.slot_among))
"""What they compute of numbers and arrays alone: that is a function of the program, as a user's own."""


def _is_composed(function: FunctionType) -> bool:
    """Whether it is a method of s2s's own classes of SciPy's and Python's objects."""
    return (function.__module__ or "").startswith(_COMPOSED)  # of text that was run by exec it is None


_COMPOSED = f"{keyed.__name__.rpartition('.')[0]}."


def _tree_of(reader: Reader, function: FunctionType) -> Tree:
    """The tree of a function of the user's, a loop where an earlier reading found that it must be one."""
    return loop_of_function(reader, tree_of(function), function)


def _can_be_function(reader: Reader, names: dict[str, Abstract]) -> bool:
    """Whether arguments can be passed to a function of the program."""
    leaves = list(_leaves(reader, tuple(names.values())))
    if any(True in kinds(reader, leaf) for leaf in leaves):
        return False  # the program's functions take scalars and arrays with axes: what else is known of a value is lost
    if any(isinstance(leaf, type) and leaf in reader.session.made for leaf in leaves):
        return False  # its methods see the frame around
    return not any(isinstance(leaf, NOT_PASSED) for leaf in leaves) and any(is_atom(leaf) or isinstance(leaf, View) for leaf in leaves)


def _leaves(reader: Reader, value: Abstract, inside: frozenset[Ref] = frozenset()) -> Any:
    """What an argument holds, at any depth, and the classes of what holds it."""
    if isinstance(value, Ref) and value in inside:
        yield Missing("what holds itself")  # the copy that a function of the program gets would have no end
    elif isinstance(value, tuple):
        yield type(value)
        for item in value:
            yield from _leaves(reader, item, inside)
    elif isinstance(value, ListRef):
        content = reader.heap[value]
        yield from _leaves(reader, content, inside | {value}) if isinstance(content, tuple) else (content,)
    elif isinstance(value, OneOf):
        yield from _leaves(reader, (value.place, *value.options), inside)
    elif isinstance(value, SecondHalf):
        yield from _leaves(reader, (value.kept, value.shapes, value.hidden), inside)
    elif isinstance(value, slice):
        yield from _leaves(reader, (value.start, value.stop, value.step), inside)
    elif isinstance(value, DictRef | ObjectRef):
        yield value.kind
        yield from _leaves(reader, tuple(reader.heap[value].values()), inside | {value})
    else:
        yield value


# ---- functions of the program ---------------------------------------------------------------------------------------------------


def _call_function(reader: Reader, function: FunctionType, steps: Steps | None, names: dict[str, Abstract]) -> Abstract:
    signature, catching = Signature(reader), catching_of(reader)
    key = (function, steps, tuple((name, signature.key(value)) for name, value in names.items()), catching)
    session = reader.session
    if key in session.reading:
        raise no_end(reader, _tree_of(reader, function), function.__name__)
    if len(session.reading) > DEPTH_LIMIT or function in session.endless:
        raise _endless(reader, function, session.reading)
    if key not in session.functions:
        if session.not_helpers.get(function, 0) >= _TRIED:
            raise NeedsInline
        session.reading.append(key)
        try:
            session.functions[key] = kept_helper(reader, function, steps, key[2], lambda: _read_helper(reader, function, steps, names, catching, key[2]))
            session.not_helpers[function] = _NEVER
        except NeedsInline:
            session.functions[key] = None
            session.not_helpers[function] = session.not_helpers.get(function, 0) + 1
        except RecursionError:
            raise _endless(reader, function, session.reading[:-1]) from None
        finally:
            session.reading.pop()
    helper = session.functions[key]
    if helper is None or _shares_changed_storage(reader, helper, signature.leaves):
        raise NeedsInline
    found = append_call(reader, helper, signature.leaves, given=signature.refs)
    return found if helper.raising is None else result_and_raised(reader, helper.raising, found)


def _endless(reader: Reader, function: FunctionType, reading: list[Any]) -> S2SError:
    """What is raised where calls are read inside calls without an end."""
    inside = _calling_itself(function, [each for each, *_ in reading])
    reader.session.endless.add(inside)  # the loops around this call are read again, and need not come so deep
    return no_end(reader, _tree_of(reader, inside), inside.__name__)


_NEVER = -(10**9)
_TRIED = 3
"""How often a function is read as one of the program, without success, before all its calls are read in place: what it does to its arguments seldom depends on them."""


def _shares_changed_storage(reader: Reader, helper: Helper, leaves: list[Abstract]) -> bool:
    """Whether an array that the helper changes is, or may be, passed twice or read by it from outside too."""
    hidden = [hidden_value(reader, access, {}) for access in helper.hidden] if helper.mutated else []
    cells = [leaf.cell if isinstance(leaf, View) else None for leaf in (*leaves, *hidden)]

    def shared(number: int) -> bool:
        changed = cells[number]
        return any(cell is not None and changed is not None and may_share(reader, changed, cell) for other, cell in enumerate(cells) if other != number)

    return any(shared(number) for number, _ in helper.mutated)


def _say_where(reader: Reader, function: FunctionType, error: S2SError) -> None:
    """Say of an error inside of a helper where that was called; one in a method of s2s's own stands there."""
    if _is_composed(function):
        error.where = reader.builder.where
    else:
        add_note(error, f"while reading {function.__name__}, called at {reader.builder.where}")


def _read_helper(reader: Reader, function: FunctionType, steps: Steps | None, names: dict[str, Abstract], catching: Catching, given: Any) -> Helper:
    """Read a helper as a function of its own; `given`: the types and known values of the call."""
    tree = _tree_of(reader, function)
    frame = Frame(tree, scope_for(tree.node), function.__name__, function, steps, module=reader.frame.of_function(function, steps), given=given)
    inner = reader.nested(frame, new_builder(), can_be_inlined=True)
    inner.builder.where = tree.where(tree.node)
    catch_in(inner, catching)
    copier = Copier(reader, inner)
    for name, value in names.items():
        frame.names[name] = copier.copy(value, name)
    start = dict(inner.heap)
    try:
        result = read_body(inner, tree.node)
    except UnknownSizeError as error:
        error.sizes = copier.callers_sizes(error)
        _say_where(reader, function, error)
        raise
    except S2SError as error:
        inner.errors.append(error)
    except Suppressed:
        if not inner.errors:
            raise
    _hand_over_errors(reader, inner, function, copier)
    if inner.raised or inner.parked:
        raise NeedsInline
    packer = ResultPacker(inner, set(copier.params) | set(inner.hidden.values()), copier.cells, copier.refs)
    tree_of_result, raising = packed_with_raised(inner, packer, result)
    _hand_over_errors(reader, inner, function, copier)
    mutated = tuple(
        (number, packer.add(inner.heap[cell])) for number, cell in enumerate(copier.cells) if cell is not None and inner.heap[cell] is not start[cell]
    )
    for view in inner.hidden_views.values():
        if isinstance(view, View) and inner.heap[view.cell] not in inner.hidden.values():
            raise NeedsInline
    hidden = tuple(inner.hidden)
    params = (*copier.params, *inner.hidden.values())
    made = None
    if inner.builder.nodes or packer.results:
        body = inner.builder.block(*packer.results)
        made = Function(reader.session.function_name(function.__name__), params, body, tree.where(tree.node), doc_of(function), None, derived=False)
    told = tuple((number, inner.builder.told[each]) for number, each in enumerate(packer.results) if isinstance(each, Var) and each in inner.builder.told)
    doubts = tuple((number, doubted(inner.builder, each)) for number, each in enumerate(packer.results) if doubted(inner.builder, each))
    return Helper(made, tree_of_result, mutated, hidden, packer.sizes, params, len(copier.params), equal=_one_dimension(inner, params), raising=raising, told=told, doubts=doubts)


def _hand_over_errors(reader: Reader, inner: Reader, function: FunctionType, copier: Copier) -> None:
    """What was refused of a function, and of what its results are put together with, is told by what calls it."""
    if inner.errors:
        for each in inner.errors:
            if isinstance(each, UnsupportedError):
                each.sizes = copier.callers_sizes(each)
            _say_where(reader, function, each)
        reader.errors.extend(inner.errors)
        raise Suppressed


def _one_dimension(inner: Reader, params: tuple[Var, ...]) -> tuple[tuple[Var, Dim], ...]:
    """Dimensions of a function's parameters that its checks have found to be one, with which."""
    dims = dict.fromkeys(dim for param in params for dim in param.type.shape if isinstance(dim, Var))
    pairs = [(dim, inner.builder.settled(dim)) for dim in dims]
    return tuple((dim, other) for dim, other in pairs if other is not dim and (not isinstance(other, Var) or other in dims))


def add_note(error: S2SError, note: str) -> None:
    """Add a note, unless the error has it (a recursion comes by the same place many times)."""
    if note not in getattr(error, "__notes__", ()):
        error.add_note(note)


def doc_of(function: Any) -> str:
    """The first line of a docstring."""
    doc = inspect.getdoc(function)
    return doc.splitlines()[0].strip() if doc else ""


__all__ = ["add_note", "bind_closure", "bind_python", "call_closure", "call_user", "doc_of", "read_body", "signature_of_closure"]
