"""scipy.signal: peaks of signals. Which elements are peaks is no subject of derivatives; their heights, prominences and widths are."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported


def _signal(x):
    x = np.asarray(x).astype(np.float64)
    if x.ndim != 1:
        raise ValueError("`x` must be a 1-D array")
    return x


def _maxima(x):
    """The middles, left ends and right ends of what is higher than both neighbours."""
    n = x.shape[0]
    middles, lefts, rights = np.zeros(n // 2, np.int64), np.zeros(n // 2, np.int64), np.zeros(n // 2, np.int64)
    count, i = 0, 1
    while i < n - 1:
        if x[i - 1] < x[i]:
            ahead = i + 1
            while ahead < n - 1 and x[ahead] == x[i]:
                ahead += 1
            if x[ahead] < x[i]:
                middles[count], lefts[count], rights[count] = (i + ahead - 1) // 2, i, ahead - 1
                count += 1
                i = ahead
        i += 1
    return middles[:count], lefts[:count], rights[:count]


def _within(interval, x, peaks, values):
    """Where values lie between limits: the least one, or a pair."""
    low, high = interval if isinstance(interval, (tuple, list)) else (interval, None)
    keep = np.ones(values.shape, bool)
    if low is not None:
        keep = keep & (_at_peaks(low, x, peaks) <= values)
    if high is not None:
        keep = keep & (values <= _at_peaks(high, x, peaks))
    return keep


def _at_peaks(limit, x, peaks):
    if np.ndim(limit) == 0:
        return limit
    if limit.shape[0] != x.shape[0]:
        raise ValueError("array size of lower interval border must match x")
    return limit[peaks]


def _apart(peaks, heights, distance):
    """Which peaks stay when the lower one of each two that are too near goes, from the highest on."""
    n = peaks.shape[0]
    keep, order, least = np.ones(n, bool), np.argsort(heights, kind="stable"), np.ceil(distance)
    for i in range(n - 1, -1, -1):
        j = order[i]
        if keep[j]:
            k = j - 1
            while k >= 0 and peaks[j] - peaks[k] < least:
                keep[k] = False
                k -= 1
            k = j + 1
            while k < n and peaks[k] - peaks[j] < least:
                keep[k] = False
                k += 1
    return keep


def _prominences(x, peaks, wlen):
    """How far peaks stand out of what is around them, and where that is lowest at either side."""
    if wlen is not None and wlen <= 1:
        raise ValueError(f"`wlen` must be larger than 1, was {wlen}")
    n, count = x.shape[0], peaks.shape[0]
    found, lefts, rights = np.zeros(count), np.zeros(count, np.int64), np.zeros(count, np.int64)
    reach = n if wlen is None else int(np.ceil(wlen)) // 2
    for p in range(count):
        top = peaks[p]
        if not 0 <= top < n:
            raise ValueError(f"peak {top} is not a valid index for `x`")
        first, last = max(top - reach, 0), min(top + reach, n - 1)
        i = lefts[p] = top
        lowest = x[top]
        while first <= i and x[i] <= x[top]:
            if x[i] < lowest:
                lowest, lefts[p] = x[i], i
            i -= 1
        i = rights[p] = top
        other = x[top]
        while i <= last and x[i] <= x[top]:
            if x[i] < other:
                other, rights[p] = x[i], i
            i += 1
        found[p] = x[top] - max(lowest, other)
    return found, lefts, rights


def _widths(x, peaks, rel_height, prominences, lefts, rights):
    """How wide peaks are at a part of their prominence: the widths, the heights of these lines and their ends."""
    if rel_height < 0:
        raise ValueError("`rel_height` must be greater or equal to 0.0")
    count = peaks.shape[0]
    heights, starts, ends = np.zeros(count), np.zeros(count), np.zeros(count)
    for p in range(count):
        top, low, high = peaks[p], lefts[p], rights[p]
        height = x[top] - prominences[p] * rel_height
        i = top
        while low < i and height < x[i]:
            i -= 1
        start = i * 1.0
        if x[i] < height:
            start += (height - x[i]) / (x[i + 1] - x[i])
        i = top
        while i < high and height < x[i]:
            i += 1
        end = i * 1.0
        if x[i] < height:
            end -= (height - x[i]) / (x[i - 1] - x[i])
        heights[p], starts[p], ends[p] = height, start, end
    return ends - starts, heights, starts, ends


def find_peaks(x, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5, plateau_size=None):
    """scipy.signal.find_peaks."""
    x = _signal(x)
    if distance is not None and distance < 1:
        raise ValueError("`distance` must be greater or equal to 1")
    peaks, lefts, rights = _maxima(constant(x))
    properties = {}
    if plateau_size is not None:
        sizes = rights - lefts + 1
        peaks, properties = _kept(_within(plateau_size, x, peaks, sizes), peaks, {"plateau_sizes": sizes, "left_edges": lefts, "right_edges": rights})
    if height is not None:
        peaks, properties = _kept(_within(height, x, peaks, x[peaks]), peaks, {**properties, "peak_heights": x[peaks]})
    if threshold is not None:
        before, behind = x[peaks] - x[peaks - 1], x[peaks] - x[peaks + 1]
        low, high = threshold if isinstance(threshold, (tuple, list)) else (threshold, None)
        keep = _within((low, None), x, peaks, np.minimum(before, behind)) & _within((None, high), x, peaks, np.maximum(before, behind))
        peaks, properties = _kept(keep, peaks, {**properties, "left_thresholds": before, "right_thresholds": behind})
    if distance is not None:
        peaks, properties = _kept(_apart(peaks, constant(x[peaks]), distance), peaks, properties)
    if prominence is not None or width is not None:
        found = _prominences(x, peaks, wlen)
        properties = {**properties, "prominences": found[0], "left_bases": found[1], "right_bases": found[2]}
    if prominence is not None:
        peaks, properties = _kept(_within(prominence, x, peaks, properties["prominences"]), peaks, properties)
    if width is not None:
        found = _widths(x, peaks, rel_height, properties["prominences"], properties["left_bases"], properties["right_bases"])
        properties = {**properties, "widths": found[0], "width_heights": found[1], "left_ips": found[2], "right_ips": found[3]}
        peaks, properties = _kept(_within(width, x, peaks, found[0]), peaks, properties)
    return peaks, properties


def _kept(keep, peaks, properties):
    return peaks[keep], {name: values[keep] for name, values in properties.items()}


def peak_prominences(x, peaks, wlen=None):
    """scipy.signal.peak_prominences."""
    return _prominences(_signal(x), np.asarray(peaks), wlen)


def peak_widths(x, peaks, rel_height=0.5, prominence_data=None, wlen=None):
    """scipy.signal.peak_widths."""
    x, peaks = _signal(x), np.asarray(peaks)
    if prominence_data is None:
        return _widths(x, peaks, rel_height, *_prominences(x, peaks, wlen))
    prominences, lefts, rights = (np.asarray(each) for each in prominence_data)
    if not prominences.shape == lefts.shape == rights.shape == peaks.shape:
        raise ValueError("arrays in `prominence_data` must have the same shape as `peaks`")
    for top, low, high in zip(peaks, lefts, rights):  # noqa: B905 - they have one length
        if not 0 <= low <= top <= high < x.shape[0]:
            raise ValueError(f"prominence data is invalid for peak {top}")
    return _widths(x, peaks, rel_height, prominences, lefts, rights)


def argrelextrema(data, comparator, axis=0, order=1, mode="clip"):
    """scipy.signal.argrelextrema: where a comparison holds with the neighbours up to a distance."""
    if order < 1:
        raise ValueError("Order must be an int >= 1")
    if mode not in ("clip", "wrap"):
        unsupported(f"scipy.signal.argrelextrema(…, mode={mode!r})", "mode='clip' or 'wrap'")
    data = np.asarray(data)
    rows = np.moveaxis(data, axis, 0)
    n = rows.shape[0]
    places, found = np.arange(n), np.ones(rows.shape, bool)
    for shift in range(1, order + 1):
        behind, before = places + shift, places - shift
        behind, before = (np.minimum(behind, n - 1), np.maximum(before, 0)) if mode == "clip" else (behind % n, before % n)
        found = found & comparator(rows, rows[behind]) & comparator(rows, rows[before])
    return np.nonzero(np.moveaxis(found, 0, axis))


def argrelmax(data, axis=0, order=1, mode="clip"):
    """scipy.signal.argrelmax."""
    return argrelextrema(data, np.greater, axis, order, mode)


def argrelmin(data, axis=0, order=1, mode="clip"):
    """scipy.signal.argrelmin."""
    return argrelextrema(data, np.less, axis, order, mode)


PEAKS: dict[str, Any] = {f"scipy.signal.{function.__name__}": function for function in (find_peaks, peak_prominences, peak_widths, argrelextrema, argrelmax, argrelmin)}
"""By qualified name."""
