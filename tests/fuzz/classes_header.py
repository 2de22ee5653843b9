"""What programs of small classes (`classes`) use: classes as physicists and engineers write them."""

HEADER = '''"""Made by tests/fuzz/classes.py."""
import abc
import copy
import functools
import math
import operator
from dataclasses import dataclass, field, replace
from enum import Enum, Flag, IntEnum, auto
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

T = TypeVar("T")
MODELS = {}


def model(name):
    def put(cls):
        MODELS[name] = cls
        return cls
    return put


class Shape(abc.ABC):
    made = 0
    unit = 1.0

    def __init__(self, scale=1.0):
        self.scale = scale
        Shape.made += 1

    @abc.abstractmethod
    def area(self):
        ...

    def total(self):
        return self.scale * self.area() * self.unit

    @classmethod
    def default(cls):
        return cls(0.5)

    @staticmethod
    def squared(v):
        return v * v


@model("circle")
class Circle(Shape):
    def __init__(self, r, scale=1.0):
        super().__init__(scale)
        self._r = r

    @property
    def r(self):
        return self._r

    @r.setter
    def r(self, value):
        if value < -2.0:
            raise ValueError("too small")
        self._r = value

    def area(self):
        return 3.0 * self.squared(self._r)


@model("rect")
class Rect(Shape):
    unit = 0.5

    def __init__(self, w, h=0.25):
        super().__init__()
        self.w, self.h = w, h

    def area(self):
        return self.w * self.h

    @classmethod
    def of(cls, w):
        return cls(w, w)


class Square(Rect):
    def __init__(self, w):
        super().__init__(w, w)

    def area(self):
        return super().area() + 0.125


class Vec:
    __slots__ = ("x", "y")

    def __init__(self, x=0.0, y=0.0):
        self.x, self.y = x, y

    def __add__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return Vec(self.x + other.x, self.y + other.y)

    def __radd__(self, other):
        if other == 0:
            return self
        return NotImplemented

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __truediv__(self, k):
        return self * (1.0 / k)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __bool__(self):
        return self.x > 0.0 or self.y > 0.0

    def __iter__(self):
        return iter((self.x, self.y))

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def __eq__(self, other):
        return isinstance(other, Vec) and self.x == other.x and self.y == other.y

    def __hash__(self):
        return hash((self.x, self.y))

    def __repr__(self):
        return f"Vec({self.x:.2f}, {self.y:.2f})"

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __pow__(self, k):
        return Vec(self.x ** k, self.y ** k)

    def __float__(self):
        return float(self.x)


@functools.total_ordering
class Money:
    def __init__(self, v, name="m"):
        self.v, self.name = v, name

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v < other.v

    def __hash__(self):
        return hash(self.name)


@dataclass
class Body:
    mass: float
    pos: Any = field(default_factory=lambda: np.zeros(2))
    log: list = field(default_factory=list)
    kinds: ClassVar[int] = 2
    weight: float = field(init=False, default=0.0)

    def __post_init__(self):
        self.weight = self.mass * 9.0

    def kick(self, dv):
        self.pos = self.pos + dv
        self.log.append(float(self.pos[0]))
        return self


@dataclass(order=True)
class Event:
    time: float
    level: int = 0
    what: str = field(default="e", compare=False)


@dataclass(order=True)
class Grown:
    low: float
    high: float = 0.5

    def __post_init__(self):
        self.high += abs(self.low)
        self.span = self.high - self.low


@dataclass
class Shifting:
    at: float

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 0.5)


@dataclass(frozen=True)
class Config:
    dt: float = 0.1
    steps: int = 3

    @property
    def end(self):
        return self.dt * self.steps

    def with_dt(self, dt):
        return replace(self, dt=dt)


@dataclass
class Charged(Body):
    charge: float = 1.0

    def __post_init__(self):
        super().__post_init__()
        self.weight += self.charge


class State(NamedTuple):
    q: float
    p: float = 0.0

    def energy(self):
        return 0.5 * self.p ** 2 + self.q ** 2

    def step(self, dt):
        return self._replace(q=self.q + dt * self.p, p=self.p - dt * self.q)

    @classmethod
    def rest(cls, q):
        return cls(q)


class Medium(Enum):
    AIR = 1.25
    WATER = 2.5

    @property
    def speed(self):
        return 1.0 / self.value

    @classmethod
    def of(cls, v):
        return cls.AIR if v > 0.0 else cls.WATER


class Level(IntEnum):
    LOW = 1
    MID = auto()
    HIGH = 5


class Opt(Flag):
    NONE = 0
    A = auto()
    B = auto()


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        setattr(obj, self.name, abs(value))


class Tank:
    level = Positive()
    rate = Positive()

    def __init__(self, level, rate=0.5):
        self.level, self.rate = level, rate

    def drained(self, dt):
        self.level = self.level - dt * self.rate
        return self.level


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


class Chain:
    def __init__(self, values=()):
        self.head, self.count = None, 0
        for v in values:
            self.push(v)

    def push(self, v):
        self.head = Node(v, self.head)
        self.count += 1

    def pop(self):
        if self.head is None:
            raise IndexError("empty")
        v, self.head = self.head.value, self.head.next
        self.count -= 1
        return v

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.next

    def __len__(self):
        return self.count

    def __contains__(self, v):
        return any(u == v for u in self)

    def reverse(self):
        before, node = None, self.head
        while node:
            node.next, before, node = before, node, node.next
        self.head = before


class Tree:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def put(self, value):
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Tree(value))
        else:
            child.put(value)

    def walk(self):
        if self.left is not None:
            yield from self.left.walk()
        yield self.value
        if self.right is not None:
            yield from self.right.walk()

    def depth(self):
        return 1 + max(self.left.depth() if self.left else 0, self.right.depth() if self.right else 0)


class Stack(Generic[T]):
    def __init__(self, *items):
        self._items: list[T] = list(items)

    def push(self, item: T) -> None:
        self._items.append(item)

    def pop(self) -> T:
        return self._items.pop()

    def __getitem__(self, k):
        if isinstance(k, slice):
            return Stack(*self._items[k])
        return self._items[k]

    def __setitem__(self, k, v):
        self._items[k] = v

    def __delitem__(self, k):
        del self._items[k]

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return reversed(self._items)

    def __bool__(self):
        return len(self._items) > 1


class Measured(Protocol):
    def area(self) -> float: ...


def measure(one: Measured) -> float:
    return one.area() * 0.5


class Clamped:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        super().__setattr__(name, min(max(value, -1.0), 1.0))

    def __getattr__(self, name):
        if name.startswith("twice_"):
            return 2.0 * getattr(self, name[6:])
        raise AttributeError(f"no {name}")


class Proxy:
    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)


class Lazy:
    def __init__(self, a):
        self.a, self.asked = a, 0

    @functools.cached_property
    def mean(self):
        self.asked += 1
        return float(np.mean(self.a))

    def __call__(self, t):
        return self.mean * t


class Meter:
    def __init__(self, log):
        self.log, self.depth = log, 0

    def __enter__(self):
        self.depth += 1
        self.log.append(self.depth * 1.0)
        return self

    def __exit__(self, kind, error, trace):
        self.depth -= 1
        self.log.append(-1.0 if kind is None else -2.0)
        return kind is ValueError


class Named:
    def __init__(self, **more):
        super().__init__(**more)
        self.name = type(self).__name__

    def tag(self):
        return [self.name]


class Weighted:
    def __init__(self, w=0.5, **more):
        super().__init__(**more)
        self.w = w

    def tag(self):
        return super().tag() + ["w"]

    def value(self):
        return self.w


class Plain:
    def __init__(self, base=0.0):
        self.base = base

    def tag(self):
        return ["p"]

    def value(self):
        return self.base


class Part(Named, Weighted, Plain):
    def value(self):
        return super().value() * 2.0 + self.base

    def tag(self):
        return super().tag()


class Law:
    registry = []
    factor = 1.5

    def __init_subclass__(cls, power=1, **more):
        super().__init_subclass__(**more)
        cls.power = power
        Law.registry.append(cls)

    def __call__(self, v):
        return self.factor * v ** self.power


class Linear(Law):
    pass


class Cubic(Law, power=3):
    factor = 0.5


class Pool:
    def __init__(self):
        self.members, self.index = [], {}

    def join(self, name, v):
        one = Money(v, name)
        self.members.append(one)
        self.index[name] = one
        return one

    def richest(self):
        return max(self.members, key=lambda m: m.v)

    def __getitem__(self, name):
        return self.index[name]

    def __contains__(self, name):
        return name in self.index


class Spring:
    def __init__(self, one, two, k=0.5):
        self.ends, self.k = (one, two), k
        one.log.append(k)

    def pull(self):
        one, two = self.ends
        d = two.pos - one.pos
        one.kick(self.k * d)
        two.kick(-self.k * d)
        return float(d @ d)


@functools.singledispatch
def size_of(v):
    return 0.5


@size_of.register
def _(v: int):
    return v * 2.0


@size_of.register
def _(v: float):
    return v * 3.0


@size_of.register(Vec)
def _(v):
    return abs(v)


@size_of.register(list)
def _(v):
    return sum(size_of(u) for u in v)


class Writer:
    def __init__(self):
        self.out = []

    @functools.singledispatchmethod
    def put(self, v):
        self.out.append(0.0)

    @put.register
    def _(self, v: float):
        self.out.append(v)

    @put.register
    def _(self, v: Vec):
        self.out.extend(v)

    @put.register
    def _(self, v: tuple):
        for u in v:
            self.put(u)


class Field:
    def __init__(self, values, dx=0.5):
        self.values, self.dx = np.asarray(values, dtype=float), dx

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __getitem__(self, k):
        return self.values[k]

    def __setitem__(self, k, v):
        self.values[k] = v

    def __len__(self):
        return len(self.values)

    @property
    def grad(self):
        return np.gradient(self.values, self.dx)

    @property
    def norm(self):
        return float(np.sqrt(np.sum(self.values ** 2) * self.dx))

    def __add__(self, other):
        return Field(self.values + (other.values if isinstance(other, Field) else other), self.dx)

    __radd__ = __add__

    def __mul__(self, other):
        return Field(self.values * (other.values if isinstance(other, Field) else other), self.dx)


class Counter2:
    total = 0

    def __init__(self):
        self.own = 0

    def tick(self, k=1):
        self.own += k
        type(self).total += k
        return self.own

    @classmethod
    def reset(cls):
        cls.total = 0


class Sim:
    """A loop that calls back."""

    def __init__(self, config, state):
        self.config, self.state, self.hooks, self.t = config, state, [], 0.0

    def on_step(self, hook):
        self.hooks.append(hook)
        return hook

    def run(self, n):
        for _ in range(n):
            self.state = self.state.step(self.config.dt)
            self.t += self.config.dt
            for hook in self.hooks:
                hook(self)
        return self.state


def kind_of(v):
    if v > 0.5:
        return "circle"
    return "rect" if v > -0.5 else "none"


'''
