"""Sizes of a program's results, from those of its arguments alone: what `eval_shape` shows. No array is computed.

    x: f8[n], n = 5        m = add(n, 1); out: f8[m]   ->   (6,)
    check(equal(n, m), …)                              ->   raised, if only sizes decide it

Numbers that follow from sizes are computed by the interpreter, all others are unknown.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from s2s.errors import UnsupportedError
from s2s.transforms.ir.interpret import bind_shape, run_node
from s2s.transforms.ir.program import Block, Call, Check, Function, Node, Var, dims_of, free_vars, operands, walk
from s2s.types import Dim, Literal


def result_shapes(function: Function, shapes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The shape of each result for parameters of these shapes.

    Raises
    ------
    ValueError, IndexError, …
        What the program checks and sizes alone decide.
    UnsupportedError
        A result's size depends on numbers.
    """
    env: dict[Var, Any] = {}
    for param, shape in zip(function.params, shapes, strict=True):
        bind_shape(param, shape, env)
    learn(function.body, env)
    return [tuple(_size(dim, env) for dim in result.type.shape) for result in function.body.results]


def _size(dim: Dim, env: dict[Var, Any]) -> int:
    if isinstance(dim, int):
        return dim
    if dim not in env:
        raise UnsupportedError("the size of a result that depends on numbers", why=f"{dim} is known only when the function runs", instead="call the function")
    return int(env[dim])


def learn(block: Block, env: dict[Var, Any]) -> None:
    """Bind what follows from sizes and is needed for sizes or checks."""
    needed = _needed(block)
    for node in block.nodes:
        if isinstance(node, Call):
            _learn_call(node, env)
        elif (isinstance(node, Check) or needed & {*node.outs}) and _is_known(node, env):
            env.update(zip(node.outs, run_node(node, env), strict=True))


def _learn_call(node: Call, env: dict[Var, Any]) -> None:
    """A helper's sizes from its operands', its results' from its own."""
    inner: dict[Var, Any] = {}
    for param, atom in zip(node.function.params, node.ins, strict=True):
        if atom.type.shape and all(isinstance(dim, int) or dim in env for dim in atom.type.shape):
            bind_shape(param, tuple(_size(dim, env) for dim in atom.type.shape), inner)
        elif isinstance(atom, Literal) or atom in env:
            inner[param] = atom.value if isinstance(atom, Literal) else env[atom]
    learn(node.function.body, inner)
    for out, result in zip(node.outs, node.function.body.results, strict=True):
        known = inner.get(result) if isinstance(result, Var) else result.value
        if known is not None and np.ndim(known) == 0 and not out.type.shape:
            env[out] = known


def _needed(block: Block) -> set[Var]:
    """What sizes and checks are computed from."""
    needed: set[Var] = {*dims_of(block.results)}
    for node in walk(block):
        needed.update(dims_of((*node.outs, *operands(node))))
    for node in reversed(block.nodes):
        if isinstance(node, Check) or needed & {*node.outs}:
            needed.update(_read(node))
    return needed


def _read(node: Node) -> set[Var]:
    return {*free_vars(Block((node,), ()))}


def _is_known(node: Node, env: dict[Var, Any]) -> bool:
    return all(not out.type.shape for out in node.outs) and _read(node) <= env.keys()


__all__ = ["learn", "result_shapes"]
