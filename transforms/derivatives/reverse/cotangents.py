"""Cotangents inside one equation's adjoint: sums of values and of parts of arrays, and the transposes of linear equations."""
from __future__ import annotations

from s2s.errors import UnsupportedError
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Equation, Var
from s2s.transforms.primitives.indexing import additem
from s2s.transforms.primitives.row import Nothing, NotYet
from s2s.transforms.primitives.value import Cotangent, Scatter, Value, zeros


def add_cotangent(bars: dict[Atom, Cotangent], atom: Atom, bar: Cotangent) -> None:
    """Sum cotangents inside one equation's adjoint; a Scatter is added to what is there."""
    seen = bars.get(atom)
    if seen is None or bar is None:
        bars[atom] = bar if seen is None else seen
        return
    if isinstance(seen, Scatter) and isinstance(bar, Scatter):
        into = zeros(seen.value.builder, atom.type)
        seen = additem(into, seen.value, *seen.operands, index=seen.index)
    if isinstance(seen, Scatter):
        seen, bar = bar, seen
    assert isinstance(seen, Value)
    bars[atom] = additem(seen, bar.value, *bar.operands, index=bar.index) if isinstance(bar, Scatter) else seen + bar


def transpose_equation(step: Equation, inner: dict[Atom, Cotangent], linear: set[Atom], builder: Builder) -> None:
    """The adjoint of one linear equation."""
    bars = tuple(inner.pop(out, None) for out in step.outs)
    if all(bar is None for bar in bars):
        return
    rule = step.primitive.transpose
    if isinstance(rule, NotYet | Nothing):
        raise UnsupportedError(f"{step.primitive.name} has no transpose", where=step.where, why=str(rule))
    values = tuple(_dense(bar, out, builder) for bar, out in zip(bars, step.outs, strict=True))
    back = rule(values, tuple(Value(builder, atom) for atom in step.ins), tuple(atom in linear for atom in step.ins), **step.params)
    for atom, bar in zip(step.ins, back, strict=True):
        if atom in linear and bar is not None:
            add_cotangent(inner, atom, bar)


def _dense(bar: Cotangent, out: Var, builder: Builder) -> Value | None:
    if isinstance(bar, Scatter):
        return additem(zeros(builder, out.type), bar.value, *bar.operands, index=bar.index)
    return bar
