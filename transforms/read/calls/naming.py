"""named_call and named_scope in the user's code: the same function under another name.

    dense = s2s.named_call(lambda y: np.sin(y), name="dense")      calls are emitted as calls of `dense`
"""
from __future__ import annotations

import dataclasses
from types import FunctionType
from typing import Any

from s2s import registry
from s2s.errors import ArgumentTypeError
from s2s.transforms.read.callables import Applied, Closure
from s2s.transforms.read.describing import describe
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract, Outside


def call_named_call(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """named_call(fun, name=None)."""
    fun, name = (*args, kwargs.get("fun"))[0], kwargs.get("name")
    if not isinstance(name, str | None):
        raise ArgumentTypeError(f"named_call with the name {describe(reader, name)}", where=reader.builder.where, why="a name is a text that is known")
    if isinstance(fun, Closure):
        return fun if name is None else dataclasses.replace(fun, name=name)
    if isinstance(fun, Outside) and isinstance(fun.object, FunctionType):
        reader.session.guard(fun.steps, fun.object)
        return Outside(function(fun.object, name=name), None)
    raise reader.unsupported(f"named_call of {describe(reader, fun)}", "a def that calls it")


def call_named_scope(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """named_scope(name) as a decorator."""
    (name,) = (*args, *kwargs.values())
    if not isinstance(name, str):
        raise ArgumentTypeError(f"named_scope name argument must be a string. Got: {describe(reader, name)}", where=reader.builder.where)
    return Applied(registry.makers()["named_call"], (), {"name": name})


HANDLERS = {"s2s.named_call": call_named_call, "s2s.named_scope": call_named_scope}

__all__ = ["HANDLERS"]
