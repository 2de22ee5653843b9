"""scipy.signal's own functions; those of which JAX's take more arguments take these, too."""
import scipy.signal as _signal
from scipy.signal import *  # noqa: F403

from s2s.transforms.read.composed.jax_scipy import SIGNAL as _OF_JAX

globals().update(_OF_JAX)
__all__ = list(_signal.__all__)
