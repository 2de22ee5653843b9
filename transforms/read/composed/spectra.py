"""The transforms that the functions of `fourier.py` are made of; called as they stand, NumPy's."""
from __future__ import annotations

from typing import Any

import numpy as np

FORWARD: dict[str, Any] = {"": "backward", "n": "forward", "sqrt": "ortho"}
INVERSE: dict[str, Any] = {"": "forward", "n": "backward", "sqrt": "ortho"}


def transformed(x: Any, axis: int, inverse: bool, scale: str) -> Any:
    """Complex numbers to complex numbers."""
    return np.fft.ifft(x, axis=axis, norm=INVERSE[scale]) if inverse else np.fft.fft(x, axis=axis, norm=FORWARD[scale])


def half_spectrum(x: Any, axis: int, scale: str) -> Any:
    """Real numbers to the half of their spectrum."""
    return np.fft.rfft(x, axis=axis, norm=FORWARD[scale])


def from_half(x: Any, n: int, axis: int, scale: str) -> Any:
    """Half a spectrum to the n real numbers that have it."""
    return np.fft.irfft(x, n, axis=axis, norm=INVERSE[scale])
