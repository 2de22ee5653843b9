"""Every row of the table at every sample: type, value, tangent, cotangent, second order, batching. One checker, no list.

A failure names the primitive, the sample and the operand. The derivative programs are made here from the rows alone
(`push` for tangents, `pull` for cotangents), so that a fault is a row's and not a rewrite's.
"""
from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import nodes
import numpy as np
import pytest
import scipy.special

from s2s.errors import UnsupportedError
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Check, Equation
from s2s.transforms.ir.verify import verify
from s2s.transforms.primitives.indexing import additem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import NOT_LINEAR, Elementwise, Nothing, NotYet, Primitive, Sample
from s2s.transforms.primitives.scalar_helpers import HELPERS, OF_ARRAYS
from s2s.transforms.primitives.table import TABLE
from s2s.transforms.primitives.value import Scatter, Value, zeros
from s2s.types import SIZE, Array, Atom, Var, dim_atom

EPS = 1e-5
EACH = {name: np.vectorize(helper, otypes=[np.float64]) for name, helper in HELPERS.items()} | OF_ARRAYS
"""Scalar helpers, of each element of arrays: as the numpy target writes them."""
BATCH = 3


class Point:
    """A row at a sample: its operands as numbers and as parameters of a program with symbolic sizes."""

    def __init__(self, row: Primitive, sample: Sample, seed: int = 0) -> None:
        self.row, self.sample = row, sample
        self.numbers = sample.make(np.random.default_rng(seed))
        self.dims: dict[int, int | Var] = {1: 1}
        self.atoms: list[Atom] = [self.atom(number, k) for k, number in enumerate(self.numbers)]
        self.params = tuple(dict.fromkeys(atom for atom in self.atoms if isinstance(atom, Var)))

    def dim(self, length: int) -> int | Var:
        return self.dims.setdefault(length, Var(f"n{length}", SIZE))

    def atom(self, number: Any, k: int) -> Atom:
        """Ints are sizes: equal ones get one Var."""
        if isinstance(number, int):
            return dim_atom(self.dim(number))
        return Var("abcdefghij"[k], Array(number.dtype, tuple(self.dim(length) for length in number.shape)))

    @property
    def arguments(self) -> dict[Var, Any]:
        return {atom: number for atom, number in zip(self.atoms, self.numbers, strict=True) if isinstance(atom, Var)}


def call(point: Point, extra: dict[Var, Any], builder: Builder, results: tuple[Atom, ...]) -> tuple[Any, ...]:
    function = nodes.Function(point.row.name, (*point.params, *extra), builder.block(*results))
    verify(function)
    return interpret(function, *(point.arguments[param] for param in point.params), *extra.values())


def push(builder: Builder, dots: dict[Atom, Value], first: int = 0) -> None:
    """The tangents of all that builder's equations from number `first` on bind."""
    for node in list(builder.nodes[first:]):
        if isinstance(node, Check):
            continue
        assert isinstance(node, Equation)
        if isinstance(node.primitive.jvp, Nothing) or not any(atom in dots for atom in node.ins):
            continue
        if isinstance(node.primitive.jvp, NotYet):
            raise UnsupportedError(f"{node.primitive.name} has no derivative yet", where=node.where, why=node.primitive.jvp.why)
        ins, outs = (tuple(Value(builder, atom) for atom in atoms) for atoms in (node.ins, node.outs))
        tangents = node.primitive.jvp(tuple(dots.get(atom) for atom in node.ins), ins, outs, **node.params)
        dots |= {out: dot for out, dot in zip(node.outs, tangents, strict=True) if dot is not None}


def pull(builder: Builder, linear: set[Atom], bars: dict[Atom, Value]) -> None:
    """The cotangents of the linear Vars, by transposing the equations that bind linear ones, backwards."""
    for node in reversed(list(builder.nodes)):
        if isinstance(node, Check):
            continue
        assert isinstance(node, Equation)
        (out, *_) = node.outs
        if out in linear and out in bars:
            rule = node.primitive.transpose
            assert not isinstance(rule, Nothing | NotYet), f"{node.primitive} stands in a tangent and has no transpose"
            ins = tuple(Value(builder, atom) for atom in node.ins)
            flags = tuple(atom in linear for atom in node.ins)
            for atom, bar in zip(node.ins, rule((bars[out],), ins, flags, **node.params), strict=True):
                if bar is not None and atom in linear:
                    bars[atom] = accumulate(bars.get(atom), bar, Value(builder, atom))


def accumulate(before: Value | None, bar: Value | Scatter, of: Value) -> Value:
    if isinstance(bar, Scatter):
        return additem(zeros(of.builder, of.type) if before is None else before, bar.value, *bar.operands, index=bar.index)
    assert bar.type.strong() == of.type.strong(), f"a cotangent of type {bar.type} for {of.type}"
    return bar if before is None else before + bar


def cases() -> Iterator[Any]:
    for row in TABLE:
        for number, sample in enumerate(row.samples):
            point = Point(row, sample)
            shapes = ",".join(str(np.shape(operand)) for operand in point.numbers)
            yield pytest.param(point, id=f"{row.name}-{number}-{shapes}{sample.params or ''}")


POINTS = list(cases())
DIFFERENTIABLE = [case for case in POINTS if case.values[0].sample.wrt and not isinstance(case.values[0].row.jvp, Nothing | NotYet)]
each_point = pytest.mark.parametrize("point", POINTS)
each_differentiable = pytest.mark.parametrize("point", DIFFERENTIABLE)


def equation(point: Point, builder: Builder) -> tuple[Var, ...]:
    return builder.equation(point.row, tuple(point.atoms), point.sample.params)


def close(found: Any, wanted: Any, what: str, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance, err_msg=what)


def tangents_of(numbers: tuple[Any, ...], wrt: tuple[int, ...], seed: int) -> dict[int, Any]:
    rng = np.random.default_rng(seed)
    return {k: random_like(rng, numbers[k]) for k in wrt}


def random_like(rng: np.random.Generator, value: Any) -> Any:
    drawn = rng.normal(size=np.shape(value))
    return np.asarray(drawn + 1j * rng.normal(size=np.shape(value)) if np.iscomplexobj(value) else drawn)


def pairing(bar: Any, dot: Any) -> float:
    return float(np.sum(bar * dot).real)


@each_point
def test_value_and_type(point: Point) -> None:
    """evaluate gives what infer says (the interpreter checks), is deterministic, and mutates nothing."""
    before = [np.array(number) for number in point.numbers]
    builder = new_builder()
    outs = equation(point, builder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = call(point, {}, builder, outs)
    with np.errstate(all="ignore"):
        direct = point.row.evaluate(*point.numbers, **point.sample.params)
    for found, wanted in zip(results, direct if isinstance(direct, tuple) else (direct,), strict=True):
        last_bits = 4 * np.finfo(np.asarray(wanted).dtype).eps if np.asarray(wanted).dtype.kind in "fc" else 0.0
        np.testing.assert_allclose(found, wanted, rtol=last_bits)  # NumPy's loops round differently by how memory happens to be aligned
        assert not any(np.shares_memory(found, number) for number in point.numbers) or point.row.name == "retype"
    for number, kept in zip(point.numbers, before, strict=True):
        np.testing.assert_array_equal(number, kept)


@pytest.mark.parametrize("point", [case for case in POINTS if isinstance(case.values[0].row.emission, Elementwise)])
def test_array_text(point: Point) -> None:
    """The NumPy expression of an elementwise row gives what evaluate gives, in new storage."""
    assert isinstance(point.row.emission, Elementwise)
    names = dict(zip("abcd", point.numbers, strict=False)) | {"np": np, "scipy": scipy} | EACH | point.sample.params
    with np.errstate(all="ignore"):
        found = np.asarray(eval(point.row.emission.array, names))
        wanted = np.asarray(point.row.evaluate(*point.numbers, **point.sample.params))
    np.testing.assert_array_equal(found, wanted)
    assert found.dtype == wanted.dtype
    assert not any(np.shares_memory(found, number) for number in point.numbers)


def first_order(point: Point, which: tuple[int, ...], numbers: tuple[Any, ...], dots: dict[int, Any]) -> tuple[Any, ...]:
    """The outs' tangents, by the row's jvp."""
    builder = new_builder()
    given = {k: Var(f"{point.atoms[k]}_dot", point.atoms[k].type) for k in which}
    outs = equation(point, builder)
    known: dict[Atom, Value] = {point.atoms[k]: Value(builder, var) for k, var in given.items()}
    push(builder, known)
    results = tuple((known[out] if out in known else zeros(builder, out.type)).atom for out in outs)
    moved = Point(point.row, point.sample)
    moved.numbers, moved.atoms, moved.params = numbers, point.atoms, point.params
    return call(moved, {given[k]: dots[k] for k in which}, builder, results)


def shifted(numbers: tuple[Any, ...], dots: dict[int, Any], step: float) -> tuple[Any, ...]:
    return tuple(number + step * dots[k] if k in dots else number for k, number in enumerate(numbers))


def differences(function: Any, numbers: tuple[Any, ...], dots: dict[int, Any]) -> list[Any]:
    with np.errstate(all="ignore"):
        ahead, behind = function(*shifted(numbers, dots, EPS)), function(*shifted(numbers, dots, -EPS))
    ahead, behind = (value if isinstance(value, tuple) else (value,) for value in (ahead, behind))
    return [(a - b) / (2 * EPS) for a, b in zip(ahead, behind, strict=True)]


def with_signs_of(point: Point, numbers: tuple[Any, ...], outs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The outs at these numbers, or their tangents: eigenvectors with the signs that they have at the point. LAPACK's evr draws them by rounding, anew for each matrix."""
    if point.row.name not in ("eigh_by", "eigh_part"):
        return outs
    here, there = (point.row.evaluate(*each, **point.sample.params)[1] for each in (point.numbers, numbers))
    return outs[0], outs[1] * np.sign(np.sum(here * there, axis=-2, keepdims=True))


def directions(point: Point) -> list[tuple[int, ...]]:
    """Each operand alone, then all together."""
    wrt = point.sample.wrt
    return [(k,) for k in wrt] + ([wrt] if len(wrt) > 1 else [])


@each_differentiable
def test_tangent(point: Point) -> None:
    """The jvp equals central differences."""
    for which in directions(point):
        dots = tangents_of(point.numbers, which, 1)
        found = first_order(point, which, point.numbers, dots)
        wanted = differences(lambda *ins: with_signs_of(point, ins, point.row.evaluate(*ins, **point.sample.params)), point.numbers, dots)
        for dot, difference in zip(found, wanted, strict=True):
            close(dot, difference, f"{point.row} with respect to operands {which}", 2e-2 if dot.dtype.itemsize == 4 else 1e-6)


@each_differentiable
def test_second_order(point: Point) -> None:
    """The jvp's jvp equals differences of the jvp."""
    which = point.sample.wrt
    dots, more = tangents_of(point.numbers, which, 1), tangents_of(point.numbers, which, 2)
    builder = new_builder()
    given = {k: Var(f"{point.atoms[k]}_dot", point.atoms[k].type) for k in which}
    again = {k: Var(f"{point.atoms[k]}_dot2", point.atoms[k].type) for k in which}
    outs = equation(point, builder)
    known: dict[Atom, Value] = {point.atoms[k]: Value(builder, var) for k, var in given.items()}
    push(builder, known)
    results = [known[out] for out in outs if out in known]
    second: dict[Atom, Value] = {point.atoms[k]: Value(builder, var) for k, var in again.items()}
    try:
        push(builder, second)
    except UnsupportedError as error:
        pytest.skip(f"refused by name: {error}")
    atoms = tuple((second[result.atom] if result.atom in second else zeros(builder, result.type)).atom for result in results)
    found = call(point, {given[k]: dots[k] for k in which} | {again[k]: more[k] for k in which}, builder, atoms)
    pushed = differences(lambda *ins: with_signs_of(point, ins, first_order(point, which, ins, dots)), point.numbers, more)
    wanted = [difference for out, difference in zip(outs, pushed, strict=True) if out in known]
    for dot, difference in zip(found, wanted, strict=True):
        close(dot, difference, f"{point.row}, second order", 1e-2 if dot.dtype.itemsize == 4 else 2e-6)


@each_differentiable
def test_cotangent(point: Point) -> None:
    """Re<bar, J dot> = Re<J^T bar, dot>, for each operand and for all together."""
    for which in directions(point):
        dots = tangents_of(point.numbers, which, 1)
        builder = new_builder()
        given = {k: Var(f"{point.atoms[k]}_dot", point.atoms[k].type) for k in which}
        outs = equation(point, builder)
        known: dict[Atom, Value] = {point.atoms[k]: Value(builder, var) for k, var in given.items()}
        push(builder, known)
        linear: set[Atom] = set(given.values())
        for node in builder.nodes:
            if isinstance(node, Equation) and any(atom in linear for atom in node.ins):
                linear.update(node.outs)
        pushed = {out: dot for out, dot in zip(outs, first_order(point, which, point.numbers, dots), strict=True) if out.type.dtype.kind in "fc"}
        given_bars = {out: Var("bar", out.type) for out in pushed}
        bars: dict[Atom, Value] = {}
        for out, bar in given_bars.items():
            if out in known:
                bars[known[out].atom] = Value(builder, bar) if known[out].atom not in bars else bars[known[out].atom] + Value(builder, bar)
        pull(builder, linear, bars)
        results = tuple((bars[var] if var in bars else zeros(builder, var.type)).atom for var in given.values())
        numbers = {out: random_like(np.random.default_rng(3), dot) for out, dot in pushed.items()}
        found = call(point, {given[k]: dots[k] for k in which} | {given_bars[out]: number for out, number in numbers.items()}, builder, results)
        close(sum(pairing(cotangent, dots[k]) for k, cotangent in zip(which, found, strict=True)), sum(pairing(numbers[out], dot) for out, dot in pushed.items()),
              f"{point.row} transposed with respect to operands {which}", 1e-3 if outs[0].type.dtype.itemsize == 4 else 1e-9)


def batchable(point: Point) -> list[int]:
    """Operands that may differ from example to example: all but sizes."""
    return [k for k, number in enumerate(point.numbers) if not isinstance(number, int)]


@each_point
def test_batch(point: Point) -> None:
    """The row over a batch equals the row of each example, stacked: for each operand batched alone and for all."""
    if isinstance(point.row.batch, NotYet):
        pytest.skip(point.row.batch.why)
    alone = batchable(point)
    for which in [(k,) for k in alone] + ([tuple(alone)] if len(alone) > 1 else []):
        examples = [Point(point.row, point.sample, seed).numbers for seed in range(BATCH)]
        numbers = [tuple(each[k] if k in which else point.numbers[k] for k in range(len(point.numbers))) for each in examples]
        builder, size = new_builder(), Var("n_batch", SIZE)
        atoms = list(point.atoms)
        for k in which:
            atoms[k] = Var(f"batch_{k}", Array(atoms[k].type.dtype, (size, *atoms[k].type.shape)))
        flags = tuple(k in which for k in range(len(atoms)))
        outs, batched = point.row.batch(point.row, tuple(Value(builder, atom) for atom in atoms), flags, Value(builder, size), **point.sample.params)
        params = {atom: x for atom, x in zip(atoms, point.numbers, strict=True) if isinstance(atom, Var)}
        params |= {atoms[k]: np.stack([each[k] for each in numbers]) for k in which}
        function = nodes.Function(point.row.name, tuple(params), builder.block(*(out.atom for out in outs)))
        verify(function)
        results = interpret(function, *params.values())
        for number, (found, is_batched) in enumerate(zip(results, batched, strict=True)):
            for example, each in enumerate(numbers):
                with np.errstate(all="ignore"):
                    wanted = point.row.evaluate(*each, **point.sample.params)
                close(found[example] if is_batched else found, wanted[number] if isinstance(wanted, tuple) else wanted,
                      f"{point.row} with operands {which} batched, example {example}", 1e-12)


@each_differentiable
def test_float32(point: Point) -> None:
    """Values and tangents of float32 (complex64) operands are float32 (complex64)."""
    small = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}
    narrow = Sample(lambda rng: tuple(
        x.astype(small[x.dtype]) if isinstance(x, np.ndarray | np.generic) and x.dtype in small else x for x in point.sample.make(rng)
    ), point.sample.params, point.sample.wrt)
    builder, narrowed = new_builder(), Point(point.row, narrow)
    outs = equation(narrowed, builder)
    which = point.sample.wrt
    given = {k: Var("dot", narrowed.atoms[k].type) for k in which}
    known: dict[Atom, Value] = {narrowed.atoms[k]: Value(builder, var) for k, var in given.items()}
    push(builder, known)
    dots = {given[k]: random_like(np.random.default_rng(1), narrowed.numbers[k]).astype(narrowed.numbers[k].dtype) for k in which}
    moving = [out for out in outs if out in known]
    for out, value in zip(moving, call(narrowed, dots, builder, tuple(known[out].atom for out in moving)), strict=True):
        assert value.dtype == out.type.dtype
        assert value.dtype.itemsize == (8 if value.dtype.kind == "c" else 4) or point.row.name == "convert"


def test_kinks() -> None:
    """The conventions at points where there is no derivative, or only from one side."""
    rows = {row.name: row for row in TABLE}
    inf, nan = np.inf, np.nan
    expected = [
        ("absolute", (0.0,), 0, 1.0), ("absolute", (0j,), 0, 0.0), ("sqrt", (0.0,), 0, inf), ("cbrt", (0.0,), 0, inf),
        ("maximum", (1.0, 1.0), 0, 0.5), ("maximum", (1.0, 1.0), 1, 0.5), ("maximum", (2.0, 1.0), 1, 0.0), ("minimum", (1.0, 1.0), 1, 0.5),
        ("minimum", (2.0, 1.0), 1, 1.0), ("fmax", (nan, 1.0), 1, 1.0), ("fmax", (nan, 1.0), 0, 0.0), ("fmin", (3.0, nan), 0, 1.0),
        ("power", (0.0, 0.0), 0, 0.0), ("power", (0.0, 2.0), 1, 0.0), ("power", (0.0, 1.0), 0, 1.0), ("power", (-2.0, 0.0), 0, 0.0),
        ("power", (-2.0, 2.0), 0, -4.0), ("hypot", (0.0, 0.0), 0, 0.0), ("logaddexp", (inf, 3.0), 0, 1.0), ("logaddexp", (inf, 3.0), 1, 0.0),
        ("logaddexp", (-inf, -inf), 0, nan), ("logaddexp", (-inf, 0.0), 0, 0.0), ("fmax", (1.0, 1.0), 0, 0.0), ("fmin", (1.0, 1.0), 1, 1.0), ("fmax", (nan, nan), 0, 1.0), ("copysign", (-2.0, 3.0), 0, -1.0), ("heaviside", (0.0, 0.5), 1, 1.0), ("reciprocal", (0.0,), 0, -inf),
        ("exp", (inf,), 0, inf), ("log", (0.0,), 0, inf), ("tanh", (inf,), 0, 0.0),
    ]
    for name, operands, wrt, wanted in expected:
        numbers = tuple(np.asarray(x) for x in operands)
        point = Point(rows[name], Sample(lambda rng, numbers=numbers: numbers, {}, (wrt,)))
        (found,) = first_order(point, (wrt,), numbers, {wrt: np.ones((), numbers[wrt].dtype)})
        np.testing.assert_equal(np.asarray(found), np.asarray(wanted), err_msg=f"{name}{operands} with respect to operand {wrt}")
    for values, wanted in (([1.0, 3.0, 3.0], [0, 0.5, 0.5]), ([2.0, 2.0], [0.5, 0.5])):
        numbers = (np.array(values),)
        point = Point(rows["reduce_max"], Sample(lambda rng, numbers=numbers: numbers, {"axes": (0,)}, (0,)))
        found = [first_order(point, (0,), numbers, {0: row})[0] for row in np.eye(len(values))]
        np.testing.assert_equal(found, wanted)


def test_every_row_without_a_transpose_is_never_linear() -> None:
    """Rows are linear or not for good: the ones without a transpose have tangents made of other rows, or none."""
    for row in TABLE:
        assert row.transpose is NOT_LINEAR or not isinstance(row.jvp, Nothing), row
