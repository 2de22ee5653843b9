"""s2s: NumPy functions rewritten into their derivatives, as readable Python, compiled by Numba."""
from s2s import checkpoint_policies, custom_derivatives, lax, tree_util
from s2s.api import checkpoint, checkpoint_name, disable_jit, grad, hessian, jacfwd, jacobian, jacrev, jit, jvp, linear_transpose, linearize, print_saved_residuals, remat, value_and_grad, vjp
from s2s.custom import closure_convert, custom_gradient, custom_jvp, custom_transpose, custom_vjp, linear_call, stop_gradient
from s2s.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    CacheError,
    GradientCheckError,
    InternalError,
    KinkError,
    MissingRuleError,
    S2SError,
    ShapeError,
    SourceError,
    UnsupportedError,
    UnsupportedErrors,
)
from s2s.linear import ShapeDtypeStruct
from s2s.registry import register
from s2s.verification import check_grads

__version__ = "0.1.0"
__all__ = [
    "ArgumentTypeError", "ArgumentValueError", "CacheError", "GradientCheckError", "InternalError", "KinkError", "S2SError", "ShapeDtypeStruct", "ShapeError", "SourceError", "UnsupportedError",
    "MissingRuleError", "UnsupportedErrors", "check_grads", "checkpoint", "checkpoint_name", "checkpoint_policies", "closure_convert", "custom_derivatives", "custom_gradient",
    "custom_jvp", "custom_transpose", "custom_vjp", "lax", "linear_call", "register", "stop_gradient", "disable_jit", "grad", "hessian", "jacfwd", "jacobian", "jacrev", "jit", "jvp", "linear_transpose", "linearize", "print_saved_residuals", "remat", "tree_util", "value_and_grad", "vjp",
]  # fmt: skip
