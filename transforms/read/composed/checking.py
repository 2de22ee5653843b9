"""s2s.experimental.checkify.check, as plain Python."""
# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.errors import JaxRuntimeError
from s2s.transforms.read.composed.formats import check_format
from s2s.transforms.read.composed.marks import unsupported


def check(pred: Any, msg: str, *fmt_args: Any, debug: bool = False, **fmt_kwargs: Any) -> None:
    """Raise JaxRuntimeError, a ValueError, with this message unless `pred` holds: when the program runs, at this place. `checkify` makes a value of it.

    >>> check(True, "never said")
    """
    if debug:
        unsupported("checkify.check(…, debug=True)", "check without it, or assert", "what is checked does not depend on who calls the function")
    if np.ndim(pred) != 0:
        raise TypeError(f"check takes a scalar pred as argument, got an array of shape {np.shape(pred)}")
    check_format(msg, len(fmt_args), tuple(fmt_kwargs), False)
    if not pred:
        raise JaxRuntimeError(msg.format(*fmt_args, **fmt_kwargs) + " (`check` failed)")


EXPORTED: dict[str, Callable[..., Any]] = {"check": check}
"""By the names that they have in s2s.experimental.checkify."""
