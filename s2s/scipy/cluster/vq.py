"""scipy.cluster.vq's own functions."""
import scipy.cluster.vq as _vq
from scipy.cluster.vq import *  # noqa: F403

__all__ = list(_vq.__all__)
