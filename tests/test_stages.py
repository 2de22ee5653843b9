"""trace, lower, compile: texts, types, costs, JAX's errors; calls of jitted functions by steps."""
from __future__ import annotations

import ast
from functools import partial

import numpy as np
import pytest

import s2s
from s2s import stages

X, M = np.arange(3.0), np.ones((4, 3))


def f(params, x):
    return np.tanh(x @ params["w"]) + params["b"]


PARAMS = {"w": np.ones((3, 2)), "b": 0.5}
LIKE = {"w": s2s.ShapeDtypeStruct((3, 2), np.float64), "b": 0.5}


@pytest.mark.parametrize("args", [(PARAMS, M), (LIKE, s2s.ShapeDtypeStruct((4, 3), np.float64))])
def test_texts_and_types(args):
    lowered = s2s.jit(f).lower(*args)
    assert lowered.as_text() == lowered.as_text("python") == s2s.jit(f).source(PARAMS, M)
    assert lowered.as_text("program") == str(s2s.jit(f).program(PARAMS, M))
    assert lowered.out_info == s2s.ShapeDtypeStruct((4, 2), np.float64) == s2s.jit(f).eval_shape(*args)
    assert lowered.in_tree == s2s.tree_util.tree_structure(((PARAMS, M), {}))
    assert lowered.out_tree == s2s.tree_util.tree_structure(0)
    assert lowered.args_info[0][0]["w"] == stages.ArgInfo((3, 2), np.dtype(np.float64), donated=False)
    assert lowered.donate_argnums == ()
    traced = s2s.jit(f).trace(*args)
    assert (traced.fun_name, traced.as_text()) == ("f", lowered.as_text("program"))
    assert traced.lower().as_text() == lowered.as_text()


def test_compiled_calls_check_types():
    compiled = s2s.jit(f, target="numpy").lower(PARAMS, M).compile()
    np.testing.assert_array_equal(compiled(PARAMS, M), f(PARAMS, M))
    with pytest.raises(TypeError, match="does not match the input pytree it was called with"):
        compiled((PARAMS["w"], 0.5), M)
    with pytest.raises(TypeError, match=r"Argument 'x' compiled with float64\[4,3\] and called with float64\[5,3\]"):
        compiled(PARAMS, np.ones((5, 3)))
    with pytest.raises(TypeError, match=r"called with float32\[4,3\]"):
        compiled(PARAMS, M.astype(np.float32))
    assert compiled.memory_analysis() == stages.MemoryStats(8 * (6 + 1 + 12), 64)
    assert str(compiled.in_avals) == "(({'w': ShapedArray(float64[3,2]), 'b': ShapedArray(float64[])}, ShapedArray(float64[4,3])), {})"
    assert str(compiled.out_avals) == "ShapedArray(float64[4,2])"
    np.testing.assert_array_equal(compiled.runtime_executable()(PARAMS, M), f(PARAMS, M))


def test_static_and_donated_arguments():
    """JAX's contract: static arguments are no part of the stages' trees, and are not given to what is compiled."""
    jitted = s2s.jit(lambda x, n, *, k=1.0: x * n * k, static_argnums=1, donate_argnums=0, target="numpy")
    lowered = jitted.lower(M, 3, k=2.0)
    assert str(lowered.in_tree) == "PyTreeSpec(((*,), {'k': *}))"
    assert lowered.args_info == ((stages.ArgInfo((4, 3), np.dtype(np.float64), donated=True),), {"k": stages.ArgInfo((), np.dtype(np.float64))})
    assert lowered.donate_argnums == (0,)
    np.testing.assert_array_equal(lowered.compile()(M, k=2.0), M * 6)
    with pytest.raises(TypeError, match=r"There are 1 mismatches, including:\n    \* at args, seen tuple of length 1 but now given tuple of length 2, so the lengths do not match"):
        lowered.compile()(M, 3, k=2.0)
    assert s2s.jit(lambda x: x, target="numpy").trace(M).fun_name == "<lambda>"


def test_what_jit_is_told_wrongly():
    f = lambda x, n=1: x  # noqa: E731
    for options, words in (
        ({"static_argnums": 3}, r"Jitted function has static_argnums=\(3,\), but only accepts 2 positional arguments."),
        ({"static_argnames": "y"}, "Jitted function has invalid argnames {'y'} in static_argnames. Function does not take these args."),
        ({"donate_argnums": 4}, r"Jitted function has donate_argnums=\(4,\), but only accepts 2 positional arguments."),
        ({"donate_argnames": "q"}, "Jitted function has invalid argnames {'q'} in donate_argnames. Function does not take these args."),
        ({"static_argnums": 0, "donate_argnums": 0}, "static_argnames and donate_argnames cannot intersect. Argument names {'x'} appear in both"),
    ):
        with pytest.raises(ValueError, match=words):
            s2s.jit(f, **options)
    with pytest.raises(ValueError, match=r"Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type <class 'list'>, \[1\]"):
        s2s.jit(f, static_argnames="n")(M, [1])


def test_machine_code():
    lowered = s2s.jit(lambda x: np.sum(np.sin(x))).lower(X)
    assert "define" in lowered.as_text("llvm")
    assert ".globl" in lowered.compile().as_text()
    with pytest.raises(ValueError, match="module without kernels"):
        s2s.jit(lambda x: x * 2.0, target="numpy").lower(X).compile().as_text()
    with pytest.raises(ValueError, match="unknown dialect: hlo"):
        lowered.as_text("hlo")


def test_intermediate_representations():
    lowered = s2s.jit(lambda x: np.sum(np.sin(x)), target="numpy").lower(X)
    assert isinstance(lowered.compiler_ir(), ast.Module)
    assert str(lowered.compiler_ir("program")) == lowered.as_text("program")
    assert lowered.as_text(debug_info=True) == lowered.as_text()
    with pytest.raises(ValueError, match="unknown dialect: stablehlo\n.*there is no XLA"):
        lowered.compiler_ir("stablehlo")
    for option in ({"compiler_options": {"a": 1}}, {"device_assignment": ("gpu",)}):
        with pytest.raises(NotImplementedError, match="jit's"):
            lowered.compile(**option)
    assert lowered.compile(device_assignment=tuple(s2s.devices()[:1]))(X) == np.sum(np.sin(X))


def test_compile_compiles_and_runs_nothing():
    """A loop that would not end for zeros, with a large array beside it."""

    def waits(x, big):
        while x[0] < 1.0:
            x = x * 2.0
        return x + big[0]

    compiled = s2s.jit(waits).lower(X, s2s.ShapeDtypeStruct((10**7,), np.float64)).compile()
    assert [len(kernel.signatures) for kernel in compiled._kernels()] == [1]


def test_errors_come_when_it_is_traced():
    for call, kind, words in (
        (lambda: s2s.jit(lambda x, y: x @ y).trace(M, np.ones(4)), ValueError, "core dimension"),
        (lambda: s2s.jit(lambda x: open(x)).lower(X), NotImplementedError, "open"),
        (lambda: s2s.jit(lambda y: s2s.jit(f, target="numpy").lower(PARAMS, M).compile()(PARAMS, y)).trace(M), NotImplementedError, "lower"),
        (lambda: s2s.grad(lambda y: np.sum(COMPILED(PARAMS, y)))(M), TypeError, "Cannot apply s2s's transformations to a function lowered and compiled"),
    ):
        with pytest.raises(kind, match=words):
            call()
    assert "nonzero" in s2s.jit(lambda x: np.nonzero(x)[0]).lower(X).as_text()  # a size that depends on numbers is no fault


COMPILED = s2s.jit(f, target="numpy").lower(PARAMS, M).compile()


@pytest.mark.parametrize(
    ("fun", "args", "flops", "functions"),
    [
        (lambda x: x * x + 1.0, (X,), 6, 0), (lambda x: np.sum(x * x), (X,), 6, 0), (lambda x: np.exp(x) * 2.0, (X,), 3, 3), (lambda a: a @ a.T, (M,), 2 * 4 * 3 * 4, 0),
        (lambda a, b: np.einsum("ij,jk->", a, b), (M, M.T), None, 0),
    ],
)
def test_costs(fun, args, flops, functions):
    cost = s2s.jit(fun).lower(*args).cost_analysis()
    assert set(cost) == {"flops", "transcendentals", "bytes accessed"}
    assert cost["transcendentals"] == functions
    assert flops is None or cost["flops"] == flops
    assert cost["bytes accessed"] >= 8 * np.size(args[0])


def test_costs_of_loops_grow_with_their_trips():
    def steps(x):
        for _ in range(len(x)):
            x = x * 2.0
        return x

    costs = [s2s.jit(steps).lower(s2s.ShapeDtypeStruct((n,), float)).cost_analysis()["flops"] for n in (10, 20)]
    assert costs == [100, 400]


def test_of_partials_and_derivatives():
    assert s2s.jit(partial(lambda a, x: a * x, 2.0)).lower(X).out_info.shape == (3,)
    assert s2s.jit(s2s.grad(lambda x: np.sum(x**2))).lower(X).out_info.shape == (3,)


def test_clear_cache():
    fun = s2s.jit(lambda x: x + 1.0, target="numpy")
    fun(X)
    assert fun.emitted()
    fun.clear_cache()
    assert not fun.emitted()
    np.testing.assert_array_equal(fun(X), X + 1.0)


WEIGHTS = np.ones((5, 7))


@pytest.mark.parametrize(
    ("fun", "args", "bytes_between"),
    [
        (lambda a: np.sum(a * 2.0), (M,), 0), (lambda a: (a @ a.T) @ a, (M,), 8 * 16), (lambda a: np.sort(a @ WEIGHTS, axis=1) @ WEIGHTS.T, (np.ones((3, 5)),), None),
        (lambda a: np.sum(np.sort(a @ a)), (np.ones((6, 6)),), None),
    ],
)  # fmt: skip
def test_memory_between(fun, args, bytes_between):
    """What the module allocates, which its text says, without what it returns."""
    jitted = s2s.jit(fun)
    found = jitted.lower(*args).compile().memory_analysis()
    lines = [line for line in jitted.source(*args).splitlines() if line.startswith("    ") and " = np.empty(" in line or " = np.zeros(" in line]
    assert (found.temp_size_in_bytes > 0) == (bytes_between != 0)
    assert bytes_between in (None, found.temp_size_in_bytes), lines
    assert found.argument_size_in_bytes == sum(8 * np.size(arg) for arg in args)


def test_costs_are_exact():
    """As XLA counts them (JAX 0.10.2): two operations for each place of a product; sizes and their tests count nothing."""
    assert s2s.jit(lambda a, b: a @ b).lower(np.ones((4, 5)), np.ones((5, 6))).cost_analysis() == {"flops": 240.0, "transcendentals": 0.0, "bytes accessed": 592.0}
    assert s2s.jit(lambda a: np.exp(a) + 1.0).lower(np.ones(10)).cost_analysis() == {"flops": 10.0, "transcendentals": 10.0, "bytes accessed": 400.0}
    assert s2s.jit(filled).lower(np.ones(10)).cost_analysis() == {"flops": 20.0, "transcendentals": 0.0, "bytes accessed": 20 * 24.0 + 10 * 16.0}
    assert s2s.jit(lambda a, b: np.concatenate([a, b]) * 2.0).lower(np.ones(3), np.ones(4)).cost_analysis()["flops"] == 7.0


def filled(x):
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = x[i] * x[i] + 1.0
    return y


class Scaled:
    def __init__(self, k):
        self.k = k

    @partial(s2s.jit, static_argnums=0, target="numpy")
    def by_static_self(self, x):
        return x * self.k

    @partial(s2s.jit, target="numpy")
    def method(self, x):
        return x * self.k

    @property
    @partial(s2s.jit, target="numpy")
    def doubled(self):
        self.k *= 2.0
        return self.k

    @partial(s2s.jit, target="numpy")
    def by_array_me(me, x):
        return x

    def plain(self, x):
        return x * self.k

    __call__ = plain


def test_methods_objects_partials_and_variable_arguments():
    scaled = Scaled(3.0)
    on_numpy = partial(s2s.jit, target="numpy")
    assert scaled.by_static_self(2.0) == on_numpy(scaled.plain)(2.0) == on_numpy(scaled)(2.0) == 6.0
    with pytest.raises(TypeError, match="the argument me of type Scaled is neither an array, nor a number, nor a container of them"):
        scaled.by_array_me(2.0)
    assert on_numpy(partial(lambda a, x: a * x, x=2.0))(3.0) == 6.0
    assert on_numpy(lambda *args: args[0] * args[1], static_argnums=1)(2.0, 3) == 6.0
    assert on_numpy(lambda x, **named: x * named["n"], static_argnames="n")(2.0, n=3) == 6.0
    assert on_numpy(lambda x, n: x * n, static_argnums=-1)(2.0, 3) == on_numpy(lambda x, n: x * n, static_argnums=1)(2.0, n=3) == on_numpy(lambda x, n: x * n, static_argnames="n")(2.0, 3) == 6.0
    assert s2s.jit(static_argnums=1, target="numpy")(lambda x, n: x * n)(2.0, 3) == 6.0


def test_methods_know_their_objects():
    """jit of a method: its object needs no static_argnums; what its attributes are is asked at each call, and changes of them are kept."""
    scaled, other, on_numpy = Scaled(3.0), Scaled(4.0), partial(s2s.jit, target="numpy")
    assert scaled.method(2.0) == Scaled.method(scaled, 2.0) == 6.0 and other.method(2.0) == 8.0
    scaled.k = np.array([1.0, 5.0])
    assert np.array_equal(scaled.method(2.0), [2.0, 10.0]) and other.method(2.0) == 8.0
    assert other.doubled == 8.0 and other.k == 8.0 and other.method(2.0) == 16.0
    assert s2s.grad(on_numpy(lambda x: other.method(x) ** 2))(1.0) == 128.0
    traced = other.method.__func__.trace(other, 2.0)
    assert traced.lower().compile()(3.0) == 24.0 and traced.out_info.dtype == np.float64


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: s2s.jit(3), "Expected a callable value, got 3"),
        (lambda: s2s.jit(f, static_argnums="a"), "static_argnums must be ints"),
        (lambda: s2s.jit(f, static_argnames=3), "static_argnames must be strs"),
        (lambda: s2s.jit(lambda x: x)(1.0, y=2), "got an unexpected keyword argument 'y'"),
        (lambda: s2s.jit(lambda x, y: x)(1.0), "missing a required argument: 'y'"),
        (lambda: s2s.jit(lambda x: s2s.lax.fori_loop(0.5, 3, lambda i, c: c, x))(1.0), "lower and upper arguments to fori_loop must have equal types, got float64 and int64"),
        (lambda: s2s.lax.fori_loop(0, 3.0, lambda i, c: c, 1.0), "lower and upper arguments to fori_loop must have equal types, got int64 and float64"),
        (lambda: s2s.jit(lambda x: s2s.lax.fori_loop(0.0, x, lambda i, c: c, x))(1.0), "fori_loop's bounds must be integers"),
        (lambda: s2s.jit(lambda x: s2s.lax.scan(lambda c, _: (c, c), x, None, length=2.5))(1.0), "'float' object cannot be interpreted as an integer"),
    ],
)
def test_type_errors(call, words):
    with pytest.raises(TypeError, match=words):
        call()
