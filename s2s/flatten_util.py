"""`ravel_pytree`: a container's numbers as one vector, and back."""
from s2s.transforms.read.composed.raveling import ravel_pytree

__all__ = ["ravel_pytree"]
