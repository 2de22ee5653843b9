"""`s2s.config`: the flags of jax.config that apply.

    s2s.config.update("jax_debug_nans", True)
    s2s.config.jax_disable_jit                    False
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import host_devices
from s2s.calls.switch import DISABLED, INFS, NANS, Switch
from s2s.errors import ArgumentValueError, UnsupportedError
from s2s.records import dataclass


@dataclass(frozen=True)
class _Flag:
    """`read()`, `write(value)`."""

    read: Callable[[], Any]
    write: Callable[[Any], None]


def _switch(switch: Switch) -> _Flag:
    def write(value: Any) -> None:
        if not isinstance(value, bool):
            raise ArgumentValueError(f"a flag that is True or False was given {value!r}")
        switch.everywhere(value)

    return _Flag(switch.get, write)


def _fixed(name: str, value: Any, allowed: tuple[Any, ...], why: str, instead: str) -> _Flag:
    """A flag that has one meaning here, under several values."""

    def write(given: Any) -> None:
        if given not in allowed:
            raise UnsupportedError(f"config.update({name!r}, {given!r})", why=why, instead=instead)

    return _Flag(lambda: value, write)


class _Remembered:
    """A flag that says nothing here, of any value: which one it was given."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def read(self) -> Any:
        return self.value

    def write(self, given: Any) -> None:
        self.value = given


def _remembered(value: Any, names: str) -> dict[str, _Flag]:
    flags = {name: _Remembered(value) for name in names.split()}
    return {name: _Flag(flag.read, flag.write) for name, flag in flags.items()}


def _device(given: Any) -> None:
    if given not in (None, "cpu") and not isinstance(given, host_devices.Device):
        raise UnsupportedError(f"config.update('jax_default_device', {given!r})", why=_HOST, instead="one of devices()")


def _count(given: Any) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not (given > 0 or given == -1):
        raise ArgumentValueError(f"a number of devices was given {given!r}", instead="a positive int, or -1 for what XLA_FLAGS says")
    return given


_HOST = "emitted code runs on the host's CPU, in this process"
_BITS = "random numbers have the bits of JAX's own settings"
FLAGS: dict[str, _Flag] = {
    "jax_disable_jit": _switch(DISABLED),
    "jax_debug_nans": _switch(NANS),
    "jax_debug_infs": _switch(INFS),
    "jax_enable_x64": _fixed("jax_enable_x64", True, (True,), "floats are NumPy's: 64 bits unless a dtype says otherwise", "arrays of dtype=np.float32"),
    "jax_num_cpu_devices": _Flag(lambda: host_devices.COUNT, lambda count: host_devices.count_becomes(_count(count))),
    "jax_platforms": _fixed("jax_platforms", "cpu", ("cpu", None, ""), _HOST, '"cpu"'),
    "jax_platform_name": _fixed("jax_platform_name", "cpu", ("cpu", None, ""), _HOST, '"cpu"'),
    "jax_default_matmul_precision": _fixed(
        "jax_default_matmul_precision", None, (None, "highest", "float32", "default", "high"), "products are of the operands' own precision", "None"
    ),
    "jax_numpy_dtype_promotion": _fixed("jax_numpy_dtype_promotion", "standard", ("standard",), "dtypes are promoted as NumPy does", "conversions where they matter"),
    "jax_numpy_rank_promotion": _fixed("jax_numpy_rank_promotion", "allow", ("allow",), "arrays are broadcast as NumPy does", "reshape where it matters"),
    "jax_default_device": _Flag(lambda: None, _device),
    "jax_default_prng_impl": _fixed("jax_default_prng_impl", "threefry2x32", ("threefry2x32",), _BITS, '"threefry2x32"'),
    "jax_threefry_partitionable": _fixed("jax_threefry_partitionable", True, (True,), _BITS, "True"),
    "jax_high_dynamic_range_gumbel": _fixed("jax_high_dynamic_range_gumbel", False, (False,), _BITS, 'random.gumbel(…, mode="high")'),
    "jax_random_seed_offset": _fixed("jax_random_seed_offset", 0, (0,), _BITS, "the sum as the seed"),
    "jax_debug_key_reuse": _fixed("jax_debug_key_reuse", False, (False,), "keys are arrays, and nobody looks at how often one is used", "False"),
    **_remembered(False, """
        jax_log_compiles jax_explain_cache_misses jax_check_tracer_leaks jax_enable_checks jax_raise_persistent_cache_errors jax_include_full_tracebacks_in_locations jax_enable_custom_prng
        jax_log_checkpoint_residuals jax_disable_most_optimizations jax_persistent_cache_enable_xla_caches jax_compilation_cache_check_contents
    """),
    **_remembered(True, "jax_enable_compilation_cache jax_cpu_enable_async_dispatch jax_use_shardy_partitioner jax_softmax_custom_jvp jax_use_direct_linearize"),
    **_remembered("allow", """
        jax_transfer_guard jax_transfer_guard_host_to_device jax_transfer_guard_device_to_device jax_transfer_guard_device_to_host jax_array_garbage_collection_guard jax_thread_guard
        jax_legacy_prng_key
    """),
    **_remembered(None, """
        jax_compilation_cache_dir jax_persistent_cache_min_compile_time_secs jax_persistent_cache_min_entry_size_bytes jax_compilation_cache_max_size jax_traceback_filtering jax_logging_level
        jax_debug_log_modules jax_optimization_level jax_memory_fitting_level jax_exec_time_optimization_effort jax_memory_fitting_effort jax_dump_ir_to jax_captured_constants_warn_bytes
        jax_cpu_collectives_implementation
    """),
}  # fmt: skip
"""By JAX's names. Those that are remembered only are about JAX's compiler, its caches and what it tells: none of them changes a number."""


class Config:
    """jax.config, as far as its flags mean anything here.

    >>> import s2s
    >>> s2s.config.update("jax_debug_nans", True)
    >>> s2s.config.jax_debug_nans
    True
    >>> s2s.config.update("jax_debug_nans", False)
    """

    def update(self, name: str, val: Any) -> None:
        """Set a flag for the whole process.

        Raises
        ------
        AttributeError
            No flag of this name applies.
        UnsupportedError
            A NotImplementedError: a value that s2s does not have.
        """
        _flag(name).write(val)

    def read(self, name: str) -> Any:
        """A flag's value."""
        return _flag(name).read()

    @property
    def values(self) -> dict[str, Any]:
        """All flags."""
        return {name: flag.read() for name, flag in FLAGS.items()}

    def __getattr__(self, name: str) -> Any:
        return _flag(name).read()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"config.{name} = … is not how a flag is set: config.update({name!r}, …)")

    def __repr__(self) -> str:
        return f"<s2s config {self.values}>"


def _flag(name: str) -> _Flag:
    if name not in FLAGS:
        raise AttributeError(f"Unrecognized config option: {name}. Those that apply: {', '.join(sorted(FLAGS))}")
    return FLAGS[name]


config = Config()

__all__ = ["FLAGS", "Config", "config"]
