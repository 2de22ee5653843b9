"""Simplification that changes no number: dead code, common subexpressions, carries that never change, exact algebra.

    a_bar = neg(t);  s = add(x, a_bar)                       ->   s = sub(x, t)
    b1 = setitem(b, 0.0, i); b2 = additem(b1, v, i)          ->   b2 = setitem(b, v, i)

Only identities that hold for every IEEE number are used (`x + 0` is kept: it turns -0.0 into 0.0).
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace

from s2s.transforms.build import Builder
from s2s.transforms.facts import learn, learn_binding, learn_function
from s2s.transforms.primitives.arithmetic import add, mul, neg, sub
from s2s.transforms.primitives.indexing import At, Full, Span, Take, additem, getitem, setitem
from s2s.transforms.primitives.structural import broadcast, copy, empty
from s2s.transforms.program import (
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
    Var,
    While,
    blocks,
    dims_of,
    operands,
    walk,
)
from s2s.transforms.rewrite import Substitution, bind_params
from s2s.types import SIZE, Literal, atom_dim, literal

_NEW_STORAGE = (empty, copy, broadcast)
"""Never shared: each result is, or is likely to become, an array that is written."""


def simplify(function: Function) -> Function:
    """The function and all that it calls, simplified (to a fixed point, three rounds at most)."""
    return _Program().function(function)


class _Program:
    def __init__(self) -> None:
        self.done: dict[Function, Function] = {}

    def function(self, function: Function) -> Function:
        if function not in self.done:
            current = function
            for _ in range(3):
                current = self.once(current)
            self.done[function] = current
        return self.done[function]

    def once(self, function: Function) -> Function:
        builder = Builder()
        learn_function(builder, function)
        substitution = Substitution(renew=False)
        body = _Local(self, builder, substitution, {}).block(function.body)
        nodes, _ = _live_block(Block(merge_stores(body.nodes, body.results), body.results), set())
        return replace(function, body=Block(nodes, body.results))


# ---- forward: substitute what is known ------------------------------------------------------------------------------


class _Local:
    """One block: `seen` maps an equation's content to the Vars that hold it already."""

    def __init__(self, program: _Program, builder: Builder, substitution: Substitution, seen: dict[Hashable, tuple[Var, ...]]) -> None:
        self.program, self.builder, self.substitution, self.seen = program, builder, substitution, seen
        self.negated: dict[Var, Atom] = {}

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            self.node(node, nodes)
        nodes = list(merge_stores(tuple(nodes), self.substitution.atoms(block.results)))
        return Block(tuple(nodes), self.substitution.atoms(block.results))

    def inside(self, node: Node) -> _Local:
        builder = self.builder.inside()
        learn_binding(builder, node)
        inner = _Local(self.program, builder, self.substitution, dict(self.seen))
        inner.negated = dict(self.negated)
        return inner

    def node(self, node: Node, nodes: list[Node]) -> None:
        match node:
            case Equation():
                self.equation(self.substitution.node(node), nodes)  # type: ignore[arg-type]
                return
            case Check():
                done = self.substitution.node(node)
                if isinstance(done, Check) and isinstance(done.test, Literal) and done.test.value:
                    return
            case Call():
                done = self.substitution.node(node)
                assert isinstance(done, Call)
                done = self.called(done, self.program.function(done.function))
            case If():
                if isinstance(test := self.substitution.atom(node.test), Literal):
                    self.chosen(node, node.then if test.value else node.orelse, nodes)
                    return
                done = self.branches(node)
            case For() | While():
                done = self.loop(node)
            case Map():
                done = replace(node, size=self.substitution.atom(node.size), body=self.inside(node).block(node.body))
        nodes.append(done)
        learn(self.builder, done)

    def called(self, node: Call, function: Function) -> Call:
        """A call of the simplified function: where two of its results have become one, so do the outs, in types too."""
        mapping = bind_params(function, node.ins)
        first: dict[Atom, Var] = {}
        outs = []
        for out, result in zip(node.outs, function.body.results, strict=True):
            type_ = replace(Substitution({**mapping, **first}).type(result.type), weak=out.type.weak)  # type: ignore[dict-item]
            new = out if type_ == out.type else Var(out.name, type_)
            if isinstance(result, Var):
                first.setdefault(result, new)
            if first.get(result, out) is not out:
                self.substitution.mapping[out] = first[result]
            outs.append(new)
        return Call(tuple(outs), function, node.ins, node.where)

    def chosen(self, node: If, block: Block, nodes: list[Node]) -> None:
        for inner in block.nodes:
            self.node(inner, nodes)
        self.substitution.mapping.update(zip(node.outs, self.substitution.atoms(block.results), strict=True))

    def branches(self, node: If) -> If:
        then, orelse = self.inside(node).block(node.then), self.inside(node).block(node.orelse)
        keep = []
        for number, out in enumerate(node.outs):
            first, second = then.results[number], orelse.results[number]
            if first == second and _same_literal(first, second):
                self.substitution.mapping[out] = first
            else:
                keep.append(number)
        outs = self.substitution.bind_all(tuple(node.outs[k] for k in keep))
        return If(outs, self.substitution.atom(node.test), _only(then, keep), _only(orelse, keep), node.where)

    def loop(self, node: For | While) -> For | While:
        keep = [k for k, (carry, result) in enumerate(zip(node.carry, node.body.results, strict=True)) if carry is not result]
        for k in range(len(node.carry)):
            if k not in keep:
                self.substitution.mapping[node.carry[k]] = self.substitution.mapping[node.outs[k]] = self.substitution.atom(node.init[k])
        init = self.substitution.atoms(tuple(node.init[k] for k in keep))
        carry = tuple(node.carry[k] for k in keep)
        if isinstance(node, For):
            lo, hi, step = self.substitution.atoms((node.lo, node.hi, node.step))
            node = replace(node, lo=lo, hi=hi, step=step)
        carry = self.substitution.bind_all(carry)
        body = _only(self.inside(node).block(node.body), keep)
        kept_outs = tuple(node.outs[k] for k in keep)
        if isinstance(node, For):
            return For(self.substitution.bind_all(kept_outs), node.index, node.lo, node.hi, node.step, carry, init, body, node.where)
        test = self.inside(node).block(node.test)
        return While(self.substitution.bind_all(kept_outs), carry, init, test, body, node.where)

    def equation(self, node: Equation, nodes: list[Node]) -> None:
        node = self.algebra(node)
        if (known := self.known(node)) is not None:
            self.substitution.mapping.update(zip(node.outs, known, strict=True))
            for old, new in self.substitution.mapping.items():  # what stood for the removed out stands for the kept one now
                if new in node.outs:
                    self.substitution.mapping[old] = known[node.outs.index(new)]  # type: ignore[arg-type]
            return
        if node.primitive is neg:
            self.negated[node.outs[0]] = node.ins[0]
        if node.primitive not in _NEW_STORAGE:
            self.seen[_content(node)] = node.outs
        nodes.append(node)
        learn(self.builder, node)
        if node.outs[0].type == SIZE and len(node.outs) == 1:
            self.seen.setdefault(("integer", self.builder.form(node.outs[0])), node.outs)

    def known(self, node: Equation) -> tuple[Atom, ...] | None:
        """Atoms that equal the outs already."""
        if node.primitive in (add, sub, mul) and node.outs[0].type.strong() == SIZE:
            form = _integer_form(self.builder, node)
            if form is not None and not form.terms:
                return (literal(form.constant, SIZE.dtype),)
            if form is not None and len(form.terms) == 1 and form.constant == 0 and next(iter(form.terms))[1] == 1:
                return (next(iter(form.terms))[0],)
            if form is not None and ("integer", form) in self.seen:
                return self.seen["integer", form]
        if node.primitive is mul and node.outs[0].type.dtype.kind in "fi":
            for one, other in (node.ins, node.ins[::-1]):
                if isinstance(one, Literal) and one.value == 1:
                    return (other,)
        if node.primitive is neg and isinstance(node.ins[0], Var) and node.ins[0] in self.negated:
            return (self.negated[node.ins[0]],)
        return self.seen.get(_content(node)) if node.primitive not in _NEW_STORAGE else None

    def algebra(self, node: Equation) -> Equation:
        """Signs drawn out of sums and products with a literal; spans that are whole axes."""
        if node.primitive in (getitem, setitem, additem):
            return _whole_axes(node)
        first, second = (node.ins[0], node.ins[1]) if len(node.ins) == 2 else (None, None)
        if node.primitive in (add, sub) and isinstance(second, Var) and second in self.negated:
            return replace(node, primitive=sub if node.primitive is add else add, ins=(first, self.negated[second]))
        if node.primitive is add and isinstance(first, Var) and first in self.negated:
            return replace(node, primitive=sub, ins=(second, self.negated[first]))
        if node.primitive is mul and node.outs[0].type.dtype.kind == "f":
            for number, (one, other) in enumerate(((first, second), (second, first))):
                if isinstance(one, Literal) and isinstance(other, Var) and other in self.negated:
                    flipped = literal(-one.value, one.type.dtype)  # type: ignore[operator]
                    ins = (flipped, self.negated[other])
                    return replace(node, ins=ins if number == 0 else ins[::-1])
        return node


def _whole_axes(node: Equation) -> Equation:
    """x[0:n] of an axis of length n is x[:]."""
    rest, items, operands = list(node.ins[1 if node.primitive is getitem else 2:]), [], []
    for axis, item in enumerate(node.params["index"]):
        taken = [rest.pop(0) for _ in range({At: 1, Span: 2, Full: 0, Take: 1}[type(item)])]
        length = node.ins[0].type.shape[axis]
        whole = item == Span(1) and isinstance(taken[0], Literal) and taken[0].value == 0 and atom_dim(taken[1]) == length
        items.append(Full() if whole else item)
        operands += [] if whole else taken
    fixed = node.ins[:1 if node.primitive is getitem else 2]
    return replace(node, ins=(*fixed, *operands), params={"index": tuple(items)})


def _integer_form(builder: Builder, node: Equation):  # type: ignore[no-untyped-def]
    a, b = (builder.form(atom) for atom in node.ins)
    if node.primitive is add:
        return a + b
    if node.primitive is sub:
        return a - b
    if not a.terms:
        return b * a.constant
    return a * b.constant if not b.terms else None


def _same_literal(a: Atom, b: Atom) -> bool:
    return not isinstance(a, Literal) or not isinstance(b, Literal) or repr(a.value) == repr(b.value)


def _only(block: Block, keep: list[int]) -> Block:
    return Block(block.nodes, tuple(block.results[k] for k in keep))


def _content(node: Equation) -> Hashable:
    ins = tuple((atom.type.dtype, repr(atom.value)) if isinstance(atom, Literal) else atom for atom in node.ins)
    return node.primitive, ins, tuple(sorted(node.params.items()))


# ---- stores ---------------------------------------------------------------------------------------------------------


def merge_stores(nodes: tuple[Node, ...], results: tuple[Atom, ...]) -> tuple[Node, ...]:
    """A store of zeros that later receives its one addition at the same index becomes a store of that value; additions at
    provably other positions in between don't matter.
    """
    uses = Counter(atom for node in nodes for atom in (*operands(node), *(atom for block in blocks(node) for atom in _reads(block))))
    uses.update(results)
    builder = Builder()
    made: dict[Var, Equation] = {}
    for node in nodes:
        learn(builder, node)
        if isinstance(node, Equation):
            made.update((out, node) for out in node.outs)
    replaced: dict[Node, Node] = {}
    substitution: dict[Var, Atom] = {}
    for node in nodes:
        if isinstance(node, Equation) and node.primitive is additem:
            cleared = _cleared_before(node, made, uses, builder)
            if cleared is not None and cleared not in replaced:
                replaced[node] = replace(node, primitive=setitem)
                replaced[cleared] = cleared
                substitution[cleared.outs[0]] = cleared.ins[0]
    if not substitution:
        return nodes
    mapping = Substitution(dict(substitution), renew=False)
    return tuple(mapping.node(replaced.get(node, node)) for node in nodes if replaced.get(node) is not node)


def _reads(block: Block) -> list[Atom]:
    inner = [atom for node in walk(block) for atom in (*operands(node), *(atom for b in blocks(node) for atom in b.results))]
    return [*inner, *block.results]


def _cleared_before(node: Equation, made: dict[Var, Equation], uses: Counter[Atom], builder: Builder) -> Equation | None:
    here = node.ins[0]
    while isinstance(here, Var) and uses[here] == 1 and (before := made.get(here)) is not None:
        if before.primitive is setitem and before.params == node.params and before.ins[2:] == node.ins[2:]:
            zero = before.ins[1]
            return before if isinstance(zero, Literal) and zero.value == 0 else None
        if before.primitive is not additem or not _apart(before, node, builder):
            return None
        here = before.ins[0]
    return None


def _apart(one: Equation, other: Equation, builder: Builder) -> bool:
    """Whether two stores with scalar positions never touch the same element (and neither wraps differently)."""
    if one.params != other.params or not all(isinstance(item, At) for item in one.params["index"]):
        return False
    for a, b in zip(one.ins[2:], other.ins[2:], strict=True):
        difference = builder.form(a) - builder.form(b)
        if not difference.terms and difference.constant in (-1, 1):
            return True
    return False


# ---- backward: drop what nobody reads -------------------------------------------------------------------------------


def _live_block(block: Block, outside: set[Var]) -> tuple[tuple[Node, ...], set[Var]]:
    """The nodes that matter for the results, and the Vars that they read."""
    live = set(outside)
    _read(block.results, live)
    kept: list[Node] = []
    for node in reversed(block.nodes):
        smaller = _live_node(node, live)
        if smaller is not None:
            kept.append(smaller)
    return tuple(kept[::-1]), live


def _read(atoms: tuple[Atom, ...], live: set[Var]) -> None:
    live.update(atom for atom in atoms if isinstance(atom, Var))
    live.update(dims_of(atoms))


def _has_effect(node: Node) -> bool:
    if isinstance(node, Check):
        return True
    if isinstance(node, Call):
        return any(_has_effect(inner) for inner in node.function.body.nodes)
    return any(_has_effect(inner) for block in blocks(node) for inner in block.nodes)


def _live_node(node: Node, live: set[Var]) -> Node | None:
    wanted = [k for k, out in enumerate(node.outs) if out in live]
    if not wanted and not _has_effect(node):
        return None
    _read(tuple(node.outs[k] for k in wanted), live)
    match node:
        case If():
            then, reads_then = _live_block(_only(node.then, wanted), set())
            orelse, reads_orelse = _live_block(_only(node.orelse, wanted), set())
            live |= reads_then | reads_orelse
            node = replace(
                node, outs=tuple(node.outs[k] for k in wanted),
                then=Block(then, _only(node.then, wanted).results), orelse=Block(orelse, _only(node.orelse, wanted).results),
            )
        case For() | While():
            node = _live_loop(node, wanted, live)
        case Map():
            body, reads = _live_block(_only(node.body, wanted), set())
            live |= reads
            node = replace(node, outs=tuple(node.outs[k] for k in wanted), body=Block(body, _only(node.body, wanted).results))
        case _:
            pass
    _read(operands(node), live)
    return node


def _live_loop(node: For | While, wanted: list[int], live: set[Var]) -> For | While:
    keep = set(wanted)
    while True:
        order = sorted(keep)
        body, reads = _live_block(_only(node.body, order), set())
        _read(tuple(node.carry[k] for k in order), reads)
        test: tuple[Node, ...] = ()
        if isinstance(node, While):
            test, more = _live_block(node.test, set())
            reads |= more
        grown = keep | {k for k, carry in enumerate(node.carry) if carry in reads}
        if grown == keep:
            break
        keep = grown
    live |= reads
    smaller = replace(
        node, outs=tuple(node.outs[k] for k in order), carry=tuple(node.carry[k] for k in order), init=tuple(node.init[k] for k in order),
        body=Block(body, tuple(node.body.results[k] for k in order)),
    )
    for k in order:
        _read((node.outs[k],), live)
    return replace(smaller, test=Block(test, node.test.results)) if isinstance(smaller, While) and isinstance(node, While) else smaller
