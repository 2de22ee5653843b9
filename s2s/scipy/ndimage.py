"""scipy.ndimage's own functions."""
import scipy.ndimage as _ndimage
from scipy.ndimage import *  # noqa: F403

__all__ = list(_ndimage.__all__)
