"""Programs whose arguments change places: double buffering, rotation, swaps on a path, in nests, behind other names and in helpers."""
from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np


def smooth(u, v):
    v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])


def double_buffer(u, v, n):
    for _ in range(n):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return u


def buffer_of_its_own(u, n):
    v = np.zeros_like(u)
    for _ in range(n):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        last = u
        u = v
        v = last
    return u.sum()


def wave(p, u, q, n):
    for _ in range(n):
        q[1:-1] = 2 * u[1:-1] - p[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        p, u, q = u, q, p
    return u, q[0] + p[1]


def nest(u, v, n):
    total = 0.0
    for _ in range(3):
        for _ in range(n):
            v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
            u, v = v, u
        total += u[2]
        u[0] += 1.0
    v[1] *= 3.0
    return total


def behind_another_name(u, v, n):
    first = u
    for _ in range(n):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        v[0] = first[1]
        u, v = v, u
    first[2] += 1.0
    return u.sum() + first.sum() * 2


def until_settled(u, v, n):
    for _ in range(n):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        if np.max(np.abs(v - u)) < 0.3:
            break
        u, v = v, u
    return u


def swap_before_break(u, v, n):
    t = 0
    while t < n:
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
        if np.max(np.abs(v - u)) < 0.3:
            break
        t += 1
    return u


def accepted_steps(u, v, n):
    for _ in range(n):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        if v[1] > 0.5:
            u, v = v, u
        else:
            u[0] += 0.25
    return u[0] + v[2]


def on_a_path(u, v, n):
    if n > 3:
        u[1] = 5.0
        u, v = v, u
    u[0] = 7.0
    return v.sum()


def stored_before_the_swap_only(u, v, n):
    if n > 2:
        u[0] = 5.0
        u, v = v, u
    return v.sum()


def never_stored(u, v, n):
    for _ in range(n):
        u, v = v, u
    return u[0] - v[1]


def early_return(u, v, n):
    for _ in range(n):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        if v[2] > 0.5:
            return v
        u, v = v, u
    return u


def step(u, v):
    smooth(u, v)
    return v, u


def by_a_helper(u, v, n):
    for _ in range(n):
        u, v = step(u, v)
    return u


def halves(a, b, n):
    for _ in range(n):
        b[1:-1] = a[1:-1] * 0.5
        a, b = b, a
    return a


def store_in_what_a_helper_returns(u, v, n):
    w = halves(u, v, n)
    w[0] += 2.0
    u[1] *= 2
    return w.sum() + v.sum()


def read_what_an_early_return_gives(u, v, n):
    w = early_return(u, v, n)
    return w.sum() + 2 * v.sum() + u[0]


def another_name_in_each_trip(u, v, n):
    for _ in range(n):
        w = u
        if v[1] > 0.5:
            u, v = v, u
        w[0] += 1.0
        u[1] += 2.0
        v[2] -= u[0]
    return u[1]


def deep(u, v, n):
    for t in range(n):
        w = u
        if v[1] > 0.5:
            u, v = v, u
            if u[2] > 1.0:
                v[3] = 0.5
                u, v = v, u
        u[1] += 2.0 + w[0]
        v[2] -= u[0]
        for _ in range(t):
            u, v = v, u
            u[0] += 0.5
            if u[0] > 2:
                break
    return u[1]


def three_on_paths(u, v, p, n):
    for t in range(n):
        if t % 3 == 0:
            u, v, p = v, p, u
        elif t % 3 == 1:
            u, v = v, u
        else:
            v, p = p, v
        u[t % 3] += v[1] * 2
        p[1] = u[2]
    return u[0]


def with_continue(u, v, n):
    while n > 0:
        u, v = v, u
        v[0] += u[1]
        n -= 1
        if n % 2:
            continue
        v[1] *= 2.0
    u[:] = v
    return v[0]


def one_loop_after_another(u, v, n):
    for _ in range(n):
        u, v = v, u
        u += v
    for _ in range(n + 1):
        v *= 0.5
        u, v = v, u
    return u[0]


def two_pairs(u, v, p, q, n):
    for _ in range(n):
        u[0] += p[1]
        q[1] -= v[0]
        u, v, p, q = v, u, q, p
    return u.sum() - q.sum()


class Pair(NamedTuple):
    now: np.ndarray
    then: np.ndarray


@dataclasses.dataclass
class State:
    now: np.ndarray
    then: np.ndarray


def in_a_named_tuple(u, v, n):
    pair = Pair(u, v)
    for _ in range(n):
        pair.now[0] += pair.then[1]
        pair = Pair(pair.then, pair.now)
    return pair.now.sum() - 2 * pair.then.sum()


def in_a_tuple(u, v, n):
    pair = (u, v)
    for _ in range(n):
        a, b = pair
        b[1:] = a[:-1] + b[0]
        pair = (b, a)
    return pair[0].sum() - 2 * pair[1][0]


def in_a_list(u, v, n):
    buffers = [u, v]
    for _ in range(n):
        buffers[0][1:] += buffers[1][:-1]
        buffers[0], buffers[1] = buffers[1], buffers[0]
    return buffers[0].sum() - 2 * buffers[1].sum()


def in_a_dict_on_a_path(u, v, n):
    state = {"now": u, "then": v}
    for _ in range(n):
        state["then"][:] = state["now"] * 0.5
        if state["now"][1] > 0.1:
            state["now"], state["then"] = state["then"], state["now"]
    return state["now"].sum() - 2 * state["then"].sum()


def in_an_object(u, v, n):
    state = State(u, v)
    for _ in range(n):
        state.then[:] = state.now + 1
        state.now, state.then = state.then, state.now
    return state.now.sum() - 2 * state.then.sum()


def add_first(u, v):
    u[0] += v[0]
    u[1] += v[0]


def another_name_handed_to_a_helper(u, v, n):
    first = u
    for _ in range(n):
        u, v = v, u
        add_first(u, first)
        add_first(first, v)
    return u[0] - first[1]


def rows(u, v, n):
    """Of two dimensions, gone through row by row."""
    for _ in range(n):
        for i in range(1, u.shape[0]):
            v[i] = 0.5 * (u[i - 1] + v[i])
        u, v = v, u
    return u


def march(u, v, n):
    for _ in range(n):
        for i in range(1, len(u)):
            v[i] = 0.4 * u[i - 1] + 0.3 * v[i]
        u, v = v, u
    return u


def marched_again(u, v, n):
    """In the second call the two may be one."""
    w = march(u, v, n)
    w = march(w, v, 1)
    return w[1] + 2 * v[1]


def handed_with_what_it_may_be(u, v, n):
    p, q = v, u
    if n > 2:
        p, u = u, p
    w = march(q, p, 2)
    return w[1] + 2 * p[1] + u[2]


def in_a_dict_beside_a_list(u, v, n):
    box, items = {"q": 1.0, "w": u * 0.5}, [u * 1.0, v * 0.5]
    for _ in range(n):
        if n > 1:
            items = [items[1], items[0]]
            for _ in range(len(v)):
                box["w"], v = v, box["w"]
        else:
            v[0] = items[0][1]
    return box["w"] * 1, v * 1, items[0] * 1


PROGRAMS = (
    double_buffer, buffer_of_its_own, wave, nest, behind_another_name, until_settled, swap_before_break, accepted_steps, on_a_path,
    stored_before_the_swap_only, never_stored, early_return, by_a_helper, store_in_what_a_helper_returns, read_what_an_early_return_gives,
    another_name_in_each_trip, deep, three_on_paths, with_continue, one_loop_after_another, two_pairs, another_name_handed_to_a_helper, in_a_named_tuple, in_a_tuple,
    in_a_list, in_a_dict_on_a_path, in_an_object, rows, marched_again, handed_with_what_it_may_be, in_a_dict_beside_a_list,
)  # fmt: skip
