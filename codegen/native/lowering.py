"""A kernel's syntax tree, its types known, as an LLVM function with Numba's calling convention.

    for i in range(n):                      i = phi [0, before], [next, end]
        y[i + 1] += x[i]        ->          …  load, load, fadd, store
                                            next = i + 1; br next < n

Numba's own way goes through bytecode, an intermediate form, inference by propagation and a lowering that writes for each
access a dozen instructions of which LLVM removes most: some 10 ms an access, and half of LLVM's time. The operations on numbers are Numba's here too.
"""
from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types

from s2s.codegen.native import arrays, results, stack
from s2s.codegen.native.aliasing import apart
from s2s.codegen.native.bounds import Least
from s2s.codegen.native.calling import taken
from s2s.codegen.native.expressions import Expressions
from s2s.codegen.native.failures import Failure, Failures, raise_known, raise_with
from s2s.codegen.native.inference import Typed
from s2s.codegen.native.operations import parts_of
from s2s.codegen.native.variables import Held, Variables
from s2s.codegen.runtime.small_products import AS_WRITTEN
from s2s.records import dataclass


@dataclass(frozen=True)
class _Around:
    """Where `continue` and `break` of the loop around lead."""

    again: ir.Block
    end: ir.Block


class Lowering:
    """One function's statements. `declared`: the LLVM function of each kernel that is called; `failures`: where its exceptions are told."""

    def __init__(self, context: Any, typed: Typed, function: ir.Function, declared: Callable[[Typed], ir.Function], failures: Failures) -> None:
        self.context, self.typed, self.function, self.failures = context, typed, function, failures
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.least = Least(typed.source)
        self.variables = Variables(context, self.builder, typed.source)
        self.expressions = Expressions(context, typed, self.builder, self.variables, self.least, declared, self._fail)
        self.own = stack.own_arrays(typed)
        self.as_written = typed.source.name in AS_WRITTEN
        """Whether its loops gain nothing by being written out, or as vectors."""
        self.around: list[_Around] = []
        self.line = 0
        self.by_numba = False
        """Whether Numba calls it, which asks for more of an array."""

    def run(self, *, by_numba: bool = False) -> Any:
        """Write the function, which Numba calls or another kernel; what tells the caller of its exceptions (`call_helper`)."""
        helper = self.context.call_conv.init_call_helper(self.builder)
        self.by_numba = by_numba
        alone = apart(self.typed)
        given = taken(self.context, self.builder, self.typed, by_numba=by_numba)
        for (name, held), type_ in zip(given.items(), self.typed.args, strict=True):
            if name in alone:
                held.data.add_attribute("noalias")
            known = self.typed.flags.get(name)
            self.variables.take(name, type_, held if known is None else self.context.get_constant(types.boolean, known))
        self.block(self.typed.source.tree.body)
        if not self.builder.block.is_terminated:
            self._leave(None)
        if self.typed.source.fastmath:
            _free(self.function, self.typed.source.fastmath)
        if self.typed.source.in_place:
            self.function.attributes.add("alwaysinline")
        return helper

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
            case ast.Expr(value=ast.Call() as call) if call in self.typed.callees:
                for held in self.expressions.results(call):
                    if isinstance(held, arrays.Value):
                        self.variables.dropped(held)
            case ast.Expr(value=ast.Call()):
                self._drop(self.typed.types[node.value], self.expressions.value(node.value))
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
            case ast.Name(), _ if target.id in self.own:
                self._own(target.id, value)
            case ast.Name(), _:
                owned = self._owned(value)
                self.least.bind(target.id, value)
                self.variables.assign(target.id, self.typed.types[value], owned)
            case ast.Subscript(), _:
                self._stored(target, self.typed.types[value], self.expressions.value(value))
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                found = [self._owned(each) for each in values]
                for one, each, item in zip(targets, values, found, strict=True):
                    self._bound(one, self.typed.types[each], item, each)
            case ast.Tuple(elts=targets), ast.Attribute(attr="shape", value=ast.Name() as array):
                for name, type_, length in zip(targets, parts_of(self.typed.types[value]), self.expressions.array(array).shape, strict=True):
                    self.least.length(name.id)  # type: ignore[attr-defined]
                    self.variables.assign(name.id, type_, length)  # type: ignore[attr-defined]
            case ast.Tuple(elts=targets), ast.Call() if value in self.typed.callees:
                for one, type_, held in zip(targets, parts_of(self.typed.types[value]), self.expressions.results(value), strict=True):
                    self._bound(one, type_, held)
            case ast.Tuple(elts=targets), _:
                whole = self.expressions.value(value)
                for number, (one, type_) in enumerate(zip(targets, parts_of(self.typed.types[value]), strict=True)):
                    part = self.builder.extract_value(whole, number)
                    self._bound(one, type_, arrays.taken_apart(self.context, self.builder, type_, part) if isinstance(type_, types.Array) else part)

    def _bound(self, target: ast.expr, type_: types.Type, held: Held, value: ast.expr | None = None) -> None:
        """One of several targets; `value`: the expression, where it has one of its own."""
        if isinstance(target, ast.Subscript):
            self._stored(target, type_, held)
            return
        assert isinstance(target, ast.Name)
        if value is not None:
            self.least.bind(target.id, value)
        self.variables.assign(target.id, type_, held)

    def _stored(self, target: ast.Subscript, type_: types.Type, value: ir.Value) -> None:
        array, at = self.expressions.element(target)
        self.expressions.stored(target, array, self.context.cast(self.builder, value, type_, array.type.dtype), at)

    def _own(self, name: str, node: ast.expr) -> None:
        """A new array that only this function holds."""
        assert isinstance(node, ast.Call)
        type_ = self.typed.types[node]
        lengths, negative = self.expressions.lengths(node)
        assert isinstance(type_, types.Array)
        array, on_stack = stack.allocated(self.context, self.builder, type_, lengths, negative=negative)
        self.expressions.begun(node, array)
        if on_stack:
            self.variables.lend(name, type_, array)
        else:
            self.variables.assign(name, type_, array)

    def _owned(self, node: ast.expr) -> Held:
        """A value; of an array that a variable holds, a reference more."""
        held = self.expressions.held(node)
        if isinstance(held, arrays.Value) and not isinstance(node, ast.Call):
            self.variables.owned(held)
        return held

    def _owned_value(self, node: ast.expr) -> ir.Value:
        """The same as one value."""
        held = self._owned(node)
        return held.whole(self.context, self.builder) if isinstance(held, arrays.Value) else held

    def _augmented(self, node: ast.AugAssign) -> None:
        (operation,) = self.typed.operations[node]
        right = (self.typed.types[node.value], self.expressions.value(node.value))
        if isinstance(node.target, ast.Name):
            name = node.target.id
            value = self.expressions.apply(operation, [(self.variables.type_of(name), self.variables.value(name)), right])
            self.variables.assign(name, operation.result, value)
            return
        assert isinstance(node.target, ast.Subscript)
        array, at = self.expressions.element(node.target)
        value = self.expressions.apply(operation, [(array.type.dtype, self.expressions.loaded(node.target, array, at)), right])
        self.expressions.stored(node.target, array, self.context.cast(self.builder, value, operation.result, array.type.dtype), at)

    def _leave(self, node: ast.expr | None) -> None:
        """Return; the function's own arrays are given up."""
        if node is None:
            self.variables.give_up()
            self.context.call_conv.return_value(self.builder, self.context.get_dummy_value())
            return
        if not isinstance(node, ast.Tuple) and isinstance(self.typed.result, types.BaseTuple):
            whole = self._owned_value(node)
            values: list[Held] = [self.builder.extract_value(whole, number) for number in range(len(self.typed.result))]
        else:
            values = [self._owned(item) for item in (node.elts if isinstance(node, ast.Tuple) else [node])]
        self.variables.give_up()
        results.give(self.context, self.builder, self.typed.result, values, whole=self.by_numba)

    def _told(self, exception: Any, known: tuple[Any, ...]) -> ir.Value:
        """Where an exception of this line is told, class and words."""
        source = self.typed.source
        return self.failures.told(self.context, self.builder, source, Failure(exception, known, source.name, self.line - source.tree.lineno))

    def _fail(self, exception: type[Exception], words: str) -> None:
        raise_known(self.context, self.builder, self._told(exception, (words,)))

    def _raise(self, error: ast.Call) -> None:
        known = tuple(arg.value if isinstance(arg, ast.Constant) else ... for arg in error.args)
        place = self._told(self.typed.outside[error.func], known)
        told = [arg for arg in error.args if not isinstance(arg, ast.Constant)]
        if not told:
            raise_known(self.context, self.builder, place)
            return
        found = [self.typed.types[arg] for arg in told]
        helper = self.failures.helper(self.context, self.builder.module, found)
        raise_with(self.context, self.builder, helper, place, [self.expressions.value(arg) for arg in told], found)

    # ---- control flow ---------------------------------------------------------------------------------------------------

    def _for(self, node: ast.For, name: str, bounds: list[ast.expr]) -> None:
        builder = self.builder
        first, last = (None, bounds[0]) if len(bounds) == 1 else bounds[:2]
        lo = arrays.INT64(0) if first is None else self.expressions.value(first)
        hi = self.expressions.value(last)
        known = _constant(bounds[2]) if len(bounds) == 3 else 1
        step = arrays.INT64(known) if known is not None else self._step(bounds[2])
        self.least.loop(name, first, last, known)
        body, again, end = (self.function.append_basic_block(f"{name}_{part}") for part in ("body", "again", "end"))
        before = builder.block
        builder.cbranch(self._runs(lo, hi, step, known), body, end)
        builder.position_at_end(body)
        index = builder.phi(arrays.INT64, name)
        index.add_incoming(lo, before)
        with self.variables.index(name, index, stays=name in self.least.indices):
            self._body(node, _Around(again, end))
        builder.position_at_end(again)
        following = builder.add(index, step, flags=("nsw",))
        index.add_incoming(following, again)
        back = builder.cbranch(self._runs(following, hi, step, known), body, end)
        if self.as_written:
            back.set_metadata("llvm.loop", _as_written(self.function.module))
        builder.position_at_end(end)

    def _body(self, node: ast.For | ast.While, around: _Around) -> None:
        """The statements of a loop; behind them the next trip."""
        self.around.append(around)
        with self.variables.inside():
            self.block(node.body)
        self.around.pop()
        if not self.builder.block.is_terminated:
            self.builder.branch(around.again)

    def _runs(self, index: ir.Value, hi: ir.Value, step: ir.Value, known: int | None) -> ir.Value:
        """Whether a loop's body runs for an index."""
        builder = self.builder
        if known is not None:
            return builder.icmp_signed("<" if known > 0 else ">", index, hi)
        rises = builder.icmp_signed(">", step, arrays.INT64(0))
        return builder.select(rises, builder.icmp_signed("<", index, hi), builder.icmp_signed(">", index, hi))

    def _step(self, node: ast.expr) -> ir.Value:
        """A step that is told at run time."""
        step = self.expressions.value(node)
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
            builder.cbranch(self.expressions.value(node.test), body, end)
        builder.position_at_end(body)
        self._body(node, _Around(head, end))
        builder.position_at_end(end)

    def _if(self, node: ast.If) -> None:
        if node in self.typed.decided:
            self.block(node.body if self.typed.decided[node] else node.orelse)
            return
        builder = self.builder
        then, orelse, end = (self.function.append_basic_block(part) for part in ("then", "else", "end_if"))
        test = self.expressions.value(node.test)
        branch = builder.cbranch(test, then, orelse if node.orelse else end)
        if isinstance(node.body[-1], ast.Raise):
            branch.set_weights([1, 99])
        reached = not node.orelse
        with self.variables.inside():
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


def _as_written(module: ir.Module) -> ir.MDValue:
    """What says of one loop that LLVM is to leave it as it is; the first of its operands is itself."""
    asked = [module.add_metadata([text]) for text in ("llvm.loop.unroll.disable",)]
    asked.append(module.add_metadata(["llvm.loop.vectorize.enable", ir.IntType(1)(0)]))
    loop = ir.MDValue(module, asked, name=str(len(module.metadata)))
    loop.operands = (loop, *loop.operands)
    return loop


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
