"""Straight-line programs batched row by row, as functions that tests can verify and run."""
from dataclasses import replace

from s2s.transforms.batching.batch import Batch, Batched
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.program import Array, Check, Function, Var
from s2s.transforms.primitives.operators import new_builder
from s2s.types import SIZE


def batch(function, batched, *, size=None):
    """The function for a batch: the params marked have a leading axis, all of the same length. Also: which results have one."""
    length = Var("batch", SIZE) if size is None else size
    batches = Batch(new_builder(), length)
    for param, on in zip(function.params, batched, strict=True):
        type_ = Array(param.type.dtype, (length, *param.type.shape)) if on else param.type
        batches.now[param] = Batched(Var(param.name, type_), on)
    params = tuple(batches.now[param].atom for param in function.params)
    for node in function.body.nodes:
        with batches.builder.at(node.where):
            if isinstance(node, Check):  # of sizes: the same for all
                batches.builder.add(replace(node, test=batches.atom(node.test).atom, values=tuple(batches.atom(value).atom for value in node.values)))
            else:
                batches.equation(node)
    results = [batches.atom(result) for result in function.body.results]
    block = batches.builder.block(*(result.atom for result in results))
    made = Function(f"{function.name}_batch", params, block, function.where, function.doc, None, function.derived)
    return rewrite.renewed(made), tuple(result.batched for result in results)
