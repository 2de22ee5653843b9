"""How many devices and processes there are, in the code that is read: numbers that are known, and looked at again at each call."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s import host_devices
from s2s.transforms.read.reader import Reader
from s2s.transforms.read.values import Abstract


def _known(reader: Reader, function: Callable[..., Any], args: tuple[Abstract, ...], kwargs: dict[str, Abstract]) -> Abstract:
    """What the function says now."""
    reader.session.guard((("object", host_devices), ("attribute", "COUNT")), host_devices.COUNT)
    found: Abstract = function(*args, **kwargs)
    return found


HANDLERS = {f"s2s.{name}": _known for name in ("default_backend", "device_count", "local_device_count", "process_count", "process_index")}
__all__ = ["HANDLERS"]
