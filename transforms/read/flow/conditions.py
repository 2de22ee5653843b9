"""Tests of run time, and blocks that run on one side of them."""
from __future__ import annotations

from s2s.transforms.ir.facts import learn_test
from s2s.transforms.ir.program import Block, Check, Equation, If, Node
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.read.numpy.arithmetic import logical, logical_not
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import marked
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.values import Cell
from s2s.types import Atom, Literal, Var


def negated(reader: Reader, test: Atom) -> Atom:
    """not test."""
    if isinstance(test, Literal):
        return Literal(not test.value, test.type)
    with building(reader.builder):
        made = marked(logical_not(reader.value(test)), weak=True).atom
    return _noted(reader, made, "not", test)


def _noted(reader: Reader, made: Atom, kind: str, *tests: Atom) -> Atom:
    """A test that is made of others, some of which say what a value is."""
    if isinstance(made, Var) and any(isinstance(test, Var) and test in reader.session.tests for test in tests):
        reader.session.tests[made] = (kind, *tests)
    return made


def both(reader: Reader, a: Atom, b: Atom) -> Atom:
    """a and b, both computed."""
    for known, other in ((a, b), (b, a)):
        if isinstance(known, Literal):
            return other if known.value else known
    with building(reader.builder):
        return _noted(reader, logical(rows.logical_and)(reader.value(a), reader.value(b)).atom, "and", a, b)


def either(reader: Reader, a: Atom, b: Atom) -> Atom:
    """a or b, both computed."""
    with building(reader.builder):
        return _noted(reader, logical(rows.logical_or)(reader.value(a), reader.value(b)).atom, "or", a, b)


def is_safe(nodes: list[Node]) -> bool:
    """Whether nodes may run where the user's code would not run them: cheap, and they can't fail."""
    return all(
        isinstance(node, Equation) and isinstance(node.primitive.emission, Elementwise) and not any(out.type.shape for out in node.outs)
        for node in nodes
    )


def splice(reader: Reader, branch: Branch) -> None:
    """Append a branch's nodes to this block."""
    reader.builder.nodes.extend(branch.builder.nodes)


def add_raising(reader: Reader, test: Atom, branch: Branch) -> dict[Cell, Var]:
    """Append what a branch that always raises does: a Check where that is all. What it stored into the caller's arrays before, these hold behind it."""
    nodes = branch.builder.nodes
    if not nodes:  # what failed was no path yet: this reading is done again
        learn_test(reader.builder, test, holds=False)
        return {}
    last = nodes[-1]
    stored = _stored(reader, branch)
    if stored:
        kept = {cell: Var(content.name, content.type) for cell, content in stored.items()}
        before = tuple(reader.heap[cell] for cell in stored)
        reader.builder.add(If(tuple(kept.values()), test, Block(tuple(nodes), tuple(stored.values())), Block((), before), last.where))
        reader.heap.update(kept)
        learn_test(reader.builder, test, holds=False)
        return kept
    if isinstance(last, Check) and isinstance(last.test, Literal) and is_safe(nodes[:-1]):
        reader.builder.nodes.extend(nodes[:-1])
        with reader.builder.at(last.where):
            reader.builder.check(negated(reader, test), last.exception, last.message, *last.values, made=last.made)
    else:
        reader.builder.add(If((), test, Block(tuple(nodes), ()), Block((), ()), last.where))
    learn_test(reader.builder, test, holds=False)
    return {}


def _stored(reader: Reader, branch: Branch) -> dict[Cell, Var]:
    """The caller's arrays into which a branch stored, with what they hold at its end."""
    changed = {ref: content for ref, content in branch.state.heap.items() if isinstance(ref, Cell) and ref.owner is not None and reader.heap.get(ref) is not content}
    return {ref: content for ref, content in changed.items() if isinstance(content, Var) and ref in reader.heap and content.type == reader.heap[ref].type}


