"""Arguments as the program sees them: what kind each leaf of a call is, and the array or number that a kernel gets for it."""
from __future__ import annotations

import decimal
import enum
import functools
import numbers
import types
from collections.abc import Hashable
from typing import Any

import numpy as np

from s2s.calls.array_likes import has_own_operators
from s2s.codegen.modules.call import Static
from s2s.errors import ArgumentTypeError, ArgumentValueError
from s2s.hidden import behaves_as_array
from s2s.records import replace
from s2s.streams import is_stream
from s2s.tree_util import tree_flatten
from s2s.types import SIZE, SUPPORTED_DTYPES, Array, Dim, Var, is_integer, is_wide, short_name

Kind = tuple[str, tuple[int, ...]]
"""A dynamic leaf's kind: ("f8", weak "f8*", "i8*w" for an int of more than 32 bits, "f8[]" for an array without axes, "f8F" for one in Fortran order or "i8~" for a random generator's memory, sizes): -1 stands for any size but 1."""
ExactKind = tuple[str, tuple[int, ...], tuple[int, ...] | None]
"""A kind with all sizes, and an array's strides."""

_PYTHON_NUMBERS = {float: "f8*", int: "i8*", complex: "c16*", bool: "b1*"}
_STATIC_TYPES = (
    str, bytes, type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, enum.Enum, np.dtype, np.ufunc,
    functools.partial, types.EllipsisType, slice, range,
)  # fmt: skip
_BY_NAME = {short_name(dtype): dtype for dtype in SUPPORTED_DTYPES}
_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1


def kind_of_leaf(leaf: Any, name: str, *, objects: bool = False) -> Kind | Static:
    """The kind of an array or number; Static for a value that the program is built on, with `objects` also one of any class."""
    number = _PYTHON_NUMBERS.get(type(leaf))
    if number is not None:
        if number == "i8*" and not _INT64_MIN <= leaf <= _INT64_MAX:
            raise ArgumentValueError(f"the argument {name} = {leaf} does not fit into 64 bits")
        return number + "w" * is_wide(leaf), ()
    if isinstance(leaf, (np.ndarray, np.generic)):
        return _kind_of_array(leaf, name)
    if type(leaf) is Static:
        return leaf
    if isinstance(leaf, _STATIC_TYPES) or _is_function_of_s2s(leaf) or (callable(leaf) and type(leaf).__module__.startswith(("numpy", "numba."))):
        return Static(leaf)
    for python_type in (int, float, complex):
        if isinstance(leaf, python_type):
            return _PYTHON_NUMBERS[python_type], ()
    if objects and _is_plain_object(leaf):
        return Static(leaf)
    if has_own_operators(leaf):
        raise _of_other_operators(leaf, name)
    raise ArgumentTypeError(
        f"the argument {name} of type {type(leaf).__name__} is neither an array, nor a number, nor a container of them",
        instead=_advice(leaf),
    )


def _is_plain_object(leaf: Any) -> bool:
    """Whether it is equal to itself alone: found again by that, its attributes are looked up at each call."""
    return not any("__eq__" in vars(cls) for cls in type(leaf).__mro__[:-1])


def is_object(thing: Any) -> bool:
    """Whether an argument is neither an array, a number nor a container, but an object that is found again as itself."""
    if not _is_plain_object(thing) or tree_flatten(thing)[0] != [thing]:
        return False
    try:
        return type(kind_of_leaf(thing, "", objects=True)) is Static
    except ArgumentTypeError:
        return False


def _is_function_of_s2s(leaf: Any) -> bool:
    """A transformed function, a pullback, a function with rules: the reader knows what calls of it do."""
    return hasattr(type(leaf), "stage") or "residuals" in getattr(leaf, "__dict__", {}) or hasattr(type(leaf), "residuals") or hasattr(type(leaf), "derivative_rule")


def _advice(leaf: Any) -> str:
    if type(leaf).__module__.startswith("scipy.sparse."):
        return "pass its tocsr()"
    if isinstance(leaf, numbers.Number | decimal.Decimal):
        return f"pass float(…) of it: programs hold numbers of the machine, no {type(leaf).__name__}"
    return "make its class a dataclass or register it (s2s.tree_util.register_pytree_node), or name the argument in static_argnames of s2s.jit"


OTHER_KINDS = {
    "V": ("is a structured array ({dtype})", "its fields as arguments of their own: {name}['…']"), "M": ("holds dates ({dtype})", "numbers: ({name} - {name}[0]) / numpy.timedelta64(1, 's')"),
    "m": ("holds spans of time ({dtype})", "numbers: {name} / numpy.timedelta64(1, 's')"), "O": ("holds Python's objects (dtype object)", "{name}.astype(float)"),
    "U": ("holds texts ({dtype})", "numbers"), "S": ("holds bytes ({dtype})", "numbers"),
}  # fmt: skip
"""What arrays without numbers hold, by the kind of their dtype: in users' words, and what to pass in their place."""


def _kind_of_array(leaf: Any, name: str) -> Kind:
    dtype = leaf.dtype
    if not dtype.isnative:
        raise ArgumentTypeError(f"the argument {name} has the byte order of another machine ({dtype.str})", instead=f"{name}.astype({dtype.newbyteorder('=').name!r})")
    if dtype not in SUPPORTED_DTYPES:
        supported = ", ".join(str(known) for known in SUPPORTED_DTYPES)
        what, instead = OTHER_KINDS.get(dtype.kind, ("has the dtype {dtype}", "{name}.astype({wider!r})"))
        wider = {"i": "int64", "u": "int64", "f": "float32" if dtype.itemsize < 4 else "float64", "c": "complex128"}.get(dtype.kind, "float64")
        raise ArgumentTypeError(
            f"the argument {name} {what.format(dtype=dtype)}", why=f"supported are {supported}", instead=instead.format(name=name, wider=wider)
        )
    if isinstance(leaf, np.ndarray) and type(leaf) is not np.ndarray and not behaves_as_array(type(leaf)):
        raise _of_other_operators(leaf, name)
    if is_stream(leaf):
        return "i8~", leaf.shape
    return short_name(dtype) + ("[]" if is_boxed(leaf) else ""), tuple(1 if size == 1 else -1 for size in leaf.shape)


def _of_other_operators(leaf: Any, name: str) -> ArgumentTypeError:
    cls = type(leaf)
    return ArgumentTypeError(f"the argument {name} is a {cls.__module__}.{cls.__name__}", why="its operators are not NumPy's", instead=f"numpy.asarray({name})")


def is_boxed(leaf: Any) -> bool:
    """Whether it is an array without axes."""
    return isinstance(leaf, np.ndarray) and not leaf.ndim


def with_order(kind: Kind | Static, leaf: Any) -> Kind | Static:
    """The kind, saying whether an array lies in Fortran order (and not in C's)."""
    is_fortran = type(kind) is tuple and len(kind[1]) > 1 and leaf.flags.fnc
    return (f"{kind[0]}F", kind[1]) if is_fortran else kind  # type: ignore[index]


def exact_kind(kind: Kind, leaf: Any) -> ExactKind:
    """The kind with all sizes, and how an array lies in memory, as they are."""
    return kind[0], np.shape(leaf), leaf.strides if isinstance(leaf, np.ndarray) and leaf.ndim else None


def type_of_kind(kind: Kind, dims: tuple[Dim, ...]) -> Array:
    """The program's type; `dims` stand where the size is any."""
    name, sizes = kind
    free = iter(dims)
    shape = tuple(next(free) if size < 0 else size for size in sizes)
    return Array(_BY_NAME[name.rstrip("*[]~Fw")], shape, "*" in name, wide=name.endswith("w"), boxed=name.endswith("[]"), stream=name.endswith("~"), fortran=name.endswith("F"))


def matches(leaf: Any, type_: Array) -> bool:
    """Whether a hidden input still is what the program was built for."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        if leaf.dtype != type_.dtype or type_.weak or leaf.ndim != type_.ndim or is_boxed(leaf) != type_.boxed:
            return False
        return all(size == dim if isinstance(dim, int) else size != 1 for size, dim in zip(leaf.shape, type_.shape, strict=True))
    name = short_name(type_.dtype) + ("*" if type_.weak else "")
    return _PYTHON_NUMBERS.get(type(leaf)) == name and not type_.shape and type_.wide >= is_wide(leaf)


def static_key(value: Any) -> Hashable:
    """A key under which only the same static value is found: 1, 1.0 and True differ, so do 0.0 and -0.0."""
    if type(value) is float:
        return float, value.hex()
    if type(value) is complex:
        return complex, value.real.hex(), value.imag.hex()
    if isinstance(value, slice):
        return slice, static_key((value.start, value.stop, value.step))
    if isinstance(value, tuple):
        return type(value), tuple(static_key(item) for item in value)
    if isinstance(value, functools.partial):
        return functools.partial, static_key(value.func), static_key(value.args), static_key(tuple(sorted(value.keywords.items())))
    hash(value)
    return type(value), value


def ready_as_it_lies(leaf: Any) -> Any:
    """The leaf as a public function takes it that gives it back: of any layout in memory, read-only or not; else like `ready`."""
    if not isinstance(leaf, np.ndarray) or leaf.ndim == 0:
        return ready_for_entry(leaf, mutated=False)
    plain = leaf if type(leaf) is np.ndarray else leaf.view(np.ndarray)
    dtype = _own_dtype(leaf)
    return plain if plain.dtype is dtype else plain.view(dtype)


def _own_dtype(array: np.ndarray) -> np.dtype:
    """NumPy's own object for an array's dtype."""
    return np.dtype(array.dtype.type) if not is_integer(array.dtype) else np.dtype(short_name(array.dtype))


def ready_for_entry(leaf: Any, *, mutated: bool) -> Any:
    """The leaf as a module's entry takes it: an array without axes stays one."""
    return leaf.astype(_own_dtype(leaf), subok=False) if is_boxed(leaf) else ready(leaf, mutated=mutated)


def ready_in_columns(leaf: np.ndarray) -> np.ndarray:
    """An array in Fortran order as a kernel takes it that reads it so."""
    columns: np.ndarray = ready(leaf.T, mutated=False)
    return columns.T


def ready(leaf: Any, *, mutated: bool) -> Any:
    """The leaf as a kernel takes it: a plain, contiguous, writable array of NumPy's own dtype object, or a plain number."""
    if isinstance(leaf, np.ndarray):
        if leaf.ndim == 0:
            return leaf[()] if leaf.dtype.kind != "b" else bool(leaf[()])
        dtype = _own_dtype(leaf)
        plain = leaf if type(leaf) is np.ndarray else leaf.view(np.ndarray)
        if not (plain.flags.c_contiguous and plain.flags.aligned):
            return plain.astype(dtype, order="C")
        if plain.dtype is not dtype:
            plain = plain.view(dtype)
        return plain if plain.flags.writeable or mutated else _writable_alias(plain)
    if isinstance(leaf, np.generic):
        return bool(leaf) if isinstance(leaf, np.bool_) else np.int64(leaf) if isinstance(leaf, np.longlong) else np.uint64(leaf) if isinstance(leaf, np.ulonglong) else leaf
    if isinstance(leaf, enum.Enum):  # of an IntEnum too: it is static
        return leaf
    for python_type in (bool, int, float, complex):
        if isinstance(leaf, python_type):
            return python_type(leaf)  # type: ignore[arg-type]
    return leaf


class _Alias:
    """Exports another array's memory as writable: Numba would compile a kernel again for read-only arrays. No kernel
    writes into what it was not given to write.
    """

    def __init__(self, array: np.ndarray) -> None:
        self.array = array  # kept alive by the alias's base
        self.__array_interface__ = {**array.__array_interface__, "data": (array.__array_interface__["data"][0], False)}


def _writable_alias(array: np.ndarray) -> np.ndarray:
    return np.asarray(_Alias(array))


def same_memory(a: Any, b: Any) -> bool:
    """Whether two arrays are the same elements in the same order."""
    if a is b:
        return True
    first, second = a.__array_interface__, b.__array_interface__
    return first["data"][0] == second["data"][0] and a.shape == b.shape and a.strides == b.strides and a.dtype == b.dtype


def overlap(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays share an element (or might, where it is too hard to tell)."""
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=100_000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def make_var(kind: Kind | ExactKind, name: str, dim_name: Any) -> Var:
    """A parameter's Var, with a fresh Var for each size that may be any."""
    dims: tuple[Dim, ...] = tuple(Var(dim_name(), SIZE) for size in kind[1] if size < 0)
    type_ = type_of_kind(kind[:2], dims)
    return Var(name, type_ if len(kind) == 2 else replace(type_, strides=kind[2]))


def like(leaf: Any) -> Any:
    """A leaf of the same type; an array of the same shape that takes no memory until it is written."""
    return np.zeros(leaf.shape, leaf.dtype, order="F" if leaf.flags.fnc else "C") if type(leaf) is np.ndarray else leaf


def has_type(leaf: Any) -> bool:
    """Whether something says what an array is like."""
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype")


def example(leaf: Any) -> Any:
    """An array of the leaf's shape and dtype that takes no memory; a Python number as it is."""
    if not has_type(leaf):
        return leaf
    dtype, shape = np.dtype(leaf.dtype), tuple(leaf.shape)
    return np.broadcast_to(np.zeros((), dtype), shape) if shape else dtype.type(0)
