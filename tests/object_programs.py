# ruff: noqa: PLR0124, UP031, FURB192, E711, E721, F632 - these programs are about what such tests give
"""Small programs about Python's objects, each f(x, a, n) of a float, an array and an int: classes with special methods, enums, identity."""
from __future__ import annotations

import copy
import enum
import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

    @property
    def half(self):
        return self.value / 2

    def times(self, x):
        return self.value * x

    @classmethod
    def first(cls):
        return cls.RED

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5

class Perm(enum.Flag):
    R = enum.auto()
    W = enum.auto()

class Kind(enum.StrEnum):
    A = "a"
    B = "b"

class Rate(float, enum.Enum):
    SLOW = 0.5
    FAST = 2.0

class Planet(enum.Enum):
    EARTH = (1.0, 2.0)
    MARS = (3.0, 4.0)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
    @property
    def g(self):
        return self.mass / self.radius

@dataclass
class P:
    x: float
    y: float = 2.0

@dataclass(order=True)
class Ordered:
    x: float
    y: float = 2.0

@dataclass(eq=False)
class E:
    x: float

@dataclass(frozen=True)
class F:
    x: float
    def __post_init__(self):
        object.__setattr__(self, "x", self.x * 2)

class N(NamedTuple):
    x: float
    y: float
    @property
    def s(self):
        return self.x + self.y
    def norm(self):
        return math.hypot(self.x, self.y)
    def __add__(self, other):
        return N(self.x + other.x, self.y + other.y)

class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        if not isinstance(o, V):
            return NotImplemented
        return V(self.x + o.x, self.y + o.y)
    def __mul__(self, s):
        return V(self.x * s, self.y * s)
    __rmul__ = __mul__
    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self
    def __neg__(self):
        return V(-self.x, -self.y)
    def __pos__(self):
        return V(self.x * 10, self.y)
    def __invert__(self):
        return V(self.y, self.x)
    def __abs__(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5
    def __eq__(self, o):
        if not isinstance(o, V):
            return NotImplemented
        return self.x == o.x
    def __lt__(self, o):
        return self.x < o.x
    def __bool__(self):
        return self.x > 0
    def __len__(self):
        return 2
    def __getitem__(self, k):
        return (self.x, self.y)[k]
    def __setitem__(self, k, v):
        if k == 0:
            self.x = v
        else:
            self.y = v
    def __contains__(self, v):
        return v == self.x
    def __iter__(self):
        return iter((self.x, self.y))
    def __call__(self, t):
        return self.x * t + self.y
    def __str__(self):
        return f"V({self.x})"
    def __float__(self):
        return self.x + 0.0

class W(V):
    def __radd__(self, o):
        return W(o.x + 100.0, 0.0)
    def __init__(self, x, y, z=1.0):
        super().__init__(x, y)
        self.z = z
    def __call__(self, t):
        return super().__call__(t) + self.z

class Count:
    total = 0.0
    def __init__(self):
        self.n = 0
    def step(self, v):
        self.n += 1
        self.total += v
        return self.n
    @property
    def mean(self):
        return self.total / self.n
    @mean.setter
    def mean(self, v):
        self.total = v * self.n

class Slots:
    __slots__ = ("a", "b")
    def __init__(self, a):
        self.a = a

class SetA:
    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)

class GetA:
    def __init__(self, x):
        self.x = x
    def __getattr__(self, name):
        return 7.0

class GetAll:
    def __getattribute__(self, name):
        return 3.0

class Desc:
    def __get__(self, obj, kind=None):
        return obj.v * 3.0
    def __set__(self, obj, value):
        obj.v = value + 1.0

class HasDesc:
    d = Desc()

class New:
    def __new__(cls, x):
        self = object.__new__(cls)
        self.x = x * 2
        return self

class Meta(type):
    def __call__(cls, *args):
        return 5.0

class WithMeta(metaclass=Meta):
    pass

class Coercing(type):
    """What is an object of the class already is given back; others are counted on."""
    def __call__(cls, *args, **kwargs):
        if len(args) == 1 and isinstance(args[0], cls):
            return args[0]
        made = super().__call__(*args, **kwargs)
        made.n = 2.0
        return made

class Shifting(Coercing):
    def __call__(cls, x):
        return super(Shifting, cls).__call__(x + 1.0)  # noqa: UP008 - as others write it

class Straight(type):
    def __call__(cls, *args):
        return type.__call__(cls, *args)

class Coerced(metaclass=Coercing):
    def __init__(self, x, k=1.0):
        self.x = x * k

class CoercedNew(Coerced):
    def __new__(cls, x):
        return super().__new__(cls)
    def __init__(self, x):
        super().__init__(x, k=3.0)

class Shifted(CoercedNew, metaclass=Shifting):
    pass

class Straightened(metaclass=Straight):
    def __init__(self, x, k):
        self.x = x * k

class Maker:
    """Gives objects of a class that is made inside, and that sees it."""
    def __init__(self, x):
        self.x = x
    def scaled(self, a):
        return a * self.x
    def views(self):
        outer = self
        class View:
            def __init__(self):
                self.names = ["scaled"]
            def __getattr__(self, name):
                return getattr(outer, self.names[0]) if name == "scale" else None
        return View()

Maker.scaled.counted = 7

class A0:
    def who(self):
        return 1.0
    def call(self):
        return self.who()
class B0(A0):
    def who(self):
        return super().who() + 10.0
class C0(A0):
    def who(self):
        return super().who() + 100.0
class D0(B0, C0):
    def who(self):
        return super().who() + 1000.0

class Sub(N):
    pass

class MyList(list):
    pass

class Cached:
    def __init__(self, x):
        self.x = x
    @functools.cached_property
    def sq(self):
        return self.x * self.x

@functools.total_ordering
class T:
    def __init__(self, x):
        self.x = x
    def __eq__(self, o):
        return self.x == o.x
    def __lt__(self, o):
        return self.x < o.x

class Cfg:
    scale = 3.0
    def __init__(self):
        self.k = 2
        self.w = np.ones(3)
    def __len__(self):
        return self.k
    def __eq__(self, o):
        return isinstance(o, Cfg)
    def __hash__(self):
        return 1

CFG = Cfg()
COLOR = Color.RED
L1 = [1.0, 2.0]


def of_enum_is(x, a, n):
    c = Color.RED if n > 100 else Color.RED
    return x * 2 if c is Color.RED else x


def of_enum_eq(x, a, n):
    return x if Color.RED == Color.GREEN else -x


def of_enum_val(x, a, n):
    return x * Color.GREEN.value, Color.RED.name


def of_enum_prop(x, a, n):
    return x * Color.BLUE.half + Color.BLUE.times(x)


def of_enum_cls(x, a, n):
    return x * Color.first().value


def of_enum_key(x, a, n):
    d = {Color.RED: x, Color.GREEN: 2 * x}
    return d[Color.GREEN] - d[COLOR]


def of_enum_iter(x, a, n):
    s = 0.0
    for c in Color:
        s += c.value * x
    return s + len(Color)


def of_enum_look(x, a, n):
    return x * Color["BLUE"].value + Color(2).value


def of_intenum(x, a, n):
    return x * Level.HIGH + (n > Level.LOW) + Level.LOW


def of_intenum2(x, a, n):
    return n == Level.HIGH, Level.HIGH + 1, Level.LOW < Level.HIGH


def of_flag(x, a, n):
    p = Perm.R | Perm.W
    return (x if Perm.R in p else -x) + (1.0 if p & Perm.W else 0.0)


def of_strenum(x, a, n):
    return {"a": x, "b": 2 * x}[Kind.B]


def of_strenum2(x, a, n):
    return x if Kind.A == "a" else -x


def of_rate(x, a, n):
    return x * Rate.FAST + Rate.SLOW


def of_planet(x, a, n):
    return x * Planet.MARS.g + Planet.EARTH.mass


def of_enum_res(x, a, n):
    return Color.RED, x


def of_enum_dflt(x, a, n):
    def g(y, c=Color.GREEN): return y * c.value
    return g(x) + g(x, Color.RED)


def of_enum_tx(x, a, n):
    return f"{Color.RED}", str(Color.RED), repr(Level.LOW), f"{Level.HIGH}", f"{Kind.A}"


def of_enum_isinst(x, a, n):
    return isinstance(Color.RED, Color), type(Color.RED) is Color, Color.RED in Color, x


def of_enum_rt(x, a, n):
    return Color(n).value


def of_deq(x, a, n):
    return P(x) == P(x), P(x) == P(x + 1), P(x) != P(x, 3.0), P(x) == E(x)


def of_dorder(x, a, n):
    return Ordered(x) < Ordered(x + 1), Ordered(x, 1.0) < Ordered(x, 2.0), Ordered(x) >= Ordered(x), Ordered(x, 3.0) <= Ordered(x, 2.0)


def of_dnoeq(x, a, n):
    e = E(x)
    f = E(x)
    return e == f, e == e, e != f


def of_dnoorder(x, a, n):
    return P(x) < P(x)


def of_frozen(x, a, n):
    return F(x).x


def of_frozen_set(x, a, n):
    f = F(x)
    f.x = 3.0
    return f.x


def of_nt(x, a, n):
    p = N(x, 2.0) + N(1.0, x)
    return p.s, p.norm(), p == (x + 1.0, x + 2.0), N(x, x) == N(x, x), N(x, 1.0) < N(x, 2.0), p._replace(x=1.0)


def of_tuple_order(x, a, n):
    return (x, 1.0) < (x, 2.0), (x, 2) > (1.0, 3), [x, 1] <= [x, 1], (x,) < (x, 1)


def of_v(x, a, n):
    v = V(x, 2.0)
    w = V(1.0, x)
    u = v + w
    t = 2 * u * 3
    return t.x, t.y, (-t).x, (+t).x, (~t).x, abs(t)


def of_v_np(x, a, n):
    v = V(x, 2.0)
    u = v * a[0]
    return u.x


def of_v_np_right(x, a, n):
    return (a[0] * V(x, 2.0)).x


def of_v_arr_right(x, a, n):
    return (a * V(x, 2.0)).x


def of_v_arr(x, a, n):
    return (V(x, 2.0) * a).x


def of_v_bad(x, a, n):
    return (V(x, 1.0) + 3).x


def of_v_bad2(x, a, n):
    return (3 + V(x, 1.0)).x


def of_v_iadd(x, a, n):
    v = V(x, 2.0)
    w = v
    v += V(1.0, 1.0)
    return w.x, v is w


def of_v_imul(x, a, n):
    v = V(x, 2.0)
    w = v
    v *= 3
    return w.x, v.x, v is w


def of_v_eq(x, a, n):
    return V(x, 1.0) == V(x, 2.0), V(x, 1.0) != V(x, 2.0), V(x, 1.0) == 3


def of_v_lt(x, a, n):
    return V(x, 1.0) < V(2.0, 2.0), V(x, 1.0) > V(2.0, 2.0)


def of_v_le(x, a, n):
    return V(x, 1.0) <= V(2.0, 2.0)


def of_v_bool(x, a, n):
    return x if V(x, 1.0) else -x


def of_v_not(x, a, n):
    return not V(x, 1.0)


def of_v_and(x, a, n):
    return 1.0 if V(x, 1.0) and x > 0 else 2.0


def of_v_len(x, a, n):
    return len(V(x, 1.0)) * x


def of_v_item(x, a, n):
    v = V(x, 1.0)
    v[1] = 5.0
    v[0] += 2.0
    return v[0], v[1], v[-1]


def of_v_in(x, a, n):
    return x in V(x, 1.0), 3.0 in V(x, 1.0), 1.0 not in V(x, 2.0)


def of_v_iter(x, a, n):
    s = 0.0
    for e in V(x, 1.0):
        s += e
    p, q = V(x, 5.0)
    return s, p, q, [2 * e for e in V(x, 1.0)], list(V(x, 2.0)), sum(V(x, 3.0))


def of_v_call(x, a, n):
    return V(x, 1.0)(2.0)


def of_v_str(x, a, n):
    return str(V(2, 1)), f"{V(3, 1)}", "%s" % V(4, 1)


def of_v_float(x, a, n):
    return float(V(x, 1.0))


def of_v_list(x, a, n):
    vs = [V(1.0, 0.0), V(2.0, 0.0), V(1.0, 3.0)]
    return V(2.0, 5.0) in vs, vs.index(V(2.0, 9.0)), vs.count(V(1.0, 0.0)), max(vs).x, sorted(vs)[0].y, x


def of_v_sum(x, a, n):
    return sum([V(x, 1.0), V(2.0, x)], V(0.0, 0.0)).x


def of_w(x, a, n):
    return (V(x, 1.0) + W(x, 2.0)).x, W(x, 2.0)(3.0), W(x, 1.0, 5.0).z


def of_count(x, a, n):
    c = Count()
    c.step(x)
    c.step(2.0)
    m = c.mean
    c.mean = 5.0
    return m, c.total, Count.total, c.n


def of_slots(x, a, n):
    s = Slots(x)
    s.b = 2.0
    return s.a * s.b


def of_slots_bad(x, a, n):
    s = Slots(x)
    s.c = 2.0
    return s.a


def of_slots_unset(x, a, n):
    return Slots(x).b


def of_seta(x, a, n):
    s = SetA()
    s.x = x
    return s.x


def of_geta(x, a, n):
    return GetA(x).x + GetA(x).foo


def of_getall(x, a, n):
    return GetAll().x


def of_desc(x, a, n):
    h = HasDesc()
    h.d = x
    return h.d


def of_new(x, a, n):
    return New(x).x


def of_meta(x, a, n):
    return WithMeta()


def of_meta_super(x, a, n):
    made, other, third = Coerced(x, k=2.0), CoercedNew(a), Shifted(x)
    return made.x * made.n, other.x + other.n, third.x * third.n, Coerced(made).x, type(third)(a).x, Straightened(x, 3.0).x


def of_meta_loop(x, a, n):
    total = 0.0
    for k in range(n):
        total += Coerced(a[k % 3], k=x).x * Coerced(x).n
    return total


def of_meta_error(x, a, n):
    return Shifted(x, 2.0)


def of_meta_of_no_type(x, a, n):
    return type.__call__(x)


def of_method_parts(x, a, n):
    method = Maker(x).scaled
    named = {"scaled": 2.0, "views": 3.0}[method.__name__]
    return named, method.__self__.x, method.__func__(Maker(n), a), method.__doc__, method.__qualname__, method.counted


def of_method_parts_missing(x, a, n):
    return Maker(x).scaled.nothing


def of_local_class_from_helper(x, a, n):
    return Maker(x).views().scale(a)


def of_mro(x, a, n):
    return D0().call() * x


def of_mylist(x, a, n):
    return len(MyList())


def of_cached(x, a, n):
    c = Cached(x)
    return c.sq + c.sq


def of_total(x, a, n):
    return T(x) >= T(x), T(x) > T(0.0), T(x) <= T(5.0)


def of_cfg(x, a, n):
    return x if CFG else -x


def of_cfg_len(x, a, n):
    return x * len(CFG) * CFG.scale + CFG.w[0]


def of_cfg_is(x, a, n):
    c = CFG
    return c is CFG, CFG is None, CFG == c


def of_is_none(x, a, n):
    return x is None, a is None, a is not None, [] is None


def of_is_view(x, a, n):
    return a is a


def of_is_view2(x, a, n):
    return a[:] is a


def of_is_view3(x, a, n):
    return a is np.ones(3)


def of_is_view4(x, a, n):
    return a.ravel() is a


def of_is_view5(x, a, n):
    return a.T is a


def of_is_view6(x, a, n):
    return np.asarray(a) is a


def of_is_elem(x, a, n):
    return a[0] is a[0]


def of_is_bool(x, a, n):
    return (x > 0) is True


def of_is_npbool(x, a, n):
    return (a[0] > 0) is True


def of_is_int(x, a, n):
    three = 3
    return n is three


def of_is_list(x, a, n):
    p = [x]
    q = p
    return p is q, p is [x], L1 is L1


def of_is_fun(x, a, n):
    def f(t):
        return t
    g = f
    return f is g, f is (lambda t: t), math.sin is math.sin, V is V, len is len


def of_is_tuple(x, a, n):
    t = (x, 1)
    u = t
    return t is u


def of_type(x, a, n):
    v = W(x, 1.0)
    return type(v) is W, type(v) == V, isinstance(v, V), v.__class__ is W, type(x) is float, issubclass(W, V), type(v).__name__, isinstance(Color.RED, enum.Enum)


def of_callable(x, a, n):
    return callable(V(x, 1.0)), callable(Slots(x)), callable(x), callable(V)


def of_hasattr(x, a, n):
    s = Slots(x)
    return hasattr(s, "a"), hasattr(s, "b"), hasattr(V(x, 1.0), "x"), getattr(V(x, 1.0), "q", 5.0), hasattr(V(x, 1.0), "mro")


def of_copy(x, a, n):
    v = V(x, 1.0)
    w = copy.copy(v)
    w.x = 100.0
    return v.x, w.x


def of_deepcopy(x, a, n):
    p = P(a, [x])
    q = copy.deepcopy(p)
    q.x[0] = 9.0
    q.y.append(1.0)
    return p.x[0], len(p.y), len(q.y), q.x[0]


def of_deepcopy_shared(x, a, n):
    t = [a, a]
    u = copy.deepcopy(t)
    u[0][0] = 50.0
    return u[1][0], a[0]


def of_objkey(x, a, n):
    e, f = E(x), E(2.0)
    d = {e: x, f: 3.0}
    return d[e] + d[f]


def of_objkey2(x, a, n):
    return {V(1.0, 2.0): x}


def of_objkey3(x, a, n):
    d = {math.sin: x, V: 2.0, CFG.__class__: 3.0}
    return d[V] * d[math.sin]


def of_funkey(x, a, n):
    d = {of_v: x, of_w: 2.0}
    return d[of_w] * d[of_v]


def of_drepr(x, a, n):
    return repr(P(1, 2)), str(P(1, "b")), repr(N(1, 2)), f"{P(3)}"


def of_dbad(x, a, n):
    return P(x, 1.0, 2.0).x


def of_dbad2(x, a, n):
    return P().x


def of_attr_err(x, a, n):
    return V(x, 1.0).nope


def of_no_init(x, a, n):
    return A0(3.0)


def of_dict_eq(x, a, n):
    return {"a": x} == {"a": x}, {"a": P(x)} == {"a": P(x)}


def of_in_objs(x, a, n):
    return P(x) in [P(1.0), P(x)]


def of_if_is(x, a, n):
    p = P(x)
    q = p if x > 0 else P(1.0)
    return q is p


def of_fstr_rt(x, a, n):
    if x > 100:
        raise ValueError(f"bad {V(x, 1.0)}")
    return x


def of_attr_aug(x, a, n):
    c = Count()
    c.n = 2
    c.mean += x
    return c.total


def of_arr_aug(x, a, n):
    s = SetA()
    s.w = a * 1
    s.w += 1.0
    return s.w


def of_nested_growth(x, a, n):
    log = []
    k = 0
    for i in range(2):
        while k < n:
            k += 1
            log.append(x * i)
    return np.array(log), len(log)


def of_intenum_number(x, a, n):
    return x + [2, Level.HIGH][1], Level.LOW


def of_any(x, a, n):
    return any([V(1.0, x), V(0.0, x)]), all([V(1.0, x), V(0.0, x)])


def of_any_rt(x, a, n):
    return any([V(x, 1.0), V(0.0, x)])


def of_result(x, a, n):
    return V(x, 1.0)


def of_result_dc(x, a, n):
    return P(P(x, 1.0), [E(x)])


def of_count_items(x, a, n):
    return [x, 1.5, 2.0].count(x), [P(x), P(1.5)].count(P(1.5)), [1, 2, 1].count(1)


def of_in_place_of_merged(x, a, n):
    p = P(x)
    q = p if x > 0 else P(1.0)
    p.x = 100.0
    return q.x


def of_is_of_arguments(x, a, n):
    def same(u, v):
        return u is v

    return same(a, a), same(P, P)


def of_nt_set(x, a, n):
    N(x, 1.0).x = 2.0


def of_hash_none(x, a, n):
    return hash(V(x, 1.0))


def of_kwargs(x, a, n):
    return P(y=x, x=1.0).y, V(y=x, x=2.0).y



# ---- what is given back, what is stored under a key of run time ---------------------------------------------------------------------


class Filter:
    def __init__(self, q, r):
        self.q, self.r, self.m, self.p = q, r, 0.0, 1.0
        self.log = []

    def update(self, z):
        k = (self.p + self.q) / (self.p + self.q + self.r)
        self.m, self.p = self.m + k * (z - self.m), (1 - k) * (self.p + self.q)
        self.log.append(self.m)


def object_given_back(x, a, n):
    f = Filter(0.1, x * x + 0.1)
    for z in a:
        f.update(z)
    return f


def objects_given_back(x, a, n):
    first, second = Filter(x, 1.0), Filter(2.0, x)
    first.update(a[0])
    if n > 1:
        second.m = a
    else:
        second.m = 2.0 * a
    return first, [second, (first.m, None)]


def stored_under_keys(x, a, n):
    found = {0: 0.0, 1: 0.0, 2: 0.0}
    for i in range(len(a)):
        found[i % 3] += a[i] * x
    return found


def stored_under_one_of_the_keys(x, a, n):
    found = {0: x, 1: 2.0, 2: 3.0, 3: 4.0, 5: 6.0}
    found[n] = found[n] * 2.0
    found[n] += x
    return found


class _Base:
    __factor = 4.0

    def __init__(self, x):
        self.__x = x

    def __scaled(self, k):
        return self.__x * k + (lambda: self.__factor)()

    def of_base(self):
        return self.__scaled(3)


class _Derived(_Base):
    def __init__(self, x):
        super().__init__(x)
        self.__x = 100.0 * x

    def both(self):
        return self.__x + self.of_base() + self._Base__x


def of_private_names(x, a, n):
    return _Derived(x).both(), _Derived(a).both()


def of_private_names_inside(x, a, n):
    class Inner:
        def __init__(self, value):
            self.__value = value

        def __squared(self):
            return self.__value**2

        def squared(self):
            return self.__squared()

    class Outer(Inner):
        def __init__(self, value):
            Inner.__init__(self, 3 * value)
            self.__value = value

        def all(self):
            return self.__value + self.squared()

    return Outer(x).all(), Outer(a).all()
