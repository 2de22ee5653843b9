"""From a module's text to a loaded module, under the name of a real file, so that tracebacks and pdb work."""
from __future__ import annotations

import importlib.util
import linecache
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from s2s.codegen.modules import cache
from s2s.codegen.modules.text import ModuleText

_NUMBAS_CACHE = re.compile(r"^(@njit\()cache=True(?:, )?", re.MULTILINE)
"""Numba's own cache is left out: it trusts its files, and refuses to start where it can't write any."""
_LOADED: dict[Path, ModuleType] = {}
"""Modules of this process without injected objects, by file."""


def load(module: ModuleText) -> ModuleType:
    """Write the module into the cache directory and import it."""
    return load_text(cache.store_module(module.name, module.text), module.text, module.injected)


def load_text(path: Path, text: str, injected: dict[str, Any]) -> ModuleType:
    """Run a module's text, `injected` put into it first. Its name holds the content's hash: Numba confuses equal names.

    It is the text that is run, not what lies at `path`: neither a file that changed meanwhile nor damaged bytecode beside it counts.
    """
    if not injected and path in _LOADED:
        return _LOADED[path]
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads slow BLAS down; read when Numba's threads start
    name = f"s2s_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise ImportError(f"can't load {path}")
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(injected)
    sys.modules.setdefault(name, module)
    if not path.exists():
        linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    compiled = "\n@njit(" in text
    if compiled and "float16" in text:
        from s2s.codegen.runtime import halves  # noqa: F401 (Numba, and what it is told of float16)
    exec(compile(_NUMBAS_CACHE.sub(r"\1", text) if compiled else text, path, "exec"), module.__dict__)  # noqa: S102
    if compiled:
        from s2s.codegen.modules.kernel_cache import keep_kernels  # Numba is imported by what needs it
        from s2s.codegen.native.compiler import compile_natively

        keep_kernels(module, path)
        compile_natively(module, text, str(path))
    if not injected:
        _LOADED[path] = module
    return module
