"""np.nditer as Python: it is read like a user's class. The elements in C order, each as an array without axes that sees its operand."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import unsupported

_FLAGS = ("multi_index", "c_index", "zerosize_ok", "refs_ok", "reduce_ok")
"""Of the iterator: those that ask for buffers, other axes or blocks of elements are refused."""


def _is_stored(flags):
    for flag in flags:
        if flag not in ("readonly", "readwrite", "writeonly", "nbo", "aligned", "contig", "copy"):
            unsupported(f"np.nditer with the op_flags {flag!r}", "a loop over np.ndindex(x.shape)")
    return "readwrite" in flags or "writeonly" in flags


def _elements(operands, place):
    return (operands[0][*place, ...], *_elements(operands[1:], place)) if operands else ()


class Nditer:
    """np.nditer."""

    def __init__(self, op, flags=None, op_flags=None, *, order="K", **others):
        for flag in () if flags is None else flags:
            if flag not in _FLAGS:
                unsupported(f"np.nditer with the flag {flag!r}", "a loop over np.ndindex(x.shape)")
        if op_flags is not None and len(op_flags) > 1 and not isinstance(op_flags[0], str):
            unsupported("np.nditer with op_flags of its own for each operand", 'op_flags=["readwrite"], or a loop over np.ndindex(x.shape)')
        if others:
            unsupported("np.nditer with these options", "a loop over np.ndindex(x.shape)")
        self._one, given = not isinstance(op, list | tuple), []
        for each in (op,) if self._one else tuple(op):
            if each is None:
                unsupported("np.nditer that makes an operand", "out = np.empty_like(x), which is stored into")
            if order != "C" and not np.asarray(each).flags.c_contiguous:
                unsupported("np.nditer of an array that does not lie in C order", 'order="C", or a loop over np.ndindex(x.shape)', "it goes through the elements as they lie in memory")
            given.append(np.asarray(each))
        if op_flags is None or len(op_flags) == 0:
            stored = [False for _ in given]
        elif isinstance(op_flags[0], str):
            stored = [_is_stored(tuple(op_flags)) for _ in given]
        else:
            stored = [_is_stored(tuple(op_flags[0]))]
        if any(stored) and not all(each.shape == given[0].shape for each in given):
            unsupported("np.nditer that stores into an operand among others of another shape", "a loop over np.ndindex(x.shape)")
        seen = given if self._one else np.broadcast_arrays(*given)
        self.operands = tuple(one if into else np.broadcast_to(two, two.shape) for one, two, into in zip(given, seen, stored, strict=True))
        self.shape, self.ndim, self.itersize = seen[0].shape, seen[0].ndim, seen[0].size
        if self.itersize == 0 and (flags is None or "zerosize_ok" not in flags):
            raise ValueError("Iteration of zero-sized operands is not enabled")
        self.iterindex, self.nop = 0, len(given)
        self.has_multi_index, self.has_index = flags is not None and "multi_index" in flags, flags is not None and "c_index" in flags

    @property
    def finished(self):
        return self.iterindex >= self.itersize

    @property
    def multi_index(self):
        if not self.has_multi_index:
            raise ValueError("Iterator is not tracking a multi-index")
        return self._at()

    @property
    def index(self):
        if not self.has_index:
            raise ValueError("Iterator does not have an index")
        return self.iterindex

    @property
    def value(self):
        place = self._at()
        return self.operands[0][*place, ...] if self._one else _elements(self.operands, place)

    def _at(self):
        rest, place = self.iterindex, ()
        for size in reversed(self.shape[1:]):
            rest, last = divmod(rest, size)
            place = (last, *place)
        return (rest, *place) if self.ndim > 0 else ()

    def __iter__(self):
        while self.iterindex < self.itersize:
            yield self.value
            self.iterindex += 1

    def __getitem__(self, key):
        return self.operands[key][*self._at(), ...]

    def __setitem__(self, key, value):
        self.operands[key][*self._at(), ...] = value

    def __len__(self):
        return self.nop

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    def iternext(self):
        self.iterindex += 1
        return self.iterindex < self.itersize

    def reset(self):
        self.iterindex = 0

    def close(self):
        pass
