"""Batching rules under the names of JAX's module of this name."""
from __future__ import annotations

from s2s.api.custom_batching import custom_vmap, sequential_vmap

__all__ = ["custom_vmap", "sequential_vmap"]
