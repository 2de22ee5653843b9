"""s2s: NumPy functions rewritten into their derivatives, as readable Python, compiled by Numba."""
from s2s import tree_util
from s2s.api import disable_jit, grad, jit, jvp, value_and_grad, vjp
from s2s.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    CacheError,
    InternalError,
    S2SError,
    ShapeError,
    SourceError,
    UnsupportedError,
    UnsupportedErrors,
)

__version__ = "0.1.0"
__all__ = [
    "ArgumentTypeError", "ArgumentValueError", "CacheError", "InternalError", "S2SError", "ShapeError", "SourceError", "UnsupportedError",
    "UnsupportedErrors", "disable_jit", "grad", "jit", "jvp", "tree_util", "value_and_grad", "vjp",
]  # fmt: skip
