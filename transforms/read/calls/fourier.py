"""The transforms that composed functions ask for (`composed/spectra.py`), as rows."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.transforms.primitives import fourier
from s2s.transforms.primitives.sizes import plus, quotient
from s2s.transforms.primitives.value import Value
from s2s.transforms.read.composed import spectra
from s2s.transforms.read.numpy.axes import normal_axis
from s2s.transforms.read.numpy.building import building
from s2s.transforms.read.numpy.common import lift
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract
from s2s.transforms.read.wrapping import as_size, unwrap_atom, wrap


def _known(reader: Reader, scale: str) -> str:
    """A scale; none stands behind the exception of a norm that only the run knows."""
    if not isinstance(scale, str):
        raise reader.unsupported("a norm of a Fourier transform that is known only at run time", "norm='ortho', or an if")
    return scale


def _transformed(reader: Reader, x: Abstract, axis: int, inverse: bool, scale: str) -> Abstract:
    with building(reader.builder):
        value = lift(wrap(reader, x))
        return unwrap_atom(reader, fourier.fft(value, axis=normal_axis(axis, value.ndim), inverse=inverse, scale=_known(reader, scale)).atom)


def _half_spectrum(reader: Reader, x: Abstract, axis: int, scale: str) -> Abstract:
    with building(reader.builder):
        value = lift(wrap(reader, x))
        place = normal_axis(axis, value.ndim)
        count = plus(reader.builder, quotient(reader.builder, value.dim(place).atom, 2), 1)
        return unwrap_atom(reader, fourier.rfft(value, Value(reader.builder, count), axis=place, scale=_known(reader, scale)).atom)


def _from_half(reader: Reader, x: Abstract, n: Abstract, axis: int, scale: str) -> Abstract:
    with building(reader.builder):
        value = lift(wrap(reader, x))
        return unwrap_atom(reader, fourier.irfft(value, reader.value(as_size(reader, n)), axis=normal_axis(axis, value.ndim), scale=_known(reader, scale)).atom)


SPECTRA: dict[Any, Callable[..., Abstract]] = {spectra.transformed: _transformed, spectra.half_spectrum: _half_spectrum, spectra.from_half: _from_half}
"""What reads each of them."""
