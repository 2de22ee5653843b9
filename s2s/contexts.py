"""The flags of `config` for a block, or for the calls of a function that is decorated, under the names that they have in jax.

    with s2s.default_matmul_precision("float32"): …
    with s2s.default_device(s2s.devices()[0]): …

None of them changes a number; values that would are refused, as by `config.update`.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from s2s.configuration import config

F = TypeVar("F", bound=Callable[..., Any])


class Within:
    """A flag of config with this value for a block. It is checked when this is made."""

    def __init__(self, flag: str, value: Any) -> None:
        self.flag, self.value = flag, value
        self.before = config.read(flag)
        config.update(flag, value)
        config.update(flag, self.before)

    def __enter__(self) -> None:
        self.before = config.read(self.flag)
        config.update(self.flag, self.value)

    def __exit__(self, *_: object) -> None:
        config.update(self.flag, self.before)

    def __call__(self, fun: F) -> F:
        """What is decorated stays as it is: no number would be another one."""
        return fun


def _switching(name: str) -> Callable[..., Within]:
    def context(new_val: bool = True) -> Within:
        return Within(f"jax_{name}", new_val)

    return _named(context, name)


def _setting(name: str) -> Callable[..., Within]:
    def context(new_val: Any) -> Within:
        return Within(f"jax_{name}", new_val)

    return _named(context, name)


def _named(context: Callable[..., Within], name: str) -> Callable[..., Within]:
    context.__name__ = context.__qualname__ = name
    context.__doc__ = f"config's jax_{name} for a block."
    return context


SWITCHES = "enable_x64 log_compiles explain_cache_misses check_tracer_leaks enable_checks enable_custom_prng softmax_custom_jvp threefry_partitionable debug_key_reuse"
SETTINGS = (
    "default_device default_matmul_precision default_prng_impl legacy_prng_key numpy_dtype_promotion numpy_rank_promotion array_garbage_collection_guard thread_guard "
    "transfer_guard transfer_guard_device_to_device transfer_guard_device_to_host transfer_guard_host_to_device"
)
CONTEXTS: dict[str, Callable[..., Within]] = {name: _switching(name) for name in SWITCHES.split()} | {name: _setting(name) for name in SETTINGS.split()}
"""By the names that they have in s2s."""


def checking_leaks() -> Within:
    """A block in which JAX would look for leaked tracers: nothing is traced here, nothing leaks.

    >>> with checking_leaks():
    ...     1 + 1
    2
    """
    return Within("jax_check_tracer_leaks", True)


__all__ = ["CONTEXTS", "Within", "checking_leaks"]
