"""A function in which examples meet: what each computes by itself is a Map, what they say to each other stands between the Maps, on arrays of all of them.

    def f(x):                            map i in range(size):  y_i = sin(x[i])
        y = sin(x)                ->     total = sum(y, axis=0)                       psum is a sum over the axis of examples
        return y / psum(y, "i")          map i in range(size):  y[i] / total

Branches and loops in which they meet, and whose tests and trips all examples share, stand around the Maps. Where a test differs from example to example not
all of them come by: that is refused. Collectives of other axes, which no one has put anything in the place of yet, are one for all examples of this one.
"""
from __future__ import annotations

from collections.abc import Hashable, Sequence

from s2s.errors import Location, UnknownSizeError, UnsupportedError
from s2s.transforms.batching.collective_rules import met
from s2s.transforms.batching.examples import Made, Mapped, body_of
from s2s.transforms.batching.meetings import BOUNDS, ROWS, Flow, Opened, meetings
from s2s.transforms.batching.parts import is_memory, needed, reads
from s2s.transforms.batching.ruled import RuledBatches
from s2s.transforms.batching.settled import Settled
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
    Var,
    While,
    dims_of,
    walk,
)
from s2s.transforms.ir.rewrite import call
from s2s.transforms.primitives.families import repeat
from s2s.transforms.primitives.reductions import reduce_max, reduce_min, reduce_sum
from s2s.transforms.primitives.row import STORES, Elementwise, NotYet
from s2s.transforms.primitives.structural import broadcast, empty, retype
from s2s.transforms.primitives.value import Value
from s2s.types import Array, Dim, dim_atom


def over_examples_that_meet(
    builder: Builder, function: Function, ins: Sequence[Mapped], size: Dim, names: frozenset[Hashable], ruled: RuledBatches | None = None
) -> list[Mapped]:
    """As `examples.over_examples`, for a function with collectives; `names`: those of the examples' axis; `ruled`: the functions with rules that were written before.

    Raises
    ------
    UnsupportedError
        At the user's line: examples meet where not all come by.
    """
    opened = Opened(names, size, ROWS)
    block = opened.block(body_of(function))
    varied = (opened.number, *(param for param, each in zip(function.params, ins, strict=True) if each.axis is not None))
    flow = Flow(names, varied)
    flow.block(block)
    if next(meetings(block, BOUNDS), None) is not None:
        block = Settled(flow, size).block(block)
        flow = Flow(names, varied)
        flow.block(block)
    made = Made(builder, function, ins, size)
    made.count(opened.number)
    def inner(builder: Builder, function: Function, ins: Sequence[Mapped], size: Dim, ruled: RuledBatches) -> list[Mapped]:
        return over_examples_that_meet(builder, function, ins, size, names, ruled)

    together = _Together(made, flow, ruled or RuledBatches(size, inner), {}, {}, in_loop=False)
    together.run(block)
    return [together.result(result) for result in block.results]


# ---- what is written ------------------------------------------------------------------------------------------------------------


class _Together:
    """One block. `pending`: the nodes of each example that are not written yet; `memory`: what makes memory, written where it is needed; `again`: for arrays
    whose sizes differ from example to example, which no array of all can hold, the nodes that compute them: each Map that needs one computes it again.
    """

    def __init__(
        self, made: Made, flow: Flow, ruled: RuledBatches, memory: dict[Atom, Node], again: dict[Atom, tuple[Node, ...]], *, in_loop: bool
    ) -> None:
        self.made, self.flow, self.ruled, self.in_loop = made, flow, ruled, in_loop
        self.pending: list[Node] = []
        self.memory, self.again = memory, again
        self.last: dict[Atom, int] = {}
        """Which node of the block is the last one to read an atom."""

    @property
    def builder(self) -> Builder:
        return self.made.builder

    @property
    def size(self) -> Value:
        return Value(self.builder, dim_atom(self.made.size))

    def run(self, block: Block) -> None:
        """Append what stands for the block's nodes."""
        for number, node in enumerate(block.nodes):
            self.last.update(dict.fromkeys(reads(node), number))
        self.last.update(dict.fromkeys((*block.results, *dims_of(block.results)), len(block.nodes)))
        for number, node in enumerate(block.nodes):
            with self.builder.at(node.where):
                self.node(node, number)
        self.flush(len(block.nodes))

    def node(self, node: Node, number: int) -> None:
        """Append a node, or keep it for the next Map. `number`: its place in the block."""
        flow = self.flow
        if isinstance(node, Equation):
            self.equation(node, number)
        elif flow.stands_around(node):
            self.flush(number)
            self.region(node)
        elif isinstance(node, Call) and flow.meets(node):
            self.flush(number)
            self.call(node)
        elif not flow.varies(node):
            self.shared(node)
        else:
            own = next(filter(flow.is_own, (each for block in node.blocks for each in meetings(block))), None)
            if own is not None:
                raise _not_all_come_by(node, own)
            self.pending.append(node)

    def equation(self, node: Equation, number: int) -> None:
        if self.flow.is_own(node):
            self.flush(number)
            self.meeting(node)
        elif not self.flow.varies(node):
            self.shared(node)
        elif node.primitive in ROWS or self.in_loop and node.primitive.storage is STORES and node.ins[0] in self.made.now:
            self.flush(number)  # what a loop carries is changed where it is, not handed through a Map in each trip
            self.product(node)
        else:
            self.pending.append(node)

    # ---- what all examples share ------------------------------------------------------------------------------------------

    def shared(self, node: Node) -> None:
        if is_memory(node):
            self.memory.update(dict.fromkeys(node.outs, node))
            return
        for atom in reads(node):
            self.there(atom)
        self.builder.add(self.made.outside.node(node))

    def there(self, atom: Atom) -> Atom:
        """What stands for an atom that all examples share; memory is written now."""
        if atom in self.flow.varied:  # no array of all examples holds it
            raise _of_own_size(atom, self.builder.where)
        if atom in self.memory and isinstance(atom, Var) and atom not in self.made.outside.mapping:
            for each in reads(self.memory[atom]):
                self.there(each)
            self.builder.add(self.made.outside.node(self.memory[atom]))
        return self.made.outside.atom(atom)

    def everyones(self, atom: Atom) -> Value:
        """The array of all examples, with their axis in front; what they share is repeated."""
        if atom in self.made.now:
            return self.made.in_front(atom)
        node = self.memory.get(atom)
        if isinstance(node, Equation) and atom not in self.made.outside.mapping and node.primitive in (empty, broadcast):
            ins = [Value(self.builder, self.there(each)) for each in node.ins]
            if node.primitive is broadcast:
                return broadcast(ins[0], self.size, *ins[1:], axes=())
            return Value(self.builder, self.builder.equation(empty, (self.size.atom, *(each.atom for each in ins)), node.params)[0])
        return repeat(Value(self.builder, self.there(atom)), self.size)

    # ---- where examples meet --------------------------------------------------------------------------------------------------

    def meeting(self, node: Equation) -> None:
        """A collective over the examples' axis."""
        (out,) = node.outs
        varies = node.ins[0] in self.made.now
        first = self.made.in_front(node.ins[0]) if varies else Value(self.builder, self.there(node.ins[0]))
        lengths = (Value(self.builder, self.there(each)) for each in node.ins[1:])
        found = met(node.primitive, (first, *lengths), varies, self.size, node.params)
        assert found.varies == (out in self.flow.varied), node.primitive
        self.bind(out, found.value)

    def call(self, node: Call) -> None:
        """A call of a function with a rule in which they meet."""
        varied = self.flow.given(node)
        function = self.ruled.function(node.function, varied, self.flow.results_of(node.function, varied), node.where)
        ins = (self.everyones(atom).atom if on else self.there(atom) for atom, on in zip(node.ins, varied, strict=True))
        made = call(function, (*ins, *self.ruled.more), tuple(out.name for out in node.outs), node.where)
        self.builder.add(made)
        for out, new in zip(node.outs, made.outs, strict=True):
            self.bind(out, Value(self.builder, new))

    def product(self, node: Equation) -> None:
        """A row for all examples at once."""
        for atom in node.ins:
            if atom not in self.made.now:
                self.there(atom)
        self.made.product(node)

    def bind(self, out: Var, value: Value) -> None:
        """What stands for a Var: of the type that it has here."""
        shape = self.shape(out)
        if value.shape != shape:
            value = retype(value, *(Value(self.builder, dim_atom(dim)) for dim in shape))
        if isinstance(value.atom, Var) and self.builder.nodes and value.atom in self.builder.nodes[-1].outs:
            value.atom.name = out.name
        if out in self.flow.varied:
            self.made.now[out] = Mapped(value.atom, 0)
            self.made.written.add(out)
        else:
            self.made.outside.mapping[out] = value.atom

    def shape(self, var: Atom) -> tuple[Dim, ...]:
        """The shape of what stands for a Var."""
        own = self.made.outside.type(var.type).shape
        return (self.made.size, *own) if var in self.flow.varied else own

    # ---- regions --------------------------------------------------------------------------------------------------------------

    def region(self, node: Node) -> None:
        """A branch or loop that all examples go through in the same way."""
        match node:
            case If():
                test = self.there(node.test)
                then, orelse = (self.inside(block, node.outs, in_loop=self.in_loop) for block in (node.then, node.orelse))
                self.builder.add(If(self.bound(node.outs), test, then, orelse, node.where))
            case For():
                lo, hi, step = (self.there(each) for each in (node.lo, node.hi, node.step))
                index = self.made.outside.bind(node.index)
                carry, init = self.carried(node)
                body = self.inside(node.body, node.carry, in_loop=True)
                self.builder.add(For(self.bound(node.outs), index, lo, hi, step, carry, init, body, node.where, node.reverse))
            case While():
                carry, init = self.carried(node)
                tested, body = self.inside(node.test, (), in_loop=True), self.inside(node.body, node.carry, in_loop=True)
                self.builder.add(While(self.bound(node.outs), carry, init, tested, body, node.where))
            case Map():
                size = self.there(node.size)
                index = self.made.outside.bind(node.index)
                body = self.inside(node.body, node.outs, in_loop=self.in_loop)
                self.builder.add(Map(self.bound_behind(node.outs, body), index, size, body, node.where))

    def inside(self, block: Block, like: tuple[Var, ...], *, in_loop: bool) -> Block:
        """A block inside; where its results stand for Vars (`like`) that differ from example to example, they are arrays of all."""
        made = self.made.within(self.builder.inside())
        inner = _Together(made, self.flow, self.ruled, dict(self.memory), dict(self.again), in_loop=in_loop)
        inner.run(block)
        wanted = [each in self.flow.varied for each in like] or [False] * len(block.results)
        results = (inner.everyones(result).atom if varies else inner.there(result) for result, varies in zip(block.results, wanted, strict=True))
        return made.builder.block(*results)

    def carried(self, node: For | While) -> tuple[tuple[Var, ...], tuple[Atom, ...]]:
        """What a loop carries, and how it starts."""
        init = tuple(self.everyones(each).atom if carry in self.flow.varied else self.there(each) for carry, each in zip(node.carry, node.init, strict=True))
        return self.bound(node.carry), init

    def bound(self, variables: tuple[Var, ...]) -> tuple[Var, ...]:
        """New Vars for those that a node binds."""
        return tuple(self.bound_one(var) for var in variables)

    def bound_one(self, var: Var) -> Var:
        if not self.flow.varied.isdisjoint(dims_of((var,))):
            raise _of_own_size(var, self.builder.where)
        new = Var(var.name, Array(var.type.dtype, self.shape(var), var.type.weak and var not in self.flow.varied))
        if var in self.flow.varied:
            self.made.now[var] = Mapped(new, 0)
            self.made.written.add(var)
        else:
            self.made.outside.mapping[var] = new
        return new

    def bound_behind(self, outs: tuple[Var, ...], body: Block) -> tuple[Var, ...]:
        """The results of a Map over another axis, which stands before that of the examples."""
        made: list[Var] = []
        for out in outs:
            if out not in self.flow.varied:
                made.append(self.bound_one(out))
                continue
            first, *rest = self.made.outside.type(out.type).shape
            made.append(Var(out.name, Array(out.type.dtype, (first, self.made.size, *rest))))
            self.made.now[out] = Mapped(made[-1], 1)
            self.made.written.add(out)
        return tuple(made)

    # ---- Maps -------------------------------------------------------------------------------------------------------------------

    def flush(self, number: int) -> None:
        """Write the nodes of each example that are pending, before node `number`: as expressions of arrays where they are nothing else, or a Map."""
        nodes, self.pending = self.with_again(self.pending), []
        handed = [out for node in nodes for out in node.outs if self.last.get(out, -1) >= number and out not in self.made.now]
        sized = [out for out in handed if not self.flow.varied.isdisjoint(dims_of((out,)))]
        self.again.update((out, tuple(_makers(nodes, out))) for out in sized)
        handed = [out for out in handed if out not in self.again]
        checks = any(isinstance(each, Check) for node in nodes for each in (node, *(inner for block in node.blocks for inner in walk(block))))
        if not handed and not checks:
            return
        expressions = [node for node in nodes if isinstance(node, Equation) and is_expression(node)]
        if len(expressions) == len(nodes):
            for node in expressions:
                self.product(node)
            return
        own = needed([each for each in dict.fromkeys(self.memory.values()) if isinstance(each, Equation)], nodes)
        made = {out for node in own for out in node.outs}
        for atom in {atom for node in (*own, *nodes) for atom in reads(node)} - made - self.flow.varied:
            self.there(atom)
        self.made.map([*own, *nodes], handed)

    def with_again(self, nodes: list[Node]) -> list[Node]:
        """The nodes, and before them those that compute what they need again."""
        own = {out for node in nodes for out in node.outs}
        wanted = {atom for node in nodes for atom in reads(node)} - own
        before = dict.fromkeys(node for atom in self.again if atom in wanted for node in self.again[atom])
        return [*before, *nodes]

    def result(self, atom: Atom) -> Mapped:
        """A result of the block."""
        if atom not in self.made.now:
            self.there(atom)
        return self.made.result(atom)


def is_expression(node: Equation) -> bool:
    """Whether a node is a part of an expression of arrays, as one would write it for all examples."""
    if isinstance(node.primitive.batch, NotYet):
        return False
    return isinstance(node.primitive.emission, Elementwise) or node.primitive in _EXPRESSIONS


_EXPRESSIONS = (broadcast, retype, reduce_sum, reduce_max, reduce_min)


def _makers(nodes: Sequence[Node], out: Var) -> list[Node]:
    """Those of the nodes that compute a value, in order."""
    wanted: set[Atom] = {out}
    found: list[Node] = []
    for node in reversed(nodes):
        if not wanted.isdisjoint(node.outs):
            found.append(node)
            wanted |= reads(node)
    return found[::-1]


def _of_own_size(atom: Atom, where: Location) -> UnknownSizeError:
    """An array whose size each example computes is needed by all."""
    return UnknownSizeError(
        f"{getattr(atom, 'name', 'an array')}, whose size differs from example to example, where examples meet", where=where,
        why="there the values of all examples are one array", instead="give all examples one size, and mask what is beyond theirs",
    )


def _not_all_come_by(node: Node, own: Equation) -> UnsupportedError:
    """Some examples don't come to where they would meet."""
    name, axis = own.primitive.name, own.params["axis"]
    line = f" (line {node.where.line})" if node.where.line else ""
    if isinstance(node, If):
        return UnsupportedError(
            f"{name} over {axis!r} in a branch{line} that some examples take and others don't", where=own.where, why="not all examples come there",
            instead=f"the collective before the branch, of np.where(test, x, 0.0) if not all take part; or a test that all share: s2s.lax.pmax(test, {axis!r})",
        )  # fmt: skip
    return UnsupportedError(
        f"{name} over {axis!r} in a loop{line} whose number of trips differs from example to example", where=own.where, why="not all examples come there in each trip",
        instead=f"as many trips for all: while s2s.lax.pmax(not_done, {axis!r}), with np.where(not_done, new, old) inside",
    )


__all__ = ["over_examples_that_meet"]
