"""Which arrays of a kernel share memory with no other: LLVM need not test for overlaps then, nor write each loop twice.

    def relax(u, sweeps):                         _relax(u, w):  w is a new array, and is written to
        w = np.empty(u.shape[0])            ->                   u is the caller's, and is only read
        _relax(u, w)                                             so each lies apart from what the other one changes
"""
from __future__ import annotations

import ast

from numba.core import types

from s2s.codegen.native.inference import Typed


def written(typed: Typed, known: dict[int, frozenset[str]] | None = None) -> frozenset[str]:
    """The parameters whose elements a kernel may change: those of which it does anything but read elements and lengths. `known`: of kernels, by identity."""
    known = {} if known is None else known
    if id(typed) not in known:
        known[id(typed)] = _written(typed, known)
    return known[id(typed)]


def _written(typed: Typed, known: dict[int, frozenset[str]]) -> frozenset[str]:
    only_read: set[ast.expr] = set()
    for node in typed.source.nodes:
        match node:
            case ast.Subscript(value=ast.Name() as array, ctx=ast.Load()) if not isinstance(typed.types.get(node), types.Array):
                only_read.add(array)
            case ast.Attribute(value=ast.Name() as array, attr="shape" | "dtype" | "itemsize"):
                only_read.add(array)
            case ast.Call() if node in typed.callees:
                callee = typed.callees[node]
                changed = written(callee, known)
                kept = (arg for arg, param in zip(node.args, callee.source.params, strict=True) if param not in changed)
                only_read.update(arg.value if isinstance(arg, ast.Subscript) else arg for arg in kept)
            case _:
                pass
    touched = {node.id for node in typed.source.nodes if isinstance(node, ast.Name) and node not in only_read}
    return frozenset(param for param in typed.source.params if param in touched)


def apart(typed: Typed) -> frozenset[str]:
    """The parameters whose memory, as far as it changes, no other one shares."""
    arrays = {name for name, type_ in zip(typed.source.params, typed.args, strict=True) if isinstance(type_, types.Array)}
    new = arrays & typed.source.new
    return frozenset(arrays if new and not (written(typed) & arrays) - new else new)
