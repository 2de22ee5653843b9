"""What `emit` hands to `module`: the text of a program's kernels, and how the public function calls the entry kernel."""
from __future__ import annotations

from dataclasses import dataclass

from s2s.transforms.program import Var


@dataclass(frozen=True)
class KernelParam:
    """One parameter of the entry kernel that stands for a function parameter. `writes`: the kernel stores into this
    array, so that the caller hands over a copy, unless the user's own function mutates that argument (`Staged.mutated`):
    then the caller's array itself is passed, and holds the mutated result when the kernel returns.
    """

    var: Var
    name: str
    writes: bool


@dataclass(frozen=True)
class Buffer:
    """A further parameter of the entry kernel, after those: an array that the public function allocates (a result or a
    large temporary). `allocation` is a Python expression over the KernelParams' names, e.g. `np.empty((w.shape[0], 3))`.
    """

    name: str
    allocation: str


@dataclass(frozen=True)
class KernelResult:
    """Where result k of the function is after the call: 'returned' (item `position` of what the kernel returns; a kernel
    with one returned result returns it bare), 'buffer' or 'param' (`name` of that parameter), or 'literal' (`name` is its text).
    """

    kind: str
    position: int = -1
    name: str = ""


@dataclass(frozen=True)
class Kernels:
    """`lines`: the kernels' definitions, callees first, without imports. `imports`: the lines they need, sorted."""

    imports: tuple[str, ...]
    lines: tuple[str, ...]
    entry: str
    params: tuple[KernelParam, ...]
    buffers: tuple[Buffer, ...]
    results: tuple[KernelResult, ...]

    @property
    def text(self) -> str:
        """The definitions as text."""
        return "\n".join(self.lines) + "\n"
