"""`emit_kernels`: a program's function, and those that it calls, as the text of kernels.

The way: `lower` (cpu_target or numpy_target) makes loops of each function, callees first; `fuse` joins loops; what is
allocated on the entry kernel's top level moves to the public function; `loops` prints.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from s2s.codegen.abreast import abreast
from s2s.codegen.cpu_products import PRODUCTS
from s2s.codegen.cpu_rows import ROWS
from s2s.codegen.cpu_target import Cpu
from s2s.codegen.cpu_views import VIEWS
from s2s.codegen.expressions import Expr, Length, Load, Name, Number, names_read, substitute, text
from s2s.codegen.expressions import walk as walk_expression
from s2s.codegen.external import cpu_external, numpy_external
from s2s.codegen.falling import uses_unordered, with_unordered_rows
from s2s.codegen.fission import parted
from s2s.codegen.fuse import contracted, effects, fused
from s2s.codegen.kernel import Buffer, KernelParam, KernelResult, Kernels
from s2s.codegen.lines import separated
from s2s.codegen.loops import (
    ONE,
    ZERO,
    Alloc,
    Assign,
    Body,
    CallKernel,
    Loop,
    Raise,
    Return,
    Statement,
    Store,
    allocation,
    lines,
    names_used,
    walk,
)
from s2s.codegen.names import legal
from s2s.codegen.numpy_rows import NUMPY_ROWS
from s2s.codegen.numpy_target import Arrays
from s2s.codegen.ranges import ranges_of
from s2s.codegen.reassociate import uses_plus, with_free_sums
from s2s.codegen.singles import math_functions, vector_functions, with_single_numbers
from s2s.codegen.storage import Lowered, Module, Slot, is_param
from s2s.codegen.templates import constant_lines, helper_preludes, helper_text
from s2s.codegen.temporaries import narrowed, recomputed, shared
from s2s.codegen.tidy import hoisted, possible, without_unused
from s2s.codegen.unsigned import unsigned
from s2s.codegen.vector_math import VECTOR_MATH
from s2s.errors import NOWHERE, ArgumentValueError, Location
from s2s.transforms.preaccumulate import preaccumulated
from s2s.transforms.primitives.table import TABLE
from s2s.transforms.program import Function, Var, callees
from s2s.transforms.registers import in_registers
from s2s.transforms.vectorise import in_vector_form

LOWERINGS = {"cpu": Cpu, "numpy": Arrays}
TABLES: dict[str, Mapping[str, Callable[..., None]]] = {"cpu": {**VIEWS, **PRODUCTS, **ROWS, "opaque": cpu_external}, "numpy": {**NUMPY_ROWS, "opaque": numpy_external}}
"""The lowering of each structural row, by its name."""


def emit_kernels(function: Function, *, name: str, target: str, mutated: tuple[tuple[Var, int], ...] = ()) -> Kernels:
    """The kernels of a function.

    Parameters
    ----------
    function
        The program, simplified.
    name
        The entry kernel's name.
    target
        "cpu" (loops for Numba) or "numpy" (array expressions).
    mutated
        (parameter, result number): results that the parameter's own array must hold afterwards.

    Raises
    ------
    UnsupportedError
        If a primitive has no lowering for the target yet.
    """
    if target not in LOWERINGS:
        raise ArgumentValueError(f"no target {target!r}", instead=f"one of {', '.join(LOWERINGS)}")
    if target == "cpu":
        function = preaccumulated(in_vector_form(in_registers(function)))
    module = Module(anonymous=frozenset(row.name for row in TABLE) | {"size", ""})
    order = list(callees(function))
    names = _kernel_names(order, function, name)
    module.names.update(names.values())
    lowered: dict[Function, Lowered] = {}
    for callee in order:
        if callee is not function:
            lowered[callee] = _lower(callee, names[callee], lowered, module, target, ())
    entry = _lower(function, name, lowered, module, target, mutated)
    callees_lines = [_kernel_lines(each, (), _returned(each), module, target) for each in lowered.values()]
    kernels = _entry(entry, module, target, mutated)
    head = [*constant_lines(module), *helper_preludes(module)]
    called = {function for each in (*lowered.values(), entry) for function in vector_functions(each.body)}
    helpers = [helper_text(helper).split("\n") for helper in module.helpers if helper in called or helper not in VECTOR_MATH]
    helpers += [text.split("\n") for _, text in module.texts.values()]
    parts = [head, *callees_lines, kernels.lines, *helpers]
    numba = {*module.numba, *({"types"} if helper_preludes(module) else ())}
    imports = {"import numpy as np", *module.imports, *({f"from numba import {', '.join(sorted(numba))}"} if target == "cpu" else ())}
    return replace(kernels, imports=tuple(sorted(imports)), lines=tuple(separated(parts)))


def _kernel_names(order: list[Function], entry: Function, name: str) -> dict[Function, str]:
    names: dict[Function, str] = {entry: name}
    for function in order:
        if function is entry:
            continue
        candidate = base = f"_{legal(function.name)}"
        number = 0
        while candidate in names.values():
            number += 1
            candidate = f"{base}_{number}"
        names[function] = candidate
    return names


def _lower(
    function: Function, name: str, lowered: dict[Function, Lowered], module: Module, target: str, mutated: tuple[tuple[Var, int], ...]
) -> Lowered:
    """Lower a function; again, working on copies, if a mutated parameter's variable changes hands."""
    protect: frozenset[Var] = frozenset()
    while True:
        result = LOWERINGS[target](function, name, lowered, module, protect=protect, mutated=mutated, rows=TABLES[target]).lower()
        rebound = frozenset(
            param for param, slot in zip(function.params, result.params, strict=True) if slot.rebound and any(param is var for var, _ in mutated)
        )
        if rebound <= protect:
            return _with_free_sums(_tidied(result, target), module, target)
        protect |= rebound


def _with_free_sums(lowered: Lowered, module: Module, target: str) -> Lowered:
    if target == "numpy":
        return lowered
    body = with_single_numbers(with_free_sums(lowered.body, lowered.accumulators))
    if lowered.function.derived:
        taken = frozenset(module.names | _names(lowered, body))
        body = abreast(body, ranges_of(body, frozenset(lowered.sizes)), kept=_kept(lowered), sums=lowered.accumulators, taken=taken)
    if uses_plus(body):
        module.helpers.setdefault("plus")
    module.imports.update(f"from math import {function}" for function in math_functions(body))
    return replace(lowered, body=body)


def _tidied(lowered: Lowered, target: str) -> Lowered:
    """The function with loops joined, temporaries contracted and allocations out of its loops."""
    kept = _kept(lowered)
    body = lowered.body
    if target == "cpu":
        body = contracted(fused(body, frozenset(slot.name for slot in lowered.params), ranges_of(body, frozenset(lowered.sizes)), free=lowered.function.derived), kept)
        body = shared(narrowed(recomputed(body, kept, frozenset(lowered.sizes)), kept), kept)
    body = without_unused(body, kept)
    if target == "cpu":
        body = hoisted(body, lowered.swaps, frozenset(lowered.sizes))
        body = parted(body, ranges_of(body, frozenset(lowered.sizes)))
    exchanged = {name for each in walk(body) if isinstance(each, Assign) and each.move and len(each.targets) > 1 for name in each.targets}
    for slot in lowered.params:
        slot.written |= slot.name in exchanged
    return replace(lowered, body=body)


def _kept(lowered: Lowered) -> frozenset[str]:
    """The variables whose contents matter when a function ends."""
    kept = {slot.name for slot in lowered.params}
    for result in lowered.results:
        kept |= {result.name} if isinstance(result, Slot) else names_read(result)
    return frozenset(kept)


def _entry(entry: Lowered, module: Module, target: str, mutated: tuple[tuple[Var, int], ...]) -> Kernels:
    """The entry kernel: its top-level allocations become buffers that the public function allocates."""
    params = [slot.name for slot in entry.params]
    body, buffers = (entry.body, ()) if target == "numpy" else _buffers(entry, params)
    body = without_unused(body, _kept(entry) | {buffer.name for buffer in buffers})
    results: list[KernelResult] = []
    returned: list[Expr | Slot] = []
    buffer_names = {buffer.name for buffer in buffers}
    homes = {number: entry.params[entry.function.params.index(param)].name for param, number in mutated}
    for number, result in enumerate(entry.results):
        if number in homes:
            results.append(KernelResult("param", name=homes[number]))
        elif isinstance(result, Slot) and is_param(result):
            results.append(KernelResult("param", name=result.name))
        elif isinstance(result, Slot) and result.name in buffer_names and not result.rebound:
            results.append(KernelResult("buffer", name=result.name))
        else:
            position = next((k for k, other in enumerate(returned) if other == result), len(returned))
            if position == len(returned):
                returned.append(result)
            results.append(KernelResult("returned", position=position))
    written = _kernel_lines(replace(entry, body=body), tuple(buffer.name for buffer in buffers), tuple(returned), module, target)
    kernel_params = tuple(KernelParam(var, slot.name, slot.written) for var, slot in zip(entry.function.params, entry.params, strict=True))
    return Kernels((), tuple(written), entry.name, kernel_params, buffers, tuple(results))


def _returned(callee: Lowered) -> tuple[Expr | Slot, ...]:
    """What a called kernel returns: neither constants nor its own parameters' arrays."""
    found: list[Expr | Slot] = []
    for result in callee.results:
        if not is_param(result) and not isinstance(result, Number) and not (isinstance(result, Slot) and result in found):
            found.append(result)
    return tuple(found)


def _buffers(entry: Lowered, params: list[str]) -> tuple[Body, tuple[Buffer, ...]]:
    """Take the allocations out of the kernel whose sizes the parameters tell."""
    assigned: dict[str, int] = {}
    for statement in walk(entry.body):
        if isinstance(statement, Assign):
            for target in statement.targets:
                assigned[target] = assigned.get(target, 0) + 1
    known: dict[Expr, Expr] = {Name(name): Length(array, axis) for name, (array, axis) in entry.sizes.items()}
    available = {name for name in params if name not in assigned}
    body: list[Statement] = []
    buffers: list[Buffer] = []
    sizes: dict[str, tuple[Expr, ...]] = {}
    ranges = ranges_of(entry.body, frozenset(entry.sizes))
    may_fail = False
    for statement in entry.body:
        may_fail = may_fail or _may_fail(statement)
        ranges.after(statement)
        if isinstance(statement, Assign) and len(statement.targets) == 1 and assigned[statement.targets[0]] == 1:
            value = substitute(statement.values[0], known)
            if names_read(value) <= available and not any(isinstance(part, Load) for part in walk_expression(value)):
                known[Name(statement.targets[0])] = value
        if isinstance(statement, Alloc):
            shape = tuple(substitute(length, known) for length in (possible(statement, ranges) if may_fail else statement).shape)
            if all(names_read(length) <= available and not any(isinstance(part, Load) for part in walk_expression(length)) for length in shape):
                buffers.append(Buffer(statement.name, allocation(replace(statement, shape=shape))))
                sizes[statement.name] = statement.shape
                continue
        body.append(statement)
    for number, buffer in enumerate(buffers):
        position = next((k for k, statement in enumerate(body) if _touches(statement, buffer.name)), None)
        if position is not None and _is_zero_fill(body[position], buffer.name, sizes[buffer.name]):
            del body[position]
            buffers[number] = replace(buffer, allocation=buffer.allocation.replace("np.empty(", "np.zeros("))
    return tuple(body), tuple(buffers)


def _may_fail(statement: Statement) -> bool:
    """Whether a statement may raise something else than an allocation of negative length does."""
    return any(isinstance(each, CallKernel) or isinstance(each, Raise) and "negative dimensions" not in text(each.args[0]) for each in walk([statement]))


def _touches(statement: Statement, array: str) -> bool:
    found = effects([statement])
    return array in found.touched


def _is_zero_fill(statement: Statement, array: str, shape: tuple[Expr, ...]) -> bool:
    """Whether a statement is the loop nest that stores 0 in every element."""
    index: list[Expr] = []
    for length in shape:
        if not isinstance(statement, Loop) or (statement.lo, statement.hi, statement.step) != (ZERO, length, ONE) or len(statement.body) != 1:
            return False
        index.append(Name(statement.index))
        statement = statement.body[0]
    return isinstance(statement, Store) and (statement.array, statement.index) == (array, tuple(index)) and not statement.op and statement.value in ZEROS


ZEROS = (Number("0"), Number("0.0"), Number("False"), Name("f4_0"), Name("i4_0"))


def _kernel_lines(lowered: Lowered, buffers: tuple[str, ...], results: tuple[Expr | Slot, ...], module: Module, target: str) -> list[str]:
    """One kernel's definition."""
    decorator = []
    if target == "cpu":
        decorator = ['@njit(cache=True, error_model="numpy")']
    params = ", ".join((*(slot.name for slot in lowered.params), *buffers))
    values = tuple(Name(result.name) if isinstance(result, Slot) else result for result in results)
    body: Body = lowered.body
    if target == "cpu":
        taken = {*buffers, *params.split(", ")}
        body = unsigned(body, frozenset(lowered.sizes), frozenset(taken | _names(lowered, body)))
        body = with_unordered_rows(body, frozenset(taken | _names(lowered, body)))
        if uses_unordered(body):
            module.helpers.setdefault("unordered")
    if values:
        body = (*body, Return(values, _last_place(lowered)))
    sizes = list(_size_lines(lowered, names_used(body)))
    written = [*sizes, *lines(body)]
    return [*decorator, f"def {lowered.name}({params}):", *(written or ["    pass"])]


def _last_place(lowered: Lowered) -> Location:
    """The user's code that computes what a function returns."""
    nodes = lowered.function.body.nodes
    return next((node.where for node in reversed(nodes) if any(out in lowered.function.body.results for out in node.outs)), NOWHERE)


def _names(lowered: Lowered, body: Body) -> set[str]:
    """Every name that a kernel uses."""
    bound = {name for each in walk(body) if isinstance(each, Assign | CallKernel) for name in each.targets}
    bound |= {each.index for each in walk(body) if isinstance(each, Loop)} | {each.name for each in walk(body) if isinstance(each, Alloc)}
    return bound | names_used(body) | set(lowered.sizes)


def _size_lines(lowered: Lowered, used: set[str]) -> list[str]:
    """n, d = x.shape: the lengths that the text uses."""
    by_array: dict[str, dict[int, str]] = {}
    for name, (array, axis) in lowered.sizes.items():
        if name in used:
            by_array.setdefault(array, {})[axis] = name
    ranks = {slot.name: slot.type.ndim for slot in lowered.params}
    ranks.update({slot.name: var.type.ndim for slot, var in zip(lowered.params, lowered.function.params, strict=True)})
    result: list[str] = []
    for slot in lowered.params:
        axes = by_array.get(slot.name, {})
        if len(axes) > 1 and len(axes) == ranks[slot.name]:
            result.append(f"    {', '.join(axes[axis] for axis in sorted(axes))} = {slot.name}.shape")
        else:
            result += [f"    {name} = {text(Length(slot.name, axis))}" for axis, name in sorted(axes.items())]
    return result
