"""debug.print, debug.callback, pure_callback, io_callback: outside, and inside of functions that are read, on both targets."""
from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import s2s
from s2s.calls.standalone import emit_text

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
    with pytest.raises(TypeError, match="expected str, got int"):
        s2s.debug.print(3)
    with pytest.raises((KeyError, IndexError)):
        s2s.debug.print("{} {}", 1)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: s2s.debug.print("{} {}", x), IndexError, "Replacement index 1 out of range for positional args tuple"),
        (lambda x: s2s.debug.print("{a} {b}", a=x), KeyError, "b"),
        (lambda x: s2s.debug.print("{}", x, x), ValueError, "Unused positional arguments to `s2s.debug.print`: 1"),
        (lambda x: s2s.debug.print("{}", x, b=x), ValueError, r"Unused keyword arguments to `s2s.debug.print`: \['b'\]"),
        (lambda x: s2s.debug.print("{0} {}", x, x), ValueError, "cannot switch from manual field specification to automatic field numbering"),
        (lambda x: s2s.debug.print(3), TypeError, "expected str, got int"),
        (lambda x: s2s.debug.print("{", x), ValueError, "Single '{' encountered in format string"),
        (lambda x: s2s.debug.callback(3, x), TypeError, "must be callable, but got int"),
        (lambda x: "{} {}".format(x), IndexError, "Replacement index 1 out of range"),  # noqa: F524, UP032
    ],
)
def test_what_is_printed_wrongly(call, error, words):
    for fun in (call, on_numpy(lambda x: call(x) and x or x)):
        if fun is call and words.startswith("must be"):
            continue
        with pytest.raises(error, match=words):
            fun(2.0)


def test_more_values_than_fields(capsys):
    on_numpy(lambda x: s2s.debug.print("{}", x, x, skip_format_check=True))(1.5)
    assert capsys.readouterr().out == "1.5\n"


# ---- batches print ---------------------------------------------------------------------------------------------------------


def printing(x):
    s2s.debug.print("x {}", x)
    y = np.sin(x) * 2.0
    s2s.debug.print("then")
    print("y", y)
    return squared(y) + squared(x)


def squared(x):
    s2s.debug.print("squared {}", x)
    return x * x


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_batches_print_all_examples_before_what_follows(capsys, target):
    x = np.array([0.5, -1.0, 2.0])
    y = np.sin(x) * 2.0
    found = s2s.vmap(s2s.jit(printing, target=target))(x)
    said = capsys.readouterr().out
    np.testing.assert_allclose(found, y * y + x * x)
    assert said == "".join([*(f"x {each}\n" for each in x), "then\n", *(f"y {each}\n" for each in y), *(f"squared {each}\n" for each in (*y, *x))])


def test_batches_of_gradients_and_of_batches_print(capsys):
    fun = on_numpy(lambda x, c: (s2s.debug.print("c {}", c), s2s.debug.print("x {}", x), x * x * c)[-1])
    np.testing.assert_allclose(s2s.vmap(s2s.grad(fun), in_axes=(0, None))(np.array([1.0, 2.0]), 3.0), [6.0, 12.0])
    assert capsys.readouterr().out == "c 3.0\nx 1.0\nx 2.0\n"
    np.testing.assert_allclose(s2s.vmap(s2s.vmap(fun, in_axes=(0, None)), in_axes=(0, None))(np.array([[1.0, 2.0]]), 1.0), [[1.0, 4.0]])
    assert capsys.readouterr().out == "c 1.0\nx 1.0\nx 2.0\n"
    assert s2s.vmap(fun, in_axes=(0, None))(np.zeros(0), 1.0).shape == (0,)
    assert capsys.readouterr().out == "c 1.0\n"


def test_batches_print_in_branches_and_loops(capsys):
    def f(x, n):
        for i in range(n):
            if x > i:
                s2s.debug.print("{} > {}", x, i)
        return x

    s2s.vmap(on_numpy(f), in_axes=(0, None))(np.array([0.5, 1.5]), 2)
    assert capsys.readouterr().out == "0.5 > 0\n1.5 > 0\n1.5 > 1\n"
    with pytest.raises(NotImplementedError, match="print in a function that is batched and has collectives"):
        s2s.vmap(on_numpy(lambda x: (s2s.debug.print("{}", x), s2s.lax.psum(x, "i"))[1]), axis_name="i")(np.ones(2))


# ---- callbacks are called as they are ---------------------------------------------------------------------------------------


def maker():
    seen = []

    def f(x):
        def note(value):
            seen.append(float(value))

        for i in range(3):
            s2s.debug.callback(note, x * i, ordered=True)
            x = x + 1
        s2s.io_callback(lambda tree, *, k: seen.append((sorted(tree), tree["a"][0], k)), None, {"b": x, "a": (x,)}, k=x)
        return x * x

    return f, seen


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_callbacks_append_outside(target):
    (f, one), (g, two) = maker(), maker()
    first, second = s2s.jit(f, target=target), s2s.jit(g, target=target)
    assert [first(1.0), second(2.0), first(3.0)] == [16.0, 25.0, 36.0]
    assert one == [0.0, 2.0, 6.0, (["a", "b"], 4.0, 4.0), 0.0, 4.0, 10.0, (["a", "b"], 6.0, 6.0)]
    assert two == [0.0, 3.0, 8.0, (["a", "b"], 5.0, 5.0)]
    one.clear()
    assert s2s.grad(first)(1.0) == 8.0
    assert one == [0.0, 2.0, 6.0, (["a", "b"], 4.0, 4.0)]


class Log:
    def __init__(self):
        self.lines = []

    def write(self, head, value):
        self.lines.append((head, np.copy(value)))


LOG, SEEN = Log(), []
WRITE = partial(LOG.write, "by a partial")


def test_methods_partials_and_lists():
    def f(x):
        s2s.debug.callback(LOG.write, 1, x)
        s2s.debug.callback(WRITE, x)
        s2s.debug.callback(SEEN.append, x)
        return x * 2.0

    jitted = on_numpy(f)
    for k in range(10):
        jitted(np.full(2, float(k)))
    assert [head for head, _ in LOG.lines] == [1, "by a partial"] * 10
    np.testing.assert_array_equal(np.array([value for _, value in LOG.lines[::2]]), np.arange(10.0)[:, None] * np.ones(2))
    np.testing.assert_array_equal(np.array(SEEN), np.arange(10.0)[:, None] * np.ones(2))


def test_what_a_callback_is_given_is_its_own():
    kept = []

    def change(value):
        kept.append(value)
        value += 1.0

    def f(x):
        y = x * 2.0
        s2s.debug.callback(change, y)
        y[0] = 7.0
        return y

    np.testing.assert_array_equal(on_numpy(f)(np.ones(2)), [7.0, 2.0])
    np.testing.assert_array_equal(kept, [[3.0, 3.0]])


def test_batches_call_for_each_example():
    seen = []
    s2s.vmap(on_numpy(lambda x: s2s.debug.callback(lambda value: seen.append(value.tolist()), x) or x))(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert seen == [[1.0, 2.0], [3.0, 4.0]]


def test_callbacks_that_see_values_of_the_run_are_read(capsys):
    on_numpy(lambda x: s2s.debug.callback(lambda value: print("sees", value, x), 2.0 * x) or x)(1.5)
    assert capsys.readouterr().out == "sees 3.0 1.5\n"


def test_what_a_callback_raises():
    def wrong(value):
        raise LookupError(f"no {value}")

    with pytest.raises(LookupError, match=r"no 2\.0"):
        on_numpy(lambda x: s2s.debug.callback(wrong, x) or x)(2.0)


def test_a_module_that_stands_alone_has_no_callbacks():
    with pytest.raises(NotImplementedError, match="a callback in a module that stands alone"):
        emit_text(callback_inside, ["jit"], args="float")


def callback_inside(x):
    s2s.debug.callback(lambda value: None, x)
    return x


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
    made = s2s.pure_callback(rows, STRUCT((1, len(x)), "float64"), x, s, vmap_method="sequential")
    size = s2s.pure_callback(length, STRUCT((), x.dtype), x, vmap_method="sequential")
    return np.sum(made) * size


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_pure_callback(target):
    x = np.array([3.0, 4.0])
    assert s2s.jit(called, target=target)(x, 2.0) == called(x, 2.0) == 70.0
    assert s2s.jit(called, target=target)(np.append(x, 12.0), 1.0) == 19.0 * 13.0


@pytest.mark.parametrize("target", ["numpy", "cpu"])
def test_several_results_containers_and_keywords(target):
    """int64 and complex numbers, and results of all dtypes, come back to the last bit."""
    like = (STRUCT((3,), "float64"), {"n": STRUCT((), "int64"), "b": STRUCT((2,), "bool"), "c": STRUCT((1, 2), "complex128"), "f": STRUCT((2, 0), "float32"), "none": None})
    made = (np.array([0.1, -0.0, np.inf]), {"n": np.int64(2**62 + 5), "b": np.array([True, False]), "c": np.array([[1.5 - 2j, 3j]]), "f": np.zeros((2, 0), np.float32), "none": None})
    given = []

    def f(x, n):
        return s2s.pure_callback(lambda *args, **kwargs: given.append((args, kwargs)) or made, like, {"b": x, "a": [n]}, x, k=(n, x[0]))

    found = s2s.jit(f, target=target)(np.arange(3.0), 4)
    for one, two in zip(s2s.tree_util.tree_leaves(found), s2s.tree_util.tree_leaves(made), strict=True):
        np.testing.assert_array_equal(one, two)
        assert np.asarray(one).dtype == np.asarray(two).dtype
    ((tree, x), kwargs) = given[0]
    assert (list(tree), tree["a"], kwargs["k"]) == (["b", "a"], [4], (4, 0.0))
    np.testing.assert_array_equal(tree["b"], x)


def test_lambdas_closures_and_arrays_as_types():
    scale = 3.0

    def f(x):
        return (lambda n: s2s.pure_callback(lambda value: value * n * scale, x, x))(2) + s2s.pure_callback(lambda: np.float64(1.0), STRUCT((), "float64"))

    np.testing.assert_array_equal(on_numpy(f)(np.arange(3.0)), np.arange(3.0) * 6.0 + 1.0)


def test_drawn_callbacks():
    """Containers, dtypes and shapes drawn; what the callback is given, and what comes back, is what it is outside."""
    rng = np.random.default_rng(3)
    dtypes = ("float64", "float32", "int64", "int32", "bool", "complex128", "uint8")
    for _ in range(40):
        with np.errstate(all="ignore"):
            values = [drawn(rng, dtypes, 100.0)[()] for _ in range(rng.integers(1, 4))]
            results = {f"r{number}": drawn(rng, dtypes, 2.0**40) for number in range(rng.integers(1, 4))}
        fun, given = giving(results)
        found = on_numpy(fun)(values)
        for one, two in zip((*given[0], *found.values()), (*values, *results.values()), strict=True):
            np.testing.assert_array_equal(one, two)
            assert (np.asarray(one).dtype, np.shape(one)) == (two.dtype, two.shape)


def drawn(rng, dtypes, size):
    return (rng.normal(size=rng.integers(0, 4, rng.integers(0, 3))) * size).astype(rng.choice(dtypes))


def giving(results):
    given = []
    like = {name: STRUCT(value.shape, value.dtype) for name, value in results.items()}
    return (lambda values: s2s.pure_callback(lambda tree: given.append(tree) or results, like, values)), given


def sums(a, b):
    SHAPES.append((np.shape(a), np.shape(b)))
    return np.asarray(a + b), {"n": (np.asarray(a) * 2.0**40).astype(np.int64)}


SHAPES = []


@pytest.mark.parametrize(
    ("method", "shapes"),
    [
        ("sequential", [((2,), (2,))] * 3), ("sequential_unrolled", [((2,), (2,))] * 3), ("expand_dims", [((3, 2), (1, 2))]), ("broadcast_all", [((3, 2), (3, 2))]),
        ("legacy_vectorized", [((3, 2), (2,))]),
    ],
)  # fmt: skip
def test_vmap_methods(method, shapes):
    def f(a, b):
        return s2s.pure_callback(sums, (STRUCT(a.shape, "float64"), {"n": STRUCT(a.shape, "int64")}), np.sin(a), b, vmap_method=method)

    a, b = np.arange(6.0).reshape(3, 2), np.ones(2)
    SHAPES.clear()
    total, rest = s2s.vmap(on_numpy(f), in_axes=(0, None))(a, b)
    assert shapes == SHAPES
    np.testing.assert_array_equal(total, np.sin(a) + b)
    np.testing.assert_array_equal(rest["n"], (np.sin(a) * 2.0**40).astype(np.int64))


def test_batches_of_batches_at_once():
    SHAPES.clear()
    fun = on_numpy(lambda x: np.cos(s2s.pure_callback(lambda v: SHAPES.append(v.shape) or 2.0 * v, STRUCT((), "float64"), x, vmap_method="expand_dims")) + x)
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(s2s.vmap(s2s.vmap(fun))(x), np.cos(2.0 * x) + x)
    assert SHAPES == [(2, 3)]


def test_a_batch_needs_a_vmap_method():
    with pytest.raises(NotImplementedError, match=r"vmap is only supported for pure_callback when vmap_method is one of .* Got vmap_method=None\."):
        s2s.vmap(on_numpy(lambda x: s2s.pure_callback(length, STRUCT((), "float64"), x)))(np.ones((2, 3)))
    np.testing.assert_array_equal(s2s.vmap(on_numpy(lambda x, y: x + s2s.pure_callback(length, STRUCT((), "float64"), y)), in_axes=(0, None))(np.zeros(2), np.array([3.0, 4.0])), [5.0, 5.0])


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


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: s2s.pure_callback(length, (STRUCT((), "float64"),), x), TypeError, "length returned a value of another structure than result_shape_dtypes"),
        (lambda x: s2s.pure_callback(lambda a: a[:1], STRUCT((2,), "float64"), x), TypeError, r"<lambda> returned float64\[1\], expected float64\[2\] \(result_shape_dtypes\)"),
        (lambda x: s2s.pure_callback(lambda a: a + x, STRUCT((2,), "float64"), x), NotImplementedError, "which knows no values of this program"),
        (lambda x: s2s.pure_callback(length, STRUCT((), "float64"), "text"), NotImplementedError, "arrays and numbers, in any containers"),
        (lambda x: s2s.pure_callback(length, STRUCT((), "float64"), x, sharding=3), NotImplementedError, "sharding"),
        (lambda x: s2s.pure_callback(length, STRUCT((), "float64"), x, vmap_method="no"), ValueError, "vmap_method must be on of the allowed methods .*, but got: no"),
        (lambda x: s2s.pure_callback(wrong, STRUCT((2,), "float64"), x), TypeError, r"float64\[2\], but returned float32\[2\]"),
        (lambda x: s2s.pure_callback(length), TypeError, "missing"),
    ],
)
def test_refused(call, error, words):
    with pytest.raises(error, match=words):
        on_numpy(call)(np.array([1.0, 2.0]))


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


# ---- names -----------------------------------------------------------------------------------------------------------------


@s2s.named_scope("scoped")
def decorated(x):
    for k in range(len(x)):
        x[k] = np.sin(x[k]) * x[k - 1]
        if x[k] > 0.5:
            x[k] = x[k] * 0.5 + np.cos(x[0])
        while x[k] > 1.0:
            x[k] = x[k] - 0.25
    y = np.tanh(x) * np.exp(-x)
    z = np.cumsum(y) * x
    return z / (1.0 + np.abs(x))


def test_named_scope_decorates_and_named_call_is_read():
    def f(x):
        dense = s2s.named_call(decorated, name="dense")
        tail = s2s.named_scope("tail")(lambda y: 2.0 * y)
        with s2s.named_scope("block"):
            return np.sum(dense(x + 0.0) + dense(2.0 * x) + decorated(x + 1.0) + decorated(3.0 * x)) + tail(x)[0]

    x = np.array([0.5, 1.5])
    source = s2s.grad(f).source(x)
    assert "def _dense" in source
    assert "def _scoped" in source
    assert decorated.__name__ == "scoped"
    np.testing.assert_allclose(on_numpy(f)(x), f(x), rtol=1e-13)
    for call, words in ((lambda: s2s.named_scope(3), "must be a string"), (lambda: on_numpy(lambda x: s2s.named_scope(x)(np.sin)(x))(1.0), "must be a string"), (lambda: on_numpy(lambda x: s2s.named_call(lambda y: y, name=x)(x))(1.0), "a name is a text")):
        with pytest.raises(TypeError, match=words):
            call()
