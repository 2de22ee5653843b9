"""scipy.linalg's own functions."""
import scipy.linalg as _linalg
from scipy.linalg import *  # noqa: F403

__all__ = list(_linalg.__all__)
