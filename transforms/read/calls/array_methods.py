"""Attributes and methods of arrays and of NumPy's numbers: views and aliases as NumPy makes them."""
from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.transforms.read.callables import ArrayMethod, AtArray
from s2s.transforms.read.calls.composed import call_composed
from s2s.transforms.read.calls.copies_in_order import ASTYPE, COPIES, in_an_order
from s2s.transforms.read.calls.nearest import nearest_member, with_nearest
from s2s.transforms.read.calls.numpy_calls import call_in_c_order, numpy_call, update
from s2s.transforms.read.calls.outs import out_by_name, with_out
from s2s.transforms.read.classes import example_of
from s2s.transforms.read.composed import in_memory, rarer
from s2s.transforms.read.composed.table import COMPOSED_METHODS
from s2s.transforms.read.doubts import types_of
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.flow.flat import flat_of
from s2s.transforms.read.flow.positions import check_taken
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import lift, supported
from s2s.transforms.read.numpy.table import ARRAY_ATTRIBUTES, ARRAY_METHODS, ARRAY_UPDATES
from s2s.transforms.read.numpys_words import check_odd, numpys_words
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_zero_dim, load
from s2s.transforms.read.storage.layout import in_its_order, strides
from s2s.transforms.read.storage.views import (
    note_sharing,
    view_call,
    views_in,
)
from s2s.transforms.read.values import Abstract, View, is_atom
from s2s.transforms.read.wrapping import unwrap, weak_dim, wrap
from s2s.transforms.read.zero_dim import as_given, method_makes_arrays, no_member
from s2s.types import Atom, Literal, Var, kind_of

_METHOD_FUNCTIONS = {"transpose": np.transpose, "swapaxes": np.swapaxes, "reshape": np.reshape, "ravel": np.ravel, "squeeze": np.squeeze,
                     "diagonal": np.diagonal}  # fmt: skip
_RARER_METHODS: dict[str, Any] = {"reshape": np.reshape, "ravel": np.ravel, "flatten": np.ndarray.flatten, "trace": np.trace}
"""Methods that have arguments of `composed/rarer.py`."""


@asks_python
def _refuse_missing(reader: Reader, number: Atom, name: str) -> None:
    """Python's AttributeError for what Python's own numbers don't have; refused where the number is NumPy's on another path."""
    examples = [example_of(reader, Literal(0, type_)) for type_ in types_of(reader.builder, number)]
    lacking = [example for example in examples if not hasattr(example, name)]
    if lacking and len(lacking) < len(examples):
        raise reader.unsupported(f"the attribute .{name} of a number that is Python's own on one path and NumPy's on another", "float(…) or np.float64(…) of it before")
    if lacking:
        try:
            getattr(lacking[0], name)
        except AttributeError as error:
            if hasattr(np.ndarray, name) or name == "at":
                error.add_note(f"a number of Python's stays one, among the arguments of a jitted function, too: write np.asarray(…).{name}")
            raise


@asks_python
def array_attribute(reader: Reader, base: Abstract, name: str) -> Abstract:
    """x.name of an array or run-time scalar."""
    no_member(reader, base, f"the attribute .{name}")
    with numpys_words(reader, lambda array: getattr(array, name), (base,)):
        return _array_attribute(reader, base, name)


@asks_python
def _array_attribute(reader: Reader, base: Abstract, name: str) -> Abstract:
    if is_atom(base) and kind_of(base.type.dtype) in "bifc":
        _refuse_missing(reader, base, name)
    if name == "at":
        return AtArray(base)
    if name == "flat" and isinstance(base, View):
        return flat_of(reader, base)
    if name in ARRAY_METHODS or name in ARRAY_UPDATES or name in COMPOSED_METHODS or name in ("view", "to_device"):
        return ArrayMethod(base, name)
    if name == "__class__":
        return reader.rules.call(type, (base,))
    if name == "device":
        return "cpu"
    if name == "T" and isinstance(base, View):
        return view_call(reader, np.transpose, (base,), {})
    if name == "mT" and isinstance(base, View):
        return view_call(reader, np.swapaxes, (base, -1, -2), {})
    if name == "shape":
        return tuple(weak_dim(reader, dim) for dim in (load(reader, base) if isinstance(base, View) else wrap(reader, base)).shape)
    if name == "strides" and isinstance(base, View):
        return strides(reader, base)
    if name == "flags" and isinstance(base, View):
        return reader.rules.call(in_memory.Flags, (base,))
    if name in ARRAY_ATTRIBUTES:
        with building(reader.builder):
            result = as_given(reader, base, name, unwrap(reader, ARRAY_ATTRIBUTES[name](wrap(reader, base)), arrays=method_makes_arrays(base, name)))
        return views_in(reader, result, (base,)) if name in ("real", "imag") else result
    if isinstance(base, View) and not hasattr(np.ndarray, name):
        raise with_nearest(AttributeError(f"'numpy.ndarray' object has no attribute {name!r}", name=name), nearest_member(name))
    instead, why = _ADVICE.get(name, ("a NumPy function of the array", ""))
    raise reader.unsupported(f"the attribute .{name} of an array is not supported", instead, why)


_IN_MEMORY = "how an array lies in memory is no part of what a function computes"
_ADVICE = {
    **dict.fromkeys(("data", "ctypes", "base"), ("ask outside of the function", _IN_MEMORY)), "setflags": ("ask outside of the function", _IN_MEMORY),
    "resize": ("y = np.resize(x, shape), which repeats, or np.pad", "other names of the array would see another shape"),
    **dict.fromkeys(("tobytes", "tofile", "dump", "dumps"), ("write the result outside of the function", "")), "flat": ("np.ravel", ""),
    "byteswap": ("x.view of integers, and shifts", ""), "getfield": ("x.view(dtype)", ""), "setfield": ("x.view(dtype)", ""),
}  # fmt: skip
"""What to write instead of an attribute that is not there, and why."""


@asks_python
def call_array_method(reader: Reader, array: Abstract, name: str, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """array.name(…)."""
    def method(first: Any, *rest: Any, **named: Any) -> Any:
        return getattr(first, name)(*rest, **named)

    method.__name__ = f"x.{name}"
    check_odd(reader, method, (array, *args), kwargs)
    with numpys_words(reader, method, (array, *args), kwargs):
        return _call_array_method(reader, array, name, args, kwargs)


def _as_of_function(name: str, operands: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[tuple[Abstract, ...], dict[str, Abstract]]:
    """The arguments of a method as NumPy's function of its name takes them: the condition first, both bounds."""
    if name == "compress":
        array, *rest = operands
        return (kwargs["condition"] if "condition" in kwargs else rest.pop(0), array, *rest), {key: value for key, value in kwargs.items() if key != "condition"}
    if name == "clip":
        low, high = (*operands[1:], *(None,) * 2)[:2]
        named = {key: value for key, value in kwargs.items() if key not in ("min", "max")}
        return (operands[0], kwargs.get("min", low), kwargs.get("max", high)), named
    return operands, kwargs


def _viewed(reader: Reader, array: Abstract, dtype: Abstract = None, type: Abstract = None) -> Abstract:  # noqa: A002 (NumPy's own)
    """x.view(…): another name for the array, or its bits as numbers of another dtype, a copy in which nothing can be stored while both are in use."""
    if type is not None or any(dtype is each for each in (np.ndarray, np.matrix, np.recarray)):
        raise reader.unsupported("x.view of another class", "x.view(dtype)")
    with building(reader.builder):
        own = lift(wrap(reader, array)).dtype
        wanted = own if dtype is None else supported(np.dtype(wrap(reader, dtype)))
    if wanted == own:
        return View(array.cell, array.steps) if isinstance(array, View) else array
    found = call_composed(reader, np.ndarray.view, (array, dtype, own.itemsize if wanted.itemsize == own.itemsize else _last_stride(reader, array, own.itemsize)), {})
    if isinstance(found, Var) and is_zero_dim(reader, array):
        with building(reader.builder):
            return unwrap(reader, wrap(reader, found), arrays=True)
    note_sharing(reader, found, (array,))
    return found


def _last_stride(reader: Reader, array: Abstract, size: int) -> Abstract:
    """How many bytes lie between the elements of the last axis: NumPy only sees them as more or fewer others where they lie side by side."""
    if not isinstance(array, View) or is_zero_dim(reader, array):
        return size
    is_told = bool(array.steps) or array.cell.owner is not None or array.cell.like is not None  # what else NumPy makes lies in C order, if its operands do
    return strides(reader, array)[-1] if is_told else size


def _call_array_method(reader: Reader, array: Abstract, name: str, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    if name == "view":
        return _viewed(reader, array, *args, **kwargs)
    if name == "to_device":
        if (*args, *kwargs.values())[:1] != ("cpu",):
            raise ArgumentValueError("Unsupported device.", where=reader.builder.where)
        return array
    if name == "astype" and len(args) <= len(ASTYPE) and not kwargs.keys() & set(ASTYPE[: len(args)]):
        args, kwargs = (), {**dict(zip(ASTYPE, args, strict=False)), **kwargs}
    if name in COPIES:
        make = partial(call_in_c_order, reader, np.copy) if name == "copy" else partial(_called_method, reader, name)
        lying = in_an_order(reader, name, (array, *args), kwargs, make)
        return in_its_order(reader, name, _called_method(reader, name, (array, *args), kwargs) if lying is None else lying, (array, *args), kwargs)
    return _called_method(reader, name, (array, *args), kwargs)


@asks_python
def _called_method(reader: Reader, name: str, operands: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    array, *rest = operands
    args = tuple(rest)
    if name in _RARER_METHODS:
        operands = (array, args) if name == "reshape" and len(args) > 1 else (array, *args)
        if rarer.source_for(_RARER_METHODS[name], operands, kwargs) is not None:
            return numpy_call(reader, _RARER_METHODS[name], operands, kwargs)
    if name in ARRAY_UPDATES:
        update(reader, ARRAY_UPDATES[name], (array, *args), kwargs)
        return None
    if isinstance(array, View) and name in _METHOD_FUNCTIONS:
        if name in ("reshape", "transpose") and len(args) > 1:
            args = (args,)
        if name == "transpose" and len(args) == 1 and args[0] is None:
            args = ()
        viewed = view_call(reader, _METHOD_FUNCTIONS[name], (array, *args), kwargs)
        if viewed is not None:
            return viewed
    if name != "compress" and hasattr(np, name):
        placed, kwargs = out_by_name(getattr(np, name), (array, *args), kwargs)
        args = placed[1:]
    if kwargs.get("out") is not None and hasattr(np, name):
        operands, kwargs = _as_of_function(name, (array, *args), kwargs)
        return with_out(reader, getattr(np, name), operands, kwargs, numpy_call)
    if name in ("var", "std") and "correction" in kwargs:
        raise ArgumentTypeError(f"_{name}() got an unexpected keyword argument 'correction'", where=reader.builder.where)
    if name in COMPOSED_METHODS:
        return numpy_call(reader, COMPOSED_METHODS[name], (array, *args), kwargs)
    if name in ("take", "item") and args:
        check_taken(reader, np.take, (array, *args) if name == "take" else (array, args[0] if len(args) == 1 else args), kwargs)
    with building(reader.builder):
        value = wrap(reader, array)
        result = ARRAY_METHODS[name](value, *(wrap(reader, arg) for arg in args), **{key: wrap(reader, arg) for key, arg in kwargs.items()})
        if name == "astype" and kwargs.get("copy") is False and getattr(result, "atom", None) is value.atom:
            return array
        found = as_given(reader, array, name, unwrap(reader, result, arrays=method_makes_arrays(array, name)))
    if name == "diagonal":
        note_sharing(reader, found, (array,))
    is_itself = name in ("conj", "conjugate") and isinstance(array, View) and load(reader, array).dtype.kind != "c"
    return array if is_itself else found
