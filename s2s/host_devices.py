"""The devices: the host's CPU, and as many logical devices as it stands for. Names of JAX's that ask for them.

    devices()                                            [CpuDevice(id=0)]
    config.update("jax_num_cpu_devices", 8)              or XLA_FLAGS=--xla_force_host_platform_device_count=8 before s2s is imported
    device_count()                                       8

`pmap` and `shard_map` give each of them an example, or a block, to compute.
"""
from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from s2s.records import dataclass


@dataclass(frozen=True)
class Device:
    """One logical device.

    >>> import s2s
    >>> s2s.devices()[0]
    CpuDevice(id=0)
    """

    id: int
    platform: str
    device_kind: str
    process_index: int

    def __repr__(self) -> str:
        return f"CpuDevice(id={self.id})"


CPU = Device(0, "cpu", "cpu", 0)
"""The first one."""


def asked_for(environment: Mapping[str, str]) -> int:
    """How many devices the environment asks for, as JAX's.

    >>> asked_for({"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}), asked_for({})
    (8, 1)
    """
    named = environment.get("JAX_NUM_CPU_DEVICES", "")
    if named.isdecimal() and int(named):
        return int(named)
    flags = re.findall(r"--xla_force_host_platform_device_count=(\d+)", environment.get("XLA_FLAGS", ""))
    return max(int(flags[-1]), 1) if flags else 1


COUNT = asked_for(os.environ)
"""How many there are now. Programs that ask for it are guarded by it."""


def count_becomes(count: int) -> None:
    """`config.update("jax_num_cpu_devices", count)`; -1: what the environment says."""
    global COUNT  # noqa: PLW0603 - a guard looks at it by this name
    COUNT = asked_for(os.environ) if count == -1 else count


def check_backend(backend: Any) -> None:
    """RuntimeError for any but the CPU's."""
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend}. Available backends are ['cpu']")


def devices(backend: str | None = None) -> list[Device]:
    """All devices.

    >>> devices()[:1]
    [CpuDevice(id=0)]
    """
    check_backend(backend)
    return [Device(number, CPU.platform, CPU.device_kind, CPU.process_index) for number in range(COUNT)]


def local_devices(process_index: int | None = None, backend: str | None = None, host_id: int | None = None) -> list[Device]:
    """The devices of this process: all of them.

    Raises a ValueError for the number of another process.

    >>> local_devices() == devices()
    True
    """
    if process_index not in (None, 0) or host_id not in (None, 0):
        raise ValueError(f"Unknown process_index {process_index}")
    return devices(backend)


def device_count(backend: str | None = None) -> int:
    """How many devices there are.

    >>> device_count() == len(devices())
    True
    """
    check_backend(backend)
    return COUNT


def local_device_count(backend: str | None = None) -> int:
    """How many devices this process has.

    >>> local_device_count() == device_count()
    True
    """
    check_backend(backend)
    return COUNT


def default_backend() -> str:
    """The platform of the devices.

    >>> default_backend()
    'cpu'
    """
    return CPU.platform


def this_process(backend: str | None = None) -> int:
    """This process's number.

    >>> this_process()
    0
    """
    check_backend(backend)
    return CPU.process_index


def process_count(backend: str | None = None) -> int:
    """How many processes compute together: one.

    >>> process_count()
    1
    """
    check_backend(backend)
    return 1


def process_indices(backend: str | None = None) -> list[int]:
    """The numbers of all processes.

    >>> process_indices()
    [0]
    """
    check_backend(backend)
    return [CPU.process_index]


__all__ = ["CPU", "Device", "asked_for", "check_backend", "count_becomes", "default_backend", "device_count", "devices", "local_device_count", "local_devices", "process_count", "process_indices", "this_process"]
