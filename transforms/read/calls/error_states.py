"""np.seterr in the user's code: emitted code gives no warnings, so that what is set says nothing of numbers, unless an exception is to be made of them.

    old = np.seterr(divide="ignore")        nothing is done
    y = 1.0 / x
    np.seterr(**old)                        nor here; what it was before may be given back, not looked at
"""
from __future__ import annotations

from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Missing

_QUIET = (None, "ignore", "warn", "print")
_OF = ("divide", "over", "under", "invalid")
_BEFORE = "what np.seterr gives is looked at"


def seterr(reader: Reader, all: Abstract = None, divide: Abstract = None, over: Abstract = None, under: Abstract = None, invalid: Abstract = None) -> Abstract:  # noqa: A002 (NumPy's name)
    """np.seterr(all=None, divide=None, over=None, under=None, invalid=None)."""
    for value in (all, divide, over, under, invalid):
        if not (isinstance(value, Missing) and value.what == _BEFORE) and not (isinstance(value, str | None) and value in _QUIET):
            raise reader.unsupported("np.seterr of what raises or calls", "np.errstate(…='raise') or np.seterr around the call of the compiled function")
    return reader.new_dict({name: Missing(_BEFORE, "NumPy's state is no part of what the function gives") for name in _OF})


ERROR_STATES = {"numpy.seterr": seterr}
"""Functions of BUILTINS (`builtin_functions.py`)."""

__all__ = ["ERROR_STATES"]
