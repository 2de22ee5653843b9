"""Between abstract values and what NumPy's functions take and give.

    an atom, a view, a list      wrap    ->  a Value, a list of Values
    a Value, a list of Values    unwrap  ->  an atom or a new storage, a new list
"""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from s2s.transforms.primitives.value import Value
from s2s.transforms.read.describing import describe, missing_error
from s2s.transforms.read.known_sets import as_set
from s2s.transforms.read.numpy import creation
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import cast, shape_value
from s2s.transforms.read.numpy.python_checks import refuse_as_python
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_zero_dim, load, new_array
from s2s.transforms.read.storage.grown import as_array
from s2s.transforms.read.values import (
    Abstract,
    DictRef,
    DictView,
    ListRef,
    Missing,
    ObjectRef,
    SetRef,
    View,
    is_number,
    number_literal,
    remake,
)
from s2s.types import FLOAT0, INT64, SIZE, Atom, Dim, Literal, Var, is_whole

DICT_PARTS: dict[str, Any] = {"keys": tuple, "values": lambda items: tuple(items.values()), "items": lambda items: tuple(items.items())}
"""What a view of a dict goes through, of what the heap holds."""


def scalar_of(reader: Reader, value: Abstract) -> Abstract:
    """What an array without axes holds, as a NumPy scalar; other values: themselves."""
    return unwrap_atom(reader, load(reader, value).atom) if is_zero_dim(reader, value) else value


def wrap(reader: Reader, value: Abstract) -> Any:
    """An abstract value as NumPy functions take it."""
    match value:
        case Var() | Literal():
            return reader.value(value)
        case View():
            loaded = load(reader, value)
            return _number(loaded.atom) if isinstance(loaded.atom, Literal) else loaded
        case tuple():
            return remake(value, [wrap(reader, item) for item in value])
        case ListRef():
            content = reader.heap[value]
            if isinstance(content, tuple):
                return [wrap(reader, item) for item in content]
            return as_array(reader, content)
        case SetRef():
            return as_set(reader.heap[value])
        case DictView():
            return wrap(reader, DICT_PARTS[value.part](reader.heap[value.ref]))
        case DictRef():
            return {key: wrap(reader, item) for key, item in reader.heap[value].items()}
        case slice():
            return slice(wrap(reader, value.start), wrap(reader, value.stop), wrap(reader, value.step))
        case Missing():
            raise missing_error(reader, value)
        case ObjectRef() if hasattr(value.kind, "__array__"):
            return wrap(reader, reader.rules.call(reader.rules.attribute(value, "__array__"), ()))
    return value


def unwrap(reader: Reader, result: Any, name: str = "", *, arrays: bool = False) -> Abstract:
    """What a NumPy function gave, as an abstract value: arrays are new storage. `arrays`: it gives arrays also where there are no axes."""
    match result:
        case Value():
            return new_array(reader, result.atom, name) if arrays else unwrap_atom(reader, result.atom, name)
        case tuple():
            return remake(result, [unwrap(reader, item, arrays=arrays) for item in result])
        case list():
            return reader.new_list([unwrap(reader, item) for item in result])
        case dict():
            return reader.new_dict({key: unwrap(reader, item) for key, item in result.items()})
        case np.ndarray():
            return np.zeros((), FLOAT0) if result.dtype == FLOAT0 else constant_array(reader, result)
    return result


def unwrap_atom(reader: Reader, atom: Atom, name: str = "") -> Abstract:
    """An atom that was computed: with axes an array in new storage, a literal as the number that it is."""
    if atom.type.shape:
        return new_array(reader, atom, name)
    if isinstance(atom, Literal):
        return _number(atom)
    return atom


def _number(atom: Literal) -> Any:
    """The number that a literal is, Python's or NumPy's."""
    return atom.value if atom.type.weak else atom.type.dtype.type(atom.value)


def settled_number(reader: Reader, value: Abstract) -> Abstract:
    """A whole number or truth that is known though it was computed, where the reading asks for that (`Session.settles`); other values: themselves."""
    if not isinstance(value, Var) or value.type.shape or value not in reader.builder.told:
        return value
    if not reader.session.settles:
        reader.session.would_settle = True
        return value
    return unwrap_atom(reader, Literal(reader.builder.told[value].item(), value.type))


def constant_array(reader: Reader, array: np.ndarray) -> Abstract:
    """An array known while reading as a new array of the program."""
    with building(reader.builder):
        view = new_array(reader, creation.array(array.tolist(), dtype=array.dtype).atom)
    view.cell.contiguous = True
    return view


def as_atom(reader: Reader, value: Abstract, name: str = "value") -> Atom:
    """A number or run-time scalar as an atom; an error for anything else."""
    if isinstance(value, (Var, Literal)):
        return value
    if is_number(value):
        return number_literal(value)
    if isinstance(value, Missing):
        raise missing_error(reader, value)
    if is_zero_dim(reader, value):
        return load(reader, value).atom
    raise reader.unsupported(f"{name} must be a number here, not {describe(reader, value)}")


def as_size(reader: Reader, value: Abstract, what: str = "a size") -> Atom:
    """An integer as an int64 atom."""
    atom = as_atom(reader, value, what)
    if not is_whole(atom.type.dtype) or atom.type.shape:
        refuse_as_python(operator.index, reader.value(atom))
        raise reader.unsupported(f"{what} must be an integer, not {describe(reader, value)}", "int(…)")
    if isinstance(atom, Literal):
        return Literal(int(atom.value), SIZE)  # type: ignore[arg-type]
    if atom.type.dtype != INT64:
        return cast(reader.value(atom), INT64).atom
    return atom


def weak_dim(reader: Reader, dim: Dim) -> Abstract:
    """A dimension as the user sees it: a Python int."""
    if isinstance(dim, int):
        return dim
    if dim.type.weak:
        return dim
    with building(reader.builder):
        return shape_value(dim).atom  # type: ignore[union-attr]
