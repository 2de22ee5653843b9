"""Compiled kernels on disk, in Numba's place: an entry that is not wholly what was written is a miss, and a disk that can't be written no error.

    __pycache__/relax_grad_3f2ab4c5d6e7._relax_grad.9c1e….nbc        the SHA-256 of the rest, then what Numba pickles
"""
from __future__ import annotations

import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from s2s.codegen.modules import cache
from s2s.codegen.native.linking import load
from s2s.codegen.native.references import find_helpers
from s2s.codegen.native.starting import load_all
from s2s.codegen.native.untold import untold
from s2s.codegen.native.version import generator
from s2s.collection import uncollected


def keep_kernels(module: ModuleType, path: Path) -> None:
    """Let the compiled functions of a module be kept beside its file."""
    for value in vars(module).values():
        if isinstance(value, Dispatcher) and value.__module__ == module.__name__:
            value._cache = KernelCache(value.py_func.__name__, path)  # type: ignore[attr-defined]


class KernelCache(_Cache):
    """The kept signatures of one function. The module's file is named by its content, and so are these."""

    def __init__(self, function: str, path: Path) -> None:
        self.function, self.path = function, path

    @property
    def cache_path(self) -> str:
        return str(self.path.parent / "__pycache__")

    def _file(self, signature: Any, codegen: Any) -> Path:
        key = cache.digest(str(signature), repr(codegen.magic_tuple()), generator())
        return Path(self.cache_path) / f"{self.path.stem}.{self.function}.{key[:16]}.nbc"

    @uncollected()
    @untold()
    def load_overload(self, sig: Any, target_context: Any) -> Any:
        find_helpers()
        content = cache.read_sealed(self._file(sig, target_context.codegen()))
        if content is None:
            return None
        parts, ours, reduced = pickle.loads(content)  # noqa: S301 (written by us, into a directory of the user's own)
        if not ours:
            load_all(target_context)
        for part in parts:
            load(target_context.codegen(), part)
        return CompileResult._rebuild(target_context, *reduced)

    def save_overload(self, sig: Any, cres: Any) -> None:
        if cres.library.has_dynamic_globals or any(not each.can_cache for each in cres.lifted):
            return
        cache.write_sealed(self._file(sig, cres.codegen), dumps((getattr(cres.library, "parts", ()), hasattr(cres.library, "parts"), cres._reduce())))

    def enable(self) -> None:
        """It is always on."""

    def disable(self) -> None:
        """It is always on."""

    def flush(self) -> None:
        """Entries are named by what they are made from: none is stale."""
