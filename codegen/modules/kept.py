"""Where helpers that did not change are kept, as they were read and as kernels: `lowered/`, in the cache directory."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from s2s.codegen.modules import cache
from s2s.tuning import TUNING

LIMIT = 64 << 20
"""Bytes that they may take."""
_TRIMMED: set[Path] = set()
"""Folders that this process has looked through: once, when it first adds to them."""


class KernelStore:
    """The kernels for one target."""

    def __init__(self, target: str) -> None:
        self.stamp = cache.digest(cache.package_stamp(), sys.version, np.__version__, repr(TUNING), target)
        self.folder = cache.directory() / "lowered"

    def get(self, key: str) -> bytes | None:
        """What was kept under a key, if it is wholly what was written."""
        path = self.folder / key
        content = cache.read_sealed(path)
        if content is not None:
            cache.used(path)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep it."""
        if self.folder not in _TRIMMED:
            _TRIMMED.add(self.folder)
            cache.trim(self.folder, LIMIT)
        cache.write_sealed(self.folder / key, content)
