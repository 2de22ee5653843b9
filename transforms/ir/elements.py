"""Whole numbers whose elements are known before the run: what equations compute of constants, and of small arrays that a call tells.

    order = np.roll(np.arange(3), 1)        [2, 0, 1], before anything runs
    x.transpose(order)                      so the axes are known
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from s2s.transforms.primitives.row import Primitive
from s2s.types import Atom, Literal, Var, is_few


def computed(told: Mapping[Var, np.ndarray], outs: Sequence[Var], row: Primitive, ins: tuple[Atom, ...], params: Mapping[str, Any]) -> dict[Var, np.ndarray]:
    """What an equation gives whose operands are known; nothing where that is no small array of whole numbers, or where the run will raise. Rows that only mean something where they run have no samples, or are functions from outside."""
    if not row.samples or row.name == "opaque" or not all(is_few(out.type.shape, out.type.dtype) for out in outs):
        return {}
    values = [atom.type.dtype.type(atom.value) if isinstance(atom, Literal) else told[atom] for atom in ins]
    try:
        with np.errstate(all="ignore"):
            found = row.evaluate(*values, **params)
    except (ArithmeticError, IndexError, ValueError):  # such as an index that a check refuses
        return {}
    arrays = [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
    fit = all(array.shape == out.type.shape and array.dtype == out.type.dtype for array, out in zip(arrays, outs, strict=True))
    return dict(zip(outs, arrays, strict=True)) if fit else {}


__all__ = ["computed"]
