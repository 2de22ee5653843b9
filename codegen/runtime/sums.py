"""One term more of a sum whose order is free."""
from __future__ import annotations


def plus(total, term):  # type: ignore[no-untyped-def]
    """total + term, where the compiler may choose the order of a loop's additions."""
    return total + term
