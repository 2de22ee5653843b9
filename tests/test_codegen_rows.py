"""Every row of the table, emitted for both targets, against the interpreter. The cpu text is run as plain Python here
(fast, for every sample); that Numba compiles it to the same numbers is tested for whole groups of rows at once.
"""
from __future__ import annotations

import warnings

import nodes
import numpy as np
import pytest
from codegen_kernels import check_results, load, run
from test_rules import Point
from turns import in_turn

from s2s.codegen.emit import emit_kernels, prepared
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Function
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.primitives.table import TABLE

CASES = [pytest.param(row, number, id=f"{row.name}-{number}") for row in TABLE for number in range(len(row.samples))]


def function_of(row: Primitive, number: int) -> tuple[Function, tuple[object, ...]]:
    """A program of this one row at a sample."""
    point = Point(row, row.samples[number])
    builder = new_builder()
    outs = builder.equation(row, tuple(point.atoms), point.sample.params)
    return nodes.Function(row.name, point.params, builder.block(*outs)), tuple(point.arguments[param] for param in point.params)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("row", "number"), CASES)
def test_row(row: Primitive, number: int, target: str) -> None:
    if row.name == "empty":
        pytest.skip("its elements are undefined")
    function, args = function_of(row, number)
    wanted = interpret(function, *args)
    kernels = emit_kernels(prepared(function, target), name="_kernel", target=target)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        got = run(kernels, load(kernels, compiled=False), args)
    check_results(got, wanted, kernels.text, exact_dtype=target == "numpy")


def groups() -> list[list[tuple[Primitive, int]]]:
    """A few samples of each row, of different dtypes and ranks, sixteen to a program."""
    chosen: list[tuple[Primitive, int]] = []
    for row in TABLE:
        seen = set()
        for number, sample in enumerate(row.samples):
            numbers = [np.asarray(each) for each in sample.make(np.random.default_rng(0))]
            key = (numbers[0].dtype, min(numbers[0].ndim, 1), tuple(sample.params) if row.name not in ("contract", "getitem", "setitem", "additem") else str(sample.params))
            if key not in seen and all(array.size for array in numbers) and row.name not in ("empty", "grow"):
                seen.add(key)
                chosen.append((row, number))
    return [chosen[start:start + 16] for start in range(0, len(chosen), 16)]


@pytest.mark.parametrize("group", in_turn(groups(), 4), ids=lambda group: f"{group[0][0].name}-{group[-1][0].name}")
def test_compiled(group: list[tuple[Primitive, int]]) -> None:
    builder = new_builder()
    params, args, results = [], [], []
    for row, number in group:
        point = Point(row, row.samples[number])
        outs = builder.equation(row, tuple(point.atoms), point.sample.params)
        params += point.params
        args += [point.arguments[param] for param in point.params]
        results += outs
    function = nodes.Function("group", tuple(params), builder.block(*results))
    wanted = interpret(function, *args)
    kernels = emit_kernels(prepared(function, "cpu"), name="_kernel", target="cpu")
    check_results(run(kernels, load(kernels), tuple(args)), wanted, kernels.text, exact_dtype=False)
