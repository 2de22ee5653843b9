"""scipy.optimize's own functions."""
import scipy.optimize as _optimize
from scipy.optimize import *  # noqa: F403

from s2s.not_here import refusing

__all__ = list(_optimize.__all__)

__getattr__ = refusing(__name__)
