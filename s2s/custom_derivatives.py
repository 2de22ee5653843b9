"""Custom derivative rules under the names of JAX's module of this name."""
from __future__ import annotations

from s2s.api.custom import (
    CustomVJPPrimal,
    SymbolicZero,
    closure_convert,
    custom_gradient,
    custom_jvp,
    custom_vjp,
    custom_vjp_primal_tree_values,
    linear_call,
)
from s2s.not_here import refusing

__all__ = [
    "CustomVJPPrimal", "SymbolicZero", "closure_convert", "custom_gradient", "custom_jvp", "custom_vjp", "custom_vjp_primal_tree_values", "linear_call",
]  # fmt: skip

__getattr__ = refusing(__name__)
