"""`Guess`: what a loop is taken to carry before its body was read, by its text (`changes_of`). Where it is right, the body is read once instead of twice.

    s = 0.0                   guess: s, as f8 (it is computed from itself and an element), and A's content
    for i in range(n):
        s += x[i]             at the end of the first reading s is an f8 whatever it was at its start: the guess was right
        A[i] = s

It is right if readings that begin with nothing would have come to it: the trip changes all of it, and a number is of the type that it is taken
to have because of what else it is computed from.
"""
from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

import libcst as cst

from s2s.transforms.ir.program import Block, Equation, For, If, Node, While, blocks, operands, walk
from s2s.transforms.primitives.conversion import convert
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.read.flow.agreement import may_be_boxed, may_be_member
from s2s.transforms.read.flow.loops.before import Before
from s2s.transforms.read.flow.loops.leaves import Leaf
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.visibility import Path
from s2s.transforms.read.syntax.changes import changes_of
from s2s.transforms.read.values import Abstract, View, scalar_type
from s2s.types import Array, Atom, Var, promote


class Guess:
    """Of one loop. `plan`: the storages that the text says are stored into, and the numbers that are updated; but for what is `seen` already."""

    def __init__(self, reader: Reader, node: cst.CSTNode, before: Before, seen: Container[Path]) -> None:
        self.reader, self.before = reader, before
        changes = changes_of(node)
        plan = {**self._contents(changes.stored), **self._numbers(changes.elements)}
        self.plan: dict[Path, Leaf] = {path: leaf for path, leaf in plan.items() if path not in seen}

    def _contents(self, names: Iterable[str]) -> dict[Path, Leaf]:
        values = (self.before.state.names.get(name) for name in names)
        cells = {value.cell for value in values if isinstance(value, View)}
        contents = ((ref, self.before.state.heap[ref].type) for ref in self.before.refs if ref in cells)
        return {(ref,): Leaf("content", ref.name, type_, type_.shape) for ref, type_ in contents}

    def _numbers(self, elements: Mapping[str, Iterable[str]]) -> dict[Path, Leaf]:
        names = (name for name in self.before.names if name in elements and self.before.is_scalar((name,)))
        return {(name,): self._number(name, self.before.name(name), elements[name]) for name in names}

    def _number(self, name: str, value: Abstract, elements: Iterable[str]) -> Leaf:
        type_ = scalar_type(value)
        if type_.weak:
            arrays = (self.before.state.names.get(each) for each in elements)
            dtypes = {self.before.state.heap[each.cell].type.dtype for each in arrays if isinstance(each, View)}
            type_ = promote([type_, *map(Array, dtypes)])
        return Leaf("scalar", name, type_, either=may_be_boxed(self.reader, value), member=may_be_member(self.reader, value))

    def is_right(self, variables: Mapping[Path, Var]) -> bool:
        """At the end of the first reading."""
        state = self.reader.state()
        ends = {path: state.heap[path[0]] if leaf.kind == "content" else state.names.get(path[0]) for path, leaf in self.plan.items()}
        if any(end is variables[path] for path, end in ends.items()):
            return False
        doubtful = [path for path, leaf in self.plan.items() if leaf.kind == "scalar" and leaf.type != scalar_type(self.before.value(path))]
        if not doubtful:
            return True
        first = {variables[path]: scalar_type(self.before.value(path)) for path in doubtful}
        types = _Types(self.reader.builder.nodes, first)
        return all(types.is_surely(ends[path], self.plan[path].type) for path in doubtful)


class _Types:
    """Of what a trip computes, if variables of its start had other types than they are taken to have: `first`."""

    def __init__(self, nodes: Iterable[Node], first: Mapping[Var, Array]) -> None:
        self.first = first
        self.made: dict[Var, Node] = {}
        self.depends: set[Var] = set(first)
        for node in walk(Block(tuple(nodes), ())):
            if isinstance(node, For | While):
                self.depends.update(node.carry)
            self.made.update((out, node) for out in node.outs)
            if not self.depends.isdisjoint(_read(node)):
                self.depends.update(node.outs)

    def is_surely(self, atom: Abstract, type_: Array) -> bool:
        """Whether it has this type whatever these variables have: because of something else that it is computed from."""
        if not isinstance(atom, Var) or atom.type.weak or atom.type.dtype != type_.dtype or atom in self.first:
            return False
        if atom not in self.depends:
            return True
        node = self.made.get(atom)
        if isinstance(node, Equation) and isinstance(node.primitive.emission, Elementwise):
            return node.primitive is not convert and any(self.is_surely(each, type_) or self._is_converted(each, type_) for each in node.ins)
        return node is not None and any(self.is_surely(block.results[node.outs.index(atom)], type_) for block in _giving(node))

    def _is_converted(self, atom: Atom, type_: Array) -> bool:
        """Whether it is a NumPy number of another type, which gives this type with any of Python's."""
        node = self.made.get(atom) if isinstance(atom, Var) else None
        if not isinstance(node, Equation) or node.primitive is not convert or atom in self.depends:
            return False
        source = node.ins[0].type
        return not source.weak and all(promote([first, Array(source.dtype)]) == Array(type_.dtype) for first in self.first.values())


def _read(node: Node) -> tuple[Atom, ...]:
    inner = tuple(atom for block in blocks(node) for atom in block.free)
    return (*operands(node), *inner)


def _giving(node: Node) -> tuple[Block, ...]:
    """The blocks that give a branch or a loop its results."""
    match node:
        case If():
            return node.then, node.orelse
        case For() | While():
            return (node.body,)
        case _:
            return ()
