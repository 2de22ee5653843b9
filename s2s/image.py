"""Images in other sizes, under the names of jax.image."""
from __future__ import annotations

from s2s.not_here import refusing
from s2s.transforms.read.composed.image_scaling import ResizeMethod, resize, scale_and_translate

__all__ = ["ResizeMethod", "resize", "scale_and_translate"]

__getattr__ = refusing(__name__)
