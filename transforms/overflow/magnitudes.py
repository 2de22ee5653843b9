"""How large integers can be: which operations of Python's integers might leave 64 bits.

    def f(n: int):                          -2**31 < n < 2**31 (an argument)
        a = n * n + n                       < 2**62 + 2**31: fits
        for i in range(n):                  0 <= i < 2**31, at most 2**31 trips
            count += i                      < 2**31 * 2**31: fits
            h = h * 31 + i                  grows by a factor: might not fit
            g = (g * 31 + i) % 1000003      0 <= g < 1000003: fits
        while child < n:                    child < 2**31 inside
            child = 2 * child + 1           < 2**32: fits

Intervals (Cousot and Cousot, Static determination of dynamic properties of programs, 1976), where what a loop adds to an integer that it
carries counts once a trip. What grows otherwise from trip to trip is widened to all of 64 bits.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import islice
from math import isqrt

import numpy as np

from s2s.records import dataclass, replace
from s2s.transforms.ir.program import Block, Call, Check, Equation, For, Function, If, Map, Node, While, bound_inside, walk
from s2s.transforms.overflow.sizes import (
    ANY,
    BELOW,
    BEYOND_TOTAL,
    COUNT,
    LARGEST,
    LEAST,
    LENGTH,
    OTHER,
    PLACED,
    POSITIONS,
    PRESENT,
    SCALED,
    SUMS,
    Size,
    between,
    joined,
)
from s2s.transforms.primitives.arithmetic import add, equal, floor_divide, mul, square, sub
from s2s.transforms.primitives.conversion import absolute, convert
from s2s.transforms.primitives.indexing import At, operand_count
from s2s.transforms.primitives.integer_rows import COMPLEMENT
from s2s.transforms.primitives.logic import logical_and, logical_not, logical_or, right_shift
from s2s.transforms.primitives.reductions import reduce_sum
from s2s.types import BOOL, INT64, Atom, Literal, Var, is_integer

_TRIPS = 2**45
"""Trips of a loop that ends: ten hours of one a nanosecond."""
_PASSES = 4
"""How often the trips of a loop are looked at before nothing is taken for known of what it carries."""


def may_not_fit(function: Function, arguments: Mapping[Var, int]) -> set[Node]:
    """The operations of Python's integers, in a function and in what it calls, that may leave 64 bits where its arguments are no further from zero than these (others: any); and the checks of sums of lists that do."""
    found = _Walk(function, {})
    found.function(function, tuple(between(-arguments[each], arguments[each]) if each in arguments else ANY for each in function.params))
    return {node for node, at_risk in found.risks.items() if at_risk}


@dataclass(frozen=True)
class Product:
    """At most these lengths multiplied by each other, and by a number: n * (m // 2)."""

    lengths: tuple[Var, ...]
    times: Fraction


class _Walk:
    """One function's integers. `answers`: the results of functions by what they are called with; None while they are being looked at."""

    def __init__(self, function: Function, answers: dict[tuple[Function, tuple[tuple[int, int], ...]], tuple[Size, ...] | None]) -> None:
        self.answers = answers
        self.sizes: dict[Var, Size] = {}
        self.made: dict[Var, Equation] = {}
        self.products: dict[Var, Product] = {}
        self.shapes = _shapes(function)
        self.lengths = {dim for shape in self.shapes for dim in shape}
        self.risks: dict[Node, bool] = {}
        self.beyond: set[Atom] = set()
        """Sums of lists that may not fit."""
        self.learned: list[tuple[Var, Size | None]] = []
        """What was known of integers before tests said more, to the ends of blocks."""

    def function(self, function: Function, arguments: tuple[Size, ...]) -> None:
        """Look at all of it, where parameters are between these."""
        key = function, tuple((size.low, size.high) for size in arguments)
        self.answers[key] = None
        for param, size in zip(function.params, arguments, strict=True):
            of_type = _of_type(param)
            self.sizes[param] = between(max(size.low, of_type.low), min(size.high, of_type.high))
        self.answers[key] = tuple(between(size.low, size.high) for size in self.block(function.body))

    def block(self, block: Block, test: Atom | None = None, *, holds: bool = True) -> list[Size]:
        """The sizes of a block's results; a test holds in it, or not."""
        before = len(self.learned)
        if test is not None:
            self.learn(test, holds=holds)
        for node in block.nodes:
            self.node(node)
        results = [self.size(atom) for atom in block.results]
        while len(self.learned) > before:
            var, size = self.learned.pop()
            if size is None:
                del self.sizes[var]
            else:
                self.sizes[var] = size
        return results

    def size(self, atom: Atom) -> Size:
        """What is known of an atom."""
        if isinstance(atom, Literal):
            return between(int(atom.value), int(atom.value)) if is_integer(atom.type.dtype) or atom.type.dtype == BOOL else ANY  # type: ignore[arg-type]
        found = self.sizes.get(atom)
        if atom in self.lengths:
            return between(0, LENGTH) if found is None else found.within(0, COUNT)
        return _of_type(atom) if found is None else found

    def node(self, node: Node) -> None:
        """Note what a node binds."""
        match node:
            case Equation():
                dtype = node.outs[0].type.dtype
                if dtype == INT64:
                    self.equation(node)
                if dtype in (INT64, BOOL):
                    self.made[node.outs[0]] = node
                if node.primitive in PLACED:
                    self.placed(node)
            case Check():
                if node.message == BEYOND_TOTAL:
                    self.risks[node] = node.values[0] in self.beyond
                self.learn(node.test, holds=True)
            case For():
                self.loop(node, self.trips(node))
            case While():
                self.loop(node, _TRIPS)
            case Map():
                self.sizes[node.index] = between(0, self.size(node.size).high)
                self.bind(node.outs, self.block(node.body))
            case If():
                both = zip(self.block(node.then, node.test), self.block(node.orelse, node.test, holds=False), strict=True)
                self.bind(node.outs, map(joined, both))
            case Call():
                self.call(node)

    def trips(self, node: For) -> int:
        """How many trips there are at most; the index is between the ends."""
        lo, hi, step = map(self.size, (node.lo, node.hi, node.step))
        if step.low > 0:
            self.sizes[node.index] = between(lo.low, max(hi.high - 1, lo.low))
        elif step.high < 0:
            self.sizes[node.index] = between(min(hi.low + 1, lo.high), lo.high)
        else:
            self.sizes[node.index] = joined([between(lo.low, lo.high), between(hi.low, hi.high)])
        return max(0, min(max(hi.high - lo.low, lo.high - hi.low), _TRIPS))

    def learn(self, test: Atom, *, holds: bool) -> None:
        """What integers are where a test holds, or doesn't, to the end of the block."""
        made = self.made.get(test) if isinstance(test, Var) else None
        if made is None:
            return
        if made.primitive is logical_not or made.primitive is convert:
            self.learn(made.ins[0], holds=holds is (made.primitive is convert))
        elif made.primitive is (logical_and if holds else logical_or):
            for each in made.ins:
                self.learn(each, holds=holds)
        elif made.primitive is equal and holds:
            self.at_most(made.ins[0], made.ins[1], 0)
            self.at_most(made.ins[1], made.ins[0], 0)
        elif made.primitive in BELOW:
            small, large, more = BELOW[made.primitive if holds else COMPLEMENT[made.primitive]]
            self.at_most(made.ins[small], made.ins[large], more)

    def at_most(self, small: Atom, large: Atom, more: int) -> None:
        """A number is at most another one, plus something."""
        if small.type.dtype != INT64 or large.type.dtype != INT64 or small.type.shape or large.type.shape:
            return
        a, b = self.size(small), self.size(large)
        self.know(small, a.within(LEAST, b.high + more))
        self.know(large, b.within(a.low - more, LARGEST))

    def know(self, atom: Atom, size: Size) -> None:
        """More is known of an integer, to the end of the block; and of one that it is the square of, or a number more than."""
        if not isinstance(atom, Var) or size is self.size(atom):
            return
        self.learned.append((atom, self.sizes.get(atom)))
        self.sizes[atom] = size
        made = self.made.get(atom)
        if made is None:
            return
        one, *others = made.ins
        if made.primitive is square or made.primitive is mul and others == [one]:
            self.know(one, self.size(one).within(-isqrt(max(size.high, 0)), isqrt(max(size.high, 0))))
        elif made.primitive in (add, sub) and isinstance(others[0], Literal):
            more = int(others[0].value) * SUMS[made.primitive][1]  # type: ignore[arg-type]
            self.know(one, self.size(one).within(size.low - more, size.high - more))

    def placed(self, node: Equation) -> None:
        """A number that says where an element stands is a place in the array from here on: otherwise there is an error."""
        operands = iter(node.ins[PLACED[node.primitive] :])
        for item in node.params["index"]:
            for atom in islice(operands, operand_count((item,))):
                if isinstance(item, At):
                    self.know(atom, self.size(atom).within(-LENGTH, LENGTH))

    def bind(self, outs: Iterable[Var], sizes: Iterable[Size]) -> None:
        """Note the sizes of integers."""
        for out, size in zip(outs, sizes, strict=True):
            if out.type.dtype == INT64:
                self.sizes[out] = size.within(LEAST, LARGEST)

    def call(self, node: Call) -> None:
        """A function is looked at once for each sizes of its arguments; one that calls itself may give any integer."""
        arguments = tuple(self.size(atom) for atom in node.ins)
        key = node.function, tuple((size.low, size.high) for size in arguments)
        if key not in self.answers:
            inner = _Walk(node.function, self.answers)
            inner.function(node.function, arguments)
            for equation, at_risk in inner.risks.items():
                self.risks[equation] = at_risk or self.risks.get(equation, False)
        results = self.answers[key]
        self.bind(node.outs, [ANY for _ in node.outs] if results is None else results)

    def loop(self, node: For | While, trips: int) -> None:
        """What is carried: first taken to stay as it starts, then to be what the trips make of it, then to be anything; last what trips make of that."""
        starts = [self.size(atom) for atom in node.init]
        taken, settled = starts, False
        for attempt in range(_PASSES + 2):
            for var, size in zip(node.carry, taken, strict=True):
                self.bind([var], [Size(size.low, size.high, 0, frozenset({var}))])
            ends = self.after(node.carry, starts, self.trip(node), trips)
            if settled or all(size.low == end.low and size.high == end.high for size, end in zip(taken, ends, strict=True)):
                break
            settled = all(size.low <= end.low and end.high <= size.high for size, end in zip(taken, ends, strict=True))
            far = [-LEAST if attempt else self.furthest(end) for end in ends]
            widened = (ANY if attempt == _PASSES - 1 else _widened(*each) for each in zip(taken, ends, far, strict=True))
            taken = [between(end.low, end.high) for end in ends] if settled else list(widened)  # less than it was taken for: nothing grows by that
        self.bind(node.outs, ends)

    def trip(self, node: For | While) -> list[Size]:
        """The sizes of what a trip makes of what is carried."""
        if isinstance(node, For):
            return self.block(node.body)
        self.block(node.test)
        return self.block(node.body, node.test.results[0])

    def after(self, carry: tuple[Var, ...], starts: list[Size], trip: list[Size], trips: int) -> list[Size]:
        """What is carried at the end: the furthest of all that it may come from, and further by what each trip adds."""
        number = {var: each for each, var in enumerate(carry)}
        return [self._after(each, number, starts, trip, trips) for each in range(len(carry))]

    def _after(self, each: int, number: Mapping[Var, int], starts: list[Size], trip: list[Size], trips: int) -> Size:
        origins = _reached(each, number, trip)
        sizes = [*(starts[one] for one in origins), *(trip[one] for one in origins)]
        added = trips * max(trip[one].grown for one in origins)
        floor = max(size.floor for size in sizes) + added
        carried = frozenset(var for size in sizes for var in size.carried if var not in number)
        grown = max(starts[one].grown for one in origins) + added
        end = Size(min(starts[each].low, trip[each].low), max(starts[each].high, trip[each].high), floor, carried, grown)
        far = self.furthest(end)
        return end.within(-far, far)

    def furthest(self, size: Size) -> int:
        """How far from zero it is by what it comes from."""
        return max([size.floor, *(self.sizes[var].most + size.grown for var in size.carried)])

    def equation(self, node: Equation) -> None:
        """An equation whose results are integers."""
        primitive, (out, *_) = node.primitive, node.outs
        size = ANY
        if primitive in SUMS or primitive in SCALED:
            size = self.sum(node) if primitive in SUMS else self.scaled(node)
            self.risks[node] = not size.fits
            if not size.fits:
                self.beyond.add(out)
        elif primitive in POSITIONS:
            size = between(0, LENGTH)
        elif primitive in PRESENT:
            first, end = PRESENT[primitive]
            size = joined([self.size(atom) for atom in node.ins[first:end]])
        elif primitive in OTHER:
            halved = self._of_two(node)
            size = OTHER[primitive](*map(self.size, node.ins)) if halved is None else halved
            if primitive is reduce_sum and not size.fits:
                self.beyond.add(out)
            if primitive in (absolute, floor_divide):
                self.risks[node] = not size.fits
            if primitive is floor_divide:
                self._product(node)
        self.bind(node.outs, [size for _ in node.outs])

    def sum(self, node: Equation) -> Size:
        """A sum or difference, or a number with its other sign."""
        sizes = [self.size(atom) for atom in node.ins]
        signs = SUMS[node.primitive]
        low = sum(size.low if sign > 0 else -size.high for size, sign in zip(sizes, signs, strict=True))
        high = sum(size.high if sign > 0 else -size.low for size, sign in zip(sizes, signs, strict=True))
        if len(sizes) == 1:
            return replace(sizes[0], low=low, high=high)
        if (one := self._between(node)) is not None:
            return one.within(low, high)
        a, b = sorted(sizes, key=lambda size: not size.carried)
        if not a.carried or b.carried:
            return between(low, high)
        return Size(low, high, a.floor + b.most, a.carried, a.grown + b.most)

    def _between(self, node: Equation) -> Size | None:
        """low + (high - low) // 2: one of the two, at most."""
        for low, rest in (node.ins, node.ins[::-1]):
            quotient = self.made.get(rest) if isinstance(rest, Var) else None
            difference = self.made.get(quotient.ins[0]) if quotient is not None and quotient.primitive in (floor_divide, right_shift) and isinstance(quotient.ins[0], Var) else None
            if difference is not None and difference.primitive is sub and low is difference.ins[1]:
                return joined([self.size(atom) for atom in difference.ins])
        return None

    def _of_two(self, node: Equation) -> Size | None:
        """(low + high) // 2: no further than one of the two."""
        a, *rest = node.ins
        made = self.made.get(a) if isinstance(a, Var) else None
        least = {floor_divide: 2, right_shift: 1}.get(node.primitive)
        if least is None or made is None or made.primitive not in SUMS or len(made.ins) != 2 or self.size(rest[0]).low < least:
            return None
        plain = OTHER[node.primitive](self.size(a), self.size(rest[0]))
        both = joined([self.size(atom) for atom in made.ins])
        return replace(both, low=-both.most, high=both.most).within(plain.low, plain.high)

    def scaled(self, node: Equation) -> Size:
        """A product, a power, a shift: products of lengths of one array are what it holds."""
        product = self._product(node) if node.primitive is mul else None
        if product is not None and any(all(shape.count(each) >= product.lengths.count(each) for each in product.lengths) for shape in self.shapes):
            return between(0, int(COUNT * product.times))
        return SCALED[node.primitive](node, *map(self.size, node.ins))

    def _product(self, node: Equation) -> Product | None:
        """What a product or a quotient is as one of lengths, where it is one."""
        one, other = map(self._factor, node.ins)
        if one is None or other is None or node.primitive is floor_divide and (other.lengths or other.times < 1):
            return None
        found = Product(one.lengths + other.lengths, one.times * other.times if node.primitive is mul else one.times / other.times)
        self.products[node.outs[0]] = found
        return found

    def _factor(self, atom: Atom) -> Product | None:
        if isinstance(atom, Literal):
            return Product((), Fraction(int(atom.value))) if atom.value >= 0 else None  # type: ignore[operator,arg-type]
        return self.products.get(atom, Product((atom,), Fraction(1)) if atom in self.lengths else None)


def _widened(taken: Size, end: Size, far: int) -> Size:
    """What is taken to be carried, further on the sides where a trip leads further."""
    return between(min(taken.low, -far) if end.low < taken.low else taken.low, max(taken.high, far) if end.high > taken.high else taken.high)


def _reached(number: int, numbers: Mapping[Var, int], trip: list[Size]) -> set[int]:
    """All that a carried integer may come from."""
    reached, todo = {number}, [number]
    while todo:
        for var in trip[todo.pop()].carried:
            if var in numbers and numbers[var] not in reached:
                reached.add(numbers[var])
                todo.append(numbers[var])
    return reached


def _of_type(atom: Atom) -> Size:
    """What its dtype holds."""
    dtype = atom.type.dtype
    if dtype.kind == "b":
        return between(0, 1)
    if not is_integer(dtype):
        return ANY
    limits = np.iinfo(dtype)
    return between(int(limits.min), min(int(limits.max), LARGEST))


def _shapes(function: Function) -> list[tuple[Var, ...]]:
    """The lengths of the arrays of a function."""
    outs = [var for node in walk(function.body) for var in (*node.outs, *bound_inside(node))]
    shapes = {tuple(dim for dim in var.type.shape if isinstance(dim, Var)) for var in (*function.params, *outs) if var.type.shape}
    return [shape for shape in shapes if shape]
