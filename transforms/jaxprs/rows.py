"""What each row of the program is called in the jaxpr notation, and with which parameters: JAX's names where JAX has the operation.

    greater(a, b)                  gt a b
    reduce_sum(a; axes=(0,))       reduce_sum[axes=(0,) out_sharding=None] a
    reshape(a, 4, 3)               reshape[dimensions=None new_sizes=(4, 3) sharding=None] a

A row that stands in no table here keeps its own name, parameters and operands.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2s.transforms.jaxprs.syntax import ShapedArray
from s2s.transforms.primitives import collectives, rows
from s2s.transforms.primitives.contract import contract
from s2s.transforms.primitives.row import Primitive

NAMES: dict[Primitive, str] = {
    rows.less: "lt", rows.less_equal: "le", rows.greater: "gt", rows.greater_equal: "ge", rows.equal: "eq", rows.not_equal: "ne",
    rows.maximum: "max", rows.minimum: "min", rows.absolute: "abs", rows.power: "pow", rows.power_to: "integer_pow", rows.fmod: "rem",
    rows.arcsin: "asin", rows.arccos: "acos", rows.arctan: "atan", rows.arctan2: "atan2", rows.arcsinh: "asinh", rows.arccosh: "acosh", rows.arctanh: "atanh",
    rows.expit: "logistic", rows.erfinv: "erf_inv", rows.gammaln: "lgamma", rows.hurwitz_zeta: "polygamma_zeta",
    rows.isfinite: "is_finite", rows.rint: "round", rows.complex_: "complex", rows.select: "select_n",
    rows.logical_and: "and", rows.logical_or: "or", rows.logical_xor: "xor", rows.logical_not: "not",
    rows.bitwise_and: "and", rows.bitwise_or: "or", rows.bitwise_xor: "xor", rows.bitwise_invert: "not",
    rows.left_shift: "shift_left", rows.right_shift: "shift_right_arithmetic",
    rows.convert: "convert_element_type", rows.broadcast: "broadcast_in_dim", contract: "dot_general", rows.checkpoint_name: "name", rows.reduce_any: "reduce_or",
    rows.reduce_all: "reduce_and",
}  # fmt: skip
"""JAX's names of rows that are called otherwise here."""

Params = Callable[[Mapping[str, Any], list[ShapedArray], ShapedArray], dict[str, Any]]


def _none(params: Mapping[str, Any], ins: list[ShapedArray], out: ShapedArray) -> dict[str, Any]:
    return {}


def _axes(params: Mapping[str, Any], ins: list[ShapedArray], out: ShapedArray) -> dict[str, Any]:
    return {"axes": params["axes"]}


def _position(params: Mapping[str, Any], ins: list[ShapedArray], out: ShapedArray) -> dict[str, Any]:
    return {"axes": (params["axis"],), "index_dtype": out.dtype}


def _collected(params: Mapping[str, Any], ins: list[ShapedArray], out: ShapedArray) -> dict[str, Any]:
    return {"axes": (params["axis"],), "axis_index_groups": params["groups"]}


PARAMS: dict[Primitive, Params] = {
    rows.power_to: lambda params, ins, out: {"y": params["exponent"]},
    rows.convert: lambda params, ins, out: {"new_dtype": out.dtype, "weak_type": out.weak_type},
    rows.rint: lambda params, ins, out: {"rounding_method": 1},
    rows.reduce_sum: lambda params, ins, out: {"axes": params["axes"], "out_sharding": None},
    rows.reduce_prod: lambda params, ins, out: {"axes": params["axes"], "out_sharding": None},
    rows.sum_of_halves: lambda params, ins, out: {"axes": params["axes"], "out_sharding": None},
    rows.prod_of_halves: lambda params, ins, out: {"axes": params["axes"], "out_sharding": None},
    rows.reduce_max: _axes, rows.reduce_min: _axes, rows.reduce_any: _axes, rows.reduce_all: _axes, rows.argmax: _position, rows.argmin: _position,
    rows.broadcast: lambda params, ins, out: {"broadcast_dimensions": params["axes"]} if params["axes"] else {},
    rows.transpose: lambda params, ins, out: {"permutation": params["axes"]},
    rows.reshape: lambda params, ins, out: {"dimensions": None, "new_sizes": out.shape, "sharding": None},
    rows.concatenate: lambda params, ins, out: {"dimension": params["axis"]},
    rows.iota: lambda params, ins, out: {"dimension": 0, "dtype": out.dtype, "shape": out.shape, "sharding": None},
    rows.empty: lambda params, ins, out: {"dtype": out.dtype, "shape": out.shape},
    rows.cumsum: lambda params, ins, out: {"axis": params["axis"], "reverse": params["reverse"]},
    rows.sort: lambda params, ins, out: {"dimension": params["axis"], "is_stable": True, "num_keys": 1},
    rows.select: _none,
    collectives.psum: _collected, collectives.pmax: _collected, collectives.pmin: _collected,
    collectives.axis_index: lambda params, ins, out: {"axis_name": params["axis"]},
    collectives.ppermute: lambda params, ins, out: {"axis_name": (params["axis"],), "perm": params["perm"]},
    collectives.all_gather: lambda params, ins, out: {
        "all_gather_dimension": params["dim"], "axis_index_groups": params["groups"], "axis_name": (params["axis"],), "axis_size": out.shape[params["dim"]],
        "tiled": params["tiled"],
    },
}  # fmt: skip
"""The parameters that are shown, of rows that have other ones: (the row's, types of operands, type of the out) -> what is shown."""

COLLECTIVES = frozenset(each for each in vars(collectives).values() if isinstance(each, Primitive))
"""What only those can compute who bind its axis."""

SIZES: dict[Primitive, int] = {rows.broadcast: 1, rows.reshape: 1, rows.retype: 1, rows.concatenate: -1, rows.iota: 0, rows.empty: 0, collectives.all_gather: 1}
"""How many of a row's operands are no sizes: those stand in the out's type."""


def dimension_numbers(spec: str) -> tuple[tuple[Any, ...], tuple[int, ...]] | None:
    """JAX's ((contracted axes of both), (batch axes of both)) for a product, and how its axes stand in the result; None where it is none of those.

    >>> dimension_numbers("ij,j->i"), dimension_numbers("bij,bjk->bik"), dimension_numbers("ij,kj->ki"), dimension_numbers("ij,j->j")
    (((([1], [0]), ([], [])), (0,)), ((([2], [1]), ([0], [0])), (0, 1, 2)), ((([1], [1]), ([], [])), (1, 0)), None)
    """
    operands, result = spec.split("->")
    left, right = operands.split(",")
    if any(len({*each}) != len(each) for each in (left, right)) or ({*left} ^ {*right}) - {*result}:
        return None
    shared = [letter for letter in left if letter in right]
    batch = [letter for letter in shared if letter in result]
    summed = [letter for letter in shared if letter not in result]
    made = [*batch, *(letter for letter in left + right if letter not in shared)]
    places = lambda letters: tuple([each.index(letter) for letter in letters] for each in (left, right))  # noqa: E731 - of both operands
    return (places(summed), places(batch)), tuple(made.index(letter) for letter in result)


__all__ = ["COLLECTIVES", "NAMES", "PARAMS", "SIZES", "dimension_numbers"]
