"""What composed functions say to who reads them; called as they stand, they do what they say."""
from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from s2s import registry
from s2s.errors import UnsupportedError
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.tree_util import tree_map, tree_structure
from s2s.types import FLOAT0, type_of_value

F = TypeVar("F", bound=Callable[..., Any])
ANONYMOUS: set[Callable[..., Any]] = set()
"""The functions marked `anonymous`."""


def anonymous(function: F) -> F:
    """Mark a function whose variables name nothing in emitted code: a short formula, that stands there as if the user had written it out."""
    ANONYMOUS.add(function)
    return function


def unsupported(what: str, instead: str = "", why: str = "") -> NoReturn:
    """Refuse a call; while reading at the user's line."""
    raise UnsupportedError(f"{what} is not supported", instead=instead, why=why)


def cached(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """function(*args, **kwargs) of a cached function."""
    return function(*args, **kwargs)


def cache(function: Callable[..., Any]) -> Any:
    """functools.cache(function)."""
    return function


def sequence(x: Any) -> Any:
    """What a loop goes through, by its places: x, or the list of what x gives."""
    return x if isinstance(x, list | tuple | str | range | np.ndarray) else list(x)


def named_as(function: Any, other: Any) -> Any:
    """The function, under the name of another one."""
    return function


def names_held(thing: Any) -> tuple[str, ...]:
    """The names in vars(thing)."""
    return tuple(vars(thing))


def attribute_held(thing: Any, name: str) -> Any:
    """vars(thing)[name]."""
    return vars(thing)[name]


def hold_attribute(thing: Any, name: str, value: Any) -> None:
    """vars(thing)[name] = value."""
    vars(thing)[name] = value


def drop_attribute(thing: Any, name: str) -> None:
    """del vars(thing)[name]."""
    del vars(thing)[name]


def managed(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """contextlib.contextmanager(function)(*args, **kwargs)."""
    return contextlib.contextmanager(function)(*args, **kwargs)


def receiver(function: Callable[..., Any], name: str, x: Any) -> Any:
    """x, whose method of this name is the function."""
    del function, name
    return x


def axes_in_memory(x: Any, order: str) -> tuple[int, ...]:
    """The axes of an array as `order` goes through them, the slowest first."""
    x = np.asarray(x)
    forwards = tuple(range(x.ndim))
    if order == "K":
        return tuple(sorted(forwards, key=lambda axis: -abs(x.strides[axis])))
    return forwards[::-1] if order == "F" or order == "A" and x.flags.f_contiguous and not x.flags.c_contiguous else forwards


def surely(test: bool) -> bool:
    """Whether a test holds; while reading, whether it is known to: no, where only the run knows."""
    return test


def by_sizes(test: bool) -> None:
    """Say that a test of sizes holds, which decides how many axes there are; while reading, where a call shows that it does not, the function is read
    again for exactly the sizes of that call.
    """
    assert test


def argument_count(function: Callable[..., Any]) -> int:
    """How many parameters a function has that are given by position."""
    given = inspect.signature(function).parameters.values()
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in given):
        raise ValueError("Unable to determine number of fit parameters.")
    return sum(each.kind is not each.KEYWORD_ONLY for each in given)


def parameter_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """What a function calls its parameters."""
    return tuple(inspect.signature(function).parameters)


def stores_outside(function: Callable[..., Any], *args: Any) -> bool:
    """Whether a call of the function changes what was there before it; while reading it is not called for that."""
    del function, args
    return False


def one_type(x: Any, what: str, instead: str) -> Any:
    """x; while reading refused where a number in it has one type on one path and another one on another path."""
    del what, instead
    return x


def is_item(items: list[Any], value: Any) -> bool:
    """Whether a value is an item of a list; while reading, whether it surely is: taken of it as it is now."""
    return value in items


def check_value(thing: Any, key: Any, value: Any) -> None:
    """Where a dict gets values of several types, it is read again as one that has them (`calls/records.py`)."""
    del thing, key, value


def is_record(thing: Any) -> bool:
    """Whether it is a dict of which only the run knows whether it has some keys (`composed/records.py`)."""
    return isinstance(thing, dict)


def keys_held(thing: Any) -> tuple[str, ...]:
    """The keys that a record has or may have, in order."""
    return tuple(thing)


def keys_behind(thing: Any, key: Any) -> tuple[str, ...]:
    """The keys that stand in a record behind one of which only the run knows whether it is there."""
    names = tuple(thing)
    return names[names.index(key) + 1 :] if key in names else ()


def hold_key(thing: Any, key: Any, value: Any) -> None:
    """Put a value into a record."""
    thing[key] = value


def is_key_text(thing: Any, key: Any) -> bool:
    """Whether a key is a text."""
    return isinstance(key, str)


def is_whole(key: Any) -> bool:
    """Whether a key of run time has a slot (`key_slots.py`): an integer, or a tuple of them."""
    parts = key if isinstance(key, tuple) and key else (key,)
    return all(isinstance(part, int | np.integer | np.bool_) for part in parts)


def arrays_behind(items: list[Any]) -> tuple[Any, ...] | None:
    """What a list's items are kept in, where all are integers or tuples of as many integers: the list itself, or a row for each part of them; while reading, arrays. None of other items."""
    if not all(map(is_whole, items)) or not all(is_formed_as(items[:1], item) for item in items):
        return None
    return tuple(zip(*items, strict=True)) if items and isinstance(items[0], tuple) else (items,)


def is_formed_as(keys: list[Any], key: Any) -> bool:
    """Whether a key is a number as the keys are, or a tuple as long as theirs."""
    return all(isinstance(each, tuple) is isinstance(key, tuple) and (not isinstance(key, tuple) or len(each) == len(key)) for each in keys)


def numbers_of(key: Any) -> tuple[Any, ...]:
    """The parts of a key; while reading, as if only the run knew them."""
    return key if isinstance(key, tuple) else (key,)


def is_nan(key: Any) -> bool:
    """Whether a key is nan, or a tuple with it."""
    return any(part != part for part in (key if isinstance(key, tuple) else (key,)))  # noqa: PLR0124


def check_kinds(keys: list[Any], key: Any) -> None:
    """Refuse a key with a slot beside others without: a float may be equal to an integer."""
    if any(is_whole(other) is not is_whole(key) for other in keys):
        unsupported("a dict or set of run-time keys of which some are integers and others are not")


def same_array(a: Any, b: Any) -> bool:
    """Whether two arrays are surely one."""
    return a is b


def zeros(count: int) -> list[int]:
    """[0] * count; while reading a list whose length only the run knows."""
    return [0] * count


def items_between(items: list[Any], start: int, end: int) -> list[Any]:
    """items[start:end], of bounds that are in order and in the list."""
    return items[start:end]


def attributes_of(value: Any) -> list[str]:
    """The names of what an object of a pool holds, in order."""
    return list(vars(value))


def has_room_for(value: Any, name: str) -> bool:
    """Whether an object of a pool has an attribute, or others there have it."""
    return name in vars(value)


def number_of(value: Any) -> int:
    """What tells an object of a pool from the others: its number there."""
    return id(value)


def taken(items: list[Any], place: int) -> Any:
    """items[place], of a place that surely is one of the list's."""
    return items[place]


def stored(items: list[Any], place: int, value: Any) -> None:
    """items[place] = value, of such a place."""
    items[place] = value


def made_now(value: Any) -> Any:
    """A value that was made for the user at this place."""
    return value


def plain_pad(x: Any, pad_width: Any, mode: str, value: Any) -> Any:
    """np.pad of the modes that are slices of known widths, and of one constant."""
    padded: Any = np.pad
    return padded(x, pad_width, mode, constant_values=value) if mode == "constant" else padded(x, pad_width, mode)


def printed_otherwise() -> None:
    """Say that arrays are printed in another way from here on; while reading, that they are not printed any more."""
    return None  # noqa: RET501 (a function's text reaches as far as its instructions)


def constant(x: Any) -> Any:
    """x, of which no derivative is taken."""
    return x


def bits(x: Any, dtype: Any) -> Any:
    """The bits of floats as integers that are as wide, or of integers as floats."""
    return np.array(x).view(dtype)[()]


def riccati(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The solution v of c + d v = v a + v b v with which all eigenvalues of a + b v have a negative real part."""
    from s2s.transforms.primitives.riccati import riccati as row  # the rows: importing s2s does without them

    return row.evaluate(a, b, c, d)


def gemm(a: Any, b: Any) -> Any:
    """a @ b of two matrices, by BLAS also within loops."""
    return np.matmul(a, b)


def trsm(a: Any, b: Any, *, lower: bool, transposed: bool, unit: bool) -> Any:
    """The solution of T x = b, T a triangle of `a` (or its transpose) that may be singular, as scipy.linalg.lu_solve finds it."""
    import scipy.linalg

    return scipy.linalg.blas.dtrsm(1.0, a, b, lower=lower, trans_a=transposed, diag=unit)


def gesv(a: Any, b: Any) -> Any:
    """The solution of a x = b of two matrices, by LAPACK whatever their size."""
    return np.linalg.solve(a, b)


def least_squares(a: Any, b: Any, rcond: Any) -> Any:
    """np.linalg.lstsq's solution for a matrix of right sides and the singular values, as a row."""
    return np.linalg.pinv(a, rtol=rcond) @ b, np.linalg.svd(a, compute_uv=False)


def matrix_power(a: Any, t: Any) -> Any:
    """A matrix of complex numbers to a power that is a vector of one complex number; without one its logarithm."""
    from s2s.transforms.primitives.matrix_powers import matrix_power as row  # the rows: importing s2s does without them

    return row.evaluate(a, np.zeros(1, complex) if t is None else t, logarithm=t is None)


def ours(name: str) -> Any:
    """One of s2s's own transformations and makers of rules, which stand in a higher layer and announce themselves."""
    return registry.makers()[name]


def no_tangents(tree: Any) -> Any:
    """The tangents of what does not depend on anything: zeros; of integers none."""
    return tree_map(lambda leaf: np.zeros_like(leaf) if np.asarray(leaf).dtype.kind in "fc" else np.zeros(np.shape(leaf), FLOAT0), tree)


# ---- what s2s.lax checks -------------------------------------------------------------------------------------------------------


class Outputs:
    """What the branches of one cond or switch have given so far: `names` of the branches, `first` the number and type of the first one's."""

    def __init__(self, api: str, names: tuple[str, ...], branches: tuple[Any, ...]) -> None:
        self.api, self.names, self.branches = api, names, branches
        self.first: tuple[int, Any] | None = None
        self.unsure = False
        """Whether sizes of two branches' outputs are not known to be the same."""


def outputs(api: str, names: tuple[str, ...], branches: tuple[Any, ...]) -> Outputs:
    """Where `output` notes what the branches of lax.`api` give."""
    return Outputs(api, names, branches)


def numbers(tree: Any) -> Any:
    """The tree as bodies are given it: NumPy's scalars for arrays without axes, which like JAX's don't change where a body writes `n -= 1`, and for Python's bools, so that ~ is "not"."""
    return tree_map(_number_of, tree)


def _number_of(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray) and leaf.ndim == 0:
        return leaf[()]
    return np.bool_(leaf) if isinstance(leaf, bool) else leaf


def output(outputs: Outputs, number: int, value: Any) -> Any:
    """What a branch gives, without arrays that have no axes; while reading a TypeError if another branch gives another structure, shape or dtype."""
    del outputs, number
    return numbers(value)


def same_outputs(outputs: Outputs, operands: tuple[tuple[Any, ...], ...]) -> None:
    """While reading a TypeError at run time unless the branches give arrays of the same sizes for these operands."""
    del outputs, operands


def carried(loop: str, body: Any, place: int, before: Any, after: Any) -> Any:
    """What a trip hands to the next one, without arrays that have no axes; while reading a TypeError if it has another structure, shape or dtype than what it was given.

    `place`: which of the body's parameters is the carry.
    """
    del loop, body, place, before
    return numbers(after)


def predicate(name: str, value: Any) -> Any:
    """What decides; a TypeError unless it is one bool or number, of while_loop a bool."""
    if isinstance(value, str | tuple | list | dict) or value is None:
        raise TypeError(NO_PREDICATE[name].format(f"{value} of type {type(value)}", tree_structure(value)))
    if np.shape(value) or name == "while_loop" and np.asarray(value).dtype.kind != "b":
        raise TypeError(PREDICATE[name].format(type_of_value(value)))
    return value


NO_PREDICATE = {"cond": "Pred must be a scalar, got {0}", "while_loop": "cond_fun must return a boolean scalar, but got pytree {1}."}
PREDICATE = {"cond": "Pred must be a scalar, got {0}.", "while_loop": "cond_fun must return a boolean scalar, but got output type(s) [{0}]."}


def number(name: str, value: Any) -> Any:
    """What counts; a TypeError unless it is one integer."""
    if np.shape(value):
        raise TypeError(COUNTED[name][0].format(type_of_value(value)))
    if np.asarray(value).dtype.kind not in "iub":
        raise TypeError(COUNTED[name][1].format(type_of_value(value)))
    return int(value)


COUNTED = {
    "switch": ("Branch index must be scalar, got {}.", "Index type must be an integer, got {}."),
    "fori_loop": ("fori_loop's bounds must be scalars, got {}.", "fori_loop's bounds must be integers, got {}."),
}


def pair_types(body: Callable[..., Any], *args: Any) -> Any:
    """What body(*args), a pair, is like; while reading it is not called for that. TypeError if it is no pair."""
    found = types_of(body, *args)
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise TypeError(NO_PAIR.format(found))
    return found


NO_PAIR = "scan body output must be a pair, got {}."


def same_structure(name: str, expected_name: str, actual: Any, expected: Any) -> None:
    """TypeError unless what a function gave has this structure."""
    if tree_structure(actual) != tree_structure(expected):
        raise TypeError(STRUCTURE.format(name, expected_name, tree_structure(actual), tree_structure(expected)))


def with_aux(name: str, found: Any) -> None:
    """ValueError unless a function gave a pair."""
    if not (isinstance(found, tuple | list) and len(found) == 2):
        raise ValueError(AUX.format(name, tree_structure(found)))


STRUCTURE = "{}() output pytree structure must match {}, got {} and {}."
AUX = "{}() produced a pytree with structure {}, but a pytree tuple with auxiliary output was expected because has_aux was set to True."


def struct(shape: tuple[int, ...], dtype: Any) -> ShapeDtypeStruct:
    """What an array is like."""
    return ShapeDtypeStruct(shape, dtype)


def types_of(function: Callable[..., Any], *args: Any) -> Any:
    """What function(*args) is like; while reading it is not called for that."""
    given = (tree_map(lambda leaf: np.zeros(leaf.shape, leaf.dtype)[()] if isinstance(leaf, ShapeDtypeStruct) else leaf, arg) for arg in args)
    return tree_map(lambda leaf: struct(np.shape(leaf), np.asarray(leaf).dtype), function(*given))
