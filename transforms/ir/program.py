"""The program: a functional, typed A-normal form with structured control flow. This is its whole grammar.

    def relax(u: f8[n], sweeps: i8):
        for t in range(0, sweeps, 1), u1 = u:
            for i in range(1, n1, 1), u2 = u1:
                here = getitem(u2, i)
                …
                u3 = setitem(u2, new, i)
                next u3
            next u4
        return rough1, u5

Every value is immutable: a store makes a new array (codegen makes it an in-place store where the old one is dead).
A `Var` is bound once and before its use; bodies see the variables of enclosing blocks. Dimensions in types are Vars
too: those of a function's parameters are bound by the parameter list, any other is bound by a node. A node's outs may
name each other as dimensions (left to right), and so may a loop's carried variables: their sizes may change per trip.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter, is_
from typing import Any, ClassVar, TypeVar, Union

from s2s.errors import Location
from s2s.logs import is_written
from s2s.records import cached_property, dataclass, given, replace
from s2s.transforms.primitives.row import Primitive
from s2s.types import Array, Atom, Dim, Literal, Var

__all__ = ["Array", "Atom", "Block", "Call", "Check", "Dim", "Equation", "For", "Function", "If", "Literal", "Map", "Node", "Print", "Rule", "Var", "While"]


@dataclass(frozen=True, eq=False)
class Block:
    """Nodes in order, then the results (what `next`, `return` or a branch yields)."""

    nodes: tuple[Node, ...]
    results: tuple[Atom, ...]

    @cached_property
    def inside(self) -> tuple[Node, ...]:
        """See `walk`."""
        found: list[Node] = []
        for node in self.nodes:
            found.append(node)
            for inner in node.blocks:
                found += inner.inside
        return tuple(found)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Those of them that call a function."""
        return tuple([node for node in self.inside if type(node) is Call])

    @cached_property
    def free(self) -> tuple[Var, ...]:
        """See `free_vars`."""
        return tuple(_free(self))


class _Node:
    """What passes ask of every node, found once for each: it does not change, and most passes keep most of them."""

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks, in order of execution."""
        return _BLOCKS[type(self)](self)

    @cached_property
    def reads(self) -> tuple[Var, ...]:
        """The Vars among its operands, then those that the types of these, of what it binds and of its outs name as dimensions. Its blocks' own reads are not included."""
        node: Node = self  # type: ignore[assignment]
        atoms = operands(node)
        found = [atom for atom in atoms if type(atom) is Var]
        found += dims_of(atoms)
        found += dims_of(node.outs)
        found += dims_of(bound_inside(node))
        return tuple(found)


class _Simple(_Node):
    """A node without blocks."""

    blocks: ClassVar[tuple[Block, ...]] = ()


@dataclass(frozen=True, eq=False)
class Equation(_Simple):
    """outs = primitive(ins; params). `params` are static; everything of run time is in `ins`."""

    outs: tuple[Var, ...]
    primitive: Primitive
    ins: tuple[Atom, ...]
    params: Mapping[str, Any]
    where: Location


@dataclass(frozen=True, eq=False)
class For(_Node):
    """for index in range(lo, hi, step): carry starts as `init`, becomes body.results; outs: carry at the end.

    `step` is a non-zero int64 Literal or Var. `reverse`: reverse mode made it, to run a loop backwards: scalars that hang on
    themselves from trip to trip are cotangents there, so that it is linear in them.
    """

    outs: tuple[Var, ...]
    index: Var
    lo: Atom
    hi: Atom
    step: Atom
    carry: tuple[Var, ...]
    init: tuple[Atom, ...]
    body: Block
    where: Location
    reverse: bool


@dataclass(frozen=True, eq=False)
class While(_Node):
    """while test: carry (visible in `test`, whose one result is a bool, and in `body`) becomes body.results."""

    outs: tuple[Var, ...]
    carry: tuple[Var, ...]
    init: tuple[Atom, ...]
    test: Block
    body: Block
    where: Location


@dataclass(frozen=True, eq=False)
class If(_Node):
    """outs = then.results if test else orelse.results; only the branch taken is run."""

    outs: tuple[Var, ...]
    test: Atom
    then: Block
    orelse: Block
    where: Location


@dataclass(frozen=True, eq=False)
class Map(_Node):
    """n independent iterations: outs[k][index] = body.results[k]; the results of all trips, stacked on axis 0."""

    outs: tuple[Var, ...]
    index: Var
    size: Atom
    body: Block
    where: Location


@dataclass(frozen=True, eq=False)
class Call(_Simple):
    """outs = function(*ins). The dimensions of the function's parameters are bound by the operands' types."""

    outs: tuple[Var, ...]
    function: Function
    ins: tuple[Atom, ...]
    where: Location


@dataclass(frozen=True, eq=False)
class Check(_Simple):
    """Raise `exception` (a built-in one, or an `errors.OwnException`) with `message` unless `test` holds. `{}` in message are filled from `values`.

    `stretch`: it guards an equality of two dimensions that NumPy would satisfy by stretching if one of them were 1, or that
    makes the program simpler (arrays that change places, axes that are not squeezed); a failure then means "specialise again with sizes known", before
    it means an error (`errors.SizesError`).
    `late`: it may be raised after the innermost loop that it stands in, so that the loop has one way through: nothing relies on it, and what
    follows it in a trip does no harm with any number.
    `made`: the message is the text of the arguments that the exception is made with (`errors.made`).
    """

    test: Atom
    exception: str
    message: str
    values: tuple[Atom, ...]
    stretch: bool
    where: Location
    late: bool
    made: bool = False

    @property
    def outs(self) -> tuple[Var, ...]:
        """A check binds nothing."""
        return ()


@dataclass(frozen=True, eq=False)
class Print(_Simple):
    """What is done for its effect only. Write `text`, whose `{}` are filled from `values`, and `end` to standard output: once, in the order in which nodes stand. Nothing of it is differentiated."""

    text: str
    values: tuple[Atom, ...]
    end: str
    flush: bool
    where: Location
    function: str
    """What is called instead of `print`, or nothing: a callback with the values, by its public name; what logs (`s2s.logs`) with the text."""

    @property
    def calls_back(self) -> bool:
        """Whether the values are handed to a callback: there is no text."""
        return bool(self.function) and not is_written(self.function)

    @property
    def outs(self) -> tuple[Var, ...]:
        """It binds nothing."""
        return ()


Node = Union[Equation, For, While, If, Map, Call, Check, Print]


Mask = tuple[bool, ...]


class Rule:
    """How calls of a function are differentiated where it is not by its body: custom rules, checkpoints (`transforms/derivatives/rules.py`).

    A function with a rule is called, never simplified, narrowed or written in place, until all derivatives are taken.
    """

    keeps_numbers: bool = False
    """Whether derivatives are those of the body all the same (a checkpoint): without the rule they are only computed in another way."""

    def programs(self) -> tuple[Function, ...]:
        """What stands in the body's place in derivatives, where that was read with the function."""
        return ()

    def flows(self, function: Function, varied: Mask, results_of: Callable[[Function, Mask], Mask]) -> Iterator[tuple[Function, Mask]]:
        """Those programs, and which of their params differ from example to example where these of the function's do; `results_of`: which results of a program do."""
        yield from ()

    def twin(self, more: int) -> Rule | None:
        """A rule like this for the function of all examples of a batch, which has `more` params without a derivative behind its own; None: there is none."""
        return None

    def fill_twin(self, twin: Any, function: Function, varied: Mask, results: Mask, write: Any) -> None:
        """Fill it in; `write`: writes a program for all examples (`batching/ruled.py`)."""


@dataclass(frozen=True, eq=False)
class Function:
    """A named block with parameters; `body.results` are what it returns. `doc` is the user's docstring's first line."""

    name: str
    params: tuple[Var, ...]
    body: Block
    where: Location
    doc: str
    rule: Rule | None
    derived: bool
    """Whether a rewrite made it (a derivative): in which order its sums are added is ours to choose."""
    told: tuple[Equation, ...] = ()
    """How lengths among its parameters are made of others, where it is called: h // 2 of h. It need not be asked, and saves questions."""

    def __str__(self) -> str:
        return "\n".join(_lines_of_function(self))

    @property
    def result_types(self) -> tuple[Array, ...]:
        """The types of the results; they may name the function's own Vars as dimensions."""
        return tuple(atom.type for atom in self.body.results)


# ---- what passes ask of any node ------------------------------------------------------------------------------------


def operands(node: Node) -> tuple[Atom, ...]:
    """The atoms that a node itself reads (its blocks' own reads not included)."""
    return _OPERANDS[type(node)](node)


_OPERANDS: dict[type, Callable[[Any], tuple[Atom, ...]]] = {
    **dict.fromkeys((Equation, Call), attrgetter("ins")), For: lambda node: (node.lo, node.hi, node.step, *node.init), While: attrgetter("init"),
    If: lambda node: (node.test,), Map: lambda node: (node.size,), Check: lambda node: (node.test, *node.values), Print: attrgetter("values"),
}  # fmt: skip


_BLOCKS: dict[type, Callable[[Any], tuple[Block, ...]]] = {
    **dict.fromkeys((For, Map), lambda node: (node.body,)), While: attrgetter("test", "body"), If: attrgetter("then", "orelse"),
}  # fmt: skip


def with_blocks(node: Node, change: Callable[[Block], Block]) -> Node:
    """The node with each of its blocks changed."""
    match node:
        case For() | Map():
            return replace(node, body=change(node.body))
        case While():
            return replace(node, test=change(node.test), body=change(node.body))
        case If():
            return replace(node, then=change(node.then), orelse=change(node.orelse))
        case _:
            return node


Part = TypeVar("Part", bound=Union[Block, Node, Function])


def kept(old: Part, new: Part) -> Part:
    """The old part of a program, where the new one holds the very same: rewrites see by it that there is nothing more to do."""
    mine, others = vars(old), vars(new)
    for name in given(type(new)):
        a, b = mine[name], others[name]
        if a is not b and not (isinstance(a, tuple) and len(a) == len(b) and all(map(is_, a, b))):
            return new
    return old


def with_callees(block: Block, made: Mapping[Function, Function]) -> Block:
    """The block, calling the functions that took the places of those that it called."""
    if all(made[each.function] is each.function for each in block.calls):
        return block

    def calling(node: Node) -> Node:
        if isinstance(node, Call):
            return kept(node, replace(node, function=made[node.function]))
        return kept(node, with_blocks(node, lambda inner: with_callees(inner, made))) if node.blocks else node

    return kept(block, Block(tuple(map(calling, block.nodes)), block.results))


def bound_inside(node: Node) -> tuple[Var, ...]:
    """The variables that a node binds for its blocks: index and carry."""
    match node:
        case For():
            return (node.index, *node.carry)
        case While():
            return node.carry
        case Map():
            return (node.index,)
        case _:
            return ()


def dims_of(atoms: tuple[Atom, ...]) -> list[Var]:
    """The Vars that the atoms' types name as dimensions."""
    return [dim for atom in atoms for dim in atom.type.dims]


def free_vars(block: Block, bound: frozenset[Var] = frozenset()) -> dict[Var, None]:
    """The Vars that a block reads and does not bind (types' dimensions included), in order of first use."""
    return {var: None for var in block.free if var not in bound}


def _free(block: Block) -> dict[Var, None]:
    inside: set[Var] = set()
    seen: dict[Var, None] = {}

    def use(atoms: tuple[Atom, ...]) -> None:
        for atom in atoms:
            if isinstance(atom, Var) and atom not in inside:
                seen[atom] = None
        for dim in dims_of(atoms):
            if dim not in inside:
                seen[dim] = None

    for node in block.nodes:
        if node.blocks:
            use(operands(node))
            new = bound_inside(node)
            inside.update(new)
            use(new)
            seen.update((var, None) for each in node.blocks for var in each.free if var not in inside)
            inside.update(node.outs)
            use(node.outs)
            continue
        inside.update(node.outs)
        for var in node.reads:
            if var not in inside:
                seen[var] = None
    use(block.results)
    return seen


def walk(block: Block) -> tuple[Node, ...]:
    """Every node of a block and of the blocks inside it, outer before inner, in order."""
    return block.inside


def callees(function: Function) -> dict[Function, None]:
    """The functions that a function calls, directly or not: callees before callers, itself last."""
    order: dict[Function, None] = {}
    _callees(function, order)
    return order


def with_each_changed(function: Function, change: Callable[[Function], Function]) -> Function:
    """The function with it and all that it calls changed, what is called first."""
    made: dict[Function, Function] = {}
    for callee in callees(function):
        made[callee] = change(kept(callee, replace(callee, body=with_callees(callee.body, made))))
    return made[function]


def _callees(function: Function, order: dict[Function, None]) -> None:
    if function in order:
        return
    for node in function.body.calls:
        _callees(node.function, order)
    order[function] = None


def size_params(function: Function) -> dict[Var, tuple[int, int]]:
    """Each dimension Var that the parameters bind -> (parameter number, axis) where it first stands."""
    sizes: dict[Var, tuple[int, int]] = {}
    params = frozenset(function.params)
    for number, param in enumerate(function.params):
        for axis, dim in enumerate(param.type.shape):
            if isinstance(dim, Var) and dim not in params:
                sizes.setdefault(dim, (number, axis))
    return sizes


# ---- printing: a program reads as Python ----------------------------------------------------------------------------


class _Names:
    """One printable name for each Var: its hint, numbered where the hint repeats."""

    def __init__(self, marks: Mapping[Node | Function, str] | None = None) -> None:
        self.names: dict[Var, str] = {}
        self.counts: dict[str, int] = {}
        self.marks = marks or {}

    def mark(self, place: Node | Function) -> str:
        """What to print beside a node's first line."""
        return f"          # <-- {self.marks[place]}" if place in self.marks else ""

    def __getitem__(self, atom: Atom | int) -> str:
        if isinstance(atom, Literal):
            return repr(atom.value)
        if isinstance(atom, int):
            return str(atom)
        if atom not in self.names:
            count = self.counts.get(atom.name, 0)
            self.counts[atom.name] = count + 1
            self.names[atom] = f"{atom.name}_{count}" if count else atom.name
        return self.names[atom]

    def all(self, atoms: tuple[Atom, ...]) -> str:
        return ", ".join(self[atom] for atom in atoms)

    def typed(self, var: Var) -> str:
        shape = ", ".join(self[dim] for dim in var.type.shape)
        return f"{self[var]}: {Array(var.type.dtype, (), var.type.weak)}{f'[{shape}]' if shape else ''}"


def show(function: Function, marks: Mapping[Node | Function, str]) -> str:
    """The printed function (not what it calls), with a note beside the first line of each marked node."""
    return "\n".join(_lines_of_one(function, _Names(marks)))


def _lines_of_function(function: Function) -> Iterator[str]:
    names = _Names()
    for callee in callees(function):
        if callee is not function:
            yield from _lines_of_one(callee, _Names())
            yield ""
    yield from _lines_of_one(function, names)


def _lines_of_one(function: Function, names: _Names) -> Iterator[str]:
    where = f"  # {function.where}" if function.where.line else ""
    yield f"def {function.name}({', '.join(names.typed(param) for param in function.params)}):{where}{names.mark(function)}"
    yield from _lines_of_block(function.body, "return", names, "    ")


def _lines_of_block(block: Block, last: str, names: _Names, indent: str) -> Iterator[str]:
    for node in block.nodes:
        for number, line in enumerate(_lines_of_node(node, names)):
            yield indent + line + (names.mark(node) if number == 0 else "")
    if block.results or not block.nodes:
        yield f"{indent}{last} {names.all(block.results)}".rstrip()


def _lines_of_node(node: Node, names: _Names) -> Iterator[str]:
    match node:
        case Equation():
            params = "".join(f"; {key}={value}" for key, value in node.params.items())
            call = f"{node.primitive.name}({names.all(node.ins)}{params})"
            yield f"{', '.join(names.typed(out) for out in node.outs)} = {call}"
        case Call():
            yield f"{', '.join(names.typed(out) for out in node.outs)} = {node.function.name}({names.all(node.ins)})"
        case Check():
            values = "".join(f", {names[value]}" for value in node.values)
            yield f"check({names[node.test]}, {node.exception}, {node.message!r}{values})"
        case Print():
            yield f"{node.function or 'print'}({', '.join((repr(node.text), *(names[value] for value in node.values)))})"
        case For():
            carried = "".join(f", {names.typed(c)} = {names[i]}" for c, i in zip(node.carry, node.init, strict=True))
            yield f"for {names[node.index]} in range({names[node.lo]}, {names[node.hi]}, {names[node.step]}){carried}:"
            yield from _lines_of_block(node.body, "next", names, "    ")
            yield from _bind(node, names)
        case While():
            carried = ", ".join(f"{names.typed(c)} = {names[i]}" for c, i in zip(node.carry, node.init, strict=True))
            yield f"while {carried}:"
            yield from _lines_of_block(node.test, "test", names, "    ")
            yield "do:"
            yield from _lines_of_block(node.body, "next", names, "    ")
            yield from _bind(node, names)
        case If():
            yield f"if {names[node.test]}:"
            yield from _lines_of_block(node.then, "yield", names, "    ")
            yield "else:"
            yield from _lines_of_block(node.orelse, "yield", names, "    ")
            yield from _bind(node, names)
        case Map():
            yield f"map {names[node.index]} in range({names[node.size]}):"
            yield from _lines_of_block(node.body, "yield", names, "    ")
            yield from _bind(node, names)


def _bind(node: Node, names: _Names) -> Iterator[str]:
    if node.outs:
        yield f"-> {', '.join(names.typed(out) for out in node.outs)}"
