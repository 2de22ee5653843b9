"""The functions of a kernel that are machine code of their own, and what each is known by.

    _loss_grad  ->  _smoothed_fwd, _smoothed_bwd, _moved_fwd, …        each found again by its text and its types

After an edit only those are compiled whose text changed: where in the file a function stands, and what those do that it calls, is no part of it.
"""
from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
from numba.core import types

from s2s.codegen.modules import cache
from s2s.codegen.native.aliasing import apart
from s2s.codegen.native.inference import Typed
from s2s.codegen.native.source import walked
from s2s.codegen.native.version import generator
from s2s.records import dataclass

WHOLE = 3200
"""Nodes of its functions' syntax trees below which a kernel is compiled in one piece: that takes some tenths of a second at most."""
ONCE, OFTEN = 150, 1100
"""Nodes from which a function with loops stands apart: one that is called outside of loops, and one that is called within them."""
_KNOWN = frozenset({"builtins", "math", "cmath", "operator", "_operator", "numpy"})
"""The packages whose functions are what their names say."""


class NotApart(Exception):
    """The kernel holds something that has no lasting description: it is compiled in one piece."""


@dataclass(frozen=True)
class Part:
    """A function apart, with those that are written into its machine code."""

    root: Typed
    inner: tuple[Typed, ...]
    calls: tuple[Typed, ...]
    """The functions apart that it calls."""

    @property
    def symbol(self) -> str:
        """Its name for those that call it, but for what tells one module's from another's."""
        return symbol_of(self.root)

    def key(self, codegen: Any, flags: str) -> str:
        """The hash of all that its machine code depends on. `flags`: Numba's, for its calling convention and errors.

        Raises
        ------
        NotApart
            If it holds something that can't be recognised in another process.
        """
        told = [described(value) for typed in (self.root, *self.inner) for value in _outside(typed)]
        texts = [part for typed in (self.root, *self.inner) for part in _content(typed)]
        new = ",".join(sorted(apart(self.root)))
        return cache.digest(generator(), repr(codegen.magic_tuple()), flags, *texts, new, *told, *(each for typed in self.calls for each in (symbol_of(typed), str(typed.result))))


def symbol_of(typed: Typed) -> str:
    """A function's name, with its types."""
    name = typed.source.name
    return f"{name}.{cache.digest(name, str(typed.args), str(typed.result), str(typed.flags))[:12]}"


# ---- which ----------------------------------------------------------------------------------------------------------------


def parted(entry: Typed) -> tuple[Part, ...]:
    """The functions apart, the entry first; none where the kernel is small, or called by others that Numba links with it, or nothing but the entry would stand apart."""
    if entry.source.called:
        return ()
    every = _reached([entry], frozenset())
    if sum(len(typed.source.nodes) for typed in every) < WHOLE:
        return ()
    often = _often(every)
    roots = [typed for typed in every if typed is entry or _stands_apart(typed, OFTEN if id(typed) in often else ONCE)]
    if len(roots) == 1:
        return ()
    stops = frozenset(map(id, roots))
    parts = []
    for root in roots:
        inner = _reached([root], stops)[1:]
        calls = {id(callee): callee for typed in (root, *inner) for callee in typed.callees.values() if id(callee) in stops}
        parts.append(Part(root, tuple(inner), tuple(calls.values())))
    return tuple(parts)


def _reached(start: list[Typed], stops: frozenset[int]) -> list[Typed]:
    """These functions and those that they call, in the order of the text; what stands apart is not looked into."""
    found = {id(typed): typed for typed in start}
    waiting = list(start)
    while waiting:
        for callee in waiting.pop(0).callees.values():
            if id(callee) not in found and id(callee) not in stops:
                found[id(callee)] = callee
                waiting.append(callee)
    return list(found.values())


def _often(every: Iterable[Typed]) -> set[int]:
    """The functions that are called within loops."""
    start = {id(callee): callee for typed in every for callee in _called_in_loops(typed)}
    return set(map(id, _reached(list(start.values()), frozenset())))


def _called_in_loops(typed: Typed) -> Iterator[Typed]:
    within: set[ast.AST] = set()
    for node in typed.source.nodes if typed.callees else ():  # outer loops come before those in them
        if isinstance(node, ast.For | ast.While) and node not in within:
            inside = walked(node)
            within.update(inside)
            yield from (typed.callees[inner] for inner in inside if isinstance(inner, ast.Call) and inner in typed.callees)


def _stands_apart(typed: Typed, least: int) -> bool:
    source = typed.source
    return not source.in_place and len(source.nodes) >= least and any(isinstance(node, ast.For | ast.While) for node in source.nodes)


# ---- by what they are known ------------------------------------------------------------------------------------------------


def _content(typed: Typed) -> tuple[str, ...]:
    source = typed.source
    return (source.text, str(typed.args), str(typed.result), repr(sorted(source.fastmath)), repr(source.in_place), str(typed.flags))


def _outside(typed: Typed) -> list[tuple[str, Any]]:
    """What names and attributes stand for, less the functions of the kernel."""
    own = {id(call.func) for call in typed.callees}
    found = {_written(node): value for node, value in typed.outside.items() if id(node) not in own}
    return sorted(found.items(), key=lambda item: item[0])


def _written(node: ast.expr) -> str:
    """As `ast.unparse` writes it, which takes a hundred times as long."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return f"{_written(node.value)}.{node.attr}"
        case _:
            return ast.unparse(node)


def described(named: tuple[str, Any]) -> str:
    """What a name of the module stands for, as another process would find it."""
    name, value = named
    match value:
        case bool() | int() | float() | complex() | str() if type(value).__module__ == "builtins":
            return f"{name}: {type(value).__name__} {value!r}"
        case np.generic():
            return f"{name}: {value.dtype.str} {value.tobytes().hex()}"
        case ModuleType() if value.__name__.split(".")[0] in _KNOWN:
            return f"{name}: {value.__name__}"
        case types.ExternalFunction():
            return f"{name}: {value.symbol} {value.sig}"
        case _ if callable(value) and _address(value):
            return f"{name}: {_address(value)}"
    raise NotApart(name)


def _address(value: Any) -> str:
    """Module and name of a function or a class of Python's or NumPy's, where they lead to it."""
    module = "numpy" if isinstance(value, np.ufunc) else getattr(value, "__module__", None) or "builtins"
    name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
    found = getattr(builtins if module == "builtins" else sys.modules.get(module), name, None)
    return f"{module} {name}" if module.split(".")[0] in _KNOWN and found is value else ""
