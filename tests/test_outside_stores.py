"""Stores into what lives outside of the function: globals, attributes of objects, items of containers. They reach it at the end of each call, once, in derivatives too."""
from __future__ import annotations

import copy
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import scipy.special
from fuzz.object_check import differs

import s2s
from s2s.errors import UnsupportedError

TOTAL, CALLS, BEST = 1.5, 0, None
HISTORY = [0.0, 0.0, 0.0]
COUNTS: dict[str, Any] = {"calls": 0, "sum": 0.0}
STATE = np.zeros(2)


class Model:
    def __init__(self) -> None:
        self.count, self.scale, self.name, self.last = 0, 2.0, "model", None
        self.state = np.zeros(2)
        self.stats = {"steps": 0, "largest": 0.0}

    def step(self, x):
        self.count += 1
        self.state = self.state * 0.5 + x * self.scale
        self.stats["largest"] = max(self.stats["largest"], x)
        if x > 0.0:
            self.last = x
        return np.sum(self.state) * self.count

    def run(self, x):
        s = 0.0
        for k in range(4):
            self.stats["steps"] += 1
            s += self.step(x * k)
            if s > 20.0:
                break
        return s

    @property
    def rate(self):
        return self.scale

    @rate.setter
    def rate(self, value):
        self.scale = 0.5 * value


@dataclass
class Config:
    n: int = 0
    v: float = 1.0
    values: list[float] = field(default_factory=lambda: [1.0, 2.0])


class Slotted:
    __slots__ = ("seen", "total")

    def __init__(self) -> None:
        self.seen, self.total = False, 0.5


MODEL, OTHER, CONFIG, SLOTTED = Model(), Model(), Config(), Slotted()


def add(x):
    global TOTAL, CALLS
    TOTAL = TOTAL + x
    CALLS += 1
    return TOTAL * 2


def counted(x):
    COUNTS["calls"] += 1
    COUNTS["sum"] += x
    COUNTS["new"] = 2.0 * x
    return x * COUNTS["calls"]


def bump(v):
    global CALLS
    CALLS += 1
    return v * CALLS


def by_helpers(x):
    return bump(x) + bump(bump(x)) + CALLS


def items(x):
    for i in range(3):
        HISTORY[i] = HISTORY[i] + x * i
    return HISTORY[2]


def rebound(x):
    global STATE
    STATE = STATE + x
    STATE[0] = 5.0
    return np.sum(STATE)


def in_place_and_rebound(x):
    MODEL.state[0] = x
    MODEL.state = 2.0 * MODEL.state
    MODEL.state[1] += 1.0
    return np.sum(MODEL.state)


def of_two_objects(x):
    return MODEL.step(x) + OTHER.step(2.0 * x) + MODEL.step(0.5)


def of_a_dataclass(x):
    CONFIG.n += 2
    CONFIG.v = CONFIG.v * x
    CONFIG.values[1] = CONFIG.v
    return CONFIG.v + CONFIG.n


def of_slots(x):
    SLOTTED.total, SLOTTED.seen = SLOTTED.total + x, x > 0.5
    return SLOTTED.total


def through_a_property(x):
    MODEL.rate = x * MODEL.rate
    return MODEL.rate


def left_early(x):
    global CALLS
    k = 0
    while k < 5:
        k += 1
        if x * k > 1.0:
            CALLS += k
            break
    return CALLS * x


def none_at_first(x):
    global BEST
    if BEST is None or x > BEST:
        BEST = x
    return x


def swapped(x):
    MODEL.state, OTHER.state = OTHER.state + x, MODEL.state
    return np.sum(MODEL.state)


def in_a_nested_function(x):
    def inner(v):
        global TOTAL
        TOTAL = v * TOTAL
        return TOTAL

    return inner(x) + inner(2.0)


def texts(x):
    MODEL.name = "large" if x > 0.5 else "small"
    return x


PROGRAMS = [
    add, counted, by_helpers, items, rebound, in_place_and_rebound, MODEL.step, MODEL.run, of_two_objects, of_a_dataclass, of_slots, through_a_property, left_early,
    none_at_first, swapped, in_a_nested_function, texts,
]  # fmt: skip


def outside() -> Any:
    slots = (SLOTTED.seen, SLOTTED.total)
    return copy.deepcopy({"globals": (TOTAL, CALLS, BEST, HISTORY, COUNTS, STATE), "objects": [vars(each) for each in (MODEL, OTHER, CONFIG)], "slots": slots})


START = outside()


def put_back() -> None:
    before = copy.deepcopy(START)
    total, calls, best, history, counts, state = before["globals"]
    vars(sys.modules[__name__]).update(TOTAL=total, CALLS=calls, BEST=best, STATE=state)
    HISTORY[:] = history
    COUNTS.clear()
    COUNTS.update(counts)
    for each, held in zip((MODEL, OTHER, CONFIG), before["objects"], strict=True):
        vars(each).clear()
        vars(each).update(held)
    SLOTTED.seen, SLOTTED.total = before["slots"]


def after(function: Any, points: tuple[Any, ...]) -> Any:
    """What calls give, and what is outside after each of them."""
    put_back()
    return [(copy.deepcopy(function(x)), outside()) for x in points]


@pytest.fixture(autouse=True)
def _as_before():
    yield
    put_back()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_stores_reach_what_is_outside(program: Any) -> None:
    points = tuple(np.random.default_rng(len(program.__name__)).uniform(-1.0, 1.5, 5).tolist())
    wanted = after(program, points)
    jitted = s2s.jit(program, target="numpy")
    found = after(jitted, points)
    assert not differs(found, wanted, "calls")
    value_and_grad = s2s.value_and_grad(jitted)
    for x in points[:2]:
        put_back()
        (value, slope), state = value_and_grad(x), outside()
        put_back()
        assert np.isclose(value, program(x))
        assert not differs(state, outside(), "after the gradient")
        differences = [after(program, (each,))[0][0] for each in (x + 1e-6, x - 1e-6)]
        assert np.isclose(slope, (differences[0] - differences[1]) / 2e-6, atol=1e-5)


def test_compiled() -> None:
    points = (0.7, -0.2, 1.1)
    assert not differs(after(s2s.jit(MODEL.run), points), after(MODEL.run, points), "calls")


class Pair:
    def __init__(self, a: Model, b: Model) -> None:
        self.a, self.b = a, b

    def __call__(self, x):
        self.a.count += 1
        return x * self.b.count


def test_one_object_under_two_names_is_noticed() -> None:
    pair = Pair(Model(), Model())
    jitted = s2s.jit(pair, target="numpy")
    assert [jitted(2.0), jitted(2.0)] == [0.0, 0.0]
    pair.b = pair.a
    assert [jitted(2.0), jitted(2.0)] == [6.0, 8.0]
    pair.a = Model()
    assert [jitted(2.0), pair.a.count, pair.b.count] == [8.0, 1, 4]


def returned(x):
    MODEL.count += 1
    return MODEL


def longer(x):
    HISTORY.append(x)
    return x


def fewer(x):
    del COUNTS["sum"]
    return x


def test_what_is_refused_or_given_back() -> None:
    assert s2s.jit(returned, target="numpy")(1.0) is MODEL
    for program in (longer, fewer):
        with pytest.raises(UnsupportedError):
            s2s.jit(program, target="numpy")(1.0)
    for transformed, x in ((s2s.vmap(add), np.ones(2)), (s2s.jit(lambda x: s2s.grad(add)(x)), 1.0), (s2s.jacfwd(add), 1.0)):
        with pytest.raises(UnsupportedError, match="stores into the global"):
            transformed(x)
    assert not differs(outside()["globals"], START["globals"], "globals")


# ---- which array it is ----------------------------------------------------------------------------------------------------------------

ONE, TWO = np.array([0.5, 1.0]), np.array([2.0, 3.0])


def on_a_path(x, n):
    b = ONE if x > 0.3 else TWO
    b[1] = 0.5 * x
    return ONE + TWO


def from_a_trip_on(x, n):
    b = np.zeros(2)
    for i in range(n):
        if i == 1:
            b = ONE
        b[0] += x
    return b + ONE


def on_paths_of_trips(x, n):
    b = np.zeros(2)
    for i in range(n):
        if x * i > 0.5:
            b = ONE
        else:
            b = TWO
        b[0] += x
    return b + ONE + TWO


def on_a_path_of_a_path(x, n):
    b = np.zeros(2)
    if x > 0.5:
        if n > 2:
            b = ONE
        else:
            b = TWO
    b[1] = x
    return b + ONE


@pytest.mark.parametrize("program", [on_a_path, from_a_trip_on, on_paths_of_trips, on_a_path_of_a_path], ids=lambda each: each.__name__)
def test_arrays_outside_that_are_met_on_one_path_first(program: Any) -> None:
    jitted = s2s.jit(program, target="numpy")
    for x in (0.2, 0.7):
        for n in range(4):
            outcomes = []
            for function in (program, jitted):
                ONE[:], TWO[:] = (0.5, 1.0), (2.0, 3.0)
                outcomes.append((function(x, n), ONE.copy(), TWO.copy()))
            np.testing.assert_array_equal(outcomes[1], outcomes[0])


def another_in_a_loop(x, n):
    for _ in range(n):
        MODEL.state = OTHER.state
    return x


def another_on_a_path(x, n):
    if n > 1:
        MODEL.state = OTHER.state
    return x


def an_argument_or_new(x, n):
    v = OTHER.state
    for _ in range(n):
        v = v * 0.5
    MODEL.state = v
    return x


def new_in_each_trip(x, n):
    for _ in range(n):
        MODEL.state = MODEL.state * 0.5 + x
    return x


def test_stored_is_the_array_itself_or_it_is_refused() -> None:
    for program in (another_in_a_loop, an_argument_or_new):
        with pytest.raises(UnsupportedError, match="may or may not be another one"):
            s2s.jit(lambda x, program=program: program(x, int(x) + 1), target="numpy")(1.0)
        for n in (0, 2):
            is_other = []
            for each in (s2s.jit(program, target="numpy"), program):
                put_back()
                each(1.0, n)
                is_other.append(MODEL.state is OTHER.state)
            assert is_other[0] is is_other[1]
    jitted = s2s.jit(another_on_a_path, target="numpy")
    for n in (1, 2):
        put_back()
        jitted(1.0, n)
        assert (MODEL.state is OTHER.state) == (n == 2)
    put_back()
    s2s.jit(new_in_each_trip, target="numpy")(1.0, 2)
    np.testing.assert_array_equal(MODEL.state, [1.5, 1.5])


# ---- a derivative in two halves -----------------------------------------------------------------------------------------------


class Controller:
    def __init__(self) -> None:
        self.integral, self.last, self.calls = 0.0, None, 0

    def __call__(self, error):
        slope = 0.0 if self.last is None else error - self.last
        self.integral, self.last, self.calls = self.integral + error, error, self.calls + 1
        return error * self.calls + 0.25 * self.integral + 0.125 * slope


CONTROLLER = Controller()
SWITCH: dict[str, Any] = {"on": False}


def controlled(x):
    return CONTROLLER(x * x)


def switched(x):
    if SWITCH["on"]:
        return x * 5.0
    SWITCH["on"] = True
    return x * x


def test_a_pullback_is_of_what_the_function_read():
    """Not of what it has stored since: its own forward sweep, or another call."""
    CONTROLLER.__init__()
    for call in range(1, 5):
        value, pullback = s2s.vjp(controlled, 3.0)
        slope = 6.0 * (call + 0.25 + (0.125 if call > 1 else 0.0))
        assert (value, pullback(1.0)) == (9.0 * call + 2.25 * call, (slope,))
        assert (CONTROLLER.calls, CONTROLLER.last) == (call, 9.0)
    SWITCH["on"] = False
    first, then = s2s.vjp(switched, 3.0), s2s.vjp(switched, 3.0)
    assert [first[0], *first[1](1.0), then[0], *then[1](1.0)] == [9.0, 6.0, 15.0, 5.0]
    SWITCH["on"] = False
    value, pullback = s2s.vjp(switched, 3.0)
    switched(4.0)
    assert pullback(2.0) == (12.0,)


def counted_apart(x):
    COUNTS["sum"] = COUNTS["sum"] * 1.5
    return COUNTS["sum"] * x


def one_apart(x):
    return s2s.checkpoint(lambda w: counted_apart(w))(x)


def another_apart_before(x):
    return s2s.checkpoint(lambda w: w * w)(x) + s2s.checkpoint(lambda w: counted_apart(w))(x)


@pytest.mark.parametrize("f", [one_apart, another_apart_before])
def test_a_store_in_a_function_that_is_transformed_inside_is_refused(f):
    with pytest.raises(UnsupportedError, match="a use of what is stored into outside of the function, in a function that is read apart"):
        s2s.jit(f, target="numpy")(2.0)


class Parent:
    """Counts what was made, for each class."""

    made = 1

    def __init__(self, y):
        self.y = y
        type(self).made += 1


class Child(Parent):
    """Has no count of its own before."""


def counted_in_a_loop(y):
    total = 0.0
    for _ in range(2):
        total += Child(y).y * y + Child.made
    return total


def test_a_class_gets_an_attribute_of_its_own_in_a_loop():
    assert s2s.jit(counted_in_a_loop, target="numpy")(2.0) == 8.0 + 2.0 + 3.0
    assert (Parent.made, Child.made) == (1, 3)
    assert s2s.jit(s2s.grad(counted_in_a_loop), target="numpy")(2.0) == 8.0


LATE: dict[str, Any] = {}
LATER, CHOSEN = None, None


def imported_at_the_first_call(x):
    global LATER, CHOSEN
    if LATER is None:
        from scipy.special import erf as LATER
    if "log" not in LATE:
        LATE["log"] = np.log1p
    if CHOSEN is None:
        CHOSEN = np.float32 if len(x) > 4 else np.float64
    return LATER(x) * LATE["log"](x) * CHOSEN(0.1)


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_functions_of_libraries_are_stored(target: str) -> None:
    global LATER, CHOSEN
    x = np.array([0.3, 0.7])
    run = s2s.jit(imported_at_the_first_call, target=target)
    for _ in range(2):
        LATER, CHOSEN = None, None
        LATE.clear()
        found, again = run(x), run(x)
        assert LATER is scipy.special.erf and LATE == {"log": np.log1p} and CHOSEN is np.float64
        np.testing.assert_allclose(found, imported_at_the_first_call(x), rtol=1e-15)
        np.testing.assert_array_equal(found, again)
    LATER = None
    slope = s2s.grad(s2s.jit(lambda x: imported_at_the_first_call(x).sum(), target=target))(x)
    assert LATER is scipy.special.erf
    np.testing.assert_allclose(slope, 0.1 * (2.0 / np.sqrt(np.pi) * np.exp(-x * x) * np.log1p(x) + scipy.special.erf(x) / (1.0 + x)), rtol=1e-14)


MODE = "plain"


class mode:  # noqa: N801
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        global MODE
        self.before, MODE = MODE, self.name.lower()

    def __exit__(self, *args):
        global MODE
        MODE = "".join([self.before[:2], self.before[2:]])


def in_a_mode(x):
    with mode("Double"):
        scale = 2.0 if MODE == "double" else 1.0
    return scale * x if MODE == "plain" else x * np.nan


def test_a_mode_that_is_set_again_to_what_it_was_is_no_store() -> None:
    x = np.array([0.5, -1.5])
    assert s2s.jit(in_a_mode, target="numpy")(1.5) == 3.0
    np.testing.assert_array_equal(s2s.vmap(in_a_mode)(x), 2.0 * x)
    value, pullback = s2s.vjp(lambda x: s2s.jit(in_a_mode)(x), x)
    np.testing.assert_array_equal(value, 2.0 * x)
    np.testing.assert_array_equal(pullback(np.ones(2))[0], [2.0, 2.0])
    assert MODE == "plain"


def counting(start):
    """Functions that share variables of a call that has ended."""
    count, log, ended = start, np.zeros(3), None

    def up(x):
        nonlocal count, log
        count += 1
        log = log * 0.5 + x
        return x * count

    def several(x):
        nonlocal ended
        total = 0.0
        for k in range(3):
            total += up(x * k)
        if total > 1.0:
            ended = total
        return total + count + seen()[1].sum()

    def seen():
        return count, log, ended

    def again():
        nonlocal count
        count = start

    return up, several, seen, again


@pytest.mark.parametrize("start", [0, 0.5])
def test_variables_of_a_function_around_that_has_been_left(start) -> None:
    def states(wrap):
        up, several, seen, again = counting(start)
        first, second = wrap(up), wrap(several)
        found = []
        for x in np.random.default_rng(5).uniform(0.0, 1.0, 4).tolist():
            found += [first(x), seen(), second(x), seen()]
        again()
        others = counting(start)
        return [*found, first(0.5), seen(), wrap(others[0])(0.25), others[2](), seen()]

    assert not differs(states(lambda f: s2s.jit(f, target="numpy")), states(lambda f: f), "calls")


def test_a_variable_of_a_function_around_is_stored_once_by_a_gradient() -> None:
    up, _, seen, _ = counting(1)
    assert (s2s.grad(s2s.jit(up, target="numpy"))(0.5), seen()[0]) == (2.0, 2)
    with pytest.raises(UnsupportedError, match="a variable of a function around"):
        s2s.vmap(up)(np.ones(2))
