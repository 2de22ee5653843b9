"""scipy.stats's own functions."""
import scipy.stats as _stats
from scipy.stats import *  # noqa: F403

__all__ = list(_stats.__all__)
