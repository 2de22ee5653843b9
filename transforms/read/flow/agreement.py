"""Two values that one name has, on two paths or in two trips: whether they are the same, and what holds both."""
from __future__ import annotations

import numpy as np

from s2s.transforms.read.callables import Closure
from s2s.transforms.read.calls.hidden import whole
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import cast
from s2s.transforms.read.numpy.python_checks import check_joined
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_zero_dim, load
from s2s.transforms.read.syntax.frame import RESULT
from s2s.transforms.read.values import (
    Abstract,
    Outside,
    Part,
    Pooled,
    Reshaped,
    Step,
    View,
    is_atom,
    is_number,
    same_structure,
    scalar_type,
)
from s2s.transforms.read.wrapping import as_atom
from s2s.transforms.read.zero_dim import is_member, kinds
from s2s.types import BOOL, Array, Atom, Literal, Var, promote


def same_static(reader: Reader, a: Abstract, b: Abstract) -> bool:
    """Whether two values known while reading are the same one."""
    if a is b:
        return True
    if isinstance(a, Var | Literal | View) or isinstance(b, Var | Literal | View) or type(a) is not type(b):
        return a == b if isinstance(a, Literal) and isinstance(b, Literal) and a.type == b.type else False
    if isinstance(a, tuple):
        return same_structure(a, b) and all(same_static(reader, x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Pooled):
        return a.pool is b.pool and same_static(reader, a.number, b.number)
    if isinstance(a, Outside):
        return a.object is b.object and (a.steps == b.steps or whole(reader, a) is whole(reader, b))
    if isinstance(a, float) or is_number(a):
        return bool(a == b) and repr(a) == repr(b)
    if isinstance(a, Closure):
        return a.node is b.node and a.frame is b.frame and _same_items(reader, a.defaults, b.defaults)
    return isinstance(a, str | bytes | type | slice | range) and a == b


def _same_items(reader: Reader, a: dict[str, Abstract], b: dict[str, Abstract]) -> bool:
    return a.keys() == b.keys() and all(same_static(reader, item, b[key]) for key, item in a.items())


def is_scalar(reader: Reader, value: Abstract) -> bool:
    """Whether a value is a number, a scalar or an array without axes."""
    return is_atom(value) or is_number(value) or is_zero_dim(reader, value)


def type_of_scalar(reader: Reader, value: Abstract) -> Array:
    """The type of such a value."""
    return load(reader, value).type if isinstance(value, View) else scalar_type(value)


def may_be_member(reader: Reader, *values: Abstract) -> bool:
    """Whether one of them may be a member of an enumeration."""
    return any(is_member(reader, value) for value in values)


def may_be_boxed(reader: Reader, *values: Abstract) -> bool:
    """Whether one of them may be an array without axes."""
    return any(True in kinds(reader, value) for value in values)


def same_steps(a: tuple[Step, ...], b: tuple[Step, ...]) -> bool:
    """Whether two views go through the same kinds of steps, so that only positions differ."""
    return len(a) == len(b) and all(
        x == y
        or (isinstance(x, Part) and isinstance(y, Part) and x.index == y.index and not x.is_diagonal)
        or (isinstance(x, Reshaped) and isinstance(y, Reshaped) and len(x.dims) == len(y.dims) and x.ravel == y.ravel)
        for x, y in zip(a, b, strict=True)
    )


def joined_type(a: Array, b: Array) -> Array | None:
    """The type that holds scalars of both: weak if both are; None where the dtype would depend on the path."""
    if a.dtype == b.dtype:
        return Array(a.dtype, (), a.weak and b.weak)
    if BOOL in (a.dtype, b.dtype):
        other = b if a.dtype == BOOL else a
        return Array(other.dtype, (), other.weak)
    return promote([Array(a.dtype, (), a.weak), Array(b.dtype, (), b.weak)])


def common_type(a: Array, b: Array, *values: Abstract) -> Array | None:
    """The type that holds scalars of both, of which these are some: a Python float beside a float32 keeps its digits, as a Python float."""
    type_ = joined_type(a, b)
    if type_ is None or not any(loses_digits(value, type_.dtype) for value in values):
        return type_
    return Array(np.result_type(type_.dtype, np.float64), (), weak=True)


def loses_digits(value: Abstract, dtype: np.dtype) -> bool:
    """Whether a value is a Python float or complex number that this dtype may have to round."""
    if dtype not in (np.float16, np.float32, np.complex64) or not (is_atom(value) or is_number(value)):
        return False
    type_ = scalar_type(value)
    if not type_.weak or type_.dtype.kind not in "fc":
        return False
    number = value.value if isinstance(value, Literal) else value
    if isinstance(number, Var):
        return True
    with np.errstate(over="ignore"):
        return not np.isnan(number) and complex(np.asarray(number).astype(np.float16 if dtype == np.float16 else np.complex64)) != complex(number)


def differs_in_precision(a: Array, b: Array) -> bool:
    """Whether these are two NumPy float types of different precision: a result's dtype would depend on the path."""
    return not a.weak and not b.weak and a.dtype != b.dtype and a.dtype.kind in "fc" and b.dtype.kind in "fc"


def converted(reader: Reader, value: Abstract, type_: Array) -> Atom:
    """A number or scalar as an atom of this type, converted here."""
    with building(reader.builder):
        number = reader.value(as_atom(reader, value))
        check_joined(number, type_.dtype)
        return cast(number, type_.dtype, weak=type_.weak).atom


def plain(name: str) -> str:
    """The name of a variable of the program that stands for one of the function's, or for a signal."""
    return {RESULT: "result", "%returned": "returned", "%broke": "broke", "%continued": "skipped", "%raised": "raised", "%code": "code"}.get(name, name) or "value"


def shown(name: str) -> str:
    """A name in a message."""
    return "the returned value" if name == RESULT else repr(name)
