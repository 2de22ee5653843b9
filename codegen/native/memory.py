"""Numba's runtime for memory as a whole, which Numba links with what it compiles itself (25 ms): kept as machine code, as kernels are."""
from __future__ import annotations

import pickle
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import nrtdynmod
from numba.core.runtime.nrt import rtsys

from s2s.codegen.modules import cache
from s2s.codegen.native.library import NativeLibrary
from s2s.codegen.native.version import generator


@global_compiler_lock
def begin_runtime(context: Any) -> None:
    """Start the whole runtime, once."""
    if rtsys._init:
        return
    compile_functions = nrtdynmod.compile_nrt_functions
    nrtdynmod.compile_nrt_functions = _library
    try:
        rtsys.initialize(context)
    finally:
        nrtdynmod.compile_nrt_functions = compile_functions


def _library(context: Any) -> Any:
    """The runtime's functions that are compiled: from the cache, or made and kept."""
    codegen = context.codegen()
    path = cache.directory() / "parts" / f"{cache.digest('memory', repr(codegen.magic_tuple()), generator())}.runtime"
    content = cache.read_sealed(path)
    if content is not None:
        cache.used(path)
        return codegen.unserialize_library(pickle.loads(content))  # noqa: S301 (written by us, into a directory of the user's own)
    module, _ = nrtdynmod.create_nrt_module(context)
    library = NativeLibrary(codegen, "memory")  # optimised once, which Numba does three times
    library.enable_object_caching()
    library.add_ir_module(module)
    library.finalize()
    cache.write_sealed(path, pickle.dumps(library.serialize_using_object_code()))
    return library
