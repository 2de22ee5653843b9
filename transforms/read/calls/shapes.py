"""`eval_shape(f, *args)` in the user's code: f is read on a path of its own, of which only the types of its results are kept."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2s.errors import ArgumentTypeError
from s2s.shape_dtype import ShapeDtypeStruct
from s2s.transforms.ir.facts import learn
from s2s.transforms.ir.program import Equation
from s2s.transforms.read.calls import trees
from s2s.transforms.read.describing import describe
from s2s.transforms.read.names import within
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.state import Branch
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, ObjectRef, View, is_atom, is_number, number_literal
from s2s.types import Array, Var


def call_eval_shape(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """eval_shape(fun, *args, **kwargs): the result's container with a ShapeDtypeStruct for each array or number."""
    if not args:
        raise ArgumentTypeError(f"{function.__name__}() missing 1 required positional argument: 'fun'", where=reader.builder.where)
    fun, *rest = args
    treedef, types = types_of_call(reader, fun, tuple(rest), kwargs)
    return trees.unflatten(reader, treedef, [struct_of(reader, type_.shape, type_.dtype) for type_ in types])


def types_of_call(reader: Reader, fun: Abstract, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> tuple[Any, list[Array]]:
    """The structure and the leaves' types of fun(*args, **kwargs), which is not called in the program."""
    probe = reader.fork()
    with reader.inside(probe):
        given = [_mapped(reader, arg) for arg in args]
        named = {name: _mapped(reader, arg) for name, arg in kwargs.items()}
        out = reader.rules.call(fun, tuple(given), named)
        leaves, treedef = trees.flatten(reader, out)
        types = [type_of(reader, leaf) for leaf in leaves]
    _keep_sizes(reader, probe, {dim for type_ in types for dim in type_.shape if isinstance(dim, Var)})
    return treedef, types


def _keep_sizes(reader: Reader, probe: Branch, dims: set[Var]) -> None:
    """Compute here the sizes that were computed on the path."""
    kept = []
    for node in reversed(probe.builder.nodes):
        if dims & {*node.outs}:
            if not isinstance(node, Equation) or any(atom.type.shape for atom in node.ins):
                raise reader.unsupported("a result whose size depends on numbers that the function computes", "a size that follows from the arguments' shapes")
            dims |= {atom for atom in node.ins if isinstance(atom, Var)}
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
