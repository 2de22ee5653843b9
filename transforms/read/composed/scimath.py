"""np.emath: roots, logarithms and powers that are complex where those of real numbers are not there.

Which dtype they give goes by the numbers of a call. Of known arguments NumPy itself says it; of run-time ones that are real the result is real, and
the run raises where one would be complex.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import numpy as np

from s2s.transforms.read.composed.marks import surely


def _refuse_negative(x):
    x = np.asarray(x)
    if x.dtype.kind != "c" and np.any(x < 0):
        raise NotImplementedError("a function of np.emath of a negative number that is known only at run time, whose result is complex: of x + 0j it is complex for all x")
    return x


def _refuse_large(x):
    x = np.asarray(x)
    if x.dtype.kind != "c" and np.any(np.abs(x) > 1):
        raise NotImplementedError("a function of np.emath of a number beyond 1 that is known only at run time, whose result is complex: of x + 0j it is complex for all x")
    return x


def sqrt(x):
    """np.emath.sqrt."""
    return np.sqrt(_refuse_negative(x))


def log(x):
    """np.emath.log."""
    return np.log(_refuse_negative(x))


def log2(x):
    """np.emath.log2."""
    return np.log2(_refuse_negative(x))


def log10(x):
    """np.emath.log10."""
    return np.log10(_refuse_negative(x))


def logn(n, x):
    """np.emath.logn."""
    return np.log(_refuse_negative(x)) / np.log(_refuse_negative(n))


def power(x, p):
    """np.emath.power: of integers to a negative one floats."""
    x = _refuse_negative(x)
    if surely(np.ndim(p) == 0 and p < 0):
        return np.power(x, np.asarray(p) * 1.0)
    p = np.asarray(p)
    if x.dtype.kind in "iu" and p.dtype.kind == "i" and np.any(p < 0):
        raise NotImplementedError("np.emath.power to negative integers that are known only at run time, whose result is of floats: p * 1.0 is so for all p")
    return np.power(x, p)


def arccos(x):
    """np.emath.arccos."""
    return np.arccos(_refuse_large(x))


def arcsin(x):
    """np.emath.arcsin."""
    return np.arcsin(_refuse_large(x))


def arctanh(x):
    """np.emath.arctanh."""
    return np.arctanh(_refuse_large(x))


SCIMATH = {f"numpy.lib.scimath.{each.__name__}": each for each in (sqrt, log, log2, log10, logn, power, arccos, arcsin, arctanh)}

__all__ = ["SCIMATH"]
