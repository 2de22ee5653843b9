"""Whether a kernel's floating sums and products may be evaluated in another order.

    s += a[i] * b[i]        in one chain of additions, each waiting for the one before: 4 cycles an element
                            with leave to reassociate, in as many chains as the machine has: 0.3 cycles

Leave is given where the order is ours to choose (sums of whole arrays, whose order NumPy doesn't promise either, and
derivatives in float64), unless the function's rounding matters to itself:

    t = s + y; c = (t - s) - y      Kahan's compensation: c would become 0
"""
from __future__ import annotations

from s2s.transforms.primitives.arithmetic import add, neg, sub
from s2s.transforms.primitives.indexing import getitem, setitem
from s2s.transforms.program import Equation, Function, walk
from s2s.types import Atom, Literal, Var

_DEPTH = 6


def may_reassociate(function: Function, *, sums: bool) -> bool:
    """`sums`: it sums floats of whole arrays. Narrow floats keep the order of a derivative's products, which might overflow in another."""
    return (sums or (function.derived and _is_double(function))) and not compensates(function)


def _is_double(function: Function) -> bool:
    atoms = [*function.params, *(out for node in walk(function.body) for out in node.outs)]
    return all(atom.type.dtype.kind not in "fc" or atom.type.dtype.itemsize == 8 for atom in atoms)


def compensates(function: Function) -> bool:
    """Whether a value is added and later subtracted again in one sum, which is 0 in exact arithmetic only."""
    made = {out: node for node in walk(function.body) if isinstance(node, Equation) for out in node.outs}
    return any(
        isinstance(node, Equation) and node.primitive in (add, sub) and node.outs[0].type.dtype.kind in "fc" and _cancels(node, made)
        for node in walk(function.body)
    )


def _cancels(node: Equation, made: dict[Var, Equation]) -> bool:
    terms: dict[object, set[int]] = {}
    for atom, sign in _terms(node.outs[0], 1, made, _DEPTH):
        terms.setdefault(abs(atom.value) if isinstance(atom, Literal) else atom, set()).add(sign)
    return any(len(signs) == 2 for key, signs in terms.items())


def _terms(atom: Atom, sign: int, made: dict[Var, Equation], depth: int) -> list[tuple[Atom, int]]:
    """The summands of a value with their signs, through sums, negations and elements that were just stored."""
    node = made.get(atom) if isinstance(atom, Var) else None
    if isinstance(atom, Literal) and atom.value < 0:  # type: ignore[operator]
        return [(atom, -sign)]
    if node is None or depth == 0:
        return [(atom, sign)]
    if node.primitive is neg:
        return _terms(node.ins[0], -sign, made, depth - 1)
    if node.primitive in (add, sub):
        second = sign if node.primitive is add else -sign
        return [*_terms(node.ins[0], sign, made, depth - 1), *_terms(node.ins[1], second, made, depth - 1)]
    if node.primitive is getitem and isinstance(node.ins[0], Var):
        store = made.get(node.ins[0])
        if store is not None and store.primitive is setitem and store.ins[2:] == node.ins[1:] and store.params == node.params:
            return _terms(store.ins[1], sign, made, depth - 1)
    return [(atom, sign)]
