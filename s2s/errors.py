"""Source locations, and every error that s2s raises on purpose.

A user error says four things: what is wrong, where (file, line, caret), why, and what to write instead.
It is also a subclass of the Python error that a user would expect (TypeError, ValueError, …).
An `InternalError` is a fault of s2s itself and is never raised for bad input.
"""
from __future__ import annotations

import builtins
import linecache
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.exceptions import AxisError

from s2s.not_here import refusing
from s2s.records import dataclass


@dataclass(frozen=True)
class Location:
    """A span of the user's source; lines count from 1, columns from 0, as in the `ast` module."""

    file: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"

    def text(self) -> str:
        """The first source line of the span, stripped; empty if the file can't be read."""
        return linecache.getline(self.file, self.line).strip()

    def excerpt(self) -> str:
        """The source line with a caret run under the span, ready to print."""
        line = linecache.getline(self.file, self.line).rstrip("\n")
        if not line.strip():
            return ""
        width = self.end_column - self.column if self.end_line == self.line else len(line) - self.column
        return f"    {line}\n    {' ' * self.column}{'^' * max(width, 1)}"


NOWHERE = Location("<s2s>", 0)


class S2SError(Exception):
    """What all errors of s2s share: `what`, `where`, `why` and `instead`, as data and in the text.

    >>> print(S2SError("this is not supported", why="nobody wrote it", instead="that"))
    this is not supported
      why: nobody wrote it
      instead: that
    """

    def __init__(self, what: str, *, where: Location = NOWHERE, why: str = "", instead: str = "") -> None:
        self.what, self.where, self.why, self.instead = what, where, why, instead
        super().__init__(what)

    def __str__(self) -> str:
        parts = [self.what]
        if self.where.line:
            parts.append(f"  at {self.where}")
            if excerpt := self.where.excerpt():
                parts.append(excerpt)
        if self.why:
            parts.append(f"  why: {self.why}")
        if self.instead:
            parts.append(f"  instead: {self.instead}")
        return "\n".join(parts)


def note_place(error: Exception, where: Location) -> None:
    """Put the place of the user's at which Python's own exception was met (`read_at`, if not here) into its notes, once."""
    place: Location = error.__dict__.setdefault("read_at", where)
    note = f"while s2s read {place}\n{place.excerpt()}"
    if note not in getattr(error, "__notes__", ()):
        error.add_note(note)


def told(error: Exception) -> str:
    """An exception as Python prints it below a traceback, with its notes; one of s2s's own without its class."""
    if isinstance(error, S2SError):
        return str(error)
    return "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])


def in_batch(numbers: Sequence[object], *, alone: bool) -> str:
    """What the message of an error that an example raises ends with: the example's number, behind it those of the batches around. `alone`: it is the whole message.

    >>> in_batch([2, 0], alone=False)
    ' (example 2 of example 0 of the batch)'
    """
    return f"{'' if alone else ' '}(example {' of example '.join(map(str, numbers))} of the batch)"


def name_example(error: Exception, numbers: Sequence[object]) -> None:
    """Put the number of the example that raised it into an exception's message, behind it those of the batches around."""
    if isinstance(error, SizesError):
        name_example(error.failure, numbers)
    first = error.args[0] if error.args else ""
    if isinstance(first, str):
        error.args = (first + in_batch(numbers, alone=not first), *error.args[1:])
    else:
        error.add_note(in_batch(numbers, alone=True))


LINALG_ERROR = "np.linalg.LinAlgError"
"""How programs and emitted text name NumPy's own exception; the others are Python's."""


class OwnException(str):
    """How programs and emitted text name an exception class of the user's; `kind` is the class."""

    __slots__ = ("kind",)

    def __new__(cls, kind: type[BaseException]) -> Self:
        """The class's own name: the module that raises it is given the class under it."""
        name = super().__new__(cls, kind.__name__)
        name.kind = kind
        return name

    kind: type[BaseException]


def exception_class(name: str) -> Any:
    """The class behind a name of an exception in programs."""
    if isinstance(name, OwnException):
        return name.kind
    return np.linalg.LinAlgError if name == LINALG_ERROR else getattr(builtins, name)


class RaisedByUser(str):
    """How programs name a NotImplementedError that the user's code raises; one by another name says what s2s does not support, and no `except` catches it."""

    __slots__ = ()


SHORT_INTEGERS = "integers of run time have 64 bits"
"""What an OverflowError says that Python, whose integers have no end, does not raise."""


def is_refusal(name: str, message: object) -> bool:
    """Whether an exception says what s2s does not support: Python would go on there, and no `except` catches it."""
    return name == "NotImplementedError" and not isinstance(name, RaisedByUser) or name == "OverflowError" and SHORT_INTEGERS in str(message)


def made(kind: type[Exception], arguments: str, values: Sequence[object]) -> Exception:
    """kind(arguments), a text of the reader's whose {} are these values."""
    names = [f"_{number}" for number in range(len(values))]
    make = eval(f"lambda {', '.join(['kind', *names])}: kind({arguments.format(*names)})", {"np": np})  # noqa: S307 - no values in it
    error = make(kind, *values)
    assert isinstance(error, Exception)
    return error


class UnsupportedError(S2SError, NotImplementedError):
    """A construct or function that s2s does not (yet) read.

    >>> import s2s
    >>> try:
    ...     s2s.jit(lambda x: eval("x"))(1.0)
    ... except UnsupportedError as error:
    ...     print(error.what)
    eval is not supported
    """

    sizes: tuple[Any, ...] = ()
    """Numbers of the program, among them sizes of arguments, of which the first such may decide it: where the call tells that, it may be read. None: all may."""


class UnknownSizeError(UnsupportedError):
    """Something that can't be read for any sizes at once, but may be for those of one call: a recursion that ends at a size."""


class SizesError(ValueError):
    """What was read for any sizes stopped at a check of two sizes that NumPy would stretch: it is made again for those of the call.

    `failure`: what is raised where that does not help. A SizesError itself never reaches a caller.
    """

    def __init__(self, failure: Exception) -> None:
        super().__init__(*failure.args)
        self.failure = failure


class UnsupportedErrors(UnsupportedError):
    """All unsupported constructs of one function at once; `errors` holds them one by one.

    >>> import s2s
    >>> def f(x):
    ...     y = eval("x")
    ...     return exec("x")
    >>> try:
    ...     s2s.jit(f)(1.0)
    ... except UnsupportedErrors as error:
    ...     print([each.what for each in error.errors])
    ['eval is not supported', 'exec is not supported']
    """

    def __init__(self, name: str, errors: tuple[S2SError, ...]) -> None:
        super().__init__(f"{name} uses {len(errors)} constructs that s2s does not support", where=errors[0].where)
        self.errors = errors

    def __str__(self) -> str:
        return self.what + "\n" + "\n".join(f"{number}. {error}" for number, error in enumerate(self.errors, 1))


class SourceError(S2SError, OSError):
    """A function whose source can't be found (built-in, C extension, typed at a prompt without history)."""


class ArgumentTypeError(S2SError, TypeError):
    """An argument of a wrong type: an integer for grad, an object s2s can't flatten, …

    >>> import s2s
    >>> try:
    ...     s2s.grad(lambda x: x**2)("3")
    ... except TypeError as error:
    ...     print(type(error).__name__)
    ArgumentTypeError
    """


class ArgumentValueError(S2SError, ValueError):
    """An argument of the right type with an unusable value: argnums out of range, a bad --args string, …

    >>> import s2s
    >>> try:
    ...     s2s.vmap(lambda x: x, in_axes=0, axis_size=3)([1.0])
    ... except ValueError as error:
    ...     print(type(error).__name__)
    ArgumentValueError
    """


class ShapeError(S2SError, ValueError):
    """Shapes known at transformation time that don't fit together.

    >>> import numpy as np, s2s
    >>> try:
    ...     s2s.jit(lambda x: x + np.zeros(3) + np.zeros(2))(1.0)
    ... except ValueError as error:
    ...     print(error.what)
    operands could not be broadcast together with shapes (3,) (2,)
    """


class LinearAlgebraError(S2SError, np.linalg.LinAlgError):
    """Matrices known at transformation time to be of a wrong shape."""


class NotFiniteError(S2SError, FloatingPointError):
    """nan or inf in the result of a call, while `debug_nans` or `debug_infs` is in force.

    >>> import numpy as np, s2s
    >>> try:
    ...     with s2s.debug_nans(True), np.errstate(all="ignore"):
    ...         s2s.jit(lambda x: x - x)(np.array([np.inf]))
    ... except FloatingPointError as error:
    ...     print(type(error).__name__)
    NotFiniteError
    """


class BoundsError(S2SError, IndexError):
    """An index known at transformation time that is out of bounds, or too many indices.

    >>> import numpy as np, s2s
    >>> try:
    ...     s2s.jit(lambda x: x + np.zeros(3)[5])(1.0)
    ... except IndexError as error:
    ...     print(error.what)
    index 5 is out of bounds for axis 0 with size 3
    """


class AxisBoundsError(S2SError, AxisError):
    """An axis that an array does not have.

    >>> import numpy as np, s2s
    >>> try:
    ...     s2s.jit(lambda x: np.sum(x, axis=2))(np.zeros(3))
    ... except AxisBoundsError as error:
    ...     print(error.what)
    axis 2 is out of bounds for array of dimension 1
    """


class MissingRuleError(S2SError, AttributeError):
    """A function with custom rules is called, and its rules were not set.

    >>> import s2s
    >>> @s2s.custom_vjp
    ... def f(x):
    ...     return 2.0 * x
    >>> try:
    ...     f(1.0)
    ... except AttributeError as error:
    ...     print(error.what)
    No VJP defined for custom_vjp function f using defvjp.
    """


class AxisNameError(S2SError, NameError):
    """A collective names an axis that nothing around it binds.

    >>> import s2s
    >>> try:
    ...     s2s.jit(lambda x: s2s.lax.psum(x, "i"))(1.0)
    ... except NameError as error:
    ...     print(error.what)
    unbound axis name: i
    """


class InternalError(S2SError, AssertionError):
    """s2s broke one of its own rules; please report it with the program that it prints."""


class TakenForKnownError(InternalError):
    """A value that only the run knows was used as if it were known. Around a library's call it becomes a refusal of its argument."""


class GradientCheckError(S2SError, AssertionError):
    """`check_grads` found a derivative that is not right. `check`, `argument`, `result`, `found`, `wanted`: which and what.

    >>> import s2s
    >>> @s2s.custom_jvp
    ... def f(x):
    ...     return x**2
    >>> @f.defjvp
    ... def f_jvp(primals, tangents):
    ...     return f(*primals), 3.0 * tangents[0]
    >>> try:
    ...     s2s.check_grads(f, (2.0,), order=1)
    ... except GradientCheckError as error:
    ...     print(error.check, round(error.wanted / error.found, 6))
    jvp of f 1.333333
    """

    check: str = ""
    argument: str = ""
    result: str = ""
    found: complex = 0.0
    wanted: complex = 0.0


class BatchCheckError(GradientCheckError):
    """`check_vmap` found a batch that is not the loop over its examples."""


class KinkError(GradientCheckError):
    """`check_grads` at a point where the function has no derivative (a kink or a jump): the derivative there is a convention.

    >>> import numpy as np, s2s
    >>> try:
    ...     s2s.check_grads(np.abs, (0.0,), order=1)
    ... except KinkError as error:
    ...     print(type(error).__name__)
    KinkError
    """


class JaxRuntimeError(ValueError):
    """A `checkify.check` that does not hold; what an error of `checkify` throws."""


class JAXTypeError(TypeError):
    """What JAX raises of values that it traces. Functions are read here, not traced: nothing raises it or those below it, and programs that catch them go on without."""


class JAXIndexError(IndexError):
    """As JAXTypeError, of indices."""


class ConcretizationTypeError(JAXTypeError):
    """Of a value of run time where JAX must know it."""


class TracerBoolConversionError(ConcretizationTypeError):
    """Of an `if` or `while` on a value of run time, which is one here."""


class TracerArrayConversionError(JAXTypeError):
    """Of NumPy's functions, which are read here."""


class TracerIntegerConversionError(JAXTypeError):
    """Of an index or a size that is known at run time only."""


class NonConcreteBooleanIndexError(JAXIndexError):
    """Of a mask that is known at run time only."""


class UnexpectedTracerError(JAXTypeError):
    """Of what a function leaves outside of it, which is stored at the end of each call here."""


class CacheWarning(UserWarning):
    """What was made can't be kept on disk (it is full, it can't be written): the next process makes it again."""


class BackgroundWarning(UserWarning):
    """A function could not be compiled in the background: NumPy goes on running it."""


class CacheError(S2SError, OSError):
    """The cache directory can't be used safely: it belongs to another user, or others may write into it."""


__getattr__ = refusing(__name__)
