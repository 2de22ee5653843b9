"""What of a function differs from example to example, and in which order it is computed.

    y = A @ x            stage 0:  y = x @ A.T           products of a shared matrix with each example's vector are one product
    z = sin(y) * c       stage 0:  map: sin(y_i) * c
    w = B @ z            stage 1:  w = z @ B.T
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2s.errors import UnknownSizeError, UnsupportedError
from s2s.records import dataclass, field
from s2s.transforms.batching.apart import part_of, reads, same_for_all, wanted
from s2s.transforms.ir.prints import first_print, prints
from s2s.transforms.ir.program import Atom, Block, Call, Check, Equation, Function, Node, Var, dims_of, walk
from s2s.transforms.ir.rewrite import Substitution, inline
from s2s.transforms.primitives.contract import contract, letters
from s2s.transforms.primitives.opaque import ONCE, opaque
from s2s.transforms.primitives.row import Cost, Elementwise
from s2s.transforms.primitives.structural import broadcast, copy, empty, retype
from s2s.types import is_size


class Parted:
    """A block's nodes: `own`, those that depend on the example, and `shared`, those that don't. Memory that nobody outside reads is each example's own.
    `results`: of the block, by what computes them here.
    """

    def __init__(self, block: Block, params: Iterable[Var]) -> None:
        self.varied: set[Atom] = set(params)
        self.opened = Substitution(renew=False)
        """Calls of which examples share a part stand for what they do."""
        self.nodes: list[Node] = []
        self.own: list[Node] = []
        self.wanted = wanted(block, self.varied)
        """What results that all examples share are computed from."""
        self.visit(block.nodes)
        self.results = self.opened.atoms(block.results)
        self.bound: dict[Var, Node] = {}
        """What each example binds for itself."""
        own = self.with_memory()
        self.own = [node for node in self.nodes if node in own]
        self.shared = [node for node in self.nodes if node not in own and (node.outs or not prints(node))]
        self.bound.update((out, node) for node in self.own for out in node.outs)

    def visit(self, nodes: Iterable[Node]) -> None:
        for each in nodes:
            node = self.opened.node(each)
            if self.varied.isdisjoint(reads(node)):
                self.nodes.append(node)
            elif isinstance(node, Call) and node.function.rule is None and (first_print(node.function) is not None or self.has_shared_work(node)):
                inner, results = inline(node)
                self.visit(inner)
                made = self.opened.atoms(tuple(results.values()))
                self.opened.mapping.update(zip(each.outs, made, strict=True))
            else:
                check_batched(node)
                same = self.shared_part(each, node)
                self.nodes.append(node)
                self.own.append(node)
                self.varied.update(node.outs)
                self.opened.mapping.update(same)

    def shared_part(self, given: Node, node: Node) -> dict[Var, Atom]:
        """What stands for the outs of a node that are the same for all examples, where results need them."""
        if prints(node):
            return {}
        same = same_for_all(node, self.varied)
        if not set(node.outs).isdisjoint(dims_of(node.outs)):  # an example's arrays are as long as its own loop says
            return {}
        if self.wanted.isdisjoint(out for out, new in zip(given.outs, node.outs, strict=True) if new in same):
            return {}
        part = part_of(node, self.varied)
        self.nodes.append(part)
        return dict(zip((out for out, new in zip(given.outs, node.outs, strict=True) if new in same), part.outs, strict=True))

    def has_shared_work(self, node: Call) -> bool:
        """Whether a part of what a call does is the same for all examples, or one product for all."""
        params = (param for param, atom in zip(node.function.params, node.ins, strict=True) if atom in self.varied)
        inside = Parted(node.function.body, params)
        return any(map(is_work, inside.shared)) or not inside.varied.issuperset(inside.results) or any(inside.is_product(each) for each in inside.own)

    def with_memory(self) -> set[Node]:
        """The nodes of an example: what depends on it, and the memory that only it writes."""
        own = set(self.own)
        outside = {atom for atom in self.results if atom not in self.varied}
        for node in reversed(self.nodes):
            if node not in own and is_memory(node) and outside.isdisjoint(node.outs):
                own.add(node)
            elif node not in own or self.is_product(node):  # a product may be one for all examples, and reads what they share
                outside |= reads(node)
        return own

    # ---- order ----------------------------------------------------------------------------------------------------------

    def is_product(self, node: Node) -> bool:
        """Whether a node is the product of a matrix that examples share with a vector of each."""
        if isinstance(node, Equation) and node.primitive is opaque:
            return node.params["call"].batched in ONCE and not any(dim in self.bound or dim in self.varied for dim in dims_of((*node.ins, *node.outs)))
        if not isinstance(node, Equation) or node.primitive is not contract:
            return False
        first, second, result = letters(node.params["spec"])
        (own, shared) = (first, second) if node.ins[0] in self.varied else (second, first)
        one = sum(atom in self.varied for atom in node.ins) == 1
        return one and (len(own), len(shared), len(result)) == (1, 2, 1) and not any(dim in self.bound or dim in self.varied for dim in dims_of(node.ins))

    def stages(self) -> list[Stage]:
        """What is computed for all examples at once, then what for each, and so on. All is computed for each where there is no product that
        pays, as where an example's results are matrices (what is written then takes longer than the products), or where a size that is its own would be handed on.
        """
        if any(node in self.own or not node.outs for node in self.nodes if prints(node)):
            return self.with_prints()
        if all(is_of_numbers(node) for node in self.own):
            return [Stage([node for node in self.own if isinstance(node, Equation)], [])]
        results = [atom for atom in self.results if atom in self.varied]
        at_once = any(isinstance(node, Equation) and node.primitive is opaque and self.is_product(node) for node in self.own)
        if not at_once and (any(atom.type.ndim > 1 for atom in results) or not any(map(self.is_product, self.own))):
            return [Stage([], self.own)]
        made = self.staged()
        handed = [atom for number in range(len(made)) for atom in self.handed_on(made, number)]
        return [Stage([], self.own)] if self.has_own_sizes(handed) else made

    def staged(self) -> list[Stage]:
        """Each node as early as its operands are there."""
        made: list[Stage] = [Stage([], [])]
        ready: dict[Atom, int] = {}
        """The stage in which an atom can be read as an array of all examples; what is not in it, and varied, is a param."""
        inside: dict[Atom, int] = {}
        for node in self.own:
            read = reads(node) & self.varied
            if isinstance(node, Equation) and (self.is_product(node) or node.primitive is retype and inside.keys().isdisjoint(read)):
                number = max((inside[atom] + 1 if atom in inside else ready.get(atom, 0) for atom in read), default=0)
                ready.update((out, number) for out in node.outs)
                at(made, number).products.append(node)
            elif not is_memory(node) or not read.isdisjoint(self.varied):
                number = max((inside.get(atom, ready.get(atom, 0)) for atom in read), default=0)
                inside.update((out, number) for out in node.outs)
                at(made, number).own.append(node)
        memory = [node for node in self.own if is_memory(node) and reads(node).isdisjoint(self.varied)]
        for stage in made:
            stage.own[:0] = needed(memory, stage.own)
        return made

    def with_prints(self) -> list[Stage]:
        """What is printed is printed for all examples before what follows it, as in JAX; what depends on no example once."""
        made: list[Stage] = [Stage()]
        own = set(self.own)
        memory = [node for node in self.own if is_memory(node) and reads(node).isdisjoint(self.varied)]
        for node in self.nodes:
            if prints(node) and (node in own or not node.outs):
                made += [Stage([], [node]) if node in own else Stage([], [], [node]), Stage()]
            elif node in own:
                made[-1].own.append(node)
        for stage in made:
            stage.own[:] = [*needed(memory, stage.own), *(node for node in stage.own if node not in memory)]
        handed = [atom for number in range(len(made)) for atom in self.handed_on(made, number)]
        return [Stage([], self.own, [node for node in self.nodes if prints(node) and node not in own and not node.outs])] if self.has_own_sizes(handed) else made

    def has_own_sizes(self, atoms: Sequence[Atom]) -> bool:
        """Whether the sizes of any of them differ from example to example."""
        return any(dim in self.bound or dim in self.varied for dim in dims_of(tuple(atoms)))

    def handed_on(self, made: Sequence[Stage], number: int) -> list[Var]:
        """What a stage's examples compute that later stages, or the results, read."""
        later = {atom for stage in made[number + 1 :] for node in (*stage.products, *stage.own) for atom in reads(node)} | set(self.results)
        return [out for node in made[number].own for out in node.outs if out in later and out in self.varied]

    def check_shape(self, result: Atom, function: Function) -> None:
        """Refuse a result whose sizes each example computes."""
        for dim in result.type.shape:
            if isinstance(dim, Var) and (dim in self.varied or dim in self.bound):
                where = self.bound[dim].where if dim in self.bound else self.bound[result].where if result in self.bound else function.where
                raise UnknownSizeError(
                    f"a batch of {function.name}, which returns an array whose size differs from example to example", where=where,
                    why="the results of all examples are one array", instead="give all examples one size, and mask what is beyond theirs",
                )  # fmt: skip


@dataclass(frozen=True)
class Stage:
    """`once`: nodes that all examples share, and that print; `products`: nodes that are one for all examples, in order; then `own`: those of each example."""

    products: list[Equation] = field(default_factory=list)
    own: list[Node] = field(default_factory=list)
    once: list[Node] = field(default_factory=list)


def at(stages: list[Stage], number: int) -> Stage:
    """The stage of this number."""
    while len(stages) <= number:
        stages.append(Stage([], []))
    return stages[number]


def needed(memory: Sequence[Node], nodes: Iterable[Node]) -> list[Node]:
    """Those of the nodes that make memory, or fill it, that these nodes read."""
    read = {atom for node in nodes for atom in reads(node)}
    found: list[Node] = []
    for node in reversed(memory):
        if not read.isdisjoint(node.outs):
            found.append(node)
            read |= reads(node)
    return found[::-1]


def check_batched(node: Node) -> None:
    """Refuse a callback that says of no batch what to do."""
    for each in (node, *(inner for block in node.blocks for inner in walk(block))):
        if isinstance(each, Equation) and each.primitive is opaque and not each.params["call"].batched:
            raise UnsupportedError(
                "vmap is only supported for pure_callback when vmap_method is one of 'sequential', 'sequential_unrolled', 'expand_dims', 'broadcast_all', or 'legacy_vectorized'. "
                "Got vmap_method=None.", where=each.where, why="s2s can't see what the callback does to arrays with one more axis",
            )  # fmt: skip


def is_work(node: Node) -> bool:
    """Whether a node costs more than a view, a size, or memory."""
    return not isinstance(node, Equation | Check) or isinstance(node, Equation) and node.primitive.cost is not Cost.FREE and not is_size(node.outs[0].type)


def is_of_numbers(node: Node) -> bool:
    """Whether a node computes numbers from numbers: for all examples it is one array from arrays, as NumPy's own users write it."""
    return isinstance(node, Equation) and isinstance(node.primitive.emission, Elementwise) and not any(out.type.shape for out in node.outs)


def is_memory(node: Node) -> bool:
    """Whether a node makes memory that is filled later, or filled with one number: no work that all examples could share."""
    return isinstance(node, Equation) and (node.primitive in (empty, copy) or node.primitive is broadcast and not node.ins[0].type.shape)
