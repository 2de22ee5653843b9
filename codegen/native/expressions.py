"""A kernel's expressions in LLVM. What an operation on numbers does, Numba says."""
from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.funcdesc import ExternalFunctionDescriptor

from s2s.codegen.native import arrays, real_numbers, results
from s2s.codegen.native.aliasing import Scopes
from s2s.codegen.native.bounds import Least
from s2s.codegen.native.complex_numbers import Fail, written
from s2s.codegen.native.inference import Typed, allocates
from s2s.codegen.native.integers import divided
from s2s.codegen.native.operations import Operation, is_signed
from s2s.codegen.native.source import LEAST, NotCovered, is_least
from s2s.codegen.native.truths import is_truth, truth
from s2s.codegen.native.variables import Held, Variables


class Expressions:
    """The values of one function's expressions. `declared`: the LLVM function of each kernel that is called; `fail` leaves the function with an exception."""

    def __init__(
        self, context: Any, typed: Typed, builder: ir.IRBuilder, variables: Variables, least: Least, declared: Callable[[Typed], ir.Function], fail: Fail,
    ) -> None:
        self.context, self.typed, self.builder, self.variables, self.least, self.declared, self.fail = context, typed, builder, variables, least, declared, fail
        self.function: ir.Function = builder.function
        self.scopes = Scopes(typed, builder.module)
        self._rooms: dict[str, ir.Value] = {}
        """Where kernels that are called put their results, by their LLVM type."""

    def array(self, node: ast.expr) -> arrays.Value:
        """An array, by its parts."""
        type_ = self.typed.types[node]
        assert isinstance(type_, types.Array)
        match node:
            case ast.Name() if node not in self.typed.outside:
                return self.variables.array(node.id)
            case ast.Subscript():
                array, at = self.element(node)
                return arrays.row(self.builder, array, type_, at)
            case ast.Call() if node not in self.typed.callees and node not in self.typed.operations and allocates(self.typed.outside[node.func]):
                return self._allocation(node, type_)
            case ast.Call() if node in self.typed.callees:
                (found,) = self.results(node)
                assert isinstance(found, arrays.Value)
                return found
            case _:
                return arrays.taken_apart(self.context, self.builder, type_, self.value(node))

    def held(self, node: ast.expr) -> Held:
        """What a variable would hold that is bound to an expression."""
        return self.array(node) if isinstance(self.typed.types[node], types.Array) else self.value(node)

    def value(self, node: ast.expr) -> ir.Value:
        """An expression's value."""
        match node:
            case ast.Name() | ast.Subscript() if isinstance(self.typed.types[node], types.Array) and node not in self.typed.outside:
                return self.array(node).whole(self.context, self.builder)
            case ast.Constant():
                return self.context.get_constant_generic(self.builder, self.typed.types[node], node.value)
            case ast.Name() | ast.Attribute() if node in self.typed.outside:
                return self.context.get_constant_generic(self.builder, self.typed.types[node], self.typed.outside[node])
            case ast.Name():
                return self.variables.value(node.id)
            case ast.Attribute(attr="shape", value=ast.Name()):
                shape = self.variables.array(node.value.id).shape  # type: ignore[attr-defined]
                return self.context.make_tuple(self.builder, self.typed.types[node], shape)
            case ast.Attribute(attr="data", value=ast.Attribute(attr="ctypes", value=ast.Name(id=name))):
                return self.builder.ptrtoint(self.variables.array(name).data, arrays.INT64)  # Numba's `ctypes` holds a reference, which nobody gives back here
            case ast.Attribute():
                of = self.typed.types[node.value]
                return self.context.get_getattr(of, node.attr)(self.context, self.builder, of, self.value(node.value), node.attr)
            case ast.Subscript(value=ast.Attribute(attr="shape", value=ast.Name())):
                return self.variables.array(node.value.value.id).shape[node.slice.value]  # type: ignore[attr-defined]
            case ast.Subscript():
                array, at = self.element(node)
                return self.loaded(node, array, at)
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int(exponent))) if isinstance(self.typed.types[node], types.Integer | types.Float):
                return self._power(node, exponent)
            case ast.BinOp(op=ast.FloorDiv() | ast.Mod()) if self._least_divisor(node) is not None:
                rest, least = isinstance(node.op, ast.Mod), self.least.of(node.left)
                return divided(
                    self.builder, self.value(node.left), self.value(node.right), rest=rest, rises=least is not None and least >= 0, zero=self._least_divisor(node) == 0,
                )
            case ast.BinOp():
                return self._operation(node, [node.left, node.right])
            case ast.UnaryOp() if is_least(node):
                return self.context.get_constant(types.int64, LEAST)
            case ast.UnaryOp():
                return self._operation(node, [node.operand])
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp():
                return self._bools(node)
            case ast.IfExp():
                return self._either(node)
            case ast.Call(func=ast.Attribute(value=ast.Call() as number, attr="view")) if node not in self.typed.operations:
                return self.builder.bitcast(self.value(number), self.context.get_value_type(self.typed.types[node]))
            case ast.Call():
                return self._call(node)
            case _:
                raise NotCovered(ast.unparse(node))

    def _operation(self, node: ast.expr, operands: list[ast.expr]) -> ir.Value:
        (operation,) = self.typed.operations[node]
        return self.apply(operation, [(self.typed.types[each], self.value(each)) for each in operands])

    def _least_divisor(self, node: ast.BinOp) -> int | None:
        """How small the divisor of an int64 by an int64 can be, where it is known not to be negative."""
        least = self.least.of(node.right)
        whole = all(self.typed.types[each] == types.int64 for each in (node, node.left, node.right))
        return least if whole and least is not None and least >= 0 else None

    def _power(self, node: ast.BinOp, exponent: int) -> ir.Value:
        """x ** 3: by squares, in Numba's order (`static_power_impl`)."""
        type_ = self.typed.types[node]
        multiplied = self.builder.mul if isinstance(type_, types.Integer) else self.builder.fmul
        square = self.context.cast(self.builder, self.value(node.left), self.typed.types[node.left], type_)
        result: ir.Value = square.type(1)
        while exponent:
            if exponent & 1:
                result = multiplied(result, square)
            exponent >>= 1
            square = multiplied(square, square)
        return result

    def apply(self, operation: Operation, operands: list[tuple[types.Type, ir.Value]]) -> ir.Value:
        """A function of Numba's, on values."""
        function, signature = operation
        wanted = signature.args if signature.recvr is None else (signature.recvr, *signature.args)
        if wanted and isinstance(wanted[-1], types.StarArgTuple | types.StarArgUniTuple):
            first = len(wanted) - 1
            rest = self.context.make_tuple(self.builder, wanted[-1], [value for _, value in operands[first:]])
            operands = [*operands[:first], (wanted[-1], rest)]
        values = [self.context.cast(self.builder, value, given, to) for (given, value), to in zip(operands, wanted, strict=True)]
        if operation.key is operator.truediv and set(wanted) <= {types.float64, types.float32} and not self.context.error_model.raise_on_fp_zero_division:
            return self.builder.fdiv(*values)  # Numba's, less a test whose two branches do the same
        if is_truth(operation.key, wanted):
            return truth(self.builder, wanted[0], values[0])
        of_floats = real_numbers.written(operation.key, wanted)
        if of_floats is not None:
            return of_floats(self.builder, values)
        own = written(operation.key, wanted)
        if own is not None:
            return own(self.builder, values, self.fail)
        if isinstance(function, types.ExternalFunction):
            described = ExternalFunctionDescriptor(function.symbol, signature.return_type, signature.args)
            declared = self.context.declare_external_function(self.builder.module, described)
            return self.context.call_external_function(self.builder, declared, described.argtypes, values)
        found = self.context.get_function(function, signature)(self.builder, values)
        return self.context.cast(self.builder, found, signature.return_type, operation.result)

    def loaded(self, node: ast.Subscript, array: arrays.Value, at: ir.Value) -> ir.Value:
        """The element there."""
        return arrays.load(self.context, self.builder, array, at, self._mark(node))

    def stored(self, node: ast.Subscript, array: arrays.Value, value: ir.Value, at: ir.Value) -> None:
        """Put an element there."""
        arrays.store(self.context, self.builder, array, value, at, self._mark(node))

    def _mark(self, node: ast.Subscript) -> arrays.Mark:
        assert isinstance(node.value, ast.Name)
        return partial(self.scopes.mark, name=node.value.id)

    def element(self, node: ast.Subscript) -> tuple[arrays.Value, ir.Value]:
        """The array, and where in it the element lies."""
        assert isinstance(node.value, ast.Name)
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        values, wraps = [], []
        for item in index:
            type_ = self.typed.types[item]
            values.append(self.context.cast(self.builder, self.value(item), type_, types.int64 if is_signed(type_) else types.uint64))
            least = self.least.of(item)
            wraps.append(is_signed(type_) and (least is None or least < 0))
        array = self.variables.array(node.value.id)
        return array, arrays.address(self.builder, array, tuple(values), tuple(wraps))

    def _compare(self, node: ast.Compare) -> ir.Value:
        operands = [(self.typed.types[each], self.value(each)) for each in (node.left, *node.comparators)]
        found = [
            self.apply(operation, [left, right])
            for operation, left, right in zip(self.typed.operations[node], operands, operands[1:], strict=False)
        ]
        result = found[0]
        for each in found[1:]:
            result = self.builder.and_(result, each)
        return result

    def _bools(self, node: ast.BoolOp) -> ir.Value:
        """`and` and `or`: what follows the deciding operand is not evaluated."""
        builder = self.builder
        is_and = isinstance(node.op, ast.And)
        end = self.function.append_basic_block("decided")
        found: list[tuple[ir.Value, ir.Block]] = []
        for value in node.values[:-1]:
            test = self.value(value)
            found.append((ir.Constant(ir.IntType(1), int(not is_and)), builder.block))
            following = self.function.append_basic_block("and" if is_and else "or")
            builder.cbranch(test, *((following, end) if is_and else (end, following)))
            builder.position_at_end(following)
        found.append((self.value(node.values[-1]), builder.block))
        return self._joined(end, ir.IntType(1), found)

    def _either(self, node: ast.IfExp) -> ir.Value:
        builder = self.builder
        type_ = self.typed.types[node]
        if node in self.typed.decided:
            taken = node.body if self.typed.decided[node] else node.orelse
            return self.context.cast(builder, self.value(taken), self.typed.types[taken], type_)
        then, orelse, end = (self.function.append_basic_block(part) for part in ("if_so", "if_not", "either"))
        builder.cbranch(self.value(node.test), then, orelse)
        found = []
        for block, value in ((then, node.body), (orelse, node.orelse)):
            builder.position_at_end(block)
            cast = self.context.cast(builder, self.value(value), self.typed.types[value], type_)
            found.append((cast, builder.block))
            if block is then:
                builder.branch(end)
        return self._joined(end, self.context.get_value_type(type_), found)

    def _joined(self, end: ir.Block, llvm: ir.Type, found: list[tuple[ir.Value, ir.Block]]) -> ir.Value:
        self.builder.branch(end)
        self.builder.position_at_end(end)
        result = self.builder.phi(llvm)
        for value, block in found:
            result.add_incoming(value, block)
        return result

    def _call(self, node: ast.Call) -> ir.Value:
        if node in self.typed.callees:
            return self._kernel(node)
        if node not in self.typed.operations:
            return self.array(node).whole(self.context, self.builder) if allocates(self.typed.outside[node.func]) else self._extremum(node)
        operands = list(node.args)
        (operation,) = self.typed.operations[node]
        if operation.signature.recvr is not None:
            assert isinstance(node.func, ast.Attribute)
            operands.insert(0, node.func.value)
        return self.apply(operation, [(self.typed.types[each], self.value(each)) for each in operands])

    def results(self, node: ast.Call) -> list[Held]:
        """What the call of a kernel gives, part by part."""
        callee = self.typed.callees[node]
        given: list[types.Type] = []
        values: list[ir.Value] = []
        for arg, type_ in zip(node.args, callee.args, strict=True):  # arrays by their parts, as they are passed
            held = self.held(arg)
            given.extend(arrays.passed_types(type_) if isinstance(type_, types.Array) else [type_])
            values.extend(arrays.passed(held) if isinstance(held, arrays.Value) else [held])
        kernel = self.declared(callee)
        room = kernel.args[0].type.pointee
        if str(room) not in self._rooms:
            self._rooms[str(room)] = cgutils.alloca_once(self.builder, room, zfill=False)
        place = self._rooms[str(room)]
        results.call(self.context, self.builder, kernel, place, given, values)
        return results.taken_back(self.context, self.builder, callee.result, place)

    def _kernel(self, node: ast.Call) -> ir.Value:
        """The same as one value."""
        found = [held.whole(self.context, self.builder) if isinstance(held, arrays.Value) else held for held in self.results(node)]
        type_ = self.typed.types[node]
        return self.context.make_tuple(self.builder, type_, found) if isinstance(type_, types.BaseTuple) else found[0]

    def _extremum(self, node: ast.Call) -> ir.Value:
        """max or min of two int64s."""
        first, second = map(self.value, node.args)
        return self.builder.select(self.builder.icmp_signed(">" if self.typed.outside[node.func] is max else "<", second, first), second, first)

    def _allocation(self, node: ast.Call, type_: types.Array) -> arrays.Value:
        lengths, negative = self.lengths(node)
        return self.begun(node, arrays.allocated(self.context, self.builder, type_, lengths, negative=negative))

    def begun(self, node: ast.Call, new: arrays.Value) -> arrays.Value:
        """A new array with what its function puts into it."""
        if self.typed.outside[node.func] is np.zeros:
            cgutils.memset(self.builder, new.data, self.builder.mul(new.items, new.itemsize), 0)
        return new

    def lengths(self, node: ast.Call) -> tuple[tuple[ir.Value, ...], tuple[bool, ...]]:
        """The lengths of a new array, and for each whether it may be negative."""
        lengths = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
        negative = tuple((least := self.least.of(length)) is None or least < 0 for length in lengths)
        return tuple(map(self.value, lengths)), negative
