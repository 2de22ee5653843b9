"""Small programs around the corners: aliases, shadowed names, containers in loops, joined types, stores that convert.

`REFUSED` are those that s2s must not accept (it can't know which array is meant, or what length a list has): an error at
the user's line, never a wrong number.
"""
import math

import numpy as np

from programs.case import Case


def normal(rng, *shape):
    """Normally distributed numbers."""
    return rng.normal(size=shape)


def nested_same_name(x):
    s = 0.0
    for i in range(3):
        for i in range(len(x)):
            s += x[i] * i
        s += i
    return s, i


def conditional_swap(x, y, n):
    a = x.copy()
    b = y.copy()
    for k in range(n):
        if a[0] < b[0]:
            a, b = b, a
        a[0] -= 0.5
        b[1] += a[1]
    return a, b


def branch_alias(x, y, c):
    if c > 0:
        a = x
    else:
        a = y
    a[0] = 10.0
    return x + y


def ident(v):
    return v


def returns_argument(x):
    y = ident(x)
    y[0] = 5.0
    return x * 2


def same_twice(x):
    def add_into(a, b):
        a += b
        return a
    return add_into(x, x) * 1.0


def list_in_loop(x, n):
    parts = [x, x * 2.0]
    for _ in range(n):
        parts[0] = parts[0] + parts[1]
        parts[1] = parts[1] * 0.5
    return parts


def dict_in_loop(x, n):
    state = {"a": x, "b": 1.0}
    for k in range(n):
        state["b"] = state["b"] + np.sum(state["a"])
        state["a"] = state["a"] * 0.9
    return state


def shrinking(x):
    s = 0.0
    while len(x) > 1:
        x = x[1:] - x[:-1]
        s += np.sum(x * x)
    return s


def growing(x, n):
    for k in range(n):
        x = np.concatenate([x, x[:1] * 2.0])
    return x


def append_runtime(x):
    out = []
    for v in x:
        if v > 0:
            out.append(v * v)
    return np.array(out)


def comp_runtime(x):
    return np.array([v * v for v in x])


def gen_sum(x):
    return sum(x[i] * i for i in range(len(x)))


def int_div(a, b):
    return a // b, a % b, divmod(a, b)


def py_div(a, b):
    return a / b


def neg_index(x, k):
    return x[-k]


def bad_store(x, y):
    x[1:] = y
    return x


def int_plus_float(n, y):
    n += y
    return n


def trunc_store(v):
    a = np.zeros(3, dtype=int)
    a[0] = v
    a[1:] = v * 2
    return a


def f4_store(x, v):
    x[0] = v
    x[1:] *= v
    return x


def mask_get(x, t):
    y = x[x > t]
    return y * 2, len(y), np.sum(x[x <= t])


def rebinding(x, n):
    for i in range(n):
        x = x * 2.0 - i
    return x


def nonlocal_count(x):
    count = 0.0
    def bump(v):
        nonlocal count
        count += v
        return count
    for v in x:
        bump(v)
    return count


def chained_index(A, v):
    A[1][2] = v
    A[0][1:][0] = 2 * v
    return A


def self_reverse(A):
    for i in range(len(A)):
        A[i] = A[i][::-1]
    return A


def chained_assign(x):
    a = b = np.zeros(3)
    a[0] = x[0]
    b[1] = x[1]
    return a, b


def swap_columns(A):
    A[:, 0], A[:, 1] = A[:, 1], A[:, 0]
    return A


def swap_rows_fancy(A, i, j):
    A[[i, j]] = A[[j, i]]
    return A


def swap_rows(A):
    A[0], A[1] = A[1], A[0].copy()
    return A


def row_self(A):
    row = A[0]
    row += row[::-1]
    return A


def rebind_then_store(x):
    y = x
    x = x + 1.0
    y[0] = 3.0
    return x, y


def branch_copy(x, c):
    if c > 0:
        x = x.copy()
    x[0] = 99.0
    return x


def ternary_alias(a, b, s):
    y = a if s > 0 else b
    return y * 2.0


def out_args(x, y):
    z = np.empty_like(x)
    np.add(x, y, out=z)
    np.multiply(z, 2.0, out=x)
    return z - x


def fill_method(x):
    x.fill(3.0)
    return x


def matmul_assign(A, B):
    A @= B
    return A


def while_true(x):
    n = 0
    while True:
        x *= 0.5
        n += 1
        if x < 1.0:
            break
    return x, n


def zips(x, y):
    s = 0.0
    for k, (a, b) in enumerate(zip(x, y)):
        s += k * a * b
    return s


def builtin_any(x):
    return any(v > 1 for v in x), all(v < 5 for v in x)


def message(x):
    if x > 1.0:
        raise ValueError(f"too big: {x}")
    return x * 2


def loop_alias(x, n):
    v = x
    for i in range(int(n)):
        v[i] += 1.0
        v = v[1:]
    return x


def view_carry(x, n):
    v = x[:]
    for i in range(int(n)):
        v[0] += 1.0
        v = v[::-1]
    return x


def early_view(A, k):
    row = A[k]
    A = A * 2.0
    row[0] = 7.0
    return A, row


def slice_negative(x, a, b):
    return x[-a:-b], x[::-2], x[a::-1], x[:-a:-1]


def scalar_array(x):
    y = x[0]
    x[0] = 100.0
    return y


def row_copy_vs_view(A):
    r = A[0]
    c = A[0].copy()
    A[0, 0] = -1.0
    return r[0] + c[0]


def transposed_alias(A):
    B = A.T
    B[0, 1] = 5.0
    A[2, 0] = 6.0
    return B


def bool_arith(x):
    m = x > 0
    return m.sum(), (m * x), ~m, m & (x < 1), -x[m].sum()


def int_pow(n):
    return n ** 2, 2 ** n, n ** 3 % 7


def while_array_cond(x):
    while np.max(np.abs(x)) > 0.1:
        x = x * 0.5
    return x


def tuple_carry(x, n):
    state = (x, 0.0)
    for k in range(n):
        state = (state[0] * 0.5, state[1] + state[0][0])
    return state


def continue_store(x):
    for i in range(len(x)):
        if x[i] < 0:
            x[i] = 0.0
            continue
        x[i] *= 2.0
    return x


def break_store(x, limit):
    t = 0.0
    for i in range(len(x)):
        t += x[i]
        x[i] = t
        if t > limit:
            break
    return x, t


def for_else_return(x):
    for i in range(len(x)):
        if x[i] < -10:
            return -1.0
    else:
        x = x * 2
    return np.sum(x)


def default_none(x, w=None):
    if w is None:
        w = np.ones(len(x))
    return np.sum(w * x)


def min_len(x, y):
    n = min(len(x), len(y))
    return x[:n] + y[:n]


def max_array(x):
    return max(x), min(x)


def compare_chain(x, y):
    return (0 < x) & (x < y), x == y, x != y


def float_floor(x, y):
    return x // y, x % y, np.floor(x / y), math.floor(x), round(x), int(x)


def complex_store(x):
    z = np.zeros(3, dtype=complex)
    z[0] = x
    z[1] = 1j * x
    z.real[2] = 4.0 * x
    return z.real - 2.0 * z.imag


def star_unpack(x):
    first, *middle, last = x[0], x[1], x[2], x[3]
    return first + last + middle[0] * middle[1]


def walrus(x):
    n = 0
    while (y := x * 0.5) > 1.0:
        x = y
        n += 1
    return x, n


def reduce_loop(A):
    total = np.zeros(A.shape[1])
    for row in A:
        total = total + row
    return total / len(A)


def augmented_slice_self(x):
    x[1:-1] = x[2:] - x[:-2]
    x[::2] += x[1::2].sum()
    return x


def two_level(x, n):
    def step(v, k):
        if k % 2 == 0:
            return v * 1.1
        elif k % 3 == 0:
            v[0] += 1.0
            return v
        return v - 0.1
    for k in range(n):
        x = step(x, k)
    return x


CASES = (
    Case(nested_same_name, lambda rng: (normal(rng, 4),), wrt=(0,)),
    Case(conditional_swap, lambda rng: (normal(rng, 3), normal(rng, 3), 5), wrt=(0, 1)),
    Case(returns_argument, lambda rng: (normal(rng, 3),), wrt=(0,)),
    Case(same_twice, lambda rng: (normal(rng, 3),), wrt=(0,)),
    Case(list_in_loop, lambda rng: (normal(rng, 3), 4), wrt=(0,)),
    Case(dict_in_loop, lambda rng: (normal(rng, 3), 4), wrt=(0,)),
    Case(shrinking, lambda rng: (normal(rng, 5),)),
    Case(growing, lambda rng: (normal(rng, 3), 3), wrt=(0,)),
    Case(int_div, lambda rng: (7, -2), more=(lambda rng: (-7, 2),), fails=((lambda rng: (1, 0), ZeroDivisionError),)),
    Case(int_div, lambda rng: (7.5, -2.0), more=(lambda rng: (-7.5, 2.0),), fails=((lambda rng: (1.0, 0.0), ZeroDivisionError),), name="float_div"),
    Case(py_div, lambda rng: (1.0, 2.0), wrt=(0, 1), fails=((lambda rng: (1.0, 0.0), ZeroDivisionError),)),
    Case(py_div, lambda rng: (np.float64(1.0), np.float64(0.0)), name="np_div"),
    Case(py_div, lambda rng: (3, 4), fails=((lambda rng: (1, 0), ZeroDivisionError),), name="int_true_div"),
    Case(neg_index, lambda rng: (normal(rng, 4), 4), wrt=(0,), fails=((lambda rng: (normal(rng, 4), 5), IndexError), (lambda rng: (normal(rng, 4), -4), IndexError))),
    Case(bad_store, lambda rng: (normal(rng, 4), normal(rng, 3)), wrt=(0, 1), more=(lambda rng: (normal(rng, 2), normal(rng, 1)),), fails=((lambda rng: (normal(rng, 4), normal(rng, 2)), ValueError),)),
    Case(int_plus_float, lambda rng: (np.array([1, 2]), np.array([3, 4])), name="int_plus_int"),
    Case(trunc_store, lambda rng: (2.7,)),
    Case(f4_store, lambda rng: (normal(rng, 3).astype("f4"), 0.1), wrt=(0, 1)),
    Case(mask_get, lambda rng: (normal(rng, 6), 0.1), wrt=(0,)),
    Case(rebinding, lambda rng: (normal(rng, 3), 3), wrt=(0,)),
    Case(chained_index, lambda rng: (normal(rng, 3, 3), 2.0), wrt=(0, 1)),
    Case(self_reverse, lambda rng: (normal(rng, 3, 3),), wrt=(0,)),
    Case(chained_assign, lambda rng: (normal(rng, 3),), wrt=(0,)),
    Case(swap_columns, lambda rng: (normal(rng, 3, 3),), wrt=(0,)),
    Case(swap_rows_fancy, lambda rng: (normal(rng, 3, 3), 0, 2), wrt=(0,)),
    Case(swap_rows, lambda rng: (normal(rng, 3, 3),), wrt=(0,)),
    Case(row_self, lambda rng: (normal(rng, 3, 3),), wrt=(0,)),
    Case(rebind_then_store, lambda rng: (normal(rng, 3),), wrt=(0,)),
    Case(ternary_alias, lambda rng: (normal(rng, 3), normal(rng, 3), 1.0), wrt=(0, 1)),
    Case(out_args, lambda rng: (normal(rng, 3), normal(rng, 3)), wrt=(0, 1)),
    Case(fill_method, lambda rng: (normal(rng, 3),)),
    Case(matmul_assign, lambda rng: (normal(rng, 3, 3), normal(rng, 3, 3)), wrt=(0, 1)),
    Case(while_true, lambda rng: (50.0,), wrt=(0,)),
    Case(zips, lambda rng: (normal(rng, 3), normal(rng, 4)), wrt=(0, 1)),
    Case(message, lambda rng: (0.5,), wrt=(0,), fails=((lambda rng: (2.0,), ValueError),)),
    Case(early_view, lambda rng: (normal(rng, 3, 3), 1), wrt=(0,)),
    Case(slice_negative, lambda rng: (normal(rng, 6), 3, 1), wrt=(0,)),
    Case(scalar_array, lambda rng: (normal(rng, 3),), wrt=(0,)),
    Case(row_copy_vs_view, lambda rng: (normal(rng, 3, 3),), wrt=(0,)),
    Case(transposed_alias, lambda rng: (normal(rng, 3, 3),), wrt=(0,)),
    Case(bool_arith, lambda rng: (normal(rng, 5),)),
    Case(int_pow, lambda rng: (3,)),
    Case(int_pow, lambda rng: (np.array([1, 2, 3]),), name="int_pow_arr"),
    Case(while_array_cond, lambda rng: (normal(rng, 3),), wrt=(0,)),
    Case(tuple_carry, lambda rng: (normal(rng, 3), 3), wrt=(0,)),
    Case(continue_store, lambda rng: (normal(rng, 5),), wrt=(0,)),
    Case(break_store, lambda rng: (normal(rng, 5) + 1, 2.0), wrt=(0,)),
    Case(for_else_return, lambda rng: (normal(rng, 5),), wrt=(0,)),
    Case(default_none, lambda rng: (normal(rng, 5),), wrt=(0,)),
    Case(default_none, lambda rng: (normal(rng, 5), normal(rng, 5)), wrt=(0, 1), name="default_given"),
    Case(min_len, lambda rng: (normal(rng, 5), normal(rng, 3)), wrt=(0, 1)),
    Case(max_array, lambda rng: (normal(rng, 5),), wrt=(0,)),
    Case(compare_chain, lambda rng: (normal(rng, 5), normal(rng, 5))),
    Case(float_floor, lambda rng: (7.3, 2.1)),
    Case(float_floor, lambda rng: (-7.5, 2.1), name="float_floor_neg"),
    Case(star_unpack, lambda rng: (normal(rng, 4),), wrt=(0,)),
    Case(reduce_loop, lambda rng: (normal(rng, 3, 4),), wrt=(0,)),
    Case(augmented_slice_self, lambda rng: (normal(rng, 6),), wrt=(0,)),
    Case(append_runtime, lambda rng: (normal(rng, 6),), wrt=(0,)),
    Case(comp_runtime, lambda rng: (normal(rng, 6),), wrt=(0,)),
    Case(gen_sum, lambda rng: (normal(rng, 6),), wrt=(0,)),
    Case(builtin_any, lambda rng: (normal(rng, 3),)),
    Case(nonlocal_count, lambda rng: (normal(rng, 3),), wrt=(0,)),
    Case(walrus, lambda rng: (50.0,), wrt=(0,), more=(lambda rng: (0.5,),)),
    Case(branch_alias, lambda rng: (normal(rng, 3), normal(rng, 3), 1.0), wrt=(0, 1), more=(lambda rng: (normal(rng, 3), normal(rng, 3), -1.0),)),
    Case(branch_copy, lambda rng: (normal(rng, 3), 1.0), wrt=(0,), more=(lambda rng: (normal(rng, 3), -1.0),)),
    Case(two_level, lambda rng: (normal(rng, 4), 7), wrt=(0,)),
    Case(complex_store, lambda rng: (2.0,), wrt=(0,)),
)

REFUSED = (
    Case(loop_alias, lambda rng: (normal(rng, 6), 3.0), wrt=(0,)),
    Case(view_carry, lambda rng: (normal(rng, 4), 3.0), wrt=(0,)),
)
