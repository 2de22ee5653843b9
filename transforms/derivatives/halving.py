"""`cut`: a program in two, of which the second half is what needs the seeds.

    y = sin(x)                      fwd(x):             y = sin(x);  c = cos(x);  return y, c
    x_bar = cos(x) * y_bar    ->    bwd(c, y_bar):      x_bar = c * y_bar;  return x_bar
"""
from __future__ import annotations

from s2s.transforms.derivatives.rules import Halves
from s2s.transforms.ir import rewrite
from s2s.transforms.ir.program import Atom, Block, Equation, Function, Node, Var, free_vars, size_params
from s2s.transforms.primitives.joining import pack
from s2s.transforms.primitives.row import Cost, Elementwise
from s2s.transforms.primitives.structural import broadcast, iota, reshape, transpose
from s2s.types import Literal, is_size


def cut(function: Function, primal: tuple[Node, ...], results: tuple[Atom, ...], second: Block, seeds: tuple[Var, ...], name: str) -> Halves:
    """A program in two: `second` is what needs the seeds, `primal` what does not; what the second reads of the first is handed over."""
    second = _with_repeats(primal, second)
    known_sizes = size_params(function)
    own = {*seeds, *(dim for seed in seeds for dim in seed.type.shape if dim not in known_sizes)}
    needed = [var for var in free_vars(second) if var not in own]
    typed = {dim for var in (*needed, *seeds) for dim in var.type.shape}
    needed = sorted((var for var in needed if var not in typed or var in function.params or var not in known_sizes), key=_integers_first)
    extra = tuple(var for var in needed if not (var in function.params or var in known_sizes or var in results))
    forward = Function(f"{function.name}_fwd", function.params, Block(primal, (*results, *extra)), function.where, function.doc, None, derived=False)
    backward = Function(name, (*needed, *seeds), second, function.where, "", None, derived=True, told=_lengths_made(primal, {*needed, *known_sizes}))
    return Halves(forward, rewrite.renewed(backward), tuple(needed), extra)


def _lengths_made(primal: tuple[Node, ...], known: set[Var]) -> tuple[Equation, ...]:
    """How lengths that are handed over were made of others."""
    return tuple(
        node for node in primal
        if isinstance(node, Equation) and node.outs[0] in known and is_size(node.outs[0].type) and all(isinstance(atom, Literal) or atom in known for atom in node.ins)
    )  # fmt: skip


def _with_repeats(primal: tuple[Node, ...], second: Block) -> Block:
    """The second half with what repeats numbers, and what is made of numbers and lengths alone: made again, it need not be handed over."""
    repeats = _made_again(primal)
    wanted: set[Var] = set()
    left = [var for var in free_vars(second) if var in repeats]
    while left:
        var = left.pop()
        if var not in wanted:
            wanted.add(var)
            left += [other for other in free_vars(Block((repeats[var],), ())) if other in repeats]
    again = tuple(node for var, node in repeats.items() if var in wanted)
    return rewrite.Substitution().block(Block((*again, *second.nodes), second.results)) if again else second


def _made_again(primal: tuple[Node, ...]) -> dict[Var, Equation]:
    """What takes no longer to make again than to read: repeated numbers, other shapes of an array, and arrays in which no argument has a part."""
    found: dict[Var, Equation] = {}
    for node in primal:
        if isinstance(node, Equation) and (node.primitive in _OTHER_SHAPES or _is_cheap(node) and all(atom in found or isinstance(atom, Literal) or is_size(atom.type) for atom in node.ins)):
            found[node.outs[0]] = node
    return found


_OTHER_SHAPES = (broadcast, reshape, transpose)


def _is_cheap(node: Equation) -> bool:
    out = node.outs[0]
    is_told = bool(out.type.shape) or not is_size(out.type) and all(is_size(atom.type) for atom in node.ins)  # a length may be in the types of what is handed over
    return is_told and (node.primitive in (pack, iota, reshape) or isinstance(node.primitive.emission, Elementwise) and node.primitive.cost in (Cost.FREE, Cost.CHEAP))


def _integers_first(var: Var) -> int:
    return 0 if is_size(var.type) else 1
