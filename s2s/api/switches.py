"""disable_jit, debug_nans, debug_infs: what is in force for a block."""
from __future__ import annotations

from contextlib import AbstractContextManager

from s2s.calls.switch import DISABLED, INFS, NANS


def disable_jit(disable: bool = True) -> AbstractContextManager[None]:
    """Inside, `jit` runs the user's own function, and derivatives run their emitted code without compiling it.

    >>> from s2s import grad
    >>> with disable_jit():
    ...     grad(lambda x: x**3)(2.0)       # NumPy runs it: for print, pdb, and functions that are called once
    12.0
    """
    return DISABLED.while_in(disable)


def debug_nans(new_val: bool = True) -> AbstractContextManager[None]:
    """Inside, a call of a transformed function whose result holds nan is a FloatingPointError that names the operation that made the first one, and the user's line.

    The result of each call is looked at; only where it holds nan, the program is run again by NumPy, operation by operation. Under `disable_jit` nothing is looked at.

    >>> import numpy as np
    >>> from s2s import jit
    >>> try:
    ...     with debug_nans():
    ...         jit(lambda x: np.log(x) + 1.0, target="numpy")(-1.0)
    ... except FloatingPointError as error:
    ...     print(str(error).splitlines()[0])           # the user's line stands below
    invalid value (nan) encountered in log
    """
    return NANS.while_in(new_val)


def debug_infs(new_val: bool = True) -> AbstractContextManager[None]:
    """`debug_nans`, of inf.

    >>> import numpy as np
    >>> from s2s import jit
    >>> try:
    ...     with debug_infs():
    ...         jit(lambda x: 1.0 + 1.0 / x, target="numpy")(np.zeros(2))
    ... except FloatingPointError as error:
    ...     print(str(error).splitlines()[0])           # the user's line stands below
    invalid value (inf) encountered in div
    """
    return INFS.while_in(new_val)
