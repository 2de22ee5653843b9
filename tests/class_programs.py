"""Programs that leave blocks, share classes and hand on what has any length: contexts, `finally`, attributes of classes, stars, singledispatch (test_class_programs.py)."""
# ruff: noqa: B012, F811, RET503, RET504, SIM105, TRY301
from __future__ import annotations

import abc
import collections
import contextlib
import copy
import functools
import inspect
import math
import operator
import threading
import typing
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np


class Timer:
    def __init__(self):
        self.total = 0.0

    def __enter__(self):
        self.total += 1.0
        return self

    def __exit__(self, *error):
        self.total += 10.0


class Suppress:
    """Swallows some exceptions, and keeps what they say."""

    def __init__(self, *kinds):
        self.kinds, self.caught = kinds, ""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None and issubclass(kind, self.kinds):
            self.caught = str(error)
            return True
        return False


class Undo:
    """Puts back what an array held, and swallows ValueErrors."""

    def __init__(self, array):
        self.array, self.before = array, None

    def __enter__(self):
        self.before = self.array.copy()
        return self.array

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.array[:] = self.before
        return kind is ValueError


def swallows(x, y, n):
    z = 3.0 * y
    with Suppress(ValueError):
        z = math.sqrt(y) + 1.0
    return z


def swallows_one_of_two(x, y, n):
    z = y
    with Suppress(ValueError) as context:
        z = math.sqrt(y) / n
    return z if context.caught == "" else -z


def undoes(x, y, n):
    with Undo(x) as held:
        for k in range(len(held)):
            held[k] = math.sqrt(held[k] + 1.0) * y
    return y * n


def undoes_what_is_caught_around(x, y, n):
    try:
        with Undo(x) as held:
            held[0] = y / n
            held[1] = math.sqrt(y)
    except ZeroDivisionError:
        return -1.0
    return x[0] + x[1]


def timed_in_try(x, y, n):
    timer = Timer()
    try:
        with timer:
            y = math.sqrt(y)
    except ValueError:
        y = -y
    return y * timer.total


def contexts_in_a_loop(x, y, n):
    total, skipped = 0.0, 0
    for value in x:
        with Suppress(ValueError) as context:
            if value > 2.9:
                break
            total += math.sqrt(value)
            continue
        skipped += context.caught != ""
    return total + 100 * skipped


def suppressed_beside_others(x, y, n):
    z = y
    try:
        with contextlib.suppress(ZeroDivisionError):
            z = math.sqrt(y) / n
            z += 1.0
    except ValueError:
        z = 7.0
    return z


def returns_in_finally(x, y, n):
    try:
        return math.sqrt(y)
    finally:
        return 2.0 * y


def returns_in_finally_on_one_path(x, y, n):
    try:
        return math.sqrt(y) / n
    finally:
        if y < 0.0:
            return 7.0 * y


def breaks_in_finally(x, y, n):
    total = 0.0
    for value in x:
        try:
            total += math.sqrt(value)
        finally:
            if value < -1.0:
                break
            total += y
    return total


def continues_in_finally(x, y, n):
    total = 0.0
    for value in x:
        try:
            total += math.sqrt(value)
            total += y
        finally:
            continue
    return total


def raises_in_finally(x, y, n):
    try:
        y = math.sqrt(y)
    finally:
        if n == 0:
            raise KeyError("none")
    return y


def _retried(times):
    def decorate(function):
        def tried(*args):
            for attempt in range(times):
                try:
                    return function(*args)
                except ValueError:
                    if attempt == times - 1:
                        raise

        return tried

    return decorate


@_retried(3)
def _root(y):
    return math.sqrt(y)


def retried(x, y, n):
    return 2.0 * _root(y)


def _first_above(x, limit):
    for value in x:
        if value > limit:
            return value


def falls_off_its_end(x, y, n):
    found = _first_above(x, 2.0 * y)
    return -1.0 if found is None else found


class Counter:
    n = 0
    total = 0.0
    best = None

    def __init__(self, value):
        Counter.n += 1
        self.value = value
        self.add(value)

    @classmethod
    def add(cls, value):
        cls.total += value
        if cls.best is None or value > cls.best:
            cls.best = value


class Named(Counter):
    pass


def counts_on_a_class(x, y, n):
    for value in x:
        Counter(value * y)
    return Counter.n * Counter.total + Counter.best


def counts_on_a_subclass(x, y, n):
    Named(y)
    Counter(2.0 * y)
    Named(n * y)
    return 100 * Counter.n + Named.total + 3.0 * Counter.total


def takes_a_rate_on_one_path(x, y, n):
    if y > 0.0:
        Counter.total = y
    return Counter(x[0]).total * 2.0


def counts_what_failed(x, y, n):
    try:
        Counter.n += 1
        y = math.sqrt(y)
        Counter.n += 10
    except ValueError:
        y = 1.0
    return y * Counter.n


def attribute_that_is_new(x, y, n):
    if not hasattr(Counter, "cache"):
        Counter.cache = y
    return Counter.cache * getattr(Named, "cache", 1.0)


def counts_on_a_class_made_inside(x, y, n):
    class Seen:
        count, best, sizes = 0, -10.0, []

        def see(self, value):
            Seen.count += 1
            self.sizes.append(abs(value))
            if value > Seen.best:
                type(self).best = value

    for value in x:
        Seen().see(value)
    return Seen.count * Seen.best * y + sum(Seen.sizes)


def class_attributes_inherited(x, y, n):
    class First:
        rate = 3.0

    class Second(First):
        pass

    before = Second.rate
    Second.rate = y
    First.rate *= 2.0
    return before + 10.0 * First().rate + 100.0 * Second().rate


class Low:
    def mark(self, log):
        log["seen"] = 5.0
        return True


class High:
    def mark(self, log):
        log["seen"] = 7.0
        return False


def tells_and_stores(x, y, n):
    log = {"seen": 0.0}
    which = Low() if y > 0.0 else High()
    told = which.mark(log)
    return log["seen"] * y + (1.0 if told else 2.0)


def _total(*values, scale=1.0):
    return sum(values, 0.0) * scale + len(values)


def _three(a, b, c):
    return a + 2.0 * b - c


def _first(a, b, *rest):
    return a * b + sum(rest, 0.0)


def _passed_on(*args):
    return _first(*args)


class Line:
    def __init__(self, slope, offset):
        self.slope, self.offset = slope, offset

    def at(self, *points):
        return self.offset + self.slope * sum(points, 0.0)


def stars_of_any_length(x, y, n):
    above = [value * y for value in x if value > 0.0]
    return _total(*above, scale=2.0) + _total(*above, *above) + Line(y, 1.0).at(*above)


def stars_behind_others(x, y, n):
    above = [value for value in x if value > -9.0]
    return _first(y, *above) + 3.0 * _passed_on(1.0, y, *above)


def stars_into_parameters(x, y, n):
    above = [value * y for value in x if value > -9.0]
    return _three(*above)


def stars_into_too_few(x, y, n):
    above = [value * y for value in x if value > 0.3]
    return _three(0.0, *above)


def stars_in_displays(x, y, n):
    above = [value for value in x if value > 0.3]
    items = [y, *above, 1.0, *above]
    ends = (2.0, *above, y)
    return sum(items) * len(items) + ends[-1] * len(ends) + max(*above, y) + min(*items)


def formats(x, y, n):
    told = y > 0.0
    raise ValueError(f"{y!r:>10}|{y!s:<8}|{y:+.2e}|{n!r:^5}|{n:#x}|{told!r:>6}|{told:d}|{told:>3}|{y=}")


@functools.singledispatch
def _area(shape):
    raise TypeError("no shape")


class Disc:
    def __init__(self, radius):
        self.radius = radius


class Square:
    def __init__(self, side):
        self.side = side


@_area.register
def _(shape: Disc):
    return 3.0 * shape.radius**2


@_area.register(Square)
def _(shape):
    return shape.side**2


@_area.register(float)
@_area.register(int)
def _(shape):
    return 100.0 * shape


def dispatched(x, y, n):
    shapes = [Disc(y), Square(x[0]), y, n]
    one = Disc(x[0]) if y > 0.0 else Square(y)
    return sum(_area(shape) for shape in shapes) + _area(one)


def dispatched_for_none(x, y, n):
    return _area("text") * y


def _doubling(cls):
    cls.double = lambda self: 2.0 * self.value
    return cls


def _only_one(cls):
    made = {}

    def get(*args):
        if cls not in made:
            made[cls] = cls(*args)
        return made[cls]

    return get


def class_decorators_inside(x, y, n):
    @_doubling
    class Held:
        def __init__(self, value):
            self.value = value

    @_only_one
    class State:
        def __init__(self, value):
            self.value = value

    State(y).value += 1.0
    return Held(y).double() + State(5.0).value


def abstract_class_inside(x, y, n):
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self): ...

    class Box(Shape):
        def __init__(self, side):
            self.side = side

        def area(self):
            return self.side**2

    total = sum(shape.area() for shape in [Box(y), Box(x[0])])
    return total


def abstract_class_made(x, y, n):
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self): ...

    return Shape().area()


class Guarded:
    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.deleter
    def value(self):
        self._value = 0.0

    def __delattr__(self, name):
        if name == "fixed":
            raise AttributeError("fixed stays")
        super().__delattr__(name)


def deletes_attributes(x, y, n):
    held = Guarded(y)
    held.other = x[0]
    kept = held.other
    del held.other
    kept += hasattr(held, "other")
    before = held.value
    del held.value
    return before + held.value + 3.0 * kept


def _rows_of(*values):
    for value in values:
        yield 2.0 * value


def stars_into_a_generator(x, y, n):
    total = 0.0
    for row in _rows_of(*[value for value in x if value > 0.3]):
        total += row * y
    return total


def none_then_another_array(x, y, n):
    other = x * 2.0
    kept = x if y > 0.0 else None
    if kept is None:
        kept = other
    kept[0] = y
    return x.sum() + 3.0 * other.sum()


def _running_mean():
    total, count, mean = 0.0, 0, None
    while True:
        value = yield mean
        total += value
        count += 1
        mean = total / count


def _filtered(rate):
    state = 0.0
    while True:
        value = yield state
        if value > 0.0:
            state += rate * (value - state)
        else:
            state *= 0.5


def _three_times():
    total = 0.0
    for _ in range(3):
        value = yield total
        total += value
    return 100.0 * total


def _handed_on(y):
    found = yield from _three_times()
    yield found + y


def _leaves(tree):
    if isinstance(tree, tuple):
        left = yield from _leaves(tree[0])
        right = yield from _leaves(tree[1])
        return left + right
    yield tree
    return 2.0 * tree


def _counted():
    n = 0
    while True:
        n += 1
        yield n


def sends_in_a_loop(x, y, n):
    mean, smooth = _running_mean(), _filtered(0.3)
    next(mean)
    smooth.send(None)
    last = 0.0
    for value in x:
        last = mean.send(value * y) + 10.0 * smooth.send(value)
    return last


def sends_through_another(x, y, n):
    it = _handed_on(y)
    next(it)
    return it.send(1.0) + 10.0 * it.send(x[0]) + it.send(y)


def sends_to_the_end(x, y, n):
    it = _three_times()
    next(it)
    it.send(y)
    it.send(y)
    try:
        it.send(x[0])
    except StopIteration:
        return 7.0 * y
    return 0.0


def sends_too_early(x, y, n):
    return _three_times().send(y)


def closes(x, y, n):
    it = _three_times()
    next(it)
    it.close()
    return next(it, 3.0 * y)


def counts_in_a_loop(x, y, n):
    counter = _counted()
    next(counter)
    total = 0.0
    for value in x:
        total += value * next(counter) * y
    return total


def what_yield_from_gives(x, y, n):
    return sum(_leaves(((y, 1.0), (3.0, x[0]))))


class Stack(list):
    def push(self, value):
        self.append(value)

    def peek(self):
        return self[-1]


class History(list):
    def __init__(self, n=0):
        super().__init__([0.0] * n)
        self.calls = 0

    def append(self, value):
        self.calls += 1
        super().append(value)

    def mean(self):
        return sum(self) / len(self)

    def __getitem__(self, key):
        return self.calls if key == "calls" else super().__getitem__(key)


class Doubled(History):
    def mean(self):
        return 2.0 * super().mean()


class Vector(list):
    def __add__(self, other):
        return Vector(a + b for a, b in zip(self, other))

    def dot(self, other):
        return sum(a * b for a, b in zip(self, other))


class Options(dict):
    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value


class WithDefault(dict):
    def __missing__(self, key):
        return 2.0 * key


def subclass_of_list(x, y, n):
    stack, history = Stack(), Doubled(2)
    stack.push(y)
    stack.push(x[0])
    history.append(y)
    history += [1.0]
    history.extend(stack)
    kept = history["calls"] + isinstance(stack, list) + (stack == [y, x[0]]) + len(history)
    return history.mean() + stack.peek() * kept + max(stack) + sorted(history)[1] + stack.pop()


def subclass_of_list_in_a_loop(x, y, n):
    history = History()
    for value in x:
        history.append(value * y)
    return history.mean() + history[-1] * history.calls


class Labelled(list):
    NAMES, WEIGHTS, DEFAULTS = ("first", "second"), [0.5, 2.0], {"scale": 3.0}

    def __init__(self, label):
        self.label = label

    def weighted(self):
        return sum(w * v for w, v in zip(self.WEIGHTS, self)) * self.DEFAULTS["scale"]


class Counted(dict):
    def __init__(self):
        self.reads = 0
        self["start"] = 1.0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)


def subclass_of_list_with_containers_of_its_class(x, y, n):
    held = Labelled("a")
    held.append(y)
    held.extend(x)
    return held.weighted() + len(held.NAMES) * held[-1] + len(held) + (held.label == "a")


def subclass_of_dict_without_dicts_init(x, y, n):
    held = Counted()
    for k in range(n):
        held[k] = x[k] * y
    return sum(held[k] for k in range(n)) + held["start"] * held.reads + len(held)


def subclass_with_operators(x, y, n):
    return (Vector([x[0], y]) + Vector([1.0, y])).dot(Vector([y, 2.0]))


def subclass_of_dict(x, y, n):
    options = Options(rate=y, steps=3)
    options.decay = 0.5 * y
    options.update(more=1.0)
    total = sum(value * len(key) for key, value in options.items())
    held = dict(options)["rate"] + ("rate" in options) + len(options) + options.get("none", 5.0)
    return options.rate * options.steps + total + held + WithDefault(a=y)[n] + WithDefault(a=y)["a"]


def subclass_of_dict_says_what_is_missing(x, y, n):
    return Options(rate=y).momentum


def subclass_made_inside(x, y, n):
    class Totals(dict):
        def total(self):
            return sum(self.values())

        def __mul__(self, factor):
            return Totals((key, factor * value) for key, value in self.items())

        __rmul__ = __mul__

    totals = Totals(a=y)
    totals["b"] = x[0]
    return (2.0 * totals).total() + totals.total()


def _counting(function):
    @functools.wraps(function)
    def counted(*args):
        counted.calls += 1
        return function(*args)

    counted.calls = 0
    return counted


@_counting
def _squared(y):
    return y * y


def attributes_of_functions(x, y, n):
    @_counting
    def doubled(value):
        return 2.0 * value

    total = 0.0
    for value in x:
        if value > 0.3:
            total += doubled(value * y)
    doubled.last = y
    return total * doubled.calls + doubled.last + hasattr(doubled, "first") + getattr(doubled, "first", 2.0)


def attribute_of_a_function_outside(x, y, n):
    _squared.calls = n
    for value in x:
        y += _squared(value)
    return y * _squared.calls


def sum_of_nothing_by_zero(x, y, n):
    return sum(x[:n]) / n * y


def mean_of_nothing_is_caught(x, y, n):
    kept = x[n:]
    try:
        return sum(kept) / len(kept) * y
    except ZeroDivisionError:
        return -y


class Polynomial:
    def __init__(self, *coefficients):
        self.coefficients = coefficients

    def at(self, y):
        return sum(c * y**k for k, c in enumerate(self.coefficients))


def stars_into_a_class(x, y, n):
    above = [value for value in x if value > 0.3]
    line = Line(*[value * y for value in x[:2] if value > -9.0])
    return Polynomial(*above).at(y) + Polynomial(y, *above).at(2.0) + line.at(y, 1.0)


def raises_with_and_without_words(x, y, n):
    if n == 0:
        raise ValueError
    if n == 1:
        raise TimeoutError(f"after {n} of {y:.1f}")
    if n == 3:
        raise ConnectionError
    raise ValueError(f"not {n}")


# ---- classes that make their objects themselves ----


class Scaled:
    __slots__ = ("factor", "value")

    def __new__(cls, value, factor=2.0):
        self = super().__new__(cls)
        self.value, self.factor = value, factor
        return self

    def product(self):
        return self.value * self.factor


class Counted(Scaled):
    __slots__ = ("times",)

    def __init__(self, value, factor=3.0):
        self.times = 2
        self.value = value + self.factor


class Entries(tuple):
    __slots__ = ()

    def __new__(cls, *items):
        return super().__new__(cls, items)

    def __add__(self, other):
        return type(self)(*(a + b for a, b in zip(self, other, strict=True)))

    def __getitem__(self, place):
        return tuple.__getitem__(self, place)

    @property
    def first(self):
        return self[0]

    def dot(self, other):
        return sum(a * b for a, b in zip(self, other, strict=True))


class Pair(collections.namedtuple("Pair", "left right")):  # noqa: PYI024 - one without types
    __slots__ = ()

    def __new__(cls, left, right=None):
        return super().__new__(cls, left, left * 2.0 if right is None else right)

    @classmethod
    def of(cls, value):
        return cls._make([value, value * 5.0])


class Shape:
    def __new__(cls, side):
        return object.__new__(Large if side > 1.0 else Small) if cls is Shape else object.__new__(cls)

    def __init__(self, side):
        self.side = side


class Small(Shape):
    def area(self):
        return self.side


class Large(Shape):
    def area(self):
        return self.side**2


class Based:
    def __init__(self, value):
        self.value = value

    @classmethod
    def make(cls, value):
        return cls(value)


class Derived(Based):
    @classmethod
    def make(cls, value):
        return super().make(value * 2.0)

    def again(self):
        return super().make(self.value)

    def name(self):
        return 3.0


class Deep:
    def __init__(self, value):
        self.value = value

    def __deepcopy__(self, memo):
        return Deep(self.value * 3.0)


def made_by_new(x, y, n):
    made = Counted(y, x[0])
    raw = Scaled.__new__(Scaled, y)
    return Scaled(y).product() + made.product() * made.times + raw.product() + isinstance(made, Scaled)


def tuples_of_a_class(x, y, n):
    vector = Entries(x[0], y) + Entries(y, 1.0)
    a, b = vector
    return vector.dot(vector) + a * b + vector.first + len(vector) + np.dot(vector, [1.0, y]) + (vector == (1, 2)) + sum(vector[1:]) + isinstance(vector, tuple)


def named_tuples_that_make_themselves(x, y, n):
    pair, other = Pair(y), Pair(y, x[0])
    return pair.left * pair.right + other.right + Pair.of(y).right + pair._replace(left=1.0).left + len(other)


def new_picks_a_class(x, y, n):
    return Shape(1.0).area() * y + Shape(3.0).area() * y + Large(0.5).area()


def class_methods_of_the_class_behind(x, y, n):
    made = Derived.make(y)
    return made.value * made.name() + made.again().name()


def copies_that_the_class_makes(x, y, n):
    inside = [Deep(y)]
    return copy.deepcopy(inside)[0].value + inside[0].value


def methods_by_their_class(x, y, n):
    items, held = [3.0, 1.0], {"a": y}
    list.append(items, y)
    operator.setitem(items, 0, 5.0)
    operator.delitem(items, 1)
    dict.update(held, b=2.0)
    operator.iadd(items, [y])
    return sum(items) + sum(held.values()) + operator.iadd(y, 1.0) + operator.countOf(items, 5.0)


# ---- what functools makes of methods, and the attributes of an object as a dict ----


class Sized:
    def __init__(self, scale):
        self.scale = scale

    @functools.singledispatchmethod
    def size(self, value):
        return 0.0

    @size.register
    def _(self, value: int):
        return value * 2.0 * self.scale

    @size.register
    def _(self, value: float, times=1.0):
        return value * 3.0 * times

    @size.register(tuple)
    def _of_tuple(self, value):
        return sum(value)

    def product(self, a, b, c=1.0):
        return a * b * c * self.scale

    twice = functools.partialmethod(product, 2.0, c=3.0)


class Bag:
    def __init__(self, **named):
        self.__dict__.update(named)

    def total(self):
        return sum(vars(self).values())

    def scaled(self, factor):
        made = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            setattr(made, name, value * factor)
        return made

    def __eq__(self, other):
        return self.__dict__ == other.__dict__


class Positive:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, thing, owner=None):
        return thing.__dict__[self.name] * 2.0

    def __set__(self, thing, value):
        thing.__dict__[self.name] = abs(value)


class HasPositive:
    width = Positive()

    def __init__(self, width):
        self.width = width


def methods_made_of_others(x, y, n):
    sized = Sized(y)
    size = sized.size
    return size(y) + size(n) + size("a") + sized.size((y, 1.0)) + sized.size(y, times=5.0) + sized.twice(x[0])


def attributes_as_a_dict(x, y, n):
    bag = Bag(a=y, b=x[0])
    other = bag.scaled(3.0)
    other.c = 1.0
    own = vars(other)
    own["d"] = y
    total = other.total() + len(own) + other.d + (bag == other) + (bag == bag.scaled(1.0)) + own.get("e", 2.0) + own.pop("c") + hasattr(other, "c")
    if y > 0:
        bag.a = y * y
    return total + sum({**vars(bag), "z": 1.0}.values()) + dict(bag.__dict__)["a"] + ("a" in vars(bag))


OUTSIDE = HasPositive(-3.0)
OUTSIDE.height = 2.0


def attributes_of_an_object_outside(x, y, n):
    own = vars(OUTSIDE)
    total = OUTSIDE.width * y + own["height"] * x[0] + OUTSIDE.__dict__.get("depth", y) + ("width" in own)
    return total + sum(own.values()) + len(OUTSIDE.__dict__)


LOCAL = threading.local()
LOCAL.scale = 2.0


def attributes_of_a_thread(x, y, n):
    held = LOCAL.__dict__.get("width", y) + LOCAL.__dict__.get("scale", y) * x[0]
    return held + LOCAL.scale + len(vars(LOCAL)) + hasattr(LOCAL, "width")


def names_of_the_parameters(x, y, n):
    def scaled(value, times=2.0):
        return value * times

    options = {"times": y, "other": 1.0}
    taken = {name: value for name, value in options.items() if name in inspect.signature(scaled).parameters}
    bag = Bag(a=y)
    return scaled(x[0], **taken) + len(inspect.signature(bag.scaled).parameters) + ("self" in inspect.getfullargspec(bag.scaled)[0])


def says_its_signature(cls):
    inner = cls.scaled_by

    def scaled_by(cls, *args, **kwargs):
        return inner(*args, **kwargs)

    scaled_by.__signature__ = inspect.signature(inner)
    cls.scaled_by = classmethod(scaled_by)
    return cls


@says_its_signature
class Scaled:
    def __init__(self, value):
        if inspect.isclass(value):
            raise TypeError("a number, not a class")
        self.value = value

    @classmethod
    def scaled_by(cls, value, factor=2.0):
        return cls(value * factor)


def functions_that_say_a_signature(x, y, n):
    kinds = inspect.isclass(Scaled), inspect.isfunction(says_its_signature), inspect.ismethod(Scaled.scaled_by), inspect.isclass(y)
    return Scaled.scaled_by(y).value + Scaled.scaled_by(x[0], factor=3.0).value, kinds


def descriptors_that_keep_in_the_object(x, y, n):
    thing = HasPositive(y)
    thing.width = thing.width * x[0]
    return thing.width + vars(thing)["width"]


@functools.total_ordering
class Ranked:
    def __init__(self, rank, value):
        self.rank, self.value = rank, value

    def __eq__(self, other):
        return self.rank == other.rank

    def __lt__(self, other):
        return self.rank < other.rank


def objects_that_the_run_puts_in_order(x, y, n):
    first, second, third = Ranked(y, 1.0), Ranked(x[0], 2.0), Ranked(0.6, 3.0)
    ranked = sorted([first, second, third])
    ranked[0].value = y
    first.value += 100.0
    total = sum(each.value * (k + 1) + each.rank for k, each in enumerate(ranked))
    ranked.sort(reverse=True)
    return total + ranked[0].rank + 3.0 * second.value + 7.0 * third.value + (first >= second)


class Doubling(collections.UserList):
    def append(self, item):
        super().append(item * 2.0)

    def best(self):
        return max(self.data)


def users_list(x, y, n):
    items = Doubling([1.0])
    items.append(y)
    items.extend([x[0], x[1], x[2]])
    items += [y]
    more = items[1:3] + [2.0]
    more.sort()
    more.reverse()
    return items.best() + items[n] * len(items) + more.best() + more[0] + 2.0 * more.pop() + (3.5 in more) + sum(more.copy())


class Lowered(collections.UserDict):
    def __setitem__(self, key, item):
        super().__setitem__(key.lower(), item)

    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def __missing__(self, key):
        return len(key) * 0.5


def users_dict(x, y, n):
    named = Lowered({"A": y}, B=x[0])
    named.update(C=2.0)
    total = named["a"] * named["B"] + named.setdefault("D", y) + named.get("A", 0.0) + named["eee"] + named.pop("c")
    return total + sum(named.values()) + sum(len(key) * value for key, value in named.items()) + len(named) + ("z" in named) + isinstance(named, collections.UserDict)


def users_dict_that_has_no_such_key(x, y, n):
    return Lowered(a=y).pop("b") + x[0]


class Scope(collections.ChainMap):
    def __missing__(self, key):
        return 7.0

    def define(self, key, value):
        self[key] = value


def chained_dicts(x, y, n):
    defaults = {"rate": 0.1, "steps": n}
    settings = collections.ChainMap({}, defaults).new_child({"rate": y})
    defaults["steps"] = 5
    scope = Scope({"g": y}).new_child()
    scope.define("h", x[0])
    total = settings["rate"] * settings["steps"] + settings.parents["rate"] + sum(value * (k + 1) for k, (_, value) in enumerate(settings.items()))
    return total + scope["h"] * scope["g"] + scope["zz"] + len(scope) + sum(dict(settings).values()) + {**scope}["h"] + ("rate" in settings) + settings.get("no", y)


def chained_dicts_without_the_key(x, y, n):
    return collections.ChainMap({"a": y}, {"b": 1.0})["c"]


class HasKeys:
    def __init__(self, value):
        self.value = value

    def keys(self):
        return ["ab", "cd"]

    def __getitem__(self, key):
        return self.value * ord(key[0])


def _summed(**named):
    return sum(named.values()) + len(named)


def dicts_of_what_has_keys(x, y, n):
    held = dict(HasKeys(y), e=x[0])
    held.update(HasKeys(x[n]))
    return sum(held.values()) + len(held) + _summed(**HasKeys(y)) + {**HasKeys(y), "z": 1.0}["cd"]


class Lamp:
    def __init__(self, light, inner=None):
        self.light, self.inner = light, inner

    def innermost(self):
        return self if self.inner is None else self.inner.innermost()


class Seen(typing.NamedTuple):
    distance: float
    lamp: Lamp


def _lit(lamp, more):
    """What is handed back is what was given, with what is found of it."""
    return Seen(more * lamp.light, lamp)


def _lit_if_bright(lamp, more):
    return Seen(more + lamp.light, lamp) if more * lamp.light > 0.5 else None


def _with_first(items, factor):
    return items, items[0] * factor


def _exchanged(one, other):
    return other, one


def hands_back_what_it_is_given(x, y, n):
    lamp = Lamp(y)
    seen = _lit(lamp, 2.0)
    seen.lamp.light = lamp.light * 3.0
    return lamp.light, seen.distance, seen.lamp is lamp, _lit(lamp, x[0]).distance


def hands_back_what_it_is_given_or_nothing(x, y, n):
    lamp, total = Lamp(y), 0.0
    for k in range(n + 2):
        seen = _lit_if_bright(lamp, k * 0.4)
        if seen is not None:
            total += seen.distance * seen.lamp.light
            seen.lamp.light *= 0.5
    return total, lamp.light


def hands_back_what_is_in_what_it_is_given(x, y, n):
    lamp = Lamp(y, Lamp(2.0 * y, Lamp(x[0])))
    lamp.innermost().light += 1.0
    return lamp.inner.inner.light, lamp.innermost() is lamp.inner.inner, lamp.inner.innermost().light * y


def hands_back_a_list(x, y, n):
    items = [y, x[0]]
    same, scaled = _with_first(items, 2.0)
    same.append(scaled)
    _with_first(same, y)[0].append(1.0)
    return items, same is items


def hands_back_two_the_other_way(x, y, n):
    one, other = Lamp(y), Lamp(x[0])
    for _ in range(n):
        one, other = _exchanged(one, other)
        one.light += 1.0
    same, again = _exchanged(one, one)
    return one.light, other.light, same is again


class Taken:
    def __init__(self, held):
        self.held = held

    def __array__(self, dtype=None, copy=None):
        return self.held

    def __matmul__(self, other):
        return self.held @ other * 3.0

    def __rmatmul__(self, other):
        raise AssertionError("NumPy takes the array")

    __radd__ = __rmatmul__


class TakenFirst(Taken):
    __array_priority__ = 2.0

    def __radd__(self, other):
        return self.held * 5.0 + other


TAKEN = Taken(np.array([0.5, 2.0]))


def objects_with_an_array_on_the_right(x, y, n):
    v = x[:2]
    return v @ Taken(v) + (v + Taken(v * y)).sum() + (v ** TAKEN)[1] + TAKEN @ v + (v + TakenFirst(v)).sum()


WHITE = np.array([0.95, 1.0, 1.09])
SPACES = [{"name": "one", "white": WHITE}, {"name": "one", "white": WHITE}, {"name": "one", "white": np.array([0.95])}]


def dicts_that_hold_one_array(x, y, n):
    one, other, third = SPACES
    return y * 2.0 if one == other and [WHITE] == [one["white"]] and one["white"] is other["white"] and not one != other else y + (third == one)


Kept = TypeVar("Kept")


class Cell(Generic[Kept]):
    """One value, of a kind that type checkers are told."""

    def __init__(self, value: Kept) -> None:
        self.value = value

    @classmethod
    def of(cls, value: Kept) -> Cell[Kept]:
        return cls(value)

    def get(self) -> Kept:
        return self.value


@dataclass
class Both(Generic[Kept]):
    """Two values of a kind."""

    first: Kept
    second: Kept


Floats = list[float]
Number = Cell[float]


def kinds_are_for_type_checkers(x, y, n):
    cells = [Cell[float](y), Number(2.0 * y), Cell[float].of(y * y)]
    both = Both[np.ndarray](x, x * 2.0)
    kept, table, ends = Floats(), dict[str, float](low=y), tuple[float, float]((y, 3.0))
    waiting = collections.deque[float](maxlen=2)
    for cell in cells:
        kept.append(cell.get())
        waiting.append(cell.get())
    return np.sum(both.first * both.second) + sum(kept) + table["low"] * ends[1] + waiting[0] + n
