"""Shorter chains through the cotangents that a reversed loop carries: a trip's partials are multiplied with each other first.

    r_bar = 0.0                                       r_bar = 0.0
    for each in range(n - 1, -1, -1):                 for each in range(n - 1, -1, -1):
        x = x_tape[each]                                  x = x_tape[each]
        mul_bar = (1.0 - x) * x_bar             ->        sub = 1.0 - x
        r_bar += x * mul_bar                              r_bar += x * (sub * x_bar)
        x_bar = r * mul_bar - r * x * x_bar               x_bar = (r * sub - r * x) * x_bar
    return x_bar, r_bar                               return x_bar, r_bar

On the left the next trip waits for three operations on x_bar, on the right for one; the others are done ahead, several trips at a time.

A reversed loop is linear in the cotangents that it carries, with coefficients that don't hang on them. Loops of scalars last
as long as the chain of operations from one trip's cotangents to the next one's, and a machine computes the coefficients beside it.
This is local preaccumulation by vertex elimination (Griewank and Walther, Evaluating Derivatives, chapters 9 and 10): a sum that
is linear in the cotangents is put into those that read it. It is done as far as the estimated time of a trip falls.

Only sums and products of derivatives are regrouped, and only those of what the loop carries; what comes out of a choice (a
branch, `where`) is left as it is, since a zero that masks an infinite factor must meet it where the program says so. A unit
coefficient is kept apart from the rest, so that `bar + dt * k * bar` rounds as before. What changes: a product of one trip's
partials that overflows (or vanishes) by itself does so here, also where the cotangent would have brought it back.
"""
from __future__ import annotations

from collections.abc import Iterator

from s2s.records import replace
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
    Node,
    Var,
    kept,
    walk,
    with_blocks,
    with_each_changed,
)
from s2s.transforms.ir.rewrite import Substitution, inline
from s2s.transforms.loops.coefficients import Coefficients, NotSafeError
from s2s.transforms.loops.linear_sums import Sums, Term, Terms, Timing, ordered, terms_of
from s2s.transforms.primitives.arithmetic import add, mul, neg, sub
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.simplify.simplification import only_live
from s2s.tuning import TUNING


def preaccumulated(function: Function) -> Function:
    """The function, and all that it calls, with its reversed loops' chains made short where that is estimated to pay."""
    return with_each_changed(function, lambda each: kept(each, replace(each, body=_block(each.body))))


def _block(block: Block) -> Block:
    if not any(isinstance(node, For) and node.reverse for node in block.inside):
        return block
    return replace(block, nodes=tuple(_node(node) for node in block.nodes))


def _node(node: Node) -> Node:
    inner = with_blocks(node, _block)
    return _shortened(inner) if isinstance(inner, For) and inner.reverse else inner


def _shortened(loop: For) -> For:
    sums = Sums.of(replace(loop, body=_opened(loop.body)))
    if sums is None or not 0 < len(sums.vertices) <= TUNING.chain_operations:
        return loop
    chosen = sums.vertices
    first = best = Timing(sums, chosen).time()
    every = 1 + len(chosen) // TUNING.chain_tries
    for number, terms in enumerate(_eliminations(sums)):
        if number % every == 0 and (time := Timing(sums, terms).time()) < best:
            chosen, best = terms, time
    return replace(loop, body=_written(sums, chosen)) if best < TUNING.chain_gain * first else loop


def _opened(block: Block) -> Block:
    """The block with calls of derivatives that are straight-line functions of scalars written out."""
    nodes: list[Node] = []
    substitution = Substitution(renew=False)
    for node in block.nodes:
        done = substitution.node(node)
        if isinstance(done, Call) and _is_straight(done.function):
            inner, results = inline(done)
            opened = _opened(Block(inner, tuple(results[out] for out in done.outs)))
            nodes += opened.nodes
            substitution.mapping.update(zip(node.outs, opened.results, strict=True))
        else:
            nodes.append(done)
    return Block(tuple(nodes), substitution.atoms(block.results))


def _is_straight(function: Function) -> bool:
    """Whether a derivative is a straight-line function of scalars, so that its sums are the loop's."""
    scalars = all(not atom.type.shape for atom in (*function.params, *function.body.results))
    return function.derived and function.rule is None and scalars and all(isinstance(node, Equation | Call | Check | If) for node in walk(function.body))


def _eliminations(sums: Sums) -> Iterator[dict[Var, Terms]]:
    """The sums after each vertex put into those that read it, cheapest vertex first."""
    terms = sums.vertices
    left = set(terms)
    while True:
        readers: dict[Var, list[Var]] = {}
        for var, each in terms.items():
            for source in each:
                if source in left and sums.is_chained(source, var):
                    readers.setdefault(source, []).append(var)
        if not readers:
            return
        vertex = min(readers, key=lambda var: _order(len(terms[var]), len(readers[var]), sums.position[var]))
        left.discard(vertex)
        try:
            terms = {**terms, **{var: _put_in(sums.coefficients, terms[var], vertex, terms[vertex]) for var in readers[vertex]}}
        except NotSafeError:
            continue
        yield terms


def _order(terms: int, readers: int, position: int) -> tuple[int, int, int]:
    """Which vertex goes first: how many products that makes more (Markowitz); those with few readers, whose terms then meet."""
    return terms * readers - terms - readers, readers, position


def _put_in(coefficients: Coefficients, into: Terms, vertex: Var, definition: Terms) -> Terms:
    """The sum with a vertex's definition in place of it."""
    factor = into[vertex]
    result = {source: coefficient for source, coefficient in into.items() if source is not vertex}
    for source, coefficient in definition.items():
        term = coefficients.product(factor, coefficient)
        result[source] = coefficients.sum(result[source], term) if source in result else term
    return result


def _written(sums: Sums, terms: dict[Var, Terms]) -> Block:
    """The loop's body with these sums."""
    builder = new_builder()
    substitution = Substitution(renew=False)
    timing = Timing(sums, terms)
    for node in sums.loop.body.nodes:
        out = node.outs[0] if node.outs else None
        if out not in terms or terms[out] is sums.vertices[out]:
            builder.add(substitution.node(node))
        elif out in timing.live:
            builder.where = node.where
            _write(sums, timing, out, builder, substitution)
    return only_live(Block(tuple(builder.nodes), substitution.atoms(sums.loop.body.results)))


def _write(sums: Sums, timing: Timing, var: Var, builder: Builder, substitution: Substitution) -> None:
    """Append a sum; its last operation binds `var`, unless there is none."""

    def term(each: Term) -> tuple[int, Atom]:
        if each.source is None:
            assert each.scaled is not None
            return each.sign, sums.coefficients.write(each.scaled, builder)
        source = substitution.atom(each.source)
        if each.scaled is None:
            return each.sign, source
        return each.sign, builder.equation(mul, (sums.coefficients.write(each.scaled, builder), source))[0]

    def join(one: tuple[int, Atom], other: tuple[int, Atom]) -> tuple[int, Atom]:
        if one[0] < 0 < other[0] or one[0] == other[0]:  # the later one in front: `total + term`, as sums are written
            one, other = other, one
        return one[0], builder.equation(add if one[0] == other[0] else sub, (one[1], other[1]))[0]

    each = terms_of(timing.terms[var])
    before = len(builder.nodes)
    sign, total = ordered([timing.key(var, one) for one in each], [term(one) for one in each], join, timing.first(each))
    if sign < 0:
        (total,) = builder.equation(neg, (total,))
    last = builder.nodes[-1] if len(builder.nodes) > before else None
    if isinstance(last, Equation) and last.outs == (total,) and total.type == var.type:
        builder.nodes[-1] = replace(last, outs=(var,))
    else:
        substitution.mapping[var] = total
