"""Views: what NumPy functions make without a copy stays a view of its storage, so that stores through it are seen.

    np.transpose(x), x.reshape(n, m), np.flip(x), np.split(x, 2)    steps behind the view of x
    np.ravel(x) of unknown memory order                             an array that may share storage with x
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ArgumentValueError, UnsupportedError
from s2s.transforms.ir.program import Equation
from s2s.transforms.primitives import rows, structural
from s2s.transforms.primitives.indexing import At, Full, Span, getitem
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.faults import asks_python
from s2s.transforms.read.numpy.arguments import made_by
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import product, reshape
from s2s.transforms.read.numpy.creation import NO_COPY
from s2s.transforms.read.numpy.products import einsum_letters
from s2s.transforms.read.numpy.table import NUMPY_FUNCTIONS
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.storage.access import is_contiguous, laid_out, load, new_array
from s2s.transforms.read.storage.cells import note_made_of
from s2s.transforms.read.storage.lying import is_view, lying
from s2s.transforms.read.values import Abstract, Component, ListRef, Part, Reshaped, Step, Transposed, View, is_runtime, remake
from s2s.transforms.read.wrapping import unwrap, wrap
from s2s.types import Atom, Var

TRANSPOSES = (np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.permute_dims, np.matrix_transpose, np.linalg.matrix_transpose)
RESHAPES = (np.reshape, np.ravel, np.squeeze, np.expand_dims, np.atleast_1d, np.atleast_2d, np.atleast_3d)
OF_EACH = (np.atleast_1d, np.atleast_2d, np.atleast_3d, np.ix_)
"""Functions of several arrays that give a view of each."""
CONVERSIONS = (np.asarray, np.asanyarray, np.array, np.ascontiguousarray)
"""The argument itself, unless a copy is asked for or needed."""
VIEWS = (np.flip, np.fliplr, np.flipud, np.rot90, np.real, np.imag, np.split, np.array_split, np.hsplit, np.vsplit, np.unstack)
"""Functions whose result shares storage with their argument."""
ALIASES = (np.diagonal, np.broadcast_to, np.broadcast_arrays, np.diag, np.asfortranarray, np.require, np.nan_to_num, np.real_if_close)
"""Functions whose result may share storage with their argument: nothing may be written to either while both are in use (`may_alias`)."""
ITSELF = (np.diff, np.linalg.matrix_power)
"""Functions that give back their argument where they have nothing to do."""
WINDOWS = (np.lib.stride_tricks.sliding_window_view, np.lib.stride_tricks.as_strided)
"""Composed functions whose result shares storage with their argument."""
READ_ONLY = (np.broadcast_to, np.diagonal, np.lib.stride_tricks.sliding_window_view)
"""Functions into whose result nothing can be stored."""


def may_alias(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> bool:
    """Whether what a function gives may share storage with its arguments: np.diag of a vector makes a matrix, others copy unless they are told not to."""
    if function is np.diag:
        return not (isinstance(args[0], View) and len(load(reader, args[0]).atom.type.shape) == 1)
    if function is np.nan_to_num:
        return (args[1] if len(args) > 1 else kwargs.get("copy", True)) is not True
    return function in ALIASES or function is np.meshgrid and kwargs.get("copy", True) is not True


def view_call(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """The view that a transposing, reshaping or converting function makes of an array; None if the function is none of these, or copies."""
    if function in OF_EACH and (len(args) > 1 or function is np.ix_):
        return _of_each(reader, function, args, kwargs)
    view = args[0]
    if not isinstance(view, View):
        return None
    if function in TRANSPOSES:
        return _transposed(reader, function, args, kwargs)
    if function in CONVERSIONS:
        return _converted(reader, function, args, kwargs)
    if function not in RESHAPES:
        return None
    copy = kwargs.get("copy")
    if is_runtime(copy):
        raise reader.unsupported(f"np.{function.__name__} with a `copy` that is known only at run time", "an if")
    if copy:
        return None
    with building(reader.builder):
        array = load(reader, view)
        result = NUMPY_FUNCTIONS[function](array, *(wrap(reader, arg) for arg in args[1:]), **{key: wrap(reader, arg) for key, arg in kwargs.items()})
    if function is np.ravel and array.ndim == 1 and not (view.cell.contiguous and not view.steps or in_order(reader, view)):
        model = lying(reader, view)
        if model is None:
            return _maybe_copied(reader, view, structural.copy(array))  # ravel copies what is not contiguous
        return View(view.cell, view.steps) if model.flags.c_contiguous else new_array(reader, structural.copy(array).atom)
    reshaped = _reshaped(reader, view, array, result, function)
    if copy is not None and reshaped.cell is not view.cell:
        is_sure = all(isinstance(dim, int) for dim in result.shape)
        raise _unavoidable(reader, view, function, "Unable to avoid creating a copy while reshaping.", is_sure=is_sure)
    return View(view.cell, view.steps) if reshaped is view and function in (np.reshape, np.ravel) else reshaped  # a view of its own


def _of_each(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What a function of several arrays makes of each: views of those that are arrays."""
    with building(reader.builder):
        found = unwrap(reader, NUMPY_FUNCTIONS[function](*(wrap(reader, arg) for arg in args), **{key: wrap(reader, arg) for key, arg in kwargs.items()}), arrays=True)
    for item, arg in zip(found, args, strict=True):
        if isinstance(arg, View) and isinstance(item, View) and load(reader, item).dtype == load(reader, arg).dtype:
            item_view = _reshaped(reader, arg, load(reader, arg), load(reader, item), function)
            found = tuple(item_view if each is item else each for each in found)
    return found


def _transposed(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> View:
    view = args[0]
    with building(reader.builder):
        array = load(reader, view)
        result = NUMPY_FUNCTIONS[function](array, *(wrap(reader, arg) for arg in args[1:]), **{key: wrap(reader, arg) for key, arg in kwargs.items()})
    if result.atom is array.atom:
        return View(view.cell, view.steps)  # a view of its own
    made = made_by(reader.builder, result.atom)
    assert made is not None
    axes: tuple[int, ...] = made.params["axes"]
    last = view.steps[-1] if view.steps else None
    if isinstance(last, Transposed) and all(last.axes[axis] == place for place, axis in enumerate(axes)):  # the transpose of a transpose
        return View(view.cell, view.steps[:-1])
    return View(view.cell, (*view.steps, Transposed(axes)))


@asks_python
def _converted(reader: Reader, function: Any, args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """np.asarray, np.array, np.ascontiguousarray of an array: itself, or None where a copy is made."""
    options = {**dict(zip(("dtype", "order") if function in (np.asarray, np.asanyarray) else ("dtype",), args[1:], strict=False)), **kwargs}
    copy = options.pop("copy", True if function is np.array else None)
    dtype, order = options.pop("dtype", None), options.pop("order", "C" if function is np.ascontiguousarray else None)
    if not isinstance(copy, bool | int | None):
        raise reader.unsupported(f"np.{function.__name__} with a `copy` that is known only at run time", "an if")
    array = load(reader, args[0])
    if copy:
        return None
    if dtype is not None and np.dtype(wrap(reader, dtype)) != array.dtype:
        if copy is False:
            raise ArgumentValueError(NO_COPY, where=reader.builder.where)
        return None
    least, _ = options.pop("ndmin", int(function is np.ascontiguousarray)), options.pop("subok", False)
    if is_runtime(least):
        return None
    order = "C" if order == "F" and array.ndim < 2 else order if array.ndim else None
    if order == "F" and copy is False:
        raise reader.unsupported(f"np.{function.__name__} with order='F' and copy=False, which depends on the array's layout in memory", "copy=None")
    uncopied = _uncopied(reader, args[0], array, order, is_plain=all(value is None for value in options.values()))
    if copy is not None and uncopied.cell is not args[0].cell:
        raise _unavoidable(reader, args[0], function, NO_COPY, is_sure=True)
    if least <= array.ndim:
        return uncopied
    with building(reader.builder):
        return _reshaped(reader, uncopied, array, reshape(array, (*(1,) * (least - array.ndim), *array.shape)), np.expand_dims)


def _unavoidable(reader: Reader, view: View, function: Any, words: str, *, is_sure: bool) -> ArgumentValueError | UnsupportedError:
    """The error of copy=False where a copy is made: NumPy's, if it surely makes one where it is known how the array lies."""
    if not is_sure or lying(reader, view) is None:
        return reader.unsupported(f"np.{function.__name__} with copy=False, which depends on the array's layout in memory", "copy=None")
    return ArgumentValueError(words, where=reader.builder.where)


def _uncopied(reader: Reader, view: View, array: Value, order: Any, *, is_plain: bool) -> View:
    """A converted array of which no copy is asked for: itself where it lies in the order wanted."""
    if is_plain and (order in (None, "K", "A") or order == "C" and is_contiguous(reader, view)):
        return view
    if is_plain and order == "C" and in_order(reader, view):
        return _in_c_order(reader, view, array)
    model = lying(reader, view) if is_plain else None
    if model is not None and (model.flags.f_contiguous if order == "F" else model.flags.c_contiguous):
        return view
    if model is not None:
        return laid_out(reader, new_array(reader, structural.copy(array).atom), order, view)
    copied = _maybe_copied(reader, view, structural.copy(array))
    laid_out(reader, copied, order, view)
    copied.cell.like = order or "K", (view,)  # or it is that array, whose axes of length 1 have strides of their own
    return copied


def _in_c_order(reader: Reader, view: View, array: Value) -> View:
    """An array of the caller if it lies in C order, else a copy: as its ravel."""
    line = Reshaped((product(reader.builder, array.shape),), ravel=True)
    return View(view.cell, (*view.steps, line, *([] if array.ndim == 1 else [Reshaped(array.shape, ravel=False)])))


def in_order(reader: Reader, view: View, *, needed: bool = False) -> bool:
    """Whether an array of the caller can be taken to lie in C order, as a whole: asked of it in a call if something is stored into it (or `needed`)."""
    if view.cell.owner is None or view.cell.strides is not None or reader.is_helper or not all(isinstance(step, Reshaped) for step in view.steps):
        return False
    reader.in_order[view.cell] = needed or reader.in_order.get(view.cell, False)
    return True


def _maybe_copied(reader: Reader, view: View, content: Value) -> View:
    """An array that NumPy copies where its layout in memory makes it necessary."""
    copied = new_array(reader, content.atom)
    note_made_of(reader, copied.cell, view.cell)
    return copied


def views_in(reader: Reader, result: Abstract, args: tuple[Abstract, ...], *, of_diagonals: bool = False) -> Abstract:
    """What a function of VIEWS made of the array args[0]: views of it where it indexed and transposed only, else what may share its storage."""
    if isinstance(result, ListRef):
        reader.heap[result] = tuple(views_in(reader, item, args) for item in reader.heap[result])
        return result
    if isinstance(result, tuple):
        return remake(result, [views_in(reader, item, args) for item in result])
    if not isinstance(result, View) or not args:
        return result
    if isinstance(args[0], View) and (steps := _steps_to(reader, load(reader, args[0]).atom, reader.heap[result.cell], of_diagonals=of_diagonals)) is not None:
        return View(args[0].cell, (*args[0].steps, *steps))
    note_sharing(reader, result, args)
    return result


def itself(reader: Reader, result: Abstract, array: Abstract) -> Abstract:
    """What a function of ITSELF gave: the array where its content is the array's."""
    is_same = isinstance(result, View) and isinstance(array, View) and reader.heap[result.cell] is load(reader, array).atom
    return array if is_same else result


def rearranged(reader: Reader, result: Abstract, args: tuple[Abstract, ...]) -> Abstract:
    """np.einsum of one operand without a sum is a view of it."""
    if len(args) != 2 or not isinstance(args[0], str) or not isinstance(result, View):
        return result
    (letters,), kept = einsum_letters(args[0])
    return result if set(letters) - set(kept) else views_in(reader, result, args[1:], of_diagonals=True)


def note_sharing(reader: Reader, result: Abstract, args: tuple[Abstract, ...]) -> None:
    """The result may be the same storage as the arguments."""
    if isinstance(result, ListRef | tuple):
        for item in reader.heap[result] if isinstance(result, ListRef) else result:
            note_sharing(reader, item, args)
    if isinstance(result, View):
        for arg in args:
            if isinstance(arg, View):
                note_made_of(reader, result.cell, arg.cell)


def _steps_to(reader: Reader, array: Atom, result: Atom, *, of_diagonals: bool = False) -> tuple[Step, ...] | None:
    """The steps that lead from one array to another one; None where something else was done. `of_diagonals`: elements that are taken are a view, too."""
    steps: tuple[Step, ...] = ()
    made = {node.outs[0]: node for node in reader.builder.nodes if isinstance(node, Equation) and len(node.outs) == 1}
    while result is not array:
        node = made.get(result) if isinstance(result, Var) else None
        if node is None:
            return None
        if node.primitive is getitem and (of_diagonals or all(isinstance(item, At | Span | Full) for item in node.params["index"])):
            steps = (Part(node.params["index"], node.ins[1:], node.where), *steps)
        elif node.primitive is structural.transpose:
            steps = (Transposed(node.params["axes"]), *steps)
        elif node.primitive in (rows.real, rows.imag):
            steps = (Component(node.primitive is rows.real), *steps)
        else:
            return None
        result = node.ins[0]
    return steps


def _reshaped(reader: Reader, view: View, array: Any, result: Any, function: Any) -> Abstract:
    """A reshape as a view where NumPy surely makes one, a copy where it surely copies, else an array that may be an alias."""
    ravel = function is np.ravel and view.cell.owner is not None
    if (result.atom is array.atom or result.shape == array.shape) and not ravel:
        return view
    dims = result.shape
    last = view.steps[-1] if view.steps else None
    contiguous = view.cell.contiguous and all(isinstance(step, Reshaped) for step in view.steps)
    surely = function not in (np.reshape, np.ravel) or contiguous or (array.ndim == 1 and result.ndim > 1 and not isinstance(last, Reshaped))
    if surely or in_order(reader, view):
        return View(view.cell, (*view.steps, Reshaped(dims, ravel)))
    model, sizes = lying(reader, view), tuple(dim for dim in dims if isinstance(dim, int))
    if model is None or len(sizes) != len(dims):
        return _maybe_copied(reader, view, structural.reshape(array, *result.dims()))
    if is_view(model, sizes, ravel=function is np.ravel):
        return View(view.cell, (*view.steps, Reshaped(dims, ravel)))
    return _in_c(reader, structural.reshape(array, *result.dims()))


def _in_c(reader: Reader, content: Value) -> View:
    """A copy, which lies in C order."""
    copied = new_array(reader, content.atom)
    copied.cell.contiguous = True
    return copied
