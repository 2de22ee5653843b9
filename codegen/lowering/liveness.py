"""Which values are needed again: last uses in each block, uses in all, and what a nested block may overwrite.

    a = getitem(u, i)      # u is used again below, a is not used after the next line
    b = add(a, 1.0)
    u1 = setitem(u, b, i)  # the last use of u: u1 can take over its storage
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from s2s.records import dataclass, field, replace
from s2s.transforms.ir.program import (
    Block,
    Call,
    Equation,
    For,
    Function,
    If,
    Node,
    Var,
    While,
    bound_inside,
    dims_of,
    free_vars,
    operands,
    walk,
)
from s2s.transforms.primitives.row import RENAMES, STORES
from s2s.transforms.primitives.structural import retype


@dataclass
class Frame:
    """Where lowering stands in one block: `last[var]` is the number of the node that uses var last; `pinned` Vars are
    needed after the block's end whatever happens in it (by the next trip of its loop).
    """

    last: dict[Var, int]
    pinned: frozenset[Var] = frozenset()
    position: int = 0
    loop: object = field(default=None)


class Liveness:
    """What of a function is needed later, at the place that is lowered: `frames` are the blocks around it."""

    def __init__(self, function: Function) -> None:
        self.counts = use_counts(function)
        self.dimensions = dimension_vars(function)
        self.frames: list[Frame] = []

    def after(self, var: Var) -> bool:
        """Whether var is needed after the current node."""
        for frame in self.frames:  # noqa: SIM110 (a generator takes twice as long, and each value that is read is asked for)
            if frame.last.get(var, -1) > frame.position or var in frame.pinned:
                return True
        return False

    def now(self, var: Var) -> bool:
        """Whether var is needed by the current node or after it."""
        frame = self.frames[-1]
        return frame.last.get(var, -1) == frame.position or self.after(var)


def uses(node: Node) -> dict[Var, None]:
    """Every Var that a node or its blocks read from outside, as operand or dimension."""
    found = dict.fromkeys(node.reads)
    for block in node.blocks:
        found.update(free_vars(block))
    return found


def last_uses(block: Block) -> dict[Var, int]:
    """Each Var that a block uses -> the number of the last node that does; its results count as one more node."""
    last: dict[Var, int] = {}
    for number, node in enumerate(block.nodes):
        last.update(dict.fromkeys(uses(node), number))
    end = len(block.nodes)
    for atom in (*block.results, *dims_of(block.results)):
        if isinstance(atom, Var):
            last[atom] = end
    return last


def use_counts(function: Function) -> Counter[Var]:
    """How often each Var stands as an operand or result (dimensions of types not counted)."""
    counts: Counter[Var] = Counter()
    _count(function.body, counts)
    return counts


def _count(block: Block, counts: Counter[Var]) -> None:
    for node in block.nodes:
        for atom in operands(node):
            if type(atom) is Var:
                counts[atom] += 1
        for inner in node.blocks:
            _count(inner, counts)
    counts.update(atom for atom in block.results if isinstance(atom, Var))


def dimension_vars(function: Function) -> frozenset[Var]:
    """Every Var that a type of the function names as a dimension."""
    found: set[Var] = set(dims_of(function.params))
    for node in walk(function.body):
        found.update([dim for out in node.outs if out.type.shape for dim in out.type.shape if isinstance(dim, Var)])
        if node.blocks:
            found.update(dims_of(bound_inside(node)))
    return frozenset(found)


def pinned_by(node: For | While) -> frozenset[Var]:
    """What every trip of a loop needs from outside."""
    bound = frozenset(bound_inside(node))
    return frozenset(var for block in node.blocks for var in free_vars(block) if var not in bound)


def changed_in_one(node: If) -> set[Var]:
    """The arrays from outside that one branch returns as they are, while the other may store into them."""
    found: set[Var] = set()
    for one, other in ((node.then, node.orelse), (node.orelse, node.then)):
        found.update({*_vars(one.results)} & {*may_overwrite(replace(node, then=other, orelse=Block((), ())))} - {*_vars(other.results)})
    return {var for var in found if var.type.shape}


def may_overwrite(node: Node) -> Iterator[Var]:
    """The Vars from outside whose storage the node's blocks (or its carry) may take over; too many rather than too few."""
    renamed = {
        inner.outs[0]: inner.ins[0] for block in node.blocks for inner in walk(block) if isinstance(inner, Equation) and inner.primitive.storage is RENAMES
    }
    for var in _may_overwrite(node):
        yield var
        before = renamed.get(var)
        while isinstance(before, Var):
            yield before
            before = renamed.get(before)


def _may_overwrite(node: Node) -> Iterator[Var]:
    if isinstance(node, (For, While)):
        yield from _vars(node.init)
    for block in node.blocks:
        yield from _vars(block.results)
        for inner in walk(block):
            match inner:
                case Equation() if inner.primitive.storage is STORES:
                    yield from _vars(inner.ins[:1])
                case For() | While():
                    yield from _vars(inner.init)
                    for deeper in inner.blocks:
                        yield from _vars(deeper.results)
                case Call():
                    yield from _vars(inner.ins)
                case If():
                    yield from _vars(inner.then.results)
                    yield from _vars(inner.orelse.results)
                case _:
                    pass


def bound_by(node: Node) -> Iterator[Var]:
    """Every Var that a node binds, inside or after it."""
    yield from node.outs
    yield from bound_inside(node)
    for block in node.blocks:
        for inner in walk(block):
            yield from inner.outs
            yield from bound_inside(inner)


def storage_root(block: Block, atom: object) -> object:
    """The value from outside the block in whose storage a result of it ends, if its stores are made in place."""
    defined = {out: (node, number) for node in block.nodes for number, out in enumerate(node.outs)}
    while atom in defined:
        node, number = defined[atom]
        match node:
            case Equation() if node.primitive.storage is STORES and number == 0:
                atom = node.ins[0]
            case For() | While():
                atom = node.init[number]
            case If():
                atom = storage_root(node.then, node.then.results[number])
                if atom in {out for inner in node.then.nodes for out in inner.outs}:
                    return None
            case _:
                return None
    return atom


def successors(function: Function) -> dict[Var, Var]:
    """Each array -> the array that continues it (after a store, as a loop's carry, as an If's out)."""
    found: dict[Var, Var] = {}
    for node in walk(function.body):
        match node:
            case Equation() if node.primitive.storage is STORES or node.primitive is retype:
                pairs = [(node.ins[0], node.outs[0])]
            case For() | While():
                pairs = [*zip(node.init, node.carry, strict=True), *zip(node.body.results, node.outs, strict=True)]
            case If():
                pairs = [*zip(node.then.results, node.outs, strict=True), *zip(node.orelse.results, node.outs, strict=True)]
            case _:
                pairs = []
        for before, after in pairs:
            if isinstance(before, Var):
                found.setdefault(before, after)
    return found


def _vars(atoms: Iterable[object]) -> Iterator[Var]:
    return (atom for atom in atoms if isinstance(atom, Var))
