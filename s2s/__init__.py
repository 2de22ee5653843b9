"""s2s: NumPy functions rewritten into their derivatives, as readable Python, compiled by Numba."""
from s2s import checkpoint_policies, tree_util
from s2s.api import checkpoint, checkpoint_name, disable_jit, grad, hessian, jacfwd, jacobian, jacrev, jit, jvp, remat, value_and_grad, vjp
from s2s.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    CacheError,
    GradientCheckError,
    InternalError,
    KinkError,
    S2SError,
    ShapeError,
    SourceError,
    UnsupportedError,
    UnsupportedErrors,
)
from s2s.verification import check_grads

__version__ = "0.1.0"
__all__ = [
    "ArgumentTypeError", "ArgumentValueError", "CacheError", "GradientCheckError", "InternalError", "KinkError", "S2SError", "ShapeError", "SourceError", "UnsupportedError",
    "UnsupportedErrors", "check_grads", "checkpoint", "checkpoint_name", "checkpoint_policies", "disable_jit", "grad", "hessian", "jacfwd", "jacobian", "jacrev", "jit", "jvp", "remat", "tree_util", "value_and_grad", "vjp",
]  # fmt: skip
