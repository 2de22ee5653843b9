"""Checks that Python's integers still fit into 64 bits, where they might not: compiled code would go on with another number.

    h = h * 31 + i        ->        check(abs(float(h) * 31.0) < 2**63, OverflowError, …)
                                    size = h * 31
                                    check(size <= LARGEST ^ i if i >= 0 else ~size < LARGEST ^ ~i, OverflowError, …)
                                    h = size + i

Which operations those are: `magnitudes.py`. Arguments are taken for small ones; a module for those says so itself where it relies on it.
NumPy's own integers, which begin again at the other end, are added and multiplied without a sign there.
Where Python runs the text, only what NumPy's arrays hold (the items of lists) has an end.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable

from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import (
    Atom,
    Block,
    Call,
    Check,
    Equation,
    For,
    Function,
    If,
    Map,
    Node,
    Var,
    While,
    callees,
    kept,
    operands,
    walk,
    with_blocks,
    with_each_changed,
)
from s2s.transforms.overflow.magnitudes import may_not_fit
from s2s.transforms.overflow.sizes import BEYOND_TOTAL, LARGEST, LEAST, SCALED, SUMS
from s2s.transforms.primitives import logic
from s2s.transforms.primitives.arithmetic import add, floor_divide, mul, neg, not_equal, square, sub
from s2s.transforms.primitives.conversion import absolute, convert, converted
from s2s.transforms.primitives.elementwise import power
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Elementwise, Primitive
from s2s.transforms.primitives.value import Value
from s2s.types import FLOAT64, INT64, SMALL, Literal

_BEYOND = {number: f"an integer beyond 64 bits, of {' and '.join(['{}'] * number)}: " for number in (1, 2)}
_COMPILED = 'compiled code has none (target="numpy" has)'
_LISTED = "what floats, truths and the items of run-time lists become has none"
_TOO_LARGE = "the argument {} = {{}} has more than 32 bits, and this was written for smaller ones: s2s.jit writes it for larger ones where it is called with such, `s2s emit` for the type wide_int"
_MAY_NOT_FIT = frozenset({*SUMS, *SCALED, absolute, floor_divide})
_ALL_BUT_LARGEST = 2**62
"""Arguments that a sum with something usual still fits."""


def integers_checked(function: Function) -> Function:
    """The function, and all that it calls, with checks before those operations of Python's integers that may leave 64 bits."""
    _refuse_large(function)
    if not _asks(function):
        return function
    arguments = [each for each in function.params if _is_pythons(each) and not each.type.wide]
    at_worst = may_not_fit(function, dict.fromkeys(arguments, _ALL_BUT_LARGEST))
    small = dict.fromkeys(arguments, SMALL)
    at_risk = may_not_fit(function, small) if arguments and at_worst else at_worst
    result = _checked(function, at_risk, _COMPILED)
    relied_on = [each for each in arguments if may_not_fit(function, {**small, each: _ALL_BUT_LARGEST}) - at_risk] if at_worst - at_risk else []
    return replace(result, body=replace(result.body, nodes=(*_small(result, relied_on), *result.body.nodes))) if relied_on else result


def listed_integers_checked(function: Function) -> Function:
    """As `integers_checked`, for Python, whose own integers have no end: only of those that NumPy's arrays hold."""
    if not _asks(function):
        return function
    numpys = _Numpys(function)
    at_risk = {node for node in may_not_fit(function, {}) if isinstance(node, Check) or _is_pythons(node.outs[0]) and any(map(numpys.is_one, node.ins))}  # type: ignore[union-attr]
    return _checked(function, at_risk, _LISTED)


def _asks(function: Function) -> bool:
    """Whether there is anything to look at."""
    nodes = (node for each in callees(function) for node in walk(each.body))
    return any(_is_of_total(node) or isinstance(node, Equation) and node.primitive in _MAY_NOT_FIT and node.outs[0].type.dtype == INT64 for node in nodes)


def _refuse_large(function: Function) -> None:
    """UnsupportedError where an integer is known that has more than 64 bits."""
    for each in callees(function):
        found = [(atom, node.where) for node in walk(each.body) for atom in operands(node) if type(atom) is Literal]
        found += [(atom, node.where) for node in walk(each.body) for block in node.blocks for atom in block.results if type(atom) is Literal]
        for atom, where in (*found, *((atom, each.where) for atom in each.body.results if type(atom) is Literal)):
            if atom.type.dtype == INT64 and not LEAST <= int(atom.value) <= LARGEST:  # type: ignore[arg-type]
                raise UnsupportedError(f"the integer {atom.value}, which has more than 64 bits, in compiled code", where=where, instead="float(…) of it, or the numpy target")


def _is_pythons(var: Var) -> bool:
    """Whether it is one of Python's integers."""
    return var.type.weak and var.type.dtype == INT64 and not var.type.shape


def _is_of_total(node: Node) -> bool:
    """Whether it is the check of the sum of a list, which the reader appends."""
    return isinstance(node, Check) and node.message == BEYOND_TOTAL


def _small(function: Function, params: list[Var]) -> list[Node]:
    """Checks that arguments are as small as they were taken to be."""
    builder = new_builder()
    with builder.at(function.where):
        for param in params:
            value = Value(builder, param)
            builder.check((absolute(value) <= SMALL).atom, "OverflowError", _TOO_LARGE.format(param.name), param)
    return builder.nodes


def _checked(function: Function, at_risk: set[Node], why: str) -> Function:
    """The function, and all that it calls, with checks before operations, and without the others that it has of sums of lists."""
    def changed(block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            if _is_of_total(node) and node not in at_risk:
                continue
            if isinstance(node, Equation) and node in at_risk:
                nodes += [*_fits(node, why), node] if _is_pythons(node.outs[0]) else [_wrapped(node)]
            else:
                nodes.append(with_blocks(node, changed))
        return kept(block, replace(block, nodes=tuple(nodes)))

    return with_each_changed(function, lambda each: kept(each, replace(each, body=changed(each.body))))


def _wrapped(node: Equation) -> Equation:
    """An operation of NumPy's integers, which begin again at the other end."""
    if node.primitive is square:
        return replace(node, primitive=logic.wrapped_product, ins=node.ins * 2)
    return replace(node, primitive=_WRAPPED.get(node.primitive, node.primitive))


_WRAPPED = {add: logic.wrapped_sum, sub: logic.wrapped_difference, mul: logic.wrapped_product, floor_divide: logic.wrapped_quotient}


def _fits(node: Equation, why: str) -> list[Node]:
    """The check of one operation. It does not wait for the end of a loop: what the operation would give is any number to LLVM, and what follows from it any answer."""
    builder: Builder = new_builder()
    with builder.at(node.where):
        fits = _FITS.get(node.primitive, _in_floats)(node, *(Value(builder, atom) for atom in node.ins))
        builder.check(fits.atom, "OverflowError", _BEYOND[len(node.ins)] + why, *node.ins)
    return builder.nodes


def _in_floats(node: Equation, *values: Value) -> Value:
    """The same of floats, which are exact enough to say where 64 bits end."""
    floats = [converted(value, FLOAT64) for value in values]
    result = floats[0] * power(floats[0].like(2.0), floats[1]) if node.primitive is logic.left_shift else node.primitive(*floats, **node.params)
    return absolute(result) < 2.0**63


def _sum_fits(node: Equation, a: Value, b: Value) -> Value:
    """a <= LARGEST - b, or a >= LEAST - b where b is negative: asked before they are added, since what leaves 64 bits is any number to LLVM; by bits, since sums of what b is
    might meet 2**63 in the text, which is no int64 (LARGEST ^ b is LARGEST - b, ~a is -1 - a).
    """
    return _by_sign(b, lambda: a <= _rest(b), lambda: logic.bitwise_invert(a) < _rest(logic.bitwise_invert(b)))


def _difference_fits(node: Equation, a: Value, b: Value) -> Value:
    return _by_sign(b, lambda: logic.bitwise_invert(a) <= _rest(b), lambda: a < _rest(logic.bitwise_invert(b)))


def _rest(b: Value) -> Value:
    """LARGEST - b, where b is not negative."""
    return logic.bitwise_xor(b.like(LARGEST), b)


def _by_sign(b: Value, natural: Callable[[], Value], negative: Callable[[], Value]) -> Value:
    if isinstance(b.atom, Literal):
        return natural() if int(b.atom.value) >= 0 else negative()  # type: ignore[arg-type]
    return (b >= 0).where(natural(), negative())


def _has_opposite(node: Equation, a: Value) -> Value:
    return not_equal(a, a.like(LEAST))


def _quotient_fits(node: Equation, a: Value, b: Value) -> Value:
    return logic.logical_or(not_equal(a, a.like(LEAST)), not_equal(b, b.like(-1)))


_FITS: dict[Primitive, Callable[..., Value]] = {floor_divide: _quotient_fits, add: _sum_fits, sub: _difference_fits, neg: _has_opposite, absolute: _has_opposite}


class _Numpys:
    """Which of Python's integers are NumPy's numbers where Python runs the text: elements of arrays, what floats and truths become (np.int64(x)), and what is computed of them."""

    def __init__(self, function: Function) -> None:
        self.found: set[Var] = set()
        before = -1
        while before < len(self.found):
            before = len(self.found)
            for each in callees(function):
                self.block(each.body)

    def is_one(self, atom: Atom) -> bool:
        """Whether an integer is one of NumPy's."""
        return isinstance(atom, Var) and atom.type.dtype == INT64 and (not atom.type.weak or atom in self.found)

    def mark(self, pairs: Iterable[tuple[Var, Atom]]) -> None:
        """Variables are what they are bound to."""
        self.found.update(var for var, atom in pairs if self.is_one(atom))

    def block(self, block: Block) -> None:
        """What a block binds."""
        for node in block.nodes:
            match node:
                case Equation(outs=(out, *_)) if _is_pythons(out):
                    emission = node.primitive.emission
                    is_made = node.ins[0].type.dtype != INT64 if node.primitive is convert else not isinstance(emission, Elementwise)
                    if is_made or any(map(self.is_one, node.ins)):
                        self.found.add(out)
                case For() | While():
                    for inner in node.blocks:
                        self.block(inner)
                    self.mark(zip(node.carry, node.init, strict=True))
                    self.mark(zip(node.carry, node.body.results, strict=True))
                    self.mark(zip(node.outs, node.carry, strict=True))
                case If():
                    for branch in (node.then, node.orelse):
                        self.block(branch)
                        self.mark(zip(node.outs, branch.results, strict=True))
                case Map():
                    self.block(node.body)
                case Call():
                    self.mark(zip(node.function.params, node.ins, strict=True))
                    self.mark(zip(node.outs, node.function.body.results, strict=True))
