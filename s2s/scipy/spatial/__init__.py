"""scipy.spatial's own functions and classes."""
import scipy.spatial as _spatial
from scipy.spatial import *  # noqa: F403

from s2s.scipy.spatial import distance as distance
from s2s.scipy.spatial import transform as transform

__all__ = list(_spatial.__all__)
