"""What every NumPy function of the reader stands on: lifting, NEP 50 promotion, casting, sizes; `broadcasting.py` makes shapes explicit.

    x32 * 2.0          ->  mul(x32, 2.0 as f4)                     a weak scalar takes the array's dtype
    A[m, n] + b[n]     ->  add(A, broadcast(b, m, n; axes=(1,)))   rows see operands of one dtype and one shape
    A[m, n] + c[m, 1]  ->  add(A, broadcast(reshape(c, m), m, n; axes=(0,)))

Values are built in `current_builder()`.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from s2s.errors import ArgumentTypeError, ShapeError, UnsupportedError
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.stretching import is_decided
from s2s.transforms.primitives import rows, sizes, structural
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.building import Operand, builder_of, current_builder, unsupported
from s2s.transforms.read.numpy.python_checks import check_integer, check_stored
from s2s.types import (
    BOOL,
    INT64,
    SIZE,
    SUPPORTED_DTYPES,
    UINT64,
    Array,
    Atom,
    Dim,
    Literal,
    Var,
    atom_dim,
    dim_atom,
    is_integer,
    is_one,
    is_unsigned,
    kind_of,
    literal,
    promote,
)

Shape = tuple[Dim, ...]


# ---- lifting ---------------------------------------------------------------------------------------------------------


class Computed(np.float64):
    """A number that one of NumPy's functions has made of numbers: known, and in a jaxpr an operation where it meets a run-time value."""

    rule: Callable[..., Any]
    operands: Sequence[Any]
    made: Value | None

    def __new__(cls, value: Any, rule: Callable[..., Any], operands: Sequence[Any]) -> Self:
        made = super().__new__(cls, value)
        made.rule, made.operands, made.made = rule, operands, None
        return made

    def again(self) -> Value:
        """The operation, once in a block."""
        builder = current_builder()
        if self.made is None or not any(self.made.atom in node.outs for node in builder.nodes):
            self.made = self.rule(*map(lift, self.operands))
        return Value(builder, self.made.atom)


def lift(operand: Operand) -> Value:
    """The operand as a Value of the current block: numbers become literals (Python's weak), lists arrays."""
    builder = builder_of(operand)
    match operand:
        case Value():
            return Value(builder, operand.atom)
        case Computed() if is_traced_order():
            return operand.again()
        case np.generic():
            return Value(builder, _typed_literal(operand.item(), operand.dtype))
        case bool() | int() | float() | complex():
            return Value(builder, literal(operand))
        case list() | tuple() | range():
            return array_of(operand)
        case np.ndarray():
            return _constant(builder, operand)
    raise ArgumentTypeError(f"a number or an array is needed here, not {_kind_of(operand)}", where=builder.where)


def _is_the_users(value: Any) -> bool:
    """Whether nothing in a value stands for one of run time."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple | set):
        return all(map(_is_the_users, value))
    return not type(value).__module__.startswith("s2s.")


def _kind_of(operand: Any) -> str:
    """What the user calls an object that is no number: the reader's own stand for functions, texts and objects of the user's classes."""
    found = getattr(operand, "object", operand)  # an object from outside of the function is named by its own class
    if isinstance(found, slice):  # of run-time values perhaps
        return "a slice"
    if not type(found).__module__.startswith("s2s."):
        return f"{type(found).__name__} ({found!r:.60})" if _is_the_users(found) else f"a {type(found).__name__}"
    kind = getattr(found, "kind", None)
    names = {"Text": "a text", "RunRange": "a range", "Iteration": "an iterator", "Endless": "an iterator"}
    return f"a {kind.__name__}" if isinstance(kind, type) else names.get(type(found).__name__, "a function")


def _typed_literal(value: Any, dtype: np.dtype) -> Literal:
    return literal(value, supported(dtype))


@asks_python
def supported(dtype: Any) -> np.dtype:
    """The dtype, if s2s has it. Python's numbers and arrays are none; of a NumPy scalar it is its own."""
    if isinstance(dtype, Value) and (dtype.type.shape or dtype.type.weak):
        raise TypeError("Cannot construct a dtype from an array" if dtype.type.shape else f"Cannot interpret a {dtype.type.words} as a data type")
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        raise ArgumentTypeError(str(error), where=current_builder().where) from None
    if found not in SUPPORTED_DTYPES:
        names = ", ".join(str(each) for each in SUPPORTED_DTYPES)
        raise unsupported(f"the dtype {found} is not supported", instead=f"one of {names}")
    return found


def _constant(builder: Builder, array: np.ndarray) -> Value:
    """A static array as a packed array of literals."""
    dtype = supported(array.dtype)
    flat = [Value(builder, literal(item, dtype)) for item in array.ravel().tolist()]
    return _pack(builder, flat, dtype, array.shape)


def _pack(builder: Builder, scalars: list[Value], dtype: np.dtype, shape: Shape) -> Value:
    if not scalars:
        return filled(builder, 0, dtype, shape)
    packed = rows.pack(*scalars, shape=shape or (1,))
    return packed if shape else reshape(packed, ())


def array_of(nested: Sequence[Any], dtype: np.dtype | None = None) -> Value:
    """A nested list of numbers and Values as an array, as np.array makes it: new storage, never weak."""
    builder = builder_of(nested)
    leaves, shape = _leaves(list(nested))
    if dtype is None:
        dtype = promote([leaf.type.strong() for leaf in leaves]).dtype if leaves else np.dtype(np.float64)
    cast_leaves = [cast(check_stored(leaf, dtype), dtype) for leaf in leaves]
    if all(leaf.ndim == 0 for leaf in leaves):
        return _pack(builder, cast_leaves, dtype, shape)
    inner = _agreed_shape(builder, shape, [leaf.shape for leaf in leaves])
    parts = [reshape(retyped(leaf, inner), (1, *inner)) for leaf in cast_leaves]
    return reshape(concatenated(parts, 0), (*shape, *inner))


def _leaves(nested: Any) -> tuple[list[Value], tuple[int, ...]]:
    """The leaves in C order with the shape of the nesting."""
    if not isinstance(nested, list | tuple | range | np.ndarray):
        return [lift(nested)], ()
    if len(nested) == 0:
        return [], (0,)
    parts = [_leaves(item) for item in nested]
    if any(isinstance(item, Value) and item.ndim for item in nested):  # beside an array a list is one, too
        parts = [([array_of(item) if isinstance(item, list | tuple | range) else lift(item)], ()) for item in nested]
    if any(shape != parts[0][1] for _, shape in parts):
        raise ShapeError("the rows of a nested list have different lengths", where=builder_of(nested).where)
    return [leaf for leaves, _ in parts for leaf in leaves], (len(parts), *parts[0][1])


_UNEVEN = "setting an array element with a sequence. The requested array has an inhomogeneous shape"


def _agreed_shape(builder: Builder, outer: tuple[int, ...], shapes: list[Shape]) -> Shape:
    """The one shape that all arrays have which stand in a nested list of shape `outer`."""
    found: list[Dim] = list(outer)
    for dims in zip(*shapes, strict=False):
        found.append(agreed(builder, dims, _uneven(found), tuple(map(dim_atom, found))))
    if any(len(shape) != len(shapes[0]) for shape in shapes):
        is_told = all(isinstance(dim, int) for dim in found)  # otherwise the run would tell first which lengths differ
        raise ShapeError(_uneven(found).format(*found) if is_told else _UNEVEN, where=builder.where)
    return tuple(found[len(outer) :])


def _uneven(shape: Sequence[Dim]) -> str:
    """NumPy's words where only these axes are alike, with a place for each of their lengths."""
    lengths = ", ".join("{}" for _ in shape) + ("," if len(shape) == 1 else "")
    return f"{_UNEVEN} after {len(shape)} dimensions. The detected shape was ({lengths}) + inhomogeneous part."


# ---- types -----------------------------------------------------------------------------------------------------------


def cast(value: Value, dtype: np.dtype, *, weak: bool = False) -> Value:
    """The value with this dtype, as astype would make it; the same value where nothing changes."""
    atom = value.atom
    if isinstance(atom, Literal):
        return Value(value.builder, _cast_literal(atom, dtype, weak))
    if atom.type.dtype == dtype:
        return value
    if atom.type.dtype.kind == "c" and dtype.kind not in "cb":
        return cast(rows.real(value), dtype, weak=weak)
    if atom.type.dtype.kind == "c" and dtype.kind == "b":
        return to_bool(value)
    return converted(value, dtype, weak=weak)


def converted(value: Value, dtype: np.dtype, *, weak: bool = False) -> Value:
    """A new value of this dtype, weak if that is asked of a scalar."""
    return rows.convert(value, dtype=supported(dtype), **({"weak": True} if weak and not value.ndim else {}))


def _cast_literal(atom: Literal, dtype: np.dtype, weak: bool) -> Literal:
    number = atom.value
    if dtype.kind != "c" and isinstance(number, complex):
        number = number.real
    if is_integer(dtype) and isinstance(number, int) and not isinstance(number, bool):
        bounds = np.iinfo(dtype)
        if weak and atom.type.weak:  # one of Python's stays one: compiled code refuses what needs more than 64 bits
            return Literal(number, Array(dtype, weak=True))
        if not bounds.min <= number <= bounds.max:
            if not atom.type.weak:
                number = int(np.array(number, atom.type.dtype).astype(dtype))
            else:
                raise OverflowError(f"Python integer {number} out of bounds for {dtype}")
    with np.errstate(all="ignore"):
        if is_integer(dtype) and isinstance(number, float) and (is_unsigned(dtype) or not math.isfinite(number)):
            number = int(np.float64(number).astype(dtype))
        typed = literal(number, dtype)
    return Literal(typed.value, Array(typed.type.dtype, weak=weak))


def wrapped(value: Value, dtype: np.dtype) -> Value:
    """As `cast`, without complaint: a Python int that does not fit wraps, as in np.where and np.select."""
    if isinstance(value.atom, Literal) and is_integer(dtype) and isinstance(value.atom.value, int):
        bits = value.atom.value & (2 ** (8 * dtype.itemsize) - 1)
        return value.with_atom(literal(int(np.array(bits, f"u{dtype.itemsize}").astype(dtype)), dtype))
    return cast(strong(value) if is_integer(dtype) and dtype != INT64 else value, dtype)


def marked(value: Value, *, weak: bool) -> Value:
    """A rank-0 value just made, marked weak or strong."""
    atom = value.atom
    weak = weak and not atom.type.shape
    if atom.type.weak != weak:
        if isinstance(atom, Literal):
            return value.with_atom(Literal(atom.value, Array(atom.type.dtype, weak=weak)))
        atom.type = Array(atom.type.dtype, atom.type.shape, weak)
    return value


def strong(value: Value) -> Value:
    """The value as a NumPy scalar: what np.float64(x) of a Python float is."""
    if not value.type.weak:
        return value
    if isinstance(value.atom, Literal):
        return value.with_atom(Literal(value.atom.value, value.type.strong()))
    return converted(value, value.dtype)


def as_weak(value: Value) -> Value:
    """The scalar as a Python number: what float(x) and x.item() are."""
    if value.type.weak:
        return value
    if isinstance(value.atom, Literal):
        return marked(value, weak=True)
    if value.dtype == UINT64:
        check_integer(value)
    weak = converted(value, INT64 if is_integer(value.dtype) else value.dtype, weak=True)
    if value.dtype == INT64:
        value.builder.unify(atom_dim(value.atom), atom_dim(weak.atom))
    return weak


def result_type(*values: Value) -> Array:
    """The scalar type of an operation on these values (NEP 50)."""
    try:
        return promote([value.type for value in values])
    except (TypeError, KeyError) as error:
        raise ArgumentTypeError(str(error), where=builder_of(*values).where) from error


# ---- sizes -----------------------------------------------------------------------------------------------------------


def same_dim(builder: Builder, a: Dim, b: Dim) -> bool:
    """Whether two dimensions are known to be equal."""
    return a is b or a == b or builder.same_size(a, b)


def agreed(
    builder: Builder, dims: Sequence[Dim], message: str, values: tuple[Atom, ...] = (), *, stretch: bool = False, exception: str = "ValueError",
) -> Dim:
    """The one dimension that all of dims are; a Check where that is known only at run time.

    `message` is that of NumPy's exception, with a `{}` for each of `values`.
    """
    kept = next((dim for dim in dims if isinstance(dim, int)), dims[0])
    for dim in dims:
        if same_dim(builder, kept, dim):
            continue
        known = builder.form(dim_atom(kept)) - builder.form(dim_atom(dim))
        if not known.terms and not (stretch and isinstance(dim, Var)):
            numbers = (value.value if isinstance(value, Literal) else value for value in values)
            raise ShapeError(message.format(*numbers), where=builder.where)
        if stretch and is_decided():
            what = "lengths of which one may be 1, in some trips of a loop or on some paths only"
            raise UnsupportedError(what, where=builder.where, instead="the final shape before the loop (np.broadcast_to, np.zeros(shape))")
        (test,) = builder.equation(equal, (dim_atom(kept), dim_atom(dim)), name="fits")
        builder.check(test, exception, message, *values, stretch=stretch)
        builder.unify(kept, dim)
    return builder.settled(kept)


def retyped(value: Value, shape: Shape) -> Value:
    """The value with these dimensions, each known to be equal to its own."""
    if all(a is b or (isinstance(a, int) and a == b) for a, b in zip(value.shape, shape, strict=True)):
        return value
    return structural.retype(value, *size_values(value.builder, shape))


def size_values(builder: Builder, shape: Shape) -> tuple[Value, ...]:
    """Dimensions as operands."""
    return tuple(Value(builder, dim_atom(dim)) for dim in shape)


def as_dim(size: Operand, *, nonnegative: bool = True, message: str = "negative dimensions are not allowed") -> Dim:
    """A Python integer or an integer scalar as a dimension; a run-time Check that it is not negative (`message`: its words, `{}` the size)."""
    builder = builder_of(size)
    atom = as_integer(size)
    form = builder.known_form(atom)
    if not form.terms:
        atom = literal(form.constant, INT64)
    if isinstance(atom, Literal):
        if nonnegative and atom.value < 0:  # type: ignore[operator]
            raise ShapeError(message.format(atom.value), where=builder.where)
        return int(atom.value)  # type: ignore[arg-type]
    for var, coefficient in form.terms:
        if len(form.terms) == 1 and coefficient == 1 and form.constant == 0:
            atom = var
    if nonnegative and not builder.proves_at_least(atom, 0):
        (test,) = builder.equation(rows.greater_equal, (atom, Literal(0, SIZE)), name="fits")
        builder.check(test, "ValueError", message, *(atom for _ in range(message.count("{}"))))
        if builder.on_check is not None:  # inside of a `try`: what stands for the array where there is none is an array, too
            (atom,) = builder.equation(rows.maximum, (atom, Literal(0, SIZE)), name="size")
        builder.know_size(atom)
    return atom


def as_length(size: Operand) -> Dim:
    """An integer as the length of a range, which is empty where it is negative."""
    builder = builder_of(size)
    length = sizes.larger(builder, as_integer(size), 0)
    if isinstance(length, Var):
        builder.know_size(length)
    return as_dim(Value(builder, length))


def as_integer(operand: Operand) -> Atom:
    """An int64 atom of a Python or NumPy integer or an integer scalar Value; TypeError for anything else."""
    if isinstance(operand, bool):
        operand = int(operand)
    if operand is None or isinstance(operand, list | tuple | str):
        raise ArgumentTypeError(f"{type(operand).__name__!r} object cannot be interpreted as an integer", where=builder_of().where)
    value = lift(operand)
    if value.ndim or not is_integer(value.dtype):
        refuse_doubtful(value)
        raise ArgumentTypeError(f"{_python_kind(value)!r} object cannot be interpreted as an integer", where=value.builder.where)
    return cast(value, INT64, weak=True).atom


def refuse_doubtful(value: Value) -> None:
    """Refuse a float that is an integer on another path where Python needs an integer: only the run knows whether it raises."""
    kinds = value.builder.doubts.get(value.atom, frozenset()) if isinstance(value.atom, Var) else frozenset()
    if any(is_integer(each.dtype) for each in kinds):
        raise unsupported(
            "an integer that is a float on another path", instead="int(…) of it, or an integer in the place of the float",
            why="only the run knows whether Python takes it for an index, a size or a count",
        )  # fmt: skip


def _python_kind(value: Value) -> str:
    """What NumPy calls a value that is not an integer."""
    if value.ndim:
        return "numpy.ndarray"
    return {"f": "float", "c": "complex", "b": "bool"}[kind_of(value.dtype)] if value.type.weak else f"numpy.{value.dtype}"


def as_shape(shape: Operand) -> Shape:
    """A shape argument (an integer or a sequence of them) as dimensions."""
    return tuple(as_dim(size) for size in sizes_of(shape))


def sizes_of(shape: Operand) -> tuple[Operand, ...]:
    """The sizes of a shape argument, one by one."""
    if isinstance(shape, list | tuple):
        return tuple(shape)
    if isinstance(shape, Value) and shape.ndim:
        raise unsupported("a shape that is an array of run-time length is not supported", instead="a tuple of integers")
    return (shape,)


def shape_value(dim: Dim) -> int | Value:
    """A dimension as the user sees it: a Python int, or a Value that is one."""
    return dim if isinstance(dim, int) else as_weak(Value(current_builder(), dim))


def product(builder: Builder, shape: Shape) -> Dim:
    """The number of elements."""
    total: Atom = literal(1, INT64)
    for dim in shape:
        total = sizes.times(builder, total, dim_atom(dim))
    if isinstance(total, Var) and not builder.proves_at_least(total, 0):
        builder.know_size(total)
    return atom_dim(total)


# ---- shapes ----------------------------------------------------------------------------------------------------------


def reshape(value: Value, shape: Shape) -> Value:
    """The value in another shape of as many elements (not checked here)."""
    if len(shape) == value.ndim and all(a is b or (isinstance(a, int) and a == b) for a, b in zip(value.shape, shape, strict=True)):
        return value
    return structural.reshape(value, *size_values(value.builder, shape))


def filled(builder: Builder, number: Any, dtype: np.dtype, shape: Shape) -> Value:
    """An array of one number."""
    scalar = cast(Value(builder, literal(number)) if not isinstance(number, Value) else number, dtype)
    return scalar.broadcast_to(tuple(shape), ())


def concatenated(parts: list[Value], axis: int) -> Value:
    """Parts of one dtype that agree in all other dimensions, one after the other."""
    builder = parts[0].builder
    total: Atom = literal(0, INT64)
    for part in parts:
        total = sizes.plus(builder, total, dim_atom(part.shape[axis]))
    if isinstance(total, Var):
        builder.know_size(total)
    return rows.concatenate(*parts, Value(builder, total), axis=axis)


def to_bool(value: Value) -> Value:
    """The elements' truth."""
    return value if value.dtype == BOOL else rows.not_equal(value, value.like(0))


def everywhere(test: Value) -> Value:
    """Whether all of these bools hold."""
    return rows.reduce_all(test, axes=tuple(range(test.ndim))) if test.ndim else test


def truth(operand: Operand) -> bool | Value:
    """bool(operand): what `if`, `while`, `not` and `and` ask. Static operands have a static truth."""
    if not isinstance(operand, Value):
        return bool(operand)
    value = lift(operand)
    unsure = [dim for dim in value.shape if not is_one(dim)]
    if not all(_is_made(value.builder, dim) for dim in unsure):
        raise _ambiguous(value)
    lengths = [Value(value.builder, dim_atom(dim)) for dim in unsure]
    for test, number, message in ((rows.not_equal, 0, _EMPTY), (rows.equal, 1, _AMBIGUOUS)):
        for length in lengths:
            value.builder.check(test(length, length.like(number)).atom, "ValueError", message)
    value = to_bool(reshape(value, ()))
    return bool(value.atom.value) if isinstance(value.atom, Literal) else value


def _is_made(builder: Builder | None, dim: Dim) -> bool:
    """Whether it is a size that the run works out (x[x > 0]): it may be 1. An argument's would be known if it were."""
    while builder is not None:
        if any(dim in node.outs for node in builder.nodes):
            return True
        builder = builder.outer
    return False


_EMPTY = "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
_AMBIGUOUS = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"


def _ambiguous(value: Value) -> ShapeError:
    return ShapeError(
        _AMBIGUOUS,
        where=value.builder.where, why=f"its type is {value.type.words}", instead="np.any(…) or np.all(…)",
    )


@asks_python
def static_call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """NumPy's own result for static arguments; an array becomes a Value (it may be written to)."""
    with np.errstate(all="ignore"):
        result = function(*args, **kwargs)
    if isinstance(result, np.character):
        raise unsupported("a text of NumPy's (np.char, np.strings) is not supported", instead="Python's own texts and their methods")
    return dynamic(result)


def dynamic(result: Any) -> Any:
    """NumPy arrays in a static result as Values."""
    if isinstance(result, np.ndarray):
        return lift(result)
    if type(result) in (tuple, list):
        return type(result)(dynamic(item) for item in result)
    return result


def iota(builder: Builder, dim: Dim) -> Value:
    """0, 1, …, dim - 1 in int64."""
    return rows.iota(Value(builder, dim_atom(dim)))
