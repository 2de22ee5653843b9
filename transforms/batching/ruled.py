"""Functions with derivative rules in which examples meet, in their bodies or in their rules: written for all examples, once, with a rule for all.

    f(x)               f_vmap(xs)             the body, and each program of the rule, as `together.py` writes what examples do together
    f_fwd, f_bwd  ->   f_fwd_vmap, f_bwd_vmap
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s.errors import Location, UnsupportedError
from s2s.records import replace
from s2s.transforms.batching.examples import Mapped
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import Atom, Function, Mask, Rule, Var
from s2s.transforms.ir.rewrite import Substitution
from s2s.transforms.primitives.families import repeat
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.value import Value
from s2s.types import SIZE, Array, Dim, dim_atom

Writer = Callable[[Builder, Function, Sequence[Mapped], Dim, "RuledBatches"], list[Mapped]]
"""Appends what a function without a rule does for all examples."""


class RuledBatches:
    """Those functions that were written so far, by their rule and which of their params differ from example to example."""

    def __init__(self, size: Dim, writer: Writer) -> None:
        self.size, self.writer = size, writer
        self.done: dict[tuple[Rule, Mask], Function] = {}

    @property
    def more(self) -> tuple[Atom, ...]:
        """What the functions are passed behind their own operands: the number of examples, where only the run knows it."""
        return () if isinstance(self.size, int) else (dim_atom(self.size),)

    def function(self, function: Function, varied: Mask, results: Mask, where: Location) -> Function:
        """The function for all examples."""
        rule = function.rule
        assert rule is not None
        key = rule, varied
        if key not in self.done:
            twin = rule.twin(len(self.more))
            if twin is None:
                raise UnsupportedError(
                    f"a collective in {function.name}, a function with a derivative rule of its own", where=where, why="the rule is for one example",
                    instead="the collective before or after its call",
                )  # fmt: skip
            made, _ = self.write(replace(function, rule=None), varied, results, at=len(varied))
            self.done[key] = replace(made, rule=twin)  # its rule may call it
            rule.fill_twin(twin, function, varied, results, self.write)
        return self.done[key]

    def write(self, function: Function, varied: Mask, results: Mask, *, at: int, hands_size: bool = False, sums: bool = False) -> tuple[Function, Mask]:
        """A program for all examples, and which of its results are arrays of all (without the number of examples).

        `results`: which of them shall be, from the first one on; `at`: where among its params the number of examples stands; `hands_size`: it returns that, too;
        `sums`: what all examples shall share is the sum of theirs.
        """
        size = Var("size", SIZE) if self.more else self.size
        builder = new_builder()
        builder.where = function.where
        params = _params(function.params, varied, size)
        ins = [Mapped(param, 0 if on else None) for param, on in zip(params, varied, strict=True)]
        inner = RuledBatches(size, self.writer)
        inner.done = self.done
        found = self.writer(builder, function, ins, size, inner)
        wanted = (*results, *(each.axis is not None for each in found[len(results):]))
        atoms = [_as(builder, each, on, size, function, sums=sums) for each, on in zip(found, wanted, strict=True)]
        if isinstance(size, Var):
            params = (*params[:at], size, *params[at:])
            atoms = [*atoms, size] if hands_size else atoms
        made = Function(f"{function.name}_vmap", params, builder.block(*atoms), function.where, function.doc, function.rule, function.derived)
        return made, wanted


def _params(params: tuple[Var, ...], varied: Mask, size: Dim) -> tuple[Var, ...]:
    """Params for all examples; those that are sizes of others first, as the others' types name them."""
    own = Substitution()
    for param, on in zip(params, varied, strict=True):
        if not on and not param.type.shape:
            own.mapping[param] = Var(param.name, param.type)
    for param, on in zip(params, varied, strict=True):
        if param not in own.mapping:
            type_ = own.type(param.type)
            own.mapping[param] = Var(param.name, Array(type_.dtype, (size, *type_.shape)) if on else type_)
    return tuple(own.mapping[param] for param in params)  # type: ignore[misc]


def _as(builder: Builder, found: Mapped, wanted: bool, size: Dim, function: Function, *, sums: bool) -> Atom:
    """A result as an array of all examples, or as one that they share."""
    value = Value(builder, found.atom)
    if wanted == (found.axis is not None):
        return found.atom
    if wanted:
        return repeat(value, Value(builder, dim_atom(size))).atom
    if not sums:
        raise UnsupportedError(
            f"a derivative rule ({function.name}) that gives each example another result or tangent, where the function's result is the same for all", where=function.where,
            instead="a rule that makes it the same for all, by a collective",
        )  # fmt: skip
    return reduce_sum(value, axes=(0,)).atom


__all__ = ["RuledBatches"]
