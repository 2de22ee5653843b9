"""Whole numbers whose elements are known before the run: what equations compute of constants, and of small arrays that a call tells.

    order = np.roll(np.arange(3), 1)        [2, 0, 1], before anything runs
    x.transpose(order)                      so the axes are known
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from s2s.transforms.primitives.row import Out, Primitive
from s2s.types import Array, Atom, Dim, Literal, Var, is_few


def computed(told: Mapping[Var, np.ndarray], types: Sequence[Array], row: Primitive, ins: tuple[Atom, ...], params: Mapping[str, Any]) -> list[np.ndarray] | None:
    """What an equation gives whose operands are known; None where that is no small array of whole numbers, or where the run will raise. Rows that only mean something where they run have no samples, or are functions from outside."""
    if not row.samples or row.name == "opaque" or not all(is_few(_decided(type_), type_.dtype) for type_ in types):
        return None
    values = [atom.type.dtype.type(atom.value) if isinstance(atom, Literal) else told[atom] for atom in ins]
    try:
        with np.errstate(all="ignore"):
            found = row.evaluate(*values, **params)
    except (ArithmeticError, IndexError, ValueError):  # such as an index that a check refuses
        return None
    arrays = [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
    fit = all(_fits(array, type_) and is_few(array.shape, array.dtype) for array, type_ in zip(arrays, types, strict=True))
    return arrays if fit else None


def _decided(type_: Array) -> list[Dim]:
    """The sizes of a type but for those that the equation itself finds."""
    return [dim for dim in type_.shape if not isinstance(dim, Out)]


def _fits(array: np.ndarray, type_: Array) -> bool:
    return array.dtype == type_.dtype and array.ndim == type_.ndim and all(isinstance(dim, Out) or size == dim for size, dim in zip(array.shape, type_.shape, strict=True))


__all__ = ["computed"]
