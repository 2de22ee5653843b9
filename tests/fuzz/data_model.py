"""A grammar of programs in Python as users write it: containers and objects that the run decides about, and the order in which things happen.

Lists and dicts of run-time lengths and their aliases, unpacking, comprehensions and their scopes, nested functions with `nonlocal`, generators,
`try` with all its parts, `with`, `match`, classes with properties, operators and inheritance, deques, Counters and defaultdicts, sorting by keys,
short circuits and arguments with side effects, texts in what is raised. A program is `f(a, x, n, y, items, table)`: an array, a float, an int, a float,
a list of floats and a dict; `loss` of the same arguments is a float. What may fail fails as Python does.
"""
from __future__ import annotations

from .data_model_header import HEADER
from .grammar import StatementProgram

FLOATS, LISTS = ("x", "y", "z", "w"), ("items", "l", "r")
RETURNED = "x, y, z, w, n, m, t, float(np.sum(a)), list(items), l, r, dict(table), d, list(q), o.x, o.size, p.x, p.log, r is l, l is items, o is p, c"
LOSS = """

def loss(a, x, n, y, items, table):
    g = f(a, x, n, y, items, table)
    return 1.0 * g[0] + 0.5 * g[1] - g[2] + 0.25 * g[3] + g[7] * 0.125 + sum(g[8]) + 0.5 * sum(g[9]) + 0.75 * sum(g[10]) + g[14] - 0.5 * g[16]


def arguments(seed):
    rng = np.random.default_rng(seed)
    x, y, *more = (round(float(v), 3) for v in rng.normal(size=8))
    return rng.normal(size=4), x, int(rng.integers(0, 4)), y, more[:int(rng.integers(1, 5))], {"u": more[4], "v": more[5]}


def change(number):
    pass
"""
START = (
    "z, w, m, t, c = x * 0.5, 0.25, 1, False, 0", "l, r, d, q = [x, y], [0.5, -0.25, y], {'k': x}, deque([y], maxlen=4)", "o, p = Acc(x), Long(y, 0.5)",
)


class DataModelProgram(StatementProgram):
    """The text of one program of so many statements."""

    header, start, returned, loss = HEADER, START, RETURNED, LOSS

    def __init__(self, draws, size: int = 4) -> None:  # type: ignore[no-untyped-def]
        super().__init__(draws, size)
        self.made = 0

    def name(self, stem: str) -> str:
        """A new name."""
        self.made += 1
        return f"{stem}{self.made}"

    # ---- statements ----------------------------------------------------------------------------------------------------------

    def statement(self, depth: int) -> list[str]:
        """Lines of one statement."""
        if depth and self.draws.integer(0, 2) == 0:
            return self.block(depth - 1)
        return self.pick((self.numbers, self.lists, self.lists, self.unpacking, self.dicts, self.others, self.objects, self.order))().split("; ")

    def block(self, depth: int) -> list[str]:
        """A statement with statements in it."""
        return self.pick((self.branch, self.branch, self.loop, self.loop, self.trying, self.trying, self.managed, self.nested, self.generator, self.matched))(depth)

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.test(1)}:", *self.body(depth)]
        if self.draws.integer(0, 2) == 0:
            lines += [f"elif {self.test(1)}:", *self.body(depth)]
        return lines + (["else:", *self.body(depth)] if self.draws.integer(0, 1) else [])

    def loop(self, depth: int) -> list[str]:
        head = self.pick((
            "for c in range(n):", "for c in range(m, 3):", "for w in l:", "for w in list(items):", "for c, w in enumerate(r):", "for z, w in zip(l, r):", "for key, w in table.items():", "for w in reversed(l):",
            "for w in a:", "for c, (z, w) in enumerate(zip(a, items)):", "for w in sorted(items):", "for w in o:", "for w in counted(n, x):", "for w in q:", "for key in d:", "for (w,) in [(x,), (y,)]:",
            "for w in (v * x for v in l):", "for w in map(abs, items):", "for w in filter(lambda v: v > 0.0, r):", "for c, w in zip(range(2), itertools.accumulate(l)):", "for w in [x, y, *l][:4]:",
        ))  # fmt: skip
        if self.draws.integer(0, 5) == 0:
            count = self.name("c")
            lines = [f"{count} = 0", f"while {count} < 3 and {self.test(1)}:", f"    {count} += 1"]
        else:
            lines = [head]
        lines += self.body(depth)
        if "range(" not in head and "items" not in head:
            lines += ["    if len(l) + len(r) + len(q) + len(o) > 12:", "        break"]  # what a loop goes through, it may make longer
        if self.draws.integer(0, 2) == 0:
            lines += [f"    if {self.test(1)}:", f"        {self.pick(('break', 'continue', 'break'))}", *self.body(0)]
        return lines + (["else:", *self.body(0)] if self.draws.integer(0, 4) == 0 else [])

    def trying(self, depth: int) -> list[str]:
        inside = self.body(depth)
        if self.draws.integer(0, 1):
            inside += [f"    if {self.test(1)}:", f"        raise {self.pick(('ValueError', 'KeyError', 'Own'))}({self.words()})", *self.body(0)]
        else:
            inside += [f"    {self.pick(('w = table[key_of(x)]', 'w = items[n + 1]', 'w = checked(x)', 'w = l.pop()', 'r.remove(x)', 'm = l.index(y)', 'w = 1.0 / m', 'w = d.pop(key_of(y))', 'w = next(iter(r))', 'z, w = l'))}"]
        kinds = self.pick(("ValueError", "(KeyError, IndexError)", "Own", "Exception", "LookupError", "ArithmeticError", "Own as e"))
        lines = ["try:", *inside]
        if handled := self.draws.integer(0, 4):
            lines += [f"except {kinds}:", *self.body(0)]
            if kinds.endswith("e"):
                lines += ["    w = e.amount"]
            if self.draws.integer(0, 3) == 0:
                lines += ["    raise ValueError('again') from None" if self.draws.integer(0, 1) else "    raise"]
            if self.draws.integer(0, 2) == 0:
                lines += ["else:", *self.body(0)]
        return lines + (["finally:", *self.body(0)] if not handled or self.draws.integer(0, 2) == 0 else [])

    def managed(self, depth: int) -> list[str]:
        head = self.pick(("with Logged(l):", "with Logged(r, True) as h:", "with scaled(o, x) as w:", "with Logged(l), Logged(r):", "with contextlib.suppress(KeyError, Own):"))
        lines = [head, *self.body(depth)]
        if self.draws.integer(0, 2) == 0:
            lines += [f"    if {self.test(1)}:", f"        raise Own({self.number(0)})"]
        return lines

    def nested(self, depth: int) -> list[str]:
        g = self.name("g")
        kind = self.draws.integer(0, 4)
        if kind == 0:
            return [f"def {g}(v, k={self.number(0)}):", f"    nonlocal_{g} = v", *self.body(depth), "    return v * k", f"z = {g}({self.number(1)})"]
        if kind == 1:
            lines = ["x_in = x", f"def {g}(v):", "    nonlocal x_in", "    x_in += v", "    l.append(x_in)", f"    if {self.pick(('v > 0.5', 'x_in > 1.0', 'len(l) > 3'))}:", "        return -v", "    return x_in"]
            return [f"def outer_{g}():", *(f"    {line}" for line in lines), f"    return {g}({self.number(0)}) + {g}({self.number(0)}), x_in", f"z, w = outer_{g}()"]
        if kind == 2:
            return [f"{g} = [lambda v, c=c: v * c + len(l) for c in range(3)]", f"z = sum(h({self.number(0)}) for h in {g})", f"{g} = {{'one': lambda v: v + x, 'two': o.scaled}}", f"x = {self.number(0)}", f"w = {g}['one'](y) + {g}['two'](0.5)"]
        if kind == 3:
            return [f"def {g}(v, *rest, k=0.5, **more):", f"    {self.pick(('l.extend(rest)', 'r.append(v)', 'table.update(more)', 'o.x = v'))}", "    return v * k + sum(rest) + sum(more.values())", f"z = {g}({self.number(0)}, *{self.pick(('l', 'r', '(x, y)', 'items'))}, {self.pick(('k=x', 'u=y', '**table', '**{}', 'k=y, v=x'))})"]
        return [f"def {g}(v, depth):", f"    if depth == 0 or {self.pick(('v > 2.0', 'v < -1.0', 'len(l) > 4'))}:", f"        return {self.pick(('v', 'x', 'v + len(l)'))}", f"    {self.pick(('l.append(v)', 'o.x += v', 'pass'))}", f"    return {g}(v * 0.5 + x, depth - 1) {self.pick(('+ v', '', '* 0.5'))}", f"z = {g}({self.number(0)}, {self.pick(('n', '2', 'len(items)'))})"]

    def generator(self, depth: int) -> list[str]:
        g = self.name("g")
        inner = self.pick(("yield v * x", "total += v; yield total", "yield v if v > 0.0 else x", "l.append(v); yield v", "yield from (v, x)")).split("; ")
        lines = [f"def {g}(values):", "    total = 0.0", "    for v in values:", *(f"        {line}" for line in inner)]
        if self.draws.integer(0, 1):
            lines += [f"        if {self.pick(('v > 1.0', 'total > 1.0', 'v < -0.5'))}:", "            return"]
        lines += [f"    yield {self.number(0)}"] if self.draws.integer(0, 1) else []
        source = self.pick(("list(items)", "a", "[x, y]", "r", "table.values()"))
        use = self.pick((
            f"l = list({g}({source}))", f"z = sum({g}({source}))", f"for w in {g}({source}):", f"z = next({g}({source}), 0.5)", f"it = {g}({source}); z = next(it, x); w = sum(it)",
            f"z, *r = {g}({source})", f"z = max({g}({source}), default=x)", f"l[:] = {g}({source})", f"r = [v + z for v in {g}({source}) if v < 1.0]",
        ))  # fmt: skip
        return lines + use.split("; ") + (self.body(depth) if use.endswith(":") else [])

    def matched(self, depth: int) -> list[str]:
        subject, cases = self.pick((
            ("(n, m)", ("(0, _)", "(1, k)", "(k, 1 | 2)", "(k, m) if k > m")), ("l", ("[]", "[z]", "[z, w]", "[z, *rest]", "[w, *_, z]")), ("o", ("Long(x=z)", "Acc(x=z)")),
            ("table", ("{'u': z, 'v': w}", "{'k': z, **more}", "{}")), ("n", ("0", "1 | 2", "k if k > 2")), ("[n, x]", ("[0, z]", "[k, float(z)] if z > 0.5", "[k, z]")), ("p", ("Acc(x=z) if z > 0.25", "Long(x=z, y=w)")),
        ))  # fmt: skip
        lines = [f"match {subject}:"]
        for case in cases[: self.draws.integer(1, len(cases))]:
            lines += [f"    case {case}:", *(f"    {line}" for line in self.body(0))]
        return lines + (["    case _:", *(f"    {line}" for line in self.body(depth))] if self.draws.integer(0, 1) else [])

    # ---- simple statements ---------------------------------------------------------------------------------------------------

    def numbers(self) -> str:
        number = self.number
        return self.pick((
            lambda: f"{self.pick(FLOATS)} = {number(2)}", lambda: f"{self.pick(FLOATS)} {self.pick(('+=', '-=', '*='))} {number(1)}", lambda: f"t = {self.test(2)}", lambda: f"m = {self.integer(1)}",
            lambda: f"n = {self.integer(1)} % 4", lambda: f"a[{self.pick(('0', 'n', '-1', 'm % 4'))}] {self.pick(('=', '+=', '*='))} {number(1)}", lambda: f"x, y = {number(1)}, {number(1)}",
            lambda: f"a {self.pick(('+=', '*='))} {number(0)}", lambda: f"z = w = {number(1)}", lambda: f"b = a; b[{self.pick(('0', 'n'))}] = {number(0)}; z = a[0]", lambda: "a = a[::-1]", lambda: f"a = np.where(a > {number(0)}, a, x)",
            lambda: f"c += {self.integer(0)}", lambda: f"w = {self.measured()}",
        ))()  # fmt: skip

    def lists(self) -> str:
        one, two, number = self.pick(LISTS), self.pick(LISTS), self.number
        return self.pick((
            lambda: f"{one}.append({number(1)})", lambda: f"{one}.insert({self.pick(('0', 'n', '-1', 'len(l)'))}, {number(1)})", lambda: f"z = {one}.pop({self.pick(('', '0', '-1', 'n'))})", lambda: f"{one} += {self.series(1)}",
            lambda: f"{one}.extend({self.series(1)})", lambda: f"l = {two}", lambda: f"r = {two}", lambda: f"l = {self.series(1)}", lambda: f"r = {two}[:]", lambda: f"{one}[{self.place()}] {self.pick(('=', '+=', '*='))} {number(1)}",
            lambda: f"{one}[{self.pick((':1', '1:', 'n:', ':-1', '::2', '1:1'))}] = {self.series(0)}", lambda: f"del {one}[{self.pick(('0', '-1', 'n', '1:', ':n', '::2'))}]",
            lambda: f"{one}.sort({self.pick(('', 'reverse=True', 'key=abs', 'key=lambda v: (v > x, v)', 'key=lambda v: -v', 'key=lambda v: (v - y) ** 2, reverse=t'))})", lambda: f"{one}.reverse()",
            lambda: f"{one}.remove({self.pick((f'{one}[0]', f'{one}[-1]', 'x'))})", lambda: f"{one}.clear()", lambda: f"l *= {self.pick(('2', '1', '0', 'm % 3'))}", lambda: f"l = {two} * {self.pick(('2', 'n'))}",
            lambda: f"l, r = r, {self.pick(('l', 'l[:]', 'items'))}", lambda: f"{one}[0], {one}[-1] = {two}[-1], {number(0)}", lambda: f"l = [{one}.pop() for _ in range({self.pick(('n', '1', '2'))})]",
            lambda: f"r = [v for v in {one} if v {self.pick(('>', '<='))} {number(0)}]", lambda: f"l = [v * w for v in {one} for w in {two}][:4]", lambda: f"l = [(x := v) for v in {one}]", lambda: f"pairs = list(zip({one}, {two})); pairs.sort(key=lambda v: v[1]); l = [v for v, _ in pairs]",
            lambda: f"rows = [{one}, {two}]; rows[{self.pick(('0', 'n % 2', '-1'))}].append({number(0)}); z = rows[0][-1]", lambda: f"rows = [[v] for v in {one}]; rows[{self.pick(('0', '-1'))}].append({number(0)}); r = [v for row in rows for v in row]",
            lambda: f"heapq.heapify({one}); z = heapq.heappushpop({one}, {number(0)})", lambda: f"bisect.insort({one}, {number(0)})", lambda: f"l = sorted({one}, key=lambda v: {self.pick(('abs(v)', '(round(v), v)', '-v', 'v > x'))})",
        ))()  # fmt: skip

    def unpacking(self) -> str:
        one, number = self.pick(LISTS), self.number
        return self.pick((
            lambda: f"z, *r = {one}", lambda: f"*l, w = {one}", lambda: f"z, *l, w = {self.series(0)}", lambda: f"(x, y), z = (y, {number(0)}), {number(0)}", lambda: f"z, (w, *l) = {number(0)}, {one}", lambda: f"l[0], x = x, {number(0)}",
            lambda: f"o.x, p.x = p.x, {number(1)}", lambda: f"m, l[m % len(l)] = {self.integer(0)}, {number(0)}", lambda: f"table['u'], d['k'] = d['k'], {number(0)}", lambda: f"x, x = {number(0)}, {number(0)}", lambda: f"[z, w] = {one}[:2]", lambda: "z, w = o",
            lambda: f"l = [*{one}, {number(0)}]", lambda: f"d = {{**d, **table, 'u': {number(0)}}}", lambda: f"z, w = a[:2] * {number(0)}",
        ))()  # fmt: skip

    def dicts(self) -> str:
        name, number, key = self.pick(("table", "d")), self.number, self.key
        return self.pick((
            lambda: f"{name}[{key()}] = {number(1)}", lambda: f"{name}['{self.pick('uk')}'] {self.pick(('+=', '*='))} {number(1)}", lambda: f"z = {name}.get({key()}, {number(0)})", lambda: f"z = {name}.pop({key()}, {number(0)})",
            lambda: f"w = {name}.setdefault({key()}, {number(0)})", lambda: f"{name}.update(u={number(0)}, new=x)", lambda: f"del {name}[{key()}]", lambda: f"d = {{k: v * x for k, v in {name}.items() if v > {number(0)}}}", lambda: "d = table", lambda: "d = dict(table)",
            lambda: f"d = {{key_of(v): v for v in {self.pick(LISTS)}}}", lambda: f"t = {key()} in {name}", lambda: f"l = list({name}.values())", lambda: f"l = [{name}[k] for k in sorted({name})]", lambda: f"z = max({name}.values())", lambda: f"key = max({name}, key={name}.get); w = {name}[key]",
            lambda: f"key, z = {name}.popitem()", lambda: f"{name} |= {{'o': {number(0)}}}", lambda: f"d = dict(zip('abc', {self.pick(LISTS)}))", lambda: f"d = dict.fromkeys('ab', {number(0)})", lambda: f"{name}.clear()", lambda: f"m = len({name})",
        ))()  # fmt: skip

    def others(self) -> str:
        one, number = self.pick(LISTS), self.number
        return self.pick((
            lambda: f"q.append({number(1)})", lambda: f"q.appendleft({number(0)})", lambda: "z = q.popleft()", lambda: f"q.rotate({self.pick(('1', '-1', 'n'))})", lambda: f"q.extend({one})", lambda: f"q[{self.pick(('0', '-1'))}] += {number(0)}",
            lambda: f"many = defaultdict(list); [many[v > x].append(v) for v in {one}]; l = many[True]", lambda: f"many = defaultdict(float); many[key_of(x)] += {number(0)}; many['u'] += 1.0; z = sum(many.values())",
            lambda: f"many = Counter(key_of(v) for v in {one}); m = many['u'] + many['none']", lambda: f"many = Counter(int(v) for v in {one}); m = many.most_common(1)[0][1] if many else 0", lambda: f"many = {{}}\nfor v in {one}:\n    many.setdefault(int(v), []).append(v)\nz = sum(len(v) for v in many.values())".replace("\n", "; "),
            lambda: f"found = {{int(v) for v in {one}}}; m = len(found)", lambda: f"many = OrderedDict(u={number(0)}, v=y); many.move_to_end('u'); z = list(many.values())[0]", lambda: f"z = functools.reduce(lambda v, u: v * 0.5 + u, {one}, {number(0)})",
            lambda: f"l = list(itertools.{self.pick((f'chain({one}, [x])', f'accumulate({one})', f'islice({one}, n)', f'takewhile(lambda v: v < x, {one})', f'dropwhile(lambda v: v < x, {one})', f'compress({one}, [t, True])', f'filterfalse(lambda v: v > x, {one})', 'repeat(x, n)'))})",
            lambda: f"z = sum(v * u for v, u in itertools.pairwise({one}))", lambda: f"l = [sum(g) for _, g in itertools.groupby({one}, lambda v: v > 0.0)]", lambda: f"part = functools.partial(mixed, {number(0)}, k=x); z = part({number(0)})", lambda: f"z = {self.pick(('min', 'max'))}({one}, key=lambda v: (v - x) ** 2)",
            lambda: f"z, w = {self.pick(('min', 'max'))}(zip({one}, {one}))", lambda: f"w = sum({one}, {number(0)})", lambda: f"t = {self.pick(('any', 'all'))}(v > {number(0)} for v in {one})", lambda: f"l = list(map(lambda v, u: v - u, {one}, {self.pick(LISTS)}))",
        ))()  # fmt: skip

    def objects(self) -> str:
        name, number = self.pick("op"), self.number
        return self.pick((
            lambda: f"{name}.x {self.pick(('=', '+=', '*='))} {number(1)}", lambda: f"{name}.size {self.pick(('=', '+='))} {number(0)}", lambda: "o = p", lambda: f"o = {self.pick(('Acc', 'Cut'))}({number(1)})", lambda: f"o = Long(x, {number(0)}) if {self.test(0)} else Acc({number(0)})",
            lambda: f"o {self.pick(('+=', '-=', '*='))} {self.pick((number(0), 'p'))}", lambda: f"o = o {self.pick(('+', '-', '*'))} {self.pick((number(0), 'p', 'o'))}", lambda: f"o = {number(0)} {self.pick(('+', '*'))} p", lambda: f"z = {name}({number(0)})", lambda: f"z = {name}.scaled({number(0)})",
            lambda: f"{name}[{self.pick(('0', 'n'))}] = {number(0)}", lambda: f"z = {name}[{self.pick(('0', 'n', '-1'))}]", lambda: f"t = {number(0)} in {name}", lambda: f"{name}.add({number(0)}).add({number(0)})", lambda: f"o = Acc.of({self.pick(LISTS)})", lambda: f"z = {name}.missing",
            lambda: f"o = copy.{self.pick(('copy', 'deepcopy'))}(p); o.log.append({number(0)})", lambda: f"{name}.log = l; l.append({number(0)})", lambda: f"{name}.extra = {number(0)}; z = getattr(o, 'extra', x)", lambda: f"t = hasattr({name}, 'extra')", lambda: f"t = o {self.pick(('<', '==', '!='))} p",
            lambda: f"best = {self.pick(('min', 'max'))}([o, p], key=lambda v: v.x); best.x = {number(0)}", lambda: f"for one in [o, p]:;     one.x += {number(0)}", lambda: f"rec = Record({number(0)}); rec.values.append(x); z = rec.total; t = rec == Record({number(0)})", lambda: f"Acc.made += {self.pick(('1', '2'))}; m = p.made; Acc.made = 0",
            lambda: f"z = sorted([o, p])[{self.pick(('0', 'n % 2'))}].x", lambda: "setattr(" + name + self.pick((", 'x', ", ", 'extra', ", ", key_of(x), ")) + f"{number(0)})", lambda: f"many = [Acc(v) for v in {self.pick(LISTS)}]; many[{self.place()}].x = {number(0)}; z = sum(v.x for v in many)",
            lambda: f"w = {name}.cached; {name}.x = {number(0)}; w = {name}.cached", lambda: "z = -o.x if isinstance(o, Long) else +o.x",
        ))()  # fmt: skip

    def order(self) -> str:
        """Where it matters what happens first."""
        one, number = self.pick(LISTS), self.number
        return self.pick((
            lambda: f"z = put({one}, {number(0)}) + put({one}, {number(0)}) * len({one})", lambda: f"t = put({one}, x) > {number(0)} and put({one}, y) > {number(0)}", lambda: f"t = {number(0)} < put({one}, x) < {number(0)}", lambda: f"{one}[put({one}, x, 0)] = put({one}, {number(0)})",
            lambda: f"z = (put({one}, x) or {number(0)}) if t else put({one}, y)", lambda: f"z = [put(l, v) for v in {one} if put(r, v) > x][-1:] or [x]; z = z[0]", lambda: f"w = mixed(k=put({one}, x), v=put({one}, y), u=len({one}))", lambda: f"{one} += [put({one}, {number(0)})]", lambda: f"z = {one}[0] + put({one}, x) + {one}[-1]",
            lambda: f"z = x + (x := {number(0)}) * x", lambda: f"d[key_of(x)] = d['k'] = put({one}, x)", lambda: f"{one}[0] += put({one}, {number(0)})", lambda: f"l, r = [put({one}, x)], {one} + [put({one}, y)]", lambda: f"z = {{'s': put({one}, x), 't': put({one}, y)}}['s'] + len({one})",
            lambda: f"assert {self.test(0)}, ({self.words()})", lambda: f"if {self.test(1)}: raise {self.pick(('ValueError', 'Own', 'IndexError'))}({self.words()})", lambda: f"g = (v * x for v in {one}); x = {number(0)}; z = sum(g)", lambda: f"hold = lambda: x + len({one}); x = {number(0)}; z = hold()",
        ))()  # fmt: skip

    # ---- expressions ---------------------------------------------------------------------------------------------------------

    def number(self, depth: int) -> str:
        """A float (or an int)."""
        leaf = self.pick((
            "x", "y", "z", "w", "0.5", "-1.25", "2", "l[0]", "r[-1]", "items[0]", "items[-1]", "table['u']", "d['k']", "n", "m", "a[0]", "a[n]", "o.x", "p.x", "p.y", "o.size", "len(l)", "len(items)", "float(t)", "q[0]", "RATE", "sum(l)", "a.sum()",
        ))  # fmt: skip
        if not depth or self.draws.integer(0, 2) == 0:
            return leaf
        number, test = self.number, self.test
        return self.pick((
            lambda: f"({number(depth - 1)} {self.pick(('+', '-', '*'))} {number(depth - 1)})", lambda: f"({number(depth - 1)} if {test(depth - 1)} else {number(depth - 1)})", lambda: f"np.sin({number(depth - 1)})", lambda: f"max({number(depth - 1)}, {number(depth - 1)})", lambda: f"abs({number(depth - 1)})",
            lambda: f"({number(depth - 1)} or {number(depth - 1)})", lambda: f"({number(depth - 1)} and {number(depth - 1)})", lambda: f"mixed({number(depth - 1)}, {number(depth - 1)})", lambda: f"checked({number(depth - 1)})", lambda: f"sum([{number(depth - 1)}, {number(depth - 1)}])", lambda: f"(lambda v: v * {number(depth - 1)})({number(0)})",
            lambda: f"[{number(depth - 1)}, {number(depth - 1)}][{self.pick(('0', '-1', 'n % 2', 't'))}]", lambda: f"{{'s': {number(depth - 1)}, 'u': x}}[" + self.pick(("'s'", "key_of(x)")) + "]", lambda: f"min({self.pick(LISTS)}, default={number(0)})", lambda: f"({number(depth - 1)}, {number(depth - 1)})[{self.pick(('0', '1', 'x > y'))}]",
            lambda: f"float(int({number(depth - 1)}))", lambda: f"({number(depth - 1)} // {self.pick(('2', '0.75'))})", lambda: f"({number(depth - 1)} % {self.pick(('2', '0.75'))})", lambda: f"math.tanh({number(depth - 1)})", lambda: f"round({number(depth - 1)})",
        ))()  # fmt: skip

    def integer(self, depth: int) -> str:
        """An int."""
        leaf = self.pick(("n", "m", "1", "2", "len(l)", "len(r)", "len(table)", "c", "0", "len(q)", "o.made", "int(x)", "l.count(x)", "len(items)"))
        if not depth:
            return leaf
        return self.pick((leaf, f"({self.integer(0)} {self.pick(('+', '-', '*', '%', '//', '^', '|'))} {self.integer(0)})", f"({self.integer(0)} if {self.test(0)} else {self.integer(0)})", f"sum(v > x for v in {self.pick(LISTS)})"))

    def test(self, depth: int) -> str:
        """A bool."""
        leaf = self.pick((
            "t", "x > 0.25", "x < y", "n > 1", "l", "not r", "len(l) > 2", "x in l", "'u' in table", "'k' in d", "l == r", "l is r", "o is p", "l < r", "items", "m", "y in r", "key_of(x) in table", "isinstance(o, Long)", "o", "w is None", "z > 0.0", "n == m", "a[0] > 0.0", "0.0 < x < y", "q", "type(o) is Acc", "(x, n) < (y, m)", "x == y", "d == table", "not t",
        ))  # fmt: skip
        if not depth or self.draws.integer(0, 1) == 0:
            return leaf
        return self.pick((
            lambda: f"({self.test(depth - 1)} {self.pick(('and', 'or'))} {self.test(depth - 1)})", lambda: f"(not {self.test(depth - 1)})", lambda: f"({self.number(depth - 1)} {self.pick(('<', '<=', '>', '==', '!='))} {self.number(depth - 1)})", lambda: f"any(v > {self.number(0)} for v in {self.pick(LISTS)})", lambda: f"all({self.pick(LISTS)})",
            lambda: f"({self.number(0)} in {self.pick((*LISTS, 'o', 'q', 'd.values()'))})",
        ))()  # fmt: skip

    def series(self, depth: int) -> str:
        """A list or another iterable of floats."""
        leaf = self.pick((*LISTS, "[x, y]", "[]", "[z]", "(y, 0.5)", "[x] * n", "list(a)", "[v for v in r if v > x]", "l[1:]", "r[::-1]"))
        if not depth:
            return leaf
        return self.pick((leaf, f"[v * {self.number(0)} for v in {self.pick(LISTS)}]", f"[{self.number(0)}, {self.number(0)}]", f"sorted({leaf})", f"list(reversed({self.pick(LISTS)}))", f"list(map(abs, {leaf}))", f"(l if {self.test(0)} else [{self.number(0)}])", f"list(counted({self.integer(0)}, x))"))

    def key(self) -> str:
        """A key of a dict of floats by texts."""
        return self.pick(("'u'", "'k'", "'v'", "'new'", "key_of(x)", "'u' if t else 'k'", "f'{n}'"))

    def place(self) -> str:
        """A position in a list."""
        return self.pick(("0", "-1", "n", "1", "m", "-n", "c"))

    def measured(self) -> str:
        """The length of a text, or a number that was made of one."""
        return self.pick(("float(len('ab' * 2))", "float('0.5')", "len(key_of(x)) * 1.0", "(key_of(x) == 'u') * 1.0", "('u' in key_of(y)) * 0.5", "float(ord(key_of(x)[0]))", "0.5 if key_of(x) + key_of(y) == 'uv' else x"))

    def words(self) -> str:
        """What an exception says."""
        return self.pick(("x", "'bad'", "f'bad {n}'", "f'{x:.2f} of {len(l)}'", "'a', n", "key_of(x)", "f'{n!r:>3}|{x}'", "'%d and %.1f' % (n, x)", "'{} {k}'.format(n, k=m)", "f'{key_of(x)}{t}'", "str(n) + 'x'"))
