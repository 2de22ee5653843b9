"""Calls of grad, value_and_grad, jvp and vjp that s2s and JAX answer alike. Each case is run with NumPy and s2s, and as the
same text with jax.numpy and jax in place of the two imports below (`test_conformance.py`); nothing in it is particular to either.
"""
from __future__ import annotations

import functools
from collections import OrderedDict, namedtuple
from typing import Any

import numpy  # noqa: ICN001 - `np` is JAX's in the other reading
import numpy as np
from conformance import FLOAT0, Cases

import s2s as ad

Pair = namedtuple("Pair", ["first", "second"])  # noqa: PYI024


CASES = Cases()
case, error = CASES.case, CASES.error


def vector(*numbers: float, dtype: Any = numpy.float64) -> Any:
    """A NumPy array."""
    return numpy.array(numbers, dtype)


def product(x, y):
    return x * x * y


def scaled(x, y=3.0, *, factor=2.0):
    return x * y * factor


def total(tree):
    return np.sum(tree["w"] * tree["x"][0]) + tree["x"][1]


def with_aux(x, y):
    z = x * y
    return np.sum(z), {"z": z, "parts": (x, None, [y])}


# ---- argnums --------------------------------------------------------------------------------------------------------


@case
def argnums_default():
    return ad.grad(product)(2.0, 3.0)


@case
def argnums_one():
    return ad.grad(product, 1)(2.0, 3.0)


@case
def argnums_negative():
    return ad.grad(product, argnums=-1)(2.0, 3.0)


@case
def argnums_tuple():
    return ad.grad(product, argnums=(0, 1))(2.0, 3.0)


@case
def argnums_list():
    return ad.value_and_grad(product, argnums=[0, 1])(2.0, 3.0)


@case
def argnums_order():
    return ad.grad(product, argnums=(1, 0))(2.0, 3.0)


@case
def argnums_negative_in_tuple():
    return ad.grad(product, argnums=(-1, 0))(2.0, 3.0)


@case
def argnums_one_in_tuple():
    return ad.grad(product, argnums=(1,))(2.0, 3.0)


@case
def argnums_of_numpy():
    return ad.grad(product, argnums=numpy.int64(1))(2.0, 3.0)


@error("requires at least 3 positional arguments to be passed by the caller, but got only 2")
def argnums_too_large():
    return ad.grad(product, argnums=2)(2.0, 3.0)


@error("requires at least 3 positional arguments")
def argnums_too_large_in_tuple():
    return ad.value_and_grad(product, argnums=(0, 2))(2.0, 3.0)


@error("must .*have value greater than or equal to|must be greater than or equal to")
def argnums_too_negative():
    return ad.grad(product, argnums=-3)(2.0, 3.0)


@error("empty")
def argnums_empty():
    return ad.grad(product, argnums=())(2.0, 3.0)


@error("")
def argnums_float():
    return ad.grad(product, argnums=1.0)(2.0, 3.0)


@error("")
def argnums_text():
    return ad.grad(product, argnums="x")(2.0, 3.0)


@error("requires at least 1 positional arguments")
def argnums_by_keyword_only():
    return ad.grad(scaled)(x=2.0)


@error("Expected a callable")
def not_a_function():
    return ad.grad(3)


@error("")
def missing_argument():
    return ad.grad(product)(2.0)


@error("")
def too_many_arguments():
    return ad.grad(product)(2.0, 3.0, 4.0)


@error("reduce_axes argument to grad is deprecated")
def reduce_axes():
    return ad.grad(product, reduce_axes=("batch",))


@error("reduce_axes argument to vjp is deprecated")
def reduce_axes_vjp():
    return ad.vjp(product, 1.0, 2.0, reduce_axes=("batch",))


@case
def reduce_axes_empty():
    return ad.grad(product, reduce_axes=())(2.0, 3.0)


# ---- keywords, defaults, partials -----------------------------------------------------------------------------------


@case
def keyword():
    return ad.grad(scaled)(2.0, y=5.0)


@case
def keyword_only():
    return ad.grad(scaled)(2.0, factor=4.0)


@case
def default():
    return ad.value_and_grad(scaled)(2.0)


@case
def star():
    def all_of(*xs):
        return xs[0] * xs[1] + xs[2]

    return ad.grad(all_of, argnums=(0, 2))(2.0, 3.0, 4.0)


@case
def text_argument():
    return ad.grad(lambda x, mode: x * x if mode == "square" else x)(3.0, mode="square")


@case
def partial():
    return ad.grad(functools.partial(product, 2.0))(3.0)


@case
def closure():
    factor = vector(1.0, 2.0)
    return ad.grad(lambda x: np.sum(factor * x * x))(vector(3.0, 4.0))


@case
def integers_closed_over():
    factor = numpy.arange(3)
    return ad.grad(lambda x: np.sum(factor * x))(vector(1.0, 2.0, 3.0, dtype=numpy.float32).astype(numpy.float64))


@case
def functions_of_the_library():
    return ad.grad(np.tanh)(0.2), ad.grad(np.linalg.norm)(vector(3.0, 4.0)), ad.jit(np.dot)(vector(1.0, 2.0), vector(3.0, 4.0))


@case
def derivative_of_a_library_function_inside():
    return ad.grad(lambda x: ad.grad(np.sin)(x * x))(0.3)


# ---- has_aux --------------------------------------------------------------------------------------------------------


@case
def aux():
    return ad.grad(with_aux, has_aux=True)(vector(1.0, 2.0), 3.0)


@case
def aux_value():
    return ad.value_and_grad(with_aux, argnums=(0, 1), has_aux=True)(vector(1.0, 2.0), 3.0)


@case
def aux_of_vjp():
    out, pullback, rest = ad.vjp(with_aux, vector(1.0, 2.0), 3.0, has_aux=True)
    return out, pullback(numpy.float64(2.0)), rest


@case
def aux_of_jvp():
    return ad.jvp(with_aux, (vector(1.0, 2.0), 3.0), (vector(1.0, 0.0), 1.0), has_aux=True)


@case
def aux_list():
    return ad.grad(lambda x: [x * x, 1], has_aux=True)(3.0)


@case
def aux_text():
    return ad.grad(lambda x: (x * x, "text"), has_aux=True)(3.0)


@case
def aux_integers():
    return ad.grad(lambda x: (np.sum(x), (np.argmax(x), 3, True)), has_aux=True)(vector(3.0, 1.0))


@error("return a two-element tuple")
def aux_missing():
    return ad.grad(lambda x: x * x, has_aux=True)(3.0)


@error("return a two-element tuple")
def aux_three():
    return ad.grad(lambda x: (x, x, x), has_aux=True)(3.0)


@error("return a two-element tuple")
def aux_missing_in_vjp():
    return ad.vjp(lambda x: x * x, 3.0, has_aux=True)


# ---- containers -----------------------------------------------------------------------------------------------------


@case
def containers():
    return ad.grad(total)({"w": vector(1.0, 2.0), "x": [3.0, 4.0]})


@case
def ordered():
    return ad.grad(lambda d: d["b"] * d["a"])(OrderedDict(b=2.0, a=3.0))


@case
def named_tuple():
    return ad.grad(lambda p: p.first * np.sum(p.second))(Pair(2.0, vector(1.0, 3.0)))


@case
def nothing_inside():
    return ad.grad(lambda t: t["a"] * t["a"])({"a": 2.0, "b": None, "c": (), "d": {}})


@case
def nothing_at_all():
    return ad.grad(lambda t, x: x * x)((), 2.0), ad.grad(lambda t, x: x * x)(None, 2.0)


@case
def unused_arguments():
    return ad.grad(lambda a, b: a * a, argnums=(0, 1))(2.0, {"w": vector(1.0, 2.0), "b": 1.0})


@case
def no_dependence():
    return ad.grad(lambda x: 2.0)(3.0), ad.grad(lambda x: np.sum(np.ones(3)))(vector(1.0))


@case
def identity():
    return ad.value_and_grad(lambda x: x)(3.0)


@case
def returns_its_argument_twice():
    out, pullback = ad.vjp(lambda x: (x, x), vector(1.0, 2.0))
    return out, pullback((vector(1.0, 1.0), vector(0.0, 5.0)))


@case
def aliased_arguments():
    x = vector(1.0, 2.0)
    return ad.grad(lambda a, b: np.sum(a * a * b), argnums=(0, 1))(x, x)


# ---- what may be differentiated -------------------------------------------------------------------------------------


@error("requires real- or complex-valued inputs .*but got int64")
def integer():
    return ad.grad(product)(2, 3.0)


@error("requires real- or complex-valued inputs .*but got bool")
def boolean():
    return ad.grad(lambda x: x * 1.0)(True)


@error("requires real- or complex-valued inputs .*but got int64")
def integers_inside():
    return ad.grad(total)({"w": numpy.arange(2), "x": [3.0, 4.0]})


@error("'a'")
def text():
    return ad.grad(lambda x, y: y)("a", 1.0)


@case
def allow_int():
    return ad.grad(product, allow_int=True)(2, 3.0)


@case
def allow_int_arrays():
    return ad.grad(lambda t: np.sum(t["n"] * t["x"]), allow_int=True)({"n": numpy.arange(6).reshape(2, 3), "x": numpy.ones((2, 3))})


@case
def allow_bool():
    return ad.value_and_grad(lambda b, x: np.where(b, x, 2.0 * x), argnums=(0, 1), allow_int=True)(True, 3.0)


@case
def numpy_scalar():
    return ad.grad(product)(numpy.float64(2.0), numpy.float64(3.0))


@case
def zero_dimensional():
    return ad.grad(product, argnums=(0, 1))(numpy.array(2.0), numpy.array(3.0))


@case
def single():
    return ad.value_and_grad(lambda x: np.sum(x * 2.0 + 1.0) / 3.0)(vector(1.0, 2.0, dtype=numpy.float32))


@case
def single_scalar():
    return ad.value_and_grad(lambda x: np.sin(x) * 2.0 + x**3)(numpy.float32(0.5))


@case
def single_and_double():
    return ad.grad(lambda x, y: np.sum(x * y), argnums=(0, 1))(vector(1.0, 2.0, dtype=numpy.float32), vector(3.0, 4.0))


@case
def empty_arrays():
    return ad.value_and_grad(lambda x: np.sum(x * x))(numpy.zeros((0, 3)))


@case
def layouts():
    grid = numpy.arange(12.0).reshape(3, 4)
    return [ad.grad(lambda x: np.sum(x * x))(x) for x in (grid.T, grid[::2, 1::2], numpy.asfortranarray(grid), grid[::-1])]


@case
def read_only():
    x = vector(1.0, 2.0)
    x.flags.writeable = False
    return ad.grad(lambda x: np.sum(x * x))(x)


# ---- results --------------------------------------------------------------------------------------------------------


@error(r"Gradient only defined for scalar-output functions. Output had shape: \(")
def vector_result():
    return ad.grad(lambda x: x * 2.0)(vector(1.0, 2.0))


@error(r"Gradient only defined for scalar-output functions. Output had shape: \(1,\)")
def one_element_result():
    return ad.grad(lambda x: x * 2.0)(vector(1.0))


@error("Gradient only defined for scalar-output functions. Output was")
def pair_result():
    return ad.grad(lambda x: (x, x))(1.0)


@error("Gradient only defined for scalar-output functions. Output was")
def dictionary_result():
    return ad.value_and_grad(lambda x: {"a": x})(1.0)


@error("Gradient only defined for scalar-output functions. Output was None")
def no_result():
    return ad.grad(lambda x: None)(1.0)


@error("requires real-valued outputs .*but got int64")
def integer_result():
    return ad.grad(lambda x: 3)(1.0)


@error("requires real-valued outputs .*but got int64")
def position_result():
    return ad.grad(lambda x: np.argmax(x))(vector(1.0, 2.0))


@error("requires real-valued outputs .*but got bool")
def comparison_result():
    return ad.grad(lambda x: x > 0.0)(1.0)


@error("negative")
def error_of_the_user():
    def refused(x):
        raise ValueError("negative")

    return ad.grad(refused)(1.0)


# ---- complex numbers ------------------------------------------------------------------------------------------------


@case
def complex_argument():
    return ad.grad(lambda z: np.abs(z) ** 2)(1.0 + 2.0j)


@case
def complex_array():
    return ad.value_and_grad(lambda z: np.sum(np.real(z * z) + np.imag(z)))(numpy.array([1.0 + 2.0j, -0.5j]))


@case
def complex_inside():
    return ad.grad(lambda x: np.abs(np.exp(1j * x) + x))(0.7)


@case
def complex_and_real():
    return ad.grad(lambda x, z: np.sum(np.real(x * z)), argnums=(0, 1))(vector(1.0, 2.0), numpy.array([1.0 + 2.0j, 3.0j]))


@case
def holomorphic():
    return ad.grad(lambda z: z * z * z, holomorphic=True)(1.0 + 2.0j)


@case
def holomorphic_twice():
    return ad.grad(ad.grad(lambda z: np.exp(z) * z, holomorphic=True), holomorphic=True)(1.0 + 2.0j)


@case
def complex_of_half_size():
    return ad.grad(lambda z: np.sum(np.abs(z) ** 2))(numpy.array([1.0 + 2.0j], numpy.complex64))


@case
def complex_pullback():
    out, pullback = ad.vjp(lambda z, w: (z * w, np.conj(z)), 1.0 + 2.0j, 2.0 - 1.0j)
    return out, pullback((1.0 + 0.5j, 2.0j))


@case
def complex_tangent():
    return ad.jvp(lambda z: (np.abs(z), z * z, np.imag(z)), (1.0 + 2.0j,), (0.5 - 1.0j,))


@error("requires real-valued outputs .*but got complex128")
def complex_result():
    return ad.grad(lambda z: z * z)(1.0 + 2.0j)


@error("requires real-valued outputs .*but got complex128")
def complex_result_of_a_real_argument():
    return ad.grad(lambda x: x * 1j)(1.0)


@error("with holomorphic=True requires inputs with complex dtype, but got float64")
def holomorphic_of_a_real_argument():
    return ad.grad(lambda x: x * 1j, holomorphic=True)(1.0)


@error("with holomorphic=True requires outputs with complex dtype, but got float64")
def holomorphic_with_a_real_result():
    return ad.grad(lambda z: np.abs(z), holomorphic=True)(1.0 + 2.0j)


# ---- vjp ------------------------------------------------------------------------------------------------------------


def several(x, y):
    return x * y, {"sum": np.sum(x)}


@case
def pullback_many_times():
    out, pullback = ad.vjp(several, vector(1.0, 2.0), 3.0)
    return out, [pullback((vector(1.0, 1.0) * scale, {"sum": scale})) for scale in (1.0, 2.0, -1.0)]


@case
def pullback_of_integers():
    out, pullback = ad.vjp(lambda x, n: (x * n, n + 1), 2.0, 3)
    return out, pullback((1.0, FLOAT0))


@case
def pullback_of_an_integer_array():
    return ad.vjp(lambda x, n: np.sum(x * n), vector(1.0, 2.0), numpy.arange(2))[1](1.0)


@case
def pullback_ignores_what_stands_for_an_integer():
    return ad.vjp(lambda x: (x, 3), 2.0)[1]((1.0, 5))


@case
def pullback_of_constants():
    out, pullback = ad.vjp(lambda x: (2.0, None, x * x), 3.0)
    return out, pullback((1.0, None, 1.0))


@error("unexpected tree structure")
def pullback_of_a_list():
    return ad.vjp(several, vector(1.0, 2.0), 3.0)[1]([vector(1.0, 1.0), {"sum": 1.0}])


@error("unexpected tree structure")
def pullback_of_another_key():
    return ad.vjp(several, vector(1.0, 2.0), 3.0)[1]((vector(1.0, 1.0), {"total": 1.0}))


@error(r"for argument to (VJP|vjp) function: got float64\[3\], but expected float64\[2\]")
def pullback_shape():
    return ad.vjp(several, vector(1.0, 2.0), 3.0)[1]((vector(1.0, 1.0, 1.0), {"sum": 1.0}))


@error(r"for argument to (VJP|vjp) function: got float32\[2\], but expected float64\[2\]")
def pullback_dtype():
    return ad.vjp(several, vector(1.0, 2.0), 3.0)[1]((vector(1.0, 1.0, dtype=numpy.float32), {"sum": 1.0}))


@error(r"got int64\[\], but expected float64\[\]")
def pullback_integer():
    return ad.vjp(lambda x: x * x, 3.0)[1](1)


@error(r"got complex128\[\], but expected float64\[\]")
def pullback_complex():
    return ad.vjp(lambda x: x * x, 3.0)[1](1j)


@error("2 arguments")
def pullback_of_two_arguments():
    return ad.vjp(several, vector(1.0, 2.0), 3.0)[1](vector(1.0, 1.0), {"sum": 1.0})


# ---- jvp ------------------------------------------------------------------------------------------------------------


@case
def jvp():
    return ad.jvp(several, (vector(1.0, 2.0), 3.0), (vector(1.0, 0.0), 1.0))


@case
def jvp_of_lists():
    return ad.jvp(several, [vector(1.0, 2.0), 3.0], [vector(1.0, 0.0), 1.0])


@case
def jvp_of_integers():
    return ad.jvp(lambda x, n: (x * n, n), (2.0, 3), (1.0, FLOAT0))


@case
def jvp_of_constants():
    return ad.jvp(lambda x: (2.0, 3, None, np.arange(2)), (1.0,), (1.0,))


@case
def jvp_of_nothing():
    return ad.jvp(lambda x, n: x, (2.0, None), (1.0, None))


@error("must be tuples or lists; found float and float")
def jvp_without_tuples():
    return ad.jvp(lambda x: x, 1.0, 1.0)


@error("must have the same tree ?structure|same tree structure")
def jvp_of_list_and_tuple():
    return ad.jvp(lambda x: x, [1.0], (1.0,))


@error("must have the same tree")
def jvp_lengths():
    return ad.jvp(lambda x: x, (1.0,), (1.0, 2.0))


@error("must have the same tree")
def jvp_structure():
    return ad.jvp(lambda x: x["a"], ({"a": 1.0},), ({"b": 1.0},))


@error("expected tangent dtype float64, but got tangent dtype float32")
def jvp_dtype():
    return ad.jvp(lambda x: x, (vector(1.0),), (vector(1.0, dtype=numpy.float32),))


@error("dtypes must be equal, or in case of int/bool primal dtype the tangent dtype must be float0")
def jvp_integer_tangent():
    return ad.jvp(lambda x, n: x * n, (2.0, 3), (1.0, 1))


@error("expected tangent dtype float64, but got tangent dtype int64")
def jvp_integer_for_a_float():
    return ad.jvp(lambda x: x, (2.0,), (1,))


@error(r"different primal and tangent shapes; ?Got primal shape \(2,\) and tangent shape as \(3,\)")
def jvp_shape():
    return ad.jvp(lambda x: x, (vector(1.0, 2.0),), (vector(1.0, 2.0, 3.0),))


# ---- nesting --------------------------------------------------------------------------------------------------------


@case
def second_derivative():
    return ad.grad(ad.grad(lambda x: x**3 * np.sin(x)))(0.7)


@case
def third_derivative():
    return ad.grad(ad.grad(ad.grad(lambda x: x**4 + np.exp(2.0 * x))))(0.3)


@case
def forward_over_reverse():
    return ad.jvp(ad.grad(lambda x: np.sum(x**3)), (vector(1.0, 2.0),), (vector(1.0, -1.0),))


@case
def reverse_over_forward():
    return ad.grad(lambda x: ad.jvp(lambda y: y**3 * x, (x,), (1.0,))[1])(2.0)


@case
def perturbations_are_not_confused():
    return ad.grad(lambda x: x * ad.grad(lambda y: x * y)(1.0))(3.0)


@case
def jitted():
    return ad.grad(ad.jit(product))(2.0, 3.0), ad.jit(ad.value_and_grad(product, argnums=(0, 1)))(2.0, 3.0)


@case
def static_argument():
    power = ad.jit(lambda x, n: x**n, static_argnums=1)
    return [ad.grad(power)(2.0, n) for n in (0, 1, 2, 3)]


# ---- Jacobians, linear maps -----------------------------------------------------------------------------------------


def mapped(x, p):
    return {"a": np.outer(x, x) * p["s"], "b": np.sum(x)}


@case
def jacobians():
    x, p = vector(1.0, 2.0), {"s": 3.0, "t": vector(1.0, 1.0)}
    return [jacobian(mapped, argnums=(0, 1))(x, p) for jacobian in (ad.jacfwd, ad.jacrev, ad.jacobian)]


@case
def jacobian_of_a_scalar():
    return ad.jacfwd(np.sin)(0.5), ad.jacrev(lambda x: (x * x, 2.0))(0.5)


@case
def jacobian_with_aux():
    return ad.jacfwd(lambda x: (x * x, {"n": x[0]}), has_aux=True)(vector(1.0, 2.0)), ad.jacrev(lambda x: (x * x, 3), has_aux=True)(vector(1.0, 2.0))


@case
def jacobian_of_single_precision():
    x = vector(1.0, 2.0, dtype=numpy.float32)
    return ad.jacfwd(lambda x: x * 2.0)(x), ad.jacrev(lambda x: x * 2.0)(x), ad.hessian(lambda x: np.sum(x**3))(x)


@case
def jacobian_of_empty_arrays():
    return ad.jacfwd(lambda x: x * 2.0)(numpy.zeros(0)), ad.jacrev(lambda x: x * 2.0)(numpy.zeros(0))


@case
def jacobian_holomorphic():
    z = numpy.array([1.0 + 2.0j, 0.5j])
    return ad.jacfwd(lambda z: z * z * z[0], holomorphic=True)(z), ad.jacrev(lambda z: z * z * z[0], holomorphic=True)(z)


@case
def jacrev_of_integers():
    return ad.jacrev(lambda n, x: n * x, argnums=(0, 1), allow_int=True)(numpy.arange(2), vector(1.0, 2.0))


@error("jacfwd requires real-valued inputs .*but got int64")
def jacfwd_of_integers():
    return ad.jacfwd(lambda x: x * 1.0)(numpy.arange(2))


@error("jacrev requires real- or complex-valued inputs .*but got int64")
def jacrev_of_integers_refused():
    return ad.jacrev(lambda x: x * 1.0)(numpy.arange(2))


@error("jacfwd requires real-valued inputs .*but got complex128")
def jacfwd_of_complex():
    return ad.jacfwd(lambda x: np.real(x))(numpy.array([1j]))


@error("jacrev requires real-valued outputs .*but got complex128")
def jacrev_of_a_complex_result():
    return ad.jacrev(lambda x: x * 1j)(vector(1.0))


@case
def jacfwd_of_a_complex_result():
    return ad.jacfwd(lambda x: x * 1j)(vector(1.0, 2.0))


@error("with holomorphic=True requires inputs with complex dtype, but got float64")
def jacfwd_holomorphic_of_real():
    return ad.jacfwd(lambda x: x * 1j, holomorphic=True)(vector(1.0))


@case
def hessians():
    return ad.hessian(lambda p: np.sum(p["w"] ** 3) * p["b"])({"w": vector(1.0, 2.0), "b": 3.0}), ad.hessian(lambda x, y: x * x * y, argnums=(0, 1))(2.0, 3.0)


@case
def hessian_of_a_vector():
    return ad.hessian(lambda x: x**3 * x[0])(vector(1.0, 2.0))


@case
def linearized():
    out, along = ad.linearize(several, vector(1.0, 2.0), 3.0)
    return out, along(vector(1.0, 0.0), 1.0), along(vector(0.0, 1.0), 0.0)


@case
def linearized_with_aux():
    out, along, rest = ad.linearize(with_aux, vector(1.0, 2.0), 3.0, has_aux=True)
    return out, along(vector(1.0, 0.0), 1.0), rest


@error("linearized function called on tangent values inconsistent with the original primal values")
def linearized_shape():
    return ad.linearize(lambda x: x * x, vector(1.0, 2.0))[1](vector(1.0, 2.0, 3.0))


@error("linearized function called on tangent values inconsistent with the original primal values")
def linearized_dtype():
    return ad.linearize(lambda x: x * x, vector(1.0, 2.0))[1](vector(1.0, 2.0, dtype=numpy.float32))


@error("")
def linearized_structure():
    return ad.linearize(lambda x: x * x, vector(1.0, 2.0))[1](vector(1.0, 2.0), 1.0)


@case
def transposed():
    return ad.linear_transpose(lambda x, y: (2.0 * x - np.sum(y), y * 3.0), vector(1.0, 2.0), vector(1.0))((vector(1.0, 1.0), vector(2.0)))


@error("")
def transposed_structure():
    return ad.linear_transpose(lambda x: 2.0 * x, vector(1.0, 2.0))((vector(1.0, 1.0),))


@error("")
def transposed_type():
    return ad.linear_transpose(lambda x: 2.0 * x, vector(1.0, 2.0))(vector(1.0, 1.0, 1.0))


# ---- rules of the user ----------------------------------------------------------------------------------------------


def made_softplus():
    @ad.custom_jvp
    def softplus(x):
        return np.log1p(np.exp(x))

    @softplus.defjvp
    def softplus_jvp(primals, tangents):
        (x,), (x_dot,) = primals, tangents
        return softplus(x), x_dot / (1.0 + np.exp(-x)) * 3.0

    return softplus


def made_clipped():
    @ad.custom_vjp
    def clipped(x, bound):
        return x * 1.0

    def forwards(x, bound):
        return clipped(x, bound), bound

    def backwards(bound, bar):
        return np.clip(bar, -bound, bound), None

    clipped.defvjp(forwards, backwards)
    return clipped


@case
def custom_jvp():
    softplus = made_softplus()
    return ad.grad(softplus)(0.3), ad.jvp(softplus, (0.3,), (1.0,)), ad.grad(ad.grad(softplus))(0.3)


@case
def custom_vjp():
    clipped = made_clipped()
    return ad.grad(lambda x: 5.0 * clipped(x, 2.0))(3.0), ad.value_and_grad(lambda x: clipped(x, 9.0) ** 2)(3.0)


@error("")
def custom_vjp_forwards():
    return ad.jvp(lambda x: made_clipped()(x, 2.0), (1.0,), (1.0,))


@case
def custom_jvps():
    @ad.custom_jvp
    def product_of(x, y):
        return x * y

    product_of.defjvps(lambda x_dot, ans, x, y: 2.0 * y * x_dot, None)
    return ad.grad(product_of, argnums=(0, 1))(2.0, 3.0)


@case
def custom_gradient():
    @ad.custom_gradient
    def squared(x):
        return x * x, lambda bar: bar * 10.0

    return ad.value_and_grad(squared)(3.0)


@case
def stopped():
    return ad.grad(lambda x: x * ad.lax.stop_gradient(x * x))(3.0)


@case
def checkpointed():
    f = ad.checkpoint(lambda x: np.sum(np.sin(x) * x))
    return ad.value_and_grad(f)(vector(1.0, 2.0)), ad.grad(lambda x: ad.checkpoint(lambda y: np.sin(y) * x)(x))(0.5)


@case
def checkpointed_twice():
    return ad.grad(ad.grad(ad.remat(lambda x: np.sin(x) * x)))(0.5)


@case
def checkpointed_with_static_names():
    f = ad.checkpoint(lambda x, n: x**n, static_argnames=("n",))
    return ad.grad(f)(2.0, 3), ad.grad(lambda x: f(x, n=2))(3.0), ad.grad(ad.checkpoint(lambda x, n: x**n, static_argnums=1))(2.0, 3)
