"""`emit_kernels`: a program's function, and those that it calls, as the text of kernels, by the steps of a target's pipeline.

    emit_kernels(prepared(function, "cpu"), name="_f", target="cpu")
"""
from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence

from s2s.codegen.language.expressions import Constant, Expr, Length, Name, Number
from s2s.codegen.language.made_errors import calls_made
from s2s.codegen.language.names import OWN_FUNCTIONS, legal
from s2s.codegen.language.printing import text
from s2s.codegen.language.searching import first_name, identifiers
from s2s.codegen.language.statements import Alloc, Body, Raise, Return, expressions, functions_called, functions_in, lines, names_used, walk
from s2s.codegen.lowering.alike import Alike
from s2s.codegen.lowering.by_numpy import PRODUCT, by_numpy
from s2s.codegen.lowering.checks import check_statements
from s2s.codegen.lowering.elementwise import constant_lines, helper_preludes, helper_text, names_numpy
from s2s.codegen.lowering.kept import kept_kernels
from s2s.codegen.lowering.kernel import KernelParam, KernelResult, Kernels, KernelText
from s2s.codegen.lowering.lower import Lowering
from s2s.codegen.lowering.lowered import Lowered, Module, Slot, is_param
from s2s.codegen.passes.examples import Telling, named_as_before
from s2s.codegen.passes.falling import uses_unordered
from s2s.codegen.passes.reassociate import uses_plus
from s2s.codegen.passes.singles import math_functions, vector_functions
from s2s.codegen.pipeline import Pass, Pipeline, pipeline_of
from s2s.codegen.runtime.vector_math import VECTOR_MATH
from s2s.errors import NOWHERE, Location, OwnException
from s2s.keeping import Store
from s2s.transforms.ir.program import Check, Function, Var, callees
from s2s.transforms.ir.program import walk as walk_program
from s2s.transforms.ir.verify import checking, verified
from s2s.transforms.primitives.table import TABLE

_ROWS = frozenset(map(id, TABLE))
Mutated = tuple[tuple[Var, int], ...]
Watch = Callable[[str, str], None]
"""Called with the name of each step and the text of what it made."""


def prepared(function: Function, target: str, watch: Watch | None = None) -> Function:
    """The program as it is lowered: after all of the target's rewrites.

    Raises
    ------
    ArgumentValueError
        If there is no such target.
    InternalError
        If S2S_CHECK is set and a rewrite made a wrong program.
    """
    for step in pipeline_of(target).rewrites:
        function = verified(step.apply(function))
        if watch is not None:
            watch(step.name, str(function))
    return function


def emit_kernels(function: Function, *, name: str, target: str, mutated: Mutated = (), watch: Watch | None = None, store: Store | None = None) -> Kernels:
    """The kernels of a function.

    Parameters
    ----------
    function
        The program, `prepared` for the target.
    name
        The entry kernel's name.
    target
        "cpu" (loops for Numba) or "numpy" (array expressions).
    mutated
        (parameter, result number): results that the parameter's own array must hold afterwards.
    watch
        Called with each step's name and the text of the statements after it.
    store
        Where kernels of functions that did not change are found again.

    Raises
    ------
    UnsupportedError
        If a primitive has no lowering for the target yet.
    """
    pipeline = pipeline_of(target)
    module = Module(anonymous=frozenset(row.name for row in TABLE) | {"size", ""}, entry=name)
    names = _kernel_names(function, name)
    module.names.update(names.values())
    module.names.update(str(node.exception) for each in names for node in walk_program(each.body) if isinstance(node, Check) and isinstance(node.exception, OwnException))
    telling = Telling(module)
    kernels: dict[Function, Lowered] = {}
    alike = Alike()
    written: list[Lowered] = []
    own = [step for step in pipeline.passes if step.only != "entry"]
    called = [each for each in callees(function) if each is not function]
    kept = kept_kernels(store, module, called, function, _ROWS) if called and watch is None and not checking() else None
    for callee in called:

        def make(callee: Function = callee) -> Lowered:
            return _through(telling.kernel(lowered(callee, names[callee], kernels, module, pipeline, ())), own, module, watch)

        made = make() if kept is None else kept.made(callee, names[callee], make)
        written += [_through(told, own, module, watch) for told in telling.taken()]
        kernels[callee] = alike.named(made)
        if kernels[callee] is made:
            written.append(made)
        elif kept is not None:
            kept.is_called(callee, kernels[callee].name)
    entry = telling.kernel(lowered(function, name, kernels, module, pipeline, mutated))
    written += [_through(told, own, module, watch) for told in telling.taken()]
    entry = _through(entry, pipeline.passes, module, watch)
    if telling.told:
        written, entry = named_as_before(written, entry, telling.original())
    apart = by_numpy(entry) if pipeline.compiled and not written else None
    if apart is not None:
        entry, left = apart
        written = [left] if left is not None else []
        if left is None or "matmul" not in functions_called(left.body):
            module.helpers.pop("matmul")
        module.helpers.setdefault(PRODUCT)
        module.imports.add("import os")
        if watch is not None:
            watch(f"products by NumPy ({entry.name})", "\n".join(lines(entry.body)))
    return _written(tuple(written), entry, module, pipeline, mutated)


def _kernel_names(entry: Function, name: str) -> dict[Function, str]:
    names: dict[Function, str] = {entry: name}
    taken = {name, *OWN_FUNCTIONS}
    for function in callees(entry):
        if function is entry:
            continue
        candidate = base = f"_{legal(function.name)}"
        number = 0
        while candidate in taken:
            number += 1
            candidate = f"{base}_{number}"
        names[function] = candidate
        taken.add(candidate)
    return names


def lowered(
    function: Function, name: str, kernels: dict[Function, Lowered], module: Module, pipeline: Pipeline, mutated: Mutated
) -> Lowered:
    """Lower a function; again, working on copies, if a mutated parameter's variable changes hands."""
    protect: frozenset[Var] = frozenset()
    while True:
        kernel: Lowered = Lowering(pipeline.lowering(function, name, kernels, module, protect=protect, mutated=mutated, rows=pipeline.rows)).lower()
        rebound = frozenset(
            param for param, slot in zip(function.params, kernel.params, strict=True) if slot.rebound and any(param is var for var, _ in mutated)
        )
        if rebound <= protect:
            return kernel
        protect |= rebound


def _through(kernel: Lowered, passes: Sequence[Pass], module: Module, watch: Watch | None) -> Lowered:
    """A kernel after all passes."""
    steps, check = [Pass("lowered", lambda made: made), *passes], checking()
    for step in steps:
        if step.only == "derived" and not kernel.derived:
            continue
        kernel = step.apply(kernel)
        if check:
            check_statements(kernel, module, step.name)
        if watch is not None:
            watch(f"{step.name} ({kernel.name})", "\n".join(lines(kernel.body)))
    if uses_plus(kernel.body):
        module.helpers.setdefault("plus")
    return kernel


# ---- text ---------------------------------------------------------------------------------------------------------------


def _written(callees_: tuple[Lowered, ...], entry: Lowered, module: Module, pipeline: Pipeline, mutated: Mutated) -> Kernels:
    """The kernels as text, with what they import and call."""
    every = (*callees_, entry)
    results, returned = _results(entry, dict(mutated))
    definitions = [*(_kernel_text(each, _returned(each), pipeline) for each in callees_), _kernel_text(entry, returned, pipeline)]
    if any(uses_unordered(each.body) for each in every):
        module.helpers.setdefault("unordered")
    if pipeline.compiled:
        module.imports.update(f"from math import {function}" for each in every for function in math_functions(each.body, each.returned))
    head = [*constant_lines(module), *helper_preludes(module)]
    called = {function for each in every for function in vector_functions(each.body)}
    used = [helper for helper in module.helpers if helper in called or helper not in VECTOR_MATH]
    helpers = [helper_text(helper, compiled=pipeline.compiled) for helper in used]
    written = module.called({name for each in every for name in functions_called(each.body) | functions_in(each.returned)})
    numba = {*module.numba, *({"types"} if helper_preludes(module) else ())} if pipeline.compiled and not (entry.plain and not callees_) else set()
    uses_numpy = module.constants or any("np" in each.identifiers for each in definitions) or any(map(names_numpy, used))
    imports = {*({"import numpy as np"} if uses_numpy else ()), *module.imports, *(line for helper in written for line in helper.imports), *({f"from numba import {', '.join(sorted(numba))}"} if numba else ())}
    return Kernels(
        tuple(sorted(imports)), (tuple(head), *(each.lines for each in definitions[:-1])), definitions[-1],
        tuple(tuple(printed.split("\n")) for printed in (*helpers, *(helper.text for helper in written))),
        tuple(KernelParam(var, slot.name, slot.written) for var, slot in zip(entry.function.params, entry.params, strict=True)), entry.buffers, results,
        tuple(sorted({name for each in every for name in _formatted(each.body)})) if pipeline.compiled else (),
        any(isinstance(each, Raise) and not each.args for kernel in every for each in walk(kernel.body)),
        calls_made(each.body for each in every),
        {str(own): own.kind for each in every for own in _own_exceptions(each.body)},
    )


def _own_exceptions(body: Body) -> Iterator[OwnException]:
    """The classes of the user's that are raised."""
    for each in walk(body):
        if isinstance(each, Raise) and isinstance(each.exception, OwnException):
            yield each.exception


def _formatted(body: Body) -> Iterator[str]:
    """The exceptions whose message has fields: compiled code hands over the values beside it."""
    for each in walk(body):
        if isinstance(each, Raise) and not each.made and any(isinstance(arg, Constant) and isinstance(arg.value, str) and "{" in arg.value for arg in each.args[:1]):
            yield each.exception


def _results(entry: Lowered, mutated: Mapping[Var, int]) -> tuple[tuple[KernelResult, ...], tuple[Expr | Slot, ...]]:
    """Where each result of the entry kernel is after a call, and what the kernel returns."""
    results: list[KernelResult] = []
    returned: list[Expr | Slot] = []
    buffers = {buffer.name for buffer in entry.buffers}
    homes = {number: entry.params[entry.function.params.index(param)].name for param, number in mutated.items()}
    for number, result in enumerate(entry.results):
        if number in homes:
            results.append(KernelResult("param", name=homes[number]))
        elif isinstance(result, Slot) and is_param(result):
            results.append(KernelResult("param", name=result.name))
        elif isinstance(result, Slot) and result.name in buffers and not result.rebound:
            results.append(KernelResult("buffer", name=result.name))
        else:
            position = next((k for k, other in enumerate(returned) if other == result), len(returned))
            if position == len(returned):
                returned.append(result)
            results.append(KernelResult("returned", position=position))
    return tuple(results), tuple(returned)


def _returned(callee: Lowered) -> tuple[Expr | Slot, ...]:
    """What a called kernel returns: neither constants nor its own parameters' arrays."""
    found: dict[object, Expr | Slot] = {}  # a slot once, an expression as often as it stands there
    for number, result in enumerate(callee.results):
        if not is_param(result) and not isinstance(result, Number):
            found.setdefault(result if isinstance(result, Slot) else number, result)
    return tuple(found.values())


def _kernel_text(kernel: Lowered, returned: tuple[Expr | Slot, ...], pipeline: Pipeline) -> KernelText:
    """One kernel's definition."""
    decorator = ['@njit(cache=True, error_model="numpy")'] if pipeline.compiled else []
    params = ", ".join((*(slot.name for slot in kernel.params), *(buffer.name for buffer in kernel.buffers)))
    values = tuple(Name(result.name) if isinstance(result, Slot) else result for result in returned)
    last: Body = (Return(values, _last_place(kernel)),) if values else ()
    body = (*kernel.body, *last)
    sizes = tuple(_size_lines(kernel, names_used(body)))
    return KernelText(
        kernel.name, () if kernel.plain else (*decorator, f"def {kernel.name}({params}):"), (*sizes, *lines(kernel.body)), tuple(map(text, values)), next(lines(last), ""),
        frozenset(kernel.names | _identifiers(body)) - set(dir(builtins)),
    )


def _last_place(kernel: Lowered) -> Location:
    """The user's code that computes what a function returns."""
    body = kernel.function.body
    results = frozenset(body.results)
    return next((node.where for node in reversed(body.nodes) if not results.isdisjoint(node.outs)), NOWHERE)


def _identifiers(body: Body) -> set[str]:
    """Every name that stands in a kernel's statements, functions and modules included."""
    found = {name for statement in walk(body) for expr in expressions(statement) for name in identifiers(expr)}
    modules = {"np" for statement in walk(body) if isinstance(statement, Alloc)}
    return found | modules | {first_name(each.exception) for each in walk(body) if isinstance(each, Raise)}


def _size_lines(kernel: Lowered, used: frozenset[str]) -> list[str]:
    """n, d = x.shape: the lengths that the text uses."""
    by_array: dict[str, dict[int, str]] = {}
    for name, (array, axis) in kernel.sizes.items():
        if name in used:
            by_array.setdefault(array, {})[axis] = name
    ranks = {slot.name: slot.type.ndim for slot in kernel.params}
    ranks.update({slot.name: var.type.ndim for slot, var in zip(kernel.params, kernel.function.params, strict=True)})
    result: list[str] = []
    for slot in kernel.params:
        axes = by_array.get(slot.name, {})
        if len(axes) > 1 and len(axes) == ranks[slot.name]:
            result.append(f"    {', '.join(axes[axis] for axis in sorted(axes))} = {slot.name}.shape")
        else:
            result += [f"    {name} = {text(Length(slot.name, axis))}" for axis, name in sorted(axes.items())]
    return result
