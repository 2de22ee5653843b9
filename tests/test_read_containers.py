"""Reading: containers, objects, hidden inputs and guards, sources of every kind."""
from __future__ import annotations

import builtins
import copy
import dataclasses
import functools
import math
from collections import Counter, defaultdict, deque
from typing import NamedTuple

import numpy as np
import pytest
from fuzz.object_check import differs
from reading import check, staged

import s2s
from s2s.errors import SourceError, UnsupportedError
from s2s.outside import Access
from s2s.transforms.ir.program import Call, walk

RNG = np.random.default_rng(1)
TABLE = RNG.normal(size=4)
RATE = 0.25
COUNT = 3
LAYERS = [RNG.normal(size=(2, 3)), RNG.normal(size=(2, 2))]
CONFIG = {"scale": 2.0, "kind": "tanh", "shift": np.ones(2)}


def vec(n=4):
    return RNG.normal(size=n)


class Point(NamedTuple):
    x: float
    y: float

    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)


@dataclasses.dataclass
class Params:
    w: np.ndarray
    b: float
    kind: str = "linear"

    def apply(self, x):
        return self.w @ x + self.b

    @property
    def size(self):
        return self.w.shape[0]


def guards(program):
    """What static values the program was built on; those on code, types of arrays, what is registered, and Python's and NumPy's own names are left out."""
    plain = [guard for guard in program.guards if guard.access.steps[-1][0] in ("global", "closure", "item", "attribute")]
    return {str(guard.access): guard.value for guard in plain if guard.access.steps[-1][1] not in {"__code__", "__class__", "np", "names", *vars(builtins)}}


def hidden(program):
    return [str(each.access) for each in program.hidden]


# ---- containers -----------------------------------------------------------------------------------------------------------


def test_dict_arguments_and_results():
    def f(params, x):
        h = {name: value * 2 for name, value in params.items()}
        h["x"] = x
        h.update(w=params["w"] + 1)
        return h, {"s": [params["b"] * 2, (x, None)], "text": "a"}

    check(f, {"w": vec(), "b": 2.0}, vec())


def test_local_lists():
    def f(x):
        items = []
        for k in range(3):
            items.append(x * k)
        items[0] = x
        items += [x[:2].sum()]
        items.insert(0, 1.0)
        last = items.pop()
        return items, last, len(items), [a for a in items if not isinstance(a, float)][1:]

    check(f, vec())


def test_list_that_aliases():
    def f(x):
        a = [x, x + 1]
        b = a
        b.append(x * 2)
        a[1][0] = 9.0
        return a, len(b), b[1] is a[1]

    check(f, vec())


def test_list_merged_at_a_branch():
    def f(x, c):
        a = [x, 0.0]
        if c > 0:
            a[1] = 1.5
        else:
            a[0] = x * 2
        return a

    check(f, vec(), 1.0)
    check(f, vec(), -1.0)


def test_list_in_run_time_loop():
    def f(x, n):
        state = [0.0, x]
        for k in range(n):
            state[0] += k
            state[1] = state[1] * 0.5
        return state

    check(f, vec(), 3)


def test_keys_of_the_users_are_no_steps_of_the_readers():
    def f(x, n):
        d = {"value": 5.0, "dim": (2.0, 3.0), "%place": 1.0}
        for i in range(n):
            d["value"] = d["value"] + x[i]
            d["dim"] = (d["dim"][0] * x[i], d["dim"][1] + 1.0)
            d["%place"] = d["%place"] - x[i]
        return d["value"], d["dim"], d["%place"]

    check(f, vec(), 3)
    check(f, vec(), 0)


def test_changes_of_the_callers_containers_are_noted():
    def f(xs):
        xs.append(1.0)
        return xs

    ((change, added),) = staged(f, [1.0, 2.0])[0].changes
    assert (change.steps, change.how, change.key, len(added)) == ((("argument", 0),), "items", 2, 1)

    def g(d):
        d["a"] = 2 * d["a"]
        return d["a"]

    ((change, _),) = staged(g, {"a": 1.0})[0].changes
    assert (change.steps, change.how, change.key) == ((("argument", 0),), "item", "a")


def fill(target, x):
    target.append(x)


def put(target, x):
    target["x"] = x
    return x


def test_helpers_may_change_local_containers():
    def f(x):
        out, named = [], {}
        fill(out, x)
        put(named, x * 2)
        return out, named

    check(f, vec())


def test_namedtuples_and_dataclasses():
    def f(p, q, x):
        moved = p._replace(x=p.x + 1)
        new = Params(q.w * 2, b=q.b + x[0])
        new.b += 1.0
        other = dataclasses.replace(q, b=3.0)
        return moved, moved.norm(), Point(1.0, y=p.y), new, new.apply(x), q.apply(x), q.size, other

    check(f, Point(1.0, 2.0), Params(RNG.normal(size=(3, 4)), 0.5), vec())


def test_tuple_in_loop_and_branch():
    def f(x, n):
        pair = (0.0, x)
        for k in range(n):
            pair = (pair[0] + 1, pair[1] * 2) if k % 2 == 0 else (pair[0], pair[1] + 1)
        return pair

    check(f, vec(), 5)


def test_comprehensions():
    def f(xs, x):
        total = sum(a * b for a, b in zip(xs, xs[1:]))
        grid = np.array([[i * j + x[0] for j in range(3)] for i in range(2)])
        return total, grid, {k: v for k, v in enumerate(xs)}, max(a.sum() for a in xs), any(a[0] > 0 for a in xs)

    check(f, [vec(), vec(), vec()], vec())


def test_builtins():
    def f(x, a, n):
        return (
            abs(a), min(a, 0.5), max(a, x[0], 1.0), round(a), int(a), float(n), sum(x), len(x), divmod(n, 3), pow(a, 2), bool(n),
            sorted([3, 1, 2]), list(reversed([1, 2])), list(range(3)), list(zip([1, 2], (3, 4))), type(n) is int, callable(len),
        )

    check(f, vec(), 1.75, 7)
    check(f, vec(), -0.25, 0)


def test_math():
    def f(a, b):
        return math.sqrt(a), math.exp(b), math.atan2(a, b), math.pi * a, math.floor(a), math.hypot(a, b), math.sqrt(2)

    check(f, 1.75, -0.5)


def _nothing(x):
    return []


def _known(x):
    return {"sizes": [1, 2]}, [3.0]


def test_a_helper_s_containers_that_hold_nothing_of_the_run():
    def f(x):
        found, numbers = _known(x)
        found["sizes"].append(5)
        items = _nothing(x)
        items.append(x[0])
        return [p for p in _nothing(x)], [2 * p for p in _nothing(x[0] > 0)], found, _known(x), numbers[0] * x, len(_nothing(x)), items

    x = np.arange(3.0)
    wanted, found = f(x), s2s.jit(f, target="numpy")(x)
    assert (found[:4], found[5:]) == (wanted[:4], wanted[5:])
    np.testing.assert_array_equal(found[4], wanted[4])


def test_the_quotes_of_f_strings():
    def f(x, name="it's"):
        if x[0] > 1.0:
            raise ValueError(f'{name!r} is not "one" or "two"')
        if x[0] > 0.0:
            raise ValueError(rf"{name}\d{{2}} \n {x[0]:.2f}")
        raise ValueError(f"""{name} "said" '{x[0]}\'""")

    for value in (2.0, 0.5, -1.0):
        with pytest.raises(ValueError, match="it's") as wanted:
            f(np.array([value]))
        with pytest.raises(ValueError, match="it's") as found:
            s2s.jit(f, target="numpy")(np.array([value]))
        assert str(found.value) == str(wanted.value)


def test_print_and_f_strings_of_known_values(capsys):
    def f(x, name="f"):
        print(f"{name}: {x.ndim} axes, {len(LAYERS):03d}", 1 / 3, sep=" | ")
        label = "a" + f"{2.5:.2f}" "b"
        return {label: x}

    check(f, vec())
    assert capsys.readouterr().out.count("f: 1 axes, 002 | 0.3333333333333333\n") == 2


# ---- hidden inputs -----------------------------------------------------------------------------------------------------------


def test_globals():
    def f(x):
        s = 0.0
        for i in range(COUNT):
            s += x[i] * RATE
        return s + TABLE @ x, np.pi

    program = check(f, vec())
    assert hidden(program) == ["RATE", "TABLE"]
    assert guards(program) == {"COUNT": 3}


def scaled(x):
    return x * RATE + TABLE


def test_globals_of_helpers():
    def f(x):
        for _ in range(2):
            x = scaled(x)
        return x + scaled(x) * RATE

    program = check(f, vec())
    assert set(hidden(program)) == {"RATE", "TABLE"}  # the same ones, by whichever function they are reached
    assert guards(program) == {"scaled": scaled}
    assert len({node.function for node in walk(program.function.body) if isinstance(node, Call)}) == 1


def test_hidden_containers():
    def f(x):
        for w in LAYERS:
            x = w @ x
        return x * CONFIG["scale"] + CONFIG["shift"]

    program = check(f, vec(3))
    assert hidden(program) == ["LAYERS[0]", "LAYERS[1]", "CONFIG['scale']", "CONFIG['shift']"]
    assert guards(program)["CONFIG['kind']"] == "tanh"


def test_closures():
    weights, power = vec(), 2

    def f(x):
        return weights @ x**power

    program = check(f, vec())
    assert program.hidden[0].access == Access((("closure", "weights"),))
    assert guards(program) == {"power": 2}


class Model:
    def __init__(self, w):
        self.w, self.rate, self.steps, self.parts = w, 0.5, 2, [w[0], w[1]]

    def step(self, x):
        return x - self.rate * (self.w @ x)

    def loss(self, x, power=2):
        for _ in range(self.steps):
            x = self.step(x)
        return np.sum(x**power) + self.parts[1][0]

    def __call__(self, x):
        return self.loss(x) * 2

    @property
    def scale(self):
        return self.rate * 2

    def scaled(self, x):
        return x * self.scale


def test_methods_and_callable_objects():
    model = Model(RNG.normal(size=(4, 4)))
    program = check(model.loss, vec())
    assert {"__self__.w", "__self__.rate"} <= set(hidden(program))
    assert guards(program)["__self__.steps"] == 2
    check(model, vec())
    check(model.scaled, vec())
    check(lambda x: model.loss(x, power=3), vec())
    check(Model.loss.__get__(model), vec())


def test_store_into_a_hidden_object():
    class Counter:
        n = 0.0

        def add(self, x):
            self.n = self.n + x
            return self.n

    counter = Counter()
    program, _ = staged(counter.add, 1.0)
    assert [(place.owner, place.key) for place, _ in program.stores] == [(counter, "n")]


# ---- sources ----------------------------------------------------------------------------------------------------------------


def test_partials():
    def f(a, x, y=1.0, z=2.0):
        return a * x + y * z

    program = check(functools.partial(f, vec(), z=3.0), vec())
    assert hidden(program) == ["args[0]", "keywords['z']"]
    check(functools.partial(functools.partial(f, 2.0), y=vec()), vec())


PAIR = (lambda x: x + 1, lambda x: x * 2); NESTED = lambda x: (lambda y: y * 3)(x) + 1  # noqa: E702, E731


def test_lambdas_on_one_line():
    check(PAIR[0], 1.0)
    check(PAIR[1], 3.0)
    check(NESTED, 2.0)
    for k, g in enumerate([lambda x: x - 1, lambda x: x / 2, lambda x, y=4.0: x**y]):
        check(g, 3.0 + k)


def decorate(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2

    return wrapper


@decorate
def decorated(x, k=2.0):
    """Decorated."""
    return x**k


def test_decorated_functions():
    check(decorated, 3.0)
    check(lambda x: decorated(x, k=3.0), 3.0)


def test_defaults_and_keywords():
    def f(x, /, y=2.0, *rest, k, scale=RATE, **more):
        return x * y + k * scale + sum(rest) + more.get("z", 0.0)

    check(f, 1.0, 2.0, 3.0, 4.0, k=5.0, z=6.0)
    check(f, 1.0, k=2.0)
    program, _ = staged(f, 1.0, 2.0, 3.0, k=5.0, z=1.0)
    assert [(each.name, each.kind) for each in program.parameters] == [
        ("x", "positional"), ("y", "positional"), ("rest_0", "star"), ("k", "keyword"), ("z", "starstar"),
    ]


def test_functions_without_source():
    with pytest.raises(SourceError, match="no Python source"):
        staged(len, vec())
    namespace: dict = {}
    exec("def g(x):\n    return x", namespace)  # noqa: S102
    with pytest.raises(SourceError, match="can't be found"):
        staged(namespace["g"], vec())


def test_locations_are_absolute():
    def f(x):
        y = x + 1
        return np.asmatrix(y)

    with pytest.raises(UnsupportedError) as caught:
        staged(f, RNG.normal(size=(2, 2)))
    where = caught.value.where
    assert where.file == __file__
    assert where.line == f.__code__.co_firstlineno + 2
    assert where.text() == "return np.asmatrix(y)"
    program, _ = staged(lambda x: x * 2, 1.0)
    (node,) = program.function.body.nodes
    assert node.where.line == test_locations_are_absolute.__code__.co_firstlineno + 11
    assert node.where.text()[node.where.column - 4 :].startswith("x * 2")


def test_names_are_the_users():
    def f(x):
        scaled_x = x * 2
        total = 0.0
        for k in range(len(x)):
            total += scaled_x[k]
        return total

    program = check(f, vec())
    names = {out.name for node in walk(program.function.body) for out in node.outs}
    assert {"scaled_x", "total"} <= names


# ---- lists of run-time length --------------------------------------------------------------------------------------------------


def test_lists_that_grow():
    def f(x, limit):
        values = []
        for v in x:
            values.append(v * 2)
            if v > limit:
                values.append(v)
        return np.array(values), len(values), values[-1], values[0]

    check(f, vec(30), 0.1)
    check(f, vec(3), 0.1)
    check(f, vec(3), 100.0)

    def g(a, n):
        xs = [a]
        while xs[-1] > 0.1:
            xs.append(xs[-1] * 0.5)
            if len(xs) > n:
                break
        s = 0.0
        for v in xs:
            s += v
        xs.pop()
        return s, sum(xs), len(xs)

    check(g, 5.0, 100)
    check(g, 5.0, 3)


def test_lists_of_arrays_that_grow():
    def f(A, n):
        rows, x = [], A[0] * 1.0
        for _ in range(n):
            x = x * 0.5 + A[0]
            rows.append(x)
        return np.array(rows), np.stack(rows), np.concatenate(rows), rows[1]

    check(f, RNG.normal(size=(3, 4)), 11)

    def changed_later(A, n):
        rows, x = [], A[0] * 1.0
        for _ in range(n):
            x += A[0]
            rows.append(x)
        return np.array(rows)

    with pytest.raises(UnsupportedError, match="may or may not"):
        staged(changed_later, RNG.normal(size=(3, 4)), 11)


def test_comprehensions_of_run_time_length():
    def f(x, n):
        y = np.array([v * 2 + i for i, v in enumerate(x)])
        z = [x[i] * x[n - i] for i in range(n)]
        return y, sum(z), max(z), sum(v * v for v in x), np.array([v for v in x if v > 0]), len([1.0 for v in x if v > 0])

    check(f, vec(6), 3)

    def g(x, n):
        return np.array([[np.sin(x[i] * j) for j in range(n)] for i in range(len(x))]), np.array([(v, v * v) for v in x])

    check(g, vec(6), 3)

    def h(x, x32):
        return sum(0.5 * i for i in range(len(x))) * x32

    check(h, vec(6), np.float32(2))


@pytest.mark.parametrize("x", [-2.0, 0.5, 1.5, 7.0])
def test_items_that_fail_where_a_condition_keeps_them_out(x):
    def f(x, v):
        inverses = [1.0 / k for k in (1, 0, 2) if k != 0 or x > 90]
        picked = [v[k] for k in (0, 1, 5) if x > k and k < 5]
        roots = [math.sqrt(k) for k in (4.0, -1.0) if x + 50 > k * -90]
        named = sum(({"a": 1.0}[key] for key in "ab" if key == "a" or x > 90), 0.0)
        pairs = [1.0 / (j - k) for k in (1, 2) if x > k for j in (1, 2, 3) if j != k or x > 90]
        return inverses[0], len(picked), len(roots), named, sum(pairs, 0.0)

    check(f, x, [1.0, 2.0])


@pytest.mark.parametrize("n", [0, 3])
def test_an_item_that_always_fails_of_a_comprehension_of_run_time_length(n):
    def f(n, x):
        return len([1 / 0 for _ in range(n) if x > 5]), [{"a": 1}["b"] for _ in range(n) if x > 5]

    check(f, n, 1.0)

    def g(n):
        return [[1.0, 2.0][int("5")] for _ in range(n)]

    if n == 0:
        check(g, n)
    else:
        with pytest.raises(IndexError, match="list index out of range"):
            s2s.jit(g, target="numpy")(n)


def grads(p, x, y):
    e = x @ p["w"] + p["b"] - y
    return {"w": x.T @ e, "b": e.sum()}


def test_training_loops_rebind_containers():
    def train(p, x, y, n):
        for _ in range(n):
            g = grads(p, x, y)
            p = {k: p[k] - 0.01 * g[k] for k in p}
        return p

    check(train, {"w": vec(3), "b": 0.5}, RNG.normal(size=(4, 3)), vec(4), 5)

    def shrink(layers, n):
        for _ in range(n):
            layers = [(w * 0.5, b - w.sum()) for w, b in layers]
            if layers[0][1][0] < -100:
                break
        return layers

    check(shrink, [(vec(3), vec(3)), (vec(2), vec(2))], 4)


def test_what_a_comprehension_goes_over_is_evaluated_once():
    def added(b):
        b[1:] += b[:-1]
        return b, b * 2

    def f(b):
        first = [np.sum(each) for each in added(b)]
        second = sum(np.sum(x) * np.sum(y) for x, y in zip(added(b), added(b)))
        return first, second, {n: np.sum(each) for n, each in enumerate(added(b))}, max([np.sum(v) for _ in range(2) for v in added(b)])

    check(f, np.arange(4.0) ** 2 + 1)


STORED_FIRST_IN_A_LOOP = np.zeros(3)


def test_a_global_array_that_a_loop_is_the_first_to_store_into_beside_a_list():
    def f(x, n):
        seen = [x]
        k = 0
        while k < n:
            STORED_FIRST_IN_A_LOOP[:] = x * k
            seen[0] = seen[0] + STORED_FIRST_IN_A_LOOP
            k += 1
        return seen[0]

    x = np.array([0.5, -1.0, 2.0])
    wanted, buffer = f(x, 4), STORED_FIRST_IN_A_LOOP.copy()
    STORED_FIRST_IN_A_LOOP[:] = 0.0
    np.testing.assert_array_equal(s2s.jit(f, target="numpy")(x, 4), wanted)
    np.testing.assert_array_equal(STORED_FIRST_IN_A_LOOP, buffer)


def test_sorted_refuses_nan_at_run_time():
    """Where Python puts nan goes by its comparisons: no number is given for it."""
    def in_place(x):
        items = [v * 1.0 for v in x]
        items.sort()
        return items

    for function in (sorted, in_place):
        run = s2s.jit(lambda x, function=function: function(x), target="numpy")
        assert run(np.array([2.0, 1.0])) == [1.0, 2.0]
        with pytest.raises(NotImplementedError, match="among which is nan"):
            run(np.array([2.0, np.nan]))


def test_attributes_of_containers_that_are_no_methods():
    def rings(x, n):
        ring, full = deque(maxlen=3), 0
        known = deque([1.0, x], 2)
        for k in range(n):
            full += len(ring) == ring.maxlen
            ring.append(x * k)
        return full, len(ring), len(known) == known.maxlen, deque().maxlen is None

    check(rings, 0.5, 5)

    def classes(x):
        groups = defaultdict(list)
        groups["a"].append(x)
        return type(groups) is defaultdict, groups.__class__ is defaultdict, [x].__class__ is list, (x,).__class__ is tuple, isinstance(groups, dict)

    check(classes, 0.5)

    def parts(x):
        point, steps = Point(x, 2.0), range(1, 9, 2)
        return point._fields == ("x", "y"), len(point._fields), steps.start * x, steps.step == 2, [getattr(point, name) for name in point._fields]

    check(parts, 0.5)

    with pytest.raises(UnsupportedError, match=r"the attribute \.default_factory of a dict"):
        staged(lambda x: defaultdict(list).default_factory is list, 0.5)


def test_reversed_asks_the_class():
    class Both:
        def __init__(self, x):
            self.x = x

        def __iter__(self):
            return iter([self.x, 1.0])

        def __reversed__(self):
            return iter([3.0, self.x, 5.0])

    def f(x):
        return list(reversed(Both(x))), [2 * item for item in reversed(Both(x))], list(Both(x))

    check(f, 0.5)
    check(lambda x: (max(Both(x)), min(Both(x)), sum(Both(x)), any(Both(0.0 * x)), all(Both(0.0 * x)), sorted(Both(x))), 0.5)
    for made in (lambda x: zip([x], [1.0], strict=False), lambda x: iter([x]), lambda x: {1.0, 2.0}, lambda x: map(abs, [x])):
        with pytest.raises(TypeError, match="is not reversible"):
            staged(lambda x, made=made: list(reversed(made(x))), 0.5)


class Halves:
    def __init__(self, u):
        self.u, self.begun = u, 0

    def __iter__(self):
        self.begun += 1
        for _ in range(3):
            self.u = self.u * 0.5
            yield self.u


@pytest.mark.parametrize("use", [
    lambda o: sum(o), lambda o: max(o), lambda o: min(o), lambda o: any(o), lambda o: all(o), lambda o: sum(o, 5.0), lambda o: max(o, default=1.0), lambda o: min(o, key=lambda v: -v),
    lambda o: sorted(o), lambda o: list(o), lambda o: tuple(o), lambda o: [v for v in o], lambda o: [v * 2 for v in o if v > 0.1], lambda o: sum(v for v in o), lambda o: list(zip(o, [1, 2])),
    lambda o: dict(enumerate(o)), lambda o: {k: v for k, v in enumerate(o)}, lambda o: {str(1): v for v in o}, lambda o: [*o], lambda o: 0.25 in o, lambda o: max(*o), lambda o: list(map(abs, o)),
])  # fmt: skip
def test_an_object_is_gone_through_once(use):
    """What its __iter__ changes, it changes once."""

    def program(y):
        halves = Halves(y)
        return use(halves), halves.begun, halves.u

    try:
        found = s2s.jit(program, target="numpy")(0.7)
    except UnsupportedError:
        return
    assert not differs(found, program(0.7), "result")


def kinds_told(items):
    return isinstance(items, list), isinstance(items, deque), items[0] * 2.0


def two_of(y):
    return deque([y, 1.0], maxlen=2)


def greatest(items):
    return items.maxlen, len(items), items[-1]


def turned(items):
    items.rotate(1)


class Held:
    """Holds the last two numbers."""

    def __init__(self, y):
        self.last = deque([y], maxlen=2)


def held_of(y):
    return Held(y)


def told_apart_in_a_helper(y):
    return kinds_told(deque([y, 1.0])), kinds_told([y, 1.0]), greatest(two_of(y)), greatest(deque([y], maxlen=3))


def returned_by_a_helper(y):
    made, held = two_of(y), held_of(y).last
    made.append(5.0)
    made.appendleft(7.0)
    held.extend([1.0, 3.0])
    turned(held)
    return list(made), made.maxlen, list(held)


def copied_and_joined(y):
    made = copy.deepcopy(two_of(y))
    made += [4.0]
    return list(made), list(two_of(y) + deque([1.0, 2.0])), list(deque([y, 1.0], maxlen=3) * 2), list(made.copy())


def copied_in_a_loop(y):
    made = deque([y], maxlen=2)
    for k in range(int(y)):
        made.append(k * y)
    other = made.copy()
    other.append(9.0)
    return list(made), list(other), other.maxlen


@pytest.mark.parametrize("f", [told_apart_in_a_helper, returned_by_a_helper, copied_and_joined, copied_in_a_loop])
def test_a_deque_stays_one_of_its_greatest_length(f):
    assert s2s.jit(f, target="numpy")(3.0) == f(3.0)


def test_a_deque_and_a_list_are_not_joined():
    with pytest.raises(TypeError, match="can only concatenate deque"):
        s2s.jit(lambda y: deque([y]) + [1.0], target="numpy")(2.0)


class Failed(ValueError):
    """Says more than what it was made with."""

    def __init__(self, code, extra=0.0):
        super().__init__("failed", code, extra)


def arguments_of_what_is_caught(y, n):
    try:
        raise Failed(n, y)  # noqa: TRY301
    except Failed as error:
        return error.args


class Cached:
    """Computes something once."""

    def __init__(self, y):
        self.y = y

    @functools.cached_property
    def double(self):
        return 2.0 * self.y


def double_of(cached):
    return cached.double + 1.0


def cached_by_a_helper(y, n):
    cached = Cached(y)
    first = double_of(cached)
    cached.y = 100.0 * n
    return first, cached.double


@pytest.mark.parametrize("f", [arguments_of_what_is_caught, cached_by_a_helper])
def test_what_a_call_leaves_in_an_object_is_there_behind_it(f):
    assert s2s.jit(f, target="numpy")(1.5, 3) == f(1.5, 3)


def grows_and_doubles(items, y):
    if y > 1.0:
        items.append(y + 1.0)
        items *= 2
    return len(items)


def loses_one(items, k):
    items.add(k)
    items -= {1}
    items ^= {k + 1}
    items &= {0, 2, 3, 4, 5}


def lists_doubled(y, n):
    items, others = [y, 1.0], [y] * n
    grows_and_doubles(items, y)
    grows_and_doubles(items, y)
    same = others
    same *= 2
    return items, others, same is others


def sets_changed(y, n):
    items = {n, 2}
    for k in range(n):
        loses_one(items, k)
    same = items
    same |= {9}
    return sorted(items)


def counters_forget(y, n):
    known, counted = Counter("aab"), Counter([n, 2])
    del known["zz"], known["b"], counted[99], counted[2]
    return len(known), len(counted)


@pytest.mark.parametrize("f", [lists_doubled, sets_changed, counters_forget])
def test_operators_that_change_a_container_change_it_for_all_that_hold_it(f):
    for y, n in ((1.5, 3), (0.5, 0)):
        assert s2s.jit(f, target="numpy")(y, n) == f(y, n)
