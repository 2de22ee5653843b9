"""Arguments in Fortran order are read as they lie: the kernel gets their transposes, which are in C order.

    def f(x: f8[n, m]): ...x...      ->      def f(x_T: f8[m, n]): x = transpose(x_T); ...x...

A transpose is no copy where elements are read one by one (`targets/cpu/views.py`), nor in products of matrices. An array that loops read again and again, or that functions
are called with, is copied before the call, so that its rows lie side by side.
"""
from __future__ import annotations

from collections.abc import Iterator

from s2s import tree_util
from s2s.codegen.modules.call import CallShape
from s2s.codegen.modules.entry import parameter_pairs
from s2s.codegen.modules.given import params_given
from s2s.records import replace
from s2s.transforms.ir.program import Block, Call, Equation, For, Function, Map, Node, While, free_vars, operands
from s2s.transforms.ir.staged import Staged
from s2s.transforms.primitives.indexing import getitem
from s2s.transforms.primitives.structural import transpose
from s2s.types import Var


def in_columns(staged: Staged, shape: CallShape) -> Staged:
    """The program with transposed parameters where the call's arrays lie in Fortran order. Those that are written into, and those that are given back, stay as they are."""
    lying = [theirs for mine, theirs in parameter_pairs(staged, shape) if mine.type.fortran]
    if not lying:
        return staged
    function = staged.function
    fixed, read = {*dict(staged.mutated), *staged.in_order, *params_given(staged)}, free_vars(function.body)
    chosen = [var for var in dict.fromkeys(lying) if var in function.params and var in read and var not in fixed and not _needs_rows(function.body, var)]
    return _transposed(staged, {var: _columns_of(var) for var in chosen})


def _columns_of(var: Var) -> Var:
    return Var(f"{var.name}_T", var.type.with_shape(var.type.shape[::-1]))


def _transposed(staged: Staged, columns: dict[Var, Var]) -> Staged:
    """The program with these parameters in the others' places."""
    function = staged.function
    first = tuple(Equation((var,), transpose, (column,), {"axes": tuple(range(var.type.ndim))[::-1]}, function.where) for var, column in columns.items())

    def renamed(var: Var) -> Var:
        return columns.get(var, var)

    made: Function = replace(function, params=tuple(map(renamed, function.params)), body=Block((*first, *function.body.nodes), function.body.results))
    parameters = tuple(replace(each, tree=tree_util.tree_map(lambda leaf: renamed(leaf) if isinstance(leaf, Var) else leaf, each.tree)) for each in staged.parameters)
    separate = tuple((renamed(one), renamed(other)) for one, other in staged.separate)
    return replace(staged, function=made, parameters=parameters, separate=separate, columns=tuple(columns.values()))


def _needs_rows(body: Block, var: Var) -> bool:
    """Whether a function is called with the array, or loops read an element several times: more of them stand around than the array has axes."""
    reading = [(node, depth) for node, depth in _with_depths(body, 0) if any(atom is var for atom in operands(node))]
    return any(isinstance(node, Call) or depth > 0 and depth + _axes_read(node, var) > var.type.ndim for node, depth in reading)


def _axes_read(node: Node, var: Var) -> int:
    """How many axes a node goes through itself: of x[i] those that are left."""
    return node.outs[0].type.ndim if isinstance(node, Equation) and node.primitive is getitem else var.type.ndim


def _with_depths(block: Block, depth: int) -> Iterator[tuple[Node, int]]:
    """All nodes, and how many loops stand around each."""
    for node in block.nodes:
        yield node, depth
        for inner in node.blocks:
            yield from _with_depths(inner, depth + isinstance(node, For | While | Map))


__all__ = ["in_columns"]
