"""scipy.spatial.distance's own functions."""
import scipy.spatial.distance as _distance
from scipy.spatial.distance import *  # noqa: F403

__all__ = list(_distance.__all__)
