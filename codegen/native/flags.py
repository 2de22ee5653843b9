"""Parameters of a kernel that its callers say are True or False: what the other way is for is neither typed nor written.

    small_product(a[i], False, b[i], False, …)        x = a[k, i] if a_turned else a[i, k]    ->    x = a[i, k]

LLVM would find that, too, but after it was given all of it. A short function, and one that is written in place of its calls, is made for each
combination of flags; another one only knows those that are the same in all calls, so that it is not made twice.
"""
from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from s2s.codegen.native.source import Source

Flags = Mapping[str, bool]
NO_FLAGS: Flags = {}
SHORT = 250
"""Nodes of the syntax tree up to which a function is short."""


def decided(test: ast.expr, flags: Flags) -> bool | None:
    """What a test gives, where the flags tell."""
    match test:
        case ast.Constant(value=bool(value)):
            return value
        case ast.Name(id=name):
            return flags.get(name)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            known = decided(operand, flags)
            return None if known is None else not known
        case ast.BoolOp(op=op, values=values):
            found = [decided(value, flags) for value in values]
            deciding = isinstance(op, ast.Or)  # one True decides an `or`, one False an `and`: to look at the others does nothing
            return deciding if deciding in found else None if None in found else not deciding
        case _:
            return None


def flags_given(callee: Source, args: Sequence[ast.expr], flags: Flags) -> Flags:
    """What a call says of the function's parameters. `flags`: those of the function that calls."""
    each = callee.in_place or len(callee.nodes) <= SHORT
    told = {param: decided(arg, flags) for param, arg in zip(callee.params, args, strict=True)}
    known = callee.module.flags.get(callee.name, {})
    return {param: value for param, value in told.items() if value is not None and param not in callee.stores and (each or known.get(param) == {value})}
