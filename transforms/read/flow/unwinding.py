"""How a block is left by what is raised in it: which exception it is, what `finally` does to it, and that it goes on.

    try:                 body, with raised, code and error
        body             last
    finally:             unless last has left the block: raised, returned, … as they were before it
        last             if raised: raise that error
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from s2s.transforms.ir.prints import prints
from s2s.transforms.ir.program import Call, Check, Equation, Node
from s2s.transforms.primitives import decompositions, eigenvectors, general_matrices, linear_algebra, orthogonal_factors
from s2s.transforms.primitives.arithmetic import equal
from s2s.transforms.primitives.cholesky import cholesky
from s2s.transforms.primitives.index import At, Item, Take
from s2s.transforms.primitives.opaque import opaque
from s2s.transforms.read.flow.caught import UNTOLD, catches, caught_object
from s2s.transforms.read.flow.conditions import both, either
from s2s.transforms.read.flow.joining import absorb, finish_if
from s2s.transforms.read.flow.made_exceptions import makes_itself
from s2s.transforms.read.flow.options import possible
from s2s.transforms.read.flow.raising import raise_one
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.visibility import reachable
from s2s.transforms.read.syntax.frame import CODE, ERROR, RAISED, RESULT, SIGNALS
from s2s.transforms.read.syntax.scope import blocks_of
from s2s.transforms.read.values import Abstract, Cell, MadeError, Missing, OneOf, Ref, View
from s2s.types import BOOL, Array, Atom, Literal, size_literal

MATRICES = (linear_algebra.lu, cholesky, linear_algebra.eigh, orthogonal_factors.svd, general_matrices.eig, general_matrices.pinv, general_matrices.lstsq, decompositions.eigh_by, decompositions.svd_complete, decompositions.schur, *eigenvectors.ROWS)
"""Rows that fail by themselves, of a matrix that they can't take."""


def codes(reader: Reader) -> list[int]:
    """The exceptions that may have been raised."""
    code = reader.frame.names[CODE]
    return [code] if isinstance(code, int) else list(range(len(reader.session.codes)))


def is_one_of(reader: Reader, found: list[int]) -> Atom:
    """Whether what was raised is one of these."""
    code = reader.frame.names[CODE]
    if isinstance(code, int):
        return Literal(code in found, Array(BOOL))
    tests = [reader.builder.equation(equal, (code, size_literal(number)))[0] for number in found]
    result: Atom = tests[0]
    for each in tests[1:]:
        result = either(reader, result, each)
    return result


def caught_one(reader: Reader, found: list[Any]) -> Abstract:
    """The exception that was caught: one of these."""
    if any(code.message is UNTOLD for code in found):
        return UNTOLD
    known = caught_object(found[0].kind, found[0].message) if len(found) == 1 and not makes_itself(found[0].kind) else None
    if known is not None:
        return known
    error = reader.frame.names.get(ERROR, Missing("what was caught is known only at run time, and is looked at", "its class or its message depend on the run"))
    if isinstance(error, Missing) and all(makes_itself(code.kind) is False and caught_object(code.kind, code.message) is not None for code in found):
        error = OneOf(reader.frame.names[CODE], tuple(code.error for code in reader.session.codes))  # the number tells all of it
    if not isinstance(error, OneOf):
        return error
    others = {number for number, option in enumerate(error.options) if not (isinstance(option, MadeError) and any(option.kind is code.kind for code in found))}
    reader.excluded = {**reader.excluded, error.place: reader.excluded.get(error.place, frozenset()) | others}
    left = possible(reader, error)
    return error.options[left[0]] if len(left) == 1 else error


class NotDone(Exception):
    """What stands behind `finally` would be seen, and not be done where the run ends in the block: all that the block raises must be caught."""


def finally_do(reader: Reader, began: int | None, last: Callable[[], None]) -> None:
    """Run what stands behind `finally`, however the block was left: what was returned, raised or left goes on.

    `began`: the number of nodes before a block in which a run may end; None for one of which all exceptions are caught. Raises NotDone.
    """
    if reader.raised:
        raise NotDone
    names, fails = reader.frame.names, began is not None and any(map(_may_fail, reader.builder.nodes[began:]))
    held = {name: names[name] for name in (*SIGNALS, RESULT, CODE, ERROR) if name in names}
    names.update(dict.fromkeys(SIGNALS, False))
    before = {ref: content for ref, content in reader.heap.items() if isinstance(ref, Cell) and ref.owner is not None}
    since, results = len(reader.builder.nodes), returned_so_far(reader)
    last()
    refuse_changed_results(reader, results)
    done = reader.builder.nodes[since:]
    if fails and (any(reader.heap[ref] is not content for ref, content in before.items()) or any(map(prints, done)) or any(map(_may_fail, done))):
        raise NotDone  # what fails behind `finally` is raised in the place of what failed before
    _left_otherwise(reader, held)


def returned_so_far(reader: Reader) -> dict[Any, Any]:
    """What is held by the containers and arrays that a path has returned."""
    if RESULT not in reader.frame.names:
        return {}
    found = (each.cell if isinstance(each, View) else each for each in reachable(reader, reader.frame.handed_back) if isinstance(each, Ref | View))
    return {ref: reader.heap[ref] for ref in found if ref in reader.heap}


def refuse_changed_results(reader: Reader, results: dict[Any, Any]) -> None:
    """Refuse a change, at the end of a block, of what has been returned in it: the result is a copy."""
    if any(reader.heap[ref] is not content for ref, content in results.items()):
        raise reader.unsupported("a `finally` or `__exit__` that changes what has been returned on one path", "the return behind the block")


def _left_otherwise(reader: Reader, held: dict[str, Abstract]) -> None:
    """The block is left as it was before the `finally`, where that did not leave it in a way of its own."""
    names = reader.frame.names
    left = [names[signal] for signal in SIGNALS if names[signal] is not False]
    if not left:
        names.update(held)
        return
    if any(flag is True for flag in left):
        return
    test = left[0]
    for flag in left[1:]:
        test = either(reader, test, flag)
    one, two = reader.fork(), reader.fork()
    two.state.names.update(held)
    finish_if(reader, test, one, two, reader.frame.live)


_LEAVING = (cst.Return, cst.Raise)
_OF_LOOPS = (cst.Break, cst.Continue)


def takes_over(statements: Sequence[Any], *, in_loop: bool = False) -> bool:
    """Whether statements of a `finally` may leave it, so that what was raised before is forgotten."""
    for each in statements:
        if isinstance(each, _LEAVING) or isinstance(each, _OF_LOOPS) and not in_loop:
            return True
        if isinstance(each, cst.FunctionDef | cst.ClassDef):
            continue
        own = isinstance(each, cst.For | cst.While)
        if any(takes_over(block, in_loop=in_loop or own) for block in blocks_of(each)):
            return True
    return False


def goes_on(reader: Reader) -> None:
    """What was raised, and nothing around catches, leaves the function."""
    raised = reader.frame.names[RAISED]
    if raised is False:
        return
    found = [code for code in codes(reader) if not catches(reader, reader.session.codes[code].kind)]
    if not found:
        return
    test = raised if len(found) == len(codes(reader)) else both(reader, raised, is_one_of(reader, found))
    one, two = reader.fork(), reader.fork()
    with reader.inside(one):
        raise_again(reader, found)
    two.state.names[RAISED] = False if len(found) == len(codes(reader)) else two.state.names[RAISED]
    if test is True:
        absorb(reader, one)
    else:
        finish_if(reader, test, one, two, reader.frame.live)


def raise_again(reader: Reader, found: list[int]) -> None:
    """Raise what was raised: one of these exceptions."""
    reader.frame.names[RAISED] = False
    raise_one(reader, caught_one(reader, [reader.session.codes[code] for code in found]))


def _may_fail(node: Node) -> bool:
    """Whether a run may end at a node."""
    match node:
        case Check():
            return not node.stretch
        case Call():
            return any(map(_may_fail, node.function.body.nodes))
        case Equation():
            return node.primitive in MATRICES or node.primitive is opaque or any(map(_may_be_outside, node.params.get("index", ())))
        case _:
            return any(_may_fail(each) for block in node.blocks for each in block.nodes)


def _may_be_outside(item: Item) -> bool:
    return isinstance(item, Take) or isinstance(item, At) and not item.inside


__all__ = ["MATRICES", "NotDone", "caught_one", "codes", "finally_do", "goes_on", "is_one_of", "raise_again", "refuse_changed_results", "returned_so_far", "takes_over"]
