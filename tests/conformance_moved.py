"""More calls that s2s and JAX answer alike, found by moving code: as `conformance_cases.py`, and run by the same test."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy  # noqa: ICN001 - `np` is JAX's in the other reading
import numpy as np

import s2s as ad


@dataclass(frozen=True)
class Case:
    """`run()` is a result, or raises an error."""

    run: Callable[[], Any]
    says: str = ""


CASES: dict[str, Case] = {}


def case(function: Callable[[], Any]) -> Callable[[], Any]:
    """A case with a result or an error."""
    CASES[function.__name__] = Case(function)
    return function


# ---- arguments, functions and containers ------------------------------------------------------------------------------


FLOAT0 = numpy.zeros((), [("float0", "V")])


def f0(*shape):
    return numpy.zeros(shape, [("float0", "V")])


def vec(*n, dtype=numpy.float64):
    return numpy.array(n, dtype)


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
def registered_class():
    return ad.grad(lambda s: np.sum(s.x * s.y) if s.tag == "t" else 0.0)(Special(vec(1.0, 2.0), 3.0))


@case
def registered_class_result():
    o, p = ad.vjp(lambda x: Special(x * 2.0, np.sum(x)), vec(1.0, 2.0))
    return (o, p(Special(vec(1.0, 0.0), 1.0)))


@case
def registered_dataclass():
    return ad.value_and_grad(lambda s: np.sum(s.w * s.b) if s.act == "tanh" else 0.0)(Layer(vec(1.0, 2.0), 3.0))


@case
def list_of_dataclass():
    return ad.grad(lambda ls: sum([np.sum(l.w * l.b) for l in ls]))([Layer(vec(1.0, 2.0), 3.0), Layer(vec(1.0), 2.0, "relu")])


@case
def named():
    return ad.grad(lambda p: np.sum(p.w) * p.b)(Params(vec(1.0, 2.0), 3.0))


@case
def named_default():
    return ad.grad(lambda p: np.sum(p.w))(Params(vec(1.0, 2.0)))


@case
def int_keys():
    return ad.grad(lambda d: d[1] * d[2])({2: 3.0, 1: 4.0})


@case
def tuple_keys():
    return ad.grad(lambda d: d[0, 1] * d[0, 2])({(0, 1): 3.0, (0, 2): 4.0})


@case
def empty_containers():
    return ad.grad(lambda d, x: x * x, argnums=(0, 1))({"a": [], "b": (), "c": {}}, 2.0)


@case
def none_leaf():
    return ad.grad(lambda d: d["x"] ** 2 if d["n"] is None else 0.0)({"x": 3.0, "n": None})


@case
def none_arg():
    return ad.grad(lambda x, m: x * x if m is None else x, argnums=(0, 1))(3.0, None)


@case
def method():
    return ad.grad(Model(3.0).loss)(vec(1.0, 2.0))


@case
def callable_object():
    return ad.grad(Model(3.0))(vec(1.0, 2.0))


@case
def static_method():
    return (ad.grad(Model.st)(3.0), ad.grad(Model(1.0).st)(3.0))


@case
def class_method():
    return (ad.grad(Model.cl)(3.0), ad.grad(Model(1.0).cl)(3.0))


@case
def partial_kw():
    return ad.grad(functools.partial(lambda x, y, z: x * y * z * z, z=3.0))(2.0, 4.0)


@case
def partial_pos_argnums1():
    return ad.grad(functools.partial(lambda x, y, z: x * y * z * z, 2.0), argnums=1)(2.0, 4.0)


@case
def partial_of_partial():
    return ad.grad(functools.partial(functools.partial(lambda x, y, z: x * y * z * z, 2.0), z=4.0))(2.0)


@case
def partial_of_grad():
    return functools.partial(ad.grad(product), y=4.0)(3.0)


@case
def kw_float_and_tree():
    return ad.grad(lambda x, *, p: x * p["a"] * np.sum(p["b"]))(3.0, p={"a": 2.0, "b": vec(1.0, 2.0)})


@case
def kw_all():
    return ad.grad(product, argnums=0)(x=2.0, y=3.0)


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
def lambda_default():
    return ad.grad(lambda x, f=np.sin: f(x))(0.3)


@case
def lambda_list():
    return [ad.grad(f)(0.3) for f in (lambda x: x, lambda x: x * x, np.sin, lambda x: x**3)]


@case
def closure_loop():
    return [ad.grad(lambda x, k=k: x**k)(2.0) for k in range(4)]


@case
def closure_array():
    a = numpy.array([[1.0, 2.0], [3.0, 4.0]])
    return ad.grad(lambda x: x @ a @ x)(vec(1.0, 2.0))


@case
def py_int_pow():
    return [ad.grad(lambda x: x**n)(2.0) for n in (-2, -1, 0, 1, 2, 3, 0.5)]


@case
def zero_d_array():
    return ad.value_and_grad(lambda x: x * x)(numpy.array(3.0))


@case
def zero_d_f32():
    return ad.value_and_grad(lambda x: x * x * 2.0)(numpy.array(3.0, numpy.float32))


@case
def one_elem():
    return ad.grad(lambda x: (x * x)[0])(vec(3.0))


@case
def item_result():
    return ad.grad(lambda x: np.sum(x, keepdims=True)[0])(vec(3.0, 2.0))


@case
def reshape_scalar():
    return ad.grad(lambda x: np.reshape(x * x, ()))(vec(3.0))


@case
def squeeze_scalar():
    return ad.grad(lambda x: np.squeeze(x * x))(vec(3.0))


@case
def vg_aux_tree():
    return ad.value_and_grad(lambda x: (np.sum(x), {"a": x * 2.0, "b": None, "c": (1, "s")}), has_aux=True)(vec(1.0, 2.0))


@case
def vg_aux_argnums():
    return ad.value_and_grad(lambda x, y: (x * y, y), argnums=[1, 0], has_aux=True)(2.0, 3.0)


@case
def allow_int_vg():
    return ad.value_and_grad(lambda n, x: n * x, argnums=(0, 1), allow_int=True)(vec(1, 2, dtype=int)[0], 2.0)


@case
def allow_int_bool_arr():
    return ad.grad(lambda m, x: np.sum(np.where(m, x, 0.0)), argnums=(0, 1), allow_int=True)(numpy.array([True, False]), vec(1.0, 2.0))


@case
def hol_c64():
    return ad.grad(lambda z: z * z, holomorphic=True)(numpy.complex64(1 + 2j))


@case
def hol_f32():
    return ad.grad(lambda z: z * z, holomorphic=True)(numpy.float32(1))


@case
def grad_int_arr():
    return ad.grad(lambda z: np.sum(z) * 1.0)(numpy.arange(3))


@case
def grad_uint8():
    return ad.grad(lambda z: np.sum(z) * 1.0)(numpy.arange(3, dtype=numpy.uint8))


@case
def grad_list_arg():
    return ad.grad(lambda x: x[0] * x[1])([1.0, 2.0])


@case
def grad_str_in_tree():
    return ad.grad(lambda x: x["a"] * 2.0)({"a": 1.0, "name": "hello"})


@case
def grad_fn_in_tree():
    return ad.grad(lambda x: x["f"](x["a"]))({"a": 1.0, "f": np.sin})


@case
def argnums_bool():
    return ad.grad(product, argnums=True)(2.0, 3.0)


@case
def argnums_range():
    return ad.grad(product, argnums=range(2))(2.0, 3.0)


@case
def argnums_set():
    return ad.grad(product, argnums={0, 1})(2.0, 3.0)


@case
def argnums_none():
    return ad.grad(product, argnums=None)(2.0, 3.0)


@case
def argnums_varargs():
    return ad.grad(lambda *a: a[0] * a[1], argnums=-1)(2.0, 3.0)


@case
def var_kw():
    return ad.grad(lambda x, **k: x * k["a"])(2.0, a=3.0)


@case
def grad_of_jit_kw():
    return ad.grad(ad.jit(lambda x, y: x * y * y))(2.0, y=3.0)


@case
def grad_of_grad_argn():
    return ad.grad(ad.grad(product, argnums=1), argnums=0)(2.0, 3.0)


@case
def assert_inside():

    def f(x):
        assert x.ndim == 1
        return np.sum(x)

    return ad.grad(f)(vec(1.0, 2.0))


@case
def shape_use():
    return ad.grad(lambda x: np.sum(x) / x.shape[0] + x.size + len(x) + x.ndim)(vec(1.0, 2.0))


@case
def dtype_use():
    return ad.grad(lambda x: np.sum(x.astype(np.float32) * 2.0))(vec(1.0, 2.0))


@case
def result_weak():
    return ad.value_and_grad(lambda x: x)(3.0)


@case
def mixed_f32_f64():
    return ad.value_and_grad(lambda x, y: np.sum(x * y), argnums=(0, 1))(vec(1.0, 2.0, dtype=numpy.float32), 3.0)


@case
def f32_npscalar64():
    return ad.value_and_grad(lambda x, y: np.sum(x * y), argnums=(0, 1))(vec(1.0, 2.0, dtype=numpy.float32), numpy.float64(3.0))


@case
def namedtuple_argnums():
    return ad.grad(lambda p, q: p.w * q.b, argnums=(0, 1))(Params(2.0, 3.0), Params(4.0, 5.0))


@case
def sub_of_tuple():
    return ad.grad(lambda t: t[0][0] * t[1]["k"][1])(((2.0, 1.0), {"k": [3.0, vec(1.0, 2.0)[0]]}))


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
def fn_arg():
    return ad.grad(lambda f, x: f(x), argnums=1)(np.sin, 2.0)


@case
def fn_arg_neg():
    return ad.grad(lambda f, x: f(x), argnums=-1)(np.sin, 2.0)


@case
def lambda_arg():
    return ad.value_and_grad(lambda x, f: f(x))(2.0, lambda y: y * y)


@case
def jvp_kw():
    return ad.jvp(functools.partial(f2, y=2.0), (3.0,), (1.0,))


@case
def jvp_aux():
    return ad.jvp(lambda x: (x * x, {"k": x, "n": 3}), (3.0,), (1.0,), has_aux=True)


@case
def jvp_aux_bad():
    return ad.jvp(lambda x: x * x, (3.0,), (1.0,), has_aux=True)


@case
def jvp_tree():
    return ad.jvp(mapped, (X, PP), (vec(1.0, 0.0), {"s": 1.0, "t": vec(0.0, 1.0)}))


@case
def jvp_int0():
    return ad.jvp(lambda n: n * 2, (3,), (FLOAT0,))


@case
def jvp_intarr():
    return ad.jvp(lambda n, x: n * x, (numpy.arange(3), 2.0), (f0(3), 1.0))


@case
def jvp_int_out():
    return ad.jvp(lambda x: (np.argmax(x), x > 1.0, x), (X,), (X,))


@case
def jvp_none_tangent():
    return ad.jvp(f2, (2.0, 3.0), (1.0, None))


@case
def jvp_missing():
    return ad.jvp(f2, (2.0, 3.0), (1.0,))


@case
def jvp_wrong_shape_scalar():
    return ad.jvp(lambda x: x, (2.0,), (vec(1.0),))


@case
def jvp_f32():
    return ad.jvp(lambda x: x * 2.0 + 1, (F32(2),), (F32(1),))


@case
def jvp_f32_tan64():
    return ad.jvp(lambda x: x * 2.0 + 1, (F32(2),), (numpy.float64(1),))


@case
def jvp_py_f32():
    return ad.jvp(lambda x: x * 2.0 + 1, (2.0,), (F32(1),))


@case
def jvp_c64():
    return ad.jvp(lambda x: np.abs(x), (numpy.complex64(3 + 4j),), (numpy.complex64(1),))


@case
def jvp_notcallable():
    return ad.jvp(3, (1.0,), (1.0,))


@case
def jvp_none_out():
    return ad.jvp(lambda x: None, (1.0,), (1.0,))


@case
def jvp_list_in():
    return ad.jvp(lambda x: x[0] * x[1], ([1.0, 2.0],), ([1.0, 0.5],))


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
def vjp_aux():
    return (lambda o, p, a: (o, p(1.0), a))(*ad.vjp(lambda x: (x * x, {"z": x, "s": "hi"}), 3.0, has_aux=True))


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
def jac_trees():
    return [j(mapped, argnums=(0, 1))(X, PP) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_trees_1():
    return [j(mapped, argnums=1)(X, PP) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_neg():
    return [j(mapped, argnums=-2)(X, PP) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_argn1tuple():
    return [j(mapped, argnums=(0,))(X, PP) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_kw():
    return [j(mapped)(X, p=PP) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_named():
    return [j(lambda p: P(p.w * 2.0, p.b * p.w))(P(X, 3.0)) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_aux_bad1():
    return ad.jacfwd(lambda x: x, has_aux=True)(X)


@case
def jac_aux_bad2():
    return ad.jacrev(lambda x: x, has_aux=True)(X)


@case
def jac_f32mix():
    return [j(lambda x, y: x * y, argnums=(0, 1))(vec(1.0, 2.0, dtype=F32), X) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_intout():
    return ad.jacfwd(lambda x: np.argmax(x))(X)


@case
def jac_intout_rev():
    return ad.jacrev(lambda x: np.argmax(x))(X)


@case
def jac_intout_mixed():
    return ad.jacfwd(lambda x: (np.argmax(x), x))(X)


@case
def jac_scalar_in():
    return [j(lambda x: np.array([x, x * x]))(2.0) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_2d():
    return [j(lambda x: x @ x)(numpy.array([[1.0, 2.0], [3.0, 4.0]])) for j in (ad.jacfwd, ad.jacrev, ad.jacobian)]


@case
def jac_const():
    return [j(lambda x: np.ones(3))(X) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_none_out():
    return [j(lambda x: (x, None))(X) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_none_in():
    return [j(lambda d: d["x"] * 2.0)({"x": X, "n": None}) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_hol_c64():
    return [j(lambda z: z * z, holomorphic=True)(vec(1 + 2j, 3j, dtype=numpy.complex64)) for j in (ad.jacfwd, ad.jacrev)]


@case
def jac_hol_realout():
    return ad.jacrev(lambda z: np.abs(z), holomorphic=True)(vec(1 + 2j, 3j))


@case
def jac_hol_realout_fwd():
    return ad.jacfwd(lambda z: np.abs(z), holomorphic=True)(vec(1 + 2j, 3j))


@case
def jacrev_complex_in():
    return ad.jacrev(lambda z: np.abs(z) ** 2)(vec(1 + 2j, 3j))


@case
def jacrev_c_in_real_arr():
    return ad.jacrev(lambda z: (np.real(z), np.imag(z)))(vec(1 + 2j, 3j))


@case
def jac_int_allowed():
    return ad.jacrev(lambda n, x: n * x, argnums=0, allow_int=True)(3, 2.0)


@case
def hess_tree():
    return ad.hessian(lambda p: np.sum(p["w"] ** 3) * p["b"][0])({"w": X, "b": (3.0,)})


@case
def hess_argn():
    return ad.hessian(lambda x, p: np.sum(x**2) * p["s"] + np.sum(p["t"] * x), argnums=(0, 1))(X, PP)


@case
def hess_neg():
    return ad.hessian(lambda x, y: x * x * y * y, argnums=-1)(2.0, 3.0)


@case
def hess_aux():
    return ad.hessian(lambda x: (np.sum(x**3), {"a": x}), has_aux=True)(X)


@case
def hess_out_tree():
    return ad.hessian(lambda x: {"a": x**2, "b": np.sum(x)})(X)


@case
def hess_named():
    return ad.hessian(lambda p: p.w**2 * p.b)(P(2.0, 3.0))


@case
def hess_hol():
    return ad.hessian(lambda z: z**3, holomorphic=True)(1 + 2j)


@case
def hess_int():
    return ad.hessian(lambda z: z**3)(2)


@case
def hess_complex():
    return ad.hessian(lambda z: np.abs(z) ** 2)(2j)


@case
def hess_f32():
    return ad.hessian(lambda x: np.sum(np.sin(x)))(vec(1.0, 2.0, dtype=F32))


@case
def hess_matrix():
    return ad.hessian(lambda x: np.sum(x @ x))(numpy.array([[1.0, 2.0], [3.0, 4.0]]))


@case
def hess_of_linear():
    return ad.hessian(lambda x: np.sum(x))(X)


@case
def hess_of_const():
    return ad.hessian(lambda x: 3.0)(X)


@case
def jac3():
    return ad.jacfwd(ad.jacrev(ad.jacfwd(lambda x: np.sum(x**3))))(X)


@case
def jacrevrev():
    return ad.jacrev(ad.jacrev(lambda x: x**3))(X)


@case
def jacfwdfwd():
    return ad.jacfwd(ad.jacfwd(lambda x: x**3))(X)


@case
def jacrevfwd():
    return ad.jacrev(ad.jacfwd(lambda x: x**3))(X)


@case
def lin_tree():
    o, l = ad.linearize(mapped, X, PP)
    return (o, l(vec(1.0, 0.0), {"s": 1.0, "t": vec(0.0, 1.0)}), l(vec(0.0, 0.0), {"s": 0.0, "t": vec(0.0, 0.0)}))


@case
def lin_int():
    o, l = ad.linearize(lambda x, n: x * n, 2.0, 3)
    return (o, l(1.0, FLOAT0))


@case
def lin_intout():
    o, l = ad.linearize(lambda x: (x, 3), 2.0)
    return (o, l(1.0))


@case
def lin_err_args():
    o, l = ad.linearize(f2, 2.0, 3.0)
    return l(1.0)


@case
def lin_err_tree():
    o, l = ad.linearize(lambda p: p["a"], {"a": 2.0})
    return l({"b": 1.0})


@case
def lin_err_shape():
    o, l = ad.linearize(lambda p: p * p, X)
    return l(1.0)


@case
def lin_err_complex():
    o, l = ad.linearize(lambda p: p * p, 2.0)
    return l(1j)


@case
def lin_const():
    o, l = ad.linearize(lambda p: 3.0, 2.0)
    return (o, l(1.0))


@case
def lin_aux():
    o, l, a = ad.linearize(lambda p: (p * p, {"a": p}), 2.0, has_aux=True)
    return (o, l(1.0), a)


@case
def lin_of_grad():
    o, l = ad.linearize(ad.grad(lambda x: np.sum(x**3)), X)
    return (o, l(X))


@case
def lin_vmapless_loop():

    def g(x):
        o, l = ad.linearize(np.sin, x)
        s = o
        for i in range(3):
            s = s + l(float(i) * x)
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
def lt_scalar():
    return ad.linear_transpose(lambda x: 3.0 * x, 1.0)(2.0)


@case
def lt_zero():
    return ad.linear_transpose(lambda x: (x, 0.0 * x), 1.0)((2.0, 1.0))


@case
def lt_complex():
    return ad.linear_transpose(lambda x: x * (1 + 2j), 1j)(2.0 + 0j)


@case
def lt_conj():
    return ad.linear_transpose(lambda x: np.conj(x), 1j)(2.0 + 1j)


@case
def lt_real():
    return ad.linear_transpose(lambda x: np.real(x), 1j)(2.0)


@case
def lt_unused():
    return ad.linear_transpose(lambda x, y: 2.0 * x, 1.0, X)(2.0)


@case
def lt_cot_wrong():
    return ad.linear_transpose(lambda x: x, X)(vec(1.0, 2.0, dtype=F32))


@case
def lt_cot_tree():
    return ad.linear_transpose(lambda x: (x, x), X)(X)


@case
def lt_of_lin():
    o, l = ad.linearize(lambda x: np.sin(x) * x, X)
    return ad.linear_transpose(l, X)(X)


@case
def lt_nested():
    return ad.linear_transpose(lambda y: ad.linear_transpose(lambda x: 3.0 * x, X)(y)[0], X)(X)


@case
def lt_empty():
    return ad.linear_transpose(lambda: ())(())


@case
def lt_where():
    return ad.linear_transpose(lambda x: np.where(np.array([True, False]), x, 2.0 * x), X)(X)


@case
def lt_cumsum():
    return ad.linear_transpose(lambda x: np.cumsum(x)[::-1], X)(X)


@case
def lt_neg_zero():
    return ad.linear_transpose(lambda x: x - x, X)(X)


# ---- rules of the user, checkpoints -----------------------------------------------------------------------------------


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
def cj_basic():
    return (
        ad.grad(sin3)(0.3),
        ad.grad(ad.grad(sin3))(0.3),
        ad.jvp(sin3, (0.3,), (1.0,)),
        ad.hessian(lambda x: np.sum(sin3(x)))(X),
        ad.linearize(sin3, 0.3)[1](1.0),
    )


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
def cj_norule():
    return ad.grad(ad.custom_jvp(lambda x: x))(1.0)


@case
def cv_norule():
    return ad.grad(ad.custom_vjp(lambda x: x))(1.0)


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
        for i in range(4):
            x = sin3(x) + x
        return x

    return (ad.grad(h)(0.3), ad.jacfwd(h)(0.3), ad.hessian(h)(0.3))


@case
def cj_jit():
    return (ad.grad(ad.jit(sin3))(0.3), ad.jit(ad.grad(sin3))(0.3))


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
def cv_basic():
    return (ad.grad(vsin3)(0.3), ad.grad(ad.grad(vsin3))(0.3), ad.vjp(vsin3, 0.3)[1](2.0), ad.jacrev(vsin3)(X))


@case
def cv_jvp():
    return ad.jvp(vsin3, (0.3,), (1.0,))


@case
def cv_jacfwd():
    return ad.jacfwd(vsin3)(X)


@case
def cv_lin():
    return ad.linearize(vsin3, 0.3)[1](1.0)


@case
def cv_hess():
    return ad.hessian(lambda x: np.sum(vsin3(x)))(X)


@case
def cv_fwd_rev():
    return ad.jvp(ad.grad(lambda x: np.sum(vsin3(x))), (X,), (X,))


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
        for i in range(4):
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
def sg_tree():
    return ad.grad(lambda p: np.sum(ad.lax.stop_gradient(p)["a"] * p["a"]) + ad.lax.stop_gradient(p["b"]))({"a": X, "b": 2.0})


@case
def sg_int():
    return ad.lax.stop_gradient({"a": 3, "b": None, "c": X})


@case
def sg_jvp():
    return ad.jvp(lambda x: (ad.lax.stop_gradient(x), x), (2.0,), (1.0,))


@case
def sg_fwdrev():
    return ad.hessian(lambda x: np.sum(x**2 * ad.lax.stop_gradient(x)))(X)


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
def ck_tree():
    return ad.grad(ad.checkpoint(lambda p, *, k: p["a"] * p["b"] * k))({"a": 2.0, "b": 3.0}, k=4.0)


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


@case
def ck_jit():
    return (
        ad.grad(ad.jit(ad.checkpoint(lambda x: np.sin(x) * x)))(0.3),
        ad.jit(ad.grad(ad.checkpoint(ad.jit(lambda x: np.sin(x) * x))))(0.3),
    )


@case
def ck_custom():
    return ad.grad(ad.checkpoint(lambda x: sin3(x) * vsin3(x)))(0.3)


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
def hvps():
    return [h(f, X, V) for h in (hvp, hvp2, hvp3, hvp4, hvp5)]


@case
def hvps_jit():
    return [ad.jit(lambda x, v, h=h: h(f, x, v))(X, V) for h in (hvp, hvp2, hvp3, hvp4, hvp5)]


@case
def hvps_grad():
    return [ad.grad(lambda x, h=h: np.sum(h(f, x, V)))(X) for h in (hvp, hvp2, hvp3, hvp4, hvp5)]


@case
def pc1():
    return ad.grad(lambda x: x * ad.grad(lambda y: x + y)(1.0))(1.0)


@case
def pc2():
    return ad.jvp(lambda x: x * ad.jvp(lambda y: x + y, (1.0,), (1.0,))[1], (1.0,), (1.0,))


@case
def pc3():
    return ad.grad(lambda x: ad.jvp(lambda y: x * y, (x,), (x,))[1])(3.0)


@case
def pc4():

    def g(x):

        def h(y):
            return x * y**2

        return ad.grad(lambda z: ad.grad(h)(z) * x * z)(x * 2)

    return (ad.grad(g)(1.5), ad.jvp(g, (1.5,), (1.0,))[1], ad.grad(ad.grad(g))(1.5))


@case
def pc5():
    return ad.grad(lambda x: ad.grad(lambda y: ad.grad(lambda z: x * y * z * z)(y))(x))(2.0)


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
        _, l = ad.linearize(lambda y: y**3 * x, x)
        return ad.grad(lambda z: l(z * z) * z)(x)

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
def grad_of_jac_norm():
    return (
        ad.grad(lambda x: np.sum(ad.jacfwd(lambda y: y**2 * y[0])(x) ** 2))(X),
        ad.grad(lambda x: np.sum(ad.jacrev(lambda y: y**2 * y[0])(x) ** 2))(X),
        ad.grad(lambda x: np.sum(ad.hessian(lambda y: np.sum(y**3) * y[0])(x) ** 2))(X),
    )


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
def mixed_cross():
    return (
        ad.jacfwd(ad.grad(lambda x, y: np.sum(x**2) * y**3, argnums=1), argnums=0)(X, 2.0),
        ad.grad(ad.grad(lambda x, y: x * x * y**3, 0), 1)(2.0, 3.0),
    )


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
    o, l = ad.linearize(lambda x: np.sin(x) * x, X)
    return (ad.grad(lambda c: np.sum(l(c * c)))(V), ad.jit(lambda c: l(c))(V), ad.jacrev(l)(V), ad.jvp(l, (V,), (V,)), ad.vjp(l, V)[1](V))


@case
def pullback_aux_int():

    def g(x):
        o, p, a = ad.vjp(lambda y: (np.sin(y), {"n": np.argmax(y), "y": y * 2}), x, has_aux=True)
        return np.sum(p(o)[0]) + np.sum(a["y"]) * a["n"]

    return ad.grad(g)(X)


@case
def vjp_wrong_tree_inside():
    return ad.jit(lambda x: ad.vjp(lambda y: (y, y), x)[1](x))(2.0)


@case
def vjp_wrong_shape_inside():
    return ad.jit(lambda x: ad.vjp(lambda y: y, x)[1](1.0))(X)


@case
def jvp_wrong_tree_inside():
    return ad.jit(lambda x: ad.jvp(lambda y: y, (x,), x))(X)


@case
def grad_vec_inside():
    return ad.jit(lambda x: ad.grad(lambda y: y * 2)(x))(X)


@case
def grad_int_inside():
    return ad.jit(lambda x: ad.grad(lambda y: y * 2.0)(x))(3)


@case
def grad_int_inside2():
    return ad.grad(lambda x: ad.grad(lambda y: y * 2.0)(1) * x)(3.0)


@case
def argnums_inside():
    return ad.jit(lambda x: ad.grad(lambda y: y * 2.0, argnums=1)(x))(3.0)


@case
def aux_inside():
    return ad.jit(lambda x: ad.value_and_grad(lambda y: (y * 2.0, {"a": y, "n": None}), has_aux=True)(x))(3.0)


@case
def hol_inside():
    return ad.jit(lambda z: ad.grad(lambda y: y**3, holomorphic=True)(z))(1 + 2j)


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
def fourth():
    return ad.grad(ad.grad(ad.grad(ad.grad(lambda x: np.exp(2 * x) * np.sin(x)))))(0.3)


@case
def fwd4():
    d = lambda g: lambda x: ad.jvp(g, (x,), (1.0,))[1]
    return d(d(d(d(lambda x: np.exp(2 * x) * np.sin(x)))))(0.3)


@case
def complex_hvp():
    return (
        ad.jvp(ad.grad(lambda z: np.abs(z) ** 4), (1 + 2j,), (1j,)),
        ad.grad(lambda x: np.real(ad.grad(lambda z: z**3, holomorphic=True)(x + 1j)))(2.0),
    )


@case
def complex_vjp_chain():
    o, p = ad.vjp(lambda z: np.fft.fft(z) if False else z * np.conj(z[::-1]), vec(1 + 2j, 3 - 1j))
    return (o, p(vec(1j, 1.0)))


@case
def real_to_complex_and_back():
    return (
        ad.hessian(lambda x: np.sum(np.abs(np.exp(1j * x) + x) ** 2))(X),
        ad.jacfwd(lambda x: np.stack([np.real(np.exp(1j * x)), np.imag(np.exp(1j * x))]))(X),
    )


# ---- dtypes, complex numbers, second derivatives at kinks -------------------------------------------------------------


@case
def int32_idx():
    return ad.grad(lambda w, im: np.sum(w[im] ** 2))(X, numpy.array([1, 1, 0], numpy.int32))


@case
def bool_mask():
    return ad.grad(lambda w, m: np.sum(np.where(m, w, 0.0)))(X, numpy.array([True, False]))


@case
def nested_lists():
    return ad.grad(lambda w: np.sum(np.array(w) ** 2))([[1.0, 2.0], [3.0, 4.0]])


@case
def list_times():
    return ad.grad(lambda w: sum([a * b for a, b in zip(w[0], w[1])]))([[1.0, 2.0], [3.0, 4.0]])


@case
def tuple_unpack_star():
    return ad.grad(lambda t: (lambda a, *b: a * b[0] * b[-1])(*t))((1.0, 2.0, 3.0))


@case
def dict_iter():
    return ad.grad(lambda d: sum([v * len(k) for k, v in d.items()]))({"a": 1.0, "bb": 2.0})


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
def argnums_kwonly():
    return ad.grad(lambda *, x: x)(x=2.0)


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
def vg_const_f32():
    return ad.value_and_grad(lambda x: np.sum(x) * 0 + 1)(X.astype(F32))


@case
def res_np_scalar():
    return ad.value_and_grad(lambda x: numpy.float64(3.0) * x)(2.0)


@case
def res_f32_from_f64():
    return ad.value_and_grad(lambda x: np.float32(x) * 2)(2.0)


@case
def res_f64_from_f32():
    return ad.value_and_grad(lambda x: np.sum(x.astype(np.float64) ** 2))(X.astype(F32))


@case
def jacfwd_f32_to_f64():
    return (ad.jacfwd(lambda x: x.astype(np.float64) ** 2)(X.astype(F32)), ad.jacrev(lambda x: x.astype(np.float64) ** 2)(X.astype(F32)))


@case
def hess_f32_to_f64():
    return ad.hessian(lambda x: np.sum(x.astype(np.float64) ** 3))(X.astype(F32))


@case
def linz_f32():
    o, l = ad.linearize(lambda x: x.astype(np.float64) ** 2, X.astype(F32))
    return (o, l(X.astype(F32)))


@case
def lt_f32():
    return ad.linear_transpose(lambda x: x.astype(np.float64) * 2, X.astype(F32))(X)


@case
def c64_to_c128():
    return ad.vjp(lambda x: x.astype(np.complex128) * 2j, vec(1 + 1j, dtype=numpy.complex64))[1](vec(1.0 + 0j))


@case
def real_to_complex_cast():
    return ad.vjp(lambda x: x.astype(np.complex128) * 2j, X)[1](vec(1.0 + 2j, 1j))


@case
def complex_to_real_astype():
    return ad.vjp(lambda x: np.real(x).astype(np.float32), vec(1 + 2j))[1](vec(1.0, dtype=F32))


@case
def abs0_complex():
    return (ad.grad(lambda z: np.abs(z))(0j), ad.jvp(np.abs, (0j,), (1 + 0j,)))


@case
def angle0():
    return ad.grad(lambda z: np.angle(z))(0j)


@case
def csqrt():
    return (ad.grad(lambda z: np.real(np.sqrt(z)))(-1 + 0j), ad.grad(lambda z: np.sqrt(z), holomorphic=True)(-1 + 0.001j))


@case
def clog():
    return (ad.grad(lambda z: np.log(z), holomorphic=True)(-1 + 1j), ad.grad(lambda z: np.imag(np.log(z)))(-1 - 1j))


@case
def cpow():
    return (
        [ad.grad(lambda z: z**n, holomorphic=True)(1 + 2j) for n in (0, 1, 2, -1, 0.5, 1 + 1j)],
        ad.grad(lambda z, w: z**w, (0, 1), holomorphic=True)(1 + 2j, 0.5j),
    )


@case
def cdiv():
    return ad.grad(lambda z, w: z / w, (0, 1), holomorphic=True)(1 + 2j, 0.5j)


@case
def cmix():
    return ad.grad(lambda x, z: np.real(x * z) + np.imag(z) * x, (0, 1))(2.0, 1 + 2j)


@case
def cmatmul():
    A = numpy.array([[1 + 1j, 2.0], [0.5j, 1 - 1j]])
    return ad.grad(lambda a, v: np.real(np.vdot(v, a @ v)), (0, 1))(A, vec(1j, 2.0))


@case
def cvdot_dot():
    return [ad.grad(lambda v, w: np.real(g(v, w)), (0, 1))(vec(1j, 2.0), vec(1.0, 3 - 1j)) for g in (np.vdot, np.dot, np.inner)]


@case
def cnorm():
    return (
        ad.grad(lambda v: np.linalg.norm(v))(vec(1j, 2.0)),
        ad.grad(lambda v: np.sum(np.abs(v)))(vec(1j, 2.0)),
        ad.grad(lambda v: np.std(np.abs(v)))(vec(1j, 2.0)),
    )


@case
def cwhere():
    return ad.grad(lambda v: np.real(np.sum(np.where(np.abs(v) > 1.5, v * v, v))))(vec(1j, 2.0))


@case
def cprod():
    return (
        ad.grad(lambda v: np.real(np.prod(v)))(vec(1j, 2.0, 1 + 1j)),
        ad.grad(lambda v: np.real(np.sum(np.cumprod(v))))(vec(1j, 2.0, 1 + 1j)),
    )


@case
def cmean_var():
    return (ad.grad(lambda v: np.var(v))(vec(1j, 2.0, 1 + 1j)), ad.grad(lambda v: np.real(np.mean(v)))(vec(1j, 2.0, 1 + 1j)))


@case
def cexp_chain():
    return (
        ad.grad(lambda t: np.abs(np.sum(np.exp(1j * t * np.arange(3)))) ** 2)(0.3),
        ad.hessian(lambda t: np.abs(np.sum(np.exp(1j * t * np.arange(3)))) ** 2)(0.3),
    )


@case
def conj_attr():
    return (ad.grad(lambda z: (z * z.conj()).real)(1 + 2j), ad.grad(lambda z: (z * z.conjugate()).real)(1 + 2j))


@case
def imag_real_attr():
    return ad.grad(lambda z: z.real * z.imag)(1 + 2j)


@case
def sinc0():
    return (ad.grad(np.sinc)(0.0), ad.grad(ad.grad(np.sinc))(0.0), ad.grad(ad.grad(np.sinc))(0.3))


@case
def norm2nd():
    return (ad.hessian(lambda x: np.linalg.norm(x))(X), ad.hessian(lambda x: np.sqrt(np.sum(x**2)))(X))


@case
def abs2nd():
    return [ad.grad(ad.grad(np.abs))(v) for v in (0.0, 1.0, -1.0)]


@case
def max2nd():
    return (ad.hessian(lambda x: np.max(x) ** 2)(vec(1.0, 1.0, 0.0)), ad.hessian(lambda x: np.maximum(x[0], x[1]) ** 2)(vec(1.0, 1.0)))


@case
def sqrt2nd():
    return (
        ad.grad(ad.grad(np.sqrt))(0.0),
        ad.grad(ad.grad(lambda x: x**1.5))(0.0),
        ad.grad(ad.grad(lambda x: x**2.0))(0.0),
        ad.grad(ad.grad(lambda x: x**2))(0.0),
    )


@case
def pow_2nd():
    return (
        ad.hessian(lambda v: v[0] ** v[1])(vec(2.0, 3.0)),
        ad.hessian(lambda v: v[0] ** v[1])(vec(0.0, 2.0)),
        ad.hessian(lambda v: v[0] ** v[1])(vec(0.0, 3.0)),
    )


@case
def arctan2_2nd():
    return ad.hessian(lambda v: np.arctan2(v[0], v[1]))(vec(1.0, 2.0))


@case
def logaddexp_2nd():
    return (ad.hessian(lambda v: np.logaddexp(v[0], v[1]))(vec(1.0, 2.0)), ad.hessian(lambda v: np.logaddexp(v[0], v[1]))(vec(1.0, 1.0)))


@case
def prod_2nd():
    return (
        ad.hessian(lambda v: np.prod(v))(vec(0.0, 2.0, 3.0)),
        ad.hessian(lambda v: np.prod(v))(vec(0.0, 0.0, 3.0)),
        ad.hessian(lambda v: np.sum(np.cumprod(v)))(vec(0.0, 0.0, 3.0)),
    )


@case
def tanh_big():
    return (
        ad.grad(np.tanh)(1000.0),
        ad.grad(ad.grad(np.tanh))(1000.0),
        ad.grad(lambda x: np.log1p(np.exp(x)))(800.0),
        ad.grad(lambda x: np.logaddexp(x, 0.0))(800.0),
    )


@case
def softmax_big():

    def sm(x):
        e = np.exp(x - np.max(x))
        return e / np.sum(e)

    return (ad.jacrev(sm)(vec(1000.0, 1.0, 0.0)), ad.jacfwd(sm)(vec(1.0, 1.0, 0.0)))


@case
def nan_where_double():
    return (
        ad.grad(lambda x: np.where(x > 0, np.sqrt(np.where(x > 0, x, 1.0)), 0.0))(0.0),
        ad.jvp(lambda x: np.where(x > 0, np.sqrt(x), 0.0), (0.0,), (1.0,)),
    )


@case
def clip_kinks():
    return [ad.grad(lambda x: np.clip(x, -1.0, 1.0))(v) for v in (-1.0, 1.0, 0.0, 2.0, numpy.nan, numpy.inf)]


@case
def minmax_nan_jvp():
    return (
        ad.jvp(lambda x: np.max(x), (vec(numpy.nan, 1.0),), (vec(1.0, 2.0),)),
        ad.jvp(lambda x: np.min(x), (vec(2.0, 2.0),), (vec(1.0, 2.0),)),
    )


@case
def sort_ties():
    return (ad.jacfwd(np.sort)(vec(2.0, 1.0, 2.0)), ad.jacrev(np.sort)(vec(2.0, 1.0, 2.0)))


@case
def argsort_gather():
    return ad.grad(lambda x: np.sum(x[np.argsort(x)] * np.arange(3.0)))(vec(2.0, 1.0, 2.0))
