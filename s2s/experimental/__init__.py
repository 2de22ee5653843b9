"""Names of jax.experimental that have a meaning here."""
import importlib

from s2s.callbacks import io_callback
from s2s.contexts import CONTEXTS
from s2s.not_here import not_here

enable_x64 = CONTEXTS["enable_x64"]
__all__ = ["enable_x64", "io_callback"]
LATER = ("checkify", "mesh_utils", "ode", "shard_map", "sparse")
"""Modules that are imported when they are asked for."""


def __getattr__(name: str) -> object:
    if name in LATER:
        return importlib.import_module(f"s2s.experimental.{name}")
    raise not_here("s2s.experimental", name)
