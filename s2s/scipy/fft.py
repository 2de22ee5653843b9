"""scipy.fft's own functions."""
import scipy.fft as _fft
from scipy.fft import *  # noqa: F403

__all__ = list(_fft.__all__)
