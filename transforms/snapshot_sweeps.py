"""The two halves of a loop that is reversed from snapshots, as programs: see `snapshots`.

    forward half                                        backward half
    while done < segments:                              for segment in range(segments - 1, -1, -1):
        put a snapshot at `done`                            from the last snapshot at `done` on
        run as many segments as the schedule says           while done < segment and one is free: advance, take a snapshot
                                                            advance to `segment`, reverse it; a snapshot there is free again

A segment is as long as its tapes take about as much memory as all snapshots. Of a While loop the forward half finds out
how many trips it has, and replaces snapshots on the way (`replaced_snapshot`).
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from s2s.transforms import rewrite
from s2s.transforms.build import Builder
from s2s.transforms.facts import learn_function
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import equal, less, select
from s2s.transforms.primitives.indexing import at, put
from s2s.transforms.primitives.logic import logical_and
from s2s.transforms.primitives.structural import empty, iota, same_dims
from s2s.transforms.primitives.value import Value, zeros
from s2s.transforms.program import Block, Call, For, Function, While
from s2s.transforms.residuals import bytes_of
from s2s.transforms.reverse import Halves
from s2s.transforms.rules import Mask
from s2s.transforms.snapshots import ROOMY, Part, Segment
from s2s.transforms.tapes import trip_count
from s2s.types import INT64, SIZE, Array, Atom, Var, atom_dim, dim_atom, is_size, size_literal

WHILE_COUNT = 128
"""Snapshots of a While loop where their number is left to us: 128 and two runs over each segment reach over 8000 segments."""


def sweeps(plain: Function, segment: Segment, count: int | None, active: Mask, useful: Mask) -> Halves:
    """Both halves for the loop that is the body of `plain`."""
    writer = _Online(plain, segment, count) if isinstance(segment.loop, While) else _Known(plain, segment, count)
    return writer.halves(active, useful)


# ---- building regions -----------------------------------------------------------------------------------------------


def _carried(start: Sequence[tuple[str, Atom]]) -> tuple[Var, ...]:
    return tuple(Var(name, atom.type.strong() if not is_size(atom.type) else SIZE) for name, atom in start)


def _fitted(builder: Builder, results: Sequence[Atom], carry: Sequence[Var]) -> tuple[Atom, ...]:
    """Results with the dimensions of the carried variables, which are known to be equal."""
    return tuple(same_dims(Value(builder, result), Value(builder, var)).atom for result, var in zip(results, carry, strict=True))


def _outs(carry: tuple[Var, ...]) -> tuple[Var, ...]:
    return tuple(Var(var.name, var.type) for var in carry)


def _while(builder: Builder, start: Sequence[tuple[str, Atom]], test: Callable[..., Atom], body: Callable[..., Sequence[Atom]]) -> tuple[Var, ...]:
    """Append `while test(*carried): carried = body(*carried)`."""
    carry = _carried(start)
    asked, inner = builder.inside(), builder.inside()
    answer = test(asked, *carry)
    results = _fitted(inner, body(inner, *carry), carry)
    outs = _outs(carry)
    builder.add(While(outs, carry, tuple(atom for _, atom in start), asked.block(answer), inner.block(*results), builder.where))
    return outs


def _downwards(builder: Builder, name: str, count: Atom, start: Sequence[tuple[str, Atom]], body: Callable[..., Sequence[Atom]]) -> tuple[Var, ...]:
    """Append `for name in range(count - 1, -1, -1): carried = body(name, *carried)`."""
    carry, index, step = _carried(start), Var(name, SIZE), size_literal(-1)
    lo, inner = sizes.minus(builder, count, 1), builder.inside()
    inner.know_index(index, lo, step, step)
    results = _fitted(inner, body(inner, index, *carry), carry)
    outs = _outs(carry)
    builder.add(For(outs, index, lo, step, step, carry, tuple(atom for _, atom in start), inner.block(*results), builder.where))
    return outs


def _less(builder: Builder, a: Atom, b: Atom) -> Atom:
    return builder.equation(less, (a, b))[0]


@functools.cache
def _schedule(name: str) -> Function:
    """A function of `snapshot_schedule`, read."""
    from s2s.transforms import snapshot_schedule
    from s2s.transforms.read import read

    size = Var("k", SIZE)
    params = {
        "next_snapshot": (Var("segments", SIZE), Var("snapshots", SIZE)),
        "replaced_snapshot": (Var("levels", Array(INT64, (size,))), Var("slots", Array(INT64, (size,))), Var("taken", SIZE)),
    }[name]
    return read(getattr(snapshot_schedule, name), params, params, {}).function


def _called(builder: Builder, name: str, ins: tuple[Atom, ...], names: tuple[str, ...]) -> tuple[Var, ...]:
    node = rewrite.call(_schedule(name), ins, names, builder.where)
    builder.add(node)
    return node.outs


# ---- both kinds of loops --------------------------------------------------------------------------------------------


@dataclass
class _Sweeps:
    plain: Function
    segment: Segment
    count: int | None

    def __post_init__(self) -> None:
        self.loop = self.segment.loop
        self.starts = self.plain.params[: len(self.loop.carry)]
        self.name = self.plain.name

    def halves(self, active: Mask, useful: Mask) -> Halves:
        ahead = self.builder()
        results, extra = self.forward(ahead)
        first = Function(f"{self.name}_fwd", self.plain.params, ahead.block(*results, *extra), self.plain.where, self.plain.doc)
        back = self.builder()
        seeds = tuple(Var(f"{out.name}_bar", out.type.strong()) for out, on in zip(self.loop.outs, useful, strict=True) if on)
        given = tuple(Var(var.name, var.type) for var in extra)
        given = tuple(rewrite.Substitution(dict(zip(extra, given, strict=True))).bind(var) for var in extra)
        bars = self.backward(back, given, dict(zip((k for k, on in enumerate(useful) if on), seeds, strict=True)), active)
        body = back.block(*bars)
        read = rewrite_reads(body, self.plain, (*given, *seeds))
        second = Function(f"{self.name}_bwd", (*read, *given, *seeds), body, self.plain.where)
        return Halves(first, rewrite.renewed(second), (*read, *extra), extra)

    def builder(self) -> Builder:
        builder = Builder()
        learn_function(builder, self.plain)
        builder.where = self.plain.where
        return builder
