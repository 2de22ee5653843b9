"""scipy.integrate's own functions."""
import scipy.integrate as _integrate
from scipy.integrate import *  # noqa: F403

__all__ = list(_integrate.__all__)
