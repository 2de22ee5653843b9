"""`order=` of NumPy's functions: how the elements of an array lie in memory. Ours lie in C order."""
from __future__ import annotations

from typing import Any

from s2s.errors import ArgumentValueError
from s2s.transforms.read.numpy.building import current_builder, unsupported


def check_order(order: Any) -> None:
    """Refuse what is none, in NumPy's words."""
    if order is not None and str(order).upper() not in ("C", "F", "A", "K"):
        raise ArgumentValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})", where=current_builder().where)


def need_c_order(function: str, order: Any) -> None:
    """C order, of functions that make an array of no other."""
    if order == "F":
        raise unsupported(f"{function}(…, order={order!r}) is not supported", instead="C order")
    if order in ("K", "A"):
        raise ArgumentValueError("only 'C' or 'F' order is permitted", where=current_builder().where)
    check_order(order)
