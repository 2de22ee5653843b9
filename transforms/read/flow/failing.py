"""Exceptions of the user's: raised at once where every call comes by and nothing may raise before, else by a Check."""
from __future__ import annotations

import builtins
import dataclasses
import string
from itertools import islice
from typing import Any

import numpy as np

from s2s import types
from s2s.errors import LINALG_ERROR, ArgumentTypeError, ArgumentValueError, InternalError, OwnException, RaisedByUser, S2SError, ShapeError
from s2s.f_strings import fields_in
from s2s.transforms.ir.prints import prints, raises
from s2s.transforms.read import values as reader_values
from s2s.transforms.read.faults import is_slip
from s2s.transforms.read.flow.caught import UNTOLD, caught_object, message_of, raise_caught
from s2s.transforms.read.flow.made_exceptions import arguments, arguments_text
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Cell, JoinedText, Text
from s2s.types import BOOL, Array, Atom, Literal, dim_atom


def raised_on_path(reader: Reader, error: Exception) -> bool:
    """What Python or NumPy raise for what is known (1 / 0, x.rows, a product of sizes that do not fit) is raised by the run, where the path is taken:
    whether this is such a case.
    """
    kind = _raised_as(error)
    if kind is None or len(error.args) > 1 or not (reader.regions or reader.is_helper or _may_have_raised(reader)):
        return False
    if not _is_of_numbers(error) and (not reader.regions and reader.is_helper or reader.frame.tree.at is not None):  # what calls a helper, or a function of ours, knows whether each call comes to it
        return False
    message = message_of(error)
    fail(reader, kind, str(error.args[0]) if message is UNTOLD else message)
    return True


def refuse_slip(reader: Reader, error: Exception) -> None:
    """Raise an InternalError of one that is no exception of the program's, but a slip of ours (`faults`)."""
    if not isinstance(error, S2SError) and isinstance(error, OF_VALUES) and is_slip(error):
        raise InternalError(f"{type(error).__name__}: {error}", where=reader.builder.where) from error


def _raised_as(error: Exception) -> type[BaseException] | None:
    """The class that Python raises; None for what only s2s says, which no run comes to know: what it does not read, and what to write instead."""
    if isinstance(error, S2SError):
        is_pythons = isinstance(error, ShapeError) or isinstance(error, TypeError | ValueError | LookupError | ArithmeticError) and not (error.why or error.instead)
        return next(cls for cls in type(error).__mro__ if issubclass(cls, BaseException) and not issubclass(cls, S2SError)) if is_pythons else None
    kind = type(error)
    is_known = getattr(builtins, kind.__name__, None) is kind or kind is dataclasses.FrozenInstanceError
    return kind if issubclass(kind, OF_VALUES) and is_known and not _is_of_ours(error) else None


def _is_of_numbers(error: Exception) -> bool:
    """Whether known values make it one, rather than types: others may come to the same place. None is what a name holds before its first value (`last = None; for …`)."""
    if type(error) in (TypeError, AttributeError, ArgumentTypeError):
        return "NoneType" in str(error.args[:1])
    return isinstance(error, ArithmeticError | LookupError | ValueError) and not isinstance(error, S2SError)


def _is_of_ours(error: Exception) -> bool:
    """Whether it speaks of the reader's own classes: what Python said of its code, not of the user's."""
    if isinstance(error, AttributeError) and error.obj is not None:
        return type(error.obj).__module__.startswith("s2s.")
    return isinstance(error, TypeError) and any(word in _CLASSES_OF_OURS for word in str(error).split("'")[1::2])


_CLASSES_OF_OURS = {name for module in (types, reader_values) for name, value in vars(module).items() if isinstance(value, type) and value.__module__.startswith("s2s.")}


OF_VALUES = (ArithmeticError, AttributeError, ImportError, LookupError, NameError, TypeError, ValueError)
"""Classes of Python's for what is wrong with a value or a name."""


_OF_ARGUMENTS: dict[Any, type[S2SError]] = {ValueError: ArgumentValueError, TypeError: ArgumentTypeError}
"""What the functions that are ours to read raise of a call's arguments."""


def fail(reader: Reader, kind: Any, message: Abstract) -> None:
    """Raise here: at once if every call comes here and nothing may raise before, else by a Check that always fails in this branch; where it is caught, note that."""
    if reader.catching and raise_caught(reader, kind, message):
        return
    if reader.regions == 0 and not reader.is_helper and not _is_seen(reader) and not _may_have_raised(reader) and (error := caught_object(kind, message)) is not None:
        if reader.frame.tree.at is not None and kind in _OF_ARGUMENTS:
            raise _OF_ARGUMENTS[kind](str(message), where=reader.builder.where)
        raise error
    check(reader, Literal(False, Array(BOOL)), kind, message)
    reader.raised = True


def _is_seen(reader: Reader) -> bool:
    """Whether the caller sees something of what was done before: a store into its arrays, or what was printed."""
    nodes = reader.builder.nodes
    stored = {out for node in nodes for out in node.outs}
    return any(isinstance(ref, Cell) and ref.owner is not None and content in stored for ref, content in reader.heap.items()) or any(map(prints, nodes))


def _may_have_raised(reader: Reader) -> bool:
    """Whether the run may have raised something else before: that is what Python raises then. Where a caller goes on with what is returned, there is nothing to go on with."""
    return reader.frame.caller is None and any(map(raises, reader.builder.nodes))


def named(reader: Reader, kind: type[BaseException]) -> str:
    """How the program names an exception class."""
    if kind is NotImplementedError:
        return RaisedByUser(kind.__name__)
    if kind.__module__ == "numpy._core._exceptions":  # NumPy's own for ufuncs are not made of a message
        kind = next(each for each in kind.__mro__ if each.__module__ == "builtins")
    name = LINALG_ERROR if kind is np.linalg.LinAlgError else kind.__name__
    if name == LINALG_ERROR or getattr(builtins, name, None) is kind:
        return name
    if hasattr(builtins, name) or reader.session.exceptions.setdefault(name, kind) is not kind:
        raise reader.unsupported(f"raising {kind.__module__}.{name}, which has the name of another exception", "another name")
    return OwnException(kind)


def _arrays_described(reader: Reader, message: Text) -> Text:
    """A message in which dtype and lengths stand for arrays, and how many there are for the items of a list: compiled code has no text of either."""
    template, values = "", list[Any]()
    given = iter(message.values)
    for before, field, spec, conversion in string.Formatter().parse(message.template):
        template += before.replace("{", "{{").replace("}", "}}")
        if field is None:
            continue
        value: Any = next(given)
        if isinstance(value, JoinedText):
            template += "<{} items>"
            values.append(reader.value(reader.rules.call(len, (value.items,))).atom)
        elif value.type.shape:
            lengths = [dim_atom(dim) for dim in value.type.shape]
            template += f"<{value.type.dtype} array of shape ({', '.join(['{}'] * len(lengths))}{',' if len(lengths) == 1 else ''})>"
            values += lengths
        else:
            template += "{" + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"
            values += [value, *islice(given, fields_in(spec))]
    return Text(template, tuple(values))


def check(reader: Reader, test: Atom, kind: Any, message: Abstract) -> None:
    """A Check with a message that may hold run-time values."""
    name = named(reader, kind)
    made_with = arguments(kind, message)
    if made_with is not None:
        message = arguments_text(reader, made_with)
    if not isinstance(message, Text):
        message = Text("" if message is None else message.replace("{", "{{").replace("}", "}}"), ())
    if any(isinstance(value, JoinedText) or value.type.shape for value in message.values):
        if made_with is not None:
            raise reader.unsupported("an array, or a text of a list of run-time length, among the arguments of an exception", "a scalar: an element, a norm or a sum")
        message = _arrays_described(reader, message)
    reader.builder.check(test, name, message.template, *message.values, made=made_with is not None)
