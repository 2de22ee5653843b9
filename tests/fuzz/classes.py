"""A grammar of programs of small classes as physicists and engineers write them.

Inheritance, properties, class attributes that change, slots, dataclasses, NamedTuples, enums, descriptors, mixins, registries, linked lists, trees, callbacks, singledispatch,
operators and containers of the user's own, copies, sorting by keys: of objects made of the run's numbers, in branches, loops and `try`. `f` and its arguments are those of `data_model`.
"""
from __future__ import annotations

from .classes_header import HEADER
from .grammar import StatementProgram

RETURNED = "x, y, z, w, n, m, t, float(np.sum(a)), list(items), l, r, s, dict(table), u.x, u.y, c.r, c.scale, b.mass, b.weight, b.log, b.pos, st, Shape.made, Shape.unit, u is v, gr, Shifting(z)"
LOSS = """

def loss(a, x, n, y, items, table):
    g = f(a, x, n, y, items, table)
    return 1.0 * g[0] + 0.5 * g[1] - g[2] + 0.25 * g[3] + g[7] * 0.125 + sum(g[9]) + g[13] - 0.5 * g[14] + g[15] * g[16] + g[18] + sum(g[19]) + np.sum(g[20]) + g[21].energy()


def arguments(seed):
    rng = np.random.default_rng(seed)
    x, y, *more = (round(float(v), 3) for v in rng.normal(size=8))
    return rng.normal(size=4), x, int(rng.integers(0, 4)), y, more[:int(rng.integers(1, 5))], {"u": more[4], "v": more[5]}


def change(number):
    Shape.made, Shape.unit, Counter2.total = 0, 1.0, 0
"""
START = (
    "z, w, m, t, s = x * 0.5, 0.25, 1, False, 'a'", "l, r = [x, y], [0.5, -0.25, y]", "u, v, c, b, st = Vec(x, y), Vec(y, 0.5), Circle(x), Body(1.5), State(x, y)", "gr = Grown(x)",
)


class ClassProgram(StatementProgram):
    """The text of one program of so many statements."""

    header, start, returned, loss = HEADER, START, RETURNED, LOSS

    def statement(self, depth: int) -> list[str]:
        """Lines of one statement."""
        if depth and self.draws.integer(0, 3) == 0:
            return self.block(depth - 1)
        return self.pick((self.vectors, self.shapes, self.records, self.enums, self.linked, self.containers, self.attributes, self.mixed, self.dispatched, self.sorting, self.fields, self.plain))().split("; ")

    def block(self, depth: int) -> list[str]:
        """A statement with statements in it."""
        kind = self.draws.integer(0, 5)
        if kind < 2:
            lines = [f"if {self.test()}:", *self.body(depth)]
            return lines + (["else:", *self.body(depth)] if self.draws.integer(0, 1) else [])
        if kind < 4:
            head = self.pick(("for w in items:", "for k in range(n):", "for w in u:", "for q, w in enumerate(l[:3]):", "for one in (u, v):", "for shape in [Circle(x), Rect(y), Square(w)]:", "for w in Chain(items):", "for name, cls in MODELS.items():"))
            return [head, *self.body(depth)]
        if kind == 4:
            kinds = self.pick(("ValueError", "(AttributeError, TypeError)", "Exception", "LookupError", "KeyError as e"))
            return ["try:", *self.body(depth), f"except {kinds}:", *self.body(0)]
        return [self.pick(("with Meter(l):", "with Meter(r) as meter:", "with Meter(l), Meter(r):")), *self.body(depth)]

    # ---- statements ----------------------------------------------------------------------------------------------------------

    def vectors(self) -> str:
        number, vec = self.number, self.vec
        return self.pick((
            lambda: f"u = {vec(1)}", lambda: f"v = {vec(1)}", lambda: f"u += {vec(0)}", lambda: f"z = {vec(1)} @ {vec(0)}", lambda: f"z = abs({vec(1)})", lambda: f"z, w = {vec(1)}", lambda: f"t = bool({vec(0)})", lambda: f"m = len({vec(0)})",
            lambda: f"z = {vec(0)}[{self.pick(('0', '-1', 'n', 'n % 2'))}]", lambda: f"z, w = {vec(0)}[::-1]", lambda: f"t = {vec(0)} == {vec(0)}", lambda: f"u.x {self.pick(('=', '+=', '*='))} {number(1)}", lambda: f"z = sum({vec(0)})", lambda: f"u = sum([{vec(0)}, {vec(0)}])", lambda: f"s = repr({vec(0)})",
            lambda: f"s = f'{{{vec(0)}}}'", lambda: f"z = {{u: x, v: y}}.get({vec(0)}, 0.5)", lambda: f"z = float({vec(0)})", lambda: "u.z = 1.0", lambda: f"u = {vec(0)} + {number(0)}", lambda: f"m = len({{{vec(0)}, {vec(0)}}})", lambda: f"t = {vec(0)} in [u, v]", lambda: "u, v = v, u", lambda: "u = v", lambda: f"l = list({vec(0)})",
            lambda: f"l = [*{vec(0)}, x]", lambda: f"z = max({vec(0)})", lambda: f"u = Vec(*(k * x for k in {vec(0)}))", lambda: f"u = functools.reduce(operator.add, [{vec(0)}, {vec(0)}, {vec(0)}])", lambda: "z = operator.attrgetter('y')(u)", lambda: f"if {vec(0)}: z = {number(0)}", lambda: f"z = math.prod({vec(0)})", lambda: f"u = Vec(y=x); u.x = {number(0)}",
        ))()  # fmt: skip

    def shapes(self) -> str:
        number, shape = self.number, self.shape
        return self.pick((
            lambda: f"z = {shape()}.area()", lambda: f"z = {shape()}.total()", lambda: f"c.r {self.pick(('=', '+=', '*='))} {number(1)}", lambda: f"Shape.unit = {number(0)}; z = {shape()}.total(); Shape.unit = 1.0", lambda: "z = measure(c)", lambda: f"z = sum(o.area() for o in [{shape()}, {shape()}])",
            lambda: f"o = {shape()}; z = o.total() if isinstance(o, Rect) else o.area()", lambda: "c = Circle.default()", lambda: f"o = Rect.of({number(0)}); z = o.area()", lambda: f"o = Square.of({number(0)}); z = o.area()", lambda: f"z = Shape.squared({number(0)})", lambda: f"o = {shape()}; s = type(o).__name__", lambda: "Shape()",
            lambda: f"c.scale = {number(0)}", lambda: f"shapes = [{shape()}, c]; z = max(shapes, key=lambda o: o.area()).area()", lambda: f"o = MODELS[kind_of({number(0)})](x); z = o.area()", lambda: f"o = MODELS.get(kind_of({number(0)}), Square)(y); z = o.total()", lambda: f"c = Circle({number(0)}, scale={number(0)})",
            lambda: f"o = {shape()}; o.unit = {number(0)}; z = o.total()", lambda: "m = Shape.made", lambda: f"o = {shape()}; match_ = o; z = getattr(match_, 'h', 0.75)", lambda: f"by = {{'a': {shape()}, 'b': c}}; z = sum(o.area() for o in by.values())", lambda: f"by = {{}}; by[kind_of(x)] = {shape()}; z = by['circle'].area() if 'circle' in by else w",
            lambda: "t = issubclass(Square, Shape) and isinstance(c, Shape)", lambda: "c.color = 'red'; s = getattr(c, 'color', 'none')", lambda: "z = c.radius", lambda: "t = hasattr(c, 'r') and not hasattr(c, 'h')",
        ))()  # fmt: skip

    def records(self) -> str:
        number = self.number
        return self.pick((
            lambda: f"b.kick({number(0)})", lambda: f"b.mass = {number(1)}", lambda: f"b = Body({number(0)})", lambda: f"b = Charged({number(0)}, charge={number(0)})", lambda: f"b = replace(b, mass={number(0)})", lambda: "t = Event(x, n) < Event(y, m)", lambda: f"t = Event({number(0)}) == Event({number(0)}, what='f')",
            lambda: f"ev = sorted([Event({number(0)}, n), Event({number(0)}), Event(0.5, 1, 'k')]); z = ev[0].time; s = ev[-1].what", lambda: f"z = min(Event({number(0)}), Event(y)).time", lambda: f"z = Config({number(0)}).end", lambda: f"z = Config(x, n).with_dt({number(0)}).end", lambda: "cfg = Config(); cfg.dt = x",
            lambda: f"t = Config({number(0)}) == Config(x)", lambda: f"z = {{Config(0.1): x}}.get(Config(), {number(0)})", lambda: f"st = st.step({number(0)})", lambda: "z = st.energy()", lambda: f"st = State.rest({number(0)})", lambda: f"st = st._replace(p={number(0)})", lambda: "z, w = st", lambda: f"z = st[{self.pick(('0', '-1', 'n % 2'))}]",
            lambda: f"st = State(*[{number(0)}, y])", lambda: "z = sum(st)", lambda: f"t = st == ({number(0)}, y)", lambda: "z = st._asdict()['q']", lambda: f"st = max([st, State({number(0)}, x)])", lambda: "s = repr(Config(0.5, n))", lambda: f"s = str(Event(0.25, {self.integer()}))", lambda: "s = f'{st}'[:5]", lambda: "m = len(st) + Body.kinds",
            lambda: f"bodies = [Body({number(0)}), b]; z = Spring(*bodies).pull()", lambda: f"sim = Sim(Config({number(0)}), st); sim.on_step(lambda o: l.append(o.t)); st = sim.run(n)", lambda: f"sim = Sim(Config(0.1), st); sim.on_step(lambda o: b.kick(o.state.q)); st = sim.run({self.integer()} % 4); z = sim.t",
            lambda: "d = b.__dict__; m = len(d)", lambda: f"st.q = {number(0)}", lambda: "b.log = l", lambda: "z, *l = (st.q, b.mass, x)",
        ))()  # fmt: skip

    def enums(self) -> str:
        number = self.number
        return self.pick((
            lambda: f"z = Medium.of({number(0)}).value * x", lambda: f"z = Medium.of({number(0)}).speed", lambda: f"s = Medium.of({number(0)}).name", lambda: f"t = Medium.of({number(0)}) is Medium.AIR", lambda: f"t = Medium.of({number(0)}) == Medium.WATER", lambda: "z = sum(k.value for k in Medium)", lambda: "m = Level.HIGH + n",
            lambda: f"m = Level({self.integer()})", lambda: f"m = Level.LOW if {self.test()} else Level.HIGH", lambda: f"t = Level.MID > {self.integer()}", lambda: f"z = x * Level.MID + {number(0)}", lambda: f"o = Opt.A | Opt.B if {self.test()} else Opt.A; t = bool(o & Opt.B)", lambda: f"o = Opt.NONE; if {self.test()}: o |= Opt.A; t = Opt.A in o".replace("; if", "\nif").replace("A; t", "A\nt").replace("\n", "; "),
            lambda: f"z = {{Medium.AIR: x, Medium.WATER: y}}[Medium.of({number(0)})]", lambda: "z = Medium['AIR'].value", lambda: "z = Medium(2.5).value * x", lambda: "s = str(Level.MID) + repr(Medium.AIR)", lambda: f"s = f'{{Medium.of({number(0)})}} {{Level.HIGH}}'", lambda: "z = a[Level.LOW]", lambda: "m = sum(range(Level.HIGH))", lambda: "m = len(Medium) + Opt.B.value",
            lambda: "kinds = [Medium.of(v) for v in items]; m = kinds.count(Medium.AIR); z = kinds[0].value", lambda: f"match Medium.of({number(0)}):;     case Medium.AIR:;         z = x;     case Medium.WATER:;         z = y", lambda: f"counts = {{k: 0 for k in Level}}; counts[Level.LOW if {self.test()} else Level.MID] += 1; m = counts[Level.LOW]", lambda: "m = max(Level).value", lambda: "m = int(Level.HIGH) // 2",
        ))()  # fmt: skip

    def linked(self) -> str:
        number = self.number
        return self.pick((
            lambda: "ch = Chain(items); z = sum(ch)", lambda: f"ch = Chain([x, y]); ch.push({number(0)}); z = ch.pop(); m = len(ch)", lambda: "ch = Chain(items); ch.reverse(); l = list(ch)", lambda: f"ch = Chain(l); t = {number(0)} in ch", lambda: "ch = Chain(); z = ch.pop()", lambda: f"ch = Chain(items)\nfor k in range({self.integer()}):\n    w = ch.pop()".replace("\n", "; "),
            lambda: f"tr = Tree(x); tr.put({number(0)}); tr.put(y); l = list(tr.walk())", lambda: "tr = Tree(x)\nfor w in items:\n    tr.put(w)\nl = list(tr.walk())\nm = tr.depth()".replace("\n", "; "), lambda: "tr = Tree(x); tr.put(y); z = tr.left.value if tr.left else w", lambda: f"one = Node(x, Node({number(0)})); one.next.next = one; z = one.next.next.next.value",
            lambda: f"nodes = [Node(w) for w in items]; nodes[0].next = nodes[-1]; nodes[-1].value = {number(0)}; z = nodes[0].next.value", lambda: f"one, two = Node(x), Node(y); head = one if {self.test()} else two; head.value = {number(0)}; z, w = one.value, two.value", lambda: f"one = Node(x); two = one if {self.test()} else Node(y, one); two.value += 1.0; z = one.value; t = two is one",
            lambda: f"pool = Pool(); pool.join('a', x); pool.join('b', {number(0)}); pool.richest().v = 0.5; z = pool['a'].v; t = 'c' in pool", lambda: "pool = Pool()\nfor k, w in enumerate(items):\n    pool.join(f'{k}', w)\npool['0'].v += x\nz = pool.richest().v".replace("\n", "; "), lambda: f"pool = Pool(); pool.join(kind_of({number(0)}), x); z = pool['circle'].v",
            lambda: "one = copy.deepcopy(Node(x, Node(y))); one.next.value = 0.5; z = one.next.value", lambda: "ch = Chain([x, y]); other = copy.copy(ch); other.push(0.5); m = len(ch); z = sum(ch)", lambda: "grid = [[Node(w * k) for k in range(2)] for w in l[:2]]; grid[0][1].value = x; z = sum(o.value for row in grid for o in row)",
            lambda: "up = Node(x); kids = [Node(w, up) for w in items]; kids[-1].next.value = y; z = up.value",
        ))()  # fmt: skip

    def containers(self) -> str:
        number = self.number
        return self.pick((
            lambda: f"k = Stack(x, y, {number(0)}); z = k.pop(); m = len(k)", lambda: f"k = Stack(*items); k.push({number(0)}); l = list(k)", lambda: "k = Stack(x, y, 0.5); l = list(k[1:])", lambda: f"k = Stack(*items); z = k[{self.pick(('0', '-1', 'n'))}]", lambda: f"k = Stack(*l); k[{self.pick(('0', 'n'))}] = {number(0)}; l = list(k)", lambda: "k = Stack(*items); l = list(reversed(k))",
            lambda: "k = Stack(*items); t = bool(k)", lambda: "k = Stack(); z = k.pop()", lambda: "k = Stack(*items); del k[0]; m = len(k)", lambda: "k = Stack(*items)\nwhile k:\n    z = k.pop()\nm = len(k)".replace("\n", "; "), lambda: f"k = Stack(u, v); k.push(Vec({number(0)})); z = sum(o.x for o in k)", lambda: f"t = {number(0)} in Stack(x, y)", lambda: "k = Stack(*items); l = sorted(k)",
            lambda: "k = Stack(*items); z = max(k); w = sum(k)", lambda: "k: Stack[float] = Stack(x); k.push(y); z, w = k", lambda: "l = [p * q for p, q in zip(Stack(x, y), Stack(y, 0.5))]", lambda: "k = Stack(*items); l = list(k[::2]) + list(map(abs, k))", lambda: "k = Stack(Stack(x), Stack(y, x)); z = k[1][0]; m = len(k[n % 2])", lambda: f"k = Stack(*l); k[0] += {number(0)}; z = k[0]",
        ))()  # fmt: skip

    def attributes(self) -> str:
        number = self.number
        return self.pick((
            lambda: f"o = Tank({number(0)}); z = o.drained(x); w = o.level", lambda: f"o = Tank(x); o.rate = {number(0)}; z = o.rate", lambda: f"o = Tank(x); o.level {self.pick(('-=', '*='))} {number(0)}; z = o.level", lambda: f"o = Clamped({number(0)}); o.x {self.pick(('=', '+='))} {number(0)}; z = o.x", lambda: f"o = Clamped({number(0)}); z = o.twice_x", lambda: "o = Clamped(x); z = o.none", lambda: "t = hasattr(Clamped(x), 'y')",
            lambda: f"o = Proxy(Circle({number(0)})); z = o.area() + o.r", lambda: "o = Proxy(u); o.x = 0.5; z = u.x; w = o.y", lambda: "o = Lazy(a); z = o.mean + o(x); m = o.asked", lambda: f"o = Lazy(a); z = o.mean; o.a = a * {number(0)}; w = o.mean", lambda: "o = Lazy(a); z = o.mean; del o.mean; w = o.mean; m = o.asked", lambda: f"setattr(u, {self.pick((repr('x'), repr('y')))}, {number(0)})", lambda: "z = getattr(u, 'x' if t else 'y')",
            lambda: f"o = Counter2(); m = o.tick() + o.tick({self.integer()}); n = Counter2.total % 4; Counter2.reset()", lambda: "o = Counter2(); o.total += 1; m = o.total + Counter2.total; Counter2.reset()", lambda: "o = Counter2(); tick = o.tick; tick(); m = tick(n); Counter2.reset()", lambda: "for name in ('x', 'y'):;     setattr(u, name, getattr(v, name) * 2.0)", lambda: "vars(b)['mass'] = x",
            lambda: f"b.extra = {number(0)}; z = b.extra; del b.extra; t = hasattr(b, 'extra')", lambda: "o = Clamped(x); del o.x; z = getattr(o, 'x', 0.5)", lambda: "try:;     z = u.missing;  except AttributeError as e:;     s = str(e)".replace(";  ", "; "), lambda: "l.append(getattr(c, kind_of(x), y))",
        ))()  # fmt: skip

    def mixed(self) -> str:
        number = self.number
        return self.pick((
            lambda: f"o = Part(w={number(0)}, base=x); z = o.value(); s = ''.join(o.tag())", lambda: f"o = Part(base={number(0)}); z = o.value(); s = o.name", lambda: "o = Part(); z = Weighted.value(o) + Plain.value(o)", lambda: "s = ' '.join(k.__name__ for k in Part.__mro__[:3])", lambda: f"z = sum(law()({number(0)}) for law in Law.registry)", lambda: f"z = Cubic()({number(0)}) + Linear()(y)", lambda: f"o = Cubic(); o.factor = {number(0)}; z = o(x)",
            lambda: f"law = Linear() if {self.test()} else Cubic(); z = law({number(0)})", lambda: "o = super(Square, Square(x)); z = o.area()", lambda: "m = len(Law.registry) + Cubic.power", lambda: f"laws = [Linear(), Cubic()]; z = laws[n % 2]({number(0)})", lambda: "laws = {k.__name__: k() for k in Law.registry}; z = laws['Cubic'](x)", lambda: "Part(z=1.0)", lambda: "z = Circle.area(c)", lambda: "area = c.area; c.r = 0.5; z = area()",
            lambda: f"class Local:;     k = {number(0)};     def get(self):;         return self.k * x; z = Local().get()", lambda: "class Big(Circle):;     def area(self):;         return 2.0 * super().area(); z = Big(x).total()", lambda: "@dataclass; class Pt:;     p: float;     q: float = 0.5; z = Pt(x).q + Pt(y, x).p",
            lambda: f"z = 0.0\nwith Meter(l) as meter:\n    z = {number(0)}\n    if {self.test()}:\n        raise ValueError('out')\nm = meter.depth".replace("\n", "; "),
        ))()  # fmt: skip

    def dispatched(self) -> str:
        number = self.number
        return self.pick((
            lambda: f"z = size_of({number(0)})", lambda: "z = size_of(n) + size_of(u)", lambda: "z = size_of([x, 1, u])", lambda: "z = size_of('a')", lambda: f"o = Writer(); o.put({number(0)}); o.put(u); l = o.out", lambda: "o = Writer(); o.put((x, v)); l = o.out", lambda: "z = operator.methodcaller('scaled', 2)(u)", lambda: "z = operator.itemgetter(1)(u)", lambda: "z, w = operator.attrgetter('x', 'y')(u)",
            lambda: f"o = functools.partial(Circle, scale={number(0)})(x); z = o.total()", lambda: "make = Vec; u = make(x, y)", lambda: "l = list(map(Vec.__abs__, [u, v]))", lambda: "l = list(map(operator.methodcaller('area'), [c, Rect(x)]))", lambda: f"u = [Vec, lambda p, q: Vec(q, p)][n % 2](x, {number(0)})", lambda: "u = operator.add(u, v); z = operator.matmul(u, v)", lambda: "u = operator.iadd(u, v)",
            lambda: "t = callable(Lazy(a)) and not callable(u)", lambda: "l = [fun(x) for fun in (Shape.squared, Cubic(), Lazy(a), abs)]",
        ))()  # fmt: skip

    def sorting(self) -> str:
        number = self.number
        return self.pick((
            lambda: "ms = [Money(w) for w in items]; ms.sort(); l = [o.v for o in ms]", lambda: f"z = max(Money(x), Money({number(0)})).v", lambda: f"t = Money({number(0)}) >= Money(y)", lambda: "t = Money(x) != Money(y) or Money(x) <= Money(y)", lambda: "ms = sorted([u, v], key=abs); z = ms[0].x", lambda: "ms = sorted((Money(w, str(k)) for k, w in enumerate(items)), reverse=True); s = ms[0].name",
            lambda: "ms = sorted([c, Rect(x), Square(y)], key=lambda o: o.area()); z = ms[0].area()", lambda: "ms = sorted([b, Body(x)], key=operator.attrgetter('mass')); z = ms[0].mass", lambda: "ms = sorted([st, State(y), State(x)]); st = ms[1]", lambda: "ms = [Money(w) for w in items]; z = sum(o.v for o in ms if o > Money(x))", lambda: f"ms = [Money(w) for w in items]; best = max(ms, key=lambda o: abs(o.v)); best.v = {number(0)}; l = [o.v for o in ms]",
            lambda: "ms = [Money(x, 'a'), Money(y, 'b')]; ms.sort(key=lambda o: o.name, reverse=True); z = ms[0].v", lambda: "m = [Money(x), Money(y)].index(Money(y))", lambda: "ms = [Vec(w, k) for k, w in enumerate(items)]; u = max(ms, key=abs)", lambda: "ms = [Vec(w) for w in items]; ms = [o for o in ms if o]; m = len(ms)", lambda: "evs = [Event(w, k % 2) for k, w in enumerate(items)]; evs.sort(); m = evs[0].level",
            lambda: "ms = [Money(w) for w in items]; ms.remove(min(ms)); m = len(ms)", lambda: "seen = {Money(x, 'a'): 1, Money(x, 'a'): 2}; m = len(seen)", lambda: f"ms = [Money(w) for w in items]; one = ms[n % len(ms)]; one.v = {number(0)}; t = one is ms[0]; z = sum(o.v for o in ms)",
        ))()  # fmt: skip

    def fields(self) -> str:
        number = self.number
        return self.pick((
            lambda: "fd = Field(a); z = fd.norm", lambda: f"fd = Field(a) * {number(0)}; z = fd[0]", lambda: f"fd = Field(items); fd[0] = {number(0)}; z = fd.norm; m = len(fd)", lambda: "fd = Field(a); z = float(fd.grad[1])", lambda: f"fd = {number(0)} + Field(a) * Field(a); z = fd.norm", lambda: "fd = Field(a); fd[1:] = 0.5; a = fd.values", lambda: "fd = Field(a); fd.values *= 2.0; z = float(a[0])", lambda: "fd = Field(a); z = float(np.sum(fd))", lambda: "fd = Field(a); a = np.asarray(fd) * 2.0",
            lambda: "fd = sum([Field(a), Field(a)]); z = fd.norm", lambda: "fd = copy.deepcopy(Field(a)); fd[0] = x; z = float(a[0])", lambda: "fd = copy.copy(Field(a)); fd[0] = x; z = float(a[0])", lambda: "fds = [Field(a * k) for k in range(3)]; z = max(fds, key=lambda o: o.norm).norm", lambda: f"b.pos[{self.pick(('0', 'n % 2'))}] = {number(0)}", lambda: "b.pos += x", lambda: "bs = [Body(w) for w in items]; total = sum(o.mass for o in bs); z = total / len(bs)",
            lambda: "bs = [Body(w) for w in items]\nfor o in bs:\n    o.kick(o.mass)\nz = float(sum(o.pos for o in bs)[0])".replace("\n", "; "), lambda: "bs = {f'{k}': Body(w) for k, w in enumerate(items)}; bs['0'].mass = x; z = sum(o.weight for o in bs.values())",
        ))()  # fmt: skip

    def plain(self) -> str:
        number = self.number
        if self.draws.integer(0, 2) == 0:
            return self.nested()
        return self.pick((lambda: f"{self.pick('xyzw')} = {number(2)}", lambda: f"l.append({number(1)})", lambda: f"n = {self.integer()} % 4", lambda: f"t = {self.test()}", lambda: f"m = {self.integer()}", lambda: f"r[{self.pick(('0', '-1'))}] = {number(1)}"))()

    def nested(self) -> str:
        """Functions that see names around them, beside comprehensions, loops and arguments of the same names; objects that change as they are made."""
        number, name = self.number, self.pick("xyzw")
        return self.pick((
            lambda: f"see = lambda: {number(1)}; l = [see() + {name} for {name} in items]", lambda: f"see = lambda k, {name}={number(0)}: k * {name}; l = [see({name}) for {name} in l]; z = see(x, 2.0)",
            lambda: f"see = lambda: {name}; {name} = {number(1)}; l = [see() for {name} in range(n)]; w = see()", lambda: f"made = [lambda: {name} + k for {name} in items for k in range(2)]; z = made[0]() + made[-1]()",
            lambda: f"def see(k, *, by={number(0)}):;     nonlocal_ = [k * {name} for k in items];     return nonlocal_[0] + k * by; z = see(w); w = see(x, by=y)", lambda: f"z = sum([{name} * k for k in range(3) for {name} in items if {name} > k])",
            lambda: f"for {name} in items:;     if {name} > {number(0)}: break; else:;     m += 1", lambda: f"fns = []; [fns.append(lambda: k * {name}) for k in range(3)]; z = fns[0]()", lambda: f"first, *rest, last = [{number(0)}, *items, y]; z = first - last + sum(rest)",
            lambda: f"gr = Grown({number(0)}, {number(0)})", lambda: f"gr = replace(gr, low={number(0)})", lambda: f"gr.low {self.pick(('=', '+=', '*='))} {number(0)}; z = gr.high + gr.span", lambda: f"o = Shifting({number(0)}); o.at += {number(0)}; z = o.at", lambda: "t = gr == Grown(x) or gr < Grown(y)",
        ))()  # fmt: skip

    # ---- expressions ---------------------------------------------------------------------------------------------------------

    def number(self, depth: int) -> str:
        """A float (or an int)."""
        leaf = self.pick(("x", "y", "z", "w", "0.5", "-1.25", "2", "n", "m", "a[0]", "a[n]", "items[0]", "u.x", "v.y", "u.y", "c.r", "c.area()", "b.mass", "b.weight", "st.q", "st.energy()", "c.total()", "len(l)", "sum(l)", "u @ v", "Medium.AIR.value", "Shape.made"))
        if not depth or self.draws.integer(0, 2) == 0:
            return leaf
        return self.pick((
            lambda: f"({self.number(depth - 1)} {self.pick('+-*')} {self.number(depth - 1)})", lambda: f"({self.number(depth - 1)} if {self.test()} else {self.number(depth - 1)})", lambda: f"np.sin({self.number(depth - 1)})", lambda: f"max({self.number(depth - 1)}, {self.number(depth - 1)})",
        ))()  # fmt: skip

    def integer(self) -> str:
        """An int."""
        return self.pick(("n", "m", "1", "2", "3", "len(l)", "len(items)", "Shape.made", "Level.MID", "int(x)", "(n + m)"))

    def test(self) -> str:
        """A bool."""
        return self.pick(("t", "x > 0.25", "x < y", "n > 1", "m", "u", "u == v", "u is v", "c.r > 0.0", "isinstance(b, Charged)", "len(items) > 2", "st > (0.0, 1.0)", "abs(u) > abs(v)", "Money(x) > Money(y)", "b.log", "Medium.of(x) is Medium.AIR", "kind_of(x) in MODELS", "hasattr(b, 'charge')", "l", "s == 'a'"))

    def vec(self, depth: int) -> str:
        """A Vec."""
        leaf = self.pick(("u", "v", "u", "v", f"Vec(x, {self.number(0)})", "Vec()"))
        if not depth:
            return leaf
        return self.pick((
            leaf, f"({self.vec(depth - 1)} {self.pick('+-')} {self.vec(depth - 1)})", f"({self.vec(depth - 1)} * {self.number(0)})", f"({self.number(0)} * {self.vec(depth - 1)})", f"-{self.vec(depth - 1)}", f"{self.vec(depth - 1)} / {self.number(0)}", f"copy.copy({leaf})", f"({self.vec(depth - 1)} if {self.test()} else {self.vec(depth - 1)})",
            f"{leaf} ** 2", "max(u, v, key=abs)", f"[u, v][{self.pick(('0', 'n % 2', 't'))}]",
        ))  # fmt: skip

    def shape(self) -> str:
        """A Shape."""
        one = lambda: f"{self.pick(('Circle', 'Rect', 'Square'))}({self.number(0)})"  # noqa: E731
        return self.pick(("c", one(), one(), f"({one()} if {self.test()} else {one()})"))
