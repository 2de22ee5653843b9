"""JAX's lower-level functions, under JAX's names."""
from __future__ import annotations

from s2s.api.custom import stop_gradient

__all__ = ["stop_gradient"]
