"""Compile one kernel of a module of the cache, in a process of its own: `python -m s2s.codegen.modules.compile_apart FILE KERNEL`.

The types of the kernel's arguments come pickled on standard input. The result lies in the cache afterwards.
"""
from __future__ import annotations

import pickle
import sys
from typing import Any

from s2s.codegen.modules import cache
from s2s.codegen.modules.compile import load_text


def compile_kernel(filename: str, kernel: str, types: tuple[Any, ...]) -> None:
    """Load the module, without the classes of the user's that only its public function looks at, and compile."""
    text = cache.read_module(filename)
    if text is None:
        raise FileNotFoundError(filename)
    load_text(cache.directory() / filename, text, {}).__dict__[kernel].compile(types)


if __name__ == "__main__":
    compile_kernel(sys.argv[1], sys.argv[2], pickle.load(sys.stdin.buffer))  # noqa: S301 (written by the process that started this one)
