"""numpy.linalg's own functions; those of which JAX's take more arguments take these, too."""
import numpy.linalg as _linalg
from numpy.linalg import *  # noqa: F403

from s2s.transforms.read.composed.jax_numpy import LINALG as _OF_JAX

globals().update(_OF_JAX)
__all__ = list(_linalg.__all__)
