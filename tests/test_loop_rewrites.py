"""Values that arrays still hold, elements in scalars, gathered sums, loops turned round: the numbers stay, and what is promised is done."""
from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from loop_programs import Writer
from staging import stage

import s2s
from s2s.codegen.language.expressions import Load, Name, Op, integer, plus
from s2s.codegen.language.operations import ADD, NEGATE
from s2s.codegen.language.statements import Alloc, Loop, Store
from s2s.codegen.passes.temporaries import recomputed
from s2s.transforms.derivatives import derive
from s2s.transforms.derivatives.activity import varied_results
from s2s.transforms.derivatives.forward import jvp
from s2s.transforms.derivatives.reverse.adjoint import vjp
from s2s.transforms.ir.interpret import interpret
from s2s.transforms.ir.program import Equation, For, Function, walk
from s2s.transforms.ir.verify import verify
from s2s.transforms.loops.registers import in_registers
from s2s.transforms.loops.vectorise import in_vector_form
from s2s.transforms.simplify.simplification import simplify

ROOT = Path(__file__).parent.parent


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


CASES = load(ROOT / "benchmarks" / "programs_loops.py").CASES


def finished(function: Function) -> Function:
    """What codegen makes of a program before it writes loops."""
    changed = in_vector_form(in_registers(function))
    verify(changed)
    return changed


def gradient(fun, *args) -> Function:
    return simplify(derive.grad(stage(fun, args)).function)


def allocated(function: Function) -> int:
    return sum(isinstance(node, Equation) and node.primitive.name == "empty" for node in walk(function.body))


def copies(args):
    return tuple(arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args)


def floats(args):
    return [arg for arg in args if np.asarray(arg).dtype.kind == "f"]


def check(fun, args, seed=0):
    """Reverse against forward mode, before and after the rewrites."""
    rng = np.random.default_rng(seed)
    function = simplify(stage(fun, args).function)
    active = tuple(param.type.dtype.kind == "f" for param in function.params)
    dots = [rng.normal(size=np.shape(arg)) for arg in floats(args)]
    useful = (True, *(False for _ in function.body.results[1:]))
    reverse = simplify(vjp(function, active, useful))
    verify(reverse)
    with np.errstate(all="ignore"):
        forward = interpret(jvp(function, active), *copies(args), *dots)
        want = forward[len(function.body.results)] if varied_results(function, active)[0] else 0.0
        for one in (reverse, finished(reverse)):
            results = interpret(one, *copies(args), 1.0)
            bars = results[len(function.body.results):]
            got = sum(np.sum(bar * dot) for bar, dot in zip(bars, dots, strict=True))
            size = sum(np.sum(np.abs(bar * dot)) for bar, dot in zip(bars, dots, strict=True))
            if np.isfinite(size):
                assert abs(got - want) <= 1e-11 * (1.0 + size)
        plain = finished(function)
        np.testing.assert_equal(interpret(plain, *copies(args)), interpret(function, *copies(args)))


# ---- the programs of the benchmark --------------------------------------------------------------------------------------


def small(case, size):
    return tuple(min(arg, 4) if isinstance(arg, int) else arg for arg in case.make(size))


@pytest.mark.parametrize("name", CASES)
def test_benchmark_programs(name):
    for size in (5, 2, 1):
        check(CASES[name].function, small(CASES[name], size))


@pytest.mark.parametrize(("name", "tapes"), [
    ("Cholesky, scalars", 0), ("Cholesky, slices", 0), ("Cholesky, textbook", 0), ("LU, scalars", 0), ("LU, slices", 0),
    ("triangular solve, scalars", 0), ("triangular solve, slices", 0), ("pendulum", 1), ("logistic map", 1), ("Gauss-Seidel, 10 sweeps", 0),
])
def test_tapes(name, tapes):
    case = CASES[name]
    assert allocated(gradient(case.function, *small(case, 5))) == tapes


# ---- random nests -----------------------------------------------------------------------------------------------------


def random_program(seed, folder):
    path = folder / f"nest_{seed}.py"
    path.write_text("import numpy as np\n\n\n" + Writer(seed).text())
    return load(path).f


def point(rng, n=5):
    return rng.normal(size=(n, n)), rng.normal(size=n), rng.normal(size=n), rng.normal()


@pytest.mark.parametrize("seed", range(60))
def test_random_nests(seed, tmp_path):
    fun = random_program(seed, tmp_path)
    check(fun, point(np.random.default_rng(seed)), seed)


@pytest.mark.parametrize("seed", [3, 14])
def test_random_nests_compiled(seed, tmp_path):
    fun = random_program(seed, tmp_path)
    args = point(np.random.default_rng(seed))
    with s2s.disable_jit():
        want = s2s.grad(fun, argnums=(0, 1, 2, 3))(*args)
    got = s2s.grad(fun, argnums=(0, 1, 2, 3))(*args)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


# ---- single rules -----------------------------------------------------------------------------------------------------


def overwritten(u):
    n = len(u)
    for i in range(1, n):
        u[i] = u[i] * u[i - 1]
        u[i - 1] = 0.0
    return u[n - 1]


def wrapped(u):
    for i in range(len(u)):
        u[i] = u[i] * u[i - 1]  # the first trip reads the last element, which is overwritten later
    return np.sum(u)


def test_what_is_overwritten_later_is_kept():
    for fun in (overwritten, wrapped):
        assert allocated(gradient(fun, np.ones(5))) > 0
        check(fun, (np.random.default_rng(0).normal(size=5),))


def beyond(A, m):
    total = 0.0
    for i in range(m):
        total += A[i, i]
    return total


def test_positions_out_of_bounds_are_refused_still():
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        s2s.grad(beyond)(np.ones((3, 4)), 5)


def hoistable(A, m):
    for i in range(A.shape[0]):
        for k in range(m):
            A[i, m] += A[i, k] * 0.5
    return A


def test_an_element_out_of_bounds_is_not_touched_by_a_loop_without_trips():
    assert s2s.jit(hoistable)(np.ones((2, 0)), 0).shape == (2, 0)


def test_loops_of_derivatives_run_upwards_where_they_may():
    def stencil(u, steps):
        for _ in range(steps):
            v = np.zeros(len(u))
            for i in range(1, len(u) - 1):
                v[i] = u[i - 1] + u[i + 1]
            u = v
        return np.sum(u * u)

    loops = [node for node in walk(finished(gradient(stencil, np.ones(6), 3)).body) if isinstance(node, For)]
    assert [loop.step.value for loop in loops].count(-1) == 1  # the one over time


def flux_form(u, kappa, steps):
    n = u.shape[0]
    flux = np.zeros(n + 1)
    for _ in range(steps):
        for i in range(1, n):
            flux[i] = kappa[i] * (u[i] - u[i - 1]) * u[i]
        for i in range(n):
            u[i] += 0.1 * (flux[i + 1] - flux[i])
    return np.sum(u * u)


def second_difference(u, kappa, steps):
    n = u.shape[0]
    for _ in range(steps):
        force = np.sin(u)
        for i in range(1, n - 1):
            u[i] += force[i + 1] - 2.0 * force[i] + force[i - 1]
    return np.sum(u * kappa * u)


@pytest.mark.parametrize("function", [flux_form, second_difference])
def test_terms_of_little_arithmetic_are_computed_where_they_are_added(function):
    for size in (1, 2, 3, 4, 5, 6, 9):
        u, kappa = np.linspace(0.3, 1.0, size), np.linspace(1.0, 2.0, size)
        for argnum in (0, 1):
            compiled, plain = s2s.grad(function, argnums=argnum), s2s.jit(s2s.grad(function, argnums=argnum), target="numpy")
            forward = s2s.jacfwd(function, argnums=argnum)
            np.testing.assert_allclose(compiled(u, kappa, 3), plain(u, kappa, 3), rtol=1e-12, atol=1e-13)
            np.testing.assert_allclose(compiled(u, kappa, 3), forward(u, kappa, 3), rtol=1e-12, atol=1e-13)
    source = s2s.grad(flux_form).source(u, kappa, 3)
    assert "flux_bar[i] += 0.1 * u_bar[i - 1] - 0.1 * u_bar[i]" in source
    assert "flux_bar[n] += 0.1 * u_bar[n - 1]" in source


def test_positions_in_triangular_loops_are_unsigned():
    text = s2s.grad(CASES["LU, scalars"].function).source(np.eye(3))
    assert "at = np.uint64(j)" in text
    assert text.count("raise IndexError") <= 3  # the reverse sweep checks nothing again


def test_positions_are_not_unsigned_where_a_joined_loop_counts_from_the_end():
    def shifted(x):
        n = len(x)
        z = np.zeros(n)
        w = np.zeros(n)
        for i in range(n):
            if i > 0:
                z[i] = x[i - 1]
        for j in range(n):  # has the same range, but reads x[-1]
            w[j] = x[j - 1]
        return z, w

    np.testing.assert_array_equal(s2s.jit(shifted)(np.arange(1.0, 5.0)), shifted(np.arange(1.0, 5.0)))


def test_loops_over_positions_from_the_end_are_not_joined():
    def twice(x):
        n = len(x)
        z = np.zeros(n)
        w = np.zeros(2 * n)
        for i in range(-n, n):  # z[-1] is z[n - 1]
            z[i] = x[i] * (i + 10.0)
        for i in range(-n, n):
            w[i + n] = z[i]
        return w

    np.testing.assert_array_equal(s2s.jit(twice)(np.arange(1.0, 4.0)), twice(np.arange(1.0, 4.0)))


def test_elements_from_the_end_are_not_computed_again():
    def scaled(x):
        n = len(x)
        z = x * np.arange(n)
        w = np.zeros(n)
        for j in range(n):
            w[j] = z[j - 1] + z[-j]
        return w

    np.testing.assert_array_equal(s2s.jit(scaled)(np.arange(1.0, 5.0)), scaled(np.arange(1.0, 5.0)))


def test_an_element_is_computed_again_where_only_its_own_trip_overwrites_it():
    def orthogonal(V):
        for i in range(V.shape[0]):
            for j in range(i + 1, V.shape[0]):
                V[j] -= (V[i] @ V[j]) * V[i]
        return np.sum(V * V)

    V = np.random.default_rng(0).normal(size=(4, 7))
    gradient = s2s.grad(orthogonal)
    assert "mul_bar[k]" not in gradient.source(V)
    np.testing.assert_allclose(gradient(V), s2s.jit(gradient, target="numpy")(V), rtol=1e-12)


@pytest.mark.parametrize(("store", "expected"), [("k", True), ("k + 1", False)])
def test_an_element_that_an_earlier_trip_overwrites_is_kept(store, expected):
    n, k = Name("n"), Name("k")
    place = {"k": k, "k + 1": plus(k, integer(1))}[store]
    body = (
        Alloc("t", (n,), np.dtype(float)),
        Loop("k", integer(0), n, integer(1), (Store("t", (k,), Op(NEGATE, (Load("a", (k,)),))),)),
        Loop("k", integer(0), n, integer(1), (Store("a", (place,), Load("t", (k,)), ADD),)),
    )
    assert (recomputed(body, frozenset({"a"}), frozenset({"n"})) != body) == expected


def test_an_element_that_is_cleared_and_added_to():
    def cleared(u, x):
        for i in range(3):
            for k in range(4):
                u[i] = 1.0
                u[i] += x[k]
        return np.sum(u * u)

    check(cleared, (np.ones(3), np.arange(4.0)))


def test_loops_part_before_a_function_of_vector_units():
    text = s2s.grad(CASES["Elman network, 64 units"].function).source(np.eye(3), np.eye(3), np.ones((2, 3)))
    assert re.search(r"h_1\[i\] = dot \+ dot_1\n        for i in range\(n\):\n(            #.*\n)?            h_1\[i\] = array_tanh\(h_1\[i\]\)", text)

    def neighbours(W, h):
        for _ in range(2):
            g = np.zeros(len(h))
            for i in range(len(h)):
                s = 0.0
                for j in range(len(h)):
                    s += W[i, j] * h[j]
                g[i] = np.tanh(s)
                h[i] = 0.5 * h[i] + g[i - 1]  # what the next trip reads
        return h

    W, h = np.arange(9.0).reshape(3, 3) / 9.0, np.arange(3.0)
    np.testing.assert_allclose(s2s.jit(neighbours)(W, h.copy()), neighbours(W, h.copy()), rtol=1e-14)


def test_rows_in_falling_order_are_hidden_where_many_elements_are_touched():
    heat = s2s.grad(CASES["nonlinear heat, slices, 20 steps"].function).source(np.ones(6), 3, 0.1)
    assert "at = unordered(each)" in heat
    assert "unordered" not in s2s.grad(CASES["triangular solve, slices"].function).source(np.ones(3), np.eye(3))
