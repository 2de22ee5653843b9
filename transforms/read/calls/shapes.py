"""`eval_shape(f, *args)` in the user's code: f is read on a path of its own, of which only the types of its results are kept."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError, UnknownSizeError
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn
from s2s.transforms.ir.program import Call, Check, Equation, Node
from s2s.transforms.read.calls import trees
from s2s.transforms.read.calls.caught_calls import parts_of_raised
from s2s.transforms.read.describing import describe
from s2s.transforms.read.flow.caught import Unwound, settled, what_was_raised
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch, bound_in
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.syntax.frame import ERROR, RAISED
from s2s.transforms.read.values import Abstract, ObjectRef, View, is_atom, is_number, number_literal
from s2s.types import Array, Atom, Var


def call_eval_shape(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """eval_shape(fun, *args, **kwargs): the result's container with a ShapeDtypeStruct for each array or number."""
    if not args:
        raise ArgumentTypeError(f"{function.__name__}() missing 1 required positional argument: 'fun'", where=reader.builder.where)
    fun, *rest = args
    treedef, types = types_of_call(reader, fun, tuple(rest), kwargs, raising=True)
    return trees.unflatten(reader, treedef, [struct_of(reader, type_.shape, type_.dtype) for type_ in types])


def types_of_call(reader: Reader, fun: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract], *, raising: bool = False) -> tuple[Any, list[Array]]:
    """The structure and the leaves' types of fun(*args, **kwargs), which is not called in the program; `raising`: what it raises for such shapes is raised."""
    probe = reader.fork()
    with reader.inside(probe):
        given = [_mapped(reader, arg) for arg in args]
        named = {name: _mapped(reader, arg) for name, arg in kwargs.items()}
        try:
            out = settled(reader, lambda: reader.rules.call(fun, tuple(given), named))
        except Unwound:
            raise reader.unsupported("an exception in a lambda whose result's shape is asked for, inside of a `try`", "a function with def") from None
        raised = what_was_raised(reader) if raising else {}
        leaves, treedef = trees.flatten(reader, out)
        types = [type_of(reader, leaf) for leaf in leaves]
    wanted = {dim for type_ in types for dim in type_.shape if isinstance(dim, Var)}
    checks = []
    if raising:
        if any(_may_raise(node) for node in probe.builder.nodes if not isinstance(node, Check)) and any(isinstance(dim, Var) for atom in _atoms(probe.builder) for dim in atom.type.shape):
            raise UnknownSizeError("what a function raises whose result's shape is asked for", where=reader.builder.where, instead="a test of the sizes in front of eval_shape")
        checks = _checks_of_sizes(probe.builder)
        reader.frame.names.update(raised)
        parts = (*raised.values(), *parts_of_raised(raised.get(ERROR))) if raised.get(RAISED) is not False else ()
        wanted |= {each for each in (*parts, *(atom for check in checks for atom in (check.test, *check.values))) if isinstance(each, Var)}
    _keep_sizes(reader, probe, wanted, checks)
    return treedef, types


def _may_raise(node: Node) -> bool:
    """Whether a node has a check in it, or calls a function that has one."""
    if isinstance(node, Call):
        return any(map(_may_raise, node.function.body.nodes))
    return isinstance(node, Check) and not node.stretch or any(_may_raise(inner) for block in node.blocks for inner in block.nodes)


def _atoms(builder: Builder) -> list[Atom]:
    """The operands and results of a path's equations and calls."""
    return [atom for node in builder.nodes if isinstance(node, Equation | Call) for atom in (*node.ins, *node.outs)]


def _checks_of_sizes(builder: Builder) -> list[Check]:
    """The checks of what follows from sizes alone: they are made though the function is not called."""
    dims = {dim for atom in _atoms(builder) for dim in atom.type.shape if isinstance(dim, Var)} - bound_in(builder)
    found = []
    for node in builder.nodes:
        if isinstance(node, Equation) and not any(atom.type.shape or isinstance(atom, Var) and atom not in dims for atom in node.ins):
            dims |= {*node.outs}
        elif isinstance(node, Check) and not any(isinstance(atom, Var) and atom not in dims for atom in (node.test, *node.values)):
            found.append(node)
    return found


def _keep_sizes(reader: Reader, probe: Branch, dims: set[Var], checks: list[Check]) -> None:
    """Compute here the sizes that were computed on the path, and make these checks."""
    kept: list[Any] = []
    for node in reversed(probe.builder.nodes):
        if dims & {*node.outs}:
            if not isinstance(node, Equation) or any(atom.type.shape for atom in node.ins):
                raise reader.unsupported("a result whose size depends on numbers that the function computes", "a size that follows from the arguments' shapes")
            dims |= {atom for atom in node.ins if isinstance(atom, Var)}
            kept.append(node)
        elif node in checks:
            kept.append(node)
    for node in reversed(kept):
        reader.builder.add(node)
        learn(reader.builder, node)
        for out in node.outs:
            reader.builder.know_size(out)


def _mapped(reader: Reader, tree: Abstract) -> Abstract:
    """A container with an array for each ShapeDtypeStruct."""
    leaves, treedef = trees.flatten(reader, tree)
    if not any(isinstance(leaf, ObjectRef) and leaf.kind is ShapeDtypeStruct for leaf in leaves):
        return tree
    return trees.unflatten(reader, treedef, [_example(reader, leaf) for leaf in leaves])


def _example(reader: Reader, leaf: Abstract) -> Abstract:
    if not (isinstance(leaf, ObjectRef) and leaf.kind is ShapeDtypeStruct):
        return leaf
    fields = reader.heap[leaf]
    made = reader.rules.call(np.empty, (fields["shape"],), {"dtype": fields["dtype"]})
    return made if fields["shape"] else reader.rules.item(made, ())


def type_of(reader: Reader, leaf: Abstract) -> Array:
    """The type of an array or number; an error for anything else."""
    if isinstance(leaf, View):
        return load(reader, leaf).type
    if is_atom(leaf):
        found: Array = leaf.type
        return found
    if is_number(leaf):
        return number_literal(leaf).type
    raise ArgumentTypeError(f"{describe(reader, leaf)} is no array or number", where=reader.builder.where, why="its shape and dtype are asked for")


def struct_of(reader: Reader, shape: tuple[Abstract, ...], dtype: np.dtype[Any]) -> ObjectRef:
    """A ShapeDtypeStruct."""
    ref = ObjectRef(kind=ShapeDtypeStruct)
    reader.heap[ref] = {"shape": tuple(shape), "dtype": dtype, "sharding": None}
    return ref


def _ndim(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    del function, kwargs
    return len(reader.rules.attribute(args[0], "shape"))


def _size(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    del function, kwargs
    return reader.rules.call(math.prod, (reader.rules.attribute(args[0], "shape"),))


HANDLERS = {"s2s.eval_shape": call_eval_shape, **within("s2s.shape_dtype.ShapeDtypeStruct", **{"ndim.fget": _ndim, "size.fget": _size})}

__all__ = ["HANDLERS", "struct_of", "type_of", "types_of_call"]
