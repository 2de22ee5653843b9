"""make_jaxpr prints JAX's own text for the examples of JAX's documents (stored, JAX 0.10.2 with 64-bit numbers; live where it is installed), and what it prints computes what the function does."""
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from jaxpr_examples import EXAMPLES, STORED, by_jax
from programs import CASES

import s2s
import s2s.numpy
from s2s.transforms.jaxprs.rows import NAMES


def by_s2s(example):
    fun, args = example(s2s, s2s.numpy, s2s.lax)
    return s2s.make_jaxpr(fun)(*args), fun, args


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.__name__)
def test_printed_as_by_jax(example):
    """Names apart: what JAX calls add_any where it sums cotangents is an add."""
    closed, _, _ = by_s2s(example)
    assert str(closed) == json.loads(STORED.read_text(encoding="utf-8"))[example.__name__].replace("= add_any ", "= add ")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.__name__)
def test_evaluated(example):
    closed, fun, args = by_s2s(example)
    found = s2s.core.eval_jaxpr(closed.jaxpr, closed.consts, *s2s.tree_util.tree_leaves(args))
    with s2s.disable_jit():
        wanted = s2s.tree_util.tree_leaves(fun(*args))
    for one, two, aval in zip(found, wanted, closed.out_avals, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)
        assert (np.shape(one), np.asarray(one).dtype) == (aval.shape, aval.dtype)


def test_stored_texts_are_those_of_the_installed_jax():
    pytest.importorskip("jax")
    assert by_jax() == json.loads(STORED.read_text(encoding="utf-8"))


# ---- what it computes ----------------------------------------------------------------------------------------------------


def evaluated(closed, *args):
    return s2s.core.eval_jaxpr(closed.jaxpr, closed.consts, *s2s.tree_util.tree_leaves(args))


@pytest.mark.parametrize("case", CASES[::15], ids=str)
def test_programs_and_their_gradients(case):
    """What is printed is the whole program: run by NumPy it gives the function's results, and its gradient's."""
    args = case.make(np.random.default_rng(0))
    leaves = [arg for number, arg in enumerate(args) if number not in case.static]
    for fun in (case.fun, s2s.jacrev(case.fun, argnums=case.wrt)) if case.wrt and not case.static else (case.fun,):
        with np.errstate(all="ignore"):
            try:
                closed = s2s.make_jaxpr(fun, static_argnums=case.static)(*args)
            except s2s.UnsupportedError as error:
                assert "writes into" in str(error) or "size depends" in str(error)
                continue
            except s2s.ArgumentTypeError as error:
                assert "requires real-valued outputs" in str(error)
                continue
            assert str(closed).count("{ lambda") >= 1
            found = evaluated(closed, *leaves)
            wanted = s2s.tree_util.tree_leaves(fun(*args) if fun is case.fun else on_numpy(case)(*args))
        for one, two in zip(found, wanted, strict=True):
            assert np.shape(one) == np.shape(two)
            np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9)


def on_numpy(case):
    return s2s.jacrev(s2s.jit(case.fun, target="numpy"), argnums=case.wrt)


def test_loops():
    def f(x, n):
        y = np.zeros((len(x), 2))
        total = 1.0
        for i in range(len(x) - 1, -1, -1):
            total = total * x[i] + i
            y[i] = total
        for k in range(5, n, 2):
            total += k
        for k in range(n, 2, -3):
            total -= k * x[0]
        for i in range(1, len(x)):
            total += x[i - 1]
        return y, total

    for n in (0, 3, 9):
        x = np.linspace(0.5, 1.5, 4)
        closed = s2s.make_jaxpr(f)(x, n)
        assert "reverse=True" in str(closed)
        assert str(closed).count("while[") == 2
        assert str(closed).count("scan[") == 2
        for one, two in zip(evaluated(closed, x, n), f(x, n), strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-12)


def test_rows_that_are_stored_are_stacked_only_where_nothing_else_sees_them():
    def shifted(x):
        y = x + 0.0
        for i in range(len(x)):
            y[i] = 2.0 * y[i - 1]
        return y

    def twice(x):
        y = np.zeros(len(x))
        for i in range(len(x)):
            y[i] = x[i]
            y[i] = y[i] + 1.0
        return y

    def partly(x):
        y = np.ones(len(x))
        for i in range(1, len(x)):
            y[i] = x[i]
        return y

    for fun in (shifted, twice, partly):
        x = np.arange(1.0, 5.0)
        np.testing.assert_array_equal(evaluated(s2s.make_jaxpr(fun)(x), x)[0], fun(x))


def test_chain_of_tests_of_other_indices_is_no_switch():
    def f(i, j, x):
        if i <= 0:
            return x
        elif j <= 1:
            return -x
        else:
            return 2.0 * x

    closed = s2s.make_jaxpr(f)(0, 0, 1.0)
    assert "clamp" not in str(closed)
    for i in (0, 1, 2):
        for j in (0, 1, 2):
            assert evaluated(closed, i, j, 3.0) == [f(i, j, 3.0)]


def test_switch_at_indices_out_of_range():
    closed = s2s.make_jaxpr(lambda i, x: s2s.lax.switch(i, [lambda a: a, lambda a: -a, lambda a: 2 * a], x))(0, 1.0)
    assert [evaluated(closed, i, 3.0)[0] for i in (-(2**40), -1, 0, 1, 2, 7, 2**40)] == [3.0, 3.0, 3.0, -3.0, 6.0, 6.0, 6.0]


def test_checks_are_equations_that_raise():
    def f(x, i):
        if i > 5:
            raise ValueError(f"too many: {i}")
        return x[i]

    closed = s2s.make_jaxpr(f)(np.arange(10.0), 2)
    assert "check" in str(closed)
    assert closed.effects == {"check"}
    assert evaluated(closed, np.arange(10.0), 3) == [3.0]
    with pytest.raises(ValueError, match="too many: 7"):
        evaluated(closed, np.arange(10.0), 7)


def test_prints_are_equations(capsys):
    def f(x):
        print("x is", x)
        return x + 1.0

    closed = s2s.make_jaxpr(f)(1.5)
    assert "debug_print" in closed.effects
    capsys.readouterr()
    assert evaluated(closed, 1.5) == [2.5]
    assert capsys.readouterr().out == "x is 1.5\n"


# ---- its objects -----------------------------------------------------------------------------------------------------------


def test_objects():
    weights = np.arange(3.0)
    closed = s2s.make_jaxpr(lambda x: {"b": x * weights, "a": 2.0})(np.ones(3))
    assert closed.consts == [weights] or closed.consts[0] is weights
    assert [str(aval) for aval in (*closed.in_avals, *closed.out_avals)] == ["ShapedArray(float64[3])", "ShapedArray(float64[], weak_type=True)", "ShapedArray(float64[3])"]
    (eqn,) = closed.eqns
    assert (eqn.primitive.name, str(eqn.primitive), eqn.params) == ("mul", "mul", {})
    assert eqn.invars == (closed.jaxpr.invars[0], closed.jaxpr.constvars[0])
    assert closed.jaxpr.outvars[1] is eqn.outvars[0]
    assert closed.jaxpr.outvars[0].val == 2.0
    assert eqn.primitive == s2s.make_jaxpr(lambda x: x * x)(1.0).eqns[0].primitive
    assert "test_jaxprs.py" in str(eqn.source_info)


def test_return_shape_and_static_arguments():
    closed, shapes = s2s.make_jaxpr(lambda x, k: {"powers": [x**k, x]}, static_argnums=1, return_shape=True)(np.ones(3, np.float32), 3)
    assert shapes == {"powers": [s2s.ShapeDtypeStruct((3,), np.float32)] * 2}
    assert str(closed) == "{ lambda ; a:f32[3]. let b:f32[3] = integer_pow[y=3] a in (b, a) }"
    assert str(s2s.jit(lambda x: x + 1.0).trace(s2s.ShapeDtypeStruct((2,), "float64")).jaxpr) == "{ lambda ; a:f64[2]. let b:f64[2] = add a 1.0:f64[] in (b,) }"


def test_collectives_of_axes_around():
    def f(x):
        return x / s2s.lax.psum(x, "i"), s2s.lax.pmax(x, "j"), s2s.lax.all_gather(x, "i"), s2s.lax.ppermute(x, "i", [(0, 1)])

    assert str(s2s.make_jaxpr(f, axis_env=[("i", 4), ("j", 2)])(np.float64(1.0))).splitlines() == [
        "{ lambda ; a:f64[]. let",
        "    b:f64[] = psum[axes=('i',) axis_index_groups=None] a",
        "    c:f64[] = div a b",
        "    d:f64[] = pmax[axes=('j',) axis_index_groups=None] a",
        "    e:f64[4] = all_gather[",
        "      all_gather_dimension=0",
        "      axis_index_groups=None",
        "      axis_name=('i',)",
        "      axis_size=4",
        "      tiled=False",
        "    ] a",
        "    f:f64[] = ppermute[axis_name=('i',) perm=((0, 1),)] a",
        "  in (c, d, e, f) }",
    ]


def test_rules_are_calls():
    @s2s.custom_jvp
    def f(x):
        return np.sin(x)

    @f.defjvp
    def f_jvp(primals, tangents):
        return f(*primals), np.cos(primals[0]) * tangents[0]

    assert str(s2s.make_jaxpr(lambda x: f(x) * 2.0)(1.0)).splitlines()[1:7] == [
        "    b:f64[] = custom_jvp_call[", "      name=f", "      call_jaxpr={ lambda ; c:f64[]. let d:f64[] = sin c in (d,) }", "      jvp=f_jvp", "      symbolic_zeros=False", "    ] a",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: s2s.make_jaxpr(3), TypeError, "Expected a callable"),
        (lambda: evaluated(s2s.make_jaxpr(lambda x: s2s.lax.psum(x, "i"), axis_env=[("i", 2)])(1.0), 1.0), NameError, "unbound axis name: i"),
        (lambda: s2s.make_jaxpr(np.sin, abstracted_axes=("n",)), NotImplementedError, "abstracted_axes"),
        (lambda: s2s.make_jaxpr(lambda x: np.nonzero(x)[0])(np.ones(3)), NotImplementedError, "size depends on numbers"),
        (lambda: s2s.make_jaxpr(stores)(np.ones(3)), NotImplementedError, "writes into x"),
        (lambda: evaluated(s2s.make_jaxpr(lambda x: x)(np.ones(3)), np.ones(4)), TypeError, r"float64\[3\] was given float64\[4\]"),
        (lambda: evaluated(s2s.make_jaxpr(lambda x: x)(np.ones(3)), np.ones(3), 1.0), TypeError, "was given 0 and 2"),
        (lambda: s2s.make_jaxpr(lambda x: x.sum(axis=0))(np.ones((2, 3))).eqns[0].primitive.bind(np.ones((2, 3)), axes=(1,)), TypeError, "not the equation's"),
    ],
)  # fmt: skip
def test_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


@s2s.jit
def rows_of_a_size_that_is_a_number(x, n):
    out = np.zeros(n)
    for k in range(len(x)):
        out[k % n] += x[k]
    return np.sum(out * out)


def test_gradients_of_sizes_that_are_numbers_are_refused():
    for fun in (s2s.grad(rows_of_a_size_that_is_a_number), s2s.jacrev(rows_of_a_size_that_is_a_number)):
        with pytest.raises(s2s.UnsupportedError, match="size depends on numbers"):
            s2s.make_jaxpr(fun)(np.ones(4), 3)


def test_functions_of_known_numbers_stay_known():
    """What is an equation where it meets run-time values is a number wherever one is needed while reading."""

    def f(x):
        total, count = 0.0, int(np.sqrt(16.0))
        for k in range(count):
            total += x[k] * np.log(2.0)
        if np.exp(0.0) > 0.5 and np.ceil(2.5) == 3:
            total = total + np.zeros(int(np.log2(4.0)))
        return total, np.sqrt(2.0), {"k": np.sin(1.0)}

    x = np.arange(5.0)
    found = evaluated(s2s.make_jaxpr(f)(x), x)
    wanted = s2s.tree_util.tree_leaves(f(x))
    for one, two in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, two)


def stores(x):
    x[0] = 1.0
    return x


def test_table_of_names_in_the_documents():
    page = (Path(__file__).parent.parent / "docs" / "jaxpr.md").read_text(encoding="utf-8")
    for row, name in NAMES.items():
        assert f"| `{row.name}` | `{name}` |" in page
