"""Classes made inside, functions with a cache, counters, generators and itertools of which only the run knows what they yield: right, or refused."""
import collections
import dataclasses
import itertools
from collections import Counter, OrderedDict
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import pytest

import s2s
from s2s.errors import UnsupportedError

X = np.array([0.7, -1.0, 2.0, 0.75, -0.3, 1.1, 0.2])


def cls(x, n):
    class P:
        def __init__(self, v):
            self.v = v
        def twice(self):
            return 2 * self.v
    return P(x[0]).twice()


def cls_closure(x, n):
    class P:
        scale = 3.0
        def __init__(self, v):
            self.v = v
        def val(self):
            return self.v * x[1] * self.scale
    return P(x[0]).val() + P.scale


def dcls(x, n):
    @dataclass
    class Body:
        pos: float
        vel: float = 0.5
        def step(self, dt):
            self.pos += dt * self.vel
            self.vel -= dt * self.pos
    b = Body(x[0])
    for _ in range(n):
        b.step(0.1)
    return b.pos * b.vel


def dcls_frozen(x, n):
    @dataclass(frozen=True)
    class S:
        a: float
        b: float
    s = S(x[0], x[1])
    for k in range(n):
        s = dataclasses.replace(s, a=s.a * s.b + x[k], b=s.b * 0.5)
    return s.a + s.b


def ntcls(x, n):
    class S(NamedTuple):
        a: float
        b: float = 1.0
    s = S(x[0])
    for k in range(n):
        s = s._replace(a=s.a * 0.5 + x[k])
    return s.a * s.b


def prop(x, n):
    class A:
        def __init__(self, v):
            self._v = v
        @property
        def sq(self):
            return self._v ** 2
        @staticmethod
        def s(u):
            return u * 2
        @classmethod
        def make(cls, u):
            return cls(u + 1)
        def __add__(self, o):
            return A(self._v + o._v)
        def __call__(self, z):
            return self._v * z
    a = A.make(x[0]) + A(x[1])
    return a.sq + A.s(x[2]) + a(x[3])


def enum_in(x, n):
    from enum import Enum
    class K(Enum):
        A = 1
        B = 2
    k = K.A if n > 2 else K.B
    return x[0] * k.value


def lru_inner(x, n):
    @cache
    def fib(k):
        return x[0] if k < 2 else fib(k - 1) + fib(k - 2) * x[1]
    return fib(6)


def cache_inner(x, n):
    @cache
    def c(i, j):
        if i == 0 or j == 0:
            return 1.0
        return c(i - 1, j) * x[0] + c(i, j - 1)
    return c(3, 3)


@cache
def outer_fact(k):
    return 1 if k <= 1 else k * outer_fact(k - 1)


def lru_outer(x, n):
    return x[0] * outer_fact(5)


def counter_static(x, n):
    c = collections.Counter("abca")
    return c["a"] * x[0] + c["z"]


def counter_common(x, n):
    c = Counter([1, 2, 2, 3])
    return c.most_common(1)[0][1] * x[0]


def counter_add(x, n):
    c = Counter()
    for k in range(4):
        c[k % 2] += x[k]
    return c[0] * c[1]


def counter_update(x, n):
    c = Counter(a=1)
    c.update("ab")
    c.update({"b": 3})
    return c["a"] * x[0] + c["b"] + sum(c.values()) + c.total()


def od(x, n):
    d = OrderedDict()
    d["b"] = x[0]
    d["a"] = x[1]
    d.move_to_end("b")
    k, v = d.popitem(last=False)
    return v * 2 + d["b"]


def monot(x, n):
    st = []
    area = 0.0
    for i in range(len(x)):
        while st and st[-1][0] > x[i]:
            v, k = st.pop()
            area += v * (i - k)
        st.append((x[i], i))
    return area


def module_helper(o, k):
    return o.val() * k


def helper(x, n):
    class M:
        def __init__(self, w):
            self.w = w
        def val(self):
            return self.w * x[0]
    return module_helper(M(x[1]), x[2])


def nt_helper(t):
    return t.a * t.b


def nthelper(x, n):
    class S(NamedTuple):
        a: float
        b: float
        def tot(self):
            return self.a + x[3] * self.b
    return nt_helper(S(x[0], x[1])) + S(x[1], x[2]).tot()


def cached_list(x, n):
    @cache
    def f(a):
        return [x[0] * a]
    f(2).append(x[1])
    return len(f(2)) * x[0]


def loop_cached(x, n):
    @cache
    def f(a):
        return a * x[0]
    s = 0.0
    for k in range(n):
        s += f(k) + f(2)
    if x[0] > 0:
        s += f(3)
    return s + f(3)


def rt_cached(x, n):
    @lru_cache(maxsize=8)
    def f(a):
        return a * x[0]
    return f(x[1]) + f(x[1]) * f(x[2])


def cls_late(x, n):
    k = 2.0
    class A:
        def v(self):
            return k * x[0]
    a = A()
    k = 5.0
    return a.v()


def cls_default(x, n):
    class A:
        def v(self, z=x[1]):
            return z * x[0]
    return A().v()


def cls_list(x, n):
    @dataclass
    class B:
        p: float
        v: float
    bs = [B(x[i], 0.1 * i) for i in range(4)]
    for _ in range(n):
        for b in bs:
            b.p += 0.1 * b.v
            b.v -= 0.1 * b.p
    return sum(b.p for b in bs)


def cls_rt_items(x, n):
    @dataclass
    class E:
        t: float
        k: int
    es = []
    for i in range(n):
        es.append(E(x[i], i))
    es.sort(key=lambda e: e.t)
    return sum(e.t * r for r, e in enumerate(es)) + es[0].k


def g_break(x, n):
    def g():
        for i in range(n):
            yield x[i]
            yield x[i] * 2
    s = 0.0
    for v in g():
        if v < -0.9:
            break
        s += v
    return s


def g_endless(x, n):
    def g():
        i = 0
        while True:
            yield x[i]
            i = (i + 1) % n
    s = 0.0
    for k, v in zip(range(7), g()):
        s += v * k
    return s


def g_return(x, n):
    def g():
        for i in range(n):
            if x[i] < -0.9:
                return
            yield x[i]
            yield x[i] ** 2
    return sum(g())


def g_next(x, n):
    def g():
        for i in range(n):
            yield x[i]
            yield i * 1.0
    it = g()
    a = next(it)
    return a + next(it) * 2 + sum(it)


def g_enum(x, n):
    def g():
        for i in range(n):
            if x[i] > 0:
                yield i, x[i]
    return sum(k * i * v for k, (i, v) in enumerate(g()))


def g_from(x, n):
    def h(a):
        for i in range(n):
            yield a * x[i]
    def g():
        yield x[0]
        yield from h(2.0)
        yield from h(3.0)
    return sum(g())


def g_newton(x, n):
    def it(a):
        v = 1.0
        while abs(v * v - a) > 1e-9:
            v = 0.5 * (v + a / v)
            yield v
    last = 0.0
    for v in it(abs(x[0])):
        last = v
    return last


def gen_fib(x, n):
    def fib(k):
        a, b = (0.0, x[0])
        for _ in range(k):
            yield a
            a, b = (b, a + b)
    return sum(fib(n))


def gen_two(x, n):
    def g():
        for i in range(len(x)):
            yield x[i]
            yield (-0.5 * x[i])
    return sum(g())


def gen_list(x, n):
    def g():
        for i in range(len(x)):
            if x[i] > 0:
                yield x[i]
    return np.sum(np.array(list(g())))


def gen_pairs(x, n):
    def g():
        t = 0.0
        for i in range(n):
            t += x[i]
            yield t, i
        yield t * 2, -1
    s = 0.0
    for a, k in g():
        s += a * k
    return s


def gen_while(x, n):
    def g(u):
        k = 0
        while k < n:
            yield u * k
            k += 1
    return sum(g(x[0]))


def isl(x, n):
    return sum(itertools.islice(x, 3))


def isl2(x, n):
    return sum(itertools.islice(x, n))


def tw(x, n):
    return sum(itertools.takewhile(lambda v: v < 1.5, x))


def dw(x, n):
    return sum(itertools.dropwhile(lambda v: v < 1.5, x))


def filt(x, n):
    return sum(filter(lambda v: v > 0, x))


def filtl(x, n):
    return list(filter(lambda v: v > 0, x))


def compr(x, n):
    return sum(itertools.compress(x, x > 0))


def mapl(x, n):
    return sum(map(lambda a, b: a * b, x, x[1:]))


def rep(x, n):
    return sum(itertools.repeat(x[0], n))


def last(x, n):
    p = []
    for i in range(n):
        if p and p[-1][0] > x[i]:
            p.pop()
        p.append((x[i], i))
    return sum(v * k for v, k in p)


def inner_grad(x, n):
    class M:
        def __init__(self, w):
            self.w = w
        def __call__(self, z):
            return self.w * z * x[0]
    def loss(w):
        return M(w)(2.0) ** 2
    return s2s.grad(loss)(x[1])


def state_changed(x, n):
    k = 1.0
    @cache
    def f(a):
        return a * k
    s = f(2) * x[0]
    k = 3.0
    return s + f(2) * x[1] + f(3)


def impure(x, n):
    c = [0.0]
    @cache
    def f(a):
        c[0] += 1.0
        return a * x[0]
    return f(2) + f(2) + c[0]


def printing(x, n):
    @cache
    def f(a):
        print(a)
        return a * x[0]

    return f(2) + f(2)


def cls_rt_attribute(x, n):
    class Base:
        rate, kept = x[0] * 2.0, [x[1]]

        def get(self):
            return self.rate + self.kept[0]

    class Sub(Base):
        times, more = n, x[2]

        def get(self):
            return super().get() * self.times + self.more

        @classmethod
        def of(cls):
            return cls.rate

    u, v = Base(), Sub()
    Base.rate += x[3]
    u.rate = 7.0
    for _ in range(n):
        Sub.more = Sub.more * 0.5 + Sub.of()
    v.kept.append(x[0])
    return u.get() + v.get() * len(u.kept) + Sub.more


def cls_rt_attribute_on_one_path(x, n):
    if x[0] > 0.5:
        class P:
            rate = x[1]
    else:
        class P:
            rate = 1.0
    return P.rate * P().rate


def cls_calls_a_method(x, n):
    total = x.sum
    class P:
        rate = total()
        size = n.bit_length()
    return P.rate * P.size


def cls_rt_attribute_of_an_enum(x, n):
    from enum import Enum
    class E(Enum):
        A = x[0]
    return E.A.value


def cls_ret(x, n):
    class A:
        pass
    a = A()
    a.v = x[0]
    return a


def cls_nonlocal(x, n):
    c = 0.0
    class A:
        def v(self):
            nonlocal c
            c += 1
    A().v()
    return c * x[0]


def g_change(x, n):
    y = x.copy()
    def g():
        for i in range(n):
            yield y[i]
            yield y[i] * 2
    s = 0.0
    for v in g():
        s += v
        y[3] = 10.0
    return s


def genexp_change(x, n):
    y = x.copy()
    s = 0.0
    for v in (y[i] * 2 for i in range(n)):
        s += v
        y[3] = 10.0
    return s


PROGRAMS = (cls, cls_closure, dcls, dcls_frozen, ntcls, prop, enum_in, lru_inner, cache_inner, lru_outer, counter_static, counter_common, counter_add, counter_update, od, monot, helper, nthelper, cached_list, loop_cached, rt_cached, cls_late, cls_default, cls_list, cls_rt_items, cls_rt_attribute, cls_calls_a_method, g_break, g_endless, g_return, g_next, g_enum, g_from, g_newton, gen_fib, gen_two, gen_list, gen_pairs, gen_while, isl, isl2, tw, dw, filt, filtl, compr, mapl, rep, last, g_change, genexp_change)
REFUSED = (printing, inner_grad, state_changed, impure, cls_ret, cls_nonlocal, cls_rt_attribute_of_an_enum, cls_rt_attribute_on_one_path)


def loss(program):
    def total(x, n):
        return np.sum(program(x, n)) * 1.0

    return total


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right(program):
    wanted, found = program(X.copy(), 5), s2s.jit(program, target="numpy")(X, 5)
    assert type(found) is type(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    total, step = loss(program), 1e-6 * np.random.default_rng(1).normal(size=X.shape)
    change = (total(X + step, 5) - total(X - step, 5)) / 2
    x_bar = s2s.jit(s2s.grad(total), target="numpy")(X, 5)
    np.testing.assert_allclose(np.sum(x_bar * step), change, rtol=1e-4, atol=1e-12)
    np.testing.assert_allclose(s2s.jit(lambda z, v: s2s.jvp(lambda u: total(u, 5), (z,), (v,))[1], target="numpy")(X, step), change, rtol=1e-4, atol=1e-12)
    batch = np.stack([X, X[::-1] * 1.3 + 0.05])
    np.testing.assert_allclose(s2s.jit(s2s.vmap(total, in_axes=(0, None)), target="numpy")(batch, 5), [total(each, 5) for each in batch], rtol=1e-12)


@pytest.mark.parametrize("program", REFUSED, ids=lambda each: each.__name__)
def test_refused(program):
    with pytest.raises(UnsupportedError) as caught:
        s2s.jit(program, target="numpy")(X, 5)
    assert caught.value.where.line


def test_counters_as_dicts():
    def count(x, n):
        found = Counter("abca")
        found["a"] = x[0]
        return dict(found), found == Counter(a=0.7, b=1, c=1, d=0)

    assert s2s.jit(count, target="numpy")(X, 5) == ({"a": 0.7, "b": 1, "c": 1}, True)


def test_compiled():
    def together(x, n):
        return dcls(x, n) + cache_inner(x, n) + counter_add(x, n) + gen_pairs(x, n) + tw(x, n) + g_from(x, n)

    found, wanted = s2s.value_and_grad(together)(X, 5), s2s.jit(s2s.value_and_grad(together), target="numpy")(X, 5)
    np.testing.assert_allclose(found[0], together(X, 5), rtol=1e-12)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-12)
