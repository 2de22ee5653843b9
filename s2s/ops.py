"""Sums, products and extrema of segments, under the names of jax.ops: plain NumPy functions, read like any other."""
from s2s.transforms.read.composed.segments import segment_max, segment_min, segment_prod, segment_sum

__all__ = ["segment_max", "segment_min", "segment_prod", "segment_sum"]
