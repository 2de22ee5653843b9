"""s2s: NumPy functions rewritten into their derivatives, as readable Python, compiled by Numba."""
import importlib
from typing import Any

from s2s import (
    ad_checkpoint,
    checkpoint_policies,
    core,
    custom_batching,
    custom_derivatives,
    debug,
    dtypes,
    experimental,
    flatten_util,
    image,
    lax,
    nn,
    profiler,
    random,
    sharding,
    test_util,
    tree,
    tree_util,
    typing,
)
from s2s.api import (
    ShapeDtypeStruct,
    checkpoint,
    checkpoint_name,
    clear_caches,
    debug_infs,
    debug_nans,
    disable_jit,
    ensure_compile_time_eval,
    eval_shape,
    fwd_and_bwd,
    grad,
    hessian,
    jacfwd,
    jacobian,
    jacrev,
    jit,
    jvp,
    linear_transpose,
    linearize,
    make_array_from_callback,
    make_array_from_process_local_data,
    make_jaxpr,
    named_call,
    named_scope,
    print_environment_info,
    print_saved_residuals,
    remat,
    value_and_grad,
    vjp,
    vmap,
    xla_computation,
)
from s2s.api.checks import check_grads, check_vmap
from s2s.api.custom import closure_convert, custom_gradient, custom_jvp, custom_transpose, custom_vjp, linear_call, stop_gradient
from s2s.api.masking import mask, shapecheck
from s2s.api.parallel import pmap
from s2s.api.pickling import let_travel
from s2s.api.sharded import set_mesh, shard_map, smap
from s2s.callbacks import io_callback, pure_callback
from s2s.calls.transformations import TABLE, public
from s2s.configuration import config
from s2s.contexts import CONTEXTS, checking_leaks
from s2s.core import typeof
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
    NotFiniteError,
    S2SError,
    ShapeError,
    SourceError,
    UnsupportedError,
    UnsupportedErrors,
)
from s2s.host_devices import (
    Device,
    default_backend,
    device_count,
    devices,
    local_device_count,
    local_devices,
    process_count,
    process_indices,
)
from s2s.host_devices import this_process as process_index
from s2s.not_here import not_here
from s2s.placement import NamedSharding
from s2s.registry import register
from s2s.sharding import PartitionSpec as P
from s2s.sharding import make_mesh
from s2s.transforms.read.composed.running import block_until_ready, device_get, device_put, effects_barrier
from s2s.types import FLOAT0
from s2s.typing import Array

let_travel()
globals().update(CONTEXTS)
__version__ = "0.1.0"
LATER = ("numpy", "ops", "scipy", "stages")
"""Modules that are imported when they are asked for."""

float0 = FLOAT0
"""The dtype of tangents and cotangents of integers and bools; its arrays hold nothing: `np.zeros(shape, s2s.float0)`."""
__all__ = [
    "ArgumentTypeError",
    "ArgumentValueError",
    "Array",
    "AxisBoundsError",
    "BatchCheckError",
    "BoundsError",
    "CacheError",
    "Device",
    "GradientCheckError",
    "InternalError",
    "KinkError",
    "MissingRuleError",
    "NamedSharding",
    "NotFiniteError",
    "P",
    "S2SError",
    "ShapeDtypeStruct",
    "ShapeError",
    "SourceError",
    "UnsupportedError",
    "UnsupportedErrors",
    "ad_checkpoint",
    "block_until_ready",
    "check_grads",
    "check_vmap",
    "checking_leaks",
    "checkpoint",
    "checkpoint_name",
    "checkpoint_policies",
    "clear_caches",
    "closure_convert",
    "config",
    "core",
    "custom_batching",
    "custom_derivatives",
    "custom_gradient",
    "custom_jvp",
    "custom_transpose",
    "custom_vjp",
    "debug",
    "debug_infs",
    "debug_nans",
    "default_backend",
    "device_count",
    "device_get",
    "device_put",
    "devices",
    "disable_jit",
    "dtypes",
    "effects_barrier",
    "ensure_compile_time_eval",
    "eval_shape",
    "experimental",
    "flatten_util",
    "float0",
    "fwd_and_bwd",
    "grad",
    "hessian",
    "image",
    "io_callback",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jit",
    "jvp",
    "lax",
    "linear_call",
    "linear_transpose",
    "linearize",
    "local_device_count",
    "local_devices",
    "make_array_from_callback",
    "make_array_from_process_local_data",
    "make_jaxpr",
    "make_mesh",
    "mask",
    "named_call",
    "named_scope",
    "nn",
    "pmap",
    "print_environment_info",
    "print_saved_residuals",
    "process_count",
    "process_index",
    "process_indices",
    "profiler",
    "pure_callback",
    "random",
    "register",
    "remat",
    "set_mesh",
    "shapecheck",
    "shard_map",
    "sharding",
    "smap",
    "stop_gradient",
    "test_util",
    "tree",
    "tree_util",
    "typeof",
    "typing",
    "value_and_grad",
    "vjp",
    "vmap",
    "xla_computation",
]
__all__ += list(CONTEXTS)


def __getattr__(name: str) -> Any:
    """The public function of a transformation that is an entry of the table and no more; a module that is imported when it is asked for."""
    if name in LATER:
        return importlib.import_module(f"s2s.{name}")
    if name not in TABLE:
        raise not_here("s2s", name)
    made = globals()[name] = public(TABLE[name])
    return made
