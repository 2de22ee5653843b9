"""`Guess`: what a loop is taken to carry before its body was read, by its text (`changes_of`). Where it is right, the body is read once instead of twice.

    s = 0.0                   guess: s, as f8 (it is computed from itself and an element), A's content, and u
    for i in range(n):
        s += x[i]             at the end of the first reading s is an f8 whatever it was at its start, and u another array: the guess was right
        A[i] = s
        u = u + s * v
        fill(B)               and B's content, where the text of `fill` stores into its parameter (`handed.py`)

It is right if readings that begin with nothing would have come to it: the trip changes all of it, and a number is of the type that it is taken
to have because of what else it is computed from.
"""
from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

import libcst as cst

from s2s.transforms.ir.program import Equation, For, If, Node, While, operands
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.indexing import getitem
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.read.bound_names import is_local
from s2s.transforms.read.flow.agreement import may_be_boxed, may_be_member
from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.handed import stored_where_handed
from s2s.transforms.read.flow.loops.leaves import Leaf
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.syntax.changes import changes_of
from s2s.transforms.read.syntax.scope import NONE
from s2s.transforms.read.values import Abstract, Cell, View, scalar_type
from s2s.types import Array, Atom, Var, promote


class Guess:
    """Of one loop. `plan`: the storages that the text says are stored into, and the numbers and arrays that are computed from what they were; but for what is `seen` already."""

    def __init__(self, reader: Reader, node: cst.CSTNode, before: Before, seen: Container[Path]) -> None:
        self.reader, self.before = reader, before
        self.changes = changes_of(node)
        plan = {**self._contents(), **self._names()}
        self.plan: dict[Path, Leaf] = {path: leaf for path, leaf in plan.items() if path not in seen}
        self.doubtful = [path for path, leaf in self.plan.items() if leaf.kind == "scalar" and leaf.type != scalar_type(before.value(path))]
        """The numbers that are taken to have another type than before the loop."""

    def _contents(self) -> dict[Path, Leaf]:
        function = self.reader.frame.root().python
        handed = tuple(each for each in self.changes.handed if isinstance(self.before.state.names.get(each.name), View) and not is_local(self.reader.frame, each.to))
        names = self.changes.stored | (stored_where_handed(function, handed) if handed and function is not None else NONE)
        values = (self.before.state.names.get(name) for name in names)
        cells = {value.cell for value in values if isinstance(value, View)}
        contents = ((ref, self.before.state.heap[ref].type) for ref in self.before.refs if ref in cells)
        return {(ref,): Leaf("content", ref.name, type_, type_.shape) for ref, type_ in contents}

    def _names(self) -> dict[Path, Leaf]:
        values = ((name, self.before.state.names.get(name)) for name in self.before.names if name in self.changes.updated)
        leaves = {(name,): self._number(name, value) if self.before.is_scalar((name,)) else self._array(name, value) for name, value in values}
        return {path: leaf for path, leaf in leaves.items() if leaf is not None}

    def _array(self, name: str, value: Abstract) -> Leaf | None:
        """One that each trip makes anew, of a name that alone is known to hold it."""
        if name not in self.changes.rebound or not isinstance(value, View) or value.steps or not self._is_own(value.cell):
            return None
        type_ = self.before.state.heap[value.cell].type
        return Leaf("array", name, type_, type_.shape) if type_.shape else None

    def _is_own(self, cell: Cell) -> bool:
        return _is_plain(cell) and cell.owner is None and not self.reader.aliases.get(cell)

    def _number(self, name: str, value: Abstract) -> Leaf | None:
        """One of whose type there is a sign: its own, NumPy's, the elements that are added to it, or that it is computed from itself alone."""
        type_ = scalar_type(value)
        if type_.weak:
            arrays = (self.before.state.names.get(each) for each in self.changes.updated[name])
            dtypes = {self.before.state.heap[each.cell].type.dtype for each in arrays if isinstance(each, View)}
            type_ = promote([type_, *map(Array, dtypes)])
        if type_.weak and self.changes.beside[name]:
            return None
        return Leaf("scalar", name, type_, either=may_be_boxed(self.reader, value), member=may_be_member(self.reader, value))

    def arrays(self) -> Iterator[tuple[Path, View]]:
        """The arrays that are made anew, with what they are in the first trip."""
        yield from ((path, self.before.state.names[path[0]]) for path, leaf in self.plan.items() if leaf.kind == "array")

    def has_grown(self, plan: Mapping[Path, Leaf]) -> bool:
        """Whether the first reading has shown something to be carried in another way: what it had read from there on may be another thing than after a beginning with nothing."""
        return any(plan.get(path) != leaf for path, leaf in self.plan.items())

    def is_right(self, variables: Mapping[Path, Var], heads: Iterable[Cell]) -> bool:
        """At the end of the first reading. `variables`, `heads`: what its start has of the plan."""
        state = self.reader.state()
        ends = {path: state.heap[path[0]] if leaf.kind == "content" else state.names.get(path[0]) for path, leaf in self.plan.items()}
        if any(end is variables[path] for path, end in ends.items()):
            return False
        known = {*self.before.refs, *heads}
        if any(leaf.kind == "array" and not _is_new(ends[path], known) for path, leaf in self.plan.items()):
            return False
        if not self.doubtful:
            return True
        first = {variables[path]: scalar_type(self.before.value(path)) for path in self.doubtful}
        types = _Types(self.reader.builder.nodes, first)
        return all(types.stays(ends[path], variables[path], self.plan[path].type) for path in self.doubtful)


def _is_plain(cell: Cell) -> bool:
    return cell.choice is None and cell.selected is None and not cell.merged and not cell.frozen and not cell.of_list


def _is_new(end: Abstract, known: Container[Any]) -> bool:
    """Whether it is the whole of an array that the trip has made."""
    return isinstance(end, View) and not end.steps and end.cell not in known and end.cell.initial is None and _is_plain(end.cell)


class _Types:
    """Of what a trip computes, if variables of its start had other types than they are taken to have: `first`."""

    def __init__(self, nodes: Iterable[Node], first: Mapping[Var, Array]) -> None:
        self.first = first
        self.made: dict[Var, Node] = {}
        self.depends: set[Var] = set(first)
        self.sure: set[Var] = set()
        """Of those that depend on them, what has its type because of something else that it is computed from."""
        self._visit(nodes)

    def _visit(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if isinstance(node, For | While):
                self.depends.update(node.carry)
            for block in node.blocks:
                self._visit(block.nodes)
            self.made.update((out, node) for out in node.outs)
            if not self.depends.isdisjoint(_read(node)):
                self.depends.update(node.outs)
                self.sure.update(out for number, out in enumerate(node.outs) if self._is_made_sure(node, number))

    def is_surely(self, atom: Abstract, type_: Array) -> bool:
        """Whether it has this type whatever these variables have."""
        if not isinstance(atom, Var) or atom.type.weak or atom.type.dtype != type_.dtype:
            return False
        if atom in self.depends:
            return atom in self.sure
        node = self.made.get(atom)
        return self._gives(node.ins[0].type, type_) if isinstance(node, Equation) and node.primitive is convert else True

    def _is_made_sure(self, node: Node, number: int) -> bool:
        type_ = node.outs[number].type
        if isinstance(node, Equation):
            plain = isinstance(node.primitive.emission, Elementwise) and node.primitive is not convert
            return plain and any(self.is_surely(each, type_) for each in node.ins)
        given = _given(node, number)
        return bool(given) and all(self.is_surely(each, type_) for each in given)

    def stays(self, end: Abstract, own: Var, type_: Array) -> bool:
        """Whether a trip surely makes a variable of its start one of this type, where it makes it another one."""
        ends = list(self._ends(end, frozenset({own})))
        return bool(ends) and all(self.is_surely(each, type_) for each in ends)

    def _ends(self, atom: Abstract, own: frozenset[Abstract]) -> Iterator[Abstract]:
        """What it is behind branches and loops, but for `own`: what it was."""
        node = self.made.get(atom) if isinstance(atom, Var) and atom not in self.sure else None
        if not isinstance(node, If | For | While):
            if not isinstance(atom, Var) or atom not in own:
                yield atom
            return
        number = next(number for number, out in enumerate(node.outs) if out is atom)
        inner = own if isinstance(node, If) else own | {node.carry[number]}
        for each in _given(node, number):
            yield from self._ends(each, inner)

    def _gives(self, source: Array, type_: Array) -> bool:
        """Whether a number that was converted, for what it stands beside, perhaps, gives this type with any of Python's."""
        return not source.weak and all(promote([first, Array(source.dtype)]) == Array(type_.dtype) for first in self.first.values())


def _read(node: Node) -> tuple[Atom, ...]:
    """What the types of its results may hang on: of an element not where it stands."""
    if isinstance(node, Equation) and node.primitive is getitem:
        return node.ins[:1]
    inner = tuple(atom for block in node.blocks for atom in block.free)
    return (*operands(node), *inner)


def _given(node: Node, number: int) -> tuple[Atom, ...]:
    """What a result of a branch or a loop may be."""
    match node:
        case If():
            return node.then.results[number], node.orelse.results[number]
        case For() | While():
            return node.init[number], node.body.results[number]
        case _:
            return ()
