"""Numba's own words in programs that were written for it: decorators, ranges, typed containers, classes (its types: `hidden.number_type`).

    @njit(cache=True)                        the function under it
    for i in prange(n)                       range(n)
    List.empty_list(float64), Dict.empty(…)  a list, a dict

Numba is not imported for it: a program that has such words has done so.
"""
from __future__ import annotations

from collections.abc import Callable

from s2s.transforms.read.callables import FUNCTIONS, Applied
from s2s.transforms.read.names import resolved, within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Outside


def _decorator(name: str) -> Callable[..., Abstract]:
    """numba.njit of a function that is made while reading: the function; of options or of a signature, the decorator."""

    def rule(reader: Reader, function: Abstract = None, *signature: Abstract, **options: Abstract) -> Abstract:
        del reader, signature, options
        return function if isinstance(function, (*FUNCTIONS, Outside)) else Applied(resolved(name), (), {})

    return rule


def _same(reader: Reader, value: Abstract, *rest: Abstract) -> Abstract:
    del reader, rest
    return value


def _made(kind: type) -> Callable[..., Abstract]:
    """numba.prange(n), numba.typed.List(…): Python's own of the same."""

    def new(reader: Reader, *values: Abstract) -> Abstract:
        return reader.rules.call(kind, values)

    return new


def _empty(kind: type) -> Callable[..., Abstract]:
    """List.empty_list(type, …): one of them that holds nothing, of whatever types."""

    def empty(reader: Reader, *types: Abstract, **options: Abstract) -> Abstract:
        del types, options
        return reader.rules.call(kind, ())

    return empty


NUMBA_WORDS: dict[str, Callable[..., Abstract]] = {
    **{f"numba.{name}": _decorator(f"numba.{name}") for name in ("njit", "jit")},
    **within("numba", prange=_made(range), literally=_same, literal_unroll=_same),
    **within("numba.typed.typedlist", **{"List": _made(list), "List.empty_list": _empty(list)}), **within("numba.typed.typeddict", **{"Dict": _made(dict), "Dict.empty": _empty(dict)}),
}
"""Qualified name -> rule, as in `builtin_functions.BUILTINS`."""


def plain_class(cls: type) -> type:
    """The class under numba.experimental.jitclass; every other class as it is."""
    return cls.__bases__[0] if type(cls).__module__ == "numba.experimental.jitclass.base" else cls


__all__ = ["NUMBA_WORDS", "plain_class"]
