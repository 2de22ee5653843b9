"""scipy.ndimage.find_objects: the box around each label of an image."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import unsupported


class Boxes:
    """A list of slices, of which only the run knows how long it is, by their ends: a row of each for every label. Loops ask for them one by one."""

    BY_INDEX = True

    def __init__(self, starts, stops):
        self.starts, self.stops = starts, stops

    def __len__(self):
        return self.starts.shape[0]

    def __getitem__(self, place):
        if isinstance(place, slice):
            unsupported("a part of what scipy.ndimage.find_objects gives", "one box, or a loop over them")
        count = self.starts.shape[0]
        if not -count <= place < count:
            raise IndexError("list index out of range")
        k = place % count
        return tuple([slice(int(self.starts[k, axis]), int(self.stops[k, axis]), None) for axis in range(self.starts.shape[1])])

    def __given_back__(self):
        """SciPy's list."""
        return [tuple(slice(int(start), int(stop), None) for start, stop in zip(*both, strict=True)) for both in zip(self.starts, self.stops, strict=True)]


def find_objects(input, max_label=0):
    """scipy.ndimage.find_objects; where a label is nowhere (SciPy's None), NotImplementedError."""
    labels = np.asarray(input)
    if labels.dtype.kind not in "iu":
        unsupported(f"scipy.ndimage.find_objects of {labels.dtype}", "an image of integers: input.astype(int)")
    if labels.ndim == 0:
        unsupported("scipy.ndimage.find_objects of a number", "an array")
    count = int(max_label) if max_label >= 1 else max(int(np.max(labels, initial=0)), 0)
    named = np.where((labels > 0) & (labels <= count), labels, 0).astype(np.int64)
    starts, stops = np.zeros((count + 1, labels.ndim), np.int64), np.zeros((count + 1, labels.ndim), np.int64)
    for axis in range(labels.ndim):
        side = labels.shape[axis]
        along = np.arange(side).reshape(tuple([side if other == axis else 1 for other in range(labels.ndim)]))
        place = np.broadcast_to(along, labels.shape).ravel()
        first, last = np.full(count + 1, side), np.zeros(count + 1, np.int64)
        np.minimum.at(first, named.ravel(), place)
        np.maximum.at(last, named.ravel(), place + 1)
        starts[:, axis], stops[:, axis] = first, last
    if np.any(stops[1:, 0] == 0):
        raise NotImplementedError("scipy.ndimage.find_objects of an image without one of the labels up to the largest (SciPy's list holds None there) is not supported: consecutive labels, as scipy.ndimage.label gives")
    return Boxes(starts[1:], stops[1:])


FOUND_OBJECTS: dict[str, Any] = {"scipy.ndimage.find_objects": find_objects}
"""It is read even where its arguments are known."""
