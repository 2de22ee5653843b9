"""numpy.fft's own functions."""
import numpy.fft as _fft
from numpy.fft import *  # noqa: F403

__all__ = list(_fft.__all__)
