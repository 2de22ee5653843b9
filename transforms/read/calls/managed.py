"""Contexts that contextlib.contextmanager makes of generators, where they are held or entered by a call.

    stack.enter_context(scaled(x))        Managed(scaled's generator): `__enter__` goes to its yield, `__exit__` to its end
"""
from __future__ import annotations

from types import FunctionType

from s2s.transforms.read.callables import Closure, Method
from s2s.transforms.read.composed.python_library import Managed
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.syntax.source import tree_of
from s2s.transforms.read.values import Abstract, ListRef, Outside


def manager(reader: Reader, function: Abstract, *args: Abstract, **kwargs: Abstract) -> Abstract:
    """contextlib.contextmanager(function)(*args, **kwargs)."""
    inner = function
    while isinstance(inner, Method):
        inner = inner.function
    if isinstance(inner, Closure):
        reader.session.managed.add(inner.node)
    elif isinstance(inner, Outside) and isinstance(inner.object, FunctionType):
        reader.session.managed.add(tree_of(inner.object).node)
    return reader.rules.call(Managed, (reader.rules.call(function, args, kwargs),))


def manager_of_library(reader: Reader, func: Abstract, args: Abstract, kwds: Abstract) -> Abstract:
    """The same by the function that contextlib.contextmanager makes."""
    return manager(reader, func, *(reader.heap[args] if isinstance(args, ListRef) else args), **reader.heap[kwds])


__all__ = ["manager", "manager_of_library"]
