"""scipy.sparse's own functions."""
import scipy.sparse as _sparse
from scipy.sparse import *  # noqa: F403

__all__ = list(_sparse.__all__)
