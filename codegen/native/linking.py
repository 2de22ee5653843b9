"""Functions that are machine code of their own, and how they find each other and the lines of their file.

    a part, on disk       s2s.000000000000000000000000._smoothed_fwd.9c1e…      calls, raises by, and is called by names that no module has
    a part of a module    s2s.3f2ab4c5d6e7f8091a2b3c4d._smoothed_fwd.9c1e…      the same bytes, with the module's own name in the place of zeros

So a part knows nothing of the module: where in the file it raises, the kernel's own LLVM module says, which is compiled each time.
"""
from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from llvmlite import binding, ir
from numba.core import types
from numba.core.callconv import excinfo_t
from numba.core.serialize import dumps

from s2s.codegen.modules import cache
from s2s.codegen.native.failures import Failure, Here, excinfo_of, helper_type
from s2s.codegen.native.source import Source
from s2s.records import dataclass, field

_DIGITS = 24
_PREFIX = "s2s."
NO_MODULE = _PREFIX + "0" * _DIGITS


@dataclass
class Leaves:
    """What a part leaves to the kernel's own module: exceptions' classes, words and lines, and what puts numbers into them."""

    symbol: str
    failures: list[Failure] = field(default_factory=list)
    raised: dict[str, tuple[types.Type, ...]] = field(default_factory=dict)

    def told(self, _context: Any, builder: ir.IRBuilder, _source: Source, failure: Failure) -> ir.Value:
        """Where class, words and line lie."""
        if failure not in self.failures:
            self.failures.append(failure)
        name = _failure_name(NO_MODULE, self.symbol, self.failures.index(failure))
        return builder.module.globals[name] if name in builder.module.globals else _outside(ir.GlobalVariable(builder.module, excinfo_t, name))

    def helper(self, context: Any, module: ir.Module, found: list[types.Type]) -> ir.Function:
        """The function that makes exceptions with numbers of these types."""
        name = _helper_name(NO_MODULE, found)
        self.raised[name] = tuple(found)
        return module.globals[name] if name in module.globals else ir.Function(module, helper_type(context, found), name)


def _failure_name(prefix: str, symbol: str, number: int) -> str:
    return f"{prefix}.{symbol}.failure.{number}"


def _helper_name(prefix: str, found: tuple[types.Type, ...] | list[types.Type]) -> str:
    return f"{prefix}.raised.{'.'.join(map(str, found))}"


def _outside(variable: ir.GlobalVariable) -> ir.GlobalVariable:
    variable.global_constant = True
    variable.linkage = "external"
    return variable


@dataclass(frozen=True)
class Code:
    """A part as it is kept: machine code, and what it leaves to the kernel's own module."""

    machine: bytes
    leaves: Leaves

    def named(self, module: str) -> bytes:
        """The machine code as a part of a module."""
        return self.machine.replace(NO_MODULE.encode(), module.encode())


def module_name(*parts: str) -> str:
    """The name in the place of zeros."""
    return _PREFIX + cache.digest(*parts)[:_DIGITS]


LIMIT = 256 << 20
"""Bytes that parts may take, some thousands of them. Each edit leaves one or two behind that nobody asks for again; kernels in the cache hold theirs themselves."""
_TRIMMED: set[Path] = set()
"""Folders that this process has looked through: once, when it first adds to them."""


def kept(key: str) -> Code | None:
    """A part that was compiled before, by this process or another."""
    path = cache.directory() / "parts" / f"{key}.part"
    content = cache.read_sealed(path)
    if content is None:
        return None
    cache.used(path)
    found: Code = pickle.loads(content)  # noqa: S301 (written by us, into a directory of the user's own)
    return found


def keep(key: str, code: Code) -> None:
    """Let a part be found again."""
    folder = cache.directory() / "parts"
    if folder not in _TRIMMED:
        _TRIMMED.add(folder)
        cache.trim(folder, LIMIT)
    cache.write_sealed(folder / f"{key}.part", dumps(code))


def write_what_is_left(context: Any, builder: ir.IRBuilder, name: str, leaves: Leaves, *, file: str, lines: Mapping[str, int]) -> None:
    """Into the kernel's own module, in which `builder` writes, what a part leaves to it. `lines`: the first line of each function."""
    module, api = builder.module, context.get_python_api(builder)
    for number, failure in enumerate(leaves.failures):
        told = excinfo_of(context, failure, file, lines[failure.function])
        variable = ir.GlobalVariable(module, excinfo_t, _failure_name(name, leaves.symbol, number))
        variable.global_constant, variable.initializer = True, api.serialize_uncached(told)
    for found in leaves.raised.values():
        public = _helper_name(name, found)
        if public not in module.globals:
            _passed_on(Here().helper(context, module, list(found)), public)


def _passed_on(function: ir.Function, name: str) -> None:
    """The function by another name, for other modules."""
    public = ir.Function(function.module, function.function_type, name)
    builder = ir.IRBuilder(public.append_basic_block("entry"))
    builder.ret(builder.call(function, public.args))


def load(codegen: Any, machine: bytes) -> None:
    """Let the functions of a part be found by name."""
    codegen._engine._ee.add_object_file(binding.ObjectFileRef.from_data(machine))
