"""Names of JAX's that programs ask for and that are not here, each with its reason and what to write instead."""
from __future__ import annotations

SHARDINGS = "arrays are whole and in one place: no device holds a part of one"
NOT_HERE: dict[str, str] = {
    "reshard": SHARDINGS,
    "distributed": SHARDINGS, "export": "jit(f).lower(*args).as_text() and `s2s emit` give the program as Python", "ffi": "register(…) tells what a foreign function is",
    "image": "scipy.ndimage, or jnp.interp and products along the axes", "dlpack": "arrays are NumPy's: np.from_dlpack", "interpreters": "functions are read, not traced",
    "extend": "functions are read, not traced", "typeof": "eval_shape(lambda: x)", "new_ref": "arrays can be changed themselves: no references are needed", "Ref": "arrays can be changed themselves: no references are needed",
    "clear_caches": "jit(f).clear_cache()", "checking_leaks": "nothing is traced, nothing leaks", "enable_x64": "floats are NumPy's: ask for float32 by dtype",
}  # fmt: skip
"""By name in s2s."""


EXPERIMENTAL: dict[str, str] = {
    "pjit": "jit", "multihost_utils": SHARDINGS, "checkify": "debug_nans and debug_infs; raise and assert, which are read", "sparse": "scipy.sparse",
    "jet": "jvp of jvp", "host_callback": "io_callback and pure_callback",
}  # fmt: skip
"""By name in s2s.experimental."""
NUMPY: dict[str, str] = dict.fromkeys(
    ("bfloat16", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "int1", "int2", "int4", "uint1", "uint2", "uint4"),
    "NumPy has no such dtype: float16, float32, int8 or uint8",
)
"""By name in s2s.numpy."""
LAX: dict[str, str] = {"linalg": "jnp.linalg and scipy.linalg have these functions", "dtype": "x.dtype", "rng_bit_generator": "random.bits"}
"""By name in s2s.lax."""
RANDOM: dict[str, str] = {"binomial": "sums of random.bernoulli", "multinomial": "counts of random.categorical"}
"""By name in s2s.random."""


def why(module: str, name: str, reasons: dict[str, str]) -> str:
    """What is said of a name that a module has not."""
    return f"module {module!r} has no attribute {name!r}" + (f": {reasons[name]}" if name in reasons else "")


__all__ = ["EXPERIMENTAL", "LAX", "NOT_HERE", "NUMPY", "RANDOM", "why"]
