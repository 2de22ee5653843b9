"""Containers of the arguments that a function changes: lists, dicts, objects. A call leaves in them what Python leaves; a derivative leaves them alone."""
from __future__ import annotations

import copy
import subprocess
import sys
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from fuzz.object_check import differs

import s2s
from s2s.errors import UnsupportedError

RATES = {"x": 0.5}


class Pair(NamedTuple):
    one: float
    two: Any


@dataclass
class State:
    x: float
    v: np.ndarray
    n: int = 0
    name: str = "a"
    log: list[float] = field(default_factory=list)

    def step(self, dt):
        self.x = self.x + dt * np.sum(self.v**2)
        self.v = self.v * 0.5
        self.n += 1

    @property
    def twice(self):
        return 2.0 * self.x

    @twice.setter
    def twice(self, value):
        self.x = value / 2.0


@s2s.tree_util.register_pytree_node_class
class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def tree_flatten(self):
        return (self.w, self.b), None

    @classmethod
    def tree_unflatten(cls, _, parts):
        return cls(*parts)


def trained(params, rate):
    for key in params:
        params[key] -= rate * np.sum(params[key])
    params["count"] = len(params)
    return sum(np.sum(each) for each in params.values())


def renewed(params, rate):
    for key in params:
        params[key] = params[key] - rate
    return params


def keys_moved(table, x):
    table["c"] = table.pop("a") * x
    table["b"] = table["b"] + 1
    del table["d"]
    return list(table)


def key_comes_back(table, x):
    first = table.pop("a")
    table["a"] = first * x
    return first


def list_ends(items, x):
    items.append(x)
    items[0] = items[0] * 2
    items.insert(1, 0.5)
    items.pop()
    return len(items)


def list_shorter(items, x):
    last = items.pop()
    del items[0]
    return last * x


def list_in_place(items, x):
    items += [x, 2.0]
    items.reverse()
    return items[0]


def swapped(items, x):
    items[0], items[1] = items[1], items[0]
    items[0][0] = x
    return items[1]


def grown(items, n):
    for i in range(n):
        items.append(i * 0.5)
    return len(items)


def stepped(state, n):
    for _ in range(n):
        state.step(0.1)
    state.log.append(state.x)
    return state.x


def one_path(state, n):
    if n > 2:
        state.v = state.v * 0.5
        state.name = "b"
    else:
        state.twice = 3.0
        state.name = "b"
    return state.x


def stored_and_returned(state, n):
    state.v = np.sin(state.v) * n
    return state.v, state.v[1:]


def own_array_elsewhere(state, w):
    state.v = w
    w[0] = 7.0
    return np.sum(state.v)


def nested(model, x):
    model["state"].step(x)
    model["layers"][0]["w"] = model["layers"][0]["w"] * x
    model["layers"][1]["b"] += 1.0
    model["pair"].two["k"] = x
    return model["state"].x


def new_inside(table, x):
    table["deep"] = {"list": [x, x * 2], "pair": (x, 1)}
    table["none"] = None
    return x


def of_class(layer, x):
    layer.w = layer.w * x
    layer.b += 1.0
    return np.sum(layer.w)


def by_helpers(state, n):
    def raised(thing, by):
        thing.x += by
        return thing.x

    total = 0.0
    for i in range(n):
        total += raised(state, i)
    return total


def until(state, n):
    while state.x < n:
        state.x = state.x * 2.0
        state.n -= 1
        if state.n < -5:
            break
    return state.n


def raised_halfway(items, n):
    items[0] = 5.0
    if n > 2:
        raise ValueError("no")
    return items[0]


def state() -> State:
    return State(1.25, np.array([0.5, -1.0, 2.0]), 2, "a", [0.5])


CASES: list[tuple[Any, Any]] = [
    (trained, lambda: ({"w": np.arange(4.0).reshape(2, 2), "b": np.ones(3), "s": 2.5}, 0.1)), (renewed, lambda: ({"w": np.ones((2, 2)), "b": np.zeros(0)}, 0.1)),
    (keys_moved, lambda: ({"d": 0.5, "a": 1.5, "b": 2}, 3.0)), (key_comes_back, lambda: (OrderedDict(a=1.5, b=np.ones(2)), 3.0)),
    (list_ends, lambda: ([1.0, np.ones(2), 3.0], 0.25)), (list_shorter, lambda: ([1.0, np.ones(2), 3.0], 0.25)), (list_in_place, lambda: ([1.0, 3.0], 0.25)),
    (swapped, lambda: ([np.ones(2), np.zeros(3)], 4.0)), (grown, lambda: ([1.0], 3)), (grown, lambda: ([1.0], 0)), (stepped, lambda: (state(), 3)), (stepped, lambda: (state(), 0)),
    (one_path, lambda: (state(), 3)), (one_path, lambda: (state(), 1)), (stored_and_returned, lambda: (state(), 3)), (own_array_elsewhere, lambda: (state(), np.ones(3))),
    (nested, lambda: ({"state": state(), "layers": [{"w": np.ones(2)}, {"b": 1}], "pair": Pair(1.0, {"k": 2.0, "l": 3})}, 0.5)), (new_inside, lambda: ({"a": 1.0}, 0.5)),
    (of_class, lambda: (Layer(np.ones((2, 2)), 1.5), 0.5)), (by_helpers, lambda: (state(), 3)), (until, lambda: (state(), 9.0)), (raised_halfway, lambda: ([1.0, 2.0], 1)),
]  # fmt: skip


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("fun", "given"), CASES, ids=[f"{fun.__name__}-{k}" for k, (fun, _) in enumerate(CASES)])
def test_a_call_leaves_what_python_leaves(fun, given, target) -> None:
    run = s2s.jit(fun, target=target)
    for _ in range(3):  # the general way, and the quick one
        wanted, found = given(), given()
        result, ours = fun(*wanted), run(*found)
        assert not differs(ours, result, "result")
        assert not differs(found, wanted, "arguments")
        assert [list(each) for each in found if isinstance(each, dict)] == [list(each) for each in wanted if isinstance(each, dict)]


@pytest.mark.parametrize("array", [np.ones((3, 4)).T, np.arange(6.0)[::-2], np.broadcast_to(1.5, (3,)), np.zeros((0, 2))])
def test_arrays_that_change_places_are_the_callers_own(array) -> None:
    def exchanged(items, state):
        items[0], state.v = state.v, items[0]
        return np.sum(items[0])

    run = s2s.jit(exchanged)
    for _ in range(3):
        mine = state()
        items, before = [array, 2.0], mine.v
        run(items, mine)
        assert items[0] is before
        assert mine.v is array


def test_what_a_call_does_not_change_stays_the_same_object() -> None:
    def counted(model):
        model["n"] += 1
        model["items"].append(1.0)
        return model["n"]

    run = s2s.jit(counted)
    inner, array, items = {"k": 1.0}, np.ones(2), [0.5]
    model = {"n": 1, "inner": inner, "array": array, "items": items}
    for count in range(3):
        assert run(model) == count + 2
    assert model["inner"] is inner
    assert model["array"] is array
    assert model["items"] is items
    assert items == [0.5, 1.0, 1.0, 1.0]


def test_one_container_in_two_places_is_refused_at_each_call() -> None:
    def moved(one, two):
        one["x"] = two["x"] + 1.0
        two["x"] = 5.0
        return one["x"] + two["x"]

    run = s2s.jit(moved)
    table = {"x": 1.0}
    for _ in range(2):
        with pytest.raises(ValueError, match="stands in two places"):
            run(table, table)
        assert table == {"x": 1.0}
        assert run({"x": 2.0}, {"x": 3.0}) == 9.0

    def read_outside(one):
        one["x"] = one["x"] + RATES["x"]
        return RATES["x"]

    run = s2s.jit(read_outside)
    for _ in range(2):
        assert run({"x": 1.0}) == 0.5
        with pytest.raises(ValueError, match="reads from outside"):
            run(RATES)
    assert RATES == {"x": 0.5}


def test_derivatives_leave_the_arguments_alone() -> None:
    def loss(state, n):
        return stepped(state, n) ** 2

    given = state()
    kept = copy.deepcopy(given)
    with pytest.raises(UnsupportedError, match="vmap of a function that changes a list"):
        s2s.vmap(lambda items: list_ends(items, 1.0))([np.ones(2), np.ones(2), np.ones(2)])
    slope = s2s.grad(lambda x, v: loss(State(x, v), 3), (0, 1))(given.x, given.v)
    items = [given.x, given.v]
    bar = s2s.grad(lambda items: np.sum(swapped([items[1], items[1] * items[0]], items[0])) + trained({"a": items[1], "b": items[0]}, 0.5))(items)
    dot = s2s.jvp(lambda items: np.sum(swapped([items[1], items[1] * items[0]], items[0])) + trained({"a": items[1], "b": items[0]}, 0.5), (items,), ([1.0, np.ones(3)],))[1]
    np.testing.assert_allclose(bar[0] + np.sum(bar[1]), dot, rtol=1e-13)
    of_dict = s2s.grad(lambda params: trained(params, 0.1))
    params = {"w": np.arange(3.0), "s": 2.5}
    slopes = of_dict(params)
    np.testing.assert_allclose(slopes["w"], np.full(3, 0.7), rtol=1e-14)
    np.testing.assert_allclose(slopes["s"], 0.9, rtol=1e-14)
    assert list(params) == ["w", "s"]
    np.testing.assert_array_equal(params["w"], np.arange(3.0))
    assert not differs(given, kept, "argument")
    step = 1e-6
    difference = (loss(State(given.x + step, given.v), 3) - loss(State(given.x - step, given.v), 3)) / (2.0 * step)
    np.testing.assert_allclose(slope[0], difference, rtol=1e-7)


def test_a_jitted_function_changes_what_the_function_around_made() -> None:
    inner = s2s.jit(renewed)

    def around(x):
        params = {"w": x * 2.0, "b": x}
        inner(params, 0.5)
        return inner(params, x)["w"] * params["b"]

    for x in (0.25, 3.0):
        assert s2s.jit(around)(x) == around(x)
    np.testing.assert_allclose(s2s.grad(around)(3.0), _slope(around, 3.0), rtol=1e-6)


def _slope(fun, x, step=1e-6):
    return (fun(x + step) - fun(x - step)) / (2.0 * step)


@pytest.mark.parametrize(
    ("fun", "args", "words"),
    [
        (lambda a, x: a.append(OUTSIDE), lambda: ([1.0], 2.0), "a store of a container that the caller has"),
        (lambda s, _: delattr(s, "x"), lambda: (state(), 1), "delattr"),
    ],
)
def test_what_is_refused(fun, args, words) -> None:
    with pytest.raises((UnsupportedError, NotImplementedError), match=words):
        s2s.jit(fun)(*args())


OUTSIDE = [2.0]


def rows_change_places(m, i, k):
    m[i], m[k] = m[k], m[i]
    m[0][0] += 1.0
    m.append(m[1])


def eliminated(m, b):
    for i in range(len(m)):
        p = max(range(i, len(m)), key=lambda r: abs(m[r][i]))
        if p != i:
            m[i], m[p] = m[p], m[i]
            b[i], b[p] = b[p], b[i]
        for r in range(i + 1, len(m)):
            f = m[r][i] / m[i][i]
            for c in range(i, len(m)):
                m[r][c] -= f * m[i][c]
            b[r] -= f * b[i]


@pytest.mark.parametrize("target", ["numpy", "cpu"])
@pytest.mark.parametrize(("fun", "others"), [(rows_change_places, (0, 2)), (rows_change_places, (1, 1)), (rows_change_places, (-1, 0)), (eliminated, ([1.0, 2.0, 3.0],))])
def test_containers_of_the_caller_change_places(fun, others, target) -> None:
    """They are the caller's own afterwards, each where it is in Python."""
    jitted = s2s.jit(fun, target=target)
    for turn in range(2):
        outcomes = []
        for each in (jitted, fun):
            given = copy.deepcopy(([[2.0, 1.0, 1.0], [4.0, 1.0, turn + 0.5], [-2.0, 2.0, 1.0]], *others))
            rows = list(given[0])
            each(*given)
            outcomes.append((given, [next(k for k, row in enumerate(rows) if row is held) for held in given[0]]))
        assert outcomes[0] == outcomes[1]


def test_nothing_is_changed_by_a_call_that_raises() -> None:
    items = [1.0, 2.0]
    with pytest.raises(ValueError, match="no"):
        s2s.jit(raised_halfway)(items, 3)
    assert items == [1.0, 2.0]


def test_a_module_that_stands_alone_and_other_processes(tmp_path: Path) -> None:
    source = tmp_path / "training.py"
    source.write_text("""
from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    x: float
    v: np.ndarray


def train(params, state, rate):
    for k in params:
        params[k] = params[k] - rate * state.v
    state.x += 1.0
    return params["W"].sum()
""")
    script = tmp_path / "run.py"
    script.write_text("""
import sys
import numpy as np
import training
if sys.argv[1] == "alone":
    from train_jit import train_jit as train
else:
    import s2s
    train = s2s.jit(training.train)
for _ in range(2):
    params, state = {"W": np.ones(2), "b": np.zeros(2)}, training.State(1.5, np.full(2, 2.0))
    print(train(params, state, 0.5), params, state)
""")
    arguments = ['{"W": f8[:], "b": f8[:]}, State(x=float, v=f8[:]), float']
    subprocess.run([sys.executable, "-m", "s2s", "emit", "training.py:train", "--transform", "jit", "--args", *arguments, "-o", "train_jit.py"], cwd=tmp_path, check=True)
    told = [subprocess.run([sys.executable, "run.py", how], cwd=tmp_path, check=True, capture_output=True, text=True).stdout for how in ("alone", "s2s", "s2s")]
    assert "s2s" not in (tmp_path / "train_jit.py").read_text().partition('"""')[2]
    assert told[0] == told[1] == told[2]
    assert told[0].splitlines()[1] == "0.0 {'W': array([0., 0.]), 'b': array([-1., -1.])} State(x=2.5, v=array([2., 2.]))"
