"""Which functions call each other in a circle: those outside of what is read, in one module, the methods of one class among them, and those that one function makes."""
from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Mapping
from types import FunctionType
from typing import Any, Generic, TypeVar

import libcst as cst

from s2s.errors import SourceError
from s2s.hidden import MISSING, step
from s2s.records import dataclass, field
from s2s.registry import is_compiled
from s2s.transforms.read.callables import Applied, Closure
from s2s.transforms.read.composed import marks
from s2s.transforms.read.syntax import nodes
from s2s.transforms.read.syntax.recursion.circle import mapped
from s2s.transforms.read.syntax.recursion.loop import Member, NotLooped
from s2s.transforms.read.syntax.scope import scope_of
from s2s.transforms.read.syntax.source import Tree, tree_of
from s2s.transforms.read.values import Abstract

_T = TypeVar("_T", bound=Hashable)


@dataclass(eq=False)
class _Seen(Generic[_T]):
    """A function, and under which names the others see it."""

    function: _T
    names: set[str] = field(default_factory=set)
    method: str = ""
    is_cached: bool = False


def outside(name: str, function: FunctionType | None) -> Any:
    """What a name stands for in a function outside; MISSING of what is no name of its closure or module."""
    if function is None:
        return MISSING
    kind = "closure" if name in function.__code__.co_freevars else "global"
    return step(function, kind, name)


def circle_of_function(function: FunctionType, tree: Tree, method: str) -> tuple[dict[FunctionType, Member], Member]:
    """The functions outside that call each other in a circle with one of them, but for that one, and that one.

    Raises NotLooped where they see other names outside.
    """
    trees = {function: tree}

    def called(each: FunctionType) -> Iterator[tuple[FunctionType, str, str, bool]]:
        node = trees[each].node
        for name in _names_called(node):
            value = outside(name, each)
            plain = _plain(value)
            if plain is not None and plain.__globals__ is function.__globals__ and _known(plain, trees):
                yield plain, name, "", isinstance(value, CACHED)
        for name, plain in _methods_called(each, node):
            if plain.__globals__ is function.__globals__ and _known(plain, trees):
                yield plain, "", name, False

    found = _circle(function, called)
    for each in found:
        if each is not function and not _sees_alike(function, each):
            raise NotLooped("functions that call each other and see other names around them", tree.node)
    return _members(function, found, trees, method)


def circle_of_closure(function: Closure, tree: Tree) -> tuple[dict[Closure, Member], Member]:
    """The same of functions that one function makes."""
    trees = {function: tree}

    def called(each: Closure) -> Iterator[tuple[Closure, str, str, bool]]:
        for name in _names_called(trees[each].node):
            value = each.frame.find(name)
            plain = value.args[0] if is_applied_cache(value) else value
            if isinstance(plain, Closure) and plain.node is function.node:
                plain = function
            if isinstance(plain, Closure) and plain.frame is function.frame:
                plain = next((other for other in trees if other.node is plain.node), plain)
                trees.setdefault(plain, plain.own_tree)
                yield plain, name, "", plain is not value and is_applied_cache(value)

    return _members(function, _circle(function, called), trees, "")


def is_applied_cache(value: Abstract) -> bool:
    """Whether it is a function inside of what is read, with a cache."""
    return isinstance(value, Applied) and value.function is marks.cached and isinstance(value.args[0], Closure)


def _members(function: _T, found: Mapping[_T, _Seen[_T]], trees: Mapping[_T, Tree], method: str) -> tuple[dict[_T, Member], Member]:
    made = {each: Member(trees[each], frozenset(seen.names), seen.method, seen.is_cached) for each, seen in found.items() if each is not function}
    own = found[function]
    return made, Member(trees[function], frozenset(own.names), method, own.is_cached)


def _circle(function: _T, called: Callable[[_T], Iterator[tuple[_T, str, str, bool]]]) -> dict[_T, _Seen[_T]]:
    """The functions that are called by way of this one and call it by way of others, it first; `called`: which a function calls, by which name or as which method."""
    calls: dict[_T, list[_T]] = {}
    found = {function: _Seen(function)}
    waiting = [function]
    while waiting:
        caller = waiting.pop()
        calls[caller] = []
        for callee, name, method, is_cached in called(caller):
            calls[caller].append(callee)
            if callee not in found:
                found[callee] = _Seen(callee)
                waiting.append(callee)
            seen = found[callee]
            seen.names |= {name} - {""}
            seen.method, seen.is_cached = method or seen.method, is_cached or seen.is_cached
    leading = {function}
    while more := {each for each, callees in calls.items() if each not in leading and not leading.isdisjoint(callees)}:
        leading |= more
    return {each: seen for each, seen in found.items() if each in leading}


def _names_called(node: Any) -> list[str]:
    """The names outside of a function by which it calls something, or has it called by `map`."""
    bound = scope_of(node).bound
    calls = [each for each in nodes.inside(node.body) if isinstance(each, cst.Call) and isinstance(each.func, cst.Name)]
    functions = (function for call in calls for function in (call.func, mapped(call)))
    names = (each.value for each in functions if isinstance(each, cst.Name))
    return [each for each in dict.fromkeys(names) if each not in bound]


def _methods_called(function: FunctionType, node: Any) -> Iterator[tuple[str, FunctionType]]:
    """The methods that a method calls of its own object, as far as its class is one of its module."""
    *around, owner, _ = ("", "", *function.__qualname__.split("."))
    cls = outside(owner, function)
    if around[-1] or not isinstance(cls, type) or vars(cls).get(function.__name__) is not function:
        return
    itself = next((param.name.value for param in (*node.params.posonly_params, *node.params.params)), None)
    for each in nodes.inside(node.body):
        if isinstance(each, cst.Call) and isinstance(each.func, cst.Attribute) and isinstance(each.func.value, cst.Name) and each.func.value.value == itself:
            found = step(cls, "entry", each.func.attr.value)
            if isinstance(found, FunctionType):
                yield each.func.attr.value, found


def _plain(value: Any) -> FunctionType | None:
    """The function of the user's that something called is, or is made of: one with a cache, or that Numba compiles."""
    if isinstance(value, CACHED) or is_compiled(value):
        value = value.__wrapped__
    return value if isinstance(value, FunctionType) else None


def _known(function: FunctionType, trees: dict[FunctionType, Tree]) -> bool:
    """Whether the text of a function is known."""
    if function not in trees:
        try:
            trees[function] = tree_of(function)
        except SourceError:
            return False
    return True


def _sees_alike(first: FunctionType, other: FunctionType) -> bool:
    """Whether each name that two functions see around them is one thing: names are looked up as the first one does."""
    cells, others = (dict(zip(each.__code__.co_freevars, each.__closure__ or (), strict=True)) for each in (first, other))
    read = set(other.__code__.co_names)
    return all(cells.get(name) is cell for name, cell in others.items()) and not any(name in read for name in cells if name not in others)


CACHED = type(functools.cache(lambda: None))

__all__ = ["CACHED", "circle_of_closure", "circle_of_function", "is_applied_cache", "outside"]
