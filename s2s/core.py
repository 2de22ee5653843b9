"""Jaxprs as objects, under the names of jax.core and jax.extend.core."""
from s2s.transforms.jaxprs.syntax import (
    ClosedJaxpr,
    DropVar,
    Jaxpr,
    JaxprEqn,
    Literal,
    Primitive,
    ShapedArray,
    Var,
    eval_jaxpr,
    jaxpr_as_fun,
)

__all__ = ["ClosedJaxpr", "DropVar", "Jaxpr", "JaxprEqn", "Literal", "Primitive", "ShapedArray", "Var", "eval_jaxpr", "jaxpr_as_fun"]
