"""What NumPy itself says to arguments that it does not take: its own exception, type and words, asked of samples of the same types and shapes.

    np.bitwise_and(x, y) of floats      ->   NumPy's TypeError "ufunc 'bitwise_and' not supported for the input types, …"
    y ^= 0.5                            ->   NumPy's UFuncTypeError
    np.matmul of a[n, 3] and b[4, m]    ->   its words name n and m: read again for the sizes of the call

It is asked where the reader has found that the arguments don't fit, where they are of a kind that only some functions take (`check_odd`), and never for
a number. Where it takes what the reader does not, that is refused.
"""
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from s2s.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    AxisBoundsError,
    BoundsError,
    InternalError,
    Location,
    S2SError,
    ShapeError,
    TakenForKnownError,
    UnknownSizeError,
    UnsupportedError,
)
from s2s.transforms.read.numpy.arguments import FLAGS
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.values import Abstract, ListRef, View, is_atom
from s2s.transforms.read.zero_dim import is_either
from s2s.types import Literal, dim_atom, is_whole

MOST_ELEMENTS = 10_000
"""Arrays with more known elements are not sampled."""
LENGTHS = (2, 3)
"""For lengths that only the run knows: words that differ between these are those of sizes."""
MANY = 24
"""A length that is enough for a spline or a filter: what is said of short arrays only is said of sizes, too."""


_ORDERS = frozenset("CFAKcfak")
_FITS = TypeError("NumPy takes it")
"""The answer where NumPy raises nothing."""


class _NoSample(Exception):
    """A value of which there is no sample."""


@contextmanager
def numpys_words(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract] | None = None) -> Iterator[None]:
    """Errors raised inside, of arguments that don't fit, become what NumPy raises for them; those noted in a function that is read in place, too."""
    noted = len(reader.errors)
    try:
        yield
    except TakenForKnownError:
        raise _of_run_time(reader, function) from None
    except (UnsupportedError, InternalError):
        raise
    except S2SError as error:
        raise _said(reader, error, function, args, kwargs or {}) from None
    finally:
        for number, each in enumerate(reader.errors[noted:], noted):
            if isinstance(each, TakenForKnownError):
                reader.errors[number] = _of_run_time(reader, function)
            elif not isinstance(each, (UnsupportedError, InternalError)):
                reader.errors[number] = _said(reader, each, function, args, kwargs or {})


def _of_run_time(reader: Reader, function: Callable[..., Any]) -> UnsupportedError:
    name = getattr(function, "__name__", "")
    what = "an argument" if name in ("", "<lambda>") else f"an argument of {name}"
    return reader.unsupported(f"{what} that is known only at run time, where it must be known", "a constant, or an if")


def check_odd(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> None:
    """NumPy's exception for a list in an array's place, a flag that is no bool, an unknown order, where it raises one."""
    is_list = isinstance(next(iter((*args, *kwargs.values())), None), ListRef)
    plain = {name: value for name, value in kwargs.items() if not _is_odd(name, value)}
    has_odd = len(plain) < len(kwargs)
    if not is_list and not has_odd:
        return
    first, second = (_answer(reader, length, function, args, kwargs) for length in LENGTHS)
    if first is None or first is _FITS or second is None or type(first) is not type(second) or str(first) != str(second):
        return
    if has_odd and not is_list and str(_answer(reader, LENGTHS[0], function, args, plain)) == str(first):
        return  # it is not these that NumPy does not take
    if str(_answer(reader, MANY, function, args, kwargs)) != str(first):
        return
    if type(first) in (TypeError, AttributeError) or type(first) is ValueError and has_odd:  # not of the items of a list, which may be of any value
        raise _located(first, ArgumentTypeError("", where=reader.builder.where))


def _is_odd(name: str, value: Abstract) -> bool:
    if name == "order":
        return isinstance(value, str) and value not in _ORDERS
    return name in FLAGS and not isinstance(value, bool) and (value is None or isinstance(value, str | int | float | np.generic))


def _said(reader: Reader, error: S2SError, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> S2SError:
    answers = [_answer(reader, length, function, args, kwargs) for length in LENGTHS]
    first, second = answers
    if first is _FITS and second is _FITS and type(error) is ArgumentTypeError:
        return UnsupportedError(f"arguments of these types are not supported: {error.what}", where=error.where, instead=error.instead)
    if first is None or second is None or _FITS in answers or type(first) is not type(second):
        return error
    if str(first) != str(second):
        return _of_sizes(error)
    return _located(first, error)


def _answer(reader: Reader, length: int, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Exception | None:
    """What NumPy raises for samples in which each unknown length is this one; `_FITS` for nothing, None where there are no samples."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            samples = [_sample(reader, arg, length) for arg in args]
            named = {key: _sample(reader, arg, length) for key, arg in kwargs.items()}
        except _NoSample:
            return None
        try:
            with _same_draws():
                function(*samples, **named)
        except MemoryError:
            return None
        except Exception as error:  # noqa: BLE001 whatever NumPy raises is its answer
            return error
    return _FITS


@contextmanager
def _same_draws() -> Iterator[None]:
    """NumPy's own RandomState afterwards where it was: what a sample is called with may draw."""
    random = sys.modules.get("numpy.random")
    before = random and random.get_state()
    try:
        yield
    finally:
        if random:
            random.set_state(before)


def _sample(reader: Reader, value: Abstract, length: int) -> Any:
    """An object of a value's type and shape."""
    if isinstance(value, Literal):
        return value.value if value.type.weak else value.type.dtype.type(value.value)
    if is_atom(value):
        if is_either(reader, value):
            raise _NoSample
        one = value.type.dtype.type(1)
        return one.item() if value.type.weak else one
    if isinstance(value, View):
        return _array(reader, value, length)
    if isinstance(value, ListRef):
        if isinstance(reader.heap[value], Grown):
            raise _NoSample
        return [_sample(reader, item, length) for item in reader.heap[value]]
    if type(value) is tuple:
        return tuple(_sample(reader, item, length) for item in value)
    if isinstance(value, slice):
        return slice(*(_sample(reader, each, length) for each in (value.start, value.stop, value.step)))
    if value is None or value is Ellipsis or isinstance(value, bool | int | float | complex | str | np.generic | np.dtype | type):
        return value
    raise _NoSample


def _array(reader: Reader, view: View, length: int) -> np.ndarray:
    type_ = load(reader, view).type
    shape = tuple(_known(reader, dim, length) for dim in type_.shape)
    if np.prod(shape, dtype=float) > MOST_ELEMENTS:
        raise _NoSample
    return np.zeros(shape, type_.dtype) if is_whole(type_.dtype) else np.ones(shape, type_.dtype)


def _known(reader: Reader, dim: Any, length: int) -> int:
    form = reader.builder.known_form(dim_atom(dim))
    return length if form.terms else int(form.constant)


# ---- exceptions with the user's line ---------------------------------------------------------------------------------------

_OWN: dict[Any, type[S2SError]] = {
    TypeError: ArgumentTypeError, ValueError: ArgumentValueError, IndexError: BoundsError, np.exceptions.AxisError: AxisBoundsError,
}  # fmt: skip


def _located(said: Exception, error: S2SError) -> S2SError:
    said_kind: Any = type(said)
    kind = type(error) if type(error) is ShapeError and type(said) is ValueError else _class_of(said_kind)
    made = kind(str(said), where=error.where, why=error.why, instead=error.instead)
    made.__dict__.update(said.__dict__)
    return made


@cache
def _class_of(kind: Any) -> type[S2SError]:
    """An S2SError that is also an exception of this class, of NumPy's own ones, too."""
    return _OWN[kind] if kind in _OWN else _mixed(kind.__name__, kind)


def _mixed(name: str, *kinds: type[Exception]) -> type[S2SError]:
    def init(self: Any, what: str, *, where: Location, why: str = "", instead: str = "") -> None:
        self.what, self.where, self.why, self.instead = what, where, why, instead
        Exception.__init__(self, what)

    return type(name, (*(kind for kind in kinds if issubclass(kind, S2SError)), S2SError, *(kind for kind in kinds if not issubclass(kind, S2SError))), {"__init__": init})


@cache
def _class_of_sizes(kind: Any) -> type[S2SError]:
    return _mixed(kind.__name__, UnknownSizeError, kind)


def _of_sizes(error: S2SError) -> S2SError:
    """The error as one that is read again where the sizes are known, so that its words can name them."""
    kind: Any = type(error)
    return _class_of_sizes(kind)(error.what, where=error.where, why=error.why, instead=error.instead)


__all__ = ["check_odd", "numpys_words"]
