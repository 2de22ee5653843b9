"""Calls of functions that are composed of others: their plain NumPy source is read in place, everything in it at the place of the call."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from types import FunctionType, MethodType
from typing import Any

import libcst as cst
import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.records import replace
from s2s.transforms.primitives.indexing import At, getitem, setitem
from s2s.transforms.read.callables import Closure, Method
from s2s.transforms.read.calls import collectives, records, whole_keys
from s2s.transforms.read.calls.cached import cache as cache_of
from s2s.transforms.read.calls.cached import call_cached
from s2s.transforms.read.calls.fourier import SPECTRA
from s2s.transforms.read.calls.functions import call_inline
from s2s.transforms.read.calls.generators import drawn, left_over, old_drawn, seeded
from s2s.transforms.read.calls.lax_marks import MARKS
from s2s.transforms.read.calls.managed import manager
from s2s.transforms.read.calls.own_attributes import ATTRIBUTES
from s2s.transforms.read.composed import drawing, formats, frozen, given_generators, marks
from s2s.transforms.read.composed.table import COMPOSED
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow import keyed
from s2s.transforms.read.flow.items import as_python_int
from s2s.transforms.read.flow.spreading import spreads
from s2s.transforms.read.identity import is_same
from s2s.transforms.read.installed import NEWER
from s2s.transforms.read.names import short
from s2s.transforms.read.numpy.arguments import FLAGS, FORMS
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import cast
from s2s.transforms.read.numpy.rearranging import pad
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.rules.custom import call_stop_gradient
from s2s.transforms.read.storage import pools, tables
from s2s.transforms.read.storage.access import load, ordered, store_view
from s2s.transforms.read.storage.growing import filled_list
from s2s.transforms.read.storage.grown import Grown, Table
from s2s.transforms.read.storage.layout import axes_in_memory
from s2s.transforms.read.storage.plans import refused
from s2s.transforms.read.syntax.frame import Frame, scope_for
from s2s.transforms.read.syntax.source import Tree, own_tree
from s2s.transforms.read.values import Abstract, ListRef, OneOf, Outside, Pooled, View, is_atom, is_runtime
from s2s.transforms.read.wrapping import as_atom, as_size, unwrap, unwrap_atom, wrap
from s2s.types import INT64, Array, Opaque, size_literal

_ROOM = f"{marks.__name__.rpartition('.')[0]}."


def is_part(function: Any) -> bool:
    """Whether it is a function of the composed ones' own modules: one that they call."""
    return isinstance(function, FunctionType) and (function.__module__ or "").startswith(_ROOM)


def call_composed(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """A function of COMPOSED with NumPy's own arguments; its TypeError for others."""
    try:
        _signature(function).bind(*args, **kwargs)
    except TypeError as error:
        raise ArgumentTypeError(f"{function.__name__}() {error}", where=reader.builder.where) from None
    if (name := COMPOSED.name_of(function)) in given_generators.OLDER:
        args, kwargs = _with_generator(reader, str(name), _signature(function), args, kwargs)
    kwargs = _without_newer(reader, str(name), kwargs)
    if isinstance(owner := getattr(function, "__self__", None), np.ufunc):  # np.subtract.reduce: the function is the first argument
        args = (owner, *args)
    if COMPOSED[function] is frozen.freeze:  # scipy.stats.norm(…): likewise
        args = (function, *args)
    return call_part(reader, COMPOSED[function], args, kwargs, short(str(COMPOSED.name_of(function))))


def _without_newer(reader: Reader, name: str, kwargs: dict[str, Abstract]) -> dict[str, Abstract]:
    """The words without those that only newer versions of the library know."""
    newer = NEWER.get(name, {})
    for word, default in newer.items():
        if word in kwargs and kwargs[word] != default:
            raise reader.unsupported(f"{name}(…, {word}=…)", f"{word}={default!r}")
    return {word: value for word, value in kwargs.items() if word not in newer}


def _with_generator(reader: Reader, name: str, signature: inspect.Signature, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    if "rng" in kwargs and kwargs["rng"] is None:
        raise reader.unsupported(f"{name}(…, rng=None)", "rng=np.random.default_rng(…)", "each run would draw other numbers")
    try:
        return given_generators.by_older_name(name, signature, args, kwargs)
    except TypeError as error:
        raise ArgumentTypeError(str(error), where=reader.builder.where) from None


def call_part(reader: Reader, source: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract], shown: str = "") -> Abstract:
    """A function of composed modules. `shown`: what users call it."""
    if source in _MARKS:
        return _MARKS[source](reader, *args, **kwargs)
    assert isinstance(source, FunctionType)
    try:
        bound = _signature(source).bind(*args, **kwargs)
    except TypeError as error:  # the library's own signature takes anything
        raise ArgumentTypeError(f"{shown or source.__name__}: {error}", where=reader.builder.where) from None
    bound.apply_defaults()
    for name, value in bound.arguments.items():
        if shown and name in FORMS and isinstance(value, View):  # what a user gives for it: an array of axes, a number in an array
            with building(reader.builder):
                bound.arguments[name] = unwrap(reader, FORMS[name](wrap(reader, value)))
        default = _signature(source).parameters[name].default
        if name in FLAGS and default not in (inspect.Parameter.empty, None) and not isinstance(default, float) and is_runtime(value):  # scipy.fft.fht's bias is a number
            raise reader.unsupported(f"{shown}(…, {name}=…) with a value that is known only at run time", f"{name}=True or {name}=False, with an if")
        if _signature(source).parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            bound.arguments[name] = reader.new_dict(value, dict)
    tree = replace(_tree(source), at=reader.builder.where, anonymous=source in marks.ANONYMOUS)
    frame = Frame(tree, scope_for(tree.node), source.__name__, source, None)
    frame.names.update(bound.arguments)
    return call_inline(reader, frame, tree.node, source.__name__)


def _refuse(reader: Reader, what: str, instead: str = "", why: str = "") -> Abstract:
    raise reader.unsupported(f"{what} is not supported", instead, why)


def _printed_otherwise(reader: Reader) -> None:
    reader.session.printoptions += 1


def _constant(reader: Reader, x: Abstract) -> Abstract:
    return call_stop_gradient(reader, marks.constant, (x,), {})


def _check_format(reader: Reader, fmt: Abstract, count: int, names: tuple[str, ...], skip: Abstract) -> None:
    if not isinstance(fmt, str) and is_runtime(fmt):
        raise reader.unsupported("debug.print of a text that is known only at run time", "a text with fields")
    formats.check_format(fmt, count, names, bool(skip))


def _surely(reader: Reader, test: Abstract) -> Abstract:
    return not is_runtime(test) and bool(test)


def _by_sizes(reader: Reader, test: Abstract) -> None:
    holds = as_atom(reader, test, "holds")
    reader.builder.check(holds, "NotImplementedError", "sizes decide how many axes there are", stretch=True)


def _plain_pad(reader: Reader, x: Abstract, pad_width: Abstract, mode: str, value: Abstract) -> Abstract:
    with building(reader.builder):
        padded = unwrap(reader, pad(wrap(reader, x), FORMS["pad_width"](wrap(reader, pad_width)), mode, constant_values=wrap(reader, value)), arrays=True)
    return ordered(reader, padded, x)


def _same_array(reader: Reader, a: Abstract, b: Abstract) -> Abstract:
    return is_same(reader, a, b) is True


def _is_item(reader: Reader, items: Abstract, value: Abstract) -> Abstract:
    content = reader.heap[items]
    return isinstance(content, Grown) and not isinstance(content, Table) and is_atom(value) and reader.session.taken_of.get(value) == (content.cell, content.end)


def _attributes_of(reader: Reader, value: Abstract) -> Abstract:
    assert isinstance(value, Pooled)
    pools.refuse_late(reader, value.pool)
    return reader.new_list(pools.names_held(reader, value))


def _has_room_for(reader: Reader, value: Abstract, name: Abstract) -> Abstract:
    assert isinstance(value, Pooled)
    return all(each in (*value.pool.names, *pools.names_held(reader, value)) for each in (name.options if isinstance(name, OneOf) else (name,)))


def _number_of(reader: Reader, value: Abstract) -> Abstract:
    assert isinstance(value, Pooled)
    return as_python_int(reader, value.number)


def _items_between(reader: Reader, items: Abstract, start: Abstract, end: Abstract) -> Abstract:
    content = reader.heap[items]
    if not isinstance(content, Grown) and (isinstance(start, int) and isinstance(end, int) or not content):
        return reader.new_list(content[start:end] if content else ())
    if not tables.any_length(reader, items):
        raise reader.unsupported("a list of which only the run knows which one it is, of items of several kinds", "items of one kind")
    return tables.item_at(reader, reader.heap[items], slice(start, end))


@asks_python
def _taken(reader: Reader, items: Abstract, place: Abstract) -> Abstract:
    if isinstance(items, View):
        return unwrap_atom(reader, getitem(load(reader, items), reader.value(as_size(reader, place, "a place")), index=(At(),)).atom)
    content = reader.heap[items]
    if not isinstance(content, Grown) and (isinstance(place, int) or not content):
        return content[place if isinstance(place, int) else 0]  # of nothing this raises what no run comes to
    if not tables.any_length(reader, items):
        raise refused(reader, reader.unsupported("a list of which only the run knows which one it is, of items of several kinds", "items of one kind"), *content)
    return tables.item_of(reader, reader.heap[items], as_size(reader, place, "a place"))


def _stored(reader: Reader, items: Abstract, place: Abstract, value: Abstract) -> None:
    if isinstance(items, View):
        array = load(reader, items)
        with building(reader.builder):
            fitted = cast(reader.value(as_atom(reader, value)), array.dtype)
            store_view(reader, items, setitem(array, fitted, reader.value(as_size(reader, place, "a place")), index=(At(),)))
        return
    content = reader.heap[items]
    if not isinstance(content, Grown) and isinstance(place, int):
        reader.heap[items] = (*content[:place], value, *content[place + 1 :])
        return
    if not tables.any_length(reader, items):
        raise refused(reader, reader.unsupported("a list of which only the run knows which one it is, of items of several kinds", "items of one kind"), value, *content)
    tables.store_at(reader, reader.heap[items], as_size(reader, place, "a place"), value)


def _made_now(reader: Reader, value: Abstract) -> Abstract:
    return keyed.put_where_made(reader, value)


def _sequence(reader: Reader, x: Abstract) -> Abstract:
    """What a loop that is written with places goes through."""
    is_one = isinstance(x, View | ListRef | tuple | str | range) or isinstance(x, Pooled) and bool(x.pool.plan.sites)
    return x if is_one else reader.rules.call(list, (x,))


@spreads(2)
def _receiver(reader: Reader, function: Abstract, name: str, x: Abstract) -> Abstract:
    """An object whose method of this name is the function."""
    method = reader.rules.attribute(x, name)
    if not isinstance(method, Method) or method.function is not function and getattr(method.function, "object", None) is not function:
        raise reader.unsupported(f"a method {name} that calls the method {name} of another class", "a function that asks for the class")
    return method.first


def _named_as(reader: Reader, function: Abstract, other: Abstract) -> Abstract:
    """functools.wraps: a nested function under the name of the one that it wraps."""
    name = reader.rules.attribute(other, "__name__") if isinstance(other, Closure | Outside) or not isinstance(other, Opaque) else ""
    return replace(function, name=name) if isinstance(function, Closure) and isinstance(name, str) and name else function


def _zeros(reader: Reader, count: int) -> Abstract:
    return filled_list(reader, size_literal(count), Array(INT64, weak=True), lambda content: None)


def _argument_count(reader: Reader, function: Abstract) -> Abstract:
    if isinstance(function, Method):
        return _argument_count(reader, function.function) - 1
    if isinstance(function, Closure):
        if function.node.params.star_kwarg is not None or isinstance(function.node.params.star_arg, cst.Param):
            raise ArgumentValueError("Unable to determine number of fit parameters.", where=reader.builder.where)
        return len(function.node.params.params) + len(function.node.params.posonly_params)
    if isinstance(function, Outside):
        return _argument_count(reader, function.object)
    if not isinstance(function, FunctionType | MethodType):
        raise reader.unsupported("scipy.optimize.curve_fit without p0 of what is no plain function", "p0=[1.0, …]: where it starts, one number for each parameter")
    return marks.argument_count(function)


def _parameter_names(reader: Reader, function: Abstract) -> Abstract:
    if isinstance(function, Method):
        return _parameter_names(reader, function.function)[1:]
    if isinstance(function, Closure):
        params = function.node.params
        return tuple(each.name.value for each in (*params.posonly_params, *params.params, *params.kwonly_params))
    if isinstance(function, Outside):
        return _parameter_names(reader, function.object)
    try:
        return marks.parameter_names(function)
    except (TypeError, ValueError):  # it says nothing of them
        return ()


def _stores_outside(reader: Reader, function: Abstract, *args: Abstract) -> Abstract:
    branch = reader.fork()
    with reader.inside(branch):
        reader.rules.call(function, args)  # what it finds outside is held from here on
        before = dict(reader.heap)
        reader.rules.call(function, args)
        return any(reader.heap[cell] is not content for cell, content in before.items())


def _one_type(reader: Reader, x: Abstract, what: str, instead: str) -> Abstract:
    for each in x if isinstance(x, tuple) else (x,):
        if is_atom(each) and len({type_.dtype for type_ in types_of(reader.builder, each)}) > 1:
            raise reader.unsupported(f"{what} that is of one type on one path and of another on another", instead)
    return x


_MARKS: dict[Any, Callable[..., Abstract]] = {
    marks.named_as: _named_as, marks.managed: manager, **ATTRIBUTES,
    marks.unsupported: _refuse, marks.constant: _constant, marks.printed_otherwise: _printed_otherwise, drawing.drawn: drawn, drawing.old_drawn: old_drawn, drawing.seeded: seeded, drawing.left_over: left_over, marks.surely: _surely, marks.by_sizes: _by_sizes, marks.axes_in_memory: axes_in_memory, formats.check_format: _check_format, marks.one_type: _one_type, marks.stores_outside: _stores_outside, marks.argument_count: _argument_count, marks.parameter_names: _parameter_names, marks.zeros: _zeros, marks.items_between: _items_between, marks.attributes_of: _attributes_of, marks.has_room_for: _has_room_for, marks.number_of: _number_of, marks.made_now: _made_now, marks.taken: _taken, marks.stored: _stored, marks.is_item: _is_item, marks.same_array: _same_array, marks.sequence: _sequence, marks.receiver: _receiver, marks.plain_pad: _plain_pad, marks.cached: call_cached, marks.cache: cache_of, **SPECTRA, **MARKS, **whole_keys.HANDLERS, **records.HANDLERS, **collectives.HANDLERS,
}  # fmt: skip
"""What composed functions say to the reader."""


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The function's; of one written in C that tells none, that of what stands for it."""
    try:
        return inspect.signature(function)
    except ValueError:
        return inspect.signature(COMPOSED[function])


@cache
def _tree(source: FunctionType) -> Tree:
    return own_tree(source)


__all__ = ["call_composed", "call_part", "is_part"]
