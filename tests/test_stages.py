"""trace, lower, compile: texts, types, costs, JAX's errors; calls of jitted functions by steps."""
from __future__ import annotations

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
