"""scipy.signal: filters that run both ways or begin in a state, polynomials fitted to windows, trends."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.composed.matrix_checks import finite
from s2s.transforms.read.installed import SCIPY_1_18


def lfilter(b, a, x, axis=-1, zi=None):
    """scipy.signal.lfilter: a rational filter in direct form II transposed; with `zi` its first state, and its last one beside the result."""
    b, a, x = np.atleast_1d(b), np.atleast_1d(a), np.asarray(x)
    if b.ndim != 1 or b.shape[0] == 0:
        raise ValueError(f"Parameter b is not a non-empty 1d array, since b.shape={b.shape}!")
    if a.ndim != 1 or a.shape[0] == 0:
        raise ValueError(f"Parameter a is not a non-empty 1d array, since a.shape={a.shape}!")
    dtype = np.result_type(b, a, x) if zi is None else np.result_type(b, a, x, np.asarray(zi))
    if dtype.kind not in "fc":
        dtype = np.dtype(np.float64)
    b, a, rows = b.astype(dtype), a.astype(dtype), np.moveaxis(x, axis, 0).astype(dtype)
    order = max(b.shape[0], a.shape[0])
    if a[0] == 0:
        raise ValueError("BUG: filter coefficient a[0] == 0 not supported yet")
    if a.shape[0] == 1 and rows.shape[0] == 0:  # SciPy's way without feedback is np.convolve
        raise ValueError("v cannot be empty")
    ahead, back = np.zeros(order, dtype=dtype), np.zeros(order, dtype=dtype)
    ahead[: b.shape[0]], back[: a.shape[0]] = b / a[0], a / a[0]
    found, state = np.empty_like(rows), np.zeros((order, *rows.shape[1:]), dtype=dtype)
    if zi is not None:
        state[: order - 1] = _state(zi, x, axis, order - 1)
    for t in range(rows.shape[0]):
        found[t] = ahead[0] * rows[t] + state[0]
        for k in range(order - 1):
            state[k] = ahead[k + 1] * rows[t] + state[k + 1] - back[k + 1] * found[t]
    if zi is None:
        return np.moveaxis(found, 0, axis)
    return np.moveaxis(found, 0, axis), np.moveaxis(state[: order - 1], 0, axis)


def _state(zi, x, axis, length):
    """The first state along the first axis."""
    zi = np.asarray(zi)
    if zi.ndim != x.ndim:
        raise ValueError(f"Dimensions of parameters x and zi must match, but x.ndim={x.ndim}, zi.ndim={zi.ndim}!")
    first = np.moveaxis(zi, axis, 0)
    if first.shape[0] != length:
        raise ValueError(f"Unexpected shape for parameter zi: expected {length} along the axis, found {first.shape[0]}.")
    return first


def lfilter_zi(b, a):
    """scipy.signal.lfilter_zi: the state in which a filter's answer to a step does not change."""
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    if b.ndim != 1:
        raise ValueError("Numerator b must be 1-D.")
    if a.ndim != 1:
        raise ValueError("Denominator a must be 1-D.")
    if a[0] == 0.0:
        raise NotImplementedError("scipy.signal.lfilter_zi with a first coefficient of 0 is not supported")
    dtype = np.result_type(a, b)
    if dtype.kind not in "fc":
        dtype = np.dtype(np.float64)
    n = max(a.shape[0], b.shape[0])
    if n < 2 and not SCIPY_1_18:
        raise ValueError("The length of `a` along the last axis must be at least 2.")
    ahead, back = np.zeros(n, dtype=dtype), np.zeros(n, dtype=dtype)
    ahead[: b.shape[0]], back[: a.shape[0]] = b / a[0], a / a[0]
    right, total = ahead[1:] - back[1:] * ahead[0], np.sum(back)
    if SCIPY_1_18 and total == 0:
        raise ValueError("Filter not stable due to sum(a) == 0, i.e., having a pole at z = 1!")
    if n > 1 and total == 0:
        raise np.linalg.LinAlgError("Singular matrix")
    first = np.sum(right) / total  # the equations state[k] - state[k + 1] + back[k + 1] * first = right[k], summed
    state, each = np.empty(n - 1, dtype=dtype), first
    for k in range(n - 1):
        state[k] = each
        each = each + back[k + 1] * first - right[k]
    return state


def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    """scipy.signal.filtfilt by extending the signal, or with the initial states by which the order of the two passes does not matter."""
    b, a, x = np.atleast_1d(b), np.atleast_1d(a), np.asarray(x)
    if method not in ("pad", "gust"):
        raise ValueError("method must be 'pad' or 'gust'.")
    if method == "gust":
        return _there_and_back(b, a, x, axis, irlen)
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(f"Unknown value '{padtype}' given to padtype. padtype must be 'even', 'odd', 'constant', or None.")
    edge = 0 if padtype is None else max(a.shape[0], b.shape[0]) * 3 if padlen is None else padlen
    rows = np.moveaxis(x, axis, 0)
    if rows.shape[0] <= edge:
        raise ValueError(f"The length of the input vector x must be greater than padlen, which is {edge}.")
    extended = rows if padtype is None else _extended(rows, padtype, edge)
    zi = lfilter_zi(b, a).reshape((-1,) + (1,) * (rows.ndim - 1))
    found = extended.astype(np.result_type(extended, zi))
    for _ in range(2):  # there and back
        there, _ = lfilter(b, a, found, 0, zi * found[0])
        found = there[::-1]
    return np.moveaxis(found[edge : found.shape[0] - edge], 0, axis)


def _there_and_back(b, a, x, axis, irlen):
    """Gustafsson, Determining the initial states in forward-backward filtering (1996): both orders of the passes give the same, in least squares.

    `irlen`: after so many points an initial state is forgotten.
    """
    order = max(b.shape[0], a.shape[0]) - 1
    if order == 0:
        return (b[0] / a[0]) ** 2 * x
    rows = np.moveaxis(x, axis, -1)
    n = rows.shape[-1]
    m = n if irlen is None or n <= 2 * irlen else irlen
    states = np.eye(order)
    one, _ = lfilter(b, a, np.zeros((order, m)), -1, states)  # what an initial state leaves in the first pass
    two = lfilter(b, a, one[:, ::-1])  # … and behind the second
    back_first = lfilter(b, a, lfilter(b, a, rows[..., ::-1])[..., ::-1])
    there_first = lfilter(b, a, lfilter(b, a, rows)[..., ::-1])[..., ::-1]
    of_start, of_end = two[:, ::-1], one[:, ::-1]
    gap = back_first - there_first
    if m == n:
        unequal, added = np.concatenate((of_start - one, of_end - two)), np.concatenate((of_start, of_end))
    else:
        none = np.zeros((order, m))
        unequal = np.concatenate((np.concatenate((of_start - one, none), axis=1), np.concatenate((none, of_end - two), axis=1)))
        added = np.concatenate((np.concatenate((of_start, none), axis=1), np.concatenate((none, of_end), axis=1)))
        gap = np.concatenate((gap[..., :m], gap[..., n - m :]), axis=-1)
    flat = np.reshape(gap, (-1, gap.shape[-1]))
    chosen = np.linalg.lstsq(unequal.T, flat.T)[0].T @ added
    changed = np.reshape(chosen, gap.shape)
    if m < n:
        changed = np.concatenate((changed[..., :m], np.zeros((*rows.shape[:-1], n - 2 * m)), changed[..., m:]), axis=-1)
    return np.moveaxis((there_first + changed).astype(there_first.dtype), -1, axis)


def _extended(x, padtype, edge):
    """A signal with `edge` points more at each end."""
    n = x.shape[0]
    if padtype == "constant":
        before, behind = x[np.zeros(edge, dtype=np.int64)], x[np.full(edge, n - 1)]
    else:
        before, behind = x[np.arange(edge, 0, -1)], x[np.arange(n - 2, n - 2 - edge, -1)]
        if padtype == "odd":
            before, behind = 2 * x[0] - before, 2 * x[n - 1] - behind
    return np.concatenate((before, x, behind), axis=0)


def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    """scipy.signal.savgol_filter of windows and orders that are known while reading."""
    import scipy.ndimage
    import scipy.signal

    if mode not in ("mirror", "constant", "nearest", "interp", "wrap"):
        raise ValueError("mode must be 'mirror', 'constant', 'nearest' 'wrap' or 'interp'.")
    x = np.asarray(x)
    if x.dtype.kind == "c":
        unsupported("scipy.signal.savgol_filter of complex numbers", "the real and the imaginary parts one by one")
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    scale = 1.0 / delta**deriv
    weights = scipy.signal.savgol_coeffs(window_length, polyorder, deriv=deriv) * scale
    if mode != "interp":
        return scipy.ndimage.convolve1d(x, weights, axis=axis, mode=mode, cval=cval)
    if window_length > x.shape[axis]:
        raise ValueError("If mode is 'interp', window_length must be less than or equal to the size of x.")
    y = np.moveaxis(scipy.ndimage.convolve1d(x, weights, axis=axis, mode="constant"), axis, 0)
    rows, half, n = np.moveaxis(x, axis, 0), window_length // 2, x.shape[axis]
    head, tail = finite(rows[:window_length], True), finite(rows[n - window_length :], True)  # those that SciPy fits
    if half == 0:
        return np.moveaxis(y, 0, axis)
    places = tuple(range(half)), tuple(range(window_length - half, window_length))
    first, last = [_of_window(window_length, polyorder, deriv, each) * scale for each in places]
    before = np.tensordot(first, head, 1).astype(x.dtype)
    behind = np.tensordot(last, tail, 1).astype(x.dtype)
    return np.moveaxis(np.concatenate((before, y[half : n - half], behind), axis=0), 0, axis)


def _of_window(length, polyorder, deriv, places):
    """The weights with which a window's polynomial gives its value at places of the window."""
    import scipy.signal

    return np.stack([scipy.signal.savgol_coeffs(length, polyorder, deriv=deriv, pos=place, use="dot") for place in places])


def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    """scipy.signal.detrend."""
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    data = np.asarray(data)
    data = data if data.dtype.kind in "fc" else data.astype(np.float64)
    if type in ("constant", "c"):
        return data - np.mean(data, axis, keepdims=True)
    if overwrite_data:
        unsupported("scipy.signal.detrend(…, overwrite_data=True)", "a name for the result")
    rows = np.moveaxis(data, axis, 0)
    n = rows.shape[0]
    if np.ndim(bp) > 0 or not surely(bp == 0):
        ends = np.unique(np.concatenate((np.asarray([0, n]), np.atleast_1d(bp))))
        if np.any(ends > n):
            raise ValueError("Breakpoints must be less than length of data along given axis.")
        found = np.empty_like(rows)
        for k in range(ends.shape[0] - 1):
            found[ends[k] : ends[k + 1]] = _without_line(rows[ends[k] : ends[k + 1]])
        return np.moveaxis(found, 0, axis)
    return np.moveaxis(_without_line(rows), 0, axis)


def _without_line(rows):
    """What is left of rows without the line that is nearest to them."""
    n, rows = rows.shape[0], finite(rows, True)
    times = (np.arange(n) - (n - 1) / 2).astype(np.float64)
    slopes = np.tensordot(times, rows, 1) / max(np.sum(times**2), 1e-300)
    line = np.mean(rows, axis=0) + times.reshape((-1,) + (1,) * (rows.ndim - 1)) * slopes
    return (rows - line).astype(rows.dtype)


SMOOTHING = {f"scipy.signal.{function.__name__}": function for function in (lfilter, lfilter_zi, filtfilt, savgol_filter, detrend)}
"""By qualified name."""
