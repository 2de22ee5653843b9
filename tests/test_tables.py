"""Lists of tuples, lists and objects, heaps and deques, whose length only the run knows: value, both derivatives, batches, writes, exceptions."""
import heapq
from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

import s2s

X = np.array([0.7, -1.0, 2.0, 0.75, -0.3, 1.1, 0.2])
W = np.abs(np.random.default_rng(0).normal(size=(6, 6))) + 0.1


def tuple_list_cond(x, n):
    pairs = []
    for i in range(len(x)):
        if x[i] > 0:
            pairs.append((x[i] ** 2, i))
    s = 0.0
    for v, i in pairs:
        s += v * i
    return s + len(pairs)


def tuple_list_store(x, n):
    pairs = [(0.0, -1)]
    for i in range(n):
        pairs.append((x[i], i))
    pairs[1] = (x[0] * 2, 7)
    a, b = pairs[1]
    c = pairs[-1]
    return a * b + c[0]


def compre(x, n):
    p = [(x[i], i) for i in range(n)]
    return sum(v * k for v, k in p), p[0][1], len(p)


def compre_if(x, n):
    p = [(v, i) for i, v in enumerate(x) if v > 0]
    t = 0.0
    for v, i in p:
        t += v * (i + 1)
    return t


def maxi(x, n):
    p = []
    for i in range(len(x)):
        p.append((x[i], i))
    return max(p)[1], min(p)[0]


def maxkey(x, n):
    p = []
    for i in range(len(x)):
        p.append((i, x[i]))
    return max(p, key=lambda t: t[1])[0], min(p, key=lambda t: t[1])[1]


def sorted_key(x, n):
    p = []
    for i in range(len(x)):
        p.append((i, x[i]))
    q = sorted(p, key=lambda t: t[1], reverse=True)
    return q[0][1] * 2 + q[1][0]


def sorted_plain(x, n):
    p = [(x[i], i) for i in range(n)]
    p.sort()
    s = 0.0
    for rank, (v, i) in enumerate(p):
        s += rank * v + i
    return s


def sort_key(x, n):
    p = [(i, x[i]) for i in range(n)]
    p.sort(key=lambda t: -t[1])
    return p[0][1], p[-1][0]


def event(x, n):
    h = [(0.0, 0)]
    t = 0.0
    for _ in range(n):
        t, i = heapq.heappop(h)
        heapq.heappush(h, (t + x[i] ** 2, (i + 1) % len(x)))
        heapq.heappush(h, (t + 2 * abs(x[i]), (i + 2) % len(x)))
    return t, len(h)


def dij(w, n):
    m = len(w)
    dist = np.full(m, np.inf)
    dist[0] = 0.0
    h = [(0.0, 0)]
    while h:
        d, u = heapq.heappop(h)
        if d > dist[u]:
            continue
        for v in range(m):
            nd = d + w[u, v]
            if nd < dist[v]:
                dist[v] = nd
                heapq.heappush(h, (nd, v))
    return dist


def bfs(x, n):
    q = deque([0])
    s = 0.0
    while q:
        i = q.popleft()
        s += x[i] * (i + 1)
        if 2 * i + 1 < len(x):
            q.append(2 * i + 1)
        if 2 * i + 2 < len(x):
            q.append(2 * i + 2)
    return s


def bfs2(x, n):
    q = deque([(0, 1.0)])
    s = 0.0
    while q:
        i, w = q.popleft()
        s += x[i] * w
        for j in (2 * i + 1, 2 * i + 2):
            if j < len(x):
                q.append((j, w * 0.5))
    return s


def window(x, n):
    q = deque(maxlen=3)
    out = []
    for v in x:
        q.append(v)
        out.append(sum(q) / len(q))
    return out


def heapnum(x, n):
    h = []
    for v in x:
        heapq.heappush(h, v)
    s = 0.0
    k = 1
    while h:
        s += k * heapq.heappop(h)
        k += 1
    return s


def stack_dfs(x, n):
    st = [(0, 1.0)]
    s = 0.0
    while st:
        i, w = st.pop()
        s += w * x[i]
        if 2 * i + 2 < len(x):
            st.append((2 * i + 2, w * 0.5))
            st.append((2 * i + 1, w * 0.25))
    return s


def insert0(x, n):
    a = []
    for v in x:
        a.insert(0, v)
    return a[0] * 2 + a[-1]


def popk(x, n):
    a = [v for v in x]
    b = a.pop(n - 1)
    c = a.pop(0)
    return b * 3 + c * 5 + a[0], len(a)


def dele(x, n):
    a = [(v, i) for i, v in enumerate(x)]
    del a[n - 1]
    return a[0][0], a[-1][1], len(a)


def rev(x, n):
    a = [(v, i) for i, v in enumerate(x)]
    a.reverse()
    return a[0][0], a[0][1]


def asarr(x, n):
    a = [(v, i) for i, v in enumerate(x)]
    return np.array(a)


@dataclass
class Particle:
    t: float
    k: int


def objs(x, n):
    a = []
    for i in range(n):
        a.append(Particle(x[i], i))
    return sum(p.t * p.k for p in a)


def objs_heap(x, n):
    a = []
    for i in range(n):
        heapq.heappush(a, (x[i], i))
    b = [heapq.heappop(a) for _ in range(n)]
    return b[0][0], b[-1][1]


def path_rec(x, n):
    prev = []
    for i in range(n):
        prev.append(i // 2)
    node = n - 1
    path = []
    while node != 0:
        path.append(node)
        node = prev[node]
    path.append(0)
    path.reverse()
    s = 0.0
    for k, v in enumerate(path):
        s += k * x[v]
    return s


def adjl(x, n):
    nb = [[1, 2], [3], [3], []]
    q = [0]
    seen = [False] * 4
    s = 0.0
    while q:
        u = q.pop(0)
        s += x[u] * (len(q) + 1)
        for v in nb[u]:
            if not seen[v]:
                seen[v] = True
                q.append(v)
    return s


def helper_ret(x, n):
    def f(k):
        p = []
        for i in range(k):
            p.append((x[i], i))
        return p
    return sum(a * b for a, b in f(n))


def zip_lists(x, n):
    a = []
    b = []
    for i in range(n):
        a.append((x[i], i))
        b.append(x[i] ** 2)
    return sum(u * k * w for (u, k), w in zip(a, b))


def nested(x, n):
    p = []
    for i in range(n):
        p.append(((x[i], i), x[i] * 2))
    s = 0.0
    for (a, k), b in p:
        s += a * k * b
    return s


def arrs(x, n):
    p = []
    for i in range(n):
        p.append((x * i, i))
    s = 0.0
    for a, k in p:
        s += a.sum() * k
    return s


def lists_in(x, n):
    p = []
    for i in range(n):
        p.append([x[i], i])
    s = 0.0
    for q in p:
        s += q[0] * q[1]
    return s


def enum_sorted(x, n):
    s = 0.0
    for rank, (i, v) in enumerate(sorted(enumerate(x), key=lambda t: -t[1])):
        s += rank * v * (i + 1)
    return s


def records(x, n):
    out = [{"at": x[k], "size": k, "of": (x * k, 1.5)} for k in range(n)]
    out.append(dict(at=x[0] * x[1], size=7, of=(x, 2.5)))
    out.sort(key=lambda record: -record["size"])
    best = max(out, key=lambda record: record["at"])
    total = best["at"] + best.get("none", 0.5)
    for record in out[1:]:
        for name, value in record.items():
            if name == "of":
                total += np.sum(value[0]) * value[1]
        last = {**record, "size": 3}
        total += last["size"] * record["at"] + ("at" in record)
    return total


PROGRAMS = (tuple_list_cond, tuple_list_store, compre, compre_if, maxi, maxkey, sorted_key, sorted_plain, sort_key, event, dij, bfs, bfs2, window, heapnum, stack_dfs, insert0, popk, dele, rev, asarr, objs, objs_heap, path_rec, adjl, helper_ret, zip_lists, nested, arrs, lists_in, enum_sorted, records)


def arguments(program):
    return (W, 6) if program is dij else (X, 5)


def flat(result):
    """All numbers of a result."""
    return np.concatenate([np.ravel(np.asarray(part, float)) for part in (result if isinstance(result, tuple) else (result,))])


def loss(program):
    def total(x, n):
        result = program(x, n)
        return np.sum(result[0] if isinstance(result, tuple | list) else result) * 1.0

    return total


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_right(program):
    x, n = arguments(program)
    wanted, found = program(x.copy(), n), s2s.jit(program, target="numpy")(x, n)
    assert type(found) is type(wanted)
    np.testing.assert_allclose(flat(found), flat(wanted), rtol=1e-12)
    total, step = loss(program), 1e-6 * np.random.default_rng(1).normal(size=x.shape)
    wanted = (total(x + step, n) - total(x - step, n)) / 2
    np.testing.assert_allclose(np.sum(s2s.jit(s2s.grad(total), target="numpy")(x, n) * step), wanted, rtol=1e-4, atol=1e-12)
    np.testing.assert_allclose(s2s.jit(lambda z, v: s2s.jvp(lambda u: total(u, n), (z,), (v,))[1], target="numpy")(x, step), wanted, rtol=1e-4, atol=1e-12)
    batch = np.stack([x, x[::-1] * 1.3 + 0.05])
    found = s2s.jit(s2s.vmap(total, in_axes=(0, None)), target="numpy")(batch, n)
    np.testing.assert_allclose(found, [total(each, n) for each in batch], rtol=1e-12)


def test_compiled():
    def together(x, n):
        w = x[:4, None] ** 2 + np.abs(x[None, :4]) + 0.1
        return np.sum(dij(w, n)) + event(x, n)[0] + heapnum(x, n) + bfs2(x, n) + sorted_plain(x, n) + objs(x, n) + compre(x, n)[0]

    value, x_bar = s2s.value_and_grad(together)(X, 5)
    wanted, x_bar_wanted = s2s.jit(s2s.value_and_grad(together), target="numpy")(X, 5)
    np.testing.assert_allclose(value, together(X, 5), rtol=1e-12)
    np.testing.assert_allclose((value, *x_bar), (wanted, *x_bar_wanted), rtol=1e-12)


def popped_empty(x, n):
    q = deque()
    for k in range(n):
        q.append((x[k], k))
    for _ in range(n + 1):
        q.popleft()
    return len(q)


def heap_empty(x, n):
    q = []
    for k in range(n):
        heapq.heappush(q, (x[k], k))
    for _ in range(n + 1):
        heapq.heappop(q)
    return len(q)


def pop_outside(x, n):
    q = [v for v in x]
    return q.pop(n + 7)


def nothing_to_compare(x, n):
    return min([(v, k) for k, v in enumerate(x) if v > 100.0])


@pytest.mark.parametrize("program", [popped_empty, heap_empty, pop_outside, nothing_to_compare])
def test_raises_as_python(program):
    with pytest.raises(Exception) as wanted:
        program(X, 3)
    with pytest.raises(type(wanted.value)) as found:
        s2s.jit(program, target="numpy")(X, 3)
    assert str(wanted.value) in str(found.value) or program is nothing_to_compare


def changed_later(x, n):
    out = []
    for k in range(n):
        p = [x[k], k]
        out.append(p)
        p[0] = 5.0
    return out[0][0]


def changed_in_the_list(x, n):
    out = [Particle(x[k], k) for k in range(n)]
    out[0].t = 3.0
    return out[0].t


def of_two_shapes(x, n):
    out = [(x[0], 0)]
    for k in range(n):
        out.append((x[k], k, k))
    return len(out)


def the_same(x, n):
    out = []
    for k in range(n):
        p = Particle(x[k], k)
        out.append(p)
    return 1.0 if out[-1] is p else 2.0


def record_changed_later(x, n):
    record = {"at": x[0], "size": 1}
    out = [record for k in range(n)]
    record["size"] = 5
    return out[0]["size"]


def record_changed_in_the_list(x, n):
    out = [{"at": x[0], "size": 1} for k in range(n)]
    for record in out:
        record["size"] = 5
    return out[0]["size"]


def rows_changed_later(x, n):
    row = [1.0, 2.0]
    out = [row for k in range(n)]
    row[0] = 9.0
    return out[0][0]


def test_items_of_two_shapes():
    compiled = s2s.jit(lambda x, y: of_two_shapes(x, int(y)), target="numpy")
    assert [compiled(X, float(n)) for n in range(4)] == [of_two_shapes(X, n) for n in range(4)]


def test_what_the_run_says_of_the_same():
    """Also where only floats decide how many there are."""
    assert s2s.jit(the_same, target="numpy")(X, 3) == the_same(X, 3)
    assert s2s.jit(lambda x, y: the_same(x, int(y)), target="numpy")(X, 3.0) == the_same(X, 3)


def test_lists_of_numbers_of_two_types_that_are_changed_later():
    """Where only floats decide how many there are, too."""
    assert s2s.jit(changed_later, target="numpy")(X, 3) == changed_later(X, 3)
    assert s2s.jit(lambda x, y: changed_later(x, int(y)), target="numpy")(X, 3.0) == changed_later(X, 3)


@pytest.mark.parametrize("program", [changed_in_the_list, rows_changed_later, record_changed_later, record_changed_in_the_list])
def test_changed_later(program):
    assert s2s.jit(program, target="numpy")(X, 3) == program(X, 3)
