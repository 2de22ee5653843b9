"""What a program's integers are known to be: normal forms and bounds, learned node by node into a Builder."""
from __future__ import annotations

from s2s.transforms.integers.affine import Affine
from s2s.transforms.integers.known import Known
from s2s.transforms.ir.program import Equation, For, Function, Map, Node, Var
from s2s.transforms.primitives.arithmetic import add, floor_divide, maximum, minimum, mod, mul, neg, sub
from s2s.types import Atom, is_size, size_literal

ZERO = Affine(0)


def learn_function(builder: Known, function: Function) -> None:
    """The lengths of the parameters are not negative."""
    for param in function.params:
        for dim in param.type.shape:
            if isinstance(dim, Var):
                builder.know_size(dim)


def learn_binding(builder: Known, node: Node) -> None:
    """What holds inside a region: the range of its index, the lengths that its carried arrays have."""
    match node:
        case For():
            builder.know_index(node.index, node.lo, node.hi, node.step)
        case Map():
            builder.know_index(node.index, size_literal(0), node.size, size_literal(1))
        case _:
            pass


def learn(builder: Known, node: Node) -> None:
    """What holds after a node: the normal form of a sum, the bounds of a minimum or maximum, lengths."""
    if isinstance(node, Equation) and len(node.outs) == 1 and is_size(node.outs[0].type):
        learn_integer(builder, node, node.outs[0])
    for out in node.outs:
        for dim in out.type.shape:
            if isinstance(dim, Var):
                builder.facts.know(dim, lower=(ZERO,))


def learn_integer(builder: Known, node: Equation, out: Var) -> None:
    """What an equation of integers says of its out: a sum's normal form, the bounds of a minimum, of a quotient, of a remainder."""
    forms = tuple(builder.form(atom) for atom in node.ins)
    if node.primitive in (add, sub):
        builder.normal[out] = forms[0] + forms[1] if node.primitive is add else forms[0] - forms[1]
        builder.numbered.setdefault(("affine", builder.normal[out]), out)
    elif node.primitive is neg:
        builder.normal[out] = -forms[0]
    elif node.primitive is mul:
        if not forms[0].terms or not forms[1].terms:
            builder.normal[out] = forms[1] * forms[0].constant if not forms[0].terms else forms[0] * forms[1].constant
    elif node.primitive in (minimum, maximum):
        both = builder.proves_at_least(node.ins[0], 0) and builder.proves_at_least(node.ins[1], 0)
        if node.primitive is minimum:
            builder.facts.know(out, upper=forms, lower=(ZERO,) if both else ())
        else:
            builder.facts.know(out, lower=forms)
        builder.numbered.setdefault((node.primitive, *forms), out)
    elif node.primitive is floor_divide:
        if _is_positive(builder, node.ins[1]) and builder.proves_at_least(node.ins[0], 0):
            builder.facts.know(out, lower=(ZERO,), upper=(forms[0],))
    elif node.primitive is mod and _is_positive(builder, node.ins[1]):
        builder.facts.know(out, lower=(ZERO,), upper=(forms[1] + Affine(-1),))


def _is_positive(builder: Known, atom: Atom) -> bool:
    return builder.proves_at_least(atom, 1)
