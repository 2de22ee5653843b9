"""Programs about containers that a call decides (sizes, whole numbers, texts) or the run: as Python, arguments afterwards included, on both targets; derivatives of those in which floats flow."""
from __future__ import annotations

import collections
import copy

import contained_programs as programs
import numpy as np
import pytest
from outcomes import same, shown

import s2s
from s2s.errors import UnsupportedError


def check(name: str, target: str) -> None:
    function, given = getattr(programs, name), programs.CALLS[name]
    ours, pythons = copy.deepcopy(given), copy.deepcopy(given)
    found, wanted = shown(s2s.jit(function, target=target)(*ours)), shown(function(*pythons))
    assert same(found, wanted)
    assert same(shown(ours), shown(pythons))


@pytest.mark.parametrize("name", programs.CALLS)
def test_as_python(name):
    check(name, "numpy")


@pytest.mark.slow
@pytest.mark.parametrize("name", programs.CALLS)
def test_compiled(name):
    check(name, "cpu")


DIFFERENTIATED = {
    "gauss": lambda m: sum(programs.gauss([list(row) for row in m], [1.0, 2.0, 3.0])),
    "dijkstra": lambda m: programs.dijkstra({0: {1: m[0, 0], 2: m[0, 1]}, 1: {2: m[1, 1]}, 2: {}}, 0, 2),
    "grid_paths": lambda m: programs.grid_paths(3, 2, m[2, 2]), "calculator": lambda m: programs.calculator("2 + x * x - 1", m[0, 0]), "markov": lambda m: programs.markov({0: {0: m[0, 0], 1: m[0, 1]}, 1: {0: m[1, 0], 1: 0.5}}, 0, 3)[1],
    "stack_machine": lambda m: programs.stack_machine([("push", 1.5), ("x",), ("mul",), ("x",), ("add",), ("loop", 1, 9)], m[0, 0]),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_derivatives(name):
    m = np.array([[0.7, 1.9, 0.3], [0.45, 0.8, 0.2], [0.25, 1.1, 0.4]])
    with s2s.disable_jit():
        s2s.check_grads(DIFFERENTIATED[name], (m,), order=2)


# ---- what a call gives is known as the last resort -----------------------------------------------------------------------------------


def count_up(x, n):
    text = ""
    for k in range(n):
        text += str(k)
    return x * len(text), text


def test_whole_numbers_are_known_where_they_must_be():
    """Each value has a program of its own; a number of another type is another value."""
    run = s2s.jit(count_up, target="numpy")
    for n in (3, 11, 3, np.int64(4), True, 0):
        assert run(2.0, n) == count_up(2.0, n)
    assert len(run.emitted()) == 5
    assert s2s.grad(count_up, has_aux=True)(2.0, 5) == (5.0, "01234")
    assert [each.tolist() for each in s2s.jvp(lambda x: count_up(x, 3)[0], (np.float64(2.0),), (np.float64(1.0),))] == [6.0, 3.0]
    np.testing.assert_array_equal(s2s.vmap(lambda x: count_up(x, 12)[0])(np.arange(3.0)), 14 * np.arange(3.0))


def test_what_floats_decide_is_refused():
    with pytest.raises(UnsupportedError) as caught:
        s2s.jit(lambda x, y: count_up(x, int(y)), target="numpy")(2.0, 3.0)
    assert caught.value.where.line


def test_too_many_trips_to_read():
    with pytest.raises(UnsupportedError):
        s2s.jit(count_up, target="numpy")(2.0, 100_000)


def test_a_deque_is_returned():
    def last(x, n):
        kept = collections.deque(maxlen=3)
        for k in range(n):
            kept.append(x * k)
        return {"kept": kept, "none": collections.deque()}

    for target in ("numpy", "cpu"):
        for n in (0, 2, 5):
            found = s2s.jit(last, target=target)(2.0, n)
            assert found == last(2.0, n)
            assert found["kept"].maxlen == 3


def chosen_dict(x, k):
    table = {0: {1: x[0], 2: x[1], 5: 0.0}, 1: {0: x[2], 5: 0.0}, 2: {5: 0.5}}
    total = 0.0
    while total < 9.0:
        for key, value in table[k].items():
            total += value * (key + 1)
            if key == 2:
                break
        else:
            total += 1.0
        table[k][5] = total
        k = (k + 1) % 3
    return total, len(table[0])


def test_one_of_several_dicts():
    x = np.array([1.0, 0.5, 2.0])
    for k in range(3):
        assert s2s.jit(chosen_dict, target="numpy")(x, k) == chosen_dict(x, k)
    s2s.check_grads(lambda x: chosen_dict(x, 1)[0], (x,), order=1)


def same_list(x, n):
    u = [x] * 2
    first, found = u, 0
    for _ in range(n):
        found += u is first
        u = [each for each in u]
    return found


def test_a_list_that_a_loop_carries_may_be_another_names():
    for n in (0, 1, 3, 300):
        assert s2s.jit(same_list, target="numpy", static_argnums=1)(2.0, n) == same_list(2.0, n)


class Body:
    def __init__(self, place):
        self.place = place


def copied_objects(x, n):
    bodies = [Body(np.zeros(2) + v) for v in x]
    copies = copy.deepcopy(bodies)
    copies[n].place += 1.0
    other = copy.copy(bodies[n])
    other.place = other.place + 5.0
    shared = copy.copy(bodies[0])
    shared.place -= 1.0
    return bodies[n].place, copies[n].place, other.place, bodies[0].place


def copied_rows(x, n):
    rows = [[v, v * 2] for v in x]
    copies = copy.deepcopy(rows)
    for i in range(len(rows)):
        copies[i][n % 2] += n
    twice = [rows[0], rows[0]]
    same = copy.deepcopy(twice)
    same[0][0] = 7.0
    k = int(np.argmax(x))
    last = copy.deepcopy(rows)
    last[k][0] = 9.0
    return rows, copies, same, last[k], rows[k]


@pytest.mark.parametrize("function", [copied_objects, copied_rows])
@pytest.mark.parametrize("target", ["numpy", pytest.param("cpu", marks=pytest.mark.slow)])
def test_copies_share_what_pythons_do(function, target):
    for n in (0, 2):
        assert same(shown(s2s.jit(function, target=target)([0.5, -1.25, 2.0], n)), shown(function([0.5, -1.25, 2.0], n)))


def test_a_deep_copy_of_what_only_floats_choose_is_refused():
    def f(x):
        bodies = [Body(np.zeros(2) + v) for v in x]
        return copy.deepcopy(bodies[int(np.argmax(x))]).place

    with pytest.raises(UnsupportedError, match="deepcopy of a Body, of which only the run knows"):
        s2s.jit(f, target="numpy")([0.5, 2.0])
