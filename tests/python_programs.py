"""Programs in Python's whole language, of an array, a float and an int: `match`, `try`, generators, containers, keys, texts (test_python_programs.py)."""
# ruff: noqa: B006, B007, B904, E722, E731, E401, FURB192, I001, PERF402, PYI024, Q000, RET504, TRY203, TRY300, TRY301, UP031, UP032, UP033, UP034
from __future__ import annotations

import collections, contextlib, functools, heapq, inspect, itertools, math, operator, os, re
from collections import deque
from dataclasses import dataclass
import enum
import numpy as np
import s2s


class NotConverged(Exception):
    pass


class MyValue(ValueError):
    pass


class Coded(RuntimeError):

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Mode(enum.Enum):
    LOW = 1
    HIGH = 2


class Kind(enum.IntEnum):
    A = 1
    B = 2


@dataclass
class Point:
    x: float
    y: float


def match_literal(x, y, n):
    match n:
        case 0:
            return y
        case 1 | 2:
            return 2.0 * y
        case _:
            return y * y


def match_static(x, y, n, kind='b'):
    match kind:
        case 'a':
            return y
        case 'b':
            return 3.0 * y


def match_class(x, y, n):
    p = Point(y, 2.0)
    match p:
        case Point(x=a, y=b):
            return a * b


def match_tuple(x, y, n):
    match (n, y):
        case [0, v]:
            return v
        case [k, v] if k > 1:
            return v * k
        case [k, v]:
            return v - k


def match_seq_star(x, y, n):
    match [y, 2.0, 3.0]:
        case [first, *rest]:
            return first * sum(rest)


def match_mapping(x, y, n):
    match {'kind': 'lin', 'a': y}:
        case {'kind': 'quad', 'a': a}:
            return a * a
        case {'kind': 'lin', 'a': a, **rest}:
            return a + len(rest)


def match_enum(x, y, n, mode=Mode.HIGH):
    match mode:
        case Mode.LOW:
            return y
        case Mode.HIGH:
            return -y


def match_in_loop(x, y, n):
    s = 0.0
    for i in range(len(x)):
        match i % 3:
            case 0:
                s += x[i]
            case 1:
                s -= x[i]
            case _:
                pass
    return s


def match_as(x, y, n):
    match y:
        case float() as v if v > 0:
            return v
        case _:
            return 0.0


def try_zero(x, y, n):
    try:
        return 1.0 / (y - y)
    except ZeroDivisionError:
        return -1.0


def try_ok(x, y, n):
    try:
        z = math.sqrt(y * y)
    except ValueError:
        z = -1.0
    return z + 1.0


def try_fail(x, y, n):
    try:
        z = math.sqrt(-y * y - 1.0)
    except ValueError:
        z = -1.0
    return z + 1.0


def try_index(x, y, n):
    try:
        v = x[n + 100]
    except IndexError:
        v = np.float64(0.0)
    return v


def try_else_finally(x, y, n):
    s = 0.0
    try:
        s += x[n]
    except IndexError:
        s = -5.0
    else:
        s *= 2.0
    finally:
        s += 1.0
    return s


def try_effects(x, y, n):
    out = np.zeros(3)
    try:
        out[0] = y
        if y > -100.0:
            raise ValueError('stop')
        out[1] = y
    except ValueError:
        out[2] = 7.0
    return out


def try_own(x, y, n):
    try:
        if y < 100.0:
            raise NotConverged('no')
        return y
    except NotConverged:
        return -y


def try_linalg(x, y, n):
    a = np.array([[y, y], [y, y]]) * 0.0
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return np.eye(2)


def try_cholesky_jitter(x, y, n):
    a = np.outer(x, x)
    for k in range(5):
        try:
            L = np.linalg.cholesky(a + 10.0 ** (k - 12) * np.eye(len(x)))
            break
        except np.linalg.LinAlgError:
            L = np.eye(len(x))
    return np.sum(L)


def try_key(x, y, n, d={'a': 1.0}):
    try:
        return d['b'] * y
    except KeyError:
        return y


def try_static_attr(x, y, n):
    try:
        return y.nothing
    except AttributeError:
        return y


def try_finally_only(x, y, n):
    log = []
    try:
        log.append(y)
        z = y * 2
    finally:
        log.append(1.0)
    return z + len(log)


def try_message(x, y, n):
    try:
        raise ValueError('abc')
    except ValueError as e:
        return len(str(e)) * y


def try_tuple(x, y, n):
    try:
        z = 1.0 / (n - n)
    except (ZeroDivisionError, ValueError):
        z = 4.0
    return z


def try_reraise(x, y, n):
    try:
        raise KeyError('k')
    except KeyError as e:
        raise ValueError('bad') from e


def try_bare_raise(x, y, n):
    try:
        math.sqrt(-1.0 - y * y)
    except ValueError:
        raise
    return y


def try_in_loop(x, y, n):
    s = 0.0
    for v in x:
        try:
            s += math.log(v)
        except ValueError:
            s -= 1.0
    return s


def try_import(x, y, n):
    try:
        import math as m
    except ImportError:
        m = None
    return m.sin(y)


def try_float_conv(x, y, n):
    try:
        v = float('abc')
    except ValueError:
        v = y
    return v


def try_return_finally(x, y, n):
    out = [0.0]

    def g():
        try:
            return y
        finally:
            out[0] = 5.0
    return g() + out[0]


def try_helper(x, y, n):

    def safe(a, b):
        try:
            return a / b
        except ZeroDivisionError:
            return 0.0
    return safe(y, y) + safe(y, float(n - n))


def try_overflow(x, y, n):
    try:
        return math.exp(1000.0 * (1.0 + y * y))
    except OverflowError:
        return float('inf')


def raise_own(x, y, n):
    if y < 100.0:
        raise NotConverged('residual too large')
    return y


def raise_own_value(x, y, n):
    if y < 100.0:
        raise MyValue(f'bad y = {y}')
    return y


def raise_linalg(x, y, n):
    if y < 100.0:
        raise np.linalg.LinAlgError('singular')
    return y


def raise_coded(x, y, n):
    if y < 100.0:
        raise Coded('oops', 3)
    return y


def raise_two_args(x, y, n):
    if y < 100.0:
        raise ValueError('a', 'b')
    return y


def raise_fstring(x, y, n):
    if y < 100.0:
        raise ValueError(f'y={y:.3f} n={n:d} k={n!r} {x[0]:8.2e}')
    return y


def raise_fstring_array(x, y, n):
    if y < 100.0:
        raise ValueError(f'x = {x}')
    return y


def raise_from_none(x, y, n):
    if y < 100.0:
        raise ValueError('abc') from None
    return y


def raise_class(x, y, n):
    if y < 100.0:
        raise NotImplementedError
    return y


def raise_local_exc(x, y, n):
    err = ValueError('kept')
    if y < 100.0:
        raise err
    return y


TOTAL = 1.0
ARR = np.zeros(3)


def global_number(x, y, n):
    global TOTAL
    TOTAL = TOTAL + y
    return TOTAL * 2


def global_read(x, y, n):
    global TOTAL
    return TOTAL * 2 * y


def global_array(x, y, n):
    ARR[0] = y
    return ARR * 2


COUNTS = {'calls': 0}


def global_dict(x, y, n):
    COUNTS['calls'] = COUNTS['calls'] + 1
    return y * COUNTS['calls']


def nonlocal_number(x, y, n):
    s = 0.0

    def add(v):
        nonlocal s
        s += v
    for v in x:
        add(v)
    return s


def nonlocal_array(x, y, n):
    s = np.zeros(3)

    def add(v):
        nonlocal s
        s = s + v
    for v in x:
        add(v)
    return s


def with_seterr(x, y, n):
    old = np.seterr(divide="ignore", invalid="ignore")
    try:
        return 1.0 / (x - x[0])
    finally:
        np.seterr(**old)


def with_errstate(x, y, n):
    with np.errstate(divide='ignore'):
        return np.log(np.abs(x))


def with_nullcontext(x, y, n):
    with contextlib.nullcontext():
        z = y * 2
    return z


def with_suppress(x, y, n):
    z = 1.0
    with contextlib.suppress(ZeroDivisionError):
        z = 1.0 / (n - n)
    return z


def with_warnings(x, y, n):
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return np.log(np.abs(x))


class Scale:

    def __init__(self, k):
        self.k = k

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return False


def with_own(x, y, n):
    with Scale(2.0) as s:
        z = y * s.k
    return z


@contextlib.contextmanager
def doubled(v):
    yield (v * 2)


def with_contextmanager(x, y, n):
    with doubled(y) as z:
        r = z + 1
    return r


def with_printoptions(x, y, n):
    with np.printoptions(precision=3):
        return y * 2


def reduce_mul(x, y, n):
    return functools.reduce(operator.mul, [y, 2.0, x[0]], 1.0)


def reduce_array(x, y, n):
    return functools.reduce(lambda a, b: a * 0.5 + b, x)


def partial_kw(x, y, n):
    f = functools.partial(lambda a, b, c=1.0: a * b + c, y, c=2.0)
    return f(3.0)


@functools.lru_cache(maxsize=None)
def cached_fact(k):
    return 1.0 if k <= 1 else k * cached_fact(k - 1)


def lru_static(x, y, n):
    return y * cached_fact(5)


@functools.cache
def cached_sq(v):
    return v * v


def cache_runtime(x, y, n):
    return cached_sq(y) + cached_sq(y)


def it_product(x, y, n):
    return sum((x[i] * x[j] for i, j in itertools.product(range(3), range(2))))


def it_comb(x, y, n):
    s = 0.0
    for a, b in itertools.combinations(x, 2):
        s += a * b
    return s


def it_accumulate(x, y, n):
    return list(itertools.accumulate([y, 2.0, 3.0]))[-1]


def it_accumulate_array(x, y, n):
    return np.array(list(itertools.accumulate(x)))


def it_chain(x, y, n):
    return sum(itertools.chain([y], [1.0, 2.0]))


def it_chain_arrays(x, y, n):
    s = 0.0
    for v in itertools.chain(x, x):
        s += v
    return s


def it_pairwise(x, y, n):
    return sum(((b - a) ** 2 for a, b in itertools.pairwise(x)))


def it_islice(x, y, n):
    return sum(itertools.islice(x, 3))


def it_count_break(x, y, n):
    s = y
    for k in itertools.count():
        s = s * 0.5
        if abs(s) < 0.001 or k > 50:
            break
    return s + k


def it_count_zip(x, y, n):
    return sum((k * v for k, v in zip(itertools.count(1), x)))


def it_takewhile(x, y, n):
    return sum(itertools.takewhile(lambda v: v < 1.0, x))


def wraps_grad(x, y, n):

    def f(v):
        return v ** 3

    @functools.wraps(s2s.grad)
    def g(fun, *args):
        return s2s.grad(fun, *args)
    return g(f)(y)


def gen_simple(x, y, n):

    def g():
        yield y
        yield (2.0 * y)
    return sum(g())


def gen_loop(x, y, n):

    def g(v):
        for a in v:
            yield (a * a)
    s = 0.0
    for q in g(x):
        s += q
    return s


def module_gen(v, k):
    for i in range(k):
        yield (v * i)


def gen_module(x, y, n):
    return sum(module_gen(y, 4))


def gen_yield_from(x, y, n):

    def inner():
        yield y
        yield (y + 1)

    def outer():
        yield from inner()
        yield 5.0
    return list(outer())[1]


def gen_next(x, y, n):

    def g():
        a = y
        while True:
            yield a
            a = a * 0.5
    it = g()
    u = next(it)
    v = next(it)
    return u + v + next(it)


def gen_state_loop(x, y, n):

    def euler(u, h):
        while True:
            u = u + h * -u
            yield u
    s = 0.0
    for k, u in enumerate(euler(y, 0.1)):
        s += u
        if k > 5:
            break
    return s


def gen_zip(x, y, n):

    def weights():
        w = 1.0
        while True:
            yield w
            w = w * 0.5
    return sum((a * b for a, b in zip(x, weights())))


def gen_list(x, y, n):

    def g():
        for i in range(len(x)):
            if x[i] > 0:
                yield x[i]
    return np.sum(np.array(list(g())))


def gen_expr_sum(x, y, n):
    return sum((v * v for v in x if v > 0))


def gen_fib_runtime(x, y, n):

    def fib(k):
        a, b = (0.0, y)
        for _ in range(k):
            yield a
            a, b = (b, a + b)
    return sum(fib(n))


def gen_minibatch(x, y, n):

    def batches(data, size):
        for i in range(0, len(data), size):
            yield data[i:i + size]
    s = 0.0
    for b in batches(x, 2):
        s += np.sum(b) ** 2
    return s


def gen_any(x, y, n):
    return 1.0 if any((v > 1.0 for v in x)) else 0.0


def gen_two_yields_loop(x, y, n):

    def g():
        for i in range(len(x)):
            yield x[i]
            yield (-0.5 * x[i])
    return sum(g())


class Ode:

    def __init__(self, u):
        self.u = u

    def __iter__(self):
        for k in range(3):
            self.u = self.u * 0.5
            yield self.u


def gen_method(x, y, n):
    return sum(Ode(y))


def deque_window(x, y, n):
    d = deque([0.0, 0.0, 0.0], maxlen=3)
    s = 0.0
    for v in x:
        d.append(v)
        s += sum(d)
    return s


def deque_static(x, y, n):
    d = deque()
    d.append(y)
    d.appendleft(2.0)
    d.append(3.0)
    return d.popleft() * d.pop()


def deque_rotate(x, y, n):
    d = deque([y, 1.0, 2.0])
    d.rotate(1)
    return d[0] * d[1]


def deque_bfs(x, y, n):
    adj = {0: [1, 2], 1: [3], 2: [3], 3: []}
    q = deque([0])
    seen = {0}
    order = []
    while q:
        u = q.popleft()
        order.append(u)
        for v in adj[u]:
            if v not in seen:
                seen.add(v)
                q.append(v)
    return sum((x[k] * (i + 1) for i, k in enumerate(order)))


def deque_runtime_queue(x, y, n):
    q = deque([0])
    s = 0.0
    while q:
        i = q.popleft()
        s += x[i]
        if 2 * i + 1 < len(x):
            q.append(2 * i + 1)
        if 2 * i + 2 < len(x):
            q.append(2 * i + 2)
    return s


def heap_static(x, y, n):
    h = [5, 3, 8]
    heapq.heapify(h)
    heapq.heappush(h, 1)
    return y * heapq.heappop(h) + heapq.heappop(h)


def heap_runtime(x, y, n):
    h = []
    for v in [x[0], x[1], x[2]]:
        heapq.heappush(h, v)
    return heapq.heappop(h) + 2 * heapq.heappop(h)


def heap_nsmallest(x, y, n):
    return sum(heapq.nsmallest(2, x))


def heap_nlargest(x, y, n):
    return heapq.nlargest(2, [y, 1.0, 2.0])[0]


def heap_dijkstra(x, y, n):
    w = {0: [(1, x[0]), (2, x[1])], 1: [(3, x[2])], 2: [(3, x[3])], 3: []}
    dist = [0.0, 1000000000.0, 1000000000.0, 1000000000.0]
    h = [(0.0, 0)]
    while h:
        d, u = heapq.heappop(h)
        if d > dist[u]:
            continue
        for v, c in w[u]:
            nd = d + c * c
            if nd < dist[v]:
                dist[v] = nd
                heapq.heappush(h, (nd, v))
    return dist[3]


def sort_list(x, y, n):
    a = [y, 0.5, x[0]]
    a.sort()
    return a[0] + 2 * a[1] + 3 * a[2]


def sorted_key(x, y, n):
    return sorted([y, 0.5, float(x[0])], key=lambda v: -v)[0]


def sorted_key_tuples(x, y, n):
    pairs = [(x[i], i) for i in range(3)]
    pairs.sort()
    return pairs[0][0] * 2 + pairs[0][1]


def sorted_key_tuples2(x, y, n):
    pairs = [(i, x[i]) for i in range(3)]
    return sorted(pairs, key=lambda p: p[1])[0][1]


def sorted_array_key(x, y, n):
    return sorted(x, key=lambda v: abs(v))[0]


def sorted_array(x, y, n):
    return np.array(sorted(x, reverse=True))


def sorted_range_key(x, y, n):
    order = sorted(range(len(x)), key=lambda i: x[i])
    return x[order[0]] - x[order[-1]]


def min_key(x, y, n):
    return min([y, -2.0, float(x[0])], key=abs)


def max_range_key(x, y, n):
    return max(range(len(x)), key=lambda i: x[i])


def min_tuples(x, y, n):
    return min(((x[i], i) for i in range(3)))[1]


def min_enumerate(x, y, n):
    i, v = min(enumerate(x), key=lambda p: p[1])
    return v * i


def min_arrays_key(x, y, n):
    return min([x, 2 * x, -x], key=lambda a: np.sum(a))


def max_points(x, y, n):
    ps = [Point(x[0], 1.0), Point(x[1], 2.0)]
    return max(ps, key=lambda p: p.x).y


def tuple_list_runtime(x, y, n):
    pairs = []
    for i in range(len(x)):
        pairs.append((x[i], i))
    s = 0.0
    for v, i in pairs:
        s += v * i
    return s


def tuple_list_max(x, y, n):
    pairs = []
    for i in range(len(x)):
        pairs.append((x[i], i))
    return max(pairs)[1]


def sorted_stable_static(x, y, n):
    return y * sorted([(2, 'b'), (1, 'a')], key=lambda p: p[0])[0][0]


def sort_list_runtime_len(x, y, n):
    a = []
    for v in x:
        if v > 0:
            a.append(v)
    a.sort()
    return a[0] if len(a) else 0.0


def sorted_items_dict(x, y, n):
    d = {'a': x[0], 'b': x[1]}
    return sorted(d.items(), key=lambda kv: kv[1])[0][1]


def max_dict_key(x, y, n):
    d = {0: x[0], 1: x[1]}
    return d[max(d, key=d.get)]


def print_rt(x, y, n):
    print('y is', y, n)
    return y * 2


def print_fstring(x, y, n):
    print(f'{y:.4f} {n:03d}', end='!\n')
    return y


def print_loop(x, y, n):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if i % 2 == 0:
            print(i, s, sep=', ')
    return s


def print_array(x, y, n):
    print(x)
    return np.sum(x)


def print_percent(x, y, n):
    print('%d %.3f' % (n, y))
    return y


def print_format(x, y, n):
    print('{:.2f} {}'.format(y, n))
    return y


def del_name(x, y, n):
    z = y * 2
    del z
    return y


def del_item(x, y, n):
    a = [y, 1.0, 2.0]
    del a[0]
    return a[0] * y


def del_key(x, y, n):
    d = {'a': y, 'b': 2.0}
    del d['a']
    return d['b'] * len(d) * y


def del_runtime_index(x, y, n):
    a = [y, 1.0, 2.0]
    del a[n]
    return a[0] + 2 * a[1]


def pop_runtime_index(x, y, n):
    a = [y, 1.0, 2.0]
    v = a.pop(n)
    return v * 10 + a[0]


def set_static(x, y, n):
    s = {1, 2, 3} & {2, 3}
    return y * len(s) * (2 in s)


def set_runtime_in(x, y, n):
    return y if n in {1, 2, 3} else -y


def set_seen_runtime(x, y, n):
    seen = set()
    c = 0
    for i in range(len(x)):
        k = i * i % 3
        if k not in seen:
            seen.add(k)
            c += 1
    return y * c


def list_runtime_index(x, y, n):
    a = [y, 1.0, 2.0]
    return a[n]


def list_of_arrays_index(x, y, n):
    a = [x, 2 * x, 3 * x]
    return a[n]


def list_comp_runtime(x, y, n):
    a = [x[i] * 2 for i in range(len(x))]
    return a[0] + a[-1]


def list_reversed(x, y, n):
    a = []
    for v in x:
        a.append(v)
    s = 0.0
    for k, v in enumerate(reversed(a)):
        s += k * v
    return s


def list_index_value(x, y, n):
    a = [3, 1, 2]
    return y * a.index(n)


def list_insert(x, y, n):
    a = []
    for v in x:
        a.insert(0, v)
    return a[0]


def list_pop_runtime(x, y, n):
    a = []
    for v in x:
        a.append(v)
    s = 0.0
    while len(a) > 1:
        s += a.pop()
    return s


def list_extend_runtime(x, y, n):
    a = []
    for v in x:
        a.extend([v, -v])
    return a[3]


def list_del_slice(x, y, n):
    a = [y, 1.0, 2.0, 3.0]
    del a[1:3]
    return a[1] * y


def list_mul_runtime(x, y, n):
    a = [y] * (n + 1)
    return sum(a)


def list_item_store(x, y, n):
    a = [0.0] * 3
    a[n] = y
    return a[0] + 2 * a[1] + 3 * a[2]


def list_of_lists(x, y, n):
    rows = [[0.0] * 3 for _ in range(2)]
    rows[1][n] = y
    return rows[1][0] + rows[1][n]


def none_path(x, y, n):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best


def none_array(x, y, n):
    prev = None
    s = 0.0
    for v in x:
        if prev is not None:
            s += v * prev
        prev = v
    return s


def none_default(x, y, n):
    z = None
    if y > 0:
        z = y
    return 0.0 if z is None else z


def none_arr_path(x, y, n):
    best = None
    val = -1000000000.0
    for k in range(3):
        c = x * (k - 1)
        if np.sum(c) > val:
            val = np.sum(c)
            best = c
    return best


def none_return(x, y, n):

    def root(v):
        if v < 0:
            return None
        return math.sqrt(v)
    r = root(y)
    return -1.0 if r is None else r


def enum_two_paths(x, y, n):
    m = Mode.LOW if y > 0 else Mode.HIGH
    return y if m is Mode.LOW else 2 * y


def enum_loop_state(x, y, n):
    m = Mode.LOW
    s = 0.0
    for v in x:
        if m is Mode.LOW:
            s += v
        else:
            s -= v
        m = Mode.HIGH if v > 0 else Mode.LOW
    return s


def str_two_paths(x, y, n):
    m = 'low' if y > 0 else 'high'
    return y if m == 'low' else 2 * y


def str_state_loop(x, y, n):
    state = 'up'
    s = 0.0
    for v in x:
        if state == 'up':
            s += v
            if s > 1:
                state = 'down'
        else:
            s -= v
            if s < 0:
                state = 'up'
    return s


def enum_value_path(x, y, n):
    m = Mode.LOW if y > 0 else Mode.HIGH
    return y * m.value


def alias_flag(x, y, n):
    a = x if n > 1 else x.copy()
    a[0] = 5.0
    return x[0] + a[0]


def alias_other(x, y, n):
    b = np.zeros(5)
    a = x if n > 1 else b
    a[0] = 5.0
    return x[0] + b[0]


def alias_loop(x, y, n):
    u = np.zeros(5)
    for k in range(n):
        a = x if k % 2 == 0 else u
        a[k] = k * y
    return np.sum(x) + 2 * np.sum(u)


def alias_asfloat(x, y, n):
    a = x if x[0] > 0 else -x
    a *= 2
    return np.sum(a) + np.sum(x)


def alias_caller(x, y, n):
    a = x if n > 1 else x.copy()
    a += 1.0
    return a


def func_two_paths(x, y, n):
    f = np.sin if y > 0 else np.cos
    return f(y)


def obj_two_paths(x, y, n):
    p = Point(y, 1.0)
    if n > 1:
        p = Point(2.0, y)
    return p.x * 2 + p.y


def star_args(x, y, n):

    def f(*a, **k):
        return sum(a) * k['z']
    return f(*x[:3], z=y)


def class_local(x, y, n):

    class P:

        def __init__(self, v):
            self.v = v

        def twice(self):
            return 2 * self.v
    return P(y).twice()


def namedtuple_local(x, y, n):
    P = collections.namedtuple('P', 'a b')
    p = P(y, 2.0)
    return p.a * p.b


def defaultdict_static(x, y, n):
    d = collections.defaultdict(float)
    for k in ['a', 'b', 'a']:
        d[k] += y
    return d['a'] + d['b']


def counter_static(x, y, n):
    c = collections.Counter('abca')
    return c['a'] * y


def ordered(x, y, n):
    d = collections.OrderedDict(a=y, b=2.0)
    return sum(d.values())


class Base(Exception):
    pass


class Sub(Base):
    pass


def try_nested_2(x, y, n):
    s = 0.0
    try:
        try:
            s += math.sqrt(x[0])
        except ZeroDivisionError:
            s += 100.0
        s += 1.0
    except ValueError:
        s -= 1.0
    return s


def try_handler_raises_2(x, y, n):
    try:
        try:
            math.sqrt(x[0])
            return 5.0
        except ValueError:
            raise KeyError('in handler')
    except KeyError:
        return -7.0


def try_effect_in_expression_2(x, y, n):

    def foo(a):
        a[0] = 9.0
        return 1.0
    b = np.zeros(2)
    try:
        z = foo(b) + math.sqrt(x[0])
    except ValueError:
        z = -1.0
    return z + b[0]


def try_ternary_2(x, y, n):
    try:
        z = math.sqrt(x[0]) if y > 0 else 1.0 / x[1]
    except ValueError:
        z = -3.0
    return float(z)


def try_and_2(x, y, n):
    try:
        ok = y > 0 and math.log(x[0]) > -10
        z = 1.0 if ok else 2.0
    except ValueError:
        z = 3.0
    return z


def try_comprehension_2(x, y, n):
    try:
        a = [math.sqrt(v) for v in x]
        z = sum(a)
    except ValueError:
        z = -1.0
    return z + 0.0


def try_compr_static_2(x, y, n):
    try:
        a = [math.sqrt(v) for v in (y, x[0], 1.0)]
        z = sum(a)
    except ValueError:
        z = -1.0
    return z


def try_loop_continue_2(x, y, n):
    s = 0.0
    for i in range(len(x)):
        try:
            v = math.sqrt(x[i])
        except ValueError:
            continue
        s += v * (i + 1)
    return s


def try_loop_break_2(x, y, n):
    s = 0.0
    for i in range(len(x)):
        try:
            s += math.sqrt(x[i])
        except ValueError:
            break
        finally:
            s += 10.0
    return s


def try_loop_inside_2(x, y, n):
    s = 0.0
    try:
        for i in range(len(x)):
            s += math.sqrt(x[i])
    except ValueError:
        s += 1000.0
    return s


def try_while_inside_2(x, y, n):
    i = 0
    s = 0.0
    try:
        while i < 20:
            s += x[i]
            i += 1
    except IndexError:
        s += i * 100
    return s


def try_subclass_2(x, y, n):
    try:
        if y > 0:
            raise Sub('s')
        raise Base('b')
    except Sub:
        return 1.0
    except Base:
        return 2.0


def try_else_not_caught_2(x, y, n):
    try:
        z = y
    except ValueError:
        z = 0.0
    else:
        z = math.sqrt(y)
    return z


def try_list_before_2(x, y, n):
    a = []
    try:
        a.append(y)
        a.append(math.sqrt(x[0]))
        a.append(3.0)
    except ValueError:
        a.append(-5.0)
        a.append(-6.0)
    return sum(a)


def try_uncaught_kind_2(x, y, n):
    try:
        z = math.sqrt(x[0])
    except KeyError:
        z = 0.0
    return z


def try_array_store_2(x, y, n):
    try:
        x[0] = 7.0
        x[1] = math.sqrt(x[2])
        x[3] = 8.0
    except ValueError:
        x[4] = -1.0
    return np.sum(x)


def try_store_index_2(x, y, n):
    try:
        x[n + 4] = 5.0
    except IndexError:
        return -1.0
    return float(x[0])


def try_return_in_loop_2(x, y, n):
    for i in range(len(x)):
        try:
            return math.log(x[i]) * 2
        except ValueError:
            pass
    return 0.5


def try_helper_loop_2(x, y, n):

    def find(v):
        for k in range(len(x)):
            if x[k] > v:
                return k
        raise ValueError('none')
    try:
        k = find(y)
    except ValueError:
        k = -1
    return k * 1.0


def try_retry_2(x, y, n):
    h = 1.0
    for _ in range(6):
        try:
            z = math.sqrt(y - h + 1.5)
            break
        except ValueError:
            h = h * 0.5
    else:
        z = 0.0
    return z + h


def try_finally_order_2(x, y, n):
    log = []
    try:
        log.append(1.0)
        math.sqrt(x[0])
        log.append(2.0)
    except ValueError:
        log.append(3.0)
    else:
        log.append(4.0)
    finally:
        log.append(5.0)
    return log[-1] * 10 + len(log)


def try_if_test_2(x, y, n):
    try:
        if math.sqrt(x[0]) > 0.6:
            return 1.0
        z = 2.0
    except ValueError:
        z = 3.0
    return z


def try_for_iter_2(x, y, n):
    s = 0.0
    try:
        for k in range(int(math.sqrt(x[0]) * 5)):
            s += k
    except ValueError:
        s = -1.0
    return s


def try_uncaught_finally_2(x, y, n):
    a = [0.0]
    try:
        a[0] = math.sqrt(x[0])
    finally:
        a.append(1.0)
    return sum(a)


def try_bare_2(x, y, n):
    try:
        z = 1 // n
    except:
        z = 99
    return z * 1.0


def try_message_2(x, y, n):
    try:
        if y > 0:
            raise ValueError('abc')
        raise ValueError('wxyz')
    except ValueError as e:
        return 1.0 * len(str(e))


def try_lambda_2(x, y, n):
    f = lambda v: math.sqrt(v) + 1.0
    try:
        return f(x[0])
    except ValueError:
        return -2.0


def try_method_2(x, y, n):
    class_ = None
    d = {'a': y}
    try:
        return d['a'] + d['zz']
    except KeyError as e:
        return d['a'] * 2


def try_type_2(x, y, n):
    try:
        return y + None
    except TypeError:
        return y


def try_assert_2(x, y, n):
    try:
        assert y > 0, 'neg'
        return y
    except AssertionError as e:
        return -y


def try_swap_2(x, y, n):
    a, b = (np.zeros(3), np.ones(3))
    try:
        a, b = (b, a)
        if y < 0:
            raise RuntimeError
        a = a * 2
    except RuntimeError:
        b[0] = 5.0
    return a[0] + 10 * b[0]


def try_grown_2(x, y, n):
    a = []
    for v in x:
        try:
            a.append(math.sqrt(v))
        except ValueError:
            a.append(-1.0)
    return sum(a)


def try_after_facts_2(x, y, n):
    try:
        v = x[n + 3]
    except IndexError:
        v = np.float64(0.0)
    try:
        w = x[n + 3]
    except IndexError:
        w = np.float64(1.0)
    return v + w


def lambdas_in_a_list(x, y, n):
    k = 5.0
    parts = [lambda a: a * k for k in range(3)]
    return sum(part(y) for part in parts) + k


def lambdas_in_a_dict(x, y, n):
    parts = {k: (lambda a: a * k) for k in range(3)}
    return parts[0](y) + parts[1](2.0)


def lambdas_in_lists_of_lists(x, y, n):
    parts = [[lambda a: a * k + j * m for k in range(3)] for j in range(2) for m in (x[0], y)]
    return sum(part(y) for row in parts for part in row)


def lambdas_that_are_called_at_once(x, y, n):
    return sum([(lambda a: a * v)(y) for v in x]) + sum((lambda a: a + k)(y) for k in range(3))


def lambdas_with_defaults(x, y, n):
    k = 4.0
    parts = [lambda a, k=k: a * k for k in range(3)]
    return parts[0](y) + parts[1](y) + k


def lambdas_in_a_generator(x, y, n):
    parts = (lambda a: a * k for k in range(3))
    return sum(part(y) for part in parts)


def partials_in_a_comprehension(x, y, n):
    parts = {k: functools.partial(lambda a, b: a * b + k, k) for k in range(3)}
    return sum(part(y) for part in parts.values())


def counted_under_keys(x, y, n):
    found = {0: 0.0, 1: 0.0, 2: 0.0}
    for i in range(len(x)):
        found[i % 3] += x[i] * y
    return found[0] - found[1] + 2 * found[2]


class CodedAndMore(Exception):

    def __init__(self, message, code=0.0):
        super().__init__(message, code)
        self.code = code
        self.twice = 2 * code


class Shown(ValueError):

    def __init__(self, v):
        self.v = v

    def __str__(self):
        return f'<{self.v}>'


def checked_log(x, n):
    if n > 1:
        raise ValueError(f'n = {n}')
    return math.log(x)


def message_of_one_of_two(x, y, n):
    try:
        return math.sqrt(y) / n
    except (ValueError, ZeroDivisionError) as e:
        raise RuntimeError(f'failed: {e}') from e


def message_printed(x, y, n):
    try:
        r = x[n + 2] * y
    except IndexError as e:
        print('error', e)
        r = 0.0
    return r


def attributes_of_own(x, y, n):
    try:
        if n > 1:
            raise CodedAndMore('big', y)
        if n > 0:
            raise NotConverged(n)
    except CodedAndMore as e:
        return e.code + e.twice + e.args[1]
    except NotConverged as e:
        return e.args[0] * 2.0
    return y


def messages_in_a_loop(x, y, n):
    s = 0.0
    for k in range(3):
        try:
            if x[k] < y:
                raise ValueError(f'{k} is small', k)
            s += math.sqrt(x[k])
        except ValueError as e:
            print(type(e).__name__, e, len(e.args))
            s += 1.0
    return s


def messages_as_repr(x, y, n):
    try:
        try:
            return x[n + 1] / n
        except IndexError as e:
            raise KeyError(n) from e
    except KeyError as e:
        print(f'{e!s} {e!r}')
        return -1.0
    except ZeroDivisionError as e:
        print(repr(e))
        return -2.0


def own_text(x, y, n):
    try:
        if n > 0:
            raise Shown(n)
    except ValueError as e:
        print(e)
        return float(e.v)
    return y


def message_kept(x, y, n):
    try:
        return checked_log(y, n)
    except ValueError as e:
        if n > 1:
            raise
        msg = str(e)
    print(msg)
    return 0.5


def message_of_assert(x, y, n):
    try:
        assert n < 1, f'n is {n}'
    except AssertionError as e:
        print(e, isinstance(e, Exception), e.args == ())
        return 2.0
    return y


def message_of_linalg(x, y, n):
    try:
        A = np.array([[y, 1.0], [1.0, n]])
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError as e:
        print('chol:', e)
        return -1.0
    return float(L[1, 1])


def text_on_one_path(x, y, n):
    s = f'a{n}' if n > 1 else 'b'
    print(s, f'[{s}]')
    if y < 0:
        raise ValueError(f'bad {s}')
    return y


def made_on_one_path(x, y, n):
    if n > 0:
        xs = [y, 2.0 * y]
        name = 'one'
        p = NotConverged
    if n > 1:
        xs.append(3.0)
    if n > 0:
        return sum(xs) + len(name)
    return y


def made_in_a_try(x, y, n):
    try:
        d = {'r': math.sqrt(y), 's': [x * 2]}
    except ValueError:
        return -1.0
    return float(d["r"] + d["s"][0][1])


def bound_on_one_side(x, y, n):
    if n > 0 and (k := (n * 2)) > 2:
        return k * y
    return y


def stores_before_it_raises(x, y, n):
    if n > 1:
        x[0] = 5.0
        raise ValueError(f"n = {n}")
    return y * x[0]


def stores_in_a_handler_that_raises(x, y, n):
    try:
        r = math.sqrt(y)
    except ValueError:
        x[0] = 5.0
        raise
    return r * x[1]


def element_that_nobody_reads(x, y, n):
    for i in range(n):
        x[i * 4]
    x[n]
    return y


class Abstract:
    def value(self, k):
        raise NotImplementedError(f"value of {k}")


def method_that_only_raises(x, y, n):
    total = y
    for k in range(n - 1):
        total += Abstract().value(k) * 2.0
    if y > 100.0:
        total = Abstract().value(n) + 1.0
    return total


def loop_behind_clear(x, y, n):
    held = {}
    for k in range(n):
        held[int(x[k] * 10)] = y
    held.clear()
    for key in held:
        y += held[key]
    return y + len(held)


def sums_that_begin_with_a_bool(x, y, n):
    return sum(x > 0.5, True), sum(x > 0.5, False), sum([bool(v > 0.5) for v in x if v > y], True), sum([v > 0.5 for v in x if v > -9.0], True), sum(x > 0.5, 1)


def exact_sum_of_a_text(x, y, n):
    return math.fsum([y, "3"] if n > 2 else [y, 3])


def scaled(a, b=2, *, scale=1.0):
    return a * b * scale


def with_known_keywords(x, y, n):
    options = {"scale": 3.0, "other": 5}
    known = inspect.signature(scaled).parameters
    kept = {key: value for key, value in options.items() if key in known}
    return scaled(y, **kept) + len(inspect.getfullargspec(scaled).args) + known["b"].default


def as_arrays(*names):
    def decorator(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            args = list(args)
            for name in names:
                place = inspect.getfullargspec(function).args.index(name)
                args[place] = np.asarray(args[place])
            return function(*args, **kwargs)

        return wrapper

    return decorator


@as_arrays("values")
def tripled(values, factor=3.0):
    return values * factor


def by_a_decorator_that_asks_for_the_signature(x, y, n):
    return tripled([y, 2.0 * y]) + tripled(y, factor=2.0)


PARTS = re.compile(r"(\w+)=(\d)")


def by_patterns(x, y, n):
    kept = {key: y * int(value) for key, value in PARTS.findall("a=1, bc=2")}
    key = re.sub(r"\W+", "_", "Full Name").lower()
    found = PARTS.search("none")
    return kept["a"] + kept["bc"] * len(key) if found is None and re.match("f", key) else y


def by_paths(x, y, n):
    name, ending = os.path.splitext(os.path.basename(os.path.join("data", "rates.csv")))
    return y * len(name) + (1.0 if ending == ".csv" and not os.path.isabs(name) else 0.0)


class Keywords:

    def taken(self, v, w=1.0):
        return v * w


def an_argument_that_is_given_twice_by_name(x, y, n):
    table = {"v": y} if n else {"w": y}
    return Keywords().taken(v=1.0, **table)


def a_star_behind_an_argument_by_name(x, y, n):
    table = {"v": y}

    def inner(v, w=1.0):
        return v * w

    return inner(**table, v=2.0)


def keywords_that_are_no_texts(x, y, n):
    table = {1: y}
    return Keywords().taken(**table)


def a_nested_function_with_too_many_arguments(x, y, n):
    def outer(v):
        def inner(w):
            return w * y

        return inner(v, w=n) if n else inner(v, n, 1.0)

    return outer(1.0)


def a_lambda_with_too_many_arguments(x, y, n):
    return (lambda v: v * y)(y, n)


def a_nested_function_with_arguments_by_position_only(x, y, n):
    def inner(v, /, *, w):
        return v * w

    return inner(v=y, w=2.0) if n else inner(y, 2.0)


def what_a_finally_raises_comes_instead(x, y, n):
    held = [v for v in x if v > 0.0]
    table = {"a": y}
    try:
        w = table["b" if y > 1.0 else "a"]
    except ArithmeticError:
        w = 0.0
    finally:
        w = held[n + 1]
    return w


def a_finally_that_fails_behind_a_list(x, y, n):
    held = [1.0, y]
    try:
        held.remove(x[0])
    finally:
        held[n] = 2.0
    return held[0]


def raised_again_from_a_loop(x, y, n):
    count = 0
    try:
        for v in x:
            if v > 2.5:
                raise KeyError("large")
            if v > 1.75:
                raise RuntimeError("larger")
    except Exception as error:
        count += len(str(error)) + n
        if n > 0:
            raise
    return y + count


def places_from_a_start(x, y, n):
    held = [v for v in x if v > -5.0]
    held.append(y)
    few = [y, 2.0, y, 1.0]
    return held.index(y, n) + 0.5 * held.index(x[1], n - 1, 4) + few.index(y, 1) + few.index(1.0, n, 4) + (y, 1.0, y).index(y, -1)


def a_place_behind_which_there_is_none(x, y, n):
    held = [v for v in x if v < 1.0]
    return held.index(held[0], n)


def merged_in_order(x, y, n):
    rising = sorted(float(v) for v in x if v > -1.0)
    total = 0.0
    for v in heapq.merge(rising, [y, y + 0.5], rising[n:]):
        total = 0.5 * total + v
    pairs = heapq.merge([(y, 1.0), (0.5, 2.0)], [(y, 3.0), (0.25, 4.0)], key=lambda pair: pair[0], reverse=True)
    return total + sum(k * number for k, (_, number) in enumerate(pairs))


def nan_in_a_list(x, y, n):
    held = [v for v in x if v > 0.0]
    return (y in held) + 2.0 * (x[0] in held) + 3.0 * (math.inf in held)


@dataclass(frozen=True)
class Cell:
    i: int
    j: int = 0


class Named:

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return isinstance(other, Named) and self.name.lower() == other.name.lower()

    def __hash__(self):
        return hash(self.name.lower())


class Unhashed:

    def __eq__(self, other):
        return True


def objects_as_keys_of_a_display(x, y, n):
    table = {Cell(1, 2): y, Cell(n, 2): 2.0 * y, Cell(3): 0.5}
    table[Cell(1, 2)] += 1.0
    named = {Named("a"): y, Named("A"): 2.0 * y, Named("b"): 1.0}
    return table[Cell(1, 2)] + table[Cell(n, 2)] + len(table) + sum(value * cell.i for cell, value in table.items()) + named[Named("a")] + len(named)


def objects_as_keys_of_a_comprehension(x, y, n):
    grid = {Cell(i, j): y * (i + j) for i in range(3) for j in range(3)}
    around = [grid[cell] for cell in (Cell(n + 1, 1), Cell(n - 1, 1)) if cell in grid]
    return sum(around) + len({Cell(k // 2) for k in range(4)}) + len({Cell(1), Cell(n), Cell(1)}) + len(set([Cell(1), Cell(1)]))


def an_object_without_a_hash_as_a_key(x, y, n):
    return len({Unhashed(): y})


def _put(items, v):
    items.append(v)
    return v


def _all_of(*args, **kwargs):
    return sum(k * v for k, v in enumerate(args)) + 10.0 * sum(kwargs.values())


def stars_in_front_of_what_later_items_change(x, y, n):
    held = [1.0, y]
    table = {"a": 1.0, "b": y}
    items = [*held, _put(held, 2.0), *held]
    merged = {**table, "c": table.pop("b")}
    return len(items) + sum(items) + _all_of(*held, _put(held, 3.0), *held) + len(merged) + _all_of(*held, k=_put(held, y)) + len((*held, held.pop())) + len(merged) * len(table)


def iterators_in_front_of_what_later_items_do(x, y, n):
    log = []

    def each(v):
        log.append(v)
        yield v * y

    items = [*each(1.0), _put(log, 2.0), *each(3.0)]
    return sum(k * v for k, v in enumerate(log)) + sum(items)


def a_star_in_front_of_a_grown_list_that_changes(x, y, n):
    held = [v for v in x if v > 0.0]
    return len([*held, _put(held, y)])


def an_iterator_that_changes_the_list_that_it_extends(x, y, n):
    held = [1.0, y]

    def each():
        for v in (2.0, 3.0):
            held.append(v)
            yield v

    held += each()
    return sum(k * v for k, v in enumerate(held))


def an_iterator_that_changes_the_list_that_it_is_stored_into(x, y, n):
    held = [1.0, y]

    def each():
        for v in (2.0, 3.0):
            held.append(v)
            yield v

    held[:] = each()
    return sum(k * v for k, v in enumerate(held))


def comprehensions_that_change_what_they_go_through(x, y, n):
    held, taken = [y, 2.0 * y, 3.0, 4.0 * y], []

    def take(value):
        taken.append(held.pop())
        return value * y

    found = [take(each) for each in held]
    others = [y, 2.0, 3.0 * y]
    sums = sum(others.pop() + each for each in others)
    put = [y, 1.0, y * y]
    seen = [(each, put.__setitem__(2, 7.0 * y))[0] for each in put]
    grown = [y * k for k in range(n + 3)]
    popped = [grown.pop() + each for each in grown]
    return found, held, taken, sums, others, seen, put, popped, grown


def a_dict_of_run_time_keys_is_taken_where_it_stands(x, y, n):
    table = {}
    for k in range(n + 1):
        table[2 * k] = y * k
    both = {**table, 7: table.pop(0), 9: y}
    return both, len(table), {7: y, **table}


def a_list_extended_by_what_changes_it(x, y, n):
    held = [y, 2.0 * y, 5.0, 3.0]
    held.extend(held.pop() + each for each in (1.0, y))
    return held


def zips_of_maps_that_change_something(x, y, n):
    seen = []

    def each(v):
        seen.append(v * y)
        return v

    pairs = [a * b for a, b in zip(map(each, x), [1.0, 2.0])]
    for _ in zip(map(each, x), (y, 3.0, 4.0)):
        pass
    return pairs, seen


def asked(v):
    """Prints for which item it is called."""
    print("asked", v)
    return v > 1


def searches_that_print(x, y, n):
    found = [any(asked(v) for v in x), any(map(asked, x)), all(map(asked, [1, 2, 3])), any(map(lambda v: print(v) or v > 1, x)), True in map(asked, x), False in (asked(v) for v in x)]
    biggest = max(map(asked, x)), sorted(asked(v) for v in x), [a + b for a, b in zip((v * asked(v) for v in x), x[1:])]
    return found, biggest


def items_are_made_when_they_are_asked_for(x, y, n):
    one, two, three = map(asked, x), (asked(v) for v in x), (asked(v * k) for k, v in enumerate([1.0, 2.0, y]))
    first = next(one), next(two), next(three)
    print("then")
    for found in one:
        print("got")
        if found:
            break
    for found in (asked(v) for v in x):
        print("got")
        if found:
            break
    print("last")
    return first, list(two), sum(three)


def what_nobody_asks_for_is_not_made(x, y, n):
    log = []
    never, neither = (log.append(v) for v in x), (log.append(v + k) for k, v in enumerate(x))
    later = (log.append(v) or v for v in x)
    k = len(log)
    return k, sum(later), len(log)


def searches_that_store(x, y, n):
    seen, log = np.zeros(len(x)), []

    def marked(k):
        seen[k] = 1.0
        return x[k] > 1

    def noted(v):
        log.append(v)
        return v * 2

    return any(map(marked, range(len(x)))), seen.sum(), 4.0 in map(noted, x), log, next((noted(v) for v in x if v > 0.6), 0.0), len(log)


def searches_that_draw(x, y, n):
    rng = np.random.default_rng(n)
    return any(map(lambda v: rng.random() > 0.5, x)), any(rng.random() > 0.7 for v in x), rng.random()


def a_search_ends_before_what_would_raise(x, y, n):
    def checked(v):
        if v > 2:
            raise ValueError(f"{v:.2f} is too large")
        return v < 0

    up = any(x[k] < x[k + 1] for k in range(len(x)))
    down = all(x[k] <= x[k + 1] for k in range(len(x)))
    first = next(k for k in range(100) if x[k] > 0.2)
    return up, down, first, any(map(checked, x)), -1.25 in (math.sqrt(v + 9.0) * 0 - 1.25 for v in x)


def a_search_inside_of_a_try(x, y, n):
    out = []
    for shift in (0.0, 1.0, 1.3, 3.0):
        try:
            one = any(math.log(v + shift) > 0.4 for v in x)
        except ValueError:
            one = False
        try:
            two = all(math.log(v + shift) < 0.4 for v in x if v < 2.5)
        except ValueError:
            two = True
        try:
            three = any(map(lambda v: math.sqrt(v + shift) > 1.2, x))
        except ValueError:
            three = False
        out.append((one, two, three))
    return out


def the_first_inside_of_a_try(x, y, n):
    k = 0
    try:
        k = 1 + 2 * next((i for i in range(100) if x[i] >= 10 * y), -1)
        k = k + 100
    except IndexError:
        k = k - 1000
    try:
        first = next(v for v in x if v >= 2.2)
    except StopIteration:
        first = x[0]
    try:
        largest = max(math.sqrt(v) for v in x)
    except ValueError:
        largest = x[1]
    return k, first, largest


def lists_that_change_while_they_are_gone_through(x, y, n):
    grown, left, seen, count = [v for v in x if v > 0], list(x), [], 0
    for v in grown:
        if v > 0.6:
            grown.append(v - 0.5)
    for v in left:
        seen.append(v * y)
        if v < 1:
            left.remove(v)
    for a in left:
        for b in left:
            if a > b and len(left) > 2:
                left.remove(b)
            count += 1
    pairs = [(v, 1) for v in x]
    for v, k in pairs:
        if v > 1 and k < 3:
            pairs.append((v - 1, k + 1))
    todo = [n + 20]
    for k in todo:
        for m in (k // 2, k // 3):
            if m > 0 and m not in todo:
                todo.append(m)
    else:
        todo.append(-1)
    return grown, left, seen, count, pairs, todo


class Piece:
    def __init__(self, size):
        self.size = size


def objects_that_are_cut_while_they_are_gone_through(x, y, n):
    pieces = [Piece(abs(v)) for v in x]
    for piece in pieces:
        if piece.size > 1:
            piece.size = piece.size / 2
            pieces.append(Piece(piece.size))
    front = list(x)
    k = 0
    for v in front:
        k += 1
        if v > 0 and k < 10:
            front.insert(0, v / 2)
        if k > 12:
            break
    return [piece.size for piece in pieces], front, k


def dict_of(x):
    return {k: v for k, v in enumerate(x)}


def dicts_that_change_while_they_are_gone_through(x, y, n):
    one, two, three = dict_of(x), dict_of(x), dict_of(x)
    for k in one:
        if one[k] < 0:
            del one[k]
            break
    for k, v in two.items():
        if v > 1:
            two[k + 100] = v
            break
    for k, v in three.items():
        three[k] = v * 2
    out = []
    for v in three.values():
        out.append(v)
        if v < y - 2:
            three[77] = 1.0
    return one, two, three, out


def a_dict_that_grows_raises(x, y, n):
    table = {"a": y, "b": 1.0}
    for k, name in enumerate(table):
        if k == n:
            table["c"] = y
    return table, n


def a_dict_that_shrinks_raises(x, y, n):
    table, total = dict_of(x), 0.0
    for k in table:
        total += table[k]
        if table[k] > 2:
            table.pop(k)
    return total


def a_deque_that_changes_raises(x, y, n):
    found = deque([y, 1.0])
    for v in found:
        found.popleft()
    return list(found), n


def membership_of_what_may_raise_inside_of_a_try(x, y, n):
    try:
        return 1.0 in (math.sqrt(v) for v in x if v < 5)
    except ValueError:
        return y


def what_is_found_or_raised_in_the_middle_of_a_statement(x, y, n):
    out, marks, total = [], np.zeros(3), 0.0
    try:
        out.append(any(math.log(v + 2.5) > 0.4 for v in x if v < 5))
    except ValueError:
        pass
    others = []
    try:
        others.append(any(math.sqrt(v + 0.3) > 1.2 for v in x))
    except ValueError:
        others.append(True)
    try:
        others.append(any(map(lambda v: math.sqrt(v + 1) > 1.2, x)))
    except ValueError:
        others.append(False)
    try:
        marks[0] = 1.0 + any(math.log(v) > 0.4 for v in x if v < 5)
        marks[1] = 1.0
    except ValueError:
        marks[2] = 1.0
    try:
        total += next(math.log(v) for v in x if v < 5) + any(math.log(v) > 0.4 for v in x if v < 5)
    except ValueError:
        total -= 100.0
    return out, others, list(marks), total


@dataclass
class Place:
    u: float
    v: float = 0.5


def a_dataclass_is_initialised_again(x, y, n):
    place = Place(y)
    before = place.u, place.v
    place.__init__(x[0], y)
    again = place.u, place.v
    place.__init__(u=2.0)
    return before, again, place.u, place.v, float(x.__array__().sum())


def a_dataclass_is_initialised_with_too_little(x, y, n):
    Place(y).__init__()
    return y
