"""match: each case is an if; its pattern says what is asked of the subject, and what names are bound where it fits.

    match p:                               if isinstance(p, Point) and p.x == 0:
        case Point(x=0, y=v): f(v)             v = p.y; f(v)
        case [a, *rest]: …                 elif p is a list or tuple with an item: …
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import libcst as cst

from s2s.transforms.read.bound_names import bind
from s2s.transforms.read.calls.builtin_functions import BUILTINS
from s2s.transforms.read.classes import class_of_value
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.caught import settled
from s2s.transforms.read.flow.conditions import both, either
from s2s.transforms.read.flow.control_flow import if_else
from s2s.transforms.read.flow.joining import choose
from s2s.transforms.read.flow.options import is_at, narrowed, possible
from s2s.transforms.read.flow.truth import truth_of
from s2s.transforms.read.identity import identical
from s2s.transforms.read.known import hashed, plain
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.grown import Grown
from s2s.transforms.read.syntax.source import statements_of
from s2s.transforms.read.values import STANDS_FOR, Abstract, DictRef, ListRef, OneOf, SetRef, Text, View, is_atom, is_number
from s2s.types import BOOL, Array, Atom, Literal

Bound = dict[str, Abstract]
Test = bool | Atom
_SELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Classes whose one positional pattern is matched with the object itself."""


def match_statement(reader: Reader, node: cst.Match, rest: list[Any]) -> bool:
    """Read a match. True if the statements behind it (`rest`) were read too."""
    with reader.at(node.subject):
        subject = reader.rules.evaluate(node.subject)
    if isinstance(subject, OneOf):
        return _of_each(reader, node, subject, possible(reader, subject), rest)
    return _cases(reader, subject, list(node.cases), rest)


def _of_each(reader: Reader, node: cst.Match, subject: OneOf, numbers: list[int], rest: list[Any]) -> bool:
    """A match of a value that is one of several: of each that it may be, on a path of its own."""
    first, *others = numbers
    if not others:
        return _cases(reader, subject.options[first], list(node.cases), rest)

    def one() -> None:
        _cases(reader, subject.options[first], list(node.cases), [])

    def two() -> None:
        _of_each(reader, node, subject, others, [])

    return if_else(reader, node.subject, is_at(reader, subject, first), one, two, rest)


def _cases(reader: Reader, subject: Abstract, cases: list[cst.MatchCase], rest: list[Any]) -> bool:
    if not cases:
        return False
    case, others = cases[0], cases[1:]
    bound: Bound = {}
    with reader.at(case.pattern):
        test = _guarded(reader, case, _matches(reader, case.pattern, subject, bound), bound)
    if test is False:
        return _cases(reader, subject, others, rest)
    body = list(statements_of(case.body))

    def then() -> None:
        _bind(reader, bound)
        reader.rules.execute(body)

    if test is True:
        then()
        return False
    assert not isinstance(test, bool)
    return if_else(reader, case.pattern, test, then, lambda: _others(reader, subject, others), rest)


def _others(reader: Reader, subject: Abstract, cases: list[cst.MatchCase]) -> None:
    _cases(reader, subject, cases, [])


def _bind(reader: Reader, bound: Bound) -> None:
    for name, value in bound.items():
        bind(reader, name, value)


def _guarded(reader: Reader, case: cst.MatchCase, test: Test, bound: Bound) -> Test:
    """The test of the pattern and of the guard, which sees the names that the pattern binds; these stay bound, and the guard's own, where it fails."""
    if case.guard is None or test is False:
        return test
    if test is True:
        _bind(reader, bound)
        return truth_of(reader, reader.rules.evaluate(case.guard))
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        narrowed(reader, test, holds=True)
        _bind(reader, bound)
        found = settled(reader, lambda: truth_of(reader, reader.rules.evaluate(case.guard)))
    atom = Literal(found, Array(BOOL)) if isinstance(found, bool) else found
    return truth_of(reader, choose(reader, test, (one, atom), (two, False)))


# ---- patterns ----------------------------------------------------------------------------------------------------------------


def _matches(reader: Reader, pattern: Any, value: Abstract, bound: Bound) -> Test:
    """Whether a value fits a pattern; what is bound if it does."""
    return PATTERNS[type(pattern)](reader, pattern, value, bound)


def _all(reader: Reader, tests: Sequence[Callable[[], Test]]) -> Test:
    """Whether all tests hold; none is asked behind one that surely does not."""
    result: Test = True
    for each in tests:
        test = each()
        if test is False:
            return False
        if not isinstance(test, bool):
            result = test if isinstance(result, bool) else both(reader, result, test)
    return result


def _value(reader: Reader, pattern: cst.MatchValue, value: Abstract, bound: Bound) -> Test:
    del bound
    if isinstance(value, View):
        raise reader.unsupported("a pattern that compares an array", "an if with np.all")
    return truth_of(reader, reader.rules.compare("==", value, reader.rules.evaluate(pattern.value)))


def _singleton(reader: Reader, pattern: cst.MatchSingleton, value: Abstract, bound: Bound) -> Test:
    del bound
    return identical(reader, value, {"None": None, "True": True, "False": False}[pattern.value.value])


def _as(reader: Reader, pattern: cst.MatchAs, value: Abstract, bound: Bound) -> Test:
    test = True if pattern.pattern is None else _matches(reader, pattern.pattern, value, bound)
    if pattern.name is not None and test is not False:
        bound[pattern.name.value] = value
    return test


def _or(reader: Reader, pattern: cst.MatchOr, value: Abstract, bound: Bound) -> Test:
    result: Test = False
    for element in pattern.patterns:
        names: Bound = {}
        test = _matches(reader, element.pattern, value, names)
        if test is True and result is False:
            bound.update(names)
            return True
        if names and test is not False:
            raise reader.unsupported("alternatives of a pattern that bind names, of which only the run knows which one fits", "a case for each")
        if test is True:
            return True
        if test is not False:
            result = test if result is False else either(reader, result, test)  # type: ignore[arg-type]
    return result


def _sequence(reader: Reader, pattern: cst.MatchList | cst.MatchTuple, value: Abstract, bound: Bound) -> Test:
    if isinstance(value, View) or isinstance(value, ListRef) and isinstance(reader.heap[value], Grown):
        if isinstance(value, View):
            return False  # an array is no Sequence
        raise reader.unsupported("a pattern for a list whose length is known only at run time", "an if that compares len(…)")
    if not isinstance(value, tuple | ListRef | range):
        if _is_of(reader, value, Sequence):
            raise reader.unsupported(f"a pattern for the items of {describe(reader, value)}", "an if that compares len(…)")
        return False
    items = list(reader.heap[value]) if isinstance(value, ListRef) else list(value)
    parts = list(pattern.patterns)
    star = next((k for k, part in enumerate(parts) if isinstance(part, cst.MatchStar)), None)
    if len(items) != len(parts) if star is None else len(items) < len(parts) - 1:
        return False
    if star is not None:
        behind = len(items) - (len(parts) - 1 - star)
        name = parts[star].name  # type: ignore[union-attr]
        if name is not None:
            bound[name.value] = reader.new_list(items[star:behind])
        items = items[:star] + items[behind:]
        parts = parts[:star] + parts[star + 1 :]
    return _all(reader, [partial(_matches, reader, part.value, item, bound) for part, item in zip(parts, items, strict=True)])  # type: ignore[union-attr]


def _is_of(reader: Reader, value: Abstract, kind: type) -> bool:
    """Whether Python takes an object for a sequence, or a mapping."""
    if isinstance(value, View | str | bytes | Text) or is_atom(value) or is_number(value) or value is None:
        return False
    own = class_of_value(reader, value)
    return issubclass(getattr(own, STANDS_FOR, own), kind) and not issubclass(own, str | bytes | bytearray)


def _mapping(reader: Reader, pattern: cst.MatchMapping, value: Abstract, bound: Bound) -> Test:
    if not isinstance(value, DictRef) or isinstance(value, SetRef):
        if not isinstance(value, SetRef) and _is_of(reader, value, Mapping):
            raise reader.unsupported(f"a pattern for the keys of {describe(reader, value)}", "an if that asks for the keys")
        return False
    held = dict(reader.heap[value])
    tests = []
    for element in pattern.elements:
        key = hashed(reader, reader.rules.evaluate(element.key))
        if key not in held:
            return False
        tests.append(partial(_matches, reader, element.pattern, held.pop(key), bound))
    if pattern.rest is not None:
        bound[pattern.rest.value] = reader.new_dict(held)
    return _all(reader, tests)


def _class(reader: Reader, pattern: cst.MatchClass, value: Abstract, bound: Bound) -> Test:
    kind = plain(reader, reader.rules.evaluate(pattern.cls))
    fits = truth_of(reader, BUILTINS[isinstance](reader, value, kind))
    if fits is False:
        return False
    tests: list[Callable[[], Test]] = [lambda: fits]
    given = list(pattern.patterns)
    if given and kind in _SELF:
        tests.append(partial(_matches, reader, given[0].value, value, bound))
        given = []
    names = getattr(kind, "__match_args__", ())
    if len(given) > len(names):
        raise TypeError(f"{kind.__name__}() accepts {len(names)} positional sub-patterns ({len(given)} given)")
    named = [*zip(names, (each.value for each in given), strict=False), *((each.key.value, each.pattern) for each in pattern.kwds)]
    if named and fits is not True:
        raise reader.unsupported(f"a pattern with the attributes of what may be None beside a {kind.__name__}", "`case None` before it, or an if")
    for name, inner in named:
        if not truth_of(reader, BUILTINS[hasattr](reader, value, name)):
            return False
        tests.append(partial(_matches, reader, inner, reader.rules.attribute(value, name), bound))
    return _all(reader, tests)


PATTERNS: dict[type, Callable[[Reader, Any, Abstract, Bound], Test]] = {
    cst.MatchValue: _value, cst.MatchSingleton: _singleton, cst.MatchAs: _as, cst.MatchOr: _or, cst.MatchList: _sequence, cst.MatchTuple: _sequence,
    cst.MatchMapping: _mapping, cst.MatchClass: _class,
}  # fmt: skip

__all__ = ["match_statement"]
