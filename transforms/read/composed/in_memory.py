"""What is asked of arrays beside their elements: how they lie in memory (x.flags), how they are broadcast (np.broadcast)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

_KEYS = {
    "C_CONTIGUOUS": "c_contiguous", "C": "c_contiguous", "CONTIGUOUS": "c_contiguous", "F_CONTIGUOUS": "f_contiguous", "FORTRAN": "f_contiguous", "F": "f_contiguous",
    "FNC": "fnc", "FORC": "forc",
}  # fmt: skip


class Flags:
    """x.flags: what follows from lengths and strides."""

    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    @property
    def c_contiguous(self):
        return _lies_in_order(self.array.shape[::-1], self.array.strides[::-1], self.array.itemsize)

    @property
    def f_contiguous(self):
        return _lies_in_order(self.array.shape, self.array.strides, self.array.itemsize)

    @property
    def fortran(self):
        return self.f_contiguous

    @property
    def contiguous(self):
        return self.c_contiguous

    @property
    def fnc(self):
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self):
        return self.f_contiguous or self.c_contiguous

    @property
    def writeable(self):
        return _of_memory("writeable")

    @writeable.setter
    def writeable(self, value):
        del value
        _of_memory("writeable = …")

    @property
    def owndata(self):
        return _of_memory("owndata")

    @property
    def aligned(self):
        return _of_memory("aligned")

    def __getitem__(self, key):
        return getattr(self, _KEYS[key]) if key in _KEYS else _of_memory(f"{key}")

    def __setitem__(self, key, value):
        del value
        _of_memory(f"{key} = …")


def _of_memory(what):
    unsupported(f"x.flags.{what}", "ask, or set, outside of the function", "whose memory an array is, is no part of what a function computes")


def _lies_in_order(shape, strides, itemsize):
    """Whether elements lie one behind the other, the first axis being the quickest."""
    apart, right, empty = itemsize, True, False
    for length, stride in zip(shape, strides, strict=True):
        right = right and (length == 1 or stride == apart)
        apart = apart * length
        empty = empty or length == 0
    return bool(right or empty)


class Broadcast:
    """np.broadcast(*arrays): what they are broadcast to, and one way through their elements."""

    def __init__(self, *arrays):
        self.rest = zip(*[each.flat for each in np.broadcast_arrays(*arrays)], strict=True)
        self.shape = np.broadcast_shapes(*[np.shape(each) for each in arrays])
        self.nd = self.ndim = len(self.shape)
        self.numiter = len(arrays)

    @property
    def size(self):
        found = 1
        for length in self.shape:
            found *= length
        return found

    def __iter__(self):
        return self.rest

    def __next__(self):
        return next(self.rest)


def isfortran(a):
    """np.isfortran(a)."""
    return a.flags.fnc


def broadcast(*arrays):
    """np.broadcast(*arrays)."""
    return Broadcast(*arrays)


BROADCAST = {"numpy.broadcast": broadcast, "numpy.isfortran": isfortran}
