"""How an array lies in memory, by NumPy itself, where the reading knows all sizes: an array of the same shape and strides, whose memory is never looked at.

    x.T.reshape(-1)          NumPy says whether that is a view or a copy
    np.copy(x[:, ::2])       lies as NumPy lays out an array like it

The strides of the caller's arrays are part of what is told where a call asks for them (`Request.tell_layout`).
"""
from __future__ import annotations

import math
from typing import Literal, assert_never

import numpy as np

from s2s.transforms.primitives.indexing import At, Full, Span
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import load
from s2s.transforms.read.values import Abstract, Cell, Component, Part, Reshaped, Step, Transposed, View, is_atom, is_number


def lying(reader: Reader, view: View) -> np.ndarray | None:
    """An array that lies as this one does, of memory that is not its own; None where that is not known. Its elements must not be read."""
    found = _of_cell(reader, view.cell)
    for number, step in enumerate(view.steps):
        if found is None:
            return None
        found = _behind(reader, found, step, View(view.cell, view.steps[: number + 1]))
    return found


def lies_in_c_order(reader: Reader, view: View) -> bool:
    """Whether it is known to."""
    found = lying(reader, view)
    return found is not None and found.flags.c_contiguous


def is_view(array: np.ndarray, shape: tuple[int, ...], *, ravel: bool) -> bool:
    """Whether NumPy's reshape of an array that lies so is a view; `ravel`: its np.ravel, which copies whatever is not contiguous."""
    if ravel:
        return array.flags.c_contiguous
    return _reshaped(array, shape) is not None


def _reshaped(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray | None:
    if array.size != math.prod(shape):
        return np.empty(shape, array.dtype)  # the run raises before anything asks
    try:
        return array.reshape(shape, copy=False)
    except ValueError:  # NumPy would have to copy it
        return None


def _of_cell(reader: Reader, cell: Cell) -> np.ndarray | None:
    if cell.selected is not None:
        return None
    type_ = reader.heap[cell].type
    shape = tuple(dim for dim in type_.shape if isinstance(dim, int))
    if len(shape) != type_.ndim:
        return None
    if cell.strides is not None:
        return _with_strides(shape, cell.strides, type_.dtype)
    if cell.contiguous and (cell.like is None or cell.like[0].startswith("ufunc")):
        return np.empty(shape, type_.dtype)
    if cell.like is None:
        return None
    order, operands = cell.like
    models = [_of_operand(reader, operand) for operand in operands]
    arrays = [model for model in models if model is not None]
    if len(arrays) != len(models):
        return None
    if order.startswith("ufunc"):
        return _of_elements(arrays, "A" if order.endswith("A") else "K", shape, type_.dtype)
    return np.empty_like(arrays[0], dtype=type_.dtype, order=order, shape=shape) if arrays else np.empty(shape, type_.dtype, order=order)  # type: ignore[call-overload]


def _of_operand(reader: Reader, operand: Abstract) -> np.ndarray | None:
    if isinstance(operand, View):
        return lying(reader, operand)
    return np.zeros(()) if is_atom(operand) or is_number(operand) else None


def _of_elements(operands: list[np.ndarray], order: Literal["A", "K"], shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
    """How an elementwise function lays out its result; nothing is computed."""
    read: list[Literal["readonly"]] = ["readonly"]
    made = np.nditer([*operands, None], ["zerosize_ok"], [*[read] * len(operands), ["writeonly", "allocate"]], order=order, casting="unsafe", op_dtypes=[*(each.dtype for each in operands), dtype])
    found: np.ndarray = made.operands[-1]
    return found if found.shape == shape else None


def _behind(reader: Reader, array: np.ndarray, step: Step, seen: View) -> np.ndarray | None:
    match step:
        case Transposed():
            return array.transpose(step.axes)
        case Component():
            return array.real if step.is_real else array.imag
        case Part() | Reshaped():
            shape = tuple(dim for dim in load(reader, seen).shape if isinstance(dim, int))
            if len(shape) != load(reader, seen).ndim:
                return None
            return _reshaped(array, shape) if isinstance(step, Reshaped) else _part(array, step, shape)
        case _:
            assert_never(step)


def _part(array: np.ndarray, step: Part, shape: tuple[int, ...]) -> np.ndarray | None:
    strides = []
    for own, item in zip(array.strides, step.index, strict=True):
        match item:
            case At():
                continue
            case Span():
                strides.append(own * item.step)
            case Full():
                strides.append(own)
            case _:
                return None
    return _with_strides(shape, tuple(strides), array.dtype)


def _with_strides(shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array over one element's memory: of it only shape and strides are asked."""
    return np.lib.stride_tricks.as_strided(np.empty(1, dtype), shape, strides)


__all__ = ["is_view", "lies_in_c_order", "lying"]
