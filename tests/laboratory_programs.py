# ruff: noqa: B006, B007, B008, B023, B905, E701, E702, E731, E741, E702, E703, PIE800, PIE804, PLE0643, TRY301, ARG001, D, FURB, PERF, PLR, PLW, RUF, SIM, UP, C4, I, B, S
"""Programs of a laboratory that lean on Python's objects: each is f(x, y, n) of five numbers in an array, a float and a small int, and may change what stands
outside, so that the next call gives another number.
"""
import abc
import collections
import copy
import enum
import functools
import heapq
import itertools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

# ---- defaults, class attributes, globals that change between calls ------------------------------------------------------

def _remember(value, history=[1.0]):
    history.append(value)
    return sum(history)

def mutable_default(x, y, n):
    return _remember(float(y) * 2.0) + x[0]

def mutable_default_array(x, y, n, total=np.zeros(5)):
    total += x * y
    return np.sum(total * total)

class Spring:
    k = 2.0
    made = 0
    def __init__(self, rest):
        self.rest = rest
        Spring.made += 1
    def force(self, at):
        return -self.k * (at - self.rest)

def class_attribute_counts(x, y, n):
    springs = [Spring(y * i) for i in range(3)]
    return sum(s.force(v) for s, v in zip(springs, x)) + Spring.made

def class_attribute_shadowed(x, y, n):
    a, b = Spring(0.5), Spring(1.5)
    a.k = y
    Spring.k = Spring.k + 1.0
    return a.force(x[0]) * b.force(x[1])

GAINS = {"p": 1.0, "i": 0.1, "log": []}

def gains_that_adapt(x, y, n):
    error = y - x.mean()
    GAINS["i"] *= 1.5
    GAINS["p"] = GAINS["p"] + 0.25
    return GAINS["p"] * error + GAINS["i"] * error * error

def scale_by(v, factor): return v * factor
def shift_by(v, factor): return v + factor
MODEL = scale_by

def model_that_is_replaced(x, y, n):
    global MODEL
    result = MODEL(x.sum(), y)
    MODEL = shift_by if MODEL is scale_by else scale_by
    return result

CALLS = 0

def every_second_call(x, y, n):
    global CALLS
    CALLS += 1
    return y * x.sum() if CALLS % 2 else y - x.sum()

# ---- methods and functions that are kept ---------------------------------------------------------------------------------

class Sensor:
    def __init__(self, gain, offset): self.gain, self.offset = gain, offset
    def raw(self, v): return v * self.gain
    def calibrated(self, v): return self.raw(v) + self.offset

def bound_methods_in_a_dict(x, y, n):
    sensor = Sensor(y, 0.5)
    read = {"raw": sensor.raw, "cal": sensor.calibrated}
    sensor.gain *= 2.0
    return sum(read["cal" if i % 2 else "raw"](v) for i, v in enumerate(x))

def method_by_name(x, y, n):
    sensor = Sensor(y, 1.0)
    total = 0.0
    for name in ("raw", "calibrated"):
        total += getattr(sensor, name)(x[n])
    for attribute, value in zip(("gain", "offset"), x):
        setattr(sensor, attribute, getattr(sensor, attribute) + value)
    return total * sensor.gain + sensor.offset

def observers(x, y, n):
    seen = {"sum": 0.0, "peak": -math.inf}
    def add(v): seen["sum"] += v * y
    def peak(v): seen["peak"] = max(seen["peak"], v)
    callbacks = [add, peak]
    for i, v in enumerate(x):
        if i == 3: callbacks.remove(peak)
        for callback in callbacks: callback(v)
    return seen["sum"] + 3.0 * seen["peak"]

RATES = {}

def rate(name):
    def register(fun):
        RATES[name] = fun
        return fun
    return register

@rate("arrhenius")
def _arrhenius(t, y): return np.exp(-y / (1.0 + t * t))

@rate("linear")
def _linear(t, y): return 1.0 + y * t

def registry_by_decorator(x, y, n):
    return sum(RATES[name](x[k], y) for k, name in enumerate(sorted(RATES)))

def late_and_early_binding(x, y, n):
    late = [lambda v: v * k for k in range(3)]
    early = [lambda v, k=k: v * k for k in range(3)]
    return sum(f(x[0]) for f in late) + y * sum(f(x[1]) for f in early)

def counter_with_nonlocal_array(x, y, n):
    state, steps = x.copy(), 0
    def advance(dt):
        nonlocal state, steps
        state = state + dt * np.roll(state, 1)
        state[steps % len(state)] *= 0.5
        steps += 1
        return state
    first = advance(0.1 * y)
    while steps < n + 2: advance(0.05)
    return np.sum(first * first) + state[-1] * steps

# ---- evaluation order, walrus, comparisons in chains ---------------------------------------------------------------------

def chained_with_effects(x, y, n):
    taken = []
    def take(v):
        taken.append(v)
        return v
    inside = 0
    for v in x:
        if -1.0 < take(v) < take(y) < 10.0: inside += 1
    return inside * y + sum(taken)

def short_circuits(x, y, n):
    asked = []
    def positive(v):
        asked.append(v * v)
        return v > 0
    ok = any(positive(v) for v in x) and all(positive(v) for v in x[:2])
    return sum(asked) + (y if ok else -y)

def walrus_in_comprehension(x, y, n):
    kept = [root for v in x if (root := np.tanh(v) * y) > -0.5]
    if (count := len(kept)) > 2 and (last := kept[-1]) > 0: return last * count
    return sum(kept) + count

def walrus_that_the_next_item_uses(x, y, n):
    previous = y
    steps = [v - previous for v in x if (previous := v + previous) > -9.0]
    return sum(steps) + previous

def walrus_of_an_array(x, y, n):
    state = np.zeros(5)
    energies = [np.sum(state := state + v * x) for v in x]
    return energies[-1] * y + state[1]

def walrus_before_any_item(x, y, n):
    kept = [(best := v) for v in x if v > 0.0]
    return best * len(kept) + y

def running_walrus(x, y, n):
    total = 0.0
    partial = [total := total * y + v for v in x]
    return partial[-1] * partial[n]

def order_of_evaluation(x, y, n):
    trace = []
    def t(i, v):
        trace.append(i)
        return v
    value = t(0, x[0]) + t(1, y) * t(2, x[1]) ** t(3, 2)
    table = {t(4, "a"): t(5, y), t(6, "b"): t(7, x[2])}
    i = 0
    a = [10.0, 20.0, 30.0]
    i, a[i] = 1, y
    return value * table["b"] + a[0] + a[1] + sum(k * v for k, v in enumerate(trace))

# ---- slices, items, stars ------------------------------------------------------------------------------------------------

def blocks_by_slices(x, y, n):
    blocks = {"position": slice(0, 2), "velocity": slice(2, 4), "mass": slice(4, None)}
    state = x.copy()
    state[blocks["position"]] += y * state[blocks["velocity"]]
    stride = slice(None, None, 2)
    state[stride] *= 2.0
    start, stop, step = stride.indices(len(state))
    return np.sum(state[blocks["mass"]]) * (start + stop + step) + state[blocks["position"]] @ state[blocks["velocity"]]

def slices_at_run_time(x, y, n):
    window = slice(n, n + 2)
    tail = np.s_[n:]
    return np.sum(x[window]) * y + np.prod(x[tail])

def deleted_items(x, y, n):
    parameters = {"a": x[0], "b": x[1], "c": y, "d": x[2]}
    del parameters["b"]
    order = list(parameters)
    del order[0]
    stack = [v * y for v in x]
    del stack[1:3], stack[-1]
    return sum(parameters[k] * i for i, k in enumerate(order, 1)) + stack[0] * stack[1] + parameters.pop("zz", 4.0)

def stars(x, y, n):
    first, *middle, last = x
    head, *_ = [*middle, y]
    def f(a, /, b, *rest, scale=1.0, **more): return a * b + scale * sum(rest) + sum(more.values())
    return f(*x[:2], *middle, scale=y, **{"u": head, "v": last}) + first

def slice_assignment_of_lists(x, y, n):
    a = [x[0], x[1], x[2]]
    b = a
    a[1:2] = [y, y * y]
    a += [x[3]]
    a.insert(1, x[4])
    c = a[::-1]
    a *= 2
    return sum(i * v for i, v in enumerate(b)) + c[0] * len(b) + b.index(y)

def rows_that_are_one_list(x, y, n):
    grid = [[0.0] * 3] * 2
    grid[0][1] = x[0] * y
    own = [[0.0] * 3 for _ in range(2)]
    own[0][1] = x[1]
    return grid[1][1] + own[1][1] + sum(map(sum, grid)) * sum(map(sum, own))

# ---- exceptions as control flow ------------------------------------------------------------------------------------------

class Found(Exception):
    def __init__(self, where, value):
        super().__init__(where)
        self.where, self.value = where, value

def found_by_exception(x, y, n):
    try:
        for i in range(len(x)):
            for j in range(i):
                if x[i] > x[j] + y: raise Found(i * 5 + j, x[i] * x[j])
    except Found as found:
        return found.value * found.where
    return y

class Unstable(ArithmeticError): pass

def retry_with_smaller_steps(x, y, n):
    def integrate(h):
        u = x[0]
        for _ in range(4):
            u = u + h * (y - u * u * u)
            if abs(u) > 3.0: raise Unstable
        return u
    h = 1.0
    for attempt in range(6):
        try:
            result = integrate(h)
        except Unstable:
            h *= 0.5
            continue
        else:
            break
        finally:
            h += 1e-3
    else:
        return h
    return result * h + attempt

def key_error_is_a_default(x, y, n):
    known = {0: x[0], 2: y}
    total = 0.0
    for k in range(4):
        try: total += known[k]
        except KeyError as missing:
            known[k] = total * 0.5
            total -= missing.args[0]
    return total + sum(known.values())

def arguments_of_what_was_caught(x, y, n):
    total = 0.0
    for failing in (lambda: {1: y}.pop(3), lambda: {(1, 2): y}[2, 1], lambda: {1, 2}.remove(7), lambda: [1.0][4], lambda: 1 / 0):
        try: failing()
        except KeyError as error: total += y * (error.args[0] if isinstance(error.args[0], int) else error.args[0][0])
        except (IndexError, ZeroDivisionError) as error: total += len(str(error)) + len(error.args)
    try: a, b = [x[0], x[1], y]
    except ValueError as error: total += len(str(error))
    return total + x[0]

def stop_iteration(x, y, n):
    class_of = iter([1.0, 2.0, 3.0])
    total, taken = 0.0, 0
    while True:
        try: weight = next(class_of)
        except StopIteration: break
        total += weight * x[taken]
        taken += 1
    return total * y + next(class_of, -1.0)

# ---- properties, descriptors, items of objects ---------------------------------------------------------------------------

class Tank:
    def __init__(self, level): self._level, self.spilled = level, 0.0
    @property
    def level(self): return self._level
    @level.setter
    def level(self, value):
        if value > 2.0:
            self.spilled += value - 2.0
            value = 2.0
        self._level = value

def tank_with_a_setter(x, y, n):
    tank = Tank(y)
    for inflow in x:
        tank.level += inflow
        tank.level *= 0.9
    return tank.level + 10.0 * tank.spilled

class Positive:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, obj, owner=None): return self if obj is None else getattr(obj, self.name)
    def __set__(self, obj, value):
        if value < 0: raise ValueError(f"{self.name[1:]} must not be negative")
        setattr(obj, self.name, value)

class Pipe:
    length = Positive()
    width = Positive()
    def __init__(self, length, width): self.length, self.width = length, width

def descriptors_that_check(x, y, n):
    try: pipe = Pipe(x[0], y)
    except ValueError: pipe = Pipe(1.0, y * y)
    return pipe.length * pipe.width ** 2

class Field2D:
    def __init__(self, values): self.values = values
    def __getitem__(self, key):
        if isinstance(key, tuple):
            i, j = key
            return self.values[i % 2, j] if isinstance(j, slice) else self.values[i % 2, j % 2]
        return self.values[key]
    def __setitem__(self, key, value): self.values[key] = value
    def __len__(self): return len(self.values)
    def __iter__(self): return iter(self.values.ravel())
    def __contains__(self, v): return bool(np.any(self.values == v))

def items_by_tuples(x, y, n):
    field = Field2D(x[:4].reshape(2, 2).copy())
    field[0, 1] = y
    field[1] += 1.0
    return field[3, 5] + np.sum(field[-1, :]) + sum(field) + (1.0 if y in field else 2.0) * len(field)

class Lazy:
    def __init__(self, x): self.x, self.computed = x, 0
    @functools.cached_property
    def norm(self):
        self.computed += 1
        return np.sqrt(np.sum(self.x ** 2) + 1.0)
    def __getattr__(self, name):
        if name.startswith("x"): return self.x[int(name[1:])]
        raise AttributeError(name)

def cached_property_and_getattr(x, y, n):
    lazy = Lazy(x)
    return lazy.norm * y + lazy.norm + lazy.x2 * lazy.computed

# ---- operators of user classes -------------------------------------------------------------------------------------------

@functools.total_ordering
class Quantity:
    __slots__ = ("value", "unit")
    def __init__(self, value, unit=()): self.value, self.unit = value, tuple(sorted(unit))
    def __mul__(self, other):
        if isinstance(other, Quantity): return Quantity(self.value * other.value, self.unit + other.unit)
        return Quantity(self.value * other, self.unit)
    __rmul__ = __mul__
    def __add__(self, other):
        if self.unit != other.unit: raise TypeError("units differ")
        return Quantity(self.value + other.value, self.unit)
    def __eq__(self, other): return self.unit == other.unit and self.value == other.value
    def __lt__(self, other): return self.value < other.value
    def __hash__(self): return hash(self.unit)

def units(x, y, n):
    force = 2.0 * Quantity(x[0], ["kg"]) * Quantity(y, ["m"])
    other = Quantity(x[1], ["m"]) * Quantity(1.5, ["kg"])
    total = force + other
    try: wrong = total + Quantity(1.0, ["s"])
    except TypeError: wrong = Quantity(0.25)
    return total.value + wrong.value + (1.0 if force >= other else 0.0) + len(total.unit)

@dataclass(frozen=True)
class Dual:
    re: float
    du: float = 0.0
    def __add__(self, o): return Dual(self.re + o.re, self.du + o.du) if isinstance(o, Dual) else Dual(self.re + o, self.du)
    __radd__ = __add__
    def __mul__(self, o): return Dual(self.re * o.re, self.re * o.du + self.du * o.re) if isinstance(o, Dual) else Dual(self.re * o, self.du * o)
    __rmul__ = __mul__
    def __pow__(self, k): return functools.reduce(operator.mul, [self] * k, Dual(1.0))

def dual_numbers_of_the_users(x, y, n):
    v = Dual(x[0], 1.0)
    p = 3.0 * v ** 3 + x[1] * v + y
    return p.re + 2.0 * p.du

class Polynomial:
    def __init__(self, *coefficients): self.c = list(coefficients)
    def __call__(self, t): return functools.reduce(lambda a, c: a * t + c, reversed(self.c), 0.0)
    def __bool__(self): return any(c != 0 for c in self.c)
    def derivative(self): return Polynomial(*[k * c for k, c in enumerate(self.c)][1:])
    def __matmul__(self, other):
        out = Polynomial(*[0.0] * (len(self.c) + len(other.c) - 1))
        for (i, a), (j, b) in itertools.product(enumerate(self.c), enumerate(other.c)): out.c[i + j] += a * b
        return out

def polynomials(x, y, n):
    p, q = Polynomial(*x[:3]), Polynomial(y, 1.0)
    r = p @ q
    while r and len(r.c) > 2: r = r.derivative()
    return (p @ q)(y) + r(0.5)

class Interval(NamedTuple):
    lo: float
    hi: float
    def __and__(self, other): return Interval(max(self.lo, other.lo), min(self.hi, other.hi))
    def __or__(self, other): return self._replace(lo=min(self.lo, other.lo), hi=max(self.hi, other.hi))
    @property
    def width(self): return self.hi - self.lo

def intervals(x, y, n):
    a = functools.reduce(operator.or_, (Interval(v - 0.5, v + 0.5) for v in x))
    b = a & Interval(-y, y)
    return a.width * b.width + (b < a) + (b.lo, 1.0)[0]

# ---- containers ----------------------------------------------------------------------------------------------------------

class Phase(enum.Enum):
    SOLID = 0.5
    LIQUID = 1.0
    GAS = 2.0
    @property
    def warmer(self):
        members = list(Phase)
        return members[min(members.index(self) + 1, 2)]

TRANSITIONS = {(Phase.SOLID, True): Phase.LIQUID, (Phase.LIQUID, True): Phase.GAS, (Phase.LIQUID, False): Phase.SOLID, (Phase.GAS, False): Phase.LIQUID}

def phases_by_a_table(x, y, n):
    phase, heat = Phase.SOLID, 0.0
    visits = collections.Counter()
    for v in x:
        phase = TRANSITIONS.get((phase, bool(v > 0)), phase)
        heat += phase.value * v * y
    for p in (Phase.SOLID, phase.warmer if n > 9 else Phase.GAS): visits[p] += 1
    return heat + visits[Phase.SOLID] + phase.value

def groups(x, y, n):
    bins = collections.defaultdict(list)
    for k, v in enumerate(x): bins[k % 3].append(v * y)
    merged = {**{0: [1.0]}, **bins} | {9: [y]}
    by_size = sorted(merged.items(), key=lambda kv: (-len(kv[1]), kv[0]))
    return sum(w * sum(vs) for w, (_, vs) in enumerate(by_size, 1)) + by_size[-1][0]

@dataclass(order=True)
class Job:
    priority: int
    cost: float = field(compare=False)
    needs: list = field(default_factory=list, compare=False)

def jobs_in_order(x, y, n):
    jobs = [Job(k * 7 % 5, v) for k, v in enumerate(x)]
    jobs[2].needs.append(jobs[0])
    jobs[3].needs.extend(jobs[1:3])
    done, total = [], 0.0
    while jobs:
        job = min(jobs)
        jobs.remove(job)
        done.append(job.priority)
        total = total * 0.5 + job.cost * y + sum(j.cost for j in job.needs)
    return total + done[0] * 10 + done[-1]

def events_in_a_heap(x, y, n):
    queue = [(3, "heat"), (1, "fill"), (2, "stir")]
    heapq.heapify(queue)
    level, temperature = y, 1.0
    while queue:
        time, what = heapq.heappop(queue)
        if what == "fill":
            level += x[time]
            heapq.heappush(queue, (4, "drain"))
        elif what == "heat": temperature *= 1.0 + x[time] ** 2
        elif what == "drain": level *= 0.5
        else: temperature += 0.1 * level
    return level * temperature

def moving_window(x, y, n):
    window = collections.deque(maxlen=3)
    out = 0.0
    for v in x:
        window.append(v * y)
        window[0] *= 0.5
        out += sum(window) / len(window)
    window.rotate(1)
    return out + window[0] - window.popleft() + window[-1]

def sorted_by_keys(x, y, n):
    samples = [(name, v) for name, v in zip("cabba", x)]
    by_name = sorted(samples, key=operator.itemgetter(0))
    grouped = {k: [v for _, v in g] for k, g in itertools.groupby(by_name, key=lambda s: s[0])}
    largest = max(samples, key=lambda s: s[1] * y)
    return sum(sum(v) * (i + 1) for i, v in enumerate(grouped.values())) + largest[1]

def comparison_by_function(x, y, n):
    def compare(a, b): return (a[1] % 3 > b[1] % 3) - (a[1] % 3 < b[1] % 3)
    order = sorted([(v, k) for k, v in enumerate(x)], key=functools.cmp_to_key(compare))
    return sum(w * v for w, (v, _) in enumerate(order)) * y

def table_by_run_time_key(x, y, n):
    conductivity = {"low": 0.5, "high": 2.0}
    material = {0: "low", 1: "high", 2: "low"}
    faces = [conductivity[material[(n + k) % 3]] for k in range(4)]
    sign = {True: 1.0, False: -1.0}
    return sum(c * (x[k + 1] - x[k]) for k, c in enumerate(faces)) * sign[y > 0] + y

def visited_sets(x, y, n):
    edges = {0: [1, 2], 1: [3], 2: [3, 0], 3: [4], 4: []}
    seen, order, stack = set(), [], [0]
    while stack:
        node = stack.pop()
        if node in seen: continue
        seen.add(node)
        order.append(node)
        stack += [m for m in edges[node] if m not in seen]
    return sum(x[node] * y ** k for k, node in enumerate(order)) + len(seen - {0, 7})

# ---- trees and identity --------------------------------------------------------------------------------------------------

class Node:
    __slots__ = ("value", "left", "right")
    def __init__(self, value, left=None, right=None): self.value, self.left, self.right = value, left, right

def _grow(values):
    if not len(values): return None
    mid = len(values) // 2
    return Node(values[mid], _grow(values[:mid]), _grow(values[mid + 1:]))

def _weigh(node, depth, y):
    return 0.0 if node is None else node.value * y ** depth + _weigh(node.left, depth + 1, y) - _weigh(node.right, depth + 1, y)

def tree_of_nodes(x, y, n):
    tree = _grow(list(x))
    tree.left.value, tree.right.value = tree.right.value, tree.left.value
    return _weigh(tree, 0, y)

def _flat(nested):
    for each in nested:
        if isinstance(each, (list, tuple)): yield from _flat(each)
        else: yield each

def nested_lists(x, y, n):
    return sum(k * v for k, v in enumerate(_flat([x[0], [x[1], (y, [x[2]])], [], x[3]])))

MISSING = object()

def sentinel_default(x, y, n):
    def clip(v, lo=MISSING, hi=MISSING):
        if lo is not MISSING and v < lo: v = lo
        if hi is not MISSING and v > hi: v = hi
        return v
    return clip(x[0], lo=0.0) + clip(x[1], hi=y) * clip(x[2]) + clip(x[3], -0.1, 0.1)

@dataclass
class Body:
    position: np.ndarray
    velocity: np.ndarray

def shared_arrays(x, y, n):
    a = Body(x[:2].copy(), np.zeros(2))
    b = copy.copy(a)
    c = copy.deepcopy(a)
    b.velocity += y
    b.position[0] = 7.0 * y
    c.position[1] = x[4]
    a.position = a.position * 2.0
    same = [a.velocity is b.velocity, a.position is b.position, c.velocity is a.velocity]
    return np.sum(a.position + b.position * c.position) + np.sum(a.velocity) + sum(w * s for w, s in enumerate(same, 1))

def state_of_dataclasses_in_a_loop(x, y, n):
    bodies = [Body(x[k:k + 2] * 1.0, np.array([y, -y]) * k) for k in range(3)]
    for _ in range(n + 1):
        for one, two in itertools.combinations(bodies, 2):
            d = two.position - one.position
            pull = 0.1 * d / (1.0 + d @ d)
            one.velocity += pull
            two.velocity -= pull
        for body in bodies: body.position += 0.1 * body.velocity
    return sum(b.position @ b.velocity for b in bodies)

# ---- generators and iterators --------------------------------------------------------------------------------------------

class Countdown:
    def __init__(self, start): self.now = start
    def __iter__(self): return self
    def __next__(self):
        if self.now <= 0: raise StopIteration
        self.now -= 1
        return self.now

def own_iterator(x, y, n):
    counter = Countdown(4)
    first = next(counter)
    return sum(x[k] * y for k in counter) + first + len(list(counter))

def averager(x, y, n):
    def average():
        total, count, mean = 0.0, 0, 0.0
        while True:
            v = yield mean
            total += v
            count += 1
            mean = total / count
    g = average()
    next(g)
    out = 0.0
    for v in (x[0], x[1] * y, x[2]): out = out * 2.0 + g.send(v)
    g.close()
    return out

def pipeline_of_generators(x, y, n):
    def source():
        for v in x: yield v * y
    def clipped(values):
        for v in values:
            if v > 1.0:
                yield np.float64(1.0)
                return
            yield v
    return sum(w * v for w, v in zip(itertools.count(1), clipped(source())))

# ---- classes: inheritance, abstract, alternative constructors ------------------------------------------------------------

class Model(abc.ABC):
    parameters = 1
    def __init_subclass__(cls, scale=1.0, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.scale = scale
    @abc.abstractmethod
    def predict(self, t): ...
    def loss(self, ts): return sum(self.scale * self.predict(t) ** 2 for t in ts)

class Decay(Model, scale=0.5):
    def __init__(self, rate): self.rate = rate
    @classmethod
    def from_half_life(cls, h): return cls(math.log(2.0) / h)
    def predict(self, t): return np.exp(-self.rate * t)

class Biased(Decay, scale=2.0):
    def __init__(self, rate, bias=0.5):
        super().__init__(rate)
        self.bias = bias
    def predict(self, t): return super().predict(t) + self.bias

def models_by_inheritance(x, y, n):
    models = [Decay(y), Biased.from_half_life(2.0 + y * y), Biased(0.1, bias=x[0])]
    return sum(m.loss(x[1:3]) for m in models) + sum(isinstance(m, Biased) for m in models)

@functools.singledispatch
def energy(what): raise TypeError(type(what))

@energy.register
def _(what: Body): return 0.5 * np.sum(what.velocity ** 2)

@energy.register
def _(what: Interval): return what.width ** 2

def dispatched_by_class(x, y, n):
    return energy(Body(x, x * y)) + energy(Interval(-y, x[0]))

class Controller:
    def __init__(self): self.integral, self.last = 0.0, None
    def __call__(self, error, *, kp=1.0, ki=0.2, kd=0.1):
        slope = 0.0 if self.last is None else error - self.last
        self.integral, self.last = self.integral + error, error
        return kp * error + ki * self.integral + kd * slope

PID = Controller()

def controller_that_remembers(x, y, n):
    gentle = functools.partial(PID, kp=0.5)
    return gentle(y - x[0]) + PID(x[1], kd=1.0)

class scaled:
    def __init__(self, model, by): self.model, self.by = model, by
    def __enter__(self):
        self.kept, self.model.rate = self.model.rate, self.model.rate * self.by
        return self.model
    def __exit__(self, kind, error, trace):
        self.model.rate = self.kept
        return kind is Unstable

def changed_for_a_while(x, y, n):
    model = Decay(y)
    result = 0.0
    with scaled(model, 2.0) as inner:
        result += inner.predict(x[0])
        if x[1] > 0: raise Unstable
        result += 10.0
    return result + model.predict(x[2])

# ---- numbers and texts ---------------------------------------------------------------------------------------------------

def whole_numbers(x, y, n):
    q, r = divmod(-7 - n, 3)
    return x[0] * q + y * r + (-7 - n) // 2 + round(2.5) + round(y, 1) * 0 + int(-2.7) + (5 ^ n) + (n << 2) + pow(3, 5, 7) + math.gcd(12, 18 + 6 * n) + math.isqrt(17) + True

def float_remainders(x, y, n):
    return (0.1 + x[0]) % 0.75 + -y % 2.0 ** 1 + math.fmod(-y, 1.5) + math.copysign(x[1], -0.0)

def parsed_configuration(x, y, n):
    text = "k=1.5; m=2 ;c = 0.25"
    values = {key.strip(): float(value) for key, value in (part.split("=") for part in text.split(";"))}
    names = "-".join(sorted(values, reverse=True))
    return values["k"] * x[0] + values["m"] * y ** 2 + values["c"] * len(names) + names.count("-") + ("mk" in names.replace("-", ""))

def layers_by_name(x, y, n):
    parameters = {f"w{i}": x[i] for i in range(3)} | {f"b{i}": y * i for i in range(0, 3, 2)}
    h = 1.0
    for i in range(3):
        h = np.tanh(h * parameters[f"w{i}"] + parameters.get(f"b{i}", 0.5))
        if f"w{i + 1}" not in parameters: h *= 2.0
    return h

def operators_as_functions(x, y, n):
    ops = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow}
    stack = []
    for token in "2 x * y + 3 - z *".split():
        if token in ops:
            b, a = stack.pop(), stack.pop()
            stack.append(ops[token](a, b))
        else: stack.append({"x": x[0], "y": y, "z": x[1]}[token] if token.isalpha() else float(token))
    (result,) = stack
    return result + operator.attrgetter("lo")(Interval(y, 1.0)) + operator.methodcaller("sum")(x)

def memo_across_recursion(x, y, n):
    memo = {}
    def ways(k):
        if k < 2: return y * k + x[k]
        if k not in memo: memo[k] = ways(k - 1) + 0.5 * ways(k - 2)
        return memo[k]
    return ways(7) + len(memo)

def else_of_loops(x, y, n):
    found = x[1]
    for k in range(5):
        if x[k] > y: found = x[k] * 1.0; break
    else: found = x[0] * y * 3.0
    count = n
    while count < 4:
        count += 1
        if count == 9: break
    else: found += count
    return found

def attributes_by_dict(x, y, n):
    class_like = Sensor(1.0, 2.0)
    vars(class_like).update(gain=y, offset=x[0])
    state = dict(class_like.__dict__)
    state["gain"] = 5.0
    return class_like.calibrated(x[1]) + state["offset"] * state["gain"]

# ---- names that are one object or another --------------------------------------------------------------------------------

def swap_args(x, y, n):
    a, b = x[:2].copy(), x[2:4].copy()
    def step(u, v):
        u += 0.5 * v
        return v, u
    for _ in range(n + 1): a, b = step(a, b)
    return a @ b * y

def alias_dict_values(x, y, n):
    d = {"p": x.copy()}
    d["q"] = d["p"]
    d["q"][0] = y
    d["p"] = d["p"] + 1.0
    d["q"][1] = 3.0
    return d["p"].sum() + d["q"].sum() * 2

def alias_list_of_views(x, y, n):
    z = x.copy()
    parts = [z[:2], z[1:3], z[::-1]]
    for k, p in enumerate(parts): p += k * y
    parts[0][1] *= 2
    return z @ np.arange(5.0) + parts[2][0]

def alias_conditional(x, y, n):
    z, w = x.copy(), x * 2
    best = z
    for k in range(5):
        if x[k] > y: best = w
        best[k] += 1.0
    return z.sum() + 2 * w.sum() + best[0]

def alias_default_none(x, y, n):
    def acc(v, into=None):
        into = np.zeros(5) if into is None else into
        into += v
        return into
    a = acc(x); b = acc(x * y, a); c = acc(x)
    return a.sum() + b @ c

def alias_ternary_store(x, y, n):
    a, b = x.copy(), x.copy()
    (a if y > 0 else b)[n] = 9.0
    return a @ np.arange(5.) + 3 * b.sum()

def alias_or(x, y, n):
    a = None
    b = a or [1.0]
    b.append(y)
    c = b and b[:1]
    c.append(x[0])
    return sum(b) + 2 * sum(c)

def alias_max_key(x, y, n):
    rows = [x[:2].copy(), x[2:4].copy(), np.array([y, y])]
    m = max(rows, key=lambda r: r.sum())
    m += 10.0
    return sum(w * r.sum() for w, r in enumerate(rows, 1))

def alias_dict_runtime(x, y, n):
    d = {0: x[:2].copy(), 1: x[1:3].copy(), 2: np.ones(2)}
    d[n][0] = y
    return sum((k + 1) * v.sum() for k, v in d.items())

def alias_nested_list(x, y, n):
    a = [[x[0], x[1]], [y, 1.0]]
    b = [r for r in a]
    c = [r[:] for r in a]
    b[0][0] = 7.0; c[1][1] = 8.0; b.append([0.0])
    return sum(map(sum, a)) + len(a) + c[0][0] + c[1][1]

def alias_tuple_mut(x, y, n):
    t = ([x[0]], y)
    u = t
    u[0].append(y)
    t += (1.0,)
    return sum(t[0]) + len(t) + len(u)

def alias_closure_cells(x, y, n):
    fs = []
    for k in range(3):
        arr = x[k:k + 2].copy()
        def f(v, arr=arr): arr[0] += v; return arr.sum()
        fs.append(f)
    return fs[0](y) + fs[0](y) + fs[2](1.0) + arr[0]

def dict_views_live(x, y, n):
    d = {"a": x[0]}
    ks, vs = d.keys(), d.values()
    d["b"] = y
    return len(ks) * 10 + sum(vs) + ("b" in ks)

def popitem_loop(x, y, n):
    d = {1: x[0], 2: x[1], 3: y}
    out = 0.0
    while d:
        k, v = d.popitem()
        out = out * 0.5 + k * v
    return out

def queue_grows(x, y, n):
    todo, out = [(0, 1.0)], 0.0
    for k, w in todo:
        out += w * x[k]
        if k < 2: todo += [(k + 1, w * y), (k + 2, w * 0.5)]
    return out + len(todo)

def frozenset_keys(x, y, n):
    w = {frozenset((0, 1)): y, frozenset((1, 2)): x[0]}
    return w[frozenset((1, 0))] * x[2] + w[frozenset([2, 1])]

class State(enum.Enum):
    IDLE = 1; RUN = 2; DONE = 3

def state_machine(x, y, n):
    s, work, ticks = State.IDLE, 0.0, 0
    for v in x:
        if s is State.IDLE and v > 0: s = State.RUN
        elif s is State.RUN:
            work += v * y
            if work > 1.0: s = State.DONE
        elif s == State.DONE: ticks += 1
    return work + 10.0 * ticks + (s is State.DONE) + s.value

def chained_methods(x, y, n):
    class_ = Builder()
    return class_.add(x[0]).scale(y).add(1.0).value

class Builder:
    value = 0.0
    def add(self, v): self.value += v; return self
    def scale(self, s): self.value *= s; return self

def class_default_instance_shadow(x, y, n):
    a, b = Builder(), Builder()
    a.add(y)
    before = Builder.value
    return a.value + b.value + before + x[0]

class Shared:
    items = []
    def push(self, v): self.items.append(v)

def class_list_shared(x, y, n):
    Shared().push(1.0)
    return len(Shared.items) * y + x[0]

class Matrix2:
    def __init__(self, a): self.a = a
    def __matmul__(self, o): return Matrix2(self.a @ o.a) if isinstance(o, Matrix2) else self.a @ o
    def __getattr__(self, k): return getattr(self.a, k)
    def __neg__(self): return Matrix2(-self.a)
    def __rsub__(self, o): return Matrix2(o - self.a)
    def __array__(self, dtype=None, copy=None): return self.a
    def __iter__(self): return iter(self.a)
    def __call__(self, *i): return self.a[i]

def matrix_wrapper(x, y, n):
    m = Matrix2(x[:4].reshape(2, 2))
    k = -(m @ m)
    r = 1.0 - m
    return k(0, 1) + m.T[0, 1] + sum(row.sum() for row in r) * y + (m @ x[:2]).sum()

def iter_twice(x, y, n):
    it = iter([x[0], y, x[1]])
    a = next(it)
    rest = sum(it)
    return a * 10 + rest + sum(it)

def zip_partial(x, y, n):
    it = iter((1.0, 2.0, 3.0, 4.0))
    pairs = list(zip(it, it))
    return sum(a * b for a, b in pairs) * y + x[0]

def recursion_list(x, y, n):
    def perms(l): return [[]] if not l else [[h] + p for i, h in enumerate(l) for p in perms(l[:i] + l[i + 1:])]
    return sum((i + 1) * a - b * c for i, (a, b, c) in enumerate(perms([x[0], y, 2.0])))

@dataclass
class Twice:
    a: float = 1.0
    h: list = field(default_factory=list)
    def __post_init__(self): self.c = self.a * 2

def post_init(x, y, n):
    d, e = Twice(y), Twice(x[0], [1.0])
    d.h.append(e.c)
    return d.c + sum(d.h) + len(e.h) + (d == Twice(y, [e.c]))

# ---- lists, heaps and deques of run-time length --------------------------------------------------------------------------

@dataclass
class Particle:
    v: float
    k: int = 0

def list_pop(x, y, n):
    st = [(v, i) for i, v in enumerate(x)]
    total = 0.0
    while st:
        v, i = st.pop()
        total = total * 0.5 + v * i
        if v > y and i > 0: st.pop(0) if st else None
    return total

def list_insert(x, y, n):
    l = [v for v in x]
    l.insert(n, y)
    l.insert(-1, 7.0)
    l.insert(100, 8.0)
    del l[n + 1]
    return sum(w * v for w, v in enumerate(l)) + l.pop(n) + len(l)

def list_slice(x, y, n):
    l = [v * y for v in x]
    a, b = l[n:], l[:-1]
    a[0] = 100.0
    return sum(l) + sum(a) * 2 + sum(b) * 3 + l[::-1][n]

def list_alias(x, y, n):
    l = [v for v in x if v > 0]
    m = l
    m.append(y)
    k = l[:]
    k.append(5.0)
    l[0] = 9.0
    return sum(l) + 2 * sum(m) + 3 * sum(k) + len(k)

def list_obj_alias(x, y, n):
    ps = [Particle(v, i) for i, v in enumerate(x)]
    best = ps[0]
    for p in ps:
        if p.v > best.v: best = p
    best.v = 100.0 * y
    return sum(p.v for p in ps) + best.k

def heap_run(x, y, n):
    h = []
    for i, v in enumerate(x): heapq.heappush(h, (v * y, i))
    out = 0.0
    while h:
        v, i = heapq.heappop(h)
        out = out * 0.7 + v * (i + 1)
    return out

def heap_merge(x, y, n):
    h = [v for v in x]
    heapq.heapify(h)
    while len(h) > 1:
        a, b = heapq.heappop(h), heapq.heappop(h)
        heapq.heappush(h, a + b * y)
    return h[0]

def heap_ties(x, y, n):
    h = []
    for i in range(len(x)): heapq.heappush(h, (i % 2, x[i]))
    a = heapq.heappop(h)
    b = heapq.heappop(h)
    return a[1] * y + b[1] * 2 + a[0] + b[0]

def deque_run(x, y, n):
    d = collections.deque()
    for v in x:
        if v > 0: d.append(v * y)
        else: d.appendleft(v)
    s = 0.0
    while d:
        s = s * 0.5 + d.popleft()
        if d: s -= d.pop() * 0.25
    return s

def deque_tuples(x, y, n):
    d = collections.deque([(0, 1.0)])
    out = 0.0
    while d:
        k, w = d.popleft()
        out += w * x[k]
        if k < 3:
            d.append((k + 1, w * y))
            if x[k] > 0: d.append((k + 2 if k + 2 < 5 else 4, w * 0.5))
    return out

def comp_cond(x, y, n):
    a = [v * y for v in (x[0], x[1], y) if v > 0]
    return sum(a) + len(a)

def stack_dfs(x, y, n):
    st, seen, out = [n], [False] * 6, 0.0
    while st:
        k = st.pop()
        if seen[k]: continue
        seen[k] = True
        out = out * y + x[k % 5]
        for j in (k + 1, k + 3):
            if j < 6 and not seen[j]: st.append(j)
    return out

def bfs_dist(x, y, n):
    dist = [-1] * 5
    dist[n] = 0
    q = [n]
    while q:
        u = q.pop(0)
        for v in ((u + 1) % 5, (u * 2) % 5):
            if dist[v] < 0:
                dist[v] = dist[u] + 1
                q.append(v)
    return sum(d * v for d, v in zip(dist, x)) + y

def clear_list(x, y, n):
    buf, out = [], 0.0
    for v in x:
        buf.append(v)
        if len(buf) == 2:
            out += buf[0] * buf[1]
            buf.clear()
    return out * y + sum(buf) + len(buf)

def dijkstra(x, y, n):
    w = np.abs(x) + 0.1
    adj = {0: (1, 2), 1: (2, 3), 2: (3, 4), 3: (4,), 4: ()}
    dist = [math.inf] * 5
    dist[0] = 0.0
    h = [(0.0, 0)]
    while h:
        d, u = heapq.heappop(h)
        if d > dist[u]: continue
        for v in range(5):
            if v > u and v - u <= 2:
                nd = d + w[v] * (1 + 0.1 * u) + 0.01 * y
                if nd < dist[v]:
                    dist[v] = nd
                    heapq.heappush(h, (nd, v))
    return dist[4] + dist[3]

def rpn_stack(x, y, n):
    st = []
    for i, v in enumerate(x):
        st.append(v)
        if i % 2 == 1 and len(st) > 1:
            b, a = st.pop(), st.pop()
            st.append(a * b + y)
    return sum(st) + st[-1]

def tuple_swap_items(x, y, n):
    l = [(v, i) for i, v in enumerate(x)]
    l[0], l[n] = l[n], l[0]
    for i in range(len(l)):
        for j in range(len(l) - 1 - i):
            if l[j] > l[j + 1]: l[j], l[j + 1] = l[j + 1], l[j]
    return l[0][0] + l[-1][1] * y + l[2][0] * 3

def bounded_appendleft(x, y, n):
    d = collections.deque(maxlen=2)
    for v in x: d.append(v * y)
    d.appendleft(y)
    return sum(d) + d[0]

def bounded_from_the_left(x, y, n):
    d = collections.deque(maxlen=3)
    for v in x:
        d.appendleft(v)
        if v > 1: d.pop()
    return sum(w * v for w, v in enumerate(d)) + len(d)

def bounded_insert(x, y, n):
    d = collections.deque(maxlen=4)
    for v in x:
        if v > 0: d.append(v)
        if len(d) < 3: d.insert(n, y)
    return sum(w * v for w, v in enumerate(d)) + len(d)

def bounded_insert_of_the_full(x, y, n):
    d = collections.deque(maxlen=3)
    for v in x:
        if v > 0: d.append(v)
    d.insert(1, y)
    return sum(w * v for w, v in enumerate(d)) + len(d)

def bounded_extendleft(x, y, n):
    d = collections.deque(maxlen=3)
    for v in x: d.extendleft([v, y])
    return sum(w * v for w, v in enumerate(d)) + len(d)

def bounded_insert_fails(x, y, n):
    d = collections.deque(maxlen=2)
    for v in x: d.insert(0, v)
    return d[0]

def bounded_pairs(x, y, n):
    d = collections.deque(maxlen=2)
    for v in x:
        if v > 0: d.appendleft((v, y))
        else: d.append((y, v))
    return sum(a * (b + 1) for a, b in d) + d[0][0]


class Field:
    """Values on a grid, which are kept as a line or as a table."""

    def __init__(self, values):
        self.values = values * 2.0
        self.values.shape = (len(values), 1)

    def flat(self):
        self.values.shape = (-1,)
        return self.values


def shape_set_again_and_again(x, y, n):
    table = np.zeros((2, 3))
    for k in range(n + 2):
        table.shape = (3, 2)
        table[k % 3] += x[k] * y
        table.shape = 2, 3
    table.shape = 6
    return float(table @ table) + float(table[n])


def shape_of_an_attribute(x, y, n):
    field = Field(x[:4] * y)
    square = field.values @ field.values.T
    line = np.arange(6.0)
    line.shape = (2, 3)
    return float(np.sum(square[n])) + float(line[1, n])


def shape_of_the_callers_array(x, y, n):
    x.shape = (5, 1)
    return float(x[n, 0] * y)


def shape_that_another_name_sees(x, y, n):
    line = x * y
    same = line
    line.shape = (5, 1)
    return float(same[n, 0])


class Traced:
    """A number that knows what it was made of."""

    def __init__(self, value, parents=()):
        self.value, self.parents, self.grad = value, parents, 0.0

    def __add__(self, other):
        return Traced(self.value + other.value, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Traced(self.value * other.value, ((self, other.value), (other, self.value)))

    def backward(self):
        order, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent, _ in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for parent, slope in node.parents:
                parent.grad += slope * node.grad


def gradients_by_id(x, y, n):
    a, b = Traced(x[n]), Traced(y)
    c = (a * b + a) * b
    c.backward()
    return a.grad * 2.0 + b.grad + c.value + (id(a) == id(b))


def number_of_an_id(x, y, n):
    return id(Traced(y)) % 2


class Sheet:
    """A tape of operations, each of which holds it."""

    def __init__(self):
        self.nodes = []

    def put(self, value, parents=()):
        return Entry(self, value, parents)


class Entry:
    def __init__(self, sheet, value, parents):
        self.sheet, self.value, self.parents, self.place = sheet, value, parents, len(sheet.nodes)
        sheet.nodes.append(self)

    def __mul__(self, other):
        return self.sheet.put(self.value * other.value, [(self.place, other.value), (other.place, self.value)])

    def slopes(self):
        found = [0.0] * len(self.sheet.nodes)
        found[self.place] = 1.0
        for node in reversed(self.sheet.nodes):
            for place, slope in node.parents:
                found[place] += slope * found[node.place]
        return found


def objects_that_hold_the_list_they_are_in(x, y, n):
    sheet = Sheet()
    inputs = [sheet.put(v) for v in x]
    scale = sheet.put(y)
    product = inputs[0]
    for each in inputs[1:]:
        product = product * each * scale
    slopes = product.slopes()
    return slopes[n] + slopes[scale.place] * product.value


class Lookup:
    """Values of a table, and how often each was asked for."""

    def __init__(self, values):
        self.values, self.asked = values, collections.Counter()

    def __call__(self, at):
        k = min(int(abs(at)), len(self.values) - 1)
        self.asked[k] += 1
        return self.values[k]


def counter_in_an_object_that_is_called(x, y, n):
    table = Lookup([1.0, 2.0, -1.0])
    return table(y) * y + table(x[n]) * x[n] + len(table.asked)


class Errand:
    def __init__(self, cost, place):
        self.cost, self.place = cost, place

    def __lt__(self, other):
        return self.cost < other.cost


class Note:
    def __init__(self, value):
        self.value = value


def heap_of_objects(x, y, n):
    heap = []
    for i, v in enumerate(x):
        heapq.heappush(heap, Errand(v * y, i))
    total = 0.0
    while heap:
        job = heapq.heappop(heap)
        total = total * 0.5 + job.cost * (job.place + 1)
        if job.place == n:
            job.cost += 10.0
            total += job.cost
    return total


def heap_of_pairs_with_objects(x, y, n):
    heap = [(x[0] * y, 0, Note(x[0]))]
    for i in range(1, 5):
        heapq.heappush(heap, (x[i] * y, i, Note(x[i] * i)))
    first = heapq.heapreplace(heap, (y, 9, Note(y)))
    second = heapq.heappop(heap)
    return first[2].value + 2.0 * second[2].value * second[1] + heap[0][2].value + len(heap)


def objects_of_a_heap_are_those_of_the_list(x, y, n):
    jobs = [Errand(v * y, 0.0) for v in x[:3]]
    heap = list(jobs)
    heapq.heapify(heap)
    heapq.heappop(heap).place += 7.0 * y
    heap[0].place += y
    return jobs[0].place + 2.0 * jobs[1].place + 4.0 * jobs[2].place


def sorted_pairs_with_objects(x, y, n):
    found = sorted([(v * y, i, Note(v)) for i, v in enumerate(x)])
    return found[0][2].value + 2.0 * found[n][2].value * y


def pairs_of_objects_whose_order_nobody_says(x, y, n):
    first, second = (n, Note(x[0])), (2, Note(x[1]))
    return y if first < second else -y


def way_through_a_field(x, y, n):
    cost = [[abs(x[(i + j) % 5]) + 0.1 + abs(y) * (i * j % 2) for j in range(3)] for i in range(3)]
    best, heap, steps = {(0, 0): 0.0}, [Errand(0.0, (0, 0))], 0
    while heap:
        i, j = heapq.heappop(heap).place
        steps += 1
        if (i, j) == (2, 2):
            return best[2, 2] + steps
        for a, b in ((i + 1, j), (i, j + 1), (i - 1, j), (i, j - 1)):
            if 0 <= a < 3 and 0 <= b < 3 and best[i, j] + cost[a][b] < best.get((a, b), 1e9):
                best[a, b] = best[i, j] + cost[a][b]
                heapq.heappush(heap, Errand(best[a, b] + abs(2 - a) * 0.1 + abs(2 - b) * 0.1, (a, b)))
    return -1.0


def super_in_a_class_made_inside(x, y, n):
    class Spring:
        def __init__(self, stiffness):
            self.stiffness = stiffness

        @property
        def half(self):
            return self.stiffness / 2.0

        def forces(self):
            yield self.stiffness

    class Pair(Spring):
        def __init__(self, stiffness, other):
            super().__init__(stiffness * 2.0)
            self.other = other

        @property
        def half(self):
            return super().half + self.other

        def forces(self):
            yield from super().forces()
            yield self.other

    pair = Pair(y, x[n])
    return pair.half + sum(k * force for k, force in enumerate(pair.forces(), 1)) + sum(Pair(v, y).half for v in x)


@dataclass(order=True)
class Stop:
    priority: float
    place: tuple = field(compare=False)


def _around(cost, place):
    for row, column in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        there = (place[0] + row, place[1] + column)
        if 0 <= there[0] < len(cost) and 0 <= there[1] < len(cost[0]) and cost[there] < 9.0:
            yield there


def path_by_what_it_came_from(x, y, n):
    costs = np.abs(np.outer(x, x + y))
    start, goal = (0, 0), (n + 1, 3)
    frontier = [Stop(0, start)]
    came_from, cost = {start: None}, {start: 0.0}
    while frontier:
        here = heapq.heappop(frontier).place
        if here == goal:
            break
        for there in _around(costs, here):
            new = cost[here] + costs[there]
            if there not in cost or new < cost[there]:
                cost[there] = new
                heapq.heappush(frontier, Stop(new + abs(there[0] - goal[0]), there))
                came_from[there] = here
    path = []
    here = goal
    while here is not None:
        path.append(here)
        here = came_from[here]
    return cost[goal] + sum(row * k - column for k, (row, column) in enumerate(path[::-1])) * y + len(came_from)


def rising_by_tuples_or_none(x, y, n):
    back = [None] * len(x)
    for i in range(1, len(x)):
        for j in range(i):
            if x[j] < x[i] and (back[i] is None or x[j] > x[back[i][0]]):
                back[i] = (j, x[j] * y)
    total = 0.0
    for each in back:
        if each is not None:
            place, value = each
            total += value * (place + n)
    return total + sum(each is None for each in back)


def best_of_each_bin(x, y, n):
    best = {}
    for value in x:
        best[int(value * 3.7) % 3] = None
    for i, value in enumerate(x):
        k = int(value * 3.7) % 3
        if best[k] is None or best[k][1] < value * y:
            best[k] = (i, value * y)
    return sum(pair[1] for pair in best.values())


def tuples_or_none_on_paths(x, y, n):
    found = [(value, k) if value > 0.2 else None for k, value in enumerate(x)]
    for value in x:
        found.append(None if value > y else (value * y, n))
    nothing = []
    for value in x:
        if value > 100.0:
            nothing.append(None)
    good = [each for each in found if each is not None]
    return sum(each[0] * (each[1] + 1) for each in good) + len(nothing) + found.count(None)


def numbers_then_tuples_beside_none(x, y, n):
    memory = {}
    for value in x:
        memory[int(value * 3)] = (value, None)
    for value in x:
        key = int(value * 3)
        before = memory[key][1]
        memory[key] = (value * y, (1, value) if before is None else (before[0] + 1, before[1] + value))
    return sum(value + (pair[1] * pair[0] if pair is not None else 0.0) for value, pair in memory.values())


class Split:
    def __init__(self, threshold=0.0, left=None, right=None, *, value=0.0, is_leaf=False):
        self.threshold, self.left, self.right, self.value, self.is_leaf = threshold, left, right, value, is_leaf


class Regressor:
    """What its leaves count is known only in a second reading: in the first one the `return` of a leaf is refused, and what follows calls itself."""

    def __init__(self, depth):
        self.depth = depth

    def fit(self, x, labels):
        self.root = self._grow(x, labels)
        return self

    def _grow(self, x, labels, depth=0):
        if depth >= self.depth or len(x) < 2:
            return Split(value=collections.Counter(labels).most_common(1)[0][0] + np.sum(x), is_leaf=True)
        middle = np.mean(x)
        left, right = x < middle, x >= middle
        return Split(middle, self._grow(x[left], labels[left], depth + 1), self._grow(x[right], labels[right], depth + 1))

    def predict(self, value, node):
        if node.is_leaf:
            return node.value
        return self.predict(value, node.left if value < node.threshold else node.right)


def tree_whose_leaves_count(x, y, n):
    labels = np.array([0, 1, 1, 0, 1]) + n
    tree = Regressor(1).fit(x, labels)
    return sum(tree.predict(value, tree.root) * k for k, value in enumerate(x)) * y


def deeper_tree_whose_leaves_count(x, y, n):
    labels = np.array([0, 1, 1, 0, 1]) + n
    tree = Regressor(2).fit(x, labels)
    return sum(tree.predict(value, tree.root) * k for k, value in enumerate(x)) * y
