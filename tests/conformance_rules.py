"""Rules of the user, nesting, dtypes and complex numbers in calls that s2s and JAX answer alike: as `conformance_cases.py`."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy  # noqa: ICN001 - `np` is JAX's in the other reading
import numpy as np
from conformance import FLOAT0, Cases, vec

import s2s as ad

CASES = Cases()
case, cases = CASES.case, CASES.cases


# ---- rules of the user, checkpoints -----------------------------------------------------------------------------------


F32 = numpy.float32


X = vec(1.0, 2.0)


def mk(f, rule, **k):
    g = ad.custom_jvp(f, **k)
    g.defjvp(rule)
    return g


def mv(f, fwd, bwd, **k):
    g = ad.custom_vjp(f, **k)
    g.defvjp(fwd, bwd)
    return g


sin3 = mk(lambda x: np.sin(x), lambda p, t: (np.sin(p[0]), 3.0 * np.cos(p[0]) * t[0]))


vsin3 = mv(lambda x: np.sin(x), lambda x: (np.sin(x), np.cos(x)), lambda c, g: (3.0 * c * g,))


@case
def cj_tree():
    g = mk(
        lambda p, x: {"y": p["w"] * x, "n": p["b"]},
        lambda pr, t: ({"y": pr[0]["w"] * pr[1], "n": pr[0]["b"]}, {"y": t[0]["w"] * pr[1] * 5.0, "n": t[0]["b"]}),
    )
    return ad.grad(lambda p, x: g(p, x)["y"] + g(p, x)["n"])({"w": 2.0, "b": 3.0}, 4.0)


@case
def cj_kw():
    g = mk(lambda x, y: x * y, lambda p, t: (p[0] * p[1], 10.0 * t[0] + t[1]))
    return (ad.grad(lambda x: g(x, y=2.0))(3.0), ad.grad(lambda x: g(y=2.0, x=x))(3.0))


@case
def cj_default():
    g = mk(lambda x, y=2.0: x * y, lambda p, t: (p[0] * p[1], 10.0 * t[0] + t[1]))
    return ad.grad(g)(3.0)


@case
def cj_nondiff_str():

    @functools.partial(ad.custom_jvp, nondiff_argnums=(1,))
    def app(x, mode):
        return np.sin(x) if mode == "s" else np.cos(x)

    @app.defjvp
    def _(mode, p, t):
        return (app(p[0], mode), 7.0 * t[0] if mode == "s" else 9.0 * t[0])

    return (ad.grad(app)(0.3, "s"), ad.grad(lambda x: app(x, "c"))(0.3))


@case
def cj_nondiff_names():

    @functools.partial(ad.custom_jvp, nondiff_argnames=("mode",))
    def app(x, mode):
        return np.sin(x)

    @app.defjvp
    def _(mode, p, t):
        return (np.sin(p[0]), 7.0 * t[0])

    return ad.grad(lambda x: app(x, mode="s"))(0.3)


@case
def cj_defjvps():
    g = ad.custom_jvp(lambda x, y, z: x * y * z)
    g.defjvps(lambda t, ans, x, y, z: t * ans, None, lambda t, ans, x, y, z: 2.0 * t)
    return (ad.grad(g, argnums=(0, 1, 2))(2.0, 3.0, 4.0), ad.jvp(g, (2.0, 3.0, 4.0), (1.0, 1.0, 1.0)))


@case
def cj_int():
    g = mk(lambda x, n: x**n, lambda p, t: (p[0] ** p[1], 5.0 * t[0]))
    return ad.grad(g)(2.0, 3)


@case
def cj_int_static():
    g = mk(lambda x, n: x * n, lambda p, t: (p[0] * p[1], 5.0 * t[0]))
    return ad.jvp(g, (2.0, 3), (1.0, FLOAT0))


@case
def cj_rule_ignores_primal():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 100.0, 5.0 * t[0]))
    return (ad.value_and_grad(g)(2.0), g(2.0), ad.jit(g)(2.0))


@case
def cj_zero_tangent_float():
    g = mk(lambda x, y: x * y, lambda p, t: (p[0] * p[1], t[0] * 3.0 + t[1] * 5.0))
    return (ad.grad(g)(2.0, 3.0), ad.grad(g, 1)(2.0, 3.0))


@case
def cj_tangent_const():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 2.0, 0.0))
    return ad.jvp(g, (2.0,), (1.0,))


@case
def cj_tangent_const_grad():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 2.0, 0.0 * t[0]))
    return ad.grad(g)(2.0)


@case
def cj_tangent_const_grad2():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 2.0, np.zeros_like(p[0])))
    return ad.grad(g)(2.0)


@case
def cj_f32_tangent64():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 2.0, numpy.float64(2.0) * t[0]))
    return ad.jvp(g, (F32(2.0),), (F32(1.0),))


@case
def cj_wrong_shape():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 2.0, np.sum(t[0])))
    return ad.jvp(g, (X,), (X,))


@case
def cj_three():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 2.0, t[0], t[0]))
    return ad.jvp(g, (X,), (X,))


@case
def cj_not_tuple():
    g = mk(lambda x: x * 2.0, lambda p, t: p[0] * 2.0)
    return ad.jvp(g, (X,), (X,))


@case
def cj_tree_mismatch():
    g = mk(lambda x: (x * 2.0, x), lambda p, t: ((p[0] * 2.0, p[0]), [t[0], t[0]]))
    return ad.jvp(g, (X,), (X,))


@case
def cj_nonlinear_fwd():
    g = mk(lambda x: x * 2.0, lambda p, t: (p[0] * 2.0, t[0] ** 2))
    return ad.jvp(g, (1.0,), (3.0,))


@case
def cj_symbolic():
    g = ad.custom_jvp(lambda x, y: x * y)

    def r(p, t):
        x, y = p
        a, b = t
        return (x * y, 3.0 * a if type(b) is ad.custom_derivatives.SymbolicZero else 3.0 * a + 5.0 * b)

    g.defjvp(r, symbolic_zeros=True)
    return (ad.grad(g)(2.0, 3.0), ad.grad(g, (0, 1))(2.0, 3.0))


@case
def cj_closure_array():
    a = vec(2.0, 3.0)
    g = mk(lambda x: a * x, lambda p, t: (a * p[0], 4.0 * a * t[0]))
    return ad.grad(lambda x: np.sum(g(x)))(X)


@case
def cj_closed_tracer():

    def h(w):
        g = mk(lambda x: w * x, lambda p, t: (w * p[0], 4.0 * w * t[0]))
        return g(3.0)

    return ad.jvp(h, (2.0,), (1.0,))


@case
def cj_in_loop():

    def h(x):
        for _i in range(4):
            x = sin3(x) + x
        return x

    return (ad.grad(h)(0.3), ad.jacfwd(h)(0.3), ad.hessian(h)(0.3))


@case
def cj_of_jit():
    g = ad.custom_jvp(ad.jit(lambda x: x * 2.0))
    g.defjvp(ad.jit(lambda p, t: (p[0] * 2.0, t[0] * 9.0)))
    return ad.grad(g)(2.0)


@case
def cv_of_jit():
    g = ad.custom_vjp(ad.jit(lambda x: x * 2.0))
    g.defvjp(ad.jit(lambda x: (x * 2.0, (x,))), ad.jit(lambda r, c: (c * r[0] * 9.0,)))
    return ad.grad(g)(2.0)


@case
def cj_nested():
    g = mk(lambda x: sin3(x) * x, lambda p, t: ad.jvp(lambda y: sin3(y) * 2.0, p, t))
    return (ad.grad(g)(0.3), ad.grad(ad.grad(g))(0.3))


@case
def cj_partial():
    g = mk(lambda a, x: a * x, lambda p, t: (p[0] * p[1], 2.0 * t[1]))
    return ad.grad(functools.partial(g, 2.0))(3.0)


@case
def cj_varargs():
    g = mk(lambda *a: a[0] * a[1], lambda p, t: (p[0] * p[1], t[0] + t[1]))
    return ad.grad(g, argnums=(0, 1))(2.0, 3.0)


@case
def cj_none_arg():
    g = mk(lambda x, m: x * 2.0 if m is None else x, lambda p, t: (p[0] * 2.0, 9.0 * t[0]))
    return ad.grad(lambda x: g(x, None))(2.0)


@case
def cv_none():
    g = mv(lambda x, y: x * y, lambda x, y: (x * y, x), lambda r, c: (None, 3.0 * c))
    return ad.grad(g, (0, 1))(2.0, 3.0)


@case
def cv_none_tree():
    g = mv(lambda p, y: p["a"] * y, lambda p, y: (p["a"] * y, y), lambda r, c: ({"a": r * c, "b": None}, None))
    return ad.grad(g, (0, 1))({"a": 2.0, "b": X}, 3.0)


@case
def cv_none_subtree():
    g = mv(lambda p, y: p["a"] * y, lambda p, y: (p["a"] * y, y), lambda r, c: (None, 2.0 * c))
    return ad.grad(g, (0, 1))({"a": 2.0, "b": X}, 3.0)


@case
def cv_int():
    g = mv(lambda n, x: n * x, lambda n, x: (n * x, n), lambda n, c: (None, 9.0 * n * c))
    return ad.grad(g, 1)(3, 2.0)


@case
def cv_int_f0():
    g = mv(lambda n, x: n * x, lambda n, x: (n * x, n), lambda n, c: (FLOAT0, 9.0 * n * c))
    return ad.grad(g, 1)(3, 2.0)


@case
def cv_int_zero():
    g = mv(lambda n, x: n * x, lambda n, x: (n * x, n), lambda n, c: (0, 9.0 * n * c))
    return ad.grad(g, 1)(3, 2.0)


@case
def cv_nondiff():
    g = mv(lambda f, x: f(x), lambda f, x: (f(x), x), lambda f, r, c: (9.0 * c * f(r),), nondiff_argnums=(0,))
    return ad.grad(lambda x: g(np.sin, x))(2.0)


@case
def cv_nondiff_mid():
    g = mv(lambda x, s, y: x * y, lambda x, s, y: (x * y, (x, y)), lambda s, r, c: (c * 2.0 * (s == "a"), c * 3.0), nondiff_argnums=(1,))
    return ad.grad(g, (0, 2))(2.0, "a", 3.0)


@case
def cv_nondiff_arr():
    g = mv(lambda a, x: np.sum(a) * x, lambda a, x: (np.sum(a) * x, x), lambda a, r, c: (9.0 * c * np.sum(a),), nondiff_argnums=(0,))
    return ad.grad(lambda x: g(X, x))(2.0)


@case
def cv_kw():
    g = mv(lambda x, y: x * y, lambda x, y: (x * y, x), lambda r, c: (5.0 * c, 3.0 * c))
    return ad.grad(lambda x: g(x, y=4.0))(2.0)


@case
def cv_list():
    g = mv(lambda x, y: x * y, lambda x, y: (x * y, x), lambda r, c: [5.0 * c, 3.0 * c])
    return ad.grad(g)(2.0, 3.0)


@case
def cv_bare():
    g = mv(lambda x: x, lambda x: (x, x), lambda r, c: 5.0 * c)
    return ad.grad(g)(2.0)


@case
def cv_short():
    g = mv(lambda x, y: x * y, lambda x, y: (x * y, x), lambda r, c: (5.0 * c,))
    return ad.grad(g)(2.0, 3.0)


@case
def cv_badshape():
    g = mv(lambda x: np.sum(x), lambda x: (np.sum(x), x), lambda r, c: (5.0 * c,))
    return ad.grad(g)(X)


@case
def cv_badshape2():
    g = mv(lambda x: x * 1.0, lambda x: (x * 1.0, x), lambda r, c: (np.outer(c, c),))
    return ad.grad(lambda x: np.sum(g(x)))(X)


@case
def cv_badtree():
    g = mv(lambda p: p["a"], lambda p: (p["a"], None), lambda r, c: ({"b": c},))
    return ad.grad(g)({"a": 2.0})


@case
def cv_fwd_not_pair():
    g = mv(lambda x: x, lambda x: x, lambda r, c: (c,))
    return ad.grad(g)(2.0)


@case
def cv_fwd_bad_out():
    g = mv(lambda x: x, lambda x: ((x, x), None), lambda r, c: (c,))
    return ad.grad(g)(2.0)


@case
def cv_fwd_bad_shape():
    g = mv(lambda x: np.sum(x), lambda x: (x, None), lambda r, c: (c,))
    return ad.grad(g)(X)


@case
def cv_res_tree():
    g = mv(lambda x: x * 2, lambda x: (x * 2, {"a": [x, None], "f": 3, "s": (x, 2.0)}), lambda r, c: (c * r["a"][0] * r["s"][1],))
    return ad.grad(g)(3.0)


@case
def cv_multi_out():
    g = mv(lambda x: (x * 2.0, x * 3.0), lambda x: ((x * 2.0, x * 3.0), x), lambda r, c: (10.0 * c[0] + 100.0 * c[1],))
    return (ad.grad(lambda x: g(x)[0])(3.0), ad.grad(lambda x: g(x)[0] * g(x)[1])(3.0))


@case
def cv_dict_out():
    g = mv(lambda x: {"a": x * 2.0}, lambda x: ({"a": x * 2.0}, x), lambda r, c: (10.0 * c["a"],))
    return ad.grad(lambda x: g(x)["a"])(3.0)


@case
def cv_loop():

    def h(x):
        for _i in range(4):
            x = vsin3(x) + x
        return x

    return (ad.grad(h)(0.3), ad.grad(ad.grad(h))(0.3))


@case
def cv_closed():

    def h(w):
        g = mv(lambda x: w * x, lambda x: (w * x, x), lambda r, c: (9.0 * c,))
        return g(3.0)

    return ad.grad(h)(2.0)


@case
def cv_closed_const():
    w = vec(3.0, 4.0)
    g = mv(lambda x: w * x, lambda x: (w * x, x), lambda r, c: (9.0 * c * w,))
    return ad.grad(lambda x: np.sum(g(x)))(X)


@case
def cv_symbolic():
    g = ad.custom_vjp(lambda x, y: x * y)

    def fwd(x, y):
        return (x.value * y.value, (x.value, y.value, x.perturbed))

    def bwd(r, c):
        return (10.0 * c * r[1], 5.0 * c * r[0])

    g.defvjp(fwd, bwd, symbolic_zeros=True)
    return ad.grad(g, (0, 1))(2.0, 3.0)


@case
def cv_symbolic_perturbed():
    g = ad.custom_vjp(lambda x, y: x * y)

    def fwd(x, y):
        return (x.value * y.value, (x.value, y.value, x.perturbed, y.perturbed))

    def bwd(r, c):
        return (10.0 * c * r[1], 5.0 * c * r[0])

    g.defvjp(fwd, bwd, symbolic_zeros=True)
    return ad.grad(g)(2.0, 3.0)


@case
def cv_vjp_in_bwd():
    g = mv(lambda x: np.sin(x), lambda x: (np.sin(x), x), lambda x, c: ad.vjp(np.cos, x)[1](c))
    return (ad.grad(g)(0.3), ad.grad(ad.grad(g))(0.3))


@case
def cg_basic():

    @ad.custom_gradient
    def f(x, y):
        return (x * y, lambda g: (g * 10.0, g * 20.0))

    return (ad.grad(f, (0, 1))(2.0, 3.0), f(2.0, 3.0))


@case
def cg_single():

    @ad.custom_gradient
    def f(x):
        return (x * x, lambda g: g * 10.0)

    return (ad.grad(f)(2.0), ad.value_and_grad(lambda x: f(x) * 2.0)(2.0))


@case
def cg_closure():

    @ad.custom_gradient
    def f(x):
        c = np.cos(x)

        def vjp(g):
            return (g * c * 10.0,)

        return (np.sin(x), vjp)

    return (ad.grad(f)(0.2), ad.grad(ad.grad(f))(0.2))


@case
def cg_tree():

    @ad.custom_gradient
    def f(p):
        return (p["a"] * p["b"], lambda g: ({"a": g, "b": g * 2.0},))

    return ad.grad(f)({"a": 1.0, "b": 2.0})


@case
def cg_wrong():

    @ad.custom_gradient
    def f(x):
        return x * x

    return ad.grad(f)(2.0)


@case
def cg_wrong2():

    @ad.custom_gradient
    def f(x, y):
        return (x * y, lambda g: (g,))

    return ad.grad(f)(2.0, 3.0)


@case
def lc():

    def f(x):
        return ad.custom_derivatives.linear_call(lambda r, x: x * r, lambda r, t: t * r * 10.0, 3.0, x)

    return (ad.grad(f)(2.0), ad.jvp(f, (2.0,), (1.0,)), ad.linear_transpose(f, 1.0)(1.0))


@case
def lc_tree():

    def f(x):
        return ad.custom_derivatives.linear_call(
            lambda r, x: {"o": x[0] * r[0] + x[1]}, lambda r, t: (t["o"] * r[0] * 10.0, t["o"]), (3.0, 4), (x, 2.0 * x)
        )["o"]

    return ad.grad(f)(2.0)


@case
def lc_bad():

    def f(x):
        return ad.custom_derivatives.linear_call(lambda r, x: x * r, lambda r, t: (t, t), 3.0, x)

    return ad.grad(f)(2.0)


@case
def lc_badshape():

    def f(x):
        return np.sum(ad.custom_derivatives.linear_call(lambda r, x: x * r, lambda r, t: np.sum(t), 3.0, x))

    return ad.grad(f)(X)


@case
def cc():

    @functools.partial(ad.custom_vjp, nondiff_argnums=(0,))
    def run(f, x, args):
        return f(x, *args)

    def fwd(f, x, args):
        return (f(x, *args), (x, args))

    def bwd(f, r, c):
        x, args = r
        _, p = ad.vjp(lambda x, *a: f(x, *a), x, *args)
        gx, *ga = p(c)
        return (10.0 * gx, [2.0 * a for a in ga])

    run.defvjp(fwd, bwd)

    def api(f, x):
        f2, args = ad.closure_convert(f, x)
        return run(f2, x, args)

    return (ad.grad(lambda w: api(lambda x: w * np.sin(x), 0.3))(2.0), ad.grad(lambda x: api(lambda y: 2.0 * np.sin(y), x))(0.3))


@case
def ck_policies():
    P = ad.checkpoint_policies
    out = []
    for pol in (
        P.everything_saveable,
        P.nothing_saveable,
        P.dots_saveable,
        P.checkpoint_dots,
        P.dots_with_no_batch_dims_saveable,
        P.checkpoint_dots_with_no_batch_dims,
        P.save_only_these_names("a"),
        P.save_any_names_but_these("a"),
        P.save_anything_except_these_names("a"),
        P.save_from_both_policies(P.dots_saveable, P.save_only_these_names("a")),
    ):
        out.append(ad.grad(ad.checkpoint(lambda x: np.sum(np.sin(x @ x) * x), policy=pol))(X))
    return out


@case
def ck_static():

    @functools.partial(ad.checkpoint, static_argnums=(1,))
    def f(x, flag):
        return np.sin(x) if flag else np.cos(x)

    return (ad.grad(f)(0.3, True), ad.grad(f)(0.3, False), ad.grad(lambda x: f(x, True) * f(x, False))(0.3))


@case
def ck_static_neg():
    f = ad.checkpoint(lambda x, flag: np.sin(x) if flag else np.cos(x), static_argnums=-1)
    return ad.grad(f)(0.3, True)


@case
def ck_static_fn():
    f = ad.checkpoint(lambda g, x: g(x), static_argnums=0)
    return ad.grad(lambda x: f(np.sin, x))(0.3)


@case
def ck_static_range():
    f = ad.checkpoint(lambda x, flag: x, static_argnums=5)
    return ad.grad(f)(0.3, True)


@case
def ck_out_tree():
    f = ad.checkpoint(lambda x: {"a": x * x, "n": None, "t": (np.sin(x), 3)})
    o, p = ad.vjp(f, 2.0)
    return (o, p({"a": 1.0, "n": None, "t": (1.0, FLOAT0)}))


@case
def ck_rec():

    def rec(fs):
        if len(fs) == 1:
            return fs[0]
        h = len(fs) // 2
        a, b = (rec(fs[:h]), rec(fs[h:]))
        return ad.checkpoint(lambda x: b(a(x)))

    return (ad.grad(rec([np.sin, np.cos, np.tanh, np.exp]))(0.3), ad.grad(ad.grad(rec([np.sin, np.cos, np.tanh, np.exp])))(0.3))


@case
def ck_modes():
    f = ad.checkpoint(lambda x: np.sum(np.sin(x) ** 3))
    return (ad.hessian(f)(X), ad.jvp(f, (X,), (X,)), ad.linearize(f, X)[1](X), ad.jacrev(ad.grad(f))(X), ad.jacfwd(f)(X))


cases(
    {
        "cj_basic": lambda: (
            ad.grad(sin3)(0.3),
            ad.grad(ad.grad(sin3))(0.3),
            ad.jvp(sin3, (0.3,), (1.0,)),
            ad.hessian(lambda x: np.sum(sin3(x)))(X),
            ad.linearize(sin3, 0.3)[1](1.0),
        ),
        "cj_norule": lambda: ad.grad(ad.custom_jvp(lambda x: x))(1.0),
        "cv_norule": lambda: ad.grad(ad.custom_vjp(lambda x: x))(1.0),
        "cj_jit": lambda: (ad.grad(ad.jit(sin3))(0.3), ad.jit(ad.grad(sin3))(0.3)),
        "cv_basic": lambda: (ad.grad(vsin3)(0.3), ad.grad(ad.grad(vsin3))(0.3), ad.vjp(vsin3, 0.3)[1](2.0), ad.jacrev(vsin3)(X)),
        "cv_jvp": lambda: ad.jvp(vsin3, (0.3,), (1.0,)),
        "cv_jacfwd": lambda: ad.jacfwd(vsin3)(X),
        "cv_lin": lambda: ad.linearize(vsin3, 0.3)[1](1.0),
        "cv_hess": lambda: ad.hessian(lambda x: np.sum(vsin3(x)))(X),
        "cv_fwd_rev": lambda: ad.jvp(ad.grad(lambda x: np.sum(vsin3(x))), (X,), (X,)),
        "sg_tree": lambda: ad.grad(lambda p: np.sum(ad.lax.stop_gradient(p)["a"] * p["a"]) + ad.lax.stop_gradient(p["b"]))(
            {"a": X, "b": 2.0}
        ),
        "sg_int": lambda: ad.lax.stop_gradient({"a": 3, "b": None, "c": X}),
        "sg_jvp": lambda: ad.jvp(lambda x: (ad.lax.stop_gradient(x), x), (2.0,), (1.0,)),
        "sg_fwdrev": lambda: ad.hessian(lambda x: np.sum(x**2 * ad.lax.stop_gradient(x)))(X),
        "ck_tree": lambda: ad.grad(ad.checkpoint(lambda p, *, k: p["a"] * p["b"] * k))({"a": 2.0, "b": 3.0}, k=4.0),
        "ck_jit": lambda: (
            ad.grad(ad.jit(ad.checkpoint(lambda x: np.sin(x) * x)))(0.3),
            ad.jit(ad.grad(ad.checkpoint(ad.jit(lambda x: np.sin(x) * x))))(0.3),
        ),
        "ck_custom": lambda: ad.grad(ad.checkpoint(lambda x: sin3(x) * vsin3(x)))(0.3),
    }
)


# ---- nesting ----------------------------------------------------------------------------------------------------------


def f(x):
    return np.sum(np.sin(x) * x**2)


def hvp(f, x, v):
    return ad.jvp(ad.grad(f), (x,), (v,))[1]


def hvp2(f, x, v):
    return ad.grad(lambda x: np.vdot(ad.grad(f)(x), v))(x)


def hvp3(f, x, v):
    return ad.grad(lambda x: ad.jvp(f, (x,), (v,))[1])(x)


def hvp4(f, x, v):
    return ad.vjp(ad.grad(f), x)[1](v)[0]


def hvp5(f, x, v):
    return ad.linearize(ad.grad(f), x)[1](v)


V = vec(0.5, -1.0)


@case
def pc4():

    def g(x):

        def h(y):
            return x * y**2

        return ad.grad(lambda z: ad.grad(h)(z) * x * z)(x * 2)

    return (ad.grad(g)(1.5), ad.jvp(g, (1.5,), (1.0,))[1], ad.grad(ad.grad(g))(1.5))


@case
def pc6_shift():

    def s(u):
        return lambda g: lambda x: g(x + u)

    def D(g):
        return lambda x: ad.jvp(g, (x,), (1.0,))[1]

    return (D(lambda u: s(u)(np.sin)(0.3))(0.2), D(lambda u: D(s(u)(lambda v: v**3))(0.3))(0.2))


@case
def pc7_captured_pullback():

    def g(x):
        _, p = ad.vjp(lambda y: y * y * x, x)
        return ad.grad(lambda z: p(z * x)[0])(x)

    return ad.grad(g)(2.0)


@case
def pc8_lin():

    def g(x):
        _, along = ad.linearize(lambda y: y**3 * x, x)
        return ad.grad(lambda z: along(z * z) * z)(x)

    return (g(2.0), ad.grad(g)(2.0))


@case
def jacrev_helper():

    def helper(a, x):
        return ad.jacrev(lambda y: np.tanh(a * y))(x)

    def g(a):
        return np.sum(helper(a, X) @ X)

    return (ad.grad(g)(0.7), ad.jit(g)(0.7), ad.hessian(g)(0.7))


@case
def newton_loop():

    def solve(a):
        x = a
        for _ in range(8):
            v, d = ad.value_and_grad(lambda y: y**3 - a)(x)
            x = x - v / d
        return x

    return (ad.grad(solve)(2.0), ad.grad(ad.grad(solve))(2.0), ad.jit(ad.grad(solve))(2.0))


@case
def unrolled_gd():
    A = numpy.array([[2.0, 0.3], [0.3, 1.0]])

    def inner(lr):
        x = X
        for _ in range(5):
            x = x - lr * ad.grad(lambda y: y @ A @ y + np.sum(np.cos(y)))(x)
        return np.sum(x**2)

    return (ad.grad(inner)(0.1), ad.grad(ad.grad(inner))(0.1))


@case
def maml():

    def loss(w, x, y):
        return np.mean((np.tanh(w["a"] * x) * w["b"] - y) ** 2)

    def adapted(w, x, y):
        g = ad.grad(loss)(w, x, y)
        w2 = ad.tree_util.tree_map(lambda p, q: p - 0.1 * q, w, g)
        return loss(w2, x * 2, y)

    return ad.grad(adapted)({"a": 1.0, "b": 2.0}, X, V)


@case
def pinn():

    def u(p, t):
        return np.sum(p["w"] * np.tanh(p["v"] * t))

    def res(p, t):
        ut = ad.grad(u, 1)(p, t)
        utt = ad.grad(ad.grad(u, 1), 1)(p, t)
        return utt + ut * u(p, t)

    def loss(p):
        s = 0.0
        for t in (0.1, 0.5, 0.9):
            s = s + res(p, t) ** 2
        return s

    return ad.value_and_grad(loss)({"w": X, "v": V})


@case
def jvp_of_vjp_fn():

    def g(x):
        o, p = ad.vjp(np.sin, x)
        return p(o)[0]

    return (ad.jvp(g, (0.3,), (1.0,)), ad.vjp(lambda x: ad.jvp(np.sin, (x,), (x,))[1], 0.3)[1](1.0))


@case
def pullback_outside_in_grad():
    o, p = ad.vjp(lambda x: np.sin(x) * x, X)
    return (
        ad.grad(lambda c: np.sum(p(c * c)[0]))(V),
        ad.jit(lambda c: p(c))(V),
        ad.jacfwd(lambda c: p(c)[0])(V),
        ad.linear_transpose(lambda c: p(c)[0], V)(V),
    )


@case
def lin_outside_in_grad():
    o, along = ad.linearize(lambda x: np.sin(x) * x, X)
    return (
        ad.grad(lambda c: np.sum(along(c * c)))(V),
        ad.jit(lambda c: along(c))(V),
        ad.jacrev(along)(V),
        ad.jvp(along, (V,), (V,)),
        ad.vjp(along, V)[1](V),
    )


@case
def pullback_aux_int():

    def g(x):
        o, p, a = ad.vjp(lambda y: (np.sin(y), {"n": np.argmax(y), "y": y * 2}), x, has_aux=True)
        return np.sum(p(o)[0]) + np.sum(a["y"]) * a["n"]

    return ad.grad(g)(X)


@case
def recursion():

    def fact(n, x):
        return x if n == 0 else fact(n - 1, x * x + n)

    return ad.grad(lambda x: fact(3, x))(0.2)


@case
def mutual():

    def a(n, x):
        return np.sin(b(n - 1, x)) if n else x

    def b(n, x):
        return a(n - 1, x) * x if n else x

    return ad.grad(lambda x: a(4, x))(0.2)


@case
def callable_cls_grad():

    class G:
        def __init__(s, f):
            s.f = f
            s.g = ad.grad(f)

        def __call__(s, x):
            return s.g(x) * s.f(x)

    return ad.grad(G(np.sin))(0.3)


@case
def gradient_in_dataclass_list():
    fs = [np.sin, np.cos, lambda x: x**3]
    return ad.grad(lambda x: sum([ad.grad(f)(x) for f in fs]))(0.3)


@case
def compose():

    def comp(*fs):
        return functools.reduce(lambda a, b: lambda x: b(a(x)), fs)

    return ad.grad(comp(np.sin, np.exp, ad.grad(np.tanh)))(0.3)


@case
def fwd4():
    def d(g):
        return lambda x: ad.jvp(g, (x,), (1.0,))[1]

    return d(d(d(d(lambda x: np.exp(2 * x) * np.sin(x)))))(0.3)


@case
def complex_vjp_chain():
    o, p = ad.vjp(lambda z: np.fft.fft(z) if False else z * np.conj(z[::-1]), vec(1 + 2j, 3 - 1j))
    return (o, p(vec(1j, 1.0)))


cases(
    {
        "hvps": lambda: [h(f, X, V) for h in (hvp, hvp2, hvp3, hvp4, hvp5)],
        "hvps_jit": lambda: [ad.jit(lambda x, v, h=h: h(f, x, v))(X, V) for h in (hvp, hvp2, hvp3, hvp4, hvp5)],
        "hvps_grad": lambda: [ad.grad(lambda x, h=h: np.sum(h(f, x, V)))(X) for h in (hvp, hvp2, hvp3, hvp4, hvp5)],
        "pc1": lambda: ad.grad(lambda x: x * ad.grad(lambda y: x + y)(1.0))(1.0),
        "pc2": lambda: ad.jvp(lambda x: x * ad.jvp(lambda y: x + y, (1.0,), (1.0,))[1], (1.0,), (1.0,)),
        "pc3": lambda: ad.grad(lambda x: ad.jvp(lambda y: x * y, (x,), (x,))[1])(3.0),
        "pc5": lambda: ad.grad(lambda x: ad.grad(lambda y: ad.grad(lambda z: x * y * z * z)(y))(x))(2.0),
        "grad_of_jac_norm": lambda: (
            ad.grad(lambda x: np.sum(ad.jacfwd(lambda y: y**2 * y[0])(x) ** 2))(X),
            ad.grad(lambda x: np.sum(ad.jacrev(lambda y: y**2 * y[0])(x) ** 2))(X),
            ad.grad(lambda x: np.sum(ad.hessian(lambda y: np.sum(y**3) * y[0])(x) ** 2))(X),
        ),
        "mixed_cross": lambda: (
            ad.jacfwd(ad.grad(lambda x, y: np.sum(x**2) * y**3, argnums=1), argnums=0)(X, 2.0),
            ad.grad(ad.grad(lambda x, y: x * x * y**3, 0), 1)(2.0, 3.0),
        ),
        "vjp_wrong_tree_inside": lambda: ad.jit(lambda x: ad.vjp(lambda y: (y, y), x)[1](x))(2.0),
        "vjp_wrong_shape_inside": lambda: ad.jit(lambda x: ad.vjp(lambda y: y, x)[1](1.0))(X),
        "jvp_wrong_tree_inside": lambda: ad.jit(lambda x: ad.jvp(lambda y: y, (x,), x))(X),
        "grad_vec_inside": lambda: ad.jit(lambda x: ad.grad(lambda y: y * 2)(x))(X),
        "grad_int_inside": lambda: ad.jit(lambda x: ad.grad(lambda y: y * 2.0)(x))(3),
        "grad_int_inside2": lambda: ad.grad(lambda x: ad.grad(lambda y: y * 2.0)(1) * x)(3.0),
        "argnums_inside": lambda: ad.jit(lambda x: ad.grad(lambda y: y * 2.0, argnums=1)(x))(3.0),
        "aux_inside": lambda: ad.jit(lambda x: ad.value_and_grad(lambda y: (y * 2.0, {"a": y, "n": None}), has_aux=True)(x))(3.0),
        "hol_inside": lambda: ad.jit(lambda z: ad.grad(lambda y: y**3, holomorphic=True)(z))(1 + 2j),
        "fourth": lambda: ad.grad(ad.grad(ad.grad(ad.grad(lambda x: np.exp(2 * x) * np.sin(x)))))(0.3),
        "complex_hvp": lambda: (
            ad.jvp(ad.grad(lambda z: np.abs(z) ** 4), (1 + 2j,), (1j,)),
            ad.grad(lambda x: np.real(ad.grad(lambda z: z**3, holomorphic=True)(x + 1j)))(2.0),
        ),
        "real_to_complex_and_back": lambda: (
            ad.hessian(lambda x: np.sum(np.abs(np.exp(1j * x) + x) ** 2))(X),
            ad.jacfwd(lambda x: np.stack([np.real(np.exp(1j * x)), np.imag(np.exp(1j * x))]))(X),
        ),
    }
)


# ---- dtypes, complex numbers, second derivatives at kinks -------------------------------------------------------------


@case
def dict_update():

    def f(d):
        d = dict(d, c=d["a"] * 2)
        d = {**d, "e": 1.0}
        return d["c"] * d["e"] * d["b"]

    return ad.grad(f)({"a": 1.0, "b": 2.0})


@case
def namedtuple_replace():

    class P(NamedTuple):
        a: Any
        b: Any

    return ad.grad(lambda p: np.sum(p._replace(a=p.a * 2).a) * p.b)(P(X, 2.0))


@case
def posonly():

    def f(x, /, y):
        return x * y

    return (ad.grad(f, (0, 1))(2.0, 3.0), ad.grad(f)(2.0, y=3.0))


@case
def defaults_diff():

    def f(x, y=2.0):
        return x * y

    return ad.grad(f, argnums=1)(3.0)


@case
def default_array():

    def f(x, y=X):
        return np.sum(x * y)

    return ad.grad(f)(3.0)


@case
def linz_f32():
    o, along = ad.linearize(lambda x: x.astype(np.float64) ** 2, X.astype(F32))
    return (o, along(X.astype(F32)))


@case
def cmatmul():
    A = numpy.array([[1 + 1j, 2.0], [0.5j, 1 - 1j]])
    return ad.grad(lambda a, v: np.real(np.vdot(v, a @ v)), (0, 1))(A, vec(1j, 2.0))


@case
def softmax_big():

    def sm(x):
        e = np.exp(x - np.max(x))
        return e / np.sum(e)

    return (ad.jacrev(sm)(vec(1000.0, 1.0, 0.0)), ad.jacfwd(sm)(vec(1.0, 1.0, 0.0)))


cases(
    {
        "int32_idx": lambda: ad.grad(lambda w, im: np.sum(w[im] ** 2))(X, numpy.array([1, 1, 0], numpy.int32)),
        "bool_mask": lambda: ad.grad(lambda w, m: np.sum(np.where(m, w, 0.0)))(X, numpy.array([True, False])),
        "nested_lists": lambda: ad.grad(lambda w: np.sum(np.array(w) ** 2))([[1.0, 2.0], [3.0, 4.0]]),
        "list_times": lambda: ad.grad(lambda w: sum([a * b for a, b in zip(w[0], w[1])]))([[1.0, 2.0], [3.0, 4.0]]),
        "tuple_unpack_star": lambda: ad.grad(lambda t: (lambda a, *b: a * b[0] * b[-1])(*t))((1.0, 2.0, 3.0)),
        "dict_iter": lambda: ad.grad(lambda d: sum([v * len(k) for k, v in d.items()]))({"a": 1.0, "bb": 2.0}),
        "argnums_kwonly": lambda: ad.grad(lambda *, x: x)(x=2.0),
        "vg_const_f32": lambda: ad.value_and_grad(lambda x: np.sum(x) * 0 + 1)(X.astype(F32)),
        "res_np_scalar": lambda: ad.value_and_grad(lambda x: numpy.float64(3.0) * x)(2.0),
        "res_f32_from_f64": lambda: ad.value_and_grad(lambda x: np.float32(x) * 2)(2.0),
        "res_f64_from_f32": lambda: ad.value_and_grad(lambda x: np.sum(x.astype(np.float64) ** 2))(X.astype(F32)),
        "jacfwd_f32_to_f64": lambda: (
            ad.jacfwd(lambda x: x.astype(np.float64) ** 2)(X.astype(F32)),
            ad.jacrev(lambda x: x.astype(np.float64) ** 2)(X.astype(F32)),
        ),
        "hess_f32_to_f64": lambda: ad.hessian(lambda x: np.sum(x.astype(np.float64) ** 3))(X.astype(F32)),
        "lt_f32": lambda: ad.linear_transpose(lambda x: x.astype(np.float64) * 2, X.astype(F32))(X),
        "c64_to_c128": lambda: ad.vjp(lambda x: x.astype(np.complex128) * 2j, vec(1 + 1j, dtype=numpy.complex64))[1](vec(1.0 + 0j)),
        "real_to_complex_cast": lambda: ad.vjp(lambda x: x.astype(np.complex128) * 2j, X)[1](vec(1.0 + 2j, 1j)),
        "complex_to_real_astype": lambda: ad.vjp(lambda x: np.real(x).astype(np.float32), vec(1 + 2j))[1](vec(1.0, dtype=F32)),
        "abs0_complex": lambda: (ad.grad(lambda z: np.abs(z))(0j), ad.jvp(np.abs, (0j,), (1 + 0j,))),
        "angle0": lambda: ad.grad(lambda z: np.angle(z))(0j),
        "csqrt": lambda: (ad.grad(lambda z: np.real(np.sqrt(z)))(-1 + 0j), ad.grad(lambda z: np.sqrt(z), holomorphic=True)(-1 + 0.001j)),
        "clog": lambda: (ad.grad(lambda z: np.log(z), holomorphic=True)(-1 + 1j), ad.grad(lambda z: np.imag(np.log(z)))(-1 - 1j)),
        "cpow": lambda: (
            [ad.grad(lambda z: z**n, holomorphic=True)(1 + 2j) for n in (0, 1, 2, -1, 0.5, 1 + 1j)],
            ad.grad(lambda z, w: z**w, (0, 1), holomorphic=True)(1 + 2j, 0.5j),
        ),
        "cdiv": lambda: ad.grad(lambda z, w: z / w, (0, 1), holomorphic=True)(1 + 2j, 0.5j),
        "cmix": lambda: ad.grad(lambda x, z: np.real(x * z) + np.imag(z) * x, (0, 1))(2.0, 1 + 2j),
        "cvdot_dot": lambda: [
            ad.grad(lambda v, w: np.real(g(v, w)), (0, 1))(vec(1j, 2.0), vec(1.0, 3 - 1j)) for g in (np.vdot, np.dot, np.inner)
        ],
        "cnorm": lambda: (
            ad.grad(lambda v: np.linalg.norm(v))(vec(1j, 2.0)),
            ad.grad(lambda v: np.sum(np.abs(v)))(vec(1j, 2.0)),
            ad.grad(lambda v: np.std(np.abs(v)))(vec(1j, 2.0)),
        ),
        "cwhere": lambda: ad.grad(lambda v: np.real(np.sum(np.where(np.abs(v) > 1.5, v * v, v))))(vec(1j, 2.0)),
        "cprod": lambda: (
            ad.grad(lambda v: np.real(np.prod(v)))(vec(1j, 2.0, 1 + 1j)),
            ad.grad(lambda v: np.real(np.sum(np.cumprod(v))))(vec(1j, 2.0, 1 + 1j)),
        ),
        "cmean_var": lambda: (
            ad.grad(lambda v: np.var(v))(vec(1j, 2.0, 1 + 1j)),
            ad.grad(lambda v: np.real(np.mean(v)))(vec(1j, 2.0, 1 + 1j)),
        ),
        "cexp_chain": lambda: (
            ad.grad(lambda t: np.abs(np.sum(np.exp(1j * t * np.arange(3)))) ** 2)(0.3),
            ad.hessian(lambda t: np.abs(np.sum(np.exp(1j * t * np.arange(3)))) ** 2)(0.3),
        ),
        "conj_attr": lambda: (ad.grad(lambda z: (z * z.conj()).real)(np.complex128(1 + 2j)), ad.grad(lambda z: (z * z.conjugate()).real)(1 + 2j)),
        "imag_real_attr": lambda: ad.grad(lambda z: z.real * z.imag)(1 + 2j),
        "sinc0": lambda: (ad.grad(np.sinc)(0.0), ad.grad(ad.grad(np.sinc))(0.0), ad.grad(ad.grad(np.sinc))(0.3)),
        "norm2nd": lambda: (ad.hessian(lambda x: np.linalg.norm(x))(X), ad.hessian(lambda x: np.sqrt(np.sum(x**2)))(X)),
        "abs2nd": lambda: [ad.grad(ad.grad(np.abs))(v) for v in (0.0, 1.0, -1.0)],
        "max2nd": lambda: (
            ad.hessian(lambda x: np.max(x) ** 2)(vec(1.0, 1.0, 0.0)),
            ad.hessian(lambda x: np.maximum(x[0], x[1]) ** 2)(vec(1.0, 1.0)),
        ),
        "sqrt2nd": lambda: (
            ad.grad(ad.grad(np.sqrt))(0.0),
            ad.grad(ad.grad(lambda x: x**1.5))(0.0),
            ad.grad(ad.grad(lambda x: x**2.0))(0.0),
            ad.grad(ad.grad(lambda x: x**2))(0.0),
        ),
        "pow_2nd": lambda: (
            ad.hessian(lambda v: v[0] ** v[1])(vec(2.0, 3.0)),
            ad.hessian(lambda v: v[0] ** v[1])(vec(0.0, 2.0)),
            ad.hessian(lambda v: v[0] ** v[1])(vec(0.0, 3.0)),
        ),
        "arctan2_2nd": lambda: ad.hessian(lambda v: np.arctan2(v[0], v[1]))(vec(1.0, 2.0)),
        "logaddexp_2nd": lambda: (
            ad.hessian(lambda v: np.logaddexp(v[0], v[1]))(vec(1.0, 2.0)),
            ad.hessian(lambda v: np.logaddexp(v[0], v[1]))(vec(1.0, 1.0)),
        ),
        "prod_2nd": lambda: (
            ad.hessian(lambda v: np.prod(v))(vec(0.0, 2.0, 3.0)),
            ad.hessian(lambda v: np.prod(v))(vec(0.0, 0.0, 3.0)),
            ad.hessian(lambda v: np.sum(np.cumprod(v)))(vec(0.0, 0.0, 3.0)),
        ),
        "tanh_big": lambda: (
            ad.grad(np.tanh)(1000.0),
            ad.grad(ad.grad(np.tanh))(1000.0),
            ad.grad(lambda x: np.log1p(np.exp(x)))(800.0),
            ad.grad(lambda x: np.logaddexp(x, 0.0))(800.0),
        ),
        "nan_where_double": lambda: (
            ad.grad(lambda x: np.where(x > 0, np.sqrt(np.where(x > 0, x, 1.0)), 0.0))(0.0),
            ad.jvp(lambda x: np.where(x > 0, np.sqrt(x), 0.0), (0.0,), (1.0,)),
        ),
        "clip_kinks": lambda: [ad.grad(lambda x: np.clip(x, -1.0, 1.0))(v) for v in (-1.0, 1.0, 0.0, 2.0, numpy.nan, numpy.inf)],
        "minmax_nan_jvp": lambda: (
            ad.jvp(lambda x: np.max(x), (vec(numpy.nan, 1.0),), (vec(1.0, 2.0),)),
            ad.jvp(lambda x: np.min(x), (vec(2.0, 2.0),), (vec(1.0, 2.0),)),
        ),
        "sort_ties": lambda: (ad.jacfwd(np.sort)(vec(2.0, 1.0, 2.0)), ad.jacrev(np.sort)(vec(2.0, 1.0, 2.0))),
        "argsort_gather": lambda: ad.grad(lambda x: np.sum(x[np.argsort(x)] * np.arange(3.0)))(vec(2.0, 1.0, 2.0)),
    }
)
