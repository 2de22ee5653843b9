"""scipy.special's own functions; those of which JAX's take more arguments take these, too."""
import scipy.special as _special
from scipy.special import *  # noqa: F403

from s2s.transforms.read.composed.jax_scipy import SPECIAL as _OF_JAX

globals().update(_OF_JAX)
__all__ = list({**dict.fromkeys(_special.__all__), **_OF_JAX})
