"""Arrays of a kernel's own that no one else gets to hold, and that are small: they lie on the stack, where a malloc would cost more than what is done with them.

    scale = np.empty(2, a.dtype)          always there
    straight = np.empty((n, m), a.dtype)  there, if it is found to be small
"""
from __future__ import annotations

import ast
import math
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.np.arrayobj import get_itemsize

from s2s.codegen.native import arrays
from s2s.codegen.native.inference import Typed, allocates
from s2s.codegen.native.operations import parts_of

LIMIT = 4096
"""Bytes that an array may take on the stack."""
MANY = 16
"""Arrays of one function that may lie there: a stack ends somewhere."""
_ALIGN = 64


def own_arrays(typed: Typed) -> frozenset[str]:
    """The names that hold a new array at one place each, of which nothing is taken but elements, lengths and its address, and that are lent to kernels that hand out no array."""
    source = typed.source
    new = {
        node.targets[0].id for node in source.nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
        and allocates(typed.outside.get(node.value.func)) and source.stores[node.targets[0].id] == 1 and node.targets[0].id not in source.params
    }  # fmt: skip
    if not new:
        return frozenset()
    allowed: set[ast.expr] = set()
    for node in source.nodes:
        match node:
            case ast.Subscript(value=ast.Name() as array) if not isinstance(typed.types.get(node), types.Array):
                allowed.add(array)
            case ast.Attribute(value=ast.Name() as array, attr="shape" | "dtype" | "itemsize" | "ctypes"):
                allowed.add(array)
            case ast.Call() if node in typed.callees and not _holds_arrays(typed.callees[node].result):
                allowed.update(arg.value if isinstance(arg, ast.Subscript) else arg for arg in node.args)
            case _:
                pass
    taken = {node.id for node in source.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in allowed}
    return frozenset(sorted(new - taken)[:MANY])


def _holds_arrays(type_: types.Type) -> bool:
    parts = parts_of(type_) if isinstance(type_, types.BaseTuple) else (type_,)
    return any(isinstance(part, types.Array) for part in parts)


def allocated(context: Any, builder: ir.IRBuilder, type_: types.Array, lengths: tuple[ir.Value, ...], *, negative: tuple[bool, ...]) -> tuple[arrays.Value, bool]:
    """A new array, on the stack where it is small; whether it surely lies there, so that there is nothing to give up."""
    known = [length.constant for length in lengths if isinstance(length, ir.Constant)]
    bytes_ = math.prod(known) * get_itemsize(context, type_)
    if len(known) == len(lengths) and min(known) >= 0 and bytes_ <= LIMIT:
        return _of_memory(context, builder, type_, lengths, _no_memory(), _room(context, builder, type_, bytes_)), True
    return _allocated_if_small(context, builder, type_, lengths, negative), False


def _allocated_if_small(context: Any, builder: ir.IRBuilder, type_: types.Array, lengths: tuple[ir.Value, ...], negative: tuple[bool, ...]) -> arrays.Value:
    room = _room(context, builder, type_, LIMIT)
    limit = arrays.INT64(LIMIT // get_itemsize(context, type_))
    small, items = ir.Constant(ir.IntType(1), 1), arrays.INT64(1)
    for length in lengths:  # each of them, too: a product may go round
        small = builder.and_(small, builder.icmp_unsigned("<=", length, limit))
        items = builder.mul(items, length)
    small = builder.and_(small, builder.icmp_unsigned("<=", items, limit))
    here, heap, end = builder.block, builder.append_basic_block("large"), builder.append_basic_block("allocated")
    builder.cbranch(small, end, heap)
    builder.position_at_end(heap)
    large = arrays.allocated(context, builder, type_, lengths, negative=negative)
    heap = builder.block
    builder.branch(end)
    builder.position_at_end(end)
    found = []
    for there, otherwise in ((_no_memory(), large.meminfo), (room, large.data)):
        phi = builder.phi(otherwise.type)
        phi.add_incoming(there, here)
        phi.add_incoming(otherwise, heap)
        found.append(phi)
    return _of_memory(context, builder, type_, lengths, *found)


def _of_memory(context: Any, builder: ir.IRBuilder, type_: types.Array, lengths: tuple[ir.Value, ...], memory: ir.Value, data: ir.Value) -> arrays.Value:
    return arrays.of_passed(context, builder, type_, (memory, ir.Constant(context.get_value_type(types.pyobject), None), data, *lengths))


def _no_memory() -> ir.Constant:
    """Nothing that is counted: Numba's runtime leaves it alone."""
    return ir.Constant(ir.IntType(8).as_pointer(), None)


def _room(context: Any, builder: ir.IRBuilder, type_: types.Array, bytes_: int) -> ir.Value:
    with builder.goto_entry_block():
        place = builder.alloca(ir.ArrayType(ir.IntType(8), bytes_))
        place.align = _ALIGN
        return builder.bitcast(place, context.get_data_type(type_.dtype).as_pointer())
