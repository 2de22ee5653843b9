"""What each kind of statement does to the state."""
from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import libcst as cst

from s2s.errors import InternalError, S2SError, SourceError, UnknownSizeError, UnsupportedError, note_place
from s2s.transforms.read import classes
from s2s.transforms.read.bound_names import bind, is_local
from s2s.transforms.read.calls import objects, special_methods
from s2s.transforms.read.calls.builtin_functions import BUILTINS
from s2s.transforms.read.calls.hidden import enter
from s2s.transforms.read.composed import lists
from s2s.transforms.read.describing import UnsetError
from s2s.transforms.read.failures import NeedsInline, Suppressed
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import once
from s2s.transforms.read.flow.array_parts import check_place
from s2s.transforms.read.flow.assignment import annotated, assignment, augmented
from s2s.transforms.read.flow.caught import Unwound, catches, message_of, raise_caught, settle
from s2s.transforms.read.flow.conditions import add_raising, is_safe, negated
from s2s.transforms.read.flow.control_flow import failed_before, for_statement, guarded, if_statement
from s2s.transforms.read.flow.expressions import closure, evaluate, key_of
from s2s.transforms.read.flow.failing import check, fail, raised_on_path, refuse_slip
from s2s.transforms.read.flow.in_front import in_front
from s2s.transforms.read.flow.local_classes import define_class
from s2s.transforms.read.flow.match_statement import match_statement
from s2s.transforms.read.flow.options import narrowed
from s2s.transforms.read.flow.packing import packed
from s2s.transforms.read.flow.raising import raise_one
from s2s.transforms.read.flow.subscripts import get_item
from s2s.transforms.read.flow.trying import caught_now, try_statement
from s2s.transforms.read.flow.while_loops import while_statement
from s2s.transforms.read.flow.with_statement import with_statement
from s2s.transforms.read.known import hashed, is_known, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.run_time_keys import keys_of
from s2s.transforms.read.storage.changes import writable
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.tables import any_length
from s2s.transforms.read.storage.visibility import reachable
from s2s.transforms.read.syntax.frame import BROKE, CONTINUED, RAISED, RESULT, RETURNED, SIGNALS
from s2s.transforms.read.syntax.in_place import LEAVE
from s2s.transforms.read.syntax.scope import assigned, imported
from s2s.transforms.read.values import (
    Abstract,
    AnyText,
    DictRef,
    ListRef,
    Missing,
    Ref,
    View,
    as_part,
    is_atom,
    is_number,
)
from s2s.types import BOOL, Array, Literal


def execute(reader: Reader, statements: list[Any]) -> None:
    """Read statements in order; an unsupported one is noted, and what it would bind is unusable from there on."""
    scope = reader.frame.scope
    outer = reader.frame.live
    for number, statement in enumerate(statements):
        names = reader.frame.names
        if reader.raised or any(names[signal] is True for signal in SIGNALS):
            break
        if any(not isinstance(names[signal], bool) for signal in SIGNALS):
            guarded(reader, statements[number:])
            break
        reader.frame.live = scope.after.get(statement, outer)
        if _one(reader, statement, statements[number + 1 :]):
            break
    reader.frame.live = outer


def _one(reader: Reader, statement: Any, rest: list[Any]) -> bool:
    """One statement; True if the rest was read too."""
    reader.frame.statement = statement
    scope, live = reader.frame.scope, reader.frame.live
    pending, consumed = len(reader.pending), False
    with reader.at(statement):
        try:
            if isinstance(statement, cst.If):
                consumed = if_statement(reader, statement, rest)
            elif isinstance(statement, cst.Match):
                consumed = match_statement(reader, statement, rest)
            else:
                STATEMENTS.get(type(statement), _refuse)(reader, statement)
            if reader.frame.at_once:
                once.refuse_left(reader)
        except UnknownSizeError:
            raise  # a recursion without an end: read on, each of its calls would come here again
        except Unwound:
            if reader.frame.names[RAISED] is not True:  # it was on a path of the expression's own, which is left
                reader.errors.append(reader.unsupported("an exception on one side of an expression, inside of a `try`", "an if statement"))
        except S2SError as error:
            if not reader.raised and not _caught_now(reader, error):
                if reader.errors or not raised_on_path(reader, error):
                    reader.errors.append(error)
                _spoil(reader, statement)
                if isinstance(error, UnsetError) and (reader.frame.tree.given or reader.trip_began):  # a place that the loop has not come to, as far as it was read: no path yet
                    reader.raised = True
        except Suppressed:
            reader.errors.append(failed_before(reader))
            _spoil(reader, statement)
        except NeedsInline:
            raise
        except Exception as error:  # what Python raises for static values: the user's own error
            refuse_slip(reader, error)
            if reader.raised or _caught_now(reader, error):  # raised: a call in it surely raises, Python does not come to the rest of it
                settle(reader, pending)
                return False
            if reader.errors or raised_on_path(reader, error):  # errors: one that follows from what could not be read, told is the first
                _spoil(reader, statement)
                return False
            note_place(error, reader.builder.where)
            raise
        settle(reader, pending, scope.after.get(rest[-1], live) if consumed else live)
    return consumed


def _caught_now(reader: Reader, error: Exception) -> bool:
    """Whether an error of known values is one that a `try` around the statement catches."""
    if isinstance(error, UnsetError) and reader.catching and catches(reader, UnboundLocalError):
        return raise_caught(reader, UnboundLocalError, error.what)
    if not reader.catching or isinstance(error, UnsupportedError | InternalError | SourceError):
        return False
    kind = next(cls for cls in type(error).__mro__ if not issubclass(cls, S2SError))
    if not catches(reader, kind):
        return False
    if getattr(error, "on_path", False):
        raise reader.unsupported(f"a {kind.__name__} on one side of an expression, inside of a `try`", "an if statement")
    return raise_caught(reader, kind, error.what if isinstance(error, S2SError) else message_of(error))


def _spoil(reader: Reader, statement: Any) -> None:
    for name in assigned([statement]):
        bind(reader, name, Missing())
    if isinstance(statement, cst.Return) and reader.errors and not reader.raised:  # what follows is another path's: a function that calls itself there would have no end
        reader.frame.names.update({RESULT: Missing(), RETURNED: True})


REFUSED: dict[type, tuple[str, str]] = {
    cst.TryStar: ("`except*`", "test for the bad case with an if, or catch the exception outside of the function"),
}


def _refuse(reader: Reader, statement: Any) -> None:
    what, instead = REFUSED.get(type(statement), (f"`{type(statement).__name__}`", ""))
    raise reader.unsupported(f"{what} is not supported", instead)

# ---- leaving -------------------------------------------------------------------------------------------------------------------


def _return(reader: Reader, node: cst.Return) -> None:
    if isinstance(node.value, cst.Name) and node.value.value == LEAVE:
        reader.frame.names[RETURNED] = True
        return
    value = None if node.value is None else evaluate(reader, node.value)
    if reader.regions or reader.pending:
        reader.frame.handed_back += [each for each in reachable(reader, [value]) if isinstance(each, Ref | View)]
        value = packed(reader, value)
    reader.frame.names[RESULT] = value
    reader.frame.names[RETURNED] = True


def _break(reader: Reader, node: cst.Break) -> None:
    del node
    reader.frame.names[BROKE] = True


def _continue(reader: Reader, node: cst.Continue) -> None:
    del node
    reader.frame.names[CONTINUED] = True


def _raise(reader: Reader, node: cst.Raise) -> None:
    if node.exc is None:
        raise_one(reader, caught_now(reader))
        return
    raise_one(reader, evaluate(reader, node.exc))


def _as_text(reader: Reader, value: Abstract) -> Abstract:
    return BUILTINS[str](reader, value)


def _assert(reader: Reader, node: cst.Assert) -> None:
    with reader.at(node.test):
        test = reader.rules.test(node.test)
    if test is True:
        return
    if isinstance(test, bool):
        fail(reader, AssertionError, _message(reader, node))
        return
    branch = reader.fork()
    with reader.inside(branch):
        message = _message(reader, node)
    if is_safe(branch.builder.nodes):
        reader.builder.nodes.extend(branch.builder.nodes)
        check(reader, test, AssertionError, message)
    else:
        with reader.inside(branch):
            check(reader, Literal(False, Array(BOOL)), AssertionError, message)
        add_raising(reader, negated(reader, test), branch)
    narrowed(reader, test, holds=True)


def _message(reader: Reader, node: cst.Assert) -> Abstract:
    if node.msg is None:
        return None
    value = evaluate(reader, node.msg)
    return as_part(value) if isinstance(value, AnyText) else _as_text(reader, value)


# ---- others ----------------------------------------------------------------------------------------------------------------------


def _expression(reader: Reader, node: cst.Expr) -> None:
    if isinstance(node.value, cst.Subscript):
        base, key = in_front(reader, node.value.value), key_of(reader, node.value.slice)
        if isinstance(base, View):
            check_place(reader, base, key)  # nobody reads the element, so nothing else would
        get_item(reader, base, key)
    elif not isinstance(node.value, cst.SimpleString | cst.ConcatenatedString | cst.Ellipsis):
        evaluate(reader, node.value)


def _define(reader: Reader, node: cst.FunctionDef) -> None:
    if node.asynchronous is not None:
        raise reader.unsupported("`async def`", "a plain function")
    value: Abstract = closure(reader, node, node.name.value)
    for decorator in reversed(node.decorators):
        value = reader.rules.call(evaluate(reader, decorator.decorator), (value,))
    bind(reader, node.name.value, value)


def _import(reader: Reader, node: cst.Import) -> None:
    for alias, name in zip(node.names, imported(node), strict=True):
        path = cst.Module([]).code_for_node(alias.name)
        module = importlib.import_module(path)
        if alias.asname is None and "." in path:
            module = importlib.import_module(path.split(".")[0])
        bind(reader, name, enter(reader, module, (("object", module),)))


@asks_python
def _import_from(reader: Reader, node: cst.ImportFrom) -> None:
    if isinstance(node.names, cst.ImportStar):
        raise reader.unsupported("this form of import inside a function", "import it at module level")
    path = "." * len(node.relative) + (cst.Module([]).code_for_node(node.module) if node.module is not None else "")
    module = importlib.import_module(path, (reader.frame.namespace or {}).get("__package__"))
    for alias, name in zip(node.names, imported(node), strict=True):
        member = str(alias.name.value)
        if not hasattr(module, member):
            importlib.import_module(f"{module.__name__}.{member}")  # a module of the package
        bind(reader, name, enter(reader, getattr(module, member), (("object", module), ("attribute", member))))


@asks_python
def _delete(reader: Reader, node: cst.Del) -> None:
    targets = [element.value for element in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
    for target in targets:
        match target:
            case cst.Name():
                bind(reader, target.value, Missing(f"{target.value!r} was deleted", unset=True))
            case cst.Attribute():
                objects.delete(reader, evaluate(reader, target.value), target.attr.value)
            case cst.Subscript():
                _delete_item(reader, evaluate(reader, target.value), target)
            case _:
                raise reader.unsupported(*_NOT_DELETED)


_NOT_DELETED = ("`del` of this target", "del of a name, or of an item of a local list or dict")


@asks_python
def _delete_item(reader: Reader, base: Abstract, target: cst.Subscript) -> None:
    """del base[key]."""
    if classes.class_of(base) is not None:
        special_methods.deletes_item(reader, base, key_of(reader, target.slice))
        return
    if not isinstance(base, DictRef | ListRef):
        raise reader.unsupported(*_NOT_DELETED)
    writable(reader, base)
    key = key_of(reader, target.slice)
    if isinstance(base, ListRef) and not (isinstance(reader.heap[base], tuple) and is_known(reader, key)):
        _delete_at_run_time(reader, base, key)
        return
    items: Any = dict(reader.heap[base]) if isinstance(base, DictRef) else list(reader.heap[base])
    with keys_of(reader, base):
        key = hashed(reader, key) if isinstance(base, DictRef) else plain(reader, key)
        if not (isinstance(base, DictRef) and base.kind is Counter and key not in items):  # which a Counter is silent about
            del items[key]
    reader.heap[base] = items if isinstance(base, DictRef) else tuple(items)


@asks_python
def _delete_at_run_time(reader: Reader, base: ListRef, key: Abstract) -> None:
    """del items[key] where the run knows the place, or how long the list is."""
    if isinstance(key, slice) and key.step is None and isinstance(reader.heap[base], Grown) and type(base) is ListRef:
        reader.rules.call(lists.delete_part, (base, key.start, key.stop))
    elif (is_atom(key) or is_number(key)) and any_length(reader, base):
        reader.rules.call(lists.delete, (base, key))
    else:
        raise reader.unsupported("`del` of an item at a place known only at run time", "an array, and a mask of what is kept")


def _nonlocal(reader: Reader, node: cst.Nonlocal) -> None:
    """The names belong to a function around, which must be read too."""
    for item in node.names:
        frame = reader.frame.outer
        while frame is not None and item.name.value not in frame.scope.bound:
            frame = frame.outer
        if frame is None and reader.frame.cell(item.name.value) is not None:
            continue  # of a function around that has been left: stored at the end of the call
        if frame is None or frame.box is None:
            raise reader.unsupported(
                f"`nonlocal {item.name.value}`: the variable is not local to the function that is read or transformed",
                "return the value, and let the caller store it",
            )


def _global(reader: Reader, node: cst.Global) -> None:
    """The names are the module's: they are read as they are without this; what is assigned to them must be stored by the caller."""
    for item in node.names:
        name = item.name.value
        if is_local(reader.frame.outer, name):
            raise reader.unsupported(f"`global {name}` in a function inside of one that has a variable of this name", "another name")


def _nothing(reader: Reader, node: Any) -> None:
    del reader, node


STATEMENTS: dict[type, Callable[[Reader, Any], None]] = {
    cst.Assign: assignment, cst.AnnAssign: annotated, cst.AugAssign: augmented, cst.Expr: _expression, cst.Return: _return, cst.Break: _break,
    cst.Continue: _continue, cst.Raise: _raise, cst.Assert: _assert, cst.Pass: _nothing, cst.For: for_statement, cst.While: while_statement,
    cst.FunctionDef: _define, cst.ClassDef: define_class, cst.Import: _import, cst.ImportFrom: _import_from, cst.Del: _delete, cst.With: with_statement, cst.Nonlocal: _nonlocal, cst.Global: _global, cst.Try: try_statement, cst.TypeAlias: _nothing,
}  # fmt: skip

__all__ = ["execute"]
