"""A grammar of programs about storage: who sees a store, in which dtype, through which view, and on which trip.

Loop programs at any sizes (`loops`) with what those leave out: arrays of float32, integers and bools among float64, matrices written through
their transposes, rows and columns, slices with negative steps and run-time ends (empty ones too), buffers swapped under branches, containers
that loops carry, `while` loops with two conditions that are left in the middle, helpers that write into views and return them.
"""
from __future__ import annotations

from .grammar import Draws
from .loops import HELPERS, MATRICES, SCALARS, VECTORS, Index, LoopProgram

MORE = """
def faded(u, low):
    w = u[low:]
    w *= 0.8
    return w


def paired(u, w, first):
    if first:
        u, w = w, u
    for i in range(1, len(u)):
        u[i] += 0.3 * w[i - 1]
    return u, w


def search(A, s):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > s:
                return A[i, j] * 0.5, i
            A[i, j] *= 0.9
    return s, -1


def drain(u, s):
    i = 0
    while i < len(u) and s > -3.0:
        s = s - 0.2 * u[i]
        if abs(s) < 0.3:
            break
        u[i] = 0.5 * s
        i += 1
    return s, i


def advance(state, h):
    q = state["q"] + h * state["p"]
    return {"q": q, "p": state["p"] - h * np.sin(q), "w": state["w"] * 0.9 + h * q}


def until(u, s):
    for i in range(len(u)):
        if u[i] > s:
            return u[:i] * 0.5
    return u


def longest(u, s):
    best = 0
    for i in range(len(u)):
        if u[i] > s:
            if i > 1:
                kept = u[i:]
            continue
        best += 1
        if best > 2:
            w = u[best:] * s
            while len(w) > 2:
                w = w[1:] + 0.1
                if w[0] > 0.4:
                    return w
    return u[:best] * s


def column(A, j):
    return A[:, j]


def flipped(A):
    return A[::-1].T


@s2s.custom_jvp
def soft(t):
    return np.log1p(np.exp(-abs(t)))


@soft.defjvp
def soft_jvp(primals, tangents):
    (t,) = primals
    return soft(t), -tangents[0] * np.sign(t) / (1.0 + np.exp(abs(t)))


def weigh(u, s):
    w = u * 0.5
    for i in range(1, len(u)):
        w[i] = w[i] + 0.3 * np.tanh(w[i - 1] * s)
    return w


def twice(u, s, t):
    y, push = s2s.linearize(weigh, u, s)
    return push(u * 0.5, t) + push(y, 0.3)


def pulled(u, s):
    y, pull = s2s.vjp(weigh, u, s)
    one, two = pull(y), pull(u)
    return one[0] * 0.5 + two[0] * one[1] * 0.1


def slope(u, s):
    return s2s.jvp(lambda t: s2s.grad(energy)(u, t), (s,), (0.5,))[1]


"""
RETURNED = "x, y, z, a * 1, b * 1, c * 1, d * 1, v * 1, P * 1, Q * 1, S * 1, e * 1, g.copy(), o * 1, m, box, items[0] * 1, items[1] * 1"
LOSS = """

def loss(a, b, P, x, k):
    x, y, z, a, b, c, d, v, P, Q, S, e, g, o, m, box, one, two = f(a, b, P, x, k)
    weights = np.arange(len(a)) * 0.1 + 0.3
    r = 0.3 * x + y * z + np.sum(a * weights) - np.sum(b * c) + 0.5 * np.sum(d * weights) + np.sum(v * v) + np.sum(o * weights)
    r = r + 0.2 * np.sum(P * Q) + 0.1 * np.sum(S * weights) + np.sum(P.T * weights) * 0.1 + box["q"] * box["p"] + np.sum(box["w"] * weights)
    return r + np.sum(one * two * weights)
"""


class StorageProgram(LoopProgram):
    """The text of one program; `single`: float32 arrays among float64; `raising`: it may fail as NumPy does."""

    returned = RETURNED

    def __init__(self, draws: Draws, size: int = 8, *, single: bool = False, transformed: bool = False, raising: bool = False) -> None:
        super().__init__(draws, size, "real", transformed=transformed)
        self.single, self.raising = single, raising

    def text(self) -> str:
        """The module."""
        self.emit(0, "def f(a, b, P, x, k):")
        self.emit(1, "x = np.float64(x); y = 0.5 * x; z = 0.25 * x; m = 1; n = len(a)")
        if not self.chance(30):
            self.emit(1, "a = a.copy(); b = b + 0.0; P = P * 1.0")
        self.emit(1, self.pick(["c = a * 0.5", "c = np.zeros_like(a)", "c = np.empty_like(a); c[:] = b", "c = b.copy()"]))
        self.emit(1, self.weighted((5, "d = b * 0.5"), (2, "d = np.zeros_like(b)"), (1, "d = b"), (1, "d = a[::-1]"), (1, "d = c")))
        self.emit(1, self.weighted((3, "Q = P * 0.5"), (2, "Q = np.zeros_like(P)"), (1, "Q = P"), (1, "Q = P[::-1]"), (1, "Q = (P * 0.5)[:, ::-1]"), (1, "Q = np.ones((P.shape[1], n)).T")))
        self.emit(1, self.pick(["v = P.sum(axis=0) * 0.3", "v = np.zeros(P.shape[1])", "v = 0.2 * (a @ P)"]))
        self.emit(1, self.pick(["S = 0.3 * a[:, None] * b", "S = np.zeros((n, n))", "S = 0.3 * np.outer(b, b)", "S = np.zeros((n, n)).T"]))
        self.emit(1, self.pick(["e = np.zeros(n, dtype=np.int64)", "e = np.arange(n)", "e = (np.arange(n) * 3 + k) % max(n, 1)"]))
        self.emit(1, self.pick(["g = a > 0.0", "g = np.zeros(n, dtype=bool)", "g = b < x"]))
        self.emit(1, self.pick(["o = a.astype(np.float32)", "o = np.zeros(n, dtype=np.float32)"]) if self.single else "o = a * 0.25")
        self.emit(1, "box = {'q': x, 'p': y * 1.0, 'w': b * 0.5}; items = [a * 1.0, b * 0.5]")
        while self.left > 0:
            self.weighted((7, self.loop), (1, self.nest), (1, self.buffers), (3, self.statement))(1)
        self.emit(1, f"return {self.returned}")
        kind = "'mixed raising'" if self.raising else "'mixed single'" if self.single else "'mixed'"
        return HELPERS.replace("{kind!r}", kind) + MORE.lstrip("\n") + "\n".join(self.lines) + "\n" + LOSS

    # ---- expressions ----

    def element(self) -> str:
        i = self.at("n")
        if i is None or not self.chance(22):
            return super().element()
        options = [f"o[{i}]", f"float(e[{i}] % 3) * 0.2", f"(e[{i}] % 4) * 0.1", f"items[0][{i}]", f"box['w'][{i}]", f"items[1][{i}]", "box['q']", f"(g[{i}] * 0.3)", f"{self.pick(VECTORS)}[::-1][{i}]"]
        j = self.at("m")
        if j is not None:
            options += [f"P.T[{j}, {i}]", f"Q[::-1, ::-1][{i}, {j}]", f"column(P, {j})[{i}]", f"flipped(Q)[{j}, {i}]"] * 2
        return self.pick(options)

    def part(self) -> str:
        return self.run() if self.chance(50) else super().part()

    def run(self, name: str | None = None) -> str:
        """A slice with run-time ends: often empty, often the other way round."""
        name = name or self.pick((*VECTORS, "items[0]", "box['w']"))
        ends = ["", "k", "-k", "m", "1", "-1", "n", "n - 1", "n // 2"] + [text for i in self.indices for text in (i.name, f"{i.name} + 1", f"{i.name} - 1", f"-{i.name}", f"n - {i.name}")]
        step = self.weighted((3, ""), (2, ":-1"), (1, ":2"), (1, ":-2"), (1, ":3"))
        return f"{name}[{self.pick(ends)}:{self.pick(ends)}{step}]"

    # ---- statements ----

    def statement(self, depth: int) -> None:
        if not self.chance(55):
            super().statement(depth)
            return
        self.left -= 1
        kinds = [(3, self.runs), (3, self.mixed), (2, self.swapped), (2, self.carried), (3, self.planes), (2, self.helpers)]
        if depth < 5:
            kinds += [(2, self.left_in_the_middle), (1, self.rows), (1, self.swapping_loop)]
        if self.in_loop:
            kinds += [(1, self.leave)]
        if self.transformed:
            kinds += [(5, self.rules)]
        if self.raising:
            kinds += [(4, self.raises)]
        self.weighted(*kinds)(depth)

    def runs(self, depth: int) -> None:
        """Stores into slices with run-time ends."""
        name, other = self.pick((*VECTORS, "items[0]", "box['w']")), self.pick(VECTORS)
        part = self.run(name)
        same = other + part[len(name):]
        options = [f"{part} *= 0.8", f"{part} += 0.1 * {same}", f"{part} = 0.5 * {same}", f"{part} = {self.pick(SCALARS)}", f"{part} -= 0.2 * {self.scalar(1)}", f"w = {part}; w *= 0.9; y += 0.1 * np.sum(w * {same})"]
        options += [f"z = 0.3 * np.sum({part}) + 0.1 * len({part})", f"{part}[:] = np.tanh({same})", f"w = {part}; {same} = 0.5 * w", f"w = {part}[::-1]; w += 0.1 * {same}"]
        self.emit(depth, self.pick(options))

    def mixed(self, depth: int) -> None:
        """Other dtypes."""
        one, i = self.pick(VECTORS), self.at("n")
        options = ["o *= 0.5", f"o[:] = {one}", f"o = ({one} * 0.5).astype(o.dtype)", f"{one} += o", f"{one} = 0.5 * ({one} + o)", f"g = g & ({one} > {self.pick(SCALARS)})", f"g = g | ({one} < 0.2)", "g = ~g", f"{one}[g] *= 0.5"]
        options += [f"{one} = np.where(g, {one}, 0.5 * o)", "e += g", "e //= 2", "e[:] = np.where(g, e, 1)", "y += 0.1 * g.sum()", "m = int(e.sum()) % 5", f"{one}[g] = {self.pick(SCALARS)}", "o[::2] += 0.3", "o += e * 0.1" if not self.single else "o += 1"]
        options += ["e = e % 3 + np.arange(n)", "y = 0.5 * y + 0.1 * float(e.max(initial=0))", f"e[{one} > 0.0] = m", "z = 0.2 * np.sum(o)" if not self.single else "z = 0.2 * float(np.sum(o))", "e = (o * 3).astype(np.int64)"]
        if i is not None:
            options += [f"o[{i}] = {self.scalar(1)}", f"o[{i}] += {one}[{i}] * 0.3", f"g[{i}] = {self.test()}", f"if g[{i}]: {one}[{i}] *= 0.5", f"e[{i}] += g[{i}]", f"e[{i}] = int(abs({one}[{i}]) * 3.0)"] * 2
            options += [f"y += e[{i}] * 0.1", f"m += 1 if g[{i}] else 0", f"{one}[{i}] = e[{i}] % 2", f"{one}[{i}] = g[{i}]", f"o[{i}], {one}[{i}] = {one}[{i}], o[{i}]", f"g[{i}] = not g[{i}]", f"e[{i}] = {one}[{i}] * 2"]
        self.emit(depth, self.pick(options))

    def swapped(self, depth: int) -> None:
        """Names exchanged, where the path taken may decide it."""
        one, two, three = self.pick(VECTORS), self.pick(VECTORS), self.pick(VECTORS)
        line = self.pick([
            f"{one}, {two} = {two}, {one}", "P, Q = Q, P", f"{one}, {two}, {three} = {two}, {three}, {one}", "items[0], items[1] = items[1], items[0]", f"items[0], {one} = {one}, items[0]",
            f"box['w'], {one} = {one}, box['w']", "items = [items[1], items[0]]", f"{one}, {two} = {two}.copy(), {one}", "P, Q = Q[::-1], P", f"{one} = {two}[::-1]", f"{one}, {two} = paired({one}, {two}, {self.test()})",
        ])  # fmt: skip
        if self.chance(50):
            self.emit(depth, f"if {self.test()}:")
            self.emit(depth + 1, line)
            if self.chance(30):
                self.emit(depth, "else:")
                self.body(depth + 1)
        else:
            self.emit(depth, line)

    def swapping_loop(self, depth: int) -> None:
        """Buffers swapped in a nest: at its end, under a test, or in the inner loop too."""
        i, t = self.fresh(), self.fresh()
        one, two = self.pick(VECTORS), self.pick(VECTORS)
        self.emit(depth, f"for {t} in range({self.pick(['2', '3', 'k', 'k + 1'])}):")
        if self.chance(30):
            self.emit(depth + 1, f"if {self.test()}:")
            self.emit(depth + 2, f"{one}, {two} = {two}, {one}")
        self.emit(depth + 1, f"for {i} in range(1, n):")
        self.emit(depth + 2, self.pick([f"{one}[{i}] = 0.5 * {two}[{i} - 1] + 0.3 * {one}[{i} - 1]", f"{one}[{i}] = 0.4 * {two}[{i}] * np.cos({two}[{i} - 1])", f"{two}[{i} - 1] += 0.2 * {one}[{i}]"]))
        outer, self.in_loop = self.in_loop, True
        self.indices.append(Index(i, "n", 1, 0))
        if self.chance(50):
            self.statement(depth + 2)
        self.indices.pop()
        if self.chance(25):
            self.emit(depth + 2, self.pick([f"{one}, {two} = {two}, {one}", f"if {self.test()}: {one}, {two} = {two}, {one}"]))
        if self.chance(80):
            self.emit(depth + 1, self.pick([f"{one}, {two} = {two}, {one}", f"if {self.test()}: {one}, {two} = {two}, {one}", f"if {self.test()}: break", f"{one}, {two} = {two}, {one}"]))
        if self.chance(30):
            self.statement(depth + 1)
        self.in_loop = outer

    def carried(self, depth: int) -> None:
        """Containers that change."""
        one, i = self.pick(VECTORS), self.at("n")
        options = [
            "box = advance(box, 0.1)", f"box['q'] = {self.scalar(1)}", f"box['w'] = {self.vector()}", "box['p'], box['q'] = box['q'], box['p'] * 0.5", f"items[{self.pick(['0', '1', '-1'])}] = {self.vector()}",
            "box = {'q': box['p'], 'p': box['q'] * 0.5, 'w': box['w'] + 0.1}", f"items = [items[1] * 0.5, {one}.copy()]", "y += box['q'] * 0.1 + box['w'].sum() * 0.1", "pair = (x, y); x, y = pair[1], pair[0]",
            f"box['w'] += 0.1 * {one}", "for u in items: u *= 0.9", "for key in box: y += 0.1 * np.sum(box[key])", f"state = advance({{'q': x, 'p': y, 'w': {one}}}, 0.2); x = state['q']; {one} = state['w']",
        ]  # fmt: skip
        if i is not None:
            options += [f"items[0][{i}] = {self.scalar(1)}", f"box['w'][{i}] += {self.scalar(1)}", f"items[1][{i}] *= 0.5", f"box['w'][{i}], box['q'] = box['q'], box['w'][{i}]"] * 2
        self.emit(depth, self.pick(options))

    def planes(self, depth: int) -> None:
        """Matrices stored through views of them."""
        one, A, B = self.pick(VECTORS), self.pick((*MATRICES, "P.T.T", "Q[::-1]")), self.pick(MATRICES)
        C = self.pick(MATRICES)
        i, j = self.at("n"), self.at("m")
        options = [
            f"{C}.T[...] = 0.5 * {B}.T", f"{C}[::-1] *= 0.9", f"{C}[1:] = 0.5 * {B}[:-1]", f"{C}[:, 1:] += 0.2 * {C}[:, :-1]", "S[:] = 0.5 * S.T", "S[1:, 1:] = 0.5 * S[:-1, :-1]", "S.T[1:] *= 0.8", f"w = {C}.T; w[:] = 0.5 * w",
            f"w = {C}[::2]; w += 0.1", f"w = {C}[:, ::-1]; w[:] = 0.3 * {B}", "S += 0.1 * S.T", "S[::-1, ::-1] = 0.5 * S", f"{one} = 0.5 * {C}.sum(axis=1)", f"{C} = 0.5 * {B}.T.copy().T", f"{C} += 0.1 * {one}[:, None]",
            f"{C} *= np.tanh(v)", f"w = {C}.reshape(-1); y += 0.1 * w.sum()", "w = np.zeros((2, n)); w[0] = a; w[1] = b; z = 0.1 * (w[0] @ w[1])", f"flipped({C})[:] *= 0.9", "w = S.T; S = S * 0.5; w += 0.1", "R = S; S = S.T; R[:1] *= 0.5",
        ]  # fmt: skip
        if i is not None:
            options += [
                f"{A}[{i}] *= 0.9", f"{C}[{i}] = 0.5 * {B}[n - 1 - {i}]", f"w = {C}[{i}]; w += 0.1 * v", f"w = {C}.T; w[:, {i}] = 0.5 * v", f"{C}[{i}, ::-1] = 0.5 * {B}[{i}]", f"S[{i}], S[0] = S[0] * 0.5, S[{i}] * 0.5",
                f"S[:, {i}] = 0.3 * S[{i}]", f"S[{i}] += 0.2 * S[:, {i}]", f"w = S[{i}]; S[{i}, :1] = 0.2; y += 0.1 * w.sum()", f"S.T[{i}] = 0.5 * {one}", f"S[:{i}, {i}] *= 0.5", f"S[{i}:, :{i}] = 0.3", f"S[{i}, {i}::-1] *= 0.7",
                f"S[{i}::-1, 0] = 0.3 * {one}[:{i} + 1]", f"w = S[{i}:, {i}]; w[0] = x", f"S[[{i}, 0]] = 0.5 * S[[0, {i}]]", f"{one}[{i}] = 0.2 * (S[{i}] @ S[:, {i}])",
            ]  # fmt: skip
        if j is not None:
            options += [f"w = column({C}, {j}); w *= 0.8", f"{C}.T[{j}] = 0.5 * {one}", f"{C}[:, {j}], {B}[:, 0] = {B}[:, 0] * 0.5, {C}[:, {j}] * 0.5", f"v[{j}] = 0.2 * ({one} @ {C}[:, {j}])", f"{C}[::-1, {j}] += 0.1 * {one}"] * 2
        if i is not None and j is not None:
            options += [f"{C}.T[{j}, {i}] = {self.scalar(1)}", f"w = {C}.T; w[{j}, {i}] = 0.5 * {B}[{i}, {j}]", f"w = {C}[::-1]; w[{i}, {j}] += {self.scalar(1)}", f"w = {C}[{i}]; w[{j}] = {self.scalar(1)}", f"{C}[{i}][{j}] = {self.scalar(1)}"] * 3
        self.emit(depth, self.pick(options))

    def helpers(self, depth: int) -> None:
        one, two, C = self.pick(VECTORS), self.pick(VECTORS), self.pick(MATRICES)
        self.emit(depth, self.pick([
            f"w = faded({one}, {self.pick(['k', '1', 'm'])}); w += 0.1 * x", f"y = 0.1 * faded({one}, k).sum()", f"{one}, {two} = paired({one}, {two}, {self.test()})", f"y, m = search({C}, {self.scalar(0)}); m = abs(m) % 5",
            f"z, m = drain({one}, {self.scalar(0)}); m = m % 5", f"z, _ = drain({one}[::-1], {self.scalar(0)})", f"y, m = search({C}.T, 0.4); m = abs(m) % 5", f"relax({one}[::-1], 0.5)", f"relax({one}[1:], {self.bounded(0)})",
            f"sweep({C}.T, {C}.T * 0.5)", f"sweep({C}[::-1], {self.pick(MATRICES)} * 0.5)", f"backward({one}[::2], {two}[::2] * 0.5)", f"relax({C}[0], 0.5) if n > 0 else None", f"relax({C}.T[0], 0.5) if {C}.shape[1] > 0 else None",
            f"{one} = backward({two}[::-1] * 1.0, {one})", f"w = backward({one}, {two} * 0.5); w[:1] = x", f"faded(faded({one}, 1), 1)", f"y = 0.3 * y + 0.1 * until({one}, {self.scalar(0)}).sum()", f"w = longest({one}, {self.scalar(0)}); z = 0.2 * np.sum(w * w)", f"w = until({one}, 0.4); w += 0.1", "relax(items[0], 0.5)", "relax(box['w'], 0.3)",
        ]))  # fmt: skip

    def rules(self, depth: int) -> None:
        one, two = self.pick(VECTORS), self.pick(SCALARS)
        self.emit(depth, self.pick([
            f"{two} = soft({self.scalar(1)})", f"{one} = soft({one})", f"{one} = s2s.checkpoint(weigh)({one}, {two})", f"{one} = 0.3 * twice({one}, {two}, {self.scalar(0)})",
            f"{one} = 0.3 * pulled({one}, {two})", f"{two} = 0.1 * slope({one}, {two})", f"S = 0.2 * s2s.hessian(energy)({one}, {two})", f"S = 0.2 * s2s.jacrev(weigh)({one}, {two})", f"S = 0.2 * s2s.jacfwd(s2s.grad(energy))({one}, {two})",
            f"{one} = 0.2 * s2s.grad(lambda u: np.sum(pulled(u, {two})))({one})", f"{one} = 0.2 * s2s.jvp(s2s.grad(energy), ({one}, {two}), ({one} * 0.5, {two}))[1]", f"{two} = kept({one}, {self.scalar(0)})",
        ]))  # fmt: skip

    def raises(self, depth: int) -> None:
        """What may fail at run time as NumPy does."""
        one, i = self.pick(VECTORS), self.at("n") or "k"
        self.emit(depth, self.pick([
            f"{one}[{i} + k] = x", f"y = {one}[{i} + m]", f"y = {one}[-{i} - m]", f"if {self.test()}: raise ValueError('no')", f"assert {self.test()}, 'not so'", f"{one}[k:] = {one}[:-k]", f"{one} += a[k:]", f"y = S[k, {i} + m]",
            f"y = P[{i}, k]", f"y = v[{i}]", f"{one}[e + m] = 1.0", f"y = {one}[e - k].sum()", f"y = {one}[k:].max()", "y = 0.5 * x / (k - 1)", f"m = {i} % (k - m)", "P = P + v[k:]", f"S[{i}] = P[{i}]", "y = (S @ P[k:]).sum()", f"y = np.argmax({one}[k:]) * 0.1",
            f"{one} = {one}.reshape(n // 2, 2).sum(axis=1)", "w = np.zeros(k - m); w[0] = x; y += w[0]",
        ]))  # fmt: skip

    def rows(self, depth: int) -> None:
        """Loops over the rows of a matrix, which are views."""
        C, one, i, j = self.pick((*MATRICES, "S")), self.pick(VECTORS), self.fresh(), self.fresh()
        wide = C == "S"
        options = [
            [f"for {i}, row in enumerate({C}):", "    row *= 0.9", f"    {one}[{i}] = 0.3 * row.sum()"],
            [f"for row in {C}[::-1]:", "    y = 0.5 * y + 0.2 * row.sum()", "    row[:] = 0.5 * row[::-1]"],
            [f"for col in {C}.T:", f"    col += 0.1 * {one}", "    z = 0.3 * z + 0.2 * col.max(initial=0.0)"],
            [f"for row, t in zip({C}, {one}):", "    if t > 0.0: continue", "    row[:1] = t"],
            [f"for {i}, row in enumerate({C}):", f"    for {j}, t in enumerate(row):", "        y = 0.5 * y + 0.2 * t", f"        row[{j}] = 0.5 * t + 0.1 * y"],
            [f"for row, other in zip({C}, {C}[1:]):", "    other += 0.3 * row"],
            [f"for {i}, row in enumerate({C}):", f"    {C}[{i}] *= 0.5", "    x = 0.5 * x + 0.1 * row.sum()"],
            [f"previous = {C}[:1].sum(axis=0)", f"for row in {C}:", "    row += 0.2 * previous", "    previous = row"],
        ]
        for line in self.pick(options):
            self.emit(depth, line)

    def left_in_the_middle(self, depth: int) -> None:
        """A `while` with two conditions; what counts its trips comes in the middle or last."""
        name, limit = self.fresh(), self.pick(["n", "n - 1", "3", "k"])
        self.emit(depth, f"{name} = 0")
        second = self.pick([f"abs({self.pick(SCALARS)}) < 3.0", self.test(0), f"not {self.test(0)}", f"(m < 4 or {self.test(0)})"])
        self.emit(depth, self.pick([f"while {name} < {limit} and {second}:", f"while {second} and {name} < {limit}:", "while True:"]))
        if self.lines[-1].endswith("while True:"):
            self.emit(depth + 1, f"if {name} >= {limit} or {self.test(0)}: break")
        outer, self.in_loop = self.in_loop, False
        if limit.startswith("n"):
            self.indices.append(Index(name, "n", 0, int(limit == "n - 1")))
        self.body(depth + 1)
        self.emit(depth + 1, f"if {self.test()}: {self.pick(['break', 'break', f'return {self.returned}'])}")
        if self.chance(50):
            self.body(depth + 1)
        self.emit(depth + 1, f"{name} += 1")
        if self.chance(20):
            self.emit(depth + 1, f"if {self.test()}: {self.pick(['break', 'continue'])}")
        if limit.startswith("n"):
            self.indices.pop()
        self.in_loop = outer
        if self.chance(20):
            self.emit(depth, "else:")
            self.emit(depth + 1, f"y = {self.scalar(1)}")
