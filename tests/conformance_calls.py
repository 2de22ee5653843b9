"""More calls that s2s and JAX answer alike, found by moving code: as `conformance_cases.py`."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy  # noqa: ICN001 - `np` is JAX's in the other reading
import numpy as np
from conformance import FLOAT0, Cases, f0, vec

import s2s as ad

CASES = Cases()
case, cases = CASES.case, CASES.cases


# ---- arguments, functions and containers ------------------------------------------------------------------------------


def product(x, y):
    return x * x * y


@ad.tree_util.register_pytree_node_class
class Special:
    d_ = 1

    def __init__(self, x, y, tag="t"):
        self.x, self.y, self.tag = (x, y, tag)

    def tree_flatten(self):
        return ((self.x, self.y), self.tag)

    @classmethod
    def tree_unflatten(cls, aux, kids):
        return cls(*kids, tag=aux)


@functools.partial(ad.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["act"])
@dataclass
class Layer:
    w: Any
    b: Any
    act: str = "tanh"


class Params(NamedTuple):
    w: Any
    b: Any = 0.0


class Model:
    def __init__(self, k):
        self.k = k

    def loss(self, x):
        return np.sum(x * x) * self.k

    def __call__(self, x):
        return np.sum(x**3) * self.k

    @staticmethod
    def st(x):
        return x * x

    @classmethod
    def cl(cls, x):
        return x * x * 2.0


@case
def registered_class_result():
    o, p = ad.vjp(lambda x: Special(x * 2.0, np.sum(x)), vec(1.0, 2.0))
    return (o, p(Special(vec(1.0, 0.0), 1.0)))


@case
def wrapped():

    def deco(f):

        @functools.wraps(f)
        def inner(*a, **k):
            return f(*a, **k) * 2.0

        return inner

    @deco
    def g(x, y=2.0):
        return x * x * y

    return (ad.grad(g)(3.0), ad.grad(g)(3.0, y=5.0))


@case
def unwrapped_deco_wo_wraps():

    def deco(f):

        def inner(*a, **k):
            return f(*a, **k) + a[0]

        return inner

    return ad.grad(deco(deco(product)))(3.0, 2.0)


@case
def lru_cached():

    @functools.lru_cache
    def k(n):
        return n * 2

    return ad.grad(lambda x: x * k(3))(2.0)


@case
def closure_array():
    a = numpy.array([[1.0, 2.0], [3.0, 4.0]])
    return ad.grad(lambda x: x @ a @ x)(vec(1.0, 2.0))


@case
def assert_inside():

    def f(x):
        assert x.ndim == 1
        return np.sum(x)

    return ad.grad(f)(vec(1.0, 2.0))


cases(
    {
        "registered_class": lambda: ad.grad(lambda s: np.sum(s.x * s.y) if s.tag == "t" else 0.0)(Special(vec(1.0, 2.0), 3.0)),
        "registered_dataclass": lambda: ad.value_and_grad(lambda s: np.sum(s.w * s.b) if s.act == "tanh" else 0.0)(
            Layer(vec(1.0, 2.0), 3.0)
        ),
        "list_of_dataclass": lambda: ad.grad(lambda ls: sum([np.sum(along.w * along.b) for along in ls]))(
            [Layer(vec(1.0, 2.0), 3.0), Layer(vec(1.0), 2.0, "relu")]
        ),
        "named": lambda: ad.grad(lambda p: np.sum(p.w) * p.b)(Params(vec(1.0, 2.0), 3.0)),
        "named_default": lambda: ad.grad(lambda p: np.sum(p.w))(Params(vec(1.0, 2.0))),
        "int_keys": lambda: ad.grad(lambda d: d[1] * d[2])({2: 3.0, 1: 4.0}),
        "tuple_keys": lambda: ad.grad(lambda d: d[0, 1] * d[0, 2])({(0, 1): 3.0, (0, 2): 4.0}),
        "empty_containers": lambda: ad.grad(lambda d, x: x * x, argnums=(0, 1))({"a": [], "b": (), "c": {}}, 2.0),
        "none_leaf": lambda: ad.grad(lambda d: d["x"] ** 2 if d["n"] is None else 0.0)({"x": 3.0, "n": None}),
        "none_arg": lambda: ad.grad(lambda x, m: x * x if m is None else x, argnums=(0, 1))(3.0, None),
        "method": lambda: ad.grad(Model(3.0).loss)(vec(1.0, 2.0)),
        "callable_object": lambda: ad.grad(Model(3.0))(vec(1.0, 2.0)),
        "static_method": lambda: (ad.grad(Model.st)(3.0), ad.grad(Model(1.0).st)(3.0)),
        "class_method": lambda: (ad.grad(Model.cl)(3.0), ad.grad(Model(1.0).cl)(3.0)),
        "partial_kw": lambda: ad.grad(functools.partial(lambda x, y, z: x * y * z * z, z=3.0))(2.0, 4.0),
        "partial_pos_argnums1": lambda: ad.grad(functools.partial(lambda x, y, z: x * y * z * z, 2.0), argnums=1)(2.0, 4.0),
        "partial_of_partial": lambda: ad.grad(functools.partial(functools.partial(lambda x, y, z: x * y * z * z, 2.0), z=4.0))(2.0),
        "partial_of_grad": lambda: functools.partial(ad.grad(product), y=4.0)(3.0),
        "kw_float_and_tree": lambda: ad.grad(lambda x, *, p: x * p["a"] * np.sum(p["b"]))(3.0, p={"a": 2.0, "b": vec(1.0, 2.0)}),
        "kw_all": lambda: ad.grad(product, argnums=0)(x=2.0, y=3.0),
        "lambda_default": lambda: ad.grad(lambda x, f=np.sin: f(x))(0.3),
        "lambda_list": lambda: [ad.grad(f)(0.3) for f in (lambda x: x, lambda x: x * x, np.sin, lambda x: x**3)],
        "closure_loop": lambda: [ad.grad(lambda x, k=k: x**k)(2.0) for k in range(4)],
        "py_int_pow": lambda: [ad.grad(lambda x: x**n)(2.0) for n in (-2, -1, 0, 1, 2, 3, 0.5)],
        "zero_d_array": lambda: ad.value_and_grad(lambda x: x * x)(numpy.array(3.0)),
        "zero_d_f32": lambda: ad.value_and_grad(lambda x: x * x * 2.0)(numpy.array(3.0, numpy.float32)),
        "one_elem": lambda: ad.grad(lambda x: (x * x)[0])(vec(3.0)),
        "item_result": lambda: ad.grad(lambda x: np.sum(x, keepdims=True)[0])(vec(3.0, 2.0)),
        "reshape_scalar": lambda: ad.grad(lambda x: np.reshape(x * x, ()))(vec(3.0)),
        "squeeze_scalar": lambda: ad.grad(lambda x: np.squeeze(x * x))(vec(3.0)),
        "vg_aux_tree": lambda: ad.value_and_grad(lambda x: (np.sum(x), {"a": x * 2.0, "b": None, "c": (1, "s")}), has_aux=True)(
            vec(1.0, 2.0)
        ),
        "vg_aux_argnums": lambda: ad.value_and_grad(lambda x, y: (x * y, y), argnums=[1, 0], has_aux=True)(2.0, 3.0),
        "allow_int_vg": lambda: ad.value_and_grad(lambda n, x: n * x, argnums=(0, 1), allow_int=True)(vec(1, 2, dtype=int)[0], 2.0),
        "allow_int_bool_arr": lambda: ad.grad(lambda m, x: np.sum(np.where(m, x, 0.0)), argnums=(0, 1), allow_int=True)(
            numpy.array([True, False]), vec(1.0, 2.0)
        ),
        "hol_c64": lambda: ad.grad(lambda z: z * z, holomorphic=True)(numpy.complex64(1 + 2j)),
        "hol_f32": lambda: ad.grad(lambda z: z * z, holomorphic=True)(numpy.float32(1)),
        "grad_int_arr": lambda: ad.grad(lambda z: np.sum(z) * 1.0)(numpy.arange(3)),
        "grad_uint8": lambda: ad.grad(lambda z: np.sum(z) * 1.0)(numpy.arange(3, dtype=numpy.uint8)),
        "grad_list_arg": lambda: ad.grad(lambda x: x[0] * x[1])([1.0, 2.0]),
        "grad_str_in_tree": lambda: ad.grad(lambda x: x["a"] * 2.0)({"a": 1.0, "name": "hello"}),
        "grad_fn_in_tree": lambda: ad.grad(lambda x: x["f"](x["a"]))({"a": 1.0, "f": np.sin}),
        "argnums_bool": lambda: ad.grad(product, argnums=True)(2.0, 3.0),
        "argnums_range": lambda: ad.grad(product, argnums=range(2))(2.0, 3.0),
        "argnums_set": lambda: ad.grad(product, argnums={0, 1})(2.0, 3.0),
        "argnums_none": lambda: ad.grad(product, argnums=None)(2.0, 3.0),
        "argnums_varargs": lambda: ad.grad(lambda *a: a[0] * a[1], argnums=-1)(2.0, 3.0),
        "var_kw": lambda: ad.grad(lambda x, **k: x * k["a"])(2.0, a=3.0),
        "grad_of_jit_kw": lambda: ad.grad(ad.jit(lambda x, y: x * y * y))(2.0, y=3.0),
        "grad_of_grad_argn": lambda: ad.grad(ad.grad(product, argnums=1), argnums=0)(2.0, 3.0),
        "shape_use": lambda: ad.grad(lambda x: np.sum(x) / x.shape[0] + x.size + len(x) + x.ndim)(vec(1.0, 2.0)),
        "dtype_use": lambda: ad.grad(lambda x: np.sum(x.astype(np.float32) * 2.0))(vec(1.0, 2.0)),
        "result_weak": lambda: ad.value_and_grad(lambda x: x)(3.0),
        "mixed_f32_f64": lambda: ad.value_and_grad(lambda x, y: np.sum(x * y), argnums=(0, 1))(vec(1.0, 2.0, dtype=numpy.float32), 3.0),
        "f32_npscalar64": lambda: ad.value_and_grad(lambda x, y: np.sum(x * y), argnums=(0, 1))(
            vec(1.0, 2.0, dtype=numpy.float32), numpy.float64(3.0)
        ),
        "namedtuple_argnums": lambda: ad.grad(lambda p, q: p.w * q.b, argnums=(0, 1))(Params(2.0, 3.0), Params(4.0, 5.0)),
        "sub_of_tuple": lambda: ad.grad(lambda t: t[0][0] * t[1]["k"][1])(((2.0, 1.0), {"k": [3.0, vec(1.0, 2.0)[0]]})),
    }
)


# ---- jvp, vjp, Jacobians, linear maps ---------------------------------------------------------------------------------


F32 = numpy.float32


class P(NamedTuple):
    w: Any
    b: Any


def mapped(x, p):
    return {"a": np.outer(x, x) * p["s"], "b": (np.sum(x), [x * p["t"]])}


X = vec(1.0, 2.0)


PP = {"s": 3.0, "t": vec(1.0, 4.0)}


def f2(x, y):
    return x * x * y


class SD:
    def __init__(self, s, d):
        self.shape, self.dtype = (s, d)


@case
def vjp_tree():
    o, p = ad.vjp(mapped, X, PP)
    return (o, p({"a": numpy.ones((2, 2)), "b": (1.0, [vec(1.0, 2.0)])}))


@case
def vjp_many():
    o, p = ad.vjp(lambda x: np.sin(x) * x, X)
    return [p(vec(*c)) for c in [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]]


@case
def vjp_cot_none():
    o, p = ad.vjp(lambda x: (x, x * 2.0), 2.0)
    return p((1.0, None))


@case
def vjp_cot_int_out():
    o, p = ad.vjp(lambda x: (x * x, np.argmax(x)), X)
    return p((vec(1.0, 1.0), f0()))


@case
def vjp_cot_int_out2():
    o, p = ad.vjp(lambda x: (x * x, np.argmax(x)), X)
    return p((vec(1.0, 1.0), 0))


@case
def vjp_no_primals():
    o, p = ad.vjp(lambda: 3.0)
    return (o, p(1.0))


@case
def vjp_ints_only():
    o, p = ad.vjp(lambda n: n * 2, 3)
    return (o, p(f0()))


@case
def vjp_bool_arr():
    o, p = ad.vjp(lambda n, x: np.where(n, x, 0.0), numpy.array([True, False]), X)
    return (o, p(vec(1.0, 1.0)))


@case
def vjp_kwarg_cot():
    o, p = ad.vjp(lambda x: x, 2.0)
    return p(ct=1.0)


@case
def vjp_no_cot():
    o, p = ad.vjp(lambda x: x, 2.0)
    return p()


@case
def vjp_shape_err():
    o, p = ad.vjp(lambda x: np.outer(x, x), X)
    return p(numpy.ones((2, 3)))


@case
def vjp_scalar_for_array():
    o, p = ad.vjp(lambda x: x * x, X)
    return p(1.0)


@case
def vjp_list_cot():
    o, p = ad.vjp(lambda x: x * x, X)
    return p([1.0, 2.0])


@case
def vjp_c128():
    o, p = ad.vjp(lambda x, z: x * z, 2.0, 1 + 1j)
    return (o, p(1.0 + 2j))


@case
def vjp_f32_np64():
    o, p = ad.vjp(lambda x: x * 2.0, F32(2.0))
    return (o, p(numpy.float64(1.0)))


@case
def vjp_of_vjp():

    def g(x):
        o, p = ad.vjp(lambda y: np.sin(y) * x, x)
        return p(np.cos(x))[0]

    return ad.grad(g)(0.4)


@case
def vjp_in_loop():

    def g(x):
        s = 0.0
        for i in range(3):
            o, p = ad.vjp(lambda y: y**3 * x, x + i)
            s = s + p(o)[0]
        return s

    return ad.grad(g)(0.4)


@case
def lin_tree():
    o, along = ad.linearize(mapped, X, PP)
    return (o, along(vec(1.0, 0.0), {"s": 1.0, "t": vec(0.0, 1.0)}), along(vec(0.0, 0.0), {"s": 0.0, "t": vec(0.0, 0.0)}))


@case
def lin_int():
    o, along = ad.linearize(lambda x, n: x * n, 2.0, 3)
    return (o, along(1.0, FLOAT0))


@case
def lin_intout():
    o, along = ad.linearize(lambda x: (x, 3), 2.0)
    return (o, along(1.0))


@case
def lin_err_args():
    o, along = ad.linearize(f2, 2.0, 3.0)
    return along(1.0)


@case
def lin_err_tree():
    o, along = ad.linearize(lambda p: p["a"], {"a": 2.0})
    return along({"b": 1.0})


@case
def lin_err_shape():
    o, along = ad.linearize(lambda p: p * p, X)
    return along(1.0)


@case
def lin_err_complex():
    o, along = ad.linearize(lambda p: p * p, 2.0)
    return along(1j)


@case
def lin_const():
    o, along = ad.linearize(lambda p: 3.0, 2.0)
    return (o, along(1.0))


@case
def lin_aux():
    o, along, a = ad.linearize(lambda p: (p * p, {"a": p}), 2.0, has_aux=True)
    return (o, along(1.0), a)


@case
def lin_of_grad():
    o, along = ad.linearize(ad.grad(lambda x: np.sum(x**3)), X)
    return (o, along(X))


@case
def lin_vmapless_loop():

    def g(x):
        o, along = ad.linearize(np.sin, x)
        s = o
        for i in range(3):
            s = s + along(float(i) * x)
        return s

    return ad.grad(g)(0.3)


@case
def lt_tree():
    t = ad.linear_transpose(lambda p: (2.0 * p["a"], p["a"] + p["b"]), {"a": X, "b": X})
    return t((vec(1.0, 1.0), vec(0.0, 1.0)))


@case
def lt_sds():
    t = ad.linear_transpose(lambda x: np.sum(x) * 3.0, ad.ShapeDtypeStruct((3,), numpy.float32))
    return t(F32(1.0))


@case
def lt_obj():
    t = ad.linear_transpose(lambda x: np.sum(x) * 3.0, SD((3,), numpy.dtype("float64")))
    return t(1.0)


@case
def lt_obj_tree():
    t = ad.linear_transpose(lambda x: np.sum(x["a"]) * 3.0, {"a": SD((3,), numpy.dtype("float64"))})
    return t(1.0)


@case
def lt_of_lin():
    o, along = ad.linearize(lambda x: np.sin(x) * x, X)
    return ad.linear_transpose(along, X)(X)


cases(
    {
        "fn_arg": lambda: ad.grad(lambda f, x: f(x), argnums=1)(np.sin, 2.0),
        "fn_arg_neg": lambda: ad.grad(lambda f, x: f(x), argnums=-1)(np.sin, 2.0),
        "lambda_arg": lambda: ad.value_and_grad(lambda x, f: f(x))(2.0, lambda y: y * y),
        "jvp_kw": lambda: ad.jvp(functools.partial(f2, y=2.0), (3.0,), (1.0,)),
        "jvp_aux": lambda: ad.jvp(lambda x: (x * x, {"k": x, "n": 3}), (3.0,), (1.0,), has_aux=True),
        "jvp_aux_bad": lambda: ad.jvp(lambda x: x * x, (3.0,), (1.0,), has_aux=True),
        "jvp_tree": lambda: ad.jvp(mapped, (X, PP), (vec(1.0, 0.0), {"s": 1.0, "t": vec(0.0, 1.0)})),
        "jvp_int0": lambda: ad.jvp(lambda n: n * 2, (3,), (FLOAT0,)),
        "jvp_intarr": lambda: ad.jvp(lambda n, x: n * x, (numpy.arange(3), 2.0), (f0(3), 1.0)),
        "jvp_int_out": lambda: ad.jvp(lambda x: (np.argmax(x), x > 1.0, x), (X,), (X,)),
        "jvp_none_tangent": lambda: ad.jvp(f2, (2.0, 3.0), (1.0, None)),
        "jvp_missing": lambda: ad.jvp(f2, (2.0, 3.0), (1.0,)),
        "jvp_wrong_shape_scalar": lambda: ad.jvp(lambda x: x, (2.0,), (vec(1.0),)),
        "jvp_f32": lambda: ad.jvp(lambda x: x * 2.0 + 1, (F32(2),), (F32(1),)),
        "jvp_f32_tan64": lambda: ad.jvp(lambda x: x * 2.0 + 1, (F32(2),), (numpy.float64(1),)),
        "jvp_py_f32": lambda: ad.jvp(lambda x: x * 2.0 + 1, (2.0,), (F32(1),)),
        "jvp_c64": lambda: ad.jvp(lambda x: np.abs(x), (numpy.complex64(3 + 4j),), (numpy.complex64(1),)),
        "jvp_notcallable": lambda: ad.jvp(3, (1.0,), (1.0,)),
        "jvp_none_out": lambda: ad.jvp(lambda x: None, (1.0,), (1.0,)),
        "jvp_list_in": lambda: ad.jvp(lambda x: x[0] * x[1], ([1.0, 2.0],), ([1.0, 0.5],)),
        "vjp_aux": lambda: (lambda o, p, a: (o, p(1.0), a))(*ad.vjp(lambda x: (x * x, {"z": x, "s": "hi"}), 3.0, has_aux=True)),
        "jac_trees": lambda: [j(mapped, argnums=(0, 1))(X, PP) for j in (ad.jacfwd, ad.jacrev)],
        "jac_trees_1": lambda: [j(mapped, argnums=1)(X, PP) for j in (ad.jacfwd, ad.jacrev)],
        "jac_neg": lambda: [j(mapped, argnums=-2)(X, PP) for j in (ad.jacfwd, ad.jacrev)],
        "jac_argn1tuple": lambda: [j(mapped, argnums=(0,))(X, PP) for j in (ad.jacfwd, ad.jacrev)],
        "jac_kw": lambda: [j(mapped)(X, p=PP) for j in (ad.jacfwd, ad.jacrev)],
        "jac_named": lambda: [j(lambda p: P(p.w * 2.0, p.b * p.w))(P(X, 3.0)) for j in (ad.jacfwd, ad.jacrev)],
        "jac_aux_bad1": lambda: ad.jacfwd(lambda x: x, has_aux=True)(X),
        "jac_aux_bad2": lambda: ad.jacrev(lambda x: x, has_aux=True)(X),
        "jac_f32mix": lambda: [j(lambda x, y: x * y, argnums=(0, 1))(vec(1.0, 2.0, dtype=F32), X) for j in (ad.jacfwd, ad.jacrev)],
        "jac_intout": lambda: ad.jacfwd(lambda x: np.argmax(x))(X),
        "jac_intout_rev": lambda: ad.jacrev(lambda x: np.argmax(x))(X),
        "jac_intout_mixed": lambda: ad.jacfwd(lambda x: (np.argmax(x), x))(X),
        "jac_scalar_in": lambda: [j(lambda x: np.array([x, x * x]))(2.0) for j in (ad.jacfwd, ad.jacrev)],
        "jac_2d": lambda: [j(lambda x: x @ x)(numpy.array([[1.0, 2.0], [3.0, 4.0]])) for j in (ad.jacfwd, ad.jacrev, ad.jacobian)],
        "jac_const": lambda: [j(lambda x: np.ones(3))(X) for j in (ad.jacfwd, ad.jacrev)],
        "jac_none_out": lambda: [j(lambda x: (x, None))(X) for j in (ad.jacfwd, ad.jacrev)],
        "jac_none_in": lambda: [j(lambda d: d["x"] * 2.0)({"x": X, "n": None}) for j in (ad.jacfwd, ad.jacrev)],
        "jac_hol_c64": lambda: [
            j(lambda z: z * z, holomorphic=True)(vec(1 + 2j, 3j, dtype=numpy.complex64)) for j in (ad.jacfwd, ad.jacrev)
        ],
        "jac_hol_realout": lambda: ad.jacrev(lambda z: np.abs(z), holomorphic=True)(vec(1 + 2j, 3j)),
        "jac_hol_realout_fwd": lambda: ad.jacfwd(lambda z: np.abs(z), holomorphic=True)(vec(1 + 2j, 3j)),
        "jacrev_complex_in": lambda: ad.jacrev(lambda z: np.abs(z) ** 2)(vec(1 + 2j, 3j)),
        "jacrev_c_in_real_arr": lambda: ad.jacrev(lambda z: (np.real(z), np.imag(z)))(vec(1 + 2j, 3j)),
        "jac_int_allowed": lambda: ad.jacrev(lambda n, x: n * x, argnums=0, allow_int=True)(3, 2.0),
        "hess_tree": lambda: ad.hessian(lambda p: np.sum(p["w"] ** 3) * p["b"][0])({"w": X, "b": (3.0,)}),
        "hess_argn": lambda: ad.hessian(lambda x, p: np.sum(x**2) * p["s"] + np.sum(p["t"] * x), argnums=(0, 1))(X, PP),
        "hess_neg": lambda: ad.hessian(lambda x, y: x * x * y * y, argnums=-1)(2.0, 3.0),
        "hess_aux": lambda: ad.hessian(lambda x: (np.sum(x**3), {"a": x}), has_aux=True)(X),
        "hess_out_tree": lambda: ad.hessian(lambda x: {"a": x**2, "b": np.sum(x)})(X),
        "hess_named": lambda: ad.hessian(lambda p: p.w**2 * p.b)(P(2.0, 3.0)),
        "hess_hol": lambda: ad.hessian(lambda z: z**3, holomorphic=True)(1 + 2j),
        "hess_int": lambda: ad.hessian(lambda z: z**3)(2),
        "hess_complex": lambda: ad.hessian(lambda z: np.abs(z) ** 2)(2j),
        "hess_matrix": lambda: ad.hessian(lambda x: np.sum(x @ x))(numpy.array([[1.0, 2.0], [3.0, 4.0]])),
        "hess_of_linear": lambda: ad.hessian(lambda x: np.sum(x))(X),
        "hess_of_const": lambda: ad.hessian(lambda x: 3.0)(X),
        "jac3": lambda: ad.jacfwd(ad.jacrev(ad.jacfwd(lambda x: np.sum(x**3))))(X),
        "jacrevrev": lambda: ad.jacrev(ad.jacrev(lambda x: x**3))(X),
        "jacfwdfwd": lambda: ad.jacfwd(ad.jacfwd(lambda x: x**3))(X),
        "jacrevfwd": lambda: ad.jacrev(ad.jacfwd(lambda x: x**3))(X),
        "lt_scalar": lambda: ad.linear_transpose(lambda x: 3.0 * x, 1.0)(2.0),
        "lt_zero": lambda: ad.linear_transpose(lambda x: (x, 0.0 * x), 1.0)((2.0, 1.0)),
        "lt_complex": lambda: ad.linear_transpose(lambda x: x * (1 + 2j), 1j)(2.0 + 0j),
        "lt_conj": lambda: ad.linear_transpose(lambda x: np.conj(x), 1j)(2.0 + 1j),
        "lt_real": lambda: ad.linear_transpose(lambda x: np.real(x), 1j)(2.0),
        "lt_unused": lambda: ad.linear_transpose(lambda x, y: 2.0 * x, 1.0, X)(2.0),
        "lt_cot_wrong": lambda: ad.linear_transpose(lambda x: x, X)(vec(1.0, 2.0, dtype=F32)),
        "lt_cot_tree": lambda: ad.linear_transpose(lambda x: (x, x), X)(X),
        "lt_nested": lambda: ad.linear_transpose(lambda y: ad.linear_transpose(lambda x: 3.0 * x, X)(y)[0], X)(X),
        "lt_empty": lambda: ad.linear_transpose(lambda: ())(()),
        "lt_where": lambda: ad.linear_transpose(lambda x: np.where(np.array([True, False]), x, 2.0 * x), X)(X),
        "lt_cumsum": lambda: ad.linear_transpose(lambda x: np.cumsum(x)[::-1], X)(X),
        "lt_neg_zero": lambda: ad.linear_transpose(lambda x: x - x, X)(X),
    }
)
