"""Equations of the program as those of a jaxpr.

    broadcast = broadcast(3.0, 8; axes=())
    mul = mul(x, broadcast)                      ->   mul a 3.0:f64[]
    y = getitem(x, 2; index=(At(),))             ->   b = slice[…] a;  c = squeeze[dimensions=(0,)] b

What an operation of the user's stretches is not spread out first: JAX's operations take numbers, and axes of size 1, as they are.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.ir.program import Equation
from s2s.transforms.jaxprs import weak
from s2s.transforms.jaxprs.rows import COLLECTIVES, NAMES, PARAMS, SIZES, dimension_numbers
from s2s.transforms.jaxprs.scope import Scope, is_known_size, literal
from s2s.transforms.jaxprs.syntax import Atom, Literal, Primitive, ShapedArray
from s2s.transforms.primitives import rows
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.primitives.row import Primitive as Row
from s2s.transforms.primitives.structural import broadcast


def translate(node: Equation, scope: Scope) -> None:
    """Append what the equation is, and bind its outs."""
    row = node.primitive
    if is_known_size(scope, node):
        return _computed(node, scope)
    if row is rows.retype or row is rows.convert and node.ins[0].type.dtype == node.outs[0].type.dtype:
        return scope.bind(node.outs[0], scope[node.ins[0]])
    if row is rows.getitem and _getitem(node, scope):
        return None
    if row is rows.pack and all(isinstance(scope[atom], Literal) for atom in node.ins):
        return scope.bind(node.outs[0], scope.constant(_packed(node, scope)))
    if row is rows.pack:
        return _joined(node, scope)
    if row is contract and (numbers := dimension_numbers(node.params["spec"])):
        return _dot_general(node, scope, *numbers)
    if row is rows.select:
        test, yes, no = _whole(node, scope)
        return _one(node, scope, "select_n", [test, no, yes], lambda which, off, on: np.where(which, on, off), {})
    if isinstance(row.emission, Elementwise):
        ins = weak.strengthened(node, _operands(node, scope), scope)
        is_weak = weak.is_weak_conversion(node, scope) if row is rows.convert else weak.result_is_weak(ins, scope.aval(node.outs[0].type, node.where))
        return _append(node, scope, ins, ins, is_weak)
    own = [scope[atom] for atom in node.ins]
    return _append(node, scope, own[: SIZES[row]] if row in SIZES else own, own)


def _computed(node: Equation, scope: Scope) -> None:
    """An integer that follows from sizes."""
    values = node.primitive.evaluate(*(atom.val for atom in map(scope.__getitem__, node.ins) if isinstance(atom, Literal)), **node.params)
    for out, value in zip(node.outs, values if isinstance(values, tuple) else (values,), strict=True):
        scope.bind(out, literal(np.asarray(value).item(), out.type))


def _packed(node: Equation, scope: Scope) -> Any:
    """An array whose numbers the source writes out."""
    values = [literal_value(scope[atom]) for atom in node.ins]
    return np.asarray(node.primitive.evaluate(*values, **node.params)).astype(node.outs[0].type.dtype)


def _joined(node: Equation, scope: Scope) -> None:
    """A vector of numbers: each as one element, one behind the other."""
    aval = ShapedArray((1,), node.outs[0].type.dtype)
    parts = [scope.op("broadcast_in_dim", lambda x, **_: np.reshape(x, 1), [scope[atom]], aval, node.where) for atom in node.ins]
    whole = node.outs[0].type
    if len(whole.shape) == 1:
        _one(node, scope, "concatenate", [*parts], lambda *values: np.concatenate(values), {"dimension": 0})
        return
    joined = scope.op("concatenate", lambda *values, **_: np.concatenate(values), [*parts], ShapedArray((len(parts),), whole.dtype), node.where, dimension=0)
    _one(node, scope, "reshape", [joined], lambda x: np.reshape(x, whole.shape), {"dimensions": None, "new_sizes": whole.shape, "sharding": None})


def _operands(node: Equation, scope: Scope) -> list[Atom]:
    """The operands of an elementwise operation, as they were before it stretched them; one of the full shape stays."""
    full = [scope[atom] for atom in node.ins]
    shape = scope.aval(node.outs[0].type, node.where).shape
    sources = [_stretched(atom, node, scope) for atom in node.ins]
    if all(source is not None for source in sources) and shape not in [source.aval.shape for source in sources if source]:
        sources[0] = None
    return [whole if source is None else source for whole, source in zip(full, sources, strict=True)]


def _whole(node: Equation, scope: Scope) -> list[Atom]:
    """The operands of a choice, which all have its shape; weak ones are converted first where others are strong."""
    spreads = [made if made is not None and made.primitive is rows.broadcast and made.where == node.where else None for made in map(scope.made, node.ins)]
    sources = [scope[atom if made is None else made.ins[0]] for atom, made in zip(node.ins, spreads, strict=True)]
    mixed = not all(source.aval.weak_type for source in sources[1:])
    return [source if made is None else _spread(atom, made, source, scope, mixed) for atom, made, source in zip(node.ins, spreads, sources, strict=True)]


def _spread(atom: Any, node: Equation, source: Atom, scope: Scope, mixed: bool) -> Atom:
    axes = node.params["axes"]
    if source.aval.weak_type and not isinstance(source, Literal) and mixed:
        source = weak.strong(source, node, scope)
    aval = scope.aval(atom.type, node.where)
    given = {"broadcast_dimensions": axes} if axes else {}
    return scope.op("broadcast_in_dim", lambda x, **_: broadcast.evaluate(x, *aval.shape, axes=axes), [source], aval, node.where, **given)


def _stretched(atom: Any, node: Equation, scope: Scope) -> Atom | None:
    """What the operation itself spread out to get this operand, with axes of size 1 in front; None: nothing."""
    made = scope.made(atom)
    if made is None or made.primitive is not rows.broadcast or made.where != node.where:
        return None
    source, axes = made.ins[0], made.params["axes"]
    inner = scope[source]
    if not axes:
        return inner
    shape = tuple(length if axis in axes else 1 for axis, length in enumerate(scope.aval(atom.type, node.where).shape))
    before = scope.made(source)
    if before is not None and before.primitive is rows.reshape and scope[before.ins[0]].aval.shape == shape:
        return scope[before.ins[0]]
    aval = ShapedArray(shape, inner.aval.dtype)
    return scope.op("broadcast_in_dim", lambda x, **_: np.reshape(x, shape), [inner], aval, node.where, broadcast_dimensions=axes)


def _append(node: Equation, scope: Scope, shown: list[Atom], ins: list[Atom], is_weak: bool | None = None) -> None:
    """The row's own equation."""
    row, given = node.primitive, node.params
    outs = [scope.new(out, node.where, is_weak) for out in node.outs]
    show = PARAMS.get(row)
    params = dict(given) if show is None else show(given, [atom.aval for atom in ins], outs[0].aval)
    sizes = [literal_value(atom) for atom in ins[len(shown) :]] if row not in SIZES or SIZES[row] >= 0 else [literal_value(ins[-1])]
    primitive = Primitive(NAMES.get(row, row.name), _evaluate(row, given, sizes, [out.aval.dtype for out in outs]), len(outs) > 1, params)
    scope.add(primitive, shown, outs, params, node.where)


def literal_value(atom: Atom) -> Any:
    """A size's value."""
    assert isinstance(atom, Literal), "sizes of a jaxpr are known"
    return atom.val


def _evaluate(row: Row, given: Any, sizes: list[Any], dtypes: list[Any]) -> Callable[..., Any]:
    """What the row computes, of exactly its outs' dtypes."""

    def run(*ins: Any, **params: Any) -> Any:
        if row in COLLECTIVES:
            raise NameError(f"unbound axis name: {given['axis']}")
        with np.errstate(all="ignore"):
            found = row.evaluate(*ins, *sizes, **given)
        if len(dtypes) == 1:
            return np.asarray(found, dtypes[0])[()]
        return [np.asarray(value, dtype)[()] for value, dtype in zip(found, dtypes, strict=True)]

    return run


def _one(node: Equation, scope: Scope, name: str, ins: list[Atom], run: Callable[..., Any], params: dict[str, Any]) -> None:
    """One equation with one out that is written here."""
    (out,) = [scope.new(out, node.where) for out in node.outs]
    scope.add(Primitive(name, lambda *values, **_: np.asarray(run(*values), out.aval.dtype)[()], known=params), ins, [out], params, node.where)


def _dot_general(node: Equation, scope: Scope, numbers: tuple[Any, ...], order: tuple[int, ...]) -> None:
    """A product, and its axes in another order where they stand in one."""
    dtype = node.outs[0].type.dtype
    params = {"dimension_numbers": numbers, "preferred_element_type": dtype}
    ins = [scope[atom] for atom in node.ins]
    if order == tuple(range(len(order))):
        _one(node, scope, "dot_general", ins, lambda a, b: contract.evaluate(a, b, **node.params), params)
        return
    shape = scope.aval(node.outs[0].type, node.where).shape
    before = ShapedArray(tuple(shape[order.index(axis)] for axis in range(len(order))), dtype)
    back = tuple(order.index(axis) for axis in range(len(order)))
    product = scope.op("dot_general", lambda a, b, **_: np.transpose(contract.evaluate(a, b, **node.params), back), ins, before, node.where, **params)
    _one(node, scope, "transpose", [product], lambda x: np.transpose(x, order), {"permutation": order})


def _getitem(node: Equation, scope: Scope) -> bool:
    """A part at known positions: `slice`, and `squeeze` where axes go."""
    array, *positions = (scope[atom] for atom in node.ins)
    if not all(isinstance(position, Literal) for position in positions):
        return False
    rest = iter(positions)
    starts, limits, steps, gone = [], [], [], []
    for axis, (item, length) in enumerate(zip(node.params["index"], array.aval.shape, strict=True)):
        match item:
            case rows.At():
                start, count, step = literal_value(next(rest)), 1, 1
                gone.append(axis)
            case rows.Span() if item.step > 0:
                start, count, step = literal_value(next(rest)), literal_value(next(rest)), item.step
            case rows.Full():
                start, count, step = 0, length, 1
            case _:
                return False
        starts.append(start)
        limits.append(start + (count - 1) * step + 1 if count else start)
        steps.append(step)
        if start < 0 or limits[-1] > length:
            return False  # an index that is an error when it runs
    _slice_and_squeeze(node, scope, array, (tuple(starts), tuple(limits), tuple(steps)), tuple(gone))
    return True


def _slice_and_squeeze(node: Equation, scope: Scope, array: Atom, box: tuple[tuple[int, ...], ...], gone: tuple[int, ...]) -> None:
    starts, limits, steps = box
    shape = tuple(len(range(*each)) for each in zip(starts, limits, steps, strict=True))
    part = array
    if shape != array.aval.shape or not gone:
        params = {"limit_indices": limits, "start_indices": starts, "strides": None if set(steps) <= {1} else steps}
        cut = tuple(slice(*each) for each in zip(starts, limits, steps, strict=True))
        part = scope.op("slice", lambda x, **_: x[cut], [array], ShapedArray(shape, array.aval.dtype), node.where, **params)
    if gone:
        left = ShapedArray(tuple(length for axis, length in enumerate(shape) if axis not in gone), array.aval.dtype)
        part = scope.op("squeeze", lambda x, **_: np.squeeze(x, gone)[()], [part], left, node.where, dimensions=gone)
    scope.bind(node.outs[0], part)


__all__ = ["translate"]
