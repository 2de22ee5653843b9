"""Which arrays of a kernel share memory with no other: LLVM need not test for overlaps then, nor write each loop twice.

    def relax(u, sweeps):                         _relax(u, w):  w is a new array, and is written to
        w = np.empty(u.shape[0])            ->                   u is the caller's, and is only read
        _relax(u, w)                                             so each lies apart from what the other one changes

    slopes, less = _slopes(u)                     new arrays, each on its own: so says each of the accesses to their elements (`Scopes`)
    flux = np.empty(n)
"""
from __future__ import annotations

import ast

from llvmlite import ir
from numba.core import types

from s2s.codegen.native.inference import Typed, allocates
from s2s.codegen.native.operations import parts_of


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


# ---- new arrays ------------------------------------------------------------------------------------------------------------

MANY = 100
"""New arrays of a function that are told apart: what is said of them grows with the square of their number."""
New = dict[int, frozenset[str]]
"""Of kernels, by identity."""


def new_arrays(typed: Typed, known: New | None = None) -> frozenset[str]:
    """The names that are bound at one place, to memory that no other name of the function holds: a new array, or what a kernel returns that is one."""
    known = {} if known is None else known
    if id(typed) not in known:
        known[id(typed)] = _new_arrays(typed, known)
    return known[id(typed)]


def _new_arrays(typed: Typed, known: New) -> frozenset[str]:
    source = typed.source
    bound: set[str] = set()
    allowed: set[ast.expr] = set()
    for node in source.nodes:
        match node:
            case ast.Assign(targets=[target], value=ast.Call() as call):
                bound.update(_bound_new(typed, target, call, known))
            case ast.Subscript(value=ast.Name() as array) if not isinstance(typed.types.get(node), types.Array):
                allowed.add(array)
            case ast.Attribute(value=ast.Name() as array, attr="shape" | "dtype" | "itemsize" | "ctypes"):
                allowed.add(array)
            case ast.Call() if node in typed.callees:
                allowed.update(arg.value if isinstance(arg, ast.Subscript) else arg for arg in node.args)
            case ast.Return(value=ast.Name() as array):
                allowed.add(array)
            case ast.Return(value=ast.Tuple(elts=items)):
                allowed.update(items)
            case _:
                pass
    taken = {node.id for node in source.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in allowed}
    return frozenset(name for name in bound - taken if source.stores[name] == 1 and name not in source.params)


def _bound_new(typed: Typed, target: ast.expr, call: ast.Call, known: New) -> list[str]:
    """The names that a call's new arrays are bound to."""
    if call in typed.callees:
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        return [each.id for each, is_new in zip(targets, _returns_new(typed.callees[call], known), strict=False) if is_new and isinstance(each, ast.Name)]
    return [target.id] if isinstance(target, ast.Name) and allocates(typed.outside.get(call.func)) else []


def _returns_new(typed: Typed, known: New) -> list[bool]:
    """Which results of a kernel are new arrays, each another one, wherever it returns."""
    own = new_arrays(typed, known)
    found = [True] * (len(parts_of(typed.result)) if isinstance(typed.result, types.BaseTuple) else 1)
    for node in typed.source.nodes:
        if isinstance(node, ast.Return):
            items = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            names = [item.id if isinstance(item, ast.Name) else "" for item in items]
            found = [so_far and name in own and names.count(name) == 1 for so_far, name in zip(found, names, strict=False)]
    return found


class Scopes:
    """Says of accesses to elements, in LLVM's words, which memory they do not touch."""

    def __init__(self, typed: Typed, module: ir.Module) -> None:
        self.module = module
        self.new = sorted(new_arrays(typed))[:MANY]
        self.given = frozenset(typed.source.params) - typed.source.stores.keys()
        self._lists: dict[str, tuple[ir.MDValue | None, ir.MDValue]] = {}
        if self.new:
            domain = _itself(module)
            self._scopes = {name: _itself(module, domain) for name in self.new}

    def mark(self, access: ir.Instruction, name: str) -> None:
        """An access to an element of the array with this name."""
        if self.new and (name in self._scopes or name in self.given):
            own, others = self._told(name)
            if own is not None:
                access.set_metadata("alias.scope", own)
            if others.operands:
                access.set_metadata("noalias", others)

    def _told(self, name: str) -> tuple[ir.MDValue | None, ir.MDValue]:
        key = name if name in self._scopes else ""
        if key not in self._lists:
            own = _list(self.module, self._scopes[key]) if key else None
            self._lists[key] = own, _list(self.module, *(scope for other, scope in self._scopes.items() if other != key))
        return self._lists[key]


def _list(module: ir.Module, *operands: ir.MDValue) -> ir.MDValue:
    return ir.MDValue(module, operands, name=str(len(module.metadata)))


def _itself(module: ir.Module, *operands: ir.MDValue) -> ir.MDValue:
    """A node that is only equal to itself: the first of its operands."""
    made = _list(module, *operands)
    made.operands = (made, *operands)
    return made
