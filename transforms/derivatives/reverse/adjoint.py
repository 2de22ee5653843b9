"""Reverse mode: a program that computes results, then the cotangents of its parameters, statement by statement backwards.

    y = x * x              y = x * x
    z = sin(y)     ->      z = sin(y)
    return z               y_bar = cos(y) * z_bar
                           x_bar = x * y_bar + x * y_bar

The adjoint of an equation is the transpose of its jvp. A loop becomes the loop the other way round that carries the
cotangents; one of an array is an accumulator that is updated in place (the adjoint of a read is an addition at its index).
What the adjoint code reads of the primal is provided by `residuals`, and the forward sweep is finished by `sweep`.
"""
from __future__ import annotations

from collections.abc import Hashable
from typing import assert_never

from s2s.errors import UnsupportedError
from s2s.records import replace
from s2s.transforms.batching.map_loops import maps_as_loops
from s2s.transforms.derivatives.activity import active_vars
from s2s.transforms.derivatives.halving import cut
from s2s.transforms.derivatives.reverse.chains import chain_to, loop_cycles
from s2s.transforms.derivatives.reverse.companions import with_companions
from s2s.transforms.derivatives.reverse.cotangents import add_cotangent, transpose_equation
from s2s.transforms.derivatives.reverse.inline import inline_mutating
from s2s.transforms.derivatives.reverse.plan import Chunk, Plan, decided, tried
from s2s.transforms.derivatives.reverse.residuals import ReversedLevel
from s2s.transforms.derivatives.reverse.sweep import forward_sweep
from s2s.transforms.derivatives.reverse.tapes import Group, reversed_range
from s2s.transforms.derivatives.rules import Halves, KnownReverse, Mask, has_rules, rule_of
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.program import (
    Atom,
    Block,
    Call,
    Check,
    Equation,
    For,
    Function,
    If,
    Map,
    Node,
    Print,
    Var,
    While,
    free_vars,
    operands,
    size_params,
    walk,
)
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.families import differentiable
from s2s.transforms.primitives.indexing import additem
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Cost, Nothing, NotYet
from s2s.transforms.primitives.structural import same_dims
from s2s.transforms.primitives.table import TABLE
from s2s.transforms.primitives.traced_order import is_traced_order
from s2s.transforms.primitives.value import Cotangent, Scatter, Value, zeros
from s2s.transforms.simplify.contents import content
from s2s.types import SIZE, Array, size_literal

Bars = dict[Var, Atom]


def vjp(function: Function, active: Mask, useful: Mask, known: KnownReverse | None = None) -> Function:
    """The function (*params, *cotangents of the useful results) -> (*results, *cotangents of the active params), in one."""
    known = {} if known is None else known
    if function.rule is not None:
        return _joined(function, active, useful, halves(function, active, useful, known))
    sweeps = sweep_of(function, active, useful, known)
    body = Block((*sweeps.primal, *sweeps.adjoint), (*sweeps.results, *sweeps.bars))
    return Function(f"{function.name}_vjp", (*function.params, *sweeps.seeds), body, function.where, function.doc, None, derived=True)


def halves(function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
    """The function's derivative in two, written once for the same callee, active parameters and useful results."""
    key = (function, active, useful)
    if key not in known:
        rule = rule_of(function)
        known[key] = _halves(function, active, useful, known) if rule is None else rule.halves(function, active, useful, known)
    return known[key]


def _joined(function: Function, active: Mask, useful: Mask, parts: Halves) -> Function:
    """Both halves, called one after the other."""
    names = tuple(_name(result, "result") for result in parts.forward.body.results)
    first = rewrite.call(parts.forward, function.params, names, function.where)
    given = {**dict(zip(function.params, function.params, strict=True)), **dict(zip(parts.extra, first.outs[len(function.body.results):], strict=True))}
    for result, out in zip(parts.forward.body.results, first.outs, strict=True):  # a rule's forward half has results of its own
        if isinstance(result, Var):
            given.setdefault(result, out)
    seeds = tuple(
        Var(f"{_name(result, 'result')}_bar", bindable(result.type, function)) for result, on in zip(function.body.results, useful, strict=True) if on
    )
    ins = tuple(given.get(var, var) for var in parts.needed)
    names = tuple(f"{param.name}_bar" for param, on in zip(function.params, active, strict=True) if on)
    second = rewrite.call(parts.backward, (*ins, *seeds), names, function.where)
    body = Block((first, second), (*first.outs[: len(function.body.results)], *second.outs))
    return Function(f"{function.name}_vjp", (*function.params, *seeds), body, function.where, function.doc, None, derived=True)


def sweep_of(function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Sweeps:
    """Forward and reverse sweep of a function whose mutating helpers have been inlined."""
    function, companions = with_companions(maps_as_loops(inline_mutating(function)), active, useful)
    return tried(function, companions, lambda plan: Sweeps(function, active, useful, known, plan))


def _halves(function: Function, active: Mask, useful: Mask, known: KnownReverse) -> Halves:
    sweeps = sweep_of(function, active, useful, known)
    adjoint = Block(tuple(sweeps.adjoint), tuple(sweeps.bars))
    return cut(function, (*sweeps.primal,), sweeps.results, adjoint, sweeps.seeds, f"{function.name}_bwd")


class Sweeps:
    """The two sweeps of one function. `primal`, `adjoint`: nodes; `seeds`: cotangents in; `bars`: cotangents out."""

    def __init__(self, function: Function, active: Mask, useful: Mask, known: KnownReverse, plan: Plan) -> None:
        self.function, self.known, self.plan, self.layout = function, known, plan, plan.layout
        self.active = active_vars(function, active, useful)
        self.sizes = size_params(function)
        """Lengths of arguments: always there, under the names that types have for them."""
        self.functions: dict[Hashable, Var] = {}
        """Numbers that the forward sweep has computed by functions: the adjoint of a sine needs the cosine, which is there in a rotation."""
        self.beside: dict[Node, list[Node]] = {}
        """In a tracer's order: what the rules of the function's own equations need of values."""
        results = function.body.results
        self.seeds = tuple(
            Var(f"{_name(result, 'result')}_bar", bindable(result.type, function)) for result, on in zip(results, useful, strict=True) if on
        )
        bars: Bars = {}
        builder = new_builder()
        seeds = iter(self.seeds)
        for result, on in zip(results, useful, strict=True):
            if on and (seed := next(seeds)) is not None and result in self.active:
                self.accumulate(bars, result, same_dims(Value(builder, seed), Value(builder, result)))
        chunks = [Chunk(None, builder.nodes), *self.block_adjoint(function.body, bars)]
        final = new_builder()
        out = [
            bars[param] if param in bars else zeros(final, param.type).atom
            for param, on in zip(function.params, active, strict=True)
            if on
        ]
        for param, bar in zip([param for param, on in zip(function.params, active, strict=True) if on], out, strict=True):
            if isinstance(bar, Var) and bar not in self.seeds and _is_nameless(bar):
                bar.name = f"{param.name}_bar"
        chunks.append(Chunk(None, final.nodes))
        self.adjoint, self.bars = self.join(chunks, out)
        self.primal = [each for node in forward_sweep(function, plan) for each in (node, *self.beside.get(node, ()))]
        self.results = results

    def join(self, chunks: list[Chunk], out: list[Atom]) -> tuple[list[Node], list[Atom]]:
        """The function's own level: its values are all still there; arrays that were rolled back replace their old versions."""
        substitution = rewrite.Substitution()
        nodes: list[Node] = []
        for chunk in chunks:
            nodes += [substitution.node(node) for node in chunk.nodes]
            for before, now in chunk.restored.items():
                substitution.mapping[before] = substitution.atom(now)
        return nodes, [substitution.atom(atom) for atom in out]

    # ---- cotangents -------------------------------------------------------------------------------------------------

    def accumulate(self, bars: Bars, atom: Atom, bar: Cotangent) -> None:
        """bars[atom] += bar."""
        if not isinstance(atom, Var) or atom not in self.active or bar is None:
            return
        if isinstance(bar, Scatter):
            builder = bar.value.builder
            into = Value(builder, bars[atom]) if atom in bars else zeros(builder, atom.type)
            total = additem(into, bar.value, *bar.operands, index=bar.index)
        else:
            builder = bar.builder
            total = Value(builder, bars[atom]) + bar if atom in bars else bar
        if isinstance(total.atom, Var) and builder.nodes and (
            total.atom in builder.nodes[-1].outs or _is_nameless(total.atom) and any(total.atom in node.outs for node in builder.nodes)
        ):
            total.atom.name = f"{atom.name}_bar"
        bars[atom] = total.atom

    def block_adjoint(self, block: Block, bars: Bars) -> list[Chunk]:
        """The adjoint code of a block's nodes, last node first."""
        chunks = []
        outside = self.functions
        self.functions = {**outside, **{content(node): node.outs[0] for node in block.nodes if isinstance(node, Equation) and _is_function(node)}}
        for node in reversed(block.nodes):
            builder = new_builder()
            builder.where = node.where
            chunk = Chunk(node, builder.nodes)
            self.node_adjoint(node, bars, builder, chunk)
            if chunk.nodes or chunk.restored:
                chunks.append(chunk)
        self.functions = outside
        return chunks

    def node_adjoint(self, node: Node, bars: Bars, builder: Builder, chunk: Chunk) -> None:
        forced = any((node, number) in self.plan.decisions.forced for number in range(len(node.outs)))
        if not forced and not any(out in bars for out in node.outs):
            return
        match node:
            case Equation():
                self.equation_adjoint(node, bars, builder)
            case Call():
                self.call_adjoint(node, bars, builder)
            case For() | While():
                self.loop_adjoint(node, bars, builder, chunk)
            case If():
                self.if_adjoint(node, bars, builder, chunk)
            case Map():
                raise AssertionError("a Map is a loop here (maps_as_loops)")
            case Check() | Print():
                pass
            case _:
                assert_never(node)

    def equation_adjoint(self, node: Equation, bars: Bars, builder: Builder) -> None:
        """Write the jvp with placeholder tangents, keep what is not linear in them, transpose what is, last equation first."""
        rule = node.primitive.jvp
        out_bars = [bars.pop(out, None) for out in node.outs]
        if isinstance(rule, Nothing):
            return
        if isinstance(rule, NotYet):
            raise UnsupportedError(f"{node.primitive.name} has no derivative yet", where=node.where, why=rule.why)
        dots = tuple(Var(f"{atom.name}_dot", atom.type.strong()) if atom in self.active else None for atom in node.ins)
        trace = new_builder()
        trace.where = node.where
        tangents = rule(
            tuple(None if dot is None else Value(trace, dot) for dot in dots),
            tuple(Value(trace, atom) for atom in node.ins),
            tuple(Value(trace, out) for out in node.outs),
            **node.params,
        )
        kept = self.beside.setdefault(node, []).append if is_traced_order() and self.layout.block_of[node.outs[0]] is self.function.body else builder.add
        linear: set[Atom] = {dot for dot in dots if dot is not None}
        transposed: list[Equation] = []
        same = rewrite.Substitution(renew=False)
        for each in trace.nodes:
            step = same.node(each)
            if isinstance(step, Check):  # where the derivative exists
                kept(step)
                continue
            assert isinstance(step, Equation)
            if any(atom in linear for atom in step.ins):
                linear.update(step.outs)
                transposed.append(step)
            elif not is_traced_order() and _is_function(step) and (value := self.functions.get(content(step))) is not None and value.type == step.outs[0].type:
                same.mapping[step.outs[0]] = value
            else:
                kept(step)
        inner: dict[Atom, Cotangent] = {}
        for tangent, bar in zip(tangents, out_bars, strict=True):
            if tangent is not None and bar is not None and tangent.atom in linear:
                add_cotangent(inner, tangent.atom, Value(builder, bar))
        traced = is_traced_order()
        for step in reversed(transposed):
            transpose_equation(step, inner, linear, builder)
            for atom, dot in zip(node.ins, dots, strict=True) if traced else ():
                self.accumulate(bars, atom, inner.pop(dot, None) if dot in step.ins else None)
        for atom, dot in zip(node.ins, dots, strict=True):
            if dot is not None:
                self.accumulate(bars, atom, inner.get(dot))

    def call_adjoint(self, node: Call, bars: Bars, builder: Builder) -> None:
        active = tuple(atom in self.active for atom in node.ins)
        useful = tuple(out in bars for out in node.outs)
        seeds = tuple(bars.pop(out) for out in node.outs if out in bars)
        forward = None if is_small(node.function) else self.forward_call(node, active, useful)
        if forward is None:
            derivative = _only_bars(vjp(node.function, active, useful, self.known), len(node.outs))
            back = rewrite.call(derivative, (*node.ins, *seeds), _bar_names(node, active), node.where)
        else:
            parts = halves(node.function, active, useful, self.known)
            given = rewrite.bind_params(node.function.params, node.ins)
            given.update(zip(parts.extra, forward.outs[len(node.outs):], strict=True))
            for result, out in zip(parts.forward.body.results, node.outs, strict=False):
                if isinstance(result, Var):
                    given.setdefault(result, out)
            back = rewrite.call(parts.backward, (*(given[var] for var in parts.needed), *seeds), _bar_names(node, active), node.where)
        builder.add(back)
        outs = iter(back.outs)
        for atom, on in zip(node.ins, active, strict=True):
            if on:  # the callee may name the same size by its own residual
                self.accumulate(bars, atom, same_dims(Value(builder, next(outs)), Value(builder, atom)))

    def forward_call(self, node: Call, active: Mask, useful: Mask) -> Call | None:
        """The call that also returns residuals, in the forward sweep; None inside a loop or branch if their sizes are known
        only after the call: they would have to be kept for every trip, so that running the function again is better.
        """
        if node not in self.plan.made.residual_calls:
            parts = halves(node.function, active, useful, self.known)
            names = tuple(out.name for out in node.outs) + tuple(var.name for var in parts.extra)
            made = rewrite.call(parts.forward, node.ins, names, node.where)
            residuals = made.outs[len(node.outs):]
            mapping = rewrite.Substitution(dict(zip(made.outs, node.outs, strict=False)))
            for residual in residuals:
                residual.type = mapping.type(residual.type)
            self.plan.made.residual_calls[node] = Call((*node.outs, *residuals), parts.forward, node.ins, node.where)
        forward = self.plan.made.residual_calls[node]
        block = self.layout.block_of[node.outs[0]]
        if block is not self.function.body and any(dim in forward.outs for out in forward.outs for dim in out.type.shape):
            return None
        self.plan.duties.calls[node] = forward
        self.layout.bind(forward, block)
        return forward

    # ---- regions ----------------------------------------------------------------------------------------------------

    def shared(self, *inner: Block) -> list[Var]:
        """The active Vars from outside that blocks read: their cotangents accumulate through the region."""
        found: dict[Var, None] = {}
        for block in inner:
            read = {atom for node in walk(block) for atom in (*operands(node), *_all_results(node))} | set(block.results)
            found.update((var, None) for var in free_vars(block) if var in self.active and var in read and differentiable(var))
        return list(found)

    def loop_adjoint(self, node: For | While, bars: Bars, builder: Builder, chunk: Chunk) -> None:
        on = [k for k, (carry, out) in enumerate(zip(node.carry, node.outs, strict=True)) if carry in self.active or out in self.active]
        shared = [var for var in self.shared(node.body) if var not in node.carry]
        swapped = [chain.start for cycle in loop_cycles(node, self.layout) if len(cycle) > 1 for chain in cycle]  # may be rolled back, of any size
        sized = [*(node.carry[k] for k in on), *swapped]
        sizes_of = {c: k for k, c in enumerate(node.carry) if any(c in array.type.shape for array in sized)}
        out_bars = [bars.pop(node.outs[k], None) for k in on]
        init: list[Atom] = [node.outs[k] for k in sizes_of.values()]
        init += [bar if bar is not None else zeros(builder, node.outs[k].type).atom for k, bar in zip(on, out_bars, strict=True)]
        init += [bars[var] if var in bars else zeros(builder, var.type).atom for var in shared]
        slots = {size: Var(size.name, SIZE) for size in sizes_of}
        typed = rewrite.Substitution(dict(slots))
        own = [Var(f"{node.carry[k].name}_bar", typed.type(node.carry[k].type.strong())) for k in on]
        shares = [Var(f"{var.name}_bar", var.type.strong()) for var in shared]

        first = new_builder()
        first.where = node.where
        inside: Bars = dict(zip(shared, shares, strict=True))
        for k, bar in zip(on, own, strict=True):
            result = node.body.results[k]
            if result in self.active:
                self.accumulate(inside, result, same_dims(Value(first, bar), Value(first, result)))
        chunks = [Chunk(None, first.nodes), *self.block_adjoint(node.body, inside)]
        last = new_builder()
        last.where = node.where
        results: list[Atom] = list(sizes_of)
        results += [inside[node.carry[k]] if node.carry[k] in inside else zeros(last, node.carry[k].type).atom for k in on]
        results += [inside[var] for var in shared]
        chunks.append(Chunk(None, last.nodes))

        given = {
            result: slots[size] for size, k in sizes_of.items()
            if isinstance(result := node.body.results[k], Var) and self.layout.block_of[result] is node.body
        }
        level = ReversedLevel(self.plan, (node, 0 if isinstance(node, For) else 1), node.body, chunks, tuple(results), frozenset(given))
        outs = self.reversed_loop(node, level, builder, chunk, [*slots.values(), *own, *shares], init, given, typed)[len(slots):]
        bars.update(zip(shared, outs[len(on):], strict=True))
        for k, out in zip(on, outs, strict=False):
            self.accumulate(bars, node.init[k], same_dims(Value(builder, out), Value(builder, node.init[k])))

    def reversed_loop(
        self, node: For | While, level: ReversedLevel, builder: Builder, chunk: Chunk, carry: list[Var], init: list[Atom],
        given: dict[Var, Var], typed: rewrite.Substitution,
    ) -> list[Var]:
        """Append the loop that runs the level backwards; returns the outs that stand for `carry`. `typed`: the carried sizes there."""
        index = Var(node.index.name, node.index.type) if isinstance(node, For) else Var("trip", SIZE)
        known: dict[Var, Atom] = {node.index: index, **given} if isinstance(node, For) else dict(given)
        rolled = {number: chain for chain in level.rolled for number, result in enumerate(node.body.results) if result is chain.end}
        slots = {number: Var(chain.end.name, typed.type(node.carry[number].type)) for number, chain in rolled.items()}
        known.update((chain.end, slots[number]) for number, chain in rolled.items())
        pointers = {group: Var("entries", SIZE) for group in level.groups}
        body, results = level.assemble(known, pointers, index)
        for number in rolled:
            level.provide(node.carry[number])
        results += [level.substitution.atom(node.carry[number]) for number in rolled]
        results += [level.pointers[group] for group in level.groups]
        all_carry = (*carry, *slots.values(), *pointers.values())
        all_init = (*init, *(node.outs[number] for number in rolled), *(group.count for group in level.groups))
        outs = rewrite.Substitution().bind_all(all_carry)
        lo, hi, step = self.backwards(node, builder)
        builder.add(For(outs, index, lo, hi, step, all_carry, all_init, body.block(*results), node.where, reverse=True))
        after = iter(outs[len(carry):])
        for number in rolled:
            now = Value(builder, next(after))
            if node.carry[number] not in level.level.starts:
                continue  # a number that was followed: what it was before the loop is still there, and arrays may have it as their size
            self.note_restored(chunk, node.init[number], same_dims(now, Value(builder, node.init[number])).atom)
        for group in level.groups:
            chunk.pointers[group.count] = next(after)
        return list(outs[: len(carry)])

    def note_restored(self, chunk: Chunk, before: Atom, now: Atom) -> None:
        if isinstance(before, Var) and before not in self.sizes:
            chunk.restored[before] = now

    def backwards(self, node: For | While, builder: Builder) -> tuple[Atom, Atom, Atom]:
        """The range of the reversed loop."""
        if isinstance(node, For):
            return reversed_range(builder, node)
        trips = self.plan.duties.trips[node] = self.plan.made.trips.setdefault(node, Var("trips", SIZE))
        self.layout.block_of[trips] = self.layout.region_of[node.body][1]
        return sizes.minus(builder, trips, 1), size_literal(-1), size_literal(-1)

    def if_adjoint(self, node: If, bars: Bars, builder: Builder, chunk: Chunk) -> None:
        seeds = {out: bars.pop(out) for out in node.outs if out in bars}
        shared = self.shared(node.then, node.orelse)
        sides = []
        for block in (node.then, node.orelse):
            first = new_builder()
            first.where = node.where
            inside = {var: bars[var] for var in shared if var in bars}
            for out, result in zip(node.outs, block.results, strict=True):
                if out in seeds:
                    self.accumulate(inside, result, same_dims(Value(first, seeds[out]), Value(first, result)))
            sides.append(([Chunk(None, first.nodes), *self.block_adjoint(block, inside)], inside))
        changed = [var for var in shared if any(inside.get(var) is not bars.get(var) for _, inside in sides)]
        levels = []
        for number, (chunks, inside) in enumerate(sides):
            last = new_builder()
            last.where = node.where
            results = tuple(inside[var] if var in inside else zeros(last, var.type).atom for var in changed)
            block = (node.then, node.orelse)[number]
            levels.append(ReversedLevel(self.plan, (node, number), block, [*chunks, Chunk(None, last.nodes)], results))
        self.reversed_if(node, levels, builder, chunk, changed, bars)

    def _rolled(self, levels: list[ReversedLevel]) -> list[int]:
        """The results in which a branch hands out an array that it rolls back: of several the one that is this array in each branch."""
        found: set[int] = set()
        for level in levels:
            for chain in level.rolled:
                numbers = [number for number, result in enumerate(level.block.results) if result is chain.end]
                own = [number for number in numbers if all(self._starts_as(other, number, chain.start) for other in levels)]
                found.update(own[:1] or numbers)
        return sorted(found)

    def _starts_as(self, level: ReversedLevel, number: int, start: Var) -> bool:
        chain = chain_to(level.block.results[number], level.block, self.layout)
        return chain is not None and chain.start is start

    def reversed_if(self, node: If, levels: list[ReversedLevel], builder: Builder, chunk: Chunk, changed: list[Var], bars: Bars) -> None:
        rolled = self._rolled(levels)
        groups: list[Group] = list({group: None for level in levels for group in level.groups})
        bodies = []
        for level in levels:
            known: dict[Var, Atom] = {}
            for chain in level.rolled:
                known.update((chain.end, node.outs[number]) for number in rolled if level.block.results[number] is chain.end)
            pointers = {group: group.count for group in level.groups}
            body, results = level.assemble(known, pointers)
            for number in rolled:
                rolled_here = next((chain for chain in level.rolled if level.block.results[number] is chain.end), None)
                own = chain_to(level.block.results[number], level.block, self.layout)
                if rolled_here is None and own is not None and own.updates:  # the other branch rolls this array back: so must this one
                    raise decided(self.plan.decisions.forced, {(node, number)})
                results.append(node.outs[number] if rolled_here is None else level.substitution.atom(rolled_here.start))
            results += [level.pointers.get(group, group.count) for group in groups]
            bodies.append(body.block(*results))
        names = [f"{var.name}_bar" for var in changed] + [node.outs[number].name for number in rolled] + ["entries"] * len(groups)
        types = [var.type.strong() for var in changed] + [node.outs[number].type for number in rolled] + [SIZE] * len(groups)
        outs = tuple(Var(name, type_) for name, type_ in zip(names, types, strict=True))
        if not outs:
            return
        builder.add(If(outs, node.test, bodies[0], bodies[1], node.where))
        after = iter(outs)
        for var in changed:
            bars[var] = next(after)
        for number in rolled:
            starts = [chain_to(level.block.results[number], level.block, self.layout) for level in levels]
            self.note_restored(chunk, next(chain.start for chain in starts if chain is not None), next(after))
        for group in groups:
            chunk.pointers[group.count] = next(after)


_ROWS = frozenset(row.name for row in TABLE)


def _is_nameless(bar: Var) -> bool:
    """Whether a cotangent is called by the row that made it, or its value."""
    return bar.name.removesuffix("_bar") in _ROWS


def _is_function(node: Equation) -> bool:
    return node.primitive.cost is Cost.FUNCTION and not node.outs[0].type.shape


def _all_results(node: Node) -> tuple[Atom, ...]:
    return tuple(atom for block in node.blocks for atom in block.results)


def bindable(type_: Array, function: Function) -> Array:
    """A parameter's type: it can't name sizes that the body computes, and binds its own instead (the caller knows that they agree)."""
    known = size_params(function)
    return Array(type_.dtype, tuple(dim if isinstance(dim, int) or dim in known else Var(dim.name, SIZE) for dim in type_.shape))


def _name(atom: Atom, otherwise: str) -> str:
    return atom.name if isinstance(atom, Var) else otherwise


def _bar_names(node: Call, active: Mask) -> tuple[str, ...]:
    return tuple(f"{_name(atom, 'in')}_bar" for atom, on in zip(node.ins, active, strict=True) if on)


def _only_bars(function: Function, results: int) -> Function:
    body = function.body
    return replace(function, body=Block(body.nodes, body.results[results:]))


def is_small(function: Function) -> bool:
    """Whether running a function again in the reverse sweep is cheaper than keeping what it computed: scalars, no loops, no calls."""
    if has_rules(function):
        return False
    scalars = all(atom.type.ndim == 0 for atom in (*function.params, *function.body.results))
    return scalars and all(isinstance(node, Equation | Check | If) for node in walk(function.body))
