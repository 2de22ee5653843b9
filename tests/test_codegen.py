"""What the emitted kernels look like and do: storage, loops, bounds, dtypes, BLAS."""
from __future__ import annotations

import numpy as np
import pytest

import s2s
from s2s.codegen.emit import emit_kernels
from s2s.errors import ArgumentValueError


def kernel(fun, *args, target="cpu"):
    """The text of the kernels, without what stands around them."""
    text = s2s.jit(fun, target=target).source(*args)
    return text[text.index("@njit"):].partition("\n\n\ndef _")[0] if target == "cpu" else text


def check(fun, *args, target="cpu"):
    """The compiled function gives what NumPy gives, mutates what NumPy mutates; its kernel's text."""
    mine = [np.array(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    theirs = [np.array(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    got, want = s2s.jit(fun, target=target)(*mine), fun(*theirs)
    got, want = (0.0 if each is None else each for each in (got, want))
    for first, second in zip((got, *mine), (want, *theirs), strict=True):
        np.testing.assert_allclose(first, second, rtol=1e-12)
        assert np.asarray(first).dtype == np.asarray(second).dtype
    return kernel(fun, *args, target=target)


# ---- storage --------------------------------------------------------------------------------------------------------


def test_stores_are_in_place():
    def sweep(u):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])

    text = check(sweep, np.arange(6.0) ** 2)
    assert "np.empty" not in text
    assert "u[i] = 0.5 * (u[i - 1] + u[i + 1])" in text
    assert "raise" not in text  # all three are proven in bounds


def test_an_old_value_is_kept_only_where_it_is_read_again():
    def both(u):
        old = u.copy()
        u[0] = 7.0
        return old[0] + u[0] + old[1]

    def one(u):
        old = u[0]
        u[0] = 7.0
        return old + u[0]

    check(both, np.arange(4.0))
    assert "np.empty" not in check(one, np.arange(4.0))


def test_an_elementwise_update_overwrites_its_operand():
    def decay(x, steps):
        x = x * 1.0
        for _ in range(steps):
            x = x * 0.5 + 1.0
        return x

    assert "x[i] = x[i] * 0.5 + 1.0" in check(decay, np.arange(3.0), 3)


def test_a_product_exchanges_two_buffers():
    def power(A, x, steps):
        for _ in range(steps):
            x = A @ x
        return x

    text = kernel(power, np.eye(3) * 2.0, np.ones(3), 4)
    assert "= x_1, x" in text or "x, x_1 = x_1, x" in text or "x_size" in text
    check(power, np.eye(3) * 2.0, np.ones(3), 4)


def test_swapped_arrays_are_not_copied():
    def swap(u, steps):
        v = u * 2.0
        u = u + 1.0
        for _ in range(steps):
            u, v = v, u
        return u

    text = check(swap, np.arange(4.0), 3)
    assert "u_1, v = v, u_1" in text
    assert text.count("for ") == 3


def test_overlapping_slices():
    def shift(x):
        x[1:] = x[:-1]
        x[::-1] = x
        return x

    check(shift, np.arange(5.0))
    check(shift, np.arange(5.0), target="numpy")


def test_a_view_is_read_before_its_array_changes():
    def rotate(x):
        first = x[:2] * 1.0
        x[:2] = x[2:4]
        x[2:4] = first
        return x

    check(rotate, np.arange(5.0))
    check(rotate, np.arange(5.0), target="numpy")


def test_temporaries_of_one_shape_are_one_piece_of_memory():
    """But for arrays that are returned: they own their memory."""

    def orbit(x, v, n):
        for _ in range(n):
            x, v = x + 0.1 * v * x, v - 0.1 * x * x
        return x

    assert "tape = np.empty((2, max(n, 0)))" in s2s.grad(orbit).source(1.0, 0.5, 10)

    def pair(x):
        a, b = np.empty(len(x)), np.empty(len(x))
        for i in range(len(x)):
            a[i], b[i] = x[i] + 1.0, x[i] * 2.0
        return a, b

    for array in s2s.jit(pair)(np.arange(4.0)):
        assert array.base is None


def test_branches_share_storage():
    def fix(u, flag):
        if flag > 0.0:
            u[0] = 1.0
        else:
            u[1] = 2.0
        return u[0] + u[1]

    text = check(fix, np.zeros(3), 1.0)
    assert "np.empty" not in text
    check(fix, np.zeros(3), -1.0)


# ---- loops ----------------------------------------------------------------------------------------------------------


def test_array_equations_become_one_loop_without_temporaries():
    def f(x, y):
        return np.sum(np.exp(x) * y - x / (1.0 + y * y))

    text = check(f, np.linspace(0, 1, 5), np.linspace(1, 2, 5))
    assert text.count("for ") == 1
    assert "np.empty" not in text


def test_a_matrix_product_feeds_its_consumers_row_by_row():
    def f(A, x):
        z = A @ x
        return np.sum(z * z - np.exp(z))

    text = check(f, np.random.default_rng(0).normal(size=(4, 3)), np.arange(3.0))
    assert text.count("for ") == 2
    assert "np.empty" not in text


def test_a_running_sum_is_not_mistaken_for_a_temporary():
    def running(x):
        s = 0.0
        out = np.empty(len(x))
        for i in range(len(x)):
            s = s + x[i]
            out[i] = s
        return np.sum(out * out)

    check(running, np.arange(5.0))


def test_only_sums_may_be_reassociated():
    def total(x):
        return np.sum(x)

    def kahan(x):
        s = c = 0.0
        for i in range(len(x)):
            y = x[i] - c
            t = s + y
            c = (t - s) - y
            s = t
        return s

    assert "fastmath" in kernel(total, np.ones(3))
    assert "fastmath" not in kernel(kahan, np.ones(3))


def test_large_matrices_go_through_blas():
    def product(A, B):
        return A @ B, A.T @ A, (B @ A).T

    rng = np.random.default_rng(0)
    for size in (3, 70):
        A, B = rng.normal(size=(size, size + 1)), rng.normal(size=(size + 1, size))
        for got, want in zip(s2s.jit(product)(A, B), product(A, B), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-10)


def test_a_product_is_added_where_it_belongs_under_equal_sizes_too():
    def squares(W, x):
        total = 0.0
        for t in range(len(x)):
            y = x[t] @ W  # the row of x is as long as W is high: that is checked, and the product's size another name for it
            total += np.sum(y * y)
        return total

    gradient = s2s.grad(squares)
    rng = np.random.default_rng(0)
    for size in (2, 40):
        W, x = rng.normal(size=(size, size + 1)), rng.normal(size=(3, size + 2, size))
        np.testing.assert_allclose(gradient(W, x), sum(2.0 * part.T @ (part @ W) for part in x), rtol=1e-11)
    assert "W_bar, True)" in gradient.source(W, x)


# ---- bounds ---------------------------------------------------------------------------------------------------------


def test_what_is_not_proven_is_checked():
    def pick(x, i):
        return x[i]

    f = s2s.jit(pick)
    x = np.arange(5.0)
    assert f(x, 4) == 4.0
    assert f(x, -5) == 0.0
    for bad in (5, -6, 2**62, -(2**62)):
        with pytest.raises(IndexError, match=f"index {bad} is out of bounds for axis 0 with size 5"):
            f(x, bad)


def test_positions_are_checked_before_anything_is_stored():
    def scatter(x, k):
        x[k] = 1.0

    f = s2s.jit(scatter)
    x = np.zeros(4)
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        f(x, np.array([0, 4]))
    assert not x.any()
    f(x, np.array([0, -1]))
    assert x.tolist() == [1.0, 0.0, 0.0, 1.0]


def test_an_allocation_that_left_its_loop_or_passed_a_check_never_fails(monkeypatch):
    monkeypatch.setattr("numba.core.config.DISABLE_JIT", 1)

    def in_loop(a):
        s = 0.0
        for i in range(len(a)):
            w = np.zeros(len(a) - 1)
            for j in range(1, len(w)):
                w[j] = w[j - 1] + a[j] * a[i]
            s += w.sum()
        return s

    def behind_a_check(a, n):
        assert n > 2, "too few"
        w = np.zeros(n - 3)
        for i in range(1, n - 3):
            w[i] = w[i - 1] * 0.5 + a[i]
        return w

    f, g = s2s.jit(in_loop), s2s.jit(behind_a_check)
    for size in (5, 2, 0):
        assert f(np.arange(float(size))) == in_loop(np.arange(float(size)))
    assert g(np.arange(5.0), 5).tolist() == behind_a_check(np.arange(5.0), 5).tolist()
    with pytest.raises(AssertionError, match="too few"):
        g(np.arange(5.0), 2)


def test_a_check_is_made_once():
    def twice(x, i):
        x[i] = x[i] + 1.0
        return x[i] * x[i]

    assert kernel(twice, np.zeros(3), 1).count("raise") == 1


def test_tests_of_branches_count():
    def guarded(x, i):
        if 0 <= i and i < len(x):  # noqa: PLR1716 - both forms should be understood
            return x[i]
        return 0.0

    check(guarded, np.arange(3.0), 1)
    check(guarded, np.arange(3.0), 7)


# ---- dtypes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["cpu", "numpy"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.complex128, np.complex64])
def test_dtypes_are_numpys(dtype, target):
    def f(x):
        y = x * 2 + 1
        s = x[0] * 0
        for i in range(len(x)):
            s = s + y[i] * x[i]
        return y * x - y + s

    check(f, np.arange(1, 5).astype(dtype), target=target)


def test_bools_that_are_known_stay_bools():
    def inverted(x):
        known = np.zeros(len(x), dtype=bool)
        return ~known, np.where(~known, x, 0.0), (~known).sum(), ~(~known & (x > 0))

    x = np.arange(4.0) - 1
    for found, wanted in zip(s2s.jit(inverted, target="numpy")(x), inverted(x), strict=True):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype


def test_known_arrays_divide_as_arrays_do():
    def divided(x):
        one, none = np.ones(len(x)), np.zeros(len(x))
        return one / none, none // none, none % none, np.full(len(x), 3) // np.zeros(len(x), np.int64), x / none

    with np.errstate(all="ignore"):
        for found, wanted in zip(s2s.jit(divided, target="numpy")(np.ones(3)), divided(np.ones(3)), strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_int32_wraps():
    def f(x):
        return (x * x) // (x + 1)

    check(f, np.array([70000, 3], np.int32))


# ---- text -----------------------------------------------------------------------------------------------------------


def test_parentheses_are_minimal():
    def f(a, b, c):
        return -(a + b) * c - (a - (b - c)) / (a * (b / c)) + (a * b) * c

    assert "return " in check(f, 1.5, 2.5, 3.5)


_STORED_AFTER = {
    "diagonal": lambda z, n: sum_of(n, lambda i: z[i, i] * z[0, i]), "trace": lambda z, n: sum_of(n, lambda i: np.trace(z)), "rows": lambda z, n: sum_of(n, lambda i: np.sum(z[i] ** 2)),
}  # fmt: skip
_REPEATED = {
    "turned": lambda z: np.sum(z.T * 0.73), "reversed": lambda z: np.sum(z[::-1] * 0.73), "flat": lambda z: np.sum(z.reshape(-1) * 0.73), "part": lambda z: np.sum(z[1:].T * 0.73),
    "weighed": lambda z: np.sum(z.T @ np.arange(3.0)), "scaled": lambda z: np.sum(z.T * np.exp(np.arange(3.0))), "of_more_axes": lambda z: np.sum(np.transpose(z[None], (2, 0, 1)) * 0.73),
}  # fmt: skip


def sum_of(n, term):
    total = 0.0
    for i in range(n):
        total += term(i)
    return total


@pytest.mark.parametrize("repeated", _REPEATED)
@pytest.mark.parametrize("stored", _STORED_AFTER)
def test_what_repeats_a_number_is_copied_before_a_store(stored, repeated):
    """A cotangent that is one number or one row everywhere has a place for each element where some are added to."""
    first, last = _STORED_AFTER[stored], _REPEATED[repeated]

    def both(z, n):
        return first(z, n) + last(z)

    def scaled(z, n):
        return np.sin(both(z, n))

    z = np.random.default_rng(3).normal(size=(3, 3))
    got = s2s.jit(s2s.grad(scaled), target="numpy")(z, 3)
    want = s2s.jit(s2s.jacfwd(scaled), target="numpy")(z, 3)
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_sums_that_keep_their_axes_stay_so():
    """As the user writes it; and the derivative is handed one array, not another shape of it too."""
    def normed(x, g, b):
        mean, variance = np.mean(x, axis=-1, keepdims=True), np.var(x, axis=-1, keepdims=True)
        return g * (x - mean) / np.sqrt(variance + 1e-5) + b

    def loss(x, g, b):
        return np.sum(np.sin(normed(np.tanh(x), g, b)))

    args = np.linspace(-1.0, 2.0, 12).reshape(3, 4), np.linspace(0.5, 1.0, 4), np.ones(4)
    text = s2s.jit(s2s.grad(loss), target="numpy").source(*args)
    code = [line for line in text.splitlines() if "#" not in line]
    assert "reshape" not in text and sum("keepdims=True" in line for line in code) == 5
    check(loss, *args, target="numpy")
    np.testing.assert_allclose(s2s.jit(s2s.grad(loss), target="numpy")(*args), s2s.jit(s2s.jacfwd(loss), target="numpy")(*args), rtol=1e-12)


def test_names_do_not_clash():
    def f(exp, np_, i):
        njit = np.exp(exp[0]) + np_
        for j in range(i):
            njit += exp[0] * j
        return np.sum(exp) + njit

    check(f, np.arange(1.0, 4.0), 2.0, 3)
    check(f, np.arange(1.0, 4.0), 2.0, 3, target="numpy")


def test_unknown_target():
    with pytest.raises(ArgumentValueError, match="no target"):
        emit_kernels(None, name="f", target="gpu")  # type: ignore[arg-type]


def long_products(a, b):
    left, right = a.T, b.T
    return left @ b, a.T.copy() @ b.T.copy().T, right @ a


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_products_that_sum_many_terms_are_taken_in_pieces(dtype):
    """BLAS takes such sums in pieces; the last one is shorter."""
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=(3001, width)).astype(dtype) for width in (20, 13))
    for one, other in zip(s2s.jit(long_products, target="cpu")(a, b), long_products(a, b), strict=True):
        assert one.dtype == dtype
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


def test_numbers_that_are_picked_have_their_dtype_on_the_numpy_target():
    def picked(x):
        y = np.where(x > 0, 1, x)
        return np.reshape(y, (1,)), np.maximum(x, 1).reshape(1), np.broadcast_to(np.clip(x, 0, 1), (2,)), np.repeat(np.fmin(x, 2), 2)

    for x in (0.5, 2.5, -2.0):
        for dtype in (np.float32, np.float64, np.int8, np.uint16, np.int32):
            value = np.asarray(abs(x) if dtype == np.uint16 else x).astype(dtype)
            for found, wanted in zip(s2s.jit(picked, target="numpy")(value), picked(value), strict=True):
                assert found.dtype == wanted.dtype
                assert np.array_equal(found, wanted)


def test_a_vector_added_at_a_matrix_of_places():
    """NumPy's own add.at reads beyond the vector there."""
    def at_places(v, places, x):
        return np.sum(x[places] @ v)

    v, places, x = np.arange(1.0, 5.0), np.arange(2)[:, None] + np.arange(4), np.arange(5.0)
    for target in ("numpy", "cpu"):
        value, pullback = s2s.vjp(s2s.jit(lambda x: at_places(v, places, x), target=target), x)
        assert value == at_places(v, places, x)
        assert np.array_equal(pullback(1.0)[0], [1.0, 3.0, 5.0, 7.0, 4.0])
        value, pullback = s2s.vjp(s2s.jit(lambda x: np.sum(np.correlate(x, v)), target=target), x)
        assert np.array_equal(pullback(1.0)[0], [1.0, 3.0, 5.0, 7.0, 4.0])


def spread(x, y, n):
    weights = np.full(len(y), 1.0 / n)
    near = np.exp(-np.square(x[:, None] - y))
    total = 0.0
    for _ in range(n):
        total += np.sum(weights * near[0]) + np.sum(near.T @ x)
        weights = weights * (near.T @ x)
        if total > 50.0:
            break
    return total


def test_arrays_of_the_numpy_target_are_made_once():
    """A difference of a column and a row has its full shape already; a number fills an array; a transpose of a transpose is the matrix; tapes grow under one test."""
    x, y = np.linspace(0.1, 0.9, 4), np.linspace(-1.0, 1.0, 3)
    text = s2s.grad(s2s.jit(spread, target="numpy"), argnums=(0, 1)).source(x, y, 3)
    assert "np.full(" in text and "broadcast_to" not in text and ".T.T" not in text
    assert text.count("capacity_1 > capacity:") == 1
    s2s.check_grads(s2s.jit(lambda x, y: spread(x, y, 3), target="numpy"), (x, y), order=2)


def shifted(x, w):
    y = w @ x
    top = np.max(y, axis=1)
    total = np.log(np.sum(np.exp(y - top[:, None]), axis=1))
    return np.sum(np.exp(y - top[:, None]) / np.sum(np.exp(y - top[:, None]), axis=1)[:, None] * total[:, None]) + x[0] @ x[0]


def test_what_is_dear_is_made_once():
    """An exponential that is written three times, each time of a repeated maximum of its own; a product with 1.0 is none; a negative step is subtracted."""
    x, w = np.linspace(-1.0, 1.0, 6).reshape(3, 2), np.linspace(0.1, 2.0, 9).reshape(3, 3)
    text = s2s.grad(s2s.jit(shifted, target="numpy"), argnums=(0, 1)).source(x, w)
    code = [line for line in text.splitlines() if not line.strip().startswith("#")]
    assert sum(line.count("np.exp(") for line in code) == 1
    assert not any("* 1.0" in line or "1.0 *" in line for line in code)
    s2s.check_grads(s2s.jit(shifted, target="numpy"), (x, w), order=2)
    assert "(i - 4) * x" in s2s.jit(lambda x: (np.arange(9) + -4) * x).source(2)
