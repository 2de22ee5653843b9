"""Results that share storage with an argument or with another result: the public function takes them, as Python does.

    return x[1:], x.T, 2.0 * x        the kernel computes 2.0 * x; the public function ends with
                                      return x_given[1:], x_given.transpose(1, 0), ans

`taken_apart` leaves to the kernel what only it can compute: new arrays, and integers of run time that indices need. Integers
that are made of sizes and arguments alone are written out where they are used.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from s2s import tree_util
from s2s.errors import Location
from s2s.records import dataclass, field, replace
from s2s.transforms.ir.program import Equation, Var, size_params
from s2s.transforms.ir.staged import Chosen, Indexed, PartOfNumbers, Permuted, Result, Seen, SeenStep, Shaped, Staged, options_of
from s2s.transforms.primitives.arithmetic import add, floor_divide, maximum, minimum, mul, sub
from s2s.transforms.primitives.index import At, Full, Span
from s2s.transforms.primitives.row import Primitive
from s2s.transforms.simplify.simplification import simplify
from s2s.types import SIZE, Array, Atom, Literal, atom_dim

_OPERATORS = {add: "+", sub: "-", mul: "*", floor_divide: "//"}
_FUNCTIONS = {maximum: "max", minimum: "min"}


@dataclass(frozen=True, eq=False)
class Given:
    """Leaf of a result tree: what `origin` says. `own`: the number of the result's own value, where some path needs it."""

    origin: Seen
    type: Array
    own: int


@dataclass(frozen=True, eq=False)
class Apart:
    """`staged`: what is left to the kernel, its result tree with `Given` leaves. `results`: the atoms that operands' numbers mean;
    those in `texts` need no kernel.
    """

    staged: Staged
    definitions: Mapping[Var, Equation] = field(default_factory=dict)
    sizes: Mapping[Var, tuple[int, int]] = field(default_factory=dict)
    atoms: tuple[Atom, ...] = ()
    given: Mapping[Var, None] = field(default_factory=dict)
    """The parameters that results share, whatever their layout in memory."""
    places: tuple[int, ...] = ()
    """For each of `atoms` the kernel's result that holds it, -1 where there is none."""

    def made(self, leaf: Given) -> Equation | None:
        """The equation that the program has for what a leaf shows."""
        atom = self.atoms[leaf.own]
        return self.definitions.get(atom) if isinstance(atom, Var) else None

    @property
    def is_all(self) -> bool:
        """Whether nothing is left to a kernel."""
        body = self.staged.function.body
        return bool(self.atoms) and not body.nodes and not body.results


def taken_apart(staged: Staged) -> Apart:
    """The program without what the public function does itself."""
    origins = dict(staged.origins)
    if not origins:
        return Apart(staged)
    function = staged.function
    results = function.body.results
    apart = Apart(
        staged, {node.outs[0]: node for node in function.body.nodes if isinstance(node, Equation) and len(node.outs) == 1},
        size_params(function), results, params_given(staged),
    )  # fmt: skip
    kept = {number for _, number in staged.mutated}
    for leaf in tree_util.tree_leaves(staged.result):
        if isinstance(leaf, Result):
            kept |= set(needed(apart, origins[leaf.number], leaf.number)) if leaf.number in origins else {leaf.number}
    order = sorted(kept)
    places = tuple(order.index(number) if number in kept else -1 for number in range(len(results)))

    def leaf_of(leaf: Any) -> Any:
        if not isinstance(leaf, Result):
            return leaf
        if leaf.number in origins:
            return Given(origins[leaf.number], results[leaf.number].type, leaf.number)
        return replace(leaf, number=places[leaf.number])

    pruned = simplify(replace(function, body=replace(function.body, results=tuple(results[number] for number in order))))
    mutated = tuple((var, places[number]) for var, number in staged.mutated)
    tree = tree_util.tree_map(leaf_of, staged.result)
    return replace(apart, staged=replace(staged, function=pruned, result=tree, mutated=mutated, origins=()), places=places)


def needed(apart: Apart, origin: Seen, own: int) -> Iterator[int]:
    """The results that must be computed for it."""
    for number in _numbers(origin, own):
        if number == own or apart.atoms[number].type.shape or not _is_plain(apart, apart.atoms[number]):
            yield number


def _numbers(origin: Seen, own: int) -> Iterator[int]:
    base = origin.base
    if isinstance(base, Result):
        yield base.number
    if isinstance(base, Chosen):
        if isinstance(base.place, Result):
            yield base.place.number
        for option in base.options:
            yield from (own,) if option is None else _numbers(option, own)
    for step in origin.steps:
        for operand in _operands(step):
            if isinstance(operand, Result):
                yield operand.number


def bases_of(origin: Seen, own: int) -> Iterator[int]:
    """The array results that it shares."""
    base = origin.base
    if isinstance(base, Result):
        yield base.number
    if isinstance(base, Chosen):
        for option in base.options:
            yield from (own,) if option is None else bases_of(option, own)


def _operands(step: SeenStep) -> tuple[Any, ...]:
    return step.operands if isinstance(step, Indexed) else step.dims if isinstance(step, Shaped) else ()


def params_given(staged: Staged) -> dict[Var, None]:
    """The parameters that are given back, or views of them; those that are written into, which must lie in C order, left out."""
    strict = {*dict(staged.mutated), *staged.in_order}
    bases = [option.base for _, origin in staged.origins for option in options_of(origin)]
    return dict.fromkeys(base for base in bases if isinstance(base, Var) and base not in strict)


# ---- text ---------------------------------------------------------------------------------------------------------------------


def _is_plain(apart: Apart, atom: Atom) -> bool:
    """Whether an integer is made of literals, sizes and arguments alone."""
    if isinstance(atom, Literal):
        return True
    if atom.type.shape or atom.type.dtype != SIZE.dtype:
        return False
    node = apart.definitions.get(atom)
    if node is None:
        return atom in apart.sizes or atom in apart.staged.function.params
    return node.primitive in {*_OPERATORS, *_FUNCTIONS} and all(_is_plain(apart, part) for part in node.ins)


@dataclass(frozen=True, eq=False)
class Texts:
    """Writes what is given back. `name`: a parameter's text; `computed`: a kernel result's text."""

    apart: Apart
    name: Callable[[Var], str]
    computed: Callable[[int], str]
    base: Callable[[int], str]
    spot: Callable[[str, Location], object]
    """Told what stems from which of the user's indices."""

    def given(self, leaf: Given) -> str:
        """The whole expression."""
        return self._seen(leaf.origin, leaf.own)

    def _seen(self, origin: Seen, own: int) -> str:
        base = origin.base
        if isinstance(base, Chosen):
            text = self._choice(base, own)
            text = f"({text})" if origin.steps and self._is_test(base) else text
            option = next(option for option in base.options if option is not None)
            shape = self._shape(option)
        elif isinstance(base, Result):
            text, shape = self.base(self.apart.places[base.number]), self.apart.atoms[base.number].type.shape
        else:
            text, shape = self.name(base), base.type.shape
        for step in origin.steps:
            more, shape = self._step(step, shape)
            text += more
            if isinstance(step, Indexed):
                self.spot(text, step.where)
        return text

    def _shape(self, origin: Seen) -> tuple[Any, ...]:
        base = origin.base
        if isinstance(base, Chosen):
            return self._shape(next(option for option in base.options if option is not None))
        shape = base.type.shape if isinstance(base, Var) else self.apart.atoms[base.number].type.shape
        for step in origin.steps:
            shape = self._step(step, shape)[1]
        return shape

    def _choice(self, chosen: Chosen, own: int) -> str:
        options = [self.base(self.apart.places[own]) if option is None else self._seen(option, own) for option in chosen.options]
        place = self._integer(self._atom(chosen.place))
        if self._is_test(chosen):
            one = f"({options[0]})" if self._is_conditional(chosen.options[0]) else options[0]
            return f"{one} if {place} else {options[1]}"
        return f"({', '.join(options)})[{place}]"

    def _is_conditional(self, option: Seen | None) -> bool:
        """Whether its text is `a if test else b`."""
        return option is not None and not option.steps and isinstance(option.base, Chosen) and self._is_test(option.base)

    def _is_test(self, chosen: Chosen) -> bool:
        """Whether one of two is chosen by a bool, else one by its number."""
        return self._atom(chosen.place).type.dtype.kind == "b"

    def _atom(self, operand: Any) -> Atom:
        return self.apart.atoms[operand.number] if isinstance(operand, Result) else operand

    def _step(self, step: SeenStep, shape: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
        """The text behind an array, and the new shape."""
        if isinstance(step, Permuted):
            new = tuple(shape[axis] for axis in step.axes)
            reverse = step.axes == tuple(reversed(range(len(shape))))
            return ".T" if reverse else f".transpose({', '.join(map(str, step.axes))})", new
        if isinstance(step, PartOfNumbers):
            return ".real" if step.is_real else ".imag", shape
        if isinstance(step, Shaped):
            dims = tuple(atom_dim(self._atom(dim)) for dim in step.dims)
            if step.ravel:
                return ".ravel()", dims
            if tuple(dim for dim in dims if dim != 1) == shape or tuple(dim for dim in dims if dim != 1) == tuple(dim for dim in shape if dim != 1) and len(dims) > len(shape):
                return self._new_axes(dims, shape), dims
            if len(dims) == 1:
                return ".reshape(-1)", dims
            return f".reshape({', '.join(self._integer(self._atom(dim)) for dim in step.dims) or '()'})", dims
        return self._index(step, shape)

    def _new_axes(self, dims: tuple[Any, ...], shape: tuple[Any, ...]) -> str:
        """[:, None] for axes of length 1 between those that there are."""
        items: list[str] = []
        rest = list(shape)
        for dim in dims:
            if rest and dim == rest[0] and (dim != 1 or len(dims) - len(items) <= len(rest)):
                items.append(":")
                del rest[0]
            else:
                items.append("None")
        if rest:
            return f".reshape({', '.join(self._dim(dim) for dim in dims) or '()'})"
        return f"[{', '.join(items)}]"

    def _dim(self, dim: Any) -> str:
        return str(dim) if isinstance(dim, int) else self._integer(dim)

    def _index(self, step: Indexed, shape: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
        operands = iter(self._atom(operand) for operand in step.operands)
        items: list[str] = []
        new: list[Any] = []
        backwards: list[str] = []
        for item, dim in zip(step.index, shape, strict=False):
            match item:
                case At():
                    items.append(self._position(next(operands), dim))
                case Full():
                    items.append(":")
                    new.append(dim)
                    backwards.append(":")
                case Span():
                    start, size = next(operands), next(operands)
                    items.append(self._slice(start, size, item.step, dim))
                    backwards.append("::-1" if item.step < 0 and items[-1] != "::-1" else ":")
                    new.append(atom_dim(size))
        while items and items[-1] == ":":
            items.pop()
        text = f"[{', '.join(items) or ':'}]"
        return text + (f"[{', '.join(backwards)}]" if "::-1" in backwards else ""), (*new, *shape[len(step.index):])

    def _position(self, atom: Atom, dim: Any) -> str:
        behind = self._behind(atom, dim)
        return str(-behind) if behind else self._integer(atom)

    def _slice(self, start: Atom, size: Atom, step: int, dim: Any) -> str:
        """The slice of `size` positions from `start` on; of a negative step those positions in rising order, but for ::-1."""
        whole = atom_dim(size) == dim
        if step < 0:
            if step == -1 and whole and self._behind(start, dim) == 1:
                return "::-1"
            first = f"{self._part(start)} - {_factor(f'({self._part(size)} - 1)', -step)}"
            return f"{first}:{self._part(start)} + 1" + (f":{-step}" if step < -1 else "")
        by = f":{step}" if step > 1 else ""
        if isinstance(start, Literal) and (end := self._end(_value(start), size, step, dim)) is not None:
            return f"{start.value or ''}:{end}{by}"
        if step == 1 and self._is_rest(size, start, dim):
            behind = self._behind(start, dim)
            return f"-{behind}:" if behind else f"{self._integer(start)}:"
        length = _factor(self._integer(size) if step == 1 else self._part(size), step)
        return f":{length}{by}" if _value(start) == 0 else f"{self._integer(start)}:{self._part(start)} + {length}{by}"

    def _end(self, start: int, size: Atom, step: int, dim: Any) -> str | None:
        """The text of a slice's end, from a known start."""
        if start == 0 and atom_dim(size) == dim and step == 1:
            return ""
        if step > 1:
            parts = self._parts(size, floor_divide)
            top = self._parts(parts[0], add) if parts is not None and _value(parts[1]) == step else None
            return "" if start == 0 and top is not None and atom_dim(top[0]) == dim and _value(top[1]) == step - 1 else None
        if start == 0 and (parts := self._parts(size, minimum)) is not None:
            ends = [part for part in parts if isinstance(part, Literal)]
            return str(ends[0].value) if ends and any(atom_dim(part) == dim for part in parts) else None
        parts = self._parts(size, maximum)
        left = self._parts(parts[0], sub) if parts is not None and _value(parts[1]) == 0 else None
        if left is None or not isinstance(left[1], Literal):
            return None
        if atom_dim(left[0]) == dim and _value(left[1]) >= start:
            return "" if left[1].value == start else str(start - _value(left[1]))
        ends = [part for part in self._parts(left[0], minimum) or () if isinstance(part, Literal)]
        is_end = ends and left[1].value == start and any(atom_dim(part) == dim for part in self._parts(left[0], minimum) or ())
        return str(ends[0].value) if is_end else None

    def _behind(self, atom: Atom, dim: Any) -> int:
        """k where an integer is dim - k, or max(dim - k, 0), for a number k > 0; else 0."""
        parts = self._parts(atom, maximum)
        if parts is not None and _value(parts[1]) == 0:
            atom = parts[0]
        parts = self._parts(atom, sub)
        found = parts is not None and atom_dim(parts[0]) == dim and isinstance(parts[1], Literal)
        return _value(parts[1]) if found and parts is not None and isinstance(parts[1], Literal) else 0

    def _is_rest(self, size: Atom, start: Atom, dim: Any) -> bool:
        """Whether a size is dim - start, or max(dim - start, 0)."""
        parts = self._parts(size, maximum)
        inner = self._parts(parts[0] if parts is not None and _value(parts[1]) == 0 else size, sub)
        return inner is not None and atom_dim(inner[0]) == dim and inner[1] == start

    def _parts(self, atom: Atom, row: Primitive) -> tuple[Atom, ...] | None:
        node = self.apart.definitions.get(atom) if isinstance(atom, Var) else None
        return node.ins if node is not None and node.primitive is row else None

    def _integer(self, atom: Atom) -> str:
        return self._term(atom)[0]

    def _part(self, atom: Atom) -> str:
        """An integer as a part of a sum or product."""
        text, is_one = self._term(atom)
        return text if is_one else f"({text})"

    def _term(self, atom: Atom) -> tuple[str, bool]:
        """An integer's text, and whether that is one operand: no operator stands outside of parentheses."""
        if isinstance(atom, Literal):
            return repr(atom.value), True
        number = next((number for number, each in enumerate(self.apart.atoms) if each is atom and self.apart.places[number] >= 0), None)
        if number is not None:
            text = self.computed(self.apart.places[number])
            return text, text.isidentifier()
        node = self.apart.definitions.get(atom)
        if node is None:
            if atom in self.apart.sizes:
                param, axis = self.apart.sizes[atom]
                return f"{self.name(self.apart.staged.function.params[param])}.shape[{axis}]", True
            return self.name(atom), True
        if node.primitive in _FUNCTIONS:
            return f"{_FUNCTIONS[node.primitive]}({', '.join(map(self._integer, node.ins))})", True
        return f" {_OPERATORS[node.primitive]} ".join(map(self._part, node.ins)), False


def _factor(text: str, step: int) -> str:
    return text if step == 1 else f"{step} * {text}"


def _value(atom: Atom) -> Any:
    return atom.value if isinstance(atom, Literal) else None


__all__ = ["Apart", "Given", "Texts", "bases_of", "needed", "params_given", "taken_apart"]
