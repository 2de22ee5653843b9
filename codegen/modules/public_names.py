"""What the parts of one public function share: its local names, and what its text needs around it."""
from __future__ import annotations

from collections.abc import Collection
from typing import Any

from s2s.codegen.lowering.kernel import Kernels
from s2s.codegen.modules import trees
from s2s.codegen.modules.given import Apart
from s2s.codegen.modules.signature import signature_names
from s2s.containers import Steps
from s2s.records import dataclass, field
from s2s.transforms.ir.staged import Staged
from s2s.transforms.primitives.table import TABLE
from s2s.types import Array, Var, is_integer, kind_of

_UNNAMED = frozenset({*(row.name for row in TABLE), "size"})


@dataclass
class Needs:
    """What a public function's text needs around it."""

    imports: set[str] = field(default_factory=set)
    helpers: set[str] = field(default_factory=set)

    def numpy(self) -> None:
        """np stands in the text."""
        self.imports.add("import numpy as np")

    def dtype(self, type_: Array) -> str:
        """np.float64, as an argument or a call."""
        self.numpy()
        return "np.bool_" if type_.dtype.kind == "b" else f"np.{type_.dtype.name}"

    def converted(self, text: str, type_: Array) -> str:
        """A scalar in its exact NumPy type, a weak one as a Python number."""
        if not type_.weak:
            return f"{self.dtype(type_)}({text})"
        if is_integer(type_.dtype):
            self.imports.add("from operator import index")
            return f"index({text})"
        return f"{ {'f': 'float', 'c': 'complex', 'b': 'bool'}[kind_of(type_.dtype)] }({text})"


class LocalNames:
    """The names in the public function. `local`: each parameter's of the program; `given`: of arrays that results share, as the caller has them."""

    def __init__(self, apart: Apart, kernels: Kernels, names: trees.Names) -> None:
        self.staged: Staged = apart.staged
        self.names = names
        self.signature = signature_names(apart.staged)
        kernel_names = {param.var: param.name for param in kernels.params}
        elsewhere = {*names.taken, *self.signature, "error"}
        names.taken |= set(kernel_names.values()) | {buffer.name for buffer in kernels.buffers} | set(self.signature)
        self.local = {var: kernel_names[var] if var in kernel_names else self._unused(var) for var in self.staged.function.params}
        self.tables = {buffer.name: names.fresh(buffer.name) if buffer.name in elsewhere else buffer.name for buffer in kernels.buffers if buffer.numbers}
        """Under which names the module holds the kernel's tables."""
        self.changed: dict[str, str] = {}
        """Arguments whose containers are changed, and that are called otherwise until then."""
        self.own: dict[str, str] = {}
        """The names of containers of the caller's that are put elsewhere, by the texts that lead to them."""
        self.rename_changed({*kernel_names.values(), *(buffer.name for buffer in kernels.buffers)})
        self.given = {var: names.fresh(f"{self.local[var]}_given") if var in kernel_names else self.local[var] for var in apart.given}

    def _unused(self, var: Var) -> str:
        """The name of a parameter that the kernel does not take."""
        if any(parameter.tree is var for parameter in self.staged.parameters):
            return next(name for name, p in zip(self.signature, self.staged.parameters, strict=False) if p.tree is var)
        return self.names.fresh(var.name)

    def rename_changed(self, identifiers: Collection[str]) -> None:
        """Give another name to each argument with containers that are changed at the end, where a kernel's body before that uses its own."""
        for change, _ in self.staged.changes:
            name = self.signature[parameter_of(self.staged, change.steps)]
            if name in identifiers and name not in self.changed:
                self.changed[name] = self.names.fresh(f"{name}_given")

    def fresh_for(self, number: int) -> str:
        """A new name for a result of the program."""
        return self.names.fresh(_identifier(self.staged.function.body.results[number]))


def parameter_of(staged: Staged, steps: Steps) -> int:
    """The number of the parameter that holds the container to which these steps lead."""
    kind, key = steps[0]
    return key if kind == "argument" else next(number for number, parameter in enumerate(staged.parameters) if parameter.name == key)


def _identifier(atom: Any) -> str:
    """The user's name for a value; `ans` where it is only called like its primitive."""
    if isinstance(atom, Var) and atom.name.isidentifier() and atom.name not in _UNNAMED:
        return atom.name
    return "ans"
