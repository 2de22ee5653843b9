"""What a program's integers are known to be: normal forms and bounds, learned node by node into a Builder."""
from __future__ import annotations

from itertools import islice

from s2s.transforms.integers.affine import Affine
from s2s.transforms.integers.known import Known
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Equation, For, Function, Map, Node, Var
from s2s.transforms.primitives.arithmetic import add, equal, maximum, minimum, not_equal, sub
from s2s.transforms.primitives.integer_rows import COMPLEMENT, bounds_of, relation_of, sum_of
from s2s.transforms.primitives.logic import logical_and, logical_not, logical_or
from s2s.types import Atom, atom_dim, is_size, size_literal


def learn_function(builder: Known[Var], function: Function) -> None:
    """The lengths of the parameters are not negative."""
    for param in function.params:
        for dim in param.type.dims:
            builder.know_size(dim)


def learn_binding(builder: Known[Var], node: Node) -> None:
    """What holds inside a region: the range of its index, the lengths that its carried arrays have."""
    match node:
        case For():
            builder.know_index(node.index, node.lo, node.hi, node.step)
        case Map():
            builder.know_index(node.index, size_literal(0), node.size, size_literal(1))
        case _:
            pass


def learn(builder: Known[Var], node: Node) -> None:
    """What holds after a node: the normal form of a sum, the bounds of a minimum or maximum, lengths."""
    if isinstance(node, Equation) and len(node.outs) == 1 and is_size(node.outs[0].type):
        learn_integer(builder, node, node.outs[0])
    lengths = builder.facts.lengths
    for out in node.outs:
        for dim in out.type.dims:
            if dim not in lengths:
                builder.know_size(dim)


def learn_integer(builder: Known[Var], node: Equation, out: Var) -> None:
    """What an equation of integers says of its out: a sum's normal form, the bounds of a minimum, of a quotient, of a remainder."""
    forms = tuple(builder.form(atom) for atom in node.ins)
    total = sum_of(node.primitive, forms)
    if total is not None:
        builder.normal[out] = total
        if node.primitive in (add, sub):
            builder.numbered.setdefault(("affine", total), out)
        return
    builder.facts.know(out, atleast=bounds_of(node.primitive, Affine.of(out), forms, builder.proves))
    if node.primitive in (minimum, maximum):
        builder.numbered.setdefault((node.primitive, *forms), out)
    if node.primitive is maximum and forms[1] == Affine(0) and isinstance(node.ins[0], Var):
        builder.numbered.setdefault(("clamped", out), node.ins[0])


LOOK_BACK = 50
"""How many nodes are searched for what made a test."""


def learn_test(builder: Builder, test: Atom, *, holds: bool) -> None:
    """What is so from here on because a test of integers held, or did not: a check was passed."""
    found = (node for node in islice(reversed(builder.nodes), LOOK_BACK) if isinstance(node, Equation) and test in node.outs)
    node = next(found, None)
    if node is None:
        return
    if node.primitive is logical_not:
        learn_test(builder, node.ins[0], holds=not holds)
    elif node.primitive is (logical_and if holds else logical_or):
        for each in node.ins:
            learn_test(builder, each, holds=holds)
    elif node.primitive in COMPLEMENT and all(is_size(each.type) for each in node.ins):
        one, other = map(builder.form, node.ins)
        says = relation_of(node.primitive, one, other, holds=holds)
        for sum_ in says.atleast:
            builder.assume(sum_)
        for sum_ in says.unequal:
            builder.assume_unequal(sum_)
        if node.primitive is (equal if holds else not_equal):
            builder.unify(*map(atom_dim, node.ins))
