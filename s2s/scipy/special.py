"""scipy.special's own functions."""
import scipy.special as _special
from scipy.special import *  # noqa: F403

__all__ = list(_special.__all__)
