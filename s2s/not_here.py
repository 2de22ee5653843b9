"""Names of JAX's that are not here, each with its reason or what to write instead. docs/jax_parity.md is made of them, too."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

_DEVICES = "arrays are whole and in one place, on the host's CPU"
_TRACING = "a setting or tool of JAX's tracing, compiler or runtime, which are not here"
_READ = "functions are read, not traced"
_TYPES = "a type of JAX's own machinery"
_PARTS = "how a program of JAX's compiler is put together; functions are read here"
_PRIMITIVES = "a primitive of JAX's tracer; functions are read here: the function of this name without _p"
_BLOCKS = "products of scaled blocks of eight bits"
_REFS = "arrays can be changed themselves: no references are needed"
_OFFLOADED = f"memory of other devices: {_DEVICES}"

_BY_REASON: dict[str, dict[str, str]] = {
    "s2s": {
        _REFS: "Ref empty_ref free_ref freeze new_ref ref",
        _DEVICES: "Shard copy_to_host_async distributed live_arrays make_array_from_single_device_arrays memory remove_size_one_mesh_axis_from_type reshard",
        "process_count, process_index, process_indices": "host_count host_id host_ids",
        _PARTS: "ad jax2tf_associative_scan_reductions",
        _TRACING: "allow_f16_reductions auto_pcast lib make_user_context monitoring no_execution no_tracing",
        _READ: "interpreters extend api_util",
        "s2s.__version__": "version",
        "dynamic slices are plain slices: x[i:i + n]": "ds",
        "jit(f).lower(*args).as_text() and `s2s emit` give the program as Python": "export",
        "register(…) tells what a foreign function is": "ffi",
        "arrays are NumPy's: np.from_dlpack": "dlpack",
    },
    "s2s.experimental": {
        "jit": "pjit", _DEVICES: "colocated_python custom_partitioning layout multihost_utils topologies transfer",
        _TRACING: "compilation_cache cur_qdd hijax key_reuse primal_tangent_dtype scheduling_groups", _TYPES: "EArray",
        "what the loops of your function do is compiled as it stands: write them, or s2s.register": "buffer_callback fused pallas",
        "pickle writes transformed functions, and `s2s emit` gives their program as Python": "serialize_executable", "lax.scan of a cell of your own": "rnn", "numpy.random's generators keep their state, and are read": "random", "floats are NumPy's: ask for float32 by dtype": "disable_x64",
        "jvp of jvp": "jet", "io_callback and pure_callback": "host_callback",
    },
    "s2s.experimental.sparse": {
        "scipy.sparse's matrices, which are read, too": "BCSR COO CSC CSR", "the operators of BCOO": "sparsify bcoo_dot_general", "grad of a function of BCOO's data": "grad value_and_grad jacfwd jacrev",
        "scipy.sparse.random": "random_bcoo", "scipy.sparse.linalg": "linalg",
    },
    "s2s.core": {_READ: "AbstractValue Atom ParamDict Trace Value eval_context", "s2s.ensure_compile_time_eval": "ensure_compile_time_eval", "max and min: sizes are plain integers": "max_dim min_dim"},
    "s2s.errors": {_READ: "JaxprTypeError", "sizes are compared at run time": "InconclusiveDimensionOperation", "keys are int64 arrays, and may be used again": "KeyReuseError"},
    "s2s.sharding": {
        _DEVICES: "AbstractDevice AbstractMesh ManualAxisType auto_axes explicit_axes make_single_device_sharding reshard use_abstract_mesh", "s2s.set_mesh, s2s.make_mesh": "get_abstract_mesh get_mesh set_mesh",
    },
    "s2s.experimental.checkify": {"check: it is made whoever calls the function": "debug_check"},
    "s2s.numpy": {
        "NumPy has no such dtype: float16, float32, int8 or uint8": "bfloat16 float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn "
        "float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int1 int2 int4 uint1 uint2 uint4",
        "numpy.exceptions.ComplexWarning": "ComplexWarning",
    },
    "s2s.lax": {
        _TYPES: "AccuracyMode ConvGeneralDilatedDimensionNumbers DotAlgorithm DotAlgorithmPreset DotDimensionNumbers PrecisionLike RaggedDotDimensionNumbers RandomAlgorithm Tolerance",
        _PARTS: "after_all create_token dce_sink stage",
        f"values of other devices: {_DEVICES}": "precv psend ragged_all_to_all",
        "a loop over the places, or conv_general_dilated_patches and einsum": "conv_general_dilated_local",
        "lax.ragged_dot": "ragged_dot_general", "random.bits": "rng_bit_generator", _BLOCKS: "scaled_dot",
        "random.uniform: a generator without a key has no defined numbers": "rng_uniform",
    },
    "s2s.lax.linalg": {"scipy.linalg.polar, or by the singular values": "qdwh"},
    "s2s.nn": {_BLOCKS: "get_scaled_dot_general_config scaled_dot_general scaled_matmul"},
    "s2s.nn.initializers": {_TYPES: "Initializer"},
    "s2s.random": {
        "keys are int64 arrays": "key_dtype",
    },
    "s2s.tree_util": {"is_tree_node, flatten_one_level and flatten_one_level_with_keys ask the registry": "default_registry"},
    "s2s.stages": {_TYPES: "CompilerOptions Wrapped"},
    "s2s.custom_derivatives": {_TYPES: "zero_from_primal"},
    "s2s.ad_checkpoint": {_OFFLOADED: "Offloadable Recompute Saveable"},
    "s2s.checkpoint_policies": {_OFFLOADED: "offload_dot_with_no_batch_dims save_and_offload_only_these_names"},
    "s2s.debug": {_DEVICES: "DebugEffect OrderedDebugEffect inspect_array_sharding visualize_array_sharding visualize_sharding", "s2s.disable_jit() and Python's breakpoint(), or pdb in emitted functions, which are Python": "breakpoint", "debug.callback of a function that logs": "log"},
    "s2s.dtypes": {"NumPy's dtypes are the dtypes here; keys are int64 arrays": "TypePromotionError extended prng_key", "NumPy has no such dtype": "bfloat16"},
    "s2s.profiler": {
        "Python's own profilers see emitted functions; profiler.trace times stages": "ProfileData ProfileEvent ProfileOptions ProfilePlane device_memory_profile register_subprocess "
        "save_device_memory_profile start_server stop_server",
    },
}  # fmt: skip
REASONS: dict[str, str] = {f"{module}.{name}": why for module, said in _BY_REASON.items() for why, names in said.items() for name in names.split()}
"""Of the names in full: "s2s.lax.dtype"."""


def not_here(module: str, name: str) -> AttributeError:
    """What is raised for a name that a module has not; Python itself adds the nearest that it has."""
    why = REASONS.get(f"{module}.{name}", _PRIMITIVES if name.endswith("_p") else "")
    return AttributeError(f"module {module!r} has no attribute {name!r}" + (f": {why}" if why else ""), name=name, obj=sys.modules[module])


def refusing(module: str) -> Callable[[str], NoReturn]:
    """The `__getattr__` of a module that says why a name of JAX's is not in it."""
    def refuse(name: str) -> NoReturn:
        raise not_here(module, name)

    return refuse


__all__ = ["REASONS", "not_here", "refusing"]
