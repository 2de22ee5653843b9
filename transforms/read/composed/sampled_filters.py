"""scipy.signal: filters of finite length from a response that is told between frequencies; and a system's matrices of sizes that fit."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant
from s2s.transforms.read.composed.signal_windows import get_window

# ---- filters -------------------------------------------------------------------------------------------------------------------------------


def firls(numtaps, bands, desired, *, weight=None, fs=None):
    """scipy.signal.firls: the symmetric filter whose response is nearest to lines in bands, by least squares."""
    edges, ends = np.ravel(np.asarray(bands)) / (0.5 * (2 if fs is None else fs)), np.ravel(np.asarray(desired))
    if numtaps % 2 == 0 or numtaps < 1:
        raise ValueError("numtaps must be odd and >= 1")
    if edges.shape[0] % 2 != 0:
        raise ValueError("bands must contain frequency pairs.")
    if np.any(edges < 0) or np.any(edges > 1):
        raise ValueError("bands must be between 0 and 1 relative to Nyquist")
    if edges.shape[0] != ends.shape[0]:
        raise ValueError(f"desired must have one entry per frequency, got {ends.shape[0]} gains for {edges.shape[0]} frequencies.")
    low, high, first, last = edges[::2], edges[1::2], ends[::2], ends[1::2]
    if np.any(high <= low) or np.any(low[1:] < low[:-1]):
        raise ValueError("bands must be monotonically nondecreasing and have width > 0.")
    if np.any(high[:-1] > low[1:]):
        raise ValueError("bands must not overlap.")
    if np.any(ends < 0):
        raise ValueError("desired must be non-negative.")
    weights = np.ones(low.shape[0]) if weight is None else np.ravel(np.asarray(weight))
    if weights.shape[0] != low.shape[0]:
        raise ValueError(f"weight must be the same size as the number of band pairs ({low.shape[0]}).")
    if np.any(weights < 0):
        raise ValueError("weight must be non-negative.")
    return _nearest_lines(int(numtaps) // 2, low, high, first, last, weights)


def _nearest_lines(half, low, high, first, last, weights):
    """The filter's coefficients from the equations that make the sum of squares least: integrals over bands of products of cosines, and of cosines and lines."""
    times = np.arange(2 * half + 1)[:, np.newaxis]
    products = (high * np.sinc(high * times) - low * np.sinc(low * times)) @ weights
    places = np.arange(half + 1)
    matrix = products[np.abs(places[:, np.newaxis] - places)] + products[places[:, np.newaxis] + places]
    sizes = np.linalg.svd(constant(matrix), compute_uv=False)
    if sizes[-1] <= sizes[0] * np.finfo(np.float64).eps:
        raise np.linalg.LinAlgError("scipy.signal.firls: these bands do not determine so many coefficients")
    slope = (last - first) / (high - low)
    offset, times = first - low * slope, times[1 : half + 1]
    constant_part = (offset * (high - low) + slope * (high**2 - low**2) / 2) @ weights
    waves = high * (slope * high + offset) * np.sinc(high * times) - low * (slope * low + offset) * np.sinc(low * times)
    waves = waves + slope * (np.cos(np.pi * high * times) - np.cos(np.pi * low * times)) / (np.pi * times) ** 2
    found = np.linalg.solve(matrix, np.concatenate((np.reshape(constant_part, (1,)), waves @ weights)))
    return np.concatenate((found[:0:-1], 2 * found[:1], found[1:]))


def firwin2(numtaps, freq, gain, *, nfreqs=None, window="hamming", antisymmetric=False, fs=None):
    """scipy.signal.firwin2: the filter whose response goes through gains at frequencies, in lines between them."""
    nyquist = 0.5 * (2 if fs is None else fs)
    freq, gain = np.asarray(freq).astype(np.float64), np.asarray(gain)
    if freq.shape[0] != gain.shape[0]:
        raise ValueError("freq and gain must be of same length.")
    if nfreqs is not None and numtaps >= nfreqs:
        raise ValueError(f"ntaps must be less than nfreqs, but firwin2 was called with ntaps={numtaps} and nfreqs={nfreqs}")
    _check_frequencies(freq, nyquist)
    _check_ends(numtaps, antisymmetric, gain)
    count = 1 + 2 ** int(np.ceil(np.log2(numtaps))) if nfreqs is None else nfreqs
    equal, apart = freq[1:] == freq[:-1], np.finfo(np.float64).eps * nyquist
    corners = freq - apart * np.append(equal, False) + apart * np.append(False, equal)  # what jumps goes up within the least distance
    if np.any(corners[1:] <= corners[:-1]):
        raise ValueError("freq cannot contain numbers that are too close (within eps * (fs/2)) to a repeated value")
    places = np.linspace(0.0, nyquist, count)
    turns = np.exp(-(numtaps - 1) / 2.0 * 1j * np.pi * places / nyquist) * (1j if antisymmetric else 1.0)
    found = np.fft.irfft(np.interp(places, corners, gain) * turns)[:numtaps]
    if window is not None:
        found = found * get_window(window, numtaps, fftbins=False)
    if antisymmetric and numtaps % 2 == 1:
        found[numtaps // 2] = 0.0
    return found


def _check_frequencies(freq, nyquist):
    if freq[0] != 0 or freq[-1] != nyquist:
        raise ValueError("freq must start with 0 and end with fs/2.")
    if np.any(freq[1:] < freq[:-1]):
        raise ValueError("The values in freq must be nondecreasing.")
    if np.any((freq[2:] == freq[1:-1]) & (freq[1:-1] == freq[:-2])):
        raise ValueError("A value in freq must not occur more than twice.")
    if freq[1] == 0:
        raise ValueError("Value 0 must not be repeated in freq")
    if freq[-2] == nyquist:
        raise ValueError("Value fs/2 must not be repeated in freq")


def _check_ends(numtaps, antisymmetric, gain):
    """A filter of this length and symmetry lets nothing through at one end, or at both."""
    if numtaps % 2 == 0 and not antisymmetric and gain[-1] != 0.0:
        raise ValueError("A Type II filter must have zero gain at the Nyquist frequency.")
    if numtaps % 2 == 1 and antisymmetric and (gain[0] != 0.0 or gain[-1] != 0.0):
        raise ValueError("A Type III filter must have zero gain at zero and Nyquist frequencies.")
    if numtaps % 2 == 0 and antisymmetric and gain[0] != 0.0:
        raise ValueError("A Type IV filter must have zero gain at zero frequency.")


# ---- a system's matrices -------------------------------------------------------------------------------------------------------------------


def abcd_normalize(A=None, B=None, C=None, D=None):
    """scipy.signal.abcd_normalize: matrices of sizes that fit, zeros in the place of those that are not given."""
    if A is None and B is None and C is None:
        raise ValueError("Dimension n is undefined for parameters A = B = C = None!")
    if B is None and D is None:
        raise ValueError("Dimension p is undefined for parameters B = D = None!")
    if C is None and D is None:
        raise ValueError("Dimension q is undefined for parameters C = D = None!")
    a, b, c, d = (np.zeros((0, 0)) if each is None else np.atleast_2d(np.asarray(each)) for each in (A, B, C, D))
    n, p, q = a.shape[0] or b.shape[0] or c.shape[1], b.shape[1] or d.shape[1], c.shape[0] or d.shape[0]
    return _of_sides("A", a, (n, n)), _of_sides("B", b, (n, p)), _of_sides("C", c, (q, n)), _of_sides("D", d, (q, p))


def _of_sides(name, matrix, sides):
    if matrix.size == 0:
        return np.zeros(sides)
    if matrix.shape != sides:
        raise ValueError(f"Parameter {name} has shape {matrix.shape} but should be {sides}!")
    return matrix


SAMPLED_FILTERS: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (firls, firwin2, abcd_normalize)}
"""By qualified name."""
