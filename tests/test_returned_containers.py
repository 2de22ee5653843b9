"""Reading: lists, dicts and objects that a call returns on a path: the caller's own ones, or such as it made."""
from __future__ import annotations

import pytest
from reading import check

import s2s

POINTS = [(1.5, 0.2), (0.2, 0.3), (-0.2, 0.3), (0.2, -1.0), (1.5, -1.0), (-1.0, -1.0)]


class Box:
    def __init__(self, x):
        self.x = x

    def add(self, k):
        self.x += k
        return self

    def positive(self):
        if self.x > 0:
            return self
        return Box(3.0)


class Crate(Box):
    def __init__(self, x):
        super().__init__(x)
        self.y = 2 * x


def itself_on_a_path(x, z):
    p = Box(x)
    if z > 0:
        p.add(1.0).add(2.0)
    return p.x


def itself_in_a_loop(x, z):
    p = Box(x)
    q = p
    for _ in range(int(abs(x) * 3)):
        q = p.add(1.0)
        q.x *= 2
    return p.x, q.x


def a_dict_of_the_callers(x, z):
    def add(d):
        d["a"] += 1
        return d

    p = {"a": x}
    if z > 0:
        q = add(p)
        q["a"] *= 2
    return p["a"]


def a_list_of_the_callers_in_a_tuple(x, z):
    def both(u):
        if z > 0:
            return u, u
        return u, u

    p = [x]
    q, r = both(p)
    q[0] = 4.0
    r.append(z)
    return p


def what_an_object_keeps(x, z):
    def grow(box, k):
        made = Box(k)
        box.x.append(made)
        return made

    s = Box([])
    if z > 0:
        grow(s, x).x += 5.0
        return s.x[0].x
    return 0.0


def twice_in_the_result(x, z):
    def made():
        items = [x]
        return items, items

    if z > 0:
        u, v = made()
        u[0] = 5.0
        return v[0]
    return 0.0


def beside_a_function_that_sees_it(x, z):
    def made():
        items = [x]
        return items, lambda: items[0]

    if z > 0:
        u, v = made()
        u[0] = 5.0
        return v()
    return 0.0


def of_a_loop(x, z):
    def made():
        for k in range(int(abs(x) * 5)):
            if z > k * 0.1:
                return [x, k]
        return [x, 2]

    u = made()
    u[0] += 1
    u.append(3)
    return u


def one_of_two_dicts(x, z):
    def made(k):
        if k > 0:
            return {"a": k}
        return {"a": 1.0, "b": z}

    d = made(x)
    return d["a"], len(d), "b" in d


def one_of_two_classes(x, z):
    def made(k):
        if k > 0:
            return Box(k)
        if z > 0:
            return Crate(k * 2)
        return Box(3.0)

    d, e = made(x), made(x)
    d.x += 1
    return d.x, e.x, isinstance(d, Crate), d is e


def one_of_two_lists(x, z):
    def made(k):
        if k > 0:
            return [k]
        return [k, 2.0]

    d = made(x)
    return d[0] + len(d)


def an_object_or_none(x, z):
    def made(k):
        if k > 0:
            return Box(k), [k]
        return None, [k * 2]

    d, items = made(x)
    if d is None:
        return z + items[0]
    d.x += 1
    return d.x + items[0]


def an_object_or_none_inside(x, z):
    def made(k):
        if k > 0:
            return Box(Box(k))
        return Box(None)

    d = made(x)
    return d.x.x if d.x is not None else z


def an_object_or_none_of_a_loop(x, z):
    def made(k):
        for j in range(int(abs(x) * 6)):
            if j * z > k:
                return Box(j * z)
        return None

    d = made(x)
    return d.x if d is not None else z


def read_only(x, z):
    p = Box(x)
    return p.positive().x + p.positive().x


PROGRAMS = [
    itself_on_a_path, itself_in_a_loop, a_dict_of_the_callers, a_list_of_the_callers_in_a_tuple, what_an_object_keeps, twice_in_the_result,
    beside_a_function_that_sees_it, of_a_loop, one_of_two_dicts, one_of_two_classes, one_of_two_lists, an_object_or_none, an_object_or_none_inside,
    an_object_or_none_of_a_loop, read_only,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_what_is_returned_is_the_callers_own_or_new(program):
    for x, z in POINTS:
        check(program, x, z)


def test_a_change_of_what_may_be_the_callers_own():
    def one(p, q, c):
        if c > 0:
            return p
        return q

    def of_the_result(x, z):
        p, q = Box(x), Box(z)
        w = one(p, q, z)
        w.x += 1
        return w.x, p.x, q.x

    def of_the_callers(x, z):
        p, q = [x], [z]
        w = one(p, q, z)
        p[0] += 1
        return w[0], p[0]

    def of_a_method(x, z):
        p = Box(x)
        q = p.positive()
        q.x = 9.0
        return p.x

    for program in (of_the_result, of_the_callers, of_a_method):
        for x, z in POINTS:
            check(program, x, z)


def one_text_on_a_path(n):
    found = []
    if n > 1:
        found.append("add")
    return found


def test_a_text_of_which_there_is_one_kind_is_no_letter():
    assert s2s.jit(one_text_on_a_path, target="numpy")(2) == ["add"]
    assert s2s.jit(one_text_on_a_path, target="numpy")(0) == []
