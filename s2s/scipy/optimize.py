"""scipy.optimize's own functions."""
import scipy.optimize as _optimize
from scipy.optimize import *  # noqa: F403

from s2s.not_here import refusing

OptimizeResults = _optimize.OptimizeResult
"""jax.scipy.optimize's name for what `minimize` gives: it has SciPy's fields, those of JAX's among them."""
__all__ = list(_optimize.__all__)
__all__ += ["OptimizeResults"]

__getattr__ = refusing(__name__)
