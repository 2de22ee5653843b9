"""Simplification that changes no number: dead code, common subexpressions, carries that never change, exact algebra.

    s = x - t                           s = x - t
    return s * sin(s) + sin(s)    ->    sin_1 = sin(s)
                                        return s * sin_1 + sin_1

Only identities that hold for every IEEE number are used (`x + 0` is kept: it turns -0.0 into 0.0).
"""
from __future__ import annotations

from collections.abc import Hashable, Mapping
from weakref import WeakSet

from s2s.records import replace
from s2s.transforms.integers.affine import Affine
from s2s.transforms.ir.build import Builder
from s2s.transforms.ir.facts import learn, learn_binding, learn_function
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
    kept,
    size_params,
)
from s2s.transforms.ir.rewrite import Substitution, bind_params, inline, result_types
from s2s.transforms.primitives import sizes
from s2s.transforms.primitives.arithmetic import add, equal, mul, neg, sub
from s2s.transforms.primitives.index import OPERANDS
from s2s.transforms.primitives.indexing import Full, Span, additem, getitem, setitem
from s2s.transforms.primitives.logic import logical_not
from s2s.transforms.primitives.operators import new_builder
from s2s.transforms.primitives.row import Elementwise
from s2s.transforms.primitives.structural import broadcast, copy, empty
from s2s.transforms.simplify.branching import Branching
from s2s.transforms.simplify.constants import folded, operand_left, turned
from s2s.transforms.simplify.contents import Rounds, content
from s2s.transforms.simplify.dead_code import live_nodes, only
from s2s.transforms.simplify.known_tests import implied
from s2s.transforms.simplify.repeats import Known, call_of_numbers, without_repeats
from s2s.transforms.simplify.stores import added_in_place, merge_stores
from s2s.tuning import TUNING
from s2s.types import SIZE, Literal, atom_dim, dim_atom, is_size, literal

_NEW_STORAGE = (empty, copy, broadcast)
"""Never shared: each result is, or is likely to become, an array that is written."""


_SIMPLE: tuple[WeakSet[Function], WeakSet[Function]] = (WeakSet(), WeakSet())
"""Functions in which another round found nothing to do; a last one."""


def simplify(function: Function, *, last: bool = False) -> Function:
    """The function and all that it calls, simplified (to a fixed point, three rounds at most). `last`: no derivative is taken of it, and
    calls need no longer return the sizes that their results' types name where the caller can compute them.
    """
    return _Program(last).function(function)


def narrowed(function: Function, wanted: tuple[int, ...]) -> tuple[Function, tuple[int, ...]]:
    """The function with just the wanted results, and the numbers of the parameters that it still has."""
    return _Program().narrowed(function, wanted)


def only_live(block: Block) -> Block:
    """The block without what matters neither for its results nor for what it raises; what it calls is narrowed too."""
    return Block(live_nodes(block, _Program().narrowed), block.results)


class _Program:
    def __init__(self, last: bool = False) -> None:
        self.last = last
        self.done: dict[Function, Function] = {}
        self.narrow: dict[tuple[Function, tuple[int, ...]], tuple[Function, tuple[int, ...]]] = {}
        self.alike: dict[Hashable, list[Function]] = {}
        """Narrowed functions that may be the same text."""
        self.of_numbers: dict[tuple[Function, Known], Function] = {}
        self.rounds = Rounds()

    def function(self, function: Function) -> Function:
        if function.rule is not None:
            return function
        if function not in self.done:
            current = function
            simple = _SIMPLE[self.last]
            outer, self.rounds = self.rounds, Rounds()
            for _ in range(3 if function not in simple else 0):
                before, current = current, self.once(current)
                self.rounds = Rounds(self.rounds.now)
                if current is before:
                    simple.add(current)
                    break
            self.rounds = outer
            self.done[function] = current
        return self.done[function]

    def once(self, function: Function) -> Function:
        builder = new_builder()
        learn_function(builder, function)
        substitution = Substitution(renew=False)
        again = bool(self.rounds.before)
        body = _Local(self, builder, substitution, {}, free=function.derived).block(function.body)
        if again and body is function.body:  # nothing is dead in what was swept before
            return function
        return kept(function, replace(function, body=kept(body, Block(live_nodes(body, self.narrowed), body.results))))

    def narrowed(self, function: Function, wanted: tuple[int, ...]) -> tuple[Function, tuple[int, ...]]:
        """The function with just the wanted results, and the numbers of the parameters that it still reads. Functions that
        have become the same text are one function.
        """
        key = (function, wanted)
        if key not in self.narrow:
            body = only(function.body, list(wanted))
            body = kept(body, Block(live_nodes(body, self.narrowed), body.results))
            reads = free_vars(body)
            named = {dim for param in function.params if param in reads for dim in param.type.shape}
            params = [number for number, param in enumerate(function.params) if param in reads or param in named]
            for size, (number, _) in size_params(function).items():
                bound = any(size in function.params[k].type.shape for k in params)
                if size in reads and not bound:
                    params.append(number)
            params.sort()
            smaller = kept(function, replace(function, params=tuple(function.params[k] for k in params), body=body))
            self.narrow[key] = (self.unified(smaller), tuple(params))
        return self.narrow[key]

    def unified(self, function: Function) -> Function:
        """The first one of the same text; texts are only written where two have as much in common."""
        alike = self.alike.setdefault((function.name, function.where, len(function.params), len(function.body.nodes), len(function.body.results)), [])
        if any(other is function for other in alike):
            return function
        text = str(function) if alike else ""
        same = next((other for other in alike if str(other) == text), function)
        if same is function:
            alike.append(function)
        return same


# ---- forward: substitute what is known ------------------------------------------------------------------------------


class _Local(Branching):
    """One block: `seen` maps an equation's content to the Vars that hold it already. `free`: the order of sums is ours to choose."""

    def __init__(self, program: _Program, builder: Builder, substitution: Substitution, seen: dict[Hashable, tuple[Var, ...]], *, free: bool) -> None:
        super().__init__(builder, substitution, seen)
        self.program, self.free = program, free
        self.negated: dict[Var, Atom] = {}
        self.counters: dict[Var, Var] = {}
        """Vars that stand for a carry that counts: if one is found to be known, so is the carry."""

    def block(self, block: Block) -> Block:
        nodes: list[Node] = []
        for node in block.nodes:
            self.node(node, nodes)
        nodes = list(merge_stores(tuple(nodes), self.substitution.atoms(block.results), self.builder))
        return kept(block, Block(tuple(nodes), self.substitution.atoms(block.results)))

    def inside(self, node: Node) -> _Local:
        builder = self.builder.inside()
        learn_binding(builder, node)
        inner = _Local(self.program, builder, self.substitution, dict(self.seen), free=self.free)
        inner.negated, inner.made, inner.tests, inner.counters = dict(self.negated), dict(self.made), dict(self.tests), self.counters
        inner.choices, inner.picked = self.choices, self.picked
        return inner

    def within(self, node: Node, block: Block, tests: dict[Var, bool]) -> Block:
        inner = self.inside(node)
        inner.tests.update(tests)
        return inner.block(block)

    def node(self, node: Node, nodes: list[Node]) -> None:
        match node:
            case Equation():
                self.equation(node, nodes)
                return
            case Check():
                done = self.substitution.node(node)
                assert isinstance(done, Check)
                if self.outcome(done.test):
                    return
                if not done.late:  # a late one may be raised behind what follows it
                    self.tests.update(implied(done.test, self.made, holds=True))
            case Print():
                done = self.substitution.node(node)
            case Call():
                done = self.substitution.node(node)
                assert isinstance(done, Call)
                if self.free:
                    done = call_of_numbers(done, self.made, self.program.of_numbers)
                given = done.outs
                done = self.called(done, self.program.function(done.function), nodes)
                mapping = self.substitution.mapping  # an out may be another one twice: by what its caller knows of its type, and by what the function does
                mapping.update((old, mapping[out]) for old, out in zip(node.outs, given, strict=True) if out in mapping)
                if _is_small(done):
                    self.opened(node, done, nodes)
                    return
            case If():
                if (holds := self.outcome(self.substitution.atom(node.test))) is not None:
                    self.chosen(node, node.then if holds else node.orelse, nodes)
                    return
                done = self.branches(node, nodes)
            case For() | While():
                done = self.loop(node)
            case Map():
                size, body = self.substitution.atom(node.size), self.inside(node).block(node.body)
                done = kept(node, Map(self.substitution.bind_all(node.outs), node.index, size, body, node.where))
        nodes.append(done)
        learn(self.builder, done)

    def called(self, node: Call, function: Function, nodes: list[Node]) -> Call:
        """A call of the simplified function: where two of its results have become one, so do the outs, in types too."""
        mapping = bind_params(function.params, node.ins)
        if self.program.last and function.rule is None:
            mapping.update(self.sizes_told(function, mapping, nodes))
        results = frozenset(function.body.results)
        for out, result in zip(node.outs, function.body.results, strict=True):
            for now, dim in zip(out.type.shape, result.type.shape, strict=True):
                if isinstance(dim, Var) and dim not in results:  # a size that is not returned: the caller has one of its own
                    mapping.setdefault(dim, dim_atom(now))
        first: dict[Atom, Var] = {}
        known = Substitution(mapping)
        outs = []
        for out, result in zip(node.outs, function.body.results, strict=True):
            if isinstance(result, Var) and result in mapping and is_size(result.type):  # a size that the caller has a name for
                self.substitution.mapping[out] = mapping[result]
                outs.append(out)
                continue
            if isinstance(result, Literal) and is_size(out.type):  # a size that is known by now: types may name it
                self.substitution.mapping[out] = replace(result, type=out.type)
                outs.append(out)
                continue
            type_ = replace(known.type(result.type), weak=out.type.weak)
            new = out if type_ == out.type else Var(out.name, type_)
            if isinstance(result, Var):
                first.setdefault(result, new)
                known.mapping.setdefault(result, new)
            if first.get(result, out) is not out:
                self.substitution.mapping[out] = first[result]
            outs.append(new)
        return kept(node, Call(tuple(outs), function, node.ins, node.where))

    def sizes_told(self, function: Function, known: Mapping[Var, Atom], nodes: list[Node]) -> dict[Var, Atom]:
        """Results that are sizes computed of the parameters' sizes: the caller computes them of its own, and its types name those."""
        wanted = {result for result in function.body.results if isinstance(result, Var) and is_size(result.type) and result not in known}
        if not any(dim in wanted for result in function.body.results for dim in result.type.shape):
            return {}
        made = {each.outs[0]: each for each in function.body.nodes if isinstance(each, Equation) and each.primitive in sizes.ARITHMETIC and is_size(each.outs[0].type)}
        dims = {var: atom_dim(atom) for var, atom in known.items() if is_size(var.type) and is_size(atom.type)}
        told: dict[Var, Atom] = {}
        for size in dict.fromkeys(result for result in function.body.results if result in wanted):
            inner = self.builder.inside()
            found = sizes.arithmetic(inner, size, made, dims)
            if found is not None:
                for each in inner.nodes:
                    self.node(each, nodes)
                told[size] = self.substitution.atom(found)
        return told

    def opened(self, node: Call, call: Call, nodes: list[Node]) -> None:
        """The body of a small helper in place of its call, so that its arrays need not be written out."""
        inner, results = inline(call)
        self.program.rounds.differ()
        for each in inner:
            self.node(each, nodes)
        for out, old in zip(call.outs, node.outs, strict=True):
            self.substitution.mapping[old] = self.substitution.mapping[out] = self.substitution.atom(results[out])

    def chosen(self, node: If, block: Block, nodes: list[Node]) -> None:
        self.program.rounds.differ()
        for inner in block.nodes:
            self.node(inner, nodes)
        self.substitution.mapping.update(zip(node.outs, self.substitution.atoms(block.results), strict=True))

    def loop(self, original: For | While) -> For | While:
        node = original
        keep = [k for k, (carry, result) in enumerate(zip(node.carry, node.body.results, strict=True)) if carry is not result]
        for k in range(len(node.carry)):
            if k not in keep:
                self.substitution.mapping[node.carry[k]] = self.substitution.mapping[node.outs[k]] = self.substitution.atom(node.init[k])
        if isinstance(node, For):
            lo, hi, step = self.substitution.atoms((node.lo, node.hi, node.step))
            node = replace(node, lo=lo, hi=hi, step=step)
        made = {out: inner for inner in node.body.nodes if isinstance(inner, Equation) for out in inner.outs} if any(is_size(each.type) for each in node.carry) else {}
        self.same_counters(node, keep, made)
        keep = [k for k in keep if node.carry[k] not in self.substitution.mapping]
        init = self.substitution.atoms(tuple(node.init[k] for k in keep))
        carry = self.substitution.bind_all(tuple(node.carry[k] for k in keep))
        counted = self.counted_by_index(node, keep, made) if isinstance(node, For) else []
        body = only(self.inside(node).block(kept(node.body, replace(node.body, nodes=(*counted, *node.body.nodes)))), keep)
        kept_outs = tuple(node.outs[k] for k in keep)
        if isinstance(node, For):
            return kept(original, For(self.substitution.bind_all(kept_outs), node.index, node.lo, node.hi, node.step, carry, init, body, node.where, node.reverse))
        test = self.inside(node).block(node.test)
        return kept(original, While(self.substitution.bind_all(kept_outs), carry, init, test, body, node.where))

    def counted_by_index(self, node: For, keep: list[int], made: Mapping[Var, Equation]) -> list[Node]:
        """Carries that count as the index does are the index plus a number; returns the equations that say so. `made`: what the body computes."""
        found: list[Node] = []
        for k in keep:
            step = made.get(node.body.results[k])  # type: ignore[arg-type]
            if step is None or step.primitive not in (add, sub) or step.ins[0] is not node.carry[k] or not isinstance(step.ins[1], Literal):
                continue
            change = step.ins[1].value if step.primitive is add else -step.ins[1].value
            start = self.builder.form(self.substitution.atom(node.init[k])) if is_size(node.carry[k].type) else None
            if start is None or not isinstance(node.step, Literal) or change != node.step.value:
                continue
            ahead = start - self.builder.form(node.lo)
            if not ahead.terms:
                count = Var(node.carry[k].name, node.carry[k].type)
                found.append(Equation((count,), add, (node.index, literal(ahead.constant, SIZE.dtype)), {}, node.where))
                self.substitution.mapping[node.carry[k]] = count
                self.counters[count] = node.carry[k]
        return found

    def same_counters(self, node: For | While, keep: list[int], made: Mapping[Var, Equation]) -> None:
        """Carries that start at the same number and grow by the same number are one. `made`: what the body computes."""
        counters: dict[Hashable, int] = {}
        for k in keep:
            step, start = made.get(node.body.results[k]), self.substitution.atom(node.init[k])  # type: ignore[arg-type]
            if step is None or step.primitive is not add or not isinstance(start, Literal) or not is_size(step.outs[0].type):
                continue
            if step.ins[0] is node.carry[k] and isinstance(step.ins[1], Literal):
                first = counters.setdefault((start.value, step.ins[1].value), k)
                if first != k:
                    self.substitution.mapping[node.carry[k]] = node.carry[first]
                    self.substitution.mapping[node.outs[k]] = node.outs[first]

    def equation(self, original: Equation, nodes: list[Node]) -> None:
        copied = self.substitution.node(original)
        assert isinstance(copied, Equation)
        rounds = self.program.rounds
        if copied is original and original in rounds.before:
            self.stays(original, rounds.before[original], nodes)
            return
        rounds.differ()
        if self.free and len(parts := without_repeats(copied, self.made)) > 1:
            for part in parts[:-1]:
                self.equation(part, nodes)
            copied = replace(parts[-1], ins=self.substitution.atoms(parts[-1].ins))
        *before, node = added_in_place(self.algebra(turned(copied, self.made) if self.free else copied), self.made)
        for change in before:
            self.equation(change, nodes)
            node = replace(node, ins=self.substitution.atoms(node.ins))
        value = folded(node, self.made)
        if isinstance(value, Equation):
            node = value
        key = self.key(node) if node.primitive not in _NEW_STORAGE else None
        if (known := (value,) if isinstance(value, Literal) else self.known(node, key)) is not None:
            for outs in (original.outs, node.outs):
                self.substitution.mapping.update(zip(outs, known, strict=True))
            if (carry := self.counters.get(original.outs[0])) is not None:
                self.substitution.mapping[carry] = known[0]
            return
        self.stays(node, key, nodes)

    def key(self, node: Equation) -> Hashable:
        """What the node computes; a number that may be returned is Python's own or NumPy's, too (`x ** 2` and `np.square(x)` of a float)."""
        weak = () if self.free else tuple(out.type.weak for out in node.outs)
        return (content(node, self.made), *weak) if any(weak) else content(node, self.made)

    def stays(self, node: Equation, key: Hashable, nodes: list[Node]) -> None:
        """An equation that nothing is known to equal; `key`: its content, where others may share its results."""
        self.program.rounds.now[node] = key
        for out in node.outs:
            self.made[out] = node
        if node.primitive is neg:
            self.negated[node.outs[0]] = node.ins[0]
        if key is not None:
            self.seen[key] = node.outs
        nodes.append(node)
        learn(self.builder, node)
        if len(node.outs) == 1 and is_size(node.outs[0].type):
            self.seen.setdefault(("integer", self.builder.form(node.outs[0])), node.outs)

    def known(self, node: Equation, key: Hashable) -> tuple[Atom, ...] | None:
        """Atoms that equal the outs already; `key`: the content, where results are shared."""
        if node.primitive is getitem and node.outs[0].type == node.ins[0].type and all(isinstance(item, Full) for item in node.params["index"]):
            return node.ins[:1]
        if node.primitive in (add, sub, mul) and is_size(node.outs[0].type):
            form = _integer_form(self.builder, node)
            if form is not None and not form.terms:
                return (literal(form.constant, SIZE.dtype),)
            if form is not None and len(form.terms) == 1 and form.constant == 0 and next(iter(form.terms))[1] == 1:
                return (next(iter(form.terms))[0],)
            if form is not None and ("integer", form) in self.seen:
                return self.seen["integer", form]
        if (left := operand_left(node, self.made, derived=self.free)) is not None:
            return (left,)
        if node.primitive is neg and isinstance(node.ins[0], Var) and node.ins[0] in self.negated:
            return (self.negated[node.ins[0]],)
        if node.primitive is logical_not and (inner := self.made.get(node.ins[0])) is not None and inner.primitive is logical_not and inner.ins[0].type == node.outs[0].type:  # type: ignore[arg-type]
            return inner.ins[:1]
        if node.primitive is equal and (test := self.branch_taken(node)) is not None and (self.free or test.type.weak == node.outs[0].type.weak):
            return (test,)
        return self.seen.get(key) if key is not None else None

    def branch_taken(self, node: Equation) -> Atom | None:
        """The test that a comparison of the number of a branch asks for again."""
        choice, asked = self.choices.get(node.ins[0]), node.ins[1]  # type: ignore[arg-type]
        if choice is None or not isinstance(asked, Literal):
            return None
        test, *numbers = choice
        return test if [bool(number.value == asked.value) for number in numbers] == [True, False] else None

    def algebra(self, node: Equation) -> Equation:
        """Signs drawn out of sums and products with a literal; spans that are whole axes."""
        if node.primitive in (getitem, setitem, additem):
            return _whole_axes(node)
        if len(node.ins) != 2:
            return node
        first, second = node.ins
        if node.primitive in (add, sub) and isinstance(second, Var) and second in self.negated:
            return replace(node, primitive=sub if node.primitive is add else add, ins=(first, self.negated[second]))
        if node.primitive is add and isinstance(first, Var) and first in self.negated:
            return replace(node, primitive=sub, ins=(second, self.negated[first]))
        if node.primitive is mul and node.outs[0].type.dtype.kind == "f":
            for one, other in (node.ins, node.ins[::-1]):
                if isinstance(one, Literal) and isinstance(other, Var) and other in self.negated:
                    flipped = literal(-one.value, one.type.dtype)
                    return replace(node, ins=(flipped, self.negated[other]) if one is first else (self.negated[other], flipped))
        return node



def _is_small(call: Call) -> bool:
    """Whether a call is of a helper that only computes arrays element by element: in a loop with what is around it, it needs no storage."""
    function = call.function
    if function.rule is not None or not 0 < len(function.body.nodes) <= TUNING.helper_in_place or not any(atom.type.shape for atom in call.ins):
        return False
    simple = all(isinstance(node, Equation) and (isinstance(node.primitive.emission, Elementwise) or node.primitive is broadcast) for node in function.body.nodes)
    return simple and all(out.type == type_ for out, type_ in zip(call.outs, result_types(function, call.ins, call.outs), strict=True))


def _whole_axes(node: Equation) -> Equation:
    """x[0:n] of an axis of length n is x[:]."""
    if not any(isinstance(item, Span) for item in node.params["index"]):
        return node
    rest, items, operands = list(node.ins[1 if node.primitive is getitem else 2:]), [], []
    for axis, item in enumerate(node.params["index"]):
        taken = [rest.pop(0) for _ in range(OPERANDS[type(item)])]
        length = node.ins[0].type.shape[axis]
        whole = item == Span(1) and isinstance(taken[0], Literal) and taken[0].value == 0 and atom_dim(taken[1]) == length
        items.append(Full() if whole else item)
        operands += [] if whole else taken
    if tuple(items) == node.params["index"]:
        return node
    fixed = node.ins[:1 if node.primitive is getitem else 2]
    return replace(node, ins=(*fixed, *operands), params={"index": tuple(items)})


def _integer_form(builder: Builder, node: Equation) -> Affine | None:
    a, b = (builder.form(atom) for atom in node.ins)
    if node.primitive is add:
        return a + b
    if node.primitive is sub:
        return a - b
    if not a.terms:
        return b * a.constant
    return a * b.constant if not b.terms else None
