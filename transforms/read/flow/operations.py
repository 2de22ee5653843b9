"""What an operator does with two values, or one: numbers and arrays, containers, objects."""
from __future__ import annotations

from collections import Counter, deque

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.transforms.read.calls import special_methods
from s2s.transforms.read.classes import type_name
from s2s.transforms.read.composed import counters, lists
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow import float_errors
from s2s.transforms.read.flow.comparisons import items_in
from s2s.transforms.read.flow.keyed import must_be_new
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.flow.texts import repeated_text
from s2s.transforms.read.iterations import Iteration, RunRange
from s2s.transforms.read.known import by_python, is_known, refused_by_python, unknown
from s2s.transforms.read.numpy import operators
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpys_words import numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load, of_elements, ordered
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.storage.tables import as_tuple, is_fixed, repeated
from s2s.transforms.read.values import (
    Abstract,
    DequeRef,
    DictRef,
    DictView,
    IteratorRef,
    ListRef,
    ObjectRef,
    Outside,
    SetRef,
    Text,
    TupleRef,
    View,
    is_atom,
)
from s2s.transforms.read.wrapping import as_size, unwrap, wrap
from s2s.types import BOOL, is_whole


@spreads(1, 2)
def binary(reader: Reader, op: str, a: Abstract, b: Abstract) -> Abstract:
    """a op b of abstract values."""
    special = special_methods.binary(reader, op, a, b)
    if special is not None:
        return special[0]
    if isinstance(a, (ListRef, tuple, DictRef)) or isinstance(b, (ListRef, tuple, DictRef)):
        found = _of_containers(reader, op, a, b)
        if found is not None:
            return found
    if isinstance(a, (range, RunRange)) and isinstance(b, View) or isinstance(b, (range, RunRange)) and isinstance(a, View):
        a, b = (reader.rules.call(np.asarray, (each,)) for each in (a, b))
    if op == "*" and (text := repeated_text(reader, a, b)) is not None:
        return text
    if not _is_numeric(a) or not _is_numeric(b):
        return _of_objects(reader, op, a, b)
    return _of_numbers(reader, op, a, b)


def _of_numbers(reader: Reader, op: str, a: Abstract, b: Abstract) -> Abstract:
    def compute() -> Abstract:
        with building(reader.builder), numpys_words(reader, operators.BINARY[op][0], (a, b)):
            result = unwrap(reader, operators.binary(op, wrap(reader, a), wrap(reader, b)))
            return ordered(reader, result, a, b) if op == "@" else of_elements(reader, result, a, b)

    return float_errors.operation(reader, op, a, b, compute) if reader.session.float_errors else compute()


def _of_containers(reader: Reader, op: str, a: Abstract, b: Abstract) -> Abstract:
    """Concatenation, repetition and union; None for array arithmetic with a list."""
    if (isinstance(a, DequeRef) or isinstance(b, DequeRef)) and not isinstance(a, View) and not isinstance(b, View):
        return _of_deques(reader, op, a, b)
    if op == "+" and any(isinstance(each, TupleRef) for each in (a, b)) and all(isinstance(each, tuple | TupleRef) for each in (a, b)):
        begun = reader.rules.call(list, (a,))
        return as_tuple(reader, reader.rules.call(lists.joined, (begun, b)))
    for kind in (tuple, ListRef):
        if op == "+" and type(a) is type(b) is ListRef and any(isinstance(reader.heap[each], Grown) for each in (a, b)):
            return reader.rules.call(lists.joined, (a, b))
        if op == "+" and isinstance(a, kind) and isinstance(b, kind):
            items = (*items_in(reader, a), *items_in(reader, b))
            return items if kind is tuple else reader.new_list(items)
        for sequence, count in ((a, b), (b, a)):
            if op == "*" and type(sequence) is ListRef and isinstance(reader.heap[sequence], Grown) and (isinstance(count, int) or is_count(count)):
                return reader.rules.call(lists.times, (sequence, count))
            if op == "*" and isinstance(sequence, kind) and isinstance(count, int | np.integer):
                items = items_in(reader, sequence) * int(count)
                return items if kind is tuple else reader.new_list(items)
    for sequence, count in ((a, b), (b, a)):
        if op == "*" and isinstance(sequence, ListRef) and is_count(count):
            if len(reader.heap[sequence]) > 1 and all(map(is_fixed, reader.heap[sequence])):
                return reader.rules.call(lists.times, (sequence, count))
            return repeated(reader, items_in(reader, sequence), as_size(reader, count), reader.builder.where)
    if isinstance(a, SetRef) or isinstance(b, SetRef):
        return _of_objects(reader, op, a, b)
    if any(isinstance(each, DictRef) and each.kind is Counter for each in (a, b)):
        return _of_counters(reader, op, a, b)
    if op == "|" and isinstance(a, DictRef) and isinstance(b, DictRef):
        return reader.new_dict({**reader.heap[a], **reader.heap[b]})
    if any(a_is_array(value) or is_atom(value) and not value.type.weak or isinstance(value, np.generic | np.ndarray | ObjectRef | Outside) for value in (a, b)):
        if not isinstance(a, View) and not isinstance(b, View):
            refused_by_python(reader, operators.BINARY[op][0], a, b)
        return None  # NumPy's arithmetic, or a class's own
    return _of_objects(reader, op, a, b)


def is_count(value: Abstract) -> bool:
    """Whether it is a number of the run that says how often: an integer, or a bool of Python's (NumPy's is none: it has no `__index__`)."""
    return is_atom(value) and not value.type.shape and is_whole(value.type.dtype) and (value.type.weak or value.type.dtype != BOOL)


def _of_deques(reader: Reader, op: str, a: Abstract, b: Abstract) -> Abstract:
    """One of the items of both, or of its own several times, of the first one's greatest length."""
    first = a if isinstance(a, DequeRef) else b
    if op == "*" and (isinstance(a, DequeRef) is not isinstance(b, DequeRef)) or isinstance(a, DequeRef) and isinstance(b, DequeRef) and op == "+":
        one, other = (reader.rules.call(list, (each,)) if isinstance(each, DequeRef) else each for each in (a, b))
        return reader.rules.call(deque, (binary(reader, op, one, other), first.maxlen))
    if op == "+" and isinstance(a, DequeRef):
        raise ArgumentTypeError(f'can only concatenate deque (not "{type_name(reader, b)}") to deque', where=reader.builder.where)
    raise reader.unsupported(f"`{op}` of {describe(reader, a)} and {describe(reader, b)}", "lists, or a loop that appends")


def _of_counters(reader: Reader, op: str, a: Abstract, b: Abstract) -> Abstract:
    if is_known(reader, a) and is_known(reader, b):
        return by_python(reader, operators.BINARY[op][0], a, b)
    if op in "+-|&" and all(isinstance(each, DictRef) and each.kind is Counter for each in (a, b)):
        found = must_be_new(reader, Counter, f"`{op}` of counters whose counts are known only at run time", "a loop over their keys")
        return reader.rules.call(counters.combined, (op, a, b, found))
    raise reader.unsupported(f"`{op}` of a Counter and another value", "Counter.update or Counter.subtract")


_NO_NUMBERS = (str, bytes, frozenset, range, slice, type(None), Text, SetRef, DictView, Iteration, IteratorRef, RunRange, ObjectRef)


def _is_numeric(value: Abstract) -> bool:
    """Whether an operator on it is NumPy's or Python's on numbers."""
    return not isinstance(value, _NO_NUMBERS)


def _of_objects(reader: Reader, op: str, a: Abstract, b: Abstract) -> Abstract:
    """An operator on texts, sets, dicts, …: Python's, where both are known; else what Python says to it, or refused."""
    if is_known(reader, a) and is_known(reader, b):
        return by_python(reader, operators.BINARY[op][0], a, b)
    if a is None or b is None or not isinstance(a, View) and not isinstance(b, View):
        refused_by_python(reader, operators.BINARY[op][0], _as_one(reader, a), _as_one(reader, b))
    raise reader.unsupported(f"`{op}` of {describe(reader, a)} and {describe(reader, b)}", "numbers and arrays")


def _as_one(reader: Reader, value: Abstract) -> Abstract:
    """An array as a number of its dtype: what NumPy says of None is said of the elements."""
    return load(reader, value).type.dtype.type(1).item() if isinstance(value, View) else value


def a_is_array(value: Abstract) -> bool:
    """Whether it is an array (not a scalar)."""
    return isinstance(value, View)


@spreads(1)
def unary(reader: Reader, symbol: str, value: Abstract) -> Abstract:
    """-a, +a, ~a."""
    special = special_methods.unary(reader, symbol, value)
    if special is not None:
        return special[0]
    if isinstance(value, tuple | ListRef | DictRef) or not _is_numeric(value):
        refused_by_python(reader, operators.UNARY[symbol][0], value)
        unknown(reader, value, f"unary {symbol} of")
    with building(reader.builder), numpys_words(reader, operators.UNARY[symbol][0], (value,)):
        return of_elements(reader, unwrap(reader, operators.unary(symbol, wrap(reader, value))), value)
