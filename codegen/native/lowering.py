"""A kernel's syntax tree, its types known, as an LLVM function with Numba's calling convention.

    for i in range(n):                      i = phi [0, before], [next, end]
        y[i + 1] += x[i]        ->          …  load, load, fadd, store
                                            next = i + 1; br next < n

Numba's own way goes through bytecode, an intermediate form, inference by propagation and a lowering that writes for each
access a dozen instructions of which LLVM removes most: some 10 ms an access, and half of LLVM's time. The operations on numbers are Numba's here too.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core import ir as numba_ir
from numba.core.funcdesc import ExternalFunctionDescriptor

from s2s.codegen.native import arrays
from s2s.codegen.native.bounds import Least
from s2s.codegen.native.inference import Typed
from s2s.codegen.native.operations import Operation, is_signed, parts_of
from s2s.codegen.native.source import NotCovered


class _Place(numba_ir.Loc):
    """A line of the module; Numba's own would look for the function's name in the file, line by line."""

    def _raw_function_name(self) -> None:
        return None


@dataclass(frozen=True)
class _Around:
    """Where `continue` and `break` of the loop around lead."""

    again: ir.Block
    end: ir.Block


class Lowering:
    """One function. `declared`: the LLVM function of each kernel that is called."""

    def __init__(self, context: Any, typed: Typed, function: ir.Function, declared: Callable[[Typed], ir.Function]) -> None:
        self.context, self.typed, self.function, self.declared = context, typed, function, declared
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.least = Least(typed.source.tree)
        self.slots: dict[tuple[str, types.Type], ir.Value] = {}
        self.current: dict[str, types.Type] = {}
        """The type that each variable has here."""
        self.fixed: dict[str, arrays.Value] = {}
        """Arrays whose variable is bound once, where everything follows."""
        self.indices: dict[str, ir.Value] = {}
        """The loops' indices here."""
        self.around: list[_Around] = []
        self.depth = 0
        """How many loops and branches are around."""
        self.line = 0
        stores = [node.id for node in ast.walk(typed.source.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        self.bound_once = {name for name in stores if stores.count(name) == 1} - set(typed.source.params)
        self.rebound = set(stores)

    def run(self) -> Any:
        """Write the function; what tells the caller of its exceptions (`call_helper`)."""
        helper = self.context.call_conv.init_call_helper(self.builder)
        values = self.context.call_conv.decode_arguments(self.builder, self.typed.args, self.function)
        for name, type_, value in zip(self.typed.source.params, self.typed.args, values, strict=True):
            self.current[name] = type_
            if isinstance(type_, types.Array) and name not in self.rebound:
                self.fixed[name] = arrays.taken_apart(self.context, self.builder, type_, value)
                continue
            if isinstance(type_, types.Array):
                self.context.nrt.incref(self.builder, type_, value)
            self.builder.store(value, self._slot(name, type_))
        self.block(self.typed.source.tree.body)
        if not self.builder.block.is_terminated:
            self._leave(None)
        if self.typed.source.fastmath:
            _free(self.function, self.typed.source.fastmath)
        return helper

    # ---- variables ------------------------------------------------------------------------------------------------------

    def _slot(self, name: str, type_: types.Type) -> ir.Value:
        """The place of a variable on the stack, which LLVM makes a register."""
        if (name, type_) not in self.slots:
            llvm = self.context.get_value_type(type_)
            self.slots[name, type_] = cgutils.alloca_once(self.builder, llvm, name=name)  # zero where the function starts
        return self.slots[name, type_]

    def _assign(self, name: str, type_: types.Type, value: ir.Value) -> None:
        """Bind a variable; an array comes with a reference of its own."""
        self.indices.pop(name, None)
        self.current[name] = type_
        if not isinstance(type_, types.Array):
            self.builder.store(value, self._slot(name, type_))
            return
        slot = self._slot(name, type_)
        old = self.builder.load(slot)
        self.builder.store(value, slot)
        self.context.nrt.decref(self.builder, type_, old)
        if name in self.bound_once and self.depth == 0:  # all that follows in the function runs after it
            self.fixed[name] = arrays.taken_apart(self.context, self.builder, type_, value)

    def _array(self, name: str) -> arrays.Value:
        if name in self.fixed:
            return self.fixed[name]
        type_ = self.current[name]
        assert isinstance(type_, types.Array)
        return arrays.taken_apart(self.context, self.builder, type_, self.builder.load(self._slot(name, type_)))

    # ---- statements -----------------------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if self.builder.block.is_terminated:
                return  # nothing runs behind a raise
            self.line = statement.lineno
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target]):
                self._assignment(target, node.value)
            case ast.AugAssign():
                self._augmented(node)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds)):
                self._for(node, name, bounds)
            case ast.While():
                self._while(node)
            case ast.If():
                self._if(node)
            case ast.Raise(exc=ast.Call() as error):
                self._raise(error)
            case ast.Return():
                self._leave(node.value)
            case ast.Expr(value=ast.Call()):
                self._drop(self.typed.types[node.value], self.value(node.value))
            case ast.Break():
                self.builder.branch(self.around[-1].end)
            case ast.Continue():
                self.builder.branch(self.around[-1].again)
            case _:
                pass  # what inference let pass: a docstring, pass

    def _drop(self, type_: types.Type, value: ir.Value) -> None:
        """A result that nothing takes."""
        if isinstance(type_, types.BaseTuple):
            for part, each in enumerate(parts_of(type_)):
                if isinstance(each, types.Array):
                    self.context.nrt.decref(self.builder, each, self.builder.extract_value(value, part))
        if isinstance(type_, types.Array):
            self.context.nrt.decref(self.builder, type_, value)

    def _assignment(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(), _:
                owned = self._owned(value)
                self.least.bind(target.id, value)
                self._assign(target.id, self.typed.types[value], owned)
            case ast.Subscript(), _:
                given = self.value(value)
                array, at = self._element(target)
                cast = self.context.cast(self.builder, given, self.typed.types[value], array.type.dtype)
                arrays.store(self.context, self.builder, array, cast, at)
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                found = [self._owned(each) for each in values]
                for name, each, item in zip(targets, values, found, strict=True):
                    self.least.bind(name.id, each)  # type: ignore[attr-defined]
                    self._assign(name.id, self.typed.types[each], item)  # type: ignore[attr-defined]
            case ast.Tuple(elts=targets), _:
                whole = self.value(value)
                for number, (name, type_) in enumerate(zip(targets, parts_of(self.typed.types[value]), strict=True)):
                    if isinstance(value, ast.Attribute) and value.attr == "shape":
                        self.least.length(name.id)  # type: ignore[attr-defined]
                    self._assign(name.id, type_, self.builder.extract_value(whole, number))  # type: ignore[attr-defined]

    def _owned(self, node: ast.expr) -> ir.Value:
        """A value; of an array that a variable holds, a reference more."""
        value = self.value(node)
        type_ = self.typed.types[node]
        if isinstance(type_, types.Array) and not isinstance(node, ast.Call):
            self.context.nrt.incref(self.builder, type_, value)
        return value

    def _augmented(self, node: ast.AugAssign) -> None:
        (operation,) = self.typed.operations[node]
        right = (self.typed.types[node.value], self.value(node.value))
        if isinstance(node.target, ast.Name):
            name = node.target.id
            value = self._apply(operation, [(self.current[name], self._variable(name)), right])
            self._assign(name, operation.result, value)
            return
        assert isinstance(node.target, ast.Subscript)
        array, at = self._element(node.target)
        value = self._apply(operation, [(array.type.dtype, arrays.load(self.context, self.builder, array, at)), right])
        arrays.store(self.context, self.builder, array, self.context.cast(self.builder, value, operation.result, array.type.dtype), at)

    def _leave(self, node: ast.expr | None) -> None:
        """Return; the function's own arrays are given up."""
        value = None
        if isinstance(node, ast.Tuple):
            parts = [self._owned(item) for item in node.elts]
            value = self.context.make_tuple(self.builder, self.typed.result, parts)
        elif node is not None:
            value = self._owned(node)
        for (_, type_), slot in self.slots.items():
            if isinstance(type_, types.Array):
                self.context.nrt.decref(self.builder, type_, self.builder.load(slot))
        if value is None:
            self.context.call_conv.return_value(self.builder, self.context.get_dummy_value())
        else:
            self.context.call_conv.return_value(self.builder, self.context.get_return_value(self.builder, self.typed.result, value))

    def _raise(self, error: ast.Call) -> None:
        exception = self.typed.outside[error.func]
        place = _Place(self.typed.source.file, self.line)
        name = self.typed.source.tree.name
        if all(isinstance(arg, ast.Constant) for arg in error.args):
            known = tuple(arg.value for arg in error.args)  # type: ignore[attr-defined]
            self.context.call_conv.return_user_exc(self.builder, exception, known, loc=place, func_name=name)
            return
        values = tuple(arg.value if isinstance(arg, ast.Constant) else self.value(arg) for arg in error.args)
        found = tuple(None if isinstance(arg, ast.Constant) else self.typed.types[arg] for arg in error.args)
        self.context.call_conv.return_dynamic_user_exc(self.builder, exception, values, found, loc=place, func_name=name)

    # ---- control flow ---------------------------------------------------------------------------------------------------

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """Statements that may not run, or run often."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def _for(self, node: ast.For, name: str, bounds: list[ast.expr]) -> None:
        builder = self.builder
        first, last = (None, bounds[0]) if len(bounds) == 1 else bounds[:2]
        lo = arrays.INT64(0) if first is None else self.value(first)
        hi = self.value(last)
        known = _constant(bounds[2]) if len(bounds) == 3 else 1
        step = arrays.INT64(known) if known is not None else self._step(bounds[2])
        self.least.loop(name, first, last, known)
        body, again, end = (self.function.append_basic_block(f"{name}_{part}") for part in ("body", "again", "end"))
        before = builder.block
        builder.cbranch(self._runs(lo, hi, step, known), body, end)
        builder.position_at_end(body)
        index = builder.phi(arrays.INT64, name)
        index.add_incoming(lo, before)
        outer = dict(self.indices)
        self._assign(name, types.int64, index)
        if name in self.least.indices:
            self.indices[name] = index
        self.around.append(_Around(again, end))
        with self._inside():
            self.block(node.body)
        self.around.pop()
        if not builder.block.is_terminated:
            builder.branch(again)
        builder.position_at_end(again)
        following = builder.add(index, step, flags=("nsw",))
        index.add_incoming(following, again)
        builder.cbranch(self._runs(following, hi, step, known), body, end)
        builder.position_at_end(end)
        self.indices = outer
        self.indices.pop(name, None)

    def _runs(self, index: ir.Value, hi: ir.Value, step: ir.Value, known: int | None) -> ir.Value:
        """Whether a loop's body runs for an index."""
        builder = self.builder
        if known is not None:
            return builder.icmp_signed("<" if known > 0 else ">", index, hi)
        rises = builder.icmp_signed(">", step, arrays.INT64(0))
        return builder.select(rises, builder.icmp_signed("<", index, hi), builder.icmp_signed(">", index, hi))

    def _step(self, node: ast.expr) -> ir.Value:
        """A step that is told at run time."""
        step = self.value(node)
        with self.builder.if_then(self.builder.icmp_signed("==", step, arrays.INT64(0)), likely=False):
            self.context.call_conv.return_user_exc(self.builder, ValueError, ("range() arg 3 must not be zero",))
        return step

    def _while(self, node: ast.While) -> None:
        builder = self.builder
        head, body, end = (self.function.append_basic_block(f"while_{part}") for part in ("head", "body", "end"))
        builder.branch(head)
        builder.position_at_end(head)
        endless = isinstance(node.test, ast.Constant) and node.test.value is True
        if endless:
            builder.branch(body)
        else:
            builder.cbranch(self.value(node.test), body, end)
        builder.position_at_end(body)
        self.around.append(_Around(head, end))
        with self._inside():
            self.block(node.body)
        self.around.pop()
        if not builder.block.is_terminated:
            builder.branch(head)
        builder.position_at_end(end)

    def _if(self, node: ast.If) -> None:
        builder = self.builder
        then, orelse, end = (self.function.append_basic_block(part) for part in ("then", "else", "end_if"))
        test = self.value(node.test)
        branch = builder.cbranch(test, then, orelse if node.orelse else end)
        if isinstance(node.body[-1], ast.Raise):
            branch.set_weights([1, 99])
        reached = not node.orelse
        with self._inside():
            for block, body in ((then, node.body), (orelse, node.orelse)):
                builder.position_at_end(block)
                self.block(body)
                if not builder.block.is_terminated and (body or block is then):
                    builder.branch(end)
                    reached = True
        if not node.orelse:
            self.function.blocks.remove(orelse)
        builder.position_at_end(end)
        if not reached:
            builder.unreachable()

    # ---- expressions ----------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> ir.Value:
        """An expression's value."""
        match node:
            case ast.Constant():
                return self.context.get_constant_generic(self.builder, self.typed.types[node], node.value)
            case ast.Name() | ast.Attribute() if node in self.typed.outside:
                return self.context.get_constant_generic(self.builder, self.typed.types[node], self.typed.outside[node])
            case ast.Name():
                return self._variable(node.id)
            case ast.Attribute(attr="shape", value=ast.Name()):
                shape = self._array(node.value.id).shape  # type: ignore[attr-defined]
                return self.context.make_tuple(self.builder, self.typed.types[node], shape)
            case ast.Attribute(attr="data", value=ast.Attribute(attr="ctypes", value=ast.Name(id=name))):
                return self.builder.ptrtoint(self._array(name).data, arrays.INT64)  # Numba's `ctypes` holds a reference, which nobody gives back here
            case ast.Attribute():
                of = self.typed.types[node.value]
                return self.context.get_getattr(of, node.attr)(self.context, self.builder, of, self.value(node.value), node.attr)
            case ast.Subscript(value=ast.Attribute(attr="shape", value=ast.Name())):
                return self._array(node.value.value.id).shape[node.slice.value]  # type: ignore[attr-defined]
            case ast.Subscript():
                array, at = self._element(node)
                type_ = self.typed.types[node]
                if isinstance(type_, types.Array):
                    return arrays.row(self.context, self.builder, array, type_, at)
                return arrays.load(self.context, self.builder, array, at)
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int(exponent))) if isinstance(self.typed.types[node], types.Integer | types.Float):
                return self._power(node, exponent)
            case ast.BinOp():
                return self._operation(node, [node.left, node.right])
            case ast.UnaryOp():
                return self._operation(node, [node.operand])
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp():
                return self._bools(node)
            case ast.IfExp():
                return self._either(node)
            case ast.Call():
                return self._call(node)
            case _:
                raise NotCovered(ast.unparse(node))

    def _variable(self, name: str) -> ir.Value:
        if name in self.indices:
            return self.indices[name]
        if name in self.fixed:
            return self.fixed[name].whole
        return self.builder.load(self._slot(name, self.current[name]))

    def _operation(self, node: ast.expr, operands: list[ast.expr]) -> ir.Value:
        (operation,) = self.typed.operations[node]
        return self._apply(operation, [(self.typed.types[each], self.value(each)) for each in operands])

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

    def _apply(self, operation: Operation, operands: list[tuple[types.Type, ir.Value]]) -> ir.Value:
        """A function of Numba's, on values."""
        function, signature = operation
        wanted = signature.args if signature.recvr is None else (signature.recvr, *signature.args)
        if wanted and isinstance(wanted[-1], types.StarArgTuple | types.StarArgUniTuple):
            first = len(wanted) - 1
            rest = self.context.make_tuple(self.builder, wanted[-1], [value for _, value in operands[first:]])
            operands = [*operands[:first], (wanted[-1], rest)]
        values = [self.context.cast(self.builder, value, given, to) for (given, value), to in zip(operands, wanted, strict=True)]
        if isinstance(function, types.ExternalFunction):
            described = ExternalFunctionDescriptor(function.symbol, signature.return_type, signature.args)
            declared = self.context.declare_external_function(self.builder.module, described)
            return self.context.call_external_function(self.builder, declared, described.argtypes, values)
        found = self.context.get_function(function, signature)(self.builder, values)
        return self.context.cast(self.builder, found, signature.return_type, operation.result)

    def _element(self, node: ast.Subscript) -> tuple[arrays.Value, ir.Value]:
        """The array, and where in it the element lies."""
        assert isinstance(node.value, ast.Name)
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        values, wraps = [], []
        for item in index:
            type_ = self.typed.types[item]
            values.append(self.context.cast(self.builder, self.value(item), type_, types.int64 if is_signed(type_) else types.uint64))
            least = self.least.of(item)
            wraps.append(is_signed(type_) and (least is None or least < 0))
        array = self._array(node.value.id)
        return array, arrays.address(self.builder, array, tuple(values), tuple(wraps))

    def _compare(self, node: ast.Compare) -> ir.Value:
        operands = [(self.typed.types[each], self.value(each)) for each in (node.left, *node.comparators)]
        found = [
            self._apply(operation, [left, right])
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
            return self._kernel(node, self.typed.callees[node])
        if node not in self.typed.operations:
            return self._allocation(node) if self.typed.outside[node.func] is np.empty else self._extremum(node)
        operands = list(node.args)
        (operation,) = self.typed.operations[node]
        if operation.signature.recvr is not None:
            assert isinstance(node.func, ast.Attribute)
            operands.insert(0, node.func.value)
        return self._apply(operation, [(self.typed.types[each], self.value(each)) for each in operands])

    def _kernel(self, node: ast.Call, callee: Typed) -> ir.Value:
        values = [self.value(arg) for arg in node.args]
        status, result = self.context.call_conv.call_function(self.builder, self.declared(callee), callee.result, callee.args, values)
        with cgutils.if_unlikely(self.builder, status.is_error):
            self.context.call_conv.return_status_propagate(self.builder, status)
        return result

    def _extremum(self, node: ast.Call) -> ir.Value:
        """max or min of two int64s."""
        first, second = map(self.value, node.args)
        return self.builder.select(self.builder.icmp_signed(">" if self.typed.outside[node.func] is max else "<", second, first), second, first)

    def _allocation(self, node: ast.Call) -> ir.Value:
        lengths = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
        negative = tuple((least := self.least.of(length)) is None or least < 0 for length in lengths)
        type_ = self.typed.types[node]
        assert isinstance(type_, types.Array)
        return arrays.allocated(self.context, self.builder, type_, tuple(map(self.value, lengths)), negative=negative)


def _constant(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)) if value:
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if value:
            return -value
        case _:
            return None


_FLOATS = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem", "fcmp"})


def _free(function: ir.Function, flags: frozenset[str]) -> None:
    """Let LLVM take liberties with the floats of a function, as Numba does with `fastmath`."""
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opname in _FLOATS and not instruction.flags:
                instruction.flags.extend(sorted(flags))
            elif instruction.opname == "call" and instruction.type in (ir.FloatType(), ir.DoubleType()):
                instruction.fastmath.update(flags)
