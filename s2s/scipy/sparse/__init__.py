"""scipy.sparse's own functions; `linalg` has those that jax.scipy.sparse.linalg has."""
import importlib

import scipy.sparse as _sparse
from scipy.sparse import *  # noqa: F403

linalg = importlib.import_module("s2s.scipy.sparse.linalg")
__all__ = list(_sparse.__all__)
