"""debug.print, debug.callback, pure_callback, io_callback: outside, and inside of functions that are read, on both targets."""
from __future__ import annotations

import numpy as np
import pytest

import s2s

STRUCT = s2s.ShapeDtypeStruct


def on_numpy(fun):
    return s2s.jit(fun, target="numpy")


def noisy(x, n):
    s2s.debug.print("x = {} {n} {first:.2f} {{}}", x, n=n, first=x[0], ordered=True)
    s2s.debug.print("{1} {0}", n, x)
    total = 0.0
    for k in range(n):
        s2s.debug.print("k = {k}, total = {total}", k=k, total=total)
        total += x[k] * k
    s2s.debug.callback(lambda a: print("called with", a), total)
    if total > 1.0:
        s2s.debug.print("large")
    return total * total


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_prints_are_python_s(capsys, target):
    jitted = s2s.jit(noisy, target=target)
    for x in (np.array([0.5, 1.5, 2.0]), np.array([-1.0, 0.25, 0.0])):
        for n in (0, 2):
            wanted = noisy(x, n), capsys.readouterr().out
            assert (jitted(x, n), capsys.readouterr().out) == wanted
    assert "x = [0.5 1.5 2. ] 2 0.50 {}\n[0.5 1.5 2. ] 2\n" in (noisy(np.array([0.5, 1.5, 2.0]), 2), capsys.readouterr().out)[1]


def test_derivatives_print_what_the_function_does_once(capsys):
    x = np.array([0.5, 1.5])
    noisy(x, 2)
    wanted = capsys.readouterr().out
    np.testing.assert_allclose(s2s.grad(on_numpy(noisy))(x, 2), [0.0, 3.0])
    assert capsys.readouterr().out == wanted


def test_print_needs_a_text():
    with pytest.raises(AttributeError):
        s2s.debug.print(3)
    with pytest.raises((KeyError, IndexError)):
        s2s.debug.print("{} {}", 1)


def test_what_a_callback_does_must_be_read():
    seen = []
    s2s.debug.callback(seen.append, 1.0)
    assert seen == [1.0]
    with pytest.raises(s2s.UnsupportedError):
        on_numpy(lambda x: s2s.debug.callback(seen.append, x) or x)(2.0)
    assert seen == [1.0]


# ---- pure_callback --------------------------------------------------------------------------------------------------------


def rows(a, x):
    """A callback, which s2s does not read: it has a lambda in a set."""
    assert {lambda: 0}
    return np.asarray(a)[None, :] * np.asarray(x)


def length(x):
    assert {lambda: 0}
    return np.float64(np.linalg.norm(x))


def wrong(x):
    return np.asarray(x, np.float32)


def called(x, s):
    made = s2s.pure_callback(rows, STRUCT((1, len(x)), "float64"), x, s)
    size = s2s.pure_callback(length, STRUCT((), x.dtype), x, vmap_method="sequential")
    return np.sum(made) * size


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_pure_callback(target):
    x = np.array([3.0, 4.0])
    assert s2s.jit(called, target=target)(x, 2.0) == called(x, 2.0) == 70.0
    assert s2s.jit(called, target=target)(np.append(x, 12.0), 1.0) == 19.0 * 13.0


def test_pure_callback_of_a_batch_calls_it_for_each_example():
    np.testing.assert_allclose(s2s.vmap(on_numpy(called), in_axes=(0, None))(np.array([[3.0, 4.0], [6.0, 8.0]]), 2.0), [70.0, 280.0])


def test_pure_callback_with_a_rule_is_differentiated():
    @s2s.custom_jvp
    def norm(x):
        return s2s.pure_callback(length, STRUCT((), "float64"), x)

    @norm.defjvp
    def norm_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        ans = norm(x)
        return ans, x @ x_dot / ans

    np.testing.assert_allclose(s2s.grad(on_numpy(lambda x: norm(x) ** 2))(np.array([3.0, 4.0])), [6.0, 8.0])
    with pytest.raises(NotImplementedError, match="has no derivative rule") as caught:
        s2s.grad(on_numpy(called))(np.array([3.0, 4.0]), 2.0)
    assert "custom_jvp around the call" in str(caught.value)


def local():
    def inside(x):
        return x

    return inside


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: s2s.pure_callback(length, (STRUCT((), "float64"),), x), NotImplementedError, "container of results"),
        (lambda x: s2s.pure_callback(length, STRUCT((), "float64"), (x, x)), NotImplementedError, "as an argument of test_callbacks.length"),
        (lambda x: s2s.pure_callback(length, STRUCT((), "float64"), x=x), NotImplementedError, "keyword argument x of the callback"),
        (lambda x: s2s.pure_callback(length, STRUCT((), "float64"), x, sharding=3), NotImplementedError, "sharding"),
        (lambda x: s2s.pure_callback(length, STRUCT((), "float64"), x, vmap_method="no"), ValueError, "vmap_method='no'"),
        (lambda x: s2s.pure_callback(lambda a: a, STRUCT((), "float64"), x), NotImplementedError, "top level of a module"),
        (lambda x: s2s.pure_callback(LOCAL, STRUCT((), "float64"), x), NotImplementedError, "can't be imported by a name"),
        (lambda x: s2s.pure_callback(wrong, STRUCT((2,), "float64"), x), TypeError, r"float64\[2\], but returned float32\[2\]"),
        (lambda x: s2s.pure_callback(length), TypeError, "missing"),
    ],
)
def test_refused(call, error, words):
    with pytest.raises(error, match=words):
        on_numpy(call)(np.array([1.0, 2.0]))


LOCAL = local()


def test_outside_what_it_returns_is_compared_with_what_was_said():
    assert s2s.pure_callback(length, STRUCT((), "float64"), np.array([3.0, 4.0])) == 5.0
    found = s2s.pure_callback(lambda x: {"a": (x, 2 * x)}, {"a": (STRUCT((2,), "float64"),) * 2}, np.ones(2))
    np.testing.assert_array_equal(found["a"][1], [2.0, 2.0])
    with pytest.raises(TypeError, match=r"wrong returned float32\[2\], expected float64\[2\]"):
        s2s.pure_callback(wrong, STRUCT((2,), "float64"), np.ones(2))
    with pytest.raises(TypeError, match="another structure"):
        s2s.pure_callback(lambda x: (x,), STRUCT((2,), "float64"), np.ones(2))


# ---- io_callback -----------------------------------------------------------------------------------------------------------


def test_io_callback(capsys):
    def shout(x, times):
        print("hey", x, times)
        return x * times

    def f(x):
        y = s2s.io_callback(shout, STRUCT((), "float64"), x, 3, ordered=True)
        s2s.experimental.io_callback(lambda a: print(a), None, y)
        return y

    assert f(2.0) == 6.0
    wanted = capsys.readouterr().out
    assert on_numpy(f)(2.0) == 6.0
    assert capsys.readouterr().out == wanted
    assert s2s.grad(on_numpy(f))(2.0) == 3.0
