"""scipy.optimize's own functions."""
import scipy.optimize as _optimize
from scipy.optimize import *  # noqa: F403

__all__ = list(_optimize.__all__)
