"""pmap and shard_map as jaxprs: what one device runs on its blocks, in a `shard_map` equation with the mesh and how arrays lie on it.

    pmap(f, "i")(x)   of x: f64[3]   ->   jit[name=_fun jaxpr={ … shard_map[… in_specs=(P('i',),) jaxpr={ lambda ; c:f64[1]. let d = squeeze[dimensions=(0,)] c … } mesh=Mesh('i': 3, …) …] … }]
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import Location, UnsupportedError
from s2s.host_devices import Device
from s2s.sharding import Mesh, PartitionSpec
from s2s.transforms.ir.program import Block, Call
from s2s.transforms.ir.spread import Part, Spread
from s2s.transforms.jaxprs.control import JIT
from s2s.transforms.jaxprs.scope import Scope
from s2s.transforms.jaxprs.syntax import Atom, ClosedJaxpr, Jaxpr, Primitive, ShapedArray, Var

Write = Callable[[Block, Scope], list[Atom]]


def call_spread(node: Call, rule: Spread, scope: Scope, write: Write, bind_sizes: Callable[[Call, Scope, Scope], None]) -> None:
    """Append the equation, within a jit as JAX's pmap has one."""
    given = [scope[atom] for atom in node.ins]
    around = Scope(scope, closed=True)
    bind_sizes(node, around, scope)
    params = [Var(atom.aval) for atom in given]
    order = sorted(range(len(params)), key=lambda number: number not in rule.hidden)
    own = sorted(range(len(rule.ins)), key=lambda number: rule.ins[number].number not in rule.hidden)
    ins = [rule.ins[number] for number in own]
    outs = [around.new(out, node.where) for out in node.outs]
    inner = Scope(around)
    invars = [_block_of(params[part.number], part, param, inner, node.where) for param, part in ((rule.one.params[number], rule.ins[number]) for number in own)]
    found = write(rule.one.body, inner)
    results = [_placed(found[part.number], part, inner, node.where) for part in rule.outs]
    body = inner.finished(invars, results)
    mesh = Mesh(np.array([Device(number, "cpu", "cpu", 0) for number in range(rule.size)], object), (rule.axis_name,))
    shown = {
        "check_vma": False, "in_specs": tuple(_spec(part, rule) for part in ins), "jaxpr": body, "mesh": mesh, "newly_manual_axes": frozenset({rule.axis_name}),
        "out_specs": tuple(_spec(part, rule) for part in rule.outs),
    }  # fmt: skip
    around.add(SHARD_MAP, [*inner.captured, *(params[part.number] for part in ins)], outs, shown, node.where)
    closed = ClosedJaxpr(around.finished([params[number] for number in order], outs), [])
    scope.add(JIT, [*around.captured, *(given[number] for number in order)], [scope.new(out, node.where) for out in node.outs], {"name": "_fun", "jaxpr": closed}, node.where)


def _spec(part: Part, rule: Spread) -> PartitionSpec:
    return PartitionSpec() if part.axis is None else PartitionSpec(*(None,) * part.axis, rule.axis_name)


def _block_of(whole: Var, part: Part, param: Any, inner: Scope, where: Location) -> Var:
    """The parameter of the inner jaxpr, a block with an axis of length 1; bound to the program's parameter without it."""
    if part.axis is None:
        return inner.new(param, where, whole.aval.weak_type)
    shape = (*whole.aval.shape[: part.axis], 1, *whole.aval.shape[part.axis + 1 :])
    block, axis = Var(ShapedArray(shape, whole.aval.dtype)), part.axis
    inner.bind(param, inner.op("squeeze", lambda x, **_: np.squeeze(x, axis)[()], [block], inner.aval(param.type, where), where, dimensions=(axis,)))
    return block


def _placed(atom: Atom, part: Part, inner: Scope, where: Location) -> Atom:
    """A result of one device as a block."""
    if part.axis is None:
        return atom
    old = atom.aval.shape
    shape = (*old[: part.axis], 1, *old[part.axis :])
    kept = tuple(axis for axis in range(len(shape)) if axis != part.axis)
    given = {"broadcast_dimensions": kept} if kept else {}
    return inner.op("broadcast_in_dim", lambda x, **_: np.reshape(x, shape), [atom], ShapedArray(shape, atom.aval.dtype), where, **given)


def _run(*args: Any, jaxpr: Jaxpr, **_: Any) -> list[Any]:
    raise UnsupportedError("eval_jaxpr of a shard_map", why="an equation is run by NumPy, one device after the other", instead="the function itself")


SHARD_MAP = Primitive("shard_map", _run, multiple_results=True)
__all__ = ["SHARD_MAP", "call_spread"]
