"""scipy.signal's own functions."""
import scipy.signal as _signal
from scipy.signal import *  # noqa: F403

__all__ = list(_signal.__all__)
