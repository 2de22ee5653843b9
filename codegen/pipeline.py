"""The way from a program to kernels, for each target, in order: the one place that says what happens when.

    program --rewrites--> program --lowering--> statements --passes--> statements --print--> text

Every rewrite and every pass has a name; `s2s.grad(f).stages(*args)` shows what each of them made. With S2S_CHECK=1 the verifier
looks at the program after each rewrite, and `check_statements` at the statements after each pass.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from s2s.codegen.lowering.lowered import Lowered
from s2s.codegen.passes.abreast import abreast
from s2s.codegen.passes.buffers import allocated_outside
from s2s.codegen.passes.checks_first import checks_first
from s2s.codegen.passes.deferred import errors_deferred
from s2s.codegen.passes.equal_sizes import by_one_name
from s2s.codegen.passes.examples import with_numbers
from s2s.codegen.passes.falling import with_unordered_rows
from s2s.codegen.passes.fission import parted
from s2s.codegen.passes.fuse import branches_joined, contracted, fused
from s2s.codegen.passes.numpys_numbers import with_numpys_numbers
from s2s.codegen.passes.reassociate import with_free_sums
from s2s.codegen.passes.rows_first import rows_first
from s2s.codegen.passes.singles import single_numbers
from s2s.codegen.passes.temporaries import narrowed, recomputed, shared
from s2s.codegen.passes.tidy import exchanging, hoisted, without_unused
from s2s.codegen.passes.unsigned import unsigned
from s2s.codegen.targets import TARGETS
from s2s.codegen.targets.cpu.external import cpu_external
from s2s.codegen.targets.cpu.fourier import FOURIER
from s2s.codegen.targets.cpu.linear_algebra import LINEAR_ALGEBRA
from s2s.codegen.targets.cpu.products import PRODUCTS
from s2s.codegen.targets.cpu.random import RANDOM
from s2s.codegen.targets.cpu.rows import ROWS
from s2s.codegen.targets.cpu.target import Cpu
from s2s.codegen.targets.cpu.views import VIEWS
from s2s.codegen.targets.numpy.external import numpy_external
from s2s.codegen.targets.numpy.fourier import FOURIER as NUMPY_FOURIER
from s2s.codegen.targets.numpy.linear_algebra import LINEAR_ALGEBRA as NUMPY_LINEAR_ALGEBRA
from s2s.codegen.targets.numpy.random import RANDOM as NUMPY_RANDOM
from s2s.codegen.targets.numpy.rows import NUMPY_ROWS
from s2s.codegen.targets.numpy.target import Arrays
from s2s.errors import ArgumentValueError
from s2s.records import dataclass
from s2s.transforms.batching.map_loops import maps_as_loops
from s2s.transforms.derivatives.rules import without_rules
from s2s.transforms.ir.program import Function, with_each_changed
from s2s.transforms.loops.lanes import in_lanes
from s2s.transforms.loops.preaccumulate import preaccumulated
from s2s.transforms.loops.registers import in_registers
from s2s.transforms.loops.vectorise import in_vector_form
from s2s.transforms.overflow.checked import integers_checked, listed_integers_checked
from s2s.transforms.primitives.opaque import opaque
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.simplify.half_sums import half_sums_in_single
from s2s.transforms.simplify.simplification import simplify
from s2s.transforms.simplify.written_out import rows_written_out


@dataclass(frozen=True)
class Rewrite:
    """A step from program to program."""

    name: str
    apply: Callable[[Function], Function]


@dataclass(frozen=True)
class Pass:
    """A step from kernel to kernel. `only`: None, or of which kernels: "entry" or "derived" (derivatives)."""

    name: str
    apply: Callable[[Lowered], Lowered]
    only: str | None = None


@dataclass(frozen=True)
class Pipeline:
    """All steps of a target. `rows`: the lowering of each structural row; `compiled`: the text is Numba's."""

    compiled: bool
    rewrites: tuple[Rewrite, ...]
    lowering: type[Any]
    rows: Mapping[Primitive, Callable[..., None]]
    passes: tuple[Pass, ...]


SIMPLIFYING = (
    Rewrite("rows written out", lambda function: with_each_changed(function, rows_written_out)),
    Rewrite("sums of float16 in float32", lambda function: with_each_changed(function, half_sums_in_single)),
    Rewrite("functions without their rules", without_rules),
    Rewrite("simplified", lambda function: simplify(function, last=True)),
)
MAPS = Rewrite("maps as loops", lambda function: with_each_changed(function, maps_as_loops))

CPU = Pipeline(
    compiled=True,
    rewrites=(
        *SIMPLIFYING,
        Rewrite("integers that fit", integers_checked),
        Rewrite("examples in lanes", lambda function: with_each_changed(function, in_lanes)),
        MAPS,
        Rewrite("elements in registers", in_registers),
        Rewrite("derivatives in vector form", in_vector_form),
        Rewrite("partials multiplied first", preaccumulated),
    ),
    lowering=Cpu,
    rows={**VIEWS, **PRODUCTS, **ROWS, **LINEAR_ALGEBRA, **RANDOM, **FOURIER, opaque: cpu_external},
    passes=(
        Pass("equal lengths by one name", lambda kernel: kernel.with_body(by_one_name(kernel.body, kernel.size_names))),
        Pass("loops joined", lambda kernel: kernel.with_body(fused(kernel.body, kernel.param_names, kernel.ranges, free=kernel.derived))),
        Pass("temporaries contracted", lambda kernel: kernel.with_body(contracted(kernel.body, kernel.kept))),
        Pass("temporaries recomputed", lambda kernel: kernel.with_body(recomputed(kernel.body, kernel.kept, kernel.size_names))),
        Pass("temporaries narrowed", lambda kernel: kernel.with_body(narrowed(kernel.body, kernel.kept))),
        Pass("temporaries shared", lambda kernel: kernel.with_body(shared(kernel.body, kernel.kept))),
        Pass("without what is unused", lambda kernel: kernel.with_body(without_unused(kernel.body, kernel.kept))),
        Pass("allocations out of loops", lambda kernel: kernel.with_body(hoisted(kernel.body, kernel.swaps, kernel.size_names))),
        Pass("checks before loops", lambda kernel: kernel.with_body(checks_first(kernel.body, kernel.ranges, kernel.param_names))),
        Pass("loops parted", lambda kernel: kernel.with_body(parted(kernel.body, kernel.ranges))),
        Pass("sums by rows", rows_first),
        Pass("errors behind loops", errors_deferred),
        Pass("exchanged parameters", exchanging),
        Pass("free sums", lambda kernel: kernel.with_body(with_free_sums(kernel.body, kernel.accumulators))),
        Pass("single numbers", single_numbers),
        Pass("trips abreast", lambda kernel: kernel.with_body(abreast(kernel.body, kernel.ranges, kept=kernel.kept, sums=kernel.accumulators, taken=kernel.taken)), only="derived"),
        Pass("allocated outside", allocated_outside, only="entry"),
        Pass("without what is unused, again", lambda kernel: kernel.with_body(without_unused(kernel.body, kernel.kept)), only="entry"),
        Pass("unsigned positions", lambda kernel: kernel.with_body(unsigned(kernel.body, kernel.size_names, kernel.names))),
        Pass("unordered rows", lambda kernel: kernel.with_body(with_unordered_rows(kernel.body, kernel.names))),
        Pass("examples in messages", lambda kernel: kernel.with_body(with_numbers(kernel.body, compiled=True))),
    ),
)  # fmt: skip

NUMPY = Pipeline(
    compiled=False,
    rewrites=(*SIMPLIFYING, Rewrite("integers of lists that fit", listed_integers_checked), MAPS),
    lowering=Arrays,
    rows={**NUMPY_ROWS, **NUMPY_LINEAR_ALGEBRA, **NUMPY_RANDOM, **NUMPY_FOURIER, opaque: numpy_external},
    passes=(
        Pass("branches joined", lambda kernel: kernel.with_body(branches_joined(kernel.body))),
        Pass("without what is unused", lambda kernel: kernel.with_body(without_unused(kernel.body, kernel.kept))),
        Pass("exchanged parameters", exchanging),
        Pass("numbers that are NumPy's", lambda kernel: kernel.with_body(with_numpys_numbers(kernel.body, kernel.returned))),
        Pass("examples in texts", lambda kernel: kernel.with_body(with_numbers(kernel.body, compiled=False))),
    ),
)

PIPELINES = {"cpu": CPU, "numpy": NUMPY}
"""The targets whose steps stand here."""


def pipeline_of(target: str) -> Pipeline:
    """A target's pipeline.

    Raises
    ------
    ArgumentValueError
        If there is no such target.
    """
    if target in PIPELINES:
        return PIPELINES[target]
    if target not in TARGETS:
        raise ArgumentValueError(f"no target {target!r}", instead=f"one of {', '.join(TARGETS)}")
    found: Pipeline = import_module(f"s2s.codegen.targets.{target}.pipeline").PIPELINE
    return found
