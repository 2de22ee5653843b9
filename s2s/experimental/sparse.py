"""Sparse arrays under the names of jax.experimental.sparse: `BCOO` without batches.

    m = BCOO.fromdense(dense)
    s2s.grad(lambda data, x: np.sum(BCOO((data, m.indices), shape=m.shape) @ x))(m.data, x)
"""
from s2s.not_here import refusing
from s2s.transforms.read.composed.coordinate_arrays import BCOO, empty, eye, todense

__all__ = ["BCOO", "empty", "eye", "todense"]

__getattr__ = refusing(__name__)
