"""Reading: straight-line code, branches, loops, mutation, against Python itself."""
from __future__ import annotations

import enum
import math
import re

import numpy as np
import pytest
from programs.linear_algebra import log_det
from reading import check, run, staged

import s2s
from s2s.errors import UnsupportedError, UnsupportedErrors
from s2s.transforms.ir.program import Call, Check, If, walk

RNG = np.random.default_rng(0)


def vec(n=5):
    return RNG.normal(size=n)


def mat(n=4, m=3):
    return RNG.normal(size=(n, m))


def kinds(program):
    return [type(node).__name__ for node in walk(program.function.body)]


# ---- straight line -------------------------------------------------------------------------------------------------------


def test_arithmetic_and_dtypes():
    def f(x, y, k):
        a = x * 2 + y / k
        b = (a @ x) ** 2 - k // 2 + k % 3
        return a, b, -a, x.sum(), np.exp(x[0]), abs(k)

    check(f, vec(), vec(), 3)
    check(f, vec().astype(np.float32), vec().astype(np.float32), 3)


def test_sizes_and_indices_are_python_ints():
    def f(x):
        total = x[0] * 0
        for i in range(len(x)):
            total += x[i] * i + x.shape[0]
        return total

    check(f, vec().astype(np.float32))


def test_tuple_packing_chained_assignment_and_star():
    def f(x, y):
        a = b = x + 1
        (c, d), e = (a * 2, y), (a, b)
        first, *rest = e[0], c, d
        c, d = d, c
        return a, c, d, first, rest

    check(f, vec(), vec())


def test_slices_views_and_symbolic_bounds():
    def f(x, A, k):
        n = x.shape[0]
        return x[1:-1], x[:n - 1] - x[1:], x[::-1], x[k:], A[:, k], A[-1], A[..., 0], A[None, 1:3, ::2], x[-2], A[1, :2].sum()

    check(f, vec(6), mat(), 1)


def test_chained_comparison_and_logic():
    def f(x, lo, hi):
        inside = lo < x < hi
        outside = not inside or (x == 0 and hi > 1)
        return inside, outside, lo < hi <= 3.0 != x

    for x in (0.5, -1.0, 2.0):
        check(f, x, 0.0, 1.0)


def test_and_or_give_operands():
    def f(x, y):
        return x or y, x and y, x and 3.0

    check(f, 0.0, 2.0)
    check(f, 1.5, 2.0)


def test_ternary_and_walrus():
    def f(x, y):
        z = (w := x + y) * 2
        return (z if x > y else w), w

    check(f, 1.0, 2.0)
    check(f, 3.0, 2.0)


def test_walruses_in_what_stands_in_front_of_a_block():
    def f(x, n):
        total = 0.0
        for v in (y := x * 2.0):
            total += v * y[0]
        with np.errstate(all=(how := "ignore")):
            total += len(how)
        match (k := n + 1):
            case 2:
                total *= k
        return (lambda z: (w := z * 2.0) + w)(total)  # noqa: PLC3002

    check(f, np.array([0.5, 1.5]), 1)
    check(f, np.array([0.5, 1.5]), 4)


def test_strings_and_isinstance_are_known():
    def f(x, kind="sum"):
        if kind == "sum" and isinstance(x, np.ndarray) and x.ndim == 1:
            return np.sum(x)
        elif kind in ("mean", "max"):
            return getattr(x, kind)()
        raise ValueError(f"unknown {kind!r}")

    check(f, vec())
    program, _ = staged(lambda x: f(x, "mean"), vec())
    assert not any(isinstance(node, If | Check) for node in walk(program.function.body))
    with pytest.raises(ValueError, match="unknown 'min'"):
        staged(lambda x: f(x, kind="min"), vec())


# ---- if --------------------------------------------------------------------------------------------------------------------


def test_if_elif_else():
    def f(x, a):
        y = 0.0
        if a > 1:
            y = x.sum()
            b = x * 2
        elif a > 0:
            b = x + 1
        else:
            b = x
            y = 5.0
        return y, b

    for a in (2.0, 0.5, -1.0):
        check(f, vec(), a)


def test_early_returns():
    def f(x, a):
        if a > 1:
            return x.sum()
        if a > 0:
            x = x * 3
            if a > 0.5:
                return x[0]
        return x.max() + a

    for a in (2.0, 0.7, 0.2, -1.0):
        check(f, vec(), a)


def test_name_bound_on_one_path():
    def f(x):
        if x > 0:
            y = 2 * x
        return y

    check(f, 1.0)
    with pytest.raises(UnboundLocalError):
        run(f, -1.0)


def test_unused_name_of_one_path_is_no_error():
    def f(x):
        z = 1.0
        if x > 0:
            y = 2 * x
            z = y
        return z

    check(f, 1.0)
    check(f, -1.0)


def test_static_numbers_that_differ_become_run_time():
    def f(x):
        k = 1
        if x > 0:
            k = 2
        return k * x, k

    check(f, 1.5)
    check(f, -1.5)


def test_branch_on_arrays_of_other_size():
    def f(x, a):
        y = x
        if a > 0:
            y = x[1:]
        return y.sum(), y

    check(f, vec(), 1.0)
    check(f, vec(), -1.0)


def test_precision_that_depends_on_the_path():
    def f(x, y, a):
        z = x
        if a > 0:
            z = y
        return z * y, z

    check(f, np.float32(1), np.float64(2), 1.0)
    check(f, np.float32(1), np.float64(2), -1.0)


# ---- loops -------------------------------------------------------------------------------------------------------------------


def test_for_over_range_forms():
    def f(x, k, step):
        s = 0
        for i in range(k):
            s = s + x[i]
        for i in range(4, 0, -1):
            s -= x[i] * i
        for i in range(0, len(x), step):
            s += x[i]
        return s

    program = check(f, vec(), 3, 2)
    assert kinds(program).count("For") == 3


def test_range_step_zero():
    def f(x, step):
        s = 0.0
        for i in range(0, 4, step):
            s += x[i]
        return s

    check(f, vec(), 2)
    check(f, vec()[::-1].copy(), -1)
    with pytest.raises(ValueError, match="must not be zero"):
        run(f, vec(), 0)


def test_weak_int_becomes_float():
    def f(x):
        s = 0
        for value in x:
            s += value
        return s

    check(f, vec())
    check(f, vec().astype(np.float32))


def test_for_over_arrays_zip_enumerate_reversed():
    def f(x, A):
        s = 0.0
        for i, (a, row) in enumerate(zip(x, A)):
            s += a * row[0] * i
        for row in A:
            row *= 2
        for i in reversed(range(1, len(x))):
            x[i - 1] += 0.5 * x[i]
        for j, v in enumerate(x[1:], 1):
            s = s * v + j
        return s

    check(f, vec(4), mat())


def test_break_continue_else():
    def f(x, limit):
        s = 0.0
        where = -1
        for i in range(len(x)):
            if x[i] < 0:
                continue
            s += x[i]
            if s > limit:
                where = i
                break
        else:
            s = -s
        return s, where

    x = np.abs(vec(8))
    x[2] = -1
    for limit in (0.5, 2.0, 1e9):
        program = check(f, x, limit)
    assert "While" in kinds(program) and "For" not in kinds(program)


def test_continue_stays_a_for():
    def f(x):
        s = 0.0
        for v in x:
            if v < 0:
                continue
            s += v
        return s

    program = check(f, vec(9))
    assert "For" in kinds(program)


def test_return_in_nested_loops():
    def f(A, target):
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                if A[i, j] > target:
                    return i * 10 + j
        return -1

    A = np.abs(mat())
    check(f, A, 0.5)
    check(f, A, 1e9)


def test_while_newton():
    def f(a):
        x = a
        while abs(x * x - a) > 1e-12 * a:
            x = 0.5 * (x + a / x)
        return x

    program = check(f, 2.0)
    assert kinds(program).count("While") == 1


def test_while_with_and_guarding_an_index():
    def f(x, target):
        i = 0
        while i < len(x) and x[i] < target:
            i += 1
        return i

    x = np.sort(vec(7))
    check(f, x, 0.0)
    check(f, x, 1e9)


def test_while_true_with_break():
    def f(x):
        n = 0
        while True:
            x = x / 2
            n += 1
            if x < 1e-3:
                break
        return x, n

    check(f, 5.0)


def test_loop_target_after_the_loop():
    def f(x):
        for i in range(len(x)):
            last = x[i]
        return last * i

    check(f, vec())
    with pytest.raises(UnboundLocalError):
        run(f, np.zeros(0))


def test_array_rebound_in_loop():
    def f(A, x, n):
        for _ in range(n):
            x = A @ x
            x = x / np.sqrt(x @ x)
        return x

    check(f, mat(3, 3), vec(3), 4)


def test_swapped_buffers():
    def f(u, steps):
        u = u.copy()
        v = u.copy()
        for _ in range(steps):
            v[1:-1] = 0.5 * (u[:-2] + u[2:])
            u, v = v, u
        return u

    check(f, vec(7), 3)
    check(f, vec(7), 4)


def test_size_that_changes_per_trip():
    def f(x):
        while len(x) > 1:
            x = x[1:] + x[:-1]
        return x[0]

    check(f, vec(5))


def test_static_loops_unroll_where_needed():
    def f(x, layers):
        for i in range(len(layers)):
            x = np.tanh(layers[i] @ x)
        return x

    check(f, vec(3), [mat(4, 3), mat(2, 4)])


def test_loop_over_list_of_layers():
    def f(layers, x):
        for k, (w, b) in enumerate(layers):
            x = np.tanh(w @ x + b) * (k + 1)
        return x.sum()

    check(f, [(mat(4, 3), vec(4)), (mat(2, 4), vec(2))], vec(3))


def test_unrolled_loop_with_break():
    def f(layers, x):
        for w in layers:
            if x > 3:
                break
            x = x * w
        else:
            x = -x
        return x

    for x in (1.0, 2.0, 9.0):
        check(f, [2.0, 3.0, 0.1], x)


def test_triangular_nest():
    B = mat(4, 4)
    check(log_det, B @ B.T + np.eye(4))


# ---- mutation, views, aliases ---------------------------------------------------------------------------------------------------


def test_mutated_arguments():
    def f(x, A):
        x[0] = 1
        x += 2
        A[1:, 0] *= 3
        A.T[2] = x[:4]
        A.reshape

    check(f, vec(4), mat(4, 3))


def test_views_see_stores():
    def f(A):
        row = A[1]
        row[0] = 7.0
        column = A[:, 0]
        before = column.sum()
        A[0, 0] = 5.0
        flat = row[::-1]
        flat[0] = 2.0
        return before, column.sum(), row.copy(), A.T @ A

    check(f, mat())


def test_aliases_and_copies():
    def f(x):
        y = x
        z = x * 1.0
        w = np.array(x)
        y += 1
        x[0] = 9
        return y, z, w, x + 0

    check(f, vec())


def test_augmented_assignment_dtypes():
    def f(x, k):
        k += 0.5
        x += 1.5
        return k

    check(f, vec().astype(np.float32), 3)

    def g(x):
        x += 1.5

    with pytest.raises(TypeError, match="same_kind"):
        staged(g, np.arange(3))


def test_fancy_indexing_gives_new_storage():
    def f(x, idx):
        y = x[idx]
        y[0] = 100.0
        x[idx] += 1.0
        x[x > 0] = 0.0
        return y

    check(f, vec(6), np.array([1, 3, 3]))


def test_reshape_views():
    def f(x, n):
        y = np.zeros(6)
        m = y.reshape(2, 3)
        m[1] = x[:3]
        y[0] = 4.0
        z = m.ravel()
        z[1] = -1
        return y, m

    check(f, vec(), 2)


def test_reading_such_a_reshape_is_fine():
    def f(A):
        return A.reshape(-1) @ A.ravel(), A.T.ravel()

    check(f, mat())


def test_stores_through_what_functions_return_as_views():
    def f(A, v):
        np.flip(v)[0] = 5.0
        np.fliplr(A)[1, 0] = 4.0
        np.rot90(A)[0, 1] = 3.0
        top, bottom = np.split(A, 2)
        top[0] += bottom[1]
        for part in np.array_split(v, 3):
            part[0] *= 2.0
        np.real(A)[2, 0] = 9.0
        A.real[2, 1] = 8.0
        A.conj()[2, 2] = 7.0
        np.asarray(A, float)[3, 0] = 6.0
        np.array(A, copy=None)[3, 1] = 5.0
        np.array(A)[3, 2] = 100.0
        A.astype(float, copy=False)[0, 0] = 11.0
        np.squeeze(A[:1], 0)[1] = 13.0
        np.conj(A)[0, 2] = 200.0
        return A.sum() + v.sum()

    check(f, mat(4, 3), vec(5))


@pytest.mark.parametrize("convert", [np.ascontiguousarray, lambda A: np.asarray(A, order="C"), lambda A: np.array(A, copy=None, order="F")])
def test_a_store_into_what_may_be_a_copy_is_refused(convert):
    def f(A):
        B = convert(A.T)
        B[0, 1] = 5.0
        return A.sum()

    def reads(A):
        return convert(A.T) * 2

    with pytest.raises(UnsupportedError, match="may or may not be"):
        staged(f, mat())
    check(reads, mat())


def _bumped(grid, k):
    flat = grid.ravel()
    flat[k] += 1.0
    flat *= 2.0
    return grid.sum()


def _first_set(x):
    y = x.reshape(-1)
    y[0] = 3.0
    return y.sum()


def test_stores_through_a_reshape_of_an_argument():
    """NumPy's reshape of an array that does not lie in C order is a copy."""

    def by_a_helper(A, k):
        return _first_set(A) + A[0, k]

    def transformed(A, k):
        return s2s.jit(_bumped)(A, k)

    def converted(A, k):
        B = np.ascontiguousarray(A)
        B[0, k] = 50.0
        return A.sum()

    for fun in (_bumped, by_a_helper, transformed, converted):
        check(fun, mat(), 1)
        jitted, A = s2s.jit(fun, target="numpy"), mat(4, 4)
        for turned in (np.asfortranarray, lambda array: np.repeat(array, 2, axis=1)[:, ::2]):
            own, its = turned(A), turned(A)
            if fun is transformed:
                with pytest.raises(s2s.errors.UnsupportedError, match="whose order in memory is not known"):
                    jitted(own, 1)
                continue
            np.testing.assert_allclose(jitted(own, 1), fun(its, 1))
            np.testing.assert_array_equal(own, its)
    gradient = s2s.jit(s2s.grad(_bumped), target="numpy")
    np.testing.assert_array_equal(gradient(mat(), 2), np.full((4, 3), 2.0))
    np.testing.assert_array_equal(gradient(np.asfortranarray(mat()), 2), np.full((4, 3), 1.0))


def test_a_reshape_that_is_only_read_takes_arrays_in_any_order():
    def f(A):
        return A.reshape(-1) @ np.arange(A.size) + np.ravel(A)[0]

    A = mat(4, 4)
    for array in (np.asfortranarray(A), A[:, ::2]):
        assert np.isclose(s2s.jit(f, target="numpy")(array), f(array))


def test_copies_that_may_look_like_views():
    def f(n, z):
        a = np.nan_to_num(n)
        b = z.conj()
        c = np.conj(z.real)
        b[0] = 1.0
        c[0] = 2.0
        return a.sum() + n.sum(), z, b, c

    check(f, np.arange(4), vec(3) + 1j * vec(3))


def test_stores_into_what_numpy_copies():
    def f(v, A):
        D = np.diag(v)
        D[0, 0] = 4.0
        clean = np.nan_to_num(A.T)
        clean[0, 1] = 5.0
        v[1] = 7.0
        A[2] += 1.0
        return D, clean, clean.ravel(), np.diag(v[::-1])

    check(f, vec(3), mat(3, 3))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_stores_into_diagonals(target):
    """np.einsum of one operand is a view, also where it takes a diagonal."""

    def f(v, A, T):
        d = np.einsum("ii->i", A)
        d += v
        A[0] = d * 2.0
        np.einsum("ijj->ij", T)[...] = v
        T[0, 1, 1] = d[1]
        other = np.einsum("ijj->ji", T)
        for k in range(2):
            other[k] *= 2.0 + d[::2][1]
        made = np.zeros((v.size, v.size))
        np.einsum("ii->i", made)[1:] = v[1:]
        return d.sum(), other.copy(), made @ A

    given = vec(3), mat(3, 3), np.arange(18.0).reshape(2, 3, 3)
    ours = tuple(each.copy() for each in given)
    wanted, found = f(*given), s2s.jit(f, target=target)(*ours)
    assert all(np.allclose(one, other) for one, other in zip((*wanted, *given), (*found, *ours), strict=True))
    s2s.check_grads(lambda v: np.sum(f(v, np.ones((3, 3)), np.ones((2, 3, 3)))[2] ** 2), (vec(3),), order=1)


def test_a_diagonal_on_one_path_is_refused_where_it_is_stored_into():
    def f(A):
        d = np.einsum("ii->i", A) if A[0, 0] > 0 else A[0]
        d[1] = 4.0
        return A

    with pytest.raises(UnsupportedError, match="a diagonal on one path"):
        s2s.jit(f, target="numpy")(mat(3, 3))


@pytest.mark.parametrize("a", [0, 1])
def test_slices_by_pythons_truths(a):
    """They are integers; NumPy's are not."""

    def f(x, a):
        first, later = not a, bool(x[0] > 0)
        y = x.copy()
        y[later:] += 5.0
        return x[first:], x[:first], y, x[later:].sum(), x[::-1][: later + 1], [1, 2, 3][first:]

    check(f, vec(3), a)
    check(f, -vec(3), a)
    with pytest.raises((TypeError, UnsupportedError), match="slice indices must be integers"):  # until NumPy 2.2 they are, with a warning
        run(lambda x: x[x[0] > 0 :], vec(3))


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_truth_of_an_array_whose_size_the_run_works_out(target):
    def f(x):
        found = x[x > 0.5]
        if found < 0.7:
            return 2.0 * found[0]
        place = np.nonzero(x > 0.5)[0]
        return found[0] if place else -1.0

    run = s2s.jit(f, target=target)
    for x in ([0.1, 0.6, 0.2], [0.1, 0.2, 0.9], [0.9, 0.1, 0.2], [0.9, 0.9, 0.1], [0.1, 0.1, 0.1]):
        try:
            wanted = f(np.array(x))
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                run(np.array(x))
        else:
            assert run(np.array(x)) == wanted


def test_stores_into_what_numpy_makes_read_only():
    def broadcast(v):
        x = np.broadcast_to(v, (3, 4))
        x[0] = 1.0
        return v.sum()

    def diagonal(v):
        d = np.diagonal(np.outer(v, v))
        d[0] = 1.0
        return d.sum()

    def read(v):
        return (np.broadcast_to(v, (3, 4)) * 2).sum() + np.broadcast_to(v[0], ()) + np.diagonal(np.outer(v, v)).sum()

    for fun in (broadcast, diagonal):
        with pytest.raises(ValueError, match="read-only"):
            fun(vec(4))
        with pytest.raises(ValueError, match="read-only"):
            staged(fun, vec(4))
    check(read, vec(4))


def test_squeezed_axes_of_run_time_length():
    def inner(v):
        return np.squeeze(v[1:-1]) + 1.0

    def first_row(A, w):
        return np.squeeze(A[:1]) * w

    jitted = s2s.jit(inner, target="numpy")
    for size in (5, 3, 4, 3):
        v = vec(size)
        np.testing.assert_array_equal(jitted(v), inner(v))
    A, w = mat(), vec(3)
    np.testing.assert_array_equal(s2s.jit(first_row, target="numpy")(A, w), first_row(A, w))


@pytest.mark.parametrize("a", [1.0, -1.0])
def test_alias_on_one_path_is_written(a):
    def f(x, y, a):
        z = x
        if a > 0:
            z = y
        z[0] = 1.0
        return z * 1

    check(f, vec(), vec(), a)


def _one_of(x, y, a):
    if a > 0:
        z = x
    else:
        z = y
    return z


def _set_first(x, y):
    s = y.sum()
    x[0] = 9.0
    return s + y.sum()


TABLE = np.arange(4.0)


def _set_first_and_read_table(x):
    x[0] = 9.0
    return TABLE.sum()


@pytest.mark.parametrize("a", [1.0, -1.0])
def test_a_helper_may_return_either_of_its_arguments(a):
    """Its result is one of the caller's arrays: a store goes into that one, not into a copy."""

    def f(x, y, a):
        z = _one_of(x, y, a)
        z[0] = 5.0
        return x.sum()

    check(f, vec(), vec(), a)


@pytest.mark.parametrize("a", [1.0, -1.0])
def test_a_changed_argument_may_be_another_one_of_a_helper(a):
    def f(x, y, a):
        z = x
        if a > 0:
            z = y
        return _set_first(x, z)

    check(f, vec(), vec(), a)


@pytest.mark.parametrize("call", [s2s.jit(_set_first), s2s.checkpoint(_set_first), s2s.grad(_set_first)], ids=["jit", "checkpoint", "grad"])
def test_a_changed_argument_may_be_another_one(call):
    def f(x, y, a):
        z = x
        if a > 0:
            z = y
        return call(x, z)

    with pytest.raises(UnsupportedError, match=r"may or may not|same array for another"):
        staged(f, vec(), vec(), 1.0)


@pytest.mark.parametrize("call", [s2s.jit(_set_first), s2s.checkpoint(_set_first)], ids=["jit", "checkpoint"])
def test_an_array_passed_twice_to_a_transformed_function_that_changes_it(call):
    def f(x):
        return call(x, x)

    with pytest.raises(UnsupportedError, match="same array for another"):
        staged(f, vec())


def test_a_helper_that_reads_a_global_array_which_it_changes_as_an_argument():
    def f(c):
        return _set_first_and_read_table(TABLE) * c

    TABLE[:] = np.arange(4.0)
    wanted = f(2.0)
    TABLE[:] = np.arange(4.0)
    assert s2s.jit(f, target="numpy")(2.0) == wanted


def test_alias_on_one_path_may_be_read():
    def f(x, y, a):
        z = x
        if a > 0:
            z = y
        return z * 2

    check(f, vec(), vec(), 1.0)


def test_views_carried_through_loops():
    def f(A):
        row = A[0]
        for i in range(1, A.shape[0]):
            row += A[i]
            row = A[i]
        return row.sum()

    check(f, mat())


def test_out_argument():
    def f(x, y):
        np.add(x, y, out=x)
        np.multiply(x, 2.0, y[:])
        return x

    check(f, vec(), vec())

    def g(x, y):
        np.add(x, y, out=x)
        np.multiply(x, 2.0, out=y)
        return x.sum()

    check(g, vec(), vec())


# ---- exceptions --------------------------------------------------------------------------------------------------------------------


def test_raise_and_assert_become_checks():
    def f(x, n):
        if x < 0:
            raise ValueError(f"x is {x}, not positive")
        assert n > 0, "n must be positive"
        if n > 100:
            n = n * 2
            raise IndexError("too large")
        return x * n

    program = check(f, 2.0, 3)
    assert kinds(program).count("Check") == 3 and "If" not in kinds(program)
    with pytest.raises(ValueError, match="x is -1.0, not positive"):
        run(f, -1.0, 3)
    with pytest.raises(AssertionError, match="n must be positive"):
        run(f, 1.0, 0)
    with pytest.raises(IndexError, match="too large"):
        run(f, 1.0, 1000)


def test_raise_in_loops_and_else():
    def f(x):
        for i in range(len(x)):
            if x[i] >= 0:
                x[i] = np.sqrt(x[i])
            else:
                raise ValueError("negative")
        return x

    check(f, np.abs(vec()))
    with pytest.raises(ValueError, match="negative"):
        run(f, np.array([1.0, -1.0]))


def test_static_raise_raises_while_reading():
    def f(x):
        if x.ndim != 2:
            raise ValueError("a matrix is needed")
        return x

    with pytest.raises(ValueError, match="a matrix is needed"):
        staged(f, vec())


def test_all_unsupported_constructs_at_once():
    def f(x):
        with open("nothing") as g:
            y = g
        z = y + 1
        async def later():
            return z
        del x[0]
        return x

    with pytest.raises(UnsupportedErrors) as caught:
        staged(f, vec())
    assert len(caught.value.errors) == 3
    assert [error.where.line for error in caught.value.errors] == sorted(error.where.line for error in caught.value.errors)
    assert "with open" in str(caught.value)


# ---- helpers -----------------------------------------------------------------------------------------------------------------------


def layer(w, b, x):
    return np.tanh(w @ x + b)


def test_helpers_stay_functions_one_per_signature():
    def f(params, x):
        for w, b in params:
            x = layer(w, b, x)
        return x.sum()

    program = check(f, [(mat(3, 3), vec(3)), (mat(2, 3), vec(2))], vec(3))
    calls = [node for node in walk(program.function.body) if isinstance(node, Call)]
    assert [call.function.name for call in calls] == ["layer", "layer"] or len({call.function for call in calls}) == 1


def scale_rows(A, factor=2.0):
    """Scale in place."""
    for i in range(A.shape[0]):
        A[i] *= factor
    return A.shape[0]


def test_what_follows_from_a_refusal_in_a_helper_is_not_told():
    def faded(u, low):
        w = u[low:]
        w *= 0.8
        return w

    def f(a, b, k):
        c = np.asarray(a.T, order="C")
        for j in range(k):
            w = faded(a, 1)
            w += j
            b[j] = 1.0
        return c * 1

    with pytest.raises(UnsupportedError, match="a store into"):
        staged(f, mat(), vec(), 2)


def test_helper_mutates_a_view_of_a_size_known_to_be_another():
    def pick(v, w, s):
        if s > 0.0:
            return v[0]
        w[0] = s
        return w[1] * 0.5

    def f(a, p):
        d = p[1]
        y = np.dot(a, d)
        return y, pick(a, d, d[0]), p

    check(f, vec(3), mat(2, 3))
    check(f, vec(3), -mat(2, 3))


def test_helper_mutates_its_argument():
    def f(A):
        n = scale_rows(A)
        scale_rows(A[1:], factor=3.0)
        scale_rows(A=A.T)
        return n

    program = check(f, mat())
    assert kinds(program).count("Call") == 3


def axpy(a, x, y):
    y += a * x
    return y


def test_helper_that_returns_its_argument_is_read_in_place():
    def f(x, y):
        z = axpy(2.0, x, y)
        z[0] = 5.0
        axpy(1.0, y, y)
        return z.sum()

    program = check(f, vec(), vec())
    assert "Call" not in kinds(program)


def tail(x, k):
    return x[k:] * 2


def test_helper_with_a_new_size():
    def f(x, k):
        y = tail(x, 1) + x[1:]
        return y, tail(x, k).sum()

    check(f, vec(), 2)


def power_of(x, n):
    if n == 0:
        return 1.0
    return x * power_of(x, n - 1)


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def test_static_recursion():
    def f(x):
        return power_of(x, 3) * factorial(4)

    check(f, 1.5)


def test_lambdas_nested_functions_and_closures():
    def f(x, a):
        g = lambda t: t * a  # noqa: E731
        def h(t, b=2.0):
            return g(t) + b * x.sum()
        a = a + 1
        return h(x), h(x[0], b=1.0), list(map(g, [1.0, 2.0]))

    check(f, vec(), 3.0)


def integrate(f, x, h):
    return x + h * f(x)


def test_functions_as_arguments():
    def f(x):
        return integrate(lambda t: -t, x, 0.1) + integrate(np.sin, x, 0.1) + integrate(math.sin, x[0], 0.1)

    check(f, vec())


def test_star_arguments():
    def total(*xs, scale=1.0, **more):
        s = 0.0
        for x in xs:
            s = s + x.sum()
        return s * scale + more["shift"]

    def f(x, y):
        args = (x, y)
        options = {"scale": 2.0, "shift": 1.0}
        return total(*args, **options) + total(x, shift=y[0])

    check(f, vec(), vec())


def skipping(b, d, y, z, x):
    n = 0
    while n < 4 and y > x:
        n += 1
        if y > d[2]:
            y = (x - z) * 0.5
            if d[0] > b[-1]:
                continue
            z = z * b[1]
        y = scaled_tail(d, z)
        if z >= b[1]:
            continue
    return y, z


def scaled_tail(d, z):
    d[1:] += z
    return z * 0.5


def test_values_on_the_path_of_a_continue():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        check(skipping, rng.normal(size=6), rng.normal(size=6), rng.normal(), rng.normal(), -2.5)


def test_tuples_returned_from_nested_loops():
    def f(x, k):
        y = 1.0
        for i in range(k):
            for j in range(3):
                if k % 2 == 0:
                    return [x, y], i
                y = y * x + j
        return [x, y], -1

    check(f, 0.5, 4)
    check(f, 0.5, 3)


def test_types_in_messages_are_the_users_words():
    class Mode(enum.IntEnum):
        LOW = 1
        HIGH = 2

    def chosen(x):
        mode = Mode.LOW if x > 0.0 else Mode.HIGH
        return x if mode is Mode.LOW else 2.0 * x

    with pytest.raises(UnsupportedError, match="run-time Python int") as caught:
        s2s.jit(chosen, target="numpy")(1.0)
    assert "i8" not in str(caught.value)


def test_whole_numbers_beside_infinity():
    def first(x, n, limit=math.inf):
        if n > limit or len(x) > limit:
            x = x[:limit]
        return x * 2.0, n < math.inf, -math.inf >= n, n == math.inf, n != -math.inf

    check(first, vec(), 3)


def test_an_integer_that_is_a_float_on_another_path_is_refused_where_python_needs_an_integer():
    def nearest(x, n):
        best = math.inf
        if x[0] > 0.0:
            best = n
        return x[best]

    with pytest.raises(UnsupportedError, match="an integer that is a float on another path"):
        s2s.jit(nearest, target="numpy")(np.ones(3), 1)


class Shown:
    def __init__(self, x):
        self.x = x

    @property
    def positive(self):
        part = self.x[self.x > 0]
        return np.broadcast_to(part, part.shape)


def test_what_a_function_gives_back_stays_read_only():
    def f(x):
        shown = Shown(x)
        y = shown.positive
        y[0] = 5.0
        return y

    with pytest.raises(ValueError, match="read-only"):
        f(np.ones(3))
    with pytest.raises(ValueError, match="read-only"):
        s2s.jit(f, target="numpy")(np.ones(3))
