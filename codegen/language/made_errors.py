"""Exceptions that are made of more than one text (`program.Check.made`): compiled code raises stand-ins, of which the public function makes them.

    raise C('no', x[0])     ->      raise Exception('made:', "C('no', np.float64(a))", x[0])

                                    _MADE = {
                                        "C('no', np.float64(a))": lambda a: C('no', np.float64(a)),
                                    }

A stand-in tells the call itself, not its number in a table: kernels are kept by what is in them, and the table is the module's.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice
from string import ascii_lowercase

from s2s.codegen.language.expressions import Constant, Expr
from s2s.codegen.language.statements import Body, Raise, walk

STAND_IN = "Exception"
_MARK = "made:"
"""How the stand-in for another exception begins."""

HELPER = f"""
def _made(error):
    if type(error) is not {STAND_IN} or error.args[:1] != ({_MARK!r},):
        return error
    _, call, *values = error.args
    return _MADE[call](*values).with_traceback(error.__traceback__)
"""


def stand_in(exception: str, arguments: str, values: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """What the stand-in for exception(arguments) holds; `{}` in arguments are filled from `values`."""
    names = _parameters(exception, len(values))
    return (Constant(_MARK), Constant(f"{exception}({arguments.format(*names)})"), *values)


def calls_made(bodies: Iterable[Body]) -> dict[str, tuple[str, ...]]:
    """The calls for which stand-ins are raised, in order, with the names that the values have in them."""
    return dict(sorted(call for body in bodies for each in walk(body) if isinstance(each, Raise) for call in _call(each)))


def _call(error: Raise) -> Iterator[tuple[str, tuple[str, ...]]]:
    match error.args:
        case (Constant(value=mark), Constant(value=str() as call), *values) if mark == _MARK:
            yield call, _parameters(error.exception, len(values))
        case _:
            pass


def _parameters(exception: str, number: int) -> tuple[str, ...]:
    """a, b, …, but for the name of the class."""
    names = (f"{letter}{turn or ''}" for turn in count() for letter in ascii_lowercase)
    return tuple(islice((name for name in names if name != exception), number))


def table(calls: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The lines of the table that says what each stand-in is for."""
    return ["_MADE = {", *(f"    {call!r}: lambda{' ' * bool(names)}{', '.join(names)}: {call}," for call, names in calls.items()), "}"]
