"""scipy.spatial.transform's own classes."""
import scipy.spatial.transform as _transform
from scipy.spatial.transform import *  # noqa: F403

__all__ = list(_transform.__all__)
