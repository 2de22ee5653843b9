"""The linear sums of a reversed loop, and how long a trip lasts: what `preaccumulate` works on.

    sub_bar = dt * x_bar
    x_bar_1 = x_bar + k * sub_bar       {x_bar: 1, sub_bar: k}
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from s2s.records import dataclass
from s2s.transforms.ir.program import Atom, Call, Equation, For, Map, Node, Var, While, free_vars, operands, walk
from s2s.transforms.loops.coefficients import Coefficient, Coefficients, NotSafeError, Scaled
from s2s.transforms.primitives.arithmetic import add, div, mul, neg, select, sub
from s2s.transforms.primitives.indexing import additem, getitem, setitem
from s2s.transforms.primitives.row import Cost
from s2s.tuning import TUNING

Terms = dict[Var | None, Coefficient]
"""A sum: each value's coefficient; None: what does not hang on the carried cotangents."""
_Late = dict[int, float]
"""How long after each carried cotangent a value is there, for those that it hangs on."""
_T = TypeVar("_T")

_MANY = 24
"""Carried cotangents above which a loop is left alone."""


@dataclass
class Sums:
    """The linear sums in a loop's body. `reads`: its nodes, with their first out and what they read; `sources`: the carried
    cotangents; `vertices`: the sums, in order.

    Sets of sources are bits. `hang`: for each Var the sources that it hangs on; `group`: for each source those that hang on it and it
    on them, from trip to trip; `chain`: for each Var between two of a group, that group.
    """

    loop: For
    reads: tuple[tuple[Node, Var | None, set[Atom]], ...]
    sources: list[Var]
    vertices: dict[Var, Terms]
    coefficients: Coefficients
    position: dict[Var, int]
    hang: dict[Var, int]
    chain: dict[Var, int]
    group: dict[int, int]

    @staticmethod
    def of(loop: For) -> Sums | None:
        """The sums, if the loop is one of scalars with cotangents that each trip waits for."""
        if any(isinstance(node, For | While | Map) for node in walk(loop.body)):
            return None
        carried = [carry for carry in loop.carry if not carry.type.shape and carry.type.dtype.kind == "f"]
        if not 0 < len(carried) <= _MANY or len({carry.type.dtype for carry in carried}) > 1:
            return None
        hang = _hang(loop, carried)
        group = _groups(loop, carried, hang)
        if not group:
            return None
        sources = [carry for number, carry in enumerate(carried) if number in group]
        if len(sources) < len(carried):  # the others are no cotangents: primal values that the loop puts back
            hang = _hang(loop, sources)
            group = _groups(loop, sources, hang)
        position = {out: number for number, node in enumerate(loop.body.nodes) for out in node.outs}
        reads = tuple((node, node.outs[0] if node.outs else None, _reads(node)) for node in loop.body.nodes)
        sums = Sums(loop, reads, sources, {}, Coefficients(carried[0].type.dtype, _varying(loop)), position, hang, _chain(loop, sources, hang, group), group)
        sums._find()
        return sums

    def _find(self) -> None:
        for node in self.loop.body.nodes:
            if isinstance(node, Equation) and self.hang.get(node.outs[0]) and self._is_linear(node):
                try:
                    self.vertices[node.outs[0]] = self._terms(node)
                except NotSafeError:
                    continue

    def _is_linear(self, node: Equation) -> bool:
        dtype = self.coefficients.dtype
        if node.primitive not in (add, sub, mul, neg, div) or any(atom.type.shape or atom.type.dtype != dtype for atom in (*node.ins, *node.outs)):
            return False
        hanging = [self._hangs(atom) for atom in node.ins]
        if any(on and atom not in self.vertices and atom not in self.sources for on, atom in zip(hanging, node.ins, strict=True)):
            return False
        return hanging in ([True, False], [False, True]) if node.primitive is mul else hanging == [True, False] if node.primitive is div else True

    def _terms(self, node: Equation) -> Terms:
        one, other = node.ins[0], node.ins[-1]
        if node.primitive in (mul, div):
            linear, factor = (one, other) if self._hangs(one) else (other, one)
            assert isinstance(linear, Var)
            return {linear: Coefficient(0, self.coefficients.of(factor) if node.primitive is mul else self.coefficients.over(factor))}
        if node.primitive is neg:
            return self._signed(one, -1)
        terms = self._signed(one, 1)
        for source, term in self._signed(other, 1 if node.primitive is add else -1).items():
            terms[source] = self.coefficients.sum(terms[source], term) if source in terms else term
        return terms

    def _signed(self, atom: Atom, sign: int) -> Terms:
        if isinstance(atom, Var) and self._hangs(atom):
            return {atom: Coefficient(sign)}
        value = self.coefficients.of(atom)
        return {None: Coefficient(0, Scaled(sign * value.number, value.part))}

    def _hangs(self, atom: Atom) -> bool:
        """Whether a value hangs on a carried cotangent."""
        return isinstance(atom, Var) and bool(self.hang.get(atom))

    def is_chained(self, var: Var, reader: Var) -> bool:
        """Whether two values lie on a chain from one trip to the next."""
        return var in self.chain and self.chain[var] == self.chain.get(reader)


# ---- what hangs on what ---------------------------------------------------------------------------------------------------


def _reads(node: Node) -> set[Atom]:
    return {*operands(node), *(var for block in node.blocks for var in free_vars(block))}


def _hang(loop: For, sources: list[Var]) -> dict[Var, int]:
    hang = {source: 1 << number for number, source in enumerate(sources)}
    for node in loop.body.nodes:
        bits = 0
        for atom in _reads(node):
            bits |= hang.get(atom, 0)  # type: ignore[arg-type]
        hang.update((out, bits) for out in node.outs)
    return hang


def _varying(loop: For) -> set[Atom]:
    """The values that are not the same in each trip."""
    varying: set[Atom] = {loop.index, *loop.carry}
    for node in loop.body.nodes:
        if not varying.isdisjoint(_reads(node)):
            varying.update(node.outs)
    return varying


def _results(loop: For, sources: list[Var]) -> list[Atom]:
    """The sources' next values."""
    after = dict(zip(loop.carry, loop.body.results, strict=True))
    return [after[source] for source in sources]


def _groups(loop: For, sources: list[Var], hang: dict[Var, int]) -> dict[int, int]:
    """The sources that hang on themselves, each with those that it and they hang on."""
    reach = [hang.get(result, 0) if isinstance(result, Var) else 0 for result in _results(loop, sources)]
    for middle in range(len(reach)):
        reach = [bits | reach[middle] if bits >> middle & 1 else bits for bits in reach]
    return {
        one: sum(1 << other for other in range(len(reach)) if reach[one] >> other & 1 and reach[other] >> one & 1)
        for one in range(len(reach)) if reach[one] >> one & 1
    }


def _chain(loop: For, sources: list[Var], hang: dict[Var, int], group: dict[int, int]) -> dict[Var, int]:
    lead: dict[Atom, int] = {}
    for number, result in enumerate(_results(loop, sources)):
        lead[result] = lead.get(result, 0) | 1 << number
    for node in reversed(loop.body.nodes):
        bits = 0
        for out in node.outs:
            bits |= lead.get(out, 0)
        for atom in _reads(node):
            lead[atom] = lead.get(atom, 0) | bits
    groups = set(group.values())
    between = {var: next((each for each in groups if bits & each and lead.get(var, 0) & each), 0) for var, bits in hang.items()}
    return {var: each for var, each in between.items() if each}


# ---- how long a trip lasts --------------------------------------------------------------------------------------------------


@dataclass
class Term:
    """One term of a sum as it is added: sign * scaled * source; without `scaled`, or without `source`, the other alone."""

    sign: int
    source: Var | None
    scaled: Scaled | None


def terms_of(terms: Terms) -> list[Term]:
    """The terms that are added: a unit and a rest are two."""
    found = []
    for source, coefficient in terms.items():
        if coefficient.unit:
            found.append(Term(coefficient.unit, source, None))
        if coefficient.rest is not None:
            found.append(Term(1 if coefficient.rest.number > 0 else -1, source, Scaled(abs(coefficient.rest.number), coefficient.rest.part)))
    return found


def ordered(late: list[float], items: list[_T], join: Callable[[_T, _T], _T], first: tuple[int, int] | None) -> _T:
    """The items joined two by two, those that are there first before the others; but before all the two named."""
    queue = sorted(zip(late, range(len(items)), items, strict=True), key=lambda each: each[:2])
    if first is not None:
        queue = [each for each in queue if each[1] not in first]
        queue = sorted([(max(late[k] for k in first) + TUNING.latency, first[0], join(*(items[k] for k in first))), *queue], key=lambda each: each[:2])
    while len(queue) > 1:
        (_, _, one), (when, number, other), *queue = queue
        queue = sorted([(when + TUNING.latency, number, join(one, other)), *queue], key=lambda each: each[:2])
    return queue[0][2]


class Timing:
    """When each value of a body is there, with these sums in it."""

    def __init__(self, sums: Sums, terms: dict[Var, Terms]) -> None:
        self.sums, self.terms = sums, terms
        self.late: dict[Atom, _Late] = {source: {number: 0.0} for number, source in enumerate(sums.sources)}
        self.live = self._live()
        self.operations = 0.0
        self.wanted: list[Scaled] = []
        for node, out, reads in sums.reads:
            if out not in terms:
                self._node(node, reads)
            elif out in self.live:
                self._sum(out)

    def _live(self) -> set[Atom | None]:
        """The sums that are still read (among others)."""
        live: set[Atom | None] = set(self.sums.loop.body.results)
        for _, out, reads in reversed(self.sums.reads):
            if out not in self.terms:
                live |= reads
            elif out in live:
                live.update(self.terms[out])
        return live

    def key(self, var: Var, term: Term) -> float:
        """When a term of a sum is there, for the order of addition: what is on the sum's chain comes last."""
        if term.source is None:
            return -2e6
        late = self.late[term.source]
        on_chain = self.sums.is_chained(term.source, var)
        return max(late.values()) + (0.0 if term.scaled is None else TUNING.latency) - (0.0 if on_chain else 1e6)

    def first(self, terms: list[Term]) -> tuple[int, int] | None:
        """A term that is the same in each trip, and one to add it to: on its own it would be rounded the same way each time."""
        same = next((k for k, term in enumerate(terms) if term.source is None and not self.sums.coefficients.is_varying(term.scaled)), None)
        other = next((k for k, term in enumerate(terms) if term.source is not None and term.scaled is not None), None)
        return None if same is None or other is None else (other, same)

    def _node(self, node: Node, reads: set[Atom]) -> None:
        late = _latest([self.late[atom] for atom in reads if atom in self.late], _latency(node))
        if late:
            self.late.update((each, late) for each in node.outs)
        if not self.sums.coefficients.varying.isdisjoint(reads):
            self.operations += _weight(node)

    def _sum(self, var: Var) -> None:
        terms = terms_of(self.terms[var])
        late: list[_Late] = []
        for term in terms:
            late.append(_latest([self.late[term.source]], 0.0 if term.scaled is None else TUNING.latency) if term.source is not None else {})
            if term.scaled is not None:
                self.wanted.append(term.scaled)
                self.operations += term.source is not None
        self.operations += len(terms) - 1
        self.late[var] = ordered([self.key(var, term) for term in terms], late, lambda one, other: _latest([one, other], TUNING.latency), self.first(terms))

    def time(self) -> float:
        """Cycles for a trip: as long as its longest chain, or as all its operations take."""
        work = (self.operations + self.sums.coefficients.operations(self.wanted)) / TUNING.operations_a_cycle
        chain = max(self._cycle(group) for group in set(self.sums.group.values()))
        return max(work, chain) + 0.1 * min(work, chain)

    def _cycle(self, group: int) -> float:
        """The longest mean time from trip to trip among cotangents that hang on each other (Karp's maximum cycle mean)."""
        results = _results(self.sums.loop, self.sums.sources)
        members = [number for number in range(len(results)) if group >> number & 1]
        steps = {(one, other): self.late[results[other]][one] for one in members for other in members if one in self.late.get(results[other], {})}
        lengths = [{members[0]: 0.0}]
        for _ in members:
            longest: dict[int, float] = {}
            for (one, other), time in steps.items():
                if one in lengths[-1]:
                    longest[other] = max(longest.get(other, 0.0), lengths[-1][one] + time)
            lengths.append(longest)
        count = len(members)
        last = lengths[count]
        return max(
            (min((last[end] - lengths[k][end]) / (count - k) for k in range(count) if end in lengths[k]) for end in last), default=0.0
        )


def _latest(each: list[_Late], more: float) -> _Late:
    found: _Late = {}
    for late in each:
        for number, time in late.items():
            found[number] = max(found.get(number, 0.0), time + more)
    return found


def _latency(node: Node) -> float:
    """Cycles until what hangs on a node can go on."""
    if not isinstance(node, Equation):
        return TUNING.latency_of_function if isinstance(node, Call) else TUNING.latency_of_branch
    if node.primitive.cost is Cost.FUNCTION:
        return TUNING.latency_of_function
    return {
        div: TUNING.latency_of_division, neg: TUNING.latency_of_sign, select: TUNING.latency_of_choice, getitem: TUNING.latency_of_access,
        setitem: TUNING.latency_of_access, additem: TUNING.latency_of_update,
    }.get(node.primitive, TUNING.latency)


def _weight(node: Node) -> float:
    if isinstance(node, Equation):
        return 2.0 * TUNING.latency_of_function if node.primitive.cost is Cost.FUNCTION else 4.0 if node.primitive is div else 1.0
    if isinstance(node, For | While | Map):
        return 100.0
    inner = (node.function.body,) if isinstance(node, Call) else node.blocks
    return 1.0 + sum(_weight(each) for block in inner for each in block.nodes)
