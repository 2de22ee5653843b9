"""Copying programs under a substitution of Vars: what every rewrite needs.

    x_1 = mul(y, y)     with {y: z}  ->     x_2 = mul(z, z)
"""
from __future__ import annotations

from operator import is_
from typing import assert_never

from s2s.records import replace
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, Function, If, Map, Node, Print, While, kept, size_params
from s2s.types import Array, Atom, Dim, Var, atom_dim, dim_atom


class Substitution:
    """A mapping Var -> Atom that copies nodes: reads are mapped, bound Vars are renewed (and the mapping grows with them).

    `renew=False` keeps bound Vars whose type does not change, and nodes in which nothing does: for rewrites that consume the program they copy.
    """

    def __init__(self, mapping: dict[Var, Atom] | None = None, *, renew: bool = True) -> None:
        self.mapping: dict[Var, Atom] = dict(mapping or {})
        self.renew = renew

    def atom(self, atom: Atom) -> Atom:
        """The atom that stands for this one."""
        return self.mapping.get(atom, atom) if isinstance(atom, Var) else atom

    def atoms(self, atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
        mapping = self.mapping
        for atom in atoms:
            if type(atom) is Var and atom in mapping:
                return tuple([self.atom(each) for each in atoms])
        return atoms

    def dim(self, dim: Dim) -> Dim:
        return atom_dim(self.atom(dim)) if isinstance(dim, Var) else dim

    def type(self, type_: Array) -> Array:
        """The type with its dimensions mapped."""
        if self.mapping.keys().isdisjoint(type_.dims):
            return type_
        return Array(type_.dtype, tuple(map(self.dim, type_.shape)), type_.weak, type_.boxed, type_.stream, type_.fortran, type_.example)

    def bind(self, var: Var) -> Var:
        """A Var for a copied binding of var."""
        type_ = self.type(var.type)
        if not self.renew and (type_ is var.type or type_ == var.type):
            return var
        fresh = Var(var.name, type_)
        self.mapping[var] = fresh
        return fresh

    def bind_all(self, variables: tuple[Var, ...]) -> tuple[Var, ...]:
        if not self.renew and not self._changes(variables):
            return variables
        bound = tuple([self.bind(var) for var in variables])
        return variables if all(map(is_, bound, variables)) else bound

    def _changes(self, variables: tuple[Var, ...]) -> bool:
        """Whether a dimension of one of the types is mapped."""
        mapping = self.mapping
        for var in variables:
            for dim in var.type.dims:
                if dim in mapping:
                    return True
        return False

    def block(self, block: Block) -> Block:
        """A copied block."""
        return kept(block, Block(tuple([self.node(node) for node in block.nodes]), self.atoms(block.results)))

    def node(self, node: Node) -> Node:
        """A copied node."""
        match node:
            case Equation():
                if not self.renew and not self.mapping:
                    return node
                ins = self.atoms(node.ins)
                outs = self.bind_all(node.outs)
                return node if ins is node.ins and outs is node.outs else Equation(outs, node.primitive, ins, node.params, node.where)
            case Call():
                ins = self.atoms(node.ins)
                return kept(node, Call(self.bind_all(node.outs), node.function, ins, node.where))
            case Check():
                return kept(node, replace(node, test=self.atom(node.test), values=self.atoms(node.values)))
            case Print():
                return kept(node, replace(node, values=self.atoms(node.values)))
            case For():
                lo, hi, step, *init = self.atoms((node.lo, node.hi, node.step, *node.init))
                (index, *carry) = self.bind_all((node.index, *node.carry))
                body = self.block(node.body)
                return kept(node, For(self.bind_all(node.outs), index, lo, hi, step, tuple(carry), tuple(init), body, node.where, node.reverse))
            case While():
                start = self.atoms(node.init)
                carried = self.bind_all(node.carry)
                test, body = self.block(node.test), self.block(node.body)
                return kept(node, While(self.bind_all(node.outs), carried, start, test, body, node.where))
            case If():
                chosen, then, orelse = self.atom(node.test), self.block(node.then), self.block(node.orelse)
                return kept(node, If(self.bind_all(node.outs), chosen, then, orelse, node.where))
            case Map():
                size = self.atom(node.size)
                index = self.bind(node.index)
                body = self.block(node.body)
                return kept(node, Map(self.bind_all(node.outs), index, size, body, node.where))
        assert_never(node)


def inline(node: Call) -> tuple[tuple[Node, ...], dict[Var, Atom]]:
    """The nodes that a call stands for, and what its outs are then."""
    substitution = Substitution(bind_params(node.function.params, node.ins))
    body = substitution.block(node.function.body)
    return body.nodes, dict(zip(node.outs, body.results, strict=True))


def bind_params(params: tuple[Var, ...], ins: tuple[Atom, ...]) -> dict[Var, Atom]:
    """Parameters and the dimensions in their types -> the operands and theirs."""
    mapping: dict[Var, Atom] = dict(zip(params, ins, strict=True))
    for param, atom in zip(params, ins, strict=True):
        for dim, actual in zip(param.type.shape, atom.type.shape, strict=True):
            if isinstance(dim, Var):
                mapping.setdefault(dim, dim_atom(actual))
    return mapping


def result_types(function: Function, ins: tuple[Atom, ...], outs: tuple[Var, ...] = ()) -> tuple[Array, ...]:
    """The types of a call's outs: the function's, in the caller's dimensions (those that are results name `outs`)."""
    mapping = bind_params(function.params, ins)
    for result, out in zip(function.body.results, outs, strict=False):
        if isinstance(result, Var):
            mapping.setdefault(result, out)
    substitution = Substitution(mapping)
    return tuple(substitution.type(atom.type) for atom in function.body.results)


def call(function: Function, ins: tuple[Atom, ...], names: tuple[str, ...], where: object) -> Call:
    """A Call node with outs of the right types; a result that is a dimension of later results is bound first."""
    mapping = bind_params(function.params, ins)
    outs = []
    for result, name in zip(function.body.results, names, strict=True):
        out = Var(name, Substitution(mapping).type(result.type))
        outs.append(out)
        if isinstance(result, Var):
            mapping.setdefault(result, out)
    return Call(tuple(outs), function, ins, where)  # type: ignore[arg-type]


def renewed(function: Function) -> Function:
    """A copy with Vars of its own (parameters and sizes too), so that it can stand beside the function it was cut from."""
    substitution = Substitution()
    for var in size_params(function):
        substitution.mapping[var] = Var(var.name, var.type)
    for param in function.params:  # a size may stand behind an array that is so long
        if not param.type.shape:
            substitution.bind(param)
    params = tuple(substitution.mapping[param] if not param.type.shape else substitution.bind(param) for param in function.params)
    told = tuple(replace(each, ins=substitution.atoms(each.ins), outs=substitution.atoms(each.outs)) for each in function.told)  # type: ignore[arg-type]
    return replace(function, params=params, body=substitution.block(function.body), told=told)  # type: ignore[arg-type]
