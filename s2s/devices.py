"""The devices: the CPU, and no others. Names of JAX's that ask for them, or put arrays where they are.

    devices()          [CpuDevice(id=0)]
    device_count()     1
"""
from __future__ import annotations

from s2s.records import dataclass


@dataclass(frozen=True)
class Device:
    """The one device."""

    id: int
    platform: str
    device_kind: str
    process_index: int

    def __repr__(self) -> str:
        return f"CpuDevice(id={self.id})"


CPU = Device(0, "cpu", "cpu", 0)


def devices(backend: str | None = None) -> list[Device]:
    """All devices.

    >>> devices()
    [CpuDevice(id=0)]
    """
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend}. Available backends are ['cpu']")
    return [CPU]


def local_devices(process_index: int | None = None, backend: str | None = None, host_id: int | None = None) -> list[Device]:
    """The devices of this process: all of them."""
    if process_index not in (None, 0) or host_id not in (None, 0):
        raise ValueError(f"Unknown process_index {process_index}")
    return devices(backend)


def device_count(backend: str | None = None) -> int:
    """How many devices there are."""
    return len(devices(backend))


def local_device_count(backend: str | None = None) -> int:
    """How many devices this process has."""
    return len(devices(backend))


def default_backend() -> str:
    """The platform of the devices.

    >>> default_backend()
    'cpu'
    """
    return CPU.platform


def this_process(backend: str | None = None) -> int:
    """This process's number."""
    return devices(backend)[0].process_index


def process_count(backend: str | None = None) -> int:
    """How many processes compute together: one."""
    return len({device.process_index for device in devices(backend)})


__all__ = ["CPU", "Device", "default_backend", "device_count", "devices", "local_device_count", "local_devices", "process_count", "this_process"]
