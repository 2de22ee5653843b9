"""Lists whose length only the run knows, bound to a name anew in each trip of a loop: `u = new`."""
import numpy as np
import pytest
from fuzz.object_check import differs

import s2s
from s2s.errors import UnsupportedError

X = np.array([0.313, 1.741, 2.029])


def heat(x, n):
    u = [0.0] * (n + 8)
    u[n // 2 + 2] = x[0]
    for _ in range(n):
        new = u[:]
        for i in range(1, len(u) - 1):
            new[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1])
        u = new
    return np.array(u), u[3]


def periodic(x, n):
    u = [0.0] * (n + 8)
    u[3] = x[1]
    for _ in range(n):
        u = [u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[(i + 1) % len(u)]) for i in range(len(u))]
    return u[2], len(u)


def fronts(x, n):
    front, seen, steps = [0], np.zeros(20), 0
    while len(front) > 0:
        following = []
        for v in front:
            for w in (2 * v + 1, 2 * v + 2):
                if w < n * 4 and seen[w] == 0:
                    seen[w] = x[v % 3]
                    following.append(w)
        front = following
        steps += 1
    return seen, steps, len(front)


def pascal(x, n):
    row = [1.0]
    for _ in range(n):
        new = [1.0]
        for j in range(len(row) - 1):
            new.append(row[j] + row[j + 1] * x[0])
        new.append(1.0)
        row = new
    return np.array(row), row[-1], sum(row)


def halves(x, n):
    q = [x[k % 3] for k in range(n + 4)]
    trips = 0
    while len(q) > 1:
        r = []
        for k in range(0, len(q) - 1, 2):
            r.append(q[k] * q[k + 1])
        if len(q) % 2 == 1:
            r.append(q[-1])
        q = r
        trips += 1
    return q[0], trips


def survivors(x, n):
    group = [x[k % 3] * (k + 1) for k in range(n + 4)]
    for g in range(n):
        best = sorted(group, key=lambda v: -v)[: max(len(group) - 1, 1)]
        group = [b * 0.9 for b in best]
        if len(group) < 3:
            break
        if g == 1:
            continue
        group.append(x[1])
    return np.array(group), len(group)


def in_a_tuple(x, n):
    state = ([1.0] * n, 0)
    for _ in range(n):
        u, k = state
        state = ([a + x[0] for a in u], k + 1)
    return state[0][0], state[1]


class Body:
    def __init__(self, u):
        self.u = u

    def step(self, by):
        self.u = [a * by for a in self.u]


def in_an_object(x, n):
    body, box = Body([1.0] * n), {"u": [2.0] * n}
    for _ in range(n):
        body.step(x[1])
        box["u"] = [a + x[0] for a in box["u"]]
    return body.u[0] * box["u"][n - 1], len(body.u)


def whole_numbers_first(x, n):
    u = [1, 2, 3, 4][:n]
    for _ in range(2):
        u = [a / 2 for a in u]
    return u[0], sum(u) * x[0]


def from_nothing(x, n):
    q = []
    for t in range(n):
        r = []
        for v in q:
            r.append(v * 2)
        r.append(x[t % 3])
        q = r
    return np.array(q), len(q)


def with_another_name(x, n):
    u = [x[0] * k for k in range(n)]
    first = u
    for _ in range(n):
        u = [a * 2 for a in u]
    return first[n - 1], u[n - 1]


def in_a_function(x, n):
    u = [x[0]] * n

    def step():
        nonlocal u
        u = [a * a for a in u]

    for _ in range(2):
        step()
    return u[0], len(u)


PROGRAMS = (heat, periodic, fronts, pascal, halves, survivors, in_a_tuple, in_an_object, whole_numbers_first, from_nothing, with_another_name, in_a_function)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right(program):
    for n in (1, 2, 4):
        wanted, found = program(X, n), s2s.jit(program, target="numpy")(X, n)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_derivatives(program):
    def total(x):
        return np.sum(program(x, 3)[0])

    x_dot, step = np.random.default_rng(7).normal(size=X.shape), 1e-6
    wanted = (total(X + step * x_dot) - total(X - step * x_dot)) / (2 * step)
    reverse = s2s.jit(s2s.grad(total), target="numpy")(X) @ x_dot
    forward = s2s.jit(lambda x, v: s2s.jvp(total, (x,), (v,))[1], target="numpy")(X, x_dot)
    np.testing.assert_allclose(reverse, forward, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(reverse, wanted, rtol=1e-6, atol=1e-8)


def test_compiled():
    for one, other in zip(s2s.jit(pascal)(X, 5), pascal(X, 5), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)


HELD_BESIDE = (
    "u = [1.0] * n\n    v = u\n    for t in range(n):\n        if t == 0:\n            u.append(5.0)\n        u = [a * 2 for a in u]\n    return len(v), len(u)",
    "u = [1.0] * n\n    for t in range(n):\n        u[0] = u[0] + 1\n        u = [a for a in u]\n    return u[0]",
    "u = [1.0] * n\n    for t in range(n):\n        w = u\n        u = [a * 2 for a in u]\n    return w[0], u[0]",
    "u = [1.0] * n\n    for t in range(n):\n        new = [a * 2 for a in u]\n        u = new\n    new[0] = 50.0\n    return new[0], u[0]",
    "u = [1.0] * n\n    new = u\n    for t in range(n):\n        new = [a * 2 for a in u]\n        u = new\n    u.append(50.0)\n    return len(new), len(u)",
    "a, b = [1.0] * n, [2.0] * n\n    for t in range(n):\n        a, b = b, a\n    a[0] = 9.0\n    return a[0], b[0]",
    "a, b = [1.0] * n, [2.0] * n\n    for t in range(n):\n        a, b = b, [k + 1 for k in a]\n    return a[0], b[0]",
    "u = [1.0] * n\n    w, same = u, 0\n    for t in range(n):\n        if u is w:\n            same += 1\n        u = [a for a in u]\n    return same",
    "u = [1.0] * n\n    seen = []\n    for t in range(n):\n        seen.append(u)\n        u = [a + 1 for a in u]\n    u[0] = 7.0\n    return seen[-1][0], u[0]",
    "u = [1.0] * n\n    box = {'u': u}\n    for t in range(n):\n        box['u'].append(1.0)\n        box['u'] = [a + 1 for a in box['u']]\n    return len(u), len(box['u'])",
    "u = [1.0] * n\n    for t in range(n):\n        u = [a + 1 for a in u] if t else u\n        u = [a for a in u]\n        u.append(2.0)\n    return len(u)",
)
"""Where it matters which list it is."""


def test_which_list_it_is_is_right_or_refused(tmp_path):
    path = tmp_path / "held_beside.py"
    path.write_text("".join(f"def f{k}(n):\n    {text}\n\n\n" for k, text in enumerate(HELD_BESIDE)), "utf-8")
    names: dict = {}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), names)
    for k, text in enumerate(HELD_BESIDE):
        for n in (1, 2, 3):
            wanted = names[f"f{k}"](n)
            try:
                found = s2s.jit(names[f"f{k}"], target="numpy")(n)
            except UnsupportedError:
                continue
            assert not differs(found, wanted, text)


class Mark:
    def __init__(self, x, k):
        self.x, self.k, self.note = x, k, None


def a_list_of_the_last_trip(x, n):
    for i in range(int(n)):
        new = []
        for j in range(i + 1):
            new.append(j * x)
    return sum(new) + len(new)


def a_list_that_the_first_trip_makes(x, n):
    for i in range(int(n)):
        if i == 0:
            held = []
        held.append(i * x)
    held.append(2.0)
    return sum(held)


def a_list_of_the_trip_before(x, n):
    s = 0.0
    for i in range(int(n)):
        if i > 1:
            s += before[0] * before[1][0]  # noqa: F821
        before = [x * i, np.array([1.0 * i, x])]
    return s + before[1][1]


def an_object_of_some_trips(x, n):
    s = 0.0
    for i in range(int(n)):
        if i > 0:
            mark.x += s  # noqa: F821
            s += mark.x * x  # noqa: F821
        if i % 2 == 0:
            mark = Mark(x * i, s)
    return s + mark.k


def a_dict_of_some_trips(x, n):
    s = 0.5
    for i in range(int(n)):
        if i > 2:
            d["a"] += 1  # noqa: F821
            s += d["a"]  # noqa: F821
        else:
            d = {"a": x * i, "b": i}
    return s + d["a"]


def lists_of_tuples(x, n):
    for i in range(int(n)):
        rows = [(x * j, j) for j in range(i + 1)]
    return rows[-1][0] + len(rows)


def one_list_by_two_names(x, n):
    for t in range(int(n)):
        if t == 0:
            u = [x]
            w = u
        else:
            w.append(2.0 * t)
    u.append(1.0)
    return sum(w) + len(u)


def an_object_in_a_list_too(x, n):
    held = []
    for t in range(int(n)):
        if t % 2 == 0:
            mark = Mark(x, t)
            held.append(mark)
        mark.x += 1
    mark.x += 10
    return sum(each.x for each in held) + mark.x


def none_or_a_number(x, n):
    s = 0.0
    for i in range(int(n)):
        if i % 3 == 0:
            best, found = None, [x]
        elif best is None:
            best, found = x * i, [x, x * i]
        else:
            best = best + x
        s += len(found)
    return s + (best if best is not None else 0.0)


def what_a_while_loop_found(x, n):
    k = 0
    while True:
        found = [j + x for j in range(k)]
        k += 1
        if len(found) >= n:
            break
    return sum(found)


FIRST_BOUND = [
    a_list_of_the_last_trip, a_list_that_the_first_trip_makes, a_list_of_the_trip_before, an_object_of_some_trips, a_dict_of_some_trips, lists_of_tuples,
    one_list_by_two_names, an_object_in_a_list_too, none_or_a_number, what_a_while_loop_found,
]  # fmt: skip


@pytest.mark.parametrize("program", FIRST_BOUND, ids=lambda program: program.__name__)
def test_containers_that_a_trip_is_the_first_to_bind(program):
    compiled = s2s.jit(program, target="numpy")
    for n in (1.2, 2.2, 4.2, 7.2):
        assert not differs(compiled(1.5, n), program(1.5, n), program.__name__)
        _, forward = s2s.jvp(lambda x, n=n: program(x, n), (1.5,), (1.0,))
        np.testing.assert_allclose(forward, (program(1.5 + 1e-6, n) - program(1.5 - 1e-6, n)) / 2e-6, rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(s2s.grad(program)(1.5, n), forward, rtol=1e-12)


def test_a_list_that_no_trip_bound_is_unset():
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'new' where it is not associated with a value"):
        s2s.jit(a_list_of_the_last_trip, target="numpy")(1.5, 0.2)


def a_name_that_is_deleted(x, n):
    y, s = x, 0.0
    for i in range(int(n)):
        if i == 1:
            del y
        elif i == 3:
            y = 2 * x
        if i not in (1, 2):
            s += y
    return s + y


def an_attribute_that_is_deleted(x, n):
    mark, s = Mark(x, 0), 0.0
    for i in range(int(n)):
        try:
            s += mark.x
            del mark.x
        except AttributeError:
            if i % 3 == 2:
                mark.x = i * x
    return s + getattr(mark, "x", 0.5)


@pytest.mark.parametrize("program", [a_name_that_is_deleted, an_attribute_that_is_deleted], ids=lambda program: program.__name__)
def test_what_a_trip_deletes(program):
    for n in (0.2, 1.2, 4.2, 6.2):
        assert s2s.jit(program, target="numpy")(1.5, n) == program(1.5, n)
        np.testing.assert_allclose(s2s.grad(program)(1.5, n), (program(1.5 + 1e-6, n) - program(1.5 - 1e-6, n)) / 2e-6, rtol=1e-7)
