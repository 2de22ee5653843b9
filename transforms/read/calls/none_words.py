"""What Python says of None where an object may stand: `best[0]`, `len(best)`, `best + 1` of a name that is None on some paths."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from s2s.transforms.read.classes import BINARY, COMPARE, type_name
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage import none_in_pools
from s2s.transforms.read.values import Abstract, Pooled

_USES: dict[str, Callable[[Any], Any]] = {
    "__len__": len, "__iter__": iter, "__call__": lambda none: none(), "__contains__": lambda none: 0 in none, "__getitem__": lambda none: none[0],
    "__setitem__": lambda none: operator.setitem(none, 0, 0), "__delitem__": lambda none: operator.delitem(none, 0), "__index__": operator.index,
    "__neg__": operator.neg, "__pos__": operator.pos, "__invert__": operator.invert, "__abs__": abs, "__int__": int, "__float__": float, "__round__": round,
}  # fmt: skip
_BINARY = {name: "** or pow()" if symbol == "**" else symbol for symbol, name in BINARY.items()}
_ORDERS = {name.strip("_"): symbol for symbol, name in COMPARE.items() if symbol not in ("==", "!=")}


def _said(use: Callable[[Any], Any]) -> str:
    """This Python's words."""
    try:
        use(None)
    except TypeError as error:
        return str(error)
    raise AssertionError(use)


_WORDS = {name: _said(use) for name, use in _USES.items()}


def check_special(reader: Reader, value: Abstract, name: str, *args: Abstract) -> None:
    """Raise, in the run, what Python raises where None stands in the place of an object whose special method is asked for."""
    if not isinstance(value, Pooled) or not none_in_pools.may_be_none(reader, value):
        return
    words = _WORDS.get(name) or _of_two(name.strip("_"), *(type_name(reader, arg) for arg in args[:1]))
    if words is not None:
        none_in_pools.check_there(reader, value, TypeError, words)


def _of_two(name: str, *other: str) -> str | None:
    """The words for an operator of two."""
    if not other:
        return None
    if name in _ORDERS:
        return f"'{_ORDERS[name]}' not supported between instances of 'NoneType' and {other[0]!r}"
    for prefix, text in (("", "unsupported operand type(s) for {}: 'NoneType' and {!r}"), ("i", "unsupported operand type(s) for {}=: 'NoneType' and {!r}")):
        if name.startswith(prefix) and (shown := _BINARY.get(name.removeprefix(prefix))) is not None:
            return text.format(shown.split(" or ")[0] if prefix else shown, other[0])
    shown = _BINARY.get(name.removeprefix("r"))
    return None if shown is None else f"unsupported operand type(s) for {shown}: {other[0]!r} and 'NoneType'"


__all__ = ["check_special"]
