"""Compiling beside the caller: another process compiles into the cache, and until it is done NumPy runs the calls.

    s2s.jit(f, compile="background")        a call -> not compiled yet? a Job is started, and the numpy target answers
                                            a later call -> the Job is done: its module answers

The thread of a Job makes the module's text, finds out with which types its kernel is called, has it compiled by a process of its own
(Numba holds a lock within one), and loads the result from the cache.
"""
from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from s2s.calls.leaves import like
from s2s.calls.request import Request
from s2s.calls.specialisation import Specialisation
from s2s.codegen.modules import cache
from s2s.errors import BackgroundWarning


class Job:
    """One module that is made and compiled. `make()` gives its specialisation; `done` is what to do with it."""

    def __init__(self, make: Callable[[], Specialisation], done: Callable[[Specialisation], None], request: Request, name: str) -> None:
        self.make, self.done, self.name = make, done, name
        self.error: BaseException | None = None
        self.told = False
        self.like = Request([like(leaf) for leaf in request.leaves], request.treedef, request.kinds, request.exact, request.aliases, request.after)
        self.thread = threading.Thread(target=self._run, name=f"s2s compiles {name}", daemon=True)
        self.thread.start()

    def tell(self) -> None:
        """Warn once if it failed: NumPy goes on running the calls."""
        if self.error is not None and not self.told:
            self.told = True
            warnings.warn(f"s2s could not compile {self.name} in the background, NumPy goes on running it: {self.error}", BackgroundWarning, stacklevel=4)

    def _run(self) -> None:
        try:
            from s2s.calls.first_kernel import first_kernel  # with Numba: here no caller waits for it

            found = self.make()
            kernel = first_kernel(found, self.like)
            if kernel is not None:
                _compile_apart(found.path.name, *kernel)
                _load(found.module, *kernel)
            self.done(found)
        except Exception as error:  # noqa: BLE001 (it is handed to the caller's thread: `tell`)
            self.error = error


def _compile_apart(filename: str, kernel: str, types: tuple[Any, ...]) -> None:
    """Have it compiled by another process."""
    words = [sys.executable, "-m", "s2s.codegen.modules.compile_apart", filename, kernel]
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "S2S_CACHE_DIR": str(cache.directory()), "PYTHONPATH": paths}
    done = subprocess.run(words, input=pickle.dumps(types), capture_output=True, env=environment, check=False)  # noqa: S603 (this Python, our own module)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip().rpartition("\n")[2] or f"the compiling process ended with {done.returncode}")


def _load(module: ModuleType, kernel: str, types: tuple[Any, ...]) -> None:
    """Take the compiled kernel from the cache."""
    vars(module)[kernel].compile(types)
