"""Reading: what is made on one path only, and who still sees an array that may be another one: objects, containers, functions, iterators."""
from __future__ import annotations

import copy
from functools import partial

import numpy as np
import outcomes
import pytest
from reading import check

import s2s


class Box:
    def __init__(self, x):
        self.x = x

    def times(self, k):
        return self.x * k

    def put(self, k):
        self.x = k

    def __mul__(self, other):
        return Box(self.x * other)

    __rmul__ = __mul__


class Crate(Box):
    def clear(self):
        self.x[2] = 7.0

    def times(self, k):
        return super().times(k) + 1.0


def adder(y):
    return lambda t: t + y


def counter(n):
    def up(k):
        nonlocal n
        n += k
        return n

    return up


def in_a_list(x, z):
    v = Box([x * 2, z]) if z > 0 else x
    return v.x[0] if z > 0 else v


def in_a_dict(x, z):
    v = Box({"a": x * 2}) if z > 0 else None
    return 0.0 if v is None else v.x["a"]


def in_a_tuple_beside_an_object(x, z):
    v = Box((x * 2, Box(z + x), [x - z])) if z > 0 else None
    return 0.0 if v is None else v.x[0] + v.x[1].x + v.x[2][0]


def one_of_several_inside(x, z):
    v = x
    if z > 0:
        v = Box(z) if x > 0.5 else Box(Box(z))
    return (1.0 if isinstance(v.x, Box) else v.x) if isinstance(v, Box) else v


def a_number_or_a_product(x, z):
    v = x
    if x > 0.5:
        v = Box(x)
    if z > 0:
        v = v * Box(z)
    return isinstance(v, Box) and isinstance(v.x, Box)


def none_or_a_number_inside(x, z):
    v = Box(x if x > 1 else None) if z > 0 else None
    return 0.0 if v is None or v.x is None else v.x


def a_list_that_grows(x, z):
    v = None
    if z > 0:
        v = Box([])
        for k in range(int(abs(x) * 4) + 1):
            v.x.append(x * k)
    if v is None:
        return 0.0
    v.x.append(z)
    return sum(v.x) + len(v.x)


def arrays_that_share(x, z):
    v = None
    if z > 0:
        a = np.zeros(3)
        v = Box([a[1:], a])
    if v is None:
        return np.zeros(3)
    v.x[0][0] = x
    v.x[1][2] = z
    return v.x[1] + 0


def a_view_of_an_array_from_before(x, z):
    a = np.zeros(3)
    v = Box(a[1:]) if z > 0 else None
    if v is not None:
        v.x[0] = x
    return a


def an_array_that_may_be_another(x, z):
    v = None
    if z > 0:
        a = np.zeros(3)
        b = a if x > 0 else a.copy()
        v = (a, b)
    if v is None:
        return np.zeros(3)
    v[1][0] = x
    v[0][2] = z
    return v[0] + v[1]


def a_function_that_was_made(x, z):
    f = adder(x * 2) if z > 0 else adder(x)
    return f(1.0)


def a_function_inside(x, z):
    v = Box(adder(x * 2)) if z > 0 else None
    return 0.0 if v is None else v.x(1.0)


def functions_in_a_list(x, z):
    functions = [adder(x) if z < 0 else adder(x * 2), adder(3.0)]
    return functions[0](1.0) + functions[1](x)


def a_function_that_counts(x, z):
    f = counter(x * 2) if z > 0 else counter(x)
    f(1.0)
    return f(1.0)


def a_method(x, z):
    f = Box(x * 2).times if z > 0 else Crate(x).times if x > 0 else abs
    return f(2.0)


def a_method_that_stores(x, z):
    v, w = Box(z), Box(x)
    f = v.put if x > 0 else w.put
    f(7.0)
    return v.x, w.x


def a_partial(x, z):
    f = partial(Box.times, Box(x * 2)) if z > 0 else None
    return f(1.0) if f is not None else 0.0


def an_iterator_inside(x, z):
    v = Box(range(int(abs(x) * 2))) if z > 0 else None
    return len(v.x) + 0.0 if v is not None else 0.0


def objects_in_a_circle(x, z):
    v = None
    if z > 0:
        v = Box(x * 2)
        v.me = {"a": v}
    if v is not None:
        v.me["a"].x += 1
    return v.x if v is not None else 0.0


MADE = [
    in_a_list, in_a_dict, in_a_tuple_beside_an_object, one_of_several_inside, a_number_or_a_product, none_or_a_number_inside, a_list_that_grows, arrays_that_share,
    a_view_of_an_array_from_before, a_function_that_was_made, a_function_inside, functions_in_a_list, a_function_that_counts, a_method, a_method_that_stores,
    a_partial, an_iterator_inside, objects_in_a_circle, an_array_that_may_be_another,
]  # fmt: skip


@pytest.mark.parametrize("program", MADE, ids=lambda program: program.__name__)
def test_what_is_made_on_one_path(program):
    for x, z in ((1.5, 0.2), (0.2, 0.3), (-0.2, 0.3), (0.2, -1.0), (1.5, -1.0)):
        check(program, x, z)


# ---- who still sees an array ---------------------------------------------------------------------------------------------------------


def _of_a_function_in_a_function(a):
    def middle():
        return lambda: a[2]

    return middle()


def _of_a_function_that_uses_another(a):
    other = lambda: a[2]  # noqa: E731
    return lambda: other()  # noqa: PLW0108


def _of_a_generator(a):
    def generate():
        yield a[2]

    return generate()


def _of_itself(a):
    box = Box(a)
    box.me = box
    return box


SEEN = {
    "an option of None": (lambda a, z: a if z > 0 else None, lambda v: 0.0 if v is None else v[2]),
    "an object that is an option": (lambda a, z: Box(a) if z > 0 else None, lambda v: 0.0 if v is None else v.x[2]),
    "a default": (lambda a, z: lambda v=a: v[2], lambda v: v()),
    "a function in a function": (lambda a, z: _of_a_function_in_a_function(a), lambda v: v()),
    "a function that uses another": (lambda a, z: _of_a_function_that_uses_another(a), lambda v: v()),
    "an iterator": (lambda a, z: iter([a, a]), lambda v: next(v)[2]),
    "zip": (lambda a, z: zip([1, 2, 3], a, strict=False), lambda v: list(v)[2][1]),
    "map": (lambda a, z: map(lambda q: q * 1, a), lambda v: list(v)[2]),
    "reversed": (lambda a, z: enumerate(reversed(a)), lambda v: next(v)[1]),
    "a generator": (lambda a, z: _of_a_generator(a), next),
    "a list's method": (lambda a, z: [a, 2].pop, lambda v: v(0)[2]),
    "a dict's method": (lambda a, z: {"a": a}.get, lambda v: v("a")[2]),
    "a dict's values": (lambda a, z: {"k": Box([a])}.values(), lambda v: list(v)[0].x[0][2]),
    "an array's method": (lambda a, z: a.sum, lambda v: v()),
    "a method": (lambda a, z: Box(a).times, lambda v: v(2.0)[2]),
    "a partial": (lambda a, z: partial(np.sum, a), lambda v: v()),
    "an object that holds itself": (lambda a, z: _of_itself(a), lambda v: v.me.me.x[2]),
}


@pytest.mark.parametrize("name", SEEN)
def test_a_store_into_an_array_is_seen_by_what_holds_the_one_that_it_may_be(name):
    hold, ask = SEEN[name]

    def program(x, z):
        a = np.zeros(3)
        held = hold(a, z)
        b = a if x > 0 else a.copy()
        del a
        b[2] = x
        return ask(held)

    for x, z in ((1.5, 0.2), (-1.5, 0.2), (1.5, -0.2)):
        check(program, x, z)


def test_a_name_that_is_bound_on_one_path_sees_a_store():
    def program(x, z):
        a = np.zeros(3)
        if z > 0:
            held = a
        b = a if x > 0 else a.copy()
        del a
        b[2] = x
        return held[2] if z > 0 else 0.0

    for x, z in ((1.5, 0.2), (-1.5, 0.2), (1.5, -0.2)):
        check(program, x, z)


def test_objects_in_a_circle_are_arguments():
    def program(x, z):
        box = _of_itself(np.zeros(3) + z)
        crate = Crate(box)
        b = box.x if x > 0 else box.x.copy()
        b[2] = x
        return crate.x.me.me.x[2]

    for x in (1.5, -1.5):
        check(program, x, 1.0)


# ---- attributes ------------------------------------------------------------------------------------------------------------------------


class Gas:
    state = "ideal"

    def __init__(self, x, z):
        self.x = x
        if z > 0:
            self.v = 8.3 * x / z
            self.parts = [x, z]
            self.state = "real"

    @property
    def density(self):
        return 1.0 / self.v


class Lazy:
    def __init__(self, x):
        self.x = x

    def value(self):
        if not hasattr(self, "known"):
            self.known = self.x**2
        return self.known


class Answering:
    def __getattr__(self, name):
        if name == "q":
            return 7.0
        raise AttributeError(name)


def an_attribute_that_is_asked_for(x, z):
    gas = Gas(x, z)
    return gas.v + gas.parts[1] if hasattr(gas, "v") else gas.x


def an_attribute_by_a_property(x, z):
    return Gas(x, z).density


def an_attribute_with_a_default(x, z):
    return getattr(Gas(x, z), "v", 3.0) * x


def an_attribute_that_the_class_has(x, z):
    return 1.0 if Gas(x, z).state == "real" else x


def an_attribute_that_the_class_gives(x, z):
    box = Answering()
    if z > 0:
        box.q = x
    return box.q


def an_attribute_that_is_caught(x, z):
    gas = Gas(x, z)
    try:
        return gas.v
    except AttributeError:
        return 0.5


def an_attribute_that_is_deleted(x, z):
    gas = Gas(x, 1.0)
    if z > 0:
        del gas.v
    return getattr(gas, "v", 5.0)


def an_attribute_of_copies(x, z):
    gas = Gas(x, z)
    one, two = copy.copy(gas), copy.deepcopy(gas)
    gas.v = 9.0
    return getattr(one, "v", 1.0) + getattr(two, "v", 2.0)


def attributes_of_objects_on_two_paths(x, z):
    if z > 0:
        box = Box(x)
        box.a = z
    else:
        box = Box(z)
        box.b = x
    return box.x + (box.a if z > 0 else box.b)


def an_attribute_that_a_helper_sets(x, z):
    box = Box(x)
    _marked(box, z)
    _marked(box, z - 0.1)
    return getattr(box, "z", 5.0)


def _marked(box, z):
    if z > 0:
        box.z = z


def an_attribute_that_a_trip_sets(x, z):
    box, s = Box(x), 0.0
    for k in range(int(abs(x) * 6.1)):
        if hasattr(box, "last"):
            s += box.last * z
        if k % 2 == 1:
            box.last = k * x
    return s + getattr(box, "last", 0.25)


def an_attribute_that_a_loop_may_not_set(x, z):
    box = Box(x)
    for k in range(int(abs(x) * 6.1) - 1):
        box.last = k * z
    return box.last


def an_attribute_that_is_remembered(x, z):
    lazy, s = Lazy(x), 0.0
    for k in range(int(abs(x) * 6.1)):
        if k % 3 == 1:
            s += lazy.value()
        lazy.x += z
    return s + lazy.value()


def a_list_that_a_trip_sets(x, z):
    box = Box(x)
    for k in range(int(abs(x) * 6.1)):
        if k > 1:
            if hasattr(box, "held"):
                box.held.append(x * k)
            else:
                box.held = [z]
    return sum(box.held) if hasattr(box, "held") else -1.0


def an_attribute_that_the_trip_before_sets(x, z):
    box, s = Box(x), 0.0
    for k in range(int(abs(x) * 6.1)):
        if k > 0:
            s += box.last
        box.last = z * k
    return s


def an_attribute_that_nothing_sets(x, z):
    return Box(x).nothing if z > 0 else x


ATTRIBUTES = [
    an_attribute_that_is_asked_for, an_attribute_by_a_property, an_attribute_with_a_default, an_attribute_that_the_class_has, an_attribute_that_the_class_gives,
    an_attribute_that_is_caught, an_attribute_that_is_deleted, an_attribute_of_copies, attributes_of_objects_on_two_paths, an_attribute_that_a_helper_sets,
    an_attribute_that_a_trip_sets, an_attribute_that_a_loop_may_not_set, an_attribute_that_is_remembered, a_list_that_a_trip_sets, an_attribute_that_the_trip_before_sets,
    an_attribute_that_nothing_sets,
]  # fmt: skip


POINTS = ((1.5, 0.2), (0.2, 0.3), (-0.2, 0.3), (0.2, -1.0), (1.5, -1.0))


@pytest.mark.parametrize("program", ATTRIBUTES, ids=lambda program: program.__name__)
def test_an_attribute_that_is_set_on_one_path(program):
    outcomes.check(program, "numpy", POINTS, ())
    for x, z in POINTS:
        try:
            _, forward = s2s.jvp(program, (x, z), (1.0, 0.5))
        except AttributeError:
            continue
        np.testing.assert_allclose(forward, (program(x + 1e-6, z + 5e-7) - program(x - 1e-6, z - 5e-7)) / 2e-6, rtol=1e-6, atol=1e-8)
        x_bar, z_bar = s2s.grad(program, (0, 1))(x, z)
        np.testing.assert_allclose(x_bar + 0.5 * z_bar, forward, rtol=1e-12)


@pytest.mark.parametrize("program", [lambda x, z: _with_mark(x, z), lambda x, z: len(vars(_with_mark(x, z)))], ids=["returned", "vars"])
def test_an_object_with_an_attribute_of_one_path_is_not_returned(program):
    with pytest.raises(s2s.UnsupportedError, match="set on some paths only"):
        s2s.jit(program, target="numpy")(1.5, 0.2)


def _with_mark(x, z):
    box = Box(x)
    _marked(box, z)
    return box
