"""Checkpointing under the names of JAX's module of this name."""
from __future__ import annotations

from s2s import checkpoint_policies
from s2s.api import checkpoint, checkpoint_name, print_saved_residuals, remat
from s2s.not_here import refusing

__all__ = ["checkpoint", "checkpoint_name", "checkpoint_policies", "print_saved_residuals", "remat"]

__getattr__ = refusing(__name__)
