"""The verifier: every Var is bound once and before its use (types' dimensions included), and all types agree.

    n1: i8 = sub(n, 1)
    y: f8[n1] = exp(x)          # <-- y is f8[n1]; exp gives f8[n]

It runs after every rewrite in tests and under S2S_CHECK=1. Weakness is not compared: it only guides the reader.
"""
from __future__ import annotations

import os

from s2s.errors import InternalError, S2SError
from s2s.records import dataclass, field
from s2s.transforms.ir.program import (
    Block,
    Call,
    Check,
    Equation,
    For,
    Function,
    If,
    Map,
    Node,
    Print,
    While,
    callees,
    dims_of,
    operands,
    show,
)
from s2s.transforms.primitives.row import Out
from s2s.types import BOOL, SIZE, Array, Atom, Dim, Literal, Var, atom_dim

Same = dict[Dim, Dim]
"""A substitution of dimensions."""


def checking() -> bool:
    """Whether each step's result is checked (S2S_CHECK)."""
    return os.environ.get("S2S_CHECK", "0") not in ("", "0")


def verified(function: Function) -> Function:
    """The function, verified where each step's result is."""
    if checking():
        verify(function)
    return function


def verify(function: Function) -> None:
    """Check a function and all that it calls.

    Raises
    ------
    InternalError
        With the program printed, the fault beside its line.
    """
    for each in callees(function):
        _Verifier(each).run()


class _Fault(Exception):
    """What is wrong with the node at hand."""


@dataclass
class _Verifier:
    function: Function
    bound: set[Var] = field(default_factory=set)
    """All that was bound so far, in any block."""
    node: Node | None = None

    def run(self) -> None:
        scope: set[Var] = set()
        try:
            self.bind(self.function.params, scope)
            scope.update(dims_of(self.function.params))
            self.bound |= scope
            self.use(self.function.params, scope)
            self.block(self.function.body, scope)
        except _Fault as fault:
            place = self.function if self.node is None else self.node
            text = show(self.function, {place: str(fault)})
            raise InternalError(f"the program of {self.function.name} is wrong: {fault}\n{text}", where=place.where) from None

    # ---- scopes -----------------------------------------------------------------------------------------------------

    def bind(self, variables: tuple[Var, ...], scope: set[Var]) -> None:
        for var in variables:
            if var in self.bound:
                raise _Fault(f"{var} is bound a second time")
            self.bound.add(var)
            scope.add(var)

    def use(self, atoms: tuple[Atom, ...], scope: set[Var]) -> None:
        for atom in atoms:
            if isinstance(atom, Var) and atom not in scope:
                raise _Fault(f"{atom} is used before it is bound")
            for dim in dims_of((atom,)):
                if dim not in scope:
                    raise _Fault(f"{dim}, a dimension of {atom}, is used before it is bound")
                if dim.type.dtype != SIZE.dtype or dim.type.shape:
                    raise _Fault(f"{dim}, a dimension of {atom}, is {dim.type}, not an int64 scalar")
            if isinstance(atom, Literal) and atom.type.shape:
                raise _Fault(f"the literal {atom} is not a scalar: {atom.type}")

    def block(self, block: Block, scope: set[Var]) -> None:
        before = self.node
        for node in block.nodes:
            self.node = node
            self.use(operands(node), scope)
            self.check(node, scope)
            self.node = node
            self.bind(node.outs, scope)
            self.use(node.outs, scope)
        self.node = before
        self.use(block.results, scope)

    def inside(self, block: Block, scope: set[Var], *bound: Var) -> None:
        """A nested block, with what its node binds for it."""
        inner = set(scope)
        self.bind(bound, inner)
        self.use(bound, inner)
        self.block(block, inner)

    # ---- types ------------------------------------------------------------------------------------------------------

    def check(self, node: Node, scope: set[Var]) -> None:
        match node:
            case Equation():
                _check_equation(node)
            case Call():
                _check_call(node)
            case Check():
                _is(node.test, Array(BOOL), "the test")
            case Print():
                pass
            case For():
                for atom in (node.lo, node.hi, node.step):
                    _is(atom, SIZE, "the range's")
                self.inside(node.body, scope, node.index, *node.carry)
                _check_carry(node)
            case While():
                inner = set(scope)
                self.bind(node.carry, inner)
                self.use(node.carry, inner)
                self.block(node.test, set(inner))
                self.block(node.body, set(inner))
                _same_number(node.test.results, (node.test,), "results of the test")
                _is(node.test.results[0], Array(BOOL), "the test")
                _check_carry(node)
            case If():
                _is(node.test, Array(BOOL), "the test")
                for block in (node.then, node.orelse):
                    self.inside(block, scope)
                    _agree(block.results, node.outs, "a branch yields")
            case Map():
                _is(node.size, SIZE, "the size")
                self.inside(node.body, scope, node.index)
                _check_map(node)


def _check_equation(node: Equation) -> None:
    try:
        inferred = node.primitive.infer(node.ins, **node.params)
    except (S2SError, AssertionError, TypeError, ValueError) as error:
        raise _Fault(f"{node.primitive} refuses its operands: {error} ({', '.join(str(atom.type) for atom in node.ins)})") from error
    _same_number(inferred, node.outs, "outs")
    for out, type_ in zip(node.outs, inferred, strict=True):
        shape = tuple(_counted(node, dim) if isinstance(dim, Out) else dim for dim in type_.shape)
        _is(out, Array(type_.dtype, shape), f"{node.primitive} gives another type:")


def _counted(node: Equation, dim: Out) -> Dim:
    """A size that the equation finds: the out that says it, or the number that it is known to be."""
    sizes = {size for out in node.outs for size in out.type.shape}
    known = sizes.pop() if len(sizes) == 1 else None
    return known if isinstance(known, int) else node.outs[dim.number]


def _check_carry(node: For | While) -> None:
    _agree(node.init, node.carry, "the loop starts with")
    _agree(node.body.results, node.carry, "a trip yields")
    _agree(node.outs, node.carry, "the loop's out is")


def _check_map(node: Map) -> None:
    _same_number(node.body.results, node.outs, "results")
    for result, out in zip(node.body.results, node.outs, strict=True):
        _is(out, result.type.with_shape((atom_dim(node.size), *result.type.shape)), "the map's out:")


def _check_call(node: Call) -> None:
    params, results = node.function.params, node.function.body.results
    _same_number(node.ins, params, "operands")
    _same_number(node.outs, results, "outs")
    same: Same = {param: atom_dim(atom) for param, atom in zip(params, node.ins, strict=True) if _is_size(param) and _is_size(atom)}
    for param, atom in zip(params, node.ins, strict=True):
        _match(param.type, atom, same, f"the callee's parameter {param}")
    for result, out in zip(results, node.outs, strict=True):
        _match(result.type, out, same, f"the callee's result {result}")


def _match(type_: Array, atom: Atom, same: Same, what: str) -> None:
    """The caller's atom has the callee's type, whose dimensions are bound by their first occurrence."""
    found = atom.type
    fits = type_.dtype == found.dtype and type_.ndim == found.ndim
    if fits:
        wanted = [same.setdefault(dim, given) if isinstance(dim, Var) else dim for dim, given in zip(type_.shape, found.shape, strict=True)]
        fits = tuple(wanted) == found.shape
    if not fits:
        raise _Fault(f"{what} is {type_}, {atom} is {found}")


def _agree(atoms: tuple[Atom, ...], variables: tuple[Var, ...], what: str) -> None:
    """Each atom has its variable's type, where a dimension that is another of the variables stands for its atom."""
    _same_number(atoms, variables, "carried values")
    same: Same = {var: atom_dim(atom) for var, atom in zip(variables, atoms, strict=True) if _is_size(var) and _is_size(atom)}
    for atom, var in zip(atoms, variables, strict=True):
        _is(atom, var.type.with_shape(tuple(same.get(dim, dim) for dim in var.type.shape)), f"{what} (for {var})")


def _is_size(atom: Atom) -> bool:
    return not atom.type.shape and atom.type.dtype == SIZE.dtype


def _same_number(found: tuple[object, ...], wanted: tuple[object, ...], what: str) -> None:
    if len(found) != len(wanted):
        raise _Fault(f"{len(found)} {what}, {len(wanted)} expected")


def _is(atom: Atom, type_: Array, what: str) -> None:
    if (atom.type.dtype, atom.type.shape) != (type_.dtype, type_.shape):
        raise _Fault(f"{what} {atom} is {atom.type.strong()}, expected {type_.strong()}")


__all__ = ["verify"]
