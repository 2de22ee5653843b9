"""What is in force for calls: whether functions are compiled or run by NumPy (`disable_jit`), and whether results are looked at for nan and inf."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from importlib import import_module
from typing import Any

import numpy as np

from s2s.tree_util import tree_leaves


class Switch:
    """On or off: for a context, else everywhere. `used`: whether anyone has turned it on so far, which is asked faster than a context variable."""

    def __init__(self, name: str) -> None:
        self.used = False
        self._everywhere = False
        self._on: ContextVar[bool | None] = ContextVar(name, default=None)

    def get(self) -> bool:
        """Whether it is on here."""
        on = self._on.get()
        return self._everywhere if on is None else on

    def set(self, on: bool) -> Token[bool | None]:
        """As a ContextVar's."""
        self.used |= on
        return self._on.set(on)

    def reset(self, token: Token[bool | None]) -> None:
        """As a ContextVar's."""
        self._on.reset(token)

    def everywhere(self, on: bool) -> None:
        """Turn it on or off in all contexts that do not say otherwise."""
        self.used |= on
        self._everywhere = on

    @contextmanager
    def while_in(self, on: bool) -> Iterator[None]:
        """On or off for a block."""
        token = self.set(on)
        try:
            yield
        finally:
            self.reset(token)


DISABLED = Switch("s2s_disable_jit")
"""Whether `disable_jit()` is in force."""
NANS, INFS = Switch("s2s_debug_nans"), Switch("s2s_debug_infs")
"""Whether a result that holds nan, or inf, is an error."""


_STATE_OF_NUMPY: ContextVar[Any] | None = getattr(import_module("numpy._core.umath"), "_extobj_contextvar", None)
"""Set where np.errstate or np.seterr are in force: asked in 40 ns, np.geterr() in 1.3 µs (NumPy 2.4). None: NumPy has it no more."""


def is_slow() -> bool:
    """Whether calls have to look at any of them, or at NumPy's own state of errors."""
    return (DISABLED.used or NANS.used or INFS.used) and (DISABLED.get() or NANS.get() or INFS.get()) or bool(numpy_raises())


def numpy_raises() -> str:
    """Which of "nan" and "inf" np.errstate or np.seterr make an exception of where an operation gives them, "" if none."""
    if _STATE_OF_NUMPY is not None and _STATE_OF_NUMPY.get(None) is None:
        return ""
    state = np.geterr()
    if "raise" not in state.values():
        return ""
    wanted = {"nan": state["invalid"] == "raise", "inf": "raise" in (state["divide"], state["over"])}
    return " ".join(name for name, raises in wanted.items() if raises)


def what_is_wrong(tree: Any) -> str:
    """"nan" or "inf" where any number in it is what is looked for, else ""."""
    return next((found for leaf in tree_leaves(tree) if (found := _wrong(leaf))), "")


def _wrong(value: Any) -> str:
    if not isinstance(value, float | complex | np.ndarray | np.generic) or np.asarray(value).dtype.kind not in "fc":
        return ""
    if NANS.get() and bool(np.isnan(value).any()):
        return "nan"
    return "inf" if INFS.get() and bool(np.isinf(value).any()) else ""


def beside_by_default() -> bool:
    """Whether S2S_COMPILE says "background": another process compiles."""
    return os.environ.get("S2S_COMPILE", "") == "background"
