"""What a user calls: one module for each group of calls. They look at what they were given, and hand over to `s2s.calls`."""
from s2s import registry
from s2s.api.batching import vmap
from s2s.api.checkpoints import checkpoint, checkpoint_name, print_saved_residuals, remat
from s2s.api.custom import closure_convert, custom_jvp, custom_solver, custom_vjp
from s2s.api.derivatives import fwd_and_bwd, grad, jvp, value_and_grad, vjp
from s2s.api.jacobians import hessian, jacfwd, jacobian, jacrev
from s2s.api.jaxprs import make_jaxpr
from s2s.api.jit import jit
from s2s.api.linear import linear_transpose, linearize
from s2s.api.lowering import xla_computation
from s2s.api.running import (
    clear_caches,
    ensure_compile_time_eval,
    make_array_from_callback,
    make_array_from_process_local_data,
    named_call,
    named_scope,
    print_environment_info,
)
from s2s.api.shapes import eval_shape
from s2s.api.switches import debug_infs, debug_nans, disable_jit
from s2s.shape_dtype import ShapeDtypeStruct

registry.makers().update(
    closure_convert=closure_convert, custom_jvp=custom_jvp, custom_vjp=custom_vjp, linear_transpose=linear_transpose, linearize=linearize, custom_solver=custom_solver, named_call=named_call, value_and_grad=value_and_grad, grad=grad, jacfwd=jacfwd, vmap=vmap,
)
__all__ = [
    "ShapeDtypeStruct",
    "checkpoint",
    "checkpoint_name",
    "clear_caches",
    "debug_infs",
    "debug_nans",
    "disable_jit",
    "ensure_compile_time_eval",
    "eval_shape",
    "fwd_and_bwd",
    "grad",
    "hessian",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jit",
    "jvp",
    "linear_transpose",
    "linearize",
    "make_array_from_callback",
    "make_array_from_process_local_data",
    "make_jaxpr",
    "named_call",
    "named_scope",
    "print_environment_info",
    "print_saved_residuals",
    "remat",
    "value_and_grad",
    "vjp",
    "vmap",
    "xla_computation",
]
