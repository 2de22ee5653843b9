"""Derivatives: what is the same everywhere stays one number. A product with a repeated operand is a sum.

    ones = broadcast(1.0, n, p)                                   sums = reduce_sum(b; axes=(1,))
    a_bar = contract(ones, b; spec=ac,bc->ab)       ->            a_bar = broadcast(sums, n, m; axes=(1,))

The cotangent of a sum is such an array: the gradient of `np.sum(a @ b)` needs no product of matrices. A helper that only computes with
such an array is given the number. The order of sums and factors changes, which in a derivative is ours to choose; of the user's own
program nothing changes.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from s2s.records import dataclass, replace
from s2s.transforms.ir.program import Atom, Block, Call, Equation, Function, Literal, Var, operands, size_params, walk
from s2s.transforms.primitives.contract import contract, letters
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.transforms.primitives.row import Elementwise, Primitive
from s2s.transforms.primitives.structural import broadcast, retype
from s2s.types import dim_atom

Made = Mapping[Var, Equation]


@dataclass(frozen=True)
class Repeats:
    """What an array repeats: `source` along all axes but `axes`. `before`: the equations that compute it once."""

    source: Atom
    axes: tuple[int, ...]
    before: tuple[Equation, ...] = ()


_DEPTH = 4
"""How many operations deep numbers are looked for that an array repeats."""


def repeats_of(atom: Atom, made: Made, depth: int = _DEPTH) -> Repeats | None:
    """What an array repeats, if it is a broadcast or computed of arrays that repeat one number each."""
    node = made.get(atom) if isinstance(atom, Var) else None
    if node is None:
        return None
    if node.primitive is retype:
        repeats = repeats_of(node.ins[0], made, depth)
        return None if repeats is None else _with_sizes(repeats, node)
    if node.primitive is broadcast:
        return _with_sizes(Repeats(node.ins[0], node.params["axes"]), node)
    if not depth or not isinstance(node.primitive.emission, Elementwise) or not node.outs[0].type.shape:
        return None
    parts: list[Repeats] = []
    for each in node.ins:
        part = repeats_of(each, made, depth - 1)
        if part is None or part.axes:
            return None
        parts.append(part)
    before = [each for part in parts for each in part.before]
    once = _made(before, node.primitive, tuple(part.source for part in parts), node.params, node)
    return Repeats(once, (), tuple(before))


def _with_sizes(repeats: Repeats, node: Equation) -> Repeats:
    """With the sizes that the node's result has along the axes: its operand may have others, of which a check has shown that they are equal."""
    (out,) = node.outs
    shape = tuple(out.type.shape[axis] for axis in repeats.axes)
    if repeats.source.type.shape == shape:
        return repeats
    before = list(repeats.before)
    source = _made(before, retype, (repeats.source, *map(dim_atom, shape)), {}, node)
    return replace(repeats, source=source, before=tuple(before))


def without_repeats(node: Equation, made: Made) -> tuple[Equation, ...]:
    """The equations that a product with a repeated operand is; it alone, if there is nothing to save. The last one binds its outs."""
    if node.primitive is contract:
        for number in (0, 1):
            repeats = repeats_of(node.ins[number], made)
            if repeats is not None and (found := _product(node, number, repeats)):
                return found
    return (node,)


def _product(node: Equation, number: int, repeats: Repeats) -> tuple[Equation, ...] | None:
    """A product whose operand `number` repeats something: of that and of the other operand's sums, repeated."""
    *letters_, result = letters(node.params["spec"])
    named, other = letters_[number], letters_[1 - number]
    lost = [letter for axis, letter in enumerate(named) if axis not in repeats.axes]
    summed = tuple(axis for axis, letter in enumerate(other) if letter in lost and letter not in result)
    repeated = [letter for letter in lost if letter in result and letter not in other]
    if not summed and not repeated:
        return None
    found = list(repeats.before)
    source, sums = repeats.source, node.ins[1 - number]
    if summed:
        sums = _made(found, reduce_sum, (sums,), {"axes": summed}, node)
        other = "".join(letter for axis, letter in enumerate(other) if axis not in summed)
    own = "".join(letter for letter in named if letter not in lost)
    kept = "".join(letter for letter in result if letter not in repeated)
    pair, ins = ((own, other), (source, sums)) if number == 0 else ((other, own), (sums, source))
    if own or other != kept or not _is_one(source):
        sums = _made(found, contract, ins, {"spec": f"{pair[0]},{pair[1]}->{kept}"}, node)
    return _as_result(found, sums, tuple(result.index(letter) for letter in kept), node)


def _as_result(found: list[Equation], value: Atom, axes: tuple[int, ...], node: Equation) -> tuple[Equation, ...]:
    """The equations, of which the last one gives the node's result: the value, repeated along the other axes."""
    (out,) = node.outs
    if len(axes) < out.type.ndim:
        return (*found, Equation((out,), broadcast, (value, *map(dim_atom, out.type.shape)), {"axes": axes}, node.where))
    last = found[-1]
    return (*found[:-1], Equation((out,), last.primitive, last.ins, last.params, node.where))


Known = tuple[tuple[int, str], ...]
"""Which parameters repeat one number, and which it is; "" is told by the run."""


def call_of_numbers(node: Call, made: Made, known: dict[tuple[Function, Known], Function]) -> Call:
    """The call with numbers in the place of arrays that repeat them: of a function that repeats them itself. `known`: those made so far."""
    function = node.function
    numbers = {
        number: repeats.source for number, atom in enumerate(node.ins) if (repeats := repeats_of(atom, made)) is not None and not repeats.axes and not repeats.before
    }
    numbers = _told_otherwise(function, {number: atom for number, atom in numbers.items() if _only_computed_with(function.params[number], function)})
    if not numbers or function.rule is not None or not function.derived:
        return node
    key = function, tuple((number, repr(atom) if isinstance(atom, Literal) else "") for number, atom in numbers.items())
    if key not in known:
        known[key] = _of_numbers(function, numbers)
    ins = tuple(numbers.get(number, atom) for number, atom in enumerate(node.ins) if not isinstance(numbers.get(number), Literal))
    return replace(node, function=known[key], ins=ins)


def _told_otherwise(function: Function, numbers: dict[int, Atom]) -> dict[int, Atom]:
    """Those of the parameters whose lengths the others tell."""
    left = replace(function, params=tuple(param for number, param in enumerate(function.params) if number not in numbers))
    told = {*size_params(left), *left.params}
    return {number: atom for number, atom in numbers.items() if all(isinstance(dim, int) or dim in told for dim in function.params[number].type.shape)}


def _only_computed_with(param: Var, function: Function) -> bool:
    """Whether a parameter is nothing but an operand of products and of operations element by element, so that no array of it is needed."""
    names = {param}
    for node in walk(function.body):
        read = names.intersection(operands(node))
        if isinstance(node, Equation) and node.primitive is retype and node.ins[0] in names:
            names.update(node.outs)
        elif read and not (isinstance(node, Equation) and (node.primitive is contract or isinstance(node.primitive.emission, Elementwise))):
            return False
        if any(names.intersection(block.results) for block in node.blocks):
            return False
    return not names.intersection(function.body.results)


def _of_numbers(function: Function, numbers: dict[int, Atom]) -> Function:
    params: list[Var] = []
    repeats: list[Equation] = []
    for number, param in enumerate(function.params):
        source = numbers.get(number)
        if source is None:
            params.append(param)
            continue
        if isinstance(source, Var):
            source = Var(param.name, source.type)
            params.append(source)
        repeats.append(Equation((param,), broadcast, (source, *map(dim_atom, param.type.shape)), {"axes": ()}, function.where))
    return replace(function, params=tuple(params), body=Block((*repeats, *function.body.nodes), function.body.results))


def _made(found: list[Equation], primitive: Primitive, ins: tuple[Atom, ...], params: Mapping[str, Any], node: Equation) -> Var:
    (type_,) = primitive.infer(ins, **params)
    out = Var(primitive.name, type_)
    found.append(Equation((out,), primitive, ins, params, node.where))
    return out


def _is_one(atom: Atom) -> bool:
    return isinstance(atom, Literal) and atom.value == 1
