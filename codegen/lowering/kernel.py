"""What `emit` hands to `module`: the text of a program's kernels, and how the public function calls the entry kernel."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from s2s.codegen.language.expressions import Expr, as_int, integer
from s2s.codegen.language.lines import fold, separated
from s2s.codegen.language.operations import dtype_name
from s2s.codegen.language.printing import text
from s2s.codegen.language.statements import allocation
from s2s.records import dataclass
from s2s.transforms.ir.program import Var
from s2s.types import FLOAT64, INT64


def table(name: str, numbers: Sequence[Expr], shape: Sequence[int], dtype: np.dtype) -> list[str]:
    """The lines that make an array of numbers, which are given in C order: `R = np.array(((1.0, 0.5), (0.25, 2.0)))`."""
    items = list(map(text, numbers))
    for step in shape[:0:-1]:
        items = [f"({', '.join(items[start : start + step])}{',' if step == 1 else ''})" for start in range(0, len(items), step)]
    told = "" if dtype in (FLOAT64, INT64) else f", {dtype_name(dtype)}"
    return fold(f"{name} = np.array((", [*items[:-1], f"{items[-1]}{',' if len(items) == 1 else ''}"], f"){told})", indent="")


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
    large temporary). `shape` is told by the KernelParams; `zeroed`: it must hold zeros; `numbers`: those of a table, which the
    module holds, in C order.
    """

    name: str
    shape: tuple[Expr, ...]
    dtype: np.dtype
    zeroed: bool
    numbers: tuple[Expr, ...] = ()

    @property
    def allocation(self) -> str:
        """`np.empty((w.shape[0], 3))`."""
        return allocation(self.shape, self.dtype, zeroed=self.zeroed)

    def table(self, name: str) -> list[str]:
        """The lines that make the table under a name."""
        return table(name, self.numbers, [size for size in map(as_int, self.shape) if size is not None], self.dtype)

    def rows(self, count: int) -> str:
        """The allocation of an array whose rows are `count` buffers like this one."""
        return allocation((integer(count), *self.shape), self.dtype, zeroed=self.zeroed)


@dataclass(frozen=True)
class KernelResult:
    """Where result k of the function is after the call: 'returned' (item `position` of what the kernel returns; a kernel
    with one returned result returns it bare), 'buffer' or 'param' (`name` of that parameter), or 'literal' (`name` is its text).
    """

    kind: str
    position: int = -1
    name: str = ""


@dataclass(frozen=True)
class KernelText:
    """One kernel's definition. `head`: its decorator and def; `body`: its lines but the return; `returned`: the texts that `last`,
    its return statement ("" if there is none), returns.
    """

    name: str
    head: tuple[str, ...]
    body: tuple[str, ...]
    returned: tuple[str, ...]
    last: str
    identifiers: frozenset[str]
    """Every name in its body."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The definition as it stands in a module."""
        body = (*self.body, *([self.last] if self.last else []))
        return (*self.head, *(body or ("    pass",)))


@dataclass(frozen=True)
class Kernels:
    """A module's kernels. `imports`: the lines that they need, sorted; `before`: constants and the kernels that are called;
    `helpers`: what they call.
    """

    imports: tuple[str, ...]
    before: tuple[tuple[str, ...], ...]
    kernel: KernelText
    helpers: tuple[tuple[str, ...], ...]
    params: tuple[KernelParam, ...]
    buffers: tuple[Buffer, ...]
    results: tuple[KernelResult, ...]
    formatted: tuple[str, ...]
    """The exceptions that leave it with (a message with {}, values): the public function puts them together."""
    raises_nothing_said: bool
    """Whether an exception without a message may leave it."""
    made: Mapping[str, tuple[str, ...]]
    """The calls that make the exceptions for which stand-ins leave it, with the names of their values (`made_errors.calls_made`)."""
    raised: Mapping[str, type[BaseException]]
    """The exception classes of the user's, by the names that they are raised under."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to call."""
        return not self.kernel.head

    @property
    def entry(self) -> str:
        """The entry kernel's name."""
        return self.kernel.name

    @property
    def lines(self) -> tuple[str, ...]:
        """All definitions, without imports."""
        return tuple(separated([*self.before, self.kernel.lines, *self.helpers]))

    @property
    def others(self) -> tuple[str, ...]:
        """All definitions but the entry kernel's."""
        return tuple(separated([*self.before, *self.helpers]))

    @property
    def text(self) -> str:
        """All definitions, as text."""
        return "\n".join(self.lines) + "\n"


def no_kernel(entry: str) -> Kernels:
    """Where the public function does everything itself."""
    return Kernels((), (), KernelText(entry, (), (), (), "", frozenset()), (), (), (), (), (), raises_nothing_said=False, made={}, raised={})
