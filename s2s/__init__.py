"""s2s: NumPy functions rewritten into their derivatives, as readable Python, compiled by Numba."""
from typing import Any

from s2s import (
    ad_checkpoint,
    checkpoint_policies,
    core,
    custom_batching,
    custom_derivatives,
    flatten_util,
    lax,
    nn,
    random,
    tree,
    tree_util,
)
from s2s.api import (
    ShapeDtypeStruct,
    checkpoint,
    checkpoint_name,
    disable_jit,
    eval_shape,
    grad,
    hessian,
    jacfwd,
    jacobian,
    jacrev,
    jit,
    jvp,
    linear_transpose,
    linearize,
    make_jaxpr,
    print_saved_residuals,
    remat,
    value_and_grad,
    vjp,
    vmap,
)
from s2s.api.checks import check_grads, check_vmap
from s2s.api.custom import closure_convert, custom_gradient, custom_jvp, custom_transpose, custom_vjp, linear_call, stop_gradient
from s2s.api.masking import mask, shapecheck
from s2s.calls.transformations import TABLE, public
from s2s.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    AxisBoundsError,
    BatchCheckError,
    BoundsError,
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
from s2s.registry import register
from s2s.types import FLOAT0

__version__ = "0.1.0"

float0 = FLOAT0
"""The dtype of tangents and cotangents of integers and bools; its arrays hold nothing: `np.zeros(shape, s2s.float0)`."""
__all__ = [
    "ArgumentTypeError",
    "ArgumentValueError",
    "AxisBoundsError",
    "BatchCheckError",
    "BoundsError",
    "CacheError",
    "GradientCheckError",
    "InternalError",
    "KinkError",
    "MissingRuleError",
    "S2SError",
    "ShapeDtypeStruct",
    "ShapeError",
    "SourceError",
    "UnsupportedError",
    "UnsupportedErrors",
    "ad_checkpoint",
    "check_grads",
    "check_vmap",
    "checkpoint",
    "checkpoint_name",
    "checkpoint_policies",
    "closure_convert",
    "core",
    "custom_batching",
    "custom_derivatives",
    "custom_gradient",
    "custom_jvp",
    "custom_transpose",
    "custom_vjp",
    "disable_jit",
    "eval_shape",
    "flatten_util",
    "float0",
    "grad",
    "hessian",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jit",
    "jvp",
    "lax",
    "linear_call",
    "linear_transpose",
    "linearize",
    "make_jaxpr",
    "mask",
    "nn",
    "print_saved_residuals",
    "random",
    "register",
    "remat",
    "shapecheck",
    "stop_gradient",
    "tree",
    "tree_util",
    "value_and_grad",
    "vjp",
    "vmap",
]


def __getattr__(name: str) -> Any:
    """The public function of a transformation that is an entry of the table and no more."""
    if name not in TABLE:
        raise AttributeError(f"module 's2s' has no attribute {name!r}")
    made = globals()[name] = public(TABLE[name])
    return made
