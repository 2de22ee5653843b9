"""Whether functions are compiled, or run by NumPy (`disable_jit`, or while another process compiles)."""
from __future__ import annotations

import os
from contextvars import ContextVar, Token


class Switch:
    """`disable_jit`, for each context. `used`: whether anyone has turned it on so far, which is asked faster than a context variable."""

    def __init__(self) -> None:
        self.used = False
        self._on: ContextVar[bool] = ContextVar("s2s_disable_jit", default=False)
        self.get = self._on.get

    def set(self, on: bool) -> Token[bool]:
        """As a ContextVar's."""
        self.used |= on
        return self._on.set(on)

    def reset(self, token: Token[bool]) -> None:
        """As a ContextVar's."""
        self._on.reset(token)


DISABLED = Switch()
"""Whether `disable_jit()` is in force."""


def beside_by_default() -> bool:
    """Whether S2S_COMPILE says "background": another process compiles."""
    return os.environ.get("S2S_COMPILE", "") == "background"
