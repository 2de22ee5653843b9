"""The types in a kernel: one pass over its syntax tree, in the order in which it runs.

A variable has one type at a point of the text. Where two paths would give it two, or something else than the statements of kernels is met,
`NotCovered` is raised: Numba's own inference takes the function.
"""
from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher

from s2s.codegen.native.flags import NO_FLAGS, Flags, decided, flags_given
from s2s.codegen.native.operations import Operation, Operations, parts_of
from s2s.codegen.native.source import NotCovered, Source, is_least
from s2s.records import dataclass, field

OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


_BITS: dict[Any, Any] = {np.int64: types.int64, np.int32: types.int32, np.float64: types.float64, np.float32: types.float32, np.int16: types.int16, np.float16: types.float16}
"""The types as which the bits of a number are seen."""


@dataclass
class Typed:
    """A function for arguments of given types. `types`: of each expression; `operations`: what each operator or call is;
    `callees`: the kernels that are called; `outside`: the objects that names and attributes stand for.
    """

    source: Source
    args: tuple[types.Type, ...]
    result: types.Type = types.none
    types: dict[ast.expr, types.Type] = field(default_factory=dict)
    operations: dict[ast.AST, tuple[Operation, ...]] = field(default_factory=dict)
    callees: dict[ast.Call, Typed] = field(default_factory=dict)
    outside: dict[ast.expr, Any] = field(default_factory=dict)
    flags: Flags = field(default_factory=dict)
    """Parameters that are known to be True or False."""
    decided: dict[ast.AST, bool] = field(default_factory=dict)
    """The branches whose tests follow from them."""


Sources = Callable[[Dispatcher], Source | None]
"""The text of a compiled function, where it is one of ours."""


def allocates(function: Any) -> bool:
    """Whether it makes a new array by its lengths and a dtype."""
    return function is np.empty or function is np.zeros


class Program:
    """The functions of a program, each once for each of its types of arguments."""

    def __init__(self, operations: Operations, sources: Sources) -> None:
        self.operations, self.sources = operations, sources
        self._found: dict[tuple[int, tuple[types.Type, ...], tuple[tuple[str, bool], ...]], Typed | None] = {}

    def typed(self, source: Source, args: tuple[types.Type, ...], flags: Flags = NO_FLAGS) -> Typed:
        """A function for these types of arguments, where some are known to be True or False."""
        key = (id(source.tree), args, tuple(flags.items()))
        if key not in self._found:
            self._found[key] = None
            self._found[key] = _Inference(self, source, args, flags).run()
        found = self._found[key]
        if found is None:
            raise NotCovered("recursion")
        return found


class _Inference:
    """One function's types in the making."""

    def __init__(self, program: Program, source: Source, args: tuple[types.Type, ...], flags: Flags) -> None:
        self.program, self.operations, self.source = program, program.operations, source
        self.typed = Typed(source, args, flags=flags)
        self.env: dict[str, types.Type] = dict(zip(source.params, args, strict=True))
        self.local = {*self.env, *source.stores}
        self.results: list[types.Type] = []

    def run(self) -> Typed:
        """All types."""
        for type_ in self.env.values():
            _known(type_)
        self.block(self.source.tree.body)
        if len(set(self.results)) > 1 or self.results and not isinstance(self.source.tree.body[-1], ast.Return):
            raise NotCovered("results of several types")
        self.typed.result = self.results[0] if self.results else types.none
        return self.typed

    # ---- statements -----------------------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target]):
                self._assign(target, node.value)
            case ast.AugAssign(target=ast.Name() | ast.Subscript()):
                old = self._element(node.target) if isinstance(node.target, ast.Subscript) else self._name(node.target)
                operation = self.operations.typed(_operator(node.op), (old, self.of(node.value)))
                self.typed.operations[node] = (operation,)
                if isinstance(node.target, ast.Name):
                    self.env[node.target.id] = operation.result
                elif not self.operations.converts(operation.result, old):
                    raise NotCovered(f"{operation.result} stored as {old}")
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=bounds, keywords=[])) if "range" not in self.local:
                if any(self.of(bound) != types.int64 for bound in bounds) or node.orelse:
                    raise NotCovered("a range of other numbers than int64")
                self._branches([node.body], self._bound({name: types.int64}))
            case ast.While() if not node.orelse:
                self._test(node.test)
                self._branches([node.body], {})
            case ast.If():
                taken = self._decided(node)
                if taken is not None:
                    self.block(node.body if taken else node.orelse)
                    return
                self._test(node.test)
                self._branches([node.body, node.orelse], {})
            case ast.Raise(exc=ast.Call(func=ast.Name() | ast.Attribute() as error, args=args, keywords=[]), cause=None):
                self.outside(error)
                for arg in args:
                    if not isinstance(arg, ast.Constant) and not isinstance(self.of(arg), types.Number | types.Boolean):
                        raise NotCovered("an argument of an exception")
            case ast.Return():
                self.results.append(types.none if node.value is None else self.of(node.value))
            case ast.Expr(value=ast.Call()):
                self.of(node.value)
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass() | ast.Break() | ast.Continue():
                pass
            case _:
                raise NotCovered(ast.unparse(node))

    def _bound(self, names: dict[str, types.Type]) -> dict[str, types.Type]:
        for name, type_ in names.items():
            if self.env.get(name, type_) != type_:
                raise NotCovered(f"{name} of two types")
        return names

    def _branches(self, bodies: list[list[ast.stmt]], bound: dict[str, types.Type]) -> None:
        """Blocks of which each may run or not: a variable has one type before and after."""
        before = {**self.env, **bound}
        after: dict[str, types.Type] = dict(before)
        for body in bodies:
            self.env = dict(before)
            self.block(body)
            for name, type_ in self.env.items():
                held = after.setdefault(name, type_)
                if held is not type_ and held != type_ and not _leaves(body):  # Numba compares types slowly
                    raise NotCovered(f"{name} of two types")
        self.env = after

    def _decided(self, node: ast.If | ast.IfExp) -> bool | None:
        """Which branch is taken, where that is known."""
        known = decided(node.test, self.typed.flags) if self.typed.flags else None
        if known is not None:
            self.typed.decided[node] = known
        return known

    def _test(self, node: ast.expr) -> None:
        if self.of(node) != types.boolean:
            raise NotCovered(f"{ast.unparse(node)} as a test")

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(), _:
                self.env[target.id] = _known(self.of(value))
            case ast.Subscript(), _:
                self._stored(target, self.of(value))
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                found = [_known(self.of(each)) for each in values]
                self._bind(targets, found)
            case ast.Tuple(elts=targets), _:
                whole = self.of(value)
                if not isinstance(whole, types.BaseTuple) or len(whole) != len(targets):
                    raise NotCovered("several targets")
                self._bind(targets, [_known(each) for each in parts_of(whole)])
            case _:
                raise NotCovered(ast.unparse(target))

    def _bind(self, targets: list[ast.expr], found: list[types.Type]) -> None:
        for target, type_ in zip(targets, found, strict=True):
            match target:
                case ast.Name():
                    self.env[target.id] = type_
                case ast.Subscript():
                    self._stored(target, type_)
                case _:
                    raise NotCovered("several targets")

    def _stored(self, target: ast.expr, given: types.Type) -> None:
        element = self._element(target)
        if not self.operations.converts(given, element):
            raise NotCovered(f"{given} stored as {element}")

    # ---- expressions ----------------------------------------------------------------------------------------------------

    def of(self, node: ast.expr) -> types.Type:
        """The type of an expression."""
        if node in self.typed.types:
            raise NotCovered("a node twice")
        found: types.Type = types.unliteral(self._of(node))
        self.typed.types[node] = found
        return found

    def _of(self, node: ast.expr) -> types.Type:
        match node:
            case ast.Constant(value=bool() | int() | float() | complex()):
                return self.operations.type_of(node.value)
            case ast.Name():
                return self._name(node) if node.id in self.local else self.operations.type_of(self.outside(node))
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=int())):
                self.of(node.value)
                return types.int64
            case ast.Subscript():
                return self._element(node, rows=True)
            case ast.BinOp():
                two = (self.of(node.left), self.of(node.right))
                return self._operation(node, ((_operator(node.op), two),))
            case ast.UnaryOp() if is_least(node):
                return types.int64
            case ast.UnaryOp():
                return self._operation(node, ((_operator(node.op), (self.of(node.operand),)),))
            case ast.Compare():
                operands = tuple(map(self.of, (node.left, *node.comparators)))
                if len(operands) > 2 and any(isinstance(inner, ast.Subscript) for each in node.comparators[1:] for inner in ast.walk(each)):
                    raise NotCovered("an element in a chain of comparisons")
                pairs = zip(node.ops, pairwise(operands), strict=True)
                if self._operation(node, tuple((_operator(op), pair) for op, pair in pairs)) != types.boolean:
                    raise NotCovered("a comparison that is no bool")
                return types.boolean
            case ast.BoolOp():
                if any(self.of(value) != types.boolean for value in node.values):
                    raise NotCovered(ast.unparse(node))
                return types.boolean
            case ast.IfExp():
                if self._decided(node) is None:
                    self._test(node.test)
                return self._either(self.of(node.body), self.of(node.orelse))
            case ast.Call():
                return self._call(node)
            case ast.Tuple():
                return types.Tuple(tuple(map(self.of, node.elts)))
            case _:
                raise NotCovered(ast.unparse(node))

    def _name(self, node: ast.expr) -> types.Type:
        assert isinstance(node, ast.Name)
        if node.id not in self.env:
            raise NotCovered(f"{node.id} may be unbound")
        return self.env[node.id]

    def _either(self, first: types.Type, second: types.Type) -> types.Type:
        if first == second:
            return first
        found: types.Type | None = self.operations.context.unify_types(first, second)
        if found is None or not isinstance(found, types.Number | types.Boolean):
            raise NotCovered(f"{first} or {second}")
        return found

    def _operation(self, node: ast.expr, calls: tuple[tuple[Any, tuple[types.Type, ...]], ...]) -> types.Type:
        found = tuple(self.operations.typed(function, operands) for function, operands in calls)
        self.typed.operations[node] = found
        return found[0].result

    def _attribute(self, node: ast.Attribute) -> types.Type:
        if self._is_outside(node):
            return self.operations.type_of(self.outside(node))
        match node:
            case ast.Attribute(attr="data", value=ast.Attribute(attr="ctypes", value=ast.Name() as array)):
                return self.operations.attribute(self.operations.attribute(self.of(array), "ctypes"), "data")
            case _:
                of = self.of(node.value)
        if isinstance(of, types.Array) and node.attr not in {"shape", "dtype", "itemsize"}:
            raise NotCovered(ast.unparse(node))  # what hands out a reference of its own
        return self.operations.attribute(of, node.attr)

    def _element(self, node: ast.expr, *, rows: bool = False) -> types.Type:
        """An element of an array, by as many integers as it has axes; with fewer of them, where `rows` may be, the array that lies there."""
        assert isinstance(node, ast.Subscript)
        array = self.of(node.value)
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not isinstance(node.value, ast.Name) or not isinstance(array, types.Array) or not (array.ndim == len(index) or rows and array.ndim > len(index)):
            raise NotCovered(ast.unparse(node))
        if isinstance(node.ctx, ast.Store) and not array.mutable:
            raise NotCovered("a store into an array that is read only")
        if any(not isinstance(self.of(item), types.Integer) for item in index):
            raise NotCovered(ast.unparse(node))
        if array.ndim > len(index):
            return types.Array(array.dtype, array.ndim - len(index), "C", readonly=not array.mutable)
        element: types.Type = array.dtype
        return element

    def _call(self, node: ast.Call) -> types.Type:
        seen = self._seen_as(node)
        if seen is not None:
            return seen
        if isinstance(node.func, ast.Attribute) and not self._is_outside(node.func):  # a method: np.float64(x).view(np.int64)
            bound = self.operations.attribute(self.of(node.func.value), node.func.attr)
            operation = self.operations.of_type(bound, self._arguments(node))
            self.typed.operations[node] = (operation,)
            return operation.result
        function = self.outside(node.func)
        if allocates(function):
            return self._allocated(node)
        arguments = self._arguments(node)
        source = self.program.sources(function) if isinstance(function, Dispatcher) else None
        if source is not None:
            with suppress(NotCovered):  # then Numba compiles it, and it is called as Numba's functions are
                callee = self.program.typed(source, arguments, flags_given(source, node.args, self.typed.flags))
                self.typed.callees[node] = callee
                return callee.result
        if function in (max, min) and arguments == (types.int64, types.int64):
            return types.int64
        return self._operation(node, ((function, arguments),))

    def _seen_as(self, node: ast.Call) -> types.Type | None:
        """A number's bits as a number of another type of the same size: np.float64(x).view(np.int64)."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Call() as number, attr="view"), args=[ast.Attribute() as kind], keywords=[]):
                wanted = _BITS.get(self.outside(kind)) if self._is_outside(kind) else None
                if wanted is None or not self._is_outside(number.func) or _BITS.get(self.outside(number.func)) is None:
                    return None
                of = self.of(number)
                if not isinstance(of, types.Integer | types.Float) or of.bitwidth != wanted.bitwidth:  # type: ignore[union-attr]
                    raise NotCovered(ast.unparse(node))
                return wanted
            case _:
                return None

    def _arguments(self, node: ast.Call) -> tuple[types.Type, ...]:
        if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise NotCovered(ast.unparse(node))
        return tuple(map(self.of, node.args))

    def _allocated(self, node: ast.Call) -> types.Type:
        """np.empty(lengths, dtype), np.zeros(lengths, dtype)."""
        if not 1 <= len(node.args) <= 2 or node.keywords:
            raise NotCovered(ast.unparse(node))
        lengths = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
        if any(self.of(length) != types.int64 for length in lengths):
            raise NotCovered(ast.unparse(node))
        dtype: types.Type = types.float64
        if len(node.args) == 2:
            given = self.of(node.args[1])
            if not isinstance(given, types.DTypeSpec):
                raise NotCovered(ast.unparse(node))
            dtype = given.dtype
        return _known(types.Array(dtype, len(lengths), "C"))

    def _is_outside(self, node: ast.expr) -> bool:
        """Whether an expression is an object of the module, or a part of one: np.inf."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id not in self.local

    def outside(self, node: ast.expr) -> Any:
        """The object that a name of the module, or an attribute of one, stands for."""
        match node:
            case ast.Name() if node.id not in self.local:
                if node.id in self.source.names:
                    value = self.source.names[node.id]
                elif hasattr(builtins, node.id):
                    value = getattr(builtins, node.id)
                else:
                    raise NotCovered(node.id)
            case ast.Attribute():
                of = self.outside(node.value)
                if not hasattr(of, node.attr):
                    raise NotCovered(ast.unparse(node))
                value = getattr(of, node.attr)
            case _:
                raise NotCovered(ast.unparse(node))
        self.typed.outside[node] = value
        return value


def _operator(node: ast.AST) -> Callable[..., Any]:
    if type(node) not in OPERATORS:
        raise NotCovered(type(node).__name__)
    return OPERATORS[type(node)]


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether what follows a block never runs after it."""
    return bool(body) and isinstance(body[-1], ast.Raise | ast.Return | ast.Break | ast.Continue)


def _known(type_: types.Type) -> types.Type:
    """The type of a variable: a number, or an array of numbers in C order."""
    if isinstance(type_, types.Array):
        if type_.layout != "C" or not type_.aligned or type_.ndim == 0:
            raise NotCovered(str(type_))
        _known(type_.dtype)
    elif not isinstance(type_, types.Integer | types.Float | types.Complex | types.Boolean):
        raise NotCovered(str(type_))
    return type_
