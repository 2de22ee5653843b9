"""When a result is NumPy's: structure, types, dtypes, shapes, numbers, and whose memory it lies in.

Numbers of floats need not be the same bit for bit: sums are added in another order. They are right within `CLOSE` of the largest number of
the result, or of NumPy's own result with more digits (`wider`: float32 as float64, float64 as longdouble, which also leaves BLAS aside: it
skips zeros in some products, so that 0 * inf is nan or 0 by the shape), or where they are no further from that than the
worst of NumPy's own.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from s2s import tree_util

CLOSE = {np.dtype(np.float16): 4e-3, np.dtype(np.float32): 5e-6, np.dtype(np.float64): 1e-13}
"""Four units in the last place of float16, some forty of float32, and 450 of float64."""
_WIDER = {np.dtype(np.float16): np.float32, np.dtype(np.float32): np.float64, np.dtype(np.complex64): np.complex128, np.dtype(np.float64): np.longdouble, np.dtype(np.complex128): np.clongdouble}
TYPED = ("type", "an array without axes")
COPIED = "a copy"


class Different(Exception):
    """s2s does another thing than NumPy: `what` kind of thing."""

    def __init__(self, what: str, detail: str) -> None:
        super().__init__(f"{what}: {detail}")
        self.what, self.detail = what, detail


def wider(value: Any) -> Any:
    """An argument with more digits; Python's own numbers have none."""
    kind = _WIDER.get(getattr(value, "dtype", None))
    return value if kind is None else value.astype(kind)


def same_as_wider(found: Any, wanted: Any, more: Any, *, single: bool = False) -> bool:
    """Whether each number is NumPy's, or NumPy's with more digits, or as near to that as NumPy's is.

    `single`: arguments of 32 bits; where NumPy's own result then has no more than their digits (np.nanstd(…, dtype=complex) takes deviations in
    the argument's type), ours need not have more.
    """
    leaves = [tree_util.tree_leaves(each) for each in (found, wanted, more)]
    if len({len(each) for each in leaves}) > 1:
        return False
    return all(np.shape(one) == np.shape(other) == np.shape(third) and _either(*map(np.asarray, (one, other, third)), single=single) for one, other, third in zip(*leaves, strict=True))


def _either(found: np.ndarray, wanted: np.ndarray, more: np.ndarray, *, single: bool) -> bool:
    if found.dtype.kind not in "biufc":
        return bool(np.array_equal(found, wanted))
    with np.errstate(all="ignore"):
        exact = found.dtype.kind not in "fc"
        bound = 0.0 if exact else _close(wanted, coarse=False)
        near = [(found == other) | np.isnan(found) & np.isnan(other) | (np.abs(found - other) <= bound if not exact else False) for other in (wanted, more)]
        if not exact:
            errors = np.abs(wanted - more)
            worst = float(np.max(errors[np.isfinite(errors)], initial=0.0))
            near.append(np.abs(found - more) <= (_close(wanted, coarse=True) if single and worst > 1e3 * bound else 2 * worst))
        return bool(np.all(np.logical_or.reduce(near)))


def but_for_signs(found: Any, wanted: Any) -> bool:
    """Whether two results are the same but for signs and phases, which are LAPACK's choice."""
    try:
        same(tree_util.tree_map(_sized, found), tree_util.tree_map(_sized, wanted), "")
    except Different:
        return False
    return True


def _sized(leaf: Any) -> Any:
    return abs(leaf) if is_number(leaf) else leaf


def same_sharing(found: Any, wanted: Any, mine: list[Any], theirs: list[Any]) -> None:
    """Different unless a result lies in the memory of the arguments in which NumPy's lies."""
    if not isinstance(found, np.ndarray) or not isinstance(wanted, np.ndarray):
        return
    for k, (own, other) in enumerate(zip(mine, theirs, strict=True)):
        if isinstance(own, np.ndarray):
            shares, should = np.shares_memory(found, own), np.shares_memory(wanted, other)
            if shares and not should:
                raise Different("shared memory", f"the result shares memory with x{k}, NumPy's does not")
            if should and not shares:
                raise Different(COPIED, f"the result has memory of its own, NumPy's is x{k}'s")


def same(found: Any, wanted: Any, where: str, *, coarse: bool = False) -> None:
    """Different unless two results are the same: structure, type, dtype, shape, values (`coarse`: to single precision)."""
    if isinstance(wanted, list | tuple):
        if type(found) is not type(wanted) or len(found) != len(wanted):
            raise Different("structure", f"{where}: {found!r} instead of {wanted!r}")
        for k, (one, other) in enumerate(zip(found, wanted, strict=True)):
            same(one, other, f"{where}[{k}]", coarse=coarse)
        return
    if not is_number(wanted):
        if found != wanted:
            raise Different("value", f"{where}: {found!r} instead of {wanted!r}")
        return
    if type(found) is not type(wanted):
        known = {np.ndarray} if np.shape(wanted) == np.shape(found) == () else set()
        what = "an array without axes" if {type(found), type(wanted)} & known else "type"
        if np.shape(found) == np.shape(wanted):
            _same_numbers(np.asarray(found), np.asarray(wanted), where, coarse=coarse)
        raise Different(what, f"{where}: {type(found).__name__} {found!r} instead of {type(wanted).__name__} {wanted!r}")
    _same_numbers(np.asarray(found), np.asarray(wanted), where, coarse=coarse)


def _same_numbers(found: np.ndarray, wanted: np.ndarray, where: str, *, coarse: bool) -> None:
    if found.shape != wanted.shape:
        raise Different("shape", f"{where}: {found.shape} instead of {wanted.shape}")
    if found.dtype != wanted.dtype:
        if found.dtype.kind == "c" and wanted.dtype.kind == "f" and not _equal(found, wanted.astype(found.dtype), coarse=coarse):
            raise Different("dtype and value", f"{where}: {found!r} instead of {wanted!r}")
        raise Different("dtype", f"{where}: {found.dtype} instead of {wanted.dtype}")
    if not _equal(found, wanted, coarse=coarse):
        raise Different("value", f"{where}: {found!r} instead of {wanted!r}")


def _equal(found: np.ndarray, wanted: np.ndarray, *, coarse: bool) -> bool:
    if found.dtype.kind not in "fc":
        return bool(np.array_equal(found, wanted))
    if found.dtype.kind == "c":
        with np.errstate(all="ignore"):
            if not np.array_equal(np.isfinite(found), np.isfinite(wanted)):
                return False
            finite = np.isfinite(wanted)
            return bool(np.all(np.abs(found[finite] - wanted[finite]) <= _close(wanted, coarse=coarse)))
    if not np.array_equal(np.isnan(found), np.isnan(wanted)):
        return False
    with np.errstate(all="ignore"):
        infinite = np.isinf(wanted) | np.isinf(found)
        if not np.array_equal(found[infinite], wanted[infinite]):
            return False
        finite = np.isfinite(wanted)
        return bool(np.all(np.abs(found[finite] - wanted[finite]) <= _close(wanted, coarse=coarse)))


def _close(wanted: np.ndarray, *, coarse: bool) -> float:
    finite = np.abs(wanted[np.isfinite(wanted)])
    part = CLOSE[wanted.dtype if wanted.dtype == np.float16 else np.dtype(np.float32 if coarse or wanted.dtype in (np.float32, np.complex64) else np.float64)]
    return part * max(1.0, float(np.max(finite, initial=0.0)))


def is_number(leaf: Any) -> bool:
    return isinstance(leaf, bool | int | float | complex | np.generic | np.ndarray) and np.asarray(leaf).dtype.kind in "biufc"
