"""Discrete Fourier transforms along one axis: linear rows.

    fft(x)[j] = sum_k x[k] exp(-2 pi i j k / n)        inverse: exp(+…)
    rfft(x) the first n // 2 + 1 of them, of real x    irfft(c) real, of the half of a spectrum that rfft gives

The matrix of `fft` is symmetric, so that it is its own transpose; half spectra are transposed by each other, with weights for what stands in them twice.
`scale` says what the results are divided by: "" nothing, "n" the length, "sqrt" its root.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.errors import ShapeError
from s2s.transforms.primitives.conversion import TO_REAL, conj
from s2s.transforms.primitives.families import linear_structural
from s2s.transforms.primitives.logic import logical_and
from s2s.transforms.primitives.row import Cost, Primitive
from s2s.transforms.primitives.structural import complex_draws, draws, iota, sample, shared_sizes
from s2s.transforms.primitives.value import Value, Values
from s2s.types import COMPLEX64, COMPLEX128, FLOAT32, Array, Atom, atom_dim

FORWARD: dict[str, Any] = {"": "backward", "n": "forward", "sqrt": "ortho"}
INVERSE: dict[str, Any] = {"": "forward", "n": "backward", "sqrt": "ortho"}
"""What NumPy calls a scale, of its functions that go forward, and of their inverses."""


def _like(type_: Array, dtype: np.dtype, axis: int, length: Atom | None) -> Array:
    shape = list(type_.shape)
    if length is not None:
        shape[axis] = atom_dim(length)
    return Array(dtype, tuple(shape))


def _infer_fft(ins: tuple[Atom, ...], *, axis: int, inverse: bool, scale: str) -> tuple[Array, ...]:
    if ins[0].type.dtype.kind != "c":
        raise ShapeError(f"{ins[0].type} is no array of complex numbers")
    return (ins[0].type.strong(),)


def _infer_rfft(ins: tuple[Atom, ...], *, axis: int, scale: str) -> tuple[Array, ...]:
    if ins[0].type.dtype.kind != "f":
        raise ShapeError(f"{ins[0].type} is no array of floats")
    return (_like(ins[0].type, COMPLEX64 if ins[0].type.dtype == FLOAT32 else COMPLEX128, axis, ins[1]),)


def _infer_irfft(ins: tuple[Atom, ...], *, axis: int, scale: str) -> tuple[Array, ...]:
    if ins[0].type.dtype.kind != "c":
        raise ShapeError(f"{ins[0].type} is no array of complex numbers")
    return (_like(ins[0].type, TO_REAL[ins[0].type.dtype], axis, ins[1]),)


def _evaluate_fft(x: Any, *, axis: int, inverse: bool, scale: str) -> Any:
    return np.fft.ifft(x, axis=axis, norm=INVERSE[scale]) if inverse else np.fft.fft(x, axis=axis, norm=FORWARD[scale])


def _inner(spectrum: Value, n: Value, axis: int) -> Value:
    """Where in half a spectrum stands what a whole one has twice: everywhere but at 0 and at n / 2."""
    place = iota(spectrum.dim(axis)).broadcast_to(spectrum.shape, (axis,))
    whole = n.broadcast_to(spectrum.shape, ())
    return logical_and(place.like(0) < place, place + place < whole)


def _weighted(spectrum: Value, n: Value, axis: int, weight: float) -> Value:
    """Half a spectrum with what a whole one has twice multiplied."""
    return _inner(spectrum, n, axis).where(spectrum * weight, spectrum)


def _transpose_rfft(bars: Any, ins: Values, linear: tuple[bool, ...], *, axis: int, scale: str) -> Any:
    n = ins[0].dim(axis)
    return irfft(_weighted(conj(bars[0]), n, axis, 0.5), n, axis=axis, scale=scale), None


def _transpose_irfft(bars: Any, ins: Values, linear: tuple[bool, ...], *, axis: int, scale: str) -> Any:
    spectrum = rfft(bars[0], ins[0].dim(axis), axis=axis, scale=scale)
    return _weighted(conj(spectrum), ins[1], axis, 2.0), None


def _batch(primitive: Primitive, ins: Values, batched: tuple[bool, ...], size: Value, *, axis: int, **params: Any) -> Any:
    shared_sizes(primitive, batched[1:], size.builder.where)
    return (primitive(*ins, axis=axis + 1, **params),), (True,)


fft: Primitive = linear_structural(
    "fft", _evaluate_fft, infer=_infer_fft, linear_in=(0,), cost=Cost.HEAVY, batch=_batch,
    transpose=lambda bars, ins, linear, **params: (fft(bars[0], **params),),
    samples=(
        *(sample(complex_draws(*shape), axis=axis, inverse=inverse, scale=scale) for inverse in (False, True) for shape, axis, scale in (((5,), 0, ""), ((4,), 0, "n"), ((2, 3, 2), 1, "sqrt"), ((1,), 0, "n"))),
        sample(complex_draws(3, 4, dtype=np.complex64), axis=1, inverse=False, scale="", wrt=()), sample(complex_draws(0, 4), axis=1, inverse=False, scale="", wrt=()),
    ),
)
"""fft(x; axis, inverse, scale)."""

rfft: Primitive = linear_structural(
    "rfft", lambda x, m, *, axis, scale: np.fft.rfft(x, axis=axis, norm=FORWARD[scale]), infer=_infer_rfft, linear_in=(0,), cost=Cost.HEAVY, batch=_batch,
    transpose=_transpose_rfft,
    samples=(
        *(sample(draws(*shape), shape[axis] // 2 + 1, axis=axis, scale=scale) for shape, axis, scale in (((5,), 0, ""), ((6,), 0, "n"), ((2, 4, 3), 1, "sqrt"), ((1,), 0, ""), ((2,), 0, "n"))),
        sample(draws(3, 4, dtype=np.float32), 3, axis=1, scale="", wrt=()),
    ),
)
"""rfft(x, n // 2 + 1; axis, scale) of real x of length n."""

irfft: Primitive = linear_structural(
    "irfft", lambda x, n, *, axis, scale: np.fft.irfft(x, int(n), axis=axis, norm=INVERSE[scale]), infer=_infer_irfft, linear_in=(0,), cost=Cost.HEAVY, batch=_batch,
    transpose=_transpose_irfft,
    samples=(
        *(sample(complex_draws(*(n // 2 + 1 if k == axis else size for k, size in enumerate(shape))), n, axis=axis, scale=scale)
          for shape, axis, n, scale in (((5,), 0, 5, "n"), ((6,), 0, 6, ""), ((2, 4, 3), 1, 4, "sqrt"), ((1,), 0, 1, "n"), ((2,), 0, 2, "n"))),
        sample(complex_draws(3, 3, dtype=np.complex64), 4, axis=1, scale="n", wrt=()),
    ),
)  # fmt: skip
"""irfft(c, n; axis, scale): the n real numbers whose rfft is c; imaginary parts at 0 and n / 2 are not read."""

ROWS = (fft, rfft, irfft)
