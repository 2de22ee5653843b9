"""What a program's integers are known to be: normal forms and bounds, learned node by node into a Builder."""
from __future__ import annotations

from s2s.transforms.affine import Affine
from s2s.transforms.build import Builder
from s2s.transforms.primitives.arithmetic import add, maximum, minimum, mul, sub
from s2s.transforms.program import Equation, For, Function, Map, Node, Var
from s2s.types import dim_atom, is_size, size_literal


def learn_function(builder: Builder, function: Function) -> None:
    """The lengths of the parameters are not negative."""
    for param in function.params:
        for dim in param.type.shape:
            if isinstance(dim, Var):
                builder.know_size(dim)


def learn_binding(builder: Builder, node: Node) -> None:
    """What holds inside a region: the range of its index, the lengths that its carried arrays have."""
    match node:
        case For():
            builder.know_index(node.index, node.lo, node.hi, node.step)
        case Map():
            builder.know_index(node.index, size_literal(0), node.size, size_literal(1))
        case _:
            pass


def learn(builder: Builder, node: Node) -> None:
    """What holds after a node: the normal form of a sum, the bounds of a minimum or maximum, lengths."""
    if isinstance(node, Equation) and len(node.outs) == 1 and is_size(node.outs[0].type):
        _learn_integer(builder, node, node.outs[0])
    for out in node.outs:
        for dim in out.type.shape:
            if isinstance(dim, Var):
                builder.facts.know(dim, lower=(Affine(0),))


def _learn_integer(builder: Builder, node: Equation, out: Var) -> None:
    if node.primitive in (add, sub):
        a, b = (builder.form(atom) for atom in node.ins)
        builder.normal[out] = a + b if node.primitive is add else a - b
        builder.numbered.setdefault(("affine", builder.normal[out]), out)
    elif node.primitive is mul:
        a, b = (builder.form(atom) for atom in node.ins)
        if not a.terms or not b.terms:
            builder.normal[out] = b * a.constant if not a.terms else a * b.constant
    elif node.primitive in (minimum, maximum):
        forms = tuple(builder.form(dim_atom(atom)) if isinstance(atom, int) else builder.form(atom) for atom in node.ins)
        both = builder.proves_at_least(node.ins[0], 0) and builder.proves_at_least(node.ins[1], 0)
        if node.primitive is minimum:
            builder.facts.know(out, upper=forms, lower=(Affine(0),) if both else ())
        else:
            builder.facts.know(out, lower=forms)
        builder.numbered.setdefault((node.primitive, *forms), out)
