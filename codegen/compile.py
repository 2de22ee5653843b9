"""From a module's text to a loaded module: a real file, so that tracebacks, pdb and Numba's on-disk cache work."""
from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from s2s.codegen import cache
from s2s.codegen.module import ModuleText

_LOADED: dict[Path, ModuleType] = {}
"""Modules of this process without injected objects, by file."""


def load(module: ModuleText) -> ModuleType:
    """Write the module into the cache directory and import it."""
    return load_file(cache.store_module(module.name, module.text), module.injected)


def load_file(path: Path, injected: dict[str, Any]) -> ModuleType:
    """Import a module of the cache directory, `injected` put into it first. Its name holds the content's hash: Numba's
    on-disk cache confuses equal names.
    """
    if not injected and path in _LOADED:
        return _LOADED[path]
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads slow BLAS down; read when Numba's threads start
    name = f"s2s_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"can't load {path}")
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(injected)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    if not injected:
        _LOADED[path] = module
    return module
