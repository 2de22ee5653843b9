"""Idioms of Python, of an array, a float and an int: generators in loops, contextmanagers, functions of its library (test_idioms.py)."""
# ruff: noqa: A001, B007, E701, E702, E731, PLR1714, RET504, TRY301, UP028, UP031
from __future__ import annotations

import contextlib
import math
import statistics
import sys
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field, fields
from functools import cmp_to_key, wraps
from itertools import cycle, groupby, repeat
from typing import ClassVar, TypedDict

import numpy as np

GAIN = 2.0


def it_cycle(x, y, n): return sum(a * b for a, b in zip(x, cycle([1.0, y])))


def it_repeat(x, y, n): return sum(repeat(y, 3)) + sum(map(pow, [1.0, 2.0, y], repeat(2)))


def it_groupby_key(x, y, n): return sum(k * len(list(g)) * y for k, g in groupby([1.0, 1.5, 2.0, 3.0], key=lambda v: int(v)))


def f_wraps(x, y, n):
    def twice(f):
        @wraps(f)
        def inner(*args, **kwargs):
            return f(f(*args, **kwargs))
        return inner
    @twice
    def g(v): return v * v + 1
    return g(y)


def f_sorted_cmp(x, y, n): return sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a))


def f_pow(x, y, n): return pow(3, n + 2, 7), pow(y, 2), pow(2, 10, 1000), pow(3, -1, 7)


def f_globals_const(x, y, n): return y * math.pi + sys.float_info.epsilon + np.finfo(float).max * 0 + sys.maxsize * 0


class Vec:
    __slots__ = ("a", "b")
    def __init__(self, a, b): self.a, self.b = a, b
    def __add__(self, o): return Vec(self.a + o.a, self.b + o.b)
    def __sub__(self, o): return Vec(self.a - o.a, self.b - o.b)
    def __mul__(self, o):
        if isinstance(o, Vec):
            return self.a * o.a + self.b * o.b
        return Vec(self.a * o, self.b * o)
    __rmul__ = __mul__
    def __truediv__(self, s): return Vec(self.a / s, self.b / s)
    def __neg__(self): return Vec(-self.a, -self.b)
    def __abs__(self): return math.hypot(self.a, self.b)
    def __pow__(self, k): return Vec(self.a ** k, self.b ** k)
    def __matmul__(self, o): return self.a * o.b - self.b * o.a
    def __mod__(self, k): return Vec(self.a % k, self.b % k)
    def __floordiv__(self, k): return Vec(self.a // k, self.b // k)
    def __divmod__(self, k): return self // k, self % k
    def __eq__(self, o): return self.a == o.a and self.b == o.b
    def __iter__(self): yield self.a; yield self.b
    def __getitem__(self, i): return (self.a, self.b)[i]
    def __len__(self): return 2
    def __contains__(self, v): return v == self.a or v == self.b
    def __bool__(self): return self.a != 0 or self.b != 0
    def __repr__(self): return f"Vec({self.a:.2f}, {self.b:.2f})"
    def __round__(self, k=0): return Vec(round(self.a, k), round(self.b, k))
    def __pos__(self): return self
    def __invert__(self): return Vec(self.b, self.a)
    def __lshift__(self, k): return Vec(self.a * 2 ** k, self.b)
    def __and__(self, o): return Vec(min(self.a, o.a), min(self.b, o.b))
    def __or__(self, o): return Vec(max(self.a, o.a), max(self.b, o.b))
    def __xor__(self, o): return self.a - o.a
    def __rsub__(self, s): return Vec(s - self.a, s - self.b)
    def __rtruediv__(self, s): return Vec(s / self.a, s / self.b)
    def __rpow__(self, s): return Vec(s ** self.a, s ** self.b)
    def __radd__(self, s): return Vec(s + self.a, s + self.b) if s != 0 else self
    def __iadd__(self, o):
        self.a += o.a; self.b += o.b
        return self
    def __isub__(self, o):
        self.a -= o.a; self.b -= o.b
        return self
    def __imul__(self, s):
        self.a *= s; self.b *= s
        return self
    def __float__(self): return float(self.a)
    def __int__(self): return 3
    def __index__(self): return 1
    def __hash__(self): return 1
    def __format__(self, spec): return "<" + format(self.a, spec) + ">"
    def __reversed__(self): return iter((self.b, self.a))
    def __trunc__(self): return 1
    def __floor__(self): return math.floor(self.a)
    def __ceil__(self): return math.ceil(self.a)


def vec_text(x, y, n):
    u = Vec(y, 2.0)
    print(u, f"{u}", f"{u:.1f}", repr(u), str(u), "%s" % u)
    return u.a


@dataclass
class Params:
    rate: float
    steps: int = 3
    history: list = field(default_factory=list)
    scale: ClassVar[float] = 2.0
    def __post_init__(self):
        self.total = self.rate * self.steps
    def step(self, v):
        self.history.append(v)
        return v * self.rate
    @property
    def double(self): return 2 * self.rate
    @double.setter
    def double(self, v): self.rate = v / 2
    @classmethod
    def make(cls, r): return cls(rate=r, steps=4)
    @staticmethod
    def helper(v): return v + 1.0


@dataclass(frozen=True)
class Frozen:
    a: float
    b: tuple = (1.0, 2.0)
    c: int = field(default=3, repr=False, compare=False)


@dataclass(kw_only=True, slots=True)
class KW:
    u: float
    v: float = 1.0


def dc_all(x, y, n):
    p = Params(y)
    s = sum(p.step(v) for v in [1.0, 2.0])
    p.double = 10.0
    q = Params.make(y)
    return s + p.rate + p.total + q.steps + len(p.history) + Params.helper(y) + p.scale


def dc_asdict(x, y, n):
    f = Frozen(y)
    d = asdict(f)
    return d["a"] + d["b"][0] + sum(astuple(f)[1])


def dc_asdict_result(x, y, n):
    return asdict(Frozen(y, (1.0, y)))


def dc_fields(x, y, n):
    p = KW(u=y)
    return sum(getattr(p, f.name) for f in fields(p))


class Counter2:
    def __init__(self): self.n = 0
    def __call__(self, f):
        @wraps(f)
        def inner(*a, **k):
            self.n += 1
            return f(*a, **k)
        return inner


def class_decorator(x, y, n):
    c = Counter2()
    @c
    def f(v, p=2): return v ** p
    return f(y) + f(y, p=3) + c.n + (1.0 if f.__name__ == "f" else 0.0)


def g_class_iter(x, y, n):
    class Seq:
        def __init__(self, v): self.v = v
        def __iter__(self):
            for k in self.v:
                yield k * y
    s = Seq(x)
    return sum(s) + max(s) + len(list(s))


def g_next_default(x, y, n):
    return next((v for v in x if v > y), -1.0)


def g_next_index(x, y, n):
    return next((i for i, v in enumerate(x) if v > 1.0), None)


def c_contextmanager(x, y, n):
    @contextmanager
    def scaled(v, f):
        print("enter")
        yield v * f
        print("exit")
    with scaled(x, y) as z:
        s = z.sum()
    return s


def c_contextmanager_finally(x, y, n):
    @contextmanager
    def temp(arr, k, v):
        old = arr[k]
        arr[k] = v
        try:
            yield arr
        finally:
            arr[k] = old
    with temp(x, 0, y) as a:
        s = a.sum()
    return s + x[0]


def c_contextmanager_raise(x, y, n):
    @contextmanager
    def guard():
        try:
            yield
        except ValueError:
            print("swallowed")
    r = 0.0
    with guard():
        r = math.sqrt(y)
    return r


def c_nullcontext(x, y, n):
    cm = contextlib.nullcontext(y) if n > 100 else contextlib.nullcontext(2 * y)
    with cm as v:
        return v * 2


def c_closing(x, y, n):
    class R:
        def __init__(self): self.open = True
        def close(self): self.open = False
    r = R()
    with contextlib.closing(r) as q:
        s = y * 2 if q.open else 0.0
    return s + (1.0 if r.open else 5.0)


def c_exit_on_return(x, y, n):
    out = []
    class T:
        def __enter__(self): out.append(1.0); return self
        def __exit__(self, *a): out.append(2.0)
    def f(v):
        with T():
            if v > 0:
                return v
            v = -v
        return v * 2
    r = f(y)
    return r, sum(out)


def c_exit_in_loop(x, y, n):
    class T:
        def __init__(self): self.k = 0
        def __enter__(self): return self
        def __exit__(self, *a): self.k += 1
    t = T()
    for v in x:
        with t:
            if v < 0:
                break
    return t.k * y


def del_things(x, y, n):
    a = [1.0, 2.0, y]
    del a[0]
    d = {"u": 1, "v": 2}
    del d["u"]
    class P: pass
    p = P()
    p.z = y
    del p.z
    b = y * 2
    del b
    return a[0] * y + d["v"] + hasattr(p, "z")


def del_attr_then(x, y, n):
    class P: pass
    p = P()
    p.z = y
    delattr(p, "z")
    try:
        return p.z
    except AttributeError as e:
        return 3.0


def exc_class_chosen(x, y, n):
    kind = ValueError if n > 1 else KeyError
    if y > 1:
        raise kind("chosen")
    return y


def w_plain(x, y, n):
    def batches(v, size):
        for start in range(0, len(v), size):
            yield v[start:start + size]
    s = 0.0
    for b in batches(x, 2):
        s += b.sum() ** 2 * y
    return s


def gens(v, start=0.0):
    total = start
    for k in range(len(v)):
        total += v[k]
        yield k, total


def w_module(x, y, n):
    s = 0.0
    for k, t in gens(x, y):
        s += k * t
    return s


def w_break(x, y, n):
    def newton(v):
        while True:
            v = v - (v * v - abs(y)) / (2 * v)
            yield v
    prev = 100.0
    for cur in newton(1.0):
        if abs(cur - prev) < 1e-12:
            break
        prev = cur
    return cur


def w_continue(x, y, n):
    s = 0.0
    for k, t in gens(x):
        if t < 0:
            continue
        s += t * y
    return s


def w_return(x, y, n):
    for k, t in gens(x):
        if t > 1.0:
            return t * y
    return -y


def w_return_early_gen(x, y, n):
    def upto(v):
        for k in v:
            if k > 1.9:
                return
            yield k
    s = 0.0
    for k in upto(x):
        s += k * y
    else:
        s += 100.0
    return s


def w_else_break(x, y, n):
    r = 0.0
    for k, t in gens(x):
        if t < -0.5:
            r = t
            break
    else:
        r = 50.0
    return r * y


def w_two_sites(x, y, n):
    def g(v):
        yield v[0]
        for k in v[1:]:
            yield k * 2
    s = 1.0
    for u in g(x):
        s = s * 0.5 + u * y
    return s


def w_nested(x, y, n):
    s = 0.0
    for k, t in gens(x):
        for j, u in gens(x, t):
            if u > 4:
                break
            s += t * u * y
        else:
            s += 1.0
    return s


def w_from(x, y, n):
    def inner(v):
        for k in v:
            yield k
    def outer(v):
        yield from inner(v)
        yield 10.0
    s = 0.0
    for k in outer(x):
        if k > 5:
            break
        s += k * y
    return s


def w_try(x, y, n):
    def g(v):
        for k in v:
            try:
                yield math.sqrt(k)
            except ValueError:
                yield -1.0
    s = 0.0
    for k in g(x):
        s += k * y
    return s


def w_finally(x, y, n):
    def g(v):
        try:
            for k in v:
                yield k
        finally:
            print("done")
    s = 0.0
    for k in g(x):
        s += k
        if s > 1: break
    return s * y


def w_names(x, y, n):
    def g(s):
        k = 0
        while k < len(s):
            yield s[k] * y
            k += 1
    k, s = 5.0, 0.0
    for v in g(x):
        s += v * k
    return s + k


def w_store(x, y, n):
    def cells(v):
        for i in range(len(v)):
            yield i
    for i in cells(x):
        x[i] = x[i] * y
    return x.sum()


def w_grow(x, y, n):
    out = []
    for k, t in gens(x):
        if t > 0:
            out.append(t * y)
    return sum(out)


def w_print(x, y, n):
    def g():
        for i in range(n):
            print("made", i)
            yield i
    for i in g():
        print("used", i)
    return y


class Walk:
    def __init__(self, v): self.v = v
    def __iter__(self):
        for k in range(len(self.v)):
            yield self.v[k:k + 2]
    def rev(self, f):
        for k in range(len(self.v) - 1, -1, -1):
            yield self.v[k] * f


def w_obj(x, y, n):
    s = 0.0
    for part in Walk(x):
        s += part.mean() * y
    return s


def w_method(x, y, n):
    w = Walk(x)
    s = 0.0
    for v in w.rev(2.0):
        s = s * 0.5 + v * y
    return s


def w_sent(x, y, n):
    def g(v):
        for k in v:
            got = yield k
            if got is not None:
                return
    s = 0.0
    for k in g(x):
        s += k * y
    return s


def w_tree(x, y, n):
    def walk(t):
        if isinstance(t, list):
            for s in t:
                yield from walk(s)
        else:
            yield t
    s = 0.0
    for v in walk([y, [2.0, [3.0, x[0]]]]):
        s += v * v
    return s


def w_lambda(x, y, n):
    def g(v):
        f = lambda q: q * 2
        for k in [f(u) for u in v]:
            yield k
    s = 0.0
    for v in g(x):
        s += v * y
    return s


def w_enum(x, y, n):
    def g(v):
        for k in v:
            yield k
    s = 0.0
    for i, v in enumerate(g(x)):
        s += i * v * y
    return s


@contextmanager
def scoped(arr, k, v):
    old = arr[k]
    arr[k] = v
    try:
        yield arr
    finally:
        arr[k] = old


def m_return(x, y, n):
    with scoped(x, 0, y) as a:
        if y > 1:
            return a.sum()
        b = a.prod()
    return b


def m_loop(x, y, n):
    s = 0.0
    for k in range(3):
        with scoped(x, k, y) as a:
            if k == n:
                continue
            s += a.sum()
    return s + x[0]


def m_in_a_try(x, y, n):
    s = 0.5
    try:
        for k in range(3):
            with scoped(x, k + n, y) as a:
                if k == n:
                    continue
                s += a.sum()
    except IndexError:
        s = s * 2.0
    return s + x[0]


def m_break(x, y, n):
    s = 0.0
    for k in range(len(x)):
        with scoped(x, k, y) as a:
            s += a.sum()
            if s > 5: break
    return s + x[0]


def m_raise(x, y, n):
    try:
        with scoped(x, 0, 1.0) as a:
            s = math.sqrt(y)
    except ValueError:
        s = -1.0
    return s + x[0]


def m_nested(x, y, n):
    with scoped(x, 0, y) as a, scoped(a, 1, 2.0) as b:
        s = b.sum()
    return s + x[0] + x[1]


class Model:
    def __init__(self): self.training = True
    @contextmanager
    def eval(self):
        before = self.training
        self.training = False
        yield self
        self.training = before
    def __call__(self, v): return v * 2 if self.training else v


def m_method(x, y, n):
    m = Model()
    a = m(y)
    with m.eval():
        b = m(y)
    return a + b + m(1.0)


def amplified(v):
    for k in v:
        yield k * GAIN


def z_global(x, y, n):
    s = 0.0
    for k in amplified(x):
        s += k * y
    return s


def z_range_shadow(x, y, n):
    range = 3.0
    def g(v):
        for k in v: yield k
    s = 0.0
    for k in g(x):
        s += k * range
    return s


def counts(m):
    for i in range(m): yield i


def z_range_shadow2(x, y, n):
    range = 3.0
    s = 0.0
    for i in counts(4):
        s += i * range * y
    return s


def z_default(x, y, n):
    def g(v, step=2, *, off=1.0, **kw):
        for i in range(0, len(v), step): yield v[i] + off + kw.get("q", 0.0)
    s = 0.0
    for a in g(x, off=y, q=2.0): s += a * y
    return s


def z_args_once(x, y, n):
    calls = []
    def make():
        calls.append(1)
        return x
    def g(v):
        for k in v: yield k
    s = 0.0
    for k in g(make()): s += k
    return s * y + len(calls)


def z_same_array_changed(x, y, n):
    def g(v):
        for i in range(len(v)):
            yield v[i]
    s = 0.0
    for k in g(x):
        x[len(x) - 1] = x[len(x) - 1] + k * y
        s += k
    return s


def z_rebinds(x, y, n):
    def g(v):
        for i in range(len(v)):
            yield v[i]
            v = v * 0.5
    s = 0.0
    for k in g(x):
        s += k * y
    return s + x[0]


def z_zero_trips(x, y, n):
    def g(m):
        for i in range(m): yield i * y
    last = -1.0
    for last in g(n):
        pass
    return last


def z_loop_var_after(x, y, n):
    def g(v):
        for k in v: yield k
    for q in g(x):
        if q > 1.0:
            break
    return q * y


def z_inside_loop(x, y, n):
    def g(v):
        i = 0
        while i < len(v):
            yield v[i]
            i += 2
    s = 0.0
    for r in range(n):
        for q in g(x):
            if q < 0: continue
            if s > 5: return s
            s += q * y
    return s


def z_while_outer(x, y, n):
    s, k = 0.0, 0
    while k < 4:
        for q in amplified(x):
            s += q * y
            if s > 3: break
        k += 1
    return s


def z_try_outside(x, y, n):
    def g(v):
        for k in v:
            yield math.sqrt(k)
    s = 0.0
    try:
        for q in g(x): s += q * y
    except ValueError:
        s -= 100.0
    return s


def z_body_raises_caught_in_gen(x, y, n):
    def g(v):
        for k in v:
            try:
                yield k
            except ValueError:
                yield -5.0
    s = 0.0
    try:
        for q in g(x):
            s += math.sqrt(q)
    except ValueError:
        s += 1000.0
    return s


def z_closure_in_body(x, y, n):
    fs = []
    for q in counts(3):
        fs.append(lambda v, q=q: v * q)
    return sum(f(y) for f in fs)


def z_lambda_shadow(x, y, n):
    def g(v):
        h = lambda v: v + 1.0
        for k in v: yield h(k)
    v = 10.0
    s = 0.0
    for k in g(x): s += k * v
    return s * y


def z_comp_shadow(x, y, n):
    def g(v):
        s = [k * 2 for k in v]
        for k in s: yield k
    s = 1.0
    for k in g([y, 2.0]): s *= k
    return s


def z_method_names(x, y, n):
    def g(d):
        for k, v in d.items(): yield k, v
    k = 7.0
    s = ""
    t = 0.0
    for name, v in g({"a": y, "b": 2.0}):
        s += name
        t += v
    print(s, k)
    return t


def z_nested_fn(x, y, n):
    def outer(v):
        t = 0.0
        for k in amplified(v):
            t += k
        return t
    return outer(x) * outer(x * y)


@contextmanager
def tagging(name):
    print("<", name)
    yield name
    print(">", name)


def z_cm_return(x, y, n):
    with tagging("a"):
        if y > 1:
            return y * 2
    return y


def z_cm_in_loop(x, y, n):
    s = 0.0
    for v in x:
        with tagging("t"):
            if v < 0: continue
            s += v * y
            if s > 4: break
    return s


def z_cm_raise(x, y, n):
    with tagging("a"):
        v = math.sqrt(y)
    return v


@contextmanager
def catching():
    try:
        yield
    except ValueError as e:
        print("caught", e)
    else:
        print("fine")
    finally:
        print("end")


def z_cm_catch(x, y, n):
    r = -1.0
    with catching():
        r = math.sqrt(y)
    return r


def z_cm_catch_return(x, y, n):
    with catching():
        return math.sqrt(y)
    return -7.0


def g_group_by_sign(x, y, n):
    total = 0.0
    for above, group in groupby(x, key=lambda v: v > 0.2):
        part = 0.0
        for v in group:
            part += v * y
        total = total * 0.5 + part * part * (2.0 if above else 1.0)
    return total


def g_group_lengths(x, y, n):
    labels = [int(v * 2) for v in x]
    runs = [(label, sum(1 for _ in run)) for label, run in groupby(labels)]
    return y * sum(label * length for label, length in runs) + len(runs)


def g_group_once(x, y, n):
    groups = groupby(x, lambda v: v > 0.2)
    _, first = next(groups)
    total = sum(first) * y
    for _, group in groups:
        total += 2.0 * next(group)
        total += 3.0 * sum(group) + len(list(group))
    return total


def g_group_of_texts(x, y, n):
    return sum(max(v for _, v in group) * (y if above else 1.0) for above, group in groupby([(v > 0.2, v) for v in x], key=lambda row: row[0]))


def l_statistics(x, y, n):
    means = statistics.mean(x.flat) + statistics.fmean(x, weights=x * x) + statistics.harmonic_mean(x * x) + statistics.geometric_mean(x * x + 1.0) * y
    return means + statistics.stdev(x) + statistics.pvariance([v * y for v in x]) + statistics.variance(list(x), y) + statistics.pstdev(v for v in x)


def l_statistics_of_some(x, y, n):
    try:
        return statistics.mean([v for v in x if v > y])
    except statistics.StatisticsError:
        return y * statistics.mean([1, 2, 4]) + statistics.mean([x[0], y, 1])


def z_zip_of_a_shorter_list(x, y, n):
    above = [v for v in x if v > 0.4]
    total = sum(a * b for a, b in zip([1.0, y, 3.0, 4.0, 5.0], above))
    for f, v in zip([np.sin, np.cos, np.tanh, np.exp, abs], above):
        total += f(v)
    for name, v in zip("abcde", above):
        total += v * (y if name == "a" else 1.0)
    return total


def z_zip_of_a_shorter_array(x, y, n):
    named = dict(zip(["a", "b", "c", "d"], x[n:]))
    return sum(w * v for w, v in zip([1.0, y, 3.0, 4.0, 5.0, 6.0], x)) + named["a"] + named.get("d", y) + len(named)


class Held:
    def __init__(self, values):
        self.values = values

    def above(self, least):
        for v in self.values:
            if v > least:
                yield v

    def __iter__(self):
        yield from self.above(0.1)

    def numbered(self):
        for k, v in enumerate(self):
            yield k, v


def w_methods_that_yield(x, y, n):
    held = Held(x)
    return sum(held.above(y)) + sum(k * v for k, v in held.numbered()) + max(held) * y


def _in_a_block(values, y):
    try:
        for v in values:
            yield v * y
    finally:
        y = 0.0


def _by_kind(values, n):
    match n:
        case 2:
            yield values[0]
        case _:
            yield values[1]
            yield values[2]


def w_yield_in_blocks(x, y, n):
    return sum(_in_a_block(x, y)) + sum(_by_kind(x, n)) + sum(v * k for k, v in enumerate(_in_a_block(x, 2.0)))


def _total(values):
    total = 0.0
    for v in values:
        if v > 0.0:
            yield v
        total += v
    return total


def _with_total(values):
    total = yield from _total(values)
    yield total * 10.0


def w_value_of_yield_from(x, y, n):
    return sum(_with_total(x)) * y


def _below(values, y):
    for v in values:
        if v < y:
            yield v


def _both(values, y):
    nothing = yield from _below(values, y)
    less = yield from (v for v in values if v > y)
    total = yield from _total(values)
    yield total if nothing is None and less is None else -1.0


def w_values_of_yield_from(x, y, n):
    return sum(_both(x, y)) * 2.0


def l_bound_in_any(x, y, n):
    total, bad = 0.0, y
    if any((hit := v) > 0.6 for v in x):
        total += hit * y
    if not all((bad := v * y) > -0.5 for v in x if v != y):
        total += bad * 3.0
    for k in range(n):
        if k < 9 and any((last := v + k) > 1.5 for k, v in enumerate(x)):
            total += last * 2.0
    while n < 6 and not any((last := v * n) > 2.0 for v in x):
        n += 1
        total += last
    return total + bad + sum(found for w in x if any((found := v * w) > 0.5 for v in x))


class Place(TypedDict):
    left: float
    right: float


def l_special_methods_as_keys(x, y, n):
    named, items = {"a": y, "b": x[0]}, [x[1], y]
    best = max(range(len(x)), key=x.__getitem__)
    place = Place(left=y, right=2.0)
    return x[best] * y + sum(map(named.__getitem__, ["a", "b"])) + items.__getitem__(1) + items.__len__() + named.__contains__("a") + place["left"] * place["right"]


def l_tuples_in_a_list(x, y, n):
    pairs = [(v, k) for k, v in enumerate(x) if v > -0.9]
    alike = [(v, 1.0) for v in x]
    total = ((x[1], 1) in pairs) + pairs.count((0.1, 1)) + ((y, 1.0) in alike) * 2.0 + alike.index((x[2], 1.0))
    alike.remove((x[3], 1.0))
    return total + sum(a * b * y for a, b in alike) + ((1.0,) in alike) + (y in alike)


# ---- stacks of contexts, np.nditer ---------------------------------------------------------------------------------------------------


@contextmanager
def scaled(a, k):
    a *= k
    try:
        yield a
    finally:
        a /= k


class Noted:
    def __init__(self, log, swallows): self.log, self.swallows = log, swallows
    def __enter__(self): self.log.append(1.0); return self
    def __exit__(self, kind, error, trace):
        self.log.append(2.0 if kind is None else 3.0)
        return self.swallows and kind is ValueError


def w_stack_of_generators(x, y, n):
    a = x.copy()
    with contextlib.ExitStack() as stack:
        for k in (2.0, y):
            stack.enter_context(scaled(a, k))
        s = np.sum(a)
        for i in range(len(x)):
            s += a[i] * a[(i * n) % len(x)]
    return s + np.sum(a)


def w_stack_of_calls(x, y, n):
    out = []
    with contextlib.ExitStack() as stack:
        stack.callback(out.append, x[0])
        stack.callback(lambda k, scale: out.append(k * scale), y, scale=3.0)
        stack.push(lambda kind, error, trace: out.append(x[1]) if kind is None else None)
        later = stack.pop_all()
        out.append(x[2] * len(out))
    count = len(out)
    later.close()
    return out[0] + 10 * out[1] + 100 * out[2] + 1000 * out[3] + count


def c_stack_swallows(x, y, n):
    log = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(Noted(log, True))
        stack.enter_context(Noted(log, False))
        if y > 0:
            raise ValueError("no")
        log.append(9.0)
    return y + sum(each * 10 ** i for i, each in enumerate(log))


def c_stack_is_left(x, y, n):
    log = []
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(Noted(log, False))
            stack.enter_context(contextlib.nullcontext())
            if y > 0:
                raise ValueError("no")
    except ValueError:
        log.append(7.0)
    return y + sum(each * 10 ** i for i, each in enumerate(log))


def w_nditer(x, y, n):
    s = 0.0
    for v, w in np.nditer([x, x[::-1].copy()]):
        s += v * w * y
    return s


def w_nditer_places(x, y, n):
    a, s = np.outer(x, [1.0, y]), 0.0
    it = np.nditer(a, flags=["multi_index"])
    for v in it:
        i, j = it.multi_index
        s += v * v * (i + 2 * j)
        if i == 3:
            break
    return s * it.multi_index[0]


def w_nditer_by_hand(x, y, n):
    it, s = np.nditer(x, flags=["c_index"]), y
    while not it.finished:
        s = s * 0.5 + it[0] * it.index
        it.iternext()
    return s


def w_nditer_stores(x, y, n):
    a = x.reshape(5, 1) * np.array([1.0, y])
    with np.nditer(a, op_flags=["readwrite"]) as it:
        for v in it:
            v[...] = np.sin(v) * y if v > 0 else v
    return np.sum(a * a)


def c_nditer_is_read_only(x, y, n):
    for v in np.nditer(x):
        v[...] = y
    return y
