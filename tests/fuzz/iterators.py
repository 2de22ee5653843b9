"""A grammar of programs about iterators: what makes them, who holds them, who takes from them and how much, and what their items depend on and changes meanwhile.

A program is `f(x, y, items, n, b)`: two arrays of a few floats, a list of floats, an int and a float. It is judged as those of `objects` are; of some the result is one float, and its gradient is
compared with differences (`loss`). Several iterators may take from one. What never ends is cut off by what takes from it.
"""
from __future__ import annotations

from dataclasses import dataclass

from .grammar import Chooser
from .iterators_header import HEADER


@dataclass(frozen=True)
class Place:
    """An expression that gives an iterator, and what its items are: number, pair, or kept (an array or a list that may be changed after it was given)."""

    text: str
    item: str


NUMBER = {"number": "{0}", "pair": "({0}[0] - 2.0 * {0}[1])", "kept": "({0}[0] + len({0}))", "one of": "sum({0})"}
"""A number made of an item of each kind."""


class IteratorProgram(Chooser):
    """The text of one program of so many statements."""

    def __init__(self, draws, size: int = 4) -> None:  # type: ignore[no-untyped-def]
        super().__init__(draws)
        self.size, self.places, self.results, self.made = size, [], [], 0

    def text(self) -> str:
        """The module."""
        lines = ["held = [0.0]", "seen = {'n': 0}", "own = Sum(0.0)", "low = b"]
        for _ in range(1 + self.size % 3):
            lines += self.maker()
        for _ in range(self.size):
            lines += self.statement()
        for place in self.places[:3]:
            lines += self.keep(f"list({place.text})") if place.item != "kept" else self.keep(f"[{self.number(place)} for v in {place.text}]")
        lines.append(f"return {', '.join(self.results)}, held, seen, own.total, x, items")
        body = "\n".join("    " + line for line in lines)
        total = " + ".join(f"whole({each})" for each in self.results)
        return f"{HEADER}def f(x, y, items, n, b):\n{body}\n\n\ndef loss(x, b, y, items, n):\n    {', '.join(self.results)}, *_ = f(x, y, items, n, b)\n    return {total}\n"

    # ---- names -----------------------------------------------------------------------------------------------------------

    def name(self) -> str:
        self.made += 1
        return f"i{self.made}"

    def result(self) -> str:
        self.results.append(f"r{len(self.results) + 1}")
        return self.results[-1]

    def keep(self, text: str) -> list[str]:
        return [f"{self.result()} = {text}"]

    def place(self) -> Place:
        return self.pick(self.places)  # type: ignore[no-any-return]

    def numbers(self) -> Place:
        """A place whose items are numbers, as a generator over one if they are not."""
        place = self.place()
        return place if place.item == "number" else Place(f"({self.number(place)} for v in {place.text})", "number")

    def number(self, place: Place, name: str = "v") -> str:
        return NUMBER[place.item].format(name)

    # ---- what makes iterators ----------------------------------------------------------------------------------------------

    def source(self) -> str:
        """What can be gone through more than once, or from now on; all of numbers."""
        return self.pick(("x", "x", "y", "items", "range(n + 2)", "x[1:]", "x[::-1]", "items[:3]", "[b, 2.0, x[0]]", "(1.0, b)", "Falling(x)", "x.tolist()", "x * 2.0", "reversed(items)"))  # type: ignore[no-any-return]

    def over(self) -> str:
        """A source, or an iterator from which others take, too."""
        return self.numbers().text if self.places and self.chance(45) else self.source()

    def condition(self) -> str:
        return self.pick(("v > b", "v < low", "v > 0.5", "v != x[0]", "v > held[-1]", "n > 0", "v * b > own.total"))  # type: ignore[no-any-return]

    def element(self) -> str:
        ways = ["v", "v * 2.0", "v + b", "v * x[0]", "v - low", "own.add(v)", "v + len(held)"]
        return self.pick((*ways, f"v - next({self.numbers().text}, 0.5)") if self.places else ways)  # type: ignore[no-any-return]

    def maker(self) -> list[str]:
        over, condition = self.over(), self.condition()
        text, item = self.pick((
            (f"iter({over})", "number"), (f"iter({over})", "number"), (f"above({over}, {self.pick(('b', '0.5'))})", "number"), (f"twice({over})", "number"), (f"counted({over}, seen)", "number"), (f"summed({over})", "kept"),
            (f"growing({over})", "kept"), (f"noted({over}, held)", "number"), (f"told({over}, own)", "number"), ("written(x, b)", "number"), (f"in_twos(iter({over}))", "pair"), (f"rests(iter({over}))", "number"),
            (f"({self.element()} for v in {over})", "number"), (f"({self.element()} for v in {over} if {condition})", "number"), (f"(v * w for v in {over} for w in {self.pick(('y', 'items', 'range(2)'))})", "number"),
            (f"map(lambda v: {self.element()}, {over})", "number"), (f"filter(lambda v: {condition}, {over})", "number"), (f"zip({over}, {self.over()})", "pair"), (f"enumerate({over})", "pair"),
            (f"itertools.islice({over}, {self.pick(('n', '2', 'n, None', '0, None, 2', '1, 4'))})", "number"), (f"itertools.takewhile(lambda v: {condition}, {over})", "number"),
            (f"itertools.dropwhile(lambda v: {condition}, {over})", "number"), (f"itertools.accumulate({over})", "number"), (f"itertools.accumulate({over}, max)", "number"), (f"itertools.chain({over}, {self.over()})", "number"),
            (f"itertools.pairwise({over})", "pair"), (f"itertools.filterfalse(lambda v: {condition}, {over})", "number"), (f"itertools.compress({over}, x > b)", "number"), (f"Through({self.source()})", "number"),
            (f"Rising({over})", "number"), (f"runs(iter({over}))", "one of"), (f"zip(*[iter({over})] * 2)", "pair"), (f"map(operator.mul, {over}, {self.over()})", "number"), ("itertools.islice(itertools.count(b), n + 2)", "number"),
            (f"itertools.islice(itertools.cycle({over}), n + 3)", "number"),
        ))  # fmt: skip
        name = self.name()
        if self.chance(8):
            other = self.name()
            self.places += [Place(name, item), Place(other, item)]
            return [f"{name}, {other} = itertools.tee({text})"]
        made, stands = self.pick(((text, name), (text, name), (text, name), (f"[{text}]", f"{name}[0]"), (f"{{'it': {text}}}", f"{name}['it']"), (f"Holder({text})", f"{name}.it")))
        self.places.append(Place(stands, item))
        return [f"{name} = {made}", *(self.keep(f"partial(next, {stands}, 0.0)()") if item == "number" and self.chance(8) else [])]

    # ---- statements --------------------------------------------------------------------------------------------------------

    def statement(self) -> list[str]:
        return self.weighted((3, self.maker), (5, self.some), (4, self.comprehended), (3, self.loop), (3, self.all_of), (2, self.change), (2, self.on_path), (2, self.helped))()  # type: ignore[no-any-return]

    def some(self) -> list[str]:
        """Take a few."""
        place = self.place()
        it = self.numbers().text
        if place.item != "number":
            return self.keep(f"[{self.number(place)} for v in itertools.islice({place.text}, {self.pick(('1', '2', 'n'))})]")
        return self.keep(self.pick((
            f"next({place.text}, -1.0)", f"next({place.text}, -1.0)", f"next({place.text})", f"next((v for v in {it} if {self.condition()}), 0.0)", f"any({self.condition()} for v in {it})", f"all({self.condition()} for v in {it})",
            f"{self.pick(('x[1]', 'b', '2.0', 'items[0]'))} in {it}", f"[next({it}, b) for _ in range(n)]", f"list(itertools.islice({it}, n))", f"list(zip(range(2), {it}))", f"next({it}, 0.0) - next({self.numbers().text}, 1.0)",
            f"list(itertools.takewhile(lambda v: {self.condition()}, {it}))", f"first_two({it})", f"dict(zip(('p', 'q'), {it}))",
        )))  # fmt: skip

    def comprehended(self) -> list[str]:
        place = self.place()
        v, it = self.number(place), self.numbers().text
        return self.keep(self.pick((
            f"[{v} for v in {place.text}]", f"[{v} for v in {place.text} if {v} > b]", f"[({v}, next({it}, 0.0)) for v in {place.text}]", f"[{v} + w for v in {place.text} for w in {self.pick((it, 'y', 'range(2)'))}]",
            f"{{k: v for k, v in enumerate({it})}}", f"{{round(float(v), 1) for v in {it}}}", f"[v for v in {it} if next({self.numbers().text}, 0.0) < v]", f"[[w for w in itertools.islice({it}, 2)] for _ in range(n)]",
            f"[own.add({v}) for v in {place.text}]", f"[w for v in {place.text} if (w := {v}) > 0.5]", f"[held[-1] + {v} for v in {place.text}]", f"{{n: {v} for v in {place.text}}}",
        )))  # fmt: skip

    def all_of(self) -> list[str]:
        it = self.numbers().text
        return self.keep(self.pick((
            f"sum({it})", f"sum({it}, b)", f"max({it}, default=0.0)", f"min({it}, default=b)", f"sorted({it})", f"list({it})", f"tuple({it})", f"largest(*{it})", f"[*{it}, b]", f"np.array(list({it}))", f"sum(v * v for v in {it})",
            f"math.fsum({it})", f"len(list({it}))", f"list(map(lambda v: v - next({self.numbers().text}, b), {it}))", f"functools.reduce(lambda s, v: 0.5 * s + v, {it}, b)", f"head_and_rest({it})", f"list(zip({it}, {self.numbers().text}))",
            f"np.fromiter({it}, dtype=float)", f"max({it})", f"sum(len(list(g)) * 1.0 for _, g in itertools.groupby({it}, lambda v: v > b))", f"[(bool(k), sum(g)) for k, g in itertools.groupby({it}, lambda v: v > b)]",
        )))  # fmt: skip

    def loop(self) -> list[str]:
        place, result = self.place(), self.result()
        taken = [f"    {result} += {self.number(place)}"]
        more = self.pick(([], [f"    if {result} > {self.pick(('b', '2.0', '8.0'))}:", "        break"], [f"    {result} -= next({self.numbers().text}, 0.25)"], [f"    if v is not None and {self.number(place)} < b:", "        continue"], ["    " + self.change()[0]]))
        lines = [f"for v in {place.text}:", *taken, *more]
        if self.chance(20):
            lines = [f"for v in {place.text}:", *more, *taken]
        if self.chance(15) and place.item == "number":
            lines = ["while True:", f"    v = next({place.text}, None)", "    if v is None:", "        break", *taken]
        return [f"{result} = 0.0", *lines]

    def change(self) -> list[str]:
        """Change what items may depend on."""
        return [self.pick(("x[0] = 7.0", "x[1:] *= 2.0", "x[n % len(x)] += b", "items[0] = b", "low = low + 1.0", "held.append(b)", "held[0] += 1.0", "own.total = b", "own.add(0.5)", "b = b - 0.5", "seen['n'] += 10", "x = x + 1.0", "items.append(2.5)"))]

    def on_path(self) -> list[str]:
        """A few that are taken on a path, or in the trips of a loop."""
        result, it = self.result(), self.numbers().text
        condition = self.pick(("b > 1.0", "n > 1", "x[0] > b", "x.sum() > 3.0"))
        way = self.pick((f"next({it}, 0.0)", f"sum({it})", f"sum(itertools.islice({it}, 2))", f"next((v for v in {it} if v > b), 0.0)", f"1.0 if any(v > b for v in {it}) else 2.0"))
        if self.chance(40):
            return [f"{result} = 0.5", "for _ in range(n):", f"    {result} += {way}"]
        lines = [f"{result} = 0.5", f"if {condition}:", f"    {result} = {way}"]
        return [*lines, "else:", "    " + self.change()[0]] if self.chance(30) else lines

    def helped(self) -> list[str]:
        it = self.numbers().text
        return self.keep(self.pick((f"one_of({it})", f"taken(2, {it})", f"head_and_rest({it})", f"first_two({it})", f"until({it}, b)", f"(lambda: next({it}, b))()", f"partial(taken, n, {it})()", f"chunked({it})", f"[one_of({it}), one_of({self.numbers().text})]")))
