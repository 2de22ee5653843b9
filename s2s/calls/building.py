"""A module is made: read -> rewrite -> prepare -> emit -> write -> load.

It is imported where the cache has no answer (`specialise.building`), with all of the rewrites and the code generator behind it.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from s2s.calls.describe import describe_module
from s2s.calls.request import Request
from s2s.calls.rewrite import Rewritten, Watch, program_of
from s2s.calls.specialisation import Facts
from s2s.codegen.emit import emit_kernels, prepared
from s2s.codegen.language.lines import Place
from s2s.codegen.language.printing import text as text_of_length
from s2s.codegen.lowering.kernel import no_kernel
from s2s.codegen.modules import cache
from s2s.codegen.modules import compile as compiler
from s2s.codegen.modules.call import CallShape
from s2s.codegen.modules.columns import in_columns
from s2s.codegen.modules.entry import parameter_pairs
from s2s.codegen.modules.given import params_given, taken_apart
from s2s.codegen.modules.kept import KernelStore
from s2s.codegen.modules.module import write_module
from s2s.codegen.modules.text import ModuleText
from s2s.codegen.pipeline import pipeline_of
from s2s.collection import uncollected
from s2s.keeping import keeping
from s2s.outside import Access, Guard
from s2s.records import replace
from s2s.transforms.ir.jitted import kept_apart
from s2s.transforms.ir.one_kind import of_one_kind
from s2s.transforms.ir.program import free_vars
from s2s.transforms.ir.staged import Changing, Staged, Storing, refuse_changes, refuse_objects, refuse_stores
from s2s.transforms.ir.stretching import stretching
from s2s.transforms.ir.verify import verified
from s2s.transforms.primitives.traced_order import traced_order
from s2s.tree_util import tree_flatten
from s2s.types import Var


@uncollected()
def build(transformed: Rewritten, request: Request, names: list[str]) -> tuple[Path, str, ModuleType, Facts, dict[str, Any]]:
    """Read, rewrite, emit, write and load."""
    shape = request.shape(names)
    with keeping(KernelStore(transformed.target)), stretching(decided=request.decided):
        staged = stage_call(transformed, shape)
    if transformed.rewrite.takes_residuals:
        shape = CallShape(tuple(parameter.tree for parameter in staged.parameters), {}, exact_ones=False)
    text = module_text(transformed, staged, shape, public_name=transformed.public_name)
    path = cache.store_module(text.name, text.text)
    return path, text.text, compiler.load_text(path, text.text, text.injected), _facts(staged, shape, text.places), text.injected


def stage_call(transformed: Rewritten, shape: CallShape, watch: Watch | None = None) -> Staged:
    """The transformed program for a call of this shape, as it is lowered. `watch` is told of each step."""
    staged = program_of(transformed, shape, watch)
    if not transformed.rewrite.takes_residuals:
        staged = in_columns(staged, shape)
    staged = replace(staged, function=prepared(staged.function, transformed.target, watch), target_name=transformed.public_name)
    staged = _without_unread(staged)
    if staged.stores:
        staged = replace(staged, result=Storing(staged.result, tuple(tree for _, tree in staged.stores), tuple(place for place, _ in staged.stores)))
    if staged.changes:
        staged = replace(staged, result=Changing(staged.result, tuple(tree for _, tree in staged.changes), tuple(change for change, _ in staged.changes)))
    return staged


def _without_unread(staged: Staged) -> Staged:
    """The program without hidden inputs that it does not read: they were for derivative rules that nobody asked, or only their types
    mattered, on which guards go on looking.
    """
    read = {*free_vars(staged.function.body), *(param for param, _ in staged.mutated), *(param for pair in staged.distinct for param in pair)}
    unread = {item.param for item in staged.hidden if item.param not in read and not any(dim in read for dim in item.param.type.shape)}
    if not unread:
        return staged
    function = replace(staged.function, params=tuple(param for param in staged.function.params if param not in unread))
    return replace(staged, function=function, hidden=tuple(item for item in staged.hidden if item.param not in unread))


_STORING = ("jit", "grad", "value_and_grad", "jvp", "vjp_forward", "vjp_pullback")
"""Steps whose modules store outside what the function stores."""


def checked(staged: Staged, step: str) -> Staged:
    """A program as it was read, for a step of this name, verified where each step's result is (S2S_CHECK)."""
    if step not in _STORING:
        refuse_stores(staged, f"{step} of a function")
        refuse_changes(staged, f"{step} of a function")
    if step not in ("jit", "grad", "value_and_grad"):
        refuse_objects(staged, f"{step} of a function")
    verified(staged.function)
    return staged if step == "jit" else of_one_kind(staged)


def module_text(
    transformed: Rewritten, staged: Staged, shape: CallShape | None, *, public_name: str, watch: Watch | None = None
) -> ModuleText:
    """The text of a staged program; with `shape` for jit, without for the command line."""
    target = transformed.target
    if shape is None:
        refuse_stores(staged, "a module that stands alone, of a function")
    apart = taken_apart(staged)
    left = apart.staged
    entry = f"_{public_name}"
    kernels = no_kernel(entry) if apart.is_all else emit_kernels(left.function, name=entry, target=target, mutated=left.mutated, watch=watch, store=KernelStore(target))
    return write_module(
        left, kernels, name=public_name, about=describe_module(transformed, left), compiled=pipeline_of(target).compiled, shape=shape, apart=apart
    )


def temporary_bytes(transformed: Rewritten, shape: CallShape, leaves: Sequence[Any], hidden: Sequence[Any]) -> int:
    """How many bytes a call's module allocates for arrays that it does not return; `leaves`, `hidden`: the call's own."""
    staged = stage_call(transformed, shape)
    left = taken_apart(staged).staged
    kernels = emit_kernels(left.function, name="kernel", target=transformed.target, mutated=left.mutated)
    given = dict(zip(tree_flatten((shape.args, shape.kwargs))[0], leaves, strict=True))
    known = {theirs: given[mine].T if theirs in staged.columns else given[mine] for mine, theirs in parameter_pairs(staged, shape)} | {item.param: value for item, value in zip(staged.hidden, hidden, strict=True)}
    lengths = {param.name: np.broadcast_to(0, np.shape(known[param.var])) if np.ndim(known[param.var]) else known[param.var] for param in kernels.params}
    returned = {result.name for result in kernels.results}
    sizes = [[int(eval(text_of_length(length), {"max": max, "min": min}, lengths)) for length in buffer.shape] for buffer in kernels.buffers]  # noqa: S307 - our own expressions
    return sum(math.prod(size) * buffer.dtype.itemsize for buffer, size in zip(kernels.buffers, sizes, strict=True) if buffer.name not in returned)


def _facts(staged: Staged, shape: CallShape, places: dict[int, Place]) -> Facts:
    numbers: dict[Var, int] = {}
    leaves = tree_flatten((shape.args, shape.kwargs))[0]
    first = {leaf: number for number, leaf in reversed(list(enumerate(leaves))) if isinstance(leaf, Var)}
    for mine, theirs in parameter_pairs(staged, shape):
        numbers[theirs] = first[mine]
    numbers |= {hidden.param: len(leaves) + number for number, hidden in enumerate(staged.hidden)}
    separate, distinct = (tuple((numbers[one], numbers[other]) for one, other in pairs if {one, other} <= numbers.keys()) for pairs in (staged.separate, staged.distinct))
    return Facts(
        tuple((hidden.access, hidden.param.type) for hidden in staged.hidden), _unread_guards(staged),
        tuple(numbers[var] for var, _ in staged.mutated), any(place.stretch for place in places.values()),
        separate, distinct,
        tuple(numbers[var] for var in staged.in_order if var in numbers),
        tuple(numbers[var] for var in params_given(staged) if var in numbers), tuple(numbers[var] for var in staged.columns), places, tuple({change.steps: Access(change.steps) for change, _ in staged.changes}.values()),
    )  # fmt: skip


def _unread_guards(staged: Staged) -> tuple[Guard, ...]:
    """The guards, without those on types of hidden inputs, which are looked at where they are read."""
    read = {(*hidden.access.steps, ("kind", None)) for hidden in staged.hidden}
    return tuple(guard for guard in staged.guards if guard.access.steps not in read)


def as_it_ran(transformed: Rewritten, shape: CallShape) -> Staged:
    """The program of a module, also while a jaxpr is made, for which others are written in another order."""
    with traced_order(traced=False), kept_apart(kept=False):
        return program_of(transformed, shape)
