"""Stores made simpler: a read, sum and store of the same element is one addition; a cleared element that gets one addition is one store.

    for i in range(n):          for i in range(n):
        b[i] = 0.0                  b[i] = v[i]
        b[i] += v[i]      ->    for i in range(n):
    for i in range(n):              v[i] += b[i]
        v[i] += b[i]            return b, v
    return b, v
"""
from __future__ import annotations

from collections import Counter

from s2s.records import replace
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Block, Equation, Node, Var, operands, walk
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.arithmetic import add, neg, sub
from s2s.transforms.primitives.indexing import At, Take, additem, getitem, setitem
from s2s.types import Literal


def added_in_place(node: Equation, made: dict[Var, Equation]) -> tuple[Equation, ...]:
    """A store of `what is there + value` as an addition (exactly the same sum); `made` are the equations before it."""
    if node.primitive is not setitem or any(isinstance(item, Take) for item in node.params["index"]):
        return (node,)
    array, value, *position = node.ins
    total = made.get(value) if isinstance(value, Var) else None
    if total is None or total.primitive not in (add, sub):
        return (node,)

    def is_there(atom: Atom) -> bool:
        read = made.get(atom) if isinstance(atom, Var) else None
        return read is not None and read.primitive is getitem and read.ins == (array, *position) and read.params == node.params

    first, second = total.ins
    if not is_there(first) and (total.primitive is sub or not is_there(second)):
        return (node,)
    change = second if is_there(first) else first
    if total.primitive is add:
        return (replace(node, primitive=additem, ins=(array, change, *position)),)
    negated = Var(neg.name, change.type)
    return (
        Equation((negated,), neg, (change,), {}, node.where),
        replace(node, primitive=additem, ins=(array, negated, *position)),
    )


def merge_stores(nodes: tuple[Node, ...], results: tuple[Atom, ...], builder: Builder) -> tuple[Node, ...]:
    """A store of zeros that later receives its one addition at the same index becomes a store of that value; additions at
    provably other positions in between don't matter. A store that is overwritten before anyone reads it is none.
    `builder` knows the bounds of the indices.
    """
    if not any(isinstance(node, Equation) and node.primitive in (setitem, additem) for node in nodes):
        return nodes
    read = [*results, *(atom for node in nodes for atom in operands(node)), *(atom for node in nodes for block in node.blocks for atom in _reads(block))]
    uses = Counter([atom for atom in read if type(atom) is Var])
    made: dict[Var, Equation] = {}
    for node in nodes:
        if isinstance(node, Equation):
            made.update((out, node) for out in node.outs)
    replaced: dict[Node, Node] = {}
    dropped: dict[Var, Atom] = {}
    for node in nodes:
        if not isinstance(node, Equation):
            continue
        before = _cleared_before(node, made, uses, builder) if node.primitive is additem else _overwritten(node, made, uses)
        if before is not None and before not in replaced:
            replaced[node] = replace(node, primitive=setitem)
            replaced[before] = before
            dropped[before.outs[0]] = before.ins[0]
    if not dropped:
        return nodes
    mapping = Substitution(dict(dropped), renew=False)
    for var in dropped:  # a chain of dropped stores leads to what was there before the first
        while (there := mapping.mapping[var]) in mapping.mapping:
            mapping.mapping[var] = mapping.mapping[there]
    return tuple(mapping.node(replaced.get(node, node)) for node in nodes if replaced.get(node) is not node)


def _overwritten(node: Equation, made: dict[Var, Equation], uses: Counter[Var]) -> Equation | None:
    """The store to the same positions that this store makes void."""
    if node.primitive is not setitem or any(isinstance(item, Take) for item in node.params["index"]):
        return None
    before = made.get(node.ins[0]) if isinstance(node.ins[0], Var) else None
    same = before is not None and before.primitive in (setitem, additem) and (before.params, before.ins[2:]) == (node.params, node.ins[2:])
    return before if same and uses[node.ins[0]] == 1 else None  # type: ignore[index]


def _reads(block: Block) -> list[Atom]:
    inner = [atom for node in walk(block) for atom in (*operands(node), *(atom for b in node.blocks for atom in b.results))]
    return [*inner, *block.results]


def _cleared_before(node: Equation, made: dict[Var, Equation], uses: Counter[Var], builder: Builder) -> Equation | None:
    here = node.ins[0]
    while isinstance(here, Var) and uses[here] == 1 and (before := made.get(here)) is not None:
        if before.primitive is setitem and before.params == node.params and before.ins[2:] == node.ins[2:]:
            zero = before.ins[1]
            return before if isinstance(zero, Literal) and zero.value == 0 else None
        if before.primitive is not additem or not _apart(before, node, builder):
            return None
        here = before.ins[0]
    return None


def _apart(one: Equation, other: Equation, builder: Builder) -> bool:
    """Whether two stores with scalar positions never touch the same element (a negative position counts from the end)."""
    if one.params != other.params or not all(isinstance(item, At) for item in one.params["index"]):
        return False
    for a, b in zip(one.ins[2:], other.ins[2:], strict=True):
        difference = builder.form(a) - builder.form(b)
        if not difference.terms and difference.constant in (-1, 1):
            return True
        counted = builder.proves_at_least(a, 0) and builder.proves_at_least(b, 0)
        if counted and (builder.proves_less(a, b) or builder.proves_less(b, a)):
            return True
    return False
