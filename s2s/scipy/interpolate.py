"""scipy.interpolate's own functions."""
import scipy.interpolate as _interpolate
from scipy.interpolate import *  # noqa: F403

__all__ = list(_interpolate.__all__)
